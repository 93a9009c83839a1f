/* lint.c: the sink of anim-lint: follows files, clips and names, checks each track, and prints the findings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/engine_names.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/axes/axes.h"
#include "filter/convert/convert.h"
#include "filter/delta.h"
#include "filter/filter.h"
#include "filter/lint/internal.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "stream/boundary.h"

/* --- A set of names, to find names that are used twice --- */

static int join_parts(struct lint_names *names, const char *const parts[LINT_NAME_PARTS], struct anim_error *error)
{
	names->key.size = 0;
	for (int i = 0; i < LINT_NAME_PARTS; i++)
		if (anim_buffer_append(&names->key, parts[i], strlen(parts[i]) + 1, error) != 0)
			return -1;
	return 0;
}

/* Add a name. Returns 1 if it is new, 0 if it is already in the set, or -1 if out of memory. */
static int names_add(struct lint_names *names, const char *const parts[LINT_NAME_PARTS], struct anim_error *error)
{
	if (join_parts(names, parts, error) != 0)
		return -1;
	return anim_text_set_add(&names->set, names->key.data, names->key.size, error);
}

int lint_names_has(struct lint_names *names, const char *const parts[LINT_NAME_PARTS], struct anim_error *error)
{
	if (join_parts(names, parts, error) != 0)
		return -1;
	return anim_text_set_has(&names->set, names->key.data, names->key.size);
}

static void names_clear(struct lint_names *names)
{
	anim_text_set_clear(&names->set);
	anim_buffer_clear(&names->key);
}

/* --- The nodes of a tree, as Unity finds them by their paths --- */

/* All-zero is empty. */
struct lint_nodes {
	struct lint_names seen;
	struct anim_arena texts;
	struct anim_buffer paths; /* of all nodes, in `texts` */
};

/*
 * Return the node's own name: the part of its path after its parent's path. NULL if the path does not contain the
 * parent's, as for bones.
 */
static const char *own_name(const struct lint_nodes *nodes, const struct anim_node *node)
{
	const char *const *paths = (const char *const *)(const void *)nodes->paths.data;
	size_t count = nodes->paths.size / sizeof *paths, length;

	if (node->parent >= count)
		return NULL;
	if (strcmp(paths[node->parent], ".") == 0)
		return node->path;
	length = strlen(paths[node->parent]);
	if (strncmp(node->path, paths[node->parent], length) != 0 || node->path[length] != '/')
		return NULL;
	return node->path + length + 1;
}

/*
 * Add a node and check it against earlier nodes. Sets a bit of each problem (1u << kind) in *kinds. Returns 0, or -1 if
 * out of memory.
 */
static int nodes_add(struct lint_nodes *nodes, const struct anim_node *node, unsigned *kinds, struct anim_error *error)
{
	const char *parts[LINT_NAME_PARTS] = {node->path, "", "", "", ""};
	int added = names_add(&nodes->seen, parts, error);
	const char **path, *name = own_name(nodes, node);

	if (added < 0)
		return -1;
	*kinds = added == 0 ? 1u << LINT_NODE_TWICE : 0;
	if (name != NULL && strchr(name, '/') != NULL)
		*kinds |= 1u << LINT_NODE_NAME;
	path = anim_buffer_extend(&nodes->paths, sizeof *path, error);
	if (path == NULL)
		return -1;
	*path = anim_arena_text(&nodes->texts, node->path, strlen(node->path), error);
	return *path == NULL ? -1 : 0;
}

/* --- Names that Godot finds --- */

/*
 * Add a node. A bone also adds the fact that its skeleton has bones. A bone without a name ("#3", of an instanced scene
 * that cannot be read) adds the fact that only a part of the bones is known.
 */
static int godot_node(struct lint_names *nodes, const struct anim_node *node, struct anim_error *error)
{
	const char *parts[LINT_NAME_PARTS] = {node->path, "", "", "", ""};
	const char *colon = strrchr(node->path, ':');
	char *skeleton;

	if (names_add(nodes, parts, error) < 0)
		return -1;
	if (node->kind != ANIM_NODE_BONE || colon == NULL)
		return 0;
	skeleton = anim_arena_text(&nodes->set.arena, node->path, (size_t)(colon - node->path), error);
	if (skeleton == NULL)
		return -1;
	parts[0] = skeleton;
	parts[1] = colon[1] == '#' ? "part" : "bones";
	return names_add(nodes, parts, error) < 0 ? -1 : 0;
}

/* --- The lists of tracks by which Resonite's Animators bind --- */

/*
 * The track lists of all clips in this run. An Animator binds its fields by such a list. All-zero is empty. A list is
 * kept if it shares no track with an earlier list, because clips of other characters have other lists.
 */
struct lint_lists {
	struct anim_map owners;     /* a track -> the number of the first list that has it */
	struct anim_buffer lists;   /* of the kept lists: struct lint_list */
	struct anim_buffer kept;    /* tracks of the kept lists, one list after another: struct lint_item */
	struct anim_buffer current; /* tracks of the current clip */
	struct anim_arena texts, current_texts;
	uint64_t unbound,
	    shifting; /* number of tracks without a field: so far, and before the last track with a field */
	size_t first; /* index in `current` of the first track without a field */
};
/* A track of a list: its node, property and type. */
struct lint_item {
	const char *key; /* "node\0property\0type" */
	uint32_t size, property;
};

/* A kept list: the position of its items, and the clip that it came from. */
struct lint_list {
	size_t first, count;
	const char *clip, *file;
};

static const struct lint_item *items_of(const struct anim_buffer *buffer)
{
	return (const struct lint_item *)(const void *)buffer->data;
}

static size_t item_count(const struct anim_buffer *buffer)
{
	return buffer->size / sizeof(struct lint_item);
}

static bool same_item(const struct lint_item *a, const struct lint_item *b)
{
	return a->size == b->size && memcmp(a->key, b->key, a->size) == 0;
}

static int lists_add(struct lint_lists *lists, const struct anim_resonite_names *names, const struct anim_track *track,
		     struct anim_error *error)
{
	const char *node =
	    anim_resonite_node(names, track->node, anim_track_is_bone(track), &lists->current_texts, error);
	const char *property = anim_resonite_property(track->property, track->component, &lists->current_texts, error);
	const char *type = anim_types[track->type].name;
	struct lint_item item;
	size_t length;
	bool binds;

	if (node == NULL || property == NULL)
		return -1;
	/* After a track that does not bind to a field, the next track is bound to the wrong field. */
	binds = anim_resonite_unbound(track->property, track->type, track->component) == NULL;
	if (binds)
		lists->shifting = lists->unbound;
	else if (lists->unbound++ == 0)
		lists->first = item_count(&lists->current);
	item.key = anim_key_join(&lists->current_texts, (const char *const[]){node, property, type}, 3, &length, error);
	if (item.key == NULL)
		return -1;
	item.size = (uint32_t)length + 1;
	item.property = (uint32_t)strlen(node) + 1;
	return anim_buffer_append(&lists->current, &item, sizeof item, error);
}

/*
 * Assign the tracks that no list has yet to this list. With `keep` the tracks are also stored in their order. Returns 0
 * or -1.
 */
static int own(struct lint_lists *lists, uint32_t list, bool keep, struct anim_error *error)
{
	const struct lint_item *items = items_of(&lists->current);
	uint32_t owner;

	for (size_t i = 0; i < item_count(&lists->current); i++) {
		struct lint_item item = items[i];
		bool owned = anim_map_get(&lists->owners, 0, item.key, item.size, &owner);

		if (owned && !keep)
			continue;
		item.key = anim_arena_text(&lists->texts, item.key, item.size, error);
		if (item.key == NULL ||
		    (!owned && anim_map_put(&lists->owners, 0, item.key, item.size, list, error) != 0) ||
		    (keep && anim_buffer_append(&lists->kept, &item, sizeof item, error) != 0))
			return -1;
	}
	return 0;
}

/* Print "'Hips' 'Rotation'", cut if it is long. */
static void print_item(const struct lint_item *item, char out[128])
{
	if (item == NULL)
		snprintf(out, 128, "none");
	else
		snprintf(out, 128, "'%.50s' '%.50s'", item->key, item->key + item->property);
}

/*
 * Check the order of the clip's tracks at its end. Sets *fault to the message, in the arena, or NULL. Returns 0 or -1.
 */
static int lists_order(struct lint_lists *lists, struct anim_arena *arena, const char **fault, struct anim_error *error)
{
	const struct lint_item *items = items_of(&lists->current);
	char name[128];

	*fault = NULL;
	if (lists->shifting == 0)
		return 0;
	print_item(&items[lists->first], name);
	*fault =
	    anim_arena_printf(arena, error,
			      "Resonite finds no field for %s%s, which shifts the following tracks; " ANIM_ADVICE_TO(
				  PROGRAM, "emit") " writes such tracks last",
			      name, lists->shifting > 1 ? " and others" : "");
	return *fault == NULL ? -1 : 0;
}

static int keep_list(struct lint_lists *lists, const char *clip, const char *file, struct anim_error *error)
{
	uint32_t number = (uint32_t)(lists->lists.size / sizeof(struct lint_list));
	struct lint_list list = {item_count(&lists->kept), item_count(&lists->current),
				 anim_arena_text(&lists->texts, clip, strlen(clip), error),
				 anim_arena_text(&lists->texts, file, strlen(file), error)};

	if (list.clip == NULL || list.file == NULL || own(lists, number, true, error) != 0)
		return -1;
	return anim_buffer_append(&lists->lists, &list, sizeof list, error);
}

/* Return the earlier list that has a track of this one, or NULL. */
static const struct lint_list *related(const struct lint_lists *lists)
{
	const struct lint_item *items = items_of(&lists->current);
	uint32_t owner;

	for (size_t i = 0; i < item_count(&lists->current); i++)
		if (anim_map_get(&lists->owners, 0, items[i].key, items[i].size, &owner))
			return (const struct lint_list *)(const void *)lists->lists.data + owner;
	return NULL;
}

/* Return the message about the first difference between two lists. */
static const char *difference(const struct lint_lists *lists, const struct lint_list *list, size_t at,
			      struct anim_arena *arena, struct anim_error *error)
{
	const struct lint_item *here = at < item_count(&lists->current) ? items_of(&lists->current) + at : NULL;
	const struct lint_item *there = at < list->count ? items_of(&lists->kept) + list->first + at : NULL;
	char names[2][128];

	print_item(here, names[0]);
	print_item(there, names[1]);
	return anim_arena_printf(
	    arena, error,
	    "its tracks differ from those of '%.80s' (%.120s) from number %zu on: %s instead of %s; an Animator that "
	    "plays both needs equal lists: " ANIM_ADVICE(SAME_TRACKS),
	    list->clip, list->file, at + 1, names[0], names[1]);
}

/*
 * Compare the clip's tracks with an earlier list that has some of them. Sets *fault to the message or NULL. Returns 0
 * or -1.
 */
static int lists_compare(struct lint_lists *lists, const char *clip, const char *file, struct anim_arena *arena,
			 const char **fault, struct anim_error *error)
{
	const struct lint_list *list = related(lists);
	size_t count = item_count(&lists->current), at = 0;

	*fault = NULL;
	if (list == NULL)
		return count == 0 ? 0 : keep_list(lists, clip, file, error);
	while (at < count && at < list->count &&
	       same_item(items_of(&lists->current) + at, items_of(&lists->kept) + list->first + at))
		at++;
	if (at == count && at == list->count)
		return 0;
	*fault = difference(lists, list, at, arena, error);
	if (*fault == NULL)
		return -1;
	return own(lists, (uint32_t)(list - (const struct lint_list *)(const void *)lists->lists.data), false, error);
}

/* Forget the current clip. */
static void lists_reset(struct lint_lists *lists)
{
	lists->current.size = 0;
	lists->unbound = lists->shifting = 0;
	anim_arena_reset(&lists->current_texts);
}

/* --- Numbers in messages --- */

const char *lint_fixed(char out[LINT_NUMBER], double value)
{
	out[anim_number_print_float(out, (float)(anim_round(value * 1000) / 1000))] = '\0';
	return out;
}

/* Print a number with three digits, for numbers of any size. */
static const char *short_text(char out[LINT_NUMBER], double value)
{
	double unit = 1;

	while (fabs(value) >= 1000 * unit && unit < 1e30)
		unit *= 10;
	while (fabs(value) < 100 * unit && unit > 1e-30)
		unit /= 10;
	out[anim_number_print_float(out, (float)(anim_round(value / unit) * unit))] = '\0';
	return out;
}

/* --- Loops: the end of a clip and its start --- */

#define SEAM_DEGREES 1  /* largest difference of rotations */
#define SEAM_SHARE 0.01 /* largest difference of other values, as a share of the range */
#define SEAM_NOISE 1e-5 /* rounding error of a constant value, as a share of its size */

/*
 * Return whether the clip may loop. A ping-pong clip has no seam. In formats that do not record loops, every clip may
 * be meant to loop.
 */
static bool may_loop(const struct anim_clip *clip)
{
	bool says = anim_source_is_godot(clip->source) || strcmp(clip->source, "unity") == 0;

	return clip->end_s > clip->start_s && (clip->loop == ANIM_LOOP_WRAP || (clip->loop == ANIM_LOOP_NONE && !says));
}

static double range_of(const struct anim_track *track, unsigned component)
{
	double low = (double)INFINITY, high = -low;

	for (size_t k = 0; k < track->n; k++) {
		double v = anim_component(track->type, track->value, k, component);

		low = v < low ? v : low;
		high = v > high ? v : high;
	}
	return high - low;
}

static bool is_angle(const struct anim_track *track)
{
	return anim_track_is_transform(track) && anim_property_is_angle(track->property);
}

/* Return the degrees between two rotations, or between angles without full rotations. */
static double degrees_between(const struct anim_track *track, const double a[ANIM_COMPONENTS_MAX],
			      const double b[ANIM_COMPONENTS_MAX])
{
	float p[4], q[4];
	double most = 0;

	if (anim_types[track->type].quaternion) {
		anim_components_to_float(p, a, 4);
		anim_components_to_float(q, b, 4);
		return anim_quat_angle(p, q) * (180 / ANIM_PI);
	}
	for (unsigned i = 0; i < anim_types[track->type].components; i++) {
		double turn = b[i] - a[i];

		most = fmax(most, fabs(turn - ANIM_TAU * anim_round(turn / ANIM_TAU)));
	}
	return most * (180 / ANIM_PI);
}

/* Return the largest difference of a component. Sets the range of that component, and the largest size of all. */
static double largest_difference(const struct anim_track *track, const double a[ANIM_COMPONENTS_MAX],
				 const double b[ANIM_COMPONENTS_MAX], double *range, double *size)
{
	double most = 0;

	*range = *size = 0;
	for (unsigned i = 0; i < anim_types[track->type].components; i++) {
		double off = fabs(b[i] - a[i]);

		*size = fmax(*size, fmax(fabs(a[i]), fabs(b[i])));
		if (off > most) {
			most = off;
			*range = range_of(track, i);
		}
	}
	return most;
}

static void count_seam(const struct anim_track *track, double end_s, const double a[ANIM_COMPONENTS_MAX],
		       const double b[ANIM_COMPONENTS_MAX], struct lint_tallies *tallies)
{
	char size[LINT_NUMBER], end[LINT_NUMBER], share[LINT_NUMBER];
	double range, off, size_of;

	if (anim_types[track->type].quaternion || is_angle(track)) {
		off = degrees_between(track, a, b);
		if (off > SEAM_DEGREES)
			lint_count_detail(tallies, LINT_LOOP_SEAM, LINT_NO_KEY,
					  "its end (%s s) differs from its start by %s degrees: ",
					  lint_fixed(end, end_s), lint_fixed(size, off));
		return;
	}
	off = largest_difference(track, a, b, &range, &size_of);
	if (off > SEAM_SHARE * range && off > SEAM_NOISE * size_of)
		lint_count_detail(
		    tallies, LINT_LOOP_SEAM, LINT_NO_KEY,
		    "its end (%s s) differs from its start by %s, %s %% of its range: ", lint_fixed(end, end_s),
		    short_text(size, off), lint_fixed(share, anim_round(100 * off / range)));
}

/* Count a track of a looping clip whose end differs from its start. Returns 0 or -1. */
static int check_seam(const struct anim_clip *clip, const struct anim_track *track, struct lint_tallies *tallies,
		      struct anim_error *error)
{
	/* At its exact end, a looping player may already show the start. */
	const double times[2] = {(double)clip->start_s, (double)nextafterf(clip->end_s, clip->start_s)};
	double values[2][ANIM_COMPONENTS_MAX] = {{0}};
	struct anim_source source;
	int result;

	if (!may_loop(clip) || !anim_play_can(track) || track->property[0] == '@')
		return 0;
	anim_play_open(&source, clip, track);
	anim_source_open(&source, NULL);
	result = anim_play_sample(&source, times, 2, values, error);
	anim_source_close(&source);
	if (result > 0)
		count_seam(track, (double)clip->end_s, values[0], values[1], tallies);
	return result < 0 ? -1 : 0;
}

/* --- Feet --- */

#define SLIDE_TEXT 256

static const char *slide_text(const struct anim_slide *slide, double start_s, char out[SLIDE_TEXT])
{
	char size[LINT_NUMBER], share[LINT_NUMBER], from[LINT_NUMBER], to[LINT_NUMBER];

	snprintf(out, SLIDE_TEXT, "it slides %s on the ground, %s %% of the leg length, from %s s to %s s",
		 short_text(size, slide->size), lint_fixed(share, anim_round(100 * slide->share)),
		 lint_fixed(from, start_s + slide->from_s), lint_fixed(to, start_s + slide->to_s));
	return out;
}

/* --- The sink of anim-lint: follows files, clips and names, and checks each track --- */

struct lint {
	struct anim_sink sink;
	struct lint_report report;
	struct anim_arena of_file, of_tree, of_clip, of_track;
	struct lint_names clips, tracks; /* of the file, of the clip */
	const char *root_name;           /* of the last tree; NULL: no tree so far */
	struct anim_clip clip;           /* a copy */
	bool in_clip, axes_reported;
	double latest_s; /* time of the clip's last key so far, at least its start */
	struct lint_humanoid humanoid;
	struct anim_sink *trial;         /* converts the current file to the target, or NULL */
	struct anim_diagnostics *losses; /* of the conversion */
	struct anim_boundary scope;      /* in front of the conversion */
	struct anim_error failure;       /* of the conversion */
	struct lint_nodes nodes;
	struct lint_lists lists; /* of Resonite's own clips */
	bool loop_seam, looks_at_feet;
	bool feet_known;     /* in a clip of this file */
	bool lacks_interval; /* a track of this file has samples of unknown interval */
	uint64_t file_clips; /* number of clips before this file */
	struct anim_feet feet;
};

/* Known attributes without a dot, by record (anim-stream(5)). */
static const char *const clip_attributes[] = {"player",           "file",          ANIM_ATTR_DELTA, ANIM_ATTR_2D,
					      ANIM_ATTR_OLD_NAME, ANIM_ATTR_SPOTS, ANIM_ATTR_LOOKS, ANIM_ATTR_SOUNDS};
static const char *const tree_attributes[] = {ANIM_ATTR_2D};
static const char *const track_attributes[] = {"order", "literal", ANIM_ATTR_SPACE};
static const char *const node_attributes[] = {"rotation_order"};

/* Return a finding about the current clip, or about the file if there is no clip. */
static struct lint_finding finding_of(const struct lint *lint, enum lint_kind kind, const char *message)
{
	return (struct lint_finding){.kind = kind,
				     .clip = lint->in_clip ? lint->clip.name : NULL,
				     .key = LINT_NO_KEY,
				     .count = 1,
				     .message = message};
}

static int add_finding(struct lint *lint, enum lint_kind kind, const char *message, struct anim_error *error)
{
	struct lint_finding finding = finding_of(lint, kind, message);

	return lint_report_finding(&lint->report, &finding, error);
}

/* Report the first unknown attribute that does not belong to one format, and the number of such attributes. */
static int check_attributes(struct lint *lint, const struct anim_attrs *attrs, const char *const *known,
			    size_t known_count, const char *node, const struct anim_track *track,
			    struct anim_error *error)
{
	struct lint_finding finding = finding_of(lint, LINT_ATTRIBUTE, NULL);
	const char *first = NULL;

	finding.node = node;
	finding.track = track;
	finding.count = 0;
	for (size_t i = 0; i < attrs->count; i++) {
		const char *key = attrs->items[i].key;

		if (strchr(key, '.') != NULL || anim_text_is_one_of(key, known, known_count))
			continue;
		first = finding.count++ == 0 ? key : first;
	}
	if (finding.count == 0)
		return 0;
	finding.message =
	    anim_arena_printf(&lint->of_track, error,
			      "unknown attribute '%s'; attributes of one format begin with its name and a dot", first);
	return finding.message == NULL ? -1 : lint_report_finding(&lint->report, &finding, error);
}

/* Report keys in a clip of length 0. */
static int check_duration(struct lint *lint, struct anim_error *error)
{
	char seconds[LINT_NUMBER], message[64 + ANIM_NUMBER_MAX];

	if (lint->clip.end_s > lint->clip.start_s || lint->latest_s <= (double)lint->clip.end_s)
		return 0;
	seconds[anim_number_print_float(seconds, (float)lint->latest_s)] = '\0';
	snprintf(message, sizeof message, "it lasts 0 s, but has keys up to %s s", seconds);
	return add_finding(lint, LINT_NO_DURATION, message, error);
}

/*
 * Only files in Resonite's formats are checked as Resonite reads them. anim-emit orders the tracks that it writes, and
 * writes the duration.
 */
static bool is_resonites_own(const struct lint *lint)
{
	bool own = strcmp(lint->clip.source, "animj") == 0 || strcmp(lint->clip.source, "animx") == 0;

	return own && lint->report.target == ANIM_LINT_RESONITE;
}

/* Files of Resonite should record their duration. If they do not, the reader used the last key. */
static int check_derived(struct lint *lint, struct anim_error *error)
{
	if (!is_resonites_own(lint) || !(lint->clip.flags & ANIM_END_DERIVED) || lint->clip.end_s <= lint->clip.start_s)
		return 0;
	return add_finding(lint, LINT_NO_DURATION, "globalDuration is missing or before the last key", error);
}

static int check_goals(struct lint *lint, struct anim_error *error)
{
	const char *fault;

	if (lint_humanoid_goals(&lint->humanoid, lint->report.target, &fault, &lint->of_clip, error) != 0)
		return -1;
	return fault == NULL ? 0 : add_finding(lint, LINT_GOALS, fault, error);
}

static int check_order(struct lint *lint, struct anim_error *error)
{
	const char *order, *list;
	struct lint_finding finding;

	if (!is_resonites_own(lint))
		return 0;
	anim_arena_reset(&lint->of_track);
	if (lists_order(&lint->lists, &lint->of_track, &order, error) != 0 ||
	    lists_compare(&lint->lists, lint->clip.name, lint->report.file, &lint->of_track, &list, error) != 0)
		return -1;
	finding = finding_of(lint, LINT_TRACK_ORDER, order);
	finding.count = lint->lists.shifting;
	lists_reset(&lint->lists);
	if (order != NULL && lint_report_finding(&lint->report, &finding, error) != 0)
		return -1;
	return list == NULL ? 0 : add_finding(lint, LINT_TRACK_LIST, list, error);
}

/* Report the foot that comes nearest to the ground, if it floats or sinks. Toes may point down. */
static int check_heights(struct lint *lint, const struct anim_slide *slides, size_t count, struct anim_error *error)
{
	char message[SLIDE_TEXT] = "", size[LINT_NUMBER], share[LINT_NUMBER];
	const struct anim_slide *lowest = NULL;
	struct lint_finding finding = finding_of(lint, LINT_FOOT_HEIGHT, message);

	for (size_t i = 0; i < count; i++)
		if (slides[i].stood && (lowest == NULL || slides[i].lift < lowest->lift))
			lowest = &slides[i];
	if (lowest == NULL || !(fabs(lowest->lift) * 100 > lint->feet.percent * lowest->leg))
		return 0;
	snprintf(message, sizeof message, "%s %s, %s %% of the leg length",
		 lowest->lift > 0 ? "it floats: no foot comes nearer to the ground than"
				  : "it sinks into the ground by",
		 short_text(size, fabs(lowest->lift)),
		 lint_fixed(share, anim_round(100 * fabs(lowest->lift) / lowest->leg)));
	finding.node = lowest->node;
	return lint_report_finding(&lint->report, &finding, error);
}

static int check_feet(struct lint *lint, struct anim_error *error)
{
	const struct anim_slide *slides;
	char message[SLIDE_TEXT];

	if (!lint->looks_at_feet)
		return 0;
	lint->feet_known = lint->feet_known || ((lint->clip.flags & ANIM_IN_TREE) != 0 && lint->feet.feet.size > 0);
	if (anim_feet_end(&lint->feet, error) != 0)
		return -1;
	slides = (const struct anim_slide *)(const void *)lint->feet.slides.data;
	if (check_heights(lint, slides, lint->feet.slides.size / sizeof *slides, error) != 0)
		return -1;
	for (size_t i = 0; i < lint->feet.slides.size / sizeof *slides; i++) {
		struct lint_finding finding = finding_of(lint, LINT_FOOT_SLIDES, NULL);

		finding.message = slide_text(&slides[i], (double)lint->clip.start_s, message);
		finding.node = slides[i].node;
		finding.count = slides[i].count;
		if (slides[i].count > 0 && lint_report_finding(&lint->report, &finding, error) != 0)
			return -1;
	}
	return 0;
}

static int end_clip(struct lint *lint, struct anim_error *error)
{
	if (!lint->in_clip)
		return 0;
	if (check_duration(lint, error) != 0 || check_derived(lint, error) != 0 || check_goals(lint, error) != 0 ||
	    check_order(lint, error) != 0 || check_feet(lint, error) != 0)
		return -1;
	lint->in_clip = false;
	anim_text_set_reset(&lint->tracks.set);
	return 0;
}

/* --- The trial: the chain of a conversion to the target, whose warnings are findings --- */

/*
 * End the trial if a call of it failed. The reason is a finding. Returns 0, or -1 if it was out of memory. Every
 * record reaches the trial before lint checks it, because the end of a clip arrives with the next record.
 */
static int settle_trial(struct lint *lint, int result, struct anim_error *error)
{
	if (result == 0)
		return 0;
	lint->trial = NULL;
	if (lint->lacks_interval && lint->failure.code == ANIM_UNSUPPORTED) /* a finding of the track says so */
		return 0;
	if (lint->failure.code != ANIM_NO_MEMORY)
		return add_finding(lint, LINT_LOST, lint->failure.message, error);
	*error = lint->failure;
	return -1;
}

/* Report the losses of the conversion. */
static int report_losses(struct lint *lint, struct anim_error *error)
{
	int result = 0;

	for (size_t i = 0; lint->losses != NULL && i < lint->losses->count && result == 0; i++) {
		const struct anim_diagnostic *loss = &lint->losses->items[i];
		char message[512] = "", name[200] = "";
		struct lint_finding finding =
		    finding_of(lint, loss->unit == NULL ? LINT_LOST : LINT_APPROXIMATED, message);

		if (loss->severity == ANIM_NOTE)
			continue;
		finding.clip = loss->scope == NULL ? NULL : loss->scope->clip;
		if (anim_diagnostic_parts(loss, name, sizeof name, message, sizeof message) &&
		    (finding.clip == NULL || strcmp(loss->noun, "clip") != 0 || strcmp(name, finding.clip) != 0)) {
			finding.noun = loss->noun;
			finding.node = name;
		}
		result = lint_report_finding(&lint->report, &finding, error);
	}
	return result;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;

	/* The conversion ends a clip when the next record arrives. */
	if ((lint->trial != NULL &&
	     settle_trial(lint, anim_sink_tree(lint->trial, tree, &lint->failure), error) != 0) ||
	    end_clip(lint, error) != 0)
		return -1;
	anim_arena_reset(&lint->of_tree);
	anim_arena_reset(&lint->of_track);
	lint->root_name = anim_arena_text(&lint->of_tree, tree->root_name, strlen(tree->root_name), error);
	if (lint->root_name == NULL)
		return -1;
	anim_text_set_reset(&lint->nodes.seen.set);
	anim_arena_reset(&lint->nodes.texts);
	lint->nodes.paths.size = 0;
	anim_feet_tree(&lint->feet);
	return check_attributes(lint, &tree->attrs, tree_attributes, ANIM_COUNT(tree_attributes), NULL, NULL, error);
}

/* Unity finds nodes by their paths, and Godot does so with bones. */
static int check_node(struct lint *lint, const struct anim_node *node, struct anim_error *error)
{
	unsigned kinds;

	if (lint->report.target == ANIM_LINT_GODOT)
		return godot_node(&lint->nodes.seen, node, error);
	if (lint->report.target != ANIM_LINT_UNITY)
		return 0;
	if (nodes_add(&lint->nodes, node, &kinds, error) != 0)
		return -1;
	for (int kind = LINT_NODE_TWICE; kind <= LINT_NODE_NAME; kind++) {
		struct lint_finding finding = finding_of(lint, (enum lint_kind)kind, anim_lint_rules[kind].text);

		finding.node = node->path;
		if ((kinds >> kind & 1) != 0 && lint_report_finding(&lint->report, &finding, error) != 0)
			return -1;
	}
	return 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;

	anim_arena_reset(&lint->of_track);
	if ((lint->trial != NULL &&
	     settle_trial(lint, anim_sink_node(lint->trial, node, &lint->failure), error) != 0) ||
	    check_node(lint, node, error) != 0 ||
	    (lint->looks_at_feet && anim_feet_node(&lint->feet, node, NULL, error) != 0))
		return -1;
	return check_attributes(lint, &node->attrs, node_attributes, ANIM_COUNT(node_attributes), node->path, NULL,
				error);
}

/* Clips with the same name may differ by their players (-c PLAYER:NAME). */
static int check_clip_name(struct lint *lint, struct anim_error *error)
{
	const char *player = anim_attrs_get(&lint->clip.attrs, "player");
	const char *parts[LINT_NAME_PARTS] = {lint->clip.name, player == NULL ? "" : player, "", "", ""};
	int added = names_add(&lint->clips, parts, error);

	if (added != 0)
		return added < 0 ? -1 : 0;
	return add_finding(lint, LINT_CLIP_TWICE, "an earlier clip has this name", error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;

	if ((lint->trial != NULL &&
	     settle_trial(lint, anim_sink_clip(lint->trial, clip, &lint->failure), error) != 0) ||
	    end_clip(lint, error) != 0)
		return -1;
	anim_arena_reset(&lint->of_clip);
	anim_arena_reset(&lint->of_track);
	if (anim_clip_copy(&lint->clip, clip, &lint->of_clip, error) != 0)
		return -1;
	lint->in_clip = true;
	lint->axes_reported = false;
	lint->latest_s = (double)clip->start_s;
	lint->humanoid = (struct lint_humanoid){.curves = 0};
	anim_feet_clip(&lint->feet, &lint->clip);
	lint->report.clips++;
	if (check_clip_name(lint, error) != 0)
		return -1;
	return check_attributes(lint, &lint->clip.attrs, clip_attributes, ANIM_COUNT(clip_attributes), NULL, NULL,
				error);
}

/* ---- Whether a track's axes are known, and whether they are the target's ---- */

static bool is_property(const struct anim_track *track, const char *name)
{
	return strcmp(track->property, name) == 0 && anim_track_is_transform(track);
}

/* Return why the axes of the clip do not suit the track, or NULL if they do. Known axes are converted by writers. */
static const char *fault_of_axes(const struct anim_clip *clip, const struct anim_track *track)
{
	bool placed = is_property(track, "position") || is_property(track, "rotation") || is_property(track, "euler");
	bool flat = is_property(track, "angle") || (placed && anim_types[track->type].components == 2);

	if (flat && clip->axes2d == ANIM_AXES2D_UNKNOWN)
		return "the direction of its two-dimensional axes is unknown";
	if (placed && !flat && clip->axes == ANIM_AXES_UNKNOWN)
		return "the direction of its axes is unknown";
	return NULL;
}

/* Report the axes once for each clip. */
static int check_axes(struct lint *lint, const struct anim_track *track, struct anim_error *error)
{
	const char *fault = lint->axes_reported ? NULL : fault_of_axes(&lint->clip, track);

	if (fault == NULL)
		return 0;
	lint->axes_reported = true;
	return add_finding(lint, LINT_AXES_UNKNOWN, fault, error);
}

static const char *text_of(const struct anim_track *track, const char *key)
{
	const char *text = anim_attrs_get(&track->attrs, key);

	return text == NULL ? "" : text;
}

/* Set the node and property by which a player finds the track. In Unity this includes the component class. */
static int name_parts(struct lint *lint, const struct anim_track *track, const char *parts[LINT_NAME_PARTS],
		      struct anim_error *error)
{
	struct anim_resonite_names names;

	parts[0] = track->node;
	parts[1] = track->property;
	parts[2] = track->component == ANIM_WHOLE ? "" : anim_component_name(track->property, track->component);
	parts[3] = text_of(track, "unity.class");
	parts[4] = text_of(track, "unity.script");
	if (lint->report.target != ANIM_LINT_RESONITE)
		return 0;
	anim_resonite_names_init(&names, &lint->clip, lint->root_name);
	parts[0] = anim_resonite_node(&names, track->node, anim_track_is_bone(track), &lint->of_track, error);
	parts[1] = anim_resonite_property(track->property, track->component, &lint->of_track, error);
	parts[2] = parts[3] = parts[4] = "";
	return parts[0] == NULL || parts[1] == NULL ? -1 : 0;
}

/* Events of one node may be in several tracks. */
static int check_name(struct lint *lint, const struct anim_track *track, struct lint_tallies *tallies,
		      struct anim_error *error)
{
	const char *parts[LINT_NAME_PARTS];
	int added;

	if (track->property[0] == '@')
		return 0;
	if (name_parts(lint, track, parts, error) != 0)
		return -1;
	added = names_add(&lint->tracks, parts, error);
	if (added == 0)
		lint_count_detail(
		    tallies, LINT_NAME_TWICE, LINT_NO_KEY, "%s",
		    strcmp(parts[0], track->node) == 0 ? "" : "by the last part of node paths, which Resonite uses, ");
	return added < 0 ? -1 : 0;
}

static int report_tallies(struct lint *lint, const struct anim_track *track, const struct lint_tallies *tallies,
			  struct anim_error *error)
{
	for (int kind = 0; kind < LINT_KIND_COUNT; kind++) {
		const struct lint_tally *tally = &tallies->of[kind];
		char message[256];
		struct lint_finding finding = finding_of(lint, (enum lint_kind)kind, message);

		if (tally->count == 0)
			continue;
		snprintf(message, sizeof message, "%s%s", tally->detail, anim_lint_rules[kind].text);
		finding.track = track;
		finding.key = tally->key;
		finding.count = tally->count;
		if (lint_report_finding(&lint->report, &finding, error) != 0)
			return -1;
	}
	return 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;
	struct lint_tallies tallies = {0};
	int humanoid;
	size_t first;

	anim_arena_reset(&lint->of_track);
	lint->lacks_interval |= track->kind == ANIM_RAW && track->n > 1 && track->rate_num == 0 && track->step_s == 0;
	lint->report.tracks++;
	lint->report.keys += track->n;
	first = track->kind == ANIM_RAW && track->n > 0 ? track->n - 1 : 0;
	for (size_t k = first; k < track->n; k++) {
		double time_s = anim_track_time(track, k);

		if (isfinite(time_s) && time_s > lint->latest_s)
			lint->latest_s = time_s;
	}
	if (check_axes(lint, track, error) != 0 ||
	    check_attributes(lint, &track->attrs, track_attributes, ANIM_COUNT(track_attributes), NULL, track, error) !=
		0 ||
	    check_name(lint, track, &tallies, error) != 0 ||
	    (humanoid = lint_humanoid_track(&lint->humanoid, &lint->clip, track, &tallies, &lint->of_track, error)) <
		0 ||
	    (lint->trial != NULL &&
	     settle_trial(lint, anim_sink_track(lint->trial, track, &lint->failure), error) != 0) ||
	    lint_track(lint->report.target, track, &lint->clip, &lint->nodes.seen, &tallies, &lint->of_track, error) !=
		0)
		return -1;
	if (humanoid == 1 &&
	    lint->report.target == ANIM_LINT_RESONITE) /* a loss of the conversion reports all muscles */
		tallies.of[LINT_UNBOUND].count = 0;
	if ((lint->loop_seam && check_seam(&lint->clip, track, &tallies, error) != 0) ||
	    anim_feet_track(&lint->feet, &lint->clip, track, error) != 0)
		return -1;
	if (is_resonites_own(lint)) {
		struct anim_resonite_names names;

		anim_resonite_names_init(&names, &lint->clip, lint->root_name);
		if (lists_add(&lint->lists, &names, track, error) != 0)
			return -1;
	}
	return report_tallies(lint, track, &tallies, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return lint_report_end(&((struct lint *)sink)->report, error);
}

static void free_lint(struct anim_sink *sink)
{
	struct lint *lint = (struct lint *)sink;

	names_clear(&lint->clips);
	names_clear(&lint->tracks);
	names_clear(&lint->nodes.seen);
	anim_arena_clear(&lint->nodes.texts);
	anim_buffer_clear(&lint->nodes.paths);
	anim_map_clear(&lint->lists.owners);
	anim_buffer_clear(&lint->lists.lists);
	anim_buffer_clear(&lint->lists.kept);
	anim_buffer_clear(&lint->lists.current);
	anim_arena_clear(&lint->lists.texts);
	anim_arena_clear(&lint->lists.current_texts);
	anim_feet_clear(&lint->feet);
	anim_arena_clear(&lint->of_file);
	anim_arena_clear(&lint->of_tree);
	anim_arena_clear(&lint->of_clip);
	anim_arena_clear(&lint->of_track);
	lint_report_clear(&lint->report);
	free(lint);
}

struct anim_sink *anim_lint_new(struct anim_output *out, const struct anim_lint_options *options,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, NULL, on_end, free_lint};
	struct lint *lint = anim_sink_new(sizeof *lint, &ops, error);

	if (lint == NULL)
		return NULL;
	lint_report_init(&lint->report, out, options);
	lint->loop_seam = options->loop_seam;
	lint->looks_at_feet = options->feet;
	lint->feet.percent = options->feet_percent;
	anim_poses_init(&lint->feet.posing.poses, options->memory_max);
	return &lint->sink;
}

int anim_lint_begin_file(struct anim_sink *sink, const char *name, struct anim_sink *trial,
			 struct anim_diagnostics *losses, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;

	anim_arena_reset(&lint->of_file);
	anim_text_set_reset(&lint->clips.set);
	anim_text_set_reset(&lint->tracks.set);
	lists_reset(&lint->lists);
	lint->in_clip = lint->feet_known = lint->lacks_interval = false;
	lint->file_clips = lint->report.clips;
	anim_feet_tree(&lint->feet);
	lint->root_name = NULL;
	lint->report.file = anim_arena_text(&lint->of_file, name, strlen(name), error);
	lint->report.files++;
	lint->losses = losses;
	lint->trial = trial == NULL ? NULL : anim_boundary_init(&lint->scope, NULL, losses, NULL, trial);
	return lint->report.file == NULL ? -1 : 0;
}

static int report_diagnostic(struct lint *lint, const struct anim_diagnostic *diagnostic, struct anim_error *error)
{
	enum lint_kind kind = diagnostic->severity == ANIM_FAULT ? LINT_FAULT : LINT_READING;
	char text[512] = "";
	struct lint_finding finding = finding_of(lint, kind, text);

	if (diagnostic->severity == ANIM_NOTE)
		return 0;
	finding.place = &diagnostic->place;
	finding.count = diagnostic->count;
	anim_diagnostic_print(diagnostic, text, sizeof text);
	return lint_report_finding(&lint->report, &finding, error);
}

/* Report why reading stopped, unless the error only sums up faults that were already reported. */
static int report_failure(struct lint *lint, const struct anim_diagnostics *diagnostics,
			  const struct anim_error *failure, struct anim_error *error)
{
	struct lint_finding finding = finding_of(lint, LINT_FAULT, failure->message);
	struct anim_place place = {failure->file, failure->at, failure->line, failure->column, failure->offset};
	struct anim_error sum = {0};

	if (diagnostics->faults > 0 && anim_diagnostics_check(diagnostics, &sum) != 0 &&
	    strcmp(sum.message, failure->message) == 0)
		return 0;
	finding.place = &place;
	return lint_report_finding(&lint->report, &finding, error);
}

/* Report a file whose feet were to be checked, but are unknown. */
static int check_skeleton(struct lint *lint, struct anim_error *error)
{
	struct lint_finding finding = finding_of(
	    lint, LINT_FEET_UNKNOWN,
	    anim_poses_count(&lint->feet.posing.poses) == 0
		? "feet were not checked, because the file has no skeleton; add one with " ANIM_OPTION_TO("retarget",
													  "to", "MODEL")
		: "feet were not checked, because no bone has the name of a human's foot below a leg; " ANIM_ADVICE(
		      RENAME_NODES));

	if (!lint->looks_at_feet || lint->feet_known || lint->report.clips == lint->file_clips)
		return 0;
	return lint_report_finding(&lint->report, &finding, error);
}

int anim_lint_end_file(struct anim_sink *sink, const struct anim_diagnostics *diagnostics,
		       const struct anim_error *failure, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;

	/* If the clip was cut, checks at its end are not possible. */
	if (failure == NULL &&
	    ((lint->trial != NULL && settle_trial(lint, anim_sink_end(lint->trial, &lint->failure), error) != 0) ||
	     end_clip(lint, error) != 0 || report_losses(lint, error) != 0))
		return -1;
	lint->trial = NULL;
	lint->losses = NULL;
	lint->in_clip = false;
	if (failure == NULL && check_skeleton(lint, error) != 0)
		return -1;
	for (size_t i = 0; i < diagnostics->count; i++)
		if (report_diagnostic(lint, &diagnostics->items[i], error) != 0)
			return -1;
	if (failure == NULL)
		return 0;
	lint->report.unreadable++;
	return anim_lint_is_fault(failure) ? report_failure(lint, diagnostics, failure, error) : 0;
}

bool anim_lint_is_fault(const struct anim_error *error)
{
	return anim_error_is_of_input(error) && error->file[0] != '\0';
}

uint64_t anim_lint_findings(const struct anim_sink *sink)
{
	return ((const struct lint *)sink)->report.findings;
}

bool anim_lint_is_broken(const struct anim_sink *sink)
{
	return ((const struct lint *)sink)->report.print.failed;
}
