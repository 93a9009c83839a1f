/* mmd.c: the usual skeleton of MikuMikuDance, for motions without a model, and the filter that retargets humans to it. */
#include <string.h>

#include "filter/filter.h"
#include "filter/retarget/plan.h"

/* ---- The skeleton ---- */

#define UNIT 0.08f /* metres */

/* A bone. Places are in MikuMikuDance's unit, from the ground, with +X to the left and +Z to the front. */
struct row {
	const char *name, *above;
	float at[3];
	bool sided; /* it is on the left, and has a counterpart on the right */
};

/*
 * The standard bones, and the semi-standard ones that most models have. The figure is 20 units high, its legs have the length
 * that motions are usually made for, and its arms are 36 degrees below the horizontal, the mean of usual models.
 */
static const struct row rows[] = {
    {"全ての親", NULL, {0, 0, 0}, false},
    {"センター", "全ての親", {0, 8, 0}, false},
    {"グルーブ", "センター", {0, 8.2F, 0}, false},
    {"上半身", "グルーブ", {0, 12, 0}, false},
    {"上半身2", "上半身", {0, 13.2F, 0}, false},
    {"首", "上半身2", {0, 16.4F, 0}, false},
    {"頭", "首", {0, 17.1F, 0}, false},
    {"目", "頭", {0.4F, 17.9F, 0.5F}, true},
    {"肩", "上半身2", {0.25F, 16, 0}, true},
    {"腕", "肩", {1.3F, 15.8F, 0}, true},
    {"ひじ", "腕", {3.4F, 14.274F, 0}, true},
    {"手首", "ひじ", {5.26F, 12.923F, 0}, true},
    {"親指０", "手首", {5.5F, 12.7F, 0.25F}, true},
    {"親指１", "親指０", {5.75F, 12.45F, 0.45F}, true},
    {"親指２", "親指１", {5.99F, 12.21F, 0.62F}, true},
    {"人指１", "手首", {6.03F, 12.36F, 0.27F}, true},
    {"人指２", "人指１", {6.31F, 12.157F, 0.27F}, true},
    {"人指３", "人指２", {6.52F, 12.004F, 0.27F}, true},
    {"中指１", "手首", {6.05F, 12.35F, 0.08F}, true},
    {"中指２", "中指１", {6.36F, 12.125F, 0.08F}, true},
    {"中指３", "中指２", {6.59F, 11.958F, 0.08F}, true},
    {"薬指１", "手首", {6.02F, 12.37F, -0.1F}, true},
    {"薬指２", "薬指１", {6.3F, 12.167F, -0.1F}, true},
    {"薬指３", "薬指２", {6.51F, 12.014F, -0.1F}, true},
    {"小指１", "手首", {5.95F, 12.42F, -0.27F}, true},
    {"小指２", "小指１", {6.18F, 12.253F, -0.27F}, true},
    {"小指３", "小指２", {6.35F, 12.13F, -0.27F}, true},
    {"下半身", "グルーブ", {0, 12, 0}, false},
    {"足", "下半身", {0.95F, 10.6F, 0}, true},
    {"ひざ", "足", {0.95F, 6, 0.05F}, true},
    {"足首", "ひざ", {0.95F, 1.4F, -0.1F}, true},
    {"足先EX", "足首", {0.95F, 0.35F, 1}, true},
};
#define ROWS (sizeof rows / sizeof rows[0])
#define ARMS_DEGREES 36

/* Add the bone of a row, on the right if `right`. `numbers` and `paths` are of the nodes of each row and side so far. */
static int add_bone(struct anim_sink *sink, size_t row, bool right, uint32_t (*numbers)[2], const char *(*paths)[2],
		    uint32_t number, struct anim_arena *arena, struct anim_error *error)
{
	const struct row *own = &rows[row], *above = NULL;
	struct anim_node node = {
	    .kind = ANIM_NODE_BONE, .has = ANIM_HAS_POSITION, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .type = ""};
	bool above_right;

	for (size_t i = 0; i < ROWS && own->above != NULL && above == NULL; i++)
		above = strcmp(rows[i].name, own->above) == 0 ? &rows[i] : NULL;
	above_right = above != NULL && above->sided && right;
	for (unsigned i = 0; i < 3; i++) {
		float at = own->at[i] - (above == NULL ? 0 : above->at[i]);

		node.position[i] = (i == 0 && right ? -at : at) * UNIT;
	}
	node.parent = above == NULL ? 0 : numbers[above - rows][above_right];
	node.path = anim_arena_printf(arena, error, "%s%s%s%s", above == NULL ? "" : paths[above - rows][above_right],
				      above == NULL ? "" : "/", own->sided ? (right ? "右" : "左") : "", own->name);
	paths[row][right] = node.path;
	numbers[row][right] = number;
	return node.path == NULL ? -1 : anim_sink_node(sink, &node, error);
}

/* Fill a skeleton with the figure and its records. */
static int make_figure(struct anim_skeleton *skeleton, struct anim_error *error)
{
	const struct anim_tree tree = {.axes = ANIM_AXES_GLTF, .root_name = "", .source_file = ""};
	const struct anim_node root = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = ".", .type = ""};
	struct anim_sink *sink = anim_skeleton_sink_new(skeleton, true, error);
	struct anim_arena arena = {0};
	uint32_t numbers[ROWS][2], number = 1;
	const char *paths[ROWS][2];
	int result =
	    sink == NULL || anim_sink_tree(sink, &tree, error) != 0 || anim_sink_node(sink, &root, error) != 0 ? -1 : 0;

	/* a limb of one side after the other, as in models */
	for (size_t i = 0, end; i < ROWS && result == 0; i = end) {
		for (end = i + 1; end < ROWS && rows[i].sided && rows[end].sided; end++)
			continue;
		for (unsigned right = 0; right < 1u + rows[i].sided; right++)
			for (size_t row = i; row < end && result == 0; row++)
				result = add_bone(sink, row, right != 0, numbers, paths, number++, &arena, error);
	}
	anim_sink_free(sink);
	anim_arena_clear(&arena);
	return result;
}

/* ---- The filter ---- */

struct mmd {
	struct anim_filter filter;
	struct anim_skeleton own, figure;
	struct anim_sink *own_sink; /* the tree waits, until a clip or the end */
	size_t store_memory;
	struct anim_diagnostics *diagnostics;
};

/* Decide whether the tree that waits is retargeted, and pass it on. */
static int release(struct mmd *m, struct anim_error *error)
{
	const struct anim_retarget_options options = {.to = &m->figure,
						      .implied = true,
						      .silhouette_degrees = 15,
						      .partial = true,
						      .store_memory = m->store_memory,
						      .diagnostics = m->diagnostics};
	int lacks;

	if (m->own_sink == NULL)
		return 0;
	anim_sink_free(m->own_sink);
	m->own_sink = NULL;

	/* A tree with MMD's own skeleton stays unchanged. Only that skeleton has the hips beside the spine. */
	uint32_t bones[ANIM_HUMAN_BONES], n, hips;
	int human = anim_skeleton_human(&m->own, bones, error);

	if (human <= 0) {
		lacks = human;
	} else {
		n = bones[ANIM_BONE_SPINE];
		hips = bones[ANIM_BONE_HIPS];
		while (n != ANIM_POSE_NONE && n != hips)
			n = anim_poses_parent(&m->own.poses, n);
		lacks = n != ANIM_POSE_NONE ||
			strcmp(anim_node_own_name(anim_poses_path(&m->own.poses, hips)), "下半身") != 0;
	}

	if (lacks < 0)
		return -1;
	if (lacks > 0) {
		m->filter.next = anim_retarget_new(&options, m->filter.next, error);
		if (m->filter.next == NULL || make_figure(&m->figure, error) != 0 ||
		    anim_diagnostics_note(m->diagnostics, NULL, error,
					  "the motion is for a model whose arms rest %d degrees below the horizontal; "
					  "retarget it to the model if its arms rest elsewhere",
					  ARMS_DEGREES) != 0)
			return -1;
	}
	return anim_store_replay_trees(m->own.records, m->filter.next, error);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct mmd *m = (struct mmd *)sink;

	anim_sink_free(m->own_sink);
	anim_skeleton_clear(&m->own);
	m->own_sink = anim_skeleton_sink_new(&m->own, true, error);
	return m->own_sink == NULL ? -1 : anim_sink_tree(m->own_sink, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(((struct mmd *)sink)->own_sink, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return release((struct mmd *)sink, error) != 0 ? -1 : anim_filter_clip(sink, clip, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct mmd *m = (struct mmd *)sink;

	return m->own_sink == NULL ? anim_filter_record(sink, record, error)
				   : anim_store_keep_record(m->own.records, record, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return release((struct mmd *)sink, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct mmd *m = (struct mmd *)sink;

	anim_sink_free(m->own_sink);
	anim_skeleton_clear(&m->own);
	anim_sink_free(m->filter.next);
	m->filter.next = NULL;
	anim_skeleton_clear(&m->figure);
	anim_filter_free(sink);
}

struct anim_sink *anim_retarget_mmd_new(size_t store_memory, struct anim_diagnostics *diagnostics,
					struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .record = on_record, .end = on_end, .free = on_free};
	struct mmd *m = anim_filter_new(sizeof *m, &ops, next, error);

	if (m == NULL)
		return NULL;
	m->store_memory = store_memory;
	m->diagnostics = diagnostics;
	anim_skeleton_init(&m->own);
	anim_skeleton_init(&m->figure);
	return &m->filter.sink;
}
