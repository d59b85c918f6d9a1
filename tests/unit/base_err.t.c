/*
 * Error messages, and the report of what was skipped.
 */
#include "tests/tap.h"

#include <errno.h>
#include <locale.h>
#include <unistd.h>

#include "base/err.h"
#include "base/utf8.h"

/* Captures standard error while `print` runs. */
static void capture(void (*print)(void), char *said, size_t size)
{
	int saved = dup(STDERR_FILENO);
	FILE *file = tmpfile();
	if (file == NULL || saved < 0)
		bail_out("no temporary file");
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	print();
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	said[fread(said, 1, size - 1, file)] = '\0';
	fclose(file);
}

static void test_fail(void)
{
	struct err err = {""};
	ok(!fail(&err, "line %d: bad count '%s'", 3, "x"), "fail is false");
	is_str(err.text, "line 3: bad count 'x'", "fail keeps the message");
	ok(!fail(&err, "file: %s", err.text), "a message may be put into another");
	is_str(err.text, "file: line 3: bad count 'x'", "and keeps its text");
	ok(!fail(NULL, "nobody %s", "listens"), "fail without an error is only false");
	errno = ENOENT;
	ok(!fail_errno(&err, "cannot open '%s'", "f"), "fail_errno is false");
	is_str(err.text, "cannot open 'f': No such file or directory", "fail_errno uses the system's message");
	is_int(errno, ENOENT, "fail_errno leaves errno alone");
	ok(!fail_errno(NULL, "nobody listens"), "fail_errno without an error is only false");
}

static void test_long_messages(void)
{
	struct err err = {""};
	char text[9000];
	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = '\0';
	fail(&err, "%s: %s: no reason", "file", text);
	is_int(strlen(err.text), sizeof err.text - 1, "a long message fills the error");
	ok(strstr(err.text, "x...x") != NULL, "a cut in the middle is marked");
	ok(strncmp(err.text, "file: x", 7) == 0, "its beginning stays");
	is_str(err.text + strlen(err.text) - 12, "x: no reason", "and its end");
	errno = ENOENT;
	fail_errno(&err, "%.5110s", text);
	is_str(err.text + strlen(err.text) - 28, "x: No such file or directory", "the system's message stays");
	for (size_t i = 0; i + 2 < sizeof text; i += 2)
		memcpy(text + i, "\xC3\xA9", 2);
	bool is_whole = true;
	for (int shift = 0; shift < 4; shift++) {
		fail(&err, "%.*s%s", shift, "aaaa", text);
		is_whole &= utf8_is_valid(err.text, strlen(err.text));
	}
	ok(is_whole, "no character is cut in two");
}

static void print_hostile(void)
{
	err_print("bad \x1B]0;title\x07 name\nnext \xFF");
}
static void print_accented(void)
{
	err_printf("%s: caf\xC3\xA9", "file");
}

static void test_print(void)
{
	char said[500];
	setlocale(LC_ALL, "C");
	capture(print_hostile, said, sizeof said);
	is_str(said, "flametop: bad ?]0;title? name?next ?\n",
	       "controls are made visible, and the message stays one line");
	capture(print_accented, said, sizeof said);
	is_str(said, "flametop: file: caf?\n", "a plain locale gets plain ASCII");
	if (setlocale(LC_ALL, "C.UTF-8") == NULL) {
		skip("there is no UTF-8 locale");
		return;
	}
	capture(print_accented, said, sizeof said);
	is_str(said, "flametop: file: caf\xC3\xA9\n", "a UTF-8 locale gets UTF-8");
}

static struct buf note_text;

static const char *formatted(const struct note *note)
{
	note_text.len = 0;
	note_add(note, &note_text);
	return buf_str(&note_text);
}

static const char not_a_stack[] = "not a stack (expected 'frames count')";

static void test_report(void)
{
	struct report r;
	report_init(&r);
	report_add(&r, NOTE_SKIP, not_a_stack, "a.folded", 7, "garbage", 7);
	is_int(r.n, 1, "a note is kept");
	is_str(formatted(&r.notes[0]), "a.folded:7: not a stack (expected 'frames count'): garbage",
	       "one note says where and what");
	report_add(&r, NOTE_SKIP, not_a_stack, "a.folded", 9, "more", 4);
	is_int(r.n, 1, "notes of one kind and file are one");
	is_int(r.notes[0].count, 2, "and are counted");
	is_str(formatted(&r.notes[0]),
	       "a.folded: 2 lines skipped, the first at line 7: not a stack (expected 'frames count'): garbage",
	       "several notes say how many and which was first");
	report_add(&r, NOTE_SKIP, not_a_stack, "b.folded", 1, NULL, 0);
	is_int(r.n, 2, "another file has its own note");
	is_str(formatted(&r.notes[1]), "b.folded:1: not a stack (expected 'frames count')", "a note needs no detail");
	report_add(&r, NOTE_INFO, "no line", NULL, 0, NULL, 0);
	is_str(formatted(&r.notes[2]), "no line", "a note needs neither file nor line");
	report_add(&r, NOTE_INFO, "no line", NULL, 0, NULL, 0);
	is_str(formatted(&r.notes[2]), "2 times: no line", "and can be counted all the same");
	char kind[] = "not a stack (expected 'frames count')";
	report_add(&r, NOTE_WARN, kind, "b.folded", 2, NULL, 0);
	is_int(r.notes[1].count, 2, "kinds are compared by their text");
	report_add_weight(&r, NOTE_WARN, "cut", "c", 4, 100);
	report_add_weight(&r, NOTE_WARN, "cut", "c", 5, UINT64_MAX);
	is_int(r.notes[3].weight, (intmax_t)UINT64_MAX, "weights are summed up and do not overflow");
	report_deinit(&r);
	is_int(r.n, 0, "a freed report is empty");
}

static void test_things(void)
{
	struct report r, all;
	report_init(&r);
	report_init(&all);
	report_add(&all, NOTE_SKIP, "odd", "a.folded", 7, NULL, 0);
	report_add(&all, NOTE_SKIP, "odd", "a.folded", 8, NULL, 0);
	r.things = "elements";
	report_add(&r, NOTE_SKIP, "odd", NULL, 1, NULL, 0);
	report_add(&r, NOTE_SKIP, "odd", NULL, 1, NULL, 0);
	report_merge(&all, &r, "b.json", 0);
	is_str(formatted(&all.notes[1]), "b.json: 2 elements skipped, the first at line 1: odd",
	       "one line of a document has many elements");
	is_str(formatted(&all.notes[0]), "a.folded: 2 lines skipped, the first at line 7: odd", "others have lines");
	report_deinit(&r);
	report_deinit(&all);
}

static void test_detail(void)
{
	struct report r;
	char detail[200], path[3000];
	memset(detail, 'd', sizeof detail);
	memcpy(detail + 57, "\xC3\xA9", 2);
	memcpy(detail + 198, " 5", 2);
	report_init(&r);
	report_add(&r, NOTE_WARN, "k", NULL, 1, detail, sizeof detail);
	is_int(strlen(r.notes[0].detail), 119, "details are cut to 120 bytes, between characters");
	is_str(r.notes[0].detail + 115, "dd 5", "in the middle: the end may be the reason");
	memset(path, 'p', sizeof path);
	path[sizeof path - 1] = '\0';
	report_add(&r, NOTE_WARN, "k", path, 1, "reason", 6);
	is_str(formatted(&r.notes[1]) + 2999, ":1: k: reason", "a note has room for any path");
	buf_deinit(&note_text);
	report_deinit(&r);
}

static void test_merge(void)
{
	struct report all, part;
	report_init(&all);
	report_init(&part);
	report_add(&part, NOTE_WARN, "k", NULL, 5, "five", 4);
	report_merge(&all, &part, "f", 100);
	is_int(all.n, 1, "notes are taken over");
	is_int(all.notes[0].line, 105, "lines are counted on from the chunk's first");
	is_str(all.notes[0].file, "f", "notes without a file get the one at hand");
	is_str(all.notes[0].detail, "five", "details are taken over");
	report_merge(&all, &part, "f", 10);
	is_int(all.notes[0].count, 2, "counts are summed up");
	is_int(all.notes[0].line, 15, "the first line stays the first in any order of chunks");
	report_merge(&all, &part, "f", 200);
	is_int(all.notes[0].line, 15, "and stays so");
	report_add_weight(&part, NOTE_WARN, "w", "own", 0, 7);
	report_merge(&all, &part, NULL, 0);
	is_int(all.n, 3, "without a file they are their own");
	is_str(all.notes[2].file, "own", "a note's own file is kept");
	is_int(all.notes[2].line, 0, "no line stays no line");
	is_int(all.notes[2].weight, 7, "weights are taken over");
	report_add(&part, NOTE_INFO, "level", NULL, 0, NULL, 0);
	report_add(&part, NOTE_WARN, "level", NULL, 0, NULL, 0);
	is_int(part.notes[2].level, NOTE_WARN, "the higher level counts");
	report_deinit(&all);
	report_deinit(&part);
}

static void print_report(void)
{
	struct report r;
	report_init(&r);
	report_add(&r, NOTE_INFO, "quiet", "f", 0, NULL, 0);
	report_add(&r, NOTE_WARN, "loud", "f\n", 3, "\x1B", 1);
	report_print(&r, NOTE_WARN);
	report_deinit(&r);
}

static void test_report_print(void)
{
	char said[500];
	setlocale(LC_ALL, "C");
	capture(print_report, said, sizeof said);
	is_str(said, "flametop: f?:3: loud: ?\n", "a report prints its notes of a level, cleaned");
}

int main(void)
{
	test_fail();
	test_long_messages();
	test_print();
	test_report();
	test_things();
	test_detail();
	test_merge();
	test_report_print();
	return done_testing();
}
