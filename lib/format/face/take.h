/* take.h: the frames of a face, which arrive one by one and leave as tracks. */
#ifndef ANIM_FORMAT_FACE_TAKE_H
#define ANIM_FORMAT_FACE_TAKE_H

#include "base/buffer.h"
#include "base/map.h"
#include "format/read.h"
#include "stream/frames.h"

/* How frames give their times. FRAMES: numbers of frames. TIMECODE: seconds, and frames after them. */
enum face_clock { FACE_NO_CLOCK, FACE_SECONDS, FACE_FRAMES, FACE_TIMECODE };

/* A time. With FACE_FRAMES and FACE_TIMECODE, `frames` counts, and may have a fraction. */
struct face_time {
	double seconds, frames;
	bool is_clock;  /* has hours or minutes, so that midnight ends a day */
	bool is_drop;   /* a semicolon before the frames means drop-frame timecode */
	uint8_t digits; /* of the frames before their fraction */
};

/* The scopes of face_take.names. */
enum { FACE_NAME, FACE_PROPERTY };

/* All-zero except options, error and input has no column and no frame. */
struct face_take {
	const struct anim_read_options *options; /* borrowed, like the next two */
	struct anim_error *error;
	struct anim_input *input;

	struct anim_buffer columns; /* const char *: the properties */
	struct anim_map names;      /* name in the file, and property -> column */
	struct anim_arena texts;
	enum face_clock clock;
	double rate;              /* frames per second in the file, or 0 */
	bool has_unit;            /* the file names the unit of times without minutes */
	float most;               /* largest weight */
	const char *timecode;     /* the first one, or NULL */
	struct anim_buffer times; /* struct face_time */
	struct anim_buffer row;   /* float: the current frame. Values stay until they are replaced. */
	struct anim_frames kept;  /* the frames */
	size_t frames;
	struct anim_buffer values;
};

void face_take_init(struct face_take *, struct anim_input *, const struct anim_read_options *, struct anim_error *);
void face_take_clear(struct face_take *);

size_t face_take_width(const struct face_take *);

/*
 * Add a column by its name in the file, which must be new. Columns are added before the first frame. Return its number,
 * or -1.
 */
ptrdiff_t face_take_add(struct face_take *, const char *name, size_t length);

/* Return the values of the current frame, one per column, or NULL without columns. */
float *face_take_row(const struct face_take *);

/* End the current frame. Return 0 or -1. */
int face_take_end_frame(struct face_take *, struct face_time);

/* Read "14:03:52:28.207" (also with a semicolon before the frames), "00:01:02.5" or "62.5". Return false for another text. */
bool face_time_read(const char *text, size_t length, enum face_clock *, struct face_time *);

/* Push the clip and its tracks. Return 0 or -1. */
int face_take_push(struct face_take *, struct anim_sink *);

/* ---- The two kinds of files ---- */

/* Count the names of shapes in the first line, or among the strings. */
unsigned face_table_shapes(const char *text, size_t size);
unsigned face_json_shapes(const char *text, size_t size);

/* Read the input into the take, which was initialised. Return 0, or -1 with line and column. */
int face_table_read(struct face_take *);
int face_json_read(struct face_take *);

#endif
