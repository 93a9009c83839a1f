/* lint.c: the sink of anim-lint: follows files, clips and their names, and has each track looked at. */
#include "filter/lint/lint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "clip/resonite.h"
#include "filter/lint/find.h"

struct lint {
	struct anim_sink sink;
	struct lint_report report;
	struct anim_arena of_file, of_tree, of_clip, of_track;
	struct lint_names clips, tracks; /* of the file, of the clip */
	const char *root_name;           /* of the last tree; NULL: none came */
	struct anim_clip clip;           /* a copy */
	bool in_clip, axes_told;
	double latest_s;   /* the last key of the clip so far, at least its start */
	uint64_t humanoid; /* curves of the clip */
	struct lint_nodes nodes;
	struct lint_names renamed; /* names of the file's nodes that Godot does not allow, told of */
	bool own_tree;             /* the last tree is Godot's */
	struct lint_lists lists;   /* of Resonite's own clips */
};

/* Attributes without a dot that are known, by record (anim-stream(5)). */
static const char *const no_attributes[] = {NULL};
static const char *const clip_attributes[] = {"player", "file", NULL};
static const char *const track_attributes[] = {"order", "literal", NULL};
static const char *const node_attributes[] = {"rotation_order", NULL};

static bool is_one_of(const char *word, const char *const *words)
{
	while (*words != NULL && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}

/* A finding of the clip at hand, or of the file where there is none. */
static struct lint_finding finding_of(const struct lint *lint, enum lint_kind kind, const char *message)
{
	return (struct lint_finding){.kind = kind,
				     .clip = lint->in_clip ? lint->clip.name : NULL,
				     .key = LINT_NO_KEY,
				     .count = 1,
				     .message = message};
}

static int tell(struct lint *lint, enum lint_kind kind, const char *message, struct anim_error *error)
{
	struct lint_finding finding = finding_of(lint, kind, message);

	return lint_report(&lint->report, &finding, error);
}

/* Names the first attribute that is neither known nor one format's own, and counts them. */
static int check_attributes(struct lint *lint, const struct anim_attrs *attrs, const char *const *known,
			    const char *node, const struct anim_track *track, struct anim_error *error)
{
	struct lint_finding finding = finding_of(lint, LINT_ATTRIBUTE, NULL);
	const char *parts[3] = {"attribute '", NULL,
				"' is not known; those of one format have its name and a dot before"};
	size_t size = 1;
	char *message;

	finding.node = node;
	finding.track = track;
	finding.count = 0;
	for (size_t i = 0; i < attrs->count; i++) {
		const char *key = attrs->items[i].key;

		if (strchr(key, '.') != NULL || is_one_of(key, known))
			continue;
		parts[1] = finding.count++ == 0 ? key : parts[1];
	}
	if (finding.count == 0)
		return 0;
	for (int i = 0; i < 3; i++)
		size += strlen(parts[i]);
	message = anim_arena_alloc(&lint->of_track, size, error);
	if (message == NULL)
		return -1;
	snprintf(message, size, "%s%s%s", parts[0], parts[1], parts[2]);
	finding.message = message;
	return lint_report(&lint->report, &finding, error);
}

/* "lasts 0 s, but has keys up to 5 s" */
static int check_duration(struct lint *lint, struct anim_error *error)
{
	static const char before[] = "it lasts 0 s, but has keys up to ", after[] = " s";
	char message[sizeof before + sizeof after + ANIM_NUMBER_MAX];
	size_t size = sizeof before - 1;

	if (lint->clip.end_s > lint->clip.start_s || lint->latest_s <= (double)lint->clip.end_s)
		return 0;
	memcpy(message, before, size);
	size += anim_number_print_float(message + size, (float)lint->latest_s);
	memcpy(message + size, after, sizeof after);
	return tell(lint, LINT_NO_DURATION, message, error);
}

/* Resonite's own files should say how long they are: where they do not, what their reader found is the last key. */
static int check_derived(struct lint *lint, struct anim_error *error)
{
	bool own = strcmp(lint->clip.source, "animj") == 0 || strcmp(lint->clip.source, "animx") == 0;

	if (lint->report.target != ANIM_LINT_RESONITE || !own || !(lint->clip.flags & ANIM_END_DERIVED) ||
	    lint->clip.end_s <= lint->clip.start_s)
		return 0;
	return tell(lint, LINT_NO_DURATION, "globalDuration is missing or before the last key", error);
}

/* They turn no bone by themselves: what they mean is in the avatar, which no animation holds. */
static int check_humanoid(struct lint *lint, struct anim_error *error)
{
	char message[160];
	const char *what = lint->humanoid == 1 ? "curve needs" : "curves need";

	if (lint->humanoid == 0 || lint->report.target == ANIM_LINT_ANY)
		return 0;
	snprintf(message, sizeof message,
		 lint->report.target == ANIM_LINT_UNITY
		     ? "%llu humanoid %s an Avatar; without one nothing moves"
		     : "%llu humanoid %s the avatar, no bone moves without; bake to a generic clip in Unity first",
		 (unsigned long long)lint->humanoid, what);
	return tell(lint, LINT_HUMANOID, message, error);
}

/* Only files of Resonite's own are as it gets them: anim-emit orders what it writes. */
static bool has_order(const struct lint *lint)
{
	bool own = strcmp(lint->clip.source, "animj") == 0 || strcmp(lint->clip.source, "animx") == 0;

	return own && lint->report.target == ANIM_LINT_RESONITE;
}

static int check_order(struct lint *lint, struct anim_error *error)
{
	const char *order, *list;
	struct lint_finding finding;

	if (!has_order(lint))
		return 0;
	anim_arena_reset(&lint->of_track);
	if (lint_lists_order(&lint->lists, &lint->of_track, &order, error) != 0 ||
	    lint_lists_compare(&lint->lists, lint->clip.name, lint->report.file, &lint->of_track, &list, error) != 0)
		return -1;
	finding = finding_of(lint, LINT_TRACK_ORDER, order);
	finding.count = lint->lists.shifting;
	lint_lists_reset(&lint->lists);
	if (order != NULL && lint_report(&lint->report, &finding, error) != 0)
		return -1;
	return list == NULL ? 0 : tell(lint, LINT_TRACK_LIST, list, error);
}

static int end_clip(struct lint *lint, struct anim_error *error)
{
	if (!lint->in_clip)
		return 0;
	if (check_duration(lint, error) != 0 || check_derived(lint, error) != 0 || check_humanoid(lint, error) != 0 ||
	    check_order(lint, error) != 0)
		return -1;
	lint->in_clip = false;
	lint_names_reset(&lint->tracks);
	return 0;
}

static int tell_renames(struct lint *lint, const struct lint_renames *renames, const char *node,
			struct anim_error *error)
{
	struct lint_finding finding = finding_of(lint, LINT_NODE_NAME, renames->message);

	finding.node = node;
	finding.count = renames->count;
	return renames->count == 0 ? 0 : lint_report(&lint->report, &finding, error);
}

/* Godot's own trees have names as it allows them. */
static int check_root(struct lint *lint, const struct anim_tree *tree, struct anim_error *error)
{
	struct lint_renames renames = {0};

	lint->own_tree = tree->axes == ANIM_AXES_GODOT && tree->axes2d == ANIM_AXES2D_GODOT;
	if (lint->report.target != ANIM_LINT_GODOT || lint->own_tree)
		return 0;
	if (lint_godot_rename_root(&lint->renamed, tree->root_name, &renames, &lint->of_track, error) != 0)
		return -1;
	return tell_renames(lint, &renames, ".", error);
}

/* The name of a bone below a node that the tree has; other engines have ':' in other names, too. 0 or -1. */
static int find_bone(struct lint *lint, const struct anim_node *node, const char **bone, struct anim_error *error)
{
	const char *parts[LINT_NAME_PARTS] = {NULL, "", "", "", ""};
	int has;

	*bone = anim_bone_name("other", node->path, node->kind == ANIM_NODE_BONE);
	if (*bone == NULL)
		return 0;
	parts[0] = anim_arena_text(&lint->of_track, node->path, (size_t)(*bone - 1 - node->path), error);
	has = parts[0] == NULL ? -1 : lint_names_has(&lint->nodes.seen, parts, error);
	if (has == 0)
		*bone = NULL;
	return has < 0 ? -1 : 0;
}

static int check_node_name(struct lint *lint, const struct anim_node *node, struct anim_error *error)
{
	struct lint_renames renames = {0};
	const char *bone;

	if (lint->own_tree)
		return 0;
	if (find_bone(lint, node, &bone, error) != 0 ||
	    lint_godot_renames(&lint->renamed, node->path, bone, &renames, &lint->of_track, error) != 0)
		return -1;
	return tell_renames(lint, &renames, node->path, error);
}

static int check_track_node(struct lint *lint, const struct anim_track *track, struct anim_error *error)
{
	const char *source = lint->clip.source;
	struct lint_renames renames = {0};

	if (lint->report.target != ANIM_LINT_GODOT || strncmp(source, "godot", 5) == 0)
		return 0;
	if (lint_godot_renames(&lint->renamed, track->node, anim_track_bone(source, track), &renames, &lint->of_track,
			       error) != 0)
		return -1;
	return tell_renames(lint, &renames, track->node, error);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;

	if (end_clip(lint, error) != 0)
		return -1;
	anim_arena_reset(&lint->of_tree);
	anim_arena_reset(&lint->of_track);
	lint->root_name = anim_arena_text(&lint->of_tree, tree->root_name, strlen(tree->root_name), error);
	if (lint->root_name == NULL)
		return -1;
	lint_nodes_reset(&lint->nodes);
	if (check_root(lint, tree, error) != 0)
		return -1;
	return check_attributes(lint, &tree->attrs, no_attributes, NULL, NULL, error);
}

/* Unity finds nodes by their paths, and so does Godot its bones. */
static int check_node(struct lint *lint, const struct anim_node *node, struct anim_error *error)
{
	unsigned kinds;

	if (lint->report.target == ANIM_LINT_GODOT)
		return check_node_name(lint, node, error) != 0 ? -1 : lint_godot_node(&lint->nodes.seen, node, error);
	if (lint->report.target != ANIM_LINT_UNITY)
		return 0;
	if (lint_nodes_add(&lint->nodes, node, &kinds, error) != 0)
		return -1;
	for (int kind = LINT_NODE_TWICE; kind <= LINT_NODE_NAME; kind++) {
		struct lint_finding finding =
		    finding_of(lint, (enum lint_kind)kind, lint_text(ANIM_LINT_UNITY, (enum lint_kind)kind));

		finding.node = node->path;
		if ((kinds >> kind & 1) != 0 && lint_report(&lint->report, &finding, error) != 0)
			return -1;
	}
	return 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;

	anim_arena_reset(&lint->of_track);
	if (check_node(lint, node, error) != 0)
		return -1;
	return check_attributes(lint, &node->attrs, node_attributes, node->path, NULL, error);
}

/* Clips of one name are told apart by their players (-c PLAYER:NAME). */
static int check_clip_name(struct lint *lint, struct anim_error *error)
{
	const char *player = anim_attrs_get(&lint->clip.attrs, "player");
	const char *parts[LINT_NAME_PARTS] = {lint->clip.name, player == NULL ? "" : player, "", "", ""};
	int added = lint_names_add(&lint->clips, parts, error);

	if (added != 0)
		return added < 0 ? -1 : 0;
	return tell(lint, LINT_CLIP_TWICE, "an earlier clip has this name", error);
}

static int check_spelling(struct lint *lint, struct anim_error *error)
{
	const char *fault = lint->report.target == ANIM_LINT_GODOT ? lint_godot_clip(&lint->clip) : NULL;

	return fault == NULL ? 0 : tell(lint, LINT_CLIP_NAME, fault, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;

	if (end_clip(lint, error) != 0)
		return -1;
	anim_arena_reset(&lint->of_clip);
	anim_arena_reset(&lint->of_track);
	if (anim_clip_copy(&lint->clip, clip, &lint->of_clip, error) != 0)
		return -1;
	lint->in_clip = true;
	lint->axes_told = false;
	lint->latest_s = (double)clip->start_s;
	lint->humanoid = 0;
	lint->report.clips++;
	if (check_clip_name(lint, error) != 0 || check_spelling(lint, error) != 0)
		return -1;
	return check_attributes(lint, &lint->clip.attrs, clip_attributes, NULL, NULL, error);
}

/* Told once for a clip. */
static int check_axes(struct lint *lint, const struct anim_track *track, struct anim_error *error)
{
	enum lint_kind kind;
	const char *fault = lint->axes_told ? NULL : lint_axes(&lint->clip, track, lint->report.target, &kind);

	if (fault == NULL)
		return 0;
	lint->axes_told = true;
	return tell(lint, kind, fault, error);
}

static const char *text_of(const struct anim_track *track, const char *key)
{
	const char *text = anim_attrs_get(&track->attrs, key);

	return text == NULL ? "" : text;
}

/* The node and property that a player finds the track by; in Unity one of a component. */
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
	parts[0] = anim_resonite_node(&names, track->node, &lint->of_track, error);
	parts[1] = anim_resonite_property(track->property, track->component, &lint->of_track, error);
	parts[2] = parts[3] = parts[4] = "";
	return parts[0] == NULL || parts[1] == NULL ? -1 : 0;
}

/* Events of one node may come in several tracks. */
static int check_name(struct lint *lint, const struct anim_track *track, struct lint_tallies *tallies,
		      struct anim_error *error)
{
	const char *parts[LINT_NAME_PARTS];
	struct lint_tally *tally;
	int added;

	if (track->property[0] == '@')
		return 0;
	if (name_parts(lint, track, parts, error) != 0)
		return -1;
	added = lint_names_add(&lint->tracks, parts, error);
	tally = added == 0 ? lint_count(tallies, LINT_NAME_TWICE, LINT_NO_KEY) : NULL;
	if (tally != NULL && strcmp(parts[0], track->node) != 0)
		snprintf(tally->detail, sizeof tally->detail, "by the last names of nodes, as Resonite finds them, ");
	return added < 0 ? -1 : 0;
}

static void see_latest(struct lint *lint, const struct anim_track *track)
{
	size_t first = track->kind == ANIM_RAW && track->n > 0 ? track->n - 1 : 0;

	for (size_t k = first; k < track->n; k++) {
		double time_s = anim_track_time(track, k);

		if (isfinite(time_s) && time_s > lint->latest_s)
			lint->latest_s = time_s;
	}
}

static int tell_tallies(struct lint *lint, const struct anim_track *track, const struct lint_tallies *tallies,
			struct anim_error *error)
{
	for (int kind = 0; kind < LINT_KIND_COUNT; kind++) {
		const struct lint_tally *tally = &tallies->of[kind];
		char message[256];
		struct lint_finding finding = finding_of(lint, (enum lint_kind)kind, message);

		if (tally->count == 0)
			continue;
		snprintf(message, sizeof message, "%s%s", tally->detail,
			 lint_text(lint->report.target, (enum lint_kind)kind));
		finding.track = track;
		finding.key = tally->key;
		finding.count = tally->count;
		if (lint_report(&lint->report, &finding, error) != 0)
			return -1;
	}
	return 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;
	struct lint_tallies tallies = {0};

	anim_arena_reset(&lint->of_track);
	lint->report.tracks++;
	lint->report.keys += track->n;
	see_latest(lint, track);
	if (check_axes(lint, track, error) != 0 ||
	    check_attributes(lint, &track->attrs, track_attributes, NULL, track, error) != 0 ||
	    check_name(lint, track, &tallies, error) != 0 || check_track_node(lint, track, error) != 0)
		return -1;
	lint_keys(track, &lint->clip, &tallies);
	lint->humanoid += anim_attrs_get(&track->attrs, "unity.humanoid") != NULL;
	if (lint->report.target == ANIM_LINT_UNITY)
		lint_unity(track, &tallies);
	if (lint->report.target == ANIM_LINT_GODOT)
		lint_godot(track, &tallies);
	if (lint->report.target == ANIM_LINT_GODOT &&
	    lint_godot_bone(&lint->nodes.seen, &lint->clip, track, &lint->of_track, &tallies, error) != 0)
		return -1;
	if (lint->report.target == ANIM_LINT_RESONITE &&
	    lint_resonite(track, &lint->clip, &tallies, &lint->of_track, error) != 0)
		return -1;
	if (has_order(lint)) {
		struct anim_resonite_names names;

		anim_resonite_names_init(&names, &lint->clip, lint->root_name);
		if (lint_lists_add(&lint->lists, &names, track, error) != 0)
			return -1;
	}
	return tell_tallies(lint, track, &tallies, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return lint_report_end(&((struct lint *)sink)->report, error);
}

static void free_lint(struct anim_sink *sink)
{
	struct lint *lint = (struct lint *)sink;

	lint_names_clear(&lint->clips);
	lint_names_clear(&lint->tracks);
	lint_nodes_clear(&lint->nodes);
	lint_names_clear(&lint->renamed);
	lint_lists_clear(&lint->lists);
	anim_arena_clear(&lint->of_file);
	anim_arena_clear(&lint->of_tree);
	anim_arena_clear(&lint->of_clip);
	anim_arena_clear(&lint->of_track);
	anim_arena_clear(&lint->report.scratch);
	free(lint);
}

struct anim_sink *anim_lint_new(struct anim_output *out, const struct anim_lint_options *options,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, NULL, on_end, free_lint};
	struct lint *lint = calloc(1, sizeof *lint);

	if (lint == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	lint->sink.ops = &ops;
	lint->report.print.out = out;
	lint->report.target = options->target;
	lint->report.json = options->json;
	lint->report.ignored = options->ignored;
	return &lint->sink;
}

int anim_lint_begin_file(struct anim_sink *sink, const char *name, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;

	anim_arena_reset(&lint->of_file);
	lint_names_reset(&lint->clips);
	lint_names_reset(&lint->tracks);
	lint_lists_reset(&lint->lists);
	lint_names_reset(&lint->renamed);
	lint->in_clip = false;
	lint->root_name = NULL;
	lint->report.file = anim_arena_text(&lint->of_file, name, strlen(name), error);
	lint->report.files++;
	return lint->report.file == NULL ? -1 : 0;
}

static int tell_loss(struct lint *lint, const struct anim_loss *loss, struct anim_error *error)
{
	enum lint_kind kind = loss->severity == ANIM_FAULT ? LINT_FAULT : LINT_READING;
	struct lint_finding finding = finding_of(lint, kind, loss->one);
	char many[512];

	if (loss->severity == ANIM_NOTE)
		return 0;
	finding.place = &loss->place;
	finding.count = loss->count;
	if (loss->count > 1 && loss->many != NULL) {
		snprintf(many, sizeof many, "%zu %s", loss->count, loss->many);
		finding.message = many;
	}
	return lint_report(&lint->report, &finding, error);
}

/* Why reading stopped, unless that only sums up the faults, which were told one by one. */
static int tell_failure(struct lint *lint, const struct anim_losses *losses, const struct anim_error *failure,
			struct anim_error *error)
{
	struct lint_finding finding = finding_of(lint, LINT_FAULT, failure->message);
	struct anim_place place = {failure->file, failure->at, failure->line, failure->column, failure->offset};
	struct anim_error sum = {0};

	if (losses->faults > 0 && anim_losses_check(losses, &sum) != 0 && strcmp(sum.message, failure->message) == 0)
		return 0;
	finding.place = &place;
	return lint_report(&lint->report, &finding, error);
}

int anim_lint_end_file(struct anim_sink *sink, const struct anim_losses *losses, const struct anim_error *failure,
		       struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;

	/* Of a clip that is cut nothing is known that comes at its end. */
	if (failure == NULL && end_clip(lint, error) != 0)
		return -1;
	lint->in_clip = false;
	for (size_t i = 0; i < losses->count; i++)
		if (tell_loss(lint, &losses->items[i], error) != 0)
			return -1;
	if (failure == NULL)
		return 0;
	lint->report.unreadable++;
	return anim_lint_is_fault(failure) ? tell_failure(lint, losses, failure, error) : 0;
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
