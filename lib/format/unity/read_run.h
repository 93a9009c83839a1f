/* read_run.h: one run of the reader and the files that it takes apart. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_READ_RUN_H
#define ANIM_FORMAT_UNITY_READ_RUN_H

#include "format/read.h"
#include "format/unity/assets.h"
#include "format/unity/clip.h"
#include "format/unity/document.h"
#include "format/unity/players.h"
#include "format/unity/scene.h"

/* What all files of a run share. */
struct unity_run {
	const struct anim_read_options *options;
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
	char guid[UNITY_GUID_SIZE];
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
struct unity_source_clip *unity_source_clip(const struct unity_source *, size_t number);

/* Reads the file into the source. 0, or -1: trouble that stops the run, or an input that is no such file. */
int unity_source_read(struct unity_run *, struct unity_source *, struct anim_input *, struct anim_error *);
void unity_source_clear(struct unity_source *);

/*
 * The file with this guid, read once and kept by the run; `from` itself where the guid is its own or empty. 1: *out; 0:
 * it cannot be read: *path is its path where it was found, else NULL, and *why (the run's) says why; -1.
 */
int unity_source_find(struct unity_run *, struct unity_source *from, const char *guid, struct unity_source **out,
		      const char **path, const char **why, struct anim_error *);

/* True for files of models, which hold clips and nodes in forms of their own. */
bool unity_is_model(const char *path);

/*
 * How many things that were not looked for are told of in one line, with the reason: of clips, or of prefabs. `why` is one
 * of unity_source_find's; NULL for any other.
 */
const char *unity_many_clips(const char *why);
const char *unity_many_prefabs(const char *why);

/* "below the project": where files were looked for in vain; `clips`: several are told of in one line. */
const char *unity_where(const struct unity_run *, const char **clips);

/* What a reference of a PPtr curve leads to: struct unity_clip_options.resolve; the context is the run. */
int unity_run_resolve(void *run, const char *guid, int64_t file_id, struct unity_asset *, struct anim_error *);

/* Opens a file below the project's folder. 1: *fd, *shown; 0: *why; -1. */
int unity_run_open(struct unity_run *, const char *path, int *fd, const char **shown, const char **why,
		   struct anim_error *);

void unity_run_clear_sheets(struct unity_run *);

/* A message about a line of a file, 0: about the file. Faults are warnings under --keep-going. 0 or -1. */
int unity_say(const struct unity_run *, const struct unity_source *, enum anim_severity, uint32_t line,
	      const char *many, struct anim_error *, const char *format, ...) __attribute__((format(printf, 7, 8)));

/*
 * Makes a message of an error that is a fault of one document. 0: reported, or -1: it is none, it stands as it was, or
 * there were too many.
 */
int unity_report(const struct unity_run *, const struct unity_source *, enum anim_severity, struct anim_error *);

/* A copy in the run's arena; NULL out of memory. */
const char *unity_keep(struct unity_run *, const char *text, struct anim_error *);

#endif
