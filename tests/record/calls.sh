# shellcheck shell=sh
# calls.sh - checks the stacks of a running interpreter against the source of its program.
#
#	program()   work(3); # caller        each line of the program that calls tells whose line it is
#	legal       callee caller            which calls there are, a line each
#
#	check_calls PROGRAM SAMPLES LEGAL "..."
#
# Each call in each stack of SAMPLES (tests/tools/language_samples) has to be at such a line. Others are of two
# moments. Names count without what tells anonymous functions apart, and without what is before a dot or a #; blanks
# are underscores. With "how" (the standard error of that tool), nothing is claimed if the reader had no real-time
# priority.

cat >calls.awk <<'END'
BEGIN {
	FS = "\t"
	while ((getline line <program) > 0)
		if (++n && match(line, /# [A-Za-z_.<>=:(){}\\]+$/))
			caller[n] = plain(substr(line, RSTART + 2))
	while ((getline line <legal) > 0) {
		split(line, w, " ")
		is_legal[plain(w[1]), plain(w[2])] = 1
	}
}
function plain(name) {
	sub(/__ANON__\[.*/, "__ANON__", name)
	sub(/.*[{]closure.*/, "{closure}", name)
	gsub(/ /, "_", name)
	sub(/[A-Za-z:]+#/, "", name)
	sub(/.*\./, "", name)
	return name
}
# "name:file:line*"
function parse(text, f) {
	sub(/\*$/, "", text)
	match(text, /:[0-9]+$/)
	f["line"] = substr(text, RSTART + 1)
	text = substr(text, 1, RSTART - 1)
	match(text, /:[^:]*$/)
	f["file"] = substr(text, RSTART + 1)
	f["name"] = plain(substr(text, 1, RSTART - 1))
}
$1 == "S" || $1 == "M" {
	stacks++
	bad = m = 0
	for (i = 3; i <= NF; i++)
		if ($i != "[cut]" && $i != "[loop]")
			frame[++m] = $i
	for (i = 1; i < m; i++) {
		parse(frame[i], callee)
		parse(frame[i + 1], f)
		if (f["file"] != program || (callee["file"] != program && callee["file"] != "") || f["line"] == 0)
			continue
		calls++
		if (caller[f["line"]] != f["name"] || !((callee["name"], f["name"]) in is_legal))
			bad = 1
	}
	torn += bad
	if (bad && torn == 1)
		print "torn: " $0 >"/dev/stderr"
}
END { print stacks + 0, torn + 0, calls + 0 }
END

check_calls() {
	awk -v program="$1" -v legal="$3" -f calls.awk "$2" >counts 2>torn
	read -r stacks torn calls <counts
	if [ "$(tail -1 how)" = "how 0" ] && [ "$stacks" -gt 0 ]; then
		ok "$4: $calls calls in $stacks stacks ($torn are not: $(head -c 300 torn))" [ "$torn:$((calls > 0))" = 0:1 ]
	else
		skip 1 "no right for real-time priority: $torn of $stacks stacks may mix two moments"
	fi
}
