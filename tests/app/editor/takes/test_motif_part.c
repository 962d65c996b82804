/* A phrase that is pointed at in the workstation returns in the takes, once, and the list says
 * where. What returns, tests/app/decoding/test_motif.c tells. */
#include "tests/check.h"
#include "app/generation/steer.h"
#include "tests/app/quarters.h"
#include "tests/app/script.h"

NUMBER_FACT(asks, s->request.asked.options.motif.kind)
NUMBER_FACT(from_bar, s->request.asked.options.motif.from_tick / BAR + 1)
NUMBER_FACT(of_track, s->request.asked.options.motif.tracks)

/* In every take the bar is there, at that place. */
static bool all_have_bar(const struct session *s, int bar)
{
    for (int i = 0; i < s->takes.n; i++) {
        const struct proposal *t = &s->takes.list[i];
        int n = 0;
        for (size_t k = 0; k < t->n_ghosts; k++) {
            const struct note *g = &t->ghosts[k].note;
            const int beat = (int)((g->start - (bar - 1) * BAR) / BEAT);
            n += g->start >= (bar - 1) * BAR && beat < 4 && g->length == BEAT &&
                 g->pitch == 60 + beat && g->start % BEAT == 0;
        }
        if (n != 4 || !*view_of((struct session *)s)->takes.rows[i].why)
            return false;
    }
    return s->takes.n > 0;
}

NUMBER_FACT(all_have, all_have_bar(s, of))

/* Ghosts that are drawn as the motif's; -1: the roll does not show them apart. */
static int n_marked(struct session *s)
{
    struct cells c = {0};
    const struct view *v = view_of(s);
    int n = 0, n_lines = 0;
    for (size_t i = 0; i < v->ghosts.n; i++)
        n += ghost_is_of_motif(&v->ghosts.notes[i], &v->ghosts);
    assert_true(cells_init(&c, 80, 24));
    paint(s, &c);
    for (int row = 2; row < 20; row++) /* of the roll */
        for (int column = 0; column < 80; column++)
            n_lines += cells_at(&c, column, row)->glyph == 0x2550;
    cells_fini(&c);
    return (n > 0) == (n_lines > 0) ? n : -1;
}

NUMBER_FACT(marked, n_marked(s))

WORD(wait)
{
    wait_for_end(s);
    if (!s->has_take)
        fail_msg("no take: %s", s->view.message.text);
}

SCRIPT(keys_say_how_it_returns, two_tracks) = {
    {"‹track 0›‹at 1b›VLgm", "mode SELECT",
     "bars 2-3 return exactly in what C or c writes next; gm again: transposed"},
    {"gm", NULL, "~bars 2-3 return transposed"},
    {"gm", NULL, "~bars 2-3 return varied"},
    {"gm", NULL, "no motif for C and c"},
    {"gm", NULL, "~return exactly"},
    {"L", NULL, NULL},
    {"gm", NULL, "~bars 2-4 return exactly"}, /* another phrase */
    {"‹line motif varied›", NULL, "~bars 2-4 return varied"},
    {"‹line motif off›", NULL, "no motif for C and c"},
    {"‹line motif›", NULL, "~bars 2-4 return exactly"},
    {"‹line motif sideways›", "error", "~exact, transposed, varied or off"},
};

SCRIPT(it_returns_once, two_tracks) = {
    {"‹track 0›‹at 0›Vgm1C‹wait›",
     "asks 1; from_bar 1; of_track 1; all_have5; marked 4"},
    {"‹drop_take›1C‹wait›", "asks 0; marked 0"},
    {"‹drop_take›‹at 0›V‹line motif varied›4C", "asks 3", "~the motif varied"},
    {"‹wait›r‹wait›", "asks 3; takes 2"}, /* more of the same */
};

/* In a hole, on its tracks. */
SCRIPT(it_returns_in_a_hole, two_tracks) = {
    {"‹track 0›‹at 0›Vgm\033‹at 2b›VLc‹wait›", "asks 1; all_have3"},
    {"‹drop_take›‹at 0›Vgm\033\033‹track 1›‹at 2b›cc‹made›", "no take",
     "!the hole could not be filled: the motif has no notes on the tracks that are "
     "written on"},
};

/* A phrase that is rewritten itself is varied; it moves within the key, where that is asked. */
SCRIPT(it_returns_in_its_own_place, two_tracks) = {
    {"‹track 0›‹at 0›Vgmc‹wait›", "asks 3; marked 4; ghosts 4"},
    {"‹drop_take›‹at 0›V‹line motif transposed›c‹wait›", "asks 2; marked 4; ghosts 4"},
    {"‹drop_take›‹at 0›Vgm\033‹at 0›VLc‹wait›", "asks 1; marked 4"}, /* and one more */
};

/* What is not there any more is forgotten, and what finds no place is said. */
SCRIPT(what_cannot_return_is_said, two_tracks) = {
    {"‹line motif›", NULL, "~select the phrase"},
    {"‹track 0›‹at 0›VLgm‹line remove›", NULL, NULL},
    {"‹at 2b›C‹wait›", "asks 0"},
};

static const char *said(enum motif_kind kind, int64_t tick, int steps)
{
    static char buf[MOTIF_TEXT];
    auto_score *s = score_create(480);
    return motif_say(&(struct motif_place){kind, tick, steps}, &s->timeline, buf);
}

TEST(its_place_is_said_in_words)
{
    assert_string_equal(said(MOTIF_EXACT, 10 * BAR, 0), "motif in bar 11");
    assert_string_equal(said(MOTIF_TRANSPOSED, 10 * BAR + 960, 3),
                        "motif in bar 11, a fourth up");
    assert_string_equal(said(MOTIF_TRANSPOSED, 0, -7),
                        "motif in bar 1, an octave down");
    assert_string_equal(said(MOTIF_VARIED, 0, 0), "motif in bar 1, varied");
    assert_string_equal(said(MOTIF_NONE, 0, 0), "");
}

GROUP(make_model, remove_own_folder)
