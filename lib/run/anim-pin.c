/* anim-pin.c: keeps feet and hands in place while they touch something. */
#include "cli/cli.h"
#include "filter/common/rotations.h"
#include "filter/pin/pin.h"
#include "run/steps.h"

#define EASE_S 0.2

struct options {
	struct cli_common common;
	const char *contacts, *ease, *height, *speed, *lower;
	struct anim_pin_options pin;
	struct anim_pin_contacts given; /* from --contacts */
};

static const struct cli_option rows[] = {
    {0, "contacts", "FILE", "read the contacts from the bone,from,to lines of this CSV file", CLI_TEXT, AT(contacts),
     NULL, false},
    {0, "height", "PERCENT",
     "a foot touches the ground at most this part of the leg above its lowest position (default: 5)", CLI_TEXT,
     AT(height), NULL, false},
    {0, "speed", "PERCENT", "and if it moves at most this part of the leg per second (default: 40)", CLI_TEXT,
     AT(speed), NULL, false},
    {0, "ease", "SECONDS",
     "the time to leave the path of the clip before a contact, and to return to it (default: 0.2)", CLI_TEXT, AT(ease),
     NULL, false},
    {0, "lower", "PERCENT", "lower the hips by at most this part of the leg if a foot is out of reach (default: 5)",
     CLI_TEXT, AT(lower), NULL, false},
};
static const char *const examples[] = {"anim-pin steps.glb -o steps-pinned.glb",
				       "anim-retarget --to robot.glb steps.glb | anim-pin > robot-steps.axs",
				       "anim-pin --contacts contacts.csv steps.axs > pinned.axs", NULL};
static const struct cli_program program = {.name = "anim-pin",
					   .summary = "keeps feet and hands in place while they touch something",
					   .usage = "[OPTION...] [FILE]",
					   .examples = examples,
					   CLI_ROWS(rows),
					   .flags = CLI_HAS_OUTPUT | CLI_WRITES_STREAM | CLI_HAS_STRICT,
					   .most_operands = 1};

/* Return the value of an option in percent, as a share. */
static double share(struct cli *cli, const char *name, const char *text, double percent)
{
	if (text != NULL && (!cli_number(text, &percent) || !(percent >= 0)))
		cli_usage(cli, "--%s: '%s' is not a percentage of 0 or more", name, text);
	return percent / 100;
}

static int begin(struct cli *cli, void *job, struct anim_error *error)
{
	struct options *options = job;
	struct anim_pin_options *pin = &options->pin;
	struct anim_input *input = NULL;
	bool done;

	*pin = (struct anim_pin_options){.contacts = options->contacts == NULL ? NULL : &options->given,
					 .height = share(cli, "height", options->height, 5),
					 .speed = share(cli, "speed", options->speed, 40),
					 .lower = share(cli, "lower", options->lower, 5),
					 .ease_s = EASE_S,
					 .diagnostics = &cli->diagnostics};
	if (options->ease != NULL &&
	    (!cli_number(options->ease, &pin->ease_s) || !(pin->ease_s >= 0) || !(pin->ease_s <= 10)))
		cli_usage(cli, "%s: '%s' is not a time from 0 to 10 seconds", cli_spelled(cli, "ease"), options->ease);
	if (options->contacts == NULL)
		return 0;
	done = cli_open_input(cli, options->contacts, &input, error) == 0 &&
	       anim_pin_contacts_read(&options->given, input, error) == 0;
	anim_input_close(input);
	return done ? 0 : anim_error_in_file(error, options->contacts);
}

static struct anim_sink *make(struct cli *cli, void *job, struct anim_sink *next, struct anim_error *error)
{
	const struct options *options = job;
	const struct anim_rotations_options rotations = {.hermite = true, .diagnostics = &cli->diagnostics};

	return anim_rotations_new(&rotations, anim_pin_new(&options->pin, next, error), error);
}

static void clear(void *job)
{
	anim_pin_contacts_clear(&((struct options *)job)->given);
}

const struct step_kind program_pin = {
    .command_line = &program, .size = sizeof(struct options), .begin = begin, .make = make, .clear = clear};
