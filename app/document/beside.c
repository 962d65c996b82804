/* See beside.h. */
#include "app/document/beside.h"

#include "midi/edit/controllers.h"
#include "midi/score/notes.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRACKS = 1 << 16, MOST_ROWS = 1 << 24, MOST_SETTINGS = 1000 };

struct setting {
    char name[32], value[96];
};

#define TICKS 0, (double)TICK_MAX
#define YES   0, 1
#define TABLE(name, type, list)                                                        \
    {                                                                                  \
        name, sizeof(type), list, sizeof(list) / sizeof(list)[0]                       \
    }
#define AT(field) offsetof(STRUCT, field)

#define STRUCT    struct kept_takes
static const struct row_field BESIDE_FIELDS[] = {
    {"time_put_in", ROW_TICK, AT(time_put_in), -0x1p63, 0x1p62}, /* TAKES_UNTOLD too */
    {"arrangement", ROW_WORD, AT(arrangement), 0, 0},
};
#undef STRUCT

#define STRUCT struct setting
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
    {"track", ROW_INT, AT(track), 0, MOST_TRACKS - 1},
    {"pass", ROW_UINT, AT(pass), 0, 1e6},
    {"tick", ROW_TICK, AT(tick), TICKS},
    {"status", ROW_U8, AT(data[0]), 0x80, 0xef},
    {"data1", ROW_U8, AT(data[1]), 0, 127},
    {"data2", ROW_U8, AT(data[2]), 0, 127},
};
#undef STRUCT

static const struct row_table
    BESIDE = TABLE("beside", struct kept_takes, BESIDE_FIELDS),
    SETTING = TABLE("setting", struct setting, SETTING_FIELDS),
    MARK = TABLE("mark", struct kept_marks, MARK_FIELDS),
    TAP = TABLE("tap", struct tap, TAP_FIELDS),
    RECORDING = TABLE("recording", struct kept_recording, RECORDING_FIELDS),
    NOTE = TABLE("recorded_note", struct recorded_note, NOTE_FIELDS),
    EVENT = TABLE("recorded_event", struct recorded_event, EVENT_FIELDS);

void beside_init(struct beside *b)
{
    *b = (struct beside){.steering = STEERING_DEFAULT,
                         .groove = GROOVE_DEFAULT,
                         .humanise = HUMANISE_DEFAULT};
}

void beside_fini(struct beside *b)
{
    kept_takes_fini(&b->takes);
    taps_fini(&b->taps);
    free(b->tracks.list);
    free(b->recording.notes);
    free(b->recording.events);
    beside_init(b);
}

/* -- settings, as they are typed -- */

struct settings_list {
    struct setting list[64];
    size_t n;
};

static void say(struct settings_list *l, const char *name, const char *value)
{
    struct setting *s = &l->list[l->n++];
    snprintf(s->name, sizeof s->name, "%s", name);
    snprintf(s->value, sizeof s->value, "%s", value);
}

static void say_number(struct settings_list *l, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    say(l, name, text);
}

static void list_steering(struct settings_list *l, const struct steering *s)
{
    char text[STEER_TEXT_BYTES];
    for (int i = 0; i < steer_n_rows(); i++)
        if (!steer_is_default(steer_row(i), s))
            say(l, steer_name(steer_row(i)), steer_get(steer_row(i), s, text));
}

static void list_roll(struct settings_list *l, const struct kept_roll *r)
{
    char name[GRID_STEP_TEXT], usual[GRID_STEP_TEXT];
    grid_step_format(&GRID_STEP_DEFAULT, usual);
    if (r->grid.division && strcmp(grid_step_format(&r->grid, name), usual) != 0)
        say(l, "grid", name);
    if (r->snaps)
        say(l, "snap", "1");
    if (r->folds)
        say(l, "fold", "1");
}

static void list_groove(struct settings_list *l, const struct groove *g,
                        const struct humanise *h)
{
    char text[GROOVE_TEXT], usual[GROOVE_TEXT];
    groove_format(&GROOVE_DEFAULT, usual);
    if (strcmp(groove_format(g, text), usual) != 0)
        say(l, "quantise", text);
    if (h->ms != HUMANISE_DEFAULT.ms)
        say_number(l, "humanise-ms", h->ms);
    if (h->velocity != HUMANISE_DEFAULT.velocity)
        say_number(l, "humanise-velocity", h->velocity);
}

static void list_settings(struct settings_list *l, const struct beside *b)
{
    char text[96];
    l->n = 0;
    list_steering(l, &b->steering);
    list_roll(l, &b->roll);
    list_groove(l, &b->groove, &b->humanise);
    snprintf(text, sizeof text, "%lld %lld %d", (long long)b->loop.from,
             (long long)b->loop.to, b->loop.on);
    if (b->loop.from != b->loop.to)
        say(l, "loop", text);
}

static bool hear_number(const char *text, double most, double *out)
{
    char *end;
    double x = strtod(text, &end);
    if (end == text || *end || !(x >= 0 && x <= most))
        return false;
    *out = x;
    return true;
}

/* FROM TO ON */
static bool hear_loop(struct kept_loop *l, const char *text)
{
    char *after_from, *after_to, *end;
    int64_t from = strtoll(text, &after_from, 10);
    int64_t to = strtoll(after_from, &after_to, 10);
    int64_t on = strtoll(after_to, &end, 10);
    if (after_from == text || after_to == after_from || end == after_to || *end ||
        from < 0 || to <= from || to > TICK_MAX || on < 0 || on > 1)
        return false;
    *l = (struct kept_loop){from, to, on == 1};
    return true;
}

static bool hear_velocity(struct humanise *h, const char *text)
{
    double x = h->velocity;
    bool ok = hear_number(text, 127, &x);
    h->velocity = (int)x;
    return ok;
}

static bool hear_yes(bool *yes, const char *text)
{
    *yes = !strcmp(text, "1");
    return *yes;
}

/* What is not known is passed over. */
static bool hear(struct beside *b, const struct setting *s)
{
    const struct steer_row *row = steer_find(s->name);
    if (row)
        return steer_set(row, &b->steering, s->value);
    if (!strcmp(s->name, "grid"))
        return grid_step_parse(s->value, &b->roll.grid);
    if (!strcmp(s->name, "snap"))
        return hear_yes(&b->roll.snaps, s->value);
    if (!strcmp(s->name, "fold"))
        return hear_yes(&b->roll.folds, s->value);
    if (!strcmp(s->name, "quantise"))
        return groove_parse(s->value, &b->groove);
    if (!strcmp(s->name, "humanise-ms"))
        return hear_number(s->value, HUMANISE_MOST_MS, &b->humanise.ms);
    if (!strcmp(s->name, "humanise-velocity"))
        return hear_velocity(&b->humanise, s->value);
    return strcmp(s->name, "loop") != 0 || hear_loop(&b->loop, s->value);
}

/* -- writing -- */

int beside_delete(struct store *s, struct row_key key)
{
    const struct kept_takes none = {0};
    static const struct row_table *const LIST[] = {&BESIDE, &SETTING, &MARK, &TAP};
    int code = SQLITE_OK;
    for (size_t i = 0; !code && i < sizeof LIST / sizeof LIST[0]; i++)
        code = rows_delete(s, LIST[i], key);
    return code ? code : kept_takes_write(s, key, &none);
}

int beside_write(struct store *s, struct row_key key, const struct beside *b)
{
    struct settings_list settings;
    int code = beside_delete(s, key);
    list_settings(&settings, b);
    if (!code)
        code = rows_put(s, &BESIDE, key, 0, &b->takes, 1);
    if (!code)
        code = rows_put(s, &SETTING, key, 0, settings.list, settings.n);
    if (!code)
        code = rows_put(s, &MARK, key, 0, b->tracks.list, b->tracks.n);
    if (!code)
        code = rows_put(s, &TAP, key, 0, b->taps.list, b->taps.n);
    return code ? code : kept_takes_write(s, key, &b->takes);
}

/* -- reading -- */

bool beside_is_there(struct store *s, struct row_key key)
{
    void *rows;
    size_t n;
    const char *wrong = rows_get(s, &BESIDE, key, &rows, &n, 1);
    free(rows);
    return wrong || n;
}

static const char *read_settings(struct beside *b, struct store *s, struct row_key key)
{
    void *rows;
    size_t n;
    const char *wrong = rows_get(s, &SETTING, key, &rows, &n, MOST_SETTINGS);
    const struct setting *list = rows;
    for (size_t i = 0; !wrong && i < n; i++)
        if (!hear(b, &list[i]))
            wrong = "setting";
    free(rows);
    return wrong;
}

static const char *read_taps(struct taps *t, struct store *s, struct row_key key)
{
    void *rows;
    size_t n;
    const char *wrong = rows_get(s, &TAP, key, &rows, &n, TAPS_MOST);
    const struct tap *list = rows;
    for (size_t i = 0; !wrong && i < n; i++)
        if (!taps_put(t, list[i]))
            wrong = "tap";
    free(rows);
    return wrong;
}

static const char *read_marks(struct kept_tracks *t, struct store *s,
                              struct row_key key)
{
    const char *wrong = rows_get(s, &MARK, key, (void **)&t->list, &t->n, MOST_TRACKS);
    for (size_t i = 1; !wrong && i < t->n; i++)
        if (t->list[i].index <= t->list[i - 1].index)
            wrong = "mark";
    return wrong;
}

/* Which music the takes fit. */
static const char *read_takes(struct kept_takes *t, struct store *s, struct row_key key)
{
    void *rows;
    size_t n;
    const char *wrong = rows_get(s, &BESIDE, key, &rows, &n, 1);
    if (!wrong)
        wrong = kept_takes_read(t, s, key);
    if (!wrong && n) {
        t->time_put_in = ((const struct kept_takes *)rows)->time_put_in;
        t->arrangement = ((const struct kept_takes *)rows)->arrangement;
    }
    free(rows);
    return wrong;
}

static const char *check_recorded(struct kept_recording *r)
{
    for (size_t i = 0; i < r->n_events; i++) {
        struct recorded_event *e = &r->events[i];
        e->n_data = (uint8_t)kept_message_bytes(e->data);
        if (!e->n_data)
            return "recorded_event";
    }
    bool is_span = r->loop_from <= r->loop_to && r->span_from <= r->span_to;
    return is_span && (r->loop_to > r->loop_from || !r->pass) ? NULL : "recording";
}

static const char *read_recording(struct kept_recording *r, struct store *s,
                                  struct row_key key)
{
    void *rows;
    size_t n;
    const char *wrong = rows_get(s, &RECORDING, key, &rows, &n, 1);
    if (!wrong && n)
        *r = *(const struct kept_recording *)rows;
    free(rows);
    if (wrong || !n)
        return wrong;
    r->is_there = true;
    wrong = rows_get(s, &NOTE, key, (void **)&r->notes, &r->n_notes, MOST_ROWS);
    if (!wrong)
        wrong = rows_get(s, &EVENT, key, (void **)&r->events, &r->n_events, MOST_ROWS);
    return wrong ? wrong : check_recorded(r);
}

static const char *read_all(struct beside *b, struct store *s, struct row_key key)
{
    const char *wrong = read_settings(b, s, key);
    if (!wrong)
        wrong = read_marks(&b->tracks, s, key);
    if (!wrong)
        wrong = read_taps(&b->taps, s, key);
    return wrong ? wrong : read_takes(&b->takes, s, key);
}

const char *beside_read(struct beside *b, struct store *s, int64_t piece)
{
    const struct row_key now = {piece, 0}, saved = {piece, 1};
    beside_init(b);
    const char *wrong = read_recording(&b->recording, s, now);
    b->is_unsaved = beside_is_there(s, now);
    b->is_saved = !b->is_unsaved && beside_is_there(s, saved);
    if (!wrong && (b->is_unsaved || b->is_saved))
        wrong = read_all(b, s, b->is_unsaved ? now : saved);
    if (wrong)
        beside_fini(b);
    return wrong;
}

/* -- recordings -- */

int beside_end_recording(struct store *s, int64_t piece)
{
    const struct row_key key = {piece, 0};
    int code = rows_delete(s, &RECORDING, key);
    if (!code)
        code = rows_delete(s, &NOTE, key);
    return code ? code : rows_delete(s, &EVENT, key);
}

int beside_record(struct store *s, int64_t piece, const struct kept_recording *r,
                  size_t n_notes, size_t n_events)
{
    const struct row_key key = {piece, 0};
    int code = n_notes || n_events ? SQLITE_OK : beside_end_recording(s, piece);
    if (!code)
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
