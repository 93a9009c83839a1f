/* axs.c: small streams for tests. */
#include "axs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/record.h"
#include "tap.h"

void axs_begin(struct axs *axs)
{
	memset(axs, 0, sizeof *axs);
	anim_buffer_append(&axs->bytes, anim_stream_head, ANIM_STREAM_HEAD, NULL);
}

void axs_record(struct axs *axs, const char *tag, const void *payload, size_t size)
{
	size_t start = axs->bytes.size;
	uint64_t length = size;
	uint8_t head[ANIM_RECORD_HEAD] = {0};
	uint32_t crc;

	memcpy(head, tag, 4);
	memcpy(head + 8, &length, 8);
	anim_buffer_append(&axs->bytes, head, sizeof head, NULL);
	anim_buffer_append(&axs->bytes, payload, size, NULL);
	anim_buffer_align8(&axs->bytes, NULL);
	crc = anim_crc32(anim_crc32(0, tag, 4), axs->bytes.data + start + 8, axs->bytes.size - start - 8);
	memcpy(axs->bytes.data + start + 4, &crc, 4);
	axs->records++;
	axs->lengths += size;
}

void axs_end(struct axs *axs)
{
	uint64_t totals[2] = {axs->records, axs->lengths};

	axs_record(axs, "END ", totals, sizeof totals);
}

void axs_append(struct axs *axs, const struct anim_buffer *record)
{
	struct anim_record seen;

	anim_record_at(record->data, 0, &seen);
	axs->records++;
	axs->lengths += seen.length;
	anim_buffer_append(&axs->bytes, record->data, record->size, NULL);
}

void axs_clear(struct axs *axs)
{
	anim_buffer_clear(&axs->bytes);
}

bool axs_load(struct anim_buffer *buffer, const char *folder, const char *name)
{
	const char *data = getenv("ANIM_DATA") != NULL ? getenv("ANIM_DATA") : "tests/data";
	char path[4096], block[4096];
	size_t got;
	FILE *file;

	snprintf(path, sizeof path, "%s/axs/%s/%s", data, folder, name);
	file = fopen(path, "rb");
	if (!CHECKF(file != NULL, "cannot open %s (ANIM_DATA names the folder)", path))
		return false;
	while ((got = fread(block, 1, sizeof block, file)) > 0)
		anim_buffer_append(buffer, block, got, NULL);
	fclose(file);
	return true;
}

/* The value of a member of the manifest's object at `at`, which ends at `end`. */
static const char *member(const char *at, const char *end, const char *name)
{
	const char *found = strstr(at, name);

	return found != NULL && found < end ? found + strlen(name) : NULL;
}

const char *axs_next_verdict(const char *at, struct axs_verdict *verdict)
{
	const char *start = strchr(at, '{'), *end = start == NULL ? NULL : strchr(start, '}'), *value;

	if (end == NULL)
		return NULL;
	value = member(start, end, "\"file\": \"");
	snprintf(verdict->file, sizeof verdict->file, "%.*s", (int)strcspn(value, "\""), value);
	verdict->accept = strncmp(member(start, end, "\"verdict\": \""), "accept", 6) == 0;
	value = member(start, end, "\"offset\": ");
	verdict->offset = value == NULL ? -1 : atol(value);
	return end;
}

struct anim_track axs_curve(void)
{
	static const float time[] = {0, 0.5F, 1}, value[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

	return (struct anim_track){.kind = ANIM_CURVE,
				   .type = ANIM_FLOAT3,
				   .node = "Box",
				   .property = "position",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = 3,
				   .time = time,
				   .value = value};
}

struct anim_track axs_raw(void)
{
	static const float value[] = {0, 1, 2, 3};

	return (struct anim_track){.kind = ANIM_RAW,
				   .type = ANIM_FLOAT,
				   .node = "Box",
				   .property = "energy",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = 4,
				   .rate_num = 30,
				   .rate_den = 1,
				   .value = value};
}

struct anim_track axs_strings(void)
{
	static const float time[] = {0, 1, 2};
	static const uint32_t length[] = {3, ANIM_NULL_STRING, 0};
	static const uint64_t start[] = {0, 3, 3};
	static const struct anim_strings strings = {length, start, "one", 3};

	return (struct anim_track){.kind = ANIM_DISCRETE,
				   .type = ANIM_STRING,
				   .node = "Label",
				   .property = "text",
				   .component = ANIM_WHOLE,
				   .n = 3,
				   .time = time,
				   .strings = &strings};
}

struct anim_clip axs_clip(void)
{
	return (struct anim_clip){.end_s = 1, .name = "walk", .root = ".", .source = "godot4"};
}

struct anim_tree axs_tree(void)
{
	return (struct anim_tree){.axes = ANIM_AXES_GODOT, .root_name = "Root", .source_file = "walk"};
}

struct anim_node axs_node(uint32_t number)
{
	return (struct anim_node){.parent = number == 0 ? ANIM_NO_PARENT : number - 1,
				  .rotation = {0, 0, 0, 1},
				  .scale = {1, 1, 1},
				  .path = number == 0 ? "." : "Box",
				  .type = "Node3D"};
}

void axs_encode_track(struct axs *axs, const struct anim_track *track)
{
	struct anim_buffer record = {0};
	struct anim_error error = {0};

	if (CHECKF(anim_encode_track(&record, track, &error) == 0, "%s", error.message))
		axs_append(axs, &record);
	anim_buffer_clear(&record);
}

void axs_encode_clip(struct axs *axs, const struct anim_clip *clip, bool tree_before)
{
	struct anim_buffer record = {0};
	struct anim_error error = {0};

	if (CHECKF(anim_encode_clip(&record, clip, tree_before, &error) == 0, "%s", error.message))
		axs_append(axs, &record);
	anim_buffer_clear(&record);
}
