/* lint.c: the sink of anim-lint, with its checks in the order in which the records of a file arrive. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/caps.h"
#include "filter/common/feet.h"
#include "filter/delta.h"
#include "filter/filter.h"
#include "filter/lint/report.h"
#include "math/elementary.h"
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

/* --- The sink and its findings --- */

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
	struct lint_names nodes;         /* of the tree */
	struct anim_buffer paths;        /* const char * of all nodes, for Unity */
	struct lint_lists lists;         /* of Resonite's own clips */
	bool loop_seam, checks_feet;
	bool feet_known;     /* in a clip of this file */
	bool lacks_interval; /* a track of this file has samples of unknown interval */
	uint64_t file_clips; /* number of clips before this file */
	struct anim_feet feet;
};

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

/* Known attributes without a dot, by record (anim-stream(5)). */
static const char *const clip_attributes[] = {
    "player",        "file",          ANIM_ATTR_DELTA,  ANIM_ATTR_2D,    ANIM_ATTR_OLD_NAME,
    ANIM_ATTR_SPOTS, ANIM_ATTR_LOOKS, ANIM_ATTR_SOUNDS, ANIM_ATTR_STATE, ANIM_ATTR_FIRST_NAME};
static const char *const tree_attributes[] = {ANIM_ATTR_2D};
static const char *const track_attributes[] = {"order", "literal", ANIM_ATTR_SPACE};
static const char *const node_attributes[] = {"rotation_order"};

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

/*
 * End the trial if a call of it failed. The reason is a finding. Returns 0, or -1 if it was out of memory. A tree, node
 * or clip reaches the trial before lint checks it, because the end of a clip arrives with the next record.
 */
static int check_trial(struct lint *lint, int result, struct anim_error *error)
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

/*
 * Only files in Resonite's formats are checked as Resonite reads them. anim-emit orders the tracks that it writes, and
 * writes the duration.
 */
static bool is_resonites_own(const struct lint *lint)
{
	bool own = strcmp(lint->clip.source, "animj") == 0 || strcmp(lint->clip.source, "animx") == 0;

	return own && lint->report.target == ANIM_LINT_RESONITE;
}

/* --- A file begins --- */

int anim_lint_begin_file(struct anim_sink *sink, const char *name, struct anim_sink *trial,
			 struct anim_diagnostics *losses, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;

	anim_arena_reset(&lint->of_file);
	anim_text_set_reset(&lint->clips.set);
	anim_text_set_reset(&lint->tracks.set);
	lint_lists_reset(&lint->lists);
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

/* --- A tree and its nodes --- */

static int end_clip(struct lint *, struct anim_error *); /* a clip ends when the next record arrives */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;

	/* The conversion ends a clip when the next record arrives. */
	if ((lint->trial != NULL && check_trial(lint, anim_sink_tree(lint->trial, tree, &lint->failure), error) != 0) ||
	    end_clip(lint, error) != 0)
		return -1;
	anim_arena_reset(&lint->of_tree);
	anim_arena_reset(&lint->of_track);
	lint->root_name = anim_arena_text(&lint->of_tree, tree->root_name, strlen(tree->root_name), error);
	if (lint->root_name == NULL)
		return -1;
	anim_text_set_reset(&lint->nodes.set);
	lint->paths.size = 0;
	anim_feet_tree(&lint->feet);
	return check_attributes(lint, &tree->attrs, tree_attributes, ANIM_COUNT(tree_attributes), NULL, NULL, error);
}

/*
 * Unity finds nodes by their paths: the first one of several, and none with a '/' in its own name, the part of its path
 * after its parent's path. Paths of bones do not contain their parents'.
 */
static int check_unity_node(struct lint *lint, const struct anim_node *node, struct anim_error *error)
{
	const char *parts[LINT_NAME_PARTS] = {node->path, "", "", "", ""}, *name = NULL;
	const char *const *paths = (const char *const *)(const void *)lint->paths.data;
	const char **path;
	int added = names_add(&lint->nodes, parts, error);

	if (added < 0)
		return -1;
	if (node->parent < lint->paths.size / sizeof *paths) {
		const char *parent = paths[node->parent];
		size_t length = strlen(parent);

		if (strcmp(parent, ".") == 0)
			name = node->path;
		else if (strncmp(node->path, parent, length) == 0 && node->path[length] == '/')
			name = node->path + length + 1;
	}
	path = anim_buffer_extend(&lint->paths, sizeof *path, error);
	if (path == NULL)
		return -1;
	*path = anim_arena_text(&lint->of_tree, node->path, strlen(node->path), error);
	if (*path == NULL)
		return -1;
	for (int kind = LINT_NODE_TWICE; kind <= LINT_NODE_NAME; kind++) {
		struct lint_finding finding = finding_of(lint, (enum lint_kind)kind, anim_lint_rules[kind].text);
		bool found = kind == LINT_NODE_TWICE ? added == 0 : name != NULL && strchr(name, '/') != NULL;

		finding.node = node->path;
		if (found && lint_report_finding(&lint->report, &finding, error) != 0)
			return -1;
	}
	return 0;
}

/*
 * Add a node for Godot's names. A bone also adds the fact that its skeleton has bones. A bone without a name ("#3", of an
 * instanced scene that cannot be read) adds the fact that only a part of the bones is known.
 */
static int add_godot_node(struct lint_names *nodes, const struct anim_node *node, struct anim_error *error)
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

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;
	enum anim_lint_target target = lint->report.target;

	anim_arena_reset(&lint->of_track);
	if ((lint->trial != NULL && check_trial(lint, anim_sink_node(lint->trial, node, &lint->failure), error) != 0) ||
	    (target == ANIM_LINT_GODOT && add_godot_node(&lint->nodes, node, error) != 0) ||
	    (target == ANIM_LINT_UNITY && check_unity_node(lint, node, error) != 0) ||
	    (lint->checks_feet && anim_feet_node(&lint->feet, node, NULL, error) != 0))
		return -1;
	return check_attributes(lint, &node->attrs, node_attributes, ANIM_COUNT(node_attributes), node->path, NULL,
				error);
}

/* --- A clip begins --- */

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;
	const char *player, *parts[LINT_NAME_PARTS] = {NULL, "", "", "", ""};
	int added;

	if ((lint->trial != NULL && check_trial(lint, anim_sink_clip(lint->trial, clip, &lint->failure), error) != 0) ||
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

	/* Clips with the same name may differ by their players (-c PLAYER:NAME). */
	player = anim_attrs_get(&lint->clip.attrs, "player");
	parts[0] = lint->clip.name;
	parts[1] = player == NULL ? "" : player;
	added = names_add(&lint->clips, parts, error);
	if (added < 0 ||
	    (added == 0 && add_finding(lint, LINT_CLIP_TWICE, "an earlier clip has this name", error) != 0))
		return -1;
	return check_attributes(lint, &lint->clip.attrs, clip_attributes, ANIM_COUNT(clip_attributes), NULL, NULL,
				error);
}

/* --- A track --- */

static bool is_property(const struct anim_track *track, const char *name)
{
	return strcmp(track->property, name) == 0 && anim_track_is_transform(track);
}

/* Report unknown axes once for each clip. Writers convert known axes. */
static int check_axes(struct lint *lint, const struct anim_track *track, struct anim_error *error)
{
	const struct anim_clip *clip = &lint->clip;
	bool placed = is_property(track, "position") || is_property(track, "rotation") || is_property(track, "euler");
	bool flat = is_property(track, "angle") || (placed && anim_types[track->type].components == 2);
	const char *fault = NULL;

	if (flat && clip->axes2d == ANIM_AXES2D_UNKNOWN)
		fault = "the direction of its two-dimensional axes is unknown";
	else if (placed && !flat && clip->axes == ANIM_AXES_UNKNOWN)
		fault = "the direction of its axes is unknown";
	if (fault == NULL || lint->axes_reported)
		return 0;
	lint->axes_reported = true;
	return add_finding(lint, LINT_AXES_UNKNOWN, fault, error);
}

/*
 * Check that no earlier track has the node and property by which a player finds the track. In Unity this includes the
 * component class. Events of one node may be in several tracks.
 */
static int check_name(struct lint *lint, const struct anim_track *track, struct lint_tallies *tallies,
		      struct anim_error *error)
{
	const char *class = anim_attrs_get(&track->attrs, "unity.class");
	const char *script = anim_attrs_get(&track->attrs, "unity.script");
	const char *parts[LINT_NAME_PARTS] = {
	    track->node, track->property,
	    track->component == ANIM_WHOLE ? "" : anim_component_name(track->property, track->component),
	    class == NULL ? "" : class, script == NULL ? "" : script};
	int added;

	if (track->property[0] == '@')
		return 0;
	if (lint->report.target == ANIM_LINT_RESONITE) {
		struct anim_resonite_names names;

		anim_resonite_names_init(&names, &lint->clip, lint->root_name);
		parts[0] = anim_resonite_node(&names, track->node, anim_track_is_bone(track), &lint->of_track, error);
		parts[1] = anim_resonite_property(track->property, track->component, &lint->of_track, error);
		parts[2] = parts[3] = parts[4] = "";
		if (parts[0] == NULL || parts[1] == NULL)
			return -1;
	}
	added = names_add(&lint->tracks, parts, error);
	if (added == 0)
		lint_count_detail(
		    tallies, LINT_NAME_TWICE, LINT_NO_KEY, "%s",
		    strcmp(parts[0], track->node) == 0 ? "" : "by the last part of node paths, which Resonite uses, ");
	return added < 0 ? -1 : 0;
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

	/* Find the latest key of the clip. Samples are in order, so only the last one counts. Keys can be in any order. */
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
	     check_trial(lint, anim_sink_track(lint->trial, track, &lint->failure), error) != 0) ||
	    lint_track(lint->report.target, track, &lint->clip, &lint->nodes, &tallies, &lint->of_track, error) != 0)
		return -1;
	if (humanoid == 1 &&
	    lint->report.target == ANIM_LINT_RESONITE) /* a loss of the conversion reports all muscles */
		tallies.of[LINT_UNBOUND].count = 0;
	if ((lint->loop_seam && lint_seam(&lint->clip, track, &tallies, error) != 0) ||
	    anim_feet_track(&lint->feet, &lint->clip, track, error) != 0)
		return -1;
	if (is_resonites_own(lint)) {
		struct anim_resonite_names names;

		anim_resonite_names_init(&names, &lint->clip, lint->root_name);
		if (lint_lists_add(&lint->lists, &names, track, error) != 0)
			return -1;
	}

	/* Report each kind once, with its count. */
	for (int kind = 0; kind < LINT_KIND_COUNT; kind++) {
		const struct lint_tally *tally = &tallies.of[kind];
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

/* --- A clip ends --- */

/*
 * Report the foot that comes nearest to the ground, if it floats or sinks (toes may point down), and each foot that
 * slides.
 */
static int check_feet(struct lint *lint, struct anim_error *error)
{
	const struct anim_slide *slides, *lowest = NULL;
	char message[256], size[LINT_NUMBER], share[LINT_NUMBER], from[LINT_NUMBER], to[LINT_NUMBER];
	struct lint_finding finding;
	double start_s = (double)lint->clip.start_s;
	size_t count;

	lint->feet_known = lint->feet_known || ((lint->clip.flags & ANIM_IN_TREE) != 0 && lint->feet.feet.size > 0);
	if (anim_feet_end(&lint->feet, error) != 0)
		return -1;
	slides = (const struct anim_slide *)(const void *)lint->feet.slides.data;
	count = lint->feet.slides.size / sizeof *slides;
	for (size_t i = 0; i < count; i++)
		if (slides[i].stood && (lowest == NULL || slides[i].lift < lowest->lift))
			lowest = &slides[i];
	if (lowest != NULL && fabs(lowest->lift) * 100 > lint->feet.percent * lowest->leg) {
		snprintf(message, sizeof message, "%s %s, %s %% of the leg length",
			 lowest->lift > 0 ? "it floats: no foot comes nearer to the ground than"
					  : "it sinks into the ground by",
			 lint_digits(size, fabs(lowest->lift)),
			 lint_fixed(share, anim_round(100 * fabs(lowest->lift) / lowest->leg)));
		finding = finding_of(lint, LINT_FOOT_HEIGHT, message);
		finding.node = lowest->node;
		if (lint_report_finding(&lint->report, &finding, error) != 0)
			return -1;
	}
	for (size_t i = 0; i < count; i++) {
		const struct anim_slide *slide = &slides[i];

		if (slide->count == 0)
			continue;
		snprintf(message, sizeof message,
			 "it slides %s on the ground, %s %% of the leg length, from %s s to %s s",
			 lint_digits(size, slide->size), lint_fixed(share, anim_round(100 * slide->share)),
			 lint_fixed(from, start_s + slide->from_s), lint_fixed(to, start_s + slide->to_s));
		finding = finding_of(lint, LINT_FOOT_SLIDES, message);
		finding.node = slide->node;
		finding.count = slide->count;
		if (lint_report_finding(&lint->report, &finding, error) != 0)
			return -1;
	}
	return 0;
}

static int end_clip(struct lint *lint, struct anim_error *error)
{
	const struct anim_clip *clip = &lint->clip;
	char seconds[LINT_NUMBER], message[64 + ANIM_NUMBER_MAX];
	const char *goals, *order, *list;

	if (!lint->in_clip)
		return 0;

	/* Keys in a clip of length 0 are one finding. */
	if (clip->end_s <= clip->start_s && lint->latest_s > (double)clip->end_s) {
		seconds[anim_number_print_float(seconds, (float)lint->latest_s)] = '\0';
		snprintf(message, sizeof message, "it lasts 0 s, but has keys up to %s s", seconds);
		if (add_finding(lint, LINT_NO_DURATION, message, error) != 0)
			return -1;
	}
	/* Files of Resonite should record their duration. If they do not, the reader used the last key. */
	if (is_resonites_own(lint) && (clip->flags & ANIM_END_DERIVED) && clip->end_s > clip->start_s &&
	    add_finding(lint, LINT_NO_DURATION, "globalDuration is missing or before the last key", error) != 0)
		return -1;

	if (lint_humanoid_goals(&lint->humanoid, lint->report.target, &goals, &lint->of_clip, error) != 0 ||
	    (goals != NULL && add_finding(lint, LINT_GOALS, goals, error) != 0))
		return -1;

	if (is_resonites_own(lint)) {
		struct lint_finding finding;

		anim_arena_reset(&lint->of_track);
		if (lint_lists_check(&lint->lists, clip->name, lint->report.file, &order, &list, &lint->of_track,
				     error) != 0)
			return -1;
		finding = finding_of(lint, LINT_TRACK_ORDER, order);
		finding.count = lint->lists.shifting;
		lint_lists_reset(&lint->lists);
		if ((order != NULL && lint_report_finding(&lint->report, &finding, error) != 0) ||
		    (list != NULL && add_finding(lint, LINT_TRACK_LIST, list, error) != 0))
			return -1;
	}

	if (lint->checks_feet && check_feet(lint, error) != 0)
		return -1;
	lint->in_clip = false;
	anim_text_set_reset(&lint->tracks.set);
	return 0;
}

/* --- A file ends --- */

/* Report the warnings of the conversion to the target. */
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

int anim_lint_end_file(struct anim_sink *sink, const struct anim_diagnostics *diagnostics,
		       const struct anim_error *failure, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;
	struct lint_finding finding;
	struct anim_error sum = {0};
	struct anim_place place;

	/* If the clip was cut, checks at its end are not possible. */
	if (failure == NULL &&
	    ((lint->trial != NULL && check_trial(lint, anim_sink_end(lint->trial, &lint->failure), error) != 0) ||
	     end_clip(lint, error) != 0 || report_losses(lint, error) != 0))
		return -1;
	lint->trial = NULL;
	lint->losses = NULL;
	lint->in_clip = false;

	/* Report a file whose feet were to be checked, but are unknown. */
	if (failure == NULL && lint->checks_feet && !lint->feet_known && lint->report.clips > lint->file_clips &&
	    add_finding(
		lint, LINT_FEET_UNKNOWN,
		anim_poses_count(&lint->feet.posing.poses) == 0
		    ? "feet were not checked, because the file has no skeleton; add one with " ANIM_OPTION_TO(
			  "retarget", "to", "MODEL")
		    : "feet were not checked, because no bone has the name of a human's foot below a leg; " ANIM_ADVICE(
			  RENAME_NODES),
		error) != 0)
		return -1;

	/* Report the errors and warnings of the reader. */
	for (size_t i = 0; i < diagnostics->count; i++) {
		const struct anim_diagnostic *diagnostic = &diagnostics->items[i];
		char text[512] = "";

		if (diagnostic->severity == ANIM_NOTE)
			continue;
		anim_diagnostic_print(diagnostic, text, sizeof text);
		finding = finding_of(lint, diagnostic->severity == ANIM_FAULT ? LINT_FAULT : LINT_READING, text);
		finding.place = &diagnostic->place;
		finding.count = diagnostic->count;
		if (lint_report_finding(&lint->report, &finding, error) != 0)
			return -1;
	}
	if (failure == NULL)
		return 0;

	/* Report why reading stopped, unless the error only sums up faults that were already reported. */
	lint->report.unreadable++;
	if (!anim_lint_is_fault(failure) ||
	    (diagnostics->faults > 0 && anim_diagnostics_check(diagnostics, &sum) != 0 &&
	     strcmp(sum.message, failure->message) == 0))
		return 0;
	place = (struct anim_place){failure->file, failure->at, failure->line, failure->column, failure->offset};
	finding = finding_of(lint, LINT_FAULT, failure->message);
	finding.place = &place;
	return lint_report_finding(&lint->report, &finding, error);
}

bool anim_lint_is_fault(const struct anim_error *error)
{
	return anim_error_is_of_input(error) && error->file[0] != '\0';
}

/* --- The whole run --- */

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return lint_report_end(&((struct lint *)sink)->report, error);
}

static void free_lint(struct anim_sink *sink)
{
	struct lint *lint = (struct lint *)sink;

	names_clear(&lint->clips);
	names_clear(&lint->tracks);
	names_clear(&lint->nodes);
	anim_buffer_clear(&lint->paths);
	lint_lists_clear(&lint->lists);
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
	lint->checks_feet = options->feet;
	lint->feet.percent = options->feet_percent;
	anim_poses_init(&lint->feet.posing.poses, options->memory_max);
	return &lint->sink;
}

uint64_t anim_lint_findings(const struct anim_sink *sink)
{
	return ((const struct lint *)sink)->report.findings;
}

bool anim_lint_is_broken(const struct anim_sink *sink)
{
	return ((const struct lint *)sink)->report.print.failed;
}
