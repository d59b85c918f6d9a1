/*
 * perfmap_ask.c - asks one runtime with the rights of its user.
 *
 * The asker first reads what needs the right to look at the process, and looks up the directory of the map. Then it
 * gives up its rights. All files in the directory are found from there.
 */
#include "record/sampler/perfmap_ask.h"

#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file_look.h"
#include "base/find.h"
#include "base/proc.h"
#include "base/status.h"
#include "languages/program.h"

#define PATIENCE_MS 5000
#define STUCK_SECONDS 10 /* in a file system that does not answer */
#define ARGUMENTS_MOST ((size_t)256 << 10)
#define PIDFD_OPEN 434 /* the same for all processors that we know */

/* ---- recognising --------------------------------------------------------------------------------------------- */

struct finding {
	const struct runtime *runtime;
	bool is_thorough;
	struct buf path;
};

/* Other runtimes have a libjvm.so, too, and SIGQUIT means something else to them. */
static bool is_hotspot(pid_t pid, const struct program_file *f)
{
	static const char *const names[] = {"gHotSpotVMStructs", NULL};
	struct program p;
	if (!program_open(&p, pid, f, names, NULL))
		return false;
	bool is_it = program_symbol(&p, names[0]) != 0;
	program_close(&p);
	return is_it;
}

static bool take_file(void *arg, pid_t pid, const struct program_file *f)
{
	struct finding *found = arg;
	const struct runtime *r = runtime_of(f->path);
	if (!r || (r != &runtimes[RUNTIME_JAVA] && r != &runtimes[RUNTIME_DOTNET]))
		return true;
	if (found->is_thorough && r == &runtimes[RUNTIME_JAVA] && !is_hotspot(pid, f))
		return true;
	found->runtime = r;
	if (found->is_thorough)
		buf_adds(&found->path, f->path);
	return false;
}

bool perfmap_concerns(pid_t pid)
{
	struct finding f = {.runtime = NULL};
	program_each(pid, take_file, &f);
	return f.runtime;
}

/* ---- facts --------------------------------------------------------------------------------------------------- */

/* The second number of "Uid:" is the effective one. */
static bool read_id(pid_t pid, const char *which, uint32_t *id)
{
	char path[64], line[128], *end;
	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	if (!proc_line(path, which, line, sizeof line))
		return false;
	strtoul(line, &end, 10);
	*id = (uint32_t)strtoul(end, NULL, 10);
	return true;
}

static void read_words(pid_t pid, const char *file, struct buf *out)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, file);
	buf_init(out);
	out->len = proc_read(path, buf_reserve(out, ARGUMENTS_MOST), ARGUMENTS_MOST);
	buf_addc(out, '\0');
}

bool perfmap_is_told(const struct perfmap_target *t, const char *text)
{
	return find_bytes(t->arguments.data, t->arguments.len, text, strlen(text)) ||
	       find_bytes(t->environment.data, t->environment.len, text, strlen(text));
}

/* Where .NET puts its files; Java's place is fixed. */
static const char *directory_of(const struct perfmap_target *t, const struct runtime *r)
{
	const struct buf *e = &t->environment;
	const char *own = proc_find_variable(e->data, e->len, "TMPDIR");
	return r == &runtimes[RUNTIME_DOTNET] && own && own[0] == '/' ? own : "/tmp";
}

static bool read_target(struct perfmap_target *t, const struct runtime *r, struct err *err)
{
	struct proc_stat s;
	struct file_look look;
	struct buf path;
	t->process = (int)syscall(PIDFD_OPEN, t->pid, 0);
	read_words(t->pid, "cmdline", &t->arguments);
	read_words(t->pid, "environ", &t->environment);
	t->inner = proc_inner_id(t->pid, t->pid);
	if (!read_id(t->pid, "Uid:", &t->uid) || !read_id(t->pid, "Gid:", &t->gid) || !proc_stat(t->pid, &s) ||
	    s.begun != t->request->begun)
		return false; /* it has ended */
	buf_init(&path);
	buf_addf(&path, "/proc/%ld/root%s", (long)t->pid, directory_of(t, r));
	bool is_found = file_look(&look, buf_str(&path), true);
	if (!is_found)
		fail_errno(err, "%s", buf_str(&path));
	t->directory = is_found ? look.fd : -1;
	buf_deinit(&path);
	return is_found;
}

/* From here on, we can do what the target can. */
static bool become_user(const struct perfmap_target *t, struct err *err)
{
	if (geteuid() != t->uid || getegid() != t->gid)
		setgroups(1, &t->gid); /* fails without the right, and so does the next */
	if ((getegid() != t->gid && setresgid(t->gid, t->gid, t->gid) != 0 && geteuid() != t->uid) ||
	    (geteuid() != t->uid && setresuid(t->uid, t->uid, t->uid) != 0))
		return fail_errno(err, "it belongs to another user");
	/* The target's user can stop this process now. A change of the user would take this away. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return getppid() == t->request->asked_by || fail(err, "it took too long");
}

/* ---- asking -------------------------------------------------------------------------------------------------- */

static void add_name(const struct perfmap_target *t, const struct finding *f, struct buf *name)
{
	struct buf file;
	buf_init(&file);
	buf_addf(&file, "/proc/%ld/root%s", (long)t->pid, f->path.data);
	runtime_add_name(name, f->runtime, f->path.data, buf_str(&file));
	buf_addf(name, " (process %ld)", (long)t->pid);
	buf_deinit(&file);
}

static void say(const struct perfmap_target *t, const struct finding *f, enum perfmap_result result,
                const struct err *err)
{
	const struct perfmap_request *r = t->request;
	struct buf name;
	if (r->is_quiet || result == PERFMAP_LATER || result == PERFMAP_LARGE)
		return;
	buf_init(&name);
	add_name(t, f, &name);
	if (result == PERFMAP_FAILED)
		err_printf("%s: %s: %s", buf_str(&name), perfmap_failure(r->is_known), err->text);
	else if (!r->is_known)
		err_printf("%s: --enable-perfmap made it write the names of its functions to %s/perf-%ld.map%s",
		           buf_str(&name), directory_of(t, f->runtime), (long)t->inner, t->note ? t->note : "");
	if (result == PERFMAP_LOST && !r->is_loss_known)
		err_printf("%s: functions that it has dropped lose their names: %s", buf_str(&name), t->lost);
	buf_deinit(&name);
}

const char *perfmap_failure(bool is_known)
{
	return is_known ? "its perf map may lack functions" : "no perf map";
}

bool perfmap_is_alive(pid_t pid, uint64_t begun)
{
	struct proc_stat s;
	return proc_stat(pid, &s) && s.begun == begun && !s.is_over;
}

static enum perfmap_result ask(struct perfmap_target *t, const struct finding *f, struct err *err)
{
	if (!read_target(t, f->runtime, err))
		return err->text[0] ? PERFMAP_FAILED : PERFMAP_LATER;
	if (!become_user(t, err))
		return PERFMAP_FAILED;
	return f->runtime == &runtimes[RUNTIME_JAVA] ? perfmap_ask_java(t, err) : perfmap_ask_dotnet(t, err);
}

static void take_limits(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	signal(SIGALRM, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	alarm(STUCK_SECONDS);
}

/* The process ends after it, so nothing is freed. */
enum perfmap_result perfmap_ask(const struct perfmap_request *r)
{
	struct finding f = {.is_thorough = true};
	struct perfmap_target t = {.request = r, .pid = r->pid, .directory = -1};
	struct err err = {""};
	take_limits();
	buf_init(&f.path);
	perfmap_begin(&t, PATIENCE_MS);
	program_each(r->pid, take_file, &f);
	if (!f.runtime)
		return PERFMAP_LATER;
	buf_addc(&f.path, '\0');
	enum perfmap_result result = ask(&t, &f, &err);
	if (result == PERFMAP_FAILED && !perfmap_is_alive(r->pid, r->begun))
		result = PERFMAP_LATER; /* what has ended does not answer */
	say(&t, &f, result, &err);
	return result;
}
