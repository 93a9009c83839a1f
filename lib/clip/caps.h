/* caps.h: the capabilities of a target, for the conversion layer. */
#ifndef ANIM_CLIP_CAPS_H
#define ANIM_CLIP_CAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "clip/track.h"

/* Whether vector curves with handles become Bezier2D tracks of their components. */
enum anim_bezier {
	ANIM_BEZIER_AUTO,  /* if the components are exact and a track of all components would be approximated */
	ANIM_BEZIER_NEVER, /* approximate all components together with the other modes */
	ANIM_BEZIER_ALWAYS /* whenever components may have tracks of their own */
};

/*
 * Attribute that conversion gives to two-dimensional tracks that got a third component. Conversion of 3-D axes skips
 * them.
 */
#define ANIM_ATTR_FLAT "unity.flat"

/*
 * Attribute of a clip or a tree from Unity, whose files do not record it: they are two-dimensional, because they have
 * sprites and nothing that only exists in space.
 */
#define ANIM_ATTR_2D "2d"

/* Attribute of a clip from Unity: the nodes of lights whose spot angle it animates, each followed by a line end. */
#define ANIM_ATTR_SPOTS "spot_lights"

/* Attribute of a clip from Unity: the nodes of sounds whose distances in space it animates, each followed by a line end. */
#define ANIM_ATTR_SOUNDS "sounds_in_space"

/*
 * Attribute of a clip from Unity: the nodes of cameras and lights that it animates, each followed by a line end. They
 * look along +Z in Unity.
 */
#define ANIM_ATTR_LOOKS "cameras_and_lights"

/*
 * One constant per writer. A supported track passes unchanged. Other tracks are converted to a supported form, or
 * dropped with a warning. Bits: 1u << kind, (uint64_t)1 << type, 1u << interp.
 */
struct anim_caps {
	const char *format; /* for messages, for example "animj" */
	unsigned kinds;
	uint64_t types;
	unsigned interps;      /* modes of Curve tracks */
	unsigned flags;        /* supported among rest-relative, degrees, percent, unsorted, disabled */
	enum anim_rules rules; /* the player of the format: errors are measured against it */
	uint8_t engine;        /* enum anim_engine: properties get its names and meanings. 0: no change */
	bool mixed_interps;    /* keys of one track may have different modes */
	bool components;       /* components of position, rotation, scale, euler may have tracks of their own */
	bool euler, angle;     /* supports Euler and 2-D angles; otherwise they become quaternions */
	/* Rotations become Euler angles in degrees. All tracks of a node have one order: that of its first angles, else ZYX. */
	bool euler_only;
	unsigned
	    weight_units;    /* lengths of Weighted handles are whole multiples of 1/weight_units, or thirds; 0: any */
	bool ease;           /* supports column 7 */
	bool ends;           /* supports pre and post other than hold */
	bool matrices;       /* supports matrices; otherwise a transform is split into position, rotation, scale */
	bool negative_times; /* supports keys before the start of the clip */
	bool raw_start;      /* supports Raw tracks that do not begin at the start of the clip */
	/* its player does not choose the shorter arc: signs of other players' quaternions must be made continuous */
	bool continuous_rotations;
	unsigned own_flags;      /* further flags, supported for tracks with its own rules */
	enum anim_bezier bezier; /* for targets that have Bezier2D and components */
	bool bones;              /* nodes `Skeleton:Bone` accept only complete positions, rotations and scales */
	/*
	 * Each part of a transform in space (position, rotation, scale) has one form: components from other engines are
	 * joined, and Euler angles become rotations, unless `bezier` is ALWAYS. A player of Godot resets a part that
	 * another clip animates in another form.
	 */
	bool one_form;
	bool joined_rotations; /* components of rotation are joined, whatever `components` says */
	bool lone_components;  /* keep a component that cannot be joined as a track of its own; otherwise drop it */
	/*
	 * Positions, rotations, scales and Euler angles need three components (rotations four). Single components are
	 * joined. Components without a track get the rest pose, or 0 (scale 1) if there is none. Two-dimensional
	 * values get the third component.
	 */
	bool whole_transforms;
	bool only_space;     /* positions and scales have three components, and two-dimensional ones get the third */
	bool relative_bones; /* positions, rotations and scales of bones are relative to their rest poses */
	/* keeps Godot's source text of values unchanged; otherwise a source text of a string becomes that string */
	bool source_texts;
	bool euler_yxz; /* supports Euler orders other than YXZ only if the node in the tree has that order */
	bool frames;    /* transforms are samples of whole values at the same times (filter/frames.h) */
	bool regular;   /* requires different times of all keys, and finite slopes */
	bool midway;    /* the result goes to another filter, so the writer gives the warnings that concern players */
	/*
	 * Return false if the target cannot store the track, whatever its keys. Such a track passes unchanged, and
	 * the writer reports it. NULL: always true.
	 */
	bool (*holds)(const struct anim_track *);
	/* Return true for tracks that pass unchanged, because the writer converts them itself. NULL: always false. */
	bool (*unchanged)(const struct anim_track *);
};

#endif
