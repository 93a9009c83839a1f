/*
 * generate.c: makes the files that the bars are measured on, the same bytes each time.
 *   bench_generate tscn BONES KEYS     a Godot 4 scene, float32 numbers, rotation_3d and position_3d per bone
 *   bench_generate tscn64 BONES KEYS   the same with 16 and 17 digit doubles, as Python and Blender write them
 *   bench_generate glb BONES KEYS      the same keys as binary glTF, for other programs
 *   bench_generate res BONES KEYS      the same keys as a binary Animation of Godot 4
 * Values are sums of sinusoids; keys lie at 30 Hz. Writes to stdout.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "math/elementary.h"

#define TURN 6.283185307179586

struct pose {
	double rotation[4], position[3];
};

/* A bone's pose at a time: a turn about a tilting axis, a sway in three directions. */
static void pose_at(unsigned bone, double t, struct pose *pose)
{
	double angle = 0.9 * anim_sin(TURN * t * (0.2 + 0.01 * bone)) + 0.3 * anim_sin(TURN * t * 0.73 + bone);
	double tilt = 0.5 * anim_sin(TURN * t * 0.11 + 0.3 * bone), half = angle / 2;

	pose->rotation[0] = anim_sin(half) * anim_cos(tilt);
	pose->rotation[1] = anim_sin(half) * anim_sin(tilt) * 0.8;
	pose->rotation[2] = anim_sin(half) * anim_sin(tilt) * 0.6;
	pose->rotation[3] = anim_cos(half);
	for (int i = 0; i < 3; i++)
		pose->position[i] = 0.1 * bone + 0.5 * anim_sin(TURN * t * (0.31 + 0.07 * i) + bone + i) +
				    0.02 * anim_cos(TURN * t * 2.3 + i);
}

static void number(double value, bool wide)
{
	char text[ANIM_NUMBER_MAX];
	size_t length = wide ? anim_number_print_double(text, value) : anim_number_print_float(text, (float)value);

	fwrite(text, 1, length, stdout);
}

static void tscn_track(unsigned track, unsigned bone, bool rotation, unsigned keys, bool wide)
{
	struct pose pose;

	printf("tracks/%u/type = \"%s\"\ntracks/%u/imported = true\ntracks/%u/enabled = true\n", track,
	       rotation ? "rotation_3d" : "position_3d", track, track);
	printf("tracks/%u/path = NodePath(\"Skeleton3D:bone%u\")\ntracks/%u/interp = 1\ntracks/%u/loop_wrap = true\n",
	       track, bone, track, track);
	printf("tracks/%u/keys = PackedFloat32Array(", track);
	for (unsigned k = 0; k < keys; k++) {
		pose_at(bone, k / 30.0, &pose);
		fputs(k > 0 ? ", " : "", stdout);
		number(k / 30.0, wide);
		fputs(", 1", stdout);
		for (int i = 0; i < (rotation ? 4 : 3); i++) {
			fputs(", ", stdout);
			number(rotation ? pose.rotation[i] : pose.position[i], wide);
		}
	}
	puts(")");
}

static void tscn(unsigned bones, unsigned keys, bool wide)
{
	puts("[gd_scene load_steps=3 format=3]\n\n[sub_resource type=\"Animation\" id=\"Animation_1\"]\nresource_name "
	     "= \"take\"");
	fputs("length = ", stdout);
	number((keys - 1) / 30.0, wide);
	puts("");
	for (unsigned bone = 0; bone < bones; bone++) {
		tscn_track(2 * bone, bone, false, keys, wide);
		tscn_track(2 * bone + 1, bone, true, keys, wide);
	}
	puts("\n[sub_resource type=\"AnimationLibrary\" id=\"AnimationLibrary_1\"]\n_data = {\n&\"take\": "
	     "SubResource(\"Animation_1\")\n}\n\n[node name=\"Root\" type=\"Node3D\"]\n\n"
	     "[node name=\"Skeleton3D\" type=\"Skeleton3D\" parent=\".\"]");
	for (unsigned bone = 0; bone < bones; bone++)
		printf("bones/%u/name = \"bone%u\"\nbones/%u/parent = %d\nbones/%u/rest = Transform3D(1, 0, 0, 0, 1, "
		       "0, 0, 0, "
		       "1, 0, 0.5, 0)\n",
		       bone, bone, bone, (int)bone - 1, bone);
	puts("\n[node name=\"AnimationPlayer\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {\n&\"\": "
	     "SubResource(\"AnimationLibrary_1\")\n}");
}

static void put32(uint32_t value)
{
	for (int i = 0; i < 4; i++)
		putchar((int)(value >> 8 * i & 255));
}

static void put_float(double value)
{
	float narrow = (float)value;
	uint32_t bits;

	memcpy(&bits, &narrow, sizeof bits);
	put32(bits);
}

/* The JSON chunk: accessor 0 holds the times, 1 + 2*bone the positions, 2 + 2*bone the rotations. */
static char *glb_json(unsigned bones, unsigned keys, size_t *length)
{
	char *text;
	FILE *out = open_memstream(&text, length);
	size_t offset = 4 * (size_t)keys, end = offset + (size_t)bones * keys * 28;

	fprintf(out, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[");
	for (unsigned b = 0; b < bones; b++)
		fprintf(out, b + 1 < bones ? "%s{\"name\":\"bone%u\",\"children\":[%u]}" : "%s{\"name\":\"bone%u\"}",
			b > 0 ? "," : "", b, b + 1);
	fprintf(
	    out,
	    "],\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],\"accessors\":[",
	    end, end);
	fprintf(out,
		"{\"bufferView\":0,\"componentType\":5126,\"count\":%u,\"type\":\"SCALAR\",\"min\":[0],\"max\":[%.9g]}",
		keys, (double)(float)((keys - 1) / 30.0));
	for (unsigned b = 0; b < bones; b++, offset += 28 * (size_t)keys)
		fprintf(out,
			",{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"}"
			",{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":5126,\"count\":%u,\"type\":\"VEC4\"}",
			offset, keys, offset + 12 * (size_t)keys, keys);
	fprintf(out, "],\"animations\":[{\"name\":\"take\",\"samplers\":[");
	for (unsigned i = 0; i < 2 * bones; i++)
		fprintf(out, "%s{\"input\":0,\"output\":%u}", i > 0 ? "," : "", i + 1);
	fprintf(out, "],\"channels\":[");
	for (unsigned i = 0; i < 2 * bones; i++)
		fprintf(out, "%s{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}", i > 0 ? "," : "", i, i / 2,
			i % 2 ? "rotation" : "translation");
	fprintf(out, "]}]}");
	fclose(out);
	return text;
}

static void glb(unsigned bones, unsigned keys)
{
	size_t length, padded, binary = 4 * (size_t)keys + (size_t)bones * keys * 28;
	char *json = glb_json(bones, keys, &length);
	struct pose pose;

	padded = (length + 3) & ~(size_t)3;
	fputs("glTF", stdout);
	put32(2);
	put32((uint32_t)(12 + 8 + padded + 8 + binary));
	put32((uint32_t)padded);
	fputs("JSON", stdout);
	printf("%s%.*s", json, (int)(padded - length), "   ");
	put32((uint32_t)binary);
	fwrite("BIN", 1, 4, stdout);
	for (unsigned k = 0; k < keys; k++)
		put_float(k / 30.0);
	for (unsigned b = 0; b < bones; b++) {
		for (unsigned k = 0; k < keys; k++) {
			pose_at(b, k / 30.0, &pose);
			for (int i = 0; i < 3; i++)
				put_float(pose.position[i]);
		}
		for (unsigned k = 0; k < keys; k++) {
			pose_at(b, k / 30.0, &pose);
			for (int i = 0; i < 4; i++)
				put_float(pose.rotation[i]);
		}
	}
	free(json);
}

static void put_text(uint32_t mark, const char *text)
{
	put32(mark | (uint32_t)(strlen(text) + 1));
	fwrite(text, 1, strlen(text) + 1, stdout);
}

#define IN_PLACE 0x80000000u /* a name that stands here, not in the table */

static void res_track(unsigned track, unsigned bone, bool rotation, unsigned keys)
{
	unsigned components = rotation ? 4 : 3;
	struct pose pose;
	char name[64];

	snprintf(name, sizeof name, "tracks/%u/type", track);
	put_text(IN_PLACE, name);
	put32(5);
	put_text(0, rotation ? "rotation_3d" : "position_3d");
	snprintf(name, sizeof name, "tracks/%u/path", track);
	put_text(IN_PLACE, name);
	put32(22);
	put32(1 | 1u << 16);
	put_text(IN_PLACE, "Skeleton3D");
	snprintf(name, sizeof name, "bone%u", bone);
	put_text(IN_PLACE, name);
	snprintf(name, sizeof name, "tracks/%u/keys", track);
	put_text(IN_PLACE, name);
	put32(33);
	put32(keys * (2 + components));
	for (unsigned k = 0; k < keys; k++) {
		pose_at(bone, k / 30.0, &pose);
		put_float(k / 30.0);
		put_float(1);
		for (unsigned i = 0; i < components; i++)
			put_float(rotation ? pose.rotation[i] : pose.position[i]);
	}
}

static void res(unsigned bones, unsigned keys)
{
	fputs("RSRC", stdout);
	for (unsigned i = 0; i < 5; i++)
		put32((uint32_t[]){0, 0, 4, 0, 6}[i]);
	put_text(0, "Animation");
	for (unsigned i = 0; i < 2 + 1 + 2 + 11 + 2; i++)
		put32(i == 2); /* metadata, named ids, uid, unused, no names, no externals */
	put32(1);
	put_text(0, "local://1");
	put32(24 + 14 + 18 * 4 + 4 + 14 + 8);
	put32(0);
	put_text(0, "Animation");
	put32(1 + 6 * bones);
	put_text(IN_PLACE, "length");
	put32(4);
	put_float(keys / 30.0);
	for (unsigned bone = 0; bone < bones; bone++) {
		res_track(2 * bone, bone, false, keys);
		res_track(2 * bone + 1, bone, true, keys);
	}
	fputs("RSRC", stdout);
}

int main(int argc, char **argv)
{
	unsigned bones, keys;

	if (argc != 4 || (bones = (unsigned)atoi(argv[2])) == 0 || (keys = (unsigned)atoi(argv[3])) == 0) {
		fputs("usage: bench_generate tscn|tscn64|glb|res BONES KEYS\n", stderr);
		return 2;
	}
	if (strcmp(argv[1], "glb") == 0)
		glb(bones, keys);
	else if (strcmp(argv[1], "res") == 0)
		res(bones, keys);
	else
		tscn(bones, keys, strcmp(argv[1], "tscn64") == 0);
	return fflush(stdout) != 0 || ferror(stdout);
}
