/*
 * event_names.c - looks up events by the names that `perf list` shows.
 *
 *	cycles  cpu-clock  LLC-load-misses  r1a8  sched:sched_switch       an event
 *	cycles:u  cycles:ppp                                               with modifiers
 *
 * Modifiers, as perf has them: u, k, h count only user space, the kernel, the hypervisor (several add up); G and H
 * only guests and the host; each p asks for a more exact address. Events of other PMUs ("cpu/event=1/"), groups and
 * breakpoints are perf's alone.
 */
#include "record/sampler/event_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/regular.h"

#define NAME_MOST 256
#define FILE_MOST ((size_t)1 << 20)

struct name {
	const char *name;
	uint32_t type;
	uint64_t config;
};

static const struct name names[] = {
	{"cycles", ABI_HARDWARE, ABI_CYCLES},
	{"cpu-cycles", ABI_HARDWARE, ABI_CYCLES},
	{"instructions", ABI_HARDWARE, ABI_INSTRUCTIONS},
	{"cache-references", ABI_HARDWARE, ABI_CACHE_REFERENCES},
	{"cache-misses", ABI_HARDWARE, ABI_CACHE_MISSES},
	{"branches", ABI_HARDWARE, ABI_BRANCHES},
	{"branch-instructions", ABI_HARDWARE, ABI_BRANCHES},
	{"branch-misses", ABI_HARDWARE, ABI_BRANCH_MISSES},
	{"bus-cycles", ABI_HARDWARE, ABI_BUS_CYCLES},
	{"stalled-cycles-frontend", ABI_HARDWARE, ABI_STALLED_FRONTEND},
	{"idle-cycles-frontend", ABI_HARDWARE, ABI_STALLED_FRONTEND},
	{"stalled-cycles-backend", ABI_HARDWARE, ABI_STALLED_BACKEND},
	{"idle-cycles-backend", ABI_HARDWARE, ABI_STALLED_BACKEND},
	{"ref-cycles", ABI_HARDWARE, ABI_REF_CYCLES},
	{"cpu-clock", ABI_SOFTWARE, ABI_CPU_CLOCK},
	{"task-clock", ABI_SOFTWARE, ABI_TASK_CLOCK},
	{"page-faults", ABI_SOFTWARE, ABI_PAGE_FAULTS},
	{"faults", ABI_SOFTWARE, ABI_PAGE_FAULTS},
	{"minor-faults", ABI_SOFTWARE, ABI_MINOR_FAULTS},
	{"major-faults", ABI_SOFTWARE, ABI_MAJOR_FAULTS},
	{"context-switches", ABI_SOFTWARE, ABI_CONTEXT_SWITCHES},
	{"cs", ABI_SOFTWARE, ABI_CONTEXT_SWITCHES},
	{"cpu-migrations", ABI_SOFTWARE, ABI_MIGRATIONS},
	{"migrations", ABI_SOFTWARE, ABI_MIGRATIONS},
	{"alignment-faults", ABI_SOFTWARE, ABI_ALIGNMENT_FAULTS},
	{"emulation-faults", ABI_SOFTWARE, ABI_EMULATION_FAULTS},
};

/* A cache event is "CACHE-WHAT": "L1-dcache-load-misses", "LLC-loads". */
static const struct name caches[] = {
	{"L1-dcache", 0, 0}, {"L1-icache", 0, 1}, {"LLC", 0, 2},  {"dTLB", 0, 3},
	{"iTLB", 0, 4},      {"branch", 0, 5},    {"node", 0, 6},
};
#define OPERATION(operation, is_miss) ((operation) << 8 | (is_miss) << 16)
static const struct name operations[] = {
	{"loads", 0, OPERATION(0, 0)},      {"load-misses", 0, OPERATION(0, 1)},
	{"stores", 0, OPERATION(1, 0)},     {"store-misses", 0, OPERATION(1, 1)},
	{"prefetches", 0, OPERATION(2, 0)}, {"prefetch-misses", 0, OPERATION(2, 1)},
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const struct name *find(const struct name *list, size_t n_list, const char *name, size_t n)
{
	for (size_t i = 0; i < n_list; i++)
		if (strlen(list[i].name) == n && memcmp(list[i].name, name, n) == 0)
			return &list[i];
	return NULL;
}

static bool find_cache(struct abi_attr *a, const char *name, size_t n)
{
	for (size_t i = 0; i < COUNT(caches); i++) {
		size_t len = strlen(caches[i].name);
		const struct name *o = n > len + 1 && memcmp(name, caches[i].name, len) == 0 && name[len] == '-'
		                           ? find(operations, COUNT(operations), name + len + 1, n - len - 1)
		                           : NULL;
		if (!o)
			continue;
		a->type = ABI_CACHE;
		a->config = caches[i].config | o->config;
		return true;
	}
	return false;
}

/* "r" and hexadecimal digits. */
static bool find_raw(struct abi_attr *a, const char *name, size_t n)
{
	char digits[17], *end;
	if (n < 2 || n > sizeof digits || name[0] != 'r')
		return false;
	memcpy(digits, name + 1, n - 1);
	digits[n - 1] = '\0';
	a->type = ABI_RAW;
	a->config = strtoull(digits, &end, 16);
	return *end == '\0' && digits[0] != '-' && digits[0] != '+' && digits[0] != ' ';
}

static bool find_usual(struct abi_attr *a, const char *name, size_t n)
{
	const struct name *found = find(names, COUNT(names), name, n);
	if (!found)
		return find_cache(a, name, n) || find_raw(a, name, n);
	a->type = found->type;
	a->config = found->config;
	return true;
}

/* ---- modifiers ----------------------------------------------------------------------------------------------- */

struct modifiers {
	bool user, kernel, hypervisor, guest, host;
	unsigned exact;
};

static bool take_modifier(struct modifiers *m, char c)
{
	m->user |= c == 'u';
	m->kernel |= c == 'k';
	m->hypervisor |= c == 'h';
	m->guest |= c == 'G';
	m->host |= c == 'H';
	m->exact += c == 'p';
	return c && strchr("ukhGHpPSDWI", c) && m->exact <= 3;
}

/* false: the text has other letters. */
static bool modify(struct abi_attr *a, const char *text, size_t n)
{
	struct modifiers m = {0};
	for (size_t i = 0; i < n; i++)
		if (!take_modifier(&m, text[i]))
			return false;
	if (m.user || m.kernel || m.hypervisor)
		a->flags |= (m.user ? 0 : ABI_EXCLUDE_USER) | (m.kernel ? 0 : ABI_EXCLUDE_KERNEL) |
		            (m.hypervisor ? 0 : ABI_EXCLUDE_HV);
	if (m.guest || m.host)
		a->flags |= (m.guest ? 0 : ABI_EXCLUDE_GUEST) | (m.host ? 0 : ABI_EXCLUDE_HOST);
	a->flags |= ABI_PRECISE(m.exact);
	return n > 0;
}

/* ---- tracepoints --------------------------------------------------------------------------------------------- */

bool event_file_read(const char *path, struct buf *out)
{
	static const char *const places[] = {TRACEFS, TRACEFS_OLD};
	struct buf whole;
	struct err unused;
	size_t start = out->len;
	int fd = -1;
	buf_init(&whole);
	for (size_t i = 0; i < COUNT(places) && fd < 0; i++) {
		whole.len = 0;
		buf_addf(&whole, "%s/events/%s", places[i], path);
		fd = regular_open_of_kernel(buf_str(&whole), &unused);
	}
	bool is_read = fd >= 0 && regular_read_all(fd, FILE_MOST, out, &unused);
	if (fd >= 0)
		close(fd);
	out->len = is_read ? out->len : start;
	buf_deinit(&whole);
	return is_read;
}

/* The kernel numbers its tracepoints in a file system that mostly only root may read. */
static bool read_number(const char *system, size_t n_system, const char *event, size_t n_event, uint64_t *id)
{
	struct buf path, text;
	char *end = NULL;
	buf_init(&path);
	buf_init(&text);
	buf_addf(&path, "%.*s/%.*s/id", (int)n_system, system, (int)n_event, event);
	if (event_file_read(buf_str(&path), &text))
		*id = strtoull(buf_str(&text), &end, 10);
	bool is_found = end && end > text.data;
	buf_deinit(&path);
	buf_deinit(&text);
	return is_found;
}

static bool is_plain(const char *name, size_t n)
{
	return n > 0 && n < NAME_MOST && !memchr(name, '/', n) && !memchr(name, '{', n) && name[0] != '.';
}

static bool find_tracepoint(struct abi_attr *a, const char *name, size_t n_system, size_t n)
{
	const char *event = name + n_system + 1;
	size_t left = n - n_system - 1, n_event = left;
	const char *colon = memchr(event, ':', left);
	uint64_t id = 0;
	if (colon)
		n_event = (size_t)(colon - event);
	if (!is_plain(name, n_system) || !is_plain(event, n_event) || !read_number(name, n_system, event, n_event, &id))
		return false;
	a->type = ABI_TRACEPOINT;
	a->config = id;
	return !colon || modify(a, colon + 1, left - n_event - 1);
}

bool event_named(struct abi_attr *a, const char *name, size_t n, struct err *err)
{
	const char *colon = memchr(name, ':', n);
	size_t n_name = colon ? (size_t)(colon - name) : n;
	if (find_usual(a, name, n_name) && (!colon || modify(a, colon + 1, n - n_name - 1)))
		return true;
	if (colon && find_tracepoint(a, name, n_name, n))
		return true;
	return fail(err, "%s '%.*s'%s",
	            colon ? "there is no event, or no right to look up the tracepoint," : "no event",
	            (int)(n < NAME_MOST ? n : NAME_MOST), name,
	            memchr(name, '/', n) || name[0] == '{' ? ": only perf knows it (--with=perf)" : "");
}

size_t event_names_first(const char *list)
{
	size_t n = 0;
	int depth = 0;
	bool is_quoted = false;
	for (; list[n] && (list[n] != ',' || depth > 0 || is_quoted); n++) {
		depth += (list[n] == '{') - (list[n] == '}');
		is_quoted ^= list[n] == '/';
	}
	return n;
}
