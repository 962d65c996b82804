/* Rows that are handed out while notes are written: they are the attention of the very sequence,
 * told as the notes that come. That whoever looks changes no note:
 * tests/app/inspection/test_watched_notes.c. */
#include "tests/check.h"
#include "app/inspection/inspector.h"
#include "midi/tokens/token_time.h"
#include "tests/app/random_continuation.h"

enum { QUARTER = 480, CONTEXT = 1024 };

static int n_new; /* how often there was something new to see */

static struct continuation_options options(int bars)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.bars = bars;
    o.style = STYLE_CHORALE;
    o.sampling.seed = 5;
    return o;
}

/* A note that was drawn, or one of the score. */
static bool is_known(const struct inspected_note *n, const struct score *s,
                     const struct result *r)
{
    const struct track *t = &s->tracks[n->track];
    for (int i = 0; n->is_take && i < (int)r->n; i++)
        if (r->notes[i].track == n->track && r->notes[i].note.pitch == n->pitch &&
            r->notes[i].note.start == n->tick)
            return true;
    for (size_t i = 0; !n->is_take && i < t->n_notes; i++)
        if (t->notes[i].start == n->tick && t->notes[i].pitch == n->pitch)
            return true;
    return false;
}

/* Of the newest row: every note that was drawn so far and read, and no other. */
static void check_notes(const struct inspector_report *report, const struct score *s,
                        const struct result *r)
{
    const struct inspector_wash *w = &report->wash;
    float sum = 0;
    int n_drawn = 0;
    assert_int_equal(w->note, w->n_notes - 1);
    for (int i = 0; i < w->n_notes; i++) {
        sum += w->weights[i];
        n_drawn += w->notes[i].is_take;
        /* The newest may not be complete. */
        assert_true(i + 1 == w->n_notes || is_known(&w->notes[i], s, r));
    }
    for (int k = 0; k < INSPECTED_KINDS; k++)
        sum += w->other[k];
    assert_true(w->n_notes > 0 && fabsf(sum - 1.0f) < 1e-4f);
    assert_in_range(n_drawn + 1, r->n, r->n + 2);
}

/* Each cell is the largest weight in it, of the newest rows. */
static void check_matrix(const struct inspector_matrix *m)
{
    float most = 0;
    for (int i = 0; i < m->n_rows * m->n_columns; i++) {
        assert_true(m->cells[i] == -1 || (m->cells[i] >= 0 && m->cells[i] <= 1));
        most = fmaxf(most, m->cells[i]);
        if (i % m->n_columns > (i / m->n_columns + 1) * m->n_columns / m->n_rows)
            assert_true(m->cells[i] == -1);
    }
    assert_true(most > 0);
}

/* The same tokens, read again and watched. */
static void check_rows(const struct fixture *f, const struct live_map *m)
{
    auto_decoder *d;
    static float row[CONTEXT];
    static int32_t times[CONTEXT];
    assert_ok(decoder_create(&d, f->model, f->pool));
    decoder_keep_queries(d, true);
    token_times(m->tokens, (size_t)m->n, times);
    assert_ok(decoder_prefill(d, m->tokens, times, m->n, false, NULL));
    for (int place = m->first; place < m->end; place++) {
        struct attention_head h = {ATTENTION_SELF, m->choice.layer, m->choice.head};
        assert_ok(attention_rows(d, h, place, 1, row, CONTEXT));
        for (int k = 0; k <= place; k++)
            assert_float_equal(live_map_row(m, place)[k], row[k], 1e-4);
    }
}

/* Everything of a request, looked at as it grows: as a report, or (NULL) as rows. Returns
 * those. */
static const struct live_map *run_watched(struct fixture *f, const struct score *s,
                                          const struct continuation_options *o,
                                          struct live_rows *live,
                                          struct live_choice choice,
                                          struct inspector_report *report,
                                          struct result *r)
{
    const struct live_map *map = NULL;
    r->n = 0;
    n_new = 0;
    continuation_set_live(f->continuation, live);
    live_rows_look(live, choice);
    enum continuation_state state = continuation_begin(f->continuation, s, o);
    while (state == CONTINUATION_BEGUN || state == CONTINUATION_NOTE) {
        assert_true(r->n < MAX_NOTES);
        state = continuation_next(f->continuation, &r->notes[r->n]);
        r->n += state == CONTINUATION_NOTE;
        if (report) {
            if (!inspector_live(live, choice, 40, 30, report))
                continue;
            n_new++;
            check_matrix(&report->matrix);
            if (o->n_takes == 1)
                check_notes(report, s, r);
            continue;
        }
        const struct live_map *now = live_rows_lock(live, choice);
        live_rows_unlock(live);
        map = now ? now : map;
        n_new += now != NULL;
        assert_true(!now || now->end == now->n);
    }
    assert_int_equal(state, CONTINUATION_DONE);
    return map;
}

/* Returns how many rows were kept. */
static int look(const struct continuation_options *o, int take)
{
    static struct result seen;
    struct fixture f;
    struct inspector_report report = {0};
    struct live_rows *live = live_rows_create(-1);
    const struct live_choice choice = {1, 0, take};
    auto_score *s =
        score_of("480 | one: (60q 61 62 63 64)*3 60 | one: (48q 49 50 51 52)*3 48");
    set_up(&f, CONTEXT, TOKEN_COUNT, 2);
    const struct live_map *map = run_watched(&f, s, o, live, choice, NULL, &seen);
    assert_true(map && n_new > 3);
    check_rows(&f, map);
    run_watched(&f, s, o, live, choice, &report, &seen);
    assert_true(n_new > 3);
    assert_false(
        inspector_live(live, (struct live_choice){1, 1, take}, 40, 30, &report));
    const int n_rows = map->end - map->first;
    inspector_report_fini(&report);
    tear_down(&f);
    live_rows_destroy(live);
    return n_rows;
}

TEST(what_is_decoded_is_seen)
{
    struct continuation_options o = options(40), takes = options(2), hole = options(1);
    assert_int_equal(look(&o, 0), LIVE_ROWS); /* the newest */
    takes.n_takes = 3;
    look(&takes, 2);
    hole.hole.from_tick = 16 * QUARTER;
    hole.hole.to_tick = 24 * QUARTER;
    hole.hole.min_notes = 12;
    look(&hole, 0);
    hole.hole.density = 3;
    hole.hole.length = 2;
    hole.guidance = 1.5f;
    look(&hole, 0);
}
