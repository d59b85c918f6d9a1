/* The corpus of tests/fuzz/decompress.c. */
#include "tests/fuzz/decompress.c"

#include "replay.h"

int main(void)
{
	return replay("decompress");
}
