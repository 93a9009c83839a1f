/* players.c: from what plays clips to the clips that it leads to. */
#include "format/unity/run.h"

#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "format/unity/names.h"

/* ---- From players through controllers to clips ---- */

static struct unity_links *links_at(const struct unity_source *source, size_t number)
{
	return (struct unity_links *)source->players.links.data + number;
}

/* A reference on its way: where it was written, and on which object what it leads to plays. */
struct walk_step {
	struct unity_source *from;
	struct unity_reference to;
	int64_t object;
	uint32_t line;
	bool is_overridden; /* the controller of an override controller */
};

/* A clip that a walk came to. */
struct walk_end {
	struct unity_source *source;
	size_t clip;
	int64_t object;
};

/* A clip that an override controller above what is walked puts in the place of another. */
struct clip_replacement {
	struct unity_source *source;
	struct unity_reference clip;
	uint32_t line;
};

/* One walk from a player, or from a controller that stands for itself. */
struct clip_walk {
	struct unity_run *run;
	const struct unity_player *player; /* NULL: none */
	struct anim_buffer steps;          /* struct walk_step: still to be taken, the next one last */
	struct anim_buffer landings;       /* struct walk_end, each clip once an object */
	struct anim_buffer replacements;   /* struct clip_replacement */
	struct anim_map replaced;          /* (fileID, asset) -> number of its replacement */
	struct anim_map bindings;          /* (fileID of a track, guid) -> number of the player's binding */
	struct anim_map seen;              /* (fileID, file and object) -> 0 */
	struct anim_arena arena;           /* keys of replaced and seen */
};

static int push(struct clip_walk *walk, const struct walk_step *step)
{
	return step->to.file_id == 0 ? 0 : anim_buffer_append(&walk->steps, step, sizeof *step, walk->run->error);
}

/* So that the first is taken first. */
static int push_all(struct clip_walk *walk, const struct walk_step *like, const struct unity_reference *refs,
		    size_t count)
{
	struct walk_step step = *like;

	for (size_t i = count; i-- > 0;) {
		step.to = refs[i];
		if (push(walk, &step) != 0)
			return -1;
	}
	return 0;
}

/* 1: the walk was here for this object before, 0: never, -1. */
static int see(struct clip_walk *walk, const struct unity_source *source, int64_t id, int64_t object)
{
	struct {
		const struct unity_source *source;
		int64_t object;
	} key = {source, object};
	uint32_t number;
	char *kept;

	if (anim_map_get(&walk->seen, (uint64_t)id, &key, sizeof key, &number))
		return 1;
	kept = anim_arena_text(&walk->arena, (const char *)&key, sizeof key, walk->run->error);
	return kept == NULL ? -1 : anim_map_put(&walk->seen, (uint64_t)id, kept, sizeof key, 0, walk->run->error);
}

#define ADVICE "duplicate them in Unity to get .anim files"

/* What Unity numbers main assets by: the class times 100000. */
static const char *kind_of(int64_t id)
{
	switch (id / 100000) {
	case UNITY_CONTROLLER:
	case UNITY_OVERRIDE_CONTROLLER:
		return "controller";
	case UNITY_MONO_BEHAVIOUR:
		return "timeline";
	default:
		return "clip";
	}
}

/* 1: the reference was told of before, 0: never, -1. */
static int is_told(struct unity_run *run, const struct walk_step *step)
{
	const struct unity_source *source = step->from;
	bool is_local = step->to.guid[0] == '\0';
	const char *key = is_local ? (const char *)&source : step->to.guid;
	size_t length = is_local ? sizeof source : strlen(key);
	uint32_t number;

	if (anim_map_get(&run->lost, (uint64_t)step->to.file_id, key, length, &number))
		return 1;
	key = anim_arena_text(&run->arena, key, length, run->error);
	return key == NULL ? -1 : anim_map_put(&run->lost, (uint64_t)step->to.file_id, key, length, 0, run->error);
}

#define warn(walk, step, ...) unity_say((walk)->run, (step)->from, ANIM_WARNING, (step)->line, __VA_ARGS__)

/* What a reference leads to was found, but cannot be read. */
static int say_unread(const struct clip_walk *walk, const struct walk_step *step, const char *path, const char *why)
{
	long long id = (long long)step->to.file_id;
	const char *kind = kind_of(step->to.file_id);
	bool model = unity_is_model(path);

	if (warn(walk, step,
		 model ? "clips are in models, which are not read; " ADVICE
		       : "clips and controllers are not read from other files",
		 "%s %lld is not read from '%s': %s", kind, id, path,
		 model ? "a model; duplicate its clips in Unity to get .anim files" : why) != 0)
		return -1;
	if (model)
		return unity_say_name(walk->run, "'%s'", path);
	return unity_say_name(walk->run, "%s %lld of '%s' (%s)", kind, id, path, why);
}

/* A reference that leads nowhere, told of once. `path`: of the file, where that was found. */
static int say_lost(const struct clip_walk *walk, const struct walk_step *step, const char *path, const char *why)
{
	const char *kind = kind_of(step->to.file_id), *guid = step->to.guid, *clips,
		   *where = unity_where(walk->run, &clips);
	long long id = (long long)step->to.file_id;
	int told = is_told(walk->run, step), result;

	if (told != 0)
		return told < 0 ? -1 : 0;
	if (path != NULL)
		return say_unread(walk, step, path, why);
	if (guid[0] == '\0')
		result = warn(walk, step, "clips and controllers are named, but not in the file",
			      "%s %lld is named, but not in this file", kind, id);
	else if (why != NULL)
		result = warn(walk, step, unity_many_unsought(why, false), "%s %lld of guid %s is not looked for: %s",
			      kind, id, guid, why);
	else
		result = warn(walk, step, clips, "%s %lld of guid %s is not in a file %s", kind, id, guid, where);
	if (result != 0 || guid[0] == '\0')
		return result != 0 ? -1 : unity_say_name(walk->run, "%s %lld", kind, id);
	return unity_say_name(walk->run, "%s %lld of guid %s", kind, id, guid);
}

static int land(struct clip_walk *walk, struct unity_source *source, size_t clip, int64_t object)
{
	struct walk_end landing = {source, clip, object};

	return anim_buffer_append(&walk->landings, &landing, sizeof landing, walk->run->error);
}

/* The director's bindings by their tracks; of several the first counts. 0 or -1. */
static int index_bindings(struct clip_walk *walk)
{
	const struct unity_player *player = walk->player;

	for (size_t i = player->binding_count; i-- > 0;) {
		const struct unity_track_binding *binding = &player->bindings[i];

		if (binding->target != 0 &&
		    anim_map_put(&walk->bindings, (uint64_t)binding->track.file_id, binding->track.guid,
				 strlen(binding->track.guid), (uint32_t)i, walk->run->error) != 0)
			return -1;
	}
	return 0;
}

/* A track of a timeline plays on what the director binds it to. */
static int64_t bound_object(const struct clip_walk *walk, const struct unity_source *source, int64_t id, int64_t object)
{
	uint32_t number, other;
	bool here = anim_map_get(&walk->bindings, (uint64_t)id, "", 0, &number);
	const struct unity_player *player;
	int64_t target;

	if (source->guid[0] != '\0' &&
	    anim_map_get(&walk->bindings, (uint64_t)id, source->guid, strlen(source->guid), &other)) {
		number = here && number < other ? number : other;
		here = true;
	}
	if (!here)
		return object;
	target = walk->player->bindings[number].target;
	player = unity_player_of(walk->run->sources, target);
	return player != NULL ? player->object : target;
}

/* What tells the asset of a reference, seen from its file, from others: its guid, or the file that has none. */
static const char *asset_key(struct unity_source *const *from, const struct unity_reference *to, size_t *length)
{
	const char *guid = to->guid[0] != '\0' ? to->guid : (*from)->guid;

	*length = guid[0] != '\0' ? strlen(guid) : sizeof *from;
	return guid[0] != '\0' ? guid : (const char *)from;
}

/* Where an override controller puts another clip in the place of what the step leads to, the step is turned there. */
static void override_step(const struct clip_walk *walk, struct walk_step *step)
{
	const struct clip_replacement *replacement = (const struct clip_replacement *)walk->replacements.data;
	size_t length;
	const char *key = asset_key(&step->from, &step->to, &length);
	uint32_t number;

	if (!anim_map_get(&walk->replaced, (uint64_t)step->to.file_id, key, length, &number))
		return;
	step->from = replacement[number].source;
	step->to = replacement[number].clip;
	step->line = replacement[number].line;
}

/* Notes the pairs of an override controller; what one further out replaces stays so. 0 or -1. */
static int note_replacements(struct clip_walk *walk, struct unity_source *source, const struct unity_links *links)
{
	for (size_t k = 1; k + 1 < links->count; k += 2) {
		uint32_t number = (uint32_t)(walk->replacements.size / sizeof(struct clip_replacement)), known;
		struct clip_replacement replacement = {source, links->refs[k + 1], links->line};
		uint64_t id = (uint64_t)links->refs[k].file_id;
		size_t length;
		const char *key = asset_key(&source, &links->refs[k], &length);

		if (replacement.clip.file_id == 0 || anim_map_get(&walk->replaced, id, key, length, &known))
			continue;
		key = anim_arena_text(&walk->arena, key, length, walk->run->error);
		if (key == NULL ||
		    anim_buffer_append(&walk->replacements, &replacement, sizeof replacement, walk->run->error) != 0 ||
		    anim_map_put(&walk->replaced, id, key, length, number, walk->run->error) != 0)
			return -1;
	}
	return 0;
}

/* The clips that are put in; what they stand for is not known. */
static int push_replacements(struct clip_walk *walk, const struct walk_step *like, const struct unity_links *links)
{
	struct walk_step step = *like;

	for (size_t k = (links->count - 1) / 2; k > 0; k--) {
		step.to = links->refs[2 * k];
		if (push(walk, &step) != 0)
			return -1;
	}
	return 0;
}

/* Its clips play in the order of its controller; where that is not found, in its own. */
static int walk_override(struct clip_walk *walk, const struct walk_step *like, uint32_t number)
{
	const struct unity_links links = *links_at(like->from, number);
	struct unity_source *source;
	const char *path, *why;
	struct walk_step step = *like;
	int got;

	if (links.count == 0 || note_replacements(walk, like->from, &links) != 0)
		return links.count == 0 ? 0 : -1;
	step.to = links.refs[0];
	got = unity_source_find(walk->run, like->from, step.to.guid, &source, &path, &why);
	if (got < 0 || ((got == 0 || step.to.file_id == 0) && push_replacements(walk, like, &links) != 0))
		return -1;
	step.is_overridden = true;
	return push(walk, &step);
}

/*
 * Override controllers of which each is the other's: there is no controller whose clips they could replace. What they
 * put in is all that there is, told of once. 0 or -1.
 */
static int close_ring(struct clip_walk *walk, const struct walk_step *like)
{
	const struct clip_replacement *replacements = (const struct clip_replacement *)walk->replacements.data;
	int told = is_told(walk->run, like);

	for (size_t i = walk->replacements.size / sizeof *replacements; i-- > 0;) {
		struct walk_step step = {replacements[i].source, replacements[i].clip, like->object,
					 replacements[i].line, false};

		if (push(walk, &step) != 0)
			return -1;
	}
	if (told != 0)
		return told < 0 ? -1 : 0;
	return warn(walk, like,
		    "override controllers name each other in a ring; only the clips that they put in are read",
		    "the override controllers name each other in a ring; only the clips that they put in are read");
}

static void clear_walk(struct clip_walk *walk)
{
	anim_buffer_clear(&walk->steps);
	anim_buffer_clear(&walk->landings);
	anim_buffer_clear(&walk->replacements);
	anim_map_clear(&walk->replaced);
	anim_map_clear(&walk->bindings);
	anim_map_clear(&walk->seen);
	anim_arena_clear(&walk->arena);
}

/* Goes on from a document that names others. */
static int walk_links(struct clip_walk *walk, struct unity_source *source, uint32_t number, int64_t object)
{
	struct unity_links *links = links_at(source, number);
	struct walk_step like = {.from = source, .object = object, .line = links->line};

	links->used = true;
	like.object = bound_object(walk, source, links->id, object);
	if (links->is_override)
		return walk_override(walk, &like, number);
	return push_all(walk, &like, links->refs, links->count);
}

static int take_step(struct clip_walk *walk, struct walk_step *step)
{
	struct unity_source *source;
	const char *path, *why;
	uint32_t number;
	int got;

	override_step(walk, step);
	got = unity_source_find(walk->run, step->from, step->to.guid, &source, &path, &why);

	if (got < 0)
		return -1;
	if (got == 0)
		return say_lost(walk, step, path, why);
	got = see(walk, source, step->to.file_id, step->object);
	if (got > 0 && step->is_overridden)
		return close_ring(walk, step);
	if (got != 0)
		return got < 0 ? -1 : 0;
	if (unity_id_get(source, step->to.file_id, UNITY_ID_CLIP, &number))
		return land(walk, source, number, step->object);
	if (unity_id_get(source, step->to.file_id, UNITY_ID_LINKS, &number))
		return walk_links(walk, source, number, step->object);
	if (unity_id_get(source, step->to.file_id, UNITY_ID_SCRIPT, &number))
		return 0; /* a track or a sound of a timeline, which leads no further */
	return say_lost(walk, step, source == step->from ? NULL : source->path, "it is not in there");
}

static int take_steps(struct clip_walk *walk)
{
	const struct walk_step *last;
	struct walk_step step;

	while (walk->steps.size > 0) {
		walk->steps.size -= sizeof step;
		last = (const struct walk_step *)(walk->steps.data + walk->steps.size);
		step = *last;
		if (take_step(walk, &step) != 0)
			return -1;
	}
	return 0;
}

static int add_cue(struct unity_run *run, struct anim_buffer *cues, const struct unity_cue *cue)
{
	struct unity_source_clip *clip = unity_source_clip_at(cue->source, cue->clip);

	clip->used = true;
	if (clip->clip.faulty)
		return unity_say(run, cue->source, ANIM_WARNING, clip->clip.line, NULL,
				 "clip '%s' is left out: it has faults",
				 clip->clip.head.name == NULL ? "" : clip->clip.head.name);
	return anim_buffer_append(cues, cue, sizeof *cue, run->error);
}

/* Takes all steps of the walk and makes cues of where they end. */
static int finish_walk(struct clip_walk *walk, struct anim_buffer *cues)
{
	int result = take_steps(walk);

	for (size_t i = 0; i < walk->landings.size / sizeof(struct walk_end) && result == 0; i++) {
		const struct walk_end *landing = (const struct walk_end *)walk->landings.data + i;
		struct unity_cue cue = {landing->source, landing->clip, walk->player, landing->object};

		result = add_cue(walk->run, cues, &cue);
	}
	clear_walk(walk);
	return result;
}

/* Players are copied: other files are opened on the way, but the run's own gets no more of them. */
static int list_players(struct unity_run *run, struct unity_source *source, struct anim_buffer *cues, bool *named)
{
	for (size_t i = 0; i < unity_player_count(source); i++) {
		const struct unity_player *player = unity_player_at(source, i);
		struct clip_walk walk = {.run = run, .player = player};
		const struct walk_step like = {.from = player->home, .object = player->object, .line = player->line};

		if (player->removed || player->count == 0)
			continue;
		*named = true;
		if (index_bindings(&walk) != 0 || push_all(&walk, &like, player->refs, player->count) != 0 ||
		    finish_walk(&walk, cues) != 0) {
			clear_walk(&walk);
			return -1;
		}
	}
	return 0;
}

static int list_unused_links(struct unity_run *run, struct unity_source *source, struct anim_buffer *cues, bool *named)
{
	size_t count = source->players.links.size / sizeof(struct unity_links);

	for (size_t i = 0; i < count; i++) {
		const struct unity_links *links = links_at(source, i);
		struct clip_walk walk = {.run = run};
		const struct walk_step step = {.from = source, .to = {.file_id = links->id}, .line = links->line};

		if (!links->is_top || links->used)
			continue;
		*named = *named || links->count > 0;
		if (push(&walk, &step) != 0 || finish_walk(&walk, cues) != 0) {
			clear_walk(&walk);
			return -1;
		}
	}
	return 0;
}

static int list_unused_clips(struct unity_run *run, struct unity_source *source, struct anim_buffer *cues)
{
	for (size_t i = 0; i < source->clips.size / sizeof(struct unity_source_clip); i++) {
		struct unity_cue cue = {.source = source, .clip = i};

		if (!unity_source_clip_at(source, i)->used && add_cue(run, cues, &cue) != 0)
			return -1;
	}
	return 0;
}

int unity_players_cues(struct unity_run *run, struct unity_source *source, struct anim_buffer *cues, bool *named)
{
	*named = false;
	if (list_players(run, source, cues, named) != 0 || list_unused_links(run, source, cues, named) != 0)
		return -1;
	return list_unused_clips(run, source, cues);
}
