/* text_scan.h: finds the next byte that matters, sixteen at a time; private to the text layer. */
#ifndef ANIM_FORMAT_GODOT_TEXT_SCAN_H
#define ANIM_FORMAT_GODOT_TEXT_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t godot_block __attribute__((vector_size(16)));

static inline godot_block godot_block_at(const uint8_t *at)
{
	godot_block block;

	memcpy(&block, at, sizeof block);
	return block;
}

static inline bool godot_block_any(godot_block hits)
{
	uint64_t halves[2];

	memcpy(halves, &hits, sizeof halves);
	return (halves[0] | halves[1]) != 0;
}

/*
 * The first byte of at..end that ends the plain bytes of a string: a quote, a backslash or NUL; `end` where there is
 * none. The last block may reach into the readable bytes behind the window.
 */
static inline const uint8_t *godot_scan_string(const uint8_t *at, const uint8_t *end)
{
	for (; at < end; at += sizeof(godot_block)) {
		godot_block block = godot_block_at(at);

		if (godot_block_any((godot_block)((block == '"') | (block == '\\') | (block == '\0'))))
			break;
	}
	while (at < end && *at != '"' && *at != '\\' && *at != '\0')
		at++;
	return at < end ? at : end;
}

static inline bool godot_is_structure(uint8_t byte)
{
	return byte == '"' || byte == ';' || byte == '(' || byte == ')' || (byte | 0x20) == '{' || (byte | 0x20) == '}';
}

/* The same for the bytes that matter outside of strings: brackets of all kinds, a quote, a comment's ';'. */
static inline const uint8_t *godot_scan_structure(const uint8_t *at, const uint8_t *end)
{
	for (; at < end; at += sizeof(godot_block)) {
		godot_block block = godot_block_at(at), folded = block | 0x20;
		godot_block hits = (godot_block)((block == '"') | (block == ';') | (block == '(') | (block == ')'));

		if (godot_block_any(hits | (godot_block)((folded == '{') | (folded == '}'))))
			break;
	}
	while (at < end && !godot_is_structure(*at))
		at++;
	return at < end ? at : end;
}

#endif
