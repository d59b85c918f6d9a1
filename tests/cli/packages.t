#!/bin/sh
# The files for package managers name the version of the Makefile, and list what `make install` installs.
. "$(dirname "$0")/../tap.sh"

[ -d "$source/packaging" ] || skip_all "no packaging here"
version=$(sed -n 's/^VERSION = //p' "$source/Makefile")
has() { # FILE PATTERN
	ok "$1 is of this version" grep -q -e "$2" "$source/$1"
}
has debian/changelog "^flametop ($version-"
has packaging/fedora/flametop.spec "^Version: *$version\$"
has packaging/arch/PKGBUILD "^pkgver=$version\$"
has packaging/alpine/APKBUILD "^pkgver=$version\$"
has flake.nix "version = \"$version\";"

# Every file that is installed outside of the documentation stands in the list of the RPM.
sed -n '/^%files/,/^%changelog/s/^%{\([a-z_]*\)}/\1/p' "$source/packaging/fedora/flametop.spec" >listed
missing=
for file in bindir/flametop bindir/cargo-flametop; do
	grep -qx "_$file" listed || missing="$missing $file"
done
for file in $(cd "$source/share" && find . -type f | sed 's/^\.//'); do
	grep -qx "_datadir$file" listed || missing="$missing $file"
done
is "$missing" "" "the RPM lists what is installed"

# The library goes into packages of its own.
grep -qx '_libdir/libflametop.so.1\*' listed && grep -qx '_includedir/flametop.h' listed
ok "the RPMs have the library and its header" [ $? -eq 0 ]
is "$(cat "$source"/debian/*.install | grep -v '^usr/share' | LC_ALL=C sort | tr '\n' ' ')" \
	"usr/bin usr/include usr/lib/*/libflametop.a usr/lib/*/libflametop.so usr/lib/*/libflametop.so.1* usr/lib/*/pkgconfig " \
	"and so have Debian's packages"
is "$(cat "$source"/debian/*.install | LC_ALL=C sort | uniq -d)" "" "no file is in two of them"

# Libraries that the build needs are asked for everywhere.
for library in ncurses pcre2 xxhash zstd expat uthash; do
	for file in debian/control packaging/fedora/flametop.spec packaging/arch/PKGBUILD packaging/alpine/APKBUILD flake.nix; do
		ok "$file asks for $library" grep -qi -e "$library" "$source/$file"
	done
done

done_testing
