/* Takes as rows; see kept_takes.h. The ranges of settings are no narrower than app/generation/steer.c
 * has them. */
#include "app/document/kept_takes.h"

#include "app/critic/critic.h"
#include "app/base/say.h"
#include "midi/edit/controllers.h"
#include "midi/score/notes.h"
#include "midi/tokens/tokens.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1 << 24, MOST_LAYERS = 1024, MOST_HEADS = 1024 };

#define TICKS 0, (double)TICK_MAX
#define SUM   -1e300, 1e300 /* of log-probabilities: any */
#define SHARE 0, 1
#define TABLE(name, type, list)                                                        \
    {                                                                                  \
        name, sizeof(type), list, sizeof(list) / sizeof(list)[0]                       \
    }
#define AT(field) offsetof(STRUCT, field)

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
    {"letters", ROW_INT, AT(takes.n_letters), 1, PROPOSALS_MAX},
    {"shown", ROW_INT, AT(takes.shown), -1, PROPOSALS_MAX - 1},
    {"bars_asked", ROW_INT, AT(asked.bars), 1, INT_MAX},
    {"takes_at_once", ROW_INT, AT(takes_once), 0, CONTINUATION_MAX_TAKES},
    {"hole_from", ROW_TICK, AT(hole_from), TICKS},
    {"hole_to", ROW_TICK, AT(hole_to), TICKS},
    {"music_end", ROW_TICK, AT(music_end), 0, 2 * (double)TICK_MAX},
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

#define STRUCT struct ghost
static const struct row_field GHOST_FIELDS[] = {
    {"track", ROW_INT, AT(track), 0, INT_MAX},
    {"start", ROW_TICK, AT(note.start), TICKS},
    {"length", ROW_TICK, AT(note.length), 1, (double)TICK_MAX},
    {"pitch", ROW_U8, AT(note.pitch), 0, 127},
    {"velocity", ROW_U8, AT(note.velocity), 1, 127},
    {"probability", ROW_REAL, AT(probability), -1, 1},
    {"is_kept", ROW_YES, AT(is_kept), SHARE},
};
#undef STRUCT

#define STRUCT struct kept_place
static const struct row_field PLACE_FIELDS[] = {
    {"track", ROW_INT, AT(track), 0, INT_MAX}, {"start", ROW_TICK, AT(start), TICKS},
    {"length", ROW_TICK, AT(length), TICKS},   {"pitch", ROW_INT, AT(pitch), 0, 127},
    {"ghost", ROW_INT, AT(ghost), 0, INT_MAX},
};
#undef STRUCT

/* Something of a take: the number of a ghost, a token, or a head of a layer. */
struct of_take {
    int take, what, head;
};

#define STRUCT struct of_take
static const struct row_field TAKE_GHOST_FIELDS[] = {
    {"take", ROW_INT, AT(take), 0, PROPOSALS_MAX - 1},
    {"ghost", ROW_INT, AT(what), 1, INT_MAX},
};
static const struct row_field TAKE_TOKEN_FIELDS[] = {
    {"take", ROW_INT, AT(take), 0, PROPOSALS_MAX - 1},
    {"token", ROW_INT, AT(what), 0, TOKEN_COUNT - 1},
};
static const struct row_field TAKE_MUTE_FIELDS[] = {
    {"take", ROW_INT, AT(take), 0, PROPOSALS_MAX - 1},
    {"layer", ROW_INT, AT(what), 0, MOST_LAYERS - 1},
    {"head", ROW_INT, AT(head), 0, MOST_HEADS - 1},
};
#undef STRUCT

static const struct row_field PLAYED_FIELDS[] = {
    {"ends", ROW_TICK, offsetof(struct kept_playing, to), TICKS},
};

#define STRUCT struct recorded_event
static const struct row_field GESTURE_FIELDS[] = {
    {"track", ROW_INT, AT(track), 0, INT_MAX},
    {"pass", ROW_UINT, AT(pass), 0, UINT_MAX},
    {"tick", ROW_TICK, AT(tick), TICKS},
    {"status", ROW_U8, AT(data[0]), 0x80, 0xff},
    {"data1", ROW_U8, AT(data[1]), 0, 127},
    {"data2", ROW_U8, AT(data[2]), 0, 127},
};
#undef STRUCT

static const struct row_table
    REQUEST = TABLE("request", struct kept_takes, REQUEST_FIELDS),
    TAKE = TABLE("take", struct proposal, TAKE_FIELDS),
    TRACK = TABLE("track", struct kept_track, TRACK_FIELDS),
    GHOST = TABLE("ghost", struct ghost, GHOST_FIELDS),
    PLACE = TABLE("place", struct kept_place, PLACE_FIELDS),
    TAKE_GHOST = TABLE("take_ghost", struct of_take, TAKE_GHOST_FIELDS),
    TAKE_TOKEN = TABLE("take_token", struct of_take, TAKE_TOKEN_FIELDS),
    TAKE_MUTE = TABLE("take_mute", struct of_take, TAKE_MUTE_FIELDS),
    PLAYED = TABLE("played", struct kept_playing, PLAYED_FIELDS),
    GESTURE = TABLE("gesture", struct recorded_event, GESTURE_FIELDS);

static const struct row_table *const ALL[] = {
    &REQUEST,    &TAKE,       &TRACK,     &GHOST,  &PLACE,
    &TAKE_GHOST, &TAKE_TOKEN, &TAKE_MUTE, &PLAYED, &GESTURE};

void kept_takes_fini(struct kept_takes *t)
{
    free(t->tracks);
    free(t->replaced);
    free(t->standing);
    free(t->ghosts);
    free(t->playing.events);
    proposals_clear(&t->takes);
    *t = (struct kept_takes){0};
}

/* -- writing -- */

/* What there is of takes, in the order of the takes; *list is the caller's. */
struct parts {
    struct of_take *ghosts, *tokens, *mutes;
    size_t n_ghosts, n_tokens, n_mutes;
};

static void parts_fini(struct parts *p)
{
    free(p->ghosts);
    free(p->tokens);
    free(p->mutes);
}

static bool parts_init(struct parts *p, const struct proposals *takes)
{
    *p = (struct parts){0};
    for (int i = 0; i < takes->n; i++) {
        p->n_ghosts += takes->list[i].n_ghosts;
        p->n_tokens += takes->list[i].n_given;
        p->n_mutes += takes->list[i].n_muted;
    }
    p->ghosts = calloc(p->n_ghosts + 1, sizeof *p->ghosts);
    p->tokens = calloc(p->n_tokens + 1, sizeof *p->tokens);
    p->mutes = calloc(p->n_mutes + 1, sizeof *p->mutes);
    if (!p->ghosts || !p->tokens || !p->mutes)
        return false;
    struct of_take *ghost = p->ghosts, *token = p->tokens, *mute = p->mutes;
    for (int i = 0; i < takes->n; i++) {
        const struct proposal *t = &takes->list[i];
        for (size_t k = 0; k < t->n_ghosts; k++)
            *ghost++ = (struct of_take){i, (int)t->ghosts[k].note.id, 0};
        for (size_t k = 0; k < t->n_given; k++)
            *token++ = (struct of_take){i, t->given[k], 0};
        for (size_t k = 0; k < t->n_muted; k++)
            *mute++ = (struct of_take){i, t->muted[k].layer, t->muted[k].head};
    }
    return true;
}

static int write_parts(struct store *s, struct row_key key, const struct parts *p)
{
    int code = rows_put(s, &TAKE_GHOST, key, 0, p->ghosts, p->n_ghosts);
    if (!code)
        code = rows_put(s, &TAKE_TOKEN, key, 0, p->tokens, p->n_tokens);
    return code ? code : rows_put(s, &TAKE_MUTE, key, 0, p->mutes, p->n_mutes);
}

static int write_playing(struct store *s, struct row_key key,
                         const struct kept_playing *p)
{
    int code = p->is_there ? rows_put(s, &PLAYED, key, 0, p, 1) : SQLITE_OK;
    return code ? code : rows_put(s, &GESTURE, key, 0, p->events, p->n_events);
}

static int write_all(struct store *s, struct row_key key, const struct kept_takes *t,
                     const struct parts *p)
{
    int code = rows_put(s, &REQUEST, key, 0, t, 1);
    if (!code)
        code = rows_put(s, &TAKE, key, 0, t->takes.list, (size_t)t->takes.n);
    if (!code)
        code = rows_put(s, &TRACK, key, 0, t->tracks, t->n_tracks);
    if (!code)
        code = rows_put(s, &GHOST, key, 0, t->ghosts, t->n_ghosts);
    if (!code)
        code = rows_put(s, &PLACE, key, 0, t->replaced, t->n_replaced);
    if (!code)
        code = rows_put(s, &PLACE, key, t->n_replaced, t->standing, t->n_standing);
    if (!code)
        code = write_parts(s, key, p);
    return code ? code : write_playing(s, key, &t->playing);
}

int kept_takes_write(struct store *s, struct row_key key, const struct kept_takes *t)
{
    struct parts parts;
    int code = SQLITE_OK;
    for (size_t i = 0; !code && i < sizeof ALL / sizeof ALL[0]; i++)
        code = rows_delete(s, ALL[i], key);
    if (code || !t->takes.n)
        return code;
    code = parts_init(&parts, &t->takes) ? write_all(s, key, t, &parts) : SQLITE_NOMEM;
    parts_fini(&parts);
    return code;
}

/* -- reading -- */

static const char *check_settings(const struct continuation_options *o)
{
    if (o->hole.pitch_lo > o->hole.pitch_hi)
        return "lowest";
    if (o->hole.to_tick > 0 && o->hole.from_tick >= o->hole.to_tick)
        return "from_tick";
    return NULL;
}

/* n_takes is no column: what was asked is asked take by take. */
static const char *read_request(struct kept_takes *t, struct store *s,
                                struct row_key key)
{
    void *rows;
    size_t n;
    const char *wrong = rows_get(s, &REQUEST, key, &rows, &n, 1);
    if (!wrong && n) {
        *t = *(const struct kept_takes *)rows;
        t->asked.options.n_takes = CONTINUATION_DEFAULT.n_takes;
        wrong =
            t->hole_from > t->hole_to ? "hole_from" : check_settings(&t->asked.options);
    } else if (!wrong)
        wrong = "request";
    free(rows);
    return wrong;
}

static const char *read_ghosts(struct kept_takes *t, struct store *s,
                               struct row_key key)
{
    const char *wrong =
        rows_get(s, &GHOST, key, (void **)&t->ghosts, &t->n_ghosts, MOST_ROWS);
    for (size_t i = 0; !wrong && i < t->n_ghosts; i++) {
        struct ghost *g = &t->ghosts[i];
        g->note.id = i + 1;
        g->note.off_velocity = 64;
        g->note.on_order = ORDER_LAST;
        g->note.off_order = ORDER_FIRST;
        if ((size_t)g->track >= t->n_tracks || !note_is_valid(&g->note))
            wrong = "ghost";
    }
    return wrong;
}

/* Those of no ghost first. */
static const char *read_places(struct kept_takes *t, struct store *s,
                               struct row_key key)
{
    size_t n = 0;
    const char *wrong = rows_get(s, &PLACE, key, (void **)&t->replaced, &n, MOST_ROWS);
    while (!wrong && t->n_replaced < n && !t->replaced[t->n_replaced].ghost)
        t->n_replaced++;
    for (size_t i = 0; !wrong && i < n; i++) {
        const struct kept_place *p = &t->replaced[i];
        if ((size_t)p->track >= t->n_tracks || (size_t)p->ghost > t->n_ghosts ||
            (i >= t->n_replaced && !p->ghost))
            wrong = "place";
    }
    t->standing = wrong ? NULL : calloc(n + 1, sizeof *t->standing);
    if (!t->standing)
        return wrong ? wrong : "place";
    t->n_standing = n - t->n_replaced;
    if (t->n_standing)
        memcpy(t->standing, t->replaced + t->n_replaced,
               t->n_standing * sizeof *t->standing);
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

/* A take that cannot be read is not among them; others may be. */
static const char *read_list(struct kept_takes *t, struct store *s, struct row_key key)
{
    void *rows;
    size_t n;
    char before = 0;
    const char *wrong = rows_get(s, &TAKE, key, &rows, &n, PROPOSALS_MAX);
    t->takes.n = 0;
    for (size_t i = 0; !wrong && i < n; i++) {
        struct proposal *p = &t->takes.list[t->takes.n++];
        *p = ((const struct proposal *)rows)[i];
        wrong = check_take(p, before);
        before = p->letter;
    }
    free(rows);
    if (!wrong && (!n || before - 'A' >= t->takes.n_letters))
        wrong = "letters";
    return wrong || t->takes.shown < t->takes.n ? wrong : "shown";
}

/* Each take has a ghost once, and rows go from take to take. */
static bool add_ghost(struct proposal *p, const struct kept_takes *t, int number,
                      bool *has)
{
    if ((size_t)number > t->n_ghosts || has[number])
        return false;
    has[number] = true;
    p->ghosts[p->n_ghosts++] = t->ghosts[number - 1];
    return true;
}

static size_t n_of_take(const struct of_take *list, size_t n, int take)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += list[i].take == take;
    return count;
}

static const char *give_ghosts(struct kept_takes *t, const struct of_take *list,
                               size_t n)
{
    bool ok = true;
    for (int i = 0; ok && i < t->takes.n; i++) {
        struct proposal *p = &t->takes.list[i];
        bool *has = calloc(t->n_ghosts + 1, sizeof *has);
        p->cap_ghosts = n_of_take(list, n, i) + 1;
        p->ghosts = calloc(p->cap_ghosts, sizeof *p->ghosts);
        ok = has && p->ghosts;
        for (size_t k = 0; ok && k < n; k++)
            ok = list[k].take != i || add_ghost(p, t, list[k].what, has);
        free(has);
    }
    return ok ? NULL : "take_ghost";
}

static const char *give_tokens(struct kept_takes *t, const struct of_take *list,
                               size_t n)
{
    for (int i = 0; i < t->takes.n; i++) {
        struct proposal *p = &t->takes.list[i];
        size_t own = n_of_take(list, n, i);
        p->given = own ? calloc(own, sizeof *p->given) : NULL;
        if (own && !p->given)
            return "take_token";
        for (size_t k = 0; own && k < n; k++)
            if (list[k].take == i)
                p->given[p->n_given++] = list[k].what;
    }
    return NULL;
}

static const char *give_mutes(struct kept_takes *t, const struct of_take *list,
                              size_t n)
{
    for (size_t k = 0; k < n; k++) {
        struct proposal *p = &t->takes.list[list[k].take];
        if (list[k].take >= t->takes.n || p->n_muted == PROPOSAL_MUTED)
            return "take_mute";
        p->muted[p->n_muted++] = (struct attention_head){
            .of = ATTENTION_PAST, .layer = list[k].what, .head = list[k].head};
    }
    return NULL;
}

typedef const char *give_parts(struct kept_takes *t, const struct of_take *list,
                               size_t n);

static const char *read_parts(struct kept_takes *t, struct store *s, struct row_key key,
                              const struct row_table *table, give_parts *give)
{
    void *rows;
    size_t n;
    const char *wrong = rows_get(s, table, key, &rows, &n, MOST_ROWS);
    if (!wrong)
        wrong = give(t, rows, n);
    free(rows);
    return wrong;
}

int kept_message_bytes(const uint8_t data[3])
{
    int kind = data[0] & 0xf0;
    if (kind < 0x80 || kind == 0xf0)
        return 0;
    return kind == 0xc0 || kind == 0xd0 ? 2 : 3;
}

/* Controllers, bends and pressure, but what silences. */
static bool is_gesture(const uint8_t *data)
{
    int kind = data[0] & 0xf0;
    return kind >= 0xa0 && kind < 0xf0 && (kind != 0xb0 || data[1] < CC_CHANNEL_MODE);
}

static const char *read_playing(struct kept_playing *p, struct store *s,
                                struct row_key key, size_t n_tracks)
{
    void *rows;
    size_t n;
    const char *wrong = rows_get(s, &PLAYED, key, &rows, &n, 1);
    if (!wrong && n) {
        p->to = ((const struct kept_playing *)rows)->to;
        p->is_there = true;
    }
    free(rows);
    if (!wrong)
        wrong =
            rows_get(s, &GESTURE, key, (void **)&p->events, &p->n_events, MOST_ROWS);
    for (size_t i = 0; !wrong && i < p->n_events; i++) {
        struct recorded_event *e = &p->events[i];
        e->n_data = (uint8_t)kept_message_bytes(e->data);
        if ((size_t)e->track >= n_tracks || !is_gesture(e->data))
            wrong = "gesture";
    }
    return wrong;
}

static bool has_rows(struct store *s, struct row_key key)
{
    void *rows;
    size_t n;
    const char *wrong = rows_get(s, &TAKE, key, &rows, &n, PROPOSALS_MAX);
    free(rows);
    return wrong || n;
}

const char *kept_takes_read(struct kept_takes *t, struct store *s, struct row_key key)
{
    if (!has_rows(s, key))
        return NULL;
    const char *wrong = read_request(t, s, key);
    if (!wrong)
        wrong = rows_get(s, &TRACK, key, (void **)&t->tracks, &t->n_tracks, MOST_ROWS);
    if (!wrong)
        wrong = read_ghosts(t, s, key);
    if (!wrong)
        wrong = read_places(t, s, key);
    if (!wrong)
        wrong = read_list(t, s, key);
    if (!wrong)
        wrong = read_parts(t, s, key, &TAKE_GHOST, give_ghosts);
    if (!wrong)
        wrong = read_parts(t, s, key, &TAKE_TOKEN, give_tokens);
    if (!wrong)
        wrong = read_parts(t, s, key, &TAKE_MUTE, give_mutes);
    return wrong ? wrong : read_playing(&t->playing, s, key, t->n_tracks);
}
