/* table.c: rows for people: tracks aligned within their clip, nodes as a tree, the index of an archive. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "filter/info/forms.h"
#include "math/quaternion.h"

/* ---- Numbers and counts for people ---- */

/*
 * Print a number for people: with at most 4 decimals, but small numbers with all digits. `out` has ANIM_NUMBER_MAX
 * bytes. It ends with NUL. Returns its length.
 */
static size_t number_text(char *out, double value)
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

/* Print "<count> <one>" if the count is 1, otherwise "<count> <many>". */
static void print_count(struct anim_print *print, uint64_t count, const char *one, const char *many)
{
	anim_print_uint64(print, count);
	anim_print_texts(print, " ", count == 1 ? one : many);
}

/* --- anim-info --tree: the nodes, indented, with types and rest poses --- */

#define NONE 0xFFFFFFFFu
#define DEEPEST 64u /* largest number of indentation steps that are shown */

/* A node of the current tree. Numbers are node numbers of the stream. */
struct tree_row {
	uint32_t parent, first_child, last_child, next;
	uint8_t kind, has;
	float position[3], rotation[4], scale[3];
	const char *name, *type; /* safe to print */
};

static struct tree_row *rows_of(const struct info *info)
{
	return (struct tree_row *)(void *)info->rows.data;
}

/*
 * Return the last part of the path. For a bone of a Godot skeleton this is the part after ':'. The skeleton is the node
 * above all of its bones, and names of other bones may contain a ':'.
 */
static const char *shown_name(const struct info *info, const struct anim_node *node)
{
	const struct tree_row *rows = rows_of(info);
	const char *slash = strrchr(node->path, '/'),
		   *name = slash != NULL && slash[1] != '\0' ? slash + 1 : node->path;
	const char *colon = strchr(name, ':');
	uint32_t above = node->parent;

	if (colon == NULL || above == ANIM_NO_PARENT)
		return name;
	while (rows[above].parent != NONE && rows[above].kind == ANIM_NODE_BONE)
		above = rows[above].parent;
	return strlen(rows[above].name) == (size_t)(colon - name) &&
		       strncmp(rows[above].name, name, (size_t)(colon - name)) == 0
		   ? colon + 1
		   : name;
}

static void print_numbers(struct anim_print *print, const char *name, const float *numbers, int count)
{
	anim_print_text(print, name);
	for (int i = 0; i < count; i++) {
		char text[ANIM_NUMBER_MAX + 1];

		number_text(text, (double)numbers[i]);
		anim_print_texts(print, i == 0 ? " (" : ", ", text);
	}
	anim_print_text(print, ")");
}

/* Print the tree depth first. In the stream, nodes may be anywhere after their parents. */
static void flush(struct info *info)
{
	const struct tree_row *rows = rows_of(info);
	size_t count = info->rows.size / sizeof *rows, depth = 0;
	uint32_t at = count > 0 ? 0 : NONE;

	while (at != NONE && !info->print.failed) {
		const struct tree_row *row = &rows[at];
		struct anim_print *print = &info->print;

		anim_print_spaces(print, 2 * (depth < DEEPEST ? depth : DEEPEST) + 2);
		anim_print_texts(print, row->name, row->kind == ANIM_NODE && *row->type == '\0' ? "" : " ",
				 row->kind == ANIM_NODE ? "" : anim_node_kind_names[row->kind],
				 row->kind == ANIM_NODE || *row->type == '\0' ? "" : " ", row->type);
		if ((row->has & ANIM_HAS_POSITION) != 0)
			print_numbers(print, " position", row->position, (row->has & ANIM_HAS_2D) != 0 ? 2 : 3);
		if ((row->has & ANIM_HAS_ROTATION) != 0)
			print_numbers(print, " rotation", row->rotation, 4);
		if ((row->has & ANIM_HAS_SCALE) != 0)
			print_numbers(print, " scale", row->scale, (row->has & ANIM_HAS_2D) != 0 ? 2 : 3);
		anim_print_text(print, "\n");

		if (rows[at].first_child != NONE) {
			at = rows[at].first_child;
			depth++;
			continue;
		}
		while (at != NONE && rows[at].next == NONE) {
			at = rows[at].parent;
			depth--;
		}
		at = at == NONE ? NONE : rows[at].next;
	}
	info->rows.size = 0;
	anim_arena_reset(&info->scratch);
}

static int tree_tree(struct info *info, const struct anim_tree *tree, struct anim_error *error)
{
	char *name, *file;

	flush(info);
	if (info->trees > 1)
		anim_print_text(&info->print, "\n");
	if ((name = anim_safe_copy(&info->scratch, tree->root_name, error)) == NULL ||
	    (file = anim_safe_copy(&info->scratch, tree->source_file, error)) == NULL)
		return -1;
	anim_print_texts(&info->print, "tree of ", *name == '\0' ? "(no name)" : name, *file == '\0' ? "" : ", from ",
			 file);
	if (tree->axes != ANIM_AXES_UNKNOWN)
		anim_print_texts(&info->print, ", ", anim_axes_names[tree->axes], " axes");
	anim_print_text(&info->print, "\n");
	return info->print.failed ? -1 : 0;
}

static int tree_node(struct info *info, const struct anim_node *node, struct anim_error *error)
{
	uint32_t number = (uint32_t)(info->rows.size / sizeof(struct tree_row));
	struct tree_row *row = anim_buffer_extend(&info->rows, sizeof *row, error);

	if (row == NULL)
		return -1;
	if (number > 0 && node->parent >= number)
		return anim_fail(error, ANIM_BAD_INPUT, "node '%s' comes before its parent", node->path);
	*row = (struct tree_row){.parent = number > 0 ? node->parent : NONE,
				 .first_child = NONE,
				 .last_child = NONE,
				 .next = NONE,
				 .kind = node->kind,
				 .has = node->has};
	memcpy(row->position, node->position, sizeof row->position);
	memcpy(row->rotation, node->rotation, sizeof row->rotation);
	memcpy(row->scale, node->scale, sizeof row->scale);
	row->name = anim_safe_copy(&info->scratch, shown_name(info, node), error);
	row->type = anim_safe_copy(&info->scratch, node->type, error);
	if (row->name == NULL || row->type == NULL)
		return -1;

	struct tree_row *rows = rows_of(info);
	uint32_t parent = rows[number].parent;

	if (parent != NONE) {
		if (rows[parent].first_child == NONE)
			rows[parent].first_child = number;
		else
			rows[rows[parent].last_child].next = number;
		rows[parent].last_child = number;
	}

	return 0;
}

static int tree_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	(void)clip;
	(void)error;
	flush(info);
	return info->print.failed ? -1 : 0;
}

static int tree_end(struct info *info, struct anim_error *error)
{
	(void)error;
	flush(info);
	if (info->trees == 0)
		anim_print_text(&info->print, "no node tree\n");
	return info->print.failed ? -1 : 0;
}

const struct info_form info_tree = {tree_tree, tree_node, tree_clip, NULL, tree_end};

/* --- The table of anim-info: one row per track, columns aligned within a clip --- */

enum column { NODE, PROPERTY, TYPE, KIND, KEYS, TIME, VALUES, NOTES, COLUMNS };

#define TEXT_SHOWN 28 /* bytes of a string that are shown */
#define CELL_MAX 160

struct table_row {
	const char *cells[COLUMNS];
	bool disabled;
};

static const struct table_row heading = {{"node", "property", "type", "kind", "keys", "time", "values", "notes"},
					 false};

/* A cell that is built from pieces. Text that does not fit is cut. */
struct table_cell {
	char text[CELL_MAX];
	size_t length;
};

static void add(struct table_cell *cell, const char *text)
{
	size_t length = strlen(text), room = sizeof cell->text - 1 - cell->length;

	length = length < room ? length : room;
	memcpy(cell->text + cell->length, text, length);
	cell->length += length;
	cell->text[cell->length] = '\0';
}

static void add_number(struct table_cell *cell, double value)
{
	char text[ANIM_NUMBER_MAX + 1];

	number_text(text, value);
	add(cell, text);
}

static void add_range(struct table_cell *cell, double from, double to)
{
	add_number(cell, from);
	if (to == from)
		return;
	add(cell, " .. ");
	add_number(cell, to);
}

/* Add the range over all components, but not for quaternions, for which it has no meaning. */
static void values_cell(struct table_cell *cell, const struct anim_track *track, const struct summary *summary)
{
	const struct anim_type_info *info = &anim_types[track->type];
	double least = summary->least[0], most = summary->most[0];

	if (track->type == ANIM_STRING) {
		/* Add the beginning of the first string that is not null. */
		const struct anim_strings *strings = track->strings;
		size_t k = 0;

		while (k < track->n && strings->length[k] == ANIM_NULL_STRING)
			k++;
		if (k < track->n) {
			const char *text = strings->bytes + strings->start[k];
			size_t length = strings->length[k], shown = length;
			char safe[CELL_MAX];

			if (length > TEXT_SHOWN)
				shown = anim_utf8_prefix(text, TEXT_SHOWN);
			anim_text_safe(safe, sizeof safe, text, shown);
			add(cell, safe);
			add(cell, shown < length ? "..." : "");
		}
	}
	if (!summary->has_range || info->quaternion)
		return;
	for (unsigned i = 1; i < info->components; i++) {
		least = summary->least[i] < least ? summary->least[i] : least;
		most = summary->most[i] > most ? summary->most[i] : most;
	}
	add_range(cell, least, most);
}

/* Add a note after the others. */
static void add_note(struct table_cell *cell, const char *before, const char *text)
{
	add(cell, cell->length > 0 ? ", " : "");
	add(cell, before);
	add(cell, text);
}

static void notes_cell(struct table_cell *cell, const struct anim_track *track, const struct summary *summary)
{
	const char *order, *class, *humanoid;

	const struct {
		bool holds;
		const char *text;
	} notes[] = {
	    {(track->flags & ANIM_DISABLED) != 0, "disabled"},
	    {(track->flags & ANIM_UNSORTED) != 0, "out of order"},
	    {(track->flags & ANIM_REST_RELATIVE) != 0, "relative to rest"},
	    {(track->flags & ANIM_DEGREES) != 0, "degrees"},
	    {(track->flags & ANIM_PERCENT) != 0, "percent"},
	    {summary->eased, "eased"},
	    {track->pre != ANIM_EXTRAPOLATION_HOLD || track->post != ANIM_EXTRAPOLATION_HOLD, "repeats"},
	};

	for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
		if (notes[i].holds)
			add_note(cell, notes[i].text, "");
	}
	/* Attributes that are important to people. Their texts are shown only if they are valid. */
	order = anim_attrs_get(&track->attrs, "order");
	class = anim_attrs_get(&track->attrs, "unity.class");
	humanoid = anim_attrs_get(&track->attrs, "unity.humanoid");
	if (anim_euler_order_find(order) >= 0 && strcmp(order, "YXZ") != 0)
		add_note(cell, "order ", order);
	if (humanoid != NULL)
		add_note(cell, "humanoid", "");
	else if (class != NULL && *class != '\0' && class[strspn(class, "0123456789")] == '\0')
		add_note(cell, "class ", class);
}

/* "position.x" */
static char *safe_property(struct anim_arena *arena, const char *property, uint8_t component, struct anim_error *error)
{
	char *label = anim_label_copy(arena, "", property, component, error);

	return label == NULL ? NULL : anim_safe_copy(arena, label, error);
}

static int table_track(struct info *info, const struct anim_track *track, const struct summary *summary,
		       struct anim_error *error)
{
	struct table_row *row = anim_buffer_extend(&info->rows, sizeof *row, error);
	struct table_cell cells[COLUMNS] = {{.length = 0}};
	char keys[ANIM_NUMBER_MAX + 1];

	if (row == NULL)
		return -1;
	*row = (struct table_row){.disabled = (track->flags & ANIM_DISABLED) != 0};

	struct table_cell *cell = &cells[KIND];

	add(cell, anim_kind_names[track->kind]);
	if (track->kind == ANIM_RAW) {
		if (track->rate_num != 0) {
			add(cell, " ");
			add_number(cell, (double)track->rate_num / (double)track->rate_den);
			add(cell, "/s");
		} else if (track->step_s != 0) {
			add(cell, " every ");
			add_number(cell, track->step_s);
			add(cell, " s");
		} else {
			add(cell, ", interval unknown");
		}
	}
	if (track->kind == ANIM_RAW && track->interp == ANIM_HOLD)
		add(cell, ", held");
	if (track->kind == ANIM_CURVE) {
		add(cell, " ");
		add(cell, summary->interp == ANIM_INTERP_COLUMN ? "mixed" : anim_interp_names[summary->interp]);
	}

	keys[anim_number_print_uint64(keys, track->n)] = '\0';
	add(&cells[KEYS], keys);
	if (summary->has_times)
		add_range(&cells[TIME], summary->first_s, summary->last_s);
	values_cell(&cells[VALUES], track, summary);
	notes_cell(&cells[NOTES], track, summary);
	row->cells[NODE] = anim_safe_copy(&info->scratch, track->node, error);
	row->cells[PROPERTY] = safe_property(&info->scratch, track->property, track->component, error);
	row->cells[TYPE] = anim_types[track->type].name;
	for (int i = KIND; i < COLUMNS; i++)
		row->cells[i] = anim_arena_text(&info->scratch, cells[i].text, cells[i].length, error);
	for (int i = 0; i < COLUMNS; i++)
		if (row->cells[i] == NULL)
			return -1;
	return 0;
}

static void table_print_row(struct info *info, const struct table_row *row, const size_t widths[COLUMNS],
			    const char *style)
{
	struct anim_print *print = &info->print;

	/* The last cell that is not empty. No padding is printed after it. */
	int last = COLUMNS - 1;

	while (last > 0 && row->cells[last][0] == '\0')
		last--;

	bool styled = info->options.color && style != NULL;

	anim_print_text(print, styled ? style : "");
	for (int i = 0; i <= last; i++) {
		anim_print_text(print, "  ");
		text_print_cell(print, row->cells[i], i == last && i != KEYS ? 0 : widths[i], i == KEYS);
	}
	anim_print_text(print, styled ? "\033[0m\n" : "\n");
}

static void print_counts(struct anim_print *print, uint64_t tracks, uint64_t keys, uint64_t bytes)
{
	print_count(print, tracks, "track", "tracks");
	anim_print_text(print, ", ");
	print_count(print, keys, "key", "keys");
	anim_print_text(print, ", ");
	print_count(print, bytes, "byte", "bytes");
}

/* Print the rows of the last clip, and its totals if there are several clips. */
static void table_flush(struct info *info)
{
	const struct table_row *rows = (const struct table_row *)(const void *)info->rows.data;
	size_t count = info->rows.size / sizeof *rows, widths[COLUMNS] = {0};
	struct table_row top = heading;

	if (count > 0) {
		for (size_t i = 0; i < count; i++)
			text_widen(widths, rows[i].cells, COLUMNS);
		if (widths[NOTES] == 0)
			top.cells[NOTES] = "";
		text_widen(widths, top.cells, COLUMNS);
		table_print_row(info, &top, widths, "\033[1m");
		for (size_t i = 0; i < count; i++)
			table_print_row(info, &rows[i], widths, rows[i].disabled ? "\033[2m" : NULL);
	}
	if (info->clips > 1 && info->clip_tracks > 0) {
		anim_print_text(&info->print, "  ");
		print_counts(&info->print, info->clip_tracks, info->clip_keys, info->clip_bytes);
		anim_print_text(&info->print, "\n");
	}
	if (info->clip_humanoid > 0) {
		anim_print_text(&info->print, "  ");
		print_count(&info->print, info->clip_humanoid, "humanoid curve, which needs",
			    "humanoid curves, which need");
		anim_print_text(&info->print, " the avatar\n");
	}
	info->rows.size = 0;
	anim_arena_reset(&info->scratch);
}

/* Print ", <before><text><after>" if there is a text. */
static int print_item(struct info *info, const char *before, const char *text, const char *after,
		      struct anim_error *error)
{
	char *safe;

	if (text == NULL || *text == '\0')
		return 0;
	if ((safe = anim_safe_copy(&info->scratch, text, error)) == NULL)
		return -1;
	anim_print_texts(&info->print, ", ", before, safe, after);
	return 0;
}

int info_print_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_print *print = &info->print;
	const char *encoding = info->options.encoding != NULL ? *info->options.encoding : NULL;
	const char *file =
	    info->options.files ? anim_clip_file(clip, info->tree_file) : anim_attrs_get(&clip->attrs, "file");
	char *name;

	if ((name = anim_safe_copy(&info->scratch, clip->name, error)) == NULL)
		return -1;
	anim_print_texts(print, info->options.color ? "\033[1m" : "", *name == '\0' ? "(no name)" : name,
			 info->options.color ? "\033[0m: " : ": ");

	struct table_cell cell = {.length = 0};

	add_number(&cell, (double)clip->end_s - (double)clip->start_s);
	add(&cell, " s");
	if (clip->start_s != 0) {
		add(&cell, " (");
		add_range(&cell, (double)clip->start_s, (double)clip->end_s);
		add(&cell, ")");
	}
	if (clip->loop != ANIM_LOOP_NONE)
		add(&cell, clip->loop == ANIM_LOOP_WRAP ? ", loop" : ", ping-pong");
	if (clip->rate_num != 0) {
		add(&cell, ", ");
		add_number(&cell, (double)clip->rate_num / (double)clip->rate_den);
		add(&cell, "/s");
	}
	anim_print_text(&info->print, cell.text);

	if (print_item(info, "from ", clip->source, "", error) != 0)
		return -1;
	if (encoding != NULL && strcmp(encoding, "plain") != 0 && print_item(info, "", encoding, "", error) != 0)
		return -1;
	if (clip->axes != ANIM_AXES_UNKNOWN && print_item(info, "", anim_axes_names[clip->axes], " axes", error) != 0)
		return -1;
	if (print_item(info, "player ", anim_attrs_get(&clip->attrs, "player"), "", error) != 0 ||
	    print_item(info, "file ", file, "", error) != 0)
		return -1;
	return print->failed ? -1 : 0;
}

int info_print_heading(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	if (info->clips > 1)
		anim_print_text(&info->print, "\n");
	if (info_print_clip(info, clip, error) != 0)
		return -1;
	anim_print_text(&info->print, "\n");
	return info->print.failed ? -1 : 0;
}

static int table_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	table_flush(info);
	return info_print_heading(info, clip, error);
}

static int print_sums(struct info *info, struct anim_error *error)
{
	const struct anim_prog *progs;
	size_t count;

	if (info->clips > 0)
		anim_print_text(&info->print, "\n");

	struct anim_print *print = &info->print;

	print_count(print, info->clips, "clip", "clips");
	anim_print_text(print, ", ");
	print_counts(print, info->tracks, info->keys, info->bytes);
	if (info->nodes > 0) {
		anim_print_text(print, ", ");
		print_count(print, info->nodes, "node", "nodes");
	}
	if (info->bones > 0) {
		anim_print_text(print, ", ");
		print_count(print, info->bones, "bone", "bones");
	}
	if (info->humanoid > 0) {
		anim_print_text(print, ", ");
		print_count(print, info->humanoid, "humanoid curve", "humanoid curves");
	}
	anim_print_text(print, "\n");

	progs = (const struct anim_prog *)(const void *)info->progs.data;
	count = info->progs.size / sizeof *progs;
	for (size_t i = 0; i < count; i++) {
		char *program = anim_safe_copy(&info->scratch, progs[i].program, error), *version;

		if (program == NULL || (version = anim_safe_copy(&info->scratch, progs[i].version, error)) == NULL)
			return -1;
		anim_print_texts(&info->print, i == 0 ? "made by " : ", ", program, " ", version);
	}
	anim_print_text(&info->print, count > 0 ? "\n" : "");
	for (size_t i = 0; i < info->tag_count; i++) {
		anim_print_text(&info->print, i == 0 ? "other records: " : ", ");
		anim_print_uint64(&info->print, info->tags[i].count);
		anim_print_texts(&info->print, " ", info->tags[i].tag);
	}
	anim_print_text(&info->print, info->tag_count > 0 ? "\n" : "");
	return info->print.failed ? -1 : 0;
}

static int table_end(struct info *info, struct anim_error *error)
{
	table_flush(info);
	return print_sums(info, error);
}

const struct info_form info_table = {.clip = table_clip, .track = table_track, .end = table_end};

/* Print the counts of the last clip at the end of its line. */
static void end_line(struct info *info)
{
	anim_print_text(&info->print, ", ");
	print_counts(&info->print, info->clip_tracks, info->clip_keys, info->clip_bytes);
	anim_print_text(&info->print, "\n");
	anim_arena_reset(&info->scratch);
}

static int line_of_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	if (info->clips > 1)
		end_line(info);
	return info_print_clip(info, clip, error);
}

static int count_track(struct info *info, const struct anim_track *track, const struct summary *summary,
		       struct anim_error *error)
{
	(void)info, (void)track, (void)summary, (void)error; /* the sink counts */
	return 0;
}

static int end_of_lines(struct info *info, struct anim_error *error)
{
	if (info->clips > 0)
		end_line(info);
	return print_sums(info, error);
}

const struct info_form info_clips = {.clip = line_of_clip, .track = count_track, .end = end_of_lines};

/* --- The index of an archive --- */

enum list_column { LIST_NODE, LIST_PROPERTY, LIST_TYPE, LIST_KIND, LIST_KEYS, LIST_COLUMNS };

struct list {
	struct anim_print print;
	struct anim_arena arena; /* texts of the current row */
	size_t widths[LIST_COLUMNS];
};

/* Set the cells of a track's line. They are valid until the arena is reset. Returns 0, or -1 if out of memory. */
static int fill_cells(struct list *list, const struct anim_archive_track *track, const char *cells[LIST_COLUMNS],
		      struct anim_error *error)
{
	anim_arena_reset(&list->arena);
	cells[LIST_NODE] = anim_safe_copy(&list->arena, track->node, error);
	cells[LIST_PROPERTY] = safe_property(&list->arena, track->property, track->component, error);
	cells[LIST_TYPE] = anim_types[track->type].name;
	cells[LIST_KIND] = anim_kind_names[track->kind];
	char digits[ANIM_NUMBER_MAX];

	cells[LIST_KEYS] = anim_arena_text(&list->arena, digits, anim_number_print_uint64(digits, track->n), error);
	return cells[LIST_NODE] == NULL || cells[LIST_PROPERTY] == NULL || cells[LIST_KEYS] == NULL ? -1 : 0;
}

static void print_number(struct list *list, double value)
{
	char text[ANIM_NUMBER_MAX + 1];

	number_text(text, value);
	anim_print_text(&list->print, text);
}

static void print_range(struct list *list, double from, double to)
{
	print_number(list, from);
	anim_print_text(&list->print, " .. ");
	print_number(list, to);
}

static int list_clip(struct list *list, const struct anim_archive_clip *clip,
		     const struct anim_archive_clip_bounds *bounds, struct anim_error *error)
{
	const char *cells[LIST_COLUMNS];
	char *name;

	memset(list->widths, 0, sizeof list->widths);
	for (size_t t = 0; t < clip->track_count; t++) {
		if (fill_cells(list, &clip->tracks[t], cells, error) != 0)
			return -1;
		text_widen(list->widths, cells, LIST_COLUMNS);
	}
	if ((name = anim_safe_copy(&list->arena, clip->name, error)) == NULL)
		return -1;
	anim_print_texts(&list->print, *name == '\0' ? "(no name)" : name, ": ");
	print_range(list, (double)clip->start_s, (double)clip->end_s);
	anim_print_text(&list->print, " s, ");
	print_count(&list->print, clip->track_count, "track", "tracks");
	anim_print_text(&list->print, "\n");

	/* Print "  joints: at most 0.0998 mm off at 30 mm (limit 0.1 mm)" for each error of a clip. */
	if (bounds != NULL) {
		static const struct {
			const char *what, *unit;
			double times;
		} units[ANIM_BOUND_UNIT_COUNT] = {[ANIM_BOUND_NUMBER] = {"numbers", "%", 100},
						  [ANIM_BOUND_LENGTH] = {"positions", " mm", 1000},
						  [ANIM_BOUND_ANGLE] = {"rotations", " deg", 1},
						  [ANIM_BOUND_PIXELS] = {"positions", " px", 1},
						  [ANIM_BOUND_SPACE] = {"joints", " mm", 1000}};

		for (size_t i = 0; i < bounds->count; i++) {
			const struct anim_archive_bound *row = &bounds->rows[i];
			const char *nodes = anim_safe_copy(&list->arena, row->nodes, error);

			if (nodes == NULL)
				return -1;
			anim_print_texts(&list->print, "  ", units[row->unit].what, nodes[0] == '\0' ? "" : " ", nodes);
			anim_print_text(&list->print, ": at most ");
			print_number(list, units[row->unit].times * (double)row->reached);
			anim_print_texts(&list->print, units[row->unit].unit, " off");
			if (row->unit == ANIM_BOUND_SPACE) {
				anim_print_text(&list->print, " at ");
				print_number(list, 1000 * (double)row->shell_m);
				anim_print_text(&list->print, " mm");
			}
			anim_print_text(&list->print, " (limit ");
			print_number(list, units[row->unit].times * (double)row->asked);
			anim_print_texts(&list->print, units[row->unit].unit, ")\n");
		}
		if (list->print.failed)
			return -1;
	}

	for (size_t t = 0; t < clip->track_count; t++) {
		if (fill_cells(list, &clip->tracks[t], cells, error) != 0)
			return -1;
		for (int i = 0; i < LIST_COLUMNS; i++) {
			anim_print_text(&list->print, "  ");
			text_print_cell(&list->print, cells[i], list->widths[i], i == LIST_KEYS);
		}
		anim_print_text(&list->print, clip->tracks[t].n == 1 ? " key " : " keys");
		if (clip->tracks[t].first_s <= clip->tracks[t].last_s) {
			anim_print_text(&list->print, "  ");
			print_range(list, (double)clip->tracks[t].first_s, (double)clip->tracks[t].last_s);
		}
		anim_print_text(&list->print, "\n");
		if (list->print.failed)
			return -1;
	}
	return list->print.failed ? -1 : 0;
}

int anim_archive_list(const struct anim_archive_index *index, struct anim_output *output, struct anim_error *error)
{
	struct list list = {.print = {.out = output, .error = error}};
	int status = 0;

	for (size_t i = 0; i < index->clip_count && status == 0; i++) {
		anim_print_text(&list.print, i > 0 ? "\n" : "");
		status =
		    list_clip(&list, &index->clips[i], index->bounds != NULL ? &index->bounds->clips[i] : NULL, error);
	}
	anim_arena_clear(&list.arena);
	return status;
}
