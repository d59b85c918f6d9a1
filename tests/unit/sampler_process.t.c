/*
 * Runtimes of a process: how they are found, and what is said of those that cannot be read. The process is the test
 * itself.
 */
#include "tests/tap.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/proc.h"
#include "languages/process.h"
#include "python_self.h"

static struct language_stack stack;

static uint32_t define(void *arg, const struct language_function *f)
{
	(void)f;
	return ++*(uint32_t *)arg;
}

static enum language_walk walk(struct language_process *p)
{
	const struct language *language;
	uint32_t last = 0;
	return language_process_walk(p, getpid(), NULL, &(struct language_names){define, &last}, &stack, &language);
}

static void test_names(void)
{
	ok(language_process_concerns("/usr/bin/python3.11") &&
	       language_process_concerns("/usr/lib/libpython3.11.so.1.0"),
	   "programs and libraries of Python have its name in front");
	ok(!language_process_concerns("/usr/lib/_ssl.cpython-311-x86_64-linux-gnu.so") &&
	       !language_process_concerns("/opt/python3/bin/tool"),
	   "its extension modules, and what lies below its directories, are no runtimes");
}

static void test_found(void)
{
	struct idmap others = {0};
	struct err err;
	struct language_process *p = language_process_new(getpid(), &others, &err);
	ok(p && !err.text[0], "a runtime that exports no symbols is found by its others: %s", err.text);
	if (p)
		ok(walk(p) == WALK_DONE && stack.n == 3, "and its stack is read");
	language_process_free(p);
	idmap_deinit(&others);
}

/* A child that runs another program, once it does; 0: it cannot be started. */
static pid_t start_other(void)
{
	int ends[2];
	char byte;
	if (pipe2(ends, O_CLOEXEC) != 0)
		return 0;
	pid_t child = fork();
	if (child == 0) {
		execlp("sleep", "sleep", "60", NULL);
		_exit(127);
	}
	close(ends[1]);
	(void)!read(ends[0], &byte, 1); /* the exec closes the other end */
	close(ends[0]);
	return child > 0 ? child : 0;
}

static void test_others(void)
{
	struct idmap others = {0};
	struct err err;
	pid_t child = start_other();
	size_t n_languages = 0;
	while (languages[n_languages])
		n_languages++;
	ok(child && !language_process_new(child, &others, &err) && !err.text[0], "another program has no runtime: %s",
	   err.text);
	is_int(others.n, n_languages, "its file is remembered, for each language");
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	ok(!language_process_new(child, &others, &err) && !err.text[0], "a process that has ended has none");
	idmap_deinit(&others);
}

/* ---- a file that was deleted --------------------------------------------------------------------------------- */

static struct program_file deleted;
static char deleted_path[4096];

static bool take_deleted(void *arg, pid_t pid, const struct program_file *f)
{
	(void)arg;
	(void)pid;
	if (!strstr(f->path, "libpython3.11.so"))
		return true;
	deleted = *f;
	snprintf(deleted_path, sizeof deleted_path, "%s", f->path);
	deleted.path = deleted_path;
	return false;
}

static bool copy_self(const char *path)
{
	static char bytes[1 << 16];
	int from = open("/proc/self/exe", O_RDONLY), to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0700);
	ssize_t n, written = 0;
	while ((n = read(from, bytes, sizeof bytes)) > 0)
		written = write(to, bytes, (size_t)n);
	close(from);
	close(to);
	return n == 0 && written > 0;
}

static void test_deleted(void)
{
	char directory[] = "/tmp/languages.XXXXXX", path[64];
	struct program program;
	struct err err = {""};
	if (!mkdtemp(directory))
		return;
	snprintf(path, sizeof path, "%s/libpython3.11.so", directory);
	bool is_there = copy_self(path);
	int fd = open(path, O_RDONLY);
	void *map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	unlink(path);
	rmdir(directory);
	program_each(getpid(), take_deleted, NULL);
	if (!is_there || map == MAP_FAILED || !deleted.path) {
		skip("no library can be mapped here");
		return;
	}
	bool is_open = program_open(&program, getpid(), &deleted, language_python.symbols, &err);
	if (is_open) {
		program_find_others(&program);
		ok(program_symbol(&program, "_PyRuntime") != 0, "a library that was deleted is read by its mapping");
		program_close(&program);
	} else {
		ok(strstr(err.text, "deleted"), "or it is said that it cannot be opened: %s", err.text);
	}
	munmap(map, 4096);
}

/* ---- rights -------------------------------------------------------------------------------------------------- */

static bool forbid_reading(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof rules / sizeof *rules, rules};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/* The last test: what is forbidden stays so. */
static void test_forbidden(void)
{
	struct idmap others = {0};
	struct err err;
	if (!forbid_reading()) {
		skip("no seccomp here");
		return;
	}
	struct language_process *p = language_process_new(getpid(), &others, &err);
	ok(!p && strstr(err.text, "CAP_SYS_PTRACE"), "who may not read a process is told so: %s", err.text);
	idmap_deinit(&others);
}

int main(void)
{
	test_names();
	if (self_make()) {
		test_found();
		test_others();
		test_deleted();
		test_forbidden();
	} else {
		skip("the place of the image is taken");
	}
	return done_testing();
}
