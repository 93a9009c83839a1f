/* axs.h: small streams for tests, made or read from tests/data/axs. */
#ifndef ANIM_TESTS_AXS_H
#define ANIM_TESTS_AXS_H

#include <stdbool.h>

#include "base/buffer.h"
#include "clip/sink.h"

/* A stream under construction, record by record, with nothing checked. All-zero is empty. */
struct axs {
	struct anim_buffer bytes;
	uint64_t records, lengths;
};

void axs_begin(struct axs *);
void axs_record(struct axs *, const char *tag, const void *payload, size_t size);
void axs_end(struct axs *);
void axs_clear(struct axs *);

/* A record appended as it is (what an encoder made), and counted. */
void axs_append(struct axs *, const struct anim_buffer *record);

/* A whole file below tests/data/axs; false (and a failed check) where it is not there. */
bool axs_load(struct anim_buffer *, const char *folder, const char *name);

/* One entry of a manifest: the text from `at` on; NULL behind the last. */
struct axs_verdict {
	char file[128];
	bool accept;
	long offset; /* -1: not told */
};
const char *axs_next_verdict(const char *at, struct axs_verdict *);

/* Tracks that satisfy all invariants, with static columns. */
struct anim_track axs_curve(void);   /* float3, three keys, Linear */
struct anim_track axs_raw(void);     /* float, four samples at 30/1 */
struct anim_track axs_strings(void); /* string, Discrete, three keys: "one", null, "" */
struct anim_clip axs_clip(void);
struct anim_tree axs_tree(void);
struct anim_node axs_node(uint32_t number);

/* The record of one of those and nothing else, encoded. */
void axs_encode_track(struct axs *, const struct anim_track *);
void axs_encode_clip(struct axs *, const struct anim_clip *, bool tree_before);

#endif
