/*
 * options_set_cargo.c - setters for the options of `cargo flametop`.
 */
#include "options_set.h"

bool option_set_unit_test(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->cargo.unit_test = value ? value : "";
	return true;
}

bool option_set_unit_bench(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->cargo.unit_bench = value ? value : "";
	return true;
}

/* Several lists become one. */
bool option_set_features(struct options *o, const char *value, struct err *err)
{
	(void)err;
	struct buf text;
	buf_init(&text);
	if (o->cargo.features)
		buf_addf(&text, "%s,", o->cargo.features);
	buf_adds(&text, value);
	o->cargo.features = value_keep(o, &text);
	return true;
}
