/*
 * svg.c - draws any folded stacks as an SVG, with any options: the first eight bytes pick them, the next 16 are a
 * title. The result must be XML.
 */
#include <expat.h>
#include <stdint.h>
#include <stdlib.h>

#include "collapse/formats.h"
#include "tests/unit/collapsing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEAD 24

/* A string that ends at the first NUL, at most n bytes long; the caller frees it. */
static char *string_of(const uint8_t *data, size_t n)
{
	return mem_strndup((const char *)data, strnlen((const char *)data, n));
}

static void check(const char *svg)
{
	XML_Parser parser = XML_ParserCreate(NULL);
	if (XML_Parse(parser, svg, (int)strlen(svg), 1) != XML_STATUS_OK) {
		fprintf(stderr, "not XML: line %lu: %s\n", (unsigned long)XML_GetCurrentLineNumber(parser),
		        XML_ErrorString(XML_GetErrorCode(parser)));
		abort();
	}
	XML_ParserFree(parser);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct collapse_options none;
	if (size < HEAD)
		return 0;
	char *title = string_of(data + 8, 16), *other = string_of(data + 12, 12);
	struct export_options o = {
		.width = data[0] * 8u,
		.height = data[1] & 31,
		.min_width = data[2] & 1 ? 0 : -1,
		.fail_above = -1,
		.palette = (enum palette)((data[2] >> 3) % N_PALETTES),
		.has_palette = true,
		.source = (enum color_source)((data[2] >> 1 & 3) % 3),
		.pretty_xml = data[3] & 1,
		.no_javascript = data[3] & 2,
		.no_sort = data[3] & 4,
		.truncate_text_right = data[3] & 8,
		.color_diffusion = data[3] & 16,
		.negate = data[3] & 32,
		.factor = data[3] & 64 ? 0.37 : 0,
		.total = data[3] & 128 ? 1000 : 0,
		.title = data[4] & 1 ? title : NULL,
		.subtitle = data[4] & 2 ? title : NULL,
		.notes = data[4] & 4 ? title : NULL,
		.count_name = data[4] & 8 ? other : NULL,
		.name_type = data[4] & 16 ? other : NULL,
		.font_type = data[4] & 32 ? other : NULL,
		.font_size = data[5] & 31,
		.font_width = (data[5] >> 5) / 8.0,
	};
	struct profile p;
	struct view v;
	collapse_pieces(&p, &format_folded, &none, (const char *)data + HEAD, size - HEAD, SIZE_MAX);
	view_init(&v, &p, UTF8_CLEAN_UTF8, true);
	v.recipe.chart = data[6] & 1;
	v.recipe.reverse = data[6] & 2;
	v.is_inverted = data[6] & 4;
	v.recipe.leaves_base = !(data[6] & 8);
	v.recipe.quantity = data[6] & 16 ? DIFF_OF_WEIGHTS : DIFF_OF_SHARES;
	if (view_update(&v, DIRTY_TREE, NULL, NULL)) {
		char *svg = export_text_of(&export_svg, &v, &o);
		if (svg != NULL)
			check(svg);
		free(svg);
	}
	view_deinit(&v);
	profile_deinit(&p);
	free(title);
	free(other);
	return 0;
}
