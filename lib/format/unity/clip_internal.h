/* clip_internal.h: what the files that read one AnimationClip share. Private to clip*.c. */
#ifndef ANIM_FORMAT_UNITY_CLIP_INTERNAL_H
#define ANIM_FORMAT_UNITY_CLIP_INTERNAL_H

#include "base/number.h"
#include "clip/texts.h"
#include "format/unity/clip.h"
#include "format/unity/document.h"
#include "format/unity/names.h"

/* A scalar or flow map of the document that becomes an attribute; texts in the caller's arena. */
struct unity_clip_text {
	const char *path, *text;
	size_t number; /* in the file */
};

/* What the clip's own members are made of, as the file has it. */
struct unity_clip_told {
	const char *name;
	bool legacy, loop_time, has_start, has_stop;
	bool has_any;             /* field */
	bool has_first, has_last; /* m_ObjectHideFlags and m_Events, which Unity always writes */
	float rate_hz, start_s, stop_s;
};

struct unity_clip_reader {
	struct unity_file *file;
	const struct unity_clip_options *options;
	struct unity_clip *clip;
	struct anim_error *error;
	struct anim_arena item; /* of the field or item that is being read */
	struct unity_clip_told told;
	struct anim_buffer texts;      /* struct unity_clip_text */
	size_t curves;                 /* of the runtime lists so far */
	float last_s;                  /* last key of any curve, 0 before there is one */
	struct anim_buffer hints;      /* scratch: uint32_t a key */
	struct anim_buffer event_time; /* float a key */
	struct anim_texts events;
};

/*
 * A fault at a node: told, counted, the clip is no good any more, reading goes on. 0 or -1. The second takes the error
 * that a call has just filled; what is no fault of the input is passed on.
 */
int unity_clip_fault(struct unity_clip_reader *, const struct unity_node *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int unity_clip_fault_again(struct unity_clip_reader *, const struct unity_node *);

/* A warning or note at a node, merged by `many`. 0 or -1. */
int unity_clip_say(struct unity_clip_reader *, enum anim_severity, const struct unity_node *, const char *many,
		   const char *one, ...) __attribute__((format(printf, 5, 6)));

/* Numbers of a member, which stay as they are where it is missing or a fault. 0 or -1. */
int unity_clip_float(struct unity_clip_reader *, const struct unity_node *, const char *key, float *);
int unity_clip_integer(struct unity_clip_reader *, const struct unity_node *, const char *key, int64_t *);

/* Adds an attribute behind those there; keys must come in their order. The text is borrowed. */
struct unity_track_attrs {
	struct anim_attr items[8];
	size_t count;
};
void unity_track_attr(struct unity_track_attrs *, const char *key, const char *value);

/* Sets path, rules, attributes and what the times say, and stores the track of the node (of the list's item). 0 or -1. */
int unity_clip_store(struct unity_clip_reader *, const struct unity_node *, const char *path, struct anim_track *,
		     const struct unity_track_attrs *);

/* clip_bind.c: what a float or PPtr curve animates. 0 or -1; then its attributes. */
struct unity_curve_name {
	struct unity_meaning meaning;
	char class_id[ANIM_NUMBER_MAX + 1], flags[ANIM_NUMBER_MAX + 1];
	const char *attribute, *script;
	bool keep_flags;
};
int unity_clip_name(struct unity_clip_reader *, const struct unity_node *item, bool reference,
		    struct unity_curve_name *);
void unity_track_attr_name(struct unity_track_attrs *, const struct unity_curve_name *);

/* One item of the list. 0 or -1. */
int unity_clip_rotation(struct unity_clip_reader *, const struct unity_node *);
int unity_clip_euler(struct unity_clip_reader *, const struct unity_node *);
int unity_clip_position(struct unity_clip_reader *, const struct unity_node *);
int unity_clip_scale(struct unity_clip_reader *, const struct unity_node *);
int unity_clip_number(struct unity_clip_reader *, const struct unity_node *);     /* m_FloatCurves */
int unity_clip_compressed(struct unity_clip_reader *, const struct unity_node *); /* clip_compressed.c */
int unity_clip_reference(struct unity_clip_reader *, const struct unity_node *);  /* m_PPtrCurves: clip_reference.c */
int unity_clip_event(struct unity_clip_reader *, const struct unity_node *);      /* clip_events.c */

/* clip_events.c: stores the events that came as a track. 0 or -1. */
int unity_clip_store_events(struct unity_clip_reader *);

/* Before and after by m_PreInfinity and m_PostInfinity of a map. 0 or -1. */
int unity_clip_ends(struct unity_clip_reader *, const struct unity_node *, struct anim_track *);

/* clip_head.c: takes a field that is no list; makes the head of all that came. 0 or -1. */
int unity_clip_field_read(struct unity_clip_reader *, const struct unity_node *);
int unity_clip_head(struct unity_clip_reader *);

#endif
