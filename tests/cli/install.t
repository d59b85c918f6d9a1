#!/bin/sh
# make install: where the files go, and that uninstall removes them all.
. "$(dirname "$0")/../tap.sh"

command -v make >/dev/null || skip_all "make is not installed"
build=${FLAMETOP_BUILD:-$source/build}
library=$build/library
# Make takes no blanks in BUILD, but the source tree may have some in its name.
below=${build#"$source"/}
root=$dir/the\ root

# The program is there already; another compiler's flags must not build it again.
make_it() {
	run env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -C "$source" BUILD="$below" -o "$below/flametop" \
		-o "$below/library/libflametop.a" -o "$below/library/libflametop.so.1.0.0" "$@"
}

[ -e "$library/libflametop.a" ] || skip_all "the library is not built here"
umask 077
make_it install DESTDIR="$root" PREFIX=/usr
exits 0 "make install succeeds below a DESTDIR"
is "$(cd "$root" && find . ! -type d ! -path '*/doc/*' | LC_ALL=C sort)" "./usr/bin/cargo-flametop
./usr/bin/flametop
./usr/include/flametop.h
./usr/lib/libflametop.a
./usr/lib/libflametop.so
./usr/lib/libflametop.so.1
./usr/lib/libflametop.so.1.0.0
./usr/lib/pkgconfig/flametop.pc
./usr/share/applications/flametop.desktop
./usr/share/bash-completion/completions/flametop
./usr/share/elvish/lib/flametop.elv
./usr/share/fish/vendor_completions.d/flametop.fish
./usr/share/icons/hicolor/scalable/apps/flametop.svg
./usr/share/man/man1/cargo-flametop.1
./usr/share/man/man1/flametop.1
./usr/share/man/man3/libflametop.3
./usr/share/metainfo/flametop.metainfo.xml
./usr/share/mime/packages/flametop.xml
./usr/share/pwsh/completions/_flametop.ps1
./usr/share/zsh/site-functions/_flametop" "each file has its place"
doc=$root/usr/share/doc/flametop
is "$(cd "$doc/examples" && ls)" "$(ls "$source/examples")" "the examples are all there"
ok "one that is a program can be started" [ -x "$doc/examples/record" ]
is "$(cd "$doc" && find . -type f ! -path './examples/*' | LC_ALL=C sort)" \
	"$(cd "$source" && find ./README.md ./CHANGELOG.md ./LICENSE ./docs -type f | LC_ALL=C sort)" "and so are the texts"
run "$root/usr/bin/flametop" --to=folded "$doc/examples/spell.cpuprofile.gz"
exits 0 "an installed example can be shown"
run "$root/usr/bin/flametop" --version
exits 0 "the installed program runs"
run "$root/usr/bin/cargo-flametop" flametop --help
prints "*cargo flametop*" "and so does the command for cargo"
is "$(find "$root" -type f ! -perm 644 | LC_ALL=C sort)" "$root/usr/bin/flametop
$doc/examples/record" "whatever the umask, other users can read the files"
ok "and start the program" [ -n "$(find "$root" -name flametop -perm 755 -type f)" ]

desktop=$root/usr/share/applications/flametop.desktop
kinds=$root/usr/share/mime/packages/flametop.xml
value() { sed -n "s/^$1=//p" "$desktop"; }
is "$(value Terminal)" true "the desktop entry starts a terminal"
is "$(value Exec)" "flametop -- %f" "with the program and a file, whose name is no option"
is "$(value Icon).svg" "$(cd "$root/usr/share/icons/hicolor/scalable/apps" && echo *)" "the icon has the name that it gives"
is "$(value MimeType | tr ';' '\n' | sed '/^$/d' | LC_ALL=C sort)" \
	"$(sed -n 's/.*mime-type type="\([^"]*\)".*/\1/p' "$kinds" | LC_ALL=C sort)" "it names the kinds of profiles that are declared"
if command -v desktop-file-validate >/dev/null; then
	run desktop-file-validate "$desktop"
	exits 0 "the desktop entry is valid"
else
	skip 1 "desktop-file-validate is not installed"
fi
if command -v xmllint >/dev/null; then
	run xmllint --noout "$kinds" "$root/usr/share/icons/hicolor/scalable/apps/flametop.svg" \
		"$root/usr/share/metainfo/flametop.metainfo.xml"
	exits 0 "the other three are well-formed"
else
	skip 1 "xmllint is not installed"
fi
if command -v update-mime-database >/dev/null; then
	run env XDG_DATA_DIRS="$root/usr/share" update-mime-database "$root/usr/share/mime"
	is "$status$err" 0 "the kinds of profiles are accepted without a word"
	like "$(cat "$root/usr/share/mime/globs2" 2>/dev/null)" "*:application/x-folded-stacks:\*.folded*" "a name ending in .folded is known"
	rm -r "$root/usr/share/mime"/[!p]*
else
	skip 2 "update-mime-database is not installed"
fi

make_it uninstall DESTDIR="$root" PREFIX=/usr
exits 0 "make uninstall succeeds"
is "$(find "$root" ! -type d)" "" "and leaves no file"
ok "nor a directory of its own" [ ! -e "$doc" ]

# Places for completions, and files of others.
make_it install DESTDIR="$root" PREFIX=/usr ZSHDIR=/zsh/functions BASHDIR=/etc/bash
exits 0 "make install takes places for completions"
ok "those of zsh are there" [ -f "$root/zsh/functions/_flametop" ]
ok "those of bash are there" [ -f "$root/etc/bash/flametop" ]
echo ours >"$doc/notes"
make_it uninstall DESTDIR="$root" PREFIX=/usr ZSHDIR=/zsh/functions BASHDIR=/etc/bash
is "$(find "$root" ! -type d)" "$doc/notes" "make uninstall leaves what it did not install"
exits 0 "and says so without failing"

# Without DESTDIR, below a home directory.
make_it install PREFIX="$dir/local"
exits 0 "make install succeeds without a DESTDIR"
ok "PREFIX alone is enough" [ -x "$dir/local/bin/flametop" ]
make_it uninstall PREFIX="$dir/local"
is "$(find "$dir/local" -name '*flametop*')" "" "make uninstall leaves nothing of it"

# Only git knows which files belong into an archive.
mkdir "$dir/tree"
cp "$source/Makefile" "$dir/tree"
run env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS GIT_CEILING_DIRECTORIES="$dir" make -C "$dir/tree" dist
ok "make dist fails outside a repository" [ "$status" -ne 0 ]
says "*no git repository*" "and says why"
is "$(find "$dir/tree" -name '*.gz')" "" "and leaves no archive"

done_testing
