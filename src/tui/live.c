/*
 * live.c - computes the figures of a profile that is coming in.
 *
 * Rate and cost cover the last second or so, not the whole time: they tell whether the profiler keeps up, and
 * whether it is in the way, right now.
 */
#include "tui/live.h"

#include "base/number.h"

#define FIRST_MS 500 /* the first figure comes early, and is coarse */
#define MARK_MS 1000
#define ASK_MS 200 /* also looks for what the recorder has started */

void live_init(struct live *l, uint64_t now_ms)
{
	*l = (struct live){.start_ms = now_ms,
	                   .mark_ms = now_ms,
	                   .mark_cpu = LIVE_UNKNOWN,
	                   .rate = LIVE_UNKNOWN,
	                   .cost = LIVE_UNKNOWN};
}

static uint64_t due_ms(const struct live *l)
{
	return l->mark_ms + (l->rate < 0 ? FIRST_MS : MARK_MS);
}

bool live_wants_cost(struct live *l, uint64_t now_ms)
{
	if (now_ms < l->asked_ms + ASK_MS && now_ms < due_ms(l))
		return false;
	l->asked_ms = now_ms;
	return true;
}

bool live_update(struct live *l, const struct load_status *s, double cpu, uint64_t now_ms)
{
	uint64_t seconds = (now_ms - l->start_ms) / 1000, passed = now_ms - l->mark_ms;
	bool is_news = seconds != l->seconds;
	l->seconds = seconds;
	if (now_ms < due_ms(l))
		return is_news;
	double elapsed = (double)passed / 1000;
	/* There may be fewer than before: samples of waiting threads may be left out again. */
	l->rate = s->samples > l->mark_samples ? (double)(s->samples - l->mark_samples) / elapsed : 0;
	/* A process takes its time with it when it ends. */
	l->cost = cpu >= 0 && l->mark_cpu >= 0 && cpu >= l->mark_cpu ? (cpu - l->mark_cpu) / elapsed : LIVE_UNKNOWN;
	l->mark_ms = now_ms;
	l->mark_samples = s->samples;
	l->mark_cpu = cpu;
	return true;
}

static void add_clock(struct buf *out, uint64_t seconds)
{
	unsigned long long h = seconds / 3600, m = seconds / 60 % 60, s = seconds % 60;
	if (h)
		buf_addf(out, "%llu:%02llu:%02llu", h, m, s);
	else
		buf_addf(out, "%llu:%02llu", m, s);
}

/* From all figures to those that a narrow terminal has room for. */
enum wording { WORDS_LONG, WORDS_SHORT, WORDS_WITHOUT_COST, N_WORDINGS };

static void add_count(struct buf *out, uint64_t n, enum wording wording)
{
	buf_adds(out, "  ");
	if (wording == WORDS_LONG)
		number_add_commas(out, n, 0);
	else
		number_add_short(out, n, 0);
}

static void add_figures(struct buf *out, const struct live *l, const struct load_status *s, const char *what,
                        enum wording wording)
{
	add_clock(out, l->seconds);
	add_count(out, s->samples, wording);
	if (wording == WORDS_LONG)
		buf_addf(out, " %s%s", what, s->samples == 1 ? "" : "s");
	if (l->rate >= 0)
		buf_addf(out, "  %.0f/s", l->rate);
	if (s->lost) {
		add_count(out, s->lost, wording);
		buf_adds(out, " lost");
	}
	if (l->cost >= 0 && wording != WORDS_WITHOUT_COST)
		buf_addf(out, wording == WORDS_LONG ? "  sampling %.1f%% CPU" : "  sampling %.0f%%", l->cost * 100);
}

void live_add(struct buf *out, const struct live *l, const struct load_status *s, const char *what, size_t most)
{
	size_t start = out->len;
	for (enum wording wording = WORDS_LONG; wording < N_WORDINGS; wording++) {
		out->len = start;
		add_figures(out, l, s, what, wording);
		if (out->len - start <= most)
			return;
	}
	out->len = start;
}
