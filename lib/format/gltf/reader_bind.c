/* reader_bind.c: rests of joints from their skins' inverse bind matrices. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "format/gltf/reader.h"
#include "math/basis.h"

/*
 * A matrix takes what is in the space of the mesh to the space of its joint, as it was when the mesh was bound. What the
 * space of the mesh is no file tells: it need not be the world. So joints are known against each other, j in its parent p
 * is matrix(p) inverse(matrix(j)), and one that has no joint above it stays where its node is.
 */

struct binding {
	struct gltf_reader *reader;
	const struct gltf_skin *skin;
	uint32_t *joint; /* of each node its place among the skin's joints, from 1; 0: none */
	bool *is_set;    /* of each node */
};

/* Affine: rows of basis and origin. */
struct affine {
	double row[3][4];
};

static struct affine multiply(const struct affine *a, const struct affine *b)
{
	struct affine out;

	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 4; j++)
			out.row[i][j] = a->row[i][0] * b->row[0][j] + a->row[i][1] * b->row[1][j] +
					a->row[i][2] * b->row[2][j] + (j == 3 ? a->row[i][3] : 0);
	return out;
}

/* False where it has no inverse. */
static bool invert(struct affine *m)
{
	const double origin[3] = {m->row[0][3], m->row[1][3], m->row[2][3]};

	if (!anim_basis_invert(m->row[0], 4))
		return false;
	for (int i = 0; i < 3; i++)
		m->row[i][3] = -(m->row[i][0] * origin[0] + m->row[i][1] * origin[1] + m->row[i][2] * origin[2]);
	return true;
}

static struct affine of_node(const struct gltf_node *node)
{
	struct affine out;
	float rows[16];

	anim_transform_compose(rows, node->position, node->rotation, node->scale);
	for (int i = 0; i < 12; i++)
		out.row[i / 4][i % 4] = (double)rows[i];
	return out;
}

static struct gltf_node *node_at(const struct binding *b, uint32_t node)
{
	return GLTF_AT(&b->reader->asset, nodes, struct gltf_node, node);
}

/* The inverse bind matrix of a joint, column-major in the file. 0 or -1. */
static int take_matrix(const struct binding *b, uint32_t joint, struct affine *out)
{
	struct gltf_reader *reader = b->reader;
	float room[16];
	const float *columns =
	    gltf_accessor_floats(&reader->data, &reader->asset, b->skin->binds, joint, 1, room, reader->error);

	if (columns == NULL)
		return -1;
	for (int i = 0; i < 12; i++)
		out->row[i / 4][i % 4] = (double)columns[i % 4 * 4 + i / 4];
	return 0;
}

/* What is between a node and the joint above it; *above is its place from 1, 0 where there is none. */
static struct affine climb(const struct binding *b, uint32_t node, uint32_t *above)
{
	struct affine between = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
	uint32_t parent = node_at(b, node)->parent;

	*above = 0;
	for (unsigned i = 0; parent != GLTF_NONE && i <= ANIM_GLTF_BETWEEN_JOINTS_MAX; i++) {
		struct affine of;

		*above = b->joint[parent];
		if (*above != 0)
			break;
		of = of_node(node_at(b, parent));
		between = multiply(&of, &between);
		parent = node_at(b, parent)->parent;
	}
	return between;
}

/* Of the two quaternions of a turn that which is near the node's own. */
static void set_rest(struct gltf_node *node, const struct affine *local)
{
	float rows[16] = {[15] = 1}, before[4], near = 0;

	memcpy(before, node->rotation, sizeof before);
	for (int i = 0; i < 12; i++)
		rows[i] = (float)local->row[i / 4][i % 4];
	anim_transform_decompose(node->position, node->rotation, node->scale, rows);
	for (int i = 0; i < 4; i++)
		near += before[i] * node->rotation[i];
	for (int i = 0; i < 4 && near < 0; i++)
		node->rotation[i] = -node->rotation[i];
}

static bool is_finite(const struct affine *m)
{
	for (int i = 0; i < 12; i++)
		if (!isfinite((float)m->row[i / 4][i % 4]))
			return false;
	return true;
}

static int bind_joint(struct binding *b, uint32_t node, uint32_t joint)
{
	struct affine own, parent, between, local;
	uint32_t above;

	between = climb(b, node, &above);
	if (above == 0)
		return 0;
	if (take_matrix(b, joint, &own) != 0 || take_matrix(b, above - 1, &parent) != 0)
		return -1;
	b->is_set[node] = true;
	if (invert(&own) && invert(&between)) {
		local = multiply(&parent, &own);
		local = multiply(&between, &local);
		if (is_finite(&local)) {
			set_rest(node_at(b, node), &local);
			return 0;
		}
	}
	return gltf_warn(b->reader, "inverse bind matrices have no inverse; the rests are the nodes' own",
			 "an inverse bind matrix has no inverse; the rest is the node's own");
}

/* A node that several skins have is where the first of them has it. */
static int bind_skin(struct binding *b)
{
	const struct gltf_run joints = b->skin->joints;
	const uint32_t *nodes = GLTF_AT(&b->reader->asset, joints, uint32_t, joints.first);
	int result = 0;

	for (uint32_t i = 0; i < joints.count; i++)
		b->joint[nodes[i]] = i + 1;
	for (uint32_t i = 0; i < joints.count && result == 0; i++)
		if (b->joint[nodes[i]] == i + 1 && !b->is_set[nodes[i]])
			result = bind_joint(b, nodes[i], i);
	for (uint32_t i = 0; i < joints.count; i++)
		b->joint[nodes[i]] = 0;
	return result;
}

static const struct gltf_skin *skin_at(const struct gltf_reader *reader, uint32_t number)
{
	return GLTF_AT(&reader->asset, skins, struct gltf_skin, number);
}

static int act_on_skins(struct gltf_reader *reader, int (*act)(struct gltf_reader *, uint32_t, struct binding *),
			struct binding *b)
{
	for (uint32_t i = 0; skin_at(reader, i) != NULL; i++)
		if (skin_at(reader, i)->binds != GLTF_NONE && act(reader, i, b) != 0)
			return -1;
	return 0;
}

static int want(struct gltf_reader *reader, uint32_t number, struct binding *unused)
{
	const struct gltf_skin *skin = skin_at(reader, number);
	const struct gltf_accessor *accessor = GLTF_AT(&reader->asset, accessors, struct gltf_accessor, skin->binds);

	(void)unused;
	if (gltf_accessor_want_matrices(&reader->data, &reader->asset, skin->binds, reader->error) != 0)
		return -1;
	if (accessor->count >= skin->joints.count)
		return 0;
	return anim_fail(reader->error, ANIM_BAD_INPUT,
			 "skins[%" PRIu32 "]: %" PRIu64 " inverse bind matrices of %" PRIu32 " joints", number,
			 accessor->count, skin->joints.count);
}

int gltf_bind_want(struct gltf_reader *reader)
{
	return act_on_skins(reader, want, NULL);
}

static int set(struct gltf_reader *reader, uint32_t number, struct binding *b)
{
	b->skin = skin_at(reader, number);
	if (gltf_accessor_unpack(&reader->data, &reader->asset, b->skin->binds, reader->error) != 0)
		return -1;
	return bind_skin(b);
}

int gltf_bind_set(struct gltf_reader *reader)
{
	size_t count = GLTF_COUNT(&reader->asset, nodes, struct gltf_node);
	struct binding b = {.reader = reader};
	bool any = false;
	int result = -1;

	b.joint = anim_zeroed((count + 1) * sizeof *b.joint, reader->error);
	b.is_set = anim_zeroed((count + 1) * sizeof *b.is_set, reader->error);
	if (b.joint != NULL && b.is_set != NULL)
		result = act_on_skins(reader, set, &b);
	for (uint32_t i = 0; skin_at(reader, i) != NULL; i++)
		any |= skin_at(reader, i)->binds != GLTF_NONE;
	if (result == 0 && !any)
		result = gltf_warn(reader, NULL, "no skin tells where its joints were bound; rests are the nodes' own");
	free(b.joint);
	free(b.is_set);
	return result;
}
