/* bake.c: the motion that IK, other bones and morphs cause, sampled, and read back bone by bone. */
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "format/mmd/mmd.h"
#include "format/mmd/reading.h"
#include "math/quaternion.h"

#define STEPS_MAX ((uint64_t)1 << 32) /* bones that are placed for a motion, which takes minutes */

/* The motion of a bone by a morph, as a share of the weight of a track. */
struct bone_morph {
	uint32_t track, morph;
	double share;
};

struct sampling {
	struct mmd_bake *bake;
	struct mmd_reading *reading;
	struct mmd_pose pose;
	struct anim_buffer morphs; /* struct bone_morph */
	size_t *bone_keys;         /* for each bone: the key of the last sample */
	size_t *morph_keys, *switch_keys;
};

/* ---- Bones that need samples ---- */

static int add_morph(struct sampling *sampling, uint32_t track, uint32_t morph, double share)
{
	const struct bone_morph item = {track, morph, share};

	return anim_buffer_append(&sampling->morphs, &item, sizeof item, sampling->reading->error);
}

/* List the morphs of bones that the motion uses, itself or in a group. Groups in groups do nothing. Return 0 or -1. */
static int list_morphs(struct sampling *sampling)
{
	struct mmd_reading *reading = sampling->reading;
	const struct mmd_model *model = &reading->model;

	for (uint32_t i = 0; i < mmd_track_count(&reading->motion.morphs); i++) {
		uint32_t number = reading->morph_of[i];
		const struct mmd_morph *morph = number == MMD_NONE ? NULL : mmd_morph_at(model, number);

		if (morph == NULL)
			continue;
		if (morph->kind == MMD_MORPH_BONE && add_morph(sampling, i, number, 1) != 0)
			return -1;
		for (size_t k = 0; k < morph->part_count && morph->kind == MMD_MORPH_GROUP; k++) {
			const struct mmd_part *part = mmd_part_at(model, morph, k);

			if (part->item < mmd_morph_count(model) &&
			    mmd_morph_at(model, part->item)->kind == MMD_MORPH_BONE &&
			    add_morph(sampling, i, part->item, (double)part->weight) != 0)
				return -1;
		}
	}
	return 0;
}

/* Return whether the IK is always on and the only cause of motion of its links, which are not legs. */
static bool moves_alone(const struct mmd_reading *reading, size_t number)
{
	const struct mmd_section *switches = &reading->motion.ik;
	const struct mmd_ik *ik = mmd_ik_at(&reading->model, number);
	const struct mmd_track *track =
	    reading->switch_of[number] == MMD_NONE ? NULL : mmd_track_at(switches, reading->switch_of[number]);

	for (size_t k = 0; track != NULL && k < track->count; k++)
		if (!((const struct mmd_switch_key *)mmd_key_at(switches, track, k))->on)
			return false;
	for (size_t k = 0; k < ik->link_count; k++) {
		uint32_t bone = mmd_link_at(&reading->model, ik, k)->bone;

		if (bone != MMD_NONE && (reading->bound[bone].track != MMD_NONE || reading->bound[bone].morphs ||
					 mmd_bone_at(&reading->model, bone)->appends_rotation ||
					 mmd_is_leg(mmd_bone_at(&reading->model, bone)->name)))
			return false;
	}
	return true;
}

/* Mark the bones whose motion has other causes than their own keys. */
static void mark_bones(struct sampling *sampling)
{
	struct mmd_reading *reading = sampling->reading;
	const struct mmd_model *model = &reading->model;
	const struct mmd_section *switches = &reading->motion.ik;
	uint32_t count = mmd_bone_count(model);
	const struct bone_morph *morphs = (const void *)sampling->morphs.data;

	for (uint32_t i = 0; i < count; i++) {
		reading->bound[i].bakes_rotation = mmd_bone_at(model, i)->appends_rotation;
		reading->bound[i].bakes_position = mmd_bone_at(model, i)->appends_translation;
		reading->bound[i].ik = MMD_NONE;
	}
	for (size_t i = 0; i < mmd_ik_count(model); i++) {
		const struct mmd_ik *ik = mmd_ik_at(model, i);
		const struct mmd_track *track =
		    reading->switch_of[i] == MMD_NONE ? NULL : mmd_track_at(switches, reading->switch_of[i]);
		bool is_ever_on = track == NULL;

		for (size_t k = 0; track != NULL && k < track->count && !is_ever_on; k++)
			is_ever_on = ((const struct mmd_switch_key *)mmd_key_at(switches, track, k))->on;
		for (size_t k = 0; k < ik->link_count && is_ever_on; k++)
			if (mmd_link_at(model, ik, k)->bone != MMD_NONE)
				reading->bound[mmd_link_at(model, ik, k)->bone].bakes_rotation = true;
	}
	for (size_t i = 0; i < sampling->morphs.size / sizeof *morphs; i++) {
		const struct mmd_morph *morph = mmd_morph_at(model, morphs[i].morph);

		for (size_t k = 0; k < morph->part_count; k++) {
			uint32_t bone = mmd_part_at(model, morph, k)->item;

			if (bone >= count)
				continue;
			reading->bound[bone].bakes_rotation = reading->bound[bone].bakes_position = true;
			reading->bound[bone].morphs = true;
			sampling->pose.used[bone] = true;
		}
	}
	for (size_t i = 0; i < mmd_ik_count(model); i++) {
		const struct mmd_ik *ik = mmd_ik_at(model, i);

		if (!moves_alone(reading, i))
			continue;
		for (size_t k = 0; k < ik->link_count; k++)
			if (mmd_link_at(model, ik, k)->bone != MMD_NONE)
				reading->bound[mmd_link_at(model, ik, k)->bone].ik = ik->goal;
	}
}

/* Lay out the numbers of a sample. Return 0 or -1. */
static int lay_out(struct sampling *sampling)
{
	struct mmd_bake *bake = sampling->bake;
	struct mmd_reading *reading = sampling->reading;
	uint32_t count = mmd_bone_count(&reading->model);
	const uint64_t frames = reading->motion.last_frame;
	const uint64_t per_frame = (uint64_t)MMD_RATE * bake->rate_den;
	uint64_t samples = frames * bake->rate_num / per_frame + 1;
	size_t width = 0;

	bake->first = anim_arena_zeroed(&reading->arena, count + 1, sizeof *bake->first, reading->error);
	if (bake->first == NULL)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		const struct mmd_bound *bound = &reading->bound[i];

		bake->first[i] = width;
		width += (bound->bakes_rotation ? 4 : 0) + (bound->bakes_position ? 3 : 0);
	}
	if (samples > ANIM_SAMPLES_MAX || samples * (mmd_pose_cost(&sampling->pose) + count) > STEPS_MAX) {
		anim_fail(reading->error, ANIM_TOO_LARGE,
			  "the motion lasts %.0f seconds, which is too long to sample %u bones",
			  (double)frames / MMD_RATE, count);
		return anim_error_in_file(reading->error, reading->motion_file);
	}
	bake->samples = (size_t)samples;
	bake->motion.width = width;
	return 0;
}

/* ---- Samples ---- */

static void apply_morphs(struct sampling *sampling, double frame)
{
	const struct mmd_reading *reading = sampling->reading;
	const struct bone_morph *morphs = (const void *)sampling->morphs.data;

	for (size_t i = 0; i < sampling->morphs.size / sizeof *morphs; i++) {
		const struct mmd_section *section = &reading->motion.morphs;
		const struct mmd_morph *morph = mmd_morph_at(&reading->model, morphs[i].morph);
		double weight = morphs[i].share * mmd_morph_sample(section, mmd_track_at(section, morphs[i].track),
								   frame, &sampling->morph_keys[morphs[i].track]);

		for (size_t k = 0; k < morph->part_count && weight != 0; k++) {
			const struct mmd_part *part = mmd_part_at(&reading->model, morph, k);
			static const double none[4] = {0, 0, 0, 1};
			double q[4], more[4];
			struct mmd_bone_pose *bone;

			if (part->item >= mmd_bone_count(&reading->model))
				continue;
			bone = &sampling->pose.bones[part->item];
			for (size_t c = 0; c < 3; c++)
				bone->position[c] += weight * (double)part->position[c];
			for (size_t c = 0; c < 4; c++)
				q[c] = (double)part->rotation[c];
			anim_quat_slerp_double(more, none, q, weight);
			anim_quat_product(bone->rotation, more, bone->rotation);
			anim_quat_normalize_double(bone->rotation);
		}
	}
}

/* Evaluate the model at all samples. Return 0 or -1. */
static int sample_bones(struct sampling *sampling)
{
	struct mmd_bake *bake = sampling->bake;
	const struct mmd_reading *reading = sampling->reading;
	const struct mmd_section *switches = &reading->motion.ik;
	const uint32_t bones = mmd_bone_count(&reading->model);

	for (size_t k = 0; k < bake->samples; k++) {
		double frame = (double)k * MMD_RATE * bake->rate_den / bake->rate_num;
		float *to = anim_frames_add(&bake->motion, reading->error);

		if (to == NULL)
			return -1;
		for (uint32_t i = 0; i < bones; i++) {
			struct mmd_bone_pose *bone = &sampling->pose.bones[i];
			uint32_t track = reading->bound[i].track;

			if (!sampling->pose.used[i])
				continue;
			if (track != MMD_NONE) {
				mmd_bone_sample(&reading->motion.bones, mmd_track_at(&reading->motion.bones, track),
						frame, &sampling->bone_keys[i], bone->position, bone->rotation);
			} else {
				memset(bone->position, 0, sizeof bone->position);
				memcpy(bone->rotation, (const double[4]){0, 0, 0, 1}, sizeof bone->rotation);
			}
		}
		apply_morphs(sampling, frame);

		/* The last switch at or before a frame counts, before the first one the first. */
		for (size_t i = 0; i < mmd_ik_count(&reading->model); i++) {
			uint32_t number = reading->switch_of[i];
			const struct mmd_switch_key *key;

			if (number == MMD_NONE)
				continue;
			mmd_find(switches, mmd_track_at(switches, number), frame, &sampling->switch_keys[i]);
			key = mmd_key_at(switches, mmd_track_at(switches, number), sampling->switch_keys[i]);
			sampling->pose.ik_on[i] = key->on != 0;
		}
		mmd_pose_evaluate(&sampling->pose);

		/* Store the sample. */
		for (uint32_t i = 0; i < bones; i++) {
			const struct mmd_bone_pose *bone = &sampling->pose.bones[i];

			if (reading->bound[i].bakes_rotation) {
				mmd_to_axes(bone->local_rotation, to);
				to += 4;
			}
			if (reading->bound[i].bakes_position) {
				mmd_to_metres(reading, bone->local_position, to);
				to += 3;
			}
		}
	}
	return anim_frames_end(&bake->motion, reading->error);
}

int mmd_bake_run(struct mmd_bake *bake, struct mmd_reading *reading)
{
	const struct anim_read_options *options = reading->options;
	struct sampling sampling = {.bake = bake, .reading = reading};
	struct anim_arena *arena = &reading->arena;
	struct anim_error *error = reading->error;
	bool moves_bones;
	int result = list_morphs(&sampling);

	bake->rate_num = options->rate_num > 0 ? options->rate_num : MMD_RATE;
	bake->rate_den = options->rate_num > 0 ? options->rate_den : 1;
	anim_frames_init(&bake->motion, options->store_memory);
	moves_bones = sampling.morphs.size > 0;
	for (uint32_t i = 0; i < mmd_bone_count(&reading->model); i++)
		moves_bones |= reading->bound[i].track != MMD_NONE;
	if (result == 0 && moves_bones) {
		result = mmd_pose_init(&sampling.pose, &reading->model, error);
		if (result == 0)
			mark_bones(&sampling);
		if (result == 0)
			result = lay_out(&sampling);
		if (result == 0 && bake->motion.width > 0) {
			sampling.bone_keys =
			    anim_arena_zeroed(arena, mmd_bone_count(&reading->model) + 1, sizeof(size_t), error);
			sampling.morph_keys = anim_arena_zeroed(arena, mmd_track_count(&reading->motion.morphs) + 1,
								sizeof(size_t), error);
			sampling.switch_keys =
			    anim_arena_zeroed(arena, mmd_ik_count(&reading->model) + 1, sizeof(size_t), error);
			result =
			    sampling.bone_keys == NULL || sampling.morph_keys == NULL || sampling.switch_keys == NULL
				? -1
				: sample_bones(&sampling);
		}
		mmd_pose_clear(&sampling.pose);
	}
	anim_buffer_clear(&sampling.morphs);
	return result;
}

void mmd_bake_clear(struct mmd_bake *bake)
{
	anim_frames_clear(&bake->motion);
	anim_buffer_clear(&bake->values);
}

/* ---- Tracks ---- */

int mmd_bake_push(struct mmd_bake *bake, struct mmd_reading *reading, uint32_t bone, bool rotation, const char *node)
{
	const struct mmd_bound *bound = &reading->bound[bone];
	size_t count = rotation ? 4 : 3;
	struct anim_track track = {.kind = ANIM_RAW,
				   .type = rotation ? ANIM_FLOATQ : ANIM_FLOAT3,
				   .node = node,
				   .property = rotation ? "rotation" : "position",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = bake->samples,
				   .rate_num = bake->rate_num,
				   .rate_den = bake->rate_den};
	float rest[4] = {0, 0, 0, 1}, offset[3];
	float *values;
	bool is_rest = true;
	struct anim_attr attr = {ANIM_MMD_IK_OF, NULL};

	if (bake->samples == 0)
		return 0;
	if (rotation && bound->ik != MMD_NONE) {
		attr.value = mmd_bone_at(&reading->model, bound->ik)->name;
		track.attrs = (struct anim_attrs){&attr, 1};
	}
	bake->values.size = 0;
	values = anim_buffer_extend(&bake->values, bake->samples * count * sizeof *values, reading->error);
	if (values == NULL ||
	    anim_frames_copy(&bake->motion, bake->first[bone] + (rotation || !bound->bakes_rotation ? 0 : 4), count,
			     values, count, reading->error) != 0)
		return -1;
	if (rotation) {
		anim_quat_smooth_signs(values, bake->samples);
	} else {
		mmd_bone_offset(&reading->model, bone, offset);
		mmd_to_metres(reading, (const double[3]){(double)offset[0], (double)offset[1], (double)offset[2]},
			      rest);
	}
	for (size_t k = 0; k < bake->samples && is_rest; k++)
		for (size_t i = 0; i < count; i++)
			is_rest &= !(fabsf(values[k * count + i] - rest[i]) > 1e-7F);
	if (is_rest)
		return 0;
	track.value = bake->values.data;
	return anim_sink_track(reading->sink, &track, reading->error);
}
