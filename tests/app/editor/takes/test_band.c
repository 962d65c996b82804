/* `:accompany`: tracks that come with takes, and go with them. */
#include "app/editor/session/edit.h"
#include "tests/check.h"
#include "tests/app/quarters.h"
#include "tests/app/editor/events.h"

/* Four bars of a broken chord, and one take at a time, of a model of random weights. */
static int open_session(void **state)
{
    static const int CHORD[] = {60, 64, 67, 64};
    if (model_session(state))
        return -1;
    struct change *c = change_create("a tune");
    for (int i = 0; i < 4 * BARS; i++)
        assert_ok(
            change_add_note(c, 0, edit_new_note(i * BEAT, BEAT, CHORD[i % 4], 80)));
    act_command_line(*state, "takes 1");
    act_command_line(*state, "min-notes 2");
    return !edit_do(*state, c);
}

NUMBER_FACT(of_band, ALL_GHOSTS(s, g,
                                (g->track == 1 || g->track == 2) &&
                                    (g->track != 1 ||
                                     (g->note.pitch >= 28 && g->note.pitch <= 52)) &&
                                    note_end(&g->note) <= BARS * BAR))

SCRIPT(a_band_is_accepted_in_one_step, open_session) = {
    {":accompany bass, drums\r‹made›",
     "tracks 3; takes 1; ghosts 4..999; of_band; n0 16; n1 0; n2 0; n_chords 1..16"},
    {"", "name1 Acoustic Bass; program1 32; name2 Drums; channel2 9"},
    {"a", "no take; tracks 3; n0 16; n1 2..999; n2 2..999; n_chords 1..16",
     "~accepted"},
    {"u", "tracks 1; n0 16; no n_chords"},
    {"‹C-r›", "tracks 3; n0 16; n1 2..999; n2 2..999; n_chords 1..16"},
};

SCRIPT(a_rejected_band_goes_away, open_session) = {
    {":accompany bass, drums\r‹made›r‹made›", "tracks 3; takes 2; of_band"},
    {"x", "tracks 3; takes 1"},
    {"x", "no take; tracks 1; n0 16; no n_chords", "rejected; nothing was changed"},
    {"r", "no take", "~nothing to try again"},
    {":accompany piano\r‹made›X", "no take; tracks 1; no n_chords"},
    {":accompany piano\ru", "no take; tracks 1"},
};

/* What was written by hand meanwhile is not undone with the tracks. */
SCRIPT(edits_meanwhile_stay, open_session) = {
    {":accompany bass, drums\r‹made›\033‹at 3b›‹pitch 100›\r", "n0 17; tracks 3; take"},
    {"TX", "no take; n0 17; tracks 3"},
};

/* One part, and then the rest. */
SCRIPT(a_part_is_accepted_with_the_tracks, open_session) = {
    {":accompany bass, drums\r‹made›\033‹at 0›V", "tracks 3; take"},
    {"a", "tracks 3; take", "~accepted"},
    {"X", "tracks 3; no take; n0 16"},
    {"u", "tracks 1; n0 16; no n_chords"},
};

/* Chords that are there are kept; a track without notes has no melody. */
SCRIPT(chords_of_the_file_are_kept, open_session) = {
    {":harmony F C\r:accompany bass\r‹made›", "tracks 2; n_chords 2"},
    {"x", "tracks 1; n_chords 2"},
    {"A:accompany bass\r", "tracks 2; no take", "~no melody"},
    {"‹track 0›:accompany qqzx\r", "tracks 2; no take", "!there is no instrument qqzx"},
    {":accompany\r", "tracks 2; no take", "!accompany: use instruments"},
};

GROUP(make_model, remove_own_folder)
