#!/bin/sh
# Small inputs whose stacks share tables, so that they could make far more frames than they have bytes: each is read up
# to the limit and no further, which is said, and takes no more memory than that.
. "$(dirname "$0")/../tap.sh"
kib=1200000 # the limit of a million frames and those for the bytes take less than half of it
[ -z "${TESTS_SANITIZED:-}" ] || kib=unlimited # they reserve terabytes

limited() { # arguments of flametop...
	# shellcheck disable=SC3045
	(ulimit -v $kib; exec "$FLAMETOP" --no-config "$@") >out 2>said </dev/null
	status=$?
	out=$(head -c 2000 out)
	err=$(head -c 2000 said)
}
# A million frames and four for each byte of the file.
frames_of() {
	echo $((1000000 + 4 * $(wc -c <"$1")))
}
is_cut() { # FILE NAME
	is "$status" 0 "$2: what was read is shown"
	says "*$1: $(wc -c <"$1" | tr -d ' ') bytes make more than $(frames_of "$1") frames: a million, and 4 for each byte*" \
		"$2: and how much was left out is said"
}
# 64 times as many.
has_long_tables() { # FILE NAME
	is "$status" 0 "$2: what was read is shown"
	says "*$1: $(wc -c <"$1" | tr -d ' ') bytes have more than $((64 * $(frames_of "$1"))) bytes of tables read again: \
64 million, and 256 for each byte*" "$2: and that this was too much is said"
}
# ---- one location with many lines ----
go() { # lines, times in a sample
	awk -v lines="$1" -v times="$2" 'BEGIN {
		print "PeriodType: cpu nanoseconds\nPeriod: 1\nSamples:\nsamples/count cpu/nanoseconds"
		print "          1          1: 2"
		printf "          1          1: "
		for (i = 0; i < times; i++)
			printf "1 "
		print "\nLocations"
		print "     2: 0x2 M=1 main a.go:1 s=0"
		print "     1: 0x1 M=1 f0 a.go:1 s=0"
		for (i = 1; i < lines; i++)
			print "             f" i " a.go:" i " s=0"
		print "Mappings\n1: 0x0/0x1000/0x0 a"
	}'
}
go 18000 100000 >long.go
limited --to=folded long.go
is_cut long.go "a stack of pprof -raw that is too long"
is "$out" "main 1" "a stack of pprof -raw that is too long: and is not there"
go 2000 500 >most.go
limited --to=folded most.go
is "$status" 0 "a million frames of pprof -raw are read"
is "$(tr ';' '\n' <out | grep -c f1999)" 500 "to the last"

heaptrack() { # inlined functions, traces
	awk -v frames="$1" -v traces="$2" 'BEGIN {
		print "v 10400 3\nX a.out\ns 4 main\ns 1 m"
		printf "i 1 2"
		for (i = 0; i < frames; i++)
			printf " 1 2 1"
		print "\ni 2 2 1 2 1\nt 2 0\na 8 1\n+ 0"
		for (i = 0; i < traces; i++)
			printf "t 1 %x\n", i + 1
		print "a 16 2\n+ 1"
	}'
}
heaptrack 20000 300 >small.heaptrack
limited --to=folded -f heaptrack small.heaptrack
is_cut small.heaptrack "heaptrack: an address with very many inlined functions, called by itself"
is "$(head -c 6 out)" "main 8" "heaptrack: the stack before is there"

# ---- a stack that very many threads share ----
firefox() { # frames, threads
	awk -v frames="$1" -v threads="$2" 'BEGIN {
		printf "{\"meta\":{\"version\":30,\"preprocessedProfileVersion\":55,\"interval\":1},\"libs\":[],"
		printf "\"shared\":{\"stringArray\":[\"f\"],\"funcTable\":{\"name\":[0],\"length\":1},"
		printf "\"frameTable\":{\"func\":[0],\"length\":1},\"stackTable\":{\"frame\":["
		for (i = 0; i < frames; i++)
			printf "%s0", i ? "," : ""
		printf "],\"prefix\":[null"
		for (i = 1; i < frames; i++)
			printf ",%d", i - 1
		printf "],\"length\":%d}},\"threads\":[", frames
		for (i = 0; i < threads; i++)
			printf "%s{\"name\":\"t\",\"pid\":\"1\",\"tid\":%d,\"samples\":{\"length\":1,\"stack\":[%d],\"time\":[%d]}}", \
				i ? "," : "", i, frames - 1, i
		print "]}"
	}'
}
firefox 40000 300 >shared.json
limited --to=top shared.json
is "$status $err" "0 " "a deep stack that very many threads share is one"
limited --tid --to=folded shared.json
is_cut shared.json "--tid"
is_short() { # NAME
	is "$status" 0 "$1: it is shown"
	says "*stacks after the first *,*,* frames are without theirs*" "$1: with fewer frames, which is said"
}
limited --split=tid --to=folded shared.json
is_short "--split=tid"
is "$(sed 's/.* //' out | awk '{ n += $1 } END { print n }')" \
	"$("$FLAMETOP" --no-config --to=folded shared.json | sed 's/.* //')" "--split=tid: nothing is missing from the sum"
limited --flamechart --to=speedscope shared.json
is_short "--flamechart"
for option in --split=tid --flamechart; do
	limited $option --screen=200x20 --keys=: shared.json
	prints "*frames are without theirs*" "$option: the screen says so, too"
done

# ---- compressed records ----
if command -v zstd >/dev/null; then
	little() { # NUMBER, two bytes
		# shellcheck disable=SC2059
		printf "\\$(printf %o $(($1 % 256)))\\$(printf %o $(($1 / 256)))"
	}
	# Records of 16,705 bytes and an unknown type, all of the letter A.
	tr '\0' A </dev/zero | head -c 400000000 | zstd -q -1 >zeros.zst
	{
		printf 'PERFILE2\020\0\0\0\0\0\0\0'
		printf '\121\0\0\0\0\0'
		little $((8 + $(wc -c <zeros.zst)))
		cat zeros.zst
	} >bomb.data
	limited --to=folded bomb.data
	is "$status" 1 "perf.data: a compressed record that holds far too much"
	says "*bomb.data*more than 256 MiB, and more than 200 times its size, come out of it*" "is read no further"
else
	skip 2 "no zstd"
fi

# ---- binary formats ----
if command -v python3 >/dev/null; then
	python3 "$source/tests/torture/shared_frames.py" pprof many.pb
	limited --to=folded many.pb
	is_cut many.pb "pprof: one location with very many functions on very many stacks"
	python3 "$source/tests/cli/listen_client.py" - 0 make_swollen 20000 many.otlp
	limited --to=folded many.otlp
	is_cut many.otlp "otlp: the same"
	python3 "$source/tests/torture/shared_frames.py" otlp long.otlp
	limited --to=folded long.otlp
	has_long_tables long.otlp "an attribute that is read again and again"
	is "$out" "main 5" "an attribute that is read again and again: the sample before is there"
	python3 "$source/tests/torture/shared_frames.py" command command.otlp
	limited --to=folded command.otlp
	is "$status $out$err" "0 main 1000000" "a long text that each sample has is no reason to stop"
	python3 "$source/tests/torture/shared_frames.py" jfr long.jfr
	limited --to=folded long.jfr
	has_long_tables long.jfr "a row of JFR that is read again and again"
	python3 "$source/tests/torture/shared_frames.py" inlined many.data
	limited --inline --to=folded many.data
	case $err in
	*"built without libdw"*) skip 3 "flametop was built without libdw" ;;
	*)
		is_cut many.data "perf.data: very many addresses with very many inlined functions"
		is "$(tr ';' '\n' <out | grep -c inlined)" $((127 * 8001)) "perf.data: the stacks before are whole"
		;;
	esac
else
	skip 13 "no python3"
fi
done_testing
