/*
 * proc.h - what the kernel tells in small files of /proc and /sys.
 */
#ifndef BASE_PROC_H
#define BASE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Reads the beginning of a file and ends it with NUL. Returns its bytes; 0: it is empty, or cannot be read. */
size_t proc_read(const char *path, char *text, size_t size);
/* The first line that begins with the prefix: what follows the prefix, without newline. false: there is none. */
bool proc_line(const char *path, const char *prefix, char *rest, size_t size);
/* The decimal number that a file begins with. false: *n is unchanged. */
bool proc_number(const char *path, int64_t *n);

/* /proc/PID/stat, as far as it is used here. */
struct proc_stat {
	char name[64]; /* of the main thread */
	char state;    /* 'R', 'S', 'Z' ... of the main thread */
	bool is_over;  /* no thread lives; the main one may end before others */
	pid_t session;
	uint64_t user, system; /* CPU time in clock ticks (sysconf) */
	uint64_t begun;        /* clock ticks since the machine was started */
	uint64_t stack;        /* address where the stack of the main thread begins; 0: the caller may not read it */
};

/* false: the process is gone. */
bool proc_stat(pid_t, struct proc_stat *);

/* The state of a thread, as above; 0: it is gone. */
char proc_thread_state(pid_t pid, pid_t tid);

/*
 * The number of a thread in the innermost namespace it is in, which its own program sees; 0: it is gone. For the
 * process, tid is pid.
 */
pid_t proc_inner_id(pid_t pid, pid_t tid);

/*
 * The value of a variable with which a program was started. proc_find_variable() looks into the bytes of
 * /proc/PID/environ, after which comes a NUL; NULL: there is none. proc_variable() reads them; false: there is
 * none, the value does not fit, or the caller may not look.
 */
const char *proc_find_variable(const char *variables, size_t len, const char *name);
bool proc_variable(pid_t, const char *name, char *value, size_t size);

typedef void proc_take_child(void *arg, pid_t child);
/* Hands on the living children that the thread has started. */
void proc_children(pid_t pid, pid_t tid, proc_take_child *take, void *arg);

#endif
