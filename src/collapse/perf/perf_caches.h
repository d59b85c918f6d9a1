/*
 * perf_caches.h - what the reader of perf script remembers, why, and how much of it.
 *
 * The text of perf script is long and repeats itself: the same few threads, and in each nearly the same stack as a
 * moment ago. Each cache saves one step of taking it apart. In the order in which a sample meets them:
 *
 *	cache, where              key                          holds                        valid
 *
 *	heads                     the event line up to the     comm, pid, tid, and where    always: they follow from the
 *	  perf_event.h            end of its task, all bytes   they stand in the line       text
 *	tail                      the line behind the period   nothing: `name` of the       until another event line is
 *	  perf_event.h            and whether there is one     event is as it was           parsed with care
 *	tasks                     tid (slot); pid, tid, comm   root symbol, number of the   always: numbers of symbols
 *	  perf.c                                               task, is it Java             and tasks do not change
 *	series                    name of the event            its number                   always, likewise
 *	  perf.c
 *	blank                     a place in the piece         where the next blank line    for the piece, between the
 *	  perf.c                                               is                           place asked for and the line
 *	recent                    task (slot); root symbol;    frames, hashes of paths,     for the piece, since the
 *	  perf_recent.h           text of the stack before,    path of that sample          text is compared in place
 *	                          from its end
 *	unnamed                   text behind the address of   frames in the pool           always
 *	  perf_lines.h            "[unknown] (MODULE)"; Java?
 *	lines                     address (slot); the whole    frames in the pool           always: the pool only grows
 *	  perf_lines.h            line; Java?
 *	memos                     128 bits of hashes: symbol   frames in the pool, and      always; never forgets
 *	  perf_frames.h           without offset, module,      whether --skip-after cuts
 *	                          Java?                        there
 *	module                    text of the module           its hash                     always
 *	  perf_frames.h
 *	tools                     module                       an addr2line at work, and    while there are at most
 *	  inline.c                                             the module's symbols         eight
 *
 * Why each of them exists:
 *
 *	heads     A task's name may hold anything, blanks and numbers too; to find its end takes several passes over the
 *	          line.
 *	tail      The rest of the line but for processor, time and period. Head and tail together make
 *	          perf_event_again().
 *	tasks     The name of the root is made of comm, pid and tid, and looked up twice.
 *	series    A recording has one event as a rule, or a few that come in runs.
 *	blank     Events without a blank line behind them would each look through the rest of the piece.
 *	recent    Most of a stack is that of the sample before, from main() on: found by one comparison of text. What is
 *	          left, a few frames at the leaf, is looked up. Paths go on from the shared one.
 *	unnamed   Lines without a symbol differ in the address, so `lines` would hold each of them once.
 *	lines     A line met a moment ago is found by one comparison, without looking for its end.
 *	memos     To make a frame is slow: names are tidied, demangled, split at inlined calls. Other addresses in the
 *	          same function are the same frame.
 *	module    Consecutive lines often have the same one.
 *	tools     To start addr2line takes seconds. Its answers are in `memos`, whose key then has the address and the
 *	          offset, too.
 *
 * A hit gives byte for byte what the slow way gives; whatever could make a difference is in the key or switches the
 * cache off: with --addrs the address of "[unknown]" is in the key of `memos`, and `unnamed` is not used;
 * --skip-after, --srcline and --inline switch off `recent`, `lines` and `unnamed`, which know nothing of the lines
 * between frames. All but `memos` may forget: they have slots of a fixed number, and the last one in wins. Each
 * parser has its own, so no locks: one for each worker thread. The hashes are seeded (base/hash.h), so no input can
 * be made to collide.
 *
 * (text/memo.h is the same idea for the formats dtrace, sample and vtune.)
 */
#ifndef COLLAPSE_PERF_CACHES_H
#define COLLAPSE_PERF_CACHES_H

enum {
	PERF_HEADS = 64,
	PERF_HEAD_MAX = 48,  /* bytes; longer ones are not kept, as with all that follow */
	PERF_TAIL_MAX = 64,  /* bytes, newline included */
	PERF_TASKS = 64,     /* as many as threads may take turns; of `tasks` and of `recent` */
	PERF_COMM_MAX = 64,  /* bytes */
	PERF_LINES = 2048,   /* with PERF_LINE_MAX they stay in the processor's second-level cache */
	PERF_LINE_MAX = 112, /* bytes, newline included */
	PERF_MEMOS = 4096,   /* slots to begin with, a power of two */
};

#endif
