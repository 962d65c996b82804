/* Changes to signs: each is one event of a chunk. */
#include "midi/edit/apply.h"
#include "midi/score/chunk.h"
#include "midi/score/note.h"
#include "midi/edit/signs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 4096, MOST_TEXT = 4096 };

static const struct event *event_of(const struct score *s, const struct sign *g)
{
    return &s->chunks[g->chunk].events[g->event];
}

enum midi_status change_remove_sign(struct change *c, const struct score *s,
                                    const struct sign *g)
{
    return change_event(c, g->chunk, event_of(s, g), NULL);
}

enum midi_status change_move_sign(struct change *c, const struct score *s,
                                  const struct sign *g, int64_t tick)
{
    struct event moved = *event_of(s, g);
    moved.tick = tick;
    moved.order = change_free_order(c, s, g->chunk, tick);
    return change_event(c, g->chunk, event_of(s, g), &moved);
}

/* Those of one kind in [from, to). */
static enum midi_status remove_all(struct change *c, const struct score *s,
                                   enum sign_kind kind, int64_t from, int64_t to)
{
    struct signs g;
    enum midi_status st = signs_collect(&g, s, SIGN(kind));
    for (size_t i = 0; !st && i < g.n; i++)
        if (g.list[i].tick >= from && g.list[i].tick < to)
            st = change_remove_sign(c, s, &g.list[i]);
    signs_fini(&g);
    return st;
}

enum midi_status change_set_text(struct change *c, const struct score *s,
                                 enum sign_kind kind, int64_t tick, const char *text)
{
    uint8_t data[MOST_TEXT + 6];
    size_t n = strlen(text);
    uint8_t type = kind == SIGN_MARKER ? META_MARKER
                   : kind == SIGN_CUE  ? META_CUE
                                       : META_LYRIC;
    if (kind < SIGN_MARKER || tick < 0 || tick > TICK_MAX || n > MOST_TEXT)
        return MIDI_BAD_EDIT;
    if (!n)
        return remove_all(c, s, kind, tick, tick + 1);
    return change_set_meta(c, s, tick, data, event_meta_write(data, type, text, n));
}

/* -- ramps -- */

static bool has_tempo_at(const struct score *s, int64_t tick)
{
    const struct timeline *t = &s->timeline;
    for (size_t i = 0; i < t->n_tempos; i++)
        if (t->tempos[i].tick == tick)
            return tick > 0;
    return false;
}

/* The next beat's line, or the next bar's. */
static int64_t next_beat(const struct timeline *t, int64_t tick)
{
    struct bar bar = timeline_bar_at(t, tick);
    int64_t beat = timeline_beat_ticks(t, tick), end = bar.start + bar.length;
    int64_t next = bar.start + ((tick - bar.start) / beat + 1) * beat;
    return next < end ? next : end;
}

/* In a step at `tick`, whatever was there. */
static enum midi_status put_tempo(struct change *c, const struct score *s, int64_t tick,
                                  double bpm)
{
    uint8_t data[6];
    double us = 60e6 / bpm;
    if (!(us >= 1 && us <= 0xFFFFFF)) /* also not a number */
        return MIDI_BAD_EDIT;
    int chunk = score_first_chunk(s);
    if (chunk < 0)
        return MIDI_BAD_EDIT;
    event_tempo_write(data, (uint32_t)lround(us));
    struct event e = {.tick = tick,
                      .order = change_free_order(c, s, chunk, tick),
                      .n_data = sizeof data,
                      .data = data};
    return change_event(c, chunk, NULL, &e);
}

enum midi_status change_ramp_tempo(struct change *c, const struct score *s,
                                   int64_t from, int64_t to, double bpm_from,
                                   double bpm_to)
{
    if (from < 0 || to <= from || to > TICK_MAX)
        return MIDI_BAD_EDIT;
    int n = 0;
    double step = (bpm_to - bpm_from) / (double)(to - from);
    enum midi_status st = remove_all(c, s, SIGN_TEMPO, from, to);
    for (int64_t at = from; !st && at < to; at = next_beat(&s->timeline, at))
        st = ++n > MOST_STEPS
                 ? MIDI_BAD_EDIT
                 : put_tempo(c, s, at, bpm_from + step * (double)(at - from));
    if (!st && !has_tempo_at(s, to))
        st = put_tempo(c, s, to, bpm_to);
    return st;
}
