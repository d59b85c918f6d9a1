# flametop - everything that is made goes to build/; `make help` says what there is to make.
#
#	make                 the program: build/flametop, and a link to it here
#	make check           all tests
#	make CC=clang V=1    another compiler, every command shown
#	make install PREFIX=/usr DESTDIR=/somewhere
#
# Sources are found, not listed: a new file below src/ or tests/unit/ needs no change here.

# `make docs` writes both into the manual and the files of packages.
VERSION = 1.0.0-rc1
DATE = 2026-11-26

BUILD = build
PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
DATADIR = $(PREFIX)/share
MANDIR = $(DATADIR)/man
# Of the library; distributions have other places for libraries of several architectures.
LIBDIR = $(PREFIX)/lib
INCLUDEDIR = $(PREFIX)/include
DOCDIR = $(DATADIR)/doc/flametop
EXAMPLESDIR = $(DOCDIR)/examples
# Of completions. macOS's Homebrew and the BSDs have other places.
BASHDIR = $(DATADIR)/bash-completion/completions
ZSHDIR = $(DATADIR)/zsh/site-functions
FISHDIR = $(DATADIR)/fish/vendor_completions.d
PWSHDIR = $(DATADIR)/pwsh/completions
ELVISHDIR = $(DATADIR)/elvish/lib
PKG_CONFIG = pkg-config
INSTALL = install
STRIP = strip
PROVE = prove
TIME = 60
COUNT = 200
SEED = 1
JOBS := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# Programs of tests often wait for a terminal or a recording.
TEST_JOBS := $(shell expr $(JOBS) + \( $(JOBS) + 1 \) / 2)

LIBRARIES = ncursesw libpcre2-8 libxxhash zlib libzstd liblzma expat
# elfutils, for inlined functions of perf.data: made use of where it is there; HAVE_LIBDW= builds without it.
# STATIC=1 links everything into the program; `make static` does, and makes it small.
STATIC =
HAVE_LIBDW := $(shell $(PKG_CONFIG) --exists libdw libelf 2>/dev/null && echo 1)

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 \
	-Wundef -Wpointer-arith -Wwrite-strings
HARDENING = -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
ifeq ($(shell uname -s),Linux)
HARDENING_LD = -Wl,-z,relro,-z,now
endif
CFLAGS = -O2 -g $(HARDENING)
LDFLAGS = $(HARDENING_LD)

# What the sources rely on, whatever CFLAGS say; HARDENING, and all else above, is for those who give no CFLAGS. Colours are
# computed in single precision and have to come out the same everywhere, hence no fused multiply-add. Where the sources lie
# makes no difference to the program. SANITIZE=address,undefined and the like build with sanitizers. The program and the
# shared library are linked from the same objects: position independent, and with hidden names, which costs the program nothing.
SANITIZE =
POSIX =
REQUIRED = -std=c11 -D_GNU_SOURCE -DFLAMETOP_VERSION='"$(VERSION)"' -DFLAMETOP_DATE='"$(DATE)"' -Isrc -Iinclude -I$(BUILD)/gen \
	-pthread $(if $(STATIC),-fPIE,-fPIC $(if $(filter %.so,$(ARCHIVE)),,-fvisibility=hidden)) -ffp-contract=off \
	$(if $(findstring coverage,$(CFLAGS)),,'-ffile-prefix-map=$(CURDIR)=.') \
	$(if $(POSIX),-DFLAMETOP_POSIX) $(if $(STATIC),-DFLAMETOP_STATIC) \
	$(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
COMPILE = $(CC) $(REQUIRED) $(WARNINGS) $(LIBRARY_CFLAGS) $(CPPFLAGS) $(CFLAGS)
PIE = $(if $(STATIC),-static-pie,-pie)
LINK = $(CC) $(REQUIRED) $(CFLAGS) $(PIE) $(LDFLAGS)

# Only goals that compile need the libraries.
GOALS_WITHOUT_LIBRARIES = help clean distclean dist format release-check uninstall
ifneq ($(filter-out $(GOALS_WITHOUT_LIBRARIES),$(or $(MAKECMDGOALS),all)),)
MISSING := $(shell for l in $(LIBRARIES); do $(PKG_CONFIG) --exists $$l 2>/dev/null || echo $$l; done)
ifneq ($(MISSING),)
$(error pkg-config does not find: $(MISSING). `scripts/setup` installs what the build needs)
endif
USED_LIBRARIES = $(LIBRARIES) $(if $(HAVE_LIBDW),libdw libelf)
LIBRARY_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(USED_LIBRARIES)) $(if $(HAVE_LIBDW),-DHAVE_LIBDW=1)
LIBS := $(shell $(PKG_CONFIG) $(if $(STATIC),--static) --libs $(USED_LIBRARIES)) -liberty -lm $(if $(filter Linux,$(shell uname -s)),-ldl)
endif

ifeq ($(V),1)
Q =
say = @:
else
Q = @
say = @printf '  %-5s %s\n'
endif

SOURCES := $(wildcard src/*.c src/*/*.c src/*/*/*.c)
# Only Linux lets programs take samples. POSIX=1 builds there what other systems get.
SAMPLER := $(wildcard src/record/sampler/*.c)
ifeq ($(shell uname -s)$(POSIX),Linux)
SOURCES := $(filter-out %/elsewhere.c,$(SOURCES))
else
SOURCES := $(filter-out $(filter-out %/elsewhere.c,$(SAMPLER)),$(SOURCES))
endif
OBJECTS := $(SOURCES:src/%.c=$(BUILD)/%.o)
# Everything but main() goes into an archive, so that a test program links what it uses. A library that test programs load, and
# need not be made anew for, is the other way: BUILD=$PWD/dir ARCHIVE=$PWD/dir/libflametop.so CFLAGS=-fPIC.
ARCHIVE = $(BUILD)/libflametop.a
LINKED = $(if $(filter %.so,$(ARCHIVE)),|) $(ARCHIVE)
ARCHIVED := $(filter-out $(BUILD)/main.o $(BUILD)/lib/alone/%,$(OBJECTS))
# Scripts and styles that go into the program as bytes: src/export/viewer.js becomes gen/viewer_js.h.
EMBEDDED := $(foreach f,$(wildcard src/*/*.js src/*/*.css),$(BUILD)/gen/$(subst .,_,$(notdir $(f))).h)

UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(filter-out \
	$(if $(filter %/elsewhere.c,$(SOURCES)),tests/unit/sampler_%),$(wildcard tests/unit/*.t.c)))
# Helpers for shell tests (fake profilers, terminal drivers): tests/tools/NAME.c becomes build/tests/tools/NAME.
TEST_TOOLS := $(patsubst tests/tools/%.c,$(BUILD)/tests/tools/%,$(wildcard tests/tools/*.c))
# The same for those that torture the program; the shim is loaded before it and makes calls fail.
TORTURE_TOOLS := $(patsubst tests/torture/%.c,$(BUILD)/tests/torture/%,$(filter-out %/shim.c,$(wildcard tests/torture/*.c)))
ifeq ($(shell uname -s),Linux)
TORTURE_TOOLS += $(BUILD)/tests/torture/shim.so
endif
SHELL_TESTS := $(wildcard tests/*/*.t)
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzzers/%,$(wildcard tests/fuzz/*.c))
PROGRAM = $(BUILD)/flametop
# Under this name the program is the command `cargo flametop`.
CARGO_LINK = $(BUILD)/cargo-flametop

.PHONY: all lib static portable check check-unit check-corpus torture asan tsan thread-tests plain lint format format-check coverage bench bench-scale bench-self bench-slowdown fuzz \
	fuzzers mutation screenshots docs install uninstall dist release-check clean distclean help tests-built FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: $(PROGRAM) $(CARGO_LINK) flametop ## the program (default)

flametop: $(PROGRAM)
	$(Q)if [ -w . ]; then ln -sf $(PROGRAM) $@; else echo 'flametop is $(PROGRAM): nothing can be written here'; fi

$(CARGO_LINK):
	$(Q)mkdir -p $(@D)
	$(Q)ln -sf flametop $@

# With link-time optimization objects are given as they are, so that ar need not know of it.
$(PROGRAM): $(BUILD)/main.o $(if $(STATIC),$(ARCHIVED) $(BUILD)/source-list,$(ARCHIVE))
	$(say) LINK $@
	$(Q)$(LINK) -o $@ $(filter-out %/source-list,$^) $(LIBS)

# Small rather than fast, but for the files in which time goes. Without elfutils, which would be half a megabyte more: STATIC_LIBDW=1.
STATIC_LIBDW =
SMALL := $(shell $(CC) -Oz -fsyntax-only -x c /dev/null 2>/dev/null && echo -Oz || echo -Os)
FAST = base/arena base/buf base/hash collapse/formats/folded collapse/perf/perf collapse/perf/perf_event \
	collapse/perf/perf_frames collapse/perf/perf_recent model/arrange model/fold model/profile model/symtab model/trie
CAN_LTO = echo 'int main(void) { return 0; }' | $(CC) -flto=auto -x c -o /dev/null - 2>/dev/null
STATIC_LTO = $(shell $(CAN_LTO) && echo -flto=auto)
STATIC_CFLAGS = $(SMALL) $(STATIC_LTO) -ffunction-sections -fdata-sections $(HARDENING)
STATIC_LDFLAGS = $(HARDENING_LD) -Wl,--gc-sections -Wl,-z,pack-relative-relocs -Wl,--no-eh-frame-hdr -Wl,-T,scripts/static.ld

static: ## build/flametop-static: one file that needs no library and no terminal description (static libraries)
	$(Q)+$(MAKE) BUILD=$(BUILD)/static STATIC=1 HAVE_LIBDW=$(STATIC_LIBDW) CFLAGS='$(STATIC_CFLAGS)' LDFLAGS='$(STATIC_LDFLAGS)' $(BUILD)/static/flametop
	$(Q)$(STRIP) -o $(BUILD)/flametop-static $(BUILD)/static/flametop
	@printf '%s: %s bytes\n' $(BUILD)/flametop-static "$$(wc -c <$(BUILD)/flametop-static)"

$(BUILD)/libflametop.a: $(ARCHIVED)
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $(ARCHIVED)

$(BUILD)/libflametop.so: $(ARCHIVED)
	$(Q)$(CC) $(REQUIRED) $(CFLAGS) -shared $(LDFLAGS) -o $@ $(ARCHIVED) $(LIBS)

# ---- the library ------------------------------------------------------------------------------------------------

# libflametop is linked from the objects of the program: those of src/lib, those of src/lib/alone in the place of some, and
# what these need. They become one object, in which calls of malloc() and the like lead to src/lib/alone/wrap.c, and of
# which only the names in flametop.map stay visible. Linkers of macOS cannot do that.
ABI = 1
LIBRARY_VERSION = $(ABI).0.0
LIBRARY_DIR = $(BUILD)/library
LIBRARY_OBJECT = $(LIBRARY_DIR)/flametop.o
ifeq ($(shell uname -s),Darwin)
LIBRARY =
else
LIBRARY = $(LIBRARY_DIR)/libflametop.so.$(LIBRARY_VERSION) $(LIBRARY_DIR)/libflametop.a $(LIBRARY_DIR)/flametop.pc
endif
LIBRARY_PARTS = $(filter-out $(BUILD)/lib/guard.o,$(filter $(BUILD)/lib/%,$(OBJECTS)))
LIBRARY_NEEDS = $(filter-out ncursesw libxxhash,$(USED_LIBRARIES))
WRAPPED = src/lib/alone/wrapped.ld
OBJCOPY = objcopy

lib: $(LIBRARY) ## libflametop: shared, static, and flametop.pc, in build/library

$(LIBRARY_OBJECT): $(LIBRARY_PARTS) $(BUILD)/libflametop.a $(WRAPPED)
	$(say) LINK $@
	@mkdir -p $(@D)
	$(Q)$(CC) -fno-lto -r -nostdlib -Wl,@$(WRAPPED) -o $@ $(LIBRARY_PARTS) $(BUILD)/libflametop.a -liberty

$(LIBRARY_DIR)/libflametop.so.$(LIBRARY_VERSION): $(LIBRARY_OBJECT) src/lib/flametop.map
	$(say) LINK $@
	$(Q)$(CC) $(REQUIRED) $(CFLAGS) -shared -Wl,-soname,libflametop.so.$(ABI) -Wl,--version-script=src/lib/flametop.map \
		-Wl,--as-needed $(if $(SANITIZE),,-Wl,-z,defs) $(LDFLAGS) -o $@ $(LIBRARY_OBJECT) $(filter-out -liberty,$(LIBS))
	$(Q)ln -sf $(@F) $(@D)/libflametop.so.$(ABI)
	$(Q)ln -sf $(@F) $(@D)/libflametop.so

$(LIBRARY_DIR)/libflametop.a: $(LIBRARY_OBJECT)
	$(Q)$(OBJCOPY) --wildcard --keep-global-symbol='flametop_*' $< $(@D)/libflametop.o
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $(@D)/libflametop.o

# tests/lib/*.t.c use the library as its callers do, and tests/lib/*.c are programs for the shell tests there. memory.t.c is
# linked so that the library's calls of malloc() lead to the test.
LIBRARY_TESTS := $(patsubst %.c,$(BUILD)/%,$(if $(LIBRARY),$(wildcard tests/lib/*.t.c)))
LIBRARY_TOOLS := $(patsubst %.c,$(BUILD)/%,$(if $(LIBRARY),$(filter-out %.t.c,$(wildcard tests/lib/*.c))))
COMPILE_CALLER = $(COMPILE) -I. -MMD -MP -MF $@.d -o $@ $<

$(BUILD)/tests/lib/memory.t: tests/lib/memory.t.c $(LIBRARY_DIR)/libflametop.a
	$(say) TEST $<
	@mkdir -p $(@D)
	$(Q)$(COMPILE_CALLER) $(LIBRARY_DIR)/libflametop.a $(LDFLAGS) $(PIE) \
		$(foreach f,malloc calloc realloc free,-Wl,--wrap=$f) $(filter-out -liberty,$(LIBS))

$(BUILD)/tests/lib/%: tests/lib/%.c $(LIBRARY)
	$(say) TEST $<
	@mkdir -p $(@D)
	$(Q)$(COMPILE_CALLER) $(LDFLAGS) $(PIE) -L$(LIBRARY_DIR) -lflametop -Wl,-rpath,'$(abspath $(LIBRARY_DIR))'

# The directories may be others each time.
$(LIBRARY_DIR)/flametop.pc: src/lib/flametop.pc.in FORCE
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
		-e 's|@VERSION@|$(VERSION)|' -e 's|@NEEDS@|$(LIBRARY_NEEDS)|' -e 's|@DL@|$(filter -ldl,$(LIBS))|' $< >$@

# A change of compiler or flags, or a file that went away, must not leave stale objects behind.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@[ ! -f $(BUILD)/sources ] || rm $(BUILD)/sources # the list of earlier versions, where a directory goes now
	@printf '%s\n' '$(subst ','\'',$(COMPILE) $(LINK)$(if $(STATIC), -O2 $(FAST)))' | cmp -s - $@ || \
		printf '%s\n' '$(subst ','\'',$(COMPILE) $(LINK)$(if $(STATIC), -O2 $(FAST)))' >$@

$(BUILD)/source-list: FORCE
	@mkdir -p $(@D)
	@echo '$(SOURCES)' | cmp -s - $@ || echo '$(SOURCES)' >$@
$(BUILD)/libflametop.a $(BUILD)/libflametop.so: $(BUILD)/source-list

$(OBJECTS): $(BUILD)/%.o: src/%.c $(BUILD)/flags | $(EMBEDDED)
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(if $(STATIC),$(if $(filter $(FAST),$*),-O2)) -MMD -MP -c -o $@ $<

$(BUILD)/gen/%_js.h: src/export/%.js scripts/embed
	$(say) EMBED $<
	@mkdir -p $(@D)
	$(Q)scripts/embed $< >$@

$(BUILD)/gen/%_css.h: src/export/%.css scripts/embed
	$(say) EMBED $<
	@mkdir -p $(@D)
	$(Q)scripts/embed $< >$@

$(BUILD)/tests/%.t: tests/unit/%.t.c $(BUILD)/flags $(LINKED)
	$(say) TEST $<
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -I. -Itests -MMD -MP -MF $@.d -o $@ $< $(LDFLAGS) $(PIE) $(ARCHIVE) $(LIBS)

$(BUILD)/tests/tools/%: tests/tools/%.c $(ARCHIVE) $(BUILD)/flags
	$(say) TOOL $<
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -I. -Itests -MMD -MP -MF $@.d -o $@ $< $(LDFLAGS) $(PIE) $(ARCHIVE) $(LIBS) -lutil

$(BUILD)/tests/torture/%: tests/torture/%.c $(ARCHIVE) $(BUILD)/flags
	$(say) TOOL $<
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -I. -Itests -MMD -MP -MF $@.d -o $@ $< $(LDFLAGS) $(PIE) $(ARCHIVE) $(LIBS) -lutil

# Never with sanitizers: they would have to come first.
$(BUILD)/tests/torture/shim.so: tests/torture/shim.c
	$(say) TOOL $<
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(WARNINGS) -O2 -g -fPIC -shared -o $@ $< -ldl

-include $(OBJECTS:.o=.d) $(UNIT_TESTS:=.d) $(LIBRARY_TESTS:=.d) $(LIBRARY_TOOLS:=.d) $(TEST_TOOLS:=.d) $(TORTURE_TOOLS:=.d) $(FUZZERS:=.d)

# ---- tests --------------------------------------------------------------------------------------

# slowdown counts as the sampler does.
BENCH_SOURCES := $(filter-out $(if $(filter %/elsewhere.c,$(SOURCES)),bench/slowdown.c),$(wildcard bench/*.c))
BENCHES = $(patsubst bench/%.c,$(BUILD)/bench/%,$(BENCH_SOURCES))

tests-built: $(PROGRAM) $(CARGO_LINK) $(UNIT_TESTS) $(LIBRARY_TESTS) $(LIBRARY_TOOLS) $(TEST_TOOLS) $(TORTURE_TOOLS) $(BENCHES)

# Whatever the user's shell has set must not change a result; TEST_LOCALE='LC_ALL=de_DE.UTF-8' tries another locale.
TEST_LOCALE = LANG=C.UTF-8
TEST_ENVIRONMENT = env -u NO_COLOR -u COLORTERM -u LC_ALL -u LC_CTYPE -u LC_NUMERIC -u LC_TIME -u LC_COLLATE -u LC_MESSAGES \
	-u LANGUAGE -u COLUMNS -u LINES -u VISUAL -u EDITOR -u PERF -u DEBUGINFOD_URLS -u CDPATH -u POSIXLY_CORRECT -u TMUX -u STY \
	$(TEST_LOCALE) TZ=UTC \
	XDG_CONFIG_HOME='$(abspath $(BUILD))/no-config' FLAMETOP='$(abspath $(PROGRAM))' \
	FLAMETOP_BUILD='$(abspath $(BUILD))' TESTS_SANITIZED='$(SANITIZE)' \
	TESTS_HARDENED='$(findstring _FORTIFY_SOURCE,$(CFLAGS))'
TESTS = $(UNIT_TESTS) $(LIBRARY_TESTS) $(SHELL_TESTS)

# Whoever waits for ever is ended, and named by prove.
TEST_LIMIT = $(if $(shell command -v timeout),timeout --foreground 1200)

# AGAIN=1 is for machines that other work disturbs: programs that fail are run once more, one by one; what fails twice fails.
PROVE_ALL = $(TEST_ENVIRONMENT) $(PROVE) $(PROVEFLAGS) -e '$(TEST_LIMIT)' --statefile=$(BUILD)/prove.state
AFTER_FAILURE = $(if $(AGAIN),|| { echo '== Failed programs once more and alone:'; $(PROVE_ALL) -v --state=failed; })

check: tests-built ## all tests; TESTS='build/tests/a.t tests/cli/b.t' runs some
	$(Q)rm -f $(BUILD)/prove.state
	$(Q)$(PROVE_ALL) --state=save -j$(TEST_JOBS) $(TESTS) $(AFTER_FAILURE)
ifeq ($(BUILD) $(origin TESTS),build file)
	$(Q)+if $(CAN_SANITIZE); then $(WITH_ASAN) check-corpus; else echo 'the corpus once more under sanitizers: this compiler has none'; fi
endif

torture: $(PROGRAM) $(TORTURE_TOOLS) ## failing calls, signals, hostile names, bombs: every one of them, a quarter of an hour
	$(Q)TORTURE=all $(TEST_ENVIRONMENT) $(PROVE) $(PROVEFLAGS) -v -e '' $(wildcard tests/torture/*.t)

check-unit: $(UNIT_TESTS) ## only the unit tests
	$(Q)$(TEST_ENVIRONMENT) $(PROVE) -j$(JOBS) $(PROVEFLAGS) -e '' $(UNIT_TESTS)

CAN_SANITIZE = echo 'int main(void) { return 0; }' | $(CC) -fsanitize=address,undefined -x c -o $(BUILD)/can-sanitize - 2>/dev/null
# Locals without a value get the same strange one everywhere, if the compiler can: what reads them fails on every machine.
FILL_LOCALS = $(shell $(CC) -ftrivial-auto-var-init=pattern -fsyntax-only -x c /dev/null 2>/dev/null && echo -ftrivial-auto-var-init=pattern)
# UBSan's checks trap, and ASan prints the line: without the tables of their messages a program starts in half the time.
TRAP = $(shell f=-fsanitize-undefined-trap-on-error; $(CC) $$f -fsanitize=undefined -fsyntax-only -x c /dev/null 2>/dev/null && echo $$f)
# What a sanitizer finds ends the program with a status that no test takes for one of the program's own.
WITH_ASAN = ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:handle_sigill=1:handle_sigtrap=1:exitcode=199 \
	UBSAN_OPTIONS=print_stacktrace=1:exitcode=199 \
	$(MAKE) BUILD=build/asan SANITIZE=address,undefined CFLAGS='-O1 -g1 $(FILL_LOCALS) $(TRAP)'

# What fuzzing has found; `make check` lets it through every fuzzer once plainly and once under sanitizers.
CORPUS_TESTS = $(filter $(BUILD)/tests/fuzz_%,$(UNIT_TESTS))
check-corpus: $(CORPUS_TESTS)
	$(Q)$(TEST_ENVIRONMENT) $(PROVE) -j$(JOBS) $(PROVEFLAGS) -e '' $(CORPUS_TESTS)

asan: ## all tests under AddressSanitizer and UBSan
	$(Q)+$(WITH_ASAN) check

tsan: ## all tests under ThreadSanitizer
	$(Q)TSAN_OPTIONS=halt_on_error=1:exitcode=199 $(MAKE) BUILD=build/tsan SANITIZE=thread CFLAGS='-O1 -g1' check

# Those in which threads work together, but for the longest.
thread-tests:
	@echo $(patsubst %,build/tsan/tests/%.t,collapse_load collapse_order collapse_pieces fuzz_load model_fold model_retain model_table \
		model_view record_relay tui_live tui_viewer) $(patsubst %,build/tsan/tests/lib/%.t,memory threads) tests/tty/live.t tests/golden/commands.t tests/record/live.t

plain: ## all tests with scanning in plain C, as on machines whose vectors are not made use of
	$(Q)$(MAKE) BUILD=build/plain CPPFLAGS=-DFLAMETOP_PLAIN check

# Without what is slow there (random keys, perf text), and without what valgrind does otherwise than the processor: PCRE2's
# compiled code reads past the end of a name on purpose, posix_spawn() of a program that is not there, long double.
VALGRIND_EXCEPT = collapse_inline collapse_perf collapse_perf_data export_svg export_text fuzz_% model_fold model_match \
	model_table model_view options record_perf tui_random tui_viewer
VALGRIND_TESTS = $(filter-out $(VALGRIND_EXCEPT:%=$(BUILD)/tests/%.t),$(UNIT_TESTS))
portable: $(EMBEDDED) ## compiles for musl as a system that is not Linux (musl-gcc); POSIX=1 BUILD=build/posix builds it to run here
	$(Q)JOBS=$(JOBS) GEN=$(BUILD)/gen scripts/portable

valgrind: $(VALGRIND_TESTS) ## unit tests under valgrind, those that it can run
	$(Q)$(TEST_ENVIRONMENT) TESTS_SANITIZED=valgrind $(PROVE) -j$(JOBS) $(PROVEFLAGS) \
		-e 'valgrind -q --child-silent-after-fork=yes --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite' $(VALGRIND_TESTS)

coverage: ## lines covered by the tests, by file
	-$(Q)$(MAKE) BUILD=build/coverage CFLAGS='-O0 -g --coverage' check
	$(Q)scripts/coverage build/coverage

$(BUILD)/fuzzers/%: tests/fuzz/%.c $(ARCHIVE) $(BUILD)/flags
	$(say) FUZZ $<
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -I. -Itests -fsanitize=fuzzer -MMD -MP -MF $@.d -o $@ $< $(LDFLAGS) $(PIE) $(ARCHIVE) $(LIBS)

fuzzers: $(FUZZERS)

# NULL + 0 is what an empty buffer gives; clang alone complains of it, and the next C standard allows it.
FUZZ_BUILD = BUILD=build/fuzz CC=clang SANITIZE=fuzzer-no-link,address,undefined
ifeq ($(ENGINE),afl)
FUZZ_BUILD = BUILD=build/afl CC=afl-clang-fast SANITIZE=address,undefined
endif
fuzz: ## fuzzers for TIME=60 seconds each, JOBS at a time (clang); ENGINE=afl: by AFL++; ONLY='keys collapse-perf': these
	$(Q)AFL_QUIET=1 $(MAKE) $(FUZZ_BUILD) CFLAGS='-O1 -g -fno-sanitize=pointer-overflow' fuzzers
	$(Q)ENGINE=$(or $(ENGINE),libfuzzer) JOBS=$(JOBS) scripts/fuzz $(patsubst BUILD=%,%,$(filter BUILD=%,$(FUZZ_BUILD))) \
		$(TIME) $(ONLY)

$(BUILD)/mutation/%: tests/mutation/%.c $(ARCHIVE) $(BUILD)/flags
	$(say) TOOL $<
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -o $@ $< $(LDFLAGS) $(PIE) $(ARCHIVE) $(LIBS)

mutation: $(BUILD)/mutation/mutate ## small mistakes in the parsers, COUNT=200 of them: does a test notice? FILES=..., SEED=1, AGAIN=1
	$(Q)MUTATE='$(abspath $(BUILD))/mutation/mutate' tests/mutation/run $(COUNT) $(SEED) $(FILES)

$(BUILD)/bench/%: bench/%.c $(wildcard bench/*.h) $(ARCHIVE) $(BUILD)/flags
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -o $@ $< $(LDFLAGS) $(PIE) $(ARCHIVE) $(LIBS) -lutil

RUN_BENCH = FLAMETOP='$(abspath $(PROGRAM))' BENCH='$(abspath $(BUILD))/bench' bench/run

bench: $(PROGRAM) $(BENCHES) ## speed and memory on generated profiles, beside what else is on PATH
	$(Q)$(RUN_BENCH) throughput answers

# Functions that are called once stay functions, so that the picture has their names.
SELF_CFLAGS = -O2 -g -fno-omit-frame-pointer -fno-inline-functions-called-once -fno-optimize-sibling-calls

bench-self: $(PROGRAM) $(BUILD)/bench/generate ## a flame graph of flametop on itself, into screenshots/self.svg (perf)
	$(Q)$(MAKE) BUILD=$(BUILD)/self CFLAGS='$(SELF_CFLAGS)' $(BUILD)/self/flametop
	$(Q)FLAMETOP='$(abspath $(PROGRAM))' FLAMETOP_SELF='$(abspath $(BUILD))/self/flametop' \
		BENCH='$(abspath $(BUILD))/bench' bench/self

bench-scale: $(PROGRAM) $(BENCHES) ## what a larger input, tree or screen costs; half an hour and 15 GB of disk
	$(Q)$(RUN_BENCH) scale

bench-slowdown: $(PROGRAM) $(BENCHES) ## what recording costs a Python, Perl, PHP, Ruby or Lua program; needs root and an idle machine
	$(Q)$(RUN_BENCH) slowdown

# ---- care ---------------------------------------------------------------------------------------

lint: $(EMBEDDED) ## static analysis, floors, headers, manual, scripts
	$(Q)COMPILE='$(subst ','\'',$(COMPILE))' JOBS=$(JOBS) scripts/lint

FORMATTED = $(wildcard include/*.h examples/lib/*.c src/*.[ch] src/*/*.[ch] src/*/*/*.[ch] tests/*.h tests/*/*.[ch] bench/*.[ch])
format: ## clang-format (14, as `make lint` checks) over all C
	$(Q)clang-format -i $(FORMATTED)

format-check:
	$(Q)clang-format --dry-run -Werror $(FORMATTED)

docs: $(PROGRAM) ## the manual, the completions, the CODE-MAP and the version of packages, out of tables and sources
	$(Q)scripts/versions
	$(Q)$(PROGRAM) --manual >$(BUILD)/made && cp $(BUILD)/made man/flametop.1
	$(Q)$(PROGRAM) --completions=bash >$(BUILD)/made && cp $(BUILD)/made completions/flametop.bash
	$(Q)$(PROGRAM) --completions=zsh >$(BUILD)/made && cp $(BUILD)/made completions/_flametop
	$(Q)$(PROGRAM) --completions=fish >$(BUILD)/made && cp $(BUILD)/made completions/flametop.fish
	$(Q)$(PROGRAM) --completions=powershell >$(BUILD)/made && cp $(BUILD)/made completions/_flametop.ps1
	$(Q)$(PROGRAM) --completions=elvish >$(BUILD)/made && cp $(BUILD)/made completions/flametop.elv
	$(Q)scripts/library-manual $(VERSION) $(DATE) >$(BUILD)/made && cp $(BUILD)/made man/libflametop.3
	$(Q)scripts/code-map >$(BUILD)/made && cp $(BUILD)/made CODE-MAP

screenshots: $(PROGRAM) ## the pictures of the README, from the program; that of a recording by scripts/screenshot-record
	$(Q)FLAMETOP='$(abspath $(PROGRAM))' scripts/screenshots
	$(Q)FLAMETOP='$(abspath $(PROGRAM))' scripts/screenshot-svg || echo 'screenshots/svg.png stays as it is'

# ---- install ------------------------------------------------------------------------------------

# What is installed where, beside the program: FILE|VARIABLE|PLACE, the place being below the directory that the variable
# names. The list serves install and uninstall. The desktop entry, the kinds of files and the icon are for file managers, the
# metadata for software centres.
DESKTOP = applications/flametop.desktop mime/packages/flametop.xml icons/hicolor/scalable/apps/flametop.svg \
	metainfo/flametop.metainfo.xml
INSTALLED = man/flametop.1|MANDIR|man1/flametop.1 man/cargo-flametop.1|MANDIR|man1/cargo-flametop.1 \
	completions/flametop.bash|BASHDIR|flametop completions/_flametop|ZSHDIR|_flametop \
	completions/flametop.fish|FISHDIR|flametop.fish completions/_flametop.ps1|PWSHDIR|_flametop.ps1 \
	completions/flametop.elv|ELVISHDIR|flametop.elv \
	$(foreach f,$(DESKTOP),share/$f|DATADIR|$f) \
	$(foreach f,README.md CHANGELOG.md LICENSE $(wildcard docs/*.*),$f|DOCDIR|$f) \
	$(foreach f,$(filter-out examples/lib,$(wildcard examples/* examples/lib/*)),$f|EXAMPLESDIR|$(f:examples/%=%)) \
	$(if $(LIBRARY),include/flametop.h|INCLUDEDIR|flametop.h man/libflametop.3|MANDIR|man3/libflametop.3 \
		$(LIBRARY_DIR)/libflametop.so.$(LIBRARY_VERSION)|LIBDIR|libflametop.so.$(LIBRARY_VERSION) \
		$(LIBRARY_DIR)/libflametop.a|LIBDIR|libflametop.a $(LIBRARY_DIR)/flametop.pc|LIBDIR|pkgconfig/flametop.pc)
LIBRARY_LINKS = $(if $(LIBRARY),libflametop.so.$(ABI) libflametop.so)
field = $(word $1,$(subst |, ,$2))
place = '$(DESTDIR)$($(call field,2,$1))/$(call field,3,$1)'
# Programs among the examples stay programs.
mode = $(if $(filter examples/record|%,$1),755,644)

# Desktops keep indexes of these files. Below DESTDIR, a package manager makes them anew.
define TELL_DESKTOP
	$(if $(DESTDIR),,@for index in 'update-mime-database $(DATADIR)/mime' 'update-desktop-database $(DATADIR)/applications'; do \
		! command -v $${index%% *} >/dev/null || "$${index%% *}" "$${index#* }" 2>/dev/null || :; done)
endef

install: $(PROGRAM) $(LIBRARY) ## to PREFIX=/usr/local, below DESTDIR=; ZSHDIR= and the like: see the Makefile
	@$(foreach f,$(INSTALLED),$(INSTALL) -d "$$(dirname $(call place,$f))" &&) $(INSTALL) -d '$(DESTDIR)$(BINDIR)'
	$(INSTALL) -m 755 $(PROGRAM) '$(DESTDIR)$(BINDIR)/flametop'
	ln -sf flametop '$(DESTDIR)$(BINDIR)/cargo-flametop'
	@$(foreach f,$(INSTALLED),$(INSTALL) -m $(call mode,$f) $(call field,1,$f) $(call place,$f) &&) :
	@$(foreach f,$(LIBRARY_LINKS),ln -sf libflametop.so.$(LIBRARY_VERSION) '$(DESTDIR)$(LIBDIR)/$f' &&) :
	$(TELL_DESKTOP)

# Of directories only those that nobody else can have put there.
uninstall: ## what install put there
	rm -f '$(DESTDIR)$(BINDIR)/flametop' '$(DESTDIR)$(BINDIR)/cargo-flametop'
	@$(foreach f,$(INSTALLED),rm -f $(call place,$f) &&) :
	@$(foreach f,$(LIBRARY_LINKS),rm -f '$(DESTDIR)$(LIBDIR)/$f' &&) :
	@for d in '$(DESTDIR)$(EXAMPLESDIR)/lib' '$(DESTDIR)$(EXAMPLESDIR)' '$(DESTDIR)$(DOCDIR)/docs' '$(DESTDIR)$(DOCDIR)'; do \
		[ ! -d "$$d" ] || rmdir "$$d" 2>/dev/null || echo "$$d stays: it has files that are not ours"; done
	$(TELL_DESKTOP)

# The same commit gives the same bytes: git archive takes times from the commit, gzip -n leaves its own out. In a tree that
# was unpacked inside another repository, git would archive that.
dist: ## flametop-VERSION.tar.gz of the last commit
	@[ -z "$$(git rev-parse --show-cdup 2>/dev/null || echo none)" ] || { \
		echo 'dist: this is no git repository of flametop: only from one can an archive be made' >&2; exit 1; }
	$(Q)mkdir -p $(BUILD)
	$(Q)git archive --format=tar --prefix=flametop-$(VERSION)/ -o $(BUILD)/dist.tar HEAD
	$(Q)gzip -9n <$(BUILD)/dist.tar >$(BUILD)/flametop-$(VERSION).tar.gz
	$(Q)rm $(BUILD)/dist.tar
	@echo $(BUILD)/flametop-$(VERSION).tar.gz

release-check: ## builds and tries everything that a release has, and prints a table; ONLY='dist static', CHROOTS=where they are kept
	$(Q)JOBS=$(JOBS) scripts/release-check $(ONLY)

clean: ## removes build/
	rm -rf $(BUILD) flametop

distclean: clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
