# A loop of short functions, for bench/slowdown: a line for each N rounds.
use strict;
use warnings;

$| = 1;

sub leaf {
    my $n = shift;
    return $n * $n;
}

sub middle {
    my $total = 0;
    $total += leaf($_) for 0 .. 19;
    return $total;
}

sub top {
    my $total = 0;
    $total += middle($_) for 0 .. 49;
    return $total;
}

while (1) {
    top() for 1 .. $ARGV[0];
    print "done\n";
}
