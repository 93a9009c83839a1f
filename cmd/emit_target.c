/* emit_target.c: the formats that anim-emit writes: their names, what they hold, their writers. */
#include "emit_target.h"

#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "filter/bind.h"
#include "filter/convert/convert.h"
#include "format/animj/animj.h"
#include "format/animx/animx.h"
#include "format/csv/csv.h"
#include "format/godot/emit.h"
#include "format/json/json.h"
#include "format/unity/unity.h"

/* The source's own names keep lanes, angles and units, too. */
static void keep_source_names(const struct emit_settings *settings, struct anim_caps *caps)
{
	if (!settings->source_names)
		return;
	caps->components = caps->euler = caps->angle = true;
	caps->flags |= ANIM_DEGREES | ANIM_PERCENT;
}

static bool animj_caps(const struct emit_settings *settings, struct anim_caps *caps)
{
	*caps = anim_animj_caps;
	keep_source_names(settings, caps);
	return true;
}

static struct anim_sink *animj_writer(const struct emit_settings *settings, struct anim_output *output,
				      struct anim_losses *losses, struct anim_error *error)
{
	const struct anim_animj_options options = {.pretty = settings->pretty,
						   .raw_as_curve = settings->raw_as_curve,
						   .keep_double = settings->keep_double,
						   .source_names = settings->source_names,
						   .axes_keep = settings->axes_keep,
						   .losses = losses};

	return anim_animj_writer_new(output, &options, error);
}

static bool animx_caps(const struct emit_settings *settings, struct anim_caps *caps)
{
	*caps = anim_animx_caps;
	keep_source_names(settings, caps);
	return true;
}

static struct anim_sink *animx_writer(const struct emit_settings *settings, struct anim_output *output,
				      struct anim_losses *losses, struct anim_error *error)
{
	const struct anim_animx_options options = {.encoding = (enum anim_animx_encoding)settings->encoding,
						   .key_order = (enum anim_animx_key_order)settings->key_order,
						   .tangent_order =
						       (enum anim_animx_tangent_order)settings->tangent_order,
						   .keep_double = settings->keep_double,
						   .source_names = settings->source_names,
						   .axes_keep = settings->axes_keep,
						   .store_memory = cli_store_memory(),
						   .losses = losses};

	return anim_animx_writer_new(output, &options, error);
}

static bool unity_caps(const struct emit_settings *settings, struct anim_caps *caps)
{
	(void)settings;
	*caps = anim_unity_caps;
	return true;
}

static struct anim_sink *unity_writer(const struct emit_settings *settings, struct anim_output *output,
				      struct anim_losses *losses, struct anim_error *error)
{
	const struct anim_unity_options options = {
	    .axes_keep = settings->axes_keep, .store_memory = cli_store_memory(), .losses = losses};

	return anim_unity_writer_new(output, &options, error);
}

static bool godot_caps(const struct emit_settings *settings, struct anim_caps *caps)
{
	*caps = settings->godot == ANIM_GODOT_3 ? anim_godot3_caps : anim_godot_caps;
	caps->bezier = (enum anim_bezier)settings->bezier;
	return true;
}

static struct anim_sink *godot_writer(const struct emit_settings *settings, bool scene, struct anim_output *output,
				      struct anim_losses *losses, struct anim_error *error)
{
	const struct anim_godot_options options = {.scene = scene,
						   .library = settings->library,
						   .version = (enum anim_godot_version)settings->godot,
						   .digits = settings->digits,
						   .keep_names = settings->keep_names,
						   .axes_keep = settings->axes_keep,
						   .store_memory = cli_store_memory(),
						   .losses = losses};

	return anim_godot_writer_new(output, &options, error);
}

static struct anim_sink *tres_writer(const struct emit_settings *settings, struct anim_output *output,
				     struct anim_losses *losses, struct anim_error *error)
{
	return godot_writer(settings, false, output, losses, error);
}

static struct anim_sink *tscn_writer(const struct emit_settings *settings, struct anim_output *output,
				     struct anim_losses *losses, struct anim_error *error)
{
	return godot_writer(settings, true, output, losses, error);
}

static bool no_caps(const struct emit_settings *settings, struct anim_caps *caps)
{
	(void)settings, (void)caps;
	return false;
}

static struct anim_sink *csv_writer(const struct emit_settings *settings, struct anim_output *output,
				    struct anim_losses *losses, struct anim_error *error)
{
	(void)settings;
	return anim_csv_writer_new(output, losses, error);
}

static struct anim_sink *json_writer(const struct emit_settings *settings, struct anim_output *output,
				     struct anim_losses *losses, struct anim_error *error)
{
	(void)settings;
	return anim_json_writer_new(output, losses, error);
}

static const struct emit_target targets[] = {
    {"animj", "animj", "anim-lint --for resonite", false, false, false, true, animj_caps, animj_writer},
    {"animx", "animx", "anim-lint --for resonite", false, false, true, true, animx_caps, animx_writer},
    {"unity", "anim", "anim-lint --for unity", false, true, false, false, unity_caps, unity_writer},
    {"tres", "tres", "anim-lint --for godot", true, false, false, false, godot_caps, tres_writer},
    {"tscn", "tscn", "anim-lint --for godot", true, false, false, false, godot_caps, tscn_writer},
    {"csv", "csv", NULL, true, false, false, false, no_caps, csv_writer},
    {"json", "json", NULL, true, false, false, false, no_caps, json_writer},
};

const struct emit_target *emit_target_find(const char *name)
{
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		if (strcasecmp(targets[i].name, name) == 0)
			return &targets[i];
	return NULL;
}

const struct emit_target *emit_target_of_file(const char *name)
{
	const char *dot = name == NULL ? NULL : strrchr(name, '.');

	for (size_t i = 0; dot != NULL && i < sizeof targets / sizeof *targets; i++)
		if (strcasecmp(targets[i].suffix, dot + 1) == 0)
			return &targets[i];
	return NULL;
}

struct anim_sink *emit_writer_new(const struct emit_target *target, const struct emit_settings *settings,
				  struct anim_output *output, struct anim_losses *losses, struct anim_error *error)
{
	return target->writer(settings, output, losses, error);
}

/* The source's own names bind to nothing: their order says nothing either. */
static bool has_order(const struct emit_target *target, const struct emit_settings *settings)
{
	return target->is_resonite && (!settings->source_names || settings->bindable);
}

struct anim_sink *emit_front_new(const struct emit_target *target, const struct emit_settings *settings,
				 struct anim_losses *losses, struct anim_sink *next, struct anim_error *error)
{
	struct anim_caps caps;

	if (next != NULL && has_order(target, settings))
		next = anim_bind_order_new(settings->bindable, cli_store_memory(), losses, next, error);
	if (next == NULL || !target->caps(settings, &caps))
		return next;
	next = anim_convert_new(&caps, settings->tol, losses->strict, losses, next, error);
	if (next != NULL)
		anim_convert_use_rests(next, settings->rests);
	return next;
}
