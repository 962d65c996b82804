/* Random changes of notes, tempo and meter, tracks and time. */
#ifndef TESTS_MIDI_RANDOM_CHANGE_H
#define TESTS_MIDI_RANDOM_CHANGE_H

#include "tests/midi/random_piece.h"
#include "tests/midi/music.h"

#include "midi/edit/track_edit.h"

/* Takes time out; or inserts time, and sometimes a note in it. */
static inline struct change *random_time(const struct score *s, uint64_t *r)
{
    struct change *c = change_create("time");
    int at = random_below(r, 3) ? random_below(r, 900) : 0;
    if (random_below(r, 3) == 0) {
        assert_ok(change_remove_time(c, s, at, 1 + random_below(r, 200)));
        return c;
    }
    assert_ok(change_insert_time(c, s, at, 1 + random_below(r, 200)));
    if (s->n_tracks > 0 && random_below(r, 2))
        assert_ok(change_add_note(c, 0, note(at, 1, 61)));
    return c;
}

/* Renames, removes or moves a track, or sets its program or channel. MIDI_BAD_EDIT: the
 * file cannot hold that. */
static inline enum midi_status random_track_change(struct change *c,
                                                   const struct score *s, uint64_t *r)
{
    int track = random_below(r, (int)s->n_tracks);
    int other = random_below(r, (int)s->n_tracks), what = random_below(r, 6);
    if (what == 0)
        return change_rename_track(c, s, track, random_below(r, 2) ? "Name" : "");
    if (what == 1)
        return change_set_program(c, s, track, (uint8_t)random_below(r, 128));
    if (what == 2)
        return change_set_channel(c, s, track, (uint8_t)random_below(r, 16));
    return what == 3 ? change_remove_track(c, s, track)
                     : change_move_track(c, s, track, other);
}

/* Texts, tempos and meters on few ticks; one is taken out or moved. */
static inline struct change *random_timeline(const struct score *s, uint64_t *r)
{
    auto_events all;
    struct change *c = change_create("timeline");
    const int64_t tick = (int64_t)random_below(r, 6) * 240;
    assert_ok(timeline_events_collect(&all, s, ~0u));
    const struct timeline_event *one =
        all.n ? &all.list[random_below(r, (int)all.n)] : NULL;
    switch (random_below(r, 4)) {
    case 0:
        assert_ok(change_set_text(c, s, TIMELINE_MARKER, tick,
                                  random_below(r, 3) ? "A" : ""));
        break;
    case 1:
        assert_ok(
            change_ramp_tempo(c, s, tick, tick + 1000, 90, 50 + random_below(r, 90)));
        break;
    case 2:
        assert_ok(one ? change_remove_timeline_event(c, s, one) : MIDI_OK);
        break;
    default:
        assert_ok(one && one->tick != tick ? change_move_timeline_event(c, s, one, tick)
                                           : MIDI_OK);
    }
    return c;
}

/* Changes everything at once, each note at most once. */
static inline struct change *random_change(const struct score *s, uint64_t *r)
{
    if (random_below(r, 5) == 0)
        return random_time(s, r);
    if (random_below(r, 5) == 0)
        return random_timeline(s, r);
    struct change *c = change_create("anything");
    if (s->n_tracks > 0 && random_below(r, 5) == 0) {
        if (!random_track_change(c, s, r))
            return c;
        change_destroy(c); /* what cannot be is left out */
        return change_create("nothing");
    }
    int n_tracks = (int)s->n_tracks;
    if (random_below(r, 8) == 0)
        assert_ok(change_add_track(c, s, "t", 2, 3));
    n_tracks += (int)c->n_edits;
    for (int t = 0; t < (int)s->n_tracks; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes; i++) {
            const struct note *n = &s->tracks[t].notes[i];
            struct note after = *n;
            int what = random_below(r, 12);
            if (what == 0)
                assert_ok(change_remove_note(c, t, n));
            if (what < 1 || what > 3)
                continue;
            after.velocity = (uint8_t)(what == 1 ? 99 : n->velocity);
            after.start += what == 2 ? random_below(r, 50) : 0;
            after.pitch = (uint8_t)(what == 3 ? random_below(r, 128) : n->pitch);
            assert_ok(change_replace_note(c, t, n, after));
        }
    for (int i = random_below(r, 6); n_tracks > 0 && i > 0; i--)
        assert_ok(change_add_note(
            c, random_below(r, n_tracks),
            note(random_below(r, 900), random_below(r, 50), 60 + random_below(r, 4))));
    if (random_below(r, 3) == 0)
        assert_ok(change_set_tempo(c, s, random_below(r, 4), 50 + random_below(r, 99)));
    if (random_below(r, 3) == 0)
        assert_ok(
            change_set_meter(c, s, random_below(r, 4), 1 + random_below(r, 9), 4));
    const struct tap tap = {random_below(r, 9), TAP_BAR};
    if (random_below(r, 4) == 0)
        assert_ok(change_tap(c, tap, !taps_has(&s->taps, tap)));
    return c;
}

#endif
