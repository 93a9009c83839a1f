/* bake.c: convert tracks for players that support only vectors sampled at a fixed rate. */
#include "filter/bake.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "clip/diagnostics.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "clip/sample.h"
#include "clip/sink.h"
#include "clip/source.h"
#include "clip/track.h"
#include "filter/clips.h"
#include "filter/common/components.h"
#include "filter/filter.h"
#include "filter/resample.h"
#include "filter/world.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* A property's value. Bit i of `components` is set if component i is known. */
struct bake_reset_value {
	double value[4];
	unsigned components, flags; /* flags: of its track */
	unsigned whole;             /* number of components of the vector; 0: only single components were found */
};

/* The values of RESET clips. All-zero is empty. Memory depends only on the tracks of RESET clips. */
struct bake_resets {
	struct anim_buffer clips, values; /* struct anim_clip, struct bake_reset_value */
	struct anim_map names;            /* node and property of each clip -> number of the value */
	struct anim_arena arena;
};

struct bake {
	struct anim_filter filter; /* next: the resampling filter, which gets tracks that need no change */
	struct anim_bake_options options;
	struct anim_sink *ready; /* the sink after it, for finished samples; owned by the resampling filter */
	struct anim_rests rests;
	struct bake_resets resets;
	bool in_reset;                  /* the incoming clip is a RESET */
	struct anim_arena scratch;      /* for the current track */
	const struct anim_scope *scope; /* of the clip that is being baked */
	bool in_clip;
	struct anim_store *components; /* component tracks of the clip; NULL: none */
	bool waits;                    /* its components wait for its RESET, and later input is held */
	struct anim_store *held;
	struct anim_buffer held_scopes; /* const struct anim_scope *, one per held clip */
	size_t held_next;               /* the first held clip that is not done */
	struct anim_buffer samples;
	struct anim_keys steps;
};

/* --- Values of RESET clips by node and property --- */

static size_t clip_count(const struct bake_resets *resets)
{
	return resets->clips.size / sizeof(struct anim_clip);
}

static const struct anim_clip *clip_at(const struct bake_resets *resets, size_t number)
{
	return (const struct anim_clip *)(const void *)resets->clips.data + number;
}

/* Add the value of a track at the start of the last RESET clip. Returns 0 or -1. */
static int bake_resets_add(struct bake_resets *resets, const struct anim_track *track, struct anim_error *error)
{
	static const struct bake_reset_value none;
	const uint64_t last = clip_count(resets) - 1;
	const struct anim_clip *clip = clip_at(resets, last);
	uint32_t number = (uint32_t)(resets->values.size / sizeof none);
	unsigned first = track->component == ANIM_WHOLE ? 0 : track->component;
	struct anim_sample_state state = {0};
	_Alignas(16) uint8_t sample[ANIM_VALUE_MAX];
	double start_s = clip->start_s;
	struct bake_reset_value *value;
	uint8_t present;
	size_t length;
	char *name;
	int result;

	if (track->type == ANIM_STRING || !(track->n > 0) || track->flags & ANIM_DISABLED ||
	    !(first + anim_types[track->type].components <= 4))
		return 0;
	result = anim_sample(clip, track, &start_s, 1, sample, &present, &state, error);
	anim_sample_state_clear(&state);
	if (result != 0 || !present)
		return result;
	name = anim_key_join(&resets->arena, (const char *const[]){track->node, track->property}, 2, &length, error);
	if (name == NULL || (!anim_map_get(&resets->names, last, name, length, &number) &&
			     (anim_buffer_append(&resets->values, &none, sizeof none, error) != 0 ||
			      anim_map_put(&resets->names, last, name, length, number, error) != 0)))
		return -1;
	value = (struct bake_reset_value *)(void *)resets->values.data + number;
	for (unsigned i = 0; i < anim_types[track->type].components; i++) {
		value->value[first + i] = anim_component(track->type, sample, 0, i);
		value->components |= 1u << (first + i);
	}
	value->flags = track->flags;
	if (track->component == ANIM_WHOLE)
		value->whole = anim_types[track->type].components;
	return 0;
}

/* Return the number of bytes of "library/" in a clip's name, 0 for the unnamed library. */
static size_t library_length(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash == NULL ? 0 : (size_t)(slash + 1 - name);
}

/* Find the RESET of a clip: of the same player, and of no library or the same library. Returns its number, or -1. */
static ptrdiff_t bake_resets_find(const struct bake_resets *resets, const struct anim_clip *clip)
{
	const char *player = anim_attrs_get(&clip->attrs, "player");
	ptrdiff_t found = -1;

	for (size_t i = 0; i < clip_count(resets); i++) {
		const struct anim_clip *reset = clip_at(resets, i);
		size_t length = library_length(reset->name);
		const char *b = anim_attrs_get(&reset->attrs, "player");

		if (player == NULL || b == NULL ? player != b : strcmp(player, b) != 0)
			continue;
		if (length == 0)
			return (ptrdiff_t)i;
		if (length == library_length(clip->name) && memcmp(reset->name, clip->name, length) == 0)
			found = (ptrdiff_t)i;
	}
	return found;
}

/*
 * Get the value in RESET `number` (-1: none). Returns 1 and *value (borrowed until the next change), 0 if it is not
 * there, or -1 if out of memory.
 */
static int bake_resets_value(struct bake_resets *resets, ptrdiff_t number, const char *node, const char *property,
			     const struct bake_reset_value **value, struct anim_error *error)
{
	struct anim_arena scratch = {0};
	uint32_t at = 0;
	size_t length;
	bool known = false;
	char *name;

	if (number < 0)
		return 0;
	name = anim_key_join(&scratch, (const char *const[]){node, property}, 2, &length, error);
	if (name != NULL)
		known = anim_map_get(&resets->names, (uint64_t)number, name, length, &at);
	anim_arena_clear(&scratch);
	if (name == NULL)
		return -1;
	if (known)
		*value = (const struct bake_reset_value *)(const void *)resets->values.data + at;
	return known;
}

static void bake_resets_clear(struct bake_resets *resets)
{
	anim_buffer_clear(&resets->clips);
	anim_buffer_clear(&resets->values);
	anim_map_clear(&resets->names);
	anim_arena_clear(&resets->arena);
}

/* --- Final processing of samples: continuous signs of quaternions, constants shortened or dropped --- */

#define NEARLY 1e-6 /* relative rounding error, absolute for values below 1 */

struct tidy {
	struct anim_filter filter;
	struct bake *bake;
	struct anim_buffer values;
};

/*
 * Return whether two elements of the track's type are equal up to rounding. `sign` is -1 for the opposite quaternion.
 */
static bool is_near(enum anim_type type, const void *a, size_t i, const void *b, double sign)
{
	for (unsigned component = 0; component < anim_types[type].components; component++) {
		double x = anim_component(type, a, i, component), y = sign * anim_component(type, b, 0, component);

		if (!(x == y) && !(fabs(x - y) <= NEARLY * fmax(1, fabs(x))))
			return false;
	}
	return true;
}

/* Return the rest pose of a track's node, in the stream or in the options, or NULL if it is unknown. */
static const struct anim_rest *bake_rest(struct bake *b, const char *node)
{
	return anim_rests_find_either(&b->rests, b->options.rests, b->filter.clip.root, node);
}

static int tidy_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct tidy *tidy = (struct tidy *)sink;
	struct anim_track out = *track;

	if (track->kind != ANIM_RAW || track->type == ANIM_STRING)
		return anim_filter_track(sink, track, error);
	out.record = NULL;

	/* Copy the samples with each quaternion's sign changed to match the previous one. */
	if (anim_types[track->type].quaternion) {
		size_t bytes = out.n * anim_types[out.type].size;

		tidy->values.size = 0;
		if (anim_buffer_append(&tidy->values, out.value, bytes, error) != 0)
			return -1;
		out.value = tidy->values.data;
		for (size_t k = 1; k < out.n; k++) {
			double dot = 0;

			for (unsigned i = 0; i < 4; i++)
				dot += anim_component(out.type, out.value, k - 1, i) *
				       anim_component(out.type, out.value, k, i);
			if (dot < 0) {
				void *value = tidy->values.data + k * anim_types[out.type].size;
				double components[ANIM_COMPONENTS_MAX];

				for (unsigned i = 0; i < 4; i++)
					components[i] = 0.0 - anim_component(out.type, value, 0, i);
				anim_value_store(out.type, components, value);
			}
		}
	}

	bool constant = tidy->bake->options.drop_constant;

	for (size_t k = 1; k < out.n && constant; k++) {
		const uint8_t *value = out.value;
		const size_t size = anim_types[out.type].size;

		constant = anim_type_is_real(out.type) ? is_near(out.type, value, k, value, 1)
						       : memcmp(value + k * size, value, size) == 0;
	}
	if (constant) {
		_Alignas(16) uint8_t rest[ANIM_VALUE_MAX];

		if (anim_rest_value(bake_rest(tidy->bake, out.node), &out, rest) && anim_track_is_transform(&out)) {
			if (is_near(out.type, out.value, 0, rest, 1) ||
			    (anim_types[out.type].quaternion && is_near(out.type, out.value, 0, rest, -1)))
				return 0;
		}

		out.n = 1;
	}
	return anim_filter_track(sink, &out, error);
}

static void tidy_free(struct anim_sink *sink)
{
	anim_buffer_clear(&((struct tidy *)sink)->values);
	anim_filter_free(sink);
}

/* --- Conversion of a track, and its samples --- */

/* Return whether the track has three Euler angles in one vector. */
static bool is_euler(const struct anim_track *track)
{
	return strcmp(track->property, "euler") == 0 && anim_type_is_real(track->type) &&
	       anim_types[track->type].components == 3 && track->component == ANIM_WHOLE &&
	       anim_track_is_transform(track);
}

/* Return the step that makes a value relative to the rest pose absolute, or ANIM_STEP_KEEP for other values. */
static enum anim_step step_from_rest(const struct anim_track *track)
{
	if (!(track->flags & ANIM_REST_RELATIVE) || !anim_type_is_real(track->type) || track->component != ANIM_WHOLE)
		return ANIM_STEP_KEEP;
	return anim_step_from_rest(track->property, anim_types[track->type].components);
}

/*
 * Return the step for a track with this name, type and flags on a node with this rest pose (NULL: unknown), or
 * ANIM_STEP_KEEP for none.
 */
static enum anim_step bake_step(const struct anim_track *track, const struct anim_rest *rest)
{
	if (is_euler(track))
		return ANIM_STEP_EULER;
	return rest != NULL ? step_from_rest(track) : ANIM_STEP_KEEP;
}

/* Set *out to the head of `like` after the step. Returns 0 or -1. */
static int renamed(struct bake *b, enum anim_step step, const struct anim_track *like, struct anim_track *out,
		   struct anim_error *error)
{
	struct anim_attrs before;

	*out = *like;
	out->record = NULL;
	if (step == ANIM_STEP_KEEP)
		return 0;
	out->flags &= ~(ANIM_REST_RELATIVE | ANIM_DEGREES);
	if (step != ANIM_STEP_EULER)
		return 0;
	out->property = "rotation";
	out->type = ANIM_FLOATQ;
	if (anim_attrs_with(&out->attrs, &like->attrs, "order", NULL, &b->scratch, error) != 0)
		return -1;
	before = out->attrs;
	return anim_attrs_with(&out->attrs, &before, "godot.type", NULL, &b->scratch, error);
}

/* Sample all points of the grid into b->samples. Returns 0 or -1. */
static int sample_grid(struct bake *b, struct anim_source *source, enum anim_type type, struct anim_error *error)
{
	const struct anim_grid *grid = anim_resample_grid(b->filter.next);
	size_t size = anim_types[type].size, bytes;
	double t[ANIM_SOURCE_SAMPLES], values[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX] = {{0}};

	b->samples.size = 0;
	if (anim_size_multiply(grid->count, size, &bytes, error) != 0 ||
	    anim_buffer_extend(&b->samples, bytes, error) == NULL)
		return -1;
	for (size_t done = 0; done < grid->count; done += ANIM_SOURCE_SAMPLES) {
		size_t count = grid->count - done < ANIM_SOURCE_SAMPLES ? grid->count - done : ANIM_SOURCE_SAMPLES;

		anim_grid_times(grid, done, count, t);
		anim_sample_times(anim_source_first(source), t, count);
		if (anim_source_sample(source, t, count, values, error) != 0)
			return -1;
		for (size_t k = 0; k < count; k++)
			anim_value_store(type, values[k], b->samples.data + (done + k) * size);
	}
	return 0;
}

/* Return whether all tracks of the source are constant between their keys. */
static bool only_steps(const struct anim_source *source)
{
	for (unsigned i = 0; i < source->count; i++)
		if (source->tracks[i] != NULL && !anim_track_steps(source->tracks[i]))
			return false;
	return true;
}

/*
 * Sample a source into one Raw track. Its step, units and tracks are set. `like` is as for bake_step. Returns 0 or -1.
 */
static int bake_sample(struct bake *b, struct anim_source *source, const struct anim_track *like,
		       struct anim_error *error)
{
	const struct anim_rest *rest = bake_rest(b, like->node);
	struct anim_track named, out;
	int result;

	if (renamed(b, source->step, like, &named, error) != 0)
		return -1;
	anim_source_open(source, rest);
	result = sample_grid(b, source, named.type, error);
	if (result == 0 && anim_types[named.type].quaternion && !only_steps(source))
		result =
		    anim_grid_keep_way(anim_resample_grid(b->filter.next), source, named.type, b->samples.data, error);
	anim_source_close(source);

	if (result != 0 ||
	    (source->absent > 0 &&
	     (anim_rest_is_reset(&named)
		  ? anim_rest_report_reset(b->options.diagnostics, &named, error)
		  : anim_diagnostics_track(
			b->options.diagnostics, &named, error,
			"no value in parts of the clip; the rest value or the first value was used" ANIM_DETAIL
			" (%zu samples)",
			source->absent)) != 0))
		return -1;

	anim_grid_track(anim_resample_grid(b->filter.next), &named, &out);
	out.interp = anim_type_is_real(named.type) && !only_steps(source) ? ANIM_LINEAR : ANIM_HOLD;
	out.value = b->samples.data;
	return anim_sink_track(b->ready, &out, error);
}

/* Bake a complete track, with its step if it needs one. Returns 0 or -1. */
static int bake_whole(struct bake *b, const struct anim_track *track, struct anim_error *error)
{
	const struct anim_rest *rest = bake_rest(b, track->node);
	struct anim_source source = {.clip = &b->filter.clip,
				     .tracks = {track},
				     .count = 1,
				     .step = bake_step(track, rest),
				     .order = (enum anim_euler_order)anim_track_order(track),
				     .radians = is_euler(track)};

	if (source.step == ANIM_STEP_KEEP) {
		if (rest == NULL && step_from_rest(track) != ANIM_STEP_KEEP &&
		    anim_diagnostics_track(
			b->options.diagnostics, track, error,
			"still relative, because the rest pose is unknown; set it with " ANIM_OPTION_TO("bake", "rest",
													"FILE")) != 0)
			return -1;
		return anim_sink_track(b->filter.next, track, error);
	}
	if (rest != NULL)
		source.rest = *rest;
	if (track->kind != ANIM_RAW && anim_track_steps(track)) {
		/* Convert a stepping track by applying the step to each key. The resampling filter gets the result. */
		double components[ANIM_COMPONENTS_MAX] = {0};
		_Alignas(16) uint8_t value[ANIM_VALUE_MAX];
		struct anim_track named, out;

		if (renamed(b, source.step, track, &named, error) != 0)
			return -1;
		anim_keys_reset(&b->steps, named.type);
		for (size_t k = 0; k < track->n; k++) {
			anim_source_element(&source, k, components);
			anim_value_store(named.type, components, value);
			if (anim_keys_add(&b->steps, track->time[k], value, ANIM_HOLD, error) != 0)
				return -1;
		}
		anim_keys_finish_steps(&b->steps, &named, &out);
		return anim_sink_track(b->filter.next, &out, error);
	}
	return bake_sample(b, &source, track, error);
}

/* --- Joining components to vectors; gaps are filled from RESET, the rest pose or neutral values --- */

/* A property whose components are joined. */
struct bake_joint {
	struct anim_component_group found;
	unsigned components; /* of the vector */
	const struct anim_rest *rest;
	const struct bake_reset_value *reset; /* NULL: none */
};

/* Remove an attribute that describes a component's own track but not the vector. */
static int without(struct bake *b, struct anim_track *track, const char *key, struct anim_error *error)
{
	struct anim_attrs before = track->attrs;

	return anim_attrs_with(&track->attrs, &before, key, NULL, &b->scratch, error);
}

/* Sample the vector of a property. Missing components get a fixed value. Returns 0 or -1. */
static int emit(struct bake *b, struct bake_joint *whole, enum anim_type type, struct anim_error *error)
{
	const struct anim_track *first = anim_components_first(&whole->found);
	struct anim_track like = *first;
	struct anim_source source;
	bool unknown = false;

	anim_components_source(&source, &b->filter.clip, &whole->found, whole->components);
	source.unit_length = anim_types[type].quaternion;
	like.component = ANIM_WHOLE;
	like.type = type;
	like.flags &= source.radians ? ~ANIM_DEGREES : ~0u;
	if (without(b, &like, "unity.attribute", error) != 0 || without(b, &like, "godot.type", error) != 0)
		return -1;

	/* Set the missing components from RESET, otherwise from the rest pose. `unknown`: both lack one. */
	bool relative = (first->flags & ANIM_REST_RELATIVE) != 0;
	double rest[ANIM_COMPONENTS_JOINED];
	unsigned known = relative ? 0 : anim_components_of_rest(whole->rest, first, rest);

	for (unsigned i = 0; i < whole->components; i++) {
		const struct bake_reset_value *reset = whole->reset;

		if (whole->found.there[i])
			continue;
		if (reset != NULL && (reset->components >> i & 1) &&
		    ((reset->flags ^ first->flags) & ANIM_REST_RELATIVE) == 0) {
			const struct anim_track of_reset = {.flags = reset->flags};

			source.fixed[i] = anim_source_in_unit(&source, &of_reset, reset->value[i]);
			continue;
		}
		source.fixed[i] = i < known ? rest[i] : anim_components_neutral(first->property, i);
		unknown = unknown || (i >= known && !relative);
	}

	if (unknown && anim_diagnostics_track(b->options.diagnostics, first, error,
					      "single components were joined with neutral values because RESET and the "
					      "rest pose lack the others; set "
					      "the rest pose with " ANIM_OPTION_TO("bake", "rest", "FILE")) != 0)
		return -1;

	source.step = bake_step(&like, whole->rest);
	if (whole->rest != NULL)
		source.rest = *whole->rest;
	return bake_sample(b, &source, &like, error);
}

/* Pass on a component that cannot be joined. */
static int pass_component(void *context, const struct anim_track *track, struct anim_error *error)
{
	struct bake *b = context;

	if (anim_diagnostics_track(b->options.diagnostics, track, error,
				   "still a single component, because it cannot be joined") != 0)
		return -1;
	return anim_sink_track(b->filter.next, track, error);
}

static int join_from(void *context, size_t from, uint8_t *done, struct anim_error *error)
{
	struct bake *b = context;
	struct bake_joint whole = {0};
	const struct anim_track *first;
	unsigned there;
	int type;
	ptrdiff_t number;

	anim_arena_reset(&b->scratch);
	if (anim_components_gather(b->components, from, done, &whole.found, &b->scratch, pass_component, b, error) != 0)
		return -1;
	if ((there = anim_components_there(&whole.found)) == 0)
		return 0;
	first = anim_components_first(&whole.found);
	/* Find the property in RESET and the rest pose. They determine the number of components. */
	number = bake_resets_find(&b->resets, &b->filter.clip);
	whole.reset = NULL;
	whole.rest = bake_rest(b, first->node);
	if (bake_resets_value(&b->resets, number, first->node, first->property, &whole.reset, error) < 0)
		return -1;
	whole.components = whole.reset != NULL && whole.reset->whole > 0
			       ? whole.reset->whole
			       : anim_components_by_name(whole.rest, first->property);
	if (whole.components < there)
		whole.components = there;
	if (whole.components == 1 && strcmp(first->property, "angle") == 0) {
		struct anim_track angle = *first; /* `angle.x` and the like is the complete value */

		angle.component = ANIM_WHOLE;
		return bake_whole(b, &angle, error);
	}
	type = anim_components_type(first->type, first->property, whole.components);
	if (type < 0 || anim_types[type].components < whole.components) {
		for (unsigned i = 0; i < ANIM_COMPONENTS_JOINED; i++)
			if (whole.found.there[i] && pass_component(b, &whole.found.tracks[i], error) != 0)
				return -1;
		return 0;
	}
	return emit(b, &whole, (enum anim_type)type, error);
}

/* Return the components of all tracks with the names of track `from`, as bits. The tracks are marked in `done`. */
static unsigned components_from(const struct bake *b, size_t from, uint8_t *done)
{
	const struct anim_store_track *like = anim_store_track_at(b->components, 0, from);
	unsigned components = 0;

	for (ptrdiff_t i = (ptrdiff_t)from; i >= 0;
	     i = anim_store_find(b->components, 0, (size_t)i + 1, like->node, like->property)) {
		uint8_t component = anim_store_track_at(b->components, 0, (size_t)i)->component;

		done[i] = 1;
		components |= component < ANIM_COMPONENTS_JOINED ? 1u << component : 0;
	}
	return components;
}

/* --- The filter: clips in order, clips that wait for their RESET, and the way of each track --- */

#define DEFAULT_RATE 30u               /* for clips without a rate; the note contains this number */
#define STORE_MEMORY ((size_t)1 << 20) /* for waiting data; the rest is in a file, so that memory is bounded */

static int begin_clip(struct bake *b, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_clip rated;

	b->scope = b->options.diagnostics->scope;
	if (anim_filter_keep(&b->filter, clip, error) != 0)
		return -1;

	bool rate = b->options.rate_num > 0 || clip->rate_num > 0;

	if (!anim_clip_is_reset(clip)) {
		if (!rate && anim_diagnostics_note(
				 b->options.diagnostics, "clip", error,
				 "'%s': no rate, so 30 samples per second were taken; give one with " ANIM_OPTION(
				     "bake", "rate"),
				 clip->name) != 0)
			return -1;
		if (!(b->options.loops < 2) && clip->loop == ANIM_LOOP_NONE) {
			if (anim_diagnostics_warn(
				b->options.diagnostics, "clip", error,
				"'%s': played once, because it does not loop; make it loop first with " ANIM_OPTION_TO(
				    "retime", "loop", "wrap"),
				clip->name) != 0)
				return -1;
		}
	}

	b->in_clip = true;
	rated = *clip;
	if (b->options.rate_num == 0 && clip->rate_num == 0) {
		rated.rate_num = DEFAULT_RATE;
		rated.rate_den = 1;
		rated.record = NULL;
	}
	return anim_sink_clip(b->filter.next, &rated, error);
}

/* Join the components of the current clip and close it. */
static int close_clip(struct bake *b, struct anim_error *error)
{
	int result;

	b->options.diagnostics->scope = b->scope;
	result = b->components != NULL ? anim_components_join(b->components, join_from, b, error) : 0;
	anim_store_free(b->components);
	b->components = NULL;
	b->in_clip = false;
	return result;
}

/*
 * All tracks of the current clip have arrived. Close it, or let it wait if more clips may come (not `last`). Returns 0
 * or -1.
 */
static int finish_clip(struct bake *b, bool last, struct anim_error *error)
{
	if (b->in_clip && b->components != NULL && !last) {
		b->waits = false;
		if (anim_source_is_godot(b->filter.clip.source) && !anim_clip_is_reset(&b->filter.clip) &&
		    !(bake_resets_find(&b->resets, &b->filter.clip) >= 0)) {
			size_t n = anim_store_tracks(b->components, 0);
			uint8_t *done = calloc(n + 1, 1);

			b->waits = false;
			if (done == NULL)
				return anim_fail_memory(error);
			for (size_t i = 0; i < n && !b->waits; i++) {
				const struct anim_store_track *t = anim_store_track_at(b->components, 0, i);
				unsigned wanted = anim_components_by_name(bake_rest(b, t->node), t->property);
				unsigned components = done[i] ? 0 : components_from(b, i, done);

				/* If the name does not give the number, a RESET of the vector would. */
				b->waits =
				    components != 0 && strcmp(t->property, "angle") != 0 &&
				    (wanted == 0 || components >> wanted != 0 || components != (1u << wanted) - 1);
			}
			free(done);
		}
	}

	return b->waits ? 0 : close_clip(b, error);
}

/* Bake a track of the current clip. The resampling filter reports and drops disabled tracks and tracks without keys. */
static int bake_track(struct bake *b, const struct anim_track *track, struct anim_error *error)
{
	struct anim_track sorted;

	anim_arena_reset(&b->scratch);
	if ((track->flags & ANIM_DISABLED) || track->n == 0)
		return anim_sink_track(b->filter.next, track, error);
	if ((track->flags & ANIM_UNSORTED) && track->kind != ANIM_RAW) {
		if (anim_track_sort(track, &sorted, &b->scratch, b->options.diagnostics, error) != 0)
			return -1;
		track = &sorted;
	}
	if (track->component != ANIM_WHOLE && track->type != ANIM_STRING)
		return anim_components_keep(&b->components, &b->filter.clip, track, error);
	return bake_whole(b, track, error);
}

/* A clip is complete, or (last) all clips that a RESET could belong to. Returns 0 or -1. */
static int release_ready(struct bake *b, bool last, struct anim_error *error)
{
	const struct anim_scope *now = b->options.diagnostics->scope;

	if (!b->waits && finish_clip(b, last, error) != 0)
		return -1;

	/* Close the waiting clip and process the clips held after it, until one waits again. */
	if (b->waits && (last || bake_resets_find(&b->resets, &b->filter.clip) >= 0)) {
		b->waits = false;
		if (close_clip(b, error) != 0)
			return -1;
		while (!b->waits && b->held != NULL && b->held_next < anim_store_clips(b->held)) {
			size_t number = b->held_next++;
			struct anim_track track;

			b->options.diagnostics->scope =
			    ((const struct anim_scope **)(void *)b->held_scopes.data)[number];
			if (begin_clip(b, anim_store_clip(b->held, number), error) != 0)
				return -1;
			for (size_t i = 0; i < anim_store_tracks(b->held, number); i++)
				if (anim_store_read(b->held, number, i, &track, error) != 0 ||
				    bake_track(b, &track, error) != 0)
					return -1;
			if (finish_clip(b, last, error) != 0)
				return -1;
		}
		if (!b->waits) {
			anim_store_free(b->held);
			b->held = NULL;
			b->held_next = 0;
			b->held_scopes.size = 0;
		}
	}

	b->options.diagnostics->scope = now;
	return 0;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct bake *b = (struct bake *)sink;

	if (release_ready(b, true, error) != 0)
		return -1;
	bake_resets_clear(&b->resets);
	return anim_filter_tree(sink, tree, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct bake *b = (struct bake *)sink;

	if (release_ready(b, false, error) != 0)
		return -1;
	b->in_reset = anim_clip_is_reset(clip);

	/* Begin a RESET clip. Its tracks are then added with their values at the clip's start. */
	if (b->in_reset) {
		struct anim_clip copy;

		if (anim_clip_copy(&copy, clip, &b->resets.arena, error) != 0)
			return -1;
		if (anim_buffer_append(&b->resets.clips, &copy, sizeof copy, error) != 0)
			return -1;
	}

	if (!b->waits)
		return begin_clip(b, clip, error);
	if ((b->held == NULL && (b->held = anim_store_new(STORE_MEMORY, error)) == NULL) ||
	    anim_buffer_append(&b->held_scopes, &b->options.diagnostics->scope, sizeof b->options.diagnostics->scope,
			       error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(b->held), clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct bake *b = (struct bake *)sink;

	if (b->in_reset && bake_resets_add(&b->resets, track, error) != 0)
		return -1;
	return b->waits ? anim_sink_track(anim_store_sink(b->held), track, error) : bake_track(b, track, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct bake *b = (struct bake *)sink;

	if (release_ready(b, true, error) != 0 ||
	    (b->options.rests != NULL && anim_rests_check(b->options.rests, error) != 0))
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct bake *b = (struct bake *)sink;

	bake_resets_clear(&b->resets);
	anim_arena_clear(&b->scratch);
	anim_store_free(b->components);
	anim_store_free(b->held);
	anim_buffer_clear(&b->held_scopes);
	anim_buffer_clear(&b->samples);
	anim_keys_clear(&b->steps);
	anim_filter_free(sink);
}

struct anim_sink *anim_bake_new(const struct anim_bake_options *options, struct anim_sink *next,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	static const struct anim_sink_ops tidy_ops = {.track = tidy_track, .free = tidy_free};
	const struct anim_resample_options resample = {.rate_num = options->rate_num,
						       .rate_den = options->rate_den,
						       .end = options->end,
						       .all = options->all,
						       .loops = options->loops,
						       .trust_size = options->trust_size,
						       .diagnostics = options->diagnostics};
	struct bake *b = anim_filter_new(sizeof *b, &ops, next, error);
	struct anim_sink *resampler;
	struct tidy *tidy;

	if (b == NULL)
		return NULL;
	b->filter.rests = &b->rests;
	b->options = *options;
	tidy = anim_filter_new(sizeof *tidy, &tidy_ops, next, error);
	if (tidy != NULL)
		tidy->bake = b;
	b->ready = tidy != NULL ? &tidy->filter.sink : NULL;
	if (b->ready != NULL && options->world)
		b->ready = anim_world_new(STORE_MEMORY, options->diagnostics, b->ready, error);
	resampler = b->ready != NULL ? anim_resample_new(&resample, b->ready, error) : NULL;
	b->filter.next = resampler;
	if (resampler == NULL) {
		anim_filter_free(&b->filter.sink);
		return NULL;
	}
	return &b->filter.sink;
}
