/* form1_choose.h: how a block of a numeric column is best prepared, told by a sample of it. Internal to stream. */
#ifndef ANIM_STREAM_FORM1_CHOOSE_H
#define ANIM_STREAM_FORM1_CHOOSE_H

#include <stdbool.h>

#include "stream/track_record.h"

#define ANIM_FORM1_LANES_MAX 16
#define ANIM_FORM1_WIDTH_MAX 8

/* Planes of fewer keys share their statistics: what each would gain by its own, their description would cost. */
#define ANIM_FORM1_PLANE_KEYS 512

struct anim_form1_lane {
	uint8_t order;
	bool is_noise[ANIM_FORM1_WIDTH_MAX]; /* of each byte plane: it has close to 8 bits a byte */
};

struct anim_form1_choice {
	struct anim_form1_lane lane[ANIM_FORM1_LANES_MAX];
	bool stands_still;    /* most keys are equal to the one before: matches over whole keys cannot be bettered */
	bool repeats;         /* stretches of keys come again later in the block */
	double plain_bits;    /* estimates for the whole block: as it is */
	double prepared_bits; /* and prepared so */
};

/* Looks at `keys` keys (at least 1) that begin at `column`. The same bytes give the same choice on any machine. */
void anim_form1_choose(struct anim_form1_choice *, const uint8_t *column, size_t keys, struct anim_column_shape);

#endif
