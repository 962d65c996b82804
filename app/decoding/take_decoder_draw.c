/* Draws a token from the model's logits, biased by request and taste, under the grammar; and gives the
 * note that it completes. See take_decoder.h. */
#include "app/decoding/take_decoder.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"

#include <math.h>
#include <string.h>

/* Returns the step from which positions (TOKEN_POSX) or lengths (TOKEN_DURX) count: not 0 behind a far
 * one. */
static int64_t find_base(const struct take_decoder *t, enum token far)
{
    return token_kind(t->last) == far ? (int64_t)TOKEN_RADIX * (t->last - far + 1) : 0;
}

/* p(token) = p(token | allowed) (1 - masked); the least difference of a float. */
static void count(struct tally *t, const struct sampled *s)
{
    t->n_tokens++;
    t->log_prob += (double)s->log_prob;
    t->own_log_prob += (double)s->log_prob + log(fmax(1.0 - (double)s->masked, 1e-7));
    t->masked += (double)s->masked;
}

/* Takes the given token or chooses one: of unconditional + guidance (conditional - unconditional),
 * and what the rules add. Bar lines and chords count for the take, and for no note. The reported
 * probability of a token is the model's own. */
static enum midi_status draw_token(struct take_decoder *t, const float *const *logits)
{
    const bool is_given = t->out->n_tokens < t->n_given;
    int32_t token = is_given ? t->given[t->out->n_tokens] : TOKEN_PAD;
    if (grammar_allow(t->grammar, t->allowed) == 0)
        return MIDI_BAD_TOKEN;
    if (is_given && (token < 0 || token >= TOKEN_COUNT || !t->allowed[token]))
        return MIDI_BAD_TOKEN;
    const size_t vocab = (size_t)t->model->config.vocab;
    const struct grid_chord *due = grammar_due(t->grammar);
    struct context *c = &t->music;
    const struct piece *p = &c->music;
    const int64_t step = grammar_step(t->grammar), bar = grammar_bar_start(t->grammar),
                  next = piece_bar_at(p, t->origin + bar) + 1;
    const int track = grammar_track(t->grammar);
    /* The model's chords change where those of the given bars do. */
    if (t->harmony.unit > 0 && (step - bar) % t->harmony.unit &&
        !(due && due->step == step))
        memset(t->allowed + TOKEN_CHORD, 0, TOKEN_BASS - TOKEN_CHORD);
    motif_mask(&t->music.motif, t->origin + step, track, t->allowed);
    if (!is_given) {
        const struct place at = {.p = p,
                                 .step = t->origin + step,
                                 .bar = t->origin + bar,
                                 .next_bar = piece_bar_start(p, next),
                                 .end = t->part_to,
                                 .base = find_base(t, TOKEN_POSX),
                                 .held = find_base(t, TOKEN_DURX),
                                 .track = track,
                                 .pitch = t->pitch,
                                 .last = t->last,
                                 .after_bar = t->after_bar,
                                 .allowed = t->allowed,
                                 .logits = t->biased};
        memcpy(t->biased, logits[0], vocab * sizeof *t->biased);
        for (size_t i = 0; t->guidance != 1.0f && i < vocab; i++)
            t->biased[i] = logits[1][i] + t->guidance * (logits[0][i] - logits[1][i]);
        for (size_t i = 0; t->bold > 1 && i < vocab; i++)
            t->biased[i] /= t->bold;
        rules_apply(&t->rules, &at, t->music.motif.is_varying);
        token = sampler_choose(t->sampler, t->biased, t->allowed);
    }
    struct grid_chord chord;
    enum midi_status st = grammar_feed(t->grammar, token);
    if (!st && grammar_chord(t->grammar, &chord)) { /* it joins the music */
        chord.step += (int32_t)t->origin;
        c->chords_to_come = (int64_t)chord.step + 1;
        st = context_set_chord(c, &chord);
        t->rules.chords.chords = p->chords;
        t->rules.chords.n = p->n_chords;
    }
    if (!st && !array_push(&t->out->tokens, &t->out->n_tokens, &token, sizeof token))
        st = MIDI_NO_MEMORY;
    if (st)
        return st;
    const enum token kind = token_kind(token);
    t->last = token;
    if (kind == TOKEN_PITCH)
        t->pitch = token - TOKEN_PITCH;
    for (int i = 0; i < t->n_readers; i++)
        model_reader_push(t->readers[i], token);
    t->after_bar = token == TOKEN_BAR;
    c->music.n_bars += t->after_bar && !c->is_hole;
    if (!logits)
        return MIDI_OK;
    const struct sampled s = sampler_judge(logits[0], t->allowed, (int)vocab, token);
    if (!t->music.motif.is_varying) /* which is requested and forced */
        count(&t->take, &s);
    if (kind == TOKEN_CHORD || kind == TOKEN_BASS) /* whose the position is */
        t->note = (struct tally){0};
    else if (!t->after_bar && token != TOKEN_FILL_END)
        count(&t->note, &s);
    return MIDI_OK;
}

static void say_probability(const struct tally *t, struct continued_note *out)
{
    out->n_tokens = t->n_tokens;
    out->log_prob = (float)t->log_prob;
    out->masked = t->n_tokens ? (float)(t->masked / t->n_tokens) : 0;
}

enum midi_status take_decoder_add(struct take_decoder *t,
                                  const struct continued_note *n)
{
    struct take *to = t->out;
    const struct continued_note *m;
    do {
        m = motif_tell(&t->music.motif, n);
        const struct continued_note *next = m ? m : n;
        for (size_t i = 0; next && next->is_hit && i < to->n_notes; i++)
            if (to->notes[i].track == next->track)
                continued_cut(&to->notes[i].note, next);
        if (next &&
            !array_add(&to->notes, &to->n_notes, &to->cap_notes, next, sizeof *next))
            return MIDI_NO_MEMORY;
    } while (m);
    return MIDI_OK;
}

enum continuation_state take_decoder_draw(struct take_decoder *t,
                                          const float *const *logits)
{
    struct grid_note n;
    const struct grid_note *m;
    enum midi_status st = draw_token(t, logits);
    if (st == MIDI_BAD_TOKEN && t->out->n_tokens < t->n_given)
        return take_decoder_end(t, CONTINUATION_ERROR,
                                "the chosen pitch is not possible there");
    if (st)
        return take_decoder_end_midi(t, st);
    if (!grammar_note(t->grammar, &n))
        return t->state;
    /* The note that the token completed joins the music. */
    const struct tally tally = t->note;
    t->note = (struct tally){0};
    n.step += (int32_t)t->origin;
    if (t->rules.taste)
        taste_hear(t->rules.taste, &n);
    hole_plan_pass(t->music.motif.is_varying ? &t->music.motif.plan : &t->plan, &n);
    if (t->music.motif.is_varying) { /* it is handed out when its time comes */
        struct continued_note *varied = motif_set(&t->music.motif, &n);
        if (varied)
            say_probability(&tally, varied);
        return t->state;
    }
    while ((m = motif_hear(&t->music.motif, n.step))) /* notes of the motif count too */
        rules_hear(&t->rules, m);
    rules_hear(&t->rules, &n);
    control_bias_add(&t->rules.controls, &t->music.music, &n);
    /* In the score's ticks. A hit ends after a sixteenth, at the hole's end, or at the next hit of that key
     * there. A hit of an answer, which cannot wait for the next hits, ends after a step. A later hit
     * shortens it (continued_cut). */
    const struct context *c = &t->music;
    const int tpq = c->ticks_per_quarter;
    const bool is_hit = piece_is_hit(&c->music, &n);
    int64_t end = (int64_t)n.step + n.length;
    if (is_hit)
        end = smaller(n.step + (c->begins_there ? HIT_STEPS : STEPS_PER_QUARTER / 4),
                      c->hole.to);
    for (size_t i = 0; is_hit && i < c->n_standing; i++) {
        const struct standing *other = &c->standing[i];
        if (other->track == n.track && other->pitch == n.pitch &&
            other->from > n.step && other->from < end)
            end = other->from;
    }
    const int64_t start = tick_from_step(n.step, tpq),
                  stop = is_hit ? tick_from_step(end, tpq)
                                : gate_write_end(c->gates[n.track], start, end, tpq);
    struct continued_note note = {
        .track = context_score_track(c, n.track, n.pitch),
        .is_hit = is_hit,
        .note = {.start = start,
                 .length = stop - start,
                 .pitch = n.pitch,
                 .velocity = (uint8_t)velocity_from_level(n.velocity),
                 .off_velocity = 64,
                 .on_order = ORDER_LAST,
                 .off_order = ORDER_FIRST},
    };
    say_probability(&tally, &note);
    st = context_add_note(&t->music, &n);
    /* Ticks may be so coarse that the note vanishes, or that a hit may share its tick with the next. */
    if (!st && note.track >= 0 &&
        tick_from_step((int64_t)n.step + n.length, tpq) > start)
        st = take_decoder_add(t, &note);
    return st ? take_decoder_end_midi(t, st) : t->state;
}
