/* continuo inpaint: a rectangle of the music written anew. */
#include "app/commands.h"

#include "app/rewrite.h"
#include "app/say.h"
#include "app/takes.h"
#include "app/values.h"
#include "app/verb_score.h"

#include <math.h>

static const struct verb VERB = {
    .name = "inpaint",
    .arguments = "IN.mid -o OUT.mid --from BAR[:BEAT] --to BAR[:BEAT] [options]",
    .about =
        "Writes the music of IN.mid with a part of it made anew: the notes that lie "
        "wholly\n"
        "within a span of time, a range of pitches and some of the tracks go, and the\n"
        "model writes others, hearing what is before, after and beside them. All else "
        "is\n"
        "kept event for event. --to is where it ends, so --from 3 --to 5 is bars 3 and "
        "4.\n"
        "The same file, model, seed and settings give the same notes. A wish is said "
        "to "
        "the\n"
        "model, which may heed it or not; all else holds.",
    .n_files = 1,
    .bars = 1,
    .takes = OPTION_OUTPUT | OPTION_MODEL | OPTION_HOLE | OPTION_SAMPLING |
             OPTION_MUSIC | OPTION_TAKES | OPTION_THREADS | OPTION_JSON,
    .needs = OPTION_OUTPUT,
};

static int wrong(const char *option, const char *what)
{
    say_error(option, what);
    return 2;
}

/* The tick of BAR:BEAT; beats past the bar's last go on into the next. */
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

static int read_span(struct continuation_hole *h, const struct options *o,
                     const struct score *s)
{
    const char *what = "is a bar, or a bar and a beat: 5 or 5:3";
    if (!o->from || !read_tick(s, o->from, &h->from_tick))
        return wrong("--from", what);
    if (!o->to || !read_tick(s, o->to, &h->to_tick))
        return wrong("--to", what);
    return h->to_tick > h->from_tick ? 0 : wrong("--to", "is not after --from");
}

static int read_rest(struct options *o, struct continuation_hole *h)
{
    if (o->pitch && !value_pitches(o->pitch, &h->pitch_lo, &h->pitch_hi))
        return wrong("--pitch", "is a pitch, or two with - between: C3-G5, 48-79");
    if (o->tracks && !value_tracks(o->tracks, &o->continuation.tracks))
        return wrong("--tracks", "are numbers from 1 with commas between: 1,3");
    return 0;
}

/* What is wished for, as levels. */
static void read_wishes(struct continuation_hole *h, const struct options *o)
{
    const double quarter = STEPS_PER_QUARTER;
    if (o->density > 0)
        h->density = fill_density_level((double)o->density);
    if (o->voices > 0)
        h->polyphony = o->voices - 1;
    if (o->note_length > 0)
        h->length = fill_length_level(quarter * (double)o->note_length);
    if (o->mean_pitch > 0)
        h->height = fill_height_level((double)o->mean_pitch);
}

/* Tracks that lose all their notes are still to be written on. */
static uint64_t tracks_with_notes(const struct score *s)
{
    uint64_t tracks = 0;
    for (size_t t = 0; t < s->n_tracks && t < 64; t++)
        if (s->tracks[t].n_notes)
            tracks |= UINT64_C(1) << t;
    return tracks;
}

static int inpaint(struct options *o, struct score *s)
{
    struct continuation_hole *h = &o->continuation.hole;
    *h = CONTINUATION_HOLE_DEFAULT;
    int status = read_span(h, o, s);
    if (!status)
        status = read_rest(o, h);
    if (status)
        return status;
    read_wishes(h, o);
    h->min_notes = o->min_notes;
    if (!o->tracks)
        o->continuation.tracks = tracks_with_notes(s);
    if (!o->continuation.tracks)
        return say_error(o->file, "has no notes on its first 64 tracks; --tracks names "
                                  "those to write on");
    rewrite_take_out(s, &o->continuation, NULL);
    return takes_write(o, s);
}

int cmd_inpaint(int argc, char **argv)
{
    return verb_on_score(&VERB, argc, argv, inpaint);
}
