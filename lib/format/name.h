/* name.h: names of clips that say nothing. */
#ifndef ANIM_FORMAT_NAME_H
#define ANIM_FORMAT_NAME_H

#include <stdbool.h>

/*
 * Return whether the name is empty or one that programs give to every clip, such as "mixamo.com", "Take 001" and
 * "Armature|mixamo.com|Layer0". `alone`: it is the only clip of a file of an exchange format.
 */
bool anim_name_says_nothing(const char *name, bool alone);

#endif
