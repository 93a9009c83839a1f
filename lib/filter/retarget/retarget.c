/* retarget.c: the filter, which moves tracks to the matched bones. Tracks that depend on others wait. */
#include "filter/retarget/retarget.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/text.h"
#include "filter/common/feet.h"
#include "filter/common/posing.h"
#include "filter/filter.h"
#include "filter/retarget/figure.h"
#include "filter/retarget/fold.h"
#include "filter/retarget/humanoid.h"
#include "math/elementary.h"

#define SAME_LENGTH 0.02    /* of squared lengths */
#define SAME_DIRECTION 0.94 /* cosine of 20 degrees */

#define SLIDES 0.0005 /* of a leg: less sliding is not reported */
#define FLOATS 0.01   /* the same for the height of feet that do not slide */

/* A track that waits in the store. */
struct waiting {
	enum retarget_role role; /* ROLE_OTHER: no longer waits */
	bool moves;              /* of a position: it leaves its rest value */
	size_t number;
	uint32_t next; /* next track of the same node: index in the list + 1; 0: none */
};

/* The sliding of the feet in all clips so far. */
struct slid {
	double share;
	double height; /* of the lowest ankle above its height on the ground, in leg lengths */
	char name[64];
	bool measured; /* a foot was measured */
	bool stood;    /* its height was measured */
};

struct retarget {
	struct anim_filter filter;
	struct anim_retarget_options options;
	struct anim_skeleton own; /* the stream's tree */
	struct anim_sink *own_sink;
	struct anim_skeleton posed; /* a copy of it that becomes a T-pose, if that is the target */
	struct anim_sink *posed_sink;
	struct retarget_plan plan;
	bool planned, sent;   /* the plan exists; the target's tree was sent */
	bool identical;       /* the target is the stream's own tree, as far as it has nodes */
	bool open;            /* the hips are unknown: each clip's tracks decide */
	bool *carries;        /* for each source node: it has a descendant with a partner */
	bool *chained, *lent; /* the motion of other nodes becomes a part of its own, or the reverse */
	struct anim_clip out; /* the outgoing clip */
	bool in_clip, known;  /* known: the clip's rest pose is known */
	uint32_t *heads;      /* for each source node: index in `waiting` + 1 of its first waiting track */
	struct anim_buffer waiting;
	struct anim_store *store;
	bool unchanged; /* the clip passes unchanged, because the target is the source or nothing is known of it */
	bool *rotated;  /* for each target bone: it has a rotation in this clip */
	bool any_turns; /* one of them has */
	struct anim_keys keys;
	struct retarget_humanoid *humanoid;
	struct anim_store *held; /* clips that wait until the motion of the last one completes the plan, or NULL */
	/* A Unity clip without rest poses may be humanoid. Its tracks wait until that is known. */
	bool undecided;
	struct anim_store *aside;
	size_t offsets,
	    elsewhere;  /* positions as long as in the other skeleton, and how many of these have another direction */
	size_t refused; /* tracks of nodes of unknown rest poses, which are an error unless the clip is humanoid */
	struct anim_error refusal;
	char first_refused[ANIM_DIAGNOSTIC_NAME_BYTES]; /* label of the first */
	struct anim_posing sampled;                     /* the last held clip in the source's tree */
	struct anim_feet feet[2];                       /* before and after */
	struct slid slid[2];
	struct anim_arena track_arena, plan_arena;
	struct anim_buffer columns[ANIM_COLUMN_COUNT];
};

/* ---- The plan ---- */

static void node_of(const struct retarget_side *side, uint32_t n, struct anim_node *node)
{
	const struct anim_poses *poses = &side->skeleton->poses;
	const struct anim_rest *rest = &poses->rests.items[n];
	uint32_t parent = anim_poses_parent(poses, n);

	*node = (struct anim_node){.has = rest->has, .path = rest->path, .type = ""};
	node->parent = parent == ANIM_POSE_NONE ? ANIM_NO_PARENT : parent;
	memcpy(node->position, rest->position, sizeof node->position);
	memcpy(node->rotation, rest->rotation, sizeof node->rotation);
	memcpy(node->scale, rest->scale, sizeof node->scale);
}

static const char *path_of(const struct retarget_side *side, uint32_t node)
{
	return anim_poses_path(&side->skeleton->poses, node);
}

static int give_feet(struct anim_feet *feet, const struct retarget_side *side, const struct retarget_side *other,
		     struct anim_error *error)
{
	anim_feet_tree(feet);
	for (uint32_t n = 0; n < side->count; n++) {
		/* A foot that exists on one side only cannot be compared. */
		enum anim_human_bone bone =
		    side->nodes[n].partner == ANIM_POSE_NONE ? ANIM_HUMAN_BONES : retarget_bone(side, other, n);
		struct anim_node node;

		node_of(side, n, &node);
		if (anim_feet_node(feet, &node, &bone, error) != 0)
			return -1;
	}
	return 0;
}

static int make_plan(struct retarget *r, struct anim_error *error)
{
	const struct retarget_side *from = &r->plan.from, *to = &r->plan.to;

	if (r->planned)
		return 0;
	r->planned = true;
	if (retarget_plan_make(&r->plan, r->options.from != NULL ? r->options.from : &r->own, error) != 0)
		return -1;
	r->identical = r->options.from == NULL && r->plan.same && r->plan.ratio == 1;
	r->open = r->plan.hips == ANIM_POSE_NONE && !r->plan.same;
	r->carries = anim_arena_zeroed(&r->plan_arena, from->count + 1, sizeof *r->carries, error);
	for (uint32_t n = from->count; n-- > 0 && r->carries != NULL;) {
		uint32_t parent = anim_poses_parent(&from->skeleton->poses, n), partner = from->nodes[n].partner;

		if (parent != ANIM_POSE_NONE && (r->carries[n] || partner != ANIM_POSE_NONE))
			r->carries[parent] = true;
		if (partner != ANIM_POSE_NONE && strcmp(path_of(from, n), path_of(to, partner)) != 0)
			r->identical = false;
	}
	if (r->carries == NULL)
		return -1;

	/* Find the nodes whose motion depends on others: on nodes without a partner, or on bones of another branch. */
	r->chained = anim_arena_zeroed(&r->plan_arena, from->count + 1, sizeof *r->chained, error);
	r->lent = anim_arena_zeroed(&r->plan_arena, from->count + 1, sizeof *r->lent, error);
	for (uint32_t n = 0; n < from->count && r->chained != NULL && r->lent != NULL; n++) {
		uint32_t parent = anim_poses_parent(&from->skeleton->poses, n), base, end;

		if (from->nodes[n].partner == ANIM_POSE_NONE || parent == ANIM_POSE_NONE)
			continue;
		base = retarget_base(&r->plan, n);
		end = retarget_shared(from, n, base);
		r->chained[n] = base != parent;
		for (; parent != end && base != parent; parent = anim_poses_parent(&from->skeleton->poses, parent))
			r->lent[parent] = true;
		for (; base != end; base = anim_poses_parent(&from->skeleton->poses, base))
			r->lent[base] = true;
	}
	if (r->chained == NULL || r->lent == NULL)
		return -1;
	if (r->options.feet &&
	    (give_feet(&r->feet[0], from, to, error) != 0 || give_feet(&r->feet[1], to, from, error) != 0))
		return -1;
	return 0;
}

/* ---- Names ---- */

/*
 * Return the source node of a track, or ANIM_POSE_NONE if it is unknown. In a tree of another file it is also found by
 * name.
 */
static uint32_t find_node(struct retarget *r, const struct anim_clip *clip, const struct anim_track *track)
{
	if (!r->known)
		return ANIM_POSE_NONE;
	return (r->options.from != NULL ? anim_poses_find_loosely : anim_poses_find)(&r->plan.from.skeleton->poses,
										     clip->root, track->node);
}

/* Return the part of a tree's path after the root, or NULL if the path is outside of the root. */
static const char *path_below_root(const char *root, const char *path)
{
	size_t length = strlen(root);

	if (strcmp(root, ".") == 0)
		return path;
	if (strncmp(root, path, length) != 0 || (path[length] != '/' && path[length] != '\0'))
		return NULL;
	return path[length] == '\0' ? "." : path + length + 1;
}

/*
 * Return the clip's own root if it exists in the target and contains all nodes with partners. Otherwise return the
 * tree's root. Returns NULL if out of memory.
 */
static const char *find_root(struct retarget *r, struct anim_error *error)
{
	const char *root;

	if (r->identical)
		return r->filter.clip.root;
	if (anim_tree_path_find(r->filter.clip.root, ".", &root, &r->filter.clip_arena, error) != 0)
		return NULL;
	if (root == NULL || anim_poses_find(&r->options.to->poses, ".", root) == ANIM_POSE_NONE)
		return ".";
	for (uint32_t t = 0; t < r->plan.to.count; t++)
		if (r->plan.to.nodes[t].partner != ANIM_POSE_NONE &&
		    path_below_root(root, path_of(&r->plan.to, t)) == NULL)
			return ".";
	return r->filter.clip.root;
}

/*
 * Give the track its partner's path. If the clip's format does not separate bones by a ':', add an attribute. Returns 0
 * or -1.
 */
static int name_track(struct retarget *r, struct anim_track *out, uint32_t node, uint32_t to, struct anim_error *error)
{
	const char *path = anim_poses_path(&r->options.to->poses, to);
	bool same = node != ANIM_POSE_NONE && strcmp(path_of(&r->plan.from, node), path) == 0;
	const char *root = anim_tree_path(r->out.root, ".", &r->track_arena, error);

	if (root == NULL)
		return -1;
	if (same && r->out.root == r->filter.clip.root && r->options.from == NULL)
		return 0;
	out->node = path_below_root(root, path);
	out->record = NULL;
	if (out->node == NULL)
		return anim_track_refuse(out, "is outside of the clip's root", error);

	const struct anim_poses *poses = &r->options.to->poses;
	uint32_t above = anim_poses_parent(poses, to);

	if (above == ANIM_POSE_NONE ||
	    anim_node_bone(anim_poses_path(poses, to), anim_poses_path(poses, above)) == NULL)
		return 0;
	if (anim_source_is_godot(r->filter.clip.source))
		return 0;

	return anim_attrs_with(&out->attrs, &out->attrs, "godot.bone", "true", &r->track_arena, error);
}

/* ---- Kinds of tracks ---- */

static bool stays(const struct retarget *r, const struct anim_track *track, uint32_t node, enum retarget_role role,
		  bool standing)
{
	return retarget_stays(track, role, &r->plan.from.skeleton->poses.rests.items[node], r->plan.from.height,
			      standing);
}

/* ---- Output ---- */

static int send(struct retarget *r, const struct anim_track *track, struct anim_error *error)
{
	if (r->options.feet && r->known && anim_feet_track(&r->feet[1], &r->out, track, error) != 0)
		return -1;
	return anim_sink_track(r->filter.next, track, error);
}

static void mark_rotated(struct retarget *r, uint32_t to)
{
	r->rotated[to] = r->any_turns = true;
}

static int map_track(struct retarget *r, const struct anim_track *track, enum retarget_role role, uint32_t node,
		     uint32_t to, struct anim_track *out, struct anim_error *error)
{
	bool relative = (track->flags & ANIM_REST_RELATIVE) != 0, fits = true;
	struct anim_affine affine;
	double a[4], b[4];
	int done;

	if (role == ROLE_POSITION) {
		struct retarget_place place = {
		    .space = relative ? node : anim_poses_parent(&r->plan.from.skeleton->poses, node),
		    .relative = relative};

		for (unsigned i = 0; i < 3 && !relative; i++)
			place.rest[i] = (double)r->plan.from.skeleton->poses.rests.items[node].position[i];
		if (!retarget_position(&r->plan, &place, to, &affine))
			return anim_track_refuse(track, "cannot be placed in the target: a node above it has scale 0",
						 error);
	} else if (role == ROLE_SCALE) {
		/* A skeleton below a scaled node keeps its size: scales are relative to the rest. */
		const float *from = retarget_rest(&r->plan.from, node)->scale;
		const float *own = retarget_rest(&r->plan.to, to)->scale;

		anim_affine_basis(&affine, NULL);
		for (unsigned i = 0; i < 3 && !relative; i++)
			affine.m[i][i] = from[i] != 0 ? (double)own[i] / (double)from[i] : 1;
	} else {
		retarget_factors(&r->plan, node, to, relative, a, b);
		anim_affine_rotation(&affine, a, b);
		anim_affine_snap(&affine);
	}
	if (role == ROLE_EULER)
		fits = anim_affine_angles(&affine);
	if (fits && track->component != ANIM_WHOLE)
		fits = anim_affine_component(&affine, track->component);
	if (fits && anim_types[track->type].components != affine.components)
		return anim_track_refuse(
		    track, "does not have the components of a 3D node; 2D tracks cannot be retargeted", error);
	if (fits && anim_affine_is_none(&affine))
		return 0;
	done = fits ? anim_affine_track(&affine, track, r->columns, out, error) : 0;
	return done != 0 ? (done > 0 ? 0 : -1)
			 : anim_track_refuse(track, "cannot be converted key by key; " ANIM_ADVICE(BAKE), error);
}

/* Convert one track of a node and send it as a track of a target bone. */
static int send_mapped(struct retarget *r, const struct anim_track *track, enum retarget_role role, uint32_t node,
		       uint32_t to, struct anim_error *error)
{
	struct anim_track out = *track;

	if (retarget_is_rotation(role))
		mark_rotated(r, to);
	if (map_track(r, track, role, node, to, &out, error) != 0)
		return -1;
	if (role == ROLE_POSITION)
		to = retarget_placed(&r->plan, to);
	return name_track(r, &out, node, to, error) != 0 ? -1 : send(r, &out, error);
}

/* ---- Dropped tracks ---- */

static int report_dropped(struct retarget *r, const struct anim_track *track, uint32_t node, enum retarget_role role,
			  struct anim_error *error)
{
	const char *name = anim_node_own_name(track->node);
	int result;

	if (node == ANIM_POSE_NONE)
		result = anim_diagnostics_warn(r->options.diagnostics, "track", error,
					       "'%s %s': dropped, because the rest pose is unknown", track->node,
					       track->property);
	else if (retarget_attr(&r->plan.from, node, "mmd.ik_moves") != NULL ||
		 stays(r, track, node, role, role != ROLE_ROTATION))
		return 0; /* the motion of a goal of IK is in the limbs */
	else if (r->plan.from.nodes[node].partner == ANIM_POSE_NONE) {
		/*
		 * A target that lacks a bone below a hand or a foot cannot show a motion of fingers or toes, and the
		 * person who chose it knows.
		 */
		uint32_t above = retarget_above(&r->plan.from, node);
		enum anim_human_bone bone =
		    above == ANIM_POSE_NONE ? ANIM_HUMAN_BONES : retarget_bone(&r->plan.from, &r->plan.to, above);
		const bool finger = (bone >= ANIM_BONE_HAND && bone < ANIM_BONE_UPPER_LEG) ||
				    (bone >= ANIM_BONE_FOOT && bone < ANIM_HUMAN_BONES);

		result = anim_diagnostics_add(r->options.diagnostics, finger ? ANIM_NOTE : ANIM_WARNING, NULL, "track",
					      error, "'%s %s': dropped, because the target lacks the bone", name,
					      track->property);
	} else if (role == ROLE_SCALE)
		result = anim_diagnostics_warn(
		    r->options.diagnostics, "bone", error,
		    "'%s': the scale was dropped; " ANIM_OPTION("retarget", "scale") " keeps it", name);
	else
		result = anim_diagnostics_warn(
		    r->options.diagnostics, "bone", error,
		    "'%s': the position was dropped, because the target has its own bone lengths; " ANIM_OPTION_TO(
			"retarget", "hips", "NAME") " keeps the position of bone NAME, which moves the body",
		    name);
	return result != 0 ? -1 : anim_diagnostics_name(r->options.diagnostics, error, "%s", name);
}

/* Return whether the node is the hips or above them, so that it places the whole body. */
static bool bears_hips(const struct retarget *r, uint32_t node)
{
	return r->plan.hips != ANIM_POSE_NONE && retarget_is_below(&r->plan.from, r->plan.hips, node);
}

static bool is_kept(const struct retarget *r, uint32_t node, enum retarget_role role)
{
	if (retarget_is_rotation(role) || r->plan.same || r->plan.tpose)
		return true;
	if (role == ROLE_SCALE)
		return r->options.scale;
	if (bears_hips(r, node))
		return true;
	if (!r->options.keep_positions)
		return false;

	/* A node of the face is below the head. Without a head, all nodes count. */
	const struct retarget_side *side = &r->plan.from;
	bool any = false;

	for (uint32_t n = 0; n < side->count; n++) {
		if (retarget_bone(side, &r->plan.to, n) != ANIM_BONE_HEAD)
			continue;
		any = true;
		if (n != node && retarget_is_below(side, node, n))
			return true;
	}
	return !any;
}

/* ---- Waiting tracks ---- */

static struct waiting *waiting_at(const struct retarget *r, uint32_t place)
{
	return (struct waiting *)(void *)r->waiting.data + place - 1;
}

static int keep_waiting(struct retarget *r, const struct anim_track *track, enum retarget_role role, uint32_t node,
			struct anim_error *error)
{
	struct waiting item = {.role = role, .next = r->heads[node]};

	item.moves = role == ROLE_POSITION && !stays(r, track, node, role, true);
	if (r->store == NULL) {
		r->store = anim_store_new(r->options.store_memory, error);
		if (r->store == NULL || anim_sink_clip(anim_store_sink(r->store), &r->filter.clip, error) != 0)
			return -1;
	}
	item.number = anim_store_tracks(r->store, 0);
	if (anim_sink_track(anim_store_sink(r->store), track, error) != 0 ||
	    anim_buffer_append(&r->waiting, &item, sizeof item, error) != 0)
		return -1;
	r->heads[node] = (uint32_t)(r->waiting.size / sizeof item);
	return 0;
}

static bool is_of_kind(const struct waiting *item, bool rotates)
{
	return rotates ? retarget_is_rotation(item->role) : item->role == ROLE_POSITION;
}

/* Return the number of waiting tracks that rotate (rotates) or place the node. */
static size_t count_waiting(const struct retarget *r, uint32_t node, bool rotates)
{
	size_t count = 0;

	for (uint32_t i = r->heads[node]; i != 0; i = waiting_at(r, i)->next)
		count += is_of_kind(waiting_at(r, i), rotates);
	return count;
}

/*
 * A chain from a bone upwards, ending below the node `space`, which is usually the next node with a partner. If the bone
 * moves relative to a bone of another branch, the chain goes on down to that bone.
 */
struct chain {
	struct anim_buffer nodes; /* uint32_t */
	size_t count, up;         /* up: the number of nodes before the way down */
	uint32_t space;
	size_t rotated, placed; /* number of nodes with such tracks; `rotated` includes the bone itself */
	uint32_t only;          /* the last node with a rotation */
	bool back;              /* a node on the way down has a rotation */
};

static uint32_t chain_node(const struct chain *chain, size_t i)
{
	return ((const uint32_t *)(const void *)chain->nodes.data)[i];
}

static int add_to_chain(const struct retarget *r, struct chain *chain, uint32_t node, bool back,
			struct anim_error *error)
{
	bool rotates = count_waiting(r, node, true) > 0;

	chain->rotated += rotates;
	chain->placed += chain->count > 0 && !back && (rotates || count_waiting(r, node, false) > 0);
	chain->only = rotates ? node : chain->only;
	chain->back |= rotates && back;
	chain->up += !back;
	chain->count++;
	return anim_buffer_append(&chain->nodes, &node, sizeof node, error);
}

/* Copy the node's only track of this kind. *out is NULL if it does not have one. */
static int load(struct retarget *r, uint32_t node, bool rotates, const struct anim_track **out,
		struct anim_error *error)
{
	struct anim_track read, *copy;

	*out = NULL;
	for (uint32_t i = r->heads[node]; i != 0; i = waiting_at(r, i)->next) {
		if (!is_of_kind(waiting_at(r, i), rotates))
			continue;
		copy = anim_arena_zeroed(&r->track_arena, 1, sizeof *copy, error);
		if (copy == NULL || anim_store_read(r->store, 0, waiting_at(r, i)->number, &read, error) != 0 ||
		    anim_track_copy(copy, &read, &r->track_arena, error) != 0)
			return -1;
		if (*out != NULL)
			return anim_track_refuse(
			    copy,
			    "cannot be combined with the tracks of a bone that the target lacks; " ANIM_ADVICE(BAKE),
			    error);
		*out = copy;
	}
	return 0;
}

/* Combine several tracks of a chain into one. */
static int fold_chain(struct retarget *r, const struct chain *chain, bool places, struct anim_error *error)
{
	uint32_t node = chain_node(chain, 0), to = r->plan.from.nodes[node].partner;
	struct anim_track out = {.node = ".", .property = places ? "position" : "rotation"};
	struct retarget_link *links = anim_arena_zeroed(&r->track_arena, chain->count, sizeof *links, error);
	struct retarget_fold fold = {.plan = &r->plan,
				     .clip = &r->filter.clip,
				     .links = links,
				     .count = places ? chain->up : chain->count,
				     .limb = places && !bears_hips(r, node),
				     .space = chain->space,
				     .keys = &r->keys};

	for (size_t i = 0; i < fold.count && links != NULL; i++) {
		links[i].node = chain_node(chain, i);
		links[i].back = i >= chain->up;
		if ((!places || i > 0) && load(r, links[i].node, true, &links[i].rotation, error) != 0)
			return -1;
		if (places && load(r, links[i].node, false, &links[i].position, error) != 0)
			return -1;
	}
	if (links == NULL || (places ? retarget_fold_position : retarget_fold_rotation)(&fold, &out, error) != 0)
		return -1;

	const char *name = anim_node_own_name(path_of(&r->plan.from, fold.links[0].node));

	if (fold.worst > 0 &&
	    !(r->options.implied &&
	      anim_diagnostics_tolerates(r->options.diagnostics, fold.worst, places ? "units" : "degrees")) &&
	    (anim_diagnostics_add_error(r->options.diagnostics, places ? "position" : "rotation", fold.worst,
					places ? "units" : "degrees", error,
					"'%s': now with the motion of parent bones that the target lacks", name) != 0 ||
	     anim_diagnostics_name(r->options.diagnostics, error, "%s", name) != 0))
		return -1;
	if (name_track(r, &out, ANIM_POSE_NONE, places ? retarget_placed(&r->plan, to) : to, error) != 0)
		return -1;

	if (!places)
		mark_rotated(r, to);
	return send(r, &out, error);
}

/* Send the waiting tracks of one node separately to a bone. */
static int send_waiting(struct retarget *r, uint32_t node, bool rotates, uint32_t to, struct anim_error *error)
{
	struct anim_track track;
	uint32_t place = 0;

	/* The list is in reverse order. */
	for (size_t left = count_waiting(r, node, rotates); left > 0; left--) {
		size_t skip = left;

		for (uint32_t i = r->heads[node]; i != 0 && skip > 0; i = waiting_at(r, i)->next)
			if (is_of_kind(waiting_at(r, i), rotates) && --skip == 0)
				place = i;
		if (anim_store_read(r->store, 0, waiting_at(r, place)->number, &track, error) != 0 ||
		    send_mapped(r, &track, waiting_at(r, place)->role, node, to, error) != 0)
			return -1;
	}
	return 0;
}

/* Send the waiting tracks of a bone below bones that the target lacks. */
static int finish_bone(struct retarget *r, uint32_t node, struct chain *chain, struct anim_error *error)
{
	const struct retarget_side *side = &r->plan.from;
	uint32_t to = side->nodes[node].partner, base = retarget_base(&r->plan, node), *down;
	int result;

	/* Find the chain. The way down begins at the top. */
	*chain = (struct chain){.nodes = chain->nodes, .space = retarget_shared(side, node, base)};
	chain->nodes.size = 0;
	for (uint32_t n = node; n != chain->space; n = anim_poses_parent(&side->skeleton->poses, n))
		if (add_to_chain(r, chain, n, false, error) != 0)
			return -1;
	for (; base != chain->space; base = anim_poses_parent(&side->skeleton->poses, base))
		if (add_to_chain(r, chain, base, true, error) != 0)
			return -1;
	down = (uint32_t *)(void *)chain->nodes.data + chain->up;
	for (size_t i = 0, last = chain->count - chain->up; last-- > i; i++) {
		uint32_t other = down[i];

		down[i] = down[last];
		down[last] = other;
	}

	result = chain->rotated == 0                   ? 0
		 : chain->rotated == 1 && !chain->back ? send_waiting(r, chain->only, true, to, error)
						       : fold_chain(r, chain, false, error);
	anim_arena_reset(&r->track_arena);
	if (result == 0 && chain->placed > 0 && (bears_hips(r, node) || retarget_is_apart(&r->plan, node)))
		result = fold_chain(r, chain, true, error);
	else if (result == 0)
		result = send_waiting(r, node, false, to, error);
	anim_arena_reset(&r->track_arena);
	return result;
}

/* ---- The bone that carries a clip's motion ---- */

/*
 * Choose the topmost animated bone. Among siblings, choose the one with the most matched descendants. If the target
 * lacks it, choose its matched descendant that has the most.
 */
static int choose_hips(struct retarget *r, struct anim_error *error)
{
	const struct retarget_side *side = &r->plan.from;
	uint32_t *loads = anim_arena_zeroed(&r->filter.clip_arena, side->count + 1, sizeof *loads, error);
	uint32_t *tops = anim_arena_zeroed(&r->filter.clip_arena, side->count + 1, sizeof *tops, error);
	uint32_t best = ANIM_POSE_NONE;

	if (loads == NULL || tops == NULL)
		return -1;
	for (uint32_t n = side->count; n-- > 0;) {
		uint32_t above = anim_poses_parent(&side->skeleton->poses, n);

		loads[n] += side->nodes[n].partner != ANIM_POSE_NONE;
		if (above != ANIM_POSE_NONE)
			loads[above] += loads[n];
	}
	for (uint32_t n = 0; n < side->count; n++) { /* tops: the topmost animated ancestor, + 1 */
		uint32_t above = anim_poses_parent(&side->skeleton->poses, n);
		bool moves = false;

		for (uint32_t i = r->heads[n]; i != 0; i = waiting_at(r, i)->next)
			moves |= waiting_at(r, i)->moves;
		tops[n] = above != ANIM_POSE_NONE && tops[above] != 0 ? tops[above] : moves ? n + 1 : 0;
		if (tops[n] == n + 1 && (best == ANIM_POSE_NONE || loads[n] > loads[best]))
			best = n;
	}
	for (uint32_t n = best; n < side->count; n++)
		if (tops[n] == best + 1 && side->nodes[n].partner != ANIM_POSE_NONE &&
		    (r->plan.hips == ANIM_POSE_NONE || loads[n] > loads[r->plan.hips]))
			r->plan.hips = n;
	retarget_measure(&r->plan);
	return 0;
}

/* Drop the node's waiting positions that are not kept. */
static int drop_waiting(struct retarget *r, uint32_t node, struct anim_error *error)
{
	struct anim_track track;

	for (uint32_t i = r->heads[node]; i != 0; i = waiting_at(r, i)->next) {
		struct waiting *item = waiting_at(r, i);

		if (item->role != ROLE_POSITION || is_kept(r, node, ROLE_POSITION))
			continue;
		item->role = ROLE_OTHER;
		if (item->moves && (anim_store_read(r->store, 0, item->number, &track, error) != 0 ||
				    report_dropped(r, &track, node, ROLE_POSITION, error) != 0))
			return -1;
	}
	return 0;
}

/* ---- Feet ---- */

static int watch_feet(struct retarget *r, struct anim_error *error)
{
	const struct retarget_side *sides[2] = {&r->plan.from, &r->plan.to};

	for (int i = 0; i < 2; i++) {
		const struct anim_slide *slides;
		struct anim_feet *feet = &r->feet[i];

		if (anim_feet_end(feet, error) != 0)
			return -1;
		slides = (const struct anim_slide *)(const void *)feet->slides.data;
		r->slid[i].measured |= feet->slides.size > 0;
		for (size_t k = 0; k < feet->slides.size / sizeof *slides; k++) {
			enum anim_human_bone bone = retarget_bone(sides[i], sides[1 - i], slides[k].number);
			double height = (slides[k].lowest - sides[i]->ankle) / sides[i]->height;

			/* of an ankle whose height on the ground is known */
			if (sides[i]->ankle > 0 && (bone == ANIM_BONE_FOOT || bone == ANIM_BONE_FOOT + 1)) {
				r->slid[i].height = r->slid[i].stood ? fmin(r->slid[i].height, height) : height;
				r->slid[i].stood = true;
			}
			if (slides[k].share > r->slid[i].share) {
				r->slid[i].share = slides[k].share;
				anim_text_safe(r->slid[i].name, sizeof r->slid[i].name,
					       anim_node_own_name(slides[k].node),
					       strlen(anim_node_own_name(slides[k].node)));
			}
		}
	}
	return 0;
}

static const char *above_or_below(double height)
{
	return height < 0 ? "below" : "above";
}

static int report_feet(struct retarget *r, struct anim_error *error)
{
	const struct slid *before = &r->slid[0], *after = &r->slid[1];
	char heights[128] = "";

	if (!after->measured)
		return 0;
	if (before->stood && after->stood)
		snprintf(heights, sizeof heights,
			 "; the lowest foot is %.1f %% of a leg %s the ground, before %.1f %% %s",
			 100 * fabs(after->height), above_or_below(after->height), 100 * fabs(before->height),
			 above_or_below(before->height));
	if (before->share < SLIDES && after->share < SLIDES)
		return fabs(after->height) < FLOATS || heights[0] == '\0'
			   ? 0
			   : anim_diagnostics_note(r->options.diagnostics, NULL, error, "%s", heights + strlen("; "));
	return anim_diagnostics_note(r->options.diagnostics, NULL, error,
				     "feet slide on the ground by at most %.1f %% of a leg ('%s'), before by %.1f %%%s",
				     100 * after->share, r->slid[after->share > 0].name, 100 * before->share, heights);
}

/* ---- Humanoid clips ---- */

static int send_humanoid(void *context, struct anim_track *track, uint32_t to, struct anim_error *error)
{
	struct retarget *r = context;

	anim_arena_reset(&r->track_arena);
	if (name_track(r, track, ANIM_POSE_NONE, to, error) != 0)
		return -1;
	/* the source has no feet to compare */
	return anim_sink_track(r->filter.next, track, error);
}

/* Pass on a clip whose kind is now known. */
static int decide(struct retarget *r, struct anim_error *error)
{
	struct anim_store *aside = r->aside;
	int result = 0;

	if (!r->undecided)
		return 0;
	r->undecided = false;
	r->aside = NULL;
	if (retarget_humanoid_has(r->humanoid)) {
		/*
		 * The clip is humanoid: it moves the bones of the target. Report that tracks of other nodes are lost.
		 */
		r->out.flags |= ANIM_IN_TREE;
		r->out.root = ".";
		r->out.record = NULL;
		result = anim_attrs_with(&r->out.attrs, &r->out.attrs, "unity.m_AnimationClipSettings.m_Mirror", NULL,
					 &r->filter.clip_arena, error);
		if (result == 0 && r->refused > 0) {
			result = anim_diagnostics_warn(
			    r->options.diagnostics, "track", error,
			    "'%s': left out, because the clip is humanoid, so only its muscles move the target",
			    r->first_refused);
			anim_diagnostics_repeat(r->options.diagnostics, r->refused - 1);
		}
	} else if (r->refused > 0) {
		*error = r->refusal;
		result = -1;
	}
	if (result == 0 && aside != NULL)
		result = anim_store_replay(aside, 0, &r->out, r->filter.next, error);
	else if (result == 0)
		result = anim_sink_clip(r->filter.next, &r->out, error);
	anim_store_free(aside);
	return result;
}

/* ---- The motion that completes the plan ---- */

#define SAMPLES 200

static void add_sample(void *context, size_t sample, size_t in_tile)
{
	struct retarget *r = context;

	retarget_figure_sample(&r->plan.figures[0], &r->sampled.poses, sample, in_tile);
}

/*
 * Sample the last held clip for the bones of the source. If it moves the legs, or in any case if it is the `last` of its
 * tree, its motion completes the plan. Then pass on all held clips.
 */
static int release(struct retarget *r, bool last, struct anim_error *error)
{
	struct anim_store *held = r->held;
	struct anim_posing *posing = &r->sampled;
	struct retarget_figure *figure = &r->plan.figures[0];
	struct anim_track track;
	struct anim_clip clip;
	int result;

	if (held == NULL)
		return 0;
	clip = *anim_store_clip(held, anim_store_clips(held) - 1);
	clip.flags |= ANIM_IN_TREE;
	for (uint32_t n = 0; n < r->plan.from.count && anim_poses_count(&posing->poses) < r->plan.from.count; n++) {
		struct anim_node node;

		node_of(&r->plan.from, n, &node);
		if (anim_poses_add(&posing->poses, &node, error) != 0)
			return -1;
	}
	anim_posing_begin_at(posing, &clip, (double)clip.start_s, (double)clip.end_s, SAMPLES);
	for (size_t i = 0; i < anim_store_tracks(held, anim_store_clips(held) - 1); i++) {
		uint32_t node;

		if (anim_store_read(held, anim_store_clips(held) - 1, i, &track, error) != 0)
			return -1;
		node = retarget_role_of(&track) == ROLE_OTHER ? ANIM_POSE_NONE : find_node(r, &clip, &track);
		if (node != ANIM_POSE_NONE && anim_posing_track(posing, &clip, &track, node, error) != 0)
			return -1;
	}
	if (anim_posing_join(posing, error) != 0 || anim_poses_ready(&posing->poses, error) != 0 ||
	    retarget_figure_begin(figure, posing->samples, &r->plan.arena, error) != 0 ||
	    anim_poses_each(&posing->poses, add_sample, r, error) != 0 ||
	    retarget_figure_end(figure, &r->plan.arena, error) != 0)
		return -1;
	if (!last && !figure->posed && !retarget_figure_walks(figure))
		return 0;
	r->held = NULL;
	result = retarget_plan_match(&r->plan, error);
	for (size_t i = 0; i < anim_store_clips(held) && result == 0; i++)
		result = anim_store_replay(held, i, NULL, &r->filter.sink, error);
	anim_store_free(held);
	return result;
}

/* ---- The end of a clip ---- */

static int finish_clip(struct retarget *r, bool last, struct anim_error *error)
{
	bool known, in_clip;
	float rotation[4];

	if (release(r, last, error) != 0)
		return -1;
	known = r->in_clip && r->known;
	in_clip = r->in_clip;

	r->in_clip = false;
	if (in_clip && (decide(r, error) != 0 || retarget_humanoid_finish(r->humanoid, send_humanoid, r, error) != 0))
		return -1;
	if (!known)
		return 0;

	struct chain chain = {.count = 0};
	int result = r->open && r->waiting.size > 0 ? choose_hips(r, error) : 0;

	for (uint32_t n = 0; n < r->plan.from.count && result == 0 && r->open && r->waiting.size > 0; n++)
		result = drop_waiting(r, n, error);
	for (uint32_t n = 0; n < r->plan.from.count && result == 0 && r->waiting.size > 0; n++) {
		if (r->plan.from.nodes[n].partner == ANIM_POSE_NONE)
			continue;
		if (r->chained[n] || r->lent[n])
			result = finish_bone(r, n, &chain, error);
		else if (r->heads[n] != 0)
			result = send_waiting(r, n, false, r->plan.from.nodes[n].partner, error);
	}
	if (r->open)
		r->plan.hips = ANIM_POSE_NONE;
	anim_buffer_clear(&chain.nodes);
	anim_store_free(r->store);
	r->store = NULL;
	r->waiting.size = 0;
	if (result != 0)
		return -1;

	for (uint32_t t = 0; t < r->plan.to.count && r->any_turns; t++) {
		if (!r->rotated[t] && retarget_posed(&r->plan, t, rotation)) {
			const float time_s = r->filter.clip.start_s;
			struct anim_track track = {.kind = ANIM_CURVE,
						   .type = ANIM_FLOATQ,
						   .rules = ANIM_RULES_PLAIN,
						   .node = ".",
						   .property = "rotation",
						   .component = ANIM_WHOLE,
						   .interp = ANIM_LINEAR,
						   .n = 1,
						   .time = &time_s,
						   .value = rotation};

			anim_arena_reset(&r->track_arena);
			if (name_track(r, &track, ANIM_POSE_NONE, t, error) != 0 || send(r, &track, error) != 0)
				return -1;
		}
	}
	return r->options.feet ? watch_feet(r, error) : 0;
}

struct resting {
	const struct anim_rest *rests;
	uint32_t node;
};

/* Give a node its new rest. */
static bool rest_node(void *context, struct anim_node *node)
{
	struct resting *resting = context;
	const struct anim_rest *rest = &resting->rests[resting->node++];

	if (memcmp(node->rotation, rest->rotation, sizeof node->rotation) != 0 ||
	    memcmp(node->position, rest->position, sizeof node->position) != 0)
		node->record = NULL;
	node->has = rest->has;
	memcpy(node->rotation, rest->rotation, sizeof node->rotation);
	memcpy(node->position, rest->position, sizeof node->position);
	return true;
}

static int send_tree(struct retarget *r, struct anim_error *error)
{
	struct anim_skeleton *to = r->options.to;
	struct resting resting = {.rests = to->poses.rests.items};

	if (r->sent || to->records == NULL)
		return 0;
	r->sent = true;
	return r->plan.tpose ? anim_store_replay_changed(to->records, rest_node, &resting, r->filter.next, error)
			     : anim_store_replay_trees(to->records, r->filter.next, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct retarget *r = (struct retarget *)sink;
	const struct anim_skeleton *from = r->options.from;

	if (finish_clip(r, false, error) != 0 || (!r->plan.tpose && send_tree(r, error) != 0) ||
	    anim_clip_in_axes(clip, r->options.to->poses.axes, "the target's rests are", error) != 0 ||
	    (from != NULL && anim_clip_in_axes(clip, from->poses.axes, "the rests are", error) != 0))
		return -1;
	r->known = from != NULL || ((clip->flags & ANIM_IN_TREE) != 0 && anim_poses_count(&r->own.poses) > 0);
	if (r->known && make_plan(r, error) != 0)
		return -1;
	if (r->held == NULL && r->known && r->plan.waits &&
	    (r->held = anim_store_new(r->options.store_memory, error)) == NULL)
		return -1;
	if (r->held != NULL)
		return anim_sink_clip(anim_store_sink(r->held), clip, error);
	if (send_tree(r, error) != 0)
		return -1;
	r->unchanged = r->plan.tpose && (!r->known || r->plan.same);
	if (r->unchanged)
		return anim_filter_clip(sink, clip, error);
	if (anim_filter_keep(&r->filter, clip, error) != 0)
		return -1;
	r->in_clip = true;
	r->out = r->filter.clip;

	if (r->known) {
		const char *file = anim_clip_file(&r->filter.clip, r->own.file), *target = r->options.to->file;

		r->heads = anim_arena_zeroed(&r->filter.clip_arena, r->plan.from.count + 1, sizeof *r->heads, error);
		r->rotated = anim_arena_zeroed(&r->filter.clip_arena, r->plan.to.count + 1, sizeof *r->rotated, error);
		if (r->heads == NULL || r->rotated == NULL)
			return -1;
		r->any_turns = false;
		r->out.root = find_root(r, error);
		r->out.record = NULL;
		if (r->out.root == NULL)
			return -1;
		/* The tree is the target's from now on, so the clip itself has to name its file. */
		if (file[0] != '\0' && (target == NULL || strcmp(file, target) != 0) &&
		    anim_attrs_with(&r->out.attrs, &r->out.attrs, "file", file, &r->filter.clip_arena, error) != 0)
			return -1;
		r->out.flags |= ANIM_IN_TREE;
	}

	if (!r->known)
		r->out.flags &= (uint8_t)~ANIM_IN_TREE;
	for (int i = 0; i < 2 && r->known && r->options.feet; i++)
		anim_feet_clip(&r->feet[i], i == 0 ? &r->filter.clip : &r->out);
	r->refused = 0;
	r->undecided = !r->known && !r->plan.tpose && strncmp(clip->source, "unity", 5) == 0;
	if (r->undecided)
		return 0;
	return anim_filter_clip(sink, &r->out, error);
}

/* ---- Axes of bones ---- */

/*
 * Count a position as long as in the skeleton of another file. If most of these positions point elsewhere, the bones of
 * that skeleton have other axes than the bones of the clip.
 */
static void compare_axes(struct retarget *r, const struct anim_track *track, uint32_t node)
{
	const float *rest = r->plan.from.skeleton->poses.rests.items[node].position;
	double at[ANIM_COMPONENTS_MAX] = {0}, length = 0, own = 0, both = 0;

	if (track->component != ANIM_WHOLE || anim_types[track->type].components != 3 ||
	    (track->flags & ANIM_REST_RELATIVE) != 0)
		return;
	anim_components(track->type, track->value, 0, at);
	for (int i = 0; i < 3; i++) {
		length += (double)rest[i] * (double)rest[i];
		own += at[i] * at[i];
		both += (double)rest[i] * at[i];
	}
	if (length > 0 && fabs(own / length - 1) < SAME_LENGTH) {
		r->offsets++;
		r->elsewhere += both < SAME_DIRECTION * length;
	}
}

/* ---- Tracks ---- */

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct retarget *r = (struct retarget *)sink;
	enum retarget_role role = retarget_role_of(track);
	uint32_t node;

	if (r->held != NULL)
		return anim_sink_track(anim_store_sink(r->held), track, error);
	if (r->unchanged)
		return anim_filter_track(sink, track, error);
	if (anim_track_check_local(track, error) != 0)
		return -1;
	node = find_node(r, &r->filter.clip, track);
	anim_arena_reset(&r->track_arena);
	if (retarget_is_humanoid_curve(track) && (r->known || r->undecided) && !r->plan.tpose)
		return retarget_humanoid_track(r->humanoid, &r->filter.clip, track, error);
	if (role == ROLE_OTHER && r->undecided) {
		if (r->aside == NULL) {
			r->aside = anim_store_new(r->options.store_memory, error);
			if (r->aside == NULL || anim_sink_clip(anim_store_sink(r->aside), &r->filter.clip, error) != 0)
				return -1;
		}
		return anim_sink_track(anim_store_sink(r->aside), track, error);
	}
	if (role == ROLE_OTHER) {
		/* A track outside of transforms follows its node. */
		uint32_t to = node == ANIM_POSE_NONE ? ANIM_POSE_NONE : r->plan.from.nodes[node].partner;
		struct anim_track out = *track;

		if (anim_track_is_muscle(track, r->options.diagnostics, error) < 0 ||
		    (to != ANIM_POSE_NONE && name_track(r, &out, node, to, error) != 0))
			return -1;
		return send(r, &out, error);
	}
	if (!r->known) {
		if (r->refused++ == 0) {
			anim_track_refuse(track, "moves a node whose rest pose is unknown; " ANIM_ADVICE(SET_FROM),
					  &r->refusal);
			anim_track_label(track, r->first_refused, sizeof r->first_refused);
		}
		if (r->undecided)
			return 0;
		*error = r->refusal;
		return -1;
	}
	if (r->options.feet && anim_feet_track(&r->feet[0], &r->filter.clip, track, error) != 0)
		return -1;
	if (node == ANIM_POSE_NONE) /* The node is in a nested scene, which neither tree contains. */
		return r->identical || r->plan.tpose ? send(r, track, error)
						     : report_dropped(r, track, node, role, error);
	if (r->options.from != NULL && role == ROLE_POSITION)
		compare_axes(r, track, node);

	/* The motion of a chain is known at the end of the clip, and so is the bone that moves the whole body. */
	const bool partner = r->plan.from.nodes[node].partner != ANIM_POSE_NONE;
	bool waits_for_end = r->carries[node] || partner;

	if (!r->open || role != ROLE_POSITION)
		waits_for_end = (partner ? r->chained[node] || r->lent[node] : r->carries[node]) &&
				(retarget_is_rotation(role) || (role == ROLE_POSITION && bears_hips(r, node)));
	if (waits_for_end)
		return !partner && stays(r, track, node, role, false) ? 0 : keep_waiting(r, track, role, node, error);
	if (!partner || !is_kept(r, node, role))
		return report_dropped(r, track, node, role, error);
	return send_mapped(r, track, role, node, r->plan.from.nodes[node].partner, error);
}

/* ---- The sink ---- */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct retarget *r = (struct retarget *)sink;

	if (finish_clip(r, true, error) != 0)
		return -1;
	if (r->options.from == NULL) {
		retarget_plan_clear(&r->plan);
		anim_posing_clear(&r->sampled);
		anim_arena_reset(&r->plan_arena);
		r->planned = false;
	}
	anim_skeleton_clear(&r->own);
	if (!r->plan.tpose)
		return anim_sink_tree(r->own_sink, tree, error);
	if (send_tree(r, error) != 0)
		return -1;
	r->sent = false;
	anim_sink_free(r->posed_sink);
	anim_skeleton_clear(&r->posed);
	r->posed_sink = anim_skeleton_sink_new(&r->posed, true, error);
	return r->posed_sink == NULL || anim_sink_tree(r->posed_sink, tree, error) != 0
		   ? -1
		   : anim_sink_tree(r->own_sink, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct retarget *r = (struct retarget *)sink;

	if (r->posed_sink != NULL && anim_sink_node(r->posed_sink, node, error) != 0)
		return -1;
	return anim_sink_node(r->own_sink, node, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct retarget *r = (struct retarget *)sink;
	const struct anim_skeleton *from = r->options.from != NULL ? r->options.from : &r->own;

	if (finish_clip(r, true, error) != 0 || send_tree(r, error) != 0 || report_feet(r, error) != 0)
		return -1;
	if (r->elsewhere >= 2 && 2 * r->elsewhere > r->offsets &&
	    anim_diagnostics_warn(r->options.diagnostics, NULL, error,
				  "the bones of %s have other axes than the bones of the clip: the positions of %zu "
				  "bones point elsewhere. Choose the model of the clip",
				  r->options.from_name != NULL ? r->options.from_name : "the skeleton",
				  r->elsewhere) != 0)
		return -1;
	if (anim_rests_check(&from->poses.rests, error) != 0 ||
	    anim_rests_check(&r->options.to->poses.rests, error) != 0)
		return -1;
	if (r->options.map != NULL && anim_rename_map_report(r->options.map, r->options.diagnostics, error) != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct retarget *r = (struct retarget *)sink;

	retarget_plan_clear(&r->plan);
	anim_sink_free(r->own_sink);
	anim_sink_free(r->posed_sink);
	anim_skeleton_clear(&r->own);
	anim_skeleton_clear(&r->posed);
	anim_store_free(r->store);
	anim_store_free(r->aside);
	anim_store_free(r->held);
	anim_posing_clear(&r->sampled);
	retarget_humanoid_free(r->humanoid);
	anim_buffer_clear(&r->waiting);
	anim_keys_clear(&r->keys);
	for (int i = 0; i < 2; i++)
		anim_feet_clear(&r->feet[i]);
	anim_arena_clear(&r->track_arena);
	anim_arena_clear(&r->plan_arena);
	for (int i = 0; i < ANIM_COLUMN_COUNT; i++)
		anim_buffer_clear(&r->columns[i]);
	anim_filter_free(sink);
}

struct anim_sink *anim_retarget_new(const struct anim_retarget_options *options, struct anim_sink *next,
				    struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct retarget *r = anim_filter_new(sizeof *r, &ops, next, error);

	if (r == NULL)
		return NULL;
	r->options = *options;
	r->plan.options = &r->options;
	r->plan.tpose = options->to == NULL;
	anim_skeleton_init(&r->own);
	anim_skeleton_init(&r->posed);
	if (options->to == NULL)
		r->options.to = &r->posed;
	anim_poses_init(&r->sampled.poses, options->store_memory);
	for (int i = 0; i < 2; i++)
		anim_poses_init(&r->feet[i].posing.poses, options->store_memory);
	r->own_sink = anim_skeleton_sink_new(&r->own, false, error);
	r->humanoid = r->own_sink == NULL ? NULL : retarget_humanoid_new(&r->options, error);
	if (r->humanoid == NULL) {
		on_free(&r->filter.sink);
		return NULL;
	}
	return &r->filter.sink;
}
