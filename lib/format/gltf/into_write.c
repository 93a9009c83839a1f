/* into_write.c: the file copied with the clips in it: the text but for what is edited, and all numbers, byte for byte. */
#include <string.h>

#include "base/edit.h"
#include "base/path.h"
#include "format/gltf/compact.h"
#include "format/gltf/into.h"

/* A piece of the text that gives way to others, which may be none. */
enum edit_kind {
	EDIT_TEXT,      /* `before` alone */
	EDIT_NUMBER,    /* what */
	EDIT_ANIMATION, /* clip `what` */
	EDIT_CHANNELS,  /* those of clip `what`, as a list */
	EDIT_SAMPLERS,
	EDIT_EVENTS,
	EDIT_ACCESSOR,  /* number `what` of those that are new */
	EDIT_ACCESSORS, /* from that one on */
	EDIT_TRANSFORM, /* what the matrix of node `what` is made of */
	EDIT_DATA,      /* the numbers as base64 */
	EDIT_BUFFER     /* those that stay of buffer `what` */
};

struct edit {
	struct anim_edit place;
	uint64_t what;
	enum edit_kind kind;
	const char *before, *after; /* stand around it; NULL: nothing */
};

struct copying {
	struct gltf_into *into;
	struct gltf_writer *writer;
	struct gltf_compact compact;
	struct anim_buffer edits; /* struct edit, sorted */
	struct anim_error *error;
	bool in_chunk;    /* the numbers go behind those of the GLB */
	uint64_t data_at; /* where they begin in their buffer */
};

static int add(struct copying *c, struct edit edit)
{
	edit.place.order = c->edits.size / sizeof edit;
	return anim_buffer_append(&c->edits, &edit, sizeof edit, c->error);
}

/* ---- Lists of the document: what is added stands at their end; a list that is not there is made ---- */

struct place {
	uint64_t from, to;
	const char *before, *after;
};

/* `count`: the elements that it has. The name, and what parts it from others, for one that is not there. */
static struct place end_of(const struct copying *c, struct gltf_range list, uint32_t count, const char *member)
{
	uint64_t end = list.to == 0 ? c->into->asset.document.to - 1 : list.to - 1;

	if (list.to == 0)
		return (struct place){end, end, member, "]"};
	return (struct place){end, end, count > 0 ? ",\n" : "\n", "\n"};
}

/* For one more element: that of a free one, else the list's end. *number: its own. */
static struct place place_in(struct copying *c, enum gltf_list list, uint32_t *number)
{
	static const char *const members[GLTF_LISTS] = {",\n\"accessors\":[", ",\n\"bufferViews\":[",
							",\n\"buffers\":["};
	const struct gltf_asset *asset = &c->into->asset;
	const struct gltf_range texts[GLTF_LISTS] = {asset->accessors_text, asset->views_text, asset->buffers_text};
	const uint32_t counts[GLTF_LISTS] = {GLTF_COUNT(asset, accessors, struct gltf_accessor),
					     GLTF_COUNT(asset, views, struct gltf_view),
					     GLTF_COUNT(asset, buffers, struct gltf_buffer)};
	struct gltf_range text;

	*number = gltf_compact_take(&c->compact, list);
	if (*number == GLTF_NONE) {
		*number = counts[list];
		return end_of(c, texts[list], counts[list], members[list]);
	}
	text = gltf_compact_text(&c->compact, list, *number);
	return (struct place){text.from, text.to, "", ""};
}

static int put(struct copying *c, struct place place, struct edit edit)
{
	edit.place.from = place.from;
	edit.place.to = place.to;
	edit.before = place.before;
	edit.after = place.after;
	return add(c, edit);
}

/* ---- Animations ---- */

static const struct gltf_range *text_of(const struct gltf_into *into, uint32_t animation)
{
	return &GLTF_AT(&into->asset, animations, struct gltf_animation, animation)->text;
}

static uint32_t animation_count(const struct gltf_into *into)
{
	return GLTF_COUNT(&into->asset, animations, struct gltf_animation);
}

static bool stays(const struct gltf_into *into, uint32_t animation)
{
	return into->bound[animation] != GLTF_NONE || !into->writer->options.into.only;
}

static int delete (struct copying *c, uint64_t from, uint64_t to)
{
	return from == to ? 0 : add(c, (struct edit){.place = {from, to, 0}, .kind = EDIT_TEXT});
}

/* Takes out those that go, each with the comma behind it; those behind the last that stays with the one before them. */
static int delete_animations(struct copying *c, uint32_t *last)
{
	struct gltf_into *into = c->into;
	uint32_t count = animation_count(into), first = 0;

	*last = GLTF_NONE;
	for (uint32_t i = 0; i < count; i++) {
		if (!stays(into, i))
			continue;
		if (delete (c, text_of(into, first)->from, text_of(into, i)->from) != 0)
			return -1;
		first = i + 1;
		*last = i;
	}
	if (first == count)
		return 0;
	return delete (c, *last == GLTF_NONE ? text_of(into, 0)->from : text_of(into, *last)->to,
		       text_of(into, count - 1)->to);
}

/* Clips that the file does not have yet, behind those that it has. */
static int add_animations(struct copying *c, uint32_t last)
{
	const struct gltf_into *into = c->into;
	const size_t *clips = (const size_t *)(const void *)into->added.data;
	size_t count = into->added.size / sizeof *clips;
	bool there = into->asset.animations_text.to != 0;
	uint64_t at = !there                      ? into->asset.document.to - 1
		      : animation_count(into) > 0 ? text_of(into, animation_count(into) - 1)->to
						  : into->asset.animations_text.to - 1;

	for (size_t i = 0; i < count; i++) {
		bool first = i == 0 && last == GLTF_NONE;

		if (add(c, (struct edit){.place = {at, at, 0},
					 .kind = EDIT_ANIMATION,
					 .what = clips[i],
					 .before = !first  ? ",\n"
						   : there ? NULL
							   : ",\n\"animations\":[\n",
					 .after = !there && i + 1 == count ? "\n]" : NULL}) != 0)
			return -1;
	}
	return 0;
}

static int replace(struct copying *c, struct gltf_range text, enum edit_kind kind, uint32_t clip)
{
	return add(c, (struct edit){.place = {text.from, text.to, 0}, .kind = kind, .what = clip});
}

/* Events go into the animation's extras, of which all other members stay. */
static int edit_events(struct copying *c, const struct gltf_animation *animation, uint32_t clip)
{
	bool is_new = animation->extras_text.to == 0;
	uint64_t end = (is_new ? animation->text.to : animation->extras_text.to) - 1;

	if (!gltf_writer_clip(c->writer, clip)->events || (!is_new && !animation->extras_is_object))
		return 0;
	if (animation->events_text.to != 0)
		return replace(c, animation->events_text, EDIT_EVENTS, clip);
	return add(c, (struct edit){.place = {end, end, 0},
				    .kind = EDIT_EVENTS,
				    .what = clip,
				    .before = is_new                          ? ",\"extras\":{\"events\":"
					      : animation->extras_has_members ? ",\"events\":"
									      : "\"events\":",
				    .after = is_new ? "}" : NULL});
}

/* Its name, which is the clip's, stays, and so do members that are not replaced. */
static int replace_animations(struct copying *c)
{
	for (uint32_t i = 0; i < animation_count(c->into); i++) {
		const struct gltf_animation *animation = GLTF_AT(&c->into->asset, animations, struct gltf_animation, i);
		uint32_t clip = c->into->bound[i];

		if (clip == GLTF_NONE)
			continue;
		if (!gltf_is_animation(animation)) {
			if (replace(c, animation->text, EDIT_ANIMATION, clip) != 0)
				return -1;
			continue;
		}
		if (replace(c, animation->channels_text, EDIT_CHANNELS, clip) != 0 ||
		    replace(c, animation->samplers_text, EDIT_SAMPLERS, clip) != 0 ||
		    edit_events(c, animation, clip) != 0)
			return -1;
	}
	return 0;
}

static int edit_animations(struct copying *c)
{
	uint32_t last;

	if (delete_animations(c, &last) != 0 || replace_animations(c) != 0)
		return -1;
	return add_animations(c, last);
}

/* ---- Numbers ---- */

static const struct gltf_chunk *bin_of(const struct gltf_into *into)
{
	const struct gltf_chunk *chunk = (const struct gltf_chunk *)(const void *)into->chunks.data;

	return into->chunks.size > 0 && chunk->type == GLTF_CHUNK_BIN ? chunk : NULL;
}

/* Behind the numbers that a GLB has, or where it has none as its first; else in a buffer of their own. */
static void choose_buffer(struct copying *c)
{
	const struct gltf_buffer *first = GLTF_AT(&c->into->asset, buffers, struct gltf_buffer, 0);
	const struct gltf_chunk *bin = bin_of(c->into);

	c->in_chunk = c->into->container.is_glb &&
		      (first == NULL ? bin == NULL : bin != NULL && first->uri == NULL && !first->is_data);
}

static int find_compact(struct copying *c)
{
	const struct gltf_chunk *bin = c->in_chunk ? bin_of(c->into) : NULL;

	if (c->writer->options.into.compact &&
	    gltf_compact_find(&c->compact, c->into, bin == NULL ? NULL : &bin->size, c->error) != 0)
		return -1;
	if (bin != NULL)
		c->data_at = (gltf_compact_place(&c->compact, 0, bin->size) + 3) & ~(uint64_t)3;
	return 0;
}

static int replace_number(struct copying *c, struct gltf_range text, uint64_t number)
{
	return add(c, (struct edit){.place = {text.from, text.to, 0}, .kind = EDIT_NUMBER, .what = number});
}

/* Offsets and lengths of what stays. */
static int edit_places(struct copying *c)
{
	const struct gltf_number *numbers = (const struct gltf_number *)(const void *)c->compact.uses.numbers.data;

	for (size_t i = 0; i < c->compact.uses.numbers.size / sizeof *numbers; i++) {
		const struct gltf_number *number = &numbers[i];
		bool of_view = number->kind <= GLTF_PACKED_OFFSET;
		uint64_t now;

		if (gltf_compact_is_free(&c->compact, of_view ? GLTF_VIEWS : GLTF_ACCESSORS, number->owner))
			continue;
		now = gltf_compact_number(&c->compact, &c->into->asset, number);
		if (now != number->value && replace_number(c, number->text, now) != 0)
			return -1;
	}
	return 0;
}

/* The text of buffers that hold their numbers themselves. */
static int edit_data(struct copying *c)
{
	for (uint32_t i = 0; i < GLTF_COUNT(&c->into->asset, buffers, struct gltf_buffer); i++) {
		const struct gltf_buffer *buffer = GLTF_AT(&c->into->asset, buffers, struct gltf_buffer, i);

		if (!buffer->is_data || !gltf_compact_cuts(&c->compact, i) ||
		    gltf_compact_is_free(&c->compact, GLTF_BUFFERS, i))
			continue;
		if (replace_number(c, buffer->length_text, gltf_compact_place(&c->compact, i, buffer->length)) != 0 ||
		    add(c, (struct edit){.place = {buffer->data_text.from, buffer->data_text.to, 0},
					 .kind = EDIT_BUFFER,
					 .what = i}) != 0)
			return -1;
	}
	return 0;
}

/* Elements that stay free: the last ones go, something takes the place of the others. */
static int edit_free(struct copying *c, enum gltf_list list, const char *stub)
{
	uint32_t count = c->compact.counts[list], kept = count;

	while (kept > 0 && gltf_compact_is_free(&c->compact, list, kept - 1))
		kept--;
	if (kept > 0 && kept < count &&
	    delete (c, gltf_compact_text(&c->compact, list, kept - 1).to,
		    gltf_compact_text(&c->compact, list, count - 1).to) != 0)
		return -1;
	for (uint32_t i = 0; i < kept; i++) {
		struct gltf_range text;

		if (!gltf_compact_is_free(&c->compact, list, i))
			continue;
		text = gltf_compact_text(&c->compact, list, i);
		if (put(c, (struct place){text.from, text.to, stub, NULL}, (struct edit){.kind = EDIT_TEXT}) != 0)
			return -1;
	}
	return 0;
}

static int edit_accessors(struct copying *c)
{
	for (size_t i = 0; i < gltf_out_data_count(&c->writer->data); i++) {
		uint32_t number;
		struct place place = place_in(c, GLTF_ACCESSORS, &number);

		if (number == c->writer->first_accessor)
			return put(c, place, (struct edit){.kind = EDIT_ACCESSORS, .what = i});
		if (anim_buffer_append(&c->writer->slots, &number, sizeof number, c->error) != 0 ||
		    put(c, place, (struct edit){.kind = EDIT_ACCESSOR, .what = i}) != 0)
			return -1;
	}
	return 0;
}

/* The buffer that the numbers are in: *index. */
static int edit_buffers(struct copying *c, uint32_t *index)
{
	const struct gltf_buffer *first = GLTF_AT(&c->into->asset, buffers, struct gltf_buffer, 0);
	uint64_t size = anim_spool_size(&c->writer->data.spool);
	struct place place;

	*index = 0;
	if (c->in_chunk && first != NULL && first->length_text.to == 0)
		return anim_fail(c->error, ANIM_BAD_INPUT, "buffers[0] has no byteLength");
	if (c->in_chunk && first != NULL)
		return replace_number(c, first->length_text, c->data_at + size);
	place = place_in(c, GLTF_BUFFERS, index);
	place.before = anim_arena_printf(&c->into->arena, c->error, "%s{\"byteLength\":%llu%s", place.before,
					 (unsigned long long)size, c->in_chunk ? "" : ",\"uri\":\"" GLTF_DATA_URI);
	place.after = anim_arena_printf(&c->into->arena, c->error, c->in_chunk ? "}%s" : "\"}%s", place.after);
	if (place.before == NULL || place.after == NULL)
		return -1;
	return put(c, place, (struct edit){.kind = c->in_chunk ? EDIT_TEXT : EDIT_DATA});
}

static int edit_view(struct copying *c, uint32_t buffer)
{
	struct place place = place_in(c, GLTF_VIEWS, &c->writer->view);

	place.before =
	    anim_arena_printf(&c->into->arena, c->error, "%s{\"buffer\":%u,\"byteOffset\":%llu,\"byteLength\":%llu}%s",
			      place.before, buffer, (unsigned long long)c->data_at,
			      (unsigned long long)anim_spool_size(&c->writer->data.spool), place.after);
	place.after = NULL;
	return place.before == NULL ? -1 : put(c, place, (struct edit){.kind = EDIT_TEXT});
}

/* What stays first, as long as it is known which that is. */
static int edit_numbers(struct copying *c)
{
	const char *view;
	uint32_t buffer;

	if (edit_places(c) != 0 || edit_data(c) != 0 || edit_accessors(c) != 0 || edit_buffers(c, &buffer) != 0 ||
	    edit_view(c, buffer) != 0)
		return -1;
	view = anim_arena_printf(&c->into->arena, c->error, "{\"buffer\":%u,\"byteLength\":1}", buffer);
	if (view == NULL || edit_free(c, GLTF_VIEWS, view) != 0)
		return -1;
	return edit_free(c, GLTF_ACCESSORS, "{\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}") != 0
		   ? -1
		   : edit_free(c, GLTF_BUFFERS, "{\"byteLength\":1,\"uri\":\"" GLTF_DATA_URI "AA==\"}");
}

/* ---- Nodes ---- */

/* A node that is animated may have no matrix, which gives way to its parts. 0 or -1. */
static int part_matrix(struct copying *c, uint32_t number, uint8_t *parted)
{
	const struct gltf_node *node = GLTF_AT(&c->into->asset, nodes, struct gltf_node, number);

	if (node == NULL || !node->is_matrix || parted[number])
		return 0;
	parted[number] = 1;
	if (node->is_sheared || node->matrix_text.to == 0)
		return anim_fail(
		    c->error, ANIM_UNSUPPORTED,
		    "nodes[%u] has %s, and cannot be animated: a node that is may have translation, rotation and "
		    "scale alone",
		    number,
		    node->is_sheared ? "a matrix that is no product of a translation, a rotation and a scale"
				     : "two matrices");
	return add(c, (struct edit){.place = {node->matrix_text.from, node->matrix_text.to, 0},
				    .kind = EDIT_TRANSFORM,
				    .what = number});
}

static int edit_nodes(struct copying *c)
{
	const struct anim_buffer *lists[] = {&c->writer->channels, &c->writer->weights};
	uint8_t *parted =
	    anim_arena_zeroed(&c->into->arena, GLTF_COUNT(&c->into->asset, nodes, struct gltf_node) + 1, 1, c->error);

	for (size_t i = 0; i < 2 && parted != NULL; i++) {
		const struct gltf_out_channel *channels = (const void *)lists[i]->data;

		for (size_t k = 0; k < lists[i]->size / sizeof *channels; k++)
			if (channels[k].path != GLTF_POINTER && part_matrix(c, channels[k].node, parted) != 0)
				return -1;
	}
	return parted == NULL ? -1 : 0;
}

/* ---- Extensions ---- */

static int edit_extensions(struct copying *c)
{
	const struct gltf_asset *asset = &c->into->asset;
	struct place place =
	    end_of(c, asset->used_text, GLTF_COUNT(asset, used, const char *), ",\n\"extensionsUsed\":[");

	if (!c->writer->points || gltf_into_uses(c->into, "KHR_animation_pointer"))
		return 0;
	place.before =
	    anim_arena_printf(&c->into->arena, c->error, "%s\"KHR_animation_pointer\"%s", place.before, place.after);
	place.after = NULL;
	return place.before == NULL ? -1 : put(c, place, (struct edit){.kind = EDIT_TEXT});
}

/* ---- Copying ---- */

static int print_data(struct gltf_document *d)
{
	if (gltf_document_flush(d) != 0)
		return -1;
	d->size += (anim_spool_size(&d->writer->data.spool) + 2) / 3 * 4;
	return d->out == NULL ? 0 : gltf_put_base64(d->writer);
}

#define PIECE ((uint64_t)64 << 10) /* bytes that are looked at at once */

/* What stays of a buffer in the text. */
static int print_buffer(const struct copying *c, struct gltf_document *d, uint32_t number)
{
	const struct gltf_buffer *buffer = GLTF_AT(&c->into->asset, buffers, struct gltf_buffer, number);
	struct gltf_base64 b = {.writer = c->writer};

	if (gltf_document_flush(d) != 0)
		return -1;
	d->size += (gltf_compact_place(&c->compact, number, buffer->data_size) + 2) / 3 * 4;
	if (d->out == NULL)
		return 0;
	for (uint64_t at = 0, to; gltf_compact_run(&c->compact, number, buffer->data_size, &at, &to);) {
		size_t size = (size_t)(to - at < PIECE ? to - at : PIECE);
		const uint8_t *bytes = gltf_data_read(&c->into->data, buffer->data_place + at, size, c->error);

		if (bytes == NULL || gltf_base64_put(&b, bytes, size) != 0)
			return -1;
		at += size;
	}
	return gltf_base64_end(&b);
}

static void print_transform(const struct copying *c, struct gltf_document *d, uint32_t number)
{
	const struct gltf_node *node = GLTF_AT(&c->into->asset, nodes, struct gltf_node, number);

	gltf_print_transform(d, node->is_first, node->position, node->rotation, node->scale);
}

static int print_edit(const struct copying *c, struct gltf_document *d, const struct edit *edit)
{
	int result = 0;

	if (edit->before != NULL)
		anim_print_text(&d->print, edit->before);
	d->some = false;
	d->stands = true;
	if (edit->kind == EDIT_NUMBER)
		anim_print_uint64(&d->print, edit->what);
	else if (edit->kind == EDIT_ANIMATION)
		result = gltf_print_animation(d, (size_t)edit->what);
	else if (edit->kind == EDIT_CHANNELS)
		gltf_print_channels(d, (size_t)edit->what);
	else if (edit->kind == EDIT_SAMPLERS)
		gltf_print_samplers(d, (size_t)edit->what);
	else if (edit->kind == EDIT_EVENTS)
		result = gltf_print_events(d, (size_t)edit->what);
	else if (edit->kind == EDIT_ACCESSOR)
		gltf_print_accessor(d, (size_t)edit->what);
	else if (edit->kind == EDIT_ACCESSORS)
		gltf_print_accessors(d, (size_t)edit->what);
	else if (edit->kind == EDIT_TRANSFORM)
		print_transform(c, d, (uint32_t)edit->what);
	else if (edit->kind == EDIT_BUFFER)
		result = print_buffer(c, d, (uint32_t)edit->what);
	else if (edit->kind == EDIT_DATA)
		result = print_data(d);
	if (edit->after != NULL)
		anim_print_text(&d->print, edit->after);
	return result != 0 ? -1 : gltf_document_flush(d);
}

/* The text up to a place, on, or counted. */
static int print_text(const struct copying *c, struct gltf_document *d, struct anim_input *input, uint64_t *at,
		      uint64_t to)
{
	uint64_t count = to - *at;

	*at = to;
	d->size += count;
	return d->out == NULL ? 0 : anim_edit_pass(input, count, d->out, c->error);
}

/* The whole text with its edits, which overlap nowhere; `input` stands at its begin. */
static int print_document(const struct copying *c, struct gltf_document *d, struct anim_input *input)
{
	const struct edit *edits = (const struct edit *)(const void *)c->edits.data;
	uint64_t at = 0, end = c->into->container.is_glb ? c->into->asset.document.to : (uint64_t)c->into->info.st_size;

	for (size_t i = 0; i < c->edits.size / sizeof *edits; i++) {
		if (print_text(c, d, input, &at, edits[i].place.from) != 0 || print_edit(c, d, &edits[i]) != 0)
			return -1;
		if (d->out != NULL && anim_edit_pass(input, edits[i].place.to - at, NULL, c->error) != 0)
			return -1;
		at = edits[i].place.to;
	}
	return print_text(c, d, input, &at, end);
}

static int put_zeros(const struct copying *c, uint64_t count)
{
	static const uint8_t zeros[4];

	return anim_output_write(c->writer->out, zeros, (size_t)count, c->error);
}

/* BIN with what stays of it and the new numbers. */
static int put_bin(const struct copying *c, struct anim_input *input, const struct gltf_chunk *bin)
{
	uint64_t size = anim_spool_size(&c->writer->data.spool), old = bin == NULL ? 0 : bin->size;
	uint64_t begin = bin == NULL ? 0 : bin->at;

	if (gltf_put_chunk(c->writer, GLTF_CHUNK_BIN, c->data_at + size) != 0)
		return -1;
	for (uint64_t at = 0, to; gltf_compact_run(&c->compact, 0, old, &at, &to); at = to)
		if (anim_edit_pass(input, begin + at - anim_input_offset(input), NULL, c->error) != 0 ||
		    anim_edit_pass(input, to - at, c->writer->out, c->error) != 0)
			return -1;
	old = gltf_compact_place(&c->compact, 0, old);
	return put_zeros(c, c->data_at - old) != 0 ? -1 : gltf_put_data(c->writer, c->writer->out);
}

static int put_chunks(const struct copying *c, struct anim_input *input)
{
	const struct gltf_chunk *chunks = (const struct gltf_chunk *)(const void *)c->into->chunks.data;
	size_t count = c->into->chunks.size / sizeof *chunks;
	const struct gltf_chunk *bin = bin_of(c->into);

	if (c->in_chunk && put_bin(c, input, bin) != 0)
		return -1;
	for (size_t i = c->in_chunk && bin != NULL ? 1 : 0; i < count; i++)
		if (gltf_put_chunk(c->writer, chunks[i].type, chunks[i].size) != 0 ||
		    anim_edit_pass(input, chunks[i].at - anim_input_offset(input), NULL, c->error) != 0 ||
		    anim_edit_pass(input, chunks[i].size, c->writer->out, c->error) != 0)
			return -1;
	return 0;
}

/* Of all chunks, with their heads. */
static uint64_t chunks_size(const struct copying *c)
{
	const struct gltf_chunk *chunks = (const struct gltf_chunk *)(const void *)c->into->chunks.data;
	size_t count = c->into->chunks.size / sizeof *chunks;
	const struct gltf_chunk *bin = bin_of(c->into);
	uint64_t size = c->in_chunk ? GLTF_CHUNK_HEAD_BYTES + c->data_at + anim_spool_size(&c->writer->data.spool) : 0;

	for (size_t i = c->in_chunk && bin != NULL ? 1 : 0; i < count; i++)
		size += GLTF_CHUNK_HEAD_BYTES + chunks[i].size;
	return size;
}

static int write_glb(const struct copying *c, struct gltf_document *d, struct anim_input *input)
{
	unsigned padding;
	uint64_t json;

	gltf_document_begin(d, c->writer, NULL);
	if (print_document(c, d, NULL) != 0)
		return -1;
	padding = (unsigned)-d->size & 3;
	json = d->size + padding;
	if (gltf_put_head(c->writer, GLTF_HEAD_BYTES + GLTF_CHUNK_HEAD_BYTES + json + chunks_size(c), json) != 0 ||
	    anim_edit_pass(input, GLTF_HEAD_BYTES + GLTF_CHUNK_HEAD_BYTES, NULL, c->error) != 0)
		return -1;
	gltf_document_begin(d, c->writer, c->writer->out);
	if (print_document(c, d, input) != 0 || anim_output_write(c->writer->out, "   ", padding, c->error) != 0)
		return -1;
	return put_chunks(c, input);
}

static int copy(const struct copying *c)
{
	struct gltf_document d = {.writer = c->writer};
	struct anim_input *input = NULL;
	int result = anim_input_open(&input, c->into->file, NULL, c->error);

	if (result == 0 && c->into->container.is_glb) {
		result = write_glb(c, &d, input);
	} else if (result == 0) {
		gltf_document_begin(&d, c->writer, c->writer->out);
		result = print_document(c, &d, input);
	}
	if (result == 0)
		result = anim_path_unchanged(c->into->file, &c->into->info, c->error);
	anim_input_close(input);
	anim_buffer_clear(&d.text);
	return result;
}

int gltf_into_write(struct gltf_into *into)
{
	struct copying c = {.into = into, .writer = into->writer, .error = into->writer->error};
	int result;

	choose_buffer(&c);
	result = edit_animations(&c);
	if (result == 0)
		result = find_compact(&c);
	if (result == 0)
		result = edit_numbers(&c);
	if (result == 0)
		result = edit_nodes(&c);
	if (result == 0)
		result = edit_extensions(&c);
	anim_edits_sort(&c.edits, sizeof(struct edit));
	if (result == 0)
		result = copy(&c);
	anim_buffer_clear(&c.edits);
	gltf_compact_clear(&c.compact);
	return result == 0 ? 0 : anim_error_in_file(c.error, into->file);
}
