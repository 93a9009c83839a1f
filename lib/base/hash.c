/* hash.c: SipHash-1-3 with a key that is chosen per process. */
#include "base/hash.h"

#include <stdatomic.h>
#include <string.h>

#include "base/system.h"

/* ---- The key ---- */

static _Atomic uint64_t hash_key[2];

/*
 * Return a word of the key, which is never 0 and is chosen at the first use. If several threads choose one, the first
 * counts for all. If the system gives no random bytes, the address of the stack is used, which the system chooses for
 * each process.
 */
static uint64_t key_word(_Atomic uint64_t *word)
{
	uint64_t known = atomic_load_explicit(word, memory_order_relaxed), made = 0;

	if (known != 0)
		return known;
	if (anim_sys_random(&made, sizeof made) != 0)
		made = (uint64_t)(uintptr_t)&made * 0x9E3779B97F4A7C15u;
	made |= 1;
	return atomic_compare_exchange_strong(word, &known, made) ? made : known;
}

/* ---- SipHash ---- */

static inline uint64_t rotate(uint64_t x, unsigned by)
{
	return x << by | x >> (64 - by);
}

struct state {
	uint64_t a, b, c, d;
};

static inline void mix(struct state *s)
{
	s->a += s->b;
	s->c += s->d;
	s->b = rotate(s->b, 13) ^ s->a;
	s->d = rotate(s->d, 16) ^ s->c;
	s->a = rotate(s->a, 32);
	s->c += s->b;
	s->a += s->d;
	s->b = rotate(s->b, 17) ^ s->c;
	s->d = rotate(s->d, 21) ^ s->a;
	s->c = rotate(s->c, 32);
}

static inline void absorb(struct state *s, uint64_t word)
{
	s->d ^= word;
	mix(s);
	s->a ^= word;
}

uint64_t anim_siphash(const uint64_t key[2], uint64_t first, const void *bytes, size_t length)
{
	struct state s = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du, key[0] ^ 0x6c7967656e657261u,
			  key[1] ^ 0x7465646279746573u};
	const uint8_t *at = bytes;
	uint64_t word = 0;
	size_t left = length;

	absorb(&s, first);
	for (; left >= 8; left -= 8, at += 8) {
		memcpy(&word, at, 8);
		absorb(&s, word);
	}
	word = (uint64_t)(length + 8) << 56;
	for (size_t i = 0; i < left; i++)
		word |= (uint64_t)at[i] << 8 * i;
	absorb(&s, word);
	s.c ^= 0xff;
	mix(&s);
	mix(&s);
	mix(&s);
	return s.a ^ s.b ^ s.c ^ s.d;
}

uint64_t anim_hash(uint64_t scope, const void *bytes, size_t length)
{
	const uint64_t key[2] = {key_word(&hash_key[0]), key_word(&hash_key[1])};

	return anim_siphash(key, scope, bytes, length);
}

uint64_t anim_hash_text(uint64_t scope, const char *text)
{
	return anim_hash(scope, text, strlen(text));
}
