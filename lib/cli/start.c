/* start.c: how a program begins: descriptors, signals, command line. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"

static void remove_and_die(int signal_number)
{
	anim_output_unlink_all();
	raise(signal_number); /* SA_RESETHAND: now the default */
}

/* What is ignored stays so; an ignored SIGPIPE comes as EPIPE, and cli_finish ends by the signal after all. */
static void set_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	struct sigaction action = {.sa_handler = remove_and_die, .sa_flags = (int)SA_RESETHAND}, before;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			(void)sigaction(signals[i], &action, NULL);
}

/*
 * A closed standard descriptor would be given to the next file that is opened, and text for the one be written into the
 * other. Each is filled with what fails as a closed one does.
 */
static void fill_descriptors(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			_exit(CLI_FAILED);
}

void cli_start(struct cli *cli, const struct cli_program *program, void *options, int argc, char **argv)
{
	memset(cli, 0, sizeof *cli);
	cli->program = program;
	cli->options = options;
	cli->arguments = anim_arena_zeroed(&cli->arena, (size_t)argc + 1, sizeof *argv, NULL);
	if (cli->arguments == NULL)
		cli_no_memory(cli);
	for (int i = 1; i < argc; i++) /* getopt will reorder argv */
		cli->arguments[cli->argument_count++] = argv[i];
	fill_descriptors();
	set_signals();
	cli_read_options(cli, argc, argv);
	cli->losses.strict = cli->options->strict;
	cli_check_operands(cli);
}
