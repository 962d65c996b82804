/* See track_events.h. */
#include "midi/edit/track_events.h"

#include "midi/edit/apply.h"
#include "midi/score/chunk.h"
#include "midi/score/note.h"
#include "midi/edit/track_edit.h"

enum {
    CC_BANK = 0,
    CC_BANK_LOW = 32,
    META_TEXT_LAST = 0x09,
    META_PORT = 0x21,
    META_COPYRIGHT = 0x02,
    META_SEQUENCER = 0x7F
};

static int meta_type(const struct event *e)
{
    return e->n_data >= 2 && e->data[0] == 0xFF ? e->data[1] : -1;
}

/* Of -1 to 127: a text that is about a track, its name among them. */
static bool is_text_of_track(int type)
{
    return type >= 1 && type <= META_TEXT_LAST && type != META_COPYRIGHT &&
           type != META_MARKER && type != META_CUE;
}

int event_owner(const struct event *e, int *prefix)
{
    size_t n;
    if (e->n_data && e->data[0] < 0xF0) {
        *prefix = NO_CHANNEL;
        return e->data[0] & 0x0F;
    }
    const uint8_t *channel = event_meta(e, META_CHANNEL_PREFIX, &n);
    if (channel) {
        *prefix = n == 1 && *channel < 16 ? *channel : NO_CHANNEL;
        return *prefix;
    }
    return is_text_of_track(meta_type(e)) ? *prefix : NO_CHANNEL;
}

int track_n_in_chunk(const struct score *s, int track)
{
    int n = 0;
    for (size_t i = 0; i < s->n_tracks; i++)
        n += s->tracks[i].chunk == s->tracks[track].chunk;
    return n;
}

const struct event *track_name_event(const struct score *s, int track)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *c = &s->chunks[t->chunk];
    const struct event *first = NULL;
    int prefix = NO_CHANNEL;
    for (size_t i = 0; i < c->n_events; i++) {
        int owner = event_owner(&c->events[i], &prefix);
        if (meta_type(&c->events[i]) != META_TRACK_NAME)
            continue;
        if (owner == t->channel)
            return &c->events[i];
        first = first ? first : &c->events[i];
    }
    return track_n_in_chunk(s, track) == 1 ? first : NULL;
}

const struct event *track_program_event(const struct score *s, int track)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *c = &s->chunks[t->chunk];
    int64_t last = t->n_notes ? t->notes[0].start : TICK_MAX;
    for (size_t i = 0; i < c->n_events && c->events[i].tick <= last; i++) {
        const struct event *e = &c->events[i];
        if (e->n_data == 2 && e->data[0] == (0xC0 | t->channel) && e->data[1] < 128)
            return e;
    }
    return NULL;
}

uint32_t track_program_order(const struct score *s, int track)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *c = &s->chunks[t->chunk];
    uint32_t order = ORDER_FIRST;
    for (size_t i = 0; i < c->n_events && c->events[i].tick == 0; i++) {
        const struct event *e = &c->events[i];
        if (e->n_data == 3 && e->data[0] == (0xB0 | t->channel) &&
            (e->data[1] == CC_BANK || e->data[1] == CC_BANK_LOW))
            order = e->order;
    }
    return order;
}

bool chunk_has_loose_notes(const struct chunk *c, int channel)
{
    for (size_t i = 0; i < c->n_events; i++) {
        const struct event *e = &c->events[i];
        if (e->n_data && e->data[0] < 0xA0 && (e->data[0] & 0x0F) == channel)
            return true;
    }
    return false;
}

static bool concerns_only(const struct event *e, int channel, int *prefix)
{
    int owner = event_owner(e, prefix), type = meta_type(e);
    return owner == channel ||
           (owner == NO_CHANNEL &&
            (is_text_of_track(type) || type == META_PORT || type == META_SEQUENCER));
}

bool track_has_own_chunk(const struct score *s, int track)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *c = &s->chunks[t->chunk];
    if (t->chunk == score_first_chunk(s) || track_n_in_chunk(s, track) > 1)
        return false;
    int prefix = NO_CHANNEL;
    for (size_t i = 0; i < c->n_events; i++)
        if (!concerns_only(&c->events[i], t->channel, &prefix))
            return false;
    return true;
}
