# continuo. `make run` opens the workstation, `make test` runs every test;
# both install what is missing first. README.md has the map.

FLAVOUR ?= release
PREFIX  ?= /usr/local
B       := build/$(FLAVOUR)
CC      ?= cc

PKGS := ncursesw fluidsynth openblas libcjson libpng
DEBS := gcc make pkg-config libncurses-dev libportmidi-dev libfluidsynth-dev \
        libopenblas-pthread-dev libcjson-dev libpng-dev libcmocka-dev \
        timgm6mb-soundfont tmux git
LINT_DEBS := clang clang-format clang-tidy cppcheck libclang-rt-14-dev

# _GNU_SOURCE only widens what libc declares; the language stays C11.
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
BASE := -std=c11 -D_GNU_SOURCE -I. $(WARN) -MMD -MP -pthread
OPT_release := -O2 -g
OPT_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
OPT_tsan    := -O1 -g -fsanitize=thread
OPT  := $(or $(OPT_$(FLAVOUR)),$(OPT_release))

# Asked only when something is compiled, so `make deps` works on a bare machine.
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS))
PKG_LIBS   = $(shell pkg-config --libs $(PKGS)) -lportmidi -lm -ldl

ROOMS := midi model tui app
obj    = $(patsubst %.c,$(B)/%.o,$(wildcard $(1)/*.c))
LIBS_midi  := $(B)/midi.a
LIBS_model := $(B)/model.a
LIBS_tui   := $(B)/tui.a $(B)/midi.a
LIBS_app   := $(B)/app.a $(B)/tui.a $(B)/midi.a $(B)/model.a

TESTS := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/*/test_*.c))
FUZZ  := $(patsubst tests/%.c,%,$(wildcard tests/*/fuzz_*.c))

SOUNDFONT := $(B)/soundfonts/continuo.sf2

.PHONY: all run demo test check deps lint-deps asan tsan lint format fuzz install uninstall clean
.SECONDARY:

all: $(B)/continuo $(SOUNDFONT)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(BASE) $(OPT) $(ROOM_CFLAGS) $(PKG_CFLAGS) $(CFLAGS) -c $< -o $@

# The kernels alone may reassociate: their sums are written in a fixed order by
# hand, and without this the compiler may not vectorise them.
$(B)/model/kernels.o: ROOM_CFLAGS := -O3 -fno-math-errno -fno-trapping-math

define room_archive
$(B)/$(1).a: $(filter-out $(B)/app/main.o,$(call obj,$(1)))
	@rm -f $$@
	$$(AR) rcs $$@ $$^
endef
$(foreach r,$(ROOMS),$(eval $(call room_archive,$(r))))

$(B)/continuo: $(B)/app/main.o $(LIBS_app)
	$(CC) $(OPT) $(LDFLAGS) $^ $(PKG_LIBS) -pthread -o $@

$(B)/soundfonts/make_soundfont: $(B)/soundfonts/make_soundfont.o
	$(CC) $(OPT) $(LDFLAGS) $^ -lm -o $@
$(SOUNDFONT): $(B)/soundfonts/make_soundfont
	$< $@

# tests/ROOM/test_x.c is a program of its own, so that a crash is a result.
define room_tests
$(B)/tests/$(1)/%: $(B)/tests/$(1)/%.o $(LIBS_$(1))
	$$(CC) $$(OPT) $$(LDFLAGS) $$^ -lcmocka $$(PKG_LIBS) -pthread -o $$@
endef
$(foreach r,$(ROOMS),$(eval $(call room_tests,$(r))))

-include $(shell find build/$(FLAVOUR) -name '*.d' 2>/dev/null)
