/* writer_file.c: the text of a .tres or .tscn: the order of the clips, its resources, its nodes and players. */

#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/input.h"
#include "base/number.h"
#include "format/godot/writer.h"
#include "math/basis.h"
#include "math/quaternion.h"

/* ---- The order in which clips are written ---- */

/* By the bytes, but numbers in them by their size: walk2 before walk10. */
static int compare_names(const char *a, const char *b)
{
	while (*a != '\0' && *b != '\0') {
		if (godot_is_digit(*a) && godot_is_digit(*b)) {
			size_t x, y;
			int order;

			a += strspn(a, "0");
			b += strspn(b, "0");
			x = strspn(a, "0123456789");
			y = strspn(b, "0123456789");
			order = x != y ? (x < y ? -1 : 1) : memcmp(a, b, x);
			if (order != 0)
				return order;
			a += x;
			b += y;
		} else if (*a != *b) {
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	return (*a != '\0') - (*b != '\0');
}

static int compare_clips(const struct godot_written_clip *a, const struct godot_written_clip *b)
{
	if (a->player_number != b->player_number)
		return a->player_number < b->player_number ? -1 : 1;
	if (a->library_number != b->library_number)
		return a->library_number < b->library_number ? -1 : 1;
	return a->names.from_godot && b->names.from_godot ? 0 : compare_names(a->name, b->name);
}

/* Merges two sorted runs, equal ones in their order: n log n whatever comes. */
static void merge(const struct godot_writer *writer, uint32_t *numbers, uint32_t *spare, size_t count)
{
	size_t half = count / 2, i = 0, j = half;

	if (count < 2)
		return;
	merge(writer, numbers, spare, half);
	merge(writer, numbers + half, spare, count - half);
	memcpy(spare, numbers, count * sizeof *numbers);
	for (size_t k = 0; k < count; k++) {
		bool second = i == half || (j < count && compare_clips(godot_writer_clip(writer, spare[j]),
								       godot_writer_clip(writer, spare[i])) < 0);

		numbers[k] = second ? spare[j++] : spare[i++];
	}
}

/* Where each player's clips begin in the order, and how many libraries are before them. 0 or -1. */
static int find_players(struct godot_writer *writer, const uint32_t *order, size_t count)
{
	uint32_t library = 0;

	writer->player_from = anim_arena_zeroed(&writer->kept, writer->players + 1, sizeof(uint32_t), writer->error);
	writer->player_library = anim_arena_zeroed(&writer->kept, writer->players + 1, sizeof(uint32_t), writer->error);
	if (writer->player_from == NULL || writer->player_library == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct godot_written_clip *clip = godot_writer_clip(writer, order[i]);
		const struct godot_written_clip *before = i == 0 ? NULL : godot_writer_clip(writer, order[i - 1]);

		if (before == NULL || before->player_number != clip->player_number) {
			writer->player_from[clip->player_number] = (uint32_t)i;
			writer->player_library[clip->player_number] = library;
		}
		library += before == NULL || before->library_number != clip->library_number;
	}
	return 0;
}

/*
 * The order in which clips are written: by player and library; in these, clips of Godot as they came, others by name as
 * Godot sorts. `count` numbers of clips, in the arena. NULL out of memory.
 */
static uint32_t *find_order(struct godot_writer *writer, size_t *count)
{
	size_t n = writer->clips.size / sizeof(struct godot_written_clip);
	uint32_t *numbers = anim_arena_zeroed(&writer->kept, n, sizeof *numbers, writer->error);
	uint32_t *spare = anim_arena_zeroed(&writer->kept, n, sizeof *spare, writer->error);

	*count = n;
	if (numbers == NULL || spare == NULL)
		return NULL;
	for (size_t i = 0; i < n; i++)
		numbers[i] = (uint32_t)i;
	merge(writer, numbers, spare, n);
	return find_players(writer, numbers, n) != 0 ? NULL : numbers;
}

/* ---- Meshes and sprites: blend shapes, frames ---- */

static void print_mesh(struct godot_print *print, const struct godot_nodes *nodes, const struct godot_scene_node *node)
{
	bool old = godot_print_is_3(print);

	godot_print_text(print, "[sub_resource type=\"ArrayMesh\" id=");
	godot_print_sub_id(print, "ArrayMesh", node->mesh);
	godot_print_format(print, "]\n%s = %s%(", old ? "blend_shape/names" : "_blend_shape_names",
			   old ? "PoolStringArray" : "PackedStringArray");
	for (uint32_t i = node->first_shape; i != 0; i = godot_shape_at(nodes, i - 1)->next)
		godot_print_format(print, i == node->first_shape ? "%Q" : ", %Q", godot_shape_at(nodes, i - 1)->name);
	godot_print_format(print, "%)\n\n");
}

/* Numbers the meshes that blend shapes want, behind so many Animations; how many there are. */
static size_t count_meshes(struct godot_writer *writer, size_t animations)
{
	uint32_t first = godot_print_is_3(&writer->print) ? (uint32_t)animations : 0, count = 0;

	for (uint32_t i = 0; i < godot_nodes_count(&writer->nodes); i++) {
		struct godot_scene_node *node = godot_nodes_at(&writer->nodes, i);

		if (node->first_shape != 0)
			node->mesh = first + ++count;
	}
	return count;
}

/* The meshes: without surfaces, but with the names of the shapes. */
static void print_meshes(struct godot_writer *writer)
{
	for (uint32_t i = 0; i < godot_nodes_count(&writer->nodes); i++)
		if (godot_nodes_at(&writer->nodes, i)->mesh != 0)
			print_mesh(&writer->print, &writer->nodes, godot_nodes_at(&writer->nodes, i));
}

/* The properties of the node that name its mesh and its frames. */
static void writer_furniture(struct godot_print *print, const struct godot_scene_node *node)
{
	if (node->mesh != 0) {
		godot_print_text(print, "mesh = ");
		godot_print_sub(print, "ArrayMesh", node->mesh);
		godot_print_text(print, "\n");
	}
	if (node->frames > 1)
		godot_print_format(print, "hframes = %u\n", (size_t)node->frames);
}

/* ---- AnimationPlayers: what they animate, their libraries, what plays at once ---- */

/* The length of what two paths have in common, in whole names. */
static size_t common_length(const char *a, const char *b)
{
	size_t same = 0;

	for (size_t i = 0;; i++) {
		bool both_end = (a[i] == '\0' || a[i] == '/') && (b[i] == '\0' || b[i] == '/');

		if (both_end)
			same = i;
		if (a[i] != b[i] || a[i] == '\0')
			return same;
	}
}

/* The path of `to` seen from `from`, both of the scene ("" its root): "../A". In the arena; NULL out of memory. */
static const char *relative_path(const char *from, const char *to, struct anim_arena *arena, struct anim_error *error)
{
	size_t same = common_length(from, to), ups = 0, length;
	char *text, *at;

	from += same + (from[same] == '/');
	to += same + (to[same] == '/');
	for (size_t i = 0; from[i] != '\0'; i++)
		ups += i == 0 || from[i] == '/' ? 1u : 0u;
	length = strlen(to);
	text = at = anim_arena_alloc(arena, 3 * ups + length + 2, error);
	if (text == NULL)
		return NULL;
	for (size_t i = 0; i < ups; i++, at += 3)
		memcpy(at, "../", 3);
	memcpy(at, to, length + 1);
	if (length == 0 && at > text)
		at[-1] = '\0';
	return text[0] == '\0' ? "." : text;
}

static const char *scene_path(const char *path)
{
	return strcmp(path, ".") == 0 ? "" : path;
}

static int print_root(struct godot_writer *writer, const struct godot_written_clip *clip)
{
	const char *path =
	    relative_path(scene_path(clip->player), scene_path(clip->root), &writer->scratch, writer->error);

	if (path == NULL)
		return -1;
	if (strcmp(path, "..") != 0)
		godot_print_format(&writer->print, "root_node = NodePath(%q)\n", path);
	return 0;
}

/* Full name of the clip that the player begins with. */
static void print_autoplay(struct godot_writer *writer, const struct godot_written_clip *clip)
{
	const char *name = clip->library[0] == '\0'
			       ? clip->name
			       : anim_arena_printf(&writer->scratch, writer->error, "%s/%s", clip->library, clip->name);

	if (name == NULL)
		writer->print.out.failed = true;
	else
		godot_print_format(&writer->print, "autoplay = %s%q\n",
				   writer->print.version == ANIM_GODOT_4_6 ? "&" : "", name);
}

/* As Godot's property_name_encode. */
static bool wants_quotes(const char *name)
{
	for (; *name != '\0'; name++)
		if ((unsigned char)*name < 33 || (unsigned char)*name > 126 || strchr("=\";[]", *name) != NULL)
			return true;
	return false;
}

void godot_writer_named(struct godot_writer *writer, const char *prefix, const char *name)
{
	const char *text = anim_arena_printf(&writer->scratch, writer->error, "%s%s", prefix, name);

	if (text == NULL)
		writer->print.out.failed = true;
	else
		godot_print_format(&writer->print, wants_quotes(text) ? "%Q = " : "%s = ", text);
}

/* The clips of one player lie side by side in the order, and its libraries too. */
static void print_libraries(struct godot_writer *writer, const uint32_t *order, size_t from, size_t to, size_t library)
{
	struct godot_print *print = &writer->print;
	bool single = print->version == ANIM_GODOT_4_6;

	for (size_t i = from; i < to; i++) {
		const struct godot_written_clip *clip = godot_writer_clip(writer, order[i]);

		if (i > from && clip->library_number == godot_writer_clip(writer, order[i - 1])->library_number)
			continue;
		if (single)
			godot_writer_named(writer, "libraries/", clip->library);
		else
			godot_print_format(print, i > from ? ",\n%k: " : "libraries = {\n%k: ", clip->library);
		godot_print_sub(print, "AnimationLibrary", ++library);
		godot_print_text(print, single ? "\n" : "");
	}
	godot_print_text(print, single ? "" : "\n}\n");
}

void godot_writer_own(struct godot_writer *writer, size_t clip, size_t number)
{
	godot_writer_named(writer, "anims/", godot_writer_clip(writer, clip)->name);
	godot_print_sub(&writer->print, "Animation", number);
}

/* What the node of this path says where it is the player of clips. 0 or -1. */
static int writer_player(struct godot_writer *writer, const uint32_t *order, size_t count, const char *path)
{
	const struct godot_written_clip *autoplay = NULL;
	bool old = godot_print_is_3(&writer->print);
	size_t from, to, library;
	uint32_t player;

	if (!anim_map_get(&writer->groups, 0, path, strlen(path), &player))
		return 0;
	anim_arena_reset(&writer->scratch);
	from = writer->player_from[player];
	library = writer->player_library[player];
	for (to = from; to < count && strcmp(godot_writer_clip(writer, order[to])->player, path) == 0; to++)
		if (godot_writer_clip(writer, order[to])->autoplay)
			autoplay = godot_writer_clip(writer, order[to]);
	if (print_root(writer, godot_writer_clip(writer, order[from])) != 0)
		return -1;
	if (autoplay != NULL && old)
		print_autoplay(writer, autoplay);
	for (size_t i = from; i < to && old; i++) {
		godot_writer_own(writer, order[i], i + 1);
		godot_print_text(&writer->print, "\n");
	}
	if (!old)
		print_libraries(writer, order, from, to, library);
	if (autoplay != NULL && !old)
		print_autoplay(writer, autoplay);
	return writer->print.out.failed ? -1 : 0;
}

/* ---- The nodes ---- */

static void print_name_value(struct godot_print *print, const char *name, const char *word, const float *numbers,
			     size_t count)
{
	godot_print_format(print, "%s = ", name);
	godot_print_reals(print, word, numbers, count);
	godot_print_text(print, "\n");
}

/* The twelve numbers of a Transform3D: rows of the basis, then the origin. */
static void print_transform(struct godot_print *print, const char *name, const float position[3],
			    const float rotation[4], const float scale[3])
{
	float m[16], numbers[12];

	anim_transform_compose(m, position, rotation, scale);
	for (int row = 0; row < 3; row++) {
		memcpy(numbers + 3 * row, m + 4 * row, 3 * sizeof *numbers);
		numbers[9 + row] = m[4 * row + 3];
	}
	print_name_value(print, name, godot_print_is_3(print) ? "Transform" : "Transform3D", numbers, 12);
}

static bool is_identity(const struct godot_scene_node *node)
{
	static const float none[] = {0, 0, 0}, turn[] = {0, 0, 0, 1}, one[] = {1, 1, 1};

	return memcmp(node->position, none, sizeof none) == 0 && memcmp(node->rotation, turn, sizeof turn) == 0 &&
	       memcmp(node->scale, one, sizeof one) == 0;
}

/* About z: half the angle's sine and cosine. */
static double angle_of(const float rotation[4])
{
	double q[4] = {(double)rotation[0], (double)rotation[1], (double)rotation[2], (double)rotation[3]}, angles[3];

	anim_euler_from_quat_double(angles, q, ANIM_EULER_YXZ);
	return angles[2];
}

static void print_flat(struct godot_print *print, const struct godot_scene_node *node)
{
	double angle = angle_of(node->rotation);
	float skew = 0;

	if (node->position[0] != 0 || node->position[1] != 0)
		print_name_value(print, "position", "Vector2", node->position, 2);
	if ((float)angle != 0)
		godot_print_format(print, "rotation = %f\n", angle);
	if (node->scale[0] != 1 || node->scale[1] != 1)
		print_name_value(print, "scale", "Vector2", node->scale, 2);
	godot_read_numbers(node->skew, &skew, 1);
	if (skew != 0 && !godot_print_is_3(print))
		godot_print_format(print, "skew = %f\n", (double)skew);
}

static void print_placement(struct godot_print *print, const struct godot_scene_node *node)
{
	int order = anim_euler_order_find(node->order);

	if (node->has & ANIM_HAS_2D) {
		print_flat(print, node);
		return;
	}
	if (!is_identity(node))
		print_transform(print, "transform", node->position, node->rotation, node->scale);
	if (order >= 0 && order != ANIM_EULER_YXZ && !godot_print_is_3(print))
		godot_print_format(print, "rotation_order = %d\n", (int64_t)order);
}

static void print_motion_scale(struct godot_print *print, const struct godot_scene_node *node)
{
	if (node->motion_scale != 0 && !godot_print_is_3(print))
		godot_print_format(print, "motion_scale = %f\n", (double)node->motion_scale);
}

/* Godot 4 keeps a pose in three parts; Godot 3's is relative to the rest, which is shown where it has none. */
static void print_pose(struct godot_print *print, const struct godot_scene_node *bone, const char *prefix)
{
	static const struct {
		const char *name, *word;
		size_t first, count;
	} parts[] = {{"position", "Vector3", 0, 3}, {"rotation", "Quaternion", 3, 4}, {"scale", "Vector3", 7, 3}};
	float pose[GODOT_POSE_COMPONENTS];

	memcpy(pose, bone->position, sizeof bone->position);
	memcpy(pose + 3, bone->rotation, sizeof bone->rotation);
	memcpy(pose + 7, bone->scale, sizeof bone->scale);
	godot_read_numbers(bone->pose, pose, GODOT_POSE_COMPONENTS);
	for (size_t i = 0; i < ANIM_COUNT(parts); i++) {
		godot_print_text(print, prefix);
		print_name_value(print, parts[i].name, parts[i].word, pose + parts[i].first, parts[i].count);
	}
}

static void print_bone(struct godot_print *print, const struct godot_scene_node *bone)
{
	char prefix[sizeof "bones//" + ANIM_NUMBER_MAX];

	snprintf(prefix, sizeof prefix, "bones/%u/", (unsigned)bone->bone_index);
	godot_print_format(print, "%sname = %Q\n%sparent = %d\n%s", prefix, bone->name, prefix,
			   bone->bone_parent == GODOT_NO_PARENT ? INT64_C(-1) : (int64_t)bone->bone_parent, prefix);
	print_transform(print, "rest", bone->position, bone->rotation, bone->scale);
	godot_print_format(print, "%senabled = %s\n", prefix, bone->disabled ? "false" : "true");
	if (!godot_print_is_3(print))
		print_pose(print, bone, prefix);
}

static void print_node_tag(struct godot_writer *writer, const struct godot_scene_node *node)
{
	const char *root =
	    writer->nodes.root_name == NULL || writer->nodes.root_name[0] == '\0' ? "Root" : writer->nodes.root_name;

	if (node->parent == GODOT_NO_PARENT)
		godot_print_format(&writer->print, "[node name=%q type=%q]\n", root, node->class);
	else
		godot_print_format(&writer->print, "[node name=%q type=%q parent=%q]\n", node->name, node->class,
				   godot_nodes_at(&writer->nodes, node->parent)->path);
}

/* The first bone of each node, and of each bone the next of its skeleton: number + 1, 0: none. NULL out of memory. */
struct bone_links {
	uint32_t *first, *last, *next;
};

static int link_bones(struct godot_writer *writer, struct bone_links *links)
{
	size_t count = godot_nodes_count(&writer->nodes);
	struct anim_arena *arena = &writer->kept;

	links->first = anim_arena_zeroed(arena, count, sizeof *links->first, writer->error);
	links->last = anim_arena_zeroed(arena, count, sizeof *links->last, writer->error);
	links->next = anim_arena_zeroed(arena, count, sizeof *links->next, writer->error);
	if (links->first == NULL || links->last == NULL || links->next == NULL)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		const struct godot_scene_node *bone = godot_nodes_at(&writer->nodes, i);
		uint32_t skeleton = bone->parent;

		if (!bone->bone)
			continue;
		if (links->first[skeleton] == 0)
			links->first[skeleton] = i + 1;
		else
			links->next[links->last[skeleton] - 1] = i + 1;
		links->last[skeleton] = i + 1;
	}
	return 0;
}

/* Bones without parents are not where the clip has them, unless there is but one. */
static int tell_orphans(struct godot_writer *writer, const struct bone_links *links, uint32_t skeleton)
{
	unsigned orphans = 0;

	for (uint32_t bone = links->first[skeleton]; bone != 0; bone = links->next[bone - 1])
		orphans += godot_nodes_at(&writer->nodes, bone - 1)->orphan;
	if (orphans < 2)
		return 0;
	return godot_writer_warn(
	    writer, "skeletons have bones without parents",
	    "%u bones of '%s' have no parents, which no tree tells; a .tres plays on the character's own", orphans,
	    godot_nodes_at(&writer->nodes, skeleton)->path);
}

/*
 * Players are named by their nodes, so that these must be there before the first is written. Godot 3's AnimationTrees
 * hold no clips.
 */
static int need_players(struct godot_writer *writer, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct anim_error trouble = {0};
		uint32_t number =
		    godot_nodes_need(&writer->nodes, godot_writer_clip(writer, i)->player, "AnimationPlayer", &trouble);

		if (trouble.code != ANIM_OK) {
			*writer->error = trouble;
			return -1;
		}
		if (godot_print_is_3(&writer->print) && number != GODOT_NO_PARENT &&
		    strcmp(godot_nodes_at(&writer->nodes, number)->class, "AnimationTree") == 0)
			godot_nodes_at(&writer->nodes, number)->class = "AnimationPlayer";
	}
	return 0;
}

/* [node] tags and their properties. 0 or -1. */
static int print_nodes(struct godot_writer *writer, const uint32_t *order, size_t count)
{
	struct bone_links links;

	if (need_players(writer, count) != 0 || link_bones(writer, &links) != 0)
		return -1;
	for (uint32_t i = 0; i < godot_nodes_count(&writer->nodes); i++) {
		const struct godot_scene_node *node = godot_nodes_at(&writer->nodes, i);

		if (node->bone)
			continue;
		if (tell_orphans(writer, &links, i) != 0)
			return -1;
		godot_print_text(&writer->print, i > 0 ? "\n" : "");
		print_node_tag(writer, node);
		if (node->unique)
			godot_print_text(&writer->print, "unique_name_in_owner = true\n");
		print_placement(&writer->print, node);
		print_motion_scale(&writer->print, node);
		writer_furniture(&writer->print, node);
		for (uint32_t bone = links.first[i]; bone != 0; bone = links.next[bone - 1])
			print_bone(&writer->print, godot_nodes_at(&writer->nodes, bone - 1));
		if (writer_player(writer, order, count, node->path) != 0)
			return -1;
	}
	return writer->print.out.failed ? -1 : 0;
}

/* ---- The file: its head, the resources it refers to, Animations, and what holds them ---- */

/* The class that a reference asks for, by the suffix of the file. */
static const char *class_of_file(const char *path)
{
	static const char *const classes[][2] = {
	    {".png", "Texture2D"},   {".jpg", "Texture2D"},   {".jpeg", "Texture2D"},   {".webp", "Texture2D"},
	    {".svg", "Texture2D"},   {".bmp", "Texture2D"},   {".tga", "Texture2D"},    {".wav", "AudioStream"},
	    {".ogg", "AudioStream"}, {".mp3", "AudioStream"}, {".tscn", "PackedScene"}, {".scn", "PackedScene"},
	    {".glb", "PackedScene"}, {".gd", "Script"}};
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot != NULL && i < ANIM_COUNT(classes); i++)
		if (strcmp(dot, classes[i][0]) == 0)
			return classes[i][1];
	return "Resource";
}

void godot_print_new_externals(struct godot_print *print)
{
	const struct godot_print_external *item =
	    (const struct godot_print_external *)(const void *)print->externals.items.data;

	for (size_t left = print->externals.items.size / sizeof *item; left > 0; left--, item++) {
		const char *class = class_of_file(item->path);

		if (item->id != NULL)
			continue;
		if (godot_print_is_3(print)) {
			godot_print_format(print, "[ext_resource path=%q type=\"%s\" id=%u]\n", item->path,
					   strcmp(class, "Texture2D") == 0 ? "Texture" : class, item->number);
			continue;
		}
		godot_print_format(print, "[ext_resource type=\"%s\"", class);
		if (item->uid[0] != '\0')
			godot_print_format(print, " uid=%q", item->uid);
		godot_print_format(print, " path=%q id=\"%u\"]\n", item->path, item->number);
	}
}

/* load_steps counts the resources and the file itself; Godot 4.6 left it out. */
static void print_head(struct godot_writer *writer, const char *type, size_t subs)
{
	struct godot_print *print = &writer->print;
	size_t externals = print->externals.items.size / sizeof(struct godot_print_external),
	       steps = externals + subs + 1;

	godot_print_format(print, writer->options.scene ? "[gd_scene" : "[gd_resource type=\"%s\"", type);
	if (steps > 1 && print->version != ANIM_GODOT_4_6)
		godot_print_format(print, " load_steps=%u", steps);
	godot_print_format(print, " format=%s]\n\n", godot_print_is_3(print) ? "2" : print->needs_format4 ? "4" : "3");
	godot_print_new_externals(print);
	godot_print_text(print, externals > 0 ? "\n" : "");
}

void godot_writer_sub_tag(struct godot_print *print, const char *type, size_t number)
{
	godot_print_format(print, "[sub_resource type=\"%s\" id=", type);
	godot_print_sub_id(print, type, number);
	godot_print_text(print, print->godot2 ? "]\n\n" : "]\n");
}

int godot_writer_sub(struct godot_writer *writer, size_t clip, size_t number)
{
	godot_writer_sub_tag(&writer->print, "Animation", number);
	if (godot_writer_animation(writer, clip, GODOT_WRITE_ALL) != 0)
		return -1;
	godot_print_text(&writer->print, "\n");
	return 0;
}

void godot_writer_entry(struct godot_writer *writer, size_t clip, size_t number)
{
	godot_print_format(&writer->print, "%k: ", godot_writer_clip(writer, clip)->name);
	godot_print_sub(&writer->print, "Animation", number);
}

/* _data of a library: the clips order[from] .. order[to - 1]. */
static void print_data(struct godot_writer *writer, const uint32_t *order, size_t from, size_t to)
{
	godot_print_text(&writer->print, "_data = {\n");
	for (size_t i = from; i < to; i++) {
		godot_writer_entry(writer, order[i], i + 1);
		godot_print_text(&writer->print, i + 1 < to ? ",\n" : "\n}\n");
	}
}

static int print_resource(struct godot_writer *writer, const uint32_t *order, size_t count)
{
	bool library = writer->options.library || count > 1;

	print_head(writer, library ? "AnimationLibrary" : "Animation", library ? count : 0);
	for (size_t i = 0; library && i < count; i++)
		if (godot_writer_sub(writer, order[i], i + 1) != 0)
			return -1;
	godot_print_text(&writer->print, "[resource]\n");
	if (!library)
		return godot_writer_animation(writer, 0, GODOT_WRITE_ALL);
	print_data(writer, order, 0, count);
	return 0;
}

/* Behind the clips of order[from]'s player and library. */
static size_t library_end(const struct godot_writer *writer, const uint32_t *order, size_t from, size_t count)
{
	uint32_t library = godot_writer_clip(writer, order[from])->library_number;
	size_t to = from + 1;

	while (to < count && godot_writer_clip(writer, order[to])->library_number == library)
		to++;
	return to;
}

static size_t count_libraries(const struct godot_writer *writer, const uint32_t *order, size_t count)
{
	size_t libraries = 0;

	for (size_t i = 0; i < count; i = library_end(writer, order, i, count))
		libraries++;
	return libraries;
}

static int print_scene(struct godot_writer *writer, const uint32_t *order, size_t count)
{
	bool old = godot_print_is_3(&writer->print);
	size_t libraries = old ? 0 : count_libraries(writer, order, count), number = 0;

	print_head(writer, NULL, count + libraries + count_meshes(writer, count));
	print_meshes(writer);
	for (size_t from = 0, to; from < count; from = to) {
		to = library_end(writer, order, from, count);
		for (size_t i = from; i < to; i++)
			if (godot_writer_sub(writer, order[i], i + 1) != 0)
				return -1;
		if (old)
			continue;
		godot_writer_sub_tag(&writer->print, "AnimationLibrary", ++number);
		print_data(writer, order, from, to);
		godot_print_text(&writer->print, "\n");
	}
	return print_nodes(writer, order, count);
}

int godot_writer_document(struct godot_writer *writer)
{
	size_t count;
	uint32_t *order = find_order(writer, &count);

	if (order == NULL)
		return -1;
	if (writer->into != NULL)
		return godot_into_write(writer->into, writer, order, count, writer->error);
	return writer->options.scene ? print_scene(writer, order, count) : print_resource(writer, order, count);
}
