/*
 * sample.h - the fields of one PERF_RECORD_SAMPLE.
 */
#ifndef PERFDATA_SAMPLE_H
#define PERFDATA_SAMPLE_H

#include "perfdata/bytes.h"
#include "perfdata/event.h"
#include "perfdata/processes.h"

/* Values of a chain from here on are not addresses: they name the space of the addresses that follow. */
#define CHAIN_MARKERS ((uint64_t)-4095)
#define CHAIN_HYPERVISOR ((uint64_t)-32)
#define CHAIN_KERNEL ((uint64_t)-128)
#define CHAIN_USER ((uint64_t)-512)
#define CHAIN_USER_DEFERRED \
	((uint64_t)-640) /* a cookie follows, and in a later record the addresses (deferred.h) */
#define CHAIN_GUEST ((uint64_t)-2048)
#define CHAIN_GUEST_KERNEL ((uint64_t)-2176)
#define CHAIN_GUEST_USER ((uint64_t)-2560)

/*
 * In the raw data of sched:sched_waking, the thread that is woken: after 8 bytes of all tracepoints and 16 of its
 * name (events/sched/sched_waking/format in tracefs).
 */
#define PID_OF_WAKING 24u

/* misc & CPUMODE: where `ip` is. */
#define CPUMODE 7u
enum perfdata_cpumode { MODE_UNKNOWN, MODE_KERNEL, MODE_USER, MODE_HYPERVISOR, MODE_GUEST_KERNEL, MODE_GUEST_USER };

/* In the kernel's layout: the branches taken, the latest first. */
struct perfdata_branch {
	uint64_t from, to;
	uint64_t flags; /* a bit field in the recorded machine's layout */
};

/* The value of one counter in a sample with PERF_SAMPLE_READ. */
struct perfdata_reading {
	uint64_t value, id;
};

/* All pointers are valid until the hook returns; names and processes live as long as the reader. */
struct perfdata_sample {
	uint32_t event;   /* for perfdata_event() */
	uint32_t cpu;     /* UINT32_MAX: not recorded */
	int32_t pid, tid; /* -1: not recorded, or the thread was already gone */
	uint64_t time;    /* ns of the recording's clock; NO_RECORD_TIME: not recorded */
	uint64_t period;  /* the amount the sample stands for, in units of its event; 1 without has_period */
	bool has_period;  /* false: the event has a frequency, and the sample does not give its period */
	uint16_t misc;    /* of its header: CPUMODE and flags */
	uint64_t ip;
	uint64_t addr;    /* of data, for events that have such an address */
	const char *comm; /* name of the thread at that time; NULL: unknown */
	const struct perfdata_process *process;
	const uint64_t *chain; /* as recorded: leaf first, with markers */
	size_t n_chain;
	const struct perfdata_branch *branches;
	size_t n_branches;
	uint64_t regs_abi;          /* 0: no registers, 1: of a 32-bit process, 2: of a 64-bit one */
	uint64_t regs_mask;         /* bit n: register n of the architecture's perf_regs.h is there */
	const uint64_t *regs;       /* one for each bit in the mask, in rising order */
	const unsigned char *stack; /* user space, from the stack pointer on */
	size_t n_stack;             /* bytes, without those reserved but not filled */
	size_t n_reserved;          /* bytes, including those */
	const unsigned char *raw;   /* a tracepoint's fields; aligned to 4 */
	size_t n_raw;
	bool raw_is_swapped; /* its numbers have the other byte order */
	size_t n_readings;   /* counters read: perfdata_sample_reading() */
	struct perfdata_reading reading;
	struct perfdata_bytes readings; /* of a group, whose `reading` is empty */
	uint64_t read_format;
};

/*
 * Takes all fields of a sample of that event from `body`. The bytes of `body` must be at an address divisible by 8;
 * the call converts the numbers among them to this machine's byte order in place. It fills all members except
 * event, comm and process. false: the fields do not end where the record does, or a length in it is impossible.
 */
bool perfdata_sample_parse(struct perfdata_sample *, const struct perfdata_event *, uint16_t misc,
                           struct perfdata_bytes body);

static inline struct perfdata_bytes perfdata_raw(const struct perfdata_sample *s)
{
	return (struct perfdata_bytes){s->raw, s->n_raw, s->raw_is_swapped, false};
}

/* Returns the next of n_readings; an id of 0 is unknown. */
struct perfdata_reading perfdata_sample_reading(struct perfdata_sample *);

#endif
