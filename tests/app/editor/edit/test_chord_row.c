/* Chord symbols in the workstation: typed, guessed, removed, kept in the file, and followed by
 * `o` and by snapping. */
#include "tests/check.h"
#include "tests/app/editor/events.h"
#include "tests/app/kept.h"
#include "tests/app/quarters.h"

static int open_session(void **state)
{
    return open_quarters(state, 1);
}

static const char *pitches_of(const struct session *s)
{
    static char text[256];
    const struct track *t = session_track(s);
    size_t n = 0;
    *text = '\0';
    for (size_t i = 0; i < t->n_notes; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%d", i ? " " : "",
                              t->notes[i].pitch);
    return text;
}

TEXT_FACT(pitches, pitches_of(s))
NUMBER_FACT(row, s->layout.chords.rows)

SCRIPT(the_row_is_there_with_chords, open_session) = {
    {"", "row 0; roll_rows 20"},
    {"‹at 1q›:harmony Am7\r", "chords 480:Am7; row 1; roll_rows 19"},
    {":harmony Dm\r", "chords 480:Dm"},
    {"u", "chords 480:Am7"},
    {"u", "chords ; row 0; roll_rows 20"},
    {"zc", "row 1", "~no chords yet"},
    {"zc", "row 0"},
    {":grid 1\r‹at 4b›:chord F\r‹at 5b›:chord C7\r‹at 6b›:chord F\rzc",
     "row 1; chords ", "~guessed from the notes"},
};

SCRIPT(a_bar_each, open_session) = {
    {":harmony C | % | F G7/B\r", "chords 0:C 3840:F 5760:G7/B",
     "write 4 chords; the machine uses them"},
    {"‹at 6q›:harmony A7\r", "chords 0:C 2880:A7 3840:F 5760:G7/B"},
    {"‹at 0›:harmony N.C. Em\r", "chords 0:N.C. 1920:Em 3840:F 5760:G7/B"},
    {"‹at 11q›:harmony -\r", "chords 0:N.C. 1920:Em 5760:G7/B"},
    {":harmony -\r", "chords 0:N.C. 1920:Em 5760:G7/B",
     "no chord begins in this bar; Em is written in bar 2"},
    {"‹at 6q›:harmony A7\r‹at 5q›:harmony -\r", "chords 0:N.C. 2880:A7 5760:G7/B"},
    {"‹at 7q›:harmony -\r", "chords 0:N.C. 5760:G7/B"},
    {"‹at 7q›:harmony -\r", "chords 0:N.C. 5760:G7/B", "~N.C. is written in bar 1"},
    {"uuuuuuu", "chords "},
};

SCRIPT(what_is_no_symbol_changes_nothing, open_session) = {
    {":harmony C H\r", "chords ; row 0", "!H is not a chord symbol"},
    {":harmony -\r", "chords ", "no chord is written here"},
};

SCRIPT(what_is_guessed_is_kept_as_texts, open_session) = {
    {":harmony guess\r", "chords ", "no chord was found there"},
    {":grid 1\r‹at 4b›:chord F\r‹at 5b›:chord C7\r‹at 6b›:chord F\r", "chords "},
    {":harmony guess\r", "chords ~7680:F 9600:C7 11520:F; row 1"},
    {"u", "chords ; row 0"},
};

SCRIPT(the_chord_goes_on_where_a_tune_rests, open_session) = {
    {":grid 1\r‹pitch 72›‹at 4b›:chord F\r‹at 6b›:chord F\r:harmony guess\r",
     "chords 7680:F"},
};

/* The third and fifth above the cursor's C belong to the scale without a chord. */
SCRIPT(o_puts_the_chord_above, open_session) = {
    {":track 2\r‹at 1b›‹pitch 60›:harmony Fm7\r", "chords 1920:Fm7"},
    {"o\r", "pitches 65 68 72 75", "chord Fm7"},
    {"u3o\r", "pitches 60 64 67"},
};

SCRIPT(notes_snap_to_the_chord, open_session) = {
    {"zs", "", "no scale is set: O sets one, :scale guess guesses one"},
    {":track 2\r‹at 1b›‹pitch 60›:harmony Fm7\rzs", "", "~snap to the chord"},
    {"k", "pitch 63"},
    {"k", "pitch 65"},
    {":harmony G7\r‹pitch 66›\r", "pitches 65"},
    {"zs", "", "notes move by semitones"},
};

/* A take of four bars that follow the music, with a plan of F and of C7 in its second bar. */
WORD(planned)
{
    struct proposal t = {.letter = 'A', .rank = 1, .slot = -1};
    const int64_t from = 4 * 4 * BEAT, bar = 4 * BEAT;
    (void)arguments;
    t.stats = (struct continuation_stats){
        .from_tick = from,
        .to_tick = from + 4 * bar,
        .n_chords = 2,
        .chords = {{from - bar, 5, CHORD_MAJOR, 5, true},
                   {from + bar, 0, CHORD_DOMINANT7, 0, true}}};
    t.options = CONTINUATION_DEFAULT;
    proposals_add(&s->takes, &t);
    s->takes.shown = s->takes.n - 1;
    s->has_take = true;
}

WORD(original)
{
    (void)arguments;
    s->takes.shown = -1;
}

static const char *row_of(const struct session *s)
{
    static char text[512];
    size_t n = 0;
    text[0] = '\0';
    for (int64_t beat = 0; beat < 32; beat++) {
        const char *here = session_chord_at(s, beat * BEAT),
                   *before = beat ? session_chord_at(s, (beat - 1) * BEAT) : NULL;
        if (here && (!before || strcmp(here, before) != 0))
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%lld:%s", n ? "," : "",
                                  (long long)beat, here);
    }
    return text;
}
TEXT_FACT(symbols, row_of(s))

/* The file has none of them, until the plan is edited: then it has all. One undo takes it back. */
SCRIPT(the_plan_of_a_take_is_shown_and_edited, open_session) = {
    {"‹planned›‹tick›", "symbols 16:F,20:C7; chords ; row 1"},
    {"‹at 24q›:harmony Bb\r",
     "symbols 16:F,20:C7,24:Bb; chords 7680:F 9600:C7 11520:Bb",
     "~r draws takes on the edited plan"},
    {"u", "symbols 16:F,20:C7; chords "},
    {"‹at 20q›:harmony Gm\r", "chords 7680:F 9600:Gm"},
    {"u‹at 20q›:harmony -\r", "chords 7680:F"},
    {"u‹at 16q›:harmony Dm Am\r", "chords 7680:Dm 9600:Am"},
    {"u‹original›‹tick›", "symbols ; row 0"},
};

SCRIPT(o_puts_a_planned_chord, open_session) = {
    {"‹planned›‹tick›:track 2\r‹at 20q›‹pitch 60›o\r", "pitches ~60 64 67 70"},
};

/* As other programs would find them. */
SCRIPT(chords_are_in_the_file, open_session) = {
    {":harmony Bbmaj7 Eb\r‹file w chords.mid›‹sh mv chords.mid others.mid›"
     "‹meanwhile others.mid chords 0:Bbmaj7 1920:Eb›"},
};

GROUP(make_model, remove_own_folder)
