/*
 * pushed.h - sends a profile to a store of profiles: a pprof, and labels.
 */
#ifndef SOURCES_PUSHED_H
#define SOURCES_PUSHED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct talk;
struct url;

/* A profile that is sent. Not owned. */
struct pushed {
	const struct buf *pprof; /* compressed, with its time and period */
	const char *name;        /* what stores call profiles of its type: "process_cpu" */
	const char *service;     /* what was recorded; the address may say better */
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
 * Sends it: lets `add` make a message of the pprof and the labels, which are the address's parameters, lets `send`
 * send that, and appends what the profile is called there. false: err.
 */
bool pushed_send(const struct url *, struct talk *, const struct pushed *,
                 void (*add)(struct buf *out, const struct push_labels *, const struct buf *pprof),
                 bool (*send)(const struct url *, struct talk *, const struct buf *message, struct err *err),
                 struct buf *said, struct err *err);

#endif
