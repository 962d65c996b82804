/* One pass over the score per version; three small tables come of it. */
#include "tui/survey.h"

#include <stdlib.h>
#include <string.h>

struct survey {
    const struct score *score;
    uint64_t version;
    bool valid;

    int64_t *ends; /* latest end of each block, track after track */
    size_t *first; /* n_tracks + 1: where a track's blocks begin */
    size_t n_tracks;

    int density[SURVEY_BINS];
    int densest;
    int64_t end_tick; /* latest note end */

    struct signs signs;
};

struct survey *survey_create(void)
{
    return calloc(1, sizeof(struct survey));
}

static void forget(struct survey *s)
{
    free(s->ends);
    free(s->first);
    signs_fini(&s->signs);
    memset(s, 0, sizeof *s);
}

void survey_destroy(struct survey *s)
{
    if (!s)
        return;
    forget(s);
    free(s);
}

static int64_t note_end(const struct note *n)
{
    /* A note without length still shows as something. */
    int64_t length = n->length > 0 ? n->length : 1;
    return n->start < INT64_MAX - length ? n->start + length : INT64_MAX;
}

static bool survey_blocks(struct survey *s, const struct score *score)
{
    size_t n = 0;
    s->first = calloc(score->n_tracks + 1, sizeof *s->first);
    if (!s->first)
        return false;
    for (size_t t = 0; t < score->n_tracks; t++) {
        s->first[t] = n;
        n += (score->tracks[t].n_notes + SURVEY_BLOCK - 1) / SURVEY_BLOCK;
    }
    s->first[score->n_tracks] = n;
    s->ends = calloc(n + 1, sizeof *s->ends);
    if (!s->ends)
        return false;
    for (size_t t = 0; t < score->n_tracks; t++)
        for (size_t i = 0; i < score->tracks[t].n_notes; i++) {
            int64_t *end = &s->ends[s->first[t] + i / SURVEY_BLOCK];
            int64_t this_end = note_end(&score->tracks[t].notes[i]);
            *end = this_end > *end ? this_end : *end;
            s->end_tick = this_end > s->end_tick ? this_end : s->end_tick;
        }
    return true;
}

static int bin_of(const struct survey *s, int64_t tick)
{
    double share = (double)tick / ((double)s->end_tick + 1);
    int bin = (int)(share * SURVEY_BINS);
    return bin < 0 ? 0 : bin >= SURVEY_BINS ? SURVEY_BINS - 1 : bin;
}

static void survey_map(struct survey *s, const struct score *score)
{
    int change[SURVEY_BINS + 1] = {0};
    for (size_t t = 0; t < score->n_tracks; t++)
        for (size_t i = 0; i < score->tracks[t].n_notes; i++) {
            const struct note *n = &score->tracks[t].notes[i];
            change[bin_of(s, n->start)]++;
            change[bin_of(s, note_end(n) - 1) + 1]--;
        }
    for (int bin = 0, n = 0; bin < SURVEY_BINS; bin++) {
        n += change[bin];
        s->density[bin] = n;
        s->densest = n > s->densest ? n : s->densest;
    }
}

bool survey_update(struct survey *s, const struct score *score, uint64_t version)
{
    if (s->valid && s->score == score && s->version == version)
        return true;
    forget(s);
    if (!survey_blocks(s, score) || signs_collect(&s->signs, score, ~0u)) {
        forget(s);
        return false;
    }
    survey_map(s, score);
    s->score = score;
    s->version = version;
    s->n_tracks = score->n_tracks;
    s->valid = true;
    return true;
}

/* How far into a track the blocks reach, rounded up to whole ones. */
static size_t known_notes(const struct survey *s, int track)
{
    if (!s->valid || (size_t)track >= s->n_tracks)
        return 0;
    return (s->first[track + 1] - s->first[track]) * SURVEY_BLOCK;
}

size_t survey_next_note(const struct survey *s, const struct score *score, int track,
                        size_t from, int64_t tick)
{
    const struct track *t = &score->tracks[track];
    size_t n_known = known_notes(s, track);
    for (size_t i = from; i < t->n_notes; i++) {
        if (i % SURVEY_BLOCK == 0)
            while (i < n_known && s->ends[s->first[track] + i / SURVEY_BLOCK] <= tick)
                i += SURVEY_BLOCK;
        if (i < t->n_notes && note_end(&t->notes[i]) > tick)
            return i;
    }
    return t->n_notes;
}

int64_t survey_end_tick(const struct survey *s)
{
    return s->end_tick;
}

int survey_density(const struct survey *s, int bin)
{
    return bin >= 0 && bin < SURVEY_BINS ? s->density[bin] : 0;
}

int survey_densest(const struct survey *s)
{
    return s->densest;
}

const struct signs *survey_signs(const struct survey *s)
{
    return &s->signs;
}

bool survey_key_at(const struct survey *s, int64_t tick, int *sharps, bool *minor)
{
    size_t i = tick < INT64_MAX ? signs_first_at(&s->signs, tick + 1) : s->signs.n;
    while (i > 0 && s->signs.list[i - 1].kind != SIGN_KEY)
        i--;
    if (i == 0)
        return false;
    *sharps = s->signs.list[i - 1].sharps;
    *minor = s->signs.list[i - 1].minor;
    return true;
}
