/* motion.h: the keys of a motion (.vmd), sorted, and their values at any time. Internal to format/mmd. */
#ifndef ANIM_FORMAT_MMD_MOTION_H
#define ANIM_FORMAT_MMD_MOTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/input.h"
#include "base/map.h"
#include "format/read.h"

#define MMD_RATE 30 /* frames per second of every motion */
#define MMD_NAME_BYTES 15

/* The points (x1, y1) and (x2, y2) of a curve from (0, 0) to (1, 1), in parts of 127. */
struct mmd_curve {
	uint8_t x1, y1, x2, y2;
};
enum { MMD_CURVE_X, MMD_CURVE_Y, MMD_CURVE_Z, MMD_CURVE_ROTATION, MMD_CURVE_DISTANCE, MMD_CURVE_VIEW };

static inline bool mmd_curve_is_line(struct mmd_curve curve)
{
	return curve.x1 == curve.y1 && curve.x2 == curve.y2;
}

/* Return the share of the change at a share of the time. Exact to the last bits, and 0 and 1 at the ends. */
double mmd_curve_at(struct mmd_curve, double share);

/* ---- Keys. The curves of a key shape the segment that ends at it. ---- */

/* The first member of every key. */
struct mmd_key {
	uint32_t track, frame, order; /* order: of the key in its section */
};
struct mmd_bone_key {
	struct mmd_key key;
	float position[3], rotation[4];
	struct mmd_curve curves[4];
	bool no_physics; /* from here on, the bone moves as its keys say, also if physics of the model moves it */
};

/* The bytes that switch physics off, in bytes 2 and 3 of the curves. 0 and 0 switch it on. */
#define MMD_NO_PHYSICS_1 99
#define MMD_NO_PHYSICS_2 15
struct mmd_morph_key {
	struct mmd_key key;
	float weight;
};
struct mmd_camera_key {
	struct mmd_key key;
	float distance, target[3], angles[3];
	struct mmd_curve curves[6];
	uint32_t view_deg;
};
struct mmd_light_key {
	struct mmd_key key;
	float color[3], direction[3];
};
struct mmd_shadow_key {
	struct mmd_key key;
	uint32_t mode;
	float distance;
};
struct mmd_switch_key {
	struct mmd_key key;
	uint32_t on;
};

/* The keys of one name, which are together and sorted by frame, one per frame. */
struct mmd_track {
	const char *name; /* UTF-8 */
	uint8_t raw[MMD_NAME_BYTES], raw_size;
	size_t first, count;
};

/* The keys of a section, by their names. Sections without names have one track. */
struct mmd_section {
	struct anim_buffer tracks, keys;
	size_t key_size;
	struct anim_map raw, names; /* bytes of a name and the name -> number of the track */
};

/* All-zero is empty. */
struct mmd_motion {
	const char *model; /* the name of the model, in the arena */
	struct mmd_section bones, morphs, cameras, lights, shadows, visible, ik;
	uint32_t last_frame; /* of all keys */
	struct anim_arena arena;
};

/* Read a motion. Call mmd_motion_clear in any case. Return 0, or -1 with the byte. */
int mmd_motion_read(struct mmd_motion *, struct anim_input *, const struct anim_read_options *, struct anim_error *);
void mmd_motion_clear(struct mmd_motion *);

static inline size_t mmd_track_count(const struct mmd_section *section)
{
	return section->tracks.size / sizeof(struct mmd_track);
}

static inline struct mmd_track *mmd_track_at(const struct mmd_section *section, size_t track)
{
	return (struct mmd_track *)(void *)section->tracks.data + track;
}

/* Return key k of a track. Cast it to the struct of the section. */
static inline const void *mmd_key_at(const struct mmd_section *section, const struct mmd_track *track, size_t k)
{
	return section->keys.data + (track->first + k) * section->key_size;
}

/* ---- Values between keys ---- */

/*
 * Find the keys around a frame: *key is the last one at or before it, or the first one. Return the share of the time to
 * the next key, or 0 before the first key and after the last one. *key is the guess from the last call.
 */
double mmd_find(const struct mmd_section *, const struct mmd_track *, double frame, size_t *key);

/* Get the offset and the rotation of a bone as MikuMikuDance stores them. */
void mmd_bone_sample(const struct mmd_section *, const struct mmd_track *, double frame, size_t *key,
		     double position[3], double rotation[4]);
double mmd_morph_sample(const struct mmd_section *, const struct mmd_track *, double frame, size_t *key);

#endif
