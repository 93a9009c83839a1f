/* clip_curves.c: AnimationCurves of floats, vectors and rotations -> tracks. */
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "clip/check.h"
#include "format/unity/clip_internal.h"
#include "format/unity/keys.h"

void unity_track_attr(struct unity_track_attrs *attrs, const char *key, const char *value)
{
	attrs->items[attrs->count++] = (struct anim_attr){key, value};
}

static void note_last_key(struct unity_clip_reader *reader, const struct anim_track *track)
{
	for (size_t i = 0; i < track->n; i++)
		if (isfinite(track->time[i]) && track->time[i] > reader->last_s)
			reader->last_s = track->time[i];
}

int unity_clip_store(struct unity_clip_reader *reader, const struct unity_node *item, const char *path,
		     struct anim_track *track, const struct unity_track_attrs *attrs)
{
	static const char *const texts[] = {"path", "m_Path", "attribute"};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const struct unity_node *text = unity_get(item, texts[i]);

		if (text != NULL && text->kind != UNITY_SCALAR)
			return unity_clip_fault(reader, text, "%s is not a text", texts[i]);
	}
	if (strlen(path) > ANIM_NAME_MAX || strlen(track->property) > ANIM_NAME_MAX)
		return unity_clip_fault(reader, item, "a path or attribute of more than %u bytes", ANIM_NAME_MAX);
	track->node = path[0] == '\0' ? "." : path;
	track->rules = ANIM_RULES_UNITY;
	track->attrs = (struct anim_attrs){attrs->items, attrs->count};
	if (!anim_times_are_sorted(track->time, track->n))
		track->flags |= ANIM_UNSORTED;
	if (strcmp(track->property, "@event") != 0)
		note_last_key(reader, track);
	if (anim_sink_track(anim_store_sink(reader->options->store), track, reader->error) != 0)
		return unity_clip_fault_again(reader, item);
	return 0;
}

/* Not the numbers of WrapMode: 0 ping-pong, 1 repeat, 2 clamp. */
static int read_end(struct unity_clip_reader *reader, const struct unity_node *map, const char *key, uint8_t *end)
{
	int64_t number = 2;

	if (unity_clip_integer(reader, map, key, &number) != 0)
		return -1;
	*end = number == 0 ? ANIM_ENDS_PINGPONG : number == 1 ? ANIM_ENDS_LOOP : ANIM_ENDS_HOLD;
	if (number >= 0 && number <= 2)
		return 0;
	return unity_clip_say(reader, ANIM_WARNING, unity_get(map, key), "unknown infinities are read as clamping",
			      "%s %lld is not known; read as 2, which clamps", key, (long long)number);
}

int unity_clip_ends(struct unity_clip_reader *reader, const struct unity_node *map, struct anim_track *track)
{
	if (read_end(reader, map, "m_PreInfinity", &track->before) != 0)
		return -1;
	return read_end(reader, map, "m_PostInfinity", &track->after);
}

/* Before 5.5 tangentMode had two bits a side; now it has four. Bit 0 says that the sides are broken in both. */
static uint32_t encode_hint(uint32_t old)
{
	return ((old >> 1) & 3) << 1 | ((old >> 3) & 3) << 5 | (old & 1);
}

/* tangentMode as it is since 5.5, NULL where no key has any. Old keys of vectors hold garbage there. 0 or -1. */
static int fill_hints(struct unity_clip_reader *reader, const struct unity_keys *keys, const uint32_t **column)
{
	uint32_t *hints, any = 0;

	*column = keys->hint;
	if (keys->hint == NULL || keys->version > 1)
		return 0;
	reader->hints.size = 0;
	hints = anim_buffer_extend(&reader->hints, keys->n * sizeof *hints, reader->error);
	if (hints == NULL)
		return -1;
	for (size_t i = 0; i < keys->n; i++) {
		bool old = (keys->versions != NULL ? keys->versions[i] : keys->version) < 2;

		hints[i] = !old ? keys->hint[i] : keys->lanes == 1 ? encode_hint(keys->hint[i]) : 0;
		any |= hints[i];
	}
	*column = any != 0 ? hints : NULL;
	return 0;
}

static bool has_nan(const float *numbers, size_t count)
{
	bool found = false;

	for (size_t i = 0; i < count; i++)
		found |= isnan(numbers[i]);
	return found;
}

static int check_slopes(struct unity_clip_reader *reader, const struct unity_node *item, const struct unity_keys *keys)
{
	if (!has_nan(keys->left, keys->n * keys->lanes) && !has_nan(keys->right, keys->n * keys->lanes))
		return 0;
	return unity_clip_say(reader, ANIM_WARNING, item,
			      "curves have slopes that are no numbers; they are played as steps",
			      "a slope that is no number; it is played as a step");
}

/* The columns, borrowed from the keys. 0, 1 after a fault, -1. */
static int fill_columns(struct unity_clip_reader *reader, const struct unity_node *item, const struct unity_keys *keys,
			struct anim_track *track)
{
	unsigned lanes = anim_types[track->type].lanes;
	bool weighted = keys->left_x != NULL || keys->weighted != NULL;

	if (keys->n > 0 && keys->lanes != lanes)
		return unity_clip_fault(reader, item, "keys of %u components where %u are needed", keys->lanes,
					lanes) != 0
			   ? -1
			   : 1;
	track->n = keys->n;
	track->interp = weighted ? ANIM_WEIGHTED : ANIM_HERMITE;
	track->time = keys->time;
	track->value = keys->value;
	track->left = keys->left;
	track->right = keys->right;
	track->left_x = keys->left_x;
	track->right_x = keys->right_x;
	track->weighted = keys->weighted;
	if (fill_hints(reader, keys, &track->hint) != 0)
		return -1;
	return check_slopes(reader, item, keys);
}

/* What `curve` says of a track whose type is set. 0, 1 after a fault, -1. */
static int read_curve(struct unity_clip_reader *reader, const struct unity_node *item, struct anim_track *track)
{
	const struct unity_node *curve = unity_get(item, "curve"), *keys = unity_get(curve, "m_Curve");
	static const struct unity_keys none;

	track->kind = ANIM_CURVE;
	if (unity_clip_ends(reader, curve, track) != 0)
		return -1;
	if (keys != NULL && keys->kind == UNITY_KEYS)
		return fill_columns(reader, item, keys->keys, track);
	if (keys == NULL || keys->count == 0)
		return fill_columns(reader, item, &none, track);
	return unity_clip_fault(reader, keys, "m_Curve is no list of keys") != 0 ? -1 : 1;
}

static int read_vector(struct unity_clip_reader *reader, const struct unity_node *item, struct anim_track *track,
		       const struct unity_track_attrs *attrs)
{
	int status = read_curve(reader, item, track);

	if (status != 0)
		return status < 0 ? -1 : 0;
	track->component = ANIM_WHOLE;
	return unity_clip_store(reader, item, unity_text(item, "path", ""), track, attrs);
}

int unity_clip_rotation(struct unity_clip_reader *reader, const struct unity_node *item)
{
	struct anim_track track = {.type = ANIM_FLOATQ, .property = "rotation"};

	return read_vector(reader, item, &track, &(struct unity_track_attrs){0});
}

int unity_clip_position(struct unity_clip_reader *reader, const struct unity_node *item)
{
	struct anim_track track = {.type = ANIM_FLOAT3, .property = "position"};

	return read_vector(reader, item, &track, &(struct unity_track_attrs){0});
}

int unity_clip_scale(struct unity_clip_reader *reader, const struct unity_node *item)
{
	struct anim_track track = {.type = ANIM_FLOAT3, .property = "scale"};

	return read_vector(reader, item, &track, &(struct unity_track_attrs){0});
}

#define ORDER_DEFAULT 4 /* ZXY, where m_RotationOrder is missing */

int unity_clip_euler(struct unity_clip_reader *reader, const struct unity_node *item)
{
	struct anim_track track = {.type = ANIM_FLOAT3, .property = "euler", .flags = ANIM_DEGREES};
	struct unity_track_attrs attrs = {0};
	const struct unity_node *curve = unity_get(item, "curve");
	int64_t order = ORDER_DEFAULT;

	if (unity_clip_integer(reader, curve, "m_RotationOrder", &order) != 0)
		return -1;
	if (unity_order_name(order) == NULL) {
		if (unity_clip_say(reader, ANIM_WARNING, unity_get(curve, "m_RotationOrder"),
				   "unknown rotation orders are read as ZXY",
				   "m_RotationOrder %lld is not known; read as 4 (ZXY)", (long long)order) != 0)
			return -1;
		order = ORDER_DEFAULT;
	}
	unity_track_attr(&attrs, "order", unity_order_name(order));
	return read_vector(reader, item, &track, &attrs);
}

int unity_clip_number(struct unity_clip_reader *reader, const struct unity_node *item)
{
	struct anim_track track = {.type = ANIM_FLOAT};
	struct unity_track_attrs attrs = {0};
	struct unity_curve_name name;
	int status = unity_clip_name(reader, item, false, &name);

	if (status == 0)
		status = read_curve(reader, item, &track);
	if (status != 0)
		return status < 0 ? -1 : 0;
	track.property = name.meaning.property;
	track.component = name.meaning.component;
	track.flags |= name.meaning.flags;
	reader->clip->humanoid += name.meaning.humanoid != NULL;
	unity_track_attr_name(&attrs, &name);
	return unity_clip_store(reader, item, unity_text(item, "path", ""), &track, &attrs);
}
