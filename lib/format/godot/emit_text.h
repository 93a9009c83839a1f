/* emit_text.h: the text of Godot's files, in the spelling of each engine. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_EMIT_TEXT_H
#define ANIM_FORMAT_GODOT_EMIT_TEXT_H

#include "base/buffer.h"
#include "base/map.h"
#include "base/print.h"
#include "format/godot/emit.h"

/* An ext_resource of the file: texts in the arena of the table. */
struct godot_emit_external {
	const char *uid, *path;
};

/* All-zero is empty. */
struct godot_emit_externals {
	struct anim_buffer items; /* struct godot_emit_external */
	struct anim_map by_path;
	struct anim_arena arena;
};

/*
 * Where text goes, and how it is spelled. While `gathering`, nothing is written: what the text refers to is put into
 * `externals` and `needs_format4` is set, both of which the head of the file tells. A failure is kept in print.failed.
 */
struct godot_emit {
	struct anim_print print;
	enum anim_godot_version version;
	unsigned digits;
	bool gathering, needs_format4;
	struct godot_emit_externals externals;
	size_t lost_references; /* to resources inside the source's file */
};

static inline bool godot_emit_is_3(const struct godot_emit *emit)
{
	return emit->version == ANIM_GODOT_3;
}

void godot_emit_clear(struct godot_emit *);

void godot_emit_bytes(struct godot_emit *, const void *bytes, size_t count);
void godot_emit_text(struct godot_emit *, const char *text);
void godot_emit_number(struct godot_emit *, uint64_t number);
void godot_emit_int(struct godot_emit *, int64_t value);

/* A number inside a constructor: "1"; narrow: of a float32. */
void godot_emit_real(struct godot_emit *, double value, bool narrow);
/* A number by itself, which must not look like an int: "1.0". */
void godot_emit_float(struct godot_emit *, double value, bool narrow);

/* WORD( and ), with blanks inside in Godot 3. */
void godot_emit_open(struct godot_emit *, const char *word);
void godot_emit_close(struct godot_emit *);
/* "0, 1, 2": at most GODOT_RUN_MAX float32, behind a comma where they are not the first. */
#define GODOT_RUN_MAX 16u
void godot_emit_run(struct godot_emit *, bool first, const float *values, size_t count);
/* WORD(0, 1, 2) of so many. */
void godot_emit_reals(struct godot_emit *, const char *word, const float *values, size_t count);

/* A string in quotes: multiline as Strings are written, else as names and paths are. */
void godot_emit_quoted(struct godot_emit *, const char *bytes, size_t length, bool multiline);
/* &"walk", in Godot 3 "walk". */
void godot_emit_string_name(struct godot_emit *, const char *bytes, size_t length);
/* A key of _data or libraries: a StringName from 4.4 on, a String before. */
void godot_emit_key(struct godot_emit *, const char *name);
/* NodePath("A/B"). */
void godot_emit_path(struct godot_emit *, const char *path);
/* `name = `, in quotes where the grammar wants them. */
void godot_emit_property(struct godot_emit *, const char *name);

/* SubResource("id") and ExtResource("id") by number; Godot 3 has ints. prefix: "Animation", or "" for ext_resources. */
void godot_emit_sub(struct godot_emit *, const char *prefix, size_t number);
void godot_emit_external_id(struct godot_emit *, size_t number);
/* The id alone, with quotes where it is a string. */
void godot_emit_sub_id(struct godot_emit *, const char *prefix, size_t number);

/*
 * emit_literal.c: Godot source text of one value, as the reader printed it. Resource("uid", "path") becomes an
 * ExtResource; a SubResource, which is not there any more, null and counted. Numbers, names and packed arrays get the
 * spelling of the engine.
 */
void godot_emit_literal(struct godot_emit *, const char *source, size_t length);

/* The [ext_resource] tags of all externals. */
void godot_emit_external_tags(struct godot_emit *);

#endif
