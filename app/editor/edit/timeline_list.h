/* MODE_MAP: the list of the piece's timeline events. UI thread only. */
#ifndef APP_TIMELINE_LIST_H
#define APP_TIMELINE_LIST_H

#include "midi/edit/timeline_events.h"

/* The events as of `version` of the project. Tests look into it, others do not. */
struct timeline_list {
    struct timeline_events all;
    bool is_read;
    uint64_t version;
    int chosen;
};

#endif
