/* diagnostics.h: what could not be kept, counted by kind; shared by the sinks of a command, printed by it. */
#ifndef ANIM_CLIP_DIAGNOSTICS_H
#define ANIM_CLIP_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "clip/sink.h"

/*
 * FAULT: the input is wrong, reading goes on only to find more of them. WARNING: what is seen would differ. NOTE: a
 * playback setting that the target has no place for.
 */
enum anim_severity { ANIM_NOTE, ANIM_WARNING, ANIM_FAULT };

#define ANIM_DIAGNOSTIC_NAMES 3
#define ANIM_DIAGNOSTIC_NAME_BYTES 160 /* of a name; a longer one is cut */

/* What diagnostics are about. Lives as long as the diagnostics, so that who keeps things back can keep a pointer to it. */
struct anim_scope {
	const char *file; /* the source's name; NULL: not known */
	const char *clip; /* NULL: no clip is concerned */
	struct anim_scope *before;
};

struct anim_diagnostic {
	enum anim_severity severity;
	struct anim_place place;        /* of the first one; file copied and owned */
	const struct anim_scope *scope; /* of the first one; NULL: none was set */
	char *one;                      /* the first one's message, owned */
	const char *many;               /* what follows the count, static; NULL: merged only with its like */
	const char *unit;               /* of `worst`, NULL: no error is known */
	size_t count;
	size_t clips, files;                /* how many these were met in; 0: of none that is known */
	char *names[ANIM_DIAGNOSTIC_NAMES]; /* the first different ones, owned */
	size_t name_count, named;           /* names; how many of `count` they stand for */
	double worst;
	double peak,
	    peak_s; /* a larger error that is there for moments alone, and how long such a moment lasts; 0: none */
	const struct anim_scope *last; /* of the last one: how clips and files are counted */
	const char *last_file;
	uint32_t hash;
};

/* All-zero is empty. */
struct anim_diagnostics {
	struct anim_diagnostic *items;
	size_t count, capacity, counted_last;
	size_t faults, warnings; /* totals */
	size_t left_out;         /* tracks that what comes last had no place for: see anim_diagnostics_leave_out */
	bool strict;             /* set by the command: warnings forbid the end */
	/* What is being worked at; NULL: nothing that has a name. Set by anim_diagnostics_enter, or back to one of before. */
	const struct anim_scope *scope;
	struct anim_scope *scopes; /* all that there were */
	size_t clips;              /* how many of them are clips */
	uint32_t *table;           /* of the items by their hashes: numbers from 1, 0 is empty */
	size_t table_size;
};

/*
 * Counts one. Entries with the same severity and `many` (compared as text) merge: the first's message is kept; printed
 * as `one` when there was one, as "<count> <many>" when there were more. With many NULL each stands alone, but for
 * those that say the same of several clips.
 * 0, or -1 out of memory, or -1 (ANIM_BAD_INPUT, "too many faults") after ANIM_FAULTS_SHOWN faults.
 */
int anim_diagnostics_add(struct anim_diagnostics *, enum anim_severity, const struct anim_place *, const char *many,
			 struct anim_error *, const char *one, ...) __attribute__((format(printf, 6, 7)));

/* Of no place: a warning, a note. The same. */
#define anim_diagnostics_warn(diagnostics, ...) anim_diagnostics_add(diagnostics, ANIM_WARNING, NULL, __VA_ARGS__)
#define anim_diagnostics_note(diagnostics, ...) anim_diagnostics_add(diagnostics, ANIM_NOTE, NULL, __VA_ARGS__)

/* The same with an error that was accepted; the largest is kept and printed ", at most 0.013 degrees off". */
int anim_diagnostics_add_error(struct anim_diagnostics *, const char *many, double off, const char *unit,
			       struct anim_error *, const char *one, ...) __attribute__((format(printf, 6, 7)));

/*
 * Add that the error of the one counted last is larger for moments, each shorter than `lasts_s`, beside a jump. Printed
 * ", at most 15 units off for less than 1 microsecond beside a jump, 0.022 elsewhere".
 */
void anim_diagnostics_peak(struct anim_diagnostics *, double off, double lasts_s);

/* A warning without place of a track: "track 'A position' " and `what`, which is short. 0 or -1 as anim_diagnostics_add. */
int anim_diagnostics_track(struct anim_diagnostics *, const struct anim_track *, const char *many, struct anim_error *,
			   const char *what, ...) __attribute__((format(printf, 5, 6)));

/*
 * Called by a writer, and by a filter right before one, that leaves out the track at hand and tells that. What such a track
 * lost on its way is told by nobody: who made it fit looks at `left_out` before and after it passed it on.
 */
static inline void anim_diagnostics_leave_out(struct anim_diagnostics *diagnostics)
{
	diagnostics->left_out++;
}

/* What comes is of this file and this clip (copied; NULL: not known, none). The scope that is set; NULL out of memory. */
const struct anim_scope *anim_diagnostics_enter(struct anim_diagnostics *, const char *file, const char *clip,
						struct anim_error *);

/*
 * Names the one that was counted last: what it is, and where they differ why. The first few different ones are printed
 * behind the count of an entry: "3 clips are in models: 'A.fbx', 'B.fbx'; duplicate them in Unity". 0 or -1.
 */
int anim_diagnostics_name(struct anim_diagnostics *, struct anim_error *, const char *name, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Called by every writer at the top of its end(), before anything that says "whole": -1 with ANIM_STRICT where warnings
 * are forbidden and there were some, -1 with ANIM_BAD_INPUT where there were faults. NULL diagnostics: 0.
 */
int anim_diagnostics_check(const struct anim_diagnostics *, struct anim_error *);

/* The first entry of at least this severity; NULL: there is none. */
const struct anim_diagnostic *anim_diagnostics_first(const struct anim_diagnostics *, enum anim_severity least);

/* Makes warnings of all faults so far: what --keep-going leaves out. */
void anim_diagnostics_forgive(struct anim_diagnostics *);

/*
 * The text of an entry: what happened, how far off it is at most, and where the entry stands for more than one, which
 * was the first and how many clips and files there were: "7 tracks are odd (first 'Hips Position' in 'run'; 2 clips)".
 * `lister`: the command that lists tracks, or NULL; named where the entry counts them. `out` is filled to the capacity.
 */
void anim_diagnostic_print(const struct anim_diagnostic *, const char *lister, char *out, size_t capacity);

/* "walk.tscn: 'run'": the file and the clip where all of an entry is, as far as they are known and need to be told. */
void anim_diagnostic_scope(const struct anim_diagnostics *, const struct anim_diagnostic *, char *out, size_t capacity);

/* All of that as the line that a program prints: "walk.tscn:3:8: warning: ..."; a fault has no word before it. */
void anim_diagnostic_line(const struct anim_diagnostics *, const struct anim_diagnostic *, const char *lister,
			  char *out, size_t capacity);

void anim_diagnostics_clear(struct anim_diagnostics *);

/* ---- Scopes, from what flows by ---- */

/*
 * A sink to be put in front of the first of a chain, by whoever pumps a stream through it: what the chain tells while a
 * clip flows is told of that clip. A sink that keeps things back keeps diagnostics->scope with them, and sets it again when
 * it comes back to them. All members are private.
 */
struct anim_scope_sink {
	struct anim_sink sink;
	struct anim_sink *next;
	struct anim_diagnostics *diagnostics;
	const struct anim_scope *tree, *clip; /* the last ones; NULL: none came */
	const char *input;                    /* for clips whose file is not known; NULL: none */
	bool several;                         /* files */
};

/* Nothing is owned: next, diagnostics and input outlive the sink, and there is nothing to free. */
struct anim_sink *anim_scope_sink_init(struct anim_scope_sink *, struct anim_diagnostics *, const char *input,
				       struct anim_sink *next);

#endif
