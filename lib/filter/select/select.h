/* select.h: keeps the tracks that are asked for. */
#ifndef ANIM_FILTER_SELECT_H
#define ANIM_FILTER_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clip/losses.h"
#include "clip/sink.h"
#include "filter/select/names.h"

struct anim_select_options {
	/* All criteria that are set must fit; all borrowed for the filter's life. */
	struct anim_patterns nodes, properties;
	struct anim_patterns clips; /* against NAME and PLAYER:NAME */
	uint64_t types;             /* bits 1 << enum anim_type; 0: any */
	unsigned kinds;             /* bits 1 << enum anim_kind; 0: any */
	bool constant;              /* tracks that never change */
	size_t min_keys;            /* with at least so many keys or samples */
	bool invert;                /* keeps what does not fit */
	bool require;               /* end() fails where nothing is left; else a note says so */
	struct anim_losses *losses; /* must be there */
};

/*
 * A filter in front of `next` (owned, freed on failure too). Trees pass. A clip passes with the first of its tracks that
 * does; one that came without tracks, where `clips` lets it. Tracks need only their heads and ->record
 * (anim_stream_pump_heads); what passes keeps its ->record. NULL on failure.
 */
struct anim_sink *anim_select_new(const struct anim_select_options *, struct anim_sink *next, struct anim_error *);

#endif
