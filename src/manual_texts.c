/*
 * manual_texts.c - longer texts of the manual page, by section.
 */
#include "manual_texts.h"

#include <stddef.h>

#include "base/escape.h"

const char *const manual_callers[] = {
	"CALLERS AND CALLEES",
	("--callers=REGEX and --callees=REGEX cut each stack at its outermost frame that matches, and leave out "
     "stacks without one. Each stack counts once, also if the function calls itself, so that both have the "
     "weight of all stacks through the function. --callers merges the rest from the leaves, as --reverse does: "
     "the function is on the root, what it calls is merged into it (tables count that as its self weight), and "
     "its callers grow out of it. --callees puts the function on the root, and what it calls on top. A function "
     "that matches has a root of its own for the stacks in which it is the outermost match."),
	("Both work like any filter, in the order given: --callees=main --callers=read shows the ways from main to "
     "read. With --flamechart the same stacks are in the order of the input; those left out take no room. "
     "Frames of --split never match; they stay on the root, and with --callers they are the outermost callers."),
	NULL};

const char *const manual_fetching[] = {
	"FETCHING",
	("In the place of any profile there may be its address: flametop http://host:6060/debug/pprof/profile, or "
     "--diff=http://.... host:6060 without http:// is one, too, if no file has this name. The address of a "
     "host alone stands for its /debug/pprof/, where programs in Go (net/http/pprof), and others like them, "
     "list their profiles: the viewer lets you choose one, elsewhere a message names them. What comes is read "
     "as a file would be, in any format, so that functions whose names are missing in it have addresses for "
     "names (programs in Go put the names in). --save keeps it if it has stacks, and says if not. An "
     "execution trace (/debug/pprof/trace) is no profile; go tool trace makes one of it."),
	("A CPU profile takes as long as the server samples: 30 seconds, or --seconds=N, which becomes the "
     "parameter seconds of the address; meanwhile the last line counts. Of heap, goroutine and the like, which "
     "are otherwise answered at once, it makes the change within this time; values below zero are left out. "
     "Ctrl-C, or q in the viewer, ends it at once. --every=N fetches again and again, and shows the newest: of "
     "a CPU profile the last window, N seconds long (--window shows more of them, and W chooses), of a heap "
     "the last answer. An answer that fails is tried again; five in a row end it. "
     "--save keeps the last answer that has stacks."),
	("Credentials are given as to curl: --user, --oauth2-bearer, --header, --netrc, --cert and --key, or "
     "http://name:password@host/. They go to the given hosts only (the options to each of them, those of an "
     "address to its own), not to another one to which these redirect, and are never shown, saved or copied; "
     "from the list of processes they vanish as soon as the options are read. --header=@FILE keeps them from "
     "there altogether, and so does --netrc. HTTP_PROXY (in lower case), HTTPS_PROXY, ALL_PROXY and NO_PROXY "
     "work as with curl. Of an address, the values of parameters such as token, secretKey and "
     "user[password] are shown as ***."),
	("A connection may take ten seconds. Beyond the time of sampling, an answer must bring a kilobyte in 30 "
     "seconds (--timeout); its size is at most 2 GiB. Transfers need libcurl (package libcurl4), which is loaded "
     "when an address is given."),
	NULL};

const char *const manual_recording[] = {
	"RECORDING",
	("flametop record profiles a command, processes, a control group or the system, with nothing else "
     "installed. On a terminal the flame graph grows while the samples come in, and stays when the command "
     "ends; the command's output is shown after the viewer ends: if it is more than 68 MiB, the first 64 and "
     "the last 4, and how much is missing. A terminal that takes none of it for a minute (as after ^S), or for "
     "two seconds if a signal has ended the viewer, does not get the rest. With -o the result is only written. "
     "flametop sample is the part of "
     "it that takes the samples, for scripts and other machines: it writes what perf record writes, to "
     "perf.data or a pipe, and perf and other readers of perf.data open it. An existing file is renamed to "
     "FILE.old, or, where that is not possible, nothing is recorded."),
	("Samples come from the system call perf_event_open: of the processor's cycles or, where it counts none, "
     "as in most virtual machines, of cpu-clock, 997 times a second. -e takes perf's names of hardware, "
     "software and cache events, raw codes (r1a8), tracepoints and probes. With kernel.perf_event_paranoid at "
     "2, the usual value, users sample their own processes without the kernel; at 1 with it; at 3 or more "
     "only root may. `sudo setcap cap_perfmon+ep flametop`, once, lets all users of this file sample "
     "everything (the system then takes LD_LIBRARY_PATH, TMPDIR and the like away from it and from recorded "
     "commands); --root does it through sudo. In a container the system call is mostly forbidden: Docker and "
     "Podman allow it with --cap-add=PERFMON, or sample the container from outside, by --pid or --cgroup. "
     "Lost samples are counted and shown, and so are pauses that the kernel makes because of "
     "kernel.perf_event_max_sample_rate; -a leaves out idle processors and flametop itself."),
	("A clock begins anew in each thread, so threads and processes that end within a thousandth of a second leave "
     "few samples, or none. If more than a tenth of the processor time is missing for that (a fourth, without the "
     "kernel), it is told at the end. A higher -F sees more of them; -a, whose clocks go on, sees them. "
     "From where a program runs with another user's rights (setuid), or may not be read, the kernel samples "
     "neither it nor what it starts, which is told at the end; -a, as root, sees it."),
	("Where even that is not possible, --ptrace looks at the threads from outside: 49 times a second (-F, at "
     "most 199) it stops each that runs for some ten microseconds, and copies its registers and its stack. It "
     "needs the right to debug the process (one's own, or a command; kernel.yama.ptrace_scope may forbid "
     "other processes), sees user space only, and weighs samples by the CPU time that the kernel has counted "
     "for the thread. Signals and stops reach the program as before, but a system call that a thread begins "
     "at that moment may end early (EINTR), as after a signal. A program that is being debugged, or traces "
     "others itself, cannot be looked at."),
	("Of Python, 3.6 to 3.14, Perl, 5.28 to 5.42, PHP, 7.4 to 8.5, Ruby, 2.7, 3.1, 3.3 and 3.4, Lua, 5.1 to "
     "5.4, and LuaJIT 2.1, the functions of the program are read from the running interpreter at each sample, "
     "and take the places of the interpreter's loops; --frames, or P in the viewer, chooses others. Nothing is"
     " done to the program. That needs the right to read its memory (CAP_SYS_PTRACE, or one's own processes "
     "where kernel.yama.ptrace_scope is 0; commands always), and for the exact moment of each sample real-time"
     " priority (CAP_SYS_NICE); without it, functions may be some milliseconds late. Notes tell what was "
     "missing."),
	("Of Node, Java, .NET, Ruby, Erlang and PHP, functions that are compiled while the program runs have names if "
     "the runtime writes them into /tmp/perf-PID.map; where it does not, a note says how it is started so that it "
     "does. Of Java, 17 and newer, and .NET, 8 and newer, --enable-perfmap makes a running process write them: at "
     "the beginning of the recording, then in growing intervals, and at its end. That changes the target, and a "
     "line tells what was done. Stacks of Java are whole only if it was started with -XX:+PreserveFramePointer."),
	("perf takes the samples with --with=perf, if PERF names one, and for what only it can do: --cmd, -z, "
     "--call-graph=lbr, events of other kinds, events of the scheduler, --srcline and --inline with "
     "--context. With --root it does so if it is installed, since perf script also reads files that only root "
     "may read. Otherwise flametop reads the recording itself, inlined functions included."),
	("--with=dtrace and --with=xctrace let these take the samples, as do DTRACE or XCTRACE in the environment, "
     "which name the program to run; so it is where there are no perf events: xctrace, or else dtrace, on macOS, "
     "dtrace on FreeBSD and illumos. The samples are shown when the recording has ended. dtrace takes a command, "
     "-p, -a, -F, --duration, --root (mostly only root may use it), and --cmd with a program in D in place of the "
     "usual one; it finds callers by frame pointers, and cannot pass on words with blanks. xctrace takes a "
     "command, one -p, or -a, and --duration. Other options about recording are refused."),
	("--build='make -s' builds the command first: sh -c runs the line, as make runs its recipes, with all that it "
     "prints on standard error and nothing to read. If it fails, or is ended by a signal or Ctrl-C, nothing is "
     "recorded, and its status, or 128 and the signal's number, is flametop's. Only the command is recorded: "
     "--build='go test -c -o pkg.test ./pkg' -- ./pkg.test -test.bench=. for a test of Go, "
     "--build='cmake --build build --target prog' -- build/prog for CMake, "
     "--build='meson compile -C build prog' -- build/prog for Meson."),
	("Ctrl-C ends the recording, not the steps after it, even if it comes within a second after the end. A "
     "later signal that ends flametop leaves the recording in the working directory and names it. A second "
     "Ctrl-C, or five seconds after SIGTERM, kills a command or a perf that does not end, as do five seconds "
     "after the end of --duration a command; the samples so far are still shown."),
	("When flametop or flametop sample ends a recording, crashes or is killed, it also ends every program that the "
     "command has started, by SIGTERM and then SIGKILL. It does the same when the reader of "
     "'sample -o -' leaves, and says so. It does not end a process that it only watched (-p), nor a "
     "daemon: a program that called setsid and whose parent has ended. A program whose parent still runs is no "
     "daemon, because sudo and script call setsid, too. flametop recognises a program whose parent has ended by "
     "FLAMETOP_FAMILY in its environment; a program that removes this variable, or runs as another user (--root), "
     "goes on."),
	("The system itself ends the command when somebody signals the whole process group, closes the terminal, "
     "or ends a flametop that leads its session. flametop then ends the programs that it has seen. It looks "
     "for new programs once a second, and less often while hundreds run, so a program that called setsid after "
     "the last look goes on. When the command ends by itself, the programs that it started keep running. "
     "flametop ends them only if perf failed, or if perf left a program of its own."),
	("While a profile comes in, from a recording or through a pipe, cursor, zoom and search keep their "
     "places. The header shows the time so far, the number of samples (or of stacks, if each may have a "
     "count), how many came in the last second, how many were lost, and how much of a processor sampling "
     "takes (reading and drawing not included). --window shows only the last seconds, --decay lets older "
     "samples fade, and W chooses one of these later; samples of formats without times then get the time of "
     "their arrival. A recording that runs for hours forgets samples older than the window, and beyond a "
     "million samples it adds up older ones of the same stack, thread and processor."),
	NULL};

const char *const manual_cargo[] = {
	"CARGO",
	("cargo flametop builds a program of a Rust package with cargo, and records it as flametop record does, with "
     "the arguments after --. Without --bin, --example, --test, --bench, --unit-test or --unit-bench it takes the "
     "only binary of the packages at and below the nearest Cargo.toml, or the package's default-run; if there are "
     "several, it names them. The program runs in the working directory. CARGO in the environment names another "
     "cargo. If cargo fails, its status is passed on."),
	("Binaries, examples and tests are built with the release profile, benchmarks with bench, which inherits from "
     "it. Neither has debug information by default: functions have names all the same, but lines and inlined "
     "functions are missing. '[profile.release] debug = true' in Cargo.toml adds it, and so does "
     "CARGO_PROFILE_RELEASE_DEBUG=true in the environment (of bench: CARGO_PROFILE_BENCH_DEBUG=true). --test, "
     "--unit-test and --unit-bench record the harness with all tests in it; arguments after -- select some of "
     "them. The linker lld needs --no-rosegment only for stacks that perf itself unwinds (--symbolizer=perf, "
     "--root), and only with some builds of perf."),
	("The options of cargo flamegraph have the same names and letters here. An optional value may also be a word "
     "of its own: --unit-test NAME. --open opens the file by xdg-open."),
	NULL};

const char *const manual_off_cpu[] = {
	"TIME OFF THE CPU",
	("A program that is slow without using the CPU waits. --off-cpu records each context switch with its "
     "stack, and shows the time until the thread runs again, in one graph with the time on the CPU: the stack "
     "with which the thread left goes on to a blue frame [blocked], or, if it could have run on and had to "
     "wait for a CPU, a violet one [runnable]. So the self weight of a function is its time on the CPU alone, "
     "and its total includes its waits. e shows both, cpu-clock, or off-cpu; so does --event=all, cpu-clock or "
     "off-cpu. --event-filter=off-cpu, or =cpu-clock, reads only one of them. "
     "In a flame chart each wait lies where it was. On the CPU, cpu-clock is sampled, since its unit "
     "is time; with -e another event is, and both are shown one at a time unless their units agree."),
	("Times off the CPU are not sampled: they are exact, and add up with those on it to the time that each "
     "thread lived. Threads that sleep when the recording begins or ends count from there, or until then; "
     "those that slept from the beginning on, as in a program that hangs, show where, without being disturbed: "
     "with --call-graph=dwarf all callers that are found without a frame pointer (of -a only threads that ran "
     "count). --off-cpu=0.001 leaves out waits shorter than a millisecond, and says how long they are together. "
     "Recordings of "
     "perf have these times if they have --switch-events: 'flametop --off-cpu perf.data' shows them, with "
     "stacks if they have the event context-switches with -c 1. Those of 'perf record --off-cpu' have the event "
     "offcpu-time, in nanoseconds; waits that perf has summed up have no time, and so no place in a flame chart."),
	("Stacks of switches are in the kernel. Who may not sample it (kernel.perf_event_paranoid is 2) gets the "
     "times all the same, but not the stacks: the thread's last one on the CPU stands in, and the event is "
     "called off-cpu (approximate). With copies of the stack (--call-graph=dwarf) each switch costs as much as "
     "a sample: for programs that switch ten thousand times a second, --call-graph=fp is better. Lost switches "
     "are counted as lost samples."),
	("Linux (6.18, for one) fills in one sample for all who count the switches, or the page faults, of a thread. "
     "Several events of one kind, and several recordings of one program at once, stay apart all the same; those "
     "of perf do not. What another recorder's --call-graph or clock costs a recording is told at its end."),
	("--wake-stack, for those who may sample the whole system, also records who ends each wait: from [blocked] "
     "on, the waker's stack follows, its innermost function first, and the thread is runnable from then on. A "
     "waker is not held up: if it is an interpreter and runs on, its native functions stand alone, and a warning "
     "counts such wakers."),
	NULL};

const char *const manual_io[] = {
	"READING AND WRITING",
	("--io shows who reads and writes files and sockets, by system calls. Each call counts under the stack that "
     "made it, which goes on to a frame of the call, such as read, and of its error if it failed ([EAGAIN]). There "
     "are three events: io-bytes, the bytes that calls moved; io-time, the time from their beginnings to their "
     "ends; and io-calls, their number. e changes between them, and so does --event; --event-filter reads only "
     "one. In a flame chart of io-time each call lies where it was. "
     "--io=read and --io=write record only calls that read (read, pread64, readv, "
     "preadv, preadv2, recvfrom, recvmsg, recvmmsg) or write (write, pwrite64, writev, pwritev, pwritev2, sendto, "
     "sendmsg, sendmmsg, fsync, fdatasync). sendfile64, splice and copy_file_range do both; --io alone adds "
     "open, openat and openat2. recvmmsg, sendmmsg, fsync and those that open have time, but no bytes."),
	("Every call is counted unless records are lost; a message says so. A call of which only one end was recorded "
     "counts nowhere: it began before the recording, or had not returned at its end or at that of its thread; -v "
     "says how many there are. io_uring, mapped files and io_submit are not seen. Data from the page cache count "
     "like data from a disk. System calls of 32-bit programs are not "
     "recorded, but for some whose number is that of a 64-bit call: a message says how many were left out."),
	("That needs tracefs (/sys/kernel/tracing), which mostly only root may read (--root), and the right to sample "
     "the kernel. Each call makes two records: that costs some microseconds, and 4 kB for the copy of the stack; "
     "for programs with ten thousand calls a second, --call-graph=fp is better. Functions of languages are "
     "read at the end of a call, up to 2,000 times a second of a processor: of more calls, all those that take "
     "longer than 10 ms and some others have them, the rest native frames alone, and a message says how many."),
	("Recordings of perf have these events, too, with 'perf record -g -e raw_syscalls:sys_enter -e "
     "raw_syscalls:sys_exit', or -e syscalls:sys_enter_read -e syscalls:sys_exit_read, and 'flametop --io "
     "perf.data'. Calls whose beginnings are not recorded have no time. Events of raw_syscalls have calls of "
     "32-bit programs, too: with --call-graph=dwarf or --user-regs they are left out, and a message says how many; "
     "otherwise they are taken for the 64-bit calls of the same number."),
	NULL};

const char *const manual_memory[] = {
	"MEMORY",
	("--memory shows who asks for memory, and who touches it, in bytes. malloc-bytes are the bytes asked for "
     "by malloc, calloc, realloc, aligned_alloc, memalign, posix_memalign and valloc, in the C library, in "
     "what replaces it (jemalloc, tcmalloc, mimalloc), or in a static program; what is freed again is not "
     "taken off. Calls for 2^48 bytes or more, which fail, are left out; their number is told at the end. The "
     "kernel stops at each call by a probe (uprobe), which costs one or two microseconds and needs root "
     "(CAP_SYS_ADMIN; some kernels take cap_perfmon). touched-bytes are pages, counted when they are touched "
     "first, or again after the kernel took them away: that is what makes a process grow, and every user may "
     "see it. A huge page counts as one small page, and pages that the kernel maps ahead (MAP_POPULATE, "
     "around those of files) do not count; if a process grew much more than its pages, that is told at the end. e "
     "changes between the two; without the right to the first, only the second is recorded, and a message "
     "says so."),
	("Threads and children that begin during the recording are counted, too. For that, probes are defined in "
     "tracefs (/sys/kernel/tracing/uprobe_events, in a group flametop_PID_...), which mostly only root may write "
     "to; they are removed at the end, also if flametop is killed. While a command is recorded, and from the first "
     "child on that a process of -p starts, all processes of the machine that use the same files have these "
     "probes: none of their calls are recorded, but each costs about a microsecond. "
     "Which files have probes is decided at the beginning: those of a command, of its script's interpreter and of "
     "the libraries that their loader finds (RUNPATH, LD_PRELOAD), or those that a process has mapped. A malloc in "
     "what is loaded later, or by a program that a child becomes, has none: the end names those files. "
     "Without tracefs, calls are counted only in threads that there were at the "
     "beginning, and pages in those that come later; a message says so, and so does the recording. -a and "
     "--cgroup need no tracefs."),
	("Every call is a sample, so the sums are exact, unless samples are lost, which is told. For a program "
     "that allocates a hundred thousand times a second, --call-graph=fp costs least; copies of the stack are "
     "4 kB by default. A call that an allocator makes to another one directly does not count again: calloc calls "
     "malloc in musl, and a program's own malloc may call the library's. A realloc of nothing counts as malloc "
     "where it goes on to that, as in the GNU C library."),
	NULL};

const char *const manual_views[] = {
	"VIEWS",
	("--view chooses what the viewer begins with. The other options of a view act in every view that has such a "
     "thing: --function puts the cursor on a row of the table, on the heaviest frame of the flame graph or the "
     "call tree, or a function into the middle of the sandwich. If keys open another view, it begins as usual, "
     "but the table has the order and the filter of --table-sort and --table-filter."),
	("On a screen of 140 columns or more, --view=flame,table and the key S show the flame graph (or chart, or "
     "icicle) and the table side by side. They have one selection: the cursor of the graph selects the row of "
     "its function, and the cursor of the table all frames of its function in the graph. Zoom, search and "
     "filters are those of both; the table adds up what is below the zoom, of a chart over time the visible "
     "time, as it does alone. One of them has the keys: Tab and clicks change that, the header names it "
     "first, and on a narrower screen it is alone until there is room again. Files show the graph; those that "
     "are tables have the heaviest functions, as many as --top says, and all rows of the table if that has "
     "the keys (--view=table,flame)."),
	("A PATH is the names of the frames from the root on, separated by ';', as in folded stacks; names may be "
     "those on the screen, and \\xHH is a byte. In a flame chart frames of one path are told apart by ';@N' "
     "after it: the frame that holds position N, in units of weight from the left edge (with a time axis, of "
     "all lanes one after the other), as folded stacks have them without --factor: 12 or 3.5."),
	("Above a zoomed flame graph or chart, on 12 rows or more, a line shows which part of the whole is visible, "
     "to half a column. A click in it zooms to the frame there that is as deep as the zoomed one."),
	("The key C copies the command that shows the screen again: view, zoom, cursor, open rows, scroll "
     "positions, search, filters, order and all else, with the options about the input as they were given. Only "
     "the zooms and functions to go back to are not in it. If the profile came through a pipe, the command ends "
     "in '-'; once w has written all of the profile to a .folded file, it names that file instead, as long as "
     "the view shows nothing that folded stacks do not have, as threads and times."),
	NULL};

const char *const manual_json[] = {
	"JSON",
	("--to=json writes what the view says in one object, for scripts and programs: the heaviest functions with "
     "their callers and callees, the heaviest stacks, what is left out and how much that is. Of a comparison, "
     "each function has its weights before and after, the change, its standard error, and whether it may be "
     "chance. --hot-lines adds up to five lines of each function. --view=sandwich --function=NAME writes all "
     "callers and callees of a function, --view=lines all lines. --top=N is the number of functions by self "
     "weight, of those by total weight, and of stacks; --budget=N is the size that the whole may have: the "
     "lightest functions and stacks are left out and counted, and if there is room for few functions, they "
     "have no callers and callees."),
	("Each function and each stack is a line of its own. Names of members and their meanings stay as they are "
     "while the member 'flametop' is 1; docs/json.md, which comes with the source, describes each, "
     "docs/json.schema.json is the schema."),
	NULL};

const char *const manual_lines[] = {
	"LINES AND INSTRUCTIONS",
	("The key a shows the lines of the selected function: self is the weight of the samples that were at a "
     "line, total counts each sample once that was there or in a call from there. Self weights add up to that "
     "of the function, totals do not. [ and ] go from line to line by weight, / finds a text. Enter on a line "
     "shows what it calls, on one of these it goes to that function, Backspace comes back; at the end are the "
     "callers with their lines. All stacks of the view count, whatever the zoom; filters, threads, times and "
     "comparisons are those of the view."),
	("v, or --view=instructions, shows the instructions, disassembled by objdump (package binutils), under the "
     "lines that they are of. Enter follows a jump, whose arrow is drawn. They are those of the function in "
     "the file whose code has most of the samples, into which others may be inlined. The weight of callers is "
     "at the call. Processors report a sample at the instruction that was not finished yet, often the one "
     "after the slow one; the sums of lines suffer less. Instructions and lines of JIT-compiled code come "
     "from the dump that the compiler writes for perf (jit-PID.dump: node --perf-prof, Java with "
     "libperf-jvmti.so); /tmp/perf-PID.map has names only."),
	("Under the name of the function under the cursor, the footer of the other views names its hottest line. "
     "With --hot-lines, the tooltips of an SVG name up to five of each function."),
	("Lines come from perf.data and from the text of perf script, through the debug information of programs "
     "(built with libdw) or source lines in the text (perf script -F +srcline), and from what profilers write "
     "into pprof, speedscope (py-spy, rbspy, austin), profiles of V8 and Firefox, Go's text and Xdebug traces "
     "(lines of calls), from stacks of gdb and Java, and from names of functions such as 'load (app.py:12)', "
     "'app.py:12:load', 'app.py:load:12' and 'load - app.rb:12'. Each such name is a function of its own, but "
     "in views of lines those that differ only in the line are one, 'load (app.py)', which --function takes "
     "as well; summed by file (--group=file) all lines of a file are together. V8 tells the lines of a function "
     "in sum, not for each sample: within a function, they are spread over its samples in proportion; it counts "
     "what it inlines as lines of the caller, and tells no lines of calls. A file in which no function has two "
     "lines is taken to tell where functions begin."),
	("A source file is opened under its name, as --path-map changes it, then below each --source-path and the "
     "working directory, under as long a part of the end of its name as is there. Only regular files are "
     "opened, none of /proc, /sys and /dev, and no more than 16 MiB are read. A file that is not here may be "
     "in the debug information (clang -gdwarf-5 -gembed-source); with --debuginfod, servers are asked for it "
     "by the build id of the program and the file's absolute name. The heading says so, and whether a file is "
     "another version: if debug information has its checksum (clang -gdwarf-5), that decides; else a file is "
     "suspect if it is newer than the program, or shorter than its lines."),
	("--to=lines writes the lines of the heaviest functions, or of --function; the text of the source only with "
     "--with-source, since a profile may name any file of this machine. Then it also says what the heading "
     "does. The same holds for --screen if standard output is no terminal."),
	NULL};

const char *const manual_pages[] = {
	"PAGES",
	("--to=html, or -o x.html, writes a page: one file to attach to a ticket. It loads nothing, and opens on "
     "phones. It has all frames of the view, and opens where that is zoomed. Click, search and keys are those of "
     "an SVG; s shows the callers and callees of a frame, and the table sorts by each column. Of a comparison it "
     "shows what each frame was before and after. The address keeps the place after #, for a link."),
	("A page has all events of a profile, and a list above the frames to choose from; with --event=NAME, or in a "
     "comparison, it has one. Of more than 64 it has those of most samples, as many as take seconds, and "
     "says how many it lacks."),
	("Where samples have times, the weight over time stands above the frames: dragging over it chooses a range, to "
     "a thousandth of the whole, and a click shows all times again; so do its keys, which ? lists. The frames are "
     "then those of the samples in it; a flame chart with a time axis shows that part of the axis."),
	("flametop reads its pages back: all stacks of the view, of a comparison both sides, without threads and "
     "files."),
	NULL};

const char *const manual_time_axis[] = {
	"FLAME CHARTS OVER TIME",
	("If samples have times, the x axis of a flame chart is time, counted from the first sample (samples without a "
     "time are left out, which is said; --axis=samples shows them): idle time is "
     "empty, and each thread has a lane, the heaviest first. A zoom shows the time of a frame in all lanes; "
     "the keys to the left and right move on at the edge, and a click in the line above the graph moves "
     "there. A, or --axis=samples, puts the samples one after the other, without gaps and lanes, threads by "
     "turns. An SVG has the lanes, those not folded, and the visible time, a page has all lanes; other pictures "
     "and folded stacks have the samples of that time one after the other. Of what reaches beyond the visible "
     "time, files count the part within it if weights are times; a sample of another unit, such as cycles, has no "
     "parts, and counts as a whole. The tooltips of an SVG tell of whole frames, with shares of the whole "
     "profile."),
	("The spans of a trace are exact. A profiler that looks at intervals, as perf does, knows only when it "
     "looked: there a sample lasts until the next one of its thread, as in the Firefox Profiler. If that one "
     "comes after more than twice the usual distance, the thread is taken to have been idle, and the sample "
     "lasts for the usual distance: its weight if that is a time (cpu-clock), else the median of the "
     "distances between samples of one thread. No sample reaches into the next one of its lane. Frames "
     "thinner than a column share it: the longest is drawn if it outlasts the others, or if all are of one "
     "function; else the column is dotted."),
	NULL};

const char *const manual_bundles[] = {
	"BUNDLES",
	("flametop bundle packs a recording of perf with the files that its names come from, so that another machine "
     "can show it without them: 'flametop perf.data.tar.zst'. It looks up all addresses of the recording, callers "
     "included, as for a picture, and packs what it reads: programs, libraries, the vDSO and kernel modules, and "
     "their debug files; /proc/kallsyms, if the recorded kernel is running; the maps and dumps of JIT compilers. "
     "--symfs, --path-map, --kallsyms and --debuginfod say where else the files are. The files of a process in a "
     "container are found while the process runs."),
	("A file goes in only if the recording names it, and if it is a program, library or object file in ELF "
     "of the recorded build id (any such file if the recording has no build id of it; core dumps are left "
     "out), or one that names of the kernel or of JIT-compiled code were read from. Missing files, those "
     "of another build id, and core dumps are counted and named at the end; so are files of one path without "
     "a build id, or dumps, as of two containers, which another machine could not tell apart. Split debug "
     "information (.dwo files) is not packed. A bundle holds whole programs and the kernel's addresses: mind "
     "who gets it. A new bundle can be read by those who may read the recording."),
	("The bundle is a tar archive with perf.data, and with all other files below root/, under their recorded "
     "paths; debug files are at root/usr/lib/debug/.build-id, perf's map of a process at root/tmp/perf-"
     "PID.map, names of the kernel at root/proc/kallsyms. Unpacked, 'flametop --symfs=root perf.data' reads "
     "it, as does 'perf script --symfs root --kallsyms root/proc/kallsyms'. Opened directly, it is unpacked "
     "into a private directory, which goes at the end, and its files go before those of this machine. Links, "
     "devices and other names are left out, and of a bundle that was cut off, what had come is shown. Archives"
     " of perf archive hold no recording: run 'tar xf FILE -C ~/.debug' and open perf.data."),
	NULL};

/* Before the line that announces escapes, and after it. */
const char manual_escapes[] =
	"The output of --to=folded reads back as the same stacks. Some names cannot be written unchanged in "
	"folded stacks: those with a ';' or a line break, with a blank or a number at the end, with the "
	"beginning of a comment, and a stack of the empty name alone. If there are any, the first line is\n";

const char *const manual_folded[] = {
	("and in names \\xHH is the byte HH; \\x alone is the empty name. The same line comes first if stacks "
     "have no frame (--hide, --show): '(empty)' then stands for these, and a function of that name is "
     "escaped. If the text looks like another format, "
     "the line '" FOLDED_ANNOUNCED
     "' comes first. Other programs read these lines as comments, or as lines without a count. In "
     "profiles of perf, names of only blanks stay as they are. Readers of other formats turn a ';' in a "
     "name into ':', as every collapser does, and say so if that makes one name of two. A file written "
     "before the input was read to its end says so in a second line, '# 0.9 of 107 MB read so far', "
     "or that an input could not be read to its end."),
	("A file written with -o or w says what its counts count, if not samples of no named event, in a "
     "line above the stacks, '# event=cpu unit=ns 0', and is shown with that event and unit when it is "
     "read. The 0 makes the line a stack without weight for other programs: they neither draw it nor "
     "warn of it. By hand, '# unit: ms' is enough. Standard output has stacks alone, as that of every "
     "collapser, and --unit tells the reader the unit. Counts times --factor have no such line."),
	("Counts keep up to six decimals. If they end in zeros or have more decimals, they are cut to integers, "
     "with a warning, unless that would lose a tenth of the sum."),
	("Paths of --zoom use the same \\xHH, without such a line."),
	("Each line is a whole path. For n nested calls, each with self time, that makes about n*n/2 names, "
     "with or without --reverse: 40,000 calls give more than a gigabyte."),
	NULL};
