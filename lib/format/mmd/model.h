/* model.h: the skeleton of a model (.pmx, .pmd) and the causes of motion of its bones. Internal to format/mmd. */
#ifndef ANIM_FORMAT_MMD_MODEL_H
#define ANIM_FORMAT_MMD_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/input.h"
#include "format/read.h"

#define MMD_NONE UINT32_MAX

/* A bone. In the rest pose it has no rotation. Numbers of bones are valid or MMD_NONE. */
struct mmd_bone {
	const char *name, *english; /* UTF-8, in the arena */
	const char *own;            /* the name in paths, which no sibling has */
	float position[3];          /* in the space of the model */
	uint32_t parent;            /* parents do not form loops */
	int32_t layer;
	bool after_physics;
	/* Rotation or translation that the bone copies from another one, times a ratio. */
	bool appends_rotation, appends_translation, appends_local;
	uint32_t append_from;
	float append_ratio;
	bool has_axis; /* it rotates about one axis only, of length 1 or 0 */
	float axis[3];
	uint32_t node; /* for the caller */
};

/* A bone of a chain that IK rotates. */
struct mmd_link {
	uint32_t bone;
	bool limited;
	float min[3], max[3]; /* angles in radians, min <= max */
};

/* A chain: its links, from the effector up, bring the effector to the bone of the goal. */
struct mmd_ik {
	uint32_t goal, effector;
	uint32_t loops;
	float limit; /* largest rotation in a step of the first link, in radians */
	size_t first_link, link_count;
};

enum mmd_morph_kind { MMD_MORPH_OTHER, MMD_MORPH_GROUP, MMD_MORPH_BONE };

/* A part of a morph: another morph and its share, or a bone and its motion. */
struct mmd_part {
	uint32_t item;
	float weight, position[3], rotation[4];
};
struct mmd_morph {
	const char *name;
	enum mmd_morph_kind kind;
	size_t first_part, part_count;
};

/* All-zero is empty. */
struct mmd_model {
	const char *name; /* UTF-8, may be empty */
	struct anim_buffer bones, iks, links, morphs, parts;
	struct anim_arena arena;
};

/* Return whether a bone has one of the usual names of legs. */
bool mmd_is_leg(const char *name);

/* Return whether the bytes begin like a .pmd file. A .pmx file begins with "PMX ". */
bool mmd_is_pmd(const uint8_t *bytes, size_t size);

/* Read a model of either format. Call mmd_model_clear in any case. Return 0, or -1 with the byte. */
int mmd_model_read(struct mmd_model *, struct anim_input *, const struct anim_read_options *, struct anim_error *);
void mmd_model_clear(struct mmd_model *);

static inline uint32_t mmd_bone_count(const struct mmd_model *model)
{
	return (uint32_t)(model->bones.size / sizeof(struct mmd_bone));
}

static inline struct mmd_bone *mmd_bone_at(const struct mmd_model *model, uint32_t bone)
{
	return (struct mmd_bone *)(void *)model->bones.data + bone;
}

static inline size_t mmd_ik_count(const struct mmd_model *model)
{
	return model->iks.size / sizeof(struct mmd_ik);
}

static inline struct mmd_ik *mmd_ik_at(const struct mmd_model *model, size_t ik)
{
	return (struct mmd_ik *)(void *)model->iks.data + ik;
}

static inline struct mmd_link *mmd_link_at(const struct mmd_model *model, const struct mmd_ik *ik, size_t link)
{
	return (struct mmd_link *)(void *)model->links.data + ik->first_link + link;
}

static inline uint32_t mmd_morph_count(const struct mmd_model *model)
{
	return (uint32_t)(model->morphs.size / sizeof(struct mmd_morph));
}

static inline struct mmd_morph *mmd_morph_at(const struct mmd_model *model, uint32_t morph)
{
	return (struct mmd_morph *)(void *)model->morphs.data + morph;
}

static inline const struct mmd_part *mmd_part_at(const struct mmd_model *model, const struct mmd_morph *morph,
						 size_t part)
{
	return (const struct mmd_part *)(const void *)model->parts.data + morph->first_part + part;
}

/*
 * List all bones so that parents come before their children, otherwise in the order `wanted` (NULL: by number). `order`
 * has room for all. Return 0 or -1.
 */
int mmd_parents_first(const struct mmd_model *, const uint32_t *wanted, uint32_t *order, struct anim_error *);

/* Get the offset of a bone from its parent in the rest pose. */
void mmd_bone_offset(const struct mmd_model *, uint32_t bone, float offset[3]);

#endif
