/* Attention as pictures (app/picture/map_picture.h), from a model that has read the music. The
 * exit status; it has said what went wrong, and nothing is left at path then. */
#ifndef APP_ATTENTION_DRAW_H
#define APP_ATTENTION_DRAW_H

#include "app/inspection/attention_work.h"

int attention_draw_matrix(struct attention_work *w, const char *path);
int attention_draw_heads(struct attention_work *w, const char *path);
int attention_draw_wash(struct attention_work *w, const char *path);

#endif
