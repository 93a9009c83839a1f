/* losses.c: counts what could not be kept, by kind. */
#include "clip/losses.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"

/* Entries that stand alone are kept up to here; a file with more of them gets one line that counts the rest. */
#define ALONE_MAX 1000u
static const char further_warnings[] = "further warnings", further_notes[] = "further notes";

__attribute__((format(printf, 1, 0))) static char *print_text(const char *format, va_list args)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (length < 0 || (text = malloc((size_t)length + 1)) == NULL)
		return NULL;
	vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

static struct anim_loss *find_entry(struct anim_losses *losses, enum anim_severity severity, const char *many)
{
	if (many == NULL)
		return NULL;
	for (size_t i = 0; i < losses->count; i++) {
		struct anim_loss *item = &losses->items[i];

		if (item->severity == severity && item->many != NULL && strcmp(item->many, many) == 0)
			return item;
	}
	return NULL;
}

/* Room for one more entry, all zero; not counted yet. */
static struct anim_loss *new_entry(struct anim_losses *losses, struct anim_error *error)
{
	if (losses->count == losses->capacity) {
		size_t capacity = losses->capacity == 0 ? 8 : losses->capacity * 2;
		struct anim_loss *items = realloc(losses->items, capacity * sizeof *items);

		if (items == NULL) {
			anim_fail_memory(error);
			return NULL;
		}
		losses->items = items;
		losses->capacity = capacity;
	}
	memset(&losses->items[losses->count], 0, sizeof *losses->items);
	return &losses->items[losses->count];
}

__attribute__((format(printf, 5, 0))) static int fill_entry(struct anim_loss *item, enum anim_severity severity,
							    const struct anim_place *place, const char *many,
							    const char *format, va_list args)
{
	item->severity = severity;
	item->many = many;
	item->one = print_text(format, args);
	if (item->one == NULL)
		return -1;
	if (place == NULL)
		return 0;
	item->place = *place;
	item->place.file = NULL;
	if (place->file != NULL && (item->place.file = strdup(place->file)) == NULL) {
		free(item->one);
		return -1;
	}
	return 0;
}

/* Counts one; *entry is where it was counted. */
__attribute__((format(printf, 7, 0))) static int add_entry(struct anim_losses *losses, enum anim_severity severity,
							   const struct anim_place *place, const char *many,
							   struct anim_loss **entry, struct anim_error *error,
							   const char *format, va_list args)
{
	struct anim_loss *item;

	if (severity == ANIM_FAULT && losses->faults >= ANIM_FAULTS_SHOWN)
		return anim_fail_at(error, ANIM_BAD_INPUT, place, "too many faults, more than %d", ANIM_FAULTS_SHOWN);
	if (many == NULL && severity != ANIM_FAULT && losses->count >= ALONE_MAX)
		many = severity == ANIM_WARNING ? further_warnings : further_notes;
	item = find_entry(losses, severity, many);
	if (item == NULL) {
		item = new_entry(losses, error);
		if (item == NULL)
			return -1;
		if (fill_entry(item, severity, place, many, format, args) != 0)
			return anim_fail_memory(error);
		losses->count++;
	}
	item->count++;
	losses->last = (size_t)(item - losses->items);
	losses->faults += severity == ANIM_FAULT;
	losses->warnings += severity == ANIM_WARNING;
	*entry = item;
	return 0;
}

int anim_losses_add(struct anim_losses *losses, enum anim_severity severity, const struct anim_place *place,
		    const char *many, struct anim_error *error, const char *one, ...)
{
	struct anim_loss *entry;
	va_list args;
	int result;

	va_start(args, one);
	result = add_entry(losses, severity, place, many, &entry, error, one, args);
	va_end(args);
	return result;
}

int anim_losses_add_error(struct anim_losses *losses, const char *many, double off, const char *unit,
			  struct anim_error *error, const char *one, ...)
{
	struct anim_loss *entry;
	va_list args;
	int result;

	va_start(args, one);
	result = add_entry(losses, ANIM_WARNING, NULL, many, &entry, error, one, args);
	va_end(args);
	if (result != 0)
		return result;
	if (entry->unit == NULL || off > entry->worst)
		entry->worst = off;
	entry->unit = unit;
	return 0;
}

/* Cut between characters, with dots. */
static char *copy_name(const char *text)
{
	size_t length = strlen(text);
	bool cut = length > ANIM_LOSS_NAME_BYTES;
	char *name;

	if (cut)
		length = anim_utf8_prefix(text, ANIM_LOSS_NAME_BYTES);
	name = malloc(length + sizeof "...");
	if (name == NULL)
		return NULL;
	memcpy(name, text, length);
	memcpy(name + length, cut ? "..." : "", cut ? sizeof "..." : 1);
	return name;
}

/* Notes a name, owned from now on. */
static void take_name(struct anim_loss *item, char *name)
{
	bool known = false;

	for (size_t i = 0; i < item->name_count && !known; i++)
		known = strcmp(item->names[i], name) == 0;
	item->named += known || item->name_count < ANIM_LOSS_NAMES;
	if (known || item->name_count == ANIM_LOSS_NAMES)
		free(name);
	else
		item->names[item->name_count++] = name;
}

int anim_losses_name(struct anim_losses *losses, struct anim_error *error, const char *name, ...)
{
	va_list args;
	char *text, *copy;

	va_start(args, name);
	text = print_text(name, args);
	va_end(args);
	copy = text == NULL ? NULL : copy_name(text);
	free(text);
	if (copy == NULL)
		return anim_fail_memory(error);
	take_name(&losses->items[losses->last], copy);
	return 0;
}

int anim_losses_check(const struct anim_losses *losses, struct anim_error *error)
{
	if (losses == NULL)
		return 0;
	if (losses->faults > 0)
		return anim_fail(error, ANIM_BAD_INPUT, "%zu %s", losses->faults,
				 losses->faults == 1 ? "fault" : "faults");
	if (losses->strict && losses->warnings > 0)
		return anim_fail(error, ANIM_STRICT, "stopped by --strict: %zu %s", losses->warnings,
				 losses->warnings == 1 ? "warning" : "warnings");
	return 0;
}

void anim_losses_forgive(struct anim_losses *losses)
{
	for (size_t i = 0; i < losses->count; i++)
		if (losses->items[i].severity == ANIM_FAULT)
			losses->items[i].severity = ANIM_WARNING;
	losses->warnings += losses->faults;
	losses->faults = 0;
}

void anim_losses_clear(struct anim_losses *losses)
{
	for (size_t i = 0; i < losses->count; i++) {
		free(losses->items[i].one);
		for (size_t k = 0; k < losses->items[i].name_count; k++)
			free(losses->items[i].names[k]);
		free((char *)losses->items[i].place.file);
	}
	free(losses->items);
	memset(losses, 0, sizeof *losses);
}
