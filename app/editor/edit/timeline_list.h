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

/* Tempo, meter and key at the cursor: "96" or "96-120", "3/4", and "Bb minor" (tempo.c). */
struct session;
void act_tempo_word(struct session *s, const char *word);
void act_meter_word(struct session *s, const char *word);
void act_key_word(struct session *s, const char *word);

#endif
