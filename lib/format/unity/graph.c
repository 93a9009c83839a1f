/* graph.c: read the structure of an AnimatorController: parameters, layers, state machines, blend trees, transitions. */
#include "format/unity/graph.h"

#include <math.h>
#include <string.h>

#include "base/count.h"

#define STATE_TRANSITION 1101
#define TRANSITION 1109

/* A document of the controller's file. */
struct graph_document {
	int64_t id;
	int32_t class_id;
	const struct unity_node *root;
};

/* A clip that an override controller has in place of another one. */
struct graph_replacement {
	struct unity_source *source; /* of the override controller */
	struct unity_reference clip;
};

/* The documents of a controller, and the graph that is made of them. */
struct graph_reading {
	struct unity_run *run;
	struct unity_source *source; /* of the controller */
	struct anim_graph *graph;
	struct anim_arena documents;
	struct anim_buffer list;                 /* struct graph_document */
	struct anim_map ids;                     /* (fileID, "") -> number in list */
	struct anim_map machines, states, trees; /* (fileID, "") -> number in the graph */
	struct anim_buffer replacements;         /* struct graph_replacement */
	struct anim_map replaced;                /* (fileID, guid) of a clip -> number of its replacement */
	unsigned depth;
};

#define DEPTH_MAX 64
#define OVERRIDES_MAX 8 /* override controllers of override controllers */

static const struct graph_document *document_at(const struct graph_reading *at, size_t number)
{
	return (const struct graph_document *)(const void *)at->list.data + number;
}

static const struct unity_node *document_of(const struct graph_reading *at, int64_t id, int32_t class_id)
{
	uint32_t number;

	if (id == 0 || !anim_map_get(&at->ids, (uint64_t)id, "", 0, &number))
		return NULL;
	return document_at(at, number)->class_id == class_id ? document_at(at, number)->root : NULL;
}

static struct unity_reference reference_of(const struct unity_node *map, const char *key)
{
	struct unity_reference reference;

	if (unity_reference_read(unity_get(map, key), &reference, NULL) <= 0)
		return (struct unity_reference){0};
	return reference;
}

/* Return a number, or `otherwise` if it is missing or not finite. */
static double number_of(const struct unity_node *map, const char *key, double otherwise)
{
	float number;

	return unity_float(map, key, &number, NULL) > 0 && isfinite(number) ? (double)number : otherwise;
}

static bool flag_of(const struct unity_node *map, const char *key)
{
	return number_of(map, key, 0) != 0;
}

static const char *keep(struct graph_reading *at, const char *text)
{
	return anim_arena_text(&at->graph->arena, text, strlen(text), at->run->error);
}

/* Set *to to the name of a parameter if the flag is set. Returns 0 or -1. */
static int keep_by(struct graph_reading *at, const struct unity_node *map, const char *flag, const char *key,
		   const char **to)
{
	*to = NULL;
	if (flag != NULL && !flag_of(map, flag))
		return 0;
	*to = keep(at, unity_text(map, key, ""));
	return *to == NULL ? -1 : 0;
}

/* ---- Motions ---- */

static int read_tree(struct graph_reading *at, int64_t id, struct anim_graph_motion *motion);

static int read_motion(struct graph_reading *at, const struct unity_reference *reference,
		       struct anim_graph_motion *motion)
{
	struct unity_source *from = at->source, *home;
	const char *why = NULL, *guid;
	const struct anim_clip *head;
	uint32_t clip;
	int got;

	*motion = (struct anim_graph_motion){.tree = ANIM_GRAPH_NONE};
	if (reference->file_id == 0)
		return 0;
	guid = reference->guid[0] != '\0' ? reference->guid : from->guid;
	if (anim_map_get(&at->replaced, (uint64_t)reference->file_id, guid, strlen(guid), &clip)) {
		const struct graph_replacement *replacement =
		    (const struct graph_replacement *)(const void *)at->replacements.data + clip;

		from = replacement->source;
		reference = &replacement->clip;
	}
	if (reference->guid[0] == '\0' && document_of(at, reference->file_id, UNITY_BLEND_TREE) != NULL)
		return read_tree(at, reference->file_id, motion);
	got = unity_clip_of(at->run, from, reference, &home, &clip, &why);
	if (got < 0)
		return -1;
	if (got == 0) {
		motion->why = keep(at, why == NULL ? "its file is not there" : why);
		return motion->why == NULL ? -1 : 0;
	}
	head = &unity_source_clip_at(home, clip)->clip.head;
	motion->clip = keep(at, head->name);
	motion->length_s = (double)head->end_s - (double)head->start_s;
	motion->loops = head->loop != ANIM_LOOP_NONE;
	if (home->path != NULL && (motion->file = keep(at, home->path)) == NULL)
		return -1;
	return motion->clip == NULL ? -1 : 0;
}

/* Read a blend tree. One that was read before is left out, so that the graph has no cycles. Returns 0 or -1. */
static int read_tree(struct graph_reading *at, int64_t id, struct anim_graph_motion *motion)
{
	const struct unity_node *root = document_of(at, id, UNITY_BLEND_TREE), *list, *item;
	struct anim_graph_tree tree = {.name = NULL};
	struct anim_graph_point *points;
	double kind = number_of(root, "m_BlendType", 0);
	uint32_t number;
	size_t count = 0;

	if (anim_map_get(&at->trees, (uint64_t)id, "", 0, &number)) {
		motion->why = keep(at, "its blend tree has another place already");
		return motion->why == NULL ? -1 : 0;
	}
	number = motion->tree = ANIM_GRAPH_COUNT(at->graph, trees, struct anim_graph_tree);
	tree.kind = kind >= 0 && kind <= ANIM_BLEND_DIRECT ? (enum anim_blend_kind)kind : ANIM_BLEND_1D;
	tree.name = keep(at, unity_text(root, "m_Name", ""));
	list = unity_get(root, "m_Childs");
	points =
	    anim_arena_zeroed(&at->graph->arena, list == NULL ? 1 : list->count + 1, sizeof *points, at->run->error);
	if (tree.name == NULL || points == NULL || keep_by(at, root, NULL, "m_BlendParameter", &tree.by[0]) != 0 ||
	    keep_by(at, root, NULL, "m_BlendParameterY", &tree.by[1]) != 0 ||
	    anim_map_put(&at->trees, (uint64_t)id, "", 0, number, at->run->error) != 0 ||
	    anim_buffer_append(&at->graph->trees, &tree, sizeof tree, at->run->error) != 0)
		return -1;
	if (++at->depth > DEPTH_MAX)
		return anim_fail(at->run->error, ANIM_BAD_INPUT, "blend trees are nested too deeply");
	for (item = unity_items(list); item != NULL; item = item->next) {
		const struct unity_reference child = reference_of(item, "m_Motion");
		const struct unity_node *place = unity_get(item, "m_Position");
		struct anim_graph_point *point = &points[count++];

		point->speed = number_of(item, "m_TimeScale", 1);
		point->cycle_offset = number_of(item, "m_CycleOffset", 0);
		point->mirrors = flag_of(item, "m_Mirror");
		point->at[0] =
		    tree.kind == ANIM_BLEND_1D ? number_of(item, "m_Threshold", 0) : number_of(place, "x", 0);
		point->at[1] = number_of(place, "y", 0);
		if ((tree.kind == ANIM_BLEND_DIRECT &&
		     keep_by(at, item, NULL, "m_DirectBlendParameter", &point->weight_by) != 0) ||
		    read_motion(at, &child, &point->motion) != 0)
			return -1;
	}
	at->depth--;
	ANIM_GRAPH_AT(at->graph, trees, struct anim_graph_tree, number)->points = points;
	ANIM_GRAPH_AT(at->graph, trees, struct anim_graph_tree, number)->count = count;
	return 0;
}

/* ---- Transitions ---- */

static int read_conditions(struct graph_reading *at, const struct unity_node *root,
			   struct anim_graph_transition *transition)
{
	static const enum anim_condition_mode modes[] = {
	    [1] = ANIM_CONDITION_IF,   [2] = ANIM_CONDITION_IF_NOT, [3] = ANIM_CONDITION_GREATER,
	    [4] = ANIM_CONDITION_LESS, [6] = ANIM_CONDITION_EQUALS, [7] = ANIM_CONDITION_NOT_EQUAL};
	const struct unity_node *list = unity_get(root, "m_Conditions"), *item = unity_items(list);
	struct anim_graph_condition *conditions;

	if (item == NULL)
		return 0;
	conditions = anim_arena_zeroed(&at->graph->arena, list->count, sizeof *conditions, at->run->error);
	if (conditions == NULL)
		return -1;
	for (; item != NULL; item = item->next) {
		struct anim_graph_condition *condition = &conditions[transition->condition_count];
		double mode = number_of(item, "m_ConditionMode", 0);

		/* In Unity 4, a condition of mode 5 is the exit time. */
		if (mode == 5) {
			transition->has_exit_time = true;
			transition->exit_time = number_of(item, "m_ExitTime", 0);
			continue;
		}
		if (!(mode >= 1 && mode < (double)ANIM_COUNT(modes)))
			continue;
		condition->mode = modes[(size_t)mode];
		condition->threshold = number_of(item, "m_EventTreshold", 0);
		condition->parameter = keep(at, unity_text(item, "m_ConditionEvent", ""));
		if (condition->parameter == NULL)
			return -1;
		transition->condition_count++;
	}
	transition->conditions = conditions;
	return 0;
}

static uint32_t lookup(const struct anim_map *map, int64_t id)
{
	uint32_t number;

	return id != 0 && anim_map_get(map, (uint64_t)id, "", 0, &number) ? number : ANIM_GRAPH_NONE;
}

/* Read the transitions of a list of references to them. Returns 0 or -1. */
static int read_list(struct graph_reading *at, const struct unity_node *list, int32_t class_id,
		     struct anim_graph_list *to)
{
	const struct unity_node *item = unity_items(list);
	struct anim_graph_transition *items;

	if (item == NULL)
		return 0;
	items = anim_arena_zeroed(&at->graph->arena, list->count, sizeof *items, at->run->error);
	if (items == NULL)
		return -1;
	to->items = items;
	for (; item != NULL; item = item->next) {
		struct anim_graph_transition *transition = &items[to->count];
		struct unity_reference reference;
		const struct unity_node *root;
		double interrupts;

		if (unity_reference_read(item, &reference, NULL) <= 0 ||
		    (root = document_of(at, reference.file_id, class_id)) == NULL)
			continue;
		interrupts = number_of(root, "m_InterruptionSource", 0);
		transition->state = lookup(&at->states, reference_of(root, "m_DstState").file_id);
		transition->machine = lookup(&at->machines, reference_of(root, "m_DstStateMachine").file_id);
		transition->duration = number_of(root, "m_TransitionDuration", 0);
		transition->in_seconds = flag_of(root, "m_HasFixedDuration");
		transition->has_exit_time = flag_of(root, "m_HasExitTime");
		transition->exit_time = number_of(root, "m_ExitTime", 0);
		transition->offset = number_of(root, "m_TransitionOffset", 0);
		transition->interrupts = interrupts >= 0 && interrupts <= 4 ? (unsigned)interrupts : 0;
		transition->to_itself = flag_of(root, "m_CanTransitionToSelf");
		transition->is_muted = flag_of(root, "m_Mute");
		transition->is_solo = flag_of(root, "m_Solo");
		if (read_conditions(at, root, transition) != 0)
			return -1;
		to->count++;
	}
	return 0;
}

/* ---- States and machines: first all of them, then their transitions ---- */

/* Add a state, unless it has another place already. *number: its own, or ANIM_GRAPH_NONE. Returns 0 or -1. */
static int add_state(struct graph_reading *at, int64_t id, uint32_t *number)
{
	const struct unity_node *root = document_of(at, id, UNITY_STATE), *old;
	struct anim_graph_state state = {.speed = number_of(root, "m_Speed", 1)};
	struct unity_reference motion = reference_of(root, "m_Motion");

	*number = ANIM_GRAPH_NONE;
	if (root == NULL || lookup(&at->states, id) != ANIM_GRAPH_NONE)
		return 0;
	*number = ANIM_GRAPH_COUNT(at->graph, states, struct anim_graph_state);
	old = unity_items(unity_get(root, "m_Motions")); /* in Unity 4, one for each layer */
	if (motion.file_id == 0 && old != NULL && unity_reference_read(old, &motion, NULL) <= 0)
		motion = (struct unity_reference){0};
	state.cycle_offset = number_of(root, "m_CycleOffset", 0);
	state.mirrors = flag_of(root, "m_Mirror");
	state.moves_feet = flag_of(root, "m_IKOnFeet");
	state.writes_defaults = flag_of(root, "m_WriteDefaultValues");
	state.name = keep(at, unity_text(root, "m_Name", ""));
	state.tag = keep(at, unity_text(root, "m_Tag", ""));
	if (state.name == NULL || state.tag == NULL ||
	    keep_by(at, root, "m_SpeedParameterActive", "m_SpeedParameter", &state.speed_by) != 0 ||
	    keep_by(at, root, "m_TimeParameterActive", "m_TimeParameter", &state.time_by) != 0 ||
	    keep_by(at, root, "m_MirrorParameterActive", "m_MirrorParameter", &state.mirror_by) != 0 ||
	    keep_by(at, root, "m_CycleOffsetParameterActive", "m_CycleOffsetParameter", &state.offset_by) != 0 ||
	    read_motion(at, &motion, &state.motion) != 0 ||
	    anim_map_put(&at->states, (uint64_t)id, "", 0, *number, at->run->error) != 0)
		return -1;
	return anim_buffer_append(&at->graph->states, &state, sizeof state, at->run->error);
}

static int add_machine(struct graph_reading *at, int64_t id, uint32_t *number);

/* Add the states or machines of a list. Returns their numbers, or NULL if out of memory or on error. */
static const uint32_t *add_children(struct graph_reading *at, const struct unity_node *list, const char *member,
				    size_t *count)
{
	int (*add)(struct graph_reading *, int64_t, uint32_t *) =
	    strcmp(member, "m_State") == 0 ? add_state : add_machine;
	uint32_t *numbers =
	    anim_arena_zeroed(&at->graph->arena, list == NULL ? 1 : list->count + 1, sizeof *numbers, at->run->error);

	for (const struct unity_node *item = unity_items(list); item != NULL && numbers != NULL; item = item->next) {
		/* the fileID is in a member of the item, or in Unity 4 the item itself */
		const struct unity_node *child = unity_get(item, member);
		struct unity_reference reference;
		uint32_t number;

		if (unity_reference_read(child != NULL ? child : item, &reference, NULL) <= 0)
			reference.file_id = 0;
		if (add(at, reference.file_id, &number) != 0)
			return NULL;
		if (number != ANIM_GRAPH_NONE)
			numbers[(*count)++] = number;
	}
	return numbers;
}

/* Add a machine, unless it has another place already. *number: its own, or ANIM_GRAPH_NONE. Returns 0 or -1. */
static int add_machine(struct graph_reading *at, int64_t id, uint32_t *number)
{
	const struct unity_node *root = document_of(at, id, UNITY_STATE_MACHINE), *list;
	struct anim_graph_machine machine = {.first = ANIM_GRAPH_NONE};

	*number = ANIM_GRAPH_NONE;
	if (root == NULL || lookup(&at->machines, id) != ANIM_GRAPH_NONE)
		return 0;
	if (++at->depth > DEPTH_MAX)
		return anim_fail(at->run->error, ANIM_BAD_INPUT, "state machines are nested too deeply");
	*number = ANIM_GRAPH_COUNT(at->graph, machines, struct anim_graph_machine);
	machine.name = keep(at, unity_text(root, "m_Name", ""));
	if (machine.name == NULL || anim_map_put(&at->machines, (uint64_t)id, "", 0, *number, at->run->error) != 0 ||
	    anim_buffer_append(&at->graph->machines, &machine, sizeof machine, at->run->error) != 0)
		return -1;
	list = unity_get(root, "m_ChildStates");
	machine.states =
	    add_children(at, list != NULL ? list : unity_get(root, "m_States"), "m_State", &machine.state_count);
	list = unity_get(root, "m_ChildStateMachines");
	machine.machines = machine.states == NULL
			       ? NULL
			       : add_children(at, list != NULL ? list : unity_get(root, "m_ChildStateMachine"),
					      "m_StateMachine", &machine.machine_count);
	if (machine.machines == NULL)
		return -1;
	at->depth--;
	*ANIM_GRAPH_AT(at->graph, machines, struct anim_graph_machine, *number) = machine;
	return 0;
}

/* Read the transitions after machines inside a machine: pairs of a machine and a list. Returns 0 or -1. */
static int read_from(struct graph_reading *at, const struct unity_node *list, struct anim_graph_machine *machine)
{
	const struct unity_node *item = unity_items(list);
	struct anim_graph_from *from;

	if (item == NULL)
		return 0;
	from = anim_arena_zeroed(&at->graph->arena, list->count, sizeof *from, at->run->error);
	if (from == NULL)
		return -1;
	machine->from = from;
	for (; item != NULL; item = item->next) {
		struct anim_graph_from *to = &from[machine->from_count];

		to->machine = lookup(&at->machines, reference_of(item, "first").file_id);
		if (to->machine == ANIM_GRAPH_NONE)
			continue;
		if (read_list(at, unity_get(item, "second"), TRANSITION, &to->transitions) != 0)
			return -1;
		machine->from_count++;
	}
	return 0;
}

/* Read the transitions of Unity 4, which are pairs of a state and a list: 0 is any state. Returns 0 or -1. */
static int read_ordered(struct graph_reading *at, const struct unity_node *map, struct anim_graph_machine *machine)
{
	const struct unity_node *item = map == NULL ? NULL : map->first;

	for (; item != NULL; item = item->next) {
		const int64_t first = reference_of(item, "first").file_id;
		uint32_t state = lookup(&at->states, first);
		struct anim_graph_list *list =
		    first == 0 ? &machine->any
		    : state == ANIM_GRAPH_NONE
			? NULL
			: &ANIM_GRAPH_AT(at->graph, states, struct anim_graph_state, state)->transitions;

		if (list != NULL && read_list(at, unity_get(item, "second"), STATE_TRANSITION, list) != 0)
			return -1;
	}
	return 0;
}

/* Read the transitions of all states and machines that were added. Returns 0 or -1. */
static int read_transitions(struct graph_reading *at)
{
	for (size_t i = 0; i < at->list.size / sizeof(struct graph_document); i++) {
		const struct graph_document *document = document_at(at, i);
		const struct unity_node *root = document->root;
		struct anim_graph_machine *machine;
		uint32_t number = lookup(document->class_id == UNITY_STATE ? &at->states : &at->machines, document->id);

		if (number == ANIM_GRAPH_NONE ||
		    (document->class_id != UNITY_STATE && document->class_id != UNITY_STATE_MACHINE))
			continue;
		if (document->class_id == UNITY_STATE) {
			if (read_list(
				at, unity_get(root, "m_Transitions"), STATE_TRANSITION,
				&ANIM_GRAPH_AT(at->graph, states, struct anim_graph_state, number)->transitions) != 0)
				return -1;
			continue;
		}
		machine = ANIM_GRAPH_AT(at->graph, machines, struct anim_graph_machine, number);
		machine->first = lookup(&at->states, reference_of(root, "m_DefaultState").file_id);
		if (read_list(at, unity_get(root, "m_AnyStateTransitions"), STATE_TRANSITION, &machine->any) != 0 ||
		    read_list(at, unity_get(root, "m_EntryTransitions"), TRANSITION, &machine->entry) != 0 ||
		    read_from(at, unity_get(root, "m_StateMachineTransitions"), machine) != 0 ||
		    read_ordered(at, unity_get(root, "m_OrderedTransitions"), machine) != 0)
			return -1;
	}
	return 0;
}

/* ---- The controller ---- */

static int read_layer(struct graph_reading *at, const struct unity_node *item, bool is_first)
{
	const struct unity_reference machine = reference_of(item, "m_StateMachine"),
				     mask = reference_of(item, "m_Mask");
	double synced = number_of(item, "m_SyncedLayerIndex", -1);
	struct anim_graph_layer layer = {.name = keep(at, unity_text(item, "m_Name", "")),
					 .machine = ANIM_GRAPH_NONE,
					 .synced = synced >= 0 ? (uint32_t)synced : ANIM_GRAPH_NONE,
					 .is_additive = number_of(item, "m_BlendingMode", 0) == 1,
					 .has_ik = flag_of(item, "m_IKPass"),
					 .sets_timing = flag_of(item, "m_SyncedLayerAffectsTiming"),
					 .weight = is_first ? 1 : number_of(item, "m_DefaultWeight", 0)};
	const char *path;

	if (layer.name == NULL || add_machine(at, machine.file_id, &layer.machine) != 0)
		return -1;
	if (mask.file_id != 0) {
		int got = mask.guid[0] == '\0' || at->run->options->no_external
			      ? 0
			      : unity_assets_find(&at->run->assets, mask.guid, &path, at->run->error);

		layer.mask = got < 0 ? NULL : keep(at, got > 0 ? path : "of another file");
		if (layer.mask == NULL)
			return -1;
	}
	return anim_buffer_append(&at->graph->layers, &layer, sizeof layer, at->run->error);
}

/* Read the motions that a synchronised layer has for the states of another one. Returns 0 or -1. */
static int read_overrides(struct graph_reading *at, const struct unity_node *list, uint32_t layer)
{
	const struct unity_node *item = unity_items(list);
	struct anim_graph_override *overrides;
	size_t count = 0;

	if (item == NULL)
		return 0;
	overrides = anim_arena_zeroed(&at->graph->arena, list->count, sizeof *overrides, at->run->error);
	if (overrides == NULL)
		return -1;
	for (; item != NULL; item = item->next) {
		const struct unity_reference motion = reference_of(item, "m_Motion");

		overrides[count].state = lookup(&at->states, reference_of(item, "m_State").file_id);
		if (overrides[count].state == ANIM_GRAPH_NONE)
			continue;
		if (read_motion(at, &motion, &overrides[count].motion) != 0)
			return -1;
		count++;
	}
	ANIM_GRAPH_AT(at->graph, layers, struct anim_graph_layer, layer)->overrides = overrides;
	ANIM_GRAPH_AT(at->graph, layers, struct anim_graph_layer, layer)->override_count = count;
	return 0;
}

static int read_controller(struct graph_reading *at, const struct unity_node *root)
{
	const struct unity_node *layers = unity_get(root, "m_AnimatorLayers"), *item;
	uint32_t count;

	layers = layers != NULL ? layers : unity_get(root, "m_Layers"); /* before Unity 4.3 */
	at->graph->name = keep(at, unity_text(root, "m_Name", at->run->base_name));
	if (at->graph->name == NULL)
		return -1;
	for (item = unity_items(unity_get(root, "m_AnimatorParameters")); item != NULL; item = item->next) {
		double kind = number_of(item, "m_Type", 1);
		struct anim_graph_parameter parameter = {.name = keep(at, unity_text(item, "m_Name", "")),
							 .kind = kind == 3   ? ANIM_PARAMETER_INT
								 : kind == 4 ? ANIM_PARAMETER_BOOL
								 : kind == 9 ? ANIM_PARAMETER_TRIGGER
									     : ANIM_PARAMETER_FLOAT};

		parameter.value = number_of(item,
					    parameter.kind == ANIM_PARAMETER_INT     ? "m_DefaultInt"
					    : parameter.kind == ANIM_PARAMETER_FLOAT ? "m_DefaultFloat"
										     : "m_DefaultBool",
					    0);
		if (parameter.name == NULL ||
		    anim_buffer_append(&at->graph->parameters, &parameter, sizeof parameter, at->run->error) != 0)
			return -1;
	}
	for (item = unity_items(layers); item != NULL; item = item->next)
		if (read_layer(at, item, item == unity_items(layers)) != 0)
			return -1;
	item = unity_items(layers);
	count = ANIM_GRAPH_COUNT(at->graph, layers, struct anim_graph_layer);
	for (uint32_t i = 0; i < count && item != NULL; i++, item = item->next) {
		struct anim_graph_layer *layer = ANIM_GRAPH_AT(at->graph, layers, struct anim_graph_layer, i);

		if (layer->synced >= count)
			layer->synced = ANIM_GRAPH_NONE;
		if (read_overrides(at, unity_get(item, "m_Motions"), i) != 0)
			return -1;
	}
	return read_transitions(at);
}

/* Keep the documents of a controller as trees. Documents with faults count as missing. Returns 0 or -1. */
static int keep_documents(struct graph_reading *at, struct anim_input *input)
{
	struct unity_document document = {0};
	struct unity_file *file;
	int got = unity_file_open(&file, input, at->run->error) != 0 ? -1 : 0;

	while (got == 0 && (got = unity_file_next(file, &document)) != 0) {
		int32_t class_id = document.class_id;
		struct graph_document kept = {document.id, class_id, NULL};
		uint32_t number = (uint32_t)(at->list.size / sizeof kept);
		bool is_of_graph = class_id == UNITY_CONTROLLER || class_id == UNITY_OVERRIDE_CONTROLLER ||
				   class_id == UNITY_STATE_MACHINE || class_id == UNITY_STATE ||
				   class_id == UNITY_BLEND_TREE || class_id == STATE_TRANSITION ||
				   class_id == TRANSITION;

		if (got > 0 && is_of_graph && !document.stripped)
			got = unity_document_tree(file, &at->documents, &kept.root) != 0 ? -1 : 1;
		if (got < 0 && anim_error_is_of_input(at->run->error) && !unity_file_is_broken(file)) {
			*at->run->error = (struct anim_error){0};
			kept.root = NULL;
		} else if (got < 0)
			break;
		got = 0;
		if (kept.root != NULL &&
		    (anim_buffer_append(&at->list, &kept, sizeof kept, at->run->error) != 0 ||
		     anim_map_put(&at->ids, (uint64_t)document.id, "", 0, number, at->run->error) != 0))
			got = -1;
	}
	unity_file_close(file);
	return got;
}

static const struct unity_node *first_of(const struct graph_reading *at, int32_t class_id)
{
	for (size_t i = 0; i < at->list.size / sizeof(struct graph_document); i++)
		if (document_at(at, i)->class_id == class_id)
			return document_at(at, i)->root;
	return NULL;
}

static void forget_documents(struct graph_reading *at)
{
	anim_arena_clear(&at->documents);
	at->documents = (struct anim_arena){0};
	at->list.size = 0;
	anim_map_clear(&at->ids);
}

/*
 * Record the clips of an override controller, and read the documents of the controller that it overrides, which may be another
 * one. Replacements of an outer one have priority. Returns 0 or -1.
 */
static int follow_override(struct graph_reading *at, const struct unity_node *root)
{
	const struct unity_reference controller = reference_of(root, "m_Controller");
	const char *path, *why, *shown;
	struct unity_source *source;
	struct unity_opened asset;
	int got;

	for (const struct unity_node *item = unity_items(unity_get(root, "m_Clips")); item != NULL; item = item->next) {
		const struct unity_reference from = reference_of(item, "m_OriginalClip");
		const struct graph_replacement to = {at->source, reference_of(item, "m_OverrideClip")};
		const char *guid = from.guid[0] != '\0' ? from.guid : at->source->guid;
		uint32_t number = (uint32_t)(at->replacements.size / sizeof to), known;

		if (to.clip.file_id == 0 ||
		    anim_map_get(&at->replaced, (uint64_t)from.file_id, guid, strlen(guid), &known))
			continue;
		if ((guid = keep(at, guid)) == NULL ||
		    anim_buffer_append(&at->replacements, &to, sizeof to, at->run->error) != 0 ||
		    anim_map_put(&at->replaced, (uint64_t)from.file_id, guid, strlen(guid), number, at->run->error) !=
			0)
			return -1;
	}
	got = unity_source_find(at->run, at->source, controller.guid, &source, &path, &why);
	forget_documents(at);
	if (got <= 0 || source == at->source || source->path == NULL)
		return got < 0 ? -1 : 0;
	at->source = source;
	got = unity_asset_open(at->run, source->path, false, &asset, &shown, &why);
	if (got > 0)
		got = keep_documents(at, asset.input);
	unity_asset_close(&asset);
	return got < 0 ? -1 : 0;
}

int unity_graph_read(struct unity_run *run, struct unity_source *source, struct anim_input *input,
		     struct anim_graph *graph)
{
	struct graph_reading at = {.run = run, .source = source, .graph = graph};
	const struct unity_node *root = NULL, *override;
	const char *name = NULL;
	int result = keep_documents(&at, input);

	for (unsigned overrides = 0; result == 0 && (root = first_of(&at, UNITY_CONTROLLER)) == NULL; overrides++) {
		override = first_of(&at, UNITY_OVERRIDE_CONTROLLER);
		if (override == NULL || overrides == OVERRIDES_MAX)
			break;
		if (name == NULL && (name = keep(&at, unity_text(override, "m_Name", run->base_name))) == NULL)
			result = -1;
		else
			result = follow_override(&at, override);
	}
	if (result == 0 && root != NULL)
		result = read_controller(&at, root);
	if (result == 0 && name != NULL)
		graph->name = name;
	anim_arena_clear(&at.documents);
	anim_buffer_clear(&at.list);
	anim_buffer_clear(&at.replacements);
	anim_map_clear(&at.replaced);
	anim_map_clear(&at.ids);
	anim_map_clear(&at.machines);
	anim_map_clear(&at.states);
	anim_map_clear(&at.trees);
	return result != 0 ? -1 : root != NULL;
}
