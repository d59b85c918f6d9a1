# A loop of short functions, for bench/slowdown: a line for each N rounds.
import sys


def leaf(n):
    return n * n


def middle(n):
    total = 0
    for i in range(20):
        total += leaf(i)
    return total


def top():
    return sum(middle(i) for i in range(50))


while True:
    for _ in range(int(sys.argv[1])):
        top()
    print("done", flush=True)
