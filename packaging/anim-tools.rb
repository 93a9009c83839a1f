# Homebrew formula. A tap's copy has the address of a release's source archive (make dist) and its sha256.
class AnimTools < Formula
  desc "Convert animation between Godot, Unity, Resonite, glTF and BVH, in pipes"
  homepage "https://example.org/anim-tools"
  url "https://example.org/anim-tools/anim-tools-1.0.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "jsmn" => :build
  depends_on "pkgconf" => :build
  depends_on "libfyaml"
  depends_on "lz4"
  depends_on "xz"
  depends_on "zstd"

  uses_from_macos "zlib"

  def install
    system "make", "install", "install_lib", "PREFIX=#{prefix}", "mandir=#{man}",
           "bashcompletiondir=#{bash_completion}", "zshcompletiondir=#{zsh_completion}",
           "fishcompletiondir=#{fish_completion}"
    pkgshare.install "examples"
  end

  test do
    cp pkgshare/"examples/walker.tscn", testpath/"walk.tscn"
    system bin/"anim", "convert", "walk.tscn", "walk.animj"
    assert_match "walk: 1.2 s", shell_output("#{bin}/anim-info -l walk.animj")
  end
end
