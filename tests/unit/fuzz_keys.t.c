/* The corpus of tests/fuzz/keys.c. */
#include "tests/fuzz/keys.c"

#include "replay.h"

int main(void)
{
	return replay("keys");
}
