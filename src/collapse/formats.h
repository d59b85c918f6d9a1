/*
 * formats.h - the list of formats, one row each.
 *
 * The order breaks ties: when the marks of several formats are complete at the same byte, or when no marks are
 * complete and several formats accept the input. Unique marks come first (a heading, a tag), then line shapes, the
 * most specific first. Folded text comes last: any line that ends in a number fits it.
 *
 * A row is the format's name with '_' for '-': the format `x-y` ends with `const struct collapse_format
 * format_x_y`.
 */
#ifndef COLLAPSE_FORMATS_H
#define COLLAPSE_FORMATS_H

#include "collapse/collapse.h"

/* clang-format off */
#define COLLAPSE_FORMATS(ROW) \
	ROW(perf_data) \
	ROW(jfr) \
	ROW(otlp) \
	ROW(pprof) \
	ROW(perf_json) \
	ROW(gperftools) \
	ROW(speedscope) \
	ROW(firefox) \
	ROW(gecko) \
	ROW(stackprof) \
	ROW(d3) \
	ROW(flamebearer) \
	ROW(dhat) \
	ROW(v8log) \
	ROW(pyinstrument) \
	ROW(ghcjson) \
	ROW(webkit) \
	ROW(chrome_tracing) \
	ROW(cpuprofile) \
	ROW(v8_head) \
	ROW(xctrace) \
	ROW(svg) \
	ROW(async_profiler_html) \
	ROW(html) \
	ROW(vsprof) \
	ROW(vtune_mc) \
	ROW(vtune) \
	ROW(mojo) \
	ROW(callgrind) \
	ROW(heaptrack) \
	ROW(ibmjava) \
	ROW(xdebug) \
	ROW(sample) \
	ROW(ghcprof) \
	ROW(massif) \
	ROW(go) \
	ROW(go_text) \
	ROW(goroutines) \
	ROW(heap_profile) \
	ROW(jstack) \
	ROW(instruments) \
	ROW(bpftrace) \
	ROW(bpftrace_json) \
	ROW(elfutils) \
	ROW(aix) \
	ROW(wcp) \
	ROW(faulthandler) \
	ROW(gdb) \
	ROW(papyrus) \
	ROW(pmc) \
	ROW(stap) \
	ROW(ljp) \
	ROW(strace) \
	ROW(perf_report) \
	ROW(perf_sched) /* before perf: the same text, read for waiting times instead of samples */ \
	ROW(perf) \
	ROW(dtrace) \
	ROW(java_exceptions) \
	ROW(folded)
/* clang-format on */

#define DECLARE_FORMAT(name) extern const struct collapse_format format_##name;
COLLAPSE_FORMATS(DECLARE_FORMAT)
#undef DECLARE_FORMAT

#endif
