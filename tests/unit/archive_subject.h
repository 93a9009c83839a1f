/* archive_subject.h: one archive read in both ways, for tests. */
#ifndef ANIM_TESTS_ARCHIVE_SUBJECT_H
#define ANIM_TESTS_ARCHIVE_SUBJECT_H

#include "../archive_reading.h"

/* One archive, on disk and in memory. */
struct subject {
	struct archive_file file;
	struct anim_buffer bytes;
	struct anim_diagnostics diagnostics;
};

void subject_load(struct subject *, const char *name); /* a file of tests/data/archive */
void subject_clear(struct subject *);

/* Both ways of reading; statuses, and whether the bytes are the same where both are 0. */
struct outcome {
	int index, stream;
	bool same;
	struct anim_error index_error, stream_error;
};

void read_both(struct subject *, const struct anim_cut_options *, struct outcome *);

#endif
