/* write.c: writes a stream from plain data, and from the contents of a handle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/handle.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/output.h"
#include "base/system.h"
#include "clip/keys.h"
#include "filter/common/components.h"
#include "format/format.h"
#include "stream/stream.h"

struct anim_writer {
	struct anim_output *output;
	struct anim_sink *sink;
	struct anim_prog prog;
	struct anim_arena kept, scratch; /* for the writer; for the current record */
	bool has_tree, failed, done;
	/* Of the last tree: the paths of its nodes (const char *, in path_texts) and the number of each path. */
	struct anim_buffer paths;
	struct anim_arena path_texts;
	struct anim_map numbers;
};

/* ---- Opening and ending ---- */

/* Return a writer for an output, which it owns (NULL: it could not be opened, see the error). */
static struct anim_writer *new_writer(struct anim_output *output, const struct anim_writer_options *options,
				      struct anim_error *error)
{
	struct anim_writer *w = output == NULL ? NULL : anim_zeroed(sizeof *w, error);
	struct anim_stream_writer_options stream = {.changes = true};

	if (w == NULL) {
		anim_output_free(output);
		return NULL;
	}
	w->output = output;
	if (options->program != NULL) {
		w->prog.program = options->program;
		w->prog.version = options->version != NULL ? options->version : "";
		stream.own = &w->prog;
	}
	if (anim_text_keep(&w->prog.program, &w->kept, error) == 0 &&
	    anim_text_keep(&w->prog.version, &w->kept, error) == 0 &&
	    (w->sink = anim_stream_writer_new(output, &stream, error)) != NULL)
		return w;
	anim_write_close(w);
	return NULL;
}

/* Only a stream may be replaced: a file of another kind, such as a scene, would be lost. Returns 0 or -1. */
static int check_replaced(const char *path, struct anim_error *error)
{
	const struct anim_format *format = NULL;
	struct anim_input *input = NULL;
	struct anim_stat info;
	const uint8_t *bytes;
	ssize_t size = -1;

	if (anim_output_is_standard(path) || anim_sys_stat(path, &info) != 0 || info.kind != ANIM_FILE ||
	    info.size == 0)
		return 0;
	if (anim_input_open(&input, path, NULL, error) == 0)
		size = anim_input_peek(input, ANIM_FORMAT_LOOK_AT, &bytes, error);
	if (size >= 0)
		format = anim_format_of(bytes, (size_t)size);
	anim_input_close(input);
	if (size < 0)
		return -1;
	if (format != NULL && (format->sort == ANIM_FORMAT_STREAM || format->sort == ANIM_FORMAT_EMPTY))
		return 0;
	anim_fail(error, ANIM_UNSUPPORTED, "holds %s that would be lost: write another file, or remove this one first",
		  format == NULL ? "data other than a stream" : format->title);
	return anim_error_in_file(error, path);
}

static struct anim_writer *open_writer(const char *path, int fd, const struct anim_writer_options *options,
				       struct anim_fault *fault)
{
	struct anim_error error = {0};
	struct anim_output *output = NULL;
	struct anim_writer_options own;
	struct anim_writer *w = NULL;

	if (path == NULL && fd < 0)
		api_misuse(&error, "neither a path nor a descriptor");
	else if (api_copy_struct(&own, sizeof own, options, &error) == 0 &&
		 (path == NULL                        ? anim_output_open_fd(&output, fd, "the descriptor", &error)
		  : check_replaced(path, &error) != 0 ? -1
						      : anim_output_open(&output, path, &error)) == 0)
		w = new_writer(output, &own, &error);
	if (w == NULL)
		api_fault(fault, &error);
	return w;
}

struct anim_writer *anim_write_open(const char *path, const struct anim_writer_options *options,
				    struct anim_fault *fault)
{
	return open_writer(path, -1, options, fault);
}

struct anim_writer *anim_write_open_fd(int fd, const struct anim_writer_options *options, struct anim_fault *fault)
{
	return open_writer(NULL, fd, options, fault);
}

void anim_write_close(struct anim_writer *w)
{
	if (w == NULL)
		return;
	anim_sink_free(w->sink);
	anim_output_free(w->output);
	anim_map_clear(&w->numbers);
	anim_buffer_clear(&w->paths);
	anim_arena_clear(&w->path_texts);
	anim_arena_clear(&w->kept);
	anim_arena_clear(&w->scratch);
	free(w);
}

/* Begin each call. Returns 0, or -1 if nothing more may be written. */
static int begin(struct anim_writer *w, struct anim_error *error)
{
	if (w == NULL)
		return api_misuse(error, "the writer is NULL");
	anim_arena_reset(&w->scratch);
	if (w->failed || w->done)
		return api_misuse(error, "nothing can be written any more: %s",
				  w->done ? "the stream is whole" : "a call before this failed");
	if (anim_output_is_inherited(w->output))
		return api_misuse(error, "the writer belongs to the process that opened it; open another in this one");
	return 0;
}

/* End each call with its result. */
static int finish(struct anim_writer *w, int result, const struct anim_error *error, struct anim_fault *fault)
{
	if (result == 0)
		return 0;
	if (w != NULL)
		w->failed = true;
	return api_fault(fault, error);
}

int anim_write_commit(struct anim_writer *w, struct anim_fault *fault)
{
	struct anim_error error = {0};
	int result =
	    begin(w, &error) != 0 || anim_sink_end(w->sink, &error) != 0 || anim_output_commit(w->output, &error) != 0
		? -1
		: 0;

	if (result == 0)
		w->done = true;
	return finish(w, result, &error, fault);
}

/* ---- Words and attributes ---- */

/* Find the number of a word. An empty word has the number of the id, or 0 without an id. */
static int word(const char *text, int id, const char *const *names, int count, const char *what, int *number,
		struct anim_error *error)
{
	*number = id == 0 ? 0 : id - 1;
	if (text == NULL || text[0] == '\0')
		return *number >= 0 && *number < count ? 0
						       : api_misuse(error, "%d is not the number of a %s", id, what);
	for (int i = 0; i < count; i++)
		if (strcmp(names[i], text) == 0) {
			*number = i;
			return 0;
		}
	return api_misuse(error, "'%s' is not a %s", text, what);
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(((const struct anim_attr *)a)->key, ((const struct anim_attr *)b)->key);
}

/* Make a sorted copy of the caller's attributes, with borrowed texts. */
static int read_attributes(struct anim_writer *w, struct anim_attrs *out, const struct anim_attribute *items,
			   size_t count, struct anim_error *error)
{
	struct anim_attr *copy;

	if (items == NULL && count > 0)
		return api_misuse(error, "the attributes are NULL");
	if (count > ANIM_ATTRS_MAX)
		return api_misuse(error, "%zu attributes, at most %u are allowed", count, ANIM_ATTRS_MAX);
	copy = anim_arena_zeroed(&w->scratch, count + 1, sizeof *copy, error);
	if (copy == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (items[i].key == NULL || items[i].value == NULL)
			return api_misuse(error, "attribute %zu: its key or its value is NULL", i);
		copy[i] = (struct anim_attr){items[i].key, items[i].value};
	}
	qsort(copy, count, sizeof *copy, compare_keys);
	*out = (struct anim_attrs){copy, count};
	return 0;
}

static const char *text_or(const char *text, const char *otherwise)
{
	return text != NULL ? text : otherwise;
}

/* Like api_copy_struct, for a struct that must not be NULL. */
static int read_struct(void *own, size_t own_size, const void *theirs, struct anim_error *error)
{
	return theirs == NULL ? api_misuse(error, "the struct to write is NULL")
			      : api_copy_struct(own, own_size, theirs, error);
}

/* ---- Trees, nodes, clips ---- */

static void begin_nodes(struct anim_writer *w)
{
	w->has_tree = true;
	w->paths.size = 0;
	anim_map_clear(&w->numbers);
	anim_arena_reset(&w->path_texts);
}

static size_t node_count(const struct anim_writer *w)
{
	return w->paths.size / sizeof(const char *);
}

static const char *path_of(const struct anim_writer *w, ptrdiff_t number)
{
	return ((const char *const *)(const void *)w->paths.data)[number];
}

/*
 * Return whether a node with this path can be a child of `parent`. A child of the root may have any path. Other paths
 * are the parent's path followed by '/' or ':' and a name. A bone below a bone begins with the path of their skeleton
 * before the ':'.
 */
static bool is_below(const char *path, const char *parent)
{
	size_t length = strlen(parent);
	const char *bone = strrchr(parent, ':');

	if (strcmp(parent, ".") == 0)
		return path[0] != '\0' && strcmp(path, ".") != 0;
	if (strncmp(path, parent, length) == 0 && (path[length] == '/' || path[length] == ':'))
		return true;
	return bone != NULL && strncmp(path, parent, (size_t)(bone - parent) + 1) == 0;
}

/* Add the path of the tree's next node. *known is set if the tree already had it. */
static int keep_path(struct anim_writer *w, const char *path, bool *known, struct anim_error *error)
{
	size_t length = strlen(path);
	uint32_t number;

	*known = anim_map_get(&w->numbers, 0, path, length, &number);
	path = anim_arena_text(&w->path_texts, path, length, error);
	if (path == NULL || anim_buffer_append(&w->paths, &path, sizeof path, error) != 0)
		return -1;
	return anim_map_put(&w->numbers, 0, path, length, (uint32_t)node_count(w) - 1, error);
}

static int write_tree(struct anim_writer *w, const struct anim_tree_info *theirs, struct anim_error *error)
{
	struct anim_tree_info info;
	struct anim_tree tree = {0};
	int axes, axes2d;

	if (begin(w, error) != 0 || read_struct(&info, sizeof info, theirs, error) != 0 ||
	    word(info.axes, info.axes_id, anim_axes_names, ANIM_AXES_COUNT, "axes", &axes, error) != 0 ||
	    word(info.axes2d, info.axes2d_id, anim_axes2d_names, ANIM_AXES2D_COUNT, "axes", &axes2d, error) != 0 ||
	    read_attributes(w, &tree.attrs, info.attributes, info.attribute_count, error) != 0)
		return -1;
	tree.axes = (uint8_t)axes;
	tree.axes2d = (uint8_t)axes2d;
	tree.root_name = text_or(info.root_name, "");
	tree.source_file = text_or(info.file, "");
	begin_nodes(w);
	return anim_sink_tree(w->sink, &tree, error);
}

int anim_write_tree(struct anim_writer *w, const struct anim_tree_info *info, struct anim_fault *fault)
{
	struct anim_error error = {0};

	return finish(w, write_tree(w, info, &error), &error, fault);
}

static int write_node(struct anim_writer *w, const struct anim_node_info *theirs, struct anim_error *error)
{
	struct anim_node_info info;
	struct anim_node node = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	const char *path;
	bool known;
	int kind;

	if (begin(w, error) != 0 || read_struct(&info, sizeof info, theirs, error) != 0 ||
	    word(info.kind, 0, anim_node_kind_names, ANIM_NODE_KIND_COUNT, "kind of node", &kind, error) != 0 ||
	    read_attributes(w, &node.attrs, info.attributes, info.attribute_count, error) != 0)
		return -1;
	if (!w->has_tree || (info.parent < 0) != (node_count(w) == 0) || info.parent >= (ptrdiff_t)node_count(w))
		return api_misuse(error,
				  "node %zu of parent %td: the first of a tree has none (-1), others one before them",
				  node_count(w), info.parent);
	path = text_or(info.path, "");
	if (info.parent < 0 && strcmp(path, ".") != 0)
		return api_misuse(error, "the first node of a tree has the path '.', not '%s'", path);
	if (info.parent >= 0 && !is_below(path, path_of(w, info.parent)))
		return api_misuse(error, "node '%s' is not below its parent '%s'", path, path_of(w, info.parent));
	if (keep_path(w, path, &known, error) != 0)
		return -1;
	if (known)
		return api_misuse(error, "the tree has two nodes '%s'", path);
	node.kind = (uint8_t)kind;
	node.has = (uint8_t)(info.has & (ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE | ANIM_HAS_2D));
	node.parent = info.parent < 0 ? ANIM_NO_PARENT : (uint32_t)info.parent;
	node.path = path;
	node.type = text_or(info.type, "");
	if (node.has & ANIM_HAS_POSITION)
		memcpy(node.position, info.position, sizeof node.position);
	if (node.has & ANIM_HAS_ROTATION)
		memcpy(node.rotation, info.rotation, sizeof node.rotation);
	if (node.has & ANIM_HAS_SCALE)
		memcpy(node.scale, info.scale, sizeof node.scale);
	return anim_sink_node(w->sink, &node, error);
}

int anim_write_node(struct anim_writer *w, const struct anim_node_info *info, struct anim_fault *fault)
{
	struct anim_error error = {0};

	return finish(w, write_node(w, info, &error), &error, fault);
}

static int write_clip(struct anim_writer *w, const struct anim_clip_info *theirs, struct anim_error *error)
{
	struct anim_clip_info info;
	struct anim_clip clip = {0};
	int loop, axes, axes2d;

	if (begin(w, error) != 0 || read_struct(&info, sizeof info, theirs, error) != 0 ||
	    word(info.loop, info.loop_id, anim_loop_names, ANIM_LOOP_COUNT, "loop", &loop, error) != 0 ||
	    word(info.axes, info.axes_id, anim_axes_names, ANIM_AXES_COUNT, "axes", &axes, error) != 0 ||
	    word(info.axes2d, info.axes2d_id, anim_axes2d_names, ANIM_AXES2D_COUNT, "axes", &axes2d, error) != 0 ||
	    read_attributes(w, &clip.attrs, info.attributes, info.attribute_count, error) != 0)
		return -1;
	clip.start_s = (float)info.start_s;
	clip.end_s = (float)info.end_s;
	clip.loop = (uint8_t)loop;
	clip.axes = (uint8_t)axes;
	clip.axes2d = (uint8_t)axes2d;
	clip.flags = w->has_tree && info.tree >= 0 ? ANIM_IN_TREE : 0;
	clip.rate_num = info.rate_num;
	clip.rate_den = info.rate_den;
	clip.name = text_or(info.name, "");
	clip.root = text_or(info.root, "");
	clip.source = text_or(info.source, "");
	return anim_sink_clip(w->sink, &clip, error);
}

int anim_write_clip(struct anim_writer *w, const struct anim_clip_info *info, struct anim_fault *fault)
{
	struct anim_error error = {0};

	return finish(w, write_clip(w, info, &error), &error, fault);
}

/* ---- Tracks ---- */

/*
 * Store a number as component `i` of a value of the type, at `to`. Only a slope may be infinite, which makes a step.
 */
static int store_number(enum anim_type type, void *to, unsigned i, double number, struct anim_error *error)
{
	switch (anim_types[type].scalar) {
	case ANIM_SCALAR_F32:
		if (fabs(number) >= 0x1.ffffffp127 && !isinf(number))
			break;
		((float *)to)[i] = (float)number;
		return 0;
	case ANIM_SCALAR_F64:
		((double *)to)[i] = number;
		return 0;
	default:
		break;
	}
	if (rint(number) == number && fabs(number) < 0x1p64 &&
	    anim_component_store(type, to, i, number < 0, (uint64_t)fabs(number)))
		return 0;
	return api_misuse(error, "%.17g is not a value of type %s", number,
			  anim_types[anim_type_of_component(type)].name);
}

/*
 * Make a column of values or slopes from doubles, or from floats if doubles is NULL. *column is NULL if both are
 * NULL.
 */
static int read_column(struct anim_writer *w, const struct anim_track *track, const double *doubles,
		       const float *floats, bool slopes, const void **column, struct anim_error *error)
{
	const struct anim_type_info *type = &anim_types[track->type];
	uint8_t *values;

	*column = NULL;
	if (doubles == NULL && floats == NULL)
		return 0;
	values = anim_arena_zeroed(&w->scratch, track->n + 1, type->size, error);
	if (values == NULL)
		return -1;
	*column = values;
	for (size_t k = 0; k < track->n; k++)
		for (unsigned i = 0; i < type->components; i++) {
			size_t at = k * type->components + i;
			double number = doubles != NULL ? doubles[at] : (double)floats[at];

			if (isnan(number) || (isinf(number) && !slopes))
				return api_misuse(error, "key %zu of track '%s %s' is not a finite number", k,
						  track->node, track->property);
			if (store_number(track->type, values + k * type->size, i, number, error) != 0)
				return -1;
		}
	return 0;
}

/* Convert the words and numbers of the head. */
static int read_head(const struct anim_track_info *info, struct anim_track *track, struct anim_error *error)
{
	int kind, rules, pre, post, mode,
	    type =
		text_or(info->type, "")[0] == '\0' ? info->type_id - 1 : anim_type_find(info->type, strlen(info->type));

	if (type < 0 || type >= (int)ANIM_TYPE_COUNT)
		return api_misuse(error, "'%s' is not a value type", text_or(info->type, ""));
	if (word(info->kind, info->kind_id, anim_kind_names, ANIM_CURVE + 1, "kind of track", &kind, error) != 0 ||
	    word(info->rules, info->rules_id, anim_rules_names, ANIM_RULES_COUNT, "rules", &rules, error) != 0 ||
	    word(info->pre, info->pre_id, anim_extrapolation_names, ANIM_EXTRAPOLATION_COUNT, "end", &pre, error) !=
		0 ||
	    word(info->post, info->post_id, anim_extrapolation_names, ANIM_EXTRAPOLATION_COUNT, "end", &post, error) !=
		0 ||
	    word(info->mode, info->mode_id, anim_interp_names, ANIM_INTERP_COUNT, "mode", &mode, error) != 0)
		return -1;

	/* For a known property its number is below the count of components, for all others below 16. */
	if (info->component != ANIM_ALL_COMPONENTS) {
		unsigned count = anim_components_by_name(NULL, text_or(info->property, ""));

		if (!(info->component >= 0) || !((unsigned)info->component < (count > 0 ? count : ANIM_COMPONENTS_MAX)))
			return api_misuse(error, "property '%s' has no component %d", text_or(info->property, ""),
					  info->component);
	}

	if (info->keys > ANIM_KEYS_MAX)
		return api_misuse(error, "%zu keys, at most %u are allowed", info->keys, ANIM_KEYS_MAX);
	if (kind == ANIM_RAW && info->rate_num == 0 && !(info->step_s > 0) && info->keys > 1)
		return api_misuse(error, "a Raw track without a rate; set rate_num and rate_den, or step_s");
	if (kind == ANIM_CURVE && mode != ANIM_HOLD && anim_types[type].scalar == ANIM_SCALAR_BOOL)
		return api_misuse(error, "a Curve of type %s has the mode Hold, or is a Discrete track",
				  anim_types[type].name);
	*track = (struct anim_track){.kind = (enum anim_kind)kind,
				     .type = (enum anim_type)type,
				     .rules = (enum anim_rules)rules,
				     .node = text_or(info->node, ""),
				     .property = text_or(info->property, ""),
				     .component = info->component < 0 ? ANIM_WHOLE : (uint8_t)info->component,
				     .pre = (uint8_t)pre,
				     .post = (uint8_t)post,
				     .interp = (uint8_t)mode,
				     .flags = info->flags,
				     .n = info->keys,
				     .start_s = info->start_s};
	if (kind == ANIM_RAW) {
		track->rate_num = info->rate_num;
		track->rate_den = info->rate_den;
		track->step_s = info->rate_num == 0 ? info->step_s : 0;
	}
	return 0;
}

/* Make the columns that the head's kind, type and mode need. */
static int read_columns(struct anim_writer *w, const struct anim_key_data *data, struct anim_track *track,
			struct anim_texts *texts, struct anim_strings *view, struct anim_error *error)
{
	bool smooth = track->kind == ANIM_CURVE && track->interp == ANIM_HERMITE;

	if (track->kind == ANIM_CURVE && !smooth && track->interp != ANIM_HOLD && track->interp != ANIM_LINEAR)
		return api_misuse(error, "keys of mode %s are not written from plain data; a whole track is copied",
				  anim_interp_names[track->interp]);
	if ((data->times == NULL) != (track->kind == ANIM_RAW) ||
	    (smooth && (data->left == NULL || data->right == NULL)))
		return api_misuse(error, "track '%s %s' of kind %s lacks times or slopes, or has some too many",
				  track->node, track->property, anim_kind_names[track->kind]);
	if ((data->texts != NULL) != (track->type == ANIM_STRING) ||
	    (data->texts == NULL && data->doubles == NULL && data->floats == NULL && track->n > 0))
		return api_misuse(error, "track '%s %s' of type %s lacks its values", track->node, track->property,
				  anim_types[track->type].name);

	if (track->kind != ANIM_RAW) {
		float *column = anim_arena_zeroed(&w->scratch, track->n + 1, sizeof *column, error);

		if (column == NULL)
			return -1;
		for (size_t k = 0; k < track->n; k++)
			column[k] = (float)data->times[k];
		track->time = column;
	}

	if (smooth && (read_column(w, track, data->left, NULL, true, &track->left, error) != 0 ||
		       read_column(w, track, data->right, NULL, true, &track->right, error) != 0))
		return -1;
	if (track->type == ANIM_STRING) {
		for (size_t k = 0; k < track->n; k++)
			if ((data->texts[k] == NULL
				 ? anim_texts_add_null(texts, error)
				 : anim_texts_add(texts, data->texts[k], strlen(data->texts[k]), error)) != 0)
				return -1;
		anim_texts_view(texts, view);
		track->strings = view;
		return 0;
	}
	return read_column(w, track, data->doubles, data->floats, false, &track->value, error);
}

int anim_write_track(struct anim_writer *w, const struct anim_track_info *info, const struct anim_key_data *data,
		     const struct anim_attribute *attributes, size_t attribute_count, struct anim_fault *fault)
{
	struct anim_error error = {0};
	struct anim_track_info own_info;
	struct anim_key_data own_data;
	struct anim_texts texts = {0};
	struct anim_strings view;
	struct anim_track track;
	int result = -1;

	if (begin(w, &error) == 0 && read_struct(&own_info, sizeof own_info, info, &error) == 0 &&
	    read_struct(&own_data, sizeof own_data, data, &error) == 0 && read_head(&own_info, &track, &error) == 0 &&
	    read_attributes(w, &track.attrs, attributes, attribute_count, &error) == 0 &&
	    read_columns(w, &own_data, &track, &texts, &view, &error) == 0)
		result = anim_sink_track(w->sink, &track, &error);
	anim_texts_clear(&texts);
	return finish(w, result, &error, fault);
}

/* ---- Copies ---- */

static int push_tree(const struct api_tree *tree, struct anim_sink *sink, struct anim_error *error)
{
	if (anim_sink_tree(sink, &tree->head, error) != 0)
		return -1;
	for (size_t i = 0; i < api_node_count(tree); i++)
		if (anim_sink_node(sink, api_node(tree, i), error) != 0)
			return -1;
	return 0;
}

int anim_copy_tree(struct anim_writer *w, struct anim *h, size_t tree, struct anim_fault *fault)
{
	struct anim_error error = {0};
	const struct api_tree *own = NULL;
	int result = begin(w, &error) != 0 ? -1 : api_check_tree(h, tree, &error);
	bool known;

	if (result == 0) {
		own = api_tree(h, tree);
		begin_nodes(w);
	}
	for (size_t i = 0; result == 0 && i < api_node_count(own); i++)
		result = keep_path(w, api_node(own, i)->path, &known, &error);
	if (result == 0)
		result = push_tree(own, w->sink, &error);
	return finish(w, result, &error, fault);
}

int anim_copy_clip(struct anim_writer *w, struct anim *h, size_t clip, struct anim_fault *fault)
{
	struct anim_error error = {0};
	int result = begin(w, &error) != 0 ? -1 : api_check_clip(h, clip, &error);

	if (result == 0) {
		h->has_track = false; /* ends the borrow */
		result = anim_store_replay(h->store, clip, NULL, w->sink, &error);
	}
	return finish(w, result, &error, fault);
}

int anim_copy_track(struct anim_writer *w, struct anim *h, size_t clip, size_t track, struct anim_fault *fault)
{
	struct anim_error error = {0};
	int result = begin(w, &error) != 0 || api_fetch(h, clip, track, &error) != 0
			 ? -1
			 : anim_sink_track(w->sink, &h->track, &error);

	return finish(w, result, &error, fault);
}

/* ---- All of a handle ---- */

int api_stream_of(struct anim *h, void **bytes, size_t *size, struct anim_error *error)
{
	const struct anim_stream_writer_options options = {.changes = true};
	const ptrdiff_t *trees = (const ptrdiff_t *)(void *)h->clip_trees.data;
	struct anim_output *output = NULL;
	struct anim_sink *sink =
	    anim_output_open_memory(&output, error) != 0 ? NULL : anim_stream_writer_new(output, &options, error);
	size_t tree_count = 0, count = anim_clip_count(h);
	int result = sink == NULL ? -1 : 0;

	h->has_track = false; /* ends the borrow */
	for (size_t i = 0; i <= count && result == 0; i++) {
		size_t needed = i == count ? anim_tree_count(h) : (size_t)(trees[i] + 1);

		while (tree_count < needed && result == 0)
			result = push_tree(api_tree(h, tree_count++), sink, error);
		if (result == 0 && i < count)
			result = anim_store_replay(h->store, i, NULL, sink, error);
	}
	if (result == 0)
		result = anim_sink_end(sink, error);
	anim_sink_free(sink);
	if (result == 0)
		*bytes = anim_output_release(output, size);
	anim_output_free(output);
	return result;
}
