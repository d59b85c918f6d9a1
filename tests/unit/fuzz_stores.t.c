/* The corpus of tests/fuzz/stores.c. */
#include "tests/fuzz/stores.c"

#include "replay.h"

int main(void)
{
	return replay("stores");
}
