/* writer_internal.h: the parts of the writer of Godot's files. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_WRITER_INTERNAL_H
#define ANIM_FORMAT_GODOT_WRITER_INTERNAL_H

#include "base/text_set.h"
#include "format/godot/emit_nodes.h"
#include "format/godot/emit_track.h"
#include "stream/store.h"

/* A clip of the store: where it is played. Texts lie in the writer's `kept` arena. */
struct godot_written_clip {
	const char *player;                     /* path of the AnimationPlayer in the scene */
	const char *root;                       /* path in the scene of what it animates */
	const char *library, *name;             /* "lib/walk" -> "lib", "walk" */
	uint32_t player_number, library_number; /* in the order in which they first come; libraries of all players */
	bool autoplay, captures;                /* captures: a track begins from where the node is */
	struct godot_emit_names names;
	const struct anim_scope *scope;
};

struct godot_writer {
	struct anim_sink sink;
	struct anim_write_options options;
	struct anim_store *store;
	struct godot_emit emit;
	struct anim_arena scratch, kept; /* scratch: of the track at hand */
	struct anim_buffer clips;        /* struct godot_written_clip, one a clip of the store */
	struct godot_nodes nodes;        /* of scenes */
	struct anim_text_set taken;      /* player, library and name of each clip */
	struct anim_text_set told;       /* names that were told of or counted, behind a byte for their kind */
	struct anim_map spaces;          /* by clip: nodes that a track tells to be of three dimensions */
	struct anim_map numbers;         /* the next number of a name that several clips have */
	struct anim_map groups;          /* players, and players with a library, by when they came */
	uint32_t players, libraries;
	uint32_t *player_from;         /* by the player's number: its first clip in the order */
	uint32_t *player_library;      /* and how many libraries are before it */
	struct godot_emit_names names; /* of the tree or the clip at hand */
	enum anim_axes axes;
	bool in_tree;
};

static inline struct godot_written_clip *godot_writer_clip(const struct godot_writer *writer, size_t clip)
{
	return (struct godot_written_clip *)(void *)writer->clips.data + clip;
}

/* writer_names.c: where the clip is played and what it is called; what is changed is told. 0 or -1. */
int godot_writer_place(struct godot_writer *, const struct anim_clip *, struct godot_written_clip *,
		       struct anim_error *);

/* writer_warn.c: what is to be told of a track. 1: it is left out, told; 0; -1. */
int godot_writer_tell(struct godot_writer *, const struct anim_track *, const struct godot_plan *, const char *label,
		      struct anim_error *);
/* What is to be told of the clip. 0 or -1. */
int godot_writer_tell_left(struct godot_writer *, const struct anim_tree *, struct anim_error *);
int godot_writer_tell_clip(struct godot_writer *, const struct anim_clip *, struct anim_error *);
/* Tells of the names in the path that are written otherwise, each once. 0 or -1. */
int godot_writer_tell_names(struct godot_writer *, const char *path, const char *written, struct anim_error *);
/* That keys of an event track are left out, and of references to what is not there. 0 or -1. */
int godot_writer_tell_bad(struct godot_writer *, size_t bad, const char *label, struct anim_error *);

/* writer_scene.c: the nodes that the track needs. 0 or -1. */
int godot_writer_need(struct godot_writer *, const struct anim_track *, const struct godot_plan *, struct anim_error *);

/* writer_meshes.c: what node `number` must have so that the track plays: a blend shape, frames. 0 or -1. */
int godot_writer_furnish(struct godot_writer *, uint32_t number, const struct anim_track *, const struct godot_plan *,
			 struct anim_error *);
/* Numbers the meshes that blend shapes want, behind so many Animations; how many there are. */
size_t godot_writer_count_meshes(struct godot_writer *, size_t animations);
/* The meshes: without surfaces, but with the names of the shapes. */
void godot_writer_meshes(struct godot_writer *);
/* The properties of the node that name its mesh and its frames. */
void godot_writer_furniture(struct godot_emit *, const struct godot_scene_node *);

/* writer_document.c: all of it. 0 or -1. */
int godot_writer_document(struct godot_writer *, struct anim_error *);
/* The properties of an Animation. 0 or -1. */
int godot_writer_animation(struct godot_writer *, size_t clip, struct anim_error *);
/* writer_tracks.c: markers and tracks/N/... of the clip. 0 or -1. */
int godot_writer_tracks(struct godot_writer *, size_t clip, struct anim_error *);
/* Keeps that the track tells its node to be of three dimensions: Godot 3 calls positions there otherwise. 0 or -1. */
int godot_writer_note_space(struct godot_writer *, const struct anim_track *, struct anim_error *);
/* A copy whose names, attributes, times, values and transitions lie in the arena. 0 or -1. */

/*
 * writer_transform.c: track `first`, a position, rotation or scale, and the other two of its node as one transform track
 * of Godot 3; those taken are marked in `done`. 0 or -1.
 */
int godot_writer_transform(struct godot_writer *, const struct godot_track_emit *, size_t clip, size_t first,
			   uint8_t *done, size_t number, struct anim_error *);

/* writer_players.c: what the node of this path says where it is the player of clips. 0 or -1. */
int godot_writer_player(struct godot_writer *, const uint32_t *order, size_t count, const char *path,
			struct anim_error *);
/* writer_scene.c: [node] tags and their properties. 0 or -1. */
int godot_writer_nodes(struct godot_writer *, const uint32_t *order, size_t count, struct anim_error *);

/*
 * The order in which clips are written: by player and library; in these, clips of Godot as they came, others by name as
 * Godot sorts. `count` numbers of clips, in the arena. NULL out of memory.
 */
uint32_t *godot_writer_order(struct godot_writer *, size_t *count, struct anim_error *);

#endif
