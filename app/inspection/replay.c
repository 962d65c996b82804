/* See inspection_internal.h. A take decoder without a model repeats the steps that wrote the
 * take, token by token. */
#include "app/inspection/inspection_internal.h"

#include "app/decoding/take_decoder.h"

#include <stdlib.h>
#include <string.h>

struct run {
    struct replay *out;
    const struct inspected_take *take;
    struct take_decoder decoder;
    int reading;     /* that is going on */
    uint64_t wanted; /* id of the requested note */
    bool is_found;   /* it came */
    int n_whole;     /* of out->ids: up to the last whole note */
    int context;
};

void replay_fini(struct replay *r)
{
    free(r->ids);
    free(r->known);
    *r = (struct replay){0};
}

/* The id of the take's note that is where n is, in steps of the music; 0: it has none. */
static uint64_t id_in_take(const struct run *r, const struct grid_note *n)
{
    const struct context *music = &r->decoder.music;
    const int track = context_score_track(music, n->track, n->pitch),
              tpq = music->ticks_per_quarter;
    for (size_t i = 0; i < r->take->n_notes; i++) {
        const struct note *it = &r->take->notes[i].note;
        if (r->take->notes[i].track == track && it->pitch == n->pitch &&
            (it->start == tick_from_step(n->step, tpq) ||
             step_from_tick(it->start, tpq) == n->step)) /* of a motif */
            return it->id;
    }
    return 0;
}

/* Lists the music with the take's notes so far. Notes of a motif are the take's, too. */
static enum midi_status list_music(struct run *r)
{
    struct take_decoder *t = &r->decoder;
    const struct piece *music = &t->music.music;
    enum midi_status st =
        t->motif.is_varying ? motif_settle(&t->motif, &t->music) : MIDI_OK;
    r->out->known = calloc(music->n_notes + 1, sizeof *r->out->known);
    for (size_t i = 0; r->out->known && i < music->n_notes; i++) {
        const struct grid_note *n = &music->notes[i];
        const bool is_take = !n->id || motif_has(&t->motif, n);
        struct known_note *known = &r->out->known[r->out->n_known++];
        *known = (struct known_note){*n, is_take};
        known->note.id = is_take ? id_in_take(r, n) : n->id;
    }
    return st ? st : r->out->known ? MIDI_OK : MIDI_NO_MEMORY;
}

/* The decoder may have read the music again: then another sequence begins. false: that of the
 * wanted note is over. */
static bool follow_reading(struct run *r)
{
    const struct model_reading now = model_reader_reading(r->decoder.reader);
    if (now.number == r->reading)
        return true;
    if (r->is_found)
        return false;
    r->reading = now.number;
    memcpy(r->out->ids, now.tokens, (size_t)now.n * sizeof *now.tokens);
    r->out->n_ids = r->out->n_read = r->n_whole = now.n;
    r->out->n_before = r->decoder.n_tokens;
    r->out->origin = r->decoder.origin;
    return true;
}

/* Repeats the take token by token, up to the end of the sequence that has the wanted note. */
static enum midi_status repeat_take(struct run *r)
{
    struct replay *out = r->out;
    struct take_decoder *t = &r->decoder;
    struct continued_note unused;
    struct grid_note n;
    bool has_note;
    for (;;) {
        enum continuation_state state = take_decoder_prepare(t);
        if (state != CONTINUATION_BEGUN && state != CONTINUATION_DONE)
            return MIDI_BAD_TOKEN;
        const bool is_over = state == CONTINUATION_DONE || !follow_reading(r);
        if (!is_over && t->n_tokens == r->take->n_tokens)
            out->n_ids = r->n_whole; /* the take was stopped, or is being written */
        if (is_over || t->n_tokens == r->take->n_tokens)
            return r->is_found ? MIDI_OK : MIDI_EMPTY;
        if (out->n_ids >= r->context ||
            take_decoder_draw(t, NULL, &unused, &has_note) != CONTINUATION_BEGUN)
            return MIDI_BAD_TOKEN;
        out->ids[out->n_ids++] = t->last;
        const enum token kind = token_kind(t->last);
        const enum inspected_part part = reading_part(kind, true, false);
        if (!out->is_known[part] && !r->is_found) {
            memcpy(out->allowed[part], t->allowed, sizeof t->allowed);
            out->is_known[part] = true;
        }
        const bool is_note = grammar_note(t->grammar, &n),
                   is_between =
                       kind == TOKEN_BAR || kind == TOKEN_CHORD || kind == TOKEN_BASS;
        n.step += is_note ? (int32_t)t->origin : 0;
        r->is_found |= is_note && r->wanted && id_in_take(r, &n) == r->wanted;
        if (!r->is_found && (is_note || is_between)) /* another note comes */
            memset(out->is_known, 0, sizeof out->is_known);
        if (is_note)
            r->n_whole = out->n_ids;
    }
}

enum midi_status replay_take(struct replay *r, const struct score *s,
                             const struct inspected_take *take, uint64_t note,
                             const struct model *model)
{
    /* Guidance, marks and random draws choose tokens; they do not change the layout. The seed
     * chooses the place of a motif. */
    struct continuation_options o = *take->options;
    o.style = take->style;
    o.guidance = 1.0f;
    o.given = take->tokens;
    o.n_given = take->n_tokens;
    o.n_marks = o.n_muted = 0;
    const int context = model->config.context;
    struct run run = {.out = r, .take = take, .context = context, .wanted = note};
    struct context music = {0};
    *r = (struct replay){.ids = calloc((size_t)context + 1, sizeof *r->ids)};
    enum midi_status st = r->ids && !take_decoder_init(&run.decoder, model, NULL)
                              ? context_init(&music, s, &o)
                              : MIDI_NO_MEMORY;
    if (!st && take_decoder_begin(&run.decoder, &music, take->style, o.sampling.seed,
                                  &o) != CONTINUATION_BEGUN)
        st = MIDI_BAD_TOKEN;
    memcpy(r->track_map, run.decoder.music.track_map, sizeof r->track_map);
    if (!st)
        st = repeat_take(&run);
    if (!st)
        st = list_music(&run);
    context_fini(&music);
    take_decoder_fini(&run.decoder);
    if (st)
        replay_fini(r);
    return st;
}
