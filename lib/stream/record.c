/* record.c: common parts of all records: the head of the stream, tags and their order, the CRC-32. */
#include "stream/record.h"

#include <string.h>
#include <zlib.h>

#include "base/count.h"
#include "base/machine.h"

/* ---- The head of the stream, tags, and the order of records ---- */

const uint8_t anim_stream_head[ANIM_STREAM_HEAD] = {5, 'A', 'n', 'i', 'm', 'S', ANIM_STREAM_VERSION, 0};

#define AT(stage) (1u << (stage))

struct order_rule {
	char tag[5];
	unsigned after;        /* the stages in which it is allowed */
	enum anim_stage stage; /* the stage after it */
};

static const struct order_rule rules[] = {
    {"prog", AT(ANIM_STAGE_PROG), ANIM_STAGE_PROG},
    {"TREE", AT(ANIM_STAGE_PROG) | AT(ANIM_STAGE_TREE) | AT(ANIM_STAGE_CLIP), ANIM_STAGE_TREE},
    {"NODE", AT(ANIM_STAGE_TREE), ANIM_STAGE_TREE},
    {"CLIP", AT(ANIM_STAGE_PROG) | AT(ANIM_STAGE_TREE) | AT(ANIM_STAGE_CLIP), ANIM_STAGE_CLIP},
    {"TRAK", AT(ANIM_STAGE_CLIP), ANIM_STAGE_CLIP},
    {"iNDX", AT(ANIM_STAGE_PROG) | AT(ANIM_STAGE_TREE) | AT(ANIM_STAGE_CLIP), ANIM_STAGE_INDEX},
    {"END ", AT(ANIM_STAGE_PROG) | AT(ANIM_STAGE_TREE) | AT(ANIM_STAGE_CLIP) | AT(ANIM_STAGE_INDEX), ANIM_STAGE_END},
};

bool anim_tag_is(const uint8_t tag[4])
{
	for (int i = 0; i < 4; i++) {
		uint8_t letter = tag[i] | 32;

		if ((letter < 'a' || letter > 'z') && !(i == 3 && tag[i] == ' '))
			return false;
	}
	return true;
}

int anim_order_next(struct anim_order *order, const char *tag, uint64_t length, struct anim_error *error)
{
	const struct order_rule *rule = NULL;

	for (size_t i = 0; i < ANIM_COUNT(rules) && rule == NULL; i++)
		if (memcmp(rules[i].tag, tag, 4) == 0)
			rule = &rules[i];
	if (order->stage == ANIM_STAGE_END)
		return anim_fail(error, ANIM_BAD_INPUT, "%s after END", tag);
	if (rule == NULL && tag[0] < 'a')
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "unknown record %s: it needs a newer version of these programs", tag);
	if (rule != NULL) {
		if (!(rule->after & AT(order->stage)))
			return anim_fail(error, ANIM_BAD_INPUT, "%s out of order", tag);
		order->stage = rule->stage;
		if (memcmp(tag, "TREE", 4) == 0) {
			order->tree = true;
			order->nodes = 0;
		}
		order->nodes += memcmp(tag, "NODE", 4) == 0;
	}
	if (order->stage != ANIM_STAGE_END) {
		order->records++;
		order->bytes += length;
	}
	return 0;
}

void anim_record_at(const uint8_t *bytes, uint64_t offset, struct anim_record *record)
{
	memcpy(record->tag, bytes, 4);
	record->tag[4] = '\0';
	memcpy(&record->length, bytes + 8, 8);
	record->version = ANIM_STREAM_VERSION;
	record->offset = offset;
	record->bytes = bytes;
	record->size = (size_t)(ANIM_RECORD_HEAD + ((record->length + 7) & ~(uint64_t)7));
}

/* ---- zlib's CRC-32, with carry-less multiplication if the processor supports it ---- */

uint32_t anim_crc32_plain(uint32_t crc, const void *bytes, size_t size)
{
	/* zlib returns its initial value for a NULL pointer, but an empty piece must change nothing. */
	return size == 0 ? crc : (uint32_t)crc32_z(crc, bytes, size);
}

#if ANIM_X86_64
#include <immintrin.h>

/* The shortest input for which the set-up of the wide loop pays off. */
#define LEAST 128

/*
 * The message is a polynomial over GF(2) whose first bit has the highest degree; memory holds it bit-reversed. A
 * chunk of 16 bytes that is D bits before another may be added to it as low * x^(D+64) + high * x^D, and those powers
 * may be taken modulo the polynomial of the CRC. The product of two bit-reversed 64-bit numbers is one bit short, and
 * a constant of 32 bits is 31 bits too low. So multiplying by reverse32(x^e mod P) << 1 multiplies by x^(e+32): the
 * exponents are D+32 and D-32. See Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ".
 */
#define FOLD_512_LOW 0x154442bd4  /* x^544 */
#define FOLD_512_HIGH 0x1c6e41596 /* x^480 */
#define FOLD_128_LOW 0x1751997d0  /* x^160 */
#define FOLD_128_HIGH 0x0ccaa009e /* x^96 */

__attribute__((target("pclmul,sse2"))) static inline __m128i fold(__m128i chunk, __m128i next, __m128i by)
{
	__m128i low = _mm_clmulepi64_si128(chunk, by, 0x00), high = _mm_clmulepi64_si128(chunk, by, 0x11);

	return _mm_xor_si128(next, _mm_xor_si128(low, high));
}

__attribute__((target("pclmul,sse2"))) static inline __m128i load(const uint8_t *at)
{
	return _mm_loadu_si128((const __m128i *)(const void *)at);
}

/* size is at least 64. */
__attribute__((target("pclmul,sse2"))) static uint32_t crc32_clmul(uint32_t crc, const uint8_t *at, size_t size)
{
	const __m128i by512 = _mm_set_epi64x(FOLD_512_HIGH, FOLD_512_LOW);
	const __m128i by128 = _mm_set_epi64x(FOLD_128_HIGH, FOLD_128_LOW);
	__m128i a = _mm_xor_si128(load(at), _mm_cvtsi32_si128((int)~crc));
	__m128i b = load(at + 16), c = load(at + 32), d = load(at + 48);
	uint8_t rest[16];

	for (at += 64, size -= 64; size >= 64; at += 64, size -= 64) {
		a = fold(a, load(at), by512);
		b = fold(b, load(at + 16), by512);
		c = fold(c, load(at + 32), by512);
		d = fold(d, load(at + 48), by512);
	}
	a = fold(fold(fold(a, b, by128), c, by128), d, by128);
	for (; size >= 16; at += 16, size -= 16)
		a = fold(a, load(at), by128);
	_mm_storeu_si128((__m128i *)(void *)rest, a);
	/* These sixteen bytes have the remainder of all bytes so far; ~0 gives zlib a register of 0. */
	return anim_crc32_plain(anim_crc32_plain(0xFFFFFFFFu, rest, sizeof rest), at, size);
}

uint32_t anim_crc32(uint32_t crc, const void *bytes, size_t size)
{
	if (size >= LEAST && __builtin_cpu_supports("pclmul"))
		return crc32_clmul(crc, bytes, size);
	return anim_crc32_plain(crc, bytes, size);
}
#else
uint32_t anim_crc32(uint32_t crc, const void *bytes, size_t size)
{
	return anim_crc32_plain(crc, bytes, size);
}
#endif

bool anim_record_is_sound(const struct anim_record *record)
{
	uint32_t stored;

	memcpy(&stored, record->bytes + 4, 4);
	return anim_crc32(anim_crc32(0, record->bytes, 4), record->bytes + 8, record->size - 8) == stored;
}
