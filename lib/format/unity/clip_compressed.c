/* clip_compressed.c: m_CompressedRotationCurves, legacy clips' bit-packed rotations -> tracks. */
#include <string.h>

#include "base/limits.h"
#include "format/unity/clip_internal.h"
#include "format/unity/packed.h"

/* One packed vector of the item. 0, 1 after a fault, -1. */
static int read_packed(struct unity_clip_reader *reader, const struct unity_node *item, const char *name,
		       struct unity_packed *packed)
{
	const struct unity_node *map = unity_get(item, name), *data = unity_get(map, "m_Data");
	size_t faults = reader->options->losses->faults;
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
	return reader->options->losses->faults > faults;
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

int unity_clip_compressed(struct unity_clip_reader *reader, const struct unity_node *item)
{
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = ANIM_FLOATQ,
				   .property = "rotation",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_HERMITE};
	struct unity_track_attrs attrs = {0};
	struct unity_packed times, values;
	struct columns columns = {NULL, NULL, NULL};
	int status = read_packed(reader, item, "m_Times", &times);

	if (status == 0)
		status = read_packed(reader, item, "m_Values", &values);
	if (status != 0)
		return status < 0 ? -1 : 0;
	if (unpack(reader, &times, &values, &columns) != 0)
		return unity_clip_fault_again(reader, item);
	if (unity_clip_ends(reader, item, &track) != 0 ||
	    unity_clip_say(reader, ANIM_NOTE, item,
			   "compressed rotation curves; their slopes are computed from neighbouring keys",
			   "a compressed rotation curve; its slopes are computed from neighbouring keys") != 0)
		return -1;
	track.n = (size_t)values.count;
	track.time = columns.time;
	track.value = columns.value;
	track.left = track.right = columns.slopes;
	unity_track_attr(&attrs, UNITY_ATTR_COMPRESSED, "1");
	return unity_clip_store(reader, item, unity_text(item, "m_Path", ""), &track, &attrs);
}
