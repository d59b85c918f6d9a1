/*
 * pushed.h - a profile as stores of profiles take it: a complete pprof, and labels.
 */
#ifndef SOURCES_PUSHED_H
#define SOURCES_PUSHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct talk;
struct url;

/* What is known of a profile that is sent. */
struct pushed {
	int fd;              /* its pprof, compressed or not; not owned */
	const char *service; /* what was recorded; the address may say better */
	uint64_t duration;   /* ns; 0: unknown */
};

/* Names and values, one after the other, owned. */
struct push_labels {
	char **v;
	size_t n, cap;
};

/* Can all parameters of the address be labels? false: err. */
bool push_labels_check(const struct url *, struct err *err);
/* Appends each label as a field of this number: a message of name 1 and value 2. */
void push_labels_add_fields(struct buf *out, unsigned field, const struct push_labels *);

/*
 * Sends it: makes a complete pprof of it and the labels, which are the address's parameters, lets `add` make a
 * message of them and `send` send that, and appends what the profile is called there. false: err.
 */
bool pushed_send(const struct url *, struct talk *, const struct pushed *,
                 void (*add)(struct buf *out, const struct push_labels *, const struct buf *pprof),
                 bool (*send)(const struct url *, struct talk *, const struct buf *message, struct err *err),
                 struct buf *said, struct err *err);

#endif
