/* What a take has to be, token by token: each was one that might come where it did, and they
 * read back as they were written. Beside tests/app/inspection/take_oracle.h, which tells of its notes. */
#ifndef TESTS_APP_TAKE_TOKENS_ORACLE_H
#define TESTS_APP_TAKE_TOKENS_ORACLE_H

#include "app/inspection/inspection_internal.h"
#include "app/decoding/take_decoder.h"
#include "tests/app/inspection/take_oracle.h"

/* Guidance, likings and dice choose among tokens; how they are laid out they leave. */
static inline struct continuation_options layout_of(const struct asking_for *a,
                                                    const struct take *t)
{
    struct continuation_options o = a->o;
    o.style = t->style;
    o.guidance = 1.0f;
    o.marks = NULL;
    o.n_marks = 0;
    return o;
}

/* All along the way of the one that wrote it. */
static inline void oracle_allowed(const struct asking_for *a, const struct take *t,
                                  const struct replay *r, const struct model_config *c)
{
    const struct continuation_options o = layout_of(a, t);
    uint8_t allowed[TOKEN_COUNT];
    struct take_decoder way = {0};
    struct context music;
    struct continued_note note;
    bool has_note;
    HOLDS(!take_decoder_init_dry(&way, c->context, c->vocab));
    HOLDS(context_init(&music, a->given, &o) == MIDI_OK);
    HOLDS(take_decoder_begin(&way, &music, t->style, 0, &o) == CONTINUATION_BEGUN);
    for (size_t i = 0; i < r->n_all_drawn; i++) {
        HOLDS(take_decoder_prepare(&way) == CONTINUATION_BEGUN);
        HOLDS(grammar_allow(way.grammar, allowed) > 0);
        HOLDS(allowed[r->drawn[i]]);
        HOLDS(take_decoder_force(&way, r->drawn[i], &note, &has_note) ==
              CONTINUATION_BEGUN);
    }
    HOLDS(take_decoder_prepare(&way) == CONTINUATION_DONE);
    take_decoder_fini(&way);
}

static inline void oracle_same_ids(const struct tokens *t, const struct replay *r)
{
    HOLDS(t->n == (size_t)r->n_ids);
    HOLDS(!memcmp(t->id, r->ids, t->n * sizeof *t->id));
}

/* The last notes of the take are those read back. */
static inline void oracle_inside_again(const struct asking_for *a, const struct take *t,
                                       const struct replay *r,
                                       const struct piece *inside)
{
    const int tpq = a->before->ticks_per_quarter;
    int home[N_PITCHES];
    uint64_t kit; /* split over tracks: a token track whose hits go to several */
    score_split_kit(a->given, home, &kit);
    HOLDS(inside->n_notes >= 1 && inside->n_notes <= t->n_notes);
    const struct continued_note *n = &t->notes[t->n_notes - inside->n_notes];
    for (size_t i = 0; i < inside->n_notes; i++, n++) {
        const struct grid_note *g = &inside->notes[i];
        const int64_t from = r->origin + g->step, to = from + g->length;
        const int track = r->track_map[g->track];
        HOLDS(g->pitch == n->note.pitch);
        HOLDS(track == n->track || (kit >> track & kit >> n->track & 1));
        HOLDS(tick_from_step(from, tpq) == n->note.start);
        /* behind a gate of its track, of a fifth or two steps at most */
        const int64_t lost = tick_from_step(to, tpq) - n->note.start - n->note.length;
        HOLDS(n->is_hit || (lost >= 0 && lost <= n->note.length / 4 + tpq / 12));
    }
}

static inline bool oracle_read_back(const struct asking_for *a, const struct take *t,
                                    const struct replay *r)
{
    struct tokens again;
    if (asks_for_hole(a) || continuation_has_controls(&a->o)) {
        struct fill f;
        if (r->ids[r->n_ids - 1] != TOKEN_FILL_END) /* it was read anew after that */
            return false;
        HOLDS(fill_decode(&f, r->ids, (size_t)r->n_ids) == MIDI_OK);
        oracle_inside_again(a, t, r, &f.inside);
        HOLDS(fill_encode(&again, &f, true) == MIDI_OK);
        fill_fini(&f);
    } else {
        struct piece p;
        HOLDS(tokens_decode(&p, r->ids, (size_t)r->n_ids) == MIDI_OK);
        HOLDS(tokens_encode(&again, &p, false) == MIDI_OK);
        piece_fini(&p);
    }
    oracle_same_ids(&again, r);
    tokens_fini(&again);
    return true;
}

/* The take's notes have ids after this. */
static inline void oracle_tokens(const struct asking_for *a, struct take *t,
                                 const struct model_config *c,
                                 struct oracle_counts *counts)
{
    struct replay r;
    if (t->n_notes == 0 || !has_exact_ticks(a))
        return;
    for (size_t i = 0; i < t->n_notes; i++)
        t->notes[i].note.id = i + 1;
    struct continuation_options options = a->o;
    options.chords = t->stats.chords;
    options.n_chords = (size_t)t->stats.n_chords;
    const struct inspected_take taken = {.options = &options,
                                         .style = t->style,
                                         .notes = t->notes,
                                         .n_notes = t->n_notes};
    HOLDS(replay_take(&r, a->given, &taken, t->n_notes, c->context, c->vocab) ==
          MIDI_OK);
    HOLDS(r.n_all_drawn == (size_t)t->stats.n_tokens);
    counts->in_parts += (size_t)r.n_drawn < r.n_all_drawn;
    counts->read_back += oracle_read_back(a, t, &r);
    oracle_allowed(a, t, &r, c);
    replay_fini(&r);
}

static inline void oracle_take(const struct asking_for *a, struct take *t,
                               const struct model_config *c,
                               struct oracle_counts *counts)
{
    oracle_notes(a, t);
    oracle_plan(a, t);
    oracle_rest(a, t);
    oracle_length(a, &t->stats);
    counts->starved += oracle_least(a, t);
    oracle_tokens(a, t, c, counts);
    counts->takes++;
    counts->notes += (int64_t)t->n_notes;
    counts->tokens += t->stats.n_tokens;
}

/* There was no place for a note: no step, no pitch or no track. */
static inline void oracle_refusal(const struct asking_for *a, const char *why)
{
    const struct asked asked = asked_on_grid(a);
    HOLDS(asks_for_hole(a) && !strcmp(why, "that hole has no room for a note"));
    HOLDS(asked.fill.request.from >= asked.fill.request.to ||
          !asked.fill.request.tracks);
}

#endif
