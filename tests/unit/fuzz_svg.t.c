/* The corpus of tests/fuzz/svg.c. */
#include "tests/fuzz/svg.c"

#include "replay.h"

int main(void)
{
	return replay("svg");
}
