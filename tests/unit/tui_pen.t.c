/*
 * Colours and attributes are sent where they change and nowhere else, and the terminal shows what curses intended.
 */
#include "tui/pen.h"

#include <stdlib.h>

#include "tap.h"

/* The bytes sent for a frame after another one, `before`. */
static void becomes(const char *before, const char *frame, const char *expected, const char *what)
{
	struct pen pen = {0};
	struct buf out;
	buf_init(&out);
	pen_forget(&pen);
	pen_add(&pen, &out, before, strlen(before));
	size_t from = out.len;
	pen_add(&pen, &out, frame, strlen(frame));
	is_str(buf_str(&out) + from, expected, "%s", what);
	buf_deinit(&out);
}

#define OFF "\x1b(B\x1b[m"

static void colours(void)
{
	becomes("", "\x1b[38;5;16m\x1b[48;5;231m a", "\x1b[38;5;16m\x1b[48;5;231m a",
	        "before all is off nothing is left out");
	becomes(OFF, "\x1b[38;5;16m\x1b[48;5;231m a", "\x1b[38;5;16;48;5;231m a", "ink and ground are one sequence");
	becomes(OFF "\x1b[31m\x1b[44mx", "\x1b[31m\x1b[45ma", "\x1b[45ma", "an unchanged style is not sent");
	becomes(OFF "\x1b[31m\x1b[44mx", "\x1b[39;49m\x1b(B\x1b[ma", "\x1b[ma", "switching off is sent once");
	becomes(OFF "\x1b[31m\x1b[44mx", "\x1b[39;49m\x1b[32ma", "\x1b[0;32ma", "the ground alone goes back");
	becomes(OFF "\x1b[97m", "\x1b[32m\x1b[97ma", "a", "a style without text is not sent");
	becomes(OFF, "\x1b[38:2::0:0:0m\x1b[48:2::255:255:255ma\x1b[48:2::9:9:9mb",
	        "\x1b[38:2::0:0:0;48:2::255:255:255ma\x1b[48:2::9:9:9mb", "24 bits with colons");
	becomes(OFF, "\x1b[38;2;1;2;3m\x1b[48;2;4;5;6ma", "\x1b[38;2;1;2;3;48;2;4;5;6ma", "24 bits with semicolons");
}

static void attributes(void)
{
	becomes(OFF, "\x1b[1m\x1b[4ma", "\x1b[1;4ma", "attributes are one sequence");
	becomes(OFF "\x1b[1m\x1b[31mx", "\x1b(B\x1b[m\x1b[31ma", "\x1b[0;31ma",
	        "an attribute goes by beginning from nothing");
	becomes(OFF "\x1b[1m\x1b[31mx", "\x1b[1m\x1b[32ma", "\x1b[32ma", "one that stays is not said");
	becomes(OFF "\x1b[7mx", "\x1b[0;7;31ma", "\x1b[31ma", "0 begins anew, and may be all that it was");
	becomes(OFF, "\x1b[41m\x1b[5;9H\x1b[Ka", "\x1b[41m\x1b[5;9H\x1b[Ka", "a line is erased in the new colours");
}

static void unknown(void)
{
	becomes(OFF, "\x1b[31m\x1b[11ma\x1b[31mb", "\x1b[31m\x1b[11ma\x1b[31mb",
	        "nothing is left out behind an unknown sequence");
	becomes(OFF, "\x1b[11m\x1b[ma\x1b[31m\x1b[31mb", "\x1b[11m\x1b[ma\x1b[31mb", "until all is off again");
	becomes(OFF, "\x1b[38;5m\x1b[38;7;1ma", "\x1b[38;5m\x1b[38;7;1ma", "half a colour is not understood");
	becomes(OFF, "\x1b[38:2::1111111111:1111111111:11ma", "\x1b[38:2::1111111111:1111111111:11ma",
	        "nor one that is too long");
	becomes(OFF, "\x1b(Ba\x1b(0q\x1b(Bb", "a\x1b(0q\x1b(Bb", "ASCII is chosen again when another set was");
	becomes("\x1b[m\x0f",
	        "\x0f"
	        "a\x0eq\x0f"
	        "b",
	        "a\x0eq\x0f"
	        "b",
	        "and so where it is one byte");
	becomes(OFF, "\x1b[31", "\x1b[31", "half a sequence is text");
	becomes(OFF, "\x1b[5", "\x1b[5", "a move as well");
	becomes(OFF, "a\x1b", "a\x1b", "and so is its first byte");
}

#define GREY "\x1b[38;5;247m"

static void blanks(void)
{
	becomes(OFF, GREY "|" OFF " " GREY "|", GREY "| |", "a blank between two letters of a colour changes nothing");
	becomes(OFF, GREY "|" OFF " a", GREY "| \x1b[ma", "a letter behind it does");
	becomes(OFF, GREY "|" OFF "   \x1b[K", GREY "|   \x1b[K\x1b[m", "what is erased has the ground alone");
	becomes(OFF, GREY "|\x1b[44m " GREY "|", GREY "|\x1b[44m |", "another ground is shown");
	becomes(OFF, "\x1b[1mb" OFF " \x1b[1mb", "\x1b[1mb b", "a bold blank is like any other");
	becomes(OFF, "\x1b[4mb" OFF " \x1b[4mb", "\x1b[4mb\x1b[m \x1b[4mb", "a line under a blank is not");
	becomes(OFF, "\x1b[7;31mb\x1b[32m \x1b[31mb", "\x1b[7;31mb\x1b[32m \x1b[31mb",
	        "and reversed, its foreground is what is seen");
}

static void moves(void)
{
	struct pen pen = {.has_column = true};
	struct buf out;
	buf_init(&out);
	pen_forget(&pen);
	static const struct {
		const char *frame, *expected, *what;
	} cases[] = {
		{"\x1b[3;7Ha\x1b[3;20Hb", "\x1b[3;7Ha\x1b[20Gb", "the column is enough in the same row"},
		{"\x1b[3;9Ha\x1b[4;9Hb", "\x1b[9Ga\x1b[4;9Hb", "and the row of the frame before is known"},
		{"\x1b[12da\x1b[4X\x1b[12;20Hb", "\x1b[12da\x1b[4X\x1b[20Gb", "it may be chosen alone"},
		{"\x1b[A\x1b[11;20Hb", "\x1b[A\x1b[11;20Hb", "one step up is not counted"},
		{"a\n\x1b[11;20Hb", "a\n\x1b[11;20Hb", "nor is a new line"},
		{"\x1bM\x1b[11;20Hb", "\x1bM\x1b[11;20Hb", "nor what is not known"},
		{"\x1b[2;30r\x1b[11;20Hb", "\x1b[2;30r\x1b[11;20Hb", "nor what moves the cursor by the way"},
		{"\x1b[H\x1b[1;20Hb", "\x1b[H\x1b[1;20Hb", "nor a place without numbers"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		out.len = 0;
		pen_add(&pen, &out, cases[i].frame, strlen(cases[i].frame));
		is_str(buf_str(&out), cases[i].expected, "%s", cases[i].what);
	}
	pen_forget(&pen);
	out.len = 0;
	pen_add(&pen, &out, "\x1b[1;9Ha", 8);
	is_str(buf_str(&out), "\x1b[1;9Ha", "after another program's output, no row is known");
	buf_deinit(&out);
}

/* ---- any frames ---------------------------------------------------------------------------------------------- */

struct look {
	int fg, bg;
	unsigned attrs;
	int row, col; /* of the cursor */
};

/* A blank has no foreground, unless it is reversed, and looks the same in bold. */
static struct look look_of_blank(struct look now)
{
	bool is_reversed = now.attrs & 1u << 7;
	return (struct look){is_reversed ? now.fg : 0, now.bg, is_reversed ? now.attrs : now.attrs & ~(7u << 1), 0, 0};
}

static void take_style(const char **s, struct look *now)
{
	for (const char *p = *s;; p++) {
		int v = (int)strtol(p, (char **)&p, 10), i = v == 38 || v == 48 ? (int)strtol(p + 3, (char **)&p, 10) : v;
		if (v == 0)
			*now = (struct look){0, 0, 0, now->row, now->col};
		else if (v < 10)
			now->attrs |= 1u << v;
		else if (v / 10 == 3)
			now->fg = i == 39 ? 0 : i;
		else
			now->bg = i == 49 ? 0 : i;
		if (*p == 'm') {
			*s = p + 1;
			return;
		}
	}
}

/* Interprets what pieces[] below can become: every character with its style and place, and what is erased. */
static void show(struct buf *shown, const char *s, struct look *now)
{
	while (*s) {
		bool is_control = strncmp(s, "\x1b[", 2) == 0;
		char last = is_control ? s[strspn(s + 2, "0123456789;") + 2] : *s;
		struct look look = is_control || *s == ' ' ? look_of_blank(*now) : *now;
		if (strncmp(s, "\x1b(B", 3) == 0) {
			s += 3;
			continue;
		}
		if (is_control && last == 'm') {
			s += 2;
			take_style(&s, now);
			continue;
		}
		if (is_control) {
			int first = (int)strtol(s + 2, (char **)&s, 10);
			int second = *s == ';' ? (int)strtol(s + 1, (char **)&s, 10) : 0;
			now->row = last == 'H' || last == 'd' ? first : now->row;
			now->col = last == 'H' ? second : last == 'G' ? first : now->col;
		}
		s++;
		if (!is_control || last == 'K')
			buf_addf(shown, "%c %d %d %x at %d,%d\n", last, look.fg, look.bg, look.attrs, now->row, now->col);
		now->col += !is_control;
	}
}

static void any_frame(void)
{
	static const char *const pieces[] = {"a",
	                                     "b",
	                                     " \x1b[K",
	                                     " ",
	                                     "\x1b[5;7H",
	                                     "\x1b[5;17H",
	                                     "\x1b[6d",
	                                     "\x1b[m",
	                                     "\x1b(B\x1b[m",
	                                     "\x1b[39;49m",
	                                     "\x1b[1m",
	                                     "\x1b[7m",
	                                     "\x1b[38;5;216m",
	                                     "\x1b[38;5;16m",
	                                     "\x1b[48;5;231m",
	                                     "\x1b[48;5;8m",
	                                     "\x1b[33m",
	                                     "\x1b[0;1;45m"};
	struct buf in, out, meant, shown;
	size_t bad = 0, longer = 0;
	uint32_t random = 1;
	buf_init(&in), buf_init(&out), buf_init(&meant), buf_init(&shown);
	for (int round = 0; round < 2000; round++) {
		struct pen pen = {.has_column = round % 2};
		struct look a = {0, 0, 0, 1, 1}, b = a;
		pen_forget(&pen);
		out.len = meant.len = shown.len = 0;
		for (int frame = 0; frame < 3; frame++) {
			in.len = 0;
			buf_adds(&in, frame == 0 ? "\x1b(B\x1b[m" : "");
			for (int i = 0; i < 12; i++)
				buf_adds(
					&in,
					pieces[(random = random * 1103515245u + 12345u) / 65536 % (sizeof pieces / sizeof *pieces)]);
			size_t from = out.len;
			pen_add(&pen, &out, in.data, in.len);
			longer += out.len - from > in.len;
			show(&meant, buf_str(&in), &a);
			show(&shown, buf_str(&out) + from, &b);
			bad += memcmp(&a, &b, sizeof a) != 0;
		}
		bad += strcmp(buf_str(&meant), buf_str(&shown)) != 0;
	}
	is_int((long long)bad, 0, "the picture, and the style afterwards, are as curses intended");
	is_int((long long)longer, 0, "and never takes more bytes");
	buf_deinit(&in), buf_deinit(&out), buf_deinit(&meant), buf_deinit(&shown);
}

int main(void)
{
	colours();
	attributes();
	unknown();
	blanks();
	moves();
	any_frame();
	return done_testing();
}
