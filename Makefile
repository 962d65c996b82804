# continuo. `make run` opens the workstation, `make test` runs every test;
# both install what is missing first. README.md has the map.

comma   := ,
FLAVOUR ?= release
PREFIX  ?= /usr/local
B       := build/$(FLAVOUR)
CC      ?= cc

PKGS := ncursesw fluidsynth openblas libcjson libpng inih zlib sndfile sqlite3
DEBS := gcc make pkg-config libncurses-dev libportmidi-dev libfluidsynth-dev \
        libopenblas-pthread-dev libcjson-dev libpng-dev libinih-dev zlib1g-dev \
        libcmocka-dev libsndfile1-dev libsqlite3-dev \
        timgm6mb-soundfont tmux git
LINT_DEBS := clang clang-format clang-tidy cppcheck libclang-rt-14-dev

# _GNU_SOURCE only widens what libc declares; the language stays C11.
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
BASE := -std=c11 -D_GNU_SOURCE -I. $(WARN) -MMD -MP -pthread
OPT_release  = -O2 -g $(HARD)
OPT_fuzz    := -O2 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined \
  -fno-sanitize-coverage=trace-cmp
OPT_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
OPT_tsan    := -O1 -g -fsanitize=thread
OPT   = $(or $(OPT_$(FLAVOUR)),$(OPT_release))

# What a mistake in our own memory should not become: each flag that this compiler has. The
# sanitizers' flavours, which look closer, do without. FORTIFY 3 where libc knows it, else 2.
has   = $(shell $(CC) -O2 -Werror $(1) -include stdio.h -x c -c /dev/null -o /dev/null 2>/dev/null && echo "$(1)")
FORT  = $(or $(call has,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
HARD  = $(eval HARD := $(FORT) $(foreach f,-fstack-protector-strong -fstack-clash-protection \
          -fcf-protection -fPIE,$(call has,$(f))))$(HARD)
HARD_LINK := -pie -Wl,-z,relro,-z,now,-z,noexecstack
LINK  = $(OPT) $(if $(filter asan tsan fuzz,$(FLAVOUR)),,$(HARD_LINK))

# Asked only when something is compiled, so `make deps` works on a bare machine.
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS))
PKG_LIBS   = $(shell pkg-config --libs $(PKGS)) -lportmidi -lm -ldl

# What the commands build, they build on all processors.
BUILD = $(MAKE) --no-print-directory -j$(shell nproc)

ROOMS := midi model tui app
obj    = $(patsubst %.c,$(B)/%.o,$(wildcard $(1)/*.c))
LIBS_midi  := $(B)/midi.a
LIBS_model := $(B)/model.a
LIBS_tui   := $(B)/tui.a $(B)/midi.a
LIBS_app   := $(B)/app.a $(B)/tui.a $(B)/midi.a $(B)/model.a

TESTS := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/*/test_*.c))
FUZZ  := $(patsubst tests/%.c,%,$(wildcard tests/*/fuzz_*.c))

SOUNDFONT := $(B)/soundfonts/continuo.sf2

.PHONY: all run demo test check deps lint-deps asan tsan lint analyze format fuzz holes model-holes soak kill-soak fault-soak play-soak stress valgrind beside-llama beside-torch install uninstall clean FORCE
.SECONDARY:
.DEFAULT_GOAL := all

all: $(B)/continuo $(SOUNDFONT)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(BASE) $(OPT) $(ROOM_CFLAGS) $(PKG_CFLAGS) $(CFLAGS) -c $< -o $@

# The kernels write their sums in a fixed order by hand; these two let gcc
# vectorise what is left without changing any result we read.
$(B)/model/kernels_%.o $(B)/model/train_kernels_%.o: ROOM_CFLAGS := -O3 -fno-math-errno -fno-trapping-math
# What is fuzzed is what reads; sums are `make asan`'s, and clang takes many minutes to watch them.
build/fuzz/model/kernels_%.o build/fuzz/model/train_kernels_%.o build/fuzz/model/packed_avx%.o: ROOM_CFLAGS += -fno-sanitize=all
$(B)/app/metadata.o $(B)/app/bench_about.o: ROOM_CFLAGS = -DCONTINUO_COMMIT='"$(COMMIT)"'
$(B)/app/metadata.o $(B)/app/bench_about.o: $(B)/commit
# Written when it is another one, so that what names it is made again.
COMMIT = $(shell git rev-parse --short HEAD 2>/dev/null)
$(B)/commit: FORCE
	@mkdir -p $(@D)
	@echo "$(COMMIT)" | cmp -s - $@ || echo "$(COMMIT)" >$@
FORCE:
$(B)/app/paths.o: ROOM_CFLAGS := -DCONTINUO_PREFIX='"$(PREFIX)"'

# The tables of what is kept, as a string of C.
$(B)/app/store_sql.c: app/store.sql
	@mkdir -p $(@D)
	{ echo 'extern const char STORE_SQL[]; const char STORE_SQL[] ='; \
	  sed 's/["\\]/\\&/g; s/.*/  "&\\n"/' $<; echo ';'; } >$@
$(B)/app/store_sql.o: $(B)/app/store_sql.c
	$(CC) $(BASE) $(OPT) $(CFLAGS) -c $< -o $@
$(B)/app.a: $(B)/app/store_sql.o

define room_archive
$(B)/$(1).a: $(filter-out $(B)/app/main.o,$(call obj,$(1)))
	@rm -f $$@
	$$(AR) rcs $$@ $$^
endef
$(foreach r,$(ROOMS),$(eval $(call room_archive,$(r))))

$(B)/continuo: $(B)/app/main.o $(LIBS_app)
	$(CC) $(LINK) $(LDFLAGS) $^ $(PKG_LIBS) -pthread -o $@

$(B)/soundfonts/make_soundfont: $(B)/soundfonts/make_soundfont.o
	$(CC) $(LINK) $(LDFLAGS) $^ -lm -o $@
$(SOUNDFONT): $(B)/soundfonts/make_soundfont
	$< $@

# A keyboard that plays from a script, in PortMidi's place.
STANDIN := $(B)/standin/libportmidi.so.0
$(STANDIN): tests/midi/stand_in_portmidi.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(WARN) -O2 -g -shared -fPIC -Wl,-soname,$(@F) $< -lm -o $@

# tests/ROOM/fuzz_x.c is a libFuzzer target, and with FUZZ_REPLAY a test that
# replays tests/ROOM/corpus/x.
REPLAYS := $(patsubst tests/%.c,$(B)/replay/%,$(wildcard tests/*/fuzz_*.c))
$(B)/replay/%.o: tests/%.c
	@mkdir -p $(@D)
	$(CC) $(BASE) $(OPT) -DFUZZ_REPLAY $(PKG_CFLAGS) $(CFLAGS) -c $< -o $@

# tests/ROOM/test_x.c is a program of its own, so that a crash is a result.
define room_tests
$(B)/tests/$(1)/%: $(B)/tests/$(1)/%.o $(LIBS_$(1))
	$$(CC) $$(LINK) $$(LDFLAGS) $$^ -lcmocka $$(PKG_LIBS) -pthread -o $$@
$(B)/replay/$(1)/%: $(B)/replay/$(1)/%.o $(LIBS_$(1))
	@mkdir -p $$(@D)
	$$(CC) $$(LINK) $$(LDFLAGS) $$^ $$(PKG_LIBS) -pthread -o $$@
build/fuzz/$(1)/fuzz_%: build/fuzz/tests/$(1)/fuzz_%.o $(LIBS_$(1))
	@mkdir -p $$(@D)
	clang -fsanitize=fuzzer,address,undefined $$^ $$(PKG_LIBS) -pthread -o $$@
endef
$(foreach r,$(ROOMS),$(eval $(call room_tests,$(r))))

# These call a system that fails when told to, in the place of the system's own.
FAULTY := $(addprefix $(B)/tests/app/,test_fault_session test_power_cut test_kept_always)
FAULTS := write pwrite fsync fdatasync rename unlink open fopen mmap ftruncate close \
  malloc calloc realloc reallocarray aligned_alloc strdup strndup asprintf __asprintf_chk
$(FAULTY): $(B)/tests/app/fault_shim.o
$(FAULTY): override LDFLAGS += $(addprefix -Wl$(comma)--wrap=,$(FAULTS))

run: deps
	@$(BUILD) all
	@CONTINUO_HOME=. $(B)/continuo --example

demo: deps
	@$(BUILD) all
	CONTINUO_HOME=. $(B)/continuo demo -o demo

test: deps
	@$(BUILD) check

# The same without looking for packages: what asan and tsan repeat.
check: $(B)/continuo $(SOUNDFONT) $(STANDIN) $(TESTS) $(REPLAYS)
	@FLAVOUR=$(FLAVOUR) sh tests/run.sh $(TESTS) $(REPLAYS)

asan tsan: deps
	@$(BUILD) FLAVOUR=$@ check

# Installs only what is missing, and says so; silent and offline when nothing is.
deps:
	@sh tests/deps.sh $(DEBS)
lint-deps:
	@sh tests/deps.sh $(DEBS) $(LINT_DEBS)

SOURCES := $(wildcard $(addsuffix /*.[ch],$(ROOMS) soundfonts tests tests/*))
C_FILES := $(filter %.c,$(SOURCES))
format:
	clang-format-14 -i $(SOURCES)

lint: lint-deps
	@sh tests/arrows.sh
	@echo clang-format; clang-format-14 --dry-run --Werror $(SOURCES)
	@echo cppcheck; cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability \
	  --inline-suppr --suppress=missingIncludeSystem --std=c11 -j2 -I. $(ROOMS) soundfonts
	@echo clang-tidy; printf '%s\n' $(filter-out tests/%,$(C_FILES)) | xargs -P2 -n1 sh -c \
	  'clang-tidy-14 --quiet "$$@" -- $(BASE) $(PKG_CFLAGS) 2>/dev/null' tidy
	@$(BUILD) FLAVOUR=gcc CC=gcc CFLAGS=-Werror build/gcc/continuo
	@$(BUILD) FLAVOUR=clang CC=clang CFLAGS=-Werror build/clang/continuo

# gcc's analyzer, some minutes; what it says wrongly is in tests/analyze.known, with why.
analyze: deps
	@CC=gcc ANALYZE='$(filter-out -MMD -MP,$(BASE)) -O2 $(PKG_CFLAGS) -DCONTINUO_COMMIT="" -DCONTINUO_PREFIX=""' \
	  sh tests/analyze.sh $(wildcard $(addsuffix /*.c,$(ROOMS)))

# `make fuzz SECONDS_EACH=600` grows the corpora under build/; what is worth
# keeping is copied to tests/*/corpus by hand and replayed by `make test`. At night it is
# `make fuzz RUNS=10000000 SECONDS_EACH=7200`: so many executions, or so long (0: however long).
# Comparisons are not traced, since those of the sanitizers' own checks would be, too, and
# take four fifths of the time; strings are seen through ASan's functions. Nor are rare
# features counted (-entropic), which took most of the session's.
SECONDS_EACH ?= 60
RUNS ?= -1
fuzz: lint-deps
	@$(BUILD) FLAVOUR=fuzz CC=clang $(addprefix build/fuzz/,$(FUZZ))
	@mkdir -p build/fuzz/found; found=; for f in $(FUZZ); do \
	  corpus=$$(echo $$f | sed 's|fuzz_|corpus/|'); mkdir -p build/fuzz/$$corpus; echo "$$f"; \
	  build/fuzz/$$f -runs=$(RUNS) -max_total_time=$(SECONDS_EACH) -entropic=0 -rss_limit_mb=2048 \
	    -print_final_stats=1 -artifact_prefix=build/fuzz/found/$${f#*/}. \
	    build/fuzz/$$corpus tests/$$corpus || found="$$found $$f"; done; \
	if [ -n "$$found" ]; then echo "fuzz: found something:$$found (build/fuzz/found)"; exit 1; fi

# A million holes filled at random, with plans and without, a few minutes; `make test`
# fills ten thousand of each.
HOLES ?= 1000000
holes: $(B)/tests/midi/test_grammar_fill $(B)/tests/midi/test_grammar_plan
	CONTINUO_HOLES=$(HOLES) $(B)/tests/midi/test_grammar_fill
	CONTINUO_HOLES=$(HOLES) $(B)/tests/midi/test_grammar_plan

# The same promise kept by the models that come with it, some half an hour of one core;
# `make test` asks for hundreds. FIRST=N goes on from there, or has a request again.
FIRST ?= 0
model-holes: $(B)/tests/app/test_model_holes
	CONTINUO_HOME="$(CURDIR)" CONTINUO_HOLES=$(HOLES) CONTINUO_FIRST=$(FIRST) $(B)/tests/app/test_model_holes

# A hundred thousand random keys, with ASan; `make test` presses fewer. Others are
# given as in `make soak KEYS=1000000 SEED=7`.
KEYS ?= 100000
SEED ?= 6
soak: deps
	@$(BUILD) FLAVOUR=asan build/asan/tests/app/test_soak build/asan/soundfonts/continuo.sf2
	CONTINUO_KEYS=$(KEYS) CONTINUO_SEED=$(SEED) CONTINUO_HOME="$(CURDIR)" build/asan/tests/app/test_soak

# The program is killed a thousand times in the middle of editing, some five minutes;
# `make test` kills it twenty times. KILL_SEED: another sequence.
KILLS ?= 1000
KILL_SEED ?= 1
kill-soak: $(B)/continuo
	CONTINUO_BIN="$$PWD/$<" CONTINUO_HOME="$$PWD" CONTINUO_KILLS=$(KILLS) \
	  CONTINUO_KILL_SEED=$(KILL_SEED) sh tests/app/test_kill.sh

# Each call of the system's fails in turn, through whole sessions, and power is cut after
# each thing that was written, some minutes; `make test` tries a few of the first.
fault-soak: $(FAULTY) $(SOUNDFONT)
	@for test in $(FAULTY); do CONTINUO_FAULTS=all CONTINUO_HOME="$$PWD" \
	  CONTINUO_TEST_SOUNDFONT="$$PWD/$(SOUNDFONT)" $$test || exit 1; done

# A keyboard plays from scripts, with floods of events, and is pulled out again and again, and
# two hundred of its keys are timed to their sound; an instrument is sent the piece and
# clocks, and clocks are followed; three hundred turns are answered; ten minutes are played
# and checked for drift, and a sound server is killed twenty times: some forty minutes in
# all; `make test` does a little of each.
PLAYS ?= 20
SOAKED := $(addprefix $(B)/tests/,app/test_keyboard app/test_monitoring app/test_instrument \
  app/test_answered midi/test_output midi/test_clocks midi/test_follow midi/test_playing midi/test_device_lost)
play-soak: $(B)/continuo $(SOUNDFONT) $(STANDIN) $(SOAKED)
	@export CONTINUO_BIN="$$PWD/$<" CONTINUO_HOME="$$PWD" CONTINUO_STANDIN="$$PWD/$(B)/standin" \
	  CONTINUO_TEST_SOUNDFONT="$$PWD/$(SOUNDFONT)" CONTINUO_PLAYS=$(PLAYS) CONTINUO_KEYS_HEARD=200 \
	  CONTINUO_TURNS=300 CONTINUO_DEVICE_ROUNDS=20; \
	for test in $(SOAKED); do case $$test in */test_playing) export CONTINUO_PLAY_SECONDS=600 ;; \
	  *) export CONTINUO_PLAY_SECONDS=60 ;; esac; echo "$$test"; $$test || exit 1; done

# Everything at once, for an hour: see tests/app/test_stress.c; `make test` does it for some
# seconds. FLAVOUR=tsan asks about races instead of times and memory.
MINUTES ?= 60
stress: $(B)/tests/app/test_stress $(SOUNDFONT)
	CONTINUO_HOME="$$PWD" CONTINUO_TEST_SOUNDFONT="$$PWD/$(SOUNDFONT)" OMP_NUM_THREADS=1 \
	  TSAN_OPTIONS="suppressions=$$PWD/tests/tsan.supp:halt_on_error=1" \
	  CONTINUO_STRESS_SECONDS=$$((60 * $(MINUTES))) $<

# Memcheck over what reads files and keys, keeps what is done, generates, inspects, renders,
# plays, answers and sends. Its processor has no AVX-512, and OpenBLAS is not to think so.
CHECKED := $(addprefix $(B)/tests/,midi/test_smf midi/test_smf_file midi/test_edit midi/test_fill \
  midi/test_render model/test_safetensors model/test_decoder model/test_sampler app/test_session \
  app/test_generator app/test_take app/test_inspector app/test_kept_file app/test_store \
  app/test_kept_always app/test_registers app/test_config app/test_answer_music \
  midi/test_tokens midi/test_ports midi/test_output midi/test_player midi/test_monitor tui/test_keys)
valgrind: $(CHECKED) $(SOUNDFONT)
	@sh tests/deps.sh $(DEBS) valgrind
	@export CONTINUO_KERNELS=avx2 OPENBLAS_CORETYPE=Haswell OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
	  CONTINUO_HOME="$$PWD" CONTINUO_BIN="$$PWD/$(B)/continuo" CONTINUO_TEST_SOUNDFONT="$$PWD/$(SOUNDFONT)"; \
	for test in $(CHECKED); do echo "$$test"; valgrind -q --error-exitcode=9 --leak-check=full \
	  --show-leak-kinds=definite --errors-for-leak-kinds=definite --num-callers=30 \
	  --suppressions=tests/valgrind.supp $$test >$(B)/valgrind.log 2>&1 || { cat $(B)/valgrind.log; exit 1; }; done

# Our decoder beside llama.cpp's, in turns: LLAMA is the folder of its shared libraries.
BESIDE := $(B)/tests/app/beside_llama
$(BESIDE): $(B)/tests/app/random_gguf.o
beside-llama: $(BESIDE)
	$< "$(LLAMA)" $(SHAPES)

# Our prefill and training beside PyTorch's, in turns: python3 with torch.
beside-torch: $(B)/continuo
	CONTINUO_HOME=. python3 tests/model/beside_torch.py $< $(SHAPES)

DATA := $(DESTDIR)$(PREFIX)/share/continuo
BASH_COMPLETION := $(DESTDIR)$(PREFIX)/share/bash-completion/completions/continuo
ZSH_COMPLETION  := $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_continuo
FISH_COMPLETION := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/continuo.fish
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DATA)/models/chorales $(DATA)/soundfonts $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(B)/continuo $(DESTDIR)$(PREFIX)/bin/continuo
	install -m 644 $(wildcard models/*.safetensors models/*.mid models/*.md models/*.json) $(DATA)/models
	install -m 644 $(wildcard models/chorales/*.safetensors) $(DATA)/models/chorales
	install -m 644 $(SOUNDFONT) $(DATA)/soundfonts
	$(B)/continuo --man >$(B)/continuo.1
	install -m 644 $(B)/continuo.1 $(DESTDIR)$(PREFIX)/share/man/man1
	for shell in bash zsh fish; do $(B)/continuo completions $$shell >$(B)/completions.$$shell || exit 1; done
	install -D -m 644 $(B)/completions.bash $(BASH_COMPLETION)
	install -D -m 644 $(B)/completions.zsh $(ZSH_COMPLETION)
	install -D -m 644 $(B)/completions.fish $(FISH_COMPLETION)

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/continuo $(DESTDIR)$(PREFIX)/share/man/man1/continuo.1
	rm -f $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)
	rm -rf $(DATA)

clean:
	rm -rf build demo

-include $(shell find $(B) -name '*.d' 2>/dev/null)
