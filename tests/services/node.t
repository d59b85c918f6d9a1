#!/bin/sh
# A program of Node.js whose profiles come from a real agent (@datadog/pprof).
. "$(dirname "$0")/../tap.sh"
. "$source/tests/services/services.sh"
need_modules @datadog/pprof

start node node "$here/node_server.js" "$dir/node.port"
fetch "http://127.0.0.1:$port/debug/pprof/profile?seconds=1"
case $err in *libcurl*) skip_all "libcurl is not installed" ;; esac
exits 0 "a CPU profile of Node.js is fetched"
prints "*busyOnPurpose*" "and has the function that is busy"
fetch --seconds=1 --save=kept.pb.gz "127.0.0.1:$port/debug/pprof/profile"
exits 0 "--seconds"
is "$(flametop --to=folded kept.pb.gz 2>/dev/null)" "$out" "what is saved gives the same profile"
fetch "http://127.0.0.1:$port/debug/pprof/heap"
exits 0 "its heap is fetched"
prints "*keepOnPurpose*" "and has the function that allocates"
fetch "http://127.0.0.1:$port/debug/pprof/nope"
says "*status 404: Unknown profile" "an unknown profile is an error"

done_testing
