/*
 * perf_symbols.h - finds the functions at the addresses of a recording, from perfdata's maps and symbols of files.
 */
#ifndef COLLAPSE_PERF_SYMBOLS_H
#define COLLAPSE_PERF_SYMBOLS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file_places.h"
#include "base/input.h"
#include "perfdata/perfdata.h"

struct perf_symbols;

/* Where names come from; the texts must outlive the struct perf_symbols. */
struct perf_symbols_source {
	const struct input *in;    /* the recording's bytes (trust.h); NULL: a pipe */
	bool is_own;               /* we have just recorded it, and nobody else has written to its file */
	struct file_places places; /* of the recorded files */
	bool uses_servers, wants_lines;
	const atomic_bool *stop;   /* as in struct symbols_options */
	const char *kallsyms;      /* of the recorded kernel; NULL: looked for */
	struct found_files *found; /* see struct symbols_options */
};
/* The recording and the report, which gets notes about files, must outlive it. */
struct perf_symbols *perf_symbols_new(struct perfdata *, struct report *, const struct perf_symbols_source *);
void perf_symbols_free(struct perf_symbols *); /* NULL is fine */

/* Take the other records of a recording, in addition to samples. */
void perf_symbols_map(struct perf_symbols *, const struct perfdata_process *, const struct perfdata_map *);
void perf_symbols_fork(struct perf_symbols *, int32_t pid, int32_t parent, uint64_t time);
void perf_symbols_exec(struct perf_symbols *, int32_t pid, uint64_t time);
void perf_symbols_ksymbol(struct perf_symbols *, const struct perfdata_ksymbol *);

/* An address of a sample. */
struct perf_place {
	const struct perfdata_process *process; /* has the map that holds it; perfdata_kernel() for the kernel */
	uint64_t address;
	uint64_t time;  /* ns; UINT64_MAX: unknown */
	unsigned mode;  /* perfdata_cpumode */
	bool is_caller; /* a return address, not that of the instruction at work */
};

/* Strings live as long as the struct perf_symbols. */
struct perf_symbol {
	uint32_t number;        /* of (module, name), from 0 without gaps */
	const char *name;       /* mangled; NULL: unknown */
	const char *module;     /* as perf prints it */
	const char *path;       /* of the file that was read; NULL: none */
	const char *debug_path; /* of the separate file with its debug information; NULL: none is known */
	const char *alt_path;   /* of the file that this one refers to; NULL: none is known */
	uint64_t vaddr;         /* the address in it */
	bool has_debug;         /* one of the two has debug information */
	bool is_passing;        /* JIT-compiled: another function may take its place later */
};

struct perf_symbol perf_symbols_find(struct perf_symbols *, const struct perf_place *);
/* The address as perf prints it; in user space it is relative to the file. */
uint64_t perf_symbols_printed(const struct perf_symbols *, const struct perf_place *);
/* The file that is read for a map; see symbols_path(). */
const char *perf_symbols_path(struct perf_symbols *, const struct perfdata_process *, const struct perfdata_map *);
/* Has a JIT compiler named functions of the process? */
bool perf_symbols_has_jit(struct perf_symbols *, int32_t pid);
/* Grows whenever an address of this process and mode may change its meaning. */
uint32_t perf_symbols_generation(const struct perf_symbols *, const struct perf_place *);

#endif
