/* into_write.c: plans the copy of a file with the clips in it: the edits of its text, and the numbers that are dropped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/edit.h"
#include "base/path.h"
#include "base/text.h"
#include "format/gltf/into.h"
#include "format/gltf/uses.h"

static uint32_t count_of(const struct gltf_asset *asset, enum gltf_list list)
{
	const uint32_t counts[GLTF_LISTS] = {GLTF_COUNT(asset, accessors, struct gltf_accessor),
					     GLTF_COUNT(asset, views, struct gltf_view),
					     GLTF_COUNT(asset, buffers, struct gltf_buffer)};

	return counts[list];
}

/* The users of an element. */
enum {
	USED = 1,  /* an element that is kept */
	GOING = 2, /* an element that is deleted */
	WHOLE = 4, /* only for a view: all its bytes are needed, because not only accessors use it */
	FREE = 8,
	NAMED = 16 /* a number in extras that may be its index */
};

/*
 * The largest alignment of numbers. Deleted ranges start and end at multiples of it, so that the remaining bytes stay
 * aligned.
 */
#define ALIGNMENT 4u

/*
 * Elements and bytes to delete. All-zero deletes nothing. Elements that are deleted are free: new elements can take
 * their numbers, and the elements after them keep their own.
 */
struct compact {
	struct gltf_uses uses;
	uint8_t *states[GLTF_LISTS]; /* flags for each element, or NULL if all elements are kept */
	uint32_t counts[GLTF_LISTS], next[GLTF_LISTS];
	/* struct gltf_span: deleted bytes. `place` is the new offset of the bytes after them. */
	struct anim_buffer cuts;
};

struct finding {
	struct compact *compact;
	const struct gltf_into *into;
	const struct gltf_asset *asset;
	const uint64_t *bin;
	struct anim_buffer goes, stays; /* struct gltf_span */
	const char *other;              /* a separate file with bytes that would be deleted, or NULL */
	size_t named;                   /* elements that are kept because of a number in extras */
	struct anim_error *error;
};

static uint8_t state_of(const struct compact *compact, enum gltf_list list, uint32_t number)
{
	return number < compact->counts[list] ? compact->states[list][number] : 0;
}

static bool is_free(const struct compact *compact, enum gltf_list list, uint32_t number)
{
	return (state_of(compact, list, number) & FREE) != 0;
}

/* Ignores a number that the list does not have. */
static void mark(struct compact *compact, enum gltf_list list, uint32_t number, unsigned how)
{
	if (number < compact->counts[list])
		compact->states[list][number] |= (uint8_t)how;
}

static void mark_all(struct compact *compact, enum gltf_list list, const struct anim_buffer *numbers, unsigned how)
{
	for (size_t i = 0; i < numbers->size / sizeof(uint32_t); i++)
		mark(compact, list, ((const uint32_t *)(const void *)numbers->data)[i], how);
}

/* ---- Elements to delete: those used only by deleted elements, and placeholders of elements that were deleted earlier ---- */

static bool is_stub(const struct gltf_asset *asset, enum gltf_list list, uint32_t number)
{
	const struct gltf_accessor *accessor = gltf_accessor_at(asset, number);
	const struct gltf_view *view = gltf_view_at(asset, number);
	const struct gltf_buffer *buffer = gltf_buffer_at(asset, number);

	if (list == GLTF_ACCESSORS)
		return accessor->view == GLTF_NONE && accessor->sparse == GLTF_NONE && accessor->count == 1 &&
		       accessor->components == 1 && accessor->component == GLTF_F32;
	if (list == GLTF_VIEWS)
		return view->length == 1 && view->packed == GLTF_NONE;
	return buffer->length == 1 && buffer->is_data;
}

static void mark_free(struct finding *f, enum gltf_list list)
{
	for (uint32_t i = 0; i < f->compact->counts[list]; i++) {
		uint8_t *state = &f->compact->states[list][i];

		if (*state == (GOING | NAMED)) {
			*state |= USED | WHOLE;
			f->named++;
		}
		if (*state == GOING || (*state == 0 && is_stub(f->asset, list, i)))
			*state |= FREE;
	}
}

/* Return whether the animation is deleted or replaced. */
static bool goes(const struct gltf_into *into, uint32_t animation)
{
	return into->bound[animation] != GLTF_NONE || into->writer->options.into.only;
}

/* ---- Bytes to delete ---- */

static int add_bytes(struct finding *f, bool go, uint32_t number, uint64_t from, uint64_t to)
{
	const struct gltf_buffer *buffer = gltf_buffer_at(f->asset, number);
	/* the bytes of the buffer that are in the file itself */
	uint64_t size = buffer == NULL                  ? 0
			: buffer->is_data               ? buffer->data_size
			: number == 0 && f->bin != NULL ? *f->bin
							: 0;

	if (buffer != NULL && buffer->length < size)
		size = buffer->length;
	if (go && buffer != NULL && buffer->uri != NULL)
		f->other = buffer->uri;
	return gltf_spans_add(go ? &f->goes : &f->stays, number, from, to < size ? to : size, f->error);
}

/* Return whether some accessors of the view are kept and others are deleted, and nothing else uses it. */
static bool is_mixed(const struct finding *f, uint32_t view)
{
	const struct gltf_view *of = gltf_view_at(f->asset, view);

	return of != NULL && of->packed == GLTF_NONE && state_of(f->compact, GLTF_VIEWS, view) == (USED | GOING);
}

/* Delete the complete words of a range. */
static int cut(struct finding *f, uint32_t buffer, uint64_t from, uint64_t to)
{
	struct anim_buffer *cuts = &f->compact->cuts;
	struct gltf_span *span;

	from = (from + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
	to &= ~(uint64_t)(ALIGNMENT - 1);
	if (from >= to)
		return 0;
	if (gltf_spans_add(cuts, buffer, from, to, f->error) != 0)
		return -1;
	span = (struct gltf_span *)(void *)(cuts->data + cuts->size) - 1;
	span->place = from;
	if (cuts->size > sizeof *span && span[-1].buffer == buffer)
		span->place -= span[-1].to - span[-1].place;
	return 0;
}

static const struct gltf_span *span_at(const struct anim_buffer *spans, size_t i)
{
	return i < spans->size / sizeof(struct gltf_span) ? (const struct gltf_span *)(const void *)spans->data + i
							  : NULL;
}

/* Find the bytes of deleted views and accessors that nothing else uses. Return 0 or -1. */
static int find_bytes(struct finding *f)
{
	const struct gltf_span *go, *stay;
	size_t first = 0;
	int result = -1;

	/* Add all bytes of a view, and the bytes that it is compressed to. */
	for (uint32_t i = 0; i < f->compact->counts[GLTF_VIEWS]; i++) {
		const struct gltf_view *view = gltf_view_at(f->asset, i);
		const struct gltf_packed *packed = gltf_packed_of(f->asset, view);
		bool is_gone = is_free(f->compact, GLTF_VIEWS, i);

		if (is_mixed(f, i))
			continue;
		if ((packed != NULL &&
		     add_bytes(f, is_gone, packed->buffer, packed->offset, packed->offset + packed->length) != 0) ||
		    add_bytes(f, is_gone, view->buffer, view->offset, view->offset + view->length) != 0)
			goto done;
	}
	/* Add the accessors' bytes of mixed views. Bytes without an accessor are kept. */
	for (uint32_t i = 0; i < f->compact->counts[GLTF_ACCESSORS]; i++) {
		struct gltf_bytes parts[3];
		unsigned count = gltf_accessor_bytes(f->asset, i, parts);
		bool is_gone = is_free(f->compact, GLTF_ACCESSORS, i);

		for (unsigned p = 0; p < count; p++) {
			const struct gltf_view *view = gltf_view_at(f->asset, parts[p].view);

			if (is_mixed(f, parts[p].view) && (parts[p].exact || !is_gone) &&
			    add_bytes(f, is_gone, view->buffer, view->offset + parts[p].from,
				      view->offset + parts[p].to) != 0)
				goto done;
		}
	}
	gltf_spans_sort(&f->goes);
	gltf_spans_sort(&f->stays);
	/* Delete the bytes of `goes` that are not in `stays`. */
	for (size_t i = 0; (go = span_at(&f->goes, i)) != NULL; i++) {
		uint64_t from = go->from;

		while ((stay = span_at(&f->stays, first)) != NULL &&
		       (stay->buffer < go->buffer || (stay->buffer == go->buffer && stay->to <= go->from)))
			first++;
		for (size_t k = first; (stay = span_at(&f->stays, k)) != NULL; k++) {
			if (stay->buffer != go->buffer || stay->from >= go->to)
				break;
			if (cut(f, go->buffer, from, stay->from) != 0)
				goto done;
			from = stay->to;
		}
		if (cut(f, go->buffer, from, go->to) != 0)
			goto done;
	}
	result = 0;
done:
	anim_buffer_clear(&f->goes);
	anim_buffer_clear(&f->stays);
	return result;
}

/* ---- Checks that it is safe to delete anything ---- */

static int note(const struct finding *f, const char *before, const char *name, const char *after)
{
	const struct anim_place place = {.file = f->into->file, .at = ANIM_AT_FILE};
	char shown[160];

	anim_text_safe(shown, sizeof shown, name, strlen(name));
	return anim_diagnostics_add(f->into->writer->options.diagnostics, ANIM_NOTE, &place, NULL, f->error, "%s'%s'%s",
				    before, shown, after);
}

#define NOTHING "the data of deleted animations is kept: "

/* Return 1 if all references are known, 0 with a note if not, or -1. */
static int is_known(const struct finding *f)
{
	static const char *const names[GLTF_LISTS] = {"accessors", "bufferViews", "buffers"};
	const struct gltf_uses *uses = &f->compact->uses;

	if (uses->unknown[0] != '\0')
		return note(f, NOTHING "the references of extension ", uses->unknown, " are unknown");
	if (strcmp(f->asset->version, "2.0") != 0)
		return note(f, NOTHING "the references of glTF version ", f->asset->version, " are unknown");
	for (int list = 0; list < GLTF_LISTS; list++)
		if (uses->texts[list].size / sizeof(struct gltf_range) != count_of(f->asset, (enum gltf_list)list))
			return note(f, NOTHING, names[list], " is repeated");
	return 1;
}

static int find_unused(struct compact *compact, const struct gltf_into *into, const uint64_t *bin,
		       struct anim_error *error)
{
	const struct anim_place place = {.file = into->file, .at = ANIM_AT_FILE};
	struct finding f = {.compact = compact, .into = into, .asset = &into->asset, .bin = bin, .error = error};
	struct gltf_container container;
	struct anim_input *input = NULL;
	int known, result;
	uint32_t first = 0;

	while (first < gltf_animation_count(&into->asset) && !goes(into, first))
		first++;
	if (first == gltf_animation_count(&into->asset))
		return 0;
	/* Read the document again, to find all references. */
	result = anim_input_open(&input, into->file, NULL, error);
	if (result == 0)
		result = gltf_container_open(&container, input, error);
	if (result == 0)
		result = gltf_uses_read(&compact->uses, &container, error);
	anim_input_close(input);
	if (result != 0)
		return -1;
	known = is_known(&f);
	for (int list = 0; list < GLTF_LISTS && known == 1; list++) {
		compact->counts[list] = count_of(f.asset, (enum gltf_list)list);
		compact->states[list] = anim_zeroed((size_t)compact->counts[list] + 1, error);
		known = compact->states[list] == NULL ? -1 : 1;
	}
	if (known != 1) {
		memset(compact->counts, 0, sizeof compact->counts);
		compact->uses.numbers.size = 0;
		return known;
	}

	/* Accessors are used by meshes and skins, and by samplers. */
	mark_all(compact, GLTF_ACCESSORS, &compact->uses.extras, NAMED);
	mark_all(compact, GLTF_ACCESSORS, &compact->uses.accessors, USED);
	for (uint32_t i = 0; i < gltf_animation_count(&into->asset); i++) {
		struct gltf_run run = gltf_animation_at(&into->asset, i)->samplers;

		for (uint32_t k = 0; k < run.count; k++) {
			const struct gltf_sampler *sampler =
			    GLTF_AT(f.asset, samplers, struct gltf_sampler, run.first + k);

			mark(compact, GLTF_ACCESSORS, sampler->input, goes(into, i) ? GOING : USED);
			mark(compact, GLTF_ACCESSORS, sampler->output, goes(into, i) ? GOING : USED);
		}
	}
	mark_free(&f, GLTF_ACCESSORS);

	/* Views are used by images and accessors. */
	mark_all(compact, GLTF_VIEWS, &compact->uses.extras, NAMED);
	mark_all(compact, GLTF_VIEWS, &compact->uses.views, USED | WHOLE);
	for (uint32_t i = 0; i < compact->counts[GLTF_ACCESSORS]; i++) {
		struct gltf_bytes parts[3];
		unsigned count = gltf_accessor_bytes(f.asset, i, parts);
		unsigned how = is_free(compact, GLTF_ACCESSORS, i) ? GOING : USED;

		for (unsigned p = 0; p < count; p++)
			mark(compact, GLTF_VIEWS, parts[p].view, how);
	}
	mark_free(&f, GLTF_VIEWS);

	/* Buffers are used by views, and the first one by the BIN chunk. */
	if (bin != NULL)
		mark(compact, GLTF_BUFFERS, 0, USED);
	for (uint32_t i = 0; i < compact->counts[GLTF_VIEWS]; i++) {
		const struct gltf_view *view = gltf_view_at(f.asset, i);
		const struct gltf_packed *packed = gltf_packed_of(f.asset, view);
		unsigned how = is_free(compact, GLTF_VIEWS, i) ? GOING : USED;

		mark(compact, GLTF_BUFFERS, view->buffer, how);
		mark(compact, GLTF_BUFFERS, packed == NULL ? GLTF_NONE : packed->buffer, how);
	}
	mark_free(&f, GLTF_BUFFERS);

	if (find_bytes(&f) != 0)
		return -1;
	if (f.named > 0 &&
	    anim_diagnostics_add(into->writer->options.diagnostics, ANIM_NOTE, &place, NULL, error,
				 "of the accessors and views of deleted animations, %zu remain%s, because "
				 "a number in extras may refer to them",
				 f.named, f.named == 1 ? "s" : "") != 0)
		return -1;
	return f.other == NULL ? 0
			       : note(&f, "numbers of deleted animations stay in ", f.other, ", which is another file");
}

/* ---- The new places of elements and bytes ---- */

static struct gltf_range text_of_element(const struct compact *compact, enum gltf_list list, uint32_t number)
{
	return ((const struct gltf_range *)(const void *)compact->uses.texts[list].data)[number];
}

/* Return the new offset for an offset in a view. Compressed views do not change. */
static uint64_t offset_after(const struct compact *compact, const struct gltf_asset *asset, uint32_t number,
			     uint64_t offset)
{
	const struct gltf_view *view = gltf_view_at(asset, number);

	if (view == NULL || view->packed != GLTF_NONE)
		return offset;
	return gltf_spans_place(&compact->cuts, view->buffer, view->offset + offset) -
	       gltf_spans_place(&compact->cuts, view->buffer, view->offset);
}

static uint64_t number_after(const struct compact *compact, const struct gltf_asset *asset,
			     const struct gltf_number *number)
{
	const struct gltf_accessor *accessor = gltf_accessor_at(asset, number->owner);
	const struct gltf_view *view = gltf_view_at(asset, number->owner);
	const struct gltf_sparse *sparse = accessor == NULL ? NULL : gltf_sparse_of(asset, accessor);
	const struct gltf_packed *packed = view == NULL ? NULL : gltf_packed_of(asset, view);

	switch (number->kind) {
	case GLTF_VIEW_OFFSET:
		return gltf_spans_place(&compact->cuts, view->buffer, number->value);
	case GLTF_VIEW_LENGTH:
		return gltf_spans_place(&compact->cuts, view->buffer, view->offset + number->value) -
		       gltf_spans_place(&compact->cuts, view->buffer, view->offset);
	case GLTF_PACKED_OFFSET:
		return packed == NULL ? number->value : gltf_spans_place(&compact->cuts, packed->buffer, number->value);
	case GLTF_ACCESSOR_OFFSET:
		return offset_after(compact, asset, accessor->view, number->value);
	case GLTF_INDICES_OFFSET:
		return sparse == NULL ? number->value
				      : offset_after(compact, asset, sparse->indices.view, number->value);
	default:
		return sparse == NULL ? number->value
				      : offset_after(compact, asset, sparse->values.view, number->value);
	}
}

/* ---- Edits: pieces of the text that are replaced by others, which may be empty ---- */

struct copying {
	struct gltf_into *into;
	struct gltf_writer *writer;
	struct compact compact;
	struct anim_buffer edits; /* struct gltf_edit */
	struct anim_error *error;
	bool in_chunk;    /* the numbers are appended to the BIN chunk of the GLB */
	uint64_t data_at; /* their offset in their buffer */
};

/* The place of an edit, and the texts around it. */
struct place {
	uint64_t from, to;
	const char *before, *after;
};

static int add(struct copying *c, struct place place, enum gltf_edit_kind kind, uint64_t value)
{
	struct gltf_edit edit = {.place = {place.from, place.to, c->edits.size / sizeof edit},
				 .value = value,
				 .kind = kind,
				 .before = place.before,
				 .after = place.after};

	return anim_buffer_append(&c->edits, &edit, sizeof edit, c->error);
}

static int replace(struct copying *c, struct gltf_range text, enum gltf_edit_kind kind, uint64_t value)
{
	return add(c, (struct place){text.from, text.to, NULL, NULL}, kind, value);
}

static int delete (struct copying *c, uint64_t from, uint64_t to)
{
	return from == to ? 0 : add(c, (struct place){from, to, NULL, NULL}, GLTF_EDIT_TEXT, 0);
}

/* Return the end of a list of the document with `count` elements. `member` begins a list that does not exist yet. */
static struct place end_of(const struct copying *c, struct gltf_range list, uint32_t count, const char *member)
{
	uint64_t end = list.to == 0 ? c->into->asset.document.to - 1 : list.to - 1;

	if (list.to == 0)
		return (struct place){end, end, member, "]"};
	return (struct place){end, end, count > 0 ? ",\n" : "\n", "\n"};
}

/* Return the place for one more element, which is the place of a free element or the end of the list. *number is its number. */
static struct place place_for(struct copying *c, enum gltf_list list, uint32_t *number)
{
	static const char *const members[GLTF_LISTS] = {",\n\"accessors\":[", ",\n\"bufferViews\":[",
							",\n\"buffers\":["};
	const struct gltf_asset *asset = &c->into->asset;
	const struct gltf_range texts[GLTF_LISTS] = {asset->accessors_text, asset->views_text, asset->buffers_text};
	struct compact *compact = &c->compact;
	struct gltf_range text;

	while (compact->next[list] < compact->counts[list] && !is_free(compact, list, compact->next[list]))
		compact->next[list]++;
	if (compact->next[list] >= compact->counts[list]) {
		*number = count_of(asset, list);
		return end_of(c, texts[list], *number, members[list]);
	}
	*number = compact->next[list]++;
	compact->states[list][*number] = USED;
	text = text_of_element(&c->compact, list, *number);
	return (struct place){text.from, text.to, "", ""};
}

/* ---- Animations ---- */

/* Put events into the animation's extras, and keep all other members. Return 0 or -1. */
static int edit_events(struct copying *c, const struct gltf_animation *animation, uint32_t clip)
{
	bool is_new = animation->extras_text.to == 0;
	struct place place = {.from = (is_new ? animation->text.to : animation->extras_text.to) - 1};

	if (!gltf_writer_clip(c->writer, clip)->events || (!is_new && !animation->extras_is_object))
		return 0;
	if (animation->events_text.to != 0)
		return replace(c, animation->events_text, GLTF_EDIT_EVENTS, clip);
	place.to = place.from;
	place.before = is_new                          ? ",\"extras\":{\"events\":"
		       : animation->extras_has_members ? ",\"events\":"
						       : "\"events\":";
	place.after = is_new ? "}" : NULL;
	return add(c, place, GLTF_EDIT_EVENTS, clip);
}

/* Replace channels, samplers and events. Names, which are the same as the clips', and all other members stay unchanged. */
static int edit_animations(struct copying *c)
{
	const struct gltf_into *into = c->into;
	const size_t *clips = (const size_t *)(const void *)into->added.data;
	size_t count = into->added.size / sizeof *clips;
	uint32_t all = gltf_animation_count(&into->asset), first = 0, last = GLTF_NONE;
	bool is_there = into->asset.animations_text.to != 0;
	uint64_t at;

	/*
	 * Delete animations, each with the comma after it. Those after the last remaining one are deleted with the comma
	 * before them.
	 */
	for (uint32_t i = 0; i < all; i++) {
		if (into->bound[i] == GLTF_NONE && into->writer->options.into.only)
			continue;
		if (delete (c, gltf_animation_at(&into->asset, first)->text.from,
			    gltf_animation_at(&into->asset, i)->text.from) != 0)
			return -1;
		first = i + 1;
		last = i;
	}
	if (first != all && delete (c,
				    last == GLTF_NONE ? gltf_animation_at(&into->asset, 0)->text.from
						      : gltf_animation_at(&into->asset, last)->text.to,
				    gltf_animation_at(&into->asset, all - 1)->text.to) != 0)
		return -1;
	for (uint32_t i = 0; i < all; i++) {
		const struct gltf_animation *animation = gltf_animation_at(&into->asset, i);
		uint32_t clip = into->bound[i];
		int result;

		if (clip == GLTF_NONE)
			continue;
		if (!gltf_is_animation(animation)) {
			result = replace(c, animation->text, GLTF_EDIT_ANIMATION, clip);
		} else {
			result = replace(c, animation->channels_text, GLTF_EDIT_CHANNELS, clip);
			if (result == 0)
				result = replace(c, animation->samplers_text, GLTF_EDIT_SAMPLERS, clip);
			if (result == 0)
				result = edit_events(c, animation, clip);
		}
		if (result != 0)
			return -1;
	}
	/* Add clips that the file does not have yet, after its animations. */
	at = !is_there ? into->asset.document.to - 1
	     : all > 0 ? gltf_animation_at(&into->asset, all - 1)->text.to
		       : into->asset.animations_text.to - 1;
	for (size_t i = 0; i < count; i++) {
		const char *before = i > 0 || last != GLTF_NONE ? ",\n" : is_there ? NULL : ",\n\"animations\":[\n";
		const char *after = !is_there && i + 1 == count ? "\n]" : NULL;

		if (add(c, (struct place){at, at, before, after}, GLTF_EDIT_ANIMATION, clips[i]) != 0)
			return -1;
	}
	return 0;
}

/* ---- Numbers ---- */

/* Delete free elements at the end of a list, and replace other free elements by a stub. Return 0 or -1. */
static int edit_free(struct copying *c, enum gltf_list list, const char *stub)
{
	uint32_t count = c->compact.counts[list], kept = count;

	while (kept > 0 && is_free(&c->compact, list, kept - 1))
		kept--;
	if (kept > 0 && kept < count &&
	    delete (c, text_of_element(&c->compact, list, kept - 1).to,
		    text_of_element(&c->compact, list, count - 1).to) != 0)
		return -1;
	for (uint32_t i = 0; i < kept; i++) {
		struct gltf_range text;

		if (!is_free(&c->compact, list, i))
			continue;
		text = text_of_element(&c->compact, list, i);
		if (add(c, (struct place){text.from, text.to, stub, NULL}, GLTF_EDIT_TEXT, 0) != 0)
			return -1;
	}
	return 0;
}

/* Find or make the buffer of the numbers, and set *index to it. Return 0 or -1. */
static int edit_buffers(struct copying *c, uint32_t *index)
{
	const struct gltf_buffer *first = gltf_buffer_at(&c->into->asset, 0);
	uint64_t size = anim_spool_size(&c->writer->data.spool);
	struct place place;

	*index = 0;
	if (c->in_chunk && first != NULL && first->length_text.to == 0)
		return anim_fail(c->error, ANIM_BAD_INPUT, "buffers[0] has no byteLength");
	if (c->in_chunk && first != NULL)
		return replace(c, first->length_text, GLTF_EDIT_NUMBER, c->data_at + size);
	place = place_for(c, GLTF_BUFFERS, index);
	place.before = anim_arena_printf(&c->into->arena, c->error, "%s{\"byteLength\":%llu%s", place.before,
					 (unsigned long long)size, c->in_chunk ? "" : ",\"uri\":\"" GLTF_DATA_URI);
	place.after = anim_arena_printf(&c->into->arena, c->error, c->in_chunk ? "}%s" : "\"}%s", place.after);
	if (place.before == NULL || place.after == NULL)
		return -1;
	return add(c, place, c->in_chunk ? GLTF_EDIT_TEXT : GLTF_EDIT_DATA, 0);
}

/* Add an element whose complete text is known. Return 0 or -1. */
static int add_text(struct copying *c, struct place place, const char *text)
{
	place.before = anim_arena_printf(&c->into->arena, c->error, "%s%s%s", place.before, text, place.after);
	place.after = NULL;
	return place.before == NULL ? -1 : add(c, place, GLTF_EDIT_TEXT, 0);
}

/* Edit the existing elements first, while the flags still show which of them are free. Return 0 or -1. */
static int edit_numbers(struct copying *c)
{
	const struct gltf_number *numbers = (const struct gltf_number *)(const void *)c->compact.uses.numbers.data;
	char view[120];
	const char *stub;
	uint32_t buffer;

	/* Change offsets and lengths of remaining elements. */
	for (size_t i = 0; i < c->compact.uses.numbers.size / sizeof *numbers; i++) {
		const struct gltf_number *number = &numbers[i];
		bool of_view = number->kind <= GLTF_PACKED_OFFSET;
		uint64_t now;

		if (is_free(&c->compact, of_view ? GLTF_VIEWS : GLTF_ACCESSORS, number->owner))
			continue;
		now = number_after(&c->compact, &c->into->asset, number);
		if (now != number->value && replace(c, number->text, GLTF_EDIT_NUMBER, now) != 0)
			return -1;
	}
	/* Shorten the text of buffers that are data URIs. */
	for (uint32_t i = 0; i < count_of(&c->into->asset, GLTF_BUFFERS); i++) {
		const struct gltf_buffer *of = gltf_buffer_at(&c->into->asset, i);

		if (!of->is_data || gltf_spans_find(&c->compact.cuts, i, UINT64_MAX) == NULL ||
		    is_free(&c->compact, GLTF_BUFFERS, i))
			continue;
		if (replace(c, of->length_text, GLTF_EDIT_NUMBER, gltf_spans_place(&c->compact.cuts, i, of->length)) !=
			0 ||
		    replace(c, of->data_text, GLTF_EDIT_BUFFER, i) != 0)
			return -1;
	}
	/* Add the new accessors, the first one that is appended together with all others. */
	for (size_t i = 0; i < gltf_out_count(&c->writer->data); i++) {
		uint32_t accessor;
		struct place place = place_for(c, GLTF_ACCESSORS, &accessor);

		if (accessor == c->writer->first_accessor) {
			if (add(c, place, GLTF_EDIT_ACCESSORS, i) != 0)
				return -1;
			break;
		}
		if (anim_buffer_append(&c->writer->slots, &accessor, sizeof accessor, c->error) != 0 ||
		    add(c, place, GLTF_EDIT_ACCESSOR, i) != 0)
			return -1;
	}
	if (edit_buffers(c, &buffer) != 0)
		return -1;
	snprintf(view, sizeof view, "{\"buffer\":%u,\"byteOffset\":%llu,\"byteLength\":%llu}", buffer,
		 (unsigned long long)c->data_at, (unsigned long long)anim_spool_size(&c->writer->data.spool));
	if (add_text(c, place_for(c, GLTF_VIEWS, &c->writer->view), view) != 0)
		return -1;
	stub = anim_arena_printf(&c->into->arena, c->error, "{\"buffer\":%u,\"byteLength\":1}", buffer);
	if (stub == NULL || edit_free(c, GLTF_VIEWS, stub) != 0 ||
	    edit_free(c, GLTF_ACCESSORS, "{\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}") != 0)
		return -1;
	return edit_free(c, GLTF_BUFFERS, "{\"byteLength\":1,\"uri\":\"" GLTF_DATA_URI "AA==\"}");
}

/* ---- Nodes ---- */

/* Replace matrices of animated nodes, which cannot have one, by translation, rotation and scale. Return 0 or -1. */
static int edit_nodes(struct copying *c)
{
	uint8_t *parted = anim_arena_zeroed(&c->into->arena, gltf_node_count(&c->into->asset) + 1, 1, c->error);

	for (size_t i = 0; parted != NULL && i < c->writer->channels.size / sizeof(struct gltf_out_channel); i++) {
		const struct gltf_out_channel *channel = gltf_writer_channel(c->writer, i);
		const struct gltf_node *node = gltf_node_at(&c->into->asset, channel->node);

		if (channel->path == GLTF_POINTER || node == NULL || !node->is_matrix || parted[channel->node])
			continue;
		parted[channel->node] = 1;
		if (node->is_sheared || node->matrix_text.to == 0)
			return anim_fail(c->error, ANIM_UNSUPPORTED,
					 "nodes[%u] has %s and cannot be animated: animated nodes can only have "
					 "translation, rotation and scale",
					 channel->node,
					 node->is_sheared ? "a matrix that is not a product of a translation, a "
							    "rotation and a scale"
							  : "two matrices");
		if (replace(c, node->matrix_text, GLTF_EDIT_TRANSFORM, channel->node) != 0)
			return -1;
	}
	return parted == NULL ? -1 : 0;
}

/* ---- All edits ---- */

int gltf_into_write(struct gltf_into *into)
{
	struct copying c = {.into = into, .writer = into->writer, .error = into->writer->error};
	const struct gltf_buffer *first = gltf_buffer_at(&into->asset, 0);
	const struct gltf_chunk *bin = gltf_into_bin(into);
	int result = edit_animations(&c);

	/*
	 * In a GLB the new numbers follow the existing ones, or begin its BIN chunk. Otherwise they get a buffer of their
	 * own.
	 */
	c.in_chunk = into->container.is_glb &&
		     (first == NULL ? bin == NULL : bin != NULL && first->uri == NULL && !first->is_data);
	bin = c.in_chunk ? bin : NULL;
	if (result == 0 && c.writer->options.into.compact)
		result = find_unused(&c.compact, into, bin == NULL ? NULL : &bin->size, c.error);
	if (bin != NULL)
		c.data_at = (gltf_spans_place(&c.compact.cuts, 0, bin->size) + 3) & ~(uint64_t)3;
	if (result == 0)
		result = edit_numbers(&c);
	if (result == 0)
		result = edit_nodes(&c);
	if (result == 0 && c.writer->points && !gltf_into_uses(into, "KHR_animation_pointer"))
		result = add_text(&c,
				  end_of(&c, into->asset.used_text, GLTF_COUNT(&into->asset, used, const char *),
					 ",\n\"extensionsUsed\":["),
				  "\"KHR_animation_pointer\"");
	anim_edits_sort(&c.edits, sizeof(struct gltf_edit));
	if (result == 0)
		result = gltf_write_copy(&(struct gltf_edits){.into = into,
							      .items = (struct gltf_edit *)(void *)c.edits.data,
							      .count = c.edits.size / sizeof(struct gltf_edit),
							      .cuts = &c.compact.cuts,
							      .in_chunk = c.in_chunk,
							      .data_at = c.data_at});
	anim_buffer_clear(&c.edits);
	gltf_uses_clear(&c.compact.uses);
	for (int list = 0; list < GLTF_LISTS; list++)
		free(c.compact.states[list]);
	anim_buffer_clear(&c.compact.cuts);
	return result == 0 ? 0 : anim_error_in_file(c.error, into->file);
}
