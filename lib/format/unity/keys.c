/* keys.c: the keys of a curve: fast if their text has Unity's form, otherwise from nodes. */
#include "format/unity/file.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/scan.h"

/* ---- Growing columns ---- */

#define BIT(column) (1u << (column))
#define SLOPES (BIT(ANIM_COLUMN_LEFT) | BIT(ANIM_COLUMN_RIGHT))
#define WEIGHTS (BIT(ANIM_COLUMN_LEFT_X) | BIT(ANIM_COLUMN_RIGHT_X))
#define COMPONENTS_MAX 4u
#define WEIGHT (1.0f / 3.0f) /* 0.33333334, written by Unity if a key is not weighted */

/* The members of a key other than time, value, slopes and weights. */
struct key_rest {
	uint32_t hint; /* tangentMode as in the file */
	uint8_t weighted, version;
};

static void reset(struct unity_keys *keys, unsigned components)
{
	static const enum anim_type types[] = {ANIM_FLOAT, ANIM_FLOAT, ANIM_FLOAT2, ANIM_FLOAT3, ANIM_FLOATQ};

	anim_keys_reset(&keys->columns, types[components]);
	keys->components = components;
}

/*
 * Return tangentMode in the form used since 5.5, with four bits per side. Before 5.5 it had two bits per side. In both
 * forms, bit 0 means broken tangents. Old keys of vectors contain garbage there.
 */
static uint32_t hint_of(const struct key_rest *rest, unsigned components)
{
	uint32_t old = rest->hint;

	if (rest->version > 1)
		return old;
	return components > 1 ? 0 : ((old >> 1) & 3) << 1 | ((old >> 3) & 3) << 5 | (old & 1);
}

static bool any_weight(const struct unity_keys *keys, enum anim_column id)
{
	const float *weights = (const float *)(const void *)keys->columns.column[id].data;

	for (size_t i = 0; i < keys->columns.n * keys->components; i++)
		if (weights[i] != WEIGHT)
			return true;
	return false;
}

/*
 * Fill `track`: Weighted if any weight differs from 1/3 or is switched on, otherwise Hermite. Columns without
 * information in any key are left out.
 */
static void finish(struct unity_keys *keys)
{
	unsigned *has = &keys->columns.present;

	if ((*has & WEIGHTS) && !any_weight(keys, ANIM_COLUMN_LEFT_X) && !any_weight(keys, ANIM_COLUMN_RIGHT_X))
		*has &= ~WEIGHTS;
	for (enum anim_column id = ANIM_COLUMN_WEIGHTED; id <= ANIM_COLUMN_HINT; id++) {
		const struct anim_buffer *column = &keys->columns.column[id];
		bool any = false;

		for (size_t i = 0; i < column->size && !any; i++)
			any = column->data[i] != 0;
		if (!any)
			*has &= ~BIT(id);
	}
	keys->track = (struct anim_track){.kind = ANIM_CURVE};
	anim_keys_finish(&keys->columns, &keys->track);
	keys->track.interp = *has & (WEIGHTS | BIT(ANIM_COLUMN_WEIGHTED)) ? ANIM_WEIGHTED : ANIM_HERMITE;
}

/* Return the next keys of the pool, which are empty. NULL if out of memory. */
static struct unity_keys *next_keys(struct unity_keys_pool *pool, struct anim_error *error)
{
	if (pool->used == pool->count) {
		struct unity_keys **items = realloc(pool->items, (pool->count + 1) * sizeof(struct unity_keys *));
		struct unity_keys *added = calloc(1, sizeof *added);

		if (items != NULL)
			pool->items = items;
		if (items == NULL || added == NULL) {
			free(added);
			anim_fail_memory(error);
			return NULL;
		}
		pool->items[pool->count++] = added;
	}
	reset(pool->items[pool->used], 0);
	return pool->items[pool->used++];
}

/* ---- One key from the map that describes it: the plain way ---- */

/* The numbers of a key, by components. */
struct slow_key {
	float time, components[ANIM_COLUMN_COUNT][COMPONENTS_MAX];
	struct key_rest rest;
	unsigned value_components;
};

struct key_reading {
	const struct unity_node *map, **culprit;
	struct anim_error *error;
};

/* Return the last member with this name, and record it as the cause of a possible error. */
static const struct unity_node *blame(const struct key_reading *reading, const char *name)
{
	const struct unity_node *node = unity_get(reading->map, name);

	*reading->culprit = node != NULL ? node : reading->map;
	return node;
}

/* Read the members that are numbers or maps of numbers. Missing components get the usual value. Returns 0 or -1. */
static int read_vectors(const struct key_reading *reading, struct slow_key *key)
{
	static const struct {
		const char *name;
		enum anim_column column;
		float otherwise;
	} members[] = {{"value", ANIM_COLUMN_VALUE, 0},
		       {"inSlope", ANIM_COLUMN_LEFT, 0},
		       {"outSlope", ANIM_COLUMN_RIGHT, 0},
		       {"inWeight", ANIM_COLUMN_LEFT_X, WEIGHT},
		       {"outWeight", ANIM_COLUMN_RIGHT_X, WEIGHT}};

	for (size_t i = 0; i < ANIM_COUNT(members); i++) {
		const struct unity_node *node = blame(reading, members[i].name);
		float *components = key->components[members[i].column];
		unsigned count = 0;
		int got = 0;

		for (unsigned k = 0; k < COMPONENTS_MAX; k++)
			components[k] = members[i].otherwise;
		if (node != NULL && node->kind == UNITY_MAP) {
			got = unity_vector(reading->map, members[i].name, components, &count, reading->error);
		} else if (node != NULL) {
			count = node->length > 0;
			got = unity_float(reading->map, members[i].name, components, reading->error);
		}
		if (got < 0)
			return -1;
		if (members[i].column == ANIM_COLUMN_VALUE)
			key->value_components = count == 0 ? 1 : count;
		else if (count > key->value_components)
			return anim_fail(reading->error, ANIM_BAD_INPUT, "%s has %u components, but the value has %u",
					 members[i].name, count, key->value_components);
	}
	return 0;
}

/* Read an integer member that fits in 32 bits, signed or unsigned. Returns 0 or -1. */
static int read_bits(const struct key_reading *reading, const char *name, int64_t *value)
{
	blame(reading, name);
	if (unity_int64(reading->map, name, value, reading->error) < 0)
		return -1;
	if (*value < INT32_MIN || *value > UINT32_MAX)
		return anim_fail(reading->error, ANIM_BAD_INPUT, "%s is out of range", name);
	return 0;
}

/*
 * Append the key that the map describes. Missing members are 0, missing weights 1/3. Returns 0, or -1 with a message,
 * and the node that it concerns in *culprit.
 */
static int add_key(struct unity_keys *keys, const struct unity_node *node, const struct unity_node **culprit,
		   struct anim_error *error)
{
	struct key_reading reading = {.map = node, .culprit = culprit, .error = error};
	struct slow_key key = {0};
	struct anim_keys *columns = &keys->columns;
	int64_t version = 1, old_hint = 0, weighted = 0;
	unsigned needed = SLOPES | columns->present;
	uint32_t hint;

	*culprit = node;
	if (node->kind != UNITY_MAP)
		return anim_fail(error, ANIM_BAD_INPUT, "a key is not a map of its members");
	if (keys->columns.n == ANIM_KEYS_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "more than %u keys", ANIM_KEYS_MAX);
	blame(&reading, "time");
	if (unity_float(node, "time", &key.time, error) < 0 || read_vectors(&reading, &key) != 0 ||
	    read_bits(&reading, "serializedVersion", &version) != 0 ||
	    read_bits(&reading, "tangentMode", &old_hint) != 0 || read_bits(&reading, "weightedMode", &weighted) != 0)
		return -1;
	key.rest = (struct key_rest){.version = version < 1           ? 1
						: version > UINT8_MAX ? UINT8_MAX
								      : (uint8_t)version,
				     .hint = (uint32_t)old_hint,
				     .weighted = (uint8_t)(weighted & 3)};
	blame(&reading, "value");
	if (keys->columns.n > 0 && key.value_components != keys->components)
		return anim_fail(error, ANIM_BAD_INPUT, "a key has %u components, but earlier keys have %u",
				 key.value_components, keys->components);
	if (keys->columns.n == 0) {
		reset(keys, key.value_components);
		needed = SLOPES | columns->present;
	}

	/* Find the columns that this key needs in addition. */
	for (unsigned i = 0; i < key.value_components; i++)
		if (key.components[ANIM_COLUMN_LEFT_X][i] != WEIGHT || key.components[ANIM_COLUMN_RIGHT_X][i] != WEIGHT)
			needed |= WEIGHTS;
	if (key.rest.hint != 0)
		needed |= BIT(ANIM_COLUMN_HINT);
	if (key.rest.weighted != 0)
		needed |= BIT(ANIM_COLUMN_WEIGHTED);
	hint = hint_of(&key.rest, key.value_components);
	if (anim_keys_add(columns, key.time, key.components[ANIM_COLUMN_VALUE], ANIM_WEIGHTED, error) != 0)
		return -1;
	for (enum anim_column id = ANIM_COLUMN_LEFT; id <= ANIM_COLUMN_RIGHT_X; id++)
		if ((needed & BIT(id)) && anim_keys_set(columns, id, key.components[id], error) != 0)
			return -1;
	if ((needed & BIT(ANIM_COLUMN_WEIGHTED)) &&
	    anim_keys_set(columns, ANIM_COLUMN_WEIGHTED, &key.rest.weighted, error) != 0)
		return -1;
	return needed & BIT(ANIM_COLUMN_HINT) ? anim_keys_set(columns, ANIM_COLUMN_HINT, &hint, error) : 0;
}

/* ---- Numbers as Unity writes them ---- */

#define NUMBER_SHORT 96 /* characters of a number that is read fast */

/*
 * Read a decimal without sign that base/number_scan.h does not accept: ".0333" of Unity 4. Returns NULL for other
 * texts.
 */
static const char *scan_fraction(const char *at, struct anim_decimal *decimal)
{
	uint64_t mantissa = 0;
	const char *end = anim_scan_digits(at + 1, &mantissa);

	if (end == at + 1 || end - at > 19 || (*end | 0x20) == 'e')
		return NULL;
	*decimal = (struct anim_decimal){.mantissa = mantissa, .exponent = at + 1 - end, .unit = at + 1 - end};
	decimal->first = at;
	decimal->last = end;
	return end;
}

/* Read the float at `at`. Returns its end, or NULL unless it is Infinity or a decimal in Unity's form. */
static inline const uint8_t *scan_float(const uint8_t *at, float *value)
{
	const char *start = (const char *)at, *from = start, *end;
	struct anim_decimal decimal;
	float magnitude;
	bool negative = *from == '-';

	from += negative;
	if (__builtin_expect(anim_is_digit(*from), 1)) {
		end = anim_scan_decimal(from, &decimal);
		if (!anim_is_digit(end[-1]))
			return NULL;
		magnitude = anim_decimal_float(&decimal);
	} else if (*from == '.') {
		end = scan_fraction(from, &decimal);
		if (end == NULL)
			return NULL;
		magnitude = anim_decimal_float(&decimal);
	} else if (memcmp(from, "Infinity", 8) == 0) {
		end = from + 8;
		magnitude = __builtin_inff();
	} else {
		return NULL;
	}
	*value = negative ? -magnitude : magnitude;
	return end - start > NUMBER_SHORT ? NULL : (const uint8_t *)end;
}

/* Read a 32-bit integer, signed or unsigned. Returns its end or NULL. */
static const uint8_t *scan_bits(const uint8_t *at, uint32_t *bits)
{
	bool negative = *at == '-';
	const uint8_t *start = at += negative;
	uint64_t value = 0;

	for (; anim_is_digit((char)*at) && at - start < 10; at++)
		value = value * 10 + (uint64_t)(*at - '0');
	if (at == start || anim_is_digit((char)*at) || value > (negative ? UINT64_C(1) << 31 : UINT32_MAX))
		return NULL;
	*bits = negative ? 0 - (uint32_t)value : (uint32_t)value;
	return at;
}

/* ---- Templates: the text of a key, split into constant and changing parts ---- */

#define KEY_MAX ((size_t)4096)       /* more bytes than any key that is read fast */
#define TEMPLATE_TEXT ((size_t)1024) /* with 8 spare bytes */
#define SLOTS_MAX 24u                /* time, 5 vectors of 4, 3 integers */

/* The members of a key in the order in which Unity writes them. */
enum member {
	MEMBER_VERSION,
	MEMBER_TIME,
	MEMBER_VALUE,
	MEMBER_LEFT,
	MEMBER_RIGHT,
	MEMBER_HINT,
	MEMBER_MODE,
	MEMBER_LEFT_X,
	MEMBER_RIGHT_X,
	MEMBER_COUNT
};

/* Members that are usually the same in all keys of a curve. Their text is constant until a different one is found. */
#define MEMBERS_CONSTANT \
	(1u << MEMBER_VERSION | 1u << MEMBER_HINT | 1u << MEMBER_MODE | 1u << MEMBER_LEFT_X | 1u << MEMBER_RIGHT_X)

/* A number, and the text before it. */
struct key_slot {
	uint16_t at, length;
	uint8_t column, component;  /* of floats: enum anim_column */
	uint8_t member, is_integer; /* of integers: enum member */
};

struct key_template {
	uint32_t column;            /* of the members */
	unsigned components, lines; /* of a key */
	unsigned members;           /* members that the key has, as bits of enum member */
	unsigned with;              /* the further columns that its keys need, as bits of enum anim_column */
	size_t count;               /* number of slots */
	uint16_t tail, tail_length;
	struct key_slot slots[SLOTS_MAX];
	struct key_rest rest;             /* of the constant text */
	float weights[2][COMPONENTS_MAX]; /* of the constant text: in, out */
	uint8_t text[TEMPLATE_TEXT + 8];  /* of the slots and the tail, one after another */
	uint16_t value[MEMBER_COUNT][2];  /* position in `text` of the constant value of a member, and its length */
};

/* ---- Learning a template ---- */

static const struct {
	const char *name;
	bool integer;
	enum anim_column column;
} members[MEMBER_COUNT] = {
    {"serializedVersion", true, 0},
    {"time", false, ANIM_COLUMN_TIME},
    {"value", false, ANIM_COLUMN_VALUE},
    {"inSlope", false, ANIM_COLUMN_LEFT},
    {"outSlope", false, ANIM_COLUMN_RIGHT},
    {"tangentMode", true, 0},
    {"weightedMode", true, 0},
    {"inWeight", false, ANIM_COLUMN_LEFT_X},
    {"outWeight", false, ANIM_COLUMN_RIGHT_X},
};

#define REQUIRED (1u << MEMBER_TIME | 1u << MEMBER_VALUE | 1u << MEMBER_LEFT | 1u << MEMBER_RIGHT)

/* A key from which a template is learnt. */
struct key_lesson {
	struct key_template *template;
	const uint8_t *at, *end; /* the bytes that may be read */
	const uint8_t *kept;     /* the text up to here is in the template */
	size_t used;             /* bytes used of its text */
	size_t piece;            /* position in it of the text before the next number */
	unsigned changing;
	int member; /* the last one; -1: none */
};

/* Store the integer of a member. */
static void set_rest(struct key_rest *rest, enum member member, uint32_t bits)
{
	if (member == MEMBER_HINT)
		rest->hint = bits;
	else if (member == MEMBER_MODE)
		rest->weighted = bits & 3;
	else
		rest->version = (int32_t)bits < 1 ? 1 : bits > UINT8_MAX ? UINT8_MAX : (uint8_t)bits;
}

static bool literal(struct key_lesson *lesson, const char *text)
{
	size_t length = strlen(text);

	if ((size_t)(lesson->end - lesson->at) < length || memcmp(lesson->at, text, length) != 0)
		return false;
	lesson->at += length;
	return true;
}

static bool spaces(struct key_lesson *lesson, uint32_t count)
{
	if ((size_t)(lesson->end - lesson->at) < count)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (lesson->at[i] != ' ')
			return false;
	lesson->at += count;
	return true;
}

/* Copy the text up to `to` into the template. */
static bool keep(struct key_lesson *lesson, const uint8_t *to)
{
	size_t length = (size_t)(to - lesson->kept);

	if (length > TEMPLATE_TEXT - lesson->used)
		return false;
	memcpy(lesson->template->text + lesson->used, lesson->kept, length);
	lesson->used += length;
	lesson->kept = to;
	return true;
}

/* Add a changing number, between the cursor and `end`. */
static bool add_slot(struct key_lesson *lesson, int member, unsigned component, const uint8_t *end)
{
	struct key_template *template = lesson->template;
	struct key_slot *slot = &template->slots[template->count];

	if (template->count == SLOTS_MAX || !keep(lesson, lesson->at))
		return false;
	template->count++;
	slot->at = (uint16_t)lesson->piece;
	slot->length = (uint16_t)(lesson->used - lesson->piece);
	slot->member = (uint8_t)member;
	slot->is_integer = members[member].integer;
	slot->column = (uint8_t)members[member].column;
	slot->component = (uint8_t)component;
	lesson->piece = lesson->used;
	lesson->kept = end;
	return true;
}

static bool stays(const struct key_lesson *lesson, int member)
{
	return (MEMBERS_CONSTANT & ~lesson->changing) >> member & 1;
}

static bool number(struct key_lesson *lesson, int member, unsigned component)
{
	const uint8_t *end;
	float value = 0;
	uint32_t bits = 0;

	end = members[member].integer ? scan_bits(lesson->at, &bits) : scan_float(lesson->at, &value);
	if (end == NULL || end > lesson->end)
		return false;
	if (!stays(lesson, member)) {
		if (!add_slot(lesson, member, component, end))
			return false;
	} else if (members[member].integer) {
		set_rest(&lesson->template->rest, (enum member)member, bits);
	} else {
		lesson->template->weights[member - MEMBER_LEFT_X][component] = value;
	}
	lesson->at = end;
	return true;
}

/* Read {x: 0, y: 0, z: 0, w: 1}. Returns the number of components, or 0 for other texts. */
static unsigned vector(struct key_lesson *lesson, int member)
{
	static const char *const before[COMPONENTS_MAX] = {"{x: ", ", y: ", ", z: ", ", w: "};
	unsigned components = 0;

	while (components < COMPONENTS_MAX && literal(lesson, before[components]))
		if (!number(lesson, member, components++))
			return 0;
	return literal(lesson, "}") ? components : 0;
}

/* Read one line after its indent. */
static bool line(struct key_lesson *lesson)
{
	struct key_template *template = lesson->template;
	const uint8_t *start;
	unsigned components = 1;
	int member = lesson->member + 1;

	while (member < MEMBER_COUNT && !literal(lesson, members[member].name))
		member++;
	if (member == MEMBER_COUNT)
		return false;
	lesson->member = member;
	template->members |= 1u << member;
	template->lines++;
	if (!literal(lesson, ": "))
		return false;
	start = lesson->at;
	if (lesson->at < lesson->end && *lesson->at == '{')
		components = members[member].integer ? 0 : vector(lesson, member);
	else if (!number(lesson, member, 0))
		return false;
	if (components == 0)
		return false;
	if (member == MEMBER_VALUE)
		template->components = components;
	if (stays(lesson, member)) {
		if (!keep(lesson, lesson->at))
			return false;
		template->value[member][1] = (uint16_t)(lesson->at - start);
		template->value[member][0] = (uint16_t)(lesson->used - template->value[member][1]);
	}
	if (components != (members[member].integer || member <= MEMBER_TIME ? 1 : template->components))
		return false;
	return literal(lesson, "\n") || literal(lesson, "\r\n");
}

/* Return true if the line at the cursor has a member in the column, so that it belongs to the key. */
static bool belongs_to_key(struct key_lesson *lesson, uint32_t column)
{
	const uint8_t *start = lesson->at;

	if (spaces(lesson, column) && lesson->at < lesson->end && *lesson->at != ' ' && *lesson->at != '-')
		return true;
	lesson->at = start;
	return false;
}

/*
 * Learn from the key at `at`. Its members begin in this column, and KEY_MAX bytes of it may be read. The members in
 * `changing` become slots. Returns false if the key is not written in Unity's form.
 */
static bool learn_template(struct key_template *template, const uint8_t *at, uint32_t column, unsigned changing)
{
	struct key_lesson lesson = {
	    .template = template, .at = at, .end = at + KEY_MAX, .kept = at, .changing = changing, .member = -1};

	*template = (struct key_template){.column = column, .rest.version = 1};
	for (unsigned i = 0; i < COMPONENTS_MAX; i++)
		template->weights[0][i] = template->weights[1][i] = WEIGHT;
	if (column < 2 || !spaces(&lesson, column - 2) || !literal(&lesson, "- "))
		return false;
	do
		if (!line(&lesson))
			return false;
	while (belongs_to_key(&lesson, column));
	if ((template->members & REQUIRED) != REQUIRED || !keep(&lesson, lesson.at))
		return false;
	template->tail = (uint16_t)lesson.piece;
	template->tail_length = (uint16_t)(lesson.used - lesson.piece);

	/* Find the further columns that its keys need. */
	changing &= template->members;
	template->with = changing &(1u << MEMBER_LEFT_X | 1u << MEMBER_RIGHT_X) ? SLOPES | WEIGHTS : SLOPES;
	for (unsigned i = 0; i < template->components; i++)
		if (template->weights[0][i] != WEIGHT || template->weights[1][i] != WEIGHT)
			template->with |= WEIGHTS;
	if (changing & 1u << MEMBER_HINT || template->rest.hint != 0)
		template->with |= BIT(ANIM_COLUMN_HINT);
	if (changing & 1u << MEMBER_MODE || template->rest.weighted != 0)
		template->with |= BIT(ANIM_COLUMN_WEIGHTED);
	return true;
}

/* ---- Reading with templates ---- */

#define TEMPLATES 4u       /* a clip mixes keys of one, three and four components, some with weights */
#define ROWS ((size_t)512) /* keys to reserve space for at once */

struct unity_fast_keys {
	struct key_template templates[TEMPLATES];
	unsigned count, oldest, current;
	unsigned changing; /* members that have changed within a curve */
	struct key_template learnt;
	uint8_t tail[3 * KEY_MAX + ANIM_INPUT_SLACK]; /* the end of the input, followed by zeros */
};

/* The destinations of a key's values: the next element of every existing column. */
struct key_rows {
	float *column[ANIM_COLUMN_COUNT]; /* of floats */
	uint32_t *hint;
	uint8_t *weighted;
	unsigned has; /* the existing columns, as bits */
};

/* The state of one call. `at` is the next key. Bytes before `last` are passed when the window moves. */
struct fast_run {
	struct unity_fast_keys *fast;
	struct unity_lines *lines;
	struct unity_keys *keys;
	const uint8_t *base;   /* the byte at lines->at, in the window or in `tail` */
	size_t at, last, size; /* relative to base: the next key, the one before it, the end of the bytes */
	uint32_t lines_read;
	unsigned last_lines; /* of the previous key */
	uint32_t column;
};

int unity_fast_new(struct unity_fast_keys **fast, struct anim_error *error)
{
	*fast = anim_zeroed(sizeof **fast, error);
	return *fast == NULL ? -1 : 0;
}

void unity_fast_free(struct unity_fast_keys *fast)
{
	free(fast);
}

/* Move the window so that KEY_MAX bytes from the next key on may be read. Returns 0 or -1. */
static int move_window(struct fast_run *run, struct anim_error *error)
{
	struct unity_lines *lines = run->lines;

	if (run->size - run->at >= KEY_MAX && run->base == lines->at)
		return 0;
	unity_lines_pass(lines, run->last, false);
	run->at -= run->last;
	run->last = 0;
	if (lines->left < run->at + KEY_MAX && !lines->all && unity_lines_more(lines, run->at + KEY_MAX, error) != 0)
		return -1;
	run->base = lines->at;
	run->size = lines->left;
	if (run->size - run->at >= KEY_MAX)
		return 0;
	/* This is the end of the input, and `at` is at most one key from the start. */
	memset(run->fast->tail, 0, sizeof run->fast->tail);
	memcpy(run->fast->tail, lines->at, lines->left);
	run->base = run->fast->tail;
	return 0;
}

/* Read one key with the template into a row. Returns its end, or NULL if the text differs. */
static inline const uint8_t *read_key(const struct key_template *template, const uint8_t *at,
				      const struct key_rows *row, struct key_rest *rest)
{
	for (size_t i = 0; i < template->count; i++) {
		const struct key_slot *slot = &template->slots[i];
		uint32_t bits;

		if (!anim_same_text(at, template->text + slot->at, slot->length))
			return NULL;
		at += slot->length;
		if (__builtin_expect(slot->is_integer, 0)) {
			at = scan_bits(at, &bits);
			if (at != NULL)
				set_rest(rest, (enum member)slot->member, bits);
		} else {
			at = scan_float(at, row->column[slot->column] + slot->component);
		}
		if (at == NULL)
			return NULL;
	}
	if (!anim_same_text(at, template->text + template->tail, template->tail_length))
		return NULL;
	return at + template->tail_length;
}

/* Return the place of the next key's element, or NULL if the column does not exist. */
static void *next_of(const struct anim_keys *columns, enum anim_column id)
{
	const struct anim_buffer *column = &columns->column[id];

	return column->data == NULL ? NULL : column->data + column->size;
}

/* Move to the next row. */
static inline void advance(struct key_rows *row, unsigned components, const struct key_rest *rest)
{
	row->column[ANIM_COLUMN_TIME]++;
	row->column[ANIM_COLUMN_VALUE] += components;
	row->column[ANIM_COLUMN_LEFT] += components;
	row->column[ANIM_COLUMN_RIGHT] += components;
	if (row->has & WEIGHTS) {
		row->column[ANIM_COLUMN_LEFT_X] += components;
		row->column[ANIM_COLUMN_RIGHT_X] += components;
	}
	if (row->has & BIT(ANIM_COLUMN_HINT))
		*row->hint++ = hint_of(rest, components);
	if (row->has & BIT(ANIM_COLUMN_WEIGHTED))
		*row->weighted++ = rest->weighted;
}

/*
 * Read up to ROWS keys with the template, each only if KEY_MAX bytes from its start may be read. Returns the number of
 * keys or -1.
 */
static ptrdiff_t read_rows(struct fast_run *run, const struct key_template *template, struct anim_error *error)
{
	struct unity_keys *keys = run->keys;
	size_t count = 0, least = run->base == run->fast->tail ? 1 : KEY_MAX;
	struct anim_keys *columns = &keys->columns;
	struct key_rows row;

	if (template->column != run->column || (keys->columns.n > 0 && template->components != keys->components))
		return 0;

	/* Reserve space for ROWS more keys. */
	if (columns->n == 0)
		reset(keys, template->components);
	if (anim_keys_widen(columns, template->with, error) != 0 ||
	    anim_keys_reserve(columns, columns->present, ROWS, error) != 0)
		return -1;
	row.has = columns->present;
	for (enum anim_column id = ANIM_COLUMN_TIME; id <= ANIM_COLUMN_RIGHT_X; id++)
		row.column[id] = next_of(columns, id);
	row.hint = next_of(columns, ANIM_COLUMN_HINT);
	row.weighted = next_of(columns, ANIM_COLUMN_WEIGHTED);

	while (count < ROWS && run->size - run->at >= least && keys->columns.n + count < ANIM_KEYS_MAX) {
		struct key_rest rest = template->rest;
		const uint8_t *end;

		/* If weights have columns, set the constant ones. A slot may overwrite them. */
		if (row.has & WEIGHTS) {
			memcpy(row.column[ANIM_COLUMN_LEFT_X], template->weights[0],
			       template->components * sizeof(float));
			memcpy(row.column[ANIM_COLUMN_RIGHT_X], template->weights[1],
			       template->components * sizeof(float));
		}
		end = read_key(template, run->base + run->at, &row, &rest);
		if (end == NULL || end > run->base + run->size)
			break;
		advance(&row, template->components, &rest);
		run->last = run->at;
		run->at = (size_t)(end - run->base);
		count++;
	}
	anim_keys_grow(&keys->columns, count, ANIM_WEIGHTED);
	if (count > 0)
		run->last_lines = template->lines;
	run->lines_read += (uint32_t)count * template->lines;
	return (ptrdiff_t)count;
}

static bool is_item(const struct fast_run *run)
{
	const uint8_t *at = run->base + run->at;

	if (run->at + run->column >= run->size)
		return false;
	for (uint32_t i = 0; i + 2 < run->column; i++)
		if (at[i] != ' ')
			return false;
	return at[run->column - 2] == '-' && at[run->column - 1] == ' ';
}

/* Learn the next key as the current template. Returns false if it is not written in Unity's form. */
static bool learn(struct fast_run *run, bool within)
{
	struct unity_fast_keys *fast = run->fast;
	const struct key_template *a = &fast->templates[fast->current], *b = &fast->learnt;
	const uint8_t *at = run->base + run->at;

	if (!learn_template(&fast->learnt, at, run->column, fast->changing))
		return false;
	if (within && a->column == b->column && a->members == b->members && a->components == b->components) {
		/* Constant members whose values differ between the two become slots. */
		for (int i = 0; i < MEMBER_COUNT; i++)
			if (a->value[i][1] != b->value[i][1] ||
			    memcmp(a->text + a->value[i][0], b->text + b->value[i][0], a->value[i][1]) != 0)
				fast->changing |= 1u << i;
		if (!learn_template(&fast->learnt, at, run->column, fast->changing))
			return false;
	} else {
		fast->current = fast->count < TEMPLATES ? fast->count++ : fast->oldest++ % TEMPLATES;
	}
	fast->templates[fast->current] = fast->learnt;
	return true;
}

/* Read keys with the first template that matches the next one, or with a new one. Returns the number of keys or -1. */
static ptrdiff_t read_any(struct fast_run *run, bool within, struct anim_error *error)
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

/*
 * Return true if the last key certainly ends where it seems to. The next line must not be one that YAML would add to
 * the last scalar of the key. It must be an item, a member or a type of a node around the key, or the end.
 */
static bool is_over(const struct fast_run *run)
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
	return (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_' || (at[0] == '-' && at[1] == ' ');
}

ptrdiff_t unity_fast_read(struct unity_fast_keys *fast, struct unity_lines *lines, struct unity_keys *keys,
			  uint32_t column, struct anim_error *error)
{
	struct fast_run run = {.fast = fast, .lines = lines, .keys = keys, .column = column};
	uint32_t line = lines->line;
	size_t before = keys->columns.n;
	ptrdiff_t count = 1;

	if (column < 2 || column > TEMPLATE_TEXT)
		return 0;
	while (count > 0) {
		if (move_window(&run, error) != 0)
			return -1;
		count = run.at < run.size ? read_any(&run, keys->columns.n > before, error) : 0;
	}
	if (count < 0)
		return -1;
	if (keys->columns.n > before && !is_over(&run)) {
		anim_keys_cut(&keys->columns, keys->columns.n - 1);
		run.at = run.last;
		run.lines_read -= run.last_lines;
	}
	unity_lines_pass(lines, run.at, false);
	lines->line = line + run.lines_read;
	return (ptrdiff_t)(keys->columns.n - before);
}

/* ---- The keys of a curve ---- */

/*
 * Read an item that begins with the event. If it is in the line given last, read from there as many keys as the fast
 * way can. libfyaml then sees only the first line of the first of them. Returns 0 or -1.
 */
static int read_item(struct unity_file *file, struct unity_keys *keys, const struct unity_yaml_event *event,
		     const char *name)
{
	const struct unity_node *culprit = NULL;
	struct unity_node *node;
	struct anim_place place;

	if (event->type == UNITY_EVENT_MAP && file->fast != NULL && unity_feed_is_at(&file->feed, event->given)) {
		ptrdiff_t count = unity_fast_read(file->fast, &file->lines, keys, event->column, file->error);

		if (count < 0)
			return -1;
		if (count > 0) {
			unity_feed_jumped(&file->feed);
			return unity_node_drop(file, event);
		}
	}
	anim_arena_reset(&file->key_arena);
	if (unity_node_build(file, &file->key_arena, event, name, false, &node) != 0)
		return -1;
	if (add_key(keys, node, &culprit, file->error) == 0)
		return 0;
	unity_place(file, culprit, &place);
	return anim_error_at(file->error, &place);
}

int unity_keys_build(struct unity_file *file, struct unity_node *node)
{
	struct unity_keys *keys = next_keys(&file->pool, file->error);
	struct unity_yaml_event event;

	if (keys == NULL || unity_need_event(file, &event) != 0)
		return -1;
	while (event.type != UNITY_EVENT_LIST_END)
		if (read_item(file, keys, &event, node->key) != 0 || unity_need_event(file, &event) != 0)
			return -1;
	finish(keys);
	node->kind = UNITY_KEYS;
	node->count = keys->columns.n;
	node->keys = &keys->track;
	return 0;
}

void unity_keys_clear(struct unity_file *file)
{
	for (size_t i = 0; i < file->pool.count; i++) {
		anim_keys_clear(&file->pool.items[i]->columns);
		free(file->pool.items[i]);
	}
	free(file->pool.items);
	file->pool = (struct unity_keys_pool){0};
	unity_fast_free(file->fast);
	anim_arena_clear(&file->key_arena);
}
