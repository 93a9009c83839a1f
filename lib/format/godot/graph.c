/* graph.c: write the structure of a controller (clip/graph.h) as an AnimationTree of Godot 4. */
#include "format/godot/writer.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "clip/graph.h"

#define MACHINE "AnimationNodeStateMachine"
#define TRANSITION "AnimationNodeStateMachineTransition"
#define BLEND_TREE "AnimationNodeBlendTree"
#define DEPTH_MAX 16 /* of machines that lead to each other without a state */

/* A state of a machine that has no machines inside: Godot's own need no path from one to the other. */
struct flat_state {
	uint32_t state;   /* of the graph */
	uint32_t machine; /* that has it */
	const char *name; /* unique */
	bool is_made;     /* its clip has its speed already */
};

/* A transition between two of them. `second`: the conditions of the place that it leads through, or NULL. */
struct flat_edge {
	uint32_t from, to; /* ANIM_GRAPH_NONE: the start */
	const struct anim_graph_transition *first, *second;
};

/* A property of the AnimationTree that a parameter sets. */
struct graph_link {
	const char *parameter, *path;
	int axis; /* of a place, or -1 */
	double factor;
};

struct graph_writing {
	struct godot_writer *writer;
	const struct anim_graph *graph;
	struct godot_print *print;
	struct anim_arena arena;
	struct anim_buffer links;  /* struct graph_link */
	struct anim_buffer values; /* struct graph_link: constants, with `factor` as the value */
	/*
	 * Numbers of clips of the writer by (0, file, zero byte and name in it), by (1, name), and for clips that are made
	 * of states by (2, file, zero byte and name of the state). Of several with one key, the first without a state yet.
	 */
	struct anim_map clips;
	uint32_t *next_clips; /* by clip: the next one of a state with this file and name, or ANIM_GRAPH_NONE */
	struct anim_buffer states, edges; /* of the current layer */
	struct anim_buffer script;
	struct anim_map state_numbers; /* (0, number of a state) -> number in states */
	uint32_t *parents;             /* by machine: the one around it, or ANIM_GRAPH_NONE */
	size_t next;                   /* number of the next resource */
	bool is_dry;                   /* only count */
	bool failed;
	size_t lost_clips, offsets, interruptions, mirrors, times, directs, later_exits;
};

static const struct anim_graph_machine *machine_at(const struct graph_writing *g, uint32_t i)
{
	return ANIM_GRAPH_AT(g->graph, machines, struct anim_graph_machine, i);
}

static const struct anim_graph_state *state_at(const struct graph_writing *g, uint32_t i)
{
	return ANIM_GRAPH_AT(g->graph, states, struct anim_graph_state, i);
}

#define put(g, ...) ((g)->is_dry ? (void)0 : godot_print_format((g)->print, __VA_ARGS__))

/* Return a text in the arena, or "" if out of memory, which g->failed keeps. */
static const char *textf(struct graph_writing *g, const char *text)
{
	g->failed |= text == NULL;
	return text == NULL ? "" : text;
}
#define text_of(g, ...) textf(g, anim_arena_printf(&(g)->arena, (g)->writer->error, __VA_ARGS__))

static void put_sub(struct graph_writing *g, const char *before, const char *type, size_t number)
{
	if (g->is_dry)
		return;
	godot_print_text(g->print, before);
	godot_print_sub(g->print, type, number);
	godot_print_text(g->print, "\n");
}

static size_t begin_sub(struct graph_writing *g, const char *type)
{
	if (!g->is_dry)
		godot_print_sub_tag(g->print, type, g->next);
	return g->next++;
}

static void end_sub(struct graph_writing *g)
{
	put(g, "\n");
}

static void add_link(struct graph_writing *g, const char *parameter, const char *path, int axis, double factor)
{
	const struct graph_link link = {parameter, path, axis, factor};

	if (anim_buffer_append(parameter == NULL ? &g->values : &g->links, &link, sizeof link, g->writer->error) != 0)
		g->failed = true;
}

/* ---- Motions: animations, blend spaces ---- */

/* A resource: its type and number. */
struct written_sub {
	const char *type;
	size_t number;
};

static struct written_sub put_motion(struct graph_writing *g, const struct anim_graph_motion *motion, const char *path);

/* Wrap a node into one that changes its speed. `path`: of the wrapper. */
static struct written_sub put_speed(struct graph_writing *g, struct written_sub inner, const char *path, double speed,
				    const char *by)
{
	struct written_sub sub = {BLEND_TREE, 0};
	size_t scale = begin_sub(g, "AnimationNodeTimeScale");

	end_sub(g);
	sub.number = begin_sub(g, sub.type);
	put_sub(g, "nodes/Motion/node = ", inner.type, inner.number);
	put(g, "nodes/Motion/position = Vector2(0, 0)\n");
	put_sub(g, "nodes/TimeScale/node = ", "AnimationNodeTimeScale", scale);
	put(g, "nodes/TimeScale/position = Vector2(250, 0)\nnodes/output/position = Vector2(500, 0)\n");
	put(g, "node_connections = [&\"TimeScale\", 0, &\"Motion\", &\"output\", 0, &\"TimeScale\"]\n");
	end_sub(g);
	add_link(g, by, text_of(g, "%s/TimeScale/scale", path), -1, speed);
	return sub;
}

/* Print the points of a blend space of one or two dimensions. */
static struct written_sub put_tree(struct graph_writing *g, const struct anim_graph_tree *tree, const char *path)
{
	bool flat = tree->kind != ANIM_BLEND_1D;
	struct written_sub sub = {flat ? "AnimationNodeBlendSpace2D" : "AnimationNodeBlendSpace1D", 0};
	struct written_sub *points = anim_arena_zeroed(&g->arena, tree->count + 1, sizeof *points, g->writer->error);
	double least[2] = {-1, -1}, most[2] = {1, 1};

	if (points == NULL || tree->count == 0 || tree->kind == ANIM_BLEND_DIRECT) {
		struct anim_graph_motion none = {.tree = ANIM_GRAPH_NONE};

		g->failed |= points == NULL;
		g->directs += tree->kind == ANIM_BLEND_DIRECT;
		return put_motion(g, tree->count > 0 ? &tree->points[0].motion : &none, path);
	}
	for (size_t i = 0; i < tree->count; i++) {
		const struct anim_graph_point *point = &tree->points[i];
		const char *at = text_of(g, "%s/%zu", path, i);
		bool scaled = point->speed != 1;

		points[i] = put_motion(g, &point->motion, scaled ? text_of(g, "%s/Motion", at) : at);
		if (scaled)
			points[i] = put_speed(g, points[i], at, point->speed, NULL);
		g->mirrors += point->mirrors;
		g->offsets += point->cycle_offset != 0;
		for (unsigned k = 0; k < 2; k++) {
			least[k] = fmin(least[k], point->at[k]);
			most[k] = fmax(most[k], point->at[k]);
		}
	}
	sub.number = begin_sub(g, sub.type);
	for (size_t i = 0; i < tree->count; i++) {
		put_sub(g, text_of(g, "blend_point_%zu/node = ", i), points[i].type, points[i].number);
		put(g, flat ? "blend_point_%u/pos = Vector2(%f, %f)\n" : "blend_point_%u/pos = %f\n", i,
		    tree->points[i].at[0], tree->points[i].at[1]);
	}
	if (flat)
		put(g, "min_space = Vector2(%f, %f)\nmax_space = Vector2(%f, %f)\n", least[0], least[1], most[0],
		    most[1]);
	else
		put(g, "min_space = %f\nmax_space = %f\n", least[0], most[0]);
	put(g, "sync = true\n");
	end_sub(g);
	for (int k = 0; k < (flat ? 2 : 1); k++)
		if (tree->by[k] != NULL)
			add_link(g, tree->by[k], text_of(g, "%s/blend_position", path), flat ? k : -1, 1);
	return sub;
}

/* Return a key for the clips of a file (NULL: the controller) with a name. */
static const char *clip_key(struct graph_writing *g, const char *file, const char *name, size_t *length)
{
	file = file == NULL ? "" : file;
	*length = strlen(file) + 1 + strlen(name);
	return text_of(g, "%s%c%s", file, '\0', name);
}

/* Return the number of the clip of a motion, or ANIM_GRAPH_NONE. */
static uint32_t find_clip(struct graph_writing *g, const struct anim_graph_motion *motion)
{
	uint32_t number;
	size_t length;
	const char *key;

	if (motion->clip == NULL)
		return ANIM_GRAPH_NONE;
	key = clip_key(g, motion->file, motion->clip, &length);
	return anim_map_get(&g->clips, 0, key, length, &number) ||
		       anim_map_get(&g->clips, 1, motion->clip, strlen(motion->clip), &number)
		   ? number
		   : ANIM_GRAPH_NONE;
}

/*
 * Return the number of the clip that is made of a state (-x states), which has its speed, or ANIM_GRAPH_NONE. Several
 * states with one name have several clips, in the same order.
 */
static uint32_t take_state_clip(struct graph_writing *g, const struct anim_graph_state *state)
{
	uint32_t number;
	size_t length;
	const char *key = clip_key(g, state->motion.file, state->name, &length);

	if (state->motion.clip == NULL || !anim_map_get(&g->clips, 2, key, length, &number))
		return ANIM_GRAPH_NONE;
	if (g->next_clips[number] != ANIM_GRAPH_NONE)
		g->failed |= anim_map_put(&g->clips, 2, key, length, g->next_clips[number], g->writer->error) != 0;
	return number;
}

/* Print the node that plays a clip of the writer, or nothing. */
static struct written_sub put_clip(struct graph_writing *g, uint32_t number)
{
	struct written_sub sub = {"AnimationNodeAnimation", begin_sub(g, "AnimationNodeAnimation")};

	if (number != ANIM_GRAPH_NONE) {
		const struct godot_written_clip *clip = godot_writer_clip(g->writer, number);

		put(g, "animation = %n\n",
		    clip->library[0] == '\0' ? clip->name : text_of(g, "%s/%s", clip->library, clip->name));
	}
	end_sub(g);
	return sub;
}

static struct written_sub put_motion(struct graph_writing *g, const struct anim_graph_motion *motion, const char *path)
{
	uint32_t number;

	if (motion->tree != ANIM_GRAPH_NONE)
		return put_tree(g, ANIM_GRAPH_AT(g->graph, trees, struct anim_graph_tree, motion->tree), path);
	number = find_clip(g, motion);
	g->lost_clips += number == ANIM_GRAPH_NONE && (motion->clip != NULL || motion->why != NULL);
	return put_clip(g, number);
}

/* ---- The states and transitions of a layer, without machines inside machines ---- */

/* Return the length of a motion in seconds, or 0 if it is not known. Of a blend, it is the first point's. */
static double length_of(const struct graph_writing *g, const struct anim_graph_motion *motion)
{
	while (motion->tree != ANIM_GRAPH_NONE) {
		const struct anim_graph_tree *tree =
		    ANIM_GRAPH_AT(g->graph, trees, struct anim_graph_tree, motion->tree);

		if (tree->count == 0)
			return 0;
		motion = &tree->points[0].motion;
	}
	return motion->length_s;
}

/* `names`: (0, name) is taken, (1, wanted name) -> the last number that was added to it. */
static void add_states(struct graph_writing *g, uint32_t machine, struct anim_map *names)
{
	const struct anim_graph_machine *m = machine_at(g, machine);

	for (size_t i = 0; i < m->state_count; i++) {
		struct flat_state flat = {.state = m->states[i], .machine = machine};
		const char *wanted = state_at(g, m->states[i])->name;
		uint32_t known, last, *key = anim_arena_alloc(&g->arena, sizeof *key, g->writer->error);
		char *name = anim_arena_text(&g->arena, wanted, strlen(wanted), g->writer->error);

		/* A state of Godot's cannot have the names of its two fixed states, nor be part of a path. */
		for (char *at = name; at != NULL && *at != '\0'; at++)
			if (strchr("/.:\"", *at) != NULL)
				*at = '_';
		if (key == NULL || name == NULL) {
			g->failed = true;
			return;
		}
		flat.name = name[0] == '\0' ? "State" : name;
		if (!anim_map_get(names, 1, name, strlen(name), &last))
			last = 1;
		while (anim_map_get(names, 0, flat.name, strlen(flat.name), &known))
			flat.name = text_of(g, "%s %u", name, ++last);
		*key = flat.state;
		g->failed |= anim_map_put(names, 0, flat.name, strlen(flat.name), 0, g->writer->error) != 0 ||
			     anim_map_put(names, 1, name, strlen(name), last, g->writer->error) != 0 ||
			     anim_map_put(&g->state_numbers, 0, key, sizeof *key,
					  (uint32_t)(g->states.size / sizeof flat), g->writer->error) != 0 ||
			     anim_buffer_append(&g->states, &flat, sizeof flat, g->writer->error) != 0;
	}
	for (size_t i = 0; i < m->machine_count; i++) {
		g->parents[m->machines[i]] = machine;
		add_states(g, m->machines[i], names);
	}
}

static void add_edge(struct graph_writing *g, uint32_t from, uint32_t state, const struct anim_graph_transition *first,
		     const struct anim_graph_transition *second)
{
	struct flat_edge edge = {from, ANIM_GRAPH_NONE, first, second};

	if (state != ANIM_GRAPH_NONE && anim_map_get(&g->state_numbers, 0, &state, sizeof state, &edge.to))
		g->failed |= anim_buffer_append(&g->edges, &edge, sizeof edge, g->writer->error) != 0;
}

static void lead(struct graph_writing *g, uint32_t from, uint32_t machine, const struct anim_graph_transition *first,
		 const struct anim_graph_transition *to, unsigned depth);

/* Add the edges into a machine: its entry transitions, then the state that it starts with. */
static void enter(struct graph_writing *g, uint32_t from, uint32_t machine, const struct anim_graph_transition *first,
		  unsigned depth)
{
	const struct anim_graph_machine *m = machine_at(g, machine);

	for (size_t i = 0; i < m->entry.count && depth < DEPTH_MAX; i++)
		lead(g, from, machine, first, &m->entry.items[i], depth + 1);
	add_edge(g, from, m->first, first, NULL);
}

/* Add the edges of a transition that was reached through `first` (NULL: it is the transition itself). */
static void lead(struct graph_writing *g, uint32_t from, uint32_t machine, const struct anim_graph_transition *first,
		 const struct anim_graph_transition *to, unsigned depth)
{
	uint32_t parent = g->parents[machine];
	const struct anim_graph_transition *second = first == NULL ? NULL : to;
	bool any = false;

	first = first == NULL ? to : first;
	if (to->is_muted || depth >= DEPTH_MAX)
		return;
	if (to->state != ANIM_GRAPH_NONE)
		add_edge(g, from, to->state, first, second);
	else if (to->machine != ANIM_GRAPH_NONE)
		enter(g, from, to->machine, first, depth + 1);
	else if (parent == ANIM_GRAPH_NONE)
		enter(g, from, machine, first, depth + 1);
	else {
		const struct anim_graph_machine *m = machine_at(g, parent);

		for (size_t i = 0; i < m->from_count; i++)
			for (size_t k = 0; k < m->from[i].transitions.count && m->from[i].machine == machine;
			     k++, any = true)
				lead(g, from, parent, first, &m->from[i].transitions.items[k], depth + 1);
		if (!any)
			enter(g, from, parent, first, depth + 1);
	}
}

static void add_edges(struct graph_writing *g, uint32_t root)
{
	size_t count = g->states.size / sizeof(struct flat_state);

	enter(g, ANIM_GRAPH_NONE, root, NULL, 0);
	for (uint32_t i = 0; i < count; i++) {
		const struct flat_state flat = *((const struct flat_state *)(const void *)g->states.data + i);
		const struct anim_graph_list *list = &state_at(g, flat.state)->transitions;

		/* Transitions from any state of the machines around it come first. */
		for (uint32_t machine = flat.machine; machine != ANIM_GRAPH_NONE; machine = g->parents[machine])
			for (size_t k = 0; k < machine_at(g, machine)->any.count; k++) {
				const struct anim_graph_transition *any = &machine_at(g, machine)->any.items[k];

				if (any->to_itself || any->state != flat.state)
					lead(g, i, machine, NULL, any, 0);
			}
		for (size_t k = 0; k < list->count; k++)
			lead(g, i, flat.machine, NULL, &list->items[k], 0);
	}
}

/* ---- Conditions as expressions of the script ---- */

static const char *quoted(struct graph_writing *g, const char *name)
{
	char *text = anim_arena_alloc(&g->arena, 2 * strlen(name) + 1, g->writer->error), *to = text;

	for (; text != NULL && *name != '\0'; name++) {
		if (*name == '"' || *name == '\\')
			*to++ = '\\';
		*to++ = *name == '\n' ? ' ' : *name;
	}
	if (text != NULL)
		*to = '\0';
	return textf(g, text);
}

static const char *number_text(struct graph_writing *g, double number)
{
	char text[ANIM_NUMBER_MAX + 1];

	text[anim_number_print_float(text, (float)number)] = '\0';
	return text_of(g, "%s", text);
}

static const char *add_conditions(struct graph_writing *g, const char *text, const struct anim_graph_transition *t)
{
	static const char *const signs[] = {"", "", " > ", " < ", " == ", " != "};

	for (size_t i = 0; t != NULL && i < t->condition_count; i++) {
		const struct anim_graph_condition *c = &t->conditions[i];
		const char *and = text[0] == '\0' ? "" : " and ", *not = c->mode == ANIM_CONDITION_IF_NOT ? "not " : "";
		const char *value = c->mode > ANIM_CONDITION_IF_NOT ? number_text(g, c->threshold) : "";

		text = text_of(g, "%s%s%sparams[\"%s\"]%s%s", text, and, not, quoted(g, c->parameter), signs[c->mode],
			       value);
	}
	return text;
}

/* Print a transition. `playback`: the path of the playback of its machine. Returns its number, or 0 if it is never taken. */
static size_t put_edge(struct graph_writing *g, const struct flat_edge *edge, const char *playback)
{
	const struct anim_graph_transition *t = edge->first;
	const char *text = add_conditions(g, add_conditions(g, "", t), edge->second);
	bool starts = edge->from == ANIM_GRAPH_NONE, at_end = false;
	double length = 0;
	size_t number;

	if (!starts) {
		const struct flat_state *from = (const struct flat_state *)(const void *)g->states.data + edge->from;
		double speed = fabs(state_at(g, from->state)->speed);

		length = length_of(g, &state_at(g, from->state)->motion);
		if (from->is_made && speed > 0) {
			length /= speed;
			speed = 1;
		}
		if (!t->has_exit_time && text[0] == '\0')
			return 0;
		at_end = t->has_exit_time && (t->exit_time >= 1 || !(length > 0));
		g->later_exits += t->has_exit_time && t->exit_time > 1;
		if (t->has_exit_time && !at_end)
			text = text_of(g, "%s%sget(\"%s\").get_current_play_position() >= %s", text,
				       text[0] == '\0' ? "" : " and ", quoted(g, playback),
				       number_text(g, t->exit_time * length));
		length = speed > 0 ? length / speed : length;
		g->offsets += t->offset != 0;
		g->interruptions += t->interrupts != 0;
	}
	number = begin_sub(g, TRANSITION);
	if (!starts && t->duration > 0)
		put(g, "xfade_time = %f\n", t->in_seconds ? t->duration : t->duration * length);
	if (at_end)
		put(g, "switch_mode = 2\n");
	put(g, "advance_mode = 2\n");
	if (text[0] != '\0')
		put(g, "advance_expression = %Q\n", text);
	end_sub(g);
	return number;
}

/* ---- Machines and layers ---- */

/* Print the states and transitions of a machine. */
static struct written_sub put_machine(struct graph_writing *g, uint32_t root, const char *path, bool is_top)
{
	struct written_sub sub = {MACHINE, 0}, *nodes;
	const char *playback = text_of(g, "%s/playback", path);
	struct anim_map names = {0}, shown = {0}; /* shown: (from and to, "") -> 0 */
	struct flat_state *states;
	const struct flat_edge *edges;
	size_t *numbers, count, edge_count;

	g->states.size = g->edges.size = 0;
	anim_map_clear(&g->state_numbers);
	g->failed |= anim_map_put(&names, 0, "Start", 5, 0, g->writer->error) != 0 ||
		     anim_map_put(&names, 0, "End", 3, 0, g->writer->error) != 0;
	add_states(g, root, &names);
	anim_map_clear(&names);
	if (g->failed)
		return sub;
	add_edges(g, root);
	states = (struct flat_state *)(void *)g->states.data;
	edges = (const struct flat_edge *)(const void *)g->edges.data;
	count = g->states.size / sizeof *states;
	edge_count = g->edges.size / sizeof *edges;
	nodes = anim_arena_zeroed(&g->arena, count + 1, sizeof *nodes, g->writer->error);
	numbers = anim_arena_zeroed(&g->arena, edge_count + 1, sizeof *numbers, g->writer->error);
	if (nodes == NULL || numbers == NULL) {
		g->failed = true;
		return sub;
	}
	for (size_t i = 0; i < count; i++) {
		const struct anim_graph_state *state = state_at(g, states[i].state);
		const char *own = text_of(g, "%s/%s", path, states[i].name);
		uint32_t made = take_state_clip(g, state);
		double speed = made == ANIM_GRAPH_NONE ? state->speed : state->speed < 0 ? -1 : state->speed > 0;
		bool scaled = speed != 1 || state->speed_by != NULL;

		states[i].is_made = made != ANIM_GRAPH_NONE;
		nodes[i] = made != ANIM_GRAPH_NONE
			       ? put_clip(g, made)
			       : put_motion(g, &state->motion, scaled ? text_of(g, "%s/Motion", own) : own);
		g->mirrors += state->mirrors || state->mirror_by != NULL;
		g->offsets += state->cycle_offset != 0 || state->offset_by != NULL;
		g->times += state->time_by != NULL;
		if (scaled)
			nodes[i] = put_speed(g, nodes[i], own, speed, state->speed_by);
	}
	for (size_t i = 0; i < edge_count; i++)
		numbers[i] = put_edge(g, &edges[i], playback);
	sub.number = begin_sub(g, sub.type);
	if (!is_top)
		put(g, "state_machine_type = 1\n");
	put(g, "states/Start/position = Vector2(0, 0)\n");
	for (size_t i = 0; i < count; i++) {
		put_sub(g, text_of(g, "states/%s/node = ", states[i].name), nodes[i].type, nodes[i].number);
		put(g, "states/%s/position = Vector2(%f, %f)\n", states[i].name, (double)(250 * (1 + i % 4)),
		    (double)(120 * (i / 4)));
	}
	put(g, "transitions = [");
	for (size_t i = 0; i < edge_count; i++) {
		const uint64_t pair = (uint64_t)edges[i].from << 32 | edges[i].to;
		uint32_t known;

		/* Godot has one transition from a state to another. The first is taken first. */
		if (numbers[i] == 0 || anim_map_get(&shown, pair, "", 0, &known))
			continue;
		g->failed |= anim_map_put(&shown, pair, "", 0, 0, g->writer->error) != 0;
		put(g, "%s%Q, %Q, ", shown.count > 1 ? ", " : "",
		    edges[i].from == ANIM_GRAPH_NONE ? "Start" : states[edges[i].from].name, states[edges[i].to].name);
		if (!g->is_dry)
			godot_print_sub(g->print, TRANSITION, numbers[i]);
	}
	put(g, "]\n");
	end_sub(g);
	anim_map_clear(&shown);
	return sub;
}

/* Return whether a layer has states of its own. */
static bool is_used(const struct graph_writing *g, uint32_t layer)
{
	uint32_t machine = ANIM_GRAPH_AT(g->graph, layers, struct anim_graph_layer, layer)->machine;

	return machine != ANIM_GRAPH_NONE &&
	       machine_at(g, machine)->state_count + machine_at(g, machine)->machine_count > 0;
}

/* Print all layers. Upper layers are blended over those below or added to them. */
static struct written_sub put_layers(struct graph_writing *g)
{
	uint32_t count = ANIM_GRAPH_COUNT(g->graph, layers, struct anim_graph_layer), used = 0, bottom = count;
	struct written_sub *machines = anim_arena_zeroed(&g->arena, count + 1, sizeof *machines, g->writer->error);
	struct written_sub *mixers = anim_arena_zeroed(&g->arena, count + 1, sizeof *mixers, g->writer->error);
	struct written_sub sub = {BLEND_TREE, 0};

	if (machines == NULL || mixers == NULL) {
		g->failed = true;
		return sub;
	}
	for (uint32_t i = count; i-- > 0;) {
		used += is_used(g, i);
		bottom = is_used(g, i) ? i : bottom;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct anim_graph_layer *layer = ANIM_GRAPH_AT(g->graph, layers, struct anim_graph_layer, i);

		if (!is_used(g, i))
			continue;
		machines[i] = put_machine(g, layer->machine,
					  used > 1 ? text_of(g, "parameters/Layer%u", i) : "parameters", used == 1);
		if (used == 1 || g->failed)
			return machines[i];
		if (i == bottom)
			continue;
		mixers[i].type = layer->is_additive ? "AnimationNodeAdd2" : "AnimationNodeBlend2";
		mixers[i].number = begin_sub(g, mixers[i].type);
		end_sub(g);
		add_link(g, NULL,
			 text_of(g, "parameters/Mix%u/%s", i, layer->is_additive ? "add_amount" : "blend_amount"), -1,
			 layer->weight);
	}
	sub.number = begin_sub(g, sub.type);
	for (uint32_t i = 0; i < count; i++) {
		if (machines[i].type == NULL)
			continue;
		put_sub(g, text_of(g, "nodes/Layer%u/node = ", i), machines[i].type, machines[i].number);
		put(g, "nodes/Layer%u/position = Vector2(0, %f)\n", (size_t)i, (double)(200 * i));
		if (i != bottom) {
			put_sub(g, text_of(g, "nodes/Mix%u/node = ", i), mixers[i].type, mixers[i].number);
			put(g, "nodes/Mix%u/position = Vector2(%f, 0)\n", (size_t)i, (double)(250 * i));
		}
	}
	put(g, "nodes/output/position = Vector2(%f, 0)\nnode_connections = [", (double)(250 * (count + 1)));
	{
		const char *below = NULL;

		for (uint32_t i = 0; i < count; i++) {
			if (machines[i].type == NULL)
				continue;
			if (below != NULL)
				put(g, "&\"Mix%u\", 0, &\"%s\", &\"Mix%u\", 1, &\"Layer%u\", ", (size_t)i, below,
				    (size_t)i, (size_t)i);
			below = below == NULL ? text_of(g, "Layer%u", i) : text_of(g, "Mix%u", i);
		}
		put(g, "&\"output\", 0, &\"%s\"]\n", below == NULL ? "" : below);
	}
	end_sub(g);
	return sub;
}

/* ---- The script that has the parameters, and the node ---- */

static const char *script_of(struct graph_writing *g)
{
	uint32_t count = ANIM_GRAPH_COUNT(g->graph, parameters, struct anim_graph_parameter);
	const struct graph_link *links = (const struct graph_link *)(const void *)g->links.data;
	struct anim_print out = {.buffer = &g->script, .error = g->writer->error};
	const char *comma = "";

	anim_print_text(&out,
			"extends AnimationTree\n\n# The parameters of the controller: set_param(\"Speed\", 1.0).\n"
			"var params := {");
	for (uint32_t i = 0; i < count; i++, comma = ", ") {
		const struct anim_graph_parameter *p =
		    ANIM_GRAPH_AT(g->graph, parameters, struct anim_graph_parameter, i);
		bool is_flag = p->kind == ANIM_PARAMETER_BOOL || p->kind == ANIM_PARAMETER_TRIGGER;

		anim_print_texts(&out, comma, "\"", quoted(g, p->name), "\": ",
				 is_flag                         ? (p->value != 0 ? "true" : "false")
				 : p->kind == ANIM_PARAMETER_INT ? number_text(g, rint(p->value))
								 : text_of(g, "float(%s)", number_text(g, p->value)));
	}
	anim_print_text(&out, "}\nvar _triggers := [");
	comma = "";
	for (uint32_t i = 0; i < count; i++) {
		const struct anim_graph_parameter *p =
		    ANIM_GRAPH_AT(g->graph, parameters, struct anim_graph_parameter, i);

		if (p->kind != ANIM_PARAMETER_TRIGGER)
			continue;
		anim_print_texts(&out, comma, "\"", quoted(g, p->name), "\"");
		comma = ", ";
	}
	anim_print_text(&out, "]\nvar _links := [");
	for (size_t i = 0; i < g->links.size / sizeof *links; i++) {
		anim_print_texts(&out, i > 0 ? ", " : "", "[\"", quoted(g, links[i].parameter), "\", \"",
				 quoted(g, links[i].path), "\", ");
		anim_print_int64(&out, links[i].axis);
		anim_print_texts(&out, ", ", number_text(g, links[i].factor), "]");
	}
	anim_print_text(&out, "]\n\nfunc _ready() -> void:\n\tfor key in params:\n\t\tset_param(key, params[key])\n"
			      "\tmixer_applied.connect(_end_triggers)\n\n"
			      "func set_param(key: String, value: Variant) -> void:\n\tparams[key] = value\n"
			      "\tfor link in _links:\n\t\tif link[0] != key:\n\t\t\tcontinue\n"
			      "\t\tif link[2] < 0:\n\t\t\tset(link[1], value * link[3])\n\t\telse:\n"
			      "\t\t\tvar place: Vector2 = get(link[1])\n\t\t\tplace[link[2]] = value * link[3]\n"
			      "\t\t\tset(link[1], place)\n\n"
			      "# A trigger lasts until the tree has looked at it once.\n"
			      "func _end_triggers() -> void:\n\tfor key in _triggers:\n\t\tparams[key] = false\n");
	anim_print_bytes(&out, "", 1);
	g->failed |= out.failed;
	return out.failed ? "" : (const char *)g->script.data;
}

/* Prepare the state, and index the clips by their names. Returns 0 or -1. */
static int begin(struct graph_writing *g, struct godot_writer *writer, bool is_dry)
{
	uint32_t count = ANIM_GRAPH_COUNT(writer->options.graph, machines, struct anim_graph_machine), known;
	size_t clips = writer->clips.size / sizeof(struct godot_written_clip);

	*g = (struct graph_writing){
	    .writer = writer, .graph = writer->options.graph, .print = &writer->print, .next = 1, .is_dry = is_dry};
	g->parents = anim_arena_zeroed(&g->arena, count + 1, sizeof *g->parents, writer->error);
	for (uint32_t i = 0; i < count && g->parents != NULL; i++)
		g->parents[i] = ANIM_GRAPH_NONE;
	if (g->parents == NULL)
		return -1;
	g->next_clips = anim_arena_zeroed(&g->arena, clips + 1, sizeof *g->next_clips, writer->error);
	if (g->next_clips == NULL)
		return -1;
	/* The last clip of a key comes first here. */
	for (size_t i = clips; i-- > 0 && !g->failed;) {
		const struct anim_clip *clip = anim_store_clip(writer->store, i);
		const char *file = anim_attrs_get(&clip->attrs, "file"),
			   *state = anim_attrs_get(&clip->attrs, ANIM_ATTR_STATE),
			   *first = anim_attrs_get(&clip->attrs, ANIM_ATTR_FIRST_NAME),
			   *old = anim_attrs_get(&clip->attrs, ANIM_ATTR_OLD_NAME),
			   *name = state != NULL   ? state
				   : first != NULL ? first
				   : old != NULL   ? old
						   : clip->name,
			   *key;
		uint64_t scope = state != NULL ? 2 : 0;
		size_t length;

		key = clip_key(g, file, name, &length);
		g->next_clips[i] =
		    scope == 2 && anim_map_get(&g->clips, scope, key, length, &known) ? known : ANIM_GRAPH_NONE;
		g->failed |=
		    anim_map_put(&g->clips, scope, key, length, (uint32_t)i, writer->error) != 0 ||
		    (scope == 0 && anim_map_put(&g->clips, 1, name, strlen(name), (uint32_t)i, writer->error) != 0);
	}
	return g->failed ? -1 : 0;
}

static void end(struct graph_writing *g)
{
	anim_arena_clear(&g->arena);
	anim_buffer_clear(&g->links);
	anim_buffer_clear(&g->values);
	anim_buffer_clear(&g->states);
	anim_buffer_clear(&g->edges);
	anim_buffer_clear(&g->script);
	anim_map_clear(&g->clips);
	anim_map_clear(&g->state_numbers);
}

#define lost(g, count, ...) ((count) > 0 && godot_writer_warn((g)->writer, NULL, __VA_ARGS__) != 0)

/* Report parts of the controller without a counterpart. Returns 0 or -1. */
static int report(struct graph_writing *g)
{
	size_t masks = 0, synced = 0, triggers = 0;

	for (uint32_t i = 0; i < ANIM_GRAPH_COUNT(g->graph, layers, struct anim_graph_layer); i++) {
		masks += ANIM_GRAPH_AT(g->graph, layers, struct anim_graph_layer, i)->mask != NULL;
		synced += ANIM_GRAPH_AT(g->graph, layers, struct anim_graph_layer, i)->synced != ANIM_GRAPH_NONE;
	}
	for (uint32_t i = 0; i < ANIM_GRAPH_COUNT(g->graph, parameters, struct anim_graph_parameter); i++)
		triggers +=
		    ANIM_GRAPH_AT(g->graph, parameters, struct anim_graph_parameter, i)->kind == ANIM_PARAMETER_TRIGGER;
	if (lost(g, g->lost_clips, "controller: %zu motion%s no clip, so %s nothing", g->lost_clips,
		 g->lost_clips == 1 ? " has" : "s have",
		 g->lost_clips == 1 ? "its state shows" : "their states show") ||
	    lost(g, masks, "controller: %zu masks of layers are not written, so the layers move all nodes", masks) ||
	    lost(g, synced, "controller: %zu synchronised layers have states of their own here", synced) ||
	    lost(g, g->mirrors, "controller: %zu motions are not mirrored", g->mirrors) ||
	    lost(g, g->offsets, "controller: %zu offsets of cycles and transitions are not written", g->offsets) ||
	    lost(g, g->interruptions, "controller: %zu transitions cannot be interrupted here", g->interruptions) ||
	    lost(g, g->times, "controller: %zu states play by time, not by a parameter", g->times) ||
	    lost(g, g->directs, "controller: of %zu direct blends only the first motion is written", g->directs) ||
	    lost(g, g->later_exits, "controller: %zu transitions after several cycles are taken after one",
		 g->later_exits))
		return -1;
	if (triggers > 0 &&
	    godot_writer_note(g->writer, NULL,
			      "controller: a trigger lasts one frame here, not until a transition uses it") != 0)
		return -1;
	return 0;
}

size_t godot_graph_count(struct godot_writer *writer)
{
	struct graph_writing g;
	size_t count = 0;

	if (writer->options.graph == NULL)
		return 0;
	if (begin(&g, writer, true) == 0) {
		put_layers(&g);
		count = g.next; /* and the script */
	}
	end(&g);
	return count;
}

int godot_graph_write(struct godot_writer *writer, struct godot_graph_tree *tree)
{
	struct graph_writing g;
	const struct graph_link *values;
	struct written_sub top;
	size_t script;
	int result;

	tree->node = NULL;
	if (writer->options.graph == NULL || writer->clips.size == 0)
		return 0;
	if (begin(&g, writer, false) != 0) {
		end(&g);
		return -1;
	}
	top = put_layers(&g);
	script = begin_sub(&g, "GDScript");
	put(&g, "script/source = %Q\n", script_of(&g));
	end_sub(&g);
	result = g.failed || report(&g) != 0 ? -1 : 0;
	values = (const struct graph_link *)(const void *)g.values.data;
	/* The node comes after all others, so its text waits. */
	tree->top_type = top.type;
	tree->top = top.number;
	tree->script = script;
	for (size_t i = 0; i < g.values.size / sizeof *values && result == 0; i++) {
		const struct godot_graph_value value = {
		    anim_arena_text(&writer->kept, values[i].path, strlen(values[i].path), writer->error),
		    values[i].factor};

		result =
		    value.path == NULL ? -1 : anim_buffer_append(&tree->values, &value, sizeof value, writer->error);
	}
	tree->node = godot_writer_clip(writer, 0)->player;
	end(&g);
	return result;
}

void godot_graph_node(struct godot_writer *writer, const struct godot_graph_tree *tree)
{
	struct godot_print *print = &writer->print;
	const struct godot_graph_value *values = (const struct godot_graph_value *)(const void *)tree->values.data;
	const char *slash, *root;
	size_t length;

	if (tree->node == NULL)
		return;
	slash = strrchr(tree->node, '/');
	length = slash == NULL ? 0 : (size_t)(slash - tree->node);
	root = length == 0 ? "." : anim_arena_text(&writer->kept, tree->node, length, writer->error);
	if (root == NULL) {
		print->out.failed = true;
		return;
	}
	godot_print_format(print, "\n[node name=\"AnimationTree\" type=\"AnimationTree\" parent=%q]\n", root);
	godot_print_text(print, "tree_root = ");
	godot_print_sub(print, tree->top_type, tree->top);
	godot_print_text(print, "\nadvance_expression_base_node = NodePath(\".\")\nactive = true\n");
	godot_print_format(print, "anim_player = NodePath(\"../%s\")\n", slash == NULL ? tree->node : slash + 1);
	for (size_t i = 0; i < tree->values.size / sizeof *values; i++)
		godot_print_format(print, "%s = %f\n", values[i].path, values[i].value);
	godot_print_text(print, "script = ");
	godot_print_sub(print, "GDScript", tree->script);
	godot_print_text(print, "\n");
}
