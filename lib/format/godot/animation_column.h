/* animation_column.h: the keys of a value track as one typed column, whatever Variants they are. */
#ifndef ANIM_FORMAT_GODOT_ANIMATION_COLUMN_H
#define ANIM_FORMAT_GODOT_ANIMATION_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "clip/texts.h"
#include "format/godot/text.h"

/*
 * All-zero is an empty column. Values are added one by one; the column takes the type of the first and changes where a
 * later one does not fit: ints and floats become floats, anything else becomes literals (Godot's source text).
 */
struct godot_column {
	size_t n;
	enum godot_type kind;       /* of the first value */
	enum godot_type last;       /* of the value added last */
	bool literal;               /* texts hold source text */
	const char *literal_name;   /* Variant type of the literals, "mixed" where they differ */
	bool blends;                /* two neighbours that Godot would interpolate between */
	bool wide, inexact;         /* ints beyond 32 bits; floats that are no shortest float32 */
	struct anim_buffer values;  /* while adding: bool 1 byte, int and float 8 bytes, else lanes of 4 bytes */
	struct anim_buffer integer; /* of a column with both ints and floats: one byte each, 1 for an int */
	struct anim_texts texts;
};

/* 0 or -1. The value's texts are copied. */
int godot_column_add(struct godot_column *, const struct godot_value *, struct anim_error *);

/* Narrows numbers to what the stream holds; `values` are then of the type returned. Once, before reading the column. */
enum anim_type godot_column_finish(struct godot_column *);

/* Attribute godot.variant of the column, NULL where its type says it. */
const char *godot_column_variant(const struct godot_column *);

void godot_column_reset(struct godot_column *);
void godot_column_clear(struct godot_column *);

#endif
