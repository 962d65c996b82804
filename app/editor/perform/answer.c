/* The turns of playing together. See answer.h. */
#include "app/editor/perform/answer.h"
#include "app/editor/session/session.h"
#include "app/editor/takes/played_take.h"
#include "midi/base/clock.h"

#include <math.h>
#include <stdio.h>

enum {
    ASK_MS = 160,   /* time before the beat at which an answer is requested; */
    LEAST_MS = 100, /* and one that is due sooner than this is due a beat later */
    FRESH_MS = 1000,
};

/* The player reports its tick every few milliseconds; a key has its own tick. */
double answer_now_tick(const struct session *s)
{
    const struct answer *a = s->parts.answer;
    double tick = player_tick(s->player), since = clock_now_ms() - a->key_ms;
    if (!a->key_ms || since > FRESH_MS || player_is_held(s->player))
        return tick;
    double seconds = timeline_seconds(session_timeline(s), fmax(a->key_tick, 0));
    return fmax(tick, timeline_tick(session_timeline(s), seconds + since / 1e3));
}

/* The first step, beat or bar where an answer may begin that is not before the tick. */
static int64_t line_from(const struct session *s, int64_t tick)
{
    const enum answer_when when = s->parts.answer->options.when;
    const int tpq = s->project.score->ticks_per_quarter;
    const struct bar bar = session_bar_at(s, tick);
    const int64_t beat = timeline_beat_ticks(session_timeline(s), tick);
    int64_t at = bar.start < tick ? bar.start + bar.length : tick;
    if (when == ANSWER_ONCE) {
        const int64_t step = step_from_tick(tick, tpq);
        at = tick_from_step(step, tpq);
        return at < tick ? tick_from_step(step + 1, tpq) : at;
    }
    if (when == ANSWER_BEAT && beat > 0) {
        const int64_t line = bar.start + (tick - bar.start + beat - 1) / beat * beat;
        at = line < bar.start + bar.length ? line : at;
    }
    return at;
}

/* So many bars after the bar line that is nearest. */
static int64_t bars_after(const struct session *s, int64_t tick, int n)
{
    struct bar bar = session_bar_at(s, tick);
    bool is_late = 2 * (tick - bar.start) >= bar.length;
    return timeline_bar(session_timeline(s), bar.index + is_late + n).start;
}

int answer_n_held(const struct session *s)
{
    int n = 0;
    for (int channel = 0; channel < 16; channel++)
        for (int key = 0; key < 128; key++)
            n += played_take_music(s)->held[channel][key] != 0;
    return n;
}

void answer_begin_turn(struct session *s, int64_t at)
{
    struct answer *a = s->parts.answer;
    a->turn = ANSWER_LISTENS;
    a->turn_from = at;
    a->turn_to = a->options.bars ? bars_after(s, at, a->options.bars) : at;
    a->is_struck = false;
    a->read_to = -1;
    answer_choose_past(s);
}

/* When the phrase is over. false: that is not known yet. */
static bool find_end(const struct session *s, int64_t *tick)
{
    const struct answer *a = s->parts.answer;
    int64_t beat = timeline_beat_ticks(session_timeline(s), a->phrase_to);
    bool is_held = answer_n_held(s) > 0;
    if (!a->is_struck || (is_held && !a->options.bars))
        return false;
    if (!a->options.bars)
        *tick = a->phrase_to + (int64_t)(a->options.pause * (double)beat);
    else if (a->options.when == ANSWER_ONCE && !is_held &&
             a->phrase_to >= a->turn_to - beat)
        *tick = a->phrase_to; /* early, which is at once */
    else
        *tick = a->turn_to;
    return true;
}

/* Time until the answer is requested; negative: not known yet. */
static double ms_to_ask(const struct session *s)
{
    const struct answer *a = s->parts.answer;
    const struct timeline *t = session_timeline(s);
    int64_t end;
    if (a->turn != ANSWER_LISTENS || !find_end(s, &end))
        return -1;
    double seconds = timeline_seconds(t, (double)line_from(s, end)) -
                     timeline_seconds(t, answer_now_tick(s));
    double lead_ms = a->options.when == ANSWER_ONCE ? a->lead_ms : ASK_MS;
    return fmax(1e3 * seconds - lead_ms, 0);
}

static void ask(struct session *s)
{
    struct answer *a = s->parts.answer;
    const struct timeline *t = session_timeline(s);
    int64_t end = 0;
    double least_ms = a->options.when == ANSWER_ONCE ? a->lead_ms : LEAST_MS;
    double seconds = timeline_seconds(t, answer_now_tick(s)) + least_ms / 1e3;
    int64_t soonest = (int64_t)ceil(timeline_tick(t, seconds));
    if (!find_end(s, &end))
        return;
    a->begin = line_from(s, end > soonest ? end : soonest);
    a->bars = a->options.bars;
    if (!a->bars) { /* those that the phrase has taken, the last one whole */
        int64_t bar = timeline_bar_ticks(t, a->phrase_from);
        int64_t n = (a->phrase_to - a->phrase_from + bar - 1) / (bar > 0 ? bar : 1);
        a->bars = n < 1                       ? 1
                  : n < CONTINUATION_MAX_BARS ? (int)n
                                              : CONTINUATION_MAX_BARS;
    }
    a->end = bars_after(s, a->begin, a->bars);
    if (answer_ask(s))
        a->turn = ANSWER_WRITES;
    else
        answer_begin_turn(s, a->begin);
}

/* Notes that began before the recording do not belong to it. */
void answer_take(struct session *s, const struct live_event *e)
{
    struct answer *a = s->parts.answer;
    const struct score *score = s->project.score;
    int channel = e->status & 15, track = a->targets[channel];
    size_t *held = &played_take_music(s)->held[channel][e->data1 & 127], before = *held;
    if (track < 0 || (size_t)track >= score->n_tracks)
        return;
    recording_feed(played_take_music(s), e, track, score->tracks[track].channel);
    if (*held == before)
        return;
    int64_t tick = llround(fmax(e->tick, 0));
    a->key_ms = e->ms;
    a->key_tick = e->tick;
    if (before)
        answer_add_played(s, &played_take_music(s)->notes[before - 1]);
    if (*held) {
        /* In a turn of bars, notes struck before its end still belong to the phrase. */
        if (a->turn == ANSWER_WRITES && (!a->options.bars || tick >= a->begin)) {
            answer_end(s, tick);
            a->turn = ANSWER_LISTENS;
            if (tick >= a->begin)
                answer_begin_turn(s, tick);
        }
        /* The first key within the last beat of a turn is an upbeat to the next. */
        if (a->turn == ANSWER_LISTENS && !a->is_struck && a->options.bars &&
            a->turn_to - tick < timeline_beat_ticks(session_timeline(s), tick))
            answer_begin_turn(s, a->turn_to);
        if (!a->is_struck)
            a->phrase_from = tick;
        a->is_struck = true;
        a->phrase_to = tick;
    } else if (tick > a->phrase_to)
        a->phrase_to = tick;
}

void answer_tick(struct session *s)
{
    struct answer *a = s->parts.answer;
    if (!answer_is_on(s))
        return;
    if (!player_is_playing(s->player)) {
        answer_stop(s);
    } else if (a->turn == ANSWER_WRITES) {
        answer_follow(s);
        if (a->turn == ANSWER_WRITES && a->is_written &&
            player_tick(s->player) >= (double)a->end)
            answer_begin_turn(s, a->end);
    } else {
        /* A turn with bars in which nothing was played is followed by another. */
        if (a->options.bars && !a->is_struck &&
            answer_now_tick(s) >= (double)a->turn_to)
            answer_begin_turn(s, a->turn_to);
        answer_read(s);
        if (ms_to_ask(s) == 0)
            ask(s);
    }
}

int answer_timeout_ms(const struct session *s)
{
    double ms = ms_to_ask(s);
    return ms < 0 ? -1 : ms > 1000 ? 1000 : (int)ceil(ms);
}

bool answer_is_on(const struct session *s)
{
    return s->parts.answer->turn != ANSWER_OFF;
}

bool answer_is_urgent(const struct session *s)
{
    const struct answer *a = s->parts.answer;
    return a->turn == ANSWER_LISTENS || (a->turn == ANSWER_WRITES && !a->n_scheduled);
}

void answer_view(struct session *s, struct view *v)
{
    struct answer *a = s->parts.answer;
    const bool writes = a->turn == ANSWER_WRITES;
    if (!answer_is_on(s))
        return;
    if (!writes) {
        double ms = player_count_in_ms(s->player);
        int64_t now = (int64_t)player_tick(s->player);
        int64_t beat = timeline_beat_ticks(session_timeline(s), now),
                left = a->turn_to - now;
        if (ms > 0)
            snprintf(a->label, sizeof a->label, "your turn in %.1f s   & leaves",
                     ms / 1e3);
        else if (a->options.bars)
            snprintf(a->label, sizeof a->label,
                     "your turn: %d bar%s, %lld beats left   & leaves", a->options.bars,
                     plural(a->options.bars),
                     (long long)(beat > 0 && left > 0 ? (left + beat - 1) / beat : 0));
        else
            snprintf(a->label, sizeof a->label, "%s   & leaves",
                     a->is_struck ? "your turn: a pause ends it" : "listening");
        snprintf(a->frame, sizeof a->frame, "your turn");
    } else if (player_is_held(s->player))
        snprintf(a->label, sizeof a->label, "waiting for the machine   & leaves");
    else
        snprintf(a->label, sizeof a->label, "answering: %d bar%s   any key takes over",
                 a->bars, plural(a->bars));
    if (writes)
        snprintf(a->frame, sizeof a->frame, "answer, %d bar%s", a->bars,
                 plural(a->bars));
    v->record.label = a->label;
    v->record.is_on = !writes;
    v->machine.is_generating = false;
    /* The user's turn is framed like an answer; a free turn has no end yet. */
    v->hole.box = (struct box){writes ? a->begin : a->turn_from,
                               writes ? a->end : a->turn_to, 0, 127};
    v->hole.is_shown = v->hole.box.to > v->hole.box.from;
    v->hole.label = a->frame;
    v->hole.track_name = NULL;
    v->machine.has_frontier = v->machine.has_frontier && writes;
}
