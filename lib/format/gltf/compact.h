/* compact.h: what a file has for animations that leave it, and for nothing else. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_COMPACT_H
#define ANIM_FORMAT_GLTF_COMPACT_H

#include "format/gltf/data.h"
#include "format/gltf/uses.h"

struct gltf_into;

/*
 * All-zero: nothing goes. Elements of the lists that go are free: others may take their numbers, what else is behind them
 * keeps its own.
 */
struct gltf_compact {
	struct gltf_uses uses;
	uint8_t *states[GLTF_LISTS]; /* of each element, what it is; NULL: all stay */
	uint32_t counts[GLTF_LISTS], next[GLTF_LISTS];
	struct anim_buffer cuts; /* struct gltf_span of bytes that go; place: where those behind them are then */
};

/*
 * Finds what goes with the animations that a clip is bound to or that the stream does not have. *bin: bytes of the chunk
 * that holds buffer 0, where new numbers go; NULL: they go elsewhere. Bytes of other files stay, and all of them where an
 * extension may refer to some: notes say so. 0 or -1; to be cleared in either case.
 */
int gltf_compact_find(struct gltf_compact *, const struct gltf_into *, const uint64_t *bin, struct anim_error *);
void gltf_compact_clear(struct gltf_compact *);

/* The first free element, which is free no more; GLTF_NONE: there is none. */
uint32_t gltf_compact_take(struct gltf_compact *, enum gltf_list);
bool gltf_compact_is_free(const struct gltf_compact *, enum gltf_list, uint32_t number);
/* Where its text stands, of one that was free. */
struct gltf_range gltf_compact_text(const struct gltf_compact *, enum gltf_list, uint32_t number);

/* Where a byte of a buffer is when others are gone; whether some are. */
uint64_t gltf_compact_place(const struct gltf_compact *, uint32_t buffer, uint64_t place);
bool gltf_compact_cuts(const struct gltf_compact *, uint32_t buffer);

/* The next bytes that stay, *from on, up to `end`: *from .. *to. False: there are none. */
bool gltf_compact_run(const struct gltf_compact *, uint32_t buffer, uint64_t end, uint64_t *from, uint64_t *to);

/* What a number of the text is then. */
uint64_t gltf_compact_number(const struct gltf_compact *, const struct gltf_asset *, const struct gltf_number *);

#endif
