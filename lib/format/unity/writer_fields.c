/* writer_fields.c: the document: the clip's own fields, what attributes keep of others, and the lists between them. */
#include <stdlib.h>
#include <string.h>

#include "format/unity/clip.h"
#include "format/unity/fields.h"
#include "format/unity/writer_internal.h"

#define SETTING(name) UNITY_SETTINGS "." name
#define RATE_DEFAULT 60.0f
#define WRAP_LOOP "2"
#define WRAP_PING_PONG "4"

/* `path`: the field printed last, whose maps are open. */
struct document {
	struct unity_writer *writer;
	const struct anim_clip *clip;
	struct anim_print print;
	const char *path;
	bool legacy;
};

static const char *kept(const struct document *document, const char *path)
{
	static const size_t prefix = sizeof UNITY_ATTR_PREFIX - 1;
	const struct anim_attrs *attrs = &document->clip->attrs;

	for (size_t i = 0; i < attrs->count; i++)
		if (strncmp(attrs->items[i].key, UNITY_ATTR_PREFIX, prefix) == 0 &&
		    strcmp(attrs->items[i].key + prefix, path) == 0)
			return attrs->items[i].value;
	return NULL;
}

/* How many bytes of a path two have in common, whole names with the dots behind them. */
static size_t common_maps(const char *a, const char *b)
{
	size_t common = 0;

	for (size_t i = 0; a[i] != '\0' && a[i] == b[i]; i++)
		if (a[i] == '.')
			common = i + 1;
	return common;
}

static void indent(struct anim_print *print, const char *path, size_t at)
{
	size_t depth = 1;

	for (size_t i = 0; i < at; i++)
		depth += path[i] == '.';
	anim_print_spaces(print, 2 * depth);
}

/* "  m_Level: ", with the maps that it lies in before it where the field before it was not in them. */
static void print_name(struct document *document, const char *path)
{
	struct anim_print *print = &document->print;
	size_t at = common_maps(document->path, path);
	const char *dot;

	for (; (dot = strchr(path + at, '.')) != NULL; at = (size_t)(dot - path) + 1) {
		indent(print, path, at);
		anim_print_bytes(print, path + at, (size_t)(dot - (path + at)));
		anim_print_text(print, ":\n");
	}
	indent(print, path, at);
	anim_print_text(print, path + at);
	anim_print_text(print, ": ");
	document->path = path;
}

static bool has_list(const struct unity_writer *writer, enum unity_list list)
{
	const struct unity_plan *plans = (const void *)writer->plans.data;

	for (size_t i = 0; i < writer->plans.size / sizeof *plans; i++)
		if (plans[i].list == list)
			return true;
	return false;
}

/* The mode that was kept, unless the clip loops otherwise by now. */
static const char *wrap_mode(const struct document *document)
{
	const char *text = kept(document, "m_WrapMode");
	enum anim_loop loop = (enum anim_loop)document->clip->loop;

	if (text != NULL && (!document->legacy || unity_loop_of_wrap(strtol(text, NULL, 10)) == loop))
		return text;
	if (loop == ANIM_LOOP_PINGPONG)
		return WRAP_PING_PONG;
	return document->legacy && loop == ANIM_LOOP_WRAP ? WRAP_LOOP : "0";
}

static const char *value_of(const struct document *document, const struct unity_clip_field *field)
{
	const struct unity_writer *writer = document->writer;
	const char *text = kept(document, field->path);

	if (strcmp(field->path, "m_WrapMode") == 0)
		return wrap_mode(document);
	/* The rotations are written as they are: a player told otherwise would look for packed ones. */
	if (strcmp(field->path, "m_Compressed") == 0 && has_list(writer, UNITY_ROTATION_CURVES))
		return field->value;
	if (strcmp(field->path, "m_HasGenericRootTransform") == 0 && !writer->is_unity)
		return writer->root_moves ? "1" : "0";
	return text != NULL ? text : field->value;
}

static float rate_of(const struct anim_clip *clip)
{
	return clip->rate_den == 0 ? RATE_DEFAULT : (float)((double)clip->rate_num / (double)clip->rate_den);
}

/* A field that the clip's members say; texts that were kept count where they say what no member can. */
static void print_own(struct document *document, const char *path)
{
	const struct anim_clip *clip = document->clip;
	struct anim_print *print = &document->print;
	const char *text = kept(document, path);
	bool derived = document->legacy || (clip->flags & ANIM_END_DERIVED) != 0;
	bool rate = strcmp(path, "m_SampleRate") == 0;

	print_name(document, path);
	if (text != NULL && (rate ? clip->rate_den == 0 : derived))
		unity_put_kept(print, text);
	else if (rate)
		unity_put_float(print, rate_of(clip));
	else if (strcmp(path, "m_Name") == 0)
		unity_put_scalar(print, clip->name);
	else if (strcmp(path, SETTING("m_StartTime")) == 0)
		unity_put_float(print, clip->start_s);
	else if (strcmp(path, SETTING("m_StopTime")) == 0)
		unity_put_float(print, clip->end_s);
	else
		anim_print_text(print, clip->loop != ANIM_LOOP_NONE ? "1" : "0");
	anim_print_text(print, "\n");
}

static void print_field(struct document *document, const struct unity_clip_field *field)
{
	const char *text;

	if (field->own) {
		print_own(document, field->path);
		return;
	}
	text = value_of(document, field);
	if (text == NULL)
		return;
	print_name(document, field->path);
	unity_put_kept(&document->print, text);
	anim_print_text(&document->print, "\n");
}

/* Names as Unity's fields have, joined by dots. */
static bool is_path(const char *path)
{
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
	size_t length;

	while ((length = strspn(path, good)) > 0) {
		if (path[length] == '\0')
			return true;
		if (path[length] != '.')
			return false;
		path += length + 1;
	}
	return false;
}

/* Fields of other versions that were kept: those of the settings, or those beside them. */
static void print_others(struct document *document, bool settings)
{
	static const size_t prefix = sizeof UNITY_ATTR_PREFIX - 1;
	const struct anim_attrs *attrs = &document->clip->attrs;

	for (size_t i = 0; i < attrs->count; i++) {
		const char *path = attrs->items[i].key + prefix;

		if (strncmp(attrs->items[i].key, UNITY_ATTR_PREFIX, prefix) != 0 || unity_clip_field(path) != NULL ||
		    !is_path(path) || (strncmp(path, SETTING(""), sizeof SETTING("") - 1) == 0) != settings ||
		    unity_clip_field_is_foreign(path))
			continue;
		print_name(document, path);
		unity_put_kept(&document->print, attrs->items[i].value);
		anim_print_text(&document->print, "\n");
	}
}

/* What stands behind a row of the table. 0 or -1. */
static int print_behind(struct document *document, const char *path)
{
	struct anim_print *print = &document->print;

	if (strcmp(path, "m_ObjectHideFlags") == 0)
		anim_print_text(print, "  m_CorrespondingSourceObject: {fileID: 0}\n  "
				       "m_PrefabInstance: {fileID: 0}\n"
				       "  m_PrefabAsset: {fileID: 0}\n");
	else if (strcmp(path, "m_Name") == 0)
		anim_print_text(print,
				document->writer->all_flags ? "  serializedVersion: 7\n" : "  serializedVersion: 6\n");
	else if (strcmp(path, "m_UseHighQualityCurve") == 0)
		return unity_lists_print(document->writer, print);
	else if (strcmp(path, "m_Bounds.m_Extent") == 0)
		unity_bindings_print(document->writer, print);
	else if (strcmp(path, SETTING("m_Mirror")) == 0) {
		print_others(document, true);
		anim_print_text(print, "  m_EditorCurves: []\n  m_EulerEditorCurves: []\n");
	}
	return print->failed ? -1 : 0;
}

int unity_document_print(struct unity_writer *writer, struct anim_error *error)
{
	struct document document = {.writer = writer,
				    .clip = unity_writer_clip(writer),
				    .print = {.out = writer->out, .error = error},
				    .path = ""};
	const char *legacy = kept(&document, "m_Legacy"), *version = kept(&document, UNITY_VERSION);

	document.legacy = legacy != NULL && strcmp(legacy, "0") != 0;
	writer->all_flags = version != NULL && strtol(version, NULL, 10) >= UNITY_VERSION_FLAGS;
	anim_print_text(&document.print, "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 "
					 "&7400000\nAnimationClip:\n");
	for (size_t i = 0; i < unity_clip_field_count; i++) {
		print_field(&document, &unity_clip_fields[i]);
		if (print_behind(&document, unity_clip_fields[i].path) != 0)
			return -1;
	}
	print_others(&document, false);
	return unity_events_print(writer, &document.print);
}
