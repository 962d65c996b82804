/* A grid corpus as pieces of notes, for whoever looks at music of any kind: bars of
 * common time from the first step on, of style chorale, the voice its track
 * (soprano 0, bass 3). Pure; any one thread. */
#ifndef APP_GRID_MUSIC_H
#define APP_GRID_MUSIC_H

#include "app/dataset/grid_corpus.h"
#include "app/dataset/grid_score.h"
#include "app/evaluation/eval_music_excerpt.h"

enum { GRID_BAR = 16 }; /* sixteenths */

/* Bars reach to the last note's end. Fini it. */
enum midi_status grid_music_piece(struct piece *p, const struct grid *g);

/* One group of the corpus's name; piece i of a split is grid i of it, and its path
 * says so. Nothing can be drawn from it, since nothing is counted: n_tokens,
 * cumulative and bigrams are 0. *out is for corpus_close. */
enum midi_status grid_music_corpus(struct corpus **out, const struct grid_corpus *g);

/* -- eval_grid_music -- */

/* A model of grid tokens as one that goes on from held-out pieces: with all voices,
 * or, where it hears a melody, with those below the melody that the piece has. */

/* q says which model, which corpus and split the tasks' pieces are of, and what
 * cancels; what it names is borrowed until music_writer_close. Nothing is written past
 * the end of a piece. */
enum model_status grid_writer_open(struct music_writer *w,
                                   const struct grid_score_request *q);

#endif
