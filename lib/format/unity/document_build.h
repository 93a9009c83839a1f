/* document_build.h: libfyaml's events made into nodes. Internal to document*.c. */
#ifndef ANIM_FORMAT_UNITY_DOCUMENT_BUILD_H
#define ANIM_FORMAT_UNITY_DOCUMENT_BUILD_H

#include "format/unity/document_internal.h"

/* The next event, its faults with their place. As unity_yaml_events_next. */
int unity_next_event(struct unity_file *, struct unity_yaml_event *, struct anim_error *);

/* A fault at a line that libfyaml was given, from 0 as the column is. Returns -1. */
int unity_fault_at(struct unity_file *, uint32_t given, uint32_t column, struct anim_error *);

/*
 * The node that begins with that event, read to its end; `key` is borrowed. With `curves`, lists under "m_Curve" become
 * keys. 0 or -1.
 */
int unity_build(struct unity_file *, struct anim_arena *, const struct unity_yaml_event *first, const char *key,
		bool curves, struct unity_node **, struct anim_error *);

/* A node that begins with that event, without members. NULL out of memory. */
struct unity_node *unity_new_node(struct unity_file *, struct anim_arena *, const struct unity_yaml_event *,
				  const char *key, struct anim_error *);

/* Passes over the node that begins with that event. 0 or -1. */
int unity_drop(struct unity_file *, const struct unity_yaml_event *first, struct anim_error *);

/* document_keys.c: the items of a list of keys behind its event, to its end. 0 or -1. */
int unity_build_keys(struct unity_file *, struct unity_node *, struct anim_error *);

#endif
