/* resonite.c: converts names between the model and Resonite, and parts shared by the writers for Resonite. */
#include "clip/resonite.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/number.h"

/* ---- Names in both directions ---- */

#define BLEND_SHAPE "blend_shape/"
#define BLEND_SHAPE_FIELD "BlendShape."
#define FIELD "field:"

/*
 * Slot.Position and the like, and the types of those fields. The first match is taken, so reading never gives euler.
 */
static const struct property {
	const char *model, *resonite;
	enum anim_type type;
} properties[] = {
    {"position", "Position", ANIM_FLOAT3}, {"rotation", "Rotation", ANIM_FLOATQ}, {"scale", "Scale", ANIM_FLOAT3},
    {"visible", "Active", ANIM_BOOL},      {"euler", "Rotation", ANIM_FLOATQ},    {"angle", "Rotation", ANIM_FLOATQ},
};
#define PROPERTY_COUNT ANIM_COUNT(properties)

static const struct property *find_property(const char *model)
{
	for (size_t i = 0; i < PROPERTY_COUNT; i++)
		if (strcmp(properties[i].model, model) == 0)
			return &properties[i];
	return NULL;
}

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Return whether the model would mistake a Resonite name for a name of its own, or for a name marked as a field. */
static bool is_taken(const char *name)
{
	while (starts_with(name, FIELD))
		name += sizeof FIELD - 1;
	return find_property(name) != NULL || starts_with(name, BLEND_SHAPE);
}

const char *anim_resonite_property_read(const char *name, enum anim_type type, struct anim_arena *arena,
					struct anim_error *error)
{
	if (type == ANIM_FLOAT && starts_with(name, BLEND_SHAPE_FIELD))
		return anim_arena_printf(arena, error, BLEND_SHAPE "%s", name + sizeof BLEND_SHAPE_FIELD - 1);
	for (size_t i = 0; i < PROPERTY_COUNT; i++)
		if (properties[i].type == type && strcmp(properties[i].resonite, name) == 0)
			return properties[i].model;
	return is_taken(name) ? anim_arena_printf(arena, error, FIELD "%s", name) : name;
}

const char *anim_resonite_field_meant(const char *name)
{
	for (size_t i = 0; i < PROPERTY_COUNT; i++)
		if (strcasecmp(properties[i].resonite, name) == 0)
			return strcmp(properties[i].resonite, name) == 0 ? NULL : properties[i].resonite;
	return NULL;
}

const char *anim_resonite_node_read(const char *name)
{
	return name[0] == '\0' ? "." : name;
}

int anim_resonite_field_type(const char *property)
{
	for (size_t i = 0; i < PROPERTY_COUNT; i++)
		if (strcmp(properties[i].model, property) == 0 || strcmp(properties[i].resonite, property) == 0)
			return (int)properties[i].type;
	return -1;
}

const char *anim_resonite_unbound(const char *property, enum anim_type type, uint8_t component)
{
	int field = anim_resonite_field_type(property);

	if (starts_with(property, BLEND_SHAPE) || starts_with(property, BLEND_SHAPE_FIELD))
		return "Resonite binds blend shapes only through a DynamicBlendShapeDriver";
	if (field < 0)
		return "Resonite's slots have no such field";
	if (component != ANIM_WHOLE)
		return "Resonite binds no single components";
	return field == (int)type ? NULL : "Resonite's field has another type";
}

const char *anim_resonite_property(const char *property, uint8_t component, struct anim_arena *arena,
				   struct anim_error *error)
{
	const struct property *known = find_property(property);
	const char *name = known != NULL ? known->resonite : property;
	bool whole = component == ANIM_WHOLE;

	if (starts_with(property, FIELD) && is_taken(property))
		name = property + sizeof FIELD - 1;
	/* A component of Euler angles is not a component of the quaternion. */
	if (!whole && strcmp(property, "euler") == 0)
		name = "Euler";
	if (starts_with(property, BLEND_SHAPE))
		return anim_arena_printf(arena, error, BLEND_SHAPE_FIELD "%s", property + sizeof BLEND_SHAPE - 1);
	return anim_arena_printf(arena, error, "%s%s%s", name, whole ? "" : ".",
				 whole ? "" : anim_component_name(property, component));
}

void anim_resonite_names_init(struct anim_resonite_names *names, const struct anim_clip *clip, const char *root_name)
{
	bool in_tree = (clip->flags & ANIM_IN_TREE) != 0;

	*names = (struct anim_resonite_names){
	    .from_godot = starts_with(clip->source, "godot"),
	    /* The head of the clip is only borrowed. So a constant for the engine is kept instead of its text. */
	    .source = clip->source[0] == '\0'              ? ""
		      : anim_source_is_godot(clip->source) ? "godot"
							   : "other",
	    .bare_nodes = strcmp(clip->source, "animj") == 0 || strcmp(clip->source, "animx") == 0,
	    .root = clip->root,
	    .root_name = in_tree && root_name != NULL ? root_name : "",
	};
}

/*
 * Return the last name of a path, with "." and ".." resolved. *ups counts the names still to be skipped, and remains
 * for the path before this one. The result is empty if no name is left.
 */
static const char *last_name(const char *path, size_t *ups, size_t *length)
{
	const char *end = path + strlen(path);

	while (end > path) {
		const char *from = end;

		while (from > path && from[-1] != '/')
			from--;
		*length = (size_t)(end - from);
		if (*length == 2 && memcmp(from, "..", 2) == 0)
			++*ups;
		else if (*length > 0 && !(*length == 1 && *from == '.') && (*ups == 0 || (*ups)-- == 0))
			return from;
		end = from > path ? from - 1 : path;
	}
	*length = 0;
	return path;
}

const char *anim_resonite_node(const struct anim_resonite_names *names, const char *node, bool is_bone,
			       struct anim_arena *arena, struct anim_error *error)
{
	const char *bone = names->bare_nodes ? NULL : anim_bone_name(names->source, node, is_bone), *name;
	size_t ups = 0, length;

	if (names->bare_nodes && strcmp(node, ".") != 0)
		return anim_arena_text(arena, node, strlen(node), error);
	if (bone != NULL && bone[0] != '\0')
		return anim_arena_text(arena, bone, strlen(bone), error);
	name = last_name(node, &ups, &length);
	if (length == 0)
		name = last_name(names->root, &ups, &length);
	if (length == 0 && ups == 0) {
		name = names->root_name;
		length = strlen(name);
	}
	if (names->from_godot && length > 1 && *name == '%') {
		name++;
		length--;
	}
	return anim_arena_text(arena, name, length, error);
}

/* ---- Warnings of the writers ---- */

void anim_resonite_target_clear(struct anim_resonite_target *target)
{
	anim_text_set_clear(&target->seen);
	anim_arena_clear(&target->arena);
	anim_arena_clear(&target->scratch);
}

int anim_resonite_target_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct anim_resonite_target *target = (struct anim_resonite_target *)sink;

	if (target->in_clip)
		return 0;
	target->root_name = anim_arena_text(&target->arena, tree->root_name, strlen(tree->root_name), error);
	return target->root_name == NULL ? -1 : 0;
}

int anim_resonite_target_clip(struct anim_resonite_target *target, const struct anim_clip *clip,
			      struct anim_error *error)
{
	/* The settings of Unity's Animator that change a clip beyond its curves. */
	static const struct {
		const char *key, *name;
	} settings[] = {{"unity.m_AnimationClipSettings.m_CycleOffset", "cycle offset"},
			{"unity.m_AnimationClipSettings.m_LoopBlend", "loop pose"},
			{"unity.m_AnimationClipSettings.m_Mirror", "mirror"}};

	if (target->in_clip)
		return anim_fail(error, ANIM_UNSUPPORTED, "%s holds one clip; '%s' is a second one", target->format,
				 clip->name);
	if (!isfinite((float)((double)clip->end_s - (double)clip->start_s)))
		return anim_fail(error, ANIM_UNSUPPORTED, "clip '%s' is too long for %s", clip->name, target->format);
	target->in_clip = true;
	target->from_godot = anim_source_is_godot(clip->source);
	target->start_s = clip->start_s;
	target->end_s = clip->end_s;
	target->loop = (enum anim_loop)clip->loop;
	anim_resonite_names_init(&target->names, clip, target->root_name);
	target->names.root = anim_arena_text(&target->arena, clip->root, strlen(clip->root), error);
	if (target->names.root == NULL || anim_diagnostics_playback(target->diagnostics, clip, target->format, false,
								    "; the Animator sets it", error) != 0)
		return -1;
	for (size_t i = 0; i < ANIM_COUNT(settings); i++) {
		const char *value = anim_attrs_get(&clip->attrs, settings[i].key);

		if (value != NULL && strcmp(value, "0") != 0 &&
		    anim_diagnostics_note(target->diagnostics, "clip", error,
					  "'%s' (%s): a setting of Unity is not kept, because %s has none", clip->name,
					  settings[i].name, target->format) != 0)
			return -1;
	}
	return 0;
}

int anim_resonite_target_end(const struct anim_resonite_target *target, struct anim_error *error)
{
	if (!target->in_clip)
		return anim_fail_no_clip(error);
	return anim_diagnostics_check(target->diagnostics, error);
}

const char *anim_resonite_mode_phrase(enum anim_interp interp)
{
	static const char *const phrases[ANIM_INTERP_COUNT] = {
	    [ANIM_HERMITE] = "a Hermite curve",
	    [ANIM_WEIGHTED] = "a weighted curve",
	    [ANIM_BEZIER_2D] = "a Bezier curve with handles in time",
	    [ANIM_CUBIC_TIME] = "cubic (Godot 4)",
	    [ANIM_CUBIC_UNIFORM] = "cubic (Godot 3)",
	    [ANIM_LINEAR_ANGLE] = "linear by the shortest angle",
	    [ANIM_CUBIC_ANGLE] = "cubic by the shortest angle",
	};

	return phrases[interp];
}

int anim_resonite_target_refuse(const struct anim_resonite_target *target, const char *phrase, struct anim_error *error)
{
	return anim_fail(error, ANIM_UNSUPPORTED, "track '%s' is %s; %s cannot hold it: " ANIM_ADVICE_TO(SAMPLE, "30"),
			 target->label, phrase, target->format);
}

int anim_resonite_target_check_mode(const struct anim_resonite_target *target, enum anim_interp interp,
				    struct anim_error *error)
{
	const char *phrase = anim_resonite_mode_phrase(interp);

	return phrase == NULL ? 0 : anim_resonite_target_refuse(target, phrase, error);
}

/* Check the converted times: they must start at 0 or later and be numbers. */
static int check_times(struct anim_resonite_target *target, const struct anim_track *t, struct anim_error *error)
{
	float first_s = t->time[0], last_s = t->time[t->n - 1];
	char text[ANIM_NUMBER_MAX];
	int length;

	if (!isfinite(first_s) || !isfinite(last_s))
		return anim_fail(error, ANIM_UNSUPPORTED, "track '%s': a time is too large for %s", target->label,
				 target->format);
	if (first_s < 0) {
		length = (int)anim_number_print_float(text, -first_s);
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "track '%s' has keys up to %.*s s before the clip's start, %s has no such times: " ANIM_ADVICE_TO(
			SHIFT_OR_SAMPLE, "%.*s"),
		    target->label, length, text, target->format, length, text);
	}
	if (target->last_s < last_s)
		target->last_s = last_s;
	return 0;
}

int anim_resonite_target_warn_of_end(struct anim_resonite_target *target, const struct anim_track *t,
				     struct anim_error *error)
{
	if ((double)t->time[t->n - 1] <= (double)target->end_s - (double)target->start_s)
		return 0;
	return anim_diagnostics_warn(
	    target->diagnostics, "track", error,
	    "'%s': keys past the end of the clip, which Resonite plays: " ANIM_ADVICE_TO(SAMPLE, "30"), target->label);
}

int anim_resonite_target_time_keys(struct anim_resonite_target *target, struct anim_track *t, struct anim_error *error)
{
	float *times;

	if (target->start_s != 0 || signbit(t->time[0])) {
		times = anim_arena_alloc(&target->scratch, t->n * sizeof *times, error);
		if (times == NULL)
			return -1;
		for (size_t k = 0; k < t->n; k++)
			times[k] = (float)((double)t->time[k] - (double)target->start_s) + 0.0f; /* avoids -0 */
		t->time = times;
	}
	return check_times(target, t, error) != 0 ? -1 : anim_resonite_target_warn_of_end(target, t, error);
}

int anim_resonite_target_key_samples(struct anim_resonite_target *target, struct anim_track *t, enum anim_kind kind,
				     struct anim_error *error)
{
	float *times = anim_arena_alloc(&target->scratch, t->n * sizeof *times, error);

	if (times == NULL)
		return -1;
	for (size_t k = 0; k < t->n; k++)
		times[k] = (float)(anim_track_time(t, k) - (double)target->start_s);
	t->kind = kind;
	t->time = times;
	t->rate_num = t->rate_den = 0;
	t->start_s = t->step_s = 0;
	return check_times(target, t, error);
}

bool anim_resonite_target_keeps_samples(struct anim_resonite_target *target, const struct anim_track *t)
{
	float last_s = (float)(anim_track_time(t, t->n - 1) - (double)target->start_s);

	if (!isfinite((float)anim_track_step(t)) || !isfinite(last_s))
		return false;
	if (target->last_s < last_s)
		target->last_s = last_s;
	return true;
}

int anim_resonite_target_warn_of_interval(struct anim_resonite_target *target, struct anim_error *error)
{
	return anim_diagnostics_warn(target->diagnostics, "track", error,
				     "'%s': samples of unknown interval, written without one", target->label);
}

int anim_resonite_target_narrow(struct anim_resonite_target *target, struct anim_track *t, const char *too_large,
				struct anim_error *error)
{
	const void **columns[] = {&t->value, &t->left, &t->right};

	if (t->type != ANIM_DOUBLE || !target->from_godot || target->keep_double)
		return 0;
	for (size_t c = 0; c < ANIM_COUNT(columns); c++) {
		const double *wide = *columns[c];
		float *narrowed;

		if (wide == NULL)
			continue;
		*columns[c] = narrowed = anim_arena_alloc(&target->scratch, t->n * sizeof *narrowed, error);
		if (narrowed == NULL)
			return -1;
		for (size_t k = 0; k < t->n; k++) {
			narrowed[k] = (float)wide[k];
			if (isinf(narrowed[k]) && !isinf(wide[k]))
				return anim_fail(error, ANIM_UNSUPPORTED, "track '%s': key %zu is %s", target->label, k,
						 too_large);
		}
	}
	t->type = ANIM_FLOAT;
	return 0;
}

void anim_resonite_target_switch_visible(const struct anim_resonite_target *target, struct anim_track *t, bool holds)
{
	if (target->source_names || t->rules == ANIM_RULES_RESONITE || t->kind != ANIM_CURVE || t->type != ANIM_BOOL ||
	    strcmp(t->property, "visible") != 0 || !holds)
		return;
	t->kind = ANIM_DISCRETE;
	t->interp = ANIM_HOLD;
	t->interps = NULL;
	t->left = t->right = NULL;
}

int anim_resonite_target_begin_track(struct anim_resonite_target *target, const struct anim_track *t,
				     struct anim_error *error)
{
	anim_arena_reset(&target->scratch);
	anim_track_label(t, target->label, sizeof target->label);
	return anim_diagnostics_gate(target->diagnostics, t, false, error);
}

/* Return whether anim-lint itself finds wrong types and doubled tracks, because it reads a file of Resonite. */
static bool is_linted(const struct anim_resonite_target *target)
{
	return target->diagnostics != NULL && target->diagnostics->apart && target->names.bare_nodes;
}

/* Resonite binds a track to a complete field of exactly its type. */
static int warn_of_binding(struct anim_resonite_target *target, const struct anim_track *source,
			   const struct anim_track *written, struct anim_error *error)
{
	int field = anim_resonite_field_type(source->property);

	if (source->component != ANIM_WHOLE)
		return anim_diagnostics_warn(
		    target->diagnostics, "track", error,
		    "'%s': single components, which Resonite cannot bind; animate the whole value", target->label);
	if (field < 0)
		return anim_diagnostics_note(target->diagnostics, "track", error,
					     "'%s': %s; " ANIM_OPTION_TO("emit", "bind-sheet", "FILE") " lists all",
					     target->label,
					     anim_resonite_unbound(source->property, written->type, source->component));
	if (field == (int)written->type || is_linted(target))
		return 0;
	return anim_diagnostics_warn(
	    target->diagnostics, "track", error,
	    "'%s' (%s, but Resonite's %s is %s): another type than the field, so it will not bind", target->label,
	    anim_types[written->type].name, written->property, anim_types[field].name);
}

/* Add a set entry of one letter and two texts with a NUL between them. Returns 1 if it is new, 0 if not, or -1. */
static int add_seen(struct anim_resonite_target *target, char letter, const char *first, const char *second,
		    struct anim_error *error)
{
	size_t a = strlen(first), b = strlen(second);
	char *text = anim_arena_alloc(&target->scratch, a + b + 2, error);

	if (text == NULL)
		return -1;
	text[0] = letter;
	memcpy(text + 1, first, a + 1);
	memcpy(text + a + 2, second, b);
	return anim_text_set_add(&target->seen, text, a + b + 2, error);
}

/* Warn if a node or a track has the same name as another. */
static int warn_of_doubles(struct anim_resonite_target *target, const char *path, const char *node,
			   const char *property, struct anim_error *error)
{
	int new_path = add_seen(target, 'p', path, "", error);
	int new_name = new_path == 1 ? add_seen(target, 'n', node, "", error) : 1;
	int new_track = add_seen(target, 't', node, property, error);

	if (new_path < 0 || new_name < 0 || new_track < 0)
		return -1;
	if (new_name == 0)
		return anim_diagnostics_warn(
		    target->diagnostics, "node", error,
		    "'%s' (named '%s' in %s): same name as another node; " ANIM_ADVICE(RENAME_NODES), path, node,
		    target->format);
	if (new_track == 0 && (!is_linted(target) || property[0] == '@'))
		return anim_diagnostics_warn(target->diagnostics, "track", error,
					     "'%s': another track has the same node and property" ANIM_DETAIL
					     " (%s: '%s' '%s')",
					     target->label, target->format, node, property);
	return 0;
}

/* Return the model's property, with the component for a component track. */
static const char *source_property(const struct anim_track *t, struct anim_arena *arena, struct anim_error *error)
{
	const char *component = t->component == ANIM_WHOLE ? "" : anim_component_name(t->property, t->component);

	return anim_arena_printf(arena, error, "%s%s%s", t->property, component[0] == '\0' ? "" : ".", component);
}

int anim_resonite_target_track(struct anim_resonite_target *target, const struct anim_track *source,
			       struct anim_track *written, struct anim_error *error)
{
	bool as_is = target->source_names;
	struct anim_arena *arena = &target->scratch;

	written->node =
	    as_is ? source->node
		  : anim_resonite_node(&target->names, source->node, anim_track_is_bone(source), arena, error);
	written->property = as_is ? source_property(source, arena, error)
				  : anim_resonite_property(source->property, source->component, arena, error);
	if (written->node == NULL || written->property == NULL ||
	    (!as_is && warn_of_binding(target, source, written, error) != 0) ||
	    warn_of_doubles(target, source->node, written->node, written->property, error) != 0)
		return -1;
	if ((source->flags & ANIM_REST_RELATIVE) == 0)
		return 0;
	return anim_diagnostics_warn(target->diagnostics, "track", error,
				     "'%s': relative to an unknown rest pose, which Resonite does not support",
				     target->label);
}
