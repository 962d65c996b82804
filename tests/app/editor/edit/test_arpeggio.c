/* Chords that are spread: strummed, and played note by note. */
#include "tests/check.h"
#include "tests/app/script.h"

#define TRIAD "‹put 0+4q 60, 0+4q 64, 0+4q 67›"

/* At 120 a minute 20 ms are 19 ticks. */
SCRIPT(a_strum_spreads_beginnings, empty_session) = {
    {TRIAD ":strum\r", "notes 0+4q 60, 19+1901 64, 38+1882 67; selected 3",
     "1 chord strummed, the lowest note first"},
    {":strum down\r", "notes 0+4q 67, 19+1901 64, 38+1882 60"}, /* still a chord */
    {"uu:strum 40ms down\r", "notes 0+4q 67, 38+1882 64, 76+1844 60"},
    {"u", "notes 0+4q 60, 0+4q 64, 0+4q 67", "undone: strum 3 notes"},
};

SCRIPT(a_strum_leaves_half_of_the_shortest, empty_session) = {
    {"‹put 0+60 60, 0+4q 64, 0+4q 67›:strum 500\r",
     "notes 0+60 60, 10+1910 64, 20+1900 67"},
};

SCRIPT(each_selected_chord_is_spread, empty_session) = {
    {TRIAD "‹put 4q+1q 72, 6q+1q 60, 6q+1q 65›‹C-a›:strum\r",
     "notes 0+4q 60, 19+1901 64, 38+1882 67, 4q+1q 72, 6q+1q 60, 2899+461 65",
     "2 chords strummed, the lowest note first"},
    {"u", "n 6"},
};

SCRIPT(an_arpeggio_goes_on_until_the_chord_ends, empty_session) = {
    {":grid 1/4\r" TRIAD ":arpeggio\r",
     "notes 0+1q 60, 1q+1q 64, 2q+1q 67, 3q+1q 60; selected 4",
     "1 chord arpeggiated, upwards"},
    {"u:arpeggio down\r", "notes 0+1q 67, 1q+1q 64, 2q+1q 60, 3q+1q 67"},
    {"u", "notes 0+4q 60, 0+4q 64, 0+4q 67", "undone: arpeggio"},
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

GROUP(NULL, NULL)
