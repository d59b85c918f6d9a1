/*
 * unwind_dwfl.c - keeps a Dwfl per process and adds a file to it when an address falls into the file.
 *
 * Each Dwfl reads its own files: a process costs some milliseconds. At most MOST_PROCESSES are kept at a time.
 */
#include "symbols/unwind_dwfl.h"

#ifdef HAVE_LIBDW

#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/mem.h"
#include "base/regular.h"
#include "symbols/debug_handle.h"
#include "symbols/elf_file.h"

#define MOST_PROCESSES 64u
#define MOST_REGISTERS 80u
#define MOST_STACK ((uint64_t)64 << 20)

struct process {
	Dwfl *dwfl;
	uint64_t generation;
	uint64_t used; /* when */
	int32_t pid;
	bool is_attached;
	struct debug_cost cost; /* of its files */
};

struct unwind_dwfl {
	unwind_map_at map_at;
	void *arg;
	struct process processes[MOST_PROCESSES];
	uint64_t clock;
	/* the sample at hand */
	const struct unwind_input *in;
	struct process *process;
	uint16_t code;
	struct cfi_registers registers;
	uint64_t pc, stack;
	uint64_t *out;
	size_t n, most;
	bool is_cut;
};

bool unwind_dwfl_is_built(void)
{
	return true;
}

struct unwind_dwfl *unwind_dwfl_new(unwind_map_at map_at, void *arg)
{
	struct unwind_dwfl *u = mem_zalloc(1, sizeof *u);
	u->map_at = map_at;
	u->arg = arg;
	return u;
}

static void forget(struct process *p)
{
	dwfl_end(p->dwfl);
	debug_cost_end(&p->cost);
	*p = (struct process){0};
}

void unwind_dwfl_free(struct unwind_dwfl *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < MOST_PROCESSES; i++)
		forget(&u->processes[i]);
	free(u);
}

/* Only the files that report() opens are read, and neither others of their build ids ... */
static int no_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, char **found, Elf **elf)
{
	(void)module, (void)data, (void)name, (void)base, (void)found, (void)elf;
	return -1;
}

/* ... nor separate debug files: the files themselves have all that unwinding needs. */
static int no_debug_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
                         const char *link, GElf_Word crc, char **found)
{
	(void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = no_file,
	.find_debuginfo = no_debug_file,
	.section_address = dwfl_offline_section_address,
};

/*
 * The file's contents at the map's beginning decide, as addresses and offsets may differ. false: the map is none of
 * the file's, or libdw cannot unpack it.
 */
static bool bias_of(int fd, const struct unwind_map *map, struct debug_cost *cost, GElf_Addr *bias)
{
	size_t n = 0;
	bool is_found = false;
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && (elf_getphdrnum(elf, &n) != 0 || !debug_cost_file(cost, elf, map->path, NULL)))
		n = 0;
	for (size_t i = 0; i < n && !is_found; i++) {
		GElf_Phdr h;
		if (!gelf_getphdr(elf, (int)i, &h) || h.p_type != PT_LOAD || map->pgoff < (h.p_offset & ~UINT64_C(4095)) ||
		    map->pgoff >= h.p_offset + h.p_filesz)
			continue;
		*bias = map->start - (map->pgoff - h.p_offset + h.p_vaddr);
		is_found = true;
	}
	elf_end(elf);
	return is_found;
}

static Dwfl_Module *report(struct unwind_dwfl *u, uint64_t address)
{
	struct unwind_map map;
	GElf_Addr bias;
	Dwfl_Module *module = dwfl_addrmodule(u->process->dwfl, address);
	if (module || !u->map_at(u->arg, u->in->process, address, &map) || *map.path != '/')
		return module;
	int fd = regular_open(map.path, NULL, NULL);
	if (fd < 0)
		return NULL;
	struct debug_cost cost = {0};
	if (bias_of(fd, &map, &cost, &bias)) {
		dwfl_report_begin_add(u->process->dwfl);
		module = dwfl_report_elf(u->process->dwfl, map.path, map.path, fd, bias, true);
		dwfl_report_end(u->process->dwfl, NULL, NULL);
	}
	if (module) {
		u->process->cost.bytes += cost.bytes;
		u->process->cost.size += cost.size;
	} else {
		debug_cost_end(&cost);
		close(fd);
	}
	return module;
}

/* ---- callbacks of libdwfl ------------------------------------------------------------------------ */

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread)
{
	if (*thread)
		return 0;
	*thread = arg;
	return dwfl_pid(dwfl);
}

static bool read_word(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *arg)
{
	struct unwind_dwfl *u = arg;
	size_t size = u->code == ELF_MACHINE_386 || u->code == ELF_MACHINE_ARM ? 4 : 8;
	uint64_t at = address - u->stack;
	(void)dwfl;
	if (address >= u->stack && at < u->in->n_stack && u->in->n_stack - at >= size) {
		*word = 0;
		memcpy(word, u->in->stack + at, size);
		*word = little64(*word);
		return true;
	}
	u->is_cut |= address >= u->stack && at < MOST_STACK;
	return false;
}

/* On aarch64 it wants registers that perf does not record: zeros. */
static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	struct unwind_dwfl *u = arg;
	Dwarf_Word zeros[8] = {0};
	unsigned n = u->code == ELF_MACHINE_X86_64 ? 17
	             : u->code == ELF_MACHINE_386  ? 9
	             : u->code == ELF_MACHINE_ARM  ? 16
	                                           : 32;
	if (!dwfl_thread_state_registers(thread, 0, n, u->registers.value))
		return false;
	if (u->code == ELF_MACHINE_AARCH64 && !dwfl_thread_state_registers(thread, 72, 8, zeros))
		return false;
	if (u->code == ELF_MACHINE_AARCH64 || u->code == ELF_MACHINE_386)
		dwfl_thread_state_register_pc(thread, u->pc);
	return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = read_word,
	.set_initial_registers = set_registers,
};

static int take_frame(Dwfl_Frame *frame, void *arg)
{
	struct unwind_dwfl *u = arg;
	Dwarf_Addr pc;
	bool is_exact;
	if (!dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	report(u, pc); /* before the next call, which unwinds */
	u->is_cut = false;
	if (!pc || !dwfl_frame_pc(frame, &pc, &is_exact))
		return DWARF_CB_ABORT;
	u->out[u->n++] = is_exact ? pc : pc - 1;
	return u->n == u->most ? DWARF_CB_ABORT : DWARF_CB_OK;
}

/* ---- processes ---------------------------------------------------------------------------------- */

/* Replaces the least recently used process. */
static struct process *process_of(struct unwind_dwfl *u, const struct unwind_input *in)
{
	struct process *oldest = u->processes;
	for (size_t i = 0; i < MOST_PROCESSES; i++) {
		struct process *p = &u->processes[i];
		if (p->dwfl && p->pid == in->pid && p->generation == in->generation)
			return p;
		if (p->used < oldest->used)
			oldest = p;
	}
	forget(oldest);
	*oldest = (struct process){.dwfl = dwfl_begin(&callbacks), .pid = in->pid, .generation = in->generation};
	if (oldest->dwfl) {
		dwfl_report_begin(oldest->dwfl);
		dwfl_report_end(oldest->dwfl, NULL, NULL);
	}
	return oldest;
}

size_t unwind_dwfl_stack(struct unwind_dwfl *u, const struct unwind_input *in, uint64_t *out, size_t most,
                         bool *is_cut)
{
	*is_cut = false;
	u->in = in;
	u->code = unwind_code(in);
	if (!u->code || !most || !unwind_registers(in, u->code, &u->registers, &u->pc, &u->stack))
		return 0;
	struct process *p = u->process = process_of(u, in);
	u->out = out;
	u->most = most;
	u->n = 0;
	u->is_cut = false;
	p->used = ++u->clock;
	out[0] = u->pc;
	if (!p->dwfl || !report(u, u->pc))
		return 1;
	if (!p->is_attached && !dwfl_attach_state(p->dwfl, NULL, in->pid, &thread_callbacks, u))
		return 1;
	p->is_attached = true;
	dwfl_getthread_frames(p->dwfl, in->pid, take_frame, u);
	*is_cut = u->is_cut;
	return u->n ? u->n : 1;
}

#else

#include <stddef.h>

bool unwind_dwfl_is_built(void)
{
	return false;
}

struct unwind_dwfl *unwind_dwfl_new(unwind_map_at map_at, void *arg)
{
	(void)map_at, (void)arg;
	return NULL;
}

void unwind_dwfl_free(struct unwind_dwfl *u)
{
	(void)u;
}

size_t unwind_dwfl_stack(struct unwind_dwfl *u, const struct unwind_input *in, uint64_t *out, size_t most,
                         bool *is_cut)
{
	(void)u, (void)in, (void)out, (void)most;
	*is_cut = false;
	return 0;
}

#endif
