/* MODE_MAP: the list of what changes along the piece. UI thread only. */
#ifndef APP_MAP_H
#define APP_MAP_H

#include "midi/edit/signs.h"

/* As of that version of the project. Tests look into it, others do not. */
struct sign_list {
    struct signs all;
    bool is_read;
    uint64_t version;
    int chosen;
};

#endif
