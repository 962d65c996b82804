/* See motif.h. The phrase is what the score has of it; all bars and steps of the key are tried as
 * places; then its notes join the music, at once or when the model has varied them. */
#include "app/decoding/motif.h"

#include "app/biases/analysis.h"
#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/score/notes.h"
#include "midi/score/scale.h"
#include "midi/tokens/grid_chord.h"

#include <stdlib.h>

enum {
    MOTIF_ID = 1,     /* its notes are of the music, not drawn */
    KEY_BARS = 16,    /* the key is guessed from this many bars before */
    MOST_MOVES = 6,   /* the seed chooses among this many */
    MOST_JUDGED = 64, /* notes whose harmony is looked at */
    LONGEST = 16 * STEPS_PER_QUARTER, /* of a note that was played at a position */
    WIDEST = 4,                       /* semitones that varying moves a pitch by */
    IN_THREE = 3, /* one note in this many changes its pitch, one does not */
};

/* Moves that are worse by more than this are not chosen. */
#define MARGIN 1.2

/* Sequences go by steps, thirds, fourths and fifths; sixths and sevenths are rare. */
static const double WORTH_OF_DEGREES[MOTIF_MOST_STEPS + 1] = {0,  .3,  .2,  .4,
                                                              .3, -.2, -.5, 0};

/* -- the phrase -- */

static void put_on_grid(struct motif_note *n, const struct context *c)
{
    n->grid = context_grid_note(c, &n->out.note, context_token_track(c, n->out.track));
    n->grid.length = n->out.is_hit ? HIT_STEPS : n->grid.length;
    n->grid.id = MOTIF_ID;
}

/* Adds a note of the score to the phrase if the phrase has it, and it may return on its track. */
static void add_to_phrase(struct context *c, const struct continuation_motif *m,
                          int track, struct note n)
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
    struct motif_note *to = &c->motif.notes[c->motif.n++];
    *to = (struct motif_note){.out = {.track = track, .is_hit = is_hit, .note = n},
                              .pitch_was = n.pitch};
    put_on_grid(to, c);
}

/* Returns the classes of a scale on C, moved to a tonic. */
static uint16_t scale_on(uint16_t on_c, int tonic)
{
    return (uint16_t)((on_c << tonic | on_c >> (12 - tonic)) & 0xfff);
}

/* Finds the key in which the phrase returns: seven classes, so that steps have names. It is the scale
 * that is asked for; or else the major or harmonic minor scale that holds most of what sounds in the
 * last bars before the hole, such as A major's for a blues in E. Scales of the key signature go before
 * others if FITS of what sounds lies in them, since exports say C in any key; the guessed key's hold
 * GUESSED more. */
static uint16_t find_key(const struct context *c)
{
    enum { HARMONIC_MINOR = 0x9ad };
    const double FITS = 0.85, SIGNED = 1, GUESSED = 0.02;
    const struct piece *p = &c->music;
    const int64_t bar = piece_bar_at(p, c->hole.from) - KEY_BARS;
    const size_t first = piece_note_at(p, piece_bar_start(p, larger(bar, 0)));
    const struct piece_key guess =
        piece_key(p, &c->signature, c->hole.from, c->hole.to);
    double sounds[12] = {0}, most = -1;
    uint16_t best = c->hole.scale;
    if (add_sounds(sounds, p, first, piece_note_at(p, c->hole.from)) <= 0)
        add_sounds(sounds, p, 0, p->n_notes);
    for (int i = 0; __builtin_popcount(c->hole.scale) != 7 && i < 24; i++) {
        const int tonic = i / 2, is_minor = i % 2;
        const uint16_t scale = scale_on(is_minor ? HARMONIC_MINOR : KEY_OF_C, tonic),
                       relative = scale_on(KEY_OF_C, (tonic + 3 * is_minor) % 12);
        const double share = share_in_scale(sounds, scale);
        const bool is_signed = relative == c->signature.scale && share >= FITS,
                   is_guessed = tonic == guess.tonic && is_minor == guess.is_minor;
        const double worth =
            share + (is_signed ? SIGNED : 0) + (is_guessed ? GUESSED : 0);
        best = worth > most ? scale : best;
        most = worth > most ? worth : most;
    }
    return best;
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
            add_to_phrase(c, &o->motif, t, s->tracks[t].notes[i]);
    for (size_t i = 0; i < o->n_replaced; i++) /* the hole may be the phrase itself */
        add_to_phrase(c, &o->motif, o->replaced[i].track, o->replaced[i].note);
    qsort(c->motif.notes, c->motif.n, sizeof *c->motif.notes, grid_note_compare);
    c->motif.scale = find_key(c);
    return MIDI_OK;
}

/* -- where it returns -- */

/* A move of the phrase: `by` in steps of the music, `degrees` of the key. */
struct move {
    int64_t by;
    int degrees;
    double worth;
};

/* The pitch of a note, moved; hits are not. */
static int moved_pitch(const struct motif *m, const struct context *c,
                       const struct grid_note *n, int degrees)
{
    return piece_is_hit(&c->music, n) ? n->pitch
                                      : degree_move(m->scale, n->pitch, degrees);
}

/* The ticks by which it moves, from its own bar line to another. */
static int64_t ticks_of(const struct motif *m, const struct context *c, int64_t by)
{
    const struct piece *p = &c->music;
    const int64_t bar = piece_bar_start(p, piece_bar_at(p, m->notes[0].grid.step));
    return tick_from_step(bar + by, c->ticks_per_quarter) -
           tick_from_step(bar, c->ticks_per_quarter);
}

/* How well its notes fit the harmony that is known there, on the mean; longer ones count more. The
 * harmony is the chord symbol, if symbols are written for the part to come, and what sounds;
 * semitones clash. */
static double measure_fit(const struct motif *m, const struct context *c,
                          const struct move *to)
{
    const struct piece *p = &c->music;
    double sum = 0, weights = 0;
    for (size_t i = 0; i < m->n && i < MOST_JUDGED; i++) {
        const struct grid_note *n = &m->notes[i].grid;
        const int64_t step = n->step + to->by;
        struct chord_symbol says;
        float want[12] = {0};
        if (piece_is_hit(p, n))
            continue;
        const size_t chord = grid_chords_until(p->chords, p->n_chords, step);
        if (chord && p->chords[p->n_chords - 1].step >= c->hole.from &&
            grid_chord_notes(&p->chords[chord - 1], &says))
            for (int k = 0; k < 12; k++)
                want[k] += says.classes >> k & 1 ? 1.0f : -1.0f;
        for (size_t k = piece_note_at(p, step - LONGEST);
             k < p->n_notes && p->notes[k].step <= step; k++) {
            const struct grid_note *o = &p->notes[k];
            if (o->step + o->length <= step || piece_is_hit(p, o) ||
                m->tracks >> o->track & 1)
                continue;
            want[o->pitch % 12] += 0.5f;
            want[(o->pitch + 1) % 12] -= 0.5f;
            want[(o->pitch + 11) % 12] -= 0.5f;
        }
        const double weight = (double)smaller(n->length, STEPS_PER_QUARTER);
        sum += weight * (double)want[moved_pitch(m, c, n, to->degrees) % 12];
        weights += weight;
    }
    return weights > 0 ? sum / weights : 0;
}

/* Returns the cost of a move: the semitones by which it goes beyond what its tracks have played, with a
 * third to spare; and the mean of what its notes cost whose pitch class the music hardly uses, which is
 * more if the class is outside the key, too. */
static double cost_of_degrees(const struct motif *m, const struct context *c,
                              const struct track_facts *tracks, int degrees)
{
    enum { SPARE = 4 };
    const double HARDLY = 0.015, IN_KEY = 0.5, OUTSIDE = 2;
    const struct piece *p = &c->music;
    double of_class[12] = {0}, cost = 0;
    int most = 0;
    for (size_t i = 0; i < p->n_notes; i++)
        of_class[p->notes[i].pitch % 12] += !piece_is_hit(p, &p->notes[i]);
    for (size_t i = 0; i < m->n; i++) {
        const struct grid_note *n = &m->notes[i].grid;
        const struct track_facts *of = &tracks[n->track];
        const int pitch = moved_pitch(m, c, n, degrees);
        most = at_least(most, at_least(pitch - of->high, of->low - pitch) - SPARE);
        if (!piece_is_hit(p, n) && of_class[pitch % 12] < HARDLY * (double)p->n_notes)
            cost += scale_has(m->scale, pitch) ? IN_KEY : OUTSIDE;
    }
    return most + cost / (double)m->n;
}

/* Whether a note of that pitch on that track sounds there. */
static bool is_taken(const struct context *c, const struct grid_note *n, int64_t step,
                     int pitch)
{
    const struct piece *p = &c->music;
    const int64_t end = step + n->length;
    for (size_t i = piece_note_at(p, c->hole.from - LONGEST);
         i < p->n_notes && p->notes[i].step < end; i++) {
        const struct grid_note *o = &p->notes[i];
        if (o->track == n->track && o->pitch == pitch && step < o->step + o->length)
            return true;
    }
    for (size_t i = 0; i < c->n_standing; i++) {
        const struct standing *o = &c->standing[i];
        if (o->track == n->track && o->pitch == pitch && step < o->to && o->from < end)
            return true;
    }
    return false;
}

/* Whether all of it lies in the hole, on the grid and as it is played, and nothing is in its way. */
static bool fits(const struct motif *m, const struct context *c, const struct move *to)
{
    const struct hole *h = &c->hole;
    const int tpq = c->ticks_per_quarter;
    const int64_t from_tick = tick_from_step(h->from, tpq),
                  to_tick = tick_from_step(h->to, tpq), ticks = ticks_of(m, c, to->by);
    for (size_t i = 0; i < m->n; i++) {
        const struct grid_note *n = &m->notes[i].grid;
        const struct note *played = &m->notes[i].out.note;
        const int64_t step = n->step + to->by, start = played->start + ticks;
        const int pitch = moved_pitch(m, c, n, to->degrees);
        const bool is_in_range = piece_is_hit(&c->music, n) ||
                                 (pitch >= h->pitch_lo && pitch <= h->pitch_hi);
        if (!is_in_range || pitch < h->low[n->track] || pitch > h->high[n->track] ||
            step < h->from || step + n->length > h->to || start < from_tick ||
            start + played->length > to_tick || is_taken(c, n, step, pitch))
            return false;
    }
    return true;
}

/* Chooses a move; false: it fits nowhere. */
static bool choose_move(struct move *out, const struct motif *m,
                        const struct context *c, const struct motif_place *wanted)
{
    const struct piece *p = &c->music;
    const int64_t own = piece_bar_at(p, m->notes[0].grid.step),
                  own_step = piece_bar_start(p, own),
                  own_last = piece_bar_at(p, m->notes[m->n - 1].grid.step),
                  last = piece_bar_at(p, c->hole.to - 1);
    if (wanted->kind) { /* it is placed there, whatever its worth */
        const int64_t step = step_from_tick(wanted->tick, c->ticks_per_quarter);
        const int64_t bar = piece_bar_at(p, step);
        *out = (struct move){piece_bar_start(p, bar) - own_step, wanted->steps, 0};
        return fits(m, c, out);
    }
    const int most = m->place.kind == MOTIF_TRANSPOSED ? MOTIF_MOST_STEPS : 0;
    struct move best[MOST_MOVES + 1]; /* the best first, and room for one more */
    struct track_facts tracks[TOKEN_MAX_TRACKS];
    int n_best = 0, n = 0;
    analyse_tracks(tracks, p, 0, p->n_notes);
    for (int64_t bar = piece_bar_at(p, c->hole.from); bar <= last; bar++) {
        /* Composers repeat after two, four or eight bars; what comes next is no return, and the last
         * bar may be for the close. */
        const int64_t far = bar - own;
        const double of_bar = (far % 8 == 0   ? 1.2
                               : far % 4 == 0 ? 0.9
                               : far % 2 == 0 ? 0.4
                                              : -0.8) -
                              (bar == own_last + 1 ? 0.5 : 0) -
                              (c->request.close && far + own_last >= last ? 3 : 0);
        for (int degrees = -most; degrees <= most; degrees++) {
            struct move it = {piece_bar_start(p, bar) - own_step, degrees, 0};
            if ((most && !degrees) || !fits(m, c, &it))
                continue;
            it.worth = of_bar + WORTH_OF_DEGREES[abs(degrees)] +
                       2 * measure_fit(m, c, &it) -
                       cost_of_degrees(m, c, tracks, degrees);
            int i = n_best;
            for (; i > 0 && best[i - 1].worth < it.worth; i--)
                best[i] = best[i - 1];
            best[i] = it;
            n_best += n_best < MOST_MOVES;
        }
    }
    while (n < n_best && best[n].worth > best[0].worth - MARGIN)
        n++;
    if (n)
        *out = best[m->seed % (uint64_t)n];
    return n > 0;
}

/* -- it joins the music -- */

static void move_notes(struct motif *m, const struct context *c, const struct move *to)
{
    const int64_t ticks = ticks_of(m, c, to->by);
    m->from = INT64_MAX;
    m->to = 0;
    for (size_t i = 0; i < m->n; i++) {
        struct motif_note *n = &m->notes[i];
        n->out.note.start += ticks;
        n->out.note.pitch = (uint8_t)moved_pitch(m, c, &n->grid, to->degrees);
        put_on_grid(n, c);
        n->is_set = m->place.kind != MOTIF_VARIED || n->out.is_hit;
        const int64_t end = context_step_after(n->out.note.start + n->out.note.length,
                                               c->ticks_per_quarter),
                      grid_end = (int64_t)n->grid.step + n->grid.length;
        m->from = smaller(n->grid.step, m->from);
        m->to = larger(larger(end, grid_end), m->to);
    }
    m->place.tick = m->notes[0].out.note.start;
    m->place.steps = to->degrees;
}

/* Ends a note where the next of its pitch on its track begins, and removes one of two that begin
 * together. Drawn notes obey this, but the phrase or a moved phrase may not. */
static void cut_overlaps(struct motif *m, const struct context *c)
{
    struct motif_note *newest[TOKEN_MAX_TRACKS][N_PITCHES] = {{0}};
    for (size_t i = 0; i < m->n; i++) {
        struct motif_note *n = &m->notes[i];
        struct motif_note **last = &newest[n->grid.track][n->grid.pitch];
        const int64_t left = *last ? n->out.note.start - (*last)->out.note.start : 0;
        const bool is_cut = *last && left < (*last)->out.note.length;
        if (is_cut && (left <= 0 || n->grid.step == (*last)->grid.step)) {
            n->is_set = false;
            continue;
        }
        if (is_cut) {
            (*last)->out.note.length = left;
            put_on_grid(*last, c);
        }
        *last = n;
    }
}

/* Removes notes without a possible pitch. */
static void drop_unset(struct motif *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++)
        if (m->notes[i].is_set)
            m->notes[n++] = m->notes[i];
    m->n = n;
}

static enum midi_status join_music(struct motif *m, struct context *c)
{
    enum midi_status st = MIDI_OK;
    drop_unset(m);
    qsort(m->notes, m->n, sizeof *m->notes, grid_note_compare);
    cut_overlaps(m, c);
    drop_unset(m);
    for (size_t i = 0; !st && i < m->n; i++)
        st = context_add_note(c, &m->notes[i].grid);
    for (int t = 0; !st && t < TOKEN_MAX_TRACKS; t++) {
        if (!(m->tracks >> t & 1))
            continue;
        /* No other note of its tracks sounds there. */
        struct standing *all =
            array_resize(c->standing, c->n_standing + N_PITCHES, sizeof *all);
        c->standing = all ? all : c->standing;
        st = all ? MIDI_OK : MIDI_NO_MEMORY;
        for (int pitch = 0; all && pitch < N_PITCHES; pitch++)
            all[c->n_standing++] =
                (struct standing){m->from, m->to, (uint8_t)t, (uint8_t)pitch};
    }
    return st;
}

/* Plans the rhythm, for the pitches to come; if any is to come, the phrase alone is the hole until
 * then. */
static enum midi_status begin_varying(struct motif *m, struct context *c)
{
    struct grid_note *slots = calloc(m->n + 1, sizeof *slots);
    size_t n = 0;
    if (!slots)
        return MIDI_NO_MEMORY;
    for (size_t i = 0; i < m->n; i++)
        if (!m->notes[i].is_set)
            slots[n++] = m->notes[i].grid;
    enum midi_status st = hole_plan_make(&m->plan, HOLE_PLAN_RHYTHM, slots, n);
    free(slots);
    m->is_varying = !st && n > 0;
    if (!m->is_varying)
        return st;
    m->hole = c->hole;
    m->request = c->request;
    c->hole.from = m->from;
    c->hole.to = m->to;
    c->hole.min_notes = 0;
    c->request.tracks = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        c->hole.tracks[t] = (m->tracks & ~c->hole.drums) >> t & 1;
        c->request.tracks |= (uint64_t)c->hole.tracks[t] << t;
    }
    c->request.density = c->request.polyphony = FILL_ANY;
    c->request.length = c->request.height = FILL_ANY;
    c->request.close = false;
    return MIDI_OK;
}

enum midi_status motif_begin(struct context *c, const struct continuation_motif *wanted,
                             uint64_t seed)
{
    struct motif *m = &c->motif;
    struct move to;
    if (!m->n)
        return MIDI_OK;
    m->seed = seed;
    m->place.kind = MOTIF_EXACT;
    for (size_t i = 0; i < m->n; i++) {
        m->tracks |= UINT64_C(1) << m->notes[i].grid.track;
        if (!m->notes[i].out.is_hit) /* hits alone have no key, and return exactly */
            m->place.kind = wanted->kind;
    }
    if (!choose_move(&to, m, c, &wanted->at))
        return MIDI_EMPTY;
    move_notes(m, c, &to);
    enum midi_status st = m->place.kind == MOTIF_VARIED ? begin_varying(m, c) : MIDI_OK;
    return st || m->is_varying ? st : join_music(m, c);
}

/* -- varying -- */

/* The index of the note that is next there; n: none is. */
static size_t find_slot(const struct motif *m, int64_t step, int track)
{
    size_t i = 0;
    while (i < m->n && (m->notes[i].is_set || m->notes[i].grid.step != step ||
                        m->notes[i].grid.track != track))
        i++;
    return i;
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

/* Whether the pitch varies note i: as it should; or at least keeps the contour, and the key
 * if the note was in it; or only stays near. */
enum { NEAR, CONTOUR, STRICT };

static bool varies(const struct motif *m, size_t i, int pitch, int how)
{
    const struct motif_note *n = &m->notes[i], *last = NULL;
    for (size_t k = i; k > 0 && !last; k--) {
        /* the note before it that does not begin with it */
        const struct motif_note *it = &m->notes[k - 1];
        if (it->is_set && it->grid.track == n->grid.track &&
            it->grid.step < n->grid.step)
            last = it;
    }
    const int turn = last ? sign(n->pitch_was - last->pitch_was) : 1;
    const uint64_t part = (i + m->seed) % IN_THREE;
    const bool is_same = pitch == n->pitch_was;
    if (abs(pitch - n->pitch_was) > WIDEST)
        return false;
    if (how >= CONTOUR && last && sign(pitch - last->grid.pitch) != turn)
        return false;
    if (how >= CONTOUR && scale_has(m->scale, n->pitch_was) &&
        !scale_has(m->scale, pitch))
        return false;
    return how < STRICT || (part == 0 ? !is_same || !turn : part == 2 || is_same);
}

void motif_mask(const struct motif *m, int64_t step, int track,
                uint8_t allowed[TOKEN_COUNT])
{
    const size_t i = m->is_varying ? find_slot(m, step, track) : m->n;
    bool any = i == m->n;
    int how = STRICT + 1;
    while (!any && --how >= NEAR)
        for (int pitch = 0; pitch < N_PITCHES; pitch++)
            any |= allowed[TOKEN_PITCH + pitch] && varies(m, i, pitch, how);
    for (int pitch = 0; any && i < m->n && pitch < N_PITCHES; pitch++)
        if (!varies(m, i, pitch, how))
            allowed[TOKEN_PITCH + pitch] = 0;
}

struct continued_note *motif_set(struct motif *m, const struct grid_note *drawn)
{
    const size_t i = find_slot(m, drawn->step, drawn->track);
    if (i == m->n)
        return NULL;
    m->notes[i].grid.pitch = m->notes[i].out.note.pitch = drawn->pitch;
    m->notes[i].grid.velocity = drawn->velocity;
    m->notes[i].out.note.velocity = (uint8_t)velocity_from_level(drawn->velocity);
    m->notes[i].is_set = true;
    return &m->notes[i].out;
}

enum midi_status motif_settle(struct context *c)
{
    struct motif *m = &c->motif;
    m->is_varying = false;
    c->hole = m->hole;
    c->request = m->request;
    return join_music(m, c);
}

/* -- handing out -- */

const struct continued_note *motif_tell(struct motif *m,
                                        const struct continued_note *next)
{
    if (m->is_varying || m->n_told == m->n)
        return NULL;
    const struct continued_note *n = &m->notes[m->n_told].out;
    if (next && continued_compare(n, next) >= 0)
        return NULL;
    m->n_told++;
    return n;
}

const struct grid_note *motif_hear(struct motif *m, int64_t step)
{
    if (m->is_varying || m->n_heard == m->n || m->notes[m->n_heard].grid.step > step)
        return NULL;
    return &m->notes[m->n_heard++].grid;
}
