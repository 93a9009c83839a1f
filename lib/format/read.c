/* read.c: the name of a source, of clips without a name, and of nodes with a name that a sibling has. */
#include "format/read.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "format/name.h"
#include "math/elementary.h"

void anim_read_kept_clear(struct anim_read_kept *kept)
{
	if (kept->free != NULL)
		kept->free(kept->what);
	*kept = (struct anim_read_kept){0};
}

const char *anim_read_source_file(const struct anim_read_options *options, const struct anim_input *input)
{
	if (options->source_name != NULL)
		return options->source_name;
	return anim_input_is_pipe(input) ? "" : anim_path_last(anim_input_name(input));
}

const char *anim_read_base_name(const char *file, struct anim_arena *arena, struct anim_error *error)
{
	size_t length = strlen(file);

	if (length > 3 && strcasecmp(file + length - 3, ".gz") == 0)
		length -= 3;
	for (size_t i = length; i > 1; i--)
		if (file[i - 1] == '.') {
			length = i - 1;
			break;
		}
	return length == 0 ? "clip" : anim_arena_text(arena, file, length, error);
}

const char *anim_read_unique_name(struct anim_map *names, uint64_t scope, const char *name, struct anim_arena *arena,
				  struct anim_error *error)
{
	const char *own = name;
	uint32_t count, other;

	if (anim_map_get(names, scope, name, strlen(name), &count)) {
		do {
			own = anim_arena_printf(arena, error, "%s_%" PRIu32, name, ++count);
			if (own == NULL)
				return NULL;
		} while (anim_map_get(names, scope, own, strlen(own), &other));
		if (anim_map_put(names, scope, name, strlen(name), count, error) != 0)
			return NULL;
	}
	return anim_map_put(names, scope, own, strlen(own), 1, error) != 0 ? NULL : own;
}

int anim_held_part(struct anim_held *held, const char *name, struct anim_error *error)
{
	size_t length = strlen(name);

	if (anim_text_set_add(&held->parts, name, length, error) < 0)
		return -1;
	return held->successor == NULL || !anim_text_set_has(&held->successor->parts, name, length);
}

bool anim_read_rate(double rate, double tolerance, uint32_t *num, uint32_t *den)
{
	double whole = anim_round(rate), film = anim_round(rate * 1.001), thousandths = anim_round(rate * 1000);
	uint32_t divisor = 1000;

	*den = 1;
	*num = (uint32_t)whole;
	if (whole >= 1 && fabs(rate - whole) <= tolerance * rate)
		return true;
	*num = (uint32_t)film * 1000;
	*den = 1001;
	if (film >= 1 && fabs(rate - film * 1000 / 1001) <= tolerance * rate)
		return true;
	*num = (uint32_t)thousandths;
	for (; divisor % 2 == 0 && *num % 2 == 0 && *num > 0; divisor /= 2)
		*num /= 2;
	for (; divisor % 5 == 0 && *num % 5 == 0 && *num > 0; divisor /= 5)
		*num /= 5;
	*den = divisor;
	return *num > 0 && fabs(rate - thousandths / 1000) <= tolerance * rate;
}

bool anim_read_as_parse(const char *text, unsigned *set)
{
	static const char words[] = ANIM_READ_AS_WORDS; /* in the order of the bits */

	*set = 0;
	for (size_t length; *text != '\0'; text += length + (text[length] == ',')) {
		const char *word = words;
		unsigned bit = 1;

		length = strcspn(text, ",");
		while (word != NULL && (strncmp(word, text, length) != 0 || strcspn(word, ",") != length)) {
			word = strchr(word, ' ');
			word += word != NULL;
			bit <<= 1;
		}
		if (word == NULL || length == 0)
			return false;
		*set |= bit;
	}
	return *set != 0;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct anim_naming_sink *naming = (struct anim_naming_sink *)sink;

	naming->tree_has_file = tree->source_file[0] != '\0';
	return anim_sink_tree(naming->next, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(((struct anim_naming_sink *)sink)->next, node, error);
}

/*
 * Call the clip after its file, and number it if an earlier clip has that name. The name of a clip of a player is not
 * changed, because other parts of its scene refer to it. Returns 0 or -1.
 */
static int rename_clip(struct anim_naming_sink *naming, struct anim_clip *clip, struct anim_error *error)
{
	const char *file = anim_path_last(anim_clip_file(clip, naming->file)), *base;
	const struct anim_clip before = *clip;
	int is_new = 0;

	base = anim_read_base_name(file[0] == '\0' ? anim_path_last(naming->file) : file, &naming->arena, error);
	clip->name = base;
	for (unsigned number = 2; clip->name != NULL; number++) {
		is_new = anim_text_set_add(&naming->names, clip->name, strlen(clip->name), error);
		if (is_new != 0)
			break;
		clip->name = anim_arena_printf(&naming->arena, error, "%s-%u", base, number);
	}
	clip->record = NULL;
	if (clip->name != NULL && is_new > 0 && strcmp(clip->name, before.name) == 0)
		return 0;
	if (clip->name == NULL || is_new < 0 ||
	    anim_attrs_with(&clip->attrs, &before.attrs, ANIM_ATTR_OLD_NAME, before.name, &naming->arena, error) != 0)
		return -1;
	return anim_attrs_with(&clip->attrs, &clip->attrs, "godot.resource_name", NULL, &naming->arena, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_naming_sink *naming = (struct anim_naming_sink *)sink;
	struct anim_clip named = *clip;
	bool has_file = anim_clip_file(clip, naming->tree_has_file ? naming->file : NULL)[0] != '\0';

	anim_arena_reset(&naming->arena);
	if (naming->file[0] == '\0')
		return anim_sink_clip(naming->next, clip, error);
	/* Scripts play Godot's clips by the names in players and libraries. */
	if (anim_name_says_nothing(clip->name, naming->clips == 1) && anim_attrs_get(&clip->attrs, "player") == NULL &&
	    anim_attrs_get(&clip->attrs, ANIM_ATTR_GODOT_LIBRARY) == NULL) {
		if (rename_clip(naming, &named, error) != 0)
			return -1;
	} else if (anim_text_set_add(&naming->names, clip->name, strlen(clip->name), error) < 0) {
		return -1;
	}
	if (naming->adds_file && !has_file) {
		named.record = NULL;
		if (anim_attrs_with(&named.attrs, &named.attrs, "file", naming->file, &naming->arena, error) != 0)
			return -1;
	}
	return anim_sink_clip(naming->next, &named, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(((struct anim_naming_sink *)sink)->next, track, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return anim_sink_record(((struct anim_naming_sink *)sink)->next, record, error);
}

static void on_free(struct anim_sink *sink)
{
	(void)sink;
}

struct anim_sink *anim_naming_sink_init(struct anim_naming_sink *naming, const char *file, bool adds_file,
					struct anim_sink *next)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, NULL, on_free};

	*naming = (struct anim_naming_sink){.sink.ops = &ops, .next = next, .file = file, .adds_file = adds_file};
	return &naming->sink;
}

void anim_naming_sink_clear(struct anim_naming_sink *naming)
{
	anim_text_set_clear(&naming->names);
	anim_arena_clear(&naming->arena);
}

int anim_read_open(const struct anim_read_options *options, int fd, const char *name, struct anim_input **input,
		   struct anim_error *error)
{
	struct anim_input_options input_options = {0};

	if (options->input_options != NULL)
		input_options = *options->input_options;
	input_options.name = NULL;
	if (options->opened != NULL && options->opened(options->opened_context, name, error) != 0)
		return -1;
	return fd < 0 ? anim_input_open(input, name, &input_options, error)
		      : anim_input_open_fd(input, fd, name, &input_options, error);
}

int anim_read_refused(const struct anim_read_options *options, const char *shown, struct anim_arena *arena,
		      const char **why, struct anim_error *error)
{
	if (!options->keep_going)
		return anim_error_in_file(error, shown);
	*why = anim_arena_text(arena, error->message, strlen(error->message), NULL);
	if (*why == NULL)
		return anim_fail_memory(error);
	*error = (struct anim_error){0};
	return 0;
}
