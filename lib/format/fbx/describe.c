/* describe.c: what an FBX file holds besides animation, which a new file of that name would not have. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "format/fbx/cursor.h"
#include "format/fbx/fbx.h"

/* Objects that animation alone does not have, by the name of their record and, if not NULL, their class. */
static const struct {
	const char *record, *class, *one, *many;
} kinds[] = {
    {"Geometry", "Mesh", "a mesh", "meshes"},
    {"Model", "Mesh", "a mesh", "meshes"}, /* before 7000; counted once */
    {"Material", NULL, "a material", "materials"},
    {"Texture", NULL, "a texture", "textures"},
    {"Deformer", "Skin", "a skin", "skins"},
    {"NodeAttribute", "Camera", "a camera", "cameras"},
    {"NodeAttribute", "Light", "a light", "lights"},
    {"Constraint", NULL, "a constraint", "constraints"},
};
#define KINDS ANIM_COUNT(kinds)

struct found {
	uint32_t counts[KINDS];
	size_t clips;
	bool is_ours;
};

/* Count the objects, or find out which program wrote the file. Return 0 or -1. */
static int count_section(struct fbx_cursor *cursor, struct found *found, struct anim_error *error)
{
	struct fbx_value value;
	int more;

	if (strcmp(cursor->name, "Objects") == 0) {
		more = fbx_enter(cursor, error);
		while (more == 1 && (more = fbx_next(cursor, error)) == 1) {
			char record[FBX_NAME_MAX + 1], class[32] = ""; /* class: the last text of the object */
			int inner;

			memcpy(record, cursor->name, sizeof record);
			while ((inner = fbx_value(cursor, &value, error)) == 1)
				if (value.kind == FBX_TEXT && value.length < sizeof class)
					memcpy(class, value.text, value.length + 1);
			if (inner < 0)
				return -1;
			found->clips += strcmp(record, "AnimationStack") == 0;
			for (size_t i = 0; i < KINDS; i++)
				found->counts[i] += strcmp(record, kinds[i].record) == 0 &&
						    (kinds[i].class == NULL || strcmp(class, kinds[i].class) == 0);
		}
		return more;
	}
	if (strcmp(cursor->name, "Creator") != 0)
		return 0;
	more = fbx_value(cursor, &value, error);
	found->is_ours = more == 1 && value.kind == FBX_TEXT && strcmp(value.text, FBX_CREATOR) == 0;
	return more < 0 ? -1 : 0;
}

int anim_fbx_describe(struct anim_input *input, size_t store_memory, struct anim_held *held, struct anim_error *error)
{
	struct fbx_cursor cursor = {.input = input};
	struct found found = {.clips = 0};
	int result = fbx_open(&cursor, error), more = 0;

	(void)store_memory;
	while (result == 0 && (more = fbx_next(&cursor, error)) == 1)
		result = count_section(&cursor, &found, error);
	result = result != 0 || more < 0 ? -1 : 0;
	held->clips = found.clips;
	if (found.counts[0] > 0)
		found.counts[1] = 0;
	if (result == 0 && !found.is_ours) {
		size_t capacity = sizeof held->text;
		size_t used = 0, left = 0;

		/* Print the counts: "2 meshes, a material and a skin". */
		for (size_t i = 0; i < KINDS; i++)
			left += found.counts[i] > 0;
		for (size_t i = 0; i < KINDS && used < capacity; i++) {
			const char *between = used == 0 ? "" : left == 1 ? " and " : ", ";

			if (found.counts[i] == 0)
				continue;
			left--;
			if (found.counts[i] == 1)
				used +=
				    (size_t)snprintf(held->text + used, capacity - used, "%s%s", between, kinds[i].one);
			else
				used += (size_t)snprintf(held->text + used, capacity - used, "%s%" PRIu32 " %s",
							 between, found.counts[i], kinds[i].many);
		}
	}
	if (result == 0 && !found.is_ours && cursor.version < 6000)
		snprintf(held->text, sizeof held->text, "a scene of an old version");
	if (result != 0)
		anim_error_in_file(error, anim_input_name(input));
	fbx_cursor_clear(&cursor);
	return result;
}
