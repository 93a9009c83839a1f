/* reader_fast.c: keys that differ from one read before in their numbers alone: texts compared, numbers read between. */
#include <string.h>

#include "base/limits.h"
#include "base/scan.h"
#include "format/animj/reader.h"

#define LOOK_AHEAD ((size_t)4096) /* more than any key that a template is made of takes, but for endless digits */
#define ROWS ((size_t)512)        /* keys that room is made for at once */

/* Where a row's values go. */
struct rows {
	uint8_t *column[ANIMJ_COLUMN_COUNT];
};

static uint16_t keep(struct animj_template *template, size_t *used, const uint8_t *text, size_t size)
{
	size_t at = *used;

	memcpy(template->text + at, text, size);
	*used += size;
	return (uint16_t)at;
}

void animj_learn(struct animj_templates *templates, enum anim_type type, const uint8_t *text, size_t size,
		 const struct animj_key *key)
{
	struct animj_template *template;
	size_t from = 0, used = 0;

	if (size > ANIMJ_TEMPLATE_TEXT / 2 || key->slot_count == 0)
		return;
	templates->current = templates->count < ANIMJ_TEMPLATES ? templates->count++ : templates->oldest++;
	templates->oldest %= ANIMJ_TEMPLATES;
	template = &templates->items[templates->current];
	template->row = *key;
	template->count = key->slot_count;
	for (size_t i = 0; i < key->slot_count; i++) {
		const struct animj_slot *slot = &key->slots[i];
		struct animj_piece *piece = &template->pieces[i];

		piece->length = (uint16_t)(slot->start - from);
		piece->at = keep(template, &used, text + from, piece->length);
		piece->column = slot->column;
		piece->offset = (uint8_t)(slot->lane * anim_types[type].lane_size);
		from = slot->end;
	}
	template->tail_length = (uint16_t)(size - from);
	template->tail = keep(template, &used, text + from, template->tail_length);
	template->separator = (uint16_t)used;
	template->separator_length = 0;
}

void animj_learn_separator(struct animj_templates *templates, const uint8_t *text, size_t size)
{
	struct animj_template *template = &templates->items[templates->current];

	if (templates->count == 0 || size > ANIMJ_TEMPLATE_TEXT - template->separator)
		return;
	memcpy(template->text + template->separator, text, size);
	template->separator_length = (uint16_t)size;
}

/* The number at `at` where JSON has it; NULL where it has not, which the reader of tokens explains. */
static inline const uint8_t *scan(const uint8_t *at, struct anim_decimal *decimal, bool *negative)
{
	const char *behind;

	*negative = *at == '-';
	at += *negative;
	behind = anim_scan_decimal((const char *)at, decimal);
	if (behind == NULL || decimal->last[-1] == '.' || !anim_is_digit(behind[-1]) ||
	    (*at == '0' && anim_is_digit((char)at[1])))
		return NULL;
	return (const uint8_t *)behind;
}

/* False beyond the largest float. */
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

/* One key by the template into a row: behind it, or NULL where the text is another. */
static inline const uint8_t *read_key(const struct animj_template *template, const uint8_t *at, const struct rows *row,
				      bool wide)
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

/* What no number sets: lanes that are missing, tangents that are not given. */
static inline void set_rest(const struct animj_template *template, const struct rows *row, bool tangents, size_t size)
{
	memcpy(row->column[ANIMJ_VALUE], template->row.value[ANIMJ_VALUE], size);
	if (!tangents)
		return;
	memcpy(row->column[ANIMJ_LEFT], template->row.value[ANIMJ_LEFT], size);
	memcpy(row->column[ANIMJ_RIGHT], template->row.value[ANIMJ_RIGHT], size);
}

/* The key at the cursor by whichever template fits; NULL where none does. *template is it. */
static const uint8_t *try_key(struct animj_templates *templates, const uint8_t *at, const struct rows *row,
			      bool tangents, size_t size, bool wide, const struct animj_template **used)
{
	for (size_t i = 0; i < templates->count; i++) {
		size_t which = (templates->current + i) % templates->count;
		const struct animj_template *template = &templates->items[which];
		const uint8_t *behind;

		set_rest(template, row, tangents, size);
		behind = read_key(template, at, row, wide);
		if (behind != NULL) {
			templates->current = which;
			*used = template;
			return behind;
		}
	}
	return NULL;
}

/* Room for ROWS more rows behind `n`; *row points to the first. 0 or -1. */
static int make_room(struct animj_columns *columns, size_t size, struct rows *row, struct anim_error *error)
{
	for (int i = 0; i < ANIMJ_COLUMN_COUNT; i++) {
		struct anim_buffer *buffer = &columns->column[i];

		if (anim_buffer_reserve(buffer, ROWS * (i == ANIMJ_TIME ? sizeof(float) : size), error) != 0)
			return -1;
		row->column[i] = buffer->data + buffer->size;
	}
	if (anim_buffer_reserve(&columns->interps, ROWS, error) != 0)
		return -1;
	return anim_buffer_reserve(&columns->given, ROWS, error);
}

/* `count` rows behind what the columns hold were filled. */
static void keep_rows(struct animj_columns *columns, const struct animj_track_head *head, size_t size, size_t count)
{
	columns->n += count;
	columns->column[ANIMJ_VALUE].size += count * size;
	if (columns->tangents) {
		columns->column[ANIMJ_LEFT].size += count * size;
		columns->column[ANIMJ_RIGHT].size += count * size;
	}
	if (head->kind != ANIM_RAW)
		columns->column[ANIMJ_TIME].size += count * sizeof(float);
	if (head->kind == ANIM_CURVE) {
		columns->interps.size += count;
		columns->given.size += count;
	}
}

/*
 * Up to ROWS keys, none that begins with fewer than `least` bytes of the window left; *behind as in animj_fast_keys, *more
 * where there may be others. Returns how many, or -1.
 */
static ptrdiff_t read_rows(struct animj_reader *reader, size_t least, bool *behind, bool *more,
			   struct anim_error *error)
{
	struct animj_columns *columns = &reader->columns;
	struct animj_text *text = reader->text;
	const struct anim_type_info *info = &anim_types[reader->head.type];
	const struct animj_template *used;
	struct rows row;
	size_t count = 0, size = info->size;
	bool wide = info->scalar == ANIM_SCALAR_F64;

	if (make_room(columns, size, &row, error) != 0)
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
			*behind = true;
			break;
		}
		text->at += used->separator_length;
	}
	keep_rows(columns, &reader->head, size, count);
	return (ptrdiff_t)count;
}

/* Near the end of the input all of it is in the window, and the zeros behind it are no key's. */
ptrdiff_t animj_fast_keys(struct animj_reader *reader, bool *behind, struct anim_error *error)
{
	struct animj_text *text = reader->text;
	bool more = reader->templates.count > 0 && !reader->templates.off;
	size_t least = LOOK_AHEAD / 2;
	ptrdiff_t all = 0, some;

	*behind = false;
	while (more && !*behind) {
		if ((size_t)(text->end - text->at) < LOOK_AHEAD && animj_more(text, LOOK_AHEAD, error) < 0)
			return -1;
		if ((size_t)(text->end - text->at) < LOOK_AHEAD)
			least = 1;
		if (text->at == text->end)
			break;
		some = read_rows(reader, least, behind, &more, error);
		if (some < 0)
			return -1;
		all += some;
	}
	return all;
}
