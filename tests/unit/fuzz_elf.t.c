/* The corpus of tests/fuzz/elf.c. */
#include "tests/fuzz/elf.c"

#include "replay.h"

int main(void)
{
	return replay("elf");
}
