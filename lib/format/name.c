/* name.c: names of clips that say nothing, which programs give to every clip. */
#include "format/name.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"

/*
 * Names that programs give by themselves, in lower case. '#' is nothing, or numbers such as " 001" and ".002", and '+' is
 * such a number. '.' may
 * also be '_', as in names that Godot has made valid. Words that people also choose themselves, such as "action", count
 * only if the clip is the only one of an FBX or glTF file: beside "idle" and "walk" they say something, and scripts of an
 * engine refer to clips by name.
 */
static const struct {
	const char *name;
	bool alone; /* only if it is the only clip of an FBX or glTF file */
} names[] = {
    {"mixamo.com#", false},     /* Mixamo, every download */
    {"take+", false},           /* "Take 001": FBX of 3ds Max, Maya and MotionBuilder */
    {"default take", false},    /* FBX without a named take */
    {"unreal take", false},     /* Unreal Engine */
    {"armature#", false},       /* Blender's name of a skeleton, before the '|' of "Armature|mixamo.com|Layer0" */
    {"armatureaction#", false}, /* Blender's action of that skeleton */
    {"layer#", false},          /* Blender, after the last '|': the layer of an imported stack */
    {"baselayer#", false},      /* the same from Maya and MotionBuilder */
    {"base layer#", false},
    {"animlayer#", false},
    {"animstack#", false}, /* FBX SDK */
    {"take", true},        /* Cinema 4D */
    {"action#", true},     /* Blender, a new action */
    {"keyaction#", true},  /* Blender, an action of shape keys */
    {"scene#", true},      /* Blender, all actions in one stack */
    {"animation#", true},  /* three.js, Babylon.js and other exporters of glTF */
    {"anim#", true},
    {"animationclip#", true},
    {"clip#", true},
    {"mocap#", true}, /* a technique, not a motion */
    {"default#", true},
    {"untitled#", true},
    {"new animation#", true}, /* Unity */
    {"none", true},
};

/* Return whether the text up to `end` is the name of the table. */
static bool is_name(const char *at, const char *end, const char *name)
{
	for (; *name != '\0' && strchr("#+", *name) == NULL; name++, at++)
		if (at == end || (tolower((unsigned char)*at) != *name && !(*name == '.' && *at == '_')))
			return false;
	if (*name == '+' && at == end)
		return false;
	/* Numbers may follow. */
	while (*name != '\0' && at < end && (strchr(" _.-", *at) != NULL || isdigit((unsigned char)*at)))
		at++;
	return at == end;
}

bool anim_name_says_nothing(const char *name, bool alone)
{
	for (;;) {
		const char *end = name + strcspn(name, "|");
		size_t i = 0;

		while (i < ANIM_COUNT(names) && ((names[i].alone && !alone) || !is_name(name, end, names[i].name)))
			i++;
		if (i == ANIM_COUNT(names) && name != end)
			return false;
		if (*end == '\0')
			return true;
		name = end + 1;
	}
}
