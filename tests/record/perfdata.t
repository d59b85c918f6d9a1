#!/bin/sh
# What our reader makes of recordings of the real perf: the same samples as perf script says, in the same order.
. "$(dirname "$0")/../tap.sh"

PERF=$(command -v perf) || skip_all "perf is not installed"
reader=${FLAMETOP_BUILD:-$source/build}/tests/tools/perfdata
[ -x "$reader" ] || skip_all "the test's reader is not built"
"$PERF" record -q -e cpu-clock -o probe.data -- true >/dev/null 2>&1 || skip_all "perf may not sample here"
"$PERF" script -i probe.data >/dev/null 2>&1 || skip_all "perf cannot read its own recording"

cat >busy.sh <<'END'
i=0
while [ $i -lt 30000 ]; do i=$((i + 1)); done
(i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done) &
ls -R /usr/share/doc /usr/include >/dev/null 2>&1
wait
END

# One line for each sample, as the test's reader prints it. perf leaves the whole chain out if a value in it is no address
# and no marker; such samples are compared without theirs.
script_lines() {
	"$PERF" script -f --no-inline -F comm,pid,tid,time,period,event,ip -i "$1" 2>/dev/null | awk '
	function flush() { if (line != "") print line; line = "" }
	/^ *$/ { flush(); next }
	line == "" {
		sub(/^ +/, "")
		match($0, / +-?[0-9]+\/-?[0-9]+ +/)
		comm = substr($0, 1, RSTART - 1)
		rest = substr($0, RSTART)
		gsub(/ +/, " ", rest)
		sub(/: $/, ":", rest)
		line = comm rest
		next
	}
	{ line = line " " $1 }
	END { flush() }'
}

# Both have the same samples, those of `kept` commands (a pattern) with the same addresses.
compare() { # FILE WORDS [KEPT]
	script_lines "$1" | grep -E "${3:-.}" >theirs
	"$reader" "$1" 2>notes | grep -E "${3:-.}" >ours
	# Up to the event where perf has no chain, which ends with a colon there.
	awk 'NR == FNR { theirs[FNR] = $0; next } {
			mine = $0
			if (theirs[FNR] ~ /:$/)
				mine = substr(mine, 1, length(theirs[FNR]))
			if (mine != theirs[FNR] && ++bad < 3)
				print "perf: " theirs[FNR] "\nours: " $0 }
		END { exit bad > 0 || FNR == 0 }' theirs ours >difference
	is "$(cat difference)" "" "$2: all samples are those of perf script"
	is "$(wc -l <ours)" "$(wc -l <theirs)" "$2: there are as many"
	ok "$2: there are some" test -s ours
	is "$(cat notes)" "" "$2: nothing is odd"
}

# The same without addresses, or with that of the instruction alone.
compare_lines() { # FILE FIELDS WORDS
	"$PERF" script -f --no-inline -F "$2" -i "$1" 2>/dev/null | awk '{
		sub(/^ +/, "")
		match($0, / +-?[0-9]+\/-?[0-9]+ +/)
		comm = substr($0, 1, RSTART - 1)
		rest = substr($0, RSTART)
		gsub(/ +/, " ", rest)
		sub(/ $/, "", rest)
		print comm rest }' >theirs
	"$reader" "$1" >ours
	case $2 in *ip) ;; *) sed -i 's/: [0-9a-f ]*$/:/' ours ;; esac
	ok "$3: all samples are those of perf script" cmp -s theirs ours
}

record() { # OPTIONS, before the command
	"$PERF" record -q -e cpu-clock -F 499 "$@" -- sh busy.sh 2>/dev/null
}

# Some kernels and builds of perf cannot do everything.
try() { # WORDS FILE OPTIONS...
	words=$1 file=$2
	shift 2
	case $file in
	*.pipe) record "$@" -o - >"$file" ;;
	*) record "$@" -o "$file" ;;
	esac && return
	skip 1 "$words: perf does not record that here"
	return 1
}

try "with call chains" a.data -g && compare a.data "$words"
try "packed" b.data -g -z && compare b.data "$words"
try "without call chains" c.data && compare_lines c.data comm,pid,tid,time,period,event,ip "$words"
try "through a pipe" d.pipe -g && compare d.pipe "$words"
try "packed, through a pipe" e.pipe -g -z && compare e.pipe "$words"
# Of other programs that came and went, perf may have forgotten the maps.
try "of all processors" f.data -a -g && compare f.data "$words" '^(sh|ls) '
try "several events" g.data -g -e page-faults,context-switches && compare g.data "$words"
try "with further records" h.data -g --namespaces --switch-events --buildid-mmap && compare h.data "$words"
# perf would unwind these.
try "with dumps of the stack" i.data --call-graph dwarf,1024 &&
	compare_lines i.data comm,pid,tid,time,period,event "$words"

done_testing
