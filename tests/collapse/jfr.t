#!/bin/sh
# jfr.t - recordings that a JDK makes here, against its own `jfr print`.
. "$(dirname "$0")/../tap.sh"

for tool in java javac jfr python3; do
	command -v $tool >/dev/null || skip_all "no $tool"
done
print=$source/tests/collapse/jfr_print.py

cat >Work.java <<'END'
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

public class Work {
	static final Object lock = new Object();
	static volatile long sink;
	static volatile Object held;

	static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	static long deep(int n) { return n == 0 ? allocate() : deep(n - 1) + 1; }

	static long allocate() {
		List<Object> kept = new ArrayList<>();
		for (int i = 0; i < 20000; i++)
			kept.add(i % 3 == 0 ? new byte[i % 5000] : i % 3 == 1 ? new String[3][2] : "x" + i);
		held = kept;
		return kept.size();
	}

	static void run(int seconds) {
		long end = System.nanoTime() + seconds * 1000000000L;
		while (System.nanoTime() < end) {
			sink += fib(25) + deep(100) + allocate();
			synchronized (lock) { LockSupport.parkNanos(2000000); }
			try { Thread.sleep(1); } catch (InterruptedException e) { return; }
		}
	}

	public static void main(String[] arguments) throws Exception {
		int seconds = Integer.parseInt(arguments[0]);
		Runnable work = () -> run(seconds);
		Thread[] threads = {new Thread(work, "one"), new Thread(work, "zw\u00f6lf;12")};
		for (Thread t : threads)
			t.start();
		for (Thread t : threads)
			t.join();
	}
}
END
cat >all.jfc <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
  <event name="jdk.ExecutionSample"><setting name="enabled">true</setting><setting name="period">10 ms</setting></event>
  <event name="jdk.NativeMethodSample"><setting name="enabled">true</setting><setting name="period">10 ms</setting></event>
  <event name="jdk.ObjectAllocationSample"><setting name="enabled">true</setting>
    <setting name="throttle">200/s</setting><setting name="stackTrace">true</setting></event>
  <event name="jdk.ObjectAllocationOutsideTLAB"><setting name="enabled">true</setting><setting name="stackTrace">true</setting></event>
  <event name="jdk.JavaMonitorEnter"><setting name="enabled">true</setting>
    <setting name="stackTrace">true</setting><setting name="threshold">0 ms</setting></event>
  <event name="jdk.JavaMonitorWait"><setting name="enabled">true</setting>
    <setting name="stackTrace">true</setting><setting name="threshold">0 ms</setting></event>
  <event name="jdk.ThreadPark"><setting name="enabled">true</setting>
    <setting name="stackTrace">true</setting><setting name="threshold">0 ms</setting></event>
  <event name="jdk.ThreadSleep"><setting name="enabled">true</setting>
    <setting name="stackTrace">true</setting><setting name="threshold">0 ms</setting></event>
  <event name="jdk.OldObjectSample"><setting name="enabled">true</setting>
    <setting name="stackTrace">true</setting><setting name="cutoff">0 ns</setting></event>
</configuration>
END
javac Work.java 2>/dev/null || skip_all "javac does not work"
java -XX:StartFlightRecording=filename=work.jfr,settings=all.jfc Work 1 >log 2>&1
jfr summary work.jfr >summary 2>/dev/null || skip_all "this Java has no Flight Recorder"

# Recordings may lack an event; then there is nothing to compare.
same() { # VALUE EVENTS
	python3 "$print" "$2" work.jfr | LC_ALL=C sort >wanted
	[ -s wanted ] || { skip 1 "no $2 was recorded"; return; }
	"$FLAMETOP" -q --to=folded "--value=$1" work.jfr 2>/dev/null | LC_ALL=C sort >got
	ok "$1: the stacks and sums of jfr print" cmp wanted got
}
same execution jdk.ExecutionSample,jdk.NativeMethodSample
same allocation jdk.ObjectAllocationSample
same tlab jdk.ObjectAllocationInNewTLAB,jdk.ObjectAllocationOutsideTLAB
same lock jdk.JavaMonitorEnter
same park jdk.ThreadPark
same wait jdk.JavaMonitorWait
same sleep jdk.ThreadSleep
same old-objects jdk.OldObjectSample

run "$FLAMETOP" --to=folded work.jfr
says '*samples with a stack that is cut*at depth 64*' "stacks that are cut are counted"
run "$FLAMETOP" -q --to=folded --split=comm work.jfr
prints '*zwölf:12;*' "a thread's name in any script"
sum() { "$FLAMETOP" -q --to=folded "$@" 2>/dev/null | awk '{ s += $NF } END { print s }'; }
cat work.jfr work.jfr >twice.jfr
is "$(sum twice.jfr)" "$((2 * $(sum work.jfr)))" "recordings that were put together are one"

# The recorder flushes what it has once a second.
mkdir repository
java -XX:FlightRecorderOptions=repository=repository -XX:StartFlightRecording=settings=all.jfc Work 60 >log 2>&1 &
java=$!
left=100
chunk=
while [ $left -gt 0 ] && [ -z "$chunk" ]; do
	sleep 0.2
	left=$((left - 1))
	chunk=$(find repository -name '*.jfr' -size +150k)
done
kill -9 $java
wait $java 2>/dev/null
chunk=$(find repository -name '*.jfr' | head -1)
if jfr summary "$chunk" >summary 2>/dev/null; then
	cp "$chunk" work.jfr
	same execution jdk.ExecutionSample,jdk.NativeMethodSample
else
	skip 1 "jfr does not read what a killed process leaves"
fi
done_testing
