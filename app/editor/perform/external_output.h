/* The external MIDI instrument, which also plays the piece, and its clock. A part of struct
 * session.
 *
 * A request is one text, as it is typed, configured and remembered: part of the instrument's
 * name, "any" or "none". After it may stand `only` (the synth is silent where the instrument
 * plays) and `click` (the metronome is sent, too). */
#ifndef APP_EXTERNAL_OUTPUT_H
#define APP_EXTERNAL_OUTPUT_H

#include "midi/ports/ports.h"

#include <stdbool.h>
#include <stddef.h>

enum { OUTPUT_REQUEST_BYTES = PORT_NAME_BYTES + 16 };

struct output_request {
    char name[PORT_NAME_BYTES];
    bool is_only, has_clicks;
};

struct external_output {
    unsigned n_changes, n_lost, n_clocks_lost; /* that the user was told of */
    bool was_lost, was_chosen;                 /* the user is told the outcome */
    char label[64];
};

struct completions;
struct session;
struct view;

void output_request_parse(struct output_request *wish, const char *text);
/* Applies the rest of the request, all but the name, at the start of the session. */
void output_begin(struct session *s, const struct output_request *wish);

/* The choice remembered under "input" or "output"; "": none. Returns buf. */
const char *port_remembered(const char *what, char *buf, size_t n);
void port_remember(const char *what, const char *text);

/* Writes "there are: Organ, Piano", or that there is none; returns buf. */
const char *port_list(const struct port_status *news, char *buf, size_t n);

/* Completes instrument names in a line typed after `:`; false: the line takes none. */
bool output_complete(const struct session *s, struct completions *c, const char *line,
                     size_t *start);

#endif
