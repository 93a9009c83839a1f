/* read.c: read one file, and the files that it leads to, into the sink: the tree, then the clips. */
#include "format/unity/unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/input.h"
#include "base/text.h"
#include "format/unity/graph.h"
#include "format/unity/model.h"
#include "format/unity/names.h"
#include "format/unity/package.h"
#include "format/unity/run.h"

/* ---- Recognising a file ---- */

/* Return true for lines that may come before the first document: directives, comments, blank lines. */
static bool is_skipped(const uint8_t *at, const uint8_t *end)
{
	return *at == '%' || *at == '#' || *at == '\r' || *at == '\n' ||
	       anim_bytes_begin(at, (size_t)(end - at), "...");
}

bool anim_unity_is(const uint8_t *bytes, size_t size)
{
	const uint8_t *at = bytes, *end = bytes + size;

	if (anim_bytes_begin(at, (size_t)(end - at), "\xef\xbb\xbf"))
		at += 3;
	while (at < end && is_skipped(at, end)) {
		if (anim_bytes_begin(at, (size_t)(end - at), "%TAG !u! tag:unity3d.com") ||
		    anim_bytes_begin(at, (size_t)(end - at), "%YAML 1.1"))
			return true;
		at = memchr(at, '\n', (size_t)(end - at));
		if (at == NULL)
			return false;
		at++;
	}
	return anim_bytes_begin(at, (size_t)(end - at), "--- !u!") || unity_bytes_are_model(at, (size_t)(end - at));
}

/* ---- Contents other than clips ---- */

#define KINDS_MAX 6
#define NAME_SIZE 40

/* Documents by the names of their classes. Those beyond the last place are counted together. */
struct document_counts {
	struct {
		char name[NAME_SIZE];
		size_t count;
	} kinds[KINDS_MAX];
	size_t kind_count, others, clips;
};

static void count(struct document_counts *documents, const char *name, size_t length)
{
	size_t i = 0;

	if (length >= NAME_SIZE)
		length = NAME_SIZE - 1;
	while (i < documents->kind_count &&
	       (strncmp(documents->kinds[i].name, name, length) != 0 || documents->kinds[i].name[length] != '\0'))
		i++;
	if (i == documents->kind_count && i == KINDS_MAX) {
		documents->others++;
		return;
	}
	if (i == documents->kind_count) {
		memcpy(documents->kinds[i].name, name, length);
		documents->kind_count++;
	}
	documents->kinds[i].count++;
}

/* Count documents: "--- !u!74 &7400000", then "AnimationClip:", which names the class. */
static int count_all(struct anim_lines *lines, struct document_counts *documents, struct anim_error *error)
{
	bool head = false;
	int got;

	while ((got = anim_lines_next(lines, error)) > 0) {
		const char *colon = memchr(lines->at, ':', (size_t)(lines->end - lines->at));

		if (head && anim_bytes_begin(lines->at, (size_t)(lines->end - lines->at), "AnimationClip:"))
			documents->clips++;
		else if (head)
			count(documents, lines->at, (size_t)((colon == NULL ? lines->end : colon) - lines->at));
		head = anim_bytes_begin(lines->at, (size_t)(lines->end - lines->at), "--- ");
	}
	return got;
}

int anim_unity_describe(struct anim_input *input, size_t store_memory, struct anim_held *held, struct anim_error *error)
{
	struct anim_lines lines = {.input = input};
	struct document_counts documents = {.clips = 0};
	size_t capacity, total, used;

	(void)store_memory; /* nothing is stored */
	if (count_all(&lines, &documents, error) != 0)
		return -1;
	if (documents.clips + documents.kind_count == 0)
		snprintf(held->text, sizeof held->text, "Unity YAML without a clip");
	capacity = sizeof held->text;
	total = documents.kind_count + (documents.others > 0);
	used = 0;
	for (size_t i = 0; i < total && used < capacity; i++) {
		const char *between = i == 0 ? "" : i + 1 == total ? " and " : ", ";
		bool other = i == documents.kind_count;
		size_t number = other ? documents.others : documents.kinds[i].count;

		used += (size_t)snprintf(held->text + used, capacity - used, "%s%zu %s%s", between, number,
					 other ? "more" : documents.kinds[i].name, other || number == 1 ? "" : "s");
	}
	held->clips = documents.clips;
	return 0;
}

/* ---- From players through controllers to clips ---- */

static struct unity_links *links_at(const struct unity_source *source, size_t number)
{
	return (struct unity_links *)source->players.links.data + number;
}

/* A clip to write. */
struct unity_cue {
	struct unity_source *source;       /* file of the clip */
	size_t clip;                       /* in source->clips */
	const struct unity_player *player; /* NULL: none; becomes invalid when the source gets more players */
	int64_t object;                    /* GameObject that it animates, if there is a player */
};

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

/* Return the kind of a main asset. Unity gives it the class times 100000 as its number. */
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
	const char *kind = kind_of(step->to.file_id), *guid = step->to.guid, *where = unity_where(walk->run);
	long long id = (long long)step->to.file_id;
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

/* Index the director's bindings by their tracks. If a track has several, the first is used. Returns 0 or -1. */
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

/* Return the object to which the director binds a track of a timeline. */
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

/* Push only the replacement clips, because the clips that they replace are not known. */
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

/* Visit its clips in the order of its controller, or in its own order if the controller is not found. */
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

/* Continue with the references of a document. */
static int walk_links(struct clip_walk *walk, struct unity_source *source, uint32_t number, int64_t object)
{
	struct unity_links *links = links_at(source, number);
	struct walk_step like = {.from = source, .object = object, .line = links->line};
	int got;

	links->used = true;
	like.object = bound_object(walk, source, links->id, object);
	got = place_clip(walk, source, links, like.object);
	if (got != 0)
		return got < 0 ? -1 : 0;
	links = links_at(source, number);
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

/* Follow all steps of the walk, and add a cue for each clip that it reaches. */
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

/*
 * Follow the references of all players. Other files are opened on the way, but the run's own file gets no more
 * players, so pointers to them stay valid.
 */
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

/* ---- The run ---- */

/*
 * Append every clip to `cues` (struct unity_cue) in the order in which they are written. First come clips by the
 * players in the order of the file, each clip once per player. Then come clips of controllers and timelines without a
 * player, then clips without a reference. References into other files are followed; missing files give a warning.
 * *named: there was a reference. Returns 0 or -1.
 */
static int list_cues(struct unity_run *run, struct unity_source *source, struct anim_buffer *cues, bool *named)
{
	*named = false;
	if (list_players(run, source, cues, named) != 0 || list_unused_links(run, source, cues, named) != 0)
		return -1;
	return list_unused_clips(run, source, cues);
}

static int set_attr(struct anim_clip *clip, const char *key, const char *value, struct anim_arena *arena,
		    struct anim_error *error)
{
	const struct anim_attrs before = clip->attrs;

	return value == NULL ? 0 : anim_attrs_with(&clip->attrs, &before, key, value, arena, error);
}

/* Get the number of an object's transform, if it became a NODE. */
static bool find_node(const struct unity_source *source, int64_t id, uint32_t *transform)
{
	const struct unity_object *object = unity_object_of(source, id);

	if (object == NULL || object->transform == UNITY_NONE)
		return false;
	*transform = object->transform;
	return unity_transform_at(&source->scene, *transform)->number != UNITY_NONE;
}

/* Append the node and its ancestors, up to the children of the root. */
static int list_ancestors(const struct unity_source *source, uint32_t transform, struct anim_buffer *ancestors,
			  struct anim_error *error)
{
	uint32_t at = transform;

	while (unity_transform_at(&source->scene, at)->number != 0) {
		if (anim_buffer_append(ancestors, &at, sizeof at, error) != 0)
			return -1;
		if (!unity_id_get(source, unity_transform_at(&source->scene, at)->parent, UNITY_ID_TRANSFORM, &at))
			return 0;
	}
	return 0;
}

/*
 * Return the path of a GameObject in the written tree, in the run's arena, or "." if it is not there. NULL if out of
 * memory.
 */
static const char *scene_path(struct unity_run *run, const struct unity_source *source, int64_t object)
{
	struct anim_buffer ancestors = {0}, path = {0};
	uint32_t transform;
	char made[UNITY_NAME_MADE];
	const char *kept = ".";
	int result;

	if (!find_node(source, object, &transform))
		return kept;
	result = list_ancestors(source, transform, &ancestors, run->error);
	for (size_t i = ancestors.size / sizeof transform; i-- > 0 && result == 0;) {
		const char *name = unity_transform_name(
		    source, unity_transform_at(&source->scene, ((uint32_t *)ancestors.data)[i]), made);

		if (path.size > 0)
			result = anim_buffer_append(&path, "/", 1, run->error);
		if (result == 0)
			result = anim_buffer_append(&path, name, strlen(name), run->error);
	}
	if (result == 0 && path.size > 0)
		kept = anim_arena_text(&run->arena, (const char *)path.data, path.size, run->error);
	anim_buffer_clear(&ancestors);
	anim_buffer_clear(&path);
	return result == 0 ? kept : NULL;
}

/* Add the data of the player: its path, and the object that it animates. It may also set the loop of a legacy clip. */
static int add_player(struct unity_run *run, const struct unity_cue *cue, const struct unity_clip *from,
		      struct anim_clip *clip, struct anim_arena *arena)
{
	const struct unity_source *source = run->sources;
	const char *path = scene_path(run, source, cue->player->object);

	clip->root = scene_path(run, source, cue->object);
	if (path == NULL || clip->root == NULL)
		return -1;
	if (from->legacy && from->wrap == 0)
		clip->loop = (uint8_t)unity_loop_of_wrap(cue->player->wrap);
	return set_attr(clip, "player", path, arena, run->error);
}

/*
 * Check whether a clip was written before. Siblings may have the same name, and therefore the same paths for their
 * players. For example, fifty coins that rotate by one clip cannot be distinguished, so the clip is written once.
 * Returns 1 if it was written for this path, 0 if not, or -1.
 */
static int is_written(struct unity_run *run, struct anim_map *written, const struct unity_clip *from,
		      const struct anim_clip *clip)
{
	const char *player = anim_attrs_get(&clip->attrs, "player");
	const char *key = anim_arena_printf(&run->arena, run->error, "%s/%s%c", player, clip->root, '0' + clip->loop);
	uint32_t number;

	if (key == NULL)
		return -1;
	if (anim_map_get(written, from->clip, key, strlen(key), &number))
		return 1;
	return anim_map_put(written, from->clip, key, strlen(key), 0, run->error);
}

static int write_clip(struct unity_run *run, const struct unity_cue *cue, struct anim_map *written,
		      struct anim_arena *arena, struct anim_sink *sink)
{
	const struct unity_clip *from = &unity_source_clip_at(cue->source, cue->clip)->clip;
	struct anim_clip clip = from->head;
	int got = 0;

	clip.root = ".";
	if (!run->own_clips && unity_scene_has_tree(&run->sources->scene))
		clip.flags |= ANIM_IN_TREE;
	if (set_attr(&clip, "file", cue->source->path, arena, run->error) != 0)
		return -1;
	if (cue->player != NULL && add_player(run, cue, from, &clip, arena) != 0)
		return -1;
	if (cue->player != NULL)
		got = is_written(run, written, from, &clip);
	return got != 0 ? (got < 0 ? -1 : 0) : anim_store_replay(run->store, from->clip, &clip, sink, run->error);
}

static int write_clips(struct unity_run *run, const struct anim_buffer *cues, struct anim_sink *sink)
{
	const struct unity_cue *cue = (const struct unity_cue *)cues->data;
	size_t count = cues->size / sizeof *cue;
	struct anim_arena arena = {0};
	struct anim_map written = {0};
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++) {
		anim_arena_reset(&arena);
		result = write_clip(run, &cue[i], &written, &arena, sink);
	}
	anim_map_clear(&written);
	anim_arena_clear(&arena);
	return result;
}

/* Fail if faults remain. They were already reported one by one. */
static int check_faults(const struct unity_run *run)
{
	size_t faults = run->options->diagnostics->faults;

	if (faults == 0)
		return 0;
	anim_fail(run->error, ANIM_BAD_INPUT, "%zu fault%s", faults, faults == 1 ? "" : "s");
	return anim_error_in_file(run->error, run->sources->shown);
}

static int write_all(struct unity_run *run, const char *file, struct anim_sink *sink)
{
	struct unity_source *source = run->sources;
	struct anim_buffer cues = {0};
	bool named = false;
	int result = unity_avatar_tree(run, source);

	if (result == 0)
		result = unity_scene_merge(run, source);
	if (result == 0)
		result = list_cues(run, source, &cues, &named);
	if (result == 0)
		result = unity_avatars_of_players(run, source);
	if (result == 0)
		result = check_faults(run);
	/* an Avatar is a skeleton, which needs no animation */
	if (result == 0 && cues.size == 0 && source->clips.size == 0 && !named && source->avatars.size == 0)
		result = unity_say(run, source, ANIM_WARNING, 0, NULL, "no animation in this file");
	if (result == 0 && unity_scene_has_tree(&source->scene))
		result = unity_scene_write(run, source, file, sink);
	if (result == 0)
		result = write_clips(run, &cues, sink);
	anim_buffer_clear(&cues);
	return result;
}

/* Write only the clips in the run's own file, without its nodes. Returns 0 or -1. */
static int write_own_clips(struct unity_run *run, struct anim_sink *sink)
{
	struct anim_buffer cues = {0};
	int result = list_unused_clips(run, run->sources, &cues);

	if (result == 0)
		result = write_clips(run, &cues, sink);
	anim_buffer_clear(&cues);
	return result;
}

static int read_main(struct unity_run *run, struct anim_input *input)
{
	struct unity_source *source = run->sources;

	source->shown = anim_input_name(input);
	run->is_pipe = anim_input_is_pipe(input);
	run->base_name = anim_read_base_name(anim_read_source_file(run->options, input), &run->arena, run->error);
	if (run->base_name == NULL ||
	    (!run->options->no_external && run->assets.package == NULL && unity_project_find(run, input) != 0))
		return anim_error_in_file(run->error, source->shown);
	if (unity_source_read(run, source, input) != 0)
		return anim_error_in_file(run->error, source->shown);
	return check_faults(run);
}

static void clear_source(struct unity_source *source)
{
	struct unity_scene *scene = &source->scene;

	for (size_t i = 0; i < source->avatars.size / sizeof(struct unity_avatar *); i++)
		anim_map_clear(&((struct unity_avatar **)(void *)source->avatars.data)[i]->by_bone);
	anim_buffer_clear(&source->avatars);
	unity_model_clear(source->model);
	anim_map_clear(&source->ids);
	anim_buffer_clear(&source->clips);
	anim_buffer_clear(&source->players.links);
	anim_buffer_clear(&source->players.placements);
	anim_buffer_clear(&source->players.players);
	anim_buffer_clear(&scene->objects);
	anim_buffer_clear(&scene->transforms);
	anim_buffer_clear(&scene->instances);
	anim_buffer_clear(&scene->roots);
	anim_buffer_clear(&scene->stand_in_ids);
	anim_map_clear(&scene->stand_ins);
}

static void clear_run(struct unity_run *run)
{
	for (struct unity_source *source = run->sources; source != NULL; source = source->next)
		clear_source(source);
	unity_assets_forget(run);
	anim_map_clear(&run->lost);
	anim_store_free(run->store);
	anim_arena_clear(&run->arena);
}

/* Read the run's own file, and push its contents. `file`: its name in the tree. Returns 0 or -1. */
static int do_run(struct unity_run *run, struct anim_input *input, const char *file, struct anim_sink *sink)
{
	int result = -1;

	run->store = anim_store_new(run->options->store_memory, run->error);
	if (run->store != NULL)
		result = read_main(run, input);
	if (result == 0)
		result = run->own_clips ? write_own_clips(run, sink) : write_all(run, file, sink);
	clear_run(run);
	return result;
}

/* Read a file of Unity twice: for its clips, and for the graph. Returns 1, 0 if it has no controller, or -1. */
static int read_graph(struct unity_run *run, struct anim_input *input, struct anim_graph *graph)
{
	struct unity_source *source = run->sources;
	struct anim_buffer text = {0};
	struct anim_input *first = NULL, *second = NULL;
	int result = -1;

	source->shown = anim_input_name(input);
	run->is_pipe = anim_input_is_pipe(input);
	run->base_name = anim_read_base_name(anim_read_source_file(run->options, input), &run->arena, run->error);
	run->store = anim_store_new(run->options->store_memory, run->error);
	if (run->base_name != NULL && run->store != NULL &&
	    (run->options->no_external || unity_project_find(run, input) == 0) &&
	    unity_text_read(input, &text, run->error) == 0 &&
	    anim_input_open_memory(&first, text.data, text.size, source->shown, run->error) == 0 &&
	    anim_input_open_memory(&second, text.data, text.size, source->shown, run->error) == 0 &&
	    unity_source_read(run, source, first) == 0 && check_faults(run) == 0)
		result = unity_graph_read(run, source, second, graph);
	anim_input_close(first);
	anim_input_close(second);
	anim_buffer_clear(&text);
	return result;
}

int anim_unity_graph(struct anim_input *input, const struct anim_read_options *options, struct anim_graph *graph,
		     struct anim_error *error)
{
	struct unity_source source = {0};
	struct unity_run run = {.options = options, .error = error, .sources = &source, .is_graph = true};
	int result = read_graph(&run, input, graph);

	clear_run(&run);
	return result < 0 ? anim_error_in_file(error, anim_input_name(input)) : result;
}

int anim_unity_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		    struct anim_error *error)
{
	struct unity_source source = {0};
	struct unity_run run = {.options = options, .error = error, .sources = &source};

	return do_run(&run, input, anim_read_source_file(options, input), sink);
}

int unity_settings_open(struct unity_run *run, const struct anim_input *input, struct unity_opened *meta)
{
	const char *shown = anim_arena_printf(&run->arena, run->error, "%s.meta", anim_input_name(input)), *real, *why;
	int found = shown == NULL ? -1 : anim_path_real(&run->arena, shown, &real, run->error);

	if (found <= 0)
		return found;
	meta->fd = anim_open_regular(real, &why);
	return meta->fd < 0 ? 0 : unity_input_open(run, &meta->input, meta->fd, shown) != 0 ? -1 : 1;
}

/*
 * Take the settings of a model from its .meta file. Settings with a fault give a warning and count as missing. Returns 1, 0 if
 * they make no clips, or -1.
 */
static int take_settings(struct unity_run *run, struct anim_input *meta)
{
	struct unity_source *source = run->sources;
	int got = unity_meta_is(meta, run->error);

	if (got <= 0)
		return got;
	source->shown = unity_keep(run, anim_input_name(meta));
	if (source->shown == NULL)
		return -1;
	source->depth = 1; /* its faults are warnings */
	got = unity_source_read(run, source, meta);
	source->depth = 0;
	if (got == 0)
		return unity_model_has_clips(source);
	if (!anim_error_is_of_input(run->error) ||
	    unity_say(run, source, ANIM_WARNING, run->error->line, NULL, "import settings are not used: %s",
		      run->error->message) != 0)
		return -1;
	*run->error = (struct anim_error){0};
	return 0;
}

/* Read the settings beside a model. Returns 1, 0 if they make no clips, or -1. */
static int read_settings(struct unity_run *run, const struct anim_input *input)
{
	struct unity_opened meta = {.fd = -1};
	int got = unity_settings_open(run, input, &meta);

	if (got > 0 && unity_project_find(run, input) != 0)
		got = -1;
	if (got > 0)
		got = take_settings(run, meta.input);
	unity_asset_close(&meta);
	return got;
}

int anim_unity_model_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
			  struct anim_error *error)
{
	struct unity_source source = {0};
	struct unity_run run = {.options = options, .error = error, .sources = &source};
	const char *file = anim_read_source_file(options, input);
	int got = options->no_external || anim_input_is_pipe(input) ? 0 : 1;

	if (got > 0 && (run.base_name = anim_read_base_name(file, &run.arena, error)) == NULL)
		got = -1;
	if (got > 0)
		got = read_settings(&run, input);
	if (got > 0)
		got = unity_model_write(&run, &source, input, file, sink) != 0 ? -1 : 1;
	clear_run(&run);
	return got < 0 ? -1 : got == 0;
}

int unity_asset_read_model(struct unity_package *package, const struct unity_package_item *item,
			   struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
			   struct anim_error *error)
{
	struct unity_source source = {0};
	struct unity_run run = {.options = options,
				.error = error,
				.sources = &source,
				.assets = {.package = package, .root = UNITY_ROOT_PACKAGE}};
	struct anim_input *meta = NULL;
	const char *shown = unity_package_shown(package, item->path, &run.arena, error);
	int got = shown == NULL ? -1 : item->meta.is_kept;

	memcpy(source.guid, item->guid, sizeof source.guid);
	if (got > 0)
		shown = anim_arena_printf(&run.arena, error, "%s.meta", shown);
	run.base_name = anim_read_base_name(anim_path_last(item->path), &run.arena, error);
	if (shown == NULL || run.base_name == NULL)
		got = -1;
	if (got > 0)
		got = unity_package_open(package, &item->meta, shown, options->input_options, &meta, error) != 0
			  ? -1
			  : take_settings(&run, meta);
	if (got > 0)
		got = unity_model_write(&run, &source, input, item->path, sink) != 0 ? -1 : 1;
	anim_input_close(meta);
	clear_run(&run);
	return got < 0 ? -1 : got == 0;
}

int unity_asset_read(struct unity_package *package, const struct unity_package_item *item, bool own_clips,
		     const struct anim_read_options *options, struct anim_sink *sink, struct anim_error *error)
{
	struct anim_read_options named = *options;
	struct unity_source source = {0};
	struct unity_run run = {.options = &named,
				.error = error,
				.sources = &source,
				.assets = {.package = package, .root = UNITY_ROOT_PACKAGE},
				.own_clips = own_clips};
	struct anim_arena arena = {0};
	struct anim_input *input = NULL;
	const char *shown = unity_package_shown(package, item->path, &arena, error);
	int result = shown == NULL ? -1
				   : unity_package_open(package, unity_package_part_of(item), shown,
							options->input_options, &input, error);

	memcpy(source.guid, item->guid, sizeof source.guid);
	named.source_name = anim_path_last(item->path);
	if (result == 0 && anim_diagnostics_enter(options->diagnostics, shown, NULL, error) == NULL)
		result = -1;
	if (result == 0)
		result = do_run(&run, input, item->path, sink);
	anim_input_close(input);
	anim_arena_clear(&arena);
	return result;
}
