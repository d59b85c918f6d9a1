/* The corpus of tests/fuzz/roundtrip.c, and hostile names by chance, always the same ones. */
#include "tests/fuzz/roundtrip.c"

#include "replay.h"

int main(void)
{
	uint64_t seed = 7;

	for (unsigned run = 0; run < 3000; run++) {
		uint8_t data[400];
		size_t n = 3 + chance(&seed, run % 3 ? 60 : sizeof data - 3);
		for (size_t i = 0; i < n; i++)
			data[i] = (uint8_t)chance(&seed, 256);
		LLVMFuzzerTestOneInput(data, n);
	}
	ok(true, "random names, written and read again, give the same profile and the same text");
	return replay("roundtrip");
}
