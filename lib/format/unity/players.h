/* players.h: what plays clips: components, controllers, timelines, and the clips that they lead to. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_PLAYERS_H
#define ANIM_FORMAT_UNITY_PLAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "format/unity/yaml.h"

struct unity_file;
struct unity_document;
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

/* True for classes that unity_players_read takes. */
bool unity_players_is(int32_t class_id);

/* Reads one such document, or a MonoBehaviour, which may be part of a timeline. 0 or -1. */
int unity_players_read(struct unity_run *, struct unity_source *, struct unity_file *, const struct unity_document *,
		       struct anim_error *);
int unity_players_script(struct unity_run *, struct unity_source *, struct unity_file *, const struct unity_document *,
			 struct anim_error *);

struct unity_player *unity_player_at(const struct unity_source *, size_t number);
struct unity_links *unity_links_at(const struct unity_source *, size_t number);
size_t unity_player_count(const struct unity_source *);
void unity_players_clear(struct unity_players *);

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
int unity_players_cues(struct unity_run *, struct unity_source *, struct anim_buffer *cues, bool *named,
		       struct anim_error *);

#endif
