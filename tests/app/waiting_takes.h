/* A session with four bars of music and four waiting takes of two of them, and its files.
 * Include cmocka.h before it. */
#ifndef TESTS_APP_WAITING_TAKES_H
#define TESTS_APP_WAITING_TAKES_H

#include "tests/app/asked_takes.h"
#include "app/editor/shell/shell.h"

static inline void save_as(struct session *s, const char *name)
{
    assert_true(act_save_as(s, in_folder(name), true));
    assert_false(s->view.message.is_error);
}

static inline void open_again(struct session *s, const char *name)
{
    act_open_line(s, in_folder(name), true); /* without what was not saved */
    assert_int_equal(s->view.mode, MODE_NORMAL);
}

/* Waiting ghosts have ids that no note of the score has or will have. */
static inline void assert_ids(const struct session *s)
{
    for (int i = 0; i < s->takes.n; i++)
        for (size_t k = 0; k < s->takes.list[i].n_ghosts; k++) {
            const struct ghost *g = &s->takes.list[i].ghosts[k];
            const struct note *found =
                score_find_note(s->project.score, g->track, g->note.id);
            assert_true(g->note.id > 0 && g->note.id < s->project.score->next_id);
            assert_true((found != NULL) == g->stands);
        }
}

/* The screens of all takes, each beside the list, and of the original, as at "‹look›". */
enum { LOOK_COLUMNS = 132, LOOK_ROWS = 44, MOST_LOOKS = PROPOSALS_MAX + 1 };

struct looks {
    struct cell at[MOST_LOOKS][LOOK_COLUMNS * LOOK_ROWS];
    int n, shown;
    int64_t from, to, music_end;
};

static inline void look_at(struct session *s, struct looks *l)
{
    const struct theme theme = theme_by_name("auto", DEPTH_TRUE, false, false);
    const struct layout layout =
        layout_of(&(const struct view){0}, LOOK_COLUMNS, LOOK_ROWS);
    struct cells c;
    const int shown = s->takes.shown;
    assert_true(cells_init(&c, LOOK_COLUMNS, LOOK_ROWS + 2));
    *l = (struct looks){.n = s->takes.n,
                        .shown = shown,
                        .from = s->request.from,
                        .to = s->request.to,
                        .music_end = s->request.music_end};
    for (int i = 0; i <= s->takes.n; i++) {
        s->takes.shown = i - 1;
        struct view v = *view_of(s);
        v.mode = MODE_TAKES;
        v.lane.has_value = false;
        v.lists[LIST_TAKES].is_open = v.ghosts.by_probability = true;
        v.transport = (struct transport_view){0};
        v.message = (struct message_view){0};
        v.machine = (struct machine_view){0};
        v.cursor = (struct roll_point){0, 60};
        v.port = (struct viewport){0};
        viewport_fit(&v.port, &layout, s->project.score);
        frame_draw(&c, &v, &theme);
        memcpy(l->at[i], c.at + LOOK_COLUMNS, sizeof l->at[i]);
    }
    s->takes.shown = shown;
    cells_fini(&c);
}

static struct looks looked;

DOES(look, look_at(s, &looked))

/* All is seen as it was when it was looked at. */
WORD(as_looked)
{
    static struct looks now;
    look_at(s, &now);
    assert_true(now.n == looked.n && now.shown == looked.shown &&
                now.from == looked.from && now.to == looked.to);
    for (int i = 0; i <= now.n; i++)
        for (int k = 0; k < LOOK_COLUMNS * LOOK_ROWS; k++) {
            const struct cell *a = &looked.at[i][k], *b = &now.at[i][k];
            if (a->glyph != b->glyph || a->fg != b->fg || a->bg != b->bg)
                fail_msg("take %d is seen otherwise, in column %d of row %d", i,
                         k % LOOK_COLUMNS, k / LOOK_COLUMNS);
        }
    assert_ids(s);
}

#endif
