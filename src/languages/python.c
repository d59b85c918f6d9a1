/*
 * python.c - the stacks of CPython 3.6 to 3.14.
 *
 *	_PyRuntime -> interpreters -> threads -> frame at work -> frame of its caller ...
 *	                                         code object -> name, file, table of lines
 *
 * Up to 3.10 each frame is an object of its own, and each function of Python has a native call of the interpreter's
 * loop. From 3.11 on, frames lie one after the other in pieces of memory, a stack, which one read copies; those of
 * generators lie in the generator. A function that calls another one does so within the loop, so only some frames
 * are entries: 3.11 marks them, and later versions put a frame that is no function (a shim) below each of them.
 *
 * 3.11 and 3.12 keep the frame at work in a structure of each call of the loop, the cframe, which is linked a few
 * instructions before it is filled: what it leads to then is of an earlier call. But the entry that the loop runs
 * has the frame at work of the loop below as its caller. If it has not, the stack is that of the loop below.
 *
 * In the middle of leaving a generator the link to the caller does not hold for a few instructions. A stack that
 * cannot be followed any further is kept as far as it goes, and counts as cut.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "languages/languages.h"
#include "languages/python_code.h"
#include "languages/python_layout.h"
#include "languages/slots.h"
#include "languages/threads.h"

#define INTERPRETERS_MOST 1000u
#define PIECE_MOST ((size_t)64 << 10) /* of a piece of the stack of frames: the first one has 16 kB */
#define SEARCH_AGAIN 64u /* samples of a thread without a state after which it is searched in any case */
#define OWNER_MOST 4u
#define OWNER_GENERATOR 1u
#define OWNER_SHIM 3u /* and above: no function of Python */
#define TAG_BITS UINT64_C(3)

/* The state of a thread. */
struct state {
	uint64_t address; /* 0: it has none */
	uint32_t interpreter;
	uint64_t newest;    /* without an address: newest_of() when it was searched */
	unsigned n_samples; /* since then */
};

struct python {
	struct python_layout layout;
	uint64_t interpreters; /* address of the pointer to the first one */
	uint64_t holder;       /* of the pointer to the thread that has the lock; 0: see the layout */
	struct python_codes *codes;
	uint64_t newest;                 /* interpreter: the first of the list */
	struct slots states;             /* of struct state */
	unsigned char piece[PIECE_MOST]; /* a copy of a part of the stack of frames */
	uint64_t piece_at;
	size_t n_piece;
	bool is_to_check; /* the entry of the innermost loop has not been reached yet */
	uint64_t below;   /* the frame at work of the loop below, its caller */
};

/* ---- recognising --------------------------------------------------------------------------------------------- */

static const char *const symbols[] = {
	"_PyRuntime", "Py_Version", "PyCode_Type", "interp_head", "_PyThreadState_Current", NULL};

static bool may_be(const char *file)
{
	return strncmp(file, "python", 6) == 0 || strncmp(file, "libpython", 9) == 0;
}

/* "libpython3.11.so.1.0", "python3.6m"; 0: the name does not tell. */
static unsigned minor_of_name(const char *path)
{
	static const char mark[] = "python3.";
	const char *at = strrchr(path, '/');
	at = strstr(at ? at : path, mark);
	return at ? (unsigned)strtoul(at + sizeof mark - 1, NULL, 10) : 0;
}

/* From 3.11 on the program tells its version: 0x030b02f0. */
static unsigned minor_of(const struct program *p, struct memory *m)
{
	uint64_t place = program_symbol(p, "Py_Version");
	uint32_t version;
	if (place && memory_read(m, place, &version, sizeof version) && version >> 24 == 3)
		return version >> 16 & 255;
	return minor_of_name(p->path);
}

static void *attach(const struct program *p, struct memory *m, struct err *err)
{
	uint64_t runtime = program_symbol(p, "_PyRuntime"), first = program_symbol(p, "interp_head"),
			 type = program_symbol(p, "PyCode_Type");
	unsigned minor = minor_of(p, m);
	struct python_layout layout;
	if (!type || (!runtime && !first))
		return NULL;
	if (!minor || (minor == 6) != !runtime) {
		fail(err, "Python: its version is not known");
		return NULL;
	}
	if (!python_layout_find(&layout, minor, runtime, m, err))
		return NULL;
	struct python *py = mem_zalloc(1, sizeof *py);
	py->states = (struct slots){.size = sizeof(struct state), .most = THREADS_MOST};
	py->layout = layout;
	py->interpreters = runtime ? runtime + layout.runtime_interpreters : first;
	py->holder = layout.runtime_holder != NOWHERE ? runtime + layout.runtime_holder
	                                              : program_symbol(p, "_PyThreadState_Current");
	py->codes = python_codes_new(&py->layout, type);
	return py;
}

static void detach(void *state)
{
	struct python *py = state;
	python_codes_free(py->codes);
	slots_deinit(&py->states);
	free(py);
}

/* ---- threads ------------------------------------------------------------------------------------------------- */

/* Is it the state of the thread? After a fork some versions keep the parent's number; the C library's holds. */
static bool is_of(const struct python *py, struct memory *m, const unsigned char *state, pid_t tid)
{
	const struct python_layout *l = &py->layout;
	if (l->thread_native != NOWHERE && memory_u64(state, l->thread_native) == (uint64_t)tid)
		return true;
	return threads_has_handle(m, memory_u64(state, l->thread_handle), tid);
}

/* Searches the threads of one interpreter. *bytes: the state that was found. */
static bool search_threads(const struct python *py, struct memory *m, uint64_t interpreter, pid_t tid,
                           unsigned char *bytes, uint64_t *state)
{
	const struct python_layout *l = &py->layout;
	if (!memory_pointer(m, interpreter + l->interpreter_threads, state))
		return false;
	for (unsigned i = 0; *state && i < THREADS_MOST; i++) {
		if (!memory_read(m, *state, bytes, python_layout_thread_size(l)) ||
		    memory_u64(bytes, l->thread_interpreter) != interpreter)
			return false;
		if (is_of(py, m, bytes, tid))
			return true;
		*state = memory_u64(bytes, l->thread_next);
	}
	return false;
}

/* How many interpreters there are from this one on; the oldest is the last of the list. */
static uint32_t count_from(const struct python *py, struct memory *m, uint64_t interpreter)
{
	uint32_t n = 0;
	while (interpreter && n < INTERPRETERS_MOST) {
		n++;
		if (!memory_pointer(m, interpreter + py->layout.interpreter_next, &interpreter))
			break;
	}
	return n;
}

static bool search(const struct python *py, struct memory *m, pid_t tid, unsigned char *bytes, struct state *found)
{
	uint64_t interpreter = py->newest;
	for (unsigned i = 0; interpreter && i < INTERPRETERS_MOST; i++) {
		if (search_threads(py, m, interpreter, tid, bytes, &found->address)) {
			bool has_others = count_from(py, m, py->newest) > 1;
			found->interpreter = has_others ? count_from(py, m, interpreter) : 0;
			return true;
		}
		if (!memory_pointer(m, interpreter + py->layout.interpreter_next, &interpreter))
			return false;
	}
	return false;
}

/* A new interpreter, or one less: a thread may have another state now. false: the list cannot be read. */
static bool look_at_interpreters(struct python *py, struct memory *m)
{
	uint64_t newest;
	if (!memory_pointer(m, py->interpreters, &newest))
		return false;
	if (newest != py->newest)
		slots_forget(&py->states);
	py->newest = newest;
	return true;
}

/* The state that was found before. A thread that uses several interpreters has one in each: it is searched anew. */
static bool is_still(const struct python *py, struct memory *m, const struct state *s, pid_t tid,
                     unsigned char *bytes)
{
	return s->address && !s->interpreter &&
	       memory_read(m, s->address, bytes, python_layout_thread_size(&py->layout)) && is_of(py, m, bytes, tid);
}

/* The newest state of each interpreter, and whose it is, in one number: new states are the first of their lists. */
static uint64_t newest_of(const struct python *py, struct memory *m)
{
	const struct python_layout *l = &py->layout;
	uint64_t interpreter = py->newest, state, handle, hash = 0;
	for (unsigned i = 0; interpreter && i < INTERPRETERS_MOST; i++) {
		if (!memory_pointer(m, interpreter + l->interpreter_threads, &state))
			break;
		if (!state || !memory_pointer(m, state + l->thread_handle, &handle))
			handle = 0;
		hash = hash_keys(hash ^ state, handle);
		if (!memory_pointer(m, interpreter + l->interpreter_next, &interpreter))
			break;
	}
	return hash;
}

/* Is it known that the thread has no state, since none has been made? */
static bool has_none_still(struct state *s, uint64_t newest)
{
	return !s->address && s->newest == newest && ++s->n_samples < SEARCH_AGAIN;
}

/* The state of the thread, read into bytes. NULL: there is none. */
static const struct state *find_state(struct python *py, struct memory *m, pid_t tid, unsigned char *bytes)
{
	if (!look_at_interpreters(py, m))
		return NULL;
	struct state *s = slots_of(&py->states, (uint64_t)tid);
	if (is_still(py, m, s, tid, bytes))
		return s;
	uint64_t newest = newest_of(py, m);
	if (has_none_still(s, newest))
		return NULL;
	*s = (struct state){.newest = newest};
	if (search(py, m, tid, bytes, s))
		return s;
	s->address = 0;
	return NULL;
}

/* ---- the lock ------------------------------------------------------------------------------------------------ */

static enum language_lock lock_of(const struct python *py, struct memory *m, uint64_t state, uint64_t interpreter)
{
	const struct python_layout *l = &py->layout;
	uint64_t holder, lock;
	int32_t locked = 1;
	if (py->holder)
		return !memory_pointer(m, py->holder, &holder) ? LOCK_UNKNOWN : holder == state ? LOCK_HELD : LOCK_NOT_HELD;
	if (l->interpreter_lock == NOWHERE || !memory_pointer(m, interpreter + l->interpreter_lock, &lock) || !lock ||
	    !memory_pointer(m, lock + l->lock_holder, &holder) ||
	    !memory_read(m, lock + l->lock_locked, &locked, sizeof locked))
		return LOCK_UNKNOWN;
	return locked == 1 && holder == state ? LOCK_HELD : LOCK_NOT_HELD;
}

/* ---- frames -------------------------------------------------------------------------------------------------- */

#define CFRAME_MOST 24u /* bytes that hold both of its pointers */

/* Follows the cframe to the frame at work. *previous: the cframe of the loop below. */
static bool follow_cframe(const struct python *py, struct memory *m, uint64_t *frame, uint64_t *previous)
{
	unsigned char cframe[CFRAME_MOST];
	if (!memory_read(m, *frame, cframe, py->layout.cframe_previous + 8))
		return false;
	*frame = memory_u64(cframe, py->layout.cframe_frame);
	*previous = memory_u64(cframe, py->layout.cframe_previous);
	return true;
}

/* The innermost frame of a state; 0: none. false: it cannot be read. */
static bool first_frame(const struct python *py, struct memory *m, const unsigned char *state, uint64_t *frame,
                        uint64_t *previous)
{
	*frame = memory_u64(state, py->layout.thread_frame);
	*previous = 0;
	return py->layout.cframe_frame == NOWHERE || !*frame || follow_cframe(py, m, frame, previous);
}

/* Copies the piece of the stack up to this frame, if it lies in the one in use. */
static void copy_piece(struct python *py, struct memory *m, const unsigned char *state, uint64_t frame)
{
	uint32_t size = python_layout_frame_size(&py->layout);
	py->n_piece = 0;
	if (py->layout.thread_chunk == NOWHERE)
		return;
	uint64_t piece = memory_u64(state, py->layout.thread_chunk);
	if (!piece || frame < piece || frame - piece > PIECE_MOST - size)
		return;
	if (memory_read(m, piece, py->piece, (size_t)(frame - piece) + size)) {
		py->piece_at = piece;
		py->n_piece = (size_t)(frame - piece) + size;
	}
}

static bool read_frame(struct python *py, struct memory *m, uint64_t frame, unsigned char *bytes)
{
	uint32_t size = python_layout_frame_size(&py->layout);
	if (py->n_piece >= size && frame >= py->piece_at && frame - py->piece_at <= py->n_piece - size) {
		memcpy(bytes, py->piece + (frame - py->piece_at), size);
		return true;
	}
	return memory_is_place(frame) && memory_read(m, frame, bytes, size);
}

/* The offset of the instruction: an index of bytes up to 3.9, of words in 3.10, an address in later versions. */
static int64_t instruction_of(const struct python_layout *l, const unsigned char *frame, uint64_t code)
{
	int32_t index;
	if (l->code_start != NOWHERE)
		return (int64_t)(memory_u64(frame, l->frame_at) - (code + l->code_start));
	memcpy(&index, frame + l->frame_at, sizeof index);
	return l->minor == 10 ? (int64_t)index * 2 : index;
}

enum step { STEP_ON, STEP_END, STEP_CUT, STEP_FAILED, STEP_STALE };

static bool is_shim(const struct python_layout *l, const unsigned char *frame)
{
	return l->frame_owner != NOWHERE && l->frame_entry == NOWHERE && frame[l->frame_owner] >= OWNER_SHIM;
}

static bool is_entry(const struct python_layout *l, const unsigned char *frame)
{
	return l->frame_owner == NOWHERE || (l->frame_entry != NOWHERE && frame[l->frame_entry]);
}

/* Takes the function of a frame. */
static bool take_frame(struct python *py, struct memory *m, const unsigned char *frame,
                       const struct language_names *names, struct language_stack *s)
{
	const struct python_layout *l = &py->layout;
	uint64_t code = memory_u64(frame, l->frame_code);
	if (l->minor >= 14)
		code &= ~TAG_BITS;
	int64_t offset = instruction_of(l, frame, code);
	struct language_frame *f = &s->frames[s->n];
	if (offset < -2 || offset > INT32_MAX)
		return false;
	enum python_code_result found = python_codes_find(py->codes, m, code, offset, names, f);
	if (found != CODE_FOUND)
		return found == CODE_HELPER;
	f->is_entry = is_entry(l, frame);
	s->n++;
	return true;
}

/* Takes a frame, and goes on to its caller's. */
static enum step step(struct python *py, struct memory *m, uint64_t *frame, const struct language_names *names,
                      struct language_stack *s)
{
	const struct python_layout *l = &py->layout;
	unsigned char bytes[PYTHON_STRUCTURE_MOST];
	if (!read_frame(py, m, *frame, bytes) || (l->frame_owner != NOWHERE && bytes[l->frame_owner] > OWNER_MOST))
		return s->n ? STEP_CUT : STEP_FAILED;
	if (is_shim(l, bytes)) {
		if (s->n)
			s->frames[s->n - 1].is_entry = true;
	} else if (s->n == LANGUAGE_FRAMES) {
		return STEP_CUT;
	} else if (!take_frame(py, m, bytes, names, s)) {
		return s->n ? STEP_CUT : STEP_FAILED;
	}
	*frame = memory_u64(bytes, l->frame_back);
	if (py->is_to_check && (is_shim(l, bytes) || is_entry(l, bytes))) {
		py->is_to_check = false;
		if (*frame != py->below)
			return STEP_STALE;
	}
	if (*frame)
		return STEP_ON;
	return l->frame_owner != NOWHERE && bytes[l->frame_owner] == OWNER_GENERATOR ? STEP_CUT : STEP_END;
}

/* Frames that lead in a circle are as many as fit; each shim follows a function. */
static enum step take_frames(struct python *py, struct memory *m, uint64_t frame,
                             const struct language_names *names, struct language_stack *s)
{
	enum step how = frame ? STEP_ON : STEP_END;
	for (unsigned i = 0; how == STEP_ON && i < 2 * LANGUAGE_FRAMES + 2; i++)
		how = step(py, m, &frame, names, s);
	return how;
}

static enum language_walk walk_frames(struct python *py, struct memory *m, uint64_t frame,
                                      const struct language_names *names, struct language_stack *s)
{
	enum step how = take_frames(py, m, frame, names, s);
	if (how == STEP_STALE || (py->is_to_check && s->n < LANGUAGE_FRAMES)) {
		py->is_to_check = false;
		s->n = 0;
		how = take_frames(py, m, py->below, names, s);
	}
	s->is_cut = how != STEP_END;
	return how == STEP_FAILED ? WALK_FAILED : s->n ? WALK_DONE : WALK_NO_THREAD;
}

/* Where a thread is: its frame at work, and the instruction in it; 0: unknown. */
struct moment {
	uint64_t frame, at;
	uint64_t previous; /* cframe of the loop below; 0: none */
};

static bool read_moment(const struct python *py, struct memory *m, const unsigned char *state, struct moment *now)
{
	if (!first_frame(py, m, state, &now->frame, &now->previous))
		return false;
	if (!now->frame || !memory_pointer(m, now->frame + py->layout.frame_at, &now->at))
		now->at = 0;
	return true;
}

static bool has_moved(const struct python *py, struct memory *m, const struct state *state,
                      const struct moment *before)
{
	unsigned char bytes[PYTHON_STRUCTURE_MOST];
	struct moment now;
	return !memory_read(m, state->address, bytes, python_layout_thread_size(&py->layout)) ||
	       !read_moment(py, m, bytes, &now) || now.frame != before->frame || now.at != before->at;
}

static enum language_walk walk(void *arg, struct memory *m, pid_t tid, const struct language_names *names,
                               struct language_stack *s)
{
	struct python *py = arg;
	unsigned char bytes[PYTHON_STRUCTURE_MOST];
	struct moment first;
	language_stack_begin(s);
	python_codes_begin(py->codes);
	const struct state *state = find_state(py, m, tid, bytes);
	if (!state)
		return WALK_NO_THREAD;
	s->interpreter = state->interpreter;
	if (!read_moment(py, m, bytes, &first))
		return WALK_FAILED;
	py->is_to_check = first.previous && memory_pointer(m, first.previous + py->layout.cframe_frame, &py->below);
	copy_piece(py, m, bytes, first.frame);
	enum language_walk result = walk_frames(py, m, first.frame, names, s);
	s->lock = lock_of(py, m, state->address, memory_u64(bytes, py->layout.thread_interpreter));
	memory_renew(m);
	s->has_moved = result == WALK_DONE && has_moved(py, m, state, &first);
	return result;
}

static bool is_eval(const char *symbol)
{
	return language_is_symbol(symbol, "_PyEval_EvalFrameDefault");
}

const struct language language_python = {
	.name = "Python",
	.may_be = may_be,
	.symbols = symbols,
	.attach = attach,
	.detach = detach,
	.walk = walk,
	.is_eval = is_eval,
};
