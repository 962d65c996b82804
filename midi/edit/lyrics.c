/* Which track sings which lyrics (lyrics.h), and lyrics that go with their notes. */
#include "midi/edit/lyrics.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/edit/apply.h"
#include "midi/edit/timeline_events.h"
#include "midi/score/chunk.h"

#include <stdlib.h>

static bool is_lyric(const struct event *e, bool in_karaoke)
{
    size_t n;
    const uint8_t *text = in_karaoke ? event_meta(e, META_TEXT, &n) : NULL;
    return event_meta(e, META_LYRIC, &n) || (text && n && *text != '@');
}

static int64_t most_apart(const struct score *s)
{
    return s->ticks_per_quarter / 16;
}

/* Returns the start of the track's note nearest to a lyric's tick, or -1 if none is
 * near. */
static int64_t note_start_near(const struct score *s, int track, int64_t tick)
{
    const struct track *t = &s->tracks[track];
    const size_t i = score_first_note_at(s, track, tick);
    const int64_t next = i < t->n_notes ? t->notes[i].start : INT64_MAX;
    const int64_t before = i > 0 ? t->notes[i - 1].start : -1;
    const bool is_next = before < 0 || next - tick <= tick - before;
    const int64_t start = is_next ? next : before;
    return start < INT64_MAX && llabs(start - tick) <= most_apart(s) ? start : -1;
}

/* Returns the track that sings a chunk's lyrics, or -1. */
static int find_singer(const struct score *s, int chunk, bool is_words)
{
    const struct chunk *c = &s->chunks[chunk];
    bool has_notes = false;
    int best = -1, most = 0;
    for (size_t t = 0; t < s->n_tracks; t++)
        has_notes |= s->tracks[t].chunk == chunk && s->tracks[t].n_notes > 0;
    for (int t = 0; t < (int)s->n_tracks; t++) {
        int n = 0;
        if (has_notes && s->tracks[t].chunk != chunk)
            continue;
        for (size_t i = 0; i < c->n_events; i++)
            n += is_lyric(&c->events[i], is_words) &&
                 note_start_near(s, t, c->events[i].tick) >= 0;
        if (n > most) {
            most = n;
            best = t;
        }
    }
    return best;
}

/* Returns the first move of a note that starts at `from`, or NULL. */
static const struct note_move *find_move(const struct note_move *moves, size_t n,
                                         int track, int64_t from)
{
    size_t at;
    ARRAY_PASS(at, n,
               moves[at].track < track ||
                   (moves[at].track == track && moves[at].from < from));
    return at < n && moves[at].track == track && moves[at].from == from ? &moves[at]
                                                                        : NULL;
}

bool lyrics_init(struct lyrics *l, const struct score *s)
{
    *l = (struct lyrics){s, calloc(s->n_chunks + 1, sizeof *l->of)};
    for (int i = 0; l->of && i < (int)s->n_chunks; i++) {
        l->of[i].is_karaoke = chunk_is_karaoke(&s->chunks[i]);
        l->of[i].singer = find_singer(s, i, l->of[i].is_karaoke);
    }
    return l->of != NULL;
}

void lyrics_fini(struct lyrics *l)
{
    free(l->of);
    l->of = NULL;
}

enum midi_status change_move_lyrics(struct change *c, const struct score *s,
                                    const struct note_move *moves, size_t n)
{
    struct lyrics l;
    if (!lyrics_init(&l, s))
        return change_fail(c, MIDI_NO_MEMORY);
    for (int chunk = 0; chunk < (int)s->n_chunks; chunk++) {
        const int track = l.of[chunk].singer;
        for (size_t i = 0; track >= 0 && i < s->chunks[chunk].n_events; i++) {
            const struct event *e = &s->chunks[chunk].events[i];
            const bool is_one = is_lyric(e, l.of[chunk].is_karaoke);
            const int64_t start = is_one ? note_start_near(s, track, e->tick) : -1;
            const struct note_move *m =
                start >= 0 ? find_move(moves, n, track, start) : NULL;
            size_t n_moved = 0;
            while (m && m + n_moved < moves + n && m[n_moved].track == track &&
                   m[n_moved].from == start)
                n_moved++;
            const size_t n_there = score_first_note_at(s, track, start + 1) -
                                   score_first_note_at(s, track, start);
            if (!m || m->to == start || n_moved < n_there)
                continue;
            struct event moved = *e;
            moved.tick = larger(e->tick + m->to - start, 0);
            moved.order = change_free_order(c, s, chunk, moved.tick);
            change_event(c, chunk, e, m->to < 0 ? NULL : &moved);
        }
    }
    lyrics_fini(&l);
    return change_status(c);
}

const struct event *lyrics_at(const struct lyrics *l, int track, int64_t start)
{
    const struct score *s = l->score;
    const int64_t apart = most_apart(s);
    for (int i = 0; i < (int)s->n_chunks; i++) {
        const struct chunk *c = &s->chunks[i];
        size_t k = ARRAY_FIRST_AT(c->events, c->n_events, larger(start - apart, 0));
        for (; l->of[i].singer == track && k < c->n_events &&
               c->events[k].tick <= start + apart;
             k++)
            if (is_lyric(&c->events[k], l->of[i].is_karaoke) &&
                note_start_near(s, track, c->events[k].tick) == start)
                return &c->events[k];
    }
    return NULL;
}

enum midi_status change_add_lyric(struct change *c, const struct lyrics *l, int track,
                                  int64_t tick, const uint8_t *data, size_t n)
{
    const struct score *s = l->score;
    int chunk = s->tracks[track].chunk;
    for (int i = 0; i < (int)s->n_chunks; i++)
        chunk = l->of[i].singer == track ? i : chunk;
    struct event e = {tick, change_free_order(c, s, chunk, tick), (uint32_t)n,
                      (uint8_t *)data};
    return change_event(c, chunk, NULL, &e);
}
