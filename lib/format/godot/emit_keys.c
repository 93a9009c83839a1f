/* emit_keys.c: the keys of value, Bezier and 3-D tracks. */
#include <string.h>

#include "clip/lane.h"
#include "format/godot/emit_track.h"

/* Where the lanes of a value stand among the numbers of its constructor: number i is lane map[i]; NULL: as they are. */
struct constructor {
	const char *word, *old; /* Godot 4's and 3's; NULL: it has none */
	unsigned numbers;
	const uint8_t *map;
};

static const uint8_t transform2d[] = {0, 3, 1, 4, 2, 5};
static const uint8_t transform3d[] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 3, 7, 11};
static const uint8_t projection[] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};

/* By attribute godot.variant, where the type alone does not say it. */
static const struct {
	const char *variant;
	enum anim_type type;
	struct constructor constructor;
} variants[] = {
    {"Rect2", ANIM_FLOAT4, {"Rect2", "Rect2", 4, NULL}},
    {"Plane", ANIM_FLOAT4, {"Plane", "Plane", 4, NULL}},
    {"Rect2i", ANIM_INT4, {"Rect2i", NULL, 4, NULL}},
    {"Rect2i", ANIM_FLOAT4, {"Rect2", "Rect2", 4, NULL}},
    {"Transform2D", ANIM_FLOAT3X3, {"Transform2D", "Transform2D", 6, transform2d}},
    {"Projection", ANIM_FLOAT4X4, {"Projection", NULL, 16, projection}},
};

static const struct constructor types[ANIM_TYPE_COUNT] = {
    [ANIM_BOOL] = {"", "", 1, NULL},
    [ANIM_BYTE] = {"", "", 1, NULL},
    [ANIM_USHORT] = {"", "", 1, NULL},
    [ANIM_UINT] = {"", "", 1, NULL},
    [ANIM_SBYTE] = {"", "", 1, NULL},
    [ANIM_SHORT] = {"", "", 1, NULL},
    [ANIM_INT] = {"", "", 1, NULL},
    [ANIM_LONG] = {"", "", 1, NULL},
    [ANIM_FLOAT] = {"", "", 1, NULL},
    [ANIM_DOUBLE] = {"", "", 1, NULL},
    [ANIM_STRING] = {"", "", 1, NULL},
    [ANIM_INT2] = {"Vector2i", NULL, 2, NULL},
    [ANIM_INT3] = {"Vector3i", NULL, 3, NULL},
    [ANIM_INT4] = {"Vector4i", NULL, 4, NULL},
    [ANIM_FLOAT2] = {"Vector2", "Vector2", 2, NULL},
    [ANIM_FLOAT3] = {"Vector3", "Vector3", 3, NULL},
    [ANIM_FLOAT4] = {"Vector4", NULL, 4, NULL},
    [ANIM_FLOATQ] = {"Quaternion", "Quat", 4, NULL},
    [ANIM_COLOR] = {"Color", "Color", 4, NULL},
    [ANIM_FLOAT3X3] = {"Basis", "Basis", 9, NULL},
    [ANIM_FLOAT4X4] = {"Transform3D", "Transform", 12, transform3d},
};

static const struct constructor *constructor_of(const struct anim_track *t)
{
	const char *variant = anim_attrs_get(&t->attrs, "godot.variant");

	for (size_t i = 0; variant != NULL && i < sizeof variants / sizeof *variants; i++)
		if (variants[i].type == t->type && strcmp(variants[i].variant, variant) == 0)
			return &variants[i].constructor;
	return &types[t->type];
}

const char *godot_value_word(const struct godot_emit_names *names, const struct anim_track *t)
{
	const struct constructor *constructor = constructor_of(t);

	return names->godot3 ? constructor->old : constructor->word;
}

static void emit_scalar(struct godot_emit *emit, const struct anim_track *t, size_t key)
{
	if (t->type == ANIM_BOOL)
		godot_emit_text(emit, anim_lane_integer(t->type, t->value, key, 0) != 0 ? "true" : "false");
	else if (t->type == ANIM_FLOAT || t->type == ANIM_DOUBLE)
		godot_emit_float(emit, anim_lane(t->type, t->value, key, 0), t->type == ANIM_FLOAT);
	else
		godot_emit_int(emit, anim_lane_integer(t->type, t->value, key, 0));
}

static void emit_lanes(struct godot_emit *emit, const struct anim_track *t, size_t key)
{
	const struct constructor *constructor = constructor_of(t);

	for (unsigned i = 0; i < constructor->numbers; i++) {
		unsigned lane = constructor->map != NULL ? constructor->map[i] : i;

		godot_emit_text(emit, i > 0 ? ", " : "");
		if (anim_type_is_real(t->type))
			godot_emit_real(emit, anim_lane(t->type, t->value, key, lane), true);
		else
			godot_emit_int(emit, anim_lane_integer(t->type, t->value, key, lane));
	}
}

void godot_emit_value(struct godot_emit *emit, const struct anim_track *t, const char *word, size_t key)
{
	if (word[0] == '\0') {
		emit_scalar(emit, t, key);
		return;
	}
	godot_emit_open(emit, word);
	emit_lanes(emit, t, key);
	godot_emit_close(emit);
}

float godot_emit_time(const struct godot_track_emit *out, const struct anim_track *t, size_t key)
{
	return out->start_s == 0 ? t->time[key] : (float)((double)t->time[key] - (double)out->start_s);
}

static const char *packed_floats(const struct godot_track_emit *out)
{
	return out->names->godot3 ? "PoolRealArray" : "PackedFloat32Array";
}

static void emit_time(const struct godot_track_emit *out, const struct anim_track *t, size_t key)
{
	godot_emit_real(out->emit, (double)godot_emit_time(out, t, key), true);
}

void godot_emit_times(const struct godot_track_emit *out, const struct anim_track *t, const uint8_t *kept)
{
	bool some = false;

	godot_emit_text(out->emit, "\"times\": ");
	godot_emit_open(out->emit, packed_floats(out));
	for (size_t k = 0; k < t->n; k++) {
		if (kept != NULL && !kept[k])
			continue;
		godot_emit_text(out->emit, some ? ", " : "");
		emit_time(out, t, k);
		some = true;
	}
	godot_emit_close(out->emit);
}

static double ease_at(const struct anim_track *t, size_t key)
{
	const char *type = t->hint != NULL && t->kind == ANIM_DISCRETE ? anim_attrs_get(&t->attrs, "godot.type") : NULL;
	float noted = 1;

	if (type != NULL && strcmp(type, "value") == 0) /* the reader keeps it so where it bends nothing */
		memcpy(&noted, &t->hint[key], sizeof noted);
	return (double)(t->ease != NULL ? t->ease[key] : noted);
}

void godot_emit_transitions(const struct godot_track_emit *out, const struct anim_track *t, const uint8_t *kept)
{
	bool some = false;

	godot_emit_text(out->emit, "\"transitions\": ");
	godot_emit_open(out->emit, packed_floats(out));
	for (size_t k = 0; k < t->n; k++) {
		if (kept != NULL && !kept[k])
			continue;
		godot_emit_text(out->emit, some ? ", " : "");
		godot_emit_real(out->emit, ease_at(t, k), true);
		some = true;
	}
	godot_emit_close(out->emit);
}

/* Rows of time, transition, value. */
static void emit_rows(const struct godot_track_emit *out, const struct anim_track *t)
{
	unsigned lanes = anim_types[t->type].lanes;
	const float *value = t->value;

	godot_emit_open(out->emit, packed_floats(out));
	for (size_t k = 0; k < t->n; k++) {
		float row[2 + 4] = {godot_emit_time(out, t, k), (float)ease_at(t, k)};

		memcpy(row + 2, value + k * lanes, lanes * sizeof *row);
		godot_emit_run(out->emit, k == 0, row, 2 + lanes);
	}
	godot_emit_close(out->emit);
}

/* The editor's; those of a file without are 0, free, as the engine takes them. */
static void emit_modes(const struct godot_track_emit *out, const struct anim_track *t)
{
	godot_emit_text(out->emit, "\"handle_modes\": ");
	godot_emit_open(out->emit, "PackedInt32Array");
	for (size_t k = 0; k < t->n; k++) {
		godot_emit_text(out->emit, k > 0 ? ", " : "");
		godot_emit_number(out->emit, t->hint != NULL ? t->hint[k] : 0);
	}
	godot_emit_close(out->emit);
	godot_emit_text(out->emit, ",\n");
}

/* Handles are relative to their key: seconds, then value. */
static void emit_bezier(const struct godot_track_emit *out, const struct anim_track *t)
{
	godot_emit_text(out->emit, "{\n");
	if (!out->names->godot3 && (t->hint != NULL || out->emit->version != ANIM_GODOT_4_2))
		emit_modes(out, t);
	godot_emit_text(out->emit, "\"points\": ");
	godot_emit_open(out->emit, packed_floats(out));
	for (size_t k = 0; k < t->n; k++) {
		const float numbers[] = {(float)anim_lane(t->type, t->value, k, 0), t->left_x[k],
					 (float)anim_lane(t->type, t->left, k, 0), t->right_x[k],
					 (float)anim_lane(t->type, t->right, k, 0)};

		godot_emit_run(out->emit, k == 0, numbers, sizeof numbers / sizeof *numbers);
	}
	godot_emit_close(out->emit);
	godot_emit_text(out->emit, ",\n");
	godot_emit_times(out, t, NULL);
	godot_emit_text(out->emit, "\n}");
}

/* The six numbers of an AABB come from two tracks. */
static void emit_box(const struct godot_track_emit *out, const struct anim_track *t, const struct anim_track *box,
		     size_t key)
{
	float numbers[6];

	memcpy(numbers, (const float *)t->value + 3 * key, 3 * sizeof *numbers);
	memcpy(numbers + 3, (const float *)box->value + 3 * key, 3 * sizeof *numbers);
	godot_emit_reals(out->emit, "AABB", numbers, 6);
}

static void emit_string(const struct godot_track_emit *out, const struct anim_track *t, size_t key)
{
	const struct anim_strings *strings = t->strings;
	const char *bytes = strings->bytes + strings->start[key];
	const char *literal = anim_attrs_get(&t->attrs, "literal");

	if (strings->length[key] == ANIM_NULL_STRING)
		godot_emit_text(out->emit, "null");
	else if (literal != NULL)
		godot_emit_literal(out->emit, bytes, strings->length[key]);
	else
		godot_emit_quoted(out->emit, bytes, strings->length[key], true);
}

static int emit_values(const struct godot_track_emit *out, const struct anim_track *t, const struct godot_plan *plan,
		       const struct anim_track *box)
{
	const char *word = t->n > 0 ? godot_value_word(out->names, t) : "", *sheet;
	const uint32_t *frames = plan->sprite ? godot_sprite_frames(t, &sheet, out->scratch, out->error) : NULL;
	bool old = out->names->godot3;

	if (plan->sprite && frames == NULL)
		return -1;
	godot_emit_text(out->emit, old ? "\"values\": [ " : "\"values\": [");
	for (size_t k = 0; k < t->n; k++) {
		godot_emit_text(out->emit, k > 0 ? ", " : "");
		if (frames != NULL)
			godot_emit_number(out->emit, frames[k]);
		else if (t->type == ANIM_STRING)
			emit_string(out, t, k);
		else if (box != NULL)
			emit_box(out, t, box, k);
		else
			godot_emit_value(out->emit, t, word, k);
	}
	godot_emit_text(out->emit, old ? " ]" : "]");
	return 0;
}

static int emit_value_keys(const struct godot_track_emit *out, const struct anim_track *t,
			   const struct godot_plan *plan, const struct anim_track *box)
{
	godot_emit_text(out->emit, "{\n");
	godot_emit_times(out, t, NULL);
	godot_emit_text(out->emit, ",\n");
	godot_emit_transitions(out, t, NULL);
	godot_emit_text(out->emit, ",\n\"update\": ");
	godot_emit_int(out->emit, plan->update);
	godot_emit_text(out->emit, ",\n");
	if (emit_values(out, t, plan, box) != 0)
		return -1;
	godot_emit_text(out->emit, "\n}");
	return 0;
}

int godot_emit_keys(const struct godot_track_emit *out, const struct anim_track *t, const struct godot_plan *plan,
		    const struct anim_track *box)
{
	size_t bad;

	switch (plan->type) {
	case GODOT_TRACK_VALUE:
		return emit_value_keys(out, t, plan, box);
	case GODOT_TRACK_BEZIER:
		emit_bezier(out, t);
		return 0;
	case GODOT_TRACK_METHOD:
	case GODOT_TRACK_AUDIO:
	case GODOT_TRACK_ANIMATION:
		return godot_emit_event_keys(out, t, plan->type, &bad);
	default:
		emit_rows(out, t);
		return 0;
	}
}
