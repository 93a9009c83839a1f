/* writer_bindings.c: m_ClipBindingConstant, the table of curves that a player looks through first. */
#include <string.h>
#include <zlib.h>

#include "format/unity/writer_internal.h"

#define BLEND_SHAPE "blendShape."
#define CUSTOM_BLEND_SHAPE 20 /* the attribute is the CRC of the shape's own name */
#define ORDER_DEFAULT 4

static uint32_t crc_of(const char *text)
{
	return (uint32_t)crc32(0, (const unsigned char *)text, (unsigned)strlen(text));
}

/* False where no file told how the row of such a curve looks. */
static bool row_of(const struct anim_track *t, const struct unity_binding *binding, struct unity_generic_binding *row)
{
	static const uint32_t numbers[] = {[UNITY_POSITION_CURVES] = 1,
					   [UNITY_ROTATION_CURVES] = 2,
					   [UNITY_SCALE_CURVES] = 3,
					   [UNITY_EULER_CURVES] = 4};
	const char *order = anim_attrs_get(&t->attrs, "order");
	int number = order == NULL ? -1 : unity_order_number(order);

	if (binding->list != UNITY_FLOAT_CURVES && binding->list != UNITY_PPTR_CURVES) {
		row->class_id = UNITY_TRANSFORM;
		row->attribute = numbers[binding->list];
		if (binding->list == UNITY_EULER_CURVES)
			row->custom = number < 0 ? ORDER_DEFAULT : number;
		return true;
	}
	row->class_id = (int32_t)binding->class_id;
	if (binding->class_id == UNITY_GAME_OBJECT && strcmp(binding->attribute, "m_IsActive") == 0) {
		row->attribute = crc_of(binding->attribute);
		return true;
	}
	if (binding->class_id != UNITY_SKINNED_MESH_RENDERER ||
	    strncmp(binding->attribute, BLEND_SHAPE, sizeof BLEND_SHAPE - 1) != 0)
		return false;
	row->attribute = crc_of(binding->attribute + sizeof BLEND_SHAPE - 1);
	row->custom = CUSTOM_BLEND_SHAPE;
	return true;
}

int unity_bindings_add(struct unity_writer *writer, const struct anim_track *t, const struct unity_binding *binding,
		       const char *path, struct anim_error *error)
{
	struct unity_generic_binding row = {.path = crc_of(path)};

	if (path[0] == '\0' && binding->list != UNITY_FLOAT_CURVES && binding->list != UNITY_PPTR_CURVES)
		writer->root_moves = true;
	if (!row_of(t, binding, &row)) {
		writer->unknown_binding = true;
		return 0;
	}
	return anim_buffer_append(&writer->bindings, &row, sizeof row, error);
}

static void print_row(struct anim_print *print, const struct unity_generic_binding *row)
{
	anim_print_text(print, "    - serializedVersion: 2\n      path: ");
	anim_print_uint64(print, row->path);
	anim_print_text(print, "\n      attribute: ");
	anim_print_uint64(print, row->attribute);
	anim_print_text(print, "\n      script: {fileID: 0}\n      typeID: ");
	anim_print_int64(print, row->class_id);
	anim_print_text(print, "\n      customType: ");
	anim_print_int64(print, row->custom);
	anim_print_text(print, "\n      isPPtrCurve: 0\n");
}

/* All rows or none: an incomplete table is worse than none, which the editor fills. */
void unity_bindings_print(const struct unity_writer *writer, struct anim_print *print)
{
	const struct unity_generic_binding *rows = (const void *)writer->bindings.data;
	size_t count = writer->unknown_binding ? 0 : writer->bindings.size / sizeof *rows;

	anim_print_text(print, "  m_ClipBindingConstant:\n    genericBindings:");
	anim_print_text(print, count == 0 ? " []\n" : "\n");
	for (size_t i = 0; i < count && !print->failed; i++)
		print_row(print, &rows[i]);
	anim_print_text(print, "    pptrCurveMapping:");
	anim_print_text(print, writer->mapping.size == 0 ? " []\n" : "\n");
	anim_print_bytes(print, writer->mapping.data, writer->mapping.size);
}
