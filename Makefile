# anim-tools: small programs for animation data. `make help` lists the targets.

.SUFFIXES:
.DELETE_ON_ERROR:
SHELL = /bin/sh

VERSION := $(shell sed -n 's/^.define ANIM_TOOLS_VERSION "\(.*\)"/\1/p' lib/base/version.h)
PREFIX ?= /usr/local
bindir ?= $(PREFIX)/bin
libdir ?= $(PREFIX)/lib
includedir ?= $(PREFIX)/include
pkgconfigdir ?= $(libdir)/pkgconfig
pythondir ?= $(datadir)/anim-tools/python
datadir ?= $(PREFIX)/share
mandir ?= $(datadir)/man
bashcompletiondir ?= $(datadir)/bash-completion/completions
zshcompletiondir ?= $(datadir)/zsh/site-functions
fishcompletiondir ?= $(datadir)/fish/vendor_completions.d
CONFIG ?= release
B = build/$(CONFIG)
# A build whose programs run here; a cross build names another: make install B=build/arm CC=... NATIVE=build/release.
NATIVE ?= $(B)

# The user's CC, CPPFLAGS, CFLAGS, LDFLAGS and LDLIBS are honoured; what the code cannot do without stands in own_*.
ifeq ($(origin CC),default)
CC = cc
endif
PKG_CONFIG ?= pkg-config
# A release has small programs and the library they share, which they find beside their own folder. STATIC=yes, and the builds
# for tests: one executable under all names.
STATIC ?= $(if $(filter release,$(CONFIG)),,yes)
# What is installed is stripped by this, unless it is "no".
STRIP ?= strip
OBJCOPY ?= objcopy

CFLAGS_release = -O2 -g
CFLAGS_debug = -O0 -g3
# Undefined behaviour is a trap, by SIGILL, which no status that is expected hides (ASAN_OPTIONS=handle_sigill=1 shows where):
# words for each of its places, and more of -g than lines, would make half of what is compiled, and that of each start.
CFLAGS_sanitize = -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fsanitize-undefined-trap-on-error
CFLAGS_coverage = -O0 -g --coverage
CFLAGS_fuzz = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all
LDFLAGS_sanitize = -fsanitize=address,undefined
LDFLAGS_coverage = --coverage
LDFLAGS_fuzz = -fsanitize=address,undefined
# Tests start thousands of programs: with gcc's sanitizers linked in, at fixed places, each starts with half the page faults.
LDFLAGS_start_sanitize = $(if $(findstring clang,$(CC)),,$(if $(findstring /,$(shell $(CC) -print-file-name=libasan.a)),\
	-static-libasan -static-libubsan -no-pie))
CFLAGS ?= $(CFLAGS_$(CONFIG))
LDFLAGS ?= $(LDFLAGS_$(CONFIG))

warnings = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wvla -Wconversion \
	-Wno-sign-conversion
have = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo 1)
# The same objects make the programs and the shared library, which shows no more than lib/api/anim.map names.
# gcc 12 drops the rounding of a double to float and back if it puts two of them into one vector (-ftree-slp-vectorize).
own_cflags = -std=c11 -fPIC -fvisibility=hidden -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-tree-slp-vectorize \
	$(warnings) $(pkg_cflags)
# WebAssembly has no sockets.
no_sockets := $(findstring emscripten,$(CC))
# Only goals that compile here ask for the libraries; demo and check may have to install them first.
ifneq ($(filter-out clean help deps demo site check matrix lint layers dist integrations static wasm npm windows release deb uninstall fuzz,$(or $(MAKECMDGOALS),all)),)
packages := zlib libfyaml $(if $(call have,liblz4),liblz4) $(if $(call have,liblzma),liblzma) \
	$(if $(call have,libzstd),libzstd)
# Assertions are for tests: in a release a library must not end the program that it is part of.
own_cppflags := -Ilib -include base/machine.h -I$(B)/lib $(if $(filter release,$(CONFIG)),-DNDEBUG) -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 -DJSMN_STRICT -DJSMN_PARENT_LINKS -DJSMN_STATIC \
	$(if $(call have,liblz4),-DANIM_HAVE_LZ4) $(if $(call have,liblzma),-DANIM_HAVE_LZMA) \
	$(if $(call have,libzstd),-DANIM_HAVE_ZSTD) $(if $(no_sockets),-DANIM_NO_SOCKETS)
# Warnings are about our own code, not about the headers of libraries.
pkg_cflags := $(patsubst -I%,-isystem%,$(shell $(PKG_CONFIG) --cflags $(packages) 2>/dev/null))
pkg_libs := $(shell $(PKG_CONFIG) --libs $(packages) 2>/dev/null)
# What compiles and links; where that is not what it was, all is made again.
flags := $(strip $(STATIC) $(CC) $(own_cppflags) $(CPPFLAGS) $(own_cflags) $(CFLAGS) $(LDFLAGS) $(pkg_libs) $(LDLIBS))
ifneq ($(flags),$(shell cat $(B)/flags 2>/dev/null))
.PHONY: $(B)/flags
# Make stops here if the compiler refuses this machine or finds no library, so that the last line names the remedy.
refused := $(shell said=$$($(CC) $(own_cppflags) $(CPPFLAGS) $(own_cflags) $(CFLAGS) -include zlib.h -include libfyaml.h \
	-include jsmn.h -fsyntax-only -x c /dev/null 2>&1) || printf '%s\n' "$$said" | \
	sed -n '/error: /!{$$!d;}; s/.*error: //; s/^.error //; s/"//g; p; q')
ifneq ($(refused),)
$(error $(refused)$(if $(findstring anim-tools,$(refused)),,. 'make deps' installs or names missing packages))
endif
endif
endif
# V=1 shows each command whole.
hide = $(if $(V),,@)
quiet = $(if $(V),,@printf '  %-4s %s\n' $(1) $(2);)
compile = $(call quiet,cc,$<)$(CC) $(own_cppflags) $(CPPFLAGS) $(own_cflags) $(WERROR) $(CFLAGS) -MMD -MP -c -o $@ $<
link = $(call quiet,ld,$@)$(CC) $(CFLAGS) $(LDFLAGS) $(LDFLAGS_start_$(CONFIG)) -o $@ $^ $(pkg_libs) -lm -pthread $(LDLIBS)

system := $(if $(findstring mingw,$(CC)),windows,posix)
lib_sources := $(filter-out lib/base/system_%,$(wildcard lib/*/*.c lib/format/*/*.c lib/filter/*/*.c)) lib/base/system_$(system).c
cmd_sources := $(filter-out $(if $(no_sockets),cmd/anim-udp.c),$(wildcard cmd/*.c))
unit_sources := $(wildcard tests/unit/*.c)
fuzz_sources := $(wildcard tests/fuzz/fuzz_*.c)
bench_sources := $(wildcard tests/bench/*.c)
headers := $(wildcard lib/*/*.h lib/format/*/*.h lib/filter/*/*.h)
# anim-bake is anim-resample
programs := $(sort anim anim-bake $(basename $(notdir $(filter cmd/anim-%,$(cmd_sources)) $(wildcard lib/run/anim-*.c))))
lib_objects := $(lib_sources:%.c=$(B)/%.o)
pages := $(wildcard man/*.[157])
lib_pages := $(wildcard man/*.3)
api_objects := $(filter $(B)/lib/api/%,$(lib_objects))
shared := libanim.so.$(VERSION)
soname := libanim.so.$(firstword $(subst ., ,$(VERSION)))

all: $(programs:%=$(B)/bin/%) ## build the programs (CONFIG=release, debug, sanitize, coverage, fuzz)

$(B)/flags:
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(flags))' >$@

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(compile)

# A page that a program holds, as numbers.
$(B)/%.inc: %.html
	@mkdir -p $(@D)
	@od -An -v -td1 $< | sed 's/[-0-9][0-9]*/&,/g' >$@
$(B)/lib/filter/plot/viewer.o: $(B)/lib/filter/plot/viewer.inc

# The tasks of the cookbook and the pages that are not about a program, for `anim help`.
$(B)/lib/cli/recipes.inc: COOKBOOK.md README.md
	@mkdir -p $(@D)
	@sed -n 's/\\|/|/g; s/\\/\\\\/g; s/"/\\"/g; s/^| \(.*\) | `\(anim[ -].*\)` |$$/{"\1", "\2"},/p' $^ | awk '!seen[$$0]++' >$@
$(B)/lib/cli/pages.inc: $(wildcard man/anim-*.[57])
	@mkdir -p $(@D)
	@for page in $(sort $^); do name=$${page##*/}; \
		sed -n 's/"/\\"/g; s/^\.Nd \(.*\)/{"'"$${name%.?}"'", "'"$${page##*.}"'", "\1"},/p' $$page; done >$@
$(B)/lib/cli/words.inc: man/words.txt
	@mkdir -p $(@D)
	@sed 's/ =$$/ = NULL/; s/^\(.*\) = \(.*\)/{"\1", {\2}},/' $< >$@
$(B)/cmd/help.o: $(B)/lib/cli/recipes.inc $(B)/lib/cli/pages.inc $(B)/lib/cli/words.inc

$(B)/lib/all.a: $(lib_objects)
	@rm -f $@
	$(call quiet,ar,$@)$(AR) rcs $@ $^

cmd_objects := $(patsubst %.c,$(B)/%.o,$(filter-out cmd/main.c,$(cmd_sources)))
suite = $(B)/lib/anim-tools/libanim-tools.so

$(suite): $(cmd_objects) $(B)/lib/all.a cmd/exports.map
	@mkdir -p $(@D)
	$(call quiet,ld,$@)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,--version-script,cmd/exports.map -o $@ $(filter-out %.map,$^) \
		$(pkg_libs) -lm -pthread $(LDLIBS)

ifeq ($(STATIC),yes)
$(B)/bin/anim $(B)/bin/anim.exe: $(B)/cmd/main.o $(cmd_objects) $(B)/lib/all.a
	@mkdir -p $(@D)
	$(link)

$(filter-out %/anim,$(programs:%=$(B)/bin/%)): $(B)/bin/anim
	$(hide)ln -f $< $@
else
$(programs:%=$(B)/bin/%): $(B)/bin/%: cmd/main.c $(suite)
	@mkdir -p $(@D)
	$(call quiet,ld,$@)$(CC) $(own_cppflags) $(CPPFLAGS) $(own_cflags) $(WERROR) $(CFLAGS) $(LDFLAGS) -DPROGRAM='"$*"' -o $@ $^ \
		-Wl,-rpath,'$$ORIGIN/../lib/anim-tools' $(LDLIBS)
endif

$(B)/bin/unit: $(unit_sources:%.c=$(B)/%.o) $(B)/lib/all.a
	@mkdir -p $(@D)
	$(link)

lib: $(B)/lib/libanim.so $(B)/lib/libanim.a ## the library of anim(3), shared and static

$(B)/lib/$(shared): $(api_objects) $(B)/lib/all.a lib/api/anim.map
	$(call quiet,ld,$@)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(soname) -Wl,--version-script,lib/api/anim.map \
		-o $@ $(api_objects) $(B)/lib/all.a $(pkg_libs) -lm -pthread $(LDLIBS)

$(B)/lib/$(soname) $(B)/lib/libanim.so: $(B)/lib/%: $(B)/lib/$(shared)
	$(hide)ln -sf $(shared) $@
$(B)/lib/libanim.so: $(B)/lib/$(soname)

# For add-ons: with the libraries that are installed as .a files inside, so that it needs little more than the C library.
lib_alone: $(B)/lib/alone/$(soname) ## libanim with its libraries inside, for add-ons, into build/release/lib/alone

archive = $(or $(filter /%,$(shell $(CC) -print-file-name=$(1:-l%=lib%.a))),$(1))
streams := stdin stdout stderr

$(B)/lib/alone/$(soname): $(api_objects) $(B)/lib/all.a lib/api/anim.map packaging/streams.c
	@mkdir -p $(@D)
	$(call quiet,ld,$@)$(CC) -fPIC -O2 $(CFLAGS) $(LDFLAGS) -shared -s -Wl,-soname,$(soname) -Wl,--version-script,lib/api/anim.map \
		$(streams:%=-Wl,--wrap=%) -o $@ packaging/streams.c $(api_objects) $(B)/lib/all.a \
		$(foreach word,$(pkg_libs),$(if $(filter -l%,$(word)),$(call archive,$(word)),$(word))) -lm -pthread $(LDLIBS)

# One object, so that what the library keeps to itself can be made its own.
$(B)/lib/libanim.a: $(api_objects) $(B)/lib/all.a
	@rm -f $@
	$(hide)$(CC) -r -nostdlib -o $(B)/lib/anim.o $^
	$(hide)$(OBJCOPY) --localize-hidden $(B)/lib/anim.o
	$(call quiet,ar,$@)$(AR) rcs $@ $(B)/lib/anim.o

# Each fuzz target is a function that libFuzzer or the stand-alone driver (which replays files) calls.
$(B)/bin/replay_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/replay.o $(B)/lib/all.a
	@mkdir -p $(@D)
	$(link)

$(B)/bin/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(B)/lib/all.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(pkg_libs) -lm -pthread $(LDLIBS)

$(B)/bin/bench_%: $(B)/tests/bench/%.o $(B)/lib/all.a
	@mkdir -p $(@D)
	$(link)

replays := $(patsubst tests/fuzz/fuzz_%.c,$(B)/bin/replay_%,$(fuzz_sources))
benches := $(patsubst tests/bench/%.c,$(B)/bin/bench_%,$(bench_sources))
test_programs: all lib $(B)/bin/unit $(replays)

demo: ## build (root: after installing what is missing, DEPS=no: not), and run the pipeline on an example
	@.ci/deps build
	@$(MAKE) --no-print-directory all
	@BIN=$(abspath $(B))/bin examples/demo.sh

pictures: all ## make the pictures of README anew; that of a page with chromium
	@BIN=$(abspath $(B))/bin examples/pictures.sh

# The page to try needs emscripten. The documentation does not.
site: ## the documentation as a web site in build/site, with the page that converts files in try/
	@.ci/deps site
	@if command -v emcc >/dev/null; then $(MAKE) --no-print-directory wasm || echo "site: make wasm failed"; fi
	@[ -e build/wasm/anim.wasm ] || echo "site: there is no page to try without build/wasm, which emscripten makes: make wasm"
	@! command -v npm >/dev/null || packaging/web/modules || echo "site: no three.js, so the page shows skeletons only"
	@rm -rf build/site
	@man/site.sh build/site $$([ ! -e build/wasm/anim.wasm ] || echo build/wasm)
	@echo build/site/index.html

check: ## the same for the tests, and run them all
	@.ci/deps test
	@$(MAKE) --no-print-directory test_programs
	@tests/run.sh $(abspath $(B)) $(TESTS)

quick: ## the tests of what changed since the last commit, in about a minute
	@$(MAKE) --no-print-directory test_programs
	@tests/quick.sh $(abspath $(B))

matrix: ## compare what other builds make, and arm64 under qemu, with what this one makes (root installs the compiler)
	@.ci/deps cross || true
	@packaging/cross arm64 libraries || true
	@ANIM_MATRIX=1 $(MAKE) --no-print-directory check TESTS=determinism.bats

compile_commands.json: $(B)/flags ## for clangd and other tools that ask how a file is compiled
	@{ echo '['; for file in $(lib_sources) $(cmd_sources) $(unit_sources); do \
		printf '%s{"directory": "%s", "file": "%s", "arguments": ["%s"' "$$comma" '$(CURDIR)' "$$file" '$(CC)'; \
		printf ', "%s"' $(own_cppflags) $(CPPFLAGS) $(own_cflags) $(CFLAGS) -c "$$file"; echo ']}'; comma=,; done; echo ']'; } >$@

profile: all ## FILE=x.fbx TO=glb: count the instructions of a conversion by function; needs valgrind
	@valgrind --quiet --tool=callgrind --callgrind-out-file=build/profile.out \
		$(B)/bin/anim convert -q --force $(FILE) build/profile.$(or $(TO),axs)
	@callgrind_annotate build/profile.out | cut -c 1-140 | head -n 60

bench: all $(benches) ## measure the bars of speed and memory, as ratios in one run
	@tests/bench/bench.sh $(abspath $(B))

fuzz: ## FUZZ=godot: fuzz one target for SECONDS (60)
	@$(MAKE) --no-print-directory CONFIG=fuzz CC=clang build/fuzz/bin/fuzz_$(FUZZ)
	@mkdir -p build/fuzz/corpus/$(FUZZ)
	build/fuzz/bin/fuzz_$(FUZZ) -max_total_time=$(or $(SECONDS),60) -max_len=65536 -timeout=10 \
		$(patsubst %,-dict=%,$(wildcard tests/fuzz/$(FUZZ).dict)) \
		build/fuzz/corpus/$(FUZZ) tests/fuzz/corpus/$(FUZZ)

lint: layers ## formatting, static checks, shell scripts, manual pages, headers that compile alone
	@tests/lint.sh $(CC)

layers: ## check that no layer includes what it may not
	@tests/layers.sh

completions_bash = $(programs:%=$(B)/completion/bash/%)
completions_zsh = $(programs:%=$(B)/completion/zsh/_%)
completions_fish = $(programs:%=$(B)/completion/fish/%.fish)

completion: $(completions_bash) $(completions_zsh) $(completions_fish) ## write the completion files of bash, zsh and fish below build/

# Each from the program's own table of options; anim knows the names of those beside it.
$(completions_bash): $(B)/completion/bash/%: $(NATIVE)/bin/%
	$(call complete,bash)
$(completions_zsh): $(B)/completion/zsh/_%: $(NATIVE)/bin/%
	$(call complete,zsh)
$(completions_fish): $(B)/completion/fish/%.fish: $(NATIVE)/bin/%
	$(call complete,fish)
complete = @mkdir -p $(@D) && $< --completion $(1) >$@
$(B)/completion/bash/anim $(B)/completion/zsh/_anim $(B)/completion/fish/anim.fish: $(programs:%=$(NATIVE)/bin/%)

suitedir = $(dir $(bindir:%/=%))lib/anim-tools
strip_flags = $(if $(filter no,$(STRIP)),,-s --strip-program=$(STRIP))

install: all ## install programs, pages and completion files below $(DESTDIR)$(PREFIX)
	$(hide)install -d $(addprefix $(DESTDIR),$(bindir) $(mandir)/man1 $(mandir)/man5 $(mandir)/man7)
ifeq ($(STATIC),yes)
	$(hide)install -m 755 $(strip_flags) $(B)/bin/anim $(DESTDIR)$(bindir)
	$(hide)for program in $(filter-out anim,$(programs)); do ln -f $(DESTDIR)$(bindir)/anim $(DESTDIR)$(bindir)/$$program; done
else
	$(hide)install -d $(DESTDIR)$(suitedir)
	$(hide)install -m 755 $(strip_flags) $(programs:%=$(B)/bin/%) $(DESTDIR)$(bindir)
	$(hide)install -m 644 $(strip_flags) $(suite) $(DESTDIR)$(suitedir)
endif
	$(hide)for page in $(pages); do install -m 644 $$page $(DESTDIR)$(mandir)/man$${page##*.}/ || exit 1; done
	@if $(NATIVE)/bin/anim --version >/dev/null 2>&1; then $(MAKE) --no-print-directory install_completion; else \
		echo "note: no completion files: $(NATIVE)/bin/anim does not run here; NATIVE=build/release names a build that does"; fi
	@echo "installed: programs in $(DESTDIR)$(bindir), their manual pages in $(DESTDIR)$(mandir)"

install_completion: completion
	$(hide)install -d $(addprefix $(DESTDIR),$(bashcompletiondir) $(zshcompletiondir) $(fishcompletiondir))
	$(hide)install -m 644 $(completions_bash) $(DESTDIR)$(bashcompletiondir)
	$(hide)install -m 644 $(completions_zsh) $(DESTDIR)$(zshcompletiondir)
	$(hide)install -m 644 $(completions_fish) $(DESTDIR)$(fishcompletiondir)

install_lib: lib ## install the library of anim(3): header, shared and static, anim.pc, pages, python
	$(hide)install -d $(addprefix $(DESTDIR),$(libdir) $(includedir) $(pkgconfigdir) $(pythondir) $(mandir)/man3)
	$(hide)install -m 644 lib/api/anim.h $(DESTDIR)$(includedir)
	$(hide)install -m 644 lib/api/anim.py $(DESTDIR)$(pythondir)
	$(hide)install -m 644 lib/api/anim-stubs/__init__.pyi $(DESTDIR)$(pythondir)/anim.pyi
	$(hide)install -m 644 $(B)/lib/libanim.a $(DESTDIR)$(libdir)
	$(hide)install -m 644 $(strip_flags) $(B)/lib/$(shared) $(DESTDIR)$(libdir)
	$(if $(filter no,$(STRIP)),,$(hide)$(STRIP) -g $(DESTDIR)$(libdir)/libanim.a)
	$(hide)ln -sf $(shared) $(DESTDIR)$(libdir)/$(soname) && ln -sf $(soname) $(DESTDIR)$(libdir)/libanim.so
	$(hide)sed 's|@prefix@|$(PREFIX)|; s|@libdir@|$(libdir)|; s|@includedir@|$(includedir)|; s|@version@|$(VERSION)|; s|@packages@|$(packages)|' \
		lib/api/anim.pc.in >$(DESTDIR)$(pkgconfigdir)/anim.pc && chmod 644 $(DESTDIR)$(pkgconfigdir)/anim.pc
	$(hide)for page in $(lib_pages); do install -m 644 $$page $(DESTDIR)$(mandir)/man3/ || exit 1; done
	@echo "installed: libanim in $(DESTDIR)$(libdir), anim.h in $(DESTDIR)$(includedir), its page in $(DESTDIR)$(mandir)"

uninstall: ## remove what install and install_lib put there
	$(hide)rm -f $(addprefix $(DESTDIR)$(libdir)/,$(shared) $(soname) libanim.so libanim.a) $(DESTDIR)$(pkgconfigdir)/anim.pc \
		$(DESTDIR)$(includedir)/anim.h $(DESTDIR)$(pythondir)/anim.py $(DESTDIR)$(pythondir)/anim.pyi $(addprefix $(DESTDIR)$(mandir)/man3/,$(notdir $(lib_pages)))
	$(hide)rm -f $(DESTDIR)$(suitedir)/libanim-tools.so && { rmdir $(DESTDIR)$(suitedir) 2>/dev/null || true; }
	$(hide)rm -f $(programs:%=$(DESTDIR)$(bindir)/%) $(programs:%=$(DESTDIR)$(bashcompletiondir)/%) \
		$(programs:%=$(DESTDIR)$(zshcompletiondir)/_%) $(programs:%=$(DESTDIR)$(fishcompletiondir)/%.fish)
	$(hide)for page in $(notdir $(pages)); do rm -f $(DESTDIR)$(mandir)/man$${page##*.}/$$page; done

deps: ## install what building and testing need
	@DEPS=yes .ci/deps test

# From the last commit, or in an unpacked archive from what is there; the same files give the same bytes.
integrations: ## zip the add-on for Blender and the plug-in for Godot, into build/integrations
	@rm -rf build/integrations && mkdir -p build/integrations/anim_tools
	@cp integrations/blender/anim_tools/* lib/api/anim.py LICENSE build/integrations/anim_tools
	@cp -R integrations/godot/addons build/integrations && cp LICENSE build/integrations/addons/anim_tools
	@cd build/integrations && python3 -c 'import shutil; \
		shutil.make_archive("anim-tools-blender", "zip", ".", "anim_tools"); \
		shutil.make_archive("anim-tools-godot", "zip", ".", "addons")'
	@rm -rf build/integrations/anim_tools build/integrations/addons
	@ls build/integrations/*

dist: ## a source archive in build/
	@rm -rf build/$(dist) && mkdir -p build/$(dist)
	@if [ -e .git ]; then git archive -o build/$(dist).tar HEAD; else tar -cf build/$(dist).tar --exclude=./build .; fi
	@tar -xf build/$(dist).tar -C build/$(dist)
	@$(call pack,$(dist))
	@gzip -9nf build/$(dist).tar && rm -rf build/$(dist)
	@echo build/$(dist).tar.gz
dist = anim-tools-$(VERSION)
# Folders of build/ as an archive, whose times are those of the last commit.
epoch = $(or $(SOURCE_DATE_EPOCH),$(shell if [ -e .git ]; then git log -1 --format=%ct; else stat -c %Y Makefile; fi))
pack_options = --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime=@$(epoch)
pack = tar -cf build/$(1).tar -C build $(pack_options) $(1)

static: ## an archive in build/ of the programs linked with musl, which run on any Linux
	@rm -rf build/$(static)
	@packaging/musl PREFIX= DESTDIR=$(abspath build/$(static)) install
	@cp -R README.md COOKBOOK.md INSTALL.md LICENSE build/musl-libraries/licences build/$(static)
	@$(call pack,$(static))
	@xz -9ef build/$(static).tar && rm -rf build/$(static)
	@echo build/$(static).tar.xz
static = anim-tools-$(VERSION)-linux-$(shell uname -m)

ifneq ($(findstring emscripten,$(CC)),)
# What runs once for a file may be small instead of fast: command lines, reports, pictures, names, the settings of projects.
small = $(addprefix filter/,bind_sheet rects delta info/% lint/% plot/% rename/% retarget/plan retarget/bones) clip/graph \
	$(addprefix filter/,compare/pair mirror/mirror retarget/figure retarget/fold retime/cut root/root) \
	format/format format/gltf/into $(addprefix format/fbx/,reader scene writer_file) $(addprefix format/godot/,graph into scene writer_file) \
	$(addprefix format/unity/,assets avatar gltf graph model names package read scene source sprites timeline walk) \
	$(addprefix filter/cat/,append blend cat join) format/gltf/into_write format/imported format/godot/sprites format/unity/meta format/unity/packed \
	$(addprefix format/mmd/,model names vmd_writer) $(addprefix format/,asf/% face/% vmc/%) clip/diagnostics clip/resonite
$(B)/cmd/%.o $(B)/lib/api/%.o $(B)/lib/cli/%.o $(B)/lib/run/%.o $(small:%=$(B)/lib/%.o): override CFLAGS += -Os
endif
# emscripten links here, see packaging/wasm/build: the module without its own loader, whose place host.mjs takes. A stack that
# is below the data cannot overwrite it.
wasm_objects = $(B)/cmd/main.o $(cmd_objects) $(api_objects) $(B)/packaging/wasm/host.o $(B)/lib/all.a
comma := ,
wasm_functions = $(subst $() ,$(comma),$(shell sed -n '/write\|copy\|_fd\|apply\|convert\|free/d; s/^\t\t\(anim_.*\);/_\1/p' lib/api/anim.map))
wasm_flags = -O1 -s FILESYSTEM=0 -s WASM_BIGINT=1 -s ALLOW_MEMORY_GROWTH=1 -s MAXIMUM_MEMORY=4GB -s TOTAL_STACK=8MB -s EXIT_RUNTIME=1 \
	-s WARN_ON_UNDEFINED_SYMBOLS=0 -s ERROR_ON_UNDEFINED_SYMBOLS=0 -s EXPORTED_FUNCTIONS=_main,_malloc,_calloc,_free,_host_pipe_closed,_host_convert,_setThrew,$(wasm_functions) -Wl,--stack-first
wasm_scripts = $(patsubst packaging/wasm/%,$(B)/%,$(wildcard packaging/wasm/*.mjs packaging/wasm/*.mts))

wasm_files: $(B)/anim.wasm $(wasm_scripts)

$(B)/anim.wasm: $(wasm_objects)
	$(call quiet,ld,$@)emcc $(wasm_flags) -o $(B)/linked.js $(filter %.o %.a,$^) $(pkg_libs)
	$(hide)wasm-opt -O2 --strip-debug --strip-producers --strip-target-features -o $@ $(B)/linked.wasm

$(wasm_scripts): $(B)/%: packaging/wasm/%
	$(hide)cp $< $@

wasm: ## WebAssembly of all programs, and the modules that load it, in build/wasm; needs emscripten and nodejs
	@packaging/wasm/build

npm: wasm ## an npm package of the WebAssembly in build/, for Node on any system and for browsers
	@rm -rf build/npm && mkdir -p build/npm/package
	@cp build/wasm/anim.wasm build/wasm/*.mjs build/wasm/*.mts packaging/npm/*.mjs packaging/npm/README.md LICENSE build/npm/package
	@cp -R build/wasm-libraries/licences build/npm/package
	@sed 's/@version@/$(VERSION)/' packaging/npm/package.json.in >build/npm/package/package.json
	@chmod 755 build/npm/package/cli.mjs
	@node build/npm/package/cli.mjs convert --help all | awk -f packaging/npm/options.awk >build/npm/package/options.d.mts
	@tar -cf build/npm/npm.tar -C build/npm $(pack_options) package
	@gzip -9nc build/npm/npm.tar >build/$(npm) && rm -f build/npm/npm.tar
	@echo build/$(npm)
npm = anim-tools-$(VERSION).tgz

windows: ## a zip in build/ of anim.exe for 64-bit Windows; needs mingw-w64
	@packaging/windows build/windows/bin/anim.exe
	@rm -rf build/$(windows) && mkdir -p build/$(windows)
	@cp -R README.md COOKBOOK.md INSTALL.md LICENSE examples build/windows-libraries/licences build/$(windows)
	@SOURCE_DATE_EPOCH=$(epoch) x86_64-w64-mingw32-strip -o build/$(windows)/anim.exe build/windows/bin/anim.exe
	@find build/$(windows) -exec touch -d @$(epoch) {} +
	@rm -f build/$(windows).zip && cd build && find $(windows) | LC_ALL=C sort | TZ=UTC zip -9Xq $(windows).zip -@ && rm -rf $(windows)
	@echo build/$(windows).zip
windows = anim-tools-$(VERSION)-windows-x86_64

release: ## all that the page of a release holds, from the commit of a tag, with checksums; installs what is missing
	@git describe --exact-match --tags --match 'v$(VERSION)' >/dev/null || { echo "release: this commit has no tag v$(VERSION)"; exit 1; }
	@for need in build site cross wasm windows release; do DEPS=yes .ci/deps $$need || exit 1; done
	@rm -rf build/release-$(VERSION) build/*.deb && mkdir -p build/release-$(VERSION)
	@$(MAKE) --no-print-directory all && $(MAKE) --no-print-directory deb static npm windows site
	@packaging/cross arm64 NATIVE=build/release PREFIX= DESTDIR=$(abspath build/$(arm)) install
	@cp -R README.md COOKBOOK.md INSTALL.md LICENSE build/musl-libraries/licences build/$(arm)
	@rm build/$(arm)/licences/musl && cp /usr/share/doc/libc6-dev-arm64-cross/copyright build/$(arm)/licences/glibc
	@$(call pack,$(arm)) && $(call pack,site) && xz -9ef build/$(arm).tar && xz -9ef build/site.tar && rm -rf build/$(arm)
	@cp build/$(dist).tar.gz build/*.deb build/$(static).tar.xz build/$(arm).tar.xz build/$(windows).zip build/$(npm) build/release-$(VERSION)
	@mv build/site.tar.xz build/release-$(VERSION)/anim-tools-$(VERSION)-site.tar.xz
	@cd build/release-$(VERSION) && sha256sum * >SHA256SUMS && cat SHA256SUMS
arm = anim-tools-$(VERSION)-linux-aarch64

deb: dist ## Debian packages in build/; needs debhelper and what packaging/debian/control names
	@rm -rf build/deb && mkdir -p build/deb
	@tar -xzf build/$(dist).tar.gz -C build/deb
	@cp -R packaging/debian build/deb/$(dist)/debian
	@cd build/deb/$(dist) && DEB_BUILD_OPTIONS="noautodbgsym $$DEB_BUILD_OPTIONS" dpkg-buildpackage -us -uc -b >../log 2>&1 || \
		{ tail -n 20 ../log; exit 1; }
	@mv build/deb/*.deb build && rm -rf build/deb/$(dist) && ls build/*.deb

clean: ## remove build/
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z_.]*\):.*## \(.*\)/\1	\2/p' Makefile | expand -t 12

.PHONY: all lib lib_alone completion test_programs demo pictures site check quick matrix bench profile fuzz lint layers install install_completion install_lib \
	uninstall deps dist static wasm wasm_files npm windows release deb integrations clean help
.SECONDARY:

-include $(lib_objects:.o=.d) $(cmd_sources:%.c=$(B)/%.d) $(unit_sources:%.c=$(B)/%.d) $(fuzz_sources:%.c=$(B)/%.d) \
	$(bench_sources:%.c=$(B)/%.d)
