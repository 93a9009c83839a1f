/* anim-udp.c: records datagrams of live motion into a take, and sends the datagrams of a take. The only program with a socket. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/system.h"
#include "base/text.h"
#include "cli/cli.h"
#include "format/format.h"
#include "format/vmc/vmc.h"
#include "programs.h"

#define LOOPBACK "127.0.0.1"
#define SECOND_NS UINT64_C(1000000000)
#define FRAME_NS (SECOND_NS / 60)  /* between two rounds of a take with one frame */
#define BURST_NS UINT64_C(2000000) /* datagrams of one frame arrive within this time */
#define WAIT_MS 500                /* a signal that comes right before the wait ends the recording after this time */
#define TIME_MAX_S 1e9

struct options {
	struct cli_common common;
	const char *time;
	uint64_t length_ns; /* 0: until a signal */
	bool loop;
};

static const char *const actions[] = {"record", "play", NULL};
static const struct cli_option rows[] = {
    {0, "time", "SECONDS", "record: stop after this time, such as 2.5 (default: at Ctrl-C)", CLI_TEXT, AT(time), NULL,
     false},
    {0, "loop", NULL, "play: begin again at the end", CLI_FLAG, AT(loop), NULL, false},
};
static const char *const examples[] = {"anim-udp record 39539 -o take.vmc", "anim-udp play take.vmc 127.0.0.1:39539",
				       "anim-udp play --loop take.vmc 192.168.0.7:39539", NULL};
static const struct cli_program program = {.name = "anim-udp",
					   .summary = "records live motion (VMC) from the network, and plays takes",
					   .usage = "[OPTION...] record [ADDRESS:]PORT | play FILE ADDRESS:PORT",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT,
					   .least_operands = 2,
					   .most_operands = 3,
					   .operand_words = actions};

static volatile sig_atomic_t stopped;

static void stop(int signal_number)
{
	(void)signal_number;
	stopped = 1;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

__attribute__((format(printf, 2, 3))) static void say(const struct cli *cli, const char *format, ...)
{
	va_list args;

	if (cli->options->quiet)
		return;
	fputs("anim-udp: note: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

/* Read "PORT" or "1.2.3.4:PORT". Exit if the text has another form. */
static struct anim_address read_address(const struct cli *cli, const char *text)
{
	const char *colon = strrchr(text, ':'), *port = colon == NULL ? text : colon + 1;
	char ip[64] = LOOPBACK;
	struct anim_address out;
	uint64_t number;

	if (colon != NULL)
		snprintf(ip, sizeof ip, "%.*s", (int)(colon - text), text);
	if (!cli_whole_number(port, &number) || number < 1 || number > 65535)
		cli_usage(cli, "'%s' has no port from 1 to 65535", text);
	if (!anim_udp_address(ip, &out))
		cli_usage(cli, "'%s' is not an IPv4 address such as 192.168.0.7:39539", text);
	out.port = (uint16_t)number;
	return out;
}

/* An address for printf. */
#define IP "%u.%u.%u.%u"
#define IP_OF(address) (address).ip[0], (address).ip[1], (address).ip[2], (address).ip[3]

/* ---- Record ---- */

static int write_all(int fd, const uint8_t *bytes, size_t size, struct anim_error *error)
{
	while (size > 0) {
		ssize_t done = write(fd, bytes, size);

		if (done < 0 && errno != EINTR)
			return anim_fail_system(error, "the take");
		bytes += done < 0 ? 0 : done;
		size -= done < 0 ? 0 : (size_t)done;
	}
	return 0;
}

/* Return whether a datagram begins like one of VMC: an OSC message, or a bundle of them. */
static bool is_vmc(const uint8_t *bytes, size_t size)
{
	static const char message[] = "/VMC/", bundle[] = "#bundle";

	return (size >= sizeof message && memcmp(bytes, message, sizeof message - 1) == 0) ||
	       (size >= sizeof bundle && memcmp(bytes, bundle, sizeof bundle) == 0);
}

/* Write the datagrams of the first sender until the time is over or a signal comes. Each is written at once. Return 0 or -1. */
static int record(const struct cli *cli, int from, int to, struct anim_error *error)
{
	static uint8_t data[ANIM_VMC_HEAD + ANIM_VMC_DATAGRAM_MAX];
	uint64_t length_ns = ((const struct options *)cli->options)->length_ns, start_ns = now_ns(), first_ns = 0;
	unsigned long taken = 0, refused = 0;
	bool is_warned = false;
	struct anim_address sender = {.port = 0}, other;

	while (!stopped) {
		uint64_t came_ns = now_ns() - start_ns, left_ms = WAIT_MS;
		ssize_t got;

		if (length_ns > 0 && came_ns >= length_ns)
			break;
		if (length_ns > 0 && (length_ns - came_ns) / 1000000 < left_ms)
			left_ms = (length_ns - came_ns) / 1000000 + 1;
		got = anim_udp_receive(from, &other, data + ANIM_VMC_HEAD, ANIM_VMC_DATAGRAM_MAX, (unsigned)left_ms);
		came_ns = now_ns();
		if (got < 0 && errno != EAGAIN)
			return anim_fail_system(error, "the network");
		if (got < 0)
			continue;
		/* Something other than VMC may arrive first. */
		if (taken == 0 && !is_vmc(data + ANIM_VMC_HEAD, (size_t)got)) {
			refused++;
			continue;
		}
		if (taken == 0) {
			sender = other;
			first_ns = came_ns;
			(void)!ftruncate(to, 0); /* an older take stays until now */
			if (write_all(to, (const uint8_t *)ANIM_VMC_MAGIC, sizeof ANIM_VMC_MAGIC - 1, error) != 0)
				return -1;
			say(cli, "recording from " IP ":%u", IP_OF(sender), sender.port);
		}
		if (sender.port != other.port || memcmp(sender.ip, other.ip, sizeof sender.ip) != 0) {
			refused++;
			if (!is_warned)
				fprintf(stderr,
					"anim-udp: warning: another sender, " IP
					":%u, is ignored; a sender that was started again is another one\n",
					IP_OF(other), other.port);
			is_warned = true;
			continue;
		}
		anim_vmc_head_write(data, came_ns - first_ns, (uint32_t)got);
		if (write_all(to, data, ANIM_VMC_HEAD + (size_t)got, error) != 0)
			return -1;
		taken++;
	}
	say(cli, "%lu datagrams recorded, %lu of other senders ignored", taken, refused);
	if (anim_udp_lost(from) > 0)
		fprintf(stderr,
			"anim-udp: warning: %u datagrams are lost, because they came faster than they were written\n",
			anim_udp_lost(from));
	return taken > 0 ? 0 : anim_fail(error, ANIM_BAD_INPUT, "no datagram arrived");
}

static int run_record(struct cli *cli, struct anim_error *error)
{
	const char *path = cli->options->output;
	bool is_file = !anim_output_is_standard(path),
	     is_there = cli->options->force && is_file && anim_sys_may(path, ANIM_EXISTS);
	int to = STDOUT_FILENO, result = -1, from;
	const struct anim_format *format;
	struct anim_address address;

	if (cli->operand_count > 2)
		cli_usage(cli, "unexpected operand '%s'", cli->operands[2]);
	if (!is_file && anim_sys_is_terminal(to))
		cli_usage(cli, "a take is binary and stdout a terminal; use -o FILE");
	format = is_file ? anim_format_to_write(path) : NULL;
	if (format != NULL && strcmp(format->name, "vmc") != 0)
		cli_usage(cli, "a take is not a %s file: record a .vmc file, and convert it", format->name);
	if (is_there && !anim_is_file(path))
		cli_usage(cli, "'%s' is not a file", path);
	if (is_file && anim_text_ends(path, ".gz"))
		cli_usage(cli, "a take is not compressed while it is recorded; use -o %.*s", (int)strlen(path) - 3,
			  path);
	address = read_address(cli, cli->operands[1]);
	from = anim_udp_open(&address, true);
	if (from < 0)
		return anim_fail_system(error, "%s%s", cli->operands[1],
					errno == EADDRINUSE      ? ": another program listens there"
					: errno == EADDRNOTAVAIL ? ": this is not an address of this machine"
								 : "");
	if (is_file && (to = anim_sys_open(path, is_there ? ANIM_OPEN_WRITE : ANIM_OPEN_NEW)) < 0)
		anim_fail_system(error, errno == EEXIST ? "%s: use --force to replace it" : "%s", path);
	else {
		signal(SIGINT, stop);
		signal(SIGTERM, stop);
		say(cli, "listening on " IP ":%u%s%s", IP_OF(address), address.port,
		    strchr(cli->operands[1], ':') == NULL
			? ", for this machine only; for others, add an address such as 0.0.0.0:"
			: "",
		    strchr(cli->operands[1], ':') == NULL ? cli->operands[1] : "");
		result = record(cli, from, to, error);
	}
	anim_udp_close(from);
	if (is_file && to >= 0) {
		struct anim_stat info;

		if (!is_there && anim_sys_fstat(to, &info) == 0 && info.size == 0)
			(void)anim_sys_remove(path);
		if (close(to) != 0 && result == 0)
			result = anim_fail_system(error, "%s", path);
	}
	return result;
}

/* ---- Play ---- */

struct playing {
	int to;
	uint64_t start_ns; /* of the current round */
	bool is_loop, was_refused, was_cut;
};

/* Send a datagram at a time. Times count from the start of the take, so that a late datagram delays no other one. */
static int send_at(struct cli *cli, struct playing *playing, uint64_t time_ns, const uint8_t *data, size_t size,
		   struct anim_error *error)
{
	for (uint64_t now = now_ns(); now < time_ns; now = now_ns())
		nanosleep(&(struct timespec){.tv_sec = (time_t)((time_ns - now) / SECOND_NS),
					     .tv_nsec = (long)((time_ns - now) % SECOND_NS)},
			  NULL);
	if (anim_udp_send(playing->to, data, size) == 0)
		return 0;
	if (errno != ECONNREFUSED)
		return anim_fail_system(error, "%s", cli->operands[2]);
	if (!playing->was_refused)
		say(cli, "no program listens at %s", cli->operands[2]);
	playing->was_refused = true;
	return 0;
}

/* A take that is cut fails at its end. In a loop, a warning says so once. Return 0 or -1. */
static int end_round(struct cli *cli, struct playing *playing, const struct anim_input *input, bool is_cut,
		     struct anim_error *error)
{
	if (!is_cut || playing->was_cut)
		return 0;
	playing->was_cut = true;
	anim_vmc_fail_cut(input, error);
	if (!playing->is_loop)
		return -1;
	cli_message(cli, "warning", error, error->message);
	*error = (struct anim_error){0};
	return 0;
}

/*
 * Send each datagram of the take at its time after the start of the round. The next round begins after the mean interval
 * between frames. Return 0 or -1.
 */
static int play_once(struct cli *cli, struct playing *playing, struct anim_error *error)
{
	struct anim_vmc_datagram datagram = {.bytes = NULL};
	uint64_t frames = 0, first_ns = 0, frame_ns = 0; /* frame_ns: the time of the last frame */
	struct anim_input *input;
	int more;

	if (cli_open_input(cli, cli->operands[1], &input, error) != 0)
		return -1;
	if (playing->is_loop && anim_input_is_pipe(input))
		cli_usage(cli, "--loop needs a file, and not a pipe");
	while ((more = anim_vmc_next(input, &datagram, error)) == 1) {
		if (frames == 0)
			first_ns = datagram.time_ns;
		if (frames == 0 || datagram.time_ns > frame_ns + BURST_NS) {
			frames++;
			frame_ns = datagram.time_ns;
		}
		if (send_at(cli, playing, playing->start_ns + datagram.time_ns, datagram.bytes, datagram.size, error) !=
		    0) {
			more = -1;
			break;
		}
	}
	if (more == 0)
		more = frames == 0 ? anim_fail(error, ANIM_BAD_INPUT, "the take has no datagrams")
				   : end_round(cli, playing, input, datagram.is_cut, error);
	anim_input_close(input);
	playing->start_ns += frame_ns + (frames > 1 ? (frame_ns - first_ns) / (frames - 1) : FRAME_NS);
	return more;
}

static int run_play(struct cli *cli, struct anim_error *error)
{
	struct playing playing = {.is_loop = ((const struct options *)cli->options)->loop};
	struct anim_address address;
	int result;

	if (cli->operand_count < 3)
		cli_usage(cli, "the address is missing, such as " LOOPBACK ":39539");
	address = read_address(cli, cli->operands[2]);
	playing.to = anim_udp_open(&address, false);
	if (playing.to < 0)
		return anim_fail_system(error, "%s", cli->operands[2]);
	playing.start_ns = now_ns();
	do
		result = play_once(cli, &playing, error);
	while (result == 0 && playing.is_loop);
	anim_udp_close(playing.to);
	return result;
}

static int run_program(int argc, char **argv)
{
	struct options options = {.time = NULL};
	struct anim_error error = {0};
	struct cli cli;
	double time_s;
	bool plays, done;

	cli_start(&cli, &program, &options, argc, argv);
	plays = strcmp(cli.operands[0], actions[1]) == 0;
	if (!plays && strcmp(cli.operands[0], actions[0]) != 0)
		cli_usage_word(&cli, "", cli.operands[0], actions);
	if (plays ? options.time != NULL || options.common.output != NULL : options.loop)
		cli_usage(&cli, plays ? "-o and --time are for record" : "--loop is for play");
	if (options.time != NULL) {
		if (!cli_number(options.time, &time_s) || time_s <= 0 || time_s > TIME_MAX_S)
			cli_usage(&cli, "--time: '%s' is not a number of seconds above 0, such as 2.5", options.time);
		options.length_ns = (uint64_t)(time_s * 1e9) + 1;
	}
	done = (plays ? run_play : run_record)(&cli, &error) == 0;
	return cli_finish(&cli, done ? NULL : &error);
}

const struct step_kind program_udp = {.command_line = &program, .main = run_program};
