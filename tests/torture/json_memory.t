#!/bin/sh
# JSON of very many elements that say next to nothing. What a format keeps of them, besides names, threads and different
# stacks, takes at most nine bytes for each byte of input.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/torture/memory.sh"
most=9 # bytes for each byte of input

# The element as often as it takes; # becomes a number.
write() { # BEFORE ELEMENT AFTER
	awk -v before="$1" -v element="$2" -v after="$3" -v bytes=$((mega * 1000000)) 'BEGIN {
		printf "%s", before
		split(element, part, "#")
		for (i = 0; bytes > 0; i++) {
			text = (i ? "," : "") (index(element, "#") ? part[1] 1000000 + i part[2] : element)
			printf "%s", text
			bytes -= length(text)
		}
		print after
	}'
}

while IFS='|' read -r format before element after; do
	write "$before" "$element" "$after" >input
	[ -z "${BOMBS_LOG:-}" ] || printf '%s, %s...%s: ' "$format" "$before" "$element" >>"$BOMBS_LOG"
	"$bombs" within 60 $((overhead + most * mega * 1000000 / 1048576)) "$FLAMETOP" --no-config -q -j1 -f "$format" --to=folded input >said 2>errors </dev/null
	status=$?
	[ $status -gt 1 ] || status=0 # most of these have no samples
	err=$(head -c 2000 errors)
	exits 0 "$format: many times '$(printf %s "$element" | tr '#' N)' after $(printf %s "$before" | tail -c 30)"
done <<'END_OF_SHAPES'
firefox|{"meta":{"preprocessedProfileVersion":47},"libs":[],"threads":[|{}|]}
firefox|{"meta":{"preprocessedProfileVersion":47},"libs":[],"threads":[|{"tid":1}|]}
firefox|{"meta":{"preprocessedProfileVersion":47},"libs":[],"threads":[|{"stringArray":[""]}|]}
firefox|{"meta":{"preprocessedProfileVersion":47},"libs":[],"threads":[|{"samples":{"stack":[0]}}|]}
firefox|{"meta":{"preprocessedProfileVersion":47},"libs":[],"threads":[|{"stackTable":{"frame":[0]}}|]}
firefox|{"meta":{"preprocessedProfileVersion":47},"libs":[],"threads":[{"samples":{"weight":[|1|]}}]}
firefox|{"meta":{"preprocessedProfileVersion":47},"libs":[],"threads":[{"stringArray":[|0|]}]}
gecko|{"meta":{"version":34,"startTime":1},"libs":[],"threads":[|{}|]}
gecko|{"meta":{"version":34,"startTime":1},"libs":[],"threads":[|{"tid":1}|]}
gecko|{"meta":{"version":34,"startTime":1},"libs":[],"threads":[|{"stringTable":[""]}|]}
gecko|{"meta":{"version":34,"startTime":1},"libs":[],"threads":[|{"samples":{"data":[[]]}}|]}
gecko|{"meta":{"version":34,"startTime":1},"libs":[|{}|],"threads":[]}
gecko|{"meta":{"version":34,"startTime":1},"libs":[{"start":1,"end":2,"name":"a"},|{}|],"threads":[]}
gecko|{"meta":{"version":34,"startTime":1},"libs":[{"start":3,"end":4,"name":"a"},|{"end":1}|],"threads":[]}
speedscope|{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[|{}|]}
speedscope|{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[|{"unit":"bytes"},{}|]}
speedscope|{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[|{"events":[{}]}|]}
speedscope|{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[{"events":[|{}|]}]}
speedscope|{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[{"weights":[|1|]}]}
speedscope|{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[{"samples":[|0|]}]}
dhat|{"dhatFileVersion":2,"mode":"heap","pps":[|{}|],"ftbl":["a"]}
dhat|{"dhatFileVersion":2,"mode":"heap","pps":[|{"tb":1}|],"ftbl":["a"]}
dhat|{"dhatFileVersion":2,"mode":"heap","pps":[|{"fs":[1]}|],"ftbl":["a"]}
ghcjson|{"rts_arguments":[],"initial_capabilities":1,"cost_centres":[],"profile":{"id":1,"children":[|{}|]}}
ghcjson|{"rts_arguments":[],"initial_capabilities":1,"cost_centres":[],"profile":{"id":1,"children":[|{"id":1}|]}}
ghcjson|{"rts_arguments":[],"initial_capabilities":1,"cost_centres":[],"profile":{"id":1,"children":[|{"alloc":1}|]}}
d3|{"children":[{"name":"a","value":1},|{}|]}
d3|{"children":[{"name":"a","value":1},|{"v":1}|]}
d3|{"children":[{"name":"a","value":1},|{"c":[{}]}|]}
pyinstrument|{"sample_count":1,"root_frame":{"function":"a","time":1,"children":[|{}|]}}
pyinstrument|{"sample_count":1,"root_frame":{"function":"a","time":1,"children":[|{"time":1}|]}}
v8-head|{"head":{"selfSize":0,"id":1,"children":[|{}|]}}
v8-head|{"head":{"hitCount":0,"children":[|{"id":#}|]},"samples":[1],"timestamps":[1]}
cpuprofile|{"nodes":[{"id":1,"callFrame":{},"children":[|1|]}]}
cpuprofile|{"nodes":[{"id":1,"callFrame":{}},|{"id":#}|]}
cpuprofile|{"nodes":[{"id":1,"callFrame":{},"positionTicks":[|{}|]}]}
chrome-tracing|{"traceEvents":[|{"ph":"P","name":"Profile"}|]}
chrome-tracing|{"traceEvents":[|{"ph":"P","name":"Profile","id":#}|]}
chrome-tracing|{"traceEvents":[|{"ph":"P","name":"Profile","args":{"data":{"lines":[1]}}}|]}
chrome-tracing|{"traceEvents":[|{"ph":"P","name":"Profile","id":#,"args":{"data":{"lines":[1]}}}|]}
chrome-tracing|{"traceEvents":[{"ph":"P","name":"Profile","args":{"data":{"cpuProfile":{"nodes":[{"id":1},|{"id":#}|]}}}}]}
chrome-tracing|{"traceEvents":[],"stackFrames":{|"#":{}|},"samples":[{"ts":1}]}
flamebearer|{"flamebearer":{"names":["a"],"levels":[[|0|]]}}
stackprof|{"version":1.2,"mode":"cpu","raw":[|0,0|],"frames":{}}
webkit|{"version":1,"recording":{"sampleStackTraces":[|{}|]}}
webkit|{"version":1,"recording":{"sampleStackTraces":[|0|]}}
otlp|{"resourceProfiles":[],"dictionary":{"stringTable":[|""|]}}
otlp|{"resourceProfiles":[],"dictionary":{"stringTable":[""],"stackTable":[|{}|]}}
otlp|{"resourceProfiles":[],"dictionary":{"stringTable":[""],"stackTable":[|0|]}}
otlp|{"resourceProfiles":[],"dictionary":{"stringTable":[""],"locationTable":[|0|]}}
otlp|{"resourceProfiles":[],"dictionary":{"stringTable":[""],"functionTable":[|0|]}}
otlp|{"resourceProfiles":[],"dictionary":{"stringTable":[""],"mappingTable":[|0|]}}
otlp|{"resourceProfiles":[],"dictionary":{"stringTable":[""],"attributeTable":[|0|]}}
v8log|{"code":[|0|],"ticks":[]}
v8log|{"code":[|{}|],"ticks":[]}
v8log|{"code":[|{"name":""}|],"ticks":[]}
v8log|{"code":[{"name":"a","type":"CPP"}],"ticks":[{"tm":1,"s":[|-1|]}]}
bpftrace-json|{"type":"map","data":{"@":{"a":1,|"":1|}}}
END_OF_SHAPES

done_testing
