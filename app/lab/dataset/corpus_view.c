/* Some bars of a piece as a training window shows them: in another key, louder or softer, with
 * fewer tracks, with notes that end early. See corpus_row.h. */
#include "app/lab/dataset/corpus_row.h"

#include "app/base/draw.h"

#include <string.h>

enum { SIXTEENTH = STEPS_PER_QUARTER / 4 };

/* Bars from `first` that fill n tokens, or all that are left: a hit takes a token at
 * least, a note two, a bar one. */
static int32_t bars_for(const struct corpus_piece *p, int32_t first, int n)
{
    size_t last = piece_note_at(&p->piece, p->bars[first]);
    int32_t end = p->piece.n_bars;
    for (int left = n; left >= 0 && last < p->piece.n_notes; last++)
        left -= piece_is_hit(&p->piece, &p->piece.notes[last]) ? 1 : 2;
    if (last < p->piece.n_notes)
        end = (int32_t)piece_bar_at(&p->piece, p->piece.notes[last].step) + 1;
    return at_most(end - first, n);
}

/* -- windows of some of the tracks -- */

enum {
    LONGEST_SILENCE = 8 * TOKEN_RADIX
}; /* steps; the window ends before a longer one */

static bool is_kept(uint64_t keep, const struct grid_note *n)
{
    return keep >> n->track & 1;
}

/* Moves to the first bar that has notes of these tracks; if none has, all tracks are kept. */
static void find_kept(struct corpus_view *w)
{
    const struct piece *p = &w->from->piece;
    size_t i = piece_note_at(p, w->from->bars[w->first_bar]);
    while (w->keep && i < p->n_notes && !is_kept(w->keep, &p->notes[i]))
        i++;
    if (i == p->n_notes)
        w->keep = 0;
    if (w->keep)
        w->first_bar = (int32_t)piece_bar_at(p, p->notes[i].step);
}

/* As bars_for. */
static int32_t kept_bars_for(const struct corpus_view *w, int n)
{
    const struct piece *p = &w->from->piece;
    size_t i = piece_note_at(p, w->from->bars[w->first_bar]);
    int32_t last = w->from->bars[w->first_bar];
    int left = n;
    for (; left >= 0 && i < p->n_notes; i++) {
        if (!is_kept(w->keep, &p->notes[i]))
            continue;
        if (p->notes[i].step > last + LONGEST_SILENCE)
            break;
        last = p->notes[i].step;
        left -= piece_is_hit(p, &p->notes[i]) ? 1 : 2;
    }
    int32_t end = (int32_t)piece_bar_at(p, last) + 1;
    if (left >= 0) /* no more notes, or none for long */
        end = at_most(end + 2, p->n_bars);
    return at_most(end - w->first_bar, n);
}

static void select_tracks(struct piece *p, uint64_t keep)
{
    uint8_t number[TOKEN_MAX_TRACKS] = {0}, families[TOKEN_MAX_TRACKS];
    const uint64_t kept = piece_tracks(p) & keep;
    size_t n = 0;
    if (!kept)
        return;
    memset(families, FAMILY_NONE, sizeof families);
    for (int t = 0, k = 0; t < TOKEN_MAX_TRACKS; t++)
        if (kept >> t & 1) {
            families[k] = p->families[t];
            number[t] = (uint8_t)k++;
        }
    for (size_t i = 0; i < p->n_notes; i++)
        if (is_kept(kept, &p->notes[i])) {
            p->notes[n] = p->notes[i];
            p->notes[n++].track = number[p->notes[i].track];
        }
    p->n_notes = n;
    memcpy(p->families, families, sizeof families);
}

static uint8_t shift_class(uint8_t pitch_class, int by)
{
    return (uint8_t)((pitch_class + by + 12) % 12);
}

/* Drums are not transposed. */
static void shift(struct piece *p, const struct corpus_view *w)
{
    for (size_t i = 0; i < p->n_chords; i++) {
        struct grid_chord *c = &p->chords[i];
        if (c->root == CHORD_NO_ROOT)
            continue;
        c->root = shift_class(c->root, w->transpose);
        c->bass = shift_class(c->bass, w->transpose);
    }
    for (size_t i = 0; i < p->n_notes; i++) {
        if (!piece_is_hit(p, &p->notes[i]))
            p->notes[i].pitch = (uint8_t)(p->notes[i].pitch + w->transpose);
        p->notes[i].velocity = (uint8_t)(p->notes[i].velocity + w->louder);
    }
}

/* Notes of a sixteenth and more end at `gate` hundredths of their length, as players and exports
 * end them. */
static void end_early(struct piece *p, int gate)
{
    if (!gate)
        return;
    for (size_t i = 0; i < p->n_notes; i++)
        if (!piece_is_hit(p, &p->notes[i]) && p->notes[i].length >= SIXTEENTH)
            p->notes[i].length =
                p->notes[i].length / 100 * gate + p->notes[i].length % 100 * gate / 100;
    piece_sort(p);
}

enum midi_status corpus_view_cut(struct piece *part, const struct corpus_view *w, int n,
                                 bool *to_end)
{
    struct corpus_view v = *w;
    find_kept(&v);
    int32_t bars = v.keep ? kept_bars_for(&v, n) : bars_for(v.from, v.first_bar, n);
    *to_end = !v.from->goes_on && v.first_bar + bars == v.from->piece.n_bars;
    enum midi_status st = piece_window(part, &v.from->piece, v.first_bar, bars);
    if (st)
        return st;
    if (v.keep)
        select_tracks(part, v.keep);
    if (!w->has_chords)
        part->n_chords = 0;
    shift(part, w);
    end_early(part, w->gate);
    part->style = w->style;
    return MIDI_OK;
}
