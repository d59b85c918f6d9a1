/* The corpus of tests/fuzz/collapse.c, format by format. */
#include "tests/fuzz/collapse.c"

#include "replay.h"

int main(void)
{
	for (size_t i = 0; collapse_formats[i] != NULL; i++) {
		char name[64];
		snprintf(name, sizeof name, "collapse/%s", collapse_formats[i]->name);
		setenv("FORMAT", collapse_formats[i]->name, 1);
		replay_all(name);
	}
	return done_testing();
}
