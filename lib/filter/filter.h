/* filter.h: a sink in front of another sink, which passes on everything that it does not handle, and small filters. */
#ifndef ANIM_FILTER_FILTER_H
#define ANIM_FILTER_FILTER_H

#include <stddef.h>

#include "base/arena.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/track.h"

/* --- The base of all filters --- */

struct anim_rests;
struct anim_poses;

/*
 * The first member of a filter's struct. `next` is owned. If the filter sets `rests` or `poses`, the default operations
 * keep the nodes of the stream's last tree there. At the end they check that all nodes were found, and they clear it
 * with the filter.
 */
struct anim_filter {
	struct anim_sink sink;
	struct anim_sink *next;
	struct anim_sink_ops ops; /* the operations of the sink */
	struct anim_rests *rests;
	struct anim_poses *poses; /* initialized */
	/*
	 * For filters that call anim_filter_keep: the original head of the current clip, and memory with the same
	 * lifetime.
	 */
	struct anim_clip clip;
	struct anim_arena clip_arena;
};

/*
 * Return a zeroed struct of `size` bytes that begins with a struct anim_filter in front of `next`. Operations that are
 * NULL pass their input on. Returns NULL if out of memory; `next` is then freed.
 */
void *anim_filter_new(size_t size, const struct anim_sink_ops *, struct anim_sink *next, struct anim_error *);
#ifndef NDEBUG
#define anim_filter_new(...) anim_sink_made_by(anim_filter_new(__VA_ARGS__), __FILE__)
#endif

/* The default operations, for filters that pass on a part of their input. */
int anim_filter_tree(struct anim_sink *, const struct anim_tree *, struct anim_error *);
int anim_filter_node(struct anim_sink *, const struct anim_node *, struct anim_error *);
int anim_filter_clip(struct anim_sink *, const struct anim_clip *, struct anim_error *);
/* Replace the kept clip by a copy of this one. Returns 0 or -1. */
int anim_filter_keep(struct anim_filter *, const struct anim_clip *, struct anim_error *);
int anim_filter_track(struct anim_sink *, const struct anim_track *, struct anim_error *);
int anim_filter_record(struct anim_sink *, const struct anim_record *, struct anim_error *);
int anim_filter_end(struct anim_sink *, struct anim_error *);
void anim_filter_free(struct anim_sink *); /* frees `next` and the struct; call it last in a filter's own free */

/* --- Sorting keys --- */

/*
 * Return a Curve or Discrete track with its keys sorted by time (stable), with columns in the arena. Warns that it was
 * sorted. Returns 0, or -1, also if a time is not finite.
 */
int anim_track_sort(const struct anim_track *, struct anim_track *out, struct anim_arena *, struct anim_diagnostics *,
		    struct anim_error *);

/* --- Names: as keys of a map, and for messages --- */

/* Join texts with a NUL between them; *length does not include the last NUL. In the arena. Returns NULL on failure. */
char *anim_key_join(struct anim_arena *, const char *const *texts, size_t count, size_t *length, struct anim_error *);

/* Return the text in a form that is safe to print (anim_text_safe), in the arena. Returns NULL on failure. */
char *anim_safe_copy(struct anim_arena *, const char *text, struct anim_error *);

/* Return anim_track_label of a track with this node, property and component, in the arena. Returns NULL on failure. */
char *anim_label_copy(struct anim_arena *, const char *node, const char *property, uint8_t component,
		      struct anim_error *);

/* --- Tracks that a filter does not support --- */

/* Fail with the message "'NODE PROPERTY' " and `why`. Returns -1. */
int anim_track_refuse(const struct anim_track *, const char *why, struct anim_error *);

/* Return 0, or -1 if the track is in world space. For filters that change values relative to a parent. */
int anim_track_check_local(const struct anim_track *, struct anim_error *);

/*
 * Return 1 for a curve of Unity's humanoid, and warn that it is unchanged, because only its avatar knows its bones.
 * Otherwise return 0 or -1.
 */
int anim_track_is_muscle(const struct anim_track *, struct anim_diagnostics *, struct anim_error *);

/* --- Axes --- */

/*
 * Return 0, or -1 if both the clip's axes and `axes` are known and differ. `what` begins the message part about `axes`:
 * "the rests are".
 */
int anim_clip_in_axes(const struct anim_clip *, uint8_t axes, const char *what, struct anim_error *);

/* --- A filter that sets an attribute --- */

/*
 * Create a filter that writes to `next` (owned, also freed on failure). It sets attribute `key` of all clips to `value`
 * (both borrowed). Returns NULL on failure.
 */
struct anim_sink *anim_attribute_new(const char *key, const char *value, struct anim_sink *next, struct anim_error *);

/* --- A filter that counts tracks --- */

/*
 * Create a filter that writes to `next` (owned, also freed on failure). It adds the number of tracks that are not
 * disabled to *count (borrowed). With diagnostics, tracks that `next` left out (anim_diagnostics_leave_out) are not
 * counted. Returns NULL on failure.
 */
struct anim_sink *anim_count_new(size_t *count, const struct anim_diagnostics *, struct anim_sink *next,
				 struct anim_error *);

/* --- A filter that undoes the preparation of columns for compression --- */

/*
 * Create a filter that writes to `next` (owned, also freed on failure). Other tracks are passed on unchanged. Returns
 * NULL on failure.
 */
struct anim_sink *anim_plain_new(struct anim_sink *next, struct anim_error *);

#endif
