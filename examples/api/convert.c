/* convert.c: puts the clips of one file on the skeleton of another, and writes them in a format, all in memory. */
#include <anim.h>
#include <stdio.h>

static void show(void *context, const struct anim_message_info *message)
{
	fprintf(context, "%s\n", message->text);
}

int main(int argc, char **argv)
{
	const struct anim_attribute onto[] = {{"to", argc == 4 ? argv[2] : ""}};
	struct anim_fault fault = {0};
	struct anim *file = argc == 4 ? anim_open(argv[1], NULL, &fault) : NULL;
	struct anim *moved = file == NULL ? NULL : anim_apply(file, "retarget", onto, 1, &fault);
	const struct anim_convert_source source = {.size = sizeof source, .handle = moved};
	void *bytes = NULL;
	size_t size = 0;
	const struct anim_conversion conversion = {.size = sizeof conversion,
						   .sources = &source,
						   .source_count = 1,
						   .bytes = &bytes,
						   .byte_count = &size,
						   .name = argv[argc - 1],
						   .message = show,
						   .context = stderr};
	int result = moved == NULL ? -1 : anim_convert(&conversion, &fault);

	if (result != 0)
		fprintf(stderr, "convert: %s\n", argc == 4 ? fault.text : "usage: convert IN MODEL NAME.SUFFIX >OUT");
	else
		fwrite(bytes, 1, size, stdout);
	anim_free(bytes);
	anim_close(moved);
	anim_close(file);
	return result == 0 ? 0 : 1;
}
