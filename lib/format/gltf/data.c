/* data.c: spans of buffers in a spool. */
#include "format/gltf/data.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t zeros[8];

void gltf_data_init(struct gltf_data *data, size_t memory_max)
{
	*data = (struct gltf_data){.spans = {0}};
	anim_spool_init(&data->spool, memory_max);
}

void gltf_data_clear(struct gltf_data *data)
{
	anim_spool_clear(&data->spool);
	anim_buffer_clear(&data->spans);
	anim_buffer_clear(&data->joined);
}

int gltf_data_append(struct anim_spool *spool, const void *bytes, size_t size, struct anim_error *error)
{
	if (size == 0)
		return 0;
	return anim_spool_begin(spool, size, error) != 0 ? -1 : anim_spool_append(spool, bytes, size, error);
}

int gltf_data_align(struct anim_spool *spool, struct anim_error *error)
{
	return gltf_data_append(spool, zeros, (size_t)(-anim_spool_size(spool) & 7), error);
}

/* ---- spans ---- */

static struct gltf_span *span_at(const struct anim_buffer *spans, size_t i)
{
	return (struct gltf_span *)(void *)spans->data + i;
}

static size_t span_count(const struct anim_buffer *spans)
{
	return spans->size / sizeof(struct gltf_span);
}

int gltf_spans_add(struct anim_buffer *spans, uint32_t buffer, uint64_t from, uint64_t to, struct anim_error *error)
{
	const struct gltf_span span = {.from = from, .to = to, .buffer = buffer};

	return from >= to ? 0 : anim_buffer_append(spans, &span, sizeof span, error);
}

static int compare(const void *a, const void *b)
{
	const struct gltf_span *x = a, *y = b;

	if (x->buffer != y->buffer)
		return x->buffer < y->buffer ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

void gltf_spans_sort(struct anim_buffer *spans)
{
	size_t count = span_count(spans), kept = 0;

	if (count > 0)
		qsort(spans->data, count, sizeof(struct gltf_span), compare);
	for (size_t i = 0; i < count; i++) {
		const struct gltf_span *span = span_at(spans, i);
		struct gltf_span *last = kept == 0 ? NULL : span_at(spans, kept - 1);

		if (last == NULL || last->buffer != span->buffer || span->from >= last->to)
			*span_at(spans, kept++) = *span;
		else if (span->to > last->to)
			last->to = span->to;
	}
	spans->size = kept * sizeof(struct gltf_span);
}

struct gltf_span *gltf_spans_find(const struct anim_buffer *spans, uint32_t buffer, uint64_t from)
{
	size_t low = 0, high = span_count(spans);

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct gltf_span *span = span_at(spans, middle);

		if (span->buffer < buffer || (span->buffer == buffer && span->from <= from))
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 || span_at(spans, low - 1)->buffer != buffer ? NULL : span_at(spans, low - 1);
}

/* ---- those that animation needs ---- */

int gltf_data_want(struct gltf_data *data, uint32_t buffer, uint64_t from, uint64_t to, struct anim_error *error)
{
	return gltf_spans_add(&data->spans, buffer, from, to, error);
}

void gltf_data_sort(struct gltf_data *data)
{
	gltf_spans_sort(&data->spans);
}

bool gltf_data_wants(const struct gltf_data *data, uint32_t buffer)
{
	return gltf_spans_find(&data->spans, buffer, UINT64_MAX) != NULL;
}

bool gltf_data_has(const struct gltf_data *data, uint32_t buffer, uint64_t size)
{
	const struct gltf_span *last = gltf_spans_find(&data->spans, buffer, UINT64_MAX);

	return last == NULL || last->to <= size;
}

/* Moves the input on to `to`, keeping what comes by or not. 0 (with *at before `to` where the input ends) or -1. */
static int pass(struct gltf_data *data, struct anim_input *input, uint64_t *at, uint64_t to, bool keep,
		struct anim_error *error)
{
	while (*at < to) {
		const uint8_t *bytes;
		ssize_t got = anim_input_peek(input, 1, &bytes, error);

		if (got <= 0)
			return got < 0 ? -1 : 0;
		if ((uint64_t)got > to - *at)
			got = (ssize_t)(to - *at);
		if (keep && gltf_data_append(&data->spool, bytes, (size_t)got, error) != 0)
			return -1;
		anim_input_skip(input, (size_t)got);
		*at += (uint64_t)got;
	}
	return 0;
}

int gltf_data_keep(struct gltf_data *data, uint32_t buffer, struct anim_input *input, uint64_t *read,
		   struct anim_error *error)
{
	struct gltf_span *span, *end;

	*read = 0;
	if (span_count(&data->spans) == 0)
		return 0;
	span = span_at(&data->spans, 0);
	end = span + span_count(&data->spans);
	while (span < end && span->buffer < buffer)
		span++;
	for (; span < end && span->buffer == buffer; span++) {
		if (pass(data, input, read, span->from, false, error) != 0 || gltf_data_align(&data->spool, error) != 0)
			return -1;
		/* What is at its place modulo 4 in the buffer is so here. */
		span->place = anim_spool_size(&data->spool) + (span->from & 3);
		if (gltf_data_append(&data->spool, zeros, (size_t)(span->from & 3), error) != 0 ||
		    pass(data, input, read, span->to, true, error) != 0)
			return -1;
		if (*read < span->to)
			return 0;
	}
	return 0;
}

uint64_t gltf_data_place(const struct gltf_data *data, const struct gltf_asset *asset, uint32_t buffer, uint64_t from)
{
	const struct gltf_buffer *of = GLTF_AT(asset, buffers, struct gltf_buffer, buffer);
	const struct gltf_span *span;

	if (of->is_data)
		return of->data_place + from;
	span = gltf_spans_find(&data->spans, buffer, from);
	assert(span != NULL && from < span->to);
	return span->place + (from - span->from);
}

/* A run that begins in the spool's memory may go on in its file. */
const uint8_t *gltf_data_read(struct gltf_data *data, uint64_t place, size_t size, struct anim_error *error)
{
	uint64_t border = data->spool.memory.size;
	size_t first = place < border ? (size_t)(border - place) : 0;
	const uint8_t *bytes;

	if (first == 0 || size <= first)
		return anim_spool_read(&data->spool, place, size, error);
	data->joined.size = 0;
	if (anim_buffer_append(&data->joined, data->spool.memory.data + place, first, error) != 0)
		return NULL;
	bytes = anim_spool_read(&data->spool, border, size - first, error);
	if (bytes == NULL || anim_buffer_append(&data->joined, bytes, size - first, error) != 0)
		return NULL;
	return data->joined.data;
}
