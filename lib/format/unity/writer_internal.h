/* writer_internal.h: the parts of the .anim writer. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_WRITER_INTERNAL_H
#define ANIM_FORMAT_UNITY_WRITER_INTERNAL_H

#include "base/text_set.h"
#include "format/unity/names.h"
#include "format/unity/print.h"
#include "format/unity/target.h"
#include "format/unity/writer.h"
#include "stream/store.h"

/* Where a track of the store goes. Texts are in the writer's `kept` arena. */
struct unity_plan {
	enum unity_list list;
	const char *path;
	const char *property; /* the track's, or what it is called in Unity */
	int64_t class_hint;
};

/* A row of m_ClipBindingConstant. */
struct unity_generic_binding {
	uint32_t path, attribute; /* CRC-32 of the texts; transforms: 1 position, 2 rotation, 3 scale, 4 Euler */
	int32_t class_id, custom;
};

struct unity_writer {
	struct anim_sink sink;
	struct anim_unity_options options;
	struct anim_output *out;
	struct anim_store *store;
	struct unity_target target;
	struct anim_arena kept, scratch; /* scratch: of the track at hand */
	struct anim_buffer plans;        /* struct unity_plan, one a track of the store */
	struct anim_buffer bindings;     /* struct unity_generic_binding */
	bool unknown_binding;            /* a curve whose row is not known: no rows are written */
	bool root_moves;                 /* a curve turns or moves the animated object itself */
	struct anim_text_set curves;     /* path, class and attribute of those from elsewhere */
	struct anim_text_set references; /* of PPtr keys */
	struct anim_buffer mapping;      /* the lines of pptrCurveMapping */
	struct anim_buffer events, event_texts;
	size_t event_tracks;
	bool in_clip, is_unity; /* is_unity: the clip came from Unity */
	bool all_flags;         /* of a version whose float and PPtr curves all have flags */
};

static inline const struct anim_clip *unity_writer_clip(const struct unity_writer *writer)
{
	return anim_store_clip(writer->store, 0);
}

/* writer_plan.c: what becomes of a track. 1: it has a plan (and its rows of bindings), 0: left out, warned of, -1. */
int unity_plan_track(struct unity_writer *, const struct anim_track *, const char *label, struct unity_plan *,
		     struct anim_error *);

/* writer_warn.c: what is to be told of the clip, and of a track that is written. 0 or -1. */
int unity_tell_clip(struct unity_writer *, const struct anim_clip *, struct anim_error *);
int unity_tell_place(struct unity_writer *, enum unity_placing, const char *label, struct anim_error *);
int unity_tell_axes(struct unity_writer *, const struct anim_track *, const char *label, struct anim_error *);
/* Why a track is left out before its place is looked for: 1 told, 0 it stays, -1. */
int unity_tell_left_out(struct unity_writer *, const struct anim_track *, const char *label, struct anim_error *);
/* That Unity has it only as a whole of other lanes. 0 or -1. */
int unity_tell_part(struct unity_writer *, const char *label, struct anim_error *);
/* That Unity has no curve for it. 0 or -1. */
int unity_tell_unbound(struct unity_writer *, const struct anim_track *, const char *label, struct anim_error *);

/* writer_bindings.c: one row for a curve of a list; m_ClipBindingConstant itself. */
int unity_bindings_add(struct unity_writer *, const struct anim_track *, const struct unity_binding *, const char *path,
		       struct anim_error *);
void unity_bindings_print(const struct unity_writer *, struct anim_print *);

/*
 * writer_reference.c: "{fileID: 21300000, guid: 0123..., type: 3}" out of a key's text, what stands behind type left
 * away; {fileID: 0} for null and for what is none (then *bad is set). At most UNITY_REFERENCE_MAX bytes with the NUL.
 */
#define UNITY_REFERENCE_MAX 160u
void unity_write_reference(const char *text, size_t length, char out[UNITY_REFERENCE_MAX], bool *bad);
/* Adds the keys' references to the mapping. 0 or -1. */
int unity_references_add(struct unity_writer *, const struct anim_track *, const char *label, struct anim_error *);
void unity_references_print(struct anim_print *, const struct anim_track *);

/* writer_events.c */
int unity_events_add(struct unity_writer *, const struct anim_track *, const char *label, struct anim_error *);
int unity_events_print(struct unity_writer *, struct anim_print *);

/* writer_keys.c: what of a track is written as one curve. */
struct unity_curve {
	const struct anim_track *track;
	unsigned first, lanes; /* lanes of the value */
	double scale;          /* of values and slopes */
	bool about_z;          /* the track's only lane is the z of three, the others stay 0 */
};
/* The items of m_Curve. 0 or -1. */
int unity_keys_print(struct anim_output *, const struct unity_curve *, struct anim_error *);

/* writer_lists.c: from m_RotationCurves to m_PPtrCurves; reads the store once for each list. 0 or -1. */
int unity_lists_print(struct unity_writer *, struct anim_print *);

/* writer_fields.c: the whole document. 0 or -1. */
int unity_document_print(struct unity_writer *, struct anim_error *);

#endif
