/* The verbs of the command line, each in a file cmd_NAME.c of its own. To add one: write
 * the file, name it here, and put it into the list of verbs.c. */
#ifndef APP_COMMANDS_H
#define APP_COMMANDS_H

#include "app/base/option_table.h"

extern const struct verb VERB_CONTINUE, VERB_INPAINT, VERB_ACCOMPANY, VERB_RENDER,
    VERB_ATTENTION, VERB_SCORE, VERB_TRAIN, VERB_COMPARE, VERB_CRITIC, VERB_EVAL,
    VERB_LOGITS, VERB_TOKENS, VERB_QUANTISE, VERB_MODELS, VERB_DEVICES, VERB_INFO,
    VERB_COPY, VERB_BENCH, VERB_DEMO, VERB_CONFIG, VERB_COMPLETIONS;

#endif
