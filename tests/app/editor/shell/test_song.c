/* A song of 16 bars from an empty score, by keys alone: a tune, the chords and the band, a change
 * of key, a motif that returns, two accepted takes. The model has random weights, so that of
 * what it writes only the place is known. */
#include "tests/check.h"
#include "tests/app/editor/events.h"

enum { BAR = 1920, MOTIF = 2 * BAR, HALF = 8 * BAR };

static struct score *saved;

/* Step by step, each key 100 ms after the one before. */
WORD(steps)
{
    const double begin = clock_now_ms() - 100 * (double)strlen(arguments);
    for (int i = 0; arguments[i]; i++) {
        next_ms = begin + 100 * i;
        press_code(s, (uint32_t)arguments[i]);
    }
    next_ms = 0;
    pass_ms(s, 300);
}

DOES(save, line(s, formatted("w %s", in_folder("song.mid"))))

WORD(load)
{
    struct smf_report report;
    score_destroy(saved);
    assert_int_equal(smf_load(&saved, s->project.path, &report), MIDI_OK);
}

/* The first two bars stand there, so many semitones higher. */
static bool has_motif(int64_t at, int by)
{
    const struct track *t = &saved->tracks[0];
    size_t first = score_first_note_at(saved, 0, at), i = 0;
    for (; t->notes[i].start < MOTIF; i++) {
        const struct note *a = &t->notes[i],
                          *b = first + i < t->n_notes ? &t->notes[first + i] : NULL;
        if (!b || b->start - at != a->start || b->pitch != a->pitch + by)
            return false;
    }
    return i == 16;
}

static int count_motifs(void)
{
    int n = 0;
    for (int64_t at = MOTIF; at < HALF; at += BAR)
        n += has_motif(at, 0) && has_motif(at + HALF, 2);
    return n;
}

NUMBER_FACT(motifs, count_motifs())
NUMBER_FACT(turned, has_motif(HALF, 2))
TEXT_FACT(keys, signs_of(saved, TIMELINE_BIT(TIMELINE_KEY), NULL))
NUMBER_FACT(parts, saved->n_tracks)
NUMBER_FACT(of_part, saved->tracks[of].n_notes)
NUMBER_FACT(ends, score_end_tick(saved))

SCRIPT(a_song_in_one_go, model_session) = {
    {"t100\r:harmony C Am F G C Am F G D Bm G A D Bm G A\r", "bpm 100; no error"},
    {"Q(‹steps ttyteqweeytewqwe›\033", "n 16; at 2b; mode NORMAL"},
    {"ggVLgm\033G6C‹made›", "take; takes 1", "~notes in"},
    {"a", "no take; n 17..999", "~accepted"},
    {"ggV7Ly9Gp2}\033:key D\r", "no error"},
    {":min-notes 2\r:accompany bass, drums, electric piano\r‹made›", "take; tracks 4"},
    {"a‹save›", "no take; no error; clean"},
    {"‹load›", "parts 4; of_part1 2..999; of_part2 2..999; of_part3 2..999"},
    {"", "motifs 1..6; turned; keys ~15360:D major; ends 15361..30720"},
};

static int forget(void **state)
{
    score_destroy(saved);
    return remove_own_folder(state);
}

GROUP(make_model, forget)
