/* What edits do to the pitches, velocities and times of notes, alone and in chords, by keys
 * and lines, without a screen; strums and arpeggios. */
#include "tests/check.h"
#include "tests/app/heard.h"
#include "tests/app/script.h"

/* -- pitches and velocities -- */

SCRIPT(pitches_move_by_step_and_octave, empty_session) = {
    {"‹put 0+240 60, 240+240 61, 480+240 64›g}", "", "~:scale"},
    {":scale C\r‹C-a›g}", "notes 0+240 62, 240+240 63, 480+240 65"},
    {"2g{", "notes 0+240 59, 240+240 60, 480+240 62"},
    {"u", "", "undone: transpose 3 notes"},
    {"gK.gJ", "notes 0+240 74, 240+240 75, 480+240 77"},
    {":transpose -12\r2{", "notes 0+240 60, 240+240 61, 480+240 63"},
    {"100}", "", "cannot transpose any further"},
    {":transpose up\r", "", "!"},
    {":invert\r", "notes 0+240 60, 240+240 59, 480+240 57", "invert 3 notes at C4"},
    {":invert E4\r", "notes 0+240 68, 240+240 69, 480+240 71"},
    {".", "notes 0+240 60, 240+240 59, 480+240 57"},
    {":invert H\r", "", "!"},
};

SCRIPT(a_note_alone_takes_the_cursor_along, empty_session) = {
    {"‹put 0+240 60›:scale C minor\r2g}", "pitch 63"},
    {"gK", "pitch 75"},
    {":transpose -1\r", "pitch 74"},
    {"u", "", "undone: transpose a note"},
};

SCRIPT(velocities_keep_their_differences, empty_session) = {
    {"‹put 0+240 60, 480+240 62, 960+240 64›‹C-a›:velocity 60-100\r",
     "notes 0+240 60@60, 480+240 62@80, 960+240 64@100"},
    {"9+", "notes 0+240 60@87, 480+240 62@107, 960+240 64@127"},
    {"+", "", "it cannot be louder"},
    {"-", "notes 0+240 60@79, 480+240 62@99, 960+240 64@119"},
    {"u", "", "undone: soften 3 notes"},
    {"u", "", "undone: strengthen 3 notes"},
    {":velocity *1.2\r", "notes 0+240 60@72, 480+240 62@96, 960+240 64@120"},
    {":velocity -10\r.", "notes 0+240 60@52, 480+240 62@76, 960+240 64@100"},
    {":velocity 90\r", "notes 0+240 60@90, 480+240 62@90, 960+240 64@90"},
    {"u", "", "undone: change the velocity of 3 notes: 90"},
    {"‹refused velocity|velocity 0|velocity 128|velocity 1-|velocity *|velocity loud|"
     "velocity 60-100-20›"},
};

SCRIPT(chords_are_of_the_scale, empty_session) = {
    {":scale G\r‹pitch 66›o\r", "notes 0+120 66, 0+120 69, 0+120 72", "chord F#dim"},
    {"4o\r",
     "notes 0+120 66, 0+120 69, 0+120 72, 0+120 76", /* the fourth is put to them */
     "chord F#m7b5; 3 of its notes were there"},
    {"4o\r", "", "F#m7b5 is already here"},
    {"u", "", "undone: chord F#m7b5"},
    {"u", "", "undone: chord F#dim"},
    {":scale F\r‹pitch 70›o\r", "", "chord Bb"},
    {"u:scale any\r‹pitch 62›4o\r", "", "chord Dmaj7"},
};

NUMBER_FACT(row, layout_row(&s->layout, &s->view.port, of) - s->layout.roll.row + 1)
NUMBER_FACT(draft, view_of(s)->drafts.notes[of].note.pitch)

SCRIPT(a_chord_is_shown_before_it_is_put, empty_session) = {
    {":scale C\ro", "n 0; drafts 3; draft0 60; draft1 64; draft2 67",
     "C: C4 E4 G4   Enter puts it, o inverts it"},
    {"o", "n 0; draft0 64; draft1 67; draft2 72",
     "C/E: E4 G4 C5   Enter puts it, o inverts it"},
    {"o", "draft0 67; draft1 72; draft2 76"},
    {"o", "draft0 60"},
    {"4o", "drafts 4; draft3 71"},
    {"KKKK4o", "draft3 119; row119 1..20"}, /* all of it is in sight */
    {"4J4o", "draft3 71; row71 1..20"},
    {"okklzi",
     "drafts 4; draft0 65; draft3 74; at 120"}, /* the cursor takes it along */
    {"\033", "no drafts; n 0", ""},
    {"o\033\r", "no drafts; n 1"}, /* a note */
    {"uox", "no drafts"},          /* another command: no chord any more */
    {"\r", "n 1"},
    {"ui‹at 0›‹pitch 60›o\033\r",
     "mode DRAW; n 1"}, /* Escape is about the chord alone */
};

SCRIPT(a_chord_is_repeated_as_it_was_turned, empty_session) = {
    {":scale C\roo\r", "notes 0+1s 64, 0+1s 67, 0+1s 72", "chord C/E"},
    {"‹at 1q›‹pitch 62›.", "n 6; no drafts", "chord Dm/F"},
    {"u", "n 3", "undone: chord Dm/F"},
    {"o\033‹at 2q›‹pitch 60›.", "n 6"}, /* what was not put is not repeated */
};

SCRIPT(a_chord_is_shown_while_it_is_typed, empty_session) = {
    {":chord m", "drafts 3; draft1 63"},
    {"7", "drafts 4"},
    {"x", "no drafts"},
    {"\b\r", "n 4; no drafts"},
    {":track drums\ro", "no drafts", "drums have no chords"},
};

SCRIPT(chords_have_symbols, empty_session) = {
    {"‹put 480+480 62›:chord G7/B\r",
     "notes 0+120 59, 0+120 62, 0+120 65, 0+120 67, 480+480 62", "chord G7/B"},
    {"ui‹pitch 59›6o\r", "at 120"},                             /* six notes */
    {"u\033‹at 0›‹pitch 62›8\r", "notes 0+480 62, 480+480 62"}, /* up to the next */
    {":chord m7\r", "notes 0+480 62, 0+480 65, 0+480 69, 0+480 72, 480+480 62"},
    {"‹at 480›.", "notes 0+480 62, 0+480 65, 0+480 69, 0+480 72, "
                  "480+480 62, 480+480 65, 480+480 69, 480+480 72"},
    {":chord X\r", "", "!"},
};

/* -- times -- */

SCRIPT(quantising_goes_from_what_was_played, empty_session) = {
    {"‹put 20+100 60, 130+100 62›‹C-a›50=", "notes 10+100 60, 125+100 62"},
    {"50=", "notes 10+100 60, 125+100 62", "nothing to quantise here"},
    {"=", "notes 0+100 60, 120+100 62", "quantise 2 notes: 100% start"},
    {">gu", "notes 140+100 60, 250+100 62", "restore the timing of 2 notes as played"},
    {"guu", "", "undone: restore the timing of 2 notes as played"},
    {"uu", "", "undone: quantise 2 notes: 100% start"},
    {"u", "notes 20+100 60, 130+100 62", "undone: quantise 2 notes: 50% start"},
};

SCRIPT(one_is_asked_how_to_quantise, empty_session) = {
    {"‹put 130+100 60›‹at 120›g=", "mode COMMAND; input 100% start"},
    {" end swing 66\r", "notes 158+82 60", /* 79 percent of 240 is 158.4 */
     "quantise a note: 100% start end swing 66"},
    {":swing 50\r", "notes 120+120 60"},
    {":quantise 0%\r", "notes 130+100 60"},
    {"‹refused quantise backwards|swing 80|swing 49|swing|quantise 101%|quantise -1|"
     "quantise 80%%|quantise %|quantise starting|quantise within|quantise within x|"
     "quantise 1000000000000|quantise e›"},
    {"‹at 1920›:quantise 90% swing 56\r", "", "= quantises: 90% start end swing 56"},
    {"g=", "input 90% start end swing 56"},
};

/* Twelve ticks are too near, twenty-four are not; an end may be by steps of its length. */
SCRIPT(what_is_too_far_stays, empty_session) = {
    {"‹put 100+50 60›‹C-a›:quantise 50% within 10%\r", "notes 100+50 60"},
    {":quantise 100% within 20% start length\r",
     "notes 120+50 60"}, /* seventy from a step */
};

SCRIPT(quantising_cuts_tails_and_names_the_bar, empty_session) = {
    {"‹put 0+125 60, 130+100 60›‹at 120›=", "notes 0+120 60, 120+100 60",
     "quantise a note: 100% start; 1 note shortened"},
    {"‹C-a›gu", "notes 0+125 60, 130+100 60"}, /* what was cut, too */
    {"u\033u", "notes 0+125 60, 130+100 60", "undone: quantise a note: 100% start"},
    {"‹put 1930+20 61, 1955+20 61›‹C-a›=", "notes 0+120 60, 120+100 60, 1920+20 61",
     "~; 1 fell on another and became one with it (C♯4 in bar 2)"},
    {"u", "notes 0+125 60, 130+100 60, 1930+20 61, 1955+20 61"},
};

WORD(put_sixteen)
{
    for (int i = 0; i < 16; i++)
        put_note(s, 0, 480 + 240 * i, 240, 60 + i % 3, 80);
}

static bool are_as_put(const struct session *s, bool by_time_alone)
{
    bool are = track(s, 0)->n_notes == 16;
    for (int i = 0; are && i < 16; i++) {
        const struct note *n = note_of(s, 0, (size_t)i);
        are = n->start == 480 + 240 * i && n->pitch == 60 + i % 3 &&
              (by_time_alone || (n->length == 240 && n->velocity == 80));
    }
    return are;
}

NUMBER_FACT(in_time, are_as_put(s, true))
NUMBER_FACT(as_put, are_as_put(s, false))

SCRIPT(humanising_draws_anew_in_its_own_place, empty_session) = {
    {"‹put_sixteen›‹C-a›:humanise 10ms 8 seed 7\r‹remember›", "no in_time", "~seed 7"},
    {"~", "no as_remembered", "~seed 8"},
    {":humanise seed 7\r", "as_remembered"},
    {"gu", "in_time; no as_put"}, /* the time, not the velocity */
    {"uu", "as_put", "undone: humanise 16 notes: 10 ms, velocity 8, seed 7"},
    {"3~", "no as_put", "~: 30 ms, velocity 24"},
    {"xu", "", "undone: remove 16 notes"},
    {"u", "as_put", "undone: humanise 16 notes: 30 ms, velocity 24, seed 8"},
    {"‹C-a›:humanise 0ms 8\r", "in_time; no as_put"}, /* the velocity alone */
    {"u", "as_put"},
    {":humanise wildly\r", "error"},
};

SCRIPT(the_cursor_stays_on_a_note_alone, empty_session) = {
    {"‹put 470+200 60›‹at 360›=", "notes 480+200 60; at 480"},
    {"gu", "notes 470+200 60; at 480"}, /* it sounds there */
};

SCRIPT(legato_and_staccato, empty_session) = {
    {"‹put 0+100 60, 0+900 55, 240+100 62, 480+100 64›‹C-a›gl",
     "notes 0+240 55, 0+240 60, 240+240 62, 480+100 64"},
    {"90gl", "notes 0+216 55, 0+216 60, 240+216 62, 480+100 64"},
    {"u", "", "undone: slur 4 notes, 90% of the way"},
    {"g.", "notes 0+120 55, 0+120 60, 240+120 62, 480+50 64"},
    {"2.", "notes 0+30 55, 0+30 60, 240+30 62, 480+12 64"},
    {"200g.", "notes 0+60 55, 0+60 60, 240+60 62, 480+24 64"},
    {"u", "", "undone: lengthen 4 notes to 200%"},
    {"\033‹pitch 60›gl", /* alone: up to the track's next */
     "notes 0+30 55, 0+240 60, 240+30 62, 480+12 64"},
};

SCRIPT(a_phrase_is_stretched_and_reversed, empty_session) = {
    {"‹put 480+240 60, 720+120 62, 960+240 64›‹C-a›:stretch 200%\r",
     "notes 480+480 60, 960+240 62, 1440+480 64"},
    {":stretch 1/3\r", "notes 480+160 60, 640+80 62, 800+160 64"},
    {".", "notes 480+53 60, 533+27 62, 587+53 64"},
    {"uu", "", "undone: stretch 3 notes to 33.3333%"},
    {"u", "", "undone: stretch 3 notes to 200%"},
    {":reverse\r", "notes 480+240 64, 840+120 62, 960+240 60"},
    {".", "notes 480+240 60, 720+120 62, 960+240 64"},
    {"‹refused stretch|stretch 0%|stretch 2|stretch 2/0|stretch 20000%|stretch 2/3x|"
     "stretch -1/3|stretch 100%%|stretch 5/100%›",
     "notes 480+240 60, 720+120 62, 960+240 64"},
};

SCRIPT(no_two_notes_begin_together, empty_session) = {
    {"‹put 480+20 60, 520+20 60›‹C-a›:stretch 1%\r", "notes 480+20 60, 520+20 60",
     "cannot stretch 2 notes to 1%: two C4 would begin together in bar 1"},
};

SCRIPT(notes_are_joined, empty_session) = {
    {"‹put 0+120 60, 120+120 60, 300+120 60, 300+120 64, 960+120 60›gj",
     "notes 0+240 60, 300+120 60, 300+120 64, 960+120 60"},
    {"u", "", "undone: join 2 notes to 1"},
    {"‹C-a›gj", "notes 0+420 60, 300+120 64, 960+120 60", "join 5 notes to 3"},
    {"gj", "", "~nothing to join"},
    {"9gj", "notes 0+1080 60, 300+120 64"},
    {"‹C-a›x‹put 0+120 60›gj", "", "~nothing to join"},
};

SCRIPT(notes_are_split, empty_session) = {
    {"‹put 0+480 60, 120+480 64›3s",
     "notes 0+160 60, 120+480 64, 160+160 60, 320+160 60"},
    {"u", "", "undone: split a note"},
    {"‹C-a›‹at 240›s",
     "notes 0+240 60, 120+120 64, 240+240 60, 240+360 64; selected 4"},
    {"}", "notes 0+240 61, 120+120 65, 240+240 61, 240+360 65"},
    {"uu", "", "undone: split 2 notes"},
    {"‹at 0›s", "", "put the cursor inside a note to split it there"},
    {"2s", "notes 0+240 60, 120+240 64, 240+240 60, 360+240 64"},
};

#define TRIAD "‹put 0+4q 60, 0+4q 64, 0+4q 67›"

/* At 120 a minute 20 ms are 19 ticks. */
SCRIPT(a_strum_spreads_beginnings, empty_session) = {
    {TRIAD ":strum\r", "notes 0+4q 60, 19+1901 64, 38+1882 67; selected 3",
     "strum 3 notes, the lowest first"},
    {":strum down\r", "notes 0+4q 67, 19+1901 64, 38+1882 60"}, /* still a chord */
    {"uu:strum 40ms down\r", "notes 0+4q 67, 38+1882 64, 76+1844 60"},
    {"u", "notes 0+4q 60, 0+4q 64, 0+4q 67",
     "undone: strum 3 notes, the highest first"},
};

SCRIPT(a_strum_leaves_half_of_the_shortest, empty_session) = {
    {"‹put 0+60 60, 0+4q 64, 0+4q 67›:strum 500\r",
     "notes 0+60 60, 10+1910 64, 20+1900 67"},
};

SCRIPT(each_selected_chord_is_spread, empty_session) = {
    {TRIAD "‹put 4q+1q 72, 6q+1q 60, 6q+1q 65›‹C-a›:strum\r",
     "notes 0+4q 60, 19+1901 64, 38+1882 67, 4q+1q 72, 6q+1q 60, 2899+461 65",
     "strum 6 notes, the lowest first"},
    {"u", "n 6"},
};

SCRIPT(an_arpeggio_goes_on_until_the_chord_ends, empty_session) = {
    {":grid 1/4\r" TRIAD ":arpeggio\r",
     "notes 0+1q 60, 1q+1q 64, 2q+1q 67, 3q+1q 60; selected 4",
     "arpeggiate 3 notes, the lowest first"},
    {"u:arpeggio down\r", "notes 0+1q 67, 1q+1q 64, 2q+1q 60, 3q+1q 67"},
    {"u", "notes 0+4q 60, 0+4q 64, 0+4q 67",
     "undone: arpeggiate 3 notes, the highest first"},
    {":grid 1/2\r.", "n 3; notes 0+640 67, 640+640 64, 1280+640 60"}, /* each sounds */
};

SCRIPT(an_arpeggio_ends_where_the_next_chord_begins, empty_session) = {
    {":grid 1/4\r‹put 0+4q 60, 0+4q 64, 2q+2q 62, 2q+2q 65›‹C-a›:arpeggio\r",
     "notes 0+1q 60, 1q+1q 64, 2q+1q 62, 3q+1q 65"},
};

SCRIPT(what_cannot_be_spread_is_told, empty_session) = {
    {":strum\r", "", "~no note here"},
    {"‹put 0+1q 60›:strum\r", "notes 0+1q 60",
     "no chord here: a chord is two notes that begin together"},
    {":arpeggio\r", "notes 0+1q 60", "~no chord here"},
    {"‹put 0+1 64›:arpeggio\r", "notes 0+1q 60, 0+1 64"},
    {"‹refused strum sideways|strum 0|strum 501|strum ms|arpeggio 20|arpeggio x›"},
};

/* A short note of the chord, and later another of its pitch. */
SCRIPT(an_arpeggio_meets_no_other_note, empty_session) = {
    {":grid 1/4\r‹put 0+1q 60, 0+4q 64, 2q+1q 60›:arpeggio\r", "n 3",
     "~would overlap a note of the same pitch"},
};
