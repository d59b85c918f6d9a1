/*
 * svg_gone.c - what frames without a width add to the functions of a comparison, for the table of an SVG.
 *
 *	var gone = [['memset',12,40],...];	name, self and total in the baseline
 */
#include "svg.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"

struct sums {
	uint32_t end; /* of the function's outermost frame met last, whose descendants count no second time */
	uint64_t self, total;
};

/* The caller frees the array, by symbol. */
static struct sums *add_up(const struct svg *svg)
{
	const struct tree *t = svg->tree;
	struct sums *sums = mem_zalloc(svg->view->profile->symtab.n + 1, sizeof *sums);
	for (uint32_t i = svg->zoom + 1; i < t->end[svg->zoom]; i++) {
		struct sums *s = &sums[t->sym[i]];
		bool is_outermost = i >= s->end;
		if (is_outermost)
			s->end = t->end[i];
		if (tree_total(t, i) || !tree_base_total(t, i))
			continue;
		weight_add(&s->self, tree_base_own(t, i));
		weight_add(&s->total, is_outermost ? tree_base_total(t, i) : 0);
	}
	return sums;
}

static void add_function(struct svg *svg, uint32_t sym, const struct sums *s)
{
	const struct display_name *name = display_name(&svg->display, sym);
	svg->scratch.len = 0;
	buf_add(&svg->scratch, name->text, name->len);
	buf_addc(&svg->buf, '[');
	svg_add_js_string(&svg->buf, buf_str(&svg->scratch));
	buf_addc(&svg->buf, ',');
	number_add_fixed(&svg->buf, s->self, svg->decimals);
	buf_addc(&svg->buf, ',');
	number_add_fixed(&svg->buf, s->total, svg->decimals);
	buf_adds(&svg->buf, "],\n");
}

void svg_add_gone(struct svg *svg)
{
	if (!svg->light.gone)
		return;
	struct sums *sums = add_up(svg);
	buf_adds(&svg->buf, "var gone = [");
	for (uint32_t i = 0; i < svg->view->profile->symtab.n; i++)
		if (sums[i].self || sums[i].total)
			add_function(svg, i, &sums[i]);
	buf_adds(&svg->buf, "];\n");
	free(sums);
}
