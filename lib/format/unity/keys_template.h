/* keys_template.h: the text of a key as Unity writes it, taken apart into what stays and what changes. Internal to keys*.c. */
#ifndef ANIM_FORMAT_UNITY_KEYS_TEMPLATE_H
#define ANIM_FORMAT_UNITY_KEYS_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/number_scan.h"
#include "format/unity/keys_columns.h"

#define UNITY_KEY_MAX ((size_t)4096)       /* more bytes than any key that is read fast has */
#define UNITY_NUMBER_SHORT 96              /* characters of a number that is read fast */
#define UNITY_TEMPLATE_TEXT ((size_t)1024) /* with 8 bytes to spare */
#define UNITY_SLOTS_MAX 24u                /* time, 5 vectors of 4, 3 integers */

/* The members of a key in the order in which Unity writes them. */
enum unity_member {
	UNITY_MEMBER_VERSION,
	UNITY_MEMBER_TIME,
	UNITY_MEMBER_VALUE,
	UNITY_MEMBER_LEFT,
	UNITY_MEMBER_RIGHT,
	UNITY_MEMBER_HINT,
	UNITY_MEMBER_MODE,
	UNITY_MEMBER_LEFT_X,
	UNITY_MEMBER_RIGHT_X,
	UNITY_MEMBER_COUNT
};

/* Those that mostly are the same in all keys of a curve: their text stays, until one is seen that differs. */
#define UNITY_MEMBERS_CONSTANT                                                                                        \
	(1u << UNITY_MEMBER_VERSION | 1u << UNITY_MEMBER_HINT | 1u << UNITY_MEMBER_MODE | 1u << UNITY_MEMBER_LEFT_X | \
	 1u << UNITY_MEMBER_RIGHT_X)

/* A number, and the text that stands before it. */
struct unity_slot {
	uint16_t at, length;
	uint8_t column, lane;       /* of floats: enum unity_column */
	uint8_t member, is_integer; /* of integers: enum unity_member */
};

struct unity_template {
	uint32_t column;       /* of the members */
	unsigned lanes, lines; /* of a key */
	unsigned members;      /* that are there; bits of enum unity_member */
	unsigned with;         /* the columns that its keys need, UNITY_WITH_VERSIONS aside */
	size_t count;          /* slots */
	uint16_t tail, tail_length;
	struct unity_slot slots[UNITY_SLOTS_MAX];
	struct unity_key_rest rest;            /* where it is text that stays */
	float weights[2][UNITY_LANES_MAX];     /* so too: in, out */
	uint8_t text[UNITY_TEMPLATE_TEXT + 8]; /* of the slots and the tail, one behind the other */
	uint16_t value[UNITY_MEMBER_COUNT][2]; /* where in `text` a member's value that stays is, and its length */
};

/*
 * Learns from the key at `at`, whose members begin in that column, and of which UNITY_KEY_MAX bytes may be read; with those
 * members as slots that are set in `changing`. False where it is not written as Unity writes keys.
 */
bool unity_template_learn(struct unity_template *, const uint8_t *at, uint32_t column, unsigned changing);

/* Which of the members that stay have other values in the two; ~0 where more than that is different. */
unsigned unity_template_changes(const struct unity_template *, const struct unity_template *);

/* Decimals without their sign that base/number_scan.h does not take: ".0333" of Unity 4. NULL where it is none. */
const char *unity_scan_fraction(const char *at, struct anim_decimal *);

/* The float at `at`: its end, or NULL where it is no decimal as Unity writes it, nor Infinity. */
static inline const uint8_t *unity_scan_float(const uint8_t *at, float *value)
{
	const char *start = (const char *)at, *from = start, *end;
	struct anim_decimal decimal;
	float magnitude;
	bool negative = *from == '-';

	from += negative;
	if (__builtin_expect(anim_is_digit(*from), 1)) {
		end = anim_scan_decimal(from, &decimal);
		if (!anim_is_digit(end[-1]))
			return NULL;
		magnitude = anim_decimal_float(&decimal);
	} else if (*from == '.') {
		end = unity_scan_fraction(from, &decimal);
		if (end == NULL)
			return NULL;
		magnitude = anim_decimal_float(&decimal);
	} else if (memcmp(from, "Infinity", 8) == 0) {
		end = from + 8;
		magnitude = __builtin_inff();
	} else {
		return NULL;
	}
	*value = negative ? -magnitude : magnitude;
	return end - start > UNITY_NUMBER_SHORT ? NULL : (const uint8_t *)end;
}

/* An integer of 32 bits of either sign. Its end or NULL. */
const uint8_t *unity_scan_bits(const uint8_t *at, uint32_t *bits);

/* What the integer of a member means. */
void unity_set_rest(struct unity_key_rest *, enum unity_member, uint32_t bits);

#endif
