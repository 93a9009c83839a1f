/* engines.c: what an engine cannot hold, find or bind, or plays otherwise than it is meant. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "clip/engine_names.h"
#include "clip/keys.h"
#include "filter/filter.h"
#include "filter/lint/internal.h"

/* --- What all of them are asked --- */

/* Keys of other modes than `has` (1u << mode); unless the engine `eases`, none may have a transition of its own either. */
static void check_modes(const struct anim_track *track, unsigned has, bool eases, struct lint_tallies *tallies)
{
	for (size_t k = 0; track->kind == ANIM_CURVE && k < track->n; k++) {
		enum anim_interp interp = anim_track_interp(track, k);

		if (!(has >> interp & 1))
			lint_count_detail(tallies, LINT_MODE, k, "%s", anim_interp_names[interp]);
		if (!eases && track->ease != NULL && interp != ANIM_HOLD && track->ease[k] != 1 && k + 1 < track->n)
			lint_count(tallies, LINT_EASE, k);
	}
}

static void check_range(const struct anim_track *track, struct lint_tallies *tallies)
{
	unsigned components = anim_types[track->type].components;

	for (size_t k = 0; anim_types[track->type].scalar == ANIM_SCALAR_F64 && k < track->n; k++)
		for (unsigned i = 0; i < components; i++) {
			double value = fabs(anim_component(track->type, track->value, k, i));

			if (isfinite(value) && value > (double)FLT_MAX)
				lint_count(tallies, LINT_VALUE_RANGE, k);
		}
}

/* --- What Godot 4 cannot hold or find, or plays otherwise than it is meant --- */

#define GODOT_MODES                                                                           \
	(1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_BEZIER_2D | 1u << ANIM_CUBIC_TIME | \
	 1u << ANIM_LINEAR_ANGLE | 1u << ANIM_CUBIC_ANGLE)
#define JUMP_S 1e-5 /* Godot finds keys this near as one; where they jump, handles mean nothing */

/* The godot_fields of the model that Godot has, and the types that they take. */
static const struct {
	const char *property;
	enum anim_type type, other;
} godot_fields[] = {
    {"position", ANIM_FLOAT3, ANIM_FLOAT2}, {"rotation", ANIM_FLOATQ, ANIM_FLOATQ}, {"scale", ANIM_FLOAT3, ANIM_FLOAT2},
    {"euler", ANIM_FLOAT3, ANIM_FLOAT3},    {"angle", ANIM_FLOAT, ANIM_DOUBLE},     {"visible", ANIM_BOOL, ANIM_BOOL},
};

static size_t godot_find_field(const struct anim_track *track)
{
	size_t i = 0;

	while (i < sizeof godot_fields / sizeof *godot_fields && strcmp(godot_fields[i].property, track->property) != 0)
		i++;
	return i;
}

static void godot_check_field(const struct anim_track *track, struct lint_tallies *tallies)
{
	size_t field = godot_find_field(track);

	if (field == sizeof godot_fields / sizeof *godot_fields || track->component != ANIM_WHOLE ||
	    track->type == godot_fields[field].type || track->type == godot_fields[field].other)
		return;
	lint_count_detail(tallies, LINT_FIELD_TYPE, LINT_NO_KEY, "it is %s, Godot's property is %s",
			  anim_types[track->type].name, anim_types[godot_fields[field].type].name);
}

/* What no value of Godot's holds: whole numbers of 64 bits without sign, doubles and switches side by side ... */
static bool has_value(enum anim_type type)
{
	const struct anim_type_info *info = &anim_types[type];

	if (type == ANIM_ULONG || type == ANIM_FLOAT2X2 || type == ANIM_COLOR32)
		return false;
	if (info->components == 1 || type == ANIM_STRING)
		return true;
	return info->scalar == ANIM_SCALAR_F32 || type == ANIM_INT2 || type == ANIM_INT3 || type == ANIM_INT4;
}

/* "scale.x": a component is reached as ":scale:x". Names may hold a point elsewhere: "script.gd". */
static bool names_component(const char *property)
{
	const char *point = strrchr(property, '.');

	return point != NULL && point > property && point[1] != '\0' && point[2] == '\0' &&
	       strchr("xyzwrgba", point[1]) != NULL;
}

static void find_path(struct lint_tallies *tallies, const char *why)
{
	lint_count_detail(tallies, LINT_PATH, LINT_NO_KEY, "its path never resolves: %s", why);
}

/* Godot finds its own properties; of others those that it has, too. Only its own may hold the ':' that parts a path. */
static void check_path(const struct anim_track *track, struct lint_tallies *tallies)
{
	bool shape = strncmp(track->property, "blend_shape/", 12) == 0;

	if (track->property[0] == '@')
		return;
	if (track->component == ANIM_WHOLE && !shape && anim_rules_are_godot(track->rules) &&
	    names_component(track->property))
		find_path(tallies, "Godot reaches a lane by a colon, as in ':scale:x'");
	else if ((shape || !anim_rules_are_godot(track->rules)) && strchr(track->property, ':') != NULL)
		find_path(tallies, "in Godot a ':' in a name parts the path");
	else if (!anim_rules_are_godot(track->rules) && !shape &&
		 godot_find_field(track) == sizeof godot_fields / sizeof *godot_fields)
		lint_count(tallies, LINT_UNBOUND, LINT_NO_KEY);
}

static void godot_check_head(const struct anim_track *track, struct lint_tallies *tallies)
{
	if (!has_value(track->type))
		lint_count_detail(tallies, LINT_TYPE, LINT_NO_KEY, "%s", anim_types[track->type].name);
	if (track->pre != ANIM_EXTRAPOLATION_HOLD || track->post != ANIM_EXTRAPOLATION_HOLD)
		lint_count(tallies, LINT_ENDS, LINT_NO_KEY);
	if (track->flags & ANIM_REST_RELATIVE)
		lint_count(tallies, LINT_REST_RELATIVE, LINT_NO_KEY);
	check_path(track, tallies);
	godot_check_field(track, tallies);
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

static void check_godot(const struct anim_track *track, struct lint_tallies *tallies)
{
	godot_check_head(track, tallies);
	check_modes(track, GODOT_MODES, true, tallies);
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
	skeleton = anim_arena_text(&nodes->set.arena, node->path, (size_t)(colon - node->path), error);
	if (skeleton == NULL)
		return -1;
	parts[0] = skeleton;
	parts[1] = colon[1] == '#' ? "part" : "bones";
	return lint_names_add(nodes, parts, error) < 0 ? -1 : 0;
}

static int check_godot_bone(struct lint_names *nodes, const struct anim_clip *clip, const struct anim_track *track,
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
	const char *own = anim_arena_text(arena, name, length, error);
	int added;

	if (own == NULL)
		return -1;
	added = lint_names_add(told, (const char *const[LINT_NAME_PARTS]){own, "", "", "", ""}, error);
	if (added <= 0 || renames->count++ > 0)
		return added < 0 ? -1 : 0;
	renames->message = anim_arena_printf(
	    arena, error, "Godot's nodes cannot have . : @ / \" %% in their names: '%s' becomes '%.*s'", own,
	    (int)length, written);
	return renames->message == NULL ? -1 : 0;
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

/* --- What Unity cannot hold or bind, or plays otherwise than it is meant --- */

#define UNITY_MODES (1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_HERMITE | 1u << ANIM_WEIGHTED)

/* Weighted bits of a key. */
#define WEIGHTED_LEFT 1u
#define WEIGHTED_RIGHT 2u

static bool is_attr(const struct anim_track *track, const char *key, const char *value)
{
	const char *found = anim_attrs_get(&track->attrs, key);

	return found != NULL && strcmp(found, value) == 0;
}

/* The properties of the model that Unity has; the type of a whole one's field. */
static const struct {
	const char *property;
	enum anim_type type;
} unity_fields[] = {
    {"position", ANIM_FLOAT3}, {"rotation", ANIM_FLOATQ}, {"euler", ANIM_FLOAT3},
    {"scale", ANIM_FLOAT3},    {"visible", ANIM_FLOAT},   {"angle", ANIM_FLOAT},
};

static size_t unity_find_field(const struct anim_track *track)
{
	size_t i = 0;

	while (i < sizeof unity_fields / sizeof *unity_fields && strcmp(unity_fields[i].property, track->property) != 0)
		i++;
	return i;
}

/* A script's field is bound where the script is known, a component's where its class is. */
static bool is_bound(const struct anim_track *track)
{
	bool shape = strncmp(track->property, "blend_shape/", 12) == 0 && track->component == ANIM_WHOLE;
	bool known = shape || unity_find_field(track) < sizeof unity_fields / sizeof *unity_fields;

	if (is_attr(track, "unity.class", "114"))
		return anim_attrs_get(&track->attrs, "unity.script") != NULL;
	return known || anim_attrs_get(&track->attrs, "unity.class") != NULL || strcmp(track->property, "@event") == 0;
}

static void check_binding(const struct anim_track *track, struct lint_tallies *tallies)
{
	if (!is_bound(track))
		lint_count(tallies, LINT_UNBOUND, LINT_NO_KEY);
}

/* Numbers are written as floats whatever they are; of texts only references to assets and events have a place. */
static void check_type(const struct anim_track *track, struct lint_tallies *tallies)
{
	bool text =
	    track->type == ANIM_STRING && !is_attr(track, "literal", "PPtr") && strcmp(track->property, "@event") != 0;

	if (!text && !anim_types[track->type].matrix)
		return;
	lint_count_detail(tallies, LINT_TYPE, LINT_NO_KEY, "%s", anim_types[track->type].name);
}

/* Parts of a transform have all their components; what is one number may be of any type. Its own are as they were. */
static void unity_check_field(const struct anim_track *track, struct lint_tallies *tallies)
{
	size_t field = unity_find_field(track);
	bool component = track->component != ANIM_WHOLE;
	enum anim_type type =
	    field < sizeof unity_fields / sizeof *unity_fields ? unity_fields[field].type : track->type;

	if (!anim_track_is_transform(track) || (component && track->rules == ANIM_RULES_UNITY) ||
	    (!component && track->type == type) || anim_types[type].components == anim_types[track->type].components)
		return;
	lint_count_detail(tallies, LINT_FIELD_TYPE, LINT_NO_KEY, "it is %s, Unity's field is %s",
			  component ? "one lane" : anim_types[track->type].name, anim_types[type].name);
}

static void unity_check_head(const struct anim_track *track, struct lint_tallies *tallies)
{
	if (track->pre == ANIM_EXTRAPOLATION_NONE || track->post == ANIM_EXTRAPOLATION_NONE)
		lint_count(tallies, LINT_ENDS, LINT_NO_KEY);
	if (track->flags & ANIM_REST_RELATIVE)
		lint_count(tallies, LINT_REST_RELATIVE, LINT_NO_KEY);
	if (track->flags & ANIM_DISABLED)
		lint_count(tallies, LINT_DISABLED, LINT_NO_KEY);
	check_binding(track, tallies);
	check_type(track, tallies);
	unity_check_field(track, tallies);
}

static bool has_nan(const struct anim_track *track, const void *column, size_t k)
{
	for (unsigned i = 0; i < anim_types[track->type].components; i++)
		if (isnan(anim_component(track->type, column, k, i)))
			return true;
	return false;
}

/* Whether the weights of one side of a key, where it is weighted on that side, are all within 0..1. */
static bool weights_fit(const struct anim_track *track, const float *column, unsigned bit, size_t k)
{
	size_t components = anim_types[track->type].components;

	if (column == NULL || track->weighted == NULL || !(track->weighted[k] & bit))
		return true;
	for (size_t i = k * components; i < (k + 1) * components; i++)
		if (!(column[i] >= 0 && column[i] <= 1))
			return false;
	return true;
}

/* The sides of its two keys that segment k uses. */
static void check_segment(const struct anim_track *track, size_t k, struct lint_tallies *tallies)
{
	enum anim_interp interp = anim_track_interp(track, k);

	if (interp != ANIM_HERMITE && interp != ANIM_WEIGHTED)
		return;
	if (has_nan(track, track->right, k) || has_nan(track, track->left, k + 1))
		lint_count(tallies, LINT_TANGENT_NOT_FINITE, k);
	if (interp == ANIM_WEIGHTED && (!weights_fit(track, track->right_x, WEIGHTED_RIGHT, k) ||
					!weights_fit(track, track->left_x, WEIGHTED_LEFT, k + 1)))
		lint_count(tallies, LINT_WEIGHT, k);
}

static void check_unity(const struct anim_track *track, struct lint_tallies *tallies)
{
	unity_check_head(track, tallies);
	check_modes(track, UNITY_MODES, false, tallies);
	for (size_t k = 0; track->kind == ANIM_CURVE && k + 1 < track->n; k++)
		check_segment(track, k, tallies);
	if (anim_types[track->type].quaternion)
		lint_turns(track, tallies);
	check_range(track, tallies);
}

/* --- What Resonite cannot hold, or plays otherwise than it is meant --- */

#define RESONITE_MODES (1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_TANGENT | 1u << ANIM_CUBIC_BEZIER)

/*
 * The type of the field that Resonite would bind the track to, or -1. The readers of its own formats leave the field's
 * name as it is where the type is not the field's.
 */
static int field_type(const struct anim_track *track, struct anim_arena *arena, struct anim_error *error)
{
	static const enum anim_type types[] = {ANIM_FLOAT3, ANIM_FLOATQ, ANIM_BOOL, ANIM_FLOAT};
	int type = anim_resonite_property_type(track->property);

	for (size_t i = 0; i < sizeof types / sizeof *types && type < 0; i++) {
		const char *model = anim_resonite_property_read(track->property, types[i], arena, error);

		if (model == NULL)
			return -2;
		if (anim_resonite_property_type(model) == (int)types[i])
			type = (int)types[i];
	}
	return type;
}

static int resonite_check_field(const struct anim_track *track, struct lint_tallies *tallies, struct anim_arena *arena,
				struct anim_error *error)
{
	int type = field_type(track, arena, error);
	bool whole = track->component == ANIM_WHOLE;

	if (type < -1)
		return -1;
	if (type < 0 || (whole && (int)track->type == type))
		return 0;
	lint_count_detail(tallies, LINT_FIELD_TYPE, LINT_NO_KEY, "it is %s, Resonite's field is %s",
			  whole ? anim_types[track->type].name : "one lane", anim_types[type].name);
	return 0;
}

static void resonite_check_head(const struct anim_track *track, const struct anim_clip *clip,
				struct lint_tallies *tallies)
{

	if (track->pre != ANIM_EXTRAPOLATION_HOLD || track->post != ANIM_EXTRAPOLATION_HOLD)
		lint_count(tallies, LINT_ENDS, LINT_NO_KEY);
	if (track->flags & ANIM_REST_RELATIVE)
		lint_count(tallies, LINT_REST_RELATIVE, LINT_NO_KEY);
	if (track->flags & ANIM_DISABLED)
		lint_count(tallies, LINT_DISABLED, LINT_NO_KEY);
	if (!anim_types[track->type].matrix || strcmp(clip->source, "animx") == 0)
		return;
	lint_count_detail(tallies, LINT_TYPE, LINT_NO_KEY, "%s", anim_types[track->type].name);
}

static int check_resonite(const struct anim_track *track, const struct anim_clip *clip, struct lint_tallies *tallies,
			  struct anim_arena *arena, struct anim_error *error)
{
	resonite_check_head(track, clip, tallies);
	if (track->n == 0)
		return 0;
	check_modes(track, RESONITE_MODES, false, tallies);
	if (anim_types[track->type].quaternion)
		lint_turns(track, tallies);
	/* A Godot scalar that came in as double is bound to a field of float. */
	if (track->type == ANIM_DOUBLE && anim_rules_are_godot(track->rules))
		check_range(track, tallies);
	return anim_text_behind(track->property, "@") != NULL ? 0 : resonite_check_field(track, tallies, arena, error);
}

int lint_engine(enum anim_lint_target target, const struct anim_track *track, const struct anim_clip *clip,
		struct lint_names *nodes, struct lint_tallies *tallies, struct anim_arena *arena,
		struct anim_error *error)
{
	switch (target) {
	case ANIM_LINT_UNITY:
		check_unity(track, tallies);
		return 0;
	case ANIM_LINT_GODOT:
		check_godot(track, tallies);
		return check_godot_bone(nodes, clip, track, arena, tallies, error);
	case ANIM_LINT_RESONITE:
		return check_resonite(track, clip, tallies, arena, error);
	default:
		return 0;
	}
}

/* --- The lists of tracks that Resonite's Animators bind by --- */

/* A track of a list: its node, property and type. */
struct lint_item {
	const char *key; /* "node\0property\0type" */
	uint32_t size, property;
};

/* A list that is kept: where its items lie, and whose it is. */
struct lint_list {
	size_t first, count;
	const char *clip, *file;
};

static const struct lint_item *items_of(const struct anim_buffer *buffer)
{
	return (const struct lint_item *)(const void *)buffer->data;
}

static size_t item_count(const struct anim_buffer *buffer)
{
	return buffer->size / sizeof(struct lint_item);
}

static bool same_item(const struct lint_item *a, const struct lint_item *b)
{
	return a->size == b->size && memcmp(a->key, b->key, a->size) == 0;
}

/* What binds to a field behind one that does not is bound to the wrong one. */
static void count_shifts(struct lint_lists *lists, const struct anim_track *track)
{
	bool binds = track->component == ANIM_WHOLE && anim_resonite_field_type(track->property) == (int)track->type;

	if (binds)
		lists->shifting = lists->unbound;
	else if (lists->unbound++ == 0)
		lists->first = item_count(&lists->current);
}

int lint_lists_add(struct lint_lists *lists, const struct anim_resonite_names *names, const struct anim_track *track,
		   struct anim_error *error)
{
	const char *node = anim_resonite_node(names, track->node, &lists->current_texts, error);
	const char *property = anim_resonite_property(track->property, track->component, &lists->current_texts, error);
	const char *type = anim_types[track->type].name;
	struct lint_item item;
	size_t length;

	if (node == NULL || property == NULL)
		return -1;
	count_shifts(lists, track);
	item.key = anim_key_join(&lists->current_texts, (const char *const[]){node, property, type}, 3, &length, error);
	if (item.key == NULL)
		return -1;
	item.size = (uint32_t)length + 1;
	item.property = (uint32_t)strlen(node) + 1;
	return anim_buffer_append(&lists->current, &item, sizeof item, error);
}

/* The tracks that no list has yet are this one's from now on; with `keep` they are kept in its order, too. 0 or -1. */
static int own(struct lint_lists *lists, uint32_t list, bool keep, struct anim_error *error)
{
	const struct lint_item *items = items_of(&lists->current);
	uint32_t owner;

	for (size_t i = 0; i < item_count(&lists->current); i++) {
		struct lint_item item = items[i];
		bool owned = anim_map_get(&lists->owners, 0, item.key, item.size, &owner);

		if (owned && !keep)
			continue;
		item.key = anim_arena_text(&lists->texts, item.key, item.size, error);
		if (item.key == NULL ||
		    (!owned && anim_map_put(&lists->owners, 0, item.key, item.size, list, error) != 0) ||
		    (keep && anim_buffer_append(&lists->kept, &item, sizeof item, error) != 0))
			return -1;
	}
	return 0;
}

/* "'Hips' 'Rotation'", cut where it is long. */
static void print_item(const struct lint_item *item, char out[128])
{
	if (item == NULL)
		snprintf(out, 128, "none");
	else
		snprintf(out, 128, "'%.50s' '%.50s'", item->key, item->key + item->property);
}

int lint_lists_order(struct lint_lists *lists, struct anim_arena *arena, const char **fault, struct anim_error *error)
{
	const struct lint_item *items = items_of(&lists->current);
	char name[128];

	*fault = NULL;
	if (lists->shifting == 0)
		return 0;
	print_item(&items[lists->first], name);
	*fault = anim_arena_printf(
	    arena, error, "Resonite finds no field for %s%s and shifts those behind; anim-emit writes such tracks last",
	    name, lists->shifting > 1 ? " and others" : "");
	return *fault == NULL ? -1 : 0;
}

static int keep_list(struct lint_lists *lists, const char *clip, const char *file, struct anim_error *error)
{
	uint32_t number = (uint32_t)(lists->lists.size / sizeof(struct lint_list));
	struct lint_list list = {item_count(&lists->kept), item_count(&lists->current),
				 anim_arena_text(&lists->texts, clip, strlen(clip), error),
				 anim_arena_text(&lists->texts, file, strlen(file), error)};

	if (list.clip == NULL || list.file == NULL || own(lists, number, true, error) != 0)
		return -1;
	return anim_buffer_append(&lists->lists, &list, sizeof list, error);
}

/* The earlier list that has a track of this one, or NULL. */
static const struct lint_list *related(const struct lint_lists *lists)
{
	const struct lint_item *items = items_of(&lists->current);
	uint32_t owner;

	for (size_t i = 0; i < item_count(&lists->current); i++)
		if (anim_map_get(&lists->owners, 0, items[i].key, items[i].size, &owner))
			return (const struct lint_list *)(const void *)lists->lists.data + owner;
	return NULL;
}

/* "its tracks are not those of clip 'idle' (idle.animj) from number 3 on: ..." */
static const char *difference(const struct lint_lists *lists, const struct lint_list *list, size_t at,
			      struct anim_arena *arena, struct anim_error *error)
{
	const struct lint_item *here = at < item_count(&lists->current) ? items_of(&lists->current) + at : NULL;
	const struct lint_item *there = at < list->count ? items_of(&lists->kept) + list->first + at : NULL;
	char names[2][128];

	print_item(here, names[0]);
	print_item(there, names[1]);
	return anim_arena_printf(
	    arena, error,
	    "its tracks are not those of '%.80s' (%.120s) from number %zu on: %s here, %s there; an Animator that "
	    "plays both needs one list: anim-emit --same-tracks --each",
	    list->clip, list->file, at + 1, names[0], names[1]);
}

int lint_lists_compare(struct lint_lists *lists, const char *clip, const char *file, struct anim_arena *arena,
		       const char **fault, struct anim_error *error)
{
	const struct lint_list *list = related(lists);
	size_t count = item_count(&lists->current), at = 0;

	*fault = NULL;
	if (list == NULL)
		return count == 0 ? 0 : keep_list(lists, clip, file, error);
	while (at < count && at < list->count &&
	       same_item(items_of(&lists->current) + at, items_of(&lists->kept) + list->first + at))
		at++;
	if (at == count && at == list->count)
		return 0;
	*fault = difference(lists, list, at, arena, error);
	if (*fault == NULL)
		return -1;
	return own(lists, (uint32_t)(list - (const struct lint_list *)(const void *)lists->lists.data), false, error);
}

void lint_lists_reset(struct lint_lists *lists)
{
	lists->current.size = 0;
	lists->unbound = lists->shifting = 0;
	anim_arena_reset(&lists->current_texts);
}

void lint_lists_clear(struct lint_lists *lists)
{
	anim_map_clear(&lists->owners);
	anim_buffer_clear(&lists->lists);
	anim_buffer_clear(&lists->kept);
	anim_buffer_clear(&lists->current);
	anim_arena_clear(&lists->texts);
	anim_arena_clear(&lists->current_texts);
}
