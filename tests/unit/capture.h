/* capture.h: a sink that keeps what flows into it, for tests of filters. */
#ifndef ANIM_TESTS_CAPTURE_H
#define ANIM_TESTS_CAPTURE_H

#include "clip/sink.h"

#define CAPTURE_MAX 64

struct capture {
	struct anim_sink sink;
	struct anim_arena arena;
	struct anim_tree tree;
	struct anim_clip clip; /* the last one */
	struct anim_node nodes[CAPTURE_MAX];
	struct anim_track tracks[CAPTURE_MAX]; /* copies of all columns but hint */
	size_t clip_count, node_count, track_count;
	bool ended, freed;
};

/* Initialises; the sink may be given to a filter, whose free marks `freed` and leaves what was captured. */
struct anim_sink *capture_sink(struct capture *);
void capture_clear(struct capture *);

#endif
