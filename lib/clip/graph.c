/* graph.c: print the structure that decides which clip plays, as text and as JSON. */
#include "clip/graph.h"

static const char *const parameter_kinds[] = {"float", "int", "bool", "trigger"};
static const char *const condition_signs[] = {"", "not ", " > ", " < ", " = ", " != "};
static const char *const condition_names[] = {"if", "if_not", "greater", "less", "equals", "not_equal"};
static const char *const blend_kinds[] = {"1d", "2d_directional", "2d_freeform_directional", "2d_freeform", "direct"};
static const char *const interruptions[] = {"none", "source", "target", "source_then_target", "target_then_source"};

void anim_graph_clear(struct anim_graph *graph)
{
	anim_arena_clear(&graph->arena);
	anim_buffer_clear(&graph->parameters);
	anim_buffer_clear(&graph->layers);
	anim_buffer_clear(&graph->machines);
	anim_buffer_clear(&graph->states);
	anim_buffer_clear(&graph->trees);
}

static const struct anim_graph_parameter *parameter_at(const struct anim_graph *graph, uint32_t i)
{
	return ANIM_GRAPH_AT(graph, parameters, struct anim_graph_parameter, i);
}

static const struct anim_graph_machine *machine_at(const struct anim_graph *graph, uint32_t i)
{
	return ANIM_GRAPH_AT(graph, machines, struct anim_graph_machine, i);
}

static const struct anim_graph_state *state_at(const struct anim_graph *graph, uint32_t i)
{
	return ANIM_GRAPH_AT(graph, states, struct anim_graph_state, i);
}

static const struct anim_graph_layer *layer_at(const struct anim_graph *graph, uint32_t i)
{
	return ANIM_GRAPH_AT(graph, layers, struct anim_graph_layer, i);
}

/* Return the target's name: of a state or a machine, or "exit". */
static const char *target_of(const struct anim_graph *graph, const struct anim_graph_transition *transition)
{
	if (transition->state != ANIM_GRAPH_NONE)
		return state_at(graph, transition->state)->name;
	return transition->machine != ANIM_GRAPH_NONE ? machine_at(graph, transition->machine)->name : "exit";
}

/* ---- Text ---- */

struct text_printing {
	const struct anim_graph *graph;
	struct anim_print *print;
};

static void begin_line(const struct text_printing *at, size_t indent)
{
	anim_print_text(at->print, "\n");
	anim_print_spaces(at->print, 2 * indent);
}

static void put_number(const struct text_printing *at, const char *before, double number, const char *after)
{
	anim_print_text(at->print, before);
	anim_print_float(at->print, (float)number);
	anim_print_text(at->print, after);
}

static void put_by(const struct text_printing *at, const char *before, const char *parameter)
{
	if (parameter != NULL)
		anim_print_texts(at->print, before, parameter);
}

/* Print a clip, or a blend tree with the motions of its points. */
static void put_motion(struct text_printing *at, const struct anim_graph_motion *motion, size_t indent)
{
	const struct anim_graph_tree *tree;
	bool flat;

	if (motion->tree == ANIM_GRAPH_NONE && motion->clip == NULL) {
		anim_print_texts(at->print, motion->why == NULL ? "no motion" : "motion not found: ",
				 motion->why == NULL ? "" : motion->why);
		return;
	}
	if (motion->tree == ANIM_GRAPH_NONE) {
		anim_print_texts(at->print, "clip ", motion->clip);
		put_number(at, " (", motion->length_s, motion->loops ? " s, loop" : " s");
		if (motion->file != NULL)
			anim_print_texts(at->print, ", ", motion->file);
		anim_print_text(at->print, ")");
		return;
	}
	tree = ANIM_GRAPH_AT(at->graph, trees, struct anim_graph_tree, motion->tree);
	flat = tree->kind != ANIM_BLEND_1D && tree->kind != ANIM_BLEND_DIRECT;
	anim_print_texts(at->print, "blend ", blend_kinds[tree->kind]);
	if (tree->kind != ANIM_BLEND_DIRECT)
		put_by(at, " by ", tree->by[0]);
	if (flat)
		put_by(at, " and ", tree->by[1]);
	for (size_t i = 0; i < tree->count; i++) {
		const struct anim_graph_point *point = &tree->points[i];

		begin_line(at, indent + 1);
		if (tree->kind == ANIM_BLEND_DIRECT)
			anim_print_texts(at->print, point->weight_by == NULL ? "" : point->weight_by, ": ");
		else if (flat) {
			put_number(at, "(", point->at[0], ", ");
			put_number(at, "", point->at[1], "): ");
		} else
			put_number(at, "", point->at[0], ": ");
		if (point->speed != 1)
			put_number(at, "speed ", point->speed, ", ");
		if (point->cycle_offset != 0)
			put_number(at, "offset ", point->cycle_offset, ", ");
		if (point->mirrors)
			anim_print_text(at->print, "mirrored, ");
		put_motion(at, &point->motion, indent + 1);
	}
}

static void put_list(const struct text_printing *at, const char *from, const struct anim_graph_list *list,
		     bool has_times, size_t indent)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct anim_graph_transition *transition = &list->items[i];

		begin_line(at, indent);
		anim_print_texts(at->print, from, "-> ", target_of(at->graph, transition));
		for (size_t k = 0; k < transition->condition_count; k++) {
			const struct anim_graph_condition *condition = &transition->conditions[k];

			anim_print_text(at->print, k == 0 ? " if " : " and ");
			if (condition->mode == ANIM_CONDITION_IF_NOT)
				anim_print_text(at->print, condition_signs[condition->mode]);
			anim_print_text(at->print, condition->parameter);
			if (condition->mode > ANIM_CONDITION_IF_NOT)
				put_number(at, condition_signs[condition->mode], condition->threshold, "");
		}
		if (transition->has_exit_time)
			put_number(at, " after ", transition->exit_time, " of the clip");
		if (has_times && transition->condition_count == 0 && !transition->has_exit_time)
			anim_print_text(at->print, " never");
		if (has_times)
			put_number(at, ", fades ", transition->duration,
				   transition->in_seconds ? " s" : " of the clip");
		if (transition->offset != 0)
			put_number(at, ", begins at ", transition->offset, " of the target");
		if (transition->interrupts > 0)
			anim_print_texts(at->print, ", interrupted by ", interruptions[transition->interrupts]);
		if (transition->is_muted)
			anim_print_text(at->print, ", muted");
		if (transition->is_solo)
			anim_print_text(at->print, ", solo");
	}
}

static void put_state(struct text_printing *at, const struct anim_graph_state *state, size_t indent)
{
	begin_line(at, indent);
	anim_print_texts(at->print, "state ", state->name, ": ");
	if (state->speed != 1)
		put_number(at, "speed ", state->speed, ", ");
	put_by(at, "speed by ", state->speed_by);
	put_by(at, "time by ", state->time_by);
	put_by(at, "mirror by ", state->mirror_by);
	put_by(at, "offset by ", state->offset_by);
	if (state->speed_by != NULL || state->time_by != NULL || state->mirror_by != NULL || state->offset_by != NULL)
		anim_print_text(at->print, ", ");
	if (state->cycle_offset != 0)
		put_number(at, "offset ", state->cycle_offset, ", ");
	if (state->mirrors)
		anim_print_text(at->print, "mirrored, ");
	put_motion(at, &state->motion, indent);
	put_list(at, "", &state->transitions, true, indent + 1);
}

static void put_machine(struct text_printing *at, uint32_t number, size_t indent)
{
	const struct anim_graph_machine *machine = machine_at(at->graph, number);

	if (machine->first != ANIM_GRAPH_NONE) {
		begin_line(at, indent);
		anim_print_texts(at->print, "starts with ", state_at(at->graph, machine->first)->name);
	}
	put_list(at, "entry ", &machine->entry, false, indent);
	put_list(at, "any ", &machine->any, true, indent);
	for (size_t i = 0; i < machine->state_count; i++)
		put_state(at, state_at(at->graph, machine->states[i]), indent);
	for (size_t i = 0; i < machine->machine_count; i++) {
		begin_line(at, indent);
		anim_print_texts(at->print, "machine ", machine_at(at->graph, machine->machines[i])->name);
		put_machine(at, machine->machines[i], indent + 1);
		for (size_t k = 0; k < machine->from_count; k++)
			if (machine->from[k].machine == machine->machines[i])
				put_list(at, "end ", &machine->from[k].transitions, false, indent + 1);
	}
}

static void put_layer(struct text_printing *at, const struct anim_graph_layer *layer)
{
	begin_line(at, 1);
	anim_print_texts(at->print, "layer ", layer->name, layer->is_additive ? ": additive" : ": override");
	put_number(at, ", weight ", layer->weight, "");
	put_by(at, ", mask ", layer->mask);
	if (layer->synced != ANIM_GRAPH_NONE)
		anim_print_texts(at->print, ", with the states of ", layer_at(at->graph, layer->synced)->name,
				 layer->sets_timing ? " and their timing" : "");
	if (layer->has_ik)
		anim_print_text(at->print, ", IK pass");
	if (layer->machine != ANIM_GRAPH_NONE)
		put_machine(at, layer->machine, 2);
	for (size_t i = 0; i < layer->override_count; i++) {
		begin_line(at, 2);
		anim_print_texts(at->print, "state ", state_at(at->graph, layer->overrides[i].state)->name, ": ");
		put_motion(at, &layer->overrides[i].motion, 2);
	}
}

void anim_graph_print(const struct anim_graph *graph, struct anim_print *print)
{
	struct text_printing at = {graph, print};

	anim_print_texts(print, "controller ", graph->name);
	for (uint32_t i = 0; i < ANIM_GRAPH_COUNT(graph, parameters, struct anim_graph_parameter); i++) {
		const struct anim_graph_parameter *parameter = parameter_at(graph, i);

		begin_line(&at, 1);
		anim_print_texts(print, "parameter ", parameter->name, ": ", parameter_kinds[parameter->kind]);
		if (parameter->kind != ANIM_PARAMETER_TRIGGER)
			put_number(&at, ", starts at ", parameter->value, "");
	}
	for (uint32_t i = 0; i < ANIM_GRAPH_COUNT(graph, layers, struct anim_graph_layer); i++)
		put_layer(&at, layer_at(graph, i));
	anim_print_text(print, "\n");
}

/* ---- JSON ---- */

static void json_list(struct text_printing *at, const char *name, const struct anim_graph_list *list, bool has_times)
{
	anim_print_member(at->print, name);
	anim_print_text(at->print, "[");
	for (size_t i = 0; i < list->count; i++) {
		const struct anim_graph_transition *transition = &list->items[i];

		anim_print_texts(at->print, i > 0 ? "," : "", "{\"to\":");
		anim_print_json_text(at->print, target_of(at->graph, transition));
		anim_print_text_member(at->print, "kind",
				       transition->state != ANIM_GRAPH_NONE     ? "state"
				       : transition->machine != ANIM_GRAPH_NONE ? "machine"
										: "exit");
		anim_print_member(at->print, "conditions");
		anim_print_text(at->print, "[");
		for (size_t k = 0; k < transition->condition_count; k++) {
			const struct anim_graph_condition *condition = &transition->conditions[k];

			anim_print_texts(at->print, k > 0 ? "," : "", "{\"parameter\":");
			anim_print_json_text(at->print, condition->parameter);
			anim_print_text_member(at->print, "mode", condition_names[condition->mode]);
			anim_print_number_member(at->print, "threshold", condition->threshold, true);
			anim_print_text(at->print, "}");
		}
		anim_print_text(at->print, "]");
		if (has_times) {
			anim_print_member(at->print, "exit_time");
			if (transition->has_exit_time)
				anim_print_json_number(at->print, transition->exit_time, true);
			else
				anim_print_text(at->print, "null");
			anim_print_number_member(at->print, "duration", transition->duration, true);
			anim_print_text_member(at->print, "duration_unit",
					       transition->in_seconds ? "seconds" : "lengths");
			anim_print_number_member(at->print, "offset", transition->offset, true);
			anim_print_text_member(at->print, "interruption", interruptions[transition->interrupts]);
			anim_print_bool_member(at->print, "to_itself", transition->to_itself);
		}
		anim_print_bool_member(at->print, "muted", transition->is_muted);
		anim_print_bool_member(at->print, "solo", transition->is_solo);
		anim_print_text(at->print, "}");
	}
	anim_print_text(at->print, "]");
}

static void json_motion(struct text_printing *at, const struct anim_graph_motion *motion)
{
	const struct anim_graph_tree *tree;

	if (motion->tree == ANIM_GRAPH_NONE && motion->clip == NULL && motion->why == NULL) {
		anim_print_text(at->print, "null");
		return;
	}
	if (motion->tree == ANIM_GRAPH_NONE) {
		anim_print_text(at->print, "{\"clip\":");
		anim_print_json_text(at->print, motion->clip);
		anim_print_text_member(at->print, "file", motion->file);
		anim_print_text_member(at->print, "why", motion->why);
		anim_print_number_member(at->print, "length_s", motion->length_s, true);
		anim_print_bool_member(at->print, "loop", motion->loops);
		anim_print_text(at->print, "}");
		return;
	}
	tree = ANIM_GRAPH_AT(at->graph, trees, struct anim_graph_tree, motion->tree);
	anim_print_text(at->print, "{\"blend\":");
	anim_print_json_text(at->print, blend_kinds[tree->kind]);
	anim_print_text_member(at->print, "name", tree->name);
	anim_print_text_member(at->print, "by_x", tree->by[0]);
	anim_print_text_member(at->print, "by_y", tree->by[1]);
	anim_print_member(at->print, "points");
	anim_print_text(at->print, "[");
	for (size_t i = 0; i < tree->count; i++) {
		const struct anim_graph_point *point = &tree->points[i];

		anim_print_texts(at->print, i > 0 ? "," : "", "{\"x\":");
		anim_print_json_number(at->print, point->at[0], true);
		anim_print_number_member(at->print, "y", point->at[1], true);
		anim_print_number_member(at->print, "speed", point->speed, true);
		anim_print_number_member(at->print, "cycle_offset", point->cycle_offset, true);
		anim_print_bool_member(at->print, "mirror", point->mirrors);
		anim_print_text_member(at->print, "weight_by", point->weight_by);
		anim_print_member(at->print, "motion");
		json_motion(at, &point->motion);
		anim_print_text(at->print, "}");
	}
	anim_print_text(at->print, "]}");
}

static void json_state(struct text_printing *at, const struct anim_graph_state *state)
{
	anim_print_text(at->print, "{\"name\":");
	anim_print_json_text(at->print, state->name);
	anim_print_text_member(at->print, "tag", state->tag);
	anim_print_number_member(at->print, "speed", state->speed, true);
	anim_print_text_member(at->print, "speed_by", state->speed_by);
	anim_print_text_member(at->print, "time_by", state->time_by);
	anim_print_number_member(at->print, "cycle_offset", state->cycle_offset, true);
	anim_print_text_member(at->print, "cycle_offset_by", state->offset_by);
	anim_print_bool_member(at->print, "mirror", state->mirrors);
	anim_print_text_member(at->print, "mirror_by", state->mirror_by);
	anim_print_bool_member(at->print, "foot_ik", state->moves_feet);
	anim_print_bool_member(at->print, "write_defaults", state->writes_defaults);
	anim_print_member(at->print, "motion");
	json_motion(at, &state->motion);
	json_list(at, "transitions", &state->transitions, true);
	anim_print_text(at->print, "}");
}

static void json_machine(struct text_printing *at, uint32_t number)
{
	const struct anim_graph_machine *machine = machine_at(at->graph, number);

	anim_print_text(at->print, "{\"name\":");
	anim_print_json_text(at->print, machine->name);
	anim_print_text_member(at->print, "first",
			       machine->first == ANIM_GRAPH_NONE ? NULL : state_at(at->graph, machine->first)->name);
	json_list(at, "entry", &machine->entry, false);
	json_list(at, "any", &machine->any, true);
	anim_print_member(at->print, "states");
	anim_print_text(at->print, "[");
	for (size_t i = 0; i < machine->state_count; i++) {
		anim_print_text(at->print, i > 0 ? "," : "");
		json_state(at, state_at(at->graph, machine->states[i]));
	}
	anim_print_text(at->print, "]");
	anim_print_member(at->print, "machines");
	anim_print_text(at->print, "[");
	for (size_t i = 0; i < machine->machine_count; i++) {
		anim_print_text(at->print, i > 0 ? "," : "");
		json_machine(at, machine->machines[i]);
	}
	anim_print_text(at->print, "]");
	anim_print_member(at->print, "after");
	anim_print_text(at->print, "[");
	for (size_t i = 0; i < machine->from_count; i++) {
		anim_print_texts(at->print, i > 0 ? "," : "", "{\"machine\":");
		anim_print_json_text(at->print, machine_at(at->graph, machine->from[i].machine)->name);
		json_list(at, "transitions", &machine->from[i].transitions, false);
		anim_print_text(at->print, "}");
	}
	anim_print_text(at->print, "]}");
}

static void json_layer(struct text_printing *at, const struct anim_graph_layer *layer)
{
	anim_print_text(at->print, "{\"name\":");
	anim_print_json_text(at->print, layer->name);
	anim_print_text_member(at->print, "blending", layer->is_additive ? "additive" : "override");
	anim_print_number_member(at->print, "weight", layer->weight, true);
	anim_print_text_member(at->print, "mask", layer->mask);
	anim_print_text_member(at->print, "synced_with",
			       layer->synced == ANIM_GRAPH_NONE ? NULL : layer_at(at->graph, layer->synced)->name);
	anim_print_bool_member(at->print, "ik_pass", layer->has_ik);
	anim_print_member(at->print, "machine");
	if (layer->machine == ANIM_GRAPH_NONE)
		anim_print_text(at->print, "null");
	else
		json_machine(at, layer->machine);
	anim_print_member(at->print, "motions");
	anim_print_text(at->print, "[");
	for (size_t i = 0; i < layer->override_count; i++) {
		anim_print_texts(at->print, i > 0 ? "," : "", "{\"state\":");
		anim_print_json_text(at->print, state_at(at->graph, layer->overrides[i].state)->name);
		anim_print_member(at->print, "motion");
		json_motion(at, &layer->overrides[i].motion);
		anim_print_text(at->print, "}");
	}
	anim_print_text(at->print, "]}");
}

void anim_graph_print_json(const struct anim_graph *graph, struct anim_print *print)
{
	struct text_printing at = {graph, print};

	anim_print_text(print, "{\"controller\":");
	anim_print_json_text(print, graph->name);
	anim_print_member(print, "parameters");
	anim_print_text(print, "[");
	for (uint32_t i = 0; i < ANIM_GRAPH_COUNT(graph, parameters, struct anim_graph_parameter); i++) {
		const struct anim_graph_parameter *parameter = parameter_at(graph, i);

		anim_print_texts(print, i > 0 ? "," : "", "{\"name\":");
		anim_print_json_text(print, parameter->name);
		anim_print_text_member(print, "type", parameter_kinds[parameter->kind]);
		anim_print_number_member(print, "value", parameter->value, true);
		anim_print_text(print, "}");
	}
	anim_print_text(print, "]");
	anim_print_member(print, "layers");
	anim_print_text(print, "[");
	for (uint32_t i = 0; i < ANIM_GRAPH_COUNT(graph, layers, struct anim_graph_layer); i++) {
		anim_print_text(print, i > 0 ? "," : "");
		json_layer(&at, layer_at(graph, i));
	}
	anim_print_text(print, "]}\n");
}
