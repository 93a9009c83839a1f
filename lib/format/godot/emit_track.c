/* emit_track.c: what kind of track Godot has for a track of the model, and its head. */
#include "format/godot/emit_track.h"

#include <string.h>

#include "base/number.h"

static bool is_type(const struct anim_track *t, const char *type)
{
	const char *own = anim_attrs_get(&t->attrs, "godot.type");

	return own != NULL && strcmp(own, type) == 0;
}

static bool begins(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static enum godot_track_type event_type(const char *property)
{
	if (strcmp(property, "@method") == 0 || strcmp(property, "@event") == 0)
		return GODOT_TRACK_METHOD;
	if (strcmp(property, "@audio") == 0)
		return GODOT_TRACK_AUDIO;
	return strcmp(property, "@animation") == 0 ? GODOT_TRACK_ANIMATION : GODOT_TRACK_UNKNOWN;
}

/* Whole transforms and blend shapes, which have tracks of their own. */
static enum godot_track_type spatial_type(const struct anim_track *t)
{
	if (t->component != ANIM_WHOLE || !anim_track_is_transform(t))
		return GODOT_TRACK_VALUE;
	if (t->type == ANIM_FLOAT3 && strcmp(t->property, "position") == 0)
		return GODOT_TRACK_POSITION;
	if (t->type == ANIM_FLOATQ && strcmp(t->property, "rotation") == 0)
		return GODOT_TRACK_ROTATION;
	if (t->type == ANIM_FLOAT3 && strcmp(t->property, "scale") == 0)
		return GODOT_TRACK_SCALE;
	if (t->type == ANIM_FLOAT && begins(t->property, "blend_shape/") && t->property[12] != '\0')
		return GODOT_TRACK_BLEND_SHAPE;
	return GODOT_TRACK_VALUE;
}

static int64_t update_of(const struct godot_emit_names *names, const struct anim_track *t)
{
	const char *own = anim_attrs_get(&t->attrs, "godot.update");

	/* A capture blends: keys that a conversion made steps of are no longer one. */
	if (own != NULL && strcmp(own, "capture") == 0 && t->kind != ANIM_DISCRETE)
		return names->godot3 ? GODOT_CAPTURE_3 : GODOT_CAPTURE_4;
	if (own != NULL && strcmp(own, "trigger") == 0 && names->godot3)
		return GODOT_TRIGGER_3;
	if (own != NULL && strcmp(own, "3") == 0 && !names->godot3)
		return 3;
	return t->kind == ANIM_DISCRETE ? GODOT_DISCRETE : GODOT_CONTINUOUS;
}

/*
 * Godot 3 has blend shapes as properties alone. So has Godot 4, but only of meshes with surfaces; a capture needs one, for
 * only value tracks can begin from what they find.
 */
static bool stays_value(const struct godot_emit_names *names, const struct anim_track *t)
{
	bool changes = names->from3 && !names->keep && spatial_type(t) == GODOT_TRACK_BLEND_SHAPE;

	return is_type(t, "value") && (!changes || update_of(names, t) == GODOT_CAPTURE_4);
}

static enum godot_track_type type_of(const struct godot_emit_names *names, const struct anim_track *t)
{
	enum godot_track_type type;

	if (t->property[0] == '@')
		return event_type(t->property);
	if (t->kind == ANIM_CURVE && t->interp == ANIM_BEZIER_2D)
		return GODOT_TRACK_BEZIER;
	type = stays_value(names, t) ? GODOT_TRACK_VALUE : spatial_type(t);
	if (!names->godot3 || type == GODOT_TRACK_VALUE)
		return type;
	return type == GODOT_TRACK_BLEND_SHAPE ? GODOT_TRACK_VALUE : GODOT_TRACK_TRANSFORM;
}

/* Godot 3 has no interpolation of angles: the same without the wrap. */
static int64_t without_angles(int64_t interp)
{
	return interp == GODOT_INTERP_LINEAR_ANGLE  ? GODOT_INTERP_LINEAR
	       : interp == GODOT_INTERP_CUBIC_ANGLE ? GODOT_INTERP_CUBIC
						    : interp;
}

/* The file's own number, where the mode does not contradict it; the reader says only numbers that the mode does not tell. */
static int64_t interp_of(const struct anim_track *t, enum godot_track_type type)
{
	const char *own = anim_attrs_get(&t->attrs, "godot.interp");
	int64_t told = godot_told_interp(t), number;
	size_t length = own == NULL ? 0 : strlen(own);

	if (t->kind == ANIM_DISCRETE && type != GODOT_TRACK_VALUE && t->property[0] != '@')
		return GODOT_INTERP_NEAREST;
	if (length == 0 || length > 20 || anim_number_int64(own, own + length, &number) != own + length)
		return told;
	return number;
}

void godot_plan_track(const struct godot_emit_names *names, const struct anim_track *t, struct godot_plan *plan)
{
	const char *literal = anim_attrs_get(&t->attrs, "literal");
	bool reference = t->type == ANIM_STRING && literal != NULL && strcmp(literal, "PPtr") == 0;

	*plan = (struct godot_plan){.type = type_of(names, t)};
	plan->interp = interp_of(t, plan->type);
	if (names->godot3)
		plan->interp = without_angles(plan->interp);
	plan->update = update_of(names, t);
	plan->sprite = reference && strcmp(t->property, "m_Sprite") == 0;
	if (plan->type == GODOT_TRACK_UNKNOWN)
		plan->why = "events of another engine";
	else if (plan->type == GODOT_TRACK_VALUE && t->property[0] == '\0' && !names->from_godot)
		plan->why = "a property without a name";
	else if (plan->type == GODOT_TRACK_VALUE && !plan->sprite && reference)
		plan->why = "references to objects of Unity";
	else if (plan->type == GODOT_TRACK_VALUE && t->n > 0 && godot_value_word(names, t) == NULL)
		plan->why = "values of its type";
	else if ((plan->type == GODOT_TRACK_VALUE || plan->type == GODOT_TRACK_BEZIER) && !is_type(t, "value") &&
		 godot_emit_bone(names, t) != NULL && anim_track_is_transform(t))
		plan->why = "a property that bones do not have";
	if (plan->why != NULL)
		plan->type = GODOT_TRACK_UNKNOWN;
}

static void emit_head(const struct godot_track_emit *out, size_t number, const char *name)
{
	godot_emit_text(out->emit, "tracks/");
	godot_emit_number(out->emit, number);
	godot_emit_text(out->emit, "/");
	godot_emit_text(out->emit, name);
	godot_emit_text(out->emit, " = ");
}

static void emit_flag(const struct godot_track_emit *out, size_t number, const char *name, bool value)
{
	emit_head(out, number, name);
	godot_emit_text(out->emit, value ? "true\n" : "false\n");
}

static void emit_type(const struct godot_track_emit *out, size_t number, const char *type)
{
	emit_head(out, number, "type");
	godot_emit_text(out->emit, "\"");
	godot_emit_text(out->emit, type);
	godot_emit_text(out->emit, "\"\n");
}

static void emit_path(const struct godot_track_emit *out, size_t number, const char *path)
{
	emit_head(out, number, "path");
	godot_emit_path(out->emit, path);
	godot_emit_text(out->emit, "\n");
}

static bool is_true(const struct anim_track *t, const char *key)
{
	const char *value = anim_attrs_get(&t->attrs, key);

	return value != NULL && strcmp(value, "true") == 0;
}

/* Godot 3 puts imported and enabled behind loop_wrap. */
static void emit_settings(const struct godot_track_emit *out, size_t number, const struct anim_track *t,
			  const struct godot_plan *plan, const char *path)
{
	bool imported = is_true(t, "godot.imported"), enabled = !(t->flags & ANIM_DISABLED), old = out->names->godot3;

	emit_type(out, number, godot_track_type_names[plan->type]);
	if (!old) {
		emit_flag(out, number, "imported", imported);
		emit_flag(out, number, "enabled", enabled);
	}
	emit_path(out, number, path);
	emit_head(out, number, "interp");
	godot_emit_int(out->emit, plan->interp);
	godot_emit_text(out->emit, "\n");
	emit_flag(out, number, "loop_wrap", (t->flags & ANIM_LOOP_WRAP_KEYS) != 0);
	if (old) {
		emit_flag(out, number, "imported", imported);
		emit_flag(out, number, "enabled", enabled);
	}
}

/* A box's property without the ":position" of its first half; the frames of a sprite have a name of their own. */
static int rename(const struct godot_track_emit *out, struct anim_track *t, const struct godot_plan *plan, bool box)
{
	size_t length = strlen(t->property), tail = strlen(":position");

	if (plan->sprite)
		t->property = "frame";
	if (!box || length <= tail)
		return 0;
	t->property = anim_arena_text(out->scratch, t->property, length - tail, out->error);
	return t->property == NULL ? -1 : 0;
}

int godot_emit_track(const struct godot_track_emit *out, size_t number, const struct anim_track *source,
		     const struct anim_track *box)
{
	struct anim_track track = *source;
	struct godot_plan plan;
	const char *path;

	godot_plan_track(out->names, source, &plan);
	if (rename(out, &track, &plan, box != NULL) != 0)
		return -1;
	path = godot_emit_track_path(out->names, &track, plan.type, out->scratch, out->error);
	if (path == NULL)
		return -1;
	emit_settings(out, number, &track, &plan, path);
	emit_head(out, number, "keys");
	if (godot_emit_keys(out, source, &plan, box) != 0)
		return -1;
	godot_emit_text(out->emit, "\n");
	if (plan.type == GODOT_TRACK_AUDIO && !out->names->godot3)
		emit_flag(out, number, "use_blend",
			  anim_attrs_get(&track.attrs, "godot.use_blend") == NULL ||
			      is_true(&track, "godot.use_blend"));
	return out->emit->print.failed ? -1 : 0;
}

int godot_emit_track_head(const struct godot_track_emit *out, size_t number, const struct anim_track *t)
{
	struct godot_plan plan;
	const char *path;

	godot_plan_track(out->names, t, &plan);
	path = godot_emit_track_path(out->names, t, plan.type, out->scratch, out->error);
	if (path == NULL)
		return -1;
	emit_settings(out, number, t, &plan, path);
	emit_head(out, number, "keys");
	return 0;
}
