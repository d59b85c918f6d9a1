/* The corpus of tests/fuzz/pauses.c. */
#include "tests/fuzz/pauses.c"

#include "replay.h"

int main(void)
{
	return replay("pauses");
}
