/* encode.c: converts the model to records. Columns of tracks are borrowed, not copied. */
#include "stream/fields.h"

#include <string.h>

#include "base/limits.h"
#include "stream/columns.h"

/* ---- Fields, heads and padding ---- */

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

static int put_items(struct anim_buffer *buffer, const struct anim_attrs *attrs, struct anim_error *error)
{
	for (size_t i = 0; i < attrs->count; i++)
		if (anim_put_text(buffer, attrs->items[i].key, error) != 0 ||
		    anim_put_text(buffer, attrs->items[i].value, error) != 0)
			return -1;
	return 0;
}

static int put_attrs(struct anim_buffer *buffer, const struct anim_attrs *attrs, struct anim_error *error)
{
	return anim_put_varint(buffer, attrs->count, error) != 0 ? -1 : put_items(buffer, attrs, error);
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

/* End a record. If `status` says that its fields could not be added, the record is removed. */
static int finish(struct anim_buffer *buffer, size_t start, int status, struct anim_error *error)
{
	if (status == 0 && anim_put_finish(buffer, start, error) == 0)
		return 0;
	buffer->size = start;
	return -1;
}

int anim_encode_prog(struct anim_buffer *buffer, const struct anim_prog *prog, struct anim_error *error)
{
	/* Names follow the same rules in every record, and a tree has two of them. */
	const struct anim_tree names = {.root_name = prog->program, .source_file = prog->version, .attrs = prog->attrs};
	size_t start = buffer->size;

	if (anim_tree_validate(&names, error) != 0)
		return -1;
	return finish(buffer, start,
		      anim_put_head(buffer, "prog", error) || anim_put_text(buffer, prog->program, error) ||
			  anim_put_text(buffer, prog->version, error) || put_attrs(buffer, &prog->attrs, error),
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
			  anim_put_text(buffer, tree->source_file, error) || put_attrs(buffer, &tree->attrs, error),
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
			  put_attrs(buffer, &node->attrs, error),
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
			  anim_put_text(buffer, clip->source, error) || put_attrs(buffer, &clip->attrs, error),
		      error);
}

/* Get the record that was encoded into `small`, which was empty before. */
static int encoded(struct anim_record *out, const struct anim_buffer *small, int status)
{
	if (status == 0)
		anim_record_at(small->data, 0, out);
	return status;
}

int anim_tree_record(struct anim_record *out, const struct anim_tree *tree, struct anim_buffer *small,
		     struct anim_error *error)
{
	small->size = 0;
	if (tree->record == NULL)
		return encoded(out, small, anim_encode_tree(small, tree, error));
	*out = *tree->record;
	return 0;
}

int anim_node_record(struct anim_record *out, const struct anim_node *node, uint32_t number, struct anim_buffer *small,
		     struct anim_error *error)
{
	small->size = 0;
	if (node->record == NULL)
		return encoded(out, small, anim_encode_node(small, node, number, error));
	*out = *node->record;
	return anim_node_validate(node, number, error);
}

int anim_clip_record(struct anim_record *out, const struct anim_clip *clip, bool tree_before, struct anim_buffer *small,
		     struct anim_error *error)
{
	small->size = 0;
	if (clip->record == NULL)
		return encoded(out, small, anim_encode_clip(small, clip, tree_before, error));
	*out = *clip->record;
	return anim_clip_validate(clip, tree_before, error);
}

int anim_end_record(struct anim_record *out, const struct anim_order *order, struct anim_buffer *small,
		    struct anim_error *error)
{
	const uint64_t totals[2] = {order->records, order->bytes};

	small->size = 0;
	return encoded(out, small,
		       anim_put_head(small, "END ", error) || anim_buffer_append(small, totals, sizeof totals, error) ||
			       anim_put_finish(small, 0, error)
			   ? -1
			   : 0);
}

/* ---- TRAK ---- */

static const uint8_t zeros[8];

static size_t padding(size_t size)
{
	return -size & 7;
}

/* Return true if all keys have the same mode, so that one byte in the head is enough. */
static bool modes_agree(const struct anim_track *track)
{
	return track->interp == ANIM_INTERP_COLUMN && track->n > 0 &&
	       memcmp(track->interps, track->interps + 1, track->n - 1) == 0;
}

/* Return the bits of the columns to write. */
static unsigned columns_to_write(const struct anim_track *track)
{
	unsigned columns = anim_track_columns(track);

	return modes_agree(track) ? columns & ~(1u << ANIM_COLUMN_INTERP) : columns;
}

/* The stream has an attribute for ANIM_LAST_AT_END, which keeps its place among the sorted attributes. */
static int put_track_attrs(struct anim_buffer *head, const struct anim_track *track, struct anim_error *error)
{
	static const struct anim_attr last = {ANIM_LAST_AT_END_KEY, "1"};
	size_t count = track->attrs.count, at = 0;
	struct anim_attrs before = {track->attrs.items, 0}, after = track->attrs;

	if (!(track->flags & ANIM_LAST_AT_END) || count >= ANIM_ATTRS_MAX)
		return put_attrs(head, &track->attrs, error);
	while (at < count && strcmp(track->attrs.items[at].key, last.key) < 0)
		at++;
	before.count = at;
	after.items += at;
	after.count -= at;
	return anim_put_varint(head, count + 1, error) || put_items(head, &before, error) ||
	       put_items(head, &(struct anim_attrs){&last, 1}, error) || put_items(head, &after, error);
}

int anim_put_track_fields(struct anim_buffer *head, const struct anim_track *track, unsigned columns,
			  struct anim_error *error)
{
	const uint8_t type[2] = {(uint8_t)track->kind, (uint8_t)track->type};
	const uint8_t flags = (uint8_t)(track->flags & ~ANIM_LAST_AT_END);
	const uint8_t settings[6] = {track->component, (uint8_t)track->rules, flags,
				     track->pre,       track->post,           track->interp};

	if (anim_put_head(head, "TRAK", error) || anim_buffer_append(head, type, sizeof type, error) ||
	    anim_put_text(head, track->node, error) || anim_put_text(head, track->property, error) ||
	    anim_put_varint(head, track->n, error) || anim_buffer_append(head, settings, sizeof settings, error) ||
	    put_track_attrs(head, track, error) || anim_put_varint(head, columns, error) ||
	    anim_buffer_align8(head, error))
		return -1;
	if (track->kind != ANIM_RAW)
		return 0;
	return anim_buffer_append(head, &track->start_s, 8, error) ||
		       anim_buffer_append(head, &track->step_s, 8, error) ||
		       anim_buffer_append(head, &track->rate_num, 4, error) ||
		       anim_buffer_append(head, &track->rate_den, 4, error)
		   ? -1
		   : 0;
}

static void add_piece(struct anim_pieces *pieces, const void *bytes, size_t size)
{
	pieces->piece[pieces->count++] = (struct anim_piece){bytes, size};
	pieces->length += size + padding(size);
}

/* Add the pieces of a column of strings, *size bytes in all: lengths, zeros to 8, the strings. */
static int add_strings(struct anim_pieces *pieces, const struct anim_track *track, uint64_t *size,
		       struct anim_error *error)
{
	const struct anim_strings *strings = track->strings;
	size_t lengths = track->n * sizeof(uint32_t);
	uint64_t total = 0;
	bool packed = true; /* the bytes of the strings are contiguous from the first on */
	const void *bytes;

	*size = 0;
	if (track->n == 0)
		return 0;
	for (size_t i = 0; i < track->n; i++) {
		if (strings->length[i] == ANIM_NULL_STRING)
			continue;
		packed = packed && (strings->start[i] == total || strings->length[i] == 0);
		total += strings->length[i];
	}
	bytes = strings->bytes;
	if (!packed) {
		pieces->strings.size = 0;
		for (size_t i = 0; i < track->n; i++)
			if (strings->length[i] != ANIM_NULL_STRING &&
			    anim_buffer_append(&pieces->strings, strings->bytes + strings->start[i], strings->length[i],
					       error) != 0)
				return -1;
		bytes = pieces->strings.data;
	}
	add_piece(pieces, strings->length, lengths);
	add_piece(pieces, bytes, (size_t)total);
	*size = lengths + padding(lengths) + total;
	return 0;
}

static void set_length_and_crc(struct anim_pieces *pieces)
{
	uint8_t *head = pieces->head.data;
	uint32_t crc;

	memcpy(head + 8, &pieces->length, 8);
	crc = anim_crc32(anim_crc32(0, head, 4), head + 8, pieces->head.size - 8);
	for (size_t i = 0; i < pieces->count; i++) {
		crc = anim_crc32(crc, pieces->piece[i].bytes, pieces->piece[i].size);
		crc = anim_crc32(crc, zeros, padding(pieces->piece[i].size));
	}
	memcpy(head + 4, &crc, 4);
}

int anim_pieces_encode(struct anim_pieces *pieces, const struct anim_track *track, struct anim_error *error)
{
	struct anim_track written = *track;
	unsigned columns;

	pieces->head.size = 0;
	pieces->count = 0;
	pieces->length = 0;
	if (anim_track_validate(track, error) != 0)
		return -1;
	columns = columns_to_write(track);
	written.interp = modes_agree(track) ? track->interps[0] : track->interp;
	if (anim_put_track_fields(&pieces->head, &written, (unsigned)__builtin_popcount(columns), error) != 0)
		return -1;
	/* Each column has a row in the table, which is part of the head, and pieces. */
	for (unsigned id = 0; id < ANIM_COLUMN_COUNT; id++) {
		struct anim_column_shape shape = anim_column_shape_of(id, track->type);
		uint8_t row[ANIM_COLUMN_ROW] = {(uint8_t)id};
		uint64_t size = (uint64_t)track->n * shape.components * shape.width;

		if (!(columns & 1u << id))
			continue;
		if (id != ANIM_COLUMN_VALUE || track->type != ANIM_STRING)
			add_piece(pieces, track->column[id], (size_t)size);
		else if (add_strings(pieces, track, &size, error) != 0)
			return -1;
		memcpy(row + 8, &size, 8);
		if (anim_buffer_append(&pieces->head, row, sizeof row, error) != 0)
			return -1;
	}
	pieces->length += pieces->head.size - ANIM_RECORD_HEAD;
	if (pieces->length > ANIM_RECORD_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "a track of %llu bytes", (unsigned long long)pieces->length);
	pieces->size = pieces->length + ANIM_RECORD_HEAD;
	set_length_and_crc(pieces);
	return 0;
}

int anim_pieces_each(const struct anim_pieces *pieces,
		     int (*put)(void *context, const void *bytes, size_t size, struct anim_error *), void *context,
		     struct anim_error *error)
{
	if (put(context, pieces->head.data, pieces->head.size, error) != 0)
		return -1;
	for (size_t i = 0; i < pieces->count; i++)
		if (put(context, pieces->piece[i].bytes, pieces->piece[i].size, error) != 0 ||
		    put(context, zeros, padding(pieces->piece[i].size), error) != 0)
			return -1;
	return 0;
}

void anim_pieces_clear(struct anim_pieces *pieces)
{
	anim_buffer_clear(&pieces->head);
	anim_buffer_clear(&pieces->strings);
	pieces->count = 0;
}

/* Replace the value column of encoded pieces by `size` bytes in form 2. */
static void replace_values(struct anim_pieces *pieces, unsigned columns, const void *column, size_t size)
{
	const size_t place = (size_t)__builtin_popcount(columns & ((1u << ANIM_COLUMN_VALUE) - 1));
	const uint64_t bytes = size;
	uint8_t *row =
	    pieces->head.data + pieces->head.size - ANIM_COLUMN_ROW * ((size_t)__builtin_popcount(columns) - place);
	struct anim_piece *piece = &pieces->piece[place];

	row[1] = ANIM_FORM_LATTICE;
	memcpy(row + 8, &bytes, sizeof bytes);
	pieces->length -= piece->size + padding(piece->size);
	*piece = (struct anim_piece){column, size};
	pieces->length += size + padding(size);
	pieces->size = pieces->length + ANIM_RECORD_HEAD;
	set_length_and_crc(pieces);
}

static int append(void *buffer, const void *bytes, size_t size, struct anim_error *error)
{
	return anim_buffer_append(buffer, bytes, size, error);
}

/* Append encoded pieces to the buffer. */
static int append_pieces(struct anim_buffer *buffer, const struct anim_pieces *pieces, struct anim_error *error)
{
	if (pieces->size > SIZE_MAX / 4)
		return anim_fail_memory(error);
	if (anim_buffer_reserve(buffer, (size_t)pieces->size, error) != 0)
		return -1;
	return anim_pieces_each(pieces, append, buffer, error);
}

int anim_encode_track(struct anim_buffer *buffer, const struct anim_track *track, struct anim_error *error)
{
	struct anim_pieces pieces = {0};
	int status = anim_pieces_encode(&pieces, track, error);

	if (status == 0)
		status = append_pieces(buffer, &pieces, error);
	anim_pieces_clear(&pieces);
	return status;
}

int anim_encode_lattice(struct anim_buffer *buffer, const struct anim_track *track, const void *column, size_t size,
			struct anim_error *error)
{
	struct anim_pieces pieces = {0};
	int status = anim_pieces_encode(&pieces, track, error);

	if (status == 0) {
		replace_values(&pieces, columns_to_write(track), column, size);
		status = append_pieces(buffer, &pieces, error);
	}
	anim_pieces_clear(&pieces);
	return status;
}
