/*
 * perf_frames.c - turns symbols and modules into frames, once per distinct pair.
 */
#include "collapse/perf/perf_frames.h"

#include <string.h>

#include "base/fetch.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/scan.h"
#include "collapse/perf/perf_caches.h"
#include "collapse/perf/perf_lines.h"
#include "collapse/text/tidy.h"
#include "model/origin.h"

void perf_frames_init(struct perf_frames *p, struct sink *sink, bool asks_addr2line)
{
	*p = (struct perf_frames){.sink = sink, .n_slots = PERF_MEMOS};
	p->memos = mem_zalloc(p->n_slots, sizeof *p->memos);
	p->inlined = sink_sym(sink, "inlined", 7);
	p->inliner = asks_addr2line && sink->options->inline_ ? inliner_new(sink) : NULL;
	buf_init(&p->name);
	buf_init(&p->chain);
}

/* It takes whole names: of a pattern, or a misspelt name, nothing else would be seen. */
static void note_unmet(const struct perf_frames *p)
{
	const char *const *names = p->sink->options->skip_after;
	for (size_t i = 0; names && names[i] && !p->sink->options->is_one_of_several; i++)
		if (!(p->met >> (i % 64) & 1))
			sink_warn(p->sink, "--skip-after: no function has exactly this name", 0, names[i], strlen(names[i]));
}

void perf_frames_deinit(struct perf_frames *p)
{
	note_unmet(p);
	buf_deinit(&p->name);
	buf_deinit(&p->chain);
	inliner_free(p->inliner);
	free(p->memos);
	free(p->pool);
}

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

/* Removes "+0x1f": only the last offset, and only at the very end. */
static struct slice without_offset(struct slice symbol)
{
	size_t n = symbol.n;
	while (n && is_hex_byte(symbol.s[n - 1]))
		n--;
	return n >= 3 && memcmp(symbol.s + n - 3, "+0x", 3) == 0 ? slice_head(symbol, n - 3) : symbol;
}

/* Names a frame without a symbol: its module in brackets. */
static void unknown_name(struct perf_frames *p, struct slice module, struct slice address)
{
	size_t slash = slice_find_last(module, '/');
	if (slice_is(module, "[unknown]"))
		buf_adds(&p->name, "[unknown");
	else {
		buf_addc(&p->name, '[');
		module = slash == SIZE_MAX ? module : slice_from(module, slash + 1);
		sink_add_shared(p->sink, &p->name, module.s, module.n);
	}
	if (p->sink->options->addrs) {
		buf_adds(&p->name, " <");
		address = slice_ltrim(address);
		buf_add(&p->name, address.s, address.n);
		buf_addc(&p->name, '>');
	}
	buf_addc(&p->name, ']');
}

static void tidy_name(struct perf_frames *p, struct slice piece, bool is_java)
{
	piece = slice_head(piece, tidy_parameters(piece.s, piece.n));
	if (is_java && slice_starts(piece, "L") && slice_find_byte(piece, '/') != SIZE_MAX)
		piece = slice_from(piece, 1);
	buf_add(&p->name, piece.s, piece.n);
}

static uint32_t finish_name(struct perf_frames *p, struct slice module, enum frame_kind kind, const char *suffix)
{
	struct symtab *t = &p->sink->profile->symtab;
	struct slice name = {p->name.data, p->name.len};
	struct origin o = {.kind = kind};
	uint32_t sym;
	if (suffix && !slice_has(name, suffix))
		buf_adds(&p->name, suffix);
	sym = sink_frame(p->sink, p->name.data, p->name.len);
	if (slice_is(module, "inlined")) {
		symtab_learn(t, sym, o);
		o.module = p->inlined;
		return symtab_variant(t, sym, o);
	}
	if (!slice_is(module, "[unknown]"))
		o.module = sink_sym(p->sink, module.s, module.n);
	return symtab_frame(t, sym, o);
}

struct perf_frame perf_frames_inlined(struct perf_frames *p, struct perf_frame f, uint32_t into)
{
	struct symtab *t = &p->sink->profile->symtab;
	uint32_t module = symtab_is_variant(t, into) ? t->symbols[into].module : 0, plain = symtab_plain(t, f.sym);
	size_t at = (plain * 31u + module) & (PERF_JOINED - 1);
	struct perf_frame *known = &p->joined[at];
	if (known->hash && p->joined_of[at][0] == f.sym && p->joined_of[at][1] == module)
		return *known;
	struct origin o = symtab_origin(t, f.sym);
	o.module = module;
	known->sym = symtab_frame(t, plain, o);
	known->hash = t->symbols[known->sym].hash;
	p->joined_of[at][0] = f.sym;
	p->joined_of[at][1] = module;
	return *known;
}

void perf_frames_join(struct perf_frames *p, uint32_t *frames, const uint64_t *addresses, size_t n)
{
	const struct symtab *t = &p->sink->profile->symtab;
	for (size_t i = 0; i < n; i++) {
		uint32_t into = i && addresses[i] == addresses[i - 1] ? frames[i - 1] : 0;
		if (t->symbols[frames[i]].module == p->inlined)
			frames[i] = perf_frames_inlined(p, (struct perf_frame){.sym = frames[i]}, into).sym;
	}
}

/* Makes one frame of an inline chain; `index` 0 is the outermost caller. */
static uint32_t make_piece(struct perf_frames *p, const struct perf_site *f, struct slice piece, size_t index)
{
	struct slice module = f->module;
	const struct collapse_options *o = p->sink->options;
	bool kernel = is_kernel(module), jit = is_jit(module);
	enum frame_kind kind = kernel                        ? KIND_KERNEL
	                       : jit                         ? KIND_JIT
	                       : slice_is(module, "inlined") ? KIND_INLINED
	                                                     : KIND_USER;
	p->name.len = 0;
	if (slice_is(piece, "[unknown]"))
		unknown_name(p, module, f->address);
	else
		tidy_name(p, piece, f->is_java);
	if (index)
		return finish_name(p, module, KIND_INLINED, "_[i]");
	if (o->kernel && kernel) {
		buf_adds(&p->name, "_[k]");
		return finish_name(p, module, kind, NULL);
	}
	return finish_name(p, module, kind, o->jit && jit ? "_[j]" : NULL);
}

static bool is_skip_after(struct perf_frames *p, struct slice symbol)
{
	const char *const *names = p->sink->options->skip_after;
	for (size_t i = 0; names && names[i]; i++)
		if (slice_is(symbol, names[i])) {
			p->met |= (uint64_t)1 << (i % 64);
			sink_lacks(p->sink)->callers = true;
			return true;
		}
	return false;
}

static void push_frame(struct perf_frames *p, uint32_t sym)
{
	const struct symbol *symbols = p->sink->profile->symtab.symbols;
	p->has_inlined |= symbols[sym].module == p->inlined;
	mem_push(p->pool, p->n_pool, p->cap_pool,
	         ((struct perf_frame){symbols[sym].hash, sym, symbols[sym].module == p->inlined, 0}));
}

/* Takes the functions from addr2line unchanged: neither tidied nor annotated. Returns how many. */
static size_t expand(struct perf_frames *p, const struct perf_site *f)
{
	struct slice symbol = {f->symbol.s, f->symbol.n + f->offset};
	struct symtab *t = &p->sink->profile->symtab;
	const struct inlined *found;
	size_t n = inliner_find(p->inliner, f->module, f->address, symbol, &found);
	for (size_t i = 0; i < n; i++) {
		struct slice place = found[i].place;
		uint32_t sym;
		p->name.len = 0;
		buf_add(&p->name, found[i].function.s, found[i].function.n);
		if (p->sink->options->context && place.n) {
			buf_addc(&p->name, ':');
			buf_add(&p->name, place.s, place.n);
		}
		sym = finish_name(p, f->module, i + 1 < n ? KIND_INLINED : KIND_USER, NULL);
		push_frame(p, symtab_frame(t, sym, sink_place(p->sink, place.s, place.n, 0)));
	}
	return n;
}

/* Appends the frames of a symbol and module to the pool, leaf first. */
static void make_frames(struct perf_frames *p, struct perf_memo *m, const struct perf_site *f)
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
		size_t end = tidy_chain_end(rest);
		uint32_t sym = make_piece(p, f, slice_head(rest, end), index);
		push_frame(p, sym);
		n_pieces++;
		if (end == rest.n)
			break;
		rest = slice_from(rest, end + 2);
	}
	m->n = (uint32_t)n_pieces & 0x7fffffff;
	for (size_t i = 0, j = n_pieces - 1; i < j; i++, j--) {
		struct perf_frame swap = p->pool[m->first + i];
		p->pool[m->first + i] = p->pool[m->first + j];
		p->pool[m->first + j] = swap;
	}
}

static void grow_memos(struct perf_frames *p)
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

struct perf_memo *perf_frames_find(struct perf_frames *p, const struct perf_site *f)
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

bool perf_frames_has_file(struct slice module)
{
	return slice_starts(module, "/") && !slice_starts(module, "//") && !is_kernel(module) && !is_jit(module);
}

/*
 * Programs and libraries have inlined functions; the kernel and JIT-compiled code have no file to look into. If
 * perf has expanded a frame already, the functions before it say "(inlined)" and it is the last one.
 */
static bool is_expandable(struct perf_frames *p, struct slice module)
{
	bool was_inlined = p->is_inlined;
	p->is_inlined = slice_is(module, "inlined");
	return !was_inlined && !p->is_inlined && perf_frames_has_file(module);
}

/* Consecutive lines often name the same module. */
static uint64_t module_hash(struct perf_frames *p, struct slice module)
{
	if (module.n != p->module_len || memcmp(module.s, p->module, module.n) != 0) {
		p->module_hash = hash_bytes(module.s, module.n);
		p->module_len = module.n <= sizeof p->module ? module.n : SIZE_MAX;
		memcpy(p->module, module.s, module.n <= sizeof p->module ? module.n : 0);
	}
	return p->module_hash;
}

void perf_frames_prepare(struct perf_frames *p, struct perf_site *f, struct slice symbol, bool is_java)
{
	uint64_t a, b;
	f->symbol = without_offset(symbol);
	f->offset = (uint32_t)(symbol.n - f->symbol.n);
	f->is_java = is_java;
	f->is_expanded = p->inliner && is_expandable(p, f->module);
	a = hash_bytes(f->symbol.s, f->symbol.n);
	b = module_hash(p, f->module);
	f->key[0] = hash_mix(a ^ is_java, b | 1);
	f->key[1] = (a + (b << 1 | b >> 63)) | 1;
	if (f->is_expanded || (p->sink->options->addrs && slice_is(f->symbol, "[unknown]")))
		f->key[0] ^= hash_bytes(f->address.s, f->address.n) ^ f->is_expanded;
	if (f->is_expanded)
		f->key[1] ^= hash_bytes(symbol.s, symbol.n) << 1;
	fetch_line(&p->memos[f->key[0] & (p->n_slots - 1)]);
}

/*
 * Offset of the '(' that begins the module in a line that ends in ')'. Counts parentheses from the right, 32 bytes
 * at a time; SIZE_MAX: there is none.
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
 * Splits "addr symbol (module)", trimmed on the right. false: it has another form. A missing symbol is empty; the
 * module of "(/bin/x (deleted))" is /bin/x.
 */
bool perf_frames_split(struct slice line, struct perf_site *f, struct slice *symbol)
{
	size_t start, n = perf_padded_address(line.s, line.n);
	if (n) {
		f->address = (struct slice){line.s + 1, 16};
	} else {
		line = slice_ltrim(line);
		while (n < line.n && is_hex_byte(line.s[n]))
			n++;
		if (!n || n >= line.n || (line.s[n] != ' ' && line.s[n] != '\t'))
			return false;
		f->address = slice_head(line, n);
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
	f->module = (struct slice){line.s + start + 1, line.n - start - 2};
	if (f->module.n && f->module.s[f->module.n - 1] == ')' && slice_ends(f->module, " (deleted)"))
		f->module.n -= 10;
	f->module = without_offset(f->module); /* perf script -F +dsoff */
	*symbol = slice_trim((struct slice){line.s + n, start - n});
	return true;
}

bool perf_frames_is_bare(struct slice line, bool is_among_others)
{
	size_t n = 0;
	bool has_digit = false;
	line = slice_trim(line);
	for (; n < line.n && is_hex_byte(line.s[n]); n++)
		has_digit |= is_digit_byte(line.s[n]);
	return n >= 4 && n < line.n && is_blank_byte(line.s[n]) && (!is_among_others || has_digit || n >= 12);
}
