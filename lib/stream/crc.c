/* crc.c: zlib's CRC-32 by carry-less multiplication where the processor has it, else by zlib. */
#include <limits.h>
#include <zlib.h>

#include "stream/crc.h"
#include "stream/record.h"

uint32_t anim_crc32_plain(uint32_t crc, const void *bytes, size_t size)
{
	/* zlib begins anew where it gets no bytes to point at; an empty piece changes nothing. */
	return size == 0 ? crc : (uint32_t)crc32_z(crc, bytes, size);
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* Shortest input worth the set-up of the wide loop. */
#define LEAST 128

/*
 * The message is a polynomial over GF(2) whose first bit has the highest degree; memory holds it bit-reversed. A chunk of
 * 16 bytes that stands D bits before another may be added to it as low * x^(D+64) + high * x^D, and those powers may be
 * taken modulo the CRC's polynomial. The product of two bit-reversed 64-bit numbers comes out one bit short and a
 * constant of 32 bits stands 31 bits low, so that multiplying by reverse32(x^e mod P) << 1 multiplies by x^(e+32):
 * the exponents are D+32 and D-32. See Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ".
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
	/* Sixteen bytes with the remainder of all so far; ~0 gives zlib a register of 0. */
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
