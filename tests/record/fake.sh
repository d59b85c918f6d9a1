# fake.sh - a fake perf with the command line of perf: `. "$source/tests/record/fake.sh"` after tap.sh.
# shellcheck shell=sh
#
#	fake_perf <<'END'    makes it of a script that has $mode (record, script), the files $out and $in, and the command
#	                     as "$@"; exports $PERF. Its command lines go to $LOG, if that is set.

fake_perf() {
	{
		cat <<'BEGINNING'
#!/bin/sh
[ -z "${LOG-}" ] || {
	printf '%s' perf
	printf ' %s' "$@"
	echo
} >>"$LOG"
mode=$1 out=perf.data in='' last=''
for word; do
	shift
	[ "$word" != -- ] || break
	case $last in
	-o) out=$word ;;
	-i) in=$word ;;
	esac
	last=$word
done
BEGINNING
		cat
	} >perf
	chmod +x perf
	PERF=$PWD/perf
	export PERF
}
