/* track.c: the model: its types and names, attributes, copies, and properties of a track. */
#include "clip/track.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/text.h"
#include "clip/keys.h"
#include "math/elementary.h"

/* ---- The table of the 40 value types ---- */

/* name, components, stored components, bytes of a stored component, bytes of a value, scalar, quaternion, matrix */
const struct anim_type_info anim_types[ANIM_TYPE_COUNT] = {
    [ANIM_BOOL] = {"bool", 1, 1, 1, 1, ANIM_SCALAR_BOOL, false, false},
    [ANIM_BOOL2] = {"bool2", 2, 1, 1, 1, ANIM_SCALAR_BOOL, false, false},
    [ANIM_BOOL3] = {"bool3", 3, 1, 1, 1, ANIM_SCALAR_BOOL, false, false},
    [ANIM_BOOL4] = {"bool4", 4, 1, 1, 1, ANIM_SCALAR_BOOL, false, false},
    [ANIM_BYTE] = {"byte", 1, 1, 1, 1, ANIM_SCALAR_U8, false, false},
    [ANIM_USHORT] = {"ushort", 1, 1, 2, 2, ANIM_SCALAR_U16, false, false},
    [ANIM_UINT] = {"uint", 1, 1, 4, 4, ANIM_SCALAR_U32, false, false},
    [ANIM_ULONG] = {"ulong", 1, 1, 8, 8, ANIM_SCALAR_U64, false, false},
    [ANIM_SBYTE] = {"sbyte", 1, 1, 1, 1, ANIM_SCALAR_I8, false, false},
    [ANIM_SHORT] = {"short", 1, 1, 2, 2, ANIM_SCALAR_I16, false, false},
    [ANIM_INT] = {"int", 1, 1, 4, 4, ANIM_SCALAR_I32, false, false},
    [ANIM_LONG] = {"long", 1, 1, 8, 8, ANIM_SCALAR_I64, false, false},
    [ANIM_INT2] = {"int2", 2, 2, 4, 8, ANIM_SCALAR_I32, false, false},
    [ANIM_INT3] = {"int3", 3, 3, 4, 12, ANIM_SCALAR_I32, false, false},
    [ANIM_INT4] = {"int4", 4, 4, 4, 16, ANIM_SCALAR_I32, false, false},
    [ANIM_UINT2] = {"uint2", 2, 2, 4, 8, ANIM_SCALAR_U32, false, false},
    [ANIM_UINT3] = {"uint3", 3, 3, 4, 12, ANIM_SCALAR_U32, false, false},
    [ANIM_UINT4] = {"uint4", 4, 4, 4, 16, ANIM_SCALAR_U32, false, false},
    [ANIM_LONG2] = {"long2", 2, 2, 8, 16, ANIM_SCALAR_I64, false, false},
    [ANIM_LONG3] = {"long3", 3, 3, 8, 24, ANIM_SCALAR_I64, false, false},
    [ANIM_LONG4] = {"long4", 4, 4, 8, 32, ANIM_SCALAR_I64, false, false},
    [ANIM_FLOAT] = {"float", 1, 1, 4, 4, ANIM_SCALAR_F32, false, false},
    [ANIM_FLOAT2] = {"float2", 2, 2, 4, 8, ANIM_SCALAR_F32, false, false},
    [ANIM_FLOAT3] = {"float3", 3, 3, 4, 12, ANIM_SCALAR_F32, false, false},
    [ANIM_FLOAT4] = {"float4", 4, 4, 4, 16, ANIM_SCALAR_F32, false, false},
    [ANIM_FLOATQ] = {"floatQ", 4, 4, 4, 16, ANIM_SCALAR_F32, true, false},
    [ANIM_FLOAT2X2] = {"float2x2", 4, 4, 4, 16, ANIM_SCALAR_F32, false, true},
    [ANIM_FLOAT3X3] = {"float3x3", 9, 9, 4, 36, ANIM_SCALAR_F32, false, true},
    [ANIM_FLOAT4X4] = {"float4x4", 16, 16, 4, 64, ANIM_SCALAR_F32, false, true},
    [ANIM_DOUBLE] = {"double", 1, 1, 8, 8, ANIM_SCALAR_F64, false, false},
    [ANIM_DOUBLE2] = {"double2", 2, 2, 8, 16, ANIM_SCALAR_F64, false, false},
    [ANIM_DOUBLE3] = {"double3", 3, 3, 8, 24, ANIM_SCALAR_F64, false, false},
    [ANIM_DOUBLE4] = {"double4", 4, 4, 8, 32, ANIM_SCALAR_F64, false, false},
    [ANIM_DOUBLEQ] = {"doubleQ", 4, 4, 8, 32, ANIM_SCALAR_F64, true, false},
    [ANIM_DOUBLE2X2] = {"double2x2", 4, 4, 8, 32, ANIM_SCALAR_F64, false, true},
    [ANIM_DOUBLE3X3] = {"double3x3", 9, 9, 8, 72, ANIM_SCALAR_F64, false, true},
    [ANIM_DOUBLE4X4] = {"double4x4", 16, 16, 8, 128, ANIM_SCALAR_F64, false, true},
    [ANIM_COLOR] = {"color", 4, 4, 4, 16, ANIM_SCALAR_F32, false, false},
    [ANIM_COLOR32] = {"color32", 4, 4, 1, 4, ANIM_SCALAR_U8, false, false},
    [ANIM_STRING] = {"string", 1, 0, 0, 0, ANIM_SCALAR_TEXT, false, false},
};

int anim_type_find(const char *name, size_t length)
{
	for (int i = 0; i < ANIM_TYPE_COUNT; i++)
		if (strlen(anim_types[i].name) == length && memcmp(anim_types[i].name, name, length) == 0)
			return i;
	return -1;
}

enum anim_type anim_type_of_component(enum anim_type type)
{
	static const enum anim_type components[] = {
	    [ANIM_SCALAR_BOOL] = ANIM_BOOL, [ANIM_SCALAR_U8] = ANIM_BYTE,    [ANIM_SCALAR_U16] = ANIM_USHORT,
	    [ANIM_SCALAR_U32] = ANIM_UINT,  [ANIM_SCALAR_U64] = ANIM_ULONG,  [ANIM_SCALAR_I8] = ANIM_SBYTE,
	    [ANIM_SCALAR_I16] = ANIM_SHORT, [ANIM_SCALAR_I32] = ANIM_INT,    [ANIM_SCALAR_I64] = ANIM_LONG,
	    [ANIM_SCALAR_F32] = ANIM_FLOAT, [ANIM_SCALAR_F64] = ANIM_DOUBLE, [ANIM_SCALAR_TEXT] = ANIM_STRING,
	};

	return components[anim_types[type].scalar];
}

bool anim_type_is_real(enum anim_type type)
{
	return anim_types[type].scalar == ANIM_SCALAR_F32 || anim_types[type].scalar == ANIM_SCALAR_F64;
}

/* ---- Attributes, sorted lists of key and value ---- */

/* Return the first position whose key is not before `key`. */
static size_t lower_bound(const struct anim_attrs *attrs, const char *key)
{
	size_t low = 0, high = attrs->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(attrs->items[middle].key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool holds_at(const struct anim_attrs *attrs, size_t at, const char *key)
{
	return at < attrs->count && strcmp(attrs->items[at].key, key) == 0;
}

const char *anim_attrs_get(const struct anim_attrs *attrs, const char *key)
{
	size_t at = lower_bound(attrs, key);

	return holds_at(attrs, at, key) ? attrs->items[at].value : NULL;
}

bool anim_attrs_list(const struct anim_attrs *attrs, const char *key, const char *line)
{
	const char *at = anim_attrs_get(attrs, key), *end;
	size_t length = strlen(line);

	for (; at != NULL && (end = strchr(at, '\n')) != NULL; at = end + 1)
		if ((size_t)(end - at) == length && memcmp(at, line, length) == 0)
			return true;
	return false;
}

int anim_attrs_with(struct anim_attrs *out, const struct anim_attrs *in, const char *key, const char *value,
		    struct anim_arena *arena, struct anim_error *error)
{
	size_t at = lower_bound(in, key), old = holds_at(in, at, key), new = value != NULL;
	size_t count = in->count - old + new;
	struct anim_attr *items = anim_arena_alloc(arena, (count + 1) * sizeof *items, error);

	if (items == NULL)
		return -1;
	if (count > ANIM_ATTRS_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "more than %u attributes", ANIM_ATTRS_MAX);
	if (at > 0)
		memcpy(items, in->items, at * sizeof *items);
	if (value != NULL) {
		items[at].key = anim_arena_text(arena, key, strlen(key), error);
		items[at].value = anim_arena_text(arena, value, strlen(value), error);
		if (items[at].key == NULL || items[at].value == NULL)
			return -1;
	}
	if (in->count > at + old)
		memcpy(items + at + new, in->items + at + old, (in->count - at - old) * sizeof *items);
	out->items = items;
	out->count = count;
	return 0;
}

/* ---- Heads (clip, tree, node) that outlive the call that passed them; paths in a tree ---- */

int anim_text_keep(const char **text, struct anim_arena *arena, struct anim_error *error)
{
	const char *from = *text != NULL ? *text : "";

	*text = anim_arena_text(arena, from, strlen(from), error);
	return *text != NULL ? 0 : -1;
}

int anim_attrs_keep(struct anim_attrs *attrs, struct anim_arena *arena, struct anim_error *error)
{
	struct anim_attr *items = anim_arena_zeroed(arena, attrs->count, sizeof *items, error);

	if (items == NULL)
		return -1;
	for (size_t i = 0; i < attrs->count; i++) {
		items[i] = attrs->items[i];
		if (anim_text_keep(&items[i].key, arena, error) != 0 ||
		    anim_text_keep(&items[i].value, arena, error) != 0)
			return -1;
	}
	attrs->items = items;
	return 0;
}

int anim_clip_copy(struct anim_clip *out, const struct anim_clip *clip, struct anim_arena *arena,
		   struct anim_error *error)
{
	*out = *clip;
	out->record = NULL;
	if (anim_text_keep(&out->name, arena, error) != 0 || anim_text_keep(&out->root, arena, error) != 0 ||
	    anim_text_keep(&out->source, arena, error) != 0)
		return -1;
	return anim_attrs_keep(&out->attrs, arena, error);
}

int anim_tree_copy(struct anim_tree *out, const struct anim_tree *tree, struct anim_arena *arena,
		   struct anim_error *error)
{
	*out = *tree;
	out->record = NULL;
	if (anim_text_keep(&out->root_name, arena, error) != 0 || anim_text_keep(&out->source_file, arena, error) != 0)
		return -1;
	return anim_attrs_keep(&out->attrs, arena, error);
}

int anim_node_copy(struct anim_node *out, const struct anim_node *node, struct anim_arena *arena,
		   struct anim_error *error)
{
	*out = *node;
	out->record = NULL;
	if (anim_text_keep(&out->path, arena, error) != 0 || anim_text_keep(&out->type, arena, error) != 0)
		return -1;
	return anim_attrs_keep(&out->attrs, arena, error);
}

/*
 * Append one name to the path of `size` bytes in `out`; ".." removes one. Returns the new size, or -1 if it leaves
 * the tree.
 */
static ptrdiff_t add_name(char *out, size_t size, const char *name, size_t length)
{
	if (length == 0 || (length == 1 && name[0] == '.'))
		return (ptrdiff_t)size;
	if (length == 2 && name[0] == '.' && name[1] == '.') {
		if (size == 0)
			return -1;
		while (size > 0 && out[size - 1] != '/')
			size--;
		return (ptrdiff_t)(size > 0 ? size - 1 : 0);
	}
	if (size > 0)
		out[size++] = '/';
	memcpy(out + size, name, length);
	return (ptrdiff_t)(size + length);
}

/* Return how many bytes of a last name ".:Hips" or "..:Hips" are the node, whose bone follows; 0: another name. */
static size_t step_length(const char *name, size_t length)
{
	size_t dots = strspn(name, ".");

	return name[length] == '\0' && (dots == 1 || dots == 2) && name[dots] == ':' ? dots : 0;
}

/* Append the names of a path. */
static ptrdiff_t add_path(char *out, ptrdiff_t size, const char *path)
{
	while (*path != '\0' && size >= 0) {
		size_t length = strcspn(path, "/"), step = step_length(path, length);

		if (step > 0) {
			size = add_name(out, (size_t)size, path, step);
			if (size == 0)
				out[size++] = '.';
			if (size > 0)
				memcpy(out + size, path + step, length - step);
			return size > 0 ? size + (ptrdiff_t)(length - step) : size;
		}
		size = add_name(out, (size_t)size, path, length);
		path += length + (path[length] == '/');
	}
	return size;
}

char *anim_tree_path(const char *root, const char *node, struct anim_arena *arena, struct anim_error *error)
{
	char *out = anim_arena_alloc(arena, strlen(root) + strlen(node) + 3, error);
	ptrdiff_t size;

	if (out == NULL)
		return NULL;
	size = add_path(out, add_path(out, 0, root), node);
	if (size < 0)
		return NULL;
	if (size == 0)
		out[size++] = '.';
	out[size] = '\0';
	return out;
}

int anim_tree_path_find(const char *root, const char *node, const char **path, struct anim_arena *arena,
			struct anim_error *error)
{
	struct anim_error memory = {0};

	*path = anim_tree_path(root, node, arena, &memory);
	return memory.code == ANIM_OK ? 0 : anim_fail_memory(error);
}

const char *anim_tree_name(const char *root, const char *path, struct anim_arena *arena, struct anim_error *error)
{
	const char *up = "";
	size_t length = strlen(root);

	if (strcmp(root, ".") == 0)
		return path;
	if (strcmp(path, root) == 0)
		return ".";
	if (strncmp(path, root, length) == 0 && path[length] == '/')
		return path + length + 1;
	if (strncmp(path, root, length) == 0 && path[length] == ':')
		return anim_arena_printf(arena, error, ".%s", path + length);
	for (const char *slash = root; slash != NULL && up != NULL; slash = strchr(slash + 1, '/'))
		up = anim_arena_printf(arena, error, "../%s", up);
	return up == NULL ? NULL : anim_arena_printf(arena, error, "%s%s", up, path);
}

/* ---- The times, modes and printable name of a track ---- */

const char *const anim_kind_names[] = {"Raw", "Discrete", "Curve"};
const char *const anim_rules_names[] = {"plain", "godot4", "godot3", "unity", "resonite"};
const char *const anim_extrapolation_names[] = {"hold", "loop", "ping-pong", "none"};
const char *const anim_loop_names[] = {"none", "wrap", "ping-pong", NULL};
const char *const anim_axes_names[] = {"unknown", "godot", "unity", "resonite", "gltf"};
const char *const anim_axes2d_names[] = {"unknown", "godot", "unity"};
const char *const anim_interp_names[] = {"Hold",         "Linear",      "Tangent",   "CubicBezier",
					 "Hermite",      "Weighted",    "Bezier2D",  "CubicTime",
					 "CubicUniform", "LinearAngle", "CubicAngle"};
const char *const anim_node_kind_names[] = {"node", "bone", "camera", "light", "mesh"};
const char *const anim_clip_flag_names[] = {"end_derived", "in_tree"};
const char *const anim_node_has_names[] = {"position", "rotation", "scale", "2d"};
const char *const anim_track_flag_names[ANIM_TRACK_FLAG_COUNT] = {"loop_wrap", "relative", "degrees",    "percent",
								  "unsorted",  "disabled", "last_at_end"};

double anim_track_step(const struct anim_track *track)
{
	return track->rate_num != 0 ? (double)track->rate_den / (double)track->rate_num : track->step_s;
}

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

double anim_track_shown_s(const struct anim_track *track, size_t k, const struct anim_clip *clip)
{
	double t = anim_track_time(track, k), end = (double)clip->end_s;

	if (!(track->flags & ANIM_LAST_AT_END) || track->kind != ANIM_RAW || k + 1 != track->n || k == 0)
		return t;
	return end < t && end > anim_track_time(track, k - 1) ? end : t;
}

void anim_track_times(const struct anim_track *track, double *times)
{
	double den = (double)track->rate_den, num = (double)track->rate_num;

	if (track->kind != ANIM_RAW)
		anim_components_of(ANIM_FLOAT, track->time, 0, track->n, times);
	else if (track->rate_num != 0) /* products of integers, rounded as in anim_track_time */
		for (size_t k = 0; k < track->n; k++)
			times[k] = track->start_s + (double)(int64_t)k * den / num;
	else
		for (size_t k = 0; k < track->n; k++)
			times[k] = anim_track_time(track, k);
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

bool anim_property_is_angle(const char *property)
{
	return strcmp(property, "euler") == 0 || strcmp(property, "angle") == 0;
}

double anim_track_full_turn(const struct anim_track *track)
{
	return !anim_property_is_angle(track->property) ? 0 : (track->flags & ANIM_DEGREES) != 0 ? 360 : ANIM_TAU;
}

bool anim_track_only_shows(const struct anim_track *track)
{
	return strcmp(track->property, "visible") == 0 && track->type == ANIM_BOOL && track->n > 0 &&
	       memchr(track->value, 0, track->n) == NULL;
}

bool anim_track_is_shape(const struct anim_track *track)
{
	return anim_text_after(track->property, "blend_shape/") != NULL ||
	       anim_text_after(track->property, "expression/") != NULL;
}

bool anim_track_is_unset(const struct anim_track *track)
{
	const float *value = (const float *)track->value;

	if (!anim_track_is_shape(track) || track->type != ANIM_FLOAT || track->left != NULL || track->right != NULL)
		return false;
	for (size_t k = 0; k < track->n; k++)
		if (value[k] != 0)
			return false;
	return true;
}

bool anim_track_is_placed(const struct anim_track *track)
{
	return anim_attrs_get(&track->attrs, ANIM_ATTR_SPACE) != NULL;
}

bool anim_track_is_captured(const struct anim_track *track)
{
	return track->kind == ANIM_RAW && track->component == ANIM_WHOLE && strcmp(track->property, "euler") == 0 &&
	       anim_type_is_real(track->type) && anim_types[track->type].components == 3 &&
	       anim_attrs_get(&track->attrs, "bvh.channels") != NULL;
}

/* Return true if it is a default name of a Godot skeleton. */
static bool is_skeleton(const char *path, const char *end)
{
	static const char *const names[] = {"Skeleton3D", "Skeleton", "GeneralSkeleton"};
	const char *from = end;

	while (from > path && from[-1] != '/')
		from--;
	if (from < end && *from == '%')
		return true;
	for (size_t i = 0; i < ANIM_COUNT(names); i++)
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

/* Return whether a name, read backwards, ends here: at the beginning of the path or at a separator. */
static bool is_border(const char *path, size_t at)
{
	return at == 0 || path[at - 1] == '/' || path[at - 1] == ':';
}

/* Return how Godot spells a letter of a name. */
static char spelled(char letter)
{
	return letter != '\0' && strchr(":.@\"%", letter) != NULL ? '_' : letter;
}

bool anim_node_same_name(const char *a, const char *b)
{
	size_t i = strlen(a), k = strlen(b);
	bool same = i == 0 && k == 0;

	while (!same && i > 0 && k > 0 && a[i - 1] != '/' && spelled(a[i - 1]) == spelled(b[k - 1])) {
		i--;
		k--;
		same = is_border(a, i) && is_border(b, k);
	}
	return same;
}

/*
 * Return the ':' that may separate a bone: the first in the last name. NULL if there is none, or if one side of it is
 * empty.
 */
static const char *parting_colon(const char *node)
{
	const char *slash = strrchr(node, '/'), *name = slash == NULL ? node : slash + 1, *colon = strchr(name, ':');

	return colon == NULL || colon == name || colon[1] == '\0' ? NULL : colon;
}

const char *anim_bone_name(const char *source, const char *node, bool is_bone)
{
	bool own = source[0] == '\0' || anim_source_is_godot(source);
	const char *colon = own ? strchr(node, ':') : parting_colon(node);

	if (colon == NULL)
		return NULL;
	return own || is_bone || is_skeleton(node, colon) ? colon + 1 : NULL;
}

bool anim_track_is_bone(const struct anim_track *track)
{
	return anim_attrs_get(&track->attrs, "godot.bone") != NULL;
}

const char *anim_track_bone(const char *source, const struct anim_track *track)
{
	return anim_bone_name(source, track->node, anim_track_is_bone(track));
}

const char *anim_node_bone(const char *path, const char *parent)
{
	const char *colon = parting_colon(path);
	size_t length = colon == NULL ? 0 : (size_t)(colon - path);

	if (colon == NULL || strncmp(path, parent, length) != 0)
		return NULL;
	return parent[length] == '\0' || (parent[length] == ':' && strchr(parent + length, '/') == NULL) ? colon + 1
													 : NULL;
}

bool anim_track_has_interp(const struct anim_track *track, enum anim_interp interp)
{
	if (track->interp != ANIM_INTERP_COLUMN)
		return track->interp == interp;
	return track->n > 0 && memchr(track->interps, (int)interp, track->n) != NULL;
}

bool anim_interp_is_cubic(enum anim_interp interp)
{
	return interp == ANIM_CUBIC_TIME || interp == ANIM_CUBIC_UNIFORM || interp == ANIM_CUBIC_ANGLE;
}

bool anim_rules_are_godot(enum anim_rules rules)
{
	return rules == ANIM_RULES_GODOT4 || rules == ANIM_RULES_GODOT3;
}

bool anim_source_is_godot(const char *source)
{
	return strncmp(source, "godot", 5) == 0;
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
	/* cppcheck-suppress ctunullpointer ; snprintf takes NULL if capacity is 0 */
	int length = snprintf(out, capacity, "%s%s%s%s%s", track->node, named ? " " : "", track->property,
			      whole ? "" : ".", whole ? "" : anim_component_name(track->property, track->component));

	return length < 0 ? 0 : (size_t)length;
}

/* Compare ASCII letters without case; `word` is in lower case. */
static bool begins_with(const char *text, const char *word)
{
	for (; *word != '\0'; text++, word++)
		if ((*text | 32) != *word)
			return false;
	return true;
}

/*
 * Components of these properties are called r g b a: Godot's modulate, light_color; Unity's m_Color, material._Color.
 */
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

	if (component >= ANIM_COUNT(space))
		return "?";
	return component < 4 && is_color(property) ? color[component] : space[component];
}
