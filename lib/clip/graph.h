/* graph.h: the structure that decides which clip plays: parameters, layers, state machines, blend trees, transitions. */
#ifndef ANIM_CLIP_GRAPH_H
#define ANIM_CLIP_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/print.h"

#define ANIM_GRAPH_NONE UINT32_MAX

enum anim_parameter_kind { ANIM_PARAMETER_FLOAT, ANIM_PARAMETER_INT, ANIM_PARAMETER_BOOL, ANIM_PARAMETER_TRIGGER };

struct anim_graph_parameter {
	const char *name;
	enum anim_parameter_kind kind;
	double value; /* at the start */
};

/* The motion of a state, or of a point of a blend tree. */
struct anim_graph_motion {
	const char *clip; /* name, or NULL */
	const char *file; /* path of its file, or NULL for the file of the graph */
	const char *why;  /* the reason why a clip was not found, otherwise NULL */
	uint32_t tree;    /* a blend tree instead, or ANIM_GRAPH_NONE */
	double length_s;  /* of the clip */
	bool loops;
};

enum anim_condition_mode {
	ANIM_CONDITION_IF,
	ANIM_CONDITION_IF_NOT,
	ANIM_CONDITION_GREATER,
	ANIM_CONDITION_LESS,
	ANIM_CONDITION_EQUALS,
	ANIM_CONDITION_NOT_EQUAL
};

struct anim_graph_condition {
	const char *parameter;
	enum anim_condition_mode mode;
	double threshold;
};

/* All conditions must hold. The first transition of a list that may be taken is taken. */
struct anim_graph_transition {
	const struct anim_graph_condition *conditions;
	size_t condition_count;
	uint32_t state, machine; /* the target, or ANIM_GRAPH_NONE. Neither: the end of the machine. */
	bool has_exit_time, in_seconds;
	double exit_time;    /* in lengths of the source */
	double duration;     /* of the cross-fade: in seconds, or in lengths of the source */
	double offset;       /* start in the target, in lengths of it */
	unsigned interrupts; /* 0 none, 1 source, 2 target, 3 source then target, 4 target then source */
	bool to_itself;      /* from any state: also from the target */
	bool is_muted, is_solo;
};

struct anim_graph_list {
	const struct anim_graph_transition *items;
	size_t count;
};

struct anim_graph_state {
	const char *name, *tag;
	struct anim_graph_motion motion;
	double speed, cycle_offset;
	bool mirrors, moves_feet, writes_defaults;
	/* Names of parameters, or NULL. The one of time is the place in the clip, and the speed has no effect then. */
	const char *speed_by, *time_by, *mirror_by, *offset_by;
	struct anim_graph_list transitions;
};

/* Transitions from a machine inside a machine, to be taken when it has ended. */
struct anim_graph_from {
	uint32_t machine;
	struct anim_graph_list transitions;
};

struct anim_graph_machine {
	const char *name;
	const uint32_t *states, *machines;
	size_t state_count, machine_count;
	uint32_t first; /* the state that it starts with, or ANIM_GRAPH_NONE */
	struct anim_graph_list any, entry;
	const struct anim_graph_from *from;
	size_t from_count;
};

enum anim_blend_kind {
	ANIM_BLEND_1D,
	ANIM_BLEND_DIRECTIONAL,
	ANIM_BLEND_FREEFORM_DIRECTIONAL,
	ANIM_BLEND_FREEFORM,
	ANIM_BLEND_DIRECT
};

struct anim_graph_point {
	struct anim_graph_motion motion;
	double at[2]; /* the threshold, or the place */
	double speed, cycle_offset;
	bool mirrors;
	const char *weight_by; /* the parameter of a direct blend, or NULL */
};

struct anim_graph_tree {
	const char *name;
	enum anim_blend_kind kind;
	const char *by[2]; /* parameters */
	const struct anim_graph_point *points;
	size_t count;
};

/* Another motion for a state of the layer with which a layer is synchronised. */
struct anim_graph_override {
	uint32_t state;
	struct anim_graph_motion motion;
};

struct anim_graph_layer {
	const char *name, *mask;
	uint32_t machine; /* ANIM_GRAPH_NONE: none */
	uint32_t synced;  /* the layer that decides the states, or ANIM_GRAPH_NONE */
	bool is_additive, has_ik, sets_timing;
	double weight;
	const struct anim_graph_override *overrides;
	size_t override_count;
};

/* All-zero is empty. Texts and lists are in the arena. Each machine, state and blend tree has one place. */
struct anim_graph {
	const char *name;
	struct anim_arena arena;
	struct anim_buffer parameters, layers, machines, states, trees; /* of the structs above */
};

#define ANIM_GRAPH_COUNT(graph, list, type) ((uint32_t)((graph)->list.size / sizeof(type)))
#define ANIM_GRAPH_AT(graph, list, type, number) ((type *)(void *)(graph)->list.data + (number))

void anim_graph_clear(struct anim_graph *);

/* Print the graph as indented text, or as one JSON object with a line end. */
void anim_graph_print(const struct anim_graph *, struct anim_print *);
void anim_graph_print_json(const struct anim_graph *, struct anim_print *);

#endif
