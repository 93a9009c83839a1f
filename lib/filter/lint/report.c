/* report.c: findings as lines, or as one JSON document. */
#include <string.h>

#include "base/text.h"
#include "filter/lint/find.h"

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

const char *lint_text(enum anim_lint_target target, enum lint_kind kind)
{
	if (target == ANIM_LINT_GODOT && godot_texts[kind] != NULL)
		return godot_texts[kind];
	return target == ANIM_LINT_UNITY && unity_texts[kind] != NULL ? unity_texts[kind] : texts[kind];
}

struct lint_tally *lint_count(struct lint_tallies *tallies, enum lint_kind kind, size_t key)
{
	struct lint_tally *tally = &tallies->of[kind];

	if (tally->count++ > 0)
		return NULL;
	tally->key = key;
	tally->detail[0] = '\0';
	return tally;
}

/* Text made safe to show. */
static void print_safe(struct lint_report *report, const char *text)
{
	size_t length = strlen(text), capacity = 4 * length + 1; /* \xNN for each byte at worst */
	char *safe = anim_arena_alloc(&report->scratch, capacity, report->print.error);

	if (safe == NULL) {
		report->print.failed = true;
		return;
	}
	anim_text_safe(safe, capacity, text, length);
	anim_print_text(&report->print, safe);
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

int lint_report(struct lint_report *report, const struct lint_finding *finding, struct anim_error *error)
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

int lint_report_end(struct lint_report *report, struct anim_error *error)
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
