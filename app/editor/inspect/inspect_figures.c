/* The figures beside the drawings. A note's probability is that of all its tokens
 * together: exp of the sum of their log probabilities. */
#include "app/editor/inspect/inspect.h"

#include "app/editor/session/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *busy(struct session *s)
{
    const struct inspecting *i = s->parts.inspect;
    const struct inspector_report *r = &i->report;
    struct generator_progress p;
    generator_progress(s->generator, &p);
    if (!i->inspector && p.failed)
        return "there is no model: see continuo models";
    if (!i->inspector)
        return "loading the model";
    if (!i->at.id)
        return "there is no note here";
    if (r->error[0] && r->request == i->request)
        return r->error;
    if (!r->wash.of)
        return "the model is reading the music";
    return r->wash.note < 0 || r->wash.note >= r->wash.n_notes
               ? "the model did not read this note"
               : NULL;
}

void inspect_shape_state(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    struct inspect_view *v = &i->view;
    v->busy = busy(s);
    v->page = i->page;
    v->scale = i->scale;
    v->is_looked_at = i->look.way == IS_LOOKED_AT_BY;
    v->shows_surprise = i->shows_surprise;
    v->is_live = i->is_live && s->request.is_running;
    v->part = i->part >= 0 ? inspected_part_name((enum inspected_part)i->part) : NULL;
    v->layer = i->look.layer;
    v->head = i->look.head;
    v->is_strongest = i->look.many == LOOK_STRONGEST;
    v->muted_heads = i->muted_heads;
    v->is_pinned = i->pinned != 0;
    v->asks_who_matters = i->asks_who_matters;
    const struct model *m = generator_model(s->generator);
    v->is_fixed = m && m->config.mixing == MIXING_FOURIER;
    v->block = m && !v->is_fixed ? m->config.block : 0;
}

static void shape_pair(struct session *s)
{
    const struct inspector_report *r = &s->parts.inspect->report;
    struct inspect_view *v = &s->parts.inspect->view;
    if (v->pair < 0)
        return;
    const struct model *m = generator_model(s->generator);
    const struct model_config *c = m ? &m->config : NULL;
    v->has_pair = r->wash.has_pair;
    v->weight = r->wash.pair.weight;
    v->content = r->wash.pair.content;
    v->index = r->wash.pair.index;
    v->time = r->wash.pair.time;
    v->entropy = r->wash.pair.entropy;
    v->has_time = c && c->time == TIME_BUCKETS;
    v->has_index = c && (c->relative == RELATIVE_SHAW || c->relative == RELATIVE_MUSIC);
}

static void shape_guesses(struct session *s)
{
    const struct inspector_choices *c = &s->parts.inspect->report.alternatives;
    struct inspect_view *v = &s->parts.inspect->view;
    for (; v->n_guesses < c->n && v->n_guesses < INSPECT_GUESSES; v->n_guesses++) {
        const struct inspected_alternative *a = &c->list[v->n_guesses];
        struct inspect_guess *g = &v->guesses[v->n_guesses];
        g->probability = a->probability;
        g->is_written = a->is_chosen;
        if (a->token >= TOKEN_PITCH && a->token < TOKEN_PITCH + 128)
            pitch_name_octave(a->token - TOKEN_PITCH, SPELL_SHARPS, g->name);
        else
            token_name(a->token, g->name, sizeof g->name);
    }
}

/* The largest first, including the weight on the note itself. */
static void shape_others(struct inspect_view *v, const struct inspector_report *r)
{
    float left[INSPECTED_KINDS + 1];
    memcpy(left, r->wash.other, sizeof r->wash.other);
    left[INSPECTED_KINDS] = r->wash.weights[r->wash.note];
    while (v->n_others < INSPECT_OTHERS) {
        int most = 0;
        for (int k = 1; k <= INSPECTED_KINDS; k++)
            most = left[k] > left[most] ? k : most;
        if (!(left[most] > 0))
            return;
        v->others[v->n_others++] = (struct inspect_share){
            most == INSPECTED_KINDS ? "itself"
                                    : inspected_part_name((enum inspected_part)(
                                          INSPECTED_NOTE_PARTS + most)),
            left[most]};
        left[most] = 0;
    }
}

/* The omitted notes, in the order of the request: see inspect_ask.c. */
static void name_effect(const struct session *s, int which, char *buf, size_t n)
{
    const struct inspecting *i = s->parts.inspect;
    struct inspect_spot of;
    char pitch[PITCH_NAME_BYTES];
    bool is_music = which == 0 && i->without != WITHOUT_NOTHING &&
                    inspect_find(s, i->without_of, &of);
    if (!is_music) {
        snprintf(buf, n, "layer %d head %d", i->look.layer + 1, i->look.head + 1);
        return;
    }
    const struct score *score = s->project.score;
    struct bar bar = timeline_bar_at(&score->timeline, of.note.start);
    bool has_name = of.track < (int)score->n_tracks && *score->tracks[of.track].name;
    if (i->without == WITHOUT_NOTE)
        snprintf(buf, n, "%s of bar %lld",
                 pitch_name_octave(of.note.pitch, SPELL_SHARPS, pitch),
                 (long long)bar.index + 1);
    else if (i->without == WITHOUT_BAR)
        snprintf(buf, n, "bar %lld", (long long)bar.index + 1);
    else if (has_name)
        snprintf(buf, n, "%.30s", score->tracks[of.track].name);
    else
        snprintf(buf, n, "track %d", of.track + 1);
}

static void shape_effects(struct session *s)
{
    const struct inspecting *i = s->parts.inspect;
    const struct inspector_report *r = &i->report;
    struct inspect_view *v = &s->parts.inspect->view;
    int bit = i->look.layer * v->n_heads + i->look.head;
    bool has_head = i->look.layer >= 0 && i->look.head >= 0 && bit < 64 &&
                    (i->muted_heads >> bit & 1);
    int n = (i->without != WITHOUT_NOTHING) + has_head;
    for (; v->n_effects < n && v->n_effects < INSPECT_EFFECTS; v->n_effects++) {
        const int k = v->n_effects;
        struct inspect_effect *e = &v->effects[k];
        e->is_known = r->mutes.of == i->request && k < r->mutes.n;
        e->with = e->is_known ? expf(r->mutes.list[k].before) : 0;
        e->without = e->is_known ? expf(r->mutes.list[k].after) : 0;
        name_effect(s, k, e->of, sizeof e->of);
    }
}

void inspect_shape_figures(struct session *s)
{
    struct inspecting *i = s->parts.inspect;
    const struct inspector_report *r = &s->parts.inspect->report;
    struct inspect_view *v = &i->view;
    shape_others(v, r);
    shape_pair(s);
    shape_guesses(s);
    const struct inspected_note *n = &r->wash.notes[r->wash.note];
    bool says[INSPECTED_NOTE_PARTS] = {false};
    for (int k = n->first_token; k >= 0 && k < n->first_token + n->n_tokens &&
                                 k < r->wash.n_tokens && !n->is_source;
         k++)
        if (r->wash.tokens[k].part < INSPECTED_NOTE_PARTS)
            says[r->wash.tokens[k].part] = true;
    v->surprise = n->surprise;
    for (int part = 0; part < INSPECTED_NOTE_PARTS; part++)
        v->parts[v->n_parts++] =
            (struct inspect_part){inspected_part_name((enum inspected_part)part),
                                  says[part] ? n->surprise_of[part] : -1};
    shape_effects(s);
    bool is_now = r->who_matters.of == i->request;
    for (int k = 0; is_now && k < r->who_matters.n && k < INSPECT_MATTERS; k++)
        v->matters[v->n_matters++] = (struct inspect_matter){
            inspect_index_of(&i->shapes, r->who_matters.list[k].id),
            r->who_matters.list[k].weight, expf(r->who_matters.list[k].effect.before),
            expf(r->who_matters.list[k].effect.after)};
}
