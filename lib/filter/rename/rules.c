/* rules.c: sources of new names: human bones, expressions, maps, and the hashes that Unity uses for paths. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/advice.h"
#include "base/limits.h"
#include "base/text.h"
#include "filter/rename/rename.h"
#include "stream/record.h"

/* ======== Names of human bones ======== */

const char *const anim_humanoid_names[] = {"unity",  "godot",  "mixamo", "vrm", "vrm0", "cmu",
					   "rokoko", "neuron", "smpl",   "mmd", NULL};

#define PREFIX "mixamorig"

struct bone {
	const char *names[ANIM_HUMANOID_NEURON]; /* the spelling in each naming; NULL: it has no such bone */
	/*
	 * All other names in plain form, separated by blanks: lower case, without prefix, side and separators. A word
	 * for two bones has a '?' at its default bone and a '~' at the other one.
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
 * proximal. The other two call it metacarpal, as anatomy does. The three bones of Mixamo's spine are used from the
 * bottom. Carnegie Mellon files and Rokoko's Newton skeleton do not name fingers, except for Carnegie Mellon's thumbs.
 * Perception Neuron uses Mixamo names without the prefix.
 *
 * The words come from Biovision (LeftCollar, LeftShoulder, LeftElbow, LeftLowArm), Bandai Namco (UpperArm_L), HumanIK
 * (LeftForeArm), Rigify (upper_arm.L, f_index.01.L), Daz (lShldrBend, l_upperarm), Unreal (upperarm_l, calf_l, ball_l),
 * 3ds Max's Biped (Bip01 L UpperArm, L Finger01), Carnegie Mellon's ASF (lhumerus), OptiTrack (LUArm, LFArm),
 * MakeHuman (LoArm_L), 3ds Max's CAT (LArmPalm), AdvancedSkeleton (Scapula_L), Sony's mocopi (l_low_arm), MikuMikuDance, and from rigs with
 * French, German and Spanish names.
 */
static const struct bone bones[] = {
    {{"Hips", "Hips", PREFIX ":Hips", "hips", "hips", "Hips", "Hips"},
     "hips hip pelvis bassin becken cadera 腰 下半身"},
    {{"Spine", "Spine", PREFIX ":Spine", "spine", "spine", "LowerBack", "Spine1"},
     "spine spine1 lowerback abdomen abdomenlower waist 上半身"},
    {{"Chest", "Chest", PREFIX ":Spine1", "chest", "chest", "Spine", "Spine2"}, "chest chestlower thorax 上半身2"},
    {{"UpperChest", "UpperChest", PREFIX ":Spine2", "upperChest", "upperChest", "Spine1", "Spine3"},
     "upperchest chestupper 上半身3"},
    {{"Neck", "Neck", PREFIX ":Neck", "neck", "neck", "Neck", "Neck"},
     "neck neck1 necklower lowerneck necktwist1 cou hals cuello 首"},
    {{"Head", "Head", PREFIX ":Head", "head", "head", "Head", "Head"}, "head skull tete tête kopf cabeza 頭"},
    {{"Jaw", "Jaw", NULL, "jaw", "jaw"}, "jaw あご"},
    BOTH("Eye", "Eye", "Eye", "Eye", "Eye", "eye 目"),
    LIMB("Shoulder", "Shoulder", "Shoulder",
	 "shoulder~ clavicle collar collarbone scapula epaule~ épaule~ schulter~ hombro~ 肩"),
    LIMB("UpperArm", "Arm", "Arm",
	 "upperarm uparm uarm arm shoulder? shldr humerus bras epaule? épaule? oberarm schulter? brazo hombro? 腕"),
    LIMB("LowerArm", "ForeArm", "ForeArm",
	 "lowerarm lowarm loarm forearm farm elbow radius avantbras coude unterarm antebrazo codo ひじ"),
    LIMB("Hand", "Hand", "Hand", "hand armpalm wrist main poignet mano 手首"),
    LIMB("UpperLeg", "UpLeg", "Thigh",
	 "upperleg upleg uleg leg? thigh hip femur cuisse jambe? oberschenkel muslo pierna? 足"),
    LIMB("LowerLeg", "Leg", "Shin",
	 "lowerleg lowleg loleg leg~ shin calf knee tibia jambe~ mollet genou unterschenkel pierna~ rodilla ひざ"),
    LIMB("Foot", "Foot", "Foot", "foot? ankle pied? cheville fuss fuß pie? 足首"),
    LIMB("Toes", "ToeBase", "Toe",
	 "toes toe toebase toe0 toe1 ball foot~ orteil orteils pied~ zeh pie~ つま先 足先ex つま先ex"),
    THUMB("thumb thumb1 thumbmetacarpal thumbproximal? finger0 親指0"),
    BOTH("ThumbIntermediate", "ThumbProximal", "HandThumb2", "ThumbProximal", "ThumbIntermediate",
	 "thumb2 thumbintermediate thumbproximal~ finger01 親指1"),
    FINGER("ThumbDistal", "Thumb3", "thumb3 thumbdistal finger02 親指2"),
    FINGER("IndexProximal", "Index1", "index1 indexproximal finger1 人指1 人差指1"),
    FINGER("IndexIntermediate", "Index2", "index2 indexintermediate finger11 人指2 人差指2"),
    FINGER("IndexDistal", "Index3", "index3 indexdistal finger12 人指3 人差指3"),
    FINGER("MiddleProximal", "Middle1", "middle1 mid1 middleproximal finger2 中指1"),
    FINGER("MiddleIntermediate", "Middle2", "middle2 mid2 middleintermediate finger21 中指2"),
    FINGER("MiddleDistal", "Middle3", "middle3 mid3 middledistal finger22 中指3"),
    FINGER("RingProximal", "Ring1", "ring1 ringproximal finger3 薬指1"),
    FINGER("RingIntermediate", "Ring2", "ring2 ringintermediate finger31 薬指2"),
    FINGER("RingDistal", "Ring3", "ring3 ringdistal finger32 薬指3"),
    FINGER("LittleProximal", "Pinky1", "pinky1 little1 littleproximal finger4 小指1"),
    FINGER("LittleIntermediate", "Pinky2", "pinky2 little2 littleintermediate finger41 小指2"),
    FINGER("LittleDistal", "Pinky3", "pinky3 little3 littledistal finger42 小指3"),
};

_Static_assert(sizeof bones / sizeof *bones == ANIM_HUMAN_BONES, "a row for each bone");

#define SMPL(name) "left_" name, "right_" name
#define SMPL_FINGER(name) SMPL(name "1"), SMPL(name "2"), SMPL(name "3")

/* The joints of SMPL-X, in the same order. A limb's bone has the name of the joint at which it begins. */
static const char *const smpl_names[] = {"pelvis",
					 "spine1",
					 "spine2",
					 "spine3",
					 "neck",
					 "head",
					 "jaw",
					 SMPL("eye_smplhf"),
					 SMPL("collar"),
					 SMPL("shoulder"),
					 SMPL("elbow"),
					 SMPL("wrist"),
					 SMPL("hip"),
					 SMPL("knee"),
					 SMPL("ankle"),
					 SMPL("foot"),
					 SMPL_FINGER("thumb"),
					 SMPL_FINGER("index"),
					 SMPL_FINGER("middle"),
					 SMPL_FINGER("ring"),
					 SMPL_FINGER("pinky")};

#define MMD(name) "左" name, "右" name
#define MMD_FINGER(name) MMD(name "１"), MMD(name "２"), MMD(name "３")

/* Standard and semi-standard bones of MikuMikuDance, in the same order. The lower body does not carry the upper body. */
static const char *const mmd_names[] = {"下半身",
					"上半身",
					"上半身2",
					"上半身3",
					"首",
					"頭",
					"あご",
					MMD("目"),
					MMD("肩"),
					MMD("腕"),
					MMD("ひじ"),
					MMD("手首"),
					MMD("足"),
					MMD("ひざ"),
					MMD("足首"),
					MMD("足先EX"),
					MMD("親指０"),
					MMD("親指１"),
					MMD("親指２"),
					MMD_FINGER("人指"),
					MMD_FINGER("中指"),
					MMD_FINGER("薬指"),
					MMD_FINGER("小指")};

/* --- Exact names in one naming --- */

/*
 * Return the text after "mixamorig", digits and a separator, or the text itself if it does not begin with this prefix.
 */
static const char *skip_prefix(const char *name, const char *end)
{
	size_t length = sizeof PREFIX - 1;
	const char *at = name + length;

	if ((size_t)(end - name) < length || memcmp(name, PREFIX, length) != 0)
		return name;
	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return at < end && (*at == ':' || *at == '_') ? at + 1 : at;
}

/* Return whether the name is `bone`. Blanks in the name are ignored. */
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

const char *anim_humanoid_name(enum anim_human_bone bone, enum anim_humanoid who)
{
	const char *name;

	if (who == ANIM_HUMANOID_SMPL || who == ANIM_HUMANOID_MMD)
		return who == ANIM_HUMANOID_SMPL ? smpl_names[bone] : mmd_names[bone];
	name = bones[bone].names[who == ANIM_HUMANOID_NEURON ? ANIM_HUMANOID_MIXAMO : who];
	return name != NULL && who == ANIM_HUMANOID_NEURON ? name + sizeof PREFIX /* and the colon */ : name;
}

/*
 * Write letters and digits of double width, which Japanese names have, as ASCII, and the signs for left and right as
 * "_l_" and "_r_". Returns false if the name is too long for a bone.
 */
static bool narrow(char *out, size_t capacity, const char *name)
{
	size_t length = strlen(name), to = 0;

	for (size_t i = 0; i < length && length < capacity; i++) {
		unsigned char lead = (unsigned char)name[i], middle = (unsigned char)name[i + (i + 1 < length)];
		unsigned last = i + 2 < length ? (unsigned char)name[i + 2] : 0;
		unsigned wide = middle == 0xbc ? last - 0x80 : middle == 0xbd ? last - 0x40 : 0;

		if (lead == 0xef && wide > 0 && wide < 0x5f) {
			out[to++] = (char)(wide + 0x20);
			i += 2;
		} else if (strncmp(name + i, "左", 3) == 0 || strncmp(name + i, "右", 3) == 0) {
			memcpy(out + to, middle == 0xb7 ? "_l_" : "_r_", 3);
			to += 3;
			i += 2;
		} else {
			out[to++] = (char)lead;
		}
	}
	out[to] = '\0';
	return length < capacity;
}

/* Compare names of MikuMikuDance, in which letters and digits may have either width. */
static bool is_mmd_bone(const char *bone, const char *name, size_t length)
{
	char narrow_bone[64], narrow_name[64], copy[64];

	if (length >= sizeof copy || !narrow(narrow_bone, sizeof narrow_bone, bone))
		return false;
	memcpy(copy, name, length);
	copy[length] = '\0';
	return narrow(narrow_name, sizeof narrow_name, copy) && strcmp(narrow_bone, narrow_name) == 0;
}

const char *anim_humanoid_find(enum anim_humanoid from, enum anim_humanoid to, const char *name, size_t length)
{
	const char *end = name + length;

	if (from == ANIM_HUMANOID_MIXAMO) {
		name = skip_prefix(name, end);
		from = ANIM_HUMANOID_NEURON;
	}
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
		const char *known = anim_humanoid_name((enum anim_human_bone)b, from);

		if (known != NULL && (from == ANIM_HUMANOID_MMD ? is_mmd_bone(known, name, (size_t)(end - name))
								: is_bone(known, name, end)))
			return anim_humanoid_name((enum anim_human_bone)b, to);
	}
	return NULL;
}

const char *anim_human_bone_name(enum anim_human_bone bone)
{
	return bones[bone].names[ANIM_HUMANOID_UNITY];
}

enum anim_human_bone anim_human_bone_find(const char *name)
{
	unsigned bone = 0;

	while (bone < ANIM_HUMAN_BONES && strcmp(bones[bone].names[ANIM_HUMANOID_UNITY], name) != 0)
		bone++;
	return (enum anim_human_bone)bone;
}

/* --- Names in plain form --- */

/* Return whether the byte is part of a word. Letters outside of ASCII are. */
static bool is_alnum(unsigned char c)
{
	return isalnum(c) != 0 || c >= 0x80;
}

/*
 * Return whether a word begins here: after a separator, at a capital after or before a small letter, or at the border
 * between digits and letters.
 */
static bool begins_word(const char *name, size_t at)
{
	unsigned char before = at > 0 ? (unsigned char)name[at - 1] : '_', here = (unsigned char)name[at];

	if (!is_alnum(before) || (isdigit(before) != 0) != (isdigit(here) != 0))
		return true;
	return isupper(here) != 0 && (islower(before) != 0 || islower((unsigned char)name[at + 1]) != 0);
}

/*
 * Remove the last word, which is now complete, if it names a side or says nothing about the bone. "C", "M" and "x" mean
 * that the bone has no side. apart: a separator precedes it. "LHipJoint" is not the hip, but "hips_joint" is.
 */
static void end_word(struct anim_plain_name *plain, size_t from, bool apart)
{
	const char *word = plain->text + from;
	size_t length = plain->length - from;
	char side = anim_text_has_word(
			"l left links gauche izquierda izquierdo izq sinistra sinistro esquerda esquerdo", word, length)
			? 'l'
		    : anim_text_has_word(
			  "r right rechts droit droite derecha derecho der destra destro direita direito", word, length)
			? 'r'
			: '\0';

	if ((side == '\0' || plain->side != '\0') && !anim_text_has_word("c m x stretch bend", word, length) &&
	    !(apart && anim_text_has_word("jnt joint jt bone bn bind skin", word, length)))
		return;
	plain->side = plain->side != '\0' ? plain->side : side;
	plain->begins &= ~(UINT64_C(1) << from);
	plain->length = from;
}

bool anim_plain_name(struct anim_plain_name *plain, const char *full)
{
	char name[256];
	size_t word = 0;
	bool apart = true;

	memset(plain, 0, sizeof *plain);
	if (!narrow(name, sizeof name, full))
		return false;
	for (size_t i = 0; name[i] != '\0'; i++) {
		if (!is_alnum((unsigned char)name[i]))
			continue;
		if (begins_word(name, i)) {
			end_word(plain, word, apart);
			word = plain->length;
			apart = i == 0 || !is_alnum((unsigned char)name[i - 1]);
		}
		if (plain->length == sizeof plain->text - 1)
			return false;
		if (word == plain->length)
			plain->begins |= UINT64_C(1) << word;
		plain->text[plain->length++] = (char)tolower((unsigned char)name[i]);
	}
	end_word(plain, word, apart);
	plain->text[plain->length] = '\0';
	return plain->length > 0;
}

/* --- Possible bones of a plain name --- */

/* Find the word in the list. Returns its mark '?' or '~', ' ' if it has none, or 0 if the word is not in the list. */
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

/* Find the bones of this side (0: no side) that have the word. Returns false if none has it. */
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

/*
 * Like guess_word, but the text may begin or end with a side ("lfemur", "handleft"), and a bone may be called one of its
 * limb ("handindex1", "findex1", "indexfinger1", "armpalm", "legcalf").
 */
static bool guess_text(struct anim_bone_guess *guess, char side, const char *text, size_t length)
{
	static const char *const sides[] = {"left", "right", "l", "r"}, *const limbs[] = {"hand", "f", "arm", "leg"};
	char bare[sizeof((struct anim_plain_name *)NULL)->text];

	if (guess_word(guess, side, text, length))
		return true;
	for (int i = 0; i < 4 && side == '\0'; i++) {
		size_t skip = strlen(sides[i]);
		char own = sides[i][0];

		if (length > skip &&
		    ((memcmp(text, sides[i], skip) == 0 && guess_word(guess, own, text + skip, length - skip)) ||
		     (memcmp(text + length - skip, sides[i], skip) == 0 &&
		      guess_word(guess, own, text, length - skip))))
			return true;
	}
	for (int i = 0; i < 4 && side != '\0'; i++) {
		size_t skip = strlen(limbs[i]);

		if (length > skip && memcmp(text, limbs[i], skip) == 0 &&
		    guess_word(guess, side, text + skip, length - skip) &&
		    (i > 1 || guess->bones[0] >= ANIM_BONE_FINGERS))
			return true;
	}
	for (size_t i = 3; i + 6 < length && side != '\0'; i++)
		if (memcmp(text + i, "finger", 6) == 0) {
			memcpy(bare, text, i);
			memcpy(bare + i, text + i + 6, length - i - 6);
			return guess_word(guess, side, bare, length - 6);
		}
	return false;
}

/* Remove leading zeros of numbers: "index01" becomes "index1". Returns the new length. */
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

/* Return the bits of the bones from `first` up to, but not including, `end`. */
static uint64_t bones_between(unsigned first, unsigned end)
{
	return ((uint64_t)1 << end) - ((uint64_t)1 << first);
}

uint64_t anim_human_part(const char *word)
{
	/* A pair's singular is its plural without the last letter, except for feet. */
	static const struct {
		const char *name, *one;
		uint8_t first, end; /* bones */
		bool fingers;       /* and all fingers */
	} parts[] = {
	    {"hips", NULL, ANIM_BONE_HIPS, ANIM_BONE_SPINE, false},
	    {"spine", NULL, ANIM_BONE_SPINE, ANIM_BONE_NECK, false},
	    {"head", NULL, ANIM_BONE_NECK, ANIM_BONE_SHOULDER, false},
	    {"face", NULL, ANIM_BONE_JAW, ANIM_BONE_SHOULDER, false},
	    {"arms", "arm", ANIM_BONE_SHOULDER, ANIM_BONE_UPPER_LEG, true},
	    {"hands", "hand", ANIM_BONE_HAND, ANIM_BONE_UPPER_LEG, true},
	    {"fingers", "fingers", ANIM_BONE_FINGERS, ANIM_HUMAN_BONES, true},
	    {"legs", "leg", ANIM_BONE_UPPER_LEG, ANIM_BONE_FINGERS, false},
	    {"feet", "foot", ANIM_BONE_FOOT, ANIM_BONE_FINGERS, false},
	    {"upper-body", NULL, ANIM_BONE_SPINE, ANIM_BONE_UPPER_LEG, true},
	};
	const char *left = anim_text_after(word, "left-"), *right = anim_text_after(word, "right-");
	const char *name = left != NULL ? left : right != NULL ? right : word;
	uint64_t side = 0;

	if (strcmp(word, "lower-body") == 0)
		return anim_human_part("hips") | anim_human_part("legs");
	for (unsigned b = ANIM_BONE_EYE + (right != NULL); b < ANIM_HUMAN_BONES; b += 2)
		side |= (uint64_t)1 << b;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (name != word
			? parts[i].one != NULL && (strcmp(name, parts[i].one) == 0 || strcmp(name, parts[i].name) == 0)
			: strcmp(name, parts[i].name) == 0)
			return (bones_between(parts[i].first, parts[i].end) |
				(parts[i].fingers ? bones_between(ANIM_BONE_FINGERS, ANIM_HUMAN_BONES) : 0)) &
			       (name == word ? UINT64_MAX : side);
	return 0;
}

/* ======== Expressions, maps, and the hashes that Unity uses for paths ======== */

/* --- Expressions s/ERE/TEXT/, as in sed, on names --- */

/* A piece of TEXT: literal bytes or the match of a group. */
struct anim_expression_part {
	const char *bytes; /* NULL: a group */
	size_t length;
	unsigned group; /* 0: the whole match */
};

#define GROUPS 10 /* \0, the whole match, to \9 */

static bool is_delimiter(char c)
{
	unsigned char letter = (unsigned char)(c | 32);

	return c > ' ' && (unsigned char)c < 0x7f && c != '\\' && !(c >= '0' && c <= '9') &&
	       !(letter >= 'a' && letter <= 'z');
}

/* Return the delimiter that ends the part, or NULL if it is missing. A '\' escapes the next byte. */
static const char *end_of_part(const char *text, char delimiter)
{
	for (; *text != '\0' && *text != delimiter; text++)
		if (*text == '\\' && *++text == '\0')
			return NULL;
	return *text == '\0' ? NULL : text;
}

/*
 * Copy the ERE without the '\' of escaped delimiters. If the delimiter is special in an ERE, the '\' stays, because the
 * delimiter is meant literally.
 */
static char *bare_pattern(const char *from, const char *end, char delimiter, struct anim_arena *arena,
			  struct anim_error *error)
{
	char *pattern = anim_arena_alloc(arena, (size_t)(end - from) + 1, error), *to = pattern;
	bool special = strchr(".[]()*+?{}|^$", delimiter) != NULL;

	if (pattern == NULL)
		return NULL;
	while (from < end) {
		if (*from == '\\') {
			if (special || from[1] != delimiter)
				*to++ = '\\';
			from++;
		}
		*to++ = *from++;
	}
	*to = '\0';
	return pattern;
}

/*
 * Read one piece of TEXT: the bytes up to the next '&' or '\', or the piece that one of these begins. Returns its end.
 */
static const char *read_part(const char *at, const char *end, struct anim_expression_part *part)
{
	const char *from = at;

	*part = (struct anim_expression_part){NULL, 0, 0};
	if (*at == '&')
		return at + 1;
	if (*at == '\\' && at[1] >= '1' && at[1] <= '9') {
		part->group = (unsigned)(at[1] - '0');
		return at + 2;
	}
	if (*at == '\\')
		from = at++;
	for (at++; at < end && *at != '&' && *at != '\\';)
		at++;
	from += *from == '\\';
	part->bytes = from;
	part->length = (size_t)(at - from);
	return at;
}

/* Reject '\' before a letter or 0. Some implementations of sed give it a meaning, but this one does not. */
static int check_replacement(const char *text, const char *end, struct anim_error *error)
{
	for (; text < end; text++) {
		unsigned char letter;

		if (*text != '\\')
			continue;
		text++;
		letter = (unsigned char)(*text | 32);
		if (*text == '0' || (letter >= 'a' && letter <= 'z'))
			return anim_fail(error, ANIM_BAD_INPUT,
					 "'\\%c' is not supported in the new text; use & or \\1 to \\9", *text);
	}
	return 0;
}

static int read_replacement(struct anim_expression *expression, const char *text, const char *end,
			    struct anim_error *error)
{
	size_t length = (size_t)(end - text);
	const char *at = anim_arena_text(&expression->arena, text, length, error);

	expression->parts = anim_arena_zeroed(&expression->arena, length + 1, sizeof *expression->parts, error);
	if (at == NULL || expression->parts == NULL)
		return -1;
	for (end = at + length; at < end;) {
		struct anim_expression_part *part = &expression->parts[expression->part_count++];

		at = read_part(at, end, part);
		if (part->bytes == NULL && part->group > expression->regex.re_nsub)
			return anim_fail(error, ANIM_BAD_INPUT, "the expression has no group %u", part->group);
	}
	return 0;
}

int anim_expression_parse(struct anim_expression *expression, const char *text, struct anim_error *error)
{
	const char *pattern_end, *text_end;
	char *pattern;
	int flags = 0;

	memset(expression, 0, sizeof *expression);
	if (text[0] != 's' || !is_delimiter(text[1]) || (pattern_end = end_of_part(text + 2, text[1])) == NULL ||
	    (text_end = end_of_part(pattern_end + 1, text[1])) == NULL)
		return anim_fail(error, ANIM_BAD_INPUT, "an expression looks like s/OLD/NEW/");
	if (pattern_end == text + 2)
		return anim_fail(error, ANIM_BAD_INPUT, "the pattern between the first two '%c' is empty", text[1]);
	for (const char *flag = text_end + 1; *flag != '\0'; flag++) {
		if (*flag == 'g')
			expression->all = true;
		else if (*flag == 'i' || *flag == 'I')
			flags = REG_ICASE;
		else
			return anim_fail(error, ANIM_BAD_INPUT, "unknown flag '%.20s'; use g or i", flag);
	}
	pattern = bare_pattern(text + 2, pattern_end, text[1], &expression->arena, error);
	if (pattern == NULL)
		return -1;

	char message[128];
	int code = regcomp(&expression->regex, pattern, REG_EXTENDED | flags);

	if (code == REG_ESPACE)
		return anim_fail_memory(error);
	if (code != 0) {
		(void)regerror(code, &expression->regex, message, sizeof message);
		return anim_fail(error, ANIM_BAD_INPUT, "'%.200s' is not a valid regular expression: %s", pattern,
				 message);
	}
	expression->compiled = true;

	if (check_replacement(pattern_end + 1, text_end, error) != 0)
		return -1;
	return read_replacement(expression, pattern_end + 1, text_end, error);
}

void anim_expression_clear(struct anim_expression *expression)
{
	if (expression->compiled)
		regfree(&expression->regex);
	anim_arena_clear(&expression->arena);
	memset(expression, 0, sizeof *expression);
}

static int append_replacement(const struct anim_expression *expression, const char *name, const regmatch_t *match,
			      struct anim_buffer *out, struct anim_error *error)
{
	for (size_t i = 0; i < expression->part_count; i++) {
		const struct anim_expression_part *part = &expression->parts[i];
		const regmatch_t *group = &match[part->group];
		const char *bytes = part->bytes;
		size_t length = part->length;

		if (bytes == NULL && group->rm_so < 0)
			continue;
		if (bytes == NULL) {
			bytes = name + group->rm_so;
			length = (size_t)(group->rm_eo - group->rm_so);
		}
		if (anim_buffer_append(out, bytes, length, error) != 0)
			return -1;
	}
	return 0;
}

/* Find the next match from `at` on. Its positions count from the beginning of the name. */
static int match_from(const struct anim_expression *expression, const char *name, size_t at, regmatch_t *match,
		      struct anim_error *error)
{
#ifdef REG_STARTEND
	/* Anchors and word borders see the text before `at`. */
	const size_t from = 0;
	int code;

	match[0].rm_so = (regoff_t)at;
	match[0].rm_eo = (regoff_t)strlen(name);
	code = regexec(&expression->regex, name, GROUPS, match, REG_STARTEND);
#else
	const size_t from = at;
	int code = regexec(&expression->regex, name + at, GROUPS, match, at == 0 ? 0 : REG_NOTBOL);
#endif

	for (size_t i = 0; code == 0 && i < GROUPS; i++)
		if (match[i].rm_so >= 0) {
			match[i].rm_so += (regoff_t)from;
			match[i].rm_eo += (regoff_t)from;
		}
	return code == 0 ? 1 : code == REG_NOMATCH ? 0 : anim_fail_memory(error);
}

int anim_expression_apply(const struct anim_expression *expression, const char *name, struct anim_buffer *out,
			  struct anim_error *error)
{
	regmatch_t match[GROUPS];
	size_t at = 0, length = strlen(name);
	bool after_match = false; /* an empty match directly after another match is ignored */
	int found = match_from(expression, name, 0, match, error);

	if (found <= 0)
		return found;
	out->size = 0;
	do {
		size_t start = (size_t)match[0].rm_so, end = (size_t)match[0].rm_eo;
		bool empty = start == end;

		if (anim_buffer_append(out, name + at, start - at, error) != 0)
			return -1;
		if (!(empty && after_match && start == at) &&
		    append_replacement(expression, name, match, out, error) != 0)
			return -1;
		at = end;
		after_match = !empty;
		if (empty && at < length && anim_buffer_append(out, name + at, 1, error) != 0)
			return -1;
		at += empty;
		if (out->size > 2 * (size_t)ANIM_NAME_MAX)
			break;
		found = expression->all && at <= length ? match_from(expression, name, at, match, error) : 0;
	} while (found > 0);
	at = at < length ? at : length;
	return found < 0 || anim_buffer_append(out, name + at, length - at + 1, error) != 0 ? -1 : 1;
}

int anim_expression_matches_later(const struct anim_expression *expression, const char *path, struct anim_error *error)
{
	regmatch_t match[GROUPS];
	int found = expression->all ? 0 : match_from(expression, path, 0, match, error);
	const size_t start = found > 0 ? (size_t)match[0].rm_so : 0, end = found > 0 ? (size_t)match[0].rm_eo : 0;

	if (found <= 0 || start == end)
		return found < 0 ? -1 : 0;
	found = match_from(expression, path, end, match, error);
	return found > 0 ? memchr(path + start, '/', (size_t)match[0].rm_so - start) != NULL : found;
}

/* --- A map from old to new names, read from CSV files --- */

/* Scopes of the map. */
enum { NAMES, PATHS };

/* A CSV file that is being read, byte by byte from the windows of the input. */
struct csv {
	struct anim_input *input;
	const uint8_t *at, *end;
	struct anim_place place; /* of the current record's first line */
	uint32_t line;           /* the line that is being read */
	struct anim_buffer field;
	struct anim_error *error;
};

#define AT_END (-1)
#define FAILED (-2)

/* Return the next byte without consuming it. At the end return AT_END, on error FAILED. */
static int peek(struct csv *csv)
{
	ssize_t size;

	if (csv->at < csv->end)
		return *csv->at;
	size = anim_input_peek(csv->input, 1, &csv->at, csv->error);
	csv->end = csv->at + (size > 0 ? size : 0);
	if (size > 0)
		anim_input_skip(csv->input, (size_t)size);
	return size > 0 ? *csv->at : size == 0 ? AT_END : FAILED;
}

static int add(struct csv *csv, int byte)
{
	uint8_t one = (uint8_t)byte;

	csv->at++;
	csv->line += byte == '\n';
	if (csv->field.size > ANIM_NAME_MAX)
		return anim_fail_at(csv->error, ANIM_TOO_LARGE, &csv->place, "a name is longer than %u bytes",
				    ANIM_NAME_MAX);
	return anim_buffer_append(&csv->field, &one, 1, csv->error);
}

static int read_quoted(struct csv *csv)
{
	for (csv->at++;;) {
		int byte = peek(csv);

		if (byte == FAILED)
			return -1;
		if (byte == AT_END)
			return anim_fail_at(csv->error, ANIM_BAD_INPUT, &csv->place, "a quoted field is not closed");
		if (byte == '"') {
			csv->at++;
			if (peek(csv) != '"')
				return 0;
		}
		if (add(csv, byte) != 0)
			return -1;
	}
}

static int read_bare(struct csv *csv)
{
	for (;;) {
		int byte = peek(csv);

		if (byte == FAILED)
			return -1;
		if (byte == AT_END || byte == ',' || byte == '\n' || byte == '\r')
			return 0;
		if (add(csv, byte) != 0)
			return -1;
	}
}

/* Read a field into *text, in the arena. The separator after it is not consumed. Returns 0 or -1. */
static int read_field(struct csv *csv, struct anim_arena *arena, const char **text)
{
	int first = peek(csv);
	const char *bytes;

	csv->field.size = 0;
	if (first == FAILED || (first == '"' ? read_quoted(csv) : read_bare(csv)) != 0)
		return -1;
	bytes = csv->field.size > 0 ? (const char *)csv->field.data : "";
	if (anim_utf8_prefix(bytes, csv->field.size) != csv->field.size)
		return anim_fail_at(csv->error, ANIM_BAD_INPUT, &csv->place, "a name is not UTF-8");
	*text = anim_arena_text(arena, bytes, csv->field.size, csv->error);
	return *text == NULL ? -1 : 0;
}

struct row {
	const char *from, *to;
	bool met;
};

static struct row *rows_of(const struct anim_rename_map *map, size_t *count)
{
	*count = map->rows.size / sizeof(struct row);
	return (struct row *)(void *)map->rows.data;
}

/* Return the row of this name, or NULL if the map does not have it. */
static struct row *find_row(const struct anim_rename_map *map, uint64_t scope, const char *name, size_t length)
{
	uint32_t number;
	size_t count;

	return length <= map->longest && anim_map_get(&map->numbers, scope, name, length, &number)
		   ? &rows_of(map, &count)[number]
		   : NULL;
}

static int add_row(struct anim_rename_map *map, const struct csv *csv, const char *from, const char *to)
{
	size_t length = strlen(from), number;
	struct row row = {from, to, false};
	const struct row *other = find_row(map, NAMES, from, length);

	if (from[0] == '\0' || to[0] == '\0')
		return anim_fail_at(csv->error, ANIM_BAD_INPUT, &csv->place, "a name is empty");
	if (other != NULL && strcmp(other->to, to) != 0)
		return anim_fail_at(csv->error, ANIM_BAD_INPUT, &csv->place,
				    "'%.100s' has two new names: '%.100s' and '%.100s'", from, other->to, to);
	if (other != NULL)
		return 0;
	if (length > map->longest)
		map->longest = length;
	rows_of(map, &number);
	if (anim_map_put(&map->numbers, NAMES, from, length, (uint32_t)number, csv->error) != 0 ||
	    anim_buffer_append(&map->rows, &row, sizeof row, csv->error) != 0)
		return -1;
	if (strchr(from, '/') == NULL)
		return 0;
	from += strncmp(from, "./", 2) == 0 ? 2 : 0;
	return anim_map_put(&map->numbers, PATHS, from, strlen(from), (uint32_t)number, csv->error);
}

/* Read one row. Returns 1, 0 at the end of the file, or -1. */
static int read_line(struct csv *csv, struct anim_rename_map *map)
{
	const char *from, *to = NULL;
	int byte;

	csv->place.line = csv->line;
	if (peek(csv) == AT_END)
		return 0;
	if (read_field(csv, &map->arena, &from) != 0)
		return -1;
	if (peek(csv) == ',') {
		csv->at++;
		if (read_field(csv, &map->arena, &to) != 0)
			return -1;
	}
	/* Consume the end of the line. Anything else is an error. */
	byte = peek(csv);
	if (byte == '\r') {
		csv->at++;
		byte = peek(csv);
	}
	if (byte == FAILED)
		return -1;
	if (byte != '\n' && byte != AT_END)
		return anim_fail_at(csv->error, ANIM_BAD_INPUT, &csv->place, "the line has more fields than from,to");
	csv->at += byte == '\n';
	csv->line++;
	if (to == NULL && from[0] == '\0')
		return 1;
	if (to == NULL)
		return anim_fail_at(csv->error, ANIM_BAD_INPUT, &csv->place,
				    "'%.100s' has no new name; write it after a comma", from);
	return (csv->place.line == 1 && ((strcasecmp(from, "from") == 0 && strcasecmp(to, "to") == 0) ||
					 (strcasecmp(from, "old") == 0 && strcasecmp(to, "new") == 0))) ||
		       add_row(map, csv, from, to) == 0
		   ? 1
		   : -1;
}

int anim_rename_map_read(struct anim_rename_map *map, struct anim_input *input, struct anim_error *error)
{
	struct csv csv = {.input = input, .line = 1, .error = error};
	int result;

	csv.place = (struct anim_place){.file = anim_input_name(input), .at = ANIM_AT_LINE, .column = 1};

	/* Skip a byte order mark at the beginning. */
	const uint8_t *at;
	ssize_t size = anim_input_peek(csv.input, 3, &at, csv.error);

	if (size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
		anim_input_skip(csv.input, 3);
	result = size < 0 ? -1 : 0;

	if (result == 0)
		while ((result = read_line(&csv, map)) > 0)
			;
	anim_buffer_clear(&csv.field);
	return result;
}

static const char *get(struct anim_rename_map *map, uint64_t scope, const char *name, size_t length)
{
	struct row *row = find_row(map, scope, name, length);

	if (row == NULL)
		return NULL;
	row->met = true;
	return row->to;
}

const char *anim_rename_map_get(struct anim_rename_map *map, const char *name, size_t length)
{
	return get(map, NAMES, name, length);
}

const char *anim_rename_map_get_path(struct anim_rename_map *map, const char *path, size_t length)
{
	return get(map, PATHS, path, length);
}

int anim_rename_map_report(const struct anim_rename_map *map, struct anim_diagnostics *diagnostics,
			   struct anim_error *error)
{
	size_t count;
	const struct row *rows = rows_of(map, &count);

	for (size_t i = 0; i < count; i++)
		if (!rows[i].met && (anim_diagnostics_note(diagnostics, "name of " ANIM_ADVICE(THE_MAP), error,
							   "'%s': no match", rows[i].from) != 0 ||
				     anim_diagnostics_name(diagnostics, error, "%s", rows[i].from) != 0))
			return -1;
	return 0;
}

void anim_rename_map_clear(struct anim_rename_map *map)
{
	anim_map_clear(&map->numbers);
	anim_buffer_clear(&map->rows);
	anim_arena_clear(&map->arena);
	map->longest = 0;
}

/* --- Paths by their CRC-32, the only form that Unity players keep --- */

/* The key must be in the arena, because the map borrows it. */
static int add_one(struct anim_crc_names *names, const char *path, struct anim_error *error)
{
	uint32_t crc = anim_crc32(0, path, strlen(path)), number = (uint32_t)(names->paths.size / sizeof path), *key;

	if (anim_map_get(&names->by_crc, 0, &crc, sizeof crc, &number))
		return 0;
	if ((key = anim_arena_alloc(&names->arena, sizeof crc, error)) == NULL)
		return -1;
	*key = crc;
	if (anim_map_put(&names->by_crc, 0, key, sizeof crc, number, error) != 0)
		return -1;
	return anim_buffer_append(&names->paths, &path, sizeof path, error);
}

int anim_crc_names_add(struct anim_crc_names *names, const char *path, struct anim_error *error)
{
	const char *at = anim_arena_text(&names->arena, path, strlen(path), error);

	if (at == NULL)
		return -1;
	while (at != NULL && *at != '\0') {
		if (add_one(names, at, error) != 0)
			return -1;
		at = strchr(at, '/');
		at += at != NULL;
	}
	return 0;
}

/*
 * Find the line up to its LF or the end of the file; *size is its length without the LF. Returns the number of bytes to
 * skip, 0 at the end, or -1.
 */
static ssize_t crc_read_line(struct anim_input *input, const uint8_t **at, size_t *size, struct anim_error *error)
{
	ssize_t have = anim_input_peek(input, 1, at, error);
	const uint8_t *feed;

	while (have > 0 && (feed = memchr(*at, '\n', (size_t)have)) == NULL && have <= (ssize_t)ANIM_NAME_MAX + 1) {
		ssize_t more = anim_input_peek(input, (size_t)have + 1, at, error);

		if (more <= have) {
			*size = (size_t)have;
			return more < 0 ? -1 : more;
		}
		have = more;
	}
	if (have <= 0)
		return have;
	*size = feed != NULL ? (size_t)(feed - *at) : (size_t)have;
	return feed != NULL ? (ssize_t)*size + 1 : have;
}

int anim_crc_names_read(struct anim_crc_names *names, struct anim_input *input, struct anim_error *error)
{
	struct anim_place place = {.file = anim_input_name(input), .at = ANIM_AT_LINE, .column = 1};
	const uint8_t *at;
	ssize_t taken;
	size_t size;

	while ((taken = crc_read_line(input, &at, &size, error)) > 0) {
		char *path;

		place.line++;
		if (place.line == 1 && size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) {
			at += 3;
			size -= 3;
		}
		if (size > 0 && at[size - 1] == '\r')
			size--;
		if (size > ANIM_NAME_MAX)
			return anim_fail_at(error, ANIM_TOO_LARGE, &place, "a path is longer than %u bytes",
					    ANIM_NAME_MAX);
		if (anim_utf8_prefix(at, size) != size)
			return anim_fail_at(error, ANIM_BAD_INPUT, &place, "the path is not UTF-8");
		path = anim_arena_text(&names->arena, (const char *)at, size, error);
		if (path == NULL || anim_crc_names_add(names, path, error) != 0)
			return -1;
		anim_input_skip(input, (size_t)taken);
	}
	return taken < 0 ? -1 : 0;
}

struct crc_collector {
	struct anim_sink sink;
	struct anim_crc_names *names;
};

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	(void)tree;
	(void)error;
	((struct crc_collector *)sink)->names->nodes.size = 0;
	return 0;
}

/* A bone's path contains the bones above it, as in Unity. */
static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct anim_crc_names *names = ((struct crc_collector *)sink)->names;
	const char *const *above = (const char *const *)(const void *)names->nodes.data;
	const char *parent = "", *own = anim_node_own_name(node->path);
	size_t length;
	char *path;

	if (names->nodes.size == 0)
		own = "";
	else if (node->parent < names->nodes.size / sizeof *above)
		parent = above[node->parent];
	length = strlen(parent);
	if (length + strlen(own) > ANIM_NAME_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "the path of node '%.200s' is longer than %u bytes", own,
				 (unsigned)ANIM_NAME_MAX);
	path = anim_arena_alloc(&names->arena, length + strlen(own) + 2, error);
	if (path == NULL)
		return -1;
	memcpy(path, parent, length);
	if (length > 0)
		path[length++] = '/';
	memcpy(path + length, own, strlen(own) + 1);
	if (anim_crc_names_add(names, path, error) != 0)
		return -1;
	return anim_buffer_append(&names->nodes, &path, sizeof path, error);
}

/* Ignore a track if its own path is a CRC. */
static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct anim_crc_names *names = ((struct crc_collector *)sink)->names;
	const char *path;

	return anim_crc_names_find(names, track->node, &path) ? 0 : anim_crc_names_add(names, track->node, error);
}

struct anim_sink *anim_crc_names_sink_new(struct anim_crc_names *names, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.tree = on_tree, .node = on_node, .track = on_track};
	struct crc_collector *collector = anim_sink_new(sizeof *collector, &ops, error);

	if (collector == NULL)
		return NULL;
	collector->names = names;
	return &collector->sink;
}

bool anim_crc_names_find(const struct anim_crc_names *names, const char *node, const char **path)
{
	uint64_t value = 0;
	uint32_t crc, number;

	*path = NULL;
	if (strncmp(node, "path_", 5) == 0)
		node += 5;
	if (*node == '\0' || strlen(node) > 10)
		return false;
	for (; *node >= '0' && *node <= '9'; node++)
		value = 10 * value + (uint64_t)(*node - '0');
	if (*node != '\0' || value > UINT32_MAX)
		return false;
	crc = (uint32_t)value;
	if (crc == 0)
		*path = ".";
	else if (anim_map_get(&names->by_crc, 0, &crc, sizeof crc, &number))
		*path = ((const char *const *)(const void *)names->paths.data)[number];
	return true;
}

void anim_crc_names_clear(struct anim_crc_names *names)
{
	anim_map_clear(&names->by_crc);
	anim_buffer_clear(&names->paths);
	anim_buffer_clear(&names->nodes);
	anim_arena_clear(&names->arena);
}
