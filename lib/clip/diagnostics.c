/* diagnostics.c: counts messages about lost data and errors by kind, with their files and clips. */
#include "clip/diagnostics.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/text.h"

/* ---- Counting ---- */

/* At most this many entries that are not merged are kept. For a file with more, one line counts the rest. */
#define ALONE_MAX 1000u
#define APART_MAX 100000u /* the same if no messages are merged */
#define LABEL_MAX 256u    /* bytes of the name of a track in a message */
#define WHAT_MAX 512u     /* bytes of the text about it, which is always from this library */

__attribute__((format(printf, 1, 0))) static char *print_text(const char *format, va_list args)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (length < 0 || (text = malloc((size_t)length + 1)) == NULL)
		return NULL;
	vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

/* The parts of a message: subject, words, details. */
struct parts {
	const char *name; /* of the subject; NULL: none */
	size_t name_size;
	const char *words; /* after the subject */
	size_t size;       /* of the words, without details */
};

/*
 * Find the parts of a text. A message without a noun has no subject, but may have a name. A name may contain quotes: its
 * end is a quote before a separator. The apostrophe of "Unity's" does not begin a name. A place in JSON needs no quotes:
 * "tracks[0].data: ".
 */
static struct parts split_text(const char *noun, const char *text)
{
	struct parts parts = {NULL, 0, text, strcspn(text, ANIM_DETAIL)};
	const char *end = strchr(text, '\''), *colon;
	size_t word = strcspn(text, " ");

	if (noun != NULL && word > 1 && text[word] != '\0' && text[word - 1] == ':' && text[0] != '\'') {
		parts.words = text + word + 1;
		parts.size = strcspn(parts.words, ANIM_DETAIL);
		return parts;
	}
	while (end != NULL && end > text && end[-1] != ' ')
		end = strchr(end + 1, '\'');
	if (end == NULL || (noun != NULL && end > text))
		return parts;
	parts.name = end + 1;
	while ((end = strchr(end + 1, '\'')) != NULL && end[1] != '\0' && strchr(" :;,." ANIM_DETAIL, end[1]) == NULL)
		continue;
	parts.name_size = end == NULL ? 0 : (size_t)(end - parts.name);
	colon = end == NULL || noun == NULL ? NULL : strstr(end, ": ");
	if (colon != NULL) {
		parts.words = colon + 2;
		parts.size = strcspn(parts.words, ANIM_DETAIL);
	}
	return parts;
}

static bool is_like(const struct anim_diagnostic *item, enum anim_severity severity, const char *noun,
		    const struct parts *parts)
{
	struct parts own;

	if ((item->severity == ANIM_FAULT) != (severity == ANIM_FAULT) || (item->noun == NULL) != (noun == NULL) ||
	    (noun != NULL && item->noun != noun && strcmp(item->noun, noun) != 0))
		return false;
	if (noun == NULL && (item->scope == NULL || item->place.at != ANIM_AT_FILE || item->place.file != NULL))
		return false;
	own = split_text(noun, item->text);
	return own.size == parts->size && memcmp(own.words, parts->words, own.size) == 0;
}

/* Return the entry with which this message merges, or NULL. */
static struct anim_diagnostic *find_entry(const struct anim_diagnostics *diagnostics, enum anim_severity severity,
					  const char *noun, const struct parts *parts, uint32_t hash)
{
	if (diagnostics->table_size == 0)
		return NULL;
	for (size_t at = hash & (diagnostics->table_size - 1); diagnostics->table[at] != 0;
	     at = (at + 1) & (diagnostics->table_size - 1)) {
		struct anim_diagnostic *item = &diagnostics->items[diagnostics->table[at] - 1];

		if (item->hash == hash && is_like(item, severity, noun, parts))
			return item;
	}
	return NULL;
}

static void enter_table(struct anim_diagnostics *diagnostics, size_t number)
{
	size_t at = diagnostics->items[number].hash & (diagnostics->table_size - 1);

	while (diagnostics->table[at] != 0)
		at = (at + 1) & (diagnostics->table_size - 1);
	diagnostics->table[at] = (uint32_t)number + 1;
}

/* Return a new entry; `text` is owned from now on. NULL if out of memory. */
static struct anim_diagnostic *start_entry(struct anim_diagnostics *diagnostics, enum anim_severity severity,
					   const struct anim_place *place, const char *noun, char *text, uint32_t hash,
					   struct anim_error *error)
{
	bool has_file = place != NULL && place->file != NULL;
	char *file = has_file ? strdup(place->file) : NULL;
	struct anim_diagnostic *item;

	if (has_file && file == NULL)
		goto no_memory;
	if (diagnostics->count == diagnostics->capacity) {
		size_t capacity = diagnostics->capacity == 0 ? 8 : diagnostics->capacity * 2;
		struct anim_diagnostic *items = realloc(diagnostics->items, capacity * sizeof *items);
		uint32_t *table;

		if (items == NULL)
			goto no_memory;
		diagnostics->items = items;
		/* The table has twice as many slots as there is room for entries. */
		table = calloc(2 * capacity, sizeof *table);
		if (table == NULL)
			goto no_memory;
		free(diagnostics->table);
		diagnostics->table = table;
		diagnostics->table_size = 2 * capacity;
		for (size_t i = 0; i < diagnostics->count; i++)
			enter_table(diagnostics, i);
		diagnostics->capacity = capacity;
	}
	item = &diagnostics->items[diagnostics->count];
	memset(item, 0, sizeof *item);
	if (place != NULL)
		item->place = *place;
	item->place.file = file;
	item->severity = severity;
	item->noun = noun;
	item->text = text;
	item->scope = diagnostics->scope;
	item->hash = hash;
	enter_table(diagnostics, diagnostics->count++);
	return item;
no_memory:
	anim_fail_memory(error);
	free(file);
	free(text);
	return NULL;
}

static bool is_other_file(const char *a, const char *b)
{
	return a != b && (a == NULL || b == NULL || strcmp(a, b) != 0);
}

/* Notes with the words of a warning are one entry with it. */
static void become_warning(struct anim_diagnostics *diagnostics, struct anim_diagnostic *item)
{
	item->severity = ANIM_WARNING;
	diagnostics->warnings += item->count;
}

/* Count a message. *entry is the entry that counts it. */
__attribute__((format(printf, 7, 0))) static int add_entry(struct anim_diagnostics *diagnostics,
							   enum anim_severity severity, const struct anim_place *place,
							   const char *noun, struct anim_diagnostic **entry,
							   struct anim_error *error, const char *format, va_list args)
{
	const struct anim_scope *scope = diagnostics->scope;
	struct anim_diagnostic *item = NULL;
	struct parts parts;
	uint32_t hash;
	char *text;

	if (severity == ANIM_FAULT && diagnostics->faults >= ANIM_FAULTS_SHOWN)
		return anim_fail_at(error, ANIM_BAD_INPUT, place, "too many errors, more than %d", ANIM_FAULTS_SHOWN);
	if ((text = print_text(format, args)) == NULL)
		return anim_fail_memory(error);
	for (int further = 0; further < 2 && item == NULL; further++) {
		parts = split_text(noun, text);
		hash = (uint32_t)anim_hash(severity == ANIM_FAULT, parts.words, parts.size);
		if (further == 1 || (!diagnostics->apart && (noun != NULL || (diagnostics->scope != NULL &&
									      (place == NULL || place->file == NULL)))))
			item = find_entry(diagnostics, severity, noun, &parts, hash);
		if (item != NULL || severity == ANIM_FAULT || further == 1 ||
		    diagnostics->count < (diagnostics->apart ? APART_MAX : ALONE_MAX))
			break;
		free(text);
		if ((text = strdup("further messages are not shown")) == NULL)
			return anim_fail_memory(error);
		noun = "message";
	}
	if (item != NULL)
		free(text);
	else if ((item = start_entry(diagnostics, severity, place, noun, text, hash, error)) == NULL)
		return -1;
	if (item->severity == ANIM_NOTE && severity == ANIM_WARNING)
		become_warning(diagnostics, item);
	item->count++;
	diagnostics->counted_last = (size_t)(item - diagnostics->items);
	/* Clips come one after another, and so do files. So a clip or file is new for an entry if it is not the last one. */
	if (scope != NULL && scope != item->last) {
		item->clips += scope->clip != NULL;
		if (item->files == 0 || is_other_file(item->last_file, scope->file))
			item->files++;
		item->last = scope;
		item->last_file = scope->file;
	}
	diagnostics->faults += item->severity == ANIM_FAULT;
	diagnostics->warnings += item->severity == ANIM_WARNING;
	*entry = item;
	return 0;
}

int anim_diagnostics_add(struct anim_diagnostics *diagnostics, enum anim_severity severity,
			 const struct anim_place *place, const char *noun, struct anim_error *error, const char *text,
			 ...)
{
	struct anim_diagnostic *entry;
	va_list args;
	int result;

	va_start(args, text);
	result = add_entry(diagnostics, severity, place, noun, &entry, error, text, args);
	va_end(args);
	return result;
}

int anim_diagnostics_track(struct anim_diagnostics *diagnostics, const struct anim_track *track,
			   struct anim_error *error, const char *what, ...)
{
	char label[LABEL_MAX], text[WHAT_MAX];
	va_list args;

	va_start(args, what);
	vsnprintf(text, sizeof text, what, args);
	va_end(args);
	anim_track_label(track, label, sizeof label);
	return anim_diagnostics_warn(diagnostics, "track", error, "'%s': %s", label, text);
}

int anim_diagnostics_drop(struct anim_diagnostics *diagnostics, const struct anim_track *track, const char *why,
			  struct anim_error *error)
{
	anim_diagnostics_leave_out(diagnostics);
	return anim_track_is_unset(track) ? 0 : anim_diagnostics_track(diagnostics, track, error, "%s", why);
}

int anim_diagnostics_gate(struct anim_diagnostics *diagnostics, const struct anim_track *track, bool empty,
			  struct anim_error *error)
{
	bool disabled = (track->flags & ANIM_DISABLED) != 0;
	char label[LABEL_MAX];

	if (!disabled && (empty || track->n > 0))
		return 0;
	anim_diagnostics_leave_out(diagnostics);
	anim_track_label(track, label, sizeof label);
	/* without keys nothing is lost */
	return anim_diagnostics_add(diagnostics, track->n > 0 ? ANIM_WARNING : ANIM_NOTE, NULL, "track", error,
				    "'%s': %s; left out", label, disabled ? "disabled" : "no keys") != 0
		   ? -1
		   : 1;
}

int anim_diagnostics_playback(struct anim_diagnostics *diagnostics, const struct anim_clip *clip, const char *format,
			      bool keeps_loop, const char *advice, struct anim_error *error)
{
	bool plays = anim_attrs_get(&clip->attrs, "godot.autoplay") != NULL;

	if (clip->loop != ANIM_LOOP_NONE && !keeps_loop)
		return anim_diagnostics_note(
		    diagnostics, "clip", error,
		    "'%s': the loop mode is not kept, because %s has none%s" ANIM_DETAIL " (%s%s)", clip->name, format,
		    advice, clip->loop == ANIM_LOOP_PINGPONG ? "ping-pong" : "loop", plays ? ", autoplay" : "");
	return !plays ? 0
		      : anim_diagnostics_note(diagnostics, "clip", error,
					      "'%s': autoplay is not kept, because %s has none%s", clip->name, format,
					      advice);
}

bool anim_diagnostics_tolerates(const struct anim_diagnostics *diagnostics, double off, const char *unit)
{
	/* A conversion within the same tolerance may exceed it a little, because its result is rounded to floats. */
	const double rounding = 1.25;

	if (strcmp(unit, "units") == 0)
		return off <= rounding * (diagnostics->units > 0 ? diagnostics->units : ANIM_SEEN_UNITS);
	return strcmp(unit, "degrees") == 0 &&
	       off <= rounding * (diagnostics->degrees > 0 ? diagnostics->degrees : ANIM_SEEN_DEGREES);
}

int anim_diagnostics_add_error(struct anim_diagnostics *diagnostics, const char *noun, double off, const char *unit,
			       struct anim_error *error, const char *text, ...)
{
	struct anim_diagnostic *entry;
	va_list args;
	int result;

	va_start(args, text);
	result = add_entry(diagnostics, ANIM_NOTE, NULL, noun, &entry, error, text, args);
	va_end(args);
	if (result != 0)
		return result;
	if (entry->severity == ANIM_NOTE && !anim_diagnostics_tolerates(diagnostics, off, unit))
		become_warning(diagnostics, entry);
	anim_diagnostics_off(diagnostics, off, unit);
	return 0;
}

void anim_diagnostics_off(struct anim_diagnostics *diagnostics, double off, const char *unit)
{
	struct anim_diagnostic *entry = &diagnostics->items[diagnostics->counted_last];

	if (entry->unit == NULL || off > entry->worst)
		entry->worst = off;
	entry->unit = unit;
}

void anim_diagnostics_repeat(struct anim_diagnostics *diagnostics, size_t times)
{
	struct anim_diagnostic *entry = &diagnostics->items[diagnostics->counted_last];

	entry->count += times;
	diagnostics->warnings += entry->severity == ANIM_WARNING ? times : 0;
	diagnostics->faults += entry->severity == ANIM_FAULT ? times : 0;
}

void anim_diagnostics_peak(struct anim_diagnostics *diagnostics, double off, double lasts_s)
{
	struct anim_diagnostic *entry = &diagnostics->items[diagnostics->counted_last];

	entry->peak = fmax(entry->peak, off);
	entry->peak_s = fmax(entry->peak_s, lasts_s);
}

/* Add a name to an entry; it is owned from now on. */
static void add_name(struct anim_diagnostic *item, char *name)
{
	bool known = false;

	for (size_t i = 0; i < item->name_count && !known; i++)
		known = strcmp(item->names[i], name) == 0;
	item->named += known || item->name_count < ANIM_DIAGNOSTIC_NAMES;
	if (known || item->name_count == ANIM_DIAGNOSTIC_NAMES)
		free(name);
	else
		item->names[item->name_count++] = name;
}

int anim_diagnostics_name(struct anim_diagnostics *diagnostics, struct anim_error *error, const char *name, ...)
{
	va_list args;
	char *text, *copy;
	size_t length;
	bool cut;

	va_start(args, name);
	text = print_text(name, args);
	va_end(args);
	if (text == NULL)
		return anim_fail_memory(error);
	/* A long name is cut between characters, with dots at the end. */
	length = strlen(text);
	cut = length > ANIM_DIAGNOSTIC_NAME_BYTES;
	if (cut)
		length = anim_utf8_prefix(text, ANIM_DIAGNOSTIC_NAME_BYTES);
	copy = malloc(length + sizeof "...");
	if (copy != NULL) {
		memcpy(copy, text, length);
		memcpy(copy + length, cut ? "..." : "", cut ? sizeof "..." : 1);
	}
	free(text);
	if (copy == NULL)
		return anim_fail_memory(error);
	add_name(&diagnostics->items[diagnostics->counted_last], copy);
	return 0;
}

int anim_diagnostics_join(struct anim_diagnostics *diagnostics, struct anim_diagnostics *from, struct anim_error *error)
{
	const struct anim_scope *scope = diagnostics->scope;
	int result = 0;

	for (size_t i = 0; i < from->count && result == 0; i++) {
		struct anim_diagnostic *item = &from->items[i], *to;

		diagnostics->scope = item->scope;
		result =
		    anim_diagnostics_add(diagnostics, item->severity, item->place.file != NULL ? &item->place : NULL,
					 item->noun, error, "%s", item->text);
		if (result != 0)
			break;
		anim_diagnostics_repeat(diagnostics, item->count - 1);
		if (item->unit != NULL)
			anim_diagnostics_off(diagnostics, item->worst, item->unit);
		anim_diagnostics_peak(diagnostics, item->peak, item->peak_s);
		to = &diagnostics->items[diagnostics->counted_last];
		to->clips += item->clips > 0 ? item->clips - 1 : 0;
		to->files += item->files > 0 ? item->files - 1 : 0;
		to->last = item->last;
		to->last_file = item->last_file;
		for (size_t k = 0; k < item->name_count; k++)
			add_name(to, item->names[k]);
		item->name_count = 0;
	}
	diagnostics->scope = scope;
	return result;
}

int anim_diagnostics_check(const struct anim_diagnostics *diagnostics, struct anim_error *error)
{
	if (diagnostics == NULL)
		return 0;
	if (diagnostics->faults > 0)
		return anim_fail(error, ANIM_BAD_INPUT, "%zu %s", diagnostics->faults,
				 diagnostics->faults == 1 ? "fault" : "faults");
	if (diagnostics->strict && diagnostics->warnings > 0)
		return anim_fail(error, ANIM_STRICT,
				 "stopped by " ANIM_OPTION("emit", "strict") ", which makes warnings errors");
	return 0;
}

int anim_fail_no_clip(struct anim_error *error)
{
	return anim_fail(error, ANIM_BAD_INPUT, "no clip to write, because no animation was read");
}

const struct anim_diagnostic *anim_diagnostics_first(const struct anim_diagnostics *diagnostics,
						     enum anim_severity least)
{
	for (size_t i = 0; i < diagnostics->count; i++)
		if (diagnostics->items[i].severity >= least)
			return &diagnostics->items[i];
	return NULL;
}

void anim_diagnostics_forgive(struct anim_diagnostics *diagnostics)
{
	for (size_t i = 0; i < diagnostics->count; i++)
		if (diagnostics->items[i].severity == ANIM_FAULT)
			diagnostics->items[i].severity = ANIM_WARNING;
	diagnostics->warnings += diagnostics->faults;
	diagnostics->faults = 0;
}

const struct anim_scope *anim_diagnostics_enter(struct anim_diagnostics *diagnostics, const char *file,
						const char *clip, struct anim_error *error)
{
	struct anim_scope *before = diagnostics->scopes, *scope;
	bool same = before != NULL && !is_other_file(before->file, file);
	size_t file_size = file == NULL || same ? 0 : strlen(file) + 1, clip_size = clip == NULL ? 0 : strlen(clip) + 1;

	if (same && clip == NULL && before->clip == NULL)
		return diagnostics->scope = before;
	scope = malloc(sizeof *scope + file_size + clip_size);
	if (scope == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	*scope = (struct anim_scope){.file = same ? before->file : NULL, .before = before};
	if (file_size > 0)
		scope->file = memcpy(scope + 1, file, file_size);
	if (clip_size > 0)
		scope->clip = memcpy((char *)(scope + 1) + file_size, clip, clip_size);
	diagnostics->clips += clip != NULL;
	diagnostics->scopes = scope;
	return diagnostics->scope = scope;
}

/* A text of limited capacity. */
struct line {
	char *out;
	size_t used, capacity;
};

__attribute__((format(printf, 2, 3))) static void add_text(struct line *line, const char *format, ...)
{
	size_t room = line->capacity - line->used;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line->out + line->used, room, format, args);
	va_end(args);
	if (length > 0)
		line->used += (size_t)length < room ? (size_t)length : room - 1;
}

static bool is_named(const char *name, size_t length, const char *clip)
{
	return length == strlen(clip) && length > 0 && memcmp(name, clip, length) == 0;
}

/* Return whether the file, the clip or the place in a file is the subject. */
static bool is_about_place(const struct anim_diagnostic *diagnostic)
{
	const char *noun = diagnostic->noun;
	size_t length = noun == NULL ? 0 : strlen(noun);

	return length < 4 || diagnostic->place.at != ANIM_AT_FILE || strcmp(noun + length - 4, "clip") == 0 ||
	       strcmp(noun + length - 4, "file") == 0 || split_text(noun, diagnostic->text).words != diagnostic->text;
}

/* Round up to two digits, because the printed error is a bound. */
static double round_up(double worst)
{
	double unit = 1;

	if (!(worst > 0) || !isfinite(worst))
		return worst;
	while (unit * 10 <= worst)
		unit *= 10;
	while (unit > worst && unit > 1e-300)
		unit /= 10;
	return ceil(worst / unit * 10 * (1 - 1e-9)) * unit / 10;
}

static void add_error_text(struct line *line, const struct anim_diagnostic *diagnostic)
{
	double peak = round_up(diagnostic->peak), worst = round_up(diagnostic->worst), time;
	bool brief = diagnostic->peak_s < 1e-3;

	if (diagnostic->unit == NULL)
		return;
	if (!(peak > 2 * worst)) {
		worst = fmax(worst, peak);
		add_text(line, worst < 100 ? ", at most %.2g %s off" : ", at most %.0f %s off", worst,
			 diagnostic->unit);
		return;
	}
	time = fmax(1, ceil(diagnostic->peak_s * (brief ? 1e6 : 1e3)));
	add_text(line, peak < 100 ? ", at most %.2g %s off" : ", at most %.0f %s off", peak, diagnostic->unit);
	add_text(line, " for less than %.0f %ssecond%s beside a jump, %.2g elsewhere", time, brief ? "micro" : "milli",
		 time > 1 ? "s" : "", worst);
}

/* Return the advice at the end of the words, with the semicolon before it, or their end. The error comes before it. */
static const char *find_advice(const char *words, const char *end)
{
	const char *advice = strstr(words, "; " ANIM_ADVICE_BEGIN);
	const char *last = advice == NULL || advice > end ? NULL : strchr(advice, ANIM_ADVICE_END[0]);

	return last != NULL && last + 1 == end ? advice : end;
}

/* Print "2 models: not read: 'a.fbx', 'b.fbx'; what to do": the names come before the advice. */
static void add_many(struct line *line, const struct anim_diagnostic *diagnostic)
{
	struct parts parts = split_text(diagnostic->noun, diagnostic->text);
	const char *rest = strstr(parts.words, "; "), *advice;
	size_t head = rest == NULL || rest > parts.words + parts.size ? parts.size : (size_t)(rest - parts.words);

	/* The plural is "tracks of Euler angles" for "track of Euler angles", and "properties" for "property". */
	if (diagnostic->noun != NULL) {
		const char *noun = diagnostic->noun, *of = strstr(noun, " of ");
		size_t size = of == NULL ? strlen(noun) : (size_t)(of - noun);
		bool is_y = size > 1 && noun[size - 1] == 'y' && strchr("aeou", noun[size - 2]) == NULL;

		add_text(line, "%zu %.*s%s%s: ", diagnostic->count, (int)(size - is_y), noun, is_y ? "ies" : "s",
			 noun + size);
	}
	add_text(line, "%.*s", (int)head, parts.words);
	for (size_t i = 0; i < diagnostic->name_count; i++)
		add_text(line, "%s%s", i > 0 ? ", " : " (", diagnostic->names[i]);
	if (diagnostic->name_count > 0 && diagnostic->named < diagnostic->count)
		add_text(line, " and %zu more", diagnostic->count - diagnostic->named);
	rest = parts.words + head;
	advice = find_advice(rest, parts.words + parts.size);
	add_text(line, "%s%.*s", diagnostic->name_count > 0 ? ")" : "", (int)(advice - rest), rest);
	add_error_text(line, diagnostic);
	add_text(line, "%.*s", (int)(parts.words + parts.size - advice), advice);
}

/* Print "(first 'Hips Position' in 'run' of walk.tscn; 3 clips of 2 files; anim-lint lists all)". */
static void add_first(struct line *line, const struct anim_diagnostic *diagnostic)
{
	const char *noun = diagnostic->noun == NULL ? "" : diagnostic->noun;
	bool is_of_clips = strlen(noun) >= 4 && strcmp(noun + strlen(noun) - 4, "clip") == 0;
	const char *open = " (", *clip = diagnostic->scope == NULL ? NULL : diagnostic->scope->clip;
	struct parts parts = split_text(diagnostic->noun, diagnostic->text);
	size_t length = diagnostic->name_count > 0 ? 0 : parts.name_size;

	if (length > 0) {
		add_text(line, "%sfirst '%.*s'", open, length > 200 ? 200 : (int)length, parts.name);
		open = "; ";
	}
	if (diagnostic->clips > 1 && clip != NULL && !is_named(parts.name, length, clip)) {
		add_text(line, "%s '%.200s'", length > 0 ? " in" : " (first in", clip);
		open = "; ";
	}
	if (diagnostic->files > 1 && diagnostic->scope != NULL && diagnostic->scope->file != NULL && open[0] == ';')
		add_text(line, " of %s", diagnostic->scope->file);
	if (diagnostic->clips > 1 &&
	    !(diagnostic->count == diagnostic->clips && is_of_clips && diagnostic->files <= 1)) {
		add_text(line, "%s%zu clips", open, diagnostic->clips);
		open = "; ";
	}
	if (diagnostic->files > 1) {
		add_text(line, "%s%zu files", diagnostic->clips > 1 ? " of " : open, diagnostic->files);
		open = "; ";
	}
	/* An entry that warns of tracks may already say what to do about them. */
	if (open[0] == ';')
		add_text(line, "%s)",
			 diagnostic->severity == ANIM_WARNING && strncmp(noun, "track", 5) == 0 &&
				 strstr(diagnostic->text, ANIM_ADVICE_BEGIN) == NULL
			     ? "; " ANIM_ADVICE(LIST_ALL)
			     : "");
}

void anim_diagnostic_print(const struct anim_diagnostic *diagnostic, char *out, size_t capacity)
{
	struct line line = {out, 0, capacity};

	if (diagnostic->count > 1) {
		add_many(&line, diagnostic);
	} else {
		const char *detail = strchr(diagnostic->text, ANIM_DETAIL[0]), *advice;
		size_t size = detail == NULL ? strlen(diagnostic->text) : (size_t)(detail - diagnostic->text);

		if (diagnostic->noun != NULL && diagnostic->text[0] == '\'')
			add_text(&line, "%s ", diagnostic->noun);
		else if (!is_about_place(diagnostic))
			add_text(&line, "1 %s: ", diagnostic->noun);
		advice = find_advice(diagnostic->text, diagnostic->text + size);
		add_text(&line, "%.*s%s", (int)(advice - diagnostic->text), diagnostic->text,
			 detail == NULL ? "" : detail + 1);
		add_error_text(&line, diagnostic);
		add_text(&line, "%.*s", (int)(diagnostic->text + size - advice), advice);
	}
	if (diagnostic->count > 1)
		add_first(&line, diagnostic);
}

bool anim_diagnostic_parts(const struct anim_diagnostic *diagnostic, char *name, size_t name_capacity, char *words,
			   size_t capacity)
{
	struct parts parts = split_text(diagnostic->noun, diagnostic->text);
	struct anim_diagnostic rest = *diagnostic;
	struct line line = {name, 0, name_capacity};

	name[0] = '\0';
	if (diagnostic->noun != NULL && parts.name != NULL && parts.words != diagnostic->text) {
		add_text(&line, "%.*s", (int)parts.name_size, parts.name);
		rest.text += parts.words - diagnostic->text;
		rest.noun = NULL;
	}
	anim_diagnostic_print(&rest, words, capacity);
	return rest.noun != diagnostic->noun;
}

void anim_diagnostic_scope(const struct anim_diagnostics *diagnostics, const struct anim_diagnostic *diagnostic,
			   char *out, size_t capacity)
{
	const struct anim_scope *scope = diagnostic->scope;
	struct line line = {out, 0, capacity};
	struct parts parts;

	out[0] = '\0';
	if (scope == NULL || diagnostic->files > 1)
		return;
	if (scope->file != NULL)
		add_text(&line, "%s", scope->file);
	if (diagnostic->clips > 1 || scope->clip == NULL || (scope->file == NULL && diagnostics->clips < 2))
		return;
	parts = split_text(diagnostic->noun, diagnostic->text);
	if (!is_named(parts.name, parts.name_size, scope->clip))
		add_text(&line, "%s'%s'", line.used > 0 ? ": " : "", scope->clip);
}

void anim_diagnostic_line(const struct anim_diagnostics *diagnostics, const struct anim_diagnostic *diagnostic,
			  const struct anim_advisor *advisor, char *out, size_t capacity)
{
	static const char *const kinds[] = {"note", "warning", NULL};
	struct anim_error place = {.at = diagnostic->place.at,
				   .line = diagnostic->place.line,
				   .column = diagnostic->place.column,
				   .offset = diagnostic->place.offset};
	char text[ANIM_LINE_MAX], advised[ANIM_LINE_MAX];

	if (diagnostic->place.file != NULL)
		anim_error_in_file(&place, diagnostic->place.file);
	else if (diagnostic->place.at == ANIM_AT_FILE)
		anim_diagnostic_scope(diagnostics, diagnostic, place.file, sizeof place.file);
	anim_diagnostic_print(diagnostic, text, sizeof text);
	anim_advice_print(advisor, text, advised, sizeof advised);
	anim_error_print(&place, kinds[diagnostic->severity], advised, out, capacity);
}

void anim_diagnostics_clear(struct anim_diagnostics *diagnostics)
{
	for (size_t i = 0; i < diagnostics->count; i++) {
		free(diagnostics->items[i].text);
		for (size_t k = 0; k < diagnostics->items[i].name_count; k++)
			free(diagnostics->items[i].names[k]);
		free((char *)diagnostics->items[i].place.file);
	}
	free(diagnostics->items);
	free(diagnostics->table);
	while (diagnostics->scopes != NULL) {
		struct anim_scope *before = diagnostics->scopes->before;

		free(diagnostics->scopes);
		diagnostics->scopes = before;
	}
	memset(diagnostics, 0, sizeof *diagnostics);
}
