/* Unwinds stacks of this program with symbols/unwind.c; the test knows their call chains. */
#include "symbols/unwind.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "symbols/unwind_dwfl.h"
#include "tests/tap.h"

#define MOST 127
#define STACK 32768u
#define DEPTH 5

#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))

static struct {
	uint64_t regs[33];
	uint64_t mask;
	uint64_t stack[STACK / 8];
	size_t n_stack;
	uint64_t returns[DEPTH]; /* of descend(), the innermost first */
	uint64_t interrupted;
} seen;

/* ---- this process as a recording shows it ------------------------------------------------------- */

static struct {
	struct unwind_map maps[4096];
	size_t n;
	uint64_t stack_end;
} self;

static void read_maps(void)
{
	char line[4352], path[4096], access[8];
	FILE *f = fopen("/proc/self/maps", "r");
	self.n = 0;
	while (f && fgets(line, sizeof line, f) && self.n < sizeof self.maps / sizeof *self.maps) {
		struct unwind_map *m = &self.maps[self.n];
		*path = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %4095[^\n]", &m->start, &m->end, access,
		           &m->pgoff, path) < 4)
			continue;
		if (strcmp(path, "[stack]") == 0)
			self.stack_end = m->end;
		if (access[2] != 'x')
			continue;
		m->path = strdup(path);
		self.n++;
	}
	if (f)
		fclose(f);
}

static bool map_at(void *arg, const void *process, uint64_t address, struct unwind_map *map)
{
	(void)arg;
	(void)process;
	for (size_t i = 0; i < self.n; i++) {
		if (address < self.maps[i].start || address >= self.maps[i].end)
			continue;
		*map = self.maps[i];
		return true;
	}
	return false;
}

/* ---- chains of calls ---------------------------------------------------------------------------- */

static void take_registers(const mcontext_t *m)
{
#ifdef __x86_64__
	static const int order[] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
	                            REG_RIP, -1,      -1,      -1,      -1,      -1,      -1,      -1,
	                            REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
	size_t n = 0;
	seen.mask = 0xff01ff;
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		if (seen.mask >> i & 1)
			seen.regs[n++] = (uint64_t)m->gregs[order[i]];
#else
	seen.mask = (UINT64_C(1) << 33) - 1;
	for (size_t i = 0; i < 31; i++)
		seen.regs[i] = m->regs[i];
	seen.regs[31] = m->sp;
	seen.regs[32] = m->pc;
#endif
}

/* Copies word by word: a sanitizer stops other copies from reading between variables. */
__attribute__((noinline, no_sanitize("address"))) static void take_stack(uint64_t pointer)
{
	seen.n_stack = self.stack_end - pointer < STACK ? self.stack_end - pointer : STACK;
	for (size_t i = 0; i < seen.n_stack / 8; i++)
		seen.stack[i] = ((const volatile uint64_t *)(uintptr_t)pointer)[i];
}

__attribute__((noinline)) static void take_here(void)
{
	ucontext_t here;
	getcontext(&here);
	take_registers(&here.uc_mcontext);
#ifdef __x86_64__
	take_stack((uint64_t)here.uc_mcontext.gregs[REG_RSP]);
#else
	take_stack(here.uc_mcontext.sp);
#endif
}

static sigjmp_buf way_out;

static void on_trap(int signal, siginfo_t *info, void *context)
{
	const ucontext_t *c = context;
	(void)signal;
	(void)info;
#ifdef __x86_64__
	seen.interrupted = (uint64_t)c->uc_mcontext.gregs[REG_RIP];
#else
	seen.interrupted = c->uc_mcontext.pc;
#endif
	take_here();
	siglongjmp(way_out, 1);
}

__attribute__((noinline)) static int descend(int depth, bool is_trapped)
{
	volatile char room[64 + (DEPTH & 3) * 16];
	room[0] = (char)depth;
	seen.returns[depth] = (uint64_t)(uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0));
	if (depth)
		return descend(depth - 1, is_trapped) + room[0];
	if (is_trapped)
		__builtin_trap();
	take_here();
	return room[0] + 1;
}

/* ---- what comes out ----------------------------------------------------------------------------- */

static struct unwind_input input(size_t n_stack)
{
	struct unwind_input in = {
		.pid = 1,
		.generation = 1,
#ifdef __x86_64__
		.machine = unwind_machine("x86_64"),
#else
		.machine = unwind_machine("aarch64"),
#endif
		.abi = 2,
		.mask = seen.mask,
		.regs = seen.regs,
		.stack = (const unsigned char *)seen.stack,
		.n_stack = n_stack < seen.n_stack ? n_stack : seen.n_stack,
	};
	return in;
}

/* The index at which the returns of descend() are in a row; n: none. */
static size_t find_chain(const uint64_t *frames, size_t n)
{
	for (size_t at = 0; at + DEPTH <= n; at++) {
		size_t same = 0;
		while (same < DEPTH && frames[at + same] == seen.returns[same] - 1)
			same++;
		if (same == DEPTH)
			return at;
	}
	return n;
}

static void same_as_libdwfl(const struct unwind_input *in, const uint64_t *frames, size_t n, const char *what)
{
#ifdef HAVE_LIBDW
	uint64_t theirs[MOST] = {0};
	bool is_cut;
	struct unwind_dwfl *dwfl = unwind_dwfl_new(map_at, NULL);
	size_t n_theirs = unwind_dwfl_stack(dwfl, in, theirs, MOST, &is_cut);
	is_mem((const char *)frames, n * sizeof *frames, (const char *)theirs, n_theirs * sizeof *theirs,
	       "%s: as libdwfl finds it", what);
	unwind_dwfl_free(dwfl);
#else
	(void)in, (void)frames, (void)n;
	skip("%s: built without libdw", what);
#endif
}

static void known_chain(struct unwinder *u)
{
	uint64_t frames[MOST];
	bool is_cut;
	descend(DEPTH - 1, false);
	struct unwind_input in = input(STACK);
	size_t n = unwind_stack(u, &in, frames, MOST, &is_cut);
	ok(find_chain(frames, n) == 2, "a chain of calls is found (%zu of %zu frames)", find_chain(frames, n), n);
	ok(!is_cut, "to the beginning of the stack");
	ok(!unwind_has_given_up(u), "within the limits");
	ok(n > DEPTH + 3, "where main() and what calls it are");
	same_as_libdwfl(&in, frames, n, "calls");
	for (int i = 0; i < 2; i++) {
		uint64_t again[MOST];
		size_t n_again = unwind_stack(u, &in, again, MOST, &is_cut);
		ok(n_again == n && memcmp(again, frames, n * sizeof *frames) == 0, "once more it is the same");
		in.generation++;
	}
	is_int(unwind_stack(u, &in, frames, 3, &is_cut), 3, "no more frames than asked for");
	is_int(unwind_stack(u, &in, frames, 0, &is_cut), 0, "not even one");
}

static void cut_stack(struct unwinder *u)
{
	uint64_t whole[MOST], part[MOST];
	bool is_cut, was_cut = true, is_prefix = true;
	struct unwind_input in = input(STACK);
	size_t n = unwind_stack(u, &in, whole, MOST, &is_cut), last = 0;
	for (size_t bytes = 0; bytes < 2048 && bytes < seen.n_stack - 1024; bytes += 8) {
		in = input(bytes);
		size_t some = unwind_stack(u, &in, part, MOST, &is_cut);
		was_cut = was_cut && (is_cut || some == n);
		is_prefix = is_prefix && some >= last && some <= n && memcmp(part, whole, some * sizeof *part) == 0;
		last = some;
	}
	ok(is_prefix, "of a stack cut short, the beginning of the chain is found");
	ok(was_cut, "and said to be cut");
}

static void descend_into_trap(void)
{
	struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
	sigaction(SIGILL, &action, NULL);
	sigaction(SIGTRAP, &action, NULL);
	if (sigsetjmp(way_out, 1) == 0)
		descend(DEPTH - 1, true);
}

static void signal_frame(struct unwinder *u)
{
	uint64_t frames[MOST];
	bool is_cut, is_exact = false;
	descend_into_trap();
	struct unwind_input in = input(STACK);
	size_t n = unwind_stack(u, &in, frames, MOST, &is_cut), at = find_chain(frames, n);
	ok(at < n, "a chain is found through a signal handler (%zu of %zu frames)", at, n);
	for (size_t i = 0; i < n; i++)
		is_exact |= frames[i] == seen.interrupted;
	ok(is_exact, "what was interrupted is where it was, not a byte before");
	same_as_libdwfl(&in, frames, n, "a signal");
}

/* Code without unwind information, such as a JIT compiler makes: only the frame pointer helps. */
static void by_frame_pointer(struct unwinder *u)
{
#ifdef __x86_64__
	uint64_t stack[] = {7, 7, 0x7ff030, 0x500010, 7, 7, 0, 0x500020}, regs[] = {0x7ff010, 0x7ff000, 0x500000},
			 frames[MOST];
	struct unwind_input in = {.pid = 2, .machine = unwind_machine("x86_64"), .abi = 2, .mask = 0x1c0, .regs = regs};
	bool is_cut;
	in.stack = (const unsigned char *)stack;
	in.n_stack = sizeof stack;
	is_int(unwind_stack(u, &in, frames, MOST, &is_cut), 3,
	       "frames without information are those of the frame pointer");
	ok(frames[0] == 0x500000 && frames[1] == 0x50000f && frames[2] == 0x50001f, "each with its return address");
	stack[2] = 0x7ff010;
	is_int(unwind_stack(u, &in, frames, MOST, &is_cut), 2, "a frame pointer that points to itself is the last");
#else
	(void)u;
	skip("not on x86_64");
#endif
}

static void odd_input(struct unwinder *u)
{
	uint64_t frames[MOST];
	bool is_cut;
	struct unwind_input in = input(0);
	is_int(unwind_stack(u, &in, frames, MOST, &is_cut), 1, "without a stack there is the innermost function");
	in.abi = 0;
	is_int(unwind_stack(u, &in, frames, MOST, &is_cut), 0, "without registers there is nothing");
	in.abi = 2;
	in.mask = 0x1f;
	is_int(unwind_stack(u, &in, frames, MOST, &is_cut), 0, "nor without a program counter");
	in = input(STACK);
	in.machine = 0;
	is_int(unwind_stack(u, &in, frames, MOST, &is_cut), 0, "nor of a machine that is not known");
	in = input(STACK);
	for (size_t i = 0; i < 33; i++)
		seen.regs[i] = UINT64_MAX - 3;
	is_int(unwind_stack(u, &in, frames, MOST, &is_cut), 1, "wrong registers lead nowhere");
}

/* A file that was replaced after the recording, as its build ID shows. */
static void other_build(void)
{
	uint64_t frames[MOST];
	bool is_cut;
	static const uint8_t id[20] = {1, 2, 3};
	struct unwinder *u = unwinder_new(map_at, NULL);
	descend(DEPTH - 1, false);
	for (size_t i = 0; i < self.n; i++) {
		self.maps[i].build_id = id;
		self.maps[i].n_build_id = sizeof id;
	}
	struct unwind_input in = input(STACK);
	unwind_stack(u, &in, frames, MOST, &is_cut);
	const char *trouble = unwind_trouble(u);
	ok(trouble && strstr(trouble, "has changed"), "a file with another build id is not believed: %s",
	   trouble ? trouble : "");
	unwinder_free(u);
}

static void machines(void)
{
	is_int(unwind_machine("x86_64"), 62, "x86_64 is a machine");
	is_int(unwind_machine("aarch64"), 183, "aarch64 is a machine");
	is_int(unwind_machine("i686"), 3, "i686 is a machine");
	is_int(unwind_machine("armv7l"), 40, "armv7l is a machine");
	is_int(unwind_machine("i"), 0, "i is none");
	is_int(unwind_machine(""), 0, "nothing is none");
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	ok(unwind_can(unwind_machine("x86_64")) && unwind_can(unwind_machine("aarch64")), "both are unwound");
#endif
	ok(!unwind_can(0), "none is not");
}

int main(void)
{
	read_maps();
	struct unwinder *u = unwinder_new(map_at, NULL);
	ok(!unwind_trouble(u), "no trouble to begin with");
	known_chain(u);
	cut_stack(u);
	signal_frame(u);
	by_frame_pointer(u);
	odd_input(u);
	unwinder_free(u);
	other_build();
	machines();
	for (size_t i = 0; i < self.n; i++)
		free((void *)(uintptr_t)self.maps[i].path);
	return done_testing();
}

#else

int main(void)
{
	skip_all("a machine or C library whose own stack this test cannot read");
}

#endif
