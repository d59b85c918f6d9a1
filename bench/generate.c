/*
 * generate - a profile of any size out of a small real one.
 *
 *	generate perf|folded|shuffled|dtrace|sample|vtune BYTES FROM [SEED] >profile
 *	generate folded|shuffled|dtrace|sample|vtune NODESn FROM [SEED] >profile     10000000n: a tree of so many frames
 *	generate perf|folded|shuffled BYTES/STACKS FROM [SEED] | ...     so many different stacks, which come again and again
 *	generate perf|folded|shuffled BYTES+STACKS FROM [SEED] | ...     so many more with every 100 MB
 *
 * Repeating a file would flatter every program that remembers what it saw. Real profiles that are ten times as long
 * have more symbols, though not ten times as many, more distinct stacks, and the old ones in another order. So a
 * sample of the output begins as a random sample of FROM, and then
 *
 *	- comes from one of a number of "modules in the making", which grows with the square root of the length (four times
 *	  as many with NODESn, or it would take very long to find new stacks); in each of them a fifth of the functions
 *	  outside of libc and kernel has a name of its own (run -> run_2c);
 *	- swaps, one time in four, what is above a function for what another sample has above the same function:
 *
 *		main;parse;lex;read            main;parse;lex;intern;hash
 *		main;print;lex;intern;hash
 *
 * The same FROM, BYTES and SEED give the same bytes everywhere: the generator is integer arithmetic, and no hash
 * order reaches the output. FROM may be in any format that flametop reads; all its events are used.
 *
 * The last two forms take as little memory for a terabyte as for a megabyte, and hardly any time: the stacks are made
 * and written out once, and then copied. With + each 100 MB are another process, worker_000007, which has the same
 * stacks below its name. Samples take all stacks in turn, and between two of them any one, or repeat each line of
 * sorted text. Standard error gets the number of different stacks, a tab, and that of bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "collapse/load/load.h"
#include "model/fold.h"
#include "model/profile.h"
#include "model/tree.h"

#define DEPTH_MAX 4096

struct stack {
	uint32_t frames[DEPTH_MAX]; /* symbols of the made profile, root first */
	size_t n;
};

struct generator {
	struct profile from, made;
	uint64_t random;
	uint64_t n;            /* samples made */
	uint64_t size, wanted; /* bytes of output, so far estimated from names */
	bool wants_nodes;      /* wanted is a number of distinct paths instead */
	uint64_t n_stacks;     /* different ones; 0: no limit */
	bool wants_workers;    /* so many for each process */
	uint64_t written;      /* bytes of a stream */
	uint64_t clock;        /* ns */
	uint32_t **variants;   /* [variant]: symbol of from -> symbol of made, 0: not yet */
	size_t n_variants, cap_variants;
	uint8_t *is_common; /* symbols of from that every variant shares */
	struct stack stack;
	struct buf out;
	struct text *texts; /* of a stream, n_stacks */
	size_t n_texts, cap_texts;
	struct buf text;
};

/* A stack of a stream. */
struct text {
	uint32_t path;  /* of the made profile */
	size_t sample;  /* of from */
	size_t at, len; /* what is the same each time */
};

/* splitmix64: good enough, and the same everywhere. */
static uint64_t next(struct generator *g)
{
	uint64_t z = g->random += 0x9E3779B97F4A7C15u;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

static uint64_t below(struct generator *g, uint64_t n)
{
	return next(g) % n;
}

/* A number that belongs to two others for good. */
static uint64_t mixed(uint64_t a, uint64_t b)
{
	struct generator g = {.random = a * 0xD6E8FEB86659FD93u ^ b};
	return next(&g);
}

static void flush(struct generator *g)
{
	if (fwrite(g->out.data, 1, g->out.len, stdout) != g->out.len) {
		perror("generate");
		exit(1);
	}
	g->out.len = 0;
}

static void flush_if_large(struct generator *g)
{
	if (g->out.len > 1u << 20)
		flush(g);
}

/* ---- names ------------------------------------------------------------------------------------ */

/* Kernel, libc and loader are the same in every program. */
static void mark_common(struct generator *g)
{
	const struct symtab *t = &g->from.symtab;
	g->is_common = mem_zalloc(t->n, 1);
	for (uint32_t i = 0; i < t->n; i++) {
		const char *module = t->symbols[t->symbols[i].module].name;
		g->is_common[i] = module[0] == '\0' || module[0] == '[' || strstr(module, "/libc.") != NULL ||
		                  strstr(module, "/ld-linux") != NULL || t->symbols[i].name[0] == '[';
	}
}

static uint32_t add_variant(struct generator *g, uint32_t sym, uint64_t variant)
{
	const struct symbol *s = &g->from.symtab.symbols[sym];
	struct buf name;
	buf_init(&name);
	buf_add(&name, s->name, s->len);
	if (variant > 0)
		buf_addf(&name, "_%llx", (unsigned long long)variant);
	uint32_t id = symtab_intern(&g->made.symtab, name.data, name.len);
	const struct symbol *module = &g->from.symtab.symbols[s->module];
	uint32_t made_module = symtab_intern(&g->made.symtab, module->name, module->len);
	g->made.symtab.symbols[id].module = made_module;
	buf_deinit(&name);
	return id;
}

/* The made symbol for a symbol of from: its own in a fifth of the variants, else the common one. */
static uint32_t renamed(struct generator *g, uint32_t sym, uint64_t variant)
{
	if (g->is_common[sym] || mixed(sym, variant) % 5 != 0)
		variant = 0;
	while (g->n_variants <= variant)
		mem_push(g->variants, g->n_variants, g->cap_variants, mem_zalloc(g->from.symtab.n, sizeof(uint32_t)));
	uint32_t *slot = &g->variants[variant][sym];
	if (*slot == 0)
		*slot = add_variant(g, sym, variant);
	return *slot;
}

/* ---- stacks ----------------------------------------------------------------------------------- */

static size_t frames_of(const struct profile *p, uint32_t path, uint32_t *frames)
{
	size_t n = profile_depth(p, path);
	while (n > DEPTH_MAX) {
		path = p->parent[path];
		n--;
	}
	for (size_t i = n; i-- > 0; path = p->parent[path])
		frames[i] = p->sym[path];
	return n;
}

/* Puts what `other` has above one of its functions on top of the same function in the stack, if they share one. */
static void cross(struct generator *g, struct stack *s, uint32_t other)
{
	struct stack o;
	o.n = frames_of(&g->from, other, o.frames);
	if (s->n < 2 || o.n < 2)
		return;
	size_t at = 1 + below(g, s->n - 1);
	for (size_t i = o.n; i-- > 1;) {
		if (o.frames[i] != s->frames[at] || at + o.n - i > DEPTH_MAX)
			continue;
		memcpy(&s->frames[at], &o.frames[i], (o.n - i) * sizeof *o.frames);
		s->n = at + o.n - i;
		return;
	}
}

static uint64_t root_of(uint64_t n)
{
	uint64_t r = 0;
	while ((r + 1) * (r + 1) <= n)
		r++;
	return r;
}

/* Fills g->stack; returns the sample of from that it began as. */
static size_t make_stack(struct generator *g)
{
	const struct sample_log *log = &g->from.log[0];
	size_t at = (size_t)below(g, log->n);
	struct stack *s = &g->stack;
	s->n = frames_of(&g->from, log->path[at], s->frames);
	if (below(g, 4) == 0)
		cross(g, s, log->path[below(g, log->n)]);
	/* The smaller of two: early variants stay the more frequent ones. */
	uint64_t variants = 1 + root_of(g->n / log->n * (g->wants_nodes ? 64 : 4));
	uint64_t a = below(g, variants), b = below(g, variants);
	for (size_t i = 0; i < s->n; i++)
		s->frames[i] = renamed(g, s->frames[i], a < b ? a : b);
	g->n++;
	return at;
}

static size_t stack_length(const struct generator *g)
{
	size_t bytes = 0;
	for (size_t i = 0; i < g->stack.n; i++)
		bytes += g->made.symtab.symbols[g->stack.frames[i]].len + 1;
	return bytes;
}

/*
 * Makes samples until the distinct stacks, or the distinct frames, come to the wanted size when written, or number.
 */
static void make_profile(struct generator *g, bool by_frames, size_t per_frame)
{
	while ((g->wants_nodes ? g->made.n_paths : g->size) < g->wanted) {
		size_t at = make_stack(g);
		uint32_t known = g->made.n_paths;
		uint32_t path = profile_path(&g->made, g->stack.frames, g->stack.n);
		struct sample sample = {.weight = g->from.log[0].weight[at] / 1000 + 1, .time = NO_TIME, .cpu = NO_CPU};
		profile_add(&g->made, 0, path, &sample);
		for (uint32_t i = known; by_frames && i < g->made.n_paths; i++)
			g->size += g->made.symtab.symbols[g->made.sym[i]].len + per_frame;
		if (!by_frames && g->made.n_paths > known)
			g->size += stack_length(g) + per_frame * g->stack.n + 6;
	}
}

/* ---- perf ------------------------------------------------------------------------------------- */

static void add_perf_frame(struct generator *g, struct buf *out, uint32_t sym, uint32_t caller, bool is_leaf)
{
	const struct symbol *s = &g->made.symtab.symbols[sym];
	const struct symbol *module = &g->made.symtab.symbols[s->module];
	bool is_kernel = module->name[0] == '[' && module->name[1] == 'k';
	/* A caller always returns to the same place; a leaf may be caught anywhere. */
	uint64_t offset = is_leaf ? below(g, 200) * 4 : mixed(sym, caller) % 3000;
	uint64_t address = (is_kernel ? 0xffffffff81000000u : 0x400000u) + mixed(sym, s->module) % 0x3ffffff;
	buf_addf(out, "\t%16llx ", (unsigned long long)(address + offset));
	if (s->name[0] == '[' && s->len > 0 && s->name[s->len - 1] == ']') {
		buf_adds(out, "[unknown]");
	} else {
		buf_add(out, s->name, s->len);
		buf_addf(out, "+0x%llx", (unsigned long long)offset);
	}
	buf_adds(out, " (");
	buf_adds(out, module->len > 0 ? module->name : "[unknown]");
	buf_adds(out, ")\n");
}

/* The line of a sample of from, with the name of another process unless it is NULL. */
static void add_perf_event(struct generator *g, size_t at, const char *process)
{
	const struct profile *p = &g->from;
	const struct task *task = &p->tasks[log_task(&p->log[0], at)];
	const struct series *series = &p->series[log_series(&p->log[0], at)];
	const char *comm = process ? process : p->symtab.symbols[task->comm].name;
	const char *event = p->symtab.symbols[series->name].name;
	g->clock += 200000 + below(g, 1000000);
	buf_addf(&g->out, "%s %5lld %5llu.%06llu: %10llu %s: \n", comm[0] != '\0' ? comm : "program",
	         (long long)(task->tid > 0 ? task->tid : 1000), (unsigned long long)(g->clock / 1000000000),
	         (unsigned long long)(g->clock / 1000 % 1000000), (unsigned long long)p->log[0].weight[at],
	         event[0] != '\0' ? event : "cycles");
}

static void write_perf(struct generator *g)
{
	for (uint64_t written = 0; written < g->wanted;) {
		size_t before = g->out.len, at = make_stack(g);
		add_perf_event(g, at, NULL);
		/* The collapser has put the process below everything else. */
		for (size_t i = g->stack.n; i-- > 1;)
			add_perf_frame(g, &g->out, g->stack.frames[i], g->stack.frames[i - 1], i + 1 == g->stack.n);
		buf_addc(&g->out, '\n');
		written += g->out.len - before;
		flush_if_large(g);
	}
}

/* ---- one stack a line, or a block -------------------------------------------------------------- */

struct line {
	uint32_t path;
	uint64_t weight;
};

/* The distinct paths with their sums, in the order in which they first came. */
static struct line *sum_paths(const struct profile *p, size_t *n)
{
	struct line *lines = NULL;
	size_t cap = 0;
	uint32_t *line_of = mem_zalloc(p->n_paths, sizeof *line_of);
	*n = 0;
	for (size_t i = 0; i < p->log[0].n; i++) {
		uint32_t path = p->log[0].path[i];
		if (line_of[path] == 0) {
			mem_push(lines, *n, cap, ((struct line){.path = path}));
			line_of[path] = (uint32_t)*n;
		}
		lines[line_of[path] - 1].weight += p->log[0].weight[i];
	}
	free(line_of);
	return lines;
}

/* The first n frames of the stack, and a blank. */
static void add_frames(const struct generator *g, struct buf *out, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct symbol *s = &g->made.symtab.symbols[g->stack.frames[i]];
		if (i > 0)
			buf_addc(out, ';');
		buf_add(out, s->name, s->len);
	}
	buf_addc(out, ' ');
}

static void write_shuffled(struct generator *g)
{
	size_t n;
	make_profile(g, false, 0);
	struct line *lines = sum_paths(&g->made, &n);
	for (size_t i = n; i > 0; i--) {
		size_t pick = (size_t)below(g, i);
		struct line line = lines[pick];
		lines[pick] = lines[i - 1];
		g->stack.n = frames_of(&g->made, line.path, g->stack.frames);
		add_frames(g, &g->out, g->stack.n);
		buf_addu(&g->out, line.weight);
		buf_addc(&g->out, '\n');
		flush_if_large(g);
	}
	free(lines);
}

static const char *module_file(const struct symtab *t, uint32_t sym)
{
	const char *module = t->symbols[t->symbols[sym].module].name;
	const char *slash = strrchr(module, '/');
	return slash != NULL ? slash + 1 : module[0] != '\0' ? module : "program";
}

static void write_dtrace(struct generator *g)
{
	size_t n;
	make_profile(g, false, 32);
	struct line *lines = sum_paths(&g->made, &n);
	buf_adds(&g->out,
	         "CPU     ID                    FUNCTION:NAME\n  0  64091                        :tick-60s\n\n\n");
	for (size_t i = 0; i < n; i++) {
		g->stack.n = frames_of(&g->made, lines[i].path, g->stack.frames);
		for (size_t k = g->stack.n; k-- > 0;) {
			uint32_t sym = g->stack.frames[k];
			buf_addf(&g->out, "              %s`", module_file(&g->made.symtab, sym));
			buf_adds(&g->out, g->made.symtab.symbols[sym].name);
			buf_addf(&g->out, "+0x%llx\n", (unsigned long long)(mixed(sym, i) % 3000));
		}
		buf_addf(&g->out, "%17llu\n\n", (unsigned long long)lines[i].weight);
		flush_if_large(g);
	}
	free(lines);
}

/* ---- indented trees --------------------------------------------------------------------------- */

static void add_sample_row(struct generator *g, const struct tree *t, uint32_t node, uint32_t depth)
{
	static const char marks[] = "+!:|";
	uint32_t sym = t->sym[node];
	buf_adds(&g->out, "    ");
	for (uint32_t i = 0; i + 1 < depth; i++) {
		buf_addc(&g->out, marks[i % 4]);
		buf_addc(&g->out, ' ');
	}
	buf_addu(&g->out, tree_total(t, node));
	buf_addc(&g->out, ' ');
	buf_adds(&g->out, g->made.symtab.symbols[sym].name);
	if (depth > 1)
		buf_addf(&g->out, "  (in %s) + %llu  [0x%llx]", module_file(&g->made.symtab, sym),
		         (unsigned long long)(mixed(sym, node) % 3000),
		         (unsigned long long)(0x100000000u + mixed(sym, 0) % 0xfffffff));
	buf_addc(&g->out, '\n');
}

static void add_vtune_row(struct generator *g, const struct tree *t, uint32_t node, uint32_t depth)
{
	const char *name = g->made.symtab.symbols[t->sym[node]].name;
	const char *quote = strchr(name, ',') != NULL ? "\"" : "";
	buf_pad(&g->out, ' ', depth - 1);
	buf_adds(&g->out, quote);
	buf_adds(&g->out, name);
	buf_addf(&g->out, "%s,", quote);
	number_add_fixed(&g->out, tree_self(t, node), 3);
	buf_addf(&g->out, ",%s\n", module_file(&g->made.symtab, t->sym[node]));
}

static void write_tree(struct generator *g,
                       void (*add_row)(struct generator *, const struct tree *, uint32_t, uint32_t))
{
	struct recipe recipe;
	struct tree tree;
	struct err err;
	recipe_init(&recipe);
	tree_init(&tree);
	if (!fold(&g->made, &recipe, &tree, NULL, &err)) {
		err_print(err.text);
		exit(1);
	}
	uint32_t *depth = mem_zalloc(tree.n, sizeof *depth);
	for (uint32_t i = 1; i < tree.n; i++) {
		depth[i] = depth[tree.parent[i]] + 1;
		add_row(g, &tree, i, depth[i]);
		flush_if_large(g);
	}
	free(depth);
	tree_deinit(&tree);
	recipe_deinit(&recipe);
}

static void write_sample(struct generator *g)
{
	make_profile(g, true, 110);
	buf_adds(&g->out, "Analysis of sampling program (pid 812) every 1 millisecond\n\nCall graph:\n");
	write_tree(g, add_sample_row);
	buf_adds(&g->out, "\nTotal number in stack (recursive counted multiple, when >=5):\n");
}

static void write_vtune(struct generator *g)
{
	make_profile(g, true, 65);
	buf_adds(&g->out, "Function Stack,CPU Time:Self,Module\n");
	write_tree(g, add_vtune_row);
}

/* Folded text in sorted order is a tree in preorder. The rows are sorted by frame, which for names without ';' and
 * bytes below it is the order of the lines. */
static void add_folded_row(struct generator *g, const struct tree *t, uint32_t node, uint32_t depth)
{
	g->stack.frames[depth - 1] = t->sym[node];
	if (tree_self(t, node) == 0)
		return;
	add_frames(g, &g->out, depth);
	buf_addu(&g->out, tree_self(t, node));
	buf_addc(&g->out, '\n');
}

static void write_folded(struct generator *g)
{
	make_profile(g, false, 0);
	write_tree(g, add_folded_row);
}

/* ---- streams ---------------------------------------------------------------------------------- */

#define WORKER_BYTES 100000000u

static void make_stacks(struct generator *g)
{
	uint8_t *is_known = NULL;
	size_t cap = 0, was;
	while (g->n_texts < g->n_stacks) {
		size_t at = make_stack(g);
		uint32_t path = profile_path(&g->made, g->stack.frames, g->stack.n);
		profile_add(&g->made, 0, path, &(struct sample){.weight = 1, .time = NO_TIME, .cpu = NO_CPU});
		if (path >= cap) {
			was = cap;
			is_known = mem_grow(is_known, &cap, (size_t)path + 1, 1);
			memset(is_known + was, 0, cap - was);
		}
		if (!is_known[path])
			mem_push(g->texts, g->n_texts, g->cap_texts, ((struct text){.path = path, .sample = at}));
		is_known[path] = 1;
	}
	free(is_known);
}

/* "": the processes have the names that they have. */
static const char *name_worker(const struct generator *g, uint64_t worker, char *name, size_t size)
{
	snprintf(name, size, "worker_%06llu", (unsigned long long)worker);
	return g->wants_workers ? name : "";
}

static void count_written(struct generator *g, size_t before)
{
	g->written += g->out.len - before;
	flush_if_large(g);
}

static void add_stream_line(struct generator *g, const struct text *t, const char *worker)
{
	size_t before = g->out.len;
	if (*worker) {
		buf_adds(&g->out, worker);
		buf_addc(&g->out, ';');
	}
	buf_add(&g->out, g->text.data + t->at, t->len);
	buf_addu(&g->out, 1 + below(g, 99));
	buf_addc(&g->out, '\n');
	count_written(g, before);
}

static void add_stream_sample(struct generator *g, const struct text *t, const char *worker)
{
	size_t before = g->out.len;
	g->stack.n = frames_of(&g->made, t->path, g->stack.frames);
	add_perf_event(g, t->sample, *worker ? worker : NULL);
	if (g->stack.n > 1)
		add_perf_frame(g, &g->out, g->stack.frames[g->stack.n - 1], g->stack.frames[g->stack.n - 2], true);
	buf_add(&g->out, g->text.data + t->at, t->len);
	buf_addc(&g->out, '\n');
	count_written(g, before);
}

/* Each stack by turns, and between two of them any one: all of them come, some more often. */
static void stream_samples(struct generator *g, uint64_t end, const char *worker,
                           void (*add)(struct generator *, const struct text *, const char *))
{
	for (uint64_t i = 0; g->written < end || i < 2 * g->n_stacks; i++)
		add(g, &g->texts[i % 2 ? below(g, g->n_texts) : i / 2 % g->n_texts], worker);
}

static void stream_sorted(struct generator *g, uint64_t end, const char *worker)
{
	uint64_t length = g->text.len + g->n_texts * (strlen(worker) + 4);
	uint64_t times = (end - g->written + length / 2) / length;
	for (size_t i = 0; i < g->n_texts; i++)
		for (uint64_t k = 0; k < times || k == 0; k++)
			add_stream_line(g, &g->texts[i], worker);
}

/* In the order of the tree. */
static void keep_folded_row(struct generator *g, const struct tree *t, uint32_t node, uint32_t depth)
{
	g->stack.frames[depth - 1] = t->sym[node];
	if (tree_self(t, node) == 0)
		return;
	struct text *text = &g->texts[g->n_texts++];
	text->at = g->text.len;
	add_frames(g, &g->text, depth);
	text->len = g->text.len - text->at;
}

static void render_sorted(struct generator *g)
{
	g->n_texts = 0;
	write_tree(g, keep_folded_row);
}

/* All but the leaf's line, whose address varies. */
static void add_perf_callers(struct generator *g, struct buf *out)
{
	for (size_t i = g->stack.n > 0 ? g->stack.n - 1 : 0; i-- > 1;)
		add_perf_frame(g, out, g->stack.frames[i], g->stack.frames[i - 1], false);
}

static void render_each(struct generator *g, bool is_perf)
{
	for (size_t i = 0; i < g->n_texts; i++) {
		struct text *t = &g->texts[i];
		g->stack.n = frames_of(&g->made, t->path, g->stack.frames);
		t->at = g->text.len;
		if (is_perf)
			add_perf_callers(g, &g->text);
		else
			add_frames(g, &g->text, g->stack.n);
		t->len = g->text.len - t->at;
	}
}

static void stream(struct generator *g, bool is_perf, bool is_sorted)
{
	char name[32];
	uint64_t worker = 0;
	make_stacks(g);
	if (is_sorted)
		render_sorted(g);
	else
		render_each(g, is_perf);
	for (; worker == 0 || (g->wants_workers && g->written < g->wanted); worker++) {
		uint64_t end = g->wants_workers ? g->written + WORKER_BYTES : g->wanted;
		const char *of = name_worker(g, worker, name, sizeof name);
		if (is_sorted)
			stream_sorted(g, end < g->wanted ? end : g->wanted, of);
		else
			stream_samples(g, end < g->wanted ? end : g->wanted, of, is_perf ? add_stream_sample : add_stream_line);
	}
	flush(g);
	fprintf(stderr, "%llu\t%llu\n", (unsigned long long)(worker * g->n_stacks), (unsigned long long)g->written);
}

static void stream_perf(struct generator *g)
{
	stream(g, true, false);
}

static void stream_folded(struct generator *g)
{
	stream(g, false, true);
}

static void stream_shuffled(struct generator *g)
{
	stream(g, false, false);
}

/* ---- main ------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*write)(struct generator *);
	void (*stream)(struct generator *); /* NULL: cannot be asked for */
	bool has_nodes;
} formats[] = {
	{"perf", write_perf, stream_perf, false},
	{"folded", write_folded, stream_folded, true},
	{"shuffled", write_shuffled, stream_shuffled, true},
	{"dtrace", write_dtrace, NULL, true},
	{"sample", write_sample, NULL, true},
	{"vtune", write_vtune, NULL, true},
};

/* BYTES, NODESn, BYTES/STACKS or BYTES+STACKS. */
static bool take_size(struct generator *g, const char *s)
{
	size_t digits = strspn(s, "0123456789");
	const char *stacks = s + digits + 1;
	if (!number_u64(s, digits, &g->wanted))
		return false;
	g->wants_nodes = strcmp(s + digits, "n") == 0;
	g->wants_workers = s[digits] == '+';
	if (g->wants_nodes || s[digits] == '\0')
		return true;
	return (g->wants_workers || s[digits] == '/') && number_u64(stacks, strlen(stacks), &g->n_stacks) &&
	       g->n_stacks > 0;
}

static void generate(struct generator *g, void (*write)(struct generator *), const char *from)
{
	struct load_input input = {.path = from, .fd = -1};
	struct collapse_options options = {.jobs = 1};
	struct err err;

	profile_init(&g->from);
	profile_init(&g->made);
	profile_series(&g->made, 0, 0);
	buf_init(&g->out);
	buf_init(&g->text);
	if (!load_all(&g->from, &input, 1, &options, &err)) {
		err_print(err.text);
		exit(1);
	}
	mark_common(g);
	write(g);
	flush(g);
	for (size_t i = 0; i < g->n_variants; i++)
		free(g->variants[i]);
	free(g->variants);
	free(g->texts);
	buf_deinit(&g->text);
	free(g->is_common);
	buf_deinit(&g->out);
	profile_deinit(&g->made);
	profile_deinit(&g->from);
}

int main(int argc, char **argv)
{
	struct generator *g = mem_zalloc(1, sizeof *g);
	g->random = 1;
	bool is_valid = (argc == 4 || argc == 5) && take_size(g, argv[2]) &&
	                (argc == 4 || number_u64(argv[4], strlen(argv[4]), &g->random));
	for (size_t i = 0; is_valid && i < sizeof formats / sizeof *formats; i++) {
		if (strcmp(argv[1], formats[i].name) != 0 || (g->wants_nodes && !formats[i].has_nodes) ||
		    (g->n_stacks && !formats[i].stream))
			continue;
		generate(g, g->n_stacks ? formats[i].stream : formats[i].write, argv[3]);
		free(g);
		return fflush(stdout) == 0 ? 0 : 1;
	}
	free(g);
	fputs(
		"usage: generate perf|folded|shuffled|dtrace|sample|vtune BYTES|NODESn|BYTES/STACKS|BYTES+STACKS FROM [SEED]\n"
		"(perf has no NODESn; dtrace, sample and vtune have no STACKS)\n",
		stderr);
	return 2;
}
