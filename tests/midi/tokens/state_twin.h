/* The musical state by going through everything that was told, for each token anew. Only
 * time and bars are the clock's, which has tests of its own. */
#ifndef TESTS_MIDI_STATE_TWIN_H
#define TESTS_MIDI_STATE_TWIN_H

#include "midi/tokens/token_state.h"

#include <stdlib.h>

struct twin_note {
    int64_t step, end;
    int track, key, velocity;
};

struct twin {
    struct clock clock;
    struct twin_note *notes;
    struct {
        int64_t step;
        int symbol, bass;
    } * chords;
    int n_notes, n_chords, track, family[TOKEN_MAX_TRACKS], said[TOKEN_MAX_TRACKS];
    int32_t *before; /* the tokens so far, from BOS */
    int n;
    int64_t now, hole_end;
};

static inline void twin_start(struct twin *w, size_t most)
{
    *w = (struct twin){.track = -1};
    w->notes = calloc(most + 1, sizeof *w->notes);
    w->chords = calloc(most + 1, sizeof *w->chords);
    w->before = calloc(most + 1, sizeof *w->before);
    if (!w->notes || !w->chords || !w->before)
        abort();
    clock_init(&w->clock);
    for (int i = 0; i < TOKEN_MAX_TRACKS; i++)
        w->family[i] = w->said[i] = -1;
}

static inline void twin_forget(struct twin *w)
{
    w->n_notes = w->n_chords = w->n = 0;
    w->track = -1;
    clock_init(&w->clock);
    for (int i = 0; i < TOKEN_MAX_TRACKS; i++)
        w->family[i] = w->said[i] = -1;
}

static inline void twin_end(struct twin *w)
{
    free(w->notes);
    free(w->chords);
    free(w->before);
}

static inline const struct twin_note *twin_last(const struct twin *w)
{
    const struct twin_note *found = NULL;
    for (int i = 0; i < w->n_notes; i++) {
        const struct twin_note *n = &w->notes[i];
        if (i >= w->n_notes - 1024 && n->track == w->track && n->step <= w->now &&
            (!found || n->step >= found->step))
            found = n;
    }
    return found;
}

static inline int twin_velocity(const struct twin *w)
{
    const struct twin_note *last = twin_last(w);
    if (w->track < 0)
        return -1;
    return w->said[w->track] >= 0 ? w->said[w->track] : last ? last->velocity : -1;
}

static inline void twin_note(struct twin *w, int key, int64_t length)
{
    if (w->track < 0)
        return;
    int64_t end = w->now + length < INT32_MAX ? w->now + length : INT32_MAX;
    struct twin_note note = {w->now, end, w->track, key, twin_velocity(w)};
    w->notes[w->n_notes++] = note;
}

/* Back over DURX to a PITCH. */
static inline void twin_dur(struct twin *w, int value)
{
    int64_t length = value + 1;
    int i = w->n - 1;
    for (; i >= 0 && token_kind(w->before[i]) == TOKEN_DURX; i--)
        length += 96 * (w->before[i] - TOKEN_DURX + 1);
    if (i >= 0 && token_kind(w->before[i]) == TOKEN_PITCH)
        twin_note(w, w->before[i] - TOKEN_PITCH, length);
}

static inline void twin_feed(struct twin *w, int32_t token)
{
    enum token kind = token_kind(token);
    int value = token - (int)kind;
    bool around = w->clock.stage == CLOCK_IN_BARS;
    if (kind == TOKEN_BOS)
        twin_forget(w);
    w->now = clock_next(&w->clock, token);
    if (kind == TOKEN_FILL && around)
        for (int i = 0; i < TOKEN_MAX_TRACKS; i++)
            w->said[i] = -1;
    if (w->clock.stage == CLOCK_ASKED)
        w->hole_end = w->clock.at;
    if (kind == TOKEN_TRACK)
        w->track = value;
    if (kind == TOKEN_FAMILY && w->track >= 0)
        w->family[w->track] = value;
    if (kind == TOKEN_VEL && w->track >= 0)
        w->said[w->track] = value;
    if (kind == TOKEN_DUR)
        twin_dur(w, value);
    if (kind == TOKEN_HIT)
        twin_note(w, 128 + value, 1);
    if (kind == TOKEN_CHORD) {
        w->chords[w->n_chords].step = w->now;
        w->chords[w->n_chords].symbol = value;
        w->chords[w->n_chords++].bass = value == 120 ? -1 : value / 10;
    }
    if (kind == TOKEN_BASS && w->n_chords)
        w->chords[w->n_chords - 1].bass = value;
    w->before[w->n++] = token;
}

static inline int64_t twin_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* All of them, sorted, in `rows`; how many. */
static inline int twin_rows(const struct twin *w, int rows[10 + 128])
{
    const struct clock *c = &w->clock;
    bool in_hole = c->stage == CLOCK_IN_HOLE;
    bool placed = c->bars.n > 0 && (in_hole || c->stage == CLOCK_IN_BARS);
    int64_t length = c->bars.length;
    if (in_hole && bar_table_is_whole(&c->bars) && c->index < c->bars.n)
        length =
            (c->index + 1 < c->bars.n ? c->bars.starts[c->index + 1] : c->bars.end) -
            c->bars.starts[c->index];
    const struct twin_note *last = w->track >= 0 ? twin_last(w) : NULL;
    int symbol = -1, bass = -1, n = 0;
    int64_t at = INT64_MIN;
    for (int i = w->n_chords > 256 ? w->n_chords - 256 : 0; i < w->n_chords; i++)
        if (w->chords[i].step <= w->now && w->chords[i].step >= at) {
            at = w->chords[i].step;
            symbol = w->chords[i].symbol;
            bass = w->chords[i].bass;
        }
    int velocity = twin_velocity(w);
    int64_t left = w->hole_end > c->at ? (w->hole_end - c->at) / 24 : 0;
    rows[n++] = (int)(placed ? twin_least(c->at - c->bar, 191) : 192);
    rows[n++] =
        193 + (int)(placed && length > 0 ? twin_least((length + 6) / 12, 31) : 32);
    rows[n++] = 226 + (w->track < 0 ? 64 : w->track);
    rows[n++] =
        291 + (w->track < 0 || w->family[w->track] < 0 ? 17 : w->family[w->track]);
    rows[n++] = 309 + (velocity < 0 ? 32 : velocity);
    rows[n++] = 342 + (last ? last->key : 175);
    rows[n++] = 518 + (int)(last ? twin_least(last->end - last->step - 1, 96) : 97);
    rows[n++] = 616 + (symbol < 0 ? 121 : symbol);
    rows[n++] = 738 + (bass < 0 ? 12 : bass);
    rows[n++] = 751 + (int)(in_hole ? twin_least(left, 16) : 17);
    for (int pitch = 0; pitch < 128; pitch++) {
        bool sounds = false;
        for (int i = w->n_notes > 1024 ? w->n_notes - 1024 : 0; i < w->n_notes; i++)
            sounds |= w->notes[i].key == pitch && w->notes[i].step <= w->now &&
                      w->notes[i].end > w->now;
        if (sounds)
            rows[n++] = 769 + pitch;
    }
    return n < 32 ? n : 32;
}

#endif
