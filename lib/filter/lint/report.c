/* report.c: the rules of anim-lint, and the output of findings: as lines, JSON, SARIF 2.1.0, and for GitHub. */
#include <stddef.h>
#include <string.h>

#include "base/advice.h"
#include "base/text.h"
#include "filter/filter.h"
#include "filter/lint/report.h"

/* ======== The rules: their ids for scripts, their levels and their texts ======== */

#define ERROR ANIM_LINT_ERROR
#define WARNING ANIM_LINT_WARNING
#define NOTE ANIM_LINT_NOTE

/* Each rule has an id, a level, a description, a remedy, and the text of a finding in a track. */
const struct anim_lint_rule anim_lint_rules[ANIM_LINT_RULES_MAX] = {
    [LINT_FAULT] = {"fault", ERROR, "The file cannot be read, or not to its end.",
		    "Export the file again, or correct it at the reported place.", NULL},
    [LINT_READING] = {"reading", WARNING, "The reader dropped or guessed a part of the file.",
		      "Check the reported place: dropped data is missing in all later steps.", NULL},
    [LINT_CLIP_TWICE] = {"clip-twice", WARNING, "An earlier clip of the file has this name, and the same player.",
			 "Rename one of the two: " ANIM_OPTION_TO("rename", "on", "clip") ".", NULL},
    [LINT_NO_DURATION] = {"no-duration", ERROR, "The clip has no duration, or ends before its last key.",
			  "Set the duration of the clip in the program that made it.", NULL},
    [LINT_AXES_UNKNOWN] = {"axes-unknown", WARNING,
			   "The clip moves objects in space, but the direction of its axes is unknown.",
			   "Set its axes: " ANIM_OPTION("axes", "from") ".", NULL},
    [LINT_ATTRIBUTE] = {"attribute", NOTE, "The stream has an attribute that no program knows.",
			"Check the spelling. Attributes of one format have a dot in their names.", NULL},
    [LINT_NODE_TWICE] = {"node-twice", WARNING, "A node of the tree has the path of an earlier node.",
			 "Rename one of the two.", "an earlier node has this path; Unity binds to the first one"},
    [LINT_NODE_NAME] = {"node-name", WARNING, "The name of a node has characters that the target does not allow.",
			"Rename the node.", "its name contains a '/', so no Unity path can refer to it"},
    [LINT_GOALS] = {"goals", NOTE, "Curves of the body or of goals of hands and feet are missing in a humanoid clip.",
		    "Bake the clip again with all curves. Without goals, leave Foot IK off.", NULL},
    [LINT_LOST] = {"lost", WARNING, "A conversion to the target leaves out or changes a part.",
		   "See the message, which is the one of the conversion.", NULL},
    [LINT_APPROXIMATED] = {"approximated", WARNING, "A conversion to the target changes curves visibly.",
			   "Compare the two files: anim diff.", NULL},
    [LINT_FOOT_SLIDES] = {"foot-slides", WARNING, "A foot slides while it is on the ground.",
			  "Check the source. In a clip that walks on the spot, feet always slide.", NULL},
    [LINT_FOOT_HEIGHT] = {"foot-height", WARNING, "The feet never reach the ground, or sink into it.",
			  "Move the hips up or down in the program that made the clip.", NULL},
    [LINT_FEET_UNKNOWN] = {"feet-unknown", NOTE, "Feet were not checked, because the file has no skeleton with feet.",
			   "Put the clip on the skeleton of a model: " ANIM_OPTION("retarget", "to") ".", NULL},
    [LINT_NAME_TWICE] = {"name-twice", WARNING, "An earlier track animates the same property of the same node.",
			 "Remove one of the two, or rename its node.",
			 "an earlier track animates the same property of the same node"},
    [LINT_NO_KEYS] = {"no-keys", ERROR, "The track has no keys.",
		      "Remove it: such tracks are reported to crash Resonite.", "it has no keys"},
    [LINT_NO_INTERVAL] = {"no-interval", ERROR, "The interval between samples is unknown.",
			  "Set their rate: " ANIM_OPTION("retime", "rate") ".",
			  "the interval between its samples is unknown, so it cannot be played"},
    [LINT_TIME_NOT_FINITE] = {"time-not-finite", ERROR, "A time is infinite or not a number.",
			      "Export the clip again: such a key cannot be played.", "the time is not a finite number"},
    [LINT_TIMES_UNSORTED] = {"times-unsorted", WARNING, "The time of a key is before the time of the previous key.",
			     "Sort the keys: " ANIM_ADVICE_TO(PROGRAM, "retime") ".",
			     "the time is before the time of the previous key"},
    [LINT_TIMES_EQUAL] = {"times-equal", WARNING, "Two keys have the same time.", "Remove one of the two.",
			  "the time equals the time of the previous key"},
    [LINT_BEFORE_START] = {"before-start", WARNING, "A key is before the clip's start.",
			   "Cut or shift the clip: " ANIM_OPTION("retime", "time") " or " ANIM_OPTION("retime",
												      "shift") ".",
			   "the time is before the clip's start"},
    [LINT_PAST_END] = {"past-end", WARNING, "A key is past the clip's end.",
		       "Cut the clip, or lengthen it: " ANIM_ADVICE_TO(PROGRAM, "retime") ".",
		       "the time is past the clip's end"},
    [LINT_VALUE_NOT_FINITE] = {"value-not-finite", ERROR, "A value is infinite or not a number.",
			       "Export the clip again: players show nothing, or crash.",
			       "the value is not a finite number"},
    [LINT_TANGENT_NOT_FINITE] = {"tangent-not-finite", ERROR,
				 "A tangent, handle or easing is infinite or not a number.",
				 "Export the clip again, or resample it: " ANIM_ADVICE_TO(PROGRAM, "resample") ".",
				 "a tangent or easing is not a finite number"},
    [LINT_QUATERNION_NOT_UNIT] = {"quaternion-not-unit", WARNING, "The quaternion of a rotation is not of length 1.",
				  "Export the clip again: players differ in how they show such rotations.",
				  "the quaternion is not of length 1"},
    [LINT_TANGENT] = {"tangent", WARNING, "Keys have the mode Tangent, whose curve is not documented.",
		      "Use CubicBezier keys, or resample the clip: " ANIM_ADVICE_TO(PROGRAM, "resample") ".",
		      "the curve between Tangent keys is not documented; use CubicBezier keys"},
    [LINT_LOOP_SEAM] = {"loop-seam", WARNING, "The end of a track differs from its start, in a clip that loops.",
			"Make its first and last key equal.", "the loop does not close"},
    [LINT_MUSCLE_RANGE] = {"muscle-range", NOTE, "A muscle of a humanoid is far beyond its range.",
			   "Correct the curve in the program that made it: Unity does not clamp muscles.",
			   "Unity does not clamp muscles, so the joint bends too far"},
    [LINT_MUSCLE_JUMP] = {"muscle-jump", NOTE, "A muscle of a humanoid jumps from one frame to the next.",
			  "Make the muscles again from the bones: " ANIM_OPTION(
			      "retarget", "muscles") ". Otherwise smooth the curve.",
			  "the joint turns over in one frame"},
    [LINT_QUATERNION_LONG_WAY] =
	{"quaternion-long-way", WARNING,
	 "A rotation takes the long way, because the sign of its quaternion changes between two keys.",
	 "Bake it: " ANIM_ADVICE_TO(PROGRAM, "bake") " chooses signs for the short way.",
	 "the rotation takes the long way"},
    [LINT_FIELD_TYPE] = {"field-type", WARNING, "The type differs from the field to which the track would be bound.",
			 "Use " ANIM_ADVICE_TO(
			     PROGRAM, "emit") ", which converts some types. Rename or remove the other tracks.",
			 ""},
    [LINT_UNBOUND] = {"unbound", WARNING,
		      "The target has no property with this name, or the component that has it is unknown.",
		      "Rename the property, or remove the track: " ANIM_ADVICE_TO(
			  PROGRAM, "rename") ", " ANIM_ADVICE_TO(PROGRAM, "filter") ".",
		      ""},
    [LINT_WEIGHT] = {"weight", WARNING, "A weight of Weighted keys is not between 0 and 1.",
		     "Correct the curve, or resample it: " ANIM_ADVICE_TO(PROGRAM, "resample") ".",
		     "a weight is not between 0 and 1"},
    [LINT_PATH] = {"path", WARNING, "Godot cannot resolve a path.",
		   "Rename the track, or write it with " ANIM_ADVICE_TO(PROGRAM, "emit") ".", ""},
    [LINT_BONE] = {"bone", WARNING, "A skeleton does not have a bone.",
		   "Rename the bone, or retarget the clip: " ANIM_ADVICE_TO(PROGRAM, "retarget") ".",
		   "the skeleton has no bone with this name"},
    [LINT_HANDLE] = {"handle", WARNING, "A handle of Bezier keys reaches beyond its segment.",
		     "Shorten the handle in the program that made it.",
		     "a handle reaches beyond its segment, so some times have several values"},
    [LINT_TANGENTS_DROPPED] = {"tangents-dropped", WARNING,
			       "Rotations are curved, but Godot and Blender import them as linear.",
			       "Resample the rotations before you write them: " ANIM_ADVICE_TO(PROGRAM, "resample") ".",
			       "its rotations are curved, but Godot and Blender import them as linear"},
    [LINT_TRACK_ORDER] = {"track-order", WARNING, "Tracks without a field in Resonite shift the tracks after them.",
			  "Write the file with " ANIM_ADVICE_TO(PROGRAM, "emit") ", which puts such tracks last.",
			  NULL},
    [LINT_TRACK_LIST] = {"track-list", WARNING, "Clips for one Animator of Resonite have different lists of tracks.",
			 "Write them together: " ANIM_OPTION("emit", "same-tracks") ", " ANIM_OPTION("emit",
												     "each") ".",
			 NULL},
};

_Static_assert(LINT_KIND_COUNT + 1 == ANIM_LINT_RULES_MAX, "the last one has no id: lint.h counts them");

/* ======== Findings as lines or as one JSON document ======== */

#define ADVISED_MAX 4096

/* Print a text made safe for terminals. */
static void print_safe(struct lint_report *report, struct anim_print *print, const char *text)
{
	char *safe = anim_safe_copy(&report->scratch, text, print->error);

	print->failed |= safe == NULL;
	anim_print_text(print, safe == NULL ? "" : safe);
}

/* Print "clip 'walk': ", or nothing if there is no text. */
static void print_part(struct lint_report *report, struct anim_print *print, const char *what, const char *text)
{
	if (text == NULL)
		return;
	anim_print_texts(print, what, " '");
	print_safe(report, print, text);
	anim_print_text(print, "': ");
}

/* Return the finding's file: the reader's place, otherwise the current file. */
static const char *file_of(const struct lint_report *report, const struct lint_finding *finding)
{
	return finding->place != NULL && finding->place->file != NULL ? finding->place->file : report->file;
}

/* Return whether the place is a line and a column. */
static bool has_line(const struct lint_finding *finding)
{
	return finding->place != NULL && finding->place->at == ANIM_AT_LINE;
}

/* Return whether the place is a byte, of the file or of the data after decompression. */
static bool has_byte(const struct lint_finding *finding)
{
	return finding->place != NULL && (finding->place->at == ANIM_AT_BYTE || finding->place->at == ANIM_AT_UNPACKED);
}

static void print_sentence(struct lint_report *report, struct anim_print *print, const struct lint_finding *finding)
{
	print_part(report, print, "clip", finding->clip);
	print_part(report, print, finding->noun == NULL ? "node" : finding->noun, finding->node);
	if (finding->track != NULL) {
		const char *label = anim_label_copy(&report->scratch, finding->track->node, finding->track->property,
						    finding->track->component, print->error);

		print->failed |= label == NULL;
		print_part(report, print, "track", label);
	}
	if (finding->key != LINT_NO_KEY) {
		anim_print_text(print, "key ");
		anim_print_uint64(print, finding->key);
		anim_print_text(print, ": ");
	}
	print_safe(report, print, finding->message);
	/* Messages of readers already contain the number of occurrences. */
	if (finding->count > 1 && finding->kind != LINT_READING && finding->kind != LINT_FAULT) {
		const char *unit = finding->kind == LINT_ATTRIBUTE     ? "attribute"
				   : finding->kind == LINT_NODE_NAME   ? "name"
				   : finding->kind == LINT_TRACK_ORDER ? "track"
				   : finding->key != LINT_NO_KEY       ? "key"
								       : "time";

		anim_print_text(print, "; and ");
		anim_print_uint64(print, finding->count - 1);
		anim_print_texts(print, " more ", unit, finding->count == 2 ? "" : "s");
	}
}

/* Print the finding's line without the place and the line end to report->text, safe for terminals. Returns 0 or -1. */
static int sentence(struct lint_report *report, const struct lint_finding *finding)
{
	struct anim_print print = {.buffer = &report->text, .error = report->print.error};

	report->text.size = 0;
	print_sentence(report, &print, finding);
	report->print.failed |= print.failed;
	return print.failed ? -1 : 0;
}

/* Print the finding after its place: "walk.tscn:12:5: ", "x.axs: byte 40: " or "x.axs: ". */
static void print_line(struct lint_report *report, const struct lint_finding *finding)
{
	struct anim_print *print = &report->print;
	bool line = has_line(finding), byte = has_byte(finding);

	print_safe(report, print, file_of(report, finding));
	anim_print_text(print, line ? ":" : ": ");
	if (byte)
		anim_print_text(print, "byte ");
	if (line || byte)
		anim_print_uint64(print, line ? finding->place->line : finding->place->offset);
	if (line) {
		anim_print_text(print, ":");
		anim_print_uint64(print, finding->place->column);
	}
	if (byte && finding->place->at == ANIM_AT_UNPACKED)
		anim_print_text(print, " of what it unpacks to");
	if (line || byte)
		anim_print_text(print, ": ");
	print_sentence(report, print, finding);
	anim_print_text(print, "\n");
}

static const struct lint_form lines = {.finding = print_line};

static void begin_document(struct lint_report *report)
{
	anim_print_text(&report->print, "{\"target\":");
	anim_print_json_text(&report->print, report->target_name);
	anim_print_text(&report->print, ",\"findings\":[");
}

static void print_object(struct lint_report *report, const struct lint_finding *finding)
{
	struct anim_print *print = &report->print;
	const struct anim_track *track = finding->track;
	const struct anim_place *place = finding->place;
	bool line = has_line(finding), byte = has_byte(finding);

	anim_print_texts(print, report->findings > 0 ? ",\n" : "\n", "{\"file\":");
	anim_print_json_text(print, file_of(report, finding));
	anim_print_natural_member(print, "line", line, line ? place->line : 0);
	anim_print_natural_member(print, "column", line, line ? place->column : 0);
	anim_print_natural_member(print, "byte", byte, byte ? place->offset : 0);
	anim_print_text_member(print, "clip", finding->clip);
	anim_print_text_member(print, "node", track != NULL ? track->node : finding->node);
	anim_print_text_member(print, "property", track != NULL ? track->property : NULL);
	anim_print_natural_member(print, "component", track != NULL && track->component != ANIM_WHOLE,
				  track != NULL ? track->component : 0);
	anim_print_natural_member(print, "key", finding->key != LINT_NO_KEY, finding->key);
	anim_print_text_member(print, "kind", anim_lint_rules[finding->kind].id);
	anim_print_count_member(print, "count", finding->count);
	anim_print_text_member(print, "message", finding->message);
	anim_print_text(print, "}");
}

static void end_document(struct lint_report *report)
{
	struct anim_print *print = &report->print;
	bool some = false;

	anim_print_texts(print, report->findings > 0 ? "\n]" : "]", ",\"counts\":{\"files\":");
	anim_print_uint64(print, report->files);
	anim_print_count_member(print, "unreadable", report->unreadable);
	anim_print_count_member(print, "clips", report->clips);
	anim_print_count_member(print, "tracks", report->tracks);
	anim_print_count_member(print, "keys", report->keys);
	anim_print_count_member(print, "findings", report->findings);
	anim_print_text(print, ",\"kinds\":{");
	for (int i = 0; i < LINT_KIND_COUNT; i++) {
		if (report->found[i] == 0)
			continue;
		anim_print_text(print, some ? "," : "");
		anim_print_json_text(print, anim_lint_rules[i].id);
		anim_print_text(print, ":");
		anim_print_uint64(print, report->found[i]);
		some = true;
	}
	anim_print_text(print, "}}}\n");
}

static const struct lint_form document = {begin_document, print_object, end_document};

/* ---- Common to all output formats ---- */

void lint_report_init(struct lint_report *report, struct anim_output *out, const struct anim_lint_options *options)
{
	static const struct lint_form *const forms[] = {[ANIM_LINT_TEXT] = &lines,
							[ANIM_LINT_JSON] = &document,
							[ANIM_LINT_SARIF] = &lint_sarif,
							[ANIM_LINT_GITHUB] = &lint_github};

	report->print.out = out;
	report->target = options->target;
	report->target_name = options->target_name;
	report->form = forms[options->form];
	report->advisor = options->advisor;
	report->version = options->version;
	report->ignored = options->ignored;
	report->ignored_count = options->ignored_count;
}

void lint_report_clear(struct lint_report *report)
{
	anim_arena_clear(&report->scratch);
	anim_buffer_clear(&report->text);
}

static bool fits(const char *glob, const char *name)
{
	return name != NULL && anim_glob_match(glob, name);
}

static bool is_ignored(const struct lint_report *report, const struct lint_finding *finding)
{
	for (size_t i = 0; i < report->ignored_count; i++) {
		const char *glob = report->ignored[i].glob;

		if (report->ignored[i].rule == finding->kind &&
		    (glob == NULL || fits(glob, file_of(report, finding)) || fits(glob, finding->clip) ||
		     fits(glob, finding->track != NULL ? finding->track->node : finding->node)))
			return true;
	}
	return false;
}

static void begin(struct lint_report *report)
{
	if (report->findings == 0 && report->form->begin != NULL)
		report->form->begin(report);
}

int lint_report_finding(struct lint_report *report, const struct lint_finding *raw, struct anim_error *error)
{
	struct lint_finding advised = *raw;
	const struct lint_finding *finding = &advised;
	char message[ADVISED_MAX];

	report->print.error = error;
	if (is_ignored(report, finding))
		return 0;
	if (raw->message != NULL) {
		anim_advice_print(report->advisor, raw->message, message, sizeof message);
		advised.message = message;
	}
	begin(report);
	report->form->finding(report, finding);
	report->findings++;
	report->found[finding->kind] += finding->count;
	anim_arena_reset(&report->scratch);
	return report->print.failed ? -1 : 0;
}

int lint_report_end(struct lint_report *report, struct anim_error *error)
{
	report->print.error = error;
	begin(report);
	if (report->form->end != NULL)
		report->form->end(report);
	return report->print.failed ? -1 : 0;
}

/* ======== Findings for services that review changes ======== */

/* ---- SARIF 2.1.0 (OASIS): one run, first with the rules, then with results as they are found ---- */

static const char *const sarif_levels[] = {
    [ANIM_LINT_NOTE] = "note", [ANIM_LINT_WARNING] = "warning", [ANIM_LINT_ERROR] = "error"};

/* Print ,"name":{"text":"..."} */
static void print_message(struct anim_print *print, const char *name, const char *text, size_t length)
{
	anim_print_member(print, name);
	anim_print_text(print, "{\"text\":");
	anim_print_json(print, text, length);
	anim_print_text(print, "}");
}

static void sarif_begin(struct lint_report *report)
{
	struct anim_print *print = &report->print;
	char help[ADVISED_MAX];

	anim_print_text(print, "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
			       "sarif-schema-2.1.0.json\","
			       "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"anim-lint\"");
	anim_print_text_member(print, "version", report->version == NULL ? "" : report->version);
	anim_print_text(print, ",\"rules\":[");
	for (const struct anim_lint_rule *rule = anim_lint_rules; rule->id != NULL; rule++) {
		anim_print_text(print, rule == anim_lint_rules ? "\n" : ",\n");
		anim_print_text(print, "{\"id\":");
		anim_print_json_text(print, rule->id);
		print_message(print, "shortDescription", rule->brief, strlen(rule->brief));
		print_message(print, "fullDescription", rule->brief, strlen(rule->brief));
		anim_advice_print(report->advisor, rule->help, help, sizeof help);
		print_message(print, "help", help, strlen(help));
		anim_print_texts(print, ",\"defaultConfiguration\":{\"level\":\"", sarif_levels[rule->level], "\"}}");
	}
	anim_print_text(print, "\n]}},\"results\":[");
}

/* Print a byte as "%3A", in upper case, because GitHub requires it. */
static void print_percent(struct anim_print *print, char byte)
{
	static const char digits[] = "0123456789ABCDEF";
	const char text[3] = {'%', digits[(unsigned char)byte >> 4], digits[(unsigned char)byte & 15]};

	anim_print_bytes(print, text, sizeof text);
}

/* Print a file's name as a reference of RFC 3986: relative to the current directory, or file: for an absolute path. */
static void print_uri(struct anim_print *print, const char *file)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

	anim_print_text(print, file[0] == '/' ? "\"file://" : "\"");
	for (const char *at = file; *at != '\0'; at++) {
		if (strchr(plain, *at) != NULL)
			anim_print_bytes(print, at, 1);
		else
			print_percent(print, *at);
	}
	anim_print_text(print, "\"");
}

static void print_logical(struct anim_print *print, bool *some, const char *kind, const char *name)
{
	if (name == NULL)
		return;
	anim_print_text(print, *some ? "," : ",\"logicalLocations\":[");
	anim_print_text(print, "{\"name\":");
	anim_print_json_text(print, name);
	anim_print_texts(print, ",\"kind\":\"", kind, "\"}");
	*some = true;
}

/* Print the clip, the node, and the property of a track with its component. */
static void print_logicals(struct lint_report *report, const struct lint_finding *finding)
{
	struct anim_print *print = &report->print;
	const struct anim_track *track = finding->track;
	const char *property = NULL;
	bool some = false;

	if (track != NULL && track->component == ANIM_WHOLE)
		property = track->property;
	else if (track != NULL)
		property = anim_arena_printf(&report->scratch, print->error, "%s.%s", track->property,
					     anim_component_name(track->property, track->component));
	print->failed |= track != NULL && property == NULL;
	print_logical(print, &some, "clip", finding->clip);
	print_logical(print, &some, "object", track != NULL ? track->node : finding->node);
	print_logical(print, &some, "property", property);
	anim_print_text(print, some ? "]" : "");
}

#define FNV_PRIME 0x100000001b3

/* FNV-1a, including the NUL. */
static uint64_t add_to_hash(uint64_t hash, const char *text)
{
	for (size_t i = 0; text != NULL && i <= strlen(text); i++)
		hash = (hash ^ (unsigned char)text[i]) * FNV_PRIME;
	return hash;
}

/*
 * Print a fingerprint. GitHub treats two results of a file as one if nothing distinguishes them. It uses the text of
 * the line, if there is one, otherwise the file's first line, which is the same for all.
 */
static void print_fingerprint(struct anim_print *print, const struct lint_finding *finding)
{
	const struct anim_track *track = finding->track;
	uint64_t hash = add_to_hash(0xcbf29ce484222325, anim_lint_rules[finding->kind].id);

	if (has_line(finding))
		return;
	hash = add_to_hash(hash, finding->clip);
	if (track != NULL)
		hash = (add_to_hash(add_to_hash(hash, track->node), track->property) ^ track->component) * FNV_PRIME;
	else
		hash = add_to_hash(add_to_hash(hash, finding->node), finding->message);
	anim_print_text(print, ",\"partialFingerprints\":{\"primaryLocationLineHash\":\"");
	anim_print_hex(print, hash, 16);
	anim_print_text(print, ":1\"}");
}

static void sarif_finding(struct lint_report *report, const struct lint_finding *finding)
{
	struct anim_print *print = &report->print;
	const struct anim_lint_rule *rule = &anim_lint_rules[finding->kind];

	if (sentence(report, finding) != 0)
		return;
	anim_print_texts(print, report->findings > 0 ? ",\n" : "\n", "{\"ruleId\":");
	anim_print_json_text(print, rule->id);
	anim_print_count_member(print, "ruleIndex", finding->kind);
	anim_print_text_member(print, "level", sarif_levels[rule->level]);
	print_message(print, "message", (const char *)report->text.data, report->text.size);
	anim_print_text(print, ",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
	print_uri(print, file_of(report, finding));
	anim_print_text(print, "}");
	if (has_line(finding)) {
		anim_print_text(print, ",\"region\":{\"startLine\":");
		anim_print_uint64(print, finding->place->line);
		anim_print_count_member(print, "startColumn", finding->place->column);
		anim_print_text(print, "}");
	} else if (has_byte(finding) && finding->place->at == ANIM_AT_BYTE) { /* a region is in the file itself */
		anim_print_text(print, ",\"region\":{\"byteOffset\":");
		anim_print_uint64(print, finding->place->offset);
		anim_print_text(print, "}");
	}
	anim_print_text(print, "}");
	print_logicals(report, finding);
	anim_print_text(print, "}]");
	anim_print_count_member(print, "occurrenceCount", finding->count);
	print_fingerprint(print, finding);
	anim_print_text(print, "}");
}

static void sarif_end(struct lint_report *report)
{
	anim_print_texts(&report->print, report->findings > 0 ? "\n]" : "]",
			 ",\"invocations\":[{\"executionSuccessful\":", report->unreadable > 0 ? "false" : "true",
			 "}]}]}\n");
}

const struct lint_form lint_sarif = {sarif_begin, sarif_finding, sarif_end};

/* ---- GitHub: ::warning file=F,line=1,col=2,title=T::message ---- */

/* Print a text with escapes. In a message these are for '%' and line ends, in a property also for ':' and ','. */
static void print_escaped(struct anim_print *print, const char *text, size_t length, const char *special)
{
	for (size_t i = 0; i < length; i++) {
		if (strchr(special, text[i]) == NULL)
			anim_print_bytes(print, text + i, 1);
		else
			print_percent(print, text[i]);
	}
}

static void github_finding(struct lint_report *report, const struct lint_finding *finding)
{
	static const char *const commands[] = {
	    [ANIM_LINT_NOTE] = "notice", [ANIM_LINT_WARNING] = "warning", [ANIM_LINT_ERROR] = "error"};
	struct anim_print *print = &report->print;
	const struct anim_lint_rule *rule = &anim_lint_rules[finding->kind];
	char *file = anim_safe_copy(&report->scratch, file_of(report, finding), print->error);

	print->failed |= file == NULL;
	if (file == NULL || sentence(report, finding) != 0)
		return;
	anim_print_texts(print, "::", commands[rule->level], " file=");
	print_escaped(print, file, strlen(file), "%\r\n:,");
	if (has_line(finding)) {
		anim_print_text(print, ",line=");
		anim_print_uint64(print, finding->place->line);
		anim_print_text(print, ",col=");
		anim_print_uint64(print, finding->place->column);
	}
	anim_print_texts(print, ",title=anim-lint%3A ", rule->id, "::");
	print_escaped(print, (const char *)report->text.data, report->text.size, "%\r\n");
	anim_print_text(print, "\n");
}

const struct lint_form lint_github = {.finding = github_finding};
