/* The tables of the editor: its parts, and the functions of commands, typed lines and prompts
 * (tui/keys/commands.h, lines.h). Parts run in this order; Escape asks them from the last to the
 * first. The order of the parts before GRID matters, and those that hold the mouse are the last.
 * A new part is added after GRID. */
#include "app/editor/shell/shell.h"
#include "tui/panels/panels.h"

#define EACH_PART_BY(X)                                                                \
    X(CHORDS), X(FOLD), X(SELECT), X(TAKE_VIEW), X(RECORDER), X(ANSWER), X(MACHINE),   \
        X(RENDER), X(PLAY), X(DEVICES), X(TUTOR), X(HEARING), X(NAVIGATION),           \
        X(FRAMING), X(AUTOSAVE), X(CLIPBOARD), X(KEPT), X(PUT_CHORD), X(HELP),         \
        X(FIND), X(INSPECT), X(GRID), X(LOOP), X(SCALE), X(INSTRUMENT),                \
        X(TIMELINE_LIST), X(TIMING), X(TRACKS), X(HISTORY_LIST), X(MOTIF),             \
        X(STEERING_PANEL), X(MODEL), X(LEARN), X(PIANO), X(INPUT), X(PALETTE),         \
        X(LANE), X(MOUSE)

#define DECLARED(part) part##_PART
#define LISTED(part)   &part##_PART
extern const struct editor_part EACH_PART_BY(DECLARED);
const struct editor_part *const EDITOR_PARTS[] = {EACH_PART_BY(LISTED), NULL};

/* NOLINTBEGIN(bugprone-macro-parentheses) */
/* clang-format off */
#define RUN(f)           .run = f
#define DO(f)            .plain = f
#define RUN_IF(needed, f) .needs = needed, .run = f
#define DO_IF(needed, f)  .needs = needed, .plain = f
#define TYPED(f)         .run = f
#define VALUED(f)        .run_with = f
#define SAME_AS(id)      .command = id
#define LABELLED(f)      .make_label = f,
#define FILLED(f)        .begin = f,
#define NOTHING

const struct act_row ACT_ROWS[CMD_COUNT] = {
#define COMMAND(id, name, does, argument, ...) [id] = {.by = argument, does},
#include "tui/keys/commands.h"
};

const struct act_line_row ACT_LINES[] = {
#define WORD(typed, does, argument, kinds, others) \
    {.word = typed, .by = argument, .flags = kinds, .words = others, does},
#include "tui/keys/lines.h"
    {.word = NULL},
};

const struct prompt_row PROMPTS[] = {
#define PROMPT_LINE(kind, named, texts, f) [kind] = {texts .label = named, .run = f},
#include "tui/keys/lines.h"
};
/* NOLINTEND(bugprone-macro-parentheses) */
