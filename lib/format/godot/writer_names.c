/* writer_names.c: players, libraries and names of the clips that are written. */
#include <string.h>

#include "base/number.h"
#include "format/godot/writer_internal.h"

/* A copy in which what Godot refuses in names of animations and libraries is '_'; *changed is set. NULL out of memory. */
static char *clean(struct godot_writer *writer, const char *text, size_t length, bool *changed,
		   struct anim_error *error)
{
	char *copy = anim_arena_text(&writer->kept, text, length, error);

	for (char *at = copy; at != NULL && *at != '\0'; at++)
		if (strchr("/:,[", *at) != NULL) {
			*at = '_';
			*changed = true;
		}
	return copy;
}

/* Player, library and name: what is unique. In the buffer; 0 or -1. */
static int print_key(const struct godot_writer *writer, const struct godot_written_clip *written, const char *name,
		     struct anim_buffer *key, struct anim_error *error)
{
	const char *parts[] = {writer->options.scene ? written->player : "", written->library, name};
	int result = 0;

	key->size = 0;
	for (size_t i = 0; i < sizeof parts / sizeof *parts && result == 0; i++)
		result = anim_buffer_append(key, parts[i], strlen(parts[i]) + 1, error);
	return result;
}

/* 1 the name is free and taken now, 0 another clip has it, -1. */
static int take(struct godot_writer *writer, const struct godot_written_clip *written, const char *name,
		struct anim_error *error)
{
	struct anim_buffer key = {0};
	int result = print_key(writer, written, name, &key, error);

	if (result == 0)
		result = anim_text_set_add(&writer->taken, key.data, key.size, error);
	anim_buffer_clear(&key);
	return result;
}

/* The first of "walk-2", "walk-3" ... that is free; where others got such names is where the search goes on. */
static int take_numbered(struct godot_writer *writer, struct godot_written_clip *written, const char *key, size_t size,
			 struct anim_error *error)
{
	size_t length = strlen(written->name);
	char *text = anim_arena_alloc(&writer->kept, length + 2 + ANIM_NUMBER_MAX, error);
	uint32_t number = 2;
	int taken = text == NULL ? -1 : 0;

	(void)anim_map_get(&writer->numbers, 0, key, size, &number);
	while (taken == 0) {
		memcpy(text, written->name, length);
		text[length] = '-';
		text[length + 1 + anim_number_print_uint64(text + length + 1, number++)] = '\0';
		taken = take(writer, written, text, error);
	}
	written->name = text;
	return taken < 0 ? -1 : anim_map_put(&writer->numbers, 0, key, size, number, error);
}

/* "walk", or "walk-2" where another clip of the library is called so. 0 or -1. */
static int make_unique(struct godot_writer *writer, struct godot_written_clip *written, bool *changed,
		       struct anim_error *error)
{
	int taken = take(writer, written, written->name, error);
	struct anim_buffer key = {0};
	const char *kept;
	int result = -1;

	if (taken != 0)
		return taken < 0 ? -1 : 0;
	*changed = true;
	if (print_key(writer, written, written->name, &key, error) == 0 &&
	    (kept = anim_arena_text(&writer->kept, (const char *)key.data, key.size, error)) != NULL)
		result = take_numbered(writer, written, kept, key.size, error);
	anim_buffer_clear(&key);
	return result;
}

/* "lib/walk" is walk of library lib; a .tres is one library and Godot 3 has none. */
static int split_name(struct godot_writer *writer, const struct anim_clip *clip, struct godot_written_clip *written,
		      struct anim_error *error)
{
	const char *slash = godot_emit_is_3(&writer->emit) ? NULL : strchr(clip->name, '/');
	const char *name = slash == NULL ? clip->name : slash + 1;
	size_t library = slash == NULL || !writer->options.scene ? 0 : (size_t)(slash - clip->name);
	bool changed = name[0] == '\0';

	if (changed)
		name = "animation";
	written->library = clean(writer, clip->name, library, &changed, error);
	written->name = clean(writer, name, strlen(name), &changed, error);
	if (written->library == NULL || written->name == NULL || make_unique(writer, written, &changed, error) != 0)
		return -1;
	if (!changed)
		return 0;
	return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
			       "clips got other names: Godot's are unique and have no '/', ':', ',' or '['", error,
			       "clip '%s' is called '%s': Godot's names are unique and have no '/', ':', ',' or '['",
			       clip->name, written->name);
}

/* A player of Godot's keeps its place; what Unity's Animator sits on gets a player below it. */
static const char *player_of(struct godot_writer *writer, const struct anim_clip *clip, struct anim_error *error)
{
	static const char name[] = "AnimationPlayer";
	const char *player = anim_attrs_get(&clip->attrs, "player"), *node;
	char *path;

	if (player == NULL || strcmp(player, ".") == 0 || !godot_nodes_can_be(player))
		return name;
	if (writer->names.from_godot)
		return anim_arena_text(&writer->kept, player, strlen(player), error);
	node = godot_emit_node(&writer->names, player, NULL, &writer->kept, error);
	path = node == NULL ? NULL : anim_arena_alloc(&writer->kept, strlen(node) + sizeof name + 1, error);
	if (path == NULL)
		return NULL;
	memcpy(path, node, strlen(node));
	path[strlen(node)] = '/';
	memcpy(path + strlen(node) + 1, name, sizeof name);
	return path;
}

/* The number of a text among those of its scope; `next` is that of a new one. 0 or -1. */
static int number_of(struct godot_writer *writer, uint64_t scope, const char *text, uint32_t *next, uint32_t *number,
		     struct anim_error *error)
{
	if (anim_map_get(&writer->groups, scope, text, strlen(text), number))
		return 0;
	*number = (*next)++;
	return anim_map_put(&writer->groups, scope, text, strlen(text), *number, error);
}

/* Libraries of two players are two, whatever they are called. */
static int group(struct godot_writer *writer, struct godot_written_clip *written, struct anim_error *error)
{
	const char *player = writer->options.scene ? written->player : "";

	if (number_of(writer, 0, player, &writer->players, &written->player_number, error) != 0)
		return -1;
	return number_of(writer, 1 + (uint64_t)written->player_number, written->library, &writer->libraries,
			 &written->library_number, error);
}

int godot_writer_place(struct godot_writer *writer, const struct anim_clip *clip, struct godot_written_clip *written,
		       struct anim_error *error)
{
	const char *root = godot_emit_node(&writer->names, clip->root, NULL, &writer->kept, error);

	written->player = player_of(writer, clip, error);
	if (root == NULL || written->player == NULL)
		return -1;
	root = root[0] == '\0' ? "." : root;
	written->root = anim_arena_text(&writer->kept, root, strlen(root), error);
	if (written->root == NULL || split_name(writer, clip, written, error) != 0)
		return -1;
	return group(writer, written, error);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* By the bytes, but numbers in them by their size: walk2 before walk10. */
static int compare_names(const char *a, const char *b)
{
	while (*a != '\0' && *b != '\0') {
		if (is_digit(*a) && is_digit(*b)) {
			size_t x, y;
			int order;

			a += strspn(a, "0");
			b += strspn(b, "0");
			x = strspn(a, "0123456789");
			y = strspn(b, "0123456789");
			order = x != y ? (x < y ? -1 : 1) : memcmp(a, b, x);
			if (order != 0)
				return order;
			a += x;
			b += y;
		} else if (*a != *b) {
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	return (*a != '\0') - (*b != '\0');
}

static int compare_clips(const struct godot_written_clip *a, const struct godot_written_clip *b)
{
	if (a->player_number != b->player_number)
		return a->player_number < b->player_number ? -1 : 1;
	if (a->library_number != b->library_number)
		return a->library_number < b->library_number ? -1 : 1;
	return a->names.from_godot && b->names.from_godot ? 0 : compare_names(a->name, b->name);
}

/* Merges two sorted runs, equal ones in their order: n log n whatever comes. */
static void merge(const struct godot_writer *writer, uint32_t *numbers, uint32_t *spare, size_t count)
{
	size_t half = count / 2, i = 0, j = half;

	if (count < 2)
		return;
	merge(writer, numbers, spare, half);
	merge(writer, numbers + half, spare, count - half);
	memcpy(spare, numbers, count * sizeof *numbers);
	for (size_t k = 0; k < count; k++) {
		bool second = i == half || (j < count && compare_clips(godot_writer_clip(writer, spare[j]),
								       godot_writer_clip(writer, spare[i])) < 0);

		numbers[k] = second ? spare[j++] : spare[i++];
	}
}

/* Where each player's clips begin in the order, and how many libraries are before them. 0 or -1. */
static int find_players(struct godot_writer *writer, const uint32_t *order, size_t count, struct anim_error *error)
{
	uint32_t library = 0;

	writer->player_from = anim_arena_zeroed(&writer->kept, writer->players + 1, sizeof(uint32_t), error);
	writer->player_library = anim_arena_zeroed(&writer->kept, writer->players + 1, sizeof(uint32_t), error);
	if (writer->player_from == NULL || writer->player_library == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct godot_written_clip *clip = godot_writer_clip(writer, order[i]);
		const struct godot_written_clip *before = i == 0 ? NULL : godot_writer_clip(writer, order[i - 1]);

		if (before == NULL || before->player_number != clip->player_number) {
			writer->player_from[clip->player_number] = (uint32_t)i;
			writer->player_library[clip->player_number] = library;
		}
		library += before == NULL || before->library_number != clip->library_number;
	}
	return 0;
}

uint32_t *godot_writer_order(struct godot_writer *writer, size_t *count, struct anim_error *error)
{
	size_t n = writer->clips.size / sizeof(struct godot_written_clip);
	uint32_t *numbers = anim_arena_zeroed(&writer->kept, n, sizeof *numbers, error);
	uint32_t *spare = anim_arena_zeroed(&writer->kept, n, sizeof *spare, error);

	*count = n;
	if (numbers == NULL || spare == NULL)
		return NULL;
	for (size_t i = 0; i < n; i++)
		numbers[i] = (uint32_t)i;
	merge(writer, numbers, spare, n);
	return find_players(writer, numbers, n, error) != 0 ? NULL : numbers;
}
