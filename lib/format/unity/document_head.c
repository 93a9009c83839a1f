/* document_head.c: the line that begins a document: its class, its id, whether it is stripped. */
#include <string.h>

#include "base/number.h"
#include "format/unity/document_internal.h"

static const struct {
	const char *name;
	int32_t class_id;
} types[] = {
    {"GameObject", 1},
    {"Transform", 4},
    {"Camera", 20},
    {"Material", 21},
    {"MeshRenderer", 23},
    {"MeshFilter", 33},
    {"AnimationClip", 74},
    {"AnimatorController", 91},
    {"Animator", 95},
    {"Light", 108},
    {"Animation", 111},
    {"MonoBehaviour", 114},
    {"SkinnedMeshRenderer", 137},
    {"BlendTree", 206},
    {"SpriteRenderer", 212},
    {"AnimatorOverrideController", 221},
    {"RectTransform", 224},
    {"PrefabInstance", 1001},
    {"Prefab", 1001},
    {"AnimatorTransition", 1101},
    {"AnimatorState", 1102},
    {"AnimatorStateMachine", 1107},
};

int32_t unity_class_of_name(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0)
			return types[i].class_id;
	return -1;
}

static const char *blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

static const char *id_end(const char *at)
{
	at += *at == '-' || *at == '+';
	while (*at >= '0' && *at <= '9')
		at++;
	return at;
}

/* Digits behind "!u!"; -1 where they are no class. */
static const char *read_class(const char *at, int32_t *class_id)
{
	const char *end = id_end(at);
	int64_t id;

	if (unity_parse_id(at, (size_t)(end - at), &id) && id >= 0 && id <= INT32_MAX)
		*class_id = (int32_t)id;
	return end;
}

/* The type's name on the line below, where the document's own line does not tell its class. */
static int32_t class_below(const struct unity_lines *lines)
{
	const char *end = memchr(lines->at, '\n', lines->left), *name, *colon;

	if (end == NULL)
		return -1;
	name = end + 1;
	end = (const char *)lines->at + lines->left;
	colon = memchr(name, ':', (size_t)(end - name) < 64 ? (size_t)(end - name) : 64);
	return colon == NULL ? -1 : unity_class_of_name(name, (size_t)(colon - name));
}

/* The slack behind the window is 0, so that no end needs to be looked for. */
void unity_read_head(const struct unity_lines *lines, struct unity_document *document)
{
	const char *at = blanks((const char *)lines->at + 3);

	*document = (struct unity_document){.class_id = -1, .line = lines->line};
	if (strncmp(at, "!u!", 3) == 0)
		at = blanks(read_class(at + 3, &document->class_id));
	if (*at == '&') {
		const char *end = id_end(at + 1);

		unity_parse_id(at + 1, (size_t)(end - at - 1), &document->id);
		at = blanks(end);
	}
	document->stripped = strncmp(at, "stripped", 8) == 0;
	if (document->class_id < 0)
		document->class_id = class_below(lines);
}
