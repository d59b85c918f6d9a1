/*
 * copy_data.h - copies the data of a file.
 */
#ifndef BASE_COPY_DATA_H
#define BASE_COPY_DATA_H

#include <stdbool.h>

/* From the beginning of `from` to the position of `to`. May be called in signal handlers. */
bool copy_data(int from, int to);

#endif
