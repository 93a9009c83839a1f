/* write.h: what every format's writer is given. */
#ifndef ANIM_FORMAT_WRITE_H
#define ANIM_FORMAT_WRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/output.h"
#include "clip/caps.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"

/* How the tracks behind the header of AnimX are stored. */
enum anim_animx_encoding { ANIM_ANIMX_PLAIN, ANIM_ANIMX_LZ4, ANIM_ANIMX_LZMA, ANIM_ANIMX_ENCODING_COUNT };

/* What is disputed of AnimX: which half of a Curve key comes first. */
enum anim_animx_key_order { ANIM_ANIMX_TIME_VALUE, ANIM_ANIMX_VALUE_TIME };
enum anim_animx_tangent_order { ANIM_ANIMX_LEFT_RIGHT, ANIM_ANIMX_RIGHT_LEFT };

/* Whose spelling: each stands for the engines from it up to the next. */
enum anim_godot_version {
	ANIM_GODOT_4_5, /* the default: what every Godot 4 reads */
	ANIM_GODOT_3,
	ANIM_GODOT_4_2, /* names of animations and libraries as strings */
	ANIM_GODOT_4_6  /* libraries/NAME, no load_steps */
};

/* The axis that points up in the file. */
enum anim_bvh_up { ANIM_BVH_SOURCE, ANIM_BVH_Y, ANIM_BVH_Z };

/* A file that clips are put into, which else stays as it is, byte for byte. */
struct anim_into {
	const char *file;   /* NULL: the clips are a file by themselves */
	const char *player; /* path of the player that the clips are for; NULL: as they say, or by their names */
	bool only;          /* what the stream does not have goes */
	bool compact;       /* so does what only that has, and what is replaced */
	bool force;         /* what of it cannot be read whole is replaced, too */
	bool several; /* set by the format's `into`: it holds several clips, and each that comes takes its own place */
	/*
	 * Opens another file that holds some of the clips, to be replaced with it: all get their names together. The output is
	 * borrowed. 0 or -1. NULL: such clips are an error.
	 */
	int (*follow)(void *context, const char *path, struct anim_output **, struct anim_error *);
	void *context;
};

/* Each writer takes what concerns it. All-zero but for diagnostics is the default. */
struct anim_write_options {
	size_t store_memory;                  /* bytes that tracks may take before they go to a file */
	struct anim_diagnostics *diagnostics; /* must be there */
	struct anim_into into;                /* for formats that take it */
	/*
	 * A writer of the same format and options whose clip ended, and whose tree is this one's, too, where the format takes_tree: it
	 * loses its nodes and is only to be freed after that. NULL: none. Nodes do not come then.
	 */
	struct anim_sink *last;

	/* Resonite */
	bool keep_double;  /* do not narrow Godot's double scalars to float */
	bool source_names; /* node and property as the stream has them; Euler tracks stay Euler */
	bool pretty;       /* AnimJ: one key a line instead of one track a line */
	bool raw_as_curve; /* AnimJ: Raw tracks as Curve with Linear keys */
	enum anim_animx_encoding encoding;
	enum anim_animx_key_order key_order;
	enum anim_animx_tangent_order tangent_order;

	/* Godot */
	bool scene; /* .tscn: nodes and AnimationPlayers; else .tres */
	enum anim_godot_version version;
	enum anim_bezier bezier; /* for the conversion */
	bool library;            /* .tres: an AnimationLibrary, one clip or not */
	bool keep_names;         /* properties that Godot 4 renamed keep the name that they have */
	unsigned digits;         /* significant digits of numbers, as older engines print; 0: the shortest text */

	/* glTF */
	bool pointers;           /* visibility and other properties by KHR_animation_pointer */
	bool extras;             /* events as extras of their animations */
	bool loop_names;         /* names of clips that loop end in "-loop", which Godot takes for a loop */
	struct anim_output *bin; /* .gltf: for the numbers; NULL: they stand in the file itself; borrowed */
	const char *bin_name;    /* of that file, beside the .gltf */

	bool wide; /* CSV: a row a time instead of a row a key */

	/* BVH */
	struct {
		const char *unit; /* as anim_bvh_unit takes it, of values in metres; NULL: as in the source's file */
		enum anim_bvh_up up;
		unsigned
		    order; /* of channels that turn, its number (math/quaternion.h) + 1; 0: as in the source's file */
	} bvh;
};

#endif
