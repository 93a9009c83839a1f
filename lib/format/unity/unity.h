/* unity.h: reads Unity's text-serialised assets: .anim .controller .overrideController .prefab .unity .asset .playable. */
#ifndef ANIM_FORMAT_UNITY_UNITY_H
#define ANIM_FORMAT_UNITY_UNITY_H

#include <stdbool.h>

#include "base/input.h"
#include "clip/sink.h"
#include "format/read.h"

/*
 * Reads one file into the sink: TREE and NODEs where it has GameObjects, then its clips and those that its players lead to;
 * no end. 0, or -1: the error, or faults in losses (then the error says how many). Nothing but whole clips reaches the
 * sink.
 */
int anim_unity_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/* True where the window begins such a file: %YAML or %TAG lines, comments, then "--- !u!", whatever comes before. */
bool anim_unity_is(const uint8_t *bytes, size_t size);

/*
 * What a file holds beside animation clips, in words: "3 GameObjects and 2 MonoBehaviours"; empty where there is nothing
 * else. 0 or -1.
 */
int anim_unity_describe(struct anim_input *, char *text, size_t capacity, struct anim_error *);

#endif
