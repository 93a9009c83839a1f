/* viewer.c: the data of a page that plays animations (viewer.h): nodes, and tracks sampled at the frames. */
#include "filter/plot/viewer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/map.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/span.h"
#include "filter/axes/axes.h"
#include "filter/bake.h"
#include "filter/clips.h"
#include "filter/common/posing.h"
#include "filter/common/summary.h"
#include "filter/compare/compare.h"
#include "filter/filter.h"
#include "filter/mirror/mirror.h"
#include "filter/plot/panel.h"
#include "stream/store.h"

/* The page (viewer.html), which the Makefile converts to numbers. The data replace this mark. */
static const char page[] = {
#include "filter/plot/viewer.inc"
    0};
static const char mark[] = "<!--data-->\n";

#define RATE 60u        /* for clips without a rate */
#define RATE_LEAST 30u  /* for pages that would be too large */
#define KEYS_SHOWN 2000 /* keys of a track; if it has more, there is one at every frame */
#define FLAGS_SHOWN 500 /* events of a track */
#define NOTES_SHOWN 20  /* messages of reading */
#define SAYS_MOST 200u  /* bytes of the contents of an event */
#define FRAME_NEAR 1e-4 /* part of a frame: times this near to a frame are at the frame */
#define NONE SIZE_MAX

struct viewer_side {
	struct anim_store *store;
	struct anim_buffer trees; /* size_t: the number of the tree of each clip, from 1 on; 0: none */
	size_t tree_count;
	struct anim_map names; /* maps the names of its clips to numbers */
	struct anim_arena arena;
	size_t motions, motion; /* number of clips without RESET clips, and the last of them */
};

struct anim_viewer {
	struct anim_viewer_options options;
	struct anim_print print;
	struct anim_buffer line; /* the current line of JSON */
	struct anim_arena scratch;
	struct viewer_side sides[2];
	uint8_t axes; /* of the first input, when it is known */
	bool reduced; /* to RATE_LEAST */
};

/* --- Lines of JSON. They contain no '<', which could end the script that contains them --- */

static void begin_line(struct anim_viewer *viewer, struct anim_print *print, const char *is, struct anim_error *error)
{
	*print = (struct anim_print){.buffer = &viewer->line, .error = error};
	viewer->print.error = error;
	viewer->line.size = 0;
	anim_print_texts(print, "{\"is\":\"", is, "\"");
}

static void flush_line(struct anim_viewer *viewer, const struct anim_print *print)
{
	const char *text = (const char *)viewer->line.data, *end = text + viewer->line.size, *next;

	viewer->print.failed = viewer->print.failed || print->failed;
	for (; text < end; text = next) {
		next = memchr(text, '<', (size_t)(end - text));
		anim_print_bytes(&viewer->print, text, (size_t)((next == NULL ? end : next) - text));
		if (next++ == NULL)
			break;
		anim_print_text(&viewer->print, "\\u003c");
	}
	viewer->line.size = 0;
}

static int end_line(struct anim_viewer *viewer, struct anim_print *print)
{
	anim_print_text(print, "},\n");
	flush_line(viewer, print);
	return viewer->print.failed ? -1 : 0;
}

static void print_floats(struct anim_print *print, const char *name, const float *values, unsigned count)
{
	anim_print_member(print, name);
	for (unsigned i = 0; i < count; i++) {
		anim_print_text(print, i == 0 ? "[" : ",");
		anim_print_json_number(print, (double)values[i], true);
	}
	anim_print_text(print, "]");
}

/* Numbers as float32, lowest byte first, in base64. All groups but the last have three bytes. */
struct packer {
	struct anim_print *print;
	uint8_t bytes[3072];
	size_t size;
};

static void flush_packer(struct packer *p)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char text[sizeof p->bytes / 3 * 4];
	size_t length = 0, i = 0;

	for (; i < p->size; i += 3) {
		uint32_t group = (uint32_t)p->bytes[i] << 16;

		group |= i + 1 < p->size ? (uint32_t)p->bytes[i + 1] << 8 : 0;
		group |= i + 2 < p->size ? p->bytes[i + 2] : 0;
		for (int shift = 18; shift >= 0; shift -= 6)
			text[length++] = letters[group >> shift & 63];
	}
	for (size_t pad = 0; pad < i - p->size; pad++)
		text[length - 1 - pad] = '=';
	anim_print_bytes(p->print, text, length);
	p->size = 0;
}

static void pack(struct packer *p, float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	for (int shift = 0; shift < 32; shift += 8)
		p->bytes[p->size++] = (uint8_t)(bits >> shift);
	if (p->size == sizeof p->bytes)
		flush_packer(p);
}

/* --- The input is stored, because the rate is chosen when the total size is known --- */

/* A sink before the store. Its free function does not free the store. */
struct keeper {
	struct anim_sink sink;
	struct anim_viewer *viewer;
	struct viewer_side *side;
};

static int keep_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct keeper *k = (struct keeper *)sink;

	k->side->tree_count++;
	if (k->viewer->axes == ANIM_AXES_UNKNOWN)
		k->viewer->axes = tree->axes;
	return anim_sink_tree(anim_store_sink(k->side->store), tree, error);
}

static int keep_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(anim_store_sink(((struct keeper *)sink)->side->store), node, error);
}

/* Return a key of name and player, in the arena. Returns NULL on failure. */
static char *key_of(struct anim_arena *arena, const struct anim_clip *clip, size_t *length, struct anim_error *error)
{
	const char *player = anim_attrs_get(&clip->attrs, "player");
	const char *texts[] = {clip->name, player == NULL ? "" : player};

	return anim_key_join(arena, texts, 2, length, error);
}

static int keep_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct keeper *k = (struct keeper *)sink;
	struct viewer_side *side = k->side;
	size_t number = anim_store_clips(side->store), length;
	size_t tree = clip->flags & ANIM_IN_TREE ? side->tree_count : 0;
	char *key = key_of(&side->arena, clip, &length, error);
	uint32_t before;

	if (k->viewer->axes == ANIM_AXES_UNKNOWN)
		k->viewer->axes = clip->axes;
	if (!anim_clip_is_reset(clip)) {
		side->motions++;
		side->motion = number;
	}
	if (key == NULL || anim_buffer_append(&side->trees, &tree, sizeof tree, error) != 0 ||
	    (!anim_map_get(&side->names, 0, key, length, &before) &&
	     anim_map_put(&side->names, 0, key, length, (uint32_t)number, error) != 0))
		return -1;
	return anim_sink_clip(anim_store_sink(side->store), clip, error);
}

/* Find the clip of the first input beside which a clip is shown. It can be NONE. Returns 0 or -1. */
static int find_partner(struct anim_viewer *viewer, const struct anim_clip *clip, size_t *partner,
			struct anim_error *error)
{
	struct viewer_side *first = &viewer->sides[0], *second = &viewer->sides[1];
	bool alone = first->motions == 1 && second->motions == 1 && !anim_clip_is_reset(clip);
	size_t length;
	char *key;
	uint32_t number;

	anim_arena_reset(&viewer->scratch);
	if ((key = key_of(&viewer->scratch, clip, &length, error)) == NULL)
		return -1;
	*partner = anim_map_get(&first->names, 0, key, length, &number) ? number : alone ? first->motion : NONE;
	return 0;
}

/* Return 1, 0 if no player plays the track, or -1. */
static int is_played(const struct anim_clip *clip, const struct anim_track *track, struct anim_error *error)
{
	double t = (double)clip->start_s, value[1][ANIM_COMPONENTS_MAX];
	struct anim_source play;
	int result;

	for (size_t k = 0; k < track->n && (track->flags & ANIM_UNSORTED); k++)
		if (!isfinite(track->time[k]))
			return 0;
	anim_play_open(&play, clip, track);
	anim_source_open(&play, NULL);
	result = anim_play_sample(&play, &t, 1, value, error);
	anim_source_close(&play);
	return result;
}

/* Begin a line about a track. Returns its label, in the scratch arena, or NULL if out of memory. */
static const char *begin_track(struct anim_viewer *viewer, struct anim_print *print, const char *what,
			       const struct anim_track *track, struct anim_error *error)
{
	const char *label;

	anim_arena_reset(&viewer->scratch);
	label = anim_label_copy(&viewer->scratch, track->node, track->property, track->component, error);
	if (label != NULL)
		begin_line(viewer, print, what, error);
	return label;
}

/* Print a list with one property of the first events. Returns 0 or -1. */
static int print_flags(struct anim_viewer *viewer, struct anim_print *print, const struct anim_track *track,
		       const char *name, struct anim_error *error)
{
	anim_print_member(print, name);
	for (size_t k = 0; k < track->n && k < FLAGS_SHOWN; k++) {
		struct anim_text text;
		const char *flag;

		anim_value_at(track, k, &text);
		anim_print_text(print, k == 0 ? "[" : ",");
		if (strcmp(name, "times") == 0)
			anim_print_json_number(print, (double)track->time[k], true);
		else if (strcmp(name, "says") == 0) {
			/* Print the contents of an event, for the tooltip of a flag. */
			size_t length = text.length == ANIM_NULL_STRING ? 0 : text.length;

			if (length > SAYS_MOST)
				length = anim_utf8_prefix(text.bytes, SAYS_MOST);
			anim_print_json(print, length == 0 ? "" : text.bytes, length);
		} else if ((flag = plot_flag_text(&viewer->scratch, &text, error)) != NULL)
			anim_print_json(print, flag, strlen(flag));
		else
			return -1;
	}
	anim_print_text(print, "]");
	return 0;
}

/* End a line with numbers in base64, which the caller has packed. */
static int end_data(struct anim_viewer *viewer, struct packer *packer)
{
	flush_packer(packer);
	anim_print_text(&viewer->print, "\"},\n");
	return viewer->print.failed ? -1 : 0;
}

static int keep_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct keeper *k = (struct keeper *)sink;
	const char *why;
	int played = 1;

	if (track->n == 0)
		return 0;
	if (anim_track_is_event(track) && track->type == ANIM_STRING && track->kind != ANIM_RAW &&
	    !(track->flags & ANIM_DISABLED)) {
		/*
		 * Print the events, which are flags on the time line: the time, the label and the contents of each. The
		 * clip beside which they are shown is known only at the end, so the page uses the number on the track's
		 * own side.
		 */
		struct anim_viewer *viewer = k->viewer;
		int side = k->side == &k->viewer->sides[1];
		struct anim_print print;
		const char *label = begin_track(viewer, &print, "event", track, error);

		if (label == NULL)
			return -1;
		anim_print_count_member(&print, "side", (uint64_t)side);
		anim_print_count_member(&print, "own", anim_store_clips(viewer->sides[side].store) - 1);
		anim_print_text_member(&print, "name", label);
		anim_print_count_member(&print, "count", track->n);
		if (print_flags(viewer, &print, track, "times", error) != 0 ||
		    print_flags(viewer, &print, track, "flags", error) != 0 ||
		    print_flags(viewer, &print, track, "says", error) != 0)
			return -1;
		return end_line(viewer, &print);
	}
	why = anim_plot_refusal(track);
	if (why == NULL)
		played = is_played(anim_store_clip(k->side->store, anim_store_clips(k->side->store) - 1), track, error);
	if (played < 0)
		return -1;
	if (played == 0)
		why = "not played";

	/* Print the times of the keys on the axis of the clip. The samples do not contain them. */
	int side = k->side == &k->viewer->sides[1];
	if (why == NULL && track->kind != ANIM_RAW) {
		struct packer packer = {.print = &k->viewer->print};
		struct anim_print print;

		begin_line(k->viewer, &print, "keys", error);
		anim_print_count_member(&print, "side", (uint64_t)side);
		anim_print_count_member(&print, "own", anim_store_clips(k->viewer->sides[side].store) - 1);
		anim_print_text_member(&print, "name", track->node);
		anim_print_text_member(&print, "property", track->property);
		anim_print_count_member(&print, "count", track->n);
		anim_print_text(&print, ",\"data\":\"");
		flush_line(k->viewer, &print);
		for (size_t i = 0; i < track->n && track->n <= KEYS_SHOWN; i++)
			pack(&packer, track->time[i]);
		if (end_data(k->viewer, &packer) != 0)
			return -1;
	}

	if (why == NULL)
		return anim_sink_track(anim_store_sink(k->side->store), track, error);

	/* Name a track of the first input that the page does not show. */
	if (side == 0) {
		struct anim_print print;
		const char *label = begin_track(k->viewer, &print, "left", track, error);

		if (label == NULL)
			return -1;
		anim_print_count_member(&print, "clip", anim_store_clips(k->side->store) - 1);
		anim_print_text_member(&print, "name", label);
		anim_print_text_member(&print, "why", why);
		return end_line(k->viewer, &print);
	}
	return 0;
}

/* A filter that also passes everything to another sink (borrowed). */
struct fork {
	struct anim_filter filter;
	struct anim_sink *other;
};

static int fork_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	return anim_sink_tree(((struct fork *)sink)->other, tree, error) != 0 ? -1
									      : anim_filter_tree(sink, tree, error);
}

static int fork_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(((struct fork *)sink)->other, node, error) != 0 ? -1
									      : anim_filter_node(sink, node, error);
}

static int fork_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return anim_sink_clip(((struct fork *)sink)->other, clip, error) != 0 ? -1
									      : anim_filter_clip(sink, clip, error);
}

static int fork_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(((struct fork *)sink)->other, track, error) != 0 ? -1
										: anim_filter_track(sink, track, error);
}

static int fork_end(struct anim_sink *sink, struct anim_error *error)
{
	return anim_sink_end(((struct fork *)sink)->other, error) != 0 ? -1 : anim_filter_end(sink, error);
}

struct anim_sink *anim_viewer_input(struct anim_viewer *viewer, int side, struct anim_sink *next,
				    struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = fork_tree, .node = fork_node, .clip = fork_clip, .track = fork_track, .end = fork_end};
	const struct anim_axes_options axes = {.target = (enum anim_axes)viewer->axes,
					       .from = (enum anim_axes)viewer->axes,
					       .ppu = ANIM_AXES_PPU,
					       .diagnostics = viewer->options.diagnostics};
	static const struct anim_sink_ops keeper_ops = {
	    .tree = keep_tree, .node = keep_node, .clip = keep_clip, .track = keep_track};
	struct anim_sink *sink;
	struct keeper *keeper;
	struct fork *fork;

	viewer->sides[side].store = anim_store_new(viewer->options.store_memory, error);
	if (viewer->sides[side].store == NULL || (keeper = anim_sink_new(sizeof *keeper, &keeper_ops, error)) == NULL)
		return NULL;
	keeper->viewer = viewer;
	keeper->side = &viewer->sides[side];
	sink = &keeper->sink;
	if (side == 1 && viewer->axes != ANIM_AXES_UNKNOWN)
		sink = anim_axes_new(&axes, sink, error);
	if (sink == NULL || next == NULL)
		return sink;
	fork = anim_filter_new(sizeof *fork, &ops, sink, error);
	if (fork == NULL)
		return NULL;
	fork->other = next;
	return &fork->filter.sink;
}

int anim_viewer_pair(void *context, const struct anim_compare_shown *shown, struct anim_error *error)
{
	struct anim_viewer *viewer = context;
	struct anim_print print;
	char worst[TEXT_NUMBER_MAX], at[TEXT_NUMBER_MAX];
	size_t clip;

	if (find_partner(viewer, shown->plays[0]->clip, &clip, error) != 0)
		return -1;
	if (clip == NONE)
		return 0;
	text_of_number(worst, shown->worst, anim_unit_names[shown->unit]);
	text_of_number(at, shown->at_s, "s");
	begin_line(viewer, &print, "off", error);
	anim_print_count_member(&print, "clip", clip);
	anim_print_text_member(&print, "node", shown->node);
	anim_print_text_member(&print, "property", shown->property);
	anim_print_text_member(&print, "worst", worst);
	anim_print_text_member(&print, "at", at);
	return end_line(viewer, &print);
}

int anim_viewer_world(void *context, const struct anim_compare_world *world, struct anim_error *error)
{
	struct anim_viewer *viewer = context;
	size_t clip;

	if (find_partner(viewer, world->clip, &clip, error) != 0)
		return -1;
	for (int flat = 0; clip != NONE && flat < 2; flat++) {
		const struct anim_compare_apart *apart = &world->apart[flat];
		struct anim_print print;

		if (apart->worst == ANIM_POSE_NONE)
			continue;
		begin_line(viewer, &print, "far", error);
		anim_print_count_member(&print, "clip", clip);
		anim_print_text_member(&print, "node", anim_poses_path(world->poses[0], apart->worst));
		anim_print_member(&print, "off");
		anim_print_json_number(&print, apart->worst_off, true);
		anim_print_member(&print, "at");
		anim_print_json_number(&print, apart->at_s, true);
		anim_print_bool_member(&print, "pixels", apart->unit == ANIM_UNIT_PIXELS);
		if (end_line(viewer, &print) != 0)
			return -1;
	}
	return 0;
}

int anim_viewer_clips(void *context, const struct anim_compare_clips *clips, struct anim_error *error)
{
	struct anim_viewer *viewer = context;
	struct plot_apart apart;
	struct anim_print print;
	size_t number;

	if (clips->heads[0] == NULL)
		return anim_diagnostics_note(viewer->options.diagnostics, NULL, error,
					     "clip '%s' is only in the result, so it is not on the page",
					     clips->heads[1]->name);
	if (find_partner(viewer, clips->heads[0], &number, error) != 0 ||
	    plot_apart_of(&apart, clips, &viewer->scratch, error) != 0)
		return -1;
	if (number == NONE)
		return 0;
	begin_line(viewer, &print, "apart", error);
	anim_print_count_member(&print, "clip", number);
	anim_print_member(&print, "text");
	anim_print_text(&print, "\""); /* contains only words of this program */
	if (apart.alone != NULL)
		anim_print_texts(&print, "; ", apart.alone);
	plot_apart(&print, &apart);
	anim_print_text(&print, "\"");
	anim_print_text_member(&print, "source", apart.named[0]);
	anim_print_text_member(&print, "result", apart.named[1]);
	return end_line(viewer, &print);
}

/* --- The output: sampled by the filter of anim-bake, between two sinks that print --- */

/*
 * The sink after the filter: the number of the current clip, and the clip beside which it is shown (itself for the
 * first input).
 */
struct frames {
	struct anim_sink sink;
	struct anim_viewer *viewer;
	int side;
	size_t next, clip, tree;          /* next clip; current clip of the first input; its tree */
	struct anim_rests rests, partner; /* of the tree; of the first input's tree, if this input has none */
	struct anim_rests none;
	size_t partner_tree;
	struct anim_clip head;
	struct anim_arena arena;
	size_t first, last; /* samples of the selected part */
};

/* Check that no node was missed because memory ran out. */
static int check_rests(const struct frames *f, struct anim_error *error)
{
	if (anim_rests_check(&f->rests, error) != 0 || anim_rests_check(&f->partner, error) != 0)
		return -1;
	return anim_rests_check(&f->none, error);
}

static int frames_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct frames *f = (struct frames *)sink;
	struct anim_print print;

	if (check_rests(f, error) != 0)
		return -1;
	anim_rests_clear(&f->rests);
	begin_line(f->viewer, &print, "tree", error);
	anim_print_count_member(&print, "side", (uint64_t)f->side);
	anim_print_text_member(&print, "axes", anim_axes_names[tree->axes]);
	anim_print_bool_member(&print, "down", tree->axes2d == ANIM_AXES2D_GODOT);
	return end_line(f->viewer, &print);
}

static int frames_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct frames *f = (struct frames *)sink;
	char side[2] = {anim_side_of_name(anim_node_own_name(node->path)), '\0'};
	struct anim_print print;

	if (anim_rests_add(&f->rests, node, error) != 0)
		return -1;
	begin_line(f->viewer, &print, "node", error);
	anim_print_count_member(&print, "side", (uint64_t)f->side);
	anim_print_text_member(&print, "path", node->path);
	anim_print_member(&print, "parent");
	anim_print_int64(&print, node->parent == ANIM_NO_PARENT ? -1 : (int64_t)node->parent);
	anim_print_bool_member(&print, "bone", node->kind == ANIM_NODE_BONE);
	anim_print_bool_member(&print, "placed", node->has != 0);
	anim_print_bool_member(&print, "flat", (node->has & ANIM_HAS_2D) != 0);
	anim_print_text_member(&print, "hand", side);
	print_floats(&print, "position", node->position, 3);
	print_floats(&print, "rotation", node->rotation, 4);
	print_floats(&print, "scale", node->scale, 3);
	return end_line(f->viewer, &print);
}

static size_t tree_of(const struct viewer_side *side, size_t clip)
{
	return ((const size_t *)(const void *)side->trees.data)[clip];
}

/* Read the tree of the first input for a clip of the second input that has no tree. */
static int read_partner(struct frames *f, struct anim_error *error)
{
	struct viewer_side *first = &f->viewer->sides[0];
	size_t tree = tree_of(first, f->clip);
	struct anim_sink *sink;
	int result;

	if (tree == f->partner_tree)
		return 0;
	if (check_rests(f, error) != 0)
		return -1;
	anim_rests_clear(&f->partner);
	f->partner_tree = tree;
	if (tree == 0)
		return 0;
	if ((sink = anim_rests_sink_new(&f->partner, error)) == NULL)
		return -1;
	result = anim_store_replay_tree(first->store, tree - 1, sink, error);
	anim_sink_free(sink);
	return result;
}

/*
 * Find the samples of the selected part, by the clip of the first input. Returns 1, 0 if the clip is outside the range,
 * or -1.
 */
static int find_part(struct frames *f, struct anim_error *error)
{
	const struct anim_viewer_options *options = &f->viewer->options;
	const struct anim_clip *clip = anim_store_clip(f->viewer->sides[0].store, f->clip);
	double rate = (double)f->head.rate_num / (double)f->head.rate_den;
	struct anim_range range;
	int overlaps;

	f->first = 0;
	f->last = SIZE_MAX;
	if (!options->range.given)
		return 1;
	if ((overlaps = anim_range_of_clip(&range, clip, &options->range, error)) <= 0)
		return overlaps;
	f->first = (size_t)ceil(((double)range.start_s - (double)clip->start_s) * rate - FRAME_NEAR);
	f->last = (size_t)floor(((double)range.end_s - (double)clip->start_s) * rate + FRAME_NEAR);
	f->last = f->last < f->first ? f->first : f->last;
	return 1;
}

static int frames_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct frames *f = (struct frames *)sink;
	const struct viewer_side *side = &f->viewer->sides[f->side];
	const struct anim_clip *kept = anim_store_clip(side->store, f->next);
	int overlaps;

	anim_arena_reset(&f->arena);
	if (anim_clip_copy(&f->head, clip, &f->arena, error) != 0 ||
	    find_partner(f->viewer, kept, &f->clip, error) != 0)
		return -1;
	f->clip = f->side == 0 ? f->next : f->clip;
	f->tree = tree_of(side, f->next++);
	if (f->clip == NONE)
		return 0;
	if ((overlaps = find_part(f, error)) < 0)
		return -1;
	if (overlaps == 0) {
		f->clip = NONE;
		return f->side == 1
			   ? 0
			   : anim_diagnostics_note(
				 f->viewer->options.diagnostics, NULL, error,
				 "clip '%s' is outside the time range of " ANIM_OPTION("plot", "time"), clip->name);
	}
	if (f->side == 1 && f->tree == 0 && read_partner(f, error) != 0)
		return -1;

	const char *player = anim_attrs_get(&kept->attrs, "player");
	struct anim_print print;
	double rate = (double)f->head.rate_num / (double)f->head.rate_den;
	double start = (double)kept->start_s + (double)f->first / rate, length = (double)kept->end_s - start;

	if (f->last != SIZE_MAX)
		length = fmin(length, (double)(f->last - f->first) / rate);
	begin_line(f->viewer, &print, "clip", error);
	anim_print_count_member(&print, "side", (uint64_t)f->side);
	anim_print_count_member(&print, "clip", f->clip);
	anim_print_count_member(&print, "own", f->next - 1);
	anim_print_count_member(&print, "tree", f->tree);
	anim_print_text_member(&print, "name", kept->name);
	anim_print_text_member(&print, "player", player == NULL ? "" : player);
	anim_print_bool_member(&print, "reset", anim_clip_is_reset(kept));
	anim_print_number_member(&print, "start", start, true);
	anim_print_number_member(&print, "length", length, true);
	anim_print_number_member(&print, "rate", rate, false);
	return end_line(f->viewer, &print);
}

/* Return the part of its node that a track moves on the page, or NULL if it moves none. */
static const char *part_of(const struct anim_track *track)
{
	static const struct {
		const char *property;
		unsigned components[2];
	} parts[] = {{"position", {3, 2}}, {"rotation", {4, 4}}, {"scale", {3, 2}}, {"angle", {1, 1}}};
	unsigned components = anim_types[track->type].components;

	if (track->component != ANIM_WHOLE || !anim_track_is_transform(track) || (track->flags & ANIM_REST_RELATIVE))
		return NULL;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strcmp(track->property, parts[i].property) == 0 &&
		    (components == parts[i].components[0] || components == parts[i].components[1]))
			return parts[i].property;
	return NULL;
}

static int frames_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct frames *f = (struct frames *)sink;
	struct packer packer = {.print = &f->viewer->print};
	struct anim_print print;
	const struct anim_rest *rest;
	int64_t node = -1;
	double factor = plot_factor_of(track);

	if (f->clip == NONE || track->kind != ANIM_RAW || track->type == ANIM_STRING)
		return 0;
	begin_line(f->viewer, &print, "track", error);

	unsigned components = anim_types[track->type].components;

	anim_print_count_member(&print, "side", (uint64_t)f->side);
	anim_print_count_member(&print, "clip", f->clip);
	/* A clip of the second input without a tree uses the tree of the first input. */
	if (f->tree > 0 && (rest = anim_rests_find(&f->rests, f->head.root, track->node)) != NULL)
		node = rest - f->rests.items;
	else if (f->tree == 0 && f->side == 1 &&
		 (rest = anim_rests_find_either(&f->none, &f->partner, f->head.root, track->node)) != NULL)
		node = rest - f->partner.items;
	anim_print_member(&print, "node");
	anim_print_int64(&print, node);
	anim_print_text_member(&print, "name", track->node);
	anim_print_text_member(&print, "property", track->property);
	anim_print_text_member(&print, "component",
			       track->component == ANIM_WHOLE ? ""
							      : anim_component_name(track->property, track->component));
	anim_print_text_member(&print, "part", part_of(track));
	anim_print_text_member(&print, "unit", plot_unit_of(&f->head, track, f->viewer->options.rotation));
	anim_print_bool_member(&print, "turns", anim_types[track->type].quaternion);
	anim_print_bool_member(&print, "steps", !anim_type_is_real(track->type));
	anim_print_member(&print, "lanes");
	for (unsigned i = 0; i < components; i++)
		anim_print_texts(&print, i == 0 ? "[\"" : "\",\"",
				 components == 1 ? "" : anim_component_name(track->property, i));
	anim_print_text(&print, "\"]");

	anim_print_text(&print, ",\"data\":\"");
	flush_line(f->viewer, &print);
	for (size_t k = track->n > 1 ? f->first : 0; k < track->n && k <= f->last; k++)
		for (unsigned i = 0; i < anim_types[track->type].components; i++)
			pack(&packer, (float)(factor * anim_component(track->type, track->value, k, i)));
	return end_data(f->viewer, &packer);
}

static int frames_end(struct anim_sink *sink, struct anim_error *error)
{
	return check_rests((struct frames *)sink, error);
}

static void frames_free(struct anim_sink *sink)
{
	struct frames *f = (struct frames *)sink;

	anim_rests_clear(&f->rests);
	anim_rests_clear(&f->partner);
	anim_rests_clear(&f->none);
	anim_arena_clear(&f->arena);
	free(f);
}

static struct anim_sink *frames_new(struct anim_viewer *viewer, int side, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {frames_tree, frames_node, frames_clip, frames_track,
						 NULL,        frames_end,  frames_free};
	struct frames *f = anim_sink_new(sizeof *f, &ops, error);

	if (f == NULL)
		return NULL;
	f->viewer = viewer;
	f->side = side;
	f->clip = NONE;
	return &f->sink;
}

/* --- The rate, and the run of all clips --- */

/* Set the rate: the clip's own rate, or the rate of the first input's clip beside which it is shown. */
static int set_rate(struct anim_viewer *viewer, int side, struct anim_clip *head, struct anim_error *error)
{
	const struct anim_clip *like = head;
	size_t partner;

	if (find_partner(viewer, head, &partner, error) != 0)
		return -1;
	if (side == 1 && partner != NONE)
		like = anim_store_clip(viewer->sides[0].store, partner);
	head->rate_den = like->rate_num > 0 ? like->rate_den : 1;
	head->rate_num = like->rate_num > 0 ? like->rate_num : RATE;
	if (viewer->reduced && head->rate_num > (uint64_t)RATE_LEAST * head->rate_den) {
		head->rate_num = RATE_LEAST;
		head->rate_den = 1;
	}
	head->record = NULL;
	return 0;
}

/* Add up the bytes of the samples of all sides, as if all tracks moved. Returns 0 or -1. */
static int find_size(struct anim_viewer *viewer, int sides, double *size, struct anim_error *error)
{
	const struct anim_viewer_options *options = &viewer->options;
	size_t c = 0;

	*size = 0;
	for (int side = 0; side < sides; c = 0, side++)
		for (struct anim_store *store = viewer->sides[side].store; c < anim_store_clips(store); c++) {
			struct anim_clip head = *anim_store_clip(store, c);
			double frames, numbers = 0;
			struct anim_range part = {head.start_s, head.end_s};

			if (options->range.given && anim_range_of_clip(&part, &head, &options->range, error) < 0)
				return -1;
			frames = (double)part.end_s - (double)part.start_s;
			if (set_rate(viewer, side, &head, error) != 0)
				return -1;
			frames = frames * head.rate_num / head.rate_den + 1;
			for (size_t i = 0; i < anim_store_tracks(store, c); i++) {
				const struct anim_store_track *track = anim_store_track_at(store, c, i);

				numbers += track->n > 1 ? anim_types[track->type].components : 0;
			}
			*size += frames * numbers * (double)sizeof(float);
		}
	return 0;
}

/* Pass on the trees and clips in their original order. */
static int replay(struct anim_viewer *viewer, int side, struct anim_sink *sink, struct anim_error *error)
{
	struct viewer_side *s = &viewer->sides[side];
	size_t tree = 0;

	for (size_t c = 0; c <= anim_store_clips(s->store); c++) {
		bool last = c == anim_store_clips(s->store);
		struct anim_clip head;

		for (; tree < (last ? s->tree_count : tree_of(s, c)); tree++)
			if (anim_store_replay_tree(s->store, tree, sink, error) != 0)
				return -1;
		if (last)
			break;
		head = *anim_store_clip(s->store, c);
		if (set_rate(viewer, side, &head, error) != 0 ||
		    anim_store_replay(s->store, c, &head, sink, error) != 0)
			return -1;
	}
	return anim_sink_end(sink, error);
}

/* --- The page --- */

/*
 * Choose the rate. A page that would be too large has fewer frames. A page that is still too large for a browser is
 * refused.
 */
static int choose_rate(struct anim_viewer *viewer, int sides, struct anim_error *error)
{
	double size, least;

	if (find_size(viewer, sides, &size, error) != 0)
		return -1;
	viewer->reduced = size > (double)ANIM_VIEWER_MOST;
	if (!viewer->reduced)
		return 0;
	if (find_size(viewer, sides, &least, error) != 0)
		return -1;
	if (least > 4 * (double)ANIM_VIEWER_MOST)
		return anim_fail(
		    error, ANIM_TOO_LARGE,
		    "the page would hold %.0f MB even at 30 samples per second. Select clips with " ANIM_OPTION(
			"plot", "clip") ", or a part with " ANIM_OPTION("plot", "time"),
		    least / (1 << 20));
	return anim_diagnostics_note(
	    viewer->options.diagnostics, NULL, error,
	    "the page would hold %.0f MB of samples, so it has only 30 per second. Select clips with " ANIM_OPTION(
		"plot", "clip") ", or a part with " ANIM_OPTION("plot", "time"),
	    size / (1 << 20));
}

int anim_viewer_end(struct anim_viewer *viewer, struct anim_error *error)
{
	int sides = viewer->options.names[1] == NULL ? 1 : 2;

	if (choose_rate(viewer, sides, error) != 0)
		return -1;

	static const char *const rotations[] = {"rotvec", "quat", "euler", "angle"};
	const struct anim_diagnostics *diagnostics = viewer->options.diagnostics;
	struct anim_print print;
	char raw[1024], text[1024];

	begin_line(viewer, &print, "page", error);
	anim_print_text_member(&print, "source", viewer->options.names[0]);
	anim_print_text_member(&print, "result", viewer->options.names[1]);
	anim_print_text_member(&print, "as", rotations[viewer->options.rotation]);
	anim_print_bool_member(&print, "safe", viewer->options.palette == ANIM_PLOT_SAFE);
	anim_print_number_member(&print, "limit", viewer->options.limit_m, false);
	anim_print_number_member(&print, "pixels", viewer->options.limit_px, false);
	anim_print_number_member(&print, "shell", viewer->options.shell_m, false);
	anim_print_number_member(&print, "circle", viewer->options.shell_px, false);
	anim_print_bool_member(&print, "reduced", viewer->reduced);
	if (end_line(viewer, &print) != 0)
		return -1;

	for (int side = 0; side < sides; side++) {
		const struct anim_bake_options bake = {
		    .all = true, .drop_constant = true, .diagnostics = viewer->options.diagnostics};
		struct anim_sink *sink = frames_new(viewer, side, error);
		int result;

		sink = sink == NULL ? NULL : anim_bake_new(&bake, sink, error);
		result = sink == NULL ? -1 : replay(viewer, side, sink, error);
		anim_sink_free(sink);
		if (result != 0)
			return -1;
	}
	/* Print the notes and warnings of reading, without file paths, because other people may see the page. */
	for (size_t i = 0; i < diagnostics->count && i < NOTES_SHOWN; i++) {
		anim_diagnostic_print(&diagnostics->items[i], raw, sizeof raw);
		anim_advice_print(viewer->options.advisor, raw, text, sizeof text);
		begin_line(viewer, &print, "note", error);
		anim_print_text_member(&print, "text", text);
		if (end_line(viewer, &print) != 0)
			return -1;
	}
	anim_print_texts(&viewer->print, "{\"is\":\"end\"}]\n", strstr(page, mark) + sizeof mark - 1);
	if (anim_diagnostics_check(viewer->options.diagnostics, error) != 0)
		return -1;
	return viewer->print.failed ? -1 : 0;
}

struct anim_viewer *anim_viewer_new(struct anim_output *out, const struct anim_viewer_options *options,
				    struct anim_error *error)
{
	struct anim_viewer *viewer = anim_zeroed(sizeof *viewer, error);

	if (viewer == NULL)
		return NULL;
	viewer->options = *options;
	viewer->print = (struct anim_print){.out = out, .error = error};
	anim_print_bytes(&viewer->print, page, (size_t)(strstr(page, mark) - page));
	anim_print_text(&viewer->print, "[\n");
	return viewer;
}

void anim_viewer_free(struct anim_viewer *viewer)
{
	if (viewer == NULL)
		return;
	for (int side = 0; side < 2; side++) {
		anim_store_free(viewer->sides[side].store);
		anim_buffer_clear(&viewer->sides[side].trees);
		anim_map_clear(&viewer->sides[side].names);
		anim_arena_clear(&viewer->sides[side].arena);
	}
	anim_buffer_clear(&viewer->line);
	anim_arena_clear(&viewer->scratch);
	free(viewer);
}
