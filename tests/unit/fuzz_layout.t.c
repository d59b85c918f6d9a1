/* The corpus of tests/fuzz/layout.c. */
#include "tests/fuzz/layout.c"

#include "replay.h"

int main(void)
{
	return replay("layout");
}
