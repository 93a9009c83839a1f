/* face.c: the filter that renames the shapes of a face. */
#include <string.h>

#include "base/text.h"
#include "filter/filter.h"
#include "filter/rename/identities.h"
#include "filter/rename/rename.h"

struct face {
	struct anim_filter filter;
	enum anim_face_naming from, to;
	struct anim_diagnostics *diagnostics;
	struct anim_arena arena;
	struct anim_identities identities; /* of the current clip */
	bool matched;
};

#define BLEND_SHAPE "blend_shape/"
#define EXPRESSION "expression/"

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	anim_identities_clear(&((struct face *)sink)->identities);
	return anim_filter_clip(sink, clip, error);
}

/* Pass on a track. Shapes of several meshes can become the same expression. */
static int pass(struct face *face, const struct anim_track *track, const struct anim_track *renamed,
		struct anim_error *error)
{
	if (anim_identities_add(&face->identities, track, renamed, face->diagnostics, error) != 0)
		return -1;
	return anim_filter_track(&face->filter.sink, renamed, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct face *face = (struct face *)sink;
	const char *name = anim_text_after(track->property, BLEND_SHAPE), *to;
	struct anim_track renamed = *track;
	int shape;

	if (name == NULL && (name = anim_text_after(track->property, EXPRESSION)) == NULL)
		return pass(face, track, track, error);
	shape = anim_face_find(face->from, name, strlen(name));
	to = shape < 0 ? NULL : anim_face_name(face->to, (unsigned)shape);
	face->matched |= shape >= 0;
	if (to == NULL) {
		if (anim_diagnostics_warn(face->diagnostics, "shape", error,
					  "'%.80s': name kept, because %s has no exact counterpart", name,
					  anim_face_naming_names[face->to]) != 0 ||
		    anim_diagnostics_name(face->diagnostics, error, "'%.80s'", name) != 0)
			return -1;
		return pass(face, track, track, error);
	}
	anim_arena_reset(&face->arena);
	renamed.property = anim_arena_printf(&face->arena, error, "%s%s",
					     anim_face_is_expression(face->to) ? EXPRESSION : BLEND_SHAPE, to);
	if (renamed.property == NULL)
		return -1;
	if (anim_face_is_expression(face->to))
		renamed.node = ".";
	renamed.record = NULL;
	return pass(face, track, &renamed, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct face *face = (struct face *)sink;

	if (!face->matched && anim_diagnostics_warn(face->diagnostics, NULL, error, "no shape has a name of %s",
						    anim_face_naming_names[face->from]) != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	anim_identities_clear(&((struct face *)sink)->identities);
	anim_arena_clear(&((struct face *)sink)->arena);
	anim_filter_free(sink);
}

struct anim_sink *anim_rename_face_new(enum anim_face_naming from, enum anim_face_naming to,
				       struct anim_diagnostics *diagnostics, struct anim_sink *next,
				       struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct face *face = anim_filter_new(sizeof *face, &ops, next, error);

	if (face == NULL)
		return NULL;
	face->from = from;
	face->to = to;
	face->diagnostics = diagnostics;
	return &face->filter.sink;
}
