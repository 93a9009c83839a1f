/* package.c: reads the tar archive of a .unitypackage: GUID/asset, GUID/asset.meta and GUID/pathname for each asset. */
#include "format/unity/package.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/image.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/text.h"
#include "format/unity/names.h"
#include "format/unity/run.h"

#define BLOCK ((size_t)512)
#define PEEK_BYTES ((size_t)4096) /* bytes of an asset that show whether it is text of Unity */
#define PATH_BYTES_MAX ((uint64_t)4096)

/* ---- The tar archive: a block with the name and size of each file, then its bytes in whole blocks ---- */

/* Places and lengths of the fields of a header block, in the order of POSIX.1-1988 (ustar). */
enum { NAME_AT = 0, NAME_SIZE = 100, SIZE_AT = 124, SIZE_SIZE = 12, SUM_AT = 148, SUM_SIZE = 8, TYPE_AT = 156 };

#define ENTRY_BYTES_MAX ((uint64_t)1 << 60)

struct archive_entry {
	char name[NAME_SIZE + 1];
	char type;
	uint64_t size, left; /* left: bytes that were not read yet */
};

struct archive_reading {
	struct unity_package *package;
	struct anim_input *input;
	const struct anim_read_options *options;
	struct anim_error *error;
	struct archive_entry entry;
	uint64_t kept; /* bytes in the spool */
};

/* Fail about the current entry. Returns -1. */
__attribute__((format(printf, 2, 3))) static int fail(const struct archive_reading *reading, const char *format, ...)
{
	const struct anim_place place = {
	    .file = reading->package->shown, .at = ANIM_AT_BYTE, .offset = anim_input_offset(reading->input)};
	va_list args;

	va_start(args, format);
	anim_fail_va(reading->error, ANIM_BAD_INPUT, &place, format, args);
	va_end(args);
	return anim_input_name_error(reading->input, reading->error);
}

/* Read a number of at most 12 digits after blanks. */
static uint64_t read_number(const uint8_t *field, size_t size, unsigned base)
{
	uint64_t value = 0;
	size_t i = 0;

	while (i < size && field[i] == ' ')
		i++;
	for (; i < size && i < SIZE_SIZE && field[i] >= '0' && field[i] < '0' + base; i++)
		value = value * base + (uint64_t)(field[i] - '0');
	return value;
}

/*
 * Read the header of the next entry. The archive ends with a block of zeros. If it is compressed, it may also end
 * without one, because gzip itself shows whether it is complete. The checksum is the sum of all bytes, with blanks in its
 * own place. Returns 1, 0 at the end, or -1.
 */
static int next_entry(struct archive_reading *reading)
{
	struct archive_entry *entry = &reading->entry;
	const uint8_t *header, *size;
	uint64_t sum = 0;
	uint8_t any = 0;
	ssize_t got = anim_input_peek(reading->input, BLOCK, &header, reading->error);

	if (got < 0)
		return -1;
	if (got == 0 && anim_input_was_gzip(reading->input))
		return 0;
	if ((size_t)got < BLOCK)
		return fail(reading, "the tar archive is cut");
	for (size_t i = 0; i < BLOCK; i++) {
		any |= header[i];
		sum += i >= SUM_AT && i < SUM_AT + SUM_SIZE ? ' ' : header[i];
	}
	if (any == 0)
		return 0;
	if (sum != read_number(header + SUM_AT, SUM_SIZE, 8))
		return fail(reading, unity_package_count(reading->package) == 0 ? "not a tar archive"
										: "the tar archive is damaged");
	memcpy(entry->name, header + NAME_AT, NAME_SIZE);
	entry->name[NAME_SIZE] = '\0';
	entry->type = (char)header[TYPE_AT];
	/* GNU tar writes sizes from 8 GiB as a binary number, which begins with the byte 0x80. */
	size = header + SIZE_AT;
	entry->size = size[0] == 0x80 ? 0 : read_number(size, SIZE_SIZE, 8);
	for (size_t i = 1; i < SIZE_SIZE && size[0] == 0x80; i++)
		entry->size = entry->size >> 56 != 0 ? UINT64_MAX : entry->size << 8 | size[i];
	entry->left = entry->size;
	if (entry->size > ENTRY_BYTES_MAX)
		return fail(reading, "the tar archive is damaged: a file of %llu bytes",
			    (unsigned long long)entry->size);
	anim_input_skip(reading->input, BLOCK);
	return 1;
}

/* Get the next bytes of the entry, at least `want` or all that are left. Returns their number, or -1. */
static ssize_t peek_entry(struct archive_reading *reading, size_t want, const uint8_t **at)
{
	const struct archive_entry *entry = &reading->entry;
	size_t least = want < entry->left ? want : (size_t)entry->left;
	ssize_t got = anim_input_peek(reading->input, least, at, reading->error);

	if (got < 0)
		return -1;
	if ((size_t)got < least)
		return fail(reading, "the tar archive is cut inside a file");
	return (uint64_t)got < entry->left ? got : (ssize_t)entry->left;
}

/* ---- The assets ---- */

/* Get the guid and the rest of an entry's name, "GUID/asset". Names of other entries have no meaning in a package. */
static bool split_name(const char *name, char guid[ANIM_UNITY_GUID], const char **leaf)
{
	if (strncmp(name, "./", 2) == 0)
		name += 2;
	for (size_t i = 0; i + 1 < ANIM_UNITY_GUID; i++) {
		if (anim_hex_digit(name[i]) < 0)
			return false;
		guid[i] = "0123456789abcdef"[anim_hex_digit(name[i])];
	}
	guid[ANIM_UNITY_GUID - 1] = '\0';
	*leaf = name + ANIM_UNITY_GUID;
	return name[ANIM_UNITY_GUID - 1] == '/';
}

/* Return the item with this guid, or add it. NULL on error. It is borrowed until the next one is added. */
static struct unity_package_item *item_of(struct archive_reading *reading, const char *guid)
{
	struct unity_package *package = reading->package;
	uint32_t number = (uint32_t)unity_package_count(package);
	struct unity_package_item item = {.path = NULL};
	const char *key;

	if (anim_map_get(&package->guids, 0, guid, strlen(guid), &number))
		return (struct unity_package_item *)package->items.data + number;
	if (number >= ANIM_PACKAGE_ASSETS_MAX) {
		fail(reading, "more than %u assets", ANIM_PACKAGE_ASSETS_MAX);
		return NULL;
	}
	memcpy(item.guid, guid, sizeof item.guid);
	key = anim_arena_text(&package->arena, guid, strlen(guid), reading->error);
	if (key == NULL || anim_map_put(&package->guids, 0, key, strlen(key), number, reading->error) != 0 ||
	    anim_buffer_append(&package->items, &item, sizeof item, reading->error) != 0)
		return NULL;
	return (struct unity_package_item *)package->items.data + number;
}

/*
 * Return the reason for leaving out an asset with this path, or NULL. Paths are only names here, but names that people
 * may trust.
 */
static const char *path_fault(const char *path, size_t length)
{
	uint32_t code;

	if (anim_utf8_prefix(path, length) != length)
		return "is not UTF-8";
	if (length == 0)
		return "is empty";
	if (path[0] == '/')
		return "is not below the project folder";
	for (const char *name = path; name != NULL; name = strchr(name, '/')) {
		name += *name == '/';
		if (strncmp(name, "..", 2) == 0 && (name[2] == '/' || name[2] == '\0'))
			return "is not below the project folder";
	}
	for (size_t i = 0, size; i < length; i += size) {
		size = anim_utf8_decode((const uint8_t *)path + i, length - i, &code);
		if (size == 0 || anim_code_is_unsafe(code))
			return "has characters that no path of Unity has";
	}
	return NULL;
}

/* Read the path of an item: the first line of the entry. Old versions of Unity write a second one. */
static int read_path(struct archive_reading *reading, struct unity_package_item *item)
{
	struct unity_package *package = reading->package;
	uint32_t number = (uint32_t)(item - unity_package_at(package, 0)), known;
	const char *fault, *path;
	const uint8_t *at;
	ssize_t got = peek_entry(reading, PATH_BYTES_MAX, &at);
	char shown[200];
	size_t length = 0;

	if (got < 0)
		return -1;
	if (item->path != NULL || item->is_left_out)
		return fail(reading, "%s/pathname is in the archive twice", item->guid);
	while (length < (size_t)got && at[length] != '\n' && at[length] != '\r' && at[length] != '\0')
		length++;
	package->path_bytes += length;
	if (reading->entry.size > PATH_BYTES_MAX || package->path_bytes > ANIM_PACKAGE_PATHS_MAX)
		return fail(reading, "%s/pathname is too long", item->guid);
	path = anim_arena_text(&package->arena, (const char *)at, length, reading->error);
	if (path == NULL)
		return -1;
	fault = path_fault(path, length);
	if (fault != NULL) {
		anim_text_safe(shown, sizeof shown, path, length);
		item->is_left_out = true;
		return anim_diagnostics_warn(reading->options->diagnostics, "asset", reading->error,
					     "'%s': left out because of the path" ANIM_DETAIL ", which %s: '%s'",
					     item->guid, fault, shown);
	}
	item->path = path;
	if (anim_map_get(&package->paths, 0, item->path, length, &known))
		return 0;
	return anim_map_put(&package->paths, 0, item->path, length, number, reading->error);
}

/*
 * Check that the spool may grow by `more` bytes. Text of Unity shrinks to a tenth or less, so a package that inflates
 * far more than usual is refused before it fills the disk.
 */
static int check_kept(struct archive_reading *reading, size_t more)
{
	uint64_t come = anim_input_read_bytes(reading->input);
	uint64_t most = ANIM_PACKAGE_KEPT_MAX;

	if (come < UINT64_MAX / ANIM_PACKAGE_EXPANSION_MAX && come * ANIM_PACKAGE_EXPANSION_MAX > most)
		most = come * ANIM_PACKAGE_EXPANSION_MAX;
	reading->kept += more;
	if (reading->kept <= most || reading->options->trust_size)
		return 0;
	return fail(reading,
		    "more than %llu bytes of text inflate from %llu; if you trust the file, use " ANIM_OPTION(
			"parse", "trust-size"),
		    (unsigned long long)most, (unsigned long long)come);
}

#define DOCUMENT "--- !u!"    /* the head of a document, before the number of its class */
#define HEAD_MAX ((size_t)32) /* bytes of a head with the line feed before it and the number */

/* Note the class in the head of a document. `size`: bytes after the text that every head has. */
static void note_document(struct unity_package_item *item, const uint8_t *at, size_t size)
{
	uint64_t number = read_number(at, size, 10);

	item->has_clips |= number == UNITY_CLIP_CLASS;
	item->has_players |= number == UNITY_ANIMATOR || number == UNITY_ANIMATION || number == UNITY_DIRECTOR;
}

/*
 * Copy the rest of the entry into the spool. The windows overlap by the length of a document's head. `item`:
 * search it for documents, or NULL.
 */
static int keep_entry(struct archive_reading *reading, struct unity_package_part *part, struct unity_package_item *item)
{
	struct anim_spool *spool = &reading->package->spool;
	const uint8_t *at, *head, *end;

	part->place = anim_spool_size(spool);
	part->size = reading->entry.left;
	part->is_kept = true;
	if (anim_spool_begin(spool, part->size, reading->error) != 0)
		return -1;
	while (reading->entry.left > 0) {
		ssize_t got = peek_entry(reading, PEEK_BYTES, &at);
		size_t size = (size_t)got;

		if (got < 0)
			return -1;
		end = at + size;
		head = item == NULL ? NULL : anim_text_find(at, size, "\n" DOCUMENT);
		while (head != NULL) {
			head += sizeof DOCUMENT;
			note_document(item, head, (size_t)(end - head));
			head = anim_text_find(head, (size_t)(end - head), "\n" DOCUMENT);
		}
		if (size < reading->entry.left)
			size -= HEAD_MAX;
		if (check_kept(reading, size) != 0 || anim_spool_append(spool, at, size, reading->error) != 0)
			return -1;
		anim_input_skip(reading->input, size);
		reading->entry.left -= size;
	}
	return 0;
}

/*
 * Keep an asset if it is text of Unity, or a model that may be asked for. Of an image, only its size is read. Sounds are
 * passed over.
 */
static int read_asset(struct archive_reading *reading, struct unity_package_item *item)
{
	const uint8_t *at;
	ssize_t got = peek_entry(reading, PEEK_BYTES, &at);

	if (got < 0)
		return -1;
	if (!anim_unity_is(at, (size_t)got)) {
		const struct anim_read_other *other = reading->options->other;

		item->is_other = other != NULL && other->is(at, (size_t)got);
		if (item->is_other)
			return reading->options->asset != NULL ? keep_entry(reading, &item->asset, NULL) : 0;
		got = peek_entry(reading, ANIM_IMAGE_HEAD, &at);
		if (got > 0 && !anim_image_size(at, (size_t)got, item->image))
			item->image[0] = item->image[1] = 0;
		return got < 0 ? -1 : 0;
	}
	if (anim_bytes_begin(at, (size_t)got, DOCUMENT))
		note_document(item, at + sizeof DOCUMENT - 1, (size_t)got - (sizeof DOCUMENT - 1));
	return keep_entry(reading, &item->asset, item);
}

static int read_entry(struct archive_reading *reading)
{
	const struct archive_entry *entry = &reading->entry;
	struct unity_package_item *item;
	struct unity_package_part *part;
	char guid[ANIM_UNITY_GUID];
	const char *leaf;
	bool is_asset, is_meta, is_path;

	if (!split_name(entry->name, guid, &leaf))
		return 0;
	is_asset = strcmp(leaf, "asset") == 0;
	is_meta = strcmp(leaf, "asset.meta") == 0;
	is_path = strcmp(leaf, "pathname") == 0;
	if (!is_asset && !is_meta && !is_path)
		return 0;
	/* The other types are folders, links, devices and heads of long names. */
	if (entry->type != '0' && entry->type != '\0' && entry->type != '7')
		return fail(reading, "%s/%s is not a regular file", guid, leaf);
	item = item_of(reading, guid);
	if (item == NULL)
		return -1;
	if (is_path)
		return read_path(reading, item);
	part = is_asset ? &item->asset : &item->meta;
	if (part->is_there)
		return fail(reading, "%s/%s is in the archive twice", guid, leaf);
	part->is_there = true;
	if (is_asset)
		return read_asset(reading, item);
	return entry->size <= ANIM_TEXT_MAX ? keep_entry(reading, part, NULL) : 0;
}

#define PADDING_MAX ((size_t)1 << 20) /* many times the padding that any program writes after the archive */

/*
 * Read the archive from the input (borrowed) in one pass. Memory holds the names, and the spool up to
 * options->store_memory. Returns 0, or -1 with an error that names the archive and the file in it. Call clear_package
 * in both cases.
 */
static int read_archive(struct unity_package *package, struct anim_input *input,
			const struct anim_read_options *options, struct anim_error *error)
{
	struct archive_reading reading = {.package = package, .input = input, .options = options, .error = error};
	struct archive_entry *entry = &reading.entry;
	const uint8_t *at;
	ssize_t size;
	int got;

	*package = (struct unity_package){.shown = anim_input_name(input)};
	anim_spool_init(&package->spool, options->store_memory);
	while ((got = next_entry(&reading)) > 0) {
		if (read_entry(&reading) != 0)
			return -1;
		/* Pass over the rest of the entry and the unused end of its last block. */
		entry->left += (BLOCK - entry->size % BLOCK) % BLOCK;
		while (entry->left > 0) {
			if (peek_entry(&reading, 1, &at) < 0)
				return -1;
			entry->left -= anim_input_pass(input, entry->left);
		}
	}
	/* Read the padding after the archive, so that a compressed package is checked to its end. */
	for (size_t passed = 0;
	     got == 0 && passed < PADDING_MAX && (size = anim_input_peek(input, 1, &at, error)) != 0;) {
		if (size < 0) {
			got = -1;
		} else {
			anim_input_skip(input, (size_t)size);
			passed += (size_t)size;
		}
	}
	if (got == 0 && unity_package_count(package) == 0) {
		anim_fail(error, ANIM_UNSUPPORTED,
			  "a tar archive, but not a Unity package: unpack it first: tar xf FILE");
		return anim_error_in_file(error, package->shown);
	}
	return got;
}

static void clear_package(struct unity_package *package)
{
	anim_arena_clear(&package->arena);
	anim_buffer_clear(&package->items);
	anim_map_clear(&package->guids);
	anim_map_clear(&package->paths);
	anim_spool_clear(&package->spool);
}

/* ---- Access by guid and path ---- */

const struct unity_package_item *unity_package_find(const struct unity_package *package, const char *guid)
{
	char lower[ANIM_UNITY_GUID + 1] = "";
	const char *rest;
	uint32_t number;

	if (!anim_unity_guid_is(guid))
		return NULL;
	memcpy(lower, guid, ANIM_UNITY_GUID - 1);
	lower[ANIM_UNITY_GUID - 1] = '/';
	(void)split_name(lower, lower, &rest);
	return anim_map_get(&package->guids, 0, lower, ANIM_UNITY_GUID - 1, &number) ? unity_package_at(package, number)
										     : NULL;
}

const struct unity_package_item *unity_package_find_path(const struct unity_package *package, const char *path)
{
	uint32_t number;

	return anim_map_get(&package->paths, 0, path, strlen(path), &number) ? unity_package_at(package, number) : NULL;
}

const struct unity_package_part *unity_package_part_of(const struct unity_package_item *item)
{
	return item->path != NULL && unity_is_model(item->path) && !item->asset.is_kept ? &item->meta : &item->asset;
}

const char *unity_package_shown(const struct unity_package *package, const char *path, struct anim_arena *arena,
				struct anim_error *error)
{
	return anim_arena_printf(arena, error, "%s:%s", package->shown, path);
}

static int copy_part(void *context, uint64_t place, void *to, size_t size, struct anim_error *error)
{
	return anim_spool_copy(context, place, to, size, error);
}

int unity_package_open(struct unity_package *package, const struct unity_package_part *part, const char *shown,
		       const struct anim_input_options *options, struct anim_input **input, struct anim_error *error)
{
	const struct anim_input_part bytes = {copy_part, &package->spool, part->place, part->size};
	struct anim_input_options own = {0};

	if (options != NULL)
		own.read_max = options->read_max;
	return anim_input_open_part(input, &bytes, shown, &own, error);
}

/* ---- Reading the clips ---- */

/* A package whose assets are being read. */
struct package_run {
	struct unity_package *package;
	const struct anim_read_options *options;
	struct anim_sink *sink;
	struct anim_error *error;
	struct anim_buffer chosen; /* const struct unity_package_item * */
	const char *prefab;        /* path of the first asset with players, or NULL */
	const char *model;         /* path of the first model, or NULL */
	size_t models;
};

/*
 * Return whether the user asks for the asset. Without a pattern, it is any asset. A pattern matches only assets that may
 * contain clips, players or nodes.
 */
static bool is_wanted(const struct package_run *run, const struct unity_package_item *item)
{
	static const char *const suffixes[] = {".anim",   ".controller", ".overrideController",
					       ".prefab", ".unity",      ".playable",
					       ".asset",  ".fbx",        ".bvh",
					       ".glb",    ".gltf",       ".vrma"};
	const char *pattern = run->options->asset;

	if (pattern == NULL)
		return true;
	return item->path != NULL &&
	       (strcmp(pattern, item->path) == 0 || strcmp(pattern, anim_path_last(item->path)) == 0 ||
		(anim_glob_match(pattern, item->path) &&
		 anim_path_has_suffix(item->path, suffixes, ANIM_COUNT(suffixes))));
}

static int warn(const struct package_run *run, const char *noun, const char *what, const char *name)
{
	struct anim_diagnostics *diagnostics = run->options->diagnostics;

	if (anim_diagnostics_warn(diagnostics, noun, run->error, "'%.300s': %s", name, what) != 0)
		return -1;
	return anim_diagnostics_name(diagnostics, run->error, "'%.300s'", name);
}

/* Choose the asset if it is to be read, and warn if it cannot be. Returns 0 or -1. */
static int consider(struct package_run *run, const struct unity_package_item *item)
{
	static const char *const anim[] = {".anim"};
	bool wanted = is_wanted(run, item);

	if (item->path == NULL)
		return !wanted || !item->has_clips || item->is_left_out
			   ? 0
			   : warn(run, "asset", "left out, because the package has no path", item->guid);
	if (!item->asset.is_kept && item->asset.is_there && anim_path_has_suffix(item->path, anim, 1))
		return !wanted ? 0
			       : warn(run, "clip",
				      "left out, because of binary data: set Asset Serialization to Force Text",
				      item->path);
	if (item->is_other && run->models++ == 0)
		run->model = item->path;
	if (item->has_players && run->prefab == NULL)
		run->prefab = item->path;
	if (!unity_package_part_of(item)->is_kept || !wanted || (run->options->asset == NULL && !item->has_clips))
		return 0;
	return anim_buffer_append(&run->chosen, &item, sizeof item, run->error);
}

static int compare_items(const void *a, const void *b)
{
	const struct unity_package_item *first = *(const struct unity_package_item *const *)a;
	const struct unity_package_item *second = *(const struct unity_package_item *const *)b;
	int order = strcmp(first->path, second->path);

	return order != 0 ? order : strcmp(first->guid, second->guid);
}

#define QUOTED 400 /* bytes of a quoted path in a command that a message suggests */

/* Read a model with the reader of its format. Returns 0 or -1. */
static int read_model(const struct package_run *run, const struct unity_package_item *item, struct anim_sink *sink)
{
	struct anim_read_options options = *run->options;
	struct anim_arena arena = {0};
	struct anim_input *input = NULL;
	const char *shown = unity_package_shown(run->package, item->path, &arena, run->error);
	int result = shown == NULL ? -1
				   : unity_package_open(run->package, &item->asset, shown, run->options->input_options,
							&input, run->error);

	options.source_name = anim_path_last(item->path);
	if (result == 0)
		result = unity_asset_read_model(run->package, item, input, &options, sink, run->error);
	if (result > 0)
		result = options.other->read(input, &options, sink, run->error);
	anim_input_close(input);
	anim_arena_clear(&arena);
	return result;
}

/* Read one asset. With --keep-going, an asset with errors is left out. Returns 0 or -1. */
static int read_chosen(const struct package_run *run, const struct unity_package_item *item)
{
	struct anim_naming_sink naming;
	struct anim_sink *sink = anim_naming_sink_init(&naming, item->path, true, run->sink);
	int result =
	    item->is_other && item->asset.is_kept
		? read_model(run, item, sink)
		: unity_asset_read(run->package, item, run->options->asset == NULL, run->options, sink, run->error);
	struct anim_place place = {
	    .file = run->error->file, .at = run->error->at, .line = run->error->line, .column = run->error->column};

	anim_naming_sink_clear(&naming);
	if (result == 0 || !run->options->keep_going || !anim_error_is_of_input(run->error))
		return result;
	result = anim_diagnostics_add(run->options->diagnostics, ANIM_WARNING, &place, NULL, run->error, "left out: %s",
				      run->error->message);
	if (result == 0)
		*run->error = (struct anim_error){0};
	return result;
}

static int read_package(struct package_run *run)
{
	const struct unity_package *package = run->package;
	const struct unity_package_item *const *item;
	struct anim_diagnostics *diagnostics = run->options->diagnostics;
	const char *pattern = run->options->asset;
	char quoted[QUOTED];
	size_t count;

	for (size_t i = 0; i < unity_package_count(package); i++)
		if (consider(run, unity_package_at(package, i)) != 0)
			return -1;
	item = (const struct unity_package_item *const *)(void *)run->chosen.data;
	count = run->chosen.size / sizeof *item;
	/* Name the models, whose motion is read only if they are asked for. */
	if (pattern == NULL && run->models > 0 && anim_text_quote(quoted, sizeof quoted, run->model) < sizeof quoted &&
	    anim_diagnostics_note(diagnostics, NULL, run->error,
				  "motion in %zu file%s of other programs is not read; to read %s, use " ANIM_OPTION_TO(
				      "parse", "asset", "%s"),
				  run->models, run->models == 1 ? "" : "s", run->models == 1 ? "it" : "the first one",
				  quoted) != 0)
		return -1;
	if (count == 0 && pattern == NULL)
		return anim_diagnostics_warn(diagnostics, NULL, run->error,
					     run->models > 0 ? "no clips of Unity in this package"
							     : "no animation in this package");
	if (count == 0) {
		anim_fail(run->error, ANIM_UNSUPPORTED, "no asset of the package matches '%.300s'%s%.300s%s", pattern,
			  run->prefab == NULL ? "" : " (it has '", run->prefab == NULL ? "" : run->prefab,
			  run->prefab == NULL ? "" : "')");
		return anim_error_in_file(run->error, package->shown);
	}
	qsort(run->chosen.data, count, sizeof *item, compare_items);
	/* Suggest how to get nodes, if prefabs or scenes in the package play clips. */
	if (pattern == NULL && run->prefab != NULL &&
	    anim_text_quote(quoted, sizeof quoted, run->prefab) < sizeof quoted &&
	    anim_diagnostics_note(
		diagnostics, NULL, run->error,
		"clips are read without nodes; to read them with the nodes that they move, use " ANIM_OPTION_TO(
		    "parse", "asset", "%s"),
		quoted) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (read_chosen(run, item[i]) != 0)
			return -1;
	return 0;
}

int anim_unity_package_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
			    struct anim_error *error)
{
	struct unity_package package;
	struct package_run run = {.package = &package, .options = options, .sink = sink, .error = error};
	int result = read_archive(&package, input, options, error);

	if (result == 0)
		result = read_package(&run);
	anim_buffer_clear(&run.chosen);
	clear_package(&package);
	return result;
}
