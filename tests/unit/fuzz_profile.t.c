/* The corpus of tests/fuzz/profile.c. */
#include "tests/fuzz/profile.c"

#include "replay.h"

int main(void)
{
	return replay("profile");
}
