/* scene_write.c: the Transforms of a file as TREE and NODE records. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "format/unity/read_run.h"
#include "format/unity/scene.h"

/* A Transform below its father, which is a number too. */
struct branch {
	uint32_t father, transform;
	int64_t sibling;
};
#define ROOTS UINT32_MAX
#define DROPPED (UINT32_MAX - 1) /* what an instance took out */

/* A Transform to be written; `length`: of its father's path. */
struct visit {
	uint32_t transform, parent;
	size_t length;
};

struct writing {
	struct unity_run *run;
	struct unity_source *source;
	struct anim_sink *sink;      /* NULL: nothing is written, only counted */
	struct anim_buffer branches; /* struct branch, sorted */
	struct anim_buffer stack;    /* struct visit */
	struct anim_buffer path;     /* of the last NODE, with NUL */
	uint32_t count;              /* NODEs written */
	size_t visited;
};

static const struct {
	int32_t class_id;
	enum anim_node_kind kind;
	const char *type;
} kinds[] = {{20, ANIM_NODE_CAMERA, "Camera"},
	     {108, ANIM_NODE_LIGHT, "Light"},
	     {137, ANIM_NODE_MESH, "SkinnedMeshRenderer"},
	     {23, ANIM_NODE_MESH, "MeshRenderer"},
	     {212, ANIM_NODE_MESH, "SpriteRenderer"},
	     {33, ANIM_NODE_MESH, "MeshFilter"}};
#define KINDS (sizeof kinds / sizeof *kinds)

/* The row of a class; KINDS where there is none. */
static size_t kind_of(int32_t class_id)
{
	size_t i = 0;

	while (i < KINDS && kinds[i].class_id != class_id)
		i++;
	return i;
}

bool unity_kind_is(int32_t class_id)
{
	return kind_of(class_id) < KINDS;
}

int32_t unity_kind_choose(int32_t a, int32_t b)
{
	return kind_of(a) <= kind_of(b) ? a : b;
}

bool unity_scene_has_tree(const struct unity_scene *scene)
{
	for (size_t i = 0; i < unity_transform_count(scene); i++)
		if (!unity_transform_at(scene, i)->removed)
			return true;
	return false;
}

static const struct unity_object *object_of(const struct unity_source *source, const struct unity_transform *transform)
{
	uint32_t number;

	if (!unity_id_get(source, transform->object, UNITY_ID_OBJECT, &number))
		return NULL;
	return unity_object_at(&source->scene, number);
}

/* What a path calls it; `made` gets a name where it has none. */
#define NAME_MAX_MADE 24
static const char *name_of(const struct unity_source *source, const struct unity_transform *transform,
			   char made[NAME_MAX_MADE])
{
	const struct unity_object *object = object_of(source, transform);
	int64_t id = transform->object != 0 ? transform->object : transform->id;

	if (object != NULL && object->name != NULL && object->name[0] != '\0')
		return object->name;
	snprintf(made, NAME_MAX_MADE, "?%lld", (long long)id);
	return made;
}

static int compare_branches(const void *left, const void *right)
{
	const struct branch *a = left, *b = right;

	if (a->father != b->father)
		return a->father < b->father ? -1 : 1;
	if (a->sibling != b->sibling)
		return a->sibling < b->sibling ? -1 : 1;
	return a->transform < b->transform ? -1 : a->transform > b->transform;
}

static int say_orphan(const struct writing *writing, const struct unity_transform *transform, struct anim_error *error)
{
	if (unity_say(writing->run, writing->source, ANIM_WARNING, transform->line,
		      "Transforms have a father that is not there; they are put at the root", error,
		      "the father of Transform %lld is not there; it is put at the root",
		      (long long)transform->id) != 0)
		return -1;
	return anim_losses_name(writing->run->options->losses, error, "%lld", (long long)transform->id);
}

static int find_branch(const struct writing *writing, uint32_t number, struct branch *branch, struct anim_error *error)
{
	const struct unity_transform *transform = unity_transform_at(&writing->source->scene, number);

	*branch = (struct branch){ROOTS, number, transform->sibling};
	if (transform->removed)
		branch->father = DROPPED;
	else if (transform->father != 0 &&
		 !unity_id_get(writing->source, transform->father, UNITY_ID_TRANSFORM, &branch->father)) {
		branch->father = ROOTS;
		return say_orphan(writing, transform, error);
	}
	return 0;
}

static int sort_branches(struct writing *writing, struct anim_error *error)
{
	size_t count = unity_transform_count(&writing->source->scene);
	struct branch *branches = anim_buffer_extend(&writing->branches, count * sizeof *branches, error);

	if (branches == NULL)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (find_branch(writing, (uint32_t)i, &branches[i], error) != 0)
			return -1;
	qsort(branches, count, sizeof *branches, compare_branches);
	return 0;
}

/* The branches of one father: *first, and how many. */
static size_t branches_of(const struct writing *writing, uint32_t father, const struct branch **first)
{
	const struct branch *all = (const struct branch *)writing->branches.data;
	size_t count = writing->branches.size / sizeof *all, low = 0, high = count, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (all[middle].father < father)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < count && all[end].father == father; end++)
		;
	*first = all + low;
	return end - low;
}

/* So that the first is visited first. */
static int push_branches(struct writing *writing, uint32_t father, uint32_t parent, size_t length,
			 struct anim_error *error)
{
	const struct branch *first;
	size_t count = branches_of(writing, father, &first);

	for (size_t i = count; i-- > 0;) {
		struct visit visit = {first[i].transform, parent, length};

		if (anim_buffer_append(&writing->stack, &visit, sizeof visit, error) != 0)
			return -1;
	}
	return 0;
}

static int check_name(const struct writing *writing, const struct unity_transform *transform, const char *name,
		      struct anim_error *error)
{
	if (strchr(name, '/') == NULL)
		return 0;
	if (unity_say(writing->run, writing->source, ANIM_WARNING, transform->line,
		      "names hold a '/': no path leads to them, in Unity neither", error,
		      "the name '%s' holds a '/': no path leads to it, in Unity neither", name) != 0)
		return -1;
	return anim_losses_name(writing->run->options->losses, error, "'%s'", name);
}

static int fail_path(const struct writing *writing, const struct unity_transform *transform, struct anim_error *error)
{
	struct anim_place place = {.file = writing->source->shown,
				   .at = transform->line == 0 ? ANIM_AT_FILE : ANIM_AT_LINE,
				   .line = transform->line,
				   .column = 1};

	return anim_fail_at(error, ANIM_TOO_LARGE, &place, "the path of a node is longer than %u bytes", ANIM_NAME_MAX);
}

/* Appends the node's name to its father's path; the root's is ".". */
static int set_path(struct writing *writing, const struct visit *visit, struct anim_error *error)
{
	const struct unity_transform *transform = unity_transform_at(&writing->source->scene, visit->transform);
	char made[NAME_MAX_MADE];
	const char *name = visit->parent == ANIM_NO_PARENT ? "." : name_of(writing->source, transform, made);

	writing->path.size = visit->length;
	if (visit->parent != ANIM_NO_PARENT && check_name(writing, transform, name, error) != 0)
		return -1;
	if (visit->length > 0 && anim_buffer_append(&writing->path, "/", 1, error) != 0)
		return -1;
	if (anim_buffer_append(&writing->path, name, strlen(name) + 1, error) != 0)
		return -1;
	return writing->path.size - 1 > ANIM_NAME_MAX ? fail_path(writing, transform, error) : 0;
}

static bool is_finite(const float *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(values[i]))
			return false;
	return true;
}

/* What is finite of the placement. */
static int place(const struct writing *writing, const struct unity_transform *from, struct anim_node *node,
		 struct anim_error *error)
{
	uint8_t has = from->has;

	if (!is_finite(from->position, 3))
		has &= (uint8_t)~ANIM_HAS_POSITION;
	if (!is_finite(from->rotation, 4))
		has &= (uint8_t)~ANIM_HAS_ROTATION;
	if (!is_finite(from->scale, 3))
		has &= (uint8_t)~ANIM_HAS_SCALE;
	if (has & ANIM_HAS_POSITION)
		memcpy(node->position, from->position, sizeof node->position);
	if (has & ANIM_HAS_ROTATION)
		memcpy(node->rotation, from->rotation, sizeof node->rotation);
	if (has & ANIM_HAS_SCALE)
		memcpy(node->scale, from->scale, sizeof node->scale);
	node->has = has;
	if (has == from->has)
		return 0;
	if (unity_say(writing->run, writing->source, ANIM_WARNING, from->line,
		      "Transforms have values that are not finite; those are left out", error,
		      "Transform %lld has values that are not finite; they are left out", (long long)from->id) != 0)
		return -1;
	return anim_losses_name(writing->run->options->losses, error, "%lld", (long long)from->id);
}

static const char *type_of(const struct unity_transform *transform)
{
	if (transform->is_bare)
		return "GameObject";
	return transform->is_rect ? "RectTransform" : "Transform";
}

static int write_node(struct writing *writing, const struct visit *visit, struct anim_error *error)
{
	static const struct anim_attr inactive = {"unity.inactive", "1"};
	struct unity_transform *from = unity_transform_at(&writing->source->scene, visit->transform);
	const struct unity_object *object = object_of(writing->source, from);
	size_t kind = object == NULL ? KINDS : kind_of(object->kind_class);
	struct anim_node node = {.parent = visit->parent, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};

	if (set_path(writing, visit, error) != 0 || place(writing, from, &node, error) != 0)
		return -1;
	node.path = (const char *)writing->path.data;
	node.kind = (uint8_t)(kind < KINDS ? kinds[kind].kind : ANIM_NODE);
	node.type = kind < KINDS ? kinds[kind].type : type_of(from);
	if (object != NULL && object->inactive)
		node.attrs = (struct anim_attrs){(struct anim_attr *)&inactive, 1};
	from->number = writing->count++;
	return anim_sink_node(writing->sink, &node, error);
}

/* Visits everything below a father, in the order of the tree. */
static int visit_all(struct writing *writing, uint32_t father, uint32_t parent, struct anim_error *error)
{
	struct visit visit;
	size_t length;

	if (push_branches(writing, father, parent, 0, error) != 0)
		return -1;
	while (writing->stack.size > 0) {
		writing->stack.size -= sizeof visit;
		memcpy(&visit, writing->stack.data + writing->stack.size, sizeof visit);
		writing->visited++;
		if (father == ROOTS && write_node(writing, &visit, error) != 0)
			return -1;
		length = visit.parent == ANIM_NO_PARENT || father != ROOTS ? 0 : writing->path.size - 1;
		if (push_branches(writing, visit.transform, father == ROOTS ? writing->count - 1 : ANIM_NO_PARENT,
				  length, error) != 0)
			return -1;
	}
	return 0;
}

/* The root that holds several roots together. */
static int write_common_root(struct writing *writing, struct anim_error *error)
{
	struct anim_node node = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = ".", .type = ""};

	writing->count = 1;
	return anim_sink_node(writing->sink, &node, error);
}

static int check_all_visited(const struct writing *writing, struct anim_error *error)
{
	size_t lost = unity_transform_count(&writing->source->scene) - writing->visited;

	if (lost == 0)
		return 0;
	return unity_say(writing->run, writing->source, ANIM_WARNING, 0, NULL, error,
			 "%zu Transform%s fathers that run in a ring and %s left out", lost,
			 lost == 1 ? " has" : "s have", lost == 1 ? "is" : "are");
}

static int write_tree(struct writing *writing, const char *source_file, struct anim_error *error)
{
	struct anim_tree tree = {.axes = ANIM_AXES_UNITY, .axes2d = ANIM_AXES2D_UNITY, .source_file = source_file};
	const struct branch *roots;
	char made[NAME_MAX_MADE];
	size_t count;

	if (sort_branches(writing, error) != 0)
		return -1;
	count = branches_of(writing, ROOTS, &roots);
	tree.root_name = writing->run->base_name;
	if (count == 1)
		tree.root_name =
		    name_of(writing->source, unity_transform_at(&writing->source->scene, roots->transform), made);
	if (anim_sink_tree(writing->sink, &tree, error) != 0 ||
	    (count != 1 && write_common_root(writing, error) != 0) ||
	    visit_all(writing, DROPPED, ANIM_NO_PARENT, error) != 0 ||
	    visit_all(writing, ROOTS, count == 1 ? ANIM_NO_PARENT : 0, error) != 0)
		return -1;
	return check_all_visited(writing, error);
}

int unity_scene_write(struct unity_run *run, struct unity_source *source, const char *source_file,
		      struct anim_sink *sink, struct anim_error *error)
{
	struct writing writing = {.run = run, .source = source, .sink = sink};
	int result = write_tree(&writing, source_file, error);

	anim_buffer_clear(&writing.branches);
	anim_buffer_clear(&writing.stack);
	anim_buffer_clear(&writing.path);
	return result;
}

/* Its number among the transforms where it became a NODE. */
static bool find_node(const struct unity_source *source, int64_t object, uint32_t *transform)
{
	uint32_t number;

	if (!unity_id_get(source, object, UNITY_ID_OBJECT, &number))
		return false;
	*transform = unity_object_at(&source->scene, number)->transform;
	return *transform != UNITY_NONE && unity_transform_at(&source->scene, *transform)->number != UNITY_NONE;
}

/* Appends its ancestors, itself first, up to the root's children. */
static int list_ancestors(const struct unity_source *source, uint32_t transform, struct anim_buffer *ancestors,
			  struct anim_error *error)
{
	uint32_t at = transform;

	while (unity_transform_at(&source->scene, at)->number != 0) {
		if (anim_buffer_append(ancestors, &at, sizeof at, error) != 0)
			return -1;
		if (!unity_id_get(source, unity_transform_at(&source->scene, at)->father, UNITY_ID_TRANSFORM, &at))
			return 0;
	}
	return 0;
}

const char *unity_scene_path(struct unity_run *run, const struct unity_source *source, int64_t object,
			     struct anim_error *error)
{
	struct anim_buffer ancestors = {0}, path = {0};
	uint32_t transform;
	char made[NAME_MAX_MADE];
	const char *kept = ".";
	int result;

	if (!find_node(source, object, &transform))
		return kept;
	result = list_ancestors(source, transform, &ancestors, error);
	for (size_t i = ancestors.size / sizeof transform; i-- > 0 && result == 0;) {
		const char *name =
		    name_of(source, unity_transform_at(&source->scene, ((uint32_t *)ancestors.data)[i]), made);

		if (path.size > 0)
			result = anim_buffer_append(&path, "/", 1, error);
		if (result == 0)
			result = anim_buffer_append(&path, name, strlen(name), error);
	}
	if (result == 0 && path.size > 0)
		kept = anim_arena_text(&run->arena, (const char *)path.data, path.size, error);
	anim_buffer_clear(&ancestors);
	anim_buffer_clear(&path);
	return result == 0 ? kept : NULL;
}
