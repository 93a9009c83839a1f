/* emit_target.h: the formats that anim-emit writes, a row each, and the sink that writes one. */
#ifndef ANIM_CMD_EMIT_TARGET_H
#define ANIM_CMD_EMIT_TARGET_H

#include <stdbool.h>

#include "base/output.h"
#include "clip/caps.h"
#include "clip/losses.h"
#include "clip/sink.h"
#include "filter/rest.h"

/* What the command line asks of the writers; each takes what concerns it. The numbers are the writers' own enums. */
struct emit_settings {
	bool pretty, raw_as_curve, keep_double, source_names, axes_keep, library, keep_names;
	bool bindable; /* animj, animx: only tracks that Resonite finds a field for */
	int encoding, key_order, tangent_order, godot, bezier;
	unsigned digits;
	double tol;               /* of curves that are approximated */
	struct anim_rests *rests; /* of nodes that the stream's trees do not have */
};

struct emit_target {
	const char *name;   /* "unity" */
	const char *suffix; /* of its files: "anim" */
	const char *lint;   /* the command that names all tracks that would go wrong in it; NULL: none */
	bool holds_many;    /* clips in one file */
	bool is_unity;      /* a .meta may stand beside it */
	bool is_binary;     /* not for a terminal */
	bool is_resonite;   /* its tracks are bound by their numbers */
	/* The conversion's target as the settings have it, false where the format holds whatever a stream does. */
	bool (*caps)(const struct emit_settings *, struct anim_caps *);
	struct anim_sink *(*writer)(const struct emit_settings *, struct anim_output *, struct anim_losses *,
				    struct anim_error *);
};

/* The format of that name, or NULL. */
const struct emit_target *emit_target_find(const char *name);

/* The format that a file's suffix stands for; NULL also for a NULL name. */
const struct emit_target *emit_target_of_file(const char *name);

/*
 * A sink that writes the format to the output (borrowed), for what emit_front_new's lets through. NULL on failure.
 */
struct anim_sink *emit_writer_new(const struct emit_target *, const struct emit_settings *, struct anim_output *,
				  struct anim_losses *, struct anim_error *);

/*
 * The conversion to what the format can hold, and the order in which it wants tracks, in front of `next` (owned, freed on
 * failure too; NULL: NULL). Settings and losses are borrowed as long as it lives. NULL on failure.
 */
struct anim_sink *emit_front_new(const struct emit_target *, const struct emit_settings *, struct anim_losses *,
				 struct anim_sink *next, struct anim_error *);

#endif
