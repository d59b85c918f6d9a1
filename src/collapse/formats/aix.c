/*
 * aix.c - parses procstack output: the stacks of running processes on AIX.
 *
 *	4194654: /opt/app/bin/orderd -p 7001
 *	---------- tid# 15925473 (pthread ID: 1) ----------
 *	0x09000000005a1b3c  __fd_select(??, ??) + 0xbc
 *	0x0000000100001e44  main() + 0x84
 *
 *	/opt/app/bin/orderd;main;__fd_select 1
 *
 * A process with only one thread is printed without the tid line. Each stack counts once; dumps of many moments
 * simply follow each other.
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"
#include "collapse/text/tidy.h"

struct aix {
	struct sink *sink;
	struct frames frames;
	uint64_t heading; /* line of a thread's heading without frames so far; 0: none */
	int64_t pid, tid; /* of the stack; -1: unknown, 0: no line with it so far */
	uint32_t process; /* symbol; 0: none yet */
};

static void aix_emit(struct aix *a)
{
	if (a->heading)
		report_add_weight(&a->sink->profile->report, NOTE_WARN, NO_FRAMES, NULL, a->heading, 1);
	a->heading = 0;
	if (!a->frames.n)
		return;
	if (a->process)
		frames_push(&a->frames, a->process);
	bool is_known = a->process || a->tid;
	uint32_t task = is_known ? profile_task(a->sink->profile, a->process, a->pid ? a->pid : -1, a->tid) : 0;
	frames_emit_reversed_of(&a->frames, a->sink, 1, task);
}

/* "4194654: /opt/app/bin/orderd -p 7001" */
static bool take_process(struct slice line, struct slice *pid, struct slice *program)
{
	*pid = slice_take_digits(&line);
	if (!pid->n || !slice_take(&line, ":"))
		return false;
	*program = slice_take_word(&line);
	return true;
}

/* "---------- tid# 15925473 (pthread ID: 1) ----------" */
static bool take_thread(struct slice line, struct slice *tid)
{
	if (!slice_take(&line, "-"))
		return false;
	while (slice_take(&line, "-"))
		;
	if (!slice_take(&line, " tid# "))
		return false;
	*tid = slice_take_digits(&line);
	return tid->n > 0;
}

static bool is_thread(struct slice line)
{
	struct slice tid;
	return take_thread(line, &tid);
}

/* The text between the address and " + 0xbc", without parameters; the address in place of "[unresolved](??)". */
static struct slice function_name(struct slice address, struct slice rest)
{
	size_t offset = slice_find(rest, " + 0x");
	struct slice name = slice_trim(offset == SIZE_MAX ? rest : slice_head(rest, offset));
	name = slice_rtrim(slice_head(name, tidy_signature(name.s, name.n)));
	if (!name.n || (*name.s == '[' && name.s[name.n - 1] == ']'))
		return address;
	return name;
}

static void aix_line(struct aix *a, struct slice line, uint64_t number)
{
	struct slice program, id, rest = line, address = slice_take_word(&rest);
	if (slice_is_address(address)) {
		a->heading = 0;
		frames_push_text(&a->frames, a->sink, function_name(address, rest));
	} else if (take_process(line, &id, &program)) {
		aix_emit(a);
		a->pid = slice_id(id);
		a->tid = -1;
		a->process = sink_frame(a->sink, program.s, program.n);
	} else if (take_thread(line, &id)) {
		aix_emit(a);
		a->tid = slice_id(id);
		a->heading = number;
	} else if (line.n) {
		sink_skip(a->sink, "neither process, thread nor frame (expected '0xADDRESS name(...) + 0xOFFSET')", number,
		          line.s, line.n);
	}
}

static void aix_end(struct aix *a, bool is_whole)
{
	if (is_whole)
		aix_emit(a);
	frames_deinit(&a->frames);
}

LINE_FORMAT(aix)

static enum sniff aix_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_thread, "no line '---------- tid# NUMBER'", why);
}

const struct collapse_format format_aix = {
	.name = "aix",
	.help = "procstack of AIX",
	.tells_open_end = true,
	.sniff = aix_sniff,
	LINE_FORMAT_FUNCTIONS(aix),
};
