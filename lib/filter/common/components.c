/* components.c: keep tracks of single components until their clip ends, and join them to vectors. */
#include "filter/common/components.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clip/keys.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define STORE_MEMORY ((size_t)1 << 20) /* for a clip's components; the rest is in a file */

int anim_components_keep(struct anim_store **components, const struct anim_clip *clip, const struct anim_track *track,
			 struct anim_error *error)
{
	if (*components == NULL) {
		*components = anim_store_new(STORE_MEMORY, error);
		if (*components == NULL || anim_sink_clip(anim_store_sink(*components), clip, error) != 0)
			return -1;
	}
	return anim_sink_track(anim_store_sink(*components), track, error);
}

double anim_values_apart(enum anim_type type, const double a[ANIM_COMPONENTS_MAX], const double b[ANIM_COMPONENTS_MAX])
{
	double worst = 0;
	float x[4], y[4];

	if (anim_types[type].quaternion) {
		anim_components_to_float(x, a, 4);
		anim_components_to_float(y, b, 4);
		return anim_quat_angle(x, y) * 180 / ANIM_PI;
	}
	for (unsigned component = 0; component < anim_types[type].components; component++)
		worst = fmax(worst, fabs(a[component] - b[component]));
	return worst;
}

int anim_track_order(const struct anim_track *track)
{
	int order = anim_euler_order_find(anim_attrs_get(&track->attrs, "order"));

	return order < 0 ? ANIM_EULER_YXZ : order;
}

unsigned anim_components_by_name(const struct anim_rest *rest, const char *property)
{
	bool flat = rest != NULL && (rest->has & ANIM_HAS_2D);

	if (strcmp(property, "rotation") == 0)
		return 4;
	if (strcmp(property, "euler") == 0)
		return 3;
	if (strcmp(property, "position") == 0 || strcmp(property, "scale") == 0)
		return flat ? 2 : 3;
	return strcmp(anim_component_name(property, 0), "r") == 0 ? 4 : 0;
}

int anim_components_type(enum anim_type component, const char *property, unsigned components)
{
	static const struct {
		enum anim_type component, two;
	} rows[] = {{ANIM_BOOL, ANIM_BOOL2}, {ANIM_INT, ANIM_INT2},     {ANIM_UINT, ANIM_UINT2},
		    {ANIM_LONG, ANIM_LONG2}, {ANIM_FLOAT, ANIM_FLOAT2}, {ANIM_DOUBLE, ANIM_DOUBLE2}};

	if (anim_type_is_real(component) && strcmp(property, "rotation") == 0)
		return ANIM_FLOATQ;
	if (anim_type_is_real(component) && strcmp(anim_component_name(property, 0), "r") == 0)
		return ANIM_COLOR;
	/* Components come from float32 fields, whatever their text contained. */
	component = component == ANIM_DOUBLE ? ANIM_FLOAT : component;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].component == component && components >= 2 && components <= 4)
			return (int)(rows[i].two + components - 2);
	return -1;
}

unsigned anim_components_of_rest(const struct anim_rest *rest, const struct anim_track *t,
				 double out[ANIM_COMPONENTS_JOINED])
{
	bool euler = strcmp(t->property, "euler") == 0, rotation = strcmp(t->property, "rotation") == 0;
	bool position = strcmp(t->property, "position") == 0;
	double angles[3], turn[4];

	if (rest == NULL)
		return 0;
	if (euler && (rest->has & ANIM_HAS_ROTATION)) {
		for (int i = 0; i < 4; i++)
			turn[i] = (double)rest->rotation[i];
		anim_euler_from_quat_double(angles, turn, (enum anim_euler_order)anim_track_order(t));
		memcpy(out, angles, sizeof angles);
		return 3;
	}
	if (rotation && (rest->has & ANIM_HAS_ROTATION)) {
		for (int i = 0; i < 4; i++)
			out[i] = (double)rest->rotation[i];
		return 4;
	}
	if ((position && (rest->has & ANIM_HAS_POSITION)) ||
	    (strcmp(t->property, "scale") == 0 && (rest->has & ANIM_HAS_SCALE))) {
		for (int i = 0; i < 3; i++)
			out[i] = (double)(position ? rest->position[i] : rest->scale[i]);
		return 3;
	}
	return 0;
}

const struct anim_track *anim_components_first(const struct anim_component_group *group)
{
	unsigned i = 0;

	while (!group->there[i])
		i++;
	return &group->tracks[i];
}

unsigned anim_components_there(const struct anim_component_group *group)
{
	unsigned components = 0;

	for (unsigned i = 0; i < ANIM_COMPONENTS_JOINED; i++)
		components = group->there[i] ? i + 1 : components;
	return components;
}

void anim_components_source(struct anim_source *out, const struct anim_clip *clip,
			    const struct anim_component_group *group, unsigned components)
{
	const struct anim_track *first = anim_components_first(group);

	*out = (struct anim_source){.clip = clip,
				    .count = components,
				    .joined = true,
				    .order = (enum anim_euler_order)anim_track_order(first),
				    .radians = strcmp(first->property, "euler") == 0};
	for (unsigned i = 0; i < components; i++)
		out->tracks[i] = group->there[i] ? &group->tracks[i] : NULL;
}

double anim_components_neutral(const char *property, unsigned component)
{
	if (strcmp(property, "rotation") == 0)
		return component == 3;
	return strcmp(property, "scale") == 0 || strcmp(anim_component_name(property, 0), "r") == 0;
}

static bool has_same(const struct anim_attrs *a, const struct anim_attrs *b, const char *key)
{
	const char *one = anim_attrs_get(a, key), *other = anim_attrs_get(b, key);

	return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

int anim_components_gather(struct anim_store *components, size_t from, uint8_t *done,
			   struct anim_component_group *group, struct anim_arena *arena, anim_components_stray *stray,
			   void *context, struct anim_error *error)
{
	const struct anim_store_track *like = anim_store_track_at(components, 0, from);

	for (ptrdiff_t i = (ptrdiff_t)from; i >= 0;
	     i = anim_store_find(components, 0, (size_t)i + 1, like->node, like->property)) {
		const struct anim_store_track *t = anim_store_track_at(components, 0, (size_t)i);
		struct anim_track extra;

		if (done[i])
			continue;

		/* Copy a component track, so that it stays valid after the store's next call. */
		struct anim_track component;

		if (anim_store_read(components, 0, (size_t)i, &component, error) != 0)
			return -1;
		component.hint = NULL;
		if (anim_track_copy(&extra, &component, arena, error) != 0)
			return -1;

		/*
		 * In Unity, two components of an object may have properties with the same name. They are separate
		 * values.
		 */
		const struct anim_attrs *attrs = group->started ? &anim_components_first(group)->attrs : &extra.attrs;

		if (!has_same(attrs, &extra.attrs, "unity.class") || !has_same(attrs, &extra.attrs, "unity.script"))
			continue;

		done[i] = 1;
		if (t->component < ANIM_COMPONENTS_JOINED && t->type != ANIM_STRING && !group->there[t->component]) {
			group->tracks[t->component] = extra;
			group->there[t->component] = group->started = true;
			continue;
		}
		if (stray(context, &extra, error) != 0)
			return -1;
	}
	return 0;
}

int anim_components_join(struct anim_store *components,
			 int (*join)(void *context, size_t from, uint8_t *done, struct anim_error *), void *context,
			 struct anim_error *error)
{
	size_t n = anim_store_tracks(components, 0);
	uint8_t *done = calloc(n + 1, 1);
	int result = done == NULL ? anim_fail_memory(error) : 0;

	for (size_t i = 0; i < n && result == 0; i++)
		if (!done[i])
			result = join(context, i, done, error);
	free(done);
	return result;
}
