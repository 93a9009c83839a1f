/* keys_fast.c: keys whose text differs from that of a key before in its numbers alone. */
#include "format/unity/keys_fast.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/same_text.h"
#include "format/unity/keys_template.h"

#define TEMPLATES 4u
#define ROWS ((size_t)512) /* keys that room is made for at once */

struct unity_fast_keys {
	struct unity_template templates[TEMPLATES];
	unsigned count, oldest, current;
	unsigned changing; /* members that were seen to change within a curve */
	struct unity_template learnt;
	uint8_t tail[3 * UNITY_KEY_MAX + ANIM_INPUT_SLACK]; /* the end of the input, zeros behind */
};

/* Where a row's values go. */
struct rows {
	float *column[UNITY_COLUMN_COUNT];
	uint32_t *hint;
	uint8_t *mode, *version;
	unsigned with;
	int floats; /* columns of them */
};

/* One call. `at` is the next key; what is before `last` is passed when the window moves. */
struct run {
	struct unity_fast_keys *fast;
	struct unity_lines *lines;
	struct unity_columns *columns;
	const uint8_t *base;   /* the byte at lines->at, in the window or in `tail` */
	size_t at, last, size; /* from base: the next key, the one before it, where the bytes end */
	uint32_t lines_read;
	unsigned last_lines; /* of the key before */
	uint32_t column;
};

int unity_fast_new(struct unity_fast_keys **fast, struct anim_error *error)
{
	*fast = calloc(1, sizeof **fast);
	return *fast == NULL ? anim_fail_memory(error) : 0;
}

void unity_fast_free(struct unity_fast_keys *fast)
{
	free(fast);
}

/* Moves the window so that UNITY_KEY_MAX bytes from the next key on may be read. 0 or -1. */
static int move(struct run *run, struct anim_error *error)
{
	struct unity_lines *lines = run->lines;

	if (run->size - run->at >= UNITY_KEY_MAX && run->base == lines->at)
		return 0;
	unity_lines_pass(lines, run->last, false);
	run->at -= run->last;
	run->last = 0;
	if (lines->left < run->at + UNITY_KEY_MAX && !lines->all &&
	    unity_lines_more(lines, run->at + UNITY_KEY_MAX, error) != 0)
		return -1;
	run->base = lines->at;
	run->size = lines->left;
	if (run->size - run->at >= UNITY_KEY_MAX)
		return 0;
	/* At the end of the input; `at` is at most one key from the start. */
	memset(run->fast->tail, 0, sizeof run->fast->tail);
	memcpy(run->fast->tail, lines->at, lines->left);
	run->base = run->fast->tail;
	return 0;
}

/* One key by the template into a row: behind it, or NULL where the text is another. */
static inline const uint8_t *read_key(const struct unity_template *template, const uint8_t *at, const struct rows *row,
				      struct unity_key_rest *rest)
{
	for (size_t i = 0; i < template->count; i++) {
		const struct unity_slot *slot = &template->slots[i];
		uint32_t bits;

		if (!anim_same_text(at, template->text + slot->at, slot->length))
			return NULL;
		at += slot->length;
		if (__builtin_expect(slot->is_integer, 0)) {
			at = unity_scan_bits(at, &bits);
			if (at != NULL)
				unity_set_rest(rest, (enum unity_member)slot->member, bits);
		} else {
			at = unity_scan_float(at, row->column[slot->column] + slot->lane);
		}
		if (at == NULL)
			return NULL;
	}
	if (!anim_same_text(at, template->text + template->tail, template->tail_length))
		return NULL;
	return at + template->tail_length;
}

/* Room for ROWS more keys; `row` is the first. 0 or -1. */
static int make_room(struct unity_columns *columns, const struct unity_template *template, struct rows *row,
		     struct anim_error *error)
{
	unsigned with = template->with;

	if (columns->n == 0) {
		columns->lanes = template->lanes;
		columns->version = template->rest.version;
	} else if (template->rest.version != columns->version) {
		with |= UNITY_WITH_VERSIONS;
	}
	if (unity_columns_widen(columns, with, error) != 0 || unity_columns_reserve(columns, ROWS, error) != 0)
		return -1;
	*row = (struct rows){.with = columns->with};
	row->floats = columns->with & UNITY_WITH_WEIGHTS ? UNITY_COLUMN_COUNT : UNITY_LEFT_X;
	for (int i = 0; i < row->floats; i++)
		row->column[i] = (float *)(void *)(columns->column[i].data + columns->column[i].size);
	if (row->with & UNITY_WITH_HINTS)
		row->hint = (uint32_t *)(void *)(columns->hints.data + columns->hints.size);
	if (row->with & UNITY_WITH_MODES)
		row->mode = columns->modes.data + columns->modes.size;
	if (row->with & UNITY_WITH_VERSIONS)
		row->version = columns->versions.data + columns->versions.size;
	return 0;
}

/* Where weights have a column, those that stay; a slot may overwrite them. */
static inline void set_weights(const struct unity_template *template, const struct rows *row)
{
	memcpy(row->column[UNITY_LEFT_X], template->weights[0], template->lanes * sizeof(float));
	memcpy(row->column[UNITY_RIGHT_X], template->weights[1], template->lanes * sizeof(float));
}

/* Goes to the next row. */
static inline void advance(struct rows *row, unsigned lanes, const struct unity_key_rest *rest)
{
	row->column[UNITY_TIME]++;
	for (int i = UNITY_VALUE; i < row->floats; i++)
		row->column[i] += lanes;
	if (row->with & UNITY_WITH_HINTS)
		*row->hint++ = rest->hint;
	if (row->with & UNITY_WITH_MODES)
		*row->mode++ = rest->weighted;
	if (row->with & UNITY_WITH_VERSIONS)
		*row->version++ = rest->version;
}

static void keep_rows(struct unity_columns *columns, size_t count)
{
	columns->column[UNITY_TIME].size += count * sizeof(float);
	for (int i = UNITY_VALUE; i < UNITY_COLUMN_COUNT; i++)
		if (i < UNITY_LEFT_X || columns->with & UNITY_WITH_WEIGHTS)
			columns->column[i].size += count * columns->lanes * sizeof(float);
	if (columns->with & UNITY_WITH_HINTS)
		columns->hints.size += count * sizeof(uint32_t);
	if (columns->with & UNITY_WITH_MODES)
		columns->modes.size += count;
	if (columns->with & UNITY_WITH_VERSIONS)
		columns->versions.size += count;
	columns->n += count;
}

/* Up to ROWS keys by the template, none with fewer than UNITY_KEY_MAX bytes that may be read. How many or -1. */
static ptrdiff_t read_rows(struct run *run, const struct unity_template *template, struct anim_error *error)
{
	struct unity_columns *columns = run->columns;
	size_t count = 0, least = run->base == run->fast->tail ? 1 : UNITY_KEY_MAX;
	struct rows row;

	if (template->column != run->column || (columns->n > 0 && template->lanes != columns->lanes))
		return 0;
	if (make_room(columns, template, &row, error) != 0)
		return -1;
	while (count < ROWS && run->size - run->at >= least && columns->n + count < ANIM_KEYS_MAX) {
		struct unity_key_rest rest = template->rest;
		const uint8_t *behind;

		if (row.with & UNITY_WITH_WEIGHTS)
			set_weights(template, &row);
		behind = read_key(template, run->base + run->at, &row, &rest);
		if (behind == NULL || behind > run->base + run->size)
			break;
		advance(&row, template->lanes, &rest);
		run->last = run->at;
		run->at = (size_t)(behind - run->base);
		count++;
	}
	keep_rows(columns, count);
	if (count > 0)
		run->last_lines = template->lines;
	run->lines_read += (uint32_t)count * template->lines;
	return (ptrdiff_t)count;
}

static bool is_item(const struct run *run)
{
	const uint8_t *at = run->base + run->at;

	if (run->at + run->column >= run->size)
		return false;
	for (uint32_t i = 0; i + 2 < run->column; i++)
		if (at[i] != ' ')
			return false;
	return at[run->column - 2] == '-' && at[run->column - 1] == ' ';
}

/* Learns the next key as a template, the current one. False where it is not written as Unity does. */
static bool learn(struct run *run, bool within)
{
	struct unity_fast_keys *fast = run->fast;
	const uint8_t *at = run->base + run->at;
	unsigned changes;

	if (!unity_template_learn(&fast->learnt, at, run->column, fast->changing))
		return false;
	changes = within ? unity_template_changes(&fast->templates[fast->current], &fast->learnt) : ~0u;
	if (changes != ~0u) {
		fast->changing |= changes;
		if (!unity_template_learn(&fast->learnt, at, run->column, fast->changing))
			return false;
	} else {
		fast->current = fast->count < TEMPLATES ? fast->count++ : fast->oldest++ % TEMPLATES;
	}
	fast->templates[fast->current] = fast->learnt;
	return true;
}

/* Keys by whichever template fits the next one, a new one where none does. How many, or -1. */
static ptrdiff_t read_any(struct run *run, bool within, struct anim_error *error)
{
	struct unity_fast_keys *fast = run->fast;

	for (unsigned i = 0; i < fast->count; i++) {
		unsigned which = (fast->current + i) % fast->count;
		ptrdiff_t count = read_rows(run, &fast->templates[which], error);

		if (count != 0) {
			fast->current = which;
			return count;
		}
	}
	return is_item(run) && learn(run, within) ? read_rows(run, &fast->templates[fast->current], error) : 0;
}

static bool is_letter(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/*
 * Whether the last key ends where it seems to: the line behind it is none that YAML would add to its last scalar, but an
 * item, a member or a type of something that the key is inside of, or the end.
 */
static bool is_over(const struct run *run)
{
	const uint8_t *at = run->base + run->at;
	uint32_t indent = 0;

	if (run->at >= run->size)
		return true;
	while (indent < run->column && at[indent] == ' ')
		indent++;
	if (indent + 2 > run->column)
		return false;
	at += indent;
	if (indent == 0 && (memcmp(at, "---", 3) == 0 || memcmp(at, "...", 3) == 0))
		return true;
	return is_letter(*at) || (at[0] == '-' && at[1] == ' ');
}

ptrdiff_t unity_fast_keys(struct unity_fast_keys *fast, struct unity_lines *lines, struct unity_columns *columns,
			  uint32_t column, struct anim_error *error)
{
	struct run run = {.fast = fast, .lines = lines, .columns = columns, .column = column};
	uint32_t line = lines->line;
	size_t before = columns->n;
	ptrdiff_t count = 1;

	if (column < 2 || column > UNITY_TEMPLATE_TEXT)
		return 0;
	while (count > 0) {
		if (move(&run, error) != 0)
			return -1;
		count = run.at < run.size ? read_any(&run, columns->n > before, error) : 0;
	}
	if (count < 0)
		return -1;
	if (columns->n > before && !is_over(&run)) {
		unity_columns_drop(columns);
		run.at = run.last;
		run.lines_read -= run.last_lines;
	}
	if (before == 0 && columns->n > 0)
		columns->line = line;
	unity_lines_pass(lines, run.at, false);
	lines->line = line + run.lines_read;
	return (ptrdiff_t)(columns->n - before);
}
