/* into_write.c: the edited copy of a file into which clips are put. */
#include <string.h>

#include "base/input.h"
#include "base/path.h"
#include "format/godot/into.h"

/* ---- The copy: everything except the animations stays the same, byte for byte ---- */

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

/* Print the tag of a player that the file does not have, and its clips or libraries. */
static void print_player(struct godot_into *into, struct godot_writer *writer, size_t number)
{
	const struct godot_home *home = home_at(into, number);
	struct godot_print *print = &writer->print;

	if (home->node == GODOT_NO_NODE || home->from_base) {
		const char *name = strrchr(home->player, '/');
		size_t folder = name == NULL ? 0 : (size_t)(name - home->player);

		/* A player of a base scene has its type there. */
		godot_print_format(print, "\n\n[node name=%Q%s parent=", name == NULL ? home->player : name + 1,
				   home->from_base ? "" : " type=\"AnimationPlayer\"");
		godot_print_quoted(print, folder == 0 ? "." : home->player, folder == 0 ? 1 : folder, true);
		godot_print_text(print, print->godot2 ? "]\n" : "]");
	}
	if (home->node == GODOT_NO_NODE && !print->godot2 && home->first != NO_NUMBER)
		print_root(writer, home->player, godot_writer_clip(writer, added_at(into, home->first)->clip)->root);
	if (!godot_print_is_3(print)) {
		print_libraries(into, writer, number);
		return;
	}
	for (uint32_t i = home->first; i != NO_NUMBER; i = added_at(into, i)->next) {
		godot_print_text(print, "\n");
		godot_writer_own(writer, added_at(into, i)->clip, added_at(into, i)->id);
	}
}

/* Print the replacement for the range of an edit. Returns 0 or -1. */
static int print_edit(struct godot_into *into, struct godot_writer *writer, const struct godot_edit *edit)
{
	struct godot_print *print = &writer->print;
	const struct godot_added *added;
	const struct godot_home *home;
	const struct godot_slots *slots;

	switch (edit->kind) {
	case GODOT_EDIT_DELETE:
		break;
	case GODOT_EDIT_NUMBER:
		godot_print_number(print, edit->what);
		break;
	case GODOT_EDIT_EXTERNALS:
		godot_print_text(print, edit->first ? "\n\n" : "\n");
		godot_print_new_externals(print);
		break;
	case GODOT_EDIT_BODY:
	case GODOT_EDIT_HEAD:
	case GODOT_EDIT_TRACKS:
		godot_print_text(print, edit->place.from == edit->place.to ? "\n" : "");
		return godot_writer_animation(writer, edit->what,
					      edit->kind == GODOT_EDIT_HEAD     ? GODOT_WRITE_HEAD
					      : edit->kind == GODOT_EDIT_TRACKS ? GODOT_WRITE_TRACKS
										: GODOT_WRITE_BODY);
	case GODOT_EDIT_ANIMATION:
		return godot_writer_sub(writer, added_at(into, edit->what)->clip, added_at(into, edit->what)->id);
	case GODOT_EDIT_ENTRY:
		added = added_at(into, edit->what);
		slots = &home_at(into, added->home)->existing->animations;
		godot_print_text(print, slots->insert == 0 && edit->first ? "\n_data = {\n"
					: edit->first                     ? "\n"
									  : ",\n");
		godot_writer_entry(writer, added->clip, added->id);
		if (added->next == NO_NUMBER && slots->first == 0) /* the dictionary was empty or did not exist */
			godot_print_text(print, slots->insert == 0 ? "\n}" : "\n");
		break;
	case GODOT_EDIT_LIBRARY:
		home = home_at(into, edit->what);
		godot_print_sub_tag(print, "AnimationLibrary", home->id);
		godot_print_text(print, "_data = {");
		for (uint32_t i = home->first; i != NO_NUMBER; i = added_at(into, i)->next) {
			godot_print_text(print, i == home->first ? "\n" : ",\n");
			godot_writer_entry(writer, added_at(into, i)->clip, added_at(into, i)->id);
		}
		godot_print_text(print, "\n}\n\n");
		break;
	case GODOT_EDIT_PLAYER:
		print_player(into, writer, edit->what);
		break;
	}
	return print->out.failed ? -1 : 0;
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

int godot_into_write_file(struct godot_into *into, struct godot_writer *writer)
{
	const struct anim_into *options = &into->options->into;
	const struct godot_edit *edit;
	struct anim_error *error = into->context.error;
	struct anim_input *input = NULL;
	int result;

	if (into->file != &into->own &&
	    options->follow(options->context, into->file->path, &writer->print.out.out, error) != 0)
		return -1;
	anim_edits_sort(&into->file->edits, sizeof *edit);
	result = godot_into_open(into, &input);
	edit = (const struct godot_edit *)(const void *)into->file->edits.data;
	for (size_t left = into->file->edits.size / sizeof *edit; left > 0 && result == 0; left--, edit++) {
		uint64_t at = anim_input_offset(input);

		if (edit->place.from > at)
			result = anim_edit_pass(input, edit->place.from - at, writer->print.out.out, error);
		at = anim_input_offset(input);
		if (result == 0)
			result = print_edit(into, writer, edit);
		if (result == 0 && edit->place.to > at)
			result = anim_edit_pass(input, edit->place.to - at, NULL, error);
		if (result == 0 && (edit->kind == GODOT_EDIT_EXTERNALS || edit->kind == GODOT_EDIT_BODY ||
				    edit->kind == GODOT_EDIT_HEAD || edit->kind == GODOT_EDIT_TRACKS))
			result = pass_line_end(input, error);
	}
	if (result == 0)
		result = anim_edit_pass(input, (uint64_t)into->file->info.size - anim_input_offset(input),
					writer->print.out.out, error);
	if (result == 0)
		result = anim_path_unchanged(into->file->path, &into->file->info, error);
	anim_input_close(input);
	return result != 0 || writer->print.out.failed ? -1 : 0;
}
