#!/bin/sh
# Lines and instructions of code that a program makes while it runs, and writes into a dump: jit-PID.dump.
. "$(dirname "$0")/../tap.sh"

unset PERF
command -v cc >/dev/null || skip_all "no compiler"
[ "$(uname -m)" = x86_64 ] || skip_all "the code is for x86-64"
# $1 js: as V8 does it: lines count from an ELF header, and the name of the file is random bytes.
cat >jit.c <<'EOF'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
static char out[4096];
static size_t n;
static void put(uint64_t v, int bytes)
{
	memcpy(out + n, &v, (size_t)bytes);
	n += (size_t)bytes;
}
static void text(const char *s, size_t len)
{
	memcpy(out + n, s, len);
	n += len;
}
static void record(uint32_t id, uint32_t size)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	put(id, 4), put(size, 4), put((uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec, 8);
}
int main(int argc, char **argv)
{
	static const unsigned char code[] = {0xb9, 0x00, 0x00, 0x00, 0x10, /* mov $0x10000000,%ecx: line 3 */
	                                     0xff, 0xc9, /* dec %ecx: line 4 */
	                                     0x75, 0xfc, /* jne: line 4 */
	                                     0xc3};      /* ret: line 5 */
	static const int at[] = {0, 5, 9}, line[] = {3, 4, 5};
	int is_js = argc > 1 && strcmp(argv[1], "js") == 0;
	const char *name = is_js ? "JS:*spin work.js:2:14" : "spin", *file = is_js ? "\xcf\x00\x2f\x00\x00\x07" : "work.src";
	size_t file_len = is_js ? 7 : strlen(file) + 1, header = is_js ? 64 : 0;
	char path[64];
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(p, code, sizeof code);
	mprotect(p, 4096, PROT_READ | PROT_EXEC);
	put(0x4A695444, 4), put(1, 4), put(40, 4), put(62, 4), put(0, 4), put((uint64_t)getpid(), 4), put(0, 8), put(0, 8);
	record(2, (uint32_t)(32 + 3 * (16 + file_len)));
	put((uint64_t)(uintptr_t)p, 8), put(3, 8);
	for (int i = 0; i < 3; i++) {
		put((uint64_t)(uintptr_t)p + header + (uint64_t)at[i], 8), put((uint64_t)line[i], 4), put(1, 4);
		text(file, file_len);
	}
	record(0, (uint32_t)(56 + strlen(name) + 1 + sizeof code));
	put((uint64_t)getpid(), 4), put((uint64_t)getpid(), 4), put((uint64_t)(uintptr_t)p, 8), put((uint64_t)(uintptr_t)p, 8);
	put(sizeof code, 8), put(0, 8);
	text(name, strlen(name) + 1), text((const char *)code, sizeof code);
	snprintf(path, sizeof path, "jit-%d.dump", (int)getpid());
	int fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
	if (write(fd, out, n) != (ssize_t)n || mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		return 1;
	for (int i = 0; i < (argc > 1 && strcmp(argv[1], "long") == 0 ? 1000 : 3); i++)
		((void (*)(void))(uintptr_t)p)();
	return 0;
}
EOF
cc -O1 -o jit jit.c || skip_all "the program cannot be compiled"
"$FLAMETOP" sample -q -o c.data -- ./jit >/dev/null 2>&1 || skip_all "programs cannot be recorded here"

run "$FLAMETOP" -q --no-config --to=lines --function=spin c.data
like "$out" "*spin: self *work.src*%       4*" "the line of generated code"
"$FLAMETOP" sample -q -o js.data -- ./jit js >/dev/null 2>&1
run "$FLAMETOP" -q --no-config --to=lines --function='JS:*spin work.js:2:14' js.data
like "$out" "*spin work.js:2:14: self *
*line  work.js*%       4*" "as V8 writes it: the file from the function's name, and lines from an ELF header on"

if command -v objdump >/dev/null; then
	run "$FLAMETOP" -q --no-config --screen=90x20 --view=instructions --function=spin c.data
	like "$out" "*+0     mov    *0x10000000,%ecx*work.src:4*+5 *dec    %ecx*+7 *jne    +0x5*work.src:5*+9     ret*" "its instructions"
	[ "$out" = "${out#*jit.c}" ]
	tap_result $? "and nothing of another file"
else
	echo "# skipped: no objdump"
fi

# What was put in the dump's place since.
dump=$(ls jit-*.dump | head -1)
mkdir kept && mv jit-*.dump kept/
run "$FLAMETOP" -q --no-config --to=lines --function=spin c.data
exits 1 "without the dump the function has no name, and no lines"
ln -s "kept/${dump##*/}" "$dump"
run "$FLAMETOP" -q --no-config --screen=90x20 --view=instructions --function=spin c.data
like "$out" "*work.src:4*+5 *dec    %ecx*" "a link of the user's own leads to it"

# A dump of another user counts while its process runs, also in a recording that has no name.
find_another_user
if [ "$as_other" ]; then
	mkdir -m 777 theirs
	(cd theirs && exec $as_other ../jit long) &
	until_true test -e "theirs/jit-$!.dump"
	has_spin() { printf '%s\n' "$out" | grep -q ';spin[; ]'; } # not the kernel's _raw_spin_lock
	run "$FLAMETOP" record -q --no-config -p $! --duration=0.5 --to=folded
	ok "a process of another user" has_spin
	"$FLAMETOP" sample -q -p $! --duration=0.5 -o their.data >/dev/null 2>&1
	gzip -kf their.data
	run "$FLAMETOP" -q --no-config --to=folded their.data.gz
	lacks_spin() { [ "$out" ] && ! has_spin; }
	ok "but not in one that was compressed at any time" lacks_spin
	kill $!
else
	skip 2 "not root, so no process of another user"
fi
done_testing
