/* describe.c: what a Unity text file holds beside animation clips, by the heads of its documents. */
#include <stdio.h>
#include <string.h>

#include "base/lines.h"
#include "format/unity/unity.h"

#define KINDS_MAX 6
#define NAME_SIZE 40

/* Documents by the names of their classes; those that have no place any more are counted together. */
struct documents {
	struct {
		char name[NAME_SIZE];
		size_t count;
	} kinds[KINDS_MAX];
	size_t kind_count, others, clips;
};

static void count(struct documents *documents, const char *name, size_t length)
{
	size_t i = 0;

	if (length >= NAME_SIZE)
		length = NAME_SIZE - 1;
	while (i < documents->kind_count &&
	       (strncmp(documents->kinds[i].name, name, length) != 0 || documents->kinds[i].name[length] != '\0'))
		i++;
	if (i == documents->kind_count && i == KINDS_MAX) {
		documents->others++;
		return;
	}
	if (i == documents->kind_count) {
		memcpy(documents->kinds[i].name, name, length);
		documents->kind_count++;
	}
	documents->kinds[i].count++;
}

static bool begins(const struct anim_lines *lines, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(lines->end - lines->at) >= length && memcmp(lines->at, text, length) == 0;
}

/* "--- !u!74 &7400000", then "AnimationClip:", which names the document. */
static int count_all(struct anim_lines *lines, struct documents *documents, struct anim_error *error)
{
	bool head = false;
	int got;

	while ((got = anim_lines_next(lines, error)) > 0) {
		const char *colon = memchr(lines->at, ':', (size_t)(lines->end - lines->at));

		if (head && begins(lines, "AnimationClip:"))
			documents->clips++;
		else if (head)
			count(documents, lines->at, (size_t)((colon == NULL ? lines->end : colon) - lines->at));
		head = begins(lines, "--- ");
	}
	return got;
}

static void print(const struct documents *documents, char *text, size_t capacity)
{
	size_t total = documents->kind_count + (documents->others > 0), used = 0;

	for (size_t i = 0; i < total && used < capacity; i++) {
		const char *between = i == 0 ? "" : i + 1 == total ? " and " : ", ";
		bool other = i == documents->kind_count;
		size_t number = other ? documents->others : documents->kinds[i].count;

		used += (size_t)snprintf(text + used, capacity - used, "%s%zu %s%s", between, number,
					 other ? "more" : documents->kinds[i].name, other || number == 1 ? "" : "s");
	}
}

int anim_unity_describe(struct anim_input *input, char *text, size_t capacity, struct anim_error *error)
{
	struct anim_lines lines = {.input = input};
	struct documents documents = {.clips = 0};

	text[0] = '\0';
	if (count_all(&lines, &documents, error) != 0)
		return -1;
	if (documents.clips + documents.kind_count == 0)
		snprintf(text, capacity, "Unity YAML without a clip");
	print(&documents, text, capacity);
	return 0;
}
