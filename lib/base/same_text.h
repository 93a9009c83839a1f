/* same_text.h: short texts compared eight bytes at a time; inline, for readers that know what should come. */
#ifndef ANIM_BASE_SAME_TEXT_H
#define ANIM_BASE_SAME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/number_internal.h"

/* Whether `length` bytes are the same; eight bytes behind them are readable in both. */
static inline bool anim_same_text(const uint8_t *at, const uint8_t *text, size_t length)
{
	uint64_t different = 0;

	for (; length > 8; length -= 8, at += 8, text += 8)
		different |= anim_load8((const char *)at) ^ anim_load8((const char *)text);
	if (length == 0)
		return different == 0;
	return ((anim_load8((const char *)at) ^ anim_load8((const char *)text)) << (64 - 8 * length) | different) == 0;
}

#endif
