/* writer_players.c: what an AnimationPlayer says: what it animates, its libraries, what it plays at once. */
#include <string.h>

#include "format/godot/writer_internal.h"

/* The length of what two paths have in common, in whole names. */
static size_t common_length(const char *a, const char *b)
{
	size_t same = 0;

	for (size_t i = 0;; i++) {
		bool both_end = (a[i] == '\0' || a[i] == '/') && (b[i] == '\0' || b[i] == '/');

		if (both_end)
			same = i;
		if (a[i] != b[i] || a[i] == '\0')
			return same;
	}
}

/* The path of `to` seen from `from`, both of the scene ("" its root): "../A". In the arena; NULL out of memory. */
static const char *relative_path(const char *from, const char *to, struct anim_arena *arena, struct anim_error *error)
{
	size_t same = common_length(from, to), ups = 0, length;
	char *text, *at;

	from += same + (from[same] == '/');
	to += same + (to[same] == '/');
	for (size_t i = 0; from[i] != '\0'; i++)
		ups += i == 0 || from[i] == '/' ? 1u : 0u;
	length = strlen(to);
	text = at = anim_arena_alloc(arena, 3 * ups + length + 2, error);
	if (text == NULL)
		return NULL;
	for (size_t i = 0; i < ups; i++, at += 3)
		memcpy(at, "../", 3);
	memcpy(at, to, length + 1);
	if (length == 0 && at > text)
		at[-1] = '\0';
	return text[0] == '\0' ? "." : text;
}

static const char *scene_path(const char *path)
{
	return strcmp(path, ".") == 0 ? "" : path;
}

static int emit_root(struct godot_writer *writer, const struct godot_written_clip *clip, struct anim_error *error)
{
	const char *path = relative_path(scene_path(clip->player), scene_path(clip->root), &writer->scratch, error);

	if (path == NULL)
		return -1;
	if (strcmp(path, "..") == 0)
		return 0;
	godot_emit_property(&writer->emit, "root_node");
	godot_emit_path(&writer->emit, path);
	godot_emit_text(&writer->emit, "\n");
	return 0;
}

/* Full name of the clip that the player begins with. */
static void emit_autoplay(struct godot_writer *writer, const struct godot_written_clip *clip, struct anim_error *error)
{
	size_t library = strlen(clip->library), name = strlen(clip->name);
	char *text = anim_arena_alloc(&writer->scratch, library + name + 2, error);

	if (text == NULL) {
		writer->emit.print.failed = true;
		return;
	}
	memcpy(text, clip->library, library);
	text[library] = '/';
	memcpy(text + library + 1, clip->name, name + 1);
	godot_emit_property(&writer->emit, "autoplay");
	if (writer->emit.version == ANIM_GODOT_4_6)
		godot_emit_text(&writer->emit, "&");
	godot_emit_quoted(&writer->emit, library == 0 ? clip->name : text, strlen(library == 0 ? clip->name : text),
			  false);
	godot_emit_text(&writer->emit, "\n");
}

/* A property named prefix + name, which may want quotes. */
static void emit_named(struct godot_writer *writer, const char *prefix, const char *name, struct anim_error *error)
{
	size_t head = strlen(prefix), length = strlen(name);
	char *text = anim_arena_alloc(&writer->scratch, head + length + 1, error);

	if (text == NULL) {
		writer->emit.print.failed = true;
		return;
	}
	memcpy(text, prefix, head);
	memcpy(text + head, name, length + 1);
	godot_emit_property(&writer->emit, text);
}

/* The clips of one player lie side by side in the order, and its libraries too. */
static void emit_libraries(struct godot_writer *writer, const uint32_t *order, size_t from, size_t to, size_t library,
			   struct anim_error *error)
{
	struct godot_emit *emit = &writer->emit;
	bool single = emit->version == ANIM_GODOT_4_6;

	for (size_t i = from; i < to; i++) {
		const struct godot_written_clip *clip = godot_writer_clip(writer, order[i]);

		if (i > from && clip->library_number == godot_writer_clip(writer, order[i - 1])->library_number)
			continue;
		if (single) {
			emit_named(writer, "libraries/", clip->library, error);
		} else {
			godot_emit_text(emit, i > from ? ",\n" : "libraries = {\n");
			godot_emit_key(emit, clip->library);
			godot_emit_text(emit, ": ");
		}
		godot_emit_sub(emit, "AnimationLibrary", ++library);
		godot_emit_text(emit, single ? "\n" : "");
	}
	godot_emit_text(emit, single ? "" : "\n}\n");
}

/* Godot 3's players hold their clips themselves. */
static void emit_own(struct godot_writer *writer, const uint32_t *order, size_t from, size_t to,
		     struct anim_error *error)
{
	for (size_t i = from; i < to; i++) {
		emit_named(writer, "anims/", godot_writer_clip(writer, order[i])->name, error);
		godot_emit_sub(&writer->emit, "Animation", i + 1);
		godot_emit_text(&writer->emit, "\n");
	}
}

int godot_writer_player(struct godot_writer *writer, const uint32_t *order, size_t count, const char *path,
			struct anim_error *error)
{
	const struct godot_written_clip *autoplay = NULL;
	bool old = godot_emit_is_3(&writer->emit);
	size_t from, to, library;
	uint32_t player;

	if (!anim_map_get(&writer->groups, 0, path, strlen(path), &player))
		return 0;
	anim_arena_reset(&writer->scratch);
	from = writer->player_from[player];
	library = writer->player_library[player];
	for (to = from; to < count && strcmp(godot_writer_clip(writer, order[to])->player, path) == 0; to++)
		if (godot_writer_clip(writer, order[to])->autoplay)
			autoplay = godot_writer_clip(writer, order[to]);
	if (emit_root(writer, godot_writer_clip(writer, order[from]), error) != 0)
		return -1;
	if (autoplay != NULL && old)
		emit_autoplay(writer, autoplay, error);
	if (old)
		emit_own(writer, order, from, to, error);
	else
		emit_libraries(writer, order, from, to, library, error);
	if (autoplay != NULL && !old)
		emit_autoplay(writer, autoplay, error);
	return writer->emit.print.failed ? -1 : 0;
}
