/* clips.c: select clips by name, one clip of a stream, or one sink per clip. */
#include "filter/clips.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/text.h"
#include "filter/filter.h"
#include "stream/record.h"
#include "stream/store.h"

/* --- Matching clips by name, and lists of names --- */

static const char *player_of(const struct anim_clip *clip)
{
	const char *player = anim_attrs_get(&clip->attrs, "player");

	return player == NULL ? "" : player;
}

enum anim_clip_fit anim_clip_match(const struct anim_clip *clip, const char *wanted)
{
	const char *player = player_of(clip), *colon = strrchr(wanted, ':');
	const char *old_name = anim_attrs_get(&clip->attrs, ANIM_ATTR_OLD_NAME);
	size_t length = strlen(player);
	char glob[512];

	if (strcmp(wanted, clip->name) == 0)
		return ANIM_CLIP_EXACT;
	if (length > 0 && strncmp(wanted, player, length) == 0 && wanted[length] == ':' &&
	    strcmp(wanted + length + 1, clip->name) == 0)
		return ANIM_CLIP_EXACT;
	if (anim_glob_match(wanted, clip->name) || (old_name != NULL && anim_glob_match(wanted, old_name)))
		return ANIM_CLIP_BY_GLOB;
	if (colon == NULL || (size_t)(colon - wanted) >= sizeof glob || !anim_glob_match(colon + 1, clip->name))
		return ANIM_CLIP_OTHER;
	/* Match the complete path, because Godot names every player "AnimationPlayer", also the one below Robot. */
	memcpy(glob, wanted, (size_t)(colon - wanted));
	glob[colon - wanted] = '\0';
	return strcmp(glob, player) == 0 || anim_glob_fits(glob, player) ? ANIM_CLIP_BY_GLOB : ANIM_CLIP_OTHER;
}

bool anim_clip_is_reset(const struct anim_clip *clip)
{
	const char *slash = strrchr(clip->name, '/');

	return strcmp(slash == NULL ? clip->name : slash + 1, "RESET") == 0;
}

static void copy_short(char *out, size_t capacity, const char *text)
{
	size_t length = strlen(text);

	if (length < capacity) {
		memcpy(out, text, length + 1);
		return;
	}
	length = anim_utf8_prefix(text, capacity - 4);
	memcpy(out, text, length);
	memcpy(out + length, "...", 4);
}

static size_t kept(const struct anim_clip_names *names)
{
	return names->count < ANIM_CLIP_NAMES_KEPT ? names->count : ANIM_CLIP_NAMES_KEPT;
}

void anim_clip_names_add(struct anim_clip_names *names, const struct anim_clip *clip)
{
	size_t at = names->count++;

	if (at >= ANIM_CLIP_NAMES_KEPT)
		return;
	copy_short(names->kept[at].name, sizeof names->kept[at].name, clip->name);
	copy_short(names->kept[at].player, sizeof names->kept[at].player, player_of(clip));
}

/*
 * Return whether two kept clips have the same name, so that only PLAYER:NAME is unique. `players`: whether they also have the
 * same player, so that they cannot be distinguished. Shortened names may differ in the part that was cut off.
 */
static bool names_collide(const struct anim_clip_names *names, bool players)
{
	for (size_t i = 0; i < kept(names); i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(names->kept[i].name, names->kept[j].name) == 0 &&
			    (!players || (strcmp(names->kept[i].player, names->kept[j].player) == 0 &&
					  strlen(names->kept[i].name) + 1 < sizeof names->kept[i].name &&
					  strlen(names->kept[i].player) + 1 < sizeof names->kept[i].player)))
				return true;
	return false;
}

void anim_clip_names_print(const struct anim_clip_names *names, const char *wanted, char *out, size_t capacity)
{
	bool with_player = (wanted != NULL && strchr(wanted, ':') != NULL) || names_collide(names, false);
	size_t used = 0, i;

	out[0] = '\0';
	for (i = 0; i < kept(names); i++) {
		const char *player = with_player ? names->kept[i].player : "", *name = names->kept[i].name;
		char one[180];
		size_t length = (size_t)snprintf(one, sizeof one, "%s%s%s%s", i > 0 ? ", " : "", player,
						 player[0] != '\0' ? ":" : "", name);

		if (used + length + sizeof " and 4294967295 more" > capacity)
			break;
		memcpy(out + used, one, length + 1);
		used += length;
	}
	if (i < names->count)
		snprintf(out + used, capacity - used, " and %zu more", names->count - i);
}

int anim_clips_wanted_init(struct anim_clips_wanted *wanted, const char *const *patterns, size_t count,
			   struct anim_error *error)
{
	*wanted = (struct anim_clips_wanted){
	    .patterns = patterns, .count = count, .fitted = calloc(count + 1, sizeof *wanted->fitted)};
	return wanted->fitted == NULL ? anim_fail_memory(error) : 0;
}

/* Return the number at the end of NAME#2, or 0. *length is the length of NAME. */
static size_t number_of(const char *pattern, size_t *length)
{
	const char *hash = strrchr(pattern, '#');
	char *end = NULL;
	unsigned long number = hash == NULL || hash[1] < '1' || hash[1] > '9' ? 0 : strtoul(hash + 1, &end, 10);

	*length = number > 0 && *end == '\0' ? (size_t)(hash - pattern) : strlen(pattern);
	return number > 0 && *end == '\0' ? number : 0;
}

/* Match a clip with the pattern without its number, which is put into *number if it counts. */
static enum anim_clip_fit match_numbered(const struct anim_clip *clip, const char *pattern, size_t *number)
{
	enum anim_clip_fit fit = anim_clip_match(clip, pattern);
	char name[512];
	size_t length;

	*number = fit != ANIM_CLIP_OTHER ? 0 : number_of(pattern, &length);
	if (*number == 0 || length >= sizeof name)
		return fit;
	memcpy(name, pattern, length);
	name[length] = '\0';
	return anim_clip_match(clip, name);
}

enum anim_clip_fit anim_clips_wanted_match(struct anim_clips_wanted *wanted, const struct anim_clip *clip)
{
	enum anim_clip_fit best = ANIM_CLIP_OTHER;

	anim_clip_names_add(&wanted->names, clip);
	wanted->first = wanted->count;
	for (size_t i = 0; i < wanted->count; i++) {
		size_t number;
		enum anim_clip_fit fit = match_numbered(clip, wanted->patterns[i], &number);

		wanted->fitted[i] += fit != ANIM_CLIP_OTHER;
		if (fit == ANIM_CLIP_OTHER || (number > 0 && wanted->fitted[i] != number))
			continue;
		best = fit > best ? fit : best;
		wanted->first = i < wanted->first ? i : wanted->first;
	}
	return best;
}

int anim_clips_wanted_check(const struct anim_clips_wanted *wanted, struct anim_error *error)
{
	char list[320];

	for (size_t i = 0; i < wanted->count; i++) {
		size_t length, number = number_of(wanted->patterns[i], &length);

		if (wanted->fitted[i] > 0 && wanted->fitted[i] >= number)
			continue;
		anim_clip_names_print(&wanted->names, wanted->patterns[i], list, sizeof list);
		return anim_fail(error, ANIM_BAD_INPUT, "no clip is named '%.100s'; %s%s%s", wanted->patterns[i],
				 wanted->names.count == 0 ? "the input has no clips" : "the clips are ", list,
				 strchr(wanted->patterns[i], ',') != NULL
				     ? "; for several, repeat " ANIM_OPTION("parse", "clip")
				     : "");
	}
	return 0;
}

/* --- A filter that keeps clips by name --- */

struct clips {
	struct anim_filter filter;
	struct anim_clips_wanted wanted;
	bool dropping; /* the current clip is dropped with its content */
};

static int clips_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	((struct clips *)sink)->dropping = false;
	return anim_filter_tree(sink, tree, error);
}

static int clips_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct clips *clips = (struct clips *)sink;

	clips->dropping = anim_clips_wanted_match(&clips->wanted, clip) == ANIM_CLIP_OTHER;
	return clips->dropping ? 0 : anim_filter_clip(sink, clip, error);
}

static int clips_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return ((struct clips *)sink)->dropping ? 0 : anim_filter_track(sink, track, error);
}

static int clips_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return ((struct clips *)sink)->dropping ? 0 : anim_filter_record(sink, record, error);
}

static int clips_end(struct anim_sink *sink, struct anim_error *error)
{
	return anim_clips_wanted_check(&((struct clips *)sink)->wanted, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void clips_free(struct anim_sink *sink)
{
	free(((struct clips *)sink)->wanted.fitted);
	anim_filter_free(sink);
}

bool anim_clips_may_fit(struct anim_sink *sink, const char *name)
{
	struct clips *clips = (struct clips *)sink;
	const struct anim_clip clip = {.name = name};

	/* a part of a pattern before a ':' may be the player, which is not known yet */
	for (size_t i = 0; i < clips->wanted.count; i++)
		for (const char *pattern = clips->wanted.patterns[i], *colon; pattern != NULL;
		     pattern = colon == NULL ? NULL : colon + 1) {
			size_t number;

			if (match_numbered(&clip, pattern, &number) != ANIM_CLIP_OTHER)
				return true;
			colon = strchr(pattern, ':');
		}
	anim_clip_names_add(&clips->wanted.names, &clip);
	return false;
}

struct anim_sink *anim_clips_new(const char *const *patterns, size_t count, struct anim_sink *next,
				 struct anim_error *error)
{
	static const struct anim_sink_ops ops = {clips_tree,   NULL,      clips_clip, clips_track,
						 clips_record, clips_end, clips_free};
	struct clips *clips = anim_filter_new(sizeof *clips, &ops, next, error);

	if (clips == NULL)
		return NULL;
	if (anim_clips_wanted_init(&clips->wanted, patterns, count, error) != 0) {
		anim_sink_free(&clips->filter.sink);
		return NULL;
	}
	return &clips->filter.sink;
}

/* --- One clip of a stream, or one sink per clip, for targets that hold one clip --- */

/* How well a clip matches. A second choice is used only if no first choice arrives. Until then it waits in a store. */
enum choice { NOT_WANTED, SECOND_CHOICE, FIRST_CHOICE };

struct pick {
	struct anim_sink sink;
	struct anim_pick_options options;
	struct anim_store *tree;    /* the last TREE with its nodes; NULL: none yet */
	struct anim_tree tree_head; /* its head, in tree_texts */
	struct anim_arena tree_texts;
	bool in_tree;               /* only nodes came after it */
	struct anim_store *waiting; /* the second choice, after its tree */
	struct anim_sink *live;     /* sink of the clip that is being written */
	struct anim_sink
	    *last;         /* the ended sink of the previous clip, which has the nodes of the last TREE; NULL: none */
	bool live_in_tree; /* `live` has these nodes */
	const struct anim_scope *scope; /* of the clip that is being written or waits */
	struct anim_sink *current;      /* sink for the tracks of the current clip, borrowed; NULL: drop them */
	struct anim_clip_names all, first, second;
	size_t fits; /* clips that matched options.clip without its number */
};

static enum choice choose(struct pick *pick, const struct anim_clip *clip)
{
	enum anim_clip_fit fit;
	size_t number;

	if (pick->options.clip == NULL)
		return anim_clip_is_reset(clip) ? SECOND_CHOICE : FIRST_CHOICE;
	fit = match_numbered(clip, pick->options.clip, &number);
	pick->fits += fit != ANIM_CLIP_OTHER;
	switch (number == 0 || pick->fits == number ? fit : ANIM_CLIP_OTHER) {
	case ANIM_CLIP_EXACT:
		return FIRST_CHOICE;
	case ANIM_CLIP_BY_GLOB:
		return SECOND_CHOICE;
	case ANIM_CLIP_OTHER:
		break;
	}
	return NOT_WANTED;
}

/* Begin a clip in a sink: send its tree if it has one and the sink accepts trees, then its head. */
static int begin(struct pick *pick, struct anim_sink *to, const struct anim_clip *clip, struct anim_error *error)
{
	int result = 0;

	if (pick->tree != NULL && to->ops->tree != NULL && (clip->flags & ANIM_IN_TREE))
		result = to->ops->node == NULL ? anim_sink_tree(to, &pick->tree_head, error)
					       : anim_store_replay_trees(pick->tree, to, error);
	return result != 0 ? -1 : anim_sink_clip(to, clip, error);
}

static void drop_last(struct pick *pick)
{
	anim_sink_free(pick->last);
	pick->last = NULL;
}

/* Open the sink. *taken says whether it took over the nodes of the previous sink. */
static int open_live(struct pick *pick, const struct anim_clip *clip, bool *taken, struct anim_error *error)
{
	if (!(clip->flags & ANIM_IN_TREE))
		drop_last(pick);
	*taken = pick->last != NULL;
	pick->live = pick->options.make(pick->options.context, clip, pick->last, error);
	pick->live_in_tree = pick->tree != NULL && (clip->flags & ANIM_IN_TREE) != 0;
	drop_last(pick);
	return pick->live == NULL ? -1 : 0;
}

static int close_live(struct pick *pick, struct anim_error *error)
{
	const struct anim_scope *now = pick->options.diagnostics->scope;
	int result;

	pick->options.diagnostics->scope = pick->scope;
	result = anim_sink_end(pick->live, error);
	pick->options.diagnostics->scope = now;
	if (result == 0 && pick->options.takes_tree && pick->live_in_tree)
		pick->last = pick->live;
	else
		anim_sink_free(pick->live);
	pick->live = pick->current = NULL;
	return result != 0 ? -1 : pick->options.finish(pick->options.context, error);
}

static void drop_live(struct pick *pick)
{
	anim_sink_free(pick->live);
	pick->live = NULL;
}

static void drop_waiting(struct pick *pick)
{
	anim_store_free(pick->waiting);
	pick->waiting = NULL;
}

static int write_clip(struct pick *pick, const struct anim_clip *clip, struct anim_error *error)
{
	bool taken;

	if (open_live(pick, clip, &taken, error) != 0)
		return -1;
	pick->current = pick->live;
	pick->scope = pick->options.diagnostics->scope;
	return taken ? anim_sink_clip(pick->live, clip, error) : begin(pick, pick->live, clip, error);
}

static int pick_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct pick *pick = (struct pick *)sink;

	pick->current = NULL;
	pick->in_tree = false;
	anim_clip_names_add(&pick->all, clip);
	if (pick->options.each) {
		if (pick->live != NULL && close_live(pick, error) != 0)
			return -1;
		return write_clip(pick, clip, error);
	}
	switch (choose(pick, clip)) {
	case FIRST_CHOICE:
		/* Write a single first choice immediately. If there are several, write none. */
		anim_clip_names_add(&pick->first, clip);
		drop_waiting(pick);
		if (pick->first.count == 1)
			return write_clip(pick, clip, error);
		drop_live(pick);
		break;
	case SECOND_CHOICE:
		anim_clip_names_add(&pick->second, clip);
		if (pick->first.count > 0)
			break;
		if (pick->second.count > 1) {
			drop_waiting(pick);
			break;
		}
		pick->waiting = anim_store_new(pick->options.store_memory, error);
		if (pick->waiting == NULL)
			return -1;
		pick->current = anim_store_sink(pick->waiting);
		pick->scope = pick->options.diagnostics->scope;
		return begin(pick, pick->current, clip, error);
	case NOT_WANTED:
		break;
	}
	return 0;
}

static int pick_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct pick *pick = (struct pick *)sink;

	pick->current = NULL;
	if (pick->options.on_tree != NULL && pick->options.on_tree(pick->options.context, tree, error) != 0)
		return -1;
	anim_store_free(pick->tree);
	pick->tree = anim_store_new(pick->options.store_memory, error);
	pick->in_tree = true;
	pick->live_in_tree = false;
	drop_last(pick);
	anim_arena_reset(&pick->tree_texts);
	if (anim_tree_copy(&pick->tree_head, tree, &pick->tree_texts, error) != 0)
		return -1;
	return pick->tree == NULL ? -1 : anim_sink_tree(anim_store_sink(pick->tree), tree, error);
}

static int pick_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(anim_store_sink(((struct pick *)sink)->tree), node, error);
}

static int pick_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct pick *pick = (struct pick *)sink;

	return pick->current == NULL ? 0 : anim_sink_track(pick->current, track, error);
}

static int pick_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct pick *pick = (struct pick *)sink;

	if (pick->in_tree)
		return anim_store_keep_record(pick->tree, record, error);
	return pick->current == NULL ? 0 : anim_sink_record(pick->current, record, error);
}

static int fail_several(const struct pick *pick, const struct anim_clip_names *names, struct anim_error *error)
{
	const char *way = names_collide(names, true) ? "NAME#1" : names_collide(names, false) ? "PLAYER:NAME" : "NAME";
	const char *suffix = pick->options.suffix != NULL ? pick->options.suffix : pick->options.format;
	char list[300];

	anim_clip_names_print(names, NULL, list, sizeof list);
	if (pick->options.clip != NULL)
		return anim_fail(error, ANIM_SEVERAL,
				 "%zu clips match '%.60s': %s; pick one with " ANIM_OPTION_TO("parse", "clip", "%s"),
				 names->count, pick->options.clip, list, way);
	return anim_fail(
	    error, ANIM_SEVERAL,
	    "%s holds one clip, but there are %zu: %s; pick one with " ANIM_OPTION_TO(
		"parse", "clip", "%s") ", or write all with " ANIM_OPTION_TO("emit", "each",
									     "'%%c.%s'") " in place of the output",
	    pick->options.format, names->count, list, way, suffix);
}

static int pick_end(struct anim_sink *sink, struct anim_error *error)
{
	struct pick *pick = (struct pick *)sink;
	char list[300];

	if (pick->live != NULL)
		return close_live(pick, error);
	if (pick->waiting != NULL) {
		bool taken;

		pick->options.diagnostics->scope = pick->scope;
		if (open_live(pick, anim_store_clip(pick->waiting, 0), &taken, error) != 0)
			return -1;
		if (anim_store_replay_trees(pick->waiting, pick->live, error) != 0 ||
		    anim_store_replay(pick->waiting, 0, NULL, pick->live, error) != 0)
			return -1;
		return close_live(pick, error);
	}
	if (pick->first.count > 0 || pick->second.count > 0)
		return fail_several(pick, pick->first.count > 0 ? &pick->first : &pick->second, error);
	if (pick->all.count == 0)
		return anim_fail_no_clip(error);
	anim_clip_names_print(&pick->all, pick->options.clip, list, sizeof list);
	return anim_fail(error, ANIM_BAD_INPUT, "no clip is named '%.60s'; the clips are %s", pick->options.clip, list);
}

static void pick_free(struct anim_sink *sink)
{
	struct pick *pick = (struct pick *)sink;

	drop_live(pick);
	drop_waiting(pick);
	drop_last(pick);
	anim_store_free(pick->tree);
	anim_arena_clear(&pick->tree_texts);
	free(pick);
}

static const struct anim_sink_ops pick_ops = {pick_tree,   pick_node, pick_clip, pick_track,
					      pick_record, pick_end,  pick_free};

struct anim_sink *anim_pick_new(const struct anim_pick_options *options, struct anim_error *error)
{
	struct pick *pick = anim_sink_new(sizeof *pick, &pick_ops, error);

	if (pick == NULL)
		return NULL;
	pick->options = *options;
	return &pick->sink;
}

/* --- One sink for every clip of a stream, each with the complete provenance --- */

struct split {
	struct anim_filter filter; /* its `next` is a pick */
	struct anim_pick_options options;
	struct anim_buffer progs; /* prog records, and records of other tags between them */
	bool begun;               /* another record came */
};

/* Return the caller's sink for a clip, after sending it the provenance. */
static struct anim_sink *split_make(void *context, const struct anim_clip *clip, struct anim_sink *last,
				    struct anim_error *error)
{
	const struct split *split = context;
	struct anim_sink *sink = split->options.make(split->options.context, clip, last, error);
	struct anim_record record;

	for (size_t at = 0; sink != NULL && at < split->progs.size; at += record.size) {
		anim_record_at(split->progs.data + at, at, &record);
		if (anim_sink_record(sink, &record, error) != 0) {
			anim_sink_free(sink);
			return NULL;
		}
	}
	return sink;
}

static int split_finish(void *context, struct anim_error *error)
{
	const struct split *split = context;

	return split->options.finish(split->options.context, error);
}

static int split_on_tree(void *context, const struct anim_tree *tree, struct anim_error *error)
{
	const struct split *split = context;

	return split->options.on_tree == NULL ? 0 : split->options.on_tree(split->options.context, tree, error);
}

static int split_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	((struct split *)sink)->begun = true;
	return anim_filter_tree(sink, tree, error);
}

static int split_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	((struct split *)sink)->begun = true;
	return anim_filter_clip(sink, clip, error);
}

static int split_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct split *split = (struct split *)sink;

	if (memcmp(record->tag, "iNDX", 4) == 0)
		return 0;
	if (memcmp(record->tag, "prog", 4) == 0 || (split->progs.size > 0 && !split->begun))
		return anim_buffer_append(&split->progs, record->bytes, record->size, error);
	return anim_filter_record(sink, record, error);
}

static void split_free(struct anim_sink *sink)
{
	anim_buffer_clear(&((struct split *)sink)->progs);
	anim_filter_free(sink);
}

struct anim_sink *anim_split_new(const struct anim_pick_options *options, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = split_tree, .clip = split_clip, .record = split_record, .free = split_free};
	struct split *split = anim_filter_new(sizeof *split, &ops, NULL, error);
	struct anim_pick_options pick = *options;

	if (split == NULL)
		return NULL;
	split->options = *options;
	pick.each = true;
	pick.takes_tree = false;
	pick.clip = NULL;
	pick.format = "stream";
	pick.make = split_make;
	pick.finish = split_finish;
	pick.on_tree = split_on_tree;
	pick.context = split;
	split->filter.next = anim_pick_new(&pick, error);
	if (split->filter.next == NULL) {
		split_free(&split->filter.sink);
		return NULL;
	}
	return &split->filter.sink;
}
