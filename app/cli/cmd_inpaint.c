/* continuo inpaint: rewrites a rectangle of the music. */
#include "app/cli/verbs.h"

#include "app/document/rewrite.h"
#include "app/base/say.h"
#include "app/generation/take.h"
#include "app/base/values.h"
#include "midi/edit/apply.h"
#include "midi/edit/held.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Reads the tick of BAR:BEAT; beats after the bar's last continue into the next bar. */
static bool read_tick(const struct score *s, const char *text, int64_t *tick)
{
    int64_t index;
    double beat;
    if (!value_place(text, &index, &beat))
        return false;
    struct bar bar = timeline_bar(&s->timeline, index - 1);
    int64_t ticks = timeline_beat_ticks(&s->timeline, bar.start);
    *tick = bar.start + llround((beat - 1) * (double)ticks);
    return true;
}

/* Inserts bars before the first, which are the hole. */
static int put_lead_in(struct options *o, struct score *s)
{
    struct continuation_hole *h = &o->continuation.hole;
    int64_t by = 0;
    struct held_kinds restored = {0};
    struct change *c = change_create("lead-in");
    enum midi_status st = change_insert_bars(c, s, 0, o->lead_in, &by, &restored);
    if (!st)
        st = change_apply(c, s, true);
    change_destroy(c);
    h->from_tick = 0;
    h->to_tick = by;
    char kinds[80];
    if (!st && !o->json && *held_say(&restored, kinds, sizeof kinds))
        printf("restores %s before the music\n", kinds);
    return st ? say_midi_error(o->file, st) : 0;
}

static int read_span(struct options *o, struct score *s)
{
    const char *what = "must be a bar, or a bar and a beat: 5 or 5:3";
    struct continuation_hole *h = &o->continuation.hole;
    if (o->lead_in && (o->from || o->to))
        return say_wrong("--lead-in",
                         "defines the hole itself; leave out --from and --to");
    if (o->lead_in)
        return put_lead_in(o, s);
    if (!o->from || !read_tick(s, o->from, &h->from_tick))
        return say_wrong("--from", what);
    if (!o->to || !read_tick(s, o->to, &h->to_tick))
        return say_wrong("--to", what);
    return h->to_tick > h->from_tick ? 0 : say_wrong("--to", "must be after --from");
}

/* Adds new tracks like the first, and chooses the tracks to write on: those that are named, else the
 * new ones, else all that have notes. These are written on also if they lose all their notes. */
static int choose_tracks(struct options *o, struct score *s)
{
    const uint8_t program = s->n_tracks ? s->tracks[0].program : 0;
    uint64_t *tracks = &o->continuation.tracks, added = 0;
    for (int i = 0; i < o->new_tracks; i++) {
        int t = score_add_track(s, "New", score_free_channel(s, 0), program);
        if (t < 0)
            return say_midi_error(o->file, MIDI_NO_MEMORY);
        if (t >= TOKEN_MAX_TRACKS)
            return say_error(
                o->file,
                "would have more than 64 tracks; only the first 64 can be written on");
        added |= UINT64_C(1) << t;
    }
    if (!o->tracks)
        *tracks = added;
    if (s->n_tracks < TOKEN_MAX_TRACKS && *tracks >> s->n_tracks)
        return say_error("--tracks", "names a track that the piece does not have");
    for (size_t t = 0; !o->tracks && !added && t < s->n_tracks && t < TOKEN_MAX_TRACKS;
         t++)
        if (s->tracks[t].n_notes)
            *tracks |= UINT64_C(1) << t;
    return *tracks ? 0
                   : say_error(o->file, "has no notes on its first 64 tracks; use "
                                        "--tracks or --new-tracks");
}

/* Reads the notes of another file within the hole. */
static int read_mark(struct continuation_mark *m, const struct options *o,
                     const struct score *s, const char *file, float how_much)
{
    if (!file)
        return 0;
    struct score *other = say_load(file, NULL);
    if (!other)
        return 1;
    bool fits = other->ticks_per_quarter == s->ticks_per_quarter;
    if (fits)
        m->notes = rewrite_list(other, &o->continuation, NULL, &m->n_notes);
    m->how_much = how_much;
    score_destroy(other);
    if (!fits)
        return say_error(file, "has other ticks per quarter than the music");
    return m->notes ? 0 : say_midi_error(file, MIDI_NO_MEMORY);
}

enum { MORE, LESS, N_MARKS };

/* Replaces the notes of the hole, whose rhythm or pitches may be kept, with the liked takes as marks. */
static int write_hole(struct options *o, struct score *s)
{
    struct continuation_options *c = &o->continuation;
    struct continuation_mark marks[N_MARKS] = {{0}};
    struct continued_note *replaced = rewrite_list(s, c, NULL, &c->n_replaced);
    int status = replaced ? 0 : say_midi_error(o->file, MIDI_NO_MEMORY);
    if (!status)
        status = read_mark(&marks[MORE], o, s, o->more_like, 1.0f);
    if (!status)
        status = read_mark(&marks[LESS], o, s, o->less_like, -1.0f);
    c->replaced = replaced;
    c->marks = marks;
    c->n_marks = N_MARKS;
    if (!status && !rewrite_take_out(s, c, NULL))
        status = say_midi_error(o->file, MIDI_NO_MEMORY);
    if (!status)
        status = takes_write(o, s);
    for (int i = 0; i < N_MARKS; i++)
        free((void *)marks[i].notes);
    free(replaced);
    return status;
}

static int inpaint(struct options *o, struct score *s)
{
    struct continuation_hole *h = &o->continuation.hole;
    int status = read_span(o, s);
    if (status)
        return status;
    if (o->pitch && !value_pitches(o->pitch, &h->pitch_lo, &h->pitch_hi))
        return say_wrong("--pitch",
                         "must be a pitch, or two with - between: C3-G5, 48-79");
    if (o->tracks && !value_tracks(o->tracks, &o->continuation.tracks))
        return say_wrong("--tracks",
                         "must be numbers from 1, separated by commas: 1,3");
    status = choose_tracks(o, s);
    return status ? status : write_hole(o, s);
}

const struct verb VERB_INPAINT = {
    .name = "inpaint",
    .summary = "rewrite a part of a MIDI file",
    .run_score = inpaint,
    .arguments = "IN.mid -o OUT.mid --from BAR[:BEAT] --to BAR[:BEAT] [options]\n"
                 "                        IN.mid -o OUT.mid --lead-in BARS [options]",
    .about =
        "Writes IN.mid to OUT.mid and replaces a part of it: a span of time, a\n"
        "range of pitches and some of the tracks. Notes that lie completely inside "
        "are\n"
        "removed. The model reads the music around them and writes new notes. All\n"
        "other events are kept. A part without notes is filled as the piece has it\n"
        "elsewhere, in every other take, if the music around it is the same there.\n"
        "--to is exclusive: --from 3 --to 5 is bars 3 and 4.\n"
        "The same file, model, seed and settings give the same notes. Wishes such as\n"
        "--density are given to the model; --guidance makes it follow them more\n"
        "strictly. The seed of the first take chooses the notes that --stays keeps.",
    .n_files = 1,
    .rewrites = true,
    .bars = 1,
    .takes = OPTION_OUTPUT | OPTION_MODEL | OPTION_HOLE | OPTION_SAMPLING |
             OPTION_MUSIC | OPTION_TAKES | OPTION_THREADS | OPTION_PRECISION |
             OPTION_JSON,
    .needs = OPTION_OUTPUT,
};
