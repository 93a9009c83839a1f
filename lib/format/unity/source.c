/* source.c: read the documents of one file: its clips, their players, and its scene. */
#include "format/unity/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/path.h"
#include "base/text.h"
#include "format/unity/model.h"
#include "format/unity/names.h"

/* A file that is being read. */
struct source_reading {
	struct unity_run *run;
	struct unity_source *source;
	struct unity_file *file;
	const char *base_name;
	const struct unity_document *document; /* the current one */
	struct anim_buffer refs;               /* struct unity_reference: its references, for links and players */
	struct anim_arena scratch;             /* for the document */
};

/* ---- Texts and messages of a run ---- */

const char *unity_keep(struct unity_run *run, const char *text)
{
	return anim_arena_text(&run->arena, text, strlen(text), run->error);
}

void *unity_keep_items(struct unity_run *run, const struct anim_buffer *items)
{
	return anim_arena_text(&run->arena, items->size == 0 ? "" : (const char *)items->data, items->size, run->error);
}

int unity_say(const struct unity_run *run, const struct unity_source *source, enum anim_severity severity,
	      uint32_t line, const char *noun, const char *format, ...)
{
	struct anim_place place = {.file = source->shown, .at = line == 0 ? ANIM_AT_FILE : ANIM_AT_LINE};
	char text[sizeof run->error->message];
	va_list args;

	place.line = line;
	place.column = 1;
	if (severity == ANIM_FAULT && run->options->keep_going)
		severity = ANIM_WARNING;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return anim_diagnostics_add(run->options->diagnostics, severity, &place, noun, run->error, "%s", text);
}

/*
 * Convert an error of one document to a message. Returns 0 if it was reported. Returns -1 with the unchanged error if
 * it is of another kind, or -1 if there were too many.
 */
static int report(const struct unity_run *run, const struct unity_source *source, enum anim_severity severity)
{
	const struct anim_error fault = *run->error;
	struct anim_place place = {
	    .file = source->shown, .at = fault.at, .line = fault.line, .column = fault.column, .offset = fault.offset};

	if (fault.at != ANIM_AT_LINE || !anim_error_is_of_input(&fault))
		return -1;
	if (severity == ANIM_FAULT && run->options->keep_going)
		severity = ANIM_WARNING;
	if (anim_diagnostics_add(run->options->diagnostics, severity, &place, NULL, run->error, "%s", fault.message) !=
	    0)
		return -1;
	*run->error = (struct anim_error){0};
	return 0;
}

/* ---- Ids in a file ---- */

bool unity_id_get(const struct unity_source *source, int64_t id, const char *family, uint32_t *number)
{
	return anim_map_get(&source->ids, (uint64_t)id, family, strlen(family), number);
}

int unity_id_put(struct unity_source *source, int64_t id, const char *family, uint32_t number, struct anim_error *error)
{
	return anim_map_put(&source->ids, (uint64_t)id, family, strlen(family), number, error);
}

void *unity_item_add(struct unity_run *run, struct unity_source *source, struct anim_buffer *items, const void *item,
		     size_t size, int64_t id, const char *family)
{
	uint32_t number = (uint32_t)(items->size / size);

	if (anim_buffer_append(items, item, size, run->error) != 0 ||
	    unity_id_put(source, id, family, number, run->error) != 0)
		return NULL;
	return items->data + number * size;
}

/* ---- References: controllers, blend trees, timelines, components ---- */

/* Classes that timelines play besides clips. The main asset of a file has its class times 100000 as its number. */
#define UNITY_AUDIO_CLIP 83
#define UNITY_VIDEO_CLIP 329
#define MAIN_ASSET(class_id) ((int64_t)(class_id)*100000)

struct unity_player *unity_player_of(const struct unity_source *source, int64_t id)
{
	uint32_t number;

	return unity_id_get(source, id, UNITY_ID_PLAYER, &number) ? unity_player_at(source, number) : NULL;
}

/* Add the place of a node to the error. Returns -1. */
static int fail_at(const struct source_reading *at, const struct unity_node *node)
{
	struct anim_place place;

	if (at->run->error->at == ANIM_AT_LINE || node == NULL)
		return -1;
	unity_place(at->file, node, &place);
	return anim_error_at(at->run->error, &place);
}

static int get_reference(const struct source_reading *at, const struct unity_node *node,
			 struct unity_reference *reference)
{
	int got = unity_reference_read(node, reference, at->run->error);

	if (got == 0)
		*reference = (struct unity_reference){0};
	return got < 0 ? fail_at(at, node) : got;
}

/* Append a reference. If `holes`, empty references are also kept, because they may be part of a pair. */
static int gather(struct source_reading *at, const struct unity_node *node, bool holes)
{
	struct unity_reference reference;
	int got = get_reference(at, node, &reference);

	if (got < 0 || (reference.file_id == 0 && !holes))
		return got < 0 ? -1 : 0;
	return anim_buffer_append(&at->refs, &reference, sizeof reference, at->run->error);
}

/* Append the references in a member of each item of a list, or the items themselves if `member` is NULL. */
static int gather_list(struct source_reading *at, const struct unity_node *list, const char *member)
{
	const struct unity_node *item = unity_items(list);

	for (; item != NULL; item = item->next)
		if (gather(at, member == NULL ? item : unity_get(item, member), false) != 0)
			return -1;
	return 0;
}

/* Append the state machines of layers. A synchronised layer has its own motions for the states of another one. */
static int gather_layers(struct source_reading *at, const struct unity_node *layers)
{
	const struct unity_node *layer = layers == NULL ? NULL : layers->first;

	for (; layer != NULL; layer = layer->next)
		if (gather(at, unity_get(layer, "m_StateMachine"), false) != 0 ||
		    gather_list(at, unity_get(layer, "m_Motions"), "m_Motion") != 0)
			return -1;
	return 0;
}

/* The members of documents that refer to states, motions and further state machines. */
static const struct link_member {
	int32_t class_id;
	const char *name;
	bool is_list;
	const char *member; /* of a list's items (NULL: the items themselves) */
} link_members[] = {
    {UNITY_STATE_MACHINE, "m_ChildStates", true, "m_State"},
    {UNITY_STATE_MACHINE, "m_States", true, NULL}, /* Unity 4 */
    {UNITY_STATE_MACHINE, "m_ChildStateMachines", true, "m_StateMachine"},
    {UNITY_STATE_MACHINE, "m_ChildStateMachine", true, NULL}, /* Unity 4 */
    {UNITY_STATE, "m_Motion", false, NULL},
    {UNITY_STATE, "m_Motions", true, NULL}, /* Unity 4 */
    {UNITY_BLEND_TREE, "m_Childs", true, "m_Motion"},
};

static int add_links(struct source_reading *at, struct unity_links *links)
{
	struct anim_buffer *all = &at->source->players.links;

	links->id = at->document->id;
	links->line = at->document->line;
	links->count = at->refs.size / sizeof *links->refs;
	links->refs = unity_keep_items(at->run, &at->refs);
	if (links->refs == NULL ||
	    unity_item_add(at->run, at->source, all, links, sizeof *links, links->id, UNITY_ID_LINKS) == NULL)
		return -1;
	return 0;
}

/* Read a number of a state. Values that are not numbers are ignored. */
static float state_number(const struct unity_node *root, const char *member, float usual)
{
	struct anim_error none = {0};
	float value = usual;

	return unity_float(root, member, &value, &none) < 0 ? usual : value;
}

static int report_setting(const struct source_reading *at, const char *name, const char *member, const char *text)
{
	return unity_say(at->run, at->source, ANIM_NOTE, at->document->line, "state", "'%s' (%s): %s", name, member,
			 text) != 0 ||
		       unity_say_name(at->run, "%s of '%s'", member, name) != 0
		   ? -1
		   : 0;
}

/* Report settings of a controller's state that are not part of the clip. Returns 0 or -1. */
static int report_state(const struct source_reading *at, const struct unity_node *root)
{
	static const struct {
		const char *member;
		float usual;
	} settings[] = {{"m_Speed", 1}, {"m_Mirror", 0}, {"m_CycleOffset", 0}};
	const char *name = unity_text(root, "m_Name", "");

	for (size_t i = 0; i < ANIM_COUNT(settings); i++) {
		float value = state_number(root, settings[i].member, settings[i].usual);

		if (value == settings[i].usual)
			continue;
		if (unity_say(at->run, at->source, ANIM_NOTE, at->document->line, "state",
			      "'%s' (%s %g): the setting is not kept; the clip is read unchanged", name,
			      settings[i].member, (double)value) != 0 ||
		    unity_say_name(at->run, "%s of '%s'", settings[i].member, name) != 0)
			return -1;
	}
	return 0;
}

/*
 * Keep the settings of a state for its clip. A clip has no negative speed. Parameters change settings while the game runs, so
 * their states play as they do at the start. Returns 0 or -1.
 */
static int keep_state(struct source_reading *at, const struct unity_node *root)
{
	static const char *const parameters[] = {"m_SpeedParameterActive", "m_MirrorParameterActive",
						 "m_CycleOffsetParameterActive", "m_TimeParameterActive"};
	struct unity_placement state = {.asset = at->document->id,
					.line = at->document->line,
					.name = unity_keep(at->run, unity_text(root, "m_Name", "")),
					.speed = state_number(root, "m_Speed", 1),
					.is_state = true,
					.mirrors = state_number(root, "m_Mirror", 0) != 0,
					.cycle_offset = state_number(root, "m_CycleOffset", 0)};

	if (state.name == NULL)
		return -1;
	if (state_number(root, "m_TimeParameterActive", 0) != 0)
		state.speed = 1;
	if (!(state.speed > 0) || !isfinite(state.speed)) {
		if (report_setting(at, state.name, "m_Speed",
				   "the clip is not played backwards or stopped; its direction is unchanged") != 0)
			return -1;
		state.speed = state.speed < 0 && isfinite(state.speed) ? -state.speed : 1;
	}
	for (size_t i = 0; i < ANIM_COUNT(parameters); i++)
		if (state_number(root, parameters[i], 0) != 0 &&
		    report_setting(at, state.name, parameters[i],
				   "a parameter of the game is not known; the clip is read without it") != 0)
			return -1;
	return unity_item_add(at->run, at->source, &at->source->players.placements, &state, sizeof state, state.asset,
			      UNITY_ID_PLACED) == NULL
		   ? -1
		   : 0;
}

/* Read a controller or a part of one. Returns 0 or -1. */
static int read_links(struct source_reading *at, const struct unity_node *root)
{
	const struct unity_node *clips = unity_get(root, "m_Clips"), *pair;
	bool is_controller = at->document->class_id == UNITY_CONTROLLER;
	struct unity_links links = {.is_override = at->document->class_id == UNITY_OVERRIDE_CONTROLLER};

	links.is_top = is_controller || links.is_override;
	if (at->document->class_id == UNITY_STATE && !at->run->is_graph &&
	    (at->run->options->states ? keep_state(at, root) : report_state(at, root)) != 0)
		return -1;
	if (is_controller && (gather_layers(at, unity_get(root, "m_AnimatorLayers")) != 0 ||
			      gather_layers(at, unity_get(root, "m_Layers")) != 0)) /* before Unity 4.3 */
		return -1;
	if (links.is_override) {
		if (gather(at, unity_get(root, "m_Controller"), true) != 0)
			return -1;
		for (pair = clips == NULL ? NULL : clips->first; pair != NULL; pair = pair->next)
			if (gather(at, unity_get(pair, "m_OriginalClip"), true) != 0 ||
			    gather(at, unity_get(pair, "m_OverrideClip"), true) != 0)
				return -1;
	}
	for (size_t i = 0; i < ANIM_COUNT(link_members); i++) {
		const struct link_member *row = &link_members[i];
		const struct unity_node *node = unity_get(root, row->name);

		if (row->class_id == at->document->class_id &&
		    (row->is_list ? gather_list(at, node, row->member) : gather(at, node, false)) != 0)
			return -1;
	}
	return add_links(at, &links);
}

static int read_bindings(struct source_reading *at, const struct unity_node *list, struct unity_player *player)
{
	const struct unity_node *item = unity_items(list);

	if (item == NULL)
		return 0;
	player->bindings = anim_arena_zeroed(&at->run->arena, list->count, sizeof *player->bindings, at->run->error);
	if (player->bindings == NULL)
		return -1;
	for (; item != NULL; item = item->next) {
		struct unity_track_binding *binding = &player->bindings[player->binding_count];
		struct unity_reference target;

		if (get_reference(at, unity_get(item, "key"), &binding->track) < 0 ||
		    get_reference(at, unity_get(item, "value"), &target) < 0)
			return -1;
		binding->target = target.file_id;
		player->binding_count += binding->track.file_id != 0;
	}
	return 0;
}

/* Read a component that plays. A stripped one represents one of a prefab, which comes with its instance. */
static int read_player(struct source_reading *at, const struct unity_node *root)
{
	struct anim_buffer *all = &at->source->players.players;
	struct unity_player player = {.id = at->document->id, .line = at->document->line, .home = at->source};
	struct unity_reference object;

	if (at->document->stripped)
		return 0;
	if (get_reference(at, unity_get(root, "m_GameObject"), &object) < 0)
		return -1;
	if (at->document->class_id == UNITY_ANIMATION) {
		if (unity_int64(root, "m_WrapMode", &player.wrap, at->run->error) < 0)
			return fail_at(at, unity_get(root, "m_WrapMode"));
		/* The clip that an Animation starts with is usually also in its list. */
		if (gather(at, unity_get(root, "m_Animation"), false) != 0 ||
		    gather_list(at, unity_get(root, "m_Animations"), NULL) != 0)
			return -1;
	} else if (at->document->class_id == UNITY_ANIMATOR) {
		if (unity_reference_read(unity_get(root, "m_Avatar"), &player.avatar, NULL) <= 0)
			player.avatar = (struct unity_reference){0};
		if (gather(at, unity_get(root, "m_Controller"), false) != 0)
			return -1;
	} else if (gather(at, unity_get(root, "m_PlayableAsset"), false) != 0 ||
		   read_bindings(at, unity_get(root, "m_SceneBindings"), &player) != 0) {
		return -1;
	}
	player.count = at->refs.size / sizeof *player.refs;
	player.refs = unity_keep_items(at->run, &at->refs);
	player.object = object.file_id;
	if (player.refs == NULL ||
	    unity_item_add(at->run, at->source, all, &player, sizeof player, player.id, UNITY_ID_PLAYER) == NULL)
		return -1;
	return 0;
}

static bool is_component(int32_t class_id)
{
	return class_id == UNITY_ANIMATOR || class_id == UNITY_ANIMATION || class_id == UNITY_DIRECTOR;
}

/* Return true for fields of a timeline, of its tracks and of the clips on them. */
static bool is_of_timeline(void *context, const char *name)
{
	static const char *const names[] = {"m_Tracks", "m_Children",     "m_InfiniteClip", "m_AnimClip",
					    "m_Clips",  "m_DurationMode", "m_Clip",         "clip"};

	(void)context;
	return anim_text_is_one_of(name, names, ANIM_COUNT(names));
}

/* Keep the place of a clip on a track. Missing numbers and texts that are not numbers count as the defaults. */
static int keep_placement(struct source_reading *at, const struct unity_node *clip)
{
	static const char *const fades[] = {"m_EaseInDuration", "m_EaseOutDuration", "m_BlendInDuration",
					    "m_BlendOutDuration"};
	struct unity_placement placed = {.line = clip->line, .duration_s = -1, .speed = 1};
	struct unity_reference asset;
	struct anim_error none = {0};

	if (unity_reference_read(unity_get(clip, "m_Asset"), &asset, &none) <= 0)
		return 0;
	placed.asset = asset.file_id;
	placed.name = unity_keep(at->run, unity_text(clip, "m_DisplayName", ""));
	(void)unity_float(clip, "m_Start", &placed.start_s, &none);
	(void)unity_float(clip, "m_ClipIn", &placed.clip_in_s, &none);
	if (unity_float(clip, "m_Duration", &placed.duration_s, &none) <= 0) /* in Unity 2017 */
		(void)unity_float(clip, "m_HackDuration", &placed.duration_s, &none);
	(void)unity_float(clip, "m_TimeScale", &placed.speed, &none);
	for (size_t i = 0; i < ANIM_COUNT(fades); i++) {
		float fade_s = 0;

		placed.fades |= unity_float(clip, fades[i], &fade_s, &none) > 0 && fade_s > 0;
	}
	/* The player of the engine has the same limits. */
	placed.speed = placed.speed >= 0.001f && placed.speed <= 1000 ? placed.speed : 1;
	if (!isfinite(placed.start_s) || !isfinite(placed.clip_in_s) || !isfinite(placed.duration_s))
		placed.start_s = placed.clip_in_s = 0, placed.duration_s = -1;
	return placed.name != NULL && unity_item_add(at->run, at->source, &at->source->players.placements, &placed,
						     sizeof placed, placed.asset, UNITY_ID_PLACED) != NULL
		   ? 0
		   : -1;
}

static int gather_script_field(struct source_reading *at, const struct unity_field *field, struct unity_links *links)
{
	const struct unity_node *node = field->node;

	if (strcmp(field->name, "m_DurationMode") == 0)
		links->is_top = true;
	else if (field->is_item && strcmp(field->name, "m_Clips") == 0 && unity_get(node, "m_Asset") != NULL) {
		/* The curves change the settings of the clip. */
		if (gather(at, unity_get(node, "m_Asset"), false) != 0 || keep_placement(at, node) != 0)
			return -1;
		return gather(at, unity_get(node, "m_AnimationCurves"), false);
	} else if (field->is_item ? unity_get(node, "fileID") != NULL && strcmp(field->name, "m_Clips") != 0
				  : node->kind == UNITY_MAP && unity_get(node, "fileID") != NULL) {
		struct unity_reference reference;
		int got = get_reference(at, node, &reference);

		/* Audio and video clips, recognised by the number of their main asset, have no curves. */
		if (got > 0 && (reference.file_id == MAIN_ASSET(UNITY_AUDIO_CLIP) ||
				reference.file_id == MAIN_ASSET(UNITY_VIDEO_CLIP)))
			return 0;
		return got < 0 ? -1 : gather(at, node, false);
	}
	return 0;
}

/* ---- GameObjects, Transforms and the order of roots ---- */

struct unity_object *unity_object_of(const struct unity_source *source, int64_t id)
{
	uint32_t number;

	return unity_id_get(source, id, UNITY_ID_OBJECT, &number) ? unity_object_at(&source->scene, number) : NULL;
}

struct unity_transform *unity_transform_of(const struct unity_source *source, int64_t id)
{
	uint32_t number;

	return unity_id_get(source, id, UNITY_ID_TRANSFORM, &number) ? unity_transform_at(&source->scene, number)
								     : NULL;
}

/*
 * Return a fileID, or 0 if the node is not a reference. That is not a fault here, because as much of the tree as
 * possible is read.
 */
static int64_t file_id(const struct unity_node *node)
{
	struct unity_reference reference;

	return unity_reference_read(node, &reference, NULL) > 0 ? reference.file_id : 0;
}

static const struct unity_node *either(const struct unity_node *map, const char *name, const char *older)
{
	const struct unity_node *node = unity_get(map, name);

	return node != NULL ? node : unity_get(map, older);
}

/* Read the object that a stripped document represents. Before Unity 2018.3, the members had other names. */
static void read_stand_in(const struct unity_node *root, struct unity_stand_in *stand_in)
{
	stand_in->instance = file_id(either(root, "m_PrefabInstance", "m_PrefabInternal"));
	stand_in->source = file_id(either(root, "m_CorrespondingSourceObject", "m_PrefabParentObject"));
}

/* Read the fileIDs of a list into the run's arena. */
static int read_ids(struct source_reading *reading, const struct unity_node *list, const int64_t **ids, size_t *count)
{
	const struct unity_node *item = unity_items(list);
	int64_t *out;

	*count = 0;
	if (item == NULL)
		return 0;
	out = anim_arena_zeroed(&reading->run->arena, list->count, sizeof *out, reading->run->error);
	if (out == NULL)
		return -1;
	for (; item != NULL; item = item->next)
		out[(*count)++] = file_id(item);
	*ids = out;
	return 0;
}

static int read_object(struct source_reading *reading, const struct unity_node *root)
{
	const struct unity_node *list = unity_get(root, "m_Component"), *item = unity_items(list);
	struct unity_object object = {
	    .id = reading->document->id, .line = reading->document->line, .transform = UNITY_NONE};
	const char *name = unity_text(root, "m_Name", "");
	int64_t active = 1, *ids = NULL;

	(void)unity_int64(root, "m_IsActive", &active, NULL);
	object.inactive = active == 0;
	object.stripped = reading->document->stripped;
	read_stand_in(root, &object.stand_in);
	if (!object.stripped && name[0] != '\0' && (object.name = unity_keep(reading->run, name)) == NULL)
		return -1;
	if (item != NULL &&
	    (ids = anim_arena_zeroed(&reading->run->arena, list->count, sizeof *ids, reading->run->error)) == NULL)
		return -1;
	object.components = ids;
	for (; item != NULL; item = item->next) {
		const struct unity_node *reference = item->kind == UNITY_MAP ? item->first : NULL;
		int64_t class_id, id = file_id(reference);
		uint32_t known;

		ids[object.component_count++] = id;
		/* Record the class in an old "- 23: {fileID: 11}": the document of the component may be missing. */
		if (reference != NULL && unity_parse_id(reference->key, strlen(reference->key), &class_id) &&
		    class_id > 0 && class_id <= INT32_MAX && unity_kind_is((int32_t)class_id) &&
		    !unity_id_get(reading->source, id, UNITY_ID_COMPONENT, &known) &&
		    unity_id_put(reading->source, id, UNITY_ID_COMPONENT, (uint32_t)class_id, reading->run->error) != 0)
			return -1;
	}
	if (unity_item_add(reading->run, reading->source, &reading->source->scene.objects, &object, sizeof object,
			   object.id, UNITY_ID_OBJECT) == NULL)
		return -1;
	return 0;
}

/* Return true if the member exists up to its last component. Missing components before that stay unchanged. */
static bool read_vector(const struct unity_node *root, const char *key, unsigned components, float *to)
{
	float values[4] = {0};
	unsigned count = 0;

	memcpy(values, to, components * sizeof *to);
	if (unity_vector(root, key, values, &count, NULL) <= 0 || count < components)
		return false;
	memcpy(to, values, components * sizeof *to);
	return true;
}

const char *const unity_rect_names[5] = {"m_AnchorMin", "m_AnchorMax", "m_AnchoredPosition", "m_SizeDelta", "m_Pivot"};

static int read_transform(struct source_reading *reading, const struct unity_node *root)
{
	struct unity_transform transform = {.id = reading->document->id,
					    .line = reading->document->line,
					    .sibling = UNITY_LAST,
					    .number = UNITY_NONE,
					    .rotation = {0, 0, 0, 1},
					    .scale = {1, 1, 1}};

	transform.is_rect = reading->document->class_id == UNITY_RECT_TRANSFORM;
	transform.has_rect = transform.is_rect;
	for (size_t i = 0; i < ANIM_COUNT(unity_rect_names); i++)
		transform.has_rect = transform.has_rect && read_vector(root, unity_rect_names[i], 2, transform.rect[i]);
	transform.stripped = reading->document->stripped;
	read_stand_in(root, &transform.stand_in);
	transform.object = file_id(unity_get(root, "m_GameObject"));
	transform.parent = file_id(unity_get(root, "m_Father"));
	(void)unity_int64(root, "m_RootOrder", &transform.sibling, NULL);
	if (read_vector(root, "m_LocalPosition", 3, transform.position))
		transform.has |= ANIM_HAS_POSITION;
	if (read_vector(root, "m_LocalRotation", 4, transform.rotation))
		transform.has |= ANIM_HAS_ROTATION;
	if (read_vector(root, "m_LocalScale", 3, transform.scale))
		transform.has |= ANIM_HAS_SCALE;
	if (read_ids(reading, unity_get(root, "m_Children"), &transform.children, &transform.child_count) != 0 ||
	    unity_item_add(reading->run, reading->source, &reading->source->scene.transforms, &transform,
			   sizeof transform, transform.id, UNITY_ID_TRANSFORM) == NULL)
		return -1;
	return 0;
}

static bool is_of_scene(int32_t class_id)
{
	return class_id == UNITY_GAME_OBJECT || class_id == UNITY_TRANSFORM || class_id == UNITY_RECT_TRANSFORM ||
	       class_id == UNITY_SCENE_ROOTS;
}

/* ---- Instances of prefabs: changes, removals and additions, item by item because there may be many ---- */

/* An instance that is being read. */
struct instance_reading {
	struct unity_run *run;
	struct unity_instance instance;
	struct anim_buffer changes, removed, additions; /* struct unity_change, int64_t, struct unity_addition */
};

/* Return true for properties of a prefab's objects that are used here. */
static bool is_of_interest(const char *property)
{
	static const char *const names[] = {"m_Name",       "m_IsActive", "m_RootOrder",    "m_Animation",
					    "m_Controller", "m_WrapMode", "m_PlayableAsset"};
	static const char *const vectors[] = {"m_LocalPosition.", "m_LocalRotation.", "m_LocalScale.",
					      "m_Animations.Array.data["};

	if (anim_text_is_one_of(property, names, ANIM_COUNT(names)))
		return true;
	for (size_t i = 0; i < ANIM_COUNT(vectors); i++)
		if (anim_text_after(property, vectors[i]) != NULL)
			return true;
	for (size_t i = 0; i < ANIM_COUNT(unity_rect_names); i++) {
		const char *after = anim_text_after(property, unity_rect_names[i]);

		if (after != NULL && *after == '.')
			return true;
	}
	return false;
}

static int add_item(struct instance_reading *at, const char *list, const struct unity_node *item)
{
	struct unity_addition addition;
	int64_t id;

	if (strcmp(list, "m_Modifications") == 0) {
		struct unity_change change = {.target = file_id(unity_get(item, "target"))};
		const char *property = unity_text(item, "propertyPath", "");

		if (!is_of_interest(property))
			return 0;
		change.property = unity_keep(at->run, property);
		change.value = unity_keep(at->run, unity_text(item, "value", ""));
		if (change.property == NULL || change.value == NULL)
			return -1;
		if (unity_reference_read(unity_get(item, "objectReference"), &change.reference, NULL) <= 0)
			change.reference = (struct unity_reference){0};
		return anim_buffer_append(&at->changes, &change, sizeof change, at->run->error);
	}
	if (strcmp(list, "m_AddedComponents") == 0) {
		addition.target = file_id(unity_get(item, "targetCorrespondingSourceObject"));
		addition.added = file_id(unity_get(item, "addedObject"));
		return anim_buffer_append(&at->additions, &addition, sizeof addition, at->run->error);
	}
	if (strcmp(list, "m_RemovedComponents") != 0 && strcmp(list, "m_RemovedGameObjects") != 0)
		return 0;
	id = file_id(item);
	return anim_buffer_append(&at->removed, &id, sizeof id, at->run->error);
}

static bool is_of_instance(void *context, const char *name)
{
	static const char *const names[] = {"m_Modification",      "m_TransformParent",    "m_Modifications",
					    "m_RemovedComponents", "m_RemovedGameObjects", "m_AddedComponents",
					    "m_SourcePrefab",      "m_ParentPrefab"};

	(void)context;
	return anim_text_is_one_of(name, names, ANIM_COUNT(names));
}

/* Read an instance. Older files have a document for the prefab itself, which has no reference and is skipped. */
static int read_instance(struct source_reading *reading)
{
	struct unity_run *run = reading->run;
	struct unity_source *source = reading->source;
	struct instance_reading at = {
	    .run = run, .instance = {.id = reading->document->id, .line = reading->document->line, .root = UNITY_NONE}};
	struct unity_instance *instance = &at.instance;
	struct anim_arena scratch = {0};
	struct unity_field field;
	bool has_source = false; /* there was an m_SourcePrefab, which has priority over m_ParentPrefab */
	int got;

	unity_clip_want(reading->file, is_of_instance, NULL);
	unity_clip_enter(reading->file, "m_Modification");
	while ((got = unity_clip_next(reading->file, &scratch, &field)) > 0) {
		if (!field.is_item) {
			bool is_source = strcmp(field.name, "m_SourcePrefab") == 0;

			if (strcmp(field.name, "m_TransformParent") == 0)
				instance->parent = file_id(field.node);
			else if ((is_source || (strcmp(field.name, "m_ParentPrefab") == 0 && !has_source)) &&
				 unity_reference_read(field.node, &instance->prefab, NULL) <= 0)
				instance->prefab = (struct unity_reference){0};
			has_source |= is_source;
		} else if (add_item(&at, field.name, field.node) != 0)
			break;
		anim_arena_reset(&scratch);
	}
	anim_arena_clear(&scratch);
	if (got == 0 && instance->prefab.file_id != 0) {
		instance->changes = unity_keep_items(run, &at.changes);
		instance->removed = unity_keep_items(run, &at.removed);
		instance->additions = unity_keep_items(run, &at.additions);
		instance->change_count = at.changes.size / sizeof *instance->changes;
		instance->removed_count = at.removed.size / sizeof *instance->removed;
		instance->addition_count = at.additions.size / sizeof *instance->additions;
		if (instance->changes == NULL || instance->removed == NULL || instance->additions == NULL ||
		    unity_item_add(run, source, &source->scene.instances, instance, sizeof *instance, instance->id,
				   UNITY_ID_INSTANCE) == NULL)
			got = -1;
	}
	anim_buffer_clear(&at.changes);
	anim_buffer_clear(&at.removed);
	anim_buffer_clear(&at.additions);
	return got == 0 ? 0 : -1;
}

/* ---- The documents of a file ---- */

static int read_clip(struct source_reading *parse)
{
	struct unity_run *run = parse->run;
	struct unity_source *source = parse->source;
	const struct unity_clip_options options = {.base_name = parse->base_name,
						   .store = run->store,
						   .arena = &run->arena,
						   .diagnostics = run->options->diagnostics,
						   .resolve = unity_asset_resolve,
						   .resolve_context = run};
	struct unity_source_clip clip = {.used = false};

	if (unity_clip_read(parse->file, parse->document, &options, &clip.clip, run->error) != 0)
		return -1;
	if (run->options->keep_going)
		anim_diagnostics_forgive(run->options->diagnostics);
	if (unity_item_add(run, source, &source->clips, &clip, sizeof clip, clip.clip.id, UNITY_ID_CLIP) == NULL)
		return -1;
	return 0;
}

/*
 * Read a script, which may be part of a timeline. Any script may have fields with these names, so its references matter only
 * if a timeline leads to it. A script that cannot be read leads to no clips, because scripts may contain anything.
 */
static int read_script(struct source_reading *parse)
{
	struct unity_links links = {0};
	struct unity_field field;
	int got = 1;

	if (unity_id_put(parse->source, parse->document->id, UNITY_ID_SCRIPT, 0, parse->run->error) != 0)
		return -1;
	if (parse->document->stripped)
		return 0;
	parse->refs.size = 0;
	anim_arena_reset(&parse->scratch);
	unity_clip_want(parse->file, is_of_timeline, NULL);
	while (got > 0 && (got = unity_clip_next(parse->file, &parse->scratch, &field)) > 0) {
		if (gather_script_field(parse, &field, &links) != 0)
			got = -1;
		anim_arena_reset(&parse->scratch);
	}
	if (got == 0 && parse->refs.size > 0)
		got = add_links(parse, &links);
	if (got == 0)
		return 0;
	if (unity_file_is_broken(parse->file) || !anim_error_is_of_input(parse->run->error))
		return -1;
	*parse->run->error = (struct anim_error){0};
	return 0;
}

/* Read the document if it matters: a clip, something that leads to clips, or a part of the tree. Returns 0 or -1. */
static int read_document(struct source_reading *parse, const struct unity_document *document)
{
	struct unity_source *source = parse->source;
	int32_t class_id = document->class_id;
	bool is_light = class_id == UNITY_LIGHT && !document->stripped;
	bool is_link = class_id == UNITY_CONTROLLER || class_id == UNITY_OVERRIDE_CONTROLLER ||
		       class_id == UNITY_BLEND_TREE || class_id == UNITY_STATE || class_id == UNITY_STATE_MACHINE;
	const int64_t *ids = NULL;
	const struct unity_node *root;
	int64_t type = -1;
	size_t count;

	parse->document = document;
	if (class_id == UNITY_CLIP_CLASS && !document->stripped)
		return read_clip(parse);
	if (class_id == UNITY_MONO_BEHAVIOUR)
		return read_script(parse);
	if (class_id == UNITY_PREFAB_INSTANCE)
		return read_instance(parse);
	if (!(class_id == UNITY_AVATAR && !document->stripped) && !is_light && !is_link && !is_component(class_id) &&
	    !is_of_scene(class_id))
		return unity_kind_is(class_id) ? unity_id_put(source, document->id, UNITY_ID_COMPONENT,
							      (uint32_t)class_id, parse->run->error)
					       : 0;

	parse->refs.size = 0;
	anim_arena_reset(&parse->scratch);
	if (unity_document_tree(parse->file, &parse->scratch, &root) != 0)
		return -1;
	if (is_link)
		return read_links(parse, root);
	if (is_component(class_id))
		return read_player(parse, root);
	switch (class_id) {
	case UNITY_AVATAR:
		return unity_avatar_read(parse->run, source, parse->file, document, root);
	case UNITY_LIGHT: /* The component determines the kind of its node by its type. */
		(void)unity_int64(root, "m_Type", &type, NULL);
		class_id = type == 0 ? UNITY_SPOT_LIGHT : type == 1 ? UNITY_DIRECTIONAL_LIGHT : class_id;
		return unity_id_put(source, document->id, UNITY_ID_COMPONENT, (uint32_t)class_id, parse->run->error);
	case UNITY_GAME_OBJECT:
		return read_object(parse, root);
	case UNITY_SCENE_ROOTS:
		if (read_ids(parse, unity_get(root, "m_Roots"), &ids, &count) != 0)
			return -1;
		return anim_buffer_append(&source->scene.roots, ids, count * sizeof *ids, parse->run->error);
	default:
		return read_transform(parse, root);
	}
}

int unity_source_read(struct unity_run *run, struct unity_source *source, struct anim_input *input)
{
	struct source_reading parse = {.run = run, .source = source, .base_name = run->base_name};
	struct unity_document document = {0};
	int result, got;

	if (unity_meta_is(input, run->error)) {
		/* An error with a place is reported like an error of a document. */
		if (unity_meta_read(run, source, input) == 0)
			return 0;
		return report(run, source, source->depth > 0 ? ANIM_WARNING : ANIM_FAULT);
	}
	if (source->path != NULL && unity_is_model(source->path))
		return unity_model_gltf(run, source, input) == 0 ? 0 : report(run, source, ANIM_WARNING);
	result = unity_file_open(&parse.file, input, run->error);
	if (result == 0 && source->depth > 0) {
		parse.base_name = anim_read_base_name(anim_path_last(source->path), &run->arena, run->error);
		result = parse.base_name == NULL ? -1 : 0;
	}
	while (result == 0 && (got = unity_file_next(parse.file, &document)) != 0) {
		enum anim_severity severity = ANIM_FAULT;

		if (got > 0 && read_document(&parse, &document) == 0)
			continue;
		/* In the tree of another file, an error affects only that node. */
		if (got > 0 && source->depth > 0 &&
		    (is_of_scene(document.class_id) || document.class_id == UNITY_PREFAB_INSTANCE ||
		     document.class_id == UNITY_AVATAR))
			severity = ANIM_WARNING;
		result = report(run, source, severity);
	}
	unity_file_close(parse.file);
	anim_buffer_clear(&parse.refs);
	anim_arena_clear(&parse.scratch);
	return result;
}
