/* reader.c: anim_animj_read: the document, its head and its tracks; the tracks wait in a store for the clip's end. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/text.h"
#include "format/animj/reader.h"

static const char *const members[] = {"name", "globalDuration", "tracks", NULL};
enum { MEMBER_NAME, MEMBER_DURATION, MEMBER_TRACKS };

bool anim_animj_is(const uint8_t *bytes, size_t size)
{
	size_t at = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	while (at < size && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n'))
		at++;
	return at < size && bytes[at] == '{' &&
	       (anim_text_find(bytes, size, "\"globalDuration\"") != NULL ||
		anim_text_find(bytes, size, "\"trackType\"") != NULL);
}

static const char *base_name(struct animj_reader *reader, struct anim_error *error)
{
	return anim_read_base_name(anim_read_source_file(reader->options, reader->text->input), &reader->kept, error);
}

static int take_name(struct animj_reader *reader, struct anim_error *error)
{
	struct anim_place place = animj_here(reader);
	bool is_null;

	reader->clip_name = NULL;
	if (animj_take_string(reader, &reader->name, &is_null, "a string", error) != 0)
		return -1;
	if (is_null || reader->name.size == 0)
		return 0;
	if (reader->name.size > ANIM_NAME_MAX)
		return animj_refuse(reader, &place, error, "a name of %zu bytes, at most %u are allowed",
				    reader->name.size, ANIM_NAME_MAX);
	reader->clip_name = anim_arena_text(&reader->kept, (const char *)reader->name.data, reader->name.size, error);
	return reader->clip_name == NULL ? -1 : 0;
}

static int take_duration(struct animj_reader *reader, struct anim_error *error)
{
	struct anim_place place = animj_here(reader);

	if (animj_take_number(reader, &reader->duration_s, "a number of seconds", error) != 0)
		return -1;
	/* Resonite has it as a float, and so are the times it is compared with. */
	reader->duration_s = (double)(float)reader->duration_s;
	if (reader->duration_s >= 0)
		return 0;
	return animj_warn(reader, &place, NULL, error, "negative; the clip ends at its last key");
}

/* A clip in the store that tracks go to; one before it (tracks twice: the last counts) is dropped. */
static int begin_clip(struct animj_reader *reader, struct anim_error *error)
{
	static const struct anim_clip head = {.axes = ANIM_AXES_RESONITE, .name = "", .root = ".", .source = "animj"};

	if (anim_store_clips(reader->store) > 0)
		anim_store_drop_last(reader->store);
	reader->last_s = reader->key_s = reader->inner_s = 0;
	reader->clip = head;
	reader->rates_differ = false;
	return anim_sink_clip(anim_store_sink(reader->store), &head, error);
}

static int take_tracks(struct animj_reader *reader, struct anim_error *error)
{
	int more = animj_take_null(reader, error);
	bool first = true;

	if (more < 0 || begin_clip(reader, error) != 0)
		return -1;
	if (more == 1)
		return 0;
	if (animj_expect(reader, '[', "an array of tracks", error) != 0)
		return -1;
	reader->path.member = NULL;
	reader->path.track = -1;
	while ((more = animj_next_element(reader, &first, error)) == 1) {
		reader->path.track++;
		if (animj_read_track(reader, error) != 0)
			return -1;
	}
	if (more == 0)
		reader->path.track = -1;
	return more;
}

/* The member that a name means, or -1; a name that only differs in case is said to be passed over. */
static int find_member(struct animj_reader *reader, struct anim_error *error, int *member)
{
	const char *name = (const char *)reader->name.data;
	struct anim_place place = animj_here(reader);

	*member = -1;
	animj_path_name(reader, reader->name.data, reader->name.size);
	for (int i = 0; members[i] != NULL; i++)
		if (strcmp(members[i], name) == 0) {
			reader->path.member = members[i];
			*member = i;
			return 0;
		}
	for (int i = 0; members[i] != NULL; i++)
		if (strcasecmp(members[i], name) == 0)
			return animj_warn(reader, &place, NULL, error, "passed over; %s is written otherwise",
					  members[i]);
	return 0;
}

/* A name that stands in tracks. */
static bool is_of_track(const char *name)
{
	return strcmp(name, "trackType") == 0 || strcmp(name, "valueType") == 0 || strcmp(name, "data") == 0;
}

static int take_member(struct animj_reader *reader, unsigned *seen, struct anim_error *error)
{
	struct anim_place place = animj_here(reader);
	int member;

	if (find_member(reader, error, &member) != 0)
		return -1;
	if (member < 0) {
		reader->has_track_members |= is_of_track((const char *)reader->name.data);
		return animj_skip(reader, 1, error);
	}
	if ((*seen & 1u << member) && animj_warn(reader, &place, "members stand twice; the last of each counts", error,
						 "stands twice; the last one counts") != 0)
		return -1;
	*seen |= 1u << member;
	if (member == MEMBER_NAME)
		return take_name(reader, error);
	return member == MEMBER_DURATION ? take_duration(reader, error) : take_tracks(reader, error);
}

/* A byte order mark is passed over, as the engine's own reader of streams does. */
static int skip_mark(struct animj_reader *reader, struct anim_error *error)
{
	ssize_t got = animj_more(reader->text, 3, error);

	if (got >= 3 && memcmp(reader->text->at, "\xef\xbb\xbf", 3) == 0)
		reader->text->at += 3;
	return got < 0 ? -1 : 0;
}

static int refuse_rest(struct animj_reader *reader, int byte, struct anim_error *error)
{
	struct anim_place place = animj_here(reader);

	return byte == ANIMJ_ERROR ? -1 : animj_refuse(reader, &place, error, "more text behind the document's end");
}

/* The '{' that a document begins with; tracks by themselves are told how to become one. */
static int begin_document(struct animj_reader *reader, struct anim_error *error)
{
	struct anim_place place;

	if (skip_mark(reader, error) != 0)
		return -1;
	if (animj_blank(reader->text, error) != '[')
		return animj_expect(reader, '{', "an object", error);
	place = animj_here(reader);
	return animj_refuse(reader, &place, error,
			    "an array is no animation; if it is of tracks, put {\"tracks\": and } around it");
}

static int refuse_track(struct animj_reader *reader, const struct anim_place *place, struct anim_error *error)
{
	return animj_refuse(reader, place, error,
			    "a track by itself is no animation; put {\"tracks\": [ and ]} around it");
}

static int read_document(struct animj_reader *reader, struct anim_error *error)
{
	bool first = true;
	unsigned seen = 0;
	struct anim_place place;
	int more, byte;

	if (begin_document(reader, error) != 0)
		return -1;
	place = animj_here(reader);
	place.column--; /* its bracket */
	while (reader->path.member = NULL, (more = animj_next_member(reader, &first, error)) == 1)
		if (take_member(reader, &seen, error) != 0)
			return -1;
	if (more < 0)
		return -1;
	if (reader->has_track_members && !(seen & 1u << MEMBER_TRACKS))
		return refuse_track(reader, &place, error);
	byte = animj_blank(reader->text, error);
	if (byte != ANIMJ_END)
		return refuse_rest(reader, byte, error);
	if (anim_store_clips(reader->store) == 0 && begin_clip(reader, error) != 0)
		return -1;
	if (anim_store_tracks(reader->store, 0) > 0)
		return 0;
	place = animj_here(reader);
	return animj_warn(reader, &place, NULL, error, "no tracks in this file");
}

/* The clip as it is now known, with its tracks. */
static int write_clip(struct animj_reader *reader, struct anim_sink *sink, struct anim_error *error)
{
	struct anim_clip *clip = &reader->clip;
	double end_s = reader->duration_s;
	/* The last sample of a Raw track may lie past the end: it is there to play up to it. */
	bool covered = end_s >= reader->key_s && (end_s >= reader->last_s || end_s > reader->inner_s);
	bool derived = end_s < 0 || !covered;

	clip->end_s = (float)(derived ? reader->last_s : end_s);
	clip->flags = derived ? ANIM_END_DERIVED : 0;
	clip->name = reader->clip_name != NULL ? reader->clip_name : base_name(reader, error);
	if (clip->name == NULL)
		return -1;
	if (reader->rates_differ)
		clip->rate_num = clip->rate_den = 0;
	return anim_store_replay(reader->store, 0, clip, sink, error);
}

static void clear(struct animj_reader *reader)
{
	anim_store_free(reader->store);
	anim_buffer_clear(&reader->json.text);
	anim_buffer_clear(&reader->json.tokens);
	animj_columns_clear(&reader->columns);
	anim_buffer_clear(&reader->name);
	anim_buffer_clear(&reader->scalar);
	anim_buffer_clear(&reader->held);
	anim_arena_clear(&reader->kept);
	anim_arena_clear(&reader->names);
}

int animj_read(struct anim_input *input, const struct anim_read_options *options, bool templates,
	       struct anim_sink *sink, struct anim_error *error)
{
	struct animj_reader reader = {
	    .options = options, .path = {.track = -1, .key = -1}, .templates = {.off = !templates}, .duration_s = -1};
	struct animj_text text;
	int result = -1;

	animj_text_init(&text, input);
	reader.text = &text;
	reader.store = anim_store_new(options->store_memory, error);
	if (reader.store != NULL)
		result = read_document(&reader, error);
	if (result != 0)
		anim_error_in_file(error, anim_input_name(input));
	if (result == 0)
		result = write_clip(&reader, sink, error);
	clear(&reader);
	return result;
}

int anim_animj_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		    struct anim_error *error)
{
	return animj_read(input, options, true, sink, error);
}
