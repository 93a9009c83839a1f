/* load.h: any readable file, or a stream, into a sink: finds out what it is, and reads it. */
#ifndef ANIM_FORMAT_LOAD_H
#define ANIM_FORMAT_LOAD_H

#include "format/format.h"

struct anim_load_options {
	const struct anim_format *format; /* asked for; NULL: by content and name */
	bool streams;                     /* streams are read too; else they are refused */
	bool names_clips;                 /* clips whose file nothing tells get it as attribute */
	bool heads; /* of a stream's tracks the head is enough, as anim_stream_pump_heads has it */
	const struct anim_format **read_as; /* gets the format that is read, before it is; NULL: nobody asks */
	struct anim_input_options input;    /* of the files that are opened below one */
	struct anim_read_options read;      /* points to `input`: the struct stays where it is */
};

/* So much is looked at to tell formats apart; comments and blanks may stand before a scene's first tag. */
#define ANIM_LOAD_LOOK_AT 4096

/*
 * What a file is: by its first bytes; by its name where they say nothing, and between AnimJ and other JSON where what tells
 * them apart comes late. NULL: nothing tells.
 */
const struct anim_format *anim_format_guess(const uint8_t *bytes, size_t size, const char *name);

/*
 * Reads the input, by what was asked for, then content, then name, into the sink, without its end. 0 or -1; what cannot be
 * read is named, with a way round. What is told meanwhile is told of this input.
 */
int anim_load(struct anim_input *, const struct anim_load_options *, struct anim_sink *, struct anim_error *);

/* Says that the input is empty, and of a pipe where to look. Returns -1. */
int anim_load_empty(const struct anim_input *, struct anim_error *);

#endif
