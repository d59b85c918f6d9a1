/*
 * shim.c - makes one call fail, or measures the pace. LD_PRELOAD loads it into the program under test.
 *
 *	FAULT_CALL   malloc read write open fork pipe rename linkat poll thread (malloc is all memory, mmap too)
 *	FAULT_AT     the how-manieth such call fails, from 1; 0: none
 *	FAULT_KIND   EINTR EIO ENOSPC EMFILE EPIPE ENOMEM EAGAIN, or short: one byte of a read or write;
 *	             TERM INT HUP PIPE XFSZ SEGV QUIT USR1 ALRM XCPU KILL: this signal comes before the call; stall: it
 *	             never returns
 *	FAULT_ON     once, or always: from then on
 *	FAULT_COUNT  a file that gets the number of such calls when the program ends
 *	PACE_TO      a file that gets the longest stretch between two looks at the keyboard when the program ends: the
 *	             microseconds of processor time that the main thread took between two polls for input, and what other
 *	             threads took while it waited for them
 *	FAULT_NAMED  set: every open() of a file without a name fails, and files cannot exchange their names, as on file
 *	             systems that know neither
 *
 * Calls that the C library makes internally (stdio) do not pass through this file, except memory. Standard error is
 * never disturbed, so that errors can be reported.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum call { NONE, MALLOC, READ, WRITE, OPEN, FORK, PIPE, RENAME, LINKAT, POLL, THREAD };

static enum call chosen;
static bool is_short, is_always, is_stall, is_named;
static int fault_errno, fault_signal;
static long fault_at;
static const char *count_path, *pace_path;
static pthread_t main_thread;
static long long waited, looked_at, longest; /* of the main thread; looked_at: 0 before the first time */
static atomic_long counted;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static void choose_call(const char *name)
{
	static const char *const names[] = {"none", "malloc", "read",   "write", "open",  "fork",
	                                    "pipe", "rename", "linkat", "poll",  "thread"};
	for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			chosen = (enum call)i;
}

static void choose_kind(const char *name)
{
	static const struct {
		const char *name;
		int value;
	} kinds[] = {{"EINTR", EINTR}, {"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EMFILE", EMFILE},
	             {"EPIPE", EPIPE}, {"ENOMEM", ENOMEM}, {"EAGAIN", EAGAIN}};
	static const struct {
		const char *name;
		int value;
	} signals[] = {{"TERM", SIGTERM}, {"INT", SIGINT},   {"HUP", SIGHUP},   {"PIPE", SIGPIPE},
	               {"XFSZ", SIGXFSZ}, {"SEGV", SIGSEGV}, {"QUIT", SIGQUIT}, {"USR1", SIGUSR1},
	               {"ALRM", SIGALRM}, {"XCPU", SIGXCPU}, {"KILL", SIGKILL}};
	is_short = name && strcmp(name, "short") == 0;
	is_stall = name && strcmp(name, "stall") == 0;
	for (size_t i = 0; name && i < sizeof signals / sizeof *signals; i++)
		if (strcmp(name, signals[i].name) == 0)
			fault_signal = signals[i].value;
	for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(name, kinds[i].name) == 0)
			fault_errno = kinds[i].value;
}

__attribute__((constructor)) static void prepare(void)
{
	const char *at = getenv("FAULT_AT"), *on = getenv("FAULT_ON");
	count_path = getenv("FAULT_COUNT");
	pace_path = getenv("PACE_TO");
	main_thread = pthread_self();
	fault_at = at ? atol(at) : 0;
	is_always = on && strcmp(on, "always") == 0;
	is_named = getenv("FAULT_NAMED") != NULL;
	choose_kind(getenv("FAULT_KIND"));
	/* Only this process is under test, not the programs that it starts. */
	unsetenv("LD_PRELOAD");
	choose_call(getenv("FAULT_CALL"));
}

static void put_number(const char *path, long long number)
{
	char text[32];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	int n = snprintf(text, sizeof text, "%lld\n", number);
	if (fd >= 0 && write(fd, text, (size_t)n) == n)
		close(fd);
}

__attribute__((destructor)) static void tell(void)
{
	enum call was = chosen;
	chosen = NONE;
	if (count_path && was != NONE)
		put_number(count_path, atomic_load(&counted));
	if (pace_path)
		put_number(pace_path, longest);
}

/* Is this the call that must fail? */
static bool is_due(enum call call)
{
	if (call != chosen)
		return false;
	long n = atomic_fetch_add(&counted, 1) + 1;
	if (fault_at == 0 || n < fault_at || (n > fault_at && !is_always))
		return false;
	while (is_stall)
		pause();
	if (fault_signal) {
		raise(fault_signal);
		return false;
	}
	errno = fault_errno;
	return true;
}

/*
 * The original of a function replaced here. A pointer to data becomes one to a function, which C leaves to POSIX.
 */
#define REAL(name) ((__typeof__(&name))(__extension__(size_t) dlsym(RTLD_NEXT, #name)))

/* ---- the pace ------------------------------------------------------------------------------------------------ */

static bool is_paced(void)
{
	return pace_path && pthread_equal(pthread_self(), main_thread);
}

static long long microseconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static long long others(void)
{
	return microseconds(CLOCK_PROCESS_CPUTIME_ID) - microseconds(CLOCK_THREAD_CPUTIME_ID);
}

/* Work of other threads while `call` waits for them belongs to the interval. */
#define WAITING(call)                                 \
	do {                                              \
		bool is_waiting = is_paced();                 \
		long long before = is_waiting ? others() : 0; \
		int result = (call);                          \
		if (is_waiting)                               \
			waited += others() - before;              \
		return result;                                \
	} while (0)

int pthread_mutex_lock(pthread_mutex_t *m)
{
	WAITING(REAL(pthread_mutex_lock)(m));
}

int pthread_join(pthread_t thread, void **value)
{
	WAITING(REAL(pthread_join)(thread, value));
}

static void look(void)
{
	long long now = microseconds(CLOCK_THREAD_CPUTIME_ID) + waited;
	if (looked_at && now - looked_at > longest)
		longest = now - looked_at;
	looked_at = now;
}

/* ---- calls that fail ----------------------------------------------------------------------------------------- */

void *malloc(size_t n)
{
	return is_due(MALLOC) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return is_due(MALLOC) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return is_due(MALLOC) ? NULL : __libc_realloc(p, n);
}

void *mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
	return is_due(MALLOC) ? MAP_FAILED : REAL(mmap)(at, n, prot, flags, fd, offset);
}

ssize_t read(int fd, void *bytes, size_t n)
{
	if (!is_due(READ))
		return REAL(read)(fd, bytes, n);
	return is_short ? REAL(read)(fd, bytes, n > 0) : -1;
}

ssize_t pread(int fd, void *bytes, size_t n, off_t at)
{
	if (!is_due(READ))
		return REAL(pread)(fd, bytes, n, at);
	return is_short ? REAL(pread)(fd, bytes, n > 0, at) : -1;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	if (fd == STDERR_FILENO || !is_due(WRITE))
		return REAL(write)(fd, bytes, n);
	return is_short ? REAL(write)(fd, bytes, n > 0) : -1;
}

static bool is_open_due(int flags)
{
	if (is_named && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return true;
	}
	return is_due(OPEN);
}

static mode_t mode_argument(int flags, va_list ap)
{
	return flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)) ? va_arg(ap, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	mode_t mode = mode_argument(flags, ap);
	va_end(ap);
	return is_open_due(flags) ? -1 : REAL(open)(path, flags, mode);
}

/* open() without a mode, as compiled with _FORTIFY_SOURCE. */
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
	return is_open_due(flags) ? -1 : REAL(open)(path, flags, 0);
}

int openat(int dir, const char *path, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	mode_t mode = mode_argument(flags, ap);
	va_end(ap);
	return is_open_due(flags) ? -1 : REAL(openat)(dir, path, flags, mode);
}

int mkostemp(char *path, int flags)
{
	return is_due(OPEN) ? -1 : REAL(mkostemp)(path, flags);
}

FILE *tmpfile(void)
{
	return is_due(OPEN) ? NULL : REAL(tmpfile)();
}

FILE *fopen(const char *path, const char *mode)
{
	return is_due(OPEN) ? NULL : REAL(fopen)(path, mode);
}

int posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	return is_due(FORK) ? EAGAIN : REAL(posix_spawnp)(child, file, actions, attr, argv, env);
}

pid_t fork(void)
{
	return is_due(FORK) ? -1 : REAL(fork)();
}

int pipe(int ends[2])
{
	return is_due(PIPE) ? -1 : REAL(pipe)(ends);
}

int pipe2(int ends[2], int flags)
{
	return is_due(PIPE) ? -1 : REAL(pipe2)(ends, flags);
}

/* Two files exchange their names; all other calls pass. */
long syscall(long number, ...)
{
	long a[6];
	va_list ap;
	va_start(ap, number);
	for (size_t i = 0; i < sizeof a / sizeof *a; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_renameat2 && is_due(RENAME))
		return -1;
	if (number == SYS_renameat2 && is_named) {
		errno = EINVAL;
		return -1;
	}
	return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int rename(const char *from, const char *to)
{
	return is_due(RENAME) ? -1 : REAL(rename)(from, to);
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
	return is_due(LINKAT) ? -1 : REAL(linkat)(from_dir, from, to_dir, to, flags);
}

/* Where poll() is declared, it only writes. */
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
int poll(struct pollfd *p, nfds_t n, int timeout)
{
	if (is_paced() && n > 0 && p->events & POLLIN)
		look();
	return is_due(POLL) ? -1 : REAL(poll)(p, n, timeout);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	if (is_due(THREAD))
		return EAGAIN;
	return REAL(pthread_create)(thread, attr, start, arg);
}
