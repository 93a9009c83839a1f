/* writer_print.c: prints a glTF file, as text or as a GLB: a new one, or a copy of an existing one with its edits. */
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/json.h"
#include "base/path.h"
#include "format/gltf/into.h"

#define GLB_MAGIC 0x46546C67u

/* A document that is being printed. If its size must be written before it, it is printed twice, first only to be counted. */
struct document {
	struct gltf_writer *writer;
	struct anim_output *out; /* or NULL to count only */
	struct anim_buffer text; /* text that has not been passed on yet (must be cleared) */
	struct anim_print print;
	uint64_t size;
	const char *list; /* a member of the document that begins with the first element of its list, or NULL */
	bool some;        /* the current object already has a member, or the current list an element */
	/* the first element is printed without a new line before it */
	bool same_line;
};

#define TEXT_MAX ((size_t)64 << 10) /* bytes that are collected before they are passed on */

/* Pass the printed text on if it is longer than `most` bytes. */
static void drain(struct document *d, size_t most)
{
	if (d->print.failed || d->text.size <= most)
		return;
	d->size += d->text.size;
	if (d->out != NULL && anim_output_write(d->out, d->text.data, d->text.size, d->print.error) != 0)
		d->print.failed = true;
	d->text.size = 0;
}

/* Begin a document. The memory of a previous one is reused. */
static void document_begin(struct document *d, struct gltf_writer *writer, struct anim_output *out)
{
	d->writer = writer;
	d->out = out;
	d->print = (struct anim_print){.buffer = &d->text, .error = writer->error};
	d->text.size = 0;
	d->size = 0;
	d->some = d->same_line = false;
	d->list = NULL;
}

/* Pass the printed text on, or count it. Return 0 or -1. */
static int document_flush(struct document *d)
{
	drain(d, 0);
	return d->print.failed ? -1 : 0;
}

/* Begin a list, which becomes a member of the document only if it gets an element. */
static void begin_list(struct document *d, const char *name)
{
	d->list = name;
	d->some = false;
}

static void next(struct document *d)
{
	if (d->list != NULL)
		anim_print_texts(&d->print, ",\n\"", d->list, "\":[");
	d->list = NULL;
	anim_print_text(&d->print, d->some ? ",\n" : d->same_line ? "" : "\n");
	d->some = true;
	d->same_line = false;
	drain(d, TEXT_MAX);
}

static void end_list(struct document *d)
{
	if (d->list == NULL)
		anim_print_text(&d->print, "\n]");
	d->list = NULL;
}

static void print_number(struct document *d, const char *before, uint64_t number)
{
	anim_print_text(&d->print, before);
	anim_print_uint64(&d->print, number);
}

/* Print the number of a node in a list of numbers. */
static void print_node_number(struct document *d, bool first, uint32_t node)
{
	print_number(d, first ? "" : ",", gltf_out_nodes_number(&d->writer->nodes, node));
	drain(d, TEXT_MAX);
}

/* ---- Nodes ---- */

static void put_floats(struct document *d, const char *name, const float *numbers, int count)
{
	anim_print_texts(&d->print, d->some ? "," : "", "\"", name, "\":[");
	for (int i = 0; i < count; i++) {
		anim_print_text(&d->print, i > 0 ? "," : "");
		anim_print_float(&d->print, numbers[i]);
	}
	anim_print_text(&d->print, "]");
	d->some = true;
}

static void print_floats(struct document *d, const char *name, const float *numbers, int count, float neutral)
{
	bool differs = false;

	for (int i = 0; i < count; i++)
		differs = differs || numbers[i] != (count == 4 && i == 3 ? 1 : neutral);
	if (differs)
		put_floats(d, name, numbers, count);
}

static void print_node(struct document *d, const struct gltf_out_node *node, uint32_t *mesh)
{
	struct anim_print *print = &d->print;

	next(d);
	anim_print_text(print, "{");
	d->some = node->name != NULL;
	if (node->name != NULL) {
		anim_print_text(print, "\"name\":");
		anim_print_json_text(print, node->name);
	}
	if (node->has & ANIM_HAS_POSITION)
		print_floats(d, "translation", node->position, 3, 0);
	if (node->has & ANIM_HAS_ROTATION)
		print_floats(d, "rotation", node->rotation, 4, 0);
	if (node->has & ANIM_HAS_SCALE)
		print_floats(d, "scale", node->scale, 3, 1);
	if (node->first != GLTF_NONE) {
		anim_print_text(&d->print, d->some ? ",\"children\":[" : "\"children\":[");
		for (uint32_t at = node->first; at != GLTF_NONE; at = gltf_out_nodes_at(&d->writer->nodes, at)->next)
			print_node_number(d, at == node->first, at);
		anim_print_text(&d->print, "]");
		d->some = true;
	}
	if (node->targets > 0)
		print_number(d, d->some ? ",\"mesh\":" : "\"mesh\":", (*mesh)++);
	if (node->camera > 0)
		print_number(d, d->some || node->targets > 0 ? ",\"camera\":" : "\"camera\":", node->camera - 1);
	if (node->shows)
		anim_print_texts(
		    print, d->some || node->targets > 0 || node->camera > 0 ? "," : "",
		    "\"extensions\":{\"KHR_node_visibility\":{\"visible\":", node->hidden ? "false" : "true", "}}");
	anim_print_text(print, "}");
	d->some = true;
}

/* Print the cameras in the order of their numbers. The format requires a nearest distance, for which this is Godot's. */
static void print_cameras(struct document *d)
{
	const struct gltf_out_nodes *nodes = &d->writer->nodes;
	const uint32_t *numbers = (const uint32_t *)(const void *)nodes->cameras.data;

	begin_list(d, "cameras");
	for (size_t i = 0; i < nodes->cameras.size / sizeof *numbers; i++) {
		next(d);
		anim_print_text(&d->print, "{\"type\":\"perspective\",\"perspective\":{\"yfov\":");
		anim_print_float(&d->print, gltf_out_nodes_at(nodes, numbers[i])->yfov);
		anim_print_text(&d->print, ",\"znear\":0.05}}");
	}
	end_list(d);
}

static void print_nodes(struct document *d)
{
	const struct gltf_out_nodes *nodes = &d->writer->nodes;
	bool first = true;
	uint32_t mesh = 0;

	anim_print_text(&d->print, ",\n\"scene\":0,\n\"scenes\":[{\"nodes\":[");
	for (uint32_t i = 0; i < gltf_out_nodes_count(nodes); i++) {
		uint32_t parent = gltf_out_nodes_at(nodes, i)->parent;

		if (i + 1 == nodes->passed || (parent != GLTF_NONE && parent + 1 != nodes->passed))
			continue;
		print_node_number(d, first, i);
		first = false;
	}
	anim_print_text(&d->print, "]}]");
	begin_list(d, "nodes");
	for (uint32_t i = 0; i < gltf_out_nodes_count(nodes); i++)
		if (i + 1 != nodes->passed)
			print_node(d, gltf_out_nodes_at(nodes, i), &mesh);
	end_list(d);
}

/* ---- Objects of nodes: meshes without a size, for nodes with animated weights, and skins of bones ---- */

static void print_mesh(struct document *d, uint32_t node)
{
	const struct gltf_out_target *targets = (const struct gltf_out_target *)(void *)d->writer->target_names.data;
	const struct gltf_out_node *mesh = gltf_out_nodes_at(&d->writer->nodes, node);
	struct anim_print *print = &d->print;

	next(d);
	print_number(d, "{\"primitives\":[{\"attributes\":{\"POSITION\":", d->writer->zeros);
	anim_print_text(print, "},\"targets\":[");
	for (uint32_t i = 0; i < mesh->targets; i++) {
		print_number(d, i > 0 ? ",{\"POSITION\":" : "{\"POSITION\":", d->writer->zeros);
		anim_print_text(print, "}");
		drain(d, TEXT_MAX);
	}
	anim_print_text(print, "]}],\"extras\":{\"targetNames\":[");
	for (uint32_t i = mesh->first_target; i != GLTF_NONE; i = targets[i].next) {
		anim_print_text(print, i == mesh->first_target ? "" : ",");
		anim_print_json_text(print, targets[i].name);
		drain(d, TEXT_MAX);
	}
	anim_print_text(print, "]}}");
}

/* For each node: if it is a bone, its skeleton and the next bone of that skeleton. */
struct bone {
	uint32_t skeleton, next;
	uint32_t last; /* if the node is a skeleton, 1 + its last bone so far (0: none) */
	bool first;    /* it is the first bone of its skeleton */
};

/*
 * Find the skeletons of all bones. Parents precede their children, except for nodes that tracks made. Return NULL if
 * out of memory.
 */
static struct bone *find_bones(const struct gltf_out_nodes *nodes, struct anim_error *error)
{
	uint32_t count = (uint32_t)gltf_out_nodes_count(nodes);
	struct bone *bones = anim_zeroed((count + 1) * sizeof *bones, error);

	for (uint32_t i = 0; bones != NULL && i < count; i++) {
		const struct gltf_out_node *node = gltf_out_nodes_at(nodes, i);
		uint32_t *last, top, parent;

		bones[i].skeleton = bones[i].next = GLTF_NONE;
		if (node->kind != ANIM_NODE_BONE)
			continue;
		/* The skeleton is the parent of the topmost connected bone, or that bone if it is a root. */
		if (node->parent < i && bones[node->parent].skeleton != GLTF_NONE) {
			bones[i].skeleton = bones[node->parent].skeleton;
		} else {
			top = i;
			parent = node->parent;
			while (parent != GLTF_NONE && gltf_out_nodes_at(nodes, parent)->kind == ANIM_NODE_BONE) {
				top = parent;
				parent = gltf_out_nodes_at(nodes, top)->parent;
			}
			bones[i].skeleton = parent == GLTF_NONE || parent + 1 == nodes->passed ? top : parent;
		}
		last = &bones[bones[i].skeleton].last;
		bones[i].first = *last == 0;
		if (*last != 0)
			bones[*last - 1].next = i;
		*last = i + 1;
	}
	return bones;
}

/* ---- Animations ---- */

/* Print kept members, if any, and the end of the object. */
static void end_object(struct document *d, const char *kept)
{
	anim_print_texts(&d->print, kept == NULL ? "" : kept, "}");
}

/* Print a clip's channels as a list. */
static void print_channels(struct document *d, size_t clip)
{
	static const char *const names[] = {"translation", "rotation", "scale", "weights", "pointer"};
	const struct gltf_out_channel *channel;
	struct anim_print *print = &d->print;
	size_t sampler = 0;

	anim_print_text(print, "[");
	d->some = false;
	for (uint32_t i = gltf_writer_clip(d->writer, clip)->first; i != GLTF_NONE; i = channel->next) {
		channel = gltf_writer_channel(d->writer, i);
		next(d);
		print_number(d, "{\"sampler\":", sampler++);
		anim_print_text(print, ",\"target\":");
		if (channel->kept_target != NULL) {
			anim_print_text(print, channel->kept_target);
		} else if (channel->path != GLTF_POINTER) {
			print_number(d, "{\"node\":", gltf_out_nodes_number(&d->writer->nodes, channel->node));
			anim_print_texts(print, ",\"path\":\"", names[channel->path], "\"}");
		} else {
			anim_print_text(
			    print, "{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":");
			if (channel->pointer != NULL) {
				anim_print_json_text(print, channel->pointer);
			} else {
				print_number(d, "\"/nodes/", gltf_out_nodes_number(&d->writer->nodes, channel->node));
				anim_print_text(print, "/extensions/KHR_node_visibility/visible\"");
			}
			anim_print_text(print, "}}}");
		}
		end_object(d, channel->kept_members);
	}
	anim_print_text(print, "]");
}

/* Return the number of an accessor in the file. */
static uint32_t number_of(const struct gltf_writer *writer, uint32_t accessor)
{
	uint32_t count = (uint32_t)(writer->slots.size / sizeof(uint32_t));

	return accessor < count ? ((const uint32_t *)(const void *)writer->slots.data)[accessor]
				: writer->first_accessor + (accessor - count);
}

/* Print a clip's samplers as a list. */
static void print_samplers(struct document *d, size_t clip)
{
	const struct gltf_out_channel *channel;

	anim_print_text(&d->print, "[");
	d->some = false;
	for (uint32_t i = gltf_writer_clip(d->writer, clip)->first; i != GLTF_NONE; i = channel->next) {
		channel = gltf_writer_channel(d->writer, i);
		next(d);
		print_number(d, "{\"input\":", number_of(d->writer, channel->input));
		if (channel->mode != ANIM_LINEAR)
			anim_print_texts(&d->print, ",\"interpolation\":\"",
					 channel->mode == ANIM_HOLD ? "STEP" : "CUBICSPLINE", "\"");
		print_number(d, ",\"output\":", number_of(d->writer, channel->output));
		end_object(d, channel->kept_sampler_members);
	}
	anim_print_text(&d->print, "]");
}

/* Return whether the text is a single JSON value, which can be written unchanged. */
static bool is_json(const char *bytes, size_t size)
{
	struct anim_input *input = NULL;
	struct anim_json_text text;
	struct anim_json json = {.text = &text};
	bool is = false;

	if (anim_input_open_memory(&input, bytes, size, "", NULL) != 0)
		return false;
	anim_json_text_init(&text, input, NULL);
	is = anim_json_blank(&text, NULL) >= 0 && anim_json_skip(&json, 8, NULL) == 0 &&
	     anim_json_blank(&text, NULL) == ANIM_JSON_END;
	anim_json_clear(&json);
	anim_input_close(input);
	return is;
}

/* Print a clip's events as a list. Return 0 or -1. */
static int print_events(struct document *d, size_t clip)
{
	struct gltf_writer *writer = d->writer;
	struct anim_track t;

	anim_print_text(&d->print, "[");
	d->some = false;
	for (size_t i = 0; i < anim_store_tracks(writer->later, clip); i++) {
		if (anim_store_track_at(writer->later, clip, i)->property[0] != '@')
			continue;
		if (anim_store_read(writer->later, clip, i, &t, writer->error) != 0)
			return -1;
		for (size_t k = 0; k < t.n; k++) {
			float start_s = gltf_writer_clip(writer, clip)->start_s;
			struct anim_print *print = &d->print;
			const char *bytes = t.strings->bytes + t.strings->start[k];
			uint32_t length = t.strings->length[k];

			next(d);
			anim_print_text(print, "{\"time\":");
			anim_print_float(print, (float)(anim_track_time(&t, k) - (double)start_s));
			anim_print_text_member(print, "track", t.property);
			anim_print_text_member(print, "node", t.node);
			anim_print_text(print, ",\"value\":");
			if (length == ANIM_NULL_STRING)
				anim_print_text(print, "null");
			else if (is_json(bytes, length))
				anim_print_bytes(print, bytes, length);
			else
				anim_print_json(print, bytes, length);
			anim_print_text(print, "}");
		}
	}
	anim_print_text(&d->print, "]");
	return 0;
}

/* Print a clip that has channels as an element of the list of animations. Return 0 or -1. */
static int print_animation(struct document *d, size_t clip)
{
	const struct gltf_out_clip *written = gltf_writer_clip(d->writer, clip);

	next(d);
	anim_print_text(&d->print, "{\"name\":");
	anim_print_json_text(&d->print, written->name);
	anim_print_text(&d->print, ",\"channels\":");
	print_channels(d, clip);
	anim_print_text(&d->print, ",\"samplers\":");
	print_samplers(d, clip);
	if (written->events) {
		anim_print_text(&d->print, ",\"extras\":{\"events\":");
		if (print_events(d, clip) != 0)
			return -1;
		anim_print_text(&d->print, "}");
	}
	anim_print_text(&d->print, "}");
	d->some = true;
	return 0;
}

/* ---- Numbers ---- */

/* Print accessors `first` to `end` - 1 as elements of a list. */
static void print_accessors(struct document *d, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		const struct gltf_out_accessor *accessor =
		    (const struct gltf_out_accessor *)(const void *)d->writer->data.accessors.data + i;
		static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
		struct anim_print *print = &d->print;
		bool zeros = accessor->at == GLTF_OUT_ZEROS;

		next(d);
		print_number(d, "{\"componentType\":", accessor->component);
		if (!zeros)
			anim_print_count_member(print, "bufferView", d->writer->view);
		if (!zeros && accessor->at > 0)
			anim_print_count_member(print, "byteOffset", accessor->at);
		anim_print_count_member(print, "count", accessor->count);
		anim_print_text_member(print, "type", types[accessor->components]);
		if (zeros)
			anim_print_text(print, ",\"min\":[0,0,0],\"max\":[0,0,0]");
		if (accessor->is_input) {
			anim_print_text(print, ",\"min\":[");
			anim_print_float(print, accessor->low);
			anim_print_text(print, "],\"max\":[");
			anim_print_float(print, accessor->high);
			anim_print_text(print, "]");
		}
		anim_print_text(print, "}");
	}
}

/* Print everything before the numbers. Return 0 or -1. */
static int print_document(struct document *d)
{
	const struct gltf_writer *writer = d->writer;
	const struct gltf_out_nodes *nodes = &writer->nodes;
	size_t clips = writer->clips.size / sizeof(struct gltf_out_clip);
	uint64_t size = anim_spool_size(&writer->data.spool);
	struct bone *bones;
	const char *const names[] = {writer->points ? "KHR_animation_pointer" : NULL,
				     writer->nodes.show ? "KHR_node_visibility" : NULL,
				     writer->form == GLTF_VRMA ? "VRMC_vrm_animation" : NULL};
	bool any = false;

	anim_print_text(&d->print, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"" GLTF_GENERATOR "\"}");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (names[i] == NULL)
			continue;
		anim_print_texts(&d->print, any ? ",\"" : ",\n\"extensionsUsed\":[\"", names[i], "\"");
		any = true;
	}
	if (any)
		anim_print_text(&d->print, "]");
	if (writer->form == GLTF_VRMA)
		gltf_human_print(writer, &d->print);
	print_nodes(d);
	print_cameras(d);
	begin_list(d, "meshes");
	for (uint32_t i = 0; i < gltf_out_nodes_count(nodes); i++)
		if (gltf_out_nodes_at(nodes, i)->targets > 0)
			print_mesh(d, i);
	end_list(d);
	bones = find_bones(nodes, d->print.error);
	begin_list(d, "skins");
	for (uint32_t first = 0; bones != NULL && first < gltf_out_nodes_count(nodes); first++) {
		if (!bones[first].first)
			continue;
		next(d);
		anim_print_text(&d->print, "{\"joints\":[");
		for (uint32_t i = first; i != GLTF_NONE; i = bones[i].next)
			print_node_number(d, i == first, i);
		anim_print_text(&d->print, "]}");
	}
	end_list(d);
	free(bones);
	if (bones == NULL)
		return -1;
	begin_list(d, "animations");
	for (size_t clip = 0; clip < clips; clip++)
		if (gltf_writer_clip(writer, clip)->channels > 0 && print_animation(d, clip) != 0)
			return -1;
	end_list(d);
	begin_list(d, "accessors");
	print_accessors(d, 0, gltf_out_count(&writer->data));
	end_list(d);
	if (size != 0) {
		print_number(d, ",\n\"bufferViews\":[{\"buffer\":0,\"byteLength\":", size);
		print_number(d, "}],\n\"buffers\":[{\"byteLength\":", size);
	}
	return 0;
}

/* ---- The file ---- */

#define PIECE ((size_t)96 << 10) /* bytes of data written at once, a multiple of 3 */

/*
 * Return the data from a place on, as far as they are contiguous, at most PIECE bytes. *size is their size. Return NULL
 * on error.
 */
static const uint8_t *read_data(struct gltf_writer *writer, uint64_t place, size_t *size)
{
	struct anim_spool *spool = &writer->data.spool;
	uint64_t end = place < spool->memory.size ? spool->memory.size : anim_spool_size(spool);

	*size = end - place < PIECE ? (size_t)(end - place) : PIECE;
	return anim_spool_read(spool, place, *size, writer->error);
}

/* Write the numbers unchanged. Return 0 or -1. */
static int put_data(struct gltf_writer *writer, struct anim_output *out)
{
	size_t got;

	for (uint64_t place = 0; place < anim_spool_size(&writer->data.spool); place += got) {
		const uint8_t *bytes = read_data(writer, place, &got);

		if (bytes == NULL || anim_output_write(out, bytes, got, writer->error) != 0)
			return -1;
	}
	return 0;
}

/* Encodes bytes as base64. Initialise only the writer. The pieces may have any size. The functions return 0 or -1. */
struct base64 {
	struct gltf_writer *writer;
	uint8_t pending[3];
	char text[4096];
	size_t pending_count, used;
};

/* Encode three bytes as four characters. Missing bytes are padded with '='. */
static void encode(const uint8_t *bytes, size_t size, char out[4])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t word = (uint32_t)bytes[0] << 16 | (size > 1 ? (uint32_t)bytes[1] << 8 : 0) | (size > 2 ? bytes[2] : 0);

	out[0] = digits[word >> 18];
	out[1] = digits[word >> 12 & 63];
	out[2] = size > 1 ? digits[word >> 6 & 63] : '=';
	out[3] = size > 2 ? digits[word & 63] : '=';
}

static int put_text(struct base64 *b)
{
	size_t used = b->used;

	b->used = 0;
	return anim_output_write(b->writer->out, b->text, used, b->writer->error);
}

static int base64_put(struct base64 *b, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		b->pending[b->pending_count++] = bytes[i];
		if (b->pending_count < 3)
			continue;
		encode(b->pending, 3, b->text + b->used);
		b->pending_count = 0;
		b->used += 4;
		if (b->used == sizeof b->text && put_text(b) != 0)
			return -1;
	}
	return 0;
}

static int base64_end(struct base64 *b)
{
	if (b->pending_count > 0) {
		encode(b->pending, b->pending_count, b->text + b->used);
		b->used += 4;
	}
	return put_text(b);
}

/* Write the numbers as base64. Return 0 or -1. */
static int put_base64(struct gltf_writer *writer)
{
	struct base64 b = {.writer = writer};
	size_t got;

	for (uint64_t place = 0; place < anim_spool_size(&writer->data.spool); place += got) {
		const uint8_t *bytes = read_data(writer, place, &got);

		if (bytes == NULL || base64_put(&b, bytes, got) != 0)
			return -1;
	}
	return base64_end(&b);
}

int anim_gltf_uri(struct anim_buffer *out, const char *name, struct anim_error *error)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
	struct anim_print print_to = {.buffer = out, .error = error}, *print = &print_to;

	for (; *name != '\0'; name++) {
		if (strchr(plain, *name) != NULL) {
			anim_print_bytes(print, name, 1);
			continue;
		}
		anim_print_text(print, "%");
		anim_print_hex(print, (uint8_t)*name, 2);
	}
	return print->failed ? -1 : 0;
}

/* Write the document with its numbers in it, or in a separate file. Return 0 or -1. */
static int write_text(struct gltf_writer *writer, struct document *d)
{
	bool some = anim_spool_size(&writer->data.spool) > 0, beside = writer->options.bin != NULL;

	document_begin(d, writer, writer->out);
	if (print_document(d) != 0)
		return -1;
	if (some && beside) {
		anim_print_text(&d->print, ",\"uri\":\"");
		if (!d->print.failed && anim_gltf_uri(&d->text, writer->options.bin_name, d->print.error) != 0)
			d->print.failed = true;
	} else if (some) {
		anim_print_text(&d->print, ",\"uri\":\"" GLTF_DATA_URI);
		if (document_flush(d) != 0 || put_base64(writer) != 0)
			return -1;
	}
	anim_print_text(&d->print, some ? "\"}]}\n" : "}\n");
	if (document_flush(d) != 0)
		return -1;
	return beside ? put_data(writer, writer->options.bin) : 0;
}

static int put_words(struct gltf_writer *writer, const uint32_t *words, size_t count)
{
	uint8_t bytes[4 * 5];

	for (size_t i = 0; i < 4 * count; i++)
		bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
	return anim_output_write(writer->out, bytes, 4 * count, writer->error);
}

/* Write the header of a chunk. Return 0 or -1. */
static int put_chunk(struct gltf_writer *writer, uint32_t type, uint64_t size)
{
	return put_words(writer, (const uint32_t[]){(uint32_t)size, type}, 2);
}

/*
 * Write the header of a GLB and its JSON, which is printed twice, first to be counted. `chunks` is the size of the
 * bytes that follow. Return 0 or -1.
 */
static int put_json(struct document *d, int (*print)(struct document *, void *), void *with, uint64_t chunks)
{
	struct gltf_writer *writer = d->writer;
	uint64_t json, size;
	unsigned padding;

	document_begin(d, writer, NULL);
	if (print(d, with) != 0)
		return -1;
	padding = (unsigned)-d->size & 3;
	json = d->size + padding;
	size = GLTF_HEAD_BYTES + GLTF_CHUNK_HEAD_BYTES + json + chunks;
	if (size > GLTF_GLB_MAX)
		return anim_fail(
		    writer->error, ANIM_TOO_LARGE,
		    "a .glb can hold only 4 GiB; write a .gltf with a separate file of numbers, with " ANIM_OPTION(
			"emit", "bin"));
	if (put_words(writer, (const uint32_t[]){GLB_MAGIC, 2, (uint32_t)size, (uint32_t)json, GLTF_CHUNK_JSON}, 5) !=
	    0)
		return -1;
	document_begin(d, writer, writer->out);
	return print(d, with) != 0 ? -1 : anim_output_write(writer->out, "   ", padding, writer->error);
}

static int print_whole(struct document *d, void *with)
{
	(void)with;
	if (print_document(d) != 0)
		return -1;
	anim_print_text(&d->print, anim_spool_size(&d->writer->data.spool) > 0 ? "}]}" : "}");
	return document_flush(d);
}

int gltf_write(struct gltf_writer *writer)
{
	/* The vertices of meshes, all at the origin. */
	const struct gltf_out_accessor zeros = {
	    .at = GLTF_OUT_ZEROS, .count = 3, .component = GLTF_F32, .components = 3, .like = GLTF_NONE};
	uint32_t number = (uint32_t)gltf_out_count(&writer->data);
	uint64_t bin = anim_spool_size(&writer->data.spool);
	struct document d = {.writer = writer};
	int result = 0;

	for (uint32_t i = 0; i < gltf_out_nodes_count(&writer->nodes); i++)
		if (gltf_out_nodes_at(&writer->nodes, i)->targets > 0)
			writer->zeros = number;
	if (writer->zeros != GLTF_NONE)
		result = anim_buffer_append(&writer->data.accessors, &zeros, sizeof zeros, writer->error);
	if (result == 0 && writer->form == GLTF_TEXT) {
		result = write_text(writer, &d);
	} else if (result == 0) {
		result = put_json(&d, print_whole, NULL, bin > 0 ? GLTF_CHUNK_HEAD_BYTES + bin : 0);
		if (result == 0 && bin > 0)
			result = put_chunk(writer, GLTF_CHUNK_BIN, bin);
		if (result == 0 && bin > 0)
			result = put_data(writer, writer->out);
	}
	anim_buffer_clear(&d.text);
	return result;
}

/* ======== A copy of an existing file with clips in it ======== */

#define COPIED_BYTES ((uint64_t)64 << 10) /* bytes of a buffer read at once */

struct copying {
	const struct gltf_edits *edits;
	struct gltf_into *into;
	struct gltf_writer *writer;
	struct anim_input *input; /* the file, whose position in the text is `at` */
	uint64_t at;
	struct anim_error *error;
};

/* Print the remaining bytes of a buffer that is a data URI. Return 0 or -1. */
static int print_buffer(const struct copying *c, struct document *d, uint32_t number)
{
	const struct gltf_buffer *buffer = gltf_buffer_at(&c->into->asset, number);
	struct base64 b = {.writer = c->writer};

	d->size += (gltf_spans_place(c->edits->cuts, number, buffer->data_size) + 2) / 3 * 4;
	if (d->out == NULL)
		return 0;
	for (uint64_t at = 0, to; gltf_spans_next_kept(c->edits->cuts, number, buffer->data_size, &at, &to);) {
		size_t size = (size_t)(to - at < COPIED_BYTES ? to - at : COPIED_BYTES);
		const uint8_t *bytes = gltf_data_read(&c->into->data, buffer->data_place + at, size, c->error);

		if (bytes == NULL || base64_put(&b, bytes, size) != 0)
			return -1;
		at += size;
	}
	return base64_end(&b);
}

static int print_edit(const struct copying *c, struct document *d, const struct gltf_edit *edit)
{
	const struct gltf_node *node;
	int result = 0;

	if (edit->before != NULL)
		anim_print_text(&d->print, edit->before);
	d->some = false;
	d->same_line = true;
	switch (edit->kind) {
	case GLTF_EDIT_TEXT:
		break;
	case GLTF_EDIT_NUMBER:
		anim_print_uint64(&d->print, edit->value);
		break;
	case GLTF_EDIT_ANIMATION:
		result = print_animation(d, (size_t)edit->value);
		break;
	case GLTF_EDIT_CHANNELS:
		print_channels(d, (size_t)edit->value);
		break;
	case GLTF_EDIT_SAMPLERS:
		print_samplers(d, (size_t)edit->value);
		break;
	case GLTF_EDIT_EVENTS:
		result = print_events(d, (size_t)edit->value);
		break;
	case GLTF_EDIT_ACCESSOR:
		print_accessors(d, (size_t)edit->value, (size_t)edit->value + 1);
		break;
	case GLTF_EDIT_ACCESSORS:
		print_accessors(d, (size_t)edit->value, gltf_out_count(&c->writer->data));
		break;
	case GLTF_EDIT_TRANSFORM:
		node = gltf_node_at(&c->into->asset, edit->value);
		d->some = !node->is_first;
		put_floats(d, "translation", node->position, 3);
		print_floats(d, "rotation", node->rotation, 4, 0);
		print_floats(d, "scale", node->scale, 3, 1);
		break;
	case GLTF_EDIT_BUFFER:
		result = document_flush(d) != 0 ? -1 : print_buffer(c, d, (uint32_t)edit->value);
		break;
	case GLTF_EDIT_DATA:
		result = document_flush(d);
		d->size += (anim_spool_size(&c->writer->data.spool) + 2) / 3 * 4;
		if (result == 0 && d->out != NULL)
			result = put_base64(c->writer);
		break;
	}
	if (edit->after != NULL)
		anim_print_text(&d->print, edit->after);
	return result != 0 ? -1 : document_flush(d);
}

/* Copy the text up to a place, or only count it. Return 0 or -1. */
static int copy_text(struct copying *c, struct document *d, uint64_t to)
{
	uint64_t count = to - c->at;

	c->at = to;
	d->size += count;
	return d->out == NULL ? 0 : anim_edit_pass(c->input, count, d->out, c->error);
}

/* Print the complete text with its edits, which do not overlap. The input is at its beginning. Return 0 or -1. */
static int print_edited(struct document *d, void *with)
{
	struct copying *c = with;
	const struct gltf_edit *edits = c->edits->items;

	c->at = 0;
	for (size_t i = 0; i < c->edits->count; i++) {
		if (copy_text(c, d, edits[i].place.from) != 0 || print_edit(c, d, &edits[i]) != 0)
			return -1;
		if (d->out != NULL && anim_edit_pass(c->input, edits[i].place.to - c->at, NULL, c->error) != 0)
			return -1;
		c->at = edits[i].place.to;
	}
	return copy_text(c, d, c->into->container.is_glb ? c->into->asset.document.to : (uint64_t)c->into->info.size);
}

/* Copy bytes of the file from a place that the input has not passed yet. Return 0 or -1. */
static int copy_bytes(struct copying *c, uint64_t from, uint64_t count)
{
	if (anim_edit_pass(c->input, from - anim_input_offset(c->input), NULL, c->error) != 0)
		return -1;
	return anim_edit_pass(c->input, count, c->writer->out, c->error);
}

static int copy_glb(struct copying *c, struct document *d)
{
	static const uint8_t zeros[4];
	const struct gltf_chunk *chunks = (const struct gltf_chunk *)(const void *)c->into->chunks.data;
	const struct gltf_chunk *bin = gltf_into_bin(c->into);
	size_t count = c->into->chunks.size / sizeof *chunks, first = c->edits->in_chunk && bin != NULL ? 1 : 0;
	uint64_t size = c->edits->in_chunk
			    ? GLTF_CHUNK_HEAD_BYTES + c->edits->data_at + anim_spool_size(&c->writer->data.spool)
			    : 0;

	for (size_t i = first; i < count; i++)
		size += GLTF_CHUNK_HEAD_BYTES + chunks[i].size;
	if (anim_edit_pass(c->input, GLTF_HEAD_BYTES + GLTF_CHUNK_HEAD_BYTES, NULL, c->error) != 0 ||
	    put_json(d, print_edited, c, size) != 0)
		return -1;
	/* Write the BIN chunk with the remaining old bytes and the new numbers. */
	if (c->edits->in_chunk) {
		uint64_t old = bin == NULL ? 0 : bin->size, begin = bin == NULL ? 0 : bin->at;

		if (put_chunk(c->writer, GLTF_CHUNK_BIN, c->edits->data_at + anim_spool_size(&c->writer->data.spool)) !=
		    0)
			return -1;
		for (uint64_t at = 0, to; gltf_spans_next_kept(c->edits->cuts, 0, old, &at, &to); at = to)
			if (copy_bytes(c, begin + at, to - at) != 0)
				return -1;
		old = gltf_spans_place(c->edits->cuts, 0, old);
		if (anim_output_write(c->writer->out, zeros, (size_t)(c->edits->data_at - old), c->error) != 0 ||
		    put_data(c->writer, c->writer->out) != 0)
			return -1;
	}
	for (size_t i = first; i < count; i++)
		if (put_chunk(c->writer, chunks[i].type, chunks[i].size) != 0 ||
		    copy_bytes(c, chunks[i].at, chunks[i].size) != 0)
			return -1;
	return 0;
}

int gltf_write_copy(const struct gltf_edits *edits)
{
	struct gltf_into *into = edits->into;
	struct gltf_writer *writer = into->writer;
	struct copying c = {.edits = edits, .into = into, .writer = writer, .error = writer->error};
	struct document d = {.writer = writer};
	int result = anim_input_open(&c.input, into->file, NULL, c.error);

	if (result == 0 && into->container.is_glb) {
		result = copy_glb(&c, &d);
	} else if (result == 0) {
		document_begin(&d, writer, writer->out);
		result = print_edited(&d, &c);
	}
	if (result == 0)
		result = anim_path_unchanged(into->file, &into->info, c.error);
	anim_input_close(c.input);
	anim_buffer_clear(&d.text);
	return result;
}
