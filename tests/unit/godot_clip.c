/* godot_clip.c: describes what is read from the body of an Animation. */
#include "godot_clip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../godot_reading.h"
#include "base/number.h"
#include "format/godot/animation.h"
#include "tap.h"

/* One body while it is read. */
struct read_clip {
	struct reading reading;
	struct anim_store *store;
	struct anim_diagnostics diagnostics;
	struct godot_animation clip;
	int result;
};

static void print_number(struct anim_buffer *out, double number, bool wide)
{
	char text[ANIM_NUMBER_MAX];

	anim_buffer_append(out, text,
			   wide ? anim_number_print_double(text, number) : anim_number_print_float(text, (float)number),
			   NULL);
}

static void print_component(struct anim_buffer *out, enum anim_scalar scalar, const void *at)
{
	char text[ANIM_NUMBER_MAX];

	switch (scalar) {
	case ANIM_SCALAR_BOOL:
		print_text(out, *(const uint8_t *)at ? "true" : "false");
		break;
	case ANIM_SCALAR_I32:
		anim_buffer_append(out, text, anim_number_print_int64(text, *(const int32_t *)at), NULL);
		break;
	case ANIM_SCALAR_I64:
		anim_buffer_append(out, text, anim_number_print_int64(text, *(const int64_t *)at), NULL);
		break;
	case ANIM_SCALAR_F64:
		print_number(out, *(const double *)at, true);
		break;
	default:
		print_number(out, (double)*(const float *)at, false);
		break;
	}
}

static void print_value(struct anim_buffer *out, const struct anim_track *track, size_t key)
{
	const struct anim_type_info *type = &anim_types[track->type];
	const char *at = (const char *)track->value + key * type->size;

	if (track->type == ANIM_STRING) {
		anim_buffer_append(out, track->strings->bytes + track->strings->start[key], track->strings->length[key],
				   NULL);
		return;
	}
	for (unsigned component = 0; component < type->stored_components; component++) {
		print_text(out, component > 0 ? "," : "");
		print_component(out, type->scalar, at + component * type->component_size);
	}
}

static void print_key(struct anim_buffer *out, const struct anim_track *track, size_t key)
{
	const float *handles[] = {track->left_x, track->left, track->right_x, track->right};
	char hint[16];

	print_text(out, " ");
	print_number(out, (double)track->time[key], false);
	if (track->ease != NULL) {
		print_text(out, "*");
		print_number(out, (double)track->ease[key], false);
	}
	print_text(out, "=");
	print_value(out, track, key);
	for (unsigned i = 0; i < 4 && track->left != NULL; i++) {
		print_text(out, i == 0 ? "~" : ",");
		print_number(out, (double)handles[i][key], false);
	}
	if (track->hint != NULL) {
		snprintf(hint, sizeof hint, "#%u", track->hint[key]);
		print_text(out, hint);
	}
}

static void print_flags(struct anim_buffer *out, unsigned flags)
{
	static const char *const names[] = {" wrap", " rest", " degrees", " percent", " unsorted", " disabled"};

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (flags & 1u << i)
			print_text(out, names[i]);
}

static void print_attrs(struct anim_buffer *out, const struct anim_attrs *attrs)
{
	print_text(out, " {");
	for (size_t i = 0; i < attrs->count; i++) {
		print_text(out, i > 0 ? " " : "");
		print_text(out, attrs->items[i].key);
		print_text(out, "=");
		print_text(out, attrs->items[i].value);
	}
	print_text(out, "}");
}

static void print_track(struct anim_buffer *out, const struct anim_track *track)
{
	char text[200], component[8] = "";

	if (track->component != ANIM_WHOLE)
		snprintf(component, sizeof component, ".%u", track->component);
	snprintf(text, sizeof text, "%s %s%s %s %s%s%s %s", track->node, track->property, component,
		 anim_types[track->type].name, anim_kind_names[track->kind], track->kind == ANIM_CURVE ? "/" : "",
		 track->kind == ANIM_CURVE ? anim_interp_names[track->interp] : "", anim_rules_names[track->rules]);
	print_text(out, text);
	print_flags(out, track->flags);
	print_attrs(out, &track->attrs);
	print_text(out, ":");
	for (size_t key = 0; key < track->n; key++)
		print_key(out, track, key);
	print_text(out, "\n");
}

static void read_body(struct read_clip *clip, enum windows windows, const char *body, int format)
{
	static char bytes[1 << 16];
	struct godot_tag tag;
	size_t length = (size_t)snprintf(bytes, sizeof bytes, "[resource]\n%s\n", body);

	memset(clip, 0, sizeof *clip);
	clip->store = anim_store_new(1 << 16, NULL);
	clip->result = -1;
	if (CHECK(length < sizeof bytes) && CHECK(clip->store != NULL) &&
	    CHECK(reading_open(&clip->reading, windows, bytes, length)) &&
	    CHECK(godot_text_tag(clip->reading.text, &tag) == 1))
		clip->result =
		    godot_animation_read(clip->reading.text, NULL, format == 1 || format == 2, clip->store,
					 &clip->diagnostics, &clip->reading.arena, &clip->clip, &clip->reading.error);
}

static void clear_clip(struct read_clip *clip)
{
	anim_diagnostics_clear(&clip->diagnostics);
	anim_store_free(clip->store);
	reading_close(&clip->reading);
}

/* The first message: of the diagnostics, or the error that ended reading. */
static void first_message(const struct read_clip *clip, char *text, size_t capacity)
{
	const struct anim_diagnostic *first = clip->diagnostics.items;
	char line[560];

	text[0] = '\0';
	if (clip->diagnostics.count > 0) {
		anim_diagnostic_print(first, line, sizeof line);
		snprintf(text, capacity, "%u:%u: %s", first->place.line, first->place.column, line);
	} else if (clip->result < 0)
		snprintf(text, capacity, "%u:%u: %s", clip->reading.error.line, clip->reading.error.column,
			 clip->reading.error.message);
}

static void check_case(const struct godot_clip_case *wanted, enum windows windows)
{
	struct read_clip clip;
	struct anim_buffer out = {0};
	struct anim_track track;
	char message[600];

	read_body(&clip, windows, wanted->body, wanted->format == 0 ? 3 : wanted->format);
	CHECKF(clip.result == wanted->result, "%s: %d %s", wanted->body, clip.result, clip.reading.error.message);
	for (size_t i = 0; clip.result >= 0 && i < anim_store_tracks(clip.store, 0); i++)
		if (CHECK(anim_store_read(clip.store, 0, i, &track, &clip.reading.error) == 0))
			print_track(&out, &track);
	CHECKF(clip.result < 0 || clip.clip.tracks == anim_store_tracks(clip.store, 0), "%s: counted %zu", wanted->body,
	       clip.clip.tracks);
	CHECKF(buffer_is(&out, wanted->tracks != NULL ? wanted->tracks : ""), "%s\n%.*s", wanted->body, (int)out.size,
	       (const char *)out.data);
	first_message(&clip, message, sizeof message);
	CHECKF(strcmp(message, wanted->warning != NULL ? wanted->warning : "") == 0, "%s\n%s", wanted->body, message);
	anim_buffer_clear(&out);
	clear_clip(&clip);
}

void check_godot_clips(const struct godot_clip_case *table, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (int windows = 0; windows < WINDOWS; windows++)
			check_case(&table[i], windows);
}

const char *godot_clip_head(const char *body, int format)
{
	static char text[512];
	struct read_clip clip;
	struct anim_buffer out = {0};
	char length[ANIM_NUMBER_MAX + 1];

	read_body(&clip, WHOLE, body, format);
	length[anim_number_print_float(length, clip.clip.length_s)] = '\0';
	print_attrs(&out, &clip.clip.attrs);
	snprintf(text, sizeof text, "%s %d '%s'%.*s %d", length, clip.clip.loop_mode, clip.clip.resource_name,
		 (int)out.size, (const char *)out.data,
		 clip.clip.is_godot2   ? 2
		 : clip.clip.is_godot3 ? 3
				       : 4);
	anim_buffer_clear(&out);
	clear_clip(&clip);
	return text;
}
