/* All notes are gone through once for each version of the score: 0.6 milliseconds for
 * 100,000. */
#include "tui/view/survey.h"
#include "midi/base/array.h"

#include <stdlib.h>
#include <string.h>

struct survey *survey_create(void)
{
    return calloc(1, sizeof(struct survey));
}

static void clear_survey(struct survey *s)
{
    free(s->ends);
    free(s->first);
    timeline_events_fini(&s->signs);
    free(s->own.at);
    free(s->other.at);
    memset(s, 0, sizeof *s);
}

void survey_destroy(struct survey *s)
{
    if (!s)
        return;
    clear_survey(s);
    free(s);
}

static int64_t note_end(const struct note *n)
{
    /* A note without length still shows. */
    int64_t length = n->length > 0 ? n->length : 1;
    return n->start < INT64_MAX - length ? n->start + length : INT64_MAX;
}

static int bin_of(int64_t tick, double bins_per_tick)
{
    int bin = (int)((double)tick * bins_per_tick);
    return bin < 0 ? 0 : bin >= SURVEY_BINS ? SURVEY_BINS - 1 : bin;
}

bool survey_update(struct survey *s, const struct score *score, uint64_t version)
{
    size_t n_blocks = 0;
    if (s->score == score && s->version == version)
        return true;
    clear_survey(s);
    for (size_t t = 0; t < score->n_tracks; t++)
        n_blocks += score->tracks[t].n_notes / SURVEY_BLOCK + 1;
    s->ends = calloc(n_blocks + 1, sizeof *s->ends);
    s->first = calloc(score->n_tracks + 1, sizeof *s->first);
    if (!s->ends || !s->first || timeline_events_collect(&s->signs, score, ~0u)) {
        clear_survey(s);
        return false;
    }
    int64_t *ends = s->ends;
    for (size_t t = 0; t < score->n_tracks; t++) {
        const struct track *track = &score->tracks[t];
        s->first[t] = (size_t)(ends - s->ends);
        for (size_t i = 0; i < track->n_notes; i++) {
            const int64_t end = note_end(&track->notes[i]);
            ends[i / SURVEY_BLOCK] =
                end > ends[i / SURVEY_BLOCK] ? end : ends[i / SURVEY_BLOCK];
            s->end_tick = end > s->end_tick ? end : s->end_tick;
        }
        ends += track->n_notes / SURVEY_BLOCK + 1;
    }
    s->first[score->n_tracks] = (size_t)(ends - s->ends);
    const double bins_per_tick = SURVEY_BINS / ((double)s->end_tick + 1);
    int change[SURVEY_BINS + 1] = {0}; /* notes that begin less notes that have ended */
    for (size_t t = 0; t < score->n_tracks; t++)
        for (size_t i = 0; i < score->tracks[t].n_notes; i++) {
            const struct note *n = &score->tracks[t].notes[i];
            change[bin_of(n->start, bins_per_tick)]++;
            change[bin_of(note_end(n) - 1, bins_per_tick) + 1]--;
        }
    for (int bin = 0, n = 0; bin < SURVEY_BINS; bin++)
        s->density[bin] = n += change[bin];
    s->n_tracks = score->n_tracks;
    s->score = score;
    s->version = version;
    return true;
}

/* If a note begins at `from` or later, so do all after it. */
const struct note *survey_walk(struct survey_walk *w)
{
    const struct survey *s = w->survey;
    const struct track *t = &w->score->tracks[w->track];
    const bool is_known = (size_t)w->track < s->n_tracks;
    const int64_t *ends = is_known ? s->ends + s->first[w->track] : NULL;
    const size_t n_known =
        is_known ? (s->first[w->track + 1] - s->first[w->track]) * SURVEY_BLOCK : 0;
    if (w->next == 0 || t->notes[w->next - 1].start < w->from) {
        size_t i = w->next; /* the next one that may sound at or after `from` */
        while (i < t->n_notes) {
            /* The notes of a block that has ended are not read: each would be a cache miss. */
            const bool has_block = i % SURVEY_BLOCK == 0 && i < n_known;
            const bool has_ended = has_block && ends[i / SURVEY_BLOCK] <= w->from;
            if (!has_ended && note_end(&t->notes[i]) > w->from)
                break;
            i += has_ended ? SURVEY_BLOCK : 1;
        }
        w->next = i < t->n_notes ? i : t->n_notes;
    }
    return w->next < t->n_notes && t->notes[w->next].start < w->to
               ? &t->notes[w->next++]
               : NULL;
}

int survey_bin(const struct survey *s, int64_t tick)
{
    return bin_of(tick, SURVEY_BINS / ((double)s->end_tick + 1));
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

static int by_tick(const void *a, const void *b)
{
    int64_t x = ((const struct control_point *)a)->tick,
            y = ((const struct control_point *)b)->tick;
    return (x > y) - (x < y);
}

bool survey_control(struct survey *s, const struct score *score, int track,
                    struct control k)
{
    if (s->has_points && s->track == track && control_equal(s->control, k))
        return true;
    const bool is_of_notes = k.kind == CONTROL_VELOCITY;
    const struct track *t =
        track >= 0 && (size_t)track < score->n_tracks && !is_of_notes
            ? &score->tracks[track]
            : NULL;
    s->own.n = s->other.n = 0;
    s->has_points = true;
    s->track = track;
    s->control = k;
    for (size_t i = 0; t && i < score->n_chunks; i++) {
        struct control_points *to = (int)i == t->chunk ? &s->own : &s->other;
        for (size_t j = 0; s->has_points && j < score->chunks[i].n_events; j++) {
            const struct event *e = &score->chunks[i].events[j];
            const struct control_point point = {e->tick,
                                                control_value(e, t->channel, k)};
            s->has_points = point.value < 0 ||
                            array_add(&to->at, &to->n, &to->cap, &point, sizeof point);
        }
    }
    if (!s->has_points)
        s->own.n = s->other.n = 0;
    if (s->other.n)
        qsort(s->other.at, s->other.n, sizeof *s->other.at, by_tick);
    return s->has_points;
}
