/*
 * platform.h - does the program use the services of Linux, or those of POSIX alone?
 *
 * The files in base/ that need one of these services hide the difference from all others. -DFLAMETOP_POSIX builds
 * on Linux what other systems get, so that the tests can run it there.
 */
#ifndef BASE_PLATFORM_H
#define BASE_PLATFORM_H

#if defined(__linux__) && !defined(FLAMETOP_POSIX)
#define ON_LINUX 1
#else
#define ON_LINUX 0
#endif

#endif
