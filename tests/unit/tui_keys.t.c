/*
 * Decoding terminal input, and names of keys.
 */
#include "tests/tap.h"

#include "tui/keys.h"

/* All events of some bytes as text: names of keys, <left 3,4> for a press, (x) for a pasted x. */
static void describe(struct buf *out, const struct event *e)
{
	static const char *const buttons[] = {"left", "middle", "right", "up", "down", "wleft", "wright", "none"};
	static const char *const actions[] = {"press", "release", "drag"};
	if (e->kind == EVENT_MOUSE) {
		buf_addf(out, "{%s %s %d,%d}", buttons[e->button], actions[e->action], e->row, e->col);
		return;
	}
	if (e->kind == EVENT_BACKGROUND) {
		buf_adds(out, e->is_light ? "{light}" : "{dark}");
		return;
	}
	if (e->is_pasted)
		buf_addc(out, '(');
	key_add_name(out, e->key);
	if (e->is_pasted)
		buf_addc(out, ')');
}

static void feed(struct key_decoder *d, struct buf *out, const char *bytes, size_t n)
{
	struct event e;
	const unsigned char *p = (const unsigned char *)bytes, *end = p + n;
	while (key_decode(d, &p, end, &e))
		describe(out, &e);
}

static void decodes(const char *bytes, const char *expected, const char *name)
{
	struct key_decoder d = {0};
	struct event e;
	struct buf out;
	buf_init(&out);
	feed(&d, &out, bytes, strlen(bytes));
	if (key_is_pending(&d) && key_flush(&d, &e))
		describe(&out, &e);
	is_str(buf_str(&out), expected, "%s", name);
	/* The same byte by byte: a slow line must not change a key. */
	out.len = 0;
	d = (struct key_decoder){0};
	for (size_t i = 0; i < strlen(bytes); i++)
		feed(&d, &out, bytes + i, 1);
	if (key_is_pending(&d) && key_flush(&d, &e))
		describe(&out, &e);
	is_str(buf_str(&out), expected, "%s, byte by byte", name);
	buf_deinit(&out);
}

static void parses(const char *text, const char *expected, const char *name)
{
	struct buf out;
	uint32_t key;
	buf_init(&out);
	while (key_parse(&text, &key, NULL)) {
		key_add_name(&out, key);
		buf_addc(&out, ' ');
	}
	is_str(buf_str(&out), expected, "%s", name);
	buf_deinit(&out);
}

int main(void)
{
	decodes("ab", "ab", "characters are keys");
	decodes("\xc3\xa9\xe6\x97\xa5", "é日", "UTF-8 is decoded");
	decodes("\xff"
	        "a",
	        "a", "a byte that is no UTF-8 is passed over");
	decodes("\x1b[A\x1b[B\x1b[C\x1b[D", "<Up><Down><Right><Left>", "arrows in normal mode");
	decodes("\x1bOA\x1bOB\x1bOC\x1bOD", "<Up><Down><Right><Left>", "arrows in application mode");
	decodes("\x1b[5~\x1b[6~\x1b[1~\x1b[4~\x1b[H\x1b[F", "<PgUp><PgDn><Home><End><Home><End>", "keys with numbers");
	decodes("\x1b[1;5A\x1b[3~", "<Up><Del>", "modifiers are passed over");
	decodes("\x1bOP\x1b[15~\x1b[24~\x1b[[A", "<F1><F5><F12><F1>", "function keys of three kinds of terminals");
	decodes("\x1b[Z\t\r\x7f\x08", "<BackTab><Tab><Enter><BS><BS>", "Tab, Enter and both backspaces");
	decodes("\x04\x15\x0c", "<C-d><C-u><C-l>", "control keys");
	decodes("\x1b", "<Esc>", "a lone ESC is Esc after a while");
	decodes("\x1b\x1b[A", "<Esc><Up>", "Esc before a sequence");
	decodes("\x1bx", "", "Alt and a key is nothing");
	decodes("\x1b[999;999Xa", "a", "an unknown sequence is passed over whole");
	decodes("\x1b[<0;12;7M\x1b[<0;12;7m", "{left press 6,11}{left release 6,11}", "a click");
	decodes("\x1b[<2;300;100M", "{right press 99,299}", "a click beyond column 223");
	decodes("\x1b[<64;1;1M\x1b[<65;1;1M", "{up press 0,0}{down press 0,0}", "the wheel");
	decodes("\x1b[<32;5;5M", "{left drag 4,4}", "a drag");
	decodes("\x1b[<0;0;0M\x1b[<0M", "", "a report without a place is ignored");
	decodes("a\x1b]10;rgb:0/0/0\x07z\x1bP1$r0m\x1b\\y", "azy", "answers of the terminal are no keys");
	decodes("a\x1b]11;rgb:0/0/0\x07z\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\y", "a{dark}z{dark}y", "a dark background");
	decodes("\x1b]11;rgb:f/f/f\x07\x1b]11;rgb:fd/F6/e3\x1b\\y", "{light}{light}y", "a light one");
	decodes("\x1b]11;rgb:ff/ff\x07\x1b]11;?\x1b\\\x1b]11;rgb:gg/00/00\x07y", "y", "answers that say no colour");
	decodes("\x1bPqq\x1b_q\x1bXq\x1b^q\x1b]qq", "qqqqqqq",
	        "Alt and the beginning of an answer do not take the keys behind it");
	decodes("\x1b]1\x03\x1bP1\x03\x1b[1\x03\x1b\x03", "<C-c><C-c><C-c><C-c>", "^C is a key within everything");
	decodes("\x1b]1\x1b[A\x1b[1\x1b[Bq", "<Up><Down>q", "a sequence ends one that was cut short");
	decodes("\x1b]123456789012345678901234567890123456789012345678901234567890123qq", "qq",
	        "an answer that is too long ends");
	decodes("\xe9q\xe2\x82q\xe9\x1b[A", "qq<Up>", "so do characters that were cut short");
	decodes("\x1b[200~q\n\x1b[201~q", "(q)(<C-j>)q", "pasted text is marked");

	parses("/foo<Enter>jj<Esc>", "/ f o o <Enter> j j <Esc> ", "names and characters");
	parses("<lt><C-d><F1><F12><Space><PgDn>", "<lt> <C-d> <F1> <F12> <Space> <PgDn> ", "all kinds of names");
	parses("<enter><ESC><c-D>", "<Enter> <Esc> <C-d> ", "names in any case");
	parses("a<", "a <lt> ", "a '<' that begins no name is itself");
	const char *bad = "<Nonsense>";
	uint32_t key;
	struct err err = {0};
	ok(!key_parse(&bad, &key, &err) && strstr(err.text, "<Nonsense>"), "an unknown name is named in the message");
	return done_testing();
}
