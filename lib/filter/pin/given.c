/* given.c: read the contacts that a user gives. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "filter/pin/pin.h"

#define FIELDS 3

struct field {
	const char *at;
	size_t length;
};

static bool read_time(const struct field *field, double *out)
{
	return field->length > 0 && anim_number_typed(field->at, field->length, out) == field->length;
}

static int read_line(struct anim_pin_contacts *contacts, const struct anim_lines *lines, struct anim_error *error)
{
	const struct anim_place place = anim_lines_place(lines, lines->at);
	struct anim_pin_contact contact = {.place = place};
	struct field fields[FIELDS] = {{0}};

	/* Split a line at its commas, and remove blanks around the fields. */
	const char *at = lines->at;
	unsigned count = 0;

	for (const char *next = at; next != NULL; count++) {
		const char *comma = memchr(at, ',', (size_t)(lines->end - at)),
			   *stop = comma != NULL ? comma : lines->end;

		while (at < stop && (*at == ' ' || *at == '\t'))
			at++;
		while (stop > at && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r'))
			stop--;
		if (count < FIELDS)
			fields[count] = (struct field){at, (size_t)(stop - at)};
		next = comma;
		at = comma != NULL ? comma + 1 : lines->end;
	}

	if (count == 1 && fields[0].length == 0)
		return 0;
	if (count != FIELDS)
		return anim_fail_at(error, ANIM_BAD_INPUT, &place,
				    "a line has %u fields instead of three, which are bone,from,to", count);
	if (lines->number == 1 && fields[1].length == 4 && strncasecmp(fields[1].at, "from", 4) == 0 &&
	    fields[2].length == 2 && strncasecmp(fields[2].at, "to", 2) == 0)
		return 0;
	if (fields[0].length == 0 || !read_time(&fields[1], &contact.from_s) || !read_time(&fields[2], &contact.to_s))
		return anim_fail_at(error, ANIM_BAD_INPUT, &place,
				    "a contact needs a bone and two times in seconds, as in LeftFoot,0.5,1.2");
	if (!(contact.from_s <= contact.to_s))
		return anim_fail_at(error, ANIM_BAD_INPUT, &place, "a contact ends before it begins");
	contact.bone = anim_arena_text(&contacts->arena, fields[0].at, fields[0].length, error);
	contact.place.file = anim_arena_text(&contacts->arena, place.file, strlen(place.file), error);
	if (contact.bone == NULL || contact.place.file == NULL)
		return -1;
	return anim_buffer_append(&contacts->items, &contact, sizeof contact, error);
}

/* Contacts of a bone must come in the order of time. With equal times, messages need a fixed order. */
static int compare_contacts(const void *a, const void *b)
{
	const struct anim_pin_contact *x = a, *y = b;

	if (x->from_s != y->from_s)
		return x->from_s < y->from_s ? -1 : 1;
	return (x->place.line > y->place.line) - (x->place.line < y->place.line);
}

int anim_pin_contacts_read(struct anim_pin_contacts *contacts, struct anim_input *input, struct anim_error *error)
{
	struct anim_lines lines = {.input = input};
	int result;

	while ((result = anim_lines_next(&lines, error)) > 0)
		if (read_line(contacts, &lines, error) != 0)
			return -1;
	if (result == 0 && contacts->items.size > 0)
		qsort(contacts->items.data, contacts->items.size / sizeof(struct anim_pin_contact),
		      sizeof(struct anim_pin_contact), compare_contacts);
	return result;
}

void anim_pin_contacts_clear(struct anim_pin_contacts *contacts)
{
	anim_buffer_clear(&contacts->items);
	anim_arena_clear(&contacts->arena);
}
