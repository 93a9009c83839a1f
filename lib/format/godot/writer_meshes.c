/* writer_meshes.c: what meshes and sprites of a scene must have so that their tracks play: blend shapes, frames. */
#include <string.h>

#include "format/godot/writer_internal.h"

#define SHAPE "blend_shape/"
#define FRAMES_MAX 65536u /* more are no sheet */

/* A blend shape of a node's; `next` of the same node: number + 1, 0: none. */
struct shape {
	const char *name;
	uint32_t next;
};

static struct shape *shape_at(const struct godot_nodes *nodes, uint32_t number)
{
	return (struct shape *)(void *)nodes->shapes.data + number;
}

static int need_shape(struct godot_nodes *nodes, uint32_t number, const char *name, struct anim_error *error)
{
	uint32_t count = (uint32_t)(nodes->shapes.size / sizeof(struct shape)), known;
	struct godot_scene_node *node = godot_nodes_at(nodes, number);
	struct shape shape = {0};

	if (anim_map_get(&nodes->by_shape, number, name, strlen(name), &known))
		return 0;
	shape.name = anim_arena_text(&nodes->arena, name, strlen(name), error);
	if (shape.name == NULL || anim_map_put(&nodes->by_shape, number, shape.name, strlen(name), count, error) != 0 ||
	    anim_buffer_append(&nodes->shapes, &shape, sizeof shape, error) != 0)
		return -1;
	if (node->first_shape == 0)
		node->first_shape = count + 1;
	else
		shape_at(nodes, node->last_shape - 1)->next = count + 1;
	node->last_shape = count + 1;
	return 0;
}

static void need_frame(struct godot_scene_node *node, double frame)
{
	if (frame >= node->frames && frame < FRAMES_MAX)
		node->frames = (uint32_t)frame + 1;
}

static int need_frames(struct godot_writer *writer, struct godot_scene_node *node, const struct anim_track *t,
		       bool sprites, struct anim_error *error)
{
	const char *sheet;
	const uint32_t *turns = sprites ? godot_sprite_frames(t, &sheet, &writer->scratch, error) : NULL;

	if (sprites && turns == NULL)
		return -1;
	for (size_t k = 0; k < t->n; k++)
		if (sprites)
			need_frame(node, turns[k]);
		else if (t->type == ANIM_INT)
			need_frame(node, ((const int32_t *)t->value)[k]);
		else if (t->type == ANIM_FLOAT)
			need_frame(node, (double)((const float *)t->value)[k]);
	return 0;
}

int godot_writer_furnish(struct godot_writer *writer, uint32_t number, const struct anim_track *t,
			 const struct godot_plan *plan, struct anim_error *error)
{
	struct godot_scene_node *node = godot_nodes_at(&writer->nodes, number);
	const char *shape;

	if (strncmp(node->class, "MeshInstance", 12) == 0 && strncmp(t->property, SHAPE, sizeof SHAPE - 1) == 0) {
		shape = godot_emit_shape(&writer->names, t, &writer->scratch, error);
		return shape == NULL ? -1 : need_shape(&writer->nodes, number, shape, error);
	}
	if (strncmp(node->class, "Sprite", 6) == 0 && (plan->sprite || strcmp(t->property, "frame") == 0))
		return need_frames(writer, node, t, plan->sprite, error);
	return 0;
}

static void emit_mesh(struct godot_emit *emit, const struct godot_nodes *nodes, const struct godot_scene_node *node)
{
	bool old = godot_emit_is_3(emit);

	godot_emit_text(emit, "[sub_resource type=\"ArrayMesh\" id=");
	godot_emit_sub_id(emit, "ArrayMesh", node->mesh);
	godot_emit_text(emit, old ? "]\nblend_shape/names = " : "]\n_blend_shape_names = ");
	godot_emit_open(emit, old ? "PoolStringArray" : "PackedStringArray");
	for (uint32_t i = node->first_shape; i != 0; i = shape_at(nodes, i - 1)->next) {
		const char *name = shape_at(nodes, i - 1)->name;

		godot_emit_text(emit, i == node->first_shape ? "" : ", ");
		godot_emit_quoted(emit, name, strlen(name), true);
	}
	godot_emit_close(emit);
	godot_emit_text(emit, "\n\n");
}

size_t godot_writer_count_meshes(struct godot_writer *writer, size_t animations)
{
	uint32_t first = godot_emit_is_3(&writer->emit) ? (uint32_t)animations : 0, count = 0;

	for (uint32_t i = 0; i < godot_nodes_count(&writer->nodes); i++) {
		struct godot_scene_node *node = godot_nodes_at(&writer->nodes, i);

		if (node->first_shape != 0)
			node->mesh = first + ++count;
	}
	return count;
}

void godot_writer_meshes(struct godot_writer *writer)
{
	for (uint32_t i = 0; i < godot_nodes_count(&writer->nodes); i++)
		if (godot_nodes_at(&writer->nodes, i)->mesh != 0)
			emit_mesh(&writer->emit, &writer->nodes, godot_nodes_at(&writer->nodes, i));
}

void godot_writer_furniture(struct godot_emit *emit, const struct godot_scene_node *node)
{
	if (node->mesh != 0) {
		godot_emit_text(emit, "mesh = ");
		godot_emit_sub(emit, "ArrayMesh", node->mesh);
		godot_emit_text(emit, "\n");
	}
	if (node->frames > 1) {
		godot_emit_text(emit, "hframes = ");
		godot_emit_number(emit, node->frames);
		godot_emit_text(emit, "\n");
	}
}
