/*
 * perf.c - what `perf script` prints.
 *
 *	java 24636/25607 [000] 4794564.109216:   10101010 cpu-clock:
 *		ffffffff8103ce3b native_safe_halt+0xb ([kernel.kallsyms])
 *		    7f722d142778 Ljava/io/PrintStream;::print->Ljava/io/Writer;::write+0x18 (/tmp/perf-24636.map)
 *
 *	V8 WorkerThread 913/915 [001]    72.176760:     250000 cpu-clock:
 *		          55d0a1 v8::internal::(anonymous namespace)::Run(int, char const*)+0x41 (/usr/bin/node)
 *
 * An event line, its frames leaf first, a blank line. The task's name may hold anything but is followed by its numbers;
 * a symbol may hold anything too, but its module stands in parentheses at the end of the line.
 *
 * The same symbols come again and again at other addresses, so a frame line is cut to its symbol and module, and all
 * that has to be done to these (tidying, repairing, splitting inlined chains, annotating) is done once for each
 * distinct pair and remembered under a hash of both.
 */
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/scan.h"
#include "formats.h"
#include "inline.h"
#include "lines.h"
#include "perf_lines.h"
#include "perf_recent.h"
#include "tidy.h"

/* A finished line: its frames, leaf first, in `pool`. */
struct perf_memo {
	uint64_t key[2];
	uint32_t first;
	uint32_t n : 31, is_cut : 1; /* is_cut: --skip-after names it */
};

/*
 * A frame line that waits to be looked up: the memo's slot is being fetched meanwhile. Its text is in the present piece.
 */
struct perf_pending {
	const char *line;
	uint32_t first, n;     /* frames of a line that is looked up already, in the pool */
	uint64_t key[2];
	struct slice symbol, module, address;
	uint32_t offset;       /* length of the "+0x1f" behind the symbol */
	bool is_expanded;      /* its inlined functions are asked for */
};

/* The task of an event line. */
struct perf_task {
	char comm[64];
	size_t comm_len;       /* SIZE_MAX: longer than comm, not remembered */
	int64_t pid, tid; /* -1: perf does not know it */
	bool has_pid, is_java;
	uint32_t root, task;
};

#define RECENT 64u

struct perf {
	struct sink *sink;
	struct profile *profile;
	struct perf_recent recent[RECENT]; /* by task */
	bool shares;           /* no option forbids to take frames over from another sample */
	struct perf_task task;          /* of the present event */
	struct perf_task tasks[RECENT]; /* met lately, by thread */
	struct sample sample;
	struct buf event;      /* name of the event met last */
	uint32_t series;       /* and its number */
	uint64_t event_line;
	bool in_event, is_skipped, is_cut, is_odd, has_frames;
	bool has_period;       /* the event line has one: weights are its units, not samples */
	struct perf_pending *pending; /* lines of this event, leaf first */
	size_t n_pending, cap_pending;
	uint32_t *frames;      /* of the lines before them, leaf first */
	size_t n, cap;
	size_t last;           /* where the frames of the last line begin */
	struct buf orphan;     /* a frame line without module: an inlined one if a source line follows */
	uint64_t orphan_line;
	struct perf_line *lines; /* PERF_LINES of them */
	struct perf_memo *memos;
	size_t n_memos, n_slots;
	uint32_t *pool;
	size_t n_pool, cap_pool;
	struct buf name, chain;
	struct inliner *inliner; /* NULL without --inline */
	bool is_inlined;         /* the last frame was one of those that perf had expanded */
};

static void *perf_start(struct sink *sink, struct err *err)
{
	struct perf *p = mem_zalloc(1, sizeof *p);

	(void)err;
	p->sink = sink;
	p->profile = sink->profile;
	for (size_t i = 0; i < RECENT; i++)
		p->tasks[i].comm_len = SIZE_MAX; /* none yet */
	p->inliner = sink->options->inline_ ? inliner_new(sink) : NULL;
	buf_init(&p->event);
	buf_reserve(&p->event, 64); /* a name may be empty, but not NULL */
	buf_init(&p->name);
	buf_init(&p->chain);
	buf_init(&p->orphan);
	p->shares = !sink->options->skip_after && !sink->options->srcline && !sink->options->inline_;
	p->n_slots = 4096;
	p->memos = mem_zalloc(p->n_slots, sizeof *p->memos);
	p->lines = mem_zalloc(PERF_LINES, sizeof *p->lines);
	return p;
}

/* --- frames --- */

static bool is_kernel(struct slice module)
{
	size_t at;

	if (slice_is(module, "[unknown]"))
		return false;
	if (slice_starts(module, "[") || slice_ends(module, ".ko"))
		return true;
	at = slice_rfind(module, "vmlinux");
	if (at == SIZE_MAX)
		return false;
	for (at += 7; at < module.n; at++)
		if (!(is_word_byte(module.s[at]) || module.s[at] == '-' || module.s[at] == '.'))
			return false;
	return true;
}

static bool is_jit(struct slice module)
{
	return (slice_starts(module, "/tmp/perf-") && slice_ends(module, ".map")) ||
	       (slice_has(module, "/jitted-") && slice_ends(module, ".so"));
}

/* Cuts "+0x1f" off. Only the last one, and only at the very end. */
static struct slice without_offset(struct slice symbol)
{
	size_t n = symbol.n;

	while (n && is_hex_byte(symbol.s[n - 1]))
		n--;
	return n >= 3 && memcmp(symbol.s + n - 3, "+0x", 3) == 0 ? slice_head(symbol, n - 3) : symbol;
}

/* A frame that perf could not name: its module in brackets. */
static void unknown_name(struct perf *p, struct slice module, struct slice address)
{
	size_t slash = slice_find_last(module, '/');

	if (slice_is(module, "[unknown]"))
		buf_adds(&p->name, "[unknown");
	else {
		buf_addc(&p->name, '[');
		module = slash == SIZE_MAX ? module : slice_from(module, slash + 1);
		buf_add(&p->name, module.s, module.n);
	}
	if (p->sink->options->addrs) {
		buf_adds(&p->name, " <");
		address = slice_ltrim(address);
		buf_add(&p->name, address.s, address.n);
		buf_addc(&p->name, '>');
	}
	buf_addc(&p->name, ']');
}

static void tidy_name(struct perf *p, struct slice piece)
{
	piece = slice_head(piece, tidy_parameters(piece.s, piece.n));
	if (p->task.is_java && slice_starts(piece, "L") && slice_find_byte(piece, '/') != SIZE_MAX)
		piece = slice_from(piece, 1);
	buf_add(&p->name, piece.s, piece.n);
	for (size_t i = 0; i < p->name.len; i++)
		if (p->name.data[i] == ';')
			p->name.data[i] = ':';
}

static uint32_t finish_name(struct perf *p, struct slice module, enum frame_kind kind, const char *suffix)
{
	struct symtab *t = &p->profile->symtab;
	struct slice name = {p->name.data, p->name.len};
	uint32_t sym, module_sym = 0;

	if (suffix && !slice_has(name, suffix))
		buf_adds(&p->name, suffix);
	sym = sink_sym(p->sink, p->name.data, p->name.len);
	if (!slice_is(module, "[unknown]") && !slice_is(module, "inlined"))
		module_sym = sink_sym(p->sink, module.s, module.n);
	symtab_learn(t, sym, kind, module_sym, 0);
	return sym;
}

/* One piece of an inline chain: `index` 0 is the caller of all others. */
static uint32_t make_piece(struct perf *p, struct slice piece, size_t index, struct slice module, struct slice address)
{
	const struct collapse_options *o = p->sink->options;
	bool kernel = is_kernel(module), jit = is_jit(module);
	enum frame_kind kind = kernel ? KIND_KERNEL : jit ? KIND_JIT : slice_is(module, "inlined") ? KIND_INLINED : KIND_USER;

	p->name.len = 0;
	if (slice_is(piece, "[unknown]"))
		unknown_name(p, module, address);
	else
		tidy_name(p, piece);
	if (index)
		return finish_name(p, module, KIND_INLINED, "_[i]");
	if (o->kernel && kernel) {
		buf_adds(&p->name, "_[k]");
		return finish_name(p, module, kind, NULL);
	}
	return finish_name(p, module, kind, o->jit && jit ? "_[j]" : NULL);
}

/* Where the next "->" is that is not part of "operator->"; the whole length if none. */
static size_t chain_end(struct slice text)
{
	for (size_t from = 0;;) {
		size_t at = slice_find(slice_from(text, from), "->");

		if (at == SIZE_MAX)
			return text.n;
		at += from;
		if (!slice_ends(slice_head(text, at), "operator"))
			return at;
		from = at + 2;
	}
}

static bool is_skip_after(const struct perf *p, struct slice symbol)
{
	for (const char *const *name = p->sink->options->skip_after; name && *name; name++)
		if (slice_is(symbol, *name))
			return true;
	return false;
}

/* The functions that addr2line knows, as they are: neither tidied nor annotated. Returns how many. */
static size_t expand(struct perf *p, const struct perf_pending *f)
{
	struct slice symbol = {f->symbol.s, f->symbol.n + f->offset};
	struct symtab *t = &p->profile->symtab;
	const struct inlined *found;
	size_t n = inliner_find(p->inliner, f->module, f->address, symbol, &found);

	for (size_t i = 0; i < n; i++) {
		struct slice place = found[i].place;
		uint32_t sym, source;

		p->name.len = 0;
		buf_add(&p->name, found[i].function.s, found[i].function.n);
		if (p->sink->options->context && place.n) {
			buf_addc(&p->name, ':');
			buf_add(&p->name, place.s, place.n);
		}
		for (size_t k = 0; k < p->name.len; k++)
			if (p->name.data[k] == ';')
				p->name.data[k] = ':';
		sym = finish_name(p, f->module, i + 1 < n ? KIND_INLINED : KIND_USER, NULL);
		source = sink_sym(p->sink, place.n ? place.s : "", place.n);
		symtab_learn(t, sym, KIND_UNKNOWN, 0, source);
		mem_push(p->pool, p->n_pool, p->cap_pool, sym);
	}
	return n;
}

/* The frames of a symbol and module, appended to the pool leaf first. */
static void make_frames(struct perf *p, struct perf_memo *m, const struct perf_pending *f)
{
	struct slice symbol = f->symbol, rest;
	size_t index = 0, n_pieces = 0;

	m->first = (uint32_t)p->n_pool;
	m->n = 0;
	if (slice_starts(symbol, "(") && !slice_starts(symbol, "(anonymous namespace)"))
		return; /* "(idle)", "(deleted)": a task, not a function */
	p->chain.len = 0;
	if (tidy_rust(&p->chain, symbol.s, symbol.n))
		symbol = (struct slice){p->chain.data, p->chain.len};
	m->is_cut = is_skip_after(p, symbol);
	if (!symbol.n)
		symbol = slice_of(" ");
	if (f->is_expanded && (n_pieces = expand(p, f)) > 0) {
		m->n = (uint32_t)n_pieces & 0x7fffffff;
		return;
	}
	for (rest = symbol;; index++) {
		size_t end = chain_end(rest);
		uint32_t sym = make_piece(p, slice_head(rest, end), index, f->module, f->address);

		mem_push(p->pool, p->n_pool, p->cap_pool, sym);
		n_pieces++;
		if (end == rest.n)
			break;
		rest = slice_from(rest, end + 2);
	}
	m->n = (uint32_t)n_pieces & 0x7fffffff;
	for (size_t i = 0, j = n_pieces - 1; i < j; i++, j--) {
		uint32_t swap = p->pool[m->first + i];

		p->pool[m->first + i] = p->pool[m->first + j];
		p->pool[m->first + j] = swap;
	}
}

static void grow_memos(struct perf *p)
{
	struct perf_memo *old = p->memos;
	size_t n_old = p->n_slots;

	p->n_slots *= 2;
	p->memos = mem_zalloc(p->n_slots, sizeof *p->memos);
	for (size_t i = 0; i < n_old; i++) {
		size_t at = old[i].key[0] & (p->n_slots - 1);

		if (!old[i].key[1])
			continue;
		while (p->memos[at].key[1])
			at = (at + 1) & (p->n_slots - 1);
		p->memos[at] = old[i];
	}
	free(old);
}

static const struct perf_memo *find_frames(struct perf *p, const struct perf_pending *f)
{
	size_t at;

	for (at = f->key[0] & (p->n_slots - 1); p->memos[at].key[1]; at = (at + 1) & (p->n_slots - 1))
		if (p->memos[at].key[0] == f->key[0] && p->memos[at].key[1] == f->key[1])
			return &p->memos[at];
	if (++p->n_memos * 2 > p->n_slots) {
		grow_memos(p);
		for (at = f->key[0] & (p->n_slots - 1); p->memos[at].key[1];)
			at = (at + 1) & (p->n_slots - 1);
	}
	p->memos[at].key[0] = f->key[0];
	p->memos[at].key[1] = f->key[1];
	make_frames(p, &p->memos[at], f);
	return &p->memos[at];
}

/*
 * Programs and libraries have inlined functions; of the kernel and of compiled code there is no file to look into. Where
 * perf has expanded a frame itself, the functions before it say "(inlined)" and it is the last one.
 */
static bool is_expandable(struct perf *p, struct slice module)
{
	bool was_inlined = p->is_inlined;

	p->is_inlined = slice_is(module, "inlined");
	return !was_inlined && !p->is_inlined && slice_starts(module, "/") && !slice_starts(module, "//") && !is_kernel(module) &&
	       !is_jit(module);
}

static struct perf_pending *new_pending(struct perf *p)
{
	if (p->n_pending == p->cap_pending)
		p->pending = mem_grow(p->pending, &p->cap_pending, p->n_pending + 1, sizeof *p->pending);
	return &p->pending[p->n_pending++];
}

static void push_line(struct perf *p, struct slice symbol, struct slice module, struct slice address)
{
	struct perf_pending *f;
	uint64_t a, b;

	p->has_frames = true;
	f = new_pending(p);
	f->symbol = without_offset(symbol);
	f->offset = (uint32_t)(symbol.n - f->symbol.n);
	f->module = module;
	f->address = address;
	f->is_expanded = p->inliner && is_expandable(p, module);
	a = hash_bytes(f->symbol.s, f->symbol.n);
	b = hash_bytes(module.s, module.n);
	f->key[0] = hash_mix(a ^ p->task.is_java, b | 1);
	f->key[1] = (a + (b << 1 | b >> 63)) | 1;
	if (f->is_expanded || (p->sink->options->addrs && slice_is(f->symbol, "[unknown]")))
		f->key[0] ^= hash_bytes(address.s, address.n) ^ f->is_expanded;
	if (f->is_expanded)
		f->key[1] ^= hash_bytes(symbol.s, symbol.n) << 1;
	__builtin_prefetch(&p->memos[f->key[0] & (p->n_slots - 1)]);
}

/* Looks the waiting lines up; their frames follow those before. */
static void take_pending(struct perf *p)
{
	size_t k;

	for (k = 0; k < p->n_pending && !p->is_cut; k++) {
		const struct perf_memo *m = find_frames(p, &p->pending[k]);

		p->last = p->n;
		if (p->n + m->n > p->cap)
			p->frames = mem_grow(p->frames, &p->cap, p->n + m->n, sizeof *p->frames);
		for (uint32_t i = 0; i < m->n; i++)
			p->frames[p->n++] = p->pool[m->first + i];
		p->is_cut = m->is_cut;
	}
	if (k < p->n_pending)
		p->last = p->n; /* of the last line nothing is left */
	p->n_pending = 0;
}

/*
 * The '(' that begins the module of a line that ends in ')', found from the right by counting parentheses, 32 bytes at
 * a time; SIZE_MAX: there is none.
 */
static size_t module_start(struct slice line)
{
	size_t end = line.n - 1, depth = 1;

	while (end >= 32) {
		const char *block = line.s + end - 32;
		uint32_t open = scan_mask(block, '('), both = open | scan_mask(block, ')');

		for (; both; both &= ~(1u << (31 - __builtin_clz(both)))) {
			unsigned at = 31 - (unsigned)__builtin_clz(both);

			if (!(open >> at & 1))
				depth++;
			else if (--depth == 0)
				return end - 32 + at;
		}
		end -= 32;
	}
	while (end--) {
		if (line.s[end] == ')')
			depth++;
		else if (line.s[end] == '(' && --depth == 0)
			return end;
	}
	end = slice_rfind(line, " (");
	return end == SIZE_MAX ? SIZE_MAX : end + 1;
}

/*
 * perf pads addresses to sixteen columns behind a tab: then the symbol stands at byte 18. Returns where the address ends,
 * 0: some other form.
 */
static size_t padded_address(struct slice line)
{
	uint32_t blank;

	if (line.n < 34 || *line.s != '\t' || line.s[17] != ' ' || !is_hex_byte(line.s[16]))
		return 0;
	blank = scan_mask(line.s + 1, ' ') & 0xffff;
	return blank & (blank + 1) ? 0 : 17; /* blanks at the front only */
}

/*
 * "addr symbol (module)", trimmed on the right. false: it is not of that form. A missing symbol is empty; the module of
 * "(/bin/x (deleted))" is /bin/x.
 */
static bool split_frame(struct slice line, struct slice *address, struct slice *symbol, struct slice *module)
{
	size_t start, n = padded_address(line);

	if (n) {
		*address = (struct slice){line.s + 1, 16};
	} else {
		line = slice_ltrim(line);
		while (n < line.n && is_hex_byte(line.s[n]))
			n++;
		if (!n || n >= line.n || line.s[n] != ' ')
			return false;
		*address = slice_head(line, n);
	}
	if (line.s[line.n - 1] != ')')
		return false;
	start = module_start(line);
	if (start != SIZE_MAX && start > n && line.s[start - 1] != ' ') { /* "(/opt/(my app/x.so)": not balanced */
		start = slice_rfind(line, " (");
		start += start != SIZE_MAX;
	}
	if (start == SIZE_MAX || start <= n)
		return false;
	*module = (struct slice){line.s + start + 1, line.n - start - 2};
	if (module->n && module->s[module->n - 1] == ')' && slice_ends(*module, " (deleted)"))
		module->n -= 10;
	*module = without_offset(*module); /* perf script -F +dsoff */
	*symbol = slice_trim((struct slice){line.s + n, start - n});
	return true;
}

/* --- events --- */

/* "1234" or "1234/1235", and perf's "-1" for what it does not know, whose name is ":-1". */
static bool is_task_word(struct slice word, struct slice comm)
{
	size_t slash;

	if (!word.n)
		return false;
	if (*word.s == '-')
		return *comm.s == ':' && (slice_is(word, "-1") || slice_is(word, "-1/-1"));
	slash = slice_find_byte(word, '/');
	if (slash == SIZE_MAX)
		return slice_is_digits(word);
	return slash && slash + 1 < word.n && slice_is_digits(slice_head(word, slash)) &&
	       slice_is_digits(slice_from(word, slash + 1));
}

/* What stands behind the task's numbers: "[001]" or "72.176760:". */
static bool follows_task(struct slice rest)
{
	rest = slice_ltrim(rest);
	if (slice_take(&rest, "["))
		return slice_take_digits(&rest).n && slice_starts(rest, "]");
	return slice_take_digits(&rest).n && slice_take(&rest, ".") && slice_take_digits(&rest).n && slice_starts(rest, ":");
}

/*
 * The word that holds the numbers of the task; splits the line there. A name may end in a number of its own ("DOM Worker
 * 12"), so the word before a processor or a time is preferred to the first.
 */
static bool find_task(struct slice line, struct slice *comm, struct slice *id, struct slice *rest)
{
	bool is_found = false;

	for (size_t at = 0; at < line.n;) {
		size_t end = slice_find_byte(slice_from(line, at), ' ');
		struct slice word;

		if (end == SIZE_MAX)
			break;
		end += at;
		word = (struct slice){line.s + at, end - at};
		if (at && is_task_word(word, slice_ltrim(line))) {
			bool is_sure = follows_task(slice_from(line, end + 1));

			if (is_sure || !is_found) {
				*comm = slice_trim(slice_head(line, at));
				*id = word;
				*rest = slice_from(line, end + 1);
			}
			is_found = true;
			if (is_sure)
				break;
		} else if (is_found && slice_ends(word, ":")) {
			break; /* the time or the event: no task comes after it */
		}
		at = end + 1;
	}
	return is_found;
}

/* "comm", "comm-PID" or "comm-PID/TID"; perf may print the second number alone. */
static void root_name(struct perf *p, struct slice comm, struct slice id)
{
	size_t slash = slice_find_byte(id, '/');

	p->name.len = 0;
	for (size_t i = 0; i < comm.n; i++)
		buf_addc(&p->name, comm.s[i] == ' ' ? '_' : comm.s[i] == ';' ? ':' : comm.s[i]);
	if (!p->sink->options->pid && !p->sink->options->tid)
		return;
	buf_addc(&p->name, '-');
	slash == SIZE_MAX ? buf_addc(&p->name, '?') : buf_add(&p->name, id.s, slash);
	if (p->sink->options->tid) {
		buf_addc(&p->name, '/');
		id = slash == SIZE_MAX ? id : slice_from(id, slash + 1);
		buf_add(&p->name, id.s, id.n);
	}
}

static int64_t parse_id(struct slice digits)
{
	uint64_t v;

	return number_u64(digits.s, digits.n, &v) && v <= INT64_MAX ? (int64_t)v : -1;
}

static void make_task(struct perf *p, struct perf_task *t, struct slice comm, struct slice id)
{
	t->comm_len = comm.n < sizeof t->comm ? comm.n : SIZE_MAX;
	if (t->comm_len != SIZE_MAX)
		memcpy(t->comm, comm.s, comm.n);
	root_name(p, comm, id);
	t->is_java = slice_starts((struct slice){p->name.data, p->name.len}, "java");
	t->root = sink_sym(p->sink, p->name.data ? p->name.data : "", p->name.len);
	symtab_learn(&p->profile->symtab, t->root, KIND_PROCESS, 0, 0);
	t->task = profile_task(p->profile, sink_sym(p->sink, comm.s, comm.n), t->pid, t->tid);
}

/* Threads take turns; each is made once as long as no other one takes its place. */
static void set_task(struct perf *p, struct slice comm, struct slice id)
{
	size_t slash = slice_find_byte(id, '/');
	bool has_pid = slash != SIZE_MAX;
	int64_t pid = has_pid ? parse_id(slice_head(id, slash)) : -1;
	int64_t tid = parse_id(has_pid ? slice_from(id, slash + 1) : id);
	struct perf_task *t = &p->tasks[(uint64_t)tid % RECENT];

	if (t->tid != tid || t->pid != pid || t->has_pid != has_pid || t->comm_len != comm.n ||
	    memcmp(t->comm, comm.s, comm.n) != 0) {
		t->pid = pid;
		t->tid = tid;
		t->has_pid = has_pid;
		make_task(p, t, comm, id);
	}
	p->task = *t;
}

/* "4794564.109216" in ns; NO_TIME if it is none. */
static uint64_t parse_time(struct slice word)
{
	size_t dot = slice_find_byte(word, '.');
	uint64_t seconds, fraction;

	if (dot == SIZE_MAX || word.n - dot - 1 > 9 || !number_u64(word.s, dot, &seconds) ||
	    !number_u64(word.s + dot + 1, word.n - dot - 1, &fraction) || seconds > UINT64_MAX / 1000000000 - 1)
		return NO_TIME;
	for (size_t i = word.n - dot - 1; i < 9; i++)
		fraction *= 10;
	return seconds * 1000000000 + fraction;
}

static struct slice last_word(struct slice text)
{
	size_t space;

	text = slice_rtrim(text);
	space = slice_find_last(text, ' ');
	return space == SIZE_MAX ? text : slice_from(text, space + 1);
}

static uint32_t parse_cpu(struct slice text)
{
	size_t open = slice_find_byte(text, '['), close = slice_find_byte(text, ']');
	uint64_t cpu;

	if (open == SIZE_MAX || close == SIZE_MAX || close < open || !number_u64(text.s + open + 1, close - open - 1, &cpu) ||
	    cpu >= NO_CPU)
		return NO_CPU;
	return (uint32_t)cpu;
}

/* Modifiers of an event, as in "cycles:uppp": these do not make it another one. */
static bool is_modifier(struct slice word)
{
	for (size_t i = 0; i < word.n; i++)
		if (!word.s[i] || !strchr("ukhGHIpPSDWebx", word.s[i]))
			return false;
	return true;
}

/* Everything after the task's numbers: "[000] 72.176760:  250000 cpu-clock: ...". Returns what stands behind the event. */
static struct slice parse_event(struct perf *p, struct slice rest)
{
	size_t colon = slice_find_byte(rest, ':');
	struct slice first = colon == SIZE_MAX ? rest : slice_head(rest, colon), second, word, head;
	size_t cut;

	p->sample = (struct sample){.weight = 1, .time = parse_time(last_word(first)), .cpu = parse_cpu(first)};
	rest = colon == SIZE_MAX ? slice_from(rest, rest.n) : slice_from(rest, colon + 1);
	second = first;
	if (p->sample.time != NO_TIME) {
		colon = slice_find_byte(rest, ':');
		second = colon == SIZE_MAX ? rest : slice_head(rest, colon);
		rest = colon == SIZE_MAX ? slice_from(rest, rest.n) : slice_from(rest, colon + 1);
	}
	word = last_word(second);
	p->event.len = 0;
	buf_add(&p->event, word.s, word.n);
	second = slice_rtrim(slice_head(second, (size_t)(word.s - second.s)));
	word = last_word(second);
	p->has_period = number_u64(word.s, word.n, &p->sample.weight);
	if (!p->has_period)
		p->sample.weight = 1;
	/* "sched:sched_switch: prev_comm=..": a tracepoint's name goes on behind the second colon. */
	for (cut = 0; cut < rest.n && rest.s[cut] != ':' && rest.s[cut] != ' '; cut++)
		;
	head = slice_head(rest, cut);
	if (cut < rest.n && rest.s[cut] == ':' && cut && !is_modifier(head)) {
		buf_addc(&p->event, ':');
		buf_add(&p->event, head.s, head.n);
	}
	return slice_trim(cut < rest.n ? slice_from(rest, cut + 1) : slice_from(rest, rest.n));
}

/* "cycles:u" asks for what is called "cycles" here. */
static bool is_wanted(struct slice event, struct slice filter)
{
	if (filter.n < event.n || memcmp(filter.s, event.s, event.n) != 0)
		return false;
	return filter.n == event.n || (filter.s[event.n] == ':' && is_modifier(slice_from(filter, event.n + 1)));
}

/* What a period counts: nanoseconds of the clocks, else the event itself. 0: nothing but samples. */
static uint32_t unit_of(struct perf *p, struct slice event)
{
	if (!p->has_period)
		return 0;
	if (slice_starts(event, "cpu-clock") || slice_starts(event, "task-clock"))
		return sink_sym(p->sink, "ns", 2);
	return sink_sym(p->sink, event.s, event.n);
}

/* Events get their numbers when a stack of them is there: the first one is what a view shows. */
static void set_series(struct perf *p)
{
	const struct symbol *known = p->profile->n_series ? &p->profile->symtab.symbols[p->profile->series[p->series].name] : NULL;
	struct slice event = {p->event.data, p->event.len};

	if (!known || known->len != event.n || memcmp(known->name, event.s, event.n) != 0)
		p->series = profile_series(p->profile, sink_sym(p->sink, event.n ? event.s : "", event.n),
		                           event.n ? unit_of(p, event) : 0);
	p->sample.series = p->series;
}

static void skip_line(struct perf *p, const char *line, size_t len, uint64_t number)
{
	p->is_odd = true; /* said already, should no frame be left */
	sink_skip(p->sink, "not a stack line (expected 'address symbol (module)')", number, line, len);
}

/* No source line came: it was an odd line and not an inlined frame. */
static void drop_orphan(struct perf *p)
{
	if (p->orphan.len)
		skip_line(p, p->orphan.data, p->orphan.len, p->orphan_line);
	p->orphan.len = 0;
}

static void end_event(struct perf *p)
{
	drop_orphan(p);
	if (!p->in_event)
		return;
	take_pending(p);
	p->in_event = false;
	if (p->is_skipped)
		return;
	if (!p->n) {
		if (!p->is_odd)
			report_add_weight(&p->profile->report, NOTE_WARN, "sample without a stack", NULL, p->event_line, p->sample.weight);
		return;
	}
	if (!p->is_cut)
		mem_push(p->frames, p->n, p->cap, p->task.root);
	for (size_t i = 0, j = p->n - 1; i < j; i++, j--) {
		uint32_t swap = p->frames[i];

		p->frames[i] = p->frames[j];
		p->frames[j] = swap;
	}
	set_series(p);
	sink_stack_full(p->sink, p->frames, p->n, &p->sample);
	p->n = 0;
}

/*
 * "8436.007854: PERF_RECORD_LOST lost 14", from perf script --show-lost-events: no event, but what perf could not keep up
 * with.
 */
static bool lost_line(struct perf *p, struct slice rest, uint64_t number)
{
	size_t at, digits;
	uint64_t n;

	if (!rest.n || !is_digit_byte(rest.s[rest.n - 1])) /* event lines end in a colon */
		return false;
	at = slice_find(rest, ": PERF_RECORD_LOST");
	if (at == SIZE_MAX || parse_time(last_word(slice_head(rest, at))) == NO_TIME)
		return false;
	digits = slice_rfind(rest, "lost ");
	if (digits == SIZE_MAX || !slice_u64(slice_trim(slice_from(rest, digits + 5)), &n))
		return false;
	end_event(p);
	p->profile->lost += n;
	report_add(&p->profile->report, NOTE_WARN, "perf could not keep up and lost samples (a lower -F, or --call-graph=fp, costs less)",
	           NULL, number, rest.s, rest.n);
	return true;
}

static bool event_line(struct perf *p, struct slice line, uint64_t number)
{
	const char *filter = p->sink->options->event_filter;
	struct slice comm, id, rest, address, symbol, module;

	if (!find_task(line, &comm, &id, &rest))
		return false;
	if (lost_line(p, rest, number))
		return true;
	end_event(p);
	p->in_event = true;
	p->is_cut = p->is_odd = p->is_inlined = p->has_frames = false;
	p->n = p->last = 0;
	p->event_line = number;
	set_task(p, comm, id);
	rest = parse_event(p, rest);
	p->is_skipped = filter && !is_wanted((struct slice){p->event.data, p->event.len}, slice_of(filter));
	p->sample.task = p->task.task;
	if (rest.n && split_frame(rest, &address, &symbol, &module)) {
		if (!p->is_skipped)
			push_line(p, symbol, module, address);
		end_event(p);
	}
	return true;
}

/* --- lines --- */

/*
 * A line "  file.c:12" after a frame, from perf script -F +srcline; perf writes "libc.so.6[7f722d142778]", "main+12" or ":0" if it
 * does not know the place, which is empty then. false: it is no such line.
 */
static bool parse_place(struct slice text, struct slice *place)
{
	size_t colon, plus;

	text = slice_trim(text);
	if (slice_ends(text, " (inlined)"))
		text = slice_rtrim(slice_head(text, text.n - 10));
	if (slice_ends(text, ")") && slice_rfind(text, " (discriminator ") != SIZE_MAX)
		text = slice_rtrim(slice_head(text, slice_rfind(text, " (discriminator ")));
	*place = text;
	colon = slice_find_last(text, ':');
	plus = slice_find_last(text, '+');
	if (colon != SIZE_MAX && colon && colon + 1 < text.n && slice_is_digits(slice_from(text, colon + 1)) &&
	    !slice_starts(text, "??"))
		return true;
	*place = slice_head(text, 0);
	return slice_starts(text, "??") || slice_starts(text, ":") || slice_ends(text, "]") || slice_ends(text, ":?") ||
	       (plus != SIZE_MAX && plus + 1 < text.n && slice_is_digits(slice_from(text, plus + 1)));
}

/* "(inlined)" at the end of the line makes an orphan a frame. */
static void source_line(struct perf *p, struct slice text, uint64_t number)
{
	struct symtab *t = &p->profile->symtab;
	struct slice address, symbol, module = slice_of("inlined"), place;

	if (!parse_place(text, &place)) {
		skip_line(p, text.s, text.n, number);
		return;
	}
	if (p->orphan.len) {
		symbol = slice_trim((struct slice){p->orphan.data, p->orphan.len});
		address = slice_before(symbol, ' ');
		symbol = slice_ltrim(slice_from(symbol, address.n));
		push_line(p, symbol, module, address);
	}
	take_pending(p);
	p->orphan.len = 0; /* its text was needed until here */
	for (size_t i = p->last; i < p->n && place.n; i++) {
		uint32_t source;

		if (p->sink->options->srcline) {
			p->name.len = 0;
			buf_add(&p->name, t->symbols[p->frames[i]].name, t->symbols[p->frames[i]].len);
			buf_addc(&p->name, ':');
			buf_add(&p->name, place.s, place.n);
			p->frames[i] = sink_frame(p->sink, p->name.data, p->name.len);
		}
		source = sink_sym(p->sink, place.s, place.n);
		symtab_learn(t, p->frames[i], KIND_UNKNOWN, 0, source);
	}
}

static bool starts_with_address(struct slice line)
{
	size_t n = 0;

	line = slice_ltrim(line);
	while (n < line.n && is_hex_byte(line.s[n]))
		n++;
	return n && (n == line.n || is_blank_byte(line.s[n]));
}

/* Events without call chains stand line by line, their tasks padded with blanks; the time tells them from frames. */
static bool looks_like_event(struct slice line)
{
	struct slice comm, id, rest;
	size_t colon;

	if (!find_task(line, &comm, &id, &rest))
		return false;
	colon = slice_find_byte(rest, ':');
	return colon != SIZE_MAX && parse_time(last_word(slice_head(rest, colon))) != NO_TIME;
}

static void stack_line(struct perf *p, struct slice line, uint64_t number)
{
	struct slice address, symbol, module;

	/* Before it can be taken for a frame: a name such as "dd" or "cafe" looks like an address. */
	if (*line.s == ' ' && !p->has_frames && looks_like_event(line)) {
		event_line(p, line, number);
		return;
	}
	if (p->is_skipped)
		return;
	if (split_frame(line, &address, &symbol, &module)) {
		push_line(p, symbol, module, address);
		return;
	}
	if (!starts_with_address(line)) {
		p->has_frames || p->orphan.len ? source_line(p, line, number) : skip_line(p, line.s, line.n, number);
		return;
	}
	drop_orphan(p);
	buf_add(&p->orphan, line.s, line.n);
	p->orphan_line = number;
}

static void perf_line(struct perf *p, const char *text, size_t len, uint64_t number)
{
	struct slice line = slice_rtrim((struct slice){text, len});

	if (len && *text == '#')
		return;
	if (!line.n) {
		end_event(p);
	} else if (p->in_event && (is_blank_byte(*line.s) || !event_line(p, line, number))) {
		stack_line(p, line, number);
	} else if (!p->in_event && !event_line(p, line, number)) {
		sink_skip(p->sink, "not an event line (expected 'comm pid/tid [cpu] time: period event:')", number, line.s, line.n);
	}
}

/* Looks up the line pushed last. At once, not together with others: a stack may hold one line a hundred times. */
static void resolve_line(struct perf *p, const char *text, size_t len)
{
	struct perf_pending *f = &p->pending[p->n_pending - 1];
	const struct perf_memo *m = find_frames(p, f);

	f->line = text;
	f->first = m->first;
	f->n = m->n;
	perf_line_keep(p->lines, text, len, p->task.is_java, m->first, m->n);
}

/* The lines of a block that are not known yet; false: one of them is no frame line. */
static bool split_block(struct perf *p, const char *text, const char *end)
{
	struct slice address, symbol, module, line;

	while (text < end) {
		const struct perf_line *met = perf_line_find(p->lines, text, end, p->task.is_java);
		const char *nl;

		if (met) {
			*new_pending(p) = (struct perf_pending){.line = text, .first = met->first, .n = met->n};
			text += met->len;
			continue;
		}
		nl = scan_to(text, '\n');
		line = slice_rtrim((struct slice){text, (size_t)(nl - text)});
		if (!line.n || !is_blank_byte(*text) || !split_frame(line, &address, &symbol, &module)) {
			p->n_pending = 0;
			return false;
		}
		push_line(p, symbol, module, address);
		resolve_line(p, text, (size_t)(nl + 1 - text));
		text = nl + 1;
	}
	p->has_frames = true;
	return true;
}

/*
 * All frame lines of an event at once: text[0..len), up to before the blank line. false: not of the plain kind, and nothing
 * is done; the lines then go the long way.
 */
static bool take_block(struct perf *p, const char *text, size_t len)
{
	const struct symtab *t = &p->profile->symtab;
	struct perf_recent *r = &p->recent[p->task.task % RECENT];
	size_t known;

	if (r->task != p->task.task || !r->n || r->frames[0] != p->task.root)
		perf_recent_begin(r, p->task.task, p->task.root, t);
	known = perf_recent_share(r, text, len);
	if (!split_block(p, text, text + len - known)) {
		r->end = NULL;
		return false;
	}
	for (size_t k = p->n_pending; k--;) {
		struct perf_pending *f = &p->pending[k];

		for (uint32_t i = f->n; i--;)
			perf_recent_push(r, p->pool[f->first + i], t);
		perf_recent_line(r, (size_t)(text + len - f->line));
	}
	p->n_pending = 0;
	if (r->n < 2)
		return false;
	set_series(p);
	profile_add(p->profile, p->sink->options->side, profile_path_hashed(p->profile, r->frames, r->hashes, r->n), &p->sample);
	return true;
}

/* How many lines there are; 0: one of them may begin an event, for want of a blank line. */
static size_t count_frames(const char *text, const char *end)
{
	size_t n = 0;

	for (; text < end; n++) {
		if (*text != '\t')
			return 0;
		text = scan_to(text, '\n') + 1;
	}
	return n;
}

/* The frames of the event that has just begun, if the piece holds them all. Returns how many lines that were; 0: none. */
static size_t event_block(struct perf *p, const char *text, const char *end, const char **after)
{
	const char *blank = scan_to_pair(text, end, '\n');
	size_t lines;

	if (!blank || blank == text)
		return 0;
	if (p->is_skipped)
		lines = count_frames(text, blank);
	else if (take_block(p, text, (size_t)(blank - text)))
		lines = p->recent[p->task.task % RECENT].n_lines;
	else
		return 0;
	if (!lines)
		return 0;
	p->in_event = false;
	*after = blank + 2;
	return lines + 1;
}

static bool perf_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct perf *p = state;
	const char *end = text + len;
	uint64_t number = p->sink->line;

	(void)err;
	for (size_t i = 0; i < RECENT; i++)
		p->recent[i].end = NULL; /* their texts are gone */
	while (text < end) {
		const char *nl = scan_to(text, '\n');

		if (nl > end)
			nl = end;
		perf_line(p, text, (size_t)(nl - text), ++number);
		text = nl + 1;
		if (p->in_event && p->event_line == number && p->shares && text < end && *text == '\t')
			number += event_block(p, text, end, &text);
	}
	take_pending(p);
	return true;
}

static bool perf_finish(void *state, bool ok, struct err *err)
{
	struct perf *p = state;

	(void)err;
	end_event(p);
	buf_deinit(&p->event);
	buf_deinit(&p->name);
	buf_deinit(&p->chain);
	buf_deinit(&p->orphan);
	inliner_free(p->inliner);
	for (size_t i = 0; i < RECENT; i++)
		perf_recent_deinit(&p->recent[i]);
	free(p->lines);
	free(p->pending);
	free(p->frames);
	free(p->memos);
	free(p->pool);
	free(p);
	return ok;
}

/* After the last blank line. */
static size_t perf_cut(const char *text, size_t len)
{
	for (size_t end = len; end;) {
		const char *nl = memrchr(text, '\n', end);

		if (!nl)
			return 0;
		if (nl > text && (nl[-1] == '\n' || (nl[-1] == '\r' && nl - 1 > text && nl[-2] == '\n')))
			return (size_t)(nl - text) + 1;
		end = (size_t)(nl - text);
	}
	return 0;
}

/* The first line is an event line, and the next one a frame, or an event line that carries its frame. */
static enum sniff perf_sniff(const struct head *head, const char **why)
{
	const char *p = head->text, *end = p + head->len, *s;
	struct slice comm, id, rest, line;
	bool has_event = false, had_event = false;
	size_t len;

	*why = "the first line is not an event line 'comm pid/tid [cpu] time: event:'";
	while (head_line(&p, end, &s, &len)) {
		line = slice_rtrim((struct slice){s, len});
		if (len && *s == '#')
			continue;
		if (!line.n) {
			has_event = false;
			continue;
		}
		if (has_event && split_frame(line, &comm, &id, &rest))
			return SNIFF_YES;
		if (!find_task(line, &comm, &id, &rest) || slice_find_byte(rest, ':') == SIZE_MAX)
			return had_event ? SNIFF_MAYBE : SNIFF_NO;
		if (line.s[line.n - 1] == ')')
			return SNIFF_YES;
		has_event = had_event = true;
		*why = "an event line without a frame 'address symbol (module)' after it";
	}
	return had_event ? SNIFF_MAYBE : SNIFF_NO;
}

const struct collapse_format format_perf = {
	.name = "perf",
	.help = "perf script: perf record -g ...; perf script --no-inline (a perf.data file is read directly)",
	.sniff = perf_sniff,
	.start = perf_start,
	.feed = perf_feed,
	.finish = perf_finish,
	.cut = perf_cut,
};
