/*
 * palette.c - from a name to a colour.
 *
 * Colours of the classic palettes put three fractions v1, v2, v3 into a range per component:
 *
 *	hot      205 + 50 v3 | 0 + 230 v1 | 0 + 55 v2
 *
 * The fractions come from the name (two hashes) or from a generator. Other flame graph renderers compute in 32-bit
 * floats, and a profile should get the same colours here, hence float throughout and no fused multiply-adds
 * (Makefile). java, js, perl, python, rust and chain first choose a basic palette by the form of the name.
 *
 * The terminal has palettes of our own, from a 64-bit hash of the whole name: the classic hash sees only the first
 * three letters.
 */
#include "palette.h"

#include <math.h>
#include <string.h>

#include "base/find.h"

#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

enum whose { OWN, CLASSIC };

struct palette_row {
	const char *name, *help;
	enum whose whose;
	const char *page;
	int turn;
};

#define PALETTE_ROW(KIND, name, help, whose, page, turn) [PALETTE_##KIND] = {name, help, whose, page, turn},

static const struct palette_row palette_rows[N_PALETTES] = {PALETTES(PALETTE_ROW)};

int palette_by_name(const char *name)
{
	for (int i = 0; i < N_PALETTES; i++)
		if (strcmp(palette_rows[i].name, name) == 0)
			return i;
	return -1;
}

const char *palette_name(enum palette p)
{
	return palette_rows[p].name;
}

const char *palette_help(enum palette p)
{
	return palette_rows[p].help;
}

bool palette_has_kinds(enum palette p)
{
	switch (p) {
	case PALETTE_JAVA:
	case PALETTE_JS:
	case PALETTE_PERL:
	case PALETTE_PYTHON:
	case PALETTE_RUST:
	case PALETTE_CHAIN:
	case PALETTE_KIND:
		return true;
	default:
		return false;
	}
}

bool palette_is_for_svg(enum palette p)
{
	return palette_rows[p].whose == CLASSIC;
}

const char *palette_page(enum palette p)
{
	return palette_rows[p].page;
}

static bool comes_before(enum palette a, enum palette b)
{
	int x = palette_rows[a].turn, y = palette_rows[b].turn;
	return x != y ? x < y : a < b;
}

enum palette palette_next(enum palette p)
{
	enum palette first = 0, next = N_PALETTES;
	for (enum palette i = 0; i < N_PALETTES; i++) {
		if (comes_before(i, first))
			first = i;
		if (comes_before(p, i) && (next == N_PALETTES || comes_before(i, next)))
			next = i;
	}
	return next == N_PALETTES ? first : next;
}

double color_rng_next(struct color_rng *rng)
{
	uint64_t x = rng->state;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	rng->state = x;
	return (double)(x >> 11) * 0x1p-53;
}

/* --- sources of the fractions --- */

struct fractions {
	float v1, v2, v3;
};

/* Reads a name forwards or backwards. */
struct letters {
	const unsigned char *name;
	size_t len;
	bool is_backwards;
};

static unsigned char letter(const struct letters *l, size_t i)
{
	return l->is_backwards ? l->name[l->len - 1 - i] : l->name[i];
}

/* Skips a module: the text before the first back-quote, unless it is empty. */
static size_t after_module(const struct letters *l)
{
	const unsigned char *first = NULL;
	if (l->len > 1 && l->is_backwards)
		first = find_last(l->name, '`', l->len - 1);
	else if (l->len > 1)
		first = memchr(l->name + 1, '`', l->len - 1);
	if (!first)
		return 0;
	return (size_t)(l->is_backwards ? l->name + l->len - first : first - l->name + 1);
}

static float name_fraction(struct letters l)
{
	float vector = 0, weight = 1, max = 1;
	unsigned modulus = 10;
	size_t from = after_module(&l);
	for (size_t i = from; i < l.len && i < from + 3; i++) {
		float digit = (float)(letter(&l, i) % modulus);
		vector += (digit / (float)(modulus - 1)) * weight;
		modulus++;
		max += weight;
		weight *= 0.70f;
	}
	return 1.0f - vector / max;
}

static uint64_t fnv1a(const char *name, size_t len)
{
	uint64_t h = FNV_OFFSET;
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)name[i]) * FNV_PRIME;
	return h;
}

static float hash_fraction(uint64_t h)
{
	return (float)((double)h / 0x1p64);
}

static struct fractions find_fractions(enum color_source source, const char *name, size_t len,
                                       struct color_rng *rng)
{
	const unsigned char *bytes = (const unsigned char *)name;
	struct fractions f;
	if (source == COLOR_RANDOM && rng) {
		f.v1 = (float)color_rng_next(rng);
		f.v2 = (float)color_rng_next(rng);
		f.v3 = (float)color_rng_next(rng);
	} else if (source == COLOR_DETERMINISTIC) {
		uint64_t h = fnv1a(name, len);
		f.v1 = hash_fraction(h);
		f.v2 = hash_fraction(h *= FNV_PRIME);
		f.v3 = hash_fraction(h * FNV_PRIME);
	} else {
		f.v1 = name_fraction((struct letters){bytes, len, false});
		f.v2 = f.v3 = name_fraction((struct letters){bytes, len, true});
	}
	return f;
}

/* --- basic palettes --- */

static uint8_t component(float base, float span, float v)
{
	return (uint8_t)(base + truncf(span * v));
}

static struct rgb basic_color(enum palette p, struct fractions f)
{
	float v = f.v1;
	uint8_t a;
	switch (p) {
	case PALETTE_HOT:
		return (struct rgb){component(205, 50, f.v3), component(0, 230, f.v1), component(0, 55, f.v2)};
	case PALETTE_MEM:
		return (struct rgb){0, component(190, 50, f.v2), component(0, 210, f.v1)};
	case PALETTE_IO:
		a = component(80, 60, v);
		return (struct rgb){a, a, component(190, 55, f.v2)};
	case PALETTE_GREEN:
		a = component(50, 60, v);
		return (struct rgb){a, component(200, 55, v), a};
	case PALETTE_BLUE:
		a = component(80, 60, v);
		return (struct rgb){a, a, component(205, 50, v)};
	case PALETTE_YELLOW:
		a = component(175, 55, v);
		return (struct rgb){a, a, component(50, 20, v)};
	case PALETTE_PURPLE:
		a = component(190, 65, v);
		return (struct rgb){a, component(80, 60, v), a};
	case PALETTE_AQUA:
		a = component(165, 55, v);
		return (struct rgb){component(50, 60, v), a, a};
	case PALETTE_ORANGE:
		return (struct rgb){component(190, 65, v), component(90, 65, v), 0};
	default: /* PALETTE_RED */
		a = component(50, 80, v);
		return (struct rgb){component(200, 55, v), a, a};
	}
}

/* --- palettes that depend on the form of the name --- */

struct text {
	const char *s;
	size_t len;
};

static bool begins(struct text t, const char *with)
{
	size_t n = strlen(with);
	return t.len >= n && memcmp(t.s, with, n) == 0;
}

static bool ends(struct text t, const char *with)
{
	size_t n = strlen(with);
	return t.len >= n && memcmp(t.s + t.len - n, with, n) == 0;
}

static bool holds(struct text t, const char *what)
{
	return t.len && find_bytes(t.s, t.len, what, strlen(what));
}

static enum palette java_hue(struct text t)
{
	if (ends(t, "_[k]"))
		return PALETTE_ORANGE;
	if (ends(t, "_[i]"))
		return PALETTE_AQUA;
	if (ends(t, "_[j]"))
		return PALETTE_GREEN;
	if (holds(t, "::") || begins(t, "-[") || begins(t, "+["))
		return PALETTE_YELLOW;
	if (begins(t, "L"))
		t = (struct text){t.s + 1, t.len - 1};
	if (holds(t, "/") || (holds(t, ".") && !begins(t, "[")))
		return PALETTE_GREEN;
	return t.len && t.s[0] >= 'A' && t.s[0] <= 'Z' ? PALETTE_GREEN : PALETTE_RED;
}

static bool is_blank(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (!strchr(" \t\n\v\f\r", t.s[i]) || !t.s[i])
			return false;
	return t.len > 0;
}

static enum palette js_hue(struct text t)
{
	if (is_blank(t))
		return PALETTE_GREEN;
	if (ends(t, "_[k]"))
		return PALETTE_ORANGE;
	if (ends(t, "_[j]"))
		return holds(t, "/") ? PALETTE_GREEN : PALETTE_AQUA;
	if (holds(t, "::"))
		return PALETTE_YELLOW;
	if (holds(t, ":"))
		return PALETTE_AQUA;
	const char *slash = t.len ? memchr(t.s, '/', t.len) : NULL;
	if (!slash)
		return PALETTE_RED;
	struct text path = {slash, t.len - (size_t)(slash - t.s)};
	if (holds(path, "node_modules/"))
		return PALETTE_PURPLE;
	return holds(path, ".js") ? PALETTE_GREEN : PALETTE_RED;
}

static enum palette perl_hue(struct text t)
{
	if (ends(t, "_[k]"))
		return PALETTE_ORANGE;
	if (holds(t, "Perl") || holds(t, ".pl"))
		return PALETTE_GREEN;
	return holds(t, "::") ? PALETTE_YELLOW : PALETTE_RED;
}

/* "python", "python3.11", "Python" */
static bool is_python_directory(struct text t)
{
	if (!begins(t, "python") && !begins(t, "Python"))
		return false;
	for (size_t i = strlen("python"); i < t.len; i++)
		if (t.s[i] != '.' && (t.s[i] < '0' || t.s[i] > '9'))
			return false;
	return true;
}

static enum palette python_hue(struct text t)
{
	bool is_library = false;
	for (size_t from = 0, i = 0; i <= t.len; i++) {
		if (i < t.len && t.s[i] != '/' && t.s[i] != '\\')
			continue;
		struct text part = {t.s + from, i - from};
		if (part.len == strlen("site-packages") && begins(part, "site-packages"))
			return PALETTE_AQUA;
		is_library = is_library || is_python_directory(part);
		from = i + 1;
	}
	if (is_library || begins(t, "<built-in") || begins(t, "<method") || begins(t, "<frozen"))
		return PALETTE_YELLOW;
	return PALETTE_RED;
}

static enum palette rust_hue(struct text t)
{
	const char *quote = t.len ? memchr(t.s, '`', t.len) : NULL;
	if (quote)
		t = (struct text){quote + 1, t.len - (size_t)(quote + 1 - t.s)};
	if (begins(t, "core::") || begins(t, "std::") || begins(t, "alloc::") || begins(t, "<std::") ||
	    begins(t, "<alloc::"))
		return PALETTE_ORANGE;
	/* The body of an async function is user code, although the wrapper is generated. */
	if (begins(t, "<core::") && !begins(t, "<core::future::from_generator::GenFuture<T>"))
		return PALETTE_ORANGE;
	return holds(t, "::") ? PALETTE_AQUA : PALETTE_YELLOW;
}

static enum palette hue_of(enum palette p, struct text t)
{
	switch (p) {
	case PALETTE_JAVA:
		return java_hue(t);
	case PALETTE_JS:
		return js_hue(t);
	case PALETTE_PERL:
		return perl_hue(t);
	case PALETTE_PYTHON:
		return python_hue(t);
	case PALETTE_RUST:
		return rust_hue(t);
	case PALETTE_WAKEUP:
		return PALETTE_AQUA;
	case PALETTE_CHAIN:
		return ends(t, "_[w]") ? PALETTE_AQUA : PALETTE_BLUE;
	default:
		return p;
	}
}

/* Why a thread is off the CPU must be seen at once, in any palette. */
static bool is_state(const char *name, size_t len, struct rgb *color)
{
	if (!frame_is_state(name, len))
		return false;
	*color = len == strlen(FRAME_BLOCKED) ? (struct rgb){120, 150, 255} : (struct rgb){200, 140, 255};
	return true;
}

struct rgb palette_color(enum palette p, enum color_source source, const char *name, size_t len,
                         struct color_rng *rng)
{
	struct rgb state;
	if (is_state(name, len, &state))
		return state;
	/* Frames of dashes separate the parts of a stack (off-CPU and waker, user and kernel). */
	if (len == 2 && memcmp(name, "--", 2) == 0)
		return (struct rgb){160, 160, 160};
	if (len == 1 && name[0] == '-')
		return (struct rgb){200, 200, 200};
	return basic_color(hue_of(p, (struct text){name, len}), find_fractions(source, name, len, rng));
}

/* --- differences and shares --- */

struct rgb palette_diff(int64_t v, uint64_t max)
{
	uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	__extension__ typedef unsigned __int128 wide;

	if (!v)
		return (struct rgb){250, 250, 250};
	if (size > max)
		size = max;
	uint8_t c = (uint8_t)(100 + (uint8_t)((wide)150 * (max - size) / max));
	return v > 0 ? (struct rgb){255, c, c} : (struct rgb){c, c, 255};
}

struct rgb palette_change(double part, bool is_noise, bool is_few)
{
	double size = fmin(fabs(part), 1);
	if (!(size > 0))
		return (struct rgb){250, 250, 250};
	if (is_few && is_noise)
		return (struct rgb){229, 229, 229};
	if (is_few && part > 0)
		return size < 0.25 ? (struct rgb){255, 0, 0} : (struct rgb){205, 0, 0};
	if (is_few)
		return size < 0.25 ? (struct rgb){92, 92, 255} : (struct rgb){0, 0, 238};
	uint8_t c = is_noise ? 230 : (uint8_t)(200 - 120 * sqrt(size));
	return part > 0 ? (struct rgb){255, c, c} : (struct rgb){c, c, 255};
}

struct rgb palette_diffusion(double share)
{
	return palette_diff((int64_t)trunc(sqrt(share) * 2000), 2000);
}

/* --- palettes for the terminal --- */

/* A point on a polyline of colours, t in [0, 1]. */
static struct rgb ramp(const struct rgb *stops, unsigned n, float t)
{
	float at = t * (float)(n - 1);
	unsigned i = (unsigned)at;
	if (i >= n - 1)
		return stops[n - 1];
	float part = at - (float)i;
	const struct rgb *a = &stops[i], *b = &stops[i + 1];
	return (struct rgb){
		(uint8_t)((float)a->r + part * ((float)b->r - (float)a->r)),
		(uint8_t)((float)a->g + part * ((float)b->g - (float)a->g)),
		(uint8_t)((float)a->b + part * ((float)b->b - (float)a->b)),
	};
}

/*
 * Lightness rises from the blue end to the yellow end, so that neighbours differ even where hue does not help; the
 * darkest stop still has a contrast above 6:1 to black text.
 */
static const struct rgb safe_stops[] = {
	{104, 148, 214}, {132, 172, 205}, {172, 192, 190}, {208, 205, 160}, {236, 215, 116}, {255, 234, 70},
};

static const struct rgb share_stops[] = {
	{255, 250, 215}, {255, 226, 140}, {252, 178, 90}, {243, 122, 72}, {226, 74, 60},
};

/* A pale colour, good under black text. hue in [0, 1), light in [0, 1], 1 is lightest. */
static struct rgb pale(float hue, float light)
{
	float sector = hue * 6, c[3];
	for (int i = 0; i < 3; i++) {
		float d = fabsf(fmodf(sector + (i == 0 ? 3.0f : i == 1 ? 1.0f : 5.0f), 6.0f) - 3.0f) - 1.0f;
		d = d < 0 ? 0 : d > 1 ? 1 : d;
		c[i] = 255.0f * (light + (1.0f - light) * d);
	}
	return (struct rgb){(uint8_t)c[0], (uint8_t)c[1], (uint8_t)c[2]};
}

static float spread(const char *name, size_t len)
{
	uint64_t h = fnv1a(name, len);
	h ^= h >> 32; /* short names differ mainly in the low half */
	return (float)((h * UINT64_C(0x9E3779B97F4A7C15)) >> 40) / (float)(1u << 24);
}

/* The module from the profiler, else from the name: module`name, or the outermost namespace. */
static struct text module_of(const struct symtab *t, const struct symbol *s)
{
	if (s->module)
		return (struct text){t->symbols[s->module].name, t->symbols[s->module].len};
	const char *end = s->len > 1 ? memchr(s->name + 1, '`', s->len - 1) : NULL;
	if (!end)
		end = s->len ? find_bytes(s->name, s->len, "::", 2) : NULL;
	if (!end && s->len)
		end = find_last(s->name, '/', s->len);
	return (struct text){s->name, end ? (size_t)(end - s->name) : 0};
}

static struct rgb module_color(const struct symtab *t, uint32_t sym)
{
	const struct symbol *s = &t->symbols[sym];
	struct text module = module_of(t, s);
	float shade = spread(s->name, s->len);
	if (!module.len) {
		uint8_t grey = (uint8_t)(170 + (int)(50 * shade));
		return (struct rgb){grey, grey, grey};
	}
	return pale(spread(module.s, module.len), 0.46f + 0.22f * shade);
}

static struct rgb kind_color(const struct symtab *t, uint32_t sym)
{
	static const enum palette hues[] = {
		[KIND_UNKNOWN] = PALETTE_RED,   [KIND_USER] = PALETTE_YELLOW,  [KIND_KERNEL] = PALETTE_ORANGE,
		[KIND_JIT] = PALETTE_GREEN,     [KIND_INLINED] = PALETTE_AQUA, [KIND_PROCESS] = PALETTE_PURPLE,
		[KIND_LANGUAGE] = PALETTE_BLUE, [KIND_LOOP] = PALETTE_YELLOW,  [KIND_REPLACED] = PALETTE_YELLOW,
	};
	float v =
		0.4f + 0.6f * spread(t->symbols[sym].name, t->symbols[sym].len); /* the lighter part: text stands on it */
	return basic_color(hues[symtab_kind(t, sym)], (struct fractions){v, v, v});
}

struct rgb palette_terminal(enum palette p, const struct symtab *t, uint32_t sym, double share)
{
	const struct symbol *s = &t->symbols[sym];
	size_t bare = symbol_bare_length(s->name, s->len);
	uint8_t grey;
	struct rgb state;
	if (is_state(s->name, s->len, &state))
		return state;
	switch (p) {
	case PALETTE_SAFE:
		return ramp(safe_stops, sizeof safe_stops / sizeof *safe_stops, spread(s->name, bare));
	case PALETTE_MODULE:
		return module_color(t, sym);
	case PALETTE_SHARE:
		return ramp(share_stops, sizeof share_stops / sizeof *share_stops, (float)sqrt(share < 0 ? 0 : share));
	case PALETTE_KIND:
		return kind_color(t, sym);
	case PALETTE_MONO:
		grey = (uint8_t)(165 + (int)(70 * spread(s->name, bare)));
		return (struct rgb){grey, grey, grey};
	default:
		return palette_color(p, COLOR_HASH, s->name, s->len, NULL);
	}
}

struct rgb palette_of_name(enum palette p, const struct symtab *t, enum group_by by, uint32_t sym, double share)
{
	const struct symbol *s = &t->symbols[sym];
	if (p == PALETTE_MODULE && by != BY_FUNCTION)
		return pale(spread(s->name, s->len), 0.57f);
	return palette_terminal(p, t, sym, share);
}

struct rgb palette_node(enum palette p, const struct symtab *t, const struct tree *tree, uint32_t node,
                        double share)
{
	bool needs_origin = p == PALETTE_MODULE && tree->group == BY_FUNCTION && tree->origin;
	return palette_of_name(p, t, tree->group, needs_origin ? tree->origin[node] : tree->sym[node], share);
}

/* --- reduction to fewer colours --- */

static unsigned distance(struct rgb a, struct rgb b)
{
	int r = a.r - b.r, g = a.g - b.g, l = a.b - b.b;
	return (unsigned)(3 * r * r + 4 * g * g + 2 * l * l);
}

/* Steps of the 6x6x6 cube that terminals with 256 colours share. */
static unsigned cube_step(uint8_t v)
{
	return v < 48 ? 0 : v < 115 ? 1 : (v - 35u) / 40u;
}

unsigned palette_256(struct rgb c)
{
	static const uint8_t levels[] = {0, 95, 135, 175, 215, 255};
	unsigned r = cube_step(c.r), g = cube_step(c.g), b = cube_step(c.b);
	unsigned mean = ((unsigned)c.r + c.g + c.b) / 3, step = mean < 3 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
	uint8_t grey = (uint8_t)(8 + 10 * step);
	if (distance(c, (struct rgb){grey, grey, grey}) < distance(c, (struct rgb){levels[r], levels[g], levels[b]}))
		return 232 + step;
	return 16 + 36 * r + 6 * g + b;
}

unsigned palette_16(struct rgb c)
{
	static const struct rgb ansi[16] = {
		{0, 0, 0},     {205, 0, 0},     {0, 205, 0},     {205, 205, 0},   {0, 0, 238}, {205, 0, 205},
		{0, 205, 205}, {229, 229, 229}, {127, 127, 127}, {255, 0, 0},     {0, 255, 0}, {255, 255, 0},
		{92, 92, 255}, {255, 0, 255},   {0, 255, 255},   {255, 255, 255},
	};
	unsigned best = 0;
	for (unsigned i = 1; i < 16; i++)
		if (distance(c, ansi[i]) < distance(c, ansi[best]))
			best = i;
	return best;
}
