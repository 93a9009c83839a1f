/* crc.c: paths by their CRC-32, which is all that Unity's players know of them. */
#include "filter/rename/crc.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "stream/record.h"

/* The key lies in the arena, for the map borrows it. */
static int add_one(struct anim_crc_names *names, const char *path, struct anim_error *error)
{
	uint32_t crc = anim_crc32(0, path, strlen(path)), number = (uint32_t)(names->paths.size / sizeof path);
	uint32_t *key;

	if (anim_map_get(&names->by_crc, 0, &crc, sizeof crc, &number))
		return 0;
	if ((key = anim_arena_alloc(&names->arena, sizeof crc, error)) == NULL)
		return -1;
	*key = crc;
	if (anim_map_put(&names->by_crc, 0, key, sizeof crc, number, error) != 0)
		return -1;
	return anim_buffer_append(&names->paths, &path, sizeof path, error);
}

int anim_crc_names_add(struct anim_crc_names *names, const char *path, struct anim_error *error)
{
	const char *at = anim_arena_text(&names->arena, path, strlen(path), error);

	if (at == NULL)
		return -1;
	while (at != NULL && *at != '\0') {
		if (add_one(names, at, error) != 0)
			return -1;
		at = strchr(at, '/');
		at += at != NULL;
	}
	return 0;
}

/* The line up to its LF or the end, *size bytes of it; 0 at the end, -1. */
static ssize_t read_line(struct anim_input *input, const uint8_t **at, size_t *size, struct anim_error *error)
{
	ssize_t have = anim_input_peek(input, 1, at, error);
	const uint8_t *feed;

	while (have > 0 && (feed = memchr(*at, '\n', (size_t)have)) == NULL && have <= (ssize_t)ANIM_NAME_MAX + 1) {
		ssize_t more = anim_input_peek(input, (size_t)have + 1, at, error);

		if (more <= have) {
			*size = (size_t)have;
			return more < 0 ? -1 : more;
		}
		have = more;
	}
	if (have <= 0)
		return have;
	*size = feed != NULL ? (size_t)(feed - *at) : (size_t)have;
	return feed != NULL ? (ssize_t)*size + 1 : have;
}

int anim_crc_names_read(struct anim_crc_names *names, struct anim_input *input, struct anim_error *error)
{
	struct anim_place place = {.file = anim_input_name(input), .at = ANIM_AT_LINE, .column = 1};
	const uint8_t *at;
	ssize_t taken;
	size_t size;

	while ((taken = read_line(input, &at, &size, error)) > 0) {
		char *path;

		place.line++;
		if (place.line == 1 && size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) {
			at += 3;
			size -= 3;
		}
		if (size > 0 && at[size - 1] == '\r')
			size--;
		if (size > ANIM_NAME_MAX)
			return anim_fail_at(error, ANIM_TOO_LARGE, &place, "a path is longer than %u bytes",
					    ANIM_NAME_MAX);
		if (anim_utf8_prefix(at, size) != size)
			return anim_fail_at(error, ANIM_BAD_INPUT, &place, "the path is not UTF-8");
		path = anim_arena_text(&names->arena, (const char *)at, size, error);
		if (path == NULL || anim_crc_names_add(names, path, error) != 0)
			return -1;
		anim_input_skip(input, (size_t)taken);
	}
	return taken < 0 ? -1 : 0;
}

struct collector {
	struct anim_sink sink;
	struct anim_crc_names *names;
};

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	(void)tree;
	(void)error;
	((struct collector *)sink)->names->nodes.size = 0;
	return 0;
}

/* A bone's path leads through the bones above it, as it does in Unity. */
static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct anim_crc_names *names = ((struct collector *)sink)->names;
	const char *const *above = (const char *const *)(const void *)names->nodes.data;
	const char *parent = "", *own = anim_node_own_name(node->path);
	size_t length;
	char *path;

	if (names->nodes.size == 0)
		own = "";
	else if (node->parent < names->nodes.size / sizeof *above)
		parent = above[node->parent];
	length = strlen(parent);
	if (length + strlen(own) > ANIM_NAME_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "the path of node '%.200s' is too long", own);
	path = anim_arena_alloc(&names->arena, length + strlen(own) + 2, error);
	if (path == NULL)
		return -1;
	memcpy(path, parent, length);
	if (length > 0)
		path[length++] = '/';
	memcpy(path + length, own, strlen(own) + 1);
	if (anim_crc_names_add(names, path, error) != 0)
		return -1;
	return anim_buffer_append(&names->nodes, &path, sizeof path, error);
}

/* Of a clip that has CRCs for paths itself nothing can be learnt. */
static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct anim_crc_names *names = ((struct collector *)sink)->names;
	const char *path;

	return anim_crc_names_find(names, track->node, &path) ? 0 : anim_crc_names_add(names, track->node, error);
}

static void on_free(struct anim_sink *sink)
{
	free(sink);
}

struct anim_sink *anim_crc_names_sink_new(struct anim_crc_names *names, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.tree = on_tree, .node = on_node, .track = on_track, .free = on_free};
	struct collector *collector = calloc(1, sizeof *collector);

	if (collector == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	collector->sink.ops = &ops;
	collector->names = names;
	return &collector->sink;
}

bool anim_crc_names_find(const struct anim_crc_names *names, const char *node, const char **path)
{
	uint64_t value = 0;
	uint32_t crc, number;

	*path = NULL;
	if (strncmp(node, "path_", 5) == 0)
		node += 5;
	if (*node == '\0' || strlen(node) > 10)
		return false;
	for (; *node >= '0' && *node <= '9'; node++)
		value = 10 * value + (uint64_t)(*node - '0');
	if (*node != '\0' || value > UINT32_MAX)
		return false;
	crc = (uint32_t)value;
	if (crc == 0)
		*path = ".";
	else if (anim_map_get(&names->by_crc, 0, &crc, sizeof crc, &number))
		*path = ((const char *const *)(const void *)names->paths.data)[number];
	return true;
}

void anim_crc_names_clear(struct anim_crc_names *names)
{
	anim_map_clear(&names->by_crc);
	anim_buffer_clear(&names->paths);
	anim_buffer_clear(&names->nodes);
	anim_arena_clear(&names->arena);
}
