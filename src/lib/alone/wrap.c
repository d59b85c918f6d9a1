/*
 * wrap.c - the functions by which the library acquires something and gives it back. wrapped.ld tells the linker to
 * call these in the place of those of libc and other libraries: they record in the call's guard what is held.
 *
 *	__wrap_fopen(path, mode)    calls __real_fopen(), and records fclose(stream)
 *	__wrap_fclose(stream)       takes that out of the record, and calls __real_fclose()
 *
 * Outside of calls they record nothing. Threads of a call, and waits for them, see run.c.
 */
#include "lib/alone/wrap.h"

#include <dirent.h>
#include <errno.h>
#include <expat.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#ifdef HAVE_LIBDW
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#endif

#include "base/mem.h"
#include "base/platform.h"
#include "lib/alone/real.h"
#include "lib/alone/run.h"

#define POLL_NS (20 * 1000 * 1000) /* between looks whether another thread of the call has run out of memory */

static struct held *held_now(void)
{
	struct run *r = run_now();
	return r ? &r->guard->held : NULL;
}

bool wrap_hold(void (*end)(void *), void *thing)
{
	struct held *h = held_now();
	if (!h || held_add_thing(h, end, thing))
		return true;
	end(thing);
	errno = ENOMEM;
	return false;
}

void wrap_drop(void (*end)(void *), void *thing)
{
	struct held *h = held_now();
	int error = errno;
	if (h)
		held_drop_thing(h, end, thing);
	errno = error;
}

/* ---- memory -------------------------------------------------------------------------------------------------- */

void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);
void __wrap_free(void *);

/* false: there is no memory for this call, also since another thread of it found none. */
static bool may_allocate(struct run *r)
{
	if (!r || (!atomic_load_explicit(&r->guard->is_broken, memory_order_relaxed) && held_has_room(&r->guard->held)))
		return true;
	errno = ENOMEM;
	return false;
}

static void *keep(struct run *r, void *block)
{
	if (r && block)
		held_add(&r->guard->held, block);
	return block;
}

void *__wrap_malloc(size_t size)
{
	struct run *r = run_now();
	return may_allocate(r) ? keep(r, __real_malloc(size)) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
	struct run *r = run_now();
	return may_allocate(r) ? keep(r, __real_calloc(count, size)) : NULL;
}

/* The block leaves the record first: once it is moved, another thread may get its address. */
void *__wrap_realloc(void *old, size_t size)
{
	struct run *r = run_now();
	if (!may_allocate(r))
		return NULL;
	if (r && old)
		held_drop(&r->guard->held, old);
	void *block = __real_realloc(old, size);
	if (!block && old)
		keep(r, old);
	return keep(r, block);
}

void __wrap_free(void *block)
{
	struct held *h = block ? held_now() : NULL;
	if (h)
		held_drop(h, block);
	__real_free(block);
}

/* ---- files --------------------------------------------------------------------------------------------------- */

static void *of_descriptor(int fd)
{
	return (void *)(intptr_t)fd;
}

static void end_descriptor(void *thing)
{
	__real_close((int)(intptr_t)thing);
}

static int hold_descriptor(int fd)
{
	return fd < 0 || wrap_hold(end_descriptor, of_descriptor(fd)) ? fd : -1;
}

/* Of a function that opens a file and may have a mode, which libc reads if the flags ask for it. */
#define OPENER(name, parameters, last, arguments)        \
	int __real_##name parameters;                        \
	int __wrap_##name parameters;                        \
	int __wrap_##name parameters                         \
	{                                                    \
		va_list ap;                                      \
		va_start(ap, last);                              \
		unsigned mode = va_arg(ap, unsigned);            \
		va_end(ap);                                      \
		return hold_descriptor(__real_##name arguments); \
	}
/* Of one that returns a descriptor. */
#define DESCRIPTOR(name, parameters, arguments)          \
	int __real_##name parameters;                        \
	int __wrap_##name parameters;                        \
	int __wrap_##name parameters                         \
	{                                                    \
		return hold_descriptor(__real_##name arguments); \
	}
/* Of one that makes two, and says whether it did. */
#define DESCRIPTORS(name, parameters, arguments)                  \
	bool __real_##name parameters;                                \
	bool __wrap_##name parameters;                                \
	bool __wrap_##name parameters                                 \
	{                                                             \
		return __real_##name arguments && hold_descriptors(ends); \
	}

static bool hold_descriptors(const int ends[2])
{
	if (hold_descriptor(ends[0]) < 0) {
		__real_close(ends[1]);
		return false;
	}
	if (hold_descriptor(ends[1]) >= 0)
		return true;
	wrap_drop(end_descriptor, of_descriptor(ends[0]));
	__real_close(ends[0]);
	return false;
}

OPENER(open, (const char *path, int flags, ...), flags, (path, flags, mode))
OPENER(openat, (int directory, const char *path, int flags, ...), flags, (directory, path, flags, mode))
#ifdef __GLIBC__
DESCRIPTOR(__open_2, (const char *path, int flags), (path, flags))
#endif
DESCRIPTOR(dup, (int fd), (fd))
#if ON_LINUX
DESCRIPTOR(memfd_create, (const char *name, unsigned flags), (name, flags))
#endif
DESCRIPTOR(mkostemp, (char *path, int flags), (path, flags))
DESCRIPTORS(descriptor_pipe, (int ends[2]), (ends))
DESCRIPTORS(descriptor_pair, (int type, int ends[2]), (type, ends))

int __wrap_close(int);
int __wrap_close(int fd)
{
	wrap_drop(end_descriptor, of_descriptor(fd));
	return __real_close(fd);
}

/* ---- things behind a pointer --------------------------------------------------------------------------------- */

/* Of a function that ends a thing; returns: `return`, or nothing if there is no result. */
#define ENDER(returns, type, name, thing) \
	type __real_##name(thing);            \
	type __wrap_##name(thing);            \
	static void end_##name(void *p)       \
	{                                     \
		__real_##name(p);                 \
	}                                     \
	type __wrap_##name(thing p)           \
	{                                     \
		wrap_drop(end_##name, (void *)p); \
		returns __real_##name(p);         \
	}
/* Of one that makes a thing, which `ender` ends. */
#define MAKER(thing, name, parameters, arguments, ender)           \
	thing __real_##name parameters;                                \
	thing __wrap_##name parameters;                                \
	thing __wrap_##name parameters                                 \
	{                                                              \
		thing made = __real_##name arguments;                      \
		return made && wrap_hold(end_##ender, made) ? made : NULL; \
	}
/* Of one that sets up a structure of the caller, and says whether it did. */
#define STARTER(type, name, good, bad, parameters, arguments, ender)            \
	type __real_##name parameters;                                              \
	type __wrap_##name parameters;                                              \
	type __wrap_##name parameters                                               \
	{                                                                           \
		type result = __real_##name arguments;                                  \
		return result == (good) && !wrap_hold(end_##ender, z) ? (bad) : result; \
	}

ENDER(return, int, fclose, FILE *)
MAKER(FILE *, fopen, (const char *path, const char *mode), (path, mode), fclose)
MAKER(FILE *, tmpfile, (void), (), fclose)
ENDER(return, int, closedir, DIR *)
MAKER(DIR *, opendir, (const char *path), (path), closedir)

ENDER(return, int, inflateEnd, z_streamp)
STARTER(int, inflateInit2_, Z_OK, Z_MEM_ERROR, (z_streamp z, int bits, const char *version, int size),
        (z, bits, version, size), inflateEnd)
ENDER(return, int, deflateEnd, z_streamp)
STARTER(int, deflateInit2_, Z_OK, Z_MEM_ERROR,
        (z_streamp z, int level, int method, int bits, int memory, int strategy, const char *version, int size),
        (z, level, method, bits, memory, strategy, version, size), deflateEnd)
ENDER(, void, lzma_end, lzma_stream *)
STARTER(lzma_ret, lzma_stream_decoder, LZMA_OK, LZMA_MEM_ERROR, (lzma_stream * z, uint64_t most, uint32_t flags),
        (z, most, flags), lzma_end)
ENDER(return, size_t, ZSTD_freeDStream, ZSTD_DStream *)
MAKER(ZSTD_DStream *, ZSTD_createDStream, (void), (), ZSTD_freeDStream)
ENDER(return, size_t, ZSTD_freeCStream, ZSTD_CStream *)
MAKER(ZSTD_CStream *, ZSTD_createCStream, (void), (), ZSTD_freeCStream)

ENDER(, void, XML_ParserFree, XML_Parser)
MAKER(XML_Parser, XML_ParserCreate, (const XML_Char *encoding), (encoding), XML_ParserFree)

ENDER(, void, pcre2_code_free_8, pcre2_code_8 *)
MAKER(pcre2_code_8 *, pcre2_compile_8,
      (PCRE2_SPTR8 pattern, PCRE2_SIZE n, uint32_t options, int *error, PCRE2_SIZE *offset,
       pcre2_compile_context_8 *context),
      (pattern, n, options, error, offset, context), pcre2_code_free_8)
ENDER(, void, pcre2_match_data_free_8, pcre2_match_data_8 *)
MAKER(pcre2_match_data_8 *, pcre2_match_data_create_8, (uint32_t n, pcre2_general_context_8 *context), (n, context),
      pcre2_match_data_free_8)
MAKER(pcre2_match_data_8 *, pcre2_match_data_create_from_pattern_8,
      (const pcre2_code_8 *code, pcre2_general_context_8 *context), (code, context), pcre2_match_data_free_8)
ENDER(, void, pcre2_match_context_free_8, pcre2_match_context_8 *)
MAKER(pcre2_match_context_8 *, pcre2_match_context_create_8, (pcre2_general_context_8 * context), (context),
      pcre2_match_context_free_8)
ENDER(, void, pcre2_jit_stack_free_8, pcre2_jit_stack_8 *)
MAKER(pcre2_jit_stack_8 *, pcre2_jit_stack_create_8,
      (PCRE2_SIZE first, PCRE2_SIZE most, pcre2_general_context_8 *context), (first, most, context),
      pcre2_jit_stack_free_8)

#ifdef HAVE_LIBDW
ENDER(return, int, elf_end, Elf *)
MAKER(Elf *, elf_begin, (int fd, Elf_Cmd command, Elf *of), (fd, command, of), elf_end)
MAKER(Elf *, elf_memory, (char *bytes, size_t n), (bytes, n), elf_end)
ENDER(return, int, dwarf_end, Dwarf *)
MAKER(Dwarf *, dwarf_begin, (int fd, Dwarf_Cmd command), (fd, command), dwarf_end)
MAKER(Dwarf *, dwarf_begin_elf, (Elf * elf, Dwarf_Cmd command, Elf_Scn *group), (elf, command, group), dwarf_end)
ENDER(, void, dwfl_end, Dwfl *)
MAKER(Dwfl *, dwfl_begin, (const Dwfl_Callbacks *callbacks), (callbacks), dwfl_end)

Dwfl_Module *__real_dwfl_report_elf(Dwfl *, const char *, const char *, int, GElf_Addr, bool);
Dwfl_Module *__wrap_dwfl_report_elf(Dwfl *, const char *, const char *, int, GElf_Addr, bool);
/* The module closes the descriptor. */
Dwfl_Module *__wrap_dwfl_report_elf(Dwfl *dwfl, const char *name, const char *path, int fd, GElf_Addr base,
                                    bool adds)
{
	Dwfl_Module *module = __real_dwfl_report_elf(dwfl, name, path, fd, base, adds);
	if (module)
		wrap_drop(end_descriptor, of_descriptor(fd));
	return module;
}
#endif

/* ---- threads ------------------------------------------------------------------------------------------------- */

struct start {
	struct guard *guard;
	void *(*fn)(void *);
	void *arg;
};

static void *of_thread(pthread_t thread)
{
	return (void *)(uintptr_t)thread;
}

/* The first function of a thread of a call. */
static void *begin_thread(void *arg)
{
	struct start start = *(struct start *)arg;
	struct run r;
	void *volatile result = NULL;
	__real_free(arg);
	run_enter(&r, start.guard);
	r.is_thread = true;
	if (setjmp(r.back) == 0)
		result = start.fn(start.arg);
	run_leave(&r);
	return result;
}

int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*fn)(void *), void *arg)
{
	struct run *r = run_now();
	if (!r)
		return __real_pthread_create(thread, attributes, fn, arg);
	struct start *start = __real_malloc(sizeof *start);
	if (start)
		*start = (struct start){r->guard, fn, arg};
	else
		mem_exhausted();
	int error = __real_pthread_create(thread, attributes, begin_thread, start);
	if (error) {
		__real_free(start);
		return error;
	}
	if (held_add_thing(&r->guard->held, run_end_thread, of_thread(*thread)))
		return 0;
	atomic_store(&r->guard->is_broken, true); /* so that it ends soon */
	run_end_thread(of_thread(*thread));
	mem_exhausted();
}

static void unwind_if_broken(const struct run *r)
{
	if (r && guard_is_broken(r->guard))
		mem_exhausted();
}

int __wrap_pthread_join(pthread_t, void **);
int __wrap_pthread_join(pthread_t thread, void **result)
{
	struct run *r = run_now();
	wrap_drop(run_end_thread, of_thread(thread));
	int error = __real_pthread_join(thread, result);
	unwind_if_broken(r);
	return error;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	struct run *r = run_now();
	int error = __real_pthread_mutex_lock(mutex);
	if (r && error == 0 && r->n_locks < MOST_LOCKS)
		r->locks[r->n_locks++] = mutex;
	return error;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	struct run *r = run_now();
	for (unsigned i = r ? r->n_locks : 0; i > 0; i--) {
		if (r->locks[i - 1] != mutex)
			continue;
		r->locks[i - 1] = r->locks[--r->n_locks];
		break;
	}
	return __real_pthread_mutex_unlock(mutex);
}

int __real_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int __wrap_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
/*
 * Wakes up now and then: the thread that would signal may have run out of memory. Callers test what they wait for.
 */
int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	struct run *r = run_now();
	struct timespec until;
	if (!r)
		return __real_pthread_cond_wait(condition, mutex);
	unwind_if_broken(r);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += POLL_NS;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	int error = pthread_cond_timedwait(condition, mutex, &until);
	return error == ETIMEDOUT ? 0 : error;
}
