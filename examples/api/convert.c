/* convert.c: puts the clips of a file on the skeleton of a model, and makes several formats of them, all in memory. */
#include <anim.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	static char in[16 << 20], model[64 << 20];
	struct anim_convert_source from[] = {{.size = sizeof *from, .bytes = in},
					     {.size = sizeof *from, .bytes = model, .name = "model", .is_aside = 1}};
	struct anim_attribute onto = {"retarget", "model"};
	struct anim_conversion to = {
	    .size = sizeof to, .sources = from, .source_count = 2, .options = &onto, .option_count = 1};
	struct anim_fault fault = {0};
	size_t size = 0;

	from[0].byte_count = argc > 3 && freopen(argv[1], "rb", stdin) ? fread(in, 1, sizeof in, stdin) : 0;
	from[1].byte_count = argc > 3 && freopen(argv[2], "rb", stdin) ? fread(model, 1, sizeof model, stdin) : 0;
	for (int i = 3; i < argc; i++) {
		void *bytes = NULL;

		to.name = argv[i];
		to.bytes = &bytes;
		to.byte_count = &size;
		if (anim_convert(&to, &fault) == 0 && freopen(argv[i], "wb", stdout) != NULL)
			fwrite(bytes, 1, size, stdout);
		anim_free(bytes);
	}
	fputs(fault.text, stderr);
	return argc < 4 || fault.code != 0;
}
