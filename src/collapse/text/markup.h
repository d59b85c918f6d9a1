/*
 * markup.h - a scanner for XML and HTML that is fed in pieces.
 *
 *	markup_feed(&m, text, len);
 *	while (markup_next(&m))
 *		if (slice_is(m.name, "rect") && !m.is_end)
 *			while (markup_attribute(&m.attributes, &name, &value))
 *				...
 *
 * It finds tags and the text between them, and checks nothing: pictures of profiles hold names that their writers
 * did not escape, and a page of HTML is not XML. It keeps the piece of text before the current tag, and the tag.
 * Comments, sections of CDATA, declarations and processing instructions count as tags without a name. The contents
 * of script and style elements are text.
 */
#ifndef COLLAPSE_TEXT_MARKUP_H
#define COLLAPSE_TEXT_MARKUP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "collapse/text/lines.h"

#define MARKUP_TOKEN_MAX (64u << 20) /* bytes from one tag to the end of the next */

struct markup {
	/* Of the current tag; good until the next markup_next() or markup_feed(). */
	struct slice text;       /* before it, as written */
	struct slice name;       /* "rect"; empty: a comment or the like */
	struct slice attributes; /* as written */
	bool is_end;             /* </rect> */
	bool is_empty;           /* <rect/> */
	/* private */
	struct buf held;
	size_t begin, at; /* of the text before the current tag; scanned so far */
	size_t tag;       /* where it begins, if is_tag */
	bool is_tag;
	char quote;
	const char *raw; /* the end of the script or style element that is open */
};

/* Zeroed is at the beginning. */
void markup_deinit(struct markup *);
/* The previous piece must be used up. false: a tag, or the text before it, is longer than MARKUP_TOKEN_MAX. */
bool markup_feed(struct markup *, const char *text, size_t len);
/* The next tag; false: the piece is used up. */
bool markup_next(struct markup *);
/* Takes the first attribute off the list; false: there is none. The value is as written. */
bool markup_attribute(struct slice *attributes, struct slice *name, struct slice *value);
/* Appends text with character references decoded: &lt; &gt; &amp; &quot; &apos; &#39; &#x27; others stay. */
void markup_add_text(struct buf *, struct slice text);

#endif
