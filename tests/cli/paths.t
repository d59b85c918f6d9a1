#!/bin/sh
# Paths of 3,000 bytes: for every use of a file and every failure, the message ends with the reason.
. "$(dirname "$0")/../tap.sh"

part=$(printf '%0199d' 0)
long=$dir/deep
while [ ${#long} -lt 2800 ]; do
	long=$long/$part
done
mkdir -p "$long"
LC_ALL=C
XDG_CONFIG_HOME=$dir/none
export LC_ALL XDG_CONFIG_HOME
echo 'main;work 10' >good.folded

tail_is() { # expected end of a line on standard error, name
	case $err in
	*"$1") tap_result 0 "$2" ;;
	*) tap_result 1 "$2" "standard error: $err" ;;
	esac
}

ends_with() { # exit status, expected end, name, command...
	expected_status=$1 expected=$2 name=$3
	shift 3
	run "$@"
	exits "$expected_status" "$name: fails"
	tail_is "$expected" "$name: the reason stands at the end"
}

missing='No such file or directory'
ends_with 1 "$missing" "an input that is not there" "$FLAMETOP" -o - --to=folded "$long/none"
ends_with 1 "Is a directory" "an input that is a directory" "$FLAMETOP" -o - --to=folded "$long"
ends_with 1 "$missing" "an output into no directory" "$FLAMETOP" -o "$long/none/out.svg" good.folded
ends_with 1 "Is a directory" "an output onto a directory" "$FLAMETOP" --to=svg -o "$long" good.folded
ends_with 1 "$missing" "a profile to compare with" "$FLAMETOP" -o - --to=folded --diff="$long/none" good.folded
ends_with 1 "$missing" "attributes of frames" "$FLAMETOP" -o out.svg --nameattr="$long/none" good.folded
ends_with 1 "$missing" "colours to keep" "$FLAMETOP" -o out.svg --cp="$long/none/map" good.folded
ends_with 1 "$missing" "a directory for temporary files" \
	env TMPDIR="$long/none" PERF=true "$FLAMETOP" record -o out.folded true

echo 'not a palette' >"$long/map"
ends_with 1 "(expected lines like 'name->rgb(red,green,blue)')" "an invalid palette" \
	"$FLAMETOP" -o out.svg --cp="$long/map" good.folded
mkdir "$long/flametop"
echo 'nothing = 1' >"$long/flametop/config"
ends_with 2 "unknown setting 'nothing'" "a configuration" \
	env XDG_CONFIG_HOME="$long" "$FLAMETOP" --screen=80x24 good.folded

# Errors in the files' contents.
printf 'main;work x\n' >"$long/bad"
ends_with 1 "no stacks found" "a file without stacks" "$FLAMETOP" -o - --to=folded --format=folded "$long/bad"
says "*not a folded stack (expected 'frame;frame;frame count')*" "and the message gives the reason"
printf 'main;work 10\nmain;work x\n' >"$long/some"
run "$FLAMETOP" -o - --to=folded "$long/some"
exits 0 "a file with a bad line is read"
tail_is ":2: not a folded stack (expected 'frame;frame;frame count'): main;work x" "and the note says which line, and why"
printf '[{"pid":1,"tid":1,"ts":1,"ph":"X","name":"a","dur":5},\n{"name" "x"}]' >"$long/cut"
run "$FLAMETOP" -o - --to=folded "$long/cut"
exits 0 "a file that cannot be read to its end is read"
tail_is "/cut: the rest could not be read: cut:2: unexpected '\"' (expected ':')" "and the note says why"
{ printf '\037\213\010\000'; echo rubbish; } >"$long/bad.gz"
run "$FLAMETOP" -o - --to=folded "$long/bad.gz"
exits 1 "a broken compressed file fails"
says "*/bad.gz: *" "and is named to its end"

# A fake perf.
printf 'PERFILE2%0100d' 0 >"$long/perf.data"
cat >perf <<'EOF'
#!/bin/sh
for file; do :; done
echo "failed to open $file: Permission denied" >&2
exit 3
EOF
chmod +x perf
ends_with 1 "Permission denied" "a recording that perf cannot open" \
	env PERF="$dir/perf" "$FLAMETOP" -o - --to=folded "$long/perf.data"
says "*status 3*" "and the message gives perf's status"
ends_with 1 "$missing" "a recording that is not there" "$FLAMETOP" record --perfdata="$long/none" -o out.folded
cat >perf <<'EOF'
#!/bin/sh
[ "$1" = record ] || exec echo 'main;work 10'
EOF
ends_with 1 "$missing" "a recording's output" env PERF="$dir/perf" "$FLAMETOP" record -o "$long/none/out.folded" true
ends_with 127 "command not found" "a command that is not there" "$FLAMETOP" record -o out.folded "$long/none"
ends_with 1 "which PERF names in the environment" "a perf that is not there" \
	env PERF="$long/none" "$FLAMETOP" record -o out.folded true

# A screen has less room: of several files, the path is shortened; that of one stands in the header.
run "$FLAMETOP" --screen=120x16 "$long/some" good.folded
prints "*/*..*/some:2: not a folded stack (*(M shows all notes)*" "the screen has both ends of the path, and the reason"
run "$FLAMETOP" --screen=80x16 "$long/some"
prints "*line 2: not a folded stack (expected*(M shows all notes)*" "the path of the only file leaves its room to the reason"
run "$FLAMETOP" --screen=80x16 --keys="w$long/none/out.svg<Enter>" good.folded
prints "*/none/out.svg: cannot write: $missing*" "a failed write from the viewer gives the reason"

done_testing
