#!/bin/sh
# --listen: takes profiles that programs push, from good clients and from hostile ones.
. "$(dirname "$0")/../tap.sh"
command -v python3 >/dev/null || skip_all "python3 is not installed"

data=$source/tests/data/collapse/otlp
pb='application/x-protobuf'
json='application/json'

# Begins to listen at any port; $port is that one.
begin() { # OPTION...
	rm -f said
	"$FLAMETOP" --no-config --listen=0 "$@" >out 2>said &
	pid=$!
	until_true grep -qs '^flametop: listening at' said
	port=$(sed -n 's|.*listening at http://127.0.0.1:\([0-9]*\)/v1development/profiles$|\1|p' said)
}
# Ends as with Ctrl-C; a shell without job control lets background processes ignore that.
ended() {
	wait $pid
	status=$?
	out=$(cat out)
	err=$(cat said)
}
end() {
	kill -TERM $pid 2>/dev/null # it may have ended
	ended
}
client() {
	got=$(timeout 60 python3 "$source/tests/cli/listen_client.py" 127.0.0.1 "$port" "$@" 2>&1)
}
answers() { # PATTERN NAME, of the last client
	like "$got" "$1" "$2"
}

# ---- good clients ----
begin --to=folded
client plain "$data/padded.in" $pb
answers "200 $pb " "a profile is taken: the answer is an empty message"
client plain "$data/json.in" $json
answers "200 $json {}" "JSON is taken: the answer is JSON"
gzip -c "$data/padded.in" >packed
client plain packed $pb 'Content-Encoding: gzip'
answers "200 *" "a compressed one is taken"
client plain packed $pb
answers "400 *not of its Content-Type*" "but not without a word"
gzip -c packed >twice
client plain twice $pb 'Content-Encoding: gzip'
answers "400 *not of its Content-Type*" "nor twice"
client pipelined "$data/padded.in"
answers "200 400 200" "several at once are answered in their order"
client empties 20000
answers "200: 20000" "so are twenty thousand, whose bytes wait in the connection"
client expects "$data/padded.in"
answers "HTTP/1.1 100 Continue HTTP/1.1 200 OK" "a client that waits before it sends is told to go on"
client leaves "$data/padded.in"
: >empty
client plain empty $pb
answers "200 *" "an empty message is a profile without samples"
client plain "$data/cut.in" $pb
answers "400 $pb *cut short or damaged" "a damaged profile is refused with a Status"
client plain "$data/json-cut.in" $json
answers "400 $json {\"code\":3,\"message\":\"malformed OpenTelemetry profile: it is cut short\"}" "as JSON if that was sent"
client plain "$data/json.in" $pb
answers "400 *not of its Content-Type*" "JSON under another name is refused"
client plain "$data/padded.in" text/plain
answers "415 $json *" "another type is refused"
printf 'main;a 1\n' >a.folded
client plain a.folded $pb
answers "400 *" "another format is refused"
sleep 0.2 # for the client that left
end
exits 0 "SIGTERM ends it well"
"$FLAMETOP" --no-config -q --to=folded "$data/padded.in" "$data/padded.in" "$data/padded.in" "$data/padded.in" \
	"$data/padded.in" "$data/padded.in" "$data/json.in" >expected
is "$out" "$(cat expected)" "all that was taken adds up, also of who did not wait for the answer"
says "*8 times, the first: a profile that was sent is refused: the body is not of its Content-Type*" "what was refused is said"
"$FLAMETOP" --no-config --listen=0 --duration=0.3 --to=folded >out 2>said
is "$?" 1 "no profile at all is an error"
is "$(tail -1 said | sed 's/:[0-9][0-9]*/:PORT/')" \
	"flametop: http://127.0.0.1:PORT/v1development/profiles: no profile has come" "and is said"
printf 'main;f;g 2\n' >base.folded
begin --diff=base.folded --to=folded
client plain "$data/padded.in" $pb
end
exits 0 "--diff compares with a file"
prints "main;f;g 2 5*" "and shows both, as for two files"

# The bytes 0a 7b, a message of 123 bytes, are "\n{" as well.
for n in 122 123 124; do
	client make $n length-$n
	run "$FLAMETOP" --no-config --to=folded length-$n
	is "$status $out" "0 main 5" "a message of $n bytes is no JSON"
done
begin --to=folded
for n in 122 123 124; do
	client plain length-$n $pb
	answers "200 *" "nor is it when it is pushed"
done
client plain length-123 $json
answers "400 *not of its Content-Type*" "nor under the name of JSON"
end
is "$status $out" "0 main 15" "all of them are there"

# ---- what is refused before its body ----
asks() { # STATUS WORD...
	wanted=$1
	shift
	client asks "$@"
	answers "HTTP/1.1 $wanted *" "$wanted for $*"
}
begin --to=folded
asks 404 GET /
asks 404 GET /favicon.ico
asks 405 GET /v1development/profiles
asks 405 OPTIONS /v1development/profiles
end
is "$(sed 1d said)" "flametop: $(sed -n '1s/.*listening at //p' said): no profile has come" "pages that a browser asks for are not counted"
begin --to=folded
client plain length-122 $pb
asks 404 POST /v1/profiles
asks 405 PUT /v1development/profiles
asks 403 POST /v1development/profiles 'Origin: http://evil.example'
asks 415 POST /v1development/profiles 'Content-Encoding: zstd'
asks 415 POST /v1development/profiles 'Content-Type: text/plain'
asks 404 GET /
end
is "$status $out" "0 main 5" "what is good is taken"
says "*5 times, the first: a profile that was sent is refused: profiles go to /v1development/profiles*" \
	"profiles that are refused for their head are counted"
begin --to=folded
client plain length-122 $pb
client plain empty $json
answers "400 *an empty body*" "an empty body is no JSON"
client plain empty $pb 'Content-Encoding: gzip'
answers "400 *an empty body*" "nor compressed"
client short
answers nothing "a client that leaves within a body"
client within $pid
answers "HTTP/1.1 503 *" "at the end, who is within a body is told so"
ended # the client has sent SIGTERM, and a second one would kill it
is "$status $out" "0 main 5" "what is good is taken"
says "*4 times, the first: a profile that was sent is refused: an empty body*" "and all of these are counted"
begin --to=folded
client plain length-122 $pb
kill -STOP $pid
client at_once 30 &
sleep 0.5 # they are sent, and the server sees them all at once
kill -CONT $pid
wait $!
end
says "*30 times, the first: a profile that was sent is refused: *" "as are those that come all at once"

# ---- the viewer ----
screen() { # KEYS
	begin --duration=60 --screen=110x16 --keys="$1"
	client plain length-122 $pb
	end
}
screen C
prints "*But it waits for new profiles (w NAME.folded saves this one).*flametop --no-config --listen=0 --duration=60 *" \
	"the copied command listens again, which is said"
screen 'wsaved.folded<Enter>C'
prints "*flametop --no-config saved.folded *" "once the profile is written, the command reads the file"
is "$(grep -c 'But ' out)" 0 "and shows the same"

# ---- one profile is read, and others come ----
begin --to=folded
client plain length-122 $pb
client others
is "$got" "HTTP/1.1 200 OK others do not wait" "others are answered while a profile is read"
if [ -d /proc/$pid/task ]; then
	client ends $pid
	answers "HTTP/1.1 503 *" "at the end, who sent the profile that is being read is told so"
	ended # the client has sent SIGTERM, and a second one would kill it
	is "$status $out" "0 main 5" "what came before is there"
	says "*a profile that was sent is refused: there was no time to read it*" "and the rest is said"
else
	end
	skip 3 "there is no /proc/PID"
fi

# ---- hostile clients ----
begin --to=folded
[ ! -r /proc/$pid/fd ] || files=$(find /proc/$pid/fd -type l | wc -l)
client large
answers "HTTP/1.1 413 *" "a length above the limit"
client chunks
answers "HTTP/1.1 413 *" "chunks above the limit"
client bomb
answers "HTTP/1.1 413 *" "a bomb"
client not_gzip
answers "HTTP/1.1 400 *" "a body that is not compressed as it says"
client short
answers nothing "a body that ends too early"
client garbage
answers "HTTP/1.1 4?? *" "garbage"
client tls
answers "HTTP/1.1 400 *" "TLS"
client pages
answers "HTTP/1.1 403 *" "a request from a web page"
client many
answers "HTTP/1.1 429 *" "too many connections"
client idle
answers "HTTP/1.1 200 *" "silent connections give way"
client waste
answers "HTTP/1.1 429 *" "too many bytes that are announced"
client slow
answers "HTTP/1.1 408 *" "a request of one byte a second"
if [ -r /proc/$pid/status ] && ! grep -q -a __asan_init "$FLAMETOP"; then
	most=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' /proc/$pid/status)
	ok "all that took little memory ($most kB)" test "$most" -lt 60000
	closed() { [ "$(find /proc/$pid/fd -type l | wc -l)" -le "$files" ]; }
	ok "and all files and connections are closed" until_true closed
else
	skip 2 "there is no /proc/PID, or memory is checked"
fi
client make_swollen 50000 swollen
client plain swollen $pb
answers "429 *too many frames*" "stacks of far more frames than bytes"
for many in "4194304 0 0 values" "0 4194304 0 times" "0 0 4194304 samples"; do
	# shellcheck disable=SC2086 # several words
	client make_many $many
	client plain "${many##* }" $pb
	answers "429 *more than four million samples and values*" "one more of ${many##* } than there is room for"
done
client make_many 1048576 1048576 2097151 many
client plain many $pb
answers "200 *" "as many as there is room for"
run "$FLAMETOP" --no-config -q --to=folded values
is "$status $out" "0 main 4194304" "a file may have any number"
client plain "$data/padded.in" $pb
answers "200 *" "a good client is served after all that"
end
"$FLAMETOP" --no-config -q --to=folded "$data/padded.in" many >expected
is "$status $out" "0 $(cat expected)" "its profile is there"
refused=$(printf '%s\n' "$err" | sed -n 's/.*: \([0-9]*\) times, the first: a profile that was sent is refused: .*/\1/p')
ok "and all that were refused are counted (${refused:-none})" test "${refused:-0}" -ge 10

# So few files that the system refuses connections before the program does.
if [ -r /proc/$$/fd ]; then
	program=$FLAMETOP
	printf '#!/bin/sh\nulimit -S -n 20\nexec "%s" "$@"\n' "$program" >few
	chmod +x few
	FLAMETOP=./few
	begin --to=folded
	FLAMETOP=$program
	client files '' 40 $pid 20
	answers "HTTP/1.1 200 *" "silent connections give way where files run out"
	client files 'POST ' 40 $pid 20
	used=${got%%%*}
	ok "connections that cannot be taken do not keep a processor busy ($got)" test "$used" -lt 20
	end
else
	skip 2 "there is no /proc/PID"
fi

# ---- where ----
begin --duration=60 --to=folded
run "$FLAMETOP" --no-config --listen="$port" --to=folded
exits 1 "a port that is in use"
says "flametop: cannot listen at $port: *" "it is named"
one_line "in one line"
end
run "$FLAMETOP" --no-config --listen=0 --format=perf --duration=0.1 --to=folded
says "*--format has no effect: --listen takes profiles of OpenTelemetry*" "what comes has one format"
run "$FLAMETOP" --no-config --listen=0.0.0.0:0 --duration=0.1 --to=folded
says "*listening at http://0.0.0.0:*other machines can send profiles to this address, too*" "an open address is said"
run "$FLAMETOP" --no-config --listen=localhost:0 --duration=0.1 --to=folded
says "flametop: listening at http://127.0.0.1:*" "localhost"
for wrong in '' x ::1:4318 localhost: :4318 example.org:4318 1.2.3:80 70000 127.0.0.1:-1 '[::1:1' "[$(printf '%0100d' 1)]:1"; do
	run "$FLAMETOP" --no-config --listen="$wrong" --to=folded
	exits 1 "--listen=$wrong is no address"
	one_line "in one line"
done
for wrong in "--listen=0 a.folded" "--listen=0 --every=1" "--listen=0 --save=x" "--duration=1 a.folded" \
	"--listen=0 --screen=80x20"; do
	# shellcheck disable=SC2086 # several words
	run "$FLAMETOP" --no-config --to=folded $wrong
	exits 2 "$wrong is wrong usage"
	one_line "in one line"
done

done_testing
