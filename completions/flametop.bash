# bash completion for flametop; made by `flametop --completions=bash`.
_flametop()
{
	local cur prev words cword split=false names mode=view
	cur=${COMP_WORDS[COMP_CWORD]}
	prev=${COMP_WORDS[COMP_CWORD-1]}
	# '=' is a word of its own unless COMP_WORDBREAKS was changed
	if [[ $cur == '=' ]]; then
		cur=
	elif [[ $prev == '=' ]]; then
		prev=${COMP_WORDS[COMP_CWORD-2]}
	elif [[ $cur == --*=* ]]; then
		prev=${cur%%=*}
		cur=${cur#*=}
	fi
	[[ ${COMP_WORDS[1]} == @(record|sample|bundle) ]] && mode=${COMP_WORDS[1]}
	case $mode:$prev in
	*:--format|*:-f) COMPREPLY=($(compgen -W 'auto aix async-profiler-html bpftrace bpftrace-json callgrind chrome-tracing cpuprofile d3 dhat dtrace elfutils faulthandler firefox flamebearer folded gdb gecko ghcjson ghcprof go go-text goroutines gperftools heap-profile heaptrack html ibmjava instruments java-exceptions jfr jstack ljp massif mojo otlp papyrus perf perf-data perf-json perf-report perf-sched pmc pprof pyinstrument sample speedscope stackprof stap strace svg v8-head v8log vsprof vtune vtune-mc wcp webkit xctrace xdebug help' -- "$cur")) ;;
	*:--unit) COMPREPLY=($(compgen -W 'ns us ms s bytes samples cycles instructions calls objects' -- "$cur")) ;;
	*:--symbolizer) COMPREPLY=($(compgen -W 'auto native perf' -- "$cur")) ;;
	*:--symfs) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")) ;;
	*:--sysroot) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")) ;;
	*:--kallsyms) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")) ;;
	*:--idle) COMPREPLY=($(compgen -W 'always never' -- "$cur")) ;;
	*:--io) COMPREPLY=($(compgen -W 'read write all' -- "$cur")) ;;
	*:--split) COMPREPLY=($(compgen -W 'file event comm pid tid cpu module label:' -- "$cur")) ;;
	*:--save) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")) ;;
	*:--cacert) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")) ;;
	*:--cert) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")) ;;
	*:--key) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")) ;;
	*:--axis) COMPREPLY=($(compgen -W 'time samples' -- "$cur")) ;;
	*:--view) COMPREPLY=($(compgen -W 'flame table sandwich calls lines chart heat instructions flame,table' -- "$cur")) ;;
	*:--table-sort) COMPREPLY=($(compgen -W 'self total frames self-before self-after self-change self-percent total-before total-after total-change total-percent name' -- "$cur")) ;;
	*:--frames) COMPREPLY=($(compgen -W 'program all language native' -- "$cur")) ;;
	*:--group) COMPREPLY=($(compgen -W 'function module file package' -- "$cur")) ;;
	*:--sort) COMPREPLY=($(compgen -W 'name weight input' -- "$cur")) ;;
	*:--diff) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")) ;;
	*:--widths) COMPREPLY=($(compgen -W 'after before' -- "$cur")) ;;
	*:--output|*:-o) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")) ;;
	*:--to) COMPREPLY=($(compgen -W 'svg html folded text top markdown lines speedscope firefox json pprof callgrind help' -- "$cur")) ;;
	*:--colors|view:-c) COMPREPLY=($(compgen -W 'hot mem io red green blue aqua yellow purple orange java js perl python rust wakeup chain safe module share kind mono help' -- "$cur")) ;;
	*:--colors) COMPREPLY=($(compgen -W 'hot mem io red green blue aqua yellow purple orange java js perl python rust wakeup chain safe module share kind mono help' -- "$cur")) ;;
	*:--bgcolors) COMPREPLY=($(compgen -W 'yellow blue green grey' -- "$cur")) ;;
	*:--stroke-color) COMPREPLY=($(compgen -W 'none' -- "$cur")) ;;
	*:--cp) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")) ;;
	*:--nameattr) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")) ;;
	*:--color) COMPREPLY=($(compgen -W 'auto never 16 256 truecolor' -- "$cur")) ;;
	*:--background) COMPREPLY=($(compgen -W 'auto dark light' -- "$cur")) ;;
	*:--cgroup) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")) ;;
	*:--call-graph) COMPREPLY=($(compgen -W 'fp dwarf lbr' -- "$cur")) ;;
	*:--io) COMPREPLY=($(compgen -W 'read write all' -- "$cur")) ;;
	*:--languages) COMPREPLY=($(compgen -W 'auto none' -- "$cur")) ;;
	*:--with) COMPREPLY=($(compgen -W 'auto flametop perf dtrace xctrace' -- "$cur")) ;;
	*:--perfdata) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")) ;;
	*:--completions) COMPREPLY=($(compgen -W 'bash zsh fish powershell elvish' -- "$cur")) ;;
	*)
		names=' --format= -f --event-filter= --value= --unit= --pid --tid --kernel --jit --all --addrs --inline --no-inline --context --srcline --symbolizer= --symfs= --sysroot= --path-map= --kallsyms= --debuginfod --includeoffset --no-modules --skip-after= --base= --idle --off-cpu --io --wake-stack --shorten-pkgs --no-demangle --split= --tagroot= --jobs= -j --seconds= --every= --sql= --listen= --duration= --save= --header= -H --user= -u --netrc --oauth2-bearer= --cacert= --cert= --key= --insecure --timeout= --inverted -i --no-inverted --reverse --flamechart --axis= --view= --function= --source-path= --with-source --hot-lines --cursor= --scroll= --fold-lanes= --table-sort= --table-filter= --expand= --heat-at= --frames= --group= --sort= --zoom= --zoom-time= --search= --focus= --ignore= --hide= --show= --callers= --callees= --tagfocus= --tagignore= --merge-recursion --event= --thread= --time= --window= --decay= --minwidth= --diff= --absolute --normalize --no-diff --widths= --strip-hex --negate --fail-above= --factor= --output= -o --to= --width= --top= --budget= --colors= -c --title= --subtitle= --height= --fonttype= --fontsize= --fontwidth= --bgcolors= --uicolor= --search-color= --stroke-color= --hash --deterministic --random --cp --colordiffusion --countname= --nametype= --notes= --nameattr= --total= --truncate-text-right --truncate-text-left --pretty-xml --no-javascript --no-sort --encoding= --color= --background= --ascii --no-mouse --no-ask --no-config --keys= --screen= --quiet -q --verbose -v --completions= --help -h --version -V'
		[[ $mode == record ]] && names=' --format= -f --event-filter= --value= --unit= --kernel --jit --all --addrs --inline --no-inline --context --srcline --symbolizer= --symfs= --sysroot= --path-map= --kallsyms= --debuginfod --includeoffset --no-modules --skip-after= --base= --shorten-pkgs --no-demangle --split= --tagroot= --jobs= -j --header= -H --user= -u --netrc --oauth2-bearer= --cacert= --cert= --key= --insecure --timeout= --inverted -i --no-inverted --reverse --flamechart --axis= --view= --function= --source-path= --with-source --hot-lines --cursor= --scroll= --fold-lanes= --table-sort= --table-filter= --expand= --heat-at= --frames= --group= --sort= --zoom= --zoom-time= --search= --focus= --ignore= --hide= --show= --callers= --callees= --tagfocus= --tagignore= --merge-recursion --event= --thread= --time= --window= --decay= --minwidth= --diff= --absolute --normalize --no-diff --widths= --strip-hex --negate --fail-above= --factor= --output= -o --to= --width= --top= --budget= --colors= --title= --subtitle= --height= --fonttype= --fontsize= --fontwidth= --bgcolors= --uicolor= --search-color= --stroke-color= --hash --deterministic --random --cp --colordiffusion --countname= --nametype= --notes= --nameattr= --total= --truncate-text-right --truncate-text-left --pretty-xml --no-javascript --no-sort --encoding= --color= --background= --ascii --no-mouse --no-ask --no-config --keys= --screen= --freq= -F -e --pid= -p --tid= -t --all-cpus -a --idle --cgroup= --call-graph= --duration= --off-cpu --wake-stack --memory --io --ptrace --languages= --enable-perfmap --with= --root --cmd= -c --compression-level -z --build= --perfdata= --keep-data --push= --ignore-status --post-process= --open --verbose -v --quiet -q --completions= --help -h --version -V'
		[[ $mode == sample ]] && names=' --freq= -F -e --pid= -p --tid= -t --all-cpus -a --idle --cgroup= --call-graph= --duration= --off-cpu --wake-stack --memory --io --ptrace --languages= --enable-perfmap --output= -o --quiet -q --help -h --version -V'
		[[ $mode == bundle ]] && names=' --symfs= --sysroot= --path-map= --kallsyms= --debuginfod --output= -o --quiet -q --help -h --version -V'
		if [[ $cur == -* ]]; then
			COMPREPLY=($(compgen -W "$names" -- "$cur"))
			[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
		elif [[ $mode == @(record|sample) && $COMP_CWORD -gt 1 ]]; then
			compopt -o filenames
			COMPREPLY=($(compgen -c -f -- "$cur"))
		else
			compopt -o filenames
			COMPREPLY=($(compgen -f -- "$cur"))
			[[ $COMP_CWORD -eq 1 ]] && COMPREPLY+=($(compgen -W 'record sample bundle' -- "$cur"))
		fi ;;
	esac
	return 0
}
complete -F _flametop flametop
