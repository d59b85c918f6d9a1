/*
 * Colours and attributes are sent where they change and nowhere else, and the terminal shows what curses intended.
 */
#include "tui/pen.h"

#include <stdlib.h>

#include "tap.h"

/* The bytes sent for a frame after another one, `before`. */
static void becomes(const char *before, const char *frame, const char *expected, const char *what)
{
	struct pen pen;
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
	becomes(OFF, "\x1b[31m\x1b[5;9H\x1b[Ka", "\x1b[31m\x1b[5;9H\x1b[Ka", "a line is erased in the new colours");
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
	becomes(OFF, "a\x1b", "a\x1b", "and so is its first byte");
}

/* ---- any frames ---------------------------------------------------------------------------------------------- */

struct look {
	int fg, bg;
	unsigned attrs;
};

/* Interprets what pieces[] below can become: every character with its style. */
static void show(struct buf *shown, const char *s, struct look *now)
{
	while (*s) {
		if (strncmp(s, "\x1b(B", 3) == 0) {
			s += 3;
			continue;
		}
		if (strncmp(s, "\x1b[", 2) != 0 || s[strspn(s + 2, "0123456789;") + 2] != 'm') {
			buf_addf(shown, "%c %d %d %x\n", *s++, now->fg, now->bg, now->attrs);
			continue;
		}
		for (s += 2;; s++) {
			int v = (int)strtol(s, (char **)&s, 10),
				i = v == 38 || v == 48 ? (int)strtol(s + 3, (char **)&s, 10) : v;
			if (v == 0)
				*now = (struct look){0, 0, 0};
			else if (v < 10)
				now->attrs |= 1u << v;
			else if (v / 10 == 3)
				now->fg = i == 39 ? 0 : i;
			else
				now->bg = i == 49 ? 0 : i;
			if (*s == 'm')
				break;
		}
		s++;
	}
}

static void any_frame(void)
{
	static const char *const pieces[] = {"a",
	                                     "b",
	                                     " \x1b[K",
	                                     "\x1b[5;7H",
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
		struct pen pen;
		struct look a = {0, 0, 0}, b = a;
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
	any_frame();
	return done_testing();
}
