/* See eval_music_excerpt.h. Goes through a score, which finds the notes of a grid. */
#include "app/evaluation/eval_music_excerpt.h"

#include "app/dataset/grid_corpus.h"
#include "app/base/draw.h"
#include "app/base/say.h"
#include "app/evaluation/eval_music.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum midi_status grid_music_piece(struct piece *p, const struct grid *g)
{
    int map[TOKEN_MAX_TRACKS];
    struct score *s = grid_to_score(g);
    if (!s)
        return MIDI_NO_MEMORY;
    enum midi_status st = piece_from_score(p, s, STYLE_CHORALE, map, 0);
    score_destroy(s);
    if (st)
        return st;
    /* A voice stays of its number also where one above it is silent. */
    uint8_t families[TOKEN_MAX_TRACKS];
    memset(families, FAMILY_NONE, sizeof families);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (map[t] >= 0)
            families[map[t]] = p->families[t];
    memcpy(p->families, families, sizeof families);
    for (size_t i = 0; i < p->n_notes; i++)
        p->notes[i].track = (uint8_t)map[p->notes[i].track];
    return MIDI_OK;
}

static enum midi_status add_piece(struct corpus *c, const struct grid_corpus *g,
                                  enum corpus_split split, int i)
{
    struct corpus_piece *p = &c->pieces[split][c->n_pieces[split]];
    enum midi_status st = grid_music_piece(&p->piece, &g->pieces[split][i]);
    if (st)
        return st;
    c->n_pieces[split]++;
    char name[128]; /* from 1, as people count */
    snprintf(name, sizeof name, "piece %d of %s of %s", i + 1,
             corpus_split_names[split], g->name);
    p->path = strdup(name);
    p->bars = calloc((size_t)p->piece.n_bars + 1, sizeof *p->bars);
    if (!p->path || !p->bars)
        return MIDI_NO_MEMORY;
    piece_bar_starts(&p->piece, p->bars);
    c->groups[0].n_pieces[split]++;
    c->groups[0].n_notes[split] += (int64_t)p->piece.n_notes;
    return MIDI_OK;
}

static enum midi_status add_all(struct corpus *c, const struct grid_corpus *g)
{
    enum midi_status st = MIDI_OK;
    c->groups = calloc(1, sizeof *c->groups);
    if (!c->groups)
        return MIDI_NO_MEMORY;
    c->n_groups = 1;
    c->groups[0].style = STYLE_CHORALE;
    snprintf(c->groups[0].name, sizeof c->groups[0].name, "%s", g->name);
    for (int split = 0; !st && split < CORPUS_SPLITS; split++) {
        c->pieces[split] = calloc((size_t)g->n_pieces[split] + 1, sizeof **c->pieces);
        if (!c->pieces[split])
            return MIDI_NO_MEMORY;
        for (int i = 0; !st && i < g->n_pieces[split]; i++)
            st = add_piece(c, g, (enum corpus_split)split, i);
    }
    return st;
}

enum midi_status grid_music_corpus(struct corpus **out, const struct grid_corpus *g)
{
    struct corpus *c = calloc(1, sizeof *c);
    if (!c)
        return MIDI_NO_MEMORY;
    enum midi_status st = add_all(c, g);
    if (st) {
        corpus_close(c);
        return st;
    }
    *out = c;
    return MIDI_OK;
}

int evaluated_music_open(struct corpus **out, struct grid_corpus **grid,
                         const struct options *o)
{
    struct stat s;
    char fault[128];
    errno = 0;
    if (stat(o->data, &s))
        return say_midi_error(o->data, MIDI_NO_FILE);
    const bool is_folder = S_ISDIR(s.st_mode);
    if (!is_folder && !grid_corpus_open(grid, o->data, fault, sizeof fault))
        return say_error(o->data, fault);
    enum midi_status st = is_folder ? corpus_open(out, o->data, o->corpora, NULL)
                                    : grid_music_corpus(out, *grid);
    if (is_folder && st == MIDI_EMPTY)
        return say_error(o->data, "holds no usable MIDI file");
    return st ? say_midi_error(o->data, st) : 0;
}

/* -- the writer: a copy of the piece is filled from the end of the context on. The bars are
 * then cut from it in the same way as from the piece itself: notes that sound into them are
 * left out of both, and notes that a model with hold strikes again are joined, as in the
 * corpus -- */

static enum model_status fill(const struct grid_score_request *q, struct grid *g,
                              const struct music_task *task, struct music_written *out)
{
    const struct grid_fill_request request = {
        .model = q->model,
        .pool = q->pool,
        .lesson = q->lesson,
        .from_step = MUSIC_CONTEXT_BARS * GRID_BAR,
        .sampling = task->sampling,
        .cancel = q->cancel,
    };
    struct grid_fill_result result;
    enum model_status st = grid_fill(g, &request, &result);
    out->n_tokens = result.n_tokens;
    out->masked = result.masked * result.n_tokens;
    return st;
}

/* What is written may end sooner than n_bars, in rests; the bars are there. */
static enum midi_status cut_bars(struct piece *out, const struct grid *g,
                                 int32_t n_bars)
{
    struct piece whole;
    enum midi_status st = grid_music_piece(&whole, g);
    if (st)
        return st;
    if (whole.n_bars < MUSIC_CONTEXT_BARS + n_bars)
        whole.n_bars = MUSIC_CONTEXT_BARS + n_bars;
    st = excerpt_cut(out, &whole, MUSIC_CONTEXT_BARS, n_bars, UINT64_MAX);
    piece_fini(&whole);
    return st;
}

static enum music_outcome failed(struct music_written *out, const char *fault)
{
    out->fault = fault;
    return MUSIC_FAILED;
}

static enum music_outcome write_bars(void *state, const struct music_task *task,
                                     struct music_written *out)
{
    const struct grid_score_request *q = state;
    const struct grid *piece = &q->corpus->pieces[q->split][task->piece];
    const int n =
        at_most((MUSIC_CONTEXT_BARS + task->n_bars) * GRID_BAR, piece->n_steps);
    struct grid g;
    *out = (struct music_written){0};
    enum midi_status st = grid_init(&g, n);
    if (st)
        return failed(out, midi_strerror(st));
    memcpy(g.cells, piece->cells, (size_t)n * GRID_VOICES * sizeof *g.cells);
    enum model_status filled = fill(q, &g, task, out);
    if (!filled) {
        grid_join_repeats(&g);
        st = cut_bars(&out->bars, &g, task->n_bars);
    }
    grid_fini(&g);
    if (filled == MODEL_CANCELLED)
        return MUSIC_CANCELLED;
    if (filled)
        return failed(out, model_strerror(filled));
    return st ? failed(out, midi_strerror(st)) : MUSIC_WRITTEN;
}

enum model_status grid_writer_open(struct music_writer *w,
                                   const struct grid_score_request *q)
{
    const struct grid_form told = q->lesson.told;
    struct grid_score_request *copy = malloc(sizeof *copy);
    *w = (struct music_writer){0};
    if (!copy)
        return MODEL_NO_MEMORY;
    *copy = *q;
    *w = (struct music_writer){
        .state = copy,
        .write = write_bars,
        .close = free,
        .tracks = ((UINT64_C(1) << told.n) - 1) << told.first, /* a voice each */
        .remark = told.n == GRID_VOICES
                      ? "four quarters a bar, repeats joined"
                      : "four quarters a bar, repeats joined; voices given count in "
                        "the chords only",
    };
    return MODEL_OK;
}
