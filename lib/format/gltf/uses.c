/* uses.c: reads the complete document by a table of paths. Values outside these paths are only searched for extensions. */
#include "format/gltf/uses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/text.h"
#include "format/gltf/members.h"

#define SEGMENTS_MAX 7
#define ANY "*" /* an element of an array, or a member of any name */

enum role { TO_ACCESSOR, TO_VIEW, ELEMENT, NUMBER };

/* At most 32 rows, because sets of rows are bits of a word. */
static const struct row {
	const char *path[SEGMENTS_MAX + 1];
	enum role role;
	int which; /* enum gltf_list or enum gltf_number_kind */
} rows[] = {
    {{"meshes", ANY, "primitives", ANY, "attributes", ANY}, TO_ACCESSOR, 0},
    {{"meshes", ANY, "primitives", ANY, "indices"}, TO_ACCESSOR, 0},
    {{"meshes", ANY, "primitives", ANY, "targets", ANY, ANY}, TO_ACCESSOR, 0},
    {{"skins", ANY, "inverseBindMatrices"}, TO_ACCESSOR, 0},
    {{"nodes", ANY, "extensions", "EXT_mesh_gpu_instancing", "attributes", ANY}, TO_ACCESSOR, 0},
    {{"images", ANY, "bufferView"}, TO_VIEW, 0},
    {{"meshes", ANY, "primitives", ANY, "extensions", "KHR_draco_mesh_compression", "bufferView"}, TO_VIEW, 0},
    {{"accessors", ANY}, ELEMENT, GLTF_ACCESSORS},
    {{"accessors", ANY, "byteOffset"}, NUMBER, GLTF_ACCESSOR_OFFSET},
    {{"accessors", ANY, "sparse", "indices", "byteOffset"}, NUMBER, GLTF_INDICES_OFFSET},
    {{"accessors", ANY, "sparse", "values", "byteOffset"}, NUMBER, GLTF_VALUES_OFFSET},
    {{"bufferViews", ANY}, ELEMENT, GLTF_VIEWS},
    {{"bufferViews", ANY, "byteOffset"}, NUMBER, GLTF_VIEW_OFFSET},
    {{"bufferViews", ANY, "byteLength"}, NUMBER, GLTF_VIEW_LENGTH},
    {{"bufferViews", ANY, "extensions", "EXT_meshopt_compression", "byteOffset"}, NUMBER, GLTF_PACKED_OFFSET},
    {{"bufferViews", ANY, "extensions", "KHR_meshopt_compression", "byteOffset"}, NUMBER, GLTF_PACKED_OFFSET},
    {{"buffers", ANY}, ELEMENT, GLTF_BUFFERS},
};

/*
 * Extensions whose objects, according to their specifications, have no references to accessors and views outside the
 * table. Any other extension may have some, now or in a future version.
 */
static const char *const known[] = {
    "EXT_lights_image_based",
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_materials_volume",
    "KHR_meshopt_compression",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_node_visibility",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "KHR_xmp_json_ld",
    "MSFT_lod",
    "MSFT_texture_dds",
    "VRM",
    "VRMC_materials_hdr_emissiveMultiplier",
    "VRMC_materials_mtoon",
    "VRMC_node_constraint",
    "VRMC_springBone",
    "VRMC_springBone_extended_collider",
    "VRMC_vrm",
    "VRMC_vrm_animation",
};

struct walk {
	struct gltf_reading r;
	struct gltf_uses *uses;
	uint32_t element; /* index in the current list of the document */
	bool in_extras;
};

/* ---- paths: the set of rows whose first segments match the current path ---- */

/* Return the rows of a set whose segment at `depth` matches a name, or an array element if `name` is NULL. */
static uint32_t narrow(uint32_t set, unsigned depth, const char *name)
{
	uint32_t left = 0;

	for (size_t i = 0; set >> i != 0; i++) {
		const char *segment = set >> i & 1 ? rows[i].path[depth] : NULL;

		if (segment != NULL && (strcmp(segment, ANY) == 0 || (name != NULL && strcmp(segment, name) == 0)))
			left |= (uint32_t)1 << i;
	}
	return left;
}

/* ---- values ---- */

static int read_value(struct walk *w, uint32_t set, unsigned depth);

static int read_members(struct walk *w, uint32_t set, unsigned depth, bool extensions)
{
	struct anim_json *json = &w->r.json;
	bool first = true;
	int more, result = 0;

	if (anim_json_expect(json, '{', "an object", w->r.error) != 0)
		return -1;
	while (result == 0 && (more = anim_json_next_member(json, &first, w->r.error)) == 1) {
		const char *name = (const char *)json->name.data;
		uint32_t left = narrow(set, depth, name);

		if (extensions && !anim_text_is_one_of(name, known, ANIM_COUNT(known)) && w->uses->unknown[0] == '\0')
			snprintf(w->uses->unknown, sizeof w->uses->unknown, "%s", json->name.size == 0 ? "?" : name);
		if (w->in_extras)
			result = read_value(w, 0, depth + 1);
		else if (strcmp(name, "extras") == 0) {
			w->in_extras = true;
			result = read_value(w, 0, depth + 1);
			w->in_extras = false;
		} else if (strcmp(name, "extensions") == 0 && anim_json_byte(json->text, w->r.error) == '{')
			result = read_members(w, left, depth + 1, true);
		else
			result = read_value(w, left, depth + 1);
	}
	return result != 0 || more != 0 ? -1 : 0;
}

/* Read the value at the cursor. If it is nested too deeply, anim_json_skip fails. */
static int read_value(struct walk *w, uint32_t set, unsigned depth)
{
	struct anim_json *json = &w->r.json;
	struct anim_error *error = w->r.error;
	const struct row *row = NULL; /* whose path ends here */
	int byte = anim_json_byte(json->text, error), more = 0, result = 0;
	struct gltf_range text = {.from = gltf_cursor(&w->r)};
	bool first = true;
	uint32_t index;

	for (size_t i = 0; row == NULL && set >> i != 0; i++)
		if ((set >> i & 1) != 0 && rows[i].path[depth] == NULL)
			row = &rows[i];
	if (row != NULL && (row->role == TO_ACCESSOR || row->role == TO_VIEW)) {
		if (gltf_read_index(&w->r, &index) != 0)
			return -1;
		return anim_buffer_append(row->role == TO_VIEW ? &w->uses->views : &w->uses->accessors, &index,
					  sizeof index, error);
	}
	if (row != NULL && row->role == NUMBER) {
		struct gltf_number number = {
		    .text.from = text.from, .owner = w->element, .kind = (enum gltf_number_kind)row->which};

		if (gltf_read_natural(&w->r, &number.value) != 0)
			return -1;
		number.text.to = gltf_cursor(&w->r);
		return anim_buffer_append(&w->uses->numbers, &number, sizeof number, error);
	}
	if (depth < ANIM_NESTING_JSON && byte == '{') {
		result = read_members(w, set, depth, false);
	} else if (depth < ANIM_NESTING_JSON && byte == '[') {
		if (anim_json_expect(json, '[', "an array", error) != 0)
			return -1;
		for (uint32_t i = 0; result == 0 && (more = anim_json_next_element(json, &first, error)) == 1; i++) {
			if (depth == 1)
				w->element = i;
			result = read_value(w, narrow(set, depth, NULL), depth + 1);
		}
		result = result != 0 || more != 0 ? -1 : 0;
	} else if (w->in_extras && byte >= '0' && byte <= '9') {
		/* A number in extras could be the index of an accessor or a view. */
		double value;

		if (anim_json_read_number(json, &value, "a number", error) != 0)
			return -1;
		index = (uint32_t)(value >= 0 && value < (double)GLTF_NONE ? value : 0);
		if (value >= 0 && value < (double)GLTF_NONE && value == floor(value))
			result = anim_buffer_append(&w->uses->extras, &index, sizeof index, error);
	} else {
		result = anim_json_skip(json, depth, error);
	}
	if (result != 0 || row == NULL)
		return result;
	text.to = gltf_cursor(&w->r);
	return anim_buffer_append(&w->uses->texts[row->which], &text, sizeof text, error);
}

int gltf_uses_read(struct gltf_uses *uses, const struct gltf_container *container, struct anim_error *error)
{
	const uint32_t all = ((uint32_t)1 << ANIM_COUNT(rows)) - 1;
	struct walk w = {.uses = uses};
	struct anim_json_text text;
	int result;

	_Static_assert(ANIM_COUNT(rows) < 32, "a set of rows is a word");
	*uses = (struct gltf_uses){.unknown = ""};
	result = gltf_reading_begin(&w.r, &text, container, error);
	if (result == 0 && anim_json_blank(&text, error) == ANIM_JSON_ERROR)
		result = -1;
	if (result == 0)
		result = read_value(&w, all, 0);
	anim_json_clear(&w.r.json);
	return result;
}

void gltf_uses_clear(struct gltf_uses *uses)
{
	anim_buffer_clear(&uses->accessors);
	anim_buffer_clear(&uses->views);
	anim_buffer_clear(&uses->extras);
	for (int list = 0; list < GLTF_LISTS; list++)
		anim_buffer_clear(&uses->texts[list]);
	anim_buffer_clear(&uses->numbers);
}
