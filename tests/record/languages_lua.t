#!/bin/sh
# Functions of Lua in recordings of running interpreters: lua5.1 to lua5.4, luajit, and a program of its own that runs Lua.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/record/calls.sh"

unset PERF
tools="$(dirname "$FLAMETOP")/tests/tools"
[ -x "$tools/language_samples" ] || skip_all "no tools of the tests"
interpreters=""
for lua in ${LUA:-lua5.1 lua5.2 lua5.3 lua5.4 lua luajit}; do
	version=$("$lua" -e 'if not jit then print(_VERSION:match("5%.[1-4]")) elseif jit.version == "LuaJIT 2.1.0-beta3" and
		jit.arch == "x64" and require("ffi").abi("gc64") then print("jit") end' 2>/dev/null) || continue
	case "$version $interpreters" in
	" "* | nil* | "$version"*"$version"*) ;;
	*) interpreters="$interpreters $lua" ;;
	esac
done
[ "$interpreters" ] || skip_all "no lua"

# ---- exact stacks, by what Lua itself tells ----

# It prints its own stack, and stops in the same statement. Functions of C without a name get no frame from us.
cat >stops.lua <<'END'
local out = assert(io.open("stops", "w"))
out:setvbuf("line")
local unpack = table.unpack or unpack
local is_5_1 = _VERSION == "Lua 5.1"
local outer = {} -- coroutine -> the rows of its resumers

-- The name that a function has in a module or as a global variable.
local function reach(f)
	local best
	for k, v in pairs(_G) do
		if v == f and type(k) == "string" and (not best or #k < #best or (#k == #best and k < best)) then best = k end
	end
	if best then return best end
	for module, t in pairs(package.loaded) do
		for k, v in pairs(type(t) == "table" and t or {}) do
			local name = v == f and type(k) == "string" and module .. "." .. k
			if name and (not best or #name < #best or (#name == #best and name < best)) then best = name end
		end
	end
	return best
end
local function base(file) return (file:gsub("^@", ""):gsub(".*/", "")) end
-- The rows of the running coroutine from this level on, and those of its resumers.
local function rows(level)
	local t = {}
	level = level + 1
	while true do
		local i = debug.getinfo(level, is_5_1 and "Slf" or "Sltf")
		if not i then break end
		local name = i.func and reach(i.func)
		if i.what == "tail" then
			if t[#t] ~= "(...tail calls...)::0" then t[#t + 1] = "(...tail calls...)::0" end
		elseif i.what == "C" then
			if name then t[#t + 1] = name .. "::0" end
		else
			name = name or (i.linedefined > 0 and "function <" .. i.short_src .. ":" .. i.linedefined .. ">" or "main chunk <" .. i.short_src .. ">")
			if i.short_src:find("^%[builtin") then i.source, i.short_src, i.currentline = "=", "", 0 end
			local file = i.source:sub(1, 1) == "@" and base(i.source) or base(i.short_src)
			t[#t + 1] = name .. ":" .. file .. ":" .. i.currentline
		end
		if i.istailcall then t[#t + 1] = "(...tail calls...)::0" end
		level = level + 1
	end
	for _, row in ipairs(outer[coroutine.running() or 0] or {}) do t[#t + 1] = row end
	return t
end
function stop()
	out:write("S\tos.execute::0\t", table.concat(rows(1), "\t"), "\n") os.execute("kill -STOP $PPID")
end
local function keep(co, name)
	local t = rows(2)
	if name then table.insert(t, 1, name) end
	outer[co] = t
	return co
end
local function resume(co, ...)
	local r = {coroutine.resume(keep(co, "coroutine.resume::0"), ...)} return unpack(r)
end
local function leaf(x) stop() return x end
local function deep(d) if d == 0 then return leaf(1) end return deep(d - 1) + 1 end
local function tail(d) if d == 0 then leaf(1) return 2 end return tail(d - 1) end
local function nested(d)
	local co = coroutine.create(function(a)
		leaf(a)
		local b = coroutine.yield(a)
		leaf(b)
		if d > 0 then nested(d - 1) end
		pcall(function()
			leaf(b)
			if not is_5_1 or jit then coroutine.yield(b) leaf(b) pcall(leaf, 1) end
			error("x")
		end)
		leaf(a)
		return a
	end)
	repeat local is_fine = resume(co, d) until coroutine.status(co) == "dead" or not is_fine
end
local function objects()
	local mt = {}
	mt.__index = function(t, k) leaf(k) return 1 end
	mt.__newindex = function(t, k, v) leaf(k) end
	mt.__add = function(a, b) return leaf(1) + 1 end
	mt.__eq = function(a, b) leaf(1) return true end
	mt.__lt = function(a, b)
		leaf(2)
		return true
	end
	mt.__concat = function() leaf(3) return "" end
	mt.__call = function(self, x) leaf(x) end
	mt.__tostring = function() leaf(4) return "x" end
	mt.__unm = function() leaf(5) return 1 end
	local a, b = setmetatable({}, mt), setmetatable({}, mt)
	local x = a.field
	a.field = 1
	x = a + 1
	x = a == b
	x = a < b
	x = a .. b
	a(3)
	x = tostring(a)
	x = -a
	x = (a + 1) + (a.other
		+ 2)
end
local function callbacks()
	table.sort({3, 1, 2}, function(a, b)
		leaf(1)
		return a < b
	end)
	string.gsub("abc", "%w", function(c) leaf(c) end)
	pcall(leaf, 1)
	pcall(pcall, leaf, 1)
	xpcall(function() leaf(2) error("x") end, function(m) leaf(3) return m end)
	for x in function(_, i) leaf(i) return i == nil and 1 or nil end do leaf(x) end
	select(2, leaf(1), leaf(2))
	assert((loadstring or load)("local f = ... f(1)\nf(2)"))(leaf)
	local f = assert((loadstring or load)("local f = ... return function() f(7) end", "@other/chunk.lua"))(leaf)
	f()
	;(function(...) leaf(...) local x = select("#", ...) leaf(x) end)(1, 2, 3)
	local function vararg(n, ...) if n == 0 then leaf(n) return 1 end return vararg(n - 1, n, ...) + 1 end
	vararg(3)
	if not is_5_1 then
		setmetatable({}, {__gc = function() leaf(9) end})
		collectgarbage()
		collectgarbage()
	end
end
local module = {}
function module.work() leaf(1) end
function module:method() leaf(2) module.work() end
package.loaded["some.module"] = module
function global(x) leaf(x) module:method() end
local long = assert((loadstring or load)("local leaf = ...\nreturn function()\nlocal t = {}\n" .. ("\n"):rep(300) .. [[
	t[1] = {
		a = leaf(1),
		b = {leaf(2),
			leaf(3)},
	}
]] .. ("t.a = 1 t.b = 2 t.c = 3\n"):rep(80) .. "leaf(4)" .. ("\n"):rep(200) .. "leaf(5)\n" .. ("t.a = 1 "):rep(300) .. [[
	for i = 1, 2 do
		leaf(6)
	end
end]], "@long.lua"))(leaf)
leaf(0)
deep(100)
tail(3)
global(1)
objects()
callbacks()
long()
nested(0)
nested(2)
if jit then -- what LuaJIT alone has: functions of its library in Lua, callbacks from C, and compiled code
	local ffi = require("ffi")
	table.foreach({1, 2}, function(k, v)
		leaf(k)
	end)
	local object = newproxy(true)
	getmetatable(object).__gc = function() leaf(9) end
	getmetatable(object).__len = function() leaf(10) return 1 end
	local n = #object
	object = nil
	collectgarbage()
	collectgarbage()
	ffi.cdef("void qsort(void *, size_t, size_t, int (*)(const int *, const int *));")
	ffi.C.qsort(ffi.new("int[3]", {3, 1, 2}), 3, 4, function(a, b)
		leaf(a[0])
		return a[0] - b[0]
	end)
	for i = 1, 200 do if i % 100 == 0 then leaf(i) end end
	local function hot(i) if i == 150 then leaf(i) end return i end
	for i = 1, 200 do hot(i) end
	local function match(i) if i > 195 then string.gsub("a", "a", function(c) leaf(c) end) end end
	for i = 1, 200 do match(i) end
	deep(700)
	xpcall(leaf, print, 5)
	loadstring("return function(f)\nf(1) end", ("a long name of a text "):rep(4))()(leaf)
	loadstring("return function(f) f(1) end", "@a/long/" .. ("path/"):rep(12) .. "name.lua")()(leaf)
end
END
for lua in $interpreters; do
	rm -f stops
	"$lua" stops.lua & pid=$!
	timeout 60 sh -c "until grep -q 'T (stopped)' /proc/$pid/status; do sleep 0.05; done"
	"$tools/language_stacks" "$pid" 1000 own >ours 2>ours.err
	if ! grep -q '^S' ours; then
		kill -9 "$pid"
		skip 1 "$lua: $(head -1 ours.err)"
		continue
	fi
	wait "$pid" 2>/dev/null
	grep '^S' ours | sed 's/\*	/	/g; s/\*$//' >ours.stacks
	is "$(cat ours.stacks)" "$(cat stops)" "$lua: all stacks are those that Lua itself tells ($(wc -l <stops) stops)"
done

# ---- recordings ----

"$FLAMETOP" sample -q --call-graph=fp -o probe.data -- true 2>why || {
	skip 30 "nothing can be sampled here: $(head -1 why)"
	done_testing
	exit
}

# Functions of some microseconds. A line that calls says who calls, and a line that begins a function what it is.
cat >app.lua <<'END'
local stop_at = os.time() + tonumber(arg and arg[1] or 10)
local Box = {}
Box.__index = Box
local function leaf(n) -- def leaf
	local s = 0
	for i = 1, n do s = s + i * i end
	return s
end
local function tiny(x) -- def tiny
	return x + 1
end
function Box.add(self, n) -- def add
	local sum = 0
	for i = 1, n do
		sum = sum + leaf(i) -- # add
	end
	return sum
end
Box.__add = function(a, b) -- def plus
	return leaf(4) + tiny(1) -- # plus
end
local function deep(d) -- def deep
	if d == 0 then
		return leaf(9) + 0 -- # deep
	end
	return deep(d - 1) + 1 -- # deep
end
local function compare(a, b) -- def compare
	leaf(2) -- # compare
	return a < b
end
local function order() -- def order
	local t = {}
	for i = 1, 40 do t[i] = i * 7919 % 101 end
	table.sort(t, compare) -- # order
	return t
end
local function fails() -- def fails
	tiny(2) -- # fails
	error("x") -- # fails
end
local function attempt() -- def attempt
	pcall(leaf, 3) -- # attempt
	pcall(fails) -- # attempt
	string.gsub("1234", "%d", tiny) -- # attempt
	return 1
end
local function numbers(n) -- def numbers
	for i = 1, n do
		leaf(3) -- # numbers
		coroutine.yield(i) -- # numbers
	end
end
local function inner() -- def inner
	for i = 1, 3 do
		tiny(i) -- # inner
		local next = coroutine.wrap(function() -- def anon # inner
			numbers(3) -- # anon
		end)
		for x in next do -- # inner
			leaf(x) -- # inner
		end
		coroutine.yield(i) -- # inner
	end
end
local function coroutines() -- def coroutines
	local co = coroutine.create(inner) -- # coroutines
	while coroutine.resume(co) do -- # coroutines
		tiny(1) -- # coroutines
	end
end
local function variadic(n, ...) -- def variadic
	if n == 0 then
		return leaf(2) + 0 -- # variadic
	end
	return variadic(n - 1, n, ...) + 1 -- # variadic
end
local function hop(n) -- def hop
	if n == 0 then
		return (leaf(2)) -- # hop
	end
	return hop(n - 1) -- # hop
end
local function maker(x) -- def maker
	return function() -- def made
		return tiny(x) + 1 -- # made
	end
end
local function run() -- def run
	local box = setmetatable({}, Box) -- # run
	while os.time() < stop_at do -- # run
		box:add(20) -- # run
		deep(30) -- # run
		order() -- # run
		attempt() -- # run
		coroutines() -- # run
		local x = box + 1 -- # run
		variadic(5) -- # run
		hop(4) -- # run
		maker(3)() -- # run
	end
end
run() -- # (main)
END

cat >legal <<'END'
leaf add
leaf plus
tiny plus
leaf deep
deep deep
leaf compare
compare order
tiny fails
leaf attempt
fails attempt
tiny attempt
leaf numbers
tiny inner
anon inner
leaf inner
numbers anon
inner coroutines
tiny coroutines
leaf variadic
variadic variadic
leaf hop
hop hop
hop run
maker run
made run
tiny made
table.sort order
pcall attempt
string.gsub attempt
error fails
coroutine.yield numbers
coroutine.yield inner
coroutine.wrap inner
coroutine.create coroutines
coroutine.resume coroutines
setmetatable run
os.time run
add run
deep run
order run
attempt run
coroutines run
plus run
variadic run
run (main)
END

# Functions get the names that the source gives them: "function <app.lua:12>" begins there. Tail calls are left out.
name_functions() {
	awk '
		FILENAME == "app.lua" { if (match($0, /-- def [a-z]+/)) name[FNR] = substr($0, RSTART + 7, RLENGTH - 7); next }
		{
			gsub(/\t\(\.\.\.tail calls\.\.\.\)::0\*?/, "")
			gsub(/main chunk <app\.lua>/, "(main)")
			while (match($0, /function <app\.lua:[0-9]+>/)) {
				line = substr($0, RSTART + 18, RLENGTH - 19)
				$0 = substr($0, 1, RSTART - 1) name[line] substr($0, RSTART + RLENGTH)
			}
			print
		}' app.lua samples
}

for lua in $interpreters; do
	"$lua" app.lua 30 & pid=$!
	sleep 0.5
	run "$FLAMETOP" record -q -p "$pid" -F 1999 --duration 2 --keep-data -o program.folded
	ok "$lua: a running interpreter is recorded" [ "$status" = 0 ]
	ok "functions of Lua and of C that it knows follow each other" \
		grep -qE ';main chunk <app.lua>;function <app.lua:[0-9]+>;function <app.lua:[0-9]+>;table.sort;function' program.folded
	ok "coroutines are within what resumes them" \
		grep -qE ';coroutine.resume;function <app.lua:[0-9]+>;function <app.lua:[0-9]+>;function' program.folded
	"$tools/language_samples" perf.data >samples 2>how
	name_functions >named
	check_calls app.lua named legal "$lua: all calls are in the source"
	kill "$pid"
	wait "$pid" 2>/dev/null
done

"$FLAMETOP" -q --frames=all --to=folded perf.data >all.folded
"$FLAMETOP" -q -o again.folded perf.data
ok "a saved recording shows the same again" cmp program.folded again.folded
"$FLAMETOP" -q --frames=language --to=folded perf.data >language.folded
ok "language alone has the functions of Lua, and no others" \
	sh -c 'grep -qE "^[^;]*;main chunk <app.lua>;function" language.folded && ! grep -q "lua_pcall\|_start" language.folded'
weigh() { awk '{ sum += $NF } END { print sum + 0 }' "$1"; }
is "$(weigh language.folded) $(weigh all.folded)" "$(weigh program.folded) $(weigh program.folded)" "no choice loses weight"
lua=${interpreters##* }
run "$FLAMETOP" record -q --call-graph=fp -o cmd.folded -- "$lua" app.lua 2
ok "a command is recorded with its functions" grep -q 'main chunk <app.lua>;function <app.lua' cmd.folded
run "$FLAMETOP" record -q --languages=none --call-graph=fp -o none.folded -- "$lua" app.lua 1
ok "--languages=none leaves them out" sh -c '! grep -q "app.lua:" none.folded'
run "$FLAMETOP" record -q --ptrace -o traced.folded -- "$lua" app.lua 2
if [ "$status" = 0 ]; then
	ok "threads that ptrace stops have them, too" grep -q 'main chunk <app.lua>;function <app.lua' traced.folded
else
	skip 1 "no ptrace here"
fi

# ---- a program of its own ----

cat >host.c <<'END'
/* A program of its own that runs Lua: in the main thread, in another one, and by coroutines that C resumes. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>
static int twice(lua_State *L) { for (int i = 0; i < 2; i++) { lua_pushvalue(L, 1); lua_call(L, 0, 0); } return 0; }
static int step(lua_State *co, lua_State *from) {
#if LUA_VERSION_NUM == 501
	return lua_resume(co, 0);
#elif LUA_VERSION_NUM < 504
	return lua_resume(co, from, 0);
#else
	int n; int r = lua_resume(co, from, 0, &n); if (r == LUA_YIELD) lua_pop(co, n); return r;
#endif
}
static int drive(lua_State *L) { /* resumes a coroutine that is one of its local variables */
	lua_State *co = lua_newthread(L); lua_pushvalue(L, 1); lua_xmove(L, co, 1);
	while (step(co, L) == LUA_YIELD) ;
	return 0; }
static void *run(void *arg) {
	char **argv = arg; const char *mode = argv[2];
	volatile char big[2000]; memset((void *)big, 1, sizeof big);
	lua_State *L = luaL_newstate(); luaL_openlibs(L);
	lua_newtable(L); lua_pushstring(L, argv[3]); lua_rawseti(L, -2, 1); lua_setglobal(L, "arg");
	lua_pushcfunction(L, twice); lua_setglobal(L, "twice");
	lua_pushcfunction(L, drive); lua_setglobal(L, "drive");
	if (luaL_loadfile(L, argv[1])) { puts(lua_tostring(L, -1)); exit(1); }
	if (strcmp(mode, "resume") == 0) {
		lua_State *co = lua_newthread(L); lua_insert(L, 1); lua_xmove(L, co, 1);
		int r; while ((r = step(co, NULL)) == LUA_YIELD) ;
		if (r) puts(lua_tostring(co, -1));
	} else if (lua_pcall(L, 0, 0, 0)) { puts(lua_tostring(L, -1)); exit(1); }
	lua_close(L);
	return NULL; }
static int volatile go = 1;
static void *spin(void *arg) { volatile unsigned long n = 0; while (go) n++; return arg; }
int main(int argc, char **argv) {
	pthread_t t, u;
	if (argc < 4) return 2;
	if (strcmp(argv[2], "thread") == 0) { pthread_create(&u, NULL, spin, NULL); pthread_create(&t, NULL, run, argv); pthread_join(t, NULL); go = 0; }
	else run(argv);
	return 0; }
END
header=""
for version in 5.4 5.3 5.2 5.1; do
	[ "$header" ] || [ ! -e "/usr/include/lua$version/lua.h" ] || header=$version
done
library=$(find /usr/lib -name "liblua$header.a" 2>/dev/null | head -1)
build_host() {
	cc -g -O1 host.c -o host "$@" -lm -ldl -lpthread -Wl,-E 2>why
}
record_host() {
	./host app.lua "$1" 30 & pid=$!
	sleep 0.5
	run "$FLAMETOP" record -q -p "$pid" -F 999 --duration 2 --keep-data -o host.folded
	ok "$1: a program that runs $2 is recorded" grep -qE ';main chunk <app.lua>;function.*;table.sort;function' host.folded
	"$tools/language_samples" perf.data >samples 2>how
	name_functions >named
	check_calls app.lua named legal "$1: all calls are in the source"
	kill "$pid"
	wait "$pid" 2>/dev/null
}
case "$interpreters" in
*luajit*)
	if build_host "-I/usr/include/luajit-2.1" -lluajit-5.1; then
		for how in main thread resume; do record_host "$how" LuaJIT; done
	else
		skip 6 "no library of LuaJIT to build a program with"
	fi
	;;
esac
if [ ! "$header" ] || [ ! "$library" ] || ! build_host "-I/usr/include/lua$header" "$library"; then
	skip 8 "no library of Lua to build a program with"
	done_testing
	exit
fi
for how in main thread resume; do record_host "$how" Lua; done
"$FLAMETOP" -q --frames=all --to=folded perf.data >all.folded
ok "functions are between the native ones that run them" \
	grep -qE '(lua_resume|lua_pcall).*;main chunk <app.lua>;function.*;table.sort;.*auxsort;.*lua_call.*;function' all.folded
ok "and stand for loops of the interpreter" sh -c '! grep -q "luaV_execute;.*main chunk" all.folded'
done_testing
