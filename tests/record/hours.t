#!/bin/sh
# An hour of samples, as fast as they can be read: memory for them stays small.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"

[ -r /proc/self/status ] || skip_all "there is no /proc to ask for memory"
[ -z "${TESTS_SANITIZED:-}" ] || skip_all "sanitizers take memory of their own"

# perf script's text of n samples, a thousand a second, of a thousand stacks in four threads.
cat >samples.awk <<'END'
BEGIN {
	for (i = 0; i < n; i++) {
		k = i * 7919 % 1000
		printf "w 10/%d %d.%03d: 1000000 cycles: \n", 10 + i % 4, i / 1000, i % 1000
		printf "\t 1 leaf_%d+0x1 (/bin/w)\n\t 2 mid_%d+0x2 (/bin/w)\n\t 3 main+0x3 (/bin/w)\n\n", k % 25, k / 25
	}
}
END
cat >view <<END
#!/bin/sh
echo \$\$ >pid
exec '$FLAMETOP' --no-config "\$@"
END
chmod +x view
term_start 150 16

hour() { # most megabytes, text of the header, name, options
	most=$1 header=$2 name=$3
	shift 3
	rm -f pid
	type_line "clear; awk -v n=3600000 -f samples.awk | ./view $*"
	tries=0
	until matches "*$header*rows 1-5 of 5*" && matches_not "*reading*"; do
		tries=$((tries + 1))
		[ "$tries" -lt 300 ] || break
		sleep 0.2
	done
	like "$(screen)" "*$header*" "$name"
	peak=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$(cat pid)/status")
	[ "${peak:-999999999}" -lt $((most * 1024)) ]
	tap_result $? "$name: in less than $most MB" "$peak kB"
	leave
}

# Without bounds, the log and its copies take 290 MB and more, and go on growing. Within them the peak is 135 to
# 213 MB: it depends on how many copies are made while old samples are added up.
hour 240 "cycles 3.6 T " "an hour without a window is there from its beginning"
shows "*were added up to save memory*" "and a message says so"
hour 40 "cycles 10 G *last 10 s" "an hour with a window" --window=10
# 86.6 G at the end; rounding of old times, which depends on when snapshots are made, changes it a little.
hour 240 "cycles 86.[0-9] G *halved every 60 s" "an hour that fades" --decay=60

# A source without times: times of arrival.
type_line "clear; (echo 'a;b 1'; until [ -e go ]; do sleep 0.05; done; echo 'a;c 2') | $FLAMETOP -f folded --window=1000"
shows "*stdin  1 sample*last 1000 s*" "samples without times get the time of their arrival"
touch go
shows "*stdin  3 samples*last 1000 s*" "and a window counts from there"
leave

# A window requested later: earlier samples count as just arrived.
rm go
type_line "clear; (echo 'a;b 1'; until [ -e go ]; do sleep 0.05; done; echo 'a;c 2'; until [ -e more ]; do sleep 0.05; done; echo 'a;d 4'; until [ -e end ]; do sleep 0.05; done) | $FLAMETOP -f folded"
shows "*stdin  1 sample*" "a source without times comes in"
keys W j Enter
shows "*last 1 s*" "a window can be picked all the same"
touch go
shows "*stdin  3 samples*last 1 s*" "samples within it are added"
sleep 1.1 # at least this long since then
touch more
shows "*stdin  4 samples*last 1 s*42.9% excluded*" "and slides by the times of arrival"
touch end
leave

done_testing
