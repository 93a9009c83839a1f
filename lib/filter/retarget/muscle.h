/* muscle.h: the formulas of Unity's humanoid: muscles to rotations of bones, the body to a position of the hips. */
#ifndef ANIM_FILTER_RETARGET_MUSCLE_H
#define ANIM_FILTER_RETARGET_MUSCLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/rename/rename.h"

/*
 * All functions use Unity's axes: left-handed, x to the right, y up, z forward. A model at rest faces z, and its arms
 * point along x. The formulas and constants were measured on avatars of Unity, and on clips that Unity wrote both as
 * humanoid and as generic clips.
 */

/*
 * Find the bone of a muscle and the axis of its swing-twist rotation (0: twist about the bone, 1 and 2: swings). Both of
 * Unity's spellings are known: of clips ("LeftHand.Index.1 Stretched") and of scripts ("Left Index 1 Stretched").
 * False: no muscle.
 */
bool anim_muscle_find(const char *name, enum anim_human_bone *bone, unsigned *axis);

/* Return the number of a curve of the body: 0 to 2 for RootT.x to RootT.z, 3 to 6 for RootQ.x to RootQ.w, otherwise 7. */
#define ANIM_MUSCLE_ROOTS 7
unsigned anim_muscle_root(const char *name);

/* The axes of a bone: anim_muscle_axes. */
#define ANIM_MUSCLE_TWIST_AXIS 1u
#define ANIM_MUSCLE_SWING_Y 2u
#define ANIM_MUSCLE_SWING_Z 4u
unsigned anim_muscle_axes(enum anim_human_bone); /* which axes have a muscle */

/* Print the name of a muscle as clips spell it. Returns the same as snprintf. The bone must have the axis. */
int anim_muscle_name(enum anim_human_bone, unsigned axis, char *out, size_t capacity);

/*
 * Find the muscle that moves the mirrored bone. *sign is -1 if its value is to be negated, else 1. The axis stays.
 */
enum anim_human_bone anim_muscle_mirror(enum anim_human_bone bone, unsigned axis, double *sign);

/*
 * Return the bone that moves instead of one that a skeleton may lack: the chest for the upper chest, the spine for the
 * chest, the head for the neck, the upper arm for the shoulder. ANIM_HUMAN_BONES: none.
 */
enum anim_human_bone anim_muscle_instead(enum anim_human_bone bone);

/* The angles of a bone's three axes, in degrees, if their muscles are -1, 1 and 0. */
struct anim_muscle_limits {
	double low[3], high[3], centre[3];
};

/* The part of its twist that a bone of a limb passes on, unless an avatar says otherwise. */
#define ANIM_MUSCLE_TWIST 0.5

/* A bone of a skeleton in its T-pose, in the space of the skeleton's root. */
struct anim_muscle_joint {
	bool known;      /* the skeleton has the bone */
	int parent;      /* the nearest bone of a human above, or -1 */
	bool direct;     /* no other node is between the two */
	double place[3]; /* its position */
	double turn[4];  /* its rotation, of length 1 */
	double above[4]; /* the rotation of the node right above it, bone or not */
	double twist;    /* the part of its twist that it passes on to the bone below, if it is one of a limb */
	bool posed;      /* `pose` is its local rotation in the T-pose: the skeleton rests in another pose */
	double pose[4];
	bool limited; /* it has limits of its own, otherwise Unity's default limits */
	struct anim_muscle_limits limits;
};

/* Give a joint these limits. Limits that differ from the default only by rounding count as the default. */
void anim_muscle_limit(struct anim_muscle_joint *, enum anim_human_bone, const struct anim_muscle_limits *);

/*
 * Return the angle in radians that a muscle with this value adds to the axis of its bone. The limits are the limits of the
 * joint, or Unity's if it is NULL. Values beyond -1 and 1 go on.
 */
double anim_muscle_angle(const struct anim_muscle_joint *, enum anim_human_bone, unsigned axis, double value);

/* Return the value of a muscle that gives this angle: the inverse of anim_muscle_angle. 0 if nothing moves the axis. */
double anim_muscle_value(const struct anim_muscle_joint *, enum anim_human_bone, unsigned axis, double angle);

/* The constants of a joint: local = pre * swing-twist * back, all relative to the node right above. */
struct anim_muscle_bone {
	struct anim_muscle_joint joint;
	double pre[4], post[4], back[4]; /* back: the inverse of post */
	double rest[4];                  /* local rotation in the T-pose */
	/* from the own axes of the bone above (or the root) to the axes in which this bone is swung and twisted */
	double lead[4];
	double between[4]; /* from the bone above (or the root) to the node right above */
	double offset[3];  /* from the bone above, in its space */
	double length;
	double mass;
};

/* A skeleton in its T-pose. */
struct anim_muscle_body {
	struct anim_muscle_bone bones[ANIM_HUMAN_BONES];
	enum anim_human_bone order[ANIM_HUMAN_BONES]; /* parents before children */
	unsigned count;                               /* of the bones in that list */
	double base[4];                               /* the body's orientation */
	double scale;                                 /* height of the mass centre: Unity's human scale */
};

/*
 * Find a bone that the skeleton lacks although nothing can be computed without it: hips, spine, head, upper and lower
 * arms and legs, hands and feet. ANIM_HUMAN_BONES: it has all.
 */
enum anim_human_bone anim_muscle_lacking(const struct anim_muscle_joint[ANIM_HUMAN_BONES]);

/* Rotate the bones that have a T-pose of their own, and all bones below them, into it. */
void anim_muscle_to_tpose(struct anim_muscle_joint[ANIM_HUMAN_BONES]);

/*
 * Rotate a skeleton that rests on its back or side, as in some motion capture, so that it is upright. False: its legs
 * then do not point down. The skeleton must have all bones that anim_muscle_lacking requires.
 */
bool anim_muscle_upright(struct anim_muscle_joint[ANIM_HUMAN_BONES], bool *rotated);

/*
 * Place such a skeleton on the ground, at y = 0, if it rests below the ground or (anywhere) at any height. Heights are
 * relative to the mass centre of the T-pose, so it needs the ground.
 */
void anim_muscle_raise(struct anim_muscle_joint[ANIM_HUMAN_BONES], bool anywhere);

/*
 * Rotate upper and lower arms and legs of a skeleton that rests in another pose, such as with its arms down, the
 * shortest way into the T-pose, if they point elsewhere by more than so many radians. Returns how many were rotated.
 */
unsigned anim_muscle_straighten(struct anim_muscle_joint[ANIM_HUMAN_BONES], double radians);

/*
 * Make a body of joints, which include all needed bones. False: bones have no length, or the skeleton is not human.
 */
bool anim_muscle_body_make(struct anim_muscle_body *, const struct anim_muscle_joint[ANIM_HUMAN_BONES]);

/*
 * Compute the rotation of a bone from its three angles (radians), relative to the node right above. `twist` is the angle
 * that the bone above passes on. It is used only if that bone is the node right above.
 */
void anim_muscle_rotation(const struct anim_muscle_body *, enum anim_human_bone, const double angles[3], double twist,
			  double out[4]);

/* Return the bone right below that takes a part of a bone's twist, or ANIM_HUMAN_BONES. */
enum anim_human_bone anim_muscle_twists(const struct anim_muscle_body *, enum anim_human_bone);

/*
 * Compute the position and rotation of the hips in the root's space. root_place is RootT, in units of the human scale.
 * root_turn is RootQ, of any length but 0. locals are the rotations of all bones, relative to the nodes right above.
 */
void anim_muscle_hips(const struct anim_muscle_body *, double (*locals)[4], const double root_place[3],
		      const double root_turn[4], double place[3], double turn[4]);

/* ---- The inverse: rotations of bones to muscles ---- */

#define ANIM_MUSCLE_GOALS 4 /* left and right foot, left and right hand */

/* A place and a rotation in units of Unity's clips: the body, or a goal relative to the body. */
struct anim_muscle_placement {
	double place[3], turn[4];
};

#define ANIM_MUSCLE_LIMBS 4 /* left and right arm, left and right leg */

/*
 * The twist of a limb's upper bone in one pose: from + by. `from` is the twist that the bone has without its hinge. The
 * lower bone's direction is off the plane of the hinge by an angle whose sine is a + b cos(by) + c sin(by).
 */
struct anim_muscle_hinge {
	double from, by, a, b, c;
};

/*
 * One pose of a body. The caller sets `wanted` of all bones that the body has, in the root's space, and the position of
 * the hips. `angles` are read as the angles of the pose before, which makes twists beyond 180 degrees continuous. All
 * members may be 0 at first.
 */
struct anim_muscle_pose {
	double wanted[ANIM_HUMAN_BONES][4];
	double hips[3];
	double angles[ANIM_HUMAN_BONES][3]; /* radians, of the axes that have a muscle */
	struct anim_muscle_hinge hinges[ANIM_MUSCLE_LIMBS];
	bool chosen; /* `by` of all hinges is given, otherwise the pose alone decides */
	/*
	 * The own axes of bones as muscles reach them, in the root's space: rotation * post. The bones of limbs have all
	 * of their twist.
	 */
	double own[ANIM_HUMAN_BONES][4];
	/*
	 * The sine of half the angle between the wanted rotation and the rotation that muscles reach. Of arms and legs it is
	 * the angle between both directions, because hands and feet determine the twist.
	 */
	double off[ANIM_HUMAN_BONES];
	struct anim_muscle_placement root;                     /* RootT and RootQ */
	struct anim_muscle_placement goals[ANIM_MUSCLE_GOALS]; /* LeftFootT and LeftFootQ, and so on */
};

/*
 * Compute the angles of all bones. anim_muscle_rotation with these angles gives the wanted rotations, except for `off`.
 * The upper bone of a limb is twisted so that the hinge of its elbow or knee points the right way, as far as the limb
 * bends. Hands and feet have the wanted places and rotations, whatever the bones above them can reach.
 */
void anim_muscle_solve(const struct anim_muscle_body *, struct anim_muscle_pose *);

/*
 * Let the twists of a limb follow each other over a clip, in seconds. `by` is changed: if the limb is nearly straight,
 * it follows its neighbours. `work` has room for 4 numbers a sample.
 */
void anim_muscle_smooth(struct anim_muscle_hinge *, const double *times, size_t count, double *work);

/* Compute `root` and `goals` of a pose that is solved. anim_muscle_hips gives the wanted hips for this root. */
void anim_muscle_place(const struct anim_muscle_body *, struct anim_muscle_pose *);

#endif
