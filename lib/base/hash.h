/* hash.h: hashes of names from the input. A key per process prevents an attacker from choosing names that collide. */
#ifndef ANIM_BASE_HASH_H
#define ANIM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/*
 * Return the hash of the bytes within a scope. It differs from process to process, so nothing that is written may
 * depend on it or on the order of items that are stored by it.
 */
uint64_t anim_hash(uint64_t scope, const void *bytes, size_t length);
uint64_t anim_hash_text(uint64_t scope, const char *text);

/* Return SipHash-1-3 (Aumasson, Bernstein 2012) of the 8 bytes of `first`, little-endian, and the bytes after them. */
uint64_t anim_siphash(const uint64_t key[2], uint64_t first, const void *bytes, size_t length);

#endif
