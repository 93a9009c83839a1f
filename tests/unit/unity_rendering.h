/* unity_rendering.h: all that format/unity/document.h hands out of a file, as text to be compared. */
#ifndef ANIM_TESTS_UNITY_RENDERING_H
#define ANIM_TESTS_UNITY_RENDERING_H

#include <stdbool.h>
#include <stddef.h>

/* How a file is read: as it is meant to be, with keys by libfyaml, or one byte a read. */
enum unity_way { UNITY_FAST, UNITY_SLOW, UNITY_BYTES, UNITY_WAYS };

/*
 * The documents, fields and nodes with their places, keys with the bits of their columns, faults with their messages. Clips
 * are read by field, without the fields of `unwanted` (space between them; NULL: all), other documents whole. To be freed;
 * NULL where the test itself could not be done.
 */
char *unity_render(enum unity_way, const void *bytes, size_t size, const char *unwanted);

/* A whole file, to be freed; NULL where there is none. */
char *unity_load(const char *path, size_t *size);

#endif
