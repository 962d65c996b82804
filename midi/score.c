/* The score. See score.h. */
#include "midi/score.h"

#include <stdlib.h>
#include <string.h>

enum { META = 0xff, META_NAME = 0x03, META_TEMPO = 0x51, META_METER = 0x58 };

/* -- notes, sorted by (start, pitch, id) -- */

static int note_compare(const struct note *a, const struct note *b)
{
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->pitch != b->pitch)
        return a->pitch < b->pitch ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* The first place whose note is not before `n`. */
static size_t note_place(const struct track *t, const struct note *n)
{
    size_t lo = 0, hi = t->n_notes;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (note_compare(&t->notes[mid], n) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool grow_notes(struct track *t)
{
    if (t->n_notes < t->cap_notes)
        return true;
    size_t cap = t->cap_notes ? 2 * t->cap_notes : 64;
    struct note *grown = realloc(t->notes, cap * sizeof *grown);
    if (!grown)
        return false;
    t->notes = grown;
    t->cap_notes = cap;
    return true;
}

uint64_t score_add_note(struct score *s, int track, struct note n)
{
    if (track < 0 || (size_t)track >= s->n_tracks || n.start < 0 || n.length < 0)
        return 0;
    struct track *t = &s->tracks[track];
    if (!grow_notes(t))
        return 0;
    if (n.id == 0)
        n.id = s->next_id++;
    else if (n.id >= s->next_id)
        s->next_id = n.id + 1;
    size_t i = note_place(t, &n);
    memmove(t->notes + i + 1, t->notes + i, (t->n_notes - i) * sizeof n);
    t->notes[i] = n;
    t->n_notes++;
    return n.id;
}

const struct note *score_find_note(const struct score *s, int track, uint64_t id)
{
    if (track < 0 || (size_t)track >= s->n_tracks)
        return NULL;
    const struct track *t = &s->tracks[track];
    for (size_t i = 0; i < t->n_notes; i++)
        if (t->notes[i].id == id)
            return &t->notes[i];
    return NULL;
}

bool score_remove_note(struct score *s, int track, uint64_t id)
{
    const struct note *n = score_find_note(s, track, id);
    if (!n)
        return false;
    struct track *t = &s->tracks[track];
    size_t i = (size_t)(n - t->notes);
    memmove(t->notes + i, t->notes + i + 1, (t->n_notes - i - 1) * sizeof *n);
    t->n_notes--;
    return true;
}

size_t score_first_note_at(const struct score *s, int track, int64_t tick)
{
    if (track < 0 || (size_t)track >= s->n_tracks)
        return 0;
    struct note first = {.start = tick};
    return note_place(&s->tracks[track], &first);
}

size_t score_n_notes(const struct score *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_tracks; i++)
        n += s->tracks[i].n_notes;
    return n;
}

int64_t score_end_tick(const struct score *s)
{
    int64_t end = 0;
    for (size_t i = 0; i < s->n_tracks; i++)
        for (size_t k = 0; k < s->tracks[i].n_notes; k++) {
            const struct note *n = &s->tracks[i].notes[k];
            if (n->start + n->length > end)
                end = n->start + n->length;
        }
    return end;
}

int64_t score_last_tick(const struct score *s)
{
    int64_t last = score_end_tick(s);
    for (size_t i = 0; i < s->n_chunks; i++) {
        const struct chunk *c = &s->chunks[i];
        if (c->n_events && c->events[c->n_events - 1].tick > last)
            last = c->events[c->n_events - 1].tick;
    }
    return last;
}

/* -- making and copying -- */

static bool add_event(struct chunk *c, int64_t tick, const uint8_t *data, size_t n)
{
    if (c->n_events == c->cap_events) {
        size_t cap = c->cap_events ? 2 * c->cap_events : 8;
        struct event *grown = realloc(c->events, cap * sizeof *grown);
        if (!grown)
            return false;
        c->events = grown;
        c->cap_events = cap;
    }
    uint8_t *copy = malloc(n ? n : 1);
    if (!copy)
        return false;
    memcpy(copy, data, n);
    c->events[c->n_events] = (struct event){.tick = tick,
                                            .order = (uint32_t)c->n_events + 1,
                                            .n_data = (uint32_t)n,
                                            .data = copy};
    c->n_events++;
    return true;
}

/* One more chunk, zeroed but for its type; NULL when out of memory. */
static struct chunk *add_chunk(struct score *s)
{
    struct chunk *grown = realloc(s->chunks, (s->n_chunks + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    s->chunks = grown;
    struct chunk *c = &s->chunks[s->n_chunks++];
    memset(c, 0, sizeof *c);
    memcpy(c->type, "MTrk", 4);
    return c;
}

struct score *score_create(int ticks_per_quarter)
{
    static const uint8_t METER[] = {META, META_METER, 4, 4, 2, 24, 8};
    static const uint8_t TEMPO[] = {META, META_TEMPO, 3, 0x07, 0xa1, 0x20};
    struct score *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->format = 1;
    s->ticks_per_quarter = ticks_per_quarter;
    s->division = (uint16_t)ticks_per_quarter;
    s->next_id = 1;
    struct chunk *c = add_chunk(s);
    if (!c || !add_event(c, 0, METER, sizeof METER) ||
        !add_event(c, 0, TEMPO, sizeof TEMPO) || score_update_timeline(s)) {
        score_destroy(s);
        return NULL;
    }
    return s;
}

static void chunk_fini(struct chunk *c)
{
    for (size_t i = 0; i < c->n_events; i++)
        free(c->events[i].data);
    free(c->events);
    free(c->raw);
}

void score_destroy(struct score *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_chunks; i++)
        chunk_fini(&s->chunks[i]);
    for (size_t i = 0; i < s->n_tracks; i++)
        free(s->tracks[i].notes);
    free(s->chunks);
    free(s->tracks);
    timeline_fini(&s->timeline);
    free(s);
}

static void *copy_of(const void *bytes, size_t n)
{
    void *copy = malloc(n ? n : 1);
    if (copy && n)
        memcpy(copy, bytes, n);
    return copy;
}

/* Leaves `to` in a state that chunk_fini accepts, also on failure. */
static bool chunk_copy(struct chunk *to, const struct chunk *from)
{
    *to = *from;
    to->n_events = 0;
    to->cap_events = from->n_events;
    to->raw = copy_of(from->raw, from->n_raw);
    to->events = malloc((from->n_events ? from->n_events : 1) * sizeof *to->events);
    if (!to->raw || !to->events)
        return false;
    for (size_t i = 0; i < from->n_events; i++) {
        to->events[i] = from->events[i];
        to->events[i].data = copy_of(from->events[i].data, from->events[i].n_data);
        if (!to->events[i].data)
            return false;
        to->n_events++;
    }
    return true;
}

static bool copy_parts(struct score *to, const struct score *from)
{
    to->chunks = calloc(from->n_chunks ? from->n_chunks : 1, sizeof *to->chunks);
    to->tracks = calloc(from->n_tracks ? from->n_tracks : 1, sizeof *to->tracks);
    if (!to->chunks || !to->tracks)
        return false;
    while (to->n_chunks < from->n_chunks) {
        size_t i = to->n_chunks++;
        if (!chunk_copy(&to->chunks[i], &from->chunks[i]))
            return false;
    }
    while (to->n_tracks < from->n_tracks) {
        const struct track *t = &from->tracks[to->n_tracks];
        struct track *copy = &to->tracks[to->n_tracks++];
        *copy = *t;
        copy->cap_notes = t->n_notes;
        copy->notes = copy_of(t->notes, t->n_notes * sizeof *t->notes);
        if (!copy->notes)
            return false;
    }
    return timeline_copy(&to->timeline, &from->timeline) == MIDI_OK;
}

struct score *score_clone(const struct score *s)
{
    struct score *copy = malloc(sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *s;
    copy->n_chunks = copy->n_tracks = 0;
    memset(&copy->timeline, 0, sizeof copy->timeline);
    copy->chunks = NULL;
    copy->tracks = NULL;
    if (!copy_parts(copy, s)) {
        score_destroy(copy);
        return NULL;
    }
    return copy;
}

int score_add_track(struct score *s, const char *name, uint8_t channel, uint8_t program)
{
    uint8_t label[3 + sizeof s->tracks->name] = {META, META_NAME};
    struct track t = {
        .chunk = (int)s->n_chunks, .channel = channel & 15, .program = program};
    size_t n = strnlen(name, sizeof t.name - 1);
    memcpy(t.name, name, n);
    label[2] = (uint8_t)n;
    memcpy(label + 3, name, n);
    uint8_t select[2] = {(uint8_t)(0xc0 | t.channel), (uint8_t)(program & 127)};
    struct track *grown = realloc(s->tracks, (s->n_tracks + 1) * sizeof *grown);
    if (!grown)
        return -1;
    s->tracks = grown;
    struct chunk *c = add_chunk(s);
    if (!c)
        return -1;
    if (!add_event(c, 0, label, 3 + n) || !add_event(c, 0, select, 2)) {
        chunk_fini(c);
        s->n_chunks--;
        return -1;
    }
    s->tracks[s->n_tracks] = t;
    return (int)s->n_tracks++;
}

/* -- the maps -- */

static bool is_meta(const struct event *e, uint8_t type, size_t n)
{
    return e->n_data >= 3 + n && e->data[0] == META && e->data[1] == type &&
           e->data[2] >= n;
}

enum midi_status score_update_timeline(struct score *s)
{
    size_t n = 0, n_tempos = 0, n_meters = 0;
    for (size_t i = 0; i < s->n_chunks; i++)
        for (size_t k = 0; k < s->chunks[i].n_events; k++)
            n += is_meta(&s->chunks[i].events[k], META_TEMPO, 3) ||
                 is_meta(&s->chunks[i].events[k], META_METER, 2);
    struct tempo *tempos = calloc(n + 1, sizeof *tempos);
    struct meter *meters = calloc(n + 1, sizeof *meters);
    struct timeline made;
    enum midi_status st = tempos && meters ? MIDI_OK : MIDI_NO_MEMORY;
    for (size_t i = 0; !st && i < s->n_chunks; i++)
        for (size_t k = 0; k < s->chunks[i].n_events; k++) {
            const struct event *e = &s->chunks[i].events[k];
            if (is_meta(e, META_TEMPO, 3))
                tempos[n_tempos++] = (struct tempo){
                    .tick = e->tick,
                    .us_per_quarter = e->data[3] << 16 | e->data[4] << 8 | e->data[5]};
            else if (is_meta(e, META_METER, 2))
                meters[n_meters++] =
                    (struct meter){.tick = e->tick,
                                   .numerator = e->data[3],
                                   .denominator = e->data[4] < 8 ? 1 << e->data[4] : 0};
        }
    if (!st)
        st = timeline_init(&made, s->ticks_per_quarter, tempos, n_tempos, meters,
                           n_meters);
    if (!st) {
        timeline_fini(&s->timeline);
        s->timeline = made;
    }
    free(tempos);
    free(meters);
    return st;
}

/* -- comparing -- */

static bool chunks_equal(const struct chunk *a, const struct chunk *b)
{
    if (a->n_events != b->n_events || a->end_tick != b->end_tick ||
        a->is_unknown != b->is_unknown || a->n_raw != b->n_raw ||
        memcmp(a->type, b->type, 4) || (a->n_raw && memcmp(a->raw, b->raw, a->n_raw)))
        return false;
    for (size_t i = 0; i < a->n_events; i++) {
        const struct event *x = &a->events[i], *y = &b->events[i];
        if (x->tick != y->tick || x->n_data != y->n_data ||
            memcmp(x->data, y->data, x->n_data))
            return false;
    }
    return true;
}

static bool tracks_equal(const struct track *a, const struct track *b)
{
    if (a->chunk != b->chunk || a->channel != b->channel || a->n_notes != b->n_notes)
        return false;
    for (size_t i = 0; i < a->n_notes; i++) {
        const struct note *x = &a->notes[i], *y = &b->notes[i];
        if (x->start != y->start || x->length != y->length || x->pitch != y->pitch ||
            x->velocity != y->velocity || x->off_velocity != y->off_velocity ||
            x->flags != y->flags)
            return false;
    }
    return true;
}

bool score_equal(const struct score *a, const struct score *b)
{
    if (a->format != b->format || a->division != b->division ||
        a->n_chunks != b->n_chunks || a->n_tracks != b->n_tracks)
        return false;
    for (size_t i = 0; i < a->n_chunks; i++)
        if (!chunks_equal(&a->chunks[i], &b->chunks[i]))
            return false;
    for (size_t i = 0; i < a->n_tracks; i++)
        if (!tracks_equal(&a->tracks[i], &b->tracks[i]))
            return false;
    return true;
}
