/* The corpus of tests/fuzz/pattern.c. */
#include "tests/fuzz/pattern.c"

#include "replay.h"

int main(void)
{
	return replay("pattern");
}
