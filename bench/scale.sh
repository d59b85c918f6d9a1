# scale.sh - the cost of a larger input, a larger tree and a larger screen: each in proportion, never the product.
#
#	SCALE='1 4 16 64 256 1024 4096'    megabytes of input; those above 1000 are deleted afterwards
#	SIZES='250 1000 4000 16000'    megabytes of input through a pipe, which take no disk: five minutes
#	TREES='10000 100000 1000000 10000000'    frames of the trees that are looked at
#	SCREENS='80x50 200x50 500x50 200x25 200x100'    terminals
: "${SCALE:=1 4 16 64 256 1024 4096}" "${SIZES:=250 1000 4000 16000}" "${TREES:=10000 100000 1000000 10000000}" "${SCREENS:=80x50 200x50 500x50 200x25 200x100}"

# One row; everything is read, folded and summed, and one screen is drawn.
scale_row() { # KIND MEGABYTES FILE
	"$BENCH/measure" -t "$LIMIT" "$RUNS" --of flametop "$FLAMETOP" -j1 --screen=200x50 "$3" --of 'wc -l' wc -l "$3" |
	awk -F '\t' -v kind="$1" -v bytes="$(wc -c <"$3")" '
		$1 == "flametop" {
			printf "| %s | %.0f | %.3f | %.3f | %.2f | %.2f | %.1f | %.0f |\n", kind, bytes / 1e6, $2, $3, $2 / bytes * 1e9,
				$3 / bytes * 1e9, $(NF), $4 / 1024
		}'
}

# One row of what bench/generate writes while flametop reads it. The generator tells the numbers of stacks and bytes.
stream_row() { # KIND MEGABYTES STACKS
	"$BENCH/stream" --of generate "$BENCH/generate" "$1" "${2}000000$3" "$from" --of flametop "$FLAMETOP" -j1 --to=folded - \
		2>"$BENCH/stacks" >"$BENCH/ends"
	awk -F '\t' -v kind="$1" '
		NR == 1 { stacks = $1; bytes = $2 }
		$1 == "generate" { made = $3 }
		$1 == "flametop" {
			printf "| %s | %.0f | %d | %.2f | %.2f | %.0f | %.1f | %.1f |\n", kind, bytes / 1e6, stacks, $3, $3 / bytes * 1e9,
				$4 / 1024, made, $2
		}' "$BENCH/stacks" "$BENCH/ends"
	rm -f "$BENCH/stacks" "$BENCH/ends"
}

frames_in() { # SVG
	grep -o '<title>' "$1" | wc -l
}

# What is coloured in one piece: a frame, the edge of one, a label of the header.
pieces_on() { # SCREEN FILE
	"$FLAMETOP" --no-config --screen="$1" --color=256 "$2" | tr -cd '\033' | wc -c
}

if is_wanted input; then
	cat <<'TEXT'
### The size of the input

To the whole tree and one screen, one thread.

| input | MB | seconds | CPU s | ns a byte | CPU ns a byte | times wc -l | peak MiB |
|---|---:|---:|---:|---:|---:|---:|---:|
TEXT
	for kind in folded shuffled perf; do
		for size in $SCALE; do
			file=$(input "$kind" "$size")
			scale_row "$kind" "$size" "$file"
			[ "$size" -le 1000 ] || rm -f "$file"
		done
	done
	echo
fi

if is_wanted stream; then
	cat <<'TEXT'
### The size of the input, through a pipe

To folded, one thread, of inputs that are made while they are read: at first 20,000 different stacks, again and again, then
10,000 more with every 100 MB. The two programs share the processors, so only the processor time is flametop's own.

| input | MB | different stacks | CPU s | CPU ns a byte | peak MiB | CPU s of the generator | seconds of both |
|---|---:|---:|---:|---:|---:|---:|---:|
TEXT
	for stacks in /20000 +10000; do
		for kind in perf folded shuffled; do
			for size in $SIZES; do
				stream_row "$kind" "$size" "$stacks"
			done
		done
	done
	echo
fi

if is_wanted screen; then
	cat <<'TEXT'
### The size of the tree, and of the screen

Processor time of the viewer for a key: everything drawn anew, the cursor moved, zoomed in.

| frames of the tree | screen | coloured pieces | anew ms | us a piece | cursor ms | zoom in ms |
|---:|---:|---:|---:|---:|---:|---:|
TEXT
	for nodes in $TREES; do
		file=$(input vtune "${nodes}n")
		for screen in $SCREENS; do
			"$BENCH/interact" -s "$screen" cost 20 "$FLAMETOP" --no-config "$file" |
			awk -F '\t' -v nodes="$nodes" -v screen="$screen" -v n="$(pieces_on "$screen" "$file")" '{
				printf "| %d | %s | %d | %.2f | %.2f | %.2f | %.2f |\n", nodes, screen, n, $1, $1 / n * 1e3, $2, $3
			}'
		done
	done
	echo
fi

if is_wanted drawn; then
	cat <<'TEXT'
### The number of frames drawn

SVG of one tree with a million frames, the smallest share lowered step by step.

| smallest share | frames drawn | seconds | CPU s | us for each | peak MiB |
|---:|---:|---:|---:|---:|---:|
TEXT
	file=$(input vtune 1000000n)
	before='' drawn_before=''
	for share in 100 1 0.1 0.01 0.001 0.0001; do
		"$FLAMETOP" -j1 --to=svg --minwidth=$share "$file" >"$BENCH/drawn.svg"
		drawn=$(frames_in "$BENCH/drawn.svg")
		result=$("$BENCH/measure" -t "$LIMIT" "$RUNS" --of flametop "$FLAMETOP" -j1 --to=svg --minwidth=$share "$file")
		cpu=$(printf '%s' "$result" | cut -f 3)
		printf '%s\n' "$result" | awk -F '\t' -v share=$share -v drawn="$drawn" -v before="$before" -v was="$drawn_before" '{
			more = drawn < 100000 ? "" : sprintf("%.2f", ($3 - before) / (drawn - was) * 1e6)
			printf "| %s %% | %d | %.3f | %.3f | %s | %.0f |\n", share, drawn, $2, $3, more, $4 / 1024
		}'
		before=${before:-$cpu} drawn_before=${drawn_before:-$drawn}
	done
	rm -f "$BENCH/drawn.svg"
	echo
fi
