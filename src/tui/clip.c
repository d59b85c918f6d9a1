/*
 * clip.c - builds the escape sequence that fills the clipboard.
 *
 *	ESC ] 52 ; c ; BASE64 BEL
 *
 * tmux accepts it directly if set-clipboard is on; otherwise it only passes on wrapped sequences. So it is sent
 * both ways; setting the same text twice does no harm. screen passes on pieces of limited length.
 */
#include "tui/clip.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "tui/tmux.h"

#define SCREEN_PIECE 240u

enum clip_wrap clip_wrap_here(void)
{
	const char *name = getenv("TERM");
	if (tmux_is_around())
		return CLIP_TMUX;
	if (name && strcmp(name, "linux") == 0)
		return CLIP_NONE;
	return name && strncmp(name, "screen", 6) == 0 ? CLIP_SCREEN : CLIP_PLAIN;
}

/* tmux's wrapping doubles each ESC. */
static void add_for_tmux(struct buf *out, const struct buf *sequence)
{
	buf_adds(out, "\x1bPtmux;");
	for (size_t i = 0; i < sequence->len; i++) {
		if (sequence->data[i] == '\x1b')
			buf_addc(out, '\x1b');
		buf_addc(out, sequence->data[i]);
	}
	buf_adds(out, "\x1b\\");
}

static void add_for_screen(struct buf *out, const struct buf *sequence)
{
	for (size_t i = 0; i < sequence->len; i += SCREEN_PIECE) {
		size_t left = sequence->len - i;
		buf_adds(out, "\x1bP");
		buf_add(out, sequence->data + i, left < SCREEN_PIECE ? left : SCREEN_PIECE);
		buf_adds(out, "\x1b\\");
	}
}

/* As much as terminals take, without a part of a character at the end. */
static size_t taken(const char *text, size_t len)
{
	size_t n = CLIP_MAX;
	if (len <= CLIP_MAX)
		return len;
	while (n > CLIP_MAX - 4 && ((unsigned char)text[n] & 0xC0) == 0x80)
		n--;
	return n;
}

size_t clip_add(struct buf *out, const char *text, size_t len, enum clip_wrap wrap)
{
	struct buf sequence;
	size_t n = taken(text, len);
	if (wrap == CLIP_NONE)
		return 0;
	buf_init(&sequence);
	buf_adds(&sequence, "\x1b]52;c;");
	base64_add(&sequence, text, n);
	buf_addc(&sequence, '\a');
	if (wrap == CLIP_SCREEN)
		add_for_screen(out, &sequence);
	if (wrap == CLIP_PLAIN || wrap == CLIP_TMUX)
		buf_add(out, sequence.data, sequence.len);
	if (wrap == CLIP_TMUX || wrap == CLIP_AROUND_TMUX)
		add_for_tmux(out, &sequence);
	buf_deinit(&sequence);
	return n;
}
