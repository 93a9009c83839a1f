/* osc.h: packets of Open Sound Control 1.0: the messages and bundles that the VMC protocol needs. */
#ifndef ANIM_FORMAT_VMC_OSC_H
#define ANIM_FORMAT_VMC_OSC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

#define VMC_OSC_DEPTH 4 /* levels of bundles */

/* A message. The arguments are taken one after the other, in the order of `types`. All are borrowed from the packet. */
struct vmc_osc {
	const char *address, *types; /* types: of the arguments that are left, without the comma */
	const uint8_t *at, *end;
};

/*
 * Call `message` for each message of a packet, also inside of bundles. A result other than 0 ends the packet. Returns that
 * result, or 0 with *damaged set if the packet, or a part of it, is not OSC.
 */
int vmc_osc_read(const uint8_t *packet, size_t size, int (*message)(void *context, struct vmc_osc *), void *context,
		 bool *damaged);

/* Take the next argument. Return false if it has another type. */
bool vmc_osc_string(struct vmc_osc *, const char **text);
bool vmc_osc_float(struct vmc_osc *, float *value);

/*
 * Append a message to a bundle, with its size before it: an address, a text (NULL: none), `count` floats, and an int if
 * `has_int`. Return 0 or -1.
 */
struct vmc_osc_out {
	const char *address, *text;
	const float *values;
	size_t count;
	bool has_int;
	uint32_t number;
};
int vmc_osc_append(struct anim_buffer *bundle, const struct vmc_osc_out *, struct anim_error *);

/* Begin a bundle that is to be played at once. Return 0 or -1. */
#define VMC_OSC_BUNDLE 16u /* bytes of its head */
int vmc_osc_begin(struct anim_buffer *bundle, struct anim_error *);

#endif
