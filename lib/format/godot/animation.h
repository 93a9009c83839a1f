/* animation.h: the body of one Animation resource -> one clip in a store. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_ANIMATION_H
#define ANIM_FORMAT_GODOT_ANIMATION_H

#include "clip/losses.h"
#include "format/godot/text.h"
#include "stream/store.h"

/* Maps ExtResource ids of the file to what they name, so that literals read Resource("uid", "path"). */
struct godot_externals;
/* NULL where the id is unknown; path and uid are borrowed (uid may be empty). */
const char *godot_external_path(struct godot_externals *, const char *id, size_t length, const char **uid,
				const char **type);
/* True where the file has had a sub_resource of this id. */
bool godot_external_has_sub(const struct godot_externals *, const struct godot_string *id);
/* 1: no file is where Resource("path") points; 0: one is, or it cannot be told (a pipe, a uid); -1: out of memory. */
int godot_external_is_missing(struct godot_externals *, const struct godot_string *path, struct anim_error *);

/* What is known of the animation's head when its body has been read. Texts live in the arena given. */
struct godot_animation {
	const char *resource_name; /* empty where the file gives none */
	float length_s;            /* as Godot stores it: at least 0.001 */
	int loop_mode;             /* 0 1 2 */
	bool is_godot3, is_godot2; /* by content: track types, names of packed arrays, order of properties */
	struct anim_attrs attrs;   /* CLIP attributes: godot.resource_name, godot.step */
	size_t tracks;             /* stored */
};

/*
 * Reads the properties up to the end of the section (the tag before was [sub_resource type="Animation"] or [resource]).
 * Begins a clip in the store (head provisional) and stores a TRAK for every track, markers last. What the engine passes
 * over is passed over too, with a warning; faults go to losses with their place, the rest is read on, but the return is
 * 1: the clip is faulty (the caller drops it). 0 good, 1 faulty, -1 error (grammar, memory, too many faults).
 * is_godot3_file: the header's format <= 2; content decides where it says something.
 */
int godot_animation_read(struct godot_text *, struct godot_externals *, bool is_godot3_file, struct anim_store *,
			 struct anim_losses *, struct anim_arena *, struct godot_animation *, struct anim_error *);

#endif
