/* report_ci.c: findings as services read them that look at changes: SARIF 2.1.0, and the commands of a workflow on GitHub. */
#include <stddef.h>
#include <string.h>

#include "filter/filter.h"
#include "filter/lint/internal.h"

/* ---- SARIF 2.1.0 (OASIS): one run; the rules first, then results as they are found ---- */

static const char *const sarif_levels[] = {
    [ANIM_LINT_NOTE] = "note", [ANIM_LINT_WARNING] = "warning", [ANIM_LINT_ERROR] = "error"};

/* ,"name":{"text":"..."} */
static void print_message(struct anim_print *print, const char *name, const char *text, size_t length)
{
	anim_print_member(print, name);
	anim_print_text(print, "{\"text\":");
	anim_print_json(print, text, length);
	anim_print_text(print, "}");
}

static void print_rule(struct anim_print *print, const struct anim_lint_rule *rule)
{
	anim_print_text(print, "{\"id\":");
	anim_print_json_text(print, rule->id);
	print_message(print, "shortDescription", rule->brief, strlen(rule->brief));
	print_message(print, "fullDescription", rule->brief, strlen(rule->brief));
	print_message(print, "help", rule->help, strlen(rule->help));
	anim_print_texts(print, ",\"defaultConfiguration\":{\"level\":\"", sarif_levels[rule->level], "\"}}");
}

static void sarif_begin(struct lint_report *report)
{
	struct anim_print *print = &report->print;

	anim_print_text(print, "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
			       "sarif-schema-2.1.0.json\","
			       "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"anim-lint\"");
	anim_print_text_member(print, "version", report->version == NULL ? "" : report->version);
	anim_print_text(print, ",\"rules\":[");
	for (const struct anim_lint_rule *rule = anim_lint_rules; rule->id != NULL; rule++) {
		anim_print_text(print, rule == anim_lint_rules ? "\n" : ",\n");
		print_rule(print, rule);
	}
	anim_print_text(print, "\n]}},\"results\":[");
}

/* As "%3A": upper case, which is all that GitHub knows. */
static void print_percent(struct anim_print *print, char byte)
{
	static const char digits[] = "0123456789ABCDEF";
	const char text[3] = {'%', digits[(unsigned char)byte >> 4], digits[(unsigned char)byte & 15]};

	anim_print_bytes(print, text, sizeof text);
}

/* A file's name as a reference of RFC 3986: relative to where the program runs, or file: for an absolute path. */
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

static void print_region(struct anim_print *print, const struct anim_place *place)
{
	if (place->at == ANIM_AT_FILE || place->at == ANIM_AT_UNPACKED) /* regions are of the file itself */
		return;
	if (place->at == ANIM_AT_LINE) {
		anim_print_text(print, ",\"region\":{\"startLine\":");
		anim_print_uint64(print, place->line);
		anim_print_count_member(print, "startColumn", place->column);
	} else {
		anim_print_text(print, ",\"region\":{\"byteOffset\":");
		anim_print_uint64(print, place->offset);
	}
	anim_print_text(print, "}");
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

/* The clip, its node, and the property of a track with its component. */
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

/* FNV-1a, the NUL too. */
static uint64_t add_to_hash(uint64_t hash, const char *text)
{
	for (size_t i = 0; text != NULL && i <= strlen(text); i++)
		hash = (hash ^ (unsigned char)text[i]) * FNV_PRIME;
	return hash;
}

/*
 * GitHub takes two results of a file for one where nothing tells them apart; it reckons with the line's text where there is
 * one, and with the file's first line else, which all share.
 */
static void print_fingerprint(struct anim_print *print, const struct lint_finding *finding)
{
	const struct anim_track *track = finding->track;
	uint64_t hash = add_to_hash(0xcbf29ce484222325, anim_lint_rules[finding->kind].id);

	if (lint_has_line(finding))
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

	if (lint_sentence(report, finding) != 0)
		return;
	anim_print_texts(print, report->findings > 0 ? ",\n" : "\n", "{\"ruleId\":");
	anim_print_json_text(print, rule->id);
	anim_print_count_member(print, "ruleIndex", finding->kind);
	anim_print_text_member(print, "level", sarif_levels[rule->level]);
	print_message(print, "message", (const char *)report->text.data, report->text.size);
	anim_print_text(print, ",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
	print_uri(print, lint_file_of(report, finding));
	anim_print_text(print, "}");
	if (finding->place != NULL)
		print_region(print, finding->place);
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

/* In a message '%' and line ends are escaped, in a property ':' and ',' too. */
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
	char *file = anim_safe_copy(&report->scratch, lint_file_of(report, finding), print->error);

	print->failed |= file == NULL;
	if (file == NULL || lint_sentence(report, finding) != 0)
		return;
	anim_print_texts(print, "::", commands[rule->level], " file=");
	print_escaped(print, file, strlen(file), "%\r\n:,");
	if (lint_has_line(finding)) {
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
