/* run.h: one run of the reader: the files that it takes apart, what plays clips in them. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_RUN_H
#define ANIM_FORMAT_UNITY_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "format/read.h"
#include "format/unity/assets.h"
#include "format/unity/clip.h"
#include "format/unity/document.h"
#include "format/unity/scene.h"
#include "format/unity/yaml.h"

/* ---- Players: components, controllers, timelines, and the clips that they lead to ---- */

struct unity_run;
struct unity_source;

/* Classes of documents that lead to clips. */
#define UNITY_CONTROLLER 91
#define UNITY_ANIMATION 111
#define UNITY_BLEND_TREE 206
#define UNITY_OVERRIDE_CONTROLLER 221
#define UNITY_DIRECTOR 320
#define UNITY_STATE 1102
#define UNITY_STATE_MACHINE 1107

/* A document that leads on to clips or to further ones: what it names, in its order. References lie in the run's arena. */
struct unity_links {
	int64_t id;
	uint32_t line;
	bool is_top;      /* a controller or timeline: listed for itself where no player leads to it */
	bool is_override; /* refs[0] is the controller, then pairs: clip of it, clip instead */
	bool used;
	struct unity_reference *refs;
	size_t count;
};

/* On which object a track of a timeline plays. */
struct unity_track_binding {
	struct unity_reference track;
	int64_t target; /* an Animator or a GameObject of the same file; 0: none */
};

/* An Animation, Animator or PlayableDirector component. */
struct unity_player {
	int64_t id, object; /* its GameObject */
	uint32_t line;
	int64_t wrap;              /* m_WrapMode of an Animation, else 0 */
	bool removed;              /* a prefab instance took it out */
	struct unity_source *home; /* the file that its references are written in */
	struct unity_reference *refs;
	size_t count;
	struct unity_track_binding *bindings;
	size_t binding_count;
};

/* All-zero is empty. */
struct unity_players {
	struct anim_buffer links;   /* struct unity_links */
	struct anim_buffer players; /* struct unity_player, in the order of the file */
};

struct unity_player *unity_player_at(const struct unity_source *, size_t number);
struct unity_player *unity_player_of(const struct unity_source *, int64_t id); /* NULL: there is none */
size_t unity_player_count(const struct unity_source *);

/* One clip to write. */
struct unity_cue {
	struct unity_source *source;       /* the clip's file */
	size_t clip;                       /* of source->clips */
	const struct unity_player *player; /* NULL: none; moves with the source's players */
	int64_t object;                    /* GameObject that it animates, where there is a player */
};

/*
 * Appends to `cues` (struct unity_cue) every clip in the order in which they are written: by the players in the order of the
 * file, each clip once a player; then by controllers and timelines that no player has; then clips that nothing names.
 * Follows references into other files; what is missing is warned of. *named: there was a reference at all. 0 or -1.
 */
int unity_players_cues(struct unity_run *, struct unity_source *, struct anim_buffer *cues, bool *named);

/* ---- The run ---- */

/* What all files of a run share. */
struct unity_run {
	const struct anim_read_options *options;
	struct anim_error *error;
	const char *base_name; /* of the source without suffix: names what has no name */
	struct anim_store *store;
	struct anim_arena arena; /* all texts of the files */
	struct unity_assets assets;
	struct anim_map sheets;         /* (0, path of an asset) -> number of its sheet */
	struct anim_buffer sheet_items; /* struct unity_sheet */
	struct unity_source *sources;   /* every file opened; the first is the run's own */
	struct anim_map lost;           /* (fileID, guid or file) -> 0: references that were told of */
	bool is_pipe;                   /* the run's own file lies nowhere */
	unsigned files;                 /* others opened so far */
	size_t copied;                  /* nodes that prefab instances added so far */
};

/* One file taken apart. All-zero before reading. */
struct unity_source {
	const char *shown; /* for messages */
	const char *path;  /* below the project's folder; NULL: the run's own */
	char guid[ANIM_UNITY_GUID];
	unsigned depth;           /* 0: the run's own */
	bool reading;             /* it, or what it names, is being read */
	const char *why;          /* it could not be read; else NULL */
	struct anim_map ids;      /* (fileID, family) -> number; families: UNITY_ID_... */
	struct anim_buffer clips; /* struct unity_source_clip */
	struct unity_players players;
	struct unity_scene scene;
	struct unity_source *next;
};

/* Families of ids: one id may name a clip only, or a component. */
#define UNITY_ID_CLIP "clip"
#define UNITY_ID_LINKS "links"
#define UNITY_ID_OBJECT "object"
#define UNITY_ID_TRANSFORM "transform"
#define UNITY_ID_INSTANCE "instance"
#define UNITY_ID_PLAYER "player"
#define UNITY_ID_COMPONENT "component" /* -> its class */
#define UNITY_ID_SCRIPT "script"

bool unity_id_get(const struct unity_source *, int64_t id, const char *family, uint32_t *number);
int unity_id_put(struct unity_source *, int64_t id, const char *family, uint32_t number, struct anim_error *);

/* An AnimationClip of a file. */
struct unity_source_clip {
	struct unity_clip clip;
	bool used;
};
struct unity_source_clip *unity_source_clip_at(const struct unity_source *, size_t number);

/* Reads the file into the source. 0, or -1: trouble that stops the run, or an input that is no such file. */
int unity_source_read(struct unity_run *, struct unity_source *, struct anim_input *);

/* What a reference of a PPtr curve leads to: struct unity_clip_options.resolve; the context is the run. */
int unity_asset_resolve(void *run, const char *guid, int64_t file_id, struct unity_asset *, struct anim_error *);

/*
 * The file with this guid, read once and kept by the run; `from` itself where the guid is its own or empty. 1: *out; 0:
 * it cannot be read: *path is its path where it was found, else NULL, and *why (the run's) says why; -1.
 */
int unity_source_find(struct unity_run *, struct unity_source *from, const char *guid, struct unity_source **out,
		      const char **path, const char **why);

/* True for files of models, which hold clips and nodes in forms of their own. */
bool unity_is_model(const char *path);

/*
 * How many things that were not looked for are told of in one line, with the reason: of clips, or of prefabs. `why` is one
 * of unity_source_find's; NULL for any other.
 */
const char *unity_many_unsought(const char *why, bool prefabs);

/* "below the project": where files were looked for in vain; `clips`: several are told of in one line. */
const char *unity_where(const struct unity_run *, const char **clips);

/* A message about a line of a file, 0: about the file. Faults are warnings under --keep-going. 0 or -1. */
int unity_say(const struct unity_run *, const struct unity_source *, enum anim_severity, uint32_t line,
	      const char *many, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Names what was told of last: anim_diagnostics_name. */
#define unity_say_name(run, ...) anim_diagnostics_name((run)->options->diagnostics, (run)->error, __VA_ARGS__)

/* A copy in the run's arena; NULL out of memory. */
const char *unity_keep(struct unity_run *, const char *text);
/* The same of what a buffer holds. */
void *unity_keep_items(struct unity_run *, const struct anim_buffer *);

#endif
