/* reader.c: anim_animj_read: the document, its head and its tracks, which a store holds until the end. */
#include "format/animj/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/text.h"
#include "clip/resonite.h"

/* ---- Messages ---- */

/* Print "tracks[3].data.keyframes[7].value.x", or an empty text for the document itself. */
static void print_path(const struct anim_json *json, char *out)
{
	const struct animj_path *path = &((const struct animj_reader *)json)->path;
	int used = 0;

	out[0] = '\0';
	if (path->track >= 0)
		used = snprintf(out, ANIM_JSON_WHERE_MAX, "tracks[%lld]%s", (long long)path->track,
				path->in_data ? ".data" : "");
	if (json->element >= 0)
		used += snprintf(out + used, ANIM_JSON_WHERE_MAX - (size_t)used, ".keyframes[%lld]",
				 (long long)json->element);
	if (json->member != NULL)
		used +=
		    snprintf(out + used, ANIM_JSON_WHERE_MAX - (size_t)used, "%s%s", used > 0 ? "." : "", json->member);
	if (path->component != NULL)
		snprintf(out + used, ANIM_JSON_WHERE_MAX - (size_t)used, ".%s", path->component);
}

int animj_warn(struct animj_reader *reader, const struct anim_place *place, const char *noun, const char *format, ...)
{
	char message[sizeof reader->error->message];
	va_list args;

	va_start(args, format);
	anim_json_message(&reader->json, message, sizeof message, format, args);
	va_end(args);
	return anim_diagnostics_add(reader->options->diagnostics, ANIM_WARNING, place, noun, reader->error, "%s",
				    message);
}

int animj_warn_of_repetition(struct animj_reader *reader, const struct anim_place *place)
{
	return animj_warn(reader, place, "member", "repeated; the last one is used");
}

/* ---- Columns and names as a track of the model ---- */

#define RATE_MAX 1000u /* largest rate that an interval is recognised as */

static void reach(double *most_s, double to_s)
{
	*most_s = to_s > *most_s ? to_s : *most_s;
}

static int fill_raw(struct animj_reader *reader, struct anim_track *track, const struct anim_place *place)
{
	double interval_s = reader->head.interval_s;
	double whole = interval_s > 0 ? rint(1 / interval_s) : 0;
	/* the integer rate whose interval is the same float as this one */
	uint32_t rate =
	    whole >= 1 && whole <= RATE_MAX && (float)(1 / whole) == (float)interval_s ? (uint32_t)whole : 0;
	double last_s = track->n > 0 ? interval_s * (double)(track->n - 1) : 0;
	struct anim_clip *clip;

	track->interp = ANIM_LINEAR;
	track->rate_num = rate;
	track->rate_den = rate > 0;
	track->step_s = rate > 0 ? 0 : interval_s;
	if (rate > 0 && track->n > 0)
		last_s = (double)(track->n - 1) / rate;

	/* Use the rate of a Raw track as the rate of the clip, if all Raw tracks have the same one. */
	clip = &reader->clip;
	if (clip->rate_num == 0)
		clip->rate_num = rate;
	if (rate != clip->rate_num)
		reader->rates_differ = true;
	clip->rate_den = clip->rate_num != 0;
	if (!isfinite((float)last_s))
		return animj_refuse(reader, place, "samples beyond the largest time");
	reach(&reader->last_s, (double)(float)last_s);
	reach(&reader->inner_s, last_s - interval_s);
	if (interval_s > 0)
		return 0;
	return animj_warn(reader, place, "track", "Raw without interval: the samples have no times");
}

/* Return true if the segment after key k uses tangents. */
static bool uses_tangents(const struct anim_track *track, size_t k)
{
	return track->interps[k] == ANIM_TANGENT || track->interps[k] == ANIM_CUBIC_BEZIER;
}

static bool any_byte(const struct anim_buffer *bytes)
{
	for (size_t i = 0; i < bytes->size; i++)
		if (bytes->data[i] != 0)
			return true;
	return false;
}

/*
 * Set one mode for all keys if they agree, and the tangents if a mode uses them. Warn about missing tangents, and about
 * tangents that no mode uses.
 */
static int fill_curve(struct animj_reader *reader, struct anim_track *track, const struct anim_place *place)
{
	struct animj_columns *columns = &reader->columns;
	const uint8_t *interps = columns->interps.data, *given = columns->given.data;
	bool mixed = false, tangents = false;

	track->interps = interps;
	for (size_t k = 0; k < track->n; k++) {
		mixed |= interps[k] != interps[0];
		tangents |= uses_tangents(track, k);
	}
	if (!tangents &&
	    (columns->string_tangents || (columns->tangents && (any_byte(&columns->column[ANIMJ_LEFT]) ||
								any_byte(&columns->column[ANIMJ_RIGHT])))) &&
	    animj_warn(reader, place, "track", "tangents that no key uses (Hold and Linear have none) are dropped") !=
		0)
		return -1;
	/* A segment uses the right tangent of its first key and the left tangent of its second. */
	for (size_t k = 0; k + 1 < track->n; k++)
		for (size_t side = 0; side < 2 && uses_tangents(track, k); side++)
			if (!(given[k + side] & (side == 0 ? ANIMJ_HAS_RIGHT : ANIMJ_HAS_LEFT)) &&
			    animj_warn(reader, place, "key",
				       "no %sTangent; zeros are read" ANIM_DETAIL " (keyframes[%zu])",
				       side == 0 ? "right" : "left", k + side) != 0)
				return -1;
	if (tangents) {
		if (!columns->tangents &&
		    animj_begin_tangents(columns, anim_types[track->type].size, reader->error) != 0)
			return -1;
		track->left = columns->column[ANIMJ_LEFT].data;
		track->right = columns->column[ANIMJ_RIGHT].data;
	}
	track->interp = mixed ? ANIM_INTERP_COLUMN : track->n > 0 ? interps[0] : ANIM_LINEAR;
	if (!mixed)
		track->interps = NULL;
	return 0;
}

static int fill(struct animj_reader *reader, struct anim_track *track, const struct anim_place *place)
{
	const struct animj_track_head *head = &reader->head;
	const char *property = anim_resonite_property_read(head->property == NULL ? "" : head->property,
							   (enum anim_type)head->type, &reader->names, reader->error);

	const char *meant = anim_resonite_field_meant(head->property == NULL ? "" : head->property);
	const float *time;
	size_t falls = 0;
	float least = 0, most = 0;

	if (property == NULL)
		return -1;
	if (meant != NULL &&
	    animj_warn(reader, place, "property",
		       "does not bind, because upper and lower case differ" ANIM_DETAIL ": '%s' should be '%s'",
		       head->property, meant) != 0)
		return -1;
	*track = (struct anim_track){.kind = (enum anim_kind)head->kind,
				     .type = (enum anim_type)head->type,
				     .rules = ANIM_RULES_RESONITE,
				     .node = anim_resonite_node_read(head->node == NULL ? "" : head->node),
				     .property = property,
				     .component = ANIM_WHOLE,
				     .n = reader->columns.n};
	if (track->n == 0 && animj_warn(reader, place, "track", "no keys, which is said to crash Resonite") != 0)
		return -1;
	if (track->kind == ANIM_RAW)
		return fill_raw(reader, track, place);
	track->time = (const void *)reader->columns.column[ANIMJ_TIME].data;
	time = track->time;
	for (size_t i = 0; i < track->n; i++) {
		falls += i > 0 && time[i] < time[i - 1];
		least = time[i] < least ? time[i] : least;
		most = time[i] > most ? time[i] : most;
	}
	reach(&reader->last_s, (double)most);
	reach(&reader->key_s, (double)most);
	if (least < 0 && animj_warn(reader, place, "track", "keys before time 0, which Resonite refuses") != 0)
		return -1;
	if (falls != 0) {
		track->flags |= ANIM_UNSORTED;
		if (animj_warn(reader, place, "track", "keys are not sorted by time") != 0)
			return -1;
	}
	return track->kind == ANIM_CURVE ? fill_curve(reader, track, place) : 0;
}

/* ---- One track: its two types and its data, in any order ---- */

#define DEPTH_OF_DATA 3u /* document, tracks, track */

/* Remove blanks at both ends, because .NET's Enum.Parse accepts them around names and numbers. */
static const char *trim(char *text)
{
	size_t length;

	text += strspn(text, " \t\r\n");
	length = strlen(text);
	while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
		text[--length] = '\0';
	return text;
}

static int read_kind(struct animj_reader *reader)
{
	static const char *const names[] = {"Raw", "Discrete", "Curve", "Bezier"};
	struct anim_place place = anim_json_here(&reader->json);
	bool is_null;
	char shown[40];
	const char *word;
	int kind = -1;

	if (anim_json_read_string(&reader->json, &reader->json.name, &is_null, "a string", reader->error) != 0)
		return -1;
	word = is_null ? "null" : trim((char *)reader->json.name.data);
	for (int i = 0; i < 4; i++)
		if (strcmp(word, names[i]) == 0 || (word[0] == '0' + i && word[1] == '\0'))
			kind = i;
	anim_text_safe(shown, sizeof shown, word, strlen(word));
	if (kind < 0)
		return animj_refuse(reader, &place, "unknown track type '%s'; use Raw, Discrete or Curve", shown);
	reader->head.kind = kind > ANIM_CURVE ? ANIM_CURVE : kind;
	if (kind <= ANIM_CURVE)
		return 0;
	return animj_warn(reader, &place, "track", "Bezier, which Resonite refuses, is read as Curve");
}

/* Return the type whose name differs only in upper and lower case, or NULL if no type matches. */
static const char *almost_type(const char *name)
{
	for (int i = 0; i < ANIM_TYPE_COUNT; i++)
		if (strcasecmp(anim_types[i].name, name) == 0)
			return anim_types[i].name;
	return NULL;
}

static int read_type(struct animj_reader *reader)
{
	struct anim_place place = anim_json_here(&reader->json);
	const char *name;
	bool is_null;

	if (anim_json_read_string(&reader->json, &reader->json.name, &is_null, "a string", reader->error) != 0)
		return -1;
	name = is_null ? "null" : (const char *)reader->json.name.data;
	reader->head.type = anim_type_find(name, strlen(name));
	if (reader->head.type >= 0 && anim_types[reader->head.type].matrix)
		return animj_refuse(reader, &place, "AnimJ does not support matrices (%s); AnimX does", name);
	if (reader->head.type >= 0)
		return 0;
	if (strcmp(name, "colorX") != 0) {
		static const char *const others[] = {"char", "DateTime", "TimeSpan", "decimal"};
		char shown[40];

		anim_text_safe(shown, sizeof shown, name, strlen(name));
		for (size_t i = 0; i < ANIM_COUNT(others); i++)
			if (strcmp(name, others[i]) == 0)
				return animj_refuse(reader, &place, "value type %s cannot be animated", name);
		if (almost_type(name) != NULL)
			return animj_refuse(reader, &place, "unknown value type '%s'; use %s", shown,
					    almost_type(name));
		return animj_refuse(reader, &place, "unknown value type '%s' (enums are not supported)", shown);
	}
	reader->head.type = ANIM_COLOR;
	return animj_warn(reader, &place, "track",
			  "colorX, which cannot be animated, is read as color, without its profile");
}

/* Read a name into the arena; NULL for null. */
static int read_name(struct animj_reader *reader, struct anim_arena *arena, char **name)
{
	struct anim_place place = anim_json_here(&reader->json);
	bool is_null;

	*name = NULL;
	if (anim_json_read_string(&reader->json, &reader->json.name, &is_null, "a string", reader->error) != 0)
		return -1;
	if (is_null)
		return 0;
	if (reader->json.name.size > ANIM_NAME_MAX)
		return animj_refuse(reader, &place, "a name of %zu bytes, at most %u are allowed",
				    reader->json.name.size, ANIM_NAME_MAX);
	*name = anim_arena_text(arena, (const char *)reader->json.name.data, reader->json.name.size, reader->error);
	return *name == NULL ? -1 : 0;
}

/*
 * Return the index of the member name just read in the NULL-terminated array `names`, or -1. The path then includes the
 * member.
 */
static int find_member(struct animj_reader *reader, const char *const *names)
{
	for (int i = 0; names[i] != NULL; i++)
		if (strcmp((const char *)reader->json.name.data, names[i]) == 0) {
			reader->json.member = names[i];
			return i;
		}
	anim_json_name_member(&reader->json, reader->json.name.data, reader->json.name.size);
	return -1;
}

/* Read the object `data`. Its types are known. */
static int read_data(struct animj_reader *reader)
{
	enum { DATA_NODE, DATA_PROPERTY, DATA_KEYFRAMES, DATA_INTERVAL };
	static const char *const names[] = {"node", "property", "keyframes", "interval", NULL};
	bool first = true;
	unsigned seen = 0;
	int more;

	if (anim_json_expect(&reader->json, '{', "an object", reader->error) != 0)
		return -1;
	reader->path.in_data = true;
	while (reader->json.member = NULL, (more = anim_json_next_member(&reader->json, &first, reader->error)) == 1) {
		int member = find_member(reader, names), result;
		struct anim_place place = anim_json_here(&reader->json);

		/* Only Raw tracks have an interval. */
		if (member < 0 || (member == DATA_INTERVAL && reader->head.kind != ANIM_RAW))
			result = anim_json_skip(&reader->json, ANIMJ_DEPTH_OF_KEYS - 1, reader->error);
		else if ((seen & 1u << member) && animj_warn_of_repetition(reader, &place) != 0)
			return -1;
		else if (member == DATA_KEYFRAMES)
			result = animj_read_keyframes(reader);
		else if (member == DATA_INTERVAL) {
			double *interval_s = &reader->head.interval_s;

			result = anim_json_read_number(&reader->json, interval_s, "a number of seconds", reader->error);
			if (result == 0 && *interval_s < 0)
				return animj_refuse(reader, &place, "a negative interval");
			/* Resonite stores it as a float. */
			*interval_s = (double)(float)*interval_s;
			if (result == 0 && isinf(*interval_s))
				return animj_refuse(reader, &place, "an interval beyond the largest float");
		} else {
			result = read_name(reader, &reader->names,
					   member == DATA_NODE ? &reader->head.node : &reader->head.property);
		}
		if (result != 0)
			return -1;
		seen |= member < 0 ? 0 : 1u << member;
	}
	reader->path.in_data = false;
	return more;
}

/* Read data that was kept until its types were known. */
static int read_held(struct animj_reader *reader, const struct anim_place *place)
{
	struct anim_json_text *outer = reader->json.text, text;
	struct anim_input *input;
	int result;

	if (anim_input_open_memory(&input, reader->held.data, reader->held.size, place->file, reader->error) != 0)
		return -1;
	anim_json_text_init(&text, input, place);
	reader->json.text = &text;
	result = read_data(reader);
	reader->json.text = outer;
	anim_input_close(input);
	anim_buffer_clear(&reader->held);
	return result;
}

/* The members of a track. Resonite requires exactly these, in this order. */
enum { TRACK_KIND, TRACK_TYPE, TRACK_DATA, TRACK_MEMBERS };
static const char *const track_members[] = {"trackType", "valueType", "data", NULL};

/* Keep the text of `data`, because the types come after it. */
static int hold_data(struct animj_reader *reader)
{
	size_t capitals = 0;
	struct anim_place place;
	int cut;

	if (anim_json_blank(reader->json.text, reader->error) != '{')
		return anim_json_unexpected_here(&reader->json, "an object", reader->error);
	place = anim_json_here(&reader->json);
	cut = anim_json_read_text(reader->json.text, &reader->held, DEPTH_OF_DATA, &capitals, reader->error);
	if (cut == ANIM_JSON_DEEP)
		return anim_json_explain(&reader->json, reader->held.data, reader->held.size, &place, DEPTH_OF_DATA,
					 reader->error);
	return cut == ANIM_JSON_CUT ? anim_json_unexpected_here(&reader->json, "'}'", reader->error) : cut;
}

static int read_track(struct animj_reader *reader)
{
	struct anim_place place = anim_json_here(&reader->json), held_at = place;
	unsigned seen = 0;
	int next = 0; /* the member that should come next */
	bool first = true, in_order = true, held = false;
	int more;
	struct anim_strings strings;
	struct anim_track track;

	reader->head = (struct animj_track_head){.kind = -1, .type = -1};
	anim_arena_reset(&reader->names);
	animj_columns_reset(&reader->columns);
	if (anim_json_expect(&reader->json, '{', "a track, an object,", reader->error) != 0)
		return -1;
	while (reader->json.member = NULL, (more = anim_json_next_member(&reader->json, &first, reader->error)) == 1) {
		int member = find_member(reader, track_members), result;
		struct anim_place member_at = anim_json_here(&reader->json);

		in_order = in_order && member == next++;
		if (member >= 0 && (seen & 1u << member))
			return animj_refuse(reader, &member_at, "repeated member");
		seen |= member < 0 ? 0 : 1u << member;
		if (member < 0) {
			result = anim_json_skip(&reader->json, DEPTH_OF_DATA, reader->error);
		} else if (member == TRACK_KIND) {
			result = read_kind(reader);
		} else if (member == TRACK_TYPE) {
			result = read_type(reader);
		} else {
			held = reader->head.kind < 0 || reader->head.type < 0;
			held_at = member_at;
			result = held ? hold_data(reader) : read_data(reader);
		}
		if (result != 0)
			return -1;
	}
	if (more < 0)
		return -1;
	reader->json.member = NULL;
	for (int i = 0; i < TRACK_MEMBERS; i++)
		if (!(seen & 1u << i))
			return animj_refuse(reader, &place, "a track without %s", track_members[i]);
	if (!in_order && animj_warn(reader, &place, "track",
				    "Resonite refuses the order of members: it requires exactly trackType, valueType "
				    "and data, in this order") != 0)
		return -1;
	reader->json.member = "data";
	if (held && read_held(reader, &held_at) != 0)
		return -1;
	reader->json.member = NULL;
	if (fill(reader, &track, &place) != 0)
		return -1;
	anim_texts_view(&reader->columns.texts, &strings);
	if (track.type == ANIM_STRING)
		track.strings = &strings;
	else
		track.value = reader->columns.column[ANIMJ_VALUE].data;
	return anim_sink_track(anim_store_sink(reader->store), &track, reader->error);
}

/* ---- The document ---- */

static const char *const members[] = {"name", "globalDuration", "tracks", NULL};
enum { MEMBER_NAME, MEMBER_DURATION, MEMBER_TRACKS };

bool anim_animj_is(const uint8_t *bytes, size_t size)
{
	size_t at = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	while (at < size && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n'))
		at++;
	return at < size && bytes[at] == '{' &&
	       (anim_text_find(bytes, size, "\"globalDuration\"") != NULL ||
		anim_text_find(bytes, size, "\"trackType\"") != NULL);
}

/* Begin the clip in the store. If `tracks` is repeated, the last one is used, so an earlier clip is dropped. */
static int begin_clip(struct animj_reader *reader)
{
	static const struct anim_clip head = {.axes = ANIM_AXES_RESONITE, .name = "", .root = ".", .source = "animj"};

	if (anim_store_clips(reader->store) > 0)
		anim_store_drop_last(reader->store);
	reader->last_s = reader->key_s = reader->inner_s = 0;
	reader->clip = head;
	reader->rates_differ = false;
	return anim_sink_clip(anim_store_sink(reader->store), &head, reader->error);
}

static int read_member(struct animj_reader *reader, unsigned *seen)
{
	struct anim_place place = anim_json_here(&reader->json);
	const char *name = (const char *)reader->json.name.data;
	int member = find_member(reader, members);

	for (int i = 0; members[i] != NULL && member < 0; i++)
		if (strcasecmp(members[i], name) == 0 &&
		    animj_warn(reader, &place, NULL, "unknown member, ignored; the correct spelling is %s",
			       members[i]) != 0)
			return -1;
	if (member < 0) {
		reader->has_track_members |= anim_text_is_one_of(name, track_members, TRACK_MEMBERS);
		return anim_json_skip(&reader->json, 1, reader->error);
	}
	if ((*seen & 1u << member) && animj_warn_of_repetition(reader, &place) != 0)
		return -1;
	*seen |= 1u << member;
	if (member == MEMBER_NAME) {
		/* An empty name counts as missing. */
		if (read_name(reader, &reader->kept, &reader->clip_name) != 0)
			return -1;
		if (reader->clip_name != NULL && reader->clip_name[0] == '\0')
			reader->clip_name = NULL;
		return 0;
	}
	if (member == MEMBER_TRACKS) {
		int more = anim_json_read_null(&reader->json, reader->error);
		bool first = true;

		if (more < 0 || begin_clip(reader) != 0)
			return -1;
		if (more == 1)
			return 0;
		if (anim_json_expect(&reader->json, '[', "an array of tracks", reader->error) != 0)
			return -1;
		reader->json.member = NULL;
		reader->path.track = -1;
		while ((more = anim_json_next_element(&reader->json, &first, reader->error)) == 1) {
			reader->path.track++;
			if (read_track(reader) != 0)
				return -1;
		}
		if (more == 0)
			reader->path.track = -1;
		return more;
	}
	if (anim_json_read_number(&reader->json, &reader->duration_s, "a number of seconds", reader->error) != 0)
		return -1;
	/* Resonite stores it as a float. The times that are compared with it are also floats. */
	reader->duration_s = (double)(float)reader->duration_s;
	if (reader->duration_s >= 0)
		return 0;
	return animj_warn(reader, &place, NULL, "negative; the clip ends at its last key");
}

static int read_document(struct animj_reader *reader)
{
	ssize_t got = anim_json_more(reader->json.text, 3, reader->error);
	bool first = true;
	unsigned seen = 0;
	struct anim_place place;
	int more, byte;

	/* Skip a byte order mark, as the engine's own reader of streams does. */
	if (got < 0)
		return -1;
	if (got >= 3 && memcmp(reader->json.text->at, "\xef\xbb\xbf", 3) == 0)
		reader->json.text->at += 3;
	/* If there are tracks without a document, the message says how to make one. */
	if (anim_json_blank(reader->json.text, reader->error) == '[') {
		place = anim_json_here(&reader->json);
		return animj_refuse(
		    reader, &place,
		    "the document is an array; if it contains tracks, put {\"tracks\": and } around it");
	}
	if (anim_json_expect(&reader->json, '{', "an object", reader->error) != 0)
		return -1;
	place = anim_json_here(&reader->json);
	place.column--; /* the place of the bracket */
	while (reader->json.member = NULL, (more = anim_json_next_member(&reader->json, &first, reader->error)) == 1)
		if (read_member(reader, &seen) != 0)
			return -1;
	if (more < 0)
		return -1;
	if (reader->has_track_members && !(seen & 1u << MEMBER_TRACKS))
		return animj_refuse(reader, &place,
				    "the document is a single track; put {\"tracks\": [ and ]} around it");
	byte = anim_json_blank(reader->json.text, reader->error);
	place = anim_json_here(&reader->json);
	if (byte != ANIM_JSON_END)
		return byte == ANIM_JSON_ERROR ? -1
					       : animj_refuse(reader, &place, "text after the end of the document");
	if (anim_store_clips(reader->store) == 0 && begin_clip(reader) != 0)
		return -1;
	if (anim_store_tracks(reader->store, 0) > 0)
		return 0;
	return animj_warn(reader, &place, NULL, "no tracks in this file");
}

/* Pass on the clip, which is now complete, with its tracks. */
static int replay_clip(struct animj_reader *reader, struct anim_sink *sink)
{
	struct anim_clip *clip = &reader->clip;
	double end_s = reader->duration_s;
	/* The last sample of a Raw track may be after the end, because it only ends the last segment. */
	bool covered = end_s >= reader->key_s && (end_s >= reader->last_s || end_s > reader->inner_s);
	bool derived = end_s < 0 || !covered;

	clip->end_s = (float)(derived ? reader->last_s : end_s);
	clip->flags = derived ? ANIM_END_DERIVED : 0;
	clip->name = reader->clip_name;
	if (clip->name == NULL)
		clip->name = anim_read_base_name(anim_read_source_file(reader->options, reader->json.text->input),
						 &reader->kept, reader->error);
	if (clip->name == NULL)
		return -1;
	if (reader->rates_differ)
		clip->rate_num = clip->rate_den = 0;
	return anim_store_replay(reader->store, 0, clip, sink, reader->error);
}

int animj_read(struct anim_input *input, const struct anim_read_options *options, bool templates,
	       struct anim_sink *sink, struct anim_error *error)
{
	struct animj_reader reader = {
	    .options = options,
	    .error = error,
	    .path = {.track = -1},
	    .json = {.where = print_path, .depth = ANIMJ_DEPTH_OF_KEYS, .what = "a key", .element = -1},
	    .templates = {.off = !templates},
	    .duration_s = -1};
	struct anim_json_text text;
	int result = -1;

	anim_json_text_init(&text, input, NULL);
	reader.json.text = &text;
	reader.store = anim_store_new(options->store_memory, error);
	if (reader.store != NULL)
		result = read_document(&reader);
	if (result != 0)
		anim_error_in_file(error, anim_input_name(input));
	if (result == 0)
		result = replay_clip(&reader, sink);
	anim_store_free(reader.store);
	anim_json_clear(&reader.json);
	for (int i = 0; i < ANIMJ_COLUMN_COUNT; i++)
		anim_buffer_clear(&reader.columns.column[i]);
	anim_buffer_clear(&reader.columns.interps);
	anim_buffer_clear(&reader.columns.given);
	anim_texts_clear(&reader.columns.texts);
	anim_buffer_clear(&reader.held);
	anim_arena_clear(&reader.kept);
	anim_arena_clear(&reader.names);
	return result;
}

int anim_animj_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		    struct anim_error *error)
{
	return animj_read(input, options, true, sink, error);
}
