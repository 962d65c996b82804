/* Frames of what gives a piece its shape: signs and the loop on the ruler, the map of the
 * piece, the list of what changes, and what was found. */
#include "tests/tui/scene.h"

static struct timeline_events signs; /* of the scene */

/* Sixteen bars: a ritardando in the fourth, 3/4 from the fifth, markers whose texts are
 * long, hostile, or in each other's way. */
static struct score *make_piece(void)
{
    struct score *s = score_of("480 | Piano: (60 65 70 63 68 61 66 71 64 69 62 67)*4 "
                               "60 65 70 63");
    score_put_meta(s, 0, META_KEY, "\x01", 2);
    score_put_meta(s, 0, META_MARKER, "Verse", 5);
    score_put_meta(s, BAR + QUARTER, META_CUE, "lights", 6);
    score_put_meta(s, 2 * BAR, META_MARKER, "Bridge \033[31m\xE2\x80\xAE of many words",
                   28);
    score_put_meta(s, 2 * BAR + 60, META_MARKER, "near", 4);
    for (int i = 0; i < 4; i++) {
        int us = 500000 + 40000 * i;
        uint8_t tempo[3] = {(uint8_t)(us >> 16), (uint8_t)(us >> 8), (uint8_t)us};
        score_put_meta(s, 3 * BAR + i * QUARTER, META_TEMPO, tempo, 3);
    }
    score_put_meta(s, 4 * BAR, META_METER, "\x03\x02\x18\x08", 4);
    score_put_meta(s, 4 * BAR, META_MARKER, "Refrain", 7);
    score_put_meta(s, 4 * BAR, META_LYRIC, "la", 2);
    assert_ok(score_update_timeline(s));
    return s;
}

static void song_init(struct scene *s, int columns, int rows)
{
    timeline_events_fini(&signs);
    scene_open(s, make_piece(), columns, rows,
               (struct view){.mode = MODE_PROMPT,
                             .prompt = {.label = "find: ", .text = "C4"},
                             .cursor = {BAR, 69},
                             .grid.ticks = QUARTER / 4,
                             .transport = {.has_loop = true,
                                           .loop_on = true,
                                           .loop_from = BAR,
                                           .loop_to = 3 * BAR,
                                           .has_sound = true},
                             .file.name = "piece.mid",
                             .machine.model_name = "chorale"});
    assert_ok(timeline_events_collect(&signs, s->score, ~TIMELINE_BIT(TIMELINE_LYRIC)));
}

/* What is not written yet has a mark beside the name, which moves nothing else. */
TEST(a_mark_shows_what_is_not_written)
{
    struct scene s;
    char written[512], late[512];
    song_init(&s, 80, 24);
    snprintf(written, sizeof written, "%s", rows_from(&s, 0));
    s.view.file.is_late = true;
    snprintf(late, sizeof late, "%s", rows_from(&s, 0));
    const size_t at = strlen(" piece.mid");
    assert_memory_equal(written, late, at);
    assert_memory_equal(late + at, "\u2026", 3);
    assert_memory_equal(written + at + 1, late + at + 3, 60);
    scene_fini(&s);
}

static const struct chord_mark CHORDS[] = {
    {0, "C"},
    {BAR, "Bbmaj7/F"},
    {BAR + QUARTER, "Am7"}, /* there is no room for the one before */
    {3 * BAR, "N.C."}};

static void show_chords(struct scene *s, bool are_guessed)
{
    s->view.chords = (struct chords_view){
        .is_shown = true, .are_guessed = are_guessed, .marks = CHORDS, .n = 4};
}

static const struct box FOUND = {BAR + QUARTER, BAR + 2 * QUARTER, 61, 61};

/* The chord in force stands at the left edge, one that has no room is no symbol; and a note
 * that was found. */
SCREEN_OF(song_init, chords_80x24)
{
    show_chords(s, false);
    s->view.port.left_tick = BAR / 2;
    s->view.found = (struct found_view){&FOUND, 1};
}

/* With a row of its own; the map shows the loop, what is chosen, and where it plays. */
SCREEN_OF(song_init, signs_200x50)
{
    show_chords(s, true);
    s->view.selection.has_box = true;
    s->view.selection.box = (struct box){5 * BAR, 6 * BAR, 0, 127};
    s->view.transport.is_playing = true;
    s->view.transport.tick = 2.5 * BAR;
}

/* The map where there is no room for it, because it was wished for; and far out. */
SCREEN_OF(song_init, signs_ascii_80x24)
{
    s->view.found = (struct found_view){&FOUND, 1};
    s->view.piece_map = MAP_SHOWN;
    s->view.port.ticks_per_column = 480;
}

static void open_list(struct scene *s, int chosen)
{
    s->view.mode = MODE_MAP;
    s->view.signs = signs.list;
    s->view.lists[LIST_MAP] =
        (struct list_view){true, (int)signs.n, chosen, chosen - 2};
}

SCREEN_WITH(song_init, map_80x24, open_list(s, 5))
/* More than there are rows; test_list_box finds each of them. */
SCREEN_WITH(song_init, map_40x12, open_list(s, 4))
