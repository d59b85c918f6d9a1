/*
 * perf_frames.h - turns symbols and modules into frames, once per distinct pair.
 *
 *	    7f722d142778 Ljava/io/PrintStream;::print->Ljava/io/Writer;::write+0x18 (/tmp/perf-24636.map)
 *
 * The same symbols come again at other addresses. So a frame line is reduced to its symbol and module, and the work
 * on these (tidying, repairing, splitting inlined chains, annotating) is done once per distinct pair and cached
 * under a hash of both.
 */
#ifndef COLLAPSE_PERF_FRAMES_H
#define COLLAPSE_PERF_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/collapse.h"
#include "collapse/perf/inline.h"
#include "collapse/perf/perf_caches.h"
#include "collapse/text/lines.h"

/* The parts of a frame line; the texts point into the line. */
struct perf_site {
	uint64_t key[2];
	struct slice symbol, module, address; /* the symbol without its offset */
	uint32_t offset;                      /* length of the "+0x1f" after the symbol */
	bool is_expanded;                     /* look up its inlined functions */
	bool is_java;
};

/* The parts of a path's hash, besides the symbol. */
struct perf_frame {
	uint64_t hash;
	uint32_t sym;
	bool is_inlined; /* of unknown module, see perf_frames_inlined() */
	uint8_t level;   /* as site.line of model/sites.h, at an address */
};

/* The frames of a symbol in a module: pool[first..first + n), leaf first. */
struct perf_memo {
	uint64_t key[2];
	uint32_t first;
	uint32_t n : 31, is_cut : 1; /* is_cut: --skip-after names it */
	uint32_t code, page;         /* for perf_sites.h: the code file met last, MEMO_NO_FILE: none; 0: not yet */
};
#define MEMO_NO_FILE UINT32_MAX

/* Frames at an address, leaf first: the pool[first..first + n). */
struct perf_place_frames {
	uint32_t first;
	uint32_t n : 31, is_cut : 1; /* is_cut: --skip-after names the last one */
};

struct perf_frames {
	struct sink *sink;
	struct perf_memo *memos;
	size_t n_memos, n_slots;
	struct perf_frame *pool;
	size_t n_pool, cap_pool;
	bool has_inlined;                      /* frames in the pool */
	uint64_t met;                          /* names of --skip-after that occurred: a bit for each of the first 64 */
	uint32_t inlined;                      /* symbol "inlined", the module that perf names for inlined functions */
	struct perf_frame joined[PERF_JOINED]; /* inlined functions with a module, by both */
	uint32_t joined_of[PERF_JOINED][2];
	struct buf name, chain;  /* scratch */
	struct inliner *inliner; /* NULL without --inline */
	bool is_inlined;         /* the last line was an inlined one that perf had expanded; false at a new event */
	char module[64];         /* the last one met */
	size_t module_len;
	uint64_t module_hash;
};

/* asks_addr2line: with --inline frames are expanded by what it says. */
void perf_frames_init(struct perf_frames *, struct sink *, bool asks_addr2line);
void perf_frames_deinit(struct perf_frames *);

/*
 * Splits "addr symbol (module)", trimmed on the right: fills address and module and returns the symbol with its
 * offset. false: it has another form.
 */
bool perf_frames_split(struct slice line, struct perf_site *, struct slice *symbol);
/*
 * May "addr symbol" be a frame without a module? Among frames with modules, the address must be unmistakable:
 * "added" and "face" are words, too.
 */
bool perf_frames_is_bare(struct slice line, bool is_among_others);
/* Is it a program or a library? */
bool perf_frames_has_file(struct slice module);
/* Fills the rest of a site with address and module; prefetches what perf_frames_find() will read. */
void perf_frames_prepare(struct perf_frames *, struct perf_site *, struct slice symbol, bool is_java);
/* The frame of an inlined function with the module of the function that it is inlined into; 0: unknown. */
struct perf_frame perf_frames_inlined(struct perf_frames *, struct perf_frame, uint32_t into);
/*
 * The same for all inlined functions of a stack, root first: they have the address of what they are inlined into.
 */
void perf_frames_join(struct perf_frames *, uint32_t *frames, const uint64_t *addresses, size_t n);
/* Makes the frames if they are new; valid until the next call. */
struct perf_memo *perf_frames_find(struct perf_frames *, const struct perf_site *);

#endif
