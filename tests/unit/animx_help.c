/* animx_help.c: reads and writes AnimX in memory. */
#include "animx_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

const char *animx_path(const char *name)
{
	const char *data = getenv("ANIM_DATA") != NULL ? getenv("ANIM_DATA") : "tests/data";
	static char path[512];

	snprintf(path, sizeof path, "%s/animx/%s", data, name);
	return path;
}

static bool read_input(struct animx_trial *trial, struct anim_input *input)
{
	const struct anim_read_options options = {.store_memory = 1 << 20, .diagnostics = &trial->diagnostics};
	bool good;

	trial->store = anim_store_new(1 << 20, &trial->error);
	good =
	    trial->store != NULL && anim_animx_read(input, &options, anim_store_sink(trial->store), &trial->error) == 0;
	anim_input_close(input);
	return good;
}

bool animx_read_bytes(struct animx_trial *trial, const void *bytes, size_t size)
{
	struct anim_input *input = NULL;

	return anim_input_open_memory(&input, bytes, size, "test.animx", &trial->error) == 0 &&
	       read_input(trial, input);
}

bool animx_read_file(struct animx_trial *trial, const char *path)
{
	struct anim_input *input = NULL;

	return anim_input_open(&input, path, NULL, &trial->error) == 0 && read_input(trial, input);
}

static struct anim_sink *begin(struct animx_trial *trial, const struct anim_write_options *options)
{
	struct anim_write_options own = *options;

	own.diagnostics = &trial->diagnostics;
	own.store_memory = 1 << 20;
	if (anim_output_open_memory(&trial->out, &trial->error) != 0)
		return NULL;
	return anim_animx_writer_new(trial->out, &own, &trial->error);
}

bool animx_write(struct animx_trial *trial, const struct anim_write_options *options, const struct anim_clip *clip,
		 const struct anim_track *tracks, size_t count)
{
	struct anim_sink *sink = begin(trial, options);
	int result = sink == NULL ? -1 : anim_sink_clip(sink, clip, &trial->error);

	for (size_t i = 0; i < count && result == 0; i++)
		result = anim_sink_track(sink, &tracks[i], &trial->error);
	if (result == 0)
		result = anim_sink_end(sink, &trial->error);
	anim_sink_free(sink);
	return result == 0;
}

bool animx_write_store(struct animx_trial *trial, const struct anim_write_options *options, struct anim_store *store)
{
	struct anim_sink *sink = begin(trial, options);
	bool good = sink != NULL && anim_store_replay(store, 0, NULL, sink, &trial->error) == 0 &&
		    anim_sink_end(sink, &trial->error) == 0;

	anim_sink_free(sink);
	return good;
}

void animx_clear(struct animx_trial *trial)
{
	anim_store_free(trial->store);
	anim_output_free(trial->out);
	anim_diagnostics_clear(&trial->diagnostics);
	memset(trial, 0, sizeof *trial);
}

bool animx_same_output(const struct animx_trial *a, const struct animx_trial *b)
{
	size_t a_size, b_size;
	const uint8_t *a_bytes = anim_output_memory(a->out, &a_size), *b_bytes = anim_output_memory(b->out, &b_size);

	return a_size == b_size && memcmp(a_bytes, b_bytes, a_size) == 0;
}
