/* The corpus of tests/fuzz/commands.c. */
#include "tests/fuzz/commands.c"

#include "replay.h"

int main(void)
{
	return replay("commands");
}
