/* number.c: how fast numbers are read and printed, beside the C library, in one run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "base/number_internal.h"

enum { COUNT = 1000000, ROUNDS = 9, SLACK = 64 };

/* What one way of doing the work is given and where it leaves its results. */
struct work {
	const char *text, *end;
	const float *floats;
	const double *doubles;
	float *out;
	char *printed; /* ANIM_NUMBER_MAX bytes a number */
	size_t count;
};

struct way {
	const char *name;
	void (*run)(const struct work *);
	double seconds[ROUNDS];
};

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *seconds)
{
	qsort(seconds, ROUNDS, sizeof *seconds, by_size);
	return seconds[ROUNDS / 2];
}

static void *allocate(size_t size)
{
	void *memory = calloc(size, 1);

	if (memory == NULL) {
		fputs("bench_number: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static double uniform(uint64_t *state)
{
	return (double)(next_random(state) >> 11) * 0x1p-53;
}

/* Rotation keys as engines write them: time, transition, four components; one in five a position instead. */
static void fill(float *floats, double *doubles, size_t count)
{
	uint64_t state = 88172645463325252u;

	for (size_t i = 0; i < count; i++) {
		double value = 2 * uniform(&state) - 1;

		if (i % 6 == 0)
			value = (double)(i / 6) / 30;
		else if (i % 6 == 1)
			value = 1;
		else if (i % 30 > 24)
			value *= 10;
		floats[i] = (float)value;
		doubles[i] = value;
	}
}

/* "n, n, n)", the floats at their shortest, or the doubles with 17 digits. Returns its end. */
static char *write_text(char *text, const float *floats, const double *doubles, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			text += sprintf(text, ", ");
		if (floats != NULL)
			text += anim_number_print_float(text, floats[i]);
		else
			text += sprintf(text, "%.17g", doubles[i]);
	}
	*text++ = ')';
	return text;
}

static void read_strtof(const struct work *work)
{
	char *at = (char *)(uintptr_t)work->text;

	for (size_t i = 0; i < work->count; i++, at += 2)
		work->out[i] = strtof(at, &at);
}

static void read_single(const struct work *work)
{
	const char *at = work->text;

	for (size_t i = 0; i < work->count; i++, at += 2)
		at = anim_number_float_of_double(at, work->end, &work->out[i]);
}

static void read_single_float(const struct work *work)
{
	const char *at = work->text;

	for (size_t i = 0; i < work->count; i++, at += 2)
		at = anim_number_float(at, work->end, &work->out[i]);
}

static void read_plain(const struct work *work)
{
	const char *next;

	anim_number_floats_plain(work->text, work->end, work->out, work->count, &next);
}

static void read_run(const struct work *work)
{
	const char *next;

	anim_number_floats(work->text, work->end, work->out, work->count, &next);
}

static void print_snprintf(const struct work *work)
{
	for (size_t i = 0; i < work->count; i++)
		snprintf(work->printed + i * ANIM_NUMBER_MAX, ANIM_NUMBER_MAX, "%.9g", (double)work->floats[i]);
}

static void print_float(const struct work *work)
{
	for (size_t i = 0; i < work->count; i++)
		anim_number_print_float(work->printed + i * ANIM_NUMBER_MAX, work->floats[i]);
}

static void print_texts(const struct work *work, anim_number_texts_function *print)
{
	struct anim_number_texts *texts = (struct anim_number_texts *)(void *)work->printed;

	for (size_t i = 0; i + ANIM_NUMBER_TEXTS <= work->count; i += ANIM_NUMBER_TEXTS)
		print(work->floats + i, ANIM_NUMBER_TEXTS, 6, texts);
}

static void print_floats_plain(const struct work *work)
{
	print_texts(work, anim_number_texts_plain);
}

static void print_floats(const struct work *work)
{
	print_texts(work, anim_number_print_floats);
}

static void print_snprintf_double(const struct work *work)
{
	for (size_t i = 0; i < work->count; i++)
		snprintf(work->printed + i * ANIM_NUMBER_MAX, ANIM_NUMBER_MAX, "%.17g", work->doubles[i]);
}

static void print_double(const struct work *work)
{
	for (size_t i = 0; i < work->count; i++)
		anim_number_print_double(work->printed + i * ANIM_NUMBER_MAX, work->doubles[i]);
}

/* Runs all ways in turn, round by round, so that a busy machine hits them alike; ratios are to the first. */
static void compare(const char *title, struct way *ways, size_t count, const struct work *work)
{
	double first = 0;

	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < count; i++) {
			double start = cpu_seconds();

			ways[i].run(work);
			ways[i].seconds[round] = cpu_seconds() - start;
		}
	}
	printf("%s\n", title);
	for (size_t i = 0; i < count; i++) {
		double seconds = median(ways[i].seconds);

		if (i == 0)
			first = seconds;
		printf("  %-32s %7.2f ns  %5.3f\n", ways[i].name, seconds * 1e9 / (double)work->count, seconds / first);
	}
}

static void compare_all(void)
{
	struct way reads[] = {{"strtof", read_strtof, {0}},
			      {"anim_number_float", read_single_float, {0}},
			      {"anim_number_float_of_double", read_single, {0}},
			      {"anim_number_floats, plain", read_plain, {0}},
			      {"anim_number_floats", read_run, {0}}};
	struct way prints[] = {{"snprintf %.9g", print_snprintf, {0}},
			       {"anim_number_print_float", print_float, {0}},
			       {"anim_number_print_floats, plain", print_floats_plain, {0}},
			       {"anim_number_print_floats", print_floats, {0}}};
	struct way wide[] = {{"snprintf %.17g", print_snprintf_double, {0}},
			     {"anim_number_print_double", print_double, {0}}};
	float *floats = allocate(COUNT * sizeof *floats);
	double *doubles = allocate(COUNT * sizeof *doubles);
	char *text = allocate((size_t)COUNT * 32 + SLACK);
	struct work work = {.text = text, .floats = floats, .doubles = doubles, .count = COUNT};

	work.out = allocate(COUNT * sizeof *work.out);
	work.printed = allocate((size_t)COUNT * ANIM_NUMBER_MAX);
	fill(floats, doubles, COUNT);
	work.end = write_text(text, floats, NULL, COUNT);
	printf("%.2f characters a number\n", (double)(work.end - text) / COUNT - 2);
	compare("read float32", reads, sizeof reads / sizeof *reads, &work);
	work.end = write_text(text, NULL, doubles, COUNT);
	compare("read 17 digits", reads, sizeof reads / sizeof *reads, &work);
	compare("print float", prints, sizeof prints / sizeof *prints, &work);
	compare("print double", wide, sizeof wide / sizeof *wide, &work);
	free(floats);
	free(doubles);
	free(text);
	free(work.out);
	free(work.printed);
}

/* The whole file with SLACK zero bytes behind it; *size of it. */
static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *text;
	long length = -1;

	if (file != NULL && fseek(file, 0, SEEK_END) == 0)
		length = ftell(file);
	if (length < 0 || fseek(file, 0, SEEK_SET) != 0) {
		fprintf(stderr, "bench_number: cannot read '%s'\n", path);
		exit(1);
	}
	text = allocate((size_t)length + SLACK);
	*size = fread(text, 1, (size_t)length, file);
	fclose(file);
	return text;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Where the numbers of a text begin: behind a blank or a mark, so not within names and paths. *count of them. */
static const char **find_numbers(const char *text, size_t size, size_t *count)
{
	const char **starts = allocate((size / 2 + 1) * sizeof *starts);

	*count = 0;
	for (size_t i = 1; i < size; i++) {
		if (strchr(" \t\n,([=:{", text[i - 1]) == NULL || !is_digit(text[i + (text[i] == '-')]))
			continue;
		starts[(*count)++] = text + i;
		while (is_digit(text[i]) || text[i] == '.' || text[i] == '-')
			i++;
	}
	return starts;
}

/*
 * The reference for readers: the usual loop over characters with the exact division of small numbers; everything else
 * goes to the exact reader.
 */
static float read_loop(const char *text, const char *end)
{
	static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
					1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	const char *at = text + (*text == '-'), *first = at, *point = NULL;
	uint64_t mantissa = 0;
	double value;
	float exact = 0;

	for (; is_digit(*at) || (*at == '.' && point == NULL); at++) {
		if (*at == '.')
			point = at;
		else
			mantissa = mantissa * 10 + (uint64_t)(*at - '0');
	}
	if (at - first - (point != NULL) > 15 || *at == 'e' || *at == 'E') {
		anim_number_float_of_double(text, end, &exact);
		return exact;
	}
	value = (double)(int64_t)mantissa / powers[point != NULL ? at - point - 1 : 0];
	return (float)(*text == '-' ? -value : value);
}

/* CPU seconds for reading the numbers of a file alone, the median of some rounds, and their count. */
static void measure_file(const char *path)
{
	size_t size, count;
	char *text = read_file(path, &size);
	const char **starts = find_numbers(text, size, &count);
	float *values = allocate((count + 1) * sizeof *values);
	double seconds[ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		double start = cpu_seconds();

		for (size_t i = 0; i < count; i++)
			values[i] = read_loop(starts[i], text + size);
		seconds[round] = cpu_seconds() - start;
	}
	printf("%.6f %zu\n", median(seconds), count);
	free(values);
	free(starts);
	free(text);
}

/* bench_number: all comparisons. bench_number floats FILE: "SECONDS COUNT" of the reference reader over a file. */
int main(int argc, char **argv)
{
	if (argc == 1)
		compare_all();
	else if (argc == 3 && strcmp(argv[1], "floats") == 0)
		measure_file(argv[2]);
	else {
		fputs("usage: bench_number [floats FILE]\n", stderr);
		return 2;
	}
	return 0;
}
