# answers.sh - how long the viewer takes to draw and to answer keys, and how much it writes to a terminal of 200x50.
#
#	NODES=10000000     frames of the tree in which keys are typed
#	STARTS='1 50 1000' megabytes of folded text with which it is started
#	TIMES=100          how often each key is typed
#
# flamelens is started beside it where it is on PATH, on inputs up to 50 MB.
: "${NODES:=10000000}" "${STARTS:=1 50 1000}" "${TIMES:=100}"

start_row() { # MEGABYTES FILE
	set -- "$1" "$2" "$RUNS" "start, $1 MB of folded text" --of 'flametop' "$FLAMETOP" --no-config "$2"
	[ "$1" -gt 50 ] || set -- "$@" --of flamelens flamelens "$2"
	shift 2
	"$BENCH/interact" start "$@"
}

if is_wanted start; then
	cat <<'TEXT'
### Starting the viewer

From the start of the program to what is on the terminal. Wanted: a screen of a small profile in 10 ms, the first picture of
1 GB in 100 ms.

| work | program | first byte ms | first picture ms | max | complete ms | times flametop | CPU ms | kB written | peak MiB |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|
TEXT
	for size in $STARTS; do
		start_row "$size" "$(input folded "$size")"
	done
	echo
fi

if is_wanted keys; then
	cat <<TEXT
### Keys

In a tree of $NODES frames. Wanted: every answer in 5 ms, at most 16 ms, but for filters and regrouping, which show
progress and can be cancelled; at most 256 bytes for a move of the cursor, 64 KiB for any frame, none when nothing happens.

TEXT
	"$BENCH/interact" keys "$TIMES" "$FLAMETOP" --no-config "$(input vtune "${NODES}n")"
	echo
fi
