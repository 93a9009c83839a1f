/* oracle_track.c: tracks as a Godot engine described them in JSON -> tracks of the stream. */
#include "oracle_track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kind {
	const char *engine; /* the Variant type */
	enum anim_type type;
	const char *variant;
	unsigned components;
};
static const struct kind kinds[] = {{"bool", ANIM_BOOL, NULL, 1},
				    {"int", ANIM_LONG, NULL, 1},
				    {"float", ANIM_DOUBLE, NULL, 1},
				    {"Vector2", ANIM_FLOAT2, NULL, 2},
				    {"Vector2i", ANIM_INT2, NULL, 2},
				    {"Vector3", ANIM_FLOAT3, NULL, 3},
				    {"Vector3i", ANIM_INT3, NULL, 3},
				    {"Vector4", ANIM_FLOAT4, NULL, 4},
				    {"Vector4i", ANIM_INT4, NULL, 4},
				    {"Rect2", ANIM_FLOAT4, "Rect2", 4},
				    {"Rect2i", ANIM_INT4, "Rect2i", 4},
				    {"Plane", ANIM_FLOAT4, "Plane", 4},
				    {"Quaternion", ANIM_FLOATQ, NULL, 4},
				    {"Color", ANIM_COLOR, NULL, 4},
				    {"AABB", ANIM_FLOAT3, "AABB", 3},
				    {"Basis", ANIM_FLOAT3X3, NULL, 9},
				    {"Transform2D", ANIM_FLOAT3X3, "Transform2D", 6},
				    {"Transform3D", ANIM_FLOAT4X4, NULL, 12},
				    {"Projection", ANIM_FLOAT4X4, "Projection", 16},
				    {"String", ANIM_STRING, NULL, 1},
				    {"StringName", ANIM_STRING, NULL, 1}};

static void *need(struct anim_arena *arena, size_t size)
{
	void *memory = anim_arena_zeroed(arena, size > 0 ? size : 1, 1, NULL);

	if (memory == NULL)
		exit(2);
	return memory;
}

static const char *keep(struct anim_arena *arena, char *text)
{
	const char *kept = anim_arena_text(arena, text, strlen(text), NULL);

	free(text);
	return kept;
}

void oracle_clip(const struct json *json, int animation, const char *version, struct anim_clip *clip,
		 struct anim_arena *arena)
{
	memset(clip, 0, sizeof *clip);
	clip->end_s = (float)json_number(json, json_member(json, animation, "length"));
	clip->loop = (uint8_t)json_number(json, json_member(json, animation, "loop_mode"));
	clip->name = clip->root = "";
	clip->source = "godot4";
	if (version != NULL)
		anim_attrs_with(&clip->attrs, &clip->attrs, "godot.version", version, arena, NULL);
}

/* All of `values` are ints and floats, not of one kind: a float track. */
static bool is_number_mix(const struct json *json, int types)
{
	if (json->tokens[types].kind != '[' || json->tokens[types].children == 0)
		return false;
	for (int i = json_first(json, types); i >= 0; i = json_next(json, types, i))
		if (!json_is(json, i, "int") && !json_is(json, i, "float"))
			return false;
	return true;
}

static const struct kind *kind_of(const struct json *json, int node)
{
	int types = json_member(json, node, "value_types");

	if (json_is(json, json_member(json, node, "type"), "bezier"))
		return &kinds[2];
	if (is_number_mix(json, types) || (json->tokens[types].kind == '[' && json->tokens[types].children == 0))
		return &kinds[2];
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (json_is(json, types, kinds[i].engine))
			return &kinds[i];
	return NULL;
}

static void set_attr(struct anim_track *track, const char *key, const char *value, struct anim_arena *arena)
{
	anim_attrs_with(&track->attrs, &track->attrs, key, value, arena, NULL);
}

void oracle_components(const struct oracle_track *made, const struct json *json, int value, double components[16])
{
	double n[16] = {0};

	json_numbers(json, value, n, 16);
	memset(components, 0, 16 * sizeof *components);
	if (made->track.type == ANIM_FLOAT3X3 && made->components == 6) {
		for (int column = 0; column < 3; column++)
			for (int row = 0; row < 2; row++)
				components[3 * row + column] = n[2 * column + row];
		components[8] = 1;
	} else if (made->track.type == ANIM_FLOAT4X4 && made->components == 12) {
		for (int i = 0; i < 12; i++)
			components[i < 9 ? 4 * (i / 3) + i % 3 : 4 * (i - 9) + 3] = n[i];
		components[15] = 1;
	} else if (made->components == 16) { /* Projection: the engine's columns */
		for (int i = 0; i < 16; i++)
			components[4 * (i % 4) + i / 4] = n[i];
	} else {
		memcpy(components, n + made->first_component, (16 - made->first_component) * sizeof *components);
	}
}

char *oracle_text(const struct oracle_track *made, const struct json *json, int value)
{
	char *text = json_text(json, value), *quoted, *out;

	if (!made->name || text == NULL)
		return text;
	out = quoted = malloc(2 * strlen(text) + 4);
	if (quoted != NULL) {
		out += sprintf(out, "&\"");
		for (const char *c = text; *c != '\0'; c++) {
			if (*c == '"' || *c == '\\')
				*out++ = '\\';
			*out++ = *c;
		}
		strcpy(out, "\"");
	}
	free(text);
	return quoted;
}

static void fill_strings(struct oracle_track *made, const struct json *json, int values, struct anim_arena *arena)
{
	size_t n = made->track.n, i = 0, size = 0;
	struct anim_strings *strings = need(arena, sizeof *strings);
	uint32_t *length = need(arena, n * sizeof *length);
	uint64_t *start = need(arena, n * sizeof *start);
	char *bytes = need(arena, 4 * json->size);

	for (int v = json_first(json, values); v >= 0 && i < n; v = json_next(json, values, v), i++) {
		char *text = oracle_text(made, json, v);

		length[i] = (uint32_t)strlen(text);
		start[i] = size;
		memcpy(bytes + size, text, length[i]);
		size += length[i];
		free(text);
	}
	*strings = (struct anim_strings){length, start, bytes, size};
	made->track.strings = strings;
}

static void store(enum anim_type type, double number, char *at, unsigned component)
{
	const struct anim_type_info *info = &anim_types[type];

	if (info->scalar == ANIM_SCALAR_BOOL)
		*at = number != 0;
	else if (info->scalar == ANIM_SCALAR_F32)
		memcpy(at + 4 * component, &(float){(float)number}, 4);
	else if (info->scalar == ANIM_SCALAR_F64)
		memcpy(at + 8 * component, &number, 8);
	else if (info->scalar == ANIM_SCALAR_I32)
		memcpy(at + 4 * component, &(int32_t){(int32_t)number}, 4);
}

/* int64 does not go through double. */
static void fill_integers(struct oracle_track *made, const struct json *json, int values, struct anim_arena *arena)
{
	int64_t *column = need(arena, made->track.n * sizeof *column);
	size_t i = 0;

	for (int v = json_first(json, values); v >= 0; v = json_next(json, values, v))
		column[i++] = strtoll(json->text + json->tokens[v].start, NULL, 10);
	made->track.value = column;
}

static void fill_values(struct oracle_track *made, const struct json *json, int values, struct anim_arena *arena)
{
	const struct anim_type_info *info;
	bool all_single = true;
	size_t i = 0;
	char *column;

	for (int v = json_first(json, values); v >= 0 && made->track.type == ANIM_DOUBLE;
	     v = json_next(json, values, v)) {
		double number = 0;

		json_numbers(json, v, &number, 1);
		all_single = all_single && (number != number || (double)(float)number == number);
	}
	if (made->track.type == ANIM_DOUBLE && all_single)
		made->track.type = ANIM_FLOAT;
	info = &anim_types[made->track.type];
	column = need(arena, made->track.n * info->size);
	for (int v = json_first(json, values); v >= 0; v = json_next(json, values, v), i++) {
		double components[16];

		oracle_components(made, json, v, components);
		for (unsigned component = 0; component < info->components; component++)
			store(made->track.type, components[component], column + i * info->size, component);
	}
	made->track.value = column;
}

/* value, in.x, in.y, out.x, out.y a key */
static void fill_bezier(struct oracle_track *made, const struct json *json, int values, struct anim_arena *arena)
{
	float *columns[5];
	size_t i = 0;

	for (int c = 0; c < 5; c++)
		columns[c] = need(arena, made->track.n * sizeof(float));
	for (int v = json_first(json, values); v >= 0; v = json_next(json, values, v), i++) {
		double n[5] = {0};

		json_numbers(json, v, n, 5);
		for (int c = 0; c < 5; c++)
			columns[c][i] = (float)n[c];
	}
	made->track.type = ANIM_FLOAT;
	made->track.interp = ANIM_BEZIER_2D;
	made->track.value = columns[0];
	made->track.left_x = columns[1];
	made->track.left = columns[2];
	made->track.right_x = columns[3];
	made->track.right = columns[4];
}

static void fill_times(struct anim_track *track, const struct json *json, int node, struct anim_arena *arena)
{
	int times = json_member(json, node, "times"), eases = json_member(json, node, "transitions");
	float *time, *ease;
	bool eased = false;
	size_t i = 0;

	track->n = (size_t)json->tokens[times].children;
	track->time = time = need(arena, track->n * sizeof *time);
	ease = need(arena, track->n * sizeof *ease);
	for (int t = json_first(json, times); t >= 0; t = json_next(json, times, t), i++) {
		time[i] = (float)json_number(json, t);
		if (i > 0 && time[i] < time[i - 1])
			track->flags |= ANIM_UNSORTED;
	}
	i = 0;
	for (int e = json_first(json, eases); e >= 0; e = json_next(json, eases, e), i++) {
		ease[i] = (float)json_number(json, e);
		eased = eased || ease[i] != 1;
	}
	track->ease = eased ? ease : NULL;
}

static void set_mode(struct oracle_track *made, const struct json *json, int node, struct anim_arena *arena)
{
	static const uint8_t modes[5] = {ANIM_HOLD, ANIM_LINEAR, ANIM_CUBIC_TIME, ANIM_LINEAR_ANGLE, ANIM_CUBIC_ANGLE};
	struct anim_track *track = &made->track;
	int interp = (int)json_number(json, json_member(json, node, "interp"));
	int update = json_member(json, node, "update");

	track->kind = ANIM_CURVE;
	track->interp = modes[interp];
	if (interp >= 3 && (track->type == ANIM_STRING || anim_types[track->type].components > 1)) {
		track->interp = interp == 3 ? ANIM_LINEAR : ANIM_CUBIC_TIME;
		set_attr(track, "godot.interp", interp == 3 ? "3" : "4", arena);
	}
	if (track->type == ANIM_STRING && track->interp != ANIM_HOLD)
		track->interp = made->literal ? ANIM_HOLD : ANIM_LINEAR;
	if (update >= 0 && json_number(json, update) == 1) {
		track->kind = ANIM_DISCRETE;
		track->interp = 0;
	}
}

static bool is_event(const struct json *json, int node)
{
	int type = json_member(json, node, "type");

	return json_is(json, type, "method") || json_is(json, type, "audio") || json_is(json, type, "animation");
}

int oracle_track(const struct json *json, int node, unsigned part, struct oracle_track *made, struct anim_arena *arena)
{
	const struct kind *kind;
	int values = json_member(json, node, "values"), type = json_member(json, node, "type");

	memset(made, 0, sizeof *made);
	if (is_event(json, node) || values < 0)
		return 0;
	kind = kind_of(json, node);
	if (part > 0 && !(part == 1 && kind != NULL && strcmp(kind->engine, "AABB") == 0))
		return 0;
	made->first_component = part * 3;
	made->components = kind != NULL ? kind->components : 1;
	made->literal = kind == NULL;
	made->name = kind != NULL && strcmp(kind->engine, "StringName") == 0;
	made->track.type = kind != NULL ? kind->type : ANIM_STRING;
	/* the engine's reader of compressed keys knows no tolerance around keys and no wrap */
	made->track.rules =
	    json_true(json, json_member(json, node, "compressed")) ? ANIM_RULES_PLAIN : ANIM_RULES_GODOT4;
	made->track.component = ANIM_WHOLE;
	made->track.node = keep(arena, json_text(json, json_member(json, node, "path")));
	made->track.property = "";
	made->track.flags = json_true(json, json_member(json, node, "loop_wrap")) ? ANIM_LOOP_WRAP_KEYS : 0;
	set_attr(&made->track, "godot.type", keep(arena, json_text(json, type)), arena);
	if (kind != NULL && kind->variant != NULL)
		set_attr(&made->track, "godot.variant", kind->variant, arena);
	if (made->literal || made->name)
		set_attr(&made->track, "literal", made->name ? "StringName" : "mixed", arena);
	fill_times(&made->track, json, node, arena);
	set_mode(made, json, node, arena);
	if (json_is(json, type, "bezier"))
		fill_bezier(made, json, values, arena);
	else if (made->track.type == ANIM_STRING)
		fill_strings(made, json, values, arena);
	else if (made->track.type == ANIM_LONG)
		fill_integers(made, json, values, arena);
	else
		fill_values(made, json, values, arena);
	return 1;
}
