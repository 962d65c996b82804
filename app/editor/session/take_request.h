/* The last request to the model: its span, its options, and its progress. Its takes are in
 * session.takes (app/document/proposals.h). UI thread only. */
#ifndef APP_TAKE_REQUEST_H
#define APP_TAKE_REQUEST_H

#include "app/document/rewrite.h"
#include "app/generation/generator.h"

struct take_request {
    struct generation asked;    /* for `r` */
    int64_t from, to;           /* ticks; equal: not known yet */
    int64_t music_end;          /* of the first context that the model read, ticks */
    int n_tracks;               /* of the score at the request */
    int n_once;                 /* "2c": as many takes of this hole; 0: as steered */
    struct rewritten rewritten; /* what of the score the takes would replace */
    uint64_t *note_ids;         /* [n_note_ids] the only notes to rewrite; */
    size_t n_note_ids;          /* 0: all notes in the hole */
    bool is_running;            /* at the last look */
    bool plays_together;        /* & is on: user and model play into one take */
    bool takes_went;            /* takes lost their place; the user is to be told */
    double first_ghost_ms;      /* from the key to the first note; 0: none yet */
};

/* How takes are shown. */
struct take_display {
    enum { LIST_WHERE_ROOM, LIST_SHOWN, LIST_HIDDEN } list;
    bool figures; /* in the list, instead of words */
    bool shade_by_probability;
};

/* Attention heads that are muted for the next takes. */
struct muted_heads {
    struct attention_head heads[64];
    size_t n;
};

#endif
