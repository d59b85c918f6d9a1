/*
 * kernel_module.c - the file of a kernel module, which may be compressed.
 */
#include "symbols/kernel_module.h"

#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/input.h"
#include "base/regular.h"

#define UNPACKED_MAX ((size_t)256 << 20)

bool kernel_module_is_name(const char *name)
{
	const char *slash = strrchr(name, '/'), *end = slash ? strstr(slash, ".ko") : NULL;
	return end && (end[3] == '\0' || end[3] == '.');
}

/* Takes over the descriptor. */
static bool open_unpacked(struct elf_file *elf, int fd, const char *path, struct err *err)
{
	struct input *in = input_fd(fd, path, err);
	struct buf bytes;
	if (!in)
		return false;
	buf_init(&bytes);
	bool is_read = input_read_all(in, UNPACKED_MAX, &bytes, err);
	input_close(in);
	if (!is_read) {
		buf_deinit(&bytes);
		return false;
	}
	size_t n = bytes.len;
	return elf_file_open_bytes(elf, (unsigned char *)buf_take(&bytes), n, err);
}

bool kernel_module_open(struct elf_file *elf, const char *path, int *fd, struct err *err)
{
	int whole = regular_open(path, NULL, err), second = whole >= 0 ? dup(whole) : -1;
	if (whole >= 0 && second < 0)
		fail_errno(err, "%s", path);
	bool is_open = second >= 0 && open_unpacked(elf, second, path, err);
	bool is_kept = is_open && fd && lseek(whole, 0, SEEK_SET) == 0;
	if (is_kept)
		*fd = whole;
	else if (whole >= 0)
		close(whole);
	return is_open && (is_kept || !fd);
}
