/*
 * pprof_marks.c - recognises a profile.proto.
 */
#include "collapse/formats/pprof_wire.h"

/*
 * Does the field have a form that occurs in a profile? Binary data must consist of such fields. Later versions may
 * add fields, but few.
 */
static bool is_likely_field(const struct wire_field *f)
{
	bool is_message = f->number <= P_STRING || f->number == 11, is_list = f->number == 13;
	if (f->number > P_LAST)
		return f->number < 128;
	return is_list ? f->wire == WIRE_VARINT || f->wire == WIRE_BYTES
	               : f->wire == (is_message ? WIRE_BYTES : WIRE_VARINT);
}

enum sniff pprof_sniff(const struct head *head, const char **why)
{
	struct slice rest = {head->text, head->len};
	struct wire_field f;
	bool is_bad = false, has_type = false, has_string = false;
	*why = "not the wire format of profile.proto";
	while (wire_take_field(&rest, &f, &is_bad)) {
		uint64_t v[3];
		if (!is_likely_field(&f) || (f.number == P_SAMPLE_TYPE && !wire_read_numbers(f.bytes, v, 2)))
			return SNIFF_NO;
		if (f.number == P_STRING && !has_string && f.bytes.n)
			return SNIFF_NO;
		has_type = has_type || f.number == P_SAMPLE_TYPE;
		has_string = has_string || f.number == P_STRING;
		if (has_type && has_string)
			return SNIFF_YES;
	}
	/* The head of a long profile may end before the strings. */
	return has_type && !head->is_growing && !head->is_all ? SNIFF_YES : SNIFF_NO;
}
