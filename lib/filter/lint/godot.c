/* godot.c: what Godot 4 cannot hold or find, or plays otherwise than it is meant. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clip/engine_names.h"
#include "filter/lint/find.h"

#define JUMP_S 1e-5 /* Godot finds keys this near as one; where they jump, handles mean nothing */

static bool is_godot(const struct anim_track *track)
{
	return track->rules == ANIM_RULES_GODOT4 || track->rules == ANIM_RULES_GODOT3;
}

/* The fields of the model that Godot has, and the types that they take. */
static const struct {
	const char *property;
	enum anim_type type, other;
} fields[] = {
    {"position", ANIM_FLOAT3, ANIM_FLOAT2}, {"rotation", ANIM_FLOATQ, ANIM_FLOATQ}, {"scale", ANIM_FLOAT3, ANIM_FLOAT2},
    {"euler", ANIM_FLOAT3, ANIM_FLOAT3},    {"angle", ANIM_FLOAT, ANIM_DOUBLE},     {"visible", ANIM_BOOL, ANIM_BOOL},
};

static size_t find_field(const struct anim_track *track)
{
	size_t i = 0;

	while (i < sizeof fields / sizeof *fields && strcmp(fields[i].property, track->property) != 0)
		i++;
	return i;
}

static void check_field(const struct anim_track *track, struct lint_tallies *tallies)
{
	size_t field = find_field(track);
	struct lint_tally *tally;

	if (field == sizeof fields / sizeof *fields || track->component != ANIM_WHOLE ||
	    track->type == fields[field].type || track->type == fields[field].other)
		return;
	tally = lint_count(tallies, LINT_FIELD_TYPE, LINT_NO_KEY);
	if (tally != NULL)
		snprintf(tally->detail, sizeof tally->detail, "it is %s, Godot's property is %s",
			 anim_types[track->type].name, anim_types[fields[field].type].name);
}

/* What no value of Godot's holds: whole numbers of 64 bits without sign, doubles and switches side by side ... */
static bool has_value(enum anim_type type)
{
	const struct anim_type_info *info = &anim_types[type];

	if (type == ANIM_ULONG || type == ANIM_FLOAT2X2 || type == ANIM_COLOR32)
		return false;
	if (info->lanes == 1 || type == ANIM_STRING)
		return true;
	return info->scalar == ANIM_SCALAR_F32 || type == ANIM_INT2 || type == ANIM_INT3 || type == ANIM_INT4;
}

/* "scale.x": a lane is reached as ":scale:x". Names may hold a point elsewhere: "script.gd". */
static bool names_lane(const char *property)
{
	const char *point = strrchr(property, '.');

	return point != NULL && point > property && point[1] != '\0' && point[2] == '\0' &&
	       strchr("xyzwrgba", point[1]) != NULL;
}

static void find_path(struct lint_tallies *tallies, const char *why)
{
	struct lint_tally *tally = lint_count(tallies, LINT_PATH, LINT_NO_KEY);

	if (tally != NULL)
		snprintf(tally->detail, sizeof tally->detail, "its path never resolves: %s", why);
}

/* Godot finds its own properties; of others those that it has, too. Only its own may hold the ':' that parts a path. */
static void check_path(const struct anim_track *track, struct lint_tallies *tallies)
{
	bool shape = strncmp(track->property, "blend_shape/", 12) == 0;

	if (track->property[0] == '@')
		return;
	if (track->component == ANIM_WHOLE && !shape && is_godot(track) && names_lane(track->property))
		find_path(tallies, "Godot reaches a lane by a colon, as in ':scale:x'");
	else if ((shape || !is_godot(track)) && strchr(track->property, ':') != NULL)
		find_path(tallies, "in Godot a ':' in a name parts the path");
	else if (!is_godot(track) && !shape && find_field(track) == sizeof fields / sizeof *fields)
		lint_count(tallies, LINT_UNBOUND, LINT_NO_KEY);
}

static void check_head(const struct anim_track *track, struct lint_tallies *tallies)
{
	struct lint_tally *tally = has_value(track->type) ? NULL : lint_count(tallies, LINT_TYPE, LINT_NO_KEY);

	if (tally != NULL)
		snprintf(tally->detail, sizeof tally->detail, "%s", anim_types[track->type].name);
	if (track->before != ANIM_ENDS_HOLD || track->after != ANIM_ENDS_HOLD)
		lint_count(tallies, LINT_ENDS, LINT_NO_KEY);
	if (track->flags & ANIM_REST_RELATIVE)
		lint_count(tallies, LINT_REST_RELATIVE, LINT_NO_KEY);
	check_path(track, tallies);
	check_field(track, tallies);
}

static void check_mode(const struct anim_track *track, size_t k, struct lint_tallies *tallies)
{
	enum anim_interp interp = anim_track_interp(track, k);
	bool lacks = (interp >= ANIM_TANGENT && interp <= ANIM_WEIGHTED) || interp == ANIM_CUBIC_UNIFORM;
	struct lint_tally *first = lacks ? lint_count(tallies, LINT_MODE, k) : NULL;

	if (first != NULL)
		snprintf(first->detail, sizeof first->detail, "%s", anim_interp_names[interp]);
}

/* Handles of segment k: a time may have several values, of which the player takes one. */
static void check_handles(const struct anim_track *track, size_t k, struct lint_tallies *tallies)
{
	double duration = (double)track->time[k + 1] - (double)track->time[k];
	double right = (double)track->right_x[k], left = (double)track->left_x[k + 1];

	if (duration > JUMP_S * fmax(1, fabs((double)track->time[k])) &&
	    (right > duration || right < 0 || left < -duration || left > 0))
		lint_count(tallies, LINT_HANDLE, k);
}

void lint_godot(const struct anim_track *track, struct lint_tallies *tallies)
{
	check_head(track, tallies);
	for (size_t k = 0; track->kind == ANIM_CURVE && k < track->n; k++)
		check_mode(track, k, tallies);
	for (size_t k = 0; track->interp == ANIM_BEZIER_2D && k + 1 < track->n; k++)
		check_handles(track, k, tallies);
}

/* A clip of Godot's own may be one of a library: "library/name". */
const char *lint_godot_clip(const struct anim_clip *clip)
{
	const char *slash = strncmp(clip->source, "godot", 5) == 0 ? strchr(clip->name, '/') : NULL;
	const char *name = slash == NULL ? clip->name : slash + 1;

	if (name[0] == '\0')
		return "it has no name, which Godot's animations need";
	if (strpbrk(clip->name, ":,[") != NULL || strchr(name, '/') != NULL)
		return "its name holds one of / : , [, which Godot's may not";
	return NULL;
}

/*
 * Adds a node, and for a bone that its skeleton has bones; for one of no name ("#3", of an instanced scene that is not at
 * hand) that only a part of them is known.
 */
int lint_godot_node(struct lint_names *nodes, const struct anim_node *node, struct anim_error *error)
{
	const char *parts[LINT_NAME_PARTS] = {node->path, "", "", "", ""};
	const char *colon = strrchr(node->path, ':');
	char *skeleton;

	if (lint_names_add(nodes, parts, error) < 0)
		return -1;
	if (node->kind != ANIM_NODE_BONE || colon == NULL)
		return 0;
	skeleton = anim_arena_text(&nodes->texts, node->path, (size_t)(colon - node->path), error);
	if (skeleton == NULL)
		return -1;
	parts[0] = skeleton;
	parts[1] = colon[1] == '#' ? "part" : "bones";
	return lint_names_add(nodes, parts, error) < 0 ? -1 : 0;
}

int lint_godot_bone(const struct lint_names *nodes, const struct anim_clip *clip, const struct anim_track *track,
		    struct anim_arena *arena, struct lint_tallies *tallies, struct anim_error *error)
{
	const char *parts[LINT_NAME_PARTS] = {NULL, "", "", "", ""};
	struct anim_error none = {0};
	char *path, *colon;
	int has;

	if (!(clip->flags & ANIM_IN_TREE) || strchr(track->node, ':') == NULL)
		return 0;
	path = anim_tree_path(clip->root, track->node, arena, &none);
	if (path == NULL)
		return none.code == ANIM_NO_MEMORY ? anim_fail_memory(error) : 0;
	parts[0] = path;
	has = lint_names_has(nodes, parts, error);
	colon = strrchr(path, ':');
	if (has != 0 || colon == NULL)
		return has < 0 ? -1 : 0;
	*colon = '\0';
	parts[1] = "bones";
	has = lint_names_has(nodes, parts, error);
	parts[1] = "part";
	if (has == 1 && (has = 1 - lint_names_has(nodes, parts, error)) == 1)
		lint_count(tallies, LINT_BONE, LINT_NO_KEY);
	return has < 0 || has > 1 ? -1 : 0;
}

/* Counts the name where it is new; the first one gets its message. Both texts are `length` bytes long. 0 or -1. */
static int note_rename(struct lint_names *told, const char *name, const char *written, size_t length,
		       struct lint_renames *renames, struct anim_arena *arena, struct anim_error *error)
{
	static const char before[] = "Godot's nodes cannot have . : @ / \" % in their names: '",
			  between[] = "' becomes '";
	size_t size = sizeof before + sizeof between + 2 * length;
	const char *own = anim_arena_text(arena, name, length, error);
	char *message;
	int added;

	if (own == NULL)
		return -1;
	added = lint_names_add(told, (const char *const[LINT_NAME_PARTS]){own, "", "", "", ""}, error);
	if (added <= 0 || renames->count++ > 0)
		return added < 0 ? -1 : 0;
	renames->message = message = anim_arena_alloc(arena, size, error);
	if (message == NULL)
		return -1;
	snprintf(message, size, "%s%s%s%.*s'", before, own, between, (int)length, written);
	return 0;
}

int lint_godot_renames(struct lint_names *told, const char *path, const char *bone, struct lint_renames *renames,
		       struct anim_arena *arena, struct anim_error *error)
{
	const char *written = anim_godot_node(path, bone, arena, error);
	size_t length;

	if (written == NULL)
		return -1;
	for (size_t at = 0; path != written && path[at] != '\0'; at += length + (path[at + length] == '/')) {
		length = strcspn(path + at, "/");
		if (memcmp(path + at, written + at, length) != 0 &&
		    note_rename(told, path + at, written + at, length, renames, arena, error) != 0)
			return -1;
	}
	return 0;
}

int lint_godot_rename_root(struct lint_names *told, const char *name, struct lint_renames *renames,
			   struct anim_arena *arena, struct anim_error *error)
{
	const char *written = anim_godot_root(name, arena, error);

	if (written == NULL || strcmp(written, name) == 0)
		return written == NULL ? -1 : 0;
	return note_rename(told, name, written, strlen(name), renames, arena, error);
}
