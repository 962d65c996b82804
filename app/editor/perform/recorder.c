/* The user's input enters the session here: which part takes it, for which track, and how a
 * frame shows it meanwhile. */
#include "app/editor/takes/takes.h"
#include "app/editor/perform/devices.h"
#include "app/editor/perform/answer.h"
#include "app/editor/perform/recorder.h"

#include "midi/base/array.h"
#include "midi/base/hash.h"
#include "midi/score/general_midi.h"
#include "app/editor/session/session.h"
#include "tui/base/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool recorder_init(struct session *s, const struct session_options *o)
{
    struct recorder *r = s->parts.recorder;
    r->wake_fd = o->wake_fd;
    struct output_request output;
    output_request_parse(&output, o->output ? o->output : "none");
    if (o->input)
        r->ports = ports_create(s->player, o->input, output.name);
    output_begin(s, &output);
    return !o->input || r->ports;
}

static void recorder_fini(struct session *s)
{
    ports_destroy(s->parts.recorder->ports);
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

struct ports *recorder_ports(const struct session *s)
{
    return s->parts.recorder->ports;
}

static void listen(struct session *s, bool hears, bool keeps)
{
    int wake_fd = hears ? s->parts.recorder->wake_fd : -1;
    live_listen(player_live(s->player), hears, keeps, wake_fd);
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

/* -- a turn of the loop -- */

/* The ui thread receives the input only while it uses it. */
void recorder_follow_mode(struct session *s)
{
    bool is_shown = s->view.mode == MODE_STEP || s->view.mode == MODE_PLAY;
    bool is_kept = s->parts.recorder->is_on || answer_is_on(s);
    listen(s, is_kept || is_shown, is_kept);
    if (!is_shown)
        step_forget(s);
}

static void recorder_tick(struct session *s)
{
    piano_tick(s);
    follow_tracks(s);
    recorder_follow_mode(s);
    recorder_take_input(s);
    record_follow(s);
    record_keep(s);
    keyboard_watch(s);
}

/* -- what is shown -- */

struct ghost *recorder_next_draft(struct recorder *r)
{
    if (!ARRAY_GROW(r->drafts, r->n_drafts, r->cap_drafts))
        return NULL;
    return &r->drafts[r->n_drafts++];
}

/* Adds the notes of this pass to the drafts, as long as they are by now. While playing together
 * it adds only held notes: the others are ghosts of the take already. */
static void draw_recorded(struct recorder *r)
{
    const struct recording *of = &r->recording;
    for (size_t i = 0; i < of->n_notes; i++) {
        const struct recorded_note *n = &of->notes[i];
        bool is_drawn = n->pass == r->pass && (n->is_held || r->is_on);
        struct ghost *g = is_drawn ? recorder_next_draft(r) : NULL;
        if (!g)
            continue;
        *g = (struct ghost){.track = n->track, .note = n->note, .probability = -1};
        g->note.length = recorded_end(of, n, (int64_t)r->tick, r->pass) - n->note.start;
    }
}

const char *const RECORD_MODES[] = {"merge", "replace", "punch", "free", NULL};

/* Writes the names of the held notes: "   C4   E4   G4". */
static void name_held(const struct session *s, char *buf, size_t n)
{
    struct pitch_set held = {{0}};
    char name[PITCH_NAME_BYTES];
    size_t used = 0;
    piano_held(s, &held);
    buf[0] = '\0';
    for (int pitch = 0; pitch < 128 && used + PITCH_NAME_BYTES < n; pitch++)
        if (step_holds(s, pitch) || pitch_set_has(&held, pitch)) {
            pitch_name_octave(pitch, 0, name);
            if (session_shows_kit(s) && *gm_drum_name(pitch))
                snprintf(name, sizeof name, "%s", gm_drum_name(pitch));
            used += (size_t)snprintf(buf + used, n - used, "   %s", name);
        }
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
    } else if (s->view.mode == MODE_PLAY || s->view.mode == MODE_STEP) {
        char name[PITCH_NAME_BYTES] = "", held[96], grid[GRID_STEP_TEXT];
        const bool is_kit = session_shows_kit(s), steps = s->view.mode == MODE_STEP;
        if (!is_kit)
            pitch_name_octave(12 * (piano_octave(s) + 1), 0, name);
        name_held(s, held, sizeof held);
        snprintf(label, n_label, "%s%s%s%s%s   velocity %d%s", steps ? "steps of " : "",
                 steps ? grid_step_format(&s->grid, grid) : "", steps ? "   " : "",
                 is_kit ? "keys hit the kit" : "keys from ", name, s->new_note.velocity,
                 held);
    } else if (!answer_is_on(s)) {
        return;
    }
    if (answer_is_on(s))
        r->tick = player_tick(s->player);
    if (r->is_on || answer_is_on(s))
        draw_recorded(r);
    else
        step_draw(s);
    if (s->drag || !r->n_drafts)
        return;
    v->drafts.notes = r->drafts;
    v->drafts.n = r->n_drafts;
}

const struct editor_part RECORDER_PART = {
    PART_STATE(recorder),           .init = recorder_init, .fini = recorder_fini,
    .reset = recorder_start_afresh, .tick = recorder_tick, .view = recorder_view};
