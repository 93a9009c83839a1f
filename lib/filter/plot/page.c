/* page.c: what all pictures in SVG share: texts, numbers, headings, the frame of the file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "filter/plot/internal.h"
#include "filter/summary.h"

static const char style[] =
    "<style>text{font:10px system-ui,sans-serif;fill:#333}.h{font-size:13px;font-weight:600}.f{fill:none;stroke:#ccc}"
    ".o{stroke:#ccc;stroke-width:.5}.v{text-anchor:middle}";
static const char dark[] = "@media(prefers-color-scheme:dark){svg{background:#1b1b1b}text{fill:#ddd}.f,.o{stroke:#555}";

/* --- Texts --- */

/* What turns the direction of all that follows would turn what stands behind a name, too. */
static bool turns_text(uint32_t code)
{
	return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

/* A text of XML: what it cannot hold, what turns it, and what is no UTF-8, becomes U+FFFD. */
void plot_xml(struct anim_print *print, const char *text, size_t size)
{
	const uint8_t *at = (const uint8_t *)text, *end = at + size;

	while (at < end) {
		uint32_t code = 0;
		size_t length = anim_utf8_decode(at, (size_t)(end - at), &code);
		bool held = length > 0 && (code >= 32 || code == '\t' || code == '\n' || code == '\r') &&
			    code != 0xFFFE && code != 0xFFFF && !turns_text(code);

		if (!held)
			anim_print_text(print, "\xEF\xBF\xBD");
		else if (code == '<' || code == '>' || code == '&' || code == '"')
			anim_print_text(print, code == '<'   ? "&lt;"
					       : code == '>' ? "&gt;"
					       : code == '&' ? "&amp;"
							     : "&quot;");
		else
			anim_print_bytes(print, at, length);
		at += length > 0 ? length : 1;
	}
}

/* How many bytes the first `count` characters have. */
static size_t bytes_of(const char *text, size_t size, size_t count)
{
	size_t at = 0;

	for (uint32_t code; count > 0 && at < size; count--) {
		size_t length = anim_utf8_decode((const uint8_t *)text + at, size - at, &code);

		at += length > 0 ? length : 1;
	}
	return at;
}

void plot_xml_short(struct anim_print *print, const char *text, size_t most)
{
	size_t size = strlen(text), characters = 0, head, tail;

	while (bytes_of(text, size, characters) < size && characters < size)
		characters++;
	if (characters <= most) {
		plot_xml(print, text, size);
		return;
	}
	head = bytes_of(text, size, most / 3); /* the end of a path tells more */
	tail = bytes_of(text, size, characters - (most - most / 3 - 1));
	plot_xml(print, text, head);
	anim_print_text(print, "…");
	plot_xml(print, text + tail, size - tail);
}

void plot_svg_number(struct anim_print *print, double value, const char *unit)
{
	char text[TEXT_NUMBER_MAX];

	text_of_number(text, value, unit);
	anim_print_text(print, text);
}

/* --- The file --- */

/* A line of the file, in the widest font that stands for system-ui. */
struct page_font {
	size_t most; /* characters */
	int high;    /* pixels from line to line */
};
static const struct page_font heading_font = {130, 17}, line_font = {176, 13};

/* The bytes of the first line of what is escaped, broken behind its last space, or in a word where there is none. */
static size_t first_line(const char *text, size_t size, size_t most)
{
	size_t at = 0, broken = 0;

	for (size_t wide = 0; at < size;) {
		uint32_t code = 0;
		const char *end = text[at] == '&' ? memchr(text + at, ';', size - at) : NULL;
		size_t length = end != NULL ? (size_t)(end - text) - at + 1
					    : anim_utf8_decode((const uint8_t *)text + at, size - at, &code);

		wide += code < 0x1100 ? 1 : 2; /* as East Asian ones are */
		if (wide > most)
			return broken > 0 ? broken : at;
		at += length > 0 ? length : 1;
		broken = text[at - 1] == ' ' ? at : broken;
	}
	return size;
}

/* What is printed next is a text's. */
static void open_text(struct plot_svg *svg, bool heading)
{
	svg->text = svg->body.size;
	svg->heading = heading;
}

void plot_svg_text_end(struct plot_svg *svg, struct anim_print *print)
{
	const struct page_font font = svg->heading ? heading_font : line_font;
	struct anim_buffer text = {0};
	size_t start = svg->text, line, at;
	char tag[64];

	if (print->failed ||
	    anim_buffer_append(&text, svg->body.data + start, svg->body.size - start, print->error) != 0) {
		print->failed = true;
		return;
	}
	svg->body.size = start;
	for (at = 0; at < text.size; at += line) {
		line = first_line((const char *)text.data + at, text.size - at, font.most);
		snprintf(tag, sizeof tag, "<tspan x=\"%d\" dy=\"%d\">", PLOT_SVG_GAP, font.high);
		anim_print_text(print, at > 0 ? tag : "");
		anim_print_bytes(print, text.data + at, line);
		anim_print_text(print, at > 0 ? "</tspan>" : "");
		svg->high += at > 0 ? (size_t)font.high : 0;
	}
	anim_print_text(print, "</text>\n");
	anim_buffer_clear(&text);
}

void plot_svg_heading(struct plot_svg *svg, struct anim_print *print, const struct plot_clip *clip)
{
	const char *name = *clip->head.name == '\0' ? "(no name)" : clip->head.name;
	char text[96];

	snprintf(text, sizeof text, "<text class=\"h\" x=\"%d\" y=\"%zu\">", PLOT_SVG_GAP, svg->high + 18);
	anim_print_text(print, text);
	open_text(svg, true);
	plot_xml(print, name, strlen(name));
	anim_print_text(print, ": ");
	plot_svg_number(print, (double)clip->head.end_s - (double)clip->head.start_s, "s");
	anim_print_text(print, ", ");
	svg->high += PLOT_SVG_HEADING;
}

void plot_svg_times(struct anim_print *print, const struct plot_axis *axis, long left, long top, long wide, long high)
{
	double at, value;
	char text[160];

	for (unsigned i = 0; (at = plot_axis_tick(axis, i, &value)) <= 1; i++) {
		long x = left + lrint(at * (double)wide);

		snprintf(text, sizeof text,
			 "<path class=\"o\" d=\"M%ld %ldv%ld\"/><text class=\"v\" x=\"%ld\" y=\"%ld\">", x, top,
			 high + 3, x, top + high + 13);
		anim_print_text(print, text);
		plot_svg_number(print, value, i > 0 || axis->frames ? "" : "s");
		anim_print_text(print, i == 0 && axis->frames ? " frames</text>" : "</text>");
	}
}

void plot_svg_line(struct plot_svg *svg, struct anim_print *print)
{
	char text[64];

	snprintf(text, sizeof text, "<text x=\"%d\" y=\"%zu\">", PLOT_SVG_GAP, svg->high + 12);
	anim_print_text(print, text);
	open_text(svg, false);
	svg->high += 16;
}

void plot_svg_names(struct plot_svg *svg, struct anim_print *print, const char *what, const struct plot_names *names)
{
	char text[64];

	if (names->count == 0)
		return;
	plot_svg_line(svg, print);
	anim_print_texts(print, what, ": ");
	plot_xml(print, (const char *)names->text.data, names->text.size);
	snprintf(text, sizeof text, " and %zu more", names->count - names->told);
	anim_print_text(print, names->count > names->told ? text : "");
	plot_svg_text_end(svg, print);
}

void plot_svg_end(struct plot_svg *svg, struct anim_print *print, const char *light, const char *night)
{
	char text[160];

	snprintf(text, sizeof text,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %zu\" width=\"%d\" height=\"%zu\">\n",
		 PLOT_SVG_WIDE, svg->high + PLOT_SVG_GAP, PLOT_SVG_WIDE, svg->high + PLOT_SVG_GAP);
	anim_print_texts(print, text, "<!-- anim-plot -->\n", style, light, dark, night, "}</style>\n");
	anim_print_bytes(print, svg->body.data, svg->body.size);
	anim_print_text(print, "</svg>\n");
	print->failed = print->failed || svg->failed;
}
