/* What a journal says: the music it began with, the tree of all that was done, where it
 * ended, and which states were saved. Reading believes nothing. */
#ifndef APP_JOURNAL_CONTENTS_H
#define APP_JOURNAL_CONTENTS_H

#include "app/journal_records.h"
#include "midi/score.h"
#include "midi/smf.h"

struct journal_saved {
    uint64_t state;
    struct fingerprint as;
    bool is_done; /* else it was about to be, which may have failed */
};

struct journal_contents {
    bool has_file; /* it began with a MIDI file, */
    const uint8_t
        *base; /* whose bytes these are; else those of an empty score. They are
                          * among the bytes that were read. */
    size_t n_base;
    struct history *history;     /* all of it, and nowhere gone yet */
    uint64_t state;              /* at the end */
    struct journal_saved *saved; /* the oldest first */
    size_t n_saved, cap_saved;
    bool is_saving; /* the last record told of a save that was about to be */
    size_t n_whole; /* bytes, up to the last whole record; what is after is torn */
    bool is_torn;   /* something is: writing it was cut short */
};

enum journal_status {
    JOURNAL_OK,
    JOURNAL_EMPTY,   /* not even the base was written */
    JOURNAL_DAMAGED, /* or of another program, or a later version */
    JOURNAL_NO_MEMORY,
};

/* `bytes` stay the caller's and must outlive *c, which is to be finished also on
 * failure. */
enum journal_status journal_contents_read(struct journal_contents *c,
                                          const uint8_t *bytes, size_t n);
void journal_contents_fini(struct journal_contents *c);

/* The score at the end, the caller's, with the history gone there. DAMAGED: the changes
 * do not fit the base. report may be NULL. */
enum journal_status journal_contents_replay(struct journal_contents *c,
                                            struct score **out,
                                            struct smf_report *report);

/* The state that was last saved, and state 0 before anything was; for music that is a
 * file now, the last that was saved as that. false: none was. */
uint64_t journal_contents_last_saved(const struct journal_contents *c);
/* There was a MIDI file: it began with one, or a save was done. */
bool journal_contents_had_file(const struct journal_contents *c);
bool journal_contents_find(const struct journal_contents *c, const uint8_t *music,
                           size_t n_music, uint64_t *state);

#endif
