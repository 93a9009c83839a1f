/* reach.c: anim-info --reach: how far joints carry what hangs on them, and how far they are from the root, while a clip plays. */
#include <math.h>
#include <string.h>

#include "clip/print.h"
#include "filter/info/internal.h"

/* --- What is measured --- */

static struct info_reach *reaches_of(const struct info *info, size_t *count)
{
	*count = info->reaches.size / sizeof(struct info_reach);
	return (struct info_reach *)(void *)info->reaches.data;
}

static double distance(const double a[ANIM_POSE_NUMBERS], const double b[ANIM_POSE_NUMBERS])
{
	double x = a[3] - b[3], y = a[7] - b[7], z = a[11] - b[11];

	return sqrt(x * x + y * y + z * z);
}

/* Every joint against all above it. */
static void measure(void *context, size_t sample, size_t in_tile)
{
	struct info *info = context;
	const struct anim_poses *poses = &info->posing.poses;
	size_t count;
	struct info_reach *reaches = reaches_of(info, &count);

	(void)sample;
	for (uint32_t node = 0; node < count; node++) {
		const double *at = anim_poses_at(poses, node, in_tile);
		uint32_t above = anim_poses_parent(poses, node);
		double away = 0;

		for (; above != ANIM_POSE_NONE; above = anim_poses_parent(poses, above)) {
			away = distance(at, anim_poses_at(poses, above, in_tile));
			if (away > reaches[above].reach) {
				reaches[above].reach = away;
				reaches[above].farthest = node;
			}
		}
		if (away > reaches[node].from_root)
			reaches[node].from_root = away;
	}
}

/* Those that move, or are moved along, stay, with their paths: the others say nothing of the clip. 0 or -1. */
static int name_nodes(struct info *info, struct anim_error *error)
{
	const struct anim_poses *poses = &info->posing.poses;
	size_t count, kept = 0;
	struct info_reach *reaches = reaches_of(info, &count);

	for (uint32_t node = 0; node < count; node++) {
		struct info_reach reach = reaches[node];
		const char *path = anim_poses_path(poses, node), *to = anim_poses_path(poses, reach.farthest);

		if (!anim_poses_moves(poses, node))
			continue;
		reach.node = anim_arena_text(&info->reach_texts, path, strlen(path), error);
		reach.to = anim_arena_text(&info->reach_texts, to, strlen(to), error);
		if (reach.node == NULL || reach.to == NULL)
			return -1;
		reaches[kept++] = reach;
	}
	info->reaches.size = kept * sizeof *reaches;
	return 0;
}

int info_reach_settle(struct info *info, struct anim_error *error)
{
	size_t size = anim_poses_count(&info->posing.poses) * sizeof(struct info_reach);
	void *reaches;

	if (!info->reaching)
		return 0;
	info->reaching = false;
	if (anim_rests_check(&info->posing.poses.rests, error) != 0)
		return -1;
	if (info->posing.samples == 0)
		return 0;
	if (info->posing.unsure)
		return anim_diagnostics_warn(
		    info->options.diagnostics, "clips have tracks that say where nodes stand in part alone", error,
		    "tracks of '%s' say where nodes stand in part alone: put 'anim-bake' before this",
		    info->posed.name);
	reaches = anim_buffer_extend(&info->reaches, size, error);
	if (reaches == NULL)
		return -1;
	memset(reaches, 0, size);
	info->placed = true;
	if (anim_poses_ready(&info->posing.poses, error) != 0 ||
	    anim_poses_each(&info->posing.poses, measure, info, error) != 0)
		return -1;
	return name_nodes(info, error);
}

int info_reach_begin(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	info->reaches.size = 0;
	info->reaching = true;
	info->placed = false;
	anim_arena_reset(&info->reach_texts);
	anim_arena_reset(&info->posed_texts);
	anim_posing_begin(&info->posing, clip);
	return anim_clip_copy(&info->posed, clip, &info->posed_texts, error);
}

int info_reach_track(struct info *info, const struct anim_track *track, struct anim_error *error)
{
	uint32_t node = anim_posing_node(&info->posing, &info->posed, track);

	return node == ANIM_POSE_NONE ? 0 : anim_posing_track(&info->posing, &info->posed, track, node, error);
}

/* --- As rows --- */

enum { NODE, FROM_ROOT, REACH, FARTHEST, COLUMNS };

/* The cells of a node, in the scratch arena. 0 or -1. */
static int fill_row(struct info *info, const struct info_reach *reach, const char *cells[COLUMNS],
		    struct anim_error *error)
{
	bool carries = reach->reach > 0;
	char text[TEXT_NUMBER_MAX];

	text_of_number(text, reach->reach, "");
	cells[NODE] = anim_safe_copy(&info->scratch, reach->node, error);
	cells[REACH] = carries ? anim_arena_text(&info->scratch, text, strlen(text), error) : "";
	cells[FARTHEST] = carries ? anim_safe_copy(&info->scratch, reach->to, error) : "";
	text_of_number(text, reach->from_root, "");
	cells[FROM_ROOT] = anim_arena_text(&info->scratch, text, strlen(text), error);
	for (int i = 0; i < COLUMNS; i++)
		if (cells[i] == NULL)
			return -1;
	return 0;
}

static void print_row(struct anim_print *print, const char *const cells[COLUMNS], const size_t widths[COLUMNS])
{
	int last = cells[REACH][0] == '\0' ? FROM_ROOT : FARTHEST;

	for (int i = 0; i <= last; i++) {
		anim_print_text(print, "  ");
		text_print_cell(print, cells[i], i == FARTHEST ? 0 : widths[i], i == REACH || i == FROM_ROOT);
	}
	anim_print_text(print, "\n");
}

/* The rows of the clip that is over. 0 or -1. */
static int flush(struct info *info, struct anim_error *error)
{
	static const char *const head[COLUMNS] = {"node", "from root", "reach", "to"};
	size_t count, widths[COLUMNS] = {0};
	const struct info_reach *reaches = reaches_of(info, &count);
	const char *(*rows)[COLUMNS];

	info->rows.size = 0;
	if (info->in_clip && !info->placed)
		anim_print_text(&info->print, "  where its nodes stand is not known\n");
	rows = anim_buffer_extend(&info->rows, (count + 1) * sizeof *rows, error);
	if (rows == NULL)
		return -1;
	memcpy(rows[0], head, sizeof head);
	for (size_t i = 0; i < count; i++)
		if (fill_row(info, &reaches[i], rows[i + 1], error) != 0)
			return -1;
	for (size_t i = 0; i <= count && count > 0; i++)
		text_widen(widths, rows[i], COLUMNS);
	for (size_t i = 0; i <= count && count > 0; i++)
		print_row(&info->print, rows[i], widths);
	info->rows.size = 0;
	anim_arena_reset(&info->scratch);
	return info->print.failed ? -1 : 0;
}

static int reach_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	if (flush(info, error) != 0)
		return -1;
	info->in_clip = true;
	if (info->clips > 1)
		anim_print_text(&info->print, "\n");
	if (info_print_clip(info, clip, error) != 0)
		return -1;
	anim_print_text(&info->print, "\n");
	return info->print.failed ? -1 : 0;
}

const struct info_form info_reach_form = {.clip = reach_clip, .end = flush};

/* --- In the document --- */

void info_reach_member(struct info *info)
{
	struct anim_print *print = &info->print;
	size_t count;
	const struct info_reach *reaches = reaches_of(info, &count);

	anim_print_member(print, "reach");
	anim_print_text(print, info->placed ? "[" : "null");
	for (size_t i = 0; i < count; i++) {
		anim_print_text(print, i > 0 ? ",\n{\"node\":" : "\n{\"node\":");
		anim_print_json_text(print, reaches[i].node);
		anim_print_number_member(print, "from_root", reaches[i].from_root, false);
		anim_print_number_member(print, "reach", reaches[i].reach, false);
		anim_print_text_member(print, "farthest", reaches[i].reach > 0 ? reaches[i].to : NULL);
		anim_print_text(print, "}");
	}
	anim_print_text(print, info->placed ? "]" : "");
}
