/* writer_track.c: a track of the model as Godot's properties tracks/N: its path, its keys, its head. */
#include <string.h>

#include "base/count.h"
#include "base/map.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/engine_names.h"
#include "clip/keys.h"
#include "format/godot/writer.h"

/* ---- What properties are called in the target ---- */

/* Godot's name of a field of Unity's, the field itself where it has none. */
static const char *unity_name(const struct anim_track *t)
{
	const char *class = anim_attrs_get(&t->attrs, "unity.class");

	return class == NULL || *class == '\0' ? t->property
					       : anim_godot4_property(t->property, class, false, NULL, NULL);
}

bool godot_is_foreign(const struct godot_names *names, const struct anim_track *t)
{
	return names->from_unity && !anim_track_is_transform(t) && unity_name(t) == t->property;
}

/*
 * What the property (its whole text, without a component) is called in the target, where the clip is of the other Godot
 * or of Unity; else the text itself. NULL out of memory.
 */
static const char *print_rename(const struct godot_names *names, const struct anim_track *t, struct anim_arena *arena,
				struct anim_error *error)
{
	if (names->keep)
		return t->property;
	if (names->from_unity)
		return unity_name(t);
	if (!names->from_godot || (!names->from3 && !names->godot3))
		return t->property;
	if (!names->from3)
		return anim_godot3_property(t->property, arena, error);
	if (strcmp(t->property, "transform/rot") == 0) /* its sign is turned, too */
		return "rotation_degrees";
	return names->godot3 ? anim_godot2_renamed(t->property)
			     : anim_godot4_property(t->property, "", false, arena, error);
}

/* ---- Node, property and component -> NodePath ---- */

bool godot_is_of_space(const struct anim_track *t)
{
	if (!anim_track_is_transform(t))
		return false;
	if (strcmp(t->property, "euler") == 0 || strcmp(t->property, "rotation") == 0)
		return true;
	return t->component == ANIM_WHOLE ? anim_types[t->type].components == 3 : t->component == 2;
}

const char *godot_written_node(const struct godot_names *names, const char *node, const char *bone,
			       struct anim_arena *arena, struct anim_error *error)
{
	return names->from_godot ? node : anim_godot_node(node, bone, arena, error);
}

static const char *print_bone(const struct godot_names *names, const struct anim_track *t)
{
	return anim_track_bone(names->own_bones ? "" : "other", t);
}

const char *godot_written_track_node(const struct godot_names *names, const struct anim_track *t,
				     struct anim_arena *arena, struct anim_error *error)
{
	return godot_written_node(names, t->node, print_bone(names, t), arena, error);
}

const char *godot_written_shape(const struct godot_names *names, const struct anim_track *t, struct anim_arena *arena,
				struct anim_error *error)
{
	const char *name = strchr(t->property, '/') + 1;
	char *copy;

	if (names->from_godot || strchr(name, ':') == NULL)
		return name;
	copy = anim_arena_text(arena, name, strlen(name), error);
	for (char *at = copy; at != NULL && *at != '\0'; at++)
		if (*at == ':')
			*at = '_';
	return copy;
}

/* The canonical names of the model that Godot has others for. */
static const char *godot_name(const struct godot_names *names, const struct anim_track *t)
{
	bool spatial = anim_types[t->type].components == 3 || anim_attrs_get(&t->attrs, "godot.type") == NULL;

	if (!anim_track_is_transform(t))
		return NULL;
	if (anim_text_is_word("euler angle", t->property))
		return t->flags & ANIM_DEGREES ? "rotation_degrees" : "rotation";
	if (strcmp(t->property, "rotation") == 0)
		return "quaternion";
	if (names->godot3 && strcmp(t->property, "position") == 0 &&
	    (t->component != ANIM_WHOLE ? names->spatial : spatial && anim_types[t->type].components == 3))
		return "translation";
	return NULL;
}

const char *godot_written_property(const struct godot_names *names, const struct anim_track *t,
				   struct anim_arena *arena, struct anim_error *error)
{
	static const char shape[] = "blend_shape/";
	const char *name = godot_name(names, t), *component = "", *colon = "";

	if (strncmp(t->property, shape, sizeof shape - 1) == 0) {
		name = godot_written_shape(names, t, arena, error);
		return name == NULL ? NULL : anim_arena_printf(arena, error, "blend_shapes/%s", name);
	}
	if (name == NULL)
		name = print_rename(names, t, arena, error);
	if (t->component != ANIM_WHOLE) {
		colon = ":";
		component = anim_component_name(t->property, t->component);
	}
	return name == NULL ? NULL : anim_arena_printf(arena, error, "%s%s%s", name, colon, component);
}

static bool is_node_type(enum godot_track_type type)
{
	return type != GODOT_TRACK_VALUE && type != GODOT_TRACK_BEZIER && type != GODOT_TRACK_BLEND_SHAPE;
}

const char *godot_written_path(const struct godot_names *names, const struct anim_track *t, enum godot_track_type type,
			       struct anim_arena *arena, struct anim_error *error)
{
	const char *node = godot_written_track_node(names, t, arena, error), *property;

	if (node == NULL || is_node_type(type))
		return node;
	if (type == GODOT_TRACK_BLEND_SHAPE)
		property = godot_written_shape(names, t, arena, error);
	else
		property = godot_written_property(names, t, arena, error);
	if (property != NULL && property[0] == '\0')
		return strcmp(node, ".") == 0 ? property : node;
	return property == NULL ? NULL : anim_arena_printf(arena, error, "%s:%s", node, property);
}

/* ---- Unity's references to sprites as frames of a sheet ---- */

/* Behind `"word": ` in a flow map, NULL where it is not there. The text has its NUL. */
static const char *member(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at == NULL ? NULL : at + strlen(word);
}

static bool index_of(const char *text, uint32_t *index)
{
	const char *at = member(text, ", index: ");
	uint32_t number = 0;
	size_t digits = 0;

	for (; at != NULL && at[digits] >= '0' && at[digits] <= '9' && digits < 9; digits++)
		number = number * 10 + (uint32_t)(at[digits] - '0');
	*index = number;
	return digits > 0;
}

/* The path of a reference; a JSON string without escapes, as file names are. "" where it tells none. */
static const char *path_of(const char *text, struct anim_arena *arena, struct anim_error *error)
{
	const char *at = member(text, ", path: \"");

	return at == NULL ? "" : anim_arena_text(arena, at, strcspn(at, "\""), error);
}

/* The text of key k with a NUL; "" for null. */
static const char *text_of(const struct anim_track *t, size_t k, struct anim_arena *arena, struct anim_error *error)
{
	uint32_t length = t->strings->length[k];

	return length == ANIM_NULL_STRING
		   ? ""
		   : anim_arena_text(arena, t->strings->bytes + t->strings->start[k], length, error);
}

const uint32_t *godot_sprite_frames(const struct anim_track *t, const char **sheet, struct anim_arena *arena,
				    struct anim_error *error)
{
	uint32_t *frames = anim_arena_zeroed(arena, t->n + 1, sizeof *frames, error), count = 0;
	struct anim_map seen = {0};
	bool indexed = true;

	*sheet = "";
	for (size_t k = 0; frames != NULL && k < t->n; k++) {
		const char *text = text_of(t, k, arena, error);
		uint32_t index;

		if (text == NULL)
			frames = NULL;
		else
			indexed = indexed && (index_of(text, &index) || text[0] == '\0');
		if (text != NULL && (*sheet)[0] == '\0' && (*sheet = path_of(text, arena, error)) == NULL)
			frames = NULL;
	}
	for (size_t k = 0; frames != NULL && k < t->n; k++) {
		const char *text = text_of(t, k, arena, error);

		if (text == NULL)
			frames = NULL;
		else if (indexed)
			index_of(text, &frames[k]);
		else if (!anim_map_get(&seen, 0, text, strlen(text), &frames[k])) {
			frames[k] = count;
			if (anim_map_put(&seen, 0, text, strlen(text), count++, error) != 0)
				frames = NULL;
		}
	}
	anim_map_clear(&seen);
	return frames;
}

/* ---- The keys of value, Bezier and 3-D tracks ---- */

/* The type of Godot's that the track's values have, NULL: they are single numbers, strings, or nothing of Godot's. */
static const struct godot_type_info *value_type(const struct anim_track *t)
{
	const char *variant = anim_attrs_get(&t->attrs, "godot.variant");
	const struct godot_type_info *plain = NULL;

	for (enum godot_type type = GODOT_VECTOR2; type <= GODOT_COLOR; type++) {
		const struct godot_type_info *info = &godot_types[type];
		/* Whole numbers that convert made real ones. */
		bool narrowed = type == GODOT_RECT2I && t->type == ANIM_FLOAT4;

		if (type == GODOT_AABB || (info->type != t->type && !narrowed))
			continue;
		if (variant != NULL && info->variant && strcmp(variant, info->name) == 0)
			return narrowed ? &godot_types[GODOT_RECT2] : info;
		if (plain == NULL && !info->variant)
			plain = info;
	}
	return plain;
}

/* The word of a constructor, "" for bools, numbers and strings; NULL where Godot has no such value. */
static const char *value_word(const struct godot_names *names, const struct anim_track *t)
{
	const struct godot_type_info *info = value_type(t);

	if (info == NULL)
		return anim_types[t->type].components == 1 && (anim_godot_caps.types >> t->type & 1) != 0 ? "" : NULL;
	return !names->godot3 ? info->name : anim_type_is_real(info->type) ? info->name3 : NULL;
}

static void print_scalar(struct godot_print *print, const struct anim_track *t, size_t key)
{
	if (t->type == ANIM_BOOL)
		godot_print_text(print, anim_component_integer(t->type, t->value, key, 0) != 0 ? "true" : "false");
	else if (t->type == ANIM_FLOAT || t->type == ANIM_DOUBLE)
		godot_print_float(print, anim_component(t->type, t->value, key, 0), t->type == ANIM_FLOAT);
	else
		godot_print_int(print, anim_component_integer(t->type, t->value, key, 0));
}

static void print_components(struct godot_print *print, const struct anim_track *t, const char *word,
			     const struct godot_type_info *info, size_t key)
{
	godot_print_format(print, "%s%(", word);
	for (unsigned i = 0; i < info->numbers; i++) {
		unsigned component = info->map != NULL ? info->map[i] : i;

		godot_print_text(print, i > 0 ? ", " : "");
		if (anim_type_is_real(t->type))
			godot_print_real(print, anim_component(t->type, t->value, key, component), true);
		else
			godot_print_int(print, anim_component_integer(t->type, t->value, key, component));
	}
	godot_print_format(print, "%)");
}

float godot_print_time(const struct godot_track_out *out, const struct anim_track *t, size_t key)
{
	return out->start_s == 0 ? t->time[key] : (float)((double)t->time[key] - (double)out->start_s);
}

static const char *packed_floats(const struct godot_track_out *out)
{
	return godot_print_word(out->print, &godot_types[GODOT_PACKED_FLOAT32]);
}

/* "times" or "transitions": PackedFloat32Array(0, 1), of the keys that `kept` marks (NULL: all). */
static void print_numbers(const struct godot_track_out *out, const struct anim_track *t, const uint8_t *kept,
			  const char *name,
			  double (*number)(const struct godot_track_out *, const struct anim_track *, size_t))
{
	bool some = false;

	godot_print_format(out->print, "\"%s\": %s%(", name, packed_floats(out));
	for (size_t k = 0; k < t->n; k++) {
		if (kept != NULL && !kept[k])
			continue;
		godot_print_text(out->print, some ? ", " : "");
		godot_print_real(out->print, number(out, t, k), true);
		some = true;
	}
	godot_print_format(out->print, "%)");
}

static double time_at(const struct godot_track_out *out, const struct anim_track *t, size_t key)
{
	return (double)godot_print_time(out, t, key);
}

void godot_print_times(const struct godot_track_out *out, const struct anim_track *t, const uint8_t *kept)
{
	print_numbers(out, t, kept, "times", time_at);
}

static double ease_at(const struct godot_track_out *out, const struct anim_track *t, size_t key)
{
	const char *type = t->hint != NULL && t->kind == ANIM_DISCRETE ? anim_attrs_get(&t->attrs, "godot.type") : NULL;
	float noted = 1;

	(void)out;
	if (type != NULL && strcmp(type, "value") == 0) /* the reader keeps it so where it bends nothing */
		memcpy(&noted, &t->hint[key], sizeof noted);
	return (double)(t->ease != NULL ? t->ease[key] : noted);
}

void godot_print_transitions(const struct godot_track_out *out, const struct anim_track *t, const uint8_t *kept)
{
	print_numbers(out, t, kept, "transitions", ease_at);
}

/* Rows of time, transition, value. */
static void print_rows(const struct godot_track_out *out, const struct anim_track *t)
{
	unsigned components = anim_types[t->type].components;
	const float *value = t->value;

	godot_print_format(out->print, "%s%(", packed_floats(out));
	for (size_t k = 0; k < t->n; k++) {
		float row[2 + 4] = {godot_print_time(out, t, k), (float)ease_at(out, t, k)};

		memcpy(row + 2, value + k * components, components * sizeof *row);
		godot_print_run(out->print, k == 0, row, 2 + components);
	}
	godot_print_format(out->print, "%)");
}

/* The editor's; those of a file without are 0, free, as the engine takes them. */
static void print_modes(const struct godot_track_out *out, const struct anim_track *t)
{
	godot_print_format(out->print, "\"handle_modes\": PackedInt32Array%(");
	for (size_t k = 0; k < t->n; k++)
		godot_print_format(out->print, k > 0 ? ", %u" : "%u", (size_t)(t->hint != NULL ? t->hint[k] : 0));
	godot_print_format(out->print, "%),\n");
}

/* Handles are relative to their key: seconds, then value. */
static void print_bezier(const struct godot_track_out *out, const struct anim_track *t)
{
	godot_print_text(out->print, "{\n");
	if (!out->names->godot3 && (t->hint != NULL || out->print->version != ANIM_GODOT_4_2))
		print_modes(out, t);
	godot_print_format(out->print, "\"points\": %s%(", packed_floats(out));
	for (size_t k = 0; k < t->n; k++) {
		const float numbers[] = {(float)anim_component(t->type, t->value, k, 0), t->left_x[k],
					 (float)anim_component(t->type, t->left, k, 0), t->right_x[k],
					 (float)anim_component(t->type, t->right, k, 0)};

		godot_print_run(out->print, k == 0, numbers, ANIM_COUNT(numbers));
	}
	godot_print_format(out->print, "%),\n");
	godot_print_times(out, t, NULL);
	godot_print_text(out->print, "\n}");
}

/* The six numbers of an AABB come from two tracks. */
static void print_box(const struct godot_track_out *out, const struct anim_track *t, const struct anim_track *box,
		      size_t key)
{
	float numbers[6];

	memcpy(numbers, (const float *)t->value + 3 * key, 3 * sizeof *numbers);
	memcpy(numbers + 3, (const float *)box->value + 3 * key, 3 * sizeof *numbers);
	godot_print_reals(out->print, "AABB", numbers, 6);
}

static void print_string(const struct godot_track_out *out, const struct anim_track *t, size_t key)
{
	const struct anim_strings *strings = t->strings;
	const char *bytes = strings->bytes + strings->start[key];
	const char *literal = anim_attrs_get(&t->attrs, "literal");

	if (strings->length[key] == ANIM_NULL_STRING)
		godot_print_text(out->print, "null");
	else if (literal != NULL)
		godot_print_literal(out->print, bytes, strings->length[key]);
	else
		godot_print_quoted(out->print, bytes, strings->length[key], true);
}

static int print_values(const struct godot_track_out *out, const struct anim_track *t, const struct godot_plan *plan,
			const struct anim_track *box)
{
	const struct godot_type_info *info = value_type(t);
	const char *word = info != NULL ? godot_print_word(out->print, info) : NULL, *sheet;
	const uint32_t *frames = plan->sprite ? godot_sprite_frames(t, &sheet, out->scratch, out->error) : NULL;

	if (plan->sprite && frames == NULL)
		return -1;
	godot_print_format(out->print, "\"values\": %[");
	for (size_t k = 0; k < t->n; k++) {
		godot_print_text(out->print, k > 0 ? ", " : "");
		if (frames != NULL)
			godot_print_number(out->print, frames[k]);
		else if (t->type == ANIM_STRING)
			print_string(out, t, k);
		else if (box != NULL)
			print_box(out, t, box, k);
		else if (info == NULL)
			print_scalar(out->print, t, k);
		else
			print_components(out->print, t, word, info, k);
	}
	godot_print_format(out->print, "%]");
	return 0;
}

static int print_value_keys(const struct godot_track_out *out, const struct anim_track *t,
			    const struct godot_plan *plan, const struct anim_track *box)
{
	godot_print_text(out->print, "{\n");
	godot_print_times(out, t, NULL);
	godot_print_text(out->print, ",\n");
	godot_print_transitions(out, t, NULL);
	godot_print_format(out->print, ",\n\"update\": %d,\n", plan->update);
	if (print_values(out, t, plan, box) != 0)
		return -1;
	godot_print_text(out->print, "\n}");
	return 0;
}

int godot_print_keys(const struct godot_track_out *out, const struct anim_track *t, const struct godot_plan *plan,
		     const struct anim_track *box)
{
	size_t bad;

	switch (plan->type) {
	case GODOT_TRACK_VALUE:
		return print_value_keys(out, t, plan, box);
	case GODOT_TRACK_BEZIER:
		print_bezier(out, t);
		return 0;
	case GODOT_TRACK_METHOD:
	case GODOT_TRACK_AUDIO:
	case GODOT_TRACK_ANIMATION:
		return godot_print_event_keys(out, t, plan->type, &bad);
	default:
		print_rows(out, t);
		return 0;
	}
}

/* ---- What kind of track Godot has for it, and its head ---- */

static bool is_type(const struct anim_track *t, const char *type)
{
	const char *own = anim_attrs_get(&t->attrs, "godot.type");

	return own != NULL && strcmp(own, type) == 0;
}

/* Their keys are texts. */
static enum godot_track_type event_type(const struct anim_track *t)
{
	if (t->type != ANIM_STRING)
		return GODOT_TRACK_UNKNOWN;
	if (strcmp(t->property, "@method") == 0 || strcmp(t->property, "@event") == 0)
		return GODOT_TRACK_METHOD;
	if (strcmp(t->property, "@audio") == 0)
		return GODOT_TRACK_AUDIO;
	return strcmp(t->property, "@animation") == 0 ? GODOT_TRACK_ANIMATION : GODOT_TRACK_UNKNOWN;
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
	if (t->type == ANIM_FLOAT && anim_text_behind(t->property, "blend_shape/") != NULL && t->property[12] != '\0')
		return GODOT_TRACK_BLEND_SHAPE;
	return GODOT_TRACK_VALUE;
}

static int64_t update_of(const struct godot_names *names, const struct anim_track *t)
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
static bool stays_value(const struct godot_names *names, const struct anim_track *t)
{
	bool changes = names->from3 && !names->keep && spatial_type(t) == GODOT_TRACK_BLEND_SHAPE;

	return is_type(t, "value") && (!changes || update_of(names, t) == GODOT_CAPTURE_4);
}

static enum godot_track_type type_of(const struct godot_names *names, const struct anim_track *t)
{
	enum godot_track_type type;

	if (t->property[0] == '@')
		return event_type(t);
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

void godot_plan_track(const struct godot_names *names, const struct anim_track *t, struct godot_plan *plan)
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
		plan->why = t->type == ANIM_STRING ? "events of another engine" : "events that are no texts";
	else if (plan->type == GODOT_TRACK_VALUE && t->property[0] == '\0' && !names->from_godot)
		plan->why = "a property without a name";
	else if (plan->type == GODOT_TRACK_VALUE && !plan->sprite && reference)
		plan->why = "references to objects of Unity";
	else if (plan->type == GODOT_TRACK_VALUE && t->n > 0 && value_word(names, t) == NULL)
		plan->why = "values of its type";
	else if ((plan->type == GODOT_TRACK_VALUE || plan->type == GODOT_TRACK_BEZIER) && !is_type(t, "value") &&
		 print_bone(names, t) != NULL && anim_track_is_transform(t))
		plan->why = "a property that bones do not have";
	if (plan->why != NULL)
		plan->type = GODOT_TRACK_UNKNOWN;
}
