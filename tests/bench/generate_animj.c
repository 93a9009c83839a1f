/*
 * generate_animj.c: makes the AnimJ that the bars are measured on, the same bytes each time.
 *   bench_generate_animj [--pretty] BONES KEYS   Curve tracks with Linear keys, float3 and floatQ per bone, at 30 Hz
 * One line, or with --pretty every member and component on a line of its own. Values are sums of sinusoids. Writes to stdout.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "math/elementary.h"

#define TURN 6.283185307179586

static bool pretty;

static void put(const char *text)
{
	fputs(text, stdout);
}

/* A line's end and its indent, or nothing. */
static void line(unsigned depth)
{
	if (pretty)
		printf("\n%*s", (int)(2 * depth), "");
}

static void name(const char *member)
{
	printf("\"%s\":%s", member, pretty ? " " : "");
}

static void number(double value)
{
	char text[ANIM_NUMBER_MAX];

	fwrite(text, 1, anim_number_print_float(text, (float)value), stdout);
}

static double component_at(unsigned bone, unsigned component, bool rotation, double t)
{
	double angle = 0.9 * anim_sin(TURN * t * (0.2 + 0.01 * bone)) + 0.3 * anim_sin(TURN * t * 0.73 + bone);
	double tilt = 0.5 * anim_sin(TURN * t * 0.11 + 0.3 * bone), half = angle / 2;

	if (!rotation)
		return 0.1 * bone + 0.5 * anim_sin(TURN * t * (0.31 + 0.07 * component) + bone + component);
	if (component == 3)
		return anim_cos(half);
	if (component == 0)
		return anim_sin(half) * anim_cos(tilt);
	return anim_sin(half) * anim_sin(tilt) * (component == 1 ? 0.8 : 0.6);
}

static void key(unsigned bone, bool rotation, unsigned k)
{
	static const char *const components[] = {"x", "y", "z", "w"};

	put("{");
	line(6);
	name("time");
	number(k / 30.0);
	put(",");
	line(6);
	name("value");
	put("{");
	for (unsigned i = 0; i < (rotation ? 4 : 3); i++) {
		put(i > 0 ? "," : "");
		line(7);
		name(components[i]);
		number(component_at(bone, i, rotation, k / 30.0));
	}
	line(6);
	put("},");
	line(6);
	name("interpolation");
	put("\"Linear\"");
	line(5);
	put("}");
}

static void track(unsigned bone, bool rotation, unsigned keys)
{
	put("{");
	line(3);
	name("trackType");
	put("\"Curve\",");
	line(3);
	name("valueType");
	printf("\"%s\",", rotation ? "floatQ" : "float3");
	line(3);
	name("data");
	put("{");
	line(4);
	name("node");
	printf("\"bone%u\",", bone);
	line(4);
	name("property");
	printf("\"%s\",", rotation ? "Rotation" : "Position");
	line(4);
	name("keyframes");
	put("[");
	for (unsigned k = 0; k < keys; k++) {
		put(k > 0 ? "," : "");
		line(5);
		key(bone, rotation, k);
	}
	line(4);
	put("]");
	line(3);
	put("}");
	line(2);
	put("}");
}

int main(int argc, char **argv)
{
	unsigned bones, keys;

	pretty = argc > 1 && strcmp(argv[1], "--pretty") == 0;
	argc -= pretty;
	argv += pretty;
	if (argc != 3 || (bones = (unsigned)atoi(argv[1])) == 0 || (keys = (unsigned)atoi(argv[2])) == 0) {
		put("usage: bench_generate_animj [--pretty] BONES KEYS\n");
		return 2;
	}
	put("{");
	line(1);
	name("name");
	put("\"take\",");
	line(1);
	name("globalDuration");
	number((keys - 1) / 30.0);
	put(",");
	line(1);
	name("tracks");
	put("[");
	for (unsigned i = 0; i < 2 * bones; i++) {
		put(i > 0 ? "," : "");
		line(2);
		track(i / 2, i % 2, keys);
	}
	line(1);
	put("]");
	line(0);
	puts("}");
	return fflush(stdout) != 0 || ferror(stdout);
}
