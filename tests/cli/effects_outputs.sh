# effects_outputs.sh - profiles and views in which options for outputs would show, and the loop that tries them. To be
# sourced by effects_outputs.t and effects_views.t.
# shellcheck shell=sh

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
printf 'main (a.py:3);read (a.py:9) 2 9\nmain (a.py:4);write (b.py:2) 7 8\n' >two-lines.folded
cat >lines-timed.json <<END
{"\$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[
{"name":"main","file":"a.py","line":6},{"name":"eval","file":"a.py","line":2},{"name":"eval","file":"a.py","line":3}]},
"profiles":[{"type":"evented","name":"t","unit":"seconds","startValue":0,"endValue":4,"events":[
{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":0},{"type":"C","frame":1,"at":1.5},{"type":"C","frame":0,"at":1.5},
{"type":"O","frame":0,"at":2},{"type":"O","frame":2,"at":2},{"type":"C","frame":2,"at":4},{"type":"C","frame":0,"at":4}]}]}
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
		two-lines.folded
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
		--hot-lines
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
		--truncate-text-left
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
		--budget=1k
	END
}

views >views
outputs >outputs

# KIND OPTION ARGUMENTS...: out and err. The command that an SVG or a page names is no effect.
write() {
	[ ! -e colours ] || rm colours
	LC_ALL=C.UTF-8 "$FLAMETOP" --no-config "--to=$1" "$2" $3 >out 2>err || {
		[ $? -lt 128 ] || crashed="$crashed --to=$1 $2 $3,"
		return 1
	}
	without_command "$1"
}

# Takes the command out of "out".
without_command() { # KIND
	case $1 in
	svg | html)
		mv out written
		sed -e 's:<metadata>.*</metadata>::' -e '/^<meta name="flametop-command"/d' written >out
		;;
	esac
}

# Was the option named as one without effect in the view that was written last? That is the one it changes, if any.
is_idle_here() {
	[ -s err ] && grep -q -e "^flametop: ${option%%=*} has no effect on this output: $kind\$" err
}

# Tries all options with a kind of output, or a view of it, which the option VIEW chooses. SKIPPED lists those that choose
# it, with a value or any.
try_options() { # LABEL KIND VIEW SKIPPED
	label=$1 kind=$2 silent='' wrong='' crashed='' n=0
	while read -r view; do
		n=$((n + 1))
		rm -f "plain.$n" # a view of lines, say, of a profile without them
		! write "$kind" --quiet "$3 $view" || cp out "plain.$n"
	done <views
	while read -r option; do
		case " $4 " in *" $option "* | *" ${option%%=*} "*) continue ;; esac
		n=0 changes='' is_named='' is_refused=''
		while read -r view && [ -z "$changes" ]; do
			n=$((n + 1))
			[ -e "plain.$n" ] || continue
			if ! write "$kind" "$option" "$3 $view"; then
				[ -z "$3" ] || is_refused=yes # what it names is not there
				! grep -q -e 'cannot show' -e 'no file can show' err || is_named=yes
			elif ! cmp -s out "plain.$n"; then
				changes=yes
			fi
			! is_idle_here || is_named=yes
		done <views
		[ -n "$changes$is_named$is_refused" ] || silent="$silent $option"
		[ -z "$changes" ] || ! is_idle_here || wrong="$wrong $option"
	done <outputs
	is "$silent" "" "$label: an option without effect is named"
	is "$crashed" "" "$label: no signal ends the program"
	is "$wrong" "" "$label: an option that is named changes nothing"
}
