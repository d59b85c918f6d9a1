/* The corpus of tests/fuzz/names.c. */
#include "tests/fuzz/names.c"

#include "replay.h"

int main(void)
{
	return replay("names");
}
