// where.cpp: prints where each node of a file's first clip is, at a time.
#include <anim.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

struct Fault : anim_fault {
	Fault() : anim_fault() {}
	template <typename T> T operator()(T result, bool failed) const
	{
		if (failed)
			throw std::runtime_error(text);
		return result;
	}
};

static void print(const char *path, double at)
{
	Fault fault;
	anim *opened = anim_open(path, nullptr, &fault);
	std::unique_ptr<anim, decltype(&anim_close)> file(fault(opened, opened == nullptr), anim_close);
	anim_clip_info clip = anim_clip_info();
	clip.size = sizeof clip;
	fault(0, anim_get_clip(file.get(), 0, &clip, &fault) != 0);
	if (clip.tree < 0)
		throw std::runtime_error("the clip has no tree");
	anim_tree_info tree = anim_tree_info();
	tree.size = sizeof tree;
	fault(0, anim_get_tree(file.get(), size_t(clip.tree), &tree, &fault) != 0);
	std::vector<double> world(tree.nodes * 12);
	fault(0, anim_world(file.get(), 0, ANIM_ALL_NODES, &at, 1, world.data(), world.size(), &fault) != 0);
	for (size_t i = 0; i < tree.nodes; i++) {
		anim_node_info node = anim_node_info();
		node.size = sizeof node;
		fault(0, anim_get_node(file.get(), size_t(clip.tree), i, &node, &fault) != 0);
		const double *m = &world[i * 12];
		std::printf("%s\t%.4f\t%.4f\t%.4f\n", node.path, m[3], m[7], m[11]);
	}
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	try {
		print(argv[1], std::atof(argv[2]));
	} catch (const std::exception &error) {
		std::fprintf(stderr, "where: %s\n", error.what());
		return 1;
	}
	return 0;
}
