/*
 * names.c - makes hostile names, and checks that they do no harm.
 *
 *	names folded|json|perf SEED N     profiles with N stacks of such names, on standard output
 *	names text                        is standard input text that can do nothing?
 *	names colored                     the same, but for colours
 *	names terminal                    the same, but for what a program on the whole screen sends
 *	names svg                         is it well-formed, made of the known elements, with nothing that runs but our script?
 *	names drive FLAMETOP FILE KEYS [OPTION]
 *	                                  what flametop sends to a terminal while KEYS are typed, on standard output
 *
 * The check shares no code with the program: it defines what is safe a second time. These are the sequences that
 * flametop uses on purpose:
 *
 *	colored     ESC [ digits and ; m
 *	terminal    ESC [ ? and > in front, digits and ;, one of @ABCDEFGHIJKLMPSTXZ`abcdefghlmnrstu
 *	            ESC ( B   ESC ( 0   ESC 7   ESC 8   ESC =   ESC >   ESC M, SI, BS, CR, LF
 *	            no OSC (title, clipboard, hyperlinks) but the question for the background's colour, no DCS, no answerback
 */
#include <errno.h>
#include <expat.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- hostile names ------------------------------------------------------------------------------------------- */

static const char *const fragments[] = {
	"\x1b[2J",
	"\x1b]0;owned\x07",
	"\x1b]52;c;ZWNobyBvd25lZA==\x07",
	"\x1b]8;;http://evil.example\x1b\\",
	"\x1bP+q544e\x1b\\",
	"\x1b[31m",
	"\x1b[?1049l",
	"\x1b"
	"c",
	"\x1b[6n",
	"\x1b[21t",
	"\x9b"
	"2J",
	"\x9d"
	"0;x\x9c",
	"\xc2\x9b"
	"31m",
	"\xc2\x9d"
	"0;x\xc2\x9c",
	"\x90q\x9c",
	"\x05",
	"\x07",
	"\x08\x08\x08",
	"\r",
	"\t",
	"\x0b",
	"\x0c",
	"\x0e",
	"\x0f",
	"\x7f",
	"\xe2\x80\xae"
	"gnp.exe",
	"\xe2\x80\x8f",
	"\xe2\x81\xa6",
	"\xe2\x80\x8b",
	"\xef\xbb\xbf",
	"\xe2\x80\xa8",
	"\xe2\x80\xa9",
	"\xf3\xa0\x81\xa1",
	"\xc0\x80",
	"\xc1\xbf",
	"\xe0\x80\xaf",
	"\xf0\x80\x80\xaf",
	"\xed\xa0\x80",
	"\xed\xbf\xbf",
	"\xf4\x90\x80\x80",
	"\xf8\x88\x80\x80\x80",
	"\xff\xfe",
	"\xef\xbf\xbe",
	"\xef\xbf\xbf",
	"\xe2\x82",
	"\xf0\x9f\x98",
	"]]>",
	"<![CDATA[",
	"&#1;",
	"&#x1b;",
	"&lt;",
	"&amp;",
	"&x;",
	"<!--",
	"-->",
	"<script>alert(1)</script>",
	"</text>",
	"</svg>",
	"</style>",
	"</script>",
	"\"",
	"'",
	"\" onload=\"alert(1)",
	"' onclick='x",
	"<a xlink:href='javascript:x'>",
	"<!ENTITY x 'y'>",
	"%s%s%s%n",
	"%1000000d",
	"%",
	"$(reboot)",
	"`id`",
	"|sh",
	"\\",
	"\\x1b[31m",
	"\\033",
	"../../etc/passwd",
	"-o",
	"--help",
	"e\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85\xcc\x86",
	"\xe6\xbc\xa2\xe5\xad\x97",
	"\xf0\x9f\x94\xa5",
	"\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9",
	"\xcd\x8f",
	"\xe1\x85\x9f",
	"\xe3\x85\xa4",
	"\xc2\xad",
	"\xd8\x9c",
	"\xe1\xa0\x8e",
	"\xef\xbf\xb9",
	"\xee\x80\x80",
	"(",
	")",
	"[k]",
	"_[k]",
	"std::vector<int, std::allocator<int> >::~vector()",
	"_ZN",
	"_R",
	"_ZNSt6vectorIiSaIiEE9push_backERKi",
	" ",
	"  ",
	"0x",
	"+0x1f",
};

static uint32_t dice;

static uint32_t roll(uint32_t sides)
{
	dice = dice * 1664525 + 1013904223;
	return (uint32_t)(((uint64_t)(dice >> 4) * sides) >> 28);
}

enum notation { FOLDED, JSON, PERF };

static void put_byte(unsigned char c, enum notation how)
{
	if (how == JSON && (c < 0x20 || c == '"' || c == '\\'))
		printf("\\u%04x", c);
	else if (how != JSON && (c == '\n' || c == 0))
		putchar('?');
	else if (how == FOLDED && c == ';')
		putchar(':');
	else
		putchar(c);
}

static void put_name(enum notation how)
{
	for (uint32_t k = roll(4) + 1; k > 0; k--) {
		const char *s = fragments[roll(sizeof fragments / sizeof *fragments)];
		size_t n = strlen(s);
		if (roll(12) == 0)
			put_byte((unsigned char)roll(256), how);
		if (roll(20) == 0 && n > 1)
			n--; /* truncated */
		for (size_t i = 0; i < n; i++)
			put_byte((unsigned char)s[i], how);
		if (roll(3) == 0)
			printf("f%u", roll(50));
	}
}

/* The first bytes of a file tell its format, so the first name is tame. */
static void put_folded(long n)
{
	puts("main 1");
	for (; n > 0; n--) {
		for (uint32_t k = roll(4) + 1; k > 0; k--) {
			put_name(FOLDED);
			putchar(k > 1 ? ';' : ' ');
		}
		printf("%u\n", roll(20) + 1);
	}
}

static void put_json(long n)
{
	printf("{\"traceEvents\":[");
	for (long i = 0; i < n; i++) {
		printf("%s{\"ph\":\"X\",\"ts\":%ld,\"dur\":%u,\"pid\":1,\"tid\":%u,\"name\":\"", i ? ",\n" : "", i * 100,
		       roll(90) + 1, roll(3));
		put_name(JSON);
		printf("\"}");
	}
	printf("]}\n");
}

static void put_perf(long n)
{
	for (long i = 0; i < n; i++) {
		put_name(PERF);
		printf(" %u %ld.%06u: 1000 cycles:\n", 1 + roll(3), i, roll(1000000));
		for (uint32_t k = roll(4) + 1; k > 0; k--) {
			printf("\t    %x ", 4096 + roll(1000));
			put_name(PERF);
			printf("+0x1 (");
			put_name(PERF);
			printf(")\n");
		}
		putchar('\n');
	}
}

/* ---- is it harmless? ----------------------------------------------------------------------------------------- */

enum strictness { TEXT, COLORED, TERMINAL };

struct bytes {
	unsigned char *at;
	size_t n, line;
};

static int complain(const struct bytes *b, size_t i, const char *what)
{
	fprintf(stderr, "byte %zu of %zu: %s:", i, b->n, what);
	for (size_t k = i > 30 ? i - 30 : 0; k < i + 16 && k < b->n; k++)
		fprintf(stderr, b->at[k] >= ' ' && b->at[k] < 0x7f ? "%c" : "\\x%02x", b->at[k]);
	fputc('\n', stderr);
	return 1;
}

static struct bytes read_all(void)
{
	static struct bytes b; /* static: kept until the end, not leaked */
	size_t cap = 0, got;
	do {
		if (b.n + 65536 > cap)
			b.at = realloc(b.at, cap = cap * 2 + 131072);
		got = b.at ? fread(b.at + b.n, 1, 65536, stdin) : 0;
		b.n += got;
	} while (got > 0);
	return b;
}

/* Strictly as in RFC 3629: length of the character, 0 if there is none. */
static size_t character(const unsigned char *s, size_t n, uint32_t *cp)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t len = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
	if (len == 0 || len > n)
		return 0;
	*cp = len == 1 ? s[0] : s[0] & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*cp = *cp << 6 | (s[i] & 0x3f);
	}
	return *cp < least[len] || *cp > 0x10ffff || (*cp >= 0xd800 && *cp < 0xe000) ? 0 : len;
}

/*
 * Characters that are invisible but change what is visible: the general categories Cc, Cf, Zl, Zp, Co, and
 * noncharacters.
 */
static bool is_sly(uint32_t c)
{
	static const uint32_t ranges[][2] = {
		{0x00, 0x1f},       {0x7f, 0x9f},       {0xad, 0xad},       {0x600, 0x605},      {0x61c, 0x61c},
		{0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x8e2, 0x8e2},     {0x180e, 0x180e},    {0x200b, 0x200f},
		{0x2028, 0x202e},   {0x2060, 0x206f},   {0xe000, 0xf8ff},   {0xfdd0, 0xfdef},    {0xfeff, 0xfeff},
		{0xfff9, 0xfffb},   {0xfffe, 0xffff},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd},  {0x13430, 0x1343f},
		{0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}, {0xf0000, 0x10ffff},
	};
	if ((c & 0xfffe) == 0xfffe)
		return true;
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (c >= ranges[i][0] && c <= ranges[i][1])
			return true;
	return false;
}

/* Length of the escape sequence at s, 0: it is not one of ours. */
static size_t sequence(const unsigned char *s, size_t n, enum strictness how)
{
	static const char background[] = "\x1b]11;?\x1b\\";
	size_t i = 2;
	if (how == TEXT || n < 2 || s[0] != 0x1b)
		return 0;
	if (how == TERMINAL && s[1] != '\0' && strchr("78=>M", s[1]))
		return 2;
	if (n < 3)
		return 0;
	if (how == TERMINAL && s[1] == '(' && (s[2] == 'B' || s[2] == '0'))
		return 3;
	if (how == TERMINAL && n >= sizeof background - 1 && memcmp(s, background, sizeof background - 1) == 0)
		return sizeof background - 1;
	if (s[1] != '[')
		return 0;
	if (how == TERMINAL && (s[2] == '?' || s[2] == '>'))
		i++;
	while (i < n && ((s[i] >= '0' && s[i] <= '9') || s[i] == ';'))
		i++;
	if (i == n || !strchr(how == COLORED ? "m" : "@ABCDEFGHIJKLMPSTXZ`abcdefghlmrstu", s[i]))
		return 0;
	return i + 1;
}

static int check(enum strictness how)
{
	struct bytes b = read_all();
	uint32_t cp = 0;
	if (b.n == 0)
		return complain(&b, 0, "nothing came");
	for (size_t i = 0; i < b.n;) {
		size_t n = b.at[i] == 0x1b ? sequence(b.at + i, b.n - i, how) : character(b.at + i, b.n - i, &cp);
		if (n == 0)
			return complain(&b, i, b.at[i] == 0x1b ? "an escape sequence that we do not mean" : "not UTF-8");
		bool is_move = how == TERMINAL && (cp == '\r' || cp == '\b' || cp == 0x0f || cp == 0x0e);
		if (b.at[i] != 0x1b && b.at[i] != '\n' && is_sly(cp) && !is_move)
			return complain(&b, i, "a character that does something");
		i += n;
	}
	return 0;
}

/* ---- SVG ----------------------------------------------------------------------------------------------------- */

struct document {
	int scripts;
	bool is_bad;
};

static void on_element(void *arg, const XML_Char *name, const XML_Char **attributes)
{
	static const char *const known[] = {"svg",  "defs", "linearGradient", "stop", "style", "script", "metadata",
	                                    "rect", "g",    "title",          "text", "a"};
	struct document *d = arg;
	bool is_known = false;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		is_known = is_known || strcmp(name, known[i]) == 0;
	d->scripts += strcmp(name, "script") == 0;
	if (!is_known) {
		fprintf(stderr, "an element of its own: %s\n", name);
		d->is_bad = true;
	}
	for (size_t i = 0; attributes[i]; i += 2) {
		bool is_ours = strcmp(attributes[i], "onload") == 0 && strcmp(attributes[i + 1], "init(evt)") == 0 &&
		               strcmp(name, "svg") == 0;
		if ((strncmp(attributes[i], "on", 2) == 0 && !is_ours) || strstr(attributes[i], "href")) {
			fprintf(stderr, "an attribute of its own: %s=%s\n", attributes[i], attributes[i + 1]);
			d->is_bad = true;
		}
	}
}

static int check_svg(void)
{
	struct bytes b = read_all();
	struct document d = {0, false};
	XML_Parser p = XML_ParserCreate(NULL);
	XML_SetUserData(p, &d);
	XML_SetStartElementHandler(p, on_element);
	bool is_read = XML_Parse(p, (const char *)b.at, (int)b.n, 1) == XML_STATUS_OK;
	size_t at = is_read ? 0 : (size_t)XML_GetCurrentByteIndex(p);
	if (!is_read)
		fprintf(stderr, "line %lu: %s\n", XML_GetCurrentLineNumber(p), XML_ErrorString(XML_GetErrorCode(p)));
	XML_ParserFree(p);
	if (!is_read)
		return complain(&b, at, "not well-formed");
	if (d.scripts != 1)
		fprintf(stderr, "%d scripts\n", d.scripts);
	return d.is_bad || d.scripts != 1;
}

/* ---- the viewer on a terminal -------------------------------------------------------------------------------- */

static void pass_on(int master, int ms)
{
	char bytes[65536];
	struct pollfd p = {.fd = master, .events = POLLIN};
	ssize_t n;
	while (poll(&p, 1, ms) > 0 && (n = read(master, bytes, sizeof bytes)) > 0)
		fwrite(bytes, 1, (size_t)n, stdout);
}

static int drive(const char *flametop, const char *file, const char *keys, const char *option)
{
	struct winsize size = {.ws_col = 120, .ws_row = 40};
	int master, status = 1;
	pid_t pid = forkpty(&master, NULL, NULL, &size);
	if (pid < 0)
		return 1;
	if (pid == 0) {
		execl(flametop, flametop, file, option, (char *)NULL);
		_exit(99);
	}
	poll(&(struct pollfd){.fd = master, .events = POLLIN}, 1, 10000); /* until it has started */
	pass_on(master, 700);
	for (; *keys; keys++) {
		if (write(master, *keys == '~' ? "\x1b" : keys, 1) != 1)
			break;
		pass_on(master, 60);
	}
	kill(pid, SIGTERM);
	pass_on(master, 3000);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? 0 : 1;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 3 ? atol(argv[3]) : 0;
	if (argc > 4 && strcmp(what, "drive") == 0)
		return drive(argv[2], argv[3], argv[4], argc > 5 ? argv[5] : NULL);
	dice = argc > 2 ? (uint32_t)atol(argv[2]) : 0;
	if (strcmp(what, "folded") == 0)
		put_folded(n);
	else if (strcmp(what, "json") == 0)
		put_json(n);
	else if (strcmp(what, "perf") == 0)
		put_perf(n);
	else if (strcmp(what, "text") == 0)
		return check(TEXT);
	else if (strcmp(what, "colored") == 0)
		return check(COLORED);
	else if (strcmp(what, "terminal") == 0)
		return check(TERMINAL);
	else if (strcmp(what, "svg") == 0)
		return check_svg();
	else
		return 2;
	return 0;
}
