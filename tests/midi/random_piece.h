/* Random canonical pieces, nastier than music: odd meters, bars cut short, bars of
 * thousands of steps, notes longer than the piece, unisons, drums, many chords. */
#ifndef TESTS_MIDI_RANDOM_PIECE_H
#define TESTS_MIDI_RANDOM_PIECE_H

#include "tests/midi/auto.h"

#include <stdio.h>
#include <string.h>

enum { RANDOM_PIECE_NOTES = 40, RANDOM_PIECE_METERS = 5, RANDOM_PIECE_CHORDS = 12 };

/* A linear congruential generator's high bits, in [0, below). */
static inline int random_below(uint64_t *state, int below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)((*state >> 33) % (uint64_t)below);
}

/* Up to n - 1 of these letters; it ends where its memory does, for the sanitizers. The
 * caller frees it. */
static inline char *random_text(const char *letters, int n, uint64_t *r)
{
    n = random_below(r, n);
    char *text = malloc((size_t)n + 1);
    for (int i = 0; text && i < n; i++)
        text[i] = letters[random_below(r, (int)strlen(letters))];
    if (!text)
        abort();
    text[n] = '\0';
    return text;
}

static inline int32_t random_length(uint64_t *r)
{
    switch (random_below(r, 6)) {
    case 0:
        return 96 * (1 + random_below(r, 130));
    case 1:
        return 6048 + random_below(r, 3) - 1;
    case 2:
        return 1 + random_below(r, 20000);
    default:
        return 1 + random_below(r, 60);
    }
}

static inline void random_meters(struct piece *p, uint64_t *r)
{
    int n = 1 + random_below(r, RANDOM_PIECE_METERS);
    int32_t step = 0;
    for (int i = 0; i < n; i++) {
        bool is_small = random_below(r, 4) > 0;
        p->meters[p->n_meters++] = (struct grid_meter){
            .step = step,
            .numerator = (int16_t)(1 + random_below(r, is_small ? 4 : 64)),
            .denominator = (int16_t)(1 << (is_small ? 2 : random_below(r, 8))),
        };
        int32_t bar = meter_steps(p->meters[i].numerator, p->meters[i].denominator);
        step += random_below(r, 2) ? bar : 1 + random_below(r, 2 * bar);
    }
}

static inline struct grid_note random_note(uint64_t *r, int32_t end, int n_tracks)
{
    return (struct grid_note){
        .step = random_below(r, 3) ? random_below(r, end) : 0,
        .length = random_length(r),
        .track = (uint8_t)random_below(r, n_tracks),
        .pitch = (uint8_t)(random_below(r, 2) ? random_below(r, 128) : 60),
        .velocity = (uint8_t)(random_below(r, 2) ? random_below(r, 32) : 16),
    };
}

/* A third are drums; declares some tracks without notes, too. */
static inline void random_families(struct piece *p, uint64_t *r)
{
    for (size_t i = 0; i < p->n_notes; i++)
        p->families[p->notes[i].track] = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (p->families[t] == 0 || random_below(r, 30) == 0)
            p->families[t] =
                (uint8_t)(random_below(r, 3) ? random_below(r, FAMILY_COUNT)
                                             : FAMILY_DRUMS);
    for (size_t i = 0; i < p->n_notes; i++)
        if (piece_is_hit(p, &p->notes[i]))
            p->notes[i].pitch = (uint8_t)(HIT_FIRST + p->notes[i].pitch % HIT_COUNT);
}

static inline void random_chords(struct piece *p, uint64_t *r, int32_t end, int most)
{
    p->n_chords = random_below(r, 2) ? (size_t)random_below(r, most) : 0;
    for (size_t i = 0; i < p->n_chords; i++) {
        uint8_t root = (uint8_t)(random_below(r, 3) ? random_below(r, 13) : 4);
        p->chords[i] = (struct grid_chord){
            .step = p->n_notes && random_below(r, 2)
                        ? p->notes[random_below(r, (int)p->n_notes)].step
                        : random_below(r, end),
            .root = root,
            .quality =
                (uint8_t)(random_below(r, 2) ? random_below(r, CHORD_QUALITIES) : 0),
            .bass = random_below(r, 2) ? root % 12 : (uint8_t)random_below(r, 12),
        };
    }
}

/* The caller runs piece_fini. */
static inline struct piece random_piece_of(uint64_t *r, int n_notes, int n_chords)
{
    struct piece p;
    if (piece_alloc(&p, (enum style)random_below(r, STYLE_COUNT), (size_t)n_notes,
                    (size_t)n_chords, RANDOM_PIECE_METERS))
        abort();
    if (random_below(r, 50) == 0)
        return p;
    random_meters(&p, r);
    piece_sort(&p);
    p.n_bars = (int32_t)piece_bar_at(&p, p.meters[p.n_meters - 1].step) + 1 +
               random_below(r, 4);
    int32_t end = (int32_t)piece_bar_start(&p, p.n_bars);
    int n_tracks = random_below(r, 3) ? 1 + random_below(r, 4) : TOKEN_MAX_TRACKS;
    p.n_notes = (size_t)random_below(r, n_notes);
    for (size_t i = 0; i < p.n_notes; i++)
        p.notes[i] = random_note(r, end, n_tracks);
    random_families(&p, r);
    random_chords(&p, r, end, n_chords);
    p.resumes = random_below(r, 2);
    piece_sort(&p);
    return p;
}

static inline struct piece random_piece(uint64_t *r)
{
    return random_piece_of(r, RANDOM_PIECE_NOTES, RANDOM_PIECE_CHORDS);
}

/* A piece as tokens, which must succeed. */
static inline struct tokens piece_tokens(const struct piece *p, bool with_eos)
{
    struct tokens t;
    if (tokens_encode(&t, p, with_eos))
        abort();
    return t;
}

/* Notes as text, "track:pitch@step+length " each; valid until the next call. */
static inline const char *told_notes(const struct grid_note *notes, size_t n_notes)
{
    static char text[1024];
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < n_notes && n < sizeof text - 64; i++)
        n += (size_t)sprintf(text + n, "%d:%d@%d+%d ", notes[i].track, notes[i].pitch,
                             notes[i].step, notes[i].length);
    return text;
}

/* Notes of such a text. Returns how many. */
static inline size_t notes_of(const char *text, struct grid_note *notes)
{
    size_t n = 0;
    int track, pitch, step, length, used;
    for (; sscanf(text, "%d:%d@%d+%d %n", &track, &pitch, &step, &length, &used) == 4;
         text += used)
        notes[n++] = (struct grid_note){.step = step,
                                        .length = length,
                                        .track = (uint8_t)track,
                                        .pitch = (uint8_t)pitch,
                                        .velocity = 16};
    return n;
}

/* The names of tokens, with commas between; valid until the next call. */
static inline const char *told_tokens(const struct tokens *t)
{
    static char text[4096];
    size_t n = 0;
    char name[24];
    for (size_t i = 0; i < t->n && n < sizeof text - 64; i++)
        n += (size_t)sprintf(text + n, "%s%s", i ? ", " : "",
                             token_name(t->id[i], name, sizeof name));
    return text;
}

/* The tokens of such names. */
static inline struct tokens tokens_of(const char *names)
{
    struct tokens t = {0};
    t.id = calloc(strlen(names), sizeof *t.id);
    for (const char *end; t.id && *names; names = end + strspn(end, ", "), t.n++) {
        char name[24];
        end = names + strcspn(names, ",");
        for (int32_t id = 0; id < TOKEN_COUNT; id++) {
            token_name(id, name, sizeof name);
            if (strlen(name) == (size_t)(end - names) &&
                !strncmp(name, names, strlen(name)))
                t.id[t.n] = id;
        }
    }
    return t;
}

static inline bool pieces_equal(const struct piece *a, const struct piece *b)
{
    if (a->style != b->style || a->resumes != b->resumes || a->n_bars != b->n_bars ||
        a->n_notes != b->n_notes || a->n_meters != b->n_meters ||
        a->n_chords != b->n_chords ||
        memcmp(a->families, b->families, sizeof a->families) != 0)
        return false;
    for (size_t i = 0; i < a->n_chords; i++)
        if (a->chords[i].step != b->chords[i].step ||
            !grid_chord_equal(&a->chords[i], &b->chords[i]))
            return false;
    for (size_t i = 0; i < a->n_notes; i++)
        if (grid_note_compare(&a->notes[i], &b->notes[i]))
            return false;
    for (size_t i = 0; i < a->n_meters; i++)
        if (a->meters[i].step != b->meters[i].step ||
            a->meters[i].numerator != b->meters[i].numerator ||
            a->meters[i].denominator != b->meters[i].denominator)
            return false;
    return true;
}

#endif
