/* members.c: numbers, texts, arrays and objects of a document at the cursor. */
#include "format/gltf/members.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/text.h"

/* ---- where in the document, for messages ---- */

/* "animations[3].channels[7].target", as anim_json asks for it. */
static void print_path(const struct anim_json *json, char *out)
{
	const struct gltf_reading *r = (const struct gltf_reading *)json;
	size_t used = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < r->depth && used < ANIM_JSON_WHERE_MAX; i++) {
		const struct gltf_step *step = &r->steps[i];

		if (step->name != NULL)
			used += (size_t)snprintf(out + used, ANIM_JSON_WHERE_MAX - used, "%s%s", used > 0 ? "." : "",
						 step->name);
		if (step->element >= 0 && used < ANIM_JSON_WHERE_MAX)
			used += (size_t)snprintf(out + used, ANIM_JSON_WHERE_MAX - used, "[%lld]",
						 (long long)step->element);
	}
	if (json->member != NULL && used < ANIM_JSON_WHERE_MAX)
		snprintf(out + used, ANIM_JSON_WHERE_MAX - used, "%s%s", used > 0 ? "." : "", json->member);
}

int gltf_reading_begin(struct gltf_reading *r, struct anim_json_text *text, const struct gltf_source *source,
		       struct anim_error *error)
{
	ssize_t got;

	*r = (struct gltf_reading){.json = {.text = text, .where = print_path, .element = -1}, .source = source};
	anim_json_text_init(text, source->input, NULL);
	text->limit = source->size;
	got = anim_json_more(text, 3, error);
	if (got >= 3 && memcmp(text->at, "\xef\xbb\xbf", 3) == 0)
		text->at += 3;
	return got < 0 ? -1 : 0;
}

uint64_t gltf_cursor(const struct gltf_reading *r)
{
	return r->json.text->offset + (uint64_t)(r->json.text->at - r->json.text->window);
}

int gltf_refuse(struct gltf_reading *r, const struct anim_place *place, const char *what, struct anim_error *error)
{
	return anim_json_refuse(&r->json, place, error, "%s", what);
}

/* ---- objects by tables of their members, arrays element by element ---- */

void gltf_push(struct gltf_reading *r)
{
	assert(r->depth < GLTF_STEPS_MAX);
	r->steps[r->depth++] = (struct gltf_step){.element = -1};
	r->nesting++;
}

void gltf_pop(struct gltf_reading *r)
{
	r->depth--;
	r->nesting--;
}

int gltf_skip(struct gltf_reading *r, struct anim_error *error)
{
	int result = anim_json_skip(&r->json, r->nesting, error);

	r->json.member = NULL;
	return result;
}

static int take_number(struct gltf_reading *r, double *value, struct anim_error *error)
{
	return anim_json_take_number(&r->json, value, "a number", error);
}

/* "100.0" and "1e2" are whole numbers, too. */
int gltf_take_natural(struct gltf_reading *r, double most, uint64_t *value, struct anim_error *error)
{
	struct anim_place place = anim_json_here(&r->json);
	double number;

	if (take_number(r, &number, error) != 0)
		return -1;
	if (!(number >= 0) || number != floor(number))
		return gltf_refuse(r, &place, "a whole number, not below 0, is needed", error);
	if (number > most)
		return gltf_refuse(r, &place, "a number that is too large", error);
	*value = (uint64_t)number;
	return 0;
}

int gltf_take_index(struct gltf_reading *r, uint32_t *index, struct anim_error *error)
{
	uint64_t value;

	if (gltf_take_natural(r, (double)(GLTF_NONE - 1), &value, error) != 0)
		return -1;
	*index = (uint32_t)value;
	return 0;
}

int gltf_take_flag(struct gltf_reading *r, bool *flag, struct anim_error *error)
{
	ssize_t got = anim_json_more(r->json.text, 5, error);

	if (got < 0)
		return -1;
	*flag = anim_bytes_begin(r->json.text->at, (size_t)got, "true");
	if (!*flag && !anim_bytes_begin(r->json.text->at, (size_t)got, "false"))
		return anim_json_unexpected_here(&r->json, "true or false", error);
	r->json.text->at += *flag ? 4 : 5;
	return 0;
}

int gltf_take_text(struct gltf_reading *r, const char **text, struct anim_error *error)
{
	struct anim_place place = anim_json_here(&r->json);
	bool is_null;

	if (anim_json_take_string(&r->json, &r->json.name, &is_null, "a string", error) != 0)
		return -1;
	if (is_null)
		return gltf_refuse(r, &place, "a string is needed, found null", error);
	if (r->json.name.size > ANIM_NAME_MAX)
		return anim_json_refuse(&r->json, &place, error, "a text of %zu bytes, at most %u are allowed",
					r->json.name.size, ANIM_NAME_MAX);
	*text = anim_arena_text(&r->asset->arena, (const char *)r->json.name.data, r->json.name.size, error);
	return *text == NULL ? -1 : 0;
}

/* The array at the cursor; `take` takes an element. */
int gltf_take_array(struct gltf_reading *r, int (*take)(struct gltf_reading *, void *, struct anim_error *),
		    void *object, struct anim_error *error)
{
	struct gltf_step *step = &r->steps[r->depth - 1];
	bool first = true;
	int more, result = 0;

	if (anim_json_expect(&r->json, '[', "an array", error) != 0)
		return -1;
	r->nesting++;
	while (result == 0 && (more = anim_json_next_element(&r->json, &first, error)) == 1) {
		step->element++;
		result = take(r, object, error);
	}
	if (result != 0 || more != 0)
		return -1;
	step->element = -1;
	r->nesting--;
	return 0;
}

static int add_number(struct gltf_reading *r, void *run, struct anim_error *error)
{
	double value;
	float narrow;

	if (take_number(r, &value, error) != 0)
		return -1;
	narrow = (float)value;
	((struct gltf_run *)run)->count++;
	return anim_buffer_append(&r->asset->numbers, &narrow, sizeof narrow, error);
}

static int take_numbers(struct gltf_reading *r, struct gltf_run *run, struct anim_error *error)
{
	*run = (struct gltf_run){.first = GLTF_COUNT(r->asset, numbers, float)};
	return gltf_take_array(r, add_number, run, error);
}

static int add_index(struct gltf_reading *r, void *run, struct anim_error *error)
{
	uint32_t index;

	((struct gltf_run *)run)->count++;
	return gltf_take_index(r, &index, error) != 0
		   ? -1
		   : anim_buffer_append(&r->asset->indices, &index, sizeof index, error);
}

static int take_indices(struct gltf_reading *r, struct gltf_run *run, struct anim_error *error)
{
	*run = (struct gltf_run){.first = GLTF_COUNT(r->asset, indices, uint32_t)};
	return gltf_take_array(r, add_index, run, error);
}

/* So many numbers; they are told apart from others by their count alone. */
struct vector {
	float values[16];
	unsigned count;
};

static int add_lane(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct vector *vector = object;
	struct anim_place place = anim_json_here(&r->json);
	double value;

	if (take_number(r, &value, error) != 0)
		return -1;
	if (vector->count == ANIM_COUNT(vector->values))
		return gltf_refuse(r, &place, "more numbers than there may be", error);
	vector->values[vector->count++] = (float)value;
	return 0;
}

int gltf_take_vector(struct gltf_reading *r, float *out, unsigned count, struct anim_error *error)
{
	struct anim_place place = anim_json_here(&r->json);
	struct vector vector = {.count = 0};

	if (gltf_take_array(r, add_lane, &vector, error) != 0)
		return -1;
	if (vector.count != count)
		return anim_json_refuse(&r->json, &place, error, "%u numbers are needed, here are %u", count,
					vector.count);
	memcpy(out, vector.values, count * sizeof *out);
	return 0;
}

static int count_one(struct gltf_reading *r, void *count, struct anim_error *error)
{
	++*(uint32_t *)count;
	return gltf_skip(r, error);
}

static int take_count(struct gltf_reading *r, uint32_t *count, struct anim_error *error)
{
	*count = 0;
	return gltf_take_array(r, count_one, count, error);
}

static int take_member(struct gltf_reading *r, const struct gltf_member *member, void *object, struct anim_error *error)
{
	void *to = object == NULL ? NULL : (char *)object + member->at;

	switch (member->kind) {
	case GLTF_INDEX:
		return gltf_take_index(r, to, error);
	case GLTF_NATURAL:
		return gltf_take_natural(r, GLTF_NATURAL_MAX, to, error);
	case GLTF_FLAG:
		return gltf_take_flag(r, to, error);
	case GLTF_TEXT:
		return gltf_take_text(r, to, error);
	case GLTF_NUMBERS:
		return take_numbers(r, to, error);
	case GLTF_INDICES:
		return take_indices(r, to, error);
	case GLTF_VECTOR3:
		return gltf_take_vector(r, to, 3, error);
	case GLTF_VECTOR4:
		return gltf_take_vector(r, to, 4, error);
	case GLTF_AMOUNT:
		return take_count(r, to, error);
	default:
		return member->take(r, object, error);
	}
}

/* The row of that name, else the last one if it takes the others; NULL: none does. */
static const struct gltf_member *find_member(const struct gltf_member *members, const struct anim_buffer *name)
{
	for (; members->name != NULL; members++)
		if (strlen(members->name) == name->size && memcmp(members->name, name->data, name->size) == 0)
			return members;
	return members->take != NULL ? members : NULL;
}

int gltf_take_object(struct gltf_reading *r, const struct gltf_member *members, void *object, struct anim_error *error)
{
	bool first = true, is_first = true;
	uint64_t at;
	int more, result = 0;

	if (anim_json_expect(&r->json, '{', "an object", error) != 0)
		return -1;
	gltf_push(r);
	while (at = gltf_cursor(r), result == 0 && (more = anim_json_next_member(&r->json, &first, error)) == 1) {
		const struct gltf_member *member = find_member(members, &r->json.name);

		r->member_at = at;
		r->is_first = is_first;
		is_first = false;
		r->steps[r->depth - 1].name = member == NULL ? NULL : member->name;
		if (member != NULL)
			result = take_member(r, member, object, error);
		else
			result = gltf_skip(r, error);
	}
	if (result != 0 || more != 0)
		return -1;
	gltf_pop(r);
	return 0;
}
