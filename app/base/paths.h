/* Where the program finds what comes with it: models, the example.
 *
 * Searched in order: $CONTINUO_HOME; the build tree or the installation that
 * the running program lies in; PREFIX/share/continuo as built. Every function
 * fills path and returns false when there is no such file, or no room. */
#ifndef APP_PATHS_H
#define APP_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* The i-th folder searched, existing or not; false past the last, and
 * *present false for one that this run has not. */
bool paths_data_dir(int i, char *path, size_t n_path, bool *present);

/* A model. `wanted` NULL: the bundled one, which is models/continuo.safetensors
 * or else the first by name. A wanted file that does not exist is also looked
 * for by its name among the bundled, with or without its ending ("accompany",
 * "chorales/shaw"); failing that it is given back as it was, for the opening to
 * complain of. */
bool paths_model(char *path, size_t n_path, const char *wanted);
bool paths_example(char *path, size_t n_path);
bool paths_critic(char *path, size_t n_path); /* app/critic/critic.h */
/* A file in $XDG_STATE_HOME/continuo, which is made. */
bool paths_state(char *path, size_t n_path, const char *name);
/* For diverted messages: one of them. */
bool paths_log(char *path, size_t n_path);

/* The models in folder i, and then those in the folders there, by name. names is malloc'd, each and all; returns
 * how many. */
size_t paths_list_models(int i, char ***names);
void paths_free_list(char **names, size_t n);

/* A leading ~/ is the home folder, as in a shell. false: too long. */
bool file_expand(char *out, size_t n_out, const char *path);
const char *file_base_name(const char *path); /* what follows its last slash */

#endif
