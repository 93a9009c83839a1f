/* track.c: questions about a track: its times, its modes, its name for people. */
#include "clip/track.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const anim_kind_names[] = {"Raw", "Discrete", "Curve"};
const char *const anim_rules_names[] = {"plain", "godot4", "godot3", "unity", "resonite"};
const char *const anim_ends_names[] = {"hold", "loop", "ping-pong", "none"};
const char *const anim_loop_names[] = {"none", "wrap", "ping-pong"};
const char *const anim_axes_names[] = {"unknown", "godot", "unity", "resonite", "gltf"};
const char *const anim_axes2d_names[] = {"unknown", "godot", "unity"};
const char *const anim_interp_names[] = {"Hold",         "Linear",      "Tangent",   "CubicBezier",
					 "Hermite",      "Weighted",    "Bezier2D",  "CubicTime",
					 "CubicUniform", "LinearAngle", "CubicAngle"};
const char *const anim_node_kind_names[] = {"node", "bone", "camera", "light", "mesh"};
const char *const anim_clip_flag_names[] = {"end_derived", "in_tree"};
const char *const anim_node_has_names[] = {"position", "rotation", "scale", "2d"};
const char *const anim_track_flag_names[ANIM_TRACK_FLAG_COUNT] = {"loop_wrap", "relative", "degrees",
								  "percent",   "unsorted", "disabled"};

double anim_track_time(const struct anim_track *track, size_t k)
{
	if (track->kind != ANIM_RAW)
		return (double)track->time[k];
	if (track->rate_num != 0)
		return track->start_s + (double)((uint64_t)k * track->rate_den) / (double)track->rate_num;
	if (track->step_s != 0)
		return track->start_s + (double)k * track->step_s;
	return (double)NAN;
}

enum anim_interp anim_track_interp(const struct anim_track *track, size_t k)
{
	return track->interp == ANIM_INTERP_COLUMN ? track->interps[k] : track->interp;
}

bool anim_track_is_transform(const struct anim_track *track)
{
	const char *class = anim_attrs_get(&track->attrs, "unity.class");

	return class == NULL || strcmp(class, "4") == 0 || strcmp(class, "224") == 0;
}

/* True where Godot's skeletons are called so of themselves. */
static bool is_skeleton(const char *path, const char *end)
{
	static const char *const names[] = {"Skeleton3D", "Skeleton", "GeneralSkeleton"};
	const char *from = end;

	while (from > path && from[-1] != '/')
		from--;
	if (from < end && *from == '%')
		return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == (size_t)(end - from) && memcmp(names[i], from, (size_t)(end - from)) == 0)
			return true;
	return false;
}

const char *anim_node_own_name(const char *path)
{
	const char *name = path;

	for (; *path != '\0'; path++)
		if (*path == '/' || *path == ':')
			name = path + 1;
	return name;
}

const char *anim_bone_name(const char *source, const char *node, bool told)
{
	bool own = source[0] == '\0' || strncmp(source, "godot", 5) == 0;
	const char *colon = own || strchr(node, ':') == NULL ? strchr(node, ':') : strrchr(node, ':');

	if (colon == NULL || own)
		return colon == NULL ? NULL : colon + 1;
	if (colon == node || colon[-1] == '/' || colon[1] == '\0' || strchr(colon, '/') != NULL)
		return NULL;
	return told || is_skeleton(node, colon) ? colon + 1 : NULL;
}

const char *anim_track_bone(const char *source, const struct anim_track *track)
{
	return anim_bone_name(source, track->node, anim_attrs_get(&track->attrs, "godot.bone") != NULL);
}

bool anim_track_has_interp(const struct anim_track *track, enum anim_interp interp)
{
	if (track->interp != ANIM_INTERP_COLUMN)
		return track->interp == interp;
	return track->n > 0 && memchr(track->interps, (int)interp, track->n) != NULL;
}

const char *anim_clip_file(const struct anim_clip *clip, const char *tree_file)
{
	const char *file = anim_attrs_get(&clip->attrs, "file");

	if (file == NULL && (clip->flags & ANIM_IN_TREE))
		file = tree_file;
	return file == NULL ? "" : file;
}

size_t anim_track_label(const struct anim_track *track, char *out, size_t capacity)
{
	bool whole = track->component == ANIM_WHOLE, named = track->node[0] != '\0';
	/* cppcheck-suppress ctunullpointer ; snprintf takes NULL where capacity is 0 */
	int length = snprintf(out, capacity, "%s%s%s%s%s", track->node, named ? " " : "", track->property,
			      whole ? "" : ".", whole ? "" : anim_component_name(track->property, track->component));

	return length < 0 ? 0 : (size_t)length;
}

/* Compares letters of ASCII without case; `word` is in lower case. */
static bool begins_with(const char *text, const char *word)
{
	for (; *word != '\0'; text++, word++)
		if ((*text | 32) != *word)
			return false;
	return true;
}

/* Properties whose lanes people call r g b a: Godot's modulate, light_color; Unity's m_Color, material._Color. */
static bool is_color(const char *property)
{
	for (; *property != '\0'; property++)
		if (begins_with(property, "color") || begins_with(property, "colour") ||
		    begins_with(property, "modulate"))
			return true;
	return false;
}

const char *anim_component_name(const char *property, unsigned component)
{
	static const char *const space[] = {"x", "y", "z",  "w",  "4",  "5",  "6",  "7",
					    "8", "9", "10", "11", "12", "13", "14", "15"};
	static const char *const color[] = {"r", "g", "b", "a"};

	if (component >= sizeof space / sizeof *space)
		return "?";
	return component < 4 && is_color(property) ? color[component] : space[component];
}
