#!/bin/sh
# The program is hardened against exploits: the file shows the linker's options.
. "$(dirname "$0")/../tap.sh"

[ -n "${TESTS_HARDENED:-}" ] || skip_all "built with other flags"
command -v readelf >/dev/null || skip_all "readelf is not installed"
readelf -h "$FLAMETOP" >/dev/null 2>&1 || skip_all "not an ELF file"

readelf -hW "$FLAMETOP" >header
readelf -lW "$FLAMETOP" >segments
readelf -dW "$FLAMETOP" >dynamic
readelf -W --dyn-syms "$FLAMETOP" >symbols

ok "it can be loaded anywhere" grep -q 'Type: *DYN' header
ok "and says that it is a program" grep -q 'FLAGS_1.*PIE' dynamic
ok "the loader's relocations are read-only afterwards" grep -q GNU_RELRO segments
ok "all functions are bound at the start" grep -q BIND_NOW dynamic
is "$(grep GNU_STACK segments | grep -c 'RWE')" 0 "the stack cannot be executed"
is "$(grep LOAD segments | grep -c 'RWE')" 0 "nothing can be written and executed"
ok "stacks have canaries" grep -q __stack_chk_fail symbols
ok "copies are checked where their size is known" grep -q '__memcpy_chk\|__snprintf_chk' symbols
is "$(grep -c 'TEXTREL\|RPATH\|RUNPATH' dynamic)" 0 "libraries come from where the system has them"

done_testing
