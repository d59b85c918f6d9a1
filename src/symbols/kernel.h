/*
 * kernel.h - names of the recorded kernel's functions, from any available source.
 */
#ifndef SYMBOLS_KERNEL_H
#define SYMBOLS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "symbols/binaries.h"
#include "symbols/kallsyms.h"

/* The known facts about the kernel. It owns the texts; NULL: unknown. */
struct kernel {
	char *kallsyms_path; /* given by the user */
	char *release, *reference;
	uint8_t build_id[BUILD_ID_MAX];
	size_t n_build_id;
	uint64_t reference_address;
	bool is_other; /* only a build id proves that it is this machine's kernel: the files are below another root */
	bool is_tried;
	char *source;                 /* path of the file that kallsyms is from */
	struct kallsyms *kallsyms;    /* one of these two, or none */
	const struct binary *vmlinux; /* of struct binaries */
	uint64_t vmlinux_moved;       /* from its own addresses to recorded ones */
};

void kernel_deinit(struct kernel *);

/* Adds the files that the names are from, after the first look-up. */
void kernel_list(const struct kernel *, struct found_files *);

/*
 * Finds the function at an address. The first call opens the available source; err says why there is none (else err
 * is unchanged). The texts live as long as kernel and binaries.
 */
bool kernel_find(struct kernel *, struct binaries *, uint64_t address, struct kallsym *, struct err *);

#endif
