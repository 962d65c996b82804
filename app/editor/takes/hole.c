/* `c`: requests a rewrite of a part of the music, given by a motion or a selection. The notes
 * of this part are removed when a take is accepted; until then they are painted dashed and are
 * silent. */
#include "app/editor/takes/machine.h"
#include "tui/base/names.h"
#include "midi/base/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t track_bit(int track)
{
    return track >= 0 && track < TOKEN_MAX_TRACKS ? UINT64_C(1) << track : 0;
}

uint64_t machine_track(struct session *s, int track)
{
    if (!track_bit(track))
        session_say(s, "only the first %d tracks can be rewritten", TOKEN_MAX_TRACKS);
    return track_bit(track);
}

const char *span_name(const struct timeline *t, int64_t from, int64_t to, char buf[64])
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
                 plural(n_beats), first.index + 1);
    else
        snprintf(buf, 64, "%sbar %" PRId64, is_whole ? "" : "part of ",
                 first.index + 1);
    return buf;
}

const char *hole_name(const struct session *s, char buf[64])
{
    const struct continuation_hole *h = &s->request.asked.options.hole;
    return span_name(session_timeline(s), h->from_tick, h->to_tick, buf);
}

bool hole_collect(struct session *s)
{
    const struct score *score = s->project.score;
    struct rewritten *r = &s->request.rewritten;
    struct continuation_options *o = &s->request.asked.options;
    steer_apply(&s->steering, o); /* it also sets how many of the notes stay */
    uint64_t there = score->n_tracks < TOKEN_MAX_TRACKS
                         ? (UINT64_C(1) << score->n_tracks) - 1
                         : UINT64_MAX;
    if (!(o->tracks & there)) {
        session_say(s, "the track of that hole was removed: cc rewrites a bar");
        return false;
    }
    /* The request includes all notes of the hole, or those that were chosen. */
    bool ok = s->request.n_note_ids
                  ? rewritten_ask_again(r, s->request.note_ids, s->request.n_note_ids,
                                        score, o)
                  : rewritten_ask(r, score, o);
    if (!ok)
        session_error(s, "out of memory: nothing was requested");
    return ok;
}

/* Requests takes for a box, in which the motif returns: of these notes [n_ids], or of all if
 * n_ids is 0. n_takes 0: the usual number. */
static void request_hole(struct session *s, const struct box *b, uint64_t tracks,
                         int n_takes, struct continuation_motif motif,
                         const uint64_t *ids, size_t n_ids)
{
    struct take_request *r = &s->request;
    struct continuation_hole *h = &r->asked.options.hole;
    const int64_t n_bars =
        session_bar_at(s, b->to - 1).index - session_bar_at(s, b->from).index + 1;
    uint64_t *copy = array_copy(ids, n_ids, sizeof *ids);
    if (!copy) {
        session_error(s, "out of memory: nothing was requested");
        return;
    }
    free(r->note_ids);
    r->note_ids = copy;
    r->n_note_ids = n_ids;
    *h = CONTINUATION_HOLE_DEFAULT;
    h->from_tick = b->from;
    h->to_tick = b->to;
    h->pitch_lo = (uint8_t)b->pitch_lo;
    h->pitch_hi = (uint8_t)b->pitch_hi;
    r->asked.options.tracks = tracks;
    r->asked.options.motif = motif;
    r->asked.bars = n_bars < INT32_MAX ? (int)n_bars : INT32_MAX;
    r->n_once = n_takes;
    if (!hole_collect(s))
        return;
    session_clear_selection(s);
    if (!machine_ask(s))
        rewritten_forget(&r->rewritten);
}

void hole_change(struct session *s, const struct box *b, uint64_t tracks)
{
    request_hole(s, b, tracks, 0, (struct continuation_motif){0}, NULL, 0);
}

/* Returns the active track as a bit; 0: it cannot be used, and the user was told why. */
static uint64_t active_track(struct session *s)
{
    return need_track(s) ? machine_track(s, s->view.track) : 0;
}

/* The tracks with notes that are audible and (except for the active one) not hidden. */
uint64_t machine_tracks(struct session *s)
{
    const struct score *score = s->project.score;
    uint64_t all = 0, solo = 0;
    for (int t = 0; t < (int)score->n_tracks; t++) {
        const struct track *track = &score->tracks[t];
        if (track->n_notes && !track->mute && (!track->hide || t == s->view.track))
            all |= track_bit(t);
        if (track->solo)
            solo |= track_bit(t);
    }
    uint64_t heard = solo ? all & solo : all;
    if (!heard)
        session_say(s, "no audible track has notes; cc rewrites a bar of this one");
    return heard;
}

static bool are_few_takes(struct session *s, const struct command *c)
{
    if (c->count > CONTINUATION_MAX_TAKES)
        session_say(s, "at most %d takes at a time", CONTINUATION_MAX_TAKES);
    return c->count <= CONTINUATION_MAX_TAKES;
}

uint64_t hole_selected_span(const struct session *s, struct box *b)
{
    const struct score *score = s->project.score;
    uint64_t tracks = 0;
    *b = (struct box){INT64_MAX, 0, 0, 127};
    for (int t = 0; t < (int)score->n_tracks && t < TOKEN_MAX_TRACKS; t++)
        for (size_t i = 0; i < score->tracks[t].n_notes; i++) {
            const struct note *n = &score->tracks[t].notes[i];
            if (!select_has(s, n->id))
                continue;
            tracks |= track_bit(t);
            b->from = n->start < b->from ? n->start : b->from;
            b->to = n->start + n->length > b->to ? n->start + n->length : b->to;
        }
    return tracks;
}

void act_change(struct session *s, const struct command *c)
{
    const struct bar bar = session_bar_at(s, s->view.cursor.tick);
    const int times = command_times(c);
    struct box b = {s->view.cursor.tick, bar.start + bar.length, 0, 127};
    if (c->id == CMD_CHANGE_BARS && s->selection.n) {
        /* Notes selected one by one or by a property: only they are replaced; notes between
         * them stay. */
        const uint64_t tracks = hole_selected_span(s, &b);
        if (!are_few_takes(s, c))
            return;
        if (tracks)
            request_hole(s, &b, tracks, c->count, machine_take_motif(s, &b),
                         s->selection.ids, s->selection.n);
        else
            machine_track(s, TOKEN_MAX_TRACKS); /* tells the user why */
        return;
    }
    if (c->id == CMD_CHANGE_BARS)
        b.from = bar.start;
    if (c->id == CMD_CHANGE_NOTE_NEXT) {
        const struct track *t = session_track(s);
        b.to = b.from; /* no note may begin after it */
        for (int i = 0; t && i < times; i++) {
            size_t next =
                score_first_note_at(s->project.score, s->view.track, b.to + 1);
            if (next == t->n_notes)
                break;
            b.to = t->notes[next].start;
        }
    } else if (c->id == CMD_CHANGE_PIECE_END)
        b.to = score_end_tick(s->project.score);
    else if (c->id != CMD_CHANGE_LINE_END)
        b.to = timeline_bar(session_timeline(s), bar.index + times).start;
    uint64_t tracks = active_track(s);
    if (!tracks)
        return;
    if (b.to > b.from)
        request_hole(s, &b, tracks, 0, machine_take_motif(s, &b), NULL, 0);
    else if (c->id == CMD_CHANGE_NOTE_NEXT)
        session_say(s,
                    "no note follows on this track; c$ rewrites to the end of the bar");
    else
        session_say(s, "the music ends before the cursor; C continues it");
}

/* Returns the tracks of the selected notes, or for a box without notes the tracks that it
 * covers, a bit each. 0: none of them can be changed. */
static uint64_t selected_tracks(const struct session *s)
{
    const struct score *score = s->project.score;
    bool is_over_all = s->selection.bars && s->selection.all_tracks;
    uint64_t over = is_over_all ? 0 : track_bit(s->view.track);
    for (int t = 0; is_over_all && t < (int)score->n_tracks; t++)
        over |= score->tracks[t].hide ? 0 : track_bit(t);
    return s->selection.box_tracks ? s->selection.box_tracks : over;
}

const char *hole_track(const struct session *s, uint64_t tracks)
{
    const struct score *score = s->project.score;
    const int t = tracks ? __builtin_ctzll(tracks) : 0;
    if (__builtin_popcountll(tracks) != 1 || t >= (int)score->n_tracks)
        return NULL;
    const struct track *track = &score->tracks[t];
    return *track->name ? track->name
                        : program_name(track_sound_channel(track), track->program);
}

void hole_say_selected(const struct session *s, char *buf, size_t n)
{
    char span[64], of[24], pitches[64] = "", lo[PITCH_NAME_BYTES], hi[PITCH_NAME_BYTES];
    const struct score *score = s->project.score;
    const struct box *b = &s->selection.box;
    uint64_t tracks = score->n_tracks ? selected_tracks(s) : 0;
    *buf = '\0';
    snprintf(of, sizeof of, ", of %d tracks", s->selection.n_tracks);
    if (s->view.mode != MODE_SELECT && s->selection.n) /* chosen notes have no box */
        snprintf(buf, n, "cc rewrites %s%s", s->selection.n == 1 ? "it" : "them",
                 s->selection.n > 1 && s->selection.n_tracks > 1 ? of : "");
    if (s->view.mode != MODE_SELECT || !tracks || !s->selection.has_box ||
        b->to <= b->from)
        return;
    if (!s->selection.bars) {
        pitch_name_octave(b->pitch_lo, SPELL_SHARPS, lo);
        pitch_name_octave(b->pitch_hi, SPELL_SHARPS, hi);
        snprintf(pitches, sizeof pitches, ", %s to %s", lo, hi);
    }
    const char *name = hole_track(s, tracks);
    snprintf(of, sizeof of, "%d tracks", __builtin_popcountll(tracks));
    snprintf(buf, n, "c rewrites %s of %s%s",
             span_name(&score->timeline, b->from, b->to, span), name ? name : of,
             pitches);
}

void act_change_selection(struct session *s, const struct command *c)
{
    const struct box b = s->selection.box;
    if (!are_few_takes(s, c))
        return;
    uint64_t tracks = selected_tracks(s);
    if (!tracks)
        tracks = active_track(s); /* it tells the user why it cannot be used */
    if (tracks && s->selection.has_box && b.to > b.from)
        request_hole(s, &b, tracks, c->count, machine_take_motif(s, &b), NULL, 0);
}
