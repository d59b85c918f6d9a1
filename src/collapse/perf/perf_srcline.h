/*
 * perf_srcline.h - the source lines that perf script -F +srcline prints below frames.
 */
#ifndef COLLAPSE_PERF_SRCLINE_H
#define COLLAPSE_PERF_SRCLINE_H

#include <stdbool.h>

#include "collapse/text/lines.h"

/*
 * A line "  file.c:12" after a frame. For an unknown place perf writes "libc.so.6[7f722d142778]", "main+12" or
 * ":0"; *place is then empty. false: it is no such line.
 */
bool perf_srcline(struct slice text, struct slice *place);

#endif
