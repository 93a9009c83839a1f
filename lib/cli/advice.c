/* advice.c: the words of each advice. No other file spells a program or an option for the messages of lib/. */
#include "cli/advice.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/advice_words.h"

/* ---- The table ---- */

static const struct cli_advice table[] = {
    {"SAMPLE", "put 'anim-resample %1' before this", "add -r %1",
     "sample first: anim convert -r %1 %I sampled.axs, and convert that", "set 'Samples per second' to %1",
     "sample the clips first, with anim-resample %1"},
    {"SAMPLE_ALL", "put 'anim-resample --all %1' before this", "add -r %1 --all", NULL,
     "set 'Samples per second' to %1, and add --all" MORE, NULL},
    {"BAKE", "put 'anim-bake' before this", "add --bake",
     "bake first: anim convert --bake %I baked.axs, and convert that", "add --bake" MORE,
     "bake the clips first, with anim-bake"},
    {"SHIFT_OR_SAMPLE", "put 'anim-retime --shift %1' or 'anim-resample 30' before this", "add --shift %1 or -r 30",
     NULL, NULL, NULL},
    {"BAKE_BOTH", "put 'anim-bake' before this to make them equal",
     "bake each file first: anim convert --bake IN OUT.axs", NULL, "bake each file first, with --bake" MORE, NULL},
    {"MAKE_EQUAL", "put 'anim-bake -r 30' before this to make them equal",
     "bake each file first: anim convert --bake -r 30 IN OUT.axs", NULL,
     "bake each file first, with 30 in 'Samples per second' and --bake" MORE, NULL},
    {"SAME_RATE", "put 'anim-bake -r 30' before this to give all the same rate",
     "give all the same rate first: anim convert --bake -r 30 IN OUT.axs", NULL,
     "bake each file first, with 30 in 'Samples per second' and --bake" MORE, NULL},
    {"SAME_UNITS", "convert both to the same units, for example with anim-emit",
     "convert both to the same format first", NULL, NULL, NULL},
    {"SAME_AXES", "convert one of them with anim-axes",
     "convert one of the files first: anim convert --axes AXES IN OUT.axs", NULL, "", NULL},
    {"APPEND_FIRST", "append first, then resample, or resample with --end fit", NULL, NULL, "", NULL},
    {"SORT_KEYS", "put 'anim-retime --speed 1' before this to sort them",
     "sort them first: anim convert --speed 1 IN OUT.axs", NULL, "", NULL},
    {"WORLD_LATER", "put 'anim-bake --world' after this", "use --world in this conversion, not in an earlier one", NULL,
     NULL, NULL},
    {"ADD_TREE", "put 'anim-retarget --from MODEL --to MODEL' before this",
     "put it on a model first: anim retarget --from MODEL --to MODEL %I -o posed.axs, and convert that", NULL,
     "choose that file as well", NULL},
    {"SAME_TRACKS", "anim-emit --same-tracks --each", "--same-tracks --each PATTERN", NULL, "--same-tracks" MORE, NULL},
    {"SET_FROM", "set it with --from FILE", "set it with anim-retarget --from FILE", NULL, NULL,
     "set it with anim-retarget --from FILE"},
    {"TO_MODEL", "use anim-retarget --to MODEL", "add --retarget MODEL", NULL,
     "choose a model under 'Put on the skeleton in'", NULL},
    {"NAME_BONES", "put 'anim-rename --humanoid auto:%1' before this", "add --humanoid auto:%1", NULL,
     "set 'Bone names' to the names of %1, or choose the bones under 'Bones'", NULL},
    {"MAP_LINES", "%1", NULL, NULL, "", NULL},
    {"THE_MAP", "the map", NULL, NULL, "the table 'Bones'", NULL},
    {"NAME_TPOSE", "name a T-pose with " ANIM_OPTION_TO("retarget", "to", "FILE@SECONDS"), NULL, NULL,
     "choose a character in a T-pose under 'Put on the skeleton in'", NULL},
    {"RENAME_NODES", "rename with anim-rename", "rename with -e 's/OLD/NEW/'", NULL, "add -e 's/OLD/NEW/'" MORE, NULL},
    {"FIND_NAMES", "auto:NAMES finds the names by itself", NULL, NULL, "set 'Bone names'", NULL},
    {"OTHER_NAMES", "put 'anim-retarget --to MODEL' before this", "add --retarget MODEL, a .pmx or .pmd file", NULL,
     "choose a model under 'Put on the skeleton in'", NULL},
    {"CUT_TIME", "cut it with anim-retime --time first", "cut it with -t FROM..TO", NULL, "add -t FROM..TO" MORE, NULL},
    {"FASTER", "use a higher rate: -r %1 of anim-resample or anim-bake", "use a higher rate: -r %1", NULL,
     "set 'Samples per second' higher, to %1", NULL},
    {"GIVE_RATE", "give one: anim-resample 30", "give one: -r 30", NULL, "set 'Samples per second'", NULL},
    {"PACK_TOL", "for a small archive, use anim-pack --tol instead",
     "for a small archive, use --tol instead of --reduce", NULL, "", NULL},
    {"FLAT_AXES", "use --axes %1", NULL, NULL, "add --axes %1" MORE, NULL},
    {"LIST_OPTIONS", "--help all lists them", NULL, NULL, "", ""},
    {"LIST_CLIPS", "run anim-info to see their times", NULL, NULL, "see their times under 'Files and clips'", ""},
    {"LIST_TRACKS", "run anim-info to list the tracks", NULL, NULL, "", ""},
    {"RENAME_CLIPS", "rename them before, with anim-rename --on clip", NULL, NULL, "", NULL},
    {"SAME_SKELETON", "put one on the skeleton of the other before, with anim-retarget --to ONE OTHER", NULL, NULL, "",
     ""},
    {"LIST_BONES", "run anim-info --bones to list its bones", NULL, NULL, "", ""},
    {"LIST_NODES", "list its nodes with 'anim-info --tree FILE'", NULL, NULL, "", ""},
    {"LOOK_AT", "anim-info %1 says why", NULL, NULL, "", NULL},
    {"ADD_FILE", "", NULL, NULL, "add this file to the input files", ""},
    {"SHORTEN", "shorten the names with anim-rename (shapes: --on property)",
     "shorten the names with -e 's/OLD/NEW/' (shapes: --on property)", NULL,
     "shorten the names with -e 's/OLD/NEW/'" MORE, NULL},
    {"KEEP_REST", "", "to keep them, copy the file and use --into", NULL, "", ""},
    {"JOIN_FILES", "use anim-cat to join files", NULL, NULL, "", NULL},
    {"OTHER_CHARACTER", "use anim-retarget or anim-rename if it is for another character",
     "add --retarget MODEL if it is for another character", NULL,
     "choose a model under 'Put on the skeleton in' if it is for another character", NULL},
    {"BUILD_WITH", "build anim-tools with %1", NULL, NULL, "", NULL},
    {"PROGRAM", "anim-%1", "anim %1", NULL, NULL, "anim-%1"},
};

/* Options that are typed as -x NAME in anim-parse and anim-emit. */
static const char set_options[] = "add-offset asf asset avatar bezier bindable digits double encoding extras fps "
				  "godot-paths godot-rules human images joint-rest keep-names key-order library "
				  "loop-name model order packets pointer raw-as read-as slerp states tangent-order "
				  "to-key-order trust-size";

/* ---- Choosing the words ---- */

const struct cli_advice *cli_advice_find(const char *code)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (strcmp(table[i].code, code) == 0)
			return &table[i];
	return NULL;
}

void cli_advice_fill(const char *words, const char *const *arguments, const char *input, char *out, size_t capacity)
{
	size_t used = 0;

	out[0] = '\0';
	for (const char *at = words; *at != '\0' && used + 1 < capacity; at++) {
		const char *text = *at != '%'     ? NULL
				   : at[1] == '1' ? arguments[0]
				   : at[1] == '2' ? arguments[1]
				   : at[1] == 'I' ? input
						  : NULL;

		if (text == NULL) {
			out[used++] = *at;
			out[used] = '\0';
			continue;
		}
		used += (size_t)snprintf(out + used, capacity - used, "%s", text);
		at++;
	}
}

void cli_advice_add_value(const char *spelled, const char *value, char *out, size_t capacity)
{
	bool is_set = strncmp(spelled, "-x ", 3) == 0 || strstr(spelled, " -x ") != NULL;

	snprintf(out, capacity, "%s%s%s", spelled, value[0] == '\0' ? "" : is_set ? "=" : " ", value);
}

void cli_advice_elsewhere(const char *const *arguments, char *out, size_t capacity)
{
	const bool is_set =
	    anim_text_is_word("parse emit", arguments[0]) && anim_text_is_word(set_options, arguments[1]);
	char spelled[SPELLED_MAX];

	snprintf(spelled, sizeof spelled, "anim-%s %s%s", arguments[0], is_set ? "-x " : "--", arguments[1]);
	cli_advice_add_value(spelled, arguments[2], out, capacity);
}

/* ---- The library ---- */

static void print_for_library(const struct anim_advisor *advisor, const char *code, const char *const *arguments,
			      char *out, size_t capacity)
{
	static const char own[] = "format no-external keep-going unit"; /* members of struct anim_options */
	const struct cli_advice *row = cli_advice_find(code);

	(void)advisor;
	out[0] = '\0';
	if (row != NULL)
		cli_advice_fill(row->library != NULL ? row->library : row->pipe, arguments, "IN", out, capacity);
	else if (strcmp(code, "OPTION") == 0 && strcmp(arguments[1], "up") == 0)
		snprintf(out, capacity, "the option z_up");
	else if (strcmp(code, "OPTION") == 0 && anim_text_is_word(own, arguments[1]))
		snprintf(out, capacity, "the option %s", arguments[1]);
	else if (strcmp(code, "OPTION") == 0)
		cli_advice_elsewhere(arguments, out, capacity);
}

const struct anim_advisor cli_library_advisor = {print_for_library};
