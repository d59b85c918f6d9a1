#!/bin/sh
# The files for package managers name the version of the Makefile, and list what `make install` installs.
. "$(dirname "$0")/../tap.sh"

[ -d "$source/packaging" ] || skip_all "no packaging here"
version=$(sed -n 's/^VERSION = //p' "$source/Makefile")
has() { # FILE PATTERN
	ok "$1 is of this version" grep -q -e "$2" "$source/$1"
}
older=$(echo "$version" | sed 's/-/~/') # than the release, if this is a candidate for it
has packaging/fedora/flametop.spec "^Version: *$older\$"
has packaging/fedora/flametop.spec "^%global upstream $version\$"
has packaging/fedora/flametop.spec "^\* .* - $older-1\$"
has packaging/arch/PKGBUILD "^_version=$version\$"
has packaging/arch/PKGBUILD "^pkgver=$(echo "$version" | tr -d -)\$"
has packaging/alpine/APKBUILD "^_version=$version\$"
has packaging/alpine/APKBUILD "^pkgver=$(echo "$version" | tr - _)\$"
has flake.nix "version = \"$version\";"
has share/metainfo/flametop.metainfo.xml "<release version=\"$older\" "
is "$(sed -n '1s/^flametop (\(.*\)-[0-9]*) .*/\1/p' "$source/debian/changelog")" "$older" "Debian's is the newest of its list"

# scripts/versions writes them all, and changes nothing that is right.
mkdir tree
(cd "$source" && tar -cf - Makefile scripts/versions debian/changelog flake.nix packaging share) | (cd tree && tar -xf -)
if command -v python3 >/dev/null; then
	same() { for f in debian/changelog flake.nix packaging share; do diff -r "$source/$f" "tree/$f" || return 1; done; }
	tree/scripts/versions
	ok "all versions are up to date (make docs)" same
	sed 's/^VERSION = .*/VERSION = 98.7.6-rc5/; s/^DATE = .*/DATE = 2031-02-03/' "$source/Makefile" >tree/Makefile
	tree/scripts/versions
	prefix() { sed 1q "tree/debian/changelog"; sed -n 6,7p tree/debian/changelog; }
	is "$(prefix)" "flametop (98.7.6~rc5-1) unstable; urgency=medium

$(sed 1q "$source/debian/changelog")" "a new version comes before the others"
	is "$(sed -n '/^%changelog/{n;p;}' tree/packaging/fedora/flametop.spec)" \
		"* Mon Feb 03 2031 flametop maintainers <maintainers@flametop.invalid> - 98.7.6~rc5-1" "in the RPM's list, too"
	ok "and in that of software centres" grep -q '<release version="98.7.6~rc5" date="2031-02-03" type="development"/>' \
		tree/share/metainfo/flametop.metainfo.xml
	ok "Arch has its own form" grep -qx 'pkgver=98.7.6rc5' tree/packaging/arch/PKGBUILD
	ok "and so has Alpine" grep -qx 'pkgver=98.7.6_rc5' tree/packaging/alpine/APKBUILD
else
	skip 6 "python3 is not installed"
fi

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
