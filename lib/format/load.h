/* load.h: reads any supported file, or a stream, into a sink. Finds out the format itself. */
#ifndef ANIM_FORMAT_LOAD_H
#define ANIM_FORMAT_LOAD_H

#include "format/format.h"

struct anim_load_options {
	const struct anim_format *format; /* the requested format, or NULL to decide by content and name */
	bool streams;                     /* streams are also read, not refused */
	bool names_clips;                 /* clips with an unknown source file get it as an attribute */
	bool heads;                       /* the heads of a stream's tracks are enough, as for anim_stream_pump_heads */
	const struct anim_format **read_as; /* receives the format before the file is read (may be NULL) */
	struct anim_input_options input;    /* for the files that are opened because of this one */
	struct anim_read_options read;      /* points to `input`, so the struct must not move */
};

/* The number of bytes that are examined to recognise a format. Comments and blanks may precede a scene's first tag. */
#define ANIM_LOAD_LOOK_AT 4096

/*
 * Recognise a file by its first bytes, or by its name if the bytes do not identify it. The name also distinguishes
 * AnimJ from other JSON if the bytes that would do so are not among the first ones. Return NULL if neither identifies
 * the file.
 */
const struct anim_format *anim_format_guess(const uint8_t *bytes, size_t size, const char *name);

/*
 * Read the input into the sink, but do not end the sink. The format is the requested one, or is recognised by content,
 * then by name. Messages during the call are about this input. Return 0, or -1 with an error that names the file and,
 * if it cannot be read, a remedy.
 */
int anim_load(struct anim_input *, const struct anim_load_options *, struct anim_sink *, struct anim_error *);

/*
 * Read the structure of a controller into an empty graph. Returns 0, or -1 with an error, also if the file has none. Clear the
 * graph in both cases.
 */
int anim_load_graph(struct anim_input *, const struct anim_load_options *, struct anim_graph *, struct anim_error *);

/* Report that the input is empty, and for a pipe which program to look at. Return -1. */
int anim_load_empty(const struct anim_input *, struct anim_error *);

#endif
