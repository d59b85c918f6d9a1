/* The corpus of tests/fuzz/load.c. */
#include "tests/fuzz/load.c"

#include "replay.h"

int main(void)
{
	return replay("load");
}
