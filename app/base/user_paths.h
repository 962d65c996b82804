/* The user's settings, in $XDG_CONFIG_HOME (~/.config), after the XDG Base Directory
 * Specification 0.8: a variable that is no absolute path is as if it were not set. What
 * is remembered lies elsewhere: paths_state in app/base/paths.h. */
#ifndef APP_USER_PATHS_H
#define APP_USER_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* continuo/continuo.conf, whether it is there or not. false: no home, or no room. */
bool user_config_file(char *path, size_t n_path);
/* Whether this is the first time that this is asked of this user: then a file that says
 * so is left there. */
bool user_is_new(void);

#endif
