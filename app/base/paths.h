/* Where the program finds what comes with it: models, the example.
 *
 * Searched in order: $CONTINUO_HOME; the build tree or the installation that
 * the running program lies in; PREFIX/share/continuo as built. Every function
 * fills path and returns false when there is no such file, or no room. */
#ifndef APP_PATHS_H
#define APP_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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

/* -- user_paths -- */

/* The user's settings, in $XDG_CONFIG_HOME (~/.config), after the XDG Base Directory
 * Specification 0.8: a variable that is no absolute path is as if it were not set. What
 * is remembered lies elsewhere: paths_state in app/base/paths.h. */

/* continuo/continuo.conf, whether it is there or not. false: no home, or no room. */
bool user_config_file(char *path, size_t n_path);
/* Whether this is the first time that this is asked of this user: then a file that says
 * so is left there. */
bool user_is_new(void);

/* -- regular_file -- */

/* Opening what somebody else may have put in a file's place: a pipe, whose other end
 * nobody has, would be waited for without end; a device may have no end at all. */

/* To be read, as fopen does, and the caller's to close. NULL: errno says why; EINVAL: it
 * is no regular file. Never waits but for the disk. Any thread. */
FILE *regular_file_open(const char *path);

#endif
