/* The roll: scales, folds and zooms, holes and what is proposed for them, the colours of
 * single cells; tapped bar lines; and what is outside the rows. */
#include "tests/tui/scene.h"

/* Bar 2 of the bass from a sixteenth on, filled: what it held is still there to see. */
static void add_hole(struct scene *s, int from)
{
    const struct track *bass = &s->score->tracks[2];
    size_t n = 0;
    for (size_t i = 0; i < bass->n_notes; i++)
        if (bass->notes[i].start >= from * SIXTEENTH &&
            bass->notes[i].start + bass->notes[i].length <= 32 * SIXTEENTH)
            s->replaced[n++] = bass->notes[i].id;
    for (int i = 0; i < 3; i++)
        s->ghosts[i] = (struct ghost){
            .track = 2,
            .note = {.start = (from + 1 + 3 * i) * SIXTEENTH,
                     .length = 2 * SIXTEENTH,
                     .pitch = (uint8_t)(55 + 2 * i),
                     .velocity = 80},
            .probability = 0.3f * (float)i,
        };
    s->view.track = 2;
    s->view.mode = MODE_TAKES;
    s->view.port.top_pitch = 72;
    s->view.cursor = (struct roll_point){16 * SIXTEENTH, 62};
    s->view.ghosts = (struct ghosts_view){
        .notes = s->ghosts, .n = 3, .replaced = s->replaced, .n_replaced = n};
    s->view.hole = (struct hole_view){true,
                                      {from * SIXTEENTH, 32 * SIXTEENTH, 53, 60},
                                      "bar 2",
                                      s->score->tracks[2].name};
    strcpy(s->view.takes.label, "take 1, seed 8");
}

SCREEN_WITH(scene_init, hole_80x24, add_hole(s, 16))

/* Narrower than its name, and without colours. */
SCREEN(hole_mono_80x24)
{
    add_hole(s, 20);
    s->view.hole.box.pitch_lo = 0;
    s->view.hole.box.pitch_hi = 127;
    strcpy(s->view.hole.label, "3 beats of bar 2");
}

/* By dots and shades, the denser the surer. */
SCREEN(shaded_mono_80x24)
{
    add_takes(s);
    add_list(s);
    s->view.lists[LIST_TAKES].is_open = false;
    s->view.transport.is_playing = false;
    s->view.ghosts.by_probability = true;
    s->view.cursor.tick = s->ghosts[1].note.start; /* which is told at the foot */
    s->view.cursor.pitch = s->ghosts[1].note.pitch;
}

/* D minor: the beats' dots are where notes are out of it, the tonic has its mark. */
SCREEN(scale_mono_80x24)
{
    s->view.scale = (struct scale_view){0x6b5, 2, -1};
}

/* Only its rows, and those of notes out of it, with a grid of triplets. */
SCREEN(fold_80x24)
{
    struct layout l = layout_of(&(const struct view){0}, 80, 24);
    struct pitch_set hidden = {{0, 0}};
    s->view.scale = (struct scale_view){0x6b5, 2, -1};
    for (int pitch = 0; pitch < 128; pitch++)
        if (!(s->view.scale.pitches >> pitch % 12 & 1) && pitch != 66 && pitch != 71 &&
            pitch != 73)
            pitch_set_add(&hidden, pitch);
    s->view.cursor.tick = 1920;
    s->view.grid = (struct grid_view){80, "1/16T"};
    viewport_fold(&s->view.port, &l, hidden, 69);
}

/* -- a kit -- */

enum { KICK = 36, SNARE = 38, HAT = 42 };

/* Two bars of drums, a long kick and one that is cut, and a bass, which has no rows. */
static void kit_init(struct scene *s, int columns, int rows)
{
    static const char LINE[] = "36q.@60 36e@68 re 36@84 rq 36@100 36w@108";
    static const uint8_t ROWS[] = {36, 38, 39, 42, 46, 49, 51};
    struct score *score = score_of("480 | Bass: %s | Drums ch9: %s =0 (42s@80 r)*16 "
                                   "=1q (38s@100 r:1q1e1s)*4",
                                   LINE, LINE);
    scene_open(s, score, columns, rows,
               (struct view){.track = 1,
                             .cursor = {20 * SIXTEENTH, SNARE},
                             .grid = {SIXTEENTH, "1/16"},
                             .kit.is_shown = true,
                             .transport.has_sound = true,
                             .file = {"beat.mid", false, false},
                             .port = {0, SIXTEENTH, 51, 1, {{~0ULL, ~0ULL}}}});
    for (size_t i = 0; i < sizeof ROWS; i++)
        s->view.port.hidden.at[0] &= ~(UINT64_C(1) << ROWS[i]);
    s->view.kit.used.at[0] =
        UINT64_C(1) << KICK | UINT64_C(1) << SNARE | UINT64_C(1) << HAT;
    s->layout = layout_of(&s->view, s->cells.columns, s->cells.rows);
}

SCREEN_WITH(kit_init, kit_80x24, )

SCREEN_OF(kit_init, kit_200x50)
{
    static const char LETTERS[128] = {[KICK] = 'z', [SNARE] = 'x', [HAT] = 'c'};
    s->view.port.rows_per_pitch = 2;
    s->view.mode = MODE_PLAY;
    s->view.kit.letters = LETTERS;
}

/* What is proposed and what is held are hits, too, and only those of drums are seen. */
SCREEN_OF(kit_init, kit_held_80x24)
{
    static const struct ghost HELD = {
        .track = 1, .note = {.start = 4 * SIXTEENTH, .length = 960, .pitch = 51}};
    for (int i = 0; i < 2; i++)
        s->ghosts[i] = (struct ghost){.track = i,
                                      .note = {.start = 8 * SIXTEENTH,
                                               .length = 960,
                                               .pitch = (uint8_t)(46 + 3 * i)},
                                      .probability = -1};
    s->view.ghosts = (struct ghosts_view){.notes = s->ghosts, .n = 2};
    s->view.drafts = (struct drafts_view){.notes = &HELD, .n = 1};
}

/* Tapped bar lines are seen on the ruler and, under the notes, through the roll. */
SCREEN(zoomed_out_80x24)
{
    s->view.port.ticks_per_column = 960;
    assert_true(taps_put(&s->score->taps, (struct tap){9 * 960, TAP_BAR}));
    assert_true(taps_put(&s->score->taps, (struct tap){0, TAP_BEGIN}));
}

/* Neighbouring notes of one pitch are told apart; a tap is seen; the notes of other tracks are
 * left out, those of the edited one never. */
SCREEN(repeated_ascii_80x24)
{
    s->score->tracks[0].hide = s->view.tracks.hide_others = true;
    for (int i = 0; i < 4; i++)
        add_note(s->score, 0, (40 + i) * SIXTEENTH, SIXTEENTH, 70, 90);
    assert_true(taps_put(&s->score->taps, (struct tap){40 * SIXTEENTH, TAP_BAR}));
}

SCREEN(tall_prompt_80x24)
{
    s->view.port.rows_per_pitch = 3;
    s->view.port.top_pitch = 72;
    s->view.mode = MODE_PROMPT;
    s->view.prompt = (struct prompt_view){.label = "open: ", .text = "лад/音楽.mid"};
}

static void plain_init(struct scene *s, int columns, int rows)
{
    scene_open(
        s, score_of("480 | :"), columns, rows,
        (struct view){
            .port = {.ticks_per_column = 60, .top_pitch = 75, .rows_per_pitch = 1},
            .grid.ticks = SIXTEENTH,
            .cursor = {40 * SIXTEENTH, 65},
            .version = 1});
    s->theme = theme_by_name("auto", DEPTH_MONO, false, false);
}

/* The top key's last columns say "▲3" for three notes above; NULL: nothing. */
static void assert_above(struct scene *s, const char *want)
{
    const char *line = rows_from(s, s->layout.roll.row);
    const char *mark = strstr(line, "▲");
    if (mark && mark > strchr(line, '\n'))
        mark = NULL;
    assert_int_equal(!mark, !want);
    if (want)
        assert_memory_equal(mark, want, strlen(want));
}

SCENE_OF(plain_init, notes_outside_are_counted, 100, 40)
{
    add_note(s->score, 0, 0, 480, 60, 127);
    assert_above(s, NULL);
    add_note(s->score, 0, 0, 480, 100, 127);
    add_note(s->score, 0, 960, 480, 101, 127);
    add_note(s->score, 0, 400000, 480, 102, 127); /* later than what is shown */
    s->view.version++;
    assert_above(s, "▲2");
    s->ghosts[0] = (struct ghost){.note = {.start = 480, .length = 480, .pitch = 110}};
    s->view.ghosts = (struct ghosts_view){.notes = s->ghosts, .n = 1};
    assert_above(s, "▲3");
    s->view.port.left_tick = 2000;
    assert_above(s, NULL);
}
