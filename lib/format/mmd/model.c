/* model.c: mmd_model_read: the bones, IK and morphs of .pmx and .pmd files. Meshes and materials are passed over. */
#include "format/mmd/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/text.h"
#include "format/mmd/bytes.h"
#include "format/mmd/sjis.h"
#include "math/elementary.h"
#include "math/vector.h"

#define NUMBER_MAX 1e18F
#define LOOPS_MAX 256u /* as MikuMikuDance's own limit */

/* The sizes in the head of a .pmx file. */
enum { SIZE_VERTEX, SIZE_TEXTURE, SIZE_MATERIAL, SIZE_BONE, SIZE_MORPH, SIZE_BODY, SIZE_COUNT };

struct model_reading {
	struct mmd_model *model;
	const struct anim_read_options *options;
	struct mmd_bytes bytes;
	struct anim_error *error;
	bool is_utf8; /* texts of a .pmx file, otherwise UTF-16 */
	unsigned extra_uvs, sizes[SIZE_COUNT];
	struct anim_buffer text;
};

/* ---- Numbers and texts ---- */

static int read_count(struct model_reading *reading, const char *part, uint32_t *count)
{
	const uint8_t *at;

	reading->bytes.part = part;
	at = mmd_read(&reading->bytes, 4);
	if (at == NULL)
		return -1;
	*count = mmd_u32(at);
	return *count <= INT32_MAX ? 0 : mmd_fail(&reading->bytes, "a negative number of %s", part + strlen("the "));
}

/* Return the number of `size` bytes. A negative one is MMD_NONE. */
static uint32_t index_of(const uint8_t *at, unsigned size)
{
	uint32_t value = size == 1 ? at[0] : size == 2 ? mmd_u16(at) : mmd_u32(at);

	return value >> (8 * size - 1) != 0 ? MMD_NONE : value;
}

static int read_index(struct model_reading *reading, unsigned kind, uint32_t *index)
{
	const uint8_t *at = mmd_read(&reading->bytes, reading->sizes[kind]);

	if (at == NULL)
		return -1;
	*index = index_of(at, reading->sizes[kind]);
	return 0;
}

/* Read floats. A value that is not finite or larger than NUMBER_MAX becomes 0. Return 0 or -1. */
static int read_floats(struct model_reading *reading, float *out, size_t count)
{
	const uint8_t *at = mmd_read(&reading->bytes, 4 * count);

	if (at == NULL)
		return -1;
	mmd_floats(out, at, count);
	for (size_t i = 0; i < count; i++)
		if (!(fabsf(out[i]) <= NUMBER_MAX))
			out[i] = 0;
	return 0;
}

/* Append UTF-16 as UTF-8. */
static int append_utf16(struct anim_buffer *to, const uint8_t *at, size_t size, struct anim_error *error)
{
	for (size_t i = 0; i + 1 < size; i += 2) {
		uint32_t code = mmd_u16(at + i);
		char bytes[4];

		if (code >= 0xD800 && code < 0xDC00 && i + 3 < size && (mmd_u16(at + i + 2) & 0xFC00) == 0xDC00) {
			code = 0x10000 + ((code & 0x3FF) << 10) + (mmd_u16(at + i + 2) & 0x3FFu);
			i += 2;
		}
		if (anim_buffer_append(to, bytes, anim_utf8_encode(code, bytes), error) != 0)
			return -1;
	}
	return 0;
}

/* Read a text of a .pmx file and keep it in the arena, up to a zero, if `text` is not NULL. Return 0 or -1. */
static int read_text(struct model_reading *reading, const char **text)
{
	const uint8_t *at = mmd_read(&reading->bytes, 4);
	uint32_t size = at == NULL ? 0 : mmd_u32(at);
	const char *from;
	size_t length;

	if (at == NULL)
		return -1;
	if (size > INT32_MAX)
		return mmd_fail(&reading->bytes, "a text of negative length");
	if (text == NULL)
		return mmd_skip(&reading->bytes, size);
	if (size > ANIM_NAME_MAX)
		return mmd_fail(&reading->bytes, "a name of %" PRIu32 " bytes", size);
	at = mmd_read(&reading->bytes, size);
	reading->text.size = 0;
	if (at == NULL || (reading->is_utf8 ? anim_buffer_append(&reading->text, at, size, reading->error)
					    : append_utf16(&reading->text, at, size, reading->error)) != 0)
		return -1;
	from = reading->text.size == 0 ? "" : (const char *)reading->text.data;
	length = anim_utf8_prefix(from, reading->text.size);
	*text = anim_arena_text(&reading->model->arena, from, length, reading->error);
	return *text == NULL ? -1 : 0;
}

static int skip_texts(struct model_reading *reading, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (read_text(reading, NULL) != 0)
			return -1;
	return 0;
}

/* ---- PMX ---- */

static int read_pmx_head(struct model_reading *reading)
{
	const uint8_t *at;
	unsigned globals;
	float version;

	reading->bytes.part = "the head";
	at = mmd_read(&reading->bytes, 9);
	if (at == NULL)
		return -1;
	version = mmd_f32(at + 4);
	globals = at[8];
	if (!(version >= 2 && version < 2.2F))
		return mmd_fail(&reading->bytes, "an unknown version of PMX; known: 2.0 and 2.1");
	if (globals < 2 + SIZE_COUNT)
		return mmd_fail(&reading->bytes, "%u numbers in the head, at least %d expected", globals,
				2 + SIZE_COUNT);
	at = mmd_read(&reading->bytes, globals);
	if (at == NULL)
		return -1;
	if (at[0] > 1 || at[1] > 4)
		return mmd_fail(&reading->bytes, at[0] > 1 ? "an unknown encoding of texts"
							   : "more than 4 additional vectors per vertex");
	reading->is_utf8 = at[0] == 1;
	reading->extra_uvs = at[1];
	for (unsigned i = 0; i < SIZE_COUNT; i++) {
		reading->sizes[i] = at[2 + i];
		if (at[2 + i] != 1 && at[2 + i] != 2 && at[2 + i] != 4)
			return mmd_fail(&reading->bytes, "indices of %u bytes, not 1, 2 or 4", at[2 + i]);
	}
	return read_text(reading, &reading->model->name) != 0 ? -1 : skip_texts(reading, 3);
}

/* Pass over vertices, faces, textures and materials. Return 0 or -1. */
static int skip_meshes(struct model_reading *reading)
{
	const unsigned bone = reading->sizes[SIZE_BONE], fixed = 32 + 16 * reading->extra_uvs;
	const unsigned weights[] = {bone, 2 * bone + 4, 4 * bone + 16, 2 * bone + 40, 4 * bone + 16};
	const unsigned texture = reading->sizes[SIZE_TEXTURE];
	const uint8_t *at;
	uint32_t count;

	if (read_count(reading, "the vertices", &count) != 0)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		at = mmd_read(&reading->bytes, fixed + 1);
		if (at == NULL)
			return -1;
		if (at[fixed] >= ANIM_COUNT(weights))
			return mmd_fail(&reading->bytes, "an unknown kind of weights, %u", at[fixed]);
		if (mmd_read(&reading->bytes, weights[at[fixed]] + 4) == NULL)
			return -1;
	}
	if (read_count(reading, "the faces", &count) != 0 ||
	    mmd_skip(&reading->bytes, (uint64_t)count * reading->sizes[SIZE_VERTEX]) != 0 ||
	    read_count(reading, "the textures", &count) != 0)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (skip_texts(reading, 1) != 0)
			return -1;
	if (read_count(reading, "the materials", &count) != 0)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		if (skip_texts(reading, 2) != 0)
			return -1;
		at = mmd_read(&reading->bytes, 65 + 2 * texture + 2);
		if (at == NULL || mmd_skip(&reading->bytes, at[65 + 2 * texture + 1] != 0 ? 1 : texture) ||
		    skip_texts(reading, 1) != 0 || mmd_skip(&reading->bytes, 4) != 0)
			return -1;
	}
	return 0;
}

/* Order the limits of a link, which files may have the wrong way round. */
static void set_limits(struct mmd_link *link, const float min[3], const float max[3])
{
	link->limited = true;
	for (size_t i = 0; i < 3; i++) {
		link->min[i] = min[i] < max[i] ? min[i] : max[i];
		link->max[i] = min[i] < max[i] ? max[i] : min[i];
	}
}

static int read_pmx_ik(struct model_reading *reading, uint32_t bone)
{
	struct mmd_ik ik = {.goal = bone, .first_link = reading->model->links.size / sizeof(struct mmd_link)};
	const uint8_t *at;
	uint32_t count;

	if (read_index(reading, SIZE_BONE, &ik.effector) != 0)
		return -1;
	at = mmd_read(&reading->bytes, 12);
	if (at == NULL)
		return -1;
	ik.loops = mmd_u32(at) > INT32_MAX ? 0 : mmd_u32(at) > LOOPS_MAX ? LOOPS_MAX : mmd_u32(at);
	ik.limit = mmd_f32(at + 4);
	count = mmd_u32(at + 8);
	if (count > INT32_MAX)
		return mmd_fail(&reading->bytes, "a negative number of IK links");
	for (uint32_t i = 0; i < count; i++) {
		struct mmd_link link = {.bone = MMD_NONE};
		float limits[6];

		if (read_index(reading, SIZE_BONE, &link.bone) != 0)
			return -1;
		at = mmd_read(&reading->bytes, 1);
		if (at == NULL)
			return -1;
		if (at[0] != 0) {
			if (read_floats(reading, limits, 6) != 0)
				return -1;
			set_limits(&link, limits, limits + 3);
		}
		if (anim_buffer_append(&reading->model->links, &link, sizeof link, reading->error) != 0)
			return -1;
	}
	ik.link_count = count;
	return anim_buffer_append(&reading->model->iks, &ik, sizeof ik, reading->error);
}

/* The flags of a bone in a .pmx file. */
enum {
	PMX_TAIL_IS_BONE = 0x0001,
	PMX_IK = 0x0020,
	PMX_APPENDS_LOCAL = 0x0080,
	PMX_APPENDS_ROTATION = 0x0100,
	PMX_APPENDS_TRANSLATION = 0x0200,
	PMX_FIXED_AXIS = 0x0400,
	PMX_LOCAL_AXES = 0x0800,
	PMX_AFTER_PHYSICS = 0x1000,
	PMX_OUTSIDE_PARENT = 0x2000
};

static int read_pmx_bone(struct model_reading *reading, uint32_t number)
{
	struct mmd_bone bone = {.append_from = MMD_NONE};
	const uint8_t *at;
	unsigned flags;

	if (read_text(reading, &bone.name) != 0 || read_text(reading, &bone.english) != 0 ||
	    read_floats(reading, bone.position, 3) != 0 || read_index(reading, SIZE_BONE, &bone.parent) != 0)
		return -1;
	at = mmd_read(&reading->bytes, 6);
	if (at == NULL)
		return -1;
	memcpy(&bone.layer, at, sizeof bone.layer);
	flags = mmd_u16(at + 4);
	bone.after_physics = (flags & PMX_AFTER_PHYSICS) != 0;
	if (mmd_skip(&reading->bytes, flags & PMX_TAIL_IS_BONE ? reading->sizes[SIZE_BONE] : 12) != 0)
		return -1;
	if (flags & (PMX_APPENDS_ROTATION | PMX_APPENDS_TRANSLATION)) {
		bone.appends_rotation = (flags & PMX_APPENDS_ROTATION) != 0;
		bone.appends_translation = (flags & PMX_APPENDS_TRANSLATION) != 0;
		bone.appends_local = (flags & PMX_APPENDS_LOCAL) != 0;
		if (read_index(reading, SIZE_BONE, &bone.append_from) != 0 ||
		    read_floats(reading, &bone.append_ratio, 1) != 0)
			return -1;
	}
	bone.has_axis = (flags & PMX_FIXED_AXIS) != 0;
	if ((bone.has_axis && read_floats(reading, bone.axis, 3) != 0) ||
	    mmd_skip(&reading->bytes, (flags & PMX_LOCAL_AXES ? 24u : 0) + (flags & PMX_OUTSIDE_PARENT ? 4u : 0)) !=
		0 ||
	    anim_buffer_append(&reading->model->bones, &bone, sizeof bone, reading->error) != 0)
		return -1;
	return flags & PMX_IK ? read_pmx_ik(reading, number) : 0;
}

/* The kinds of morphs in a .pmx file: bytes of a part besides its index, and the kind of the index. */
static const struct {
	uint8_t bytes, index;
} pmx_morphs[] = {{4, SIZE_MORPH},      {12, SIZE_VERTEX}, {28, SIZE_BONE},   {16, SIZE_VERTEX},
		  {16, SIZE_VERTEX},    {16, SIZE_VERTEX}, {16, SIZE_VERTEX}, {16, SIZE_VERTEX},
		  {113, SIZE_MATERIAL}, {4, SIZE_MORPH},   {25, SIZE_BODY}};
enum { PMX_MORPH_GROUP = 0, PMX_MORPH_BONE = 2, PMX_MORPH_FLIP = 9 };

static int read_pmx_morph(struct model_reading *reading)
{
	struct mmd_morph morph = {.first_part = reading->model->parts.size / sizeof(struct mmd_part)};
	const uint8_t *at;
	unsigned kind, index;
	uint32_t count;

	if (read_text(reading, &morph.name) != 0 || skip_texts(reading, 1) != 0)
		return -1;
	at = mmd_read(&reading->bytes, 6);
	if (at == NULL)
		return -1;
	kind = at[1];
	count = mmd_u32(at + 2);
	if (kind >= ANIM_COUNT(pmx_morphs) || count > INT32_MAX)
		return mmd_fail(&reading->bytes, count > INT32_MAX ? "a negative number of parts of a morph"
								   : "an unknown kind of morph");
	index = pmx_morphs[kind].index;
	if (kind == PMX_MORPH_GROUP || kind == PMX_MORPH_FLIP)
		morph.kind = MMD_MORPH_GROUP;
	else if (kind == PMX_MORPH_BONE)
		morph.kind = MMD_MORPH_BONE;
	if (morph.kind == MMD_MORPH_OTHER) {
		if (mmd_skip(&reading->bytes, (uint64_t)count * (reading->sizes[index] + pmx_morphs[kind].bytes)) != 0)
			return -1;
	} else {
		for (; morph.part_count < count; morph.part_count++) {
			struct mmd_part part = {.rotation = {0, 0, 0, 1}};
			bool is_group = morph.kind == MMD_MORPH_GROUP;

			if (read_index(reading, index, &part.item) != 0 ||
			    (is_group && read_floats(reading, &part.weight, 1) != 0) ||
			    (!is_group && (read_floats(reading, part.position, 3) != 0 ||
					   read_floats(reading, part.rotation, 4) != 0)) ||
			    anim_buffer_append(&reading->model->parts, &part, sizeof part, reading->error) != 0)
				return -1;
		}
	}
	return anim_buffer_append(&reading->model->morphs, &morph, sizeof morph, reading->error);
}

static int read_pmx(struct model_reading *reading)
{
	uint32_t count;

	if (read_pmx_head(reading) != 0 || skip_meshes(reading) != 0 || read_count(reading, "the bones", &count) != 0)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (read_pmx_bone(reading, i) != 0)
			return -1;
	if (read_count(reading, "the morphs", &count) != 0)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (read_pmx_morph(reading) != 0)
			return -1;
	return 0;
}

/* ---- PMD ---- */

#define PMD_VERTEX 38u
#define PMD_MATERIAL 70u
#define PMD_BONE 39u
#define PMD_NAME 20u
#define PMD_COMMENT 256u

enum { PMD_UNDER_ROTATION = 5, PMD_TWIST = 8, PMD_FOLLOWS = 9 };

/* Decode a name that ends at a zero byte. Return it in the arena, or NULL. */
static const char *pmd_name(struct model_reading *reading, const uint8_t *raw)
{
	char text[4 * PMD_NAME + 1];
	bool broken;
	size_t length = anim_sjis_to_utf8(raw, PMD_NAME, text, sizeof text, &broken);

	return anim_arena_text(&reading->model->arena, text, length, reading->error);
}

/* Read a bone. The tail is kept in `node`, and the kind in `layer`, until all bones are known. */
static int read_pmd_bone(struct model_reading *reading)
{
	const uint8_t *at = mmd_read(&reading->bytes, PMD_BONE);
	struct mmd_bone bone = {.english = "", .append_from = MMD_NONE};

	if (at == NULL)
		return -1;
	bone.parent = index_of(at + 20, 2);
	bone.node = index_of(at + 22, 2);
	bone.layer = at[24];
	bone.append_from = bone.layer == PMD_UNDER_ROTATION ? index_of(at + 25, 2) : MMD_NONE;
	bone.append_ratio = 1;
	if (bone.layer == PMD_FOLLOWS) {
		bone.append_from = bone.node;
		bone.append_ratio = (float)(int16_t)mmd_u16(at + 25) / 100;
	}
	bone.appends_rotation = bone.append_from != MMD_NONE;
	mmd_floats(bone.position, at + 27, 3);
	for (size_t i = 0; i < 3; i++)
		if (!(fabsf(bone.position[i]) <= NUMBER_MAX))
			bone.position[i] = 0;
	bone.name = pmd_name(reading, at);
	return bone.name == NULL ? -1 : anim_buffer_append(&reading->model->bones, &bone, sizeof bone, reading->error);
}

static int read_pmd_ik(struct model_reading *reading)
{
	/* The file has no limits. MikuMikuDance knows knees by their names. */
	static const float min[3] = {-(float)ANIM_PI, 0, 0}, max[3] = {-(float)(0.5 / 180 * ANIM_PI), 0, 0};
	const uint8_t *at = mmd_read(&reading->bytes, 11);
	struct mmd_ik ik = {.first_link = reading->model->links.size / sizeof(struct mmd_link)};

	if (at == NULL)
		return -1;
	ik.goal = index_of(at, 2);
	ik.effector = index_of(at + 2, 2);
	ik.link_count = at[4];
	ik.loops = mmd_u16(at + 5) > LOOPS_MAX ? LOOPS_MAX : mmd_u16(at + 5);
	ik.limit = mmd_f32(at + 7) * 4;
	for (size_t i = 0; i < ik.link_count; i++) {
		struct mmd_link link = {.bone = MMD_NONE};

		at = mmd_read(&reading->bytes, 2);
		if (at == NULL)
			return -1;
		link.bone = index_of(at, 2);
		if (link.bone < mmd_bone_count(reading->model) &&
		    anim_text_ends(mmd_bone_at(reading->model, link.bone)->name, "ひざ"))
			set_limits(&link, min, max);
		if (anim_buffer_append(&reading->model->links, &link, sizeof link, reading->error) != 0)
			return -1;
	}
	return anim_buffer_append(&reading->model->iks, &ik, sizeof ik, reading->error);
}

/* Read a number of two bytes. Return it or -1. */
static int read_u16(struct model_reading *reading, const char *part)
{
	const uint8_t *at;

	reading->bytes.part = part;
	at = mmd_read(&reading->bytes, 2);
	return at == NULL ? -1 : mmd_u16(at);
}

static int read_pmd(struct model_reading *reading)
{
	struct mmd_model *model = reading->model;
	const uint8_t *at;
	uint32_t count;
	int number;

	reading->bytes.part = "the head";
	at = mmd_read(&reading->bytes, 7 + PMD_NAME);
	if (at == NULL)
		return -1;
	model->name = pmd_name(reading, at + 7);
	if (model->name == NULL || mmd_skip(&reading->bytes, PMD_COMMENT) != 0 ||
	    read_count(reading, "the vertices", &count) != 0 ||
	    mmd_skip(&reading->bytes, (uint64_t)count * PMD_VERTEX) != 0 ||
	    read_count(reading, "the faces", &count) != 0 || mmd_skip(&reading->bytes, (uint64_t)count * 2) != 0 ||
	    read_count(reading, "the materials", &count) != 0 ||
	    mmd_skip(&reading->bytes, (uint64_t)count * PMD_MATERIAL) != 0)
		return -1;
	number = read_u16(reading, "the bones");
	for (int i = 0; i < number; i++)
		if (read_pmd_bone(reading) != 0)
			return -1;
	if (number >= 0)
		number = read_u16(reading, "the IK chains");
	for (int i = 0; i < number; i++)
		if (read_pmd_ik(reading) != 0)
			return -1;
	if (number >= 0)
		number = read_u16(reading, "the morphs");
	for (int i = 0; i < number; i++) {
		struct mmd_morph morph = {.kind = MMD_MORPH_OTHER};
		bool is_base;

		at = mmd_read(&reading->bytes, PMD_NAME + 5);
		if (at == NULL)
			return -1;
		count = mmd_u32(at + PMD_NAME);
		is_base = at[PMD_NAME + 4] == 0;
		morph.name = pmd_name(reading, at);
		if (morph.name == NULL || mmd_skip(&reading->bytes, (uint64_t)count * 16) != 0)
			return -1;
		if (!is_base && anim_buffer_append(&model->morphs, &morph, sizeof morph, reading->error) != 0)
			return -1;
	}
	if (number < 0)
		return -1;

	/* Set the properties of bones by their kinds. */
	count = mmd_bone_count(model);
	for (uint32_t i = 0; i < count; i++) {
		struct mmd_bone *bone = mmd_bone_at(model, i);
		int32_t kind = bone->layer;

		bone->layer = kind == PMD_UNDER_ROTATION ? 2 : 0;
		if (kind != PMD_TWIST || bone->node >= count)
			continue;
		bone->has_axis = true;
		for (size_t k = 0; k < 3; k++)
			bone->axis[k] = mmd_bone_at(model, bone->node)->position[k] - bone->position[k];
	}
	for (size_t i = 0; i < mmd_ik_count(model); i++)
		if (mmd_ik_at(model, i)->goal < count)
			mmd_bone_at(model, mmd_ik_at(model, i)->goal)->layer = 1;
	return 0;
}

/* ---- Both ---- */

static uint32_t within(uint32_t index, uint32_t count)
{
	return index < count ? index : MMD_NONE;
}

/* Make all numbers of bones and morphs valid, and all directions and rotations of length 1. Return 0 or -1. */
static int check_model(struct model_reading *reading)
{
	struct mmd_model *model = reading->model;
	uint32_t count = mmd_bone_count(model), loops = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct mmd_bone *bone = mmd_bone_at(model, i);

		bone->parent = within(bone->parent, count);
		bone->append_from = within(bone->append_from, count);
		if (bone->append_from == MMD_NONE || bone->append_from == i)
			bone->appends_rotation = bone->appends_translation = false;
		anim_vec3_normalize(bone->axis);
	}
	for (size_t i = 0; i < mmd_ik_count(model); i++) {
		struct mmd_ik *ik = mmd_ik_at(model, i);

		ik->goal = within(ik->goal, count);
		ik->effector = within(ik->effector, count);
		if (!(ik->limit > 0))
			ik->loops = 0;
		for (size_t k = 0; k < ik->link_count; k++)
			mmd_link_at(model, ik, k)->bone = within(mmd_link_at(model, ik, k)->bone, count);
	}
	for (size_t i = 0; i < model->parts.size / sizeof(struct mmd_part); i++) {
		float *q = ((struct mmd_part *)(void *)model->parts.data)[i].rotation;
		double square = 0;

		for (size_t k = 0; k < 4; k++)
			square += (double)q[k] * (double)q[k];
		for (size_t k = 0; k < 4; k++)
			q[k] = square > 0 ? (float)((double)q[k] / sqrt(square)) : k == 3;
	}

	/* Cut loops of parents at the bone that closes them. `node` of a bone is the last walk that visited it. */
	for (uint32_t i = 0; i < count; i++)
		mmd_bone_at(model, i)->node = MMD_NONE;
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t at = i; at != MMD_NONE && mmd_bone_at(model, at)->node == MMD_NONE;) {
			struct mmd_bone *bone = mmd_bone_at(model, at);

			bone->node = i;
			at = bone->parent;
			if (at != MMD_NONE && mmd_bone_at(model, at)->node == i) {
				bone->parent = MMD_NONE;
				loops++;
				break;
			}
		}
	}
	if (loops == 0)
		return 0;
	return anim_diagnostics_warn(reading->options->diagnostics, "bone", reading->error,
				     "a cycle of parents; the parent is removed");
}

int mmd_parents_first(const struct mmd_model *model, const uint32_t *wanted, uint32_t *order, struct anim_error *error)
{
	uint32_t count = mmd_bone_count(model), done = 0;
	uint8_t *is_done = anim_zeroed(count + 1, error);

	if (is_done == NULL)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t first = wanted == NULL ? i : wanted[i], length = 0;

		for (uint32_t at = first; at != MMD_NONE && !is_done[at]; at = mmd_bone_at(model, at)->parent)
			length++;
		for (uint32_t at = first, k = done + length; k-- > done; at = mmd_bone_at(model, at)->parent) {
			order[k] = at;
			is_done[at] = 1;
		}
		done += length;
	}
	free(is_done);
	return 0;
}

/* A bone of a .pmd file is not in an earlier layer than its parent. Return 0 or -1. */
static int raise_layers(struct mmd_model *model, struct anim_error *error)
{
	uint32_t count = mmd_bone_count(model),
		 *order = anim_arena_zeroed(&model->arena, count + 1, sizeof *order, error);

	if (order == NULL || mmd_parents_first(model, NULL, order, error) != 0)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		struct mmd_bone *bone = mmd_bone_at(model, order[i]);
		int32_t least = bone->parent == MMD_NONE ? 0 : mmd_bone_at(model, bone->parent)->layer;

		bone->layer = bone->layer < least ? least : bone->layer;
	}
	return 0;
}

bool mmd_is_pmd(const uint8_t *bytes, size_t size)
{
	return size >= 7 && anim_bytes_begin(bytes, size, "Pmd") && mmd_f32(bytes + 3) == 1;
}

int mmd_model_read(struct mmd_model *model, struct anim_input *input, const struct anim_read_options *options,
		   struct anim_error *error)
{
	struct model_reading reading = {
	    .model = model, .options = options, .bytes = {.input = input, .error = error}, .error = error};
	const uint8_t *at;
	ssize_t size = anim_input_peek(input, 9, &at, error);
	bool is_pmd = size >= 0 && mmd_is_pmd(at, (size_t)size);
	int result;

	*model = (struct mmd_model){.name = ""};
	if (size < 0)
		return -1;
	if (!is_pmd && !anim_bytes_begin(at, (size_t)size, "PMX "))
		return mmd_fail(&reading.bytes, "not a model of MikuMikuDance, which begins with \"PMX \" or \"Pmd\"");
	result = is_pmd ? read_pmd(&reading) : read_pmx(&reading);
	if (result == 0)
		result = check_model(&reading);
	if (result == 0 && is_pmd)
		result = raise_layers(model, error);
	anim_buffer_clear(&reading.text);
	return result;
}

void mmd_model_clear(struct mmd_model *model)
{
	anim_buffer_clear(&model->bones);
	anim_buffer_clear(&model->iks);
	anim_buffer_clear(&model->links);
	anim_buffer_clear(&model->morphs);
	anim_buffer_clear(&model->parts);
	anim_arena_clear(&model->arena);
}

void mmd_bone_offset(const struct mmd_model *model, uint32_t number, float offset[3])
{
	const struct mmd_bone *bone = mmd_bone_at(model, number);

	for (size_t i = 0; i < 3; i++)
		offset[i] =
		    bone->position[i] - (bone->parent == MMD_NONE ? 0 : mmd_bone_at(model, bone->parent)->position[i]);
}
