/* archive_subject.c: one archive read in both ways, for tests. */
#include "archive_subject.h"

#include <string.h>

#include "axs.h"
#include "tap.h"

void subject_load(struct subject *subject, const char *name)
{
	memset(subject, 0, sizeof *subject);
	archive_file_new(&subject->file);
	axs_load(&subject->bytes, "../archive", name);
	CHECK(archive_file_set(&subject->file, subject->bytes.data, subject->bytes.size));
}

void subject_clear(struct subject *subject)
{
	archive_file_free(&subject->file);
	anim_buffer_clear(&subject->bytes);
	anim_diagnostics_clear(&subject->diagnostics);
}

void read_both(struct subject *subject, const struct anim_cut_options *options, struct outcome *outcome)
{
	struct anim_cut_options cut = *options;
	struct anim_output *a = NULL, *b = NULL;
	const uint8_t *a_bytes, *b_bytes;
	size_t a_size, b_size;

	memset(outcome, 0, sizeof *outcome);
	cut.diagnostics = &subject->diagnostics;
	if (!CHECK(anim_output_open_memory(&a, NULL) == 0 && anim_output_open_memory(&b, NULL) == 0))
		return;
	outcome->index = archive_by_index(subject->file.path, &cut, a, &outcome->index_error);
	outcome->stream = archive_by_stream(subject->bytes.data, subject->bytes.size, &cut, b, &outcome->stream_error);
	a_bytes = anim_output_memory(a, &a_size);
	b_bytes = anim_output_memory(b, &b_size);
	outcome->same =
	    outcome->index == 0 && outcome->stream == 0 && a_size == b_size && memcmp(a_bytes, b_bytes, a_size) == 0;
	anim_output_free(a);
	anim_output_free(b);
}
