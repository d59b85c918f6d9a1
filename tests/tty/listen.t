#!/bin/sh
# --listen on a terminal: pushes are shown as they come, and nothing is left when the viewer ends.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/tty/tmux.sh"
command -v python3 >/dev/null || skip_all "python3 is not installed"

data=$source/tests/data/collapse/otlp
port=$(python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])')
client() {
	python3 "$source/tests/cli/listen_client.py" 127.0.0.1 "$port" "$@" >client 2>&1
}
listens() {
	python3 -c 'import socket, sys
socket.create_connection(("127.0.0.1", int(sys.argv[1]))).close()' "$port" 2>/dev/null
}

term_start 110 16
type_line "clear; $FLAMETOP --no-config --listen=$port; echo \"status \$?\""
shows "*profiles at 127.0.0.1:$port*nothing has arrived yet*listening at 127.0.0.1:$port*" "the viewer says where it listens"
client plain "$data/json.in" application/json
shows "*profiles at 127.0.0.1:$port  cpu 15 ns*run:ä*main*" "the first profile is shown"
client plain "$data/json.in" application/json
shows "*cpu 30 ns*" "the second one adds to it"
client garbage
client plain "$data/json-cut.in" application/json
client plain "$data/json.in" application/json
shows "*cpu 45 ns*" "what cannot be read changes nothing"
keys M
shows "*a profile that was sent is refused*cut short*" "and is a note"
keys Escape
shows_not "*a profile that was sent is refused*" "which goes"
keys q
shows "*The fetched profile is not saved:*" "q asks, since nobody else has it"
keys q
shows "*status 0*" "and ends"
has_modes 0001 "the terminal is whole"
until_true sh -c "! pgrep -f '^$FLAMETOP .*--listen=$port' >/dev/null"
tap_result $? "nothing runs on" "still running"
ok "nobody listens any more" sh -c "! $(command -v python3) -c 'import socket; socket.create_connection((\"127.0.0.1\", $port))' 2>/dev/null"

type_line "clear; $FLAMETOP --no-config --listen=$port; echo \"status \$?\""
shows "*nothing has arrived yet*" "it listens again at the same place"
python3 "$source/tests/cli/listen_client.py" 127.0.0.1 "$port" slow >client 2>&1 &
until_true listens
keys C-c
shows "*status 0*" "Ctrl-C ends it at once, whoever is connected"
has_modes 0001 "the terminal is whole"

type_line "clear; $FLAMETOP --no-config --listen=0.0.0.0:$port; echo \"status \$?\""
shows "*nothing has arrived yet*other machines can send*" "an address that other machines reach is said"
keys q
shows "*status 0*" "q ends it"

# In a pipe, ^C ends the listening and not the output.
type_line "clear; $FLAMETOP --no-config --listen=$port --to=folded; echo \"status \$?\""
shows "*listening at http://127.0.0.1:$port/v1development/profiles*" "without the viewer it says where it listens"
until_true listens
client plain "$data/padded.in" application/x-protobuf
keys C-c
shows "*main;f;g 5*main;l.so+0x1234 3*status 0*" "Ctrl-C shows what has come"

type_line exit
done_testing
