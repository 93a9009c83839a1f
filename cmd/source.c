/* source.c: finds out what a file is and reads it. */
#include "source.h"

#include <string.h>
#include <strings.h>

#include "cli/kind.h"
#include "format/animj/animj.h"
#include "format/animx/animx.h"
#include "format/godot/godot.h"
#include "format/json/json.h"
#include "format/unity/unity.h"
#include "stream/reader.h"

/* So much is looked at to tell formats apart; comments and blanks may stand before a scene's first tag. */
#define LOOK_AT 4096

const char *const source_format_names[] = {"godot", "tscn", "escn", "tres", "animj", "animx", "unity", "json", NULL};
const enum source_format source_formats[] = {SOURCE_GODOT, SOURCE_GODOT, SOURCE_GODOT, SOURCE_GODOT,
					     SOURCE_ANIMJ, SOURCE_ANIMX, SOURCE_UNITY, SOURCE_JSON};

void source_options_init(struct source_options *options, struct cli *cli, const struct anim_input_options *input)
{
	memset(options, 0, sizeof *options);
	options->read.store_memory = cli_store_memory();
	options->read.losses = &cli->losses;
	options->read.input_options = input;
}

/* True where the name ends in ".suffix", with ".gz" behind it or not. */
static bool has_suffix(const char *name, const char *suffix)
{
	size_t length = strlen(name), size = strlen(suffix);

	if (length > 3 && strcasecmp(name + length - 3, ".gz") == 0)
		length -= 3;
	return length > size && name[length - size - 1] == '.' && strncasecmp(name + length - size, suffix, size) == 0;
}

/* What a name promises where the content says nothing. */
static enum cli_kind_of_file kind_of_name(const char *name)
{
	static const struct {
		const char *suffix;
		enum cli_kind_of_file kind;
	} suffixes[] = {
	    {"tscn", CLI_FILE_GODOT},       {"escn", CLI_FILE_GODOT},
	    {"tres", CLI_FILE_GODOT},       {"scn", CLI_FILE_GODOT_BINARY},
	    {"res", CLI_FILE_GODOT_BINARY}, {"animj", CLI_FILE_ANIMJ},
	    {"animx", CLI_FILE_ANIMX},      {"glb", CLI_FILE_GLTF},
	    {"gltf", CLI_FILE_GLTF},        {"fbx", CLI_FILE_FBX},
	    {"bvh", CLI_FILE_BVH},          {"dae", CLI_FILE_COLLADA},
	    {"blend", CLI_FILE_BLEND},      {"anim", CLI_FILE_UNITY},
	    {"controller", CLI_FILE_UNITY}, {"prefab", CLI_FILE_UNITY},
	    {"unity", CLI_FILE_UNITY},      {"asset", CLI_FILE_UNITY},
	    {"playable", CLI_FILE_UNITY},   {"overrideController", CLI_FILE_UNITY},
	};

	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (has_suffix(name, suffixes[i].suffix))
			return suffixes[i].kind;
	return CLI_FILE_UNKNOWN;
}

/* A name decides where the content says nothing, and between AnimJ and other JSON where what tells them apart comes late. */
static enum cli_kind_of_file kind_by_name(enum cli_kind_of_file kind, const char *name)
{
	enum cli_kind_of_file named = kind_of_name(name);

	return kind == CLI_FILE_UNKNOWN || named == CLI_FILE_ANIMJ ? named : kind;
}

static enum cli_kind_of_file kind_asked_for(enum source_format format)
{
	static const enum cli_kind_of_file kinds[] = {
	    [SOURCE_BY_CONTENT] = CLI_FILE_UNKNOWN, [SOURCE_GODOT] = CLI_FILE_GODOT, [SOURCE_ANIMJ] = CLI_FILE_ANIMJ,
	    [SOURCE_ANIMX] = CLI_FILE_ANIMX,        [SOURCE_UNITY] = CLI_FILE_UNITY, [SOURCE_JSON] = CLI_FILE_LINES};

	return kinds[format];
}

static int refuse(enum cli_kind_of_file kind, struct anim_input *input, struct anim_error *error)
{
	const struct cli_kind_info *info = &cli_kind_infos[kind];
	struct anim_place place = {.file = anim_input_name(input), .at = ANIM_AT_FILE, .line = 1, .column = 1};

	switch (kind) {
	case CLI_FILE_STREAM:
		return anim_fail_at(error, ANIM_UNSUPPORTED, &place, "a stream already; pipe it on as it is");
	case CLI_FILE_EMPTY:
		return cli_refuse_empty(input, error);
	case CLI_FILE_UNKNOWN:
		return anim_fail_at(error, ANIM_BAD_INPUT, &place,
				    "in no format that is read (tscn, escn, tres, unity, animj, animx, json); if it "
				    "is, name it: anim-parse -f FORMAT");
	case CLI_FILE_HTML:
	case CLI_FILE_JSON:
		place.at = ANIM_AT_LINE;
		return anim_fail_at(error, ANIM_BAD_INPUT, &place, "%s, not an animation",
				    kind == CLI_FILE_HTML ? info->name : "JSON");
	default:
		break;
	}
	if (info->way == NULL)
		return anim_fail_at(error, ANIM_UNSUPPORTED, &place, "%s is not read by this version", info->name);
	return anim_fail_at(error, ANIM_UNSUPPORTED, &place, "%s is not read; %s", info->name, info->way);
}

static int read_stream(struct anim_input *input, struct anim_sink *sink, struct anim_error *error)
{
	struct anim_stream_reader *reader;
	int result = anim_stream_reader_new(&reader, input, error);

	if (result == 0) {
		result = anim_stream_pump(reader, sink, error);
		anim_stream_reader_free(reader);
	}
	if (result != 0 && error->at == ANIM_AT_BYTE)
		anim_error_in_file(error, anim_input_name(input));
	return result;
}

static enum cli_kind_of_file kind_of_content(const uint8_t *bytes, size_t size)
{
	if (anim_godot_is(bytes, size))
		return CLI_FILE_GODOT;
	if (anim_json_is(bytes, size))
		return CLI_FILE_LINES;
	return anim_unity_is(bytes, size) ? CLI_FILE_UNITY : cli_kind_of(bytes, size);
}

/* By what was asked for, then content, then name. JSON is the stream as text and stays what it was, as streams do. */
static int read_by_kind(const struct source_options *options, struct anim_input *input, struct anim_naming_sink *naming,
			struct anim_sink *sink, struct anim_error *error)
{
	enum cli_kind_of_file kind = kind_asked_for(options->format);
	const uint8_t *at;
	ssize_t size = anim_input_peek(input, LOOK_AT, &at, error);

	if (size < 0 || anim_losses_enter(options->read.losses, anim_input_name(input), NULL, error) == NULL)
		return -1;
	if (kind == CLI_FILE_UNKNOWN)
		kind = kind_of_content(at, (size_t)size);
	if (kind == CLI_FILE_UNKNOWN || kind == CLI_FILE_JSON)
		kind = kind_by_name(kind, anim_input_name(input));
	if (options->names_clips && kind != CLI_FILE_LINES && kind != CLI_FILE_STREAM)
		sink = anim_naming_sink_init(naming, anim_read_source_file(&options->read, input), sink);
	if (kind == CLI_FILE_GODOT)
		return anim_godot_read(input, &options->read, sink, error);
	if (kind == CLI_FILE_ANIMJ)
		return anim_animj_read(input, &options->read, sink, error);
	if (kind == CLI_FILE_ANIMX)
		return anim_animx_read(input, &options->read, sink, error);
	if (kind == CLI_FILE_UNITY)
		return anim_unity_read(input, &options->read, sink, error);
	if (kind == CLI_FILE_LINES)
		return anim_json_read(input, &options->read, sink, error);
	if (kind == CLI_FILE_STREAM && options->streams)
		return read_stream(input, sink, error);
	return refuse(kind, input, error);
}

int source_read(struct cli *cli, const struct source_options *options, const char *path, struct anim_sink *sink,
		struct anim_error *error)
{
	struct anim_naming_sink naming = {.next = NULL};
	struct anim_input *input;
	int result = cli_open_input(cli, path, &input, error);

	if (result == 0)
		result = read_by_kind(options, input, &naming, sink, error);
	anim_naming_sink_clear(&naming);
	options->read.losses->scope = NULL;
	anim_input_close(input);
	return result;
}

int source_read_all(struct cli *cli, const struct source_options *options, struct anim_sink *sink,
		    struct anim_error *error)
{
	for (int i = 0; i < cli->operand_count || i == 0; i++)
		if (source_read(cli, options, i < cli->operand_count ? cli->operands[i] : NULL, sink, error) != 0)
			return -1;
	return anim_losses_check(&cli->losses, error) != 0 ? -1 : anim_sink_end(sink, error);
}

int source_read_rests(struct cli *cli, const char *path, struct anim_rests *rests, struct anim_error *error)
{
	struct anim_input_options input;
	struct source_options options;
	struct anim_losses losses = {0};
	struct anim_sink *sink = anim_rests_sink_new(rests, error);
	int result;

	cli_input_options(&input);
	source_options_init(&options, cli, &input);
	options.streams = true;
	options.read.losses = &losses;
	result = sink == NULL ? -1 : source_read(cli, &options, path, sink, error);
	if (result == 0)
		result = anim_losses_check(&losses, error);
	if (result == 0 && rests->count == 0) {
		result = anim_fail(error, ANIM_UNSUPPORTED, "has no nodes, so no rests; a scene has them");
		anim_error_in_file(error, path);
	}
	anim_sink_free(sink);
	anim_losses_clear(&losses);
	return result;
}
