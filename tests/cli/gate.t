#!/bin/sh
# What --fail-above prints: first the functions that grew themselves; their callers only with -v.
. "$(dirname "$0")/../tap.sh"

gate() { # OPTIONS...: the lines of functions, in $lines
	run "$FLAMETOP" --fail-above=5 --to=folded "$@"
	lines=$(printf '%s\n' "$err" | sed -n 's/^flametop:   \([^:(]*[^:( ]\).*/\1/p' | tr '\n' ' ')
}

# A deep cause: the callers' totals grow by as much. `other` grew itself, but less.
cat >before.folded <<'END'
main;run;parse;lex;next 1000
main;run;parse 1000
main;run;other 1000
main;idle 7000
END
cat >after.folded <<'END'
main;run;parse;lex;next 3000
main;run;parse 1000
main;run;other 2000
main;idle 4000
END
gate --diff=before.folded after.folded
exits 3 "growth trips the gate"
says "*5 functions grew by more than 5 points*" "which counts all that grew"
is "$lines" "next other and 3 callers of these " "functions that grew themselves are listed, the one that grew most first"
says "*  and 3 callers of these (-v lists them)*" "and their callers are counted"
says "*next: self +20.0 (10.0% -> 30.0%*, total +20.0 (10.0% -> 30.0%*" "both changes are given"
gate -v --diff=before.folded after.folded
exits 3 "with -v the status is the same"
is "$lines" "next other run lex parse " "and callers follow, the one whose total grew most first"
gate --diff=before.folded --reverse after.folded
is "$lines" "next other and 3 callers of these " "merged from the leaves it is the same list"
gate --diff=before.folded --flamechart after.folded
is "$lines" "next other and 3 callers of these " "and for a flame chart"
gate --diff=before.folded '--zoom=main;run;parse' after.folded
is "$lines" "next and 2 callers of it " "below a zoom only its functions count"
gate -q --diff=before.folded after.folded
is "$lines" "next other and 3 callers of these " "-q does not shorten an error"

# Growth in many small parts: no function grew enough, so the innermost whose total did is the cause.
for i in 1 2 3; do
	printf 'main;run;load;part%d 100\n' $i >&3
	printf 'main;run;load;part%d 400\n' $i >&4
done 3>spread-before.folded 4>spread-after.folded
printf 'main;run 100\nmain;idle 9600\n' >>spread-before.folded
printf 'main;run 100\nmain;idle 8700\n' >>spread-after.folded
gate --diff=spread-before.folded spread-after.folded
exits 3 "growth in parts trips the gate, too"
is "$lines" "load and 1 caller of it " "the innermost function whose total grew is listed"
says "*  and 1 caller of it (-v lists it)*" "one caller is one"

# Two functions that call each other are callers of each other.
printf 'f;g;f;a 100\ng;f;g;b 100\nidle 9800\n' >mutual-before.folded
printf 'f;g;f;a 500\ng;f;g;b 500\nidle 9000\n' >mutual-after.folded
gate --diff=mutual-before.folded mutual-after.folded
is "$lines" "f g " "if that leaves nothing to list, callers are listed"
printf 'f;f;f;a 100\nf;f;b 100\nidle 9800\n' >self-before.folded
printf 'f;f;f;a 500\nf;f;b 500\nidle 9000\n' >self-after.folded
gate --diff=self-before.folded self-after.folded
is "$lines" "f " "a function is no caller of itself"
gate --diff=self-before.folded --reverse self-after.folded
is "$lines" "f " "merged from the leaves neither"


# Filters that leave nothing of one side.
printf 'x;a 5\n' >old.folded
printf 'x;a 5\ny;b 900\ny;c 10\n' >new.folded
run "$FLAMETOP" --diff=old.folded --absolute --focus=y --fail-above=5 --to=top new.folded
exits 3 "weights without a baseline are growth"
says "*b: self +900 (0 -> 900, standard error 30*" "with the error of their counts"
run "$FLAMETOP" --diff=old.folded --focus=y --fail-above=5 --to=top new.folded
exits 2 "shares without a baseline cannot be judged"
says "*--fail-above judges nothing here: nothing of the baseline is left to compare with*" "which is said"
run "$FLAMETOP" --diff=old.folded --absolute --ignore=. --fail-above=5 --to=top new.folded
exits 2 "nor can nothing at all"
run "$FLAMETOP" --diff=new.folded --focus=y --fail-above=5 --to=top old.folded
exits 2 "nor shares of nothing"
says "*nothing of the new profile is left*" "which is said"
run "$FLAMETOP" -q --diff=old.folded --focus=y --to=json new.folded
like "$out" '*"change":100.00,"error":null,"is_noise":true*' "in JSON the error is unknown then"
run "$FLAMETOP" --no-config --diff=old.folded --focus=y --screen=100x12 --keys=k new.folded
like "$out" "*total  unknown *0.00 -> 100.00*" "so it is on the screen"
is "$(echo "$out" | grep -c '±0')" 0 "which is no error of zero"
# Weights of one event have as many samples if all events are asked for.
printf '# unit: ms\na;b 1000\na;c 500\n' >before.folded
printf '# unit: ms\na;b 1000\na;c 800\n' >after.folded
for event in '' --event=all; do
	run "$FLAMETOP" --diff=before.folded $event --fail-above=5 --to=top after.folded
	exits 0 "a few long samples prove nothing ${event:-by default}"
	prints "*2 samples before, 2 after*" "since they are few"
done

# callgrind's numbers are those of lines, whether the lines are shown or added up.
costs() { # cost of a line of main, of parse; unit
	printf 'events: %s\nfl=a.c\n' "$3"
	for fn in main parse; do
		echo "fn=$fn"
		awk -v n="$([ $fn = main ] && echo "$1" || echo "$2")" 'BEGIN { for (i = 1; i <= 400; i++) print i, n }'
	done
}
for event in Ir 'Time_(10ns)'; do
	costs 1000 1000 "$event" >before.callgrind
	costs 1000 2500 "$event" >after.callgrind
	for more in '' --hot-lines; do
		run "$FLAMETOP" --diff=before.callgrind $more --fail-above=1 --to=json after.callgrind
		exits 3 "$event: growth of costs trips the gate ${more:+also with $more}"
		printf '%s\n' "$out" | grep -o '"samples_before":[^}]*' >"verdict$more"
	done
	ok "$event: lines do not change the number of samples" cmp verdict verdict--hot-lines
done
for more in '' --hot-lines; do # half of the profile, in sampling periods
	costs 1000000 1000000 'Time_(10ns)' >before.callgrind
	costs 1000000 1010000 'Time_(10ns)' >after.callgrind
	run "$FLAMETOP" --diff=before.callgrind $more --to=top after.callgrind
	prints "*800 samples before, 80,400 after*" "numbers that are sampling periods count as such ${more:+also with $more}"
done

done_testing
