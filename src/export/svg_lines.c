/*
 * svg_lines.c - --hot-lines: the hottest lines of a function, in the tooltips of its frames.
 *
 *	hot (1110 samples, 85.79%)
 *	hottest lines: hot.c:6 32.1%, hot.c:7 20.4%, hot.c:9 total 12.0% of all
 *
 * A share is that of self weight in all frames of the function, as in the view of lines; of a line that only calls
 * others it is the total. They stand on a line of their own: what is before them reads as it does without.
 */
#include "svg.h"

#include <string.h>

#include "base/number.h"
#include "lines.h"
#include "model/lines.h"
#include "model/words.h"

#define MOST_LINES 5u

bool svg_lines_begin(struct svg *svg, struct err *err)
{
	const struct profile *p = svg->view->profile;
	if (!svg->options->has_hot_lines)
		return true;
	if (lines_are_known(p)) {
		svg->lines = lines_begin(svg->view, svg->options, err);
		return svg->lines != NULL;
	}
	const char *why = lines_why_none(p);
	report_add(&svg->notes, NOTE_WARN, "--hot-lines has no effect", NULL, 0, why, strlen(why));
	return true;
}

void svg_lines_say(struct svg *svg)
{
	const char *why = svg->why_no_lines ? svg->why_no_lines : "the lines of these functions are not known";
	if (svg->lines && !svg->has_hot_lines)
		report_add(&svg->notes, NOTE_WARN, "--hot-lines has no effect", NULL, 0, why, strlen(why));
}

void svg_lines_end(struct svg *svg)
{
	line_reader_free(svg->lines);
}

static void add_line(struct svg *svg, struct buf *out, const struct line_row *r)
{
	const char *slash = r->file ? strrchr(r->file, '/') : NULL, *file = slash && slash[1] ? slash + 1 : r->file;
	if (file)
		svg_add_text(out, file, strlen(file));
	buf_addf(out, file ? ":%u %s" : "line %u %s", r->line, r->self[0] ? "" : "total ");
	number_add_percent(out, r->self[0] ? r->self[0] : r->total[0], svg->whole, 1);
	buf_addc(out, '%');
}

static const char *make(struct svg *svg, uint32_t sym)
{
	const struct line_row *hottest[MOST_LINES];
	struct line_sums sums;
	size_t n = line_reader_read(svg->lines, sym, &sums) ? line_sums_hottest(&sums, hottest, MOST_LINES) : 0;
	svg->has_hot_lines |= n > 0;
	if (!n && !svg->why_no_lines)
		svg->why_no_lines = line_reader_why(svg->lines, &sums);
	svg->scratch.len = 0;
	for (size_t i = 0; i < n; i++) {
		buf_adds(&svg->scratch, i ? ", " : n == 1 ? "\nhottest line: " : "\nhottest lines: ");
		add_line(svg, &svg->scratch, hottest[i]);
	}
	buf_adds(&svg->scratch, n ? words_of_whole(svg->view) : "");
	line_sums_deinit(&sums);
	return arena_bytes(&svg->texts, buf_str(&svg->scratch), svg->scratch.len);
}

void svg_lines_add(struct svg *svg, uint32_t sym)
{
	struct svg_name *name = &svg->names[sym];
	if (!svg->lines)
		return;
	if (!name->lines)
		name->lines = make(svg, sym);
	buf_adds(&svg->buf, name->lines);
}
