/* Keys of one's own, from [keys] of the configuration file and from `:map`.
 *
 *     [keys]
 *     undo = U, C-z           in every mode that has the command
 *     normal.continue = F5
 *     takes.shade = none      it has no key there
 *
 * A command that is told keys has those and none of its old ones. A key that another
 * command has is refused, unless that one is told others in the same file; the file
 * decides nothing by the order of its lines. */
#ifndef APP_CONFIG_KEYS_H
#define APP_CONFIG_KEYS_H

#include "tui/keys/keymap.h"

#include <stdbool.h>

enum { KEY_REQUESTS_MAX = 512, KEYS_MAX_EACH = 8, KEY_COMPLAINT_BYTES = 160 };

/* One line of [keys]. */
struct key_request {
    int line;
    unsigned modes;
    enum command_id id;
    uint32_t keys[KEYS_MAX_EACH][2];
    int n_keys; /* 0: none */
};

/* "normal.undo" and "U, C-z". false: it is wrong, and why says how. */
bool key_request_parse(struct key_request *r, const char *name, const char *value,
                       char why[KEY_COMPLAINT_BYTES]);

/* Applies them all. Calls refused for each that could not be done as it was asked; its
 * command has its old keys then. false: out of memory. */
bool key_requests_apply(struct keymap *m, const struct key_request *requests, size_t n,
                        void (*refused)(void *context, const struct key_request *r,
                                        const char *why),
                        void *context);

/* One more key for a command ("undo", "takes.shade"), taken from whatever has it now, as
 * `:map` does; or "none": then the key does nothing. false: why says what is wrong. */
bool key_map(struct keymap *m, const char *key, const char *command,
             char why[KEY_COMPLAINT_BYTES]);

#endif
