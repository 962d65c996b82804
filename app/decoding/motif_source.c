/* The phrase that returns, as the score has it, and the key in which it returns. Used by
 * context.c only; see app/decoding/motif.h. */
#include "app/decoding/context.h"

#include "app/biases/analysis.h"
#include "midi/score/notes.h"
#include "midi/score/scale_guess.h"

#include <stdlib.h>

enum { KEY_BARS = 16 }; /* the key is guessed from this many bars before */

/* The share of the sound that fits a key signature which is believed: exports say C in any key. */
#define FITS 0.85

/* If the phrase has it, and it may return on its track. */
static void gather(struct context *c, const struct continuation_motif *m, int track,
                   struct note n)
{
    const int t = context_token_track(c, track);
    if (t < 0 || !c->hole.tracks[t] || !(m->tracks >> track & 1) ||
        n.start < m->from_tick || n.start >= m->to_tick || n.pitch < m->pitch_lo ||
        n.pitch > m->pitch_hi)
        return;
    const bool is_hit = c->music.families[t] == FAMILY_DRUMS;
    if (is_hit && !is_hit_key(n.pitch))
        return;
    n.id = 0;
    note_lose_order(&n);
    c->motif.notes[c->motif.n++] =
        (struct continued_note){.track = track, .is_hit = is_hit, .note = n};
}

/* Seven classes, so that steps have names: those that hold most of what sounds, such as A
 * major's for a blues in E; if several sets fit, those of the guessed key. */
static uint16_t best_scale(const double sounds[12], uint16_t guessed)
{
    static const char LETTERS[] = "CCDDEFFGGAAB";
    static const enum scale_kind KINDS[] = {SCALE_MAJOR, SCALE_HARMONIC_MINOR};
    const double IS_GUESSED = 0.02;
    uint16_t best = guessed;
    double most = share_in_scale(sounds, guessed) + IS_GUESSED;
    for (int i = 0; i < 24; i++) {
        const int tonic = i / 2;
        const bool is_sharp = tonic && LETTERS[tonic] == LETTERS[tonic - 1];
        const struct scale key = {LETTERS[tonic], is_sharp, KINDS[i % 2]};
        const double share = share_in_scale(sounds, scale_mask(&key));
        if (share > most) {
            most = share;
            best = scale_mask(&key);
        }
    }
    return best;
}

/* The scale of the key signature, major or harmonic minor; 0: there is none, or what sounds does
 * not fit it. */
static uint16_t signature_scale(uint16_t major, const double sounds[12], double sum)
{
    struct scale key;
    if (!scale_from_mask(major, &key))
        return 0;
    const int fifth = scale_tonic(&key) + 7; /* raised, the minor's leading note */
    const uint16_t minor =
        (uint16_t)((major & ~(1u << fifth % 12)) | 1u << (fifth + 1) % 12);
    const double of_major = share_in_scale(sounds, major),
                 of_minor = share_in_scale(sounds, minor);
    if (sum > 0 && of_major < FITS && of_minor < FITS)
        return 0;
    return of_minor > of_major ? minor : major;
}

/* Of the last bars before the hole, or else of all the music. */
static uint16_t key_of(const struct context *c, const struct score *s)
{
    const struct piece *p = &c->music;
    const int64_t bar = piece_bar_at(p, c->hole.from) - KEY_BARS;
    const int64_t from = piece_bar_start(p, bar > 0 ? bar : 0);
    double sounds[12] = {0}, sum = add_sounds(sounds, p, piece_note_at(p, from),
                                              piece_note_at(p, c->hole.from));
    struct scale guess = {'C', 0, SCALE_MAJOR};
    if (__builtin_popcount(c->hole.scale) == 7)
        return c->hole.scale;
    sum = sum > 0 ? sum : add_sounds(sounds, p, 0, p->n_notes);
    const uint16_t signature = signature_scale(c->signature.scale, sounds, sum);
    if (signature)
        return signature;
    scale_guess(s, 0, INT64_MAX, &guess);
    return sum > 0 ? best_scale(sounds, scale_mask(&guess)) : scale_mask(&guess);
}

enum midi_status context_keep_motif(struct context *c, const struct score *s,
                                    const struct continuation_options *o)
{
    if (o->motif.kind == MOTIF_NONE || c->begins_there)
        return MIDI_OK;
    c->motif.notes =
        calloc(score_n_notes(s) + o->n_replaced + 1, sizeof *c->motif.notes);
    if (!c->motif.notes)
        return MIDI_NO_MEMORY;
    for (int t = 0; t < (int)s->n_tracks && t < TOKEN_MAX_TRACKS; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes; i++)
            gather(c, &o->motif, t, s->tracks[t].notes[i]);
    for (size_t i = 0; i < o->n_replaced; i++) /* the hole may be the phrase itself */
        gather(c, &o->motif, o->replaced[i].track, o->replaced[i].note);
    c->motif.scale = key_of(c, s);
    return MIDI_OK;
}
