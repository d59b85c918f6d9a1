/*
 * perl.c - the stacks of Perl 5.28 to 5.42, built with threads or without.
 *
 *	interpreter -> operation, statement, stack of contexts -> the stack that was in use before ...
 *	               contexts: sub -> its code; statement of its caller; operation to return to
 *	                         eval, format, loop, block ...
 *
 * With threads all variables are in an interpreter, which each thread has as a value of pthread_setspecific(3);
 * without, they are variables of the program.
 *
 * A sub that another one calls runs in the loop of its caller (Perl_runops_standard), and so does an eval. Loops
 * begin where C calls: for a sub that has no operation to return to, the block of a sort, and an eval in one of
 * these. C that calls a sub begins a new stack of contexts, or not. Blocks of sort and eval are no functions, so
 * they have no frame; a loop for one of them is a frame without a function.
 *
 * The stack is read from the inside out. The statement at work belongs to the innermost context; each context that
 * is a call has the statement of its caller. The innermost one can be half begun or half ended for some
 * instructions: then its code makes no sense, and it is left out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "languages/languages.h"
#include "languages/perl_code.h"
#include "languages/perl_layout.h"
#include "languages/perl_text.h"
#include "languages/slots.h"
#include "languages/threads.h"

#define PIECE 512u            /* contexts that are copied at once */
#define CONTEXTS_MOST 200000u /* of a stack of contexts; a call has two or three */
#define STACKS_MOST 2000u

/* Types of contexts, and flags of some. */
enum { CONTEXT_NULL = 0, CONTEXT_SUB = 9, CONTEXT_FORMAT = 10, CONTEXT_EVAL = 11, CONTEXT_DEFER = 13 };
#define TYPE_MASK 0xfu
#define SUB_IN_LOOP 0x10u    /* C runs it again and again: sort, List::Util::first */
#define SUB_OF_PATTERN 0x80u /* code within a regular expression */
#define EVAL_BLOCK 0x40u

/* How the native code runs a frame. */
enum kind {
	KIND_CALLED,   /* in the loop of its caller */
	KIND_ENTRY,    /* in a loop of its own */
	KIND_PROGRAM,  /* likewise, and errors are caught */
	KIND_LOOP,     /* likewise, but errors are caught by what catches them around it */
	KIND_CATCHER,  /* C catches errors of what it calls next; no loop */
	KIND_EVAL,     /* in a loop of its own if the loop around it was begun by C that does not catch errors */
	KIND_COMPILED, /* likewise, but it is being compiled: in no loop */
};

struct perl {
	struct perl_layout layout;
	uint64_t operation, statement, stack; /* addresses of the variables, without threads */
	uint64_t first;                       /* with threads: of the pointer to the first interpreter */
	uint64_t key;                         /* of the key of pthread_setspecific() */
	bool has_threads;
	struct threads threads;
	pid_t main;
	struct perl_codes *codes;
	struct slots addresses;         /* of threads in the C library, uint64_t; 0: none */
	uint8_t kinds[LANGUAGE_FRAMES]; /* of the frames of the present stack */
	unsigned char piece[PIECE * PERL_CONTEXT_MOST];
	char name[LANGUAGE_TEXT];
};

/* ---- recognising --------------------------------------------------------------------------------------------- */

static const char *const symbols[] = {"PL_revision", "PL_version",      "PL_bincompat_options",
                                      "PL_thr_key",  "PL_curinterp",    "PL_op",
                                      "PL_curcop",   "PL_curstackinfo", NULL};

static bool may_be(const char *file)
{
	return strcmp(file, "perl") == 0 || strncmp(file, "perl5", 5) == 0 || strncmp(file, "libperl.so", 10) == 0;
}

static void *attach(const struct program *p, struct memory *m, struct err *err)
{
	struct perl_layout layout;
	uint64_t key = program_symbol(p, "PL_thr_key"), statement = program_symbol(p, "PL_curcop");
	if (!program_symbol(p, "PL_version") || !program_symbol(p, "PL_bincompat_options") || (!key && !statement))
		return NULL;
	if (!perl_layout_find(&layout, p, m, err))
		return NULL;
	struct perl *perl = mem_zalloc(1, sizeof *perl);
	perl->addresses = (struct slots){.size = sizeof(uint64_t), .most = THREADS_MOST};
	perl->layout = layout;
	perl->operation = program_symbol(p, "PL_op");
	perl->statement = statement;
	perl->stack = program_symbol(p, "PL_curstackinfo");
	perl->first = program_symbol(p, "PL_curinterp");
	perl->key = key;
	perl->main = p->main;
	perl->has_threads = threads_describe(&perl->threads, p, m);
	perl->codes = perl_codes_new(&perl->layout);
	return perl;
}

static void detach(void *state)
{
	struct perl *perl = state;
	perl_codes_free(perl->codes);
	slots_deinit(&perl->addresses);
	free(perl);
}

/* ---- threads ------------------------------------------------------------------------------------------------- */

/* The thread's structure in the C library; 0: it does not know the thread. */
static uint64_t find_thread(struct perl *perl, struct memory *m, pid_t tid)
{
	uint64_t *address = slots_of(&perl->addresses, (uint64_t)tid);
	if (!*address || !threads_is(&perl->threads, m, *address, tid))
		*address = threads_find(&perl->threads, m, tid);
	return *address;
}

/* The interpreter of a thread; 0: none. Without a C library that tells, the main thread has the first one. */
static uint64_t interpreter_of(struct perl *perl, struct memory *m, pid_t tid)
{
	uint64_t interpreter = 0;
	uint32_t key;
	if (!perl->has_threads)
		return tid == perl->main && memory_pointer(m, perl->first, &interpreter) ? interpreter : 0;
	uint64_t thread = find_thread(perl, m, tid);
	if (!thread || !memory_read(m, perl->key, &key, sizeof key) ||
	    !threads_value(&perl->threads, m, thread, key, &interpreter))
		return 0;
	return interpreter;
}

/* ---- the walk ------------------------------------------------------------------------------------------------ */

/* Where a thread is. */
struct moment {
	uint64_t operation, statement, stack;
};

static bool read_moment(const struct perl *perl, struct memory *m, uint64_t interpreter, struct moment *now)
{
	const struct perl_layout *l = &perl->layout;
	unsigned char bytes[PERL_INTERPRETER_SIZE];
	if (!l->is_threaded)
		return memory_pointer(m, perl->operation, &now->operation) &&
		       memory_pointer(m, perl->statement, &now->statement) && memory_pointer(m, perl->stack, &now->stack);
	if (!memory_read(m, interpreter, bytes, l->interpreter_stack + 8))
		return false;
	now->operation = memory_u64(bytes, PERL_INTERPRETER_OP);
	now->statement = memory_u64(bytes, l->interpreter_cop);
	now->stack = memory_u64(bytes, l->interpreter_stack);
	return true;
}

struct walk {
	struct perl *perl;
	struct memory *memory;
	const struct language_names *names;
	struct language_stack *stack;
	uint64_t statement;              /* of what is at work in the present context */
	struct perl_operation operation; /* likewise */
	uint64_t at_work;                /* operation of the innermost context; 0: its loop does not run */
	struct perl_operation_head head; /* of it */
	bool is_inside;                  /* something that runs was found further inside */
	int32_t type;                    /* of the present stack of contexts */
	uint32_t n_outside;              /* frames of those that were used later */
};

enum step { STEP_ON, STEP_END, STEP_CUT };

/* The statement at work. The operation itself can be the next one, about to begin. */
static bool read_statement(struct walk *w, struct perl_statement *s)
{
	return perl_codes_statement(w->perl->codes, w->memory, w->statement, s);
}

static enum step put(struct walk *w, uint32_t function, uint32_t line, enum kind kind)
{
	if (!language_stack_add(w->stack, function, line, false)) /* which are entries is decided in the end */
		return STEP_CUT;
	w->perl->kinds[w->stack->n - 1] = (uint8_t)kind;
	w->is_inside = true;
	return STEP_ON;
}

/*
 * A block that C runs ends without an operation to go on with. So a sub or an eval that is its last operation
 * looks as if C had called it.
 */
static enum step put_block(struct walk *w, enum kind own)
{
	uint32_t n = w->stack->n;
	uint8_t *kinds = w->perl->kinds;
	if (n > w->n_outside && kinds[n - 1] == KIND_ENTRY && w->stack->frames[n - 1].function != NO_FUNCTION)
		kinds[n - 1] = KIND_CALLED;
	else if (n > w->n_outside && kinds[n - 1] == KIND_CATCHER)
		kinds[n - 1] = KIND_EVAL;
	return put(w, NO_FUNCTION, 0, own);
}

/* Goes on to the caller, which is at that statement. */
static void leave(struct walk *w, const unsigned char *context)
{
	w->statement = memory_u64(context, PERL_CONTEXT_STATEMENT);
	w->operation = (struct perl_operation){memory_u64(context, PERL_CONTEXT_RETURN), true};
}

/* The line at work, in a file of this name; 0: in another file. */
static uint32_t line_of(struct walk *w, const struct perl_statement *s, uint64_t text, bool *is_in_it)
{
	uint32_t line = perl_codes_line(w->perl->codes, w->memory, s, &w->operation, is_in_it);
	return s->text == text ? line : 0;
}

enum border { BORDER_NONE, BORDER_BEGINS, BORDER_ENDS, BORDER_STALE };

/*
 * While a sub begins and ends, the statement at work is its caller's: so it is until its first statement, and
 * once it leaves. Before it begins, its context can still be that of an earlier call, of any sub. Statements that
 * call are parts of the subs that were seen further out in other stacks.
 *
 * A sub that calls itself can be at the statement by which it was called: then what is at work is a part of that.
 */
static enum border find_border(const struct walk *w, const unsigned char *context, const struct perl_statement *s,
                               const struct perl_function *f, bool is_in_it)
{
	bool is_callers = s->address == memory_u64(context, PERL_CONTEXT_STATEMENT),
		 returns_there = w->head.next == memory_u64(context, PERL_CONTEXT_RETURN);
	if (w->is_inside || !w->at_work)
		return BORDER_NONE;
	if (is_callers && returns_there)
		return BORDER_BEGINS;
	if ((s->owner && s->owner != f->start) || (is_callers && w->head.is_call))
		return BORDER_STALE;
	return is_callers && !is_in_it ? BORDER_ENDS : BORDER_NONE;
}

/* Puts a sub. */
static enum step put_sub(struct walk *w, const unsigned char *context, const struct perl_function *f)
{
	struct perl_statement s;
	bool is_in_it;
	if (!read_statement(w, &s))
		return STEP_CUT;
	uint32_t line = line_of(w, &s, f->text, &is_in_it);
	enum border border = find_border(w, context, &s, f, is_in_it);
	if (border != BORDER_NONE)
		line = border == BORDER_BEGINS ? f->first_line : 0;
	if (w->is_inside)
		perl_codes_own(w->perl->codes, &s, f->start);
	leave(w, context);
	if (border == BORDER_STALE)
		return STEP_ON;
	return put(w, f->number, line, memory_u64(context, PERL_CONTEXT_RETURN) ? KIND_CALLED : KIND_ENTRY);
}

/* C runs it again and again, but not now: it is between two runs, or before the first one. */
static bool is_resting(const struct walk *w, const unsigned char *context)
{
	return context[0] & SUB_IN_LOOP && !w->is_inside &&
	       (!w->at_work || w->statement == memory_u64(context, PERL_CONTEXT_STATEMENT));
}

static enum step take_sub(struct walk *w, const unsigned char *context)
{
	struct perl_function f;
	uint64_t code = memory_u64(context, w->perl->layout.context_code);
	if ((context[0] & TYPE_MASK) == CONTEXT_SUB && context[0] & SUB_OF_PATTERN)
		return put_block(w, KIND_ENTRY);
	if (!is_resting(w, context)) {
		bool is_known = perl_codes_function(w->perl->codes, w->memory, code, w->names, &f);
		if (is_known && !f.is_native)
			return put_sub(w, context, &f);
		if (!is_known && w->is_inside)
			return STEP_CUT;
	}
	leave(w, context);
	return STEP_ON;
}

/* Code that was read from a file or a string. */
static enum step take_code(struct walk *w, const unsigned char *context)
{
	static const char require[] = "require ";
	struct perl_statement s;
	uint64_t name = memory_u64(context, w->perl->layout.context_name), text;
	struct language_function f = {"(eval)", "", 0};
	bool is_entry = !memory_u64(context, PERL_CONTEXT_RETURN), is_in_it;
	if (!read_statement(w, &s))
		return STEP_CUT;
	memcpy(w->perl->name, require, sizeof require);
	if (name && memory_pointer(w->memory, name + PERL_SV_VALUE, &text) &&
	    memory_string(w->memory, text, w->perl->name + sizeof require - 1,
	                  sizeof w->perl->name - (sizeof require - 1)))
		f.name = w->perl->name;
	f.file = s.file;
	uint32_t number = w->names->define(w->names->arg, &f), line = line_of(w, &s, s.text, &is_in_it);
	if (number == NO_FUNCTION)
		return STEP_CUT;
	leave(w, context);
	return put(w, number, line, is_entry ? KIND_ENTRY : s.is_compiled ? KIND_COMPILED : KIND_EVAL);
}

static enum step take_eval(struct walk *w, const unsigned char *context)
{
	if (!(context[0] & EVAL_BLOCK))
		return take_code(w, context);
	return put(w, NO_FUNCTION, 0, memory_u64(context, PERL_CONTEXT_RETURN) ? KIND_EVAL : KIND_CATCHER);
}

static enum step take_context(struct walk *w, const unsigned char *context)
{
	bool runs = w->is_inside || w->at_work;
	switch (context[0] & TYPE_MASK) {
	case CONTEXT_SUB:
	case CONTEXT_FORMAT:
		return take_sub(w, context);
	case CONTEXT_EVAL:
		return take_eval(w, context);
	case CONTEXT_NULL:
		return w->type == PERL_STACK_SORT && runs ? put_block(w, KIND_ENTRY) : STEP_ON;
	case CONTEXT_DEFER:
		return put_block(w, KIND_LOOP);
	}
	return STEP_ON;
}

/* Takes the contexts of a stack from the top down; `last` is the place of the top one. */
static enum step take_contexts(struct walk *w, uint64_t contexts, int32_t last)
{
	uint32_t size = w->perl->layout.context_size, end = (uint32_t)last + 1;
	enum step how = end <= CONTEXTS_MOST ? STEP_ON : STEP_CUT;
	while (end && how == STEP_ON) {
		uint32_t begin = end > PIECE ? end - PIECE : 0;
		if (!memory_read(w->memory, contexts + (uint64_t)begin * size, w->perl->piece,
		                 (size_t)(end - begin) * size))
			return STEP_CUT;
		while (end > begin && how == STEP_ON)
			how = take_context(w, w->perl->piece + (size_t)(--end - begin) * size);
	}
	return how;
}

static enum step take_stack(struct walk *w, uint64_t *stack)
{
	unsigned char bytes[PERL_STACK_SIZE];
	if (!memory_is_place(*stack) || !memory_read(w->memory, *stack, bytes, sizeof bytes))
		return STEP_CUT;
	int32_t last = (int32_t)memory_u32(bytes, PERL_STACK_TOP);
	w->type = (int32_t)memory_u32(bytes, w->perl->layout.stack_type);
	if (last < -1)
		return STEP_CUT;
	w->n_outside = w->stack->n;
	enum step how = take_contexts(w, memory_u64(bytes, PERL_STACK_CONTEXTS), last);
	*stack = memory_u64(bytes, PERL_STACK_PREVIOUS);
	if (how != STEP_ON)
		return how;
	return w->type == PERL_STACK_MAIN ? STEP_END : *stack ? STEP_ON : STEP_CUT;
}

/*
 * What is outside of all subs: the program. The interpreter of a thread has none, it begins with a sub that C
 * calls; and one that is embedded does not run its program any more when C calls a sub: it is at no line.
 */
static enum step take_program(struct walk *w, bool is_first)
{
	struct perl_statement s;
	uint32_t n = w->stack->n;
	while (n && w->perl->kinds[n - 1] == KIND_CATCHER)
		n--;
	if (!is_first && n && w->perl->kinds[n - 1] == KIND_ENTRY)
		return STEP_END;
	if (!read_statement(w, &s))
		return STEP_CUT;
	bool is_in_it;
	uint32_t line = line_of(w, &s, s.text, &is_in_it);
	if (s.is_compiled && !line)
		return STEP_END;
	uint32_t number = w->names->define(w->names->arg, &(struct language_function){"(main)", s.file, 0});
	if (number == NO_FUNCTION || put(w, number, line, s.is_compiled ? KIND_CALLED : KIND_PROGRAM) != STEP_ON)
		return STEP_CUT;
	return STEP_END;
}

static bool begins_loop(enum kind kind, bool has_caught)
{
	return kind == KIND_ENTRY || kind == KIND_PROGRAM || kind == KIND_LOOP || (kind == KIND_EVAL && !has_caught);
}

/* Decides from the root on which frames are entries, and takes out those that stand for nothing. */
static void mark_entries(const struct perl *perl, struct language_stack *s)
{
	bool has_caught = false, is_after_catcher = false;
	uint32_t kept = s->n;
	for (uint32_t i = s->n; i-- > 0;) {
		enum kind kind = (enum kind)perl->kinds[i];
		s->frames[i].is_entry = begins_loop(kind, has_caught);
		if (kind == KIND_ENTRY)
			has_caught = is_after_catcher;
		else if (kind == KIND_PROGRAM || kind == KIND_EVAL || kind == KIND_COMPILED)
			has_caught = true;
		is_after_catcher = kind == KIND_CATCHER;
		if (s->frames[i].function != NO_FUNCTION || s->frames[i].is_entry)
			s->frames[--kept] = s->frames[i];
	}
	s->n -= kept;
	memmove(s->frames, s->frames + kept, s->n * sizeof *s->frames);
}

static enum language_walk walk_stacks(struct walk *w, uint64_t stack, bool is_first)
{
	enum step how = STEP_ON;
	for (unsigned i = 0; how == STEP_ON && i < STACKS_MOST; i++)
		how = take_stack(w, &stack);
	if (how == STEP_END)
		how = take_program(w, is_first);
	mark_entries(w->perl, w->stack);
	w->stack->is_cut = how != STEP_END;
	return w->stack->n ? WALK_DONE : how == STEP_END ? WALK_NO_THREAD : WALK_FAILED;
}

/* Begins with what is at work. An operation that is a statement itself is the one that begins now. */
static void begin(struct walk *w, const struct moment *now)
{
	struct perl_statement s;
	w->statement = now->statement;
	w->at_work = now->operation;
	w->operation = (struct perl_operation){now->operation, false};
	perl_codes_begin(w->perl->codes);
	if (read_statement(w, &s) && now->operation &&
	    perl_codes_operation(w->perl->codes, w->memory, now->operation, &w->head) && w->head.is_statement &&
	    perl_codes_statement(w->perl->codes, w->memory, now->operation, &s))
		w->statement = now->operation;
}

static enum language_walk walk(void *arg, struct memory *m, pid_t tid, const struct language_names *names,
                               struct language_stack *s)
{
	struct perl *perl = arg;
	struct walk w = {.perl = perl, .memory = m, .names = names, .stack = s};
	struct moment before, after;
	uint64_t interpreter = 0, first = 0;
	language_stack_begin(s);
	if (perl->layout.is_threaded)
		interpreter = interpreter_of(perl, m, tid);
	if (perl->layout.is_threaded ? !interpreter || !memory_pointer(m, perl->first, &first) : tid != perl->main)
		return WALK_NO_THREAD;
	if (!read_moment(perl, m, interpreter, &before))
		return WALK_FAILED;
	if (!before.stack)
		return WALK_NO_THREAD;
	begin(&w, &before);
	enum language_walk result = walk_stacks(&w, before.stack, interpreter == first);
	memory_renew(m);
	s->has_moved = result == WALK_DONE &&
	               (!read_moment(perl, m, interpreter, &after) || memcmp(&before, &after, sizeof before) != 0);
	return result;
}

static bool is_eval(const char *symbol)
{
	return language_is_symbol(symbol, "Perl_runops_standard") || language_is_symbol(symbol, "Perl_runops_debug");
}

const struct language language_perl = {
	.name = "Perl",
	.may_be = may_be,
	.symbols = symbols,
	.attach = attach,
	.detach = detach,
	.walk = walk,
	.is_eval = is_eval,
};
