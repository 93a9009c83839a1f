/* evaluate.c: prints what all tracks of a file show, as many times a second as is said; as anim-resample --all has it. */
#include <anim.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const struct anim_fault *fault)
{
	fprintf(stderr, "evaluate: %s\n", fault->text);
	return 1;
}

static void print(const struct anim_clip_info *clip, const struct anim_track_info *track, size_t at,
		  const double *numbers, const char *text)
{
	printf("%s\t%s\t%s\t%d\t%zu", clip->name, track->node, track->property, track->component, at);
	for (unsigned i = 0; i < track->components && numbers != NULL; i++)
		printf("\t%.17g", numbers[i]);
	printf(text != NULL ? "\t%s\n" : "\n", text);
}

int main(int argc, char **argv)
{
	struct anim_fault fault = {0};
	struct anim *file = argc == 3 ? anim_open(argv[1], NULL, &fault) : NULL;
	uint32_t rate = argc == 3 ? (uint32_t)atoi(argv[2]) : 0;

	if (file == NULL)
		return argc == 3 ? fail(&fault) : 2;
	for (size_t i = 0; i < anim_message_count(file); i++)
		fprintf(stderr, "evaluate: %s\n", anim_message(file, i));
	for (size_t c = 0; c < anim_clip_count(file); c++) {
		ptrdiff_t count = anim_clip_times(file, c, rate, 1, ANIM_TIMES_COVER, NULL, 0, &fault);
		double *times = malloc(((size_t)count + 1) * sizeof *times);
		double *values = malloc(((size_t)count + 1) * 16 * sizeof *values);
		const char **texts = malloc(((size_t)count + 1) * sizeof *texts);
		struct anim_clip_info clip = {.size = sizeof clip};

		if (count < 0 || anim_get_clip(file, c, &clip, &fault) != 0)
			return fail(&fault);
		anim_clip_times(file, c, rate, 1, ANIM_TIMES_COVER, times, (size_t)count, NULL);
		for (size_t t = 0; t < clip.tracks; t++) {
			struct anim_track_info track = {.size = sizeof track};

			anim_get_track(file, c, t, &track, NULL);
			int has_texts = track.type[0] == 's' && track.type[1] == 't'; /* "string" */

			if (has_texts ? anim_sample_texts(file, c, t, times, (size_t)count, texts, &fault) != 0
				      : anim_sample_doubles(file, c, t, times, (size_t)count, values,
							    (size_t)count * 16, NULL, &fault) != 0)
				return fail(&fault);
			for (size_t k = 0; k < (size_t)count; k++)
				print(&clip, &track, k, has_texts ? NULL : values + k * track.components,
				      has_texts ? texts[k] : NULL);
		}
		free(times), free(values), free(texts);
	}
	anim_close(file);
	return 0;
}
