/* A heap of sources, one for each chunk and each audible track, each with its next
 * message. The ends of sounding notes come from `voices`. */
#include "midi/sound/schedule.h"

#include <stdlib.h>

struct source {
    int64_t tick; /* of the next message */
    int index;    /* of the chunk or track */
    bool is_track;
};

struct schedule {
    const struct score *score;
    int64_t end_tick;
    size_t *next_event; /* per chunk */
    size_t *next_note;  /* per track */
    bool *is_audible;   /* per track */
    enum part_mode modes[SCORE_CHANNELS];
    struct sound_ports ports;
    struct source *heap; /* the earliest is first */
    size_t n_heap;
};

struct sound_ports sound_ports_of(const struct score *s)
{
    struct sound_ports p = {{0}};
    bool is_placed[SCORE_PORTS] = {false};
    int n = 0;
    for (size_t i = 0; i < s->n_tracks + s->n_chunks; i++) { /* tracks, then chunks */
        const int port = i < s->n_tracks
                             ? score_channel(s, (int)i) >> 4
                             : chunk_channel(&s->chunks[i - s->n_tracks], 0) >> 4;
        if (!is_placed[port])
            p.of[port] = (uint8_t)(n++ % SOUND_PORTS);
        is_placed[port] = true;
    }
    return p;
}

/* Whether a message sets the state of a channel. Notes come from the tracks. */
static bool is_wanted(const struct event *e)
{
    if (e->n_data < 2 || e->data[0] < 0xa0 || e->data[0] >= 0xf0)
        return false;
    bool has_one_byte = (e->data[0] & 0xf0) == 0xc0 || (e->data[0] & 0xf0) == 0xd0;
    return has_one_byte || e->n_data >= 3;
}

static bool comes_first(const struct source *a, const struct source *b)
{
    if (a->tick != b->tick)
        return a->tick < b->tick;
    if (a->is_track != b->is_track)
        return b->is_track;
    return a->index < b->index;
}

static void sink_source(struct schedule *s, size_t i)
{
    for (;;) {
        size_t first = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < s->n_heap; child++)
            if (comes_first(&s->heap[child], &s->heap[first]))
                first = child;
        if (first == i)
            return;
        struct source swap = s->heap[i];
        s->heap[i] = s->heap[first];
        s->heap[first] = swap;
        i = first;
    }
}

/* Moves a source to its next message. false: there is none. */
static bool load_source(struct schedule *s, struct source *from)
{
    if (from->is_track) {
        const struct track *t = &s->score->tracks[from->index];
        size_t i = s->next_note[from->index];
        if (i < t->n_notes)
            from->tick = t->notes[i].start;
        return i < t->n_notes;
    }
    const struct chunk *c = &s->score->chunks[from->index];
    size_t *i = &s->next_event[from->index];
    while (*i < c->n_events && !is_wanted(&c->events[*i]))
        ++*i;
    if (*i < c->n_events)
        from->tick = c->events[*i].tick;
    return *i < c->n_events;
}

static void add_source(struct schedule *s, int index, bool is_track)
{
    struct source from = {.index = index, .is_track = is_track};
    if (load_source(s, &from))
        s->heap[s->n_heap++] = from;
}

void schedule_seek(struct schedule *s, int64_t tick)
{
    s->n_heap = 0;
    for (size_t i = 0; i < s->score->n_chunks; i++) {
        s->next_event[i] = 0;
        add_source(s, (int)i, false);
    }
    for (size_t i = 0; i < s->score->n_tracks; i++) {
        s->next_note[i] = score_first_note_at(s->score, (int)i, tick);
        if (s->is_audible[i])
            add_source(s, (int)i, true);
    }
    for (size_t i = s->n_heap / 2; i-- > 0;)
        sink_source(s, i);
}

struct schedule *schedule_create(const struct score *score)
{
    struct schedule *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->score = score;
    s->next_event = calloc(score->n_chunks + 1, sizeof *s->next_event);
    s->next_note = calloc(score->n_tracks + 1, sizeof *s->next_note);
    s->is_audible = calloc(score->n_tracks + 1, sizeof *s->is_audible);
    s->heap = calloc(score->n_chunks + score->n_tracks + 1, sizeof *s->heap);
    if (!s->next_event || !s->next_note || !s->is_audible || !s->heap) {
        schedule_destroy(s);
        return NULL;
    }
    bool has_solo = score_has_solo(score);
    for (size_t i = 0; i < score->n_tracks; i++)
        s->is_audible[i] = track_is_audible(&score->tracks[i], has_solo);
    for (size_t i = 0; i < score->n_tracks; i++)
        s->modes[score_channel(score, (int)i)] = score->tracks[i].mode;
    s->ports = sound_ports_of(score);
    int64_t end = score_end_tick(score);
    struct bar last = timeline_bar_at(&score->timeline, end > 0 ? end - 1 : 0);
    s->end_tick = end > 0 ? last.start + last.length : 0;
    schedule_seek(s, 0);
    return s;
}

void schedule_destroy(struct schedule *s)
{
    if (!s)
        return;
    free(s->next_event);
    free(s->next_note);
    free(s->is_audible);
    free(s->heap);
    free(s);
}

const struct score *schedule_score(const struct schedule *s)
{
    return s->score;
}

int64_t schedule_end_tick(const struct schedule *s)
{
    return s->end_tick;
}

/* Removes voice `i`. Returns true if *out is its note-off, or false if the pitch sounds
 * on in another voice. */
static bool end_voice(struct voices *v, int i, int64_t tick, struct message *out)
{
    struct voice ended = v->voice[i];
    v->voice[i] = v->voice[--v->n];
    for (int k = 0; k < v->n; k++)
        if (v->voice[k].channel == ended.channel && v->voice[k].pitch == ended.pitch)
            return false;
    *out = (struct message){tick, 0x80 | (ended.channel & 15), ended.pitch, 64,
                            ended.channel >> 4};
    return true;
}

static struct voice voice_of(const struct schedule *s, int track, const struct note *n)
{
    const uint8_t channel =
                      (uint8_t)sound_channel(&s->ports, score_channel(s->score, track)),
                  pitch = n->pitch & 127;
    return (struct voice){n->id, track, n->start, n->start + n->length, channel, pitch};
}

/* Adds the voice of a note, and returns its note-on at that tick. */
static struct message begin_voice(const struct schedule *s, struct voices *v, int track,
                                  const struct note *n, int64_t tick)
{
    const struct voice voice = voice_of(s, track, n);
    const uint8_t velocity = n->velocity & 127;
    v->voice[v->n++] = voice;
    return (struct message){tick, 0x90 | (voice.channel & 15), voice.pitch,
                            velocity ? velocity : 1, voice.channel >> 4};
}

static void take_top(struct schedule *s, struct voices *v, struct message *out)
{
    struct source *top = &s->heap[0];
    int i = top->index;
    if (top->is_track) {
        const struct note *n = &s->score->tracks[i].notes[s->next_note[i]++];
        *out = begin_voice(s, v, i, n, n->start);
    } else {
        const struct event *e = &s->score->chunks[i].events[s->next_event[i]++];
        uint8_t data2 = e->n_data > 2 ? e->data[2] & 127 : 0;
        const int channel = chunk_channel(&s->score->chunks[i], e->data[0]);
        *out = (struct message){e->tick, e->data[0], e->data[1] & 127, data2,
                                s->ports.of[channel >> 4]};
        const enum part_mode mode = s->modes[channel];
        if (mode != PART_BY_CHANNEL && e->data[0] >> 4 == 0xb && out->data1 == CC_BANK)
            out->data2 = mode == PART_DRUMS ? BANK_KITS : BANK_MELODY;
    }
    if (!load_source(s, top))
        *top = s->heap[--s->n_heap];
    sink_source(s, 0);
}

bool schedule_next(struct schedule *s, struct voices *v, int64_t before,
                   struct message *out)
{
    for (;;) {
        const struct source *top = s->n_heap ? &s->heap[0] : NULL;
        int first = v->n ? 0 : -1; /* the voice that ends first */
        for (int i = 1; i < v->n; i++)
            if (v->voice[i].end < v->voice[first].end)
                first = i;
        bool ends = first >= 0 && (!top || v->voice[first].end <= top->tick);
        int64_t tick = ends ? v->voice[first].end : top ? top->tick : before;
        if (tick >= before)
            return false;
        if (!ends && !(top->is_track && v->n == MAX_VOICES)) {
            take_top(s, v, out);
            return true;
        }
        if (end_voice(v, first, tick, out))
            return true;
    }
}

void voices_follow(struct voices *v, const struct schedule *s, int64_t now)
{
    for (struct voice *voice = v->voice; voice < v->voice + v->n; voice++) {
        voice->end = now;
        if ((size_t)voice->track >= s->score->n_tracks ||
            !s->is_audible[voice->track] ||
            sound_channel(&s->ports, score_channel(s->score, voice->track)) !=
                voice->channel)
            continue;
        const struct track *t = &s->score->tracks[voice->track];
        size_t i = score_first_note_at(s->score, voice->track, voice->start);
        for (; i < t->n_notes && t->notes[i].start == voice->start; i++)
            if (t->notes[i].id == voice->id && t->notes[i].pitch == voice->pitch)
                voice->end = t->notes[i].start + t->notes[i].length;
    }
}

/* Looks at all notes before `tick`: they are sorted by start, and any of them may be
 * long. */
void schedule_find_voices(const struct schedule *s, struct voices *v, int64_t tick)
{
    v->n = 0;
    for (size_t i = 0; i < s->score->n_tracks; i++) {
        const struct track *t = &s->score->tracks[i];
        for (size_t j = 0; s->is_audible[i] && j < t->n_notes; j++) {
            const struct note *n = &t->notes[j];
            if (n->start >= tick)
                break;
            if (tick - n->start <= n->length && v->n < MAX_VOICES)
                v->voice[v->n++] = voice_of(s, (int)i, n);
        }
    }
}

bool schedule_strike_again(const struct schedule *s, struct voices *v, int64_t tick,
                           size_t at[2], struct message *out)
{
    const int64_t least = s->score->ticks_per_quarter / 8;
    for (; at[0] < s->score->n_tracks; at[0]++, at[1] = 0) {
        const struct track *t = &s->score->tracks[at[0]];
        const bool is_struck = s->is_audible[at[0]] && !track_is_drums(t);
        while (is_struck && at[1] < t->n_notes && t->notes[at[1]].start < tick) {
            const struct note *n = &t->notes[at[1]++];
            if (n->start + n->length - tick <= least || v->n == MAX_VOICES)
                continue;
            *out = begin_voice(s, v, (int)at[0], n, tick);
            return true;
        }
    }
    return false;
}

bool voices_end(struct voices *v, int64_t tick, struct message *out)
{
    while (v->n > 0)
        if (end_voice(v, v->n - 1, tick, out))
            return true;
    return false;
}
