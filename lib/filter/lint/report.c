/* report.c: the findings of anim-lint, as lines or as one JSON document. */
#include <stddef.h>

#include "filter/filter.h"
#include "filter/lint/internal.h"

#define LINT_NAME(kind, name, text) [LINT_##kind] = (name),
const char *const anim_lint_kinds[LINT_KIND_COUNT + 1] = {LINT_KINDS(LINT_NAME)};

const char *const anim_lint_targets[ANIM_LINT_COUNT] = {[ANIM_LINT_RESONITE] = "resonite",
							[ANIM_LINT_UNITY] = "unity",
							[ANIM_LINT_GODOT] = "godot",
							[ANIM_LINT_GLTF] = "gltf"};

#define LINT_TEXT(kind, name, text) [LINT_##kind] = (text),
static const char *const texts[LINT_KIND_COUNT] = {LINT_KINDS(LINT_TEXT)};

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

static const char *const gltf_texts[LINT_KIND_COUNT] = {
    [LINT_MODE] = " keys, which glTF does not have",
    [LINT_EASE] = "the key is eased, which glTF cannot",
    [LINT_ENDS] = "it goes on outside its keys, where glTF holds the first and the last one",
    [LINT_TYPE] = ", for which glTF has no place",
    [LINT_VALUE_RANGE] = "the value is beyond a float, which is what glTF's are",
    [LINT_REST_RELATIVE] = "it is relative to the rest pose, glTF's channels are not",
    [LINT_DISABLED] = "it is disabled; players of glTF play all channels",
    [LINT_UNBOUND] = "glTF moves nodes and blend shapes; what else there is takes KHR_animation_pointer",
};

const char *lint_text(enum anim_lint_target target, enum lint_kind kind)
{
	static const char *const *const own[ANIM_LINT_COUNT] = {
	    [ANIM_LINT_UNITY] = unity_texts, [ANIM_LINT_GODOT] = godot_texts, [ANIM_LINT_GLTF] = gltf_texts};

	return own[target] != NULL && own[target][kind] != NULL ? own[target][kind] : texts[kind];
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
	anim_print_texts(&report->print, what, " '");
	print_safe(report, text);
	anim_print_text(&report->print, "': ");
}

static void print_track(struct lint_report *report, const struct anim_track *track)
{
	const char *label =
	    anim_label_copy(&report->scratch, track->node, track->property, track->component, report->print.error);

	report->print.failed |= label == NULL;
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

static void begin_document(struct lint_report *report)
{
	anim_print_text(&report->print, "{\"target\":");
	anim_print_json_text(&report->print, anim_lint_targets[report->target]);
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
	anim_print_texts(print, report->findings > 0 ? ",\n" : "\n", "{\"file\":");
	anim_print_json_text(print, place != NULL && place->file != NULL ? place->file : report->file);
	anim_print_natural_member(print, "line", line, line ? place->line : 0);
	anim_print_natural_member(print, "column", line, line ? place->column : 0);
	anim_print_natural_member(print, "byte", byte, byte ? place->offset : 0);
	anim_print_text_member(print, "clip", finding->clip);
	anim_print_text_member(print, "node", track != NULL ? track->node : finding->node);
	anim_print_text_member(print, "property", track != NULL ? track->property : NULL);
	anim_print_natural_member(print, "component", track != NULL && track->component != ANIM_WHOLE,
				  track != NULL ? track->component : 0);
	anim_print_natural_member(print, "key", finding->key != LINT_NO_KEY, finding->key);
	anim_print_text_member(print, "kind", anim_lint_kinds[finding->kind]);
	anim_print_count_member(print, "count", finding->count);
	anim_print_text_member(print, "message", finding->message);
	anim_print_text(print, "}");
}

int lint_report_finding(struct lint_report *report, const struct lint_finding *finding, struct anim_error *error)
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
		anim_print_text(print, ":");
		anim_print_uint64(print, report->found[i]);
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
	anim_print_texts(print, report->findings > 0 ? "\n]" : "]", ",\"counts\":{\"files\":");
	anim_print_uint64(print, report->files);
	anim_print_count_member(print, "unreadable", report->unreadable);
	anim_print_count_member(print, "clips", report->clips);
	anim_print_count_member(print, "tracks", report->tracks);
	anim_print_count_member(print, "keys", report->keys);
	anim_print_count_member(print, "findings", report->findings);
	print_kinds(report);
	anim_print_text(print, "}}\n");
	return print->failed ? -1 : 0;
}
