/*
 * jstack.c - parses thread dumps of HotSpot: jstack PID, or kill -QUIT PID.
 *
 *	Full thread dump OpenJDK 64-Bit Server VM (11.0.2+9 mixed mode):
 *
 *	"http-nio-8080-exec-7" #41 daemon prio=5 tid=0x... nid=0x1f03 runnable [0x...]
 *	   java.lang.Thread.State: RUNNABLE
 *		at com.acme.json.Parser.value(Parser.java:88)
 *		- locked <0x00000000e0a1b2c8> (a java.lang.Object)
 *		at java.lang.Thread.run(Thread.java:829)
 *
 *	http-nio-8080-exec;java.lang.Thread.run;com.acme.json.Parser.value 1
 *
 * Only running threads count: RUNNABLE, but not in a call that waits for the network. Waiting threads are left out
 * as long as they are at most half of all with a stack; or if there are three: one runs, one sleeps and one waits
 * for the network. The JVM's own threads, which normally have no stack, are always left out: those
 * without a state, those whose stack has the address 0, and some by name, as other tools do. A note says how many;
 * --idle keeps all of them.
 *
 * The members of a pool share a name except for a number, which is removed; --tid keeps it.
 *
 * `jhsdb jstack` and `jstack -F` name no source file; the latter of old JVMs names no threads either:
 *
 *	Thread 4242: (state = IN_NATIVE)
 *	 - com.acme.json.Parser.value(java.lang.String) @bci=6, line=88 (Compiled frame)
 *
 * A report of deadlocks repeats the stacks of threads of the dump, so its stacks are passed over.
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/java.h"
#include "collapse/text/line_format.h"
#include "collapse/text/waiting.h"

enum activity { UNKNOWN, RUNNABLE, OTHER, BACKGROUND, NETWORK };

/* Kinds of waiting. */
enum { OWN, ASLEEP, ON_NETWORK };

struct jstack {
	struct sink *sink;
	struct frames frames;
	struct frames carrier; /* of the thread that carries the virtual one whose frames are read */
	bool has_thread;
	bool is_in_report; /* of deadlocks */
	bool is_in_heap;   /* a summary, indented, below "Heap" behind the threads of kill -QUIT */
	bool is_mounted;   /* the frames are those of a virtual thread, which has no line with its state */
	uint32_t thread;   /* symbol */
	enum activity activity;
	struct waiting waiting;
};

/* Old JVMs do not print what a thread does. */
static unsigned kind_of(enum activity activity, bool has_frames)
{
	if (activity == BACKGROUND || (activity == UNKNOWN && !has_frames))
		return OWN;
	return activity == NETWORK ? ON_NETWORK : ASLEEP;
}

static void jstack_emit(struct jstack *j)
{
	unsigned kind = kind_of(j->activity, j->frames.n > 0);
	for (size_t i = 0; i < j->carrier.n; i++)
		frames_push_of(&j->frames, &j->carrier, i);
	j->carrier.n = 0;
	if (!j->has_thread && !j->frames.n)
		return;
	if (j->has_thread)
		frames_push(&j->frames, j->thread);
	if (j->activity == RUNNABLE) {
		waiting_work(&j->waiting, 1);
		frames_emit_reversed(&j->frames, j->sink, 1);
	} else {
		frames_reverse(&j->frames);
		uint32_t path = profile_path(j->sink->profile, j->frames.syms, j->frames.n);
		waiting_add(&j->waiting, j->sink, kind, path, frames_site(&j->frames, j->sink), 1);
	}
	j->frames.n = 0;
	j->has_thread = j->is_mounted = false;
	j->activity = UNKNOWN;
}

/* Calls in which the state of a thread is not RUNNABLE. */
static bool is_waiting_call(struct slice name)
{
	static const char *const names[] = {"Unsafe.park",  "Object.wait",   "Object.wait0",
	                                    "Thread.sleep", "Thread.sleep0", "Thread.sleepNanos0"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t at = name.n - strlen(names[i]);
		if (slice_ends(name, names[i]) && (!at || !is_word_byte(name.s[at - 1])))
			return true;
	}
	return false;
}

static void settle(struct waiting *w, struct sink *sink)
{
	uint64_t asleep = w->of_kind[ASLEEP], network = w->of_kind[ON_NETWORK];
	uint64_t all = w->all - w->of_kind[OWN];
	bool is_one_of_each = all == 3 && asleep == 1 && network == 1;
	unsigned kinds = 1u << OWN;
	if (waiting_may_go(sink, is_one_of_each ? asleep : asleep + network, all))
		kinds |= 1u << ASLEEP | 1u << ON_NETWORK;
	waiting_settle(w, sink, kinds, "are of threads that do not run");
}

static void jstack_preview(const void *state, struct profile *copy)
{
	const struct jstack *j = state;
	waiting_preview(&j->waiting, j->sink, copy, settle);
}

/* Compiler threads are called "C1 CompilerThread0" or "C2 CompilerThread3". */
static bool is_compiler_thread(struct slice name)
{
	size_t at = slice_find(name, " CompilerThread");
	return at != SIZE_MAX && at >= 2 && name.s[at - 2] == 'C';
}

/* 'runnable  [0x0000000000000000]': the JVM's own thread, which has no Java stack, whatever its state. */
static bool has_no_stack(struct slice heading)
{
	struct slice address = slice_from(heading, slice_find_last(heading, '['));
	if (!slice_take(&address, "[0x") || !address.n || address.s[address.n - 1] != ']')
		return false;
	for (size_t i = 0; i + 1 < address.n; i++)
		if (address.s[i] != '0')
			return false;
	return address.n > 1;
}

static struct slice without_number(struct slice name)
{
	size_t dash = slice_find_last(name, '-');
	if (dash == SIZE_MAX || dash + 1 == name.n || !slice_is_digits(slice_from(name, dash + 1)))
		return name;
	return slice_head(name, dash);
}

static void begin_thread(struct jstack *j, struct slice name)
{
	j->thread = sink_frame(j->sink, name.s, name.n);
	j->has_thread = true;
	j->is_in_report = false;
}

/* '"http-nio-8080-exec-7" #41 daemon ...' */
static void open_thread(struct jstack *j, struct slice line)
{
	jstack_emit(j);
	/* quotes within a name are not escaped, and none follow it */
	struct slice name = slice_from(line, 1);
	size_t end = slice_find_last(name, '"');
	name = slice_head(name, end == SIZE_MAX ? name.n : end);
	if (has_no_stack(slice_from(line, end == SIZE_MAX ? line.n : end + 1)) || is_compiler_thread(name) ||
	    slice_has(name, "Signal Dispatcher") || slice_has(name, "Service Thread") ||
	    slice_has(name, "Attach Listener"))
		j->activity = BACKGROUND;
	if (!j->sink->options->tid)
		name = without_number(name);
	begin_thread(j, name);
}

/* "Thread 4242: (state = IN_NATIVE)" */
static bool take_forced(struct slice line, struct slice *name, struct slice *state)
{
	*name = slice_before(line, ':');
	*state = slice_from(line, name->n);
	return slice_take(&line, "Thread ") && slice_take_digits(&line).n && slice_take(state, ": (state = ");
}

static void open_forced(struct jstack *j, struct slice name, struct slice state)
{
	jstack_emit(j);
	begin_thread(j, j->sink->options->tid ? name : slice_of("Thread"));
	j->activity = slice_starts(state, "IN_") ? RUNNABLE : OTHER;
}

/* " - com.acme.Pool.borrow(int) @bci=6, line=55 (Interpreted frame)" */
static bool take_jhsdb_frame(struct slice line, struct slice *name)
{
	line = slice_ltrim(line);
	if (!slice_take(&line, "- ") || !slice_has(line, ") @bci="))
		return false;
	*name = slice_trim(slice_before(line, '('));
	return name->n > 0;
}

static void add_frame(struct jstack *j, struct slice line, struct slice name)
{
	if (j->is_in_report)
		return;
	java_push(&j->frames, j->sink, line, name);
	if (j->activity == BACKGROUND)
		return;
	size_t socket = slice_find(name, "Socket");
	if (slice_has(name, "epollWait") || slice_has(name, "EPoll.wait"))
		j->activity = NETWORK;
	else if (slice_ends(name, "socketAccept") || slice_ends(name, "socketRead0") ||
	         (socket != SIZE_MAX && slice_ends(slice_from(name, socket), "accept0")))
		j->activity = NETWORK;
	else if (slice_ends(name, "Reference.waitForReferencePendingList")) /* of "Reference Handler", since JDK 9 */
		j->activity = OTHER;
	else if (j->is_mounted && j->frames.n == 1 && is_waiting_call(name))
		j->activity = OTHER;
}

static void set_state(struct jstack *j, struct slice state)
{
	if (j->activity == UNKNOWN)
		j->activity = slice_is(slice_take_word(&state), "RUNNABLE") ? RUNNABLE : OTHER;
}

/*
 * Since JDK 21 "Carrying virtual thread #170" stands in place of the state. Later ones print the frames of that
 * thread behind those of its carrier, from which they were called, below "Mounted virtual thread #170". Its top
 * frame, and the lock it waits for, tell whether it waits.
 */
static bool take_virtual(struct jstack *j, struct slice text)
{
	bool is_mounted = slice_starts(text, "Mounted virtual thread");
	if (!is_mounted && !slice_starts(text, "Carrying virtual thread"))
		return false;
	if (j->activity == UNKNOWN)
		j->activity = RUNNABLE;
	for (size_t i = 0; i < j->frames.n && is_mounted; i++)
		frames_push_of(&j->carrier, &j->frames, i);
	if (is_mounted)
		j->frames.n = 0;
	j->is_mounted = is_mounted;
	return true;
}

/* "- waiting to lock <0x...>" below the top frame of a virtual thread, which is pinned to its carrier. */
static void take_lock(struct jstack *j, struct slice text)
{
	bool is_waiting = slice_starts(text, "- waiting ") || slice_starts(text, "- parking to wait ");
	if (is_waiting && j->is_mounted && j->frames.n == 1 && j->activity == RUNNABLE)
		j->activity = OTHER;
}

/* Lines of a dump other than threads and frames; line has no leading blanks. */
static bool is_known_chatter(struct slice line)
{
	static const char *const starts[] = {
		"-",
		"#",
		"JNI global ref",
		"Locked ownable synchronizers",
		"Threads class SMR info",
		"_java_thread_list",
		"}",
		"0x",
		"No compile task",
		"JavaThread state: ",
		"Compiling:",
		"Found ",
		"=====",
		"waiting to lock",
		"waiting for ownable",
		"which is held by",
		"Heap",
		"JVM version",
		"Debugger attached",
		"Server compiler detected",
		"Client compiler detected",
		"Attaching to process",
		"Deadlock Detection",
		"No deadlocks found",
	};
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
		if (slice_starts(line, starts[i]))
			return true;
	}
	struct slice rest = line;
	if (slice_take_digits(&rest).n && slice_is(rest, ":")) /* jcmd writes "4242:" */
		return true;
	/* "2024-03-01 10:00:00" */
	return line.n > 4 && *line.s == '2' && line.s[4] == '-' && slice_is_digits(slice_head(line, 4));
}

/* '"a":' is a member of a deadlock. */
static bool is_report(struct slice line)
{
	return slice_starts(line, "Java stack information") || (*line.s == '"' && slice_ends(line, "\":"));
}

static void jstack_line(struct jstack *j, struct slice line, uint64_t number)
{
	struct slice name, state, text = slice_ltrim(line);
	j->is_in_heap = slice_is(line, "Heap") || (j->is_in_heap && line.n && is_blank_byte(*line.s));
	if (j->is_in_heap && text.n < line.n)
		return;
	if (!line.n) {
		jstack_emit(j);
	} else if (is_report(line)) {
		jstack_emit(j);
		j->is_in_report = true;
	} else if (*line.s == '"') {
		open_thread(j, line);
	} else if (take_forced(line, &name, &state)) {
		open_forced(j, name, state);
	} else if (java_take_frame(line, &name)) {
		add_frame(j, line, name);
	} else if (take_jhsdb_frame(line, &name)) {
		add_frame(j, name, name);
	} else if (slice_take(&text, "java.lang.Thread.State: ")) {
		set_state(j, text);
	} else if (slice_starts(line, "Full thread dump")) {
		jstack_emit(j);
		j->is_in_report = false;
	} else if (slice_starts(text, "- ")) {
		take_lock(j, text);
	} else if (!take_virtual(j, text) && !is_known_chatter(text)) {
		sink_skip(j->sink, "not a line of a thread dump (expected '\"THREAD\" ...' or 'at NAME(...)')", number,
		          line.s, line.n);
	}
}

static void jstack_end(struct jstack *j, bool is_whole)
{
	if (is_whole)
		jstack_emit(j);
	settle(&j->waiting, j->sink);
	waiting_deinit(&j->waiting);
	frames_deinit(&j->frames);
	frames_deinit(&j->carrier);
}

LINE_FORMAT(jstack)

/* The heading of a dump, or of a thread if only part of a dump was kept. */
static bool is_mine(struct slice line)
{
	struct slice name, state;
	if (slice_starts(line, "Full thread dump") || take_forced(line, &name, &state))
		return true;
	return slice_starts(line, "\"") && slice_has(line, "\" ") && slice_has(line, " tid=0x") &&
	       slice_has(line, " nid=");
}

static enum sniff jstack_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_mine, "no line 'Full thread dump' or '\"THREAD\" ... tid=0x... nid=...'", why);
}

const struct collapse_format format_jstack = {
	.name = "jstack",
	.help = "thread dumps of HotSpot: jstack PID or jhsdb jstack --pid PID, any number of them in one file",
	.tells_open_end = true,
	.sniff = jstack_sniff,
	LINE_FORMAT_FUNCTIONS(jstack),
	.preview = jstack_preview,
	.effects = EFFECT_IDLE | EFFECT_TID | EFFECT_SHORTEN,
};
