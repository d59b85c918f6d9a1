/*
 * speedscope.c - parses the files of speedscope.app, which py-spy, rbspy, austin, 0x and others write as well.
 *
 *	{"$schema":"https://www.speedscope.app/file-format-schema.json",
 *	 "shared":{"frames":[{"name":"main","file":"a.c","line":3},{"name":"read"}]},
 *	 "profiles":[
 *	  {"type":"sampled","name":"thread 1","unit":"seconds","samples":[[0],[0,1]],"weights":[0.01,0.02]},
 *	  {"type":"evented","name":"thread 2","unit":"milliseconds","events":[
 *	    {"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":5},{"type":"C","frame":1,"at":7},...]}]}
 *
 * Stacks are lists of frame numbers, root first. The frames may come after the profiles, and the unit after the
 * weights, so the numbers are kept (a few bytes each) and put together at the end. All are decimals, never doubles:
 * a time since 1970 in nanoseconds has more digits than a double holds. Times in all units become nanoseconds, each
 * rounded before differences are taken, so that sums are exact. Each profile of a file becomes a thread. Time in
 * which no frame is open is idle: it counts as left out, unless --idle keeps it. Events last from startValue to
 * endValue, as in speedscope; samples last as long as their weights say.
 *
 * flametop writes a comparison as two profiles, "cycles after" and "cycles before": they are read as one again.
 */
#include "base/json.h"
#include "collapse/formats.h"
#include "collapse/formats/speedscope_part.h"
#include "collapse/formats/speedscope_values.h"
#include "collapse/text/amount.h"
#include "collapse/text/frames.h"
#include "collapse/text/lines.h"
#include "collapse/text/part.h"
#include "collapse/text/time_rest.h"
#include "model/idle.h"

/* The meaning of an open container. */
enum place { ELSEWHERE, TOP, SHARED, FRAME_LIST, FRAME, PROFILES, PROFILE, SAMPLES, STACK, WEIGHTS, EVENTS, EVENT };

#define DEEPEST 8 /* depth of containers of interest */

struct event {
	struct small_decimal at;
	uint32_t frame;
	char type; /* 'O', 'C' */
	bool has_time;
};

/* A frame that an event opened: its number, and the path to it. */
struct open_frame {
	uint32_t frame, path;
	uint32_t site; /* node of profile.sites */
};

#define NO_STACK SIZE_MAX /* in the place of a sample that is no list of frames */

/* Elements of the arrays, before a part. */
struct place_of_part {
	size_t stack, weight, event;
};

struct speedscope {
	struct sink *sink;
	struct json json;
	enum place places[DEEPEST]; /* meaning of the containers, by depth */
	struct buf key;             /* key of the next value */
	struct frames frames;       /* symbols of the shared frames */
	struct buf file;            /* file of the current frame */
	uint32_t name, line;
	bool is_ours; /* flametop wrote it */
	bool is_part; /* and says that it holds a part of an input, in the name of the document or of a profile */
	struct speedscope_part *parts;
	size_t n_parts, cap_parts;
	struct place_of_part at; /* of the part that is read; later, of the one that is emitted */
	size_t at_number;        /* first frame of the stack that is emitted */
	size_t *stacks;          /* lengths: the next elements of `numbers` */
	size_t n_stacks, cap_stacks;
	uint32_t *numbers; /* frames of the stacks */
	size_t n_numbers, cap_numbers;
	struct small_decimal *weights; /* negative: invalid */
	size_t n_weights, cap_weights;
	struct event *events;
	size_t n_events, cap_events;
	struct event event;
	struct frames stack; /* symbols of the stack in the making */
	struct site *sites;  /* of frames, if they are wanted */
	size_t n_sites, cap_sites;
	struct site *stack_sites; /* of the stack in the making */
	size_t n_stack_sites, cap_stack_sites;
	bool has_sites;          /* lines are executed ones, and wanted */
	struct open_frame *open; /* events: the open frames */
	size_t n_open, cap_open;
	unsigned side; /* log of the samples; what follows is of that side */
	struct weights {
		decimal_whole idle, all; /* time without frames, and total */
		uint32_t series;
	} units[3];
	struct time_rest rest; /* of times */
	uint32_t last_path[2]; /* by side: path of its last sample; NO_PATH: it has none */
};

static struct slice key_of(const struct speedscope *s)
{
	return (struct slice){s->key.len ? s->key.data : "", s->key.len};
}

static struct speedscope_part *last_part(struct speedscope *s)
{
	return &s->parts[s->n_parts - 1];
}

/* The meaning of a container that opens, by its key and the container around it. */
static enum place place_of(const struct speedscope *s, bool is_object)
{
	static const struct {
		enum place around;
		const char *key; /* NULL: any, within an array */
		bool is_object;
		enum place place;
	} grammar[] = {
		{TOP, "shared", true, SHARED},         {TOP, "profiles", false, PROFILES},
		{SHARED, "frames", false, FRAME_LIST}, {FRAME_LIST, NULL, true, FRAME},
		{PROFILES, NULL, true, PROFILE},       {PROFILE, "samples", false, SAMPLES},
		{PROFILE, "weights", false, WEIGHTS},  {PROFILE, "events", false, EVENTS},
		{SAMPLES, NULL, false, STACK},         {EVENTS, NULL, true, EVENT},
	};
	uint32_t depth = s->json.depth;
	if (depth == 1)
		return is_object ? TOP : ELSEWHERE;
	for (size_t i = 0; depth <= DEEPEST && i < sizeof grammar / sizeof *grammar; i++) {
		if (grammar[i].around == s->places[depth - 2] && grammar[i].is_object == is_object &&
		    (!grammar[i].key || slice_is(key_of(s), grammar[i].key)))
			return grammar[i].place;
	}
	return ELSEWHERE;
}

static void begin_frame(struct speedscope *s)
{
	s->name = sink_unknown(s->sink);
	s->line = 0;
	s->file.len = 0;
}

static void open_container(struct speedscope *s, bool is_object)
{
	enum place place = place_of(s, is_object);
	if (place == ELSEWHERE) {
		json_leave(&s->json);
		return;
	}
	s->places[s->json.depth - 1] = place;
	if (place == FRAME) {
		begin_frame(s);
	} else if (place == PROFILE) {
		mem_push(s->parts, s->n_parts, s->cap_parts, ((struct speedscope_part){.unit = 'n'}));
		s->at = (struct place_of_part){s->n_stacks, s->n_weights, s->n_events};
	} else if (place == STACK) {
		mem_push(s->stacks, s->n_stacks, s->cap_stacks, s->n_numbers); /* its length, once it is complete */
	} else if (place == EVENT) {
		s->event = (struct event){.frame = UINT32_MAX};
	}
}

static void end_frame(struct speedscope *s)
{
	uint32_t sym = sink_source(s->sink, s->name, s->file.data, s->file.len, s->line);
	frames_push(&s->frames, sym);
	if (!s->sink->options->wants_sites)
		return;
	struct site site = {.sym = sym, .line = s->line};
	site.file = s->line && s->file.len ? sink_file(s->sink, s->file.data, s->file.len) : 0;
	mem_push(s->sites, s->n_sites, s->cap_sites, site);
}

/* Profiles that say only a unit, which may be millions, are one. */
static void end_part(struct speedscope *s)
{
	struct speedscope_part *p = last_part(s);
	p->n_stacks = s->n_stacks - s->at.stack;
	p->n_weights = s->n_weights - s->at.weight;
	p->n_events = s->n_events - s->at.event;
	if (s->n_parts > 1 && speedscope_is_bare(p) && speedscope_is_bare(p - 1) && p->unit == p[-1].unit)
		s->n_parts--;
}

static void close_container(struct speedscope *s)
{
	enum place place = s->json.depth < DEEPEST ? s->places[s->json.depth] : ELSEWHERE;
	if (place == FRAME) {
		end_frame(s);
	} else if (place == EVENT) {
		mem_push(s->events, s->n_events, s->cap_events, s->event);
	} else if (place == STACK) {
		s->stacks[s->n_stacks - 1] = s->n_numbers - s->stacks[s->n_stacks - 1];
	} else if (place == PROFILE) {
		end_part(s);
	}
}

static void take_event_number(struct event *e, struct slice key, const struct decimal *d)
{
	if (slice_is(key, "at")) {
		e->at = small_decimal(d);
		e->has_time = true;
	} else if (slice_is(key, "frame")) {
		e->frame = speedscope_frame(d);
	}
}

static void take_number(struct speedscope *s, enum place place, struct slice key, struct slice text)
{
	struct decimal d;
	bool is_number = speedscope_number(s->sink, text, &d);
	if (place == STACK)
		mem_push(s->numbers, s->n_numbers, s->cap_numbers, speedscope_frame(&d));
	else if (place == WEIGHTS)
		mem_push(s->weights, s->n_weights, s->cap_weights, small_decimal(&d));
	else if (place == PROFILE && is_number)
		speedscope_take_limit(last_part(s), key, &d);
	else if (place == EVENT && is_number)
		take_event_number(&s->event, key, &d);
	else if (place == FRAME && slice_is(key, "line"))
		s->line = speedscope_line(&d);
	if ((place == WEIGHTS || place == PROFILE || place == EVENT) && !speedscope_is_exact(text))
		last_part(s)->is_foreign = true;
}

static void take_string(struct speedscope *s, enum place place, struct slice key, struct slice text)
{
	if ((place == TOP || place == PROFILE) && slice_is(key, "name"))
		s->is_part = s->is_part || part_note(s->sink, text);
	if (place == FRAME && slice_is(key, "name")) {
		s->name = sink_frame(s->sink, text.s, text.n);
	} else if (place == FRAME && slice_is(key, "file")) {
		s->file.len = 0;
		buf_add(&s->file, text.s, text.n);
	} else if (place == EVENT && slice_is(key, "type")) {
		s->event.type = text.n == 1 ? *text.s : '?';
	} else if (place == PROFILE) {
		speedscope_take_fact(last_part(s), s->sink, s->is_ours, key, text);
	} else if (place == TOP && slice_is(key, "exporter")) {
		s->is_ours = slice_starts(text, "flametop ");
	}
}

/* What the elements of a list have to be; 0: it is none. */
static unsigned wanted_in(enum place list)
{
	static const unsigned wanted[] = {
		[FRAME_LIST] = JSON_SET(JSON_OBJECT),
		[PROFILES] = JSON_SET(JSON_OBJECT),
		[SAMPLES] = JSON_SET(JSON_ARRAY),
		[STACK] = JSON_SET(JSON_NUMBER),
		[WEIGHTS] = JSON_SET(JSON_NUMBER),
		[EVENTS] = JSON_SET(JSON_OBJECT),
		[EVENT] = 0,
	};
	return wanted[list];
}

/* The meaning of the container around the value that begins with this token. */
static enum place place_around(const struct speedscope *s, enum json_token t)
{
	uint32_t depth = json_depth_around(&s->json, t);
	return depth && depth <= DEEPEST ? s->places[depth - 1] : ELSEWHERE;
}

/* Is it an element of the wrong kind? What follows it keeps its place. */
static bool take_odd(struct speedscope *s, enum json_token t)
{
	enum place list = place_around(s, t);
	unsigned wanted = wanted_in(list);
	if (!wanted || !json_is_odd(&s->json, t, wanted))
		return false;
	sink_skip(s->sink, ODD_ELEMENT, s->json.line, NULL, 0);
	if (list == FRAME_LIST) {
		begin_frame(s);
		end_frame(s);
	} else if (list == SAMPLES) {
		mem_push(s->stacks, s->n_stacks, s->cap_stacks, NO_STACK);
	} else if (list == STACK || list == WEIGHTS) {
		take_number(s, list, key_of(s), slice_of(""));
	}
	return true;
}

/* Is it a known member of the wrong kind? null stands for nothing. What events lack is told later. */
static bool is_odd_member(const struct speedscope *s, enum json_token t)
{
	static const struct json_member members[] = {
		{JSON_SET(TOP), JSON_SET(JSON_OBJECT), "shared"},
		{JSON_SET(TOP), JSON_SET(JSON_ARRAY), "profiles"},
		{JSON_SET(SHARED), JSON_SET(JSON_ARRAY), "frames"},
		{JSON_SET(PROFILE), JSON_SET(JSON_STRING), "name"},
		{JSON_SET(PROFILE), JSON_SET(JSON_STRING), "unit"},
		{JSON_SET(PROFILE), JSON_SET(JSON_ARRAY), "samples"},
		{JSON_SET(PROFILE), JSON_SET(JSON_ARRAY), "weights"},
		{JSON_SET(PROFILE), JSON_SET(JSON_ARRAY), "events"},
		{JSON_SET(PROFILE), JSON_SET(JSON_NUMBER), "startValue"},
		{JSON_SET(PROFILE), JSON_SET(JSON_NUMBER), "endValue"},
		{JSON_SET(FRAME), JSON_SET(JSON_STRING), "name"},
		{JSON_SET(FRAME), JSON_SET(JSON_STRING), "file"},
		{JSON_SET(FRAME), JSON_SET(JSON_NUMBER), "line"},
	};
	enum place place = place_around(s, t);
	return place && place < SAMPLES && /* no list or event */
	       json_is_odd_member(members, sizeof members / sizeof *members, place, key_of(s), t);
}

static void take_token(struct speedscope *s, enum json_token t)
{
	struct slice text = {s->json.text, s->json.len};
	enum place place = place_around(s, t);
	if (take_odd(s, t))
		return;
	if (is_odd_member(s, t))
		sink_skip(s->sink, ODD_MEMBER, s->json.line, s->key.data, s->key.len);
	if (t == JSON_KEY) {
		s->key.len = 0;
		buf_add(&s->key, text.s, text.n);
	} else if (t == JSON_OBJECT || t == JSON_ARRAY) {
		open_container(s, t == JSON_OBJECT);
	} else if (t == JSON_OBJECT_END || t == JSON_ARRAY_END) {
		close_container(s);
	} else if (t == JSON_NUMBER) {
		take_number(s, place, key_of(s), text);
	} else if (t == JSON_STRING) {
		take_string(s, place, key_of(s), text);
	}
}

static bool speedscope_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct speedscope *s = state;
	enum json_token t;
	json_feed(&s->json, text, len, false);
	while ((t = json_next(&s->json)) > JSON_MORE)
		take_token(s, t);
	return t != JSON_ERROR || fail(err, "%s", s->json.err.text);
}

/* --- from numbers to samples --- */

/* Fractions are settled with those of all other counts, down to a millionth; the part beyond that is rounded. */
static void add_weight(struct speedscope *s, const struct speedscope_part *part, uint32_t path,
                       struct sample *sample, decimal_whole weight)
{
	bool fits = decimal_split(weight, AMOUNT_PLACES, &sample->weight, &sample->millionths);
	decimal_whole lost = amount_magnitude(weight - sample->millionths * (AMOUNT_ONE / 1000000));
	if (weight > 0 && weight < AMOUNT_ONE / 1000 && (lost > AMOUNT_ONE / 1000000000 || lost == weight))
		sink_warn(s->sink, TOO_SMALL, 0, NULL, 0);
	if (!fits)
		sink_warn(s->sink, TOO_HEAVY, 0, NULL, 0);
	if (sample->millionths && part->is_foreign)
		profile_note_foreign_count(s->sink->profile);
	s->last_path[s->side] = path;
	profile_add(s->sink->profile, s->side, path, sample);
}

/*
 * Adds weight to a path, or to the idle time if the path is the root. In samples that flametop wrote, the root is a
 * stack of which a filter has taken all frames.
 */
static void add_or_leave(struct speedscope *s, const struct speedscope_part *p, uint32_t path,
                         struct sample *sample, decimal_whole weight)
{
	struct weights *w = &s->units[p->unit == 't' ? 0 : p->unit == 'b' ? 1 : 2];
	bool is_stack = path != PATH_ROOT || (s->is_ours && !p->n_events);
	w->series = sample->series;
	amount_add(&w->all, weight);
	if (!is_stack && s->sink->options->idle == IDLE_ALWAYS)
		path = profile_child(s->sink->profile, path, sink_sym(s->sink, EMPTY_STACK, sizeof EMPTY_STACK - 1));
	if (!is_stack && path == PATH_ROOT)
		amount_add(&w->idle, weight);
	else
		add_weight(s, p, path, sample, p->unit == 't' ? time_rest_round(&s->rest, path, weight) : weight);
}

static void say_idle(struct speedscope *s)
{
	for (size_t i = 0; i < sizeof s->units / sizeof *s->units; i++) {
		const struct weights *w = &s->units[i];
		if (w->idle >= AMOUNT_ONE)
			idle_add(s->sink->profile, s->side, w->series, amount_weight(i ? w->idle : amount_rounded(w->idle)),
			         amount_weight(i ? w->all : amount_rounded(w->all)), "have no frames");
		else if (w->idle > 0)
			sink_warn(s->sink, "weights of less than 1 without frames are left out", 0, NULL, 0);
	}
}

static bool push_frame(struct speedscope *s, uint32_t number)
{
	if (number >= s->frames.n)
		return false;
	frames_push(&s->stack, s->frames.syms[number]);
	if (s->has_sites)
		mem_push(s->stack_sites, s->n_stack_sites, s->cap_stack_sites, s->sites[number]);
	return true;
}

/* The weight of a sample of a part; negative: invalid. */
static decimal_whole sample_weight(const struct speedscope *s, const struct speedscope_part *p, size_t i)
{
	if (i < p->n_weights)
		return small_decimal_amount(&s->weights[s->at.weight + i], p->places);
	return p->n_weights ? 0 : AMOUNT_ONE;
}

static void skip_sample(struct speedscope *s, decimal_whole weight)
{
	report_add_weight(&s->sink->profile->report, NOTE_SKIP, "sample of an unknown frame, or with an invalid weight",
	                  NULL, 0, weight > 0 ? amount_weight(amount_rounded(weight)) : 0);
}

static void emit_sampled(struct speedscope *s, const struct speedscope_part *p, struct sample *sample)
{
	const char *note = speedscope_weights_note(p->n_weights, p->n_stacks, p->unit);
	if (note)
		sink_warn(s->sink, note, 0, NULL, 0);
	for (size_t i = 0; i < p->n_stacks; i++) {
		size_t n = s->stacks[s->at.stack + i], first = s->at_number;
		decimal_whole weight = sample_weight(s, p, i);
		bool is_good = weight >= 0 && n != NO_STACK;
		s->at_number += n != NO_STACK ? n : 0;
		s->stack.n = s->n_stack_sites = 0;
		for (size_t k = 0; is_good && k < n; k++)
			is_good = push_frame(s, s->numbers[first + k]);
		if (!is_good)
			skip_sample(s, weight);
		if (is_good && s->n_stack_sites)
			sample->site = profile_sites(s->sink->profile, s->stack_sites, s->n_stack_sites);
		if (is_good && weight > 0)
			add_or_leave(s, p, profile_path(s->sink->profile, s->stack.syms, s->stack.n), sample,
			             p->unit == 't' ? amount_repaired(weight) : weight);
	}
}

/* The time of the last event; none: is_set is false. */
struct moment {
	decimal_whole at;
	bool is_set;
};

/* Gives the time up to now to the innermost open frame. */
static bool pass_time(struct speedscope *s, const struct speedscope_part *p, struct moment *last,
                      const struct small_decimal *at, struct sample *sample)
{
	decimal_whole now = small_decimal_amount(at, p->places);
	if (p->unit == 't')
		now = amount_repaired(now);
	if (last->is_set && now < last->at)
		return false;
	if (last->is_set && now > last->at) {
		if (p->unit == 't')
			sample->time = last->at > 0 ? amount_weight(amount_rounded(last->at)) : 0;
		sample->site = s->n_open ? s->open[s->n_open - 1].site : NO_SITE;
		add_or_leave(s, p, s->n_open ? s->open[s->n_open - 1].path : PATH_ROOT, sample, now - last->at);
	}
	*last = (struct moment){now, true};
	return true;
}

/* The same up to the end of the profile, if that is given. */
static void pass_to_end(struct speedscope *s, const struct speedscope_part *p, struct moment *last,
                        struct sample *sample)
{
	if (p->has_end)
		pass_time(s, p, last, &p->end, sample);
}

static void open_frame(struct speedscope *s, uint32_t number)
{
	uint32_t above = s->n_open ? s->open[s->n_open - 1].path : PATH_ROOT;
	uint32_t path = profile_child(s->sink->profile, above, s->frames.syms[number]);
	uint32_t site = s->n_open ? s->open[s->n_open - 1].site : NO_SITE;
	if (s->has_sites)
		site = profile_site_child(s->sink->profile, site, &s->sites[number]);
	mem_push(s->open, s->n_open, s->cap_open, ((struct open_frame){number, path, site}));
}

/* Frames left open last as long as the profile, if it says how long; that length is uncertain. */
static void end_unclosed(struct speedscope *s, const struct speedscope_part *p, struct moment *last,
                         struct sample *sample)
{
	decimal_whole from = last->at;
	pass_to_end(s, p, last, sample);
	report_add_weight(&s->sink->profile->report, NOTE_WARN,
	                  "frames that are never closed last until the profile or its last event ends", NULL, 0,
	                  amount_weight(amount_rounded(last->at - from)));
}

/* Events begin at the start of the profile, if that is given. */
static void begin_events(struct speedscope *s, const struct speedscope_part *p, struct moment *last,
                         struct sample *sample)
{
	if (!p->n_events || !p->has_start || !s->events[s->at.event].has_time)
		return;
	const struct small_decimal *at = &s->events[s->at.event].at;
	if (small_decimal_amount(&p->start, p->places) <= small_decimal_amount(at, p->places))
		pass_time(s, p, last, &p->start, sample);
	else
		sink_warn(s->sink, "events before the startValue of their profile count, too", 0, NULL, 0);
}

static void emit_evented(struct speedscope *s, const struct speedscope_part *p, struct sample *sample)
{
	struct moment last = {0, false};
	s->n_open = 0;
	begin_events(s, p, &last, sample);
	for (size_t i = 0; i < p->n_events; i++) {
		const struct event *e = &s->events[s->at.event + i];
		bool is_close = e->type == 'C' && s->n_open && s->open[s->n_open - 1].frame == e->frame;
		if (!e->has_time || e->frame >= s->frames.n || !pass_time(s, p, &last, &e->at, sample))
			sink_skip(s->sink, "event of an unknown frame, or with an invalid time or one that goes back", 0, NULL,
			          0);
		else if (is_close)
			s->n_open--;
		else if (e->type == 'O')
			open_frame(s, e->frame);
		else
			sink_skip(s->sink, "event that closes another frame than the innermost", 0, NULL, 0);
	}
	if (s->n_open)
		end_unclosed(s, p, &last, sample);
	else if (p->n_events)
		pass_to_end(s, p, &last, sample);
}

/* Emits profiles [first, end) into one log. */
static void emit_parts(struct speedscope *s, unsigned side, size_t first, size_t end)
{
	s->side = side;
	memset(s->units, 0, sizeof s->units);
	for (size_t i = first; i < end; i++) {
		const struct speedscope_part *p = &s->parts[i];
		struct sample sample = {.time = NO_TIME, .cpu = NO_CPU, .series = speedscope_series(s->sink, side, p)};
		profile_note_grain(s->sink->profile, sample.series, side, p->places);
		sample.task = p->name ? profile_task(s->sink->profile, p->name, -1, -1) : 0;
		emit_sampled(s, p, &sample);
		emit_evented(s, p, &sample);
		s->at.stack += p->n_stacks;
		s->at.weight += p->n_weights;
		s->at.event += p->n_events;
	}
	say_idle(s);
	if (s->rest.all > 0)
		time_rest_say(&s->rest, s->sink, s->side, s->units[0].series);
	time_rest_deinit(&s->rest);
}

/* --- comparisons --- */

static struct slice part_name(const struct speedscope *s, size_t i)
{
	const struct symbol *name = &s->sink->profile->symtab.symbols[s->parts[i].name];
	return (struct slice){name->name, name->len};
}

/* Are they the two sides of one? *name becomes what both are named. */
static bool is_comparison(const struct speedscope *s, struct slice *name)
{
	if (!s->is_ours || s->n_parts != 2 || s->parts[0].n_events || s->parts[1].n_events)
		return false;
	return speedscope_are_sides(part_name(s, 0), part_name(s, 1), name);
}

/* A side without samples is still a side: one of no weight marks it. */
static void mark_side(struct speedscope *s, unsigned side)
{
	struct sample sample = {
		.time = NO_TIME, .cpu = NO_CPU, .series = speedscope_series(s->sink, side, &s->parts[side])};
	if (s->last_path[side] == NO_PATH && s->last_path[!side] != NO_PATH)
		profile_add(s->sink->profile, side, s->last_path[!side], &sample);
}

/* Of a file that is itself a baseline, only the side after counts. */
static void emit_comparison(struct speedscope *s, struct slice name)
{
	s->parts[0].event = s->parts[1].event = speedscope_event(s->sink, &s->parts[0]);
	s->parts[0].name = s->parts[1].name = sink_sym(s->sink, name.s, slice_rtrim(name).n);
	emit_parts(s, s->sink->options->side, 0, 1);
	if (s->sink->options->side == 0) {
		emit_parts(s, 1, 1, 2);
		mark_side(s, 0);
		mark_side(s, 1);
	}
	profile_add_columns(s->sink->profile, (struct columns){.two = s->n_stacks});
}

static void emit(struct speedscope *s)
{
	struct slice name;
	s->has_sites = speedscope_has_executed(s->sites, s->n_sites, s->sink->profile->symtab.n);
	s->last_path[0] = s->last_path[1] = NO_PATH;
	s->at = (struct place_of_part){0};
	if (is_comparison(s, &name))
		emit_comparison(s, name);
	else
		emit_parts(s, s->sink->options->side, 0, s->n_parts);
}

static void *speedscope_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct speedscope *s = mem_zalloc(1, sizeof *s);
	s->sink = sink;
	json_init(&s->json);
	buf_init(&s->key);
	buf_init(&s->file);
	return s;
}

static bool speedscope_finish(void *state, bool ok, struct err *err)
{
	struct speedscope *s = state;
	if (ok) {
		json_feed(&s->json, "", 0, true);
		ok = json_next(&s->json) != JSON_ERROR && !json_is_cut(&s->json);
		if (!ok)
			fail(err, "%s", s->json.err.text[0] ? s->json.err.text : "the input ends within the document");
	}
	if (ok)
		emit(s);
	json_deinit(&s->json);
	buf_deinit(&s->key);
	buf_deinit(&s->file);
	frames_deinit(&s->frames);
	free(s->sites);
	free(s->stack_sites);
	frames_deinit(&s->stack);
	free(s->open);
	free(s->parts);
	free(s->stacks);
	free(s->numbers);
	free(s->weights);
	free(s->events);
	time_rest_deinit(&s->rest);
	free(s);
	return ok;
}

static enum sniff speedscope_sniff(const struct head *head, const char **why)
{
	struct slice text = slice_ltrim((struct slice){head->text, head->len});
	*why = "not a JSON object that names the schema of speedscope";
	if (!slice_starts(text, "{"))
		return SNIFF_NO;
	return slice_has(text, "speedscope.app/file-format-schema.json") ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_speedscope = {
	.name = "speedscope",
	.help = "speedscope JSON: py-spy -f speedscope, rbspy, austin2speedscope, ...",
	.sniff = speedscope_sniff,
	.start = speedscope_start,
	.feed = speedscope_feed,
	.finish = speedscope_finish,
	.is_text_stream = true,
	.has_spans = true,
	.effects = EFFECT_IDLE,
};
