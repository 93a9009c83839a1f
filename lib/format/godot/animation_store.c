/* animation_store.c: a track's head and keys -> a TRAK of the store. */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "clip/check.h"
#include "format/godot/animation_internal.h"

const char *const godot_track_type_names[GODOT_TRACK_TYPE_COUNT] = {
    "unknown",   "value",  "position_3d", "rotation_3d", "scale_3d",  "blend_shape",
    "transform", "bezier", "method",      "audio",       "animation",
};

#define ATTRS_MAX 9

/* What columns without keys point to. */
static const uint64_t nothing;

static const void *column_or_nothing(const struct anim_buffer *buffer)
{
	return buffer->size > 0 ? (const void *)buffer->data : (const void *)&nothing;
}

void godot_target_apply(const struct godot_target *target, struct anim_track *track, struct godot_track_notes *notes)
{
	track->node = target->node;
	track->property = target->property;
	track->component = target->component;
	if (target->degrees)
		track->flags |= ANIM_DEGREES;
	notes->order = target->euler;
	notes->spatial = target->spatial && target->component != ANIM_WHOLE;
}

int64_t godot_told_interp(const struct anim_track *track)
{
	if (track->kind == ANIM_DISCRETE)
		return GODOT_INTERP_LINEAR;
	switch (track->interp) {
	case ANIM_HOLD:
		return GODOT_INTERP_NEAREST;
	case ANIM_CUBIC_TIME:
	case ANIM_CUBIC_UNIFORM:
		return GODOT_INTERP_CUBIC;
	case ANIM_LINEAR_ANGLE:
		return GODOT_INTERP_LINEAR_ANGLE;
	case ANIM_CUBIC_ANGLE:
		return GODOT_INTERP_CUBIC_ANGLE;
	default:
		return GODOT_INTERP_LINEAR;
	}
}

/* Attributes in the order of their keys. `number` is room for the text of interp. */
static size_t fill_attrs(const struct godot_track_head *head, const struct anim_track *track,
			 const struct godot_track_notes *notes, char number[24], struct anim_attr *attrs)
{
	size_t count = 0;

	if (head->imported)
		attrs[count++] = (struct anim_attr){"godot.imported", "true"};
	if (godot_told_interp(track) != head->interp) {
		snprintf(number, 24, "%lld", (long long)head->interp);
		attrs[count++] = (struct anim_attr){"godot.interp", number};
	}
	if (notes->spatial)
		attrs[count++] = (struct anim_attr){"godot.property", "translation"};
	if (head->type != GODOT_TRACK_UNKNOWN)
		attrs[count++] = (struct anim_attr){"godot.type", godot_track_type_names[head->type]};
	if (notes->update != NULL)
		attrs[count++] = (struct anim_attr){"godot.update", notes->update};
	if (head->has_blend)
		attrs[count++] = (struct anim_attr){"godot.use_blend", head->use_blend ? "true" : "false"};
	if (notes->variant != NULL)
		attrs[count++] = (struct anim_attr){"godot.variant", notes->variant};
	if (notes->literal != NULL)
		attrs[count++] = (struct anim_attr){"literal", notes->literal};
	if (notes->order)
		attrs[count++] = (struct anim_attr){"order", "YXZ"};
	return count;
}

int godot_track_emit(struct godot_clip_reader *reader, const struct godot_track_head *head,
		     const struct godot_track_keys *keys, struct anim_track *track,
		     const struct godot_track_notes *notes)
{
	struct anim_attr attrs[ATTRS_MAX];
	char number[24];

	if (strlen(track->node) > ANIM_NAME_MAX || strlen(track->property) > ANIM_NAME_MAX)
		return godot_fault(reader, NULL, "a path of more than %u bytes", ANIM_NAME_MAX);
	/* Compressed keys are searched without the tolerance of others, and never round the end. */
	if (track->rules == ANIM_RULES_PLAIN && head->compressed < 0)
		track->rules = godot_generation(reader) >= 4 ? ANIM_RULES_GODOT4 : ANIM_RULES_GODOT3;
	track->flags |= (head->loop_wrap ? ANIM_LOOP_WRAP_KEYS : 0) | (head->disabled ? ANIM_DISABLED : 0);
	track->n = keys->n;
	track->time = column_or_nothing(&keys->time);
	if (!anim_times_are_sorted(track->time, track->n))
		track->flags |= ANIM_UNSORTED;
	if (track->kind == ANIM_CURVE && keys->ease.size > 0)
		track->ease = (const float *)(const void *)keys->ease.data;
	if (keys->modes.size > 0)
		track->hint = (const uint32_t *)(const void *)keys->modes.data;
	else if (track->kind == ANIM_DISCRETE && keys->ease.size > 0) /* bends nothing: an editor's note, as its bits */
		track->hint = (const uint32_t *)(const void *)keys->ease.data;
	if (track->type != ANIM_STRING && track->value == NULL)
		track->value = &nothing;
	track->attrs.items = attrs;
	track->attrs.count = fill_attrs(head, track, notes, number, attrs);
	if (anim_sink_track(anim_store_sink(reader->store), track, reader->error) != 0)
		return -1;
	reader->clip->tracks++;
	return 0;
}

/* The mode of keys that are rows of numbers. Angles are a mode of single floats; Godot blends vectors without. */
static uint8_t row_mode(struct godot_clip_reader *reader, const struct godot_track_head *head, enum anim_type type,
			enum anim_rules rules)
{
	bool old = rules == ANIM_RULES_GODOT3 || godot_generation(reader) < 4;

	switch (head->interp) {
	case GODOT_INTERP_LINEAR:
		return ANIM_LINEAR;
	case GODOT_INTERP_CUBIC:
		return old ? ANIM_CUBIC_UNIFORM : ANIM_CUBIC_TIME;
	case GODOT_INTERP_LINEAR_ANGLE:
		return old ? ANIM_HOLD : type == ANIM_FLOAT ? ANIM_LINEAR_ANGLE : ANIM_LINEAR;
	case GODOT_INTERP_CUBIC_ANGLE:
		return old ? ANIM_HOLD : type == ANIM_FLOAT ? ANIM_CUBIC_ANGLE : ANIM_CUBIC_TIME;
	default:
		return ANIM_HOLD;
	}
}

static int store_rows(struct godot_clip_reader *reader, const struct godot_track_head *head,
		      const struct godot_track_keys *keys, size_t lane, enum anim_type type, const char *property)
{
	struct godot_track_notes notes = {0};
	struct anim_track track = {.kind = ANIM_CURVE, .type = type, .value = column_or_nothing(&keys->lane[lane])};
	struct godot_target target;
	int status;

	status = property == NULL ? godot_target_of_blend_shape(head->path, &reader->names, &target, reader->error)
				  : godot_target_of_node(head->path, property, &reader->names, &target, reader->error);
	if (status != 0)
		return -1;
	if (head->type == GODOT_TRACK_TRANSFORM) {
		track.rules = ANIM_RULES_GODOT3;
		/* Godot 3 plays such a track on a bone as a change of its rest, on a node as its transform. */
		track.flags = godot_path_is_bone(head->path) ? ANIM_REST_RELATIVE : 0;
	}
	track.interp = row_mode(reader, head, type, track.rules);
	godot_target_apply(&target, &track, &notes);
	return godot_track_emit(reader, head, keys, &track, &notes);
}

static int store_bezier(struct godot_clip_reader *reader, const struct godot_track_head *head,
			const struct godot_track_keys *keys)
{
	struct godot_track_notes notes = {0};
	struct anim_track track = {.kind = ANIM_CURVE, .type = ANIM_FLOAT, .interp = ANIM_BEZIER_2D};
	struct godot_target target;

	if (godot_target_of_property(head->path, ANIM_FLOAT, &reader->names, &target, reader->error) != 0)
		return -1;
	track.value = column_or_nothing(&keys->lane[0]);
	track.left = column_or_nothing(&keys->lane[1]);
	track.right = column_or_nothing(&keys->lane[2]);
	track.left_x = column_or_nothing(&keys->lane[3]);
	track.right_x = column_or_nothing(&keys->lane[4]);
	godot_target_apply(&target, &track, &notes);
	return godot_track_emit(reader, head, keys, &track, &notes);
}

int godot_track_store(struct godot_clip_reader *reader, const struct godot_track_head *head,
		      struct godot_track_keys *keys)
{
	anim_arena_reset(&reader->names);
	reader->place = head->place;
	switch (head->type) {
	case GODOT_TRACK_UNKNOWN:
		return 0;
	case GODOT_TRACK_VALUE:
		return godot_value_store(reader, head, keys);
	case GODOT_TRACK_POSITION:
		return store_rows(reader, head, keys, 0, ANIM_FLOAT3, "position");
	case GODOT_TRACK_ROTATION:
		return store_rows(reader, head, keys, 0, ANIM_FLOATQ, "rotation");
	case GODOT_TRACK_SCALE:
		return store_rows(reader, head, keys, 0, ANIM_FLOAT3, "scale");
	case GODOT_TRACK_BLEND_SHAPE:
		return store_rows(reader, head, keys, 0, ANIM_FLOAT, NULL);
	case GODOT_TRACK_TRANSFORM:
		if (store_rows(reader, head, keys, 0, ANIM_FLOAT3, "position") != 0 ||
		    store_rows(reader, head, keys, 1, ANIM_FLOATQ, "rotation") != 0)
			return -1;
		return store_rows(reader, head, keys, 2, ANIM_FLOAT3, "scale");
	case GODOT_TRACK_BEZIER:
		return store_bezier(reader, head, keys);
	default:
		return godot_event_store(reader, head, keys);
	}
}
