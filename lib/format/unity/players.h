/* players.h: components, controllers and timelines, which lead to clips. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_PLAYERS_H
#define ANIM_FORMAT_UNITY_PLAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "format/unity/yaml.h"

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

/*
 * A document that leads to clips or to other such documents: its references, in its order. They are in the run's arena.
 */
struct unity_links {
	int64_t id;
	uint32_t line;
	bool is_top;      /* a controller or timeline: listed by itself if no player leads to it */
	bool is_override; /* refs[0] is the controller, followed by pairs: a clip of it, and its replacement */
	bool used;
	struct unity_reference *refs;
	size_t count;
};

/* The object on which a track of a timeline plays. */
struct unity_track_binding {
	struct unity_reference track;
	int64_t target; /* an Animator or a GameObject of the same file, 0: none */
};

/* An Animation, Animator or PlayableDirector component. */
struct unity_player {
	int64_t id, object; /* its GameObject */
	uint32_t line;
	int64_t wrap;              /* m_WrapMode of an Animation, otherwise 0 */
	bool removed;              /* a prefab instance removed it */
	struct unity_source *home; /* the file that contains its references */
	struct unity_reference *refs;
	size_t count;
	struct unity_track_binding *bindings;
	size_t binding_count;
	struct unity_reference avatar; /* of an Animator */
};

/* The place of a clip on a track of a timeline. */
struct unity_placement {
	int64_t asset; /* the script that plays the clip */
	uint32_t line;
	const char *name; /* in the run's arena */
	float start_s, clip_in_s, duration_s, speed;
	bool fades;             /* its weight changes at an end */
	bool is_state, mirrors; /* of a state, which is not on a timeline: start_s and duration_s mean nothing */
	float cycle_offset;
};

/* All-zero is empty. */
struct unity_players {
	struct anim_buffer links;      /* struct unity_links */
	struct anim_buffer players;    /* struct unity_player, in the order of the file */
	struct anim_buffer placements; /* struct unity_placement */
};

/*
 * Make the part of a clip (a number in `home`) that a timeline plays, on its time axis, in the store of the run. *made: its
 * number in `source`. Returns 0 or -1.
 */
int unity_timeline_place(struct unity_run *, const struct unity_placement *, const struct unity_source *home,
			 size_t number, struct unity_source *source, size_t *made);

#endif
