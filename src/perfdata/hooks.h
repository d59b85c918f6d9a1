/*
 * hooks.h - what a reader of recordings hands out: samples, and what happens between them.
 */
#ifndef PERFDATA_HOOKS_H
#define PERFDATA_HOOKS_H

#include "base/err.h"
#include "perfdata/sample.h"

/* A PERF_RECORD_KSYMBOL: code that the kernel has made, as of a BPF program. */
struct perfdata_ksymbol {
	uint64_t address, length;
	const char *name; /* valid until the hook returns; not cleaned */
	size_t name_len;
	bool is_gone; /* it was taken away */
};

/* Two ways of counting the same loss; which of them a recording has is up to the kernel and perf. */
enum perfdata_loss {
	LOSS_OF_RECORDS, /* the buffer was full: said at once */
	LOSS_OF_SAMPLES  /* said by the hardware's buffer, or at the end of the recording */
};

/* Each may be NULL. They are called from perfdata_feed() and perfdata_finish(), in the order of time. */
struct perfdata_hooks {
	void (*sample)(void *arg, const struct perfdata_sample *);
	void (*lost)(void *arg, enum perfdata_loss, uint64_t n);
	/* Something is mapped that may be code; the map is in the process already. */
	void (*map)(void *arg, const struct perfdata_process *, const struct perfdata_map *);
	/* A process has the maps of its parent. */
	void (*fork)(void *arg, int32_t pid, int32_t parent);
	void (*ksymbol)(void *arg, const struct perfdata_ksymbol *);
	/* What the user should know. kind: a static text, as in err.h; offset: of the record, in bytes. */
	void (*note)(void *arg, enum note_level, const char *kind, uint64_t offset);
};

#endif
