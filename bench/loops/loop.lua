-- A loop of short functions, for bench/slowdown: a line for each N rounds.
function leaf(n)
	return n * n
end

function middle(n)
	local total = 0
	for i = 0, 19 do
		total = total + leaf(i)
	end
	return total
end

function top()
	local total = 0
	for i = 0, 49 do
		total = total + middle(i)
	end
	return total
end

while true do
	for k = 1, tonumber(arg[1]) do
		top()
	end
	io.write("done\n")
	io.flush()
end
