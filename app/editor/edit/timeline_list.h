/* MODE_MAP: the list of the piece's timeline events. UI thread only. */
#ifndef APP_TIMELINE_LIST_H
#define APP_TIMELINE_LIST_H

#include "app/editor/session/part.h"
#include "midi/edit/timeline_events.h"

/* The events as of `version` of the project. Tests look into it, others do not. */
struct timeline_list {
    struct timeline_events all;
    bool is_read;
    uint64_t version;
    int chosen;
};

/* Tempo, meter and key at the cursor: "96" or "96-120", "3/4", and "Bb minor" (tempo.c). */
act_line_fn act_tempo_word, act_meter_word, act_key_word;

#endif
