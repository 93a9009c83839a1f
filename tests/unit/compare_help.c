/* compare_help.c: two sides built by hand, compared. */
#include "compare_help.h"

#include <string.h>

#include "axs.h"
#include "sample_help.h"
#include "tap.h"

void diff_begin(struct diff_bench *b)
{
	memset(b, 0, sizeof *b);
	b->options = (struct anim_compare_options){.names = {"a.axs", "b.axs"},
						   .rate_num = 60,
						   .rate_den = 1,
						   .ppu = ANIM_AXES_PPU,
						   .store_memory = 1 << 16,
						   .all_tracks = true,
						   .diagnostics = &b->diagnostics};
	for (int i = 0; i < 2; i++) {
		b->clips[i] = axs_clip();
		b->clips[i].axes = ANIM_AXES_RESONITE;
		b->clips[i].loop = ANIM_LOOP_NONE;
	}
}

static struct anim_sink *side(struct diff_bench *b, int number)
{
	if (b->compare == NULL)
		b->compare = anim_compare_new(&b->options, &b->error);
	return anim_compare_input(b->compare, number);
}

void diff_clip(struct diff_bench *b, int number)
{
	b->failed = b->failed || anim_sink_clip(side(b, number), &b->clips[number], &b->error) != 0;
	b->begun[number] = true;
}

void diff_track(struct diff_bench *b, int number, const struct anim_track *t)
{
	if (!b->begun[number])
		diff_clip(b, number);
	CHECKF(anim_track_validate(t, &b->error) == 0, "%s", b->error.message);
	b->failed = b->failed || anim_sink_track(side(b, number), t, &b->error) != 0;
}

void diff_tree(struct diff_bench *b, int number, const struct anim_node *nodes, size_t count)
{
	struct anim_tree head = axs_tree();

	head.axes = b->clips[number].axes;
	b->failed = b->failed || anim_sink_tree(side(b, number), &head, &b->error) != 0;
	for (size_t i = 0; i < count; i++)
		b->failed = b->failed || anim_sink_node(side(b, number), &nodes[i], &b->error) != 0;
	b->clips[number].flags |= ANIM_IN_TREE;
}

const char *diff_finish(struct diff_bench *b)
{
	struct anim_output *out = NULL;
	const uint8_t *bytes;
	size_t size;

	for (int i = 0; i < 2; i++)
		b->failed = b->failed || anim_sink_end(side(b, i), &b->error) != 0;
	CHECK(anim_output_open_memory(&out, &b->error) == 0);
	b->failed = b->failed || anim_compare_run(b->compare, out, &b->differ, &b->error) != 0;
	bytes = anim_output_memory(out, &size);
	memcpy(b->text, bytes, size < DIFF_TEXT_MAX ? size : DIFF_TEXT_MAX - 1);
	anim_output_free(out);
	anim_compare_free(b->compare);
	if (!b->kept)
		anim_diagnostics_clear(&b->diagnostics);
	return b->text;
}

void diff_check_tracks(struct diff_bench *b, const struct anim_track *one, const struct anim_track *other, bool differ,
		       const char *wanted)
{
	diff_track(b, 0, one);
	diff_track(b, 1, other);
	diff_finish(b);
	CHECKF(!b->failed, "%s", b->error.message);
	CHECKF(strcmp(b->text, wanted) == 0 && b->differ == differ, "differ %d:\n%s", b->differ, b->text);
}

const float diff_halves[3] = {0, 0.5f, 1};
const float diff_flat[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};

struct anim_track diff_curve(const char *property, enum anim_type type, const void *value)
{
	struct anim_track t = sample_curve(ANIM_RULES_RESONITE, ANIM_LINEAR, type, 3, diff_halves, value);

	t.node = "Hips";
	t.property = property;
	return t;
}

void diff_check_row(const struct diff_bench *b, const char *part)
{
	CHECKF(!b->failed && strstr(b->text, part) != NULL, "'%s' is not in\n%s%s", part, b->text, b->error.message);
}
