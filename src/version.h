/*
 * version.h - the one place that knows the release.
 */
#ifndef VERSION_H
#define VERSION_H

#define FLAMETOP_VERSION "0.1.0"
#define FLAMETOP_DATE "2026-11-21" /* of the release; the manual page carries it */

#endif
