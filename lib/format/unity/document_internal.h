/* document_internal.h: what the files of document.h share. */
#ifndef ANIM_FORMAT_UNITY_DOCUMENT_INTERNAL_H
#define ANIM_FORMAT_UNITY_DOCUMENT_INTERNAL_H

#include "format/unity/document.h"
#include "format/unity/document_feed.h"
#include "format/unity/document_lines.h"
#include "format/unity/keys_columns.h"
#include "format/unity/yaml_events.h"

/* How far a document was read. */
enum unity_stage {
	UNITY_AT_START,  /* nothing of it */
	UNITY_IN_FIELDS, /* between two fields of its type */
	UNITY_IN_LIST,   /* between two items of a field */
	UNITY_DONE
};

struct unity_file {
	struct unity_lines lines;
	struct unity_document document;
	bool in_document;
	struct unity_feed feed;
	struct unity_yaml_events events;
	/* unity_clip_next */
	enum unity_stage stage;
	bool (*wanted)(void *context, const char *name);
	void *wanted_context;
	const char *entered;      /* the field whose fields count as the document's own; NULL: none */
	bool inside;              /* of that */
	struct anim_buffer field; /* its name with a NUL */
	size_t item;
	struct unity_columns_pool pool;
	struct unity_fast_keys *fast; /* NULL: all by libfyaml */
	struct anim_arena key_arena;  /* of one key that libfyaml reads */
};

/* document_refuse.c: names what is no UnityYAML by its first window. 0 or -1. */
int unity_refuse(const struct unity_lines *, struct anim_error *);

/* document_head.c: reads the line at the cursor, which unity_is_document; does not move. */
void unity_read_head(const struct unity_lines *, struct unity_document *);

/* The class of a type's name, -1 where it is not one of those that matter here. */
int32_t unity_class_of_name(const char *name, size_t length);

#endif
