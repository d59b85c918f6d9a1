/*
 * The program of aarch64.data: built without a library, so that it is small.
 *
 *	aarch64-linux-gnu-gcc -O1 -g -nostdlib -static -fomit-frame-pointer -Wl,--build-id -o work work.c
 *
 * The recording has one sample in leaf_function, with registers and a copy of the stack as qemu-aarch64 and gdb
 * showed them there.
 */
static volatile unsigned long x;

__attribute__((noinline)) void leaf_function(int n)
{
	for (int i = 0; i < n; i++)
		x += (unsigned long)i;
}

__attribute__((noinline)) int middle_function(int n)
{
	volatile char room[100];
	room[3] = (char)n;
	leaf_function(n + room[3]);
	return room[3];
}

static inline __attribute__((always_inline)) int inlined_function(int n)
{
	return middle_function(n) + 3;
}

__attribute__((noinline)) int upper_function(int n)
{
	return inlined_function(n * 2) + 1;
}

void _start(void)
{
	x += (unsigned long)upper_function(5);
	for (;;)
		;
}
