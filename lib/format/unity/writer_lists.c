/* writer_lists.c: the clip's lists of curves. */
#include <string.h>

#include "format/unity/writer_internal.h"
#include "math/elementary.h"

#define HOLD_INFINITY 2
#define ORDER_DEFAULT 4

/* m_PreInfinity and m_PostInfinity by the model's ends. */
static const int infinities[ANIM_ENDS_COUNT] = {
    [ANIM_ENDS_HOLD] = HOLD_INFINITY, [ANIM_ENDS_LOOP] = 1, [ANIM_ENDS_PINGPONG] = 0, [ANIM_ENDS_NONE] = HOLD_INFINITY};

static void print_line(struct anim_print *print, const char *name, int64_t number)
{
	anim_print_text(print, name);
	anim_print_int64(print, number);
	anim_print_text(print, "\n");
}

/* What values are multiplied with: Unity's angles are degrees, its blend shapes percent. */
static double scale_of(const struct anim_track *t)
{
	if ((strcmp(t->property, "euler") == 0 || strcmp(t->property, "angle") == 0) && !(t->flags & ANIM_DEGREES))
		return 180 / ANIM_PI;
	return strncmp(t->property, "blend_shape/", 12) == 0 && !(t->flags & ANIM_PERCENT) ? 100 : 1;
}

static int order_of(const struct anim_track *t, enum unity_list list)
{
	const char *order = anim_attrs_get(&t->attrs, "order");
	int number = list == UNITY_EULER_CURVES && order != NULL ? unity_order_number(order) : -1;

	return number < 0 ? ORDER_DEFAULT : number;
}

/* An AnimationCurve, six blanks in. */
static void print_curve(struct anim_print *print, const struct unity_curve *curve, enum unity_list list)
{
	const struct anim_track *t = curve->track;

	anim_print_text(print, "      serializedVersion: 2\n      m_Curve:");
	anim_print_text(print, t->n == 0 ? " []\n" : "\n");
	if (!print->failed)
		print->failed = unity_keys_print(print->out, curve, print->error) != 0;
	print_line(print, "      m_PreInfinity: ", infinities[t->before]);
	print_line(print, "      m_PostInfinity: ", infinities[t->after]);
	print_line(print, "      m_RotationOrder: ", order_of(t, list));
}

static void print_path(struct anim_print *print, const char *path)
{
	anim_print_text(print, "    path: ");
	unity_put_scalar(print, path);
	anim_print_text(print, "\n");
}

/* What stands behind the keys of a float or PPtr curve. `flags` are a later version's and only kept. */
static void print_binding(struct anim_print *print, const struct unity_binding *binding, const char *path,
			  bool has_flags)
{
	anim_print_text(print, "    attribute: ");
	unity_put_scalar(print, binding->attribute);
	anim_print_text(print, "\n");
	print_path(print, path);
	print_line(print, "    classID: ", binding->class_id);
	anim_print_text(print, "    script: ");
	unity_put_kept(print, binding->script);
	anim_print_text(print, "\n");
	if (has_flags)
		print_line(print, "    flags: ", binding->flags);
}

/* "- curve:", under which the version of an item with flags stands first. */
static void print_item(struct anim_print *print, bool has_flags)
{
	anim_print_text(print, has_flags ? "  - serializedVersion: 2\n    curve:" : "  - curve:");
}

/* So that all curves of one version are alike; in a file of an earlier one only those that had flags have them. */
static bool has_flags_of(const struct unity_writer *writer, const struct anim_track *t)
{
	return writer->all_flags || anim_attrs_get(&t->attrs, UNITY_ATTR_FLAGS) != NULL;
}

static int print_reference_curve(struct unity_writer *writer, struct anim_print *print, const struct anim_track *t,
				 const struct unity_plan *plan)
{
	bool has_flags = has_flags_of(writer, t);
	struct unity_binding binding;

	if (unity_name_write(t, ANIM_WHOLE, plan->class_hint, &binding, &writer->scratch, print->error) != 0)
		return -1;
	print_item(print, has_flags);
	anim_print_text(print, t->n == 0 ? " []\n" : "\n");
	unity_references_print(print, t);
	print_binding(print, &binding, plan->path, has_flags);
	return print->failed ? -1 : 0;
}

/* One lane of a float curve's track, or all that there is of it. */
static int print_float_curve(struct unity_writer *writer, struct anim_print *print, const struct anim_track *t,
			     const struct unity_plan *plan, unsigned lane)
{
	bool has_flags = has_flags_of(writer, t);
	struct unity_curve curve = {.track = t, .first = lane, .lanes = 1, .scale = scale_of(t)};
	uint8_t asked = anim_types[t->type].lanes == 1 ? ANIM_WHOLE : (uint8_t)lane;
	struct unity_binding binding;

	if (unity_name_write(t, asked, plan->class_hint, &binding, &writer->scratch, print->error) != 0)
		return -1;
	print_item(print, has_flags);
	anim_print_text(print, "\n");
	print_curve(print, &curve, UNITY_FLOAT_CURVES);
	print_binding(print, &binding, plan->path, has_flags);
	return print->failed ? -1 : 0;
}

static int print_track(struct unity_writer *writer, struct anim_print *print, const struct anim_track *t,
		       const struct unity_plan *plan)
{
	unsigned lanes = anim_types[t->type].lanes;

	anim_arena_reset(&writer->scratch);
	if (plan->list == UNITY_PPTR_CURVES)
		return print_reference_curve(writer, print, t, plan);
	if (plan->list != UNITY_FLOAT_CURVES) {
		bool about_z = plan->list == UNITY_EULER_CURVES && lanes == 1;
		struct unity_curve curve = {
		    .track = t, .lanes = about_z ? 3 : lanes, .scale = scale_of(t), .about_z = about_z};

		anim_print_text(print, "  - curve:\n");
		print_curve(print, &curve, plan->list);
		print_path(print, plan->path);
		return print->failed ? -1 : 0;
	}
	for (unsigned lane = 0; lane < lanes; lane++)
		if (print_float_curve(writer, print, t, plan, lane) != 0)
			return -1;
	return 0;
}

static int print_list(struct unity_writer *writer, struct anim_print *print, const char *name, enum unity_list list)
{
	const struct unity_plan *plans = (const void *)writer->plans.data;
	size_t count = writer->plans.size / sizeof *plans;
	bool some = false;

	anim_print_text(print, name);
	for (size_t i = 0; i < count && !print->failed; i++) {
		struct anim_track track;

		if (plans[i].list != list)
			continue;
		if (!some)
			anim_print_text(print, "\n");
		some = true;
		if (anim_store_read(writer->store, 0, i, &track, print->error) != 0)
			return -1;
		track.property = plans[i].property;
		if (print_track(writer, print, &track, &plans[i]) != 0)
			return -1;
	}
	if (!some)
		anim_print_text(print, " []\n");
	return print->failed ? -1 : 0;
}

int unity_lists_print(struct unity_writer *writer, struct anim_print *print)
{
	static const struct {
		const char *name;
		enum unity_list list;
	} lists[] = {{"  m_RotationCurves:", UNITY_ROTATION_CURVES}, {"  m_CompressedRotationCurves:", UNITY_NO_LIST},
		     {"  m_EulerCurves:", UNITY_EULER_CURVES},       {"  m_PositionCurves:", UNITY_POSITION_CURVES},
		     {"  m_ScaleCurves:", UNITY_SCALE_CURVES},       {"  m_FloatCurves:", UNITY_FLOAT_CURVES},
		     {"  m_PPtrCurves:", UNITY_PPTR_CURVES}};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (print_list(writer, print, lists[i].name, lists[i].list) != 0)
			return -1;
	return 0;
}
