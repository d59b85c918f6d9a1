/*
 * kernel.c - names of the recorded kernel's functions, from any available source.
 *
 *	a file that the user names
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

#include "base/buf.h"
#include "base/mem.h"
#include "symbols/regular.h"

#define NOTES_MAX ((size_t)64 << 10)

void kernel_deinit(struct kernel *k)
{
	free(k->kallsyms_path);
	free(k->release);
	free(k->reference);
	kallsyms_free(k->kallsyms);
}

static bool is_notes_of(const struct buf *notes, const uint8_t *id, size_t n)
{
	return n > 0 && notes->len > 0 && memmem(notes->data, notes->len, id, n) != NULL;
}

/*
 * Does the running kernel have the build id? If one of them is unknown, the release alone decides, unless the files
 * are those of another machine.
 */
static bool has_build_id(const struct kernel *k)
{
	int fd = k->n_build_id > 0 ? regular_open("/sys/kernel/notes", NULL, NULL) : -1;
	struct buf notes;
	if (fd < 0)
		return !k->is_other;
	buf_init(&notes);
	bool is_it = regular_read_all(fd, NOTES_MAX, &notes, NULL) ? is_notes_of(&notes, k->build_id, k->n_build_id)
	                                                           : !k->is_other;
	close(fd);
	buf_deinit(&notes);
	return is_it;
}

static bool is_running(const struct kernel *k)
{
	struct utsname name;
	bool is_release = !k->release || (uname(&name) == 0 && strcmp(name.release, k->release) == 0);
	return is_release && has_build_id(k);
}

static bool open_kallsyms(struct kernel *k, const struct binaries *b, struct err *err)
{
	if (k->kallsyms_path) {
		k->kallsyms = kallsyms_open(k->kallsyms_path, err);
		return k->kallsyms;
	}
	if (is_running(k))
		k->kallsyms = kallsyms_open("/proc/kallsyms", err);
	else
		fail(err, "the recorded kernel%s%s is not the one that runs here", k->release ? " " : "",
		     k->release ? k->release : "");
	char *path = k->kallsyms ? NULL : debug_cache_path(b->paths, k->build_id, k->n_build_id, "kallsyms");
	if (path)
		k->kallsyms = kallsyms_open(path, NULL);
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

static char *path_of(const char *a, const char *b, const char *c, const char *d)
{
	struct buf path;
	buf_init(&path);
	buf_addf(&path, "%s%s%s%s", a, b, c, d);
	return buf_take(&path);
}

static bool open_vmlinux(struct kernel *k, struct binaries *b)
{
	const struct debug_paths *p = b->paths;
	const char *release = k->release;
	for (size_t i = 0; i < p->n; i++) {
		bool is_found = try_vmlinux(k, b, debug_build_id_path(p, i, k->build_id, k->n_build_id));
		if (!is_found && release)
			is_found = try_vmlinux(k, b, path_of(p->debug[i], "/boot/vmlinux-", release, "")) ||
			           try_vmlinux(k, b, path_of(p->debug[i], "/lib/modules/", release, "/vmlinux"));
		if (is_found)
			return true;
	}
	return release && try_vmlinux(k, b, path_of(b->places.root, "/boot/vmlinux-", release, ""));
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
