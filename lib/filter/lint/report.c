/* report.c: the findings of anim-lint, as lines or as one JSON document. */
#include <stddef.h>

#include "base/text.h"
#include "filter/filter.h"
#include "filter/lint/internal.h"

/* Text made safe to show. */
static void print_safe(struct lint_report *report, struct anim_print *print, const char *text)
{
	char *safe = anim_safe_copy(&report->scratch, text, print->error);

	print->failed |= safe == NULL;
	anim_print_text(print, safe == NULL ? "" : safe);
}

/* "clip 'walk': ", nothing where there is no text. */
static void print_part(struct lint_report *report, struct anim_print *print, const char *what, const char *text)
{
	if (text == NULL)
		return;
	anim_print_texts(print, what, " '");
	print_safe(report, print, text);
	anim_print_text(print, "': ");
}

static void print_track(struct lint_report *report, struct anim_print *print, const struct anim_track *track)
{
	const char *label =
	    anim_label_copy(&report->scratch, track->node, track->property, track->component, print->error);

	print->failed |= label == NULL;
	print_part(report, print, "track", label);
}

const char *lint_file_of(const struct lint_report *report, const struct lint_finding *finding)
{
	return finding->place != NULL && finding->place->file != NULL ? finding->place->file : report->file;
}

bool lint_has_line(const struct lint_finding *finding)
{
	return finding->place != NULL && finding->place->at == ANIM_AT_LINE;
}

bool lint_has_byte(const struct lint_finding *finding)
{
	return finding->place != NULL && (finding->place->at == ANIM_AT_BYTE || finding->place->at == ANIM_AT_UNPACKED);
}

/* "walk.tscn:12:5: ", "x.axs: byte 40: ", "x.axs: " */
static void print_place(struct lint_report *report, const struct lint_finding *finding)
{
	struct anim_print *print = &report->print;
	bool line = lint_has_line(finding), byte = lint_has_byte(finding);

	print_safe(report, print, lint_file_of(report, finding));
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
}

static void print_sentence(struct lint_report *report, struct anim_print *print, const struct lint_finding *finding)
{
	print_part(report, print, "clip", finding->clip);
	print_part(report, print, "node", finding->node);
	if (finding->track != NULL)
		print_track(report, print, finding->track);
	if (finding->key != LINT_NO_KEY) {
		anim_print_text(print, "key ");
		anim_print_uint64(print, finding->key);
		anim_print_text(print, ": ");
	}
	print_safe(report, print, finding->message);
	/* A reader's messages say themselves how often. */
	if (finding->count > 1 && finding->kind != LINT_READING && finding->kind != LINT_FAULT) {
		anim_print_text(print, "; and ");
		anim_print_uint64(print, finding->count - 1);
		anim_print_text(print, " more");
	}
}

int lint_sentence(struct lint_report *report, const struct lint_finding *finding)
{
	struct anim_print print = {.buffer = &report->text, .error = report->print.error};

	report->text.size = 0;
	print_sentence(report, &print, finding);
	report->print.failed |= print.failed;
	return print.failed ? -1 : 0;
}

static void print_line(struct lint_report *report, const struct lint_finding *finding)
{
	print_place(report, finding);
	print_sentence(report, &report->print, finding);
	anim_print_text(&report->print, "\n");
}

static const struct lint_form lines = {.finding = print_line};

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
	bool line = lint_has_line(finding), byte = lint_has_byte(finding);

	anim_print_texts(print, report->findings > 0 ? ",\n" : "\n", "{\"file\":");
	anim_print_json_text(print, lint_file_of(report, finding));
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

static void print_kinds(struct lint_report *report)
{
	struct anim_print *print = &report->print;
	bool some = false;

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
	anim_print_text(print, "}");
}

static void end_document(struct lint_report *report)
{
	struct anim_print *print = &report->print;

	anim_print_texts(print, report->findings > 0 ? "\n]" : "]", ",\"counts\":{\"files\":");
	anim_print_uint64(print, report->files);
	anim_print_count_member(print, "unreadable", report->unreadable);
	anim_print_count_member(print, "clips", report->clips);
	anim_print_count_member(print, "tracks", report->tracks);
	anim_print_count_member(print, "keys", report->keys);
	anim_print_count_member(print, "findings", report->findings);
	print_kinds(report);
	anim_print_text(print, "}}\n");
}

static const struct lint_form document = {begin_document, print_object, end_document};

/* ---- whatever the form ---- */

void lint_report_init(struct lint_report *report, struct anim_output *out, const struct anim_lint_options *options)
{
	static const struct lint_form *const forms[] = {[ANIM_LINT_TEXT] = &lines,
							[ANIM_LINT_JSON] = &document,
							[ANIM_LINT_SARIF] = &lint_sarif,
							[ANIM_LINT_GITHUB] = &lint_github};

	report->print.out = out;
	report->target = options->target;
	report->form = forms[options->form];
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
		    (glob == NULL || fits(glob, lint_file_of(report, finding)) || fits(glob, finding->clip) ||
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

int lint_report_finding(struct lint_report *report, const struct lint_finding *finding, struct anim_error *error)
{
	report->print.error = error;
	if (is_ignored(report, finding))
		return 0;
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
