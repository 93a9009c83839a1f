/* humanoid.c: what the bones of a human are called by engines, VRM and motion capture, and by everyone else. */
#include <ctype.h>
#include <string.h>

#include "filter/rename/rename.h"

const char *const anim_humanoid_names[] = {"unity", "godot", "mixamo", "vrm", "vrm0", "cmu", "rokoko", "neuron", NULL};

#define PREFIX "mixamorig"

struct bone {
	const char *names[ANIM_HUMANOID_NEURON]; /* as the naming spells it; NULL: it has none */
	/*
	 * All other names in plain form, parted by blanks: lower case, without prefix, side and separators. A word of two bones
	 * has a '?' at the one that it means if nothing else tells, and a '~' at the other.
	 */
	const char *words;
};

#define SIDE(L, l, unity, godot, mixamo, vrm, vrm0, words)                    \
	{                                                                     \
		{L unity, L godot, PREFIX ":" L mixamo, l vrm, l vrm0}, words \
	}
#define BOTH(...) SIDE("Left", "left", __VA_ARGS__), SIDE("Right", "right", __VA_ARGS__)
#define FINGER(name, mixamo, words) BOTH(name, name, "Hand" mixamo, name, name, words)
#define LIMB_SIDE(L, l, name, mixamo, rokoko, words)                                             \
	{                                                                                        \
		{L name, L name, PREFIX ":" L mixamo, l name, l name, L mixamo, L rokoko}, words \
	}
#define LIMB(...) LIMB_SIDE("Left", "left", __VA_ARGS__), LIMB_SIDE("Right", "right", __VA_ARGS__)
#define THUMB_SIDE(L, l, cmu, words)                                                  \
	{                                                                             \
		{L "ThumbProximal",   L "ThumbMetacarpal", PREFIX ":" L "HandThumb1", \
		 l "ThumbMetacarpal", l "ThumbProximal",   cmu},                      \
		    words                                                             \
	}
#define THUMB(words) THUMB_SIDE("Left", "left", "LThumb", words), THUMB_SIDE("Right", "right", "RThumb", words)

/*
 * In the order of enum anim_human_bone. From HumanBodyBones (Unity), SkeletonProfileHumanoid (Godot 4), the skeleton of
 * mixamo.com, and the bone names of VRMC_vrm 1.0 and of VRM 0.x. Unity and VRM 0.x call the first bone of the thumb
 * proximal, the other two metacarpal, as anatomy does. Mixamo's three bones of the spine are taken from below. The files of
 * Carnegie Mellon and Rokoko's Newton skeleton name no fingers, but for the former's thumbs; Perception Neuron's names are
 * Mixamo's without the prefix.
 *
 * The words are those of Biovision (LeftCollar, LeftShoulder, LeftElbow), Bandai Namco (UpperArm_L), HumanIK (LeftForeArm),
 * Rigify (upper_arm.L, f_index.01.L), Daz (lShldrBend, l_upperarm), Unreal (upperarm_l, calf_l, ball_l), 3ds Max's Biped
 * (Bip01 L UpperArm, L Finger01), Carnegie Mellon's ASF (lhumerus) and Character Creator (CC_Base_L_Upperarm).
 */
static const struct bone bones[] = {
    {{"Hips", "Hips", PREFIX ":Hips", "hips", "hips", "Hips", "Hips"}, "hips hip pelvis"},
    {{"Spine", "Spine", PREFIX ":Spine", "spine", "spine", "LowerBack", "Spine1"},
     "spine spine1 lowerback abdomen abdomenlower waist"},
    {{"Chest", "Chest", PREFIX ":Spine1", "chest", "chest", "Spine", "Spine2"}, "chest chestlower thorax"},
    {{"UpperChest", "UpperChest", PREFIX ":Spine2", "upperChest", "upperChest", "Spine1", "Spine3"},
     "upperchest chestupper"},
    {{"Neck", "Neck", PREFIX ":Neck", "neck", "neck", "Neck", "Neck"}, "neck neck1 necklower lowerneck necktwist1"},
    {{"Head", "Head", PREFIX ":Head", "head", "head", "Head", "Head"}, "head"},
    {{"Jaw", "Jaw", NULL, "jaw", "jaw"}, "jaw"},
    BOTH("Eye", "Eye", "Eye", "Eye", "Eye", "eye"),
    LIMB("Shoulder", "Shoulder", "Shoulder", "shoulder~ clavicle collar collarbone"),
    LIMB("UpperArm", "Arm", "Arm", "upperarm uparm arm shoulder? shldr shldrbend humerus"),
    LIMB("LowerArm", "ForeArm", "ForeArm", "lowerarm forearm forearmbend elbow radius"),
    LIMB("Hand", "Hand", "Hand", "hand wrist"),
    LIMB("UpperLeg", "UpLeg", "Thigh", "upperleg upleg leg? thigh thighbend hip femur"),
    LIMB("LowerLeg", "Leg", "Shin", "lowerleg leg~ shin calf knee tibia"),
    LIMB("Foot", "Foot", "Foot", "foot ankle"),
    LIMB("Toes", "ToeBase", "Toe", "toes toe toebase toe0 toe1 ball"),
    THUMB("thumb thumb1 handthumb1 thumbmetacarpal thumbproximal? finger0"),
    BOTH("ThumbIntermediate", "ThumbProximal", "HandThumb2", "ThumbProximal", "ThumbIntermediate",
	 "thumb2 handthumb2 thumbintermediate thumbproximal~ finger01"),
    FINGER("ThumbDistal", "Thumb3", "thumb3 handthumb3 thumbdistal finger02"),
    FINGER("IndexProximal", "Index1", "index1 handindex1 findex1 indexproximal finger1"),
    FINGER("IndexIntermediate", "Index2", "index2 handindex2 findex2 indexintermediate finger11"),
    FINGER("IndexDistal", "Index3", "index3 handindex3 findex3 indexdistal finger12"),
    FINGER("MiddleProximal", "Middle1", "middle1 mid1 handmiddle1 fmiddle1 middleproximal finger2"),
    FINGER("MiddleIntermediate", "Middle2", "middle2 mid2 handmiddle2 fmiddle2 middleintermediate finger21"),
    FINGER("MiddleDistal", "Middle3", "middle3 mid3 handmiddle3 fmiddle3 middledistal finger22"),
    FINGER("RingProximal", "Ring1", "ring1 handring1 fring1 ringproximal finger3"),
    FINGER("RingIntermediate", "Ring2", "ring2 handring2 fring2 ringintermediate finger31"),
    FINGER("RingDistal", "Ring3", "ring3 handring3 fring3 ringdistal finger32"),
    FINGER("LittleProximal", "Pinky1", "pinky1 little1 handpinky1 fpinky1 littleproximal finger4"),
    FINGER("LittleIntermediate", "Pinky2", "pinky2 little2 handpinky2 fpinky2 littleintermediate finger41"),
    FINGER("LittleDistal", "Pinky3", "pinky3 little3 handpinky3 fpinky3 littledistal finger42"),
};

_Static_assert(sizeof bones / sizeof *bones == ANIM_HUMAN_BONES, "a row for each bone");

/* --- Names as one naming spells them --- */

/* What stands behind "mixamorig", digits and a separator; the text itself where it does not begin so. */
static const char *behind_prefix(const char *name, const char *end)
{
	size_t length = sizeof PREFIX - 1;
	const char *at = name + length;

	if ((size_t)(end - name) < length || memcmp(name, PREFIX, length) != 0)
		return name;
	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return at < end && (*at == ':' || *at == '_') ? at + 1 : at;
}

/* Whether the name is `bone` but for blanks in the name. */
static bool is_bone(const char *bone, const char *name, const char *end)
{
	for (; name < end; name++) {
		if (*name == ' ')
			continue;
		if (*bone != *name)
			return false;
		bone++;
	}
	return *bone == '\0';
}

/* What `who` calls the bone of this row; NULL: it has none. */
static const char *name_in(size_t row, enum anim_humanoid who)
{
	const char *name = bones[row].names[who == ANIM_HUMANOID_NEURON ? ANIM_HUMANOID_MIXAMO : who];

	return name != NULL && who == ANIM_HUMANOID_NEURON ? name + sizeof PREFIX /* and the colon */ : name;
}

const char *anim_humanoid_find(enum anim_humanoid from, enum anim_humanoid to, const char *name, size_t length)
{
	const char *end = name + length;

	if (from == ANIM_HUMANOID_MIXAMO) {
		name = behind_prefix(name, end);
		from = ANIM_HUMANOID_NEURON;
	}
	for (size_t i = 0; i < sizeof bones / sizeof *bones; i++)
		if (name_in(i, from) != NULL && is_bone(name_in(i, from), name, end))
			return name_in(i, to);
	return NULL;
}

const char *anim_human_bone_name(enum anim_human_bone bone)
{
	return bones[bone].names[ANIM_HUMANOID_UNITY];
}

/* --- Names in plain form --- */

/* A word begins here: behind a separator, at a capital after a small letter or before one, and where digits begin or end. */
static bool begins_word(const char *name, size_t at)
{
	unsigned char before = at > 0 ? (unsigned char)name[at - 1] : '_', here = (unsigned char)name[at];

	if (isalnum(before) == 0 || (isdigit(before) != 0) != (isdigit(here) != 0))
		return true;
	return isupper(here) != 0 && (islower(before) != 0 || islower((unsigned char)name[at + 1]) != 0);
}

static char side_of_word(const char *word, size_t length)
{
	static const char *const words[] = {"l", "r", "left", "right"};

	for (int i = 0; i < 4; i++)
		if (length == strlen(words[i]) && memcmp(word, words[i], length) == 0)
			return words[i][0];
	return '\0';
}

/* The last word is whole: is it a side's? "C" says that the bone has none. */
static void end_word(struct anim_plain_name *plain, size_t from)
{
	size_t length = plain->length - from;
	char side = side_of_word(plain->text + from, length);

	if ((side == '\0' || plain->side != '\0') && (length != 1 || plain->text[from] != 'c'))
		return;
	plain->side = plain->side != '\0' ? plain->side : side;
	plain->begins &= ~(UINT64_C(1) << from);
	plain->length = from;
}

bool anim_plain_name(struct anim_plain_name *plain, const char *name)
{
	size_t word = 0;

	memset(plain, 0, sizeof *plain);
	for (size_t i = 0; name[i] != '\0'; i++) {
		if (isalnum((unsigned char)name[i]) == 0 && (unsigned char)name[i] < 0x80)
			continue;
		if (begins_word(name, i)) {
			end_word(plain, word);
			word = plain->length;
		}
		if (plain->length == sizeof plain->text - 1)
			return false;
		if (word == plain->length)
			plain->begins |= UINT64_C(1) << word;
		plain->text[plain->length++] = (char)tolower((unsigned char)name[i]);
	}
	end_word(plain, word);
	plain->text[plain->length] = '\0';
	return plain->length > 0;
}

/* --- The bones that a plain name may be --- */

/* The word in the list: '?' or '~' as it is marked, ' ' where it is not; 0: it is not there. */
static char find_word(const char *words, const char *word, size_t length)
{
	for (const char *at = words; *at != '\0'; at += *at != '\0') {
		size_t size = strcspn(at, " "), own = strcspn(at, " ?~");

		if (own == length && memcmp(at, word, length) == 0)
			return own < size ? at[own] : ' ';
		at += size;
	}
	return '\0';
}

/* Of one side, 0 for those of none. */
static bool guess_word(struct anim_bone_guess *guess, char side, const char *word, size_t length)
{
	unsigned found = 0;

	for (unsigned i = 0; i < ANIM_HUMAN_BONES; i++) {
		const char *name = bones[i].names[ANIM_HUMANOID_UNITY];
		char own = strncmp(name, "Left", 4) == 0 ? 'l' : strncmp(name, "Right", 5) == 0 ? 'r' : '\0';
		char mark = own == side ? find_word(bones[i].words, word, length) : '\0';

		if (mark == '\0')
			continue;
		guess->bones[found++] = (enum anim_human_bone)i;
		guess->doubtful = mark != ' ';
		guess->lower = mark == '?' ? found == 2 : guess->lower;
		if (found == 2 || mark == ' ')
			return true;
	}
	return false;
}

/* The same where a side may run into the word: "lfemur", "leftarm". */
static bool guess_text(struct anim_bone_guess *guess, char side, const char *text, size_t length)
{
	static const char *const sides[] = {"left", "right", "l", "r"};

	if (guess_word(guess, side, text, length))
		return true;
	for (int i = 0; i < 4 && side == '\0'; i++) {
		size_t skip = strlen(sides[i]);

		if (length > skip && memcmp(text, sides[i], skip) == 0 &&
		    guess_word(guess, sides[i][0], text + skip, length - skip))
			return true;
	}
	return false;
}

/* Without the zeros that numbers begin with: "index01" is "index1". */
static size_t drop_zeros(char *out, const char *text, size_t length)
{
	size_t size = 0;

	for (size_t i = 0; i < length; i++) {
		bool inside = size > 0 && isdigit((unsigned char)out[size - 1]) != 0;

		if (text[i] != '0' || inside || i + 1 == length || isdigit((unsigned char)text[i + 1]) == 0)
			out[size++] = text[i];
	}
	return size;
}

bool anim_bone_guess(struct anim_bone_guess *guess, const struct anim_plain_name *plain, size_t skip)
{
	char text[sizeof plain->text];
	size_t length = plain->length - skip, last = plain->length;

	memset(guess, 0, sizeof *guess);
	if (guess_text(guess, plain->side, plain->text + skip, length))
		return true;
	length = drop_zeros(text, plain->text + skip, length);
	if (guess_text(guess, plain->side, text, length))
		return true;
	while (last > skip && isdigit((unsigned char)plain->text[last - 1]) != 0 && (plain->begins >> last & 1) == 0)
		last--;
	if (last == plain->length || last == skip)
		return false;
	length = drop_zeros(text, plain->text + skip, last - skip);
	return guess_text(guess, plain->side, text, length);
}

bool anim_bone_of_name(struct anim_bone_guess *guess, const char *name)
{
	struct anim_plain_name plain;

	if (!anim_plain_name(&plain, name))
		return false;
	for (size_t i = 0; i < plain.length; i++)
		if ((plain.begins >> i & 1) != 0 && anim_bone_guess(guess, &plain, i))
			return true;
	return false;
}
