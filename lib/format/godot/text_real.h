/* text_real.h: numbers as Godot prints them. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_TEXT_REAL_H
#define ANIM_FORMAT_GODOT_TEXT_REAL_H

#include <stdbool.h>
#include <stddef.h>

#define GODOT_REAL_MAX 64 /* bytes of a number; any of them may be written to */
#define GODOT_DIGITS_MAX 17u

/*
 * The number without NUL: its size. digits 0: a text that reads back (narrow: as a float32), plain from 1e-4 to below 1e15,
 * digit for digit as Godot 4.5 and later print it, which is nearly always the shortest; else at most so many significant digits (up to GODOT_DIGITS_MAX) of it, rounded and
 * laid out as C's %g does, which is how Godot 2 to 4.4 print with 6. Zero has no sign. "inf", "-inf", "nan".
 */
size_t godot_real_print(char *text, double value, bool narrow, unsigned digits);

#endif
