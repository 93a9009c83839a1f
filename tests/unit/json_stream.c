/* json_stream.c: the lines of anim-emit json hold the whole model, and nothing else is taken for them. */
#include <string.h>

#include "../text_reading.h"
#include "axs.h"
#include "tap.h"

static bool is_empty(const char *name)
{
	return strcmp(name, "end_only.axs") == 0; /* neither a tree nor a clip: not written */
}

/* Keeps tree, nodes, clips and tracks, as an encoder writes them: what JSON holds of a stream. */
static int plain_stream(const struct anim_buffer *stream, struct anim_output **out, struct anim_error *error)
{
	struct anim_stream_writer_options options = {.no_provenance = true, .changes = true};

	if (anim_output_open_memory(out, error) != 0)
		return -1;
	return rewrite_bytes(stream->data, stream->size, &options, true, *out, error);
}

static void check_round(const char *name, const struct anim_buffer *stream, bool by_bytes)
{
	struct anim_output *plain = NULL, *text = NULL, *again = NULL;
	struct anim_error error = {0};
	const uint8_t *bytes;
	size_t size;

	CHECKF(plain_stream(stream, &plain, &error) == 0, "%s: %s", name, error.message);
	CHECKF(text_of_stream(TEXT_JSON, stream->data, stream->size, &text, &error) == 0, "%s: %s", name,
	       error.message);
	bytes = anim_output_memory(text, &size);
	CHECKF(stream_of_text(TEXT_JSON, bytes, size, by_bytes, &again, &error) == 0, "%s:%u:%u: %s", name, error.line,
	       error.column, error.message);
	CHECKF(same_memory(plain, again), "%s is another stream", name);
	anim_output_free(again);
	anim_output_free(text);
	anim_output_free(plain);
}

/* Records that are not known have no place in the lines. */
static bool has_others(const char *name)
{
	return strcmp(name, "stale_index.axs") == 0;
}

TEST(json_round, "the JSON of every crafted stream is read back to the same trees, nodes, clips and tracks")
{
	struct anim_buffer manifest = {0};
	struct axs_verdict verdict;
	const char *at;
	size_t count = 0;

	if (!axs_load(&manifest, "good", "manifest.json"))
		return;
	anim_buffer_append(&manifest, "", 1, NULL);
	for (at = (const char *)manifest.data; (at = axs_next_verdict(at, &verdict)) != NULL;) {
		struct anim_buffer stream = {0};

		if (is_empty(verdict.file) || has_others(verdict.file) || !axs_load(&stream, "good", verdict.file))
			continue;
		check_round(verdict.file, &stream, stream.size < 8000);
		anim_buffer_clear(&stream);
		count++;
	}
	CHECK(count >= 38);
	anim_buffer_clear(&manifest);
}

/* A text of lines around these. */
static int read_lines(const char *lines, struct anim_output **out, struct anim_error *error)
{
	struct anim_buffer text = {0};
	int result;

	memset(error, 0, sizeof *error);
	anim_buffer_append(&text, "{\"anim_json\":1}\n", 16, NULL);
	anim_buffer_append(&text, lines, strlen(lines), NULL);
	anim_buffer_append(&text, "{\"end\":true}\n", 13, NULL);
	result = stream_of_text(TEXT_JSON, text.data, text.size, false, out, error);
	anim_buffer_clear(&text);
	return result;
}

#define CLIP "{\"clip\":{\"end\":1}}\n"
#define TRACK(members) CLIP "{\"track\":{\"property\":\"p\"," members "}}\n"

TEST(json_by_hand, "members stand in any order with blanks between them, and what has a default may be left out")
{
	struct anim_output *made, *wanted;
	struct anim_error error;

	CHECKF(read_lines("{\"clip\":{\"name\":\"a\",\"root\":\".\",\"source\":\"json\",\"start\":0,\"end\":1}}\n"
			  "{\"track\":{\"node\":\".\",\"property\":\"p\",\"component\":null,\"kind\":\"Curve\","
			  "\"type\":\"float2\",\"rules\":\"plain\",\"interp\":\"Linear\",\"keys\":2,\"attributes\":"
			  "{\"a\":\"1\",\"b\":\"2\"},\"columns\":{\"time\":[0,1],\"value\":[[1,2],[3,4]]}}}\n",
			  &wanted, &error) == 0,
	       "%s", error.message);
	CHECKF(read_lines("\r\n { \"clip\" : { \"end\" : 1e0 , \"name\" : \"\\u0061\" } } \r\n"
			  "{\"track\":{\"columns\":{\"value\":[ [1,2] , [3.0,4] ],\"time\":[0,1]},\"type\":\"float2\","
			  "\"kind\":\"Curve\",\"attributes\":{\"b\":\"2\",\"a\":\"1\"},\"property\":\"p\"}}\n",
			  &made, &error) == 0,
	       "%u:%u: %s", error.line, error.column, error.message);
	CHECK(same_memory(made, wanted));
	anim_output_free(made);
	anim_output_free(wanted);
}

TEST(json_refused, "what no track can be is refused with line, column and what is wrong")
{
	static const struct {
		const char *lines;
		unsigned line, column;
		const char *message;
	} cases[] = {
	    {"{\"node\":{\"path\":\".\"}}\n", 2, 9, "a node before any tree, or after a clip"},
	    {"{\"track\":{}}\n", 2, 10, "a track before any clip"},
	    {"{\"clip\":{}}\n", 2, 9, "the member \"end\" is missing"},
	    {"{\"clip\":{\"end\":1,\"end\":1}}\n", 2, 18, "the member \"end\" is repeated"},
	    {"{\"clip\":{\"end\":1,\"ende\":1}}\n", 2, 18, "\"ende\" is not a known member here"},
	    {"{\"clip\":{\"end\":01}}\n", 2, 16, "a value is expected"},
	    {"{\"clip\":{\"end\":1e99}}\n", 2, 16, "too large for a float"},
	    {"{\"clip\":{\"end\":-1}}\n", 2, 1, "a CLIP ends before it starts"},
	    {"{\"clip\":{\"end\":1}},\n", 2, 19, "the line should end here, after one object"},
	    {"{\"anim_json\":1}\n", 2, 1, "the first line is repeated"},
	    {"{\"end\":true}\n", 3, 1, "text after the line {\"end\":true}"},
	    {TRACK("\"kind\":\"Curve\",\"type\":\"float\",\"columns\":{\"time\":[0],\"value\":[1,2]}"), 3, 86,
	     "the column has 2 elements, but the columns before have 1"},
	    {TRACK("\"kind\":\"Curve\",\"type\":\"float\",\"keys\":2,\"columns\":{\"time\":[0],\"value\":[1]}"), 3, 63,
	     "the columns have 1 elements"},
	    {TRACK("\"kind\":\"Curve\",\"type\":\"byte\",\"columns\":{\"time\":[0],\"value\":[256]}"), 3, 86,
	     "a whole number that byte can hold is expected"},
	    {TRACK("\"kind\":\"Curve\",\"type\":\"bool\",\"columns\":{\"time\":[0],\"value\":[1]}"), 3, 86,
	     "true or false is expected"},
	    {TRACK("\"kind\":\"Curve\",\"type\":\"float\",\"columns\":{\"time\":[0],\"value\":[\"nan:7f800000\"]}"), 3,
	     87, "a number is expected"},
	    {TRACK("\"kind\":\"Curve\",\"type\":\"float3\",\"columns\":{\"time\":[0],\"value\":[[1,2]]}"), 3, 92,
	     "',' is expected"},
	    {TRACK("\"kind\":\"Curve\",\"type\":\"string\",\"columns\":{\"time\":[0],\"value\":[\"\\u0000\"]}"), 3, 89,
	     "a NUL in a string, which no stream can hold"},
	    {TRACK("\"kind\":\"Curve\",\"type\":\"float\",\"step\": 1,\"columns\":{\"time\":[0],\"value\":[1]}"), 3, 64,
	     "\"step\" is for Raw tracks"},
	    {TRACK("\"kind\":\"Curve\",\"type\":\"float\",\"columns\":{\"time\":[1,0],\"value\":[1,2]}"), 3, 1,
	     "the time of key 1 is not finite, or before the time of the key before it"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct anim_output *made;
		struct anim_error error;

		CHECKF(read_lines(cases[i].lines, &made, &error) != 0, "case %zu is taken", i);
		CHECKF(error.line == cases[i].line && error.column == cases[i].column &&
			   strcmp(error.message, cases[i].message) == 0,
		       "case %zu: %u:%u: %s", i, error.line, error.column, error.message);
		anim_output_free(made);
	}
}

TEST(json_prefixes, "every proper prefix of the lines is refused but one that lacks the last line feed alone")
{
	struct anim_buffer stream = {0};
	struct anim_output *text, *made;
	struct anim_error error = {0};
	const uint8_t *bytes;
	size_t size;

	if (!axs_load(&stream, "good", "optional_columns.axs"))
		return;
	CHECK(text_of_stream(TEXT_JSON, stream.data, stream.size, &text, &error) == 0);
	bytes = anim_output_memory(text, &size);
	for (size_t cut = 0; cut < size - 1; cut++) {
		CHECKF(stream_of_text(TEXT_JSON, bytes, cut, false, &made, &error) != 0, "%zu of %zu bytes", cut, size);
		CHECKF(error.at == ANIM_AT_LINE, "%zu: %s", cut, error.message);
		anim_output_free(made);
	}
	anim_output_free(text);
	anim_buffer_clear(&stream);
}

TEST(json_nesting, "values are read to a depth of 64 and refused beyond")
{
	struct anim_buffer text = {0};
	struct anim_output *made;
	struct anim_error error = {0};

	anim_buffer_append(&text, "{\"anim_json\":1}\n{\"clip\":{\"end\":", 31, NULL);
	for (int i = 0; i < 100000; i++)
		anim_buffer_append(&text, "[", 1, NULL);
	CHECK(stream_of_text(TEXT_JSON, text.data, text.size, false, &made, &error) != 0);
	CHECKF(strcmp(error.message, "nested deeper than 64") == 0, "%s", error.message);
	anim_output_free(made);
	anim_buffer_clear(&text);
}
