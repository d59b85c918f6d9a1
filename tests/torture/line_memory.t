#!/bin/sh
# Lines and binary events of formats that keep what they say, very many of them. Those that repeat others, or are
# skipped, take no memory; others take as many bytes for each byte of input as the table below says. json_memory.t has
# the same for JSON.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/torture/memory.sh"

# The lines as often as it takes. Both are formats of printf; # becomes a number, the byte \377 of mojo a zero.
write() { # BEFORE LINES
	# shellcheck disable=SC2059
	printf "$1"
	case $2 in
	*'#'*) awk -v lines="$2" -v bytes=$((mega * 1000000)) 'BEGIN {
		n = split(lines, part, "#")
		for (i = 1000000; bytes > 0; i++) {
			text = part[1]
			for (k = 2; k <= n; k++)
				text = text i part[k]
			print text
			bytes -= length(text) + 1
		}
	}' ;;
	*)
		# shellcheck disable=SC2059
		text=$(printf "$2")
		case $1 in
		MOJ*) yes "$text" | LC_ALL=C tr -d '\n' | LC_ALL=C tr '\377' '\000' ;;
		*) yes "$text" ;;
		esac | head -c $((mega * 1000000))
		;;
	esac
}

while IFS='~' read -r format most option before lines; do
	before=$(printf %s "$before" | sed "s/EVENTS/events: $(awk 'BEGIN { for (i = 0; i < 64; i++) printf "e%d ", i }')/")
	write "$before" "$lines" >input
	kind=folded
	[ -z "$option" ] || kind=lines
	name="$format${option:+, $option}: many times '$lines'"
	[ -z "${BOMBS_LOG:-}" ] || printf '%s: ' "$name" >>"$BOMBS_LOG"
	# shellcheck disable=SC2086
	"$bombs" within 60 $((overhead + most * mega * 1000000 / 1048576)) "$FLAMETOP" --no-config -q -j1 -f "$format" $option --to=$kind input \
		>said 2>errors </dev/null
	status=$?
	[ $status -gt 1 ] || status=0 # some have no samples
	err=$(head -c 2000 errors)
	exits 0 "$name"
done <<'END_OF_SHAPES'
heaptrack~0~~v 10400 3\n~s 1 a
heaptrack~0~~v 10400 3\n~s ffffffffff x
heaptrack~0~~v 10400 3\ns 1 a\n~i 1 0 1 1 1 1
heaptrack~0~~v 10400 3\ns 1 a\ni 1 0 1\n~t 1 0
heaptrack~0~~v 10400 3\ns 1 a\ni 1 0 1\nt 1 0\n~a 8 1
heaptrack~0~~v 10400 3\ns 1 a\ni 1 0 1\nt 1 0\na 8 1\n~+ 0\n- 0
heaptrack~6~~v 10400 3\ns 1 a\ns 1 b\n~s 1 a\ns 1 b
heaptrack~6~~v 10400 3\ns 1 a\n~i 1\ni 1 0 1
heaptrack~6~~v 10400 3\ns 1 a\n~i 1 1\ni 1 0
heaptrack~6~~v 10400 3\ns 1 a\n~i 1 0 1 1 1\ni 1 0 1 1 2
heaptrack~6~~v 10400 3\ns 1 a\ni 1 0 1\n~t 0 0\nt 1 0
heaptrack~6~~v 10400 3\n~a 0 0\na 1 0
heaptrack~6~~v 10400 3\n~a # 0\n+ 5f
heaptrack~6~~v 10400 3\n~a 0 0\na 0 0\na 1 0\na 1 0
heap-profile~0~~heap profile: 1: 1 [1: 1] @ heapprofile\n~ 1: 1 [1: 1] @ 0x1
heap-profile~0~~heap profile: 1: 1 [1: 1] @ heapprofile\n~ 0: 0 [0: 0] @ 0x1
heap-profile~0~~heap_v2/1\n  t*: 1: 1 [0: 0]\n~@ 0x1\n  t*: 1: 1 [0: 0]
heap-profile~0~~heap_v2/1\n  t*: 1: 1 [0: 0]\n~@
heap-profile~0~~heap profile: 1: 1 [1: 1] @ heapprofile\n 1: 1 [1: 1] @ 0x1\nMAPPED_LIBRARIES:\n~1000-2000 r-xp 0 00:00 1 /a
mojo~0~~MOJ\003~\003\005\001\001\001\001\001\001
mojo~0~~MOJ\003~\013\005a\377
mojo~6~~MOJ\003\002\001\001t\000~\004
mojo~6~~MOJ\003\002\001\001t\000\003\005\001\001\001\001\001\001~\005\005
mojo~6~--view=lines~MOJ\003\002\001\001t\000\003\005\001\001\001\001\001\001~\005\005
callgrind~0~~EVENTS\nfn=a\n~+1 1
callgrind~0~--view=lines~EVENTS\nfn=a\n~+1 many
callgrind~0~--view=lines~EVENTS\nfn=a\n~+1 0
callgrind~0~~EVENTS\nfn=a\n~cfn=b\ncalls=1 1\n1 many
callgrind~20~--view=lines~EVENTS\nfn=a\n~+1 1
callgrind~30~~EVENTS\n~fn=#\n1 1
callgrind~20~~EVENTS\nfn=a\n~cfn=#\ncalls=1 1\n1 1
go~0~~Samples:\ncpu/ns a/b\n~1 1: 1
go~0~~Samples:\ncpu/ns\n~1: 1
go~0~~Samples:\ncpu/ns\n~many: 1
go~9~~Samples:\ncpu/ns\n~1: 1\n1: 2
papyrus~0~~Stack_1 log opened (PC)\n~1:START:1
papyrus~9~~Stack_1 log opened (PC)\n~1:PUSH:1:1::a
papyrus~9~~Stack_1 log opened (PC)\n~1:POP:1:1::a
xdebug~22~~TRACE START [a]\n~1\t1\t0\t0\t0\ta
xdebug~0~~TRACE START [a]\n~1\t1\t1\t0\t0
xdebug~0~~TRACE START [a]\n~1\t1\t0\t0\t0\ta\n1\t1\t1\t1\t0
END_OF_SHAPES

done_testing
