# PowerShell completion for flametop; made by `flametop --completions=powershell`.
Register-ArgumentCompleter -Native -CommandName flametop -ScriptBlock {
	param($word, $line, $position)
	$rows = @(
		@{ modes = 'view record'; names = '--format -f'; value = 'needed'; words = 'auto aix async-profiler-html bpftrace bpftrace-json callgrind chrome-tracing cpuprofile d3 dhat dtrace elfutils faulthandler firefox flamebearer folded gdb gecko ghcjson ghcprof go go-text goroutines gperftools heap-profile heaptrack html ibmjava instruments java-exceptions jfr jstack ljp massif mojo otlp papyrus perf perf-data perf-json perf-report perf-sched pmc pprof pyinstrument sample speedscope stackprof stap strace svg v8-head v8log vsprof vtune vtune-mc wcp webkit xctrace xdebug help'; help = 'read the input as this format instead of detecting it; ''help'' lists the formats'; }
		@{ modes = 'view record'; names = '--event-filter'; value = 'needed'; words = ''; help = 'read only samples of this event; off-cpu is all time off the CPU'; }
		@{ modes = 'view record'; names = '--value'; value = 'needed'; words = ''; help = 'which number to use where a profile has several (as ticks, bytes)'; }
		@{ modes = 'view record'; names = '--unit'; value = 'needed'; words = 'ns us ms s bytes samples cycles instructions calls objects'; help = 'what counts count in inputs that do not say: ns, us, ms, s, bytes, samples, cycles, instructions, calls or objects'; }
		@{ modes = 'view'; names = '--pid'; value = 'none'; words = ''; help = 'add -PID to the process frame'; }
		@{ modes = 'view'; names = '--tid'; value = 'none'; words = ''; help = 'add -PID/TID to the process frame'; }
		@{ modes = 'view record'; names = '--kernel'; value = 'none'; words = ''; help = 'mark kernel frames with _[k], which tables and text show where names would be equal'; }
		@{ modes = 'view record'; names = '--jit'; value = 'none'; words = ''; help = 'mark frames of just-in-time compiled code with _[j]'; }
		@{ modes = 'view record'; names = '--all'; value = 'none'; words = ''; help = 'both --kernel and --jit'; }
		@{ modes = 'view record'; names = '--addrs'; value = 'none'; words = ''; help = 'show the address where there is no symbol'; }
		@{ modes = 'view record'; names = '--inline'; value = 'none'; words = ''; help = 'show inlined calls in text of perf script, too (by addr2line, which can take long); of perf.data they are shown where there is debug information'; }
		@{ modes = 'view record'; names = '--no-inline'; value = 'none'; words = ''; help = 'leave out inlined calls of perf.data'; }
		@{ modes = 'view record'; names = '--context'; value = 'none'; words = ''; help = 'with --inline: add :file:line'; }
		@{ modes = 'view record'; names = '--srcline'; value = 'none'; words = ''; help = 'add the source line to each frame of perf.data (perf looks it up: this can take long), or of perf script -F +srcline'; }
		@{ modes = 'view record'; names = '--symbolizer'; value = 'needed'; words = 'auto native perf'; help = 'who reads perf.data: auto (default: the program itself, and perf script for what it does not do: --srcline, --context, the scheduler''s events), native, or perf'; }
		@{ modes = 'view record bundle'; names = '--symfs'; value = 'needed'; words = '@files'; help = 'the programs and libraries of a recording are below DIR, a copy of its machine''s files'; }
		@{ modes = 'view record bundle'; names = '--sysroot'; value = 'needed'; words = '@files'; help = 'same as --symfs'; }
		@{ modes = 'view record bundle'; names = '--path-map'; value = 'needed'; words = ''; help = 'the files of a recording that are below OLD are below NEW here; may be repeated'; }
		@{ modes = 'view record bundle'; names = '--kallsyms'; value = 'needed'; words = '@files'; help = 'the recorded kernel''s functions, a copy of its /proc/kallsyms'; }
		@{ modes = 'view record bundle'; names = '--debuginfod'; value = 'none'; words = ''; help = 'fetch programs, debug information and sources that are missing here from the servers in DEBUGINFOD_URLS'; }
		@{ modes = 'view record'; names = '--includeoffset'; value = 'none'; words = ''; help = 'keep offsets like +0x1c (DTrace)'; }
		@{ modes = 'view record'; names = '--no-modules'; value = 'none'; words = ''; help = 'function names without their module (sample, VTune)'; }
		@{ modes = 'view record'; names = '--skip-after'; value = 'needed'; words = ''; help = 'drop the callers of FUNC, a whole name; may be repeated'; }
		@{ modes = 'view record'; names = '--base'; value = 'needed'; words = ''; help = 'keep only stacks with FUNC, which becomes their root; may be repeated'; }
		@{ modes = 'view'; names = '--idle'; value = 'optional'; words = 'always never'; help = 'keep stacks that wait; by default those of a single input are left out if they are at most half of it; ''never'': leave them out always'; }
		@{ modes = 'view'; names = '--off-cpu'; value = 'optional'; words = ''; help = 'show the context switches of a recording as time off the CPU; waits shorter than SECONDS are left out'; }
		@{ modes = 'view'; names = '--io'; value = 'optional'; words = 'read write all'; help = 'show the system calls of a recording that read and write (read, write, all) as bytes, time and calls'; }
		@{ modes = 'view'; names = '--wake-stack'; value = 'none'; words = ''; help = 'add the stack of the waker (perf sched; --off-cpu)'; }
		@{ modes = 'view record'; names = '--shorten-pkgs'; value = 'none'; words = ''; help = 'Java packages by their initials: c.a.d.Pool.borrow'; }
		@{ modes = 'view record'; names = '--no-demangle'; value = 'none'; words = ''; help = 'leave mangled C++ and Rust names as they are'; }
		@{ modes = 'view record'; names = '--split'; value = 'needed'; words = 'file event comm pid tid cpu module label:'; help = 'one more root frame for each file, event, comm, pid, tid, cpu, module or value of label:KEY (of pprof); may be repeated'; }
		@{ modes = 'view record'; names = '--tagroot'; value = 'needed'; words = ''; help = '--split=label:KEY for each of them, as in pprof'; }
		@{ modes = 'view record'; names = '--jobs -j'; value = 'needed'; words = ''; help = 'worker threads (default: the processors this process may use)'; }
		@{ modes = 'view'; names = '--seconds'; value = 'needed'; words = ''; help = 'let the server take samples for N seconds (default: as its address says; Go: 30)'; }
		@{ modes = 'view'; names = '--every'; value = 'needed'; words = ''; help = 'fetch again every N seconds, and show the newest: a live view'; }
		@{ modes = 'view'; names = '--sql'; value = 'needed'; words = ''; help = 'what to ask at an address clickhouse://...: stacks and their values; @FILE: from FILE'; }
		@{ modes = 'view'; names = '--listen'; value = 'needed'; words = ''; help = 'take the OpenTelemetry profiles that programs send to this address, such as 127.0.0.1:4318 (a port alone: 127.0.0.1), and show them live; with --output or --to, until Ctrl-C or --duration'; }
		@{ modes = 'view'; names = '--duration'; value = 'needed'; words = ''; help = 'with --listen: stop after this time'; }
		@{ modes = 'view'; names = '--save'; value = 'needed'; words = '@files'; help = 'keep what the server sends in FILE, too'; }
		@{ modes = 'view record'; names = '--header -H'; value = 'needed'; words = ''; help = 'send this header; may be repeated; @FILE: the lines of FILE'; }
		@{ modes = 'view record'; names = '--user -u'; value = 'needed'; words = ''; help = 'user and password for the server'; }
		@{ modes = 'view record'; names = '--netrc'; value = 'none'; words = ''; help = 'user and password from ~/.netrc'; }
		@{ modes = 'view record'; names = '--oauth2-bearer'; value = 'needed'; words = ''; help = 'send this token'; }
		@{ modes = 'view record'; names = '--cacert'; value = 'needed'; words = '@files'; help = 'certificates that the server''s has to go back to'; }
		@{ modes = 'view record'; names = '--cert'; value = 'needed'; words = '@files'; help = 'certificate to show to the server, and the password of its key'; }
		@{ modes = 'view record'; names = '--key'; value = 'needed'; words = '@files'; help = 'private key of --cert, if it is in another file'; }
		@{ modes = 'view record'; names = '--insecure'; value = 'none'; words = ''; help = 'accept any certificate of the server'; }
		@{ modes = 'view record'; names = '--timeout'; value = 'needed'; words = ''; help = 'give up when a server is silent for so long, while it should not be (default: 30)'; }
		@{ modes = 'view record'; names = '--inverted -i'; value = 'none'; words = ''; help = 'icicle: roots at the top'; }
		@{ modes = 'view record'; names = '--no-inverted'; value = 'none'; words = ''; help = 'roots at the bottom, as usual, whatever the configuration says'; }
		@{ modes = 'view record'; names = '--reverse'; value = 'none'; words = ''; help = 'merge from the leaves: callers grow out of each function (a tree of more than about 4 million frames is cut: --zoom shows the deeper rows)'; }
		@{ modes = 'view record'; names = '--flamechart'; value = 'none'; words = ''; help = 'the x axis is time, with a lane for each thread, the heaviest at the root; if the event has no times, the order of the input: only equal neighbours are joined'; }
		@{ modes = 'view record'; names = '--axis'; value = 'needed'; words = 'time samples'; help = 'x axis of a flame chart whose samples have times: time (default; of files, SVG, html, speedscope and firefox have it), or samples, one after the other, without gaps and lanes'; }
		@{ modes = 'view record'; names = '--view'; value = 'needed'; words = 'flame table sandwich calls lines chart heat instructions flame,table'; help = 'what to show: flame (graph), chart (as --flamechart), table (of functions), sandwich, calls (call tree), lines or instructions (of a function), or heat (map; over another view as table,heat); flame,table or chart,table, in either order: side by side, from 140 columns on, the first with the keys'; }
		@{ modes = 'view record'; names = '--function'; value = 'needed'; words = ''; help = 'the function in the middle of the sandwich, or whose lines are shown; else the cursor goes to its heaviest frame, or its row; /REGEX/: the one of the largest total that matches'; }
		@{ modes = 'view record'; names = '--source-path'; value = 'needed'; words = ''; help = 'look for source files in DIR, too: under their names, or as long a part of the end of a name as is there; may be repeated'; }
		@{ modes = 'view record'; names = '--with-source'; value = 'none'; words = ''; help = 'write the text of the source to a file with lines, too (a profile may name any file of this machine)'; }
		@{ modes = 'view record'; names = '--hot-lines'; value = 'none'; words = ''; help = 'name the hottest lines of functions in the tooltips of an SVG, and in JSON (reads debug information, which takes a while)'; }
		@{ modes = 'view record'; names = '--cursor'; value = 'needed'; words = ''; help = 'the frame under the cursor, as for --zoom ('';@cell'' after it: with all narrow frames in its place); ''@laneN'' in a flame chart with a time axis: the title of lane N; sandwich: a path that begins with the function leads to its callees, one that ends with it to its callers'; }
		@{ modes = 'view record'; names = '--scroll'; value = 'needed'; words = ''; help = 'rows above the first one shown; sandwich: of callers, of callees, as 2,3; side by side: of the graph, of the table'; }
		@{ modes = 'view record'; names = '--fold-lanes'; value = 'needed'; words = ''; help = 'flame chart with a time axis: fold away the lanes with these numbers, the first is 1; ''all'': every lane'; }
		@{ modes = 'view record'; names = '--table-sort'; value = 'needed'; words = 'self total frames self-before self-after self-change self-percent total-before total-after total-change total-percent name'; help = 'order of the table of functions: self (default), total, frames or name; of a comparison also self-before, -after, -change (default) and -percent, and so for total; -COLUMN: the other way round'; }
		@{ modes = 'view record'; names = '--table-filter'; value = 'needed'; words = ''; help = 'only rows of the table that match'; }
		@{ modes = 'view record'; names = '--expand'; value = 'needed'; words = ''; help = 'call tree: open this frame and its callers; may be repeated; empty: open none at all'; }
		@{ modes = 'view record'; names = '--heat-at'; value = 'needed'; words = ''; help = 'heat map: the cell under the cursor; as AT,MARK with the marked end of a range'; }
		@{ modes = 'view record'; names = '--frames'; value = 'needed'; words = 'program all language native'; help = 'of recorded interpreters: program (default: functions of the language and what they call), all (also how the interpreter calls them), language, or native'; }
		@{ modes = 'view record'; names = '--group'; value = 'needed'; words = 'function module file package'; help = 'sum by function (default), module, file or package: neighbouring frames of one are one frame'; }
		@{ modes = 'view record'; names = '--sort'; value = 'needed'; words = 'name weight input'; help = 'order of siblings: name (default of files), weight (default of the viewer) or input; in the call tree, of those of equal weight'; }
		@{ modes = 'view record'; names = '--zoom'; value = 'needed'; words = ''; help = 'start zoomed at this frame, its ancestors separated by '';'' (of several, in a flame chart or a search for modules, the widest, or with '';@N'' after it the one at N, in units of weight)'; }
		@{ modes = 'view record'; names = '--zoom-time'; value = 'needed'; words = ''; help = 'flame chart with a time axis: show only this time, in seconds from the first sample'; }
		@{ modes = 'view record'; names = '--search'; value = 'needed'; words = ''; help = 'highlight matches and count their share: of the zoomed frame; in a flame chart, of all times, and in its SVG or page, of the time shown (an upper-case letter makes case matter); in any REGEX, module:, file: or package: before the expression ask for where functions come from'; }
		@{ modes = 'view record'; names = '--focus'; value = 'needed'; words = ''; help = 'only stacks in which a frame matches'; }
		@{ modes = 'view record'; names = '--ignore'; value = 'needed'; words = ''; help = 'only stacks in which no frame matches'; }
		@{ modes = 'view record'; names = '--hide'; value = 'needed'; words = ''; help = 'take matching frames out of the stacks'; }
		@{ modes = 'view record'; names = '--show'; value = 'needed'; words = ''; help = 'keep only matching frames'; }
		@{ modes = 'view record'; names = '--callers'; value = 'needed'; words = ''; help = 'only the callers of a function, merged from all its places: they grow out of it, and it has the weight of all that it calls'; }
		@{ modes = 'view record'; names = '--callees'; value = 'needed'; words = ''; help = 'only a function and what it calls, merged from all its places (also --show-from)'; }
		@{ modes = 'view record'; names = '--tagfocus'; value = 'needed'; words = ''; help = 'only samples with a label of pprof: REGEX for its key:value, or KEY=REGEX, KEY=128kb, KEY=128kb:2mb'; }
		@{ modes = 'view record'; names = '--tagignore'; value = 'needed'; words = ''; help = 'without samples that have such a label'; }
		@{ modes = 'view record'; names = '--merge-recursion'; value = 'none'; words = ''; help = 'direct recursion becomes one frame'; }
		@{ modes = 'view record'; names = '--event'; value = 'needed'; words = ''; help = 'show this event or value (default: the first of the recording; where its order is not known, the one with most samples; of pprof its default type, else the last); what has no name is ''unnamed samples''; all: together, if their units agree'; }
		@{ modes = 'view record'; names = '--thread'; value = 'needed'; words = ''; help = 'only this thread; PID/ is a whole process'; }
		@{ modes = 'view record'; names = '--time'; value = 'needed'; words = ''; help = 'only samples that begin at FROM or later and before TO, in seconds from the first one'; }
		@{ modes = 'view record'; names = '--window'; value = 'needed'; words = ''; help = 'only the last part, in seconds before the last sample; while a profile is coming in, a window that slides along'; }
		@{ modes = 'view record'; names = '--decay'; value = 'needed'; words = ''; help = 'let samples fade: after this time, counted back from the last one, they have half of their weight'; }
		@{ modes = 'view record'; names = '--minwidth'; value = 'needed'; words = ''; help = 'leave out frames narrower than this; for an SVG and html also pixels, as 0.5px'; }
		@{ modes = 'view record'; names = '--diff'; value = 'needed'; words = '@files'; help = 'compare with the profile BASE; may be repeated'; }
		@{ modes = 'view record'; names = '--absolute'; value = 'none'; words = ''; help = 'with --diff: compare weights as they were recorded, not shares'; }
		@{ modes = 'view record'; names = '--normalize'; value = 'none'; words = ''; help = 'compare shares also where the input has two columns (--diff always does); with --to=folded, scale BASE to the new total'; }
		@{ modes = 'view record'; names = '--no-diff'; value = 'none'; words = ''; help = 'show one profile alone, not what changed, although two were read (in the viewer, a key compares them)'; }
		@{ modes = 'view record'; names = '--widths'; value = 'needed'; words = 'after before'; help = 'with --diff: widths from after (default) or before, which shows what vanished'; }
		@{ modes = 'view record'; names = '--strip-hex'; value = 'none'; words = ''; help = 'treat all numbers like 0x1234 in names alike'; }
		@{ modes = 'view record'; names = '--negate'; value = 'none'; words = ''; help = 'with --diff: swap red and blue; in an SVG of two columns also + and -, as flamegraph.pl does'; }
		@{ modes = 'view record'; names = '--fail-above'; value = 'needed'; words = ''; help = 'with --diff: exit with status 3 if the share of a function, self or total, grew by more than this many points, and by more than chance explains, and list these functions; with --absolute: if its weight grew by more than this percentage of BASE''s total'; }
		@{ modes = 'view record'; names = '--factor'; value = 'needed'; words = ''; help = 'multiply every count that is shown (not the numbers of samples of a comparison); below 1 that makes up to six decimals, as many as the sum over all events has room for'; }
		@{ modes = 'view record'; names = '--output -o'; value = 'needed'; words = '@files'; help = 'write the view to FILE (''-'': standard output); the suffix gives the kind'; }
		@{ modes = 'view record'; names = '--to'; value = 'needed'; words = 'svg html folded text top markdown lines speedscope firefox json pprof callgrind help'; help = 'the kind of output, for any suffix; ''help'' lists the kinds'; }
		@{ modes = 'view record'; names = '--width'; value = 'needed'; words = ''; help = 'columns of text, pixels of an SVG (default: the terminal; as wide as the browser)'; }
		@{ modes = 'view record'; names = '--top'; value = 'needed'; words = ''; help = 'rows of the table of functions (default: 40; of --view=table all)'; }
		@{ modes = 'view record'; names = '--budget'; value = 'needed'; words = ''; help = 'JSON of at most N bytes, kilobytes or tokens (of 3 bytes): the lightest functions and stacks are left out'; }
		@{ modes = 'view'; names = '--colors -c'; value = 'needed'; words = 'hot mem io red green blue aqua yellow purple orange java js perl python rust wakeup chain safe module share kind mono help'; help = 'palette of the screen, of an SVG and of html; ''help'' lists them'; }
		@{ modes = 'record'; names = '--colors'; value = 'needed'; words = 'hot mem io red green blue aqua yellow purple orange java js perl python rust wakeup chain safe module share kind mono help'; help = 'palette of the screen, of an SVG and of html; ''help'' lists them'; }
		@{ modes = 'view record'; names = '--title'; value = 'needed'; words = ''; help = 'heading'; }
		@{ modes = 'view record'; names = '--subtitle'; value = 'needed'; words = ''; help = 'second heading'; }
		@{ modes = 'view record'; names = '--height'; value = 'needed'; words = ''; help = 'height of a frame in pixels (default: 16)'; }
		@{ modes = 'view record'; names = '--fonttype'; value = 'needed'; words = ''; help = 'font family (default: monospace)'; }
		@{ modes = 'view record'; names = '--fontsize'; value = 'needed'; words = ''; help = 'size of the font in pixels (default: 12)'; }
		@{ modes = 'view record'; names = '--fontwidth'; value = 'needed'; words = ''; help = 'average width of a letter, as a fraction of the size (default: 0.61)'; }
		@{ modes = 'view record'; names = '--bgcolors'; value = 'needed'; words = 'yellow blue green grey'; help = 'background: yellow, blue, green, grey or #rrggbb (default: by palette)'; }
		@{ modes = 'view record'; names = '--uicolor'; value = 'needed'; words = ''; help = 'colour of the headings and buttons'; }
		@{ modes = 'view record'; names = '--search-color'; value = 'needed'; words = ''; help = 'colour of matches'; }
		@{ modes = 'view record'; names = '--stroke-color'; value = 'needed'; words = 'none'; help = 'outline of every frame, or ''none'' (default)'; }
		@{ modes = 'view record'; names = '--hash'; value = 'none'; words = ''; help = 'colours by name, similar for names that begin alike (html has them without)'; }
		@{ modes = 'view record'; names = '--deterministic'; value = 'none'; words = ''; help = 'colours by name'; }
		@{ modes = 'view record'; names = '--random'; value = 'none'; words = ''; help = 'other colours in every run'; }
		@{ modes = 'view record'; names = '--cp'; value = 'optional'; words = '@files'; help = 'keep colours for the next run in FILE (default: palette.map)'; }
		@{ modes = 'view record'; names = '--colordiffusion'; value = 'none'; words = ''; help = 'the wider, the redder'; }
		@{ modes = 'view record'; names = '--countname'; value = 'needed'; words = ''; help = 'unit of the counts (default: that of the profile)'; }
		@{ modes = 'view record'; names = '--nametype'; value = 'needed'; words = ''; help = 'text before a name in the line of details (default: Function:)'; }
		@{ modes = 'view record'; names = '--notes'; value = 'needed'; words = ''; help = 'a comment in the file'; }
		@{ modes = 'view record'; names = '--nameattr'; value = 'needed'; words = '@files'; help = 'attributes of frames by function name: links, titles, classes, looks (no scripts)'; }
		@{ modes = 'view record'; names = '--total'; value = 'needed'; words = ''; help = 'draw as if the profile had N samples'; }
		@{ modes = 'view record'; names = '--truncate-text-right'; value = 'none'; words = ''; help = 'shorten labels at their end, whatever the name is'; }
		@{ modes = 'view record'; names = '--truncate-text-left'; value = 'none'; words = ''; help = 'shorten labels at their beginning, as other programs do'; }
		@{ modes = 'view record'; names = '--pretty-xml'; value = 'none'; words = ''; help = 'one element per line'; }
		@{ modes = 'view record'; names = '--no-javascript'; value = 'none'; words = ''; help = 'leave the program out: a still picture'; }
		@{ modes = 'view record'; names = '--no-sort'; value = 'none'; words = ''; help = 'keep the order of the input'; }
		@{ modes = 'view record'; names = '--encoding'; value = 'needed'; words = ''; help = 'encoding to declare at the top of the file'; }
		@{ modes = 'view record'; names = '--color'; value = 'needed'; words = 'auto never 16 256 truecolor'; help = 'auto (default), never, 16, 256 or truecolor'; }
		@{ modes = 'view record'; names = '--background'; value = 'needed'; words = 'auto dark light'; help = 'the terminal''s background: auto (default; asks it), dark or light'; }
		@{ modes = 'view record'; names = '--ascii'; value = 'none'; words = ''; help = 'no character outside ASCII'; }
		@{ modes = 'view record'; names = '--no-mouse'; value = 'none'; words = ''; help = 'leave the mouse to the terminal'; }
		@{ modes = 'view record'; names = '--no-ask'; value = 'none'; words = ''; help = 'quit without a question, even if that ends a recorded command, or loses a recording or what came through a pipe'; }
		@{ modes = 'view record'; names = '--no-config'; value = 'none'; words = ''; help = 'do not read the configuration file'; }
		@{ modes = 'view record'; names = '--keys'; value = 'needed'; words = ''; help = 'type these keys first, as /foo<Enter>jjl<Esc>'; }
		@{ modes = 'view record'; names = '--screen'; value = 'needed'; words = ''; help = 'no terminal: load, type --keys, print the screen and exit'; }
		@{ modes = 'record sample'; names = '--freq -F'; value = 'needed'; words = ''; help = 'samples per second and processor (default: 997)'; }
		@{ modes = 'record sample'; names = '-e'; value = 'needed'; words = ''; help = 'event to sample (`perf list` shows them); may be repeated'; }
		@{ modes = 'record sample'; names = '--pid -p'; value = 'needed'; words = ''; help = 'sample this running process; several with commas'; }
		@{ modes = 'record sample'; names = '--tid -t'; value = 'needed'; words = ''; help = 'sample this thread; several with commas'; }
		@{ modes = 'record sample'; names = '--all-cpus -a'; value = 'none'; words = ''; help = 'sample the whole system'; }
		@{ modes = 'record sample'; names = '--idle'; value = 'none'; words = ''; help = 'with -a: sample idle processors, too (flametop''s own sampler)'; }
		@{ modes = 'record sample'; names = '--cgroup'; value = 'needed'; words = '@files'; help = 'sample the processes of a control group, such as a container''s: its path as in /proc/PID/cgroup'; }
		@{ modes = 'record sample'; names = '--call-graph'; value = 'needed'; words = 'fp dwarf lbr'; help = 'how stacks are found: dwarf[,BYTES] (default: dwarf,16384; with --memory and --io dwarf,4096), fp (cheap; needs frame pointers; default with -a) or lbr'; }
		@{ modes = 'record sample'; names = '--duration'; value = 'needed'; words = ''; help = 'stop after this time'; }
		@{ modes = 'record sample'; names = '--off-cpu'; value = 'optional'; words = ''; help = 'the time off the CPU, too: what threads wait for; waits shorter than SECONDS are not shown'; }
		@{ modes = 'record sample'; names = '--wake-stack'; value = 'none'; words = ''; help = 'with --off-cpu: who ends each wait, too'; }
		@{ modes = 'record sample'; names = '--memory'; value = 'none'; words = ''; help = 'who asks for memory, in bytes: calls of malloc and its like, and pages when they are touched first'; }
		@{ modes = 'record sample'; names = '--io'; value = 'optional'; words = 'read write all'; help = 'who reads and writes files and sockets: bytes, time and number of system calls; read, write, or all (default)'; }
		@{ modes = 'record sample'; names = '--ptrace'; value = 'none'; words = ''; help = 'without perf events: stop running threads for a moment, 49 times a second, and copy their stacks'; }
		@{ modes = 'record sample'; names = '--languages'; value = 'needed'; words = 'auto none'; help = 'auto (default; not with -a): read the functions of Python, Perl, PHP, Ruby and Lua from running interpreters, too; none'; }
		@{ modes = 'record sample'; names = '--enable-perfmap'; value = 'none'; words = ''; help = 'have Java (17 and newer) and .NET (8 and newer) write the names of their functions into /tmp/perf-PID.map, which changes the target'; }
		@{ modes = 'record'; names = '--with'; value = 'needed'; words = 'auto flametop perf dtrace xctrace'; help = 'who samples: auto (default: flametop itself, and perf for what only perf does), flametop, perf, dtrace, or xctrace'; }
		@{ modes = 'record'; names = '--root'; value = 'optional'; words = ''; help = 'sample as root, through sudo, with FLAGS for sudo'; }
		@{ modes = 'record'; names = '--cmd -c'; value = 'needed'; words = ''; help = 'arguments for perf record instead of the usual ones'; }
		@{ modes = 'record'; names = '--compression-level -z'; value = 'optional'; words = ''; help = 'compress the recording (level 1 to 22; default: 1)'; }
		@{ modes = 'record'; names = '--build'; value = 'needed'; words = ''; help = 'run this shell command first, as ''make -s'', and record only if it succeeds'; }
		@{ modes = 'record'; names = '--perfdata'; value = 'needed'; words = '@files'; help = 'record nothing, read this perf.data'; }
		@{ modes = 'record'; names = '--keep-data'; value = 'none'; words = ''; help = 'leave the recording behind as perf.data'; }
		@{ modes = 'record'; names = '--push'; value = 'needed'; words = ''; help = 'send the recorded profile to a store, pyroscope://HOST/?service_name=NAME or parca://...; the address''s parameters are its labels'; }
		@{ modes = 'record'; names = '--ignore-status'; value = 'none'; words = ''; help = 'exit with 0 although the command or perf failed'; }
		@{ modes = 'record'; names = '--post-process'; value = 'needed'; words = ''; help = 'send the folded stacks through this program first'; }
		@{ modes = 'record'; names = '--open'; value = 'none'; words = ''; help = 'open the written file with the desktop''s program for it'; }
		@{ modes = 'record'; names = '--verbose -v'; value = 'none'; words = ''; help = 'print each command before it runs, and every note'; }
		@{ modes = 'bundle'; names = '--output -o'; value = 'needed'; words = '@files'; help = 'the bundle (default: FILE.tar.zst, in the recording''s directory; ''-'': standard output); the suffix gives the compression: .tar, .tar.gz or .tar.zst'; }
		@{ modes = 'sample'; names = '--output -o'; value = 'needed'; words = '@files'; help = 'the recording (default: perf.data; ''-'': standard output, for a pipe)'; }
		@{ modes = 'view record sample bundle'; names = '--quiet -q'; value = 'none'; words = ''; help = 'print errors only: no warnings, no progress'; }
		@{ modes = 'view'; names = '--verbose -v'; value = 'none'; words = ''; help = 'print every note about the input, and all functions that --fail-above found'; }
		@{ modes = 'view record'; names = '--completions'; value = 'needed'; words = 'bash zsh fish powershell elvish'; help = 'print the completions for bash, zsh, fish, powershell or elvish'; }
		@{ modes = 'view record sample bundle'; names = '--help -h'; value = 'none'; words = ''; help = 'print this help'; }
		@{ modes = 'view record sample bundle'; names = '--version -V'; value = 'none'; words = ''; help = 'print the version'; }
	)
	$commands = [ordered]@{ record = 'profile and show'; sample = 'record as perf does'
		bundle = 'pack a recording for another machine' }
	# the whole words before the one that is being typed
	$before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } |
		ForEach-Object { $_.Extent.Text })
	$mode = if ($before.Count -gt 1 -and $commands.Contains($before[1])) { $before[1] } else { 'view' }
	$rows = @($rows | Where-Object { ($_.modes -split ' ') -ccontains $mode })
	function begins($text, $start) { $text.StartsWith($start, [System.StringComparison]::Ordinal) }
	function offer($text, $shown, $kind, $help) {
		[System.Management.Automation.CompletionResult]::new($text, $shown, $kind, $help)
	}
	function files($start, $prefix) {
		[System.Management.Automation.CompletionCompleters]::CompleteFilename($start) | ForEach-Object {
			offer ($prefix + $_.CompletionText) $_.ListItemText $_.ResultType $_.ToolTip
		}
	}
	$name, $start, $prefix = $before[-1], $word, ''
	if ($word -match '^(--[^=]+)=(.*)$') {
		$name, $start, $prefix = $Matches[1], $Matches[2], ($Matches[1] + '=')
	}
	$row = $rows | Where-Object { ($_.names -split ' ') -ccontains $name -and
		($_.value -eq 'needed' -or ($prefix -and $_.value -ne 'none')) } | Select-Object -First 1
	if ($row -and $row.words -eq '@files') {
		files $start $prefix
	} elseif ($row) {
		$row.words -split ' ' | Where-Object { $_ -and (begins $_ $start) } | ForEach-Object {
			offer ($prefix + $_) $_ 'ParameterValue' $_
		}
	} elseif (begins $word '-') {
		foreach ($row in $rows) {
			foreach ($name in $row.names -split ' ') {
				$text = if ($row.value -eq 'needed' -and (begins $name '--')) { $name + '=' } else { $name }
				if (begins $text $word) { offer $text $text 'ParameterName' $row.help }
			}
		}
	} else {
		if ($before.Count -eq 1) {
			$commands.GetEnumerator() | Where-Object { begins $_.Key $word } | ForEach-Object {
				offer $_.Key $_.Key 'ParameterValue' $_.Value
			}
		}
		if ($mode -in 'record', 'sample') {
			[System.Management.Automation.CompletionCompleters]::CompleteCommand($word)
		}
		files $word ''
	}
}
