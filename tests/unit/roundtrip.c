/* roundtrip.c: stream -> AnimJ or AnimX -> stream, as anim-emit and anim-parse go, is the same for all that they hold. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "clip/resonite.h"
#include "filter/convert/convert.h"
#include "format/animj/animj.h"
#include "format/animx/animx.h"
#include "stream/record.h"
#include "stream/store.h"
#include "tap.h"

#define KEYS 9
#define BIT(number) ((uint64_t)1 << (number))
#define MATRICES                                                                                                    \
	(BIT(ANIM_FLOAT2X2) | BIT(ANIM_FLOAT3X3) | BIT(ANIM_FLOAT4X4) | BIT(ANIM_DOUBLE2X2) | BIT(ANIM_DOUBLE3X3) | \
	 BIT(ANIM_DOUBLE4X4))
#define ALL_TYPES (BIT(ANIM_TYPE_COUNT) - 1)

enum format { ANIMJ, ANIMJ_PRETTY, ANIMX_PLAIN, ANIMX_LZ4, ANIMX_LZMA, FORMAT_COUNT };
static const char *const format_names[] = {"animj", "animj pretty", "animx plain", "animx lz4", "animx lzma"};

#define BOTH_ANIMJ (1u << ANIMJ | 1u << ANIMJ_PRETTY)

/* What a format has no place for; strings and switches cannot be bent, whatever the format. */
static const struct lack {
	const char *what;
	unsigned formats;
	uint64_t types;
	uint64_t modes; /* of Curve; all ones: any track */
} lacks[] = {
    {"matrices", BOTH_ANIMJ, MATRICES, UINT64_MAX},
    {"Tangent, whose curve is not documented", BOTH_ANIMJ, ALL_TYPES, BIT(ANIM_TANGENT)},
    {"tangents of strings", ~0u, BIT(ANIM_STRING), BIT(ANIM_TANGENT) | BIT(ANIM_CUBIC_BEZIER)},
};

/* Infinities and NaN, which JSON has not. */
static bool has_specials(enum format format)
{
	return !(BOTH_ANIMJ & 1u << format);
}

static bool is_held(enum format format, enum anim_type type, enum anim_kind kind, enum anim_interp mode)
{
	for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++) {
		bool whole = lacks[i].modes == UINT64_MAX;

		if ((lacks[i].formats & 1u << format) && (lacks[i].types & BIT(type)) &&
		    (whole || (kind == ANIM_CURVE && (lacks[i].modes & BIT(mode)))))
			return false;
	}
	return true;
}

/* One way there and back. */
struct trip {
	struct anim_diagnostics diagnostics;
	struct anim_error error;
	struct anim_output *file;
	struct anim_sink *sink;
	struct anim_store *back;
};

static struct anim_sink *make_writer(struct trip *trip, enum format format)
{
	const struct anim_write_options animj = {.pretty = format == ANIMJ_PRETTY, .diagnostics = &trip->diagnostics};
	struct anim_write_options animx = {.store_memory = 1 << 20, .diagnostics = &trip->diagnostics};

	if (BOTH_ANIMJ & 1u << format)
		return anim_animj_writer_new(trip->file, &animj, &trip->error);
	animx.encoding = (enum anim_animx_encoding)(format - ANIMX_PLAIN);
	return anim_animx_writer_new(trip->file, &animx, &trip->error);
}

static bool leave(struct trip *trip, enum format format, const struct anim_clip *clip)
{
	const struct anim_caps *caps = BOTH_ANIMJ & 1u << format ? &anim_animj_caps : &anim_animx_caps;
	struct anim_sink *writer;

	memset(trip, 0, sizeof *trip);
	if (anim_output_open_memory(&trip->file, &trip->error) != 0 || (writer = make_writer(trip, format)) == NULL)
		return false;
	trip->sink = anim_convert_new(caps, ANIM_TOLERANCE, true, &trip->diagnostics, writer, &trip->error);
	return trip->sink != NULL && anim_sink_clip(trip->sink, clip, &trip->error) == 0;
}

/* Ends the file and reads it into the store. */
static bool arrive(struct trip *trip, enum format format)
{
	const struct anim_read_options options = {.store_memory = 1 << 20, .diagnostics = &trip->diagnostics};
	struct anim_input *input = NULL;
	const uint8_t *bytes;
	size_t size;
	int result;

	if (anim_sink_end(trip->sink, &trip->error) != 0)
		return false;
	bytes = anim_output_memory(trip->file, &size);
	trip->back = anim_store_new(1 << 20, &trip->error);
	if (trip->back == NULL || anim_input_open_memory(&input, bytes, size, "trip", &trip->error) != 0)
		return false;
	result = (BOTH_ANIMJ & 1u << format ? anim_animj_read : anim_animx_read)(
	    input, &options, anim_store_sink(trip->back), &trip->error);
	anim_input_close(input);
	return result == 0;
}

static void end(struct trip *trip)
{
	anim_sink_free(trip->sink);
	anim_store_free(trip->back);
	anim_output_free(trip->file);
	anim_diagnostics_clear(&trip->diagnostics);
}

/* Equal as the stream has them, byte for byte: head, names and all columns. */
static void check_track(struct trip *trip, size_t number, const struct anim_track *sent, const char *format)
{
	struct anim_buffer a = {0}, b = {0};
	struct anim_track back;

	if (CHECKF(number < anim_store_tracks(trip->back, 0) &&
		       anim_store_read(trip->back, 0, number, &back, NULL) == 0,
		   "%s: %s is not there", format, sent->property)) {
		back.record = NULL;
		CHECKF(anim_encode_track(&a, sent, &trip->error) == 0 &&
			   anim_encode_track(&b, &back, &trip->error) == 0,
		       "%s: %s: %s", format, sent->property, trip->error.message);
		CHECKF(a.size == b.size && memcmp(a.data, b.data, a.size) == 0, "%s: '%s' '%s' came back as '%s' '%s'",
		       format, sent->node, sent->property, back.node, back.property);
	}
	anim_buffer_clear(&a);
	anim_buffer_clear(&b);
}

static struct anim_clip make_clip(const char *name)
{
	return (struct anim_clip){.end_s = 2,
				  .axes = ANIM_AXES_RESONITE,
				  .axes2d = ANIM_AXES2D_UNKNOWN,
				  .name = name,
				  .root = ".",
				  .source = "animx"};
}

/* A clip of a reader's, which has what the formats have: its name, length and axes. */
static void check_clip(const struct trip *trip, const struct anim_clip *sent, const char *format)
{
	const struct anim_clip *back = anim_store_clip(trip->back, 0);

	CHECKF(strcmp(back->name, sent->name) == 0, "%s: the clip '%s' is '%s'", format, sent->name, back->name);
	CHECKF(back->start_s == 0 && back->end_s == sent->end_s, "%s: the clip ends at %g", format,
	       (double)back->end_s);
	CHECKF(back->axes == sent->axes && back->loop == ANIM_LOOP_NONE && back->attrs.count == 0 && back->flags == 0,
	       "%s: the clip's head", format);
}

/* Two equal times, and times that no decimal has. */
static const float times[KEYS] = {0, FLT_TRUE_MIN, 0.1f, 0.1f, 1 / 3.0f, 0.7f, 1, 1.9999999f, 2};

static const double reals[] = {0,        -0.0,         1,           -1,   1 / 3.0, 0.1, 16777217, FLT_MAX,
			       -FLT_MAX, FLT_TRUE_MIN, FLT_MIN / 2, 1e-5, 1e21,    1e22};
static const double wide_reals[] = {DBL_MAX, -DBL_MAX, DBL_TRUE_MIN, DBL_MIN / 2, 9007199254740993.0, 5e-324};
static const double specials[] = {INFINITY, -INFINITY, NAN};
static const uint64_t bits[] = {
    0, 1, UINT64_MAX, (uint64_t)INT64_MAX, (uint64_t)INT64_MAX + 1, 0x8000800080008080u, 0x7fff7fff7fff7f7fu};
#define COUNT(table) (sizeof(table) / sizeof *(table))

static double real_number(size_t i, bool wide, bool special)
{
	size_t count = COUNT(reals) + (wide ? COUNT(wide_reals) : 0);

	i %= count + (special ? COUNT(specials) : 0);
	if (i < COUNT(reals))
		return reals[i];
	return i < count ? wide_reals[i - COUNT(reals)] : specials[i - count];
}

/* A column of the ends and odd places of its type. */
static void fill(enum anim_type type, size_t seed, bool special, uint8_t *column)
{
	const struct anim_type_info *info = &anim_types[type];

	for (size_t i = 0; i < KEYS * info->stored_components; i++) {
		double real = real_number(i + seed, info->scalar == ANIM_SCALAR_F64, special);
		float narrow = (float)real;
		uint64_t whole = bits[(i + seed) % COUNT(bits)];

		if (info->scalar == ANIM_SCALAR_BOOL)
			whole = (i + seed) * 5 & ((1u << info->components) - 1);
		if (info->scalar == ANIM_SCALAR_F32)
			memcpy(column + i * sizeof narrow, &narrow, sizeof narrow);
		else if (info->scalar == ANIM_SCALAR_F64)
			memcpy(column + i * sizeof real, &real, sizeof real);
		else
			memcpy(column + i * info->component_size, &whole, info->component_size);
	}
}

static const char texts[] = "one\xc3\xa9\xf0\x9f\x98\x80\"\\/\n\t\x01"
			    "null";
static const uint32_t lengths[KEYS] = {3, ANIM_NULL_STRING, 0, 2, 4, 3, 3, 4, ANIM_NULL_STRING};
static const uint64_t starts[KEYS] = {0, 3, 3, 3, 5, 9, 12, 15, 19};
static const struct anim_strings strings = {lengths, starts, texts, 19};

struct columns {
	_Alignas(16) uint8_t value[KEYS * 128], left[KEYS * 128], right[KEYS * 128];
	uint8_t modes[KEYS];
	char name[48];
};

/* A mode of all keys; ANIM_INTERP_COLUMN: those that the format and the type have, by turns. */
static void set_modes(struct anim_track *t, enum format format, uint8_t mode, struct columns *columns)
{
	static const uint8_t turns[] = {ANIM_LINEAR, ANIM_HOLD, ANIM_TANGENT, ANIM_CUBIC_BEZIER};
	bool bends = mode == ANIM_TANGENT || mode == ANIM_CUBIC_BEZIER;

	t->interp = mode;
	for (size_t k = 0, turn = 0; mode == ANIM_INTERP_COLUMN && k < KEYS; turn++) {
		uint8_t next = turns[turn % COUNT(turns)];

		if (!is_held(format, t->type, ANIM_CURVE, (enum anim_interp)next))
			continue;
		bends = bends || next >= ANIM_TANGENT;
		columns->modes[k++] = next;
	}
	t->interps = mode == ANIM_INTERP_COLUMN ? columns->modes : NULL;
	t->left = bends ? columns->left : NULL;
	t->right = bends ? columns->right : NULL;
}

static bool has_tangents(const struct columns *columns, size_t k)
{
	return columns->modes[k] == ANIM_TANGENT || columns->modes[k] == ANIM_CUBIC_BEZIER;
}

/* AnimJ has no tangents of Hold and Linear keys but the left one that ends a curve: they come back as zeros. */
static void clear_unused_tangents(enum anim_type type, struct columns *columns)
{
	size_t size = anim_types[type].size;

	for (size_t k = 0; k < KEYS; k++) {
		if (has_tangents(columns, k))
			continue;
		memset(columns->right + k * size, 0, size);
		if (k == 0 || !has_tangents(columns, k - 1))
			memset(columns->left + k * size, 0, size);
	}
}

static struct anim_track make(enum format format, enum anim_type type, enum anim_kind kind, uint8_t mode,
			      struct columns *columns)
{
	struct anim_track t = {.kind = kind,
			       .type = type,
			       .rules = ANIM_RULES_RESONITE,
			       .node = "Node",
			       .property = columns->name,
			       .component = ANIM_WHOLE,
			       .interp = mode,
			       .n = KEYS,
			       .time = kind == ANIM_RAW ? NULL : times,
			       .value = type == ANIM_STRING ? NULL : columns->value,
			       .strings = type == ANIM_STRING ? &strings : NULL};

	snprintf(columns->name, sizeof columns->name, "%s %s %s", anim_types[type].name, anim_kind_names[kind],
		 mode < ANIM_INTERP_COUNT ? anim_interp_names[mode] : "mixed");
	fill(type, type, has_specials(format), columns->value);
	fill(type, type + 3u, has_specials(format), columns->left);
	fill(type, type + 5u, has_specials(format), columns->right);
	if (kind == ANIM_CURVE)
		set_modes(&t, format, mode, columns);
	if (t.interps != NULL && t.left != NULL && (BOTH_ANIMJ & 1u << format))
		clear_unused_tangents(type, columns);
	if (kind == ANIM_RAW && type % 2 == 0) {
		t.rate_num = 30;
		t.rate_den = 1;
	} else if (kind == ANIM_RAW) {
		t.step_s = (double)0.07f;
	}
	return t;
}

static const struct shape {
	enum anim_kind kind;
	uint8_t mode;
} shapes[] = {{ANIM_RAW, ANIM_LINEAR},         {ANIM_DISCRETE, ANIM_HOLD}, {ANIM_CURVE, ANIM_HOLD},
	      {ANIM_CURVE, ANIM_LINEAR},       {ANIM_CURVE, ANIM_TANGENT}, {ANIM_CURVE, ANIM_CUBIC_BEZIER},
	      {ANIM_CURVE, ANIM_INTERP_COLUMN}};

/* Sends (trip->back NULL) or checks all tracks that the format holds. Their number. */
static size_t each_track(struct trip *trip, enum format format)
{
	static struct columns columns;
	size_t number = 0;

	for (int type = 0; type < ANIM_TYPE_COUNT; type++)
		for (size_t i = 0; i < COUNT(shapes); i++) {
			struct anim_track t;

			if (!is_held(format, (enum anim_type)type, shapes[i].kind,
				     (enum anim_interp)(shapes[i].mode % ANIM_INTERP_COLUMN)))
				continue;
			t = make(format, (enum anim_type)type, shapes[i].kind, shapes[i].mode, &columns);
			if (trip->back != NULL)
				check_track(trip, number, &t, format_names[format]);
			else if (!CHECKF(anim_sink_track(trip->sink, &t, &trip->error) == 0, "%s: %s: %s",
					 format_names[format], t.property, trip->error.message))
				return 0;
			number++;
		}
	return number;
}

TEST(roundtrip, "every type, kind and mode comes back the same from each format, but for what it has no place for")
{
	const struct anim_clip clip = make_clip("dance \xc3\xa9 \"1\"");

	for (int i = 0; i < FORMAT_COUNT; i++) {
		enum format format = (enum format)i;
		struct trip trip;
		size_t count = 0;

		if (CHECKF(leave(&trip, format, &clip) && (count = each_track(&trip, format)) > 0 &&
			       arrive(&trip, format),
			   "%s: %s", format_names[i], trip.error.message)) {
			CHECKF(anim_store_tracks(trip.back, 0) == count, "%s: %zu tracks", format_names[i], count);
			check_clip(&trip, &clip, format_names[i]);
			each_track(&trip, format);
		}
		for (size_t k = 0; k < trip.diagnostics.count; k++)
			CHECKF(strstr(trip.diagnostics.items[k].text, "quaternion of zeros") != NULL ||
				   trip.diagnostics.items[k].severity == ANIM_NOTE,
			       "%s: %s", format_names[i], trip.diagnostics.items[k].text);
		end(&trip);
	}
}

TEST(roundtrip_names, "names of slots and fields come back the same, empty ones too")
{
	static const char *const nodes[] = {".",    "L/R", "a.b", "mixamorig:Hips",           "%Name",
					    "..",   "/",   "./",  "\xc3\xa9\xf0\x9f\x98\x80", " ",
					    "\"\\", "a/",  ":"};
	static const char *const properties[] = {"",           "position",     "rotation", "Component.Field",
						 "a/b:c",      "\xe2\x82\xac", "x.y",      "@",
						 "Position\"", "BlendShape"};
	const float values[] = {0, 0, 0, 1}, time = 0;
	const struct anim_clip clip = make_clip("c");
	struct anim_track t = {.kind = ANIM_DISCRETE,
			       .rules = ANIM_RULES_RESONITE,
			       .component = ANIM_WHOLE,
			       .n = 1,
			       .time = &time,
			       .value = values};

	for (int i = 0; i < FORMAT_COUNT; i++) {
		enum format format = (enum format)i;
		size_t count = COUNT(nodes) * COUNT(properties);
		struct trip trip;
		bool good = leave(&trip, format, &clip);

		for (size_t pass = 0; pass < 2 && good; pass++) {
			for (size_t k = 0; k < count && good; k++) {
				t.node = nodes[k % COUNT(nodes)];
				t.property = properties[k / COUNT(nodes)];
				t.type = strcmp(t.property, "position") == 0 ? ANIM_FLOAT3 : ANIM_FLOATQ;
				if (pass == 0)
					good = anim_sink_track(trip.sink, &t, &trip.error) == 0;
				else
					check_track(&trip, k, &t, format_names[i]);
			}
			good = good && (pass == 1 || arrive(&trip, format));
		}
		CHECKF(good, "%s: %s", format_names[i], trip.error.message);
		for (size_t k = 0; k < trip.diagnostics.count; k++)
			CHECKF(trip.diagnostics.items[k].severity == ANIM_NOTE, "%s: %s", format_names[i],
			       trip.diagnostics.items[k].text);
		end(&trip);
	}
}

TEST(roundtrip_fields, "a field that is called as the model calls another keeps its name in the file, and its type")
{
	static const char *const names[] = {"position", "angle",   "euler",          "visible",
					    "scale",    "field:x", "blend_shape/Aa", "field:angle"};
	const float values[] = {1, 2}, at[] = {0, 1};
	struct anim_clip clip = make_clip("c");
	struct anim_track t = {.kind = ANIM_CURVE,
			       .type = ANIM_FLOAT,
			       .rules = ANIM_RULES_RESONITE,
			       .node = "Node",
			       .component = ANIM_WHOLE,
			       .interp = ANIM_LINEAR,
			       .n = 2,
			       .time = at,
			       .value = values};
	struct anim_arena arena = {0};

	for (int i = 0; i < FORMAT_COUNT; i++)
		for (size_t k = 0; k < COUNT(names); k++) {
			struct trip trip;
			const uint8_t *bytes;
			size_t size;

			t.property = anim_resonite_property_read(names[k], ANIM_FLOAT, &arena, NULL);
			if (CHECKF(leave(&trip, (enum format)i, &clip) &&
				       anim_sink_track(trip.sink, &t, &trip.error) == 0 &&
				       arrive(&trip, (enum format)i),
				   "%s: %s", names[k], trip.error.message)) {
				check_track(&trip, 0, &t, format_names[i]);
				bytes = anim_output_memory(trip.file, &size);
				CHECKF(i == ANIMX_LZ4 || i == ANIMX_LZMA ||
					   anim_text_find(bytes, size, names[k]) != NULL,
				       "%s is not in the file", names[k]);
				CHECKF(i == ANIMX_LZ4 || i == ANIMX_LZMA || strcmp(names[k], t.property) == 0 ||
					   anim_text_find(bytes, size, t.property) == NULL,
				       "%s is in the file", t.property);
			}
			/* AnimX warns of times that may be values, and both of names that Resonite has with a capital. */
			CHECKF(trip.diagnostics.warnings == 0 || i >= ANIMX_PLAIN ||
				   strcmp(names[k], "position") == 0 || strcmp(names[k], "scale") == 0,
			       "%s", names[k]);
			end(&trip);
		}
	anim_arena_clear(&arena);
}

TEST(roundtrip_signs, "rotations of Resonite's that go the long way round do so still")
{
	const float values[] = {0, 0, 0, 1, 0, 0, -0.6f, -0.8f, 0, 0, 0.8f, 0.6f};
	const float at[] = {0, 1, 2};
	const struct anim_clip clip = make_clip("c");
	struct anim_track t = {.kind = ANIM_CURVE,
			       .type = ANIM_FLOATQ,
			       .rules = ANIM_RULES_RESONITE,
			       .node = "Hips",
			       .property = "rotation",
			       .component = ANIM_WHOLE,
			       .interp = ANIM_LINEAR,
			       .n = 3,
			       .time = at,
			       .value = values};
	struct anim_track raw = t;

	raw.kind = ANIM_RAW;
	raw.property = "turn";
	raw.time = NULL;
	raw.rate_num = raw.rate_den = 1;
	for (int i = 0; i < FORMAT_COUNT; i++) {
		struct trip trip;

		if (CHECKF(leave(&trip, (enum format)i, &clip) && anim_sink_track(trip.sink, &t, &trip.error) == 0 &&
			       anim_sink_track(trip.sink, &raw, &trip.error) == 0 && arrive(&trip, (enum format)i),
			   "%s: %s", format_names[i], trip.error.message)) {
			check_track(&trip, 0, &t, format_names[i]);
			check_track(&trip, 1, &raw, format_names[i]);
		}
		end(&trip);
	}
}
