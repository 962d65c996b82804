/* The verbs for those who make models, each in its own file cmd_NAME.c. To add one, write the file
 * and name it in this list. Main thread. */
#ifndef APP_LAB_VERBS_H
#define APP_LAB_VERBS_H

#include "app/generation/options.h"

#define EACH_LAB_VERB(X)                                                               \
    X(TRAIN)                                                                           \
    X(EVAL)                                                                            \
    X(TOKENS)                                                                          \
    X(LOGITS)                                                                          \
    X(QUANTISE)                                                                        \
    X(CRITIC)                                                                          \
    X(BENCH)

#define DECLARE_LAB_VERB(name) extern const struct verb VERB_##name;
EACH_LAB_VERB(DECLARE_LAB_VERB)

#endif
