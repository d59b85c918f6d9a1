#!/bin/sh
# Functions of PHP in recordings of running interpreters.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/record/calls.sh"

unset PERF
tools="$(dirname "$FLAMETOP")/tests/tools"
php=${PHP:-php}
[ -x "$tools/language_samples" ] || skip_all "no tools of the tests"
command -v "$php" >/dev/null || skip_all "no php"
"$php" -n -r 'exit(PHP_VERSION_ID < 70400 || PHP_VERSION_ID >= 80600 || PHP_ZTS || PHP_DEBUG ? 1 : 0);' ||
	skip_all "an unknown php"

# ---- exact stacks, by what PHP itself prints ----

# It prints its own stack, and stops in the same statement.
cat >stops.php <<'END'
<?php
function base($file) { return substr($file, (int)strrpos('/' . $file, '/')); }
function shown($t, $inner) {
	if (!isset($t['class']) && preg_match('/^(include|require)(_once)?$/', $t['function']))
		return 'include ' . base($inner['file']);
	return (isset($t['class']) ? strtok($t['class'], "\0") . '::' : '') . $t['function'];
}
function stop() {
	static $out = null;
	$out = $out ?: fopen('stops', 'w');
	$text = "S\tshell_exec::0\tstop:stops.php:" . (__LINE__ + 8);
	$all = debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS);
	for ($i = 0; $i < count($all); $i++) {
		$t = $all[$i];
		$name = isset($all[$i + 1]) ? shown($all[$i + 1], $t) : '<main>';
		if (isset($all[$i + 1]) || isset($t['file']))
			$text .= "\t$name:" . (isset($t['file']) ? base($t['file']) . ":$t[line]" : ':0');
	}
	fwrite($out, "$text\n") and shell_exec('kill -STOP ' . getmypid());
}
function leaf($x = 0) { stop(); return $x; }
function deep($d) { return $d ? deep($d - 1) + 1 : leaf(1); }
function lines($x) {
	if ($x == 1) {
		leaf();
	} elseif (leaf($x)
		== 2) {
		leaf();
	}
	$l = [
		leaf(1),
		'x' => leaf(2)
	];
	return strlen(
		leaf('x'));
}
trait Loud { function speak() { return leaf(); } static function make() { return new static; } }
class Box implements ArrayAccess, IteratorAggregate, Countable {
	use Loud;
	public $x = 1;
	function __construct() { leaf(); }
	function __destruct() { leaf(); }
	function __call($name, $args) { leaf(); }
	static function __callStatic($name, $args) { leaf(); }
	function __get($name) { return leaf(); }
	function __set($name, $x) { leaf(); }
	function __isset($name) { return leaf(true); }
	function __toString() { return (string)leaf('box'); }
	function __invoke($x) { return leaf($x); }
	#[ReturnTypeWillChange]
	function offsetGet($at) { return leaf(); }
	#[ReturnTypeWillChange]
	function offsetSet($at, $x) { leaf(); }
	#[ReturnTypeWillChange]
	function offsetExists($at) { return leaf(true); }
	#[ReturnTypeWillChange]
	function offsetUnset($at) { leaf(); }
	#[ReturnTypeWillChange]
	function getIterator() { return numbers(2); }
	#[ReturnTypeWillChange]
	function count() { return leaf(3); }
	function closure() { return function () { leaf(); }; }
}
function numbers($n) { for ($i = 0; $i < $n; $i++) { leaf(); yield $i; } return leaf(); }
function middle($n) { $r = yield from numbers($n); leaf(); return $r; }
function outer() { try { yield from middle(2); } finally { leaf(); } yield from [1, 2]; }
function objects() {
	$b = Box::make();
	$b->speak();
	$b->unknown(); Box::unknown();
	$b->none = $b->none . isset($b->none) . $b;
	$b[1] = $b[2]; isset($b[3]); unset($b[4]);
	foreach ($b as $x) leaf();
	count($b); $b(5);
	implode($b, ["x", $b]); in_array("y", [$b]); trim($b); strtr("abc", "b", $b);
	$b->closure()();
	(new class { function inside() { leaf(); } })->inside();
}
function callbacks() {
	array_map(function ($x) { return leaf($x); }, [1, 2]);
	usort($GLOBALS['list'], fn($a, $b) => leaf($a <=> $b));
	call_user_func_array('call_user_func', ['leaf', 1]);
	call_user_func('array_map', 'leaf', [1]);
	array_walk($GLOBALS['list'], 'leaf');
	preg_replace_callback('/a/', function ($m) { return leaf('b'); }, 'aa');
	iterator_to_array(new CallbackFilterIterator(numbers(2), function () { return leaf(true); }));
	(new ReflectionMethod('Box', 'speak'))->invoke((new ReflectionClass('Box'))->newInstanceWithoutConstructor());
	ob_start(function ($text) { return $text; }); echo leaf('x'); ob_end_clean();
	set_error_handler(function () { return leaf(true); });
	$x = [] . '';
	restore_error_handler();
	spl_autoload_register(function ($name) { leaf(); eval("class $name {}"); });
	new Missing; class_exists('Absent');
}
function generators() {
	foreach (outer() as $x) leaf();
	$g = middle(1);
	$g->current(); $g->next(); $g->getReturn();
	$shared = numbers(3);
	$join = function () use ($shared) { yield from $shared; };
	$a = $join(); $b = $join();
	$a->current(); $b->current(); $b->next(); $a->next();
	$s = (function () { while (true) leaf(yield); })();
	$s->send(1); $s->send(2);
	try { $t = numbers(2); $t->current(); $t->throw(new Exception); } catch (Exception $e) { leaf(); }
}
if (function_exists('json_encode')) {
	class Encoded implements JsonSerializable {
		#[ReturnTypeWillChange]
		function jsonSerialize() { return leaf(4); }
	}
	json_encode([new Encoded]);
}
class Noisy { function __destruct() { leaf(); } }
function thrower($x = null) { $local = new Noisy; throw new Exception('x'); }
function exceptions() {
	try { leaf(1); thrower(); } catch (Exception $e) { leaf(2); } finally { leaf(3); }
	try {
		strlen(leaf('x')) && thrower(new Noisy,
			thrower());
	} catch (Exception $e) { leaf(4); }
	try { try { thrower(); } finally { leaf(5); } } catch (Exception $e) { leaf(6); }
	try { intdiv(1, 0); } catch (Error $e) { leaf(7); }
	try { (function (int $x) {})('x'); } catch (TypeError $e) { leaf(8); }
}
function code() {
	eval("leaf(1);\n\nfunction made() {\n\tleaf(2); }\nmade();");
	eval('eval("leaf(3);");');
	include 'stops_inc.php';
	require_once __DIR__ . '/stops_inc2.php';
}
file_put_contents('stops_inc.php', "<?php\nleaf(1);\nfunction included() {\n\treturn leaf(2); }\nreturn included();\n");
file_put_contents('stops_inc2.php', "<?php\ninclude 'stops_inc3.php'; new class { function __construct() {\n\tleaf(1); } };\n");
file_put_contents('stops_inc3.php', "<?php namespace Some\\Name; function f() { \\leaf(1); }\nf(); (fn() => f())();\n");
$list = [2, 1, 3];
leaf();
deep(100);
foreach ([1, 2, 3] as $x) lines($x);
objects();
callbacks();
generators();
exceptions();
code();
if (class_exists('Fiber', false)) {
	$f = new Fiber(function ($x) { leaf($x); foreach (outer() as $y) { Fiber::suspend(1); deep(3); } });
	$f->start(1);
	while (!$f->isTerminated()) $f->resume();
}
register_shutdown_function(function () { leaf(); });
$last = new Noisy;
END
"$php" -n stops.php & pid=$!
timeout 60 sh -c "until grep -q 'T (stopped)' /proc/$pid/status; do sleep 0.05; done"
"$tools/language_stacks" "$pid" 2000 own >ours 2>ours.err
if ! grep -q '^S' ours; then
	kill -9 "$pid"
	skip_all "the memory of processes cannot be read here: $(head -1 ours.err)"
fi
wait "$pid" 2>/dev/null
# PHP tells anonymous functions apart only from 8.4 on.
plain() { sed 's/{closure[^}]*}/{closure}/g' "$1"; }
grep '^S' ours | sed 's/\*	/	/g; s/\*$//' >ours.stacks
is "$(plain ours.stacks)" "$(plain stops)" "all stacks are those that PHP itself prints ($(wc -l <stops) stops)"

# ---- recordings ----

"$FLAMETOP" sample -q --call-graph=fp -o probe.data -- true 2>why || {
	skip 16 "nothing can be sampled here: $(head -1 why)"
	done_testing
	exit
}

# Functions of some microseconds; a line that calls says who calls.
cat >app.php <<'END'
<?php
namespace App;
class Box {
	private $n = 0;
	function add($n) {
		$sum = 0;
		foreach (numbers($n) as $x) # App\Box::add
			$sum += $x;
		return $sum;
	}
	static function key($x) {
		return leaf(3) - $x; # App\Box::key
	}
	function __get($name) {
		return leaf(4); # App\Box::__get
	}
}
function leaf($n) {
	$s = 0;
	for ($i = 0; $i < $n; $i++)
		$s += $i * $i;
	return $s;
}
function tiny($x) {
	return $x + 1;
}
function numbers($n) {
	for ($i = 0; $i < $n; $i++)
		yield leaf(5); # App\numbers
}
function both($n) {
	yield from numbers($n); # App\both
	yield tiny(1); # App\both
}
function deep($d) {
	if (!$d)
		return leaf(9); # App\deep
	return deep($d - 1) + 1; # App\deep
}
function attempt($x) {
	try {
		tiny($x); # App\attempt
		fails($x); # App\attempt
	} catch (\Exception $e) {
		return leaf(2); # App\attempt
	}
}
function fails($x) {
	throw new \Exception(tiny($x)); # App\fails
}
function run($end) {
	$box = new Box;
	$compare = function ($a, $b) {
		return tiny($a) <=> tiny($b); # {closure}
	};
	while (microtime(true) < $end) { # App\run
		$box->add(20); # App\run
		foreach (both(5) as $x) # App\run
			tiny($x); # App\run
		deep(30); # App\run
		$l = array_map('App\Box::key', [1, 2, 3, 4, 5, 6, 7, 8]); # App\run
		usort($l, $compare); # App\run
		attempt($box->x); # App\run
		eval('App\\tiny(1);'); # App\run
	}
}
run(microtime(true) + $argv[1]); # <main>
END
cat >legal <<'END'
App\leaf App\numbers
App\leaf App\Box::key
App\leaf App\Box::__get
App\leaf App\deep
App\leaf App\attempt
App\tiny App\both
App\tiny App\attempt
App\tiny App\fails
App\tiny App\run
App\tiny {closure}
App\numbers App\both
App\both App\run
App\deep App\deep
App\deep App\run
App\fails App\attempt
App\attempt App\run
Exception::__construct App\fails
App\Box::add App\run
App\numbers App\Box::add
App\Box::__get App\run
array_map App\run
usort App\run
microtime App\run
microtime <main>
App\run <main>
END

"$php" -n app.php 6 & pid=$!
sleep 0.5
run "$FLAMETOP" record -q -p "$pid" -F 999 --duration 3 --keep-data -o program.folded
ok "a running interpreter is recorded" [ "$status" = 0 ]
ok "functions of PHP follow each other, those in C among them" \
	grep -qE ';<main>;App\\run;array_map;App\\Box::key;App\\leaf' program.folded
ok "generators that take values from others are there" grep -qE ';App\\run;App\\both;App\\numbers;App\\leaf' program.folded
"$FLAMETOP" -q --frames=all --to=folded perf.data >all.folded
ok "all has functions of the interpreter between them" grep -qE 'array_map;.*zend_call_function;App\\Box::key' all.folded
# But for the instructions in which a function begins or ends.
ok "loops of the interpreter are replaced" awk '/execute_ex/ { left += $NF } { all += $NF } END { exit left * 10 > all }' all.folded
"$FLAMETOP" -q -o again.folded perf.data
ok "a saved recording shows the same again" cmp program.folded again.folded
"$FLAMETOP" -q --frames=language --to=folded perf.data >language.folded
ok "language alone has the functions of PHP" grep -qE '^[^;]*;<main>;App\\run;App\\deep;App\\deep' language.folded
ok "and no others" sh -c '! grep -q "execute_ex\|_start\|zend_" language.folded'
"$FLAMETOP" -q --frames=native --to=folded perf.data >native.folded
ok "native alone has the loops" grep -q 'execute_ex' native.folded
weigh() { awk '{ sum += $NF } END { print sum + 0 }' "$1"; }
is "$(weigh language.folded) $(weigh native.folded) $(weigh all.folded)" "$(weigh program.folded) $(weigh program.folded) $(weigh program.folded)" "no choice loses weight"
"$FLAMETOP" -q --to=lines --function='App\leaf' perf.data >lines
ok "lines of a function have weights" grep -qE "%.* $(grep -n 's += .i \* .i' app.php | cut -d: -f1)( |$)" lines
"$tools/language_samples" perf.data >samples 2>how
check_calls app.php samples legal "all calls are ones that the source has"
wait "$pid" 2>/dev/null

# The virtual machine writes the instruction at work to memory only before it does what can call or fail.
cat >loop.php <<'END'
<?php
function work($n) {
	$s = 0;
	for ($i = 0;
		$i < $n;
		$i++)
		$s ^= $i & 7;
	return $s;
}
for ($end = microtime(true) + 1.5; microtime(true) < $end;)
	work(10000);
END
run "$FLAMETOP" record -q --call-graph=dwarf --keep-data -o loop.folded -- "$php" -n loop.php
"$tools/language_samples" perf.data >samples 2>how
ok "the line at work is known also in between" grep -q 'work:loop.php:[56]	<main>' samples

run "$FLAMETOP" record -q --call-graph=fp -o cmd.folded -- "$php" -n app.php 1
ok "a command is recorded with its functions" grep -q 'App\\deep;App\\deep' cmd.folded
run "$FLAMETOP" record -q --languages=none --call-graph=fp -o none.folded -- "$php" -n app.php 1
ok "--languages=none leaves them out" sh -c '! grep -q "App.deep" none.folded'
run "$FLAMETOP" record -q --ptrace -o traced.folded -- "$php" -n app.php 2
if [ "$status" = 0 ]; then
	ok "threads that ptrace stops have them, too" grep -q '<main>;App\\run;' traced.folded
else
	skip 1 "no ptrace here"
fi
done_testing
