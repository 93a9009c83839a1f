/* into_write.c: a file copied with the clips in it: what is not one of its animations stays, byte for byte. */
#include <string.h>

#include "base/input.h"
#include "base/path.h"
#include "format/godot/into.h"

/* ---- Writing ---- */

static void print_entry(struct godot_into *into, struct godot_writer *writer, const struct godot_edit *edit)
{
	const struct godot_added *added = godot_into_added(into, edit->what);
	const struct godot_slots *slots = &godot_into_home(into, added->home)->stands->animations;
	struct godot_print *print = &writer->print;

	godot_print_text(print, slots->insert == 0 && edit->first ? "\n_data = {\n" : edit->first ? "\n" : ",\n");
	godot_writer_entry(writer, added->clip, added->id);
	if (added->next == NO_NUMBER && slots->first == 0) /* the dictionary was empty: "{}", or is not there */
		godot_print_text(print, slots->insert == 0 ? "\n}" : "\n");
}

/* The clips of a home as a library. */
static void print_library(struct godot_into *into, struct godot_writer *writer, size_t number)
{
	const struct godot_home *home = godot_into_home(into, number);
	struct godot_print *print = &writer->print;

	godot_writer_sub_tag(print, "AnimationLibrary", home->id);
	godot_print_text(print, "_data = {");
	for (uint32_t i = home->first; i != NO_NUMBER; i = godot_into_added(into, i)->next) {
		godot_print_text(print, i == home->first ? "\n" : ",\n");
		godot_writer_entry(writer, godot_into_added(into, i)->clip, godot_into_added(into, i)->id);
	}
	godot_print_text(print, "\n}\n\n");
}

/* Name and parent of a player that is made. */
static void print_node(struct godot_print *print, const char *path)
{
	const char *name = strrchr(path, '/');
	size_t folder = name == NULL ? 0 : (size_t)(name - path);

	godot_print_format(print, "\n\n[node name=%Q type=\"AnimationPlayer\" parent=", name == NULL ? path : name + 1);
	godot_print_quoted(print, folder == 0 ? "." : path, folder == 0 ? 1 : folder, true);
	godot_print_text(print, print->godot2 ? "]\n" : "]");
}

/* Animations that are new to a player of Godot 3. */
static void print_own(struct godot_into *into, struct godot_writer *writer, const struct godot_home *home)
{
	for (uint32_t i = home->first; i != NO_NUMBER; i = godot_into_added(into, i)->next) {
		godot_print_text(&writer->print, "\n");
		godot_writer_own(writer, godot_into_added(into, i)->clip, godot_into_added(into, i)->id);
	}
}

/* Libraries that are new to a player: home `number` and those of it behind that. */
static void print_libraries(struct godot_into *into, struct godot_writer *writer, size_t number)
{
	const struct godot_home *first = godot_into_home(into, number);
	struct godot_print *print = &writer->print;
	bool dictionary = first->have != NULL && first->have->libraries.insert != 0,
	     properties = print->version == ANIM_GODOT_4_6 ||
			  (first->have != NULL && first->have->libraries.first != 0 && !dictionary),
	     any = dictionary && first->have->libraries.first != 0;

	if (!dictionary && !properties)
		godot_print_text(print, "\nlibraries = {");
	for (const struct godot_home *home = first;; home = godot_into_home(into, home->next)) {
		if (home->stands == NULL && properties && !dictionary) {
			godot_print_text(print, "\n");
			godot_writer_named(writer, "libraries/", home->library);
		} else if (home->stands == NULL) {
			godot_print_format(print, any ? ",\n%k: " : "\n%k: ", home->library);
		}
		if (home->stands == NULL)
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
	const struct godot_home *home = godot_into_home(into, number);

	if (home->node == GODOT_NO_NODE)
		print_node(&writer->print, home->player);
	if (godot_print_is_3(&writer->print))
		print_own(into, writer, home);
	else
		print_libraries(into, writer, number);
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
		return godot_writer_sub(writer, godot_into_added(into, edit->what)->clip,
					godot_into_added(into, edit->what)->id);
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

/* Tags and bodies end their last line themselves: the file's own end goes. */
static bool ends_line(enum godot_edit_kind kind)
{
	return kind == GODOT_EDIT_EXTERNALS || kind == GODOT_EDIT_BODY || kind == GODOT_EDIT_HEAD ||
	       kind == GODOT_EDIT_TRACKS;
}

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
	uint64_t size = (uint64_t)into->file->info.st_size;

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
		if (ends_line(edits[i].kind) && pass_line_end(input, into->context.error) != 0)
			return -1;
	}
	return anim_edit_pass(input, size - anim_input_offset(input), writer->print.out.out, into->context.error);
}

int godot_into_copy(struct godot_into *into, struct godot_writer *writer)
{
	struct anim_input *input = NULL;
	int result;

	anim_edits_sort(&into->file->edits, sizeof(struct godot_edit));
	result = godot_into_open(into, &input);
	if (result == 0)
		result = copy(into, writer, input);
	if (result == 0)
		result = anim_path_unchanged(into->file->path, &into->file->info, into->context.error);
	anim_input_close(input);
	return result;
}
