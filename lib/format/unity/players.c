/* players.c: reads controllers, blend trees, timelines and the components that play them: what names what. */
#include "format/unity/players.h"

#include <string.h>

#include "format/unity/names.h"
#include "format/unity/read_run.h"

/* Classes of what timelines play beside clips; the main asset of a file has its class times 100000 for a number. */
#define UNITY_AUDIO_CLIP 83
#define UNITY_VIDEO_CLIP 329
#define MAIN_ASSET(class_id) ((int64_t)(class_id)*100000)

/* References of one document while they are gathered. */
struct gathering {
	struct unity_run *run;
	struct unity_source *source;
	struct unity_file *file;
	const struct unity_document *document;
	struct anim_buffer refs; /* struct unity_reference */
	struct anim_arena scratch;
};

struct unity_player *unity_player_at(const struct unity_source *source, size_t number)
{
	return (struct unity_player *)source->players.players.data + number;
}

struct unity_links *unity_links_at(const struct unity_source *source, size_t number)
{
	return (struct unity_links *)source->players.links.data + number;
}

size_t unity_player_count(const struct unity_source *source)
{
	return source->players.players.size / sizeof(struct unity_player);
}

void unity_players_clear(struct unity_players *players)
{
	anim_buffer_clear(&players->links);
	anim_buffer_clear(&players->players);
}

/* Gives a complaint of a node its place. Returns -1. */
static int fail_at(const struct gathering *at, const struct unity_node *node, struct anim_error *error)
{
	const struct anim_error before = *error;
	struct anim_place place;

	if (before.at == ANIM_AT_LINE || node == NULL)
		return -1;
	unity_place(at->file, node, &place);
	return anim_fail_at(error, before.code, &place, "%s", before.message);
}

static int get_reference(const struct gathering *at, const struct unity_node *node, struct unity_reference *reference,
			 struct anim_error *error)
{
	int got = unity_reference(node, reference, error);

	if (got == 0)
		*reference = (struct unity_reference){0};
	return got < 0 ? fail_at(at, node, error) : got;
}

/* A reference to nothing is kept too where `holes` says so: it may be one of a pair. */
static int gather(struct gathering *at, const struct unity_node *node, bool holes, struct anim_error *error)
{
	struct unity_reference reference;
	int got = get_reference(at, node, &reference, error);

	if (got < 0 || (reference.file_id == 0 && !holes))
		return got < 0 ? -1 : 0;
	return anim_buffer_append(&at->refs, &reference, sizeof reference, error);
}

/* What the items of a list name, in their member, or themselves where that is NULL. */
static int gather_list(struct gathering *at, const struct unity_node *list, const char *member,
		       struct anim_error *error)
{
	const struct unity_node *item = list == NULL || list->kind != UNITY_LIST ? NULL : list->first;

	for (; item != NULL; item = item->next)
		if (gather(at, member == NULL ? item : unity_get(item, member), false, error) != 0)
			return -1;
	return 0;
}

/* Layers with their state machines; a synchronised one has motions of its own for the states of another. */
static int gather_layers(struct gathering *at, const struct unity_node *layers, struct anim_error *error)
{
	const struct unity_node *layer = layers == NULL ? NULL : layers->first;

	for (; layer != NULL; layer = layer->next)
		if (gather(at, unity_get(layer, "m_StateMachine"), false, error) != 0 ||
		    gather_list(at, unity_get(layer, "m_Motions"), "m_Motion", error) != 0)
			return -1;
	return 0;
}

static int gather_controller(struct gathering *at, const struct unity_node *root, struct anim_error *error)
{
	if (gather_layers(at, unity_get(root, "m_AnimatorLayers"), error) != 0)
		return -1;
	return gather_layers(at, unity_get(root, "m_Layers"), error); /* before Unity 4.3 */
}

/* The second and fourth are Unity 4's. */
static int gather_state_machine(struct gathering *at, const struct unity_node *root, struct anim_error *error)
{
	if (gather_list(at, unity_get(root, "m_ChildStates"), "m_State", error) != 0 ||
	    gather_list(at, unity_get(root, "m_States"), NULL, error) != 0 ||
	    gather_list(at, unity_get(root, "m_ChildStateMachines"), "m_StateMachine", error) != 0)
		return -1;
	return gather_list(at, unity_get(root, "m_ChildStateMachine"), NULL, error);
}

static int gather_state(struct gathering *at, const struct unity_node *root, struct anim_error *error)
{
	if (gather(at, unity_get(root, "m_Motion"), false, error) != 0)
		return -1;
	return gather_list(at, unity_get(root, "m_Motions"), NULL, error); /* Unity 4 */
}

static int gather_blend_tree(struct gathering *at, const struct unity_node *root, struct anim_error *error)
{
	return gather_list(at, unity_get(root, "m_Childs"), "m_Motion", error);
}

static int gather_override(struct gathering *at, const struct unity_node *root, struct anim_error *error)
{
	const struct unity_node *clips = unity_get(root, "m_Clips"), *pair = clips == NULL ? NULL : clips->first;

	if (gather(at, unity_get(root, "m_Controller"), true, error) != 0)
		return -1;
	for (; pair != NULL; pair = pair->next)
		if (gather(at, unity_get(pair, "m_OriginalClip"), true, error) != 0 ||
		    gather(at, unity_get(pair, "m_OverrideClip"), true, error) != 0)
			return -1;
	return 0;
}

/* The gathered references, moved to the run's arena. */
static int keep_refs(struct gathering *at, struct unity_reference **refs, size_t *count, struct anim_error *error)
{
	*count = at->refs.size / sizeof **refs;
	*refs = NULL;
	if (*count == 0)
		return 0;
	*refs = anim_arena_alloc(&at->run->arena, at->refs.size, error);
	if (*refs == NULL)
		return -1;
	memcpy(*refs, at->refs.data, at->refs.size);
	return 0;
}

static int add_links(struct gathering *at, struct unity_links *links, struct anim_error *error)
{
	struct anim_buffer *all = &at->source->players.links;
	uint32_t number = (uint32_t)(all->size / sizeof *links);

	links->id = at->document->id;
	links->line = at->document->line;
	if (keep_refs(at, &links->refs, &links->count, error) != 0 ||
	    anim_buffer_append(all, links, sizeof *links, error) != 0)
		return -1;
	return unity_id_put(at->source, links->id, UNITY_ID_LINKS, number, error);
}

static int read_links(struct gathering *at, const struct unity_node *root, struct anim_error *error)
{
	struct unity_links links = {0};
	int result = 0;

	switch (at->document->class_id) {
	case UNITY_CONTROLLER:
		links.is_top = true;
		result = gather_controller(at, root, error);
		break;
	case UNITY_OVERRIDE_CONTROLLER:
		links.is_top = links.is_override = true;
		result = gather_override(at, root, error);
		break;
	case UNITY_STATE_MACHINE:
		result = gather_state_machine(at, root, error);
		break;
	case UNITY_STATE:
		result = gather_state(at, root, error);
		break;
	default:
		result = gather_blend_tree(at, root, error);
		break;
	}
	return result != 0 ? -1 : add_links(at, &links, error);
}

/* The clip that an Animation starts with stands in its list too, mostly. */
static int gather_animation(struct gathering *at, const struct unity_node *root, struct unity_player *player,
			    struct anim_error *error)
{
	const struct unity_node *node = unity_get(root, "m_WrapMode");

	if (unity_int64(root, "m_WrapMode", &player->wrap, error) < 0)
		return fail_at(at, node, error);
	if (gather(at, unity_get(root, "m_Animation"), false, error) != 0)
		return -1;
	return gather_list(at, unity_get(root, "m_Animations"), NULL, error);
}

static int read_bindings(struct gathering *at, const struct unity_node *list, struct unity_player *player,
			 struct anim_error *error)
{
	const struct unity_node *item = list == NULL || list->kind != UNITY_LIST ? NULL : list->first;

	if (item == NULL)
		return 0;
	player->bindings = anim_arena_zeroed(&at->run->arena, list->count, sizeof *player->bindings, error);
	if (player->bindings == NULL)
		return -1;
	for (; item != NULL; item = item->next) {
		struct unity_track_binding *binding = &player->bindings[player->binding_count];
		struct unity_reference target;

		if (get_reference(at, unity_get(item, "key"), &binding->track, error) < 0 ||
		    get_reference(at, unity_get(item, "value"), &target, error) < 0)
			return -1;
		binding->target = target.file_id;
		player->binding_count += binding->track.file_id != 0;
	}
	return 0;
}

static int gather_player(struct gathering *at, const struct unity_node *root, struct unity_player *player,
			 struct anim_error *error)
{
	if (at->document->class_id == UNITY_ANIMATION)
		return gather_animation(at, root, player, error);
	if (at->document->class_id == UNITY_ANIMATOR)
		return gather(at, unity_get(root, "m_Controller"), false, error);
	if (gather(at, unity_get(root, "m_PlayableAsset"), false, error) != 0)
		return -1;
	return read_bindings(at, unity_get(root, "m_SceneBindings"), player, error);
}

/* A stripped player stands for one of a prefab, which comes with its instance. */
static int read_player(struct gathering *at, const struct unity_node *root, struct anim_error *error)
{
	struct anim_buffer *all = &at->source->players.players;
	uint32_t number = (uint32_t)(all->size / sizeof(struct unity_player));
	struct unity_player player = {.id = at->document->id, .line = at->document->line, .home = at->source};
	struct unity_reference object;

	if (at->document->stripped)
		return 0;
	if (get_reference(at, unity_get(root, "m_GameObject"), &object, error) < 0 ||
	    gather_player(at, root, &player, error) != 0 || keep_refs(at, &player.refs, &player.count, error) != 0)
		return -1;
	player.object = object.file_id;
	if (anim_buffer_append(all, &player, sizeof player, error) != 0)
		return -1;
	return unity_id_put(at->source, player.id, UNITY_ID_PLAYER, number, error);
}

bool unity_players_is(int32_t class_id)
{
	switch (class_id) {
	case UNITY_CONTROLLER:
	case UNITY_ANIMATOR:
	case UNITY_ANIMATION:
	case UNITY_BLEND_TREE:
	case UNITY_OVERRIDE_CONTROLLER:
	case UNITY_DIRECTOR:
	case UNITY_STATE:
	case UNITY_STATE_MACHINE:
		return true;
	default:
		return false;
	}
}

static bool is_component(int32_t class_id)
{
	return class_id == UNITY_ANIMATOR || class_id == UNITY_ANIMATION || class_id == UNITY_DIRECTOR;
}

static void clear_gathering(struct gathering *at)
{
	anim_buffer_clear(&at->refs);
	anim_arena_clear(&at->scratch);
}

int unity_players_read(struct unity_run *run, struct unity_source *source, struct unity_file *file,
		       const struct unity_document *document, struct anim_error *error)
{
	struct gathering at = {.run = run, .source = source, .file = file, .document = document};
	const struct unity_node *root;
	int result = unity_document_tree(file, &at.scratch, &root, error);

	if (result == 0)
		result =
		    is_component(document->class_id) ? read_player(&at, root, error) : read_links(&at, root, error);
	clear_gathering(&at);
	return result;
}

/* The fields of a timeline, of its tracks and of the clips on them. */
static bool is_of_timeline(void *context, const char *name)
{
	static const char *const names[] = {"m_Tracks", "m_Children",     "m_InfiniteClip", "m_AnimClip",
					    "m_Clips",  "m_DurationMode", "m_Clip"};

	(void)context;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* The asset of a clip on a track, and the curves that change its settings. */
static int gather_timeline_clip(struct gathering *at, const struct unity_node *clip, struct anim_error *error)
{
	if (gather(at, unity_get(clip, "m_Asset"), false, error) != 0)
		return -1;
	return gather(at, unity_get(clip, "m_AnimationCurves"), false, error);
}

/* What a track or a clip on it plays: a sound or a film, told by its main asset's number, has no curves. */
static int gather_played(struct gathering *at, const struct unity_node *node, struct anim_error *error)
{
	struct unity_reference reference;
	int got = get_reference(at, node, &reference, error);

	if (got > 0 &&
	    (reference.file_id == MAIN_ASSET(UNITY_AUDIO_CLIP) || reference.file_id == MAIN_ASSET(UNITY_VIDEO_CLIP)))
		return 0;
	return got < 0 ? -1 : gather(at, node, false, error);
}

static int gather_script_field(struct gathering *at, const struct unity_field *field, struct unity_links *links,
			       struct anim_error *error)
{
	const struct unity_node *node = field->node;

	if (strcmp(field->name, "m_DurationMode") == 0)
		links->is_top = true;
	else if (field->is_item && strcmp(field->name, "m_Clips") == 0 && unity_get(node, "m_Asset") != NULL)
		return gather_timeline_clip(at, node, error);
	else if (field->is_item ? unity_get(node, "fileID") != NULL && strcmp(field->name, "m_Clips") != 0
				: node->kind == UNITY_MAP && unity_get(node, "fileID") != NULL)
		return gather_played(at, node, error);
	return 0;
}

/* Any script may have fields of these names: only what a timeline leads to counts. */
static int read_script(struct gathering *at, struct anim_error *error)
{
	struct unity_links links = {0};
	struct unity_field field;
	int got;

	unity_clip_want(at->file, is_of_timeline, NULL);
	while ((got = unity_clip_next(at->file, &at->scratch, &field, error)) > 0) {
		if (gather_script_field(at, &field, &links, error) != 0)
			return -1;
		anim_arena_reset(&at->scratch);
	}
	if (got < 0 || at->refs.size == 0)
		return got;
	return add_links(at, &links, error);
}

int unity_players_script(struct unity_run *run, struct unity_source *source, struct unity_file *file,
			 const struct unity_document *document, struct anim_error *error)
{
	struct gathering at = {.run = run, .source = source, .file = file, .document = document};
	int result = read_script(&at, error);

	clear_gathering(&at);
	return result;
}
