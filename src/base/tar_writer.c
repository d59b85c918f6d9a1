/*
 * tar_writer.c - writes a tar archive.
 *
 * A header of ustar holds a name of 100 bytes, 155 more in front of a slash, and a size below 8 GiB. Other names
 * and sizes stand in a pax header before it; programs that do not know these see a file of its own.
 */
#include "tar_writer.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "buf.h"

#define BLOCK ((size_t)512)
#define NAME_MAX_ ((size_t)100)
#define PREFIX_MAX ((size_t)155)
#define SIZE_MAX_ (UINT64_C(1) << 33)

static const char zeros[2 * BLOCK];

void tar_writer_init(struct tar_writer *w, struct compressor *out, int64_t time)
{
	*w = (struct tar_writer){.out = out, .time = time > 0 ? time : 0};
}

/* How much of the name goes into the prefix; SIZE_MAX: it does not fit. */
static size_t prefix_of(const char *name, size_t n)
{
	if (n <= NAME_MAX_)
		return 0;
	for (size_t at = n - NAME_MAX_ - 1; at <= PREFIX_MAX && at + 1 < n; at++)
		if (at > 0 && name[at] == '/')
			return at;
	return SIZE_MAX;
}

static void set_checksum(char *block)
{
	unsigned sum = 0;
	memset(block + 148, ' ', 8);
	for (size_t i = 0; i < BLOCK; i++)
		sum += (unsigned char)block[i];
	snprintf(block + 148, 8, "%06o", sum);
}

static bool write_header(struct tar_writer *w, const char *name, uint64_t size, char type)
{
	char block[BLOCK] = {0};
	size_t n = strlen(name), prefix = prefix_of(name, n);
	if (prefix == SIZE_MAX) { /* the whole one is in the pax header */
		n = n < NAME_MAX_ ? n : NAME_MAX_;
		prefix = 0;
	}
	memcpy(block + 345, name, prefix);
	memcpy(block, name + prefix + (prefix > 0), n - prefix - (prefix > 0));
	memcpy(block + 100, "0000644\0000000000\0000000000", 23); /* mode, user, group */
	snprintf(block + 124, 12, "%011llo", (unsigned long long)(size < SIZE_MAX_ ? size : 0));
	snprintf(block + 136, 12, "%011llo", (unsigned long long)w->time & 077777777777ULL);
	block[156] = type;
	memcpy(block + 257, "ustar\00000", 8);
	set_checksum(block);
	return compressor_write(w->out, block, sizeof block);
}

static bool pad(struct tar_writer *w, uint64_t size)
{
	return compressor_write(w->out, zeros, (size_t)((BLOCK - size % BLOCK) % BLOCK));
}

/* "30 path=NAME\n": the length counts its own digits. */
static void add_pair(struct buf *out, const char *key, const char *value)
{
	size_t rest = 1 + strlen(key) + 1 + strlen(value) + 1, length = rest;
	char digits[24];
	do
		length = rest + (size_t)snprintf(digits, sizeof digits, "%zu", length);
	while (length != rest + (size_t)snprintf(digits, sizeof digits, "%zu", length));
	buf_addf(out, "%zu %s=%s\n", length, key, value);
}

static bool write_pax(struct tar_writer *w, const char *name, uint64_t size)
{
	char number[24];
	struct buf pairs;
	buf_init(&pairs);
	if (prefix_of(name, strlen(name)) == SIZE_MAX)
		add_pair(&pairs, "path", name);
	snprintf(number, sizeof number, "%llu", (unsigned long long)size);
	if (size >= SIZE_MAX_)
		add_pair(&pairs, "size", number);
	bool ok = pairs.len == 0 || (write_header(w, "././@PaxHeader", pairs.len, 'x') &&
	                             compressor_write(w->out, pairs.data, pairs.len) && pad(w, pairs.len));
	buf_deinit(&pairs);
	return ok;
}

bool tar_writer_begin(struct tar_writer *w, const char *name, uint64_t size)
{
	w->size = w->left = size;
	return write_pax(w, name, size) && write_header(w, name, size, '0');
}

bool tar_writer_data(struct tar_writer *w, const void *bytes, size_t n)
{
	assert(n <= w->left);
	w->left -= n;
	return compressor_write(w->out, bytes, n);
}

bool tar_writer_end(struct tar_writer *w)
{
	assert(w->left == 0);
	return pad(w, w->size);
}

bool tar_writer_finish(struct tar_writer *w)
{
	return compressor_write(w->out, zeros, sizeof zeros);
}
