/* json.h: strings of JSON, both ways. */
#ifndef ANIM_BASE_JSON_H
#define ANIM_BASE_JSON_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/*
 * Appends what a string's text (without its quotes) means. 0, or -1 with *bad on the byte that is wrong and *why (static).
 * Out of memory: *bad NULL.
 */
int anim_json_decode(const uint8_t *text, size_t size, struct anim_buffer *, const uint8_t **bad, const char **why);

/* Appends a string with its quotes, as anim_print_json prints it. 0 or -1. */
int anim_json_append(struct anim_buffer *, const char *text, size_t length, struct anim_error *);

#endif
