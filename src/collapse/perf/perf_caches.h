/*
 * perf_caches.h - the caches of the perf script parser: their keys, contents and sizes.
 *
 * The text of perf script is long and repeats itself: a few threads, each with nearly the same stack as a moment
 * ago. Each cache saves one step of parsing. They are listed in the order in which a sample meets them:
 *
 *	cache, where              key                          holds                        valid
 *
 *	heads                     the event line up to the     comm, pid, tid, and where    always: they follow from the
 *	  perf_event.h            end of its task, all bytes   they stand in the line       text
 *	tail                      the line after the period    nothing: `name` of the       until another event line is
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
 *	unnamed                   text after the address of    frames in the pool           always
 *	  perf_lines.h            "[unknown] (MODULE)"; Java?
 *	lines                     address (slot); the whole    frames in the pool           always: the pool only grows
 *	  perf_lines.h            line; Java?
 *	memos                     128 bits of hashes: symbol   frames in the pool, and      always; never forgets
 *	  perf_frames.h           without offset, module,      whether --skip-after cuts
 *	                          Java?                        there
 *	joined                    inlined function (slot),     its frame with that module   always
 *	  perf_frames.h           module
 *	module                    text of the module           its hash                     always
 *	  perf_frames.h
 *	tools                     module                       an addr2line at work, and    while there are at most
 *	  inline.c                                             the module's symbols         eight
 *
 * Why each of them exists:
 *
 *	heads     A task's name may contain anything, including blanks and numbers; finding its end takes several passes
 *	          over the line.
 *	tail      The rest of the line except processor, time and period. Head and tail together make
 *	          perf_event_again().
 *	tasks     The name of the root is made of comm, pid and tid, and looked up twice.
 *	series    A recording usually has one event, or a few that come in runs.
 *	blank     Without this, each event without a blank line after it searches the rest of the piece.
 *	recent    Most of a stack equals that of the sample before, from main() on: one comparison of text finds it.
 *	          Only the few remaining frames at the leaf are looked up. Paths go on from the shared one.
 *	unnamed   Lines without a symbol differ in the address, so `lines` would hold each of them once.
 *	lines     One comparison finds a line met a moment ago, without a search for its end.
 *	memos     Making a frame is slow: names are tidied, demangled, split at inlined calls. Other addresses in the
 *	          same function give the same frame.
 *	joined    perf names no module for an inlined function: it has that of its caller, which only the stack tells.
 *	module    Consecutive lines often have the same one.
 *	tools     Starting addr2line takes seconds. Its answers are in `memos`, whose key then includes the address and
 *	          the offset.
 *
 * A hit gives byte for byte what parsing gives. Anything that could make a difference is in the key or disables the
 * cache: with --addrs the address of "[unknown]" is in the key of `memos`, and `unnamed` is not used; --skip-after,
 * --srcline and --inline disable `recent`, `lines` and `unnamed`, which ignore the lines between frames. All but
 * `memos` may forget: they have a fixed number of slots, and a new entry replaces an old one. Each parser, one per
 * worker thread, has its own caches, so there are no locks. The hashes are seeded (base/hash.h), so no input can
 * make them collide.
 *
 * (text/memo.h does the same for the formats dtrace, sample and vtune.)
 */
#ifndef COLLAPSE_PERF_CACHES_H
#define COLLAPSE_PERF_CACHES_H

enum {
	PERF_HEADS = 64,
	PERF_HEAD_MAX = 48,  /* bytes; longer ones are not cached, here and below */
	PERF_TAIL_MAX = 64,  /* bytes, newline included */
	PERF_TASKS = 64,     /* threads that may take turns; size of `tasks` and of `recent` */
	PERF_COMM_MAX = 64,  /* bytes */
	PERF_LINES = 2048,   /* with PERF_LINE_MAX they fit the processor's second-level cache */
	PERF_LINE_MAX = 112, /* bytes, newline included */
	PERF_MEMOS = 4096,   /* slots to begin with, a power of two */
	PERF_JOINED = 256,   /* a power of two */
};

#endif
