/*
 * copy.c - copies text, and shows it with the place where it went.
 *
 *	+- The command ------------------------------------------------+
 *	| Sent to the terminal's clipboard (some terminals refuse it). |
 *	| flametop --zoom='main;lex' cargo.perf                        |
 *	+- q closes ---------------------------------------------------+
 *
 * No terminal answers OSC 52, so what arrived there is unknown, and nothing here is called copied. The text on
 * the screen can be taken with the mouse where all else fails.
 */
#include "tui/copy.h"

#include "base/number.h"
#include "tui/app.h"
#include "tui/clip.h"
#include "tui/term.h"
#include "tui/tmux.h"

#define SHOWN_MOST ((size_t)256 << 10) /* bytes: a stack may have a million frames */

static void add_bytes(struct buf *out, size_t n)
{
	number_add_commas(out, n, 0);
	buf_adds(out, n == 1 ? " byte" : " bytes");
}

/* Sends the sequence; returns how many bytes of the text are in it. */
static size_t send_to_terminal(const struct buf *text, enum clip_wrap wrap)
{
	struct buf bytes;
	buf_init(&bytes);
	size_t n = clip_add(&bytes, text->data, text->len, wrap);
	term_send(bytes.data, bytes.len);
	buf_deinit(&bytes);
	return n;
}

/* false: tmux does not have the text. */
static bool send_to_tmux(const struct buf *text, struct buf *out)
{
	enum tmux_result result = tmux_put(text->data, text->len);
	if (result == TMUX_FAILED)
		return false;
	if (result == TMUX_BUFFER)
		send_to_terminal(text, CLIP_AROUND_TMUX);
	buf_adds(out, "In tmux's buffer, and sent to the terminal's clipboard (some refuse it");
	if (text->len > CLIP_MAX) {
		buf_adds(out, "; most take no more than ");
		add_bytes(out, CLIP_MAX);
	}
	buf_adds(out, ").");
	return true;
}

static void add_sent(struct buf *out, size_t n, size_t len)
{
	if (n < len) {
		buf_adds(out, "Only the first ");
		number_add_commas(out, n, 0);
		buf_adds(out, " of ");
		add_bytes(out, len);
		buf_adds(out, " were sent to the terminal's clipboard: most take no more.");
	} else {
		buf_adds(out, "Sent to the terminal's clipboard (some terminals refuse it).");
	}
}

/* Sends the text, and appends a sentence about where it went. */
static void deliver(struct app *app, struct buf *out)
{
	enum clip_wrap wrap = clip_wrap_here();
	if (!app->has_terminal)
		buf_adds(out, "Sent nowhere: there is no terminal.");
	else if (wrap == CLIP_NONE)
		buf_adds(out, "Sent nowhere: this terminal has no clipboard.");
	else if (wrap != CLIP_TMUX || !send_to_tmux(&app->clipboard, out))
		add_sent(out, send_to_terminal(&app->clipboard, wrap), app->clipboard.len);
}

static void add_line(struct app *app, const char *text, size_t len)
{
	struct buf clean;
	buf_init(&clean);
	utf8_clean(&clean, text, len, app_clean_mode(app));
	list_add(&app->list, buf_str(&clean), 0, 0);
	buf_deinit(&clean);
}

static void add_rest(struct app *app, size_t n)
{
	struct buf line;
	buf_init(&line);
	buf_adds(&line, "... and ");
	add_bytes(&line, n);
	buf_adds(&line, " that are not shown");
	list_heading(&app->list, buf_str(&line));
	buf_deinit(&line);
}

static void show(struct app *app, const char *title, const char *where, const char *remark)
{
	const struct buf *text = &app->clipboard;
	size_t shown = text->len < SHOWN_MOST ? text->len : SHOWN_MOST;
	if (app->list.is_open && !app->list.is_copy)
		list_cover(&app->list);
	app_begin_list(app, title, "{down} {up} scroll  {quit} closes");
	list_heading(&app->list, where);
	if (remark)
		list_heading(&app->list, remark);
	add_line(app, text->data, shown);
	if (shown < text->len)
		add_rest(app, text->len - shown);
	app->list.has_cursor = false;
	app->list.is_copy = true;
	list_open(&app->list, UINT64_MAX);
}

void copy_text(struct app *app, const char *text, size_t len, const char *title, const char *remark)
{
	struct buf where;
	buf_init(&where);
	app->clipboard.len = 0;
	buf_add(&app->clipboard, text, len);
	deliver(app, &where);
	show(app, title, buf_str(&where), remark);
	buf_deinit(&where);
}
