/* Reads the events of one MTrk chunk, and makes its tracks: one for each channel with
 * notes, and one for a chunk that only chooses a program.
 *
 * Every kept event gets a number, its order. Notes go to the voice of their channel. A
 * note-off that ends no note is kept as an event. Invalid bytes are skipped as long as
 * the next event can be found. */
#include "midi/smf/smf_track.h"

#include "midi/base/array.h"
#include "midi/score/chunk.h"
#include "midi/base/bytes.h"
#include "midi/base/text_encoding.h"
#include "midi/score/notes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 16, PITCHES = 128, NO_PROGRAM = 0xFF };

struct name {
    bool is_known;
    char text[sizeof((struct track *)0)->name]; /* cut to fit; zeros follow */
};

/* The names of a chunk's tracks. A name after a channel prefix belongs to that channel
 * (SMF 1.0, FF 20). The first name for the chunk and for each channel counts. */
struct names {
    struct name chunk, channel[CHANNELS];
    int prefix; /* channel of the names that follow; -1: none */
};

/* The notes of one channel. A note-on waits in the queue of its pitch, and a note-off
 * ends the first note in it. Notes that still wait when the chunk ends are hanging.
 * Until then a note's id is the number, from 1, of the next note in its queue, or 0 for
 * the last. */
struct voice {
    struct note *notes;
    size_t n, cap;
    size_t first[PITCHES], last[PITCHES]; /* queue ends, from 1; 0: none */
};

struct track_reader {
    struct score *score;
    size_t *losses;
    uint8_t programs[CHANNELS]; /* first one chosen in any chunk */
    size_t cap_tracks;

    /* The chunk being read. */
    struct chunk *chunk;
    const uint8_t *at, *end;
    int64_t tick, last_tick; /* the present tick, and that of the last kept event */
    uint32_t order;
    uint8_t running_status; /* 0: none yet */
    bool reads_on;          /* events follow an end mark */
    uint8_t *data, *data_end;
    size_t block_size;
    struct names names;
    uint8_t programs_here[CHANNELS]; /* first one chosen in this chunk */
    struct voice voices[CHANNELS];
};

/* -- the notes of a channel -- */

static bool voice_begin(struct voice *v, int64_t tick, uint32_t order, uint8_t pitch,
                        uint8_t velocity)
{
    if (!ARRAY_GROW(v->notes, v->n, v->cap))
        return false;
    v->notes[v->n++] = (struct note){
        .start = tick,
        .pitch = pitch,
        .velocity = velocity,
        .flags = NOTE_HANGING,
        .on_order = order,
    };
    if (v->first[pitch])
        v->notes[v->last[pitch] - 1].id = v->n;
    else
        v->first[pitch] = v->n;
    v->last[pitch] = v->n;
    return true;
}

/* Ends the note of this pitch that has sounded longest; there must be one. The caller
 * sets off_velocity and flags. */
static struct note *voice_end(struct voice *v, int64_t tick, uint32_t order,
                              uint8_t pitch)
{
    assert(v->first[pitch]);
    struct note *n = &v->notes[v->first[pitch] - 1];
    v->first[pitch] = (size_t)n->id;
    n->length = tick - n->start;
    n->off_order = order;
    n->flags = 0;
    return n;
}

/* Ends hanging notes, gives out ids, sorts the notes and moves them to `t`. The voice
 * is then empty. *n_hanging grows by the number of hanging notes. false: out of
 * memory. */
static bool voice_hand_over(struct voice *v, struct track *t, int64_t end_tick,
                            uint64_t *next_id, size_t *n_hanging)
{
    for (size_t i = 0; i < v->n; i++) {
        struct note *n = &v->notes[i];
        v->first[n->pitch] = 0;
        n->id = (*next_id)++;
        if (n->flags & NOTE_HANGING) {
            n->length = end_tick - n->start;
            ++*n_hanging;
        }
    }
    qsort(v->notes, v->n, sizeof *v->notes, note_compare);
    struct note *fitted = array_resize(v->notes, v->n, sizeof *fitted);
    if (fitted)
        v->notes = fitted;
    if (!notes_adopt(t, v->notes, v->n, v->n))
        return false;
    v->notes = NULL;
    v->n = v->cap = 0;
    return true;
}

/* -- the names of tracks -- */

static void store_name(struct name *to, const uint8_t *name, size_t n)
{
    const size_t most = sizeof to->text - 1;
    if (!to->is_known)
        memcpy(to->text, name, n < most ? n : most);
    to->is_known = true;
}

/* -- the tracks -- */

/* Adds a track for a channel of the chunk. is_only: the chunk has no other channel, so
 * its name is the track's. NULL: out of memory. */
static struct track *add_track(struct track_reader *r, int channel, bool is_only)
{
    struct score *s = r->score;
    const struct name *name = &r->names.channel[channel];
    if (!name->is_known && is_only)
        name = &r->names.chunk;
    if (!ARRAY_GROW(s->tracks, s->n_tracks, r->cap_tracks))
        return NULL;
    struct track *t = &s->tracks[s->n_tracks++];
    *t = (struct track){
        .chunk = (int)s->n_chunks - 1,
        .channel = (uint8_t)channel,
        .program = r->programs_here[channel],
    };
    memcpy(t->name, name->text, sizeof t->name); /* zeros if there is no name */
    return t;
}

static enum midi_status make_tracks(struct track_reader *r)
{
    int n = 0;
    for (int i = 0; i < CHANNELS; i++)
        n += r->voices[i].n > 0;
    for (int i = 0; i < CHANNELS; i++) {
        struct voice *v = &r->voices[i];
        if (v->n == 0)
            continue;
        struct track *t = add_track(r, i, n == 1);
        if (!t || !voice_hand_over(v, t, r->chunk->end_tick, &r->score->next_id,
                                   &r->losses[LOSS_HANGING]))
            return MIDI_NO_MEMORY;
    }
    if (n > 0 || r->score->n_chunks == 1)
        return MIDI_OK;
    for (int i = 0; i < CHANNELS; i++)
        if (r->programs_here[i] != NO_PROGRAM)
            return add_track(r, i, true) ? MIDI_OK : MIDI_NO_MEMORY;
    return MIDI_OK;
}

/* -- events -- */

enum step {
    STEP_ON,    /* read or skipped one event */
    STEP_ENDED, /* End of Track */
    STEP_CUT,   /* no whole event is left */
    STEP_NO_MEMORY,
};

struct track_reader *track_reader_create(struct score *s, size_t losses[N_LOSSES])
{
    struct track_reader *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->score = s;
    r->losses = losses;
    memset(r->programs, NO_PROGRAM, sizeof r->programs);
    return r;
}

void track_reader_destroy(struct track_reader *r)
{
    if (!r)
        return;
    for (int i = 0; i < CHANNELS; i++)
        free(r->voices[i].notes);
    free(r);
}

static size_t n_left(const struct track_reader *r)
{
    return (size_t)(r->end - r->at);
}

/* Returns the order of an event that is kept; called once for each. */
static uint32_t next_order(struct track_reader *r)
{
    r->last_tick = r->tick;
    return ++r->order;
}

/* Blocks of bytes grow with their contents, so many tiny chunks stay small. */
static uint8_t *alloc_data(struct track_reader *r, size_t n)
{
    if (n > (size_t)(r->data_end - r->data)) {
        r->block_size = r->block_size < 1 << 16 ? 2 * r->block_size + 32 : 1 << 16;
        size_t size = n > r->block_size ? n : r->block_size;
        uint8_t *block = chunk_alloc_data(r->chunk, size);
        if (!block)
            return NULL;
        r->data = block;
        r->data_end = block + size;
    }
    uint8_t *data = r->data;
    r->data += n;
    return data;
}

/* Appends an event of n bytes, which the caller fills in. NULL: out of memory. */
static uint8_t *append_event(struct track_reader *r, size_t n)
{
    struct chunk *c = r->chunk;
    if (!ARRAY_GROW(c->events, c->n_events, c->cap_events))
        return NULL;
    uint8_t *data = alloc_data(r, n);
    if (!data)
        return NULL;
    c->events[c->n_events++] = (struct event){
        .tick = r->tick,
        .order = next_order(r),
        .n_data = (uint32_t)n,
        .data = data,
    };
    return data;
}

static enum step copy_event(struct track_reader *r, const uint8_t *bytes, size_t n)
{
    uint8_t *data = append_event(r, n);
    if (!data)
        return STEP_NO_MEMORY;
    memcpy(data, bytes, n);
    return STEP_ON;
}

/* `message` is a complete note-on or note-off. */
static enum step read_note(struct track_reader *r, const uint8_t message[3])
{
    struct voice *v = &r->voices[message[0] & 0x0F];
    uint8_t pitch = message[1], velocity = message[2];
    bool is_on = message[0] >= 0x90;
    if (pitch >= PITCHES || velocity >= 128) {
        r->losses[LOSS_BAD_NOTE]++;
        return copy_event(r, message, 3);
    }
    if (is_on && velocity > 0)
        return voice_begin(v, r->tick, next_order(r), pitch, velocity) ? STEP_ON
                                                                       : STEP_NO_MEMORY;
    if (!v->first[pitch])
        return copy_event(r, message, 3);
    struct note *n = voice_end(v, r->tick, next_order(r), pitch);
    n->off_velocity = velocity;
    n->flags = is_on ? NOTE_END_BY_ON : 0;
    return STEP_ON;
}

/* Reads a message whose first data byte is at r->at. */
static enum step read_channel_message(struct track_reader *r, uint8_t status)
{
    uint8_t kind = status & 0xF0, channel = status & 0x0F;
    size_t n = kind == 0xC0 || kind == 0xD0 ? 1 : 2;
    if (n_left(r) < n)
        return STEP_CUT;
    uint8_t message[3] = {status, r->at[0], n == 2 ? r->at[1] : 0};
    r->at += n;
    r->names.prefix = -1;
    if (kind == 0x80 || kind == 0x90)
        return read_note(r, message);
    bool is_program = kind == 0xC0 && message[1] < 128;
    if (is_program && r->programs_here[channel] == NO_PROGRAM)
        r->programs_here[channel] = message[1];
    if (is_program && r->programs[channel] == NO_PROGRAM)
        r->programs[channel] = message[1];
    return copy_event(r, message, n + 1);
}

/* Reads a system exclusive message or a meta event: the head, a length, and that many
 * bytes. The length is written anew in the fewest bytes. */
static enum step read_long_event(struct track_reader *r, const uint8_t *head,
                                 size_t n_head)
{
    const uint8_t *at = r->at;
    uint32_t n;
    if (!vlq_read(&at, r->end, &n) || n > (size_t)(r->end - at))
        return STEP_CUT;
    uint8_t length[VLQ_MAX_BYTES];
    size_t n_length = vlq_write(length, n);

    uint8_t *data = append_event(r, n_head + n_length + n);
    if (!data)
        return STEP_NO_MEMORY;
    memcpy(data, head, n_head);
    memcpy(data + n_head, length, n_length);
    memcpy(data + n_head + n_length, at, n);
    if (n_head == 2 && head[1] == META_TRACK_NAME)
        store_name(&r->names.chunk, at, n);
    if (n_head == 2 && head[1] == META_TRACK_NAME && r->names.prefix >= 0)
        store_name(&r->names.channel[r->names.prefix], at, n);
    if (n_head == 2 && head[1] == META_CHANNEL_PREFIX)
        r->names.prefix = n == 1 && *at < CHANNELS ? *at : -1;
    r->at = at + n;
    return STEP_ON;
}

/* Whether these bytes are events and nothing else. */
static bool are_events(const uint8_t *at, const uint8_t *end)
{
    uint32_t n;
    for (uint8_t status = 0; at < end; at += n) {
        if (!vlq_read(&at, end, &n) || at == end)
            return false;
        const uint8_t first = *at >= 0x80 ? *at++ : status;
        if (first < 0x80)
            return false;
        if (first < 0xF0) {
            status = first;
            n = (first & 0xE0) == 0xC0 ? 1 : 2;
        } else if (first == 0xF0 || first == 0xF7 || first == 0xFF) {
            at += first == 0xFF && at < end; /* the type of a meta event */
            if (!vlq_read(&at, end, &n))
                return false;
        } else {
            return false;
        }
        if ((size_t)(end - at) < n)
            return false;
    }
    return true;
}

static enum step read_meta(struct track_reader *r)
{
    if (n_left(r) < 1)
        return STEP_CUT;
    uint8_t head[2] = {0xFF, *r->at++};
    if (head[1] != META_END_OF_TRACK)
        return read_long_event(r, head, sizeof head);
    uint32_t n;
    if (vlq_read(&r->at, r->end, &n))
        r->at += n < n_left(r) ? n : n_left(r);
    /* Some programs write an end mark and go on. Looks ahead once a track, so that
     * reading takes linear time. */
    if (!n_left(r) || (!r->reads_on && !are_events(r->at, r->end)))
        return STEP_ENDED;
    r->losses[LOSS_EARLY_END] += !r->reads_on;
    r->reads_on = true;
    return STEP_ON;
}

/* Skips at most n data bytes. */
static void skip_data(struct track_reader *r, size_t n)
{
    while (n-- > 0 && n_left(r) && *r->at < 0x80) {
        r->at++;
        r->losses[LOSS_NONSENSE]++;
    }
}

/* If something was skipped, two deltas add up. The sum is limited to the largest
 * delta. */
static bool read_delta(struct track_reader *r)
{
    uint32_t delta;
    if (!vlq_read(&r->at, r->end, &delta))
        return false;
    r->tick += delta;
    if (r->tick - r->last_tick > VLQ_MAX)
        r->tick = r->last_tick + VLQ_MAX;
    return true;
}

static enum step read_event(struct track_reader *r)
{
    if (!read_delta(r))
        return STEP_CUT;
    if (!r->running_status)
        skip_data(r, SIZE_MAX);
    if (!n_left(r))
        return STEP_CUT;
    if (*r->at < 0x80)
        return read_channel_message(r, r->running_status);

    uint8_t status = *r->at++;
    if (status < 0xF0) {
        r->running_status = status;
        return read_channel_message(r, status);
    }
    if (status == 0xFF)
        return read_meta(r);
    if (status == 0xF0 || status == 0xF7)
        return read_long_event(r, &status, 1);
    /* Status F1 to FE is not allowed in files. */
    r->losses[LOSS_NONSENSE]++;
    skip_data(r, status == 0xF2 ? 2 : status == 0xF1 || status == 0xF3 ? 1 : 0);
    return STEP_ON;
}

enum midi_status track_reader_read(struct track_reader *r, const uint8_t *bytes,
                                   size_t n_bytes, size_t *n_used)
{
    r->chunk = &r->score->chunks[r->score->n_chunks - 1];
    r->at = bytes;
    r->end = bytes + n_bytes;
    r->tick = r->last_tick = 0;
    r->order = 0;
    r->running_status = 0;
    r->reads_on = false;
    r->data = r->data_end = NULL;
    r->block_size = 0;
    r->names = (struct names){.prefix = -1};
    memset(r->programs_here, NO_PROGRAM, sizeof r->programs_here);
    enum step step = STEP_ON;
    while (step == STEP_ON && n_left(r))
        step = read_event(r);
    if (step == STEP_NO_MEMORY)
        return MIDI_NO_MEMORY;
    if (step == STEP_CUT)
        r->losses[LOSS_CUT_EVENT]++;
    if (step == STEP_ON)
        r->losses[LOSS_NO_END]++;
    r->chunk->end_tick = step == STEP_ENDED ? r->tick : r->last_tick;
    *n_used = step == STEP_ENDED ? (size_t)(r->at - bytes) : n_bytes;
    struct chunk *c = r->chunk;
    struct event *fitted =
        c->n_events ? array_resize(c->events, c->n_events, sizeof *fitted) : NULL;
    if (fitted) {
        c->events = fitted;
        c->cap_events = c->n_events;
    }
    return make_tracks(r);
}

/* -- after all chunks -- */

/* Joins the texts of a chunk that are not UTF-8, so that their encoding can be guessed.
 * Returns their length. */
static size_t join_texts(const struct chunk *c, uint8_t *out, size_t room)
{
    size_t used = 0;
    for (size_t i = 0; i < c->n_events; i++) {
        size_t n = 0;
        const uint8_t *text = NULL;
        for (uint8_t type = META_TEXT; !text && type <= META_CUE; type++)
            text = event_meta(&c->events[i], type, &n);
        const bool has_mark = text && n >= 2 && (text[0] & text[1]) >= 0xFE;
        if (!text || has_mark || n + 1 > room - used || text_is_utf8(text, n))
            continue;
        memcpy(out + used, text, n);
        used += n;
        out[used++] = ' ';
    }
    return used;
}

/* Converts the track's name to UTF-8. Its event stays as it is in the file. */
static void decode_name(struct track *t, const struct chunk *c)
{
    enum { MOST = 4096 };
    uint8_t texts[MOST];
    char from[32];
    const uint8_t *name = (const uint8_t *)t->name;
    size_t n = strlen(t->name);
    for (size_t i = 0; n && i < c->n_events; i++) { /* with its zero bytes, uncut */
        size_t n_whole;
        const uint8_t *whole = event_meta(&c->events[i], META_TRACK_NAME, &n_whole);
        if (whole && n_whole >= n && !memcmp(whole, name, n)) {
            name = whole;
            n = n_whole;
            break;
        }
    }
    if (text_is_utf8(name, n))
        return;
    char decoded[sizeof t->name] = "";
    text_to_utf8(decoded, sizeof decoded, name, n,
                 text_encoding_guess(texts, join_texts(c, texts, MOST), from));
    memcpy(t->name, decoded, sizeof decoded);
}

void track_reader_finish(struct track_reader *r)
{
    for (size_t i = 0; i < r->score->n_tracks; i++) {
        struct track *t = &r->score->tracks[i];
        decode_name(t, &r->score->chunks[t->chunk]);
        if (t->program == NO_PROGRAM)
            t->program = r->programs[t->channel];
        if (t->program != NO_PROGRAM)
            continue;
        t->program = 0;
        t->lacks_program = !score_names_voice(r->score, t->name);
    }
}
