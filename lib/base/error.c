/* error.c: fills errors with a message and a place. */
#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/system.h"
#include "base/text.h"

int anim_fail_va(struct anim_error *error, int code, const struct anim_place *place, const char *format, va_list args)
{
	if (error == NULL)
		return -1;
	error->code = code;
	error->sys = 0;
	vsnprintf(error->message, sizeof error->message, format, args);
	error->file[0] = '\0';
	error->at = ANIM_AT_FILE;
	error->line = error->column = 0;
	error->offset = 0;
	if (place == NULL)
		return -1;
	error->at = place->at;
	error->line = place->line;
	error->column = place->column;
	error->offset = place->offset;
	return place->file == NULL ? -1 : anim_error_in_file(error, place->file);
}

int anim_fail(struct anim_error *error, int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	anim_fail_va(error, code, NULL, format, args);
	va_end(args);
	return -1;
}

int anim_fail_at(struct anim_error *error, int code, const struct anim_place *place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	anim_fail_va(error, code, place, format, args);
	va_end(args);
	return -1;
}

int anim_fail_system(struct anim_error *error, const char *format, ...)
{
	va_list args;
	char reason[128] = "";
	int sys = errno;
	size_t used;

	if (error == NULL)
		return -1;
	if (sys == ENOMEM) {
		anim_fail_memory(error);
		error->sys = sys;
		return -1;
	}
	va_start(args, format);
	anim_fail_va(error, sys == EPIPE ? ANIM_CLOSED : ANIM_SYSTEM, NULL, format, args);
	va_end(args);
	error->sys = sys;
	used = strlen(error->message);
	anim_sys_reason(sys, reason, sizeof reason);
	snprintf(error->message + used, sizeof error->message - used, ": %s", reason);
	return -1;
}

int anim_fail_memory(struct anim_error *error)
{
	return anim_fail(error, ANIM_NO_MEMORY, "out of memory");
}

struct printed_line {
	char *text;
	size_t used, capacity;
};

static void add_safe(struct printed_line *line, const char *text)
{
	size_t room = line->capacity - line->used;
	size_t need = anim_text_safe(line->text + line->used, room, text, strlen(text));

	line->used += need < room ? need : strlen(line->text + line->used);
}

void anim_error_print(const struct anim_error *place, const char *kind, const char *text, char *out, size_t capacity)
{
	struct printed_line line = {out, 0, capacity};
	char numbers[64] = ": ";

	out[0] = '\0';
	if (place != NULL && (place->file[0] != '\0' || place->at != ANIM_AT_FILE)) {
		add_safe(&line, place->file[0] == '\0' ? "-" : place->file);
		if (place->at == ANIM_AT_LINE)
			snprintf(numbers, sizeof numbers, ":%u:%u: ", place->line, place->column);
		else if (place->at != ANIM_AT_FILE)
			snprintf(numbers, sizeof numbers, ": byte %llu%s: ", (unsigned long long)place->offset,
				 place->at == ANIM_AT_UNPACKED ? " of the uncompressed data" : "");
		add_safe(&line, numbers);
	}
	if (kind != NULL) {
		add_safe(&line, kind);
		add_safe(&line, ": ");
	}
	add_safe(&line, text);
}

bool anim_error_is_of_input(const struct anim_error *error)
{
	return error->code == ANIM_BAD_INPUT || error->code == ANIM_TOO_LARGE || error->code == ANIM_UNSUPPORTED ||
	       error->code == ANIM_SEVERAL;
}

int anim_error_at(struct anim_error *error, const struct anim_place *place)
{
	char message[sizeof error->message];
	int code = error->code;

	if (!anim_error_is_of_input(error))
		return -1;
	memcpy(message, error->message, sizeof message);
	return anim_fail_at(error, code, place, "%s", message);
}

int anim_error_in_file(struct anim_error *error, const char *file)
{
	if (error != NULL && error->file[0] == '\0')
		snprintf(error->file, sizeof error->file, "%s", file);
	return -1;
}
