/* cat.c: several streams, read one after another, as one. */
#include "filter/cat/cat.h"

#include <string.h>

#include "base/map.h"
#include "filter/filter.h"
#include "stream/record.h"

struct cat {
	struct anim_filter filter;
	struct anim_buffer chain;    /* the prog records, and unknown ones among them, of the input at hand */
	struct anim_text_set chains; /* those that went on */
	/* A TREE with its NODEs and the unknown records among them, until something else comes; the one that went on last. */
	struct anim_buffer tree, last_tree;
	struct anim_arena arena; /* of a record that goes on */
};

static int append(struct anim_buffer *buffer, const struct anim_record *record, struct anim_error *error)
{
	return anim_buffer_append(buffer, record->bytes, record->size, error);
}

static int pass_record(struct cat *cat, const struct anim_record *record, uint32_t *nodes, struct anim_error *error)
{
	struct anim_sink *sink = &cat->filter.sink;
	struct anim_tree tree;
	struct anim_node node;

	anim_arena_reset(&cat->arena);
	if (memcmp(record->tag, "TREE", 4) == 0) {
		if (anim_record_tree(record, &tree, &cat->arena, error) != 0)
			return -1;
		return anim_filter_tree(sink, &tree, error);
	}
	if (memcmp(record->tag, "NODE", 4) == 0) {
		if (anim_record_node(record, (*nodes)++, &node, &cat->arena, error) != 0)
			return -1;
		return anim_filter_node(sink, &node, error);
	}
	return anim_filter_record(sink, record, error);
}

/* Passes on all records of a buffer. */
static int pass_all(struct cat *cat, const struct anim_buffer *buffer, struct anim_error *error)
{
	struct anim_record record;
	uint32_t nodes = 0;

	for (size_t at = 0; at < buffer->size; at += record.size) {
		anim_record_at(buffer->data + at, at, &record);
		if (pass_record(cat, &record, &nodes, error) != 0)
			return -1;
	}
	return 0;
}

static int pass_chain(struct cat *cat, struct anim_error *error)
{
	int is_new =
	    cat->chain.size == 0 ? 0 : anim_text_set_add(&cat->chains, cat->chain.data, cat->chain.size, error);

	if (is_new < 0 || (is_new > 0 && pass_all(cat, &cat->chain, error) != 0))
		return -1;
	cat->chain.size = 0;
	return 0;
}

static bool is_last_again(const struct cat *cat)
{
	return cat->tree.size == cat->last_tree.size &&
	       memcmp(cat->tree.data, cat->last_tree.data, cat->tree.size) == 0;
}

static int pass_tree(struct cat *cat, struct anim_error *error)
{
	struct anim_buffer passed = cat->tree;

	if (passed.size == 0)
		return 0;
	if (!is_last_again(cat) && pass_all(cat, &cat->tree, error) != 0)
		return -1;
	cat->tree = cat->last_tree;
	cat->tree.size = 0;
	cat->last_tree = passed;
	return 0;
}

static int pass_held(struct cat *cat, struct anim_error *error)
{
	return pass_chain(cat, error) != 0 ? -1 : pass_tree(cat, error);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct cat *cat = (struct cat *)sink;

	if (pass_held(cat, error) != 0)
		return -1;
	return tree->record != NULL ? append(&cat->tree, tree->record, error)
				    : anim_encode_tree(&cat->tree, tree, error);
}

/* The number of a NODE counts only for what is checked of it; the record is what the tree was read from or made of. */
static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct cat *cat = (struct cat *)sink;
	uint32_t number = node->parent == ANIM_NO_PARENT ? 0 : node->parent + 1;

	return node->record != NULL ? append(&cat->tree, node->record, error)
				    : anim_encode_node(&cat->tree, node, number, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return pass_held((struct cat *)sink, error) != 0 ? -1 : anim_filter_clip(sink, clip, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct cat *cat = (struct cat *)sink;

	if (memcmp(record->tag, "prog", 4) == 0 || cat->chain.size > 0)
		return append(&cat->chain, record, error);
	return cat->tree.size > 0 ? append(&cat->tree, record, error) : anim_filter_record(sink, record, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return pass_held((struct cat *)sink, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
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
	static const struct anim_sink_ops ops = {on_tree,   on_node, on_clip, anim_filter_track,
						 on_record, on_end,  on_free};
	struct cat *cat = anim_filter_new(sizeof *cat, &ops, next, error);

	return cat == NULL ? NULL : &cat->filter.sink;
}
