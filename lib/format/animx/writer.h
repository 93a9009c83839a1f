/* writer.h: the parts of the AnimX writer; private to this folder. */
#ifndef ANIM_FORMAT_ANIMX_WRITER_H
#define ANIM_FORMAT_ANIMX_WRITER_H

#include "clip/resonite.h"
#include "format/animx/coder.h"
#include "stream/store.h"

struct animx_writer {
	struct anim_sink sink;
	struct anim_write_options options;
	struct anim_output *out;
	struct anim_store *store; /* the tracks as they will be written: their number stands before them */
	struct anim_resonite_target target;
	struct anim_arena scratch; /* of the track at hand */
	float start_s, end_s;      /* of the clip */
	float last_s;              /* the latest key of all tracks, from the clip's start */
	bool in_clip, from_godot;
	/*
	 * Readers must guess which half of a Curve key comes first. Where no track tells, the first Curve of one mode says
	 * it for each key, which every reader takes and ours knows for this writer's.
	 */
	bool settled, needs_mark, has_candidate;
	size_t candidate; /* the track that gets the mark */
};

/*
 * Makes of a copy of a track one that AnimX holds: times from the clip's start, Raw from there, Godot's doubles as floats.
 * What it has no place for is refused. New columns are in the scratch arena. 0 or -1.
 */
int animx_prepare(struct animx_writer *, struct anim_track *, const char *label, struct anim_error *);

#endif
