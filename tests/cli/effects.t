#!/bin/sh
# Tries options that only some formats or outputs support with each of them: an option either makes a difference
# somewhere, or the program says that it has no effect and changes nothing.
. "$(dirname "$0")/../tap.sh"

data=$source/tests/data/collapse
unset PERF

cat >all.perf <<'END'
app 10/11 1.000000: 5 cycles:
	            7f01 leaf+0x10 (/bin/app)
  app.c:7
	            7f02 [unknown] (/bin/app)
	            7f03 [unknown] (/tmp/perf-10.map)
	            7f04 spin (inlined)
	            7f05 compiled (/tmp/perf-10.map)
	ffffffff81000000 do_syscall_64+0x1 ([kernel.kallsyms])
	            7f06 main (/bin/app)

app 10/12 2.000000: 7 faults:
	            7f06 main (/bin/app)

END
printf 'a;b 1\na;c 2\n' >all.folded

# Files of a format, those that are read without messages first.
inputs() {
	case $1 in
	perf) echo all.perf ;;
	folded) echo all.folded ;;
	*)
		for f in "$data/$1"/*.in; do
			[ -e "${f%.in}.case" ] || echo "$f"
		done
		for f in "$data/$1"/*.in; do
			[ ! -e "${f%.in}.case" ] || echo "$f"
		done
		;;
	esac
}

# A value that one of the format's inputs has.
value() { # FORMAT
	case $1 in
	ghcprof) echo alloc ;;
	xdebug) echo calls ;;
	vtune-mc) echo size ;;
	pprof) echo samples ;;
	go) echo cpu ;;
	instruments) echo count ;;
	*) echo any ;;
	esac
}

options() { # FORMAT
	echo --pid --tid --kernel --jit --addrs --srcline --includeoffset --no-modules --wake-stack --off-cpu \
		--shorten-pkgs --idle --event-filter=faults --skip-after=spin "--value=$(value "$1")"
}

changes_something() { # FORMAT OPTION
	for f in $(inputs "$1"); do
		"$FLAMETOP" -q -f "$1" --to=folded "$f" >plain 2>&1
		"$FLAMETOP" -q -f "$1" --to=folded "$2" "$f" >with 2>&1
		cmp -s plain with || return 0
	done
	return 1
}

formats=$("$FLAMETOP" --format=help | awk '/^[a-z]/ && $1 != "auto" { print $1 }')
ok "formats are listed" test "$(echo "$formats" | wc -l)" -ge 25
for format in $formats; do
	first=$(inputs "$format" | head -1)
	"$FLAMETOP" -q -f "$format" --to=folded "$first" >base 2>/dev/null
	silent='' wrong=''
	for option in $(options "$format"); do
		"$FLAMETOP" -f "$format" --to=folded "$option" "$first" >out 2>err
		if grep -q -e "${option%%=*} has no effect on this format: $format" err; then
			cmp -s base out || wrong="$wrong $option"
		elif ! changes_something "$format" "$option"; then
			silent="$silent ${option%%=*}"
		fi
	done
	is "$silent" "" "$format: an option without effect is named"
	is "$wrong" "" "$format: an option that is named changes nothing"
done

# The viewer says so, too.
run "$FLAMETOP" --screen=90x12 --srcline all.folded
is "$(sed -n '$p' .out | grep -c -e '--srcline has no effect on this format: folded')" 1 "the viewer names an option without effect"
run "$FLAMETOP" --to=folded -q --srcline all.folded
is "$err" "" "--quiet: it is not named"
run "$FLAMETOP" --to=folded --tid all.perf
is "$(echo "$err" | grep -c 'no effect')" 0 "an option that has an effect is not named"

# Places that a file does not show need not exist.
run "$FLAMETOP" --cursor=nope --to=folded all.folded
exits 0 "a cursor that has no effect is not looked for"
says "*--cursor has no effect on this output: folded*" "it is named"
run "$FLAMETOP" --expand=nope --to=top all.folded
exits 0 "nor is an open row"
run "$FLAMETOP" --view=calls --cursor=nope --to=text all.folded
exits 1 "a call tree depends on it"
run "$FLAMETOP" --negate --diff=all.folded --to=text all.folded
says "*--negate has no effect on this output: text*" "text without colours cannot swap them"
run "$FLAMETOP" --focus=nope --to=svg all.folded
says "*no sample passes the filters: nothing to draw*" "why there is no picture"

# Options that depend on others, or on the input.
grep -v app.c all.perf >bare.perf
run "$FLAMETOP" --to=folded --srcline bare.perf
says "*--srcline has no effect: no frame has a source line*" "--srcline is named where no frame has a line"
run "$FLAMETOP" --to=folded --context all.perf
says "*--context has no effect without --inline*" "--context is named without --inline"
run "$FLAMETOP" --to=folded --event-filter=branches all.perf
exits 1 "an event that no sample has is a failure"
says "*no sample belongs to the event of --event-filter: branches*" "which is named"
run "$FLAMETOP" --to=folded --value=bytes all.perf
says "*--value has no effect*other event*" "a value that the format lacks changes neither the output nor the messages"

# The same for outputs.
printf 'main;_ZN3foo3barEv 8\nmain;eval;eval;gc 3\nmain;eval 5\n\346\274\242\345\255\227;main 9\nz;%060d 2\nmain;%060d 1\n' 7 8 >one.folded
printf 'main;_ZN3foo3barEv 2\nmain;eval;gone 6\n' >before.folded
printf 'main;read 2 9\nmain;write 7 8\n' >two.folded
printf 'main;f0x12 3\nmain;f0x34 4\n' >hex.folded
printf 'main\ttitle=hello\n' >attributes
mkdir -p below/src
printf 'int main(void)\n{\n\teval();\n\teval();\n' >below/src/one.c
cat >lines.json <<END
{"\$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[
{"name":"main","file":"src/one.c","line":3},{"name":"main","file":"src/one.c","line":4},{"name":"eval","file":"漢.c","line":1},
{"name":"eval","file":"漢.c","line":2},{"name":"_ZN3foo3barEv","file":"src/one.c","line":7},
{"name":"f0x12","file":"src/one.c","line":8}]},
"profiles":[{"type":"sampled","name":"t","unit":"none","startValue":0,"endValue":10,
"samples":[[0,2],[0,3],[1,3],[1,4],[1,5]],"weights":[1,2,4,2,1]}]}
END
sed 's/1,2,4,2,1/7,2,4,2,3/' lines.json >lines-before.json
cat >lines-timed.json <<END
{"\$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[
{"name":"main","file":"a.py","line":6},{"name":"eval","file":"a.py","line":2},{"name":"eval","file":"a.py","line":3}]},
"profiles":[{"type":"evented","name":"t","unit":"seconds","startValue":0,"endValue":4,"events":[
{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":0},{"type":"C","frame":1,"at":1.5},
{"type":"O","frame":2,"at":1.5},{"type":"C","frame":2,"at":4},{"type":"C","frame":0,"at":4}]}]}
END
cp "$source/tests/golden/data/labels.pb" .
printf 'a 1/1 [000] %s: 7 cycles:\n\t401000 main+0x10 (/bin/x)\n\nb 1/2 [000] %s: 7 cycles:\n\t401000 run+0x10 (/bin/x)\n\n' \
	1.0 1.5 2.5 9.5 >timed.perf

# Views in which one of the options would show.
views() {
	cat <<-END
		one.folded
		--color=truecolor --search=eval one.folded
		--diff=before.folded one.folded
		--color=truecolor --diff=before.folded one.folded
		--sort=input hex.folded
		--width=300 one.folded
		two.folded
		labels.pb
		--flamechart timed.perf
		--with-source --source-path=below lines.json
		--with-source lines.json
		--diff=lines-before.json lines.json
		--flamechart lines-timed.json
		lines.json
	END
}

outputs() {
	cat <<-END
		--inverted
		--no-inverted
		--reverse
		--flamechart
		--axis=samples
		--fold-lanes=all
		--zoom-time=0,1
		--group=package
		--sort=weight
		--sort=input
		--zoom=main
		--view=table
		--view=sandwich
		--view=calls
		--view=lines
		--view=chart
		--view=heat
		--function=eval
		--cursor=main;eval
		--scroll=1
		--table-sort=total
		--table-filter=eval
		--expand=main;eval
		--heat-at=1
		--search=main
		--source-path=below
		--with-source
		--focus=eval
		--ignore=eval
		--hide=eval
		--show=eval
		--callers=eval
		--callees=eval
		--base=eval
		--tagfocus=user=bob
		--tagignore=user=bob
		--merge-recursion
		--minwidth=20
		--absolute
		--normalize
		--no-diff
		--widths=before
		--strip-hex
		--negate
		--factor=2
		--width=40
		--top=2
		--colors=java
		--no-demangle
		--split=file
		--title=T
		--subtitle=x
		--height=20
		--fonttype=x
		--fontsize=20
		--fontwidth=0.8
		--bgcolors=blue
		--uicolor=#123456
		--search-color=#123456
		--stroke-color=#123456
		--hash
		--deterministic
		--random
		--cp=colours
		--colordiffusion
		--countname=foo
		--nametype=foo
		--notes=foo
		--nameattr=attributes
		--total=500
		--truncate-text-right
		--pretty-xml
		--no-javascript
		--no-sort
		--encoding=ISO-8859-1
		--color=truecolor
		--background=light
		--ascii
		--no-mouse
		--no-ask
		--keys=j
	END
}

views >views
outputs >outputs
# Options about the input, or with an effect on any output.
cat >elsewhere <<END
$(options none | tr ' ' '\n' | sed 's/=.*//')
--all --context --inline --format --jobs --event --thread --time --window --decay --diff --fail-above --output --to --screen --no-config
--no-inline --symbolizer --unit --tagroot --symfs --sysroot --path-map --kallsyms --debuginfod --quiet --verbose --completions --help --version
END
"$FLAMETOP" --help | sed -n 's/^  \(-., \|    \)\(--[a-z-]*\).*/\2/p' | sort -u >known
{ sed 's/=.*//' outputs; tr ' ' '\n' <elsewhere; } | sort -u >tried
is "$(comm -3 known tried)" "" "no option was forgotten"

write() { # KIND OPTION ARGUMENTS...: out and err
	rm -f colours
	LC_ALL=C.UTF-8 "$FLAMETOP" --no-config "--to=$1" "$2" $3 >out 2>err
}

# Was the option named as one without effect in the view that was written last? That is the one it changes, if any.
is_idle_here() {
	grep -q -e "^flametop: ${option%%=*} has no effect on this output: $kind\$" err
}

for kind in svg folded text top markdown lines; do
	silent='' wrong=''
	n=0
	while read -r view; do
		n=$((n + 1))
		write $kind --quiet "$view"
		cp out "plain.$n"
	done <views
	while read -r option; do
		[ "$kind,$option" != lines,--view=lines ] || continue # as it is
		n=0 changes='' is_named=''
		while read -r view && [ -z "$changes" ]; do
			n=$((n + 1))
			if ! write $kind "$option" "$view"; then
				! grep -q -e 'cannot show' -e 'no file can show' err || is_named=yes
				continue
			fi
			cmp -s out "plain.$n" || changes=yes
			! is_idle_here || is_named=yes
		done <views
		[ -n "$changes$is_named" ] || silent="$silent $option"
		[ -z "$changes" ] || ! is_idle_here || wrong="$wrong $option"
	done <outputs
	is "$silent" "" "$kind: an option without effect is named"
	is "$wrong" "" "$kind: an option that is named changes nothing"
done
# In the other views, an option that makes no difference is one of the other views or is named.
for pair in text,table text,sandwich text,calls text,lines markdown,lines svg,sandwich folded,sandwich; do
	kind=${pair%,*} shown=--view=${pair#*,} silent='' wrong=''
	case $pair in *sandwich) shown="$shown --function=main" ;; *calls) shown="$shown --expand=main" ;; esac
	n=0
	while read -r view; do
		n=$((n + 1))
		write $kind --quiet "$shown $view"
		cp out "plain.$n"
	done <views
	while read -r option; do
		n=0 changes='' is_named='' refused=''
		case $pair,$option in *,--view=* | *sandwich,--function=* | *calls,--function=* | *calls,--cursor=* | *calls,--expand=*) continue ;; esac
		while read -r view && [ -z "$changes" ]; do
			n=$((n + 1))
			write $kind "$option" "$shown $view" || refused=yes # what it names, or --view, is not there
			[ "$refused" ] || cmp -s out "plain.$n" || changes=yes
			! is_idle_here || is_named=yes
		done <views
		[ -n "$changes$is_named$refused" ] || silent="$silent $option"
		[ -z "$changes" ] || ! is_idle_here || wrong="$wrong $option"
	done <outputs
	is "$silent" "" "$pair: an option without effect is named"
	is "$wrong" "" "$pair: an option that is named changes nothing"
done
run "$FLAMETOP" --to=text --title=x --title=y one.folded
is "$status $err" "0 flametop: --title has no effect on this output: text" "it is named once, and that is all"
run "$FLAMETOP" --to=text --quiet --title=x one.folded
is "$err" "" "--quiet: it is not"
run "$FLAMETOP" --to=folded --image-width=900 --min-width=1 one.folded
is "$err" "" "nor is one by the name that another program has for it"
run "$FLAMETOP" --screen=80x20 --title=x --top=3 one.folded
is "$err" "" "in the viewer, which may still write it, all have one"
run "$FLAMETOP" --fail-above=50 --absolute --diff=one.folded --to=folded one.folded
is "$err" "" "an option that the gate uses has an effect with any output"
mkdir -p flametop
printf 'colors = java\nsort = weight\ninverted = yes\nminwidth = 1\n' >flametop/config
XDG_CONFIG_HOME=$dir
export XDG_CONFIG_HOME
run "$FLAMETOP" --to=folded one.folded
is "$err" "" "habits of the configuration are not named"

done_testing
