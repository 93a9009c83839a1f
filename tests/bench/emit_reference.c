/* emit_reference.c: AnimJ by printf, the measure of anim-emit: emit_reference STREAM > FILE. Raw and Linear keys only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/stream.h"

static void print_components(const struct anim_track *track, size_t k)
{
	static const char *const names[] = {"x", "y", "z", "w"};
	unsigned components = anim_types[track->type].components;
	const float *value = (const float *)track->value + k * components;

	if (components == 1) {
		printf("%.9g", (double)value[0]);
		return;
	}
	for (unsigned i = 0; i < components; i++)
		printf("%s\"%s\":%.9g", i == 0 ? "{" : ",", names[i], (double)value[i]);
	printf("}");
}

static void print_key(const struct anim_track *track, size_t k)
{
	if (k > 0)
		printf(",");
	if (track->kind == ANIM_RAW) {
		print_components(track, k);
		return;
	}
	printf("{\"time\":%.9g,\"value\":", (double)track->time[k]);
	print_components(track, k);
	printf(",\"interpolation\":\"Linear\"}");
}

static void print_track(const struct anim_track *track, size_t number)
{
	const char *slash = strrchr(track->node, '/');

	printf("%s\n{\"trackType\":\"%s\",\"valueType\":\"%s\",\"data\":{\"node\":\"%s\",\"property\":\"%s\",",
	       number > 0 ? "," : "", anim_kind_names[track->kind], anim_types[track->type].name,
	       slash != NULL ? slash + 1 : track->node, track->property);
	if (track->kind == ANIM_RAW)
		printf("\"interval\":%.9g,", (double)((float)track->rate_den / (float)track->rate_num));
	printf("\"keyframes\":[");
	for (size_t k = 0; k < track->n; k++)
		print_key(track, k);
	printf("]}}");
}

static int print_stream(struct anim_stream_reader *reader, struct anim_arena *arena, struct anim_error *error)
{
	struct anim_record record;
	struct anim_track track;
	struct anim_clip clip;
	size_t tracks = 0;
	int more;

	while ((more = anim_stream_next(reader, &record, error)) == 1) {
		anim_arena_reset(arena);
		if (strcmp(record.tag, "CLIP") == 0 && anim_record_clip(&record, true, &clip, arena, error) == 0)
			printf("{\"name\":\"%s\",\"globalDuration\":%.9g,\"tracks\":[", clip.name,
			       (double)clip.end_s - (double)clip.start_s);
		if (strcmp(record.tag, "TRAK") != 0)
			continue;
		if (anim_record_track(&record, &track, arena, error) != 0)
			return -1;
		if (anim_types[track.type].scalar == ANIM_SCALAR_F32 && anim_types[track.type].components <= 4)
			print_track(&track, tracks++);
	}
	printf("\n]}\n");
	return more;
}

int main(int argc, char **argv)
{
	struct anim_error error = {0};
	struct anim_input *input = NULL;
	struct anim_stream_reader *reader = NULL;
	struct anim_arena arena = {0};
	int result = anim_input_open(&input, argc > 1 ? argv[1] : "-", NULL, &error);

	if (result == 0)
		result = anim_stream_reader_new(&reader, input, &error);
	if (result == 0)
		result = print_stream(reader, &arena, &error);
	if (result != 0)
		fprintf(stderr, "emit_reference: %s\n", error.message);
	anim_stream_reader_free(reader);
	anim_input_close(input);
	anim_arena_clear(&arena);
	return result == 0 && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
