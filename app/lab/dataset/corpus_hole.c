/* See corpus_row.h. Spans, tracks, pitches and controls are drawn one by one. */
#include "app/lab/dataset/corpus_row.h"

#include "app/base/draw.h"
#include "midi/tokens/token_time.h"

#include <stdlib.h>

enum {
    TRIES = 6,
    FEW_BARS = 2,
    MOST_BARS = 8,
    SIXTEENTH = STEPS_PER_QUARTER / 4,
    LOWEST = 21, /* the piano's keys */
    HIGHEST = 108,
    CLOSES = 70, /* in a hundred holes that end the piece, those that say so */
    CHORDS_FIRST =
        50, /* in a hundred holes in music with chords, those that write them */
    MAX_DISTANCE = 12, /* of a band of pitches beyond the music, semitones */
};

/* A request without controls. */
static const struct fill_request ANY = {FILL_ANYTHING};

/* In a hundred. */
static bool sample_chance(struct rng *r, int percent)
{
    return draw_below(r, 100) < percent;
}

static int32_t bar_start(const struct piece *p, int bar)
{
    return (int32_t)piece_bar_start(p, bar);
}

/* [first, first + n) of the bars. */
static void span_bars(struct fill_request *q, const struct piece *p, int first, int n)
{
    q->from = bar_start(p, first);
    q->to = bar_start(p, first + n);
}

/* From a note's onset or any sixteenth, for up to four quarters or sixteen. */
static void span_steps(struct fill_request *q, const struct piece *p, struct rng *r)
{
    int32_t end = bar_start(p, p->n_bars);
    q->from = SIXTEENTH * draw_below(r, end / SIXTEENTH + 1);
    if (p->n_notes && sample_chance(r, 60))
        q->from = p->notes[draw_below(r, (int)p->n_notes)].step;
    int longest = sample_chance(r, 50) ? 16 : 64;
    q->to = at_most(q->from + SIXTEENTH * (1 + draw_below(r, longest)), end);
}

/* Half of them are short, like those of users: a short one depends most on what follows. */
static void sample_span(struct fill_request *q, const struct piece *p, struct rng *r)
{
    int most = sample_chance(r, 50) ? FEW_BARS : MOST_BARS;
    int n = 1 + draw_below(r, at_most(p->n_bars, most));
    int kind = draw_below(r, 100);
    if (kind < 55)
        span_bars(q, p, draw_below(r, p->n_bars - n + 1), n);
    else if (kind < 77)
        span_steps(q, p, r);
    else if (kind < 90)
        span_bars(q, p, p->n_bars - n, n); /* to continue with */
    else if (kind < 95)
        span_bars(q, p, 0, n);
    else
        span_bars(q, p, 0, p->n_bars);
}

static uint64_t sample_some(uint64_t used, struct rng *r)
{
    uint64_t some = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if ((used >> t & 1) && sample_chance(r, 50))
            some |= UINT64_C(1) << t;
    return some;
}

/* All, one, or any of those with notes. */
static uint64_t sample_tracks(const struct piece *p, struct rng *r)
{
    uint64_t used = piece_tracks(p);
    int kind = draw_below(r, 100);
    if (kind < 50)
        return used;
    int track = p->notes[draw_below(r, (int)p->n_notes)].track;
    if (kind < 85)
        return UINT64_C(1) << track;
    const uint64_t some = sample_some(used, r);
    return some ? some : used;
}

/* The range of pitches of the music; if there are none, the lowest is above the highest. */
static void widen(struct fill_request *q, const struct piece *p)
{
    q->pitch_lo = 127;
    q->pitch_hi = 0;
    for (size_t i = 0; i < p->n_notes; i++) {
        int pitch = p->notes[i].pitch;
        if (piece_is_hit(p, &p->notes[i]))
            continue;
        q->pitch_lo = (uint8_t)at_most(q->pitch_lo, pitch);
        q->pitch_hi = (uint8_t)at_least(q->pitch_hi, pitch);
    }
}

/* The pitch of a note that is not a hit; there must be one. */
static int sample_pitch(const struct piece *p, struct rng *r)
{
    size_t i = (size_t)draw_below(r, (int)p->n_notes);
    while (piece_is_hit(p, &p->notes[i]))
        i = (i + 1) % p->n_notes;
    return p->notes[i].pitch;
}

/* All pitches, those of the music and some around, or a band between two notes. */
static void sample_pitches(struct fill_request *q, const struct piece *p, struct rng *r)
{
    int kind = draw_below(r, 100);
    widen(q, p);
    if (kind < 35 || q->pitch_lo > q->pitch_hi) {
        q->pitch_lo = 0;
        q->pitch_hi = 127;
    } else if (kind < 80) {
        q->pitch_lo = (uint8_t)at_most(
            q->pitch_lo,
            at_least(q->pitch_lo - draw_below(r, MAX_DISTANCE + 1), LOWEST));
        q->pitch_hi = (uint8_t)at_least(
            q->pitch_hi,
            at_most(q->pitch_hi + draw_below(r, MAX_DISTANCE + 1), HIGHEST));
    } else {
        int a = sample_pitch(p, r), b = sample_pitch(p, r);
        q->pitch_lo = (uint8_t)at_most(a, b);
        q->pitch_hi = (uint8_t)at_least(a, b);
    }
}

/* Some notes stay in every sixth hole; NULL: none, or out of memory. */
static bool *sample_kept(const struct piece *p, struct rng *r)
{
    bool *keep = sample_chance(r, 17) ? calloc(p->n_notes + 1, sizeof *keep) : NULL;
    int percent = 10 + draw_below(r, 70);
    for (size_t i = 0; keep && i < p->n_notes; i++)
        keep[i] = sample_chance(r, percent);
    return keep;
}

static void sample_control(int *level, struct rng *r, bool none)
{
    if (none || sample_chance(r, 30))
        *level = FILL_ANY;
}

/* Where nothing stays after the hole begins, its bars are still to come. */
static void forget_bars(struct fill *f)
{
    struct piece *p = &f->around;
    int bar = (int)piece_bar_at(p, f->request.from);
    bool has_later =
        (p->n_notes && p->notes[p->n_notes - 1].step >= bar_start(p, bar)) ||
        (p->n_chords && p->chords[p->n_chords - 1].step >= bar_start(p, bar));
    bool has_meter = p->meters[p->n_meters - 1].step >= bar_start(p, bar);
    if (bar > 0 && f->request.from == bar_start(p, bar) && !has_later && !has_meter)
        p->n_bars = f->inside.n_bars = bar;
}

/* -- whole tracks that are missing: a bass, drums, a second violin for the others, or a band for
 * one part -- */

enum {
    MISSING = 20,       /* in a hundred holes in music of several tracks */
    MISSING_ONE = 55,   /* of these: one track */
    MISSING_BAND = 20,  /* all but one; else some */
    MISSING_PLAIN = 50, /* without controls */
};

static uint64_t sample_missing(const struct piece *p, struct rng *r)
{
    const uint64_t used = piece_tracks(p);
    const int kind = draw_below(r, 100);
    const uint64_t one =
        corpus_nth_track(used, draw_below(r, __builtin_popcountll(used)));
    if (kind < MISSING_ONE)
        return one;
    if (kind < MISSING_ONE + MISSING_BAND)
        return used & ~one;
    const uint64_t some = sample_some(used, r);
    return some && some != used ? some : one;
}

/* Notes of the missing tracks that outlast the window end with it. */
static void take_all(struct fill *f)
{
    struct piece *a = &f->around, *b = &f->inside;
    size_t kept = 0;
    for (size_t i = 0; i < a->n_notes; i++) {
        struct grid_note n = a->notes[i];
        if (f->request.tracks >> n.track & 1) {
            n.length = at_most(n.length, f->request.to - n.step);
            b->notes[b->n_notes++] = n;
        } else {
            a->notes[kept++] = n;
        }
    }
    a->n_notes = kept;
    piece_sort(b);
}

enum midi_status corpus_hole_of_tracks(struct fill *f, const struct piece *p,
                                       uint64_t tracks)
{
    struct fill_request q = ANY;
    q.to = bar_start(p, p->n_bars);
    q.pitch_hi = 127;
    q.tracks = tracks;
    if (!fill_request_valid(&q))
        return MIDI_EMPTY;
    enum midi_status st = fill_split(f, p, &q, NULL);
    if (!st)
        take_all(f);
    return st;
}

static enum midi_status try_hole(struct fill *f, const struct piece *p, struct rng *r)
{
    struct fill_request q = ANY;
    sample_span(&q, p, r);
    q.tracks = sample_tracks(p, r);
    sample_pitches(&q, p, r);
    if (!fill_request_valid(&q))
        return MIDI_EMPTY;
    bool *keep = sample_kept(p, r);
    enum midi_status st = fill_split(f, p, &q, keep);
    free(keep);
    if (!st && f->inside.n_notes == 0) {
        fill_fini(f);
        return MIDI_EMPTY;
    }
    return st;
}

enum midi_status corpus_hole_sample(struct fill *f, const struct piece *p, bool to_end,
                                    struct rng *r)
{
    enum midi_status st = MIDI_EMPTY;
    if (p->n_notes == 0 || p->n_bars > BAR_TABLE_SIZE ||
        piece_bar_start(p, p->n_bars) > FILL_MAX_STEP)
        return st;
    const uint64_t used = piece_tracks(p);
    const bool is_missing = used & (used - 1) && sample_chance(r, MISSING);
    if (is_missing)
        st = corpus_hole_of_tracks(f, p, sample_missing(p, r));
    for (int i = 0; i < TRIES && st == MIDI_EMPTY; i++)
        st = try_hole(f, p, r);
    if (st)
        return st;
    /* of the notes' controls is given */
    bool none = sample_chance(r, is_missing ? MISSING_PLAIN : 25);
    fill_measure(&f->request, f->around.families, f->inside.notes, f->inside.n_notes);
    sample_control(&f->request.density, r, none);
    sample_control(&f->request.polyphony, r, none);
    sample_control(&f->request.length, r, none);
    sample_control(&f->request.height, r, none);
    bool closes = to_end && f->request.to >= bar_start(p, p->n_bars);
    f->request.close = closes && sample_chance(r, CLOSES);
    if (sample_chance(r, CHORDS_FIRST))
        fill_take_chords(f);
    if (sample_chance(r, 70))
        forget_bars(f);
    return MIDI_OK;
}

static bool is_position(enum token kind)
{
    return kind == TOKEN_POSX || kind == TOKEN_POS;
}

static bool is_chord(enum token kind)
{
    return kind == TOKEN_CHORD || kind == TOKEN_BASS;
}

/* What fills the hole comes after the request's tracks. */
void corpus_hole_counts(const struct tokens *t, bool *counts)
{
    bool is_inside = false, is_asked = false;
    for (size_t i = 0; i < t->n; i++) {
        enum token kind = token_kind(t->id[i]);
        is_asked = is_asked || kind == TOKEN_FILL;
        is_inside = is_inside || (is_asked && kind == TOKEN_TRACK);
        counts[i] = t->note[i] >= 0 || kind == TOKEN_BAR || kind == TOKEN_NUM ||
                    kind == TOKEN_DEN || kind == TOKEN_FILL_END ||
                    (is_inside && (is_chord(kind) || is_position(kind)));
    }
}

/* A position of a chord that is also the position of the note behind the chord. */
static bool is_of_note(const struct tokens *t, size_t i)
{
    while (i < t->n && is_position(token_kind(t->id[i])))
        i++;
    while (i < t->n && is_chord(token_kind(t->id[i])))
        i++;
    return i < t->n && t->note[i] >= 0 && !is_position(token_kind(t->id[i]));
}

void corpus_chord_counts(const struct tokens *t, bool *counts)
{
    for (size_t i = 0; i < t->n; i++) {
        enum token kind = token_kind(t->id[i]);
        counts[i] = !is_chord(kind) && (!is_position(kind) || is_of_note(t, i));
    }
}
