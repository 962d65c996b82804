/* See store_session.h. The ranges of settings are no narrower than in app/generation/steer.c. */
#include "app/document/store_session.h"

#include "app/critic/critic.h"
#include "app/base/say.h"
#include "midi/score/notes.h"
#include "midi/tokens/tokens.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TRACKS = 1 << 16,
    MOST_ROWS = 1 << 24,
    MOST_SETTINGS = 64,
    MOST_LAYERS = 1024,
    MOST_HEADS = 1024
};
#define MOST_ID 0x1p53

struct setting {
    char name[32], value[96];
};

#define TICKS    0, (double)TICK_MAX
#define SUM      -1e300, 1e300 /* of log-probabilities: any */
#define SHARE    0, 1
#define N(lists) (sizeof(lists) / sizeof(lists)[0])

static const struct row_field SETTING_FIELDS[] = {
    ROW_TEXT(setting, "name", name),
    ROW_TEXT(setting, "value", value),
};

static const struct row_field MARK_FIELDS[] = {
    ROW_WHOLE(kept_marks, "track", index, 0, MOST_TRACKS - 1),
    ROW_NAME(kept_marks, "name", name),
    ROW_YES(kept_marks, "mute", mute),
    ROW_YES(kept_marks, "solo", solo),
    ROW_YES(kept_marks, "arm", arm),
    ROW_YES(kept_marks, "hide", hide),
    ROW_WHOLE(kept_marks, "colour", colour, 0, TRACK_COLOURS),
};

static const struct row_field TAP_FIELDS[] = {
    ROW_WHOLE(tap, "tick", tick, TICKS),
    ROW_WHOLE(tap, "kind", kind, 0, TAP_KINDS - 1),
};

#define ANY_TICK -(double)TICK_MAX, (double)TICK_MAX
static const struct row_field RECORDING_FIELDS[] = {
    ROW_WHOLE(kept_recording, "mode", mode, RECORD_MERGE, RECORD_FREE),
    ROW_WHOLE(kept_recording, "from_tick", from, TICKS),
    ROW_WHOLE(kept_recording, "loop_from", loop_from, TICKS),
    ROW_WHOLE(kept_recording, "loop_to", loop_to, TICKS),
    ROW_WHOLE(kept_recording, "span_from", span_from, TICKS),
    ROW_WHOLE(kept_recording, "span_to", span_to, TICKS),
    ROW_WORD(kept_recording, "tracks", tracks),
    ROW_WHOLE(kept_recording, "pass", pass, 0, 1e6),
    ROW_REAL(kept_recording, "at", at, ANY_TICK),
};

static const struct row_field NOTE_FIELDS[] = {
    ROW_WHOLE(recorded_note, "track", track, 0, MOST_TRACKS - 1),
    ROW_WHOLE(recorded_note, "pass", pass, 0, 1e6),
    ROW_YES(recorded_note, "is_held", is_held),
    ROW_WHOLE(recorded_note, "start", note.start, TICKS),
    ROW_WHOLE(recorded_note, "length", note.length, TICKS),
    ROW_WHOLE(recorded_note, "pitch", note.pitch, 0, 127),
    ROW_WHOLE(recorded_note, "velocity", note.velocity, 1, 127),
    ROW_WHOLE(recorded_note, "off_velocity", note.off_velocity, 0, 127),
};

static const struct row_field EVENT_FIELDS[] = {
    /* gestures, too */
    ROW_WHOLE(recorded_event, "track", track, 0, MOST_TRACKS - 1),
    ROW_WHOLE(recorded_event, "pass", pass, 0, 1e6),
    ROW_WHOLE(recorded_event, "tick", tick, TICKS),
    ROW_WHOLE(recorded_event, "status", data[0], 0x80, 0xef),
    ROW_WHOLE(recorded_event, "data1", data[1], 0, 127),
    ROW_WHOLE(recorded_event, "data2", data[2], 0, 127),
};

/* struct continuation_options, as a part `o` of struct S. */
// NOLINTBEGIN(bugprone-macro-parentheses): the name of a member takes none
#define SETTINGS(S, o)                                                                 \
    ROW_WHOLE(S, "bars", o.bars, 1, CONTINUATION_MAX_BARS),                            \
        ROW_WHOLE(S, "from_tick", o.hole.from_tick, TICKS),                            \
        ROW_WHOLE(S, "to_tick", o.hole.to_tick, TICKS),                                \
        ROW_WHOLE(S, "lowest", o.hole.pitch_lo, 0, 127),                               \
        ROW_WHOLE(S, "highest", o.hole.pitch_hi, 0, 127),                              \
        ROW_WORD(S, "tracks", o.tracks),                                               \
        ROW_WHOLE(S, "style", o.style, CONTINUATION_STYLE_GUESS, STYLE_COUNT - 1),     \
        ROW_WHOLE(S, "scale", o.scale, 0, 0xfff),                                      \
        ROW_WHOLE(S, "polyphony", o.max_polyphony, 0, 128),                            \
        ROW_WHOLE(S, "keep", o.keep, HOLE_PLAN_NONE, HOLE_PLAN_PITCHES),               \
        ROW_REAL(S, "stays", o.stays, SHARE), ROW_WORD(S, "stays_seed", o.stays_seed), \
        ROW_REAL(S, "guidance", o.guidance, 0, 10),                                    \
        ROW_WHOLE(S, "density_level", o.hole.density, FILL_ANY, FILL_DENSITIES - 1),   \
        ROW_WHOLE(S, "voices_level", o.hole.polyphony, FILL_ANY,                       \
                  FILL_POLYPHONIES - 1),                                               \
        ROW_WHOLE(S, "length_level", o.hole.length, FILL_ANY, FILL_LENGTHS - 1),       \
        ROW_WHOLE(S, "register_level", o.hole.height, FILL_ANY, FILL_REGISTERS - 1),   \
        ROW_YES(S, "close", o.hole.close),                                             \
        ROW_WHOLE(S, "min_notes", o.hole.min_notes, 0, 1000),                          \
        ROW_REAL(S, "temperature", o.sampling.temperature, 0, 5),                      \
        ROW_WHOLE(S, "top_k", o.sampling.top_k, 0, INT_MAX),                           \
        ROW_REAL(S, "top_p", o.sampling.top_p, SHARE),                                 \
        ROW_REAL(S, "min_p", o.sampling.min_p, SHARE),                                 \
        ROW_WORD(S, "seed", o.sampling.seed)
// NOLINTEND(bugprone-macro-parentheses)

static const struct row_field REQUEST_FIELDS[] = {
    ROW_WHOLE(kept_takes, "ticks_per_quarter", ticks_per_quarter, 1, INT_MAX),
    ROW_WHOLE(kept_takes, "letters", n_letters, 1, PROPOSALS_MAX),
    ROW_WHOLE(kept_takes, "shown", shown, -1, PROPOSALS_MAX - 1),
    ROW_WHOLE(kept_takes, "bars_asked", asked.bars, 1, INT_MAX),
    ROW_WHOLE(kept_takes, "takes_at_once", takes_once, 0, CONTINUATION_MAX_TAKES),
    ROW_WHOLE(kept_takes, "hole_from", hole_from, TICKS),
    ROW_WHOLE(kept_takes, "hole_to", hole_to, TICKS),
    ROW_WHOLE(kept_takes, "music_end", music_end, 0, 2 * (double)TICK_MAX),
    ROW_WHOLE(kept_takes, "played_to", played_to, -1, (double)TICK_MAX),
    SETTINGS(kept_takes, asked.options)};

static const struct row_field TAKE_FIELDS[] = {
    ROW_WHOLE(proposal, "letter", letter, 'A', 'A' + PROPOSALS_MAX - 1),
    ROW_TEXT(proposal, "model", model_name),
    ROW_WHOLE(proposal, "liking", liking, -1, 1),
    ROW_WHOLE(proposal, "came", n_came, 0, INT_MAX),
    ROW_WORD(proposal, "model_hash", model_hash),
    ROW_WHOLE(proposal, "style_used", style, STYLE_ANY, STYLE_COUNT - 1),
    ROW_WHOLE(proposal, "begins", stats.from_tick, TICKS),
    ROW_WHOLE(proposal, "ends", stats.to_tick, TICKS),
    ROW_WHOLE(proposal, "written_to", stats.at_tick, TICKS),
    ROW_YES(proposal, "is_done", stats.is_done),
    ROW_WHOLE(proposal, "tokens", stats.n_tokens, 0, INT_MAX),
    ROW_REAL(proposal, "log_prob", stats.log_prob, SUM),
    ROW_REAL(proposal, "own_log_prob", stats.own_log_prob, SUM),
    ROW_REAL(proposal, "masked", stats.masked, SHARE),
    ROW_REAL(proposal, "closes", stats.closes, SHARE),
    ROW_YES(proposal, "judged", stats.verdict.is_judged),
    ROW_REAL(proposal, "merit", stats.verdict.merit, -1e6, 1e6),
    ROW_WHOLE(proposal, "faults", stats.verdict.n_faults, 0, 1000),
    ROW_WHOLE(proposal, "why_1", stats.verdict.words[0], 0, CRITIC_MOST_WORDS),
    ROW_WHOLE(proposal, "why_2", stats.verdict.words[1], 0, CRITIC_MOST_WORDS),
    ROW_WHOLE(proposal, "why_3", stats.verdict.words[2], 0, CRITIC_MOST_WORDS),
    SETTINGS(proposal, options)};

static const struct row_field TRACK_FIELDS[] = {
    ROW_WHOLE(kept_track, "chunk", chunk, 0, INT_MAX),
    ROW_WHOLE(kept_track, "channel", channel, 0, 15),
};

static const struct row_field GHOST_FIELDS[] = {
    ROW_WHOLE(kept_ghost, "take", take, 0, PROPOSALS_MAX - 1),
    ROW_WHOLE(kept_ghost, "id", ghost.note.id, 1, MOST_ID),
    ROW_WHOLE(kept_ghost, "track", ghost.track, 0, INT_MAX),
    ROW_WHOLE(kept_ghost, "start", ghost.note.start, TICKS),
    ROW_WHOLE(kept_ghost, "length", ghost.note.length, 1, (double)TICK_MAX),
    ROW_WHOLE(kept_ghost, "pitch", ghost.note.pitch, 0, 127),
    ROW_WHOLE(kept_ghost, "velocity", ghost.note.velocity, 1, 127),
    ROW_REAL(kept_ghost, "probability", ghost.probability, -1, 1),
    ROW_YES(kept_ghost, "is_kept", ghost.is_kept),
};

static const struct row_field PLACE_FIELDS[] = {
    ROW_WHOLE(kept_place, "track", track, 0, INT_MAX),
    ROW_WHOLE(kept_place, "start", start, TICKS),
    ROW_WHOLE(kept_place, "length", length, TICKS),
    ROW_WHOLE(kept_place, "pitch", pitch, 0, 127),
    ROW_WHOLE(kept_place, "ghost", ghost, 0, MOST_ID),
};

static const struct row_field TOKEN_FIELDS[] = {
    ROW_WHOLE(kept_part, "take", take, 0, PROPOSALS_MAX - 1),
    ROW_WHOLE(kept_part, "token", what, 0, TOKEN_COUNT - 1),
};
static const struct row_field MUTE_FIELDS[] = {
    ROW_WHOLE(kept_part, "take", take, 0, PROPOSALS_MAX - 1),
    ROW_WHOLE(kept_part, "layer", what, 0, MOST_LAYERS - 1),
    ROW_WHOLE(kept_part, "head", head, 0, MOST_HEADS - 1),
};

static const struct row_field MOTIF_FIELDS[] = {
    ROW_WHOLE(kept_motif, "take", take, -1, PROPOSALS_MAX - 1),
    ROW_WHOLE(kept_motif, "kind", motif.kind, MOTIF_EXACT, N_MOTIF_KINDS - 1),
    ROW_WHOLE(kept_motif, "from_tick", motif.from_tick, TICKS),
    ROW_WHOLE(kept_motif, "to_tick", motif.to_tick, TICKS),
    ROW_WHOLE(kept_motif, "lowest", motif.pitch_lo, 0, 127),
    ROW_WHOLE(kept_motif, "highest", motif.pitch_hi, 0, 127),
    ROW_WORD(kept_motif, "tracks", motif.tracks),
    ROW_WHOLE(kept_motif, "there", motif.at.kind, MOTIF_NONE, N_MOTIF_KINDS - 1),
    ROW_WHOLE(kept_motif, "at", motif.at.tick, TICKS),
    ROW_WHOLE(kept_motif, "steps", motif.at.steps, -MOTIF_MOST_STEPS, MOTIF_MOST_STEPS),
};

static const struct row_field CHORD_FIELDS[] = {
    ROW_WHOLE(kept_chord, "take", take, 0, PROPOSALS_MAX - 1),
    ROW_WHOLE(kept_chord, "tick", chord.tick, TICKS),
    ROW_WHOLE(kept_chord, "root", chord.root, 0, CHORD_NO_ROOT),
    ROW_WHOLE(kept_chord, "quality", chord.quality, 0, CHORD_QUALITIES - 1),
    ROW_WHOLE(kept_chord, "bass", chord.bass, 0, CHORD_NO_ROOT),
    ROW_YES(kept_chord, "flats", chord.flats),
};

static const struct row_field MUSIC_FIELDS[] = {
    ROW_WHOLE(kept_takes, "time_put_in", time_put_in, -0x1p62, 0x1p62),
    ROW_WORD(kept_takes, "arrangement", arrangement),
};

static const struct row_field SESSION_FIELDS[] = {
    ROW_WHOLE(kept_session, "time_put_in", takes.time_put_in, -0x1p62, 0x1p62),
    ROW_WORD(kept_session, "arrangement", takes.arrangement),
    ROW_WHOLE(kept_session, "grid_division", roll.grid.division, 0, GRID_FINEST),
    ROW_WHOLE(kept_session, "grid_kind", roll.grid.kind, 0, N_GRID_KINDS - 1),
    ROW_YES(kept_session, "grid_is_free", roll.grid.is_free),
    ROW_YES(kept_session, "snap", roll.snaps),
    ROW_YES(kept_session, "fold", roll.folds),
    ROW_WHOLE(kept_session, "strength", groove.strength, 0, 100),
    ROW_YES(kept_session, "starts", groove.starts),
    ROW_WHOLE(kept_session, "ends", groove.ends, 0, GROOVE_ENDS_LENGTHS),
    ROW_WHOLE(kept_session, "swing", groove.swing, 50, 75),
    ROW_WHOLE(kept_session, "within", groove.within, 0, 100),
    ROW_REAL(kept_session, "humanise_ms", humanise.ms, 0, HUMANISE_MOST_MS),
    ROW_WHOLE(kept_session, "humanise_velocity", humanise.velocity, 0, 127),
    ROW_WHOLE(kept_session, "loop_from", loop.from, TICKS),
    ROW_WHOLE(kept_session, "loop_to", loop.to, TICKS),
    ROW_YES(kept_session, "loop_on", loop.on),
};

static const struct row_table
    SESSION = ROW_TABLE(kept_session, "beside", SESSION_FIELDS),
    MUSIC = ROW_TABLE(kept_takes, "beside", MUSIC_FIELDS),
    SETTING = ROW_TABLE(setting, "setting", SETTING_FIELDS),
    MARK = ROW_TABLE(kept_marks, "mark", MARK_FIELDS),
    TAP = ROW_TABLE(tap, "tap", TAP_FIELDS),
    RECORDING = ROW_TABLE(kept_recording, "recording", RECORDING_FIELDS),
    NOTE = ROW_TABLE(recorded_note, "recorded_note", NOTE_FIELDS),
    EVENT = ROW_TABLE(recorded_event, "recorded_event", EVENT_FIELDS),
    REQUEST = ROW_TABLE(kept_takes, "request", REQUEST_FIELDS),
    TAKE = ROW_TABLE(proposal, "take", TAKE_FIELDS),
    TRACK = ROW_TABLE(kept_track, "track", TRACK_FIELDS),
    GHOST = ROW_TABLE_BY(kept_ghost, take, "ghost", GHOST_FIELDS),
    TOKEN = ROW_TABLE(kept_part, "take_token", TOKEN_FIELDS),
    MUTE = ROW_TABLE(kept_part, "take_mute", MUTE_FIELDS),
    MOTIF = ROW_TABLE(kept_motif, "motif", MOTIF_FIELDS),
    CHORD = ROW_TABLE(kept_chord, "take_chord", CHORD_FIELDS),
    PLACE = ROW_TABLE(kept_place, "place", PLACE_FIELDS),
    GESTURE = ROW_TABLE(recorded_event, "gesture", EVENT_FIELDS);

/* What of a structure is a list of rows. */
static const struct row_list TAKES[] = {
    ROW_LIST(kept_takes, TAKE, list, n, PROPOSALS_MAX),
    ROW_LIST(kept_takes, TRACK, tracks, n_tracks, MOST_ROWS),
    ROW_LIST(kept_takes, GHOST, ghosts, n_ghosts, MOST_ROWS),
    ROW_LIST(kept_takes, TOKEN, tokens, n_tokens, MOST_ROWS),
    ROW_LIST(kept_takes, MUTE, mutes, n_mutes, MOST_ROWS),
    ROW_LIST(kept_takes, MOTIF, motifs, n_motifs, MOST_ROWS),
    ROW_LIST(kept_takes, CHORD, chords, n_chords, MOST_ROWS),
    ROW_LIST(kept_takes, PLACE, places, n_places, MOST_ROWS),
    ROW_LIST(kept_takes, GESTURE, events, n_events, MOST_ROWS),
};
static const struct row_list MARKS[] = {
    ROW_LIST(kept_session, MARK, tracks.list, tracks.n, MOST_TRACKS),
    ROW_LIST(kept_session, TAP, taps.list, taps.n, TAPS_MOST),
};
static const struct row_list RECORDED[] = {
    ROW_LIST(kept_recording, NOTE, notes, n_notes, MOST_ROWS),
    ROW_LIST(kept_recording, EVENT, events, n_events, MOST_ROWS),
};

void kept_session_init(struct kept_session *b)
{
    *b = (struct kept_session){.steering = STEERING_DEFAULT,
                               .groove = GROOVE_DEFAULT,
                               .humanise = HUMANISE_DEFAULT};
}

void kept_session_fini(struct kept_session *b)
{
    lists_free(TAKES, N(TAKES), &b->takes);
    lists_free(TAKES, N(TAKES), &b->left_out);
    lists_free(MARKS, N(MARKS), b);
    lists_free(RECORDED, N(RECORDED), &b->recording);
    kept_session_init(b);
}

void kept_session_destroy(struct kept_session *b)
{
    if (!b || b->n_sharers-- > 0)
        return;
    kept_session_fini(b);
    free(b);
}

struct kept_session *kept_session_share(struct kept_session *b)
{
    if (b)
        b->n_sharers++;
    return b;
}

/* -- how the machine is steered, as it is typed -- */

static size_t list_steering(struct setting list[MOST_SETTINGS],
                            const struct steering *s)
{
    char text[STEER_TEXT_BYTES];
    size_t n = 0;
    for (int i = 0; i < steer_n_rows() && n < MOST_SETTINGS; i++) {
        const struct steer_row *row = steer_row(i);
        if (steer_is_default(row, s))
            continue;
        snprintf(list[n].name, sizeof list[n].name, "%s", row->name);
        snprintf(list[n].value, sizeof list[n].value, "%s", steer_get(row, s, text));
        n++;
    }
    return n;
}

/* What is not known is passed over. */
static const char *read_steering(struct steering *to, struct store *s,
                                 struct row_key key)
{
    void *rows;
    size_t n;
    const char *wrong = rows_get(s, &SETTING, key, &rows, &n, MOST_SETTINGS);
    const struct setting *list = rows;
    for (size_t i = 0; !wrong && i < n; i++) {
        const struct steer_row *row = steer_find(list[i].name);
        if (row && !steer_set(row, to, list[i].value))
            wrong = "setting";
    }
    free(rows);
    return wrong;
}

int kept_session_delete(struct store *s, struct row_key key)
{
    static const struct row_table *const SINGLE[] = {&SESSION, &SETTING, &REQUEST};
    int code = lists_delete(s, MARKS, N(MARKS), key);
    if (!code)
        code = lists_delete(s, TAKES, N(TAKES), key);
    for (size_t i = 0; !code && i < N(SINGLE); i++)
        code = rows_delete(s, SINGLE[i], key);
    return code;
}

int kept_session_write(struct store *s, struct row_key key,
                       const struct kept_session *b, const struct kept_session *before)
{
    static const struct kept_takes NONE;
    struct setting settings[MOST_SETTINGS] = {0}, old[MOST_SETTINGS] = {0};
    const size_t n = list_steering(settings, &b->steering),
                 n_old = before ? list_steering(old, &before->steering) : 0;
    const struct kept_takes *now = b->takes.n ? &b->takes : &NONE,
                            *had = before && before->takes.n ? &before->takes : &NONE;
    int code = before ? SQLITE_OK : kept_session_delete(s, key);
    if (!code)
        code = rows_replace(s, &SESSION, key, before, before != NULL, b, 1);
    if (!code)
        code = rows_replace(s, &SETTING, key, old, n_old, settings, n);
    if (!code)
        code = lists_replace(s, MARKS, N(MARKS), key, before, b);
    if (!code)
        code = rows_replace(s, &REQUEST, key, had, had->n > 0, now, now->n > 0);
    return code ? code : lists_replace(s, TAKES, N(TAKES), key, had, now);
}

int kept_session_write_now(struct store *s, struct kept_session *b)
{
    const struct row_key key = {s->piece, KEPT_NOW};
    const struct kept_session *before = s->has_written ? s->written : s->kept_now;
    const int code =
        b ? kept_session_write(s, key, b, before) : kept_session_delete(s, key);
    if (s->has_written)
        kept_session_destroy(s->written);
    s->written = code ? NULL : kept_session_share(b);
    s->has_written = true;
    return code;
}

void kept_session_committed(struct store *s, bool is_committed)
{
    if (!s->has_written)
        return;
    if (is_committed) {
        kept_session_destroy(s->kept_now);
        s->kept_now = s->written;
    } else {
        kept_session_destroy(s->written);
    }
    s->written = NULL;
    s->has_written = false;
}

void kept_session_forget(struct store *s)
{
    kept_session_committed(s, false);
    kept_session_destroy(s->kept_now);
    s->kept_now = NULL;
}

/* -- takes that were read -- */

static const char *check_settings(const struct continuation_options *o)
{
    if (o->hole.pitch_lo > o->hole.pitch_hi)
        return "lowest";
    if (o->hole.to_tick > 0 && o->hole.from_tick >= o->hole.to_tick)
        return "from_tick";
    return NULL;
}

static const char *check_take(struct proposal *p, char before)
{
    char name[sizeof p->model_name];
    p->slot = -1;
    p->options.n_takes = CONTINUATION_DEFAULT.n_takes;
    memcpy(name, p->model_name, sizeof name);
    say_copy(p->model_name, sizeof p->model_name, name);
    if (p->letter <= before)
        return "letter";
    return p->stats.from_tick > p->stats.to_tick ? "begins"
                                                 : check_settings(&p->options);
}

static bool is_ghost(struct kept_ghost *g, const struct kept_takes *t)
{
    const struct kept_ghost *before = g > t->ghosts ? g - 1 : NULL;
    g->ghost.note.off_velocity = 64;
    g->ghost.note.on_order = ORDER_LAST;
    g->ghost.note.off_order = ORDER_FIRST;
    return (size_t)g->take < t->n && (size_t)g->ghost.track < t->n_tracks &&
           note_is_valid(&g->ghost.note) &&
           (!before || g->take > before->take ||
            (g->take == before->take && g->ghost.note.id > before->ghost.note.id));
}

/* A message of a channel: its length, from its first byte. */
static int message_bytes(const uint8_t data[3])
{
    int kind = data[0] & 0xf0;
    return kind == 0xc0 || kind == 0xd0 ? 2 : 3;
}

/* Controllers, bends and pressure, but what silences. */
static bool is_gesture(struct recorded_event *e, const struct kept_takes *t)
{
    int kind = e->data[0] & 0xf0;
    e->n_data = (uint8_t)message_bytes(e->data);
    return (size_t)e->track < t->n_tracks && kind >= 0xa0 &&
           (kind != 0xb0 || e->data[1] < CC_CHANNEL_MODE);
}

static const char *check_lists(struct kept_takes *t)
{
    for (size_t i = 0; i < t->n_ghosts; i++)
        if (!is_ghost(&t->ghosts[i], t))
            return "ghost";
    for (size_t i = 0; i < t->n_places; i++)
        if ((size_t)t->places[i].track >= t->n_tracks)
            return "place";
    for (size_t i = 0; i < t->n_tokens; i++)
        if ((size_t)t->tokens[i].take >= t->n)
            return "take_token";
    for (size_t i = 0; i < t->n_mutes; i++)
        if ((size_t)t->mutes[i].take >= t->n)
            return "take_mute";
    for (size_t i = 0; i < t->n_motifs; i++)
        if (t->motifs[i].take >= (int)t->n)
            return "motif";
    for (size_t i = 0; i < t->n_chords; i++)
        if (t->chords[i].take >= (int)t->n ||
            (t->chords[i].chord.root < 12) != (t->chords[i].chord.bass < 12))
            return "take_chord";
    for (size_t i = 0; i < t->n_events; i++)
        if (!is_gesture(&t->events[i], t))
            return "gesture";
    return NULL;
}

/* The music that they fit is stored even without takes. */
static const char *read_takes(struct kept_takes *t, struct store *s, struct row_key key,
                              bool *is_there)
{
    bool was_asked = false;
    const char *wrong = rows_get_one(s, &MUSIC, key, t, is_there);
    if (!wrong && *is_there)
        wrong = rows_get_one(s, &REQUEST, key, t, &was_asked);
    if (!wrong && *is_there)
        wrong = lists_get(s, TAKES, N(TAKES), key, t);
    if (wrong || (!was_asked && !t->n))
        return wrong;
    /* n_takes is not a column: each take is stored with its own request. */
    t->asked.options.n_takes = CONTINUATION_DEFAULT.n_takes;
    wrong = !was_asked                  ? "request"
            : t->hole_from > t->hole_to ? "hole_from"
            : t->shown >= (int)t->n     ? "shown"
                                        : check_settings(&t->asked.options);
    for (size_t i = 0; !wrong && i < t->n; i++)
        wrong = check_take(&t->list[i], i ? t->list[i - 1].letter : 0);
    if (!wrong && (!t->n || t->list[t->n - 1].letter - 'A' >= t->n_letters))
        wrong = "letters";
    return wrong ? wrong : check_lists(t);
}

static const char *check_all(const struct kept_session *b)
{
    const int division = b->roll.grid.division;
    const struct kept_marks *mark = b->tracks.list;
    const struct tap *tap = b->taps.list;
    for (size_t i = 1; i < b->tracks.n; i++)
        if (mark[i].index <= mark[i - 1].index)
            return "mark";
    for (size_t i = 1; i < b->taps.n; i++)
        if (tap[i].tick < tap[i - 1].tick ||
            (tap[i].tick == tap[i - 1].tick && tap[i].kind <= tap[i - 1].kind))
            return "tap";
    if (division & (division - 1))
        return "grid_division";
    return b->loop.from > b->loop.to ? "loop_from" : NULL;
}

static const char *read_recording(struct kept_recording *r, struct store *s,
                                  struct row_key key)
{
    const char *wrong = rows_get_one(s, &RECORDING, key, r, &r->is_there);
    if (!wrong && r->is_there)
        wrong = lists_get(s, RECORDED, N(RECORDED), key, r);
    for (size_t i = 0; !wrong && i < r->n_events; i++)
        r->events[i].n_data = (uint8_t)message_bytes(r->events[i].data);
    bool is_span = r->loop_from <= r->loop_to && r->span_from <= r->span_to;
    return wrong || (is_span && (r->loop_to > r->loop_from || !r->pass)) ? wrong
                                                                         : "recording";
}

const char *kept_session_read(struct kept_session *b, struct store *s, int64_t piece)
{
    struct row_key key = {piece, KEPT_NOW}, left_out = {piece, KEPT_LEFT_OUT};
    bool is_there;
    kept_session_init(b);
    const char *wrong = read_recording(&b->recording, s, key);
    if (!wrong)
        wrong = read_takes(&b->left_out, s, left_out, &is_there);
    if (!wrong)
        wrong = read_takes(&b->takes, s, key, &b->is_unsaved);
    if (!wrong && !b->is_unsaved) {
        key.as_saved = KEPT_SAVED;
        wrong = read_takes(&b->takes, s, key, &b->is_saved);
    }
    if (!wrong)
        wrong = rows_get_one(s, &SESSION, key, b, &is_there);
    if (!wrong)
        wrong = read_steering(&b->steering, s, key);
    if (!wrong)
        wrong = lists_get(s, MARKS, N(MARKS), key, b);
    if (!wrong)
        wrong = check_all(b);
    if (wrong)
        kept_session_fini(b);
    return wrong;
}

int kept_session_record(struct store *s, int64_t piece, const struct kept_recording *r,
                        size_t n_notes, size_t n_events)
{
    const struct row_key key = {piece, KEPT_NOW};
    int code = SQLITE_OK;
    if (!r || (!n_notes && !n_events)) {
        code = rows_delete(s, &RECORDING, key);
        if (!code)
            code = lists_delete(s, RECORDED, N(RECORDED), key);
    }
    if (code || !r)
        return code;
    code = rows_put(s, &RECORDING, key, 0, r, 1);
    if (!code)
        code = rows_put(s, &NOTE, key, n_notes, r->notes, r->n_notes);
    return code ? code : rows_put(s, &EVENT, key, n_events, r->events, r->n_events);
}

/* -- marks: from the score to the store and back -- */

bool kept_tracks_gather(struct kept_tracks *t, const struct score *s)
{
    *t = (struct kept_tracks){.list = calloc(s->n_tracks + 1, sizeof *t->list)};
    for (int i = 0; t->list && i < (int)s->n_tracks && i < MOST_TRACKS; i++) {
        const struct track *from = &s->tracks[i];
        if (!from->mute && !from->solo && !from->arm && !from->hide && !from->colour)
            continue;
        struct kept_marks *k = &t->list[t->n++];
        *k = (struct kept_marks){i,         "",         from->mute,  from->solo,
                                 from->arm, from->hide, from->colour};
        memcpy(k->name, from->name, sizeof k->name);
    }
    return t->list != NULL;
}

static bool is_called(const struct track *t, const char *name)
{
    return !strncmp(t->name, name, sizeof t->name);
}

static struct track *find_track(const struct kept_marks *k, struct score *s)
{
    struct track *found = NULL;
    if ((size_t)k->index < s->n_tracks && is_called(&s->tracks[k->index], k->name))
        return &s->tracks[k->index];
    for (size_t i = 0; i < s->n_tracks; i++) {
        if (!is_called(&s->tracks[i], k->name))
            continue;
        if (found)
            return NULL; /* there are several */
        found = &s->tracks[i];
    }
    return found;
}

void kept_tracks_give(const struct kept_tracks *t, struct score *s)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct kept_marks *k = &t->list[i];
        struct track *to = find_track(k, s);
        if (!to)
            continue;
        to->mute = k->mute;
        to->solo = k->solo;
        to->arm = k->arm;
        to->hide = k->hide;
        to->colour = (uint8_t)k->colour;
    }
}
