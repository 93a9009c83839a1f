/* head.c: the head of a clip that is made of several. */
#include <string.h>

#include "filter/cat/join_internal.h"

/* Two axes that are both known and not the same make no clip. */
static int join_axes(uint8_t *axes, uint8_t other, const char *const *names, const struct anim_clip *clip,
		     const struct anim_join_part *part, struct anim_error *error)
{
	if (*axes == 0)
		*axes = other;
	if (other == 0 || other == *axes)
		return 0;
	return anim_fail(error, ANIM_BAD_INPUT,
			 "clip '%.100s' is in %s axes, that of %.100s in %s axes; put anim-axes before this",
			 clip->name, names[*axes], part->file, names[other]);
}

static int tell_root(struct anim_join_work *work, const struct anim_clip *head, const struct anim_clip *clip,
		     const struct anim_join_part *part, struct anim_error *error)
{
	if (strcmp(head->root, clip->root) == 0)
		return 0;
	return anim_losses_add(
	    work->losses, ANIM_WARNING, NULL,
	    "clips have another root than what they are joined with; their nodes count from the first's", error,
	    "clip '%.100s' of %.100s has the root '%.100s', what it is joined with '%.100s'; its "
	    "nodes count from there now",
	    clip->name, part->file, clip->root, head->root);
}

static int tell_loop(struct anim_join_work *work, const struct anim_clip *head, const struct anim_clip *clip,
		     const struct anim_join_part *part, struct anim_error *error)
{
	if (head->loop == clip->loop)
		return 0;
	return anim_losses_add(work->losses, ANIM_NOTE, NULL,
			       "clips have another loop mode than what they are joined with; that of the first is kept",
			       error,
			       "clip '%.100s' of %.100s has loop mode %s, what it is joined with %s, which is kept",
			       clip->name, part->file, anim_loop_names[clip->loop], anim_loop_names[head->loop]);
}

/* A loop that became longer no longer goes round as it did. */
static int tell_length(struct anim_join_work *work, const struct anim_clip *head, const struct anim_clip *clip,
		       const struct anim_join_part *part, struct anim_error *error)
{
	if (head->loop == ANIM_LOOP_NONE || (head->start_s == clip->start_s && head->end_s == clip->end_s))
		return 0;
	return anim_losses_add(
	    work->losses, ANIM_WARNING, NULL,
	    "loops have another start or end than what they are merged with; the longer time is kept", error,
	    "loop '%.100s' of %.100s has another start or end than what it is merged with; the "
	    "longer time is kept",
	    clip->name, part->file);
}

static int join_head(struct anim_join_work *work, struct anim_clip *head, struct anim_join_part *part, double end_s,
		     bool append, struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(work->store, part->clip);

	if (join_axes(&head->axes, clip->axes, anim_axes_names, head, part, error) != 0 ||
	    join_axes(&head->axes2d, clip->axes2d, anim_axes2d_names, head, part, error) != 0 ||
	    tell_root(work, head, clip, part, error) != 0 || tell_loop(work, head, clip, part, error) != 0 ||
	    (!append && tell_length(work, head, clip, part, error) != 0))
		return -1;
	if (append) {
		part->shift_s = end_s - (double)clip->start_s;
		head->end_s = (float)((double)clip->end_s + part->shift_s);
	} else {
		head->start_s = clip->start_s < head->start_s ? clip->start_s : head->start_s;
		head->end_s = clip->end_s > head->end_s ? clip->end_s : head->end_s;
	}
	if (!(clip->flags & ANIM_END_DERIVED))
		head->flags &= (uint8_t)~ANIM_END_DERIVED;
	if (head->rate_num == 0) {
		head->rate_num = clip->rate_num;
		head->rate_den = clip->rate_den;
	}
	return 0;
}

int anim_join_head(struct anim_join_work *work, struct anim_join_group *group, bool append, struct anim_clip *head,
		   struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(work->store, group->first->clip);
	double end_s = (double)clip->end_s;

	*head = *clip;
	for (struct anim_join_part *part = group->first->next; part != NULL; part = part->next) {
		clip = anim_store_clip(work->store, part->clip);
		if (join_head(work, head, part, end_s, append, error) != 0)
			return -1;
		end_s += (double)clip->end_s - (double)clip->start_s;
		head->record = NULL;
	}
	if (group->tree != NULL && !(head->flags & ANIM_IN_TREE)) {
		head->flags |= ANIM_IN_TREE;
		head->record = NULL;
	}
	return 0;
}
