/* writer_print.c: the document of a glTF file around the numbers that were put aside, as text or in a GLB. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "format/gltf/data.h"
#include "format/gltf/writer.h"

#define GLB_MAGIC 0x46546C67u

#define TEXT_MAX ((size_t)64 << 10) /* bytes that wait */

/* Passes on what was printed, once it is much, or all. */
static void drain(struct gltf_document *d, size_t most)
{
	if (d->print.failed || d->text.size <= most)
		return;
	d->size += d->text.size;
	if (d->out != NULL && anim_output_write(d->out, d->text.data, d->text.size, d->print.error) != 0)
		d->print.failed = true;
	d->text.size = 0;
}

void gltf_document_begin(struct gltf_document *d, struct gltf_writer *writer, struct anim_output *out)
{
	d->writer = writer;
	d->out = out;
	d->print = (struct anim_print){.buffer = &d->text, .error = writer->error};
	d->text.size = 0;
	d->size = 0;
	d->some = d->stands = false;
}

int gltf_document_flush(struct gltf_document *d)
{
	drain(d, 0);
	return d->print.failed ? -1 : 0;
}

/* Begins a member of the document that is a list, and its elements. */
static void begin_list(struct gltf_document *d, const char *name)
{
	anim_print_texts(&d->print, ",\n\"", name, "\":[");
	d->some = false;
}

static void next(struct gltf_document *d)
{
	anim_print_text(&d->print, d->some ? ",\n" : d->stands ? "" : "\n");
	d->some = true;
	d->stands = false;
	drain(d, TEXT_MAX);
}

static void end_list(struct gltf_document *d)
{
	anim_print_text(&d->print, "\n]");
}

/* ---- Nodes ---- */

static void put_floats(struct gltf_document *d, const char *name, const float *numbers, int count)
{
	anim_print_texts(&d->print, d->some ? "," : "", "\"", name, "\":[");
	for (int i = 0; i < count; i++) {
		anim_print_text(&d->print, i > 0 ? "," : "");
		anim_print_float(&d->print, numbers[i]);
	}
	anim_print_text(&d->print, "]");
	d->some = true;
}

static void print_floats(struct gltf_document *d, const char *name, const float *numbers, int count, float neutral)
{
	bool differs = false;

	for (int i = 0; i < count; i++)
		differs = differs || numbers[i] != (count == 4 && i == 3 ? 1 : neutral);
	if (differs)
		put_floats(d, name, numbers, count);
}

void gltf_print_transform(struct gltf_document *d, bool first, const float position[3], const float rotation[4],
			  const float scale[3])
{
	d->some = !first;
	put_floats(d, "translation", position, 3);
	print_floats(d, "rotation", rotation, 4, 0);
	print_floats(d, "scale", scale, 3, 1);
}

static void print_children(struct gltf_document *d, const struct gltf_out_node *node)
{
	const struct gltf_out_nodes *nodes = &d->writer->nodes;
	bool first = true;

	if (node->first == GLTF_NONE)
		return;
	anim_print_text(&d->print, d->some ? ",\"children\":[" : "\"children\":[");
	for (uint32_t at = node->first; at != GLTF_NONE; at = gltf_out_nodes_at(nodes, at)->next) {
		anim_print_text(&d->print, first ? "" : ",");
		anim_print_uint64(&d->print, gltf_out_nodes_number(nodes, at));
		first = false;
	}
	anim_print_text(&d->print, "]");
	d->some = true;
}

static void print_node(struct gltf_document *d, const struct gltf_out_node *node, uint32_t *mesh)
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
	print_children(d, node);
	if (node->targets > 0) {
		anim_print_text(print, d->some ? ",\"mesh\":" : "\"mesh\":");
		anim_print_uint64(print, (*mesh)++);
	}
	if (node->shows)
		anim_print_texts(
		    print, d->some || node->targets > 0 ? "," : "",
		    "\"extensions\":{\"KHR_node_visibility\":{\"visible\":", node->hidden ? "false" : "true", "}}");
	anim_print_text(print, "}");
	d->some = true;
}

static void print_nodes(struct gltf_document *d)
{
	const struct gltf_out_nodes *nodes = &d->writer->nodes;
	bool first = true;
	uint32_t mesh = 0;

	anim_print_text(&d->print, ",\n\"scene\":0,\n\"scenes\":[{\"nodes\":[");
	for (uint32_t i = 0; i < gltf_out_nodes_count(nodes); i++) {
		uint32_t parent = gltf_out_nodes_at(nodes, i)->parent;

		if (i + 1 == nodes->passed || (parent != GLTF_NONE && parent + 1 != nodes->passed))
			continue;
		anim_print_text(&d->print, first ? "" : ",");
		anim_print_uint64(&d->print, gltf_out_nodes_number(nodes, i));
		first = false;
		drain(d, TEXT_MAX);
	}
	anim_print_text(&d->print, "]}]");
	begin_list(d, "nodes");
	for (uint32_t i = 0; i < gltf_out_nodes_count(nodes); i++)
		if (i + 1 != nodes->passed)
			print_node(d, gltf_out_nodes_at(nodes, i), &mesh);
	end_list(d);
}

/* ---- What hangs at nodes: a mesh of no size for those whose weights are animated, and the bones ---- */

static void print_mesh(struct gltf_document *d, uint32_t node)
{
	const struct gltf_out_target *targets = (const struct gltf_out_target *)(void *)d->writer->target_names.data;
	const struct gltf_out_node *mesh = gltf_out_nodes_at(&d->writer->nodes, node);
	struct anim_print *print = &d->print;

	next(d);
	anim_print_text(print, "{\"primitives\":[{\"attributes\":{\"POSITION\":");
	anim_print_uint64(print, d->writer->zeros);
	anim_print_text(print, "},\"targets\":[");
	for (uint32_t i = 0; i < mesh->targets; i++) {
		anim_print_text(print, i > 0 ? ",{\"POSITION\":" : "{\"POSITION\":");
		anim_print_uint64(print, d->writer->zeros);
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

static void print_meshes(struct gltf_document *d)
{
	const struct gltf_out_nodes *nodes = &d->writer->nodes;

	if (d->writer->zeros == GLTF_NONE)
		return;
	begin_list(d, "meshes");
	for (uint32_t i = 0; i < gltf_out_nodes_count(nodes); i++)
		if (gltf_out_nodes_at(nodes, i)->targets > 0)
			print_mesh(d, i);
	end_list(d);
}

/* The first of the bones that hang together: a child of no bone. Where these are roots each is a skeleton. */
static uint32_t skeleton_of(const struct gltf_out_nodes *nodes, uint32_t bone)
{
	uint32_t parent = gltf_out_nodes_at(nodes, bone)->parent;

	while (parent != GLTF_NONE && gltf_out_nodes_at(nodes, parent)->kind == ANIM_NODE_BONE) {
		bone = parent;
		parent = gltf_out_nodes_at(nodes, bone)->parent;
	}
	return parent == GLTF_NONE || parent + 1 == nodes->passed ? bone : parent;
}

/* Of each node: its skeleton where it is a bone, and the next bone of that. */
struct bone {
	uint32_t skeleton, next;
	uint32_t last; /* of the skeleton that the node is, 1 + the bone that came last; 0: none did */
	bool first;    /* of its skeleton's bones */
};

/* Parents come before their children but where tracks made them. NULL out of memory. */
static struct bone *find_bones(const struct gltf_out_nodes *nodes, struct anim_error *error)
{
	uint32_t count = (uint32_t)gltf_out_nodes_count(nodes);
	struct bone *bones = anim_zeroed((count + 1) * sizeof *bones, error);

	for (uint32_t i = 0; bones != NULL && i < count; i++) {
		const struct gltf_out_node *node = gltf_out_nodes_at(nodes, i);
		uint32_t *last;

		bones[i].skeleton = bones[i].next = GLTF_NONE;
		if (node->kind != ANIM_NODE_BONE)
			continue;
		bones[i].skeleton = node->parent < i && bones[node->parent].skeleton != GLTF_NONE
					? bones[node->parent].skeleton
					: skeleton_of(nodes, i);
		last = &bones[bones[i].skeleton].last;
		bones[i].first = *last == 0;
		if (*last != 0)
			bones[*last - 1].next = i;
		*last = i + 1;
	}
	return bones;
}

static void print_skin(struct gltf_document *d, const struct bone *bones, uint32_t first)
{
	next(d);
	anim_print_text(&d->print, "{\"joints\":[");
	for (uint32_t i = first; i != GLTF_NONE; i = bones[i].next) {
		anim_print_text(&d->print, i != first ? "," : "");
		anim_print_uint64(&d->print, gltf_out_nodes_number(&d->writer->nodes, i));
		drain(d, TEXT_MAX);
	}
	anim_print_text(&d->print, "]}");
}

static int print_skins(struct gltf_document *d)
{
	struct bone *bones = find_bones(&d->writer->nodes, d->print.error);
	bool any = false;

	for (uint32_t i = 0; bones != NULL && i < gltf_out_nodes_count(&d->writer->nodes); i++) {
		if (!bones[i].first)
			continue;
		if (!any)
			begin_list(d, "skins");
		any = true;
		print_skin(d, bones, i);
	}
	if (any)
		end_list(d);
	free(bones);
	return bones == NULL ? -1 : 0;
}

/* ---- Animations ---- */

static void print_target(struct gltf_document *d, const struct gltf_out_channel *channel)
{
	static const char *const names[] = {"translation", "rotation", "scale", "weights", "pointer"};
	struct anim_print *print = &d->print;

	if (channel->kept_target != NULL) {
		anim_print_text(print, channel->kept_target);
		return;
	}
	if (channel->path != GLTF_POINTER) {
		anim_print_text(print, "{\"node\":");
		anim_print_uint64(print, gltf_out_nodes_number(&d->writer->nodes, channel->node));
		anim_print_texts(print, ",\"path\":\"", names[channel->path], "\"}");
		return;
	}
	anim_print_text(print, "{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":");
	if (channel->pointer != NULL) {
		anim_print_json_text(print, channel->pointer);
	} else {
		anim_print_text(print, "\"/nodes/");
		anim_print_uint64(print, gltf_out_nodes_number(&d->writer->nodes, channel->node));
		anim_print_text(print, "/extensions/KHR_node_visibility/visible\"");
	}
	anim_print_text(print, "}}}");
}

static const struct gltf_out_channel *channels_of(const struct anim_buffer *channels, struct gltf_run run)
{
	return run.count == 0 ? NULL : (const struct gltf_out_channel *)(const void *)channels->data + run.first;
}

/* Members that are kept, if there are any, and the end of the object. */
static void end_object(struct gltf_document *d, const char *kept)
{
	anim_print_texts(&d->print, kept == NULL ? "" : kept, "}");
}

static void print_channels(struct gltf_document *d, const struct gltf_out_channel *channel, uint32_t count,
			   size_t *sampler)
{
	for (uint32_t i = 0; i < count; i++) {
		next(d);
		anim_print_text(&d->print, "{\"sampler\":");
		anim_print_uint64(&d->print, (*sampler)++);
		anim_print_text(&d->print, ",\"target\":");
		print_target(d, &channel[i]);
		end_object(d, channel[i].kept_members);
	}
}

/* In the file. */
static uint32_t number_of(const struct gltf_writer *writer, uint32_t accessor)
{
	uint32_t count = (uint32_t)(writer->slots.size / sizeof(uint32_t));

	return accessor < count ? ((const uint32_t *)(const void *)writer->slots.data)[accessor]
				: writer->first_accessor + (accessor - count);
}

static void print_samplers(struct gltf_document *d, const struct gltf_out_channel *channel, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		next(d);
		anim_print_text(&d->print, "{\"input\":");
		anim_print_uint64(&d->print, number_of(d->writer, channel[i].input));
		if (channel[i].mode != ANIM_LINEAR)
			anim_print_texts(&d->print, ",\"interpolation\":\"",
					 channel[i].mode == ANIM_HOLD ? "STEP" : "CUBICSPLINE", "\"");
		anim_print_text(&d->print, ",\"output\":");
		anim_print_uint64(&d->print, number_of(d->writer, channel[i].output));
		end_object(d, channel[i].kept_sampler_members);
	}
}

/* Whether the text is one JSON value, which may then stand as it is. */
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

static void print_event(struct gltf_document *d, const struct anim_track *t, size_t k, float start_s)
{
	struct anim_print *print = &d->print;
	const char *bytes = t->strings->bytes + t->strings->start[k];
	uint32_t length = t->strings->length[k];

	next(d);
	anim_print_text(print, "{\"time\":");
	anim_print_float(print, (float)(anim_track_time(t, k) - (double)start_s));
	anim_print_text_member(print, "track", t->property);
	anim_print_text_member(print, "node", t->node);
	anim_print_text(print, ",\"value\":");
	if (length == ANIM_NULL_STRING)
		anim_print_text(print, "null");
	else if (is_json(bytes, length))
		anim_print_bytes(print, bytes, length);
	else
		anim_print_json(print, bytes, length);
	anim_print_text(print, "}");
}

int gltf_print_events(struct gltf_document *d, size_t clip)
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
		for (size_t k = 0; k < t.n; k++)
			print_event(d, &t, k, gltf_writer_clip(writer, clip)->start_s);
	}
	anim_print_text(&d->print, "]");
	return 0;
}

void gltf_print_channels(struct gltf_document *d, size_t clip)
{
	const struct gltf_writer *writer = d->writer;
	const struct gltf_out_clip *written = gltf_writer_clip(writer, clip);
	size_t sampler = 0;

	anim_print_text(&d->print, "[");
	d->some = false;
	print_channels(d, channels_of(&writer->channels, written->own), written->own.count, &sampler);
	print_channels(d, channels_of(&writer->weights, written->weights), written->weights.count, &sampler);
	anim_print_text(&d->print, "]");
}

void gltf_print_samplers(struct gltf_document *d, size_t clip)
{
	const struct gltf_writer *writer = d->writer;
	const struct gltf_out_clip *written = gltf_writer_clip(writer, clip);

	anim_print_text(&d->print, "[");
	d->some = false;
	print_samplers(d, channels_of(&writer->channels, written->own), written->own.count);
	print_samplers(d, channels_of(&writer->weights, written->weights), written->weights.count);
	anim_print_text(&d->print, "]");
}

int gltf_print_animation(struct gltf_document *d, size_t clip)
{
	const struct gltf_out_clip *written = gltf_writer_clip(d->writer, clip);

	next(d);
	anim_print_text(&d->print, "{\"name\":");
	anim_print_json_text(&d->print, written->name);
	anim_print_text(&d->print, ",\"channels\":");
	gltf_print_channels(d, clip);
	anim_print_text(&d->print, ",\"samplers\":");
	gltf_print_samplers(d, clip);
	if (written->events) {
		anim_print_text(&d->print, ",\"extras\":{\"events\":");
		if (gltf_print_events(d, clip) != 0)
			return -1;
		anim_print_text(&d->print, "}");
	}
	anim_print_text(&d->print, "}");
	d->some = true;
	return 0;
}

static int print_animations(struct gltf_document *d)
{
	size_t clips = d->writer->clips.size / sizeof(struct gltf_out_clip);
	bool any = false;

	for (size_t clip = 0; clip < clips; clip++) {
		if (gltf_writer_clip(d->writer, clip)->channels == 0)
			continue;
		if (!any)
			begin_list(d, "animations");
		any = true;
		if (gltf_print_animation(d, clip) != 0)
			return -1;
	}
	if (any)
		end_list(d);
	return 0;
}

/* ---- Numbers ---- */

void gltf_print_accessor(struct gltf_document *d, size_t number)
{
	const struct gltf_out_accessor *accessor = gltf_out_data_accessor(&d->writer->data, number);
	static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
	struct anim_print *print = &d->print;
	bool zeros = accessor->at == GLTF_OUT_ZEROS;

	next(d);
	anim_print_text(print, "{\"componentType\":");
	anim_print_uint64(print, accessor->component);
	if (!zeros)
		anim_print_count_member(print, "bufferView", d->writer->view);
	if (!zeros && accessor->at > 0)
		anim_print_count_member(print, "byteOffset", accessor->at);
	anim_print_count_member(print, "count", accessor->count);
	anim_print_text_member(print, "type", types[accessor->lanes]);
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

void gltf_print_accessors(struct gltf_document *d, size_t first)
{
	for (size_t i = first; i < gltf_out_data_count(&d->writer->data); i++)
		gltf_print_accessor(d, i);
}

static void print_numbers(struct gltf_document *d)
{
	uint64_t size = anim_spool_size(&d->writer->data.spool);

	if (gltf_out_data_count(&d->writer->data) == 0)
		return;
	begin_list(d, "accessors");
	gltf_print_accessors(d, 0);
	end_list(d);
	if (size == 0)
		return;
	anim_print_text(&d->print, ",\n\"bufferViews\":[{\"buffer\":0,\"byteLength\":");
	anim_print_uint64(&d->print, size);
	anim_print_text(&d->print, "}],\n\"buffers\":[{\"byteLength\":");
	anim_print_uint64(&d->print, size);
}

static void print_extensions(struct gltf_document *d)
{
	const struct gltf_writer *writer = d->writer;
	const char *const names[] = {writer->points ? "KHR_animation_pointer" : NULL,
				     writer->nodes.show ? "KHR_node_visibility" : NULL,
				     writer->form == GLTF_VRMA ? "VRMC_vrm_animation" : NULL};
	bool any = false;

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
}

/* All up to the numbers. 0 or -1. */
static int print_document(struct gltf_document *d)
{
	anim_print_text(&d->print, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"" GLTF_GENERATOR "\"}");
	print_extensions(d);
	print_nodes(d);
	print_meshes(d);
	if (print_skins(d) != 0 || print_animations(d) != 0)
		return -1;
	print_numbers(d);
	return 0;
}

/* ---- The file ---- */

#define PIECE ((size_t)96 << 10) /* bytes of data at a time; a multiple of 3 */

int gltf_put_data(struct gltf_writer *writer, struct anim_output *out)
{
	uint64_t size = anim_spool_size(&writer->data.spool);

	for (uint64_t place = 0; place < size;) {
		size_t got;
		const uint8_t *bytes = gltf_out_data_read(&writer->data, place, PIECE, &got, writer->error);

		if (bytes == NULL || anim_output_write(out, bytes, got, writer->error) != 0)
			return -1;
		place += got;
	}
	return 0;
}

/* Three bytes as four characters; of fewer the rest is '='. */
static void encode(const uint8_t *bytes, size_t size, char out[4])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t word = (uint32_t)bytes[0] << 16 | (size > 1 ? (uint32_t)bytes[1] << 8 : 0) | (size > 2 ? bytes[2] : 0);

	out[0] = digits[word >> 18];
	out[1] = digits[word >> 12 & 63];
	out[2] = size > 1 ? digits[word >> 6 & 63] : '=';
	out[3] = size > 2 ? digits[word & 63] : '=';
}

static int put_text(struct gltf_base64 *b)
{
	size_t used = b->used;

	b->used = 0;
	return anim_output_write(b->writer->out, b->text, used, b->writer->error);
}

int gltf_base64_put(struct gltf_base64 *b, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		b->waits[b->waiting++] = bytes[i];
		if (b->waiting < 3)
			continue;
		encode(b->waits, 3, b->text + b->used);
		b->waiting = 0;
		b->used += 4;
		if (b->used == sizeof b->text && put_text(b) != 0)
			return -1;
	}
	return 0;
}

int gltf_base64_end(struct gltf_base64 *b)
{
	if (b->waiting > 0) {
		encode(b->waits, b->waiting, b->text + b->used);
		b->used += 4;
	}
	return put_text(b);
}

int gltf_put_base64(struct gltf_writer *writer)
{
	uint64_t size = anim_spool_size(&writer->data.spool);
	struct gltf_base64 b = {.writer = writer};

	for (uint64_t place = 0; place < size;) {
		size_t got;
		const uint8_t *bytes = gltf_out_data_read(&writer->data, place, PIECE, &got, writer->error);

		if (bytes == NULL || gltf_base64_put(&b, bytes, got) != 0)
			return -1;
		place += got;
	}
	return gltf_base64_end(&b);
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

static void print_uri(struct gltf_document *d, const char *name)
{
	anim_print_text(&d->print, ",\"uri\":\"");
	if (!d->print.failed && anim_gltf_uri(&d->text, name, d->print.error) != 0)
		d->print.failed = true;
	anim_print_text(&d->print, "\"");
}

/* The document with its numbers in it, or in the file beside it. */
static int write_text(struct gltf_writer *writer, struct gltf_document *d)
{
	bool some = anim_spool_size(&writer->data.spool) > 0;

	gltf_document_begin(d, writer, writer->out);
	if (print_document(d) != 0)
		return -1;
	if (some && writer->options.bin != NULL)
		print_uri(d, writer->options.bin_name);
	else if (some)
		anim_print_text(&d->print, ",\"uri\":\"" GLTF_DATA_URI);
	drain(d, 0);
	if (d->print.failed || (some && writer->options.bin == NULL && gltf_put_base64(writer) != 0))
		return -1;
	anim_print_text(&d->print, some && writer->options.bin == NULL ? "\"}]}\n" : some ? "}]}\n" : "}\n");
	drain(d, 0);
	if (d->print.failed)
		return -1;
	return writer->options.bin == NULL ? 0 : gltf_put_data(writer, writer->options.bin);
}

static int put_words(struct gltf_writer *writer, const uint32_t *words, size_t count)
{
	uint8_t bytes[4 * 5];

	for (size_t i = 0; i < 4 * count; i++)
		bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
	return anim_output_write(writer->out, bytes, 4 * count, writer->error);
}

int gltf_put_head(struct gltf_writer *writer, uint64_t size, uint64_t json_size)
{
	if (size > GLTF_GLB_MAX)
		return anim_fail(writer->error, ANIM_TOO_LARGE,
				 "a .glb holds 4 GiB; write a .gltf with its numbers beside it: --bin -o FILE.gltf");
	return put_words(writer, (const uint32_t[]){GLB_MAGIC, 2, (uint32_t)size, (uint32_t)json_size, GLTF_CHUNK_JSON},
			 5);
}

int gltf_put_chunk(struct gltf_writer *writer, uint32_t type, uint64_t size)
{
	return put_words(writer, (const uint32_t[]){(uint32_t)size, type}, 2);
}

static int print_whole(struct gltf_document *d)
{
	if (print_document(d) != 0)
		return -1;
	anim_print_text(&d->print, anim_spool_size(&d->writer->data.spool) > 0 ? "}]}" : "}");
	drain(d, 0);
	return d->print.failed ? -1 : 0;
}

static int write_binary(struct gltf_writer *writer, struct gltf_document *d)
{
	uint64_t bin = anim_spool_size(&writer->data.spool), size;
	unsigned padding;

	gltf_document_begin(d, writer, NULL);
	if (print_whole(d) != 0)
		return -1;
	padding = (unsigned)-d->size & 3;
	size =
	    GLTF_HEAD_BYTES + GLTF_CHUNK_HEAD_BYTES + d->size + padding + (bin > 0 ? GLTF_CHUNK_HEAD_BYTES + bin : 0);
	if (gltf_put_head(writer, size, d->size + padding) != 0)
		return -1;
	gltf_document_begin(d, writer, writer->out);
	if (print_whole(d) != 0 || anim_output_write(writer->out, "   ", padding, writer->error) != 0)
		return -1;
	if (bin == 0)
		return 0;
	return gltf_put_chunk(writer, GLTF_CHUNK_BIN, bin) != 0 ? -1 : gltf_put_data(writer, writer->out);
}

int gltf_write(struct gltf_writer *writer)
{
	struct gltf_document d = {.writer = writer};
	int result = 0;

	for (uint32_t i = 0; i < gltf_out_nodes_count(&writer->nodes) && writer->zeros == GLTF_NONE && result == 0; i++)
		if (gltf_out_nodes_at(&writer->nodes, i)->targets > 0)
			result = gltf_out_data_zeros(&writer->data, 3, 3, &writer->zeros, writer->error);
	if (result == 0)
		result = writer->form == GLTF_TEXT ? write_text(writer, &d) : write_binary(writer, &d);
	anim_buffer_clear(&d.text);
	return result;
}
