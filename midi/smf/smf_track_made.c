/* Makes tracks of a chunk: one for each channel with notes, and one for a chunk that
 * only chooses a program. Note-ons and note-offs are paired first in, first out. */
#include "midi/smf/smf_track.h"
#include "midi/base/array.h"
#include "midi/base/text_encoding.h"
#include "midi/score/chunk.h"
#include "midi/score/notes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* -- the notes of a channel -- */

bool voice_begin(struct voice *v, int64_t tick, uint32_t order, uint8_t pitch,
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

struct note *voice_end(struct voice *v, int64_t tick, uint32_t order, uint8_t pitch)
{
    assert(v->first[pitch]);
    struct note *n = &v->notes[v->first[pitch] - 1];
    v->first[pitch] = (size_t)n->id;
    n->length = tick - n->start;
    n->off_order = order;
    n->flags = 0;
    return n;
}

/* Ends hanging notes, gives out ids, and sorts. Returns the number of hanging notes. */
static size_t voice_finish(struct voice *v, int64_t end_tick, uint64_t *next_id)
{
    size_t n_hanging = 0;
    for (size_t i = 0; i < v->n; i++) {
        struct note *n = &v->notes[i];
        v->first[n->pitch] = 0;
        n->id = (*next_id)++;
        if (n->flags & NOTE_HANGING) {
            n->length = end_tick - n->start;
            n_hanging++;
        }
    }
    qsort(v->notes, v->n, sizeof *v->notes, note_compare);
    return n_hanging;
}

/* Moves the notes to `t`, and leaves the voice empty. false: out of memory. */
static bool voice_hand_over(struct voice *v, struct track *t)
{
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

static void take(struct smf_name *to, const uint8_t *name, size_t n)
{
    const size_t most = sizeof to->text - 1;
    if (!to->is_known)
        memcpy(to->text, name, n < most ? n : most);
    to->is_known = true;
}

void smf_names_take(struct smf_names *names, const uint8_t *name, size_t n)
{
    take(&names->chunk, name, n);
    if (names->prefix >= 0)
        take(&names->channel[names->prefix], name, n);
}

/* -- the tracks -- */

/* Adds a track for a channel of the chunk. is_only: the chunk has no other channel, so
 * its name is the track's. NULL: out of memory. */
static struct track *add_track(struct track_reader *r, int channel, bool is_only)
{
    struct score *s = r->score;
    const struct smf_name *name = &r->names.channel[channel];
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

enum midi_status track_reader_make_tracks(struct track_reader *r)
{
    int n = 0;
    for (int i = 0; i < SMF_CHANNELS; i++)
        n += r->voices[i].n > 0;
    for (int i = 0; i < SMF_CHANNELS; i++) {
        struct voice *v = &r->voices[i];
        if (v->n == 0)
            continue;
        r->losses[LOSS_HANGING] +=
            voice_finish(v, r->chunk->end_tick, &r->score->next_id);
        struct track *t = add_track(r, i, n == 1);
        if (!t || !voice_hand_over(v, t))
            return MIDI_NO_MEMORY;
    }
    if (n > 0 || r->score->n_chunks == 1)
        return MIDI_OK;
    for (int i = 0; i < SMF_CHANNELS; i++)
        if (r->programs_here[i] != SMF_NO_PROGRAM)
            return add_track(r, i, true) ? MIDI_OK : MIDI_NO_MEMORY;
    return MIDI_OK;
}

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
        if (t->program == SMF_NO_PROGRAM)
            t->program = r->programs[t->channel];
        if (t->program != SMF_NO_PROGRAM)
            continue;
        t->program = 0;
        t->lacks_program = !score_names_voice(r->score, t->name);
    }
}
