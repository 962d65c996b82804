/* The score as plain data: creating, copying, keeping notes sorted, and questions about
 * tracks. */
#include "midi/score/score.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/score/chunk.h"
#include "midi/score/general_midi.h"
#include "midi/score/notes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void score_destroy(struct score *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_tracks; i++)
        notes_release(&s->tracks[i]);
    for (size_t i = 0; i < s->n_chunks; i++)
        chunk_fini(&s->chunks[i]);
    free(s->tracks);
    free(s->chunks);
    free(s->header_tail);
    timeline_fini(&s->timeline);
    taps_fini(&s->taps);
    free(s);
}

/* Adds an event at tick 0 of a new chunk. */
static enum midi_status add_first_event(struct chunk *c, uint8_t *data, size_t n)
{
    struct event e = {.order = ORDER_FIRST, .n_data = (uint32_t)n, .data = data};
    return chunk_insert_event(c, &e);
}

struct score *score_create(int ticks_per_quarter)
{
    assert(ticks_per_quarter >= 1 && ticks_per_quarter < SMPTE_BIT);
    struct score *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->format = 1;
    s->division = (uint16_t)ticks_per_quarter;
    s->ticks_per_quarter = ticks_per_quarter;
    s->next_id = 1;
    s->chunks = calloc(1, sizeof *s->chunks);
    s->n_chunks = s->chunks ? 1 : 0;
    uint8_t tempo[6], meter[7];
    enum midi_status st = s->chunks ? MIDI_OK : MIDI_NO_MEMORY;
    if (!st) {
        s->chunks[0] = (struct chunk){.type = {'M', 'T', 'r', 'k'}};
        st = add_first_event(&s->chunks[0], meter, event_meter_write(meter, 4, 4));
    }
    if (!st)
        st = add_first_event(&s->chunks[0], tempo, event_tempo_write(tempo, 500000));
    if (!st)
        st = score_update_timeline(s);
    if (!st)
        return s;
    score_destroy(s);
    return NULL;
}

/* The counts of `to` grow as parts are copied, so that an unfinished clone can be
 * destroyed. */
struct score *score_clone(const struct score *s)
{
    struct score *to = calloc(1, sizeof *to);
    if (!to)
        return NULL;
    to->format = s->format;
    to->division = s->division;
    to->ticks_per_quarter = s->ticks_per_quarter;
    to->next_id = s->next_id;
    to->n_header_tail = s->n_header_tail;
    to->header_tail = array_copy(s->header_tail, s->n_header_tail, 1);
    to->chunks = calloc(s->n_chunks + 1, sizeof *to->chunks);
    to->tracks = array_copy(s->tracks, s->n_tracks, sizeof *to->tracks);
    bool ok = to->header_tail && to->chunks && to->tracks &&
              taps_copy(&to->taps, &s->taps) &&
              !timeline_copy(&to->timeline, &s->timeline);
    for (size_t i = 0; ok && i < s->n_chunks; i++, to->n_chunks++)
        ok = !chunk_copy(&to->chunks[i], &s->chunks[i]);
    for (size_t i = 0; ok && i < s->n_tracks; i++) {
        ok = notes_share(&to->tracks[i], &s->tracks[i]);
        to->n_tracks += ok;
    }
    if (ok)
        return to;
    score_destroy(to);
    return NULL;
}

static enum midi_status make_track_chunk(struct chunk *c, const char *name,
                                         uint8_t channel, uint8_t program)
{
    *c = (struct chunk){.type = {'M', 'T', 'r', 'k'}};
    size_t n_name = strnlen(name, sizeof((struct track *)0)->name - 1);
    uint8_t naming[sizeof((struct track *)0)->name + 6];
    uint8_t choosing[2] = {(uint8_t)(0xC0 | (channel & 15)), program};
    uint8_t port[4] = {0xFF, META_PORT, 1, channel >> 4};

    enum midi_status st = MIDI_OK;
    if (n_name)
        st = add_first_event(c, naming,
                             event_meta_write(naming, META_TRACK_NAME, name, n_name));
    if (!st && channel >> 4)
        st = add_first_event(c, port, sizeof port);
    c->port = channel >> 4;
    if (!st)
        st = add_first_event(c, choosing, sizeof choosing);
    if (st)
        chunk_fini(c);
    return st;
}

bool score_make_room(struct score *s, size_t n)
{
    struct chunk *chunks = array_resize(s->chunks, s->n_chunks + n, sizeof *chunks);
    if (!chunks)
        return false;
    s->chunks = chunks;
    struct track *tracks = array_resize(s->tracks, s->n_tracks + n, sizeof *tracks);
    if (tracks)
        s->tracks = tracks;
    return tracks;
}

uint8_t score_free_channel(const struct score *s, int n)
{
    enum { CHANNELS = 16 };
    bool is_used[SCORE_CHANNELS] = {false};
    for (size_t i = 0; i < s->n_tracks; i++)
        is_used[score_channel(s, (int)i)] = true;
    for (int c = 0; c < SCORE_CHANNELS; c++)
        if (!is_used[c] && c % CHANNELS != GM_DRUM_CHANNEL && n-- == 0)
            return (uint8_t)c;
    n %= CHANNELS - 1;
    return (uint8_t)(n + (n >= GM_DRUM_CHANNEL));
}

/* If several tracks of a channel set a program, the last one counts. */
static uint8_t kit_of_channel(const struct score *s, int channel)
{
    uint8_t kit = 0;
    for (size_t t = 0; t < s->n_tracks; t++)
        if (score_channel(s, (int)t) == channel && !s->tracks[t].lacks_program)
            kit = s->tracks[t].program;
    return kit;
}

uint8_t score_drum_channel(const struct score *s, uint8_t *kit)
{
    enum { CHANNELS = 16 };
    bool is_used[SCORE_CHANNELS / CHANNELS] = {false};
    for (size_t t = 0; t < s->n_tracks; t++) {
        const int channel = score_channel(s, (int)t);
        const uint8_t now = kit_of_channel(s, channel);
        if (track_is_drums(&s->tracks[t]) && (!*kit || *kit == now)) {
            *kit = now;
            return (uint8_t)channel;
        }
        if (channel % CHANNELS == GM_DRUM_CHANNEL)
            is_used[channel / CHANNELS] = true;
    }
    for (int port = 0; port < SCORE_CHANNELS / CHANNELS; port++)
        if (!is_used[port])
            return (uint8_t)(port * CHANNELS + GM_DRUM_CHANNEL);
    return GM_DRUM_CHANNEL;
}

int score_add_track(struct score *s, const char *name, uint8_t channel, uint8_t program)
{
    assert(program < 128);
    struct chunk chunk;
    if (!score_make_room(s, 1) || make_track_chunk(&chunk, name, channel, program))
        return -1;
    struct track *t = &s->tracks[s->n_tracks];
    *t = (struct track){
        .chunk = (int)s->n_chunks, .channel = channel & 15, .program = program};
    strncpy(t->name, name, sizeof t->name - 1);
    if (s->format == 0 && s->n_chunks > 0)
        s->format = 1; /* format 0 has only one chunk */
    s->chunks[s->n_chunks++] = chunk;
    return (int)s->n_tracks++;
}

int note_compare(const void *a, const void *b)
{
    const struct note *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->pitch != y->pitch)
        return x->pitch < y->pitch ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* Returns the index of the first note that is not before `n`. */
static size_t note_place(const struct track *t, const struct note *n)
{
    size_t at;
    ARRAY_PASS(at, t->n_notes, note_compare(&t->notes[at], n) < 0);
    return at;
}

uint64_t score_add_note(struct score *s, int track, struct note n)
{
    struct track *t = &s->tracks[track];
    struct note *notes = note_is_valid(&n) ? notes_own(t, t->n_notes + 1) : NULL;
    if (!notes)
        return 0;
    if (n.id == 0)
        n.id = s->next_id;
    if (n.id >= s->next_id)
        s->next_id = n.id + 1;

    size_t at = note_place(t, &n);
    memmove(&notes[at + 1], &notes[at], (t->n_notes - at) * sizeof *notes);
    notes[at] = n;
    t->n_notes++;
    return n.id;
}

const struct note *score_find_note(const struct score *s, int track, uint64_t id)
{
    const struct track *t = &s->tracks[track];
    for (size_t i = 0; i < t->n_notes; i++)
        if (t->notes[i].id == id)
            return &t->notes[i];
    return NULL;
}

bool score_remove_note(struct score *s, int track, uint64_t id)
{
    struct track *t = &s->tracks[track];
    const struct note *n = score_find_note(s, track, id);
    if (!n)
        return false;
    size_t at = (size_t)(n - t->notes);
    struct note *notes = notes_own(t, t->n_notes);
    if (!notes)
        return false;
    t->n_notes--;
    memmove(&notes[at], &notes[at + 1], (t->n_notes - at) * sizeof *notes);
    return true;
}

size_t score_first_note_at(const struct score *s, int track, int64_t tick)
{
    struct note first = {.start = tick}; /* pitch 0 and id 0 sort first */
    return note_place(&s->tracks[track], &first);
}

size_t score_n_notes(const struct score *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_tracks; i++)
        n += s->tracks[i].n_notes;
    return n;
}

bool score_has_solo(const struct score *s)
{
    for (size_t i = 0; i < s->n_tracks; i++)
        if (s->tracks[i].solo)
            return true;
    return false;
}

bool track_is_audible(const struct track *t, bool has_solo)
{
    return has_solo ? t->solo : !t->mute;
}

bool track_is_drums(const struct track *t)
{
    return t->mode == PART_DRUMS ||
           (t->mode == PART_BY_CHANNEL && t->channel == GM_DRUM_CHANNEL);
}

int score_split_kit(const struct score *s, int home[128], uint64_t *tracks)
{
    size_t most[128] = {0}, n_all = 0, n_home = 0;
    int first = -1, n_tracks = 0;
    *tracks = 0;
    for (int key = 0; key < 128; key++)
        home[key] = -1;
    for (int t = 0; t < (int)s->n_tracks && t < 64; t++) {
        const struct track *track = &s->tracks[t];
        size_t n[128] = {0};
        if (!track_is_drums(track) || track->mute || !track->n_notes)
            continue;
        first = first < 0 ? t : first;
        n_tracks++;
        *tracks |= UINT64_C(1) << t;
        n_all += track->n_notes;
        for (size_t i = 0; i < track->n_notes; i++)
            n[track->notes[i].pitch & 127]++;
        for (int key = 0; key < 128; key++)
            if (n[key] > most[key]) {
                most[key] = n[key];
                home[key] = t;
            }
    }
    for (int key = 0; key < 128; key++)
        n_home += most[key];
    /* Two drummers share many sounds; the tracks of one kit share few. */
    return n_tracks > 1 && 10 * n_home >= 9 * n_all ? first : -1;
}

bool score_names_voice(const struct score *s, const char *name)
{
    static const char *const OTHERS[] = {"soprano", "alto", "tenor"};
    const char *rest = name + strlen("bass");
    if (strncasecmp(name, "bass", strlen("bass")) != 0 || rest[strspn(rest, " 12I")])
        return false;
    for (size_t i = 0; i < s->n_tracks; i++)
        for (size_t k = 0; k < sizeof OTHERS / sizeof *OTHERS; k++)
            if (!strncasecmp(s->tracks[i].name, OTHERS[k], strlen(OTHERS[k])))
                return true;
    return false;
}

uint8_t track_meant_program(const struct track *t)
{
    uint8_t named;
    const bool is_named = t->lacks_program && gm_named(t->name, &named);
    return is_named ? named : t->program & 127;
}

int track_sound_channel(const struct track *t)
{
    return track_is_drums(t)               ? GM_DRUM_CHANNEL
           : t->channel == GM_DRUM_CHANNEL ? 0
                                           : t->channel;
}

int64_t score_end_tick(const struct score *s)
{
    int64_t end = 0;
    for (size_t t = 0; t < s->n_tracks; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes; i++) {
            const struct note *n = &s->tracks[t].notes[i];
            end = larger(end, n->start + n->length);
        }
    return end;
}

int64_t score_last_tick(const struct score *s)
{
    int64_t last = score_end_tick(s);
    for (size_t i = 0; i < s->n_chunks; i++) {
        const struct chunk *c = &s->chunks[i];
        if (c->n_events)
            last = larger(last, c->events[c->n_events - 1].tick);
    }
    return last;
}

/* -- the timeline: tempo, meter, port and bank events of all chunks -- */

/* Makes a timeline of all tempos and meters. In SMPTE time a tick is a fraction of a
 * second, and tempo events do not matter. One tempo corrects the rounding of
 * ticks_per_quarter. A rate of 29 means 29.97. */
static enum midi_status make_timeline(struct timeline *out, const struct score *s)
{
    const bool is_smpte = s->division & SMPTE_BIT;
    struct tempo *tempos = NULL;
    struct meter *meters = NULL;
    size_t n_tempos = 0, cap_tempos = 0, n_meters = 0, cap_meters = 0;
    bool ok = true;
    if (is_smpte) {
        const int frames = -(int8_t)(s->division >> 8);
        const double fps = frames == 29 ? 30000.0 / 1001.0 : frames;
        const int per_frame = s->division & 0xFF ? s->division & 0xFF : 1;
        const struct tempo t = {.us_per_quarter =
                                    1e6 * s->ticks_per_quarter / (fps * per_frame)};
        ok = array_add(&tempos, &n_tempos, &cap_tempos, &t, sizeof t);
    }
    for (size_t c = 0; c < s->n_chunks; c++)
        for (size_t i = 0; ok && i < s->chunks[c].n_events; i++) {
            const struct event *e = &s->chunks[c].events[i];
            struct meter m = {.tick = e->tick};
            int us = 0;
            const bool is_tempo = !is_smpte && event_tempo_read(e, &us);
            const struct tempo t = {.tick = e->tick, .us_per_quarter = us};
            if (is_tempo)
                ok = array_add(&tempos, &n_tempos, &cap_tempos, &t, sizeof t);
            else if (event_meter_read(e, &m.numerator, &m.denominator))
                ok = array_add(&meters, &n_meters, &cap_meters, &m, sizeof m);
        }
    const enum midi_status st = ok ? timeline_init(out, s->ticks_per_quarter, tempos,
                                                   n_tempos, meters, n_meters)
                                   : MIDI_NO_MEMORY;
    free(tempos);
    free(meters);
    return st;
}

/* Returns the channel whose mode a system exclusive message sets, or -1 for another
 * event. GS: "use for rhythm part" (F0 41 dd 42 12 40 1p 15 mm), with parts in the
 * order of channels 10, 1 to 9, 11 to 16. XG: "part mode" (F0 43 1d 4C 08 pp 07 mm). */
static int part_mode_read(const struct event *e, enum part_mode *mode)
{
    if (e->n_data < 10 || e->data[0] != 0xF0 || e->data[1] > 127)
        return -1;
    const uint8_t *d = e->data + 2; /* after F0 and the length */
    const size_t n = e->n_data - 2;
    const uint8_t *gs = d + (d[5] == 0x40); /* some write the address's 40 twice */
    if (n >= 9 && d[0] == 0x41 && d[2] == 0x42 && d[3] == 0x12 && d[4] == 0x40 &&
        gs[5] >> 4 == 1 && gs[6] == 0x15) {
        const int part = gs[5] & 15;
        *mode = gs[7] ? PART_DRUMS : PART_MELODY;
        return part == 0 ? GM_DRUM_CHANNEL : part <= GM_DRUM_CHANNEL ? part - 1 : part;
    }
    if (d[0] == 0x43 && d[1] >> 4 == 1 && d[2] == 0x4C && d[3] == 0x08 && d[4] < 16 &&
        d[5] == 0x07) {
        *mode = d[6] ? PART_DRUMS : PART_MELODY;
        return d[4];
    }
    return -1;
}

/* For each chunk the first port counts, and for each channel the first bank and the
 * first mode. So goes backwards, and the first is stored last. */
static void update_ports_and_modes(struct score *s)
{
    uint8_t banks[SCORE_CHANNELS] = {0};
    enum part_mode modes[SCORE_CHANNELS] = {PART_BY_CHANNEL};
    for (size_t c = s->n_chunks; c-- > 0;) {
        s->chunks[c].port = 0;
        for (size_t i = s->chunks[c].n_events, n; i-- > 0;) {
            const uint8_t *port = event_meta(&s->chunks[c].events[i], META_PORT, &n);
            if (port && n)
                s->chunks[c].port = *port;
        }
        for (size_t i = s->chunks[c].n_events; i-- > 0;) {
            const struct event *e = &s->chunks[c].events[i];
            enum part_mode mode;
            const int part = part_mode_read(e, &mode);
            if (part >= 0)
                modes[chunk_channel(&s->chunks[c], part)] = mode;
            if (e->n_data == 3 && e->data[0] >> 4 == 0xb && e->data[1] == CC_BANK)
                banks[chunk_channel(&s->chunks[c], e->data[0])] = e->data[2];
        }
    }
    for (size_t t = 0; t < s->n_tracks; t++) {
        uint8_t bank = banks[score_channel(s, (int)t)];
        const bool is_kit = bank == BANK_KITS || bank == BANK_KITS_XG;
        s->tracks[t].mode = modes[score_channel(s, (int)t)] != PART_BY_CHANNEL
                                ? modes[score_channel(s, (int)t)]
                            : is_kit ? PART_DRUMS
                                     : PART_BY_CHANNEL;
    }
}

enum midi_status score_update_timeline(struct score *s)
{
    struct timeline fresh;
    enum midi_status st = make_timeline(&fresh, s);
    if (st)
        return st;
    timeline_fini(&s->timeline);
    s->timeline = fresh;
    update_ports_and_modes(s);
    return MIDI_OK;
}
