/* progress.c: a line on a terminal's stderr for what takes longer than a second. */
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

#define QUIET_S 1.0
#define EVERY_S 0.2

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void show(void *context, uint64_t read_bytes, uint64_t source_bytes)
{
	struct cli *cli = context;
	struct cli_progress *progress = &cli->progress;
	double now = now_s(), mb = (double)read_bytes * 1e-6, rate = mb / (now - progress->start_s);

	if (now - progress->start_s < QUIET_S || now - progress->last_s < EVERY_S)
		return;
	progress->last_s = now;
	progress->shown = true;
	if (source_bytes > 0)
		fprintf(stderr, "\r%s: %.1f of %.1f MB, %.0f MB/s \033[K", cli->program->name, mb,
			(double)source_bytes * 1e-6, rate);
	else
		fprintf(stderr, "\r%s: %.1f MB, %.0f MB/s \033[K", cli->program->name, mb, rate);
}

void cli_progress_clear(struct cli *cli)
{
	if (cli->progress.shown)
		fputs("\r\033[K", stderr);
	cli->progress.shown = false;
}

/* In a pipeline the first program shows it, which alone knows how much is to come; others would write over its line. */
static bool reads_a_pipe(void)
{
	struct stat info;

	return fstat(STDIN_FILENO, &info) == 0 && S_ISFIFO(info.st_mode);
}

void cli_watched_input_options(struct cli *cli, struct anim_input_options *options)
{
	cli_input_options(options);
	if (!isatty(STDERR_FILENO) || cli->options->quiet || reads_a_pipe())
		return;
	if (!cli->progress.enabled)
		cli->progress.start_s = cli->progress.last_s = now_s();
	cli->progress.enabled = true;
	options->progress = show;
	options->progress_context = cli;
}
