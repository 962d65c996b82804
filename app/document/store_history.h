/* The history of a piece in a store: the music it began with, the tree of all that was
 * done, where it is, and which states were saved. What is read is not trusted. */
#ifndef APP_STORE_HISTORY_H
#define APP_STORE_HISTORY_H

#include "app/document/store.h"
#include "midi/base/bytes.h"
#include "midi/edit/edit.h"
#include "midi/score/score.h"
#include "midi/smf/smf.h"

/* Identifies a file's content by its length and its FNV-1a hash (Fowler, Noll, Vo) of 64 bits, which
 * finds accidental changes, not malicious ones. */
struct fingerprint {
    uint64_t n_bytes, hash;
};

struct fingerprint fingerprint_of(const uint8_t *bytes, size_t n);
bool fingerprint_equal(struct fingerprint a, struct fingerprint b);

/* Texts for sqlite3_mprintf, and their values, which are of 64 bits unless they are bool. */
extern const char
    HISTORY_BASE[]; /* begins anew with the bytes; bool: they are a file's */
extern const char HISTORY_CLEAR[]; /* forgets all edits */
/* The bytes are a change (midi/edit/edit.h): id, parent, time, its label. It is the state then. */
extern const char HISTORY_EDIT[];
extern const char HISTORY_STATE[]; /* the present state */
extern const char
    HISTORY_SAVING[]; /* a save begins: the state, the file's length and hash */
extern const char HISTORY_SAVED[]; /* the same: that save succeeded */

struct kept_save {
    uint64_t state;
    struct fingerprint as;
    bool is_done; /* false: the save was begun and may have failed */
};

struct kept_history {
    bool has_file; /* the base was a MIDI file */
    uint8_t *base; /* the music at the first state; NULL: nothing was done yet */
    size_t n_base;
    struct history *history; /* all changes; it is at its first state */
    uint64_t state;          /* the state at which the piece was left */
    size_t n_bytes;          /* sum of the base and all changes */
    struct kept_save *saved; /* in the order of time */
    size_t n_saved, cap_saved;
};

/* Reads the history of the store's open piece. OK; EMPTY: there is no such piece; DAMAGED:
 * *h has the part before the damage; else an errno. Finish *h in any case. */
int store_read_history(struct kept_history *h, struct store *s);
void kept_history_fini(struct kept_history *h);

/* Makes the score at h->state, where the history goes, too. The caller owns *out. DAMAGED: the changes
 * do not fit the base. report may be NULL. */
int kept_history_replay(struct kept_history *h, struct score **out,
                        struct smf_report *report);

/* Returns whether these bytes begin as a store does. store_music_take replaces them by the music of the
 * store at that path as a MIDI file: as it was at the end, or before the damage. On failure the bytes
 * stay. */
bool store_music_is_there(const uint8_t *bytes, size_t n);
enum midi_status store_music_take(const char *path, uint8_t **bytes, size_t *n);

#endif
