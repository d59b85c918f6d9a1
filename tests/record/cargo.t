#!/bin/sh
# cargo flametop: what cargo is asked for, by a stand-in for it and for perf; and programs that the real cargo builds.
. "$(dirname "$0")/../tap.sh"

mkdir bin
ln -s "$FLAMETOP" bin/cargo-flametop
unset CARGO CARGO_TARGET_DIR CARGO_BUILD_TARGET CARGO_ENCODED_RUSTFLAGS RUSTFLAGS
LOG=$dir/log
export LOG

# ---- stand-ins ----

cat >bin/cargo <<'END'
#!/bin/sh
# Logs its arguments, and prints metadata or the messages of a build.
echo "$*" >>"$LOG"
case $1 in
metadata) cat "$META" ;;
*)
	echo "   Compiling the stand-in" >&2
	cat "$MESSAGES"
	[ -z "${FAKE_BUSY-}" ] || { echo $$ >"$FAKE_BUSY"; exec sleep 1000; }
	[ -z "${FAKE_SIGNAL-}" ] || kill -"$FAKE_SIGNAL" $$
	exit "${FAKE_STATUS:-0}"
	;;
esac
END
cat >perf <<'END'
#!/bin/sh
# perf record runs the command, perf script prints a sample.
if [ "$1" = script ]; then
	printf 'work 10/10 1.0: 5 cycles: \n\t     1 leaf+0x1 (/bin/work)\n\t     2 main+0x1 (/bin/work)\n\n'
	exit
fi
while [ "$1" != -- ]; do
	[ "$1" != -o ] || echo text >"$2"
	shift
done
shift
"$@"
END
cat >program <<'END'
#!/bin/sh
echo "$0" "$#" "$@" >"${LOG%/*}/ran"
pwd >"${LOG%/*}/where"
exit "${1:-0}"
END
cat >bin/sudo <<'END'
#!/bin/sh
[ "$1" != -n ] || shift
exec "$@"
END
chmod +x bin/cargo bin/sudo perf program
for name in one-bin one-test two-test lib-unit bin-unit speed ex; do cp program "$name"; done

# Metadata: a target's kind and name; messages: package, kind, name, debug information, tests, executable.
target() { printf '{"kind":["%s"],"crate_types":["bin"],"name":"%s","src_path":"/x/{y}.rs"}' "$1" "$2"; }
package() { # name, default-run, targets
	printf '{"name":"%s","id":"%s 0.1.0","targets":[%s],"features":{"a":["b"]},"manifest_path":"%s/ws/%s/Cargo.toml","default_run":%s}' \
		"$1" "$1" "$3" "$dir" "$1" "$2"
}
artifact() {
	printf '{"reason":"compiler-artifact","package_id":"path+file://%s/ws/%s#0.1.0","target":{"kind":["%s"],"name":"%s"},' \
		"$dir" "$1" "$2" "$3"
	printf '"profile":{"opt_level":"3","debuginfo":%s,"test":%s},"features":[],"executable":%s,"fresh":true}\n' "$4" "$5" "$6"
}
one="$(target lib one),$(target bin one),$(target bin other),$(target example ex),$(target test it),$(target bench speed)"
mkdir -p ws/one ws/two
touch ws/Cargo.toml ws/one/Cargo.toml ws/two/Cargo.toml
write_meta() { # default-run of the first package
	printf '{"packages":[%s,%s],"version":1}\n' "$(package one "$1" "$one")" "$(package two null "$(target bin two),$(target lib two_lib)")" >"$dir/meta"
}
write_meta null
{
	echo 'a line that is no message'
	artifact one lib one 2 false null
	artifact one bin one 2 false "\"$dir/one-bin\""
	artifact one bin other '"line-tables-only"' false "\"$dir/one-bin\""
	artifact one example ex 2 false "\"$dir/ex\""
	artifact one test it 0 true "\"$dir/one-test\""
	artifact one lib one 2 true "\"$dir/lib-unit\""
	artifact one bin one 2 true "\"$dir/bin-unit\""
	artifact one bench speed null true "\"$dir/speed\""
	artifact two lib two_lib 2 true "\"$dir/lib-unit\""
	artifact two bin two 1 false "\"$dir/one-bin\""
	echo '{"reason":"build-finished","success":true}'
} >messages
META=$dir/meta MESSAGES=$dir/messages PERF=$dir/perf
export META MESSAGES PERF
old_path=$PATH
PATH=$dir/bin:$PATH

lacks_advice() { # name
	case $err in
	*"no debug information"*) tap_result 1 "$1" "$err" ;;
	*) tap_result 0 "$1" ;;
	esac
}

json=--message-format=json-render-diagnostics
asked() { # cargo's last arguments, program with the number of arguments and them, name, options...
	expected=$1 program=$2 name=$3
	shift 3
	: >"$LOG"
	rm -f "$dir/ran"
	run cargo-flametop flametop -o "$dir/out.folded" "$@"
	is "$(tail -n 1 "$LOG") | $(sed "s|^$dir/||" "$dir/ran")" "$expected $json | $program" "$name"
}
asked "build --release --bin one" "one-bin 0" "--bin builds a binary with the release profile" --bin=one
exits 0 "and records it"
is "$(stacks_of out.folded)" "work;main;leaf 5" "into the file that -o names"
is "$(wc -l <log | tr -d ' ')" 1 "cargo is asked only for the build"
says "*Compiling the stand-in*" "its progress is shown"
asked "build --release --bin one" "one-bin 0" "-b is --bin" -b one
asked "build --release --bin one" "one-bin 0" "--release is the default" --release -r --bin one
asked "build --bin one" "one-bin 0" "--dev leaves cargo its dev profile" --dev --bin one
asked "build --profile fast --bin one" "one-bin 0" "--profile names another" --profile=fast --bin one
asked "build --release --example ex" "ex 0" "--example" --example ex
asked "build --release --test it" "one-test 0" "--test" --test it
asked "bench --no-run --bench speed" "speed 0" "--bench uses the bench profile" --bench speed
asked "bench --no-run --profile fast --bench speed" "speed 0" "or another" --bench speed --profile fast
asked "build --bench speed" "speed 0" "or that of --dev" --bench speed --dev
asked "build --release --package one --bin one --target x86-y --manifest-path ws/Cargo.toml --features a,b c --all-features --no-default-features" \
	"one-bin 0" "the rest is passed on" -p one --bin one --target x86-y --manifest-path ws/Cargo.toml -f a --features='b c' \
	--all-features --no-default-features
asked "build --release --bin one --quiet" "one-bin 0" "--quiet also quiets cargo" -q --bin one
asked "build --release --bin one" "one-bin 4 0 --bin a b; c" "what follows -- goes to the program" --bin one -- 0 --bin "a b;" c
asked "build --release --bin one" "one-bin 0" "the options of cargo flamegraph work" --bin one -v --palette aqua --image-width 900 \
	--min-width 0.1 --root --no-inline --skip-after main --post-process cat --notes n --title t --subtitle s \
	-F 99 -z 9 --deterministic -i --reverse --ignore-status
exits 0 "without an error"
says "*+ sudo $dir/perf record -F 99 *--compression-level=9*" "-z takes a word of its own, --root may do without one"
run cargo-flametop flametop --bin one -F 99 -o "$dir/out.svg" -- 0 'a b'
like "$(cat "$dir/out.svg")" "*<metadata>*cargo flametop --bin=one --freq=99 *-- 0 &apos;a b&apos;</metadata>*" \
	"an SVG names the command that makes it"
asked "build --release --bin one" "one-bin 0" "--cmd" --bin one -c 'record -g' --flamechart --hash

cd ws || exit 1
asked "test --no-run --release --package one --lib" "lib-unit 0" "--unit-test of a library" --unit-test=one --unit-test-kind lib
is "$(sed -n 1p "$LOG")" "metadata --no-deps --format-version 1" "asks for the targets first"
asked "test --no-run --release --package two --lib" "lib-unit 0" "whose name may be that of its package" --unit-test=two-lib
asked "test --no-run --release --package one --bin one" "bin-unit 2 0 it" "--unit-test of a binary, its name a word of its own" \
	--unit-test one --unit-test-kind bin -- 0 it
asked "bench --no-run --package one --lib" "lib-unit 1 --bench" "--unit-bench tells the harness" --unit-bench one --unit-test-kind=lib
asked "bench --no-run --profile dev --package one --lib" "lib-unit 1 --bench" "also with --dev" --unit-bench --unit-test-kind=lib \
	--dev -p one
asked "build --release --package two --bin two" "one-bin 0" "the only binary of a package is taken" -p two
asked "build --release --package two --bin two --manifest-path two/Cargo.toml" "one-bin 0" "or of a manifest's" \
	--manifest-path two/Cargo.toml
cd two || exit 1
asked "build --release --package two --bin two" "one-bin 0" "or of that around the working directory"
is "$(cat "$dir/where")" "$dir/ws/two" "where the program runs"
cd ..
write_meta '"other"'
asked "build --release --package one --bin other" "one-bin 0" "or the package's default-run" -p one
write_meta null

: >"$LOG"
run cargo-flametop flametop -o none.folded
exits 2 "several binaries are wrong usage"
says "*bin 'one' of package 'one', bin 'other' of package 'one', bin 'two' of package 'two' (--bin, *-p choose one)*" "each is named"
one_line "in one line"
is "$(cat "$LOG")" "metadata --no-deps --format-version 1" "and nothing is built"
run cargo-flametop flametop --unit-test one
exits 2 "so is a library with the name of a binary"
says "*lib 'one' of package 'one', bin 'one' of package 'one' (--unit-test=NAME, --unit-test-kind and -p choose one)*" "with the way to choose"
run cargo-flametop flametop -p three
exits 2 "and a package that is not there"
says "*there is no bin to record here*" "with a message"
artifact two test it 2 true "\"$dir/two-test\"" >>"$MESSAGES"
run cargo-flametop flametop --test it
exits 2 "and a test that two packages have"
says "*test 'it' of package 'one', test 'it' of package 'two' (-p chooses one)*" "both are named"
run cargo-flametop flametop --bin gone
exits 1 "a build without the program is a failure"
says "*cargo has built no program for bin 'gone'*" "with a message"

wrong() { # message, name, options...
	message=$1 name=$2
	shift 2
	: >"$LOG"
	run cargo-flametop flametop "$@"
	is "$status$(cat "$LOG")" 2 "$name"
	says "$message" "with a message"
}
wrong "*--bin and --example do not go together*" "two programs are wrong usage" --bin one --example ex
wrong "*--bin is given twice*" "so is one of two names" --bin one --bin two
wrong "*unexpected 'x' (arguments for the program come after --)*" "and an argument without --" --bin one x
wrong "*unknown option '--pid'*" "and a running process" --pid=1
wrong "*--cmd and --freq do not go together*" "and --freq with --cmd" --bin one -F 99 --cmd 'record -g'
wrong "*unknown option '-a'*" "and the whole system" -a
wrong "*'dylib' is not*" "and a kind that is none" --unit-test --unit-test-kind dylib

: >"$LOG"
run cargo-flametop flametop --bin one --diff="$dir/no-such-base"
is "$status$(cat "$LOG")" 1 "a file that is not there is noticed before the build"
says "*no-such-base: cannot open*" "and named"
run env FAKE_STATUS=101 cargo-flametop flametop --bin one
exits 101 "the status of a failing build is passed on"
says "*cargo build failed with status 101: nothing is recorded*" "and said"
run env FAKE_SIGNAL=KILL cargo-flametop flametop --bin one
exits 137 "so is death by a signal"
says "*cargo build was ended by signal 9*" "which is said as well"
: >"$dir/busy"
FAKE_BUSY=$dir/busy cargo-flametop flametop --bin one 2>/dev/null &
building=$!
until [ -s "$dir/busy" ] || ! kill -0 $building 2>/dev/null; do sleep 0.02; done
kill -TERM $building
wait $building 2>/dev/null
is $? 143 "a signal that comes during the build ends flametop"
pid=$(cat "$dir/busy")
while kill -0 "$pid" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$pid/status"; do sleep 0.02; done
ok "and cargo" test -n "$pid"
run env CARGO="$dir/no-cargo" cargo-flametop flametop --bin one
exits 1 "without cargo nothing can be built"
says "*no-cargo: command not found (CARGO*" "and CARGO names another"
run env CARGO="$dir/bin/cargo" PATH="$old_path" "$dir/bin/cargo-flametop" --bin one -o "$dir/out.folded" -- 7
exits 7 "which is used, with and without the word that cargo adds; a program's own status is passed on"
run cargo-flametop flametop --bin one -o "$dir/out.folded" --ignore-status -- 7
exits 0 "--ignore-status makes it 0"

run cargo-flametop flametop --bin one -o "$dir/out.folded"
lacks_advice "a program with debug information needs no advice"
run cargo-flametop flametop --bench speed -o "$dir/out.folded"
says "*'bench' has no debug information*'\[profile.bench\] debug = true'*CARGO_PROFILE_BENCH_DEBUG=true*" "others get two ways"
run cargo-flametop flametop --bench speed --profile=my-own -o "$dir/out.folded"
says "*'\[profile.my-own\] debug = true'*CARGO_PROFILE_MY_OWN_DEBUG=true*" "for the profile in use"
run cargo-flametop flametop --bench speed -q -o "$dir/out.folded"
lacks_advice "--quiet leaves them out"
run cargo-flametop flametop --help
prints "*Usage: cargo flametop*--unit-test\[=NAME\]*--freq=HZ*" "--help lists the options"
is "$(printf '%s\n' "$out" | grep -c -e --pid -e --cgroup -e --perfdata -e '-f, --format')" 0 "but none of other targets"
run cargo-flametop flametop --version
prints "flametop *" "--version prints the version"
cd "$dir" || exit 1
cat >bin/xdg-open <<'END'
#!/bin/sh
echo "$*" >"${LOG%/*}/opened"
END
chmod +x bin/xdg-open
run cargo-flametop flametop --bin one --open
exits 0 "--open without -o"
ok "writes flamegraph.svg" test -s flamegraph.svg
is "$(cat opened)" "./flamegraph.svg" "and opens it"

# ---- the real cargo ----

PATH=$old_path
rm bin/cargo bin/sudo bin/xdg-open
unset PERF
CARGO_NET_OFFLINE=true
export CARGO_NET_OFFLINE
cargo --version >/dev/null 2>&1 || skip_rest "cargo is not installed"
PATH=$dir/bin:$PATH
rm -rf ws
mkdir -p ws/one/src/bin ws/one/examples ws/one/tests ws/one/benches ws/two/src ws/two/tests

# A loop in registers.
hot() {
	cat <<END
#[inline(never)]
fn hot_$1(n: u64) -> u64 {
    let mut x = n | 1;
    for i in 0..n {
        x = x.wrapping_mul(6364136223846793005).wrapping_add(i);
    }
    x
}
END
}
main() { hot "$1"; echo "fn main() { std::hint::black_box(hot_$1(std::hint::black_box(150_000_000))); }"; }
test_of() { # name, attribute
	echo "$2"
	hot "$1"
	echo "#[test] fn heavy() { std::hint::black_box(hot_$1(std::hint::black_box(150_000_000))); }"
}
cat >ws/Cargo.toml <<'END'
[workspace]
members = ["one", "two"]
resolver = "2"
[profile.dev]
opt-level = 1
END
cat >ws/one/Cargo.toml <<'END'
[package]
name = "one"
version = "0.1.0"
edition = "2021"
[features]
extra = []
broken = []
[[bench]]
name = "speed"
harness = false
END
cat >ws/two/Cargo.toml <<'END'
[package]
name = "two"
version = "0.1.0"
edition = "2021"
END
{
	echo '#[cfg(feature = "broken")] compile_error!("broken on purpose");'
	test_of unit '#[cfg(test)]'
} >ws/one/src/lib.rs
{
	hot plain
	hot extra
	cat <<'END'
fn main() {
    let n = std::hint::black_box(150_000_000);
    std::hint::black_box(if cfg!(feature = "extra") { hot_extra(n) } else { hot_plain(n) });
}
END
} >ws/one/src/main.rs
main other >ws/one/src/bin/other.rs
main example >ws/one/examples/ex.rs
main bench >ws/one/benches/speed.rs
test_of integration '' >ws/one/tests/it.rs
echo '#[test] fn light() {}' >ws/two/tests/it.rs
{
	hot two
	cat <<'END'
fn main() {
    let how = std::env::args().nth(1).unwrap_or_default();
    loop {
        std::hint::black_box(hot_two(std::hint::black_box(30_000_000)));
        match how.as_str() {
            "spin" => continue,
            "seven" => std::process::exit(7),
            "abort" => std::process::abort(),
            _ => return,
        }
    }
}
END
} >ws/two/src/main.rs
cd ws || exit 1
cargo build --release -q --bin two >"$dir/why" 2>&1 || skip_rest "cargo can build nothing here: $(head -1 "$dir/why")"
"$FLAMETOP" record -q -o "$dir/probe.folded" -- target/release/two 2>"$dir/why" ||
	skip_rest "nothing can be sampled here: $(head -1 "$dir/why")"

share() { # of a function, in percent
	awk -v f="hot_$1" '!/^#/ { all += $NF; if (index($0, f)) hot += $NF } END { printf "%d\n", all ? hot * 100 / all : 0 }' "$dir/out.folded"
}
records() { # function, name, options...
	function=$1 name=$2
	shift 2
	rm -f "$dir/out.folded"
	run cargo flametop -o "$dir/out.folded" "$@"
	got=$(share "$function")
	[ "$status" -eq 0 ] && [ "$got" -ge 60 ]
	tap_result $? "$name" "status $status, hot_$function has $got%:
$err"
}
records two "the only binary of a package" -p two
says "*Finished*" "cargo's progress is shown"
says "*'release' has no debug information*" "and what the profile lacks"
records plain "a binary" --bin one
records extra "with a feature" --bin one -f extra
records other "another binary" --bin other
records example "an example" --example ex
records integration "an integration test" -p one --test it
records unit "the unit tests of a library" --unit-test one --unit-test-kind lib -- heavy
records unit "with another profile" --unit-test one --unit-test-kind=lib --dev
lacks_advice "the dev profile has debug information"
records bench "a benchmark with its own main" --bench speed
export CARGO_PROFILE_BENCH_DEBUG=true
records bench "the same with debug information" --bench speed
lacks_advice "as the advice says"
unset CARGO_PROFILE_BENCH_DEBUG
cd two || exit 1
records two "the package around the working directory"
cd ..

run cargo flametop -o "$dir/none.folded"
exits 2 "several binaries are wrong usage"
says "*bin 'one' of package 'one', bin 'other' of package 'one', bin 'two' of package 'two'*" "each is named"
run cargo flametop -o "$dir/none.folded" --test it
exits 2 "so is a test that two packages have"
says "*test 'it' of package 'one', test 'it' of package 'two'*" "both are named"
run cargo flametop -o "$dir/none.folded" --bin one -f broken
exits 101 "a failing build"
says "*broken on purpose*cargo build failed with status 101*" "says why"
ok "and nothing is written" test ! -e "$dir/none.folded"
run cargo flametop -o "$dir/out.folded" -p two -- seven
exits 7 "a program's status is passed on"
ok "and its samples are written" test "$(share two)" -ge 60
run cargo flametop -o "$dir/out.folded" -p two -- abort
exits 134 "so is its end by a signal"

. "$source/tests/tty/tmux.sh"
term_start 100 24
type_line "clear; PATH=$PATH cargo flametop --no-config -p two -- spin"
shows "*hot_two*" "on a terminal the graph grows while the program runs"
keys q
shows "*: q *Esc stays*" "and q asks before it ends"
leave
until_true matches "*ready>*"
has_ended() { ! pgrep -f "$dir/ws/target/release/two spin" >/dev/null; }
ok "then nothing of it is left running" until_true has_ended

done_testing
