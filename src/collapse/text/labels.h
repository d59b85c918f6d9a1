/*
 * labels.h - the labels of the sample being read (model/tags.h), in formats whose text has them.
 *
 *	labels_add_text(&labels, sink, key, value);
 *	...
 *	sample.tags = labels_end(&labels, sink);
 *
 * Nothing is kept if the options say that nothing asks for labels, and no more sets of labels than they allow.
 */
#ifndef COLLAPSE_TEXT_LABELS_H
#define COLLAPSE_TEXT_LABELS_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/collapse.h"
#include "collapse/text/lines.h"

/* Zeroed is empty. */
struct labels {
	uint32_t *members;
	size_t n, cap;
};

void labels_deinit(struct labels *);
void labels_add_text(struct labels *, struct sink *, struct slice key, struct slice text);
void labels_add_number(struct labels *, struct sink *, struct slice key, int64_t number, struct slice unit);
/* The set of the labels added; empties the list. */
uint32_t labels_end(struct labels *, struct sink *);

#endif
