/*
 * valgrind.h - reads frames as Valgrind's tools print them.
 *
 *	0x109169: grab (w.c:4)
 *	0x48417B4: operator new(unsigned long) (in /usr/lib/valgrind/vgpreload_dhat-amd64-linux.so)
 *	0x4A2B3C: ??? (in /usr/lib/libx.so)
 *	0x12345678: ???
 */
#ifndef COLLAPSE_TEXT_VALGRIND_H
#define COLLAPSE_TEXT_VALGRIND_H

#include "collapse/text/frames.h"

/*
 * Pushes such a frame, with its module, or its source file and the executed line. Without a name it is "[libx.so]",
 * or its address.
 */
void valgrind_push(struct frames *, struct sink *, struct slice text);

#endif
