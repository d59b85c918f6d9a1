/* The corpus of tests/fuzz/collapse.c. */
#include "tests/fuzz/collapse.c"

#include "replay.h"

int main(void)
{
	return replay("collapse");
}
