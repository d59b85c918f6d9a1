{
  description = "Flame graphs in the terminal";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: {
        default = pkgs.stdenv.mkDerivation {
          pname = "flametop";
          version = "1.0.0-rc1";
          src = self;
          nativeBuildInputs = [ pkgs.pkg-config ];
          buildInputs = with pkgs; [
            elfutils expat libiberty ncurses pcre2 uthash xxHash xz zlib zstd
          ];
          makeFlags = [ "PREFIX=$(out)" "CC=cc" ];
          enableParallelBuilding = true;
          doCheck = true;
          nativeCheckInputs = [ pkgs.perl ];
          checkTarget = "check-unit";
          meta = {
            description = "Flame graphs in the terminal";
            license = pkgs.lib.licenses.mit;
            mainProgram = "flametop";
          };
        };
      });
    };
}
