/* Finding files, and breaking pieces off. See critic_passages.h. */
#include "app/training/critic_passages.h"

#include "app/base/paths.h"
#include "app/base/values.h"
#include "app/generation/draws.h"
#include "midi/base/array.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_HEARD = 8, LEAST_NOTES = 24, LEAST_FOLLOWING = 8, MOST_CORPORA = 256 };

static int below(uint64_t *seed, int n)
{
    *seed = draws_mix(*seed);
    return (int)(*seed % (uint64_t)(n > 0 ? n : 1));
}

/* -- files -- */

static int is_midi(const struct dirent *e)
{
    return corpus_is_midi(e->d_name);
}

struct folder {
    char path[4096];
    struct dirent **files;
    int n;
};

static bool deal(struct passage_files *f, const struct folder *folders, int n)
{
    size_t n_all = 0;
    for (int k = 0; k < n; k++)
        n_all += (size_t)folders[k].n;
    f->paths = calloc(n_all + 1, sizeof *f->paths);
    for (int i = 0; f->paths && f->n < n_all; i++)
        for (int k = 0; k < n; k++) {
            if (i >= folders[k].n)
                continue;
            if (asprintf(&f->paths[f->n], "%s/%s", folders[k].path,
                         folders[k].files[i]->d_name) < 0)
                return false;
            f->n++;
        }
    return f->paths;
}

static void open_folder(struct folder *to, const char *dir, const char *corpus,
                        const char *split, uint64_t seed)
{
    int n = snprintf(to->path, sizeof to->path, "%s/%s/%s", dir, corpus, split);
    if (n < 0 || (size_t)n >= sizeof to->path)
        return;
    to->n = scandir(to->path, &to->files, is_midi, alphasort);
    to->n = to->n > 0 ? to->n : 0;
    for (int i = to->n - 1; i > 0; i--) {
        int k = below(&seed, i + 1);
        struct dirent *it = to->files[i];
        to->files[i] = to->files[k];
        to->files[k] = it;
    }
}

bool passage_files_find(struct passage_files *f, const char *dir, const char *corpora,
                        enum corpus_split split, uint64_t seed)
{
    struct dirent **entries = NULL;
    struct folder *folders = calloc(MOST_CORPORA, sizeof *folders);
    int n_entries = folders ? scandir(dir, &entries, file_is_shown, alphasort) : -1,
        n = 0;
    *f = (struct passage_files){0};
    for (int i = 0; i < n_entries; i++) {
        if (n < MOST_CORPORA && value_is_named(corpora, entries[i]->d_name))
            open_folder(&folders[n++], dir, entries[i]->d_name,
                        corpus_split_names[split], seed);
        free(entries[i]);
    }
    free(entries);
    bool ok = n_entries >= 0 && deal(f, folders, n);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < folders[i].n; k++)
            free(folders[i].files[k]);
        free(folders[i].files);
    }
    free(folders);
    return ok;
}

void passage_files_free(struct passage_files *f)
{
    for (size_t i = 0; i < f->n; i++)
        free(f->paths[i]);
    free(f->paths);
    *f = (struct passage_files){0};
}

/* -- breaking off -- */

struct cut {
    int64_t from, at, to; /* ticks */
};

static bool set_meters(struct score *to, const struct score *s, const struct cut *c)
{
    const struct timeline *t = &s->timeline;
    struct meter *meters = calloc(t->n_meters + 1, sizeof *meters);
    size_t n = 0;
    if (!meters)
        return false;
    for (size_t i = 0; i < t->n_meters && t->meters[i].tick < c->to; i++) {
        meters[n] = t->meters[i];
        meters[n].tick = meters[n].tick > c->from ? meters[n].tick - c->from : 0;
        n++; /* of several at 0 the last counts */
    }
    timeline_fini(&to->timeline);
    enum midi_status st =
        timeline_init(&to->timeline, to->ticks_per_quarter, NULL, 0, meters, n);
    free(meters);
    return st == MIDI_OK;
}

static bool hear(struct score *to, int track, const struct note *n, const struct cut *c)
{
    struct note heard = *n;
    heard.id = 0;
    heard.start -= c->from;
    if (heard.start + heard.length > c->at - c->from)
        heard.length = c->at - c->from - heard.start;
    return heard.length < 1 || score_add_note(to, track, heard);
}

/* The context, and what follows on the tracks that are in it. */
static bool take_track(struct critic_passage *p, const struct score *s, int t,
                       const struct cut *c)
{
    const struct track *track = &s->tracks[t];
    bool ok = score_add_track(p->heard, track->name,
                              (uint8_t)track_sound_channel(track), track->program) == t;
    for (size_t i = 0; ok && i < track->n_notes; i++) {
        const struct note *n = &track->notes[i];
        bool is_heard = n->start >= c->from && n->start < c->at;
        if (is_heard)
            ok = hear(p->heard, t, n, c);
        else if (n->start >= c->at && n->start < c->to && p->heard->tracks[t].n_notes) {
            struct continued_note *to = &p->follows[p->n_follows++];
            *to = (struct continued_note){.track = t, .note = *n};
            to->note.id = 0;
            to->note.start -= c->from;
            if (n->start + n->length > c->to)
                to->note.length = c->to - n->start;
        }
    }
    return ok;
}

static bool take_all(struct critic_passage *p, const struct score *s,
                     const struct cut *c)
{
    p->heard = score_create(s->ticks_per_quarter);
    p->follows = calloc(score_n_notes(s) + 1, sizeof *p->follows);
    bool ok = p->heard && p->follows && set_meters(p->heard, s, c);
    for (int t = 0; ok && t < (int)s->n_tracks; t++)
        ok = take_track(p, s, t, c);
    return ok;
}

bool critic_passage_cut(struct critic_passage *p, const struct score *s, uint64_t seed)
{
    int n_bars = (int)timeline_bar_at(&s->timeline, score_end_tick(s)).index;
    int bars = 4 << below(&seed, 3);
    int heard = LEAST_HEARD + below(&seed, SCENE_HEARD_BARS - LEAST_HEARD + 1);
    *p = (struct critic_passage){.bars = bars};
    heard = heard + bars > n_bars ? LEAST_HEARD : heard;
    if (heard + bars > n_bars || s->n_tracks > SCENE_TRACKS)
        return false;
    int first = below(&seed, n_bars - heard - bars + 1);
    struct cut c = {timeline_bar(&s->timeline, first).start,
                    timeline_bar(&s->timeline, first + heard).start,
                    timeline_bar(&s->timeline, first + heard + bars).start};
    bool ok = take_all(p, s, &c) && score_n_notes(p->heard) >= LEAST_NOTES &&
              p->n_follows >= LEAST_FOLLOWING;
    if (ok) { /* the last bar has notes, so that a continuation begins at its end */
        struct bar last = timeline_bar_at(&p->heard->timeline, c.at - c.from - 1);
        ok = score_end_tick(p->heard) > last.start;
    }
    if (!ok)
        critic_passage_fini(p);
    return ok;
}

void critic_passage_fini(struct critic_passage *p)
{
    score_destroy(p->heard);
    free(p->follows);
    *p = (struct critic_passage){0};
}

/* -- what the model writes after a passage, and the real music -- */

enum { LEAST_WRITTEN = 4 }; /* notes */

struct written {
    struct continued_note *notes;
    size_t n, cap;
};

static bool write_takes(struct written takes[], const struct critic_passage *p,
                        struct continuation *c, const struct continuation_options *o)
{
    struct continued_note n;
    enum continuation_state state = continuation_begin(c, p->heard, o);
    if (state != CONTINUATION_BEGUN)
        return state == CONTINUATION_DONE;
    while ((state = continuation_next(c, &n)) == CONTINUATION_NOTE) {
        struct written *w = &takes[n.take];
        if (!array_add(&w->notes, &w->n, &w->cap, &n, sizeof n))
            return false;
    }
    return state == CONTINUATION_DONE;
}

static bool find_features(float out[FEATURES_MOST], const struct critic_passage *p,
                          const struct critic_part *where,
                          const struct continued_note *notes, size_t n)
{
    struct scene scene;
    struct critic_view v;
    if (scene_init(&scene, p->heard, where->from, where->to, notes, n))
        return false;
    bool ok = critic_view_find(&v, &scene);
    if (ok)
        features_find(&v, out);
    scene_fini(&scene);
    return ok;
}

/* -- likelihood of what follows -- */

static enum midi_status encode(struct tokens *t, const struct score *s,
                               enum style style)
{
    struct piece piece;
    enum midi_status st = piece_from_score(&piece, s, style, NULL, 0);
    if (st)
        return st;
    st = tokens_encode(t, &piece, false);
    piece_fini(&piece);
    return st;
}

/* The tokens after the context, to give to a take. */
static bool find_given(const struct critic_passage *p, enum style style,
                       struct tokens *all, size_t *first)
{
    struct tokens heard = {0};
    struct score *s = score_clone(p->heard);
    bool ok = s != NULL;
    for (size_t i = 0; ok && i < p->n_follows; i++)
        ok = score_add_note(s, p->follows[i].track, p->follows[i].note);
    ok = ok && !encode(all, s, style) && !encode(&heard, p->heard, style);
    *first = heard.n;
    ok =
        ok && all->n > heard.n && !memcmp(all->id, heard.id, heard.n * sizeof *all->id);
    tokens_fini(&heard);
    score_destroy(s);
    return ok;
}

/* Nats a token, up to where the last of them is drawn. */
static double likelihood(const struct critic_passage *p,
                         const struct passage_request *q)
{
    struct tokens all = {0};
    struct continuation_stats stats = {0};
    struct continued_note n;
    struct continuation_options o = CONTINUATION_DEFAULT;
    size_t first;
    double found = NAN;
    o.bars = p->bars;
    if (find_given(p, continuation_style(q->continuation), &all, &first)) {
        o.style = (int)continuation_style(q->continuation);
        o.given = all.id + first;
        o.n_given = all.n - first;
        enum continuation_state s = continuation_begin(q->continuation, p->heard, &o);
        while ((s == CONTINUATION_BEGUN || s == CONTINUATION_NOTE) &&
               (size_t)stats.n_tokens < o.n_given) {
            s = continuation_next(q->continuation, &n);
            continuation_stats(q->continuation, 0, &stats);
        }
        if (s == CONTINUATION_NOTE || s == CONTINUATION_DONE)
            found = continuation_nats(&stats);
    }
    tokens_fini(&all);
    return found;
}

/* -- pairs -- */

/* Of part i. */
static void compare(struct passage_pairs *out, const struct critic_passage *p, int part,
                    const struct critic_part *where, const struct passage_request *q,
                    struct written takes[])
{
    float real[FEATURES_MOST] = {0};
    struct continuation_stats stats;
    if (!find_features(real, p, where, p->follows, p->n_follows))
        return;
    for (int i = 0; i < PASSAGE_TAKES; i++) {
        struct critic_pair *pair = &out->pairs[out->n];
        if (takes[i].n < LEAST_WRITTEN ||
            !find_features(pair->ours, p, where, takes[i].notes, takes[i].n))
            continue;
        memcpy(pair->real, real, sizeof real);
        pair->group = part;
        continuation_stats(q->continuation, i, &stats);
        out->takes_log_prob[out->n++] = continuation_nats(&stats);
    }
}

static void compare_parts(struct passage_pairs *out, const struct critic_passage *p,
                          const struct passage_request *q, struct written takes[])
{
    struct continuation_stats all; /* every take has the same bars */
    struct critic_part part;
    continuation_stats(q->continuation, 0, &all);
    for (int i = 0; i < PASSAGE_PARTS && critic_part(&part, &p->heard->timeline,
                                                     all.from_tick, all.to_tick, i);
         i++)
        compare(out, p, i, &part, q, takes);
}

void critic_passage_compare(struct passage_pairs *out, const struct critic_passage *p,
                            const struct passage_request *q)
{
    struct written takes[PASSAGE_TAKES] = {{0}};
    struct continuation_options o = CONTINUATION_DEFAULT;
    *out = (struct passage_pairs){.log_prob = NAN};
    o.bars = p->bars;
    o.n_takes = PASSAGE_TAKES;
    o.sampling = q->sampling;
    if (write_takes(takes, p, q->continuation, &o))
        compare_parts(out, p, q, takes);
    if (out->n && q->wants_likelihood)
        out->log_prob = likelihood(p, q);
    for (int i = 0; i < PASSAGE_TAKES; i++)
        free(takes[i].notes);
}
