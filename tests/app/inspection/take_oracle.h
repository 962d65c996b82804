/* What a take has to be, told from what was asked alone: it lies in its hole, over nothing,
 * and the rest of the piece is as it was, to the byte; it ended in time, and not too soon.
 * Of its tokens tests/app/inspection/take_tokens_oracle.h tells.
 *
 * The first thing that does not hold fails the test, and says of which request, by the
 * number that random_asking makes it of again. */
#ifndef TESTS_APP_TAKE_ORACLE_H
#define TESTS_APP_TAKE_ORACLE_H

#include "app/generation/take.h"
#include "tests/app/random_music.h"
#include "tests/midi/hole_oracle.h"

static struct {
    const char *model;
    uint64_t number;
    int take;
} oracle_at;

#define HOLDS(what)                                                                    \
    do {                                                                               \
        if (!(what))                                                                   \
            fail_msg("%s, request %llu, take %d: %s", oracle_at.model,                 \
                     (unsigned long long)oracle_at.number, oracle_at.take, #what);     \
    } while (0)

struct oracle_counts {
    int64_t takes, requests, tokens, notes, refused, starved, read_back, in_parts;
};

static inline bool asks_for_hole(const struct asking_for *a)
{
    return a->o.hole.to_tick > 0;
}

/* The model's steps are whole ticks, so that nothing is lost between the two. */
static inline bool has_exact_ticks(const struct asking_for *a)
{
    return a->before->ticks_per_quarter % STEPS_PER_QUARTER == 0;
}

/* -- where it lies -- */

static inline bool has_drums(const struct asking_for *a, int track)
{
    const struct score *s = a->given;
    return track < (int)s->n_tracks && s->tracks[track].channel == GM_DRUM_CHANNEL;
}

/* The model hears something of it. */
static inline bool is_heard(const struct asking_for *a, int track)
{
    const struct track *t = &a->given->tracks[track];
    bool any = false;
    for (size_t i = 0; i < t->n_notes; i++)
        any = any || !has_drums(a, track) || is_hit_key(t->notes[i].pitch);
    return any && !t->mute;
}

static inline bool may_have(const struct asking_for *a, int track)
{
    const struct score *s = a->given;
    if (s->n_tracks == 0) /* one is added for what goes on, and for no hole */
        return track == 0 && !asks_for_hole(a);
    if (track < 0 || track >= (int)s->n_tracks)
        return false;
    bool is_named = a->o.tracks >> track & 1, has_notes = is_heard(a, track);
    if (asks_for_hole(a))
        return a->o.tracks ? is_named
                           : s->tracks[track].n_notes > 0 && !s->tracks[track].mute;
    bool any = false, any_named = false;
    for (int t = 0; t < (int)s->n_tracks; t++) {
        any = any || is_heard(a, t);
        any_named = any_named || (is_heard(a, t) && a->o.tracks >> t & 1);
    }
    return !any || (has_notes && (is_named || !any_named));
}

/* A take begins after it, though notes may ring on. */
static inline int64_t oracle_last_onset(const struct score *s)
{
    int64_t last = 0;
    for (size_t t = 0; t < s->n_tracks; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes; i++)
            if (s->tracks[t].notes[i].start > last)
                last = s->tracks[t].notes[i].start;
    return last;
}

static inline void oracle_place(const struct asking_for *a,
                                const struct continuation_stats *stats,
                                const struct note *n)
{
    const struct continuation_hole *h = &a->o.hole;
    const int64_t stop = n->start + n->length;
    HOLDS(n->length > 0);
    if (asks_for_hole(a)) {
        HOLDS(n->start >= h->from_tick && stop <= h->to_tick);
        HOLDS(n->pitch >= h->pitch_lo && n->pitch <= h->pitch_hi);
        return;
    }
    HOLDS(n->start >= stats->from_tick && stop <= stats->to_tick);
    HOLDS(n->start >= (a->o.end_tick ? a->o.begin_tick : oracle_last_onset(a->given)));
    HOLDS(n->pitch < N_PITCHES);
}

static inline bool ticks_overlap(const struct note *a, const struct note *b)
{
    return a->pitch == b->pitch && a->start < b->start + b->length &&
           b->start < a->start + a->length;
}

static inline void oracle_alone(const struct asking_for *a, const struct take *t,
                                size_t at)
{
    const struct continued_note *n = &t->notes[at];
    int n_sounding = 1;
    for (size_t i = 0; i < at; i++) {
        const struct continued_note *other = &t->notes[i];
        if (other->track != n->track)
            continue;
        HOLDS(!ticks_overlap(&n->note, &other->note));
        n_sounding += other->note.start + other->note.length > n->note.start;
    }
    HOLDS(a->o.max_polyphony == 0 || has_drums(a, n->track) ||
          n_sounding <= a->o.max_polyphony);
    if (n->track >= (int)a->given->n_tracks)
        return;
    const struct track *track = &a->given->tracks[n->track];
    for (size_t i = 0; i < track->n_notes; i++)
        HOLDS(!ticks_overlap(&n->note, &track->notes[i]));
}

/* An empty score may be begun by a band, whose instruments come in turn. */
static inline bool may_come_in_turn(const struct asking_for *a)
{
    size_t n = 0;
    for (size_t t = 0; t < a->given->n_tracks; t++)
        n += a->given->tracks[t].n_notes;
    return n == 0 && a->o.hole.to_tick == 0;
}

static inline void oracle_notes(const struct asking_for *a, const struct take *t)
{
    for (size_t i = 0; i < t->n_notes; i++) {
        const struct continued_note *n = &t->notes[i];
        HOLDS(may_have(a, n->track));
        HOLDS(n->is_hit == has_drums(a, n->track));
        HOLDS(n->is_hit ? is_hit_key(n->note.pitch)
                        : is_in_scale(a->o.scale, n->note.pitch));
        HOLDS(n->note.velocity >= 1 && n->note.velocity < 128);
        HOLDS(i == 0 || may_come_in_turn(a) || n->note.start >= n[-1].note.start);
        oracle_place(a, &t->stats, &n->note);
        oracle_alone(a, t, i);
    }
}

/* -- what is kept of what was there -- */

static inline const struct continued_note *slot_of(const struct asking_for *a,
                                                   const struct continued_note *n)
{
    const int tpq = a->before->ticks_per_quarter;
    for (size_t i = 0; i < a->o.n_replaced; i++) {
        const struct continued_note *old = &a->replaced[i];
        if (old->track == n->track &&
            step_from_tick(old->note.start, tpq) == step_from_tick(n->note.start, tpq))
            return old;
    }
    return NULL;
}

static inline size_t count_pitch(const struct continued_note *notes, size_t n,
                                 int track, int pitch)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += notes[i].track == track && notes[i].note.pitch == pitch;
    return count;
}

static inline void oracle_plan(const struct asking_for *a, const struct take *t)
{
    if (a->o.keep == HOLE_PLAN_NONE || a->o.n_replaced == 0 || !has_exact_ticks(a))
        return;
    for (size_t i = 0; i < t->n_notes; i++) {
        const struct continued_note *n = &t->notes[i];
        if (a->o.keep == HOLE_PLAN_RHYTHM)
            HOLDS(slot_of(a, n));
        else
            HOLDS(count_pitch(t->notes, t->n_notes, n->track, n->note.pitch) <=
                  count_pitch(a->replaced, a->o.n_replaced, n->track, n->note.pitch));
    }
}

/* -- the rest -- */

static inline bool lies_in_hole(const struct asking_for *a, int track,
                                const struct note *n)
{
    const struct continuation_hole *h = &a->o.hole;
    return asks_for_hole(a) && n->start >= h->from_tick &&
           n->start + n->length <= h->to_tick && n->pitch >= h->pitch_lo &&
           n->pitch <= h->pitch_hi && (!a->o.tracks || a->o.tracks >> track & 1);
}

static inline void oracle_events(const struct score *before, const struct score *after)
{
    for (size_t c = 0; c < before->n_chunks; c++) {
        const struct chunk *a = &before->chunks[c], *b = &after->chunks[c];
        HOLDS(a->n_events == b->n_events);
        for (size_t i = 0; i < a->n_events; i++) {
            const struct event *x = &a->events[i], *y = &b->events[i];
            HOLDS(x->tick == y->tick && x->order == y->order && x->n_data == y->n_data);
            HOLDS(!memcmp(x->data, y->data, x->n_data));
        }
    }
}

/* Of one track: each note stands, or went and lay in the hole; how many others there are. */
static inline size_t oracle_track(const struct asking_for *a, const struct score *after,
                                  int track)
{
    const struct track *old = &a->before->tracks[track];
    size_t n_standing = 0;
    for (size_t i = 0; i < old->n_notes; i++) {
        const struct note *n = &old->notes[i];
        const struct note *now = score_find_note(after, track, n->id);
        bool was_given = score_find_note(a->given, track, n->id) != NULL;
        HOLDS((now != NULL) == was_given);
        HOLDS(now ? !memcmp(n, now, sizeof *n) : lies_in_hole(a, track, n));
        n_standing += was_given;
    }
    return after->tracks[track].n_notes - n_standing;
}

static inline void oracle_rest(const struct asking_for *a, const struct take *t)
{
    struct score *after = score_clone(a->given);
    size_t n_others = 0;
    HOLDS(after && take_apply(t, after));
    oracle_events(a->before, after);
    for (int i = 0; i < (int)a->before->n_tracks; i++)
        n_others += oracle_track(a, after, i);
    for (size_t i = a->before->n_tracks; i < after->n_tracks; i++)
        n_others += after->tracks[i].n_notes;
    HOLDS(n_others == t->n_notes);
    score_destroy(after);
}

/* -- when it ends -- */

static inline int64_t floor_step(int64_t tick, int tpq)
{
    int64_t step = step_from_tick(tick, tpq);
    return step - (tick_from_step(step, tpq) > tick);
}

static inline int64_t ceil_step(int64_t tick, int tpq)
{
    int64_t step = step_from_tick(tick, tpq);
    return step + (tick_from_step(step, tpq) < tick);
}

/* Of any part of the hole, and a FILL_END for each. */
static inline void oracle_length(const struct asking_for *a,
                                 const struct continuation_stats *stats)
{
    const int tpq = a->before->ticks_per_quarter;
    const int64_t lost = has_exact_ticks(a) ? 0 : STEPS_PER_QUARTER;
    const int64_t span =
        ceil_step(stats->to_tick, tpq) - floor_step(stats->from_tick, tpq) + lost;
    struct hole h = {.to = span, .pitch_hi = N_PITCHES - 1};
    hole_free_tracks(&h);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        h.tracks[t] = may_have(a, t);
    if (asks_for_hole(a)) {
        h.pitch_lo = a->o.hole.pitch_lo;
        h.pitch_hi = a->o.hole.pitch_hi;
    }
    HOLDS(stats->is_done);
    HOLDS(stats->n_tokens <= hole_max_tokens(&h) + span);
    /* an answer may find as many sounding as may, all the time that it has */
    HOLDS(stats->n_tokens >= 1 ||
          (a->o.end_tick && (a->o.max_polyphony || a->o.scale)));
}

/* Notes that begin together come in the order in which the model counts tracks: those
 * with notes first. */
static inline uint8_t place_of(const struct asking_for *a, int track)
{
    const struct score *s = a->given;
    const bool has_notes = track < (int)s->n_tracks && is_heard(a, track);
    int place = 0;
    for (int t = 0; t < (int)s->n_tracks; t++) {
        bool other_has = is_heard(a, t);
        bool is_alike = other_has == has_notes && (other_has || may_have(a, t));
        place += is_alike ? t < track : other_has;
    }
    return (uint8_t)place;
}

/* As the model hears it, and all that it touches: neither may be sounded over. */
static inline size_t stand_around(const struct asking_for *a, struct grid_note *around)
{
    const int tpq = a->before->ticks_per_quarter;
    size_t count = 0;
    for (int t = 0; t < (int)a->given->n_tracks; t++)
        for (size_t i = 0; i < a->given->tracks[t].n_notes; i++) {
            const struct note *n = &a->given->tracks[t].notes[i];
            const int64_t stop = n->start + n->length;
            struct grid_note g = {.track = place_of(a, t), .pitch = n->pitch};
            g.step = (int32_t)floor_step(n->start, tpq);
            g.length = (int32_t)ceil_step(stop, tpq) - g.step;
            around[count++] = g;
            g.step = (int32_t)step_from_tick(n->start, tpq);
            g.length = (int32_t)step_from_tick(stop, tpq) - g.step;
            g.length += g.length < 1;
            around[count++] = g;
        }
    return count;
}

static inline size_t notes_on_grid(const struct asking_for *a, const struct take *t,
                                   struct grid_note *out)
{
    const int tpq = a->before->ticks_per_quarter;
    for (size_t i = 0; i < t->n_notes; i++) {
        const struct continued_note *n = &t->notes[i];
        out[i] = (struct grid_note){.step = (int32_t)step_from_tick(n->note.start, tpq),
                                    .track = place_of(a, n->track),
                                    .pitch = n->note.pitch};
        const int64_t stop = step_from_tick(n->note.start + n->note.length, tpq);
        out[i].length = n->is_hit ? HIT_STEPS : (int32_t)stop - out[i].step;
    }
    return t->n_notes;
}

/* What a track has had, of the score and of what went. */
static inline size_t notes_of(const struct asking_for *a, int track, struct note *out)
{
    const struct track *t = &a->given->tracks[track];
    size_t n = 0;
    for (size_t i = 0; !t->mute && i < t->n_notes; i++)
        out[n++] = t->notes[i];
    for (size_t i = 0; i < a->o.n_replaced; i++)
        if (a->replaced[i].track == track)
            out[n++] = a->replaced[i].note;
    return n;
}

static inline int64_t grid_end(const struct note *n, int tpq)
{
    int64_t from = step_from_tick(n->start, tpq),
            to = step_from_tick(n->start + n->length, tpq);
    return to > from ? to : from + 1;
}

/* Four notes or more, never two at once: on the grid those that are heard, in ticks those
 * that went. */
static inline bool is_line(const struct asking_for *a, int track,
                           const struct note *notes, size_t n)
{
    const int tpq = a->given->ticks_per_quarter;
    const struct track *t = &a->given->tracks[track];
    const size_t n_heard = t->mute ? 0 : t->n_notes;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            const struct note *x = &notes[i], *y = &notes[k];
            int64_t x_from = step_from_tick(x->start, tpq),
                    y_from = step_from_tick(y->start, tpq);
            bool meet = x_from < grid_end(y, tpq) && y_from < grid_end(x, tpq);
            if (i >= n_heard)
                meet =
                    x->start < y->start + y->length && y->start < x->start + x->length;
            if ((i < n_heard) == (k < n_heard) && meet)
                return false;
        }
    return n >= 4;
}

/* What the track's instrument plays, or has played, unless the hole lies outside. */
static inline void limit_track(const struct asking_for *a, struct hole *h,
                               struct piece *around, int track)
{
    struct note notes[2 * MUSIC_MOST_NOTES];
    const size_t n = notes_of(a, track, notes);
    const uint8_t place = place_of(a, track);
    int low = 0, high = 0;
    if (has_drums(a, track)) {
        around->families[place] = FAMILY_DRUMS;
        h->low[place] = h->pitch_lo;
        h->high[place] = h->pitch_hi;
        return;
    }
    gm_program_range(a->given->tracks[track].program, &low, &high);
    for (size_t i = 0; i < n; i++) {
        low = notes[i].pitch < low ? notes[i].pitch : low;
        high = notes[i].pitch > high ? notes[i].pitch : high;
    }
    if (low <= h->pitch_hi && high >= h->pitch_lo) {
        h->low[place] = (uint8_t)low;
        h->high[place] = (uint8_t)high;
    }
    bool wants_more = a->o.hole.polyphony > 0 || a->o.max_polyphony > 1;
    bool is_one = !wants_more && is_line(a, track, notes, n);
    h->max_polyphony[place] = is_one ? 1 : a->o.max_polyphony;
}

static inline struct asked asked_on_grid(const struct asking_for *a)
{
    const int tpq = a->before->ticks_per_quarter;
    const struct continuation_hole *h = &a->o.hole;
    struct asked asked = {
        .fill.request = {.from = (int32_t)ceil_step(h->from_tick, tpq),
                         .to = (int32_t)floor_step(h->to_tick, tpq),
                         .pitch_lo = h->pitch_lo,
                         .pitch_hi = h->pitch_hi}};
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        asked.fill.request.tracks |= (uint64_t)may_have(a, t) << place_of(a, t);
    asked.hole = hole_from_request(&asked.fill.request);
    asked.hole.scale = a->o.scale;
    for (int t = 0; t < (int)a->given->n_tracks; t++)
        if (may_have(a, t))
            limit_track(a, &asked.hole, &asked.fill.around, t);
    return asked;
}

/* Of a hole that held notes, if only such as stay. */
static inline bool keeps_something(const struct asking_for *a)
{
    return a->o.keep != HOLE_PLAN_NONE && (a->o.n_replaced > 0 || a->o.stays > 0.0f);
}

/* With fewer notes than were asked for nothing else fits after its last one. */
static inline bool oracle_least(const struct asking_for *a, const struct take *t)
{
    int home[N_PITCHES];
    uint64_t kit; /* split over tracks: they are one, which comes before the others */
    if (score_split_kit(a->given, home, &kit) >= 0)
        return false;
    if (!asks_for_hole(a) || keeps_something(a) || !has_exact_ticks(a) ||
        (int64_t)t->n_notes >= a->o.hole.min_notes)
        return false;
    struct asked asked = asked_on_grid(a);
    struct grid_note around[2 * MUSIC_MOST_NOTES + 1], own[TOKEN_RADIX];
    struct piece inside = {.notes = own, .n_notes = notes_on_grid(a, t, own)};
    asked.fill.around.notes = around;
    asked.fill.around.n_notes = stand_around(a, around);
    memcpy(inside.families, asked.fill.around.families, sizeof inside.families);
    HOLDS(!another_fits(&asked, &inside));
    return true;
}

#endif
