/* cat.c: several streams, read one after another, as one stream. */
#include "filter/cat/cat.h"

#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "filter/filter.h"
#include "stream/record.h"

struct cat {
	struct anim_filter filter;
	struct anim_buffer chain;    /* the prog records of the current input, with unknown records among them */
	struct anim_text_set chains; /* chains that were passed on */
	/* The current TREE with its NODEs and the unknown records among them, and the TREE that was passed on last. */
	struct anim_buffer tree, last_tree;
	struct anim_arena arena; /* of a record that is passed on */
};

static int append(struct anim_buffer *buffer, const struct anim_record *record, struct anim_error *error)
{
	return anim_buffer_append(buffer, record->bytes, record->size, error);
}

/* Pass on all records of a buffer. */
static int pass_all(struct cat *cat, const struct anim_buffer *buffer, struct anim_error *error)
{
	struct anim_sink *sink = &cat->filter.sink;
	struct anim_record record;
	struct anim_tree tree;
	struct anim_node node;
	uint32_t nodes = 0;

	for (size_t at = 0; at < buffer->size; at += record.size) {
		int result;

		anim_record_at(buffer->data + at, at, &record);
		anim_arena_reset(&cat->arena);
		if (memcmp(record.tag, "TREE", 4) == 0) {
			result = anim_record_tree(&record, &tree, &cat->arena, error);
			if (result == 0)
				result = anim_filter_tree(sink, &tree, error);
		} else if (memcmp(record.tag, "NODE", 4) == 0) {
			result = anim_record_node(&record, nodes++, &node, &cat->arena, error);
			if (result == 0)
				result = anim_filter_node(sink, &node, error);
		} else {
			result = anim_filter_record(sink, &record, error);
		}
		if (result != 0)
			return -1;
	}
	return 0;
}

/* Pass on the records of the current input that were held, unless they are the same as before. Returns 0 or -1. */
static int pass_held(struct cat *cat, struct anim_error *error)
{
	int is_new =
	    cat->chain.size == 0 ? 0 : anim_text_set_add(&cat->chains, cat->chain.data, cat->chain.size, error);
	struct anim_buffer passed;

	if (is_new < 0 || (is_new > 0 && pass_all(cat, &cat->chain, error) != 0))
		return -1;
	cat->chain.size = 0;
	passed = cat->tree;
	if (passed.size == 0)
		return 0;
	if ((passed.size != cat->last_tree.size || memcmp(passed.data, cat->last_tree.data, passed.size) != 0) &&
	    pass_all(cat, &cat->tree, error) != 0)
		return -1;
	cat->tree = cat->last_tree;
	cat->tree.size = 0;
	cat->last_tree = passed;
	return 0;
}

static int cat_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct cat *cat = (struct cat *)sink;

	if (pass_held(cat, error) != 0)
		return -1;
	return tree->record != NULL ? append(&cat->tree, tree->record, error)
				    : anim_encode_tree(&cat->tree, tree, error);
}

/* The node number is used only to check the parent. The bytes come from the record, or are encoded here. */
static int cat_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct cat *cat = (struct cat *)sink;
	uint32_t number = node->parent == ANIM_NO_PARENT ? 0 : node->parent + 1;

	return node->record != NULL ? append(&cat->tree, node->record, error)
				    : anim_encode_node(&cat->tree, node, number, error);
}

static int cat_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return pass_held((struct cat *)sink, error) != 0 ? -1 : anim_filter_clip(sink, clip, error);
}

static int cat_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct cat *cat = (struct cat *)sink;

	if (memcmp(record->tag, "prog", 4) == 0 || cat->chain.size > 0)
		return append(&cat->chain, record, error);
	return cat->tree.size > 0 ? append(&cat->tree, record, error) : anim_filter_record(sink, record, error);
}

static int cat_end(struct anim_sink *sink, struct anim_error *error)
{
	return pass_held((struct cat *)sink, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void cat_free(struct anim_sink *sink)
{
	struct cat *cat = (struct cat *)sink;

	anim_buffer_clear(&cat->chain);
	anim_buffer_clear(&cat->tree);
	anim_buffer_clear(&cat->last_tree);
	anim_text_set_clear(&cat->chains);
	anim_arena_clear(&cat->arena);
	anim_filter_free(sink);
}

int anim_cat_begin(struct anim_sink *sink, struct anim_error *error)
{
	return pass_held((struct cat *)sink, error);
}

struct anim_sink *anim_cat_new(struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {cat_tree, cat_node, cat_clip, NULL, cat_record, cat_end, cat_free};
	struct cat *cat = anim_filter_new(sizeof *cat, &ops, next, error);

	return cat == NULL ? NULL : &cat->filter.sink;
}
