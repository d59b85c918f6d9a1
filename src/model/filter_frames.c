/*
 * filter_frames.c - chooses frames of stacks in which an interpreter runs functions of its language.
 *
 *	recorded  main run LOOP parse call LOOP read file_read kernel
 *	program   parse read file_read kernel
 *	all       main run parse call read file_read kernel
 *	language  parse read
 *	native    main run LOOP call LOOP file_read kernel
 *
 * Here parse and read are functions of the language; main, run, call and file_read are native functions of
 * the interpreter.
 *
 * `program` leaves out the interpreter's own functions by which one function of the language gets to the next,
 * but not those that the innermost one calls. So the place of a path depends on whether a function of the
 * language follows: it has one place for each case. It also leaves out frames of the interpreter without a symbol,
 * such as [lua5.4], after a function of the language: the time is that function's.
 */
#include "filter_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "origin.h"

/* Is a frame of this kind left out? Frames of unknown kind are no functions, but those of --split. */
static bool is_left_out(enum frames_shown shown, enum frame_kind kind)
{
	switch (shown) {
	case FRAMES_PROGRAM:
	case FRAMES_ALL:
		return kind == KIND_LOOP || kind == KIND_REPLACED;
	case FRAMES_LANGUAGE:
		return kind != KIND_UNKNOWN && kind != KIND_PROCESS && kind != KIND_LANGUAGE;
	case FRAMES_NATIVE:
		return kind == KIND_LANGUAGE;
	}
	return false;
}

static bool is_same_module(const struct symtab *t, uint32_t a, uint32_t b)
{
	size_t n, m;
	const char *first = origin_base(t->symbols[a].name, t->symbols[a].len, &n);
	const char *second = origin_base(t->symbols[b].name, t->symbols[b].len, &m);
	return n == m && memcmp(first, second, n) == 0;
}

/* Is a frame of this name, "[lua5.4]", one of a module without a symbol? */
static bool is_unnamed(const struct symtab *t, const struct symbol *s)
{
	size_t n;
	const char *module = origin_base(t->symbols[s->module].name, t->symbols[s->module].len, &n);
	return s->module && s->len == n + 2 && s->name[0] == '[' && s->name[n + 1] == ']' &&
	       memcmp(s->name + 1, module, n) == 0;
}

/* Does it tell that its module is an interpreter? One without symbols has no loop that is known as such. */
static bool is_of_interpreter(const struct symtab *t, const struct symbol *s)
{
	return s->module && (s->kind == KIND_LOOP || (s->kind == KIND_REPLACED && is_unnamed(t, s)));
}

/* Is this module one of those? */
static bool is_in(const struct symtab *t, const uint32_t *modules, size_t n, uint32_t module)
{
	size_t i = 0;
	while (i < n && !is_same_module(t, modules[i], module))
		i++;
	return i < n;
}

/* Returns a byte for each symbol: is it the name of an interpreter's module? */
static uint8_t *find_interpreters(const struct symtab *t)
{
	uint8_t *is_one = mem_zalloc(t->n, 1), *is_known = mem_zalloc(t->n, 1);
	uint32_t *modules = NULL;
	size_t n = 0, cap = 0;
	is_known[0] = 1;
	for (size_t i = 0; i < t->n; i++)
		if (is_of_interpreter(t, &t->symbols[i]) && !is_in(t, modules, n, t->symbols[i].module))
			mem_push(modules, n, cap, t->symbols[i].module);
	for (size_t i = 0; i < t->n; i++) {
		uint32_t module = t->symbols[i].module;
		if (!is_known[module])
			is_one[module] = is_in(t, modules, n, module);
		is_known[module] = 1;
	}
	free(modules);
	free(is_known);
	return is_one;
}

static enum frame_role role_of(enum frames_shown shown, const struct symtab *t, const struct symbol *s,
                               const uint8_t *is_interpreter)
{
	if (is_left_out(shown, (enum frame_kind)s->kind))
		return ROLE_GONE;
	if (s->kind == KIND_LANGUAGE)
		return ROLE_LANGUAGE;
	bool is_native = s->kind == KIND_USER || s->kind == KIND_INLINED;
	if (shown != FRAMES_PROGRAM || !is_native || !is_interpreter[s->module])
		return ROLE_OTHER;
	return is_unnamed(t, s) ? ROLE_UNNAMED : ROLE_INTERPRETER;
}

uint8_t *filter_frames_roles(enum frames_shown shown, const struct symtab *t)
{
	uint8_t *roles = mem_alloc(t->n), *is_interpreter = find_interpreters(t);
	for (size_t i = 0; i < t->n; i++)
		roles[i] = (uint8_t)role_of(shown, t, &t->symbols[i], is_interpreter);
	free(is_interpreter);
	return roles;
}

/* Which of its two places a path needs. */
enum { NEEDS_LAST = 1, NEEDS_FOLLOWED = 2 };

struct places {
	uint8_t *roles, *needs;
	uint8_t *is_in_language; /* is there a function of the language in the path? */
	uint32_t *last;          /* no function of the language follows */
	uint32_t *followed;      /* one does */
};

static void find_needs(const struct trie *s, struct places *p)
{
	for (uint32_t i = s->n - 1; i > 0 && !TRIE_STOPS(s, i); i--) {
		if (s->is_used[i])
			p->needs[i] |= NEEDS_LAST;
		if (p->needs[i])
			p->needs[s->parent[i]] |= p->roles[s->sym[i]] == ROLE_LANGUAGE ? NEEDS_FOLLOWED : p->needs[i];
	}
}

static void set_places(struct places *p, struct trie *to, uint32_t i, uint32_t up, uint32_t sym)
{
	enum frame_role role = (enum frame_role)p->roles[sym];
	uint32_t last = p->last[up], followed = p->followed[up];
	bool is_in_language = p->is_in_language[up];
	if (role == ROLE_LANGUAGE) {
		is_in_language = true;
		last = followed = p->needs[i] ? trie_child(to, followed, sym) : followed;
	} else if (role != ROLE_GONE && !(role == ROLE_UNNAMED && is_in_language)) {
		last = p->needs[i] & NEEDS_LAST ? trie_child(to, last, sym) : last;
		if (role == ROLE_OTHER && p->needs[i] & NEEDS_FOLLOWED)
			followed = trie_child(to, followed, sym);
	}
	p->is_in_language[i] = is_in_language;
	p->last[i] = last;
	p->followed[i] = followed;
}

bool filter_frames_map(struct folding *w, uint32_t *map, struct trie *to)
{
	const struct trie *s = &w->trie;
	struct places p = {.roles = filter_frames_roles(w->recipe->frames, &w->profile->symtab),
	                   .needs = mem_zalloc(s->n, 1),
	                   .is_in_language = mem_zalloc(s->n, 1),
	                   .last = map,
	                   .followed = mem_alloc(s->n * sizeof *p.followed)};
	bool goes_on = true;
	find_needs(s, &p);
	p.last[0] = p.followed[0] = PATH_ROOT;
	for (uint32_t i = 1; i < s->n && goes_on; i++) {
		set_places(&p, to, i, s->parent[i], s->sym[i]);
		goes_on = !EVERY(i) || folding_goes_on(w, 0x10000);
	}
	free(p.roles);
	free(p.needs);
	free(p.is_in_language);
	free(p.followed);
	return goes_on;
}
