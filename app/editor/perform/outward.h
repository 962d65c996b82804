/* An instrument that plays the piece too, and clocks: what the session knows of them. A part
 * of struct session.
 *
 * What is wanted is one text, as it is typed, configured and remembered: part of the
 * instrument's name, "any" or "none", and after it `only`, for the synth to be silent where
 * the instrument plays, and `click`, for the metronome to be sent, too. */
#ifndef APP_OUTWARD_H
#define APP_OUTWARD_H

#include "midi/ports/ports.h"

#include <stdbool.h>
#include <stddef.h>

enum { OUTWARD_WISH_BYTES = PORT_NAME_BYTES + 16 };

struct outward_wish {
    char name[PORT_NAME_BYTES];
    bool is_only, has_clicks;
};

struct outward {
    unsigned n_changes, n_lost, n_clocks_lost; /* of what was told */
    bool was_lost, was_chosen;                 /* what comes of it is told */
    char label[64];
};

struct completions;
struct session;
struct view;

void outward_parse(struct outward_wish *wish, const char *text);
/* What else of it than its name is wanted, at the start of the session. */
void outward_begin(struct session *s, const struct outward_wish *wish);

/* "" and none, or what was chosen last, by the name that it was remembered by: "input",
 * "output". buf is returned. */
const char *port_remembered(const char *what, char *buf, size_t n);
void port_remember(const char *what, const char *text);

/* "there are: Organ, Piano", or that there is none. buf is returned. */
const char *port_list(const struct port_news *news, char *buf, size_t n);

/* Of a line typed after `:`, the names that may follow; false: it has none of them. */
bool outward_complete(const struct session *s, struct completions *c, const char *line,
                      size_t *start);

#endif
