/* print.h: prints the text of Godot files, in the spelling of each engine version. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_PRINT_H
#define ANIM_FORMAT_GODOT_PRINT_H

#include "base/buffer.h"
#include "base/map.h"
#include "base/print.h"
#include "format/godot/godot.h"
#include "format/godot/value.h"

/* An ext_resource of the file. Texts are in the arena of the table, or belong to the file that is edited. */
struct godot_print_external {
	const char *uid, *path;
	const char *id; /* its id in the file that is edited; NULL if it is new, then its id is `number` */
	size_t number;
};

/* The ext_resources of a file. All-zero is empty. */
struct godot_print_externals {
	struct anim_buffer items; /* array of struct godot_print_external */
	struct anim_map by_path, by_id;
	size_t last; /* the last number used */
	struct anim_arena arena;
};

/*
 * The destination of the text and its spelling. While `gathering`, nothing is written. Instead, references are
 * collected in `externals`, and `needs_format4` is set if necessary. The header of the file contains both. out.failed
 * records a failure.
 */
struct godot_print {
	struct anim_print out;
	enum anim_godot_version version;
	unsigned digits;
	bool gathering, needs_format4;
	bool godot2; /* `version` is ANIM_GODOT_3, because Godot 2 spells most things the same */
	struct godot_print_externals externals;
	const struct anim_map
	    /* ids of sub_resources that literals may use: ids of the edited file, for clips that were read from it */
	    *subs;
	size_t lost_references; /* number of references to resources inside the file of the source */
	size_t lost_objects;    /* number of Unity objects that events pass as arguments */
};

static inline bool godot_print_is_3(const struct godot_print *print)
{
	return print->version == ANIM_GODOT_3;
}

void godot_print_clear(struct godot_print *); /* free its externals */

/* Return the name of a type in the engine, or NULL if the engine does not have it. */
const char *godot_print_word(const struct godot_print *, const struct godot_type_info *);

void godot_print_bytes(struct godot_print *, const void *bytes, size_t count);
void godot_print_text(struct godot_print *, const char *text);
void godot_print_number(struct godot_print *, uint64_t number);
void godot_print_int(struct godot_print *, int64_t value);

/* Print a number inside a constructor: "1". narrow: it is a float32. */
void godot_print_real(struct godot_print *, double value, bool narrow);
/* Print a number by itself, which must not look like an int: "1.0". */
void godot_print_float(struct godot_print *, double value, bool narrow);

/*
 * Print "0, 1, 2" for float32 numbers in rows of `components`, with a comma before them unless they are the first. Many
 * numbers at once are faster.
 */
void godot_print_run(struct godot_print *, bool first, const float *values, size_t count, size_t components);
/* Print WORD(0, 1, 2) with `count` numbers. */
void godot_print_reals(struct godot_print *, const char *word, const float *values, size_t count);

/*
 * Print a string in quotes. multiline: print it as Godot writes Strings, with line breaks unchanged. Otherwise print it
 * as Godot writes names and paths.
 */
void godot_print_quoted(struct godot_print *, const char *bytes, size_t length, bool multiline);

/*
 * Print a text with values, each of exactly the type given here. Strings are const char *: %s is printed unchanged, the
 * others in quotes: %q a name or path, %Q a String, %n a StringName (&"walk", in Godot 3 "walk"), %k a key of _data or
 * libraries (a StringName since 4.4, before that a String). Numbers: %u size_t, %d int64_t, %f double, printed as a
 * float32 by itself. %( %) %[ %] are brackets, with a blank inside in Godot 3.
 */
void godot_print_format(struct godot_print *, const char *format, ...);

/*
 * Print the id of a sub_resource: "Animation_1" with its quotes, or an int in Godot 3. Print a reference to it:
 * SubResource("Animation_1").
 */
void godot_print_sub_id(struct godot_print *, const char *prefix, size_t number);
void godot_print_sub(struct godot_print *, const char *prefix, size_t number);

/* Print the tag of sub_resource `number` with its line break. */
void godot_print_sub_tag(struct godot_print *, const char *type, size_t number);

/* Print one line with an [ext_resource] tag for each ext_resource that is new to the file. */
void godot_print_new_externals(struct godot_print *);

/* Append the source text of the value, which is used as a literal in a string track. Returns 0 or -1. */
int godot_value_print(const struct godot_value *, struct anim_buffer *, struct anim_error *);

#endif
