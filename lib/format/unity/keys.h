/* keys.h: the keys of one AnimationCurve as columns. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_KEYS_H
#define ANIM_FORMAT_UNITY_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNITY_LANES_MAX 4u
#define UNITY_WEIGHT (1.0f / 3.0f) /* what Unity writes where a key is not weighted: 0.33333334 */

/*
 * `n` keys of `lanes` components each: time has n elements, value, left, right, left_x and right_x n * lanes (all lanes
 * of a key stand together). Owned by the file, valid until the next unity_clip_next.
 */
struct unity_keys {
	size_t n;
	unsigned lanes; /* 1, 3, 4 (2 can be read); 0 where n is 0 */
	const float *time, *value;
	const float *left, *right; /* inSlope, outSlope; 0 where a key has none; may be infinite or nan */
	const float *left_x;       /* inWeight; NULL where every weight in and out is 1/3 or not there */
	const float *right_x;      /* outWeight; NULL as left_x */
	const uint8_t *weighted;   /* weightedMode's low two bits: 1 in, 2 out; NULL where all are 0 or not there */
	const uint32_t *hint;      /* tangentMode as it stands in the file; NULL where all are 0 or not there */
	const uint8_t *versions;   /* serializedVersion of each key, NULL where all have `version` */
	unsigned version;          /* 1 where a key has none, as Unity 4 wrote; with `versions`: the lowest */
	uint32_t line;             /* of the first key in the file */
};

#endif
