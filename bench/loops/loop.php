<?php // A loop of short functions, for bench/slowdown: a line for each N rounds.
function leaf($n)
{
    return $n * $n;
}

function middle($n)
{
    $total = 0;
    for ($i = 0; $i < 20; $i++) {
        $total += leaf($i);
    }
    return $total;
}

function top()
{
    $total = 0;
    for ($i = 0; $i < 50; $i++) {
        $total += middle($i);
    }
    return $total;
}

while (true) {
    for ($k = 0; $k < (int) $argv[1]; $k++) {
        top();
    }
    echo "done\n";
}
