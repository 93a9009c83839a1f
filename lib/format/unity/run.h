/* run.h: one run of the reader: the files that it reads, and their contents. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_RUN_H
#define ANIM_FORMAT_UNITY_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/map.h"
#include "clip/sink.h"
#include "format/read.h"
#include "format/unity/assets.h"
#include "format/unity/avatar.h"
#include "format/unity/clip.h"
#include "format/unity/document.h"
#include "format/unity/players.h"
#include "format/unity/scene.h"
#include "format/unity/unity.h"
#include "format/unity/yaml.h"

struct unity_model; /* model.h */

/* Data shared by all files of a run. */
struct unity_run {
	const struct anim_read_options *options;
	struct anim_error *error;
	const char *base_name; /* of the source without suffix: the default name */
	struct anim_store *store;
	struct anim_arena arena; /* all texts of the files */
	struct unity_assets assets;
	struct unity_index *index;      /* lends the assets, NULL: they belong to the run */
	struct anim_map sheets;         /* (0, path of an asset) -> number of its sheet */
	struct anim_buffer sheet_items; /* struct unity_sheet */
	struct unity_source *sources;   /* every file opened; the first is the run's own */
	struct anim_map lost;           /* (fileID, guid or file) -> 0: references that were reported */
	bool is_pipe;                   /* the run's own file has no place in a folder */
	bool is_graph;                  /* the structure of a controller is read, which has the settings of states */
	bool own_clips;                 /* read only the clips in the run's own file, without its nodes */
	unsigned files;                 /* number of other files opened so far */
	size_t copied;                  /* number of nodes that prefab instances added so far */
};

/* The contents of one file. All-zero before reading. */
struct unity_source {
	const char *shown; /* name for messages */
	const char *path;  /* relative to the project's folder; NULL: the run's own */
	char guid[ANIM_UNITY_GUID];
	unsigned depth;             /* 0: the run's own */
	bool reading;               /* it, or a file that it refers to, is being read */
	const char *why;            /* the reason why it could not be read, otherwise NULL */
	struct anim_map ids;        /* (fileID, family) -> number; families: UNITY_ID_... */
	struct anim_buffer clips;   /* struct unity_source_clip */
	struct anim_buffer avatars; /* struct unity_avatar * */
	struct unity_model *model;  /* the import settings of a model, otherwise NULL */
	struct unity_players players;
	struct unity_scene scene;
	int64_t made_id; /* the last fileID that was looked for because another one was taken */
	struct unity_source *next;
};

static inline struct unity_player *unity_player_at(const struct unity_source *source, size_t number)
{
	return (struct unity_player *)source->players.players.data + number;
}

static inline size_t unity_player_count(const struct unity_source *source)
{
	return source->players.players.size / sizeof(struct unity_player);
}

struct unity_player *unity_player_of(const struct unity_source *, int64_t id); /* NULL: not found */

/* Families of ids. The same id may name a clip in one family, and a component in another. */
#define UNITY_ID_CLIP "clip"
#define UNITY_ID_LINKS "links"
#define UNITY_ID_OBJECT "object"
#define UNITY_ID_TRANSFORM "transform"
#define UNITY_ID_INSTANCE "instance"
#define UNITY_ID_PLAYER "player"
/* Lights by their m_Type, in place of the class. They are negative, so that no class of Unity has these numbers. */
#define UNITY_SPOT_LIGHT (-1)
#define UNITY_DIRECTIONAL_LIGHT (-2)
#define UNITY_ID_COMPONENT "component" /* -> its class, or a type of light */
#define UNITY_ID_SCRIPT "script"
#define UNITY_ID_PLACED "placed"
#define UNITY_ID_AVATAR "avatar"

bool unity_id_get(const struct unity_source *, int64_t id, const char *family, uint32_t *number);
int unity_id_put(struct unity_source *, int64_t id, const char *family, uint32_t number, struct anim_error *);

/*
 * Append an item to a buffer of the source, and record its number there under its id. Returns the copy, or NULL if out
 * of memory.
 */
void *unity_item_add(struct unity_run *, struct unity_source *, struct anim_buffer *items, const void *item,
		     size_t size, int64_t id, const char *family);

/* An AnimationClip of a file. */
struct unity_source_clip {
	struct unity_clip clip;
	bool used;
};

static inline struct unity_source_clip *unity_source_clip_at(const struct unity_source *source, size_t number)
{
	return (struct unity_source_clip *)source->clips.data + number;
}

/*
 * Read the file into the source. Returns 0, or -1 for a problem that stops the run, or an input that is not such a
 * file.
 */
int unity_source_read(struct unity_run *, struct unity_source *, struct anim_input *);

/*
 * Read one asset of the package into the sink like a file of its own, without end(). own_clips: only the clips in it,
 * without nodes. Returns 0 or -1.
 */
struct unity_package_item;
int unity_asset_read(struct unity_package *, const struct unity_package_item *, bool own_clips,
		     const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/*
 * Read a model of the package as its import settings say, without end(). The input is the model. Returns 0 or -1.
 * Returns 1 if its settings make no clips, and nothing was read.
 */
int unity_asset_read_model(struct unity_package *, const struct unity_package_item *, struct anim_input *,
			   const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/* Find the project, package or folder of the run's own file, and the guid of this file. Returns 0 or -1. */
int unity_project_find(struct unity_run *, const struct anim_input *);
/* An asset that was opened: a file, or a part of the package. */
struct unity_opened {
	struct anim_input *input;
	int fd; /* -1: a part of the package */
};

/*
 * Open an asset, or its .meta file, by the path of the asset below the project. Returns 1 with *shown, its name for
 * messages. Returns 0 with *why, or -1. Call unity_asset_close in all cases.
 */
int unity_asset_open(struct unity_run *, const char *path, bool meta, struct unity_opened *, const char **shown,
		     const char **why);
void unity_asset_close(struct unity_opened *);
/* Open the .meta file beside a file of the user. Returns 1, 0 if it cannot be read, or -1. Close it in the same way. */
int unity_settings_open(struct unity_run *, const struct anim_input *, struct unity_opened *);

/* Free the memory that a run uses for assets and their sprites, or only for sprites. */
void unity_assets_forget(struct unity_run *);
void unity_sheets_clear(struct unity_run *);

/* Find the asset of a PPtr curve's reference: struct unity_clip_options.resolve; the context is the run. */
int unity_asset_resolve(void *run, const char *guid, int64_t file_id, struct unity_asset *, struct anim_error *);

/*
 * Find the file with this guid, which is read once and kept by the run. If the guid is empty or its own, the result is
 * `from` itself. Returns 1 and *out. Returns 0 if it cannot be read: then *path is its path if it was found, otherwise
 * NULL, and *why (the run's) is the reason. Returns -1 on error.
 */
int unity_source_find(struct unity_run *, struct unity_source *from, const char *guid, struct unity_source **out,
		      const char **path, const char **why);

/*
 * Find the clip of a reference in a file. Returns 1 with the file that has it and its number there. Returns 0 with *why or
 * NULL, or -1.
 */
int unity_clip_of(struct unity_run *, struct unity_source *from, const struct unity_reference *,
		  struct unity_source **home, uint32_t *clip, const char **why);

/* A clip to write. */
struct unity_cue {
	struct unity_source *source;       /* file of the clip */
	size_t clip;                       /* in source->clips */
	const struct unity_player *player; /* NULL: none; becomes invalid when the source gets more players */
	int64_t object;                    /* GameObject that it animates, if there is a player */
};

/*
 * Append every clip to `cues` (struct unity_cue) in the order in which they are written. First come clips by the
 * players in the order of the file, each clip once per player. Then come clips of controllers and timelines without a
 * player, then clips without a reference. References into other files are followed, and missing files give a warning.
 * *named: there was a reference. Returns 0 or -1.
 */
int unity_list_cues(struct unity_run *, struct unity_source *, struct anim_buffer *cues, bool *named);
/* Append only the clips without a reference so far. Returns 0 or -1. */
int unity_list_unused_clips(struct unity_run *, struct unity_source *, struct anim_buffer *cues);

/* Read a file, at most ANIM_TEXT_MAX bytes. A longer one is cut. Returns 0 or -1. */
int unity_text_read(struct anim_input *, struct anim_buffer *, struct anim_error *);

/* Return true for files of models, which contain clips and nodes in other formats. */
bool unity_is_model(const char *path);

/* Return the place of an unsuccessful search: "below the project". */
const char *unity_where(const struct unity_run *);

/*
 * Add a message about a line of a file, or about the file if the line is 0. With --keep-going, faults are warnings.
 * Returns 0 or -1.
 */
int unity_say(const struct unity_run *, const struct unity_source *, enum anim_severity, uint32_t line,
	      const char *noun, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Name the subject of the last message: see anim_diagnostics_name. */
#define unity_say_name(run, ...) anim_diagnostics_name((run)->options->diagnostics, (run)->error, __VA_ARGS__)

/* Return a copy in the run's arena, or NULL if out of memory. */
const char *unity_keep(struct unity_run *, const char *text);
/* Do the same for the contents of a buffer. */
void *unity_keep_items(struct unity_run *, const struct anim_buffer *);

#endif
