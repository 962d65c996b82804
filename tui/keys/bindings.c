/* The table of bindings, from the list in tui/keys/commands.h; and the masks of modes that the
 * list uses. */
#include "tui/keys/bindings.h"

#define NORMAL       IN(MODE_NORMAL)
#define DRAW         IN(MODE_DRAW)
#define SELECT       IN(MODE_SELECT)
#define TAKES        IN(MODE_TAKES)
#define STEER        IN(MODE_STEER)
#define LANE         IN(MODE_LANE)
#define INSPECT      IN(MODE_INSPECT)
#define TRACKS       IN(MODE_TRACKS)
#define MAP          IN(MODE_MAP)
#define HISTORY      IN(MODE_HISTORY)
#define PANELS       (LISTS | INSPECT)
#define HELP         IN(MODE_HELP)
#define PROMPT       IN(MODE_PROMPT)
#define PALETTE      IN(MODE_PALETTE)
#define TYPING       (PROMPT | PALETTE)
#define KEYED        (IN(MODE_PLAY) | IN(MODE_STEP))
#define EDIT         (NORMAL | DRAW | SELECT)
#define ROLL         (EDIT | TAKES | LANE)
#define LISTS        (STEER | TRACKS | MAP | HISTORY)
#define ALL          (ROLL | HELP | TYPING) /* without the panels, which Escape closes */

#define CTRL(letter) KEY_CTRL(letter)

/* clang-format off */
/* Two keys as one number. */
#define TWO(first, second) ((first) | (uint64_t)(second) << 32)

/* A row for each key, eight at most. The first has the hint and the help; a row without help
 * is another key for the row above it. */
#define ROW(id, modes, group, hint, hint_modes, help, key) \
    {modes, {(uint32_t)(key), (uint32_t)((uint64_t)(key) >> 32)}, id, group, hint, (hint_modes) ? (hint_modes) : (modes), help},
#define ROWS1(i, m, g, h, w, t, k)      ROW(i, m, g, h, w, t, k)
#define ROWS2(i, m, g, h, w, t, k, ...) ROW(i, m, g, h, w, t, k) ROWS1(i, m, g, NULL, 0, NULL, __VA_ARGS__)
#define ROWS3(i, m, g, h, w, t, k, ...) ROW(i, m, g, h, w, t, k) ROWS2(i, m, g, NULL, 0, NULL, __VA_ARGS__)
#define ROWS4(i, m, g, h, w, t, k, ...) ROW(i, m, g, h, w, t, k) ROWS3(i, m, g, NULL, 0, NULL, __VA_ARGS__)
#define ROWS5(i, m, g, h, w, t, k, ...) ROW(i, m, g, h, w, t, k) ROWS4(i, m, g, NULL, 0, NULL, __VA_ARGS__)
#define ROWS6(i, m, g, h, w, t, k, ...) ROW(i, m, g, h, w, t, k) ROWS5(i, m, g, NULL, 0, NULL, __VA_ARGS__)
#define ROWS7(i, m, g, h, w, t, k, ...) ROW(i, m, g, h, w, t, k) ROWS6(i, m, g, NULL, 0, NULL, __VA_ARGS__)
#define ROWS8(i, m, g, h, w, t, k, ...) ROW(i, m, g, h, w, t, k) ROWS7(i, m, g, NULL, 0, NULL, __VA_ARGS__)
#define NINTH(a, b, c, d, e, f, g, h, ninth, ...) ninth
#define ROWS_FOR(...) NINTH(__VA_ARGS__, ROWS8, ROWS7, ROWS6, ROWS5, ROWS4, ROWS3, ROWS2, ROWS1, 0)
#define BINDING(id, modes, group, hint, hint_modes, help, ...) \
    ROWS_FOR(__VA_ARGS__)(id, modes, group, hint, hint_modes, help, __VA_ARGS__)

const struct binding bindings[] = {
#include "tui/keys/commands.h"
    {0}, /* the end, for code that looks one row ahead */
};
const size_t n_bindings = sizeof bindings / sizeof bindings[0] - 1;

const struct typed_line typed_lines[] = {
#define USAGE(line, help) {line, help},
#include "tui/keys/lines.h"
};
const size_t n_typed_lines = sizeof typed_lines / sizeof typed_lines[0];
