/* encode.c: the model -> prog, TREE, NODE and CLIP records. */
#include <string.h>

#include "clip/check.h"
#include "stream/put.h"

int anim_put_varint(struct anim_buffer *buffer, uint64_t value, struct anim_error *error)
{
	uint8_t bytes[10];
	size_t count = 0;

	do {
		bytes[count] = (uint8_t)((value & 127) | (value > 127 ? 128 : 0));
		count++;
		value >>= 7;
	} while (value != 0);
	return anim_buffer_append(buffer, bytes, count, error);
}

int anim_put_text(struct anim_buffer *buffer, const char *text, struct anim_error *error)
{
	size_t length = text == NULL ? 0 : strlen(text);

	if (anim_put_varint(buffer, length, error) != 0)
		return -1;
	return anim_buffer_append(buffer, text, length, error);
}

int anim_put_attrs(struct anim_buffer *buffer, const struct anim_attrs *attrs, struct anim_error *error)
{
	if (anim_put_varint(buffer, attrs->count, error) != 0)
		return -1;
	for (size_t i = 0; i < attrs->count; i++)
		if (anim_put_text(buffer, attrs->items[i].key, error) != 0 ||
		    anim_put_text(buffer, attrs->items[i].value, error) != 0)
			return -1;
	return 0;
}

int anim_put_head(struct anim_buffer *buffer, const char tag[4], struct anim_error *error)
{
	uint8_t head[ANIM_RECORD_HEAD] = {0};

	memcpy(head, tag, 4);
	return anim_buffer_append(buffer, head, sizeof head, error);
}

int anim_put_finish(struct anim_buffer *buffer, size_t start, struct anim_error *error)
{
	uint64_t length = buffer->size - start - ANIM_RECORD_HEAD;
	uint32_t crc;
	uint8_t *head;

	if (anim_buffer_align8(buffer, error) != 0)
		return -1;
	head = buffer->data + start;
	memcpy(head + 8, &length, 8);
	crc = anim_crc32(anim_crc32(0, head, 4), head + 8, buffer->size - start - 8);
	memcpy(head + 4, &crc, 4);
	return 0;
}

/* Ends a record of which `status` tells whether its fields went in; a failed one is taken out again. */
static int finish(struct anim_buffer *buffer, size_t start, int status, struct anim_error *error)
{
	if (status == 0 && anim_put_finish(buffer, start, error) == 0)
		return 0;
	buffer->size = start;
	return -1;
}

static int check_prog(const struct anim_prog *prog, struct anim_error *error)
{
	/* Names follow the rules of any record's; a tree has two of them. */
	struct anim_tree names = {.root_name = prog->program, .source_file = prog->version, .attrs = prog->attrs};

	return anim_tree_validate(&names, error);
}

int anim_encode_prog(struct anim_buffer *buffer, const struct anim_prog *prog, struct anim_error *error)
{
	size_t start = buffer->size;

	if (check_prog(prog, error) != 0)
		return -1;
	return finish(buffer, start,
		      anim_put_head(buffer, "prog", error) || anim_put_text(buffer, prog->program, error) ||
			  anim_put_text(buffer, prog->version, error) || anim_put_attrs(buffer, &prog->attrs, error),
		      error);
}

int anim_encode_tree(struct anim_buffer *buffer, const struct anim_tree *tree, struct anim_error *error)
{
	size_t start = buffer->size;
	const uint8_t fixed[4] = {tree->axes, tree->axes2d, 0, 0};

	if (anim_tree_validate(tree, error) != 0)
		return -1;
	return finish(buffer, start,
		      anim_put_head(buffer, "TREE", error) || anim_buffer_append(buffer, fixed, sizeof fixed, error) ||
			  anim_put_text(buffer, tree->root_name, error) ||
			  anim_put_text(buffer, tree->source_file, error) ||
			  anim_put_attrs(buffer, &tree->attrs, error),
		      error);
}

int anim_encode_node(struct anim_buffer *buffer, const struct anim_node *node, uint32_t number,
		     struct anim_error *error)
{
	size_t start = buffer->size;
	const uint8_t fixed[4] = {node->kind, node->has, 0, 0};

	if (anim_node_validate(node, number, error) != 0)
		return -1;
	return finish(buffer, start,
		      anim_put_head(buffer, "NODE", error) || anim_buffer_append(buffer, fixed, sizeof fixed, error) ||
			  anim_buffer_append(buffer, &node->parent, 4, error) ||
			  anim_buffer_append(buffer, node->position, sizeof node->position, error) ||
			  anim_buffer_append(buffer, node->rotation, sizeof node->rotation, error) ||
			  anim_buffer_append(buffer, node->scale, sizeof node->scale, error) ||
			  anim_put_text(buffer, node->path, error) || anim_put_text(buffer, node->type, error) ||
			  anim_put_attrs(buffer, &node->attrs, error),
		      error);
}

int anim_encode_clip(struct anim_buffer *buffer, const struct anim_clip *clip, bool tree_before,
		     struct anim_error *error)
{
	size_t start = buffer->size;
	const uint8_t fixed[4] = {clip->loop, clip->axes, clip->axes2d, clip->flags};

	if (anim_clip_validate(clip, tree_before, error) != 0)
		return -1;
	return finish(buffer, start,
		      anim_put_head(buffer, "CLIP", error) || anim_buffer_append(buffer, &clip->start_s, 4, error) ||
			  anim_buffer_append(buffer, &clip->end_s, 4, error) ||
			  anim_buffer_append(buffer, fixed, sizeof fixed, error) ||
			  anim_buffer_append(buffer, &clip->rate_num, 4, error) ||
			  anim_buffer_append(buffer, &clip->rate_den, 4, error) ||
			  anim_put_text(buffer, clip->name, error) || anim_put_text(buffer, clip->root, error) ||
			  anim_put_text(buffer, clip->source, error) || anim_put_attrs(buffer, &clip->attrs, error),
		      error);
}
