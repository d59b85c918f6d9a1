/*
 * formats.h - every format by its descriptor; formats.c puts them in order.
 */
#ifndef COLLAPSE_FORMATS_H
#define COLLAPSE_FORMATS_H

#include "collapse/collapse.h"

extern const struct collapse_format format_aix;
extern const struct collapse_format format_bpftrace;
extern const struct collapse_format format_chrome_tracing;
extern const struct collapse_format format_cpuprofile;
extern const struct collapse_format format_dtrace;
extern const struct collapse_format format_elfutils;
extern const struct collapse_format format_faulthandler;
extern const struct collapse_format format_folded;
extern const struct collapse_format format_gdb;
extern const struct collapse_format format_ghcprof;
extern const struct collapse_format format_go;
extern const struct collapse_format format_ibmjava;
extern const struct collapse_format format_instruments;
extern const struct collapse_format format_java_exceptions;
extern const struct collapse_format format_jstack;
extern const struct collapse_format format_ljp;
extern const struct collapse_format format_perf;
extern const struct collapse_format format_perf_sched;
extern const struct collapse_format format_pmc;
extern const struct collapse_format format_pprof;
extern const struct collapse_format format_sample;
extern const struct collapse_format format_speedscope;
extern const struct collapse_format format_stap;
extern const struct collapse_format format_vsprof;
extern const struct collapse_format format_vtune;
extern const struct collapse_format format_vtune_mc;
extern const struct collapse_format format_wcp;
extern const struct collapse_format format_xctrace;
extern const struct collapse_format format_xdebug;

/* Does this text begin with the line by which folded stacks say that they are (model/escape.h)? */
bool folded_is_announced(const char *text, size_t len);
/* By the one that says that names in them are escaped? */
bool folded_is_escaped(const char *text, size_t len);
/*
 * A count at the end of text[0..*len): cuts it and the blanks before it off. false: there is none. millionths is above 999,999
 * where decimals are written and all of them are 0.
 */
bool folded_cut_count(const char *text, size_t *len, uint64_t *whole, uint32_t *millionths);
enum sniff folded_sniff(const struct head *, const char **why);
/* Is it the output of perf script, in any of its dialects? */
enum sniff perf_sniff(const struct head *, const char **why);

#endif
