/*
 * targets.h - which processors there are, and which threads processes have.
 */
#ifndef RECORD_SAMPLER_TARGETS_H
#define RECORD_SAMPLER_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A list of numbers. Zeroed is empty. */
struct number_list {
	int *v;
	size_t n, cap;
};

void number_list_deinit(struct number_list *);

void number_list_add(struct number_list *, int);

/* The number of a process or a thread; -1: the text is none. */
pid_t targets_number(const char *text);
/* Appends the numbers of "0-3,8,10-11". false: it is no such list. */
bool targets_parse_cpus(const char *text, struct number_list *);
/* Appends the processors that are online. */
void targets_cpus(struct number_list *);
/* Appends the threads of a process, sorted. false: there is no such process. */
bool targets_threads(pid_t, struct number_list *);
/* The process of a thread; -1: there is no such thread. */
pid_t targets_process(pid_t tid);

#endif
