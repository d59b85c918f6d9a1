/* The corpus of tests/fuzz/requests.c. */
#include "tests/fuzz/requests.c"

#include "replay.h"

int main(void)
{
	return replay("requests");
}
