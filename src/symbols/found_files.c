/*
 * found_files.c - lists the files that the names of a recording come from.
 *
 * The recording chooses names, so a name alone makes no file worth packing: what is opened must be a program (an
 * ELF file that is no core dump) of the build id, the kernel's own text, or a JIT compiler's file as it was read
 * (trust.h), with functions in it.
 */
#include "symbols/found_files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/regular.h"
#include "symbols/kernel_module.h"
#include "symbols/vdso.h"

#define TEXT_MAX ((size_t)256 << 20) /* of the kernel's text */
#define JIT_MAX ((size_t)1 << 30)

void found_files_init(struct found_files *f)
{
	*f = (struct found_files){0};
	map_init(&f->map, 64);
}

void found_files_deinit(struct found_files *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->items[i].place);
		free(f->items[i].path);
		free(f->items[i].why);
		if (f->items[i].fd >= 0)
			close(f->items[i].fd);
	}
	free(f->items);
	map_deinit(&f->map);
}

static struct found_file *at_place(const struct found_files *f, const char *place)
{
	MAP_EACH(&f->map, hash_bytes(place, strlen(place)), i)
	if (strcmp(f->items[i].place, place) == 0)
		return &f->items[i];
	return NULL;
}

static void push(struct found_files *f, const struct found_file *item)
{
	mem_push(f->items, f->n, f->cap, *item);
	map_add(&f->map, hash_bytes(item->place, strlen(item->place)), (uint32_t)(f->n - 1));
}

/* Would a look-up of the name lead to the place of this name, and to nothing outside of the copy? */
static bool is_plain(const char *name)
{
	size_t n = strlen(name);
	return n > 1 && n < 4000 && name[0] == '/' && name[n - 1] != '/' && !strstr(name, "//") &&
	       !strstr(name, "/./") && !strstr(name, "/../") && strcmp(name + n - 2, "/.") != 0 &&
	       (n < 3 || strcmp(name + n - 3, "/..") != 0);
}

/* A file is at the same path or, as in a container, at several of them. */
static bool has_same_file(const struct found_file *a, const struct found_file *b)
{
	struct stat x, y;
	if (a->fd >= 0 && b->fd >= 0)
		return fstat(a->fd, &x) == 0 && fstat(b->fd, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
	if (!a->path || !b->path)
		return a->path == b->path && a->fd < 0 && b->fd < 0;
	return strcmp(a->path, b->path) == 0 ||
	       (stat(a->path, &x) == 0 && stat(b->path, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

static bool is_same(const struct found_file *a, const struct found_file *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->n_build_id > 0 && b->n_build_id > 0)
		return build_id_is_same(a->build_id, a->n_build_id, b->build_id, b->n_build_id);
	return has_same_file(a, b);
}

/* Where perf keeps a copy: "/.debug/.build-id/ab/cdef/elf". */
static void add_copy_place(struct buf *out, const uint8_t *id, size_t n, const char *name)
{
	buf_addf(out, "/.debug/.build-id/%02x/", id[0]);
	for (size_t i = 1; i < n; i++)
		buf_addf(out, "%02x", id[i]);
	buf_addf(out, "/%s", name);
}

/*
 * The file at this place cannot stay there, since a look-up would take it for another one of its name: it moves to
 * the place of its build id, or is left out.
 */
static void give_up_place(struct found_files *f, struct found_file *there)
{
	struct found_file moved = *there;
	struct buf other;
	if (there->kind == FOUND_NOT)
		return;
	*there = (struct found_file){
		.kind = FOUND_NOT, .fd = -1, .place = mem_strdup(moved.place), .why = mem_strdup(SEVERAL_OF_NAME)};
	free(moved.place);
	buf_init(&other);
	if (moved.n_build_id >= 2 && moved.kind == FOUND_ELF)
		add_copy_place(&other, moved.build_id, moved.n_build_id, "elf");
	bool has_other = other.len > 0;
	moved.place = buf_take(&other);
	if (has_other && !at_place(f, moved.place)) {
		push(f, &moved);
		return;
	}
	if (moved.fd >= 0)
		close(moved.fd);
	free(moved.place);
	free(moved.path);
}

/* Adds the item, which it takes over, unless its place is taken. */
static bool try_place(struct found_files *f, struct found_file *item)
{
	struct found_file *there = at_place(f, item->place);
	if (!there) {
		push(f, item);
		return true;
	}
	bool is_known = is_same(there, item);
	if (is_known) {
		free(item->place);
		free(item->path);
	}
	return is_known;
}

static void leave_out(struct found_files *f, const char *place, const char *why)
{
	push(f, &(struct found_file){.kind = FOUND_NOT, .fd = -1, .place = mem_strdup(place), .why = mem_strdup(why)});
}

void found_files_add(struct found_files *f, enum found_kind kind, const char *place, const char *path,
                     const uint8_t *id, size_t n)
{
	struct found_file item = {.kind = kind, .place = mem_strdup(place), .path = mem_strdup(path), .fd = -1};
	struct buf other;
	item.n_build_id = n < BUILD_ID_MAX ? n : BUILD_ID_MAX;
	if (item.n_build_id > 0)
		memcpy(item.build_id, id, item.n_build_id);
	if ((kind == FOUND_VDSO || is_plain(place)) && try_place(f, &item))
		return;
	free(item.place);
	buf_init(&other);
	if (n >= 2)
		add_copy_place(&other, item.build_id, item.n_build_id, kind == FOUND_VDSO ? "vdso" : "elf");
	item.place = buf_take(&other);
	if (n >= 2 && (kind == FOUND_ELF || kind == FOUND_VDSO) && try_place(f, &item))
		return;
	free(item.place);
	free(item.path);
	if (at_place(f, place))
		give_up_place(f, at_place(f, place));
	else
		leave_out(f, place, "no plain name");
}

void found_files_add_open(struct found_files *f, enum found_kind kind, const char *place, int fd)
{
	struct found_file item = {.kind = kind, .place = mem_strdup(place), .fd = fcntl(fd, F_DUPFD_CLOEXEC, 3)};
	struct found_file *there = at_place(f, place);
	if (item.fd >= 0 && is_plain(place) && !there) {
		push(f, &item);
		return;
	}
	if (!there)
		leave_out(f, place, item.fd < 0 ? "too many files are open" : "no plain name");
	else if (item.fd >= 0 && !has_same_file(there, &item))
		give_up_place(f, there);
	if (item.fd >= 0)
		close(item.fd);
	free(item.place);
}

void found_files_add_debug(struct found_files *f, const char *path, const uint8_t *id, size_t n)
{
	struct buf place;
	if (n < 2)
		return;
	buf_init(&place);
	buf_addf(&place, "/usr/lib/debug/.build-id/%02x/", id[0]);
	for (size_t i = 1; i < n; i++)
		buf_addf(&place, "%02x", id[i]);
	buf_adds(&place, ".debug");
	found_files_add(f, FOUND_ELF, buf_str(&place), path, id, n);
	buf_deinit(&place);
}

void found_files_miss(struct found_files *f, const char *place, const char *why)
{
	if (!at_place(f, place))
		leave_out(f, place, why);
}

void found_files_add_module(struct found_files *f, const struct file_places *places, const char *name,
                            const uint8_t *build_id, size_t n_build_id)
{
	struct elf_file elf;
	struct err err = {0};
	struct buf path;
	uint8_t id[BUILD_ID_MAX];
	buf_init(&path);
	file_places_add(places, name, &path);
	bool is_open = kernel_module_open(&elf, buf_str(&path), NULL, &err);
	size_t n = is_open ? elf_build_id(&elf, id) : 0;
	if (!is_open)
		found_files_miss(f, name, err.text);
	else if (n_build_id == 0 || build_id_is_same(build_id, n_build_id, id, n))
		found_files_add(f, FOUND_MODULE, name, buf_str(&path), id, n);
	else
		found_files_miss(f, name, OTHER_BUILD_ID);
	if (is_open)
		elf_file_close(&elf);
	buf_deinit(&path);
}

/* ---- what is packed --------------------------------------------------------------------------------------- */

/* A core dump may have a build id, and holds what was in the memory of its process. */
static bool is_program(const struct elf_file *elf)
{
	return elf->type == ELF_FILE_REL || elf->type == ELF_FILE_EXEC || elf->type == ELF_FILE_DYN;
}

static bool is_wanted(const struct found_file *f, const struct elf_file *elf, struct err *err)
{
	uint8_t id[BUILD_ID_MAX];
	size_t n = elf_build_id(elf, id);
	if (!is_program(elf))
		return fail(err, NO_PROGRAM);
	return f->n_build_id == 0 || build_id_is_same(f->build_id, f->n_build_id, id, n) || fail(err, OTHER_BUILD_ID);
}

static bool open_elf(const struct found_file *f, int *fd, struct err *err)
{
	struct elf_file elf;
	if (!elf_file_open(&elf, f->path, err))
		return false;
	bool is_it = is_wanted(f, &elf, err);
	*fd = is_it ? dup(elf.fd) : -1;
	elf_file_close(&elf);
	return is_it && (*fd >= 0 || fail_errno(err, "%s", f->path));
}

static bool open_vdso(const struct found_file *f, struct buf *bytes, struct err *err)
{
	struct elf_file elf;
	if (!vdso_open(&elf))
		return fail(err, "there is none");
	bool is_it = is_wanted(f, &elf, err);
	if (is_it)
		buf_add(bytes, elf.bytes, (size_t)elf.size);
	elf_file_close(&elf);
	return is_it;
}

static bool open_module(const struct found_file *f, int *fd, struct err *err)
{
	struct elf_file elf;
	if (!kernel_module_open(&elf, f->path, fd, err))
		return false;
	bool is_it = is_wanted(f, &elf, err);
	elf_file_close(&elf);
	if (!is_it) {
		close(*fd);
		*fd = -1; /* the caller closes what is left open */
	}
	return is_it;
}

/* Its bytes are kept: files of /proc do not tell their size, and a map may grow. */
static bool open_text(const struct found_file *f, struct buf *bytes, struct err *err)
{
	int fd = f->fd >= 0 ? dup(f->fd) : regular_open_of_kernel(f->path, err);
	if (fd < 0)
		return f->fd < 0 ? false : fail_errno(err, "%s", f->place);
	if (f->fd >= 0)
		lseek(fd, 0, SEEK_SET);
	bool is_read = regular_read_all(fd, f->fd >= 0 ? JIT_MAX : TEXT_MAX, bytes, err);
	close(fd);
	return is_read;
}

bool found_file_open(const struct found_file *f, int *fd, struct buf *bytes, struct err *err)
{
	*fd = -1;
	bytes->len = 0;
	switch (f->kind) {
	case FOUND_ELF:
		return open_elf(f, fd, err);
	case FOUND_MODULE:
		return open_module(f, fd, err);
	case FOUND_VDSO:
		return f->path ? open_elf(f, fd, err) : open_vdso(f, bytes, err);
	case FOUND_NOT:
		return fail(err, "%s", f->why);
	default:
		return open_text(f, bytes, err);
	}
}
