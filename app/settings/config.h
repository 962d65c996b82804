/* The configuration file, $XDG_CONFIG_HOME/continuo/continuo.conf: settings
 * (app/settings/settings.h) and, in [keys], other keys for commands. It is an INI file: lines are
 * [section], name = value, name: value, # comment or ; comment.
 *
 * The file is not trusted: a wrong line is reported with its number and skipped, and
 * nothing else is lost. UI thread, or before there are others. */
#ifndef APP_CONFIG_H
#define APP_CONFIG_H

#include "app/settings/settings.h"
#include "tui/keys/keymap.h"

#include <stdio.h>

enum {
    CONFIG_MAX_BYTES = 1 << 20, /* of a file; larger files are not read */
    CONFIG_MAX_LINE = 195,      /* bytes; longer lines are errors */
    CONFIG_MAX_ERRORS = 32,     /* errors that are stored; more are only counted */
};

struct config_error {
    int line;       /* from 1; 0: of the whole file */
    char text[200]; /* untrusted: it quotes the file */
};

struct config {
    struct settings settings;
    struct binding *keymap; /* NULL: as built in; the config's own */
    char path[4096];        /* "": the user has no home */
    bool is_there;
    struct config_error errors[CONFIG_MAX_ERRORS]; /* by line */
    int n_errors;                                  /* may be more than are kept */
};

/* Sets the defaults; no file is read. */
void config_init(struct config *c);
void config_fini(struct config *c);

/* Reads the user's file, if there is one. config_read_bytes reads n bytes as if they were the file at
 * `path`. */
void config_read(struct config *c);
void config_read_bytes(struct config *c, const char *path, const char *bytes, size_t n);

/* Writes "FILE:12: what (and 3 more)", for the status line; "" without errors. Returns buf. */
const char *config_complaint(const struct config *c, char *buf, size_t n);

/* Writes a file with the same effect and the purpose of each line, as `continuo config` prints it.
 * Defaults are comments. */
void config_write(FILE *to, const struct config *c);

/* The user's own keys, from [keys] of the configuration file and from `:map`.
 *
 *     [keys]
 *     undo = U, C-z           in every mode that has the command
 *     normal.continue = F5
 *     takes.shade = none no key in that mode
 *
 * A command gets the given keys and loses its old ones. A key of another command is refused
 * unless that command gets other keys in the same file. The order of the lines does not
 * matter. */

enum { KEY_COMPLAINT_BYTES = 160 };

/* Adds a key to a command ("undo", "takes.shade") and removes it from the command that has
 * it now, as `:map` does; with "none" the key does nothing. false: `why` says why. */
bool key_map(struct binding **m, const char *key, const char *command,
             char why[KEY_COMPLAINT_BYTES]);

#endif
