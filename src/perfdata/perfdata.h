/*
 * perfdata.h - reads recordings of `perf record`: bytes go in, samples come out in time order.
 *
 * A push parser for perf.data files and for the output of `perf record -o -` into a pipe. It opens no files,
 * produces no text and knows no symbols. The kernel's tools/perf/Documentation/perf.data-file-format.txt and
 * linux/perf_event.h define the format.
 *
 *	p = perfdata_new(&hooks, arg);
 *	perfdata_read_features(p, read_at, file, &err)       a file that can be read anywhere; pipes do without
 *	while (bytes) perfdata_feed(p, bytes, n, &err)       from the first byte on, cut anywhere
 *	perfdata_finish(p, true, &err)
 *	perfdata_free(p)
 *
 * It reads either byte order. It refuses files of version 1 (before Linux 2.6.33) and directories of `perf record
 * --threads`. Three things bound its memory: the data that perf writes in two rounds (512 MB at most), the number
 * of distinct threads, and the maps of processes; a number in the file never does. No file makes it take quadratic
 * time.
 */
#ifndef PERFDATA_PERFDATA_H
#define PERFDATA_PERFDATA_H

#include "base/err.h"
#include "perfdata/features.h"
#include "perfdata/header.h"
#include "perfdata/hooks.h"

struct perfdata;

/* The hooks are copied. */
struct perfdata *perfdata_new(const struct perfdata_hooks *, void *arg);
void perfdata_free(struct perfdata *); /* NULL is fine */

/* Reads n bytes of the file from `offset` on. false: they are not there. */
typedef bool perfdata_read_at(void *arg, uint64_t offset, void *into, size_t n);
/*
 * Reads the header and the features, which are after the records, before any byte is fed. Recordings of pipes have
 * their features among the records; the call then does nothing. false: as perfdata_feed() for the header. Damaged
 * features are noted.
 */
bool perfdata_read_features(struct perfdata *, perfdata_read_at *, void *arg, struct err *);
/* If it failed because the beginning could not be read: how many bytes that needs. 0: it did not. */
uint64_t perfdata_lacking(const struct perfdata *);

/* false: the file cannot be read, or what follows makes no sense; err says where and what was expected. */
bool perfdata_feed(struct perfdata *, const void *bytes, size_t n, struct err *);
/*
 * Hands on the waiting records, also after a failure. is_whole: the input has ended, rather than failed. A
 * recording that ends early is noted. false: there was not even a header.
 */
bool perfdata_finish(struct perfdata *, bool is_whole, struct err *);

/* The facts known so far. All of them live as long as the reader. */
const struct perfdata_facts *perfdata_facts(const struct perfdata *);
size_t perfdata_n_events(const struct perfdata *);
const struct perfdata_event *perfdata_event(const struct perfdata *, uint32_t number); /* until the next feed */
const struct perfdata_file *perfdata_file(const struct perfdata *, uint32_t number);   /* until the next feed */
/* The file of this name, with its build id if the recording's list has one. Valid until the next feed. */
const struct perfdata_file *perfdata_file_named(struct perfdata *, const char *name);
/* Are the times those of CLOCK_MONOTONIC (perf record -k 1)? */
bool perfdata_is_monotonic(const struct perfdata *);
/* Bytes of records that came out of compressed ones. */
uint64_t perfdata_unpacked(const struct perfdata *);
/* Did the recording end early? After perfdata_finish(). */
bool perfdata_is_cut(const struct perfdata *);
/* The maps of the kernel and its modules. */
const struct perfdata_process *perfdata_kernel(struct perfdata *);
/* Has it traces of processors, as of Intel PT, which are not read? */
bool perfdata_has_traces(const struct perfdata *);
#define TRACES_ADVICE "'perf script --itrace=i10us' prints samples of them"
/* The number of samples that could not be read or belong to no known event. */
uint64_t perfdata_bad_samples(const struct perfdata *);

#endif
