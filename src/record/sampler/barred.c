/*
 * barred.c - counts programs that may not be sampled.
 */
#include "record/sampler/barred.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/proc.h"
#include "perfdata/records.h"
#include "record/sampler/records.h"

#define NAME_OF_COMM (sizeof(struct abi_record) + 8)

void barred_deinit(struct barred *b)
{
	idmap_deinit(&b->fresh);
	idmap_deinit(&b->programs);
}

static void set_fresh(struct barred *b, uint32_t tid, uint32_t is_fresh)
{
	if (!idmap_add(&b->fresh, tid, is_fresh))
		idmap_slot(&b->fresh, tid)->value = is_fresh;
}

static bool is_fresh(const struct barred *b, uint32_t tid)
{
	uint32_t value = 0;
	return idmap_find(&b->fresh, tid, &value) && value;
}

static void keep_name(struct barred *b, const char *name, size_t n)
{
	n = strnlen(name, n < sizeof b->name - 1 ? n : sizeof b->name - 1);
	memcpy(b->name, name, n);
	b->name[n] = '\0';
}

static void begin(struct barred *b, uint32_t tid, const struct abi_record *r)
{
	set_fresh(b, tid, 1);
	if (!b->programs.n && r->size > NAME_OF_COMM)
		keep_name(b, (const char *)r + NAME_OF_COMM, r->size - NAME_OF_COMM);
}

static void add(struct barred *b, pid_t pid)
{
	if (idmap_add(&b->programs, (uint32_t)pid, 0) && b->programs.n == 1)
		b->first = pid;
}

void barred_take(struct barred *b, const struct abi_record *r)
{
	int32_t pid = records_number(r, RECORDS_PID), tid = records_number(r, RECORDS_TID);
	if (r->type == RECORD_COMM && r->misc & ABI_MISC_EXEC)
		begin(b, (uint32_t)pid, r);
	else if (r->type == RECORD_MMAP2 && is_fresh(b, (uint32_t)pid))
		set_fresh(b, (uint32_t)pid, 0);
	else if (r->type == RECORD_EXIT && is_fresh(b, (uint32_t)tid)) {
		set_fresh(b, (uint32_t)tid, 0);
		add(b, pid);
	}
}

void barred_refused(struct barred *b, pid_t pid)
{
	char path[64], name[sizeof b->name + 1];
	size_t n;
	if (!b->programs.n) {
		snprintf(path, sizeof path, "/proc/%ld/comm", (long)pid);
		n = proc_read(path, name, sizeof name);
		keep_name(b, name, n && name[n - 1] == '\n' ? n - 1 : n);
	}
	add(b, pid);
}

void barred_tell(const struct barred *b)
{
	if (b->programs.n)
		err_printf("programs that run with another user's rights, or may not be read, leave no samples, nor does "
		           "what they start: %zu, the first %s (process %ld)",
		           b->programs.n, b->name, (long)b->first);
}
