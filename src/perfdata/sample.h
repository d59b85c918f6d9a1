/*
 * sample.h - the fields of one PERF_RECORD_SAMPLE.
 */
#ifndef PERFDATA_SAMPLE_H
#define PERFDATA_SAMPLE_H

#include "perfdata/event.h"
#include "perfdata/processes.h"

/* Values of a chain from here on are no addresses but say which space follows. */
#define CHAIN_MARKERS ((uint64_t)-4095)
#define CHAIN_HYPERVISOR ((uint64_t)-32)
#define CHAIN_KERNEL ((uint64_t)-128)
#define CHAIN_USER ((uint64_t)-512)
#define CHAIN_GUEST ((uint64_t)-2048)
#define CHAIN_GUEST_KERNEL ((uint64_t)-2176)
#define CHAIN_GUEST_USER ((uint64_t)-2560)

/* misc & CPUMODE: where `ip` is. */
#define CPUMODE 7u
enum perfdata_cpumode { MODE_UNKNOWN, MODE_KERNEL, MODE_USER, MODE_HYPERVISOR, MODE_GUEST_KERNEL, MODE_GUEST_USER };

/* As the kernel writes it: a branch that was taken, the latest one first. */
struct perfdata_branch {
	uint64_t from, to;
	uint64_t flags; /* a bit field of the recording's machine */
};

/* One counter's value of a sample that has PERF_SAMPLE_READ. */
struct perfdata_reading {
	uint64_t value, id;
};

/* Everything it points to is valid until the hook returns; names and processes live as long as the reader. */
struct perfdata_sample {
	uint32_t event;   /* for perfdata_event() */
	uint32_t cpu;     /* UINT32_MAX: not recorded */
	int32_t pid, tid; /* -1: not recorded, or a thread that was gone already */
	uint64_t time;    /* ns of the recording's clock; NO_RECORD_TIME: not recorded */
	uint64_t period;  /* what the sample stands for, in units of its event; 1 without has_period */
	bool has_period;  /* false: the event has a frequency, and the sample does not tell its period */
	uint16_t misc;    /* of its header: CPUMODE and flags */
	uint64_t ip;
	uint64_t addr;    /* of data, for events that have one */
	const char *comm; /* name of the thread at that time; NULL: unknown */
	const struct perfdata_process *process;
	const uint64_t *chain; /* as recorded: leaf first, with markers */
	size_t n_chain;
	const struct perfdata_branch *branches;
	size_t n_branches;
	uint64_t regs_abi;          /* 0: no registers, 1: of a 32-bit process, 2: of a 64-bit one */
	uint64_t regs_mask;         /* bit n: register n of the architecture's perf_regs.h is there */
	const uint64_t *regs;       /* as many as bits in the mask, by rising number */
	const unsigned char *stack; /* user space from the stack pointer on */
	size_t n_stack;             /* bytes, without what was reserved and not filled */
	size_t n_reserved;          /* bytes with it */
	const unsigned char *raw;   /* of tracepoints: their fields; aligned to 4 */
	size_t n_raw;
	size_t n_readings; /* counters that were read: perfdata_sample_reading() */
	struct perfdata_reading reading;
	struct perfdata_bytes readings; /* of a group, in which case `reading` is empty */
	uint64_t read_format;
};

/*
 * Takes all fields of a sample of that event off `body`, whose bytes are at an address divisible by 8 and are
 * turned into this machine's byte order where they are numbers. Fills all but event, comm and process. false: the
 * fields do not end where the record does, or a length in it is impossible.
 */
bool perfdata_sample_parse(struct perfdata_sample *, const struct perfdata_event *, uint16_t misc,
                           struct perfdata_bytes body);

/* The next of n_readings; an id of 0 is unknown. */
struct perfdata_reading perfdata_sample_reading(struct perfdata_sample *);

#endif
