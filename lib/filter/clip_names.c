/* clip_names.c: matches clips by name and lists their names. */
#include "filter/clip_names.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char *player_of(const struct anim_clip *clip)
{
	const char *player = anim_attrs_get(&clip->attrs, "player");

	return player == NULL ? "" : player;
}

/* True where wanted is "PLAYER:NAME" to the letter. */
static bool names_both(const char *wanted, const char *player, const char *name)
{
	size_t length = strlen(player);

	return length > 0 && strncmp(wanted, player, length) == 0 && wanted[length] == ':' &&
	       strcmp(wanted + length + 1, name) == 0;
}

/* By its whole path: "AnimationPlayer" is what Godot calls every player, the one below Robot, too. */
static bool fits_player(const char *glob, const char *player)
{
	return strcmp(glob, player) == 0 || fnmatch(glob, player, 0) == 0;
}

enum anim_clip_match anim_clip_match(const struct anim_clip *clip, const char *wanted)
{
	const char *player = player_of(clip), *colon = strrchr(wanted, ':');
	char glob[512];

	if (strcmp(wanted, clip->name) == 0 || names_both(wanted, player, clip->name))
		return ANIM_CLIP_EXACT;
	if (anim_glob_match(wanted, clip->name))
		return ANIM_CLIP_BY_GLOB;
	if (colon == NULL || (size_t)(colon - wanted) >= sizeof glob || !anim_glob_match(colon + 1, clip->name))
		return ANIM_CLIP_OTHER;
	memcpy(glob, wanted, (size_t)(colon - wanted));
	glob[colon - wanted] = '\0';
	return fits_player(glob, player) ? ANIM_CLIP_BY_GLOB : ANIM_CLIP_OTHER;
}

bool anim_clip_is_reset(const struct anim_clip *clip)
{
	const char *slash = strrchr(clip->name, '/');

	return strcmp(slash == NULL ? clip->name : slash + 1, "RESET") == 0;
}

static void copy_short(char *out, size_t capacity, const char *text)
{
	size_t length = strlen(text);

	if (length < capacity) {
		memcpy(out, text, length + 1);
		return;
	}
	length = anim_utf8_prefix(text, capacity - 4);
	memcpy(out, text, length);
	memcpy(out + length, "...", 4);
}

void anim_clip_names_add(struct anim_clip_names *names, const struct anim_clip *clip)
{
	size_t at = names->count++;

	if (at >= ANIM_CLIP_NAMES_KEPT)
		return;
	copy_short(names->kept[at].name, sizeof names->kept[at].name, clip->name);
	copy_short(names->kept[at].player, sizeof names->kept[at].player, player_of(clip));
}

static size_t kept(const struct anim_clip_names *names)
{
	return names->count < ANIM_CLIP_NAMES_KEPT ? names->count : ANIM_CLIP_NAMES_KEPT;
}

bool anim_clip_names_collide(const struct anim_clip_names *names)
{
	for (size_t i = 0; i < kept(names); i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(names->kept[i].name, names->kept[j].name) == 0)
				return true;
	return false;
}

/* Names that were shortened may differ behind what was kept. */
bool anim_clip_names_same(const struct anim_clip_names *names)
{
	for (size_t i = 0; i < kept(names); i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(names->kept[i].name, names->kept[j].name) == 0 &&
			    strcmp(names->kept[i].player, names->kept[j].player) == 0 &&
			    strlen(names->kept[i].name) + 1 < sizeof names->kept[i].name &&
			    strlen(names->kept[i].player) + 1 < sizeof names->kept[i].player)
				return true;
	return false;
}

void anim_clip_names_print(const struct anim_clip_names *names, const char *wanted, char *out, size_t capacity)
{
	bool with_player = (wanted != NULL && strchr(wanted, ':') != NULL) || anim_clip_names_collide(names);
	size_t used = 0, i;

	out[0] = '\0';
	for (i = 0; i < kept(names); i++) {
		const char *player = with_player ? names->kept[i].player : "", *name = names->kept[i].name;
		char one[180];
		size_t length = (size_t)snprintf(one, sizeof one, "%s%s%s%s", i > 0 ? ", " : "", player,
						 player[0] != '\0' ? ":" : "", name);

		if (used + length + sizeof " and 4294967295 more" > capacity)
			break;
		memcpy(out + used, one, length + 1);
		used += length;
	}
	if (i < names->count)
		snprintf(out + used, capacity - used, " and %zu more", names->count - i);
}
