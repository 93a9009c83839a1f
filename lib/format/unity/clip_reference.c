/* clip_reference.c: PPtr curves, which step from one object to the next -> string tracks of references. */
#include <string.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/limits.h"
#include "clip/texts.h"
#include "format/unity/clip_internal.h"

#define NOTHING "{fileID: 0}"

/* The keys of one curve. */
struct keys {
	struct anim_buffer time;
	struct anim_texts texts;
};

static int append(struct anim_buffer *out, const char *text, struct anim_error *error)
{
	return anim_buffer_append(out, text, strlen(text), error);
}

/* What stands behind the members of the reference: , path: "Assets/run.png", name: "run_3", index: 3 */
static int append_asset(struct anim_buffer *out, const struct unity_asset *asset, struct anim_error *error)
{
	char number[ANIM_NUMBER_MAX];

	if (append(out, ", path: ", error) != 0 || anim_json_append(out, asset->path, strlen(asset->path), error) != 0)
		return -1;
	if (asset->sprite == NULL)
		return 0;
	if (append(out, ", name: ", error) != 0 ||
	    anim_json_append(out, asset->sprite, strlen(asset->sprite), error) != 0)
		return -1;
	if (asset->index < 0)
		return 0;
	if (append(out, ", index: ", error) != 0)
		return -1;
	return anim_buffer_append(out, number, anim_number_print_int64(number, asset->index), error);
}

/* 1: found in another file, 0: not, or it is in this one, -1. */
static int resolve(struct unity_clip_reader *reader, const struct unity_reference *reference, struct unity_asset *asset)
{
	const struct unity_clip_options *options = reader->options;

	if (options->resolve == NULL || reference->guid[0] == '\0')
		return 0;
	*asset = (struct unity_asset){.index = -1};
	return options->resolve(options->resolve_context, reference->guid, reference->file_id, asset, reader->error);
}

/* The text of one key. 0, 1 after a fault, -1. */
static int append_reference(struct unity_clip_reader *reader, const struct unity_node *value, struct anim_texts *texts)
{
	struct unity_reference reference;
	struct unity_asset asset;
	size_t start = texts->bytes.size;
	const char *text = NOTHING;
	int status = unity_reference(value, &reference, reader->error), found = 0;

	if (status < 0)
		return unity_clip_fault_again(reader, value) != 0 ? -1 : 1;
	if (status > 0) {
		text = unity_flow_text(value, &reader->item, reader->error);
		found = text != NULL ? resolve(reader, &reference, &asset) : -1;
	}
	/* Members go in before the closing brace. */
	if (found < 0 || anim_buffer_append(&texts->bytes, text, strlen(text) - 1, reader->error) != 0)
		return -1;
	if (found > 0 && append_asset(&texts->bytes, &asset, reader->error) != 0)
		return -1;
	if (append(&texts->bytes, "}", reader->error) != 0 || anim_texts_close(texts, start, reader->error) != 0)
		return unity_clip_fault_again(reader, value) != 0 ? -1 : 1;
	return 0;
}

/* All keys of the list. 0, 1 after a fault, -1. */
static int read_keys(struct unity_clip_reader *reader, const struct unity_node *list, struct keys *keys)
{
	const struct unity_node *key = list != NULL && list->kind == UNITY_LIST ? list->first : NULL;
	int status = 0;

	for (; key != NULL && status == 0; key = key->next) {
		float time = 0;

		if (unity_clip_float(reader, key, "time", &time) != 0 ||
		    anim_buffer_append(&keys->time, &time, sizeof time, reader->error) != 0)
			return -1;
		status = append_reference(reader, unity_get(key, "value"), &keys->texts);
	}
	return status;
}

static int store(struct unity_clip_reader *reader, const struct unity_node *item, const struct keys *keys)
{
	struct anim_track track = {.kind = ANIM_DISCRETE, .type = ANIM_STRING};
	struct unity_track_attrs attrs = {0};
	struct unity_curve_name name;
	struct anim_strings strings;

	if (unity_clip_name(reader, item, true, &name) != 0)
		return -1;
	anim_texts_view(&keys->texts, &strings);
	track.property = name.meaning.property;
	track.component = name.meaning.component;
	track.n = anim_texts_count(&keys->texts);
	track.time = (const float *)(const void *)keys->time.data;
	track.strings = &strings;
	unity_track_attr(&attrs, "literal", "PPtr");
	unity_track_attr_name(&attrs, &name);
	return unity_clip_store(reader, item, unity_text(item, "path", ""), &track, &attrs);
}

int unity_clip_reference(struct unity_clip_reader *reader, const struct unity_node *item)
{
	struct keys keys = {{0}, {{0}, {0}, {0}}};
	const struct unity_node *list = unity_get(item, "curve");
	int status = 0;

	if (list != NULL && list->kind != UNITY_LIST && list->count + list->length > 0)
		status = unity_clip_fault(reader, list, "the curve of a PPtr curve is no list of keys") != 0 ? -1 : 1;
	if (status == 0)
		status = read_keys(reader, list, &keys);
	if (status == 0)
		status = store(reader, item, &keys);
	anim_buffer_clear(&keys.time);
	anim_texts_clear(&keys.texts);
	return status < 0 ? -1 : 0;
}
