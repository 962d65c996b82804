#include "app/document/band_tracks.h"

#include "app/document/chord_texts.h"
#include "midi/edit/timeline_events.h"
#include "midi/score/general_midi.h"
#include "midi/tokens/tokens.h"

static bool has_chords(const struct score *s)
{
    struct timeline_events all;
    if (timeline_events_collect(&all, s, TIMELINE_BIT(TIMELINE_CHORD)))
        return false;
    const bool has_any = all.n > 0;
    timeline_events_fini(&all);
    return has_any;
}

enum midi_status change_add_band(struct change *c, const struct score *s,
                                 const struct band *band, uint64_t *tracks)
{
    int n_channels = 0;
    enum midi_status st = MIDI_OK;
    *tracks = 0;
    if (s->n_tracks + (size_t)band->n > TOKEN_MAX_TRACKS)
        return MIDI_TOO_LONG;
    if (!has_chords(s))
        st = change_guess_chords(c, s, 0, INT64_MAX);
    if (st == MIDI_EMPTY) /* no chord sounds */
        st = MIDI_OK;
    for (int i = 0; !st && i < band->n; i++) {
        const struct band_part *p = &band->parts[i];
        const uint8_t channel =
            p->is_drums ? GM_DRUM_CHANNEL : score_free_channel(s, n_channels++);
        *tracks |= UINT64_C(1) << (s->n_tracks + (size_t)i);
        st = change_add_track(c, s, band_part_name(p), channel, p->program);
    }
    return st;
}

void band_bars(const struct score *s, int track, int64_t *from, int64_t *to)
{
    const struct track *t = &s->tracks[track];
    int64_t end = 0;
    for (size_t i = 0; i < t->n_notes; i++)
        if (t->notes[i].start + t->notes[i].length > end)
            end = t->notes[i].start + t->notes[i].length;
    const int64_t begin = t->notes[0].start;
    const struct bar first = timeline_bar_at(&s->timeline, begin),
                     last = timeline_bar_at(&s->timeline, end - 1);
    const bool is_pickup =
        last.index > first.index && begin - first.start > first.length / 2;
    *from = is_pickup ? first.start + first.length : first.start;
    *to = last.start + last.length;
}
