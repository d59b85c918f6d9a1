/*
 * base_scan_plain.t.c - the tests of base_scan.t.c with what processors without SSE2 and NEON get.
 */
#ifndef FLAMETOP_PLAIN
#define FLAMETOP_PLAIN
#endif
#include "tests/unit/base_scan.t.c"
