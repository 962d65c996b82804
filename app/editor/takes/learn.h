/* `:model` and `:learn`: which model composes, and models of the user's own. Ui thread. */
#ifndef APP_LEARN_H
#define APP_LEARN_H

#include "app/editor/session/session.h"

/* model_choice.c: the file of the model in use. false: there is none. */
bool model_in_use(const struct session *s, char *path, size_t n_path);

/* learn.c: whether music is being learnt. */
bool learn_is_at_work(const struct session *s);

/* The program that learns. Tests, which are another, set it. */
extern const char *learn_program;

#endif
