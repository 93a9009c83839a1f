/* streams.h: the streams of several files, one after another, with their provenance first. */
#ifndef ANIM_CLI_STREAMS_H
#define ANIM_CLI_STREAMS_H

#include "cli/cli.h"

/* Told before each input's records, twice: first what stands before the TREEs and CLIPs of all of them, then the rest. */
typedef int cli_begin_stream(void *context, const char *name, struct anim_error *);

/*
 * Reads the operands, or standard input where there are none, into the sink; tracks come as heads
 * (anim_stream_pump_heads). Regular files are opened twice, so that any number of them may be given; all else stays
 * open. 0 or -1; end is not called.
 */
int cli_pump_streams(struct cli *, struct anim_sink *, cli_begin_stream *, void *context, struct anim_error *);

#endif
