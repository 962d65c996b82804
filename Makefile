# continuo. `make run` opens the workstation, `make test` runs every test;
# both install what is missing first. README.md has the map.

comma   := ,
FLAVOUR ?= release
PREFIX  ?= /usr/local
B       := build/$(FLAVOUR)
CC      ?= cc

PKGS := ncursesw fluidsynth glib-2.0 openblas libcjson libpng zlib sndfile sqlite3 uchardet
DEBS := gcc make pkg-config libncurses-dev libportmidi-dev libfluidsynth-dev libglib2.0-dev \
        libopenblas-pthread-dev libcjson-dev libpng-dev zlib1g-dev \
        libsndfile1-dev libsqlite3-dev libuchardet-dev timgm6mb-soundfont git linux-libc-dev
# What the tests need besides. Those of the sound server skip without jackd2, which is not
# installed unasked: it may replace the JACK of the machine. So does that of PyTorch.
TEST_DEBS := libcmocka-dev tmux python3-numpy zsh fish coreutils
ARM64_DEBS := gcc make pkg-config crossbuild-essential-arm64 qemu-user
LINT_DEBS := python3-minimal clang clang-format clang-tidy cppcheck libclang-rt-14-dev

# _GNU_SOURCE only widens what libc declares; the language stays C11.
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
BASE := -std=c11 -D_GNU_SOURCE -I. $(WARN) -MMD -MP -pthread
OPT_release  = -O2 -g $(HARD)
OPT_fuzz    := -O2 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined \
  -fno-sanitize-coverage=trace-cmp
OPT_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
OPT_tsan    := -O1 -g -fsanitize=thread
OPT_portable := -O1 -g -DCONTINUO_PORTABLE
OPT   = $(or $(OPT_$(FLAVOUR)),$(OPT_release))

# Hardening against memory errors: each flag that this compiler has. The sanitizers' flavours,
# which check more, do without. FORTIFY 3 if libc has it, else 2.
has   = $(shell $(CC) -O2 -Werror $(1) -include stdio.h -x c -c /dev/null -o /dev/null 2>/dev/null && echo "$(1)")
FORT  = $(or $(call has,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
HARD  = $(eval HARD := $(FORT) $(foreach f,-fstack-protector-strong -fstack-clash-protection \
          -fcf-protection -mbranch-protection=standard -fPIE,$(call has,$(f))))$(HARD)
MAC := $(filter Darwin,$(shell uname))
UNDERSCORE := $(if $(MAC),_)
HARD_LINK := $(if $(MAC),,-pie -Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now$(comma)-z$(comma)noexecstack)
LINK  = $(OPT) $(if $(filter asan tsan fuzz,$(FLAVOUR)),,$(HARD_LINK))

# What `make arm64` builds with and runs programs by. Elsewhere programs run by themselves.
PKG_CONFIG := pkg-config
ifeq ($(FLAVOUR),arm64)
SYSROOT := $(CURDIR)/build/arm64-root
SYSLIBS := $(SYSROOT)/usr/lib/aarch64-linux-gnu
CC := aarch64-linux-gnu-gcc --sysroot=$(SYSROOT)
AR := aarch64-linux-gnu-ar
OBJCOPY := aarch64-linux-gnu-objcopy
PKG_CONFIG := env PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) \
  PKG_CONFIG_LIBDIR=$(SYSLIBS)/pkgconfig:$(SYSLIBS)/openblas-pthread/pkgconfig pkg-config
override LDFLAGS += $(foreach of,openblas-pthread pulseaudio,-Wl$(comma)-rpath$(comma)/usr/lib/aarch64-linux-gnu/$(of))
ON_CPU := qemu-aarch64 -L $(SYSROOT)
endif

# Evaluated only when something is compiled, so `make deps` works on a bare machine. Without the
# macros of ncurses, which would narrow what BSD declares. Homebrew keeps some libraries apart.
PKG_CFLAGS = $(filter-out -D%,$(shell $(PKG_CONFIG) --cflags $(PKGS)))
PKG_LIBS   = $(shell $(PKG_CONFIG) --libs $(PKGS)) -lportmidi -lm $(if $(MAC),-liconv)
ifdef MAC
BREW := $(shell brew --prefix)
KEGS := $(foreach k,ncurses openblas sqlite zlib,$(BREW)/opt/$(k)/lib/pkgconfig)
export PKG_CONFIG_PATH := $(subst $() ,:,$(KEGS)):$(PKG_CONFIG_PATH)
PKG_CFLAGS += -I$(BREW)/include
PKG_LIBS   += -L$(BREW)/lib
endif

# The commands build on all processors.
BUILD = $(MAKE) --no-print-directory -j$(shell getconf _NPROCESSORS_ONLN)

# Rooms have sub-rooms: sources are found at every depth.
ROOMS := midi model tui app
find   = $(sort $(shell find $(1) -name '$(2)'))
obj    = $(patsubst %.c,$(B)/%.o,$(call find,$(1),*.c))
LIBS_midi  := $(B)/midi.a
LIBS_model := $(B)/model.a
LIBS_tui   := $(B)/tui.a $(B)/midi.a
LIBS_app   := $(B)/app.a $(B)/tui.a $(B)/midi.a $(B)/model.a

TESTS := $(patsubst %.c,$(B)/%,$(call find,tests,test_*.c))
FUZZ  := $(patsubst tests/%.c,%,$(call find,tests,fuzz_*.c))
# The tests with these names, in any folder.
tests_named = $(foreach name,$(1),$(filter %/$(name),$(TESTS)))

# Each build step prints one line; V=1 shows the commands.
Q   := $(if $(V),,@)
say  = $(if $(V),,echo "$(1)")

SOUNDFONT := $(B)/soundfonts/continuo.sf2

.PHONY: all run demo arm64 arm64-check choice test built check build-deps deps lint-deps asan tsan portable lint analyze format fuzz holes model-holes models-check soak kill-soak fault-soak play-soak stress valgrind beside-llama beside-torch exam install uninstall package clean FORCE
.SECONDARY:
.DEFAULT_GOAL := all

all: $(B)/continuo $(SOUNDFONT)

$(B)/%.o: %.c
	@mkdir -p $(@D); $(call say,CC $<)
	$(Q)$(CC) $(BASE) $(OPT) $(ROOM_CFLAGS) $(PKG_CFLAGS) $(CFLAGS) -c $< -o $@

# The kernels write their sums in a fixed order by hand; these two flags let gcc
# vectorise the rest without changing any result we read. On ARM it would move loads so far ahead
# that sums leave their registers.
AS_WRITTEN := $(call has,-fno-schedule-insns)
$(B)/model/kernels/kernels_%.o: ROOM_CFLAGS := -O3 -fno-math-errno -fno-trapping-math $(AS_WRITTEN)
$(B)/model/kernels/product_%.o: ROOM_CFLAGS := $(AS_WRITTEN)
# Fuzzing instruments only code that reads input. `make asan` covers the arithmetic, which clang
# would need many minutes to instrument.
build/fuzz/model/kernels/kernels_%.o: ROOM_CFLAGS += -fno-sanitize=all
$(B)/app/lab/training/provenance.o $(B)/app/lab/benchmark/bench.o: ROOM_CFLAGS = -DCONTINUO_COMMIT='"$(COMMIT)"'
$(B)/app/lab/training/provenance.o $(B)/app/lab/benchmark/bench.o: $(B)/commit
# Written only when its content changes, so that its dependants are built again.
COMMIT = $(shell git rev-parse --short HEAD 2>/dev/null)
$(B)/commit: FORCE
	@mkdir -p $(@D)
	@echo "$(COMMIT)" | cmp -s - $@ || echo "$(COMMIT)" >$@
FORCE:
$(B)/app/base/paths.o: ROOM_CFLAGS := -DCONTINUO_PREFIX='"$(PREFIX)"'

# Tests are many and short: most of their time is compilation.
build/release/tests/%.o build/release/replay/%.o: OPT := -O1

# A text file as a C string: $(call text,FILE,NAME).
define text
$(B)/$(1).c: $(1)
	@mkdir -p $$(@D)
	$$(Q){ echo 'extern const char $(2)[]; const char $(2)[] ='; \
	  sed 's/["\\]/\\&/g; s/.*/  "&\\n"/' $$<; echo ';'; } >$$@
$(B)/$(1).o: $(B)/$(1).c
	@$$(call say,CC $$<)
	$$(Q)$$(CC) $$(BASE) $$(OPT) $$(CFLAGS) -c $$< -o $$@
$(B)/app.a: $(B)/$(1).o
endef
$(eval $(call text,app/document/store.sql,STORE_SQL))
$(eval $(call text,app/document/store_versions.sql,STORE_VERSIONS))
$(eval $(call text,app/document/describe_store.sql,DESCRIBE_STORE))
$(eval $(call text,app/cli/man_guide.roff,MAN_GUIDE))
$(eval $(call text,app/cli/man_end.roff,MAN_END))
$(eval $(call text,app/cli/completions.bash,BASH_COMPLETION))
$(eval $(call text,app/cli/completions.zsh,ZSH_COMPLETION))
$(eval $(call text,app/cli/completions.fish,FISH_COMPLETION))

define room_archive
$(B)/$(1).a: $(filter-out $(B)/app/cli/main.o,$(call obj,$(1)))
	@rm -f $$@; $$(call say,AR $$@)
	$$(Q)$$(AR) rcs $$@ $$^
endef
$(foreach r,$(ROOMS),$(eval $(call room_archive,$(r))))

$(B)/continuo: $(B)/app/cli/main.o $(LIBS_app)
	@$(call say,LD $@)
	$(Q)$(CC) $(LINK) $(LDFLAGS) $^ $(PKG_LIBS) -pthread -o $@

$(B)/soundfonts/make_soundfont: $(B)/soundfonts/make_soundfont.o
	@$(call say,LD $@)
	$(Q)$(CC) $(LINK) $(LDFLAGS) $^ -lm -o $@
$(SOUNDFONT): $(B)/soundfonts/make_soundfont
	$(ON_CPU) $< $@

# A keyboard that plays from a script, in place of PortMidi.
STANDIN := $(B)/standin/libportmidi.so.0
$(STANDIN): tests/midi/ports/stand_in_portmidi.c tests/midi/fake_portmidi.h
	@mkdir -p $(@D); $(call say,CC $<)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -I. $(WARN) -O2 -g -shared -fPIC -pthread -Wl,-soname,$(@F) $< -lm -o $@

# tests/ROOM/fuzz_x.c is a libFuzzer target, and with FUZZ_REPLAY a test that
# replays tests/ROOM/corpus/x.
REPLAYS := $(addprefix $(B)/replay/,$(FUZZ))
$(B)/replay/%.o: tests/%.c
	@mkdir -p $(@D); $(call say,CC $<)
	$(Q)$(CC) $(BASE) $(OPT) -DFUZZ_REPLAY $(PKG_CFLAGS) $(CFLAGS) -c $< -o $@

# Programs of tests link in a fifth of the time by gold, where it is, and without debug information.
GOLD := $(if $(shell command -v ld.gold),-fuse-ld=gold)
LINK_TEST = $(LINK) $(GOLD) $(if $(filter release,$(FLAVOUR)),-Wl$(comma)-S)
define link_tests
@$(call say,LD $@)
$(Q)$(CC) $(LINK_TEST) $(LDFLAGS) $(LINKED) -lcmocka $(PKG_LIBS) -pthread -o $@
endef
LINKED = $(filter-out Makefile,$^)
define room_tests
$(B)/replay/$(1)/%: $(B)/replay/$(1)/%.o $(LIBS_$(1))
	@mkdir -p $$(@D); $$(call say,LD $$@)
	$$(Q)$$(CC) $$(LINK_TEST) $$(LDFLAGS) $$^ $$(PKG_LIBS) -pthread -o $$@
build/fuzz/$(1)/%: build/fuzz/tests/$(1)/%.o $(LIBS_$(1))
	@mkdir -p $$(@D); $$(call say,LD $$@)
	$$(Q)clang -fsanitize=fuzzer,address,undefined $$^ $$(PKG_LIBS) -pthread -o $$@
endef
$(foreach r,$(ROOMS),$(eval $(call room_tests,$(r))))

# These call wrapped system calls that fail on request.
FAULTY := $(call tests_named,test_fault_session test_power_cut test_kept_always test_old_stores)
FAULTS := write pwrite fsync fdatasync rename unlink open fopen mmap ftruncate close \
  malloc calloc realloc reallocarray aligned_alloc strdup strndup asprintf __asprintf_chk
# Every linker can: in copies of the objects the calls have the wrappers' names, and the wrappers'
# calls of the real ones the calls'.
OBJCOPY := $(or $(OBJCOPY),$(firstword $(foreach o,objcopy llvm-objcopy gobjcopy,$(shell command -v $(o)))))
TESTS := $(if $(OBJCOPY),$(TESTS),$(filter-out $(FAULTY),$(TESTS)))
RENAMED := $(foreach f,$(FAULTS),--redefine-sym $(UNDERSCORE)$(f)=$(UNDERSCORE)__wrap_$(f) \
  --redefine-sym $(UNDERSCORE)__real_$(f)=$(UNDERSCORE)$(f))
$(B)/faulty/%: $(B)/%
	@mkdir -p $(@D); $(call say,OBJCOPY $@)
	$(Q)$(OBJCOPY) $(RENAMED) $< $@
$(foreach t,$(FAULTY),$(eval $(t): $(patsubst $(B)/%,$(B)/faulty/%,\
  $(t).o $(B)/tests/main.o $(B)/tests/app/document/fault_shim.o $(LIBS_app))))
$(FAULTY): LINKED = $(filter $(B)/faulty/%,$^)

# These stand in for parts of ours or of a library.
ALONE := $(call tests_named,test_file_memory test_answer test_answer_kept test_outward test_apply_memory \
  test_follow test_ports test_smf_random test_metronome test_loop test_monitor test_output test_scheduled_note)
# Both kinds are programs of their own. The other files tests/ROOM/test_x.c of a folder are one program,
# FOLDER/tests; each file's name is a link to it, by which it knows what to run.
TOGETHER := $(filter-out $(FAULTY) $(ALONE),$(TESTS))
FOLDERS := $(sort $(dir $(TOGETHER)))
libs_of = $(LIBS_$(firstword $(subst /, ,$(patsubst $(B)/tests/%,%,$(1)))))
$(foreach t,$(ALONE),$(eval $(t): $(t).o $(B)/tests/main.o $(call libs_of,$(t))))
$(foreach d,$(FOLDERS),$(eval $(d)tests: $(patsubst %,%.o,$(filter $(d)test_%,$(TOGETHER))) $(B)/tests/main.o $(call libs_of,$(d))))
$(FAULTY) $(ALONE) $(FOLDERS:=tests): Makefile # whose lists say what is a program
	$(link_tests)
$(foreach t,$(TOGETHER),$(eval $(t): $(dir $(t))tests))
$(TOGETHER):
	@ln -sf tests $@

run: build-deps
	@$(BUILD) all
	@CONTINUO_HOME=. $(B)/continuo --example

demo: build-deps
	@$(BUILD) all
	@mkdir -p demo
	CONTINUO_HOME=. $(ON_CPU) $(B)/continuo continue models/example.mid -o demo/demo.mid --bars 8
	CONTINUO_HOME=. $(ON_CPU) $(B)/continuo render demo/demo.mid -o demo/demo.wav
	CONTINUO_HOME=. $(ON_CPU) $(B)/continuo attention demo/demo.mid --bar 9 -o demo/demo.png

test: deps
	@$(BUILD) check

# Builds everything that `make test` runs.
built: $(B)/continuo $(SOUNDFONT) $(STANDIN) $(TESTS) $(REPLAYS)

# Runs the tests without checking packages; asan and tsan repeat it. ONLY picks tests by the
# beginning of their path: `make check ONLY="midi app/editor/takes"`.
PICKED := $(if $(ONLY),$(filter $(foreach o,$(ONLY),$(B)/tests/$(o)% $(B)/replay/$(o)%),$(TESTS) $(REPLAYS)),$(TESTS) $(REPLAYS))
check: $(B)/continuo $(SOUNDFONT) $(STANDIN) $(PICKED)
	@FLAVOUR=$(FLAVOUR) ONLY='$(ONLY)' sh tests/run.sh $(PICKED)

asan tsan: deps
	@$(BUILD) FLAVOUR=$@ check

# The ways of other systems, forced on this one, and the tests of what uses them. Another libc
# compiles the rooms that need the fewest libraries, with the headers of those that are here.
MUSL := -Werror=implicit-function-declaration -idirafter /usr/include \
        $(foreach d,$(wildcard /usr/include/*-linux-gnu),-idirafter $(d))
portable: deps
	@$(BUILD) FLAVOUR=portable check ONLY="midi/base midi/transport midi/sound midi/ports model/base \
	  model/decoder app/document app/editor/takes/test_learn tui/terminal"
	@if command -v musl-gcc >/dev/null; then \
	  $(BUILD) FLAVOUR=musl CC=musl-gcc CFLAGS="$(MUSL)" build/musl/midi.a build/musl/model.a; \
	else echo "musl is left out: there is no musl-gcc (musl-tools)"; fi

# Builds for 64-bit ARM with Debian's packages for it, unpacked into build/, and has qemu run the
# tests of midi and model there, and a demo: but those of JACK, of real time, and of memory, which
# qemu does not tell; some minutes.
ON_ARM64 := $(filter $(B)/tests/midi/% $(B)/tests/model/%,$(filter-out %/test_device_lost %/test_playing %/test_changed_file,$(TESTS)))
arm64:
	@sh tests/deps.sh $(ARM64_DEBS)
	@sh tests/sysroot.sh build/arm64-root arm64 $(filter lib% zlib1g-dev,$(DEBS)) libcmocka-dev
	@$(BUILD) FLAVOUR=arm64 arm64-check
	@$(BUILD) FLAVOUR=arm64 demo
arm64-check: $(B)/continuo $(SOUNDFONT) $(STANDIN) $(ON_ARM64)
	@FLAVOUR=$(FLAVOUR) ONLY='midi model' ON_CPU='$(ON_CPU)' CONTINUO_HOLES=1000 sh tests/run.sh $(ON_ARM64)

# Installs only missing packages and reports them; silent and offline if none is missing.
build-deps:
	@sh tests/deps.sh $(DEBS)
deps:
	@sh tests/deps.sh $(DEBS) $(TEST_DEBS)
lint-deps:
	@sh tests/deps.sh $(DEBS) $(LINT_DEBS)

SOURCES := $(call find,$(ROOMS) soundfonts tests,*.[ch])
C_FILES := $(filter %.c,$(SOURCES))
format:
	clang-format-14 -i $(SOURCES)

lint: lint-deps
	@python3 tests/arrows.py
	@echo clang-format; clang-format-14 --dry-run --Werror $(SOURCES)
	@echo cppcheck; cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability \
	  --inline-suppr --suppress=missingIncludeSystem --std=c11 -j2 -I. $(ROOMS) soundfonts
	@echo clang-tidy; printf '%s\n' $(filter-out tests/%,$(C_FILES)) | xargs -P2 -n1 sh -c \
	  'clang-tidy-14 --quiet "$$@" -- $(BASE) $(PKG_CFLAGS) 2>/dev/null' tidy
	@$(BUILD) FLAVOUR=gcc CC=gcc CFLAGS=-Werror build/gcc/continuo
	@$(BUILD) FLAVOUR=clang CC=clang CFLAGS=-Werror build/clang/continuo

# gcc's analyzer, some minutes. tests/analyze.known has its false reports, with reasons.
analyze: deps
	@CC=gcc ANALYZE='$(filter-out -MMD -MP,$(BASE)) -O2 $(PKG_CFLAGS) -DCONTINUO_COMMIT="" -DCONTINUO_PREFIX=""' \
	  sh tests/analyze.sh $(call find,$(ROOMS),*.c)

# `make fuzz SECONDS_EACH=600` grows the corpora under build/. Useful inputs are copied to the
# corpus in tests/ by hand, and `make test` replays them. At night use
# `make fuzz RUNS=10000000 SECONDS_EACH=7200`: the most executions and seconds (0: no limit).
# Comparisons are not traced: those of the sanitizers' own checks would take four fifths of the
# time. String comparisons are seen through ASan's functions. Rare features are not counted
# (-entropic), since that took most of the time.
SECONDS_EACH ?= 60
RUNS ?= -1
fuzz: lint-deps
	@$(BUILD) FLAVOUR=fuzz CC=clang $(addprefix build/fuzz/,$(FUZZ))
	@mkdir -p build/fuzz/found; found=; for f in $(FUZZ); do \
	  corpus=$$(echo $$f | sed 's|fuzz_|corpus/|'); mkdir -p build/fuzz/$$corpus; echo "$$f"; \
	  build/fuzz/$$f -runs=$(RUNS) -max_total_time=$(SECONDS_EACH) -entropic=0 -rss_limit_mb=2048 \
	    -print_final_stats=1 -artifact_prefix=build/fuzz/found/$${f##*/}. \
	    build/fuzz/$$corpus tests/$$corpus || found="$$found $$f"; done; \
	if [ -n "$$found" ]; then echo "fuzz: found something:$$found (build/fuzz/found)"; exit 1; fi

# Whether the shipped models do what they are asked and lose little by rounding, a minute or two. What
# only says that the shipped weights are good is no part of `make test`.
models-check: all
	CONTINUO_HOME="$(CURDIR)" CONTINUO_BIN="$(CURDIR)/$(B)/continuo" sh tests/app/lab/models_check.sh

# A million holes filled at random, with plans and without, a few minutes; `make test`
# fills ten thousand of each.
HOLES ?= 1000000
holes: $(call tests_named,test_grammar_fill test_grammar_plan)
	for test in $^; do CONTINUO_HOLES=$(HOLES) $$test || exit 1; done

# The same for the shipped models, about half an hour on one core; `make test` makes hundreds of
# requests. FIRST=N starts at request N.
FIRST ?= 0
model-holes: $(call tests_named,test_model_holes)
	CONTINUO_HOME="$(CURDIR)" CONTINUO_HOLES=$(HOLES) CONTINUO_FIRST=$(FIRST) $<

# A hundred thousand random keys, with ASan; `make test` presses fewer. For other keys use
# `make soak KEYS=1000000 SEED=7`.
KEYS ?= 100000
SEED ?= 6
soak: deps
	@$(BUILD) FLAVOUR=asan build/asan/tests/app/editor/shell/test_soak build/asan/soundfonts/continuo.sf2
	CONTINUO_KEYS=$(KEYS) CONTINUO_SEED=$(SEED) CONTINUO_HOME="$(CURDIR)" build/asan/tests/app/editor/shell/test_soak

# Kills the program a thousand times while it is editing, about five minutes; `make test` kills it
# twenty times. KILL_SEED gives another sequence.
KILLS ?= 1000
KILL_SEED ?= 1
kill-soak: $(B)/continuo
	CONTINUO_BIN="$$PWD/$<" CONTINUO_HOME="$$PWD" CONTINUO_KILLS=$(KILLS) \
	  CONTINUO_KILL_SEED=$(KILL_SEED) sh tests/app/document/test_kill.sh

# Lets each system call fail in turn, in whole sessions, and cuts power after each write, some
# minutes; `make test` tries a few of the first.
fault-soak: $(FAULTY) $(SOUNDFONT)
	@for test in $(FAULTY); do CONTINUO_FAULTS=all CONTINUO_HOME="$$PWD" \
	  CONTINUO_TEST_SOUNDFONT="$$PWD/$(SOUNDFONT)" $$test || exit 1; done

# About forty minutes; `make test` does a little of each. A keyboard plays from scripts, with
# floods of events, and is unplugged often. Two hundred of its keys are timed to their sound. An
# instrument gets the piece and clocks, and clocks are followed. Three hundred turns are answered.
# Ten minutes are played and checked for drift. A sound server is killed twenty times.
PLAYS ?= 20
SOAKED := $(call tests_named,test_keyboard test_instrument test_answered test_playing test_device_lost)
play-soak: $(B)/continuo $(SOUNDFONT) $(STANDIN) $(SOAKED)
	@export CONTINUO_BIN="$$PWD/$<" CONTINUO_HOME="$$PWD" CONTINUO_STANDIN="$$PWD/$(B)/standin" \
	  CONTINUO_TEST_SOUNDFONT="$$PWD/$(SOUNDFONT)" CONTINUO_PLAYS=$(PLAYS) CONTINUO_KEYS_HEARD=200 \
	  CONTINUO_TURNS=300 CONTINUO_ANSWER_MS=150 CONTINUO_DEVICE_ROUNDS=20; \
	export CONTINUO_PLAY_SECONDS=600; for test in $(SOAKED); do echo "$$test"; $$test || exit 1; done

# Everything at once, for an hour: see test_stress.c; `make test` does it for some
# seconds. FLAVOUR=tsan checks for races instead of times and memory.
MINUTES ?= 60
stress: $(call tests_named,test_stress) $(SOUNDFONT)
	CONTINUO_HOME="$$PWD" CONTINUO_TEST_SOUNDFONT="$$PWD/$(SOUNDFONT)" OMP_NUM_THREADS=1 \
	  TSAN_OPTIONS="suppressions=$$PWD/tests/tsan.supp:halt_on_error=1" \
	  CONTINUO_STRESS_SECONDS=$$((60 * $(MINUTES))) $<

# Memcheck on the tests that read files and keys, save edits, generate, inspect, render, play,
# answer and send. Its processor has no AVX-512, and OpenBLAS must know that.
CHECKED := $(call tests_named,test_smf test_edit test_fill test_render test_safetensors \
  test_decoder test_sampler test_session test_generator test_takes_ui test_inspector test_kept_file test_store \
  test_kept_always test_registers test_config test_answer_music test_tokens test_ports test_output test_playing \
  test_monitor test_keys)
valgrind: $(CHECKED) $(SOUNDFONT)
	@sh tests/deps.sh $(DEBS) $(TEST_DEBS) valgrind
	@export CONTINUO_KERNELS=avx2 OPENBLAS_CORETYPE=Haswell OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
	  CONTINUO_HOME="$$PWD" CONTINUO_BIN="$$PWD/$(B)/continuo" CONTINUO_TEST_SOUNDFONT="$$PWD/$(SOUNDFONT)"; \
	for test in $(CHECKED); do echo "$$test"; valgrind -q --error-exitcode=9 --leak-check=full \
	  --show-leak-kinds=definite --errors-for-leak-kinds=definite --num-callers=30 \
	  --suppressions=tests/valgrind.supp $$test >$(B)/valgrind.log 2>&1 || { cat $(B)/valgrind.log; exit 1; }; done

# The critic anew: what TO says of models/choice.py, with its own arguments in ARGS, as
# `make choice TO=draw ARGS=my-set`. Its first lines have all steps.
TO ?= --help
choice: $(B)/continuo
	CONTINUO_HOME=. python3 models/choice.py $(TO) $(if $(filter draw fit,$(TO)),$<) $(ARGS)

# Our decoder and llama.cpp's, in turns: LLAMA is the folder of its shared libraries.
beside-llama: $(B)/continuo
	python3 models/beside_llama.py $< "$(LLAMA)" $(SHAPES)

# Our prefill and training and PyTorch's, in turns.
beside-torch: $(B)/continuo
	CONTINUO_HOME=. python3 models/beside_torch.py $< $(SHAPES)

# Takes of the requests in SET (requests.tsv: id, kind, piece, arguments, what a musician expects)
# as text for a reader, in OUT, and the figures of missing parts.
SET ?= ../shared/exam/A
OUT ?= build/exam
exam: all
	CONTINUO_HOME=. python3 models/exam.py $(B)/continuo "$(SET)" "$(OUT)" --seed $(SEED)
	CONTINUO_HOME=. python3 models/parts.py $(B)/continuo "$(SET)" | tee "$(OUT)/parts.tsv"
	[ ! -f "$(SET)/changes.tsv" ] || CONTINUO_HOME=. python3 models/forms.py $(B)/continuo "$(SET)"

DATA := $(DESTDIR)$(PREFIX)/share/continuo
BASH_COMPLETION := $(DESTDIR)$(PREFIX)/share/bash-completion/completions/continuo
ZSH_COMPLETION  := $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_continuo
FISH_COMPLETION := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/continuo.fish
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DATA)/models/chorales $(DATA)/soundfonts $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(B)/continuo $(DESTDIR)$(PREFIX)/bin/continuo
	install -m 644 $(wildcard models/*.safetensors models/*.mid models/*.md models/*.json models/*.excerpts) $(DATA)/models
	install -m 644 $(wildcard models/chorales/*.safetensors) $(DATA)/models/chorales
	install -m 644 $(SOUNDFONT) $(DATA)/soundfonts
	$(B)/continuo --man >$(B)/continuo.1
	install -m 644 $(B)/continuo.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -d $(dir $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION))
	for shell in bash zsh fish; do $(B)/continuo completions $$shell >$(B)/completions.$$shell || exit 1; done
	install -m 644 $(B)/completions.bash $(BASH_COMPLETION)
	install -m 644 $(B)/completions.zsh $(ZSH_COMPLETION)
	install -m 644 $(B)/completions.fish $(FISH_COMPLETION)

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/continuo $(DESTDIR)$(PREFIX)/share/man/man1/continuo.1
	rm -f $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)
	rm -rf $(DATA)

# build/continuo_VERSION_ARCHITECTURE.deb, for `apt install ./FILE`. Built anew, since the program
# knows its prefix.
package: build-deps
	@sh tests/deps.sh dpkg-dev
	rm -rf build/package/root
	@$(BUILD) FLAVOUR=package PREFIX=/usr DESTDIR=build/package/root install
	sh app/cli/package.sh build/package/root build

clean:
	rm -rf build demo

-include $(shell find $(B) -name '*.d' 2>/dev/null)
