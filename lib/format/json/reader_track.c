/* reader_track.c: a track out of its line. */
#include "base/limits.h"
#include "format/json/reader.h"

enum {
	NODE,
	PROPERTY,
	COMPONENT,
	KIND,
	TYPE,
	RULES,
	FLAGS,
	BEFORE,
	AFTER,
	INTERP,
	KEYS,
	START,
	STEP,
	RATE,
	ATTRIBUTES,
	COLUMNS
};
static const char *const members[] = {"node",  "property", "component",  "kind",    "type", "rules",
				      "flags", "before",   "after",      "interp",  "keys", "start",
				      "step",  "rate",     "attributes", "columns", NULL};
_Static_assert(sizeof members / sizeof *members <= JSONL_MEMBERS_MAX + 1, "an object has room for all members");

static int read_kind_and_type(struct jsonl_reader *reader, const struct jsonl_object *object, struct anim_track *track)
{
	const char *names[ANIM_TYPE_COUNT];
	uint8_t kind = 0, type = 0, rules = ANIM_RULES_PLAIN;

	for (unsigned i = 0; i < ANIM_TYPE_COUNT; i++)
		names[i] = anim_types[i].name;
	if (jsonl_word_of(reader, object, KIND, anim_kind_names, ANIM_CURVE + 1, &kind) != 0 ||
	    jsonl_word_of(reader, object, TYPE, names, ANIM_TYPE_COUNT, &type) != 0 ||
	    jsonl_word_of(reader, object, RULES, anim_rules_names, ANIM_RULES_COUNT, &rules) != 0)
		return -1;
	track->kind = (enum anim_kind)kind;
	track->type = (enum anim_type)type;
	track->rules = (enum anim_rules)rules;
	return 0;
}

/* The mode of all keys, or null where a column has that of each; Linear where nothing is said, but Hold of Discrete. */
static int read_interp(struct jsonl_reader *reader, const struct jsonl_object *object, struct anim_track *track)
{
	track->interp = track->kind == ANIM_DISCRETE ? ANIM_HOLD : ANIM_LINEAR;
	if (object->value[INTERP] == NULL)
		return 0;
	reader->at = object->value[INTERP];
	track->interp = ANIM_INTERP_COLUMN;
	return jsonl_accept_null(reader) ? 0 : jsonl_word(reader, anim_interp_names, ANIM_INTERP_COUNT, &track->interp);
}

static int read_head(struct jsonl_reader *reader, const struct jsonl_object *object, struct anim_track *track)
{
	uint64_t component = ANIM_WHOLE;
	unsigned flags = 0;

	if (jsonl_text_of(reader, object, NODE, &track->node) != 0 ||
	    jsonl_text_of(reader, object, PROPERTY, &track->property) != 0 ||
	    jsonl_count_of(reader, object, COMPONENT, 254, &component) != 0 ||
	    read_kind_and_type(reader, object, track) != 0 ||
	    jsonl_bits_of(reader, object, FLAGS, anim_track_flag_names, ANIM_TRACK_FLAG_COUNT, &flags) != 0 ||
	    jsonl_word_of(reader, object, BEFORE, anim_ends_names, ANIM_ENDS_COUNT, &track->before) != 0 ||
	    jsonl_word_of(reader, object, AFTER, anim_ends_names, ANIM_ENDS_COUNT, &track->after) != 0 ||
	    read_interp(reader, object, track) != 0 || jsonl_double_of(reader, object, START, &track->start_s) != 0 ||
	    jsonl_double_of(reader, object, STEP, &track->step_s) != 0 ||
	    jsonl_rate_of(reader, object, RATE, &track->rate_num, &track->rate_den) != 0)
		return -1;
	track->component = (uint8_t)component;
	track->flags = flags;
	return jsonl_attrs_of(reader, object, ATTRIBUTES, &track->attrs);
}

/* Only Raw tracks have a grid: that of another would be lost without a word. */
static int check_grid(struct jsonl_reader *reader, const struct jsonl_object *object, const struct anim_track *track)
{
	static const unsigned grid[] = {START, STEP, RATE};

	for (unsigned i = 0; i < 3; i++)
		if (track->kind != ANIM_RAW && object->value[grid[i]] != NULL)
			return jsonl_fail(reader, object->value[grid[i]], "\"%s\" is for Raw tracks", members[grid[i]]);
	return 0;
}

int jsonl_read_track(struct jsonl_reader *reader)
{
	struct anim_track track = {.node = ".", .property = ""};
	struct jsonl_object object;
	const char *behind;
	uint64_t keys;

	if (jsonl_members(reader, members, &object) != 0)
		return -1;
	behind = reader->at;
	if (jsonl_needs(reader, &object, PROPERTY) != 0 || jsonl_needs(reader, &object, KIND) != 0 ||
	    jsonl_needs(reader, &object, TYPE) != 0 || jsonl_needs(reader, &object, COLUMNS) != 0 ||
	    read_head(reader, &object, &track) != 0 || check_grid(reader, &object, &track) != 0)
		return -1;
	reader->at = object.value[COLUMNS];
	if (jsonl_read_columns(reader, &track) != 0)
		return -1;
	keys = track.n;
	if (jsonl_count_of(reader, &object, KEYS, ANIM_KEYS_MAX, &keys) != 0)
		return -1;
	if (keys != track.n)
		return jsonl_fail(reader, object.value[KEYS], "the columns have %zu elements", track.n);
	reader->at = behind;
	if (anim_track_validate(&track, reader->error) != 0)
		return jsonl_place(reader);
	return anim_sink_track(reader->sink, &track, reader->error);
}
