/*
 * perf_header.h - what the header of a perf.data file says about its events.
 */
#ifndef COLLAPSE_PERF_HEADER_H
#define COLLAPSE_PERF_HEADER_H

/*
 * The names of the events in the order of the recording, separated by commas, as perf record -e takes them; the
 * caller frees them. NULL: the file does not say, is damaged or cannot be read. "-" is standard input, whose
 * position stays as it is.
 */
char *perf_header_events(const char *path);

#endif
