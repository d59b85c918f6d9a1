/*
 * names.c - cleans, demangles and shortens any bytes as a symbol. The result must be printable and fit.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/demangle.h"
#include "base/utf8.h"
#include "collapse/text/tidy.h"
#include "model/label.h"
#include "model/symtab.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct buf *b)
{
	if (!utf8_is_valid(b->data, b->len))
		abort();
	for (size_t i = 0; i < b->len; i++)
		if ((unsigned char)b->data[i] < 0x20 || b->data[i] == 0x7F)
			abort();
}

static void fit(const struct symtab *t, uint32_t sym, enum utf8_clean_mode mode)
{
	struct display display;
	struct buf label;
	display_init(&display, t, mode, true);
	buf_init(&label);
	for (size_t columns = 0; columns < 40; columns++) {
		label.len = 0;
		label_fit(&label, display_name(&display, sym), columns, mode == UTF8_CLEAN_ASCII);
		check(&label);
		if (utf8_columns(label.data, label.len) > columns)
			abort();
	}
	buf_deinit(&label);
	display_deinit(&display);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *name = (const char *)data;
	struct symtab symtab;
	struct buf out;
	buf_init(&out);
	utf8_clean(&out, name, size, UTF8_CLEAN_UTF8);
	check(&out);
	out.len = 0;
	demangle(name, size, &out);
	tidy_rust(&out, name, size);
	tidy_java_package(&out, name, size);
	if (tidy_parameters(name, size) > size)
		abort();
	buf_deinit(&out);

	symtab_init(&symtab);
	uint32_t sym = symtab_intern(&symtab, name, size);
	fit(&symtab, sym, UTF8_CLEAN_UTF8);
	fit(&symtab, sym, UTF8_CLEAN_ASCII);
	symtab_deinit(&symtab);
	return 0;
}
