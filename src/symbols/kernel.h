/*
 * kernel.h - names of the recorded kernel's functions, from wherever they can be had.
 */
#ifndef SYMBOLS_KERNEL_H
#define SYMBOLS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "symbols/binaries.h"
#include "symbols/kallsyms.h"

/* What is known of it. The texts are owned; NULL: unknown. */
struct kernel {
	char *kallsyms_path; /* asked for by the user */
	char *release, *reference;
	uint8_t build_id[BUILD_ID_MAX];
	size_t n_build_id;
	uint64_t reference_address;
	bool is_other; /* never this machine's: the files are below another root */
	bool is_tried;
	struct kallsyms *kallsyms;    /* one of these two, or none */
	const struct binary *vmlinux; /* of struct binaries */
	uint64_t vmlinux_moved;       /* from its own addresses to recorded ones */
};

void kernel_deinit(struct kernel *);

/*
 * Finds the function at an address; opens what there is at the first call, and says in err why there is nothing
 * (else err stays as it is). The texts live as long as kernel and binaries.
 */
bool kernel_find(struct kernel *, struct binaries *, uint64_t address, struct kallsym *, struct err *);

#endif
