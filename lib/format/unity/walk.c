/* walk.c: from players through controllers, timelines and override controllers to the clips that they play. */
#include "format/unity/run.h"

#include <math.h>
#include <string.h>

#include "format/unity/model.h"
#include "format/unity/names.h"

/* ---- Steps of a walk ---- */

static struct unity_links *links_at(const struct unity_source *source, size_t number)
{
	return (struct unity_links *)source->players.links.data + number;
}

/* A reference to follow: the file that contains it, and the object on which its target plays. */
struct walk_step {
	struct unity_source *from;
	struct unity_reference to;
	int64_t object;
	uint32_t line;
	bool is_overridden; /* the controller of an override controller */
};

/* A clip at the end of a walk. */
struct walk_end {
	struct unity_source *source;
	size_t clip;
	int64_t object;
};

/* The replacement for a clip, set by an override controller above the current step. */
struct clip_replacement {
	struct unity_source *source;
	struct unity_reference clip;
	uint32_t line;
};

/* A walk along references, from a player or from a controller without a player. */
struct clip_walk {
	struct unity_run *run;
	const struct unity_player *player; /* NULL: none */
	struct anim_buffer steps;          /* struct walk_step: still to do, the next one last */
	struct anim_buffer landings;       /* struct walk_end, each clip once per object */
	struct anim_buffer replacements;   /* struct clip_replacement */
	struct anim_map replaced;          /* (fileID, asset) -> number of its replacement */
	struct anim_map bindings;          /* (fileID of a track, guid) -> number of the player's binding */
	struct anim_map seen;              /* (fileID, file and object) -> 0 */
	struct anim_arena arena;           /* keys of `replaced` and `seen` */
};

static int push(struct clip_walk *walk, const struct walk_step *step)
{
	return step->to.file_id == 0 ? 0 : anim_buffer_append(&walk->steps, step, sizeof *step, walk->run->error);
}

/* Push in reverse order, so that the first is processed first. */
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

/* Returns 1 if the walk was here before for this object, 0 if not, or -1. */
static int note_visit(struct clip_walk *walk, const struct unity_source *source, int64_t id, int64_t object)
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

/* Returns 1 if the reference was reported before, 0 if not, or -1. */
static int was_reported(struct unity_run *run, const struct walk_step *step)
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

/*
 * Warn once about a reference without a target. `source` is the file if it was read, otherwise NULL. `path` is the path of the
 * file if that was found.
 */
static int say_lost(const struct clip_walk *walk, const struct walk_step *step, const struct unity_source *source,
		    const char *path, const char *why)
{
	const char *guid = step->to.guid, *where = unity_where(walk->run);
	long long id = (long long)step->to.file_id, main_class = id / 100000; /* of a main asset */
	const char *kind = main_class == UNITY_CONTROLLER || main_class == UNITY_OVERRIDE_CONTROLLER ? "controller"
			   : main_class == UNITY_MONO_BEHAVIOUR                                      ? "timeline"
												     : "clip";
	int reported = was_reported(walk->run, step), result;

	if (reported != 0)
		return reported < 0 ? -1 : 0;
	if (path != NULL) {
		bool model = unity_is_model(path) && (source == NULL || source->model == NULL);

		/* The file was found, but the target cannot be read from it. */
		if (source != NULL && source->model != NULL
			? warn(walk, step, kind, "'%lld' in '%s': not read from the model" ANIM_DETAIL ": %s", id, path,
			       why)
		    : model ? warn(walk, step, kind,
				   "'%lld' in '%s': the model is read only as an input; give it instead", id, path)
			    : warn(walk, step, kind, "'%lld' in '%s' (%s): not read from another file", id, path, why))
			return -1;
		if (model)
			return unity_say_name(walk->run, "'%s'", path);
		return unity_say_name(walk->run, "%s %lld of '%s' (%s)", kind, id, path, why);
	}
	if (guid[0] == '\0')
		result = warn(walk, step, kind, "'%lld': referenced, but missing in this file", id);
	else if (why != NULL)
		result = warn(walk, step, kind, "'%lld' of guid %s: not searched for, because %s", id, guid, why);
	else
		result = warn(walk, step, kind, "'%lld' of guid %s: not found in a file %s", id, guid, where);
	if (result != 0 || guid[0] == '\0')
		return result != 0 ? -1 : unity_say_name(walk->run, "%s %lld", kind, id);
	return unity_say_name(walk->run, "%s %lld of guid %s", kind, id, guid);
}

/* ---- Override controllers ---- */

/* Return a key for the asset of a reference in this file: its guid, or the file itself if it has none. */
static const char *asset_key(struct unity_source *const *from, const struct unity_reference *to, size_t *length)
{
	const char *guid = to->guid[0] != '\0' ? to->guid : (*from)->guid;

	*length = guid[0] != '\0' ? strlen(guid) : sizeof *from;
	return guid[0] != '\0' ? guid : (const char *)from;
}

/* If an override controller replaces the clip that the step leads to, change the step to the replacement. */
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

/* Record the pairs of an override controller. A replacement by an outer one has priority. Returns 0 or -1. */
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

/*
 * Visit the clips of an override controller in the order of its controller, or in its own order if the controller is
 * not found.
 */
static int walk_override(struct clip_walk *walk, const struct walk_step *like, uint32_t number)
{
	const struct unity_links links = *links_at(like->from, number);
	struct unity_source *source;
	const char *path, *why;
	struct walk_step step = *like, replacement = *like;
	int got;

	if (links.count == 0 || note_replacements(walk, like->from, &links) != 0)
		return links.count == 0 ? 0 : -1;
	step.to = links.refs[0];
	got = unity_source_find(walk->run, like->from, step.to.guid, &source, &path, &why);
	if (got < 0)
		return -1;
	/* Without the controller, only the replacement clips are known, not the clips that they replace. */
	for (size_t k = (links.count - 1) / 2; k > 0 && (got == 0 || step.to.file_id == 0); k--) {
		replacement.to = links.refs[2 * k];
		if (push(walk, &replacement) != 0)
			return -1;
	}
	step.is_overridden = true;
	return push(walk, &step);
}

/*
 * Handle override controllers that refer to each other in a cycle. No controller has clips that they could replace, so
 * only their own clips are read. The cycle is reported once. Returns 0 or -1.
 */
static int end_cycle(struct clip_walk *walk, const struct walk_step *like)
{
	const struct clip_replacement *replacements = (const struct clip_replacement *)walk->replacements.data;
	int reported = was_reported(walk->run, like);

	for (size_t i = walk->replacements.size / sizeof *replacements; i-- > 0;) {
		struct walk_step step = {replacements[i].source, replacements[i].clip, like->object,
					 replacements[i].line, false};

		if (push(walk, &step) != 0)
			return -1;
	}
	if (reported != 0)
		return reported < 0 ? -1 : 0;
	return warn(walk, like, "override controller",
		    "only replacement clips are read, because of a cycle of override controllers");
}

/* ---- Clips of states and timelines ---- */

/* Find a clip of a file. Clips of a model are cut from its takes. Returns 1, 0 with *why or NULL, or -1. */
static int find_clip(struct unity_run *run, struct unity_source *source, int64_t id, uint32_t *number, const char **why)
{
	*why = NULL;
	if (source->model != NULL)
		return unity_model_clip(run, source, id, number, why);
	return unity_id_get(source, id, UNITY_ID_CLIP, number);
}

int unity_clip_of(struct unity_run *run, struct unity_source *from, const struct unity_reference *reference,
		  struct unity_source **home, uint32_t *clip, const char **why)
{
	const char *path;
	int got = unity_source_find(run, from, reference->guid, home, &path, why);

	return got > 0 ? find_clip(run, *home, reference->file_id, clip, why) : got;
}

/* Keep a setting of a state in a clip, as Unity has it. Returns 0 or -1. */
static int set_setting(struct unity_run *run, struct anim_clip *clip, const char *key, double value)
{
	const struct anim_attrs before = clip->attrs;
	char text[ANIM_NUMBER_MAX + 1];

	text[unity_format_float(text, (float)value)] = '\0';
	return anim_attrs_with(&clip->attrs, &before, key, text, &run->arena, run->error);
}

#define SETTING(name) UNITY_ATTR_PREFIX UNITY_SETTINGS "." name

/*
 * Make a clip of a state, with its name and speed. Unity mirrors clips and shifts their cycles itself. Returns 1, 0 if the state
 * has no clip or it was not found, or -1.
 */
static int play_state(struct clip_walk *walk, struct unity_source *source, const struct unity_links *links,
		      const struct unity_placement *state, int64_t object)
{
	struct unity_run *run = walk->run;
	struct walk_step step = {.from = source, .object = object, .line = links->line};
	struct unity_placement placed = *state;
	struct walk_end landing = {source, 0, object};
	struct unity_source *home;
	struct anim_attrs attrs;
	struct anim_clip *head;
	const char *why;
	uint32_t number;
	uint8_t loop;
	int got;

	if (links->count == 0)
		return 0;
	step.to = links->refs[0];
	override_step(walk, &step);
	got = unity_clip_of(run, step.from, &step.to, &home, &number, &why);
	if (got <= 0 || unity_source_clip_at(home, number)->clip.faulty)
		return got < 0 ? -1 : 0;
	head = &unity_source_clip_at(home, number)->clip.head;
	unity_source_clip_at(home, number)->used = true;
	loop = head->loop;
	placed.start_s = head->start_s;
	placed.duration_s = -1;
	if (unity_timeline_place(run, &placed, home, number, source, &landing.clip) != 0)
		return -1;
	head = &unity_source_clip_at(source, landing.clip)->clip.head;
	head->loop = loop;
	if (placed.name[0] != '\0')
		head->name = placed.name;
	attrs = head->attrs;
	if (anim_attrs_with(&head->attrs, &attrs, ANIM_ATTR_STATE, placed.name, &run->arena, run->error) != 0)
		return -1;
	if ((placed.mirrors && set_setting(run, head, SETTING("m_Mirror"), 1) != 0) ||
	    (placed.cycle_offset != 0 &&
	     set_setting(run, head, SETTING("m_CycleOffset"), (double)placed.cycle_offset) != 0))
		return -1;
	if ((placed.mirrors || placed.cycle_offset != 0) &&
	    (unity_say(run, source, ANIM_NOTE, placed.line, "state",
		       "'%s': mirrored or with an offset of the cycle; these settings are kept for Unity only",
		       placed.name) != 0 ||
	     unity_say_name(run, "'%s'", placed.name) != 0))
		return -1;
	return anim_buffer_append(&walk->landings, &landing, sizeof landing, run->error) != 0 ? -1 : 1;
}

#define TRIM_MIN_S 0.001f /* a timeline stores its times as doubles, but their sums are rounded */

/*
 * Play the part of a clip that a timeline has, at its place and speed. Returns 1 if the walk ends with it, 0 if the clip is
 * played as a whole or was not found, or -1.
 */
static int place_clip(struct clip_walk *walk, struct unity_source *source, const struct unity_links *asset,
		      int64_t object)
{
	const struct unity_placement *placed;
	const struct unity_clip *clip = NULL;
	struct walk_end landing = {source, 0, object};
	struct unity_source *home = NULL;
	const char *why, *name;
	uint32_t number, at = 0;
	float length;

	if (!unity_id_get(source, asset->id, UNITY_ID_PLACED, &number))
		return 0;
	placed = (const struct unity_placement *)(const void *)source->players.placements.data + number;
	if (placed->is_state)
		return play_state(walk, source, asset, placed, object);
	for (size_t i = 0; i < asset->count && clip == NULL; i++) {
		int got = unity_clip_of(walk->run, source, &asset->refs[i], &home, &at, &why);

		if (got < 0)
			return -1;
		if (got > 0)
			clip = &unity_source_clip_at(home, at)->clip;
	}
	if (clip == NULL || clip->faulty)
		return 0;
	name = clip->head.name == NULL ? placed->name : clip->head.name;
	if (placed->fades &&
	    unity_say(walk->run, source, ANIM_NOTE, placed->line, "clip",
		      "'%s': fades at an end on the timeline, but is read with its full weight", name) != 0)
		return -1;
	length = (clip->head.end_s - clip->head.start_s) / placed->speed;
	if ((placed->duration_s < 0 || fabsf(placed->duration_s - length) <= TRIM_MIN_S) && placed->start_s == 0 &&
	    placed->clip_in_s == 0 && placed->speed == 1)
		return 0;
	if (clip->head.loop != ANIM_LOOP_NONE &&
	    placed->clip_in_s / placed->speed + placed->duration_s > length + TRIM_MIN_S &&
	    unity_say(walk->run, source, ANIM_NOTE, placed->line, "clip",
		      "'%s': repeats on the timeline, but is read once", name) != 0)
		return -1;
	unity_source_clip_at(home, at)->used = true;
	if (unity_timeline_place(walk->run, placed, home, at, source, &landing.clip) != 0)
		return -1;
	return anim_buffer_append(&walk->landings, &landing, sizeof landing, walk->run->error) != 0 ? -1 : 1;
}

/* ---- Following the steps ---- */

/* Continue with the references of a document. */
static int walk_links(struct clip_walk *walk, struct unity_source *source, uint32_t number, int64_t object)
{
	struct unity_links *links = links_at(source, number);
	struct walk_step like = {.from = source, .object = object, .line = links->line};
	uint32_t binding, other;
	bool is_bound = anim_map_get(&walk->bindings, (uint64_t)links->id, "", 0, &binding);
	int got;

	links->used = true;
	/* The director may bind a track of a timeline to another object. Its first binding counts. */
	if (source->guid[0] != '\0' &&
	    anim_map_get(&walk->bindings, (uint64_t)links->id, source->guid, strlen(source->guid), &other)) {
		binding = is_bound && binding < other ? binding : other;
		is_bound = true;
	}
	if (is_bound) {
		const struct unity_player *player;

		like.object = walk->player->bindings[binding].target;
		player = unity_player_of(walk->run->sources, like.object);
		if (player != NULL)
			like.object = player->object;
	}
	got = place_clip(walk, source, links, like.object);
	if (got != 0)
		return got < 0 ? -1 : 0;
	links = links_at(source, number);
	if (links->is_override)
		return walk_override(walk, &like, number);
	return push_all(walk, &like, links->refs, links->count);
}

/* Follow one reference: to a clip, which ends the walk, or to a document with further references. Returns 0 or -1. */
static int follow_step(struct clip_walk *walk, struct walk_step *step)
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
		return say_lost(walk, step, NULL, path, why);
	got = note_visit(walk, source, step->to.file_id, step->object);
	if (got > 0 && step->is_overridden)
		return end_cycle(walk, step);
	if (got != 0)
		return got < 0 ? -1 : 0;
	got = find_clip(walk->run, source, step->to.file_id, &number, &why);
	if (got < 0)
		return -1;
	if (got > 0) {
		const struct walk_end landing = {source, number, step->object};

		return anim_buffer_append(&walk->landings, &landing, sizeof landing, walk->run->error);
	}
	if (unity_id_get(source, step->to.file_id, UNITY_ID_LINKS, &number))
		return walk_links(walk, source, number, step->object);
	if (unity_id_get(source, step->to.file_id, UNITY_ID_SCRIPT, &number))
		return 0; /* a track or a sound of a timeline, which leads no further */
	return say_lost(walk, step, source, source == step->from ? NULL : source->path,
			why != NULL ? why : "the file does not contain it");
}

/* ---- The clips of a file, in the order in which they are written ---- */

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

/* Follow all steps of the walk, and add a cue for each clip that it reaches. */
static int finish_walk(struct clip_walk *walk, struct anim_buffer *cues)
{
	struct walk_step step;
	int result = 0;

	while (walk->steps.size > 0 && result == 0) {
		walk->steps.size -= sizeof step;
		memcpy(&step, walk->steps.data + walk->steps.size, sizeof step);
		result = follow_step(walk, &step);
	}
	for (size_t i = 0; i < walk->landings.size / sizeof(struct walk_end) && result == 0; i++) {
		const struct walk_end *landing = (const struct walk_end *)walk->landings.data + i;
		struct unity_cue cue = {landing->source, landing->clip, walk->player, landing->object};

		result = add_cue(walk->run, cues, &cue);
	}
	clear_walk(walk);
	return result;
}

int unity_list_unused_clips(struct unity_run *run, struct unity_source *source, struct anim_buffer *cues)
{
	for (size_t i = 0; i < source->clips.size / sizeof(struct unity_source_clip); i++) {
		struct unity_cue cue = {.source = source, .clip = i};

		if (!unity_source_clip_at(source, i)->used && add_cue(run, cues, &cue) != 0)
			return -1;
	}
	return 0;
}

int unity_list_cues(struct unity_run *run, struct unity_source *source, struct anim_buffer *cues, bool *named)
{
	*named = false;
	/*
	 * Follow the references of all players. Other files are opened on the way, but the run's own file gets no more
	 * players, so pointers to them stay valid.
	 */
	for (size_t i = 0; i < unity_player_count(source); i++) {
		const struct unity_player *player = unity_player_at(source, i);
		struct clip_walk walk = {.run = run, .player = player};
		const struct walk_step like = {.from = player->home, .object = player->object, .line = player->line};
		int result = 0;

		if (player->removed || player->count == 0)
			continue;
		*named = true;
		/* Index the director's bindings by their tracks. If a track has several, the first is used. */
		for (size_t k = player->binding_count; k-- > 0 && result == 0;) {
			const struct unity_track_binding *binding = &player->bindings[k];

			if (binding->target != 0)
				result =
				    anim_map_put(&walk.bindings, (uint64_t)binding->track.file_id, binding->track.guid,
						 strlen(binding->track.guid), (uint32_t)k, run->error);
		}
		if (result != 0 || push_all(&walk, &like, player->refs, player->count) != 0 ||
		    finish_walk(&walk, cues) != 0) {
			clear_walk(&walk);
			return -1;
		}
	}
	for (size_t i = 0; i < source->players.links.size / sizeof(struct unity_links); i++) {
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
	return unity_list_unused_clips(run, source, cues);
}
