/* into_write.c: the edited copy of a file into which clips are put. */
#include <string.h>

#include "base/input.h"
#include "base/path.h"
#include "format/godot/into.h"

/* ---- The copy: everything except the animations stays the same, byte for byte ---- */

static void print_entry(struct godot_into *into, struct godot_writer *writer, const struct godot_edit *edit)
{
	const struct godot_added *added = added_at(into, edit->what);
	const struct godot_slots *slots = &home_at(into, added->home)->existing->animations;
	struct godot_print *print = &writer->print;

	godot_print_text(print, slots->insert == 0 && edit->first ? "\n_data = {\n" : edit->first ? "\n" : ",\n");
	godot_writer_entry(writer, added->clip, added->id);
	if (added->next == NO_NUMBER && slots->first == 0) /* the dictionary was empty ("{}") or did not exist */
		godot_print_text(print, slots->insert == 0 ? "\n}" : "\n");
}

/* Print the clips of a home as a library. */
static void print_library(struct godot_into *into, struct godot_writer *writer, size_t number)
{
	const struct godot_home *home = home_at(into, number);
	struct godot_print *print = &writer->print;

	godot_print_sub_tag(print, "AnimationLibrary", home->id);
	godot_print_text(print, "_data = {");
	for (uint32_t i = home->first; i != NO_NUMBER; i = added_at(into, i)->next) {
		godot_print_text(print, i == home->first ? "\n" : ",\n");
		godot_writer_entry(writer, added_at(into, i)->clip, added_at(into, i)->id);
	}
	godot_print_text(print, "\n}\n\n");
}

/* Print the tag of a player, with its name and parent. A player of a base scene has its type there. */
static void print_node(struct godot_print *print, const char *path, bool from_base)
{
	const char *name = strrchr(path, '/');
	size_t folder = name == NULL ? 0 : (size_t)(name - path);

	godot_print_format(print, "\n\n[node name=%Q%s parent=", name == NULL ? path : name + 1,
			   from_base ? "" : " type=\"AnimationPlayer\"");
	godot_print_quoted(print, folder == 0 ? "." : path, folder == 0 ? 1 : folder, true);
	godot_print_text(print, print->godot2 ? "]\n" : "]");
}

/* Print the node that a created player animates, unless it is the node above the player. */
static void print_root(struct godot_writer *writer, const char *player, const char *root)
{
	const char *slash = strrchr(player, '/');
	size_t folder = slash == NULL ? 0 : (size_t)(slash - player);

	if (strcmp(root, ".") == 0 ? folder == 0 : strlen(root) == folder && strncmp(root, player, folder) == 0)
		return;
	godot_print_text(&writer->print, "\nroot_node = NodePath");
	godot_print_format(&writer->print, "%(");
	godot_print_text(&writer->print, "\"..");
	for (const char *at = player; (at = strchr(at, '/')) != NULL; at++)
		godot_print_text(&writer->print, "/..");
	if (strcmp(root, ".") != 0)
		godot_print_format(&writer->print, "/%s", root);
	godot_print_format(&writer->print, "\"%)");
}

/* Print the new libraries of a player, from home `number` on. */
static void print_libraries(struct godot_into *into, struct godot_writer *writer, size_t number)
{
	const struct godot_home *first = home_at(into, number);
	struct godot_print *print = &writer->print;
	bool dictionary = first->have != NULL && first->have->libraries.insert != 0,
	     properties = print->version == ANIM_GODOT_4_6 ||
			  (first->have != NULL && first->have->libraries.first != 0 && !dictionary),
	     any = dictionary && first->have->libraries.first != 0;

	if (!dictionary && !properties)
		godot_print_text(print, "\nlibraries = {");
	for (const struct godot_home *home = first;; home = home_at(into, home->next)) {
		if (home->existing == NULL && properties && !dictionary) {
			godot_print_text(print, "\n");
			godot_writer_named(writer, "libraries/", home->library);
		} else if (home->existing == NULL) {
			godot_print_format(print, any ? ",\n%k: " : "\n%k: ", home->library);
		}
		if (home->existing == NULL)
			godot_print_sub(print, "AnimationLibrary", home->id);
		any = true;
		if (home->next == NO_NUMBER)
			break;
	}
	if (!dictionary && !properties)
		godot_print_text(print, "\n}");
}

static void print_player(struct godot_into *into, struct godot_writer *writer, size_t number)
{
	const struct godot_home *home = home_at(into, number);

	if (home->node == GODOT_NO_NODE || home->from_base)
		print_node(&writer->print, home->player, home->from_base);
	if (home->node == GODOT_NO_NODE && !writer->print.godot2 && home->first != NO_NUMBER)
		print_root(writer, home->player, godot_writer_clip(writer, added_at(into, home->first)->clip)->root);
	if (!godot_print_is_3(&writer->print)) {
		print_libraries(into, writer, number);
		return;
	}
	for (uint32_t i = home->first; i != NO_NUMBER; i = added_at(into, i)->next) {
		godot_print_text(&writer->print, "\n");
		godot_writer_own(writer, added_at(into, i)->clip, added_at(into, i)->id);
	}
}

static int print_edit(struct godot_into *into, struct godot_writer *writer, const struct godot_edit *edit)
{
	switch (edit->kind) {
	case GODOT_EDIT_DELETE:
		break;
	case GODOT_EDIT_NUMBER:
		godot_print_number(&writer->print, edit->what);
		break;
	case GODOT_EDIT_EXTERNALS:
		godot_print_text(&writer->print, edit->first ? "\n\n" : "\n");
		godot_print_new_externals(&writer->print);
		break;
	case GODOT_EDIT_BODY:
	case GODOT_EDIT_HEAD:
	case GODOT_EDIT_TRACKS:
		godot_print_text(&writer->print, edit->place.from == edit->place.to ? "\n" : "");
		return godot_writer_animation(writer, edit->what,
					      edit->kind == GODOT_EDIT_HEAD     ? GODOT_WRITE_HEAD
					      : edit->kind == GODOT_EDIT_TRACKS ? GODOT_WRITE_TRACKS
										: GODOT_WRITE_BODY);
	case GODOT_EDIT_ANIMATION:
		return godot_writer_sub(writer, added_at(into, edit->what)->clip, added_at(into, edit->what)->id);
	case GODOT_EDIT_ENTRY:
		print_entry(into, writer, edit);
		break;
	case GODOT_EDIT_LIBRARY:
		print_library(into, writer, edit->what);
		break;
	case GODOT_EDIT_PLAYER:
		print_player(into, writer, edit->what);
		break;
	}
	return writer->print.out.failed ? -1 : 0;
}

/* Skip the line break in the file, because printed tags and bodies end with their own. */
static int pass_line_end(struct anim_input *input, struct anim_error *error)
{
	const uint8_t *at;
	ssize_t size = anim_input_peek(input, 2, &at, error);

	if (size < 0)
		return -1;
	if (size > 0 && at[0] == '\n')
		return anim_edit_pass(input, 1, NULL, error);
	return size > 1 && at[0] == '\r' && at[1] == '\n' ? anim_edit_pass(input, 2, NULL, error) : 0;
}

static int copy(struct godot_into *into, struct godot_writer *writer, struct anim_input *input)
{
	const struct godot_edit *edits = (const struct godot_edit *)(const void *)into->file->edits.data;
	size_t count = into->file->edits.size / sizeof *edits;
	uint64_t size = (uint64_t)into->file->info.size;

	for (size_t i = 0; i < count; i++) {
		uint64_t at = anim_input_offset(input);

		if (edits[i].place.from > at &&
		    anim_edit_pass(input, edits[i].place.from - at, writer->print.out.out, into->context.error) != 0)
			return -1;
		at = anim_input_offset(input);
		if (print_edit(into, writer, &edits[i]) != 0 ||
		    (edits[i].place.to > at &&
		     anim_edit_pass(input, edits[i].place.to - at, NULL, into->context.error) != 0))
			return -1;
		if ((edits[i].kind == GODOT_EDIT_EXTERNALS || edits[i].kind == GODOT_EDIT_BODY ||
		     edits[i].kind == GODOT_EDIT_HEAD || edits[i].kind == GODOT_EDIT_TRACKS) &&
		    pass_line_end(input, into->context.error) != 0)
			return -1;
	}
	return anim_edit_pass(input, size - anim_input_offset(input), writer->print.out.out, into->context.error);
}

int godot_into_write_file(struct godot_into *into, struct godot_writer *writer)
{
	const struct anim_into *options = &into->options->into;
	struct anim_input *input = NULL;
	int result;

	if (into->file != &into->own &&
	    options->follow(options->context, into->file->path, &writer->print.out.out, into->context.error) != 0)
		return -1;
	anim_edits_sort(&into->file->edits, sizeof(struct godot_edit));
	result = godot_into_open(into, &input);
	if (result == 0)
		result = copy(into, writer, input);
	if (result == 0)
		result = anim_path_unchanged(into->file->path, &into->file->info, into->context.error);
	anim_input_close(input);
	return result != 0 || writer->print.out.failed ? -1 : 0;
}
