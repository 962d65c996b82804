/* What is beside the music as rows; see beside.h. The ranges of settings are no narrower
 * than app/generation/steer.c has them. */
#include "app/document/beside.h"

#include "app/critic/critic.h"
#include "app/base/say.h"
#include "midi/edit/controllers.h"
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
#define YES      0, 1
#define SUM      -1e300, 1e300 /* of log-probabilities: any */
#define SHARE    0, 1
#define AT       ROW_AT
#define TABLE    ROW_TABLE
#define N(lists) (sizeof(lists) / sizeof(lists)[0])

#define STRUCT   struct setting
static const struct row_field SETTING_FIELDS[] = {
    {"name", ROW_TEXT, AT(name), 0, sizeof((STRUCT *)0)->name},
    {"value", ROW_TEXT, AT(value), 0, sizeof((STRUCT *)0)->value},
};
#undef STRUCT

#define STRUCT struct kept_marks
static const struct row_field MARK_FIELDS[] = {
    {"track", ROW_INT, AT(index), 0, MOST_TRACKS - 1},
    {"name", ROW_NAME, AT(name), 0, sizeof((STRUCT *)0)->name},
    {"mute", ROW_YES, AT(mute), YES},
    {"solo", ROW_YES, AT(solo), YES},
    {"arm", ROW_YES, AT(arm), YES},
    {"hide", ROW_YES, AT(hide), YES},
    {"colour", ROW_INT, AT(colour), 0, TRACK_COLOURS},
};
#undef STRUCT

#define STRUCT struct tap
static const struct row_field TAP_FIELDS[] = {
    {"tick", ROW_TICK, AT(tick), TICKS},
    {"kind", ROW_INT, AT(kind), 0, TAP_KINDS - 1},
};
#undef STRUCT

#define ANY_TICK -(double)TICK_MAX, (double)TICK_MAX
#define STRUCT   struct kept_recording
static const struct row_field RECORDING_FIELDS[] = {
    {"mode", ROW_INT, AT(mode), RECORD_MERGE, RECORD_FREE},
    {"from_tick", ROW_TICK, AT(from), TICKS},
    {"loop_from", ROW_TICK, AT(loop_from), TICKS},
    {"loop_to", ROW_TICK, AT(loop_to), TICKS},
    {"span_from", ROW_TICK, AT(span_from), TICKS},
    {"span_to", ROW_TICK, AT(span_to), TICKS},
    {"tracks", ROW_WORD, AT(tracks), 0, 0},
    {"pass", ROW_UINT, AT(pass), 0, 1e6},
    {"at", ROW_LONG_REAL, AT(at), ANY_TICK},
};
#undef STRUCT

#define STRUCT struct recorded_note
static const struct row_field NOTE_FIELDS[] = {
    {"track", ROW_INT, AT(track), 0, MOST_TRACKS - 1},
    {"pass", ROW_UINT, AT(pass), 0, 1e6},
    {"is_held", ROW_YES, AT(is_held), YES},
    {"start", ROW_TICK, AT(note.start), TICKS},
    {"length", ROW_TICK, AT(note.length), TICKS},
    {"pitch", ROW_U8, AT(note.pitch), 0, 127},
    {"velocity", ROW_U8, AT(note.velocity), 1, 127},
    {"off_velocity", ROW_U8, AT(note.off_velocity), 0, 127},
};
#undef STRUCT

#define STRUCT struct recorded_event
static const struct row_field EVENT_FIELDS[] = {
    /* gestures, too */
    {"track", ROW_INT, AT(track), 0, MOST_TRACKS - 1},
    {"pass", ROW_UINT, AT(pass), 0, 1e6},
    {"tick", ROW_TICK, AT(tick), TICKS},
    {"status", ROW_U8, AT(data[0]), 0x80, 0xef},
    {"data1", ROW_U8, AT(data[1]), 0, 127},
    {"data2", ROW_U8, AT(data[2]), 0, 127},
};
#undef STRUCT

/* struct continuation_options, as a part `o` of STRUCT. */
// NOLINTBEGIN(bugprone-macro-parentheses): the name of a member takes none
#define SETTINGS(o)                                                                    \
    {"bars", ROW_INT, AT(o.bars), 1, CONTINUATION_MAX_BARS},                           \
        {"from_tick", ROW_TICK, AT(o.hole.from_tick), TICKS},                          \
        {"to_tick", ROW_TICK, AT(o.hole.to_tick), TICKS},                              \
        {"lowest", ROW_U8, AT(o.hole.pitch_lo), 0, 127},                               \
        {"highest", ROW_U8, AT(o.hole.pitch_hi), 0, 127},                              \
        {"tracks", ROW_WORD, AT(o.tracks), 0, 0},                                      \
        {"style", ROW_INT, AT(o.style), CONTINUATION_STYLE_GUESS, STYLE_COUNT - 1},    \
        {"scale", ROW_U16, AT(o.scale), 0, 0xfff},                                     \
        {"polyphony", ROW_INT, AT(o.max_polyphony), 0, 128},                           \
        {"keep", ROW_INT, AT(o.keep), HOLE_PLAN_NONE, HOLE_PLAN_PITCHES},              \
        {"stays", ROW_REAL, AT(o.stays), SHARE},                                       \
        {"stays_seed", ROW_WORD, AT(o.stays_seed), 0, 0},                              \
        {"guidance", ROW_REAL, AT(o.guidance), 0, 10},                                 \
        {"density_level", ROW_INT, AT(o.hole.density), FILL_ANY, FILL_DENSITIES - 1},  \
        {"voices_level", ROW_INT, AT(o.hole.polyphony), FILL_ANY,                      \
         FILL_POLYPHONIES - 1},                                                        \
        {"length_level", ROW_INT, AT(o.hole.length), FILL_ANY, FILL_LENGTHS - 1},      \
        {"register_level", ROW_INT, AT(o.hole.height), FILL_ANY, FILL_REGISTERS - 1},  \
        {"close", ROW_YES, AT(o.hole.close), SHARE},                                   \
        {"min_notes", ROW_INT, AT(o.hole.min_notes), 0, 1000},                         \
        {"temperature", ROW_REAL, AT(o.sampling.temperature), 0, 5},                   \
        {"top_k", ROW_INT, AT(o.sampling.top_k), 0, INT_MAX},                          \
        {"top_p", ROW_REAL, AT(o.sampling.top_p), SHARE},                              \
        {"min_p", ROW_REAL, AT(o.sampling.min_p), SHARE},                              \
        {"seed", ROW_WORD, AT(o.sampling.seed), 0, 0},
// NOLINTEND(bugprone-macro-parentheses)

#define STRUCT struct kept_takes
static const struct row_field REQUEST_FIELDS[] = {
    {"ticks_per_quarter", ROW_INT, AT(ticks_per_quarter), 1, INT_MAX},
    {"letters", ROW_INT, AT(n_letters), 1, PROPOSALS_MAX},
    {"shown", ROW_INT, AT(shown), -1, PROPOSALS_MAX - 1},
    {"bars_asked", ROW_INT, AT(asked.bars), 1, INT_MAX},
    {"takes_at_once", ROW_INT, AT(takes_once), 0, CONTINUATION_MAX_TAKES},
    {"hole_from", ROW_TICK, AT(hole_from), TICKS},
    {"hole_to", ROW_TICK, AT(hole_to), TICKS},
    {"music_end", ROW_TICK, AT(music_end), 0, 2 * (double)TICK_MAX},
    {"played_to", ROW_TICK, AT(played_to), -1, (double)TICK_MAX},
    SETTINGS(asked.options)};
#undef STRUCT

#define STRUCT struct proposal
static const struct row_field TAKE_FIELDS[] = {
    {"letter", ROW_U8, AT(letter), 'A', 'A' + PROPOSALS_MAX - 1},
    {"model", ROW_TEXT, AT(model_name), 0, sizeof((STRUCT *)0)->model_name},
    {"liking", ROW_INT, AT(liking), -1, 1},
    {"came", ROW_SIZE, AT(n_came), 0, INT_MAX},
    {"model_hash", ROW_WORD, AT(model_hash), 0, 0},
    {"style_used", ROW_INT, AT(style), STYLE_ANY, STYLE_COUNT - 1},
    {"begins", ROW_TICK, AT(stats.from_tick), TICKS},
    {"ends", ROW_TICK, AT(stats.to_tick), TICKS},
    {"written_to", ROW_TICK, AT(stats.at_tick), TICKS},
    {"is_done", ROW_YES, AT(stats.is_done), SHARE},
    {"tokens", ROW_INT, AT(stats.n_tokens), 0, INT_MAX},
    {"log_prob", ROW_LONG_REAL, AT(stats.log_prob), SUM},
    {"own_log_prob", ROW_LONG_REAL, AT(stats.own_log_prob), SUM},
    {"masked", ROW_LONG_REAL, AT(stats.masked), SHARE},
    {"closes", ROW_LONG_REAL, AT(stats.closes), SHARE},
    {"judged", ROW_YES, AT(stats.verdict.is_judged), SHARE},
    {"merit", ROW_REAL, AT(stats.verdict.merit), -1e6, 1e6},
    {"faults", ROW_INT, AT(stats.verdict.n_faults), 0, 1000},
    {"why_1", ROW_INT, AT(stats.verdict.words[0]), 0, CRITIC_MOST_WORDS},
    {"why_2", ROW_INT, AT(stats.verdict.words[1]), 0, CRITIC_MOST_WORDS},
    {"why_3", ROW_INT, AT(stats.verdict.words[2]), 0, CRITIC_MOST_WORDS},
    SETTINGS(options)};
#undef STRUCT

#define STRUCT struct kept_track
static const struct row_field TRACK_FIELDS[] = {
    {"chunk", ROW_INT, AT(chunk), 0, INT_MAX},
    {"channel", ROW_INT, AT(channel), 0, 15},
};
#undef STRUCT

#define STRUCT struct kept_ghost
static const struct row_field GHOST_FIELDS[] = {
    {"take", ROW_INT, AT(take), 0, PROPOSALS_MAX - 1},
    {"id", ROW_TICK, AT(ghost.note.id), 1, MOST_ID},
    {"track", ROW_INT, AT(ghost.track), 0, INT_MAX},
    {"start", ROW_TICK, AT(ghost.note.start), TICKS},
    {"length", ROW_TICK, AT(ghost.note.length), 1, (double)TICK_MAX},
    {"pitch", ROW_U8, AT(ghost.note.pitch), 0, 127},
    {"velocity", ROW_U8, AT(ghost.note.velocity), 1, 127},
    {"probability", ROW_REAL, AT(ghost.probability), -1, 1},
    {"is_kept", ROW_YES, AT(ghost.is_kept), SHARE},
};
#undef STRUCT

#define STRUCT struct kept_place
static const struct row_field PLACE_FIELDS[] = {
    {"track", ROW_INT, AT(track), 0, INT_MAX},  {"start", ROW_TICK, AT(start), TICKS},
    {"length", ROW_TICK, AT(length), TICKS},    {"pitch", ROW_INT, AT(pitch), 0, 127},
    {"ghost", ROW_TICK, AT(ghost), 0, MOST_ID},
};
#undef STRUCT

#define STRUCT struct kept_part
static const struct row_field TOKEN_FIELDS[] = {
    {"take", ROW_INT, AT(take), 0, PROPOSALS_MAX - 1},
    {"token", ROW_INT, AT(what), 0, TOKEN_COUNT - 1},
};
static const struct row_field MUTE_FIELDS[] = {
    {"take", ROW_INT, AT(take), 0, PROPOSALS_MAX - 1},
    {"layer", ROW_INT, AT(what), 0, MOST_LAYERS - 1},
    {"head", ROW_INT, AT(head), 0, MOST_HEADS - 1},
};
#undef STRUCT

#define STRUCT struct kept_takes
static const struct row_field MUSIC_FIELDS[] = {
    {"time_put_in", ROW_TICK, AT(time_put_in), -0x1p62, 0x1p62},
    {"arrangement", ROW_WORD, AT(arrangement), 0, 0},
};
#undef STRUCT

#define STRUCT struct beside
static const struct row_field BESIDE_FIELDS[] = {
    {"time_put_in", ROW_TICK, AT(takes.time_put_in), -0x1p62, 0x1p62},
    {"arrangement", ROW_WORD, AT(takes.arrangement), 0, 0},
    {"grid_division", ROW_INT, AT(roll.grid.division), 0, GRID_FINEST},
    {"grid_kind", ROW_INT, AT(roll.grid.kind), 0, N_GRID_KINDS - 1},
    {"grid_is_free", ROW_YES, AT(roll.grid.is_free), YES},
    {"snap", ROW_YES, AT(roll.snaps), YES},
    {"fold", ROW_YES, AT(roll.folds), YES},
    {"strength", ROW_INT, AT(groove.strength), 0, 100},
    {"starts", ROW_YES, AT(groove.starts), YES},
    {"ends", ROW_INT, AT(groove.ends), 0, GROOVE_ENDS_LENGTHS},
    {"swing", ROW_INT, AT(groove.swing), 50, 75},
    {"within", ROW_INT, AT(groove.within), 0, 100},
    {"humanise_ms", ROW_LONG_REAL, AT(humanise.ms), 0, HUMANISE_MOST_MS},
    {"humanise_velocity", ROW_INT, AT(humanise.velocity), 0, 127},
    {"loop_from", ROW_TICK, AT(loop.from), TICKS},
    {"loop_to", ROW_TICK, AT(loop.to), TICKS},
    {"loop_on", ROW_YES, AT(loop.on), YES},
};
#undef STRUCT

static const struct row_table
    BESIDE = TABLE("beside", struct beside, BESIDE_FIELDS),
    MUSIC = TABLE("beside", struct kept_takes, MUSIC_FIELDS),
    SETTING = TABLE("setting", struct setting, SETTING_FIELDS),
    MARK = TABLE("mark", struct kept_marks, MARK_FIELDS),
    TAP = TABLE("tap", struct tap, TAP_FIELDS),
    RECORDING = TABLE("recording", struct kept_recording, RECORDING_FIELDS),
    NOTE = TABLE("recorded_note", struct recorded_note, NOTE_FIELDS),
    EVENT = TABLE("recorded_event", struct recorded_event, EVENT_FIELDS),
    REQUEST = TABLE("request", struct kept_takes, REQUEST_FIELDS),
    TAKE = TABLE("take", struct proposal, TAKE_FIELDS),
    TRACK = TABLE("track", struct kept_track, TRACK_FIELDS),
    GHOST = TABLE("ghost", struct kept_ghost, GHOST_FIELDS),
    TOKEN = TABLE("take_token", struct kept_part, TOKEN_FIELDS),
    MUTE = TABLE("take_mute", struct kept_part, MUTE_FIELDS),
    PLACE = TABLE("place", struct kept_place, PLACE_FIELDS),
    GESTURE = TABLE("gesture", struct recorded_event, EVENT_FIELDS);

/* What of a structure is a list of rows. */
#define STRUCT struct kept_takes
static const struct row_list TAKES[] = {
    {&TAKE, AT(list), AT(n), PROPOSALS_MAX},
    {&TRACK, AT(tracks), AT(n_tracks), MOST_ROWS},
    {&GHOST, AT(ghosts), AT(n_ghosts), MOST_ROWS},
    {&TOKEN, AT(tokens), AT(n_tokens), MOST_ROWS},
    {&MUTE, AT(mutes), AT(n_mutes), MOST_ROWS},
    {&PLACE, AT(places), AT(n_places), MOST_ROWS},
    {&GESTURE, AT(events), AT(n_events), MOST_ROWS},
};
#undef STRUCT
#define STRUCT struct beside
static const struct row_list MARKS[] = {
    {&MARK, AT(tracks.list), AT(tracks.n), MOST_TRACKS},
    {&TAP, AT(taps.list), AT(taps.n), TAPS_MOST},
};
#undef STRUCT
#define STRUCT struct kept_recording
static const struct row_list RECORDED[] = {
    {&NOTE, AT(notes), AT(n_notes), MOST_ROWS},
    {&EVENT, AT(events), AT(n_events), MOST_ROWS},
};
#undef STRUCT

void beside_init(struct beside *b)
{
    *b = (struct beside){.steering = STEERING_DEFAULT,
                         .groove = GROOVE_DEFAULT,
                         .humanise = HUMANISE_DEFAULT};
}

void kept_takes_fini(struct kept_takes *t)
{
    lists_free(TAKES, N(TAKES), t);
    *t = (struct kept_takes){0};
}

void beside_fini(struct beside *b)
{
    kept_takes_fini(&b->takes);
    kept_takes_fini(&b->left_out);
    lists_free(MARKS, N(MARKS), b);
    lists_free(RECORDED, N(RECORDED), &b->recording);
    beside_init(b);
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
        snprintf(list[n].name, sizeof list[n].name, "%s", steer_name(row));
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

/* -- writing -- */

int beside_delete(struct store *s, struct row_key key)
{
    static const struct row_table *const SINGLE[] = {&BESIDE, &SETTING, &REQUEST};
    int code = lists_delete(s, MARKS, N(MARKS), key);
    if (!code)
        code = lists_delete(s, TAKES, N(TAKES), key);
    for (size_t i = 0; !code && i < N(SINGLE); i++)
        code = rows_delete(s, SINGLE[i], key);
    return code;
}

int beside_write(struct store *s, struct row_key key, const struct beside *b)
{
    struct setting settings[MOST_SETTINGS];
    size_t n = list_steering(settings, &b->steering);
    int code = beside_delete(s, key);
    if (!code)
        code = rows_put(s, &BESIDE, key, 0, b, 1);
    if (!code)
        code = rows_put(s, &SETTING, key, 0, settings, n);
    if (!code)
        code = lists_put(s, MARKS, N(MARKS), key, b);
    if (!code && b->takes.n)
        code = rows_put(s, &REQUEST, key, 0, &b->takes, 1);
    return code || !b->takes.n ? code : lists_put(s, TAKES, N(TAKES), key, &b->takes);
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

/* n_takes is no column: what was asked is asked take by take. */
static const char *check_request(struct kept_takes *t)
{
    t->asked.options.n_takes = CONTINUATION_DEFAULT.n_takes;
    if (t->hole_from > t->hole_to)
        return "hole_from";
    return t->shown < (int)t->n ? check_settings(&t->asked.options) : "shown";
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

static const char *check_takes(struct kept_takes *t)
{
    const char *wrong = NULL;
    for (size_t i = 0; !wrong && i < t->n; i++)
        wrong = check_take(&t->list[i], i ? t->list[i - 1].letter : 0);
    if (!wrong && (!t->n || t->list[t->n - 1].letter - 'A' >= t->n_letters))
        wrong = "letters";
    return wrong;
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
    for (size_t i = 0; i < t->n_events; i++)
        if (!is_gesture(&t->events[i], t))
            return "gesture";
    return NULL;
}

/* Which music they fit is there without any. */
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
    wrong = was_asked ? check_request(t) : "request";
    if (!wrong)
        wrong = check_takes(t);
    return wrong ? wrong : check_lists(t);
}

/* -- all that was read -- */

static const char *check_all(const struct beside *b)
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

static const char *read_all(struct beside *b, struct store *s, int64_t piece)
{
    struct row_key key = {piece, BESIDE_NOW}, left_out = {piece, BESIDE_LEFT_OUT};
    bool is_there;
    const char *wrong = read_recording(&b->recording, s, key);
    if (!wrong)
        wrong = read_takes(&b->left_out, s, left_out, &is_there);
    if (!wrong)
        wrong = read_takes(&b->takes, s, key, &b->is_unsaved);
    if (!wrong && !b->is_unsaved) {
        key.as_saved = BESIDE_SAVED;
        wrong = read_takes(&b->takes, s, key, &b->is_saved);
    }
    if (!wrong)
        wrong = rows_get_one(s, &BESIDE, key, b, &is_there);
    if (!wrong)
        wrong = read_steering(&b->steering, s, key);
    if (!wrong)
        wrong = lists_get(s, MARKS, N(MARKS), key, b);
    return wrong ? wrong : check_all(b);
}

const char *beside_read(struct beside *b, struct store *s, int64_t piece)
{
    beside_init(b);
    const char *wrong = read_all(b, s, piece);
    if (wrong)
        beside_fini(b);
    return wrong;
}

/* -- recordings -- */

int beside_record(struct store *s, int64_t piece, const struct kept_recording *r,
                  size_t n_notes, size_t n_events)
{
    const struct row_key key = {piece, BESIDE_NOW};
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

/* -- marks, between the score and what is kept -- */

static bool is_marked(const struct track *t)
{
    return t->mute || t->solo || t->arm || t->hide || t->colour;
}

bool kept_tracks_gather(struct kept_tracks *t, const struct score *s)
{
    *t = (struct kept_tracks){.list = calloc(s->n_tracks + 1, sizeof *t->list)};
    for (int i = 0; t->list && i < (int)s->n_tracks && i < MOST_TRACKS; i++) {
        const struct track *from = &s->tracks[i];
        if (!is_marked(from))
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
