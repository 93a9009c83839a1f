/* write.h: the options that every writer gets. */
#ifndef ANIM_FORMAT_WRITE_H
#define ANIM_FORMAT_WRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/output.h"
#include "clip/caps.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"

/* The compression of the tracks after the header of an AnimX file. */
enum anim_animx_encoding { ANIM_ANIMX_PLAIN, ANIM_ANIMX_LZ4, ANIM_ANIMX_LZMA, ANIM_ANIMX_ENCODING_COUNT };

/* Sources disagree about AnimX: the half of a Curve key that comes first. */
enum anim_animx_key_order { ANIM_ANIMX_TIME_VALUE, ANIM_ANIMX_VALUE_TIME };
enum anim_animx_tangent_order { ANIM_ANIMX_LEFT_RIGHT, ANIM_ANIMX_RIGHT_LEFT };

/* The Godot version whose syntax is written. Each value covers the versions from it up to the next one. */
enum anim_godot_version {
	ANIM_GODOT_4_5, /* the default, which every Godot 4 reads */
	ANIM_GODOT_3,
	ANIM_GODOT_4_2, /* names of animations and libraries as strings */
	ANIM_GODOT_4_6  /* libraries/NAME, no load_steps */
};

/* The axis that points up in the file. */
enum anim_bvh_up { ANIM_BVH_SOURCE, ANIM_BVH_Y, ANIM_BVH_Z };

/* An existing file that clips are put into. Its other bytes stay the same. */
struct anim_into {
	const char *file; /* NULL: the clips get a file of their own */
	/* path of the player that gets the clips, or NULL for their own player, or one found by their names */
	const char *player;
	bool only;    /* delete clips that the stream does not have */
	bool compact; /* also delete data that only deleted or replaced clips used */
	bool force;   /* also replace clips that cannot be read completely */
	/* set by the format's `into`: the file holds several clips, of which a clip of the stream replaces only its own */
	bool several;
	/*
	 * Open another file that holds some of the clips, to be replaced together with this one: all files get their
	 * names at once. The output is borrowed. Return 0 or -1. NULL: such clips are an error.
	 */
	int (*follow)(void *context, const char *path, struct anim_output **, struct anim_error *);
	/* Called with the name of each clip of the file that a clip of the stream replaces. Return 0 or -1. May be NULL. */
	int (*replaces)(void *context, const char *name, struct anim_error *);
	void *context;
};

/* Report that a clip of the file is replaced. Returns 0, or -1 if that is refused. */
static inline int anim_into_replaces(const struct anim_into *into, const char *name, struct anim_error *error)
{
	return into->replaces == NULL ? 0 : into->replaces(into->context, name, error);
}

struct anim_graph;

/* The options of all writers. Each writer uses those of its format. All members 0, except `diagnostics`, are the defaults. */
struct anim_write_options {
	size_t store_memory;                  /* bytes of memory for tracks, before they are moved to a file */
	struct anim_diagnostics *diagnostics; /* required */
	struct anim_into into;                /* for formats that support it */
	/*
	 * A writer of the same format and options whose clip has ended, and, if the format has takes_tree, whose tree
	 * is also this one's. Its nodes move to the new writer, so the old one can only be freed afterwards, and no
	 * nodes are sent again. NULL: none.
	 */
	struct anim_sink *last;

	/* Resonite */
	bool keep_double;  /* do not narrow Godot's double scalars to float */
	bool source_names; /* keep the node and property names of the stream, and Euler tracks */
	bool pretty;       /* AnimJ: one key per line instead of one track per line */
	bool raw_as_curve; /* AnimJ: Raw tracks as Curve with Linear keys */
	enum anim_animx_encoding encoding;
	enum anim_animx_key_order key_order;
	enum anim_animx_tangent_order tangent_order;

	/* Godot */
	bool scene; /* write a .tscn with nodes and AnimationPlayers instead of a .tres */
	enum anim_godot_version version;
	enum anim_bezier bezier; /* for the conversion */
	bool library;            /* .tres: an AnimationLibrary, even for one clip */
	bool keep_names;         /* keep the names of properties that Godot 4 renamed */
	const char *images;      /* folder of the Godot project that has the images of Unity's folder Assets, or NULL */
	const struct anim_graph
	    *graph;      /* .tscn of Godot 4: also write an AnimationTree that plays it, or NULL (borrowed) */
	unsigned digits; /* significant digits of numbers, as in older engines (0: the shortest text) */

	bool one_packet; /* VMC: one datagram for each frame, instead of datagrams that networks do not split */

	/* glTF */
	bool pointers;   /* visibility and other properties by KHR_animation_pointer */
	bool extras;     /* events as extras of their animations */
	bool loop_names; /* append "-loop", by which Godot recognises a loop, to the names of clips that loop */
	struct anim_output
	    *bin;             /* .gltf: the file for the numbers, borrowed, or NULL to put them into the .gltf itself */
	const char *bin_name; /* name of that file, which is in the folder of the .gltf */

	bool wide; /* CSV: one row per time instead of one row per key */

	/* BVH */
	struct {
		/* as anim_bvh_unit reads it, for values in metres, or NULL for the unit of the source file */
		const char *unit;
		enum anim_bvh_up up;
		/*
		 * 1 + the order of the rotation channels, as math/quaternion.h numbers it, or 0 for the order in the
		 * source file
		 */
		unsigned order;
	} bvh;
};

#endif
