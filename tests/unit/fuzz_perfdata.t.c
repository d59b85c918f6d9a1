/* The corpus of tests/fuzz/perfdata.c. */
#include "tests/fuzz/perfdata.c"

#include "replay.h"

int main(void)
{
	return replay("perfdata");
}
