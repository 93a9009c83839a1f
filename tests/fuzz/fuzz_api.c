/*
 * fuzz_api.c: any bytes are refused with a line, or opened; then all that is told is there, values are found at times within
 * and without, nodes placed, and the copy of it all, written, opens with as many clips.
 */
#include "api/anim.h"

#include <stdio.h>
#include <unistd.h>

#include "crcs.h"
#include "fuzz.h"

#define KEYS_MAX 100000u /* of tracks whose keys are looked at */

static const double at[] = {-1e9, 0, 0.5, 1e-3, 1e30, 3};
#define TIMES (sizeof at / sizeof *at)

static void look_at_track(struct anim *h, size_t clip, size_t number)
{
	struct anim_track_info track = {.size = sizeof track};
	struct anim_fault fault = {0};
	const struct anim_attribute *items;
	const char *texts[TIMES];
	double values[TIMES * 16], *keys;

	DEMAND(anim_get_track(h, clip, number, &track, &fault) == 0 && track.components <= 16);
	DEMAND(anim_find_track(h, clip, 0, track.node, track.property) <= (ptrdiff_t)number);
	DEMAND(anim_get_track_attributes(h, clip, number, &items, &fault) >= 0);
	if (strcmp(track.type, "string") == 0) {
		DEMAND(anim_sample_texts(h, clip, number, at, TIMES, texts, &fault) == 0 || fault.text[0] != '\0');
		return;
	}
	DEMAND(anim_sample_doubles(h, clip, number, at, TIMES, values, TIMES * 16, NULL, &fault) == 0 ||
	       fault.text[0] != '\0');
	if (track.keys > KEYS_MAX)
		return;
	keys = malloc((track.keys + 1) * 16 * sizeof *keys);
	DEMAND(keys != NULL);
	for (int part = ANIM_KEY_TIMES; part <= ANIM_KEY_EASE; part++)
		DEMAND(anim_key_doubles(h, clip, number, (enum anim_key_part)part, keys, (track.keys + 1) * 16,
					&fault) >= 0);
	free(keys);
}

static void look_at(struct anim *h)
{
	struct anim_clip_info clip = {.size = sizeof clip};
	struct anim_fault fault = {0};

	for (size_t c = 0; c < anim_clip_count(h); c++) {
		double *transforms;
		size_t nodes = 0;

		DEMAND(anim_get_clip(h, c, &clip, &fault) == 0 && clip.tree < (ptrdiff_t)anim_tree_count(h));
		for (size_t t = 0; t < clip.tracks; t++)
			look_at_track(h, c, t);
		if (clip.tree >= 0) {
			struct anim_tree_info tree = {.size = sizeof tree};

			DEMAND(anim_get_tree(h, (size_t)clip.tree, &tree, &fault) == 0);
			nodes = tree.nodes;
		}
		transforms = malloc((nodes + 1) * TIMES * 12 * sizeof *transforms);
		DEMAND(transforms != NULL);
		DEMAND(anim_world(h, c, ANIM_ALL_NODES, at, TIMES, transforms, (nodes + 1) * TIMES * 12, &fault) == 0 ||
		       fault.text[0] != '\0');
		free(transforms);
	}
}

static void copy(struct anim *h, size_t clips)
{
	FILE *file = tmpfile();
	struct anim_writer *w = file == NULL ? NULL : anim_write_open_fd(fileno(file), NULL, NULL);
	struct anim *again;

	DEMAND(w != NULL);
	for (size_t c = 0, of = 0; c < clips; c++) {
		struct anim_clip_info clip = {.size = sizeof clip};

		DEMAND(anim_get_clip(h, c, &clip, NULL) == 0);
		for (; clip.tree >= 0 && of <= (size_t)clip.tree; of++)
			DEMAND(anim_copy_tree(w, h, of, NULL) == 0);
		DEMAND(anim_copy_clip(w, h, c, NULL) == 0);
	}
	DEMAND(anim_write_commit(w, NULL) == 0);
	anim_write_close(w);
	DEMAND(lseek(fileno(file), 0, SEEK_SET) == 0);
	again = anim_open_fd(fileno(file), NULL, NULL);
	DEMAND(again != NULL && anim_clip_count(again) == clips);
	look_at(again);
	anim_close(again);
	fclose(file);
}

static void check(const uint8_t *data, size_t size)
{
	const struct anim_options options = {.size = sizeof options, .no_external = 1, .keep_going = size % 2};
	struct anim_fault fault = {0};
	struct anim *h = anim_open_memory(data, size, &options, &fault);

	if (h == NULL) {
		DEMAND(fault.code != 0 && fault.text[0] != '\0');
		return;
	}
	look_at(h);
	copy(h, anim_clip_count(h));
	anim_close(h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *right;

	if (is_gzip(data, size))
		return 0;
	check(data, size);
	right = with_crcs(data, size);
	check(right, size);
	free(right);
	return 0;
}
