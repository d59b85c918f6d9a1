/* The corpus of tests/fuzz/scan.c: scanning with vector instructions finds what plain C finds. */
#include "tests/fuzz/scan.c"

#include "replay.h"

int main(void)
{
	return replay("scan");
}
