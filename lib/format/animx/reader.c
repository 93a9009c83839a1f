/* reader.c: anim_animx_read: the body, the header, then the tracks into a store, then the clip into the sink. */
#include "base/advice.h"
#include "format/animx/animx.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/resonite.h"
#include "format/animx/codec.h"
#include "stream/store.h"

/* The half of Curve keys that comes first, as far as it is known. */
enum animx_order { ANIMX_UNKNOWN_ORDER, ANIMX_TIME_FIRST, ANIMX_VALUE_FIRST };

/* The current track. The buffers are reused. */
struct animx_columns {
	struct anim_buffer pairs, time, value, left, right, interps;
	struct anim_texts texts;
	struct anim_strings strings; /* view of `texts`, once complete */
};

struct animx_reader {
	struct animx_body body;
	const struct anim_read_options *options;
	struct anim_store *store;
	struct anim_arena kept;         /* of the clip */
	struct anim_arena names;        /* of the current track */
	struct anim_buffer ambiguities; /* one byte per track: 1 if read time first, but value first is possible */
	struct animx_columns columns;
	uint32_t version;
	enum animx_order order;
	float duration_s;      /* from the file's head */
	uint64_t tracks;       /* from the file's head */
	const char *clip_name; /* in `kept` */
	enum anim_animx_encoding encoding;
	bool forced;             /* the user has set `order` */
	bool marked;             /* the current track has the mark of our writer: a mode per key, all the same */
	bool ambiguous;          /* there is a 1 in `ambiguities` */
	float duration_end_s[2]; /* the latest key of the ambiguous tracks, if time or value comes first */
	float same_end_s[2];     /* the end of the first of them */
	bool ends_differ[2];     /* other ambiguous tracks end at a different time */
	size_t ambiguous_count;
	/* the end of all tracks, if the ambiguous ones are read time first or value first */
	float time_first_s, value_first_s;
};

/* ---- The body in pieces, and again from a mark ---- */

enum mark { MARK_HERE, MARK_AGAIN, MARK_DROP };

#define CHUNK ((size_t)256 << 10) /* bytes by which a block grows if its size is not verified */

static void body_init(struct animx_body *body, struct anim_input *input, struct anim_error *error)
{
	*body = (struct animx_body){.input = input, .error = error};
}

static void body_clear(struct animx_body *body)
{
	if (body->codec != NULL)
		body->codec->free(body->state);
	anim_buffer_clear(&body->kept);
	anim_buffer_clear(&body->replay);
}

/* Return the place of the byte at `offset`, for a message. */
static struct anim_place body_place(const struct animx_body *body, uint64_t offset)
{
	return (struct anim_place){.file = anim_input_name(body->input),
				   .at = ANIM_AT_BYTE,
				   .offset = body->codec == NULL ? offset : body->base};
}

/* Fail with such a place. Returns -1. */
__attribute__((format(printf, 3, 4))) static int body_fail(const struct animx_body *body, uint64_t offset,
							   const char *format, ...)
{
	struct anim_place place = body_place(body, offset);
	size_t length;
	va_list args;

	va_start(args, format);
	anim_fail_va(body->error, ANIM_BAD_INPUT, &place, format, args);
	va_end(args);
	if (body->error == NULL || body->codec == NULL)
		return -1;
	length = strlen(body->error->message);
	snprintf(body->error->message + length, sizeof body->error->message - length,
		 " (byte %llu of the inflated body)", (unsigned long long)offset);
	return -1;
}

/* Return 1 if there are bytes left, 0 at the end of the body, or -1. */
static int body_more(struct animx_body *body)
{
	if (body->left > 0)
		return 1;

	/* Get the next window. */
	if (!body->replaying)
		return animx_body_fill(body);
	body->replaying = false;
	body->at = body->next;
	body->left = body->next_size;
	return body->left > 0 ? 1 : animx_body_fill(body);
}

/* Copy `size` bytes. Returns 0, or -1 if there are fewer. */
static int body_read(struct animx_body *body, void *to, size_t size)
{
	uint8_t *out = to;

	while (size > 0) {
		int more = body_more(body);
		size_t part = size < body->left ? size : body->left;

		if (more <= 0)
			return more < 0 ? -1 : body_fail(body, body->offset, "the file is cut");
		if (body->marking && anim_buffer_append(&body->kept, body->at, part, body->error) != 0)
			return -1;
		memcpy(out, body->at, part);
		body->at += part;
		body->left -= part;
		body->offset += part;
		out += part;
		size -= part;
	}
	return 0;
}

/*
 * Read count * each bytes into the buffer, which is emptied first. The buffer grows as bytes arrive. It grows at once
 * if the file is known to contain them. Returns 0 or -1.
 */
static int body_block(struct animx_body *body, struct anim_buffer *to, size_t count, size_t each)
{
	uint64_t file_size = anim_input_source_bytes(body->input);
	/* the number of bytes that the file still contains is not known if it is packed or a pipe */
	bool known = body->codec == NULL && !body->replaying && file_size != 0 && !anim_input_was_gzip(body->input);
	size_t size;

	to->size = 0;
	if (anim_size_multiply(count, each, &size, body->error) != 0)
		return -1;
	if (known && size <= (file_size > body->offset ? file_size - body->offset : 0) &&
	    anim_buffer_reserve(to, size, body->error) != 0)
		return -1;
	while (size > 0) {
		size_t part = size < CHUNK ? size : CHUNK;
		void *at = anim_buffer_extend(to, part, body->error);

		if (at == NULL || body_read(body, at, part) != 0)
			return -1;
		size -= part;
	}
	return 0;
}

static int body_varint(struct animx_body *body, uint64_t *value)
{
	uint8_t bytes[ANIMX_VARINT_MAX] = {0};
	uint64_t offset = body->offset;
	size_t size = 0, used = 0;

	while (used == 0 && size < ANIMX_VARINT_MAX) {
		if (body_read(body, &bytes[size++], 1) != 0)
			return -1;
		used = animx_parse_varint(bytes, size, value);
	}
	return used <= ANIMX_VARINT_MAX && used > 0 ? 0 : body_fail(body, offset, "a number of more than 64 bits");
}

/* Append a string of at most `limit` bytes (UTF-8 without NUL), and set *length. Returns 0 or -1. */
static int body_text(struct animx_body *body, size_t limit, struct anim_buffer *to, uint32_t *length)
{
	uint64_t offset = body->offset, size, left;
	size_t start = to->size;

	if (body_varint(body, &size) != 0)
		return -1;
	if (size > limit)
		return body_fail(body, offset, "a text of %llu bytes, at most %zu are allowed",
				 (unsigned long long)size, limit);
	for (left = size; left > 0;) {
		size_t part = left < CHUNK ? (size_t)left : CHUNK;
		void *at = anim_buffer_extend(to, part, body->error);

		if (at == NULL || body_read(body, at, part) != 0)
			return -1;
		left -= part;
	}
	*length = (uint32_t)size;
	if (size > 0 && anim_utf8_prefix(to->data + start, (size_t)size) != size)
		return body_fail(body, offset, "a text that is not UTF-8 or holds a NUL");
	return 0;
}

/*
 * Set a mark (HERE), return to it (AGAIN), or remove it (DROP). Bytes read after the mark are kept until it is removed,
 * so they can be read again any number of times. Returns 0 or -1.
 */
static int body_mark(struct animx_body *body, enum mark what)
{
	if (what == MARK_AGAIN) {
		struct anim_buffer again = body->kept;

		if (body->replaying && anim_buffer_append(&again, body->at, body->left, body->error) != 0) {
			body->kept = again;
			return -1;
		}
		if (!body->replaying) {
			body->next = body->at;
			body->next_size = body->left;
		}
		body->kept = body->replay;
		body->kept.size = 0;
		body->replay = again;
		body->at = again.data;
		body->left = again.size;
		body->replaying = true;
		body->offset = body->marked;
		return 0;
	}
	body->marking = what == MARK_HERE;
	body->marked = body->offset;
	anim_buffer_clear(&body->kept);
	return 0;
}

/* ---- Messages and columns ---- */

/* Warn about the track, at a byte of the body. `noun` is the same as for anim_diagnostics_add. Returns 0 or -1. */
__attribute__((format(printf, 4, 5))) static int warn(struct animx_reader *reader, uint64_t offset, const char *noun,
						      const char *format, ...)
{
	struct anim_place place = body_place(&reader->body, offset);
	char text[sizeof reader->body.error->message];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return anim_diagnostics_add(reader->options->diagnostics, ANIM_WARNING, &place, noun, reader->body.error, "%s",
				    text);
}

/* Set the size to n elements of `size` bytes, without setting their values. Returns 0 or -1. */
static int resize(struct anim_buffer *buffer, size_t n, size_t size, struct anim_error *error)
{
	size_t bytes;

	buffer->size = 0;
	if (anim_size_multiply(n, size, &bytes, error) != 0 || anim_buffer_reserve(buffer, bytes | 1, error) != 0)
		return -1;
	buffer->size = bytes;
	return 0;
}

/* ---- Strings, which may be null, and keys of strings in either order ---- */

static int read_string(struct animx_body *body, struct anim_texts *texts)
{
	uint64_t offset = body->offset;
	size_t start = texts->bytes.size;
	uint32_t length;
	uint8_t present;

	if (body_read(body, &present, 1) != 0)
		return -1;
	if (present > 1)
		return body_fail(body, offset, "a string begins with %u instead of 1 (a string) or 0 (null)", present);
	if (present == 0)
		return anim_texts_add_null(texts, body->error);
	if (body_text(body, ANIM_TEXT_MAX, &texts->bytes, &length) != 0)
		return -1;
	return anim_texts_close(texts, start, body->error);
}

static int read_time(struct animx_body *body, struct anim_buffer *times)
{
	float time;

	if (body_read(body, &time, sizeof time) != 0)
		return -1;
	return anim_buffer_append(times, &time, sizeof time, body->error);
}

static int read_strings(struct animx_body *body, size_t n, enum animx_order order, struct animx_columns *columns)
{
	columns->time.size = 0;
	anim_texts_reset(&columns->texts);
	for (size_t k = 0; k < n; k++) {
		if (order == ANIMX_TIME_FIRST && read_time(body, &columns->time) != 0)
			return -1;
		if (read_string(body, &columns->texts) != 0)
			return -1;
		if (order == ANIMX_VALUE_FIRST && read_time(body, &columns->time) != 0)
			return -1;
	}
	anim_texts_view(&columns->texts, &columns->strings);
	return 0;
}

/*
 * Read from the mark in one order. Returns 1 if the order is possible, 0 if it is not, or -1 if reading failed for
 * another reason.
 */
static int try_order(struct animx_reader *reader, size_t n, enum animx_order order)
{
	int result;

	if (body_mark(&reader->body, MARK_AGAIN) != 0)
		return -1;
	result = read_strings(&reader->body, n, order, &reader->columns);
	if (result == 0)
		return animx_are_times(reader->columns.time.data, n, sizeof(float));
	return reader->body.error->code == ANIM_BAD_INPUT ? 0 : -1;
}

/* The result of reading in one order. */
struct order_trial {
	int fits; /* the result of try_order */
	bool likely;
	uint64_t end; /* of the keys, in the body */
	float last_s;
};

static struct order_trial try_it(struct animx_reader *reader, size_t n, enum animx_order order)
{
	struct order_trial trial = {.fits = try_order(reader, n, order), .end = reader->body.offset};
	const uint8_t *times = reader->columns.time.data;

	if (trial.fits == 1) {
		trial.likely = animx_are_likely_times(times, n, sizeof(float));
		memcpy(&trial.last_s, times + (n - 1) * sizeof(float), sizeof(float));
	}
	return trial;
}

/*
 * Choose between two orders that are both possible: the order of the file if it is known, otherwise the more likely
 * one. If neither is more likely, time comes first if the keys end at different bytes, because the position of all
 * later bytes depends on it. The keys of a marked track have their time first.
 */
static void choose(const struct animx_reader *reader, const struct order_trial *first, const struct order_trial *second,
		   bool *time_first, bool *value_first)
{
	if (reader->order != ANIMX_UNKNOWN_ORDER) {
		*time_first = reader->order == ANIMX_TIME_FIRST;
		*value_first = !*time_first;
	} else if (reader->marked) {
		*value_first = false;
	} else if (first->likely != second->likely) {
		*time_first = first->likely;
		*value_first = second->likely;
	} else {
		*value_first = first->end == second->end;
	}
}

/* Read the keys in the chosen order. Neither order is set if none is possible. Returns 0 or -1. */
static int try_orders(struct animx_reader *reader, size_t n, bool *time_first, bool *value_first, float *other_end_s)
{
	struct order_trial second = try_it(reader, n, ANIMX_VALUE_FIRST), first;

	if (second.fits < 0)
		return -1;
	memset(reader->body.error, 0, sizeof *reader->body.error);
	first = try_it(reader, n, ANIMX_TIME_FIRST);
	if (first.fits < 0)
		return -1;
	*time_first = first.fits == 1;
	*value_first = second.fits == 1;
	*other_end_s = second.last_s;
	if (*time_first && *value_first)
		choose(reader, &first, &second, time_first, value_first);
	if (*time_first)
		return 0;
	if (*value_first)
		return try_order(reader, n, ANIMX_VALUE_FIRST) == 1 ? 0 : -1;
	return reader->body.error->code != ANIM_OK ? -1 : 0;
}

static int read_string_keys(struct animx_reader *reader, size_t n, bool *time_first, bool *value_first,
			    float *other_end_s)
{
	struct anim_error *error = reader->body.error, found = {0};
	int result;

	(void)body_mark(&reader->body, MARK_HERE);
	reader->body.error = &found;
	result = try_orders(reader, n, time_first, value_first, other_end_s);
	reader->body.error = error;
	(void)body_mark(&reader->body, MARK_DROP);
	if (result != 0 && error != NULL)
		*error = found;
	return result;
}

static int swap_strings(struct animx_reader *reader, const struct anim_track *track)
{
	struct anim_buffer *bytes = &reader->columns.pairs;
	struct anim_input *input = NULL;
	struct animx_body body;
	int result;

	bytes->size = 0;

	/* Write the strings in the form of a file, each after its time. */
	for (size_t k = 0; k < track->n; k++) {
		uint32_t length = track->strings->length[k];
		bool present = length != ANIM_NULL_STRING;
		uint8_t head[1 + ANIMX_VARINT_MAX] = {present};
		size_t size = 1 + (present ? animx_put_varint(head + 1, length) : 0);
		if (anim_buffer_append(bytes, &track->time[k], sizeof *track->time, reader->body.error) != 0 ||
		    anim_buffer_append(bytes, head, size, reader->body.error) != 0)
			return -1;
		if (present && length > 0 &&
		    anim_buffer_append(bytes, track->strings->bytes + track->strings->start[k], length,
				       reader->body.error) != 0)
			return -1;
	}
	if (anim_input_open_memory(&input, bytes->data, bytes->size, anim_input_name(reader->body.input),
				   reader->body.error) != 0)
		return -1;
	body_init(&body, input, reader->body.error);
	result = read_strings(&body, track->n, ANIMX_VALUE_FIRST, &reader->columns);
	body_clear(&body);
	anim_input_close(input);
	return result;
}

/* ---- Samples, keys and tangents, and the half of Curve keys that comes first ---- */

/*
 * Convert bytes of a bool type to Resonite's reading of them. For bool, any byte except 0 is true. For bool2 to bool4,
 * bits above the components are ignored. Returns true if a byte changed. Other types stay unchanged.
 */
static bool clean_bools(enum anim_type type, uint8_t *column, size_t n)
{
	unsigned mask = (1u << anim_types[type].components) - 1;

	if (animx_are_bools(type, column, n, 1))
		return false;
	for (size_t k = 0; k < n; k++)
		column[k] = (uint8_t)(type == ANIM_BOOL ? column[k] != 0 : column[k] & mask);
	return true;
}

static int warn_of_bools(struct animx_reader *reader, const struct anim_track *track, uint64_t offset)
{
	return warn(reader, offset, "track", "'%s': bools other than 0 and 1 are read like in Resonite",
		    anim_types[track->type].name);
}

/* Set the value column of the track from the buffer, with bools converted to 0 and 1. */
static int set_values(struct animx_reader *reader, struct anim_track *track, uint64_t offset)
{
	struct animx_columns *columns = &reader->columns;

	track->value = columns->value.data;
	if (clean_bools(track->type, columns->value.data, track->n))
		return warn_of_bools(reader, track, offset);
	return 0;
}

/* Split the pairs into columns. Returns 0 or -1. */
static int split_keys(struct animx_columns *columns, struct anim_track *track, enum animx_order order,
		      struct anim_error *error)
{
	size_t size = anim_types[track->type].size;

	if (resize(&columns->time, track->n, sizeof(float), error) != 0 ||
	    resize(&columns->value, track->n, size, error) != 0)
		return -1;
	if (order == ANIMX_VALUE_FIRST)
		animx_split(columns->pairs.data, track->n, size, sizeof(float), columns->value.data,
			    columns->time.data);
	else
		animx_split(columns->pairs.data, track->n, sizeof(float), size, columns->time.data,
			    columns->value.data);
	track->time = (const float *)(const void *)columns->time.data;
	track->value = columns->value.data;
	return 0;
}

/*
 * Find the orders that give valid times. If both do, likely times and clean bools decide. Bools that will be changed
 * cannot be read in the other order later, so their order is not left open.
 */
static void find_orders(const struct animx_reader *reader, const struct anim_track *track, bool *time_first,
			bool *value_first)
{
	const uint8_t *pairs = reader->columns.pairs.data;
	size_t n = track->n, size = anim_types[track->type].size, stride = size + sizeof(float);
	bool could_be_first = animx_are_times(pairs, n, stride), could_be_last;

	if (reader->order != ANIMX_UNKNOWN_ORDER || (reader->marked && could_be_first)) {
		could_be_last = n > 0 && animx_are_times(pairs + size, n, stride);
		*time_first = could_be_first && (reader->order != ANIMX_VALUE_FIRST || !could_be_last);
		*value_first = could_be_last && !*time_first;
		return;
	}
	animx_key_orders(track->type, pairs, n, time_first, value_first);
	if (*time_first && !(animx_are_bools(track->type, pairs + sizeof(float), n, stride) &&
			     animx_are_bools(track->type, pairs, n, stride)))
		*value_first = false;
}

static int read_fixed_keys(struct animx_reader *reader, struct anim_track *track, bool *time_first, bool *value_first,
			   float *other_end_s)
{
	struct animx_columns *columns = &reader->columns;
	size_t size = anim_types[track->type].size, stride = size + sizeof(float);
	bool curve = track->kind == ANIM_CURVE;

	if (body_block(&reader->body, &columns->pairs, track->n, stride) != 0)
		return -1;
	if (curve)
		find_orders(reader, track, time_first, value_first);
	if (*value_first)
		memcpy(other_end_s, columns->pairs.data + (track->n - 1) * stride + size, sizeof(float));
	return split_keys(columns, track, !curve || *time_first ? ANIMX_TIME_FIRST : ANIMX_VALUE_FIRST,
			  reader->body.error);
}

/* Check the times. Discrete keys may be unsorted and before 0: they are kept, with a warning. */
static int check_times(struct animx_reader *reader, struct anim_track *track, uint64_t offset)
{
	bool negative = false;

	for (size_t k = 0; k < track->n; k++) {
		float time = track->time[k];

		if (!(time >= -FLT_MAX && time <= FLT_MAX))
			return body_fail(&reader->body, offset,
					 "the time of key %zu of this track is not a finite number", k);
		negative |= time < 0;
		if (k > 0 && time < track->time[k - 1])
			track->flags |= ANIM_UNSORTED;
	}
	if (negative && warn(reader, offset, "track", "'%s %s': keys before 0, which Resonite refuses", track->node,
			     track->property) != 0)
		return -1;
	if ((track->flags & ANIM_UNSORTED) == 0)
		return 0;
	return warn(reader, offset, "track", "'%s %s': keys out of order", track->node, track->property);
}

/* Use the possible orders of this track to decide the order of the whole file. */
static int decide_order(struct animx_reader *reader, bool time_first, bool value_first, uint64_t offset)
{
	enum animx_order order = time_first ? ANIMX_TIME_FIRST : ANIMX_VALUE_FIRST;

	if (time_first && value_first)
		return 0;
	if (!time_first && !value_first)
		return body_fail(&reader->body, offset,
				 "Curve keys with times that are not finite, negative or decreasing, both if they "
				 "come before the values and if they come after them");
	if (reader->forced && reader->order != order)
		return body_fail(&reader->body, offset,
				 "Curve keys with times that are not finite, negative or decreasing if they are read "
				 "%s first, as " ANIM_OPTION("parse", "key-order") " requires",
				 reader->order == ANIMX_TIME_FIRST ? "time" : "value");
	if (reader->order != ANIMX_UNKNOWN_ORDER && reader->order != order)
		return body_fail(&reader->body, offset,
				 "Curve keys have the %s first, but an earlier track has the %s first",
				 time_first ? "time" : "value", time_first ? "value" : "time");
	reader->order = order;
	return 0;
}

static int read_keys(struct animx_reader *reader, struct anim_track *track, bool *ambiguous, float *other_end_s)
{
	struct animx_columns *columns = &reader->columns;
	uint64_t offset = reader->body.offset;
	bool time_first = true, value_first = false, curve = track->kind == ANIM_CURVE;
	int result;

	if (track->type != ANIM_STRING)
		result = read_fixed_keys(reader, track, &time_first, &value_first, other_end_s);
	else if (curve && track->n > 0)
		result = read_string_keys(reader, track->n, &time_first, &value_first, other_end_s);
	else
		result = read_strings(&reader->body, track->n, ANIMX_TIME_FIRST, columns);
	if (result != 0)
		return -1;
	*ambiguous = time_first && value_first;
	if (curve && track->n > 0 && decide_order(reader, time_first, value_first, offset) != 0)
		return -1;
	if (anim_buffer_reserve(&columns->time, 1, reader->body.error) != 0)
		return -1;
	track->time = (const float *)(const void *)columns->time.data;
	if (track->type == ANIM_STRING)
		track->strings = &columns->strings;
	else if (set_values(reader, track, offset) != 0)
		return -1;
	return curve ? 0 : check_times(reader, track, offset);
}

static int read_tangents(struct animx_reader *reader, struct anim_track *track)
{
	struct animx_columns *columns = &reader->columns;
	size_t size = anim_types[track->type].size;
	uint64_t offset = reader->body.offset;
	bool changed;

	if (track->type == ANIM_STRING) {
		struct animx_columns passed = {0};
		int result = read_strings(&reader->body, 2 * track->n, ANIMX_UNKNOWN_ORDER, &passed);

		/* Skip the tangents of strings, which have no meaning, and no place in the model. */
		anim_texts_clear(&passed.texts);
		if (result != 0 || track->n == 0)
			return result;
		return warn(reader, offset, "track", "'%s %s': tangents at texts, which have no meaning, are dropped",
			    track->node, track->property);
	}
	if (body_block(&reader->body, &columns->pairs, track->n, 2 * size) != 0 ||
	    resize(&columns->left, track->n, size, reader->body.error) != 0 ||
	    resize(&columns->right, track->n, size, reader->body.error) != 0)
		return -1;
	animx_split(columns->pairs.data, track->n, size, size, columns->left.data, columns->right.data);
	track->left = columns->left.data;
	track->right = columns->right.data;
	changed = clean_bools(track->type, columns->left.data, track->n);
	changed |= clean_bools(track->type, columns->right.data, track->n);
	return changed ? warn_of_bools(reader, track, offset) : 0;
}

static int swap_keys(struct animx_reader *reader, struct anim_track *track)
{
	struct animx_columns *columns = &reader->columns;
	size_t size = anim_types[track->type].size;

	track->record = NULL;
	if (track->type == ANIM_STRING) {
		if (swap_strings(reader, track) != 0)
			return -1;
		track->strings = &columns->strings;
		track->time = (const float *)(const void *)columns->time.data;
		return 0;
	}
	if (resize(&columns->pairs, track->n, size + sizeof(float), reader->body.error) != 0)
		return -1;
	animx_join(columns->pairs.data, track->n, sizeof(float), size, track->time, track->value);
	return split_keys(columns, track, ANIMX_VALUE_FIRST, reader->body.error);
}

/* ---- One track: its head, its modes and its columns, into the store ---- */

#define TRACK_BEZIER 3
#define FLAG_MODES 1u    /* each key has its own interpolation */
#define FLAG_TANGENTS 2u /* tangents follow the keys */
#define RATE_MAX 1000    /* largest rate that an interval is recognised as */

/* Read a name into the arena. */
static int read_name(struct animx_reader *reader, struct anim_arena *arena, const char **name)
{
	struct anim_buffer *bytes = &reader->columns.pairs;
	uint32_t length;

	bytes->size = 0;
	if (body_text(&reader->body, ANIM_NAME_MAX, bytes, &length) != 0)
		return -1;
	*name = anim_arena_text(arena, length == 0 ? "" : (const char *)bytes->data, length, reader->body.error);
	return *name == NULL ? -1 : 0;
}

/* Read the types, the names and the number of keys. Version 0 has one byte for kind and type. Returns 0 or -1. */
static int read_head(struct animx_reader *reader, struct anim_track *track)
{
	struct animx_body *body = &reader->body;
	const char *node, *property, *meant;
	uint64_t offset = body->offset, n;
	uint8_t bytes[2];

	anim_arena_reset(&reader->names);
	if (body_read(body, bytes, reader->version == 0 ? 1 : 2) != 0)
		return -1;
	if (reader->version == 0) {
		bytes[1] = bytes[0] >> 1;
		bytes[0] = (bytes[0] & 1) != 0 ? ANIM_CURVE : ANIM_RAW;
	}
	if (bytes[0] == TRACK_BEZIER)
		return body_fail(body, offset,
				 "a track of type Bezier, whose layout is not documented and which Resonite does "
				 "not read");
	if (bytes[0] > TRACK_BEZIER)
		return body_fail(body, offset, "unknown track type %u", bytes[0]);
	if (bytes[1] >= ANIM_TYPE_COUNT)
		return body_fail(body, offset, "unknown value type %u", bytes[1]);
	track->kind = (enum anim_kind)bytes[0];
	track->type = (enum anim_type)bytes[1];
	if (read_name(reader, &reader->names, &node) != 0 || read_name(reader, &reader->names, &property) != 0)
		return -1;
	offset = body->offset;
	if (body_varint(body, &n) != 0)
		return -1;
	if (n > ANIM_KEYS_MAX)
		return body_fail(body, offset, "%llu keys, at most %u are allowed", (unsigned long long)n,
				 ANIM_KEYS_MAX);
	track->n = (size_t)n;
	track->node = anim_resonite_node_read(node);
	track->property = anim_resonite_property_read(property, track->type, &reader->names, body->error);
	meant = anim_resonite_field_meant(property);
	if (track->property == NULL || meant == NULL)
		return track->property == NULL ? -1 : 0;
	return anim_diagnostics_warn(reader->options->diagnostics, "property", body->error,
				     "'%.80s' (the field is '%s'): does not bind, because upper and lower case differ",
				     property, meant);
}

static int read_raw(struct animx_reader *reader, struct anim_track *track)
{
	struct animx_columns *columns = &reader->columns;
	uint64_t offset = reader->body.offset;
	float interval_s;

	if (body_read(&reader->body, &interval_s, sizeof interval_s) != 0)
		return -1;
	if (!isfinite(interval_s) || interval_s < 0)
		return body_fail(&reader->body, offset, "an interval that is negative or not finite");
	track->interp = ANIM_LINEAR;
	if (interval_s > 0) {
		double rate = rint(1 / (double)interval_s);

		/* Prefer an integer rate if the float is its interval. */
		if (rate >= 1 && rate <= RATE_MAX && (float)(1 / rate) == interval_s) {
			track->rate_num = (uint32_t)rate;
			track->rate_den = 1;
		} else {
			track->step_s = (double)interval_s;
		}
	} else if (warn(reader, offset, "track",
			"'%s %s': Raw without interval; " ANIM_OPTION("retime", "rate") " sets one", track->node,
			track->property) != 0) {
		return -1;
	}

	offset = reader->body.offset;
	if (track->type == ANIM_STRING) {
		track->strings = &columns->strings;
		return read_strings(&reader->body, track->n, ANIMX_UNKNOWN_ORDER, columns);
	}
	if (body_block(&reader->body, &columns->value, track->n, anim_types[track->type].size) != 0 ||
	    anim_buffer_reserve(&columns->value, 1, reader->body.error) != 0)
		return -1;
	return set_values(reader, track, offset);
}

/* Replace modes with tangents by Hold for strings, which cannot be interpolated. */
static int hold_strings(struct animx_reader *reader, struct anim_track *track)
{
	uint8_t *modes = reader->columns.interps.data;
	size_t held = 0;

	if (track->type != ANIM_STRING)
		return 0;
	for (size_t k = 0; k < reader->columns.interps.size; k++)
		if (modes[k] > ANIM_LINEAR) {
			modes[k] = ANIM_HOLD;
			held++;
		}
	if (held == 0)
		return 0;
	if (track->interp != ANIM_INTERP_COLUMN)
		track->interp = ANIM_HOLD;
	return warn(reader, reader->body.offset, "track", "'%s %s': tangents at texts are read as Hold", track->node,
		    track->property);
}

static int read_curve(struct animx_reader *reader, struct anim_track *track, bool *ambiguous, float *other_end_s)
{
	uint64_t offset = reader->body.offset;
	struct animx_columns *columns = &reader->columns;
	const uint8_t *modes;
	uint8_t flags;
	size_t count, same = 0, size = anim_types[track->type].size;

	if (body_read(&reader->body, &flags, 1) != 0)
		return -1;
	if (flags > (FLAG_MODES | FLAG_TANGENTS))
		return body_fail(&reader->body, offset, "unknown flags of a Curve: %u", flags);
	count = (flags & FLAG_MODES) != 0 ? track->n : 1;
	if (body_block(&reader->body, &columns->interps, count, 1) != 0)
		return -1;
	/* Set one mode for all keys if they are the same. */
	modes = columns->interps.data;
	for (size_t k = 0; k < count; k++) {
		if (modes[k] > ANIM_CUBIC_BEZIER)
			return body_fail(&reader->body, reader->body.offset - count + k, "unknown interpolation %u",
					 modes[k]);
		same += modes[k] == modes[0];
	}
	track->interp = count == 0 ? ANIM_HOLD : same == count ? modes[0] : ANIM_INTERP_COLUMN;
	if (same != count)
		track->interps = modes;
	reader->marked = (flags & FLAG_MODES) != 0 && track->interp != ANIM_INTERP_COLUMN;
	if (hold_strings(reader, track) != 0 || read_keys(reader, track, ambiguous, other_end_s) != 0)
		return -1;
	if ((flags & FLAG_TANGENTS) != 0 && read_tangents(reader, track) != 0)
		return -1;

	/*
	 * Add zero tangents if keys need tangents and the track has none. Resonite also uses zeros for missing members.
	 */
	if (track->left != NULL ||
	    !(anim_track_has_interp(track, ANIM_TANGENT) || anim_track_has_interp(track, ANIM_CUBIC_BEZIER)))
		return 0;
	if (resize(&columns->left, track->n, size, reader->body.error) != 0 ||
	    resize(&columns->right, track->n, size, reader->body.error) != 0)
		return -1;
	track->left = memset(columns->left.data, 0, columns->left.size);
	track->right = memset(columns->right.data, 0, columns->right.size);
	if (track->n == 0)
		return 0;
	return warn(reader, reader->body.offset, "track", "'%s %s': no tangents for the keys; zeros are used",
		    track->node, track->property);
}

/* Return the latest time of a key or sample, or 0 if the track is empty. */
static float end_of(const struct anim_track *track, float duration_s)
{
	float end_s = 0;

	if (track->n == 0)
		return 0;
	if (track->kind == ANIM_RAW) {
		double last_s = anim_track_time(track, track->n - 1);
		double inner_s = track->n > 1 ? anim_track_time(track, track->n - 2) : last_s;

		/* A sample that alone is after the duration only ends the last segment. */
		if ((double)duration_s > inner_s && (double)duration_s < last_s)
			return duration_s;
		return last_s > 0 ? (float)last_s : 0;
	}
	for (size_t k = 0; k < track->n; k++)
		end_s = track->time[k] > end_s ? track->time[k] : end_s;
	return end_s;
}

static void extend(float *end_s, float to_s)
{
	if (*end_s < to_s)
		*end_s = to_s;
}

static int read_track(struct animx_reader *reader)
{
	struct anim_track track = {.rules = ANIM_RULES_RESONITE, .component = ANIM_WHOLE};
	uint64_t offset = reader->body.offset;
	uint8_t is_ambiguous;
	bool ambiguous = false;
	float end_s, other_end_s = 0;
	int result;

	if (read_head(reader, &track) != 0)
		return -1;
	if (track.kind == ANIM_RAW)
		result = read_raw(reader, &track);
	else if (track.kind == ANIM_DISCRETE)
		result = read_keys(reader, &track, &ambiguous, &other_end_s);
	else
		result = read_curve(reader, &track, &ambiguous, &other_end_s);
	if (result != 0)
		return -1;
	if (track.n == 0 && warn(reader, offset, "track", "'%s %s': no keys, which is said to crash Resonite",
				 track.node, track.property) != 0)
		return -1;
	end_s = end_of(&track, reader->duration_s);
	if (!isfinite(end_s))
		return body_fail(&reader->body, offset, "a track that is too long");
	extend(&reader->time_first_s, end_s);
	extend(&reader->value_first_s, ambiguous ? other_end_s : end_s);
	reader->ambiguous |= ambiguous;
	if (ambiguous) {
		const float ends_s[] = {end_s, other_end_s};

		/* choose_order() compares the ends in both orders. */
		for (int i = 0; i < 2; i++) {
			extend(&reader->duration_end_s[i], ends_s[i]);
			if (reader->ambiguous_count == 0)
				reader->same_end_s[i] = ends_s[i];
			reader->ends_differ[i] |= ends_s[i] != reader->same_end_s[i];
		}
		reader->ambiguous_count++;
	}
	is_ambiguous = ambiguous;
	if (anim_buffer_append(&reader->ambiguities, &is_ambiguous, 1, reader->body.error) != 0)
		return -1;
	return anim_sink_track(anim_store_sink(reader->store), &track, reader->body.error);
}

/* ---- The file ---- */

#define VERSION_MAX 1u

static const uint8_t magic[] = {5, 'A', 'n', 'i', 'm', 'X'};

bool anim_animx_is(const uint8_t *bytes, size_t size)
{
	return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

static int read_header(struct animx_reader *reader)
{
	static const char *const names[ANIM_ANIMX_ENCODING_COUNT] = {"plain", "lz4", "lzma"};
	struct animx_body *body = &reader->body;
	const char *file = anim_read_source_file(reader->options, body->input);
	uint8_t bytes[sizeof magic], encoding;
	uint64_t offset;

	if (body_read(body, bytes, sizeof bytes) != 0)
		return -1;
	if (!anim_animx_is(bytes, sizeof bytes))
		return body_fail(body, 0, "not an AnimX file");
	offset = body->offset;
	if (body_read(body, &reader->version, sizeof reader->version) != 0)
		return -1;
	if (reader->version > VERSION_MAX)
		return body_fail(body, offset, "unsupported AnimX version %u; versions 0 and 1 are supported",
				 (unsigned)reader->version);
	if (body_varint(body, &reader->tracks) != 0)
		return -1;
	offset = body->offset;
	if (body_read(body, &reader->duration_s, sizeof reader->duration_s) != 0)
		return -1;
	if (!(reader->duration_s >= 0) || isinf(reader->duration_s)) {
		reader->duration_s = 0;
		if (warn(reader, offset, NULL,
			 "globalDuration is negative or not finite; the length of the tracks is used") != 0)
			return -1;
	}
	/* The default name of the clip is the name of the file. */
	if (read_name(reader, &reader->kept, &reader->clip_name) != 0)
		return -1;
	if (reader->clip_name[0] == '\0')
		reader->clip_name = anim_read_base_name(file, &reader->kept, body->error);
	offset = body->offset;
	if (reader->clip_name == NULL || body_read(body, &encoding, 1) != 0)
		return -1;
	reader->encoding = (enum anim_animx_encoding)encoding;
	if (encoding >= ANIM_ANIMX_ENCODING_COUNT)
		return body_fail(body, offset, "unknown encoding %u; 0 (plain), 1 (LZ4) and 2 (LZMA) are supported",
				 encoding);
	if (reader->options->encoding != NULL)
		*reader->options->encoding = names[encoding];
	return 0;
}

/* Return 1 if the condition is true only for time first, -1 if only for value first, or 0 if for neither or both. */
static int compare(bool time_first, bool value_first)
{
	return (int)time_first - (int)value_first;
}

/*
 * Choose the order if every undecided track could be read in both. The order is likely if keys are within
 * globalDuration, if tracks end together, and if the last of them ends at globalDuration. Then report the order of the
 * Curve keys if Resonite's own order is not certain. Returns 0 or -1.
 */
static int choose_order(struct animx_reader *reader)
{
	float length_s = reader->duration_s;
	const float *ends_s = reader->duration_end_s;
	int sign = 0;

	if (reader->order == ANIMX_UNKNOWN_ORDER && reader->ambiguous) {
		if (length_s > 0)
			sign = compare(ends_s[0] <= length_s, ends_s[1] <= length_s);
		if (sign == 0 && reader->ambiguous_count > 1)
			sign = compare(!reader->ends_differ[0], !reader->ends_differ[1]);
		if (sign == 0)
			sign = compare(ends_s[0] == length_s, ends_s[1] == length_s);
		if (sign != 0)
			reader->order = sign > 0 ? ANIMX_TIME_FIRST : ANIMX_VALUE_FIRST;
	}
	if (reader->forced)
		return 0;
	if (reader->order == ANIMX_VALUE_FIRST)
		return warn(reader, reader->body.base, NULL,
			    "Curve keys of this file have the value before the time, and were read in this order");
	if (reader->order == ANIMX_TIME_FIRST || !reader->ambiguous)
		return 0;
	return warn(reader, reader->body.base, NULL,
		    "Curve keys of this file may have the time or the value first; they were read time first (to "
		    "change this, use " ANIM_OPTION("parse", "key-order") ")");
}

static void clear_columns(struct animx_columns *columns)
{
	anim_buffer_clear(&columns->pairs);
	anim_buffer_clear(&columns->time);
	anim_buffer_clear(&columns->value);
	anim_buffer_clear(&columns->left);
	anim_buffer_clear(&columns->right);
	anim_buffer_clear(&columns->interps);
	anim_texts_clear(&columns->texts);
}

static int write_clip(struct animx_reader *reader, struct anim_sink *sink)
{
	float end_s = reader->order == ANIMX_VALUE_FIRST ? reader->value_first_s : reader->time_first_s;
	struct anim_clip clip = {.end_s = reader->duration_s > end_s ? reader->duration_s : end_s,
				 .axes = ANIM_AXES_RESONITE,
				 .name = reader->clip_name,
				 .root = ".",
				 .source = "animx"};

	clear_columns(&reader->columns); /* the store has its own columns for reading */
	if (anim_sink_clip(sink, &clip, reader->body.error) != 0)
		return -1;
	for (size_t i = 0; i < anim_store_tracks(reader->store, 0); i++) {
		bool swap = reader->order == ANIMX_VALUE_FIRST && reader->ambiguities.data[i] != 0;
		struct anim_track track;

		if (anim_store_read(reader->store, 0, i, &track, reader->body.error) != 0)
			return -1;
		if (swap && swap_keys(reader, &track) != 0)
			return -1;
		if (anim_sink_track(sink, &track, reader->body.error) != 0)
			return -1;
	}
	return 0;
}

static int read_tracks(struct animx_reader *reader)
{
	const struct anim_clip clip = {.name = reader->clip_name, .root = ".", .source = "animx"};
	int more;
	struct animx_body *body = &reader->body;
	enum anim_animx_encoding encoding = reader->encoding;

	/* Start reading the body in its encoding. */
	body->base = body->offset;
	if (encoding != ANIM_ANIMX_PLAIN) {
		/* Skip the bytes of the window that were already read. The rest belongs to the codec. */
		anim_input_skip(body->input, body->peeked - body->left);
		body->peeked = body->left = 0;
		body->offset = 0;
		if (animx_encodings[encoding]->open(body) != 0)
			return -1;
	}
	if (anim_sink_clip(anim_store_sink(reader->store), &clip, reader->body.error) != 0)
		return -1;
	for (uint64_t i = 0; i < reader->tracks; i++) {
		if (i == ANIM_ANIMX_TRACKS_MAX && !reader->options->trust_size)
			return body_fail(
			    &reader->body, reader->body.offset,
			    "more than %u tracks; if you trust the file, use " ANIM_OPTION("parse", "trust-size"),
			    ANIM_ANIMX_TRACKS_MAX);
		if (read_track(reader) != 0)
			return -1;
	}
	more = body_more(&reader->body);
	return more <= 0 ? more : body_fail(&reader->body, reader->body.offset, "extra bytes after the last track");
}

int anim_animx_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		    struct anim_error *error)
{
	static const enum animx_order orders[] = {[ANIM_KEY_ORDER_ANY] = ANIMX_UNKNOWN_ORDER,
						  [ANIM_KEY_ORDER_TIME_VALUE] = ANIMX_TIME_FIRST,
						  [ANIM_KEY_ORDER_VALUE_TIME] = ANIMX_VALUE_FIRST};
	struct animx_reader reader = {.options = options,
				      .order = orders[options->key_order],
				      .forced = options->key_order != ANIM_KEY_ORDER_ANY};
	int result = -1;

	body_init(&reader.body, input, error);
	reader.body.trust_size = options->trust_size;
	reader.store = anim_store_new(options->store_memory, error);
	if (reader.store != NULL && read_header(&reader) == 0)
		result = read_tracks(&reader);
	if (result == 0)
		result = choose_order(&reader);
	if (result == 0)
		result = write_clip(&reader, sink);
	else
		anim_error_in_file(error, anim_input_name(input));
	body_clear(&reader.body);
	anim_store_free(reader.store);
	anim_arena_clear(&reader.kept);
	anim_arena_clear(&reader.names);
	anim_buffer_clear(&reader.ambiguities);
	clear_columns(&reader.columns);
	return result;
}
