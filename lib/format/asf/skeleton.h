/* skeleton.h: the lines of Acclaim files, and the bones of a skeleton. Internal to format/asf. */
#ifndef ANIM_FORMAT_ASF_SKELETON_H
#define ANIM_FORMAT_ASF_SKELETON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/input.h"
#include "base/map.h"
#include "clip/sink.h"
#include "format/read.h"
#include "math/quaternion.h"

/* ---- Lines of words ---- */

/* A line that is being read. Commas and parentheses count as blanks, and '#' begins a comment. */
struct asf_lines {
	struct anim_lines lines;
	const char *at, *end; /* the rest of the line */
	const char *word;     /* the last word */
	size_t length;
	struct anim_error *error;
};

/* Start before the first line. `input` and `error` are borrowed. */
void asf_lines_init(struct asf_lines *, struct anim_input *, struct anim_error *);

/* Get the next line that has a word, which becomes the current word. Return 1, 0 at the end, or -1. */
int asf_next_line(struct asf_lines *);

/* Get the next word of the line. Return false at its end. */
bool asf_next_word(struct asf_lines *);

/* Return whether the current word is this one, in either case of letters. */
bool asf_is_word(const struct asf_lines *, const char *word);

/* Read the rest of the line as up to `count` numbers. Return how many there are, or -1 for another word. */
int asf_numbers(struct asf_lines *, float *values, size_t count);

/* Fail at the current word, or at the end of the line after the last one. Return -1. */
int asf_fail(struct asf_lines *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- Bones ---- */

/* A degree of freedom. Its number is a position (0 to 2), a rotation (3 to 5) or the length of the bone. */
enum { ASF_ROTATION = 3, ASF_LENGTH = 6, ASF_DOFS = 7 };
#define ASF_NO_BONE UINT32_MAX

struct asf_bone {
	const char *name;
	uint32_t parent, line; /* parent: ASF_NO_BONE for the root, and before the hierarchy was read */
	uint32_t first_child, last_child, next; /* in the order of the hierarchy, or ASF_NO_BONE */
	float direction[3], length;
	double axis[4]; /* the frame in which its motion is measured */
	uint8_t dofs[ASF_DOFS], dof_count;
	enum anim_euler_order order; /* of the rotations of its motion */
};

/* All-zero is empty. */
struct asf_skeleton {
	const char *shown;        /* the name of the file in messages, in the arena */
	struct anim_arena arena;  /* all names */
	struct anim_buffer bones; /* struct asf_bone, of which the first is the root */
	struct anim_map names;    /* name in lower case -> number */
	double metres;            /* length of the unit of the file */
	bool in_radians;
	float position[3]; /* of the root, before its motion */
	double orientation[4];
	bool z_up;
};

/* Read a skeleton. Call asf_skeleton_clear in any case. Return 0, or -1 with the file and line. */
int asf_skeleton_read(struct asf_skeleton *, struct anim_input *, const struct anim_read_options *,
		      struct anim_error *);
void asf_skeleton_clear(struct asf_skeleton *);

static inline uint32_t asf_bone_count(const struct asf_skeleton *skeleton)
{
	return (uint32_t)(skeleton->bones.size / sizeof(struct asf_bone));
}

static inline struct asf_bone *asf_bone_at(const struct asf_skeleton *skeleton, uint32_t number)
{
	return (struct asf_bone *)(void *)skeleton->bones.data + number;
}

/* Find a bone by its name in either case of letters. Return its number or ASF_NO_BONE. */
uint32_t asf_bone_find(const struct asf_skeleton *, const char *name, size_t length);

/* Return the path of a bone in the buffer, which is emptied before, or NULL if out of memory. */
const char *asf_bone_path(const struct asf_skeleton *, uint32_t bone, struct anim_buffer *, struct anim_error *);

/* Convert a position to metres and Y up. */
void asf_in_space(const struct asf_skeleton *, float out[3], const float position[3]);

/* Return the place of a bone in its parent's space in the rest pose, in metres. */
void asf_bone_offset(const struct asf_skeleton *, uint32_t bone, float offset[3]);

/* Push the tree with all bones, and an end for each bone without children. Return 0 or -1. */
int asf_skeleton_push(const struct asf_skeleton *, const char *root_name, const char *source_file, struct anim_sink *,
		      struct anim_error *);

#endif
