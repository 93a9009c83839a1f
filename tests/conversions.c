/* conversions.c: converts a file in the process; see api.bats. Usage: conversions IN OUT [NAME=VALUE...], or -t IN... for threads, or -h IN... for helgrind. "descriptors" among the options: IN and OUT are names of standard input and output. */
#include <anim.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned messages;

static void count(void *context, const struct anim_message_info *message)
{
	(void)context;
	if (message->text[0] != '\0' && message->size >= sizeof *message)
		messages++;
}

static int cancel(void *context, uint64_t read_bytes, uint64_t source_bytes)
{
	(void)context;
	return read_bytes > 0 && source_bytes > 0;
}

/* Convert a path to memory. Returns the bytes, which the caller frees, or NULL. */
static void *convert(const char *in, const char *name, size_t *size, struct anim_fault *fault)
{
	const struct anim_convert_source source = {.size = sizeof source, .path = in};
	void *bytes = NULL;
	const struct anim_conversion conversion = {.size = sizeof conversion,
						   .sources = &source,
						   .source_count = 1,
						   .bytes = &bytes,
						   .byte_count = size,
						   .name = name};

	return anim_convert(&conversion, fault) == 0 ? bytes : NULL;
}

struct job {
	const char *in, *name;
	void *bytes;
	size_t size;
};

static void *run(void *context)
{
	struct job *job = context;

	job->bytes = convert(job->in, job->name, &job->size, NULL);
	return NULL;
}

/* Convert all files at the same time, each to two formats, then one after another, and compare. */
static int compare_threads(int argc, char **argv)
{
	static const char *const names[] = {"x.glb", "x.tscn"};
	int failed = 0;

	for (int first = 0; first < argc; first += 4) {
		pthread_t threads[8];
		struct job jobs[8] = {{NULL}};
		int used = 0;

		for (int i = first; i < argc && i < first + 4; i++)
			for (int k = 0; k < 2; k++, used++) {
				jobs[used] = (struct job){.in = argv[i], .name = names[k]};
				if (pthread_create(&threads[used], NULL, run, &jobs[used]) != 0)
					return 2;
			}
		for (int i = 0; i < used; i++) {
			size_t size = 0;
			void *bytes;

			pthread_join(threads[i], NULL);
			bytes = convert(jobs[i].in, jobs[i].name, &size, NULL);
			failed += (bytes == NULL) != (jobs[i].bytes == NULL) || size != jobs[i].size ||
				  (bytes != NULL && memcmp(bytes, jobs[i].bytes, size) != 0);
			anim_free(bytes);
			anim_free(jobs[i].bytes);
		}
	}
	return failed;
}

int main(int argc, char **argv)
{
	struct anim_attribute options[16];
	struct anim_fault fault = {0};
	struct anim_convert_source source = {.size = sizeof source, .path = argc > 1 ? argv[1] : NULL};
	struct anim_conversion conversion = {.size = sizeof conversion,
					     .sources = &source,
					     .source_count = 1,
					     .output = argc > 2 ? argv[2] : NULL,
					     .options = options,
					     .message = count};

	if (argc > 2 && strcmp(argv[1], "-t") == 0)
		return compare_threads(argc - 2, argv + 2);
	/* Make the tables first, because helgrind does not know that pthread_once orders threads. */
	if (argc > 2 && strcmp(argv[1], "-h") == 0) {
		size_t size = 0;

		anim_free(convert(argv[2], "x.glb", &size, NULL));
		return compare_threads(argc - 2, argv + 2);
	}
	for (int i = 3; i < argc && conversion.option_count < 16; i++) {
		char *equals = strchr(argv[i], '=');

		if (strcmp(argv[i], "cancel") == 0) {
			conversion.progress = cancel;
			continue;
		}
		if (strcmp(argv[i], "descriptors") == 0) {
			source =
			    (struct anim_convert_source){.size = sizeof source, .name = argv[1], .has_fd = 1, .fd = 0};
			conversion.name = argv[2];
			conversion.output = NULL;
			conversion.has_fd = conversion.fd = 1;
			continue;
		}
		if (equals != NULL)
			*equals = '\0';
		options[conversion.option_count++] =
		    (struct anim_attribute){argv[i], equals == NULL ? NULL : equals + 1};
	}
	if (anim_convert(&conversion, &fault) == 0)
		return 0;
	fprintf(stderr, "%d %u:%u %u %s\n", fault.code, fault.line, fault.column, messages, fault.text);
	return 1;
}
