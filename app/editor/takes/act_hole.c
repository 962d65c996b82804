/* Changing: a part of the music, told by a motion or a selection, is to be written anew.
 * What it holds goes when the take is accepted; until then it is only drawn as what would
 * go, and not heard. */
#include "app/editor/takes/machine.h"
#include "tui/base/names.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t track_bit(int track)
{
    return track >= 0 && track < TOKEN_MAX_TRACKS ? UINT64_C(1) << track : 0;
}

/* "bars 3-4", "2 beats of bar 5". */
static const char *span_name(const struct timeline *t, int64_t from, int64_t to,
                             char buf[64])
{
    struct bar first = timeline_bar_at(t, from), last = timeline_bar_at(t, to - 1);
    int64_t beat = timeline_beat_ticks(t, from);
    int64_t n_beats = beat > 0 ? (to - from) / beat : 0;
    bool is_whole = first.start == from && last.start + last.length == to;
    if (first.index != last.index)
        snprintf(buf, 64, "%sbars %" PRId64 "-%" PRId64, is_whole ? "" : "part of ",
                 first.index + 1, last.index + 1);
    else if (!is_whole && n_beats && n_beats * beat == to - from)
        snprintf(buf, 64, "%" PRId64 " beat%s of bar %" PRId64, n_beats,
                 n_beats == 1 ? "" : "s", first.index + 1);
    else
        snprintf(buf, 64, "%sbar %" PRId64, is_whole ? "" : "part of ",
                 first.index + 1);
    return buf;
}

const char *hole_name(const struct session *s, char buf[64])
{
    const struct continuation_hole *h = &s->asked.options.hole;
    return span_name(&s->project.score->timeline, h->from_tick, h->to_tick, buf);
}

static struct continuation_hole hole_of(const struct box *b)
{
    struct continuation_hole h = CONTINUATION_HOLE_DEFAULT;
    h.from_tick = b->from;
    h.to_tick = b->to;
    h.pitch_lo = (uint8_t)b->pitch_lo;
    h.pitch_hi = (uint8_t)b->pitch_hi;
    return h;
}

bool hole_collect(struct session *s)
{
    const struct score *score = s->project.score;
    steer_apply(&s->steering, &s->asked.options); /* also how many of its notes stay */
    uint64_t there = score->n_tracks < TOKEN_MAX_TRACKS
                         ? (UINT64_C(1) << score->n_tracks) - 1
                         : UINT64_MAX;
    if (!(s->asked.options.tracks & there)) {
        session_say(s, "the track of that hole is gone: cc changes a bar");
        return false;
    }
    if (!rewritten_ask(&s->rewritten, score, &s->asked.options)) {
        session_error(s, "out of memory: nothing was asked");
        return false;
    }
    return true;
}

static int n_bars(const struct session *s, const struct box *b)
{
    const struct timeline *t = &s->project.score->timeline;
    int64_t n =
        timeline_bar_at(t, b->to - 1).index - timeline_bar_at(t, b->from).index + 1;
    return n < INT32_MAX ? (int)n : INT32_MAX;
}

void hole_change(struct session *s, const struct box *b, uint64_t tracks, int n_takes)
{
    s->asked.options.hole = hole_of(b);
    s->asked.options.tracks = tracks;
    s->asked.bars = n_bars(s, b);
    s->takes_once = n_takes;
    if (!hole_collect(s))
        return;
    session_clear_selection(s);
    if (!machine_ask(s))
        rewritten_forget(&s->rewritten);
}

/* The active track's, or says why it cannot be. */
static uint64_t active_track(struct session *s)
{
    if (!session_track(s))
        session_say(s, "this score has no tracks; A adds one");
    else if (!track_bit(s->track))
        session_say(s, "only the first %d tracks can be changed so", TOKEN_MAX_TRACKS);
    return session_track(s) ? track_bit(s->track) : 0;
}

/* Those with notes that are heard, or says that there are none. */
uint64_t machine_tracks(struct session *s)
{
    const struct score *score = s->project.score;
    uint64_t all = 0, solo = 0;
    for (int t = 0; t < (int)score->n_tracks; t++) {
        const struct track *track = &score->tracks[t];
        if (track->n_notes && !track->mute && (!track->hide || t == s->track))
            all |= track_bit(t);
        if (track->solo)
            solo |= track_bit(t);
    }
    uint64_t heard = solo ? all & solo : all;
    if (!heard)
        session_say(s, "no track with notes is heard; cc changes a bar of this one");
    return heard;
}

/* The cursor's own tick: no note begins after it. */
static int64_t onset_after(const struct session *s, int count)
{
    const struct track *t = session_track(s);
    int64_t tick = s->cursor_tick;
    for (int i = 0; t && i < count; i++) {
        size_t next = score_first_note_at(s->project.score, s->track, tick + 1);
        if (next == t->n_notes)
            break;
        tick = t->notes[next].start;
    }
    return tick;
}

static int64_t motion_end(const struct session *s, const struct command *c)
{
    const struct timeline *t = &s->project.score->timeline;
    struct bar bar = timeline_bar_at(t, s->cursor_tick);
    switch (c->id) {
    case CMD_CHANGE_NOTE_NEXT:
        return onset_after(s, command_times(c));
    case CMD_CHANGE_PIECE_END:
        return score_end_tick(s->project.score);
    case CMD_CHANGE_LINE_END:
        return bar.start + bar.length;
    default:
        return timeline_bar(t, bar.index + command_times(c)).start;
    }
}

static void act_change(struct session *s, const struct command *c)
{
    const struct timeline *t = &s->project.score->timeline;
    if (!machine_is_free(s))
        return;
    struct box b = {s->cursor_tick, motion_end(s, c), 0, 127};
    if (c->id == CMD_CHANGE_BARS)
        b.from = timeline_bar_at(t, s->cursor_tick).start;
    uint64_t tracks = active_track(s);
    if (!tracks)
        return;
    if (b.to > b.from)
        hole_change(s, &b, tracks, 0);
    else if (c->id == CMD_CHANGE_NOTE_NEXT)
        session_say(s, "no note follows on this track; c$ changes to the bar's end");
    else
        session_say(s, "the music ends before the cursor; C continues it");
}

/* The tracks of the selected notes; of a box without notes, those it lies over. 0: it
 * lies over none that can be changed. */
static uint64_t selected_tracks(const struct session *s)
{
    const struct score *score = s->project.score;
    bool is_over_all = s->bars && s->all_tracks;
    uint64_t over = is_over_all ? 0 : track_bit(s->track);
    for (int t = 0; is_over_all && t < (int)score->n_tracks; t++)
        over |= score->tracks[t].hide ? 0 : track_bit(t);
    return s->box_tracks ? s->box_tracks : over;
}

/* " of Alto", " of 3 tracks". */
static void name_tracks(const struct score *score, uint64_t tracks, char *buf, size_t n)
{
    int count = __builtin_popcountll(tracks), first = __builtin_ctzll(tracks);
    if (count == 1 && first < (int)score->n_tracks) {
        const struct track *t = &score->tracks[first];
        snprintf(buf, n, " of %s",
                 *t->name ? t->name : program_name(t->channel, t->program));
    } else {
        snprintf(buf, n, " of %d tracks", count);
    }
}

void hole_say_selected(const struct session *s, char *buf, size_t n)
{
    char span[64], of[80], pitches[64] = "", lo[PITCH_NAME_BYTES], hi[PITCH_NAME_BYTES];
    const struct score *score = s->project.score;
    const struct box *b = &s->box;
    uint64_t tracks = score->n_tracks ? selected_tracks(s) : 0;
    *buf = '\0';
    if (!tracks || !s->has_box || b->to <= b->from)
        return;
    if (!s->bars) {
        pitch_name_octave(b->pitch_lo, SPELL_SHARPS, lo);
        pitch_name_octave(b->pitch_hi, SPELL_SHARPS, hi);
        snprintf(pitches, sizeof pitches, ", %s to %s", lo, hi);
    }
    name_tracks(score, tracks, of, sizeof of);
    snprintf(buf, n, "c rewrites %s%s%s",
             span_name(&score->timeline, b->from, b->to, span), of, pitches);
}

static void act_change_selection(struct session *s, const struct command *c)
{
    if (!machine_is_free(s))
        return;
    if (c->count > CONTINUATION_MAX_TAKES) {
        session_say(s, "at most %d takes at a time", CONTINUATION_MAX_TAKES);
        return;
    }
    struct box b = s->box;
    uint64_t tracks = selected_tracks(s);
    if (!tracks)
        tracks = active_track(s); /* says why it cannot be */
    if (tracks && s->has_box && b.to > b.from)
        hole_change(s, &b, tracks, c->count);
}

static const struct act_row COMMANDS[] = {
    {CMD_CHANGE_BARS, act_change},
    {CMD_CHANGE_LINE_END, act_change},
    {CMD_CHANGE_BAR_RIGHT, act_change},
    {CMD_CHANGE_NOTE_NEXT, act_change},
    {CMD_CHANGE_PIECE_END, act_change},
    {CMD_CHANGE_SELECTION, act_change_selection},
    {0},
};

const struct editor_part HOLE_PART = {.commands = COMMANDS};
