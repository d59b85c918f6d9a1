/*
 * labels.c - the labels of the sample being read.
 */
#include "collapse/text/labels.h"

#include <stdlib.h>

#include "model/tags.h"

void labels_deinit(struct labels *l)
{
	free(l->members);
	*l = (struct labels){0};
}

/* The profile's labels; NULL: they are not wanted. */
static struct tags *tags_of(struct sink *sink)
{
	if (sink->options->drops_labels)
		return NULL;
	if (!sink->profile->tags)
		sink->profile->tags = tags_new();
	return sink->profile->tags;
}

static struct symbol name_of(struct slice text)
{
	return (struct symbol){.name = text.s, .len = (uint32_t)text.n};
}

void labels_add_text(struct labels *l, struct sink *sink, struct slice key, struct slice text)
{
	struct tags *tags = tags_of(sink);
	if (tags)
		mem_push(l->members, l->n, l->cap, tags_add_text(tags, name_of(key), name_of(text)));
}

void labels_add_number(struct labels *l, struct sink *sink, struct slice key, int64_t number, struct slice unit)
{
	struct tags *tags = tags_of(sink);
	if (tags)
		mem_push(l->members, l->n, l->cap, tags_add_number(tags, name_of(key), number, name_of(unit)));
}

uint32_t labels_end(struct labels *l, struct sink *sink)
{
	size_t n = l->n, most = sink->options->most_label_sets;
	l->n = 0;
	if (!n)
		return NO_TAGS;
	if (!most || tags_count_sets(sink->profile->tags) < most)
		return tags_add_set(sink->profile->tags, l->members, n);
	sink_warn(sink, "too many different labels to list: a sample is without its own (--tagfocus has all)", 0, NULL,
	          0);
	return NO_TAGS;
}
