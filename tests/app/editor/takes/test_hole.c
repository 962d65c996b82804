/* Changing a part of the music without a screen: what is asked for, that nothing in the
 * score changes before a take is accepted, and that everything comes back. That nothing
 * outside the hole changes after it is in test_exact_hole.c. The model is tiny and random; it
 * knows holes. */
#include "app/editor/takes/takes.h"
#include "tests/check.h"
#include "tests/app/heard.h"
#include "tests/app/invariants.h"
#include "tests/app/quarters.h"

/* "1920-3840 of 2": what is asked for, and a bit for each of its tracks; then its pitches if
 * they are not all. */
static const char *hole_of(const struct session *s)
{
    static char text[96];
    const struct continuation_hole *h = &s->request.asked.options.hole;
    size_t n =
        (size_t)snprintf(text, sizeof text, "%lld-%lld of %d", (long long)h->from_tick,
                         (long long)h->to_tick, (int)s->request.asked.options.tracks);
    if (h->pitch_lo > 0 || h->pitch_hi < 127)
        snprintf(text + n, sizeof text - n, ", %d to %d", h->pitch_lo, h->pitch_hi);
    return s->has_take ? text : "";
}

TEXT_FACT(hole, hole_of(s))
TEXT_FACT(label, view_of(s)->selection.change_label) /* what c would do, said before */
TEXT_FACT(hole_shown, view_of(s)->hole.is_shown ? view_of(s)->hole.label : "")

static bool has_note(const struct session *s, int64_t start, int pitch)
{
    const struct track *t = track(s, 0);
    for (size_t i = 0; i < t->n_notes; i++)
        if (t->notes[i].start == start && t->notes[i].pitch == pitch)
            return true;
    return false;
}

/* On the first track: what was drawn at bar 3, and what was moved to bar 7. */
NUMBER_FACT(drawn, has_note(s, 2 * BAR, 100))
NUMBER_FACT(moved, has_note(s, 6 * BAR, 60))

WORD(drop)
{
    run(s, CMD_STOP);
    session_drop_take(s);
}

SCRIPT(motions_name_the_hole, two_tracks) = {
    {"‹track 1›‹at 1b1q›cc", "hole 1920-3840 of 2", "~filling bar 2;"},
    {"‹drop›‹at 1b›3cc", "hole 1920-7680 of 2", "~filling bars 2-4;"},
    {"‹drop›‹at 1b2q›c$", "hole 2880-3840 of 2", "~filling 2 beats of bar 2;"},
    {"‹drop›‹at 3q›cL", "hole 1440-1920 of 2", "~filling 1 beat of bar 1;"},
    {"‹drop›‹at 1q›2cL", "hole 480-3840 of 2", "~filling part of bars 1-2;"},
    {"‹drop›‹at 2b›cG", "hole 3840-7680 of 2", "~filling bars 3-4;"},
    {"‹drop›‹at 1s›cw", "hole 120-480 of 2", "~filling part of bar 1;"},
    {"‹drop›‹at 1s›2cw", "hole 120-960 of 2", "~filling part of bar 1;"},
    {"‹drop›‹at 6b›cc", "hole 11520-13440 of 2", "~filling bar 7;"}, /* empty */
};

SCRIPT(an_empty_span_is_said, two_tracks) = {
    {"‹track 0›‹at 4b›cw", "no take", "~no note follows"},
    {"cG", "no take", "~ends before the cursor"},
    {"‹track -1›cc", "no take", "~no tracks"},
};

SCRIPT(a_selection_names_the_hole, two_tracks) = {
    {"‹track 0›‹at 1q›‹pitch 61›vk7lc",
     "hole 480-1440 of 1, 61 to 62; no selected; gone 2"},
    {"‹wait›x‹at 1b›VLc", "hole 1920-5760 of 1; gone 8"},
};

/* Bars are rewritten on the tracks that x, y and D would act on, and the status line says
 * so before. */
SCRIPT(bars_are_changed_on_their_tracks, two_tracks) = {
    {"‹track 1›‹at 1b›V", "label c rewrites bar 2 of Bass"},
    {"L", "label c rewrites bars 2-3 of Bass; selected 8"},
    {"c", "hole 1920-5760 of 2; gone 8"},
    {"‹drop›‹track 0›‹at 0›gV", "label c rewrites bar 1 of 2 tracks"},
    {"c", "hole 0-1920 of 3; gone 8"},
    {"‹drop›", "label "}, /* nothing is selected */
};

/* Of all tracks those are meant that have notes there; where none has, all that are seen. */
SCRIPT(bars_of_all_tracks_are_those_with_notes, two_tracks) = {
    {":track Flute\r‹track 0›‹at 0›gVc", "hole 0-1920 of 3"},
    {"‹drop›‹track 0›‹at 6b›gV", "label c rewrites bar 7 of 3 tracks"},
    {"c", "hole 11520-13440 of 7"},
};

WORD(choose)
{
    select_one(s, note_of(s, 0, 1)->id);
    select_toggle(s, note_of(s, 0, 5)->id);
    select_toggle(s, note_of(s, 1, 3)->id);
}

/* Notes chosen one by one, of both tracks: cc rewrites them, and what lies between them
 * stands, also when it is asked again. */
SCRIPT(chosen_notes_alone_are_rewritten, two_tracks) = {
    {"‹choose›", "label cc rewrites them, of 2 tracks"},
    {"cc", "hole 480-2880 of 3; gone 3; no selected"},
    {"‹drop›r", "gone 3"},
    {"‹drop›‹track 0›‹at 1b›cc",
     "hole 1920-3840 of 1; gone 4"}, /* nothing is selected */
};

SCRIPT(a_box_says_its_pitches, two_tracks) = {
    {"‹track 1›‹at 1b1q›‹pitch 37›v7lk",
     "label c rewrites 2 beats of bar 2 of Bass, C♯2 to D2"},
};

SCRIPT(nothing_changes_before_it_is_accepted, two_tracks) = {
    {"‹remember›‹track 0›‹at 1b›cc", "gone 4; state 1"},
    {"‹wait›", "replaced 4; hole_shown bar 2; as_remembered"},
    {"x", "no take; state 1; replaced 0; as_remembered"},
};

SCRIPT(accepting_is_one_step, two_tracks) = {
    {"‹track 0›‹at 1b›2cc‹wait›‹remember›a", "no take; no error; n_beside 24"},
    {"u", "as_remembered", "~undone: fill bars 2-3, "},
    {"‹C-r›", "n_beside 24"},
    {"r", "no take"}, /* accepted is done */
};

SCRIPT(what_goes_is_not_heard, two_tracks) = {
    {"‹track 1›‹at 0›cc", "ghosts 0; heard 28; heard_from1 1b; heard_anew"},
    {"‹wait›", "heard_beside 28"},
    {"x", "heard_anew; heard 32; heard_as_written"},
};

/* Where one note fills the hole, another has room only when that is out of the way. */
SCRIPT(what_goes_is_in_nobodys_way, two_tracks) = {
    {"‹track 0›‹at 1q›‹pitch 61›v3lc", "gone 1"},
    {"‹wait›‹remember›a", "n_beside 31", "-left out"},
};

static uint64_t noted;

DOES(note_seed, noted = s->request.asked.options.sampling.seed)
NUMBER_FACT(seeds_since, s->request.asked.options.sampling.seed - noted)
NUMBER_FACT(overlaps, count_overlaps(s->project.score))

/* Also when they were rejected. */
SCRIPT(again_fills_the_same_hole, two_tracks) = {
    {"‹track 0›‹at 2b›cc‹wait›‹note_seed›"},
    {"‹track 1›‹at 0›r", "hole 3840-5760 of 1; gone 4; takes 2..20; seeds_since 1"},
    {"‹wait›Xr", "hole 3840-5760 of 1; gone 4"},
};

/* A take waits: what is drawn in the hole stays, what is moved out of it, too. */
SCRIPT(edits_meanwhile_are_kept, two_tracks) = {
    {"‹track 0›‹at 2b›cc‹wait›\033‹pitch 100›16\r", "mode NORMAL"},
    {"‹pitch 60›64>", "gone 3"},
    {"‹at 2b1q›‹pitch 61›x", "gone 2"},
    {"Ta", "overlaps 0; drawn; moved"},
};

/* The other way round: undone, the moved note goes again. */
SCRIPT(an_undone_move_goes_again, two_tracks) = {
    {"‹track 0›‹at 2b›‹pitch 60›cc‹wait›\03364>", "gone 3"},
    {"u", "gone 4"},
};

SCRIPT(a_waiting_take_comes_first, two_tracks) = {
    {"‹track 0›‹at 0›cc‹wait›\033‹at 1b›cc", "mode TAKES; hole 0-1920 of 1",
     "~a take waits"},
    {"xC‹wait›", "from 4b; gone 0"}, /* after the music, on all tracks, as ever */
};

SCRIPT(stopping_brings_everything_back, two_tracks) = {
    {"‹track 0›‹at 0›4cc‹C-c›"}, /* sooner or later than the first note */
    {"‹drop›", "gone 0; mode NORMAL; state 1; heard 32; heard_as_written"},
};

SCRIPT(an_empty_score_can_be_filled, two_tracks) = {
    {"u", "n 0"}, /* the music */
    {"‹track 0›‹at 1b›cc", "hole 1920-3840 of 1"},
    {"‹wait›a", "n"},
};

/* The hole's track is undone while the take waits, and asked for again. */
SCRIPT(a_hole_goes_with_its_track, two_tracks) = {
    {"A", "track 2"},
    {"‹at 0›cc‹wait›u", "no take"},
    {"r", "no take", "~was removed"},
};

GROUP(make_model, remove_own_folder)
