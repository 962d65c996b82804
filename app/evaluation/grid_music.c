/* By way of a score, which says what of a grid is a note. */
#include "app/evaluation/grid_music.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A voice stays of its number also where one above it is silent. */
static void number_tracks(struct piece *p, const int map[TOKEN_MAX_TRACKS])
{
    uint8_t families[TOKEN_MAX_TRACKS];
    memset(families, FAMILY_NONE, sizeof families);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (map[t] >= 0)
            families[map[t]] = p->families[t];
    memcpy(p->families, families, sizeof families);
    for (size_t i = 0; i < p->n_notes; i++)
        p->notes[i].track = (uint8_t)map[p->notes[i].track];
}

enum midi_status grid_music_piece(struct piece *p, const struct grid *g)
{
    int map[TOKEN_MAX_TRACKS];
    struct score *s = grid_to_score(g);
    if (!s)
        return MIDI_NO_MEMORY;
    enum midi_status st = piece_from_score(p, s, STYLE_CHORALE, map);
    if (!st)
        number_tracks(p, map);
    score_destroy(s);
    return st;
}

/* "piece 3 of train of Jsb16thSeparated": from 1, as people count. NULL: out of
 * memory. */
static char *name_piece(const struct grid_corpus *g, enum corpus_split split, int i)
{
    static const char *const SPLITS[CORPUS_SPLITS] = {"train", "valid", "test"};
    char name[128];
    snprintf(name, sizeof name, "piece %d of %s of %s", i + 1, SPLITS[split], g->name);
    return strdup(name);
}

static enum midi_status add_piece(struct corpus *c, const struct grid_corpus *g,
                                  enum corpus_split split, int i)
{
    struct corpus_piece *p = &c->pieces[split][c->n_pieces[split]];
    enum midi_status st = grid_music_piece(&p->piece, &g->pieces[split][i]);
    if (st)
        return st;
    c->n_pieces[split]++;
    p->path = name_piece(g, split, i);
    p->bars = calloc((size_t)p->piece.n_bars + 1, sizeof *p->bars);
    if (!p->path || !p->bars)
        return MIDI_NO_MEMORY;
    piece_bar_starts(&p->piece, p->bars);
    c->groups[0].n_pieces[split]++;
    c->groups[0].n_notes[split] += (int64_t)p->piece.n_notes;
    return MIDI_OK;
}

static enum midi_status add_split(struct corpus *c, const struct grid_corpus *g,
                                  enum corpus_split split)
{
    const int n = g->n_pieces[split];
    enum midi_status st = MIDI_OK;
    c->pieces[split] = calloc((size_t)n + 1, sizeof *c->pieces[split]);
    if (!c->pieces[split])
        return MIDI_NO_MEMORY;
    for (int i = 0; !st && i < n; i++)
        st = add_piece(c, g, split, i);
    return st;
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
    for (int split = 0; !st && split < CORPUS_SPLITS; split++)
        st = add_split(c, g, (enum corpus_split)split);
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
