/* continuo config: every setting with its purpose, as a first configuration file. The
 * user's own settings are in it; the rest are comments. */
#include "app/cli/verbs.h"

#include "app/settings/config.h"
#include "app/base/say.h"

#include <stdio.h>

static int cmd_config(struct options *o)
{
    static struct config c;
    (void)o;
    config_init(&c);
    config_read(&c);
    config_write(stdout, &c);
    const int kept = c.n_errors < CONFIG_MAX_ERRORS ? c.n_errors : CONFIG_MAX_ERRORS;
    for (int i = 0; i < kept; i++) {
        char place[sizeof c.path + 16];
        snprintf(place, sizeof place, c.errors[i].line ? "%s:%d" : "%s", c.path,
                 c.errors[i].line);
        say_error(place, c.errors[i].text);
    }
    if (kept < c.n_errors)
        fprintf(stderr, "continuo: and %d more\n", c.n_errors - kept);
    int status = c.n_errors > 0;
    config_fini(&c);
    return status;
}

const struct verb VERB_CONFIG = {
    .name = "config",
    .summary = "print every setting, as a configuration file",
    .run = cmd_config,
    .arguments = "",
    .about =
        "Prints every setting and the keys of every command as a configuration file.\n"
        "Your own settings are lines of it, all others are comments. Errors in your\n"
        "file are printed with their line numbers.",
};
