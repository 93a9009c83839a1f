/* order.c: which record may follow which. */
#include "stream/order.h"

#include <string.h>

const uint8_t anim_stream_head[ANIM_STREAM_HEAD] = {5, 'A', 'n', 'i', 'm', 'S', ANIM_STREAM_VERSION, 0};

#define AT(stage) (1u << (stage))

struct rule {
	char tag[5];
	unsigned after;        /* the stages in which it may come */
	enum anim_stage stage; /* the one it leads to */
};

static const struct rule rules[] = {
    {"prog", AT(ANIM_STAGE_PROG), ANIM_STAGE_PROG},
    {"TREE", AT(ANIM_STAGE_PROG) | AT(ANIM_STAGE_TREE) | AT(ANIM_STAGE_CLIP), ANIM_STAGE_TREE},
    {"NODE", AT(ANIM_STAGE_TREE), ANIM_STAGE_TREE},
    {"CLIP", AT(ANIM_STAGE_PROG) | AT(ANIM_STAGE_TREE) | AT(ANIM_STAGE_CLIP), ANIM_STAGE_CLIP},
    {"TRAK", AT(ANIM_STAGE_CLIP), ANIM_STAGE_CLIP},
    {"iNDX", AT(ANIM_STAGE_PROG) | AT(ANIM_STAGE_TREE) | AT(ANIM_STAGE_CLIP), ANIM_STAGE_INDEX},
    {"END ", AT(ANIM_STAGE_PROG) | AT(ANIM_STAGE_TREE) | AT(ANIM_STAGE_CLIP) | AT(ANIM_STAGE_INDEX), ANIM_STAGE_END},
};

static const struct rule *find_rule(const char *tag)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (memcmp(rules[i].tag, tag, 4) == 0)
			return &rules[i];
	return NULL;
}

bool anim_tag_is(const uint8_t tag[4])
{
	for (int i = 0; i < 4; i++) {
		uint8_t letter = tag[i] | 32;

		if ((letter < 'a' || letter > 'z') && !(i == 3 && tag[i] == ' '))
			return false;
	}
	return true;
}

static int step(struct anim_order *order, const char *tag, struct anim_error *error)
{
	const struct rule *rule = find_rule(tag);

	if (order->stage == ANIM_STAGE_END)
		return anim_fail(error, ANIM_BAD_INPUT, "%s after END", tag);
	if (rule == NULL && tag[0] >= 'a')
		return 0;
	if (rule == NULL)
		return anim_fail(error, ANIM_UNSUPPORTED, "unknown record %s: needs newer anim-tools", tag);
	if (!(rule->after & AT(order->stage)))
		return anim_fail(error, ANIM_BAD_INPUT, "%s out of order", tag);
	order->stage = rule->stage;
	if (memcmp(tag, "TREE", 4) == 0) {
		order->tree = true;
		order->nodes = 0;
	}
	order->nodes += memcmp(tag, "NODE", 4) == 0;
	return 0;
}

int anim_order_next(struct anim_order *order, const char *tag, uint64_t length, struct anim_error *error)
{
	if (step(order, tag, error) != 0)
		return -1;
	if (order->stage != ANIM_STAGE_END) {
		order->records++;
		order->bytes += length;
	}
	return 0;
}
