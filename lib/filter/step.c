/* step.c: tracks that only step, cut to a clip or made from samples. */
#include "filter/step.h"

#include <string.h>

void anim_steps_reset(struct anim_steps *steps)
{
	steps->time.size = steps->value.size = steps->length.size = steps->start.size = steps->bytes.size = 0;
	steps->n = 0;
}

void anim_steps_clear(struct anim_steps *steps)
{
	anim_buffer_clear(&steps->time);
	anim_buffer_clear(&steps->value);
	anim_buffer_clear(&steps->length);
	anim_buffer_clear(&steps->start);
	anim_buffer_clear(&steps->bytes);
	steps->n = 0;
}

static int add_text(struct anim_steps *steps, const struct anim_text *text, struct anim_error *error)
{
	uint64_t start = steps->bytes.size;
	size_t bytes = text->length == ANIM_NULL_STRING ? 0 : text->length;

	if (anim_buffer_append(&steps->length, &text->length, sizeof text->length, error) != 0 ||
	    anim_buffer_append(&steps->start, &start, sizeof start, error) != 0)
		return -1;
	return anim_buffer_append(&steps->bytes, text->bytes, bytes, error);
}

int anim_steps_add(struct anim_steps *steps, enum anim_type type, float time, const void *value,
		   struct anim_error *error)
{
	if (anim_buffer_append(&steps->time, &time, sizeof time, error) != 0)
		return -1;
	steps->n++;
	if (type == ANIM_STRING)
		return add_text(steps, value, error);
	return anim_buffer_append(&steps->value, value, anim_types[type].size, error);
}

void anim_steps_track(struct anim_steps *steps, const struct anim_track *like, struct anim_track *out)
{
	static const struct anim_track none;
	bool text = like->type == ANIM_STRING;

	*out = none;
	out->kind = ANIM_DISCRETE;
	out->type = like->type;
	out->rules = like->rules;
	out->node = like->node;
	out->property = like->property;
	out->component = like->component;
	out->before = like->before;
	out->after = like->after;
	out->interp = ANIM_HOLD;
	out->flags = like->flags & ~ANIM_UNSORTED;
	out->attrs = like->attrs;
	out->n = steps->n;
	out->time = (const float *)(const void *)steps->time.data;
	out->value = text ? NULL : steps->value.data;
	if (!text)
		return;
	steps->strings.length = (const uint32_t *)(const void *)steps->length.data;
	steps->strings.start = (const uint64_t *)(const void *)steps->start.data;
	steps->strings.bytes = steps->bytes.size == 0 ? "" : (const char *)steps->bytes.data;
	steps->strings.bytes_size = steps->bytes.size;
	out->strings = &steps->strings;
}

const void *anim_value_at(const struct anim_track *track, size_t k, struct anim_text *text)
{
	if (track->type != ANIM_STRING)
		return (const uint8_t *)track->value + k * anim_types[track->type].size;
	text->length = track->strings->length[k];
	text->bytes = track->strings->bytes + track->strings->start[k];
	return text;
}

bool anim_value_equal(enum anim_type type, const void *a, const void *b)
{
	const struct anim_text *x = a, *y = b;

	if (type != ANIM_STRING)
		return memcmp(a, b, anim_types[type].size) == 0;
	if (x->length != y->length)
		return false;
	/* An empty text may have no bytes at all, which memcmp must not be given. */
	return x->length == ANIM_NULL_STRING || x->length == 0 || memcmp(x->bytes, y->bytes, x->length) == 0;
}

bool anim_track_is_event(const struct anim_track *track)
{
	const char *update = anim_attrs_get(&track->attrs, "godot.update");

	return track->property[0] == '@' ||
	       (track->kind == ANIM_DISCRETE && update != NULL && strcmp(update, "trigger") == 0);
}

bool anim_track_steps(const struct anim_track *track)
{
	if (track->kind != ANIM_CURVE || track->interp != ANIM_INTERP_COLUMN)
		return track->kind == ANIM_DISCRETE || track->interp == ANIM_HOLD;
	for (size_t k = 0; k < track->n; k++)
		if (track->interps[k] != ANIM_HOLD)
			return false;
	return true;
}
