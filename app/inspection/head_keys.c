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

/* Sets each note's onset before it on its track. The notes are sorted by onset. */
static void find_before(struct head_note *notes, int n)
{
    for (int i = 0; i < n; i++) {
        int k = i - 1;
        while (k >= 0 &&
               (notes[k].track != notes[i].track || notes[k].tick == notes[i].tick))
            k--;
        notes[i].before = k >= 0 ? notes[k].tick : -1;
    }
}

struct head_note *head_notes(const struct inspection *i, const struct timeline *t)
{
    int n;
    const struct inspected_note *from = inspection_notes(i, &n);
    struct head_note *notes = calloc((size_t)n + 1, sizeof *notes);
    for (int k = 0; notes && k < n; k++) {
        struct bar bar = timeline_bar_at(t, from[k].tick);
        notes[k] = (struct head_note){.tick = from[k].tick,
                                      .bar_tick = bar.start,
                                      .bar_ticks = bar.length,
                                      .track = from[k].track,
                                      .pitch = from[k].pitch,
                                      .pitch_before = k ? from[k - 1].pitch : -1};
    }
    if (notes) {
        mark_bass(notes, n);
        find_before(notes, n);
    }
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

static bool is_near(int64_t a, int64_t b, int64_t most)
{
    return a - b <= most && b - a <= most;
}

/* A whole number of bars of the note's own length back, one at least. */
static bool is_same_place(const struct head_note *n, const struct head_note *key,
                          int64_t near)
{
    int64_t back = n->tick - key->tick, bar = n->bar_ticks > 0 ? n->bar_ticks : 1;
    int64_t off = back % bar;
    return back > bar / 2 && (off <= near || bar - off <= near);
}

static int relations_to(const struct head_note *n, const struct head_note *key,
                        int64_t near)
{
    const int apart = n->pitch - key->pitch;
    int set = 0;
    set |= (key->tick == n->tick) << HEAD_CHORD;
    set |= (key->track == n->track) << HEAD_SAME_VOICE;
    set |= (key->track == n->track && key->tick == n->before) << HEAD_VOICE_BEFORE;
    set |= (apart == 0) << HEAD_SAME_PITCH;
    set |= (apart != 0 && apart % 12 == 0) << HEAD_OCTAVE;
    set |= key->is_bass << HEAD_BASS;
    set |= is_near(n->tick - key->tick, n->bar_ticks, near) << HEAD_PREVIOUS_BAR;
    set |= is_same_place(n, key, near) << HEAD_SAME_PLACE;
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

/* Halves of a quarter back, to the nearest. */
static int beat_of(int64_t back, int ticks_per_quarter)
{
    int64_t halves = (4 * back + ticks_per_quarter) / (2 * (int64_t)ticks_per_quarter);
    return halves < 0 ? 0 : halves < HEAD_BEATS - 1 ? (int)halves : HEAD_BEATS - 1;
}

static int interval_of(int semitones)
{
    int at = semitones + HEAD_INTERVALS / 2;
    return at < 0 ? 0 : at < HEAD_INTERVALS ? at : HEAD_INTERVALS - 1;
}

void head_keys_fill(struct head_keys *k, const struct head_note *notes,
                    const struct head_row *row, const struct inspected_token *keys,
                    int ticks_per_quarter)
{
    assert(notes && row->note >= 0);
    const struct head_note *n = &notes[row->note];
    k->first = row->first;
    k->end = row->end;
    for (int at = row->first; at < row->end; at++) {
        const struct inspected_token *key = &keys[at];
        const struct head_note *of = key->note >= 0 ? &notes[key->note] : NULL;
        int set = set_of(notes, row->note, key, ticks_per_quarter / 4);
        set |= (at == row->own) << HEAD_LAST_TOKEN;
        set |= (at == row->own - 1) << HEAD_TOKEN_BEFORE;
        k->set[at] = (uint16_t)set;
        k->part[at] = (uint8_t)key->part;
        k->same_track[at] = of && of->track == n->track;
        k->beat[at] = HEAD_BEATS;
        k->interval[at] = HEAD_INTERVALS;
        if (!of)
            continue;
        k->beat[at] = (uint8_t)beat_of(n->tick - of->tick, ticks_per_quarter);
        k->interval[at] = (uint8_t)interval_of(of->pitch - n->pitch);
    }
}
