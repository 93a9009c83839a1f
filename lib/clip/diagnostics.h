/* diagnostics.h: messages about lost data and errors, counted by kind, shared by the sinks of a command. */
#ifndef ANIM_CLIP_DIAGNOSTICS_H
#define ANIM_CLIP_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/advice.h"
#include "base/error.h"
#include "clip/sink.h"

/*
 * FAULT: the input is wrong, and reading continues only to find further faults. WARNING: the result looks different by
 * more than the tolerance, or data of the user are lost. NOTE: everything else.
 */
enum anim_severity { ANIM_NOTE, ANIM_WARNING, ANIM_FAULT };

#define ANIM_DIAGNOSTIC_NAMES 3
#define ANIM_DIAGNOSTIC_NAME_BYTES 160 /* of a name; longer names are cut */

/*
 * The subject of diagnostics. It lives as long as the diagnostics, so that a sink that holds data back can keep a
 * pointer to it.
 */
struct anim_scope {
	const char *file; /* name of the source; NULL: unknown */
	const char *clip; /* NULL: not about a clip */
	struct anim_scope *before;
};

struct anim_diagnostic {
	enum anim_severity severity;
	struct anim_place place;        /* of the first occurrence; the file name is copied and owned */
	const struct anim_scope *scope; /* of the first occurrence; NULL: none was set */
	const char *noun;               /* kind of the subjects, static; NULL: unknown */
	char *text;                     /* message of the first occurrence, owned */
	const char *unit;               /* unit of `worst`; NULL: no error is known */
	size_t count;
	size_t clips, files;                /* number of clips and files with occurrences; 0: none is known */
	char *names[ANIM_DIAGNOSTIC_NAMES]; /* the first different names, owned */
	size_t name_count, named;           /* number of names, and how many of `count` have one */
	double worst;
	double peak, peak_s;           /* moments with a larger error, and their longest duration; 0: none */
	const struct anim_scope *last; /* of the last occurrence: used to count clips and files */
	const char *last_file;
	uint32_t hash;
};

/* All-zero is empty. */
struct anim_diagnostics {
	struct anim_diagnostic *items;
	size_t count, capacity, counted_last;
	size_t faults, warnings; /* totals */
	size_t left_out;         /* tracks that the writer could not store: see anim_diagnostics_leave_out */
	bool strict;             /* set by the command: warnings prevent the end */
	bool apart;              /* set by the command: warnings are not merged, and notes are dropped */
	double units, degrees;   /* the tolerance that the user asked for (0: see ANIM_SEEN_UNITS) */
	/* The current subject; NULL: it has no name. Set by anim_diagnostics_enter, or restored to an earlier one. */
	const struct anim_scope *scope;
	struct anim_scope *scopes; /* all scopes so far */
	size_t clips;              /* how many of them are clips */
	uint32_t *table;           /* hash table of the items: numbers from 1, 0 is empty */
	size_t table_size;
};

/* Separates a message from details of one occurrence, which are printed if there is only one. */
#define ANIM_DETAIL "\4"

/*
 * Count a message. `noun` is the kind of its subject, in the singular: "track", "track of Euler angles". The text begins
 * with the quoted name of the subject, further words about it, and ": ", or with a place without blanks ("tracks[0].data:
 * "), or has no subject if the place of the message is enough. So
 * "'Hips rotation' in 'run': no keys, left out" is printed "track 'Hips rotation' in 'run': no keys, left out" once, and
 * "7 tracks: no keys, left out (first 'Hips rotation')" for more. Hence the words after the subject suit one and many.
 * Messages are merged if noun and these words, without details, are equal. The first is kept, and a warning counts the
 * notes with its words. Faults are apart. Without a noun (NULL) only messages of clips and files without a line are merged.
 * Returns 0, -1 if out of memory, or -1 (ANIM_BAD_INPUT, "too many faults") after ANIM_FAULTS_SHOWN faults.
 */
int anim_diagnostics_add(struct anim_diagnostics *, enum anim_severity, const struct anim_place *, const char *noun,
			 struct anim_error *, const char *text, ...) __attribute__((format(printf, 6, 7)));

/* The same for a warning or a note without a place. */
#define anim_diagnostics_warn(diagnostics, ...) anim_diagnostics_add(diagnostics, ANIM_WARNING, NULL, __VA_ARGS__)
#define anim_diagnostics_note(diagnostics, ...) anim_diagnostics_add(diagnostics, ANIM_NOTE, NULL, __VA_ARGS__)

/* The largest errors that are too small to see: 0.1 mm, in metres, and degrees. */
#define ANIM_SEEN_UNITS 1e-4
#define ANIM_SEEN_DEGREES 0.05

/* Return whether an error ("units", "degrees" or another unit) is within the tolerance of the user or the default. */
bool anim_diagnostics_tolerates(const struct anim_diagnostics *, double off, const char *unit);

/*
 * The same for an accepted error. Messages with one text are one entry: a note if all their errors are tolerated, otherwise
 * a warning. The largest error is kept and printed ", at most 0.013 degrees off".
 */
int anim_diagnostics_add_error(struct anim_diagnostics *, const char *noun, double off, const char *unit,
			       struct anim_error *, const char *text, ...) __attribute__((format(printf, 6, 7)));

/* Add an error in a unit to the last counted message. */
void anim_diagnostics_off(struct anim_diagnostics *, double off, const char *unit);

/* Count the last counted message so many times more. */
void anim_diagnostics_repeat(struct anim_diagnostics *, size_t times);

/* Add all messages of another object with the same scopes. It loses its names, and must still be cleared. Returns 0 or -1. */
int anim_diagnostics_join(struct anim_diagnostics *, struct anim_diagnostics *from, struct anim_error *);

/*
 * Add to the last counted message that its error is larger for moments beside a jump, each shorter than `lasts_s`.
 * Printed ", at most 15 units off for less than 1 microsecond beside a jump, 0.022 elsewhere".
 */
void anim_diagnostics_peak(struct anim_diagnostics *, double off, double lasts_s);

/* Add a warning about a track, without a place: "'A position': " and a short text. Returns 0 or -1. */
int anim_diagnostics_track(struct anim_diagnostics *, const struct anim_track *, struct anim_error *, const char *text,
			   ...) __attribute__((format(printf, 4, 5)));

/*
 * Called by a writer, or by a filter right before a writer, when it drops the current track with a warning. Losses in
 * the conversion of such a track must not be reported, so the converter compares `left_out` before and after it
 * passes the track on.
 */
static inline void anim_diagnostics_leave_out(struct anim_diagnostics *diagnostics)
{
	diagnostics->left_out++;
}

/* Called by a writer that drops a track: warn about it unless it is unset, and count it as above. Returns 0 or -1. */
int anim_diagnostics_drop(struct anim_diagnostics *, const struct anim_track *, const char *why, struct anim_error *);

/*
 * The gate of all writers, and of filters that make new tracks: leave out a track that is disabled, or has no keys unless
 * `empty`, with a warning, or with a note if it has no keys. Returns 1 if it was left out, 0 if not, or -1.
 */
int anim_diagnostics_gate(struct anim_diagnostics *, const struct anim_track *, bool empty, struct anim_error *);

/*
 * Add a note if the loop mode (without `keeps_loop`) or the autoplay of a clip has no place in a format. The advice begins
 * with a semicolon and a blank, or is empty. Returns 0 or -1.
 */
int anim_diagnostics_playback(struct anim_diagnostics *, const struct anim_clip *, const char *format, bool keeps_loop,
			      const char *advice, struct anim_error *);

/* Set the current file and clip (copied; NULL: unknown, none). Returns the scope, or NULL if out of memory. */
const struct anim_scope *anim_diagnostics_enter(struct anim_diagnostics *, const char *file, const char *clip,
						struct anim_error *);

/*
 * Give the last counted message the name of its subject, with a reason if subjects have different ones. The first few
 * different names are printed after the count of an entry: "3 clips are in models: 'A.fbx', 'B.fbx'; duplicate them
 * in Unity". Returns 0 or -1.
 */
int anim_diagnostics_name(struct anim_diagnostics *, struct anim_error *, const char *name, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Check for errors. Every writer calls this at the top of its end(), before it writes anything that marks the output
 * as complete. Returns -1 with ANIM_STRICT if warnings are forbidden and there were some, or -1 with ANIM_BAD_INPUT
 * if there were faults. NULL diagnostics: 0.
 */
int anim_diagnostics_check(const struct anim_diagnostics *, struct anim_error *);

/* Fail, because no clip arrived. Returns -1. */
int anim_fail_no_clip(struct anim_error *);

/* Return the first entry of at least this severity, or NULL. */
const struct anim_diagnostic *anim_diagnostics_first(const struct anim_diagnostics *, enum anim_severity least);

/* Turn all faults so far into warnings, for --keep-going. */
void anim_diagnostics_forgive(struct anim_diagnostics *);

/*
 * Print the text of an entry: the event, its largest error, and for several occurrences the first of them and the
 * number of clips and files: "7 tracks: no keys (first 'Hips Position' in 'run'; 2 clips)". The text may contain
 * advices, LIST_ALL among them if the entry counts tracks. `out` is filled up to the capacity.
 */
void anim_diagnostic_print(const struct anim_diagnostic *, char *out, size_t capacity);

/*
 * Print the name of an entry's subject and the rest of its text apart. Returns false if it has no name: then all of its
 * text is in `words`. Both are filled up to their capacities.
 */
bool anim_diagnostic_parts(const struct anim_diagnostic *, char *name, size_t name_capacity, char *words,
			   size_t capacity);

/*
 * Print the file and the clip that all occurrences of an entry share, if they are known and necessary: "walk.tscn:
 * 'run'".
 */
void anim_diagnostic_scope(const struct anim_diagnostics *, const struct anim_diagnostic *, char *out, size_t capacity);

/* Print an entry as the line of a program: "walk.tscn:3:8: warning: ...". A fault has no word before it. */
void anim_diagnostic_line(const struct anim_diagnostics *, const struct anim_diagnostic *, const struct anim_advisor *,
			  char *out, size_t capacity);

void anim_diagnostics_clear(struct anim_diagnostics *);

#endif
