/* The corpus of tests/fuzz/languages.c. */
#include "tests/fuzz/languages.c"

#include "replay.h"

int main(void)
{
	return replay("languages");
}
