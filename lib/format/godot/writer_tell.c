/* writer_tell.c: what is to be told of a track that is written, or left out. */
#include <string.h>

#include "format/godot/writer.h"

static int tell_left_out(struct godot_writer *writer, const struct godot_plan *plan, const char *label,
			 struct anim_error *error)
{
	int result = anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
				     "tracks that Godot has no kind of track for are left out", error,
				     "track '%s' is left out: Godot has no track for %s", label, plan->why);

	return result != 0 ? -1 : 1;
}

/* Losses keep such texts by their address, so each stands here whole. */
static const char *axes_warning(bool scene, bool resonite)
{
	static const char *const texts[2][2] = {{"tracks are in unity axes, tres plays in godot axes: put "
						 "'anim-axes godot' before this, or --axes keep",
						 "tracks are in resonite axes, tres plays in godot axes: put "
						 "'anim-axes godot' before this, or --axes keep"},
						{"tracks are in unity axes, tscn plays in godot axes: put "
						 "'anim-axes godot' before this, or --axes keep",
						 "tracks are in resonite axes, tscn plays in godot axes: put "
						 "'anim-axes godot' before this, or --axes keep"}};

	return texts[scene][resonite];
}

/* gltf's axes are Godot's; Unity's and Resonite's are the mirrored ones. */
static int tell_axes(struct godot_writer *writer, const struct anim_track *t, const char *label,
		     struct anim_error *error)
{
	bool unity = writer->axes == ANIM_AXES_UNITY, resonite = writer->axes == ANIM_AXES_RESONITE;
	bool placed = strcmp(t->property, "position") == 0 || strcmp(t->property, "rotation") == 0 ||
		      strcmp(t->property, "euler") == 0;
	bool spatial = t->component != ANIM_WHOLE || anim_types[t->type].lanes >= 3;

	if (writer->options.axes_keep || !(unity || resonite) || !placed || !spatial || !anim_track_is_transform(t))
		return 0;
	return anim_losses_add(
	    writer->options.losses, ANIM_WARNING, NULL, axes_warning(writer->options.scene, resonite), error,
	    "track '%s' is in %s axes, %s plays in godot axes: put 'anim-axes godot' before this, or --axes keep",
	    label, anim_axes_names[writer->axes], writer->options.scene ? "tscn" : "tres");
}

static int tell_foreign(struct godot_writer *writer, const struct anim_track *t, const struct godot_plan *plan,
			const char *label, struct anim_error *error)
{
	if (t->property[0] == '@' || plan->sprite || !godot_is_foreign(&writer->names, t) ||
	    anim_attrs_get(&t->attrs, "unity.humanoid") != NULL)
		return 0;
	return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
			       "tracks are of properties of Unity's that Godot's nodes do not have", error,
			       "track '%s' is of a property of Unity's that Godot's nodes do not have", label);
}

/* 1: the text is new of its kind, then it is kept; 0; -1. */
static int note_text(struct godot_writer *writer, char kind, const char *text, size_t length, struct anim_error *error)
{
	struct anim_buffer key = {0};
	int result = anim_buffer_append(&key, &kind, 1, error);

	if (result == 0)
		result = anim_buffer_append(&key, text, length, error);
	if (result == 0)
		result = anim_text_set_add(&writer->told, key.data, key.size, error);
	anim_buffer_clear(&key);
	return result;
}

static int tell_name(struct godot_writer *writer, const char *name, size_t length, struct anim_error *error)
{
	if (anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
			    "names have '_' for what Godot's names of nodes cannot have (. : @ / \" %)", error,
			    "name '%.*s' has '_' for what Godot's names of nodes cannot have (. : @ / \" %%)",
			    (int)length, name) != 0)
		return -1;
	return anim_losses_name(writer->options.losses, error, "'%.*s'", (int)length, name);
}

int godot_writer_tell_names(struct godot_writer *writer, const char *path, const char *written,
			    struct anim_error *error)
{
	size_t length;

	for (size_t at = 0; path != written && path[at] != '\0'; at += length + (path[at + length] == '/')) {
		int is_new = 0;

		length = strcspn(path + at, "/");
		if (memcmp(path + at, written + at, length) != 0)
			is_new = note_text(writer, '/', path + at, length, error);
		if (is_new < 0 || (is_new > 0 && tell_name(writer, path + at, length, error) != 0))
			return -1;
	}
	return 0;
}

/* Two nodes that are one in Godot: both tracks drive it. */
static int tell_node(struct godot_writer *writer, const struct anim_track *t, struct anim_error *error)
{
	size_t clips = writer->clips.size / sizeof(struct godot_written_clip);
	const char *root = godot_writer_clip(writer, clips - 1)->root, *written, *both[2];
	int is_new = 1;

	if (writer->names.from_godot)
		return 0;
	written = godot_written_track_node(&writer->names, t, &writer->scratch, error);
	if (written == NULL || godot_writer_tell_names(writer, t->node, written, error) != 0)
		return -1;
	both[0] = t->node;
	both[1] = written;
	for (size_t i = 0; i < 2 && is_new > 0; i++) {
		size_t length = strlen(root) + 1 + strlen(both[i]);
		char *key = anim_arena_alloc(&writer->scratch, length + 1, error);

		if (key == NULL)
			return -1;
		memcpy(key, root, strlen(root) + 1);
		memcpy(key + strlen(root) + 1, both[i], strlen(both[i]) + 1);
		is_new = note_text(writer, i == 0 ? '<' : '>', key, length, error);
		if (is_new == 0 && i == 1)
			return anim_losses_add(
			    writer->options.losses, ANIM_WARNING, NULL, "nodes get the name of another node in Godot",
			    error, "node '%s' gets the name of another node in Godot: '%s'", t->node, written);
	}
	return is_new < 0 ? -1 : 0;
}

/* A ':' parts a path in Godot; what came from Godot has such properties, but no such blend shapes. Told once a name. */
static int tell_colon(struct godot_writer *writer, const struct anim_track *t, const struct godot_plan *plan,
		      struct anim_error *error)
{
	static const char prefix[] = "blend_shape/";
	bool shape = strncmp(t->property, prefix, sizeof prefix - 1) == 0, own = writer->names.from_godot;
	const char *name = shape ? t->property + sizeof prefix - 1 : t->property, *written;
	int is_new;

	if (t->property[0] == '@' || strchr(name, ':') == NULL || plan->sprite || (!shape && own) ||
	    godot_is_foreign(&writer->names, t))
		return 0;
	is_new = note_text(writer, ':', t->property, strlen(t->property), error);
	if (is_new <= 0)
		return is_new;
	if (!shape || own)
		return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL, NULL, error,
				       "%s '%s' is never found: in Godot a ':' parts a path",
				       shape ? "blend shape" : "property", name);
	written = godot_written_shape(&writer->names, t, &writer->scratch, error);
	if (written == NULL)
		return -1;
	return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL, NULL, error,
			       "blend shape '%s' is written as '%s', as Godot's importer names it", name, written);
}

static int note_events(struct godot_writer *writer, const struct anim_track *t, const char *label,
		       struct anim_error *error)
{
	if (strcmp(t->property, "@event") != 0)
		return 0;
	return anim_losses_add(
	    writer->options.losses, ANIM_NOTE, NULL,
	    "tracks of Unity's events call methods of the animated root, with the parameters that are set", error,
	    "track '%s' of Unity's events calls methods of the animated root, with the parameters that are set", label);
}

static int note_sheet(struct godot_writer *writer, const struct anim_track *t, const struct godot_plan *plan,
		      const char *label, struct anim_error *error)
{
	const char *sheet;

	if (!plan->sprite)
		return 0;
	if (godot_sprite_frames(t, &sheet, &writer->scratch, error) == NULL)
		return -1;
	return anim_losses_add(
	    writer->options.losses, ANIM_NOTE, NULL, NULL, error,
	    "track '%s' became `frame` of a Sprite2D; set its texture, hframes and vframes to those of %s", label,
	    sheet[0] != '\0' ? sheet : "its sheet, which is not known");
}

/* Absolute in Godot 4; convert had no rest to make it so. */
static int tell_rest(struct godot_writer *writer, const struct anim_track *t, const char *label,
		     struct anim_error *error)
{
	if (!(t->flags & ANIM_REST_RELATIVE) || godot_print_is_3(&writer->print))
		return 0;
	return anim_losses_add(
	    writer->options.losses, ANIM_WARNING, NULL,
	    "tracks are relative to rest poses that are not known; Godot 4's are not; --rest FILE tells them", error,
	    "track '%s' is relative to a rest pose that is not known; Godot 4's are not; --rest FILE tells it", label);
}

static int note_markers(struct godot_writer *writer, struct anim_error *error)
{
	int result = anim_losses_add(writer->options.losses, ANIM_NOTE, NULL, NULL, error,
				     "Godot 3 has no markers: they are not kept");

	return result != 0 ? -1 : 1;
}

/* A scene that is written is not the one that was read, whose script or mesh no stream holds. */
int godot_writer_tell_left(struct godot_writer *writer, const struct anim_tree *tree, struct anim_error *error)
{
	struct anim_place place = {.file = tree->source_file, .at = ANIM_AT_FILE};
	const char *left = anim_attrs_get(&tree->attrs, "godot.left");

	if (left == NULL)
		return 0;
	return anim_losses_add(writer->options.losses, ANIM_NOTE, &place, NULL, error,
			       "what is written is nodes and animation; left behind: %s", left);
}

int godot_writer_tell_clip(struct godot_writer *writer, const struct anim_clip *clip, struct anim_error *error)
{
	if (!godot_print_is_3(&writer->print) || clip->loop != ANIM_LOOP_PINGPONG)
		return 0;
	return anim_losses_add(writer->options.losses, ANIM_NOTE, NULL,
			       "clips loop from their start: Godot 3 has no ping-pong", error,
			       "Godot 3 has no ping-pong: '%s' loops from its start", clip->name);
}

int godot_writer_tell(struct godot_writer *writer, const struct anim_track *t, const struct godot_plan *plan,
		      const char *label, struct anim_error *error)
{
	if (strcmp(t->property, "@marker") == 0)
		return godot_print_is_3(&writer->print) ? note_markers(writer, error) : 0;
	if (plan->type == GODOT_TRACK_UNKNOWN)
		return tell_left_out(writer, plan, label, error);
	if (tell_node(writer, t, error) != 0 || tell_axes(writer, t, label, error) != 0 ||
	    tell_foreign(writer, t, plan, label, error) != 0 || tell_colon(writer, t, plan, error) != 0 ||
	    note_events(writer, t, label, error) != 0 || note_sheet(writer, t, plan, label, error) != 0)
		return -1;
	return tell_rest(writer, t, label, error);
}

int godot_writer_tell_bad(struct godot_writer *writer, size_t bad, const char *label, struct anim_error *error)
{
	bool lost = writer->print.lost_references > 0;

	writer->print.lost_references = 0;
	if (bad > 0 &&
	    anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
			    "tracks have event keys that are not what such keys should be; these are left out", error,
			    "track '%s' has event keys that are not what such keys should be; these are left out",
			    label) != 0)
		return -1;
	if (!lost)
		return 0;
	return anim_losses_add(
	    writer->options.losses, ANIM_WARNING, NULL,
	    "tracks have keys with resources of the source's own, which are not in the stream; they are null", error,
	    "track '%s' has keys with resources of the source's own, which are not in the stream; they are null",
	    label);
}
