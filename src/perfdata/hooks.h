/*
 * hooks.h - the callbacks by which a reader of recordings hands out samples and the events between them.
 */
#ifndef PERFDATA_HOOKS_H
#define PERFDATA_HOOKS_H

#include "base/err.h"
#include "perfdata/sample.h"

/* A PERF_RECORD_KSYMBOL: code that the kernel generated, such as a BPF program. */
struct perfdata_ksymbol {
	uint64_t address, length;
	const char *name; /* valid until the hook returns; not sanitized */
	size_t name_len;
	bool is_gone; /* the kernel removed it */
};

/* Two counts of the same loss; the kernel and perf decide which of them a recording has. */
enum perfdata_loss {
	LOSS_OF_RECORDS, /* the buffer was full; reported at once */
	LOSS_OF_SAMPLES  /* reported by the hardware's buffer, or at the end of the recording */
};

/* A thread leaves the processor, or gets one (PERF_RECORD_SWITCH). */
struct perfdata_switch {
	int32_t pid, tid;
	uint64_t time; /* ns of the recording's clock */
	uint32_t cpu;  /* UINT32_MAX: not recorded */
	const char *comm;
	bool is_out, is_preempted; /* is_preempted: it could have run on */
};

/*
 * Each may be NULL. perfdata_feed() and perfdata_finish() call them in time order, but for samples whose callers
 * come later (deferred.h).
 */
struct perfdata_hooks {
	void (*sample)(void *arg, const struct perfdata_sample *);
	/* n 0: there is a gap, but all that was lost in it were records that flametop itself does not use. */
	void (*lost)(void *arg, enum perfdata_loss, uint64_t n);
	/* A process mapped something that may be code; its maps already include the new map. */
	void (*map)(void *arg, const struct perfdata_process *, const struct perfdata_map *);
	/* A process began with its parent's maps, at that time. */
	void (*fork)(void *arg, int32_t pid, int32_t parent, uint64_t time);
	/* Another program runs in the process from that time on. */
	void (*exec)(void *arg, int32_t pid, uint64_t time);
	void (*ksymbol)(void *arg, const struct perfdata_ksymbol *);
	void (*switched)(void *arg, const struct perfdata_switch *);
	/* A counter pauses, since it took too many samples, and goes on later. id: of the counter. */
	void (*throttled)(void *arg, uint64_t id, uint64_t time, bool pauses);
	/* A thread has begun, or ended. */
	void (*born)(void *arg, int32_t tid);
	void (*ended)(void *arg, int32_t tid);
	/* All records up to this time have come. Only recordings of flametop say so, several times a second. */
	void (*passed)(void *arg, uint64_t time);
	/* A note for the user. kind: a static text, as in err.h; offset: of the record, in bytes. */
	void (*note)(void *arg, enum note_level, const char *kind, uint64_t offset);
};

#endif
