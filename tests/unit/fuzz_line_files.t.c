/* The corpus of tests/fuzz/line_files.c. */
#include "tests/fuzz/line_files.c"

#include "replay.h"

int main(void)
{
	return replay("line_files");
}
