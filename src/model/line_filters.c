/*
 * line_filters.c - takes the sites of frames that filters have taken out of stacks.
 *
 * A fold maps whole paths, and does not tell which frames of one are left: a function may be on it twice. So each
 * recorded path goes through the filters of filter.c again, frame by frame, with the sites that belong to it. What
 * becomes of a path depends on its parent's and on its own frame, so each pair of a path and a node of sites is
 * looked at once. Recursion that is merged keeps the lines of all its frames.
 */
#include "line_filters.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "filter_frames.h"
#include "match.h"

#define MOST_CUTS 32u /* filters of which a state tells whether they have matched; more do not cut lines */

struct step {
	enum filter_kind kind;
	const struct symset *set;
	uint32_t bit; /* 0: a filter that does not cut */
};

/* What filters made of a stack up to a frame. */
struct state {
	uint32_t node;    /* of the sites that are left */
	uint32_t matched; /* bits of filters */
};

/* A path, and the node of its sites. */
struct pair {
	uint32_t path, node;
	struct state last;     /* no function of the language follows (filter_frames.c) */
	struct state followed; /* one does */
	bool is_in_language;
};

struct line_filters {
	struct folding *folding;
	const struct profile *profile;
	struct step *steps;
	size_t n_steps, cap_steps;
	uint8_t *roles; /* by symbol, enum frame_role; NULL: no frame is left out by its kind */
	struct sites *shown;
	uint32_t *copies; /* by node of the profile: its copy in `shown`, 0: none yet; NULL: none has one */
	struct pair *pairs;
	size_t n_pairs, cap_pairs;
	struct map ids;
	struct pair *way; /* from a pair up to one that is known */
	size_t n_way, cap_way;
	uint64_t looks;
};

/* ---- the filters --------------------------------------------------------------------------------------------- */

static bool takes_frames(enum filter_kind kind)
{
	return kind == FILTER_HIDE || kind == FILTER_SHOW || kind == FILTER_BASE || kind == FILTER_CALLERS ||
	       kind == FILTER_CALLEES;
}

static bool is_cut(enum filter_kind kind)
{
	return kind == FILTER_BASE || kind == FILTER_CALLERS || kind == FILTER_CALLEES;
}

/* Consecutive filters of --base have one set, that of the last. */
static void add_steps(struct line_filters *x)
{
	const struct recipe *r = x->folding->recipe;
	unsigned n_cuts = 0;
	for (size_t i = 0; i < r->n_filters; i++) {
		enum filter_kind kind = r->filters[i].kind;
		bool is_joined = kind == FILTER_BASE && i + 1 < r->n_filters && r->filters[i + 1].kind == FILTER_BASE;
		if (!takes_frames(kind) || is_joined || (is_cut(kind) && n_cuts == MOST_CUTS))
			continue;
		struct step step = {kind, &x->folding->sets[i], is_cut(kind) ? UINT32_C(1) << n_cuts++ : 0};
		mem_push(x->steps, x->n_steps, x->cap_steps, step);
	}
}

/* Does the frame get through the filter? */
static bool gets_through(const struct step *f, struct state *s, uint32_t sym)
{
	bool is_match = symset_has(f->set, sym), has_matched = s->matched & f->bit;
	s->matched |= is_match ? f->bit : 0;
	switch (f->kind) {
	case FILTER_HIDE:
		return !is_match;
	case FILTER_SHOW:
		return is_match;
	case FILTER_CALLERS:
		return !has_matched;
	case FILTER_CALLEES:
		return has_matched || is_match;
	case FILTER_BASE: /* the stack begins anew */
		if (is_match)
			*s = (struct state){NO_SITE, s->matched & (f->bit | (f->bit - 1))};
		return has_matched || is_match;
	case FILTER_FOCUS:
	case FILTER_IGNORE:
	case FILTER_TAGFOCUS:
	case FILTER_TAGIGNORE:
	case FILTER_RECURSION:
		break;
	}
	return true;
}

/* site: of the frame; UINT32_MAX: none. */
static struct state add_frame(const struct line_filters *x, struct state s, uint32_t sym, uint32_t site)
{
	for (size_t i = 0; i < x->n_steps; i++)
		if (!gets_through(&x->steps[i], &s, sym))
			return s;
	if (site != UINT32_MAX)
		s.node = sites_child(x->shown, s.node, site);
	return s;
}

/* As set_places() in filter_frames.c. */
static void add_to_pair(const struct line_filters *x, struct pair *p, uint32_t sym, uint32_t site)
{
	enum frame_role role = x->roles ? (enum frame_role)x->roles[sym] : ROLE_OTHER;
	if (role == ROLE_LANGUAGE) {
		p->last = p->followed = add_frame(x, p->followed, sym, site);
		p->is_in_language = true;
	} else if (role != ROLE_GONE && !(role == ROLE_UNNAMED && p->is_in_language)) {
		p->last = add_frame(x, p->last, sym, site);
		if (role == ROLE_OTHER)
			p->followed = x->roles ? add_frame(x, p->followed, sym, site) : p->last;
	}
}

/* ---- pairs --------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const struct pair *p)
{
	return hash_key((uint64_t)p->path << 32 | p->node);
}

static const struct pair *find(const struct line_filters *x, const struct pair *key)
{
	MAP_EACH(&x->ids, hash_of(key), i)
	if (x->pairs[i].path == key->path && x->pairs[i].node == key->node)
		return &x->pairs[i];
	return NULL;
}

/* The site of the path's last frame; UINT32_MAX: it has none. */
static uint32_t site_of(const struct line_filters *x, const struct pair *p)
{
	const struct sites *s = x->profile->sites;
	const struct symtab *t = &x->profile->symtab;
	if (p->node == NO_SITE)
		return UINT32_MAX;
	uint32_t site = s->site[p->node];
	return symtab_plain(t, s->v[site].sym) == symtab_plain(t, x->profile->sym[p->path]) ? site : UINT32_MAX;
}

static struct pair parent_of(const struct line_filters *x, const struct pair *p)
{
	bool has_site = site_of(x, p) != UINT32_MAX;
	return (struct pair){.path = x->profile->parent[p->path],
	                     .node = has_site ? x->profile->sites->parent[p->node] : p->node};
}

/* The node with all that it is below, which no filter takes out. */
static uint32_t copy_of(struct line_filters *x, uint32_t node)
{
	const struct sites *s = x->profile->sites;
	uint32_t *way = NULL, i = node;
	size_t n = 0, cap = 0;
	if (!x->copies)
		x->copies = mem_zalloc(s->n_nodes, sizeof *x->copies);
	for (; i != NO_SITE && !x->copies[i]; i = s->parent[i])
		mem_push(way, n, cap, i);
	uint32_t copy = x->copies[i];
	while (n > 0) {
		uint32_t next = way[--n];
		copy = x->copies[next] = sites_child(x->shown, copy, s->site[next]);
	}
	free(way);
	return copy;
}

/* Sites that no frame of the path has stay at its beginning. */
static struct pair begin_pair(struct line_filters *x, uint32_t node)
{
	struct pair p = {.node = node};
	p.last.node = p.followed.node = node == NO_SITE ? NO_SITE : copy_of(x, node);
	return p;
}

/* What is left of the entry's sites. */
static uint32_t node_of(struct line_filters *x, const struct line_entry *e)
{
	struct pair at = {.path = e->raw, .node = e->node};
	const struct pair *known = NULL;
	for (x->n_way = 0; at.path != PATH_ROOT && !(known = find(x, &at)); at = parent_of(x, &at))
		mem_push(x->way, x->n_way, x->cap_way, at);
	struct pair p = known ? *known : begin_pair(x, at.node);
	while (x->n_way > 0) {
		at = x->way[--x->n_way];
		uint32_t sym = x->profile->sym[at.path], site = site_of(x, &at);
		p.path = at.path;
		p.node = at.node;
		add_to_pair(x, &p, sym, site);
		map_add(&x->ids, hash_of(&p), (uint32_t)x->n_pairs);
		mem_push(x->pairs, x->n_pairs, x->cap_pairs, p);
		x->looks++;
	}
	return p.last.node;
}

/* ---- all of them --------------------------------------------------------------------------------------------- */

static struct sites *borrow(const struct sites *of)
{
	struct sites *s = sites_new();
	s->v = of->v;
	s->n = of->n;
	s->codes = of->codes;
	s->n_codes = of->n_codes;
	s->are_of_names = of->are_of_names;
	return s;
}

void line_filters_free(struct sites *shown)
{
	if (!shown)
		return;
	shown->v = NULL;
	shown->codes = NULL;
	sites_free(shown);
}

static bool apply(struct line_filters *x, struct line_samples *samples)
{
	bool goes_on = true;
	for (size_t i = 0; i < samples->n && goes_on; i++) {
		uint64_t before = x->looks;
		samples->v[i].node = node_of(x, &samples->v[i]);
		bool is_long = x->looks >> 16 != before >> 16;
		goes_on = (!EVERY(i) && !is_long) || folding_goes_on(x->folding, 0);
	}
	return goes_on;
}

bool line_filters_apply(struct folding *w, struct line_samples *samples, struct sites **shown)
{
	const struct profile *p = w->profile;
	struct line_filters x = {.folding = w, .profile = p};
	bool goes_on = true;
	*shown = NULL;
	add_steps(&x);
	if (p->sites && (x.n_steps || p->symtab.has_languages)) {
		x.roles = p->symtab.has_languages ? filter_frames_roles(w->recipe->frames, &p->symtab) : NULL;
		x.shown = *shown = borrow(p->sites);
		map_init(&x.ids, 64);
		goes_on = apply(&x, samples);
	}
	free(x.steps);
	free(x.roles);
	free(x.pairs);
	free(x.copies);
	free(x.way);
	map_deinit(&x.ids);
	return goes_on;
}
