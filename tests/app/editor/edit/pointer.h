/* The mouse, as reports of a terminal, at musical places or cells. In scripts: "‹press 4s 60›"
 * at a tick and a pitch, likewise ‹drag›, ‹release› and ‹click›; "‹swipe 4s 60 9s 62›" from
 * one place to another. "‹down 3 5›", "‹move 4 5›" and "‹up 4 5›" are at a column and a row,
 * from the roll's corner. "‹item 2›" is on the third row of the list of the mode, "‹beside›"
 * below it. A number that is joined to them is of the buttons: 1 the middle one,
 * 2 the right one, 4 with Shift, 16 with Ctrl, 64 the wheel. Include it after tests/check.h. */
#ifndef TESTS_APP_POINTER_H
#define TESTS_APP_POINTER_H

#include "tests/app/script.h"
#include "tui/panels/panels.h"

/* With room for the mouse. */
static inline int tall_session(void **state)
{
    if (empty_session(state))
        return -1;
    session_resize(*state, 80, 40);
    return 0;
}

enum { WITH_SHIFT = 4, WITH_CTRL = 16, RIGHT = 2, MOTION = 32 };

/* One SGR report; buttons as in it. */
static inline void report(struct session *s, int buttons, int column, int row, char end)
{
    static struct key_reader reader;
    struct key key;
    reader.n = (size_t)snprintf((char *)reader.bytes, sizeof reader.bytes,
                                "\033[<%d;%d;%d%c", buttons, column + 1, row + 1, end);
    while (key_reader_next(&reader, true, &key))
        press_key(s, key);
}

static inline int column_of(const struct session *s, int64_t tick)
{
    return (int)layout_column(&s->layout, &s->view.port, tick);
}

static inline int row_of(const struct session *s, int pitch)
{
    return layout_row(&s->layout, &s->view.port, pitch);
}

static inline void press(struct session *s, int buttons, int64_t tick, int pitch)
{
    report(s, buttons, column_of(s, tick), row_of(s, pitch), 'M');
}

static inline void drag(struct session *s, int buttons, int64_t tick, int pitch)
{
    report(s, buttons | MOTION, column_of(s, tick), row_of(s, pitch), 'M');
}

static inline void release(struct session *s, int buttons, int64_t tick, int pitch)
{
    report(s, buttons, column_of(s, tick), row_of(s, pitch), 'm');
}

/* Pressed at one place, dragged to another, let go there. */
static inline void swipe_cells(struct session *s, int buttons, int column, int row,
                               int to_column, int to_row)
{
    report(s, buttons, column, row, 'M');
    report(s, buttons | MOTION, to_column, to_row, 'M');
    report(s, buttons, to_column, to_row, 'm');
}

static inline void swipe(struct session *s, int buttons, int64_t from, int pitch_from,
                         int64_t to, int pitch_to)
{
    swipe_cells(s, buttons, column_of(s, from), row_of(s, pitch_from), column_of(s, to),
                row_of(s, pitch_to));
}

static inline void report_cell(struct session *s, int buttons, const char *cell,
                               char end)
{
    const struct region *roll = &s->layout.roll;
    int column = (int)read_ticks(&cell), row = (int)read_ticks(&cell);
    report(s, buttons, roll->column + column, roll->row + row, end);
}

DOES(down, report_cell(s, on < 0 ? 0 : on, arguments, 'M'))

DOES(move, report_cell(s, (on < 0 ? 0 : on) | MOTION, arguments, 'M'))

DOES(up, report_cell(s, on < 0 ? 0 : on, arguments, 'm'))

/* A tick and a pitch. */
static inline int64_t read_place(const char **at, int *pitch)
{
    int64_t tick = read_ticks(at);
    *pitch = (int)read_ticks(at);
    return tick;
}

WORD(press)
{
    int pitch;
    int64_t tick = read_place(&arguments, &pitch);
    press(s, on < 0 ? 0 : on, tick, pitch);
}

WORD(drag)
{
    int pitch;
    int64_t tick = read_place(&arguments, &pitch);
    drag(s, on < 0 ? 0 : on, tick, pitch);
}

WORD(release)
{
    int pitch;
    int64_t tick = read_place(&arguments, &pitch);
    release(s, on < 0 ? 0 : on, tick, pitch);
}

WORD(click)
{
    word_press(s, on, arguments);
    word_release(s, on, arguments);
}

WORD(swipe)
{
    int from_pitch, to_pitch;
    int64_t from = read_place(&arguments, &from_pitch),
            to = read_place(&arguments, &to_pitch);
    swipe(s, on < 0 ? 0 : on, from, from_pitch, to, to_pitch);
}

static inline struct list_box open_list(struct session *s)
{
    return box_of(s, s->view.mode == MODE_MAP       ? LIST_MAP
                     : s->view.mode == MODE_HISTORY ? LIST_HISTORY
                     : s->view.mode == MODE_PALETTE ? LIST_PALETTE
                                                    : LIST_TAKES);
}

WORD(item)
{
    const struct region r = open_list(s).items;
    point(s, K_PRESS, r.column + 3, r.row + atoi(arguments));
}

WORD(beside)
{
    const struct region r = open_list(s).frame;
    point(s, K_PRESS, r.column, r.row + r.rows);
}

#endif
