#!/bin/sh
# Wrong usage, help, and other runs that never read a profile.
. "$(dirname "$0")/../tap.sh"

cat >a.folded <<'END'
main;read;parse 10
main;read;lex 5
main;write 7
END

run "$FLAMETOP" --help
exits 0 "--help succeeds"
prints "Usage: flametop *" "--help begins with the usage"
is "$err" "" "--help says nothing on standard error"
is "$(printf '%s\n' "$out" | awk 'length > 79')" "" "--help fits into 80 columns"
prints "*--zoom=PATH*" "--help lists options with their values"

run "$FLAMETOP" record --help
exits 0 "record --help succeeds"
prints "*--call-graph=HOW*" "record --help lists the options of record"
is "$(printf '%s\n' "$out" | awk 'length > 79')" "" "record --help fits into 80 columns"

run "$FLAMETOP" --version
exits 0 "--version succeeds"
prints "flametop [0-9]*.[0-9]*" "--version prints name and version"
run "$FLAMETOP" -V
prints "flametop [0-9]*" "-V is --version"

for list in --format=help --to=help --colors=help; do
	run "$FLAMETOP" $list
	exits 0 "$list succeeds"
	is "$(printf '%s\n' "$out" | awk 'length > 79')" "" "$list fits into 80 columns"
done
run "$FLAMETOP" --format=help
prints "*folded *perf *" "--format=help lists formats with a description"
run "$FLAMETOP" --to=help
prints "*svg *folded *text *top *" "--to=help lists the kinds of output"
run "$FLAMETOP" --colors help
prints "*hot *java *" "--colors help lists palettes"

run "$FLAMETOP" --bogus a.folded
exits 2 "an unknown option is wrong usage"
one_line "an unknown option is reported in one line"
says "flametop: unknown option '--bogus'*" "an unknown option is named"
run "$FLAMETOP" -Q a.folded
exits 2 "an unknown letter is wrong usage"
says "flametop: unknown option '-Q'*" "an unknown letter is named"
run "$FLAMETOP" --sor=name a.folded --to=text
exits 0 "a long option may be abbreviated"
run "$FLAMETOP" --no-m --to=text a.folded
exits 2 "an ambiguous abbreviation is wrong usage"
says "*--no-modules*--no-mouse*" "an ambiguous abbreviation lists its options"
run "$FLAMETOP" --min=1 --to=text a.folded
exits 0 "an abbreviation of an option and of its other spelling is not ambiguous"
run "$FLAMETOP" --p=1 --to=text a.folded
exits 2 "an ambiguous one is, even if hidden options match"
says "flametop: '--p' could be --pid, --path-map, --pretty-xml" "and those are named"
run "$FLAMETOP" a.folded --width
exits 2 "a missing value is wrong usage"
says "flametop: --width needs a value*" "a missing value is named"
run "$FLAMETOP" --inverted=yes a.folded
exits 2 "a value for a flag is wrong usage"
run "$FLAMETOP" --to=text -- --width
exits 1 "words after -- are files"
says "flametop: --width: *" "a file after -- is named"

bad() { # option, name of the error
	run "$FLAMETOP" "$1" --to=text a.folded
	exits 2 "$1 is refused"
	one_line "$1 is refused in one line"
}
bad --width=0
bad --width=12a
bad --width=99999999999999999999
bad --fontsize=x
bad --factor=0
bad --factor=-1
bad --factor=nan
bad --factor=1e15
says "*from 1e-09 to 1e+12*" "and the limits are named"
bad --factor=1e-30
bad --minwidth=101
bad --minwidth=5furlongs
bad --colors=pink
bad --bgcolors='#12345'
bad --uicolor=red
bad --search-color='#12345g'
bad --stroke-color=nothing
bad --sort=size
bad --split=house
bad --time=3
bad --time=5,2
bad --time=a,b
bad --color=maybe
bad --screen=80
bad --screen=0x10
bad --screen=1500x40
says "*each from 1 to 1000*" "and the limit is named"
bad --background=red
bad --format=nosuch
bad --to=nosuch
bad --search='('
bad --focus='[a'
bad --encoding='a"b'
bad --encoding=utf16
bad --encoding=UTF-7
bad --encoding=
bad --total=0
bad --completions=csh
bad --fail-above=1
bad --normalize

bad_record() { # options that are refused before anything is recorded or read
	run "$FLAMETOP" record "$@" --to=text --perfdata=nosuch.data
	exits 2 "record $* is refused"
	one_line "record $* is refused in one line"
	says "flametop: $1: *" "and named"
}
bad_record --cmd "record 'x"
bad_record --cmd 'record -o'
bad_record -c 'record "x'
bad_record --post-process "sed 's/a/b/"
bad_record --post-process ' '
run "$FLAMETOP" --encoding=utf16 --to=svg nosuch.folded
exits 2 "wrong usage is found before an input is looked for"

conflict() {
	run "$FLAMETOP" "$@" --to=svg a.folded
	exits 2 "$* do not go together"
}
conflict --hash --deterministic
conflict --colordiffusion --colors=hot
conflict --colordiffusion --palette=hot
conflict --reverse --no-sort
conflict --flamechart --no-sort
for command in record sample bundle; do
	run "$FLAMETOP" --no-config "$command" -- ./program
	exits 2 "$command after options is wrong usage"
	says "*$command: no such file; as a command it comes before its options: flametop $command*" "and the order is told"
	run "$FLAMETOP" --no-config "$command" --no-such=7
	says "*unknown option '--no-such'; $command, as a command, comes before its options*" "for an option of the command, too"
done
run "$FLAMETOP" - -
exits 2 "standard input can be read only once"
run "$FLAMETOP" -o out.pdf a.folded
exits 2 "an unknown suffix is wrong usage"
says "*expected .svg, .html, .folded, .txt, .top, .md, .lines, .speedscope.json, .firefox.json, .json, .pb.gz, .callgrind, or --to=KIND*" "an unknown suffix: the known ones are named"
run "$FLAMETOP" -o out.pdf --to=text a.folded
exits 0 "--to makes the suffix irrelevant"
ok "the file is there" test -s out.pdf

run "$FLAMETOP" -o one.svg -o two.svg in.folded
exits 2 "two names for the output are wrong usage"
says "*--output is given twice: 'one.svg' and 'two.svg'*" "and both are named"
ok "nothing is written" sh -c '[ ! -e one.svg ] && [ ! -e two.svg ]'
for twice in "sample --output" "bundle --output" "sample --cgroup" "record --cgroup" "record --perfdata"; do
	run "$FLAMETOP" ${twice% *} "${twice#* }=one" "${twice#* }=two" in.folded
	exits 2 "$twice twice is wrong usage"
	says "*${twice#* } is given twice*" "and that is said"
done
run "$FLAMETOP" -o one.txt --output=one.txt a.folded
exits 0 "the same name twice is one"

# standard input is a terminal, and there is nothing to read
if command -v script >/dev/null && has_terminals; then
	script -qec "'$FLAMETOP' >'$dir/hint.out' 2>'$dir/hint.err'; echo \$? >'$dir/hint.status'" /dev/null </dev/null \
		>/dev/null 2>&1
	is "$(cat hint.status)" 2 "no profile and a terminal for standard input is wrong usage"
	is "$(wc -l <hint.err | tr -d ' ')" 2 "the hint is two lines"
	is "$(cat hint.out)" "" "the hint goes to standard error"
else
	skip 3 "no script(1), or no pseudo terminal"
fi

for words in "record -o perf.data -- true" "record --perfdata=x -o perf.data" "a.folded -o perf.data"; do
	# shellcheck disable=SC2086 # several words
	run "$FLAMETOP" $words
	exits 2 "$words: no kind of export"
	wanted=0
	case $words in *true) wanted=1 ;; esac
	is "$(echo "$err" | grep -c 'flametop sample -o FILE keeps a recording')" $wanted "only a new recording can be kept"
done

for to in svg json text; do
	run "$FLAMETOP" --search= --to=$to a.folded
	exits 0 "an empty search is none ($to)"
	is "$err" "" "without a word"
done
run "$FLAMETOP" --search=lex --search= --screen=80x10 a.folded
is "$(echo "$out" | grep -c match)" 0 "on the screen, too"

done_testing
