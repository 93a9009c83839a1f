/* members.c: what JSON says of a track or its attributes, wherever it is printed. */
#include "clip/members.h"

void anim_print_attrs_member(struct anim_print *print, const struct anim_attrs *attrs)
{
	anim_print_member(print, "attributes");
	anim_print_text(print, "{");
	for (size_t i = 0; i < attrs->count; i++) {
		anim_print_text(print, i == 0 ? "" : ",");
		anim_print_json_text(print, attrs->items[i].key);
		anim_print_text(print, ":");
		anim_print_json_text(print, attrs->items[i].value);
	}
	anim_print_text(print, "}");
}

void anim_print_track_members(struct anim_print *print, const struct anim_track *track)
{
	anim_print_text(print, "\"node\":");
	anim_print_json_text(print, track->node);
	anim_print_text_member(print, "property", track->property);
	anim_print_member(print, "component");
	if (track->component == ANIM_WHOLE)
		anim_print_text(print, "null");
	else
		anim_print_uint64(print, track->component);
	anim_print_text_member(print, "kind", anim_kind_names[track->kind]);
	anim_print_text_member(print, "type", anim_types[track->type].name);
}
