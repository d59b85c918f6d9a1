#!/bin/sh
# --to=json: members, sums, a budget, and the views that it shows.
. "$(dirname "$0")/../tap.sh"

json() { # arguments
	run "$FLAMETOP" -q --no-config --to=json "$@"
}
check() { # NAME [--part]: the output of `json` is as the schema says
	what=$1
	shift
	if command -v python3 >/dev/null; then
		is "$(printf '%s\n' "$out" | python3 "$source/tests/cli/json_check.py" "$source/docs/json.schema.json" "$@" 2>&1)" good "$what"
	else
		skip 1 "no python3 to check the JSON"
	fi
}

printf 'main;parse;read 20\nmain;parse 5\nmain;eval;eval;read 4\nidle 1\n' >a.folded
json a.folded
exits 0 "a file is written"
is "$(printf '%s\n' "$out" | sed 's/"flametop [^"]*"/"V"/')" '{"flametop":1,"generator":"V",
"profile":{"files":[{"name":"a.folded"}],"format":"folded","unit":"samples","entries":4},
"view":{"rows":"function","merged_from":"root"},
"total":30,
"notes":[],
"functions":[
{"name":"read","self":24,"self_pct":80.00,"total":24,"total_pct":80.00,"callers":[{"name":"parse","weight":20},{"name":"eval","weight":4}],"callees":[]},
{"name":"parse","self":5,"self_pct":16.67,"total":25,"total_pct":83.33,"callers":[{"name":"main","weight":25}],"callees":[{"name":"read","weight":20}]},
{"name":"idle","self":1,"self_pct":3.33,"total":1,"total_pct":3.33,"callers":[],"callees":[]},
{"name":"main","self":0,"self_pct":0.00,"total":29,"total_pct":96.67,"callers":[],"callees":[{"name":"parse","weight":25},{"name":"eval","weight":4}]},
{"name":"eval","self":0,"self_pct":0.00,"total":4,"total_pct":13.33,"callers":[{"name":"main","weight":4}],"callees":[{"name":"eval","weight":4}]}],
"paths":[
{"weight":20,"pct":66.67,"frames":["main","parse","read"]},
{"weight":5,"pct":16.67,"frames":["main","parse"]},
{"weight":4,"pct":13.33,"frames":["main","eval","eval","read"]},
{"weight":1,"pct":3.33,"frames":["idle"]}],
"omitted":{"functions":0,"self":0,"paths":0,"weight":0}}' "all of it: recursion counts once, callers and callees are those of the sandwich"
check "as the schema says"

# Long names.
name=$(printf '%0100000d' 0)
printf '%s;%s 1\n' "$name" "$name" >long.folded
json long.folded
exits 0 "a name of 100,000 bytes"
is "$(printf %s "$out" | grep -o '"0*[^"]* and 34464 more bytes"' | sort -u | wc -c | tr -d ' ')" $((2 + 65536 + 3 + 21 + 1)) \
	"is cut wherever it stands, which is said"
is "$(printf %s "$out" | grep -c 0000 | tr -d ' ')" 2 "in functions and paths"

# A filter of the table leaves out functions, which are counted, and says so.
json --view=table --table-filter='^(read|idle)$' a.folded
like "$out" '*"view":{"rows":"function","merged_from":"root","filter":"^(read|idle)$"},*' "the filter of the table is named"
like "$out" '*"notes":\["2 of 5 functions match /^(read|idle)$/"\],*' "as in the other outputs"
like "$out" '*"name":"read"*"name":"idle"*"omitted":{"functions":3,"self":5,"paths":0,"weight":0}}' \
	"the functions that do not pass are omitted"
check "and the sums add up"
json --view=table --table-filter=zzz a.folded
like "$out" '*"notes":\["0 of 5 functions match /zzz/"\],
"functions":\[\],*"omitted":{"functions":5,"self":30,"paths":0,"weight":0}}' "also if none passes"
json --top=1 --view=table --table-filter='^(read|idle)$' a.folded
like "$out" '*"omitted":{"functions":4,"self":6,*' "and with --top"
json --view=sandwich --function=read --table-filter=zzz a.folded
ok "other views have no such filter" sh -c '! grep -q zzz .out'
printf 'main;parse;read 10\nmain;parse 15\nmain;new 5\n' >old.folded
json --diff=old.folded --view=table --table-filter='^(read|idle)$' a.folded
like "$out" '*"notes":\["2 of 6 functions match /^(read|idle)$/"\],*"omitted":{"functions":4,"self":5,*' "nor does a comparison lose them"
check "and the sums add up there"

# One function, all callers; what is left out.
json --view=sandwich --function=read a.folded
like "$out" '*"functions":\[
{"name":"read","self":24*"callees":\[\]}\],
"paths":\[
{"weight":20,*"read"\]},
{"weight":4,*"read"\]}\],*' "a sandwich: one function, and the stacks through it"
is "$err" "" "and --function has its effect"
check "as the schema says" --part
i=0
while [ $i -lt 9 ]; do
	echo "main;c$i;leaf $((i + 1))"
	i=$((i + 1))
done >many.folded
json --function=leaf many.folded
like "$out" '*"name":"c4","weight":5},{"left_out":4,"weight":10}\]*' "callers beyond five are counted"
json --top=2 many.folded
like "$out" '*"omitted":{"functions":*,"self":0,"paths":7,"weight":28}}' "so are stacks beyond --top"
check "and sums add up"
json --view=sandwich --function=leaf many.folded
like "$out" '*"name":"c0","weight":1}\]*' "all of them in a sandwich"
printf 'a;b 10\nb 20\nc 70\n' >part.folded
json --view=sandwich --function=b part.folded
like "$out" '*"notes":\["70.0% is in no stack of the sandwich"\]*' "and what is in none of its stacks"
json --ignore=c8 many.folded
like "$out" '*"total":36,"excluded":9,*"notes":\["20.0% excluded*' "what a filter takes out, as a number and in words"
json --search=c1 a.folded many.folded
like "$out" '*"search":"c1","matched":2,"matched_pct":2.67*"name":"c1","is_match":true*' "a search: its share, and which functions match"

# Names.
printf 'a\\"b\001\302\240\377;<\342\200\250> 1\n' >names.folded
json names.folded
check "any bytes in a name"
json --zoom='c1;leaf' a.folded
exits 1 "no such zoom"
json --zoom=main a.folded
like "$out" '*"zoom":"main","of_all":30*"total":29*"name":"main","self":0,*"total_pct":100.00*' "a zoom: shares are of it"
check "and add up to it"

# A budget.
json --top=1000 --budget=1k "$source/examples/build.perf.zst"
exits 0 "a budget"
[ "${#out}" -lt 1000 ]
tap_result $? "is kept: ${#out} bytes"
check "what is left is complete, and sums add up"
json --budget=300t --top=1000 "$source/examples/build.perf.zst"
[ "${#out}" -le 900 ] && [ "${#out}" -gt 600 ]
tap_result $? "so is one in tokens, and it is used: ${#out} bytes"
json --budget=12k --top=1000 "$source/examples/build.perf.zst"
like "$out" '*"callees":*' "with room for some functions they have their callers and callees"
json --budget=10 a.folded
exits 1 "one that is too small"
says "*--budget: even without any function the output takes * bytes*" "is told"
json --budget=10x a.folded
exits 2 "and a bad one"
says "*a size in bytes, kilobytes (20k) or tokens (5000t)*" "with what is expected"
run "$FLAMETOP" --no-config --to=top --budget=20k a.folded
says "*--budget has no effect on this output: top*" "other outputs have no budget"

# Comparisons.
printf 'main;parse;read 40\nmain;"new 15\nmain;eval 4\n' >b.folded
json --diff=a.folded b.folded
like "$out" '*"comparison":{"of":"shares","unit_of_change":"percentage points","widths":"after","total_before":30,"total_after":59*
{"name":"\\"new","self":{"before":0,"before_pct":0.00,"after":15,"after_pct":25.42,"change":25.42,"error":*,"is_noise":false}*' \
	"a comparison: before, after, change, error"
check "as the schema says"
json --diff=a.folded --widths=before b.folded
check "with the widths of the baseline"
json --diff=a.folded --absolute b.folded
like "$out" '*"of":"weights","unit_of_change":"samples"*"name":"parse","self":{"before":5,"after":0,"change":-5,*' "of weights"
check "as the schema says"

# Everything that makes another view.
deep=$(awk 'BEGIN { for (i = 0; i < 100; i++) printf "f%d;", i }')
printf '%sleaf 3\n%sleaf;leaf 1\n' "$deep" "$deep" >deep.folded
json deep.folded
like "$out" '*"f20",{"left_out":37},"f58",*' "a deep stack keeps both ends"
check "as the schema says"
json --reverse deep.folded
like "$out" '*"merged_from":"leaves"*"frames":\["f0","f1"*"leaf"\]*' "merged from the leaves, stacks still begin at the root"
check "and add up"
example=$source/examples/build.perf.zst
for option in --flamechart '--flamechart --axis=samples' '--flamechart --zoom-time=1,2' --reverse --callers=malloc --group=module \
	--split=comm --sort=input --merge-recursion '--view=table --table-sort=total' --time=1,2 --factor=0.5 --ascii; do
	# shellcheck disable=SC2086 # several options
	json $option "$example"
	check "$option: sums add up"
done
json --view=calls a.folded
exits 2 "a call tree is no JSON"
run "$FLAMETOP" -q --no-config -o out.json a.folded
ok "the suffix means it" grep -q '"flametop":1' out.json

# Callers and callees are the same in the list of functions as in the sandwich.
edges() { printf '%s\n' "$out" | sed -n 's/^{"name":"_int_malloc".*"callers":\(.*\)}\]*,*$/\1/p' | sed 's/"left_out".*//; s/^\(.\{200\}\).*/\1/'; }
json "$example"
listed=$(edges)
ok "they are listed" [ "${#listed}" -gt 100 ]
json --view=sandwich --function=_int_malloc "$example"
is "$(edges)" "$listed" "as in the sandwich"
json --view=sandwich --function=_int_malloc --reverse "$example"
is "$(edges)" "$listed" "also of a tree that is merged from the leaves"

# Lines.
cat >lines.json <<'END'
{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[
{"name":"main","file":"app.py","line":6},{"name":"main","file":"app.py","line":7},{"name":"work","file":"app.py","line":2}]},
"profiles":[{"type":"sampled","name":"t","unit":"seconds","startValue":0,"endValue":10,"samples":[[0,2],[1,2],[1]],"weights":[1,2,7]}]}
END
json --hot-lines lines.json
like "$out" '*"name":"main",*"lines":\[{"file":"app.py","line":7,"self":7000000000,"self_pct":70.00,"total":9000000000,"total_pct":90.00}*' "the hottest lines of a function"
check "as the schema says"
json --view=lines --function=work lines.json
like "$out" '*"functions":\[
{"name":"work",*"lines":\[{"file":"app.py","line":2,*' "all lines of one"
check "as the schema says" --part
json --hot-lines a.folded
exits 1 "lines of a profile that has none"
says "*the profile tells functions only*" "are refused with the reason"

# Weights beyond the range of a double, and changes of nothing.
printf 'm;a 18446744073709551615\nm;b 5\n' >h1.folded
printf 'm;a 5\nm;b 18446744073709551610\n' >h2.folded
run "$FLAMETOP" -q --diff=h1.folded --absolute --to=json h2.folded
like "$out" '*"name":"b"*"before":5,"after":18446744073709551610,"change":18446744073709551605,*' "changes are exact up to 2^64 - 1"
run "$FLAMETOP" -q --diff=h1.folded --absolute --to=json h1.folded
is "$(echo "$out" | grep -c '"change":-')" 0 "no change has no sign"
# A sandwich and lines are of all stacks, whatever the zoom.
printf 'main;a;b 10\nmain;d;malloc 40\nother;b 50\n' >zoomed.folded
run "$FLAMETOP" -q '--zoom=main;d' --view=sandwich --function=b '--search=^b$' --to=json zoomed.folded
like "$out" '*"search":"^b$","matched_callers":60,"matched_callers_pct":60.00,"matched_callees":60,"matched_callees_pct":60.00*' "the matches in a sandwich are those of all stacks, whatever the zoom is"
run "$FLAMETOP" --no-config '--zoom=main;d' --view=sandwich --function=b '--search=^b$' --screen=120x14 zoomed.folded
like "$out" '*/^b$/ callers 60.0%, callees 60.0% of all*' "on the screen, too"
# A match elsewhere is no part of the sandwich: every output has the same shares.
printf 'main;a;b 10\nmain;c;b 30\nmain;c;d 20\nx;a 40\n' >sandwich.folded
sandwich() { "$FLAMETOP" --no-config -q --view=sandwich --function=b '--search=^a$' "$@" sandwich.folded; }
words='callers 10.0%, callees 0.0% of all'
like "$(sandwich --screen=120x12)" "*/^a\$/ $words*" "a match outside the sandwich does not count on the screen"
like "$(sandwich --screen=120x12 --reverse)" "*/^a\$/ $words*" "nor in a tree that is merged from the leaves"
like "$(sandwich --to=text)" "*matched: $words*" "nor in text"
like "$(sandwich --to=svg)" "*Matched: $words*" "nor in an SVG"
like "$(sandwich --to=json)" '*"matched_callers":10,"matched_callers_pct":10.00,"matched_callees":0,"matched_callees_pct":0.00*' "nor in JSON"
run "$FLAMETOP" -q --to=json "$source/tests/data/collapse/jstack/dump.in"
is "$(echo "$out" | grep -o 'do not run and are left out' | wc -l | tr -d ' ')" 1 "idle samples are told once"

# Lines of a view merged from the leaves are one file, whoever writes it.
"$FLAMETOP" -q --no-config --screen=100x20 --view=lines --function=work --reverse '--keys=wkey.json<Enter>' lines.json >.out
run "$FLAMETOP" --no-config --view=lines --function=work --reverse -o file.json lines.json
is "$err" "" "--reverse acts on JSON of lines"
ok "w and -o write the same" cmp -s key.json file.json
ok "from the leaves" grep -q '"merged_from":"leaves"' file.json

# A flame chart merged from the leaves has the stacks and callers that the graph has.
printf 'a;b 1\nb 34\nb;c 2\nb 3\n' >gaps.folded
rows_of() { # options
	"$FLAMETOP" -q --no-config "$@" gaps.folded 2>&1 | grep '"paths"' -A9 | grep weight
}
wanted='{"weight":37,"pct":92.50,"frames":["b"]},
{"weight":2,"pct":5.00,"frames":["b","c"]},
{"weight":1,"pct":2.50,"frames":["a","b"]}],
"omitted":{"functions":0,"self":0,"paths":0,"weight":0}}'
for how in "" --flamechart --reverse "--reverse --flamechart"; do
	# shellcheck disable=SC2086 # several words
	is "$(rows_of $how --to=json)" "$wanted" "stacks with $how"
	# shellcheck disable=SC2086
	run "$FLAMETOP" -q --no-config $how --view=sandwich --function=b --to=json gaps.folded
	is "$(echo "$out" | grep -cF '"callers":[{"name":"a","weight":1}],"callees":[{"name":"c","weight":2}]')" 1 "callers with $how"
	# shellcheck disable=SC2086
	run "$FLAMETOP" -q --no-config $how --view=sandwich --function=b --to=svg gaps.folded
	is "$(echo "$out" | grep -c '<title>[ (]')" 0 "no frame without a name with $how"
done
# The order of siblings, which JSON does not have, decides nothing: equal weights come by name.
printf 'r;z;y 5\nr;m 5\nr;z 5\nr;a-b 5\nr;a;c 5\nr;z;b 5\nr;a 5\nr;z;y 5\nq;z 5\nr;a-b;z 5\n' >ties.folded
for view in "" --reverse "--view=sandwich --function=z"; do
	for top in 1 3 20; do
		# shellcheck disable=SC2086 # several options
		"$FLAMETOP" -q --no-config --to=json --top=$top $view ties.folded >by-name
		for option in --sort=input --sort=weight --flamechart; do # all are said to have no effect
			# shellcheck disable=SC2086
			"$FLAMETOP" -q --no-config --to=json --top=$top $view $option ties.folded >other
			ok "$view --top=$top: $option changes nothing" cmp -s by-name other
		done
	done
done
# Nor do frames of languages that the profile does not have: stacks of weight 0 stay in folded stacks.
printf 'r;a 0\nr;b 5\n' >weightless.folded
run "$FLAMETOP" --no-config --to=folded --frames=all weightless.folded
is "$out" "$("$FLAMETOP" --no-config --to=folded weightless.folded)" "--frames changes no folded stacks without languages"
for file in collapse/ghcjson/tree collapse/instruments/basic; do
	in=$source/tests/data/$file.in
	"$FLAMETOP" -q --no-config --to=folded "$in" >without
	"$FLAMETOP" -q --no-config --to=folded --frames=all "$in" >with
	ok "$file: nor there" cmp -s without with
done

done_testing
