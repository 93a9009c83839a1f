/* clip_curves.c: the lists of an AnimationClip -> tracks. */
#include "format/unity/clip.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/count.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/track.h"
#include "format/unity/names.h"

/* --- Storing a track --- */

/* Attributes of a track; their keys come in order. */
struct track_attrs {
	struct anim_attr items[8];
	size_t count;
};

static void add_attr(struct track_attrs *attrs, const char *key, const char *value)
{
	attrs->items[attrs->count++] = (struct anim_attr){key, value};
}

static void note_last_key(struct unity_clip_reader *reader, const struct anim_track *track)
{
	for (size_t i = 0; i < track->n; i++)
		if (isfinite(track->time[i]) && track->time[i] > reader->last_s)
			reader->last_s = track->time[i];
}

/* Sets path, rules, attributes and what the times say, and stores the track of the node (of the list's item). 0 or -1. */
static int store_track(struct unity_clip_reader *reader, const struct unity_node *item, const char *path,
		       struct anim_track *track, const struct track_attrs *attrs)
{
	static const char *const texts[] = {"path", "m_Path", "attribute"};

	for (size_t i = 0; i < ANIM_COUNT(texts); i++) {
		const struct unity_node *text = unity_get(item, texts[i]);

		if (text != NULL && text->kind != UNITY_SCALAR)
			return unity_clip_fault(reader, text, "%s is not a text", texts[i]);
	}
	if (strlen(path) > ANIM_NAME_MAX || strlen(track->property) > ANIM_NAME_MAX)
		return unity_clip_fault(reader, item, "a path or attribute of more than %u bytes", ANIM_NAME_MAX);
	track->node = path[0] == '\0' ? "." : path;
	track->rules = ANIM_RULES_UNITY;
	track->attrs = (struct anim_attrs){attrs->items, attrs->count};
	if (!anim_times_are_sorted(track->time, track->n))
		track->flags |= ANIM_UNSORTED;
	if (strcmp(track->property, "@event") != 0)
		note_last_key(reader, track);
	if (anim_sink_track(anim_store_sink(reader->options->store), track, reader->error) != 0)
		return unity_clip_fault_again(reader, item);
	return 0;
}

/* --- What a float or PPtr curve animates --- */

/* What a curve's item says of its property. */
struct curve_name {
	struct unity_meaning meaning;
	char class_id[ANIM_NUMBER_MAX + 1], flags[ANIM_NUMBER_MAX + 1];
	const char *attribute, *script;
	bool keep_flags;
};

static void print_number(char text[ANIM_NUMBER_MAX + 1], int64_t number)
{
	text[anim_number_print_int64(text, number)] = '\0';
}

/* The reference of a script's curve as text, NULL where it is none. 0 or -1. */
static int read_script(struct unity_clip_reader *reader, const struct unity_node *item, const char **script)
{
	const struct unity_node *node = unity_get(item, "script");
	struct unity_reference reference;
	int status = unity_reference(node, &reference, reader->error);

	*script = NULL;
	if (status < 0)
		return unity_clip_fault_again(reader, node);
	if (status == 0 || reference.file_id == 0)
		return 0;
	*script = unity_flow_text(node, &reader->item, reader->error);
	return *script == NULL ? -1 : 0;
}

static int read_name(struct unity_clip_reader *reader, const struct unity_node *item, bool reference,
		     struct curve_name *name)
{
	int64_t class_id = 0, flags;

	name->attribute = unity_text(item, "attribute", "");
	if (unity_clip_integer(reader, item, "classID", &class_id) != 0 ||
	    read_script(reader, item, &name->script) != 0)
		return -1;
	flags = unity_default_flags(class_id, name->attribute);
	if (unity_clip_integer(reader, item, "flags", &flags) != 0)
		return -1;
	name->keep_flags = flags != unity_default_flags(class_id, name->attribute);
	print_number(name->class_id, class_id);
	print_number(name->flags, flags);
	return unity_name_read(class_id, name->attribute, reference, &name->meaning, &reader->item, reader->error);
}

static void add_name_attrs(struct track_attrs *attrs, const struct curve_name *name)
{
	const struct unity_meaning *meaning = &name->meaning;

	if (meaning->order != NULL)
		add_attr(attrs, "order", meaning->order);
	if (meaning->keep_attribute)
		add_attr(attrs, UNITY_ATTR_ATTRIBUTE, name->attribute);
	if (meaning->keep_class)
		add_attr(attrs, UNITY_ATTR_CLASS, name->class_id);
	if (name->keep_flags)
		add_attr(attrs, UNITY_ATTR_FLAGS, name->flags);
	if (meaning->humanoid != NULL)
		add_attr(attrs, UNITY_ATTR_HUMANOID, meaning->humanoid);
	if (name->script != NULL)
		add_attr(attrs, UNITY_ATTR_SCRIPT, name->script);
}

/* --- Curves --- */

/* Not the numbers of WrapMode: 0 ping-pong, 1 repeat, 2 clamp. */
static int read_end(struct unity_clip_reader *reader, const struct unity_node *map, const char *key, uint8_t *end)
{
	int64_t number = 2;

	if (unity_clip_integer(reader, map, key, &number) != 0)
		return -1;
	*end = number == 0   ? ANIM_EXTRAPOLATION_PINGPONG
	       : number == 1 ? ANIM_EXTRAPOLATION_LOOP
			     : ANIM_EXTRAPOLATION_HOLD;
	if (number >= 0 && number <= 2)
		return 0;
	return unity_clip_say(reader, ANIM_WARNING, unity_get(map, key), "unknown infinities are read as clamping",
			      "%s %lld is not known; read as 2, which clamps", key, (long long)number);
}

/* Before and after by m_PreInfinity and m_PostInfinity of a map. 0 or -1. */
static int read_ends(struct unity_clip_reader *reader, const struct unity_node *map, struct anim_track *track)
{
	if (read_end(reader, map, "m_PreInfinity", &track->pre) != 0)
		return -1;
	return read_end(reader, map, "m_PostInfinity", &track->post);
}

static bool has_nan(const float *numbers, size_t count)
{
	bool found = false;

	for (size_t i = 0; i < count; i++)
		found |= isnan(numbers[i]);
	return found;
}

static int check_slopes(struct unity_clip_reader *reader, const struct unity_node *item, const struct anim_track *track)
{
	size_t count = track->n * anim_types[track->type].components;

	if (!has_nan(track->left, count) && !has_nan(track->right, count))
		return 0;
	return unity_clip_say(reader, ANIM_WARNING, item,
			      "curves have slopes that are no numbers; they are played as steps",
			      "a slope that is no number; it is played as a step");
}

/* The columns, borrowed from the keys. 0, 1 after a fault, -1. */
static int fill_columns(struct unity_clip_reader *reader, const struct unity_node *item, const struct anim_track *keys,
			struct anim_track *track)
{
	unsigned components = anim_types[track->type].components, found = anim_types[keys->type].components;

	track->interp = keys->interp;
	track->n = keys->n;
	if (keys->n == 0)
		return 0;
	if (found != components)
		return unity_clip_fault(reader, item, "keys of %u components where %u are needed", found, components) !=
			       0
			   ? -1
			   : 1;
	memcpy(track->column, keys->column, sizeof track->column);
	return check_slopes(reader, item, track);
}

/* What `curve` says of a track whose type is set. 0, 1 after a fault, -1. */
static int read_curve(struct unity_clip_reader *reader, const struct unity_node *item, struct anim_track *track)
{
	const struct unity_node *curve = unity_get(item, "curve"), *keys = unity_get(curve, "m_Curve");
	static const struct anim_track none = {.interp = ANIM_HERMITE};

	track->kind = ANIM_CURVE;
	if (read_ends(reader, curve, track) != 0)
		return -1;
	if (keys != NULL && keys->kind == UNITY_KEYS)
		return fill_columns(reader, item, keys->keys, track);
	if (keys == NULL || keys->count == 0)
		return fill_columns(reader, item, &none, track);
	return unity_clip_fault(reader, keys, "m_Curve is no list of keys") != 0 ? -1 : 1;
}

static int read_vector(struct unity_clip_reader *reader, const struct unity_node *item, struct anim_track *track,
		       const struct track_attrs *attrs)
{
	int status = read_curve(reader, item, track);

	if (status != 0)
		return status < 0 ? -1 : 0;
	track->component = ANIM_WHOLE;
	return store_track(reader, item, unity_text(item, "path", ""), track, attrs);
}

static int read_rotation(struct unity_clip_reader *reader, const struct unity_node *item)
{
	struct anim_track track = {.type = ANIM_FLOATQ, .property = "rotation"};

	return read_vector(reader, item, &track, &(struct track_attrs){0});
}

static int read_position(struct unity_clip_reader *reader, const struct unity_node *item)
{
	struct anim_track track = {.type = ANIM_FLOAT3, .property = "position"};

	return read_vector(reader, item, &track, &(struct track_attrs){0});
}

static int read_scale(struct unity_clip_reader *reader, const struct unity_node *item)
{
	struct anim_track track = {.type = ANIM_FLOAT3, .property = "scale"};

	return read_vector(reader, item, &track, &(struct track_attrs){0});
}

static int read_euler(struct unity_clip_reader *reader, const struct unity_node *item)
{
	struct anim_track track = {.type = ANIM_FLOAT3, .property = "euler", .flags = ANIM_DEGREES};
	struct track_attrs attrs = {0};
	const struct unity_node *curve = unity_get(item, "curve");
	int64_t order = UNITY_ORDER_DEFAULT;

	if (unity_clip_integer(reader, curve, "m_RotationOrder", &order) != 0)
		return -1;
	if (unity_order_name(order) == NULL) {
		if (unity_clip_say(reader, ANIM_WARNING, unity_get(curve, "m_RotationOrder"),
				   "unknown rotation orders are read as ZXY",
				   "m_RotationOrder %lld is not known; read as 4 (ZXY)", (long long)order) != 0)
			return -1;
		order = UNITY_ORDER_DEFAULT;
	}
	add_attr(&attrs, "order", unity_order_name(order));
	return read_vector(reader, item, &track, &attrs);
}

static int read_float(struct unity_clip_reader *reader, const struct unity_node *item)
{
	struct anim_track track = {.type = ANIM_FLOAT};
	struct track_attrs attrs = {0};
	struct curve_name name;
	int status = read_name(reader, item, false, &name);

	if (status == 0)
		status = read_curve(reader, item, &track);
	if (status != 0)
		return status < 0 ? -1 : 0;
	track.property = name.meaning.property;
	track.component = name.meaning.component;
	track.flags |= name.meaning.flags;
	reader->clip->humanoid += name.meaning.humanoid != NULL;
	add_name_attrs(&attrs, &name);
	return store_track(reader, item, unity_text(item, "path", ""), &track, &attrs);
}

/* --- Bit-packed columns --- */

#define TIME_STEPS 100.0 /* a second */

int unity_packed_check(const struct unity_packed *packed, struct anim_error *error)
{
	size_t bytes = packed->digits / 2;

	if (packed->bits > 32)
		return anim_fail(error, ANIM_BAD_INPUT, "an m_BitSize of %u, at most 32 are possible", packed->bits);
	if (packed->digits % 2 != 0)
		return anim_fail(error, ANIM_BAD_INPUT, "m_Data with an odd number of digits");
	for (size_t i = 0; i < packed->digits; i++)
		if (anim_hex_digit(packed->data[i]) < 0)
			return anim_fail(error, ANIM_BAD_INPUT, "m_Data that is not hexadecimal");
	if (packed->bits > 0 && packed->count > (uint64_t)bytes * 8 / packed->bits)
		return anim_fail(error, ANIM_BAD_INPUT, "m_Data of %zu bytes for %llu items of %u bits", bytes,
				 (unsigned long long)packed->count, packed->bits);
	return 0;
}

static unsigned byte_at(const struct unity_packed *packed, uint64_t byte)
{
	return (unsigned)(anim_hex_digit(packed->data[2 * byte]) << 4 | anim_hex_digit(packed->data[2 * byte + 1]));
}

/* `width` bits from bit `at` on, the first of them the lowest. The data were checked to hold them. */
static uint32_t bits_at(const struct unity_packed *packed, uint64_t at, unsigned width)
{
	uint64_t value = 0;
	unsigned shift = (unsigned)(at % 8), have = 0;

	for (uint64_t byte = at / 8; have < shift + width; byte++, have += 8)
		value |= (uint64_t)byte_at(packed, byte) << have;
	return (uint32_t)((value >> shift) & (((uint64_t)1 << width) - 1));
}

int unity_packed_times(const struct unity_packed *packed, float *time_s, struct anim_error *error)
{
	uint64_t steps = 0;

	if (unity_packed_check(packed, error) != 0)
		return -1;
	for (uint64_t i = 0; i < packed->count; i++) {
		steps += bits_at(packed, i * packed->bits, packed->bits);
		time_s[i] = (float)((double)steps / TIME_STEPS);
	}
	return 0;
}

/* Three of the components in 9 or 10 bits; the largest is what is missing to length 1, its sign a bit of its own. */
static void unpack_quat(const struct unity_packed *packed, uint64_t at, float xyzw[4])
{
	uint32_t flags = bits_at(packed, at, 3);
	unsigned dropped = flags & 3;
	double q[4] = {0}, sum = 0, length;

	at += 3;
	for (unsigned j = 0; j < 4; j++) {
		unsigned width = j == (dropped + 1) % 4 ? 9 : 10;

		if (j == dropped)
			continue;
		q[j] = bits_at(packed, at, width) / (0.5 * ((1u << width) - 1)) - 1;
		sum += q[j] * q[j];
		at += width;
	}
	q[dropped] = sqrt(sum < 1 ? 1 - sum : 0);
	if (flags & 4)
		q[dropped] = -q[dropped];
	length = sqrt(sum + q[dropped] * q[dropped]);
	for (unsigned j = 0; j < 4; j++)
		xyzw[j] = (float)(q[j] / length);
}

int unity_packed_quats(const struct unity_packed *packed, float *xyzw, struct anim_error *error)
{
	struct unity_packed quats = *packed;

	quats.bits = UNITY_PACKED_QUAT_BITS;
	if (unity_packed_check(&quats, error) != 0)
		return -1;
	for (uint64_t i = 0; i < quats.count; i++)
		unpack_quat(&quats, i * UNITY_PACKED_QUAT_BITS, xyzw + 4 * i);
	return 0;
}

static void make_continuous(float *xyzw, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		float *to = xyzw + 4 * i;
		const float *from = to - 4;
		double dot = 0;

		for (unsigned j = 0; j < 4; j++)
			dot += (double)from[j] * to[j];
		for (unsigned j = 0; j < 4 && dot < 0; j++)
			to[j] = -to[j];
	}
}

void unity_packed_slopes(const float *time_s, float *xyzw, float *slopes, size_t n)
{
	make_continuous(xyzw, n);
	for (size_t i = 0; i < n; i++) {
		size_t before = i > 0 ? i - 1 : 0, after = i + 1 < n ? i + 1 : i;
		double duration = (double)time_s[after] - time_s[before];

		for (unsigned j = 0; j < 4; j++) {
			double change = (double)xyzw[4 * after + j] - xyzw[4 * before + j];

			slopes[4 * i + j] = duration > 0 ? (float)(change / duration) : 0;
		}
	}
}

/* --- Bit-packed rotations of legacy clips --- */

/* One packed vector of the item. 0, 1 after a fault, -1. */
static int read_packed(struct unity_clip_reader *reader, const struct unity_node *item, const char *name,
		       struct unity_packed *packed)
{
	const struct unity_node *map = unity_get(item, name), *data = unity_get(map, "m_Data");
	size_t faults = reader->options->diagnostics->faults;
	int64_t count = 0, bits = 0;

	*packed =
	    (struct unity_packed){.data = data != NULL ? data->text : "", .digits = data != NULL ? data->length : 0};
	if (unity_clip_integer(reader, map, "m_NumItems", &count) != 0 ||
	    unity_clip_integer(reader, map, "m_BitSize", &bits) != 0)
		return -1;
	if (count < 0 || count > ANIM_KEYS_MAX || bits < 0 || bits > 32)
		return unity_clip_fault(reader, map != NULL ? map : item, "%s of %lld items of %lld bits", name,
					(long long)count, (long long)bits) != 0
			   ? -1
			   : 1;
	packed->count = (uint64_t)count;
	packed->bits = (unsigned)bits;
	return reader->options->diagnostics->faults > faults;
}

struct columns {
	float *time, *value, *slopes;
};

/* Room for the keys; the values need four bytes of text each, so that their number is bounded by what is there. */
static int allocate(struct unity_clip_reader *reader, const struct unity_packed *values, struct columns *columns)
{
	struct unity_packed quats = *values;
	size_t n = (size_t)values->count;

	quats.bits = UNITY_PACKED_QUAT_BITS;
	if (unity_packed_check(&quats, reader->error) != 0)
		return -1;
	columns->time = anim_arena_zeroed(&reader->item, n, sizeof(float), reader->error);
	columns->value = anim_arena_zeroed(&reader->item, n, 4 * sizeof(float), reader->error);
	columns->slopes = anim_arena_zeroed(&reader->item, n, 4 * sizeof(float), reader->error);
	return columns->time == NULL || columns->value == NULL || columns->slopes == NULL ? -1 : 0;
}

static int unpack(struct unity_clip_reader *reader, const struct unity_packed *times, const struct unity_packed *values,
		  struct columns *columns)
{
	if (times->count != values->count)
		return anim_fail(reader->error, ANIM_BAD_INPUT, "m_Times has %llu items, m_Values %llu",
				 (unsigned long long)times->count, (unsigned long long)values->count);
	if (allocate(reader, values, columns) != 0 || unity_packed_times(times, columns->time, reader->error) != 0 ||
	    unity_packed_quats(values, columns->value, reader->error) != 0)
		return -1;
	unity_packed_slopes(columns->time, columns->value, columns->slopes, (size_t)values->count);
	return 0;
}

static int read_compressed(struct unity_clip_reader *reader, const struct unity_node *item)
{
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = ANIM_FLOATQ,
				   .property = "rotation",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_HERMITE};
	struct track_attrs attrs = {0};
	struct unity_packed times, values;
	struct columns columns = {NULL, NULL, NULL};
	int status = read_packed(reader, item, "m_Times", &times);

	if (status == 0)
		status = read_packed(reader, item, "m_Values", &values);
	if (status != 0)
		return status < 0 ? -1 : 0;
	if (unpack(reader, &times, &values, &columns) != 0)
		return unity_clip_fault_again(reader, item);
	if (read_ends(reader, item, &track) != 0 ||
	    unity_clip_say(reader, ANIM_NOTE, item,
			   "compressed rotation curves; their slopes are computed from neighbouring keys",
			   "a compressed rotation curve; its slopes are computed from neighbouring keys") != 0)
		return -1;
	track.n = (size_t)values.count;
	track.time = columns.time;
	track.value = columns.value;
	track.left = track.right = columns.slopes;
	add_attr(&attrs, UNITY_ATTR_COMPRESSED, "1");
	return store_track(reader, item, unity_text(item, "m_Path", ""), &track, &attrs);
}

/* --- PPtr curves, which step from one object to the next -> references as texts --- */

#define NOTHING "{fileID: 0}"

/* What stands behind the members of the reference: , path: "Assets/run.png", name: "run_3", index: 3 */
static int append_asset(struct anim_buffer *out, const struct unity_asset *asset, struct anim_error *error)
{
	char number[ANIM_NUMBER_MAX];

	if (anim_buffer_append_text(out, ", path: ", error) != 0 ||
	    anim_json_append(out, asset->path, strlen(asset->path), error) != 0)
		return -1;
	if (asset->sprite == NULL)
		return 0;
	if (anim_buffer_append_text(out, ", name: ", error) != 0 ||
	    anim_json_append(out, asset->sprite, strlen(asset->sprite), error) != 0)
		return -1;
	if (asset->index < 0)
		return 0;
	if (anim_buffer_append_text(out, ", index: ", error) != 0)
		return -1;
	return anim_buffer_append(out, number, anim_number_print_int64(number, asset->index), error);
}

/* 1: found in another file, 0: not, or it is in this one, -1. */
static int resolve(struct unity_clip_reader *reader, const struct unity_reference *reference, struct unity_asset *asset)
{
	const struct unity_clip_options *options = reader->options;

	if (options->resolve == NULL || reference->guid[0] == '\0')
		return 0;
	*asset = (struct unity_asset){.index = -1};
	return options->resolve(options->resolve_context, reference->guid, reference->file_id, asset, reader->error);
}

/* The text of one key. 0, 1 after a fault, -1. */
static int append_reference(struct unity_clip_reader *reader, const struct unity_node *value, float time_s,
			    struct anim_keys *keys)
{
	struct unity_reference reference;
	struct unity_asset asset;
	struct anim_buffer *bytes = &keys->texts.bytes;
	size_t start = bytes->size;
	const char *text = NOTHING;
	int status = unity_reference(value, &reference, reader->error), found = 0;

	if (status < 0)
		return unity_clip_fault_again(reader, value) != 0 ? -1 : 1;
	if (status > 0) {
		text = unity_flow_text(value, &reader->item, reader->error);
		found = text != NULL ? resolve(reader, &reference, &asset) : -1;
	}
	/* Members go in before the closing brace. */
	if (found < 0 || anim_buffer_append(bytes, text, strlen(text) - 1, reader->error) != 0)
		return -1;
	if (found > 0 && append_asset(bytes, &asset, reader->error) != 0)
		return -1;
	if (anim_buffer_append_text(bytes, "}", reader->error) != 0 ||
	    anim_keys_add_text(keys, time_s, start, ANIM_HOLD, reader->error) != 0)
		return unity_clip_fault_again(reader, value) != 0 ? -1 : 1;
	return 0;
}

/* All keys of the list. 0, 1 after a fault, -1. */
static int read_keys(struct unity_clip_reader *reader, const struct unity_node *list, struct anim_keys *keys)
{
	const struct unity_node *key = list != NULL && list->kind == UNITY_LIST ? list->first : NULL;
	int status = 0;

	for (; key != NULL && status == 0; key = key->next) {
		float time = 0;

		if (unity_clip_float(reader, key, "time", &time) != 0)
			return -1;
		status = append_reference(reader, unity_get(key, "value"), time, keys);
	}
	return status;
}

static int store(struct unity_clip_reader *reader, const struct unity_node *item, struct anim_keys *keys)
{
	struct anim_track track = {.kind = ANIM_DISCRETE};
	struct track_attrs attrs = {0};
	struct curve_name name;

	if (read_name(reader, item, true, &name) != 0)
		return -1;
	anim_keys_finish(keys, &track);
	track.property = name.meaning.property;
	track.component = name.meaning.component;
	add_attr(&attrs, "literal", "PPtr");
	add_name_attrs(&attrs, &name);
	return store_track(reader, item, unity_text(item, "path", ""), &track, &attrs);
}

static int read_pptr(struct unity_clip_reader *reader, const struct unity_node *item)
{
	struct anim_keys keys = {.type = ANIM_STRING};
	const struct unity_node *list = unity_get(item, "curve");
	int status = 0;

	if (list != NULL && list->kind != UNITY_LIST && list->count + list->length > 0)
		status = unity_clip_fault(reader, list, "the curve of a PPtr curve is no list of keys") != 0 ? -1 : 1;
	if (status == 0)
		status = read_keys(reader, list, &keys);
	if (status == 0)
		status = store(reader, item, &keys);
	anim_keys_clear(&keys);
	return status < 0 ? -1 : 0;
}

/* --- AnimationEvents -> one track of JSON objects --- */

/* Numbers that are not there are 0. 0 or -1. */
static int read_numbers(struct unity_clip_reader *reader, const struct unity_node *item, struct unity_event *event,
			float *time)
{
	if (unity_clip_float(reader, item, "time", time) != 0 ||
	    unity_clip_float(reader, item, "floatParameter", &event->number) != 0 ||
	    unity_clip_integer(reader, item, "intParameter", &event->integer) != 0)
		return -1;
	return unity_clip_integer(reader, item, "messageOptions", &event->options);
}

static int read_event(struct unity_clip_reader *reader, const struct unity_node *item)
{
	const struct unity_node *object = unity_get(item, "objectReferenceParameter");
	struct unity_event event = {.function = unity_text(item, "functionName", ""),
				    .data = unity_text(item, "data", "")};
	struct unity_reference reference = {0};
	struct anim_buffer *bytes = &reader->events.texts.bytes;
	size_t start = bytes->size;
	float time = 0;

	if (read_numbers(reader, item, &event, &time) != 0)
		return -1;
	if (unity_reference(object, &reference, reader->error) < 0 && unity_clip_fault_again(reader, object) != 0)
		return -1;
	event.file_id = reference.file_id;
	event.type = reference.type;
	event.guid = reference.guid[0] != '\0' ? reference.guid : NULL;
	if (unity_event_print(&event, bytes, reader->error) != 0)
		return -1;
	if (anim_keys_add_text(&reader->events, time, start, ANIM_HOLD, reader->error) != 0)
		return unity_clip_fault_again(reader, item);
	return 0;
}

int unity_clip_store_events(struct unity_clip_reader *reader)
{
	struct anim_track track = {.kind = ANIM_DISCRETE, .property = "@event", .component = ANIM_WHOLE};
	struct unity_node document = {.line = reader->clip->line, .column = 1};

	if (reader->events.n == 0 || reader->clip->faulty)
		return 0;
	anim_keys_finish(&reader->events, &track);
	return store_track(reader, &document, "", &track, &(struct track_attrs){0});
}

/* --- The lists --- */

static const struct unity_clip_list lists[] = {
    {"m_RotationCurves", true, read_rotation}, {"m_CompressedRotationCurves", true, read_compressed},
    {"m_EulerCurves", true, read_euler},       {"m_PositionCurves", true, read_position},
    {"m_ScaleCurves", true, read_scale},       {"m_FloatCurves", true, read_float},
    {"m_PPtrCurves", true, read_pptr},         {"m_EditorCurves", false, read_float},
    {"m_Events", false, read_event},
};

const struct unity_clip_list *unity_clip_list(const char *name)
{
	for (size_t i = 0; i < ANIM_COUNT(lists); i++)
		if (strcmp(lists[i].name, name) == 0)
			return &lists[i];
	return NULL;
}
