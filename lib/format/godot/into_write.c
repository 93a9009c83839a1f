/* into_write.c: a file copied with the clips in it: what is not one of its animations stays, byte for byte. */
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "format/godot/into.h"

/* ---- Writing ---- */

static void print_entry(struct godot_into *into, struct godot_writer *writer, const struct godot_edit *edit)
{
	const struct godot_added *added = godot_into_added(into, edit->what);
	struct godot_home *home = godot_into_home(into, added->home);
	const struct godot_slots *slots = &home->stands->animations;
	struct godot_print *print = &writer->print;

	godot_print_text(print, slots->insert == 0 && edit->first ? "\n_data = {\n" : edit->first ? "\n" : ",\n");
	godot_print_format(print, "%k: ", godot_writer_clip(writer, added->clip)->name);
	godot_print_sub(print, "Animation", added->id);
	if (--home->count == 0 && slots->first == 0) /* the dictionary was empty: "{}", or is not there */
		godot_print_text(print, slots->insert == 0 ? "\n}" : "\n");
}

/* The clips of a home as a library. */
static void print_library(struct godot_into *into, struct godot_writer *writer, size_t number)
{
	struct godot_print *print = &writer->print;
	bool first = true;

	godot_print_text(print, "[sub_resource type=\"AnimationLibrary\" id=");
	godot_print_sub_id(print, "AnimationLibrary", godot_into_home(into, number)->id);
	godot_print_text(print, "]\n_data = {");
	for (size_t i = 0; i < godot_into_additions(into); i++) {
		const struct godot_added *added = godot_into_added(into, i);

		if (added->home != number)
			continue;
		godot_print_format(print, first ? "\n%k: " : ",\n%k: ", godot_writer_clip(writer, added->clip)->name);
		godot_print_sub(print, "Animation", added->id);
		first = false;
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
	godot_print_text(print, "]");
}

/* Libraries that are new to a player, or in Godot 3 its animations. */
static void print_player(struct godot_into *into, struct godot_writer *writer, size_t number)
{
	const struct godot_home *first = godot_into_home(into, number);
	struct godot_print *print = &writer->print;
	bool dictionary = first->have != NULL && first->have->libraries.insert != 0,
	     properties = print->version == ANIM_GODOT_4_6 ||
			  (first->have != NULL && first->have->libraries.first != 0 && !dictionary),
	     any = dictionary && first->have->libraries.first != 0;

	if (first->node == GODOT_NO_NODE)
		print_node(print, first->player);
	for (size_t i = 0; i < godot_into_additions(into) && godot_print_is_3(print); i++)
		if (strcmp(godot_into_home(into, godot_into_added(into, i)->home)->player, first->player) == 0) {
			const char *name = godot_writer_clip(writer, godot_into_added(into, i)->clip)->name;

			godot_print_text(print, "\n");
			godot_writer_named(writer, "anims/", name);
			godot_print_sub(print, "Animation", godot_into_added(into, i)->id);
		}
	if (godot_print_is_3(print))
		return;
	if (!dictionary && !properties)
		godot_print_text(print, "\nlibraries = {");
	for (size_t i = number; i < into->homes.size / sizeof(struct godot_home); i++) {
		const struct godot_home *home = godot_into_home(into, i);

		if (home->stands != NULL || strcmp(home->player, first->player) != 0)
			continue;
		if (properties && !dictionary) {
			godot_print_text(print, "\n");
			godot_writer_named(writer, "libraries/", home->library);
		} else {
			godot_print_format(print, any ? ",\n%k: " : "\n%k: ", home->library);
		}
		godot_print_sub(print, "AnimationLibrary", home->id);
		any = true;
	}
	if (!dictionary && !properties)
		godot_print_text(print, "\n}");
}

static int print_animation(struct godot_writer *writer, const struct godot_added *added)
{
	godot_print_text(&writer->print, "[sub_resource type=\"Animation\" id=");
	godot_print_sub_id(&writer->print, "Animation", added->id);
	godot_print_text(&writer->print, "]\n");
	if (godot_writer_animation(writer, added->clip, GODOT_WRITE_ALL) != 0)
		return -1;
	godot_print_text(&writer->print, "\n");
	return 0;
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
		godot_print_text(&writer->print, edit->from == edit->to ? "\n" : "");
		return godot_writer_animation(writer, edit->what,
					      edit->kind == GODOT_EDIT_HEAD     ? GODOT_WRITE_HEAD
					      : edit->kind == GODOT_EDIT_TRACKS ? GODOT_WRITE_TRACKS
										: GODOT_WRITE_BODY);
	case GODOT_EDIT_ANIMATION:
		return print_animation(writer, godot_into_added(into, edit->what));
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

/* Passes `count` bytes on, or over where `out` is NULL. 0 or -1. */
static int pass(struct anim_input *input, uint64_t count, struct anim_output *out, struct anim_error *error)
{
	while (count > 0) {
		const uint8_t *at;
		ssize_t size = anim_input_peek(input, 1, &at, error);

		if (size < 0)
			return -1;
		if (size == 0)
			return anim_fail(error, ANIM_BAD_INPUT, "it changed while it was read");
		if ((uint64_t)size > count)
			size = (ssize_t)count;
		if (out != NULL && anim_output_write(out, at, (size_t)size, error) != 0)
			return -1;
		anim_input_skip(input, (size_t)size);
		count -= (uint64_t)size;
	}
	return 0;
}

/* Tags and bodies end their last line themselves. */
static int pass_line_end(struct anim_input *input, struct anim_error *error)
{
	const uint8_t *at;
	ssize_t size = anim_input_peek(input, 2, &at, error);

	if (size < 0)
		return -1;
	if (size > 0 && at[0] == '\n')
		return pass(input, 1, NULL, error);
	return size > 1 && at[0] == '\r' && at[1] == '\n' ? pass(input, 2, NULL, error) : 0;
}

static int compare_edits(const void *a, const void *b)
{
	const struct godot_edit *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int copy(struct godot_into *into, struct godot_writer *writer, struct anim_input *input)
{
	const struct godot_edit *edits = (const struct godot_edit *)(const void *)into->edits.data;
	size_t count = into->edits.size / sizeof *edits;
	uint64_t size = (uint64_t)into->info.st_size;

	for (size_t i = 0; i < count; i++) {
		uint64_t at = anim_input_offset(input);

		if (edits[i].from > at &&
		    pass(input, edits[i].from - at, writer->print.out.out, into->context.error) != 0)
			return -1;
		at = anim_input_offset(input);
		if (print_edit(into, writer, &edits[i]) != 0 ||
		    (edits[i].to > at && pass(input, edits[i].to - at, NULL, into->context.error) != 0))
			return -1;
		if ((edits[i].kind == GODOT_EDIT_EXTERNALS || edits[i].kind == GODOT_EDIT_BODY ||
		     edits[i].kind == GODOT_EDIT_HEAD || edits[i].kind == GODOT_EDIT_TRACKS) &&
		    pass_line_end(input, into->context.error) != 0)
			return -1;
	}
	return pass(input, size - anim_input_offset(input), writer->print.out.out, into->context.error);
}

/* The file must be the one that was read. */
static int check_same(const struct godot_into *into)
{
	struct stat info;

	if (stat(into->options->into.file, &info) == 0 && info.st_dev == into->info.st_dev &&
	    info.st_ino == into->info.st_ino && info.st_size == into->info.st_size &&
	    info.st_mtim.tv_sec == into->info.st_mtim.tv_sec && info.st_mtim.tv_nsec == into->info.st_mtim.tv_nsec)
		return 0;
	return godot_into_fail(into, "it changed while the stream was read; nothing was written");
}

int godot_into_copy(struct godot_into *into, struct godot_writer *writer)
{
	struct anim_input *input = NULL;
	int result;

	if (into->edits.size > 0)
		qsort(into->edits.data, into->edits.size / sizeof(struct godot_edit), sizeof(struct godot_edit),
		      compare_edits);
	result = godot_into_open(into, &input);
	if (result == 0)
		result = copy(into, writer, input);
	if (result == 0)
		result = check_same(into);
	anim_input_close(input);
	return result;
}
