/* data.c: the bytes of a file, and the numbers of accessors, also sparse and compressed ones. */
#include "format/gltf/data.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "format/gltf/meshopt.h"

/* ---- GLB: header and chunks, each checked against the lengths around it ---- */

#define VERSION 2u

static uint32_t get32(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

__attribute__((format(printf, 4, 5))) static int refuse_glb(const struct gltf_container *container, uint64_t offset,
							    struct anim_error *error, const char *format, ...)
{
	const struct anim_place place = {
	    .file = anim_input_name(container->input), .at = ANIM_AT_BYTE, .offset = offset};
	va_list args;

	va_start(args, format);
	anim_fail_va(error, ANIM_BAD_INPUT, &place, format, args);
	va_end(args);
	return -1;
}

static int refuse_cut(const struct gltf_container *container, uint64_t offset, struct anim_error *error)
{
	return refuse_glb(container, offset, error,
			  "the file is cut off: it ends here, but should have %" PRIu64 " bytes", container->length);
}

/* Read the header of a chunk at the input's position. Return 0 or -1. */
static int read_chunk(const struct gltf_container *container, uint32_t *type, uint64_t *size, struct anim_error *error)
{
	uint64_t offset = anim_input_offset(container->input);
	const uint8_t *at;
	ssize_t got = anim_input_peek(container->input, GLTF_CHUNK_HEAD_BYTES, &at, error);

	if (got < 0)
		return -1;
	if (container->length - offset < GLTF_CHUNK_HEAD_BYTES)
		return refuse_glb(container, offset, error,
				  "the GLB's length of %" PRIu64 " bytes ends inside the header of a chunk",
				  container->length);
	if (got < (ssize_t)GLTF_CHUNK_HEAD_BYTES)
		return refuse_cut(container, offset + (uint64_t)got, error);
	*size = get32(at);
	*type = get32(at + 4);
	anim_input_skip(container->input, GLTF_CHUNK_HEAD_BYTES);
	if (*size > container->length - offset - GLTF_CHUNK_HEAD_BYTES)
		return refuse_glb(container, offset, error,
				  "a chunk of %" PRIu64 " bytes extends beyond the GLB's length of %" PRIu64, *size,
				  container->length);
	return 0;
}

int gltf_container_open(struct gltf_container *container, struct anim_input *input, struct anim_error *error)
{
	uint32_t type, version;
	const uint8_t *at;
	ssize_t got = anim_input_peek(input, GLTF_HEAD_BYTES, &at, error);

	*container = (struct gltf_container){.input = input};
	if (got < 4 || memcmp(at, "glTF", 4) != 0)
		return got < 0 ? -1 : 0;
	if (got < (ssize_t)GLTF_HEAD_BYTES)
		return refuse_glb(container, (uint64_t)got, error,
				  "the file is cut off: it ends inside the GLB header");
	version = get32(at + 4);
	container->is_glb = true;
	container->length = get32(at + 8);
	if (version != VERSION)
		return refuse_glb(container, 4, error, "GLB version %" PRIu32 "%s is not supported, only version 2",
				  version, version == 1 ? " (glTF 1.0)" : "");
	anim_input_skip(input, GLTF_HEAD_BYTES);
	if (container->length < GLTF_HEAD_BYTES)
		return refuse_glb(container, 8, error, "a GLB cannot have a length of %" PRIu64 " bytes",
				  container->length);
	if (read_chunk(container, &type, &container->json_size, error) != 0)
		return -1;
	if (type != GLTF_CHUNK_JSON)
		return refuse_glb(container, GLTF_HEAD_BYTES, error, "the first chunk is not JSON");
	if (container->json_size == 0)
		return refuse_glb(container, GLTF_HEAD_BYTES, error, "the JSON is empty");
	return 0;
}

int gltf_container_next(const struct gltf_container *container, uint32_t *type, uint64_t *size, bool *extra,
			struct anim_error *error)
{
	const uint8_t *at;
	ssize_t got;

	*extra = false;
	if (anim_input_offset(container->input) < container->length)
		return read_chunk(container, type, size, error) == 0 ? 1 : -1;
	got = anim_input_peek(container->input, 1, &at, error);
	*extra = got > 0;
	return got < 0 ? -1 : 0;
}

int gltf_container_skip(const struct gltf_container *container, uint64_t size, struct anim_error *error)
{
	while (size > 0) {
		const uint8_t *at;
		ssize_t got = anim_input_peek(container->input, 1, &at, error);

		if (got < 0)
			return -1;
		if (got == 0)
			return refuse_cut(container, anim_input_offset(container->input), error);
		size -= anim_input_pass(container->input, size);
	}
	return 0;
}

/* ---- Spans of buffers in a spool ---- */

static const uint8_t zeros[8];

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

uint64_t gltf_spans_place(const struct anim_buffer *cuts, uint32_t buffer, uint64_t place)
{
	const struct gltf_span *span = gltf_spans_find(cuts, buffer, place);

	if (span == NULL)
		return place;
	return place < span->to ? span->place : span->place + (place - span->to);
}

bool gltf_spans_next_kept(const struct anim_buffer *cuts, uint32_t buffer, uint64_t end, uint64_t *from, uint64_t *to)
{
	const struct gltf_span *before = gltf_spans_find(cuts, buffer, *from), *next;
	size_t i = before == NULL ? 0 : (size_t)(before - span_at(cuts, 0)) + 1;

	if (before != NULL && *from < before->to)
		*from = before->to;
	while (i < span_count(cuts) && span_at(cuts, i)->buffer < buffer)
		i++;
	next = i < span_count(cuts) ? span_at(cuts, i) : NULL;
	*to = next != NULL && next->buffer == buffer && next->from < end ? next->from : end;
	return *from < end;
}

/*
 * Move the input to `to`, and keep the bytes if `keep` is set. Return 0, with *at before `to` if the input ends there,
 * or -1.
 */
static int pass(struct gltf_data *data, struct anim_input *input, uint64_t *at, uint64_t to, bool keep,
		struct anim_error *error)
{
	while (*at < to) {
		const uint8_t *bytes;
		ssize_t got = anim_input_peek(input, 1, &bytes, error);

		if (got <= 0)
			return got < 0 ? -1 : 0;
		if (!keep) {
			*at += anim_input_pass(input, to - *at);
			continue;
		}
		if ((uint64_t)got > to - *at)
			got = (ssize_t)(to - *at);
		if (gltf_data_append(&data->spool, bytes, (size_t)got, error) != 0)
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
		/* Keep the alignment modulo 4 that the bytes have in the buffer. */
		span->place = anim_spool_size(&data->spool) + (span->from & 3);
		if (gltf_data_append(&data->spool, zeros, (size_t)(span->from & 3), error) != 0 ||
		    pass(data, input, read, span->to, true, error) != 0)
			return -1;
		if (*read < span->to)
			return 0;
	}
	return 0;
}

/* The bytes can begin in the spool's memory and continue in its file. */
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

/* ---- Accessors: checks that all their bytes exist ---- */

#define STRIDE_MAX 256u   /* of compressed views (252 for others) */
#define COMPONENTS_MAX 4u /* maximum of a vector */
#define MATRIX_COMPONENTS 16u
#define SPARSE_AT_ONCE 512u
#define PIECE_BYTES ((size_t)65536) /* of strided or converted elements that are read at once */

/* Elements of one size in a view. */
struct elements {
	uint32_t component, view;
	unsigned components, size, stride;
	uint64_t offset, count; /* offset: in the view */
};

static unsigned component_size(uint32_t component)
{
	switch (component) {
	case GLTF_I8:
	case GLTF_U8:
		return 1;
	case GLTF_I16:
	case GLTF_U16:
		return 2;
	case GLTF_U32:
	case GLTF_F32:
		return 4;
	default:
		return 0;
	}
}

static struct elements own_elements(const struct gltf_asset *asset, const struct gltf_accessor *accessor)
{
	const struct gltf_view *view = gltf_view_at(asset, accessor->view);
	const struct gltf_packed *packed = view == NULL ? NULL : gltf_packed_of(asset, view);
	unsigned size = accessor->components * component_size(accessor->component);
	unsigned stride = packed != NULL ? packed->stride : view != NULL ? view->stride : 0;

	return (struct elements){.component = accessor->component,
				 .view = accessor->view,
				 .components = accessor->components,
				 .size = size,
				 .stride = stride == 0 ? size : stride,
				 .offset = accessor->offset,
				 .count = accessor->count};
}

/* Sparse elements, which are either indices (with one component) or values, are tightly packed. */
static struct elements sparse_elements(const struct gltf_sparse_part *part, uint64_t count, uint32_t component,
				       unsigned components)
{
	unsigned size = components * component_size(component);

	return (struct elements){.component = component,
				 .view = part->view,
				 .components = components,
				 .size = size,
				 .stride = size,
				 .offset = part->offset,
				 .count = count};
}

static struct elements sparse_indices(const struct gltf_sparse *sparse)
{
	return sparse_elements(&sparse->indices, sparse->count, sparse->indices.component, 1);
}

static struct elements sparse_values(const struct gltf_accessor *accessor, const struct gltf_sparse *sparse)
{
	return sparse_elements(&sparse->values, sparse->count, accessor->component, accessor->components);
}

__attribute__((format(printf, 3, 4))) static int refuse(uint32_t number, struct anim_error *error, const char *format,
							...)
{
	char why[400];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof why, format, args);
	va_end(args);
	return anim_fail(error, ANIM_BAD_INPUT, "accessors[%" PRIu32 "]: %s", number, why);
}

/* Request bytes of a buffer. All three numbers are below 2^53. */
static int want_bytes(struct gltf_data *data, const struct gltf_asset *asset, uint32_t number, uint32_t buffer,
		      uint64_t offset, uint64_t length, struct anim_error *error)
{
	const struct gltf_buffer *of = gltf_buffer_at(asset, buffer);

	if (of == NULL)
		return refuse(number, error, "buffer %" PRIu32 " of its bufferView is missing", buffer);
	if (offset + length > of->length)
		return refuse(number, error, "its bufferView ends at byte %" PRIu64 " of a buffer that has %" PRIu64,
			      offset + length, of->length);
	if (!of->is_data)
		return gltf_spans_add(&data->spans, buffer, offset, offset + length, error);
	if (of->data_size < of->length)
		return refuse(number, error, "its buffer should have %" PRIu64 " bytes, the data URI has %" PRIu64,
			      of->length, of->data_size);
	return 0;
}

/* Request the bytes of elements, which must be inside the view. For a compressed view, request all its bytes. */
static int want_elements(struct gltf_data *data, const struct gltf_asset *asset, uint32_t number,
			 const struct elements *elements, struct anim_error *error)
{
	const struct gltf_view *view = gltf_view_at(asset, elements->view);
	const struct gltf_packed *packed = view == NULL ? NULL : gltf_packed_of(asset, view);
	uint64_t length = elements->stride * (elements->count - 1) + elements->size, has;

	if (view == NULL)
		return refuse(number, error, "bufferView %" PRIu32 " is missing", elements->view);
	has = packed == NULL ? view->length : packed->count * packed->stride;
	if (elements->offset + length > has)
		return refuse(number, error, "its elements end at byte %" PRIu64 " of a bufferView that has %" PRIu64,
			      elements->offset + length, has);
	if (packed == NULL)
		return want_bytes(data, asset, number, view->buffer, view->offset + elements->offset, length, error);
	if (!packed->is_attributes || packed->filter == GLTF_FILTER_OTHER)
		return refuse(number, error, "its bufferView has a compression that animations cannot use");
	if (packed->length == 0)
		return refuse(number, error, "its bufferView is compressed and has no bytes");
	if (packed->stride == 0 || packed->stride > 256 || packed->stride % 4 != 0)
		return refuse(number, error, "invalid stride %" PRIu32 " of a compressed bufferView", packed->stride);
	if (packed->count * packed->stride > view->length || packed->count > ANIM_KEYS_MAX)
		return refuse(number, error,
			      "its bufferView has %" PRIu64 " bytes, too few for its %" PRIu64 " elements",
			      view->length, packed->count);
	return want_bytes(data, asset, number, packed->buffer, packed->offset, packed->length, error);
}

int gltf_accessor_want(struct gltf_data *data, const struct gltf_asset *asset, uint32_t number, bool matrices,
		       struct anim_error *error)
{
	const struct gltf_accessor *accessor = gltf_accessor_at(asset, number);
	const struct gltf_sparse *sparse;
	struct elements own, indices, values;

	if (accessor == NULL)
		return anim_fail(error, ANIM_BAD_INPUT, "accessor %" PRIu32 " is missing", number);
	/* Fail if an accessor contradicts itself or cannot belong to an animation. */
	if (matrices && (accessor->component != GLTF_F32 || accessor->components != MATRIX_COMPONENTS ||
			 !accessor->is_matrix || accessor->sparse != GLTF_NONE || accessor->view == GLTF_NONE))
		return refuse(number, error, "matrices of 4 x 4 floats are needed");
	if (component_size(accessor->component) == 0)
		return refuse(number, error, "componentType %" PRIu32 " is not supported%s", accessor->component,
			      accessor->component == 5130 ? " (KHR_accessor_float64)" : "");
	if (accessor->components == 0 || accessor->is_matrix != matrices)
		return refuse(number, error, "its type cannot be used for animations");
	if (accessor->count == 0)
		return refuse(number, error, "no elements");
	if (accessor->count > ANIM_KEYS_MAX)
		return refuse(number, error, "%" PRIu64 " elements, more than a track may have", accessor->count);
	if (accessor->view == GLTF_NONE && accessor->count > ANIM_GLTF_ZEROS_MAX)
		return refuse(number, error, "%" PRIu64 " zeros without a bufferView; at most %u are allowed",
			      accessor->count, ANIM_GLTF_ZEROS_MAX);
	if (accessor->normalized && (accessor->component == GLTF_U32 || accessor->component == GLTF_F32))
		return refuse(number, error, "componentType %" PRIu32 " cannot be normalized", accessor->component);
	sparse = gltf_sparse_of(asset, accessor);
	if (sparse != NULL && sparse->count != 0) {
		if (sparse->count > accessor->count)
			return refuse(number, error, "%" PRIu64 " sparse elements, but only %" PRIu64 " elements",
				      sparse->count, accessor->count);
		indices = sparse_indices(sparse);
		values = sparse_values(accessor, sparse);
		if (indices.component != GLTF_U8 && indices.component != GLTF_U16 && indices.component != GLTF_U32)
			return refuse(number, error, "sparse indices cannot have componentType %" PRIu32,
				      indices.component);
		if (want_elements(data, asset, number, &indices, error) != 0 ||
		    want_elements(data, asset, number, &values, error) != 0)
			return -1;
	}
	if (accessor->view == GLTF_NONE)
		return 0;
	own = own_elements(asset, accessor);
	if (own.stride < own.size || own.stride > STRIDE_MAX)
		return refuse(number, error, "byteStride %u does not suit elements of %u bytes", own.stride, own.size);
	return want_elements(data, asset, number, &own, error);
}

/* Find the bytes of elements. Return false if they are not in a view. */
static bool bytes_of(const struct gltf_asset *asset, const struct elements *elements, bool exact,
		     struct gltf_bytes *out)
{
	const struct gltf_view *view = gltf_view_at(asset, elements->view);

	if (view == NULL)
		return false;
	*out = (struct gltf_bytes){elements->view, 0, view->length, exact && elements->size > 0};
	if (!out->exact)
		return true;
	out->from = elements->offset < view->length ? elements->offset : view->length;
	if (elements->count == 0)
		out->to = out->from;
	else if (elements->count - 1 < (view->length - out->from) / elements->stride &&
		 elements->stride * (elements->count - 1) + elements->size < view->length - out->from)
		out->to = out->from + elements->stride * (elements->count - 1) + elements->size;
	return true;
}

unsigned gltf_accessor_bytes(const struct gltf_asset *asset, uint32_t number, struct gltf_bytes out[3])
{
	const struct gltf_accessor *accessor = gltf_accessor_at(asset, number);
	const struct gltf_sparse *sparse = gltf_sparse_of(asset, accessor);
	const struct elements own = own_elements(asset, accessor);
	unsigned count = bytes_of(asset, &own, !accessor->is_matrix, out); /* the columns of matrices may be padded */

	if (sparse != NULL) {
		const struct elements indices = sparse_indices(sparse), values = sparse_values(accessor, sparse);

		count += bytes_of(asset, &indices, true, &out[count]);
		count += bytes_of(asset, &values, !accessor->is_matrix, &out[count]);
	}
	return count;
}

/* ---- The numbers of accessors ---- */

/* Return the place of kept bytes of a buffer. */
static uint64_t place_in_buffer(const struct gltf_data *data, const struct gltf_asset *asset, uint32_t buffer,
				uint64_t from)
{
	const struct gltf_buffer *of = gltf_buffer_at(asset, buffer);
	const struct gltf_span *span;

	if (of->is_data)
		return of->data_place + from;
	span = gltf_spans_find(&data->spans, buffer, from);
	assert(span != NULL && from < span->to);
	return span->place + (from - span->from);
}

static int unpack_view(struct gltf_data *data, struct gltf_asset *asset, uint32_t number, struct anim_error *error)
{
	struct gltf_view *view = gltf_view_at(asset, number);
	const struct gltf_packed *packed = view == NULL ? NULL : gltf_packed_of(asset, view);
	char why[sizeof error->message];

	if (packed == NULL || view->place != UINT64_MAX)
		return 0;
	if (gltf_meshopt_unpack(data, packed, place_in_buffer(data, asset, packed->buffer, packed->offset),
				&view->place, error) == 0)
		return 0;
	if (!anim_error_is_of_input(error))
		return -1;
	snprintf(why, sizeof why, "%s", error->message);
	return anim_fail(error, ANIM_BAD_INPUT, "bufferViews[%" PRIu32 "]: compressed: %.400s", number, why);
}

int gltf_accessor_unpack(struct gltf_data *data, struct gltf_asset *asset, uint32_t number, struct anim_error *error)
{
	const struct gltf_accessor *accessor = gltf_accessor_at(asset, number);
	const struct gltf_sparse *sparse = gltf_sparse_of(asset, accessor);

	if (unpack_view(data, asset, accessor->view, error) != 0)
		return -1;
	if (sparse == NULL || sparse->count == 0)
		return 0;
	return unpack_view(data, asset, sparse->indices.view, error) != 0
		   ? -1
		   : unpack_view(data, asset, sparse->values.view, error);
}

static uint64_t place_of(const struct gltf_data *data, const struct gltf_asset *asset, const struct elements *elements)
{
	const struct gltf_view *view = gltf_view_at(asset, elements->view);

	if (view->place != UINT64_MAX)
		return view->place + elements->offset;
	return place_in_buffer(data, asset, view->buffer, view->offset + elements->offset);
}

static uint32_t get(const uint8_t *at, unsigned size)
{
	uint32_t value = at[0];

	for (unsigned i = 1; i < size; i++)
		value |= (uint32_t)at[i] << (8 * i);
	return value;
}

static float at_least(float number)
{
	return number < -1 ? -1 : number;
}

static float decode(const uint8_t *at, uint32_t component, bool normalized)
{
	uint32_t bits = get(at, component_size(component));
	float number;

	switch (component) {
	case GLTF_I8:
		number = (float)(int8_t)bits;
		return normalized ? at_least(number / 127) : number;
	case GLTF_U8:
		return normalized ? (float)bits / 255 : (float)bits;
	case GLTF_I16:
		number = (float)(int16_t)bits;
		return normalized ? at_least(number / 32767) : number;
	case GLTF_U16:
		return normalized ? (float)bits / 65535 : (float)bits;
	case GLTF_U32:
		return (float)bits;
	default:
		memcpy(&number, &bits, sizeof number);
		return number;
	}
}

/* Convert elements from `first` on, piece by piece. Return 0 or -1. */
static int convert(struct gltf_data *data, const struct elements *elements, uint64_t place, uint64_t first,
		   size_t count, bool normalized, float *out, struct anim_error *error)
{
	const size_t most = PIECE_BYTES / elements->stride;
	unsigned width = component_size(elements->component);

	for (size_t done = 0; done < count;) {
		size_t now = count - done < most ? count - done : most;
		const uint8_t *bytes = gltf_data_read(data, place + (first + done) * elements->stride,
						      (now - 1) * elements->stride + elements->size, error);

		if (bytes == NULL)
			return -1;
		for (size_t i = 0; i < now; i++)
			for (unsigned component = 0; component < elements->components; component++)
				*out++ = decode(bytes + i * elements->stride + component * width, elements->component,
						normalized);
		done += now;
	}
	return 0;
}

/*
 * Put the sparse elements of this range in their places. Several are read at once, because indices and values are in
 * different places and would need different windows.
 */
static int put_sparse(struct gltf_data *data, const struct gltf_asset *asset, uint32_t number, uint64_t first,
		      size_t count, float *out, struct anim_error *error)
{
	const struct gltf_accessor *accessor = gltf_accessor_at(asset, number);
	const struct gltf_sparse *sparse = gltf_sparse_of(asset, accessor);
	const size_t components = accessor->components;
	struct elements indices, values;
	float piece[SPARSE_AT_ONCE * COMPONENTS_MAX];
	uint32_t index[SPARSE_AT_ONCE];
	uint64_t indices_at, values_at;
	int64_t before = -1;

	if (sparse == NULL || sparse->count == 0)
		return 0;
	indices = sparse_indices(sparse);
	values = sparse_values(accessor, sparse);
	indices_at = place_of(data, asset, &indices);
	values_at = place_of(data, asset, &values);
	for (uint64_t k = 0; k < sparse->count;) {
		size_t now = sparse->count - k < SPARSE_AT_ONCE ? (size_t)(sparse->count - k) : SPARSE_AT_ONCE;
		const uint8_t *bytes = gltf_data_read(data, indices_at + k * indices.size, now * indices.size, error);

		if (bytes == NULL)
			return -1;
		for (size_t i = 0; i < now; i++) {
			index[i] = get(bytes + i * indices.size, indices.size);
			if ((int64_t)index[i] <= before)
				return refuse(number, error, "sparse indices must increase: %" PRIu32 " after %" PRId64,
					      index[i], before);
			if (index[i] >= accessor->count)
				return refuse(number, error,
					      "sparse index %" PRIu32 " is too large for %" PRIu64 " elements",
					      index[i], accessor->count);
			before = index[i];
		}
		if (convert(data, &values, values_at, k, now, accessor->normalized, piece, error) != 0)
			return -1;
		for (size_t i = 0; i < now; i++)
			if (index[i] >= first && index[i] < first + count)
				memcpy(out + (index[i] - first) * components, piece + i * components,
				       components * sizeof *out);
		k += now;
	}
	return 0;
}

const float *gltf_accessor_floats(struct gltf_data *data, const struct gltf_asset *asset, uint32_t number,
				  uint64_t first, size_t count, float *out, struct anim_error *error)
{
	const struct gltf_accessor *accessor = gltf_accessor_at(asset, number);
	const struct elements own = own_elements(asset, accessor);
	const float *floats = out;
	const uint8_t *bytes;
	uint64_t place;
	uint32_t bad = 0;

	/* Floats are borrowed, other types are converted into `out`. */
	if (accessor->view == GLTF_NONE) {
		memset(out, 0, count * accessor->components * sizeof *out);
	} else {
		place = place_of(data, asset, &own);
		if (own.component != GLTF_F32 || own.stride != own.size || accessor->sparse != GLTF_NONE) {
			if (convert(data, &own, place, first, count, accessor->normalized, out, error) != 0)
				return NULL;
		} else {
			bytes = gltf_data_read(data, place + first * own.size, count * own.size, error);
			if (bytes == NULL)
				return NULL;
			if ((uintptr_t)bytes % sizeof(float) == 0)
				floats = (const float *)(const void *)bytes;
			else
				memcpy(out, bytes, count * own.size);
		}
	}
	if (put_sparse(data, asset, number, first, count, out, error) != 0)
		return NULL;
	/*
	 * Check whether all values are finite. Otherwise all bits of an exponent are set. The loop has no branches, so
	 * that the compiler can vectorise it.
	 */
	for (size_t i = 0; i < count * accessor->components; i++) {
		uint32_t bits;

		memcpy(&bits, &floats[i], sizeof bits);
		bad |= (bits & 0x7f800000u) == 0x7f800000u;
	}
	if (bad == 0)
		return floats;
	refuse(number, error, "one of its numbers is not finite");
	return NULL;
}
