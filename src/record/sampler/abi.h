/*
 * abi.h - what the kernel and a sampler exchange, as linux/perf_event.h defines it.
 *
 * The layout and the numbers are fixed; system headers are often older than the kernel. What recordings have in
 * common with it is in perfdata/event.h and perfdata/records.h.
 */
#ifndef RECORD_SAMPLER_ABI_H
#define RECORD_SAMPLER_ABI_H

#include <stdint.h>
#include <sys/ioctl.h>

/* struct perf_event_attr up to version 5 (Linux 4.8); newer features are bits of flags. */
struct abi_attr {
	uint32_t type, size;
	uint64_t config, period; /* or the frequency, with ABI_FREQ */
	uint64_t sample_type, read_format, flags;
	uint32_t wakeup, bp_type;
	uint64_t config1, config2, branch_sample_type, regs_user;
	uint32_t stack_user; /* bytes of a dump */
	int32_t clock;
	uint64_t regs_intr;
	uint32_t aux_watermark;
	uint16_t max_stack, reserved;
};
#define ABI_ATTR_LEAST 64u /* bytes, in the first kernels */

enum { ABI_HARDWARE, ABI_SOFTWARE, ABI_TRACEPOINT, ABI_CACHE, ABI_RAW };
enum {
	ABI_CYCLES,
	ABI_INSTRUCTIONS,
	ABI_CACHE_REFERENCES,
	ABI_CACHE_MISSES,
	ABI_BRANCHES,
	ABI_BRANCH_MISSES,
	ABI_BUS_CYCLES,
	ABI_STALLED_FRONTEND,
	ABI_STALLED_BACKEND,
	ABI_REF_CYCLES
};
enum {
	ABI_CPU_CLOCK,
	ABI_TASK_CLOCK,
	ABI_PAGE_FAULTS,
	ABI_CONTEXT_SWITCHES,
	ABI_MIGRATIONS,
	ABI_MINOR_FAULTS,
	ABI_MAJOR_FAULTS,
	ABI_ALIGNMENT_FAULTS,
	ABI_EMULATION_FAULTS,
	ABI_DUMMY,
	ABI_BPF_OUTPUT
};

#define ABI_BIT(n) ((uint64_t)1 << (n))
#define ABI_DISABLED ABI_BIT(0)
#define ABI_INHERIT ABI_BIT(1)
#define ABI_EXCLUDE_USER ABI_BIT(4)
#define ABI_EXCLUDE_KERNEL ABI_BIT(5)
#define ABI_EXCLUDE_HV ABI_BIT(6)
#define ABI_EXCLUDE_IDLE ABI_BIT(7)
#define ABI_MMAP ABI_BIT(8)
#define ABI_COMM ABI_BIT(9)
#define ABI_FREQ ABI_BIT(10)
#define ABI_ENABLE_ON_EXEC ABI_BIT(12)
#define ABI_TASK ABI_BIT(13)
#define ABI_WATERMARK ABI_BIT(14)
#define ABI_PRECISE(n) ((uint64_t)(n) << 15)
#define ABI_PRECISE_MOST ABI_PRECISE(3)
#define ABI_MMAP_DATA ABI_BIT(17)
#define ABI_SAMPLE_ID_ALL ABI_BIT(18)
#define ABI_EXCLUDE_HOST ABI_BIT(19)
#define ABI_EXCLUDE_GUEST ABI_BIT(20)
#define ABI_EXCLUDE_CHAIN_KERNEL ABI_BIT(21)
#define ABI_EXCLUDE_CHAIN_USER ABI_BIT(22)
#define ABI_MMAP2 ABI_BIT(23)          /* Linux 3.16 */
#define ABI_COMM_EXEC ABI_BIT(24)      /* 3.16 */
#define ABI_USE_CLOCK ABI_BIT(25)      /* 4.1 */
#define ABI_CONTEXT_SWITCH ABI_BIT(26) /* 4.3 */
#define ABI_KSYMBOL ABI_BIT(29)        /* 5.1 */
#define ABI_BPF ABI_BIT(30)            /* 5.1 */
/*
 * Linux 5.12. Never asked for: the kernel then marks records of other counters on the machine as ones with a build
 * id, which they are not, and perf crashes. records.c sets it in what it writes, where the sampler fills in ids.
 */
#define ABI_BUILD_ID ABI_BIT(34)

#define ABI_CLOEXEC 8ul /* flags of the call */
#define ABI_CGROUP 4ul

#define ABI_IOCTL_ENABLE _IO('$', 0)
#define ABI_IOCTL_DISABLE _IO('$', 1)
#define ABI_IOCTL_PERIOD _IOW('$', 4, uint64_t)
#define ABI_IOCTL_SET_OUTPUT _IO('$', 5)
#define ABI_IOCTL_FILTER _IOW('$', 6, char *)
#define ABI_IOCTL_ID _IOR('$', 7, uint64_t *)

/* struct perf_event_header. */
struct abi_record {
	uint32_t type;
	uint16_t misc, size; /* bytes, the header included */
};
#define ABI_RECORD_MOST 65536u

#define ABI_MISC_SWITCH_OUT (1u << 13) /* of a SWITCH */
#define ABI_MISC_EXEC (1u << 13)       /* of a COMM */
#define ABI_MISC_DATA (1u << 13)       /* of an MMAP2: no code */
#define ABI_MISC_BUILD_ID (1u << 14)   /* of an MMAP2 */

/* The first page of a ring, struct perf_event_mmap_page. */
struct abi_ring_page {
	unsigned char others[1024];
	uint64_t head, tail;     /* bytes ever written and read */
	uint64_t offset, n_data; /* of the data in the mapping, since Linux 4.1; else 0 */
};

#endif
