#!/bin/sh
# Programs in Go with net/http/pprof: one of our own, and Prometheus.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/services/services.sh"
command -v go >/dev/null || skip_all "Go is not installed (scripts/check --services does)"
mkdir cache
GOCACHE=$dir/cache GOFLAGS=-mod=mod GOTOOLCHAIN=local go build -o go_server "$here/go_server.go" >go.log 2>&1 ||
	skip_all "Go cannot build: $(head -1 go.log)"

start go ./go_server "$dir/go.port"
at=http://127.0.0.1:$port
fetch "$at/debug/pprof/profile?seconds=1"
case $err in *libcurl*) skip_all "libcurl is not installed" ;; esac
exits 0 "a CPU profile of Go is fetched"
prints "*main.busyOnPurpose*" "and has the function that is busy"
fetch "$at/debug/pprof/heap"
prints "*main.main;main.keepOnPurpose *" "the heap has the function that allocates"
fetch --seconds=1 "$at/debug/pprof/heap"
is "$status" "$([ -n "$out" ] && echo 0 || echo 1)" "a heap's change of a second, or the message that there is none"
for debug in 0 1 2; do
	fetch "$at/debug/pprof/goroutine?debug=$debug"
	prints "*main.waitOnPurpose*" "goroutines, debug=$debug, have the function that waits"
done
fetch "$at"
says "*lists several profiles*heap*" "the list is read"
fetch "$at/debug/pprof/block"
says "flametop: $at/debug/pprof/block: no stacks found (*runtime.SetBlockProfileRate)" "an empty profile of waits says why"
fetch "$at/debug/pprof/mutex"
says "flametop: $at/debug/pprof/mutex: no stacks found (*runtime.SetMutexProfileFraction)" "so does one of locks"
fetch "$at/debug/pprof/nope"
says "*status 404: Unknown profile" "an unknown profile is an error"
for i in 1 2 3; do
	flametop --to=folded "$at/debug/pprof/profile?seconds=5" >profile.$i 2>&1 &
	profiles="${profiles-} $!"
done
# shellcheck disable=SC2086 # several
wait $profiles
is "$(cat profile.* | grep -c 'status 500: Could not enable CPU profiling: cpu profiling already in use')" 2 \
	"of CPU profiles at the same time all but one are refused, with Go's reason"
ok "and one is there" grep -q busyOnPurpose profile.1 profile.2 profile.3
if go tool pprof -raw -output=raw "$at/debug/pprof/heap" >/dev/null 2>&1; then
	fetch --save=heap.pb.gz "$at/debug/pprof/heap"
	go tool pprof -sample_index=inuse_space -raw -output=raw heap.pb.gz >/dev/null 2>&1
	is "$(flametop --to=folded --value=inuse_space heap.pb.gz 2>/dev/null | sum_of)" \
		"$(flametop --to=folded -f go --value=inuse_space raw 2>/dev/null | sum_of)" "the sum is that of go tool pprof"
else
	skip 1 "there is no go tool pprof"
fi

if command -v prometheus >/dev/null; then
	printf 'global: {}\n' >prometheus.yml
	for p in 39090 39091 39092 39093; do
		prometheus --config.file=prometheus.yml --storage.tsdb.path="$dir/tsdb" --web.listen-address=127.0.0.1:$p \
			>prometheus.said 2>&1 &
		pid=$!
		servers="$servers $pid"
		ready() {
			kill -0 $pid 2>/dev/null || return 0
			fetch "http://127.0.0.1:$p/debug/pprof/heap"
			[ "$status" = 0 ]
		}
		until_true ready
		! kill -0 $pid 2>/dev/null || break
	done
	prints "*runtime.*" "the heap of Prometheus"
	fetch "http://127.0.0.1:$p/debug/pprof/goroutine?debug=2"
	prints "*prometheus*" "its goroutines"
	fetch --seconds=1 "http://127.0.0.1:$p/debug/pprof/allocs"
	ok "what it allocates within a second, or the message that it is nothing" test "$status" -le 1
else
	skip 3 "Prometheus is not installed"
fi

done_testing
