/* The verbs of the command line. Each takes argv from its own name on, and
 * returns the exit status: 0 done, 1 failed, 2 wrong usage. */
#ifndef APP_COMMANDS_H
#define APP_COMMANDS_H

#include "app/cli/cmd_train.h"

int cmd_continue(int argc, char **argv);
int cmd_inpaint(int argc, char **argv);
int cmd_accompany(int argc, char **argv);
int cmd_render(int argc, char **argv);
int cmd_eval(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_logits(int argc, char **argv);
int cmd_tokens(int argc, char **argv);
int cmd_quantise(int argc, char **argv);
int cmd_devices(int argc, char **argv);
int cmd_models(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_copy(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_demo(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_completions(int argc, char **argv);
int cmd_attention(int argc, char **argv);
int cmd_score(int argc, char **argv);
int cmd_critic(int argc, char **argv);

/* What each takes (app/generation/options.h); train and compare have a table of their own. */
struct verb;
extern const struct verb VERB_CONTINUE, VERB_INPAINT, VERB_ACCOMPANY, VERB_RENDER,
    VERB_EVAL, VERB_LOGITS, VERB_TOKENS, VERB_QUANTISE, VERB_MODELS, VERB_INFO,
    VERB_COPY, VERB_BENCH, VERB_DEMO, VERB_CONFIG, VERB_COMPLETIONS, VERB_DEVICES,
    VERB_ATTENTION, VERB_SCORE, VERB_CRITIC;

#endif
