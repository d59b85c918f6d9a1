/*
 * plain_xml.h - takes plainly written XML apart without a parser.
 *
 *	plain_xml_begin(&x, text, len);
 *	while ((t = plain_xml_next(&x)) != PLAIN_NONE)
 *		if (t == PLAIN_BEGIN && slice_is(x.name, "row"))
 *			...
 *
 * Plain are tags of ASCII on one line whose attributes have double quotes and one space before each, and text of
 * ASCII. What is plain means the same to every parser of XML, unless the document has a DOCTYPE, which may add
 * attributes. All else is for a parser: other bytes, comments, CDATA, mistakes. So this reader checks that tags fit
 * each other and that no attribute comes twice, and it stops before what is not plain, and before the end of an
 * element that it did not begin.
 */
#ifndef COLLAPSE_TEXT_PLAIN_XML_H
#define COLLAPSE_TEXT_PLAIN_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

#define PLAIN_DEPTH 16u      /* elements in each other */
#define PLAIN_ATTRIBUTES 16u /* of an element */
#define PLAIN_DECODED 4096u  /* bytes of the values of a tag that have references */

enum plain_token {
	PLAIN_NONE, /* what follows at p is not plain, or not complete */
	PLAIN_BEGIN,
	PLAIN_EMPTY, /* begins and ends */
	PLAIN_END,
	PLAIN_TEXT, /* to the next tag, or to the end of the piece */
};

struct plain_attribute {
	struct slice name, value; /* the value with its references decoded; a byte that is no digit follows it */
};

struct plain_xml {
	const char *p;       /* what is after the token */
	const char *even;    /* at or before p: the last place where all elements are ended that began in the piece */
	const char *token;   /* its first byte */
	struct slice name;   /* of the element */
	struct slice text;   /* PLAIN_TEXT */
	size_t n_attributes; /* PLAIN_BEGIN, PLAIN_EMPTY */
	struct plain_attribute attributes[PLAIN_ATTRIBUTES];
	/* private */
	const char *end;
	size_t depth, n_decoded;
	struct slice open[PLAIN_DEPTH];
	char decoded[PLAIN_DECODED];
};

/* A piece, after which a newline can be read. It must stay until the next one begins. */
void plain_xml_begin(struct plain_xml *, const char *text, size_t len);
enum plain_token plain_xml_next(struct plain_xml *);
/*
 * Takes an element like <frame ref="12"/>, the most frequent one of a format: *value follows `begin`, <frame ref=",
 * and has at most 18 digits, which are in `text`, too. false: what follows is another one, or not complete.
 */
bool plain_xml_take_number(struct plain_xml *, const char *begin, uint64_t *value);

#endif
