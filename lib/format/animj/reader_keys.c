/* reader_keys.c: the keyframes of an AnimJ track: with templates if keys look alike, otherwise with the tokeniser. */
#include "format/animj/reader.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/scan.h"

/* ---- Keys as columns ---- */

void animj_columns_reset(struct animj_columns *columns)
{
	columns->n = 0;
	columns->tangents = columns->string_tangents = false;
	for (int i = 0; i < ANIMJ_COLUMN_COUNT; i++)
		columns->column[i].size = 0;
	columns->interps.size = columns->given.size = 0;
	anim_texts_reset(&columns->texts);
}

int animj_begin_tangents(struct animj_columns *columns, size_t size, struct anim_error *error)
{
	size_t bytes;

	if (anim_size_multiply(columns->n, size, &bytes, error) != 0)
		return -1;
	columns->tangents = true;
	for (int i = ANIMJ_LEFT; i <= ANIMJ_RIGHT && bytes > 0; i++) {
		void *zeros = anim_buffer_extend(&columns->column[i], bytes, error);

		if (zeros == NULL)
			return -1;
		memset(zeros, 0, bytes);
	}
	return 0;
}

/* Append a key to the columns. Returns 0 or -1. */
static int add_key(struct animj_columns *columns, const struct animj_track_head *head, const struct animj_key *key,
		   struct anim_error *error)
{
	size_t size = anim_types[head->type].size;

	if (columns->n == ANIM_KEYS_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "a track of more than %u keys", ANIM_KEYS_MAX);
	if (key->given != 0 && size > 0 && !columns->tangents && animj_begin_tangents(columns, size, error) != 0)
		return -1;
	if (size > 0)
		for (int i = ANIMJ_VALUE; i <= (columns->tangents ? ANIMJ_RIGHT : ANIMJ_VALUE); i++)
			if (anim_buffer_append(&columns->column[i], key->value[i], size, error) != 0)
				return -1;
	columns->n++;
	if (head->kind == ANIM_RAW)
		return 0;
	if (anim_buffer_append(&columns->column[ANIMJ_TIME], &key->time_s, sizeof key->time_s, error) != 0)
		return -1;
	if (head->kind == ANIM_DISCRETE)
		return 0;
	if (anim_buffer_append(&columns->interps, &key->interp, 1, error) != 0)
		return -1;
	return anim_buffer_append(&columns->given, &key->given, 1, error);
}

/* ---- Keys that differ from an earlier one only in their numbers ---- */

#define PEEK_BYTES ((size_t)4096) /* more than any key that fits a template, except for very long numbers */
#define ROWS ((size_t)512)        /* keys to reserve space for at once */

/* Destinations of the values of a row. */
struct key_rows {
	uint8_t *column[ANIMJ_COLUMN_COUNT];
};

/* Read the number at `at` if it is valid JSON. Otherwise returns NULL, and the tokeniser explains the error. */
static inline const uint8_t *scan(const uint8_t *at, struct anim_decimal *decimal, bool *negative)
{
	const char *end;

	*negative = *at == '-';
	at += *negative;
	end = anim_scan_decimal((const char *)at, decimal);
	if (end == NULL || decimal->last[-1] == '.' || !anim_is_digit(end[-1]) ||
	    (*at == '0' && anim_is_digit((char)at[1])))
		return NULL;
	return (const uint8_t *)end;
}

/* Convert to float. Returns false if it is larger than the largest float. */
static inline bool to_float(const struct anim_decimal *decimal, bool negative, float *value)
{
	float magnitude = anim_decimal_float(decimal);

	*value = negative ? -magnitude : magnitude;
	return magnitude <= 0x1.fffffep127f;
}

static inline bool to_double(const struct anim_decimal *decimal, bool negative, double *value)
{
	double magnitude = anim_decimal_double(decimal);

	*value = negative ? -magnitude : magnitude;
	return magnitude <= 0x1.fffffffffffffp1023;
}

/* Read one key with the template into a row. Returns its end, or NULL if the text differs. */
static inline const uint8_t *read_row(const struct animj_template *template, const uint8_t *at,
				      const struct key_rows *row, bool wide)
{
	struct anim_decimal decimal;
	bool negative, finite;

	for (size_t i = 0; i < template->count; i++) {
		const struct animj_piece *piece = &template->pieces[i];
		uint8_t *out = row->column[piece->column] + piece->offset;
		float narrow;
		double value;

		if (!anim_same_text(at, template->text + piece->at, piece->length))
			return NULL;
		at = scan(at + piece->length, &decimal, &negative);
		if (at == NULL)
			return NULL;
		if (wide && piece->column != ANIMJ_TIME) {
			finite = to_double(&decimal, negative, &value);
			memcpy(out, &value, sizeof value);
		} else {
			finite = to_float(&decimal, negative, &narrow);
			memcpy(out, &narrow, sizeof narrow);
		}
		if (!finite)
			return NULL;
	}
	if (!anim_same_text(at, template->text + template->tail, template->tail_length))
		return NULL;
	return at + template->tail_length;
}

/*
 * Read the key at the cursor with the first template that matches, and store that in *used. Returns the end of the key,
 * or NULL if no template matches.
 */
static const uint8_t *try_key(struct animj_templates *templates, const uint8_t *at, const struct key_rows *row,
			      bool tangents, size_t size, bool wide, const struct animj_template **used)
{
	for (size_t i = 0; i < templates->count; i++) {
		size_t which = (templates->current + i) % templates->count;
		const struct animj_template *template = &templates->items[which];
		const uint8_t *end;

		/* Set the values that no number sets: missing components and missing tangents. */
		memcpy(row->column[ANIMJ_VALUE], template->row.value[ANIMJ_VALUE], size);
		if (tangents) {
			memcpy(row->column[ANIMJ_LEFT], template->row.value[ANIMJ_LEFT], size);
			memcpy(row->column[ANIMJ_RIGHT], template->row.value[ANIMJ_RIGHT], size);
		}
		end = read_row(template, at, row, wide);
		if (end != NULL) {
			templates->current = which;
			*used = template;
			return end;
		}
	}
	return NULL;
}

/*
 * Read up to ROWS keys. Stop when fewer than `least` bytes of the window are left. *at_end is set as in fast_keys;
 * *more is true if further keys may follow. Returns the number of keys, or -1.
 */
static ptrdiff_t read_rows(struct animj_reader *reader, size_t least, bool *at_end, bool *more)
{
	struct animj_columns *columns = &reader->columns;
	struct anim_json_text *text = reader->json.text;
	const struct anim_type_info *info = &anim_types[reader->head.type];
	const struct animj_template *used;
	struct key_rows row;
	size_t count = 0, size = info->size;
	bool wide = info->scalar == ANIM_SCALAR_F64;

	/* Reserve space for ROWS rows after the existing ones. */
	for (int i = 0; i < ANIMJ_COLUMN_COUNT; i++) {
		struct anim_buffer *buffer = &columns->column[i];

		if (anim_buffer_reserve(buffer, ROWS * (i == ANIMJ_TIME ? sizeof(float) : size), reader->error) != 0)
			return -1;
		row.column[i] = buffer->data + buffer->size;
	}
	if (anim_buffer_reserve(&columns->interps, ROWS, reader->error) != 0)
		return -1;
	if (anim_buffer_reserve(&columns->given, ROWS, reader->error) != 0)
		return -1;
	*more = true;
	while (count < ROWS && (size_t)(text->end - text->at) >= least) {
		const uint8_t *at = try_key(&reader->templates, text->at, &row, columns->tangents, size, wide, &used);

		if (at == NULL || at >= text->end || columns->n + count == ANIM_KEYS_MAX) {
			*more = false;
			break;
		}
		columns->interps.data[columns->interps.size + count] = used->row.interp;
		columns->given.data[columns->given.size + count] = used->row.given;
		count++;
		for (int i = 0; i < ANIMJ_COLUMN_COUNT; i++)
			row.column[i] += i == ANIMJ_TIME ? sizeof(float) : size;
		text->at = at;
		if (used->separator_length == 0 ||
		    !anim_same_text(at, used->text + used->separator, used->separator_length)) {
			*at_end = true;
			break;
		}
		text->at += used->separator_length;
	}
	columns->n += count;
	columns->column[ANIMJ_VALUE].size += count * size;
	if (columns->tangents) {
		columns->column[ANIMJ_LEFT].size += count * size;
		columns->column[ANIMJ_RIGHT].size += count * size;
	}
	if (reader->head.kind != ANIM_RAW)
		columns->column[ANIMJ_TIME].size += count * sizeof(float);
	if (reader->head.kind == ANIM_CURVE) {
		columns->interps.size += count;
		columns->given.size += count;
	}
	return (ptrdiff_t)count;
}

/*
 * Read keys with templates, from the cursor on, which is on the first byte of a key. Returns the number of keys, or -1
 * on error. *at_end is true if the cursor is after the last key, and false if it is on the next one. Near the end of
 * the input, the window contains the rest of it, and the zeros after the window match no key.
 */
static ptrdiff_t fast_keys(struct animj_reader *reader, bool *at_end)
{
	struct anim_json_text *text = reader->json.text;
	bool more = reader->templates.count > 0 && !reader->templates.off;
	size_t least = PEEK_BYTES / 2;
	ptrdiff_t all = 0, some;

	*at_end = false;
	while (more && !*at_end) {
		if ((size_t)(text->end - text->at) < PEEK_BYTES && anim_json_more(text, PEEK_BYTES, reader->error) < 0)
			return -1;
		if ((size_t)(text->end - text->at) < PEEK_BYTES)
			least = 1;
		if (text->at == text->end)
			break;
		some = read_rows(reader, least, at_end, &more);
		if (some < 0)
			return -1;
		all += some;
	}
	return all;
}

/* ---- Tokens as values of the 37 types of AnimJ ---- */

static int refuse_kind(struct animj_reader *reader, size_t token, const char *needed)
{
	struct anim_place place = anim_json_place(&reader->json, anim_json_token_text(&reader->json, token));

	if (anim_json_token_at(&reader->json, token).type == ANIM_JSON_STRING)
		place.column--;
	return animj_refuse(reader, &place, "a %s needs %s, found %s", anim_types[reader->head.type].name, needed,
			    anim_json_token_name(&reader->json, token));
}

static int refuse_number(struct animj_reader *reader, size_t token, const char *why)
{
	struct anim_place place = anim_json_place(&reader->json, anim_json_token_text(&reader->json, token));
	int size =
	    (int)(anim_json_token_size(&reader->json, token) < 40 ? anim_json_token_size(&reader->json, token) : 40);

	return animj_refuse(reader, &place, "%.*s%s %s %s", size,
			    (const char *)anim_json_token_text(&reader->json, token), size == 40 ? "..." : "", why,
			    anim_types[reader->head.type].name);
}

static void log_number(struct animj_reader *reader, size_t token, struct animj_key *key, int column, unsigned component)
{
	struct anim_json_token at = anim_json_token_at(&reader->json, token);

	if (key->slot_count < ANIMJ_SLOTS_MAX)
		key->slots[key->slot_count] =
		    (struct animj_slot){at.start, at.end, (uint8_t)column, (uint8_t)component};
	if (key->slot_count <= ANIMJ_SLOTS_MAX)
		key->slot_count++;
}

/* Read one component of the value in `column`. */
static int read_component(struct animj_reader *reader, size_t token, struct animj_key *key, int column,
			  unsigned component)
{
	const struct anim_type_info *info = &anim_types[reader->head.type];
	uint8_t *out = key->value[column];
	const char *text, *end;

	if (info->scalar == ANIM_SCALAR_BOOL) {
		uint8_t first = *anim_json_token_text(&reader->json, token);

		if (anim_json_token_at(&reader->json, token).type != ANIM_JSON_PRIMITIVE ||
		    (first != 't' && first != 'f'))
			return refuse_kind(reader, token, "true or false");
		*out = (uint8_t)((*out & ~(1u << component)) | (unsigned)(first == 't') << component);
		return 0;
	}
	if (!anim_json_is_number(&reader->json, token))
		return refuse_kind(reader, token, info->components > 1 ? "numbers in its members" : "a number");
	log_number(reader, token, key, column, component);
	text = (const char *)anim_json_token_text(&reader->json, token);
	end = text + anim_json_token_size(&reader->json, token);
	if (info->scalar == ANIM_SCALAR_F32 || info->scalar == ANIM_SCALAR_F64) {
		double wide = 0;
		float narrow = 0;

		out += component * info->component_size;
		if (info->scalar == ANIM_SCALAR_F64) {
			anim_number_double(text, end, &wide);
			memcpy(out, &wide, sizeof wide);
		} else {
			anim_number_float(text, end, &narrow);
			memcpy(out, &narrow, sizeof narrow);
		}
		if (!isfinite(wide) || !isfinite(narrow))
			return refuse_number(reader, token, "is beyond the range of");
		return 0;
	}
	for (const char *at = text + (*text == '-'); at < end; at++)
		if (!anim_is_digit(*at))
			return refuse_number(reader, token, "is not a whole number, as needed for");
	if (anim_component_read((enum anim_type)reader->head.type, out, component, text, end) == NULL)
		return refuse_number(reader, token, "is beyond the range of");
	return 0;
}

static const char *const *component_names(enum anim_type type)
{
	static const char *const space[] = {"x", "y", "z", "w"}, *const color[] = {"r", "g", "b", "a"};

	return type == ANIM_COLOR || type == ANIM_COLOR32 ? color : space;
}

static int read_object(struct animj_reader *reader, size_t token, struct animj_key *key, int column)
{
	static const float opaque = 1;
	const struct anim_json *json = &reader->json;
	enum anim_type type = (enum anim_type)reader->head.type;
	const char *const *names = component_names(type);
	size_t end = anim_json_after(json, token);
	struct anim_place place;
	unsigned seen = 0; /* a bit for each known member */
	bool lacks_w;

	/* Resonite's constructors use these values for missing members: 0, and 1 for the alpha of a colour. */
	memset(key->value[column], 0, ANIMJ_VALUE_MAX);
	if (type == ANIM_COLOR)
		memcpy(key->value[column] + 3 * sizeof opaque, &opaque, sizeof opaque);
	if (type == ANIM_COLOR32)
		key->value[column][3] = UINT8_MAX;
	key->unknown = 0;
	for (size_t name = token + 1; name < end; name = anim_json_after(json, name + 1)) {
		int component = 0;

		while (component < anim_types[type].components && !anim_json_is_named(json, name, names[component]))
			component++;
		if (component == anim_types[type].components) {
			char c = anim_json_token_size(json, name) == 1 ? (char)*anim_json_token_text(json, name) : ' ';

			if (c >= 'A' && c <= 'Z' && strchr("xyzwrgba", c | 0x20) != NULL)
				key->unknown = c;
			continue;
		}
		reader->path.component = names[component];
		if (seen & 1u << component) {
			key->odd = true;
			place = anim_json_place(&reader->json, anim_json_token_text(json, name));
			if (animj_warn_of_repetition(reader, &place) != 0)
				return -1;
		}
		seen |= 1u << component;
		if (read_component(reader, name + 1, key, column, (unsigned)component) != 0)
			return -1;
	}
	reader->path.component = NULL;
	/* Resonite can read another value than the writer meant: a rotation without w becomes half a turn. */
	lacks_w = (type == ANIM_FLOATQ || type == ANIM_DOUBLEQ) && (seen & 1u << 3) == 0;
	if (column != ANIMJ_VALUE || (key->unknown == 0 && !lacks_w && seen != 0))
		return 0;
	key->odd = true;
	place = anim_json_place(&reader->json, anim_json_token_text(json, token));
	if (key->unknown != 0)
		return animj_warn(reader, &place, "value",
				  "members in upper case are ignored, as in Resonite" ANIM_DETAIL
				  ": '%c' should be '%c'",
				  key->unknown, key->unknown | 0x20);
	if (lacks_w)
		return animj_warn(reader, &place, "rotation", "no w, so w is 0: half a turn");
	return animj_warn(reader, &place, "value",
			  "no member of the type, so the value is 0" ANIM_DETAIL " (a %s has members %s to %s)",
			  anim_types[type].name, names[0], names[anim_types[type].components - 1]);
}

static int read_string(struct animj_reader *reader, size_t token)
{
	struct anim_texts *texts = &reader->columns.texts;
	const struct anim_json *json = &reader->json;
	size_t start = texts->bytes.size;
	const uint8_t *bad;
	const char *why;

	if (anim_json_is_null(json, token))
		return anim_texts_add_null(texts, reader->error);
	if (anim_json_token_at(json, token).type != ANIM_JSON_STRING)
		return refuse_kind(reader, token, "a string or null");
	if (anim_json_decode(anim_json_token_text(json, token), anim_json_token_size(json, token), &texts->bytes, &bad,
			     &why) != 0)
		return anim_fail_memory(reader->error);
	if (texts->bytes.size - start > ANIM_TEXT_MAX) {
		struct anim_place place = anim_json_place(&reader->json, anim_json_token_text(&reader->json, token));

		place.column--; /* the place of its quote */
		return animj_refuse(reader, &place, "a string of more than %u bytes", ANIM_TEXT_MAX);
	}
	return anim_texts_close(texts, start, reader->error);
}

/*
 * Read the value at a token as the type of the track: its bytes into key->value[column], or a string appended to the
 * columns. Its numbers are recorded in key->slots for `column`. Returns 0 or -1.
 */
static int read_value(struct animj_reader *reader, size_t token, struct animj_key *key, int column)
{
	const struct anim_type_info *info = &anim_types[reader->head.type];

	if (info->scalar == ANIM_SCALAR_TEXT) {
		if (column == ANIMJ_VALUE)
			return read_string(reader, token);
		/* Check the tangent of a string, which is not kept. */
		if (anim_json_is_null(&reader->json, token))
			return 0;
		reader->columns.string_tangents = true;
		if (anim_json_token_at(&reader->json, token).type == ANIM_JSON_STRING)
			return 0;
		return refuse_kind(reader, token, "a string or null");
	}
	if (info->components == 1) {
		memset(key->value[column], 0, ANIMJ_VALUE_MAX);
		return read_component(reader, token, key, column, 0);
	}
	if (anim_json_token_at(&reader->json, token).type != ANIM_JSON_OBJECT)
		return refuse_kind(reader, token, "an object of its members");
	return read_object(reader, token, key, column);
}

/* ---- Keys ---- */

#define BATCH_BYTES ((size_t)64 << 10) /* of keys that are tokenised at once; a longer key is read alone */
#define BATCH_KEYS 4096u
#define FAST_ENOUGH 16 /* if templates read this many keys in a row, tokenise one key at a time */

/* Members of a key, in the order of their bits. */
enum member { MEMBER_TIME, MEMBER_VALUE, MEMBER_INTERPOLATION, MEMBER_LEFT, MEMBER_RIGHT, MEMBER_COUNT };
static const char *const members[MEMBER_COUNT] = {"time", "value", "interpolation", "leftTangent", "rightTangent"};

/* Read a mode: its name in upper or lower case, or its number. Resonite reads both, and also numbers in quotes. */
static int read_interpolation(struct animj_reader *reader, size_t token, struct animj_key *key)
{
	static const char *const names[] = {"Hold", "Linear", "Tangent", "CubicBezier"};
	const struct anim_json *json = &reader->json;
	const char *text = (const char *)anim_json_token_text(json, token);
	size_t size = anim_json_token_size(json, token);
	bool string = anim_json_token_at(json, token).type == ANIM_JSON_STRING;
	struct anim_place place;

	for (uint8_t i = 0; i < ANIM_COUNT(names); i++)
		if ((string && size == strlen(names[i]) && strncasecmp(text, names[i], size) == 0) ||
		    (anim_json_token_at(json, token).type != ANIM_JSON_OBJECT && size == 1 && *text == '0' + i)) {
			key->interp = i;
			if (reader->head.type != ANIM_STRING || i <= ANIM_LINEAR)
				return 0;
		}
	place = anim_json_place(&reader->json, anim_json_token_text(json, token));
	if (reader->head.type == ANIM_STRING)
		return animj_refuse(reader, &place, "strings support only the interpolations Hold and Linear");
	return animj_refuse(reader, &place, "unknown interpolation; use Hold, Linear, Tangent or CubicBezier");
}

static int read_member(struct animj_reader *reader, size_t token, enum member member, struct animj_key *key)
{
	const char *text = (const char *)anim_json_token_text(&reader->json, token);
	struct anim_place place;

	switch (member) {
	case MEMBER_TIME:
		if (anim_json_is_number(&reader->json, token)) {
			log_number(reader, token, key, ANIMJ_TIME, 0);
			anim_number_float(text, text + anim_json_token_size(&reader->json, token), &key->time_s);
			if (isfinite(key->time_s))
				return 0;
		}
		place = anim_json_place(&reader->json, anim_json_token_text(&reader->json, token));
		if (anim_json_is_number(&reader->json, token))
			return animj_refuse(reader, &place, "a time beyond the largest float");
		return animj_refuse(reader, &place, "a time needs a number, found %s",
				    anim_json_token_name(&reader->json, token));
	case MEMBER_INTERPOLATION:
		return read_interpolation(reader, token, key);
	case MEMBER_LEFT:
		key->given |= ANIMJ_HAS_LEFT;
		return read_value(reader, token, key, ANIMJ_LEFT);
	case MEMBER_RIGHT:
		key->given |= ANIMJ_HAS_RIGHT;
		return read_value(reader, token, key, ANIMJ_RIGHT);
	default:
		return read_value(reader, token, key, ANIMJ_VALUE);
	}
}

/* Read the members of a Discrete or Curve key. */
static int read_members(struct animj_reader *reader, size_t token, struct animj_key *key)
{
	static const char *const missing[] = {"no time; 0 is read", "no value; zeros are read",
					      "no interpolation; Hold is read"};
	const struct anim_json *json = &reader->json;
	struct anim_texts *texts = &reader->columns.texts;
	int known = reader->head.kind == ANIM_CURVE ? MEMBER_COUNT : MEMBER_INTERPOLATION;
	size_t end = anim_json_after(json, token);
	struct anim_place place;
	unsigned seen = 0;

	for (size_t name = token + 1; name < end; name = anim_json_after(json, name + 1)) {
		int member = 0;

		while (member < known && !anim_json_is_named(json, name, members[member]))
			member++;
		if (member == known)
			continue;
		reader->json.member = members[member];
		if (seen & 1u << member) {
			place = anim_json_place(&reader->json, anim_json_token_text(json, name));
			key->odd = true;
			/* Remove a string that was already read for this key, because the last one is used. */
			if (member == MEMBER_VALUE && anim_texts_count(texts) > reader->columns.n) {
				uint64_t start;

				texts->start.size -= sizeof start;
				texts->length.size -= sizeof(uint32_t);
				memcpy(&start, texts->start.data + texts->start.size, sizeof start);
				texts->bytes.size = start;
			}
			if (animj_warn_of_repetition(reader, &place) != 0)
				return -1;
		}
		seen |= 1u << member;
		if (read_member(reader, name + 1, (enum member)member, key) != 0)
			return -1;
	}
	/* Set missing members to the values that Resonite uses: time 0, the zero of the type (strings: null), and Hold. */
	reader->json.member = NULL;
	for (int i = 0; i < (reader->head.kind == ANIM_CURVE ? MEMBER_LEFT : MEMBER_INTERPOLATION); i++) {
		if (seen & 1u << i)
			continue;
		place = anim_json_place(&reader->json, anim_json_token_text(&reader->json, token));
		key->odd = true;
		if (animj_warn(reader, &place, "key", "%s", missing[i]) != 0)
			return -1;
	}
	if ((seen & 1u << MEMBER_VALUE) || reader->head.type != ANIM_STRING)
		return 0;
	return anim_texts_add_null(texts, reader->error);
}

/* Keep the text of a key as a template if all numbers in its text are known to be its own, and it is not too long. */
static void keep_template(struct animj_reader *reader, size_t token, const struct animj_key *key)
{
	struct animj_templates *templates = &reader->templates;
	const struct anim_type_info *info = &anim_types[reader->head.type];
	struct anim_json_token whole = anim_json_token_at(&reader->json, token);
	const uint8_t *text = reader->json.values.data;
	struct animj_template *template;
	size_t from = whole.start, used = 0, numbers = 0, end = anim_json_after(&reader->json, token);

	if (!anim_type_is_real((enum anim_type)reader->head.type) || key->odd || key->slot_count == 0)
		return;
	for (size_t i = token; i < end; i++)
		numbers += anim_json_is_number(&reader->json, i);
	if (numbers != key->slot_count || whole.end - whole.start > ANIMJ_TEMPLATE_TEXT / 2 ||
	    key->slot_count > ANIMJ_SLOTS_MAX)
		return;
	templates->current = templates->count < ANIMJ_TEMPLATES ? templates->count++ : templates->oldest++;
	templates->oldest %= ANIMJ_TEMPLATES;
	template = &templates->items[templates->current];
	template->row = *key;
	template->count = key->slot_count;
	/* Each piece is the text before a number. */
	for (size_t i = 0; i < key->slot_count; i++) {
		const struct animj_slot *slot = &key->slots[i];

		template->pieces[i] = (struct animj_piece){.at = (uint16_t)used,
							   .length = (uint16_t)(slot->start - from),
							   .column = slot->column,
							   .offset = (uint8_t)(slot->component * info->component_size)};
		memcpy(template->text + used, text + from, slot->start - from);
		used += slot->start - from;
		from = slot->end;
	}
	template->tail = (uint16_t)used;
	template->tail_length = (uint16_t)(whole.end - from);
	memcpy(template->text + used, text + from, whole.end - from);
	template->separator = (uint16_t)(used + template->tail_length);
	template->separator_length = 0;
}

/* Move blanks at the cursor into json.values. Then returns the same as anim_json_byte. */
static int move_blanks(struct animj_reader *reader)
{
	struct anim_json_text *text = reader->json.text;
	int byte;

	while ((byte = anim_json_byte(text, reader->error)) == ' ' || byte == '\n' || byte == '\r' || byte == '\t') {
		if (anim_buffer_append(&reader->json.values, text->at, 1, reader->error) != 0)
			return ANIM_JSON_ERROR;
		text->at++;
	}
	return byte;
}

static int move_key(struct animj_reader *reader)
{
	struct anim_json *json = &reader->json;
	size_t before = json->values.size;
	struct anim_place place = anim_json_here(&reader->json);
	int cut =
	    anim_json_read_text(reader->json.text, &json->values, ANIMJ_DEPTH_OF_KEYS, &json->capitals, reader->error);

	if (cut == 0 && json->values.size == before)
		return anim_json_unexpected_here(&reader->json, "a key", reader->error);
	if (cut == ANIM_JSON_DEEP)
		return anim_json_explain(&reader->json, json->values.data + before, json->values.size - before, &place,
					 ANIMJ_DEPTH_OF_KEYS, reader->error);
	if (cut < 0 && reader->error->code == ANIM_TOO_LARGE)
		return animj_refuse(reader, &place, "%s", reader->error->message);
	return cut == ANIM_JSON_CUT ? anim_json_unexpected_here(&reader->json, "the end of a key", reader->error) : cut;
}

/*
 * Move ',' and the blanks around it into json.values. Returns 1 with the cursor on the next key, 0 if there is no
 * comma, or -1.
 */
static int move_comma(struct animj_reader *reader)
{
	int byte = move_blanks(reader);

	if (byte != ',')
		return byte == ANIM_JSON_ERROR ? -1 : 0;
	if (anim_buffer_append(&reader->json.values, ",", 1, reader->error) != 0)
		return -1;
	reader->json.text->at++;
	byte = move_blanks(reader);
	if (byte == ']' || byte == ANIM_JSON_END)
		return anim_json_unexpected_here(&reader->json, "a key after the comma", reader->error);
	return byte == ANIM_JSON_ERROR ? -1 : 1;
}

/*
 * Move complete keys into json.values, up to the size of the batch. The cursor is then after the last. Returns 0, or -1
 * for an error after those keys; the path then names its place.
 */
static int move_batch(struct animj_reader *reader)
{
	struct anim_json *json = &reader->json;
	size_t whole = 0;
	uint32_t keys = 0;
	int more;

	anim_json_begin(&reader->json);
	do {
		more = move_key(reader);
		if (more != 0)
			break;
		whole = json->values.size;
		reader->json.element++;
		if (++keys == reader->templates.batch || whole >= BATCH_BYTES)
			break;
		more = move_comma(reader);
	} while (more == 1);
	json->values.size = whole;
	return more < 0 ? -1 : 0;
}

/* Read keys up to a position where ',' or ']' must follow. */
static int read_some(struct animj_reader *reader)
{
	struct animj_templates *templates = &reader->templates;
	struct anim_json *json = &reader->json;
	struct anim_error *error = reader->error, later = {0};
	bool at_end = false;
	ptrdiff_t fast = fast_keys(reader, &at_end);
	int moved;

	if (fast < 0)
		return -1;
	reader->json.element = (int64_t)reader->columns.n;
	if (at_end)
		return 0;
	if (fast >= FAST_ENOUGH)
		templates->batch = 1;
	else if (fast == 0 && templates->batch < BATCH_KEYS && reader->columns.n > 0)
		templates->batch *= 2;
	/* The last separator may have had more blanks than the usual one. */
	if (anim_json_blank(reader->json.text, reader->error) == ANIM_JSON_ERROR)
		return -1;
	/* An error after the keys of the batch is reported only if the keys themselves have no error. */
	reader->error = &later;
	moved = move_batch(reader);
	reader->error = error;
	if (json->values.size > 0) {
		struct anim_place place;
		struct animj_key key;

		json->element = (int64_t)reader->columns.n;
		if (anim_json_tokenise(&reader->json, reader->error) != 0)
			return -1;
		for (size_t i = 0; i < reader->json.capitals; i++)
			if (animj_warn(reader, &reader->json.begin, "value",
				       "True or False is not JSON, and Resonite refuses it; write true and false") != 0)
				return -1;
		for (size_t token = 0, next; token < json->count; token = next) {
			int result;

			next = anim_json_after(json, token);
			key = (struct animj_key){0};
			if (reader->head.kind == ANIM_RAW) {
				result = read_value(reader, token, &key, ANIMJ_VALUE);
			} else if (anim_json_token_at(json, token).type == ANIM_JSON_OBJECT) {
				result = read_members(reader, token, &key);
			} else {
				place = anim_json_place(json, anim_json_token_text(json, token));
				result =
				    animj_refuse(reader, &place, "a key is an object with time and value, found %s",
						 anim_json_token_name(json, token));
			}
			if (result != 0 || add_key(&reader->columns, &reader->head, &key, reader->error) != 0)
				return -1;
			reader->json.element++;
			if (next == json->count)
				keep_template(reader, token, &key);
		}
	}
	if (moved != 0)
		*error = later;
	return moved;
}

/* Read the text between two keys. Returns 1 with the cursor on the next key, 0 with the cursor after ']', or -1. */
static int read_separator(struct animj_reader *reader)
{
	struct anim_buffer *text = &reader->json.values;
	int more;

	text->size = 0;
	more = move_comma(reader);
	if (more == 1) {
		size_t size = text->size;
		struct animj_template *template = &reader->templates.items[reader->templates.current];

		/* Remember the text between this key and the next. */
		if (reader->templates.count != 0 && size <= ANIMJ_TEMPLATE_TEXT - template->separator) {
			memcpy(template->text + template->separator, text->data, size);
			template->separator_length = (uint16_t)size;
		}
	}
	if (more != 0)
		return more;
	if (anim_json_byte(reader->json.text, reader->error) != ']')
		return anim_json_unexpected_here(&reader->json, "',' or ']'", reader->error);
	reader->json.text->at++;
	return 0;
}

int animj_read_keyframes(struct animj_reader *reader)
{
	int more = anim_json_read_null(&reader->json, reader->error);

	animj_columns_reset(&reader->columns);
	reader->templates.count = reader->templates.current = reader->templates.oldest = 0;
	reader->templates.batch = 1;
	if (more != 0)
		return more < 0 ? -1 : 0;
	if (anim_json_expect(&reader->json, '[', "an array of keys", reader->error) != 0)
		return -1;
	reader->json.member = NULL;
	reader->json.element = 0;
	more = anim_json_blank(reader->json.text, reader->error);
	if (more == ']') {
		reader->json.text->at++;
		reader->json.element = -1;
		return 0;
	}
	do {
		if (read_some(reader) != 0)
			return -1;
		more = read_separator(reader);
	} while (more == 1);
	reader->json.element = -1;
	return more;
}
