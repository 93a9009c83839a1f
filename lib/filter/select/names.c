/* names.c: globs or regular expressions against the names of nodes, properties and clips. */
#include "filter/select/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "filter/clip_names.h"

int anim_patterns_init(struct anim_patterns *patterns, const char *const *texts, size_t count, bool regular,
		       struct anim_error *error)
{
	*patterns = (struct anim_patterns){.globs = texts, .count = regular ? 0 : count};
	if (!regular || count == 0)
		return 0;
	patterns->regexes = calloc(count, sizeof *patterns->regexes);
	if (patterns->regexes == NULL)
		return anim_fail_memory(error);
	for (; patterns->count < count; patterns->count++) {
		const char *text = texts[patterns->count];
		char why[160];
		int fault = regcomp(&patterns->regexes[patterns->count], text, REG_EXTENDED | REG_NOSUB);

		if (fault == 0)
			continue;
		regerror(fault, &patterns->regexes[patterns->count], why, sizeof why);
		anim_patterns_clear(patterns);
		return anim_fail(error, ANIM_BAD_INPUT, "'%.100s' is no regular expression: %s", text, why);
	}
	return 0;
}

void anim_patterns_clear(struct anim_patterns *patterns)
{
	for (size_t i = 0; patterns->regexes != NULL && i < patterns->count; i++)
		regfree(&patterns->regexes[i]);
	free(patterns->regexes);
	memset(patterns, 0, sizeof *patterns);
}

static bool fits(const struct anim_patterns *patterns, size_t i, const char *name)
{
	if (patterns->regexes != NULL)
		return regexec(&patterns->regexes[i], name, 0, NULL, 0) == 0;
	return anim_glob_match(patterns->globs[i], name);
}

/* `other` is a second form of the name, or NULL. */
static bool fit_any(const struct anim_patterns *patterns, const char *name, const char *other)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (fits(patterns, i, name) || (other != NULL && fits(patterns, i, other)))
			return true;
	return patterns->count == 0;
}

bool anim_patterns_fit_node(const struct anim_patterns *patterns, const struct anim_track *track)
{
	return fit_any(patterns, track->node, NULL);
}

/* "name" + separator + "more", in `small` where it has room, else allocated; NULL out of memory. */
static char *join(char *small, size_t capacity, const char *name, char separator, const char *more)
{
	size_t length = strlen(name), rest = strlen(more) + 1;
	char *joined = length + 1 + rest <= capacity ? small : malloc(length + 1 + rest);

	if (joined == NULL)
		return NULL;
	memcpy(joined, name, length);
	joined[length] = separator;
	memcpy(joined + length + 1, more, rest);
	return joined;
}

static bool fit_joined(const struct anim_patterns *patterns, const char *plain, const char *name, char separator,
		       const char *more)
{
	char small[256], *joined = join(small, sizeof small, name, separator, more);
	bool result = fit_any(patterns, plain, joined);

	if (joined != small)
		free(joined);
	return result;
}

bool anim_patterns_fit_property(const struct anim_patterns *patterns, const struct anim_track *track)
{
	const char *property = track->property;

	if (track->component == ANIM_WHOLE || patterns->count == 0)
		return fit_any(patterns, property, NULL);
	return fit_joined(patterns, property, property, '.', anim_component_name(property, track->component));
}

/* Globs are split at their colon, so that a '/' in the player's path does not matter. */
bool anim_patterns_fit_clip(const struct anim_patterns *patterns, const struct anim_clip *clip)
{
	const char *player = anim_attrs_get(&clip->attrs, "player");

	if (patterns->regexes != NULL && player != NULL)
		return fit_joined(patterns, clip->name, player, ':', clip->name);
	if (patterns->regexes != NULL)
		return fit_any(patterns, clip->name, NULL);
	for (size_t i = 0; i < patterns->count; i++)
		if (anim_clip_match(clip, patterns->globs[i]) != ANIM_CLIP_OTHER)
			return true;
	return patterns->count == 0;
}
