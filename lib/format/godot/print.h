/* print.h: the text of Godot's files, in the spelling of each engine. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_PRINT_H
#define ANIM_FORMAT_GODOT_PRINT_H

#include "base/buffer.h"
#include "base/map.h"
#include "base/print.h"
#include "format/godot/godot.h"
#include "format/godot/value.h"

/* An ext_resource of the file: texts in the arena of the table, or those of a file that is written into. */
struct godot_print_external {
	const char *uid, *path;
	const char *id; /* in a file that is written into; NULL: it is new, and its id is `number` */
	size_t number;
};

/* All-zero is empty. */
struct godot_print_externals {
	struct anim_buffer items; /* struct godot_print_external */
	struct anim_map by_path, by_id;
	size_t last; /* number given out */
	struct anim_arena arena;
};

/*
 * Where text goes, and how it is spelled. While `gathering`, nothing is written: what the text refers to is put into
 * `externals` and `needs_format4` is set, both of which the head of the file tells. A failure is kept in out.failed.
 */
struct godot_print {
	struct anim_print out;
	enum anim_godot_version version;
	unsigned digits;
	bool gathering, needs_format4;
	bool godot2; /* version is Godot 3, which spells most as Godot 2 does */
	struct godot_print_externals externals;
	const struct anim_map
	    *subs; /* ids of sub_resources that literals may name: the file's, of clips that came from it */
	size_t lost_references; /* to resources inside the source's file */
	size_t lost_objects;    /* of Unity's, which its events pass on */
};

static inline bool godot_print_is_3(const struct godot_print *print)
{
	return print->version == ANIM_GODOT_3;
}

void godot_print_clear(struct godot_print *); /* frees its externals */

/* The name of a type as the engine has it; NULL: it has none. */
const char *godot_print_word(const struct godot_print *, const struct godot_type_info *);

void godot_print_bytes(struct godot_print *, const void *bytes, size_t count);
void godot_print_text(struct godot_print *, const char *text);
void godot_print_number(struct godot_print *, uint64_t number);
void godot_print_int(struct godot_print *, int64_t value);

/* A number inside a constructor: "1"; narrow: of a float32. */
void godot_print_real(struct godot_print *, double value, bool narrow);
/* A number by itself, which must not look like an int: "1.0". */
void godot_print_float(struct godot_print *, double value, bool narrow);

/* "0, 1, 2": at most GODOT_RUN_MAX float32, behind a comma where they are not the first. */
#define GODOT_RUN_MAX 16u
void godot_print_run(struct godot_print *, bool first, const float *values, size_t count);
/* WORD(0, 1, 2) of so many. */
void godot_print_reals(struct godot_print *, const char *word, const float *values, size_t count);

/* A string in quotes: multiline as Strings are written, which keep their line ends, else as names and paths are. */
void godot_print_quoted(struct godot_print *, const char *bytes, size_t length, bool multiline);

/*
 * Text with values in it, each of exactly the type named here: %s a text as it is; in quotes %q a name or path, %Q a String,
 * %n a StringName (&"walk", in Godot 3 "walk"), %k a key of _data or libraries (a StringName from 4.4 on, a String before),
 * all const char *; %u size_t; %d int64_t; %f double, a float32 by itself. %( %) %[ %] are brackets, with a blank inside
 * in Godot 3.
 */
void godot_print_format(struct godot_print *, const char *format, ...);

/* The id of a sub_resource, "Animation_1" with its quotes; Godot 3 has ints. And SubResource("Animation_1"). */
void godot_print_sub_id(struct godot_print *, const char *prefix, size_t number);
void godot_print_sub(struct godot_print *, const char *prefix, size_t number);

/* The same behind what is in the buffer: a literal of a string track. 0 or -1. */
int godot_value_print(const struct godot_value *, struct anim_buffer *, struct anim_error *);

#endif
