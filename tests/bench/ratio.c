/*
 * ratio.c: times commands in turn and prints their ratios; absolute times of one machine say little.
 *   bench_ratio [-n ROUNDS] NAME COMMAND NAME COMMAND...   each by sh -c; cpu is of all processes that it starts
 *   bench_ratio -s FILE NAME PROGRAM...                    each as the middle of  cat FILE | PROGRAM | cat > /dev/null;
 *                                                          cpu and memory of the middle alone
 * One line a command: medians of cpu and wall, largest peak memory of a process, ratios to the first command.
 */
#define _DEFAULT_SOURCE /* for wait4, which tells what one process took */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS_MAX 99
#define COMMANDS_MAX 16

struct command {
	const char *name, *text;
	double cpu_s[ROUNDS_MAX], wall_s[ROUNDS_MAX];
	long peak_kib;
};

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Starts sh -c "exec text" with these ends; -1 leaves an end as it is. */
static pid_t start(const char *text, int in, int out)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (in >= 0)
		dup2(in, 0);
	if (out >= 0)
		dup2(out, 1);
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	execl("/bin/sh", "sh", "-c", text, (char *)NULL);
	_exit(127);
}

/* Waits for a child that must succeed; adds up what it used. */
static void finish(const struct command *command, pid_t pid, struct rusage *used)
{
	int status;

	if (wait4(pid, &status, 0, used) != pid || status != 0) {
		fprintf(stderr, "ratio: '%s' failed\n", command->text);
		exit(1);
	}
}

static void record(struct command *command, int round, double wall_s, const struct rusage *used)
{
	command->wall_s[round] = wall_s;
	command->cpu_s[round] = seconds(used->ru_utime) + seconds(used->ru_stime);
	if (used->ru_maxrss > command->peak_kib)
		command->peak_kib = used->ru_maxrss;
}

static void run_alone(struct command *command, int round)
{
	struct rusage used;
	double begin = now();

	finish(command, start(command->text, -1, -1), &used);
	record(command, round, now() - begin, &used);
}

static void run_stage(struct command *command, int round, const char *file)
{
	struct rusage used, ignored;
	int before[2], after[2];
	char feed[4200];
	pid_t pids[3];
	double begin = now();

	if (pipe(before) != 0 || pipe(after) != 0)
		exit(1);
	snprintf(feed, sizeof feed, "exec cat '%s'", file);
	pids[0] = start(feed, -1, before[1]);
	pids[1] = start(command->text, before[0], after[1]);
	close(before[0]);
	close(before[1]);
	close(after[1]);
	pids[2] = start("exec cat >/dev/null", after[0], -1);
	close(after[0]);
	finish(command, pids[1], &used);
	record(command, round, now() - begin, &used);
	finish(command, pids[0], &ignored);
	finish(command, pids[2], &ignored);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof *values, by_value);
	return values[count / 2];
}

static void print(struct command *commands, int count, int rounds)
{
	double first_cpu = 0, first_wall = 0;

	for (int i = 0; i < count; i++) {
		double cpu = median(commands[i].cpu_s, rounds), wall = median(commands[i].wall_s, rounds);

		if (i == 0) {
			first_cpu = cpu;
			first_wall = wall;
		}
		printf("  %-34s cpu %8.1f ms  wall %8.1f ms  peak %7.1f MB", commands[i].name, 1e3 * cpu, 1e3 * wall,
		       (double)commands[i].peak_kib / 1024);
		if (i > 0)
			printf("  first/this: cpu %.2f wall %.2f", first_cpu / cpu, first_wall / wall);
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	static struct command commands[COMMANDS_MAX];
	const char *file = NULL;
	int option, rounds = 7, count = 0;

	while ((option = getopt(argc, argv, "n:s:")) != -1) {
		if (option == 'n')
			rounds = atoi(optarg);
		else if (option == 's')
			file = optarg;
		else
			return 2;
	}
	for (int i = optind; i + 1 < argc && count < COMMANDS_MAX; i += 2)
		commands[count++] = (struct command){.name = argv[i], .text = argv[i + 1]};
	if (rounds < 1 || rounds > ROUNDS_MAX || count == 0)
		return 2;
	for (int round = -1; round < rounds; round++)
		for (int i = 0; i < count; i++) {
			if (file != NULL)
				run_stage(&commands[i], round < 0 ? 0 : round, file);
			else
				run_alone(&commands[i], round < 0 ? 0 : round);
		}
	print(commands, count, rounds);
	return 0;
}
