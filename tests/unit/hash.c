/* hash.c: the hash that tables of names use. */
#include "base/hash.h"

#include <string.h>

#include "tap.h"

/* Values of CPython 3.11, whose hash of bytes is SipHash-1-3, under PYTHONHASHSEED=0: the key is 0 there. */
TEST(hash_siphash, "SipHash-1-3 has the values that another implementation has")
{
	static const struct {
		size_t length;
		uint64_t hash;
	} known[] = {{0, 0x8662046e52264db8}, {1, 0x5f488ed520777fa8},  {7, 0x80df1a23135f5e8f},
		     {8, 0x566821060244b9cd}, {15, 0xafdab43898dfa0b7}, {40, 0x511431bec848247e}};
	const uint64_t key[2] = {0, 0};
	uint8_t bytes[40];

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)i;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		CHECKF(anim_siphash(key, 0x0123456789abcdef, bytes, known[i].length) == known[i].hash, "%zu bytes",
		       known[i].length);
}

TEST(hash_keyed, "a process has a key of its own, and a scope and a name give one hash all along")
{
	const uint64_t none[2] = {0, 0};

	CHECK(anim_hash_text(3, "Hips") == anim_hash(3, "Hips", 4));
	CHECK(anim_hash_text(3, "Hips") != anim_hash_text(4, "Hips"));
	CHECK(anim_hash_text(3, "Hips") != anim_siphash(none, 3, "Hips", 4));
}
