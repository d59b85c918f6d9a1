/*
 * kernel.c - names of the recorded kernel's functions, from any available source.
 *
 *	a file that the user names
 *	ROOT/proc/kallsyms                             of a copy of the recorded machine's files (--symfs)
 *	/proc/kallsyms                                 if this machine runs the recorded kernel
 *	~/.debug/.build-id/ab/cdef.../kallsyms         perf's copy
 *	/usr/lib/debug/.build-id/ab/cdef....debug, /usr/lib/debug/boot/vmlinux-RELEASE and others
 *
 * A kernel is at another place after each boot. The recording gives the address of one of its symbols, so the names
 * remain usable.
 */
#include "symbols/kernel.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/below_root.h"
#include "base/buf.h"
#include "base/find.h"
#include "base/mem.h"
#include "base/regular.h"

#define NOTES_MAX ((size_t)64 << 10)

void kernel_deinit(struct kernel *k)
{
	free(k->kallsyms_path);
	free(k->release);
	free(k->reference);
	kallsyms_free(k->kallsyms);
	free(k->source);
}

static bool is_notes_of(const struct buf *notes, const uint8_t *id, size_t n)
{
	return n > 0 && notes->len > 0 && find_bytes(notes->data, notes->len, id, n) != NULL;
}

/* Does the kernel of these notes have the build id? Without notes or build id, the answer is `unknown`. */
static bool has_build_id(const struct kernel *k, const char *path, bool unknown)
{
	int fd = k->n_build_id > 0 ? regular_open_of_kernel(path, NULL) : -1;
	struct buf notes;
	if (fd < 0)
		return unknown;
	buf_init(&notes);
	bool is_it =
		regular_read_all(fd, NOTES_MAX, &notes, NULL) ? is_notes_of(&notes, k->build_id, k->n_build_id) : unknown;
	close(fd);
	buf_deinit(&notes);
	return is_it;
}

static bool is_of_release(const struct kernel *k)
{
	struct utsname name;
	return !k->release || (uname(&name) == 0 && strcmp(name.release, k->release) == 0);
}

/* Is the recorded kernel the one that runs here? false: err says why not. */
static bool is_running(const struct kernel *k, struct err *err)
{
	bool is_it = is_of_release(k) && has_build_id(k, "/sys/kernel/notes", !k->is_other);
	if (is_it || !is_of_release(k) || k->n_build_id > 0)
		return is_it || fail(err, "the recorded kernel%s%s is not the one that runs here", k->release ? " " : "",
		                     k->release ? k->release : "");
	return fail(err, "the recording has no build id of its kernel, so that of this machine may be another one "
	                 "(--kallsyms=/proc/kallsyms)");
}

static bool try_kallsyms(struct kernel *k, const char *path, struct err *err)
{
	k->kallsyms = kallsyms_open(path, err);
	if (k->kallsyms)
		k->source = mem_strdup(path);
	return k->kallsyms;
}

static char *path_of(const char *a, const char *b, const char *c, const char *d)
{
	struct buf path;
	buf_init(&path);
	buf_addf(&path, "%s%s%s%s", a, b, c, d);
	return buf_take(&path);
}

/* Unlike the kernel that runs here, that of a copy of files needs no proof: the user says that they are its. */
static bool open_below(struct kernel *k, const char *root)
{
	char *notes = below_root(root, "/sys/kernel/notes"), *path = below_root(root, "/proc/kallsyms");
	bool is_open = *root && has_build_id(k, notes, true) && try_kallsyms(k, path, NULL);
	free(notes);
	free(path);
	return is_open;
}

static bool open_kallsyms(struct kernel *k, const struct binaries *b, struct err *err)
{
	if (k->kallsyms_path)
		return try_kallsyms(k, k->kallsyms_path, err);
	if (open_below(k, b->places.root))
		return true;
	if (is_running(k, err))
		try_kallsyms(k, "/proc/kallsyms", err);
	char *path = k->kallsyms ? NULL : debug_cache_path(b->paths, k->build_id, k->n_build_id, "kallsyms");
	if (path)
		try_kallsyms(k, path, NULL);
	free(path);
	return k->kallsyms;
}

/* Takes ownership of path. */
static bool try_vmlinux(struct kernel *k, struct binaries *b, char *path)
{
	struct binary_wanted wanted = {path, k->build_id, k->n_build_id, 0};
	if (path && !k->vmlinux)
		k->vmlinux = binaries_open_path(b, path, &wanted, NULL);
	free(path);
	return k->vmlinux;
}

static bool open_in_debug(struct kernel *k, struct binaries *b, size_t i, const char *before, const char *after)
{
	char *name = path_of(before, k->release, after, "");
	bool is_found = try_vmlinux(k, b, debug_path(b->paths, i, name));
	free(name);
	return is_found;
}

static bool open_in_boot(struct kernel *k, struct binaries *b)
{
	char *name = path_of("/boot/vmlinux-", k->release, "", "");
	bool is_found = try_vmlinux(k, b, below_root(b->places.root, name));
	free(name);
	return is_found;
}

static bool open_vmlinux(struct kernel *k, struct binaries *b)
{
	for (size_t i = 0; i < b->paths->n; i++) {
		bool is_found = try_vmlinux(k, b, debug_build_id_path(b->paths, i, k->build_id, k->n_build_id));
		if (!is_found && k->release)
			is_found =
				open_in_debug(k, b, i, "/boot/vmlinux-", "") || open_in_debug(k, b, i, "/lib/modules/", "/vmlinux");
		if (is_found)
			return true;
	}
	return k->release && open_in_boot(k, b);
}

/* Moves the names by the distance between the recorded kernel and their source. */
static void move(struct kernel *k)
{
	uint64_t address;
	if (!k->reference)
		return;
	if (k->vmlinux && elf_symbols_named(k->vmlinux->symbols, k->reference, &address))
		k->vmlinux_moved = k->reference_address - address;
	else if (k->kallsyms && kallsyms_address(k->kallsyms, k->reference, &address) &&
	         address != k->reference_address)
		kallsyms_move(k->kallsyms, k->reference_address - address);
}

bool kernel_find(struct kernel *k, struct binaries *b, uint64_t address, struct kallsym *out, struct err *err)
{
	struct elf_symbol found;
	if (!k->is_tried) {
		struct err why = {0};
		k->is_tried = true;
		if (!open_kallsyms(k, b, &why) && !open_vmlinux(k, b))
			fail(err, "%s", why.text);
		move(k);
	}
	if (k->kallsyms)
		return kallsyms_find(k->kallsyms, address, out);
	if (!k->vmlinux || !elf_symbols_at(k->vmlinux->symbols, address - k->vmlinux_moved, &found))
		return false;
	*out = (struct kallsym){found.name, NULL, found.start + k->vmlinux_moved};
	return true;
}

static void list_vmlinux(const struct kernel *k, struct found_files *found)
{
	const struct binary *b = k->vmlinux;
	char *place = path_of("/usr/lib/debug/boot/vmlinux-", k->release ? k->release : "", "", "");
	if (b->n_build_id > 0)
		found_files_add_debug(found, b->path, b->build_id, b->n_build_id);
	else
		found_files_add(found, FOUND_ELF, place, b->path, NULL, 0);
	free(place);
}

void kernel_list(const struct kernel *k, struct found_files *found)
{
	if (k->kallsyms)
		found_files_add(found, FOUND_KALLSYMS, "/proc/kallsyms", k->source, NULL, 0);
	if (k->vmlinux)
		list_vmlinux(k, found);
	if (!k->source || strcmp(k->source, "/proc/kallsyms") != 0)
		return;
	if (access("/sys/kernel/notes", R_OK) == 0)
		found_files_add(found, FOUND_KERNEL, "/sys/kernel/notes", "/sys/kernel/notes", NULL, 0);
	if (access("/proc/modules", R_OK) == 0)
		found_files_add(found, FOUND_KERNEL, "/proc/modules", "/proc/modules", NULL, 0);
}
