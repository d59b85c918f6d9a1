/*
 * inline.c - asks addr2line for inlined functions.
 *
 * Starting addr2line for each address would read a program's whole debug information every time, which takes
 * seconds. So one process stays for each module, with a socket for its standard input and output:
 *
 *	addr2line -a -i -f -s -C -e /usr/bin/node
 *
 *	we send              it answers
 *	55d0a1               0x000000000055d0a1
 *	                     v8::internal::Add(int)          innermost function
 *	                     builtins.cc:214
 *	                     v8::internal::Run(int, int)     the one it was put into
 *	                     builtins.cc:87 (discriminator 3)
 *	ffffffffffffffff     0xffffffffffffffff              an address without code: marks the end of the answer,
 *	                     ??                              whose length is unknown
 *	                     ??:0
 *
 * Programs are mostly loaded at another address than they were linked for, where the address means nothing to
 * addr2line. Then the symbol and its offset are used: nm lists the symbols' addresses.
 */
#include "collapse/perf/inline.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/demangle.h"
#include "base/descriptor.h"
#include "base/file_places.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/regular.h"
#include "base/sort.h"
#include "base/temporary.h"
#include "symbols/debug_links.h"

#define END_OF_ANSWER "ffffffffffffffff"
#define ANSWER_MAX (1u << 20)
#define PATIENCE 120     /* seconds for an answer: before the first one, addr2line reads all debug information */
#define END_PATIENCE 500 /* milliseconds for a tool to end after its input was closed */
#define CHILDREN_MAX 8u  /* each may hold the debug information of a large program */

struct tool {
	pid_t pid; /* 0: none */
	int slot;  /* see base/temporary.h */
	int fd;
};

/* Start of a symbol in a module. */
struct place {
	uint64_t name; /* hash */
	uint64_t address;
};

struct module {
	char *name; /* as recorded */
	size_t len; /* of the name, which may hold a NUL */
	char *path; /* here */
	struct tool addr2line;
	uint64_t last_used;
	bool is_useless;       /* no file, or unreadable for addr2line */
	bool has_symbols;      /* `symbols` were read */
	struct place *symbols; /* sorted by name, then address */
	size_t n_symbols, cap_symbols;
};

struct inliner {
	struct sink *sink;
	struct module *modules;
	size_t n_modules, cap_modules;
	struct map by_name; /* numbers of modules, by hash */
	uint64_t clock;
	unsigned children;
	bool has_no_addr2line;
	struct buf answer;
	struct inlined *found;
	size_t n_found, cap_found;
};

struct inliner *inliner_new(struct sink *sink)
{
	struct inliner *in = mem_zalloc(1, sizeof *in);
	in->sink = sink;
	map_init(&in->by_name, 16);
	buf_init(&in->answer);
	return in;
}

/* ---- tools --------------------------------------------------------------------------------------------------- */

/* Starts a program with one end of a socket as input and output; 0 or an errno. */
static int tool_start(struct tool *c, const char *const *argv)
{
	const struct timeval patience = {PATIENCE, 0};
	int fds[2];
	if (!descriptor_pair(SOCK_STREAM, fds))
		return errno;
	int e = child_start(argv, &(struct streams){fds[1], fds[1], STREAM_NONE, true, CHILD_OFFLINE}, &c->pid);
	close(fds[1]);
	c->fd = fds[0];
	if (e != 0) {
		close(fds[0]);
		c->pid = 0;
		return e;
	}
	c->slot = temporary_register_child(c->pid, SIGKILL);
	setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	setsockopt(c->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	return 0;
}

/* Both kinds normally end with their input. */
static void tool_end(struct tool *c)
{
	if (c->pid == 0)
		return;
	int status;
	close(c->fd);
	child_end(c->pid, &status, END_PATIENCE);
	temporary_forget(c->slot);
	c->pid = 0;
}

static bool tool_send(const struct tool *c, const char *text, size_t n)
{
	while (n > 0) {
		ssize_t sent = descriptor_send(c->fd, text, n);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		text += sent;
		n -= (size_t)sent;
	}
	return true;
}

/* Appends what can be read to `out`; false at the end, on failure, and on a timeout. */
static bool tool_receive(const struct tool *c, struct buf *out)
{
	ssize_t got;
	do
		got = recv(c->fd, buf_reserve(out, 4096), 4096, 0);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		return false;
	out->len += (size_t)got;
	return true;
}

static void stop_addr2line(struct inliner *in, struct module *m)
{
	if (m->addr2line.pid == 0)
		return;
	tool_end(&m->addr2line);
	in->children--;
}

static void stop_oldest(struct inliner *in)
{
	struct module *oldest = NULL;
	for (size_t i = 0; i < in->n_modules; i++) {
		struct module *m = &in->modules[i];
		if (m->addr2line.pid != 0 && (!oldest || m->last_used < oldest->last_used))
			oldest = m;
	}
	if (oldest)
		stop_addr2line(in, oldest);
}

void inliner_free(struct inliner *in)
{
	if (!in)
		return;
	for (size_t i = 0; i < in->n_modules; i++) {
		stop_addr2line(in, &in->modules[i]);
		free(in->modules[i].name);
		free(in->modules[i].path);
		free(in->modules[i].symbols);
	}
	free(in->modules);
	map_deinit(&in->by_name);
	free(in->found);
	buf_deinit(&in->answer);
	free(in);
}

/* ---- modules ------------------------------------------------------------------------------------------------- */

/* Can addr2line read it, and may it be opened at all? */
static bool is_file(const char *path)
{
	int fd = regular_open(path, NULL, NULL);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static char *place_of(const struct inliner *in, const char *name)
{
	const struct file_places places = collapse_places(in->sink->options);
	struct buf path;
	buf_init(&path);
	file_places_add(&places, name, &path);
	return buf_take(&path);
}

static struct module *find_module(struct inliner *in, struct slice path)
{
	uint64_t hash = hash_bytes(path.s, path.n);
	MAP_EACH(&in->by_name, hash, i)
	if (in->modules[i].len == path.n && memcmp(in->modules[i].name, path.s, path.n) == 0)
		return &in->modules[i];
	struct module m = {.name = mem_strndup(path.s, path.n), .len = path.n};
	m.path = place_of(in, m.name);
	m.is_useless = *m.name != '/' || !is_file(m.path);
	if (m.is_useless)
		sink_warn(in->sink, "no such program or library here (its inlined functions stay hidden)", 0, path.s,
		          path.n);
	map_add(&in->by_name, hash, (uint32_t)in->n_modules);
	mem_push(in->modules, in->n_modules, in->cap_modules, m);
	return &in->modules[in->n_modules - 1];
}

static bool start_addr2line(struct inliner *in, struct module *m)
{
	struct err err = {""};
	const char *const argv[] = {"addr2line", "-a", "-i", "-f", "-s", "-C", "-e", m->path, NULL};
	if (m->addr2line.pid != 0)
		return true;
	if (!debug_links_are_fine(m->path, &err)) {
		m->is_useless = true;
		sink_warn(in->sink, "a program or library is not given to addr2line (its inlined functions stay hidden)", 0,
		          err.text, strlen(err.text));
		return false;
	}
	if (in->children >= CHILDREN_MAX)
		stop_oldest(in);
	int e = tool_start(&m->addr2line, argv);
	if (e == 0) {
		in->children++;
		return true;
	}
	char reason[128];
	const char *why = err_reason(e, reason, sizeof reason);
	in->has_no_addr2line = true;
	sink_warn(in->sink, "addr2line cannot be started, so inlined functions stay hidden (it comes with binutils)", 0,
	          why, strlen(why));
	return false;
}

/* ---- answers ------------------------------------------------------------------------------------------------- */

/* Takes the next line; false: there is no whole one. */
static bool take_line(struct slice *text, struct slice *line)
{
	size_t end = slice_find_byte(*text, '\n');
	if (end == SIZE_MAX)
		return false;
	*line = slice_rtrim(slice_head(*text, end));
	*text = slice_from(*text, end + 1);
	return true;
}

/* The lines before the end mark; false: the answer is not complete yet. */
static bool complete_answer(struct slice text, struct slice *answer)
{
	struct slice all = text, line, unused;
	while (take_line(&text, &line)) {
		if (!slice_is(line, "0x" END_OF_ANSWER))
			continue;
		*answer = slice_head(all, (size_t)(line.s - all.s));
		return take_line(&text, &unused) && take_line(&text, &unused);
	}
	return false;
}

static struct slice known_place(struct slice line)
{
	size_t note = slice_find(line, " (discriminator ");
	if (note != SIZE_MAX)
		line = slice_head(line, note);
	return slice_starts(line, "??") ? slice_head(line, 0) : line;
}

static void parse_answer(struct inliner *in, struct slice answer)
{
	struct slice line, place;
	in->n_found = 0;
	if (!take_line(&answer, &line)) /* the address */
		return;
	while (take_line(&answer, &line) && take_line(&answer, &place))
		mem_push(in->found, in->n_found, in->cap_found, ((struct inlined){line, known_place(place)}));
}

/* "??" is no answer, and a single function without lines adds nothing to the symbol. */
static bool is_answered(const struct inliner *in)
{
	if (in->n_found == 0 || slice_is(in->found[0].function, "??"))
		return false;
	return in->n_found > 1 || in->found[0].place.n > 0;
}

/* Fills in->found. */
static bool ask(struct inliner *in, struct module *m, uint64_t address)
{
	struct slice answer;
	struct buf *b = &in->answer;
	if (address == UINT64_MAX || !start_addr2line(in, m))
		return false;
	m->last_used = ++in->clock;
	b->len = 0;
	buf_addf(b, "%llx\n" END_OF_ANSWER "\n", (unsigned long long)address);
	bool is_alive = tool_send(&m->addr2line, b->data, b->len);
	b->len = 0;
	while (is_alive && b->len < ANSWER_MAX && !complete_answer((struct slice){b->data, b->len}, &answer))
		is_alive = tool_receive(&m->addr2line, b);
	if (is_alive && b->len < ANSWER_MAX) {
		parse_answer(in, answer);
		return is_answered(in);
	}
	stop_addr2line(in, m);
	m->is_useless = true;
	sink_warn(in->sink, "addr2line failed (the inlined functions of a program or library stay hidden)", 0, m->path,
	          strlen(m->path));
	return false;
}

/* ---- symbols ------------------------------------------------------------------------------------------------- */

/* "0000000000001139 T main": the name may hold blanks. */
static void add_symbol(struct module *m, struct slice line)
{
	struct slice word = slice_take_word(&line);
	struct place p;
	if (!slice_hex(word, &p.address) || slice_take_word(&line).n != 1)
		return;
	line = slice_trim(line);
	size_t version = slice_find_byte(line, '@'); /* "memcpy@@GLIBC_2.14" */
	if (version != SIZE_MAX && version > 0)
		line = slice_head(line, version);
	p.name = hash_bytes(line.s, line.n);
	mem_push(m->symbols, m->n_symbols, m->cap_symbols, p);
}

static void list_symbols(struct inliner *in, struct module *m, bool is_dynamic)
{
	const char *const argv[] = {"nm", is_dynamic ? "-CD" : "-C", "--defined-only", "--", m->path, NULL};
	struct tool nm;
	if (tool_start(&nm, argv) != 0)
		return;
	shutdown(nm.fd, SHUT_WR);
	in->answer.len = 0;
	for (bool is_more = true; is_more;) {
		is_more = tool_receive(&nm, &in->answer);
		struct slice text = {in->answer.data, in->answer.len}, line;
		while (take_line(&text, &line))
			add_symbol(m, line);
		in->answer.len = text.n;
		if (text.n > 0)
			memmove(in->answer.data, text.s, text.n);
	}
	tool_end(&nm);
}

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

/* The address of `name`; false: it is unknown or ambiguous. */
static bool find_symbol(const struct module *m, struct slice name, uint64_t *address)
{
	uint64_t hash = hash_bytes(name.s, name.n);
	size_t low = 0, high = m->n_symbols;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (m->symbols[mid].name < hash)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == m->n_symbols || m->symbols[low].name != hash)
		return false;
	*address = m->symbols[low].address;
	for (; low < m->n_symbols && m->symbols[low].name == hash; low++)
		if (m->symbols[low].address != *address)
			return false;
	return true;
}

/* The address of "name+0x1f" as the module was linked. */
static bool linked_address(struct inliner *in, struct module *m, struct slice symbol, uint64_t *address)
{
	size_t plus = slice_rfind(symbol, "+0x");
	uint64_t offset;
	if (plus == SIZE_MAX || !slice_hex(slice_from(symbol, plus + 3), &offset))
		return false;
	if (!m->has_symbols) {
		m->has_symbols = true;
		list_symbols(in, m, false);
		list_symbols(in, m, true);
		if (m->n_symbols > 0)
			sort_array(m->symbols, m->n_symbols, sizeof *m->symbols, compare_places);
	}
	symbol = slice_head(symbol, plus);
	bool is_there = find_symbol(m, symbol, address);
	if (!is_there && slice_starts(symbol, "_")) {
		struct buf plain;
		buf_init(&plain);
		is_there =
			demangle(symbol.s, symbol.n, &plain) && find_symbol(m, (struct slice){plain.data, plain.len}, address);
		buf_deinit(&plain);
	}
	*address += is_there ? offset : 0;
	return is_there;
}

size_t inliner_find(struct inliner *in, struct slice module, struct slice address, struct slice symbol,
                    const struct inlined **found)
{
	uint64_t v;
	if (in->has_no_addr2line)
		return 0;
	struct module *m = find_module(in, module);
	bool is_found = !m->is_useless && slice_hex(slice_trim(address), &v) && ask(in, m, v);
	if (!is_found && !m->is_useless && !in->has_no_addr2line && linked_address(in, m, symbol, &v))
		is_found = ask(in, m, v);
	*found = in->found;
	return is_found ? in->n_found : 0;
}
