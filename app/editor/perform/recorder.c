/* Recording. The user's input enters the session here: which part takes it, for which track, and how
 * a frame shows it meanwhile.
 *
 * From R to R the played notes become one change of the piece, or one for each pass of a loop. Passes
 * are siblings in the history; the last one is used, `:pass 1` chooses another. */
#include "app/base/values.h"
#include "app/editor/perform/answer.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/session/edit.h"
#include "app/editor/takes/takes.h"
#include "midi/base/array.h"
#include "midi/base/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const RECORD_MODES[] = {"merge", "replace", "punch", "free", NULL};

/* -- which track -- */

int recorder_target(const struct session *s, int channel)
{
    const struct score *score = s->project.score;
    const struct track *active = session_track(s);
    int any = -1;
    for (int t = (int)score->n_tracks - 1; t >= 0; t--)
        any = score->tracks[t].arm ? t : any;
    for (int t = any; t >= 0 && t < (int)score->n_tracks; t++)
        if (score->tracks[t].arm && score->tracks[t].channel == channel)
            return t;
    return any < 0 || (active && active->arm) ? s->view.track : any;
}

uint64_t recorder_targets(const struct session *s, int targets[16])
{
    uint64_t tracks = 0;
    for (int channel = 0; channel < 16; channel++) {
        int t = targets[channel] = recorder_target(s, channel);
        tracks |= t >= 0 && t < 64 ? UINT64_C(1) << t : 0;
    }
    return tracks;
}

bool recorder_is_on(const struct session *s)
{
    return s->parts.recorder->is_on;
}

static void listen(struct session *s, bool receives, bool records)
{
    live_listen(player_live(s->player), receives, records, receives ? s->wake_fd : -1);
}

void recorder_begin(struct session *s, int64_t from)
{
    struct recorder *r = s->parts.recorder;
    struct live_event e;
    r->span.tracks = recorder_targets(s, r->targets);
    recording_begin(&r->recording, from, s->project.score->ticks_per_quarter / 2);
    r->pass = 0;
    r->tick = (double)from;
    if (s->view.mode == MODE_SELECT)
        session_clear_selection(s);
    while (live_take(player_live(s->player), &e)) /* what came before is dropped */
        continue;
    session_publish(s);
    live_set_latency(player_live(s->player), s->sound.latency_ms);
    listen(s, true, true);
    session_send_clicks(s);
}

void recorder_end(struct session *s)
{
    player_stop(s->player);
    listen(s, false, false);
    session_send_clicks(s);
    session_hold_loop(s, false);
}

/* -- routes: how the keyboard sounds -- */

/* Finds how a track's channel is set up where the cursor is. What hands and feet do there is the
 * player's own. */
static void find_state(const struct session *s, const struct track *t,
                       struct channel_state *out)
{
    struct chase chase;
    const struct chunk *c = &s->project.score->chunks[t->chunk];
    const struct sound_ports ports = sound_ports_of(s->project.score);
    const int channel = sound_channel(&ports, chunk_channel(c, t->channel));
    chase_init(&chase, s->project.score);
    for (size_t i = 0; i < c->n_events && c->events[i].tick <= s->view.cursor.tick;
         i++) {
        const struct event *e = &c->events[i];
        bool is_message = e->n_data >= 2 && e->data[0] >= 0x80 && e->data[0] < 0xf0;
        if (is_message && (e->data[0] & 15) == t->channel)
            chase_feed(&chase, &(struct message){0, e->data[0], e->data[1] & 127,
                                                 e->n_data > 2 ? e->data[2] & 127 : 0,
                                                 (uint8_t)(channel >> 4)});
    }
    *out = chase.channel[channel];
    out->is_set[1] = false;
    for (int pedal = 64; pedal < 70; pedal++)
        out->is_set[pedal] = false;
    out->bend_low = 0;
    out->bend_high = 64;
    out->pressure = 0;
}

/* Routes each channel of the keyboard to the track that it plays. */
static void follow_tracks(struct session *s)
{
    struct recorder *r = s->parts.recorder;
    const struct score *score = s->project.score;
    uint64_t armed = 0;
    for (size_t t = 0; t < score->n_tracks && t < 64; t++)
        armed |= (uint64_t)score->tracks[t].arm << t;
    const int64_t of[] = {(int64_t)s->project.version, (int64_t)armed, s->view.track};
    const uint64_t now = hash_bytes(1, of, sizeof of);
    if (r->is_on || r->routed == now)
        return;
    struct channel_state state;
    r->routed = now;
    for (int channel = 0, before = -1; channel < 16; channel++) {
        const int t = recorder_target(s, channel);
        if (t < 0)
            break;
        if (t != before)
            find_state(s, &score->tracks[t], &state);
        before = t;
        if (!live_set_route(player_live(s->player), channel, score->tracks[t].channel,
                            &state)) {
            r->routed = 0; /* the rest is tried again */
            break;
        }
    }
}

/* -- free recording (`:record free`): no click and no count-in. It begins with
 * the first played note; the keys' own clock gives the times, the piece's tempo
 * map their ticks. Bars are marked afterwards; then `:lay` fits the tempo map
 * (fit_tempo.c) -- */

bool free_take_is_on(const struct session *s)
{
    return s->parts.recorder->is_on && s->parts.recorder->span.mode == RECORD_FREE;
}

static bool free_take_waits(const struct session *s)
{
    return free_take_is_on(s) && !s->parts.recorder->free.has_begun;
}

/* Returns the tick of a moment of clock_now_ms(). */
static double tick_of(const struct session *s, double ms)
{
    const struct timeline *t = session_timeline(s);
    double from = timeline_seconds(t, (double)s->parts.recorder->recording.from);
    double since = (ms - s->parts.recorder->free.first_ms) / 1e3;
    return timeline_tick(t, from + fmax(since, 0));
}

/* -- beginning -- */

/* Call when the store has nothing of the recording yet. */
static void start_saving(struct session *s)
{
    struct recorder *r = s->parts.recorder;
    r->n_kept_notes = r->n_kept_events = r->n_kept_held = 0;
    r->n_final_notes = r->n_final_events = 0;
    r->kept_moves = s->project.autosave.n_moves;
}

void act_record(struct session *s)
{
    struct recorder *r = s->parts.recorder;
    if (record_stop(s))
        return;
    const bool plays = player_is_playing(s->player), is_free = r->mode == RECORD_FREE;
    int64_t from = plays ? (int64_t)player_tick(s->player) : s->view.cursor.tick;
    r->span = (struct record_span){.mode = r->mode, .from = from, .to = from};
    r->arrangement = history_now(s->project.history)->arrangement;
    if (r->mode == RECORD_PUNCH) { /* it covers the selection, else the loop */
        if (!session_marked_time(s, &r->span.from, &r->span.to)) {
            session_say(s,
                        "punch needs a span: select something, or set a loop with \\");
            return;
        }
        if (!plays && from >= r->span.to)
            from = r->span.from;
    }
    if (!need_track(s))
        return;
    r->is_on = true;
    recorder_begin(s, from);
    start_saving(s);
    if (!is_free && s->loop.on && session_has_loop(s) && from < s->loop.to)
        recording_set_loop(&r->recording, s->loop.from, s->loop.to);
    if (is_free) { /* it waits */
        r->free = (struct free_take){0};
        player_stop(s->player);
        session_hold_loop(s, true); /* loops are not played */
        session_say(s, "recording starts with the first note");
    } else if (!player_is_playing(s->player)) {
        player_play_after(s->player, from, s->sound.count_in);
    }
}

/* -- while recording -- */

static void feed_recording(struct session *s, const struct live_event *e)
{
    struct recorder *r = s->parts.recorder;
    const struct score *score = s->project.score;
    const int track = r->targets[e->status & 15];
    if (track < 0 || (size_t)track >= score->n_tracks)
        return;
    if (e->has_tick && e->pass > r->pass)
        r->pass = e->pass;
    recording_feed(&r->recording, e, track, score->tracks[track].channel);
}

static void record_take(struct session *s, const struct live_event *e)
{
    struct recorder *r = s->parts.recorder;
    struct free_take *f = &r->free;
    struct live_event placed = *e;
    const int kind = e->status & 0xf0;
    if (!free_take_is_on(s)) {
        feed_recording(s, e);
        return;
    }
    placed.has_tick = true;
    placed.pass = 0;
    if (!f->has_begun && kind == 0xb0 && e->data1 == CC_PEDAL)
        f->pedal = placed;
    if (!f->has_begun && (kind != 0x90 || !e->data2))
        return;
    if (!f->has_begun) { /* the clock starts, and the transport, which shows it */
        f->has_begun = true;
        f->first_ms = e->ms;
        player_play(s->player, r->recording.from);
        f->pedal.tick = (double)r->recording.from;
        if (f->pedal.data2 >= 64) /* it is still down */
            feed_recording(s, &f->pedal);
    }
    placed.tick = tick_of(s, e->ms);
    feed_recording(s, &placed);
}

static void follow_playhead(struct session *s)
{
    struct recorder *r = s->parts.recorder;
    unsigned pass = player_pass(s->player);
    if (free_take_is_on(s)) {
        r->tick = r->free.has_begun ? round(tick_of(s, clock_now_ms()))
                                    : (double)r->recording.from;
        return;
    }
    r->pass = pass > r->pass ? pass : r->pass;
    r->tick = player_tick(s->player);
}

void recorder_take_input(struct session *s)
{
    /* Newer input wakes the loop again, so that an endless flood delays no key. */
    struct live_event e;
    for (int i = 0; i < LIVE_MOST_WAITING && live_take(player_live(s->player), &e); i++)
        if (s->parts.recorder->is_on)
            record_take(s, &e);
        else if (answer_is_on(s))
            answer_take(s, &e);
        else if (!e.is_typed) /* piano.c has these already */
            step_take(s, &e);
}

/* -- ending -- */

/* Adds each pass to the piece. All start from the same state; the last one is used. Returns how
 * many were played. */
static unsigned put_passes(struct session *s)
{
    struct recorder *r = s->parts.recorder;
    unsigned n = 0;
    for (unsigned pass = 0; pass <= r->pass; pass++)
        n += recording_has_pass(&r->recording, pass);
    r->n_passes = 0;
    for (unsigned pass = 0; pass <= r->pass; pass++) {
        if (!recording_has_pass(&r->recording, pass) || r->n_passes == RECORDER_PASSES)
            continue;
        if (r->n_passes && !project_step(&s->project, -1, NULL))
            break;
        /* The span of the piece that the pass was played over. */
        const struct recording *rec = &r->recording;
        struct record_span span = r->span;
        if (span.mode != RECORD_PUNCH) {
            span.from = pass ? rec->loop_from : rec->from;
            span.to = pass < r->pass ? rec->loop_to : (int64_t)ceil(r->tick);
            span.to = span.to < span.from ? span.from : span.to;
        }
        char label[48] = "record";
        if (n > 1)
            snprintf(label, sizeof label, "record, pass %u", pass + 1);
        struct change *c = record_change(s->project.score, rec, pass, &span, label);
        const struct tap begin_here = {rec->from, TAP_BEGIN};
        if (span.mode == RECORD_FREE && c && c->n_edits &&
            !taps_has(&s->project.score->taps, begin_here))
            change_tap(c, begin_here, true); /* free playing begins there */
        if (edit_do_some(s, c, "nothing was played within the span"))
            r->passes[r->n_passes++] = history_state(s->project.history);
        else if (r->n_passes)
            project_go(&s->project, r->passes[r->n_passes - 1]);
    }
    session_revalidate(s);
    return n;
}

bool record_stop(struct session *s)
{
    struct recorder *r = s->parts.recorder;
    if (!r->is_on)
        return answer_stop(s);
    piano_release(s);
    recorder_take_input(s);
    follow_playhead(s);
    r->is_on = false;
    recorder_end(s);
    recording_end(&r->recording, llround(r->tick), r->pass);
    const uint64_t first_new = s->project.score->next_id;
    unsigned n = put_passes(s);
    size_t n_notes = r->recording.n_notes, n_events = r->recording.n_events;
    if (r->recording.is_short_of_memory)
        session_error(s, "out of memory: some played notes are lost");
    else if (!n)
        session_say(s, "nothing was played");
    else if (r->n_passes && n > 1)
        session_say(s,
                    "%d passes; the last is used, :pass 1 uses the first, U lists them",
                    r->n_passes);
    else if (r->n_passes && n_events)
        session_say(s, "recorded %zu note%s and %zu event%s; u undoes this", n_notes,
                    plural(n_notes), n_events, plural(n_events));
    else if (r->n_passes) /* else put_passes has said why not */
        session_say(s, "recorded %zu note%s; u takes %s back", n_notes, plural(n_notes),
                    n_notes == 1 ? "it" : "them");
    if (r->n_passes) {
        session_clear_selection(s);
        select_with_new(s, first_new);
    }
    session_show_cursor(s); /* it is where recording began, not at the playhead */
    recording_fini(&r->recording);
    if (r->n_kept_notes || r->n_kept_events)
        autosave_put_session(&s->project, NULL, KEPT_RECORDING);
    return true;
}

/* -- saving a recording as it comes -- */

static void save_recording(struct session *s)
{
    struct recorder *r = s->parts.recorder;
    const struct recording *now = &r->recording;
    size_t n_held = 0, first_held = now->n_notes;
    if (!r->is_on)
        return;
    if (r->kept_moves != s->project.autosave.n_moves)
        start_saving(s);
    for (size_t i = r->n_final_notes; i < now->n_notes; i++)
        if (now->notes[i].is_held)
            first_held = n_held++ ? first_held : i;
    if (now->n_notes == r->n_kept_notes && now->n_events == r->n_kept_events &&
        n_held == r->n_kept_held)
        return;
    /* The next part has all that may have changed since the last one. */
    struct kept_session *news = malloc(sizeof *news);
    if (!news)
        return;
    kept_session_init(news);
    struct kept_recording *k = &news->recording;
    *k = (struct kept_recording){.mode = (int)r->span.mode,
                                 .from = now->from,
                                 .loop_from = now->loop_from,
                                 .loop_to = now->loop_to,
                                 .span_from = r->span.from,
                                 .span_to = r->span.to,
                                 .tracks = r->span.tracks,
                                 .pass = r->pass,
                                 .at = r->tick,
                                 .n_notes_before = r->n_final_notes,
                                 .n_events_before = r->n_final_events};
    k->notes = calloc(now->n_notes - r->n_final_notes + 1, sizeof *k->notes);
    k->events = calloc(now->n_events - r->n_final_events + 1, sizeof *k->events);
    if (!k->notes || !k->events) {
        kept_session_destroy(news);
        return;
    }
    for (size_t i = r->n_final_notes; i < now->n_notes; i++)
        k->notes[k->n_notes++] = now->notes[i];
    for (size_t i = r->n_final_events; i < now->n_events; i++)
        k->events[k->n_events++] = now->events[i];
    autosave_put_session(&s->project, news, KEPT_RECORDING);
    r->n_kept_notes = now->n_notes;
    r->n_kept_events = now->n_events;
    r->n_kept_held = n_held;
    /* A part with the same beginning replaces the part before it. So while a note is held, a
     * new part, which has the same notes once more, begins with no fewer events than notes. */
    if (first_held != r->n_final_notes ||
        now->n_events - r->n_final_events >= now->n_notes - first_held)
        r->n_final_events = now->n_events;
    r->n_final_notes = first_held;
}

void record_bring_back(struct session *s, struct kept_recording *k)
{
    struct recorder *r = s->parts.recorder;
    recording_begin(&r->recording, k->from, 0);
    if (k->loop_to > k->loop_from)
        recording_set_loop(&r->recording, k->loop_from, k->loop_to);
    /* Held notes end where the playhead was last seen. */
    for (size_t i = 0; i < k->n_notes; i++) {
        struct recorded_note n = k->notes[i];
        n.note.length =
            recorded_end(&r->recording, &n, llround(k->at), k->pass) - n.note.start;
        n.is_held = false;
        if ((size_t)n.track < s->project.score->n_tracks && n.pass <= k->pass &&
            n.note.length > 0)
            k->notes[r->recording.n_notes++] = n;
    }
    for (size_t i = 0; i < k->n_events; i++)
        if ((size_t)k->events[i].track < s->project.score->n_tracks &&
            k->events[i].pass <= k->pass)
            k->events[r->recording.n_events++] = k->events[i];
    r->recording.notes = k->notes;
    r->recording.events = k->events;
    r->recording.cap_notes = k->n_notes;
    r->recording.cap_events = k->n_events;
    k->notes = NULL;
    k->events = NULL;
    r->span = (struct record_span){(enum record_mode)k->mode, k->span_from, k->span_to,
                                   k->tracks};
    r->pass = k->pass;
    r->tick = k->at;
    size_t n_notes = r->recording.n_notes;
    put_passes(s);
    recording_fini(&r->recording);
    autosave_put_session(&s->project, NULL, KEPT_RECORDING);
    if (r->n_passes)
        session_say(s, "an interrupted recording is back, %zu note%s; u removes %s",
                    n_notes, plural(n_notes), n_notes == 1 ? "it" : "them");
}

/* -- lines -- */

void act_record_line(struct session *s, const char *word)
{
    static const char *const MEAN[] = {
        "recording adds to the notes there",
        "recording replaces the notes there",
        "recording replaces the notes within the selection or the loop",
        "recording without a click; later | marks bar lines, :lay fits the bars",
    };
    int mode = (int)s->parts.recorder->mode;
    if (*word && !value_word(word, RECORD_MODES, &mode)) {
        session_error(s, "record: use merge, replace, punch or free, not %s", word);
        return;
    }
    s->parts.recorder->mode = (enum record_mode)mode;
    session_say(s, "record %s: %s", RECORD_MODES[mode], MEAN[mode]);
}

void act_count_in_line(struct session *s, const char *word)
{
    if (*word && !value_count(word, 0, 2, &s->sound.count_in))
        session_error(s, "count-in: use 0, 1 or 2 bars, not %s", word);
    else
        session_say(s, "%d bar%s of count-in", s->sound.count_in,
                    s->sound.count_in == 1 ? " is" : "s are");
}

void act_latency_line(struct session *s, const char *word)
{
    if (*word && !value_real(word, -500, 500, &s->sound.latency_ms))
        session_error(s, "latency: use milliseconds, as in :latency 12, not %s", word);
    else
        session_say(s, "input is recorded %g ms %s", fabs(s->sound.latency_ms),
                    s->sound.latency_ms < 0 ? "later" : "earlier");
}

void act_pass_line(struct session *s, const char *word)
{
    struct recorder *r = s->parts.recorder;
    const uint64_t from = history_state(s->project.history);
    int n = 0, at = 0;
    if (r->n_passes < 2 || !value_count(word, 1, r->n_passes, &n)) {
        session_say(s,
                    r->n_passes < 2 ? "there are no passes: record in a loop first"
                                    : "there are passes 1 to %d",
                    r->n_passes);
        return;
    }
    while (at < r->n_passes && r->passes[at] != from)
        at++;
    if (at == r->n_passes) {
        session_say(s, "the piece has changed since; U lists pass %d", n);
        return;
    }
    enum midi_status st = project_go(&s->project, r->passes[n - 1]);
    if (!history_arrive(s, from))
        return;
    if (st)
        session_error(s, "not possible: it %s", midi_strerror(st));
    else
        session_say(s, "pass %d of %d", n, r->n_passes);
}

/* -- bar lines: `|` marks or unmarks one at the cursor; in playback it taps one -- */

static void mark_bar_line(struct session *s, int64_t tick, bool puts)
{
    char place[PLACE_BYTES];
    struct change *c = change_create(puts ? "mark a bar line" : "unmark a bar line");
    change_tap(c, (struct tap){tick, TAP_BAR}, puts);
    if (!edit_do(s, c))
        return;
    const struct taps *t = &s->project.score->taps;
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        n += t->list[i].kind == TAP_BAR;
    place_name(session_timeline(s), tick, place);
    if (!puts)
        session_say(s, "bar line at %s unmarked", place);
    else if (n < 2)
        session_say(s, "bar line marked at %s; | marks the next", place);
    else
        session_say(s, "%zu bar lines marked; :lay fits the bars to them", n);
}

void act_tap(struct session *s)
{
    const struct timeline *t = session_timeline(s);
    const struct taps *of = &s->project.score->taps;
    if (of->n >= TAPS_MOST) {
        session_error(s, "no more bar lines can be marked");
    } else if (free_take_is_on(s) && !free_take_waits(s)) {
        mark_bar_line(s, llround(tick_of(s, clock_now_ms())), true);
    } else if (player_is_playing(s->player)) {
        /* The line is at the tick that sounds now, minus the latency of the input. */
        double seconds = timeline_seconds(t, player_tick(s->player));
        seconds -= s->sound.latency_ms / 1e3;
        mark_bar_line(s, seconds > 0 ? llround(timeline_tick(t, seconds)) : 0, true);
    } else {
        /* The line is the first one that is marked in the cursor's step of the grid. */
        const int64_t end = grid_next(s, s->view.cursor.tick);
        size_t i = taps_first_at(of, s->view.cursor.tick);
        while (i < of->n && of->list[i].kind != TAP_BAR)
            i++;
        bool is_marked = i < of->n && of->list[i].tick < end;
        mark_bar_line(s, is_marked ? of->list[i].tick : s->view.cursor.tick,
                      !is_marked);
    }
}

/* -- a turn of the loop, and a frame -- */

/* The ui thread receives the input only while it uses it. */
void recorder_follow_mode(struct session *s)
{
    bool is_shown = s->view.mode == MODE_STEP || s->view.mode == MODE_PLAY;
    bool is_kept = s->parts.recorder->is_on || answer_is_on(s);
    listen(s, is_kept || is_shown, is_kept);
    if (!is_shown)
        step_forget(s);
}

static void recorder_fini(struct session *s)
{
    recording_fini(&s->parts.recorder->recording);
    free(s->parts.recorder->drafts);
}

static void recorder_start_afresh(struct session *s)
{
    struct recorder *r = s->parts.recorder;
    r->is_on = false;
    r->routed = 0;
    r->n_passes = 0;
    recording_fini(&r->recording);
}

static void recorder_tick(struct session *s)
{
    piano_tick(s);
    follow_tracks(s);
    recorder_follow_mode(s);
    recorder_take_input(s);
    /* The recording ends if its tracks were removed or moved: the played notes belong to their
     * old positions. */
    const struct recorder *r = s->parts.recorder;
    const bool moved = history_now(s->project.history)->arrangement != r->arrangement;
    const bool has_stopped = !free_take_waits(s) && !player_is_playing(s->player);
    if (r->is_on && (moved || has_stopped))
        record_stop(s);
    else if (r->is_on)
        follow_playhead(s);
    save_recording(s);
}

static void recorder_view(struct session *s, struct view *v)
{
    struct recorder *r = s->parts.recorder;
    const struct timeline *t = session_timeline(s);
    char *label = v->record.label;
    const size_t n_label = sizeof v->record.label;
    r->n_drafts = 0;
    v->record.is_on = r->is_on;
    if (free_take_waits(s)) {
        snprintf(label, n_label, "REC waits for the first note  R stops");
    } else if (r->is_on) {
        const int64_t from = r->recording.from,
                      tick = r->tick > 0 ? (int64_t)r->tick : 0;
        const int64_t beat = timeline_beat_ticks(t, tick);
        const double first_beat = (double)(from + timeline_beat_ticks(t, from));
        const double count_in_ms = player_count_in_ms(s->player);
        const double beat_ms = 1000 * (timeline_seconds(t, first_beat) -
                                       timeline_seconds(t, (double)from));
        const struct bar bar = session_bar_at(s, tick);
        const size_t n = recording_n_notes(&r->recording, r->pass);
        char pass[24] = "";
        if (r->pass)
            snprintf(pass, sizeof pass, "  pass %u", r->pass + 1);
        if (count_in_ms > 0 && beat_ms > 0)
            snprintf(label, n_label, "REC in %.0f  %s  R stops",
                     ceil(count_in_ms / beat_ms), RECORD_MODES[r->mode]);
        else
            snprintf(label, n_label, "REC bar %lld.%lld  %zu note%s%s  %s  R stops",
                     (long long)bar.index + 1,
                     (long long)((tick - bar.start) / (beat > 0 ? beat : 1)) + 1, n,
                     plural(n), pass, RECORD_MODES[r->mode]);
    } else if (!answer_is_on(s)) {
        return;
    }
    if (answer_is_on(s))
        r->tick = player_tick(s->player);
    /* The notes of this pass are drafts, as long as they are by now. While playing together
     * only held notes are: the others are ghosts of the take already. */
    for (size_t i = 0; i < r->recording.n_notes; i++) {
        const struct recorded_note *n = &r->recording.notes[i];
        struct ghost g = {.track = n->track, .note = n->note, .probability = -1};
        g.note.length =
            recorded_end(&r->recording, n, (int64_t)r->tick, r->pass) - n->note.start;
        if (n->pass == r->pass && (n->is_held || r->is_on))
            array_add(&r->drafts, &r->n_drafts, &r->cap_drafts, &g, sizeof g);
    }
    if (s->drag || !r->n_drafts)
        return;
    v->drafts.notes = r->drafts;
    v->drafts.n = r->n_drafts;
}

const struct editor_part RECORDER_PART = {PART_STATE(recorder), .fini = recorder_fini,
                                          .reset = recorder_start_afresh,
                                          .tick = recorder_tick, .view = recorder_view};
