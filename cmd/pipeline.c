/* pipeline.c: starts programs as a pipe of processes, hears what they say, judges how they ended. */
#include "pipeline.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/cli.h"

extern char **environ;

/* ---- The line of shell ---- */

static int print_word(const char *word, struct anim_buffer *line, struct anim_error *error)
{
	size_t need = anim_text_quote(NULL, 0, word) + 1;

	if (anim_buffer_reserve(line, need, error) != 0)
		return -1;
	line->size += anim_text_quote((char *)line->data + line->size, need, word);
	return 0;
}

int pipeline_print(const struct pipeline *pipeline, struct anim_buffer *line, struct anim_error *error)
{
	int result = 0;

	for (size_t i = 0; i < pipeline->count && result == 0; i++) {
		const struct pipeline_command *command = &pipeline->commands[i];

		if (i > 0)
			result = anim_buffer_append_text(line, " | ", error);
		if (result == 0)
			result = print_word(command->shown, line, error);
		for (char **word = command->arguments + 1; *word != NULL && result == 0; word++)
			if ((result = anim_buffer_append_text(line, " ", error)) == 0)
				result = print_word(*word, line, error);
	}
	return result;
}

/* ---- Signals: those that end this program are passed on, and it ends by them when the others have ---- */

static volatile sig_atomic_t caught;
static volatile pid_t children[PIPELINE_MAX]; /* 0: not started, or waited for */

static void pass_on(int signal_number)
{
	int kept = errno;

	caught = signal_number;
	for (size_t i = 0; i < PIPELINE_MAX; i++)
		if (children[i] > 0)
			kill(children[i], signal_number);
	errno = kept;
}

/* What is ignored stays so. They are held back, *before tells what was, until all programs have been started. */
static void hold_signals(sigset_t *before)
{
	struct sigaction action = {.sa_handler = pass_on}, was;
	sigset_t held;

	sigemptyset(&action.sa_mask);
	sigemptyset(&held);
	for (size_t i = 0; cli_signals[i] != 0; i++) {
		sigaddset(&held, cli_signals[i]);
		if (sigaction(cli_signals[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
			(void)sigaction(cli_signals[i], &action, NULL);
	}
	sigprocmask(SIG_BLOCK, &held, before);
}

static void end_by_signal(int signal_number)
{
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* ---- Processes ---- */

struct process {
	int said;                /* what it writes to its standard error; -1: it has ours, or there is no more */
	struct anim_buffer text; /* of that */
	int status;
};

/* Both ends are closed in programs that are run, but where they are made standard descriptors. 0 or -1. */
static int open_pipe(int ends[2], struct anim_error *error)
{
	if (pipe(ends) != 0)
		return anim_fail_system(error, "cannot make a pipe");
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

static void close_end(int *end)
{
	if (*end >= 0)
		close(*end);
	*end = -1;
}

/* Runs it with these as standard input, output and error; -1: ours. Its process, or -1. */
static pid_t start(const struct pipeline_command *command, const int standard[3], const sigset_t *mask,
		   struct anim_error *error)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	pid_t child = -1;
	int fault;

	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, mask);
	for (int fd = 0; fd < 3; fd++)
		if (standard[fd] >= 0)
			posix_spawn_file_actions_adddup2(&actions, standard[fd], fd);
	fault = posix_spawn(&child, command->arguments[0], &actions, &attributes, command->arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (fault == 0)
		return child;
	errno = fault;
	return anim_fail_system(error, "cannot run %s", command->arguments[0]);
}

/* Starts all; what was started before one could not be runs to its end for lack of input. 0 or -1. */
static int start_all(const struct pipeline *pipeline, struct process *processes, const sigset_t *mask,
		     struct anim_error *error)
{
	int before = -1, next[2] = {-1, -1}, says[2] = {-1, -1}, result = 0;

	for (size_t i = 0; i < pipeline->count && result == 0; i++) {
		pid_t child = -1;

		if (i + 1 < pipeline->count)
			result = open_pipe(next, error);
		if (result == 0 && i > 0)
			result = open_pipe(says, error);
		if (result == 0)
			child = start(&pipeline->commands[i], (int[]){before, next[1], says[1]}, mask, error);
		if (child < 0)
			result = -1;
		else
			children[i] = child;
		close_end(&before);
		close_end(&next[1]);
		close_end(&says[1]);
		before = next[0];
		processes[i].said = says[0];
		next[0] = says[0] = -1;
	}
	close_end(&before);
	return result;
}

/* Reads what all say until none can say more, so that none waits for that. 0, or -1 where something was not heard. */
static int hear(const struct pipeline *pipeline, struct process *processes, struct anim_error *error)
{
	struct pollfd ends[PIPELINE_MAX];
	size_t count = pipeline->count;
	char bytes[4096];
	int result = 0;

	for (size_t open = 1; open > 0;) {
		open = 0;
		for (size_t i = 0; i < count; i++) {
			ends[i] = (struct pollfd){.fd = processes[i].said, .events = POLLIN};
			open += ends[i].fd >= 0;
		}
		if (open == 0 || poll(ends, (nfds_t)count, -1) < 0)
			continue;
		for (size_t i = 0; i < count; i++) {
			ssize_t got = ends[i].revents == 0 ? -1 : read(ends[i].fd, bytes, sizeof bytes);

			if (got > 0) /* without memory it is lost, the exit status is not */
				(void)anim_buffer_append(&processes[i].text, bytes, (size_t)got, NULL);
			if (got > 0 || ends[i].revents == 0 || (got < 0 && errno == EINTR))
				continue;
			if (got < 0)
				result = anim_fail_system(error, "cannot read the messages of %s",
							  pipeline->commands[i].shown);
			close_end(&processes[i].said);
		}
	}
	return result;
}

static void wait_for(struct process *processes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		while (children[i] > 0 && waitpid(children[i], &processes[i].status, 0) < 0 && errno == EINTR)
			continue;
		children[i] = 0;
	}
}

/* ---- How it went ---- */

static bool is_killed_by(const struct process *process, int signal_number)
{
	return WIFSIGNALED(process->status) && WTERMSIG(process->status) == signal_number;
}

/* It failed of itself; nobody dies of SIGPIPE but for another's end. */
static bool failed(const struct process *process)
{
	return process->status != 0 && !is_killed_by(process, SIGPIPE);
}

static int judge(const struct pipeline *pipeline, const struct process *processes, struct anim_error *error)
{
	const struct process *last = &processes[pipeline->count - 1];
	int worst = 0;

	for (size_t i = 0; i < pipeline->count; i++) {
		const struct process *process = &processes[i];

		if (WIFSIGNALED(process->status) && failed(process))
			return anim_fail(error, ANIM_SYSTEM, "%s was ended by a signal: %s",
					 pipeline->commands[i].shown, strsignal(WTERMSIG(process->status)));
		if (WIFEXITED(process->status) && WEXITSTATUS(process->status) > worst)
			worst = WEXITSTATUS(process->status);
	}
	if (worst > 0)
		return worst;
	for (size_t i = 0; i < pipeline->count; i++)
		if (processes[i].status != 0)
			return anim_fail(error, is_killed_by(last, SIGPIPE) ? ANIM_CLOSED : ANIM_SYSTEM,
					 "%s was left by what reads its output", pipeline->commands[i].shown);
	return 0;
}

/* A pipe that ends too early fails all that is behind; only a wrong command line (status 2) is a failure of its own. */
static void tell(const struct process *processes, size_t count)
{
	bool is_cut = false;

	for (size_t i = 0; i < count; i++) {
		const struct process *process = &processes[i];
		bool follows = is_cut && WIFEXITED(process->status) && WEXITSTATUS(process->status) == 1;

		if (!follows && process->text.size > 0)
			fwrite(process->text.data, 1, process->text.size, stderr);
		is_cut = is_cut || failed(process);
	}
}

int pipeline_run(const struct pipeline *pipeline, struct anim_error *error)
{
	struct process processes[PIPELINE_MAX];
	struct anim_error unheard = {0};
	sigset_t before;
	char parent[24];
	int result, heard;

	for (size_t i = 0; i < PIPELINE_MAX; i++)
		processes[i] = (struct process){.said = -1};
	snprintf(parent, sizeof parent, "%ld", (long)getpid());
	if (setenv(CLI_PARENT, parent, 1) != 0)
		return anim_fail_memory(error);
	hold_signals(&before);
	result = start_all(pipeline, processes, &before, error);
	sigprocmask(SIG_SETMASK, &before, NULL);
	heard = hear(pipeline, processes, &unheard);
	wait_for(processes, pipeline->count);
	if (caught != 0)
		end_by_signal(caught);
	if (result == 0)
		tell(processes, pipeline->count);
	if (result == 0 && heard != 0) {
		*error = unheard;
		result = -1;
	}
	if (result == 0)
		result = judge(pipeline, processes, error);
	for (size_t i = 0; i < PIPELINE_MAX; i++)
		anim_buffer_clear(&processes[i].text);
	return result;
}
