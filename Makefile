# anim-tools: small programs for animation data. `make help` lists the targets.

.SUFFIXES:
.DELETE_ON_ERROR:
SHELL = /bin/sh

VERSION := $(shell sed -n 's/^.define CLI_VERSION "\(.*\)"/\1/p' lib/cli/cli.h)
PREFIX ?= /usr/local
CONFIG ?= release
B = build/$(CONFIG)

# The user's CC, CPPFLAGS, CFLAGS, LDFLAGS and LDLIBS are honoured; what the code cannot do without stands in own_*.
ifeq ($(origin CC),default)
CC = cc
endif
PKG_CONFIG ?= pkg-config

CFLAGS_release = -O2 -g
CFLAGS_debug = -O0 -g3
CFLAGS_sanitize = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
CFLAGS_coverage = -O0 -g --coverage
CFLAGS_fuzz = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all
LDFLAGS_sanitize = -fsanitize=address,undefined
LDFLAGS_coverage = --coverage
LDFLAGS_fuzz = -fsanitize=address,undefined
CFLAGS ?= $(CFLAGS_$(CONFIG))
LDFLAGS ?= $(LDFLAGS_$(CONFIG))

warnings = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wvla -Wconversion \
	-Wno-sign-conversion
have = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo 1)
packages = zlib libfyaml $(if $(call have,liblz4),liblz4) $(if $(call have,liblzma),liblzma)
own_cppflags = -Ilib -I$(B) -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 -DJSMN_STRICT -DJSMN_PARENT_LINKS -DJSMN_STATIC \
	$(if $(call have,liblz4),-DANIM_HAVE_LZ4) $(if $(call have,liblzma),-DANIM_HAVE_LZMA)
own_cflags = -std=c11 -ffp-contract=off -fno-math-errno -fno-trapping-math $(warnings) $(WERROR) $(pkg_cflags)
# Only goals that compile here ask for the libraries; demo and check may have to install them first.
ifneq ($(filter-out clean help deps demo check lint layers dist uninstall fuzz,$(or $(MAKECMDGOALS),all)),)
$(if $(call have,libfyaml),,$(warning pkg-config finds no libfyaml: make deps installs what is missing, or names it))
pkg_cflags := $(shell $(PKG_CONFIG) --cflags $(packages) 2>/dev/null)
pkg_libs := $(shell $(PKG_CONFIG) --libs $(packages) 2>/dev/null)
endif
# V=1 shows each command whole.
hide = $(if $(V),,@)
quiet = $(if $(V),,@printf '  %-4s %s\n' $(1) $(2);)
compile = $(call quiet,cc,$<)$(CC) $(own_cppflags) $(CPPFLAGS) $(own_cflags) $(CFLAGS) -MMD -MP -c -o $@ $<
link = $(call quiet,ld,$@)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(pkg_libs) -lm -pthread $(LDLIBS)

lib_sources := $(wildcard lib/*/*.c lib/format/*/*.c lib/filter/*/*.c)
cmd_sources := $(wildcard cmd/anim.c cmd/anim-*.c)
cmd_common := $(filter-out $(cmd_sources),$(wildcard cmd/*.c))
unit_sources := $(wildcard tests/unit/*.c)
fuzz_sources := $(wildcard tests/fuzz/fuzz_*.c)
bench_sources := $(wildcard tests/bench/*.c)
headers := $(wildcard lib/*/*.h lib/format/*/*.h lib/filter/*/*.h)
programs := $(patsubst cmd/%.c,%,$(cmd_sources))
lib_objects := $(lib_sources:%.c=$(B)/%.o)
pages := $(wildcard man/*.[157])

all: $(programs:%=$(B)/bin/%) ## build the programs (CONFIG=release, debug, sanitize, coverage, fuzz)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(compile)

$(B)/lib/libanim.a: $(lib_objects)
	@rm -f $@
	$(call quiet,ar,$@)$(AR) rcs $@ $^

# What several programs share; an archive, so that each takes only what it calls.
$(B)/lib/libcmd.a: $(cmd_common:%.c=$(B)/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(call quiet,ar,$@)$(AR) rcs $@ $^

$(programs:%=$(B)/bin/%): $(B)/bin/%: $(B)/cmd/%.o $(B)/lib/libcmd.a $(B)/lib/libanim.a
	@mkdir -p $(@D)
	$(link)

$(B)/bin/unit: $(unit_sources:%.c=$(B)/%.o) $(B)/lib/libanim.a
	@mkdir -p $(@D)
	$(link)

# Each fuzz target is a function that libFuzzer or the stand-alone driver (which replays files) calls.
$(B)/bin/replay_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/replay.o $(B)/lib/libanim.a
	@mkdir -p $(@D)
	$(link)

$(B)/bin/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(B)/lib/libanim.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(pkg_libs) -lm -pthread $(LDLIBS)

$(B)/bin/bench_%: $(B)/tests/bench/%.o $(B)/lib/libanim.a
	@mkdir -p $(@D)
	$(link)

replays := $(patsubst tests/fuzz/fuzz_%.c,$(B)/bin/replay_%,$(fuzz_sources))
benches := $(patsubst tests/bench/%.c,$(B)/bin/bench_%,$(bench_sources))
test_programs: all $(B)/bin/unit $(replays)

demo: ## install what is missing, build, and run the pipeline on an example
	@.ci/deps build
	@$(MAKE) --no-print-directory all
	@BIN=$(abspath $(B))/bin examples/demo.sh

check: ## install what the tests need, build, run all tests
	@.ci/deps test
	@$(MAKE) --no-print-directory test_programs
	@tests/run.sh $(abspath $(B)) $(TESTS)

bench: all $(benches) ## measure the bars of speed and memory, as ratios in one run
	@tests/bench/bench.sh $(abspath $(B))

fuzz: ## FUZZ=godot: fuzz one target for SECONDS (60)
	@$(MAKE) --no-print-directory CONFIG=fuzz CC=clang build/fuzz/bin/fuzz_$(FUZZ)
	@mkdir -p build/fuzz/corpus/$(FUZZ)
	build/fuzz/bin/fuzz_$(FUZZ) -max_total_time=$(or $(SECONDS),60) -max_len=65536 -timeout=10 \
		build/fuzz/corpus/$(FUZZ) tests/fuzz/corpus/$(FUZZ)

lint: layers ## formatting, static checks, shell scripts, manual pages, headers that compile alone
	@tests/lint.sh $(CC)

layers: ## check that no layer includes what it may not
	@tests/layers.sh

# Where each shell looks for the completion of a program.
completions_bash = $(programs:%=share/bash-completion/completions/%)
completions_zsh = $(programs:%=share/zsh/site-functions/_%)
completions_fish = $(programs:%=share/fish/vendor_completions.d/%.fish)
completions = $(completions_bash) $(completions_zsh) $(completions_fish)

completion: $(completions:%=$(B)/%) ## write the completion files of bash, zsh and fish below build/

# Each from the program's own table of options; anim knows the names of those beside it.
$(completions_bash:%=$(B)/%): $(B)/share/bash-completion/completions/%: $(B)/bin/%
	$(call complete,bash)
$(completions_zsh:%=$(B)/%): $(B)/share/zsh/site-functions/_%: $(B)/bin/%
	$(call complete,zsh)
$(completions_fish:%=$(B)/%): $(B)/share/fish/vendor_completions.d/%.fish: $(B)/bin/%
	$(call complete,fish)
complete = @mkdir -p $(@D) && $< --completion $(1) >$@
$(foreach file,bash-completion/completions/anim zsh/site-functions/_anim fish/vendor_completions.d/anim.fish,\
	$(B)/share/$(file)): $(programs:%=$(B)/bin/%)

install: all completion ## install programs, pages and completion files below $(DESTDIR)$(PREFIX)
	$(hide)install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin share/man/man1 share/man/man5 share/man/man7 $(sort $(dir $(completions))))
	$(hide)install -m 755 $(programs:%=$(B)/bin/%) $(DESTDIR)$(PREFIX)/bin
	$(hide)for page in $(pages); do install -m 644 $$page $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/ || exit 1; done
	$(hide)for file in $(completions); do install -m 644 $(B)/$$file $(DESTDIR)$(PREFIX)/$$file || exit 1; done
	@echo "installed below $(DESTDIR)$(PREFIX): bin/anim and the others, their manual pages, completion"

uninstall: ## remove what install put there
	$(hide)rm -f $(programs:%=$(DESTDIR)$(PREFIX)/bin/%) $(completions:%=$(DESTDIR)$(PREFIX)/%)
	$(hide)for page in $(notdir $(pages)); do rm -f $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$$page; done

deps: ## install what building and testing need
	@.ci/deps test

dist: ## a source archive in build/
	@mkdir -p build
	git archive --prefix=anim-tools-$(VERSION)/ -o build/anim-tools-$(VERSION).tar.gz HEAD

clean: ## remove build/
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z_]*\):.*## \(.*\)/\1	\2/p' Makefile | expand -t 12

.PHONY: all completion test_programs demo check bench fuzz lint layers install uninstall deps dist clean help
.SECONDARY:

-include $(lib_objects:.o=.d) $(cmd_sources:%.c=$(B)/%.d) $(cmd_common:%.c=$(B)/%.d) $(unit_sources:%.c=$(B)/%.d) $(fuzz_sources:%.c=$(B)/%.d) \
	$(bench_sources:%.c=$(B)/%.d)
