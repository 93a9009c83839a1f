/* archive_reading.h: archives read by their index and as streams, for tests and fuzz targets. */
#ifndef ANIM_TESTS_ARCHIVE_READING_H
#define ANIM_TESTS_ARCHIVE_READING_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "filter/cut.h"
#include "filter/filter.h"
#include "recode.h"
#include "stream/archive.h"

/* A file of its own for archives that are opened by name. Begin with archive_file_new. */
struct archive_file {
	char path[512];
	int fd; /* -1: there is none */
};

static inline void archive_file_new(struct archive_file *file)
{
	const char *folder = getenv("TMPDIR");

	snprintf(file->path, sizeof file->path, "%s/archive-XXXXXX", folder == NULL ? "/tmp" : folder);
	file->fd = mkstemp(file->path);
}

static inline void archive_file_free(struct archive_file *file)
{
	close(file->fd);
	unlink(file->path);
}

static inline bool archive_file_set(struct archive_file *file, const void *bytes, size_t size)
{
	return ftruncate(file->fd, 0) == 0 && pwrite(file->fd, bytes, size, 0) == (ssize_t)size;
}

static inline bool archive_wants_track(void *sink, const char *node, const char *property)
{
	return anim_cut_wants_track(sink, node, property);
}

/* A plain stream's writer with the cut in front. */
static inline struct anim_sink *archive_sink(const struct anim_cut_options *cut, struct anim_output *output,
					     struct anim_error *error)
{
	static const struct anim_stream_writer_options options = {.changes = true};
	struct anim_sink *sink = anim_stream_writer_new(output, &options, error);

	sink = sink == NULL ? NULL : anim_plain_new(sink, error);
	return sink == NULL ? NULL : anim_cut_new(cut, sink, error);
}

/* The cut of the archive as a plain stream into `output` (memory), by the index. 0 or -1; 1: not opened as an archive. */
static inline int archive_by_index(const char *path, const struct anim_cut_options *cut, struct anim_output *output,
				   struct anim_error *error)
{
	struct anim_cut_options options = *cut;
	struct anim_archive *archive;
	struct anim_sink *sink = NULL;
	int status = anim_archive_open(&archive, path, error);

	if (status != 1)
		return status == 0 ? 1 : -1;
	options.was_cut = true;
	status = (sink = archive_sink(&options, output, error)) == NULL ? -1 : 0;
	if (status == 0) {
		const struct anim_archive_wanted wanted = {NULL, archive_wants_track, sink, cut->range};

		status = anim_archive_read(archive, &wanted, sink, error);
	}
	if (status == 0)
		status = anim_sink_end(sink, error);
	anim_sink_free(sink);
	anim_archive_close(archive);
	return status;
}

/* The same by reading all of it as a stream. */
static inline int archive_by_stream(const void *bytes, size_t size, const struct anim_cut_options *cut,
				    struct anim_output *output, struct anim_error *error)
{
	struct anim_sink *sink = archive_sink(cut, output, error);
	int status = sink == NULL ? -1 : pump_bytes(bytes, size, sink, error);

	anim_sink_free(sink);
	return status;
}

/* What anim-pack --test would say of it. */
static inline int archive_check(const char *path, struct anim_error *error)
{
	struct anim_archive *archive;
	int status = anim_archive_open(&archive, path, error);

	if (status != 1)
		return -1;
	status = anim_archive_check(archive, error);
	anim_archive_close(archive);
	return status;
}

#endif
