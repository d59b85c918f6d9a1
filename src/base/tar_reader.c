/*
 * tar_reader.c - takes a tar archive apart.
 *
 *	header, 512 bytes       name, size in octal digits, type, checksum, "ustar", prefix of the name
 *	data                    padded to 512 bytes
 *	...
 *	two blocks of zeros
 *
 * What the header has no room for stands in a member before it: type x (pax) holds lines "LENGTH KEY=VALUE\n",
 * type L (GNU) a long name.
 */
#include "tar_reader.h"

#include <string.h>

#include "buf.h"
#include "mem.h"

#define META_MAX ((uint64_t)64 << 10) /* bytes of a pax header, or of a long name */

/* What becomes of the data that come next. */
enum fate { FATE_MEMBER, FATE_SKIP, FATE_PAX, FATE_LONG_NAME };

struct tar_reader {
	const struct tar_hooks *hooks;
	void *arg;
	unsigned char block[TAR_BLOCK]; /* a header, as far as it has come */
	size_t n_block;
	enum fate fate;
	uint64_t left, padding; /* bytes of the present member, and after it */
	uint64_t offset;        /* bytes fed */
	struct buf meta;        /* the data of an x or an L */
	struct buf name;        /* from them, for the next member; empty: none */
	uint64_t size;          /* likewise, if has_size */
	bool has_size, is_sparse;
	unsigned n_zero; /* blocks of zeros in a row */
	bool is_at_end;
};

struct tar_reader *tar_reader_new(const struct tar_hooks *hooks, void *arg)
{
	struct tar_reader *r = mem_zalloc(1, sizeof *r);
	r->hooks = hooks;
	r->arg = arg;
	buf_init(&r->meta);
	buf_init(&r->name);
	return r;
}

void tar_reader_free(struct tar_reader *r)
{
	if (!r)
		return;
	buf_deinit(&r->meta);
	buf_deinit(&r->name);
	free(r);
}

/* ---- headers ---------------------------------------------------------------------------------------------- */

/* Octal digits between blanks and a blank or NUL, or, with the highest bit set, big-endian bytes. */
static bool take_number(const unsigned char *p, size_t n, uint64_t *value)
{
	uint64_t v = 0;
	size_t i = 0;
	if (p[0] & 0x80) {
		for (i = 1; i < n; i++) {
			if (v >> 55)
				return false;
			v = v << 8 | p[i];
		}
		*value = v;
		return p[0] == 0x80;
	}
	while (i < n && p[i] == ' ')
		i++;
	for (; i < n && p[i] >= '0' && p[i] <= '7'; i++)
		v = v << 3 | (uint64_t)(p[i] - '0');
	*value = v;
	return i == n || p[i] == ' ' || p[i] == '\0';
}

/* The sum of all bytes, those of the sum itself as blanks. Old programs added them up as signed ones. */
static bool has_checksum(const unsigned char *block)
{
	uint64_t said;
	uint32_t sum = 0;
	int32_t old = 0;
	for (size_t i = 0; i < TAR_BLOCK; i++) {
		unsigned char c = i >= 148 && i < 156 ? ' ' : block[i];
		sum += c;
		old += (signed char)c;
	}
	return take_number(block + 148, 8, &said) && (said == sum || (int64_t)said == old);
}

static bool is_zero(const unsigned char *block)
{
	for (size_t i = 0; i < TAR_BLOCK; i++)
		if (block[i])
			return false;
	return true;
}

static void add_name(const unsigned char *block, struct buf *out)
{
	const char *prefix = (const char *)block + 345, *name = (const char *)block;
	if (memcmp(block + 257, "ustar", 6) == 0 && *prefix) {
		buf_add(out, prefix, strnlen(prefix, 155));
		buf_addc(out, '/');
	}
	buf_add(out, name, strnlen(name, 100));
}

bool tar_is(const void *bytes, size_t n, char out[TAR_NAME_MAX + 1])
{
	const unsigned char *block = bytes;
	struct buf name;
	if (n < TAR_BLOCK || memcmp(block + 257, "ustar", 5) != 0 || !has_checksum(block))
		return false;
	buf_init(&name);
	add_name(block, &name);
	memcpy(out, buf_str(&name), name.len + 1); /* at most 256 bytes */
	buf_deinit(&name);
	return true;
}

/* ---- members before a member ------------------------------------------------------------------------------ */

static void take_pair(struct tar_reader *r, const char *key, size_t n_key, const char *value, size_t n)
{
	if (n_key == 4 && memcmp(key, "path", 4) == 0) {
		r->name.len = 0;
		buf_add(&r->name, value, n);
	} else if (n_key == 4 && memcmp(key, "size", 4) == 0) {
		r->size = 0;
		for (r->has_size = n > 0 && n < 20; n && *value >= '0' && *value <= '9'; n--)
			r->size = r->size * 10 + (uint64_t)(*value++ - '0');
		r->has_size = r->has_size && n == 0;
	} else if (n_key > 11 && memcmp(key, "GNU.sparse.", 11) == 0) {
		r->is_sparse = true;
	}
}

/* "30 path=a/very/long/name\n", the length of the whole line in front. false: damaged. */
static bool take_pairs(struct tar_reader *r)
{
	const char *p = buf_str(&r->meta), *end = p + r->meta.len;
	while (p < end && *p) {
		size_t length = 0;
		const char *at = p;
		for (; at < end && *at >= '0' && *at <= '9' && length <= META_MAX; at++)
			length = length * 10 + (size_t)(*at - '0');
		const char *line = p + length;
		if (at == p || at >= end || *at != ' ' || length > (size_t)(end - p) || line <= at || line[-1] != '\n')
			return false;
		const char *equals = memchr(at, '=', (size_t)(line - at));
		if (!equals)
			return false;
		take_pair(r, at + 1, (size_t)(equals - at) - 1, equals + 1, (size_t)(line - equals) - 2);
		p = line;
	}
	return true;
}

static bool take_meta(struct tar_reader *r, struct err *err)
{
	if (r->fate == FATE_LONG_NAME) {
		r->name.len = 0;
		buf_add(&r->name, buf_str(&r->meta), strnlen(buf_str(&r->meta), r->meta.len));
		return true;
	}
	return take_pairs(r) || fail(err, "a damaged header before byte %llu", (unsigned long long)r->offset);
}

/* ---- members ---------------------------------------------------------------------------------------------- */

static void forget_meta(struct tar_reader *r)
{
	r->name.len = 0;
	r->has_size = r->is_sparse = false;
}

static bool begin_file(struct tar_reader *r, struct err *err)
{
	bool is_good = strlen(buf_str(&r->name)) == r->name.len && r->name.len <= TAR_NAME_MAX;
	r->fate = is_good ? FATE_MEMBER : FATE_SKIP;
	return is_good ? r->hooks->begin(r->arg, buf_str(&r->name), r->left, err)
	               : r->hooks->bad_name(r->arg, buf_str(&r->name), err);
}

static bool begin_by_type(struct tar_reader *r, char type, struct err *err)
{
	bool is_meta = type == 'x' || type == 'L';
	r->fate = type == 'x' ? FATE_PAX : type == 'L' ? FATE_LONG_NAME : FATE_SKIP;
	if (is_meta || type == 'g' || type == 'K') { /* of all members, or the target of a link: not needed */
		r->meta.len = 0;
		return r->left <= META_MAX || fail(err, "a header of %llu bytes", (unsigned long long)r->left);
	}
	if (r->is_sparse || type == 'S')
		return fail(err, "a sparse file in it, of which a bundle has none");
	if (type == '0' || type == '\0' || type == '7')
		return begin_file(r, err);
	if (type >= '1' && type <= '6') /* links, devices, directories, pipes; they have no data, whatever they say */
		r->left = r->padding = 0;
	return type == '5' || r->hooks->other(r->arg, buf_str(&r->name), err);
}

static bool end_member(struct tar_reader *r, struct err *err)
{
	enum fate fate = r->fate;
	r->fate = FATE_SKIP;
	if (fate == FATE_PAX || fate == FATE_LONG_NAME) {
		r->fate = fate;
		return take_meta(r, err);
	}
	forget_meta(r);
	return fate != FATE_MEMBER || r->hooks->end(r->arg, err);
}

static bool take_header(struct tar_reader *r, struct err *err)
{
	const unsigned char *block = r->block;
	uint64_t size;
	if (is_zero(block)) {
		r->is_at_end = ++r->n_zero == 2;
		return true;
	}
	r->n_zero = 0;
	if (!has_checksum(block) || !take_number(block + 124, 12, &size))
		return fail(err, "a damaged header at byte %llu", (unsigned long long)(r->offset - TAR_BLOCK));
	char type = (char)block[156];
	bool is_meta = strchr("xLgK", type) && type;
	r->left = r->has_size && !is_meta ? r->size : size;
	if (r->left > INT64_MAX - TAR_BLOCK)
		return fail(err, "an impossible size at byte %llu", (unsigned long long)(r->offset - TAR_BLOCK));
	r->padding = (TAR_BLOCK - r->left % TAR_BLOCK) % TAR_BLOCK;
	if (!is_meta && !r->name.len)
		add_name(block, &r->name);
	return begin_by_type(r, type, err) && (r->left || end_member(r, err));
}

/* Takes a part of the present member's data, or of the padding after them. */
static bool take_data(struct tar_reader *r, const unsigned char *bytes, size_t n, struct err *err)
{
	if (!r->left) {
		r->padding -= n;
		return true;
	}
	r->left -= n;
	if (r->fate == FATE_PAX || r->fate == FATE_LONG_NAME)
		buf_add(&r->meta, bytes, n);
	else if (r->fate == FATE_MEMBER && !r->hooks->data(r->arg, bytes, n, err))
		return false;
	return r->left || end_member(r, err);
}

/* Collects a header. */
static bool take_block(struct tar_reader *r, const unsigned char *bytes, size_t n, struct err *err)
{
	memcpy(r->block + r->n_block, bytes, n);
	r->n_block += n;
	if (r->n_block < TAR_BLOCK)
		return true;
	r->n_block = 0;
	return take_header(r, err);
}

bool tar_reader_feed(struct tar_reader *r, const void *bytes, size_t n, struct err *err)
{
	const unsigned char *p = bytes;
	while (n > 0 && !r->is_at_end) {
		uint64_t data = r->left ? r->left : r->padding, wanted = data ? data : TAR_BLOCK - r->n_block;
		size_t part = wanted < n ? (size_t)wanted : n;
		r->offset += part;
		if (data ? !take_data(r, p, part, err) : !take_block(r, p, part, err))
			return false;
		p += part;
		n -= part;
	}
	return true;
}

bool tar_reader_is_at_end(const struct tar_reader *r)
{
	return r->is_at_end;
}
