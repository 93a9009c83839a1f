/* unity_assets.c: guids to files through .meta files, and what those say of sub-sprites. */
#include "format/unity/run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

#define GUID_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define GUID_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define GUID_C "cccccccccccccccccccccccccccccccc"

/* A project in a folder of its own. */
struct project {
	char root[512];
	struct anim_arena arena;
	struct unity_assets assets;
};

static void make_folder(const struct project *project, const char *path)
{
	char name[1024];

	snprintf(name, sizeof name, "%s/%s", project->root, path);
	CHECK(mkdir(name, 0700) == 0);
}

static void make_file(const struct project *project, const char *path, const char *content)
{
	char name[1024];
	FILE *file;

	snprintf(name, sizeof name, "%s/%s", project->root, path);
	file = fopen(name, "w");
	if (CHECK(file != NULL)) {
		fputs(content, file);
		fclose(file);
	}
}

static void make_meta(const struct project *project, const char *path, const char *guid)
{
	char content[256];

	snprintf(content, sizeof content, "fileFormatVersion: 2\r\nguid: %s\r\nNativeFormatImporter:\r\n", guid);
	make_file(project, path, content);
}

static void begin(struct project *project)
{
	const char *folder = getenv("TMPDIR");

	memset(project, 0, sizeof *project);
	snprintf(project->root, sizeof project->root, "%s/unity_assets.XXXXXX", folder == NULL ? "/tmp" : folder);
	CHECK(mkdtemp(project->root) != NULL);
	make_folder(project, "Assets");
	make_folder(project, "Assets/near");
	make_folder(project, "Assets/far");
}

/* As a file of Assets/near would ask. */
static void open_assets(struct project *project)
{
	struct anim_location location = {0};
	char name[1024];

	snprintf(name, sizeof name, "%s/Assets/near/x.anim", project->root);
	make_file(project, "Assets/near/x.anim", "");
	CHECK(anim_path_real(&project->arena, name, &location.real, NULL) == 1);
	CHECK(anim_locate_folders(&location, name, &project->arena, NULL) == 0);
	CHECK(unity_assets_init(&project->assets, &location, &project->arena, NULL) == 0);
}

static void end(struct project *project)
{
	char command[1024];

	unity_assets_clear(&project->assets);
	anim_arena_clear(&project->arena);
	snprintf(command, sizeof command, "rm -r '%s'", project->root);
	CHECK(system(command) == 0);
}

static bool finds(struct project *project, const char *guid, const char *wanted)
{
	const char *path;
	int got = unity_assets_find(&project->assets, guid, &path, NULL);

	if (wanted == NULL)
		return got == 0 && path == NULL;
	return got == 1 && strcmp(path, wanted) == 0;
}

TEST(assets_found, "a guid leads to the file beside its .meta, capital digits or small, again without looking anew")
{
	struct project project;

	begin(&project);
	make_meta(&project, "Assets/far/run.anim.meta", GUID_A);
	make_meta(&project, "Assets/walk.anim.meta", "ABCDEF0123456789abcdef0123456789");
	open_assets(&project);
	CHECK(finds(&project, "abcdef0123456789ABCDEF0123456789", "Assets/walk.anim"));
	CHECK(finds(&project, GUID_A, "Assets/far/run.anim"));
	CHECK(finds(&project, GUID_B, NULL));
	make_meta(&project, "Assets/late.anim.meta", GUID_B);
	CHECK(finds(&project, GUID_B, NULL));
	CHECK(finds(&project, GUID_A, "Assets/far/run.anim"));
	end(&project);
}

TEST(assets_fit,
     "a kept index is right for files in other folders if no two assets have one guid, and reads each .meta once")
{
	struct project project;

	begin(&project);
	make_meta(&project, "Assets/far/run.anim.meta", GUID_A);
	make_folder(&project, "Assets/hidden~");
	project.assets.is_kept = true;
	open_assets(&project);
	CHECK(unity_assets_fit(&project.assets, "Assets/far", NULL) == 1);
	CHECK(project.assets.next == project.assets.folders.size / sizeof(char *));
	make_meta(&project, "Assets/far/late.anim.meta", GUID_B);
	CHECK(unity_assets_fit(&project.assets, "Assets/near", NULL) == 1);
	CHECK(finds(&project, GUID_A, "Assets/far/run.anim") && finds(&project, GUID_B, NULL));
	CHECK(unity_assets_fit(&project.assets, "Assets/hidden~", NULL) == 0);
	end(&project);
	begin(&project);
	make_meta(&project, "Assets/far/run.anim.meta", GUID_A);
	make_meta(&project, "Assets/run.anim.meta", GUID_A);
	project.assets.is_kept = true;
	open_assets(&project);
	CHECK(unity_assets_fit(&project.assets, "Assets/far", NULL) == 0);
	end(&project);
}

TEST(assets_again, "a folder that was asked for two assets is not looked through for a third")
{
	struct project project;
	char meta[1024];

	begin(&project);
	make_meta(&project, "Assets/near/a.png.meta", GUID_A);
	make_meta(&project, "Assets/near/b.png.meta", GUID_B);
	make_meta(&project, "Assets/near/c.png.meta", GUID_C);
	make_meta(&project, "Assets/near/d.png.meta", GUID_C);
	open_assets(&project);
	CHECK(finds(&project, GUID_A, "Assets/near/a.png"));
	CHECK(finds(&project, GUID_B, "Assets/near/b.png"));
	snprintf(meta, sizeof meta, "%s/Assets/near/c.png.meta", project.root);
	CHECK(unlink(meta) == 0);
	CHECK(finds(&project, GUID_C, "Assets/near/c.png"));
	end(&project);
}

TEST(assets_order, "of two files with one guid the one in the asking file's folder counts, then the one nearer the top")
{
	struct project project;

	begin(&project);
	make_meta(&project, "Assets/near/b.anim.meta", GUID_A);
	make_meta(&project, "Assets/near/c.anim.meta", GUID_A);
	make_meta(&project, "Assets/a.anim.meta", GUID_A);
	make_meta(&project, "Assets/far/d.anim.meta", GUID_B);
	make_meta(&project, "Assets/e.anim.meta", GUID_B);
	open_assets(&project);
	CHECK(finds(&project, GUID_A, "Assets/near/b.anim"));
	CHECK(project.assets.next == 1);
	CHECK(finds(&project, GUID_B, "Assets/e.anim"));
	end(&project);
}

TEST(assets_sorted, "in one folder the names' bytes decide, in whatever order the folder tells them")
{
	struct project project;
	char name[64];

	begin(&project);
	for (int i = 39; i >= 0; i--) {
		snprintf(name, sizeof name, "Assets/far/%02d.anim.meta", (i * 7 + 3) % 40);
		make_meta(&project, name, GUID_A);
		snprintf(name, sizeof name, "Assets/%02d", (i * 11 + 5) % 40);
		make_folder(&project, name);
		snprintf(name, sizeof name, "Assets/%02d/x.anim.meta", (i * 11 + 5) % 40);
		make_meta(&project, name, GUID_B);
	}
	open_assets(&project);
	CHECK(finds(&project, GUID_A, "Assets/far/00.anim"));
	CHECK(finds(&project, GUID_B, "Assets/00/x.anim"));
	end(&project);
}

TEST(assets_passed_over, "links, hidden folders, other suffixes and files without a guid are passed over")
{
	struct project project;
	char target[1024], name[1024];

	begin(&project);
	make_folder(&project, "Assets/.git");
	make_folder(&project, "Assets/Old~");
	make_folder(&project, "Elsewhere");
	make_meta(&project, "Assets/.git/a.anim.meta", GUID_A);
	make_meta(&project, "Assets/Old~/a.anim.meta", GUID_A);
	make_meta(&project, "Elsewhere/a.anim.meta", GUID_A);
	make_meta(&project, "Assets/a.anim.met", GUID_A);
	make_meta(&project, "Assets/.meta", GUID_A);
	make_file(&project, "Assets/b.anim.meta", "  guid: " GUID_A "\n");
	make_file(&project, "Assets/c.anim.meta", "guid: " GUID_A "a\n");
	make_file(&project, "Assets/d.anim.meta", "guid: aaaa\n");
	snprintf(target, sizeof target, "%s/Elsewhere", project.root);
	snprintf(name, sizeof name, "%s/Assets/linked", project.root);
	CHECK(symlink(target, name) == 0);
	snprintf(target, sizeof target, "%s/Elsewhere/a.anim.meta", project.root);
	snprintf(name, sizeof name, "%s/Assets/link.anim.meta", project.root);
	CHECK(symlink(target, name) == 0);
	snprintf(name, sizeof name, "%s/Assets/fifo.anim.meta", project.root);
	CHECK(mkfifo(name, 0600) == 0);
	open_assets(&project);
	CHECK(finds(&project, GUID_A, NULL));
	end(&project);
}

TEST(assets_limit, "beyond so many .meta files those seen still count, and it is known that there were more")
{
	struct project project;

	begin(&project);
	make_meta(&project, "Assets/near/a.anim.meta", GUID_A);
	make_meta(&project, "Assets/near/b.anim.meta", GUID_B);
	make_meta(&project, "Assets/near/c.anim.meta", GUID_C);
	open_assets(&project);
	project.assets.metas_max = 2;
	CHECK(finds(&project, GUID_A, "Assets/near/a.anim"));
	CHECK(project.assets.truncated);
	CHECK(finds(&project, GUID_B, "Assets/near/b.anim"));
	CHECK(finds(&project, GUID_C, NULL));
	end(&project);
}

/* The folder that is searched for a file. */
static const char *searched(struct project *project, const char *file)
{
	static char folder[1024];
	char path[1024];
	struct anim_location location = {.real = path};

	snprintf(path, sizeof path, "%s/%s", project->root, file);
	snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
	location.folder = location.shown_folder = folder;
	unity_assets_clear(&project->assets);
	CHECK(unity_assets_init(&project->assets, &location, &project->arena, NULL) == 0);
	return project->assets.project.folder + strlen(project->root);
}

TEST(assets_root, "the project is the folder whose Assets hold the file, of several the one with settings")
{
	struct project project;

	begin(&project);
	make_folder(&project, "Assets/a");
	make_folder(&project, "Assets/a/Assets");
	make_folder(&project, "Packages");
	CHECK(strcmp(searched(&project, "Assets/a/x.anim"), "") == 0);
	CHECK(strcmp(searched(&project, "Assets/a/Assets/x.anim"), "") == 0);
	CHECK(strcmp(searched(&project, "Packages/x.anim"), "") == 0 && project.assets.root == UNITY_ROOT_PROJECT);
	make_folder(&project, "Assets/a/ProjectSettings");
	CHECK(strcmp(searched(&project, "Assets/a/Assets/x.anim"), "/Assets/a") == 0);
	CHECK(strcmp(searched(&project, "Assets/a/x.anim"), "") == 0);
	make_folder(&project, "ProjectSettings");
	CHECK(strcmp(searched(&project, "Assets/a/Assets/x.anim"), "/Assets/a") == 0);
	CHECK(strcmp(searched(&project, "Packages/x.anim"), "") == 0);
	end(&project);
}

TEST(assets_loose, "without a project the package is searched, or the file's own folder")
{
	struct project project;

	begin(&project);
	make_folder(&project, "p");
	make_folder(&project, "p/near");
	make_folder(&project, "p/far");
	make_meta(&project, "p/near/a.anim.meta", GUID_A);
	make_meta(&project, "p/far/b.anim.meta", GUID_B);
	CHECK(strcmp(searched(&project, "p/near/x.anim"), "/p/near") == 0);
	CHECK(project.assets.root == UNITY_ROOT_FOLDER);
	CHECK(finds(&project, GUID_A, "a.anim") && finds(&project, GUID_B, NULL));
	make_folder(&project, "p/near/package.json");
	CHECK(strcmp(searched(&project, "p/near/x.anim"), "/p/near") == 0);
	make_meta(&project, "p/package.json", GUID_C);
	CHECK(strcmp(searched(&project, "p/near/x.anim"), "/p") == 0);
	CHECK(project.assets.root == UNITY_ROOT_PACKAGE);
	CHECK(finds(&project, GUID_A, "near/a.anim") && finds(&project, GUID_B, "far/b.anim"));
	end(&project);
}

TEST(assets_own_guid, "the guid of a file itself is read from its .meta, empty where there is none")
{
	struct project project;
	char name[1024], guid[ANIM_UNITY_GUID];

	begin(&project);
	make_meta(&project, "Assets/a.anim.meta", "ABCDEF0123456789abcdef0123456789");
	snprintf(name, sizeof name, "%s/Assets/a.anim", project.root);
	unity_assets_guid_of(name, guid);
	CHECK(strcmp(guid, "abcdef0123456789abcdef0123456789") == 0);
	snprintf(name, sizeof name, "%s/Assets/b.anim", project.root);
	unity_assets_guid_of(name, guid);
	CHECK(guid[0] == '\0');
	end(&project);
}

/* The sprites of a .meta text as "ID=NAME#INDEX ". */
static const char *sprites_of(const char *text)
{
	static char out[512];
	struct anim_buffer sprites = {0};
	struct anim_arena arena = {0};
	struct anim_input *input = NULL;
	const struct unity_sprite *sprite;
	size_t size = 0;

	out[0] = '\0';
	CHECK(anim_input_open_memory(&input, text, strlen(text), "x.png.meta", NULL) == 0);
	CHECK(unity_meta_sprites(input, &arena, &sprites, &(struct anim_error){0}) == 0);
	sprite = (const struct unity_sprite *)sprites.data;
	for (size_t i = 0; i < sprites.size / sizeof *sprite; i++)
		size += (size_t)snprintf(out + size, sizeof out - size, "%lld=%s#%lld ", (long long)sprite[i].file_id,
					 sprite[i].name, (long long)sprite[i].index);
	anim_input_close(input);
	anim_buffer_clear(&sprites);
	anim_arena_clear(&arena);
	return out;
}

#define META_HEAD "fileFormatVersion: 2\nguid: " GUID_A "\nTextureImporter:\n"

TEST(sprites_new, "sub-sprites have the names of the table and the order of the sheet")
{
	CHECK(
	    strcmp(sprites_of(META_HEAD "  internalIDToNameTable:\n  - first:\n      213: -5\n    second: run_1\n"
					"  - first:\n      213: 6\n    second: 'run: 0'\n  spriteSheet:\n    sprites:\n"
					"    - serializedVersion: 2\n      name: 'run: 0'\n      internalID: 6\n"
					"    - serializedVersion: 2\n      name: run_1\n      bones:\n      - name: x\n"
					"      internalID: -5\n    - name: new\n      internalID: 7\n"),
		   "-5=run_1#1 6=run: 0#0 7=new#2 ") == 0);
}

TEST(sprites_old, "before Unity 2019 the names tell which sprite of the sheet an id means")
{
	CHECK(
	    strcmp(sprites_of(META_HEAD "  fileIDToRecycleName:\n    21300000: a\n    21300002: b\n    21300004: c\n"
					"  spriteSheet:\n    sprites:\n    - name: c\n    - name: a\n    - name: b\n"),
		   "21300000=a#1 21300002=b#2 21300004=c#0 ") == 0);
}

TEST(sprites_none, "a .meta without sprites, of another importer or damaged names none")
{
	CHECK(sprites_of(META_HEAD "  fileIDToRecycleName: {}\n  spriteSheet:\n    sprites: []\n")[0] == '\0');
	CHECK(sprites_of("fileFormatVersion: 2\nguid: " GUID_A "\n")[0] == '\0');
	CHECK(sprites_of("")[0] == '\0');
	CHECK(sprites_of(META_HEAD "  internalIDToNameTable: [\n")[0] == '\0');
	CHECK(sprites_of(META_HEAD "  internalIDToNameTable:\n  - first: 3\n  - 4\n  - second: x\n")[0] == '\0');
}
