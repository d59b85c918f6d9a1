#!/bin/sh
# Runtimes that can name the functions that they compile: what is advised, and --enable-perfmap. The runtimes are
# made up, so that they can answer with anything; those that are installed follow at the end.
. "$(dirname "$0")/../tap.sh"

unset PERF
command -v cc >/dev/null || skip_all "no compiler"
[ "$(uname -m)" = x86_64 ] || skip_all "the code is for x86-64"
# fake KIND ANSWER SECONDS: runs code that it has made, and answers as KIND does.
cat >fake.c <<'EOF2'
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
static const unsigned char code[] = {0xb9, 0x00, 0x00, 0x10, 0x00, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
static const char version[] = "node-v20.11.1.tar.gz";
static const char *kind, *answer;
static char *made;
static int server = -1, n_maps;
static volatile sig_atomic_t has_quit;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void quit(int sig)
{
	(void)sig;
	has_quit = 1;
}

static void listen_at(const char *path)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
	server = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	unlink(path);
	if (bind(server, (struct sockaddr *)&a, sizeof a) != 0 || listen(server, 5) != 0)
		_exit(3);
}

/* A JVM forgets what it has dropped: the second map has another function. */
static void write_map(void)
{
	char path[200];
	const char *tmp = kind[0] == 'd' ? getenv("TMPDIR") : NULL;
	snprintf(path, sizeof path, "%s/perf-%d.map", tmp ? tmp : "/tmp", (int)getpid());
	FILE *f = fopen(path, "w");
	long lines = strcmp(answer, "large") == 0 ? 100000 : strcmp(answer, "many") == 0 ? 1100000 : 0;
	for (long i = 0; n_maps == 0 && i < lines; i++)
		fprintf(f, "0x%lx 0x10 void Many.f%ld()\n", (unsigned long)made + 4096 + (unsigned long)i, i % 60000);
	if (n_maps++ == 0)
		fprintf(f, "0x%lx 0x10 void Hot.spin()\n", (unsigned long)made);
	else
		fprintf(f, "0x%lx 0x10 void Cold.later(int)\n", (unsigned long)made + 64);
	fclose(f);
}

static void log_bytes(const unsigned char *b, size_t n)
{
	FILE *f = fopen("asked", "a");
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%02x", b[i]);
	fprintf(f, "\n");
	fclose(f);
}

static void serve(void)
{
	static const unsigned char fine[20] = "DOTNET_IPC_V1\0\x14\0\xff\0\0", wrong[20] = "DOTNET_IPC_V1\0\x14\0\xff\xff\0";
	unsigned char words[256];
	int fd = server >= 0 ? accept(server, NULL, NULL) : -1;
	if (fd < 0)
		return;
	log_bytes(words, (size_t)recv(fd, words, sizeof words, 0));
	if (strcmp(answer, "silence") == 0)
		return; /* and stays open */
	if (strcmp(answer, "stop") == 0) {
		struct ucred peer;
		socklen_t n = sizeof peer;
		getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n);
		kill(peer.pid, SIGSTOP);
		return;
	}
	if (strcmp(answer, "garbage") == 0) {
		send(fd, "\033[31m\xff\xfe no answer\n \0", 20, MSG_NOSIGNAL);
	} else if (strcmp(answer, "endless") == 0) {
		char many[4096] = "0\n";
		while (send(fd, many, sizeof many, MSG_NOSIGNAL) > 0)
			;
	} else if (strcmp(answer, "old") == 0) {
		const char *text = "1\njava.lang.IllegalArgumentException: Unknown diagnostic command\n";
		if (kind[0] == 'd')
			send(fd, wrong, sizeof wrong, MSG_NOSIGNAL);
		else
			send(fd, text, strlen(text), MSG_NOSIGNAL);
	} else if (strcmp(answer, "link") == 0 || strcmp(answer, "pipe") == 0) {
		char path[64];
		snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
		unlink(path);
		if (answer[0] == 'l' ? symlink("/etc/passwd", path) : mkfifo(path, 0600))
			_exit(3);
		send(fd, "0\n", 2, MSG_NOSIGNAL);
	} else if (strcmp(answer, "once") == 0 && n_maps > 0) {
		send(fd, "no\n", 3, MSG_NOSIGNAL);
	} else {
		if (kind[0] == 'j' || words[17] == 5)
			write_map();
		if (kind[0] == 'd')
			send(fd, fine, sizeof fine, MSG_NOSIGNAL);
		else
			send(fd, "0\n", 2, MSG_NOSIGNAL);
	}
	close(fd);
}

/* As a JVM: only with the file. */
static void take_quit(void)
{
	char path[64];
	has_quit = 0;
	printf("SIGQUIT\n");
	fflush(stdout);
	snprintf(path, sizeof path, "/tmp/.attach_pid%d", (int)getpid());
	if (access(path, F_OK) != 0 || strcmp(answer, "deaf") == 0)
		return;
	snprintf(path, sizeof path, "/tmp/.java_pid%d", (int)getpid());
	if (server < 0)
		listen_at(path);
}

static void listen_as_dotnet(void)
{
	char path[200], stat[1024] = "", *p;
	unsigned long long begun = 0;
	FILE *f = fopen("/proc/self/stat", "r");
	if (fread(stat, 1, sizeof stat - 1, f) == 0)
		_exit(3);
	fclose(f);
	p = strrchr(stat, ')') + 3; /* after the state */
	for (int i = 4; i <= 22; i++)
		begun = strtoull(p, &p, 10);
	const char *tmp = getenv("TMPDIR");
	snprintf(path, sizeof path, "%s/dotnet-diagnostic-%d-%llu-socket", tmp ? tmp : "/tmp", (int)getpid(), begun);
	listen_at(path);
}

/* From now on, "own" is /tmp. */
static void enter(void)
{
	if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("own", "/tmp", NULL, MS_BIND, NULL) != 0)
		_exit(4);
}

int main(int argc, char **argv)
{
	if (getenv("INSIDE"))
		enter();
	kind = argc > 1 ? argv[1] : "node";
	answer = argc > 2 ? argv[2] : "";
	double end = now() + (argc > 3 ? atof(argv[3]) : 0.5);
	made = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(made, code, sizeof code);
	mprotect(made, 4096, PROT_READ | PROT_EXEC);
	if (kind[0] == 'j' && strcmp(answer, "uncaught") != 0)
		signal(SIGQUIT, quit);
	if (kind[0] == 'd')
		listen_as_dotnet();
	if (strcmp(answer, "map") == 0)
		write_map();
	printf("%d %s\n", (int)getpid(), version);
	fflush(stdout);
	while (now() < end) {
		if (strcmp(kind, "rare") == 0)
			for (volatile int i = 0; i < 40000000; i++)
				;
		((void (*)(void))(uintptr_t)made)();
		if (has_quit)
			take_quit();
		serve();
	}
	return 0;
}
EOF2
cc -O1 -o node fake.c || skip_all "the program cannot be compiled"
echo 'int gHotSpotVMStructs = 1, other;' >vm.c
echo 'int other;' >none.c
mkdir java-21-open java-21-j9 net net/Microsoft.NETCore.App net/Microsoft.NETCore.App/8.0.1
at=$PWD
cc -shared -fPIC -o java-21-open/libjvm.so vm.c && cc -shared -fPIC -o java-21-j9/libjvm.so none.c &&
	cc -shared -fPIC -o net/Microsoft.NETCore.App/8.0.1/libcoreclr.so none.c &&
	cc -O1 -o java fake.c -Wl,--no-as-needed "$at/java-21-open/libjvm.so" &&
	cc -O1 -o j9 fake.c -Wl,--no-as-needed "$at/java-21-j9/libjvm.so" &&
	cc -O1 -o dotnet fake.c -Wl,--no-as-needed "$at/net/Microsoft.NETCore.App/8.0.1/libcoreclr.so" ||
	skip_all "libraries cannot be compiled"
"$FLAMETOP" sample -q -o c.data -- ./node >/dev/null 2>&1 || skip_all "programs cannot be recorded here"

folded() {
	run "$FLAMETOP" --no-config --to=folded "$@"
}

# ---- advice ----------------------------------------------------------------------------------------------------------

node_advice="This is Node 20 without a perf map: start it with --perf-basic-prof --interpreted-frames-native-stack"
folded c.data
is "$err" "flametop: $node_advice" "a recording of a runtime without map says what helps, once, also when it is gone"
run "$FLAMETOP" record -o x.folded -- ./node
says "*$node_advice" "so does the recording itself"
run "$FLAMETOP" --no-config --screen=150x20 --keys=M c.data
prints "*$node_advice*" "and the notes of the viewer"
mv node gone
folded c.data
says "*This is Node without a perf map: start it*" "without the program its version is unknown"
mv gone node

"$FLAMETOP" sample -q -o rare.data -- ./node rare x 1 >/dev/null 2>&1
folded rare.data
is "$err" "" "code that hardly runs needs no advice"

run "$FLAMETOP" sample -q -o map.data -- ./node node map
map=/tmp/perf-${out%% *}.map
folded map.data
is "$err" "" "nor does a process with a map"
prints "*node;*void Hot.spin *" "whose functions have names"
touch -d 2001-01-01 "$map"
folded map.data
says "*$map: written before the process began, not read*$node_advice*" "a map that an earlier process left is refused"
rm -f "$map"

# ---- --enable-perfmap ------------------------------------------------------------------------------------------------

for how in -a --cgroup=/x "--with=perf -p 1"; do
	# shellcheck disable=SC2086 # two words
	run "$FLAMETOP" record -q --enable-perfmap $how -o x.folded
	says "*--enable-perfmap works only for processes, threads and commands that flametop itself samples*" "--enable-perfmap does not go together with $how"
done

# Starts the fake $1 with the answer $2, and records it with the further options. Sets $pid.
target() {
	program=$1 answer=$2
	shift 2
	rm -f asked said
	"./$program" "$program" "$answer" 60 >said 2>&1 &
	pid=$!
	while [ ! -s said ]; do sleep 0.05; done
	began=$(date +%s)
	run "$FLAMETOP" record --duration=0.3 -o t.folded -p $pid "$@"
	took=$(($(date +%s) - began))
}
left() { # nothing of ours is left behind
	[ ! -e "/tmp/.attach_pid$pid" ] && [ ! -e "/tmp/.perf-$pid.map" ]
	tap_result $? "$1"
}
over() {
	kill -0 "$pid" 2>/dev/null
	tap_result $? "$1"
	kill -9 "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	rm -f "/tmp/.java_pid$pid" "/tmp/perf-$pid.map" "/tmp/.attach_pid$pid"
}

target java fine
[ ! -e asked ] && ! grep -q SIGQUIT said
tap_result $? "without the option, a JVM is asked for nothing"
says "*This is Java 21 without a perf map: record it with --enable-perfmap*" "and it is advised"
over "it runs on"

target java fine --enable-perfmap
says "*Java 21 (process $pid): --enable-perfmap made it write the names of its functions to /tmp/perf-$pid.map; stacks end*PreserveFramePointer*" "with it, a line tells what was done to the JVM"
is "$(grep -c SIGQUIT said)" 1 "it gets one SIGQUIT"
[ "$(wc -l <asked)" -ge 2 ] && [ "$(sort -u asked)" = 31006a636d6400436f6d70696c65722e706572666d6170000000 ]
tap_result $? "and the command of jcmd, at the start and at the end" "$(cat asked)"
like "$(cat "/tmp/perf-$pid.map")" "*void Hot.spin()*void Cold.later(int)" "the map has the functions of both"
ok "which the stacks show" grep -q ';void Hot.spin ' t.folded
left "no file is left behind"
run "$FLAMETOP" record --enable-perfmap --duration=0.3 -o t.folded -p $pid
is "$(grep -c SIGQUIT said)" 1 "a JVM that listens already gets no signal"
[ "$(wc -l <"/tmp/perf-$pid.map")" -eq 1 ]
tap_result $? "functions of another recording are left out"
over "the JVM runs on"

target java uncaught --enable-perfmap
says "*no perf map: it does not listen, and has no handler for SIGQUIT*" "a JVM without handler for SIGQUIT is told of"
over "and gets no signal, which would end it"
target j9 fine --enable-perfmap
[ ! -e asked ] && ! grep -q SIGQUIT said
tap_result $? "a libjvm.so that is not HotSpot's is left alone"
over "and runs on"
JAVA_TOOL_OPTIONS=-XX:+DisableAttachMechanism
export JAVA_TOOL_OPTIONS
target java fine --enable-perfmap
unset JAVA_TOOL_OPTIONS
says "*no perf map: it was started with -XX:+DisableAttachMechanism*" "one that forbids it is not asked"
is "$(grep -c SIGQUIT said)" 0 "and gets no signal"
over "and runs on"

for case in "old:only Java 17 and newer can write it" "garbage:it gives no answer that makes sense" \
	"endless:it gives no answer that makes sense" "silence:it gives no answer that makes sense" "deaf:it does not answer" \
	"stop:the process that asks it was stopped" "link:it has written no file that can be read" "pipe:it has written no file that can be read"; do
	answer=${case%%:*}
	target java "$answer" --enable-perfmap
	says "*process $pid*: no perf map: ${case#*:}*" "a JVM that answers $answer is told of"
	[ "$took" -le 20 ]
	tap_result $? "in bounded time" "$took s"
	left "without a file left behind"
	over "it runs on"
done

# Large maps.
both() { # name: the map has the functions of both answers
	like "$(tail -n 2 "/tmp/perf-$pid.map")" "*void Hot.spin()*void Cold.later(int)" "$1"
}
target java large --enable-perfmap
says "*(process $pid): --enable-perfmap made it write*" "a JVM with a map of 4 MB"
both "its functions that are gone are kept"
is "$(grep -c Many "/tmp/perf-$pid.map")" 100000 "all of them, once"
left "no file is left behind"
over "it runs on"
target java many --enable-perfmap
says "*(process $pid): functions that it has dropped lose their names: its map has more than a million lines*" "one with more lines than are kept is told of"
is "$(grep -c . "/tmp/perf-$pid.map")" 1 "its last map is left as it is"
left "no file is left behind"
over "it runs on"
target java once --enable-perfmap
says "*(process $pid): --enable-perfmap made it write*(process $pid): its perf map may lack functions: it gives no answer that makes sense*" "a JVM that fails later is told of, too"
over "it runs on"
target java once --enable-perfmap --quiet
is "$err" "" "--quiet: it is not"
over "it runs on"

# What is in the map's place already would be written into.
for case in link fifo directory hard; do
	rm -f asked said victim
	echo precious >victim
	./java java fine 60 >said 2>&1 &
	pid=$!
	while [ ! -s said ]; do sleep 0.05; done
	case $case in
	link) ln -s "$PWD/victim" "/tmp/perf-$pid.map" ;;
	fifo) mkfifo "/tmp/perf-$pid.map" ;;
	directory) mkdir "/tmp/perf-$pid.map" ;;
	hard) cp victim /tmp/flametop-victim.$$ && ln "/tmp/flametop-victim.$$" "/tmp/perf-$pid.map" ;;
	esac
	run "$FLAMETOP" record --duration=0.3 -o t.folded -p $pid --enable-perfmap
	says "*no perf map: perf-$pid.map is there already, and no file of its own*" "$case in the map's place: that is said"
	[ ! -e asked ] && ! grep -q SIGQUIT said
	tap_result $? "$case: and the JVM is asked for nothing"
	rm -rf "/tmp/perf-$pid.map" /tmp/flametop-victim.$$
	is "$(cat victim)" precious "$case: nothing is written elsewhere"
	over "$case: it runs on"
done
target java old --enable-perfmap
[ ! -e "/tmp/perf-$pid.map" ]
tap_result $? "a JVM that writes no map leaves no empty one"
over "and runs on"

# Somebody else listens there.
./java java fine 60 >other 2>&1 &
other=$!
while [ ! -s other ]; do sleep 0.05; done
run "$FLAMETOP" record -q --enable-perfmap --duration=0.2 -o x.folded -p $other
target java fine
rm -f asked
ln -s ".java_pid$other" "/tmp/.java_pid$pid"
run "$FLAMETOP" record --enable-perfmap --duration=0.2 -o x.folded -p $pid
says "*no perf map: .java_pid$pid is no socket of its user*" "a link in the socket's place is not followed"
rm "/tmp/.java_pid$pid"
ln "/tmp/.java_pid$other" "/tmp/.java_pid$pid" 2>/dev/null
run "$FLAMETOP" record --enable-perfmap --duration=0.2 -o x.folded -p $pid
says "*no perf map: another process listens at .java_pid$pid*" "nor is a socket of another process used"
ok "neither was asked" sh -c '! grep -q . asked'
over "the target runs on"
pid=$other
over "and so does the other"

# In a container, with a number and a /tmp of its own.
mkdir own && rm -f asked said
INSIDE=1 unshare -pf ./java java fine 60 >said 2>&1 &
outer=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s said ] || sleep 0.1; done
pid=$(cat /proc/$outer/task/$outer/children 2>/dev/null)
pid=${pid%% *}
if [ -n "$pid" ] && grep -q '^1 ' said; then
	run "$FLAMETOP" record --enable-perfmap --duration=0.5 -o t.folded -p "$pid"
	says "*(process $pid): --enable-perfmap made it write the names of its functions to /tmp/perf-1.map*" "a container's JVM is asked in its own /tmp, by its own number"
	like "$(cat own/perf-1.map)" "*void Hot.spin()*void Cold.later(int)" "where it writes its map"
	ok "which is read" grep -q ';void Hot.spin ' t.folded
	is "$(ls -A own)" ".java_pid1
perf-1.map" "and nothing else is left"
	kill -9 "$pid"
else
	skip 4 "no namespaces here: $(cat said)"
fi
wait $outer 2>/dev/null

# A command, whose runtime begins later, in a child.
run "$FLAMETOP" record --enable-perfmap -o t.folded -- sh -c 'sleep 0.1; ./java java fine 1.5; exit 0'
says "*Java 21 (process *): --enable-perfmap made it*" "what a command starts is asked, too"
ok "and has its functions" grep -q ';void Hot.spin ' t.folded
map=$(printf '%s\n' "$err" | sed -n 's/.*functions to \([^;]*\);.*/\1/p')
rm -f "$map" "/tmp/.java_pid$(printf '%s' "$map" | tr -cd 0-9)"

# Another process gets the number of a target that has ended.
cat >again.sh <<'END'
sleep 0.3 &
old=$!
sleep 60 &
"$FLAMETOP" record -q --enable-perfmap --duration=1 -o t.folded -p $old,$! &
recorder=$!
wait $old
echo $((old - 1)) >/proc/sys/kernel/ns_last_pid
./java java fine 60 >said 2>&1 &
[ $! = $old ] || exit 77
wait $recorder
exit 0
END
rm -f asked said
if FLAMETOP=$FLAMETOP unshare -pf --mount-proc sh again.sh 2>/dev/null && [ -s said ]; then
	[ ! -e asked ] && ! grep -q SIGQUIT said
	tap_result $? "a process that gets the number of a target is not asked" "$(cat said)"
else
	skip 1 "no namespaces here"
fi

# ---- .NET ------------------------------------------------------------------------------------------------------------

target dotnet fine
says "*This is .NET 8 without a perf map: start it with DOTNET_PerfMapEnabled=1*" ".NET is advised"
over "and runs on"
mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR
target dotnet fine --enable-perfmap
unset TMPDIR
says "*.NET 8 (process $pid): --enable-perfmap made it write*" ".NET is asked at the socket in its TMPDIR"
says "*to $PWD/tmp/perf-$pid.map*" "and says where the map is"
ok "which names its functions" grep -q ';void Hot.spin ' t.folded
is "$(tr '\n' ' ' <asked)" "444f544e45545f4950435f56310018000405000003000000 444f544e45545f4950435f563100140004060000 " "for a map at the start, and for none at the end"
over "it runs on"
for answer in old garbage silence; do
	target dotnet $answer --enable-perfmap
	says "*(process $pid): no perf map: *" "a .NET that answers $answer is told of"
	over "and runs on"
done
DOTNET_PerfMapEnabled=1
export DOTNET_PerfMapEnabled
target dotnet fine --enable-perfmap
unset DOTNET_PerfMapEnabled
ok "one that writes a map anyway is not asked" [ ! -e asked ]
over "and runs on"
rm -f /tmp/dotnet-diagnostic-"$pid"-*

# ---- real ones -------------------------------------------------------------------------------------------------------

cat >Work.java <<'EOF2'
public class Work {
	static int leaf(int x) { int s = 0; for (int i = 0; i < 2000; i++) s += (i * x) % 7; return s; }
	public static void main(String[] a) {
		long end = System.currentTimeMillis() + 4000;
		int r = 0;
		while (System.currentTimeMillis() < end)
			for (int i = 0; i < 1000; i++)
				r += leaf(i);
		System.exit(r == 1 ? 1 : 0);
	}
}
EOF2
if command -v javac >/dev/null && javac Work.java 2>/dev/null; then
	run "$FLAMETOP" record --enable-perfmap -o t.folded -- java -XX:+PreserveFramePointer Work
	if printf '%s' "$err" | grep -q "only Java 17"; then
		skip 2 "an old Java"
	else
		like "$err" "*Java *: --enable-perfmap made it*" "the installed Java is asked"
		ok "and its methods have names" grep -q 'Work\.\(leaf\|main\)' t.folded
	fi
	rm -f "$(printf '%s\n' "$err" | sed -n 's/.*functions to \([^;]*map\).*/\1/p')"
else
	skip 2 "no javac"
fi
cat >work.js <<'EOF2'
function leaf(x) { let s = 0; for (let i = 0; i < 2000; i++) s += (i * x) % 7; return s; }
const end = Date.now() + 1500;
let r = 0;
while (Date.now() < end) r += leaf(3);
EOF2
if command -v node >/dev/null && PATH=/usr/bin:/usr/local/bin node -e 0 2>/dev/null; then
	PATH=/usr/bin:/usr/local/bin:$PATH run "$FLAMETOP" record -o t.folded -- node work.js
	says "*This is Node [0-9]* without a perf map: start it with --perf-basic-prof*" "the installed Node is advised"
	PATH=/usr/bin:/usr/local/bin:$PATH run "$FLAMETOP" record -o t.folded -- \
		node --perf-basic-prof --interpreted-frames-native-stack work.js
	ok "with what it is advised, its functions have names" grep -q ';JS:[*^~]leaf ' t.folded
	ok "and there is no more advice" [ "${err#*perf map}" = "$err" ]
else
	skip 3 "no node"
fi
done_testing
