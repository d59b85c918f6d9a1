# A loop of short functions, for bench/slowdown: a line for each N rounds.
$stdout.sync = true

def leaf(n)
  n * n
end

def middle(_n)
  total = 0
  i = 0
  while i < 20
    total += leaf(i)
    i += 1
  end
  total
end

def top
  total = 0
  i = 0
  while i < 50
    total += middle(i)
    i += 1
  end
  total
end

loop do
  ARGV[0].to_i.times { top }
  puts 'done'
end
