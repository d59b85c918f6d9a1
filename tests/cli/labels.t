#!/bin/sh
# Labels of pprof: every way to ask for one gives the same weight, and what is wrong is said.
. "$(dirname "$0")/../tap.sh"

cp "$source/tests/data/collapse/pprof/labels.in" labels.pb
all() { awk '{ s += $NF } END { printf "%d\n", s }'; }
folded() { "$FLAMETOP" -q --value=samples --to=folded "$@" labels.pb; }

for pair in user,bob user,carol user,alice bytes,128kB latency,15ms path,/x pages,7; do
	key=${pair%,*} value=${pair#*,}
	focused=$(folded "--tagfocus=$key=(*NAME)$value$([ "$key" != path ] || echo ,y=1)" | all)
	ignored=$(folded "--tagignore=$key=(*NAME)$value$([ "$key" != path ] || echo ,y=1)" | all)
	split=$(folded "--split=label:$key" | grep -e "^[^;]*[=,]${value}[,;]" | all)
	is "$focused" "$split" "$key=$value: --tagfocus keeps what --split shows"
	is "$ignored" "$((63 - focused))" "and --tagignore the rest"
done
is "$(folded --tagfocus=user=alice | all)" 5 "a sample may have two labels of a key"
is "$(folded --tagfocus=user=alice --tagfocus=user=carol | all)" 4 "several filters must all match"
is "$(folded --tagfocus=alice,carol | all)" 4 "so must expressions with commas"
is "$(folded --split=label:user --split=label:user | sort)" "$(folded --split=label:user | sort)" "a key splits once"
is "$(folded --split=label:user --split=label:bytes --split=comm | sed 's/;.*//' | sort -u | wc -l)" 4 "several keys split"
is "$(folded --split=label:user --hide='^user=bob$' | grep -c '^main')" 2 "its frames can be filtered as those of threads"
is "$(folded --tagfocus=pages=:128kb | all)" 32 "a number of no known unit counts as one of the range, as in pprof"
is "$(folded --reverse --tagfocus=bytes=128kb: | all)" 3 "from the leaves, too"

run "$FLAMETOP" --value=samples --to=folded --tagfocus=user=alice labels.pb
is "$err" "flametop: 92.1% of samples is left out by --tagfocus" "what is left out is said"
run "$FLAMETOP" --value=samples --to=folded --tagfocus=nobody labels.pb
says "*--tagfocus=nobody matches no label*" "a label that no sample has is named"
printf 'a;b 1\n' >plain.folded
run "$FLAMETOP" --to=folded --tagfocus=user=alice plain.folded
says "*matches no label*" "as in a profile without labels"
run "$FLAMETOP" --to=folded --tagignore=user=alice plain.folded
is "$out" 'a;b 1' "where none is ignored"
run "$FLAMETOP" --to=folded '--tagfocus=user=a(b' labels.pb
exits 2 "a bad expression is refused"
says "*bad pattern 'a(b'*" "and named"
run "$FLAMETOP" --to=folded --split=label: labels.pb
exits 2 "a split by no key is refused"
run "$FLAMETOP" --to=text --width=100 --value=samples --tagfocus='user=(*NAME)bob' --tagignore=bytes=1kb: labels.pb
prints '*label user=bob*no label bytes=1kb:*' "a picture says what it shows"
run "$FLAMETOP" --value=samples --to=markdown --view=table --split=label:user --diff=labels.pb --tagfocus=user=bob labels.pb
prints '*34 samples before, 34 after*' "a comparison is filtered on both sides"

# ---- the viewer ----
run "$FLAMETOP" --screen=120x24 --keys='TGC' labels.pb
prints '*user=carol*' "T lists labels"
run "$FLAMETOP" --screen=200x24 --keys='T/carol<Enter><Enter>C' labels.pb
prints "*flametop --tagfocus='user=(?NAME)carol' labels.pb*" "C writes the one that was picked"
run "$FLAMETOP" --screen=200x24 --split=label:path --split=comm --keys='C' labels.pb
prints "*flametop --split=label:path --split=comm labels.pb*" "and splits"
run "$FLAMETOP" --screen=200x24 '--split=label:a b' --keys='C' labels.pb
prints "*flametop --split=label:'a b' labels.pb*" "in quotes where needed"
run "$FLAMETOP" --screen=80x24 --keys='T' plain.folded
prints '*does not tell threads apart*' "T says if there is nothing to list"
# A key that no sample has is a slip of the fingers.
run "$FLAMETOP" --no-config --to=folded --split=label:usr labels.pb
says "*warning: --split=label:usr: no sample has this label (labels: user, bytes, latency, path, pages)*" "an unknown label: those there are"
run "$FLAMETOP" --no-config --to=folded --tagfocus=usr=bob labels.pb
says "*warning: --tagfocus=usr=bob matches no label (labels: user, bytes, latency, path, pages)*" "in a filter, too"
run "$FLAMETOP" --no-config --screen=100x10 --split=label:usr labels.pb
prints "*no sample has this label (labels: user, bytes, latency, path, pages)*" "and in the viewer"
printf 'a;b 1\n' >plain.folded
run "$FLAMETOP" --no-config --to=folded --split=label:usr plain.folded
says "*no sample has this label (no sample has labels)*" "a profile without labels"

is "$(folded --tagroot=user,path)" "$(folded --split=label:user --split=label:path)" "--tagroot is pprof's way to say it"
run "$FLAMETOP" --no-config --tagroot=user, --to=folded labels.pb
exits 2 "a key is missing"
run "$FLAMETOP" --no-config --screen=100x20 --tagroot=user,path --keys=C labels.pb
prints "*--split=label:user --split=label:path*" "C has the splits"

done_testing
