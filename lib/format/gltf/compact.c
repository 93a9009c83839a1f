/* compact.c: who uses what, then which bytes nobody does. */
#include "format/gltf/compact.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "format/gltf/into.h"

/* What an element is used by. */
enum {
	USED = 1,  /* by something that stays */
	GOING = 2, /* by something that goes */
	WHOLE = 4, /* a view: not by accessors alone, so that all of its bytes are needed */
	FREE = 8,
	NAMED = 16 /* by a number in extras, which may be its own */
};

/* No number has more bytes: where what goes ends at multiples of it, all else stays aligned. */
#define ALIGNMENT 4u

struct finding {
	struct gltf_compact *compact;
	const struct gltf_into *into;
	const struct gltf_asset *asset;
	const uint64_t *bin;
	struct anim_buffer goes, stays; /* struct gltf_span */
	const char *other;              /* a file that holds bytes that would go; NULL: there is none */
	size_t named;                   /* elements that stay for a number in extras */
	struct anim_error *error;
};

static uint8_t state_of(const struct gltf_compact *compact, enum gltf_list list, uint32_t number)
{
	return number < compact->counts[list] ? compact->states[list][number] : 0;
}

/* A number that the list does not have is nobody's. */
static void mark(struct gltf_compact *compact, enum gltf_list list, uint32_t number, unsigned how)
{
	if (number < compact->counts[list])
		compact->states[list][number] |= (uint8_t)how;
}

static void mark_all(struct gltf_compact *compact, enum gltf_list list, const struct anim_buffer *numbers, unsigned how)
{
	for (size_t i = 0; i < numbers->size / sizeof(uint32_t); i++)
		mark(compact, list, ((const uint32_t *)(const void *)numbers->data)[i], how);
}

/* ---- elements: those go that only what goes has used, and what stands in for one that went before ---- */

static bool is_stub(const struct gltf_asset *asset, enum gltf_list list, uint32_t number)
{
	const struct gltf_accessor *accessor = GLTF_AT(asset, accessors, struct gltf_accessor, number);
	const struct gltf_view *view = GLTF_AT(asset, views, struct gltf_view, number);
	const struct gltf_buffer *buffer = GLTF_AT(asset, buffers, struct gltf_buffer, number);

	if (list == GLTF_ACCESSORS)
		return accessor->view == GLTF_NONE && accessor->sparse == GLTF_NONE && accessor->count == 1 &&
		       accessor->lanes == 1 && accessor->component == GLTF_F32;
	if (list == GLTF_VIEWS)
		return view->length == 1 && view->packed == GLTF_NONE;
	return buffer->length == 1 && buffer->is_data;
}

static void settle(struct finding *f, enum gltf_list list)
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

static bool goes(const struct gltf_into *into, uint32_t animation)
{
	return into->bound[animation] != GLTF_NONE || into->writer->options.into.only;
}

static void find_accessors(struct finding *f)
{
	mark_all(f->compact, GLTF_ACCESSORS, &f->compact->uses.extras, NAMED);
	mark_all(f->compact, GLTF_ACCESSORS, &f->compact->uses.accessors, USED);
	for (uint32_t i = 0; i < GLTF_COUNT(f->asset, animations, struct gltf_animation); i++) {
		struct gltf_run run = GLTF_AT(f->asset, animations, struct gltf_animation, i)->samplers;

		for (uint32_t k = 0; k < run.count; k++) {
			const struct gltf_sampler *sampler =
			    GLTF_AT(f->asset, samplers, struct gltf_sampler, run.first + k);

			mark(f->compact, GLTF_ACCESSORS, sampler->input, goes(f->into, i) ? GOING : USED);
			mark(f->compact, GLTF_ACCESSORS, sampler->output, goes(f->into, i) ? GOING : USED);
		}
	}
	settle(f, GLTF_ACCESSORS);
}

static void find_views(struct finding *f)
{
	mark_all(f->compact, GLTF_VIEWS, &f->compact->uses.extras, NAMED);
	mark_all(f->compact, GLTF_VIEWS, &f->compact->uses.views, USED | WHOLE);
	for (uint32_t i = 0; i < f->compact->counts[GLTF_ACCESSORS]; i++) {
		struct gltf_bytes parts[3];
		unsigned count = gltf_accessor_bytes(f->asset, i, parts);
		bool is_free = gltf_compact_is_free(f->compact, GLTF_ACCESSORS, i);

		for (unsigned p = 0; p < count; p++)
			mark(f->compact, GLTF_VIEWS, parts[p].view, is_free ? GOING : USED);
	}
	settle(f, GLTF_VIEWS);
}

static const struct gltf_packed *packed_of(const struct gltf_asset *asset, const struct gltf_view *view)
{
	return GLTF_AT(asset, packed, struct gltf_packed, view->packed);
}

static void find_buffers(struct finding *f)
{
	if (f->bin != NULL)
		mark(f->compact, GLTF_BUFFERS, 0, USED);
	for (uint32_t i = 0; i < f->compact->counts[GLTF_VIEWS]; i++) {
		const struct gltf_view *view = GLTF_AT(f->asset, views, struct gltf_view, i);
		const struct gltf_packed *packed = packed_of(f->asset, view);
		unsigned how = gltf_compact_is_free(f->compact, GLTF_VIEWS, i) ? GOING : USED;

		mark(f->compact, GLTF_BUFFERS, view->buffer, how);
		mark(f->compact, GLTF_BUFFERS, packed == NULL ? GLTF_NONE : packed->buffer, how);
	}
	settle(f, GLTF_BUFFERS);
}

/* ---- bytes ---- */

/* How many of a buffer's bytes are in the file itself. */
static uint64_t size_of(const struct finding *f, uint32_t number)
{
	const struct gltf_buffer *buffer = GLTF_AT(f->asset, buffers, struct gltf_buffer, number);
	uint64_t size = buffer == NULL                  ? 0
			: buffer->is_data               ? buffer->data_size
			: number == 0 && f->bin != NULL ? *f->bin
							: 0;

	return buffer != NULL && buffer->length < size ? buffer->length : size;
}

static int add(struct finding *f, bool go, uint32_t number, uint64_t from, uint64_t to)
{
	const struct gltf_buffer *buffer = GLTF_AT(f->asset, buffers, struct gltf_buffer, number);
	uint64_t size = size_of(f, number);

	if (go && buffer != NULL && buffer->uri != NULL)
		f->other = buffer->uri;
	return gltf_spans_add(go ? &f->goes : &f->stays, number, from, to < size ? to : size, f->error);
}

/* All of a view's bytes, and of those that it is packed into. */
static int add_view(struct finding *f, bool go, const struct gltf_view *view)
{
	const struct gltf_packed *packed = packed_of(f->asset, view);

	if (packed != NULL && add(f, go, packed->buffer, packed->offset, packed->offset + packed->length) != 0)
		return -1;
	return add(f, go, view->buffer, view->offset, view->offset + view->length);
}

/* Some accessors of it stay and others go, and there is nothing else that it is for. */
static bool is_mixed(const struct finding *f, uint32_t view)
{
	const struct gltf_view *of = GLTF_AT(f->asset, views, struct gltf_view, view);

	return of != NULL && of->packed == GLTF_NONE && state_of(f->compact, GLTF_VIEWS, view) == (USED | GOING);
}

static int add_views(struct finding *f)
{
	for (uint32_t i = 0; i < f->compact->counts[GLTF_VIEWS]; i++)
		if (!is_mixed(f, i) && add_view(f, gltf_compact_is_free(f->compact, GLTF_VIEWS, i),
						GLTF_AT(f->asset, views, struct gltf_view, i)) != 0)
			return -1;
	return 0;
}

/* Of a view that is mixed what the accessors have; bytes that none has stay. */
static int add_accessors(struct finding *f)
{
	for (uint32_t i = 0; i < f->compact->counts[GLTF_ACCESSORS]; i++) {
		struct gltf_bytes parts[3];
		unsigned count = gltf_accessor_bytes(f->asset, i, parts);
		bool go = gltf_compact_is_free(f->compact, GLTF_ACCESSORS, i);

		for (unsigned p = 0; p < count; p++) {
			const struct gltf_view *view = GLTF_AT(f->asset, views, struct gltf_view, parts[p].view);

			if (is_mixed(f, parts[p].view) && (parts[p].exact || !go) &&
			    add(f, go, view->buffer, view->offset + parts[p].from, view->offset + parts[p].to) != 0)
				return -1;
		}
	}
	return 0;
}

/* Whole words of what goes. */
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

/* What goes but for what stays; both are sorted. */
static int cut_all(struct finding *f)
{
	const struct gltf_span *go, *stay;
	size_t first = 0;

	for (size_t i = 0; (go = span_at(&f->goes, i)) != NULL; i++) {
		uint64_t from = go->from;

		while ((stay = span_at(&f->stays, first)) != NULL &&
		       (stay->buffer < go->buffer || (stay->buffer == go->buffer && stay->to <= go->from)))
			first++;
		for (size_t k = first; (stay = span_at(&f->stays, k)) != NULL; k++) {
			if (stay->buffer != go->buffer || stay->from >= go->to)
				break;
			if (cut(f, go->buffer, from, stay->from) != 0)
				return -1;
			from = stay->to;
		}
		if (cut(f, go->buffer, from, go->to) != 0)
			return -1;
	}
	return 0;
}

static int find_bytes(struct finding *f)
{
	int result = add_views(f);

	if (result == 0)
		result = add_accessors(f);
	gltf_spans_sort(&f->goes);
	gltf_spans_sort(&f->stays);
	if (result == 0)
		result = cut_all(f);
	anim_buffer_clear(&f->goes);
	anim_buffer_clear(&f->stays);
	return result;
}

/* ---- may anything go? ---- */

static int note(const struct finding *f, const char *before, const char *what, const char *after)
{
	const struct anim_place place = {.file = f->into->file, .at = ANIM_AT_FILE};
	char shown[160];

	anim_text_safe(shown, sizeof shown, what, strlen(what));
	return anim_diagnostics_add(f->into->writer->options.diagnostics, ANIM_NOTE, &place, NULL, f->error, "%s'%s'%s",
				    before, shown, after);
}

static int note_named(const struct finding *f)
{
	const struct anim_place place = {.file = f->into->file, .at = ANIM_AT_FILE};

	return anim_diagnostics_add(
	    f->into->writer->options.diagnostics, ANIM_NOTE, &place, NULL, f->error,
	    "of the accessors and views of animations that go %zu stay%s: a number in extras may refer to "
	    "them",
	    f->named, f->named == 1 ? "s" : "");
}

static bool some_go(const struct gltf_into *into)
{
	for (uint32_t i = 0; i < GLTF_COUNT(&into->asset, animations, struct gltf_animation); i++)
		if (goes(into, i))
			return true;
	return false;
}

/* Read the document again, to find who refers to what. Return 0 or -1. */
static int read_uses(const struct finding *f)
{
	struct gltf_container container;
	struct anim_input *input = NULL;
	int result = anim_input_open(&input, f->into->file, NULL, f->error);

	if (result == 0)
		result = gltf_container_open(&container, input, f->error);
	if (result == 0)
		result = gltf_uses_read(&f->compact->uses, &container, f->error);
	anim_input_close(input);
	return result;
}

static size_t texts_of(const struct gltf_compact *compact, enum gltf_list list)
{
	return compact->uses.texts[list].size / sizeof(struct gltf_range);
}

#define NOTHING "nothing of animations that go is dropped: "

/* 1, 0 with a note, -1. */
static int is_known(const struct finding *f)
{
	static const char *const names[GLTF_LISTS] = {"accessors", "bufferViews", "buffers"};
	const struct gltf_uses *uses = &f->compact->uses;

	if (uses->unknown[0] != '\0')
		return note(f, NOTHING "what extension ", uses->unknown, " refers to is not known");
	if (strcmp(f->asset->version, "2.0") != 0)
		return note(f, NOTHING "what things of glTF ", f->asset->version, " refer to is not known");
	for (int list = 0; list < GLTF_LISTS; list++)
		if (texts_of(f->compact, (enum gltf_list)list) != f->compact->counts[list])
			return note(f, NOTHING, names[list], " stands twice");
	return 1;
}

int gltf_compact_find(struct gltf_compact *compact, const struct gltf_into *into, const uint64_t *bin,
		      struct anim_error *error)
{
	struct finding f = {.compact = compact, .into = into, .asset = &into->asset, .bin = bin, .error = error};
	const uint32_t counts[GLTF_LISTS] = {GLTF_COUNT(f.asset, accessors, struct gltf_accessor),
					     GLTF_COUNT(f.asset, views, struct gltf_view),
					     GLTF_COUNT(f.asset, buffers, struct gltf_buffer)};
	int known;

	if (!some_go(into))
		return 0;
	if (read_uses(&f) != 0)
		return -1;
	memcpy(compact->counts, counts, sizeof counts);
	known = is_known(&f);
	for (int list = 0; list < GLTF_LISTS && known == 1; list++)
		if ((compact->states[list] = anim_zeroed((size_t)counts[list] + 1, error)) == NULL)
			known = -1;
	if (known != 1) {
		memset(compact->counts, 0, sizeof compact->counts);
		compact->uses.numbers.size = 0;
		return known;
	}
	find_accessors(&f);
	find_views(&f);
	find_buffers(&f);
	if (find_bytes(&f) != 0)
		return -1;
	if (f.named > 0 && note_named(&f) != 0)
		return -1;
	return f.other == NULL ? 0 : note(&f, "numbers of animations that go stay in ", f.other, ", another file");
}

void gltf_compact_clear(struct gltf_compact *compact)
{
	gltf_uses_clear(&compact->uses);
	for (int list = 0; list < GLTF_LISTS; list++)
		free(compact->states[list]);
	anim_buffer_clear(&compact->cuts);
}

/* ---- what becomes of the file ---- */

bool gltf_compact_is_free(const struct gltf_compact *compact, enum gltf_list list, uint32_t number)
{
	return (state_of(compact, list, number) & FREE) != 0;
}

uint32_t gltf_compact_take(struct gltf_compact *compact, enum gltf_list list)
{
	while (compact->next[list] < compact->counts[list]) {
		uint32_t number = compact->next[list]++;

		if (!gltf_compact_is_free(compact, list, number))
			continue;
		compact->states[list][number] = USED;
		return number;
	}
	return GLTF_NONE;
}

struct gltf_range gltf_compact_text(const struct gltf_compact *compact, enum gltf_list list, uint32_t number)
{
	return ((const struct gltf_range *)(const void *)compact->uses.texts[list].data)[number];
}

uint64_t gltf_compact_place(const struct gltf_compact *compact, uint32_t buffer, uint64_t place)
{
	const struct gltf_span *span = gltf_spans_find(&compact->cuts, buffer, place);

	if (span == NULL)
		return place;
	return place < span->to ? span->place : span->place + (place - span->to);
}

bool gltf_compact_cuts(const struct gltf_compact *compact, uint32_t buffer)
{
	return gltf_spans_find(&compact->cuts, buffer, UINT64_MAX) != NULL;
}

bool gltf_compact_run(const struct gltf_compact *compact, uint32_t buffer, uint64_t end, uint64_t *from, uint64_t *to)
{
	const struct gltf_span *before = gltf_spans_find(&compact->cuts, buffer, *from), *next;
	size_t i = before == NULL ? 0 : (size_t)(before - span_at(&compact->cuts, 0)) + 1;

	if (before != NULL && *from < before->to)
		*from = before->to;
	while ((next = span_at(&compact->cuts, i)) != NULL && next->buffer < buffer)
		i++;
	*to = next != NULL && next->buffer == buffer && next->from < end ? next->from : end;
	return *from < end;
}

/* Where a place of a view is in the view; of a packed one all stays. */
static uint64_t place_in(const struct gltf_compact *compact, const struct gltf_asset *asset, uint32_t number,
			 uint64_t offset)
{
	const struct gltf_view *view = GLTF_AT(asset, views, struct gltf_view, number);

	if (view == NULL || view->packed != GLTF_NONE)
		return offset;
	return gltf_compact_place(compact, view->buffer, view->offset + offset) -
	       gltf_compact_place(compact, view->buffer, view->offset);
}

uint64_t gltf_compact_number(const struct gltf_compact *compact, const struct gltf_asset *asset,
			     const struct gltf_number *number)
{
	const struct gltf_accessor *accessor = GLTF_AT(asset, accessors, struct gltf_accessor, number->owner);
	const struct gltf_view *view = GLTF_AT(asset, views, struct gltf_view, number->owner);
	const struct gltf_sparse *sparse =
	    accessor == NULL ? NULL : GLTF_AT(asset, sparses, struct gltf_sparse, accessor->sparse);
	const struct gltf_packed *packed = view == NULL ? NULL : packed_of(asset, view);

	switch (number->kind) {
	case GLTF_VIEW_OFFSET:
		return gltf_compact_place(compact, view->buffer, number->value);
	case GLTF_VIEW_LENGTH:
		return gltf_compact_place(compact, view->buffer, view->offset + number->value) -
		       gltf_compact_place(compact, view->buffer, view->offset);
	case GLTF_PACKED_OFFSET:
		return packed == NULL ? number->value : gltf_compact_place(compact, packed->buffer, number->value);
	case GLTF_ACCESSOR_OFFSET:
		return place_in(compact, asset, accessor->view, number->value);
	case GLTF_INDICES_OFFSET:
		return sparse == NULL ? number->value : place_in(compact, asset, sparse->indices.view, number->value);
	default:
		return sparse == NULL ? number->value : place_in(compact, asset, sparse->values.view, number->value);
	}
}
