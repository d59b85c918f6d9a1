/*
 * jfr_names.h - the stacks, threads and labels of a Flight Recorder chunk, as those of the profile.
 *
 * Rows of the chunk's tables remember what was made of them, so that each is made once.
 */
#ifndef COLLAPSE_FORMATS_JFR_NAMES_H
#define COLLAPSE_FORMATS_JFR_NAMES_H

#include "collapse/formats/jfr_chunk.h"
#include "collapse/text/frames.h"

struct jfr_names {
	struct sink *sink;
	struct jfr_chunk *chunk;
	struct frames frames;
	struct site *sites; /* of the frames, if they are wanted */
	size_t n_sites, cap_sites;
	struct buf class, text, file;
	size_t deepest_cut;     /* frames of the deepest stack that is cut */
	uint64_t n_cut, n_lost; /* samples whose stack is cut, or not in the recording */
	uint64_t n_nameless;    /* frames whose names are not in the recording */
};

void jfr_names_init(struct jfr_names *, struct sink *, struct jfr_chunk *);
void jfr_names_deinit(struct jfr_names *);

struct jfr_stack {
	uint32_t path, site;
};
/* The stack of this number, for one sample. */
struct jfr_stack jfr_stack(struct jfr_names *, uint64_t id);
/* The frame for a class: "java.lang.String[]"; 0: it is not known. */
uint32_t jfr_class(struct jfr_names *, uint64_t id);
/* The same for the class of an old object. */
uint32_t jfr_old_object(struct jfr_names *, uint64_t id);
/* The task of a thread; 0: it is not known. */
uint32_t jfr_thread(struct jfr_names *, uint64_t id);
/* The name of a state of a thread: "RUNNABLE". */
struct slice jfr_state(struct jfr_names *, uint64_t id);

#endif
