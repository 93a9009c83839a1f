/* format.c: the table of formats, and the functions that find a row. */
#include "format/format.h"

#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "base/text.h"
#include "clip/engine_names.h"
#include "format/animj/animj.h"
#include "format/animx/animx.h"
#include "format/asf/asf.h"
#include "format/bvh/bvh.h"
#include "format/csv/csv.h"
#include "format/dump/dump.h"
#include "format/face/face.h"
#include "format/fbx/fbx.h"
#include "format/gltf/gltf.h"
#include "format/godot/godot.h"
#include "format/json/json.h"
#include "format/mmd/mmd.h"
#include "format/npz/npz.h"
#include "format/unity/unity.h"
#include "format/vmc/vmc.h"
#include "stream/stream.h"

/* ---- texts that are recognised by their beginning, after blanks ---- */

struct text_start {
	const char *bytes;
	size_t size;
};

static bool begins(struct text_start text, const char *with)
{
	size_t length = strlen(with);

	return text.size >= length && strncasecmp(text.bytes, with, length) == 0;
}

static struct text_start skip_blanks(const uint8_t *bytes, size_t size)
{
	struct text_start text = {(const char *)bytes, size};

	if (begins(text, "\xef\xbb\xbf")) {
		text.bytes += 3;
		text.size -= 3;
	}
	while (text.size > 0 && strchr(" \t\r\n", text.bytes[0]) != NULL && text.bytes[0] != '\0') {
		text.bytes++;
		text.size--;
	}
	return text;
}

static bool is_empty(const uint8_t *bytes, size_t size)
{
	(void)bytes;
	return size == 0;
}

static bool is_stream(const uint8_t *bytes, size_t size)
{
	static const char head[] = "\005AnimS";

	return memcmp(bytes, head, size < sizeof head - 1 ? size : sizeof head - 1) == 0;
}

/* JSON Lines can also contain tracks. */
static bool is_animj(const uint8_t *bytes, size_t size)
{
	return anim_animj_is(bytes, size) && !anim_json_is(bytes, size);
}

static bool is_html(const uint8_t *bytes, size_t size)
{
	struct text_start text = skip_blanks(bytes, size);

	return begins(text, "<!doctype html") || begins(text, "<html");
}

/* MP4 and QuickTime begin with a box "ftyp". */
static bool is_video(const uint8_t *bytes, size_t size)
{
	return size >= 8 && memcmp(bytes + 4, "ftyp", 4) == 0;
}

static bool is_collada(const uint8_t *bytes, size_t size)
{
	struct text_start text = skip_blanks(bytes, size);

	return (begins(text, "<?xml") || begins(text, "<COLLADA")) &&
	       anim_text_find(text.bytes, text.size, "<COLLADA") != NULL;
}

static bool is_json(const uint8_t *bytes, size_t size)
{
	return begins(skip_blanks(bytes, size), "{");
}

/* ---- conversion limits of each writer ---- */

/* With the source's names, components, angles and units are also kept. */
static void adjust_resonite_caps(const struct anim_write_options *options, struct anim_caps *caps)
{
	if (!options->source_names)
		return;
	caps->components = caps->euler = caps->angle = true;
	caps->flags |= ANIM_DEGREES | ANIM_PERCENT;
}

static void adjust_godot_caps(const struct anim_write_options *options, struct anim_caps *caps)
{
	if (options->version == ANIM_GODOT_3)
		*caps = anim_godot3_caps;
	caps->bezier = options->bezier;
	if (options->version == ANIM_GODOT_4_2)
		caps->engine = ANIM_ENGINE_GODOT4_0;
	if (options->keep_names)
		caps->engine = ANIM_ENGINE_OTHER;
}

/* three-vrm 3.5 plays a cubic sampler as a linear one, and its tangents as values. */
static void adjust_vrma_caps(const struct anim_write_options *options, struct anim_caps *caps)
{
	(void)options;
	caps->interps &= ~(1u << ANIM_HERMITE);
}

static struct anim_sink *scene_writer(struct anim_output *output, const struct anim_write_options *options,
				      struct anim_error *error)
{
	struct anim_write_options scene = *options;

	scene.scene = true;
	return anim_godot_writer_new(output, &scene, error);
}

static struct anim_sink *csv_writer(struct anim_output *output, const struct anim_write_options *options,
				    struct anim_error *error)
{
	if (options->wide)
		return anim_csv_wide_writer_new(output, options->store_memory, options->diagnostics, error);
	return anim_csv_writer_new(output, options->diagnostics, error);
}

static struct anim_sink *json_writer(struct anim_output *output, const struct anim_write_options *options,
				     struct anim_error *error)
{
	return anim_json_writer_new(output, options->diagnostics, error);
}

static struct anim_sink *stream_writer(struct anim_output *output, const struct anim_write_options *options,
				       struct anim_error *error)
{
	const struct anim_stream_writer_options writer = {.changes = true, .diagnostics = options->diagnostics};

	return anim_stream_writer_new(output, &writer, error);
}

static bool is_tar(const uint8_t *bytes, size_t size)
{
	static const char magic[] =
	    "ustar"; /* after the header's name, mode, owner, size, time, checksum, type and link */
	const size_t at = 257;

	return size >= at + sizeof magic - 1 && memcmp(bytes + at, magic, sizeof magic - 1) == 0;
}

/* ---- the rows, those with recognisable first bytes before those that need a test of the text ---- */

#define RESONITE_OPTIONS "double names bindable same-tracks bind-sheet"
#define GODOT_OPTIONS "godot digits bezier keep-names images into player only keep"
#define GLTF_OPTIONS "pointer extras loop-name into only keep compact"
#define EXPORT_IT "export it from Blender as .glb, or save its animations in Godot as .tres"
#define NO_ANIMATION "it holds no animation of nodes"
#define EXPORT_IT_FROM_BLENDER "export it from Blender as .glb"

/* Protocols 2 to 5 begin with their number. */
static bool is_pickle(const uint8_t *bytes, size_t size)
{
	return size > 2 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5;
}

/* A zip archive whose first file is NAME/data.pkl. */
static bool is_torch(const uint8_t *bytes, size_t size)
{
	static const char last[] = "/data.pkl";
	size_t length = size < 30 ? 0 : (size_t)bytes[26] | (size_t)bytes[27] << 8;

	return anim_bytes_begin(bytes, size, "PK\003\004") && length >= sizeof last - 1 && length <= size - 30 &&
	       memcmp(bytes + 30 + length - (sizeof last - 1), last, sizeof last - 1) == 0;
}

static const struct anim_format formats[] = {
    {.title = "the input is empty", .sort = ANIM_FORMAT_EMPTY, .is = is_empty, .ours = true},
    {.name = "axs",
     .title = "a stream",
     .sort = ANIM_FORMAT_STREAM,
     .is = is_stream,
     .ours = true,
     .writer = stream_writer,
     .suffix = "axs",
     .options = "",
     .holds_many = true,
     .is_binary = true},
    {.name = "godot",
     .title = "a Godot scene",
     .is = anim_godot_is,
     .magics = {"[gd_"}, /* even if the file ends inside the tag */
     .suffixes = "tscn escn tres",
     .axes = "godot",
     .read = anim_godot_read,
     .read_options = "godot-rules",
     .describe = anim_godot_describe},
    {.name = "animj",
     .title = "AnimJ",
     .is = is_animj,
     .suffixes = "animj",
     .axes = "resonite",
     .read = anim_animj_read,
     .read_options = "slerp",
     .ours = true,
     .writer = anim_animj_writer_new,
     .suffix = "animj",
     .caps = &anim_animj_caps,
     .adjust_caps = adjust_resonite_caps,
     .options = RESONITE_OPTIONS " pretty raw-as",
     .lint = "resonite",
     .is_ordered = true,
     .starts_at_0 = true},
    {.name = "animx",
     .title = "AnimX",
     .is = anim_animx_is,
     .suffixes = "animx",
     .axes = "resonite",
     .read = anim_animx_read,
     .read_options = "key-order slerp trust-size",
     .ours = true,
     .writer = anim_animx_writer_new,
     .suffix = "animx",
     .caps = &anim_animx_caps,
     .adjust_caps = adjust_resonite_caps,
     .options = RESONITE_OPTIONS " encoding to-key-order tangent-order",
     .lint = "resonite",
     .is_binary = true,
     .is_ordered = true,
     .starts_at_0 = true},
    {.name = "unity",
     .title = "Unity YAML",
     .is = anim_unity_is,
     .magics = {"%YAML", "%TAG !u!", "--- !u!"},
     .suffixes = "anim controller prefab unity asset playable overrideController",
     .axes = "unity",
     .read = anim_unity_read,
     .read_options = "human states",
     .graph = anim_unity_graph,
     .describe = anim_unity_describe,
     .writer = anim_unity_writer_new,
     .into = anim_unity_into,
     .suffix = "anim",
     .caps = &anim_unity_caps,
     .options = "meta into keep",
     .lint = "unity",
     .takes_tree = true},
    {.name = "unitypackage",
     .title = "a Unity package",
     .is = is_tar,
     .suffixes = "unitypackage",
     .axes = "unity",
     .read = anim_unity_package_read,
     .read_options = "asset trust-size human states"},
    {.name = "tres",
     .axes = "godot",
     .read = anim_godot_read,
     .read_options = "godot-rules",
     .writer = anim_godot_writer_new,
     .into = anim_godot_into,
     .suffix = "tres",
     .caps = &anim_godot_caps,
     .adjust_caps = adjust_godot_caps,
     .options = GODOT_OPTIONS " library",
     .lint = "godot",
     .holds_many = true,
     .takes_tree = true,
     .starts_at_0 = true},
    {.name = "tscn",
     .axes = "godot",
     .read = anim_godot_read,
     .read_options = "godot-rules",
     .writer = scene_writer,
     .into = anim_godot_into,
     .suffix = "tscn",
     .caps = &anim_godot_caps,
     .adjust_caps = adjust_godot_caps,
     .options = GODOT_OPTIONS " graph",
     .lint = "godot",
     .holds_many = true,
     .starts_at_0 = true},
    {.name = "escn", .axes = "godot", .read = anim_godot_read, .read_options = "godot-rules"},
    {.name = "res",
     .title = "a binary Godot file",
     .is = anim_godot_is_binary,
     .suffixes = "res scn",
     .axes = "godot",
     .read = anim_godot_read,
     .read_options = "godot-rules",
     .describe = anim_godot_describe},
    {.name = "scn", .axes = "godot", .read = anim_godot_read, .read_options = "godot-rules"},
    {.name = "bvh",
     .title = "BVH",
     .is = anim_bvh_is,
     .magics = {"HIERARCHY"},
     .suffixes = "bvh",
     .axes = "gltf",
     .read = anim_bvh_read,
     .read_options = "unit up add-offset fps",
     .ours = true,
     .caps = &anim_bvh_caps,
     .writer = anim_bvh_writer_new,
     .suffix = "bvh",
     .options = "to-unit to-up order",
     .starts_at_0 = true},
    {.name = "amc",
     .title = "an Acclaim motion",
     .is = anim_amc_is,
     .suffixes = "amc",
     .axes = "gltf",
     .read = anim_amc_read,
     .read_options = "unit up asf fps"},
    {.name = "asf",
     .title = "an Acclaim skeleton",
     .is = anim_asf_is,
     .suffixes = "asf",
     .axes = "gltf",
     .read = anim_asf_read,
     .read_options = "unit up"},
    {.name = "vmd",
     .title = "a motion of MikuMikuDance",
     .magics = {"Vocaloid Motion Data"},
     .suffixes = "vmd",
     .axes = "gltf",
     .read = anim_vmd_read,
     .read_options = "unit model fps",
     .writer = anim_vmd_writer_new,
     .suffix = "vmd",
     .caps = &anim_vmd_caps,
     .options = "",
     .lint = "vmd",
     .skeleton = "mmd",
     .frames_hz = 30,
     .is_binary = true,
     .starts_at_0 = true},
    {.name = "vmc",
     .title = "a take of VMC",
     .magics = {ANIM_VMC_MAGIC},
     .suffixes = "vmc",
     .axes = "unity",
     .read = anim_vmc_read,
     .read_options = "avatar",
     .writer = anim_vmc_writer_new,
     .suffix = "vmc",
     .caps = &anim_vmc_caps,
     .options = "packets",
     .is_binary = true},
    {.name = "pmx",
     .title = "a model of MikuMikuDance",
     .is = anim_pmx_is,
     .suffixes = "pmx",
     .axes = "gltf",
     .is_model = true,
     .read = anim_mmd_model_read,
     .read_options = "unit"},
    {.name = "pmd",
     .title = "a model of MikuMikuDance",
     .is = anim_pmd_is,
     .suffixes = "pmd",
     .axes = "gltf",
     .is_model = true,
     .read = anim_mmd_model_read,
     .read_options = "unit"},
    {.name = "fbx",
     .title = "FBX",
     .magics = {"Kaydara FBX", "; FBX"},
     .suffixes = "fbx",
     .axes = "gltf",
     .read = anim_fbx_read,
     .read_options = "joint-rest godot-paths human trust-size",
     .describe = anim_fbx_describe,
     .writer = anim_fbx_writer_new,
     .suffix = "fbx",
     .caps = &anim_fbx_caps,
     .options = "",
     .holds_many = true,
     .is_binary = true},
    {.name = "csv",
     .title = "csv",
     .way = "write .json instead",
     .is = anim_csv_is,
     .ours = true,
     .writer = csv_writer,
     .suffix = "csv",
     .options = "wide angles",
     .holds_many = true},
    {.name = "json",
     .sort = ANIM_FORMAT_LINES,
     .title = "JSON lines of a stream",
     .is = anim_json_is,
     .read = anim_json_read,
     .read_options = "godot-rules slerp",
     .ours = true,
     .writer = json_writer,
     .suffix = "json",
     .options = "",
     .holds_many = true},
    {.name = "axt",
     .sort = ANIM_FORMAT_LINES,
     .title = "text of a stream",
     .magics = {"anim-dump "},
     .suffixes = "axt",
     .read = anim_dump_read,
     .ours = true,
     .writer = anim_dump_writer_new,
     .suffix = "axt",
     .options = "",
     .holds_many = true},
    {.name = "npz",
     .title = "npz",
     .is = anim_npz_is,
     .read = anim_npz_read,
     .read_options = "unit up fps read-as trust-size",
     .ours = true,
     .writer = anim_npz_writer_new,
     .suffix = "npz",
     .options = "angles",
     .is_binary = true},
    {.name = "npy",
     .title = "numpy arrays",
     .is = anim_npy_is,
     .suffixes = "npy npz",
     .axes = "gltf",
     .read = anim_npz_read,
     .read_options = "unit up fps read-as trust-size"},
    {.name = "gltf",
     .title = "glTF",
     .is = anim_gltf_is,
     .magics = {"glTF"},
     .suffixes = "gltf glb vrma",
     .axes = "gltf",
     .read = anim_gltf_read,
     .read_options = "joint-rest godot-paths",
     .describe = anim_gltf_describe,
     .writer = anim_gltf_writer_new,
     .into = anim_gltf_into,
     .suffix = "gltf",
     .caps = &anim_gltf_caps,
     .options = GLTF_OPTIONS " bin",
     .lint = "gltf",
     .holds_many = true,
     .starts_at_0 = true},
    {.name = "glb",
     .axes = "gltf",
     .read = anim_gltf_read,
     .read_options = "joint-rest godot-paths",
     .writer = anim_glb_writer_new,
     .into = anim_gltf_into,
     .suffix = "glb",
     .caps = &anim_gltf_caps,
     .options = GLTF_OPTIONS,
     .lint = "gltf",
     .holds_many = true,
     .is_binary = true,
     .starts_at_0 = true},
    {.name = "vrma",
     .axes = "gltf",
     .read = anim_gltf_read,
     .read_options = "joint-rest",
     .writer = anim_vrma_writer_new,
     .into = anim_gltf_into,
     .suffix = "vrma",
     .caps = &anim_gltf_caps,
     .adjust_caps = adjust_vrma_caps,
     .options = "into only keep compact",
     .lint = "gltf",
     .is_binary = true,
     .starts_at_0 = true},
    {.name = "face",
     .title = "a face capture",
     .is = anim_face_is,
     .axes = "gltf",
     .read = anim_face_read,
     .read_options = "fps read-as"},
    {.title = "a scene of the first Godot", .way = "open it in Godot 1 and save it as .scn", .magics = {"OBDB"}},
    {.title = "a Blender file", .way = EXPORT_IT, .magics = {"BLENDER"}, .suffixes = "blend"},
    {.title = "USD", .way = EXPORT_IT_FROM_BLENDER, .magics = {"PXR-USDC", "#usda"}},
    {.title = "COLLADA", .way = EXPORT_IT, .is = is_collada, .suffixes = "dae"},
    {.title = "a pickle of Python",
     .way = "loading it runs its code; if you trust it, make an npz of its arrays: python3 -c \"import pickle, numpy "
	    "as n; "
	    "d = pickle.load(open('IN', 'rb')); n.savez('OUT.npz', **{k: n.array(v) for k, v in d.items()})\"",
     .is = is_pickle,
     .suffixes = "pkl"},
    {.title = "a file of PyTorch",
     .way =
	 "loading it may run code; if you trust it, make an npz of its arrays: python3 -c \"import torch, numpy as n; "
	 "d = torch.load('IN', map_location='cpu'); n.savez('OUT.npz', **{k: n.array(v) for k, v in d.items()})\"",
     .is = is_torch,
     .suffixes = "pt pth"},
    {.title = "a picture", .way = NO_ANIMATION, .magics = {"\x89PNG", "\xff\xd8\xff", "GIF8"}},
    {.title = "a video", .way = NO_ANIMATION, .magics = {"\x1a\x45\xdf\xa3"}, .is = is_video},
    {.title = "a PDF document", .way = NO_ANIMATION, .magics = {"%PDF-"}},
    {.title = "a 7z or RAR archive", .way = "unpack it first", .magics = {"7z\xbc\xaf", "Rar!"}},
    {.title = "a zip archive", .way = "unpack it first", .magics = {"PK\003\004"}},
    {.title = "a .meta of Unity",
     .way = "it has no animation: name the file beside it, without .meta",
     .magics = {"fileFormatVersion: "},
     .suffixes = "meta"},
    {.title = "UTF-16 text", .way = "save it as UTF-8", .magics = {"\xff\xfe", "\xfe\xff"}},
    {.title = "a Unity asset bundle", .way = "unpack it first", .magics = {"UnityFS", "UnityRaw", "UnityWeb"}},
    {.title = "a Git LFS pointer",
     .way = "run 'git lfs pull' to get the file itself", /* Git LFS leaves a pointer in place of a file */
     .magics = {"version https://git-lfs"}},
    {.title = "HTML", .sort = ANIM_FORMAT_HTML, .is = is_html},
    {.title = "JSON", .sort = ANIM_FORMAT_JSON, .is = is_json},
};

static const struct anim_format *const formats_end = formats + ANIM_COUNT(formats);

const struct anim_format *anim_format_of(const uint8_t *bytes, size_t size)
{
	for (const struct anim_format *format = formats; format < formats_end; format++) {
		for (size_t i = 0; i < ANIM_COUNT(format->magics); i++)
			if (format->magics[i] != NULL && anim_bytes_begin(bytes, size, format->magics[i]))
				return format;
		if (format->is != NULL && format->is(bytes, size))
			return format;
	}
	return NULL;
}

/* Return whether the suffix is one of the words, ignoring case. */
static bool is_suffix(const char *words, const char *suffix, size_t length)
{
	for (; words[0] != '\0'; words += strspn(words, " ")) {
		size_t size = strcspn(words, " ");

		if (size == length && strncasecmp(words, suffix, length) == 0)
			return true;
		words += size;
	}
	return false;
}

const struct anim_format *anim_format_of_name(const char *name)
{
	size_t length = strlen(name), start;

	if (length > 3 && strcasecmp(name + length - 3, ".gz") == 0)
		length -= 3;
	for (start = length; start > 0 && name[start - 1] != '.'; start--)
		continue;
	for (const struct anim_format *format = formats; format < formats_end; format++)
		if (start > 1 && format->suffixes != NULL && is_suffix(format->suffixes, name + start, length - start))
			return format;
	return NULL;
}

static bool is_written_or_read(const struct anim_format *format, bool written)
{
	return format->name != NULL && (written ? format->writer != NULL : format->read != NULL);
}

const struct anim_format *anim_format_find(const char *name, bool written)
{
	for (const struct anim_format *format = formats; format < formats_end; format++)
		if (is_written_or_read(format, written) && strcasecmp(format->name, name) == 0)
			return format;
	return NULL;
}

const struct anim_format *anim_format_to_write(const char *file)
{
	const char *dot = file == NULL ? NULL : strrchr(file, '.');

	for (const struct anim_format *format = formats; format < formats_end; format++)
		if (dot != NULL && format->suffix != NULL && strcasecmp(format->suffix, dot + 1) == 0)
			return format;
	return NULL;
}

const struct anim_format *anim_format_next(const struct anim_format *format, bool written)
{
	for (format = format == NULL ? formats : format + 1; format < formats_end; format++)
		if (is_written_or_read(format, written))
			return format;
	return NULL;
}

void anim_format_caps(const struct anim_format *format, const struct anim_write_options *options,
		      struct anim_caps *caps)
{
	*caps = *format->caps;
	if (format->adjust_caps != NULL)
		format->adjust_caps(options, caps);
}
