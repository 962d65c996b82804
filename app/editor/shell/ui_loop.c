/* See ui_loop.h. Nothing here waits for the model, the sound or the disk, except when the
 * user opens or saves a file. */
#include "app/editor/perform/answer.h"
#include "app/editor/shell/ui_loop.h"

#include "midi/base/clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    FRAME_MS = 10,  /* between frames that show only news, at the least */
    STUCK_MS = 500, /* how long it waits for edits to be written */
};

/* Notes may come a thousand per second, and drawing each would take time from the model. So
 * news waits until the last news was drawn. Keys and the first frame they cause never wait. */
int ui_loop_wait(struct ui_loop *d, int most_ms)
{
    const int64_t early = d->shown_ms + FRAME_MS - clock_whole_ms();
    const int patience =
        d->put_off_ms ? STUCK_MS / 10 : session_timeout_ms(&d->session);
    const int box = which_key_wait(&d->which_key, &d->keys, clock_whole_ms());
    int ms = patience < most_ms ? patience : most_ms;
    ms = box > 0 && box < ms ? box : ms;
    if (d->is_behind && ms > early)
        ms = early > 0 ? (int)early : 0;
    if (early > 0 && !answer_is_urgent(&d->session)) {
        int keys = screen_wait(d->screen, -1, ms < early ? ms : (int)early);
        if (keys || ms <= early)
            return keys;
    }
    return screen_wait(d->screen, d->wake_fd, ms);
}

void ui_loop_obey(struct ui_loop *d, int flags)
{
    struct key key;
    struct command command;
    d->answers = d->put_off_ms != 0;
    char bytes[64];
    while ((flags & SCREEN_WOKEN) && read(d->wake_fd, bytes, sizeof bytes) > 0)
        continue;
    while (!d->session.quit && screen_read(d->screen, &key)) {
        d->answers = true;
        d->keys.map = d->session.preferences.keymap;
        if (!keys_feed(&d->keys, d->session.mode, &key, &command))
            continue;
        command.ms = key.ms;
        act_run(&d->session, &command);
    }
    /* What came was no key but the terminal's answer to a frame. */
    d->is_shown = flags == SCREEN_KEYS && !d->answers;
}

static void draw(struct ui_loop *d)
{
    struct view view;
    if (strcmp(d->theme, d->session.preferences.theme) != 0) {
        snprintf(d->theme, sizeof d->theme, "%s", d->session.preferences.theme);
        screen_set_theme(d->screen, d->theme);
    }
    session_view(&d->session, &view, d->keys.count);
    view.keys.prefix = d->keys.prefix;
    view.keys.which_key =
        which_key_wait(&d->which_key, &d->keys, clock_whole_ms()) == 0;
    if (d->session.redraw)
        screen_redraw(d->screen);
    d->session.redraw = false;
    screen_draw_view(d->screen, &view);
}

/* What is on the screen is safe: a frame waits until the edits are written; the writer then
 * wakes the loop. If the disk does not respond in time, the user is told. */
static bool must_put_off(struct ui_loop *d)
{
    if (project_keeps_up(&d->session.project)) {
        d->put_off_ms = 0;
        return false;
    }
    const int64_t now = clock_whole_ms();
    if (!d->put_off_ms)
        d->put_off_ms = now;
    if (now - d->put_off_ms < STUCK_MS)
        return true;
    session_error(&d->session,
                  "the disk does not respond: a crash would lose your edits");
    return false;
}

void ui_loop_show(struct ui_loop *d)
{
    int columns, rows;
    if (d->is_shown)
        return;
    screen_size(d->screen, &columns, &rows);
    if (columns != d->columns || rows != d->rows) {
        d->columns = columns;
        d->rows = rows;
        session_resize(&d->session, columns, rows);
    }
    session_tick(&d->session);
    if (must_put_off(d)) {
        d->shown_ms = 0;
        return;
    }
    d->is_behind = !d->answers && answer_is_urgent(&d->session) &&
                   clock_whole_ms() < d->shown_ms + FRAME_MS;
    if (d->is_behind) /* where news does not wait for a frame, the frame waits */
        return;
    draw(d);
    d->shown_ms = d->answers ? 0 : clock_whole_ms();
}
