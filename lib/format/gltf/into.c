/* into.c: puts clips into an existing glTF file: finds the nodes that they drive and the animations that they replace. */
#include "format/gltf/into.h"

#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/edit.h"
#include "base/number.h"
#include "base/path.h"
#include "base/system.h"
#include "base/text.h"
#include "clip/engine_names.h"
#include "format/read.h"

/* ---- The existing file ---- */

static int read_document(struct gltf_into *into, struct anim_input *input, struct anim_error *error)
{
	struct anim_spool *data = into->writer->options.into.compact ? &into->data.spool : NULL;

	if (gltf_container_open(&into->container, input, error) != 0 ||
	    gltf_asset_read(&into->asset, &into->container, data, error) != 0)
		return -1;
	/* Find the chunks after the JSON of a GLB. */
	if (into->container.is_glb) {
		uint64_t end = GLTF_HEAD_BYTES + GLTF_CHUNK_HEAD_BYTES + into->container.json_size;
		struct gltf_chunk chunk;
		bool extra = false;
		int result = gltf_container_skip(&into->container, end - anim_input_offset(input), error);

		while (result == 0 &&
		       (result = gltf_container_next(&into->container, &chunk.type, &chunk.size, &extra, error)) == 1) {
			chunk.at = anim_input_offset(input);
			result = anim_buffer_append(&into->chunks, &chunk, sizeof chunk, error) != 0
				     ? -1
				     : gltf_container_skip(&into->container, chunk.size, error);
		}
		if (result == 0 && extra)
			return anim_fail(error, ANIM_BAD_INPUT, "there are bytes after the GLB's length of %llu",
					 (unsigned long long)into->container.length);
		if (result != 0)
			return -1;
	}
	return gltf_tree_make(&into->asset, error);
}

static int read_file(struct gltf_into *into, struct anim_error *error)
{
	struct anim_input *input = NULL;
	int result = anim_input_open(&input, into->file, NULL, error);

	if (result == 0 && anim_sys_stat(into->file, &into->info) != 0)
		result = anim_fail_system(error, "read");
	if (result == 0)
		result = read_document(into, input, error);
	if (result == 0 && anim_input_was_gzip(input))
		result = anim_fail(error, ANIM_UNSUPPORTED, "it is gzip: unpack it first");
	anim_input_close(input);
	into->container.input = NULL;
	return result;
}

/* ---- Its nodes, with their numbers in the file ---- */

static const float *numbers_at(const struct gltf_asset *asset, struct gltf_run run)
{
	return run.count == 0 ? NULL : GLTF_AT(asset, numbers, float, run.first);
}

/* Return the weights of a node's mesh without animation: the weights of the node, or else of the mesh. */
static const float *weights_of(const struct gltf_asset *asset, const struct gltf_node *node,
			       const struct gltf_mesh *mesh)
{
	if (node->weights.count >= mesh->targets)
		return numbers_at(asset, node->weights);
	return mesh->weights.count >= mesh->targets ? numbers_at(asset, mesh->weights) : NULL;
}

/* Add a name of a node. A name of several nodes does not identify any of them. */
static int add_spelling(struct gltf_into *into, const char *name, uint32_t number, struct anim_error *error)
{
	uint32_t other;
	bool known = anim_map_get(&into->names, 0, name, strlen(name), &other);

	return anim_map_put(&into->names, 0, name, strlen(name), known ? GLTF_NONE : number, error);
}

/* Add the name itself, and the names that Godot's importer makes of it for a bone and for another node. */
static int add_name(struct gltf_into *into, const char *name, uint32_t number, struct anim_error *error)
{
	char *bone = anim_arena_text(&into->arena, name, strlen(name), error);
	const char *node = anim_godot_node(name, NULL, &into->arena, error);

	for (char *at = bone; at != NULL && *at != '\0'; at++)
		*at = *at == ':' ? '_' : *at;
	if (bone == NULL || node == NULL || add_spelling(into, name, number, error) != 0 ||
	    (strcmp(bone, name) != 0 && add_spelling(into, bone, number, error) != 0))
		return -1;
	return strcmp(node, name) == 0 || strcmp(node, bone) == 0 ? 0 : add_spelling(into, node, number, error);
}

/* Add all nodes of the file, with their names. Return 0 or -1. */
static int add_nodes(struct gltf_into *into, struct anim_error *error)
{
	struct gltf_out_nodes *nodes = &into->writer->nodes;

	for (uint32_t i = 0; i < gltf_node_count(&into->asset); i++) {
		const struct gltf_node *node = gltf_node_at(&into->asset, i);
		const struct gltf_mesh *mesh = gltf_mesh_at(&into->asset, node->mesh);
		struct anim_node from = {.type = "", .rotation = {0, 0, 0, 1}};
		struct gltf_out_node out = {.name = node->name, .human = node->human};

		if (mesh != NULL) {
			out.targets = mesh->targets;
			out.weights = weights_of(&into->asset, node, mesh);
		}
		/* A node outside the tree has no path, and an empty path never matches. */
		from.path = node->path_name == NULL ? "" : gltf_tree_path(&into->asset, i, error);
		if (from.path == NULL || (node->path_name != NULL && add_name(into, node->path_name, i, error) != 0))
			return -1;
		if (node->expression != NULL &&
		    anim_map_put(&into->names, 1, node->expression, strlen(node->expression), i, error) != 0)
			return -1;
		if (anim_buffer_append(&nodes->items, &out, sizeof out, error) != 0 ||
		    anim_rests_add(&nodes->rests, &from, error) != 0)
			return -1;
	}
	return 0;
}

/* ---- The nodes of the file that correspond to the stream's nodes ---- */

void gltf_into_tree(struct gltf_into *into)
{
	anim_rests_clear(&into->rests);
	into->numbers.size = 0;
}

/*
 * Return the node's number in the file, if the stream was made from it or from a copy. The node with this number must
 * also have the same name.
 */
static uint32_t by_number(const struct gltf_into *into, const struct anim_node *node)
{
	const char *text = anim_attrs_get(&node->attrs, "gltf.node");
	const struct gltf_node *found;
	uint64_t number;

	if (text == NULL || anim_number_uint64(text, text + strlen(text), &number) == NULL || number >= GLTF_NONE)
		return GLTF_NONE;
	found = gltf_node_at(&into->asset, number);
	if (found == NULL || found->path_name == NULL ||
	    (strcmp(node->path, ".") != 0 && !anim_node_same_name(node->path, found->path_name)))
		return GLTF_NONE;
	return (uint32_t)number;
}

/* Find a node by its path, or by its last name if exactly one node has it. */
static uint32_t by_path(const struct gltf_into *into, const char *root, const char *node)
{
	struct anim_rests *rests = &into->writer->nodes.rests;
	const struct anim_rest *rest = anim_rests_find(rests, root, node);
	const char *name = anim_path_last(node), *own = anim_node_own_name(node);
	uint32_t number = GLTF_NONE;

	if (rest != NULL)
		return (uint32_t)(rest - rests->items);
	if (!anim_map_get(&into->names, 0, name, strlen(name), &number))
		(void)anim_map_get(&into->names, 0, own, strlen(own), &number);
	return number;
}

int gltf_into_node(struct gltf_into *into, const struct anim_node *node, struct anim_error *error)
{
	uint32_t number = by_number(into, node);

	if (number == GLTF_NONE)
		number = by_path(into, ".", node->path);
	return anim_buffer_append(&into->numbers, &number, sizeof number, error) != 0
		   ? -1
		   : anim_rests_add(&into->rests, node, error);
}

int gltf_into_find(struct gltf_into *into, const struct anim_clip *clip, const struct anim_track *track,
		   uint32_t *number, struct anim_error *error)
{
	const struct anim_rest *rest = anim_rests_find(&into->rests, clip->root, track->node);

	*number = GLTF_NONE;
	if (rest != NULL)
		*number = ((const uint32_t *)(const void *)into->numbers.data)[rest - into->rests.items];
	if (*number == GLTF_NONE)
		*number = by_path(into, clip->root, track->node);
	if (*number == GLTF_NONE && into->missed == NULL &&
	    (into->missed = anim_arena_text(&into->arena, track->node, strlen(track->node), error)) == NULL)
		return -1;
	return anim_rests_check(&into->rests, error) != 0 ? -1 : *number != GLTF_NONE;
}

bool gltf_into_expression(const struct gltf_into *into, const char *name, uint32_t *node)
{
	return anim_map_get(&into->names, 1, name, strlen(name), node);
}

#define NUMBERED "morph_" /* prefix of the name of a blend shape without a name, before its number */

uint32_t gltf_into_target(const struct gltf_into *into, uint32_t node, const char *name)
{
	const struct gltf_node *from = gltf_node_at(&into->asset, node);
	const struct gltf_mesh *mesh = gltf_mesh_at(&into->asset, from->mesh);
	const char *number = anim_text_after(name, NUMBERED), *end;
	uint64_t target;

	for (uint32_t i = 0; mesh != NULL && i < mesh->names.count && i < mesh->targets; i++) {
		const char *own = *GLTF_AT(&into->asset, texts, const char *, mesh->names.first + i);

		if (own != NULL && strcmp(own, name) == 0)
			return i;
	}
	if (mesh == NULL || number == NULL)
		return GLTF_NONE;
	end = anim_number_uint64(number, number + strlen(number), &target);
	return end != NULL && *end == '\0' && target < mesh->targets ? (uint32_t)target : GLTF_NONE;
}

/* ---- Its animations ---- */

static int name_animations(struct gltf_into *into, struct anim_error *error)
{
	const char *base = anim_read_base_name(anim_path_last(into->file), &into->arena, error);
	uint32_t count = gltf_animation_count(&into->asset), unnamed = 0;

	into->unnamed = GLTF_NONE;
	into->bound = anim_zeroed((count + 1) * sizeof *into->bound, error);
	if (base == NULL || into->bound == NULL || gltf_name_animations(&into->asset, base, error) != 0)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		into->bound[i] = GLTF_NONE;
		if (gltf_animation_at(&into->asset, i)->is_unnamed)
			into->unnamed = unnamed++ == 0 ? i : GLTF_NONE;
	}
	return 0;
}

/*
 * Bind clips whose names the file does not have. If exactly one of them has no name, it replaces the only animation
 * without a name. The others are new. Return 0 or -1.
 */
static int bind_others(struct gltf_into *into, struct anim_error *error)
{
	const size_t *clips = (const size_t *)(const void *)into->added.data;
	size_t count = into->added.size / sizeof *clips, kept = 0, unnamed = 0;
	bool is_free = into->unnamed != GLTF_NONE && into->bound[into->unnamed] == GLTF_NONE;

	for (size_t i = 0; i < count; i++)
		unnamed += gltf_writer_clip(into->writer, clips[i])->unnamed;
	for (size_t i = 0; i < count; i++) {
		const struct gltf_out_clip *clip = gltf_writer_clip(into->writer, clips[i]);
		bool is_new = !(is_free && unnamed == 1 && clip->unnamed);
		struct anim_diagnostics *diagnostics = into->writer->options.diagnostics;
		const struct anim_scope *now;
		int result;

		if (is_new)
			((size_t *)(void *)into->added.data)[kept++] = clips[i];
		else
			into->bound[into->unnamed] = (uint32_t)clips[i];
		if (!is_new && anim_into_replaces(&into->writer->options.into,
						  gltf_animation_at(&into->asset, into->unnamed)->name, error) != 0)
			return -1;
		now = diagnostics->scope;
		diagnostics->scope = clip->scope;
		result = is_new ? anim_diagnostics_note(diagnostics, "clip", error, "'%s': new in %s", clip->name,
							into->file)
				: anim_diagnostics_note(diagnostics, NULL, error,
							"clip '%s', which has no name in its file, replaces the only "
							"animation without a name in %s",
							clip->name, into->file);
		diagnostics->scope = now;
		if (result != 0)
			return -1;
	}
	into->added.size = kept * sizeof *clips;
	return 0;
}

/*
 * Bind each clip to an animation of its name. `names` finds the first animation of a name that no clip has replaced yet,
 * or GLTF_NONE, and `next` links animations of the same name. Return 0 or -1.
 */
static int bind_clips(struct gltf_into *into, struct anim_map *names, struct anim_error *error)
{
	const struct gltf_writer *writer = into->writer;
	uint32_t count = gltf_animation_count(&into->asset), animation;
	uint32_t *next = anim_arena_zeroed(&into->arena, count + 1, sizeof *next, error);
	const char *own;
	bool any = false;
	const struct gltf_asset *asset = &into->asset;
	const struct gltf_node *last = NULL;

	if (next == NULL)
		return -1;
	for (uint32_t i = count; i-- > 0;) {
		own = gltf_animation_at(&into->asset, i)->own;
		next[i] = GLTF_NONE;
		(void)anim_map_get(names, 0, own, strlen(own), &next[i]);
		if (anim_map_put(names, 0, own, strlen(own), i, error) != 0)
			return -1;
	}
	for (size_t clip = 0; clip < writer->clips.size / sizeof(struct gltf_out_clip); clip++) {
		const struct gltf_out_clip *written = gltf_writer_clip(writer, clip);

		if (written->channels == 0)
			continue;
		any = true;
		if (!anim_map_get(names, 0, written->name, strlen(written->name), &animation) ||
		    animation == GLTF_NONE) {
			if (anim_buffer_append(&into->added, &clip, sizeof clip, error) != 0)
				return -1;
			continue;
		}
		into->bound[animation] = (uint32_t)clip;
		own = gltf_animation_at(&into->asset, animation)->own; /* this name exists as long as the map */
		if (anim_into_replaces(&writer->options.into, gltf_animation_at(&into->asset, animation)->name,
				       error) != 0 ||
		    anim_map_put(names, 0, own, strlen(own), next[animation], error) != 0)
			return -1;
	}
	if (any)
		return bind_others(into, error);
	/* Fail, and name a node of the stream and one of the file, to show which names differ. */
	for (uint32_t i = 0; i < gltf_node_count(asset); i++)
		if (gltf_node_at(asset, i)->path_name != NULL)
			last = gltf_node_at(asset, i);
	if (into->missed == NULL || last == NULL)
		anim_fail(error, ANIM_BAD_INPUT, "no track of the stream drives a node of the file");
	else
		anim_fail(
		    error, ANIM_BAD_INPUT,
		    "no track drives a node of the file: the input has '%.100s', the file has '%.100s'; " ANIM_ADVICE(
			OTHER_CHARACTER),
		    into->missed, last->path_name);
	return anim_error_in_file(error, into->file);
}

/* ---- Members of channels and samplers, which are kept if the clip drives the same property ---- */

/* An animation that is being replaced. */
struct keeping {
	struct gltf_into *into;
	struct anim_error *error;
	uint32_t number, clip;
	const struct gltf_animation *animation;
	const char *text;           /* of the animation */
	struct anim_map properties; /* property -> the first channel that drives it */
	struct anim_arena arena;
	bool *kept_channels, *kept_samplers;
};

static struct gltf_channel *channel_at(const struct keeping *k, uint32_t i)
{
	return GLTF_AT(&k->into->asset, channels, struct gltf_channel, k->animation->channels.first + i);
}

/* Return the sampler of that number in the animation, or NULL. */
static struct gltf_sampler *sampler_at(const struct keeping *k, uint32_t i)
{
	return i < k->animation->samplers.count
		   ? GLTF_AT(&k->into->asset, samplers, struct gltf_sampler, k->animation->samplers.first + i)
		   : NULL;
}

static bool has_members(const struct gltf_channel *channel)
{
	return channel->others.count > 0 || channel->target_has_others;
}

/*
 * Return the file's channel for the property that a channel drives. Return GLTF_NONE if the file has none, or if out of
 * memory.
 */
static uint32_t channel_for(struct keeping *k, const struct gltf_out_channel *channel)
{
	const char *pointer = channel->pointer;
	uint32_t found = GLTF_NONE;

	if (channel->path != GLTF_POINTER) {
		(void)anim_map_get(&k->properties, channel->path, &channel->node, sizeof channel->node, &found);
		return found;
	}
	if (pointer == NULL)
		pointer = anim_arena_printf(&k->arena, k->error, "/nodes/%u/extensions/KHR_node_visibility/visible",
					    channel->node);
	if (pointer != NULL)
		(void)anim_map_get(&k->properties, GLTF_POINTER, pointer, strlen(pointer), &found);
	return found;
}

/* Return the text of members in the file, with a comma before each: ",\"extras\":{}". Return NULL if out of memory. */
static const char *members_text(struct keeping *k, struct gltf_run run)
{
	struct anim_buffer text = {0};
	char *copy = NULL;
	int result = 0;

	for (uint32_t i = 0; i < run.count && result == 0; i++) {
		const struct gltf_range *member = GLTF_AT(&k->into->asset, members, struct gltf_range, run.first + i);
		const char *at = k->text + (member->from - k->animation->text.from);
		const char *end = k->text + (member->to - k->animation->text.from);

		at += strcspn(at, "\""); /* skip the comma and the blanks before the name */
		result = anim_buffer_append_text(&text, ",", k->error);
		if (result == 0)
			result = anim_buffer_append(&text, at, (size_t)(end - at), k->error);
	}
	if (result == 0)
		copy = anim_arena_text(&k->into->arena, (const char *)text.data, text.size, k->error);
	anim_buffer_clear(&text);
	return copy;
}

static int keep_channel(struct keeping *k, struct gltf_out_channel *out)
{
	uint32_t number = channel_for(k, out);
	const struct gltf_channel *channel = number == GLTF_NONE ? NULL : channel_at(k, number);
	const struct gltf_sampler *sampler = channel == NULL ? NULL : sampler_at(k, channel->sampler);

	if (channel == NULL)
		return k->error->code != ANIM_OK ? -1 : 0;
	k->kept_channels[number] = true;
	if (channel->target_has_others &&
	    (out->kept_target =
		 anim_arena_text(&k->into->arena, k->text + (channel->target_text.from - k->animation->text.from),
				 (size_t)(channel->target_text.to - channel->target_text.from), k->error)) == NULL)
		return -1;
	if (channel->others.count > 0 && (out->kept_members = members_text(k, channel->others)) == NULL)
		return -1;
	if (sampler == NULL || sampler->others.count == 0 || k->kept_samplers[channel->sampler])
		return 0;
	k->kept_samplers[channel->sampler] = true;
	return (out->kept_sampler_members = members_text(k, sampler->others)) == NULL ? -1 : 0;
}

static int warn(const struct keeping *k, const char *list, uint32_t number)
{
	return anim_diagnostics_warn(
	    k->into->writer->options.diagnostics, "channel", k->error,
	    "animations[%u].%s[%u]: extras and extensions are lost, because the clip has no such track" ANIM_DETAIL
	    " (%s)",
	    k->number, list, number, k->into->file);
}

/*
 * Warn of events that cannot be written. Members of the animation other than channels and samplers stay unchanged, so
 * extras that are not an object cannot hold events.
 */
static int warn_of_events(const struct keeping *k)
{
	const struct gltf_animation *animation = k->animation;
	struct anim_diagnostics *diagnostics = k->into->writer->options.diagnostics;

	if (!gltf_is_animation(animation))
		return !animation->has_others && animation->extras_text.to == 0
			   ? 0
			   : anim_diagnostics_warn(diagnostics, "animation", k->error,
						   "animations[%u]: replaced without extras and extensions, because "
						   "there were no channels or no samplers" ANIM_DETAIL " (%s)",
						   k->number, k->into->file);
	if (!gltf_writer_clip(k->into->writer, k->clip)->events || animation->extras_text.to == 0 ||
	    animation->extras_is_object)
		return 0;
	return anim_diagnostics_warn(
	    diagnostics, "clip", k->error,
	    "events are left out, because the extras of the animation in the file are not an object" ANIM_DETAIL
	    " (animations[%u] of %s)",
	    k->number, k->into->file);
}

/* Keep members of channels and samplers. *at is the position of the input in the file. */
static int keep_members(struct keeping *k, struct anim_input *input, uint64_t *at)
{
	const struct gltf_writer *writer = k->into->writer;
	const struct gltf_out_clip *clip = gltf_writer_clip(writer, k->clip);
	struct gltf_range text = k->animation->text;
	struct anim_output *memory = NULL;
	size_t size;
	int result = anim_output_open_memory(&memory, k->error);

	if (result == 0)
		result = anim_edit_pass(input, text.from - *at, NULL, k->error);
	if (result == 0)
		result = anim_edit_pass(input, text.to - text.from, memory, k->error);
	*at = text.to;
	k->kept_channels = anim_arena_zeroed(&k->arena, k->animation->channels.count + 1, sizeof(bool), k->error);
	k->kept_samplers = anim_arena_zeroed(&k->arena, k->animation->samplers.count + 1, sizeof(bool), k->error);
	if (k->kept_channels == NULL || k->kept_samplers == NULL)
		result = -1;
	if (result == 0)
		k->text = (const char *)anim_output_memory(memory, &size);
	/* The first channel of several for a property counts. */
	for (uint32_t i = k->animation->channels.count; i-- > 0 && result == 0;) {
		const struct gltf_channel *channel = channel_at(k, i);
		const char *pointer = channel->path == GLTF_POINTER ? channel->pointer : NULL;
		const void *key = pointer != NULL ? (const void *)pointer : &channel->node;

		result = anim_map_put(&k->properties, channel->path, key,
				      pointer != NULL ? strlen(pointer) : sizeof channel->node, i, k->error);
	}
	for (uint32_t i = clip->first; i != GLTF_NONE && result == 0; i = gltf_writer_channel(writer, i)->next)
		result = keep_channel(k, gltf_writer_channel(writer, i));
	anim_output_free(memory);
	if (result != 0)
		return -1;

	/* Warn of the members that are lost. */
	for (uint32_t i = 0; i < k->animation->channels.count; i++)
		if (has_members(channel_at(k, i)) && !k->kept_channels[i] && warn(k, "channels", i) != 0)
			return -1;
	for (uint32_t i = 0; i < k->animation->samplers.count; i++)
		if (sampler_at(k, i)->others.count > 0 && !k->kept_samplers[i] && warn(k, "samplers", i) != 0)
			return -1;
	return 0;
}

static int keep_all(struct gltf_into *into, struct anim_error *error)
{
	struct anim_diagnostics *diagnostics = into->writer->options.diagnostics;
	const struct anim_scope *now = diagnostics->scope;
	struct anim_input *input = NULL;
	uint64_t at = 0;
	int result = 0;

	for (uint32_t i = 0; i < gltf_animation_count(&into->asset) && result == 0; i++) {
		struct keeping k = {.into = into,
				    .error = error,
				    .number = i,
				    .clip = into->bound[i],
				    .animation = gltf_animation_at(&into->asset, i)};
		bool any = false;

		if (k.clip == GLTF_NONE)
			continue;
		diagnostics->scope = gltf_writer_clip(into->writer, k.clip)->scope;
		result = warn_of_events(&k);
		for (uint32_t c = 0; c < k.animation->channels.count && !any; c++)
			any = has_members(channel_at(&k, c));
		for (uint32_t s = 0; s < k.animation->samplers.count && !any; s++)
			any = sampler_at(&k, s)->others.count > 0;
		if (result != 0 || !any)
			continue;
		/* Open the file at the beginning of its document. */
		if (input == NULL) {
			result = anim_input_open(&input, into->file, NULL, error);
			if (result == 0 && into->container.is_glb)
				result = anim_edit_pass(input, GLTF_HEAD_BYTES + GLTF_CHUNK_HEAD_BYTES, NULL, error);
		}
		if (result == 0)
			result = keep_members(&k, input, &at);
		anim_map_clear(&k.properties);
		anim_arena_clear(&k.arena);
	}
	diagnostics->scope = now;
	anim_input_close(input);
	return result;
}

int gltf_into_bind(struct gltf_into *into)
{
	struct anim_map names = {0};
	struct anim_error *error = into->writer->error;
	int result = bind_clips(into, &names, error);

	if (result == 0)
		result = keep_all(into, error);
	anim_map_clear(&names);
	return result;
}

/* ---- Beginning and end ---- */

bool gltf_into_uses(const struct gltf_into *into, const char *extension)
{
	for (uint32_t i = 0; i < GLTF_COUNT(&into->asset, used, const char *); i++)
		if (strcmp(*GLTF_AT(&into->asset, used, const char *, i), extension) == 0)
			return true;
	return false;
}

struct gltf_into *gltf_into_new(struct gltf_writer *writer, struct anim_error *error)
{
	struct gltf_into *into = anim_zeroed(sizeof *into, error);

	if (into == NULL)
		return NULL;
	into->writer = writer;
	into->file = writer->options.into.file;
	anim_spool_init(&into->data.spool, writer->options.store_memory);
	if (read_file(into, error) != 0 || add_nodes(into, error) != 0 || name_animations(into, error) != 0) {
		anim_error_in_file(error, into->file);
		gltf_into_free(into);
		return NULL;
	}
	/* programs that play the file support it */
	writer->options.pointers |= gltf_into_uses(into, "KHR_animation_pointer");
	writer->first_accessor = GLTF_COUNT(&into->asset, accessors, struct gltf_accessor);
	writer->view = GLTF_COUNT(&into->asset, views, struct gltf_view);
	return into;
}

void gltf_into_free(struct gltf_into *into)
{
	if (into == NULL)
		return;
	gltf_asset_clear(&into->asset);
	gltf_data_clear(&into->data);
	anim_buffer_clear(&into->chunks);
	anim_buffer_clear(&into->numbers);
	anim_buffer_clear(&into->added);
	anim_arena_clear(&into->arena);
	anim_rests_clear(&into->rests);
	anim_map_clear(&into->names);
	free(into->bound);
	free(into);
}

int anim_gltf_into(struct anim_write_options *options, struct anim_error *error)
{
	struct anim_input *input = NULL;
	const uint8_t *at;
	int result;

	options->into.several = true;
	result = anim_input_open(&input, options->into.file, NULL, error);

	if (result == 0 && anim_input_peek(input, 1, &at, error) < 0)
		result = -1;
	anim_input_close(input);
	return result == 0 ? 0 : anim_error_in_file(error, options->into.file);
}
