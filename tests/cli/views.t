#!/bin/sh
# Options that choose the view in front, and its state: what the screen shows, and how bad values are refused
. "$(dirname "$0")/../tap.sh"

LC_ALL=C.UTF-8
export LC_ALL
cat >a.folded <<'END'
main;read;parse 10
main;read;lex 5
main;write 7
main;write;flush;flush 3
idle;read 2
END
printf 'main;read;parse 2\nmain;write 9\n' >before.folded
printf 'main;a 5\nmain;b 1\nmain;a 2\nmain;b;@7 3\nmain;@7 9\n' >chart.folded
i=0
while [ $i -lt 400 ]; do
	echo "main;narrow$i 1"
	i=$((i + 1))
done >narrow.folded

shows() { # pattern, name, options...: one line of the screen has the pattern
	pattern=$1
	name=$2
	shift 2
	run "$FLAMETOP" --no-config --color=never --screen=100x24 "$@"
	ok "$name" sh -c 'printf "%s\n" "$1" | grep -q -e "$2"' sh "$out" "$pattern"
}
refused() { # status, message, name, options...
	expected=$1
	message=$2
	name=$3
	shift 3
	run "$FLAMETOP" --no-config "$@"
	exits "$expected" "$name"
	says "*$message*" "$name: why"
}

shows 'samples  flame  ' "--view=flame" --view=flame a.folded
shows 'flame chart' "--view=chart" --view=chart a.folded
shows ' table .*rows 1-7 of 7' "--view=table" --view=table a.folded
shows 'sandwich' "--view=sandwich" --view=sandwich a.folded
shows 'no function was selected' "a sandwich without a function says what it shows" --view=sandwich a.folded
shows 'call tree, heaviest first' "--view=calls" --view=calls a.folded
shows 'have no times' "--view=heat needs times, and says so" --view=heat a.folded
shows 'call tree, heaviest' "the last --view counts" --view=heat --view=calls a.folded
refused 2 "'tree' is not one of flame, table" "an unknown view" --view=tree a.folded
for view in flame,table table,flame chart,table table,chart flame,table,heat; do
	run "$FLAMETOP" --no-config --color=never --screen=140x24 --view=$view --keys='<Esc>' a.folded
	case $view in
	flame*) names='flame + table' ;;
	table,flame) names='table + flame' ;;
	chart*) names='flame chart + table' ;;
	table,chart) names='table + flame chart' ;;
	esac
	prints "*$names *" "--view=$view shows both, first the one with the keys"
	prints "* function
*write*" "--view=$view: there is the table"
done
run "$FLAMETOP" --no-config --color=never --screen=139x24 --view=flame,table a.folded
like "$(printf '%s\n' "$out" | head -1)" "*  flame  *" "with 139 columns there is only the graph"
refused 2 "'sandwich,table' is not a view, or flame,table" "these two cannot be side by side" --view=sandwich,table a.folded
refused 2 "'flame,flame' is not a view" "nor can one view" --view=flame,flame a.folded
refused 2 "'flame,table,chart' is not a view" "nor can three" --view=flame,table,chart a.folded
run "$FLAMETOP" --no-config --to=svg --view=table,flame a.folded
is "$(printf '%s\n' "$out" | sed 's:<metadata>.*</metadata>::')" "$("$FLAMETOP" --no-config --to=svg a.folded | sed 's:<metadata>.*</metadata>::')" "a picture of both is one of the graph"
is "$err" "" "which needs no warning"
run "$FLAMETOP" --no-config --screen=160x24 --keys=Swboth.svg'<Enter>' a.folded
prints "*written to both.svg (svg, the graph alone)*" "w says that a picture has only the graph"
ok "and writes it" grep -q '<svg' both.svg
refused 2 "'tree' is not one of flame, table" "an unknown view below the map" --view=tree,heat a.folded

shows 'callees 1-3 of 3' "--function: the middle of the sandwich" --view=sandwich --function=write a.folded
shows 'callees 1-1 of 1' "--function: also one that calls nothing" --view=sandwich --function=lex a.folded
shows '^parse' "--function=/REGEX/: the heaviest one" --view=sandwich --function='/^(parse|lex)$/' a.folded
printf 'hot::main;hot::hot 10\n' >nested.folded
shows '^hot::hot' "of equal totals, the one with the samples" --view=sandwich --function='/hot/' nested.folded
shows '^read.*' "in the flame graph the cursor goes to its frame" --function=read a.folded
shows 'self      0   0.0%  total     15  55.6%' "which is the heaviest one" --function=read a.folded
shows '^>.* write$' "in the table, to its row" --view=table --function=write a.folded
shows '^  *36.5%.*- write\|- write' "in the call tree, to its row" --view=calls --function=flush a.folded
refused 1 "there is no function 'nothing'" "a function that is not there" --to=text --function=nothing a.folded
refused 2 "empty" "an empty name" --function= a.folded
refused 2 "bad pattern" "a bad pattern" '--function=/(/' a.folded
shows "no function matches /nothing/" "the viewer says that nothing matches" --function=/nothing/ a.folded
shows "there is no function 'nothing'" "or that there is no such function" --function=nothing a.folded

shows '^flush' "--cursor: a frame of the flame graph" '--cursor=main;write;flush' a.folded
shows "there is no frame 'main;nothing'" "a frame that is not there" '--cursor=main;nothing' a.folded
shows '^flush' "sandwich: a path from the function on leads to callees" --view=sandwich --function=write '--cursor=write;flush' a.folded
shows 'callers 1-1 of 1' "sandwich: a path to the function leads to callers" --view=sandwich --function=write '--cursor=main;write' a.folded
shows 'neither begins nor ends' "sandwich: any other path is refused" --view=sandwich --function=write '--cursor=main;read' a.folded
shows "there is no function 'nothing'" "sandwich: nor is one with an unknown name" --view=sandwich --function=write '--cursor=write;nothing' a.folded
for kind in svg html json text; do
	run "$FLAMETOP" --no-config --to=$kind --view=sandwich --function=write '--cursor=write;nothing' a.folded
	exits 0 "$kind, which has no cursor"
	says "*--cursor has no effect on this output: $kind*" "and says so"
done
shows '^>.* lex$' "table: the last name is the row" --view=table '--cursor=main;read;lex' a.folded
shows '^narrow7 ' "one of many narrow frames" '--cursor=main;narrow7' narrow.folded
shows '^[0-9]* frames: ' "all in its place" '--cursor=main;narrow7;@cell' narrow.folded

# Frames of one path in a flame chart are told apart by their positions.
shows '^a.*' "chart: the widest" --flamechart '--cursor=main;a' chart.folded
shows 'self      5 .*at\|self      5' "which is the first" --flamechart '--cursor=main;a' chart.folded
shows 'self      2' "chart: the one at a position" --flamechart '--cursor=main;a;@6' chart.folded
shows '^@7' "a name that looks like a position is written with an escape" --flamechart '--cursor=main;\x407' chart.folded
shows 'all > main > a' "--zoom takes positions, too" --flamechart '--zoom=main;a;@6' chart.folded
shows '2 100.0% of all\|2  *10.0% of all' "and zooms to that frame" --flamechart '--zoom=main;a;@6' chart.folded

# Positions are weights of the profile, whatever decimals it counts in; what a command names is read as the same.
printf 'a;b 1.5\na 2\na;b 3.125\na 1\na;b 0.25\n' >parts.folded
cat >parts.json <<'END'
[{"ph":"X","name":"main","ts":0,"dur":1000,"pid":1,"tid":1},{"ph":"X","name":"req","ts":300,"dur":100,"pid":1,"tid":1},
{"ph":"X","name":"req","ts":700,"dur":40,"pid":1,"tid":1}]
END
for factor in 1 0.5 0.001; do
	for at in 1=1.5 4=3.125 7.7=0.25 7.625=0.25; do
		run "$FLAMETOP" --no-config -q --to=folded --factor=$factor --flamechart "--zoom=a;b;@${at%=*}" parts.folded
		is "$(printf '%s\n' "$out" | awk '{ print $1, $2 / f }' f=$factor)" "a;b ${at#*=}" \
			"--factor=$factor: the frame that holds ${at%=*}"
	done
	run "$FLAMETOP" --no-config -q --to=svg --factor=$factor --flamechart '--zoom=a;b;@7.7' parts.folded
	prints "*--zoom=&apos;a;b;@7.625&apos;*" "--factor=$factor: a command names where it begins"
done
run "$FLAMETOP" --no-config -q --to=svg --flamechart '--cursor=main;req;@705' parts.json
prints "*--cursor=&apos;main;req;@700&apos;*" "over time, too"
run "$FLAMETOP" --no-config -q --to=top --flamechart '--zoom=main;req;@720' parts.json
prints "*40 us * req*" "in the unit of the weights"
for past in 7.875 8 40 18446744073709551615; do
	run "$FLAMETOP" --no-config --to=folded --flamechart "--zoom=a;b;@$past" parts.folded
	exits 1 "nothing is at $past"
	says "*--zoom: there is no frame 'a;b;@$past'*" "and that is said"
done
shows "no frame 'a;b;@8'" "of a cursor, too" --flamechart '--cursor=a;b;@8' parts.folded

shows 'function▼' "--table-sort=name" --view=table --table-sort=name a.folded
shows 'function▲' "--table-sort=-name" --view=table --table-sort=-name a.folded
shows 'total▼' "--table-sort=total" --view=table --table-sort=total a.folded
shows 'total was *is *change▼' "a comparison sorts by the change of the total" --view=table --table-sort=total --diff=before.folded a.folded
shows 'self was▼' "or by one of its own columns" --view=table --table-sort=self-before --diff=before.folded a.folded
shows 'self▼' "which stands for self where nothing is compared" --view=table --table-sort=self-before a.folded
shows 'frames▲' "--table-sort also counts for a table opened later" --table-sort=-frames --keys=2 a.folded
refused 2 "'size' is not one of self, total" "an unknown column" --table-sort=-size a.folded
shows 'rows 1-1 of 1' "--table-filter" --view=table --table-filter=fl.sh a.folded
refused 2 "bad pattern" "a bad filter" --table-filter='(' a.folded

shows '- main' "--expand opens a row" --view=calls '--expand=main;write' a.folded
shows 'flush' "and shows its children" --view=calls '--expand=main;write' a.folded
shows 'rows 1-7 of 7' "at first the heaviest path is open, as deep as each row keeps half of its parent" --view=calls a.folded
run "$FLAMETOP" --no-config --screen=100x24 --keys=4 a.folded
by_key=$(printf '%s\n' "$out" | sed 18q) # footers differ after a key
run "$FLAMETOP" --no-config --screen=100x24 --view=calls a.folded
is "$(printf '%s\n' "$out" | sed 18q)" "$by_key" "as the key 4 shows it"
for keys in 4 j4 kkk4; do
	run "$FLAMETOP" --no-config --screen=300x24 --keys=${keys}C a.folded
	prints "*│ flametop *--view=calls *a.folded *" "the command of C names the view: $keys"
	case $out in *--expand*) tap_result 1 "but no rows: $keys" "$out" ;; *) tap_result 0 "but no rows: $keys" ;; esac
done
shows 'rows 1-1 of 1' "an empty --expand opens none" --view=calls --expand= a.folded
shows "there is no frame 'main;nothing'" "a row that is not there" --view=calls '--expand=main;nothing' a.folded
shows 'rows 3-22 of 401' "--scroll: the table" --view=table --scroll=2 narrow.folded
shows '^>.* narrow2$' "whose cursor comes along" --view=table --scroll=2 narrow.folded
shows 'rows 3-2[0-9] of 402' "--scroll: the call tree" --view=calls --expand=main --scroll=2 narrow.folded
shows 'rows 2-5 of 5\|rows 1-5 of 5' "--scroll: no further than there are rows" --scroll=4 a.folded
shows 'Nothing is left to show' "--scroll: no table that has no rows" --view=flame,table --scroll=1 --ignore=. --screen=150x10 a.folded
refused 2 "'x' is not a number of rows" "no number of rows" --scroll=x a.folded
refused 2 "'1,x' is not a number of rows" "nor two of them" --scroll=1,x a.folded
refused 2 "is not a time in seconds" "no time" --heat-at=soon a.folded

shows 'samples  flame  ' "--no-diff shows one profile alone" --no-diff --diff=before.folded a.folded
run "$FLAMETOP" --to=folded --no-diff --diff=before.folded a.folded
is "$out" "$("$FLAMETOP" --to=folded a.folded)" "so do files"
refused 2 "--no-diff and --fail-above do not go together" "a gate needs a comparison" --no-diff --fail-above=1 --diff=before.folded a.folded
run "$FLAMETOP" --to=folded --no-diff a.folded
says "*--no-diff has no effect without two profiles*" "--no-diff without two profiles is named"

# Keys take over from there, and other views are as usual.
shows ' table .*rows 1-7 of 7' "a key leaves the view" --view=calls --keys=2 a.folded
shows 'all > main > write' "Enter zooms into the frame under the cursor" '--cursor=main;write' --keys='<Enter>' a.folded
shows '^write' "the sandwich of the frame under the cursor" '--cursor=main;write' --keys=3 a.folded

# Completions know the words.
run "$FLAMETOP" --completions=bash
prints "*flame table sandwich calls lines chart heat instructions*" "the views are completed"
prints "*self total frames self-before*" "and the columns"

# A function whose callers and callees are all narrower than asked for, and what is said of them.
printf 'm;a;b 10\nm;a;c 5\nm;d;a;b;a;e 7\nm;f 3\nq;b;a 2\n' >narrow.folded
run "$FLAMETOP" --minwidth=30 --view=sandwich --function=e -o narrow.svg narrow.folded
is "$err" "" "a sandwich of narrow frames: no warning"
run cat narrow.svg
prints "*<title>e (7 samples, 25.9*%)</title>*" "the function is drawn"
run "$FLAMETOP" --minwidth=30 --view=sandwich --function=b -o narrow.svg narrow.folded
run cat narrow.svg
prints "*narrower than 30% are left out*" "the rest is left out by the share that was asked for"
run "$FLAMETOP" --view=chart --sort=name -o chart.svg narrow.folded
exits 2 "--view=chart has no order but that of the input"
says "*--view=chart and --sort do not go together*" "and says so"

# A search in a sandwich selects a frame that matches, not another one that is drawn in the same cell.
awk 'BEGIN { print "main;f;big 100000"; for (i = 10; i < 50; i++) print "main;f;t" i ";u 2\nmain;f;needle" i " 1" }' >narrow.folded
run "$FLAMETOP" --view=sandwich --function=f --screen=60x10 --sort=name "--keys=/needle47<Enter>" narrow.folded
prints '*needle47
*/needle47/ callers 0.0%, callees 0.0% of all*' "a match among frames too narrow to draw"
run "$FLAMETOP" --view=sandwich --function=f --screen=60x10 --sort=name "--keys=/needle<Enter>" narrow.folded
prints '*needle[0-9][0-9]
*/needle/ callers 0.0%, callees 0.0% of all*' "one of several"

printf 'x 1/1 [0] %s:\n\t1 a (/x)\n\n' '1.0: 1 cycles' '2.0: 5 faults' '3.0: 1 cycles' >events.perf
run "$FLAMETOP" --screen=120x12 --split=event --keys='ej<Enter>C' events.perf
prints "*--event=*" "C names the event that was picked among those of --split=event"

done_testing
