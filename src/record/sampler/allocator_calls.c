/*
 * allocator_calls.c - remembers where allocators are in each process, and the last call of each thread.
 */
#include "record/sampler/allocator_calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Of the allocators that a process has called. */
struct allocator_code {
	struct allocator_range {
		uint64_t begin, end;
	} * v;
	size_t n, cap;
};

/* Of a thread. */
struct allocator_last {
	struct allocator_call call;
	uint64_t outer; /* where the function is that has jumped to that one; else that one */
};

void allocator_calls_deinit(struct allocator_calls *c)
{
	for (size_t i = 0; i < c->n_code; i++)
		free(c->code[i].v);
	free(c->code);
	free(c->last);
	idmap_deinit(&c->processes);
	idmap_deinit(&c->threads);
	*c = (struct allocator_calls){0};
}

void allocator_calls_forget(struct allocator_calls *c, pid_t pid)
{
	uint32_t at;
	if (idmap_find(&c->processes, (uint32_t)pid, &at))
		c->code[at].n = 0;
}

static struct allocator_code *code_of(struct allocator_calls *c, pid_t pid)
{
	uint32_t at = idmap_value(&c->processes, (uint32_t)pid, (uint32_t)c->n_code);
	if (at == c->n_code)
		mem_push(c->code, c->n_code, c->cap_code, (struct allocator_code){0});
	return &c->code[at];
}

static bool is_inside(const struct allocator_code *code, uint64_t address)
{
	for (size_t i = 0; i < code->n; i++)
		if (address > code->v[i].begin && address <= code->v[i].end)
			return true;
	return false;
}

static void learn(struct allocator_code *code, const struct allocator_call *call)
{
	if (call->function->size == SIZE_RESIZED) /* what it goes on to counts, and not it */
		return;
	for (size_t i = 0; i < code->n; i++)
		if (code->v[i].begin == call->address)
			return;
	const struct allocator_range new = {call->address, call->address + call->function->length};
	mem_push(code->v, code->n, code->cap, new);
}

/* The one before did not return, but jumped here: the stack is as it was. The outer one begins a new call. */
static bool is_jump(const struct allocator_last *last, const struct allocator_call *call)
{
	const struct allocator_call *before = &last->call;
	return last->outer != call->address && before->sp == call->sp && before->caller == call->caller &&
	       before->bytes == call->bytes && before->pid == call->pid && before->address != call->address &&
	       (before->function->is_aligned || strcmp(before->function->path, call->function->path) != 0);
}

static struct allocator_last *last_of(struct allocator_calls *c, pid_t tid)
{
	uint32_t at = idmap_value(&c->threads, (uint32_t)tid, (uint32_t)c->n_last);
	if (at == c->n_last)
		mem_push(c->last, c->n_last, c->cap_last, (struct allocator_last){0});
	return &c->last[at];
}

bool allocator_calls_are_nested(struct allocator_calls *c, const struct allocator_call *call)
{
	struct allocator_code *code = code_of(c, call->pid);
	struct allocator_last *last = last_of(c, call->tid);
	bool has_jumped = last->call.function && is_jump(last, call);
	bool is_nested = call->caller && (has_jumped || is_inside(code, call->caller));
	*last = (struct allocator_last){*call, has_jumped ? last->outer : call->address};
	learn(code, call);
	return is_nested;
}
