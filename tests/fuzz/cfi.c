/*
 * cfi.c - reads any bytes as call frame information: as an ELF file, or as a section of an intact one.
 *
 * The first byte says which. Rows for addresses all over it are applied to made-up registers and memory.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/cfi.h"
#include "symbols/cfi_step.h"
#include "symbols/elf_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_FRAMES 100

/* Half of the memory is unknown. */
static bool word_at(void *arg, uint64_t address, uint64_t *word)
{
	uint64_t *seed = arg;
	*seed = (*seed ^ address) * UINT64_C(6364136223846793005) + 1;
	*word = *seed >> (*seed % 61);
	return address & 8;
}

static void walk(struct cfi *cfi, uint64_t pc)
{
	uint64_t seed = pc, bias = 0;
	const struct cfi_machine *machine = cfi_machine(pc & 1 ? ELF_MACHINE_X86_64 : ELF_MACHINE_AARCH64);
	const struct cfi_memory memory = {.word = word_at, .arg = &seed};
	struct cfi_registers registers = {.known = (UINT64_C(1) << CFI_REGISTERS) - 1}, caller;
	for (size_t i = 0; i < CFI_REGISTERS; i++)
		registers.value[i] = 16 * i;
	for (int i = 0; i < MOST_FRAMES; i++) {
		const struct cfi_row *row = cfi_at(cfi, pc);
		if (row != cfi_at(cfi, pc))
			abort();
		if (row ? cfi_step(row, machine, &memory, &registers, bias, &caller, &pc) != CFI_STEP
		        : !cfi_step_by_frame(machine, &memory, &registers, &caller, &pc))
			break;
		registers = caller;
	}
}

static void look_around(struct cfi_image *image)
{
	uint64_t word, vaddr;
	struct cfi_image copy = *image;
	cfi_image_address(&copy, 4096, &vaddr);
	struct cfi *cfi = cfi_new(image);
	for (uint64_t pc = 1; pc < 4096; pc += 61)
		walk(cfi, pc);
	for (size_t i = 0; i < copy.eh_frame.n; i += 4) {
		uint32_t distance = 0;
		memcpy(&distance, copy.eh_frame.bytes + i, copy.eh_frame.n - i < 4 ? copy.eh_frame.n - i : 4);
		walk(cfi, copy.eh_frame.vaddr + i + (uint64_t)(int64_t)(int32_t)distance);
		walk(cfi, distance);
	}
	cfi_image_word(cfi_image(cfi), 64, &word);
	cfi_free(cfi);
}

static struct cfi_section section(const uint8_t *data, size_t size)
{
	unsigned char *bytes = mem_alloc(size);
	memcpy(bytes, data, size);
	return (struct cfi_section){bytes, size, 0x1000};
}

static void as_file(const uint8_t *data, size_t size)
{
	struct cfi_image image;
	char path[64];
	int fd = memfd_create("cfi", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (cfi_image_open(&image, path, NULL))
		look_around(&image);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cfi_image image = {.machine = ELF_MACHINE_X86_64};
	if (size < 2 || size > 65536)
		return 0;
	if (data[0] == 'F') {
		as_file(data + 1, size - 1);
		return 0;
	}
	if (data[0] == 'D')
		image.debug_frame = section(data + 1, size - 1);
	image.eh_frame = section(data + 1, size - 1);
	look_around(&image);
	return 0;
}
