/* bones.c: which nodes are the bones of a human, for anim-info --bones, as rows or as a member of the trees in JSON. */
#include <string.h>

#include "filter/info/forms.h"
#include "filter/retarget/plan.h"

int info_bones_tree(struct info *info, const struct anim_tree *tree, struct anim_error *error)
{
	struct anim_sink *sink = info->skeleton_sink;

	anim_skeleton_clear(&info->skeleton);
	if (sink == NULL && (sink = anim_skeleton_sink_new(&info->skeleton, false, error)) == NULL)
		return -1;
	info->skeleton_sink = sink;
	return anim_sink_tree(sink, tree, error);
}

int info_bones_node(struct info *info, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(info->skeleton_sink, node, error);
}

int info_bones_find(struct info *info, uint32_t bones[ANIM_HUMAN_BONES], bool *named, struct anim_error *error)
{
	const struct anim_skeleton_name *names = (const void *)info->skeleton.names.data;
	const size_t count = info->skeleton.names.size / sizeof *names;

	*named = false;
	for (size_t i = 0; i < count; i++)
		*named |= anim_attrs_get(&names[i].attrs, "gltf.vrm") != NULL ||
			  anim_attrs_get(&names[i].attrs, "unity.human") != NULL;
	return count == 0 ? 0 : anim_skeleton_human(&info->skeleton, bones, error);
}

void info_bones_json(struct info *info, struct anim_print *print, struct anim_error *error)
{
	uint32_t bones[ANIM_HUMAN_BONES];
	bool named;
	const int found = info_bones_find(info, bones, &named, error);

	print->failed = print->failed || found < 0;
	anim_print_text_member(print, "bones_by", found <= 0 ? NULL : named ? "file" : "names");
	anim_print_member(print, "bones");
	anim_print_text(print, found > 0 ? "{" : "null");
	for (unsigned b = 0; b < ANIM_HUMAN_BONES && found > 0; b++) {
		const char *path = bones[b] == ANIM_POSE_NONE ? NULL : anim_poses_path(&info->skeleton.poses, bones[b]);

		anim_print_texts(print, b == 0 ? "\n\"" : ",\n\"", anim_human_bone_name((enum anim_human_bone)b),
				 "\":", path == NULL ? "null" : "");
		if (path != NULL)
			anim_print_json_text(print, path);
	}
	anim_print_text(print, found > 0 ? "\n}" : "");
}

/* Print a row for each bone of the last tree, then a line with the missing bones. */
static int flush(struct info *info, struct anim_error *error)
{
	struct anim_print *print = &info->print;
	uint32_t bones[ANIM_HUMAN_BONES];
	bool named;
	const int found = info_bones_find(info, bones, &named, error);
	size_t missing = 0, fingers = 0, width = strlen("RightLittleIntermediate") + 2;

	if (found < 0)
		return -1;
	for (unsigned b = 0; b < ANIM_HUMAN_BONES && found > 0; b++) {
		missing += bones[b] == ANIM_POSE_NONE;
		fingers += bones[b] == ANIM_POSE_NONE && b >= ANIM_BONE_FINGERS;
	}
	if (found == 0) {
		anim_print_text(print, "  no bones of a human: their names are not known\n");
		return print->failed ? -1 : 0;
	}
	anim_print_text(print, "  ");
	anim_print_uint64(print, ANIM_HUMAN_BONES - missing);
	anim_print_text(print, " of ");
	anim_print_uint64(print, ANIM_HUMAN_BONES);
	anim_print_texts(print, " bones of a human, ", named ? "as the file says" : "found by names and parents", "\n");
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
		const char *name = anim_human_bone_name((enum anim_human_bone)b), *path;

		if (bones[b] == ANIM_POSE_NONE)
			continue;
		anim_arena_reset(&info->scratch);
		path = anim_safe_copy(&info->scratch, anim_poses_path(&info->skeleton.poses, bones[b]), error);
		if (path == NULL)
			return -1;
		anim_print_texts(print, "  ", name);
		anim_print_spaces(print, width - strlen(name));
		anim_print_texts(print, path, "\n");
	}
	for (unsigned b = 0, listed = 0; b < ANIM_HUMAN_BONES && missing > 0; b++) {
		const bool all = b == ANIM_BONE_FINGERS && fingers == ANIM_HUMAN_BONES - ANIM_BONE_FINGERS;

		if (bones[b] != ANIM_POSE_NONE)
			continue;
		anim_print_texts(print, listed++ == 0 ? "  missing: " : ", ",
				 all ? "all fingers" : anim_human_bone_name((enum anim_human_bone)b));
		b = all ? ANIM_HUMAN_BONES : b;
	}
	anim_print_text(print, missing > 0 ? "\n" : "");
	return print->failed ? -1 : 0;
}

static int bones_tree(struct info *info, const struct anim_tree *tree, struct anim_error *error)
{
	if ((info->trees > 1 && flush(info, error) != 0) || info_tree.tree(info, tree, error) != 0)
		return -1;
	return info_bones_tree(info, tree, error);
}

static int bones_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	(void)info;
	(void)clip;
	(void)error;
	return 0;
}

static int bones_end(struct info *info, struct anim_error *error)
{
	return info->trees == 0 ? info_tree.end(info, error) : flush(info, error);
}

const struct info_form info_bones = {bones_tree, info_bones_node, bones_clip, NULL, bones_end};
