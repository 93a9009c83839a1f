/* oracle_compare.h: our samples of a track against an engine's. */
#ifndef ANIM_TESTS_ORACLE_COMPARE_H
#define ANIM_TESTS_ORACLE_COMPARE_H

#include "oracle_track.h"

/* What has been compared, over all files of a test. */
struct oracle_tally {
	const char *file;
	size_t tracks, samples, held;
	double worst; /* of values up to 1 */
};

/* The engine's samples of one track at `count` times, and where the track is described. */
struct oracle_case {
	const struct json *json; /* describes the track: node */
	int node;
	const struct json *want; /* holds the samples: an array, one value a time */
	int samples;
	const double *times;
	size_t count;
	const struct anim_clip *clip;
	bool either_sign; /* quaternions read back from a node come with the sign of its matrix */
	double slack;     /* further tolerance */
	size_t faults;    /* samples that may be wrong */
	/*
	 * Fetches the part'th track, to be sampled instead of one made from the description; false: none. May be NULL.
	 */
	bool (*fetch)(void *context, unsigned part, struct anim_track *);
	void *context;
};

/*
 * Return whether the engine's player rounds the track, because its first key is an int. The samples are from the raw
 * call, which does not round.
 */
bool oracle_is_rounded(const struct json *, int node);

void oracle_check(const struct oracle_case *, struct oracle_tally *, struct anim_arena *);

/* tests/data/oracle/FOLDER/NAME; a failed check where it cannot be read. */
bool oracle_open(struct json *, const char *folder, const char *name);

/* The scenes that both engines wrote and played, in tests/data/oracle/godot-*. */
extern const char *const oracle_files[];
extern const size_t oracle_file_count;

#endif
