# slowdown.sh - what recording the functions of a language costs a program; run by bench/run.
#
#	RATES='99 999'   samples a second
#	RUNS=9           rounds
#
# Languages that are not installed are left out. Needs an idle machine, and root.
: "${RATES:=99 999}"

loop_row() { # LABEL PROGRAM ARGS...
	command -v "$2" >/dev/null || return 0
	for rate in $RATES; do
		(
			cd "$data"
			label=$1
			shift
			"$BENCH/slowdown" -F "$rate" -n "$RUNS" "$FLAMETOP" "$label" "$@"
		)
	done
}

loops=$PWD/bench/loops
printf '### What recording costs a program\n\n'
printf '| language | Hz | companion | times as long, at a tenth | at a quarter | median | own %% of a processor |\n|---|---:|---|---:|---:|---:|---:|\n'
loop_row Python python3 "$loops/loop.py" 12
loop_row Perl perl "$loops/loop.pl" 20
loop_row PHP php "$loops/loop.php" 80
loop_row Ruby ruby "$loops/loop.rb" 40
loop_row Lua lua5.4 "$loops/loop.lua" 40
loop_row LuaJIT luajit -joff "$loops/loop.lua" 100
