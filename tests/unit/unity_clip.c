/* unity_clip.c: AnimationClips of every version -> tracks, against dumps that
 * were looked at. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "format/dump/dump.h"
#include "format/unity/clip.h"
#include "format/unity/document.h"
#include "tap.h"

#define CLIPS_MAX 8

/* All clips of a file. */
struct reading {
	struct anim_buffer bytes;
	struct anim_arena arena;
	struct anim_diagnostics diagnostics;
	struct anim_store *store;
	struct unity_clip clips[CLIPS_MAX];
	size_t count;
	struct anim_error error;
	int result;
};

static bool load(struct anim_buffer *buffer, const char *path)
{
	FILE *file = fopen(path, "rb");
	char block[4096];
	size_t got;

	if (!CHECKF(file != NULL, "cannot open %s (ANIM_DATA names the folder of data)", path))
		return false;
	while ((got = fread(block, 1, sizeof block, file)) > 0)
		anim_buffer_append(buffer, block, got, NULL);
	fclose(file);
	return true;
}

/* The one guid that is known. */
static int resolve(void *context, const char *guid, int64_t file_id, struct unity_asset *asset,
		   struct anim_error *error)
{
	static const struct unity_sprite run_3 = {
	    .name = "run_3", .index = 3, .pivot = {0.5f, 0.5f}, .pixels_per_unit = 100};
	size_t *asked = context;

	(void)error;
	++*asked;
	if (strcmp(guid, "0123456789abcdef0123456789abcdef") != 0)
		return 0;
	asset->path = "Assets/\"run\".png";
	if (file_id < 0)
		asset->sprite = &run_3;
	return 1;
}

/* A fault of a document goes to the diagnostics and the next one is read, as a
 * reader of whole files does. */
static int read_documents(struct reading *r, struct unity_file *file, const struct unity_clip_options *options)
{
	struct unity_document document;
	int status;

	while ((status = unity_file_next(file, &document)) == 1) {
		if (document.class_id != 74 || r->count == CLIPS_MAX)
			continue;
		if (unity_clip_read(file, &document, options, &r->clips[r->count++], &r->error) != 0)
			return -1;
	}
	return status;
}

static void read_bytes(struct reading *r, const void *bytes, size_t size, bool slow, size_t *asked)
{
	struct unity_clip_options options = {.base_name = "base", .arena = &r->arena, .diagnostics = &r->diagnostics};
	struct anim_input *input;
	struct unity_file *file = NULL;

	r->store = options.store = anim_store_new(1 << 16, NULL);
	options.resolve = asked != NULL ? resolve : NULL;
	options.resolve_context = asked;
	r->result = anim_input_open_memory(&input, bytes, size, "x.anim", &r->error);
	if (r->result != 0)
		return;
	r->result = unity_file_open(&file, input, &r->error);
	if (r->result == 0) {
		if (slow)
			unity_file_slow(file);
		r->result = read_documents(r, file, &options);
	}
	unity_file_close(file);
	anim_input_close(input);
}

static void clear(struct reading *r)
{
	anim_buffer_clear(&r->bytes);
	anim_arena_clear(&r->arena);
	anim_diagnostics_clear(&r->diagnostics);
	anim_store_free(r->store);
}

static void data_path(char path[4096], const char *name)
{
	const char *data = getenv("ANIM_DATA") != NULL ? getenv("ANIM_DATA") : "tests/data";

	snprintf(path, 4096, "%s/unity/clip_%s", data, name);
}

static bool read_file(struct reading *r, const char *name, bool slow, size_t *asked)
{
	char path[4096];

	memset(r, 0, sizeof *r);
	data_path(path, name);
	if (!load(&r->bytes, path))
		return false;
	read_bytes(r, r->bytes.data, r->bytes.size, slow, asked);
	return CHECKF(r->result == 0, "%s: %s", name, r->error.message);
}

static void print(struct anim_output *out, const char *text)
{
	anim_output_write(out, text, strlen(text), NULL);
}

/* What was complained of, a line each: severity, place, how many, the first
 * one's text. */
static void print_diagnostics(const struct reading *r, struct anim_output *out)
{
	static const char *const severities[] = {"note", "warning", "fault"};
	char line[1024], text[900];

	for (size_t i = 0; i < r->diagnostics.count; i++) {
		const struct anim_diagnostic *diagnostic = &r->diagnostics.items[i];

		anim_diagnostic_print(diagnostic, text, sizeof text);
		snprintf(line, sizeof line, "%s %u:%u x%zu %s\n", severities[diagnostic->severity],
			 diagnostic->place.line, diagnostic->place.column, diagnostic->count, text);
		print(out, line);
	}
}

static void print_clips(struct reading *r, struct anim_output *out)
{
	struct anim_sink *dump = anim_dump_new(out, NULL);
	char line[160];

	for (size_t i = 0; i < r->count; i++) {
		const struct unity_clip *clip = &r->clips[i];

		if (clip->faulty)
			continue;
		CHECKF(anim_store_replay(r->store, clip->clip, &clip->head, dump, &r->error) == 0, "%s",
		       r->error.message);
	}
	anim_sink_end(dump, NULL);
	anim_sink_free(dump);
	for (size_t i = 0; i < r->count; i++) {
		const struct unity_clip *clip = &r->clips[i];

		snprintf(line, sizeof line, "clip %lld: line %u, %s%s, wrap %lld, %zu humanoid\n", (long long)clip->id,
			 clip->line, clip->legacy ? "legacy" : "mecanim", clip->faulty ? ", faulty" : "",
			 (long long)clip->wrap, clip->humanoid);
		print(out, line);
	}
	print_diagnostics(r, out);
}

/* Writes the golden where REGOLD is set; then look at it. */
static void compare(const char *name, const uint8_t *got, size_t size)
{
	struct anim_buffer wanted = {0};
	char path[4096], golden[64];

	snprintf(golden, sizeof golden, "%.*s.dump", (int)strcspn(name, "."), name);
	data_path(path, golden);
	if (getenv("REGOLD") != NULL) {
		FILE *file = fopen(path, "wb");

		fwrite(got, 1, size, file);
		fclose(file);
	}
	if (load(&wanted, path))
		CHECKF(wanted.size == size && memcmp(wanted.data, got, size) == 0, "%s is not as %s; got:\n%.*s", name,
		       path, (int)size, (const char *)got);
	anim_buffer_clear(&wanted);
}

static void check_golden(const char *name, bool slow)
{
	struct reading r;
	struct anim_output *out;
	size_t asked = 0, size;
	const uint8_t *got;

	if (!read_file(&r, name, slow, &asked))
		return;
	anim_output_open_memory(&out, NULL);
	print_clips(&r, out);
	got = anim_output_memory(out, &size);
	compare(name, got, size);
	anim_output_free(out);
	clear(&r);
}

#define GOLDEN(name, sentence)                  \
	TEST(clip_##name, sentence)             \
	{                                       \
		check_golden(#name ".anim", 0); \
		check_golden(#name ".anim", 1); \
	}

GOLDEN(generic, "every list, settings, events and references of a clip become "
		"tracks and attributes")
GOLDEN(weighted, "weights stand where a key has others than thirds; a slope "
		 "that is no number is kept and warned of")
GOLDEN(times, "keys of mixed versions, none, doubled, falling and endless "
	      "times are read, old tangent modes re-encoded")
GOLDEN(unity4, "a clip of Unity 4 is read, without the garbage that its "
	       "vectors have for tangent modes")
GOLDEN(unity4_legacy, "a legacy clip begins at 0, ends at its last key and "
		      "loops by its wrap mode")
GOLDEN(compressed, "compressed rotations get slopes of their neighbours, and one note")
GOLDEN(editor, "the editor's curves stand in where the clip has none of its own")
GOLDEN(humanoid, "an animator's curves are told to be muscles, root, goals, "
		 "bone translations or parameters")
GOLDEN(faults, "what is wrong with a clip is told with its places, and the "
	       "clips beside it are read")
GOLDEN(odd, "settings that make no sense are read as the engine's defaults, and told")

/* Reads a clip whose fields are the text. */
static void read_fields(struct reading *r, const char *fields)
{
	memset(r, 0, sizeof *r);
	anim_buffer_append(&r->bytes, "--- !u!74 &7400000\nAnimationClip:\n", 34, NULL);
	anim_buffer_append(&r->bytes, fields, strlen(fields), NULL);
	read_bytes(r, r->bytes.data, r->bytes.size, false, NULL);
}

static bool faulted(const struct reading *r, const char *text)
{
	for (size_t i = 0; i < r->diagnostics.count; i++)
		if (r->diagnostics.items[i].severity == ANIM_FAULT &&
		    strstr(r->diagnostics.items[i].text, text) != NULL)
			return r->clips[0].faulty && anim_store_clips(r->store) == 0;
	return false;
}

TEST(clip_asks, "each key's guid is asked for once, keys without one are not; "
		"without answers the text is the file's")
{
	struct reading r;
	struct anim_track track;
	size_t asked = 0;

	if (!read_file(&r, "generic.anim", false, &asked))
		return;
	CHECKF(asked == 2, "%zu", asked);
	clear(&r);
	if (!read_file(&r, "generic.anim", false, NULL))
		return;
	for (size_t i = 0; i < anim_store_tracks(r.store, 0); i++) {
		static const char wanted[] = "{fileID: 21300000, guid: 0123456789abcdef0123456789abcdef, type: 3}";

		if (strcmp(anim_store_track_at(r.store, 0, i)->property, "m_Sprite") != 0)
			continue;
		CHECK(anim_store_read(r.store, 0, i, &track, NULL) == 0);
		CHECKF(track.strings->length[0] == sizeof wanted - 1 &&
			   memcmp(track.strings->bytes + track.strings->start[0], wanted, sizeof wanted - 1) == 0,
		       "%.*s", (int)track.strings->length[0], track.strings->bytes + track.strings->start[0]);
	}
	clear(&r);
}

TEST(clip_ends, "a clip ends at its stop time, or at its last key, never before its start; events do not count")
{
	static const struct {
		const char *settings;
		int legacy;
		float start, end;
		unsigned flags, loop;
	} cases[] = {
	    {"m_StartTime: 0, m_StopTime: 5, m_LoopTime: 0", 0, 0, 5, 0, ANIM_LOOP_NONE},
	    {"m_StartTime: 0.5, m_StopTime: 1, m_LoopTime: 1", 0, 0.5f, 1, 0, ANIM_LOOP_WRAP},
	    {"m_StartTime: 0, m_StopTime: 0", 0, 0, 2, ANIM_END_DERIVED, ANIM_LOOP_NONE},
	    {"m_StartTime: 3, m_StopTime: 1", 0, 3, 3, ANIM_END_DERIVED, ANIM_LOOP_NONE},
	    {"m_StartTime: -1", 0, -1, 2, ANIM_END_DERIVED, ANIM_LOOP_NONE},
	    {"m_StartTime: 1, m_StopTime: 5, m_LoopTime: 1", 1, 0, 2, ANIM_END_DERIVED, ANIM_LOOP_PINGPONG},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r;
		const struct anim_clip *head = &r.clips[0].head;
		char text[1024];

		snprintf(text, sizeof text,
			 "  m_Legacy: %d\n  m_WrapMode: 4\n  m_FloatCurves:\n  - curve:\n  "
			 "    m_Curve:\n"
			 "      - {time: 0, value: 0}\n      - {time: 2, value: 1}\n    "
			 "attribute: a\n"
			 "  m_AnimationClipSettings: {%s}\n  m_Events:\n  - {time: 9, functionName: F}\n",
			 cases[i].legacy, cases[i].settings);
		read_fields(&r, text);
		CHECKF(r.result == 0 && head->start_s == cases[i].start && head->end_s == cases[i].end &&
			   head->flags == cases[i].flags && head->loop == cases[i].loop,
		       "%s: %g %g %u %u %s", cases[i].settings, (double)head->start_s, (double)head->end_s, head->flags,
		       head->loop, r.diagnostics.count > 0 ? r.diagnostics.items[0].text : "");
		clear(&r);
	}
}

TEST(clip_own_fields, "fields that the clip's members do not say are kept, "
		      "those that they say are not")
{
	struct reading r;
	const struct anim_attrs *attrs = &r.clips[0].head.attrs;

	read_fields(&r, "  m_Legacy: 1\n  m_SampleRate: 30\n  "
			"m_AnimationClipSettings: {m_StartTime: 0, m_StopTime: 5, "
			"m_LoopTime: 1}\n");
	CHECK(attrs->count == 3 && anim_attrs_get(attrs, "unity.m_Legacy") != NULL);
	CHECK(strcmp(anim_attrs_get(attrs, "unity.m_AnimationClipSettings.m_StopTime"), "5") == 0);
	CHECK(strcmp(anim_attrs_get(attrs, "unity.m_AnimationClipSettings.m_LoopTime"), "1") == 0);
	CHECK(r.clips[0].head.rate_num == 30 && r.clips[0].head.rate_den == 1);
	clear(&r);
	read_fields(&r, "  m_SampleRate: 1e-30\n  m_New: {a: {b: x, c: [1]}, d: "
			"'y'}\n  m_New: {a: {b: z, c: []}}\n");
	CHECK(attrs->count == 3 && strcmp(anim_attrs_get(attrs, "unity.m_SampleRate"), "1e-30") == 0);
	CHECK(strcmp(anim_attrs_get(attrs, "unity.m_New.a.b"), "z") == 0);
	CHECK(strcmp(anim_attrs_get(attrs, "unity.m_New.d"), "y") == 0);
	clear(&r);
}

TEST(clip_limits, "more fields, longer names and longer paths than a record "
		  "holds are faults of the clip")
{
	struct reading r;
	struct anim_buffer text = {0};
	char line[64];

	for (int i = 0; i < 4001; i++)
		anim_buffer_append(&text, line, (size_t)snprintf(line, sizeof line, "  m_New%d: 1\n", i), NULL);
	anim_buffer_append(&text, "", 1, NULL);
	read_fields(&r, (const char *)text.data);
	CHECK(faulted(&r, "more than 4000 fields"));
	clear(&r);
	for (int what = 0; what < 3; what++) {
		static const char *const before[] = {"  m_Name: ", "  m_PositionCurves:\n  - path: ", "  m_New: {"};
		static const char *const after[] = {"\n", "\n", ": {a: {b: 1}}}\n"};
		static const char *const messages[] = {"a name of more", "a path or attribute of more",
						       "path of a field"};

		text.size = 0;
		anim_buffer_append(&text, before[what], strlen(before[what]), NULL);
		memset(anim_buffer_extend(&text, what == 2 ? 1020 : 65536, NULL), 'a', what == 2 ? 1020 : 65536);
		anim_buffer_append(&text, after[what], strlen(after[what]) + 1, NULL);
		read_fields(&r, (const char *)text.data);
		CHECKF(faulted(&r, messages[what]), "%d: %s", what,
		       r.diagnostics.count > 0 ? r.diagnostics.items[0].text : "");
		clear(&r);
	}
	anim_buffer_clear(&text);
}

TEST(clip_cut, "a file cut anywhere is read or refused cleanly")
{
	struct reading whole, r;

	if (!read_file(&whole, "generic.anim", false, NULL))
		return;
	for (size_t size = 1; size < whole.bytes.size; size += 61) {
		memset(&r, 0, sizeof r);
		read_bytes(&r, whole.bytes.data, size, false, NULL);
		CHECKF(r.result == 0 || r.error.message[0] != '\0', "%zu", size);
		clear(&r);
	}
	clear(&whole);
}

/* Items of the runtime lists, told by their dashes at the lists' own indent. */
static size_t count_items(const struct anim_buffer *bytes)
{
	const char *at = (const char *)bytes->data, *end = at + bytes->size;
	size_t count = 0;
	bool inside = false;

	while (at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));
		size_t length = line_end != NULL ? (size_t)(line_end - at) : (size_t)(end - at);

		if (length > 3 && memcmp(at, "  m_", 4) == 0)
			inside = anim_text_find(at, length, "Curves:") != NULL &&
				 anim_text_find(at, length, "Editor") == NULL;
		else if (length > 3 && memcmp(at, "  - ", 4) == 0)
			count += inside;
		at += length + 1;
	}
	return count;
}

static void check_real_file(const char *path)
{
	struct reading r = {0};
	size_t tracks;

	if (!load(&r.bytes, path))
		return;
	read_bytes(&r, r.bytes.data, r.bytes.size, false, NULL);
	CHECKF(r.result == 0 && r.count == 1 && r.diagnostics.faults == 0, "%s: %s", path,
	       r.diagnostics.count > 0 ? r.diagnostics.items[0].text : r.error.message);
	tracks = r.result == 0 && r.count == 1 ? anim_store_tracks(r.store, 0) : 0;
	CHECKF(tracks > 0 && tracks == count_items(&r.bytes), "%s: %zu tracks of %zu curves", path, tracks,
	       count_items(&r.bytes));
	clear(&r);
}

TEST(clip_corpus, "every curve of the corpus's clips becomes a track, without a fault")
{
	const char *corpus = getenv("ANIM_CORPUS"), *data = getenv("ANIM_DATA");
	char folder[2048], path[4096];
	const struct dirent *entry;
	DIR *list;

	snprintf(folder, sizeof folder, "%s%s/unity",
		 corpus != NULL ? corpus
		 : data != NULL ? data
				: "tests/data",
		 corpus != NULL ? "" : "/../../../shared/corpus");
	list = opendir(folder);
	if (list == NULL) {
		tap_skip("no corpus");
		return;
	}
	while ((entry = readdir(list)) != NULL) {
		size_t length = strlen(entry->d_name);

		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		if (length > 5 && strcmp(entry->d_name + length - 5, ".anim") == 0)
			check_real_file(path);
	}
	closedir(list);
}
