/* reader_track.c: one track of an AnimJ document: its two types and its data, in whatever order they come. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/text.h"
#include "format/animj/reader_json.h"

#define DEPTH_OF_DATA 3u /* document, tracks, track */

static bool is_named(const struct animj_reader *reader, const char *name)
{
	return reader->name.size == strlen(name) && memcmp(reader->name.data, name, reader->name.size) == 0;
}

/* .NET's Enum.Parse takes blanks around a name, and numbers. */
static const char *trim(char *text)
{
	size_t length;

	text += strspn(text, " \t\r\n");
	length = strlen(text);
	while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
		text[--length] = '\0';
	return text;
}

static int take_kind(struct animj_reader *reader, struct anim_error *error)
{
	static const char *const names[] = {"Raw", "Discrete", "Curve", "Bezier"};
	struct anim_place place = animj_here(reader);
	bool is_null;
	char shown[40];
	const char *word;
	int kind = -1;

	if (animj_take_string(reader, &reader->name, &is_null, "a string", error) != 0)
		return -1;
	word = is_null ? "null" : trim((char *)reader->name.data);
	for (int i = 0; i < 4; i++)
		if (strcmp(word, names[i]) == 0 || (word[0] == '0' + i && word[1] == '\0'))
			kind = i;
	anim_text_safe(shown, sizeof shown, word, strlen(word));
	if (kind < 0)
		return animj_refuse(reader, &place, error,
				    "'%s' is not a track type; there are Raw, Discrete and Curve", shown);
	reader->head.kind = kind > ANIM_CURVE ? ANIM_CURVE : kind;
	if (kind <= ANIM_CURVE)
		return 0;
	return animj_warn(reader, &place, "tracks of type Bezier, which Resonite refuses, are read as Curve", error,
			  "Bezier, which Resonite refuses, is read as Curve");
}

/* The type with this name in letters of the other case, NULL where there is none. */
static const char *almost_type(const char *name)
{
	for (int i = 0; i < ANIM_TYPE_COUNT; i++)
		if (strcasecmp(anim_types[i].name, name) == 0)
			return anim_types[i].name;
	return NULL;
}

static int refuse_type(struct animj_reader *reader, const struct anim_place *place, const char *name,
		       struct anim_error *error)
{
	static const char *const others[] = {"char", "DateTime", "TimeSpan", "decimal"};
	char shown[40];

	anim_text_safe(shown, sizeof shown, name, strlen(name));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(name, others[i]) == 0)
			return animj_refuse(reader, place, error, "%s is a type that no animation can have", name);
	if (almost_type(name) != NULL)
		return animj_refuse(reader, place, error, "'%s' is not a value type; %s is", shown, almost_type(name));
	return animj_refuse(reader, place, error, "'%s' is not a value type (enums are none)", shown);
}

static int take_type(struct animj_reader *reader, struct anim_error *error)
{
	struct anim_place place = animj_here(reader);
	const char *name;
	bool is_null;

	if (animj_take_string(reader, &reader->name, &is_null, "a string", error) != 0)
		return -1;
	name = is_null ? "null" : (const char *)reader->name.data;
	reader->head.type = anim_type_find(name, strlen(name));
	if (reader->head.type >= 0 && anim_types[reader->head.type].matrix)
		return animj_refuse(reader, &place, error, "AnimJ has no matrices (%s); AnimX has", name);
	if (reader->head.type >= 0)
		return 0;
	if (strcmp(name, "colorX") != 0)
		return refuse_type(reader, &place, name, error);
	reader->head.type = ANIM_COLOR;
	return animj_warn(reader, &place, "tracks of colorX, which no animation can have, are read as color", error,
			  "colorX, which no animation can have, is read as color, without its profile");
}

/* A name of a track, in the arena; NULL for null. */
static int take_name(struct animj_reader *reader, char **name, struct anim_error *error)
{
	struct anim_place place = animj_here(reader);
	bool is_null;

	*name = NULL;
	if (animj_take_string(reader, &reader->name, &is_null, "a string", error) != 0)
		return -1;
	if (is_null)
		return 0;
	if (reader->name.size > ANIM_NAME_MAX)
		return animj_refuse(reader, &place, error, "a name of %zu bytes, at most %u are allowed",
				    reader->name.size, ANIM_NAME_MAX);
	*name = anim_arena_text(&reader->names, (const char *)reader->name.data, reader->name.size, error);
	return *name == NULL ? -1 : 0;
}

static int take_interval(struct animj_reader *reader, struct anim_error *error)
{
	struct anim_place place = animj_here(reader);

	if (animj_take_number(reader, &reader->head.interval_s, "a number of seconds", error) != 0)
		return -1;
	if (reader->head.interval_s < 0)
		return animj_refuse(reader, &place, error, "a negative interval");
	/* Resonite has it as a float. */
	reader->head.interval_s = (double)(float)reader->head.interval_s;
	if (isinf(reader->head.interval_s))
		return animj_refuse(reader, &place, error, "an interval beyond the largest float");
	return 0;
}

static int take_data_member(struct animj_reader *reader, const char *member, struct anim_error *error)
{
	if (strcmp(member, "keyframes") == 0)
		return animj_read_keyframes(reader, error);
	if (strcmp(member, "interval") == 0)
		return take_interval(reader, error);
	return take_name(reader, *member == 'n' ? &reader->head.node : &reader->head.property, error);
}

/* The number of the name just read among `names`, NULL behind the last, or -1; the path is on it then. */
static int find_member(struct animj_reader *reader, const char *const *names)
{
	for (int i = 0; names[i] != NULL; i++)
		if (is_named(reader, names[i])) {
			reader->path.member = names[i];
			return i;
		}
	animj_path_name(reader, reader->name.data, reader->name.size);
	return -1;
}

static int warn_of_twice(struct animj_reader *reader, unsigned *seen, int member, struct anim_error *error)
{
	struct anim_place place;
	bool twice = *seen & 1u << member;

	*seen |= 1u << member;
	if (!twice)
		return 0;
	place = animj_here(reader);
	return animj_warn(reader, &place, "members stand twice; the last of each counts", error,
			  "stands twice; the last one counts");
}

/* The object `data`, whose types are known. */
static int read_data(struct animj_reader *reader, struct anim_error *error)
{
	static const char *const names[] = {"node", "property", "keyframes", "interval", NULL};
	bool first = true;
	unsigned seen = 0;
	int more;

	if (animj_expect(reader, '{', "an object", error) != 0)
		return -1;
	reader->path.in_data = true;
	while (reader->path.member = NULL, (more = animj_next_member(reader, &first, error)) == 1) {
		int member = find_member(reader, names), result;

		/* Only Raw tracks have an interval. */
		if (member < 0 || (member == 3 && reader->head.kind != ANIM_RAW))
			result = animj_skip(reader, ANIMJ_DEPTH_OF_KEYS - 1, error);
		else if ((result = warn_of_twice(reader, &seen, member, error)) == 0)
			result = take_data_member(reader, names[member], error);
		if (result != 0)
			return -1;
	}
	reader->path.in_data = false;
	return more;
}

/* Data that was held until its types were known. */
static int read_held(struct animj_reader *reader, const struct anim_place *place, struct anim_error *error)
{
	struct animj_text *outer = reader->text, text;
	struct anim_input *input;
	int result;

	if (anim_input_open_memory(&input, reader->held.data, reader->held.size, place->file, error) != 0)
		return -1;
	animj_text_init_inside(&text, input, place);
	reader->text = &text;
	result = read_data(reader, error);
	reader->text = outer;
	anim_input_close(input);
	anim_buffer_clear(&reader->held);
	return result;
}

/* Keeps the text of `data` where the types are still to come. */
static int hold_data(struct animj_reader *reader, struct anim_error *error)
{
	size_t capitals = 0;
	struct anim_place place;
	int cut;

	if (animj_blank(reader->text, error) != '{')
		return animj_unexpected_here(reader, "an object", error);
	place = animj_here(reader);
	cut = animj_take_text(reader->text, &reader->held, DEPTH_OF_DATA, &capitals, error);
	if (cut == ANIMJ_DEEP)
		return animj_explain(reader, reader->held.data, reader->held.size, &place, DEPTH_OF_DATA, error);
	return cut == ANIMJ_CUT ? animj_unexpected_here(reader, "'}'", error) : cut;
}

/* The members of a track; Resonite demands exactly these, in this order. */
enum { TRACK_KIND, TRACK_TYPE, TRACK_DATA, TRACK_MEMBERS };
static const char *const track_members[] = {"trackType", "valueType", "data", NULL};

struct track_state {
	unsigned seen;
	int next;      /* member that should come */
	bool in_order; /* until now */
	bool held;     /* data */
	struct anim_place held_at;
};

static int take_track_member(struct animj_reader *reader, struct track_state *state, int member,
			     struct anim_error *error)
{
	struct anim_place place = animj_here(reader);

	if (state->seen & 1u << member)
		return animj_refuse(reader, &place, error, "stands twice");
	state->seen |= 1u << member;
	if (member == TRACK_KIND)
		return take_kind(reader, error);
	if (member == TRACK_TYPE)
		return take_type(reader, error);
	state->held = reader->head.kind < 0 || reader->head.type < 0;
	state->held_at = place;
	return state->held ? hold_data(reader, error) : read_data(reader, error);
}

static int check_members(struct animj_reader *reader, const struct track_state *state, const struct anim_place *place,
			 struct anim_error *error)
{
	reader->path.member = NULL;
	for (int i = 0; i < TRACK_MEMBERS; i++)
		if (!(state->seen & 1u << i))
			return animj_refuse(reader, place, error, "a track without %s", track_members[i]);
	if (state->in_order)
		return 0;
	return animj_warn(
	    reader, place,
	    "tracks that Resonite refuses: it wants trackType, valueType, data in this order and nothing else", error,
	    "Resonite refuses this track: it wants trackType, valueType, data in this order and nothing "
	    "else");
}

int animj_read_track(struct animj_reader *reader, struct anim_error *error)
{
	struct track_state state = {.in_order = true};
	struct anim_place place = animj_here(reader);
	bool first = true;
	int more;

	reader->head = (struct animj_track_head){.kind = -1, .type = -1};
	anim_arena_reset(&reader->names);
	animj_columns_reset(&reader->columns);
	if (animj_expect(reader, '{', "a track, an object,", error) != 0)
		return -1;
	while (reader->path.member = NULL, (more = animj_next_member(reader, &first, error)) == 1) {
		int member = find_member(reader, track_members);

		state.in_order = state.in_order && member == state.next++;
		if ((member < 0 ? animj_skip(reader, DEPTH_OF_DATA, error)
				: take_track_member(reader, &state, member, error)) != 0)
			return -1;
	}
	if (more < 0 || check_members(reader, &state, &place, error) != 0)
		return -1;
	reader->path.member = "data";
	if (state.held && read_held(reader, &state.held_at, error) != 0)
		return -1;
	reader->path.member = NULL;
	return animj_finish_track(reader, &place, error);
}
