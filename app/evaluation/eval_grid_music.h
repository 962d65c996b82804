/* A model of grid tokens as one that goes on from held-out pieces: with all voices,
 * or, where it hears a melody, with those below the melody that the piece has. */
#ifndef APP_EVAL_GRID_MUSIC_H
#define APP_EVAL_GRID_MUSIC_H

#include "app/evaluation/eval_music_writer.h"
#include "app/dataset/grid_score.h"

/* q says which model, which corpus and split the tasks' pieces are of, and what
 * cancels; what it names is borrowed until music_writer_close. Nothing is written past
 * the end of a piece. */
enum model_status grid_writer_open(struct music_writer *w,
                                   const struct grid_score_request *q);

#endif
