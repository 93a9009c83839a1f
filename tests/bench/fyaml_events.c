/*
 * fyaml_events.c: the reference of the Unity reader: libfyaml's bare event loop over a file, which it maps. Prints how many
 * events there were.  bench_fyaml_events FILE
 */
#include <libfyaml.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_SLOPPY_FLOW_INDENTATION | FYPCF_JSON_NONE};
	struct fy_parser *parser = argc == 2 ? fy_parser_create(&config) : NULL;
	struct fy_event *event;
	unsigned long count = 0;
	bool failed;

	if (parser == NULL || fy_parser_set_input_file(parser, argv[1]) != 0) {
		fputs("usage: bench_fyaml_events FILE\n", stderr);
		return 2;
	}
	while ((event = fy_parser_parse(parser)) != NULL) {
		count++;
		fy_parser_event_free(parser, event);
	}
	failed = fy_parser_get_stream_error(parser);
	fy_parser_destroy(parser);
	printf("%lu\n", count);
	return failed;
}
