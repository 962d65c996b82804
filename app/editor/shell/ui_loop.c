/* See ui_loop.h. The loop waits for the model, the sound or the disk only while the
 * user opens or saves a file. A frame may show what the disk does not have yet; then it
 * has a mark beside the name. The writer wakes the loop when it is done, and the next
 * frame has no mark. */
#include "app/base/values.h"
#include "app/editor/perform/answer.h"
#include "app/editor/shell/ui_loop.h"

#include "midi/base/clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    FRAME_MS = 10,   /* the least time between frames that show only news */
    STUCK_MS = 5000, /* how long writing is late before the user is told */
};

/* Other threads may report a thousand notes a second, and painting each would take time
 * from the model. So for FRAME_MS after a frame of news only keys end the wait, unless
 * playing together needs news at once. Keys, and the first frame after them, never
 * wait. */
int ui_loop_wait(struct ui_loop *d, int most_ms)
{
    const int64_t early = d->shown_ms + FRAME_MS - clock_whole_ms();
    const int patience = session_timeout_ms(&d->session);
    const int box = which_key_wait(&d->keys, clock_now_ms());
    int ms = patience < most_ms ? patience : most_ms;
    ms = box > 0 && box < ms ? box : ms;
    ms = d->is_late && !d->was_told && ms > STUCK_MS ? STUCK_MS : ms;
    if (d->is_behind && ms > early)
        ms = early > 0 ? (int)early : 0;
    if (early > 0 && !answer_is_urgent(&d->session)) {
        int keys = screen_wait(d->screen, -1, ms < early ? ms : (int)early);
        if (keys || ms <= early)
            return keys;
    }
    return screen_wait(d->screen, d->wake_fd, ms);
}

void ui_loop_execute(struct ui_loop *d, int flags)
{
    struct key key;
    struct command command;
    d->answers = false;
    char bytes[64];
    while ((flags & SCREEN_WOKEN) && read(d->wake_fd, bytes, sizeof bytes) > 0)
        continue;
    while (!d->session.quit && screen_read(d->screen, &key)) {
        d->answers = true;
        d->keys.map = d->session.preferences.keymap;
        if (!keys_feed(&d->keys, d->session.view.mode, &key, &command))
            continue;
        command.ms = key.ms;
        act_run(&d->session, &command);
    }
    /* What came was no key but the terminal's answer to a frame. */
    d->is_shown = flags == SCREEN_KEYS && !d->answers;
}

/* Tells the user once what a crash would lose if the disk does not respond for long: "3 edits,
 * takes and settings". */
static void mind_the_writer(struct ui_loop *d)
{
    const struct project *p = &d->session.project;
    char edits[40] = "", words[128] = "";
    d->is_late = !project_keeps_up(p);
    d->was_told &= d->is_late;
    if (!d->is_late || d->was_told)
        return;
    const struct writer_status late = writer_status(p->autosave.writer);
    if (late.n_late[JOB_EDIT])
        snprintf(edits, sizeof edits, "%zu edit%s", late.n_late[JOB_EDIT],
                 plural((long long)late.n_late[JOB_EDIT]));
    const char *all[] = {edits, late.n_late[JOB_SESSION] ? "takes and settings" : "",
                         late.n_late[JOB_RECORDING] ? "what is recorded" : "",
                         late.n_late[JOB_STATE] ? "registers and typed lines" : ""};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (*all[i])
            text_append(words, sizeof words, "%s%s", *words ? ", " : "", all[i]);
    d->was_told = late.late_ms >= STUCK_MS && *words;
    if (d->was_told)
        session_error(&d->session, "the disk does not respond: a crash would lose %s",
                      words);
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
    mind_the_writer(d);
    d->is_behind = !d->answers && answer_is_urgent(&d->session) &&
                   clock_whole_ms() < d->shown_ms + FRAME_MS;
    if (d->is_behind) /* news was taken at once; its frame waits */
        return;
    struct view view;
    if (strcmp(d->theme, d->session.preferences.theme) != 0) {
        snprintf(d->theme, sizeof d->theme, "%s", d->session.preferences.theme);
        screen_set_theme(d->screen, d->theme);
    }
    session_view(&d->session, &view, d->keys.count);
    view.file.is_late = d->is_late;
    view.keys.prefix = d->keys.prefix;
    view.keys.which_key = which_key_wait(&d->keys, clock_now_ms()) == 0;
    screen_draw_view(d->screen, &view);
    d->session.view.is_sent_whole = false;
    d->shown_ms = d->answers ? 0 : clock_whole_ms();
}
