/* oracle_track.h: tracks as a Godot engine described them in JSON, and what it sampled from them. */
#ifndef ANIM_TESTS_ORACLE_TRACK_H
#define ANIM_TESTS_ORACLE_TRACK_H

#include "base/arena.h"
#include "clip/track.h"
#include "json.h"

/* A track of the stream made from one of the engine's; `first_component`: where its components begin in the engine's value. */
struct oracle_track {
	struct anim_track track;
	unsigned first_component, components; /* of the engine's numbers */
	bool literal;                         /* text that stands for a value the stream does not blend */
	bool name;                            /* text of a StringName */
};

/* The clip of an animation node. version: "4.2" or NULL. */
void oracle_clip(const struct json *, int animation, const char *version, struct anim_clip *, struct anim_arena *);

/*
 * Builds the part'th track of a JSON track (AABB makes two). 1, or 0 where there is no such part, or for event tracks.
 * All memory is the arena's.
 */
int oracle_track(const struct json *, int node, unsigned part, struct oracle_track *, struct anim_arena *);

/* The numbers of an engine's value in the order and number of the stream's components. */
void oracle_components(const struct oracle_track *, const struct json *, int value, double components[16]);

/* The text that the stream has for an engine's value of a string track. */
char *oracle_text(const struct oracle_track *, const struct json *, int value);

#endif
