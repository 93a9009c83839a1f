/* rename.h: other names for nodes, properties and clips. */
#ifndef ANIM_FILTER_RENAME_H
#define ANIM_FILTER_RENAME_H

#include <stdbool.h>
#include <stddef.h>

#include "clip/losses.h"
#include "clip/sink.h"
#include "filter/humanoid_names.h"
#include "filter/rename/crc.h"
#include "filter/rename/expression.h"
#include "filter/rename/map.h"

/* What expressions and the map are applied to. */
enum anim_rename_on {
	ANIM_RENAME_NODE,     /* the path of a node as a whole */
	ANIM_RENAME_NAME,     /* each name of that path on its own */
	ANIM_RENAME_PROPERTY, /* as the stream has it, without the component: "blend_shape/Smile" */
	ANIM_RENAME_CLIP,
	ANIM_RENAME_ON_COUNT
};
extern const char *const anim_rename_on_names[]; /* NULL at the end */

/* Globs (anim_glob_match) on the names as they come; of a kind one must fit, none given: all do. Borrowed. */
struct anim_rename_selection {
	const char *const *nodes, *const *properties, *const *clips; /* clips: also PLAYER:NAME */
	size_t node_count, property_count, clip_count;
};

/* All-zero but for losses changes nothing. Everything is borrowed for the filter's life. */
struct anim_rename_options {
	enum anim_rename_on on;
	const struct anim_expression *expressions; /* applied in order */
	size_t expression_count;
	const struct anim_rename_map *map; /* NULL: none */
	const struct anim_crc_names *crc;  /* NULL: none */
	bool humanoid;                     /* names of bones, from one engine's to another's */
	enum anim_humanoid from, to;
	struct anim_rename_selection select;
	struct anim_losses *losses;
};

/*
 * A filter in front of `next` (owned, freed on failure too). First CRCs of nodes become paths, then names go through
 * the map, then through the humanoid's names, then through the expressions. A row of the map with a '/' is a path and
 * moves all that is below it; one without is the name of a node wherever it stands (also behind the ':' of a bone).
 * Where an expression changes no more than the last name of a path, what is below follows. Nodes of the tree and the
 * roots of clips are renamed as tracks are, unless properties or clips are selected: then tracks are turned to other
 * nodes and the tree stays. Warns where nothing matched and where two tracks of a clip become one. NULL on failure.
 */
struct anim_sink *anim_rename_new(const struct anim_rename_options *, struct anim_sink *next, struct anim_error *);

#endif
