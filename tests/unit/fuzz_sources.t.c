/* The corpus of tests/fuzz/sources.c. */
#include "tests/fuzz/sources.c"

#include "replay.h"

int main(void)
{
	return replay("sources");
}
