/*
 * merge.c - puts the functions of a language between the native ones.
 *
 * Both stacks are of one moment, but not quite: a loop may have begun before its function is linked, or its
 * function is linked before the loop begins. So the last loop may be one too many or too few. Therefore loops and
 * entries are paired from the root on:
 *
 *	more loops      those at the leaf stand for nothing; their callees stay
 *	more functions  the rest goes to the leaf, below the kernel
 *
 * A native stack that does not reach the beginning of its thread is paired from nothing: all functions of the
 * language come first, then what was native after the last loop. Without any loop in it even that is unknown: of
 * user space the innermost native function stays, since callers that were found without frame pointers are guesses.
 */
#include "languages/merge.h"

struct merging {
	const struct merge_input *in;
	struct merged *out; /* the outermost first, until the end */
	size_t n;
	size_t left; /* frames of the language that still come */
};

static void put_native(struct merging *m, size_t index, bool is_replaced)
{
	m->out[m->n++] = (struct merged){.index = (uint32_t)index, .is_replaced = is_replaced};
}

/* Puts an entry and the functions that it calls directly; before the first one also those that are in no loop. */
static void put_group(struct merging *m)
{
	bool has_entry = false;
	do {
		m->out[m->n++] = (struct merged){.index = (uint32_t)--m->left, .is_language = true};
		has_entry |= m->in->entries[m->left];
	} while (m->left && !(has_entry && m->in->entries[m->left - 1]));
}

static void put_rest(struct merging *m)
{
	while (m->left)
		put_group(m);
}

static size_t count_marks(const struct merge_input *in, enum merge_mark mark)
{
	size_t n = 0;
	for (size_t i = 0; i < in->n_native; i++)
		n += in->marks[i] == mark;
	return n;
}

static size_t count_entries(const struct merge_input *in)
{
	size_t n = 0;
	for (size_t i = 0; i < in->n_language; i++)
		n += in->entries[i] != 0;
	return n;
}

/* Are there as many loops as groups? Functions without any entry are one, unless their language has no loops. */
static bool is_paired(const struct merge_input *in, size_t loops)
{
	size_t n = count_entries(in);
	return n || !in->n_language ? loops == n : loops <= 1;
}

/* From the root on, loop by loop. */
static void pair(struct merging *m)
{
	const struct merge_input *in = m->in;
	for (size_t i = in->n_native; i-- > 0;) {
		bool is_eval = in->marks[i] == MARK_EVAL;
		if (in->marks[i] == MARK_KERNEL)
			put_rest(m);
		put_native(m, i, is_eval);
		if (is_eval && m->left)
			put_group(m);
	}
	put_rest(m);
}

/* The innermost loop; else the first native function after the innermost one of user space. */
static size_t find_last(const struct merge_input *in)
{
	size_t i = 0;
	while (i < in->n_native && in->marks[i] != MARK_EVAL)
		i++;
	if (i < in->n_native)
		return i;
	for (i = 0; i < in->n_native && in->marks[i] == MARK_KERNEL; i++)
		;
	return i + 1;
}

static void put_behind(struct merging *m)
{
	size_t last = find_last(m->in);
	for (size_t i = m->in->n_native; i-- > last;)
		put_native(m, i, true);
	put_rest(m);
	for (size_t i = last < m->in->n_native ? last : m->in->n_native; i-- > 0;)
		put_native(m, i, false);
}

static void turn(struct merged *v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct merged swap = v[i];
		v[i] = v[n - 1 - i];
		v[n - 1 - i] = swap;
	}
}

size_t merge_stacks(const struct merge_input *in, struct merged *out, bool *is_exact)
{
	struct merging m = {in, out, 0, in->n_language};
	size_t loops = count_marks(in, MARK_EVAL);
	*is_exact = is_paired(in, loops);
	if (in->has_bottom && in->has_root && loops)
		pair(&m);
	else
		put_behind(&m);
	turn(out, m.n);
	return m.n;
}
