/* reader_fields.c: the members of a JSON object as fields of the model. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "format/json/reader.h"

int jsonl_needs(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member)
{
	if (object->value[member] != NULL)
		return 0;
	return jsonl_fail(reader, object->at, "the member \"%s\" is missing", object->names[member]);
}

/* Goes to a member's value; false where there is none. */
static bool go_to(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member)
{
	if (object->value[member] == NULL)
		return false;
	reader->at = object->value[member];
	return true;
}

int jsonl_text_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member, const char **text)
{
	return go_to(reader, object, member) ? jsonl_text(reader, ANIM_NAME_MAX, text) : 0;
}

int jsonl_word_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member,
		  const char *const *names, unsigned count, uint8_t *number)
{
	return go_to(reader, object, member) ? jsonl_word(reader, names, count, number) : 0;
}

int jsonl_bits_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member,
		  const char *const *names, unsigned count, unsigned *bits)
{
	bool first = true;
	uint8_t number;
	int more;

	if (!go_to(reader, object, member))
		return 0;
	if (jsonl_expect(reader, '[') != 0)
		return -1;
	*bits = 0;
	while ((more = jsonl_next_element(reader, &first)) == 1) {
		if (jsonl_word(reader, names, count, &number) != 0)
			return -1;
		*bits |= 1u << number;
	}
	return more;
}

int jsonl_float_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member, float *value)
{
	return go_to(reader, object, member) ? jsonl_float(reader, value) : 0;
}

int jsonl_double_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member, double *value)
{
	return go_to(reader, object, member) ? jsonl_double(reader, value) : 0;
}

int jsonl_count_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member, uint64_t most,
		   uint64_t *value)
{
	if (!go_to(reader, object, member) || jsonl_accept_null(reader))
		return 0;
	return jsonl_count(reader, most, value);
}

int jsonl_floats_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member, float *numbers,
		    unsigned count)
{
	if (!go_to(reader, object, member))
		return 0;
	for (unsigned i = 0; i < count; i++)
		if (jsonl_expect(reader, i == 0 ? '[' : ',') != 0 || jsonl_float(reader, &numbers[i]) != 0)
			return -1;
	return jsonl_expect(reader, ']');
}

int jsonl_rate_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member, uint32_t *num,
		  uint32_t *den)
{
	static const char *const names[] = {"num", "den", NULL};
	struct jsonl_object rate;
	uint64_t numbers[2] = {0, 0};

	if (!go_to(reader, object, member) || jsonl_accept_null(reader))
		return 0;
	if (jsonl_members(reader, names, &rate) != 0 || jsonl_needs(reader, &rate, 0) != 0 ||
	    jsonl_needs(reader, &rate, 1) != 0 || jsonl_count_of(reader, &rate, 0, UINT32_MAX, &numbers[0]) != 0 ||
	    jsonl_count_of(reader, &rate, 1, UINT32_MAX, &numbers[1]) != 0)
		return -1;
	*num = (uint32_t)numbers[0];
	*den = (uint32_t)numbers[1];
	return 0;
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(((const struct anim_attr *)a)->key, ((const struct anim_attr *)b)->key);
}

static int take_attr(struct jsonl_reader *reader)
{
	struct anim_attr *attr = anim_buffer_extend(&reader->attrs, sizeof *attr, reader->error);

	if (attr == NULL || jsonl_text(reader, ANIM_NAME_MAX, &attr->key) != 0 || jsonl_expect(reader, ':') != 0)
		return -1;
	return jsonl_text(reader, ANIM_TEXT_MAX, &attr->value);
}

/* Members of an object have no order, attributes have. */
int jsonl_attrs_of(struct jsonl_reader *reader, const struct jsonl_object *object, unsigned member,
		   struct anim_attrs *attrs)
{
	reader->attrs.size = 0;
	attrs->count = 0;
	if (!go_to(reader, object, member))
		return 0;
	if (jsonl_expect(reader, '{') != 0)
		return -1;
	while (!jsonl_accept(reader, '}')) {
		if (attrs->count == ANIM_ATTRS_MAX)
			return jsonl_fail(reader, reader->at, "more than %u attributes", ANIM_ATTRS_MAX);
		if ((attrs->count > 0 && jsonl_expect(reader, ',') != 0) || take_attr(reader) != 0)
			return -1;
		attrs->count++;
	}
	if (attrs->count > 0)
		qsort(reader->attrs.data, attrs->count, sizeof(struct anim_attr), compare_keys);
	attrs->items = (const struct anim_attr *)(const void *)reader->attrs.data;
	return 0;
}
