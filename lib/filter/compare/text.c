/* text.c: texts of two tracks, key by key. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/compare/internal.h"

struct reader {
	const struct anim_clip *clip;
	const struct anim_track *track;
	size_t k;
};

/* Seconds from the clip's start of the key at hand; infinity behind the last. */
static double time_of(const struct reader *r)
{
	double t;

	if (r->k >= r->track->n)
		return (double)INFINITY;
	t = anim_track_time(r->track, r->k) - (double)r->clip->start_s;
	return t == t ? t : 0; /* samples of unknown interval: by their numbers */
}

static bool same_text(const struct reader *a, const struct reader *b)
{
	struct anim_text texts[2];

	return anim_value_equal(ANIM_STRING, anim_value_at(a->track, a->k, &texts[0]),
				anim_value_at(b->track, b->k, &texts[1]));
}

/* What is Godot's source text on one side may be what it means on the other. */
static int meant(const struct anim_track *track, struct anim_track *out, struct anim_texts *texts,
		 struct anim_strings *strings, struct anim_error *error)
{
	*out = *track;
	if (!anim_texts_are_quoted(track))
		return 0;
	if (anim_texts_unquote(texts, track, error) != 0)
		return -1;
	anim_texts_view(texts, strings);
	out->strings = strings;
	return 0;
}

static void compare_keys(const struct anim_clip *const clips[2], const struct anim_track *a, const struct anim_track *b,
			 struct compare_row *row)
{
	struct reader first = {clips[0], a, 0}, second = {clips[1], b, 0};
	double found = (double)INFINITY;

	while (first.k < a->n || second.k < b->n) {
		double t = time_of(&first), u = time_of(&second), earlier = fmin(t, u);
		bool together = t == u || fabs(t - u) <= compare_hair(a->rules, b->rules, earlier);
		bool same = together && first.k < a->n && second.k < b->n && same_text(&first, &second);

		row->worst += !same;
		found = same ? found : fmin(found, earlier);
		first.k += together || t < u;
		second.k += together || u < t;
	}
	row->at_s = (isfinite(found) ? found : 0) + (double)clips[0]->start_s;
}

int compare_texts(const struct anim_clip *const clips[2], const struct anim_track *a, const struct anim_track *b,
		  struct compare_row *row, struct anim_error *error)
{
	struct anim_texts texts[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
	struct anim_strings strings[2];
	struct anim_track tracks[2];
	int result = meant(a, &tracks[0], &texts[0], &strings[0], error);

	if (result == 0)
		result = meant(b, &tracks[1], &texts[1], &strings[1], error);
	if (result == 0)
		compare_keys(clips, &tracks[0], &tracks[1], row);
	anim_texts_clear(&texts[0]);
	anim_texts_clear(&texts[1]);
	return result;
}
