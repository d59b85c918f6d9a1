/*
 * When --ptrace looks: once in each interval, at moments that no loop of a program keeps step with.
 */
#include "record/sampler/peek.h"

#include "tests/tap.h"

#define FREQUENCY 49
#define LOOKS 4900

int main(void)
{
	struct peek *p = peek_new(0, 1, true);
	double at = 0;
	int parts[4] = {0}, n_out = 0;
	for (int i = 0; i < LOOKS; i++) {
		at += peek_pause(p, FREQUENCY) * FREQUENCY;
		double moment = at - 1 - i;
		if (moment < -1e-6 || moment >= 1)
			n_out++;
		else
			parts[(int)((moment > 0 ? moment : 0) * 4)]++;
	}
	ok(n_out == 0, "each interval has one look");
	for (int i = 0; i < 4; i++)
		ok(parts[i] > LOOKS / 5 && parts[i] < LOOKS / 3, "quarter %d of the intervals has %d of %d looks", i,
		   parts[i], LOOKS);
	peek_free(p);
	return done_testing();
}
