/* keys_fast.h: keys read by comparing their text with that of a key before. Internal to document*.c and keys*.c. */
#ifndef ANIM_FORMAT_UNITY_KEYS_FAST_H
#define ANIM_FORMAT_UNITY_KEYS_FAST_H

#include <stddef.h>

#include "format/unity/document_lines.h"
#include "format/unity/keys_columns.h"

/* Texts that keys share are compared, the numbers between them read. */
struct unity_fast_keys;

int unity_fast_new(struct unity_fast_keys **, struct anim_error *); /* 0 or -1 */
void unity_fast_free(struct unity_fast_keys *);                     /* NULL is allowed */

/*
 * Reads keys from the cursor on, which is at the first line of a list's item whose members begin in that column (from 0), as
 * many as are written as Unity does and certainly end where they seem to. Appends them to the columns and moves the cursor
 * behind them. How many (0: nothing was changed), -1.
 */
ptrdiff_t unity_fast_keys(struct unity_fast_keys *, struct unity_lines *, struct unity_columns *, uint32_t column,
			  struct anim_error *);

#endif
