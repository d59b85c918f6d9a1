#!/bin/sh
# Keys that write files, keys that make a command line, and the configuration file.
. "$(dirname "$0")/../tap.sh"

LC_ALL=C.UTF-8
XDG_CONFIG_HOME=$dir/config
export LC_ALL XDG_CONFIG_HOME
unset NO_COLOR COLORTERM COLORFGBG
cp "$source/tests/golden/data/web.folded" "$source/tests/golden/data/web-before.folded" "$source/tests/golden/data/tasks.perf" .

shot() { # size, keys, arguments: the screen in $out
	size=$1 keys=$2
	shift 2
	run "$FLAMETOP" --screen="$size" --keys="$keys" "$@"
}

# w writes the same as the option.
shot 80x16 'kkxwout.folded<Enter>' web.folded
prints "*written to out.folded (folded)*" "w names the file written"
run "$FLAMETOP" --to=folded --ignore='^main$' web.folded
is "$(cat out.folded)" "$out" "w writes what the option writes"
shot 80x16 'wout.svg<Enter>' web.folded
ok "w writes an SVG" grep -q '<svg' out.svg
shot 80x16 'wout.txt<Enter>' web.folded
ok "w writes text" grep -q 'deflate_slow' out.txt
cp web.folded keep.folded
shot 80x16 'kkxwkeep.folded<Enter>' web.folded
prints "*the file exists*" "w asks before it overwrites a file"
ok "and does nothing before the answer" cmp -s web.folded keep.folded
shot 80x16 'kkxwkeep.folded<Enter><Esc>' web.folded
ok "Esc leaves it alone" cmp -s web.folded keep.folded
shot 80x16 'kkxwkeep.folded<Enter><Enter>' web.folded
is "$(cat keep.folded)" "$(cat out.folded)" "Enter overwrites it"
shot 200x16 'wout.xyz<Enter>' web.folded
prints "*unknown suffix*" "w: a suffix that means nothing is an error"
for suffix in $(printf '%s\n' "$out" | grep -o '[.][a-z.]*[,)]' | tr -d ',)' | sort -u | grep -v '^.lines$'); do # which needs lines
	shot 80x16 "wkind$suffix<Enter>" web.folded
	prints "*written to kind$suffix*" "w knows the suffix $suffix"
	run "$FLAMETOP" -o "again$suffix" web.folded
	exits 0 "so does -o"
done
is "$(echo kind.*)" "kind.callgrind kind.firefox.json kind.folded kind.html kind.json kind.md kind.pb.gz kind.speedscope.json kind.svg kind.top kind.txt" "and the message names every suffix"
shot 80x16 'wmissing/out.svg<Enter>' web.folded
prints "*missing/out.svg*No such file*" "w: a directory that is not there is an error"

# The arguments of the command that C shows, in $out.
copied() { printf '%s\n' "$out" | sed -n 's/^.*│ flametop \(.*[^ ]\) *│.*$/\1/p'; }
# The command line from C makes the same view. Keys, arguments.
same_again() {
	shot 600x30 "$1_" $2
	before=$(printf '%s\n' "$out" | sed '$d')
	shot 600x30 "$1C" $2
	command=$(copied)
	eval "run \"\$FLAMETOP\" --screen=600x30 --keys=_ $command" # after the first key, the footer names the cursor
	exits 0 "C copies a command that runs: $1 $2"
	is "$(printf '%s\n' "$out" | sed '$d')" "$before" "C repeats: $1 $2"
}
# And the same file as w. Keys, suffix, arguments.
same_file() {
	rm -f "by-key$2"
	shot 600x30 "$1w<C-u>by-key$2<Enter>" "$3"
	shot 600x30 "$1C" "$3"
	command=$(copied)
	eval "run \"\$FLAMETOP\" --quiet -o \"by-command$2\" $command"
	exits 0 "C copies a command for a file, too: $1 $2"
	ok "w and the command of C write one file: $1 $2" cmp -s "by-key$2" "by-command$2"
}
for suffix in .json .md; do
	same_file '' $suffix web.folded
	same_file '2/fl<Enter>1' $suffix web.folded
	same_file '2>1' $suffix web.folded
	same_file '2>>v1' $suffix web.folded
	same_file '2>/fl<Enter>' $suffix web.folded
	same_file 'S2>1' $suffix web.folded
done
same_again '2>>/fl<Enter>1' web.folded
same_again '2>>/fl<Enter>4' web.folded
shot 600x30 '2>/fl<Enter>4C' web.folded
prints '*│ flametop --view=calls --table-sort=total --table-filter=fl *' "C has the order and the filter of the table in other views"
same_again 'kkkkk<Enter>' web.folded
same_again 'i' web.folded
same_again 'I' web.folded
same_again 'oo' web.folded
same_again 't' web.folded
same_again '++++++++' web.folded
same_again 'kkkkkx' web.folded
same_again '&zend<Enter>' web.folded
same_again 'H^ngx<Enter>' web.folded
same_again 'R' web.folded
same_again 'kkkkB' web.folded
same_again 'ej<Enter>' tasks.perf
same_again 'p' tasks.perf
same_again 'pkx' tasks.perf
same_again '/module:app<Enter>' tasks.perf
same_again '&module:app<Enter>' tasks.perf
same_again 'T/worker<Enter>j<Enter>' tasks.perf
same_again 'm<Enter>lll<Enter>' tasks.perf
same_again 'D' '--diff=web-before.folded web.folded'
for first in '' i oo R kkkx 'kkkk<Enter>'; do
	for then in It tI kkkkF 'kkkk#' 'kkkkFkkB' 'H^main$<Enter>' c; do
		same_again "$first$then" web.folded
	done
done
for options in --reverse --flamechart --sort=weight --no-sort --inverted --minwidth=2 --colordiffusion --search=main --negate \
	--base=main --factor=3 --strip-hex --merge-recursion; do
	for then in I t o i c r rI rtI kkFc '/e.*l<Enter>' D; do
		same_again "$then" "$options web.folded"
	done
	same_again DDD "$options --diff=web-before.folded web.folded"
done
# The same in each view; tests/unit/tui_command.t.c does this with keys by chance.
for typed in '2jj>' '2>>o/ngx<Enter>j' '3' '3jj' 'kkk3kkj<Enter>k' '4' '4*' '4h' '4jljl*kkkh' '4<End>'; do
	same_again "$typed" web.folded
	same_again "$typed" '--diff=web-before.folded web.folded'
done
for typed in mll mlljj 'mll<Enter>lj' 2m 3m tkkk 'tkkk<Enter>k' 'tkkkllkCq4'; do
	same_again "$typed" tasks.perf
done
for options in '--view=table --function=malloc' '--view=sandwich --function=/zend/' '--function=malloc' '--view=calls --expand=php;main' \
	'--view=table --table-sort=-name --table-filter=a' '--cursor=php;main;execute' '--view=sandwich --function=main --cursor=php;main'; do
	for then in '' i 4 2; do
		same_again "$then" "$options web.folded"
	done
done
shot 200x30 'C' web.folded
prints "*│ flametop web.folded *" "C shows the command"
shot 200x30 '2C' web.folded
prints "*│ flametop --view=table web.folded *" "C names the view"
sed 's/$/ 7/' web.folded >columns.folded
shot 200x30 'DDDC' columns.folded
prints "*│ flametop --no-diff columns.folded *" "C: two columns that are not compared are not compared again"
same_again DDD columns.folded
same_again DDDD columns.folded

# What came through a pipe is read from a pipe again, or from the file that it was saved to.
run sh -c "cat web.folded | '$FLAMETOP' --screen=200x30 --keys=C"
prints "*But the profile came through a pipe (w NAME.folded saves it).*│ flametop - *" "C: a pipe can be read once, and w saves it"
run sh -c "cat tasks.perf | '$FLAMETOP' --screen=200x30 --keys='T/worker<Enter>j<Enter>C' -"
prints "*But the profile came through a pipe.*│ flametop --thread=* - *" "C: folded stacks would have no threads"
mkfifo fifo
cat web.folded >fifo &
shot 200x30 'C' fifo
prints "*But the profile came through a pipe*│ flametop fifo *" "C: a pipe with a name is one as well"
wait
run sh -c "cat web.folded | '$FLAMETOP' --screen=200x30 --keys='wsaved.folded<Enter>kkkkkkxC' -f folded"
prints "*│ flametop --ignore=* saved.folded *" "C: the command reads the file that holds it all"
command=$(copied)
run "$FLAMETOP" --screen=200x30 --keys='kkkkkkx_' web.folded
before=$(printf '%s\n' "$out" | sed -n 2,20p)
eval "run \"\$FLAMETOP\" --screen=200x30 --keys=_ $command"
is "$(printf '%s\n' "$out" | sed -n 2,20p)" "$before" "and shows the same"
run sh -c "cat web.folded | '$FLAMETOP' --screen=200x30 --keys='kkkkkkxwpart.folded<Enter>C'"
prints "*But the profile came through a pipe*flametop * - *" "C: a file that lacks stacks is not it"
run sh -c "cat '$source/tests/data/collapse/jstack/dump.in' | '$FLAMETOP' --screen=200x30 --keys='wawake.folded<Enter>C' -"
prints "*But the profile came through a pipe.*│ flametop - *" "C: nor one that lacks idle samples"

for typed in '5' '2jj5'; do
	run sh -c "cat '$source/tests/data/collapse/callgrind/names.in' | '$FLAMETOP' --screen=200x30 --keys='wlines$typed.folded<Enter>${typed}C' -"
	prints "*But the profile came through a pipe.*│ flametop --view=lines * - *" "C: folded stacks have no lines: $typed"
done
run sh -c "cat '$source/tests/data/collapse/callgrind/names.in' | '$FLAMETOP' --screen=200x30 --keys='wlines.folded<Enter>51C' -"
prints "*│ flametop lines.folded *" "C: but they have the graph"

# Both -o and w apply the options for tables when they write the graph to a file that has a table.
for options in '--table-filter=a' '--table-sort=-name' '--table-sort=total' '--view=flame,table --table-filter=a' "--table-sort=name --diff=web-before.folded"; do
	for suffix in top json md; do
		run "$FLAMETOP" $options -o option.$suffix web.folded
		run "$FLAMETOP" $options --screen=120x30 --keys="wkey.$suffix<Enter>" web.folded
		ok "w writes what -o does: $options, $suffix" cmp option.$suffix key.$suffix
		rm -f option.$suffix key.$suffix
	done
done
run "$FLAMETOP" --screen=120x30 --keys='2/sys<Enter>1wkey.top<Enter>' web.folded
ok "so does a filter that was typed in the table" grep -q '^2 of 30 functions match' key.top
shot 120x30 C --view=flame,table --table-filter=a web.folded
prints "*│ flametop --view=flame,table --table-filter=a web.folded *" "C: a table that has no room now keeps its filter"

# Errors of --screen and --keys.
run "$FLAMETOP" --screen=80 web.folded
exits 2 "--screen without rows is wrong usage"
says "*80*COLSxROWS*" "and says what was expected"
run "$FLAMETOP" --screen=80x24 --keys='<Nonsense>' web.folded
exits 2 "an unknown key is wrong usage"
says "*<Nonsense>*" "and is named"
run "$FLAMETOP" --screen=80x24 missing.folded
exits 1 "an input that is not there"
one_line "is reported in one line"
run "$FLAMETOP" --screen=80x24 --event=none tasks.perf
exits 1 "an event that is not there"
run sh -c "'$FLAMETOP' --screen=80x24 web.folded >/dev/full"
exits 1 "a screen that cannot be written"
shot 80x16 'q' web.folded
exits 0 "q in --keys ends them"
prints "*web.folded*" "and the screen is printed all the same"

# The configuration.
mkdir -p config/flametop
cat >config/flametop/config <<'END'
# habits
inverted = yes
sort = name
minwidth = 1
bind <C-n> zoom
bind Z quit
END
for then in '' i o oo ooo - ------- it oIi; do
	same_again "$then" web.folded
	same_again "$then" "--inverted --sort=name web.folded"
done
shot 80x16 '' web.folded
prints "*icicle by name*from 1% on*" "the configuration is read"
shot 80x16 'jj<C-n>' web.folded
prints "*all > nginx > main*" "and its keys are bound"
shot 80x16 '' --sort=name web.folded
prints "*icicle by name*" "the command line wins"
shot 80x16 '' --no-config web.folded
prints "*samples  flame  *" "--no-config does without"
printf 'view = table\ntable-sort = total\ninverted = yes\nbackground = light\n' >config/flametop/config
for then in '' 1 1i '>' '<<' 2 3 4 1t; do
	same_again "$then" web.folded
	same_again "$then" "--view=chart web.folded"
done
shot 80x16 '' web.folded
prints "*total▼*100.0%   1.64 k        2  main*" "the first view and the order of its table are settings"
shot 80x16 '' --view=calls web.folded
prints "*call tree, heaviest first*" "and the command line wins"
echo 'view = chart' >config/flametop/config
for then in '' t 2 t2; do
	same_again "$then" web.folded
	same_again "$then" "--view=flame web.folded"
done
printf 'bind z search\nbind / help\nbind <C-s> find-line\n' >config/flametop/config
shot 80x16 '/<C-s>smart case<Enter>' web.folded
prints "*│   z  *search as you type*" "the help names the keys that are bound"
echo 'sort = sideways' >config/flametop/config
shot 80x16 '' web.folded
exits 2 "a bad value stops the program"
says "*config:1: sort: 'sideways' is not one of name, weight, input*" "and names file, line and the expected value"
echo 'nonsense' >config/flametop/config
shot 80x16 '' web.folded
says "*config:1: 'nonsense' is not a setting*" "so does a line that is no setting"
echo 'bind x nonsense' >config/flametop/config
shot 80x16 '' web.folded
says "*config:1: unknown command 'nonsense'*" "and an unknown command"
for key in '<C-c>' '<C-z>' '<C-\>'; do
	echo "bind $key down" >config/flametop/config
	shot 80x16 '' web.folded
	exits 2 "a key of the terminal's own is not bound"
	says "*config:1: *is a signal in a terminal and cannot be bound" "$key: and why"
done
printf 'bind <C-c> interrupt\nbind <C-z> suspend\n' >config/flametop/config
shot 80x16 '' web.folded
exits 0 "to what it does anyway it may be"
printf 'bind q down\n' >config/flametop/config
shot 120x16 '' web.folded
prints "*^C quit*" "where no other key quits, the footer names Ctrl-C"
printf 'bind q down\nbind w down\n' >config/flametop/config
shot 200x16 '' web.folded
like "$(printf '%s\n' "$out" | grep -c 'write write')" 0 "and a command without a key is no hint"
for line in 'sort = sideways' 'nonsense' 'bind x nonsense' 'no-mouse = yes' 'width = 100' 'mouse = maybe' 'ascii ='; do
	printf '%s\n' "$line" >config/flametop/config
	for output in --to=svg --screen=80x16 --fail-above=1; do
		run "$FLAMETOP" $output --diff=web-before.folded web.folded
		exits 2 "'$line' is an error with $output"
		says "*config:1: *" "which names file and line"
	done
	run "$FLAMETOP" --no-config --to=folded web.folded
	exits 0 "without the configuration it is no error"
	for question in --help --version --to=help --format=help --colors=help --completions=bash --manual; do
		run "$FLAMETOP" $question
		exits 0 "nor is it one for $question"
	done
done
printf 'minwidth = 0.5px\nmouse = no\ncolor = 256\nbackground = dark\n' >config/flametop/config
shot 80x16 '' web.folded
exits 0 "a setting takes the same values as an option"
printf 'inverted = yes\nsort = weight\nminwidth = 3\ncolor = truecolor\ncolors = safe\n' >config/flametop/config
without_command() { sed 's:<metadata>.*</metadata>::'; }
for kind in svg folded text top markdown; do
	run "$FLAMETOP" --no-config --to=$kind web.folded
	plain=$out
	run "$FLAMETOP" --to=$kind web.folded
	# An SVG names the command, which has --no-config.
	is "$(printf '%s\n' "$out" | without_command)" "$(printf '%s\n' "$plain" | without_command)" "--to=$kind writes the same with a configuration"
done
printf 'sort = weight\nascii = no\0yes\n' >config/flametop/config
run "$FLAMETOP" --screen=80x16 --keys= web.folded
exits 2 "a NUL byte ends no line"
says "*config:2: a NUL byte*" "and is named"
rm config/flametop/config
mkfifo config/flametop/config
run timeout 20 "$FLAMETOP" --screen=80x16 --keys= web.folded
exits 1 "a configuration that is a pipe is not waited for"
says "*config: not a regular file*" "and is named"
rm config/flametop/config
ln -s /dev/null config/flametop/config
run "$FLAMETOP" --screen=80x16 --keys= web.folded
exits 0 "one that is /dev/null is empty"
rm config/flametop/config
mkdir config/flametop/config
run "$FLAMETOP" --screen=80x16 --keys= web.folded
exits 1 "one that is a directory cannot be read"
says "*config: cannot read*" "and is named"
rmdir config/flametop/config
echo 'inverted = yes' >config/flametop/config
chmod 0 config/flametop/config
find_another_user
chmod 644 web.folded
if $as_other test ! -r config/flametop/config; then
	# shellcheck disable=SC2086 # words
	{
		run $as_other "$program" --to=folded web.folded
		exits 0 "a configuration that may not be read is none of a file's"
		is "$err" "" "and no word is lost on it"
		run $as_other "$program" --screen=80x16 web.folded
		exits 0 "nor is it an error in the viewer"
		says "flametop: *config: settings are not read: cannot open: Permission denied" "which says so"
	}
else
	skip 4 "this user may read everything"
fi
rm -f config/flametop/config

mkfifo unread.svg
shot 80x16 'wunread.svg<Enter><Enter>' web.folded
prints "*unread.svg is a pipe*" "a pipe without a reader is not waited for"

done_testing
