/*
 * files.h - numbers the mapped files, each with its name and, if the recording has one, its build id.
 */
#ifndef PERFDATA_FILES_H
#define PERFDATA_FILES_H

#include <stdbool.h>

#include "base/buf.h"
#include "perfdata/names.h"

#define BUILD_ID_MAX 20

struct perfdata_build_id {
	uint8_t bytes[BUILD_ID_MAX];
	uint8_t n; /* 0: unknown */
};

/* Names are as the recording has them: "/usr/bin/x", "[vdso]", "//anon", "/tmp/x (deleted)". */
struct perfdata_file {
	const char *name;
	struct perfdata_build_id build_id;
	uint32_t major, minor; /* of the device that the inode number belongs to; 0: not recorded */
	uint64_t inode;
	uint32_t named; /* private: the entry that has the build id, this one or that of the name alone */
};

/* Zeroed is empty. */
struct perfdata_files {
	struct perfdata_names keys, names;
	struct perfdata_file *all; /* by number of its key */
	size_t n, cap;
	struct buf key; /* scratch space */
};

void perfdata_files_deinit(struct perfdata_files *);
/*
 * Returns the number of the file with this name and build id. n 0: the recording gave no build id here, but
 * perfdata_files_learn() may supply it, earlier or later; then it is the file of this device and inode, if known.
 */
uint32_t perfdata_files_add(struct perfdata_files *, const char *name, size_t len,
                            const struct perfdata_file *seen);
/* The file, with what is known of it by now. */
const struct perfdata_file *perfdata_files_at(const struct perfdata_files *, uint32_t number);
/* Gives this build id to all files of this name that were recorded without one. */
void perfdata_files_learn(struct perfdata_files *, const char *name, size_t len, const struct perfdata_build_id *);

#endif
