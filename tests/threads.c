/*
 * threads.c: FILE...: eight threads, each with handles of its own, evaluate all clips of all files and write each as a stream;
 * all must come to the same sum. Prints it. Links with libanim alone.
 */
#include <anim.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS 8

static char **files;
static int file_count;

/* FNV-1a. */
static uint64_t add(uint64_t sum, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
	return sum;
}

static uint64_t add_clip(uint64_t sum, struct anim *h, size_t c)
{
	ptrdiff_t count = anim_clip_times(h, c, 24, 1, ANIM_TIMES_COVER, NULL, 0, NULL);
	double *times = calloc((size_t)count + 1, sizeof *times);
	float *values = calloc((size_t)count + 1, 16 * sizeof *values);
	struct anim_clip_info clip = {.size = sizeof clip};

	anim_get_clip(h, c, &clip, NULL);
	anim_clip_times(h, c, 24, 1, ANIM_TIMES_COVER, times, (size_t)count, NULL);
	for (size_t t = 0; t < clip.tracks; t++) {
		struct anim_track_info track = {.size = sizeof track};

		anim_get_track(h, c, t, &track, NULL);
		sum = add(sum, track.node, strlen(track.node));
		if (anim_sample_floats(h, c, t, times, (size_t)count, values, (size_t)count * 16, NULL, NULL) == 0)
			sum = add(sum, values, (size_t)count * track.components * sizeof *values);
	}
	free(times);
	free(values);
	return sum;
}

static uint64_t copy(uint64_t sum, struct anim *h, const char *path)
{
	struct anim_writer *w = anim_write_open(path, NULL, NULL);
	char bytes[4096];
	size_t size;
	FILE *file;

	for (size_t c = 0, of = 0; c < anim_clip_count(h); c++) {
		struct anim_clip_info clip = {.size = sizeof clip};

		anim_get_clip(h, c, &clip, NULL);
		for (; clip.tree >= 0 && of <= (size_t)clip.tree; of++)
			anim_copy_tree(w, h, of, NULL);
		anim_copy_clip(w, h, c, NULL);
	}
	if (anim_write_commit(w, NULL) == 0 && (file = fopen(path, "rb")) != NULL) {
		while ((size = fread(bytes, 1, sizeof bytes, file)) > 0)
			sum = add(sum, bytes, size);
		fclose(file);
		unlink(path);
	}
	anim_write_close(w);
	return sum;
}

static void *run(void *sum)
{
	char path[64];

	snprintf(path, sizeof path, "copy-%p.axs", sum);
	for (int i = 0; i < file_count; i++) {
		struct anim_fault fault = {0};
		struct anim *h = anim_open(files[i], NULL, &fault);

		if (h == NULL) {
			*(uint64_t *)sum = add(*(uint64_t *)sum, fault.text, strlen(fault.text));
			continue;
		}
		for (size_t c = 0; c < anim_clip_count(h); c++)
			*(uint64_t *)sum = add_clip(*(uint64_t *)sum, h, c);
		*(uint64_t *)sum = copy(*(uint64_t *)sum, h, path);
		anim_close(h);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static uint64_t sums[THREADS + 1];
	pthread_t threads[THREADS];

	files = argv + 1;
	file_count = argc - 1;
	run(&sums[THREADS]);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run, &sums[i]) != 0)
			return 2;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		if (sums[i] != sums[THREADS])
			return 1;
	printf("%016llx\n", (unsigned long long)sums[THREADS]);
	return 0;
}
