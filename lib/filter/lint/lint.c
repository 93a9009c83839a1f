/* lint.c: the sink of anim-lint: follows files, clips and names, has each track looked at, prints what is found. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/number.h"
#include "base/text.h"
#include "filter/filter.h"
#include "filter/lint/internal.h"

/* One thing found. Texts are borrowed; NULL where none is concerned. */
struct lint_finding {
	enum lint_kind kind;
	const struct anim_place *place; /* in the file, as its reader told */
	const char *clip, *node;
	const struct anim_track *track; /* its node, property and component */
	size_t key;                     /* the first one, counted from 0; LINT_NO_KEY: none */
	uint64_t count;                 /* how often, at least 1 */
	const char *message;
};

/* Where findings are told, and their numbers. */
struct lint_report {
	struct anim_print print; /* its error is set at each call */
	struct anim_arena scratch;
	enum anim_lint_target target;
	bool json;
	uint64_t ignored; /* 1 << kind */
	const char *file; /* the one at hand; owned by the sink */
	uint64_t files, unreadable, clips, tracks, keys, findings, found[LINT_KIND_COUNT];
};

/* --- Findings as lines, or as one JSON document --- */

/* How scripts know the kinds: these stay as they are (anim-lint(1)). */
const char *const anim_lint_kinds[LINT_KIND_COUNT + 1] = {
    [LINT_FAULT] = "fault",
    [LINT_READING] = "reading",
    [LINT_CLIP_TWICE] = "clip-twice",
    [LINT_CLIP_NAME] = "clip-name",
    [LINT_NO_DURATION] = "no-duration",
    [LINT_AXES_UNKNOWN] = "axes-unknown",
    [LINT_AXES_OTHER] = "axes-other",
    [LINT_ATTRIBUTE] = "attribute",
    [LINT_NODE_TWICE] = "node-twice",
    [LINT_NODE_NAME] = "node-name",
    [LINT_HUMANOID] = "humanoid",
    [LINT_NAME_TWICE] = "name-twice",
    [LINT_NO_KEYS] = "no-keys",
    [LINT_NO_INTERVAL] = "no-interval",
    [LINT_TIME_NOT_FINITE] = "time-not-finite",
    [LINT_TIMES_UNSORTED] = "times-unsorted",
    [LINT_TIMES_EQUAL] = "times-equal",
    [LINT_BEFORE_START] = "before-start",
    [LINT_PAST_END] = "past-end",
    [LINT_VALUE_NOT_FINITE] = "value-not-finite",
    [LINT_TANGENT_NOT_FINITE] = "tangent-not-finite",
    [LINT_QUATERNION_NOT_UNIT] = "quaternion-not-unit",
    [LINT_TANGENT] = "tangent",
    [LINT_QUATERNION_LONG_WAY] = "quaternion-long-way",
    [LINT_MODE] = "mode",
    [LINT_EASE] = "ease",
    [LINT_ENDS] = "ends",
    [LINT_TYPE] = "type",
    [LINT_FIELD_TYPE] = "field-type",
    [LINT_VALUE_RANGE] = "value-range",
    [LINT_REST_RELATIVE] = "rest-relative",
    [LINT_DISABLED] = "disabled",
    [LINT_UNBOUND] = "unbound",
    [LINT_WEIGHT] = "weight",
    [LINT_PATH] = "path",
    [LINT_BONE] = "bone",
    [LINT_HANDLE] = "handle",
    [LINT_TRACK_ORDER] = "track-order",
    [LINT_TRACK_LIST] = "track-list",
};

const char *const anim_lint_targets[ANIM_LINT_COUNT] = {
    [ANIM_LINT_RESONITE] = "resonite", [ANIM_LINT_UNITY] = "unity", [ANIM_LINT_GODOT] = "godot"};

static const char *const texts[LINT_KIND_COUNT] = {
    [LINT_NODE_TWICE] = "an earlier node has this path; Unity binds to the first one",
    [LINT_NODE_NAME] = "its name holds a '/', so that no path of Unity's leads to it",
    [LINT_NAME_TWICE] = "an earlier track drives the same property of the same node",
    [LINT_NO_KEYS] = "it has no keys",
    [LINT_NO_INTERVAL] = "Raw samples without interval: when they play is not known",
    [LINT_TIME_NOT_FINITE] = "the time is not a finite number",
    [LINT_TIMES_UNSORTED] = "the time is before that of the key before it",
    [LINT_TIMES_EQUAL] = "the time is that of the key before it",
    [LINT_BEFORE_START] = "the time is before the clip's start",
    [LINT_PAST_END] = "the time is past the clip's end",
    [LINT_VALUE_NOT_FINITE] = "the value is not a finite number",
    [LINT_TANGENT_NOT_FINITE] = "a tangent or easing is not a finite number",
    [LINT_QUATERNION_NOT_UNIT] = "the quaternion is not of length 1",
    [LINT_TANGENT] = "Tangent keys, whose curve is not documented; write CubicBezier",
    [LINT_QUATERNION_LONG_WAY] = "quaternion turns the long way",
    [LINT_MODE] = " keys, which Resonite does not have",
    [LINT_EASE] = "the key is eased, which Resonite cannot",
    [LINT_ENDS] = "it goes on outside its keys, where Resonite holds the first and the last one",
    [LINT_TYPE] = " cannot come from AnimJ; AnimX holds it",
    [LINT_FIELD_TYPE] = "",
    [LINT_VALUE_RANGE] = "the value is beyond a float, which is what Resonite's field is",
    [LINT_REST_RELATIVE] = "it is relative to the rest pose, Resonite's tracks are not",
    [LINT_DISABLED] = "it is disabled; Resonite plays all tracks",
    [LINT_UNBOUND] = "Unity has no property of this name, and nothing says which component's it is",
    [LINT_WEIGHT] = "a weight is not within 0..1",
    [LINT_PATH] = "",
    [LINT_BONE] = "the skeleton has no bone of this name",
    [LINT_HANDLE] = "a handle reaches beyond the segment: some times have several values",
};

/* Of what other engines have otherwise. */
static const char *const unity_texts[LINT_KIND_COUNT] = {
    [LINT_MODE] = " keys, which Unity does not have",
    [LINT_EASE] = "the key is eased, which Unity cannot",
    [LINT_ENDS] = "it has no value outside its keys, where Unity holds the first and the last one",
    [LINT_TYPE] = ", which Unity cannot animate",
    [LINT_VALUE_RANGE] = "the value is beyond a float, which is what Unity's curves are of",
    [LINT_REST_RELATIVE] = "it is relative to the rest pose, Unity's curves are not",
    [LINT_DISABLED] = "it is disabled; Unity plays all curves",
};

static const char *const godot_texts[LINT_KIND_COUNT] = {
    [LINT_PAST_END] = "the time is past the clip's end; Godot 4 does not see such keys",
    [LINT_MODE] = " keys, which Godot 4 does not have",
    [LINT_ENDS] = "it goes on outside its keys, where Godot holds the first and the last one",
    [LINT_TYPE] = ", for which Godot has no value",
    [LINT_REST_RELATIVE] = "it is relative to the rest pose, Godot 4's bones are not",
    [LINT_UNBOUND] = "Godot has no property of this name, unless a script or class of that node has",
};

/* What is said of a kind behind the tally's detail; NULL for those whose messages are made where they are found. */
static const char *lint_text(enum anim_lint_target target, enum lint_kind kind)
{
	if (target == ANIM_LINT_GODOT && godot_texts[kind] != NULL)
		return godot_texts[kind];
	return target == ANIM_LINT_UNITY && unity_texts[kind] != NULL ? unity_texts[kind] : texts[kind];
}

void lint_count_detail(struct lint_tallies *tallies, enum lint_kind kind, size_t key, const char *detail, ...)
{
	struct lint_tally *tally = &tallies->of[kind];
	va_list args;

	if (tally->count++ > 0)
		return;
	tally->key = key;
	va_start(args, detail);
	vsnprintf(tally->detail, sizeof tally->detail, detail, args);
	va_end(args);
}

void lint_count(struct lint_tallies *tallies, enum lint_kind kind, size_t key)
{
	lint_count_detail(tallies, kind, key, "%s", "");
}

/* Text made safe to show. */
static void print_safe(struct lint_report *report, const char *text)
{
	char *safe = anim_safe_copy(&report->scratch, text, report->print.error);

	report->print.failed |= safe == NULL;
	anim_print_text(&report->print, safe == NULL ? "" : safe);
}

/* "clip 'walk': ", nothing where there is no text. */
static void print_part(struct lint_report *report, const char *what, const char *text)
{
	if (text == NULL)
		return;
	anim_print_text(&report->print, what);
	anim_print_text(&report->print, " '");
	print_safe(report, text);
	anim_print_text(&report->print, "': ");
}

static void print_track(struct lint_report *report, const struct anim_track *track)
{
	size_t capacity = anim_track_label(track, NULL, 0) + 1;
	char *label = anim_arena_alloc(&report->scratch, capacity, report->print.error);

	if (label == NULL) {
		report->print.failed = true;
		return;
	}
	anim_track_label(track, label, capacity);
	print_part(report, "track", label);
}

/* "walk.tscn:12:5: ", "x.axs: byte 40: ", "x.axs: " */
static void print_place(struct lint_report *report, const struct anim_place *place)
{
	struct anim_print *print = &report->print;
	bool line = place != NULL && place->at == ANIM_AT_LINE, byte = place != NULL && place->at == ANIM_AT_BYTE;

	print_safe(report, place != NULL && place->file != NULL ? place->file : report->file);
	anim_print_text(print, line ? ":" : ": ");
	if (byte)
		anim_print_text(print, "byte ");
	if (line || byte)
		anim_print_uint64(print, line ? place->line : place->offset);
	if (line) {
		anim_print_text(print, ":");
		anim_print_uint64(print, place->column);
	}
	if (line || byte)
		anim_print_text(print, ": ");
}

static void print_line(struct lint_report *report, const struct lint_finding *finding)
{
	struct anim_print *print = &report->print;

	print_place(report, finding->place);
	print_part(report, "clip", finding->clip);
	print_part(report, "node", finding->node);
	if (finding->track != NULL)
		print_track(report, finding->track);
	if (finding->key != LINT_NO_KEY) {
		anim_print_text(print, "key ");
		anim_print_uint64(print, finding->key);
		anim_print_text(print, ": ");
	}
	print_safe(report, finding->message);
	/* A reader's messages say themselves how often. */
	if (finding->count > 1 && finding->kind != LINT_READING && finding->kind != LINT_FAULT) {
		anim_print_text(print, "; and ");
		anim_print_uint64(print, finding->count - 1);
		anim_print_text(print, " more");
	}
	anim_print_text(print, "\n");
}

static void text_member(struct anim_print *print, const char *name, const char *text)
{
	anim_print_text(print, name);
	anim_print_json_text(print, text);
}

/* A number, or null. */
static void count_member(struct anim_print *print, const char *name, bool there, uint64_t value)
{
	anim_print_text(print, name);
	if (there)
		anim_print_uint64(print, value);
	else
		anim_print_text(print, "null");
}

static void begin_document(struct lint_report *report)
{
	text_member(&report->print, "{\"target\":", anim_lint_targets[report->target]);
	anim_print_text(&report->print, ",\"findings\":[");
}

static void print_object(struct lint_report *report, const struct lint_finding *finding)
{
	struct anim_print *print = &report->print;
	const struct anim_track *track = finding->track;
	const struct anim_place *place = finding->place;
	bool line = place != NULL && place->at == ANIM_AT_LINE, byte = place != NULL && place->at == ANIM_AT_BYTE;

	if (report->findings == 0)
		begin_document(report);
	anim_print_text(print, report->findings > 0 ? ",\n" : "\n");
	text_member(print, "{\"file\":", place != NULL && place->file != NULL ? place->file : report->file);
	count_member(print, ",\"line\":", line, line ? place->line : 0);
	count_member(print, ",\"column\":", line, line ? place->column : 0);
	count_member(print, ",\"byte\":", byte, byte ? place->offset : 0);
	text_member(print, ",\"clip\":", finding->clip);
	text_member(print, ",\"node\":", track != NULL ? track->node : finding->node);
	text_member(print, ",\"property\":", track != NULL ? track->property : NULL);
	count_member(print, ",\"component\":", track != NULL && track->component != ANIM_WHOLE,
		     track != NULL ? track->component : 0);
	count_member(print, ",\"key\":", finding->key != LINT_NO_KEY, finding->key);
	text_member(print, ",\"kind\":", anim_lint_kinds[finding->kind]);
	count_member(print, ",\"count\":", true, finding->count);
	text_member(print, ",\"message\":", finding->message);
	anim_print_text(print, "}");
}

/* 0 or -1. */
static int report_finding(struct lint_report *report, const struct lint_finding *finding, struct anim_error *error)
{
	report->print.error = error;
	if (report->ignored >> finding->kind & 1)
		return 0;
	if (report->json)
		print_object(report, finding);
	else
		print_line(report, finding);
	report->findings++;
	report->found[finding->kind] += finding->count;
	anim_arena_reset(&report->scratch);
	return report->print.failed ? -1 : 0;
}

static void print_kinds(struct lint_report *report)
{
	struct anim_print *print = &report->print;
	bool some = false;

	anim_print_text(print, ",\"kinds\":{");
	for (int i = 0; i < LINT_KIND_COUNT; i++) {
		if (report->found[i] == 0)
			continue;
		anim_print_text(print, some ? "," : "");
		anim_print_json_text(print, anim_lint_kinds[i]);
		count_member(print, ":", true, report->found[i]);
		some = true;
	}
	anim_print_text(print, "}");
}

/* The end of the document. */
static int report_end(struct lint_report *report, struct anim_error *error)
{
	struct anim_print *print = &report->print;

	print->error = error;
	if (!report->json)
		return print->failed ? -1 : 0;
	if (report->findings == 0)
		begin_document(report);
	anim_print_text(print, report->findings > 0 ? "\n]" : "]");
	count_member(print, ",\"counts\":{\"files\":", true, report->files);
	count_member(print, ",\"unreadable\":", true, report->unreadable);
	count_member(print, ",\"clips\":", true, report->clips);
	count_member(print, ",\"tracks\":", true, report->tracks);
	count_member(print, ",\"keys\":", true, report->keys);
	count_member(print, ",\"findings\":", true, report->findings);
	print_kinds(report);
	anim_print_text(print, "}}\n");
	return print->failed ? -1 : 0;
}

/* --- Whether what a track moves is in axes that are known, and the target's --- */

static bool is_property(const struct anim_track *track, const char *name)
{
	return strcmp(track->property, name) == 0 && anim_track_is_transform(track);
}

/* What is told where two-dimensional axes are known; NULL where they are right. */
static const char *fault_of_flat_axes(const struct anim_clip *clip, enum anim_lint_target target)
{
	if (target == ANIM_LINT_GODOT && clip->axes2d == ANIM_AXES2D_UNITY)
		return "its two-dimensional axes are Unity's, of units with +Y up; anim-axes godot2d turns them";
	if (target != ANIM_LINT_UNITY || clip->axes2d != ANIM_AXES2D_GODOT)
		return NULL;
	return "its two-dimensional axes are Godot's, of pixels with +Y down; anim-axes unity2d turns them";
}

static const char *other_than_godots(unsigned axes)
{
	return axes == ANIM_AXES_UNITY ? "it is in unity axes, Godot plays in its own; anim-axes godot turns it"
				       : "it is in resonite axes, Godot plays in its own; anim-axes godot turns it";
}

/* The same of three dimensions. */
static const char *fault_of_axes_in_space(const struct anim_clip *clip, enum anim_lint_target target)
{
	static const char *const faults[2][2] = {
	    {"it is in godot axes, Resonite plays in its own; anim-axes resonite turns it",
	     "it is in gltf axes, Resonite plays in its own; anim-axes resonite turns it"},
	    {"it is in godot axes, Unity plays in its own; anim-axes unity turns it",
	     "it is in gltf axes, Unity plays in its own; anim-axes unity turns it"}};
	unsigned axes = clip->axes;

	if (target == ANIM_LINT_GODOT)
		return axes == ANIM_AXES_GODOT || axes == ANIM_AXES_GLTF ? NULL : other_than_godots(axes);
	if (target == ANIM_LINT_ANY || axes == ANIM_AXES_RESONITE || axes == ANIM_AXES_UNITY)
		return NULL;
	return faults[target == ANIM_LINT_UNITY][axes == ANIM_AXES_GLTF];
}

/* What is told of the axes of a track, by those of its clip; NULL where they are right or mean nothing to it. */
static const char *fault_of_axes(const struct anim_clip *clip, const struct anim_track *track,
				 enum anim_lint_target target, enum lint_kind *kind)
{
	bool placed = is_property(track, "position") || is_property(track, "rotation") || is_property(track, "euler");
	bool flat = is_property(track, "angle") || (placed && anim_types[track->type].components == 2);
	unsigned axes = clip->axes;

	*kind = LINT_AXES_UNKNOWN;
	if (flat && clip->axes2d == ANIM_AXES2D_UNKNOWN)
		return "which way its two-dimensional axes point is not known";
	if (placed && !flat && axes == ANIM_AXES_UNKNOWN)
		return "which way its axes point is not known";
	*kind = LINT_AXES_OTHER;
	if (flat)
		return fault_of_flat_axes(clip, target);
	return placed ? fault_of_axes_in_space(clip, target) : NULL;
}

/* --- The nodes of a tree, as Unity finds them by their paths --- */

/* The nodes of a tree, as Unity finds them by their paths. All-zero is empty. */
struct lint_nodes {
	struct lint_names seen;
	struct anim_arena texts;
	struct anim_buffer paths; /* of all nodes, in `texts` */
};

/* The node's own name: its path behind that of the node above it. NULL where that is no part of it, as with bones. */
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

/* What is wrong with a node beside those before it, a bit of each kind (1u << kind) in *kinds. 0 or -1 out of memory. */
static int nodes_add(struct lint_nodes *nodes, const struct anim_node *node, unsigned *kinds, struct anim_error *error)
{
	const char *parts[LINT_NAME_PARTS] = {node->path, "", "", "", ""};
	int added = lint_names_add(&nodes->seen, parts, error);
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

static void nodes_reset(struct lint_nodes *nodes)
{
	anim_text_set_reset(&nodes->seen.set);
	anim_arena_reset(&nodes->texts);
	nodes->paths.size = 0;
}

static void nodes_clear(struct lint_nodes *nodes)
{
	lint_names_clear(&nodes->seen);
	anim_arena_clear(&nodes->texts);
	anim_buffer_clear(&nodes->paths);
}

/* --- The sink of anim-lint: follows files, clips and their names, and has each track looked at --- */

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
static const char *const clip_attributes[] = {"player", "file"};
static const char *const track_attributes[] = {"order", "literal"};
static const char *const node_attributes[] = {"rotation_order"};

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

	return report_finding(&lint->report, &finding, error);
}

/* Names the first attribute that is neither known nor one format's own, and counts them. */
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
			      "attribute '%s' is not known; those of one format have its name and a dot before", first);
	return finding.message == NULL ? -1 : report_finding(&lint->report, &finding, error);
}

/* "lasts 0 s, but has keys up to 5 s" */
static int check_duration(struct lint *lint, struct anim_error *error)
{
	char seconds[ANIM_NUMBER_MAX + 1], message[64 + ANIM_NUMBER_MAX];

	if (lint->clip.end_s > lint->clip.start_s || lint->latest_s <= (double)lint->clip.end_s)
		return 0;
	seconds[anim_number_print_float(seconds, (float)lint->latest_s)] = '\0';
	snprintf(message, sizeof message, "it lasts 0 s, but has keys up to %s s", seconds);
	return tell(lint, LINT_NO_DURATION, message, error);
}

/* Only files of Resonite's own are as it gets them: anim-emit orders what it writes, and says how long it is. */
static bool is_resonites_own(const struct lint *lint)
{
	bool own = strcmp(lint->clip.source, "animj") == 0 || strcmp(lint->clip.source, "animx") == 0;

	return own && lint->report.target == ANIM_LINT_RESONITE;
}

/* Resonite's own files should say how long they are: where they do not, what their reader found is the last key. */
static int check_derived(struct lint *lint, struct anim_error *error)
{
	if (!is_resonites_own(lint) || !(lint->clip.flags & ANIM_END_DERIVED) || lint->clip.end_s <= lint->clip.start_s)
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

static int check_order(struct lint *lint, struct anim_error *error)
{
	const char *order, *list;
	struct lint_finding finding;

	if (!is_resonites_own(lint))
		return 0;
	anim_arena_reset(&lint->of_track);
	if (lint_lists_order(&lint->lists, &lint->of_track, &order, error) != 0 ||
	    lint_lists_compare(&lint->lists, lint->clip.name, lint->report.file, &lint->of_track, &list, error) != 0)
		return -1;
	finding = finding_of(lint, LINT_TRACK_ORDER, order);
	finding.count = lint->lists.shifting;
	lint_lists_reset(&lint->lists);
	if (order != NULL && report_finding(&lint->report, &finding, error) != 0)
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
	anim_text_set_reset(&lint->tracks.set);
	return 0;
}

static int tell_renames(struct lint *lint, const struct lint_renames *renames, const char *node,
			struct anim_error *error)
{
	struct lint_finding finding = finding_of(lint, LINT_NODE_NAME, renames->message);

	finding.node = node;
	finding.count = renames->count;
	return renames->count == 0 ? 0 : report_finding(&lint->report, &finding, error);
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
	nodes_reset(&lint->nodes);
	if (check_root(lint, tree, error) != 0)
		return -1;
	return check_attributes(lint, &tree->attrs, NULL, 0, NULL, NULL, error);
}

/* Unity finds nodes by their paths, and so does Godot its bones. */
static int check_node(struct lint *lint, const struct anim_node *node, struct anim_error *error)
{
	unsigned kinds;

	if (lint->report.target == ANIM_LINT_GODOT)
		return check_node_name(lint, node, error) != 0 ? -1 : lint_godot_node(&lint->nodes.seen, node, error);
	if (lint->report.target != ANIM_LINT_UNITY)
		return 0;
	if (nodes_add(&lint->nodes, node, &kinds, error) != 0)
		return -1;
	for (int kind = LINT_NODE_TWICE; kind <= LINT_NODE_NAME; kind++) {
		struct lint_finding finding =
		    finding_of(lint, (enum lint_kind)kind, lint_text(ANIM_LINT_UNITY, (enum lint_kind)kind));

		finding.node = node->path;
		if ((kinds >> kind & 1) != 0 && report_finding(&lint->report, &finding, error) != 0)
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
	return check_attributes(lint, &node->attrs, node_attributes, ANIM_COUNT(node_attributes), node->path, NULL,
				error);
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
	return check_attributes(lint, &lint->clip.attrs, clip_attributes, ANIM_COUNT(clip_attributes), NULL, NULL,
				error);
}

/* Told once for a clip. */
static int check_axes(struct lint *lint, const struct anim_track *track, struct anim_error *error)
{
	enum lint_kind kind;
	const char *fault = lint->axes_told ? NULL : fault_of_axes(&lint->clip, track, lint->report.target, &kind);

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
	int added;

	if (track->property[0] == '@')
		return 0;
	if (name_parts(lint, track, parts, error) != 0)
		return -1;
	added = lint_names_add(&lint->tracks, parts, error);
	if (added == 0)
		lint_count_detail(
		    tallies, LINT_NAME_TWICE, LINT_NO_KEY, "%s",
		    strcmp(parts[0], track->node) == 0 ? "" : "by the last names of nodes, as Resonite finds them, ");
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
		if (report_finding(&lint->report, &finding, error) != 0)
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
	    check_attributes(lint, &track->attrs, track_attributes, ANIM_COUNT(track_attributes), NULL, track, error) !=
		0 ||
	    check_name(lint, track, &tallies, error) != 0 || check_track_node(lint, track, error) != 0)
		return -1;
	lint_keys(track, &lint->clip, &tallies);
	lint->humanoid += anim_attrs_get(&track->attrs, "unity.humanoid") != NULL;
	if (lint_engine(lint->report.target, track, &lint->clip, &lint->nodes.seen, &tallies, &lint->of_track, error) !=
	    0)
		return -1;
	if (is_resonites_own(lint)) {
		struct anim_resonite_names names;

		anim_resonite_names_init(&names, &lint->clip, lint->root_name);
		if (lint_lists_add(&lint->lists, &names, track, error) != 0)
			return -1;
	}
	return tell_tallies(lint, track, &tallies, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return report_end(&((struct lint *)sink)->report, error);
}

static void free_lint(struct anim_sink *sink)
{
	struct lint *lint = (struct lint *)sink;

	lint_names_clear(&lint->clips);
	lint_names_clear(&lint->tracks);
	nodes_clear(&lint->nodes);
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
	struct lint *lint = anim_sink_new(sizeof *lint, &ops, error);

	if (lint == NULL)
		return NULL;
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
	anim_text_set_reset(&lint->clips.set);
	anim_text_set_reset(&lint->tracks.set);
	lint_lists_reset(&lint->lists);
	anim_text_set_reset(&lint->renamed.set);
	lint->in_clip = false;
	lint->root_name = NULL;
	lint->report.file = anim_arena_text(&lint->of_file, name, strlen(name), error);
	lint->report.files++;
	return lint->report.file == NULL ? -1 : 0;
}

static int tell_diagnostic(struct lint *lint, const struct anim_diagnostic *diagnostic, struct anim_error *error)
{
	enum lint_kind kind = diagnostic->severity == ANIM_FAULT ? LINT_FAULT : LINT_READING;
	struct lint_finding finding = finding_of(lint, kind, diagnostic->one);
	char many[512];

	if (diagnostic->severity == ANIM_NOTE)
		return 0;
	finding.place = &diagnostic->place;
	finding.count = diagnostic->count;
	if (diagnostic->count > 1 && diagnostic->many != NULL) {
		snprintf(many, sizeof many, "%zu %s", diagnostic->count, diagnostic->many);
		finding.message = many;
	}
	return report_finding(&lint->report, &finding, error);
}

/* Why reading stopped, unless that only sums up the faults, which were told one by one. */
static int tell_failure(struct lint *lint, const struct anim_diagnostics *diagnostics, const struct anim_error *failure,
			struct anim_error *error)
{
	struct lint_finding finding = finding_of(lint, LINT_FAULT, failure->message);
	struct anim_place place = {failure->file, failure->at, failure->line, failure->column, failure->offset};
	struct anim_error sum = {0};

	if (diagnostics->faults > 0 && anim_diagnostics_check(diagnostics, &sum) != 0 &&
	    strcmp(sum.message, failure->message) == 0)
		return 0;
	finding.place = &place;
	return report_finding(&lint->report, &finding, error);
}

int anim_lint_end_file(struct anim_sink *sink, const struct anim_diagnostics *diagnostics,
		       const struct anim_error *failure, struct anim_error *error)
{
	struct lint *lint = (struct lint *)sink;

	/* Of a clip that is cut nothing is known that comes at its end. */
	if (failure == NULL && end_clip(lint, error) != 0)
		return -1;
	lint->in_clip = false;
	for (size_t i = 0; i < diagnostics->count; i++)
		if (tell_diagnostic(lint, &diagnostics->items[i], error) != 0)
			return -1;
	if (failure == NULL)
		return 0;
	lint->report.unreadable++;
	return anim_lint_is_fault(failure) ? tell_failure(lint, diagnostics, failure, error) : 0;
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
