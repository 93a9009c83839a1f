/* cut.c: the part of a track: the keys inside it, and keys that stand for what lay beyond its ends. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/retime/internal.h"

/* --- Tracks that grow key by key with all their columns --- */

static void load_components(const struct anim_track *track, const void *column, size_t k,
			    double out[ANIM_COMPONENTS_MAX])
{
	for (unsigned component = 0; column != NULL && component < anim_types[track->type].components; component++)
		out[component] = anim_component(track->type, column, k, component);
}

static void load_floats(const struct anim_track *track, const float *column, size_t k, float out[ANIM_COMPONENTS_MAX])
{
	size_t components = anim_types[track->type].components;

	if (column != NULL)
		memcpy(out, column + k * components, components * sizeof *out);
}

void retime_key_load(const struct anim_track *track, size_t k, struct retime_key *key)
{
	memset(key, 0, sizeof *key);
	key->time_s = track->time[k];
	key->mode = track->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(track, k);
	anim_value_copy(track, k, &key->value);
	load_components(track, track->left, k, key->left);
	load_components(track, track->right, k, key->right);
	load_floats(track, track->left_x, k, key->left_x);
	load_floats(track, track->right_x, k, key->right_x);
	key->ease = track->ease == NULL ? 1 : track->ease[k];
	key->weighted = track->weighted == NULL ? 0 : track->weighted[k];
}

void retime_keys_clear(struct retime_keys *keys)
{
	anim_keys_clear(&keys->keys);
}

int retime_keys_begin(struct retime_keys *keys, const struct anim_track *like, struct anim_error *error)
{
	unsigned columns = 0;

	for (enum anim_column id = ANIM_COLUMN_LEFT; id < ANIM_COLUMN_HINT; id++)
		columns |= like->column[id] != NULL ? 1u << id : 0;
	anim_keys_reset(&keys->keys, like->type);
	keys->bends = keys->reaches = keys->weighs = false;
	return anim_keys_reserve(&keys->keys, columns, like->n, error);
}

static int set_components(struct retime_keys *keys, enum anim_column id, const double components[ANIM_COMPONENTS_MAX],
			  struct anim_error *error)
{
	union retime_value value;

	anim_value_store(keys->keys.type, components, &value);
	return anim_keys_set(&keys->keys, id, &value, error);
}

int retime_keys_add(struct retime_keys *keys, const struct anim_track *like, const struct retime_key *key,
		    struct anim_error *error)
{
	struct anim_keys *to = &keys->keys;

	keys->bends |= key->mode >= ANIM_TANGENT && key->mode <= ANIM_BEZIER_2D;
	keys->reaches |= key->mode == ANIM_WEIGHTED || key->mode == ANIM_BEZIER_2D;
	keys->weighs |= key->mode == ANIM_WEIGHTED;
	if (anim_keys_add(to, key->time_s, &key->value, key->mode, error) != 0)
		return -1;
	if (like->kind == ANIM_DISCRETE)
		return 0;
	if ((like->left != NULL || keys->bends) && (set_components(keys, ANIM_COLUMN_LEFT, key->left, error) != 0 ||
						    set_components(keys, ANIM_COLUMN_RIGHT, key->right, error) != 0))
		return -1;
	if (like->left_x != NULL && (anim_keys_set(to, ANIM_COLUMN_LEFT_X, key->left_x, error) != 0 ||
				     anim_keys_set(to, ANIM_COLUMN_RIGHT_X, key->right_x, error) != 0))
		return -1;
	if (like->ease != NULL && anim_keys_set(to, ANIM_COLUMN_EASE, &key->ease, error) != 0)
		return -1;
	return like->weighted == NULL ? 0 : anim_keys_set(to, ANIM_COLUMN_WEIGHTED, &key->weighted, error);
}

void retime_keys_track(struct retime_keys *keys, const struct anim_track *like, struct anim_track *out)
{
	*out = *like;
	out->record = NULL;
	out->flags &= ~ANIM_UNSORTED;
	out->n = keys->keys.n;
	if (out->n == 0)
		return;
	anim_keys_finish(&keys->keys, out);
	if (!keys->reaches)
		out->left_x = out->right_x = NULL;
	if (!keys->weighs)
		out->weighted = NULL;
}

/* --- The part of a track: the keys inside it, and keys that stand for what lay beyond its ends --- */

#define WINDOWS_MAX ((size_t)1 << 24) /* of ends that repeat, in one track */

/* Where the keys inside the range stand: first .. end - 1. */
struct kept_part {
	size_t first, end;
	bool cuts;  /* something of it lies outside */
	bool wraps; /* Godot's way over the clip's end */
	bool repeats_pre, repeats_post;
	bool all; /* no segment stays as it is */
};

static bool goes_on(const struct anim_track *track, uint8_t ends)
{
	return track->n > 1 && track->time[0] < track->time[track->n - 1] &&
	       (track->rules == ANIM_RULES_PLAIN || track->rules == ANIM_RULES_UNITY) &&
	       (ends == ANIM_EXTRAPOLATION_LOOP || ends == ANIM_EXTRAPOLATION_PINGPONG);
}

/* Keys between those of a cubic would become its neighbours: then no segment may depend on neighbours. */
static bool neighbours_are_lost(const struct retime_cut *cut)
{
	static const enum anim_interp cubics[] = {ANIM_CUBIC_TIME, ANIM_CUBIC_UNIFORM, ANIM_CUBIC_ANGLE};

	for (size_t i = 0; i < sizeof cubics / sizeof *cubics; i++)
		if (anim_track_has_interp(cut->track, cubics[i]) &&
		    (!retime_piece_is_exact(cut, cubics[i]) || cut->track->ease != NULL))
			return true;
	return false;
}

static void find_part(const struct retime_cut *cut, bool all, struct kept_part *part)
{
	const struct anim_track *track = cut->track;
	struct anim_span_counts counts;

	memset(part, 0, sizeof *part);
	anim_span_count(&counts, track->time, track->n, &cut->range);
	part->first = counts.before_start;
	part->end = counts.to_end;
	part->wraps = retime_wraps(cut->clip, track);
	part->cuts = part->first > 0 || part->end < track->n ||
		     (part->wraps && (cut->unroll || !anim_range_is_whole(&cut->range, cut->clip)));
	part->repeats_pre = goes_on(track, track->pre) && cut->range.start_s < track->time[0];
	part->repeats_post = goes_on(track, track->post) && cut->range.end_s > track->time[track->n - 1];
	part->cuts |= cut->unroll && (part->repeats_pre || part->repeats_post);
	part->all = all || (part->cuts && neighbours_are_lost(cut));
}

static int too_many(const struct anim_track *track, struct anim_error *error)
{
	return anim_fail(error, ANIM_TOO_LARGE, "track '%.100s %.100s': its repetitions in that range are too many",
			 track->node, track->property);
}

static int add_window(struct retime_cut *cut, double start_s, double end_s, ptrdiff_t opens, ptrdiff_t closes,
		      struct anim_error *error)
{
	const struct retime_window window = {start_s, end_s, opens, closes};

	if (cut->windows.size / sizeof window >= WINDOWS_MAX)
		return too_many(cut->track, error);
	return anim_buffer_append(&cut->windows, &window, sizeof window, error);
}

/* The windows of one run through the keys that begins at start_s, as far as they lie between from_s and to_s. */
static int add_run(struct retime_cut *cut, double start_s, bool mirrored, double from_s, double to_s,
		   struct anim_error *error)
{
	const struct anim_track *track = cut->track;
	ptrdiff_t last = (ptrdiff_t)track->n - 1;
	double origin = (double)track->time[mirrored ? last : 0];
	double near_s = 1e-9 * ((double)track->time[last] - (double)track->time[0]); /* what rounding may make */

	for (ptrdiff_t i = 0; i < last; i++) {
		ptrdiff_t opens = mirrored ? last - i : i, closes = mirrored ? opens - 1 : opens + 1;
		double a = start_s + fabs((double)track->time[opens] - origin);
		double b = start_s + fabs((double)track->time[closes] - origin);

		if (a < from_s) {
			opens = a < from_s - near_s ? -1 : opens;
			a = from_s;
		}
		if (b > to_s) {
			closes = b > to_s + near_s ? -1 : closes;
			b = to_s;
		}
		if (b - a > near_s && add_window(cut, a, b, opens, closes, error) != 0)
			return -1;
	}
	return 0;
}

/* The repetitions of the keys between two times. */
static int add_runs(struct retime_cut *cut, uint8_t ends, double from_s, double to_s, struct anim_error *error)
{
	const struct anim_track *track = cut->track;
	double first = (double)track->time[0], span = (double)track->time[track->n - 1] - first;
	double run = floor((from_s - first) / span), last = ceil((to_s - first) / span);

	if (!((last - run) * (double)track->n < (double)WINDOWS_MAX))
		return too_many(track, error);
	for (; run < last; run++)
		if (add_run(cut, first + run * span, ends == ANIM_EXTRAPOLATION_PINGPONG && fmod(run, 2) != 0, from_s,
			    to_s, error) != 0)
			return -1;
	return 0;
}

/* The closing key's time and value, with what the piece before says of its left side. */
static int add_closing(struct retime_cut *cut, const struct anim_track *track, const struct retime_window *window,
		       struct anim_error *error)
{
	struct retime_key key;

	memset(&key, 0, sizeof key);
	key.ease = 1;
	if (window->closes >= 0)
		retime_key_load(track, (size_t)window->closes, &key);
	else if (!cut->has_end)
		return 0;
	else
		anim_value_store(track->type, cut->end, &key.value);
	key.time_s = (float)window->end_s;
	key.mode = cut->end_mode;
	return retime_append(cut, &key, error);
}

static bool same_value(const struct anim_track *track, ptrdiff_t a, ptrdiff_t b)
{
	struct anim_text x, y;

	return anim_value_equal(track->type, anim_value_at(track, (size_t)a, &x), anim_value_at(track, (size_t)b, &y));
}

/* The windows collected so far. A key that closes the last one is not added where `closed` is false. */
static int play_windows(struct retime_cut *cut, bool closed, struct anim_error *error)
{
	const struct retime_window *w = (const struct retime_window *)(const void *)cut->windows.data;
	size_t count = cut->windows.size / sizeof *w;

	for (size_t i = 0; i < count; i++) {
		bool jumps = i + 1 < count && w[i].closes >= 0 && w[i + 1].opens >= 0 &&
			     w[i].closes != w[i + 1].opens && !same_value(cut->track, w[i].closes, w[i + 1].opens);

		if (retime_piece(cut, &w[i], error) != 0)
			return -1;
		if ((jumps || (i + 1 == count && closed)) && add_closing(cut, cut->track, &w[i], error) != 0)
			return -1;
	}
	cut->windows.size = 0;
	return 0;
}

/* The last of the windows comes to another value than that of the key behind it. */
static bool jumps_to(const struct retime_cut *cut, ptrdiff_t key)
{
	const struct retime_window *w = (const struct retime_window *)(const void *)cut->windows.data;
	size_t count = cut->windows.size / sizeof *w;

	return count > 0 && w[count - 1].closes >= 0 && w[count - 1].closes != key &&
	       !same_value(cut->track, w[count - 1].closes, key);
}

/* What lies before the first key inside: of the track's own keys, or of its repetition. */
static int play_front(struct retime_cut *cut, const struct kept_part *part, struct anim_error *error)
{
	const struct anim_track *track = cut->track;
	bool inside = part->first < part->end;
	double from_s = (double)cut->range.start_s, to_s = (double)cut->range.end_s;
	double first_s = inside ? (double)track->time[part->first] : to_s;

	if (from_s == first_s)
		return 0;
	if (part->first == 0 && part->repeats_pre) {
		if (add_runs(cut, track->pre, from_s, first_s, error) != 0)
			return -1;
	} else if (part->first == track->n && part->repeats_post) {
		if (add_runs(cut, track->post, from_s, first_s, error) != 0)
			return -1;
	} else if ((part->first > 0 || part->wraps || !inside) &&
		   add_window(cut, from_s, first_s, -1, inside ? (ptrdiff_t)part->first : -1, error) != 0) {
		return -1;
	}
	return play_windows(cut, !inside || jumps_to(cut, (ptrdiff_t)part->first), error);
}

/* What lies behind the last key inside. */
static int play_back(struct retime_cut *cut, const struct kept_part *part, struct anim_error *error)
{
	const struct anim_track *track = cut->track;
	ptrdiff_t last = (ptrdiff_t)part->end - 1;
	double last_s = (double)track->time[last], to_s = (double)cut->range.end_s;
	struct retime_key key;

	if (last_s < to_s) {
		if (part->end == track->n && part->repeats_post) {
			if (add_runs(cut, track->post, last_s, to_s, error) != 0)
				return -1;
		} else if ((part->end < track->n || part->wraps) &&
			   add_window(cut, last_s, to_s, last, -1, error) != 0) {
			return -1;
		}
	}
	if (cut->windows.size > 0 && (!part->repeats_post || part->end < track->n ||
				      track->post == ANIM_EXTRAPOLATION_PINGPONG || same_value(track, last, 0)))
		return play_windows(cut, true, error);
	retime_key_load(track, (size_t)last, &key);
	return retime_append(cut, &key, error) != 0 ? -1 : play_windows(cut, true, error);
}

/* Segment k, between two keys inside the part, is not what it was: a neighbour of its keys is gone. */
static bool loses_neighbour(const struct kept_part *part, const struct anim_track *track, size_t k)
{
	return anim_interp_is_cubic(anim_track_interp(track, k)) &&
	       ((k == part->first && (k > 0 || part->wraps)) ||
		(k + 2 == part->end && (part->end < track->n || part->wraps)));
}

static int play_inside(struct retime_cut *cut, const struct kept_part *part, struct anim_error *error)
{
	const struct anim_track *track = cut->track;

	for (size_t k = part->first; k + 1 < part->end; k++) {
		const struct retime_window window = {(double)track->time[k], (double)track->time[k + 1], (ptrdiff_t)k,
						     (ptrdiff_t)k + 1};
		struct retime_key key;
		bool anew = part->all || (track->kind == ANIM_CURVE && loses_neighbour(part, track, k));

		if (anew && window.start_s < window.end_s) {
			if (retime_piece(cut, &window, error) != 0)
				return -1;
			continue;
		}
		retime_key_load(track, k, &key);
		if (retime_append(cut, &key, error) != 0)
			return -1;
	}
	return 0;
}

/* A part without length is one key. */
static int play_moment(struct retime_cut *cut, struct anim_error *error)
{
	struct retime_key key;
	int result = 0;

	memset(&key, 0, sizeof key);
	key.ease = 1;
	key.time_s = cut->range.start_s;
	key.mode = cut->track->interp == ANIM_INTERP_COLUMN ? ANIM_HOLD : (enum anim_interp)cut->track->interp;
	if (!retime_value_at(cut, (double)key.time_s, &key.value, &result, error))
		return result;
	return retime_append(cut, &key, error);
}

static int play(struct retime_cut *cut, const struct kept_part *part, struct anim_error *error)
{
	if (part->cuts && cut->range.start_s == cut->range.end_s)
		return play_moment(cut, error);
	if (play_front(cut, part, error) != 0)
		return -1;
	if (part->first >= part->end)
		return 0;
	return play_inside(cut, part, error) != 0 ? -1 : play_back(cut, part, error);
}

int retime_append(struct retime_cut *cut, struct retime_key *key, struct anim_error *error)
{
	unsigned components = anim_types[cut->track->type].components;

	if (cut->arrives) {
		memcpy(key->left, cut->arriving.left, components * sizeof *key->left);
		memcpy(key->left_x, cut->arriving.left_x, components * sizeof *key->left_x);
		key->weighted = (uint8_t)((key->weighted & 2) | (cut->arriving.weighted & 1));
	}
	cut->arrives = false;
	return retime_keys_add(&cut->keys, cut->track, key, error);
}

bool retime_value_at(struct retime_cut *cut, double t, union retime_value *value, int *result, struct anim_error *error)
{
	uint8_t present = 0;

	*result = anim_sample(cut->clip, cut->track, &t, 1, value, &present, &cut->state, error);
	return *result == 0 && present;
}

void retime_cut_clear(struct retime_cut *cut)
{
	retime_keys_clear(&cut->keys);
	anim_buffer_clear(&cut->windows);
	anim_arena_clear(&cut->texts);
	anim_sample_state_clear(&cut->state);
}

/* An end that was unrolled, or has a key of its own now, does not go on. */
static void set_ends(const struct kept_part *part, struct anim_track *out)
{
	if (out->pre == ANIM_EXTRAPOLATION_LOOP || out->pre == ANIM_EXTRAPOLATION_PINGPONG)
		out->pre = part->cuts ? ANIM_EXTRAPOLATION_HOLD : out->pre;
	if (out->post == ANIM_EXTRAPOLATION_LOOP || out->post == ANIM_EXTRAPOLATION_PINGPONG)
		out->post = part->cuts ? ANIM_EXTRAPOLATION_HOLD : out->post;
}

int retime_cut_track(struct retime_cut *cut, const struct anim_track *track, bool all, struct anim_track *out,
		     struct anim_error *error)
{
	struct anim_sample_state state = {0};
	struct kept_part part;
	int result;

	*out = *track;
	cut->approximated = cut->arrives = cut->has_end = false;
	cut->worst = 0;
	cut->track = track;
	if (track->n == 0)
		return 0;
	anim_arena_reset(&cut->texts);
	anim_sample_state_clear(&cut->state);
	cut->windows.size = 0;
	if (anim_sampler_open(&cut->sampler, cut->clip, track, &state, error) != 0)
		return -1;
	cut->sampler.neighbours = track->kind == ANIM_CURVE;
	find_part(cut, all, &part);
	result = part.cuts || part.all ? retime_keys_begin(&cut->keys, track, error) : 1;
	if (result == 0)
		result = play(cut, &part, error);
	anim_sample_state_clear(&state);
	if (result != 0)
		return result < 0 ? -1 : 0;
	retime_keys_track(&cut->keys, track, out);
	set_ends(&part, out);
	return 0;
}

struct anim_cutter {
	struct retime_cut cut;
};

struct anim_cutter *anim_cutter_new(struct anim_error *error)
{
	return anim_zeroed(sizeof(struct anim_cutter), error);
}

void anim_cutter_free(struct anim_cutter *cutter)
{
	if (cutter != NULL)
		retime_cut_clear(&cutter->cut);
	free(cutter);
}

int anim_cutter_cut(struct anim_cutter *cutter, const struct anim_cut_range *range, const struct anim_track *track,
		    struct anim_track *out, double *worst, struct anim_error *error)
{
	struct retime_cut *cut = &cutter->cut;

	cut->clip = range->clip;
	cut->range = range->range;
	cut->tol = range->tol;
	cut->unroll = range->unroll;
	if (retime_cut_track(cut, track, false, out, error) != 0)
		return -1;
	*worst = cut->approximated ? cut->worst : -1;
	return 0;
}
