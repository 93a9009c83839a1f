/* decode.c: prog, TREE, NODE and CLIP payloads -> the model. */
#include <string.h>

#include "clip/check.h"
#include "stream/cursor.h"

/* Where each field of the record being decoded began; a field that was not met stands at the record's head. */
struct places {
	const uint8_t *field[ANIM_FIELD_COUNT];
};

static void places_init(struct places *places, const struct anim_record *record)
{
	for (size_t i = 0; i < ANIM_FIELD_COUNT; i++)
		places->field[i] = record->bytes;
}

/* Remembers where `field` begins and reads a number or a run of numbers. */
static int field_get(struct anim_cursor *cursor, struct places *places, enum anim_field field, void *to, size_t size)
{
	places->field[field] = cursor->at;
	return anim_cursor_get(cursor, to, size);
}

static int field_name(struct anim_cursor *cursor, struct places *places, enum anim_field field, const char **name)
{
	places->field[field] = cursor->at;
	return anim_cursor_name(cursor, name);
}

static int field_attrs(struct anim_cursor *cursor, struct places *places, struct anim_attrs *attrs)
{
	places->field[ANIM_FIELD_ATTRS] = cursor->at;
	return anim_cursor_attrs(cursor, attrs);
}

int anim_record_prog(const struct anim_record *record, struct anim_prog *prog, struct anim_arena *arena,
		     struct anim_error *error)
{
	struct anim_cursor cursor;

	anim_cursor_init(&cursor, record, arena, error);
	if (anim_cursor_name(&cursor, &prog->program) != 0 || anim_cursor_name(&cursor, &prog->version) != 0 ||
	    anim_cursor_attrs(&cursor, &prog->attrs) != 0)
		return -1;
	return anim_cursor_done(&cursor);
}

int anim_record_tree(const struct anim_record *record, struct anim_tree *tree, struct anim_arena *arena,
		     struct anim_error *error)
{
	struct anim_cursor cursor;
	struct places places;
	enum anim_field field;

	anim_cursor_init(&cursor, record, arena, error);
	places_init(&places, record);
	tree->record = record;
	if (field_get(&cursor, &places, ANIM_FIELD_AXES, &tree->axes, 1) != 0 ||
	    field_get(&cursor, &places, ANIM_FIELD_AXES2D, &tree->axes2d, 1) != 0 ||
	    anim_cursor_zeros(&cursor, 2) != 0 ||
	    field_name(&cursor, &places, ANIM_FIELD_ROOT, &tree->root_name) != 0 ||
	    field_name(&cursor, &places, ANIM_FIELD_SOURCE, &tree->source_file) != 0 ||
	    field_attrs(&cursor, &places, &tree->attrs) != 0 || anim_cursor_done(&cursor) != 0)
		return -1;
	if (anim_tree_check(tree, &field, error) != 0)
		return anim_cursor_place(&cursor, places.field[field]);
	return 0;
}

int anim_record_node(const struct anim_record *record, uint32_t number, struct anim_node *node,
		     struct anim_arena *arena, struct anim_error *error)
{
	struct anim_cursor cursor;
	struct places places;
	enum anim_field field;

	anim_cursor_init(&cursor, record, arena, error);
	places_init(&places, record);
	node->record = record;
	if (field_get(&cursor, &places, ANIM_FIELD_KIND, &node->kind, 1) != 0 ||
	    field_get(&cursor, &places, ANIM_FIELD_FLAGS, &node->has, 1) != 0 || anim_cursor_zeros(&cursor, 2) != 0 ||
	    field_get(&cursor, &places, ANIM_FIELD_PARENT, &node->parent, 4) != 0 ||
	    field_get(&cursor, &places, ANIM_FIELD_TRANSFORM, node->position, sizeof node->position) != 0 ||
	    anim_cursor_get(&cursor, node->rotation, sizeof node->rotation) != 0 ||
	    anim_cursor_get(&cursor, node->scale, sizeof node->scale) != 0 ||
	    field_name(&cursor, &places, ANIM_FIELD_NODE, &node->path) != 0 ||
	    field_name(&cursor, &places, ANIM_FIELD_TYPE, &node->type) != 0 ||
	    field_attrs(&cursor, &places, &node->attrs) != 0 || anim_cursor_done(&cursor) != 0)
		return -1;
	if (anim_node_check(node, number, &field, error) != 0)
		return anim_cursor_place(&cursor, places.field[field]);
	return 0;
}

int anim_record_clip(const struct anim_record *record, bool tree_before, struct anim_clip *clip,
		     struct anim_arena *arena, struct anim_error *error)
{
	struct anim_cursor cursor;
	struct places places;
	enum anim_field field;

	anim_cursor_init(&cursor, record, arena, error);
	places_init(&places, record);
	clip->record = record;
	if (field_get(&cursor, &places, ANIM_FIELD_START, &clip->start_s, 4) != 0 ||
	    field_get(&cursor, &places, ANIM_FIELD_END, &clip->end_s, 4) != 0 ||
	    field_get(&cursor, &places, ANIM_FIELD_LOOP, &clip->loop, 1) != 0 ||
	    field_get(&cursor, &places, ANIM_FIELD_AXES, &clip->axes, 1) != 0 ||
	    field_get(&cursor, &places, ANIM_FIELD_AXES2D, &clip->axes2d, 1) != 0 ||
	    field_get(&cursor, &places, ANIM_FIELD_FLAGS, &clip->flags, 1) != 0 ||
	    field_get(&cursor, &places, ANIM_FIELD_RATE, &clip->rate_num, 4) != 0 ||
	    anim_cursor_get(&cursor, &clip->rate_den, 4) != 0 ||
	    field_name(&cursor, &places, ANIM_FIELD_NAME, &clip->name) != 0 ||
	    field_name(&cursor, &places, ANIM_FIELD_ROOT, &clip->root) != 0 ||
	    field_name(&cursor, &places, ANIM_FIELD_SOURCE, &clip->source) != 0 ||
	    field_attrs(&cursor, &places, &clip->attrs) != 0 || anim_cursor_done(&cursor) != 0)
		return -1;
	if (anim_clip_check(clip, tree_before, &field, error) != 0)
		return anim_cursor_place(&cursor, places.field[field]);
	return 0;
}

void anim_record_at(const uint8_t *bytes, uint64_t offset, struct anim_record *record)
{
	memcpy(record->tag, bytes, 4);
	record->tag[4] = '\0';
	memcpy(&record->length, bytes + 8, 8);
	record->offset = offset;
	record->bytes = bytes;
	record->size = (size_t)(ANIM_RECORD_HEAD + ((record->length + 7) & ~(uint64_t)7));
}
