/* keys_node.c: one key out of the map that describes it: the plain way. */
#include <string.h>

#include "base/limits.h"
#include "format/unity/keys_columns.h"

/* One key's numbers, lane by lane. */
struct key {
	float time, lanes[UNITY_COLUMN_COUNT][UNITY_LANES_MAX];
	struct unity_key_rest rest;
	unsigned value_lanes;
};

struct reading {
	const struct unity_node *map, **culprit;
	struct anim_error *error;
};

/* The last member of that name, to be blamed for what goes wrong with it. */
static const struct unity_node *blame(const struct reading *reading, const char *name)
{
	const struct unity_node *node = unity_get(reading->map, name);

	*reading->culprit = node != NULL ? node : reading->map;
	return node;
}

/* A member that is one number or a map of them; `otherwise` in lanes that are not there. *count: how many it has. */
static int read_lanes(const struct reading *reading, const char *name, float otherwise, float lanes[UNITY_LANES_MAX],
		      unsigned *count)
{
	const struct unity_node *node = blame(reading, name);

	for (unsigned i = 0; i < UNITY_LANES_MAX; i++)
		lanes[i] = otherwise;
	*count = 0;
	if (node == NULL)
		return 0;
	if (node->kind == UNITY_MAP)
		return unity_vector(reading->map, name, lanes, count, reading->error);
	*count = node->length > 0;
	return unity_float(reading->map, name, lanes, reading->error);
}

static int read_vectors(const struct reading *reading, struct key *key)
{
	static const struct {
		const char *name;
		enum unity_column column;
		float otherwise;
	} members[] = {{"value", UNITY_VALUE, 0},
		       {"inSlope", UNITY_LEFT, 0},
		       {"outSlope", UNITY_RIGHT, 0},
		       {"inWeight", UNITY_LEFT_X, UNITY_WEIGHT},
		       {"outWeight", UNITY_RIGHT_X, UNITY_WEIGHT}};

	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		unsigned count;

		if (read_lanes(reading, members[i].name, members[i].otherwise, key->lanes[members[i].column], &count) <
		    0)
			return -1;
		if (members[i].column == UNITY_VALUE)
			key->value_lanes = count == 0 ? 1 : count;
		else if (count > key->value_lanes)
			return anim_fail(reading->error, ANIM_BAD_INPUT, "%s has %u components, the value %u",
					 members[i].name, count, key->value_lanes);
	}
	return 0;
}

/* An integer member that fits 32 bits, of either sign. 0 or -1. */
static int read_bits(const struct reading *reading, const char *name, int64_t *value)
{
	blame(reading, name);
	if (unity_int64(reading->map, name, value, reading->error) < 0)
		return -1;
	if (*value < INT32_MIN || *value > UINT32_MAX)
		return anim_fail(reading->error, ANIM_BAD_INPUT, "%s is out of range", name);
	return 0;
}

static int read_rest(const struct reading *reading, struct unity_key_rest *rest)
{
	int64_t version = 1, hint = 0, weighted = 0;

	if (read_bits(reading, "serializedVersion", &version) != 0 || read_bits(reading, "tangentMode", &hint) != 0 ||
	    read_bits(reading, "weightedMode", &weighted) != 0)
		return -1;
	rest->version = version < 1 ? 1 : version > UINT8_MAX ? UINT8_MAX : (uint8_t)version;
	rest->hint = (uint32_t)hint;
	rest->weighted = (uint8_t)(weighted & 3);
	return 0;
}

static bool has_weights(const struct key *key)
{
	for (unsigned i = 0; i < key->value_lanes; i++)
		if (key->lanes[UNITY_LEFT_X][i] != UNITY_WEIGHT || key->lanes[UNITY_RIGHT_X][i] != UNITY_WEIGHT)
			return true;
	return false;
}

static unsigned needs(const struct unity_columns *columns, const struct key *key)
{
	return (has_weights(key) ? UNITY_WITH_WEIGHTS : 0u) | (key->rest.hint != 0 ? UNITY_WITH_HINTS : 0u) |
	       (key->rest.weighted != 0 ? UNITY_WITH_MODES : 0u) |
	       (key->rest.version != columns->version ? UNITY_WITH_VERSIONS : 0u);
}

static int store(struct unity_columns *columns, const struct key *key, struct anim_error *error)
{
	size_t row = columns->lanes * sizeof(float);
	int floats = columns->with & UNITY_WITH_WEIGHTS ? UNITY_COLUMN_COUNT : UNITY_LEFT_X;

	if (anim_buffer_append(&columns->column[UNITY_TIME], &key->time, sizeof(float), error) != 0)
		return -1;
	for (int i = UNITY_VALUE; i < floats; i++)
		if (anim_buffer_append(&columns->column[i], key->lanes[i], row, error) != 0)
			return -1;
	if (columns->with & UNITY_WITH_HINTS &&
	    anim_buffer_append(&columns->hints, &key->rest.hint, sizeof key->rest.hint, error) != 0)
		return -1;
	if (columns->with & UNITY_WITH_MODES && anim_buffer_append(&columns->modes, &key->rest.weighted, 1, error) != 0)
		return -1;
	if (columns->with & UNITY_WITH_VERSIONS &&
	    anim_buffer_append(&columns->versions, &key->rest.version, 1, error) != 0)
		return -1;
	columns->n++;
	return 0;
}

int unity_columns_add(struct unity_columns *columns, const struct unity_node *node, const struct unity_node **culprit,
		      struct anim_error *error)
{
	struct reading reading = {.map = node, .culprit = culprit, .error = error};
	struct key key = {0};

	*culprit = node;
	if (node->kind != UNITY_MAP)
		return anim_fail(error, ANIM_BAD_INPUT, "a key that is no map of its members");
	if (columns->n == ANIM_KEYS_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "more than %u keys", ANIM_KEYS_MAX);
	blame(&reading, "time");
	if (unity_float(node, "time", &key.time, error) < 0 || read_vectors(&reading, &key) != 0 ||
	    read_rest(&reading, &key.rest) != 0)
		return -1;
	blame(&reading, "value");
	if (columns->n > 0 && key.value_lanes != columns->lanes)
		return anim_fail(error, ANIM_BAD_INPUT, "a key of %u components behind keys of %u", key.value_lanes,
				 columns->lanes);
	columns->lanes = key.value_lanes;
	if (columns->n == 0) {
		columns->line = node->line;
		columns->version = key.rest.version;
	}
	if (unity_columns_widen(columns, needs(columns, &key), error) != 0)
		return -1;
	return store(columns, &key, error);
}
