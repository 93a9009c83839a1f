/* info.c: the sink of anim-info: counts, and hands each record to the form that shows it. */
#include "filter/info/info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "filter/info/form.h"

char *info_safe(struct info *info, const char *text, struct anim_error *error)
{
	size_t length = strlen(text), capacity = 4 * length + 1; /* \xNN for each byte at worst */
	char *safe = anim_arena_alloc(&info->scratch, capacity, error);

	if (safe != NULL)
		anim_text_safe(safe, capacity, text, length);
	return safe;
}

size_t info_number(char *out, double value)
{
	double rounded = rint(value * 1e4) / 1e4;
	size_t length;

	if (fabs(value) < 1e9 && (rounded != 0 || value == 0))
		length = anim_number_print_double(out, rounded == 0 ? 0 : rounded);
	else if (isfinite((float)value))
		length = anim_number_print_float(out, (float)value);
	else
		length = anim_number_print_double(out, value);
	out[length] = '\0';
	return length;
}

void info_count(struct anim_print *print, uint64_t count, const char *one, const char *many)
{
	anim_print_uint64(print, count);
	anim_print_text(print, " ");
	anim_print_text(print, count == 1 ? one : many);
}

static struct info *info_of(struct anim_sink *sink, struct anim_error *error)
{
	struct info *info = (struct info *)sink;

	info->print.error = error;
	return info;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct info *info = info_of(sink, error);

	info->trees++;
	info->tree_file = anim_arena_text(&info->kept, tree->source_file, strlen(tree->source_file), error);
	if (info->tree_file == NULL)
		return -1;
	return info->form->tree == NULL ? 0 : info->form->tree(info, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct info *info = info_of(sink, error);

	info->nodes++;
	info->bones += node->kind == ANIM_NODE_BONE;
	return info->form->node == NULL ? 0 : info->form->node(info, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct info *info = info_of(sink, error);

	info->clips++;
	if (info->form->clip(info, clip, error) != 0)
		return -1;
	info->clip_tracks = info->clip_keys = info->clip_bytes = info->clip_humanoid = 0;
	return 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct info *info = info_of(sink, error);
	struct summary summary;

	summary_of(track, &summary);
	info->tracks++;
	info->keys += track->n;
	info->bytes += summary.bytes;
	info->clip_tracks++;
	info->clip_keys += track->n;
	info->clip_bytes += summary.bytes;
	if (anim_attrs_get(&track->attrs, "unity.humanoid") != NULL) {
		info->humanoid++;
		info->clip_humanoid++;
	}
	return info->form->track(info, track, &summary, error);
}

static int keep_prog(struct info *info, const struct anim_record *record, struct anim_error *error)
{
	struct anim_prog *prog = anim_buffer_extend(&info->progs, sizeof *prog, error);

	return prog == NULL ? -1 : anim_record_prog(record, prog, &info->kept, error);
}

/* The entry of a tag; the last one takes all that have none. */
static struct info_tag *tag_of(struct info *info, const char *tag)
{
	size_t i = 0;

	while (i < info->tag_count && strcmp(info->tags[i].tag, tag) != 0)
		i++;
	if (i >= INFO_TAGS - 1) {
		i = INFO_TAGS - 1;
		tag = "...";
	}
	if (i >= info->tag_count) {
		memcpy(info->tags[i].tag, tag, strlen(tag) + 1);
		info->tag_count = i + 1;
	}
	return &info->tags[i];
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct info *info = info_of(sink, error);

	if (strcmp(record->tag, "prog") == 0)
		return keep_prog(info, record, error);
	tag_of(info, record->tag)->count++;
	return 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct info *info = info_of(sink, error);

	if (anim_losses_check(info->options.losses, error) != 0)
		return -1;
	return info->form->end(info, error);
}

static void free_info(struct anim_sink *sink)
{
	struct info *info = (struct info *)sink;

	anim_output_free(info->tree_out);
	anim_buffer_clear(&info->progs);
	anim_buffer_clear(&info->rows);
	anim_arena_clear(&info->kept);
	anim_arena_clear(&info->scratch);
	free(info);
}

struct anim_sink *anim_info_new(struct anim_output *out, const struct anim_info_options *options,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, free_info};
	static const struct info_form *const forms[] = {[ANIM_INFO_TABLE] = &info_table,
							[ANIM_INFO_CLIPS] = &info_clips,
							[ANIM_INFO_TREE] = &info_tree,
							[ANIM_INFO_JSON] = &info_json,
							[ANIM_INFO_CSV] = &info_csv};
	struct info *info = calloc(1, sizeof *info);

	if (info == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	info->sink.ops = &ops;
	info->options = *options;
	info->out = info->print.out = out;
	info->form = forms[options->form];
	return &info->sink;
}
