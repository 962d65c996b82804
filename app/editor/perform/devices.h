/* The MIDI keyboard, and the external instrument, which plays the piece. Ui thread.
 *
 * A request for an instrument is one text, typed, configured or remembered: part of its
 * name, "any" or "none". `only` (the synth does not play what the instrument plays) and
 * `click` (the metronome is sent too) may follow. */
#ifndef APP_DEVICES_H
#define APP_DEVICES_H

#include "midi/ports/ports.h"

#include <stdbool.h>
#include <stddef.h>

enum { OUTPUT_REQUEST_BYTES = PORT_NAME_BYTES + 16 };

struct output_request {
    char name[PORT_NAME_BYTES];
    bool is_only, has_clicks;
};

struct completions;
struct session;

void output_request_parse(struct output_request *r, const char *text);
/* Completes instrument names in a line typed after `:`; false: the line takes none. */
bool output_complete(const struct session *s, struct completions *c, const char *line,
                     size_t *start);

#endif
