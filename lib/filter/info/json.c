/* json.c: anim-info --json: one document; clips as they come, trees and the rest behind them. */
#include <math.h>
#include <string.h>

#include "clip/print.h"
#include "filter/info/form.h"

/* JSON has no infinities and no NaN: null. */
static void number(struct anim_print *print, double value)
{
	if (isfinite(value))
		anim_print_double(print, value);
	else
		anim_print_text(print, "null");
}

/* A float as its own shortest decimal, which reads back as the same float. */
static void float_number(struct anim_print *print, float value)
{
	if (isfinite(value))
		anim_print_float(print, value);
	else
		anim_print_text(print, "null");
}

static void rate_member(struct anim_print *print, uint32_t num, uint32_t den)
{
	anim_print_member(print, "rate");
	if (num == 0) {
		anim_print_text(print, "null");
		return;
	}
	anim_print_text(print, "{\"num\":");
	anim_print_uint64(print, num);
	anim_print_count_member(print, "den", den);
	anim_print_text(print, "}");
}

static void floats_member(struct anim_print *print, const char *name, const float *numbers, int count, bool there)
{
	anim_print_member(print, name);
	for (int i = 0; there && i < count; i++) {
		anim_print_text(print, i == 0 ? "[" : ",");
		float_number(print, numbers[i]);
	}
	anim_print_text(print, there ? "]" : "null");
}

/* Where trees are collected. */
static struct anim_print tree_print(struct info *info, struct anim_error *error)
{
	struct anim_print print = {.error = error};

	print.failed = info->tree_out == NULL && anim_output_open_memory(&info->tree_out, error) != 0;
	print.out = info->tree_out;
	return print;
}

static int on_tree(struct info *info, const struct anim_tree *tree, struct anim_error *error)
{
	struct anim_print print = tree_print(info, error);

	if (info->in_tree)
		anim_print_text(&print, "\n]},");
	anim_print_text(&print, "\n{\"root\":");
	anim_print_json_text(&print, tree->root_name);
	anim_print_text_member(&print, "source", tree->source_file);
	anim_print_text_member(&print, "axes", anim_axes_names[tree->axes]);
	anim_print_text_member(&print, "axes2d", anim_axes2d_names[tree->axes2d]);
	anim_print_attrs_member(&print, &tree->attrs);
	anim_print_member(&print, "nodes");
	anim_print_text(&print, "[");
	info->in_tree = true;
	info->tree_nodes = 0;
	return print.failed ? -1 : 0;
}

static int on_node(struct info *info, const struct anim_node *node, struct anim_error *error)
{
	struct anim_print print = tree_print(info, error);

	anim_print_text(&print, info->tree_nodes > 0 ? ",\n{\"path\":" : "\n{\"path\":");
	anim_print_json_text(&print, node->path);
	anim_print_text_member(&print, "type", node->type);
	anim_print_text_member(&print, "kind", anim_node_kind_names[node->kind]);
	anim_print_member(&print, "parent");
	if (info->tree_nodes == 0)
		anim_print_text(&print, "null");
	else
		anim_print_uint64(&print, node->parent);
	floats_member(&print, "position", node->position, 3, (node->has & ANIM_HAS_POSITION) != 0);
	floats_member(&print, "rotation", node->rotation, 4, (node->has & ANIM_HAS_ROTATION) != 0);
	floats_member(&print, "scale", node->scale, 3, (node->has & ANIM_HAS_SCALE) != 0);
	anim_print_bool_member(&print, "two_dimensional", (node->has & ANIM_HAS_2D) != 0);
	anim_print_attrs_member(&print, &node->attrs);
	anim_print_text(&print, "}");
	info->tree_nodes++;
	return print.failed ? -1 : 0;
}

/* The document's beginning, or the end of the clip before. */
static void next_clip(struct info *info, bool more)
{
	if (info->in_clip) {
		anim_print_text(&info->print, info->clip_tracks > 0 ? "\n]" : "]");
		anim_print_count_member(&info->print, "keys", info->clip_keys);
		anim_print_count_member(&info->print, "bytes", info->clip_bytes);
		anim_print_count_member(&info->print, "humanoid", info->clip_humanoid);
		anim_print_text(&info->print, "}");
	} else {
		anim_print_text(&info->print, "{\"clips\":[");
	}
	anim_print_text(&info->print, more && info->in_clip ? "," : "");
	info->in_clip = true;
}

static int on_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_print *print = &info->print;

	(void)error;
	next_clip(info, true);
	anim_print_text(print, "\n{\"name\":");
	anim_print_json_text(print, clip->name);
	anim_print_text_member(print, "root", clip->root);
	anim_print_text_member(print, "source", clip->source);
	anim_print_member(print, "start");
	float_number(print, clip->start_s);
	anim_print_member(print, "end");
	float_number(print, clip->end_s);
	anim_print_bool_member(print, "end_derived", (clip->flags & ANIM_END_DERIVED) != 0);
	anim_print_text_member(print, "loop", anim_loop_names[clip->loop]);
	anim_print_text_member(print, "axes", anim_axes_names[clip->axes]);
	anim_print_text_member(print, "axes2d", anim_axes2d_names[clip->axes2d]);
	rate_member(print, clip->rate_num, clip->rate_den);
	anim_print_member(print, "tree");
	if ((clip->flags & ANIM_IN_TREE) != 0 && info->trees > 0)
		anim_print_uint64(print, info->trees - 1);
	else
		anim_print_text(print, "null");
	anim_print_attrs_member(print, &clip->attrs);
	anim_print_member(print, "tracks");
	anim_print_text(print, "[");
	return print->failed ? -1 : 0;
}

static void time_members(struct anim_print *print, const struct anim_track *track, const struct summary *summary)
{
	double nothing = (double)NAN;

	if (track->kind == ANIM_RAW) {
		anim_print_member(print, "start");
		number(print, track->start_s);
		anim_print_member(print, "step");
		number(print, track->step_s);
		rate_member(print, track->rate_num, track->rate_den);
	}
	anim_print_member(print, "first");
	number(print, summary->has_times ? summary->first_s : nothing);
	anim_print_member(print, "last");
	number(print, summary->has_times ? summary->last_s : nothing);
}

static void range_member(struct anim_print *print, const char *name, const double *lanes,
			 const struct anim_track *track, const struct summary *summary)
{
	bool floats = anim_types[track->type].scalar == ANIM_SCALAR_F32;

	anim_print_member(print, name);
	for (unsigned i = 0; summary->has_range && i < anim_types[track->type].lanes; i++) {
		anim_print_text(print, i == 0 ? "[" : ",");
		if (floats)
			float_number(print, (float)lanes[i]);
		else
			number(print, lanes[i]);
	}
	anim_print_text(print, summary->has_range ? "]" : "null");
}

static int on_track(struct info *info, const struct anim_track *track, const struct summary *summary,
		    struct anim_error *error)
{
	struct anim_print *print = &info->print;
	bool mixed = summary->interp == ANIM_INTERP_COLUMN;

	(void)error;
	anim_print_text(print, info->clip_tracks > 1 ? ",\n{" : "\n{");
	anim_print_track_members(print, track);
	anim_print_text_member(print, "interp", mixed ? "mixed" : anim_interp_names[summary->interp]);
	anim_print_text_member(print, "rules", anim_rules_names[track->rules]);
	anim_print_text_member(print, "before", anim_ends_names[track->before]);
	anim_print_text_member(print, "after", anim_ends_names[track->after]);
	anim_print_bits_member(print, "flags", track->flags, anim_track_flag_names, ANIM_TRACK_FLAG_COUNT);
	anim_print_bool_member(print, "eased", summary->eased);
	anim_print_count_member(print, "keys", track->n);
	time_members(print, track, summary);
	range_member(print, "min", summary->least, track, summary);
	range_member(print, "max", summary->most, track, summary);
	anim_print_count_member(print, "bytes", summary->bytes);
	anim_print_attrs_member(print, &track->attrs);
	anim_print_text(print, "}");
	return print->failed ? -1 : 0;
}

static void print_trees(struct info *info)
{
	const uint8_t *text = NULL;
	size_t size = 0;

	anim_print_member(&info->print, "trees");
	anim_print_text(&info->print, "[");
	if (info->tree_out != NULL)
		text = anim_output_memory(info->tree_out, &size);
	anim_print_bytes(&info->print, text, size);
	if (info->in_tree)
		anim_print_text(&info->print, info->tree_nodes > 0 ? "\n]}\n" : "]}\n");
	anim_print_text(&info->print, "]");
}

static void print_progs(struct info *info)
{
	const struct anim_prog *progs = (const struct anim_prog *)(const void *)info->progs.data;
	size_t count = info->progs.size / sizeof *progs;
	struct anim_print *print = &info->print;

	anim_print_member(print, "programs");
	anim_print_text(print, "[");
	for (size_t i = 0; i < count; i++) {
		anim_print_text(print, i > 0 ? ",\n{\"program\":" : "\n{\"program\":");
		anim_print_json_text(print, progs[i].program);
		anim_print_text_member(print, "version", progs[i].version);
		anim_print_attrs_member(print, &progs[i].attrs);
		anim_print_text(print, "}");
	}
	anim_print_text(print, count > 0 ? "\n]" : "]");
}

static void print_tags(struct info *info)
{
	anim_print_member(&info->print, "other_records");
	for (size_t i = 0; i < info->tag_count; i++) {
		anim_print_text(&info->print, i == 0 ? "{" : ",");
		anim_print_json_text(&info->print, info->tags[i].tag);
		anim_print_text(&info->print, ":");
		anim_print_uint64(&info->print, info->tags[i].count);
	}
	anim_print_text(&info->print, info->tag_count == 0 ? "{}" : "}");
}

static int on_end(struct info *info, struct anim_error *error)
{
	struct anim_print *print = &info->print;

	(void)error;
	next_clip(info, false);
	anim_print_text(print, info->clips > 0 ? "\n]" : "]");
	print_trees(info);
	print_progs(info);
	print_tags(info);
	anim_print_member(print, "totals");
	anim_print_text(print, "{\"clips\":");
	anim_print_uint64(print, info->clips);
	anim_print_count_member(print, "tracks", info->tracks);
	anim_print_count_member(print, "keys", info->keys);
	anim_print_count_member(print, "bytes", info->bytes);
	anim_print_count_member(print, "trees", info->trees);
	anim_print_count_member(print, "nodes", info->nodes);
	anim_print_count_member(print, "bones", info->bones);
	anim_print_count_member(print, "humanoid", info->humanoid);
	anim_print_text(print, "}}\n");
	return print->failed ? -1 : 0;
}

const struct info_form info_json = {on_tree, on_node, on_clip, on_track, on_end};
