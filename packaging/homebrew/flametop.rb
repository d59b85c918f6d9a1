# brew install --HEAD --formula ./packaging/homebrew/flametop.rb, from a checkout.
class Flametop < Formula
  desc "Flame graphs in the terminal"
  homepage "https://example.invalid/flametop"
  license "MIT"
  head "file://#{File.expand_path("../..", __dir__)}", using: :git, branch: "main"

  depends_on "pkgconf" => :build
  depends_on "uthash" => :build
  depends_on "xxhash" => :build
  depends_on "binutils" => :build
  depends_on "expat"
  depends_on "ncurses"
  depends_on "pcre2"
  depends_on "xz"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "make", "PREFIX=#{prefix}", "install"
  end

  test do
    (testpath/"x.folded").write "main;parse 3\n"
    assert_match "main;parse 3", shell_output("#{bin}/flametop --to=folded x.folded")
  end
end
