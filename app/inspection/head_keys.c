/* What relation the keys of a row have to the note that it chooses. */
#include "app/inspection/head_profile.h"

#include <assert.h>
#include <stdlib.h>

static void mark_bass(struct head_note *notes, int n)
{
    for (int i = 0, end; i < n; i = end) {
        int lowest = i;
        for (end = i + 1; end < n && notes[end].tick == notes[i].tick; end++)
            lowest = notes[end].pitch < notes[lowest].pitch ? end : lowest;
        notes[lowest].is_bass = end - i > 1;
    }
}

struct head_note *head_notes(const struct inspection *i, const struct timeline *t)
{
    int n;
    const struct inspected_note *from = inspection_notes(i, &n);
    struct head_note *notes = calloc((size_t)n + 1, sizeof *notes);
    if (!notes)
        return NULL;
    for (int k = 0; k < n; k++) {
        struct bar bar = timeline_bar_at(t, from[k].tick);
        int before = k - 1; /* they are sorted by onset */
        while (before >= 0 && (from[before].track != from[k].track ||
                               from[before].tick == from[k].tick))
            before--;
        notes[k] = (struct head_note){.tick = from[k].tick,
                                      .bar_tick = bar.start,
                                      .bar_ticks = bar.length,
                                      .before = before >= 0 ? from[before].tick : -1,
                                      .track = from[k].track,
                                      .pitch = from[k].pitch,
                                      .pitch_before = k ? from[k - 1].pitch : -1};
    }
    mark_bass(notes, n);
    return notes;
}

bool head_keys_init(struct head_keys *k, int n)
{
    const size_t room = (size_t)n + 1;
    *k = (struct head_keys){
        .set = calloc(room, sizeof *k->set),
        .beat = calloc(room, sizeof *k->beat),
        .interval = calloc(room, sizeof *k->interval),
        .part = calloc(room, sizeof *k->part),
        .same_track = calloc(room, sizeof *k->same_track),
    };
    return k->set && k->beat && k->interval && k->part && k->same_track;
}

void head_keys_fini(struct head_keys *k)
{
    free(k->set);
    free(k->beat);
    free(k->interval);
    free(k->part);
    free(k->same_track);
    *k = (struct head_keys){0};
}

static int relations_to(const struct head_note *n, const struct head_note *key,
                        int64_t near)
{
    const int apart = n->pitch - key->pitch;
    const int64_t back = n->tick - key->tick;
    const int64_t bar = n->bar_ticks > 0 ? n->bar_ticks : 1, off = back % bar;
    int set = 0;
    set |= (key->tick == n->tick) << HEAD_CHORD;
    set |= (key->track == n->track) << HEAD_SAME_VOICE;
    set |= (key->track == n->track && key->tick == n->before) << HEAD_VOICE_BEFORE;
    set |= (apart == 0) << HEAD_SAME_PITCH;
    set |= (apart != 0 && apart % 12 == 0) << HEAD_OCTAVE;
    set |= key->is_bass << HEAD_BASS;
    set |= (llabs(back - n->bar_ticks) <= near) << HEAD_PREVIOUS_BAR;
    /* A whole number of bars of the note's own length back, one at least. */
    set |= (back > bar / 2 && (off <= near || bar - off <= near)) << HEAD_SAME_PLACE;
    set |= (key->pitch_before == n->pitch_before) << HEAD_RECURRENCE;
    return set;
}

static int set_of(const struct head_note *notes, int note,
                  const struct inspected_token *key, int64_t near)
{
    if (key->note == note)
        return 1 << HEAD_OWN_NOTE;
    if (key->note >= 0)
        return relations_to(&notes[note], &notes[key->note], near) |
               (key->note == note - 1) << HEAD_PREVIOUS_NOTE;
    return (key->part == INSPECTED_BAR || key->part == INSPECTED_METER)
               << HEAD_BAR_LINES |
           (key->part == INSPECTED_START || key->part == INSPECTED_STYLE)
               << HEAD_BEGINNING;
}

static int64_t clamp(int64_t x, int64_t most)
{
    return x < 0 ? 0 : x < most ? x : most;
}

void head_keys_fill(struct head_keys *k, const struct head_note *notes,
                    const struct head_row *row, const struct inspected_token *keys,
                    int ticks_per_quarter)
{
    assert(notes && row->note >= 0);
    const struct head_note *n = &notes[row->note];
    const int64_t quarter = ticks_per_quarter;
    k->first = row->first;
    k->end = row->end;
    for (int at = row->first; at < row->end; at++) {
        const struct inspected_token *key = &keys[at];
        const struct head_note *of = key->note >= 0 ? &notes[key->note] : NULL;
        int set = set_of(notes, row->note, key, quarter / 4);
        set |= (at == row->own) << HEAD_LAST_TOKEN;
        set |= (at == row->own - 1) << HEAD_TOKEN_BEFORE;
        k->set[at] = (uint16_t)set;
        k->part[at] = (uint8_t)key->part;
        k->same_track[at] = of && of->track == n->track;
        k->beat[at] = HEAD_BEATS;
        k->interval[at] = HEAD_INTERVALS;
        if (!of)
            continue;
        const int64_t halves = (4 * (n->tick - of->tick) + quarter) / (2 * quarter);
        k->beat[at] = (uint8_t)clamp(halves, HEAD_BEATS - 1);
        k->interval[at] = (uint8_t)clamp(of->pitch - n->pitch + HEAD_INTERVALS / 2,
                                         HEAD_INTERVALS - 1);
    }
}
