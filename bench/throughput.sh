# throughput.sh - whole runs of the program: time, speed, memory; compared with wc, cat, and other tools on PATH.
#
#	SIZES='5 50 250'           megabytes of the generated perf and folded inputs
#	OTHERS=100                 and of those in other formats
#	RATES='999 10000'          samples a second of the recordings of perf
#	INPUTS='a.perf b.folded'   recordings of your own, without blanks in their names: rows for these as well
#
# Programs and yardsticks run in turn on the same input, and a ratio is the median of the ratios within a turn.
# Beside flametop it runs what is on PATH of inferno (inferno-collapse-*, inferno-flamegraph, inferno-diff-folded) and
# FlameGraph (stackcollapse-perf.pl, flamegraph.pl), with their own defaults.
: "${SIZES:=5 50 250}" "${OTHERS:=100}" "${INPUTS:=}" "${RATES:=999 10000}"

# All programs of one kind of work on one input; the first one is what others are compared with.
compare() { # WORK FILE --of LABEL COMMAND... [--of ...]; $also: a second file that is read
	is_wanted "$1" || return 0
	work=$1 file=$2
	shift 2
	# shellcheck disable=SC2086 # no second file is no argument
	bytes=$(cat "$file" $also | wc -c)
	# shellcheck disable=SC2086
	"$BENCH/measure" -t "$LIMIT" "$RUNS" "$@" --of 'wc -l' wc -l "$file" $also --of cat cat "$file" $also |
	awk -F '\t' -v work="$work" -v input="$(basename "$file")" -v bytes="$bytes" -v known="$yardstick_of" '
		FILENAME == "bench/targets" { target[$1 "\t" $2] = $3; next }
		function row(label, times, goal) {
			if ($2 == "failed") {
				printf "| %s | %s | %.0f | %s | failed: %s | | | | | | | |\n", work, input, bytes / 1e6, label, $3
				return
			}
			printf "| %s | %s | %.0f | %s | %.3f | %.3f | %.0f | %.1f | %s | %.1f | %s | %.0f |\n", work, input, bytes / 1e6,
				label, $2, $3, bytes / 1e6 / $2, $(NF - 1), goal, $NF, times, $4 / 1024
		}
		/^(wc -l|cat)\t/ { if (known != input) { work = "only read"; row($1, "", "") }; next }
		{
			threads = $1 ~ /^flametop -j2$/ ? 2 : $1 ~ /^flametop -j1$/ ? 1 : 0
			row($1, $1 ~ /^flametop/ ? "" : sprintf("%.1f", $5), target[work "\t" threads])
		}' bench/targets -
	yardstick_of=$(basename "$file")
}

perf_rows() { # FILE
	compare 'perf script to folded' "$1" \
		--of 'flametop -j1' "$FLAMETOP" -j1 --to=folded "$1" \
		--of 'flametop -j2' "$FLAMETOP" -j2 --to=folded "$1" \
		--of 'inferno, 1 thread' inferno-collapse-perf -n 1 "$1" \
		--of 'inferno, 2 threads' inferno-collapse-perf -n 2 "$1" \
		--of 'stackcollapse-perf.pl' stackcollapse-perf.pl "$1"
	tree_rows 'perf script' "$1"
}

# Everything is folded, summed and searched, and one screen is drawn: after that every view is there at a key.
tree_rows() { # KIND FILE
	compare "$1 to the whole tree" "$2" \
		--of 'flametop -j1' "$FLAMETOP" -j1 --screen=200x50 "$2" \
		--of 'flametop -j2' "$FLAMETOP" -j2 --screen=200x50 "$2" \
		--of 'flametop -j1, searched' "$FLAMETOP" -j1 --screen=200x50 --search='run|emit' "$2"
}

folded_rows() { # KIND FILE
	compare "$1 to SVG" "$2" \
		--of 'flametop -j1' "$FLAMETOP" -j1 --to=svg "$2" \
		--of 'flametop -j2' "$FLAMETOP" -j2 --to=svg "$2" \
		--of 'inferno' inferno-flamegraph "$2" \
		--of 'flamegraph.pl' flamegraph.pl "$2"
	tree_rows "$1" "$2"
}

other_rows() { # KIND FILE
	compare "$1 to folded" "$2" \
		--of 'flametop -j1' "$FLAMETOP" -j1 --to=folded "$2" \
		--of 'flametop -j2' "$FLAMETOP" -j2 --to=folded "$2" \
		--of 'inferno' "inferno-collapse-$1" "$2"
}

diff_rows() { # BEFORE AFTER
	also=$1
	compare 'two folded files compared' "$2" \
		--of 'flametop -j1' "$FLAMETOP" -j1 --to=folded --diff="$1" "$2" \
		--of 'flametop -j2' "$FLAMETOP" -j2 --to=folded --diff="$1" "$2" \
		--of 'inferno' inferno-diff-folded "$1" "$2"
	also=
}

# Records by perf how FILES are compiled, once; fails without perf or without the right to record.
recording() { # CALL-GRAPH RATE FILES -> path
	made=$data/$1-$2.data
	if [ ! -s "$made" ]; then
		# shellcheck disable=SC2086 # a pattern of names without blanks
		perf record -q -o "$made.new" --call-graph "$1" -F "$2" -- sh -c '
			for f; do ${CC:-cc} -O1 -g -Isrc -D_GNU_SOURCE -c -o /dev/null "$f" || :; done' sh $3 \
			>/dev/null 2>&1 || return 1
		mv "$made.new" "$made"
	fi
	printf '%s' "$made"
}

# A recording, read by the program itself and by perf script.
recording_rows() { # WORK FILE
	compare "$1" "$2" \
		--of 'flametop' "$FLAMETOP" --to=folded "$2" \
		--of 'flametop --no-inline' "$FLAMETOP" --to=folded --no-inline "$2" \
		--of 'perf script --no-inline \| flametop' \
		sh -c 'perf script --no-inline -i "$1" 2>/dev/null | "$2" --to=folded -' sh "$2" "$FLAMETOP" \
		--of 'perf script \| flametop' sh -c 'perf script -i "$1" 2>/dev/null | "$2" --to=folded -' sh "$2" "$FLAMETOP"
}

own_rows() { # FILE
	case $1 in
	*.data) recording_rows 'perf.data' "$1" ;;
	*.folded) folded_rows folded "$1" ;;
	*.perf) perf_rows "$1" ;;
	*) other_rows any "$1" ;;
	esac
}

# Could a row of this kind be wanted? An input that nobody asks for is not made.
might_want() { # KIND
	case $WORK in "$1"*) return 0 ;; esac
	is_wanted "$1"
}

yardstick_of='' also=''

cat <<'TEXT'
### Whole runs

| work | input | MB | program | seconds | CPU s | MB/s | times wc -l | target | times cat | times flametop -j1 | peak MiB |
|---|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|
TEXT
for size in $SIZES; do
	! might_want 'perf script' || perf_rows "$(input perf "$size")"
done
for kind in folded shuffled; do
	for size in $SIZES; do
		! might_want "$kind" || folded_rows "$kind" "$(input "$kind" "$size")"
	done
done
for kind in dtrace sample vtune; do
	! might_want "$kind" || other_rows "$kind" "$(input "$kind" "$OTHERS")"
done
! might_want 'two folded files' || diff_rows "$(input folded "$OTHERS" 2)" "$(input folded "$OTHERS")"
for rate in $RATES; do
	might_want 'perf.data' && command -v perf >/dev/null || continue
	! made=$(recording fp "$rate" 'src/*/*.c') || recording_rows "perf.data, frame pointers, $rate Hz" "$made"
done
if might_want 'perf.data' && command -v perf >/dev/null; then
	! made=$(recording dwarf 999 'src/model/*.c') || recording_rows 'perf.data, DWARF, 999 Hz' "$made"
fi
for file in $INPUTS; do
	own_rows "$file"
done
echo
