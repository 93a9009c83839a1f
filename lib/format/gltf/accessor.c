/* accessor.c: from bytes of views to floats: strides, component types, sparse elements, compressed views. */
#include "format/gltf/accessor.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "format/gltf/meshopt.h"

#define STRIDE_MAX 256u /* of compressed views; 252 of others */
#define LANES_MAX 4u    /* of a vector */
#define MATRIX_LANES 16u
#define SPARSE_AT_ONCE 512u
#define PIECE_BYTES ((size_t)65536) /* of strided or converted elements that are looked at at once */

/* Elements of one size that lie in a view. */
struct elements {
	uint32_t component, view;
	unsigned lanes, size, stride;
	uint64_t offset, count; /* in the view */
};

/* An accessor's sparse elements, and where they lie. */
struct sparse_reading {
	const struct gltf_accessor *accessor;
	uint32_t number;
	struct elements indices, values;
	uint64_t indices_at, values_at;
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

static const struct gltf_view *view_at(const struct gltf_asset *asset, uint32_t view)
{
	return GLTF_AT(asset, views, struct gltf_view, view);
}

static const struct gltf_packed *packed_of(const struct gltf_asset *asset, const struct gltf_view *view)
{
	return GLTF_AT(asset, packed, struct gltf_packed, view->packed);
}

/* ---- is it all there? ---- */

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

/* Bytes of a buffer; all three numbers are below 2^53. */
static int want_bytes(struct gltf_data *data, const struct gltf_asset *asset, uint32_t number, uint32_t buffer,
		      uint64_t offset, uint64_t length, struct anim_error *error)
{
	const struct gltf_buffer *of = GLTF_AT(asset, buffers, struct gltf_buffer, buffer);

	if (of == NULL)
		return refuse(number, error, "buffer %" PRIu32 " of its bufferView is not there", buffer);
	if (offset + length > of->length)
		return refuse(number, error, "its bufferView ends at byte %" PRIu64 " of a buffer that has %" PRIu64,
			      offset + length, of->length);
	if (!of->is_data)
		return gltf_data_want(data, buffer, offset, offset + length, error);
	if (of->data_size < of->length)
		return refuse(number, error, "its buffer should have %" PRIu64 " bytes, the data URI has %" PRIu64,
			      of->length, of->data_size);
	return 0;
}

static int want_packed(struct gltf_data *data, const struct gltf_asset *asset, uint32_t number,
		       const struct gltf_view *view, struct anim_error *error)
{
	const struct gltf_packed *packed = packed_of(asset, view);

	if (!packed->is_attributes || packed->filter == GLTF_FILTER_OTHER)
		return refuse(number, error, "its bufferView is compressed in a way that no animation is");
	if (packed->length == 0)
		return refuse(number, error, "its bufferView is compressed and has no bytes");
	if (packed->stride == 0 || packed->stride > 256 || packed->stride % 4 != 0)
		return refuse(number, error, "a compressed stride of %" PRIu32 " cannot be", packed->stride);
	if (packed->count * packed->stride > view->length || packed->count > ANIM_KEYS_MAX)
		return refuse(number, error,
			      "its bufferView has %" PRIu64 " bytes, for which %" PRIu64 " elements are too many",
			      view->length, packed->count);
	return want_bytes(data, asset, number, packed->buffer, packed->offset, packed->length, error);
}

/* The bytes of the elements, which must lie in the view. */
static int want_elements(struct gltf_data *data, const struct gltf_asset *asset, uint32_t number,
			 const struct elements *elements, struct anim_error *error)
{
	const struct gltf_view *view = view_at(asset, elements->view);
	uint64_t length, has;

	if (view == NULL)
		return refuse(number, error, "bufferView %" PRIu32 " is not there", elements->view);
	length = elements->stride * (elements->count - 1) + elements->size;
	has = packed_of(asset, view) == NULL ? view->length
					     : packed_of(asset, view)->count * packed_of(asset, view)->stride;
	if (elements->offset + length > has)
		return refuse(number, error, "its elements end at byte %" PRIu64 " of a bufferView that has %" PRIu64,
			      elements->offset + length, has);
	if (packed_of(asset, view) != NULL)
		return want_packed(data, asset, number, view, error);
	return want_bytes(data, asset, number, view->buffer, view->offset + elements->offset, length, error);
}

/* The accessor's own elements; sparse ones stand tightly. */
static struct elements own_elements(const struct gltf_asset *asset, const struct gltf_accessor *accessor)
{
	const struct gltf_view *view = view_at(asset, accessor->view);
	unsigned size = accessor->lanes * component_size(accessor->component);
	unsigned stride = view == NULL                     ? 0
			  : packed_of(asset, view) != NULL ? packed_of(asset, view)->stride
							   : view->stride;

	return (struct elements){.component = accessor->component,
				 .view = accessor->view,
				 .lanes = accessor->lanes,
				 .size = size,
				 .stride = stride == 0 ? size : stride,
				 .offset = accessor->offset,
				 .count = accessor->count};
}

static struct elements sparse_indices(const struct gltf_sparse *sparse)
{
	unsigned size = component_size(sparse->indices.component);

	return (struct elements){.component = sparse->indices.component,
				 .view = sparse->indices.view,
				 .lanes = 1,
				 .size = size,
				 .stride = size,
				 .offset = sparse->indices.offset,
				 .count = sparse->count};
}

static struct elements sparse_values(const struct gltf_accessor *accessor, const struct gltf_sparse *sparse)
{
	unsigned size = accessor->lanes * component_size(accessor->component);

	return (struct elements){.component = accessor->component,
				 .view = sparse->values.view,
				 .lanes = accessor->lanes,
				 .size = size,
				 .stride = size,
				 .offset = sparse->values.offset,
				 .count = sparse->count};
}

static int want_sparse(struct gltf_data *data, const struct gltf_asset *asset, uint32_t number,
		       const struct gltf_accessor *accessor, struct anim_error *error)
{
	const struct gltf_sparse *sparse = GLTF_AT(asset, sparses, struct gltf_sparse, accessor->sparse);
	struct elements indices, values;

	if (sparse == NULL || sparse->count == 0)
		return 0;
	if (sparse->count > accessor->count)
		return refuse(number, error, "%" PRIu64 " sparse elements of %" PRIu64, sparse->count, accessor->count);
	indices = sparse_indices(sparse);
	values = sparse_values(accessor, sparse);
	if (indices.component != GLTF_U8 && indices.component != GLTF_U16 && indices.component != GLTF_U32)
		return refuse(number, error, "sparse indices of componentType %" PRIu32, indices.component);
	if (want_elements(data, asset, number, &indices, error) != 0)
		return -1;
	return want_elements(data, asset, number, &values, error);
}

static bool bytes_of(const struct gltf_asset *asset, const struct elements *elements, bool exact,
		     struct gltf_bytes *out)
{
	const struct gltf_view *view = view_at(asset, elements->view);

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
	const struct gltf_accessor *accessor = GLTF_AT(asset, accessors, struct gltf_accessor, number);
	const struct gltf_sparse *sparse = GLTF_AT(asset, sparses, struct gltf_sparse, accessor->sparse);
	const struct elements own = own_elements(asset, accessor);
	unsigned count = bytes_of(asset, &own, !accessor->is_matrix, out); /* their columns may be padded */

	if (sparse != NULL) {
		const struct elements indices = sparse_indices(sparse), values = sparse_values(accessor, sparse);

		count += bytes_of(asset, &indices, true, &out[count]);
		count += bytes_of(asset, &values, !accessor->is_matrix, &out[count]);
	}
	return count;
}

/* What it says of itself. */
static int check(const struct gltf_accessor *accessor, uint32_t number, bool matrices, struct anim_error *error)
{
	if (matrices && (accessor->component != GLTF_F32 || accessor->lanes != MATRIX_LANES || !accessor->is_matrix ||
			 accessor->sparse != GLTF_NONE || accessor->view == GLTF_NONE))
		return refuse(number, error, "matrices of 4 x 4 floats are needed");
	if (component_size(accessor->component) == 0)
		return refuse(number, error, "componentType %" PRIu32 " is not read%s", accessor->component,
			      accessor->component == 5130 ? ": KHR_accessor_float64 is not supported" : "");
	if (accessor->lanes == 0 || accessor->is_matrix != matrices)
		return refuse(number, error, "a type that no animation has");
	if (accessor->count == 0)
		return refuse(number, error, "no elements");
	if (accessor->count > ANIM_KEYS_MAX)
		return refuse(number, error, "%" PRIu64 " elements, more than a track may have", accessor->count);
	if (accessor->view == GLTF_NONE && accessor->count > ANIM_GLTF_ZEROS_MAX)
		return refuse(number, error, "%" PRIu64 " zeros without a bufferView, at most %u are read",
			      accessor->count, ANIM_GLTF_ZEROS_MAX);
	if (accessor->normalized && (accessor->component == GLTF_U32 || accessor->component == GLTF_F32))
		return refuse(number, error, "componentType %" PRIu32 " cannot be normalized", accessor->component);
	return 0;
}

static int want(struct gltf_data *data, const struct gltf_asset *asset, uint32_t number, bool matrices,
		struct anim_error *error)
{
	const struct gltf_accessor *accessor = GLTF_AT(asset, accessors, struct gltf_accessor, number);
	struct elements own;

	if (accessor == NULL)
		return anim_fail(error, ANIM_BAD_INPUT, "accessor %" PRIu32 " is not there", number);
	if (check(accessor, number, matrices, error) != 0 || want_sparse(data, asset, number, accessor, error) != 0)
		return -1;
	if (accessor->view == GLTF_NONE)
		return 0;
	own = own_elements(asset, accessor);
	if (own.stride < own.size || own.stride > STRIDE_MAX)
		return refuse(number, error, "a byteStride of %u for elements of %u bytes", own.stride, own.size);
	return want_elements(data, asset, number, &own, error);
}

int gltf_accessor_want(struct gltf_data *data, const struct gltf_asset *asset, uint32_t number,
		       struct anim_error *error)
{
	return want(data, asset, number, false, error);
}

int gltf_accessor_want_matrices(struct gltf_data *data, const struct gltf_asset *asset, uint32_t number,
				struct anim_error *error)
{
	return want(data, asset, number, true, error);
}

/* ---- compressed views ---- */

static int unpack_view(struct gltf_data *data, struct gltf_asset *asset, uint32_t number, struct anim_error *error)
{
	struct gltf_view *view = GLTF_AT(asset, views, struct gltf_view, number);
	const struct gltf_packed *packed = view == NULL ? NULL : packed_of(asset, view);
	char why[sizeof error->message];

	if (packed == NULL || view->place != UINT64_MAX)
		return 0;
	if (gltf_meshopt_unpack(data, packed, gltf_data_place(data, asset, packed->buffer, packed->offset),
				&view->place, error) == 0)
		return 0;
	if (!anim_error_is_of_input(error))
		return -1;
	snprintf(why, sizeof why, "%s", error->message);
	return anim_fail(error, ANIM_BAD_INPUT, "bufferViews[%" PRIu32 "]: compressed: %.400s", number, why);
}

int gltf_accessor_unpack(struct gltf_data *data, struct gltf_asset *asset, uint32_t number, struct anim_error *error)
{
	const struct gltf_accessor *accessor = GLTF_AT(asset, accessors, struct gltf_accessor, number);
	const struct gltf_sparse *sparse = GLTF_AT(asset, sparses, struct gltf_sparse, accessor->sparse);

	if (unpack_view(data, asset, accessor->view, error) != 0)
		return -1;
	if (sparse == NULL || sparse->count == 0)
		return 0;
	return unpack_view(data, asset, sparse->indices.view, error) != 0
		   ? -1
		   : unpack_view(data, asset, sparse->values.view, error);
}

/* ---- numbers ---- */

/* Where the elements lie. */
static uint64_t place_of(const struct gltf_data *data, const struct gltf_asset *asset, const struct elements *elements)
{
	const struct gltf_view *view = view_at(asset, elements->view);

	if (view->place != UINT64_MAX)
		return view->place + elements->offset;
	return gltf_data_place(data, asset, view->buffer, view->offset + elements->offset);
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

/* Elements first .. of some, to out; in pieces. */
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
			for (unsigned lane = 0; lane < elements->lanes; lane++)
				*out++ = decode(bytes + i * elements->stride + lane * width, elements->component,
						normalized);
		done += now;
	}
	return 0;
}

/* Indices of some sparse elements; they must rise. */
static int take_indices(struct gltf_data *data, const struct sparse_reading *s, uint64_t first, size_t count,
			int64_t before, uint32_t *out, struct anim_error *error)
{
	const uint8_t *bytes =
	    gltf_data_read(data, s->indices_at + first * s->indices.size, count * s->indices.size, error);

	if (bytes == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		out[i] = get(bytes + i * s->indices.size, s->indices.size);
		if ((int64_t)out[i] <= before)
			return refuse(s->number, error, "sparse indices that do not rise: %" PRIu32 " behind %" PRId64,
				      out[i], before);
		if (out[i] >= s->accessor->count)
			return refuse(s->number, error, "sparse index %" PRIu32 " of %" PRIu64 " elements", out[i],
				      s->accessor->count);
		before = out[i];
	}
	return 0;
}

/* Puts the sparse elements in their places. Indices and values lie apart: some at once, so that windows are used. */
static int put_sparse(struct gltf_data *data, const struct gltf_asset *asset, const struct sparse_reading *s,
		      uint64_t first, size_t count, float *out, struct anim_error *error)
{
	const struct gltf_sparse *sparse = GLTF_AT(asset, sparses, struct gltf_sparse, s->accessor->sparse);
	const size_t lanes = s->accessor->lanes;
	uint32_t indices[SPARSE_AT_ONCE];
	float values[SPARSE_AT_ONCE * LANES_MAX];
	int64_t last = -1;

	for (uint64_t k = 0; k < sparse->count;) {
		size_t now = sparse->count - k < SPARSE_AT_ONCE ? (size_t)(sparse->count - k) : SPARSE_AT_ONCE;

		if (take_indices(data, s, k, now, last, indices, error) != 0 ||
		    convert(data, &s->values, s->values_at, k, now, s->accessor->normalized, values, error) != 0)
			return -1;
		for (size_t i = 0; i < now; i++)
			if (indices[i] >= first && indices[i] < first + count)
				memcpy(out + (indices[i] - first) * lanes, values + i * lanes, lanes * sizeof *out);
		last = indices[now - 1];
		k += now;
	}
	return 0;
}

/* Exponents of all ones are infinite or not numbers; without branches, so that the compiler vectorises it. */
static bool all_finite(const float *values, size_t count)
{
	uint32_t bad = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t bits;

		memcpy(&bits, &values[i], sizeof bits);
		bad |= (bits & 0x7f800000u) == 0x7f800000u;
	}
	return bad == 0;
}

static bool is_little_endian(void)
{
	const uint16_t one = 1;

	return *(const uint8_t *)&one == 1;
}

/* Floats that lie as they are wanted are borrowed; others are put into `out`. */
static const float *take(struct gltf_data *data, const struct gltf_asset *asset, const struct gltf_accessor *accessor,
			 uint64_t first, size_t count, float *out, struct anim_error *error)
{
	const struct elements own = own_elements(asset, accessor);
	const uint8_t *bytes;
	uint64_t place;

	if (accessor->view == GLTF_NONE) {
		memset(out, 0, count * accessor->lanes * sizeof *out);
		return out;
	}
	place = place_of(data, asset, &own);
	if (own.component != GLTF_F32 || own.stride != own.size || accessor->sparse != GLTF_NONE || !is_little_endian())
		return convert(data, &own, place, first, count, accessor->normalized, out, error) == 0 ? out : NULL;
	bytes = gltf_data_read(data, place + first * own.size, count * own.size, error);
	if (bytes == NULL || (uintptr_t)bytes % sizeof(float) == 0)
		return (const float *)(const void *)bytes;
	memcpy(out, bytes, count * own.size);
	return out;
}

/* The sparse elements among these. */
static int take_sparse(struct gltf_data *data, const struct gltf_asset *asset, uint32_t number, uint64_t first,
		       size_t count, float *out, struct anim_error *error)
{
	const struct gltf_accessor *accessor = GLTF_AT(asset, accessors, struct gltf_accessor, number);
	const struct gltf_sparse *sparse = GLTF_AT(asset, sparses, struct gltf_sparse, accessor->sparse);
	struct sparse_reading reading = {.accessor = accessor, .number = number};

	if (sparse == NULL || sparse->count == 0)
		return 0;
	reading.indices = sparse_indices(sparse);
	reading.values = sparse_values(accessor, sparse);
	reading.indices_at = place_of(data, asset, &reading.indices);
	reading.values_at = place_of(data, asset, &reading.values);
	return put_sparse(data, asset, &reading, first, count, out, error);
}

const float *gltf_accessor_floats(struct gltf_data *data, const struct gltf_asset *asset, uint32_t number,
				  uint64_t first, size_t count, float *out, struct anim_error *error)
{
	const struct gltf_accessor *accessor = GLTF_AT(asset, accessors, struct gltf_accessor, number);
	const float *floats = take(data, asset, accessor, first, count, out, error);

	if (floats == NULL || take_sparse(data, asset, number, first, count, out, error) != 0)
		return NULL;
	if (all_finite(floats, count * accessor->lanes))
		return floats;
	refuse(number, error, "a number that is not finite");
	return NULL;
}
