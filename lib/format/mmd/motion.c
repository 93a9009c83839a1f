/* motion.c: mmd_motion_read: the sections of a .vmd file in their order, then the keys sorted by name and frame. */
#include "format/mmd/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/text.h"
#include "format/mmd/bytes.h"
#include "format/mmd/sjis.h"
#include "math/curve.h"
#include "math/quaternion.h"

/* Bytes of the records. */
#define BONE_KEY 111u
#define MORPH_KEY 23u
#define CAMERA_KEY 61u
#define LIGHT_KEY 28u
#define SHADOW_KEY 9u
#define SHOW_KEY 9u /* before the switches */
#define SWITCH 21u
#define SWITCH_NAME 20u
#define SIGNATURE 30u
#define MODEL_NAME 20u
#define OLD_MODEL_NAME 10u

#define NUMBER_MAX 1e18F /* no motion has larger numbers, and products of them stay finite */

struct motion_reading {
	struct mmd_motion *motion;
	const struct anim_read_options *options;
	struct mmd_bytes bytes;
	struct anim_error *error;
	size_t wrong_numbers; /* keys with numbers that are not usable */
};

/* ---- Names and numbers ---- */

/* Decode a name of at most `capacity` bytes that ends at a zero byte. Return it in the arena, or NULL. */
static const char *decode(struct motion_reading *reading, const uint8_t *raw, size_t capacity)
{
	char text[4 * MODEL_NAME + 1];
	bool broken;
	size_t length = anim_sjis_to_utf8(raw, capacity, text, sizeof text, &broken);

	return anim_arena_text(&reading->motion->arena, text, length, reading->error);
}

/* Find the track of a name, or add it. Return 0 or -1. */
static int find_track(struct motion_reading *reading, struct mmd_section *section, const uint8_t *raw, uint32_t *number)
{
	const uint8_t *end = memchr(raw, 0, MMD_NAME_BYTES);
	struct mmd_track track = {.raw_size = (uint8_t)(end == NULL ? MMD_NAME_BYTES : end - raw)};
	const char *kept;

	if (anim_map_get(&section->raw, 0, raw, track.raw_size, number))
		return 0;
	memcpy(track.raw, raw, track.raw_size);
	kept = anim_arena_text(&reading->motion->arena, (const char *)raw, track.raw_size, reading->error);
	track.name = decode(reading, raw, MMD_NAME_BYTES);
	if (kept == NULL || track.name == NULL)
		return -1;
	/* Some characters have two codes. */
	if (!anim_map_get(&section->names, 0, track.name, strlen(track.name), number)) {
		*number = (uint32_t)mmd_track_count(section);
		if (anim_buffer_append(&section->tracks, &track, sizeof track, reading->error) != 0 ||
		    anim_map_put(&section->names, 0, track.name, strlen(track.name), *number, reading->error) != 0)
			return -1;
	}
	return anim_map_put(&section->raw, 0, kept, track.raw_size, *number, reading->error);
}

/* Replace numbers that are not finite, or absurd, by 0. Return whether there were some. */
static bool clean(float *numbers, size_t count)
{
	bool found = false;

	for (size_t i = 0; i < count; i++)
		if (!(fabsf(numbers[i]) <= NUMBER_MAX)) {
			numbers[i] = 0;
			found = true;
		}
	return found;
}

/* Bring a rotation to length 1. Without a length it becomes no rotation. Return whether it had none. */
static bool clean_rotation(float q[4])
{
	double unit[4];
	bool found = clean(q, 4);
	float square = anim_quat_dot(q, q);

	if (found || !(square > 0)) {
		memcpy(q, (const float[4]){0, 0, 0, 1}, 4 * sizeof *q);
		return true;
	}
	if (fabsf(square - 1) <= 1e-6F)
		return false;
	anim_quat_unit_double(unit, q);
	for (size_t i = 0; i < 4; i++)
		q[i] = (float)unit[i];
	return false;
}

static uint8_t clamp_127(uint8_t value)
{
	return value > 127 ? 127 : value;
}

static struct mmd_curve curve_of(uint8_t x1, uint8_t y1, uint8_t x2, uint8_t y2)
{
	return (struct mmd_curve){clamp_127(x1), clamp_127(y1), clamp_127(x2), clamp_127(y2)};
}

/* ---- Records ---- */

/* A kind of record. `read` reads the bytes of one into a key, which has its order, and sets the rest of it. */
struct record_kind {
	const char *part; /* for messages */
	size_t bytes, key_size;
	int (*read)(struct motion_reading *, const uint8_t *at, void *key);
};

/*
 * The rows of a bone's curves are copies, each shifted by one byte. Each curve is read from its own row, because MMD
 * stores the switch of physics in bytes 2 and 3 of the first row. Older versions have a copy there as well.
 */
static int read_bone_key(struct motion_reading *reading, const uint8_t *at, void *to)
{
	struct mmd_bone_key *key = to;
	const uint8_t *curves = at + 47;

	key->key.frame = mmd_u32(at + 15);
	mmd_floats(key->position, at + 19, 3);
	mmd_floats(key->rotation, at + 31, 4);
	reading->wrong_numbers += clean(key->position, 3) + clean_rotation(key->rotation) > 0;
	key->no_physics = curves[2] == MMD_NO_PHYSICS_1 && curves[3] == MMD_NO_PHYSICS_2 &&
			  (curves[17] != curves[2] || curves[18] != curves[3]);
	for (size_t i = 0; i < 4; i++, curves += 16)
		key->curves[i] = curve_of(curves[0], curves[4], curves[8], curves[12]);
	return find_track(reading, &reading->motion->bones, at, &key->key.track);
}

static int read_morph_key(struct motion_reading *reading, const uint8_t *at, void *to)
{
	struct mmd_morph_key *key = to;

	key->key.frame = mmd_u32(at + 15);
	key->weight = mmd_f32(at + 19);
	reading->wrong_numbers += clean(&key->weight, 1);
	return find_track(reading, &reading->motion->morphs, at, &key->key.track);
}

static int read_camera_key(struct motion_reading *reading, const uint8_t *at, void *to)
{
	struct mmd_camera_key *key = to;
	const uint8_t *curves = at + 32;

	key->key.frame = mmd_u32(at);
	key->distance = mmd_f32(at + 4);
	mmd_floats(key->target, at + 8, 3);
	mmd_floats(key->angles, at + 20, 3);
	reading->wrong_numbers += clean(&key->distance, 1) + clean(key->target, 3) + clean(key->angles, 3) > 0;
	for (size_t i = 0; i < 6; i++, curves += 4) /* not in the order of a bone's curves */
		key->curves[i] = curve_of(curves[0], curves[2], curves[1], curves[3]);
	key->view_deg = mmd_u32(at + 56);
	return find_track(reading, &reading->motion->cameras, (const uint8_t *)"", &key->key.track);
}

static int read_light_key(struct motion_reading *reading, const uint8_t *at, void *to)
{
	struct mmd_light_key *key = to;

	key->key.frame = mmd_u32(at);
	mmd_floats(key->color, at + 4, 3);
	mmd_floats(key->direction, at + 16, 3);
	reading->wrong_numbers += clean(key->color, 3) + clean(key->direction, 3) > 0;
	return find_track(reading, &reading->motion->lights, (const uint8_t *)"", &key->key.track);
}

static int read_shadow_key(struct motion_reading *reading, const uint8_t *at, void *to)
{
	struct mmd_shadow_key *key = to;

	key->key.frame = mmd_u32(at);
	key->mode = at[4];
	key->distance = mmd_f32(at + 5);
	reading->wrong_numbers += clean(&key->distance, 1);
	return find_track(reading, &reading->motion->shadows, (const uint8_t *)"", &key->key.track);
}

/* Read the number of records. Return 1, 0 if the file ends before it, or -1. */
static int read_count(struct motion_reading *reading, const char *part, uint32_t *count)
{
	const uint8_t *at;
	int more;

	reading->bytes.part = part;
	more = mmd_more(&reading->bytes);
	if (more <= 0)
		return more;
	at = mmd_read(&reading->bytes, 4);
	if (at == NULL)
		return -1;
	*count = mmd_u32(at);
	return 1;
}

/* Read a section. Return 1, 0 if the file ends before it, or -1. */
static int read_section(struct motion_reading *reading, struct mmd_section *section, const struct record_kind *kind)
{
	uint32_t count;
	int got = read_count(reading, kind->part, &count);

	section->key_size = kind->key_size;
	for (uint32_t i = 0; got > 0 && i < count; i++) {
		const uint8_t *at = mmd_read(&reading->bytes, kind->bytes);
		struct mmd_key *key =
		    at == NULL ? NULL : anim_buffer_extend(&section->keys, kind->key_size, reading->error);

		if (key == NULL)
			return -1;
		memset(key, 0, kind->key_size);
		key->order = i;
		if (kind->read(reading, at, key) != 0)
			return -1;
	}
	return got;
}

/* Add a key of a switch. Return 0 or -1. */
static int add_switch(struct motion_reading *reading, struct mmd_section *section, const uint8_t *name, uint32_t frame,
		      uint32_t order, bool on)
{
	struct mmd_switch_key key = {.key = {.frame = frame, .order = order}, .on = on};

	if (find_track(reading, section, name, &key.key.track) != 0)
		return -1;
	return anim_buffer_append(&section->keys, &key, sizeof key, reading->error);
}

/* Read the switches of the model and of its IK. Return 1, 0 if the file ends before them, or -1. */
static int read_switches(struct motion_reading *reading)
{
	struct mmd_motion *motion = reading->motion;
	uint32_t count;
	int got = read_count(reading, "the switches of IK", &count);

	motion->visible.key_size = motion->ik.key_size = sizeof(struct mmd_switch_key);
	for (uint32_t i = 0; got > 0 && i < count; i++) {
		const uint8_t *at = mmd_read(&reading->bytes, SHOW_KEY);
		uint32_t frame = at == NULL ? 0 : mmd_u32(at), switches = at == NULL ? 0 : mmd_u32(at + 5);

		if (at == NULL || add_switch(reading, &motion->visible, (const uint8_t *)"", frame, i, at[4] != 0) != 0)
			return -1;
		for (uint32_t k = 0; k < switches; k++) {
			at = mmd_read(&reading->bytes, SWITCH);
			if (at == NULL || add_switch(reading, &motion->ik, at, frame, i, at[SWITCH_NAME] != 0) != 0)
				return -1;
		}
	}
	return got;
}

/* ---- The order of keys ---- */

static int compare_keys(const void *a, const void *b)
{
	const struct mmd_key *x = a, *y = b;

	if (x->frame != y->frame)
		return x->frame < y->frame ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Sort the keys of a track by frame. Of several keys at one frame, the last in the file stays. Return how many differ. */
static size_t sort_track(struct mmd_section *section, struct mmd_track *track)
{
	const size_t size = section->key_size;
	uint8_t *keys = section->keys.data + track->first * size;
	size_t kept = 0, differing = 0;
	bool sorted = true;

	for (size_t k = 1; k < track->count && sorted; k++)
		sorted = compare_keys(keys + (k - 1) * size, keys + k * size) < 0;
	if (!sorted)
		qsort(keys, track->count, size, compare_keys);
	for (size_t k = 0; k < track->count; k++) {
		const uint8_t *key = keys + k * size;
		uint8_t *last = keys + (kept - (kept > 0)) * size;

		if (kept > 0 && ((const struct mmd_key *)(const void *)last)->frame ==
				    ((const struct mmd_key *)(const void *)key)->frame)
			differing += memcmp(last + sizeof(struct mmd_key), key + sizeof(struct mmd_key),
					    size - sizeof(struct mmd_key)) != 0;
		else
			kept++;
		if (kept - 1 < k)
			memcpy(keys + (kept - 1) * size, key, size);
	}
	track->count = kept;
	return differing;
}

static int sort_section(struct motion_reading *reading, struct mmd_section *section)
{
	size_t count, first = 0, differing = 0;
	struct anim_buffer sorted = {0};

	if (section->keys.size == 0)
		return 0;
	count = section->keys.size / section->key_size;

	/* Put the keys of each track together, in the order of the file. */
	if (anim_buffer_extend(&sorted, section->keys.size, reading->error) == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct mmd_key *key = (const void *)(section->keys.data + i * section->key_size);

		mmd_track_at(section, key->track)->count++;
	}
	for (size_t i = 0; i < mmd_track_count(section); i++) {
		struct mmd_track *track = mmd_track_at(section, i);

		track->first = first;
		first += track->count;
		track->count = 0;
	}
	for (size_t i = 0; i < count; i++) {
		const struct mmd_key *key = (const void *)(section->keys.data + i * section->key_size);
		struct mmd_track *track = mmd_track_at(section, key->track);

		memcpy(sorted.data + (track->first + track->count++) * section->key_size, key, section->key_size);
	}
	anim_buffer_clear(&section->keys);
	section->keys = sorted;

	for (size_t i = 0; i < mmd_track_count(section); i++) {
		struct mmd_track *track = mmd_track_at(section, i);
		const struct mmd_key *last;

		differing += sort_track(section, track);
		last = mmd_key_at(section, track, track->count - 1);
		if (last->frame > reading->motion->last_frame)
			reading->motion->last_frame = last->frame;
	}
	if (differing == 0)
		return 0;
	return anim_diagnostics_note(reading->options->diagnostics, NULL, reading->error,
				     "%zu key%s differ%s from a later key of the same name and frame, which is used",
				     differing, differing == 1 ? "" : "s", differing == 1 ? "s" : "");
}

/* ---- The file ---- */

/* Read the signature and the name of the model. Return 0 or -1. */
static int read_head(struct motion_reading *reading)
{
	static const char signature[] = "Vocaloid Motion Data ";
	const uint8_t *at;
	size_t size = MODEL_NAME;
	bool known;

	reading->bytes.part = "the signature";
	at = mmd_read(&reading->bytes, SIGNATURE);
	if (at == NULL)
		return -1;
	if (!anim_bytes_begin(at, SIGNATURE, "Vocaloid Motion Data")) {
		struct anim_place place = {.file = anim_input_name(reading->bytes.input), .at = ANIM_AT_BYTE};

		return anim_fail_at(reading->error, ANIM_BAD_INPUT, &place,
				    "not a motion of MikuMikuDance, which begins with \"Vocaloid Motion Data\"");
	}
	at += sizeof signature - 1;
	if (anim_bytes_begin(at, 4, "file"))
		size = OLD_MODEL_NAME;
	known = size == OLD_MODEL_NAME || anim_bytes_begin(at, 4, "0002");
	if (!known && anim_diagnostics_note(reading->options->diagnostics, NULL, reading->error,
					    "the signature has no version; the file is read as version 2") != 0)
		return -1;
	reading->bytes.part = "the name of the model";
	at = mmd_read(&reading->bytes, size);
	if (at == NULL)
		return -1;
	reading->motion->model = decode(reading, at, size);
	return reading->motion->model == NULL ? -1 : 0;
}

int mmd_motion_read(struct mmd_motion *motion, struct anim_input *input, const struct anim_read_options *options,
		    struct anim_error *error)
{
	static const struct record_kind kinds[] = {
	    {"the bone keys", BONE_KEY, sizeof(struct mmd_bone_key), read_bone_key},
	    {"the morph keys", MORPH_KEY, sizeof(struct mmd_morph_key), read_morph_key},
	    {"the camera keys", CAMERA_KEY, sizeof(struct mmd_camera_key), read_camera_key},
	    {"the light keys", LIGHT_KEY, sizeof(struct mmd_light_key), read_light_key},
	    {"the shadow keys", SHADOW_KEY, sizeof(struct mmd_shadow_key), read_shadow_key}};
	struct mmd_section *const sections[] = {&motion->bones,   &motion->morphs,  &motion->cameras, &motion->lights,
						&motion->shadows, &motion->visible, &motion->ik};
	struct motion_reading reading = {
	    .motion = motion, .options = options, .bytes = {.input = input, .error = error}, .error = error};
	int got = 1;

	*motion = (struct mmd_motion){.model = NULL};
	if (read_head(&reading) != 0)
		return -1;

	/* The file may end before each section. */
	for (size_t i = 0; i < ANIM_COUNT(kinds) && got > 0; i++)
		got = read_section(&reading, sections[i], &kinds[i]);
	if (got > 0)
		got = read_switches(&reading);
	if (got > 0)
		got = mmd_more(&reading.bytes);
	if (got > 0)
		got = anim_diagnostics_warn(options->diagnostics, NULL, error,
					    "bytes after the last section are not read");
	if (got != 0)
		return -1;

	for (size_t i = 0; i < ANIM_COUNT(sections); i++)
		if (sort_section(&reading, sections[i]) != 0)
			return -1;
	if (reading.wrong_numbers == 0)
		return 0;
	return anim_diagnostics_warn(options->diagnostics, NULL, error,
				     "%zu key%s numbers that are not usable, and get no motion there",
				     reading.wrong_numbers, reading.wrong_numbers == 1 ? " has" : "s have");
}

static void clear_section(struct mmd_section *section)
{
	anim_buffer_clear(&section->tracks);
	anim_buffer_clear(&section->keys);
	anim_map_clear(&section->raw);
	anim_map_clear(&section->names);
}

void mmd_motion_clear(struct mmd_motion *motion)
{
	clear_section(&motion->bones);
	clear_section(&motion->morphs);
	clear_section(&motion->cameras);
	clear_section(&motion->lights);
	clear_section(&motion->shadows);
	clear_section(&motion->visible);
	clear_section(&motion->ik);
	anim_arena_clear(&motion->arena);
}

/* ---- Values between keys ---- */

double mmd_curve_at(struct mmd_curve curve, double share)
{
	double u;

	if (share <= 0 || share >= 1)
		return share <= 0 ? 0 : 1;
	if (mmd_curve_is_line(curve))
		return share;
	u = anim_bezier_parameter(0, curve.x1 / 127.0, curve.x2 / 127.0, 1, share);
	return anim_bezier(0, curve.y1 / 127.0, curve.y2 / 127.0, 1, u);
}

static uint32_t frame_at(const struct mmd_section *section, const struct mmd_track *track, size_t k)
{
	return ((const struct mmd_key *)mmd_key_at(section, track, k))->frame;
}

double mmd_find(const struct mmd_section *section, const struct mmd_track *track, double frame, size_t *key)
{
	size_t low = *key < track->count && frame_at(section, track, *key) <= frame ? *key : 0, high = track->count;

	for (size_t step = 1; low + step < high; step *= 2) { /* the next keys are the likely ones */
		if (frame_at(section, track, low + step) > frame) {
			high = low + step;
			break;
		}
		low += step;
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (frame_at(section, track, middle) <= frame)
			low = middle;
		else
			high = middle;
	}
	*key = low;
	if (low + 1 == track->count || frame_at(section, track, low) >= frame)
		return 0;
	return (frame - frame_at(section, track, low)) /
	       ((double)frame_at(section, track, low + 1) - frame_at(section, track, low));
}

void mmd_bone_sample(const struct mmd_section *section, const struct mmd_track *track, double frame, size_t *key,
		     double position[3], double rotation[4])
{
	double share = mmd_find(section, track, frame, key);
	const struct mmd_bone_key *from = mmd_key_at(section, track, *key), *to = share > 0 ? from + 1 : from;
	double a[4], b[4];

	for (size_t i = 0; i < 3; i++)
		position[i] = (double)from->position[i];
	anim_quat_unit_double(rotation, from->rotation);
	if (from == to)
		return;
	for (size_t i = 0; i < 3; i++)
		if (from->position[i] != to->position[i])
			position[i] += ((double)to->position[i] - position[i]) * mmd_curve_at(to->curves[i], share);
	if (memcmp(from->rotation, to->rotation, sizeof from->rotation) == 0)
		return;
	memcpy(a, rotation, sizeof a);
	anim_quat_unit_double(b, to->rotation);
	anim_quat_slerp_double(rotation, a, b, mmd_curve_at(to->curves[MMD_CURVE_ROTATION], share));
	anim_quat_normalize_double(rotation);
}

double mmd_morph_sample(const struct mmd_section *section, const struct mmd_track *track, double frame, size_t *key)
{
	double share = mmd_find(section, track, frame, key);
	const struct mmd_morph_key *from = mmd_key_at(section, track, *key), *to = share > 0 ? from + 1 : from;

	return (double)from->weight + share * ((double)to->weight - (double)from->weight);
}
