#!/bin/sh
# Files of the table, the call tree and the sandwich have the rows and the numbers of the screen, in its order
. "$(dirname "$0")/../tap.sh"

LC_ALL=C.UTF-8
XDG_CONFIG_HOME=$dir/none
export LC_ALL XDG_CONFIG_HOME
unset NO_COLOR COLORTERM COLORFGBG COLUMNS
cp "$source"/tests/golden/data/*.folded .

cat >same.py <<'END'
import html, re, sys

# Without the bars of shares.
def lines(name):
    return re.sub('[▏▎▍▌▋▊▉█]', ' ', open(name, encoding='utf-8').read()).splitlines()

def found(pattern, name, take):
    return [take(m) for m in (re.match(pattern, line) for line in lines(name)) if m]

# The share on the screen if the file's rounds to it, which has one more digit.
def near(screen, file):
    return screen if abs(float(screen) - float(file)) < 0.0551 else file

# Rows of the table: shares of self and total, frames, name.
def table(_):
    screen = found(r' *([\d.]+)%.*? ([\d.]+)%.*? (\d+)  (\S.*)$', 'screen', lambda m: m.groups())
    file = found(r' *[\d,]+ +([\d.]+) +[\d,]+ +([\d.]+) +(\d+)  (?:[* ] )?(\S.*)$', 'file.top',
                 lambda m: m.groups())
    return screen, [(near(s[0], f[0]), near(s[1], f[1]), *f[2:]) for s, f in zip(screen, file)] + file[len(screen):]

# Of a comparison: self and total before, after, and the change; "~" is noise.
def diff(_):
    def read(name):
        words = [re.sub(r' \((new|vanished)\)$', '', line.replace(' ~', '~')).split() for line in lines(name)]
        numbers = [[w for w in row if re.fullmatch(r'[+-]?[\d,.]+~?', w)] for row in words]
        return [(*n, row[-1]) for n, row in zip(numbers, words) if len(n) == 6]
    return read('screen'), read('file.top')

# Rows of the call tree: shares of total and self, depth, closed or not, name.
def calls(_):
    def read(name, step):
        r = found(r' *([\d.]+)% +([\d.]+)% +([│├└─+ -]*)(\S.*)$', name,
                  lambda m: (m[1], m[2], m.start(4), '+' in m[3], m[4]))
        return [(*x[:2], (x[2] - r[0][2]) // step, *x[3:]) for x in r]
    return read('screen', 2), read('file.txt', 3)

# Boxes of a sandwich: the names of each row on the screen and as text.
def rows(_):
    screen = [line.split() for line in lines('screen')[1:]]
    file = [re.findall(r'├(\S+) [\d.]+%', line) for line in lines('file.txt')[2:]]
    return [r for r in screen if r][:len(file)], file

# The boxes as text, and those of another kind.
def like_text(there):
    text = sorted(re.findall(r'├(\S+) ([\d.]+)%', '\n'.join(lines('file.txt')[2:])))
    return text, [(f[0], near(t[1], f[1])) for t, f in zip(text, there)] + there[len(text):]

# The boxes and their shares as text and in the SVG.
def svg(_):
    titles = re.findall(r'<title>(\S+) \([\d,]+ samples, ([\d.]+)%', '\n'.join(lines('file.svg')))
    return like_text(sorted((html.unescape(n), s) for n, s in titles))

# As text, and from the stacks: the outermost frame of the function splits each into callers and callees.
def folded(argument):
    function, whole = argument.split(',')
    sums = {}
    for line in lines('file.folded'):
        stack, count = line.rsplit(' ', 1)
        frames = stack.replace('_[k]', '').split(';')
        at = frames.index(function)
        paths = {(half, *path[:n]) for half, path in (('up', frames[at::-1]), ('down', frames[at:]))
                 for n in range(2, len(path) + 1)}
        for path in paths | {('middle', function)}:
            sums[path] = sums.get(path, 0) + int(count)
    return like_text(sorted((p[-1], '%.2f' % (100 * n / int(whole))) for p, n in sums.items()))

one, other = globals()[sys.argv[1]]((sys.argv + [''])[2])
if not one or one != other:
    print('here', *one, 'there', *other, sep='\n')
    sys.exit(1)
END

same() { # name, arguments of same.py
	name=$1
	shift
	if got=$(python3 same.py "$@" 2>&1); then tap_result 0 "$name"; else tap_result 1 "$name" "$got"; fi
}

for args in recursive.folded '--table-sort=total web.folded' '--table-sort=-name web.folded' '--table-filter=a web.folded' \
	'--zoom=main;eval recursive.folded' '--reverse recursive.folded' '--search=l web.folded' '--ignore=parse recursive.folded'; do
	"$FLAMETOP" --screen=200x60 --view=table $args >screen
	"$FLAMETOP" --view=table -o file.top $args
	same "the table: $args" table
done
for args in '' --absolute --no-diff; do
	args="--diff=recursive-before.folded $args recursive.folded"
	"$FLAMETOP" --screen=200x60 --view=table $args >screen
	"$FLAMETOP" --view=table -o file.top $args
	same "the table: $args" "$(case $args in *no-diff*) echo table ;; *) echo diff ;; esac)"
done
for args in recursive.folded web.folded '--zoom=main;eval recursive.folded' '--reverse recursive.folded' \
	'--expand=main;parse recursive.folded' '--expand= web.folded' '--cursor=main;parse;lex recursive.folded'; do
	"$FLAMETOP" --screen=200x60 --view=calls $args >screen
	"$FLAMETOP" --view=calls -o file.txt $args
	same "the call tree: $args" calls
done
for case in malloc,100,recursive eval,100,recursive main,100,recursive execute,1640,web sendfile,1640,web; do
	function=${case%%,*} file=${case##*,}.folded
	for args in '' --reverse; do
		args="--view=sandwich --function=$function --no-demangle $args $file"
		rm -f screen file.*
		"$FLAMETOP" --screen=600x60 --sort=weight $args >screen
		"$FLAMETOP" --width=600 --sort=weight --quiet -o file.txt $args
		"$FLAMETOP" --quiet --minwidth=0 -o file.svg $args
		"$FLAMETOP" -o file.folded $args 2>/dev/null
		same "boxes are in the rows of the screen, callers above: $args" rows
		same "and have the shares of the SVG" svg
		same "and of the stacks" folded "${case%,*}"
	done
done

done_testing
