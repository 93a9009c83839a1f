/* reading.h: a motion that becomes a clip: its model, its tracks with keys, and its sampled tracks. Internal to format/mmd. */
#ifndef ANIM_FORMAT_MMD_READING_H
#define ANIM_FORMAT_MMD_READING_H

#include "clip/keys.h"
#include "clip/sink.h"
#include "format/mmd/model.h"
#include "format/mmd/motion.h"
#include "format/mmd/pose.h"
#include "format/read.h"
#include "stream/frames.h"

/* The tracks of a bone of the model. */
struct mmd_bound {
	uint32_t track;                      /* of the motion's bones, or MMD_NONE */
	bool bakes_rotation, bakes_position; /* its motion has other causes than its keys */
	bool morphs;                         /* one of these is a morph */
	uint32_t ik;                         /* the goal of the only cause of its motion, or MMD_NONE */
};

struct mmd_reading {
	const struct anim_read_options *options;
	struct anim_error *error;
	struct anim_sink *sink;
	const char *motion_file, *model_file; /* for messages. model_file is NULL without a model */
	struct mmd_motion motion;
	struct mmd_model model;
	struct mmd_bound *bound; /* for each bone of the model */
	uint32_t *morph_of;      /* for each track of the motion's morphs: the morph of the model, or MMD_NONE */
	uint32_t *switch_of;     /* for each chain of the model: the track of the motion's switches, or MMD_NONE */
	/* without a model: the names in paths of all tracks of the motion's bones, then of its switches of IK */
	const char **own_names;
	double unit_m;
	struct anim_arena arena;
	struct anim_buffer path;
	struct anim_keys keys;
	struct anim_buffer text;
};

/* Convert a position or a rotation to the axes of glTF, and a position to metres. */
static inline void mmd_to_metres(const struct mmd_reading *reading, const double in[3], float out[3])
{
	out[0] = (float)(in[0] * reading->unit_m);
	out[1] = (float)(in[1] * reading->unit_m);
	out[2] = (float)(-in[2] * reading->unit_m);
}

static inline void mmd_to_axes(const double in[4], float out[4])
{
	out[0] = (float)-in[0];
	out[1] = (float)-in[1];
	out[2] = (float)in[2];
	out[3] = (float)in[3];
}

/* ---- names.c: the nodes, and which of them a motion moves ---- */

/* Give every bone of the model a name in paths that no sibling has. Return 0 or -1. */
int mmd_name_bones(struct mmd_model *, struct anim_error *);

/* The same for the bones and switches of a motion without a model, which are siblings. Sets reading->own_names. Return 0 or -1. */
int mmd_name_tracks(struct mmd_reading *);

/* Return the path of a bone of the model in the buffer, which is emptied before, or NULL. */
const char *mmd_bone_path(const struct mmd_model *, uint32_t bone, struct anim_buffer *, struct anim_error *);

/* Push the tree of a model. `unit_m` is the length of the unit. Return 0 or -1. */
int mmd_push_model(struct mmd_model *, double unit_m, const char *root_name, const char *source_file,
		   struct anim_sink *, struct anim_error *);

/* Find the bones, morphs and chains of the model that the motion moves. Return 0 or -1. */
int mmd_bind(struct mmd_reading *);

/* ---- tracks.c: tracks with the keys of the file ---- */

/* Push the track of a bone at this node. The rest is the position without motion, in units of the file. Return 0 or -1. */
int mmd_push_position(struct mmd_reading *, uint32_t track, const char *node, const float rest[3]);
int mmd_push_rotation(struct mmd_reading *, uint32_t track, const char *node);

/* Push the switches of physics of a bone, if it is ever off. Return 0 or -1. */
int mmd_push_physics(struct mmd_reading *, uint32_t track, const char *node);

/* Push all tracks that do not move bones. Return 0 or -1. */
int mmd_push_others(struct mmd_reading *);

/* ---- bake.c: sampled tracks ---- */

/* All-zero is empty. */
struct mmd_bake {
	size_t samples;
	size_t *first;             /* for each bone: its first column. Rotations come before positions */
	struct anim_frames motion; /* a frame is a sample */
	struct anim_buffer values;
	uint32_t rate_num, rate_den;
};

/* Sample the bones that need it. Call mmd_bake_clear in any case. Return 0 or -1. */
int mmd_bake_run(struct mmd_bake *, struct mmd_reading *);
void mmd_bake_clear(struct mmd_bake *);

/* Push the sampled track of a bone, unless it is always the rest. Return 0 or -1. */
int mmd_bake_push(struct mmd_bake *, struct mmd_reading *, uint32_t bone, bool rotation, const char *node);

#endif
