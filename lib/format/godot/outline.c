/* outline.c: where the sections of a file stand, and the properties of its Animations, without their tracks. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "format/godot/document.h"
#include "format/godot/text.h"

size_t godot_section_last(const struct godot_document *document)
{
	return document->sections.size / sizeof(struct godot_section) - 1;
}

static struct godot_section *last_section(struct godot_document *document)
{
	return (struct godot_section *)(void *)document->sections.data + godot_section_last(document);
}

void godot_section_node(struct godot_document *document, uint32_t node)
{
	if (document->sections.size > 0)
		last_section(document)->node = node;
}

int godot_section_next(struct godot_parse *parse, struct godot_tag *tag)
{
	struct godot_document *document = parse->document;
	int got = godot_text_tag(parse->text, tag);
	struct godot_section section = {.node = GODOT_NO_NODE};

	if (!parse->context->outline || got < 0)
		return got;
	if (document->sections.size > 0)
		last_section(document)->end = godot_text_end(parse->text);
	if (got == 0)
		return 0;
	section.tag = tag->place.offset;
	section.body = section.end = godot_text_offset(parse->text);
	snprintf(section.name, sizeof section.name, "%s", tag->name);
	document->load_steps |= godot_tag_get(tag, "load_steps") != NULL;
	return anim_buffer_append(&document->sections, &section, sizeof section, parse->error) != 0 ? -1 : 1;
}

/* Those of an Animation that a writer writes; the others, such as its name and metadata, stay where it is replaced. */
static bool is_written(const char *property)
{
	return anim_text_behind(property, "tracks/") != NULL ||
	       anim_text_is_word("length loop loop_mode markers _compression capture_included", property);
}

/* Grows the last run of the clip by the property that was read, or begins one. 0 or -1. */
static int add_run(struct godot_parse *parse, struct godot_clip *clip, const char *property, uint64_t before,
		   uint64_t from)
{
	struct anim_buffer *runs = &parse->document->runs;
	struct godot_run *run =
	    clip->runs == 0 ? NULL : (struct godot_run *)(void *)(runs->data + runs->size - sizeof *run);

	if (run == NULL || run->to != before) {
		run = anim_buffer_extend(runs, sizeof *run, parse->error);
		if (run == NULL)
			return -1;
		*run = (struct godot_run){.before = before, .from = from};
		clip->runs++;
	}
	run->to = godot_text_offset(parse->text);
	run->tracks |= strncmp(property, "tracks/", 7) == 0;
	return 0;
}

int godot_outline_animation(struct godot_parse *parse, struct godot_clip *clip)
{
	struct godot_document *document = parse->document;
	struct godot_value value;
	const char *property;
	int got;

	clip->head.resource_name = "";
	clip->section = godot_section_last(document);
	clip->first_run = document->runs.size / sizeof(struct godot_run);
	while ((got = godot_text_property(parse->text, &property, NULL)) > 0) {
		uint64_t before = godot_text_end(parse->text), from = godot_text_begin(parse->text);

		anim_arena_reset(&parse->scratch);
		if (strcmp(property, "resource_name") != 0) {
			if (godot_text_skip(parse->text) != 0)
				return -1;
		} else if (godot_text_value(parse->text, &parse->scratch, &value) != 0 ||
			   (clip->head.resource_name = godot_keep(parse->context, &value.text)) == NULL) {
			return -1;
		}
		if (is_written(property) && add_run(parse, clip, property, before, from) != 0)
			return -1;
	}
	return got;
}
