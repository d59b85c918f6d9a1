/*
 * prompt.c - a line editor with the keys of shells.
 *
 * Pasted text is always text: its newlines and tabs become blanks, and it never ends the prompt.
 */
#include "tui/prompt.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"

#define PROMPT_MAX 4096u

void prompt_init(struct prompt *p)
{
	*p = (struct prompt){0};
	buf_init(&p->text);
}

void prompt_deinit(struct prompt *p)
{
	for (size_t i = 0; i < N_PROMPTS; i++) {
		for (size_t j = 0; j < p->history[i].n; j++)
			free(p->history[i].lines[j]);
		free(p->history[i].lines);
	}
	free(p->draft);
	free(p->label);
	buf_deinit(&p->text);
	prompt_init(p);
}

static void set_text(struct prompt *p, const char *text)
{
	p->text.len = 0;
	buf_adds(&p->text, text);
	p->at = p->text.len;
}

void prompt_open(struct prompt *p, const struct prompt_kind *kind, const char *label, const char *text)
{
	free(p->label);
	p->label = mem_strdup(label);
	p->kind = kind;
	p->is_unsaid = false;
	p->recalled = p->history[kind->id].n;
	set_text(p, text ? text : "");
}

static void remember(struct history *h, const char *text)
{
	if (*text == '\0' || (h->n > 0 && strcmp(h->lines[h->n - 1], text) == 0))
		return;
	char *copy = mem_strdup(text);
	mem_push(h->lines, h->n, h->cap, copy);
}

static size_t before(const struct prompt *p, size_t at)
{
	if (at == 0)
		return 0;
	do
		at--;
	while (at > 0 && ((unsigned char)p->text.data[at] & 0xC0) == 0x80);
	return at;
}

static size_t after(const struct prompt *p, size_t at)
{
	uint32_t cp;
	return at < p->text.len ? at + utf8_decode(p->text.data + at, p->text.len - at, &cp) : at;
}

static void cut(struct prompt *p, size_t from, size_t to)
{
	if (from == to) /* the text may not exist yet */
		return;
	memmove(p->text.data + from, p->text.data + to, p->text.len - to);
	p->text.len -= to - from;
	p->at = from;
}

static void insert(struct prompt *p, uint32_t cp)
{
	char bytes[4];
	size_t n = utf8_encode(bytes, cp);
	if (p->text.len + n > PROMPT_MAX)
		return;
	buf_add(&p->text, bytes, n);
	memmove(p->text.data + p->at + n, p->text.data + p->at, p->text.len - n - p->at);
	memcpy(p->text.data + p->at, bytes, n);
	p->at += n;
}

static size_t word_start(const struct prompt *p)
{
	size_t at = p->at;
	while (at > 0 && p->text.data[at - 1] == ' ')
		at--;
	while (at > 0 && p->text.data[at - 1] != ' ')
		at--;
	return at;
}

static bool recall(struct prompt *p, int by)
{
	struct history *h = &p->history[p->kind->id];
	if ((by < 0 && p->recalled == 0) || (by > 0 && p->recalled >= h->n))
		return false;
	if (p->recalled == h->n) { /* it comes back below the last line */
		free(p->draft);
		p->draft = mem_strndup(buf_str(&p->text), p->text.len);
	}
	p->recalled += (size_t)by;
	set_text(p, p->recalled < h->n ? h->lines[p->recalled] : p->draft);
	return true;
}

static void finish(struct prompt *p, struct app *app, bool is_accepted)
{
	const struct prompt_kind *kind = p->kind;
	char *text = mem_strndup(p->text.data, p->text.len);
	p->kind = NULL;
	if (is_accepted) {
		remember(&p->history[kind->id], text);
		if (kind->accepted)
			kind->accepted(app, text);
	} else if (kind->cancelled) {
		kind->cancelled(app);
	}
	free(text);
}

/* Removes the text between two places. */
static void erase(struct prompt *p, size_t from, size_t to)
{
	p->is_unsaid |= from < to;
	cut(p, from, to);
}

void prompt_edit(struct prompt *p, struct app *app, enum prompt_edit what)
{
	size_t len = p->text.len;
	switch (what) {
	case EDIT_ACCEPT:
	case EDIT_CANCEL:
		finish(p, app, what == EDIT_ACCEPT);
		return;
	case EDIT_LEFT:
	case EDIT_RIGHT:
		p->at = what == EDIT_LEFT ? before(p, p->at) : after(p, p->at);
		return;
	case EDIT_START:
	case EDIT_END:
		p->at = what == EDIT_START ? 0 : len;
		return;
	case EDIT_ERASE:
		if (len == 0) {
			finish(p, app, false);
			return;
		}
		erase(p, before(p, p->at), p->at);
		break;
	case EDIT_ERASE_NEXT:
		erase(p, p->at, after(p, p->at));
		break;
	case EDIT_ERASE_WORD:
		erase(p, word_start(p), p->at);
		break;
	case EDIT_ERASE_BEFORE:
		erase(p, 0, p->at);
		break;
	case EDIT_ERASE_BEHIND:
		erase(p, p->at, len);
		break;
	case EDIT_EARLIER:
	case EDIT_LATER:
		p->is_unsaid |= recall(p, what == EDIT_EARLIER ? -1 : 1);
		break;
	}
	prompt_settle(p, app);
}

void prompt_replace(struct prompt *p, struct app *app, const char *text)
{
	if (strlen(text) > PROMPT_MAX)
		return;
	set_text(p, text);
	p->is_unsaid = true;
	prompt_settle(p, app);
}

void prompt_type(struct prompt *p, struct app *app, const struct event *e)
{
	size_t len = p->text.len;
	bool is_blank = e->is_pasted && (e->key == '\n' || e->key == '\r' || e->key == '\t');
	if (!is_blank && !key_is_text(e->key))
		return;
	insert(p, is_blank ? ' ' : e->key);
	p->is_unsaid |= p->text.len != len;
	if (!e->is_pasted)
		prompt_settle(p, app);
}

void prompt_settle(struct prompt *p, struct app *app)
{
	if (p->kind && p->is_unsaid && p->kind->changed)
		p->kind->changed(app, buf_str(&p->text));
	p->is_unsaid = false;
}

#define TEXT_COLUMNS 24 /* minimum for the text, or half of the line */

/* Paints as much of the label as leaves room for the text. Returns the column after it. */
static int paint_label(const struct prompt *p, struct grid *g, int row, int cols, const struct theme *t)
{
	const char *label = p->label;
	int most = cols - TEXT_COLUMNS > cols / 2 ? cols - TEXT_COLUMNS : cols / 2;
	if (utf8_columns(label, strlen(label)) <= (size_t)most)
		return grid_str(g, row, 0, cols, t->key, label);
	return grid_text_cut(g, row, 0, most - 1, t->key, label, strlen(label), t->ascii) + 1;
}

void prompt_paint(struct prompt *p, struct grid *g, int row, int cols, const struct theme *t)
{
	enum utf8_clean_mode mode = t->ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8;
	struct buf left, right;
	buf_init(&left);
	buf_init(&right);
	utf8_clean(&left, p->text.data, p->at, mode);
	utf8_clean(&right, p->text.data + p->at, p->text.len - p->at, mode);
	int col = paint_label(p, g, row, cols, t);
	/* A line that is too long shows its end, up to the cursor. */
	int room = cols - col - 1;
	size_t from = 0, columns = utf8_columns(left.data, left.len);
	uint32_t cp;
	while (from < left.len && room > 0 && columns > (size_t)room) {
		from += utf8_decode(left.data + from, left.len - from, &cp);
		columns -= (size_t)utf8_width(cp);
	}
	if (left.len > from)
		col += grid_text(g, row, col, cols - col, t->plain, left.data + from, left.len - from);
	g->cursor_row = row;
	g->cursor_col = col < cols ? col : cols - 1;
	if (right.len > 0)
		grid_text(g, row, col, cols - col, t->plain, right.data, right.len);
	buf_deinit(&left);
	buf_deinit(&right);
}
