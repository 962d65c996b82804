/* Each track is compared with its last known notes: one pass of memcmp for edited
 * tracks, none for the others. */
#include "tui/view/survey.h"
#include "midi/base/array.h"

#include "midi/score/notes.h"

#include <stdlib.h>
#include <string.h>

/* What is known of a track, and the notes it was learnt from. They are shared
 * (midi/score/notes.h), so nobody writes to them, and the same array means the same
 * notes. */
struct track_cache {
    struct track seen; /* only its notes are set */
    int64_t *ends;     /* latest note end of each block */
};

struct survey {
    const struct score *score;
    uint64_t version;
    bool valid;

    struct track_cache *tracks; /* one per track */
    size_t n_tracks;
    int64_t end_tick; /* latest note end */

    int change[SURVEY_BINS +
               1]; /* per bin: notes that begin less notes that have ended */
    int density[SURVEY_BINS];

    struct timeline_events signs;
};

struct survey *survey_create(void)
{
    return calloc(1, sizeof(struct survey));
}

static void release_track(struct track_cache *l)
{
    notes_release(&l->seen);
    free(l->ends);
    *l = (struct track_cache){0};
}

static void reset(struct survey *s)
{
    for (size_t i = 0; i < s->n_tracks; i++)
        release_track(&s->tracks[i]);
    free(s->tracks);
    timeline_events_fini(&s->signs);
    memset(s, 0, sizeof *s);
}

void survey_destroy(struct survey *s)
{
    if (!s)
        return;
    reset(s);
    free(s);
}

static int64_t note_end(const struct note *n)
{
    /* A note without length still shows. */
    int64_t length = n->length > 0 ? n->length : 1;
    return n->start < INT64_MAX - length ? n->start + length : INT64_MAX;
}

static size_t n_blocks(size_t n_notes)
{
    return (n_notes + SURVEY_BLOCK - 1) / SURVEY_BLOCK;
}

static bool same_notes(const struct note *a, const struct note *b, size_t n)
{
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

/* How many whole blocks at the start are equal. */
static size_t blocks_alike(const struct track *a, const struct track *b)
{
    size_t least = a->n_notes < b->n_notes ? a->n_notes : b->n_notes, n = 0;
    if (a->notes == b->notes)
        return least / SURVEY_BLOCK;
    while ((n + 1) * SURVEY_BLOCK <= least &&
           same_notes(a->notes + n * SURVEY_BLOCK, b->notes + n * SURVEY_BLOCK,
                      SURVEY_BLOCK))
        n++;
    return n;
}

static int bin_of(int64_t tick, double bins_per_tick)
{
    int bin = (int)((double)tick * bins_per_tick);
    return bin < 0 ? 0 : bin >= SURVEY_BINS ? SURVEY_BINS - 1 : bin;
}

/* Counts notes [from, to) of the track. */
static void count_notes(struct survey *s, const struct track *t, size_t from, size_t to,
                        int by)
{
    const double bins_per_tick = SURVEY_BINS / ((double)s->end_tick + 1);
    for (size_t i = from; i < to; i++) {
        s->change[bin_of(t->notes[i].start, bins_per_tick)] += by;
        s->change[bin_of(note_end(&t->notes[i]) - 1, bins_per_tick) + 1] -= by;
    }
}

/* Reads what changed: after an edit, little more than the edited notes. */
static bool update_track(struct survey *s, struct track_cache *l, const struct track *t)
{
    const struct track *old = &l->seen;
    struct track fresh = {0};
    if (old->notes == t->notes && old->n_notes == t->n_notes)
        return true;
    size_t alike = blocks_alike(old, t), from = alike * SURVEY_BLOCK;
    /* How many notes at the end are equal, in whole blocks, of those after `from`. */
    size_t least = (old->n_notes < t->n_notes ? old->n_notes : t->n_notes) - from,
           n = 0;
    while (n + SURVEY_BLOCK <= least &&
           same_notes(old->notes + old->n_notes - n - SURVEY_BLOCK,
                      t->notes + t->n_notes - n - SURVEY_BLOCK, SURVEY_BLOCK))
        n += SURVEY_BLOCK;
    size_t tail = n;
    int64_t *ends = array_resize(l->ends, n_blocks(t->n_notes) + 1, sizeof *ends);
    if (!ends)
        return false;
    l->ends = ends;
    if (!notes_share(&fresh, t))
        return false;
    count_notes(s, old, from, old->n_notes - tail, -1);
    count_notes(s, t, from, t->n_notes - tail, 1);
    for (size_t b = alike; b < n_blocks(t->n_notes); b++) {
        size_t first = b * SURVEY_BLOCK, last = first + SURVEY_BLOCK;
        last = last < t->n_notes ? last : t->n_notes;
        int64_t end = 0;
        for (size_t i = first; i < last; i++) {
            int64_t this_end = note_end(&t->notes[i]);
            end = this_end > end ? this_end : end;
        }
        l->ends[b] = end;
    }
    notes_release(&l->seen);
    l->seen = fresh;
    return true;
}

static bool fit_tracks(struct survey *s, size_t n)
{
    while (s->n_tracks > n) {
        struct track_cache *l = &s->tracks[--s->n_tracks];
        count_notes(s, &l->seen, 0, l->seen.n_notes, -1);
        release_track(l);
    }
    struct track_cache *tracks = array_resize(s->tracks, n + 1, sizeof *tracks);
    if (!tracks)
        return false;
    s->tracks = tracks;
    while (s->n_tracks < n)
        s->tracks[s->n_tracks++] = (struct track_cache){0};
    return true;
}

static int64_t latest_end(const struct survey *s)
{
    int64_t end = 0;
    for (size_t i = 0; i < s->n_tracks; i++)
        for (size_t b = 0; b < n_blocks(s->tracks[i].seen.n_notes); b++)
            end = s->tracks[i].ends[b] > end ? s->tracks[i].ends[b] : end;
    return end;
}

bool survey_update(struct survey *s, const struct score *score, uint64_t version)
{
    if (s->valid && s->score == score && s->version == version)
        return true;
    timeline_events_fini(&s->signs);
    bool ok = fit_tracks(s, score->n_tracks);
    for (size_t i = 0; ok && i < score->n_tracks; i++)
        ok = update_track(s, &s->tracks[i], &score->tracks[i]);
    int64_t end = ok ? latest_end(s) : 0;
    if (end != s->end_tick) {
        s->end_tick = end;
        /* Needed when the piece's end moves: then each bin covers another time. */
        memset(s->change, 0, sizeof s->change);
        for (size_t i = 0; i < s->n_tracks; i++)
            count_notes(s, &s->tracks[i].seen, 0, s->tracks[i].seen.n_notes, 1);
    }
    for (int bin = 0, n = 0; bin < SURVEY_BINS; bin++) {
        n += s->change[bin];
        s->density[bin] = n;
    }
    if (!ok || timeline_events_collect(&s->signs, score, ~0u)) {
        reset(s);
        return false;
    }
    s->score = score;
    s->version = version;
    s->valid = true;
    return true;
}

size_t survey_next_note(const struct survey *s, const struct score *score, int track,
                        size_t from, int64_t tick)
{
    const struct track *t = &score->tracks[track];
    const bool is_known = s->valid && (size_t)track < s->n_tracks;
    /* Those that the blocks cover, rounded up to whole blocks. */
    size_t n_known =
        is_known ? n_blocks(s->tracks[track].seen.n_notes) * SURVEY_BLOCK : 0;
    for (size_t i = from; i < t->n_notes; i++) {
        if (i % SURVEY_BLOCK == 0)
            while (i < n_known && s->tracks[track].ends[i / SURVEY_BLOCK] <= tick)
                i += SURVEY_BLOCK;
        if (i < t->n_notes && note_end(&t->notes[i]) > tick)
            return i;
    }
    return t->n_notes;
}

/* If a note begins at `from` or later, so do all after it. */
const struct note *survey_walk(struct survey_walk *w)
{
    const struct track *t = &w->score->tracks[w->track];
    if (w->next == 0 || t->notes[w->next - 1].start < w->from)
        w->next = survey_next_note(w->survey, w->score, w->track, w->next, w->from);
    return w->next < t->n_notes && t->notes[w->next].start < w->to
               ? &t->notes[w->next++]
               : NULL;
}

int64_t survey_end_tick(const struct survey *s)
{
    return s->end_tick;
}

int survey_bin(const struct survey *s, int64_t tick)
{
    return bin_of(tick, SURVEY_BINS / ((double)s->end_tick + 1));
}

int survey_density(const struct survey *s, int bin)
{
    return bin >= 0 && bin < SURVEY_BINS ? s->density[bin] : 0;
}

const struct timeline_events *survey_signs(const struct survey *s)
{
    return &s->signs;
}

bool survey_key_at(const struct survey *s, int64_t tick, int *sharps, bool *minor)
{
    size_t i = tick < INT64_MAX ? ARRAY_FIRST_AT(s->signs.list, s->signs.n, tick + 1)
                                : s->signs.n;
    while (i > 0 && s->signs.list[i - 1].kind != TIMELINE_KEY)
        i--;
    if (i == 0)
        return false;
    *sharps = s->signs.list[i - 1].sharps;
    *minor = s->signs.list[i - 1].minor;
    return true;
}
