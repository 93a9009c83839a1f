/*
 * peak.c: runs a command and prints the most memory that its process held, in KiB: bench_peak PROGRAM [ARGUMENT...].
 * What the program prints goes where it did; the number goes to descriptor 3 where that is open, else to stderr. The
 * status is the program's.
 */
#define _DEFAULT_SOURCE /* for wait4, which tells what one process took */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct rusage used;
	int status;
	pid_t pid;

	if (argc < 2) {
		fputs("usage: bench_peak PROGRAM [ARGUMENT...]\n", stderr);
		return 2;
	}
	pid = fork();
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid) {
		perror("peak");
		return 2;
	}
	if (dprintf(3, "%ld\n", used.ru_maxrss) < 0)
		fprintf(stderr, "%ld\n", used.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
