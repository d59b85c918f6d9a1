/* The corpus of tests/fuzz/cfi.c. */
#include "tests/fuzz/cfi.c"

#include "replay.h"

int main(void)
{
	return replay("cfi");
}
