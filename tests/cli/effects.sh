# effects.sh - options that only some formats support. To be sourced by effects.t and effects_outputs.t.
# shellcheck shell=sh

# A value that one of the format's inputs has.
value() { # FORMAT
	case $1 in
	ghcprof) echo alloc ;;
	xdebug) echo calls ;;
	vtune-mc) echo size ;;
	pprof) echo samples ;;
	jfr) echo wait ;;
	firefox | gecko) echo js-allocations ;;
	go) echo cpu ;;
	instruments) echo count ;;
	*) echo any ;;
	esac
}

options() { # FORMAT
	echo --pid --tid --kernel --jit --addrs --srcline --includeoffset --no-modules --wake-stack --off-cpu --io \
		--shorten-pkgs --idle --event-filter=faults --skip-after=spin "--value=$(value "$1")"
}
