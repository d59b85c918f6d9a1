#!/bin/sh
# Functions of Ruby in recordings of running interpreters.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/record/calls.sh"

unset PERF RUBYOPT
tools="$(dirname "$FLAMETOP")/tests/tools"
ruby=${RUBY:-ruby}
[ -x "$tools/language_samples" ] || skip_all "no tools of the tests"
command -v "$ruby" >/dev/null || skip_all "no ruby"
"$ruby" -e 'exit RUBY_ENGINE == "ruby" && %w[2.7 3.1 3.3 3.4].include?(RUBY_VERSION[/\d+\.\d+/])' || skip_all "an unknown ruby"
[ "$(uname -m)" = x86_64 ] || skip_all "ruby is read on x86-64 only"

# ---- exact stacks, by what Ruby itself prints ----

# It prints its own stack, and stops in the same statement.
cat >stop.rb <<'END'
$out = File.open('stops', 'w')
$out.sync = true
def stop
  l = caller_locations(0); $out.write('S', *l.map { |c| "\t#{c.label}:#{File.basename(c.path.to_s)}:#{c.lineno}" }, "\n") && Process.kill(:STOP, $$)
end
END
cat stop.rb - >stops.rb <<'END'
def leaf(x) stop; x; end
def deep(d) d == 0 ? leaf(1) : deep(d - 1) + 1; end
module Greet
  def greet; leaf(1); super rescue leaf(2); end
  def self.included(other) leaf(3); end
  module_function
  def helper; leaf(4); end
end
class Base
  include Enumerable
  include Comparable
  attr_reader :x
  def initialize(x = leaf(0)) @x = x; end
  def greet; leaf(@x); end
  def each; return enum_for(:each) unless block_given?; yield 1; yield 2; end
  def <=>(o) leaf(1); x <=> o.x; end
  def coerce(n) leaf(3); [n, 1]; end
  def to_s; leaf(4); 'b'; end
  def hash; leaf(5); 1; end
  def [](i) leaf(8); i; end
  def []=(i, v) leaf(9); end
  def -@; leaf(10); end
  def !; leaf(11); false; end
  def method_missing(n, *a) n.to_s.start_with?('dyn') ? leaf(13) : super; end
  def respond_to_missing?(n, p) n.to_s.start_with?('dyn'); end
  def to_proc; proc { leaf(14) }; end
  class << self
    def make(*a) new(*a); end
    def inherited(k) leaf(15); end
    def method_added(n) leaf(16) if n == :late; end
    def const_missing(n) leaf(17); end
  end
  def late; leaf(18); end
  define_method(:defined) { |x| leaf(x) }
  alias other defined
  alias_method :third, :greet
end
class Kid < Base
  include Greet
  prepend(Module.new { def greet; leaf(1); super; end })
  def initialize; super(3); end
end
module Refined
  refine(String) { def shout; leaf(1); upcase; end }
end
using Refined
S = Struct.new(:a, :b) { def sum; leaf(a) + b; end }
class Hook
  def marshal_dump; leaf(1); [1]; end
  def marshal_load(a) leaf(2); end
end
def errors
  begin
    raise 'x'
  rescue => e
    begin
      raise 'y'
    rescue
      leaf(1)
    ensure
      leaf(2)
    end
    leaf(3)
  ensure
    [1].each { leaf(5) }
  end
  tries = 0
  begin
    leaf(6)
    raise ArgumentError if (tries += 1) < 2
  rescue ArgumentError
    leaf(7)
    retry
  end
  catch(:done) { leaf(9); throw :done, leaf(10) }
  [1, 2].each { |x| begin; raise 'z'; rescue; [x].map { leaf(11) }; end }
end
def ensured
  return leaf(1)
ensure
  leaf(2)
  1.times { leaf(3) }
end
def keywords(a, b = leaf(1), *c, d:, e: leaf(2), **f, &g) g ? g.call(leaf(3)) : leaf(4); end
def blocks
  [3, 1, 2].sort { |a, b| leaf(a) <=> leaf(b) }
  [3, 1].sort_by { |x| leaf(x) }
  [1, 2].inject { |a, b| leaf(a + b) }
  (1..2).map { |x| [x].flat_map { |y| [y].select { leaf(y) } } }
  { a: 1 }.each { |k, v| leaf(v) }
  Hash.new { |h, k| leaf(k) }[1]
  'ab'.gsub(/b/) { leaf('c') }
  1.upto(2) { |i| leaf(i) }
  loop { leaf(1); break }
  while leaf(nil); end
  for i in 1..2 do leaf(i) end
  1.then { leaf(_1) }
  [1].each(&method(:leaf))
  [Kid.new].each(&:greet)
  pr = proc { |x| leaf(x) }
  pr.call(1); pr.(2); pr[3]; pr.yield(4)
  la = ->(x, y = leaf(1)) { leaf(x) }
  la.curry[1]
  (la >> pr).call(1)
  [1, 2].lazy.map { |x| leaf(x) }.select { leaf(true) }.first(1)
  g = Enumerator.new { |y| leaf(1); y << 1; leaf(2) }
  g.next; g.next rescue leaf(3)
  Base.new(1).map { |x| leaf(x) }
  Base.new(1).each.next
  Base.new(2).each_with_object([]) { |x, m| m << leaf(x) }
  %w[a b].each.with_index(1) { |x, i| leaf(i) }
end
def objects
  b = Base.new(1)
  b < Base.new(2)
  b.clamp(Base.new(0), Base.new(5))
  1 + b rescue leaf(0)
  "#{b}"
  { b => 1 }
  b[1]; b[1] = 2; -b; !b
  b.dyn(1); b.public_send(:dyn2); b.__send__(:other, 1)
  [1].each(&b)
  b.defined(1); b.third
  b.instance_eval { leaf(@x) }
  b.instance_exec(1) { |y| leaf(y) }
  Base.class_exec(2) { |x| leaf(x) }
  Base.class_eval "def evaled; leaf(1); end\ndef self.evaled2\n  leaf(2)\nend", 'made.rb', 10
  b.evaled; Base.evaled2
  b.method(:greet).unbind.bind(b).call
  b.method(:defined).to_proc.call(1)
  def b.own; leaf(5); end
  b.own
  Kid.new.greet
  Greet.helper
  Class.new(Base) { leaf(1); def x; leaf(2); end }.new(1).x
  Base::MISSING
  Base.class_eval { def late; leaf(1); end }
  ['a'].each { |s| s.shout }
  S.new(1, 2).sum
  eval "leaf(3);\n\nleaf(4)"
  eval '[1].each { |x| leaf(x) }', binding, 'e.rb', 7
  x = 1
  eval "eval 'leaf(x); [1].map { leaf(x) }'"
  TOPLEVEL_BINDING.eval('leaf(6)')
  keywords(1, d: 2); keywords(1, d: 2) { |x| leaf(x) }
  class << b
    leaf(7)
  end
  Marshal.load(Marshal.dump(Hook.new))
end
def fibers
  f = Fiber.new { |x| leaf(x); y = Fiber.yield(1); [y].each { |z| leaf(z); Fiber.yield }; leaf(3) }
  f.resume(1); leaf(4); f.resume(2); f.resume
  Fiber.new { Fiber.new { leaf(5) }.resume; leaf(6) }.resume
  Mutex.new.synchronize { leaf(7) }
  trap(:USR1) { leaf(9) }
  Process.kill(:USR1, $$)
  tp = TracePoint.new(:call) { |t| tp.disable; leaf(10) }
  tp.enable; deep(0)
end
# Of this many instructions, lines are found in another way than of few.
eval "def long_one(x)\n#{(1..400).map { |i| i % 40 == 5 ? "leaf(\n#{i}\n)" : "x += x * #{i} + 1" } * "\n"}\nend", binding, 'long.rb'
File.write('part.rb', "leaf(1)\nmodule Part\n  leaf(2)\n  def self.go\n    leaf(3) end\n  class Inner\n    leaf(4)\n  end\nend\n")
leaf(0)
deep(100)
errors
ensured
blocks
objects
fibers
long_one(1)
require './part'
Part.go
at_exit { leaf(1); [1].each { leaf(2) } }
END
# The library's own functions, at every so many events of any kind.
cat stop.rb - >library.rb <<'END'
require 'erb'
require 'json'
require 'optparse'
require 'pp'
require 'set'
require 'stringio'
require 'time'
Item = Struct.new(:name, :price, :tags) { def to_json(*a) to_h.to_json(*a); end }
def work
  items = 6.times.map { |i| Item.new("item#{i}", i * 1.5, %w[b a c].first(i % 3 + 1)) }
  ERB.new("<% items.each do |i| %>\n<%= i.name.upcase %>: <%= format('%.2f', i.price) %>\n<% end %>").result(binding)
  JSON.parse(JSON.pretty_generate(items))
  OptionParser.new { |p| p.on('-n', '--number N', Integer) { |v| v } }.parse!(%w[--number 3 rest])
  PP.pp({ a: items.to_a, b: Set.new([1, 2, 3]), c: 'x' * 100 }, StringIO.new)
  Time.parse('2020-01-02 03:04:05 UTC').iso8601
end
n = 0
trace = TracePoint.new(:call, :c_call, :line, :b_call, :return) { stop if (n += 1) % 401 == 0 }
4.times { trace.enable { work } }
END

# What is innermost is the call that stops. Methods in C have no place of their own; Ruby prints their caller's.
cat >same.awk <<'EOF'
BEGIN { FS = "\t" }
FNR == NR { theirs[++n] = $0; next }
$1 == "S" {
	m++
	bad = split(theirs[m], t, "\t") != NF - 1 || t[1] != "S"
	for (i = 3; i <= NF && !bad; i++) {
		f = $i
		sub(/\*$/, "", f)
		bad = f ~ /::0$/ ? index(t[i - 1], substr(f, 1, length(f) - 2)) != 1 : f != t[i - 1]
	}
	equal += !bad
	if (bad && m - equal == 1)
		print "ours: " $0 "\ntheirs: " theirs[m] >"/dev/stderr"
}
END { print equal + 0 " of " (n == m ? n : m " and " n) }
EOF
stops() { # program, what it is
	"$ruby" "$1" >/dev/null 2>&1 & pid=$!
	timeout 60 sh -c "until grep -q 'T (stopped)' /proc/$pid/status; do kill -0 $pid || exit; sleep 0.05; done"
	"$tools/language_stacks" "$pid" 2000 own >ours 2>ours.err
	if ! grep -q '^S' ours; then
		kill -9 "$pid"
		skip_all "the memory of processes cannot be read here: $(head -1 ours.err)"
	fi
	wait "$pid" 2>/dev/null
	same=$(awk -f same.awk stops ours 2>differs)
	is "$same" "$(wc -l <stops | tr -d ' ') of $(wc -l <stops | tr -d ' ')" "stacks of $2 are those that Ruby itself prints: $same$(cat differs)"
}
stops stops.rb "all kinds of calls"
if "$ruby" -rerb -rjson -roptparse -rpp -e 1 2>/dev/null; then
	stops library.rb "the library's functions"
else
	skip 1 "ruby has not its own library"
fi

# ---- recordings ----

"$FLAMETOP" sample -q --call-graph=fp -o probe.data -- true 2>why || { skip 16 "nothing can be sampled here: $(head -1 why)"; done_testing; exit; }

# Functions of some microseconds; a line that calls says who calls.
cat >app.rb <<'END'
finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + ARGV[0].to_f
def leaf(n)
  s = 0
  i = 0
  while i < n
    s += i * i
    i += 1
  end
  s
end
def tiny(x)
  x + 1
end
class Box
  include Comparable
  def numbers(n)
    i = 0
    while i < n
      yield leaf(i) # numbers
      i += 1
    end
  end
  def add
    sum = 0
    numbers(20) do |x| # add
      sum += tiny(x) # block_in_add
    end
    sum
  end
  def <=>(other)
    leaf(4) # <=>
    0
  end
end
def deep(d)
  return leaf(9) if d == 0 # deep
  deep(d - 1) + 1 # deep
end
def compare(a, b)
  leaf(2) # compare
  a <=> b # compare
end
def order
  (1..40).map { |x| x * 7919 % 101 }.sort do |a, b| # order
    compare(a, b) # block_in_order
  end
end
def attempt
  begin
    raise 'x' if tiny(3) == 0 # attempt
    leaf(7) # attempt
  ensure
    tiny(2) # attempt
  end
  'aaaa'.gsub('a') do |x| # attempt
    tiny(2).to_s # block_in_attempt
  end
end
def run(finish)
  box = Box.new
  closure = ->(x) { tiny(x) } # block_in_run
  fiber = Fiber.new { Fiber.yield while true } # block_in_run
  while Process.clock_gettime(Process::CLOCK_MONOTONIC) < finish # run
    box.add # run
    deep(30) # run
    order # run
    attempt # run
    closure.(5) # run
    box == Box.new # run
    fiber.resume # run
  end
end
def other_leaf
  (1..100).sum { |x| x * 2 } # other_leaf
end
def other(finish)
  while Process.clock_gettime(Process::CLOCK_MONOTONIC) < finish # other
    other_leaf # other
  end
end
Thread.new { other(finish) } if ARGV[1] # block_in_<main>
run(finish) # <main>
END
cat >legal <<'END'
leaf numbers
leaf <=>
leaf deep
leaf compare
leaf attempt
tiny block_in_add
tiny attempt
tiny block_in_attempt
tiny block_in_run
block_in_add numbers
numbers add
add run
deep deep
deep run
compare block_in_order
<=> compare
sort order
map order
order run
gsub attempt
to_s block_in_attempt
attempt run
block_in_run run
== run
new run
resume run
yield block_in_run
clock_gettime run
clock_gettime other
run <main>
sum other_leaf
other_leaf other
other block_in_<main>
END

"$ruby" app.rb 6 two & pid=$!
sleep 0.5
run "$FLAMETOP" record -q -p "$pid" -F 999 --duration 3 --keep-data -o program.folded
ok "a running interpreter is recorded" [ "$status" = 0 ]
# From 3.4 on, names of methods have their classes.
plain() { sed 's/[A-Za-z:]*[#.]\([a-z]\)/\1/g' "$1" >"$1.plain"; }
plain program.folded
ok "functions of Ruby follow each other, those in C among them" \
	grep -qE ';<main>;run;order;sort;(.*;)?block in order;compare;leaf' program.folded.plain
"$FLAMETOP" -q --frames=all --to=folded perf.data >all.folded
plain all.folded
"$FLAMETOP" -q --frames=native --to=folded perf.data >native.folded
if grep -q 'vm_exec' native.folded; then
	ok "all has functions of the interpreter between them" grep -qE ';order;sort;.+;block in order' all.folded.plain
	ok "loops of the interpreter are replaced" sh -c '! grep -q "block in order;\(rb_\)*vm_exec;compare" all.folded.plain'
else
	skip 2 "this ruby does not tell which of its functions is the loop"
fi
ok "native alone has no functions of Ruby" sh -c '! grep -q ";run;\|<main>" native.folded'
"$FLAMETOP" -q -o again.folded perf.data
ok "a saved recording shows the same again" cmp program.folded again.folded
"$FLAMETOP" -q --frames=language --to=folded perf.data >language.folded
plain language.folded
ok "language alone has the functions of Ruby" grep -qE '^[^;]*;<main>;run;deep;deep' language.folded.plain
ok "and no others" sh -c '! grep -q "rb_\|_start\|libruby" language.folded'
weigh() { awk '{ sum += $NF } END { print sum + 0 }' "$1"; }
is "$(weigh language.folded) $(weigh native.folded) $(weigh all.folded)" "$(weigh program.folded) $(weigh program.folded) $(weigh program.folded)" "no choice loses weight"
"$FLAMETOP" -q --to=lines --function="$(grep -o 'Object#leaf' program.folded | head -1 | grep . || echo leaf)" perf.data >lines
ok "lines of a function have weights" grep -qE "%.* $(grep -n 's += i' app.rb | cut -d: -f1)( |$)" lines
"$FLAMETOP" -q --split=label:gil --to=folded perf.data >gil.folded
ok "samples tell who holds the lock" grep -q 'gil=held' gil.folded
"$tools/language_samples" perf.data >samples 2>how
if "$ruby" -e 'exit RUBY_VERSION < "3"'; then
	skip 1 "this ruby uses a frame before it is filled"
else
	check_calls app.rb samples legal "all calls are ones that the source has"
fi
awk -F '\t' '{ other[$2] += /other_leaf/; own[$2] += /leaf:.*numbers/ }
	END { for (tid in own) { n_other += other[tid] > 0; n_own += own[tid] > 0; n_both += other[tid] && own[tid] }
		print n_own + 0, n_other + 0, n_both + 0 }' samples >threads
is "$(cat threads)" "1 1 0" "each thread has its own functions"
wait "$pid" 2>/dev/null

cat >forks.rb <<'END'
def work(n) s = 0; n.times { |i| s += i }; end
def until_end(f) work(500) while Process.clock_gettime(Process::CLOCK_MONOTONIC) < f; end
def in_child(f) until_end(f); end
f = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 1
Process.wait fork { Thread.new { in_child(f) }.join }
END
run "$FLAMETOP" record -q --call-graph=fp -o forks.folded -- "$ruby" forks.rb
plain forks.folded
ok "a child by fork is recorded with its functions" grep -q ';in_child;until_end;work' forks.folded.plain
run "$FLAMETOP" record -q --languages=none --call-graph=fp -o none.folded -- "$ruby" app.rb 1
ok "--languages=none leaves them out" sh -c '! grep -q "deep" none.folded'
run "$FLAMETOP" record -q --ptrace -o traced.folded -- "$ruby" app.rb 2
if [ "$status" = 0 ]; then
	plain traced.folded
	ok "threads that ptrace stops have them, too" grep -q ';<main>;run;' traced.folded.plain
else
	skip 1 "no ptrace here"
fi
done_testing
