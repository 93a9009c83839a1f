/* scene_changes.c: reads an instance of a prefab: what it changes, takes out and adds, item by item, for there may be many. */
#include <string.h>

#include "format/unity/read_run.h"
#include "format/unity/scene.h"

/* One document while it is read. */
struct gathering {
	struct unity_run *run;
	struct unity_instance instance;
	bool has_source; /* m_SourcePrefab was there, which counts more than m_ParentPrefab */
	struct anim_buffer changes, removed, additions; /* struct unity_change, int64_t, struct unity_addition */
};

/* A fileID; 0 where the node is none. */
static int64_t file_id(const struct unity_node *node)
{
	struct unity_reference reference;

	return unity_reference(node, &reference, NULL) > 0 ? reference.file_id : 0;
}

/* The properties of a prefab's objects that count here. */
static bool is_of_interest(const char *property)
{
	static const char *const names[] = {"m_Name",       "m_IsActive", "m_RootOrder",    "m_Animation",
					    "m_Controller", "m_WrapMode", "m_PlayableAsset"};
	static const char *const vectors[] = {"m_LocalPosition.", "m_LocalRotation.", "m_LocalScale.",
					      "m_Animations.Array.data["};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(property, names[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
		if (strncmp(property, vectors[i], strlen(vectors[i])) == 0)
			return true;
	return false;
}

static int add_change(struct gathering *at, const struct unity_node *item, struct anim_error *error)
{
	struct unity_change change = {.target = file_id(unity_get(item, "target"))};
	const char *property = unity_text(item, "propertyPath", "");

	if (!is_of_interest(property))
		return 0;
	change.property = unity_keep(at->run, property, error);
	change.value = unity_keep(at->run, unity_text(item, "value", ""), error);
	if (change.property == NULL || change.value == NULL)
		return -1;
	if (unity_reference(unity_get(item, "objectReference"), &change.reference, NULL) <= 0)
		change.reference = (struct unity_reference){0};
	return anim_buffer_append(&at->changes, &change, sizeof change, error);
}

static int add_item(struct gathering *at, const char *list, const struct unity_node *item, struct anim_error *error)
{
	struct unity_addition addition;
	int64_t id;

	if (strcmp(list, "m_Modifications") == 0)
		return add_change(at, item, error);
	if (strcmp(list, "m_AddedComponents") == 0) {
		addition.target = file_id(unity_get(item, "targetCorrespondingSourceObject"));
		addition.added = file_id(unity_get(item, "addedObject"));
		return anim_buffer_append(&at->additions, &addition, sizeof addition, error);
	}
	if (strcmp(list, "m_RemovedComponents") != 0 && strcmp(list, "m_RemovedGameObjects") != 0)
		return 0;
	id = file_id(item);
	return anim_buffer_append(&at->removed, &id, sizeof id, error);
}

static void take_field(struct gathering *at, const char *name, const struct unity_node *node)
{
	bool is_source = strcmp(name, "m_SourcePrefab") == 0;

	if (strcmp(name, "m_TransformParent") == 0)
		at->instance.parent = file_id(node);
	else if ((is_source || (strcmp(name, "m_ParentPrefab") == 0 && !at->has_source)) &&
		 unity_reference(node, &at->instance.prefab, NULL) <= 0)
		at->instance.prefab = (struct unity_reference){0};
	at->has_source |= is_source;
}

static bool is_wanted(void *context, const char *name)
{
	static const char *const names[] = {"m_Modification",      "m_TransformParent",    "m_Modifications",
					    "m_RemovedComponents", "m_RemovedGameObjects", "m_AddedComponents",
					    "m_SourcePrefab",      "m_ParentPrefab"};

	(void)context;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static int read_fields(struct gathering *at, struct unity_file *file, struct anim_error *error)
{
	struct anim_arena scratch = {0};
	struct unity_field field;
	int got;

	unity_clip_want(file, is_wanted, NULL);
	unity_clip_enter(file, "m_Modification");
	while ((got = unity_clip_next(file, &scratch, &field, error)) > 0) {
		if (!field.is_item)
			take_field(at, field.name, field.node);
		else if (add_item(at, field.name, field.node, error) != 0)
			break;
		anim_arena_reset(&scratch);
	}
	anim_arena_clear(&scratch);
	return got == 0 ? 0 : -1;
}

/* The buffer's bytes in the run's arena. 0 or -1. */
static int keep(struct gathering *at, const struct anim_buffer *buffer, const void **kept, struct anim_error *error)
{
	void *copy;

	if (buffer->size == 0)
		return 0;
	copy = anim_arena_alloc(&at->run->arena, buffer->size, error);
	if (copy == NULL)
		return -1;
	memcpy(copy, buffer->data, buffer->size);
	*kept = copy;
	return 0;
}

/* The document of a prefab of itself, which older files have, names none: it is passed over. */
static int add_instance(struct gathering *at, struct unity_source *source, struct anim_error *error)
{
	struct unity_scene *scene = &source->scene;
	struct unity_instance *instance = &at->instance;
	uint32_t number = (uint32_t)(scene->instances.size / sizeof *instance);
	const void *changes = NULL, *removed = NULL, *additions = NULL;

	if (instance->prefab.file_id == 0)
		return 0;
	if (keep(at, &at->changes, &changes, error) != 0 || keep(at, &at->removed, &removed, error) != 0 ||
	    keep(at, &at->additions, &additions, error) != 0 ||
	    unity_id_put(source, instance->id, UNITY_ID_INSTANCE, number, error) != 0)
		return -1;
	instance->changes = changes;
	instance->change_count = at->changes.size / sizeof *instance->changes;
	instance->removed = removed;
	instance->removed_count = at->removed.size / sizeof *instance->removed;
	instance->additions = additions;
	instance->addition_count = at->additions.size / sizeof *instance->additions;
	return anim_buffer_append(&scene->instances, instance, sizeof *instance, error);
}

int unity_instance_read(struct unity_run *run, struct unity_source *source, struct unity_file *file,
			const struct unity_document *document, struct anim_error *error)
{
	struct gathering at = {.run = run,
			       .instance = {.id = document->id, .line = document->line, .root = UNITY_NONE}};
	int result = read_fields(&at, file, error);

	if (result == 0)
		result = add_instance(&at, source, error);
	anim_buffer_clear(&at.changes);
	anim_buffer_clear(&at.removed);
	anim_buffer_clear(&at.additions);
	return result;
}
