/* unity.h: reads .anim .controller .overrideController .prefab .unity .asset .playable as text, writes .anim. */
#ifndef ANIM_FORMAT_UNITY_UNITY_H
#define ANIM_FORMAT_UNITY_UNITY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/input.h"
#include "base/output.h"
#include "clip/caps.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "format/read.h"
#include "format/write.h"

/*
 * Reads one file into the sink: TREE and NODEs where it has GameObjects, then its clips and those that its players lead to;
 * no end. 0, or -1: the error, or faults in diagnostics (then the error says how many). Nothing but whole clips reaches the
 * sink.
 */
int anim_unity_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/* True where the window begins such a file: %YAML or %TAG lines, comments, then "--- !u!", whatever comes before. */
bool anim_unity_is(const uint8_t *bytes, size_t size);

/*
 * What a file holds beside animation clips, in words: "3 GameObjects and 2 MonoBehaviours"; empty where there is nothing
 * else. 0 or -1.
 */
int anim_unity_describe(struct anim_input *, size_t store_memory, size_t *clips, char *text, size_t capacity,
			struct anim_error *);

/* ---- Writing ---- */

/* What the writer holds. */
extern const struct anim_caps anim_unity_caps;

/*
 * A sink for exactly one clip (a second one is an error; choosing is the caller's: filter/pick.h), written by end() as
 * one AnimationClip document of version 6, which editors from 5.5 on load; end fails where no clip came or diagnostics
 * forbid it. What the clip's and tracks' attributes keep of Unity's own fields is put back where it stood. Keys of
 * Hermite and Weighted curves are written as they are; Hold becomes infinite slopes, Linear the slope of the line on
 * both sides; Euler angles in radians become degrees, blend shapes that are fractions percent. Types and modes that it
 * has no place for are errors (ANIM_UNSUPPORTED): put filter/convert with anim_unity_caps before it. What Unity has no
 * curve for is left out with a warning. Output is borrowed and not committed. NULL on failure.
 */
struct anim_sink *anim_unity_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

/* 32 hexadecimal digits and a NUL, by which Unity tells assets apart. */
#define ANIM_UNITY_GUID 33

/* True for 32 hexadecimal digits. */
bool anim_unity_guid_is(const char *text);

/*
 * The guid of a clip in a file: FNV-1a of 128 bits over the file's name, a zero byte and the clip's name. The same two
 * give the same guid everywhere and for ever.
 */
void anim_unity_guid(const char *file, const char *clip, char guid[ANIM_UNITY_GUID]);

/*
 * Opens PATH.meta for an .anim at PATH and writes what gives it this guid; the caller commits it. guid NULL: that of the
 * clip and the file's path below the nearest folder that holds Assets/ ("Assets/hero/walk.anim"), of the file's last name
 * where there is none. Where the file is there with these very bytes *out is NULL and all is well; where it has others it
 * is an error unless `force`. 0, or -1 with *out to be freed.
 */
int anim_unity_meta_open(struct anim_output **out, const char *path, const char *guid, const char *clip, bool force,
			 struct anim_error *);

/* Whether the file that options->into names can be read. 0 or -1. */
int anim_unity_into(struct anim_write_options *, struct anim_error *);

#endif
