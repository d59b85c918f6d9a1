/*
 * goroutines.c - parses the stacks of all goroutines: ?debug=2 of Go's servers, crashes, kill -QUIT.
 *
 *	goroutine 7 [semacquire, 2 minutes]:
 *	sync.(*Mutex).Lock(...)
 *		/go/src/sync/mutex.go:90
 *	main.worker(0xc000012345, 0x1)
 *		/src/w.go:4 +0x24
 *	created by main.main in goroutine 1
 *		/src/w.go:9 +0x1b
 *
 *	main.worker;sync.(*Mutex).Lock 1
 *
 * What a goroutine does becomes its labels: state=semacquire, wait=2minutes, creator=main.main. --tagfocus chooses
 * by them, and --split puts them at the root. Its number is that of a thread. A crash also shows the stack of the
 * runtime itself, which has no number.
 *
 * A stack ends at a blank line or the next heading. Any other line within it is the program's own, as both write to
 * stderr; a function counts if the line of its place follows, unless the stack has none of these so far. In text
 * that was copied from a terminal, blanks stand for the tab.
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/labels.h"
#include "collapse/text/line_format.h"
#include "collapse/text/quoted.h"

#include "base/buf.h"

struct goroutines {
	struct sink *sink;
	bool is_open, lacks_place; /* the last frame may get its place */
	int64_t number;            /* of the goroutine; -1: the runtime's own stack, or unknown */
	uint64_t other;            /* number of the last line within the stack that is not of it; 0: none */
	bool has_places;           /* a function of the stack has its place, so that each must have one */
	uint64_t doubtful;         /* number of the line of the last frame, which lacks its place; 0: none does */
	struct frames frames;
	struct labels labels;
	struct buf key, text;
};

/* The stack goes on after a line that is not of it. */
static void tell_other(struct goroutines *g)
{
	if (g->other)
		sink_warn(g->sink, "a stack with a line of the program's within", g->other, NULL, 0);
	g->other = 0;
}

/* The last frame has got no place: it is a line of the program's. */
static void drop_doubtful(struct goroutines *g)
{
	if (!g->doubtful)
		return;
	g->other = g->doubtful;
	g->frames.n--;
	g->doubtful = 0;
	g->lacks_place = false;
}

static void goroutines_emit(struct goroutines *g)
{
	struct profile *p = g->sink->profile;
	if (!g->is_open)
		return;
	drop_doubtful(g);
	g->has_places = false;
	struct sample s = {.weight = 1, .time = NO_TIME, .cpu = NO_CPU};
	s.series = profile_series(p, sink_sym(g->sink, "goroutine", strlen("goroutine")), 0);
	s.tags = labels_end(&g->labels, g->sink);
	if (g->number >= 0)
		s.task = profile_task(p, sink_sym(g->sink, "goroutine", strlen("goroutine")), -1, g->number);
	frames_finish(&g->frames, g->sink);
	s.site = frames_site(&g->frames, g->sink);
	sink_stack(g->sink, g->frames.syms, g->frames.n, &s);
	g->frames.n = g->frames.n_sites = 0;
	g->is_open = false;
	g->other = 0;
}

/* ---- headings ---- */

struct heading {
	int64_t number;      /* -1: it is none */
	struct slice state;  /* "semacquire, 2 minutes" */
	struct slice labels; /* "user: alice, path: /x" */
};

/* 'goroutine 7 gp=0xc000006380 m=nil [semacquire, 2 minutes] labels:{user: alice}:' */
static bool take_heading(struct slice line, struct heading *h)
{
	*h = (struct heading){0};
	if (!slice_take(&line, "goroutine ") || !slice_ends(line, ":"))
		return false;
	uint64_t number;
	struct slice word = slice_before(line, ' ');
	h->number = slice_u64(word, &number) && number <= INT64_MAX ? (int64_t)number : -1;
	line = slice_from(line, word.n);
	size_t open = slice_find(line, " ["), close = slice_find_byte(line, ']');
	if (open == SIZE_MAX || close == SIZE_MAX || close < open || (open && !slice_starts(line, " gp=")))
		return false;
	h->state = slice_from(slice_head(line, close), open + 2);
	line = slice_from(slice_head(line, line.n - 1), close + 1);
	if (slice_take(&line, " labels:{") && slice_ends(line, "}"))
		h->labels = slice_head(line, line.n - 1);
	return true;
}

/* Takes the part of a list before ", ". */
static struct slice take_part(struct slice *list)
{
	size_t comma = slice_find(*list, ", ");
	struct slice part = slice_head(*list, comma == SIZE_MAX ? list->n : comma);
	*list = slice_from(*list, comma == SIZE_MAX ? list->n : comma + 2);
	return part;
}

static void label_state(struct goroutines *g, struct slice state)
{
	labels_add_text(&g->labels, g->sink, slice_of("state"), take_part(&state));
	while (state.n) {
		struct slice part = take_part(&state), rest = part;
		uint64_t minutes;
		if (slice_u64(slice_take_digits(&rest), &minutes) && slice_is(rest, " minutes") && minutes <= INT64_MAX)
			labels_add_number(&g->labels, g->sink, slice_of("wait"), (int64_t)minutes, slice_of("minutes"));
		else
			labels_add_text(&g->labels, g->sink, slice_of("detail"), part);
	}
}

/* Takes a text that ends before `end`, or one in quotes. */
static void take_text(struct slice *line, const char *end, struct buf *out)
{
	size_t n = slice_find(*line, end);
	if (quoted_take(line, out))
		return;
	out->len = 0;
	buf_add(out, line->s, n == SIZE_MAX ? line->n : n);
	*line = slice_from(*line, n == SIZE_MAX ? line->n : n);
}

/* 'user: alice, "a, b": c' */
static void label_own(struct goroutines *g, struct slice line)
{
	while (line.n) {
		take_text(&line, ": ", &g->key);
		slice_take(&line, ": ");
		take_text(&line, ", ", &g->text);
		labels_add_text(&g->labels, g->sink, (struct slice){buf_str(&g->key), g->key.len},
		                (struct slice){buf_str(&g->text), g->text.len});
		if (!slice_take(&line, ", "))
			return;
	}
}

static void open_goroutine(struct goroutines *g, const struct heading *h)
{
	goroutines_emit(g);
	g->is_open = true;
	g->lacks_place = false;
	g->number = h->number;
	label_state(g, h->state);
	label_own(g, h->labels);
}

static void open_runtime(struct goroutines *g)
{
	goroutines_emit(g);
	g->is_open = true;
	g->lacks_place = false;
	g->number = -1;
	labels_add_text(&g->labels, g->sink, slice_of("state"), slice_of("runtime stack"));
}

/* ---- stacks ---- */

/* "	/src/w.go:4 +0x24", "	/go/src/runtime/panic.go:1047 +0x5d fp=0x7ffe10 sp=0x7ffde0 pc=0x43201d" */
static void place_line(struct goroutines *g, struct slice line)
{
	static const char *const behind[] = {" pc=0x", " fp=0x", " +0x"};
	struct slice place = slice_trim(line);
	if (slice_starts(place, "pc=0x")) /* of a function that is not Go's */
		g->doubtful = 0;
	for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
		size_t at = slice_rfind(place, behind[i]);
		place = slice_head(place, at == SIZE_MAX ? place.n : at);
	}
	size_t colon = slice_find_last(place, ':');
	if (!g->lacks_place || colon == SIZE_MAX)
		return;
	tell_other(g);
	g->has_places = true;
	g->lacks_place = false;
	g->doubtful = 0;
	uint32_t *sym = &g->frames.syms[g->frames.n - 1];
	*sym = sink_source(g->sink, *sym, place.s, place.n, 0);
	frames_set_place(&g->frames, g->sink, place);
}

/* "main.(*T).worker(0xc000012345, {0x1, 0x2})" -> "main.(*T).worker"; empty: it is none. */
static struct slice function_of(struct slice line)
{
	size_t open = slice_find_last(line, '(');
	if (slice_is(line, "non-Go function"))
		return line;
	struct slice name = slice_head(line, open == SIZE_MAX || !slice_ends(line, ")") ? 0 : open);
	return slice_find_byte(name, ' ') == SIZE_MAX ? name : slice_head(name, 0);
}

static void function_line(struct goroutines *g, struct slice line, uint64_t number)
{
	struct slice name = function_of(line);
	if (!name.n) {
		g->other = number;
		return;
	}
	drop_doubtful(g);
	frames_push_text(&g->frames, g->sink, name);
	g->lacks_place = true;
	g->doubtful = g->has_places ? number : 0;
}

/* "main.main in goroutine 1" */
static void take_creator(struct goroutines *g, struct slice creator)
{
	size_t in = slice_rfind(creator, " in goroutine ");
	drop_doubtful(g);
	tell_other(g);
	g->lacks_place = false;
	labels_add_text(&g->labels, g->sink, slice_of("creator"), in == SIZE_MAX ? creator : slice_head(creator, in));
}

static void push_elided(struct goroutines *g)
{
	drop_doubtful(g);
	tell_other(g);
	frames_push_elided(&g->frames, g->sink, "a stack without its middle: Go prints no more than 100 frames");
}

/* "	/x/a.go:7 +0x1d" */
static bool is_place(struct slice line)
{
	size_t colon = slice_find_last(line, ':');
	return slice_starts(line, "\t") && colon != SIZE_MAX && colon + 1 < line.n && is_digit_byte(line.s[colon + 1]);
}

/* Text of a log, or registers. */
static void outer_line(struct goroutines *g, struct slice line, uint64_t number)
{
	struct slice place = slice_trim(line);
	if (is_place(line))
		sink_warn(g->sink, "a place outside of a stack, which is left out (a blank line ends a stack)", number,
		          place.s, place.n);
}

static void goroutines_line(struct goroutines *g, struct slice line, uint64_t number)
{
	struct heading heading;
	bool is_heading = take_heading(line, &heading);
	if (is_heading && heading.number < 0)
		sink_warn(g->sink, "a goroutine whose number is none of 63 bits (it counts, without a number)", number,
		          line.s, line.n);
	if (is_heading)
		open_goroutine(g, &heading);
	else if (slice_is(line, "runtime stack:"))
		open_runtime(g);
	else if (!g->is_open)
		outer_line(g, line, number);
	else if (!line.n)
		goroutines_emit(g);
	else if (slice_starts(line, "\t") || slice_starts(line, " "))
		place_line(g, line);
	else if (slice_take(&line, "created by "))
		take_creator(g, line);
	else if (slice_starts(line, "...") && slice_ends(line, " frames elided..."))
		push_elided(g);
	else
		function_line(g, line, number);
}

static void goroutines_end(struct goroutines *g, bool is_whole)
{
	if (!g->other)
		g->doubtful = 0; /* its place may be cut off */
	if (is_whole)
		goroutines_emit(g);
	frames_deinit(&g->frames);
	labels_deinit(&g->labels);
	buf_deinit(&g->key);
	buf_deinit(&g->text);
}

LINE_FORMAT(goroutines)

static bool is_mine(struct slice line)
{
	struct heading heading;
	return take_heading(line, &heading) && heading.number >= 0;
}

static enum sniff goroutines_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_mine, "no line 'goroutine N [STATE]:'", why);
}

const struct collapse_format format_goroutines = {
	.name = "goroutines",
	.help = "stacks of all goroutines: curl localhost:6060/debug/pprof/goroutine?debug=2, or a crash of Go",
	.tells_open_end = true,
	.sniff = goroutines_sniff,
	LINE_FORMAT_FUNCTIONS(goroutines),
};
