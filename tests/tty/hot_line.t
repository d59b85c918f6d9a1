#!/bin/sh
# From `flametop record` to the hot line, in few keys.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"
unset PERF
cat >work.c <<'END'
static volatile unsigned long sink = 12345;
__attribute__((noinline)) static void grind(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		sink = sink * 31 / (sink % 61 + 7) % 8191 + i; /* the hot line */
		sink += i / (sink + 1); /* and one with less */
	}
}
int main(void)
{
	for (int i = 0; i < 40; i++)
		grind(2000000);
	return 0;
}
END
cc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -o work work.c 2>/dev/null || skip_all "no C compiler"
"$FLAMETOP" sample -q -o w.data -- ./work 2>/dev/null || skip_all "nothing can be recorded here"
"$FLAMETOP" -q --no-config --to=lines w.data 2>/dev/null | grep -q work.c || skip_all "built without libdw"

term_start 80 24
type_line "$FLAMETOP record --no-config -- ./work"
shows "*ended, status 0*grind*" "the recording is on the screen"
keys '*'
shows "*grind*hottest line work.c:5, self *%*" "one key: the heaviest function, and its hottest line"
keys a
shows "*grind  self*  5 *sink = sink*line 5: self *" "two keys: the source, with the cursor on that line"
keys ']'
shows "*grind  self*line [!5]: self *" "three keys: the next line by weight"
keys '[' v
shows "*instruction*%*+*" "five keys: the instructions"
leave
done_testing
