/* names_humanoid.c: which curves of an Animator drive a humanoid's muscles, root, goals and bones; the rest are parameters. */
#include <string.h>

#include "format/unity/names.h"

/* The 95 muscles are these, those of both sides' limbs, and those of both hands' fingers. */
static const char *const muscles[] = {
    "Spine Front-Back",
    "Spine Left-Right",
    "Spine Twist Left-Right",
    "Chest Front-Back",
    "Chest Left-Right",
    "Chest Twist Left-Right",
    "UpperChest Front-Back",
    "UpperChest Left-Right",
    "UpperChest Twist Left-Right",
    "Neck Nod Down-Up",
    "Neck Tilt Left-Right",
    "Neck Turn Left-Right",
    "Head Nod Down-Up",
    "Head Tilt Left-Right",
    "Head Turn Left-Right",
    "Jaw Close",
    "Jaw Left-Right",
};
static const char *const limb_muscles[] = {
    "Eye Down-Up",
    "Eye In-Out",
    "Upper Leg Front-Back",
    "Upper Leg In-Out",
    "Upper Leg Twist In-Out",
    "Lower Leg Stretch",
    "Lower Leg Twist In-Out",
    "Foot Up-Down",
    "Foot Twist In-Out",
    "Toes Up-Down",
    "Shoulder Down-Up",
    "Shoulder Front-Back",
    "Arm Down-Up",
    "Arm Front-Back",
    "Arm Twist In-Out",
    "Forearm Stretch",
    "Forearm Twist In-Out",
    "Hand Down-Up",
    "Hand In-Out",
};
static const char *const fingers[] = {"Thumb.", "Index.", "Middle.", "Ring.", "Little."};
static const char *const finger_muscles[] = {"1 Stretched", "Spread", "2 Stretched", "3 Stretched"};

/* A translation in three lanes, a rotation in four. */
static const char *const roots[] = {"Root", "Motion"};
static const char *const goals[] = {"LeftFoot", "RightFoot", "LeftHand", "RightHand"};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* What stands behind the prefix, NULL where the text does not begin with it. */
static const char *behind(const char *text, const char *prefix)
{
	size_t length = strlen(prefix);

	return text != NULL && strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static bool is_one_of(const char *text, const char *const *table, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text != NULL && strcmp(text, table[i]) == 0)
			return true;
	return false;
}

static bool is_finger(const char *text)
{
	const char *of_hand = behind(text, "LeftHand.");

	if (of_hand == NULL)
		of_hand = behind(text, "RightHand.");
	for (size_t i = 0; i < COUNT(fingers); i++)
		if (is_one_of(behind(of_hand, fingers[i]), finger_muscles, COUNT(finger_muscles)))
			return true;
	return false;
}

static bool is_muscle(const char *text)
{
	return is_one_of(text, muscles, COUNT(muscles)) ||
	       is_one_of(behind(text, "Left "), limb_muscles, COUNT(limb_muscles)) ||
	       is_one_of(behind(text, "Right "), limb_muscles, COUNT(limb_muscles)) || is_finger(text);
}

/* NAMET.x .y .z or NAMEQ.x .y .z .w */
static bool is_pose(const char *text, const char *const *table, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *rest = behind(text, table[i]);

		if (rest != NULL && strlen(rest) == 3 && (rest[0] == 'T' || rest[0] == 'Q') && rest[1] == '.' &&
		    strchr(rest[0] == 'T' ? "xyz" : "xyzw", rest[2]) != NULL)
			return true;
	}
	return false;
}

/* BONETDOF.x .y .z */
static bool is_tdof(const char *text)
{
	size_t length = strlen(text);

	return length > 6 && memcmp(text + length - 6, "TDOF.", 5) == 0 && strchr("xyz", text[length - 1]) != NULL;
}

const char *unity_humanoid(const char *attribute)
{
	if (is_muscle(attribute))
		return "muscle";
	if (is_pose(attribute, roots, COUNT(roots)))
		return "root";
	if (is_pose(attribute, goals, COUNT(goals)))
		return "goal";
	return is_tdof(attribute) ? "tdof" : NULL;
}
