/* See store_session.h. The ranges of settings are no narrower than in app/generation/steer.c. */
#include "app/document/store_session.h"

#include "app/document/store_fields.h"

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
    MOST_LAYERS = 1024,
    MOST_HEADS = 1024
};
#define MOST_ID  0x1p53

#define TICKS    0, (double)TICK_MAX
#define SUM      -1e300, 1e300 /* of log-probabilities: any */
#define SHARE    0, 1
#define N(lists) (sizeof(lists) / sizeof(lists)[0])

static const struct field MARK[] = {
    STORE_WHOLE(kept_marks, "track", index, 0, MOST_TRACKS - 1),
    STORE_TEXT(kept_marks, "name", STORED_NAME, name),
    STORE_YES(kept_marks, "mute", mute),
    STORE_YES(kept_marks, "solo", solo),
    STORE_YES(kept_marks, "arm", arm),
    STORE_YES(kept_marks, "hide", hide),
    STORE_WHOLE(kept_marks, "colour", colour, 0, TRACK_COLOURS),
};

static const struct field TAP[] = {
    STORE_WHOLE(tap, "tick", tick, TICKS),
    STORE_WHOLE(tap, "kind", kind, 0, TAP_KINDS - 1),
};

#define ANY_TICK -(double)TICK_MAX, (double)TICK_MAX
static const struct field NOTE[] = {
    STORE_WHOLE(recorded_note, "track", track, 0, MOST_TRACKS - 1),
    STORE_WHOLE(recorded_note, "pass", pass, 0, 1e6),
    STORE_YES(recorded_note, "is_held", is_held),
    STORE_WHOLE(recorded_note, "start", note.start, TICKS),
    STORE_WHOLE(recorded_note, "length", note.length, TICKS),
    STORE_WHOLE(recorded_note, "pitch", note.pitch, 0, 127),
    STORE_WHOLE(recorded_note, "velocity", note.velocity, 1, 127),
    STORE_WHOLE(recorded_note, "off_velocity", note.off_velocity, 0, 127),
};

static const struct field EVENT[] = {
    /* of a recording, and gestures of a take */
    STORE_WHOLE(recorded_event, "track", track, 0, MOST_TRACKS - 1),
    STORE_WHOLE(recorded_event, "pass", pass, 0, 1e6),
    STORE_WHOLE(recorded_event, "tick", tick, TICKS),
    STORE_WHOLE(recorded_event, "status", data[0], 0x80, 0xef),
    STORE_WHOLE(recorded_event, "data1", data[1], 0, 127),
    STORE_WHOLE(recorded_event, "data2", data[2], 0, 127),
};

enum { N_RECORDING_LISTS = 2 }; /* which come last */
static const struct field RECORDING[] = {
    STORE_WHOLE(kept_recording, "mode", mode, RECORD_MERGE, RECORD_FREE),
    STORE_WHOLE(kept_recording, "from_tick", from, TICKS),
    STORE_WHOLE(kept_recording, "loop_from", loop_from, TICKS),
    STORE_WHOLE(kept_recording, "loop_to", loop_to, TICKS),
    STORE_WHOLE(kept_recording, "span_from", span_from, TICKS),
    STORE_WHOLE(kept_recording, "span_to", span_to, TICKS),
    STORE_WORD(kept_recording, "tracks", tracks),
    STORE_WHOLE(kept_recording, "pass", pass, 0, 1e6),
    STORE_REAL(kept_recording, "at", at, ANY_TICK),
    STORE_WHOLE(kept_recording, "notes_before", n_notes_before, 0, MOST_ROWS),
    STORE_WHOLE(kept_recording, "events_before", n_events_before, 0, MOST_ROWS),
    STORE_LIST(kept_recording, "notes", notes, n_notes, MOST_ROWS, false, NOTE),
    STORE_LIST(kept_recording, "events", events, n_events, MOST_ROWS, false, EVENT),
};

static const struct field SESSION[] = {
    STORE_WHOLE(kept_session, "grid_division", roll.grid.division, 0, GRID_FINEST),
    STORE_WHOLE(kept_session, "grid_kind", roll.grid.kind, 0, N_GRID_KINDS - 1),
    STORE_YES(kept_session, "grid_is_free", roll.grid.is_free),
    STORE_YES(kept_session, "snap", roll.snaps),
    STORE_YES(kept_session, "fold", roll.folds),
    STORE_WHOLE(kept_session, "strength", groove.strength, 0, 100),
    STORE_YES(kept_session, "starts", groove.starts),
    STORE_WHOLE(kept_session, "ends", groove.ends, 0, GROOVE_ENDS_LENGTHS),
    STORE_WHOLE(kept_session, "swing", groove.swing, 50, 75),
    STORE_WHOLE(kept_session, "within", groove.within, 0, 100),
    STORE_REAL(kept_session, "humanise_ms", humanise.ms, 0, HUMANISE_MOST_MS),
    STORE_WHOLE(kept_session, "humanise_velocity", humanise.velocity, 0, 127),
    STORE_WHOLE(kept_session, "loop_from", loop.from, TICKS),
    STORE_WHOLE(kept_session, "loop_to", loop.to, TICKS),
    STORE_YES(kept_session, "loop_on", loop.on),
    STORE_LIST(kept_session, "marks", tracks.list, tracks.n, MOST_TRACKS, false, MARK),
    STORE_LIST(kept_session, "taps", taps.list, taps.n, TAPS_MOST, false, TAP),
};

/* The rows of struct continuation_options, which is member `o` of struct S. */
// NOLINTBEGIN(bugprone-macro-parentheses): the name of a member takes none
#define SETTINGS(S, o)                                                                 \
    STORE_WHOLE(S, "bars", o.bars, 1, CONTINUATION_MAX_BARS),                          \
        STORE_WHOLE(S, "from_tick", o.hole.from_tick, TICKS),                          \
        STORE_WHOLE(S, "to_tick", o.hole.to_tick, TICKS),                              \
        STORE_WHOLE(S, "lowest", o.hole.pitch_lo, 0, 127),                             \
        STORE_WHOLE(S, "highest", o.hole.pitch_hi, 0, 127),                            \
        STORE_WORD(S, "tracks", o.tracks),                                             \
        STORE_WHOLE(S, "style", o.style, CONTINUATION_STYLE_GUESS, STYLE_COUNT - 1),   \
        STORE_WHOLE(S, "scale", o.scale, 0, 0xfff),                                    \
        STORE_WHOLE(S, "polyphony", o.max_polyphony, 0, 128),                          \
        STORE_WHOLE(S, "keep", o.keep, HOLE_PLAN_NONE, HOLE_PLAN_PITCHES),             \
        STORE_REAL(S, "stays", o.stays, SHARE),                                        \
        STORE_WORD(S, "stays_seed", o.stays_seed),                                     \
        STORE_REAL(S, "guidance", o.guidance, 0, 10),                                  \
        STORE_WHOLE(S, "density_level", o.hole.density, FILL_ANY, FILL_DENSITIES - 1), \
        STORE_WHOLE(S, "voices_level", o.hole.polyphony, FILL_ANY,                     \
                    FILL_POLYPHONIES - 1),                                             \
        STORE_WHOLE(S, "length_level", o.hole.length, FILL_ANY, FILL_LENGTHS - 1),     \
        STORE_WHOLE(S, "register_level", o.hole.height, FILL_ANY, FILL_REGISTERS - 1), \
        STORE_YES(S, "close", o.hole.close),                                           \
        STORE_WHOLE(S, "min_notes", o.hole.min_notes, 0, 1000),                        \
        STORE_REAL(S, "temperature", o.sampling.temperature, 0, 5),                    \
        STORE_WHOLE(S, "top_k", o.sampling.top_k, 0, INT_MAX),                         \
        STORE_REAL(S, "top_p", o.sampling.top_p, SHARE),                               \
        STORE_REAL(S, "min_p", o.sampling.min_p, SHARE),                               \
        STORE_WORD(S, "seed", o.sampling.seed),                                        \
        STORE_WHOLE(S, "motif", o.motif.kind, MOTIF_NONE, N_MOTIF_KINDS - 1),          \
        STORE_WHOLE(S, "motif_from", o.motif.from_tick, TICKS),                        \
        STORE_WHOLE(S, "motif_to", o.motif.to_tick, TICKS),                            \
        STORE_WHOLE(S, "motif_lowest", o.motif.pitch_lo, 0, 127),                      \
        STORE_WHOLE(S, "motif_highest", o.motif.pitch_hi, 0, 127),                     \
        STORE_WORD(S, "motif_tracks", o.motif.tracks)
/* The rows of where its motif returns, which is member `at` of struct S. */
#define RETURNS(S, at)                                                                 \
    STORE_WHOLE(S, "motif_there", at.kind, MOTIF_NONE, N_MOTIF_KINDS - 1),             \
        STORE_WHOLE(S, "motif_at", at.tick, TICKS),                                    \
        STORE_WHOLE(S, "motif_steps", at.steps, -MOTIF_MOST_STEPS, MOTIF_MOST_STEPS)
// NOLINTEND(bugprone-macro-parentheses)

static const struct field TRACK[] = {
    STORE_WHOLE(kept_track, "chunk", chunk, 0, INT_MAX),
    STORE_WHOLE(kept_track, "channel", channel, 0, 15),
};

static const struct field PLACE[] = {
    STORE_WHOLE(kept_place, "track", track, 0, INT_MAX),
    STORE_WHOLE(kept_place, "start", start, TICKS),
    STORE_WHOLE(kept_place, "length", length, TICKS),
    STORE_WHOLE(kept_place, "pitch", pitch, 0, 127),
    STORE_WHOLE(kept_place, "ghost", ghost, 0, MOST_ID),
};

static const struct field REQUEST[] = {
    STORE_WHOLE(kept_takes, "ticks_per_quarter", ticks_per_quarter, 1, INT_MAX),
    STORE_WHOLE(kept_takes, "letters", n_letters, 1, PROPOSALS_MAX),
    STORE_WHOLE(kept_takes, "shown", shown, -1, PROPOSALS_MAX - 1),
    STORE_WHOLE(kept_takes, "bars_asked", asked.bars, 1, INT_MAX),
    STORE_WHOLE(kept_takes, "takes_at_once", takes_once, 0, CONTINUATION_MAX_TAKES),
    STORE_WHOLE(kept_takes, "hole_from", hole_from, TICKS),
    STORE_WHOLE(kept_takes, "hole_to", hole_to, TICKS),
    STORE_WHOLE(kept_takes, "music_end", music_end, 0, 2 * (double)TICK_MAX),
    STORE_WHOLE(kept_takes, "time_put_in", time_put_in, -0x1p62, 0x1p62),
    STORE_WORD(kept_takes, "arrangement", arrangement),
    RETURNS(kept_takes, asked.options.motif.at),
    SETTINGS(kept_takes, asked.options),
    STORE_LIST(kept_takes, "track_places", tracks, n_tracks, MOST_ROWS, false, TRACK),
    STORE_LIST(kept_takes, "places", places, n_places, MOST_ROWS, false, PLACE),
};

static const struct field GHOST[] = {
    STORE_WHOLE(ghost, "id", note.id, 1, MOST_ID),
    STORE_WHOLE(ghost, "track", track, 0, INT_MAX),
    STORE_WHOLE(ghost, "start", note.start, TICKS),
    STORE_WHOLE(ghost, "length", note.length, 1, (double)TICK_MAX),
    STORE_WHOLE(ghost, "pitch", note.pitch, 0, 127),
    STORE_WHOLE(ghost, "velocity", note.velocity, 1, 127),
    STORE_REAL(ghost, "probability", probability, -1, 1),
    STORE_YES(ghost, "is_kept", is_kept),
};
static const struct field TOKEN[] = {
    {.name = "token",
     .kind = &FIELD_WHOLE,
     .size = sizeof(int32_t),
     .high = TOKEN_COUNT - 1},
};
static const struct field MUTE[] = {
    STORE_WHOLE(attention_head, "layer", layer, 0, MOST_LAYERS - 1),
    STORE_WHOLE(attention_head, "head", head, 0, MOST_HEADS - 1),
};
static const struct field CHORD[] = {
    STORE_WHOLE(planned_chord, "tick", tick, TICKS),
    STORE_WHOLE(planned_chord, "root", root, 0, CHORD_NO_ROOT),
    STORE_WHOLE(planned_chord, "quality", quality, 0, CHORD_QUALITIES - 1),
    STORE_WHOLE(planned_chord, "bass", bass, 0, CHORD_NO_ROOT),
    STORE_YES(planned_chord, "flats", flats),
};

static const struct field TAKE[] = {
    STORE_YES(proposal, "is_played", is_played),
    STORE_WHOLE(proposal, "played_to", played_to, -1, (double)TICK_MAX),
    STORE_LIST(proposal, "gestures", gestures, n_gestures, MOST_ROWS, false, EVENT),
    STORE_TEXT(proposal, "model", FIELD_TEXT, model_name),
    STORE_WHOLE(proposal, "liking", liking, -1, 1),
    STORE_WHOLE(proposal, "came", n_came, 0, INT_MAX),
    STORE_WORD(proposal, "model_hash", model_hash),
    STORE_WHOLE(proposal, "style_used", style, STYLE_ANY, STYLE_COUNT - 1),
    STORE_WHOLE(proposal, "begins", stats.from_tick, TICKS),
    STORE_WHOLE(proposal, "ends", stats.to_tick, TICKS),
    STORE_WHOLE(proposal, "written_to", stats.at_tick, TICKS),
    STORE_YES(proposal, "is_done", stats.is_done),
    STORE_WHOLE(proposal, "tokens", stats.n_tokens, 0, INT_MAX),
    STORE_REAL(proposal, "log_prob", stats.log_prob, SUM),
    STORE_REAL(proposal, "own_log_prob", stats.own_log_prob, SUM),
    STORE_REAL(proposal, "masked", stats.masked, SHARE),
    STORE_YES(proposal, "judged", stats.verdict.is_judged),
    STORE_REAL(proposal, "merit", stats.verdict.merit, -1e6, 1e6),
    STORE_WHOLE(proposal, "faults", stats.verdict.n_faults, 0, 1000),
    STORE_WHOLE(proposal, "why_1", stats.verdict.words[0], 0, CRITIC_MOST_WORDS),
    STORE_WHOLE(proposal, "why_2", stats.verdict.words[1], 0, CRITIC_MOST_WORDS),
    STORE_WHOLE(proposal, "why_3", stats.verdict.words[2], 0, CRITIC_MOST_WORDS),
    RETURNS(proposal, stats.motif),
    SETTINGS(proposal, options),
    STORE_LIST(proposal, "ghosts", ghosts, n_ghosts, MOST_ROWS, false, GHOST),
    /* Older versions stored by this name only the tokens that the take had to begin with. */
    STORE_LIST(proposal, "given", tokens, n_tokens, MOST_ROWS, false, TOKEN),
    STORE_LIST(proposal, "muted", muted, n_muted, PROPOSAL_MUTED, true, MUTE),
    STORE_LIST(proposal, "chords", stats.chords, stats.n_chords, CONTINUATION_CHORDS,
               true, CHORD),
};

void kept_session_init(struct kept_session *b)
{
    *b = (struct kept_session){.steering = STEERING_DEFAULT,
                               .groove = GROOVE_DEFAULT,
                               .humanise = HUMANISE_DEFAULT};
}

static void takes_fini(struct kept_takes *t)
{
    for (size_t i = 0; i < t->n; i++)
        fields_free(TAKE, N(TAKE), &t->list[i]);
    fields_free(REQUEST, N(REQUEST), t);
    free(t->list);
    *t = (struct kept_takes){0};
}

void kept_session_fini(struct kept_session *b)
{
    takes_fini(&b->takes);
    takes_fini(&b->left_out);
    fields_free(SESSION, N(SESSION), b);
    fields_free(RECORDING, N(RECORDING), &b->recording);
    kept_session_init(b);
}

void kept_session_destroy(void *session)
{
    if (session)
        kept_session_fini(session);
    free(session);
}

/* -- writing -- */

/* A part of the session is one object; but steering is a list of names and values. */
static const char PUT[] =
    "INSERT INTO session(as_saved, part, data) VALUES(%d, %Q, %s) "
    "ON CONFLICT DO UPDATE SET data = excluded.data WHERE data <> excluded.data";
static const char OBJECT[] = "CAST(?1 AS TEXT)";
static const char PAIRS[] = "(SELECT json_object('list', json_group_array(json_array("
                            "key, value))) FROM json_each(CAST(?1 AS TEXT)))";

static int write_part(struct store *s, enum kept_as as, const char *part,
                      const struct field *f, size_t n, const void *from)
{
    return fields_write(f, n, from, NULL, s, sqlite3_mprintf(PUT, as, part, OBJECT));
}

static int delete_parts(struct store *s, enum kept_as as)
{
    return store_do(s, sqlite3_mprintf("DELETE FROM session WHERE as_saved = %d", as),
                    NULL, 0);
}

int kept_session_write(struct store *s, enum kept_as as, const struct kept_session *b)
{
    static const char REST[] =
        "DELETE FROM session WHERE as_saved = %d AND NOT instr(%Q, part)";
    char parts[64] = "session steering ";
    const struct kept_takes *t = b ? &b->takes : NULL;
    const struct kept_recording *r = b ? &b->recording : NULL;
    int code = as == KEPT_SAVED ? delete_parts(s, KEPT_NOW) : SQLITE_OK;
    if (code || !b)
        return code ? code : delete_parts(s, as);
    if (as == KEPT_RECORDING) {
        const size_t n_before = r->n_notes_before + r->n_events_before;
        snprintf(parts, sizeof parts, "%012zu", n_before);
        code = n_before ? code : delete_parts(s, as);
        return code ? code : write_part(s, as, parts, RECORDING, N(RECORDING), r);
    }
    code = write_part(s, as, "session", SESSION, N(SESSION), b);
    if (!code)
        code = fields_write(steer_row(0), (size_t)steer_n_rows(), &b->steering,
                            &STEERING_DEFAULT, s,
                            sqlite3_mprintf(PUT, as, "steering", PAIRS));
    if (!code && t->n)
        code = write_part(s, as, "request", REQUEST, N(REQUEST), t);
    if (t->n)
        strcat(parts, "request ");
    for (size_t i = 0; !code && i < t->n; i++) {
        const char letter[] = {t->list[i].letter, 0};
        code = write_part(s, as, letter, TAKE, N(TAKE), &t->list[i]);
        strcat(parts, letter);
    }
    return code ? code : store_do(s, sqlite3_mprintf(REST, as, parts), NULL, 0);
}

/* -- reading -- */

static const char *read_part(struct store *s, enum kept_as as, const char *part,
                             const struct field *f, size_t n, void *to, bool *is_there)
{
    char row[128];
    snprintf(row, sizeof row, "session WHERE as_saved = %d AND part = '%s'", (int)as,
             part);
    return fields_read(f, n, to, s, row, is_there);
}

static const char *read_steering(struct steering *to, struct store *s, enum kept_as as)
{
    static const char ROW[] =
        "(SELECT json_group_object(value ->> 0, value ->> 1) AS data "
        "FROM session, json_each(data, '$.list') "
        "WHERE as_saved = %d AND part = 'steering')";
    char row[sizeof ROW];
    bool is_there;
    snprintf(row, sizeof row, ROW, (int)as);
    return fields_read(steer_row(0), (size_t)steer_n_rows(), to, s, row, &is_there);
}

static const char *check_settings(const struct continuation_options *o)
{
    if (o->hole.pitch_lo > o->hole.pitch_hi)
        return "lowest";
    if (o->hole.to_tick > 0 && o->hole.from_tick >= o->hole.to_tick)
        return "from_tick";
    return NULL;
}

/* Sets the length of a channel's message from its first byte. */
static void set_length(struct recorded_event *e)
{
    const int kind = e->data[0] & 0xf0;
    e->n_data = kind == 0xc0 || kind == 0xd0 ? 2 : 3;
}

static const char *check_take(struct proposal *p, const struct kept_takes *t)
{
    char name[sizeof p->model_name];
    p->slot = -1;
    p->n_gestures = p->is_played ? p->n_gestures : 0;
    p->options.n_takes = CONTINUATION_DEFAULT.n_takes; /* is not stored */
    memcpy(name, p->model_name, sizeof name);
    say_copy(p->model_name, sizeof p->model_name, name);
    for (size_t i = 0; i < p->n_ghosts; i++) {
        struct ghost *g = &p->ghosts[i];
        g->note.off_velocity = 64;
        note_lose_order(&g->note);
        if ((size_t)g->track >= t->n_tracks || !note_is_valid(&g->note) ||
            (i && g->note.id <= g[-1].note.id))
            return "ghosts";
    }
    for (size_t i = 0; i < p->n_gestures; i++) {
        struct recorded_event *e = &p->gestures[i];
        const int kind = e->data[0] & 0xf0;
        set_length(e);
        /* Only controllers, bends and pressure, but no controller that silences. */
        if ((size_t)e->track >= t->n_tracks || kind < 0xa0 ||
            (kind == 0xb0 && e->data[1] >= CC_CHANNEL_MODE))
            return "gestures";
    }
    for (int i = 0; i < p->stats.n_chords; i++)
        if ((p->stats.chords[i].root < 12) != (p->stats.chords[i].bass < 12))
            return "chords";
    return p->letter - 'A' >= t->n_letters         ? "letters"
           : p->stats.from_tick > p->stats.to_tick ? "begins"
                                                   : check_settings(&p->options);
}

static const char *read_takes(struct kept_takes *t, struct store *s, enum kept_as as)
{
    bool is_there;
    const char *wrong = read_part(s, as, "request", REQUEST, N(REQUEST), t, &is_there);
    if (wrong || !is_there)
        return wrong;
    t->list = calloc(PROPOSALS_MAX, sizeof *t->list);
    if (!t->list)
        return "request";
    for (int i = 0; !wrong && i < PROPOSALS_MAX; i++) {
        struct proposal *p = &t->list[t->n];
        p->letter = (char)('A' + i);
        const char part[] = {p->letter, 0};
        wrong = read_part(s, as, part, TAKE, N(TAKE), p, &is_there);
        t->n += is_there;
        if (is_there && !wrong)
            wrong = check_take(p, t);
    }
    for (size_t i = 0; !wrong && i < t->n_places; i++)
        if ((size_t)t->places[i].track >= t->n_tracks)
            return "places";
    t->asked.options.n_takes = CONTINUATION_DEFAULT.n_takes;
    return wrong                       ? "take"
           : t->hole_from > t->hole_to ? "hole_from"
           : t->shown >= (int)t->n     ? "shown"
                                       : check_settings(&t->asked.options);
}

/* Reads all parts. What a part has replaces what came after those before it. If a part is missing, only
 * the parts before it are of use. */
static const char *read_recording(struct kept_recording *r, struct store *s)
{
    static const char PARTS[] =
        "SELECT 'session WHERE rowid = ' || rowid FROM session "
        "WHERE as_saved = 3 AND part GLOB '[0-9]*' ORDER BY part";
    const struct field *lists = &RECORDING[N(RECORDING) - N_RECORDING_LISTS];
    sqlite3_stmt *st = NULL;
    const char *wrong = NULL;
    int code = SQLITE_DONE;
    while (!wrong && (code = store_next(s->db, &st, PARTS)) == SQLITE_ROW) {
        const char *row = (const char *)sqlite3_column_text(st, 0);
        struct kept_recording next = *r;
        wrong = fields_read(RECORDING, N(RECORDING) - N_RECORDING_LISTS, &next, s, row,
                            &next.is_there);
        if (wrong)
            break;
        if (next.n_notes_before > r->n_notes || next.n_events_before > r->n_events) {
            code = SQLITE_DONE;
            break;
        }
        next.n_notes = next.n_notes_before;
        next.n_events = next.n_events_before;
        *r = next;
        wrong = fields_read(lists, N_RECORDING_LISTS, r, s, row, &r->is_there);
    }
    sqlite3_finalize(st);
    for (size_t i = 0; !wrong && i < r->n_events; i++)
        set_length(&r->events[i]);
    bool is_span = r->loop_from <= r->loop_to && r->span_from <= r->span_to;
    return wrong || code != SQLITE_DONE                         ? "recording"
           : is_span && (r->loop_to > r->loop_from || !r->pass) ? NULL
                                                                : "recording";
}

const char *kept_session_read(struct kept_session *b, struct store *s)
{
    enum kept_as as = KEPT_NOW;
    kept_session_init(b);
    const char *wrong = read_recording(&b->recording, s);
    if (!wrong)
        wrong = read_takes(&b->left_out, s, KEPT_LEFT_OUT);
    if (!wrong)
        wrong = read_part(s, as, "session", SESSION, N(SESSION), b, &b->is_unsaved);
    if (!wrong && !b->is_unsaved)
        wrong = read_part(s, as = KEPT_SAVED, "session", SESSION, N(SESSION), b,
                          &b->is_saved);
    if (!wrong)
        wrong = read_takes(&b->takes, s, as);
    if (!wrong)
        wrong = read_steering(&b->steering, s, as);
    for (size_t i = 1; !wrong && i < b->tracks.n; i++)
        if (b->tracks.list[i].index <= b->tracks.list[i - 1].index)
            wrong = "mark";
    for (size_t i = 1; !wrong && i < b->taps.n; i++) {
        const struct tap *tap = &b->taps.list[i];
        if (tap->tick < tap[-1].tick ||
            (tap->tick == tap[-1].tick && tap->kind <= tap[-1].kind))
            wrong = "tap";
    }
    if (!wrong && b->roll.grid.division & (b->roll.grid.division - 1))
        wrong = "grid_division";
    if (!wrong && b->loop.from > b->loop.to)
        wrong = "loop_from";
    if (wrong)
        kept_session_fini(b);
    return wrong;
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

void kept_tracks_give(const struct kept_tracks *t, struct score *s)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct kept_marks *k = &t->list[i];
        struct track *to = NULL;
        int n_found = 0;
        for (size_t j = 0; j < s->n_tracks; j++) {
            struct track *of = &s->tracks[j];
            const bool is_its_name = !strncmp(of->name, k->name, sizeof of->name);
            if (is_its_name && (!n_found || j == (size_t)k->index))
                to = of;
            n_found += is_its_name;
        }
        if (!to || (n_found > 1 && to - s->tracks != k->index))
            continue;
        to->mute = k->mute;
        to->solo = k->solo;
        to->arm = k->arm;
        to->hide = k->hide;
        to->colour = (uint8_t)k->colour;
    }
}
