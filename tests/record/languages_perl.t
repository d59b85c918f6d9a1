#!/bin/sh
# Functions of Perl in recordings of running interpreters.
. "$(dirname "$0")/../tap.sh"
. "$source/tests/record/calls.sh"

unset PERF
tools="$(dirname "$FLAMETOP")/tests/tools"
[ -x "$tools/language_samples" ] || skip_all "no tools of the tests"
command -v perl >/dev/null || skip_all "no perl"
perl -e 'exit !($] >= 5.028 && $] < 5.043)' || skip_all "an unknown perl"
perl -MList::Util -MTime::HiRes -e 1 2>/dev/null || skip_all "perl has not its own modules"

# ---- exact stacks, by what Perl itself prints ----

# It prints its own stack, and stops in the same statement. Blocks of eval are no functions for us.
cat >stops.pl <<'END'
use strict;
use warnings;
no warnings 'recursion';
use List::Util 'first';
open(my $out, '>', 'stops') or die;
select((select($out), $| = 1)[0]);
sub base { my $file = shift; $file =~ s{.*/}{}; $file =~ s/^\(eval \d+\)/(eval)/; return $file }
sub stop {
	my ($i, @calls) = 0;
	while (my @c = caller($i++)) {
		push @calls, [@c[1, 2, 3, 7]] unless $c[3] eq '(eval)' && !defined $c[6] && !$c[7];
		$calls[-1][2] = "require $c[6]" if $c[7];
	}
	my @lines = (['stops.pl', __LINE__ + 2], map { [@$_[0, 1]] } @calls);
	my @names = ((map { $_->[2] } @calls), '(main)');
	print $out join("\t", 'S', map { "$names[$_]:" . base($lines[$_][0]) . ":$lines[$_][1]" } 0 .. $#names), "\n" and kill 'STOP', $$;
}
sub leaf { stop(); return $_[0] }
sub deep { my $d = shift; return leaf(1) if !$d; return deep($d - 1) + 1 }
sub maker { my $x = shift; return sub { leaf($x) } }
sub compare { leaf(1); return $a <=> $b }
package Tied; sub TIESCALAR { bless [] } sub FETCH { main::leaf(2) }
package Over; use overload '+' => \&plus, '""' => sub { main::leaf(3) }; sub new { bless {} } sub plus { main::leaf(4) }
sub DESTROY { eval { main::leaf(5) } }
package main;
sub lines {
	my $x = shift;
	if ($x == 1) {
		leaf(1);
	} elsif (leaf(0)
		|| $x == 2) {
		leaf(2);
	} else {
		leaf(3) for 1;
	}
	leaf(
		leaf(4),
	);
	return
		leaf(5);
}
sub blocks {
	my @l = sort { leaf($a <=> $b) } 3, 1, 2;
	@l = sort compare 2, 1;
	@l = sort {
		eval { leaf(1) };
		$a <=> $b } 2, 1;
	first { leaf($_ == 2) } 1, 2;
	@l = map { leaf($_) } 1, 2;
	eval { eval { die leaf(1) } or leaf(2) };
	eval "leaf(3);\n\nleaf(4)" or die $@;
	(my $t = 'aa') =~ s/a/leaf(5)/ge;
	'ab' =~ /a(?{ leaf(6) })b/;
	local $SIG{__WARN__} = sub { leaf(7) };
	warn 'x';
}
sub objects {
	tie my $tied, 'Tied';
	my $o = Over->new;
	my $x = $tied + 1;
	$x = $o + 1;
	$x = "$o";
}
sub modules { unshift @INC, '.'; require StopsModule; StopsModule->import }
BEGIN { open(my $module, '>', 'StopsModule.pm') or die; print $module "package StopsModule;\nBEGIN { main::leaf(1) }\nmain::leaf(2);\nsub import {\n\tmain::leaf(3) }\n1;\n"; close $module }
leaf(0);
deep(100);
maker(1)->();
lines($_) for 1 .. 3;
blocks();
objects();
modules();
END
perl stops.pl & pid=$!
timeout 60 sh -c "until grep -q 'T (stopped)' /proc/$pid/status; do sleep 0.05; done"
"$tools/language_stacks" "$pid" 1000 own >ours 2>ours.err
if ! grep -q '^S' ours; then
	kill -9 "$pid"
	skip_all "the memory of processes cannot be read here: $(head -1 ours.err)"
fi
wait "$pid" 2>/dev/null
grep '^S' ours | sed 's/	\[loop\]//g; s/\*	/	/g; s/\*$//; s/__ANON__\[[^]]*\]/__ANON__/g' >ours.stacks
is "$(cat ours.stacks)" "$(cat stops)" "all stacks are those that Perl itself prints ($(wc -l <stops) stops)"

# ---- recordings ----

"$FLAMETOP" sample -q --call-graph=fp -o probe.data -- true 2>why || { skip 13 "nothing can be sampled here: $(head -1 why)"; done_testing; exit; }

# Functions of some microseconds; a line that calls says who calls.
cat >app.pl <<'END'
use strict;
use warnings;
use Time::HiRes 'time';
my $end = time() + $ARGV[0];
package Box;
use overload '+' => \&plus;
sub new { return bless {}, shift }
sub add {
	my ($self, $n) = @_;
	my $sum = 0;
	for my $i (1 .. $n) {
		$sum += main::leaf($i); # Box::add
	}
	return $sum;
}
sub plus {
	return main::leaf(4); # Box::plus
}
package main;
sub leaf {
	my $n = shift;
	my $s = 0;
	$s += $_ * $_ for 1 .. $n;
	return $s;
}
sub tiny {
	return $_[0] + 1;
}
sub deep {
	my $d = shift;
	return leaf(9) unless $d; # main::deep
	return deep($d - 1) + 1; # main::deep
}
sub compare {
	leaf(2); # main::compare
	return $_[0] <=> $_[1];
}
sub order {
	my @l = sort {
		compare($a, $b) # main::order
	} map { ($_ * 7919) % 101 } 1 .. 40;
	return @l;
}
sub attempt {
	my $x = eval {
		tiny(3); # main::attempt
		leaf(7); # main::attempt
	};
	(my $t = 'aaaa') =~ s/a/tiny(2)/ge; # main::attempt
	return $x;
}
my $closure = sub {
	return tiny(5); # main::__ANON__
};
my $box = Box->new;
sub run {
	while (time() < $end) {
		$box->add(20); # main::run
		deep(30); # main::run
		order(); # main::run
		attempt(); # main::run
		$closure->(); # main::run
		my $sum = $box + 1; # main::run
	}
}
run(); # (main)
END

cat >legal <<'END'
main::leaf Box::add
main::leaf Box::plus
main::leaf main::deep
main::deep main::deep
main::leaf main::compare
main::compare main::order
main::tiny main::attempt
main::leaf main::attempt
main::tiny main::__ANON__
Box::add main::run
main::deep main::run
main::order main::run
main::attempt main::run
main::__ANON__ main::run
Box::plus main::run
main::run (main)
END

perl app.pl 6 & pid=$!
sleep 0.5
run "$FLAMETOP" record -q -p "$pid" -F 999 --duration 3 --keep-data -o program.folded
ok "a running interpreter is recorded" [ "$status" = 0 ]
ok "functions of Perl follow each other, and call native ones" \
	grep -qE ';[(]main[)];main::run;main::order;main::compare;(.*;)?Perl_' program.folded
"$FLAMETOP" -q --frames=all --to=folded perf.data >all.folded
ok "all has functions of the interpreter between them" grep -qE 'main::order;.*Perl_pp_sort;.*main::compare' all.folded
ok "loops of the interpreter are replaced" sh -c '[ "$(grep -c "main::run;Perl_runops_standard" all.folded)" = 0 ]'
"$FLAMETOP" -q -o again.folded perf.data
ok "a saved recording shows the same again" cmp program.folded again.folded
"$FLAMETOP" -q --frames=language --to=folded perf.data >language.folded
ok "language alone has the functions of Perl" grep -qE '^[^;]*;\(main\);main::run;main::deep;main::deep' language.folded
ok "and no others" sh -c '! grep -q "Perl_\|_start\|perl_run" language.folded'
"$FLAMETOP" -q --frames=native --to=folded perf.data >native.folded
ok "native alone has the loops" grep -q 'Perl_runops_standard' native.folded
weigh() { awk '{ sum += $NF } END { print sum + 0 }' "$1"; }
is "$(weigh language.folded) $(weigh native.folded) $(weigh all.folded)" "$(weigh program.folded) $(weigh program.folded) $(weigh program.folded)" "no choice loses weight"
"$FLAMETOP" -q --to=lines --function=main::leaf perf.data >lines
ok "lines of a sub have weights" grep -qE "%.* $(grep -n 'for 1 .. .n;' app.pl | cut -d: -f1)( |$)" lines
"$tools/language_samples" perf.data >samples 2>how
check_calls app.pl samples legal "all calls are ones that the source has"
wait "$pid" 2>/dev/null

run "$FLAMETOP" record -q --call-graph=fp -o cmd.folded -- perl app.pl 1
ok "a command is recorded with its functions" grep -q 'main::deep;main::deep' cmd.folded
run "$FLAMETOP" record -q --languages=none --call-graph=fp -o none.folded -- perl app.pl 1
ok "--languages=none leaves them out" sh -c '! grep -q "main::deep" none.folded'
run "$FLAMETOP" record -q --ptrace -o traced.folded -- perl app.pl 2
if [ "$status" = 0 ]; then
	ok "threads that ptrace stops have them, too" grep -q '(main);main::run;' traced.folded
else
	skip 1 "no ptrace here"
fi
done_testing
