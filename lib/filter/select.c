/* select.c: keep the requested tracks. */
#include "filter/select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/text.h"
#include "clip/keys.h"
#include "filter/clips.h"
#include "filter/filter.h"
#include "filter/retarget/muscle.h"
#include "filter/retarget/retarget.h"
#include "stream/record.h"
#include "stream/spool.h"

/* --- Matching names of nodes, properties and clips --- */

int anim_patterns_init(struct anim_patterns *patterns, const char *const *texts, size_t count, bool regular,
		       struct anim_error *error)
{
	*patterns = (struct anim_patterns){.globs = texts, .count = regular ? 0 : count};
	if (!regular || count == 0)
		return 0;
	patterns->regexes = calloc(count, sizeof *patterns->regexes);
	if (patterns->regexes == NULL)
		return anim_fail_memory(error);
	for (; patterns->count < count; patterns->count++) {
		const char *text = texts[patterns->count];
		char why[160];
		int fault = regcomp(&patterns->regexes[patterns->count], text, REG_EXTENDED | REG_NOSUB);

		if (fault == 0)
			continue;
		regerror(fault, &patterns->regexes[patterns->count], why, sizeof why);
		anim_patterns_clear(patterns);
		return anim_fail(error, ANIM_BAD_INPUT, "'%.100s' is not a valid regular expression: %s", text, why);
	}
	return 0;
}

void anim_patterns_clear(struct anim_patterns *patterns)
{
	for (size_t i = 0; patterns->regexes != NULL && i < patterns->count; i++)
		regfree(&patterns->regexes[i]);
	free(patterns->regexes);
	memset(patterns, 0, sizeof *patterns);
}

/* Return whether a pattern matches or the list is empty. `other` is a second form of the name, or NULL. */
static bool fit_any(const struct anim_patterns *patterns, const char *name, const char *other)
{
	if (patterns->regexes == NULL)
		return anim_globs_match(patterns->globs, patterns->count, name, other);
	for (size_t i = 0; i < patterns->count; i++)
		if (regexec(&patterns->regexes[i], name, 0, NULL, 0) == 0 ||
		    (other != NULL && regexec(&patterns->regexes[i], other, 0, NULL, 0) == 0))
			return true;
	return patterns->count == 0;
}

/* Return whether a pattern matches the plain name, or name + separator + more. */
static bool fit_joined(const struct anim_patterns *patterns, const char *plain, const char *name, char separator,
		       const char *more)
{
	char small[256];
	size_t length = strlen(name), rest = strlen(more) + 1;
	char *joined = length + 1 + rest <= sizeof small ? small : malloc(length + 1 + rest);
	bool result;

	if (joined != NULL) {
		memcpy(joined, name, length);
		joined[length] = separator;
		memcpy(joined + length + 1, more, rest);
	}
	result = fit_any(patterns, plain, joined);
	if (joined != small)
		free(joined);
	return result;
}

bool anim_patterns_fit_property(const struct anim_patterns *patterns, const struct anim_track *track)
{
	const char *property = track->property;

	if (track->component == ANIM_WHOLE || patterns->count == 0)
		return fit_any(patterns, property, NULL);
	return fit_joined(patterns, property, property, '.', anim_component_name(property, track->component));
}

/* Globs are split at their colon, so that a '/' in the player's path does not matter. */
static bool fits_clip(const struct anim_patterns *patterns, const struct anim_clip *clip)
{
	const char *player = anim_attrs_get(&clip->attrs, "player");

	if (patterns->regexes != NULL && player != NULL)
		return fit_joined(patterns, clip->name, player, ':', clip->name);
	if (patterns->regexes != NULL)
		return fit_any(patterns, clip->name, NULL);
	for (size_t i = 0; i < patterns->count; i++)
		if (anim_clip_match(clip, patterns->globs[i]) != ANIM_CLIP_OTHER)
			return true;
	return patterns->count == 0;
}

/* --- Constant tracks --- */

/* Return whether element k of a column equals value 0. For columns of handles: the handles are at their keys. */
static bool is_same(const struct anim_track *track, const void *column, size_t k)
{
	unsigned components = anim_types[track->type].components;

	for (unsigned component = 0; component < components; component++) {
		enum anim_scalar scalar = anim_types[track->type].scalar;

		/* A double cannot hold all 64-bit integers. */
		if (scalar != ANIM_SCALAR_F32 && scalar != ANIM_SCALAR_F64) {
			if (anim_component_integer(track->type, column, k, component) !=
			    anim_component_integer(track->type, track->value, 0, component))
				return false;
		} else if (!(anim_component(track->type, column, k, component) ==
			     anim_component(track->type, track->value, 0, component))) {
			return false;
		}
	}
	return true;
}

/*
 * Return whether slopes or offsets of element k are 0. An infinite or NaN slope makes its component step, which is no
 * motion either.
 */
static bool is_flat(const struct anim_track *track, const void *column, size_t k, bool steps)
{
	for (unsigned component = 0; component < anim_types[track->type].components; component++) {
		double slope = anim_component(track->type, column, k, component);

		if (slope != 0 && !(steps && !isfinite(slope)))
			return false;
	}
	return true;
}

/* Return whether side `column` (left or right) of key k has no effect on the value in this mode. */
static bool is_still(const struct anim_track *track, enum anim_interp mode, const void *column, size_t k)
{
	switch (mode) {
	case ANIM_HERMITE:
	case ANIM_WEIGHTED:
		return is_flat(track, column, k, true);
	case ANIM_TANGENT:
	case ANIM_BEZIER_2D:
		return is_flat(track, column, k, false);
	case ANIM_CUBIC_BEZIER:
		return is_same(track, column, k);
	default:
		return true;
	}
}

bool anim_track_is_constant(const struct anim_track *track)
{
	if (track->n == 0)
		return true;
	if (anim_track_is_event(track))
		return false;
	if (track->type == ANIM_STRING) {
		for (size_t k = 1; k < track->n; k++) {
			if (track->strings->length[k] != track->strings->length[0])
				return false;
			if (track->strings->length[k] != ANIM_NULL_STRING &&
			    memcmp(track->strings->bytes + track->strings->start[k],
				   track->strings->bytes + track->strings->start[0], track->strings->length[k]) != 0)
				return false;
		}
		return true;
	}
	for (size_t k = 0; k < track->n; k++)
		if (!is_same(track, track->value, k))
			return false;
	for (size_t k = 0; k + 1 < track->n && track->kind == ANIM_CURVE; k++) {
		enum anim_interp mode = anim_track_interp(track, k);

		if (!is_still(track, mode, track->right, k) || !is_still(track, mode, track->left, k + 1))
			return false;
	}
	return true;
}

/* --- Parts of a human --- */

#define NO_BONE ANIM_HUMAN_BONES

/* The parts among the globs for nodes, and the bones of the current tree. All-zero: no globs are parts. */
struct human_parts {
	uint64_t *bones; /* for each glob: its bones, or 0 if it is not a part. NULL: none is */
	bool *shapes;    /* for each glob: it also means blend shapes and expressions */
	bool fingers;    /* the tree has fingers of a human */
	bool *named;     /* for each glob: a node of the tree has this name */
	struct anim_skeleton skeleton;
	struct anim_sink *sink; /* of the skeleton */
	uint8_t *roles; /* for each node of the tree: its bone or the nearest one above, or NO_BONE. NULL: unknown */
	struct anim_arena arena;
};

static int parts_init(struct human_parts *parts, const struct anim_patterns *nodes, struct anim_error *error)
{
	bool any = false;

	anim_skeleton_init(&parts->skeleton);
	for (size_t i = 0; i < nodes->count && nodes->regexes == NULL; i++)
		any |= anim_human_part(nodes->globs[i] + (nodes->globs[i][0] == '!')) != 0;
	if (!any)
		return 0;
	parts->bones = calloc(nodes->count, sizeof *parts->bones);
	parts->shapes = calloc(nodes->count, sizeof *parts->shapes);
	parts->named = calloc(nodes->count, sizeof *parts->named);
	if (parts->bones == NULL || parts->shapes == NULL || parts->named == NULL)
		return anim_fail_memory(error);
	for (size_t i = 0; i < nodes->count; i++) {
		const char *word = nodes->globs[i] + (nodes->globs[i][0] == '!');

		parts->bones[i] = anim_human_part(word);
		parts->shapes[i] = strcmp(word, "face") == 0;
	}
	parts->sink = anim_skeleton_sink_new(&parts->skeleton, false, error);
	return parts->sink == NULL ? -1 : 0;
}

static void parts_clear(struct human_parts *parts)
{
	free(parts->bones);
	free(parts->shapes);
	free(parts->named);
	anim_sink_free(parts->sink);
	anim_skeleton_clear(&parts->skeleton);
	anim_arena_clear(&parts->arena);
}

/* Find the bones of the tree, once it is complete. Returns 0 or -1. */
static int find_roles(struct human_parts *parts, const struct anim_patterns *nodes, struct anim_error *error)
{
	struct anim_poses *poses = &parts->skeleton.poses;
	const size_t count = anim_poses_count(poses);
	uint32_t bones[ANIM_HUMAN_BONES];

	if (parts->bones == NULL || parts->roles != NULL || count == 0)
		return 0;
	if (anim_skeleton_human(&parts->skeleton, bones, error) < 0 ||
	    (parts->roles = anim_arena_zeroed(&parts->arena, count, 1, error)) == NULL)
		return -1;
	memset(parts->roles, NO_BONE, count);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		if (bones[b] != ANIM_POSE_NONE) {
			parts->roles[bones[b]] = (uint8_t)b;
			parts->fingers |= b >= ANIM_BONE_FINGERS;
		}
	/* Bones of the palm, between the hand and the first bone of a finger, belong to the finger. */
	for (unsigned b = ANIM_BONE_FINGERS; b < ANIM_HUMAN_BONES; b++) {
		const uint32_t hand = bones[ANIM_BONE_HAND + (b - ANIM_BONE_FINGERS) % 2];
		uint32_t up = bones[b];

		while (up != ANIM_POSE_NONE && hand != ANIM_POSE_NONE &&
		       (parts->roles[up] == NO_BONE || parts->roles[up] == b)) {
			parts->roles[up] = (uint8_t)b;
			up = anim_poses_parent(poses, up);
		}
	}
	for (uint32_t n = 0; n < count; n++) {
		const uint32_t up = anim_poses_parent(poses, n);

		if (parts->roles[n] == NO_BONE && up != ANIM_POSE_NONE)
			parts->roles[n] = parts->roles[up];
		for (size_t i = 0; i < nodes->count; i++)
			parts->named[i] |=
			    parts->bones[i] != 0 && strcmp(anim_node_own_name(anim_poses_path(poses, n)),
							   nodes->globs[i] + (nodes->globs[i][0] == '!')) == 0;
	}
	return 0;
}

/* Return the bone that the track moves, or NO_BONE: the bone of its muscle, of its node in the tree, or of a name in its path. */
static unsigned bone_of(struct human_parts *parts, const struct anim_clip *clip, const struct anim_track *track)
{
	const char *muscle = anim_attrs_get(&track->attrs, "unity.humanoid");
	enum anim_human_bone bone;
	char name[64], *side;
	unsigned axis, role = NO_BONE;
	uint32_t node;
	bool in_tree = (clip->flags & ANIM_IN_TREE) != 0 && parts->roles != NULL;

	if (muscle != NULL)
		return strcmp(muscle, "root") == 0                       ? ANIM_BONE_HIPS
		       : anim_muscle_find(track->property, &bone, &axis) ? bone
									 : NO_BONE;
	/* In a tree without a hand, as of a robot, fingers are found by names alone. */
	if (in_tree) {
		node = anim_poses_find(&parts->skeleton.poses, clip->root, track->node);
		role = node == ANIM_POSE_NONE ? NO_BONE : parts->roles[node];
		if (parts->fingers || node == ANIM_POSE_NONE)
			return role;
	}
	for (size_t end = strlen(track->node), begin; end > 0; end = begin > 0 ? begin - 1 : 0) {
		struct anim_bone_guess guess;

		for (begin = end; begin > 0 && track->node[begin - 1] != '/' && track->node[begin - 1] != ':'; begin--)
			continue;
		if (end - begin >= sizeof name)
			continue;
		memcpy(name, track->node + begin, end - begin);
		name[end - begin] = '\0';
		/* The first bone of a finger may have no number: Index.L, Index2.L. */
		if (in_tree && !anim_bone_of_name(&guess, name) && (side = strrchr(name, '.')) != NULL &&
		    strlen(name) + 1 < sizeof name) {
			memmove(side + 1, side, strlen(side) + 1);
			*side = '1';
		}
		if (anim_bone_of_name(&guess, name) && (!in_tree || guess.bones[guess.lower] >= ANIM_BONE_FINGERS))
			return guess.bones[guess.lower];
	}
	return role;
}

/* --- The filter --- */

#define HELD_MEMORY ((size_t)256 * 1024) /* for a head and the unknown records after it; the rest is in a file */

#define CLIP_NAMES 200

struct select {
	struct anim_filter filter;
	struct anim_select_options options;
	bool clip_fits; /* the current clip matches the patterns for clips */
	bool held;      /* its head waits for the first kept track */
	bool empty;     /* it has no track so far */
	bool muscles;   /* curves of Unity's humanoid came, which have no node */
	/* The patterns that matched so far. NEAR: the text of the pattern is a part of a node or property. */
	bool clips_fit, nodes_fit, properties_fit, nodes_near, properties_near;
	uint64_t nodes_excluded, properties_excluded; /* bits of the first globs after ! that matched a track */
	char clip_names[CLIP_NAMES];                  /* the names of the first clips */
	bool dropping; /* the last known record was dropped, and so are unknown records after it */
	/* The waiting head, with the unknown records after it. */
	struct anim_spool log;
	struct anim_arena arena; /* for a head or track that is decoded here */
	size_t tracks_kept;
	struct human_parts parts;
	struct anim_clip clip; /* the current one, for its root */
	struct anim_arena clip_texts;
};

/* Return whether glob i for nodes, without its !, matches the track, which moves a bone or NO_BONE. */
static bool fits_node(const struct select *select, size_t i, const struct anim_track *track, unsigned bone)
{
	const struct human_parts *parts = &select->parts;
	const char *glob = select->options.nodes.globs[i];
	const struct anim_patterns one = {.globs = (const char *const[]){glob + (glob[0] == '!')}, .count = 1};

	if (fit_any(&one, track->node, NULL))
		return true;
	return parts->bones != NULL && !parts->named[i] &&
	       ((bone != NO_BONE && (parts->bones[i] >> bone & 1) != 0) ||
		(parts->shapes[i] && anim_track_is_shape(track)));
}

/* Return whether the patterns for nodes match the track, as anim_globs_match does. */
static bool fits_nodes(const struct select *select, const struct anim_track *track, unsigned bone)
{
	const struct anim_patterns *nodes = &select->options.nodes;
	bool found = false, wants = false;

	if (select->parts.bones == NULL)
		return fit_any(nodes, track->node, NULL);
	for (size_t i = 0; i < nodes->count; i++) {
		const bool excludes = nodes->globs[i][0] == '!', fits = fits_node(select, i, track, bone);

		if (excludes && fits)
			return false;
		wants |= !excludes;
		found |= fits;
	}
	return found || !wants;
}

static int hold(struct select *select, const uint8_t *bytes, size_t size, struct anim_error *error)
{
	if (anim_spool_begin(&select->log, size, error) != 0)
		return -1;
	return anim_spool_append(&select->log, bytes, size, error);
}

/* Pass on the waiting head and the records after it. */
static int release(struct select *select, struct anim_error *error)
{
	uint64_t size = anim_spool_size(&select->log), at = 0;
	struct anim_record record;
	struct anim_clip clip;

	select->held = false;
	while (at < size) {
		const uint8_t *bytes = anim_spool_read(&select->log, at, ANIM_RECORD_HEAD, error);

		if (bytes == NULL)
			return -1;
		anim_record_at(bytes, at, &record);
		bytes = anim_spool_read(&select->log, at, record.size, error);
		if (bytes == NULL)
			return -1;
		anim_record_at(bytes, at, &record);
		anim_arena_reset(&select->arena);
		if (memcmp(record.tag, "CLIP", 4) != 0
			? anim_filter_record(&select->filter.sink, &record, error) != 0
			: anim_record_clip(&record, true, &clip, &select->arena, error) != 0 ||
			      anim_filter_clip(&select->filter.sink, &clip, error) != 0)
			return -1;
		at += record.size;
	}
	return 0;
}

/* The current clip is complete. */
static int close_clip(struct select *select, struct anim_error *error)
{
	bool pass = select->held && (select->empty || select->options.kept != NULL) &&
		    (select->options.clips.count == 0 || select->clip_fits != select->options.invert);

	if (pass)
		return release(select, error);
	select->held = false;
	return 0;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct select *select = (struct select *)sink;

	if (close_clip(select, error) != 0)
		return -1;
	select->dropping = false;
	if (select->parts.bones != NULL) {
		anim_skeleton_clear(&select->parts.skeleton);
		anim_arena_reset(&select->parts.arena);
		select->parts.roles = NULL;
		memset(select->parts.named, 0, select->options.nodes.count * sizeof *select->parts.named);
		if (anim_sink_tree(select->parts.sink, tree, error) != 0)
			return -1;
	}
	return anim_filter_tree(sink, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct select *select = (struct select *)sink;

	if (select->parts.bones != NULL && anim_sink_node(select->parts.sink, node, error) != 0)
		return -1;
	return anim_filter_node(sink, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	static const char more[] = ", ...";
	struct select *select = (struct select *)sink;
	struct anim_buffer record = {0};
	int result;

	if (close_clip(select, error) != 0 || find_roles(&select->parts, &select->options.nodes, error) != 0)
		return -1;
	anim_arena_reset(&select->clip_texts);
	if (select->parts.bones != NULL && anim_clip_copy(&select->clip, clip, &select->clip_texts, error) != 0)
		return -1;
	select->clip_fits = fits_clip(&select->options.clips, clip);
	select->clips_fit = select->clips_fit || select->clip_fits;
	if (!select->clips_fit) {
		/* Append to the list of names, which ends with "..." if it is full. */
		size_t used = strlen(select->clip_names), left = sizeof select->clip_names - used;

		if (used + strlen(clip->name) + sizeof more + 2 < sizeof select->clip_names)
			snprintf(select->clip_names + used, left, "%s%s", used == 0 ? "" : ", ", clip->name);
		else if (used >= sizeof more && strcmp(select->clip_names + used - (sizeof more - 1), more) != 0)
			snprintf(select->clip_names + used, left, "%s", more);
	}
	select->held = select->empty = true;
	select->dropping = false;
	anim_spool_truncate(&select->log, 0);
	if (clip->record != NULL)
		return hold(select, clip->record->bytes, clip->record->size, error);
	result = anim_encode_clip(&record, clip, true, error);
	if (result == 0)
		result = hold(select, record.data, record.size, error);
	anim_buffer_clear(&record);
	return result;
}

/* Return whether the only pattern is a plain text that is a part of the name. */
static bool is_near(const struct anim_patterns *patterns, const char *name)
{
	return patterns->regexes == NULL && patterns->count == 1 && strpbrk(patterns->globs[0], "*?[!") == NULL &&
	       strstr(name, patterns->globs[0]) != NULL;
}

#define EXCLUSIONS 64 /* globs with a bit */

/* Record which globs after ! match the track, which moves a bone or NO_BONE. */
static void record_excluded(const struct select *select, const struct anim_track *track, bool by_property,
			    unsigned bone, uint64_t *excluded)
{
	const struct anim_patterns *patterns = by_property ? &select->options.properties : &select->options.nodes;

	for (size_t i = 0; patterns->regexes == NULL && i < patterns->count && i < EXCLUSIONS; i++) {
		const char *glob = patterns->globs[i] + 1;
		const struct anim_patterns one = {.globs = &glob, .count = 1};

		if (patterns->globs[i][0] != '!' || *excluded >> i & 1)
			continue;
		if (by_property ? anim_patterns_fit_property(&one, track) : fits_node(select, i, track, bone))
			*excluded |= (uint64_t)1 << i;
	}
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct select *select = (struct select *)sink;
	const struct anim_select_options *options = &select->options;
	const unsigned bone = select->parts.bones == NULL ? NO_BONE : bone_of(&select->parts, &select->clip, track);
	const bool node_fits = fits_nodes(select, track, bone);
	bool fit;

	select->empty = false;
	select->muscles = select->muscles || anim_attrs_get(&track->attrs, "unity.humanoid") != NULL;

	/* Record which patterns match anything, for the message if no track matches all of them. */
	if (select->tracks_kept == 0) {
		select->nodes_fit = select->nodes_fit || node_fits;
		select->properties_fit =
		    select->properties_fit || anim_patterns_fit_property(&options->properties, track);
		select->nodes_near = select->nodes_near || is_near(&options->nodes, track->node);
		select->properties_near = select->properties_near || is_near(&options->properties, track->property);
	}
	record_excluded(select, track, false, bone, &select->nodes_excluded);
	record_excluded(select, track, true, bone, &select->properties_excluded);
	fit = select->clip_fits && (options->kinds == 0 || options->kinds >> track->kind & 1) &&
	      (options->types == 0 || options->types >> track->type & 1) && track->n >= options->min_keys &&
	      node_fits && anim_patterns_fit_property(&options->properties, track);
	if (fit && options->constant) {
		/* the columns may have to be decoded first */
		struct anim_track whole = *track;

		anim_arena_reset(&select->arena);
		if (track->record != NULL && anim_record_track(track->record, &whole, &select->arena, error) != 0)
			return -1;
		fit = anim_track_is_constant(&whole);
	}
	select->dropping = fit == select->options.invert;
	if (select->dropping)
		return 0;
	select->tracks_kept++;
	if (select->options.kept != NULL)
		++*select->options.kept;
	if (select->held && release(select, error) != 0)
		return -1;
	return anim_filter_track(sink, track, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct select *select = (struct select *)sink;

	if (memcmp(record->tag, "iNDX", 4) == 0) {
		if (close_clip(select, error) != 0)
			return -1;
		select->dropping = false;
	}
	if (select->dropping)
		return 0;
	return select->held ? hold(select, record->bytes, record->size, error)
			    : anim_filter_record(sink, record, error);
}

const char anim_select_nothing[] = "no track matches; " ANIM_ADVICE(LIST_TRACKS);

#define NO_NODES                                                                                             \
	"no track matches; curves of a humanoid have no nodes, so select them by property: " ANIM_OPTION_TO( \
	    "filter", "property", "'*Hand*'")

/* Report which pattern matches nothing, and one that would match. Returns 0 or -1. */
static int report_empty(const struct select *select, struct anim_error *error)
{
	const struct anim_select_options *options = &select->options;
	const struct anim_scope *scope = options->diagnostics->scope;
	char text[640];

	if (options->kept != NULL)
		return 0;
	if (select->muscles && options->nodes.count > 0 && select->parts.bones == NULL) {
		snprintf(text, sizeof text, "%s", NO_NODES);
	} else if (options->invert || (select->clips_fit && select->nodes_fit && select->properties_fit)) {
		snprintf(text, sizeof text, "%s", anim_select_nothing);
	} else if (!select->clips_fit) {
		snprintf(text, sizeof text,
			 "no clip matches " ANIM_OPTION_TO("filter", "clip", "'%.100s'") "; the clips are %s",
			 options->clips.globs[0], select->clip_names);
	} else {
		const char *glob = (select->nodes_fit ? &options->properties : &options->nodes)->globs[0];
		size_t used;

		snprintf(text, sizeof text,
			 select->nodes_fit
			     ? "no track has the property " ANIM_OPTION_TO("filter", "property", "'%.100s'") "; "
			     : "no node has the path " ANIM_OPTION_TO("filter", "node", "'%.100s'") "; ",
			 glob);
		used = strlen(text);
		if (!select->nodes_fit && anim_human_part(glob) != 0)
			snprintf(text + used - 2, sizeof text - used + 2,
				 ", and no track moves this part of a human; " ANIM_ADVICE(LIST_BONES));
		else if (select->nodes_fit ? select->properties_near : select->nodes_near)
			snprintf(text + used, sizeof text - used, "'*%.100s*' matches a part of it", glob);
		else
			snprintf(text + used, sizeof text - used, "%s", ANIM_ADVICE(LIST_TRACKS));
	}
	if (!options->require)
		return anim_diagnostics_note(options->diagnostics, NULL, error, "%s", text);
	anim_fail(error, ANIM_BAD_INPUT, "%s", text);
	return scope == NULL || scope->file == NULL ? -1 : anim_error_in_file(error, scope->file);
}

/* Warn about globs after ! that match no track: most are misspelled. */
static int report_excluded(const struct select *select, const struct anim_patterns *patterns, uint64_t excluded,
			   struct anim_error *error)
{
	for (size_t i = 0; patterns->regexes == NULL && i < patterns->count && i < EXCLUSIONS; i++)
		if (patterns->globs[i][0] == '!' && !(excluded >> i & 1) &&
		    anim_diagnostics_warn(select->options.diagnostics, NULL, error,
					  "no track matches '%.100s', so it leaves nothing out",
					  patterns->globs[i] + 1) != 0)
			return -1;
	return 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct select *select = (struct select *)sink;
	const struct anim_select_options *options = &select->options;
	bool excludes = select->tracks_kept > 0 && !options->invert && options->kept == NULL;

	if (close_clip(select, error) != 0 || (select->tracks_kept == 0 && report_empty(select, error) != 0))
		return -1;
	if (excludes && (report_excluded(select, &options->nodes, select->nodes_excluded, error) != 0 ||
			 report_excluded(select, &options->properties, select->properties_excluded, error) != 0))
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct select *select = (struct select *)sink;

	anim_spool_clear(&select->log);
	anim_arena_clear(&select->arena);
	anim_arena_clear(&select->clip_texts);
	parts_clear(&select->parts);
	anim_filter_free(sink);
}

struct anim_sink *anim_select_new(const struct anim_select_options *options, struct anim_sink *next,
				  struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, on_free};
	struct select *select = anim_filter_new(sizeof *select, &ops, next, error);

	if (select == NULL)
		return NULL;
	select->options = *options;
	select->clips_fit = options->clips.count == 0;
	select->nodes_fit = options->nodes.count == 0;
	select->properties_fit = options->properties.count == 0;
	anim_spool_init(&select->log, HELD_MEMORY);
	if (parts_init(&select->parts, &options->nodes, error) != 0) {
		anim_sink_free(&select->filter.sink);
		return NULL;
	}
	return &select->filter.sink;
}
