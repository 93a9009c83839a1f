/* writer_plan.c: which list of the clip a track goes into, under which path. */
#include <string.h>

#include "format/unity/writer_internal.h"

/* True where the track becomes a curve for each of its lanes: it has several and no list of its own. */
static bool is_split(const struct anim_track *t, const struct unity_binding *whole)
{
	return (whole->list == UNITY_FLOAT_CURVES || whole->list == UNITY_NO_LIST) && anim_types[t->type].lanes > 1;
}

/*
 * 1: a curve of that path, class and attribute has been met before, 0: it is new, -1. Unity's own may be there twice.
 */
static int is_double(struct unity_writer *writer, const struct unity_plan *plan, const struct unity_binding *binding,
		     struct anim_error *error)
{
	const char *attribute = binding->attribute != NULL ? binding->attribute : "";
	size_t path = strlen(plan->path) + 1, name = strlen(attribute) + 1;
	int64_t key[2] = {(int64_t)binding->list, binding->class_id};
	char *text;
	int added;

	if (writer->is_unity)
		return 0;
	text = anim_arena_alloc(&writer->scratch, path + name + sizeof key, error);
	if (text == NULL)
		return -1;
	memcpy(text, plan->path, path);
	memcpy(text + path, attribute, name);
	memcpy(text + path + name, key, sizeof key);
	added = anim_text_set_add(&writer->curves, text, path + name + sizeof key, error);
	return added < 0 ? -1 : !added;
}

static int tell_double(struct unity_writer *writer, const char *label, struct anim_error *error)
{
	return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
			       "tracks have the path and property of another track in Unity", error,
			       "track '%s' has the path and property of another track in Unity", label);
}

/* The rows of all curves that the track becomes. 0 or -1. */
static int add_curve(struct unity_writer *writer, const struct anim_track *t, const struct unity_binding *binding,
		     const struct unity_plan *plan, const char *label, struct anim_error *error)
{
	int twice = is_double(writer, plan, binding, error);

	if (twice < 0 || (twice > 0 && tell_double(writer, label, error) != 0))
		return -1;
	return unity_bindings_add(writer, t, binding, plan->path, error);
}

static int add_curves(struct unity_writer *writer, const struct anim_track *t, const struct unity_binding *first,
		      const struct unity_plan *plan, const char *label, struct anim_error *error)
{
	struct unity_binding binding;

	if (add_curve(writer, t, first, plan, label, error) != 0)
		return -1;
	if (plan->list != UNITY_FLOAT_CURVES)
		return plan->list == UNITY_PPTR_CURVES ? unity_references_add(writer, t, label, error) : 0;
	for (unsigned lane = 1; lane < anim_types[t->type].lanes; lane++)
		if (unity_name_write(t, (uint8_t)lane, plan->class_hint, &binding, &writer->scratch, error) != 0 ||
		    add_curve(writer, t, &binding, plan, label, error) != 0)
			return -1;
	return 0;
}

/*
 * The names of the track's only curve, or of its first lane; 1, 0 where Unity has none for it or for another lane, told,
 * -1.
 */
static int bind(struct unity_writer *writer, const struct anim_track *t, const char *label,
		const struct unity_plan *plan, struct unity_binding *binding, struct anim_error *error)
{
	bool split;

	if (unity_name_write(t, ANIM_WHOLE, plan->class_hint, binding, &writer->scratch, error) != 0)
		return -1;
	if (binding->list == UNITY_FLOAT_CURVES && binding->class_id == UNITY_TRANSFORM && t->component == ANIM_WHOLE &&
	    anim_types[t->type].lanes > 3)
		return unity_tell_part(writer, label, error);
	split = is_split(t, binding);
	for (unsigned lane = anim_types[t->type].lanes; split && lane-- > 0;) {
		if (unity_name_write(t, (uint8_t)lane, plan->class_hint, binding, &writer->scratch, error) != 0)
			return -1;
		if (binding->list == UNITY_NO_LIST)
			break;
	}
	if (binding->list != UNITY_NO_LIST)
		return 1;
	return unity_tell_unbound(writer, t, label, error);
}

static int keep(const char **text, struct unity_writer *writer, struct anim_error *error)
{
	*text = anim_arena_text(&writer->kept, *text, strlen(*text), error);
	return *text == NULL ? -1 : 0;
}

/* Under which path the track's curves go; NULL path where none reaches it. 0 or -1. */
static int find_path(struct unity_writer *writer, const struct anim_track *track, const char **path,
		     enum unity_placing *place, struct anim_error *error)
{
	const char *kept = anim_attrs_get(&track->attrs, UNITY_ATTR_PATH);

	*path = NULL;
	*place = UNITY_PLACED;
	if (kept != NULL && strcmp(kept, ".") != 0 && writer->is_unity &&
	    unity_target_kept(track->node, kept, path, &writer->scratch, error) != 0)
		return -1;
	if (*path != NULL)
		return 0;
	return unity_target_path(&writer->target, track->node, path, place, &writer->scratch, error);
}

int unity_plan_track(struct unity_writer *writer, const struct anim_track *source, const char *label,
		     struct unity_plan *plan, struct anim_error *error)
{
	struct anim_track track = *source;
	struct unity_binding binding;
	enum unity_placing place;
	int bound;

	if (unity_target_property(&writer->target, source->node, source->property, &plan->property, &plan->class_hint,
				  &writer->scratch, error) != 0)
		return -1;
	track.property = plan->property;
	bound = bind(writer, &track, label, plan, &binding, error);
	if (bound <= 0)
		return bound;
	plan->list = binding.list;
	if (find_path(writer, source, &plan->path, &place, error) != 0)
		return -1;
	if (plan->list != UNITY_EVENTS && unity_tell_place(writer, place, label, error) != 0)
		return -1;
	if (plan->path == NULL && plan->list != UNITY_EVENTS)
		return 0;
	if (plan->list == UNITY_EVENTS)
		return 1;
	if (add_curves(writer, &track, &binding, plan, label, error) != 0)
		return -1;
	return keep(&plan->path, writer, error) != 0 || keep(&plan->property, writer, error) != 0 ? -1 : 1;
}
