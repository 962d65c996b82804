/* Four-voice pieces as pieces of notes, and a model of four voices that continues them. Bars
 * are in common time from the first step on, the style is chorale, and a voice's track is its
 * number (soprano 0, bass 3). Pure but for the writer; any one thread. */
#ifndef APP_GRID_MUSIC_H
#define APP_GRID_MUSIC_H

#include "app/dataset/grid_corpus.h"
#include "app/dataset/grid_score.h"
#include "app/evaluation/eval_music_excerpt.h"

enum { GRID_BAR = 16 }; /* sixteenths */

/* Its bars reach to the end of the last note. The caller frees it with piece_fini. */
enum midi_status grid_music_piece(struct piece *p, const struct grid *g);

/* A corpus of one group, with the name of the grid corpus. Piece i of a split is its grid i.
 * Tokens are not counted, so no windows can be drawn from it. Close it with corpus_close. */
enum midi_status grid_music_corpus(struct corpus **out, const struct grid_corpus *g);

/* A writer that continues held-out pieces in all voices, or, for a model that hears a melody,
 * in the voices below the melody. q names the model, the corpus and split of the pieces, and
 * the flag that cancels; all is borrowed until music_writer_close. It writes nothing past the
 * end of a piece. */
enum model_status grid_writer_open(struct music_writer *w,
                                   const struct grid_score_request *q);

#endif
