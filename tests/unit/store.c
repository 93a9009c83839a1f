/* store.c: what a store was given comes back, from memory, from its file, and after a clip was dropped. */
#include "stream/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../recode.h"
#include "axs.h"
#include "tap.h"

/* Pushes a tree, two nodes and `clips` clips of `tracks` tracks each, all unlike one another. */
static void push_all(struct anim_sink *sink, size_t clips, size_t tracks)
{
	struct anim_tree tree = axs_tree();
	struct anim_node root = axs_node(0), box = axs_node(1);
	struct anim_error error = {0};
	int status = anim_sink_tree(sink, &tree, &error) | anim_sink_node(sink, &root, &error) |
		     anim_sink_node(sink, &box, &error);

	for (size_t c = 0; c < clips; c++) {
		struct anim_clip clip = axs_clip();
		char name[32];

		snprintf(name, sizeof name, "clip%zu", c);
		clip.name = name;
		clip.flags = ANIM_IN_TREE;
		status |= anim_sink_clip(sink, &clip, &error);
		for (size_t t = 0; t < tracks; t++) {
			struct anim_track track = t % 3 == 0 ? axs_curve() : t % 3 == 1 ? axs_raw() : axs_strings();
			char node[32];

			snprintf(node, sizeof node, "Node%zu", t / 2);
			track.node = node;
			status |= anim_sink_track(sink, &track, &error);
		}
	}
	CHECKF(status == 0, "%s", error.message);
}

static int replay_all(struct anim_store *store, struct anim_sink *sink, struct anim_error *error)
{
	if (anim_store_replay_trees(store, sink, error) != 0)
		return -1;
	for (size_t i = 0; i < anim_store_clips(store); i++)
		if (anim_store_replay(store, i, NULL, sink, error) != 0)
			return -1;
	return anim_sink_end(sink, error);
}

/* True where the store replays into the same bytes as pushing all straight into a writer. */
static void check_replay(struct anim_store *store, size_t clips, size_t tracks)
{
	struct anim_output *direct, *replayed;
	struct anim_sink *writer;
	struct anim_error error = {0};
	const uint8_t *a, *b;
	size_t a_size, b_size;

	anim_output_open_memory(&direct, NULL);
	anim_output_open_memory(&replayed, NULL);
	writer = anim_stream_writer_new(direct, NULL, NULL);
	push_all(writer, clips, tracks);
	CHECK(anim_sink_end(writer, NULL) == 0);
	anim_sink_free(writer);
	writer = anim_stream_writer_new(replayed, NULL, NULL);
	CHECKF(replay_all(store, writer, &error) == 0, "%s", error.message);
	anim_sink_free(writer);
	a = anim_output_memory(direct, &a_size);
	b = anim_output_memory(replayed, &b_size);
	CHECKF(a_size == b_size && memcmp(a, b, a_size) == 0, "%zu clips of %zu tracks", clips, tracks);
	anim_output_free(direct);
	anim_output_free(replayed);
}

TEST(replays, "a store replays the bytes it was given, wherever its memory ends")
{
	static const size_t memory[] = {0, 1, 200, 1000, 5000, 1u << 20};

	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
		struct anim_store *store = anim_store_new(memory[i], NULL);

		push_all(anim_store_sink(store), 3, 20);
		CHECK(anim_sink_end(anim_store_sink(store), NULL) == 0);
		check_replay(store, 3, 20);
		check_replay(store, 3, 20);
		anim_store_free(store);
	}
}

TEST(many_tracks, "a store larger than its windows replays the same bytes")
{
	struct anim_store *store = anim_store_new(4096, NULL);

	push_all(anim_store_sink(store), 2, 3000);
	check_replay(store, 2, 3000);
	anim_store_free(store);
}

TEST(drops, "the last clip is taken out again, from memory and from the file, and its place is used anew")
{
	static const size_t memory[] = {0, 700, 1u << 20};

	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
		struct anim_store *store = anim_store_new(memory[i], NULL);
		struct anim_clip clip = axs_clip();
		struct anim_track track = axs_curve();
		struct anim_track back;
		float value[9] = {0};

		track.value = value;
		push_all(anim_store_sink(store), 2, 10);
		for (size_t again = 0; again < 3; again++) {
			CHECK(anim_sink_clip(anim_store_sink(store), &clip, NULL) == 0);
			value[8] = (float)again;
			for (size_t t = 0; t < 10; t++)
				CHECK(anim_sink_track(anim_store_sink(store), &track, NULL) == 0);
			CHECK(anim_store_read(store, 2, 9, &back, NULL) == 0 && back.n == 3);
			CHECK(((const float *)back.value)[8] == (float)again);
			anim_store_drop_last(store);
		}
		CHECK(anim_store_clips(store) == 2);
		check_replay(store, 2, 10);
		anim_store_drop_last(store);
		check_replay(store, 1, 10);
		anim_store_drop_last(store);
		anim_store_drop_last(store);
		CHECK(anim_store_clips(store) == 0);
		check_replay(store, 0, 0);
		anim_store_free(store);
	}
}

TEST(drops_before_tree, "a tree that came after the dropped clip stays")
{
	struct anim_store *store = anim_store_new(0, NULL);
	struct anim_clip clip = axs_clip();

	CHECK(anim_sink_clip(anim_store_sink(store), &clip, NULL) == 0);
	push_all(anim_store_sink(store), 0, 0);
	anim_store_drop_last(store);
	check_replay(store, 0, 0);
	anim_store_free(store);
}

TEST(index_of_store, "the index tells a track's head, and finds it by node and property")
{
	struct anim_store *store = anim_store_new(0, NULL);
	const struct anim_store_track *head;
	ptrdiff_t found;

	push_all(anim_store_sink(store), 2, 12);
	CHECK(anim_store_clips(store) == 2 && anim_store_tracks(store, 1) == 12);
	CHECK(strcmp(anim_store_clip(store, 1)->name, "clip1") == 0);
	head = anim_store_track_at(store, 1, 5);
	CHECK(strcmp(head->node, "Node2") == 0 && strcmp(head->property, "text") == 0);
	CHECK(head->kind == ANIM_DISCRETE && head->type == ANIM_STRING && head->n == 3 && head->component == 255);
	found = anim_store_find(store, 1, 0, "Node2", "text");
	CHECK(found == 5);
	CHECK(anim_store_find(store, 1, 6, "Node2", "text") == -1);
	CHECK(anim_store_find(store, 1, 0, "Node2t", "ext") == -1);
	CHECK(anim_store_find(store, 0, 0, "", "") == -1);
	anim_store_free(store);
}

TEST(store_copies_records, "tracks and heads that came from a stream are kept as they stood there")
{
	struct anim_store *store = anim_store_new(0, NULL);
	struct anim_output *output;
	struct anim_sink *writer;
	struct anim_buffer bytes = {0};
	struct anim_error error = {0};
	const uint8_t *out;
	size_t size;

	if (!axs_load(&bytes, "good", "prepared_every_column.axs"))
		return;
	CHECKF(pump_bytes(bytes.data, bytes.size, anim_store_sink(store), &error) == 0, "%s", error.message);
	anim_output_open_memory(&output, NULL);
	writer = anim_stream_writer_new(output, NULL, NULL);
	CHECK(replay_all(store, writer, &error) == 0);
	out = anim_output_memory(output, &size);
	CHECK(size == bytes.size && memcmp(out, bytes.data, size) == 0);
	anim_sink_free(writer);
	anim_output_free(output);
	anim_buffer_clear(&bytes);
	anim_store_free(store);
}

TEST(other_head, "a clip replayed under another head has that head")
{
	struct anim_store *store = anim_store_new(0, NULL);
	struct anim_store *second = anim_store_new(0, NULL);
	struct anim_clip head = axs_clip();

	push_all(anim_store_sink(store), 1, 3);
	head.name = "run";
	CHECK(anim_store_replay(store, 0, &head, anim_store_sink(second), NULL) == 0);
	CHECK(strcmp(anim_store_clip(second, 0)->name, "run") == 0 && anim_store_tracks(second, 0) == 3);
	anim_store_free(store);
	anim_store_free(second);
}

TEST(store_refuses, "a store refuses an invalid track, and the clip can still be dropped")
{
	struct anim_store *store = anim_store_new(1u << 20, NULL);
	struct anim_sink *sink = anim_store_sink(store);
	struct anim_track track = axs_curve();
	struct anim_clip clip = axs_clip();
	struct anim_error error = {0};

	CHECK(anim_sink_track(sink, &track, &error) == -1);
	CHECK(anim_sink_clip(sink, &clip, &error) == 0 && anim_sink_track(sink, &track, &error) == 0);
	track.interp = ANIM_HERMITE;
	CHECK(anim_sink_track(sink, &track, &error) == -1 && error.code == ANIM_BAD_INPUT);
	CHECK(anim_store_tracks(store, 0) == 1);
	anim_store_drop_last(store);
	CHECK(anim_store_clips(store) == 0);
	anim_store_free(store);
}

TEST(no_folder, "a store that finds no folder for its file says which one")
{
	struct anim_store *store = anim_store_new(0, NULL);
	struct anim_track track = axs_curve();
	struct anim_clip clip = axs_clip();
	struct anim_error error = {0};
	char *folder = getenv("TMPDIR") != NULL ? strdup(getenv("TMPDIR")) : NULL;

	setenv("TMPDIR", "/nowhere/at/all", 1);
	CHECK(anim_sink_clip(anim_store_sink(store), &clip, &error) == 0);
	CHECK(anim_sink_track(anim_store_sink(store), &track, &error) == -1);
	CHECK(error.code == ANIM_SYSTEM && error.sys == ENOENT && strstr(error.message, "/nowhere/at/all") != NULL);
	if (folder != NULL)
		setenv("TMPDIR", folder, 1);
	else
		unsetenv("TMPDIR");
	free(folder);
	anim_store_free(store);
}
