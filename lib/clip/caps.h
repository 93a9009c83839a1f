/* caps.h: what a target can hold, told to the conversion layer. */
#ifndef ANIM_CLIP_CAPS_H
#define ANIM_CLIP_CAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "clip/track.h"

/* Whether curves with handles of vectors become Bezier2D tracks of their components. */
enum anim_bezier {
	ANIM_BEZIER_AUTO,  /* where the components are exact and the whole would be approximated */
	ANIM_BEZIER_NEVER, /* the whole is fitted by the other modes */
	ANIM_BEZIER_ALWAYS /* wherever components may stand alone */
};

/* Attribute that conversion gives to what was of two dimensions and got a third: no axes of space count for it. */
#define ANIM_ATTR_FLAT "unity.flat"

/*
 * One constant per writer. A track that fits goes through untouched; another is converted to what fits, or dropped with
 * a warning. Bits: 1u << kind, (uint64_t)1 << type, 1u << interp.
 */
struct anim_caps {
	const char *format; /* for messages: "animj" */
	unsigned kinds;
	uint64_t types;
	unsigned interps;          /* of Curve tracks */
	unsigned flags;            /* of rest-relative, degrees, percent, unsorted, disabled: those that it can hold */
	enum anim_rules rules;     /* whose player will play it: errors are measured against that */
	bool mixed_interps;        /* keys of one track may have different modes */
	bool components;           /* a component of position, rotation, scale, euler may stand alone */
	bool euler, angle;         /* Euler and 2-D angles as they are; else rotation quaternions */
	bool ease;                 /* column 7 */
	bool ends;                 /* before and after other than hold */
	bool matrices;             /* matrices; else a transform is split into position, rotation, scale */
	bool negative_times;       /* keys before the clip's start */
	bool raw_start;            /* Raw tracks that do not begin at the clip's start */
	bool continuous_rotations; /* its player takes the long way: signs of quaternions from elsewhere must agree */
	unsigned own_flags;        /* flags that it holds besides, of tracks whose rules are its own */
	enum anim_bezier bezier;   /* of targets that have Bezier2D and components */
	bool bones;                /* nodes `Skeleton:Bone` take whole positions, rotations and scales only */
	bool joined_rotations;     /* components of rotation are joined whatever `components` says */
	bool lone_components; /* a component that cannot be joined is kept as a track of its own; else it is left out */
	/*
	 * Positions, rotations, scales and Euler angles have three components (four) whatever the source has: single ones are
	 * joined, those without track show the rest, else 0 (scale 1), and those of two dimensions get the third.
	 */
	bool whole_transforms;
	bool relative_bones; /* positions, rotations and scales of bones are relative to their rests */
	bool source_texts;   /* Godot's source text of values as it stands; else what it means, where it is a text */
	bool euler_yxz;      /* Euler angles of another order than YXZ only where the tree's node has it */
	bool regular;        /* no two keys of a track at one time, and no slope that is not finite */
	bool midway; /* a filter goes on with the result: messages for those who play it are left to the writer */
	/* False for what it has no place for, whatever the keys: that goes through as it is, to be told by the writer. NULL: true. */
	bool (*holds)(const struct anim_track *);
};

#endif
