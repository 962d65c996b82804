/* The open document: a score, its history, the file it came from, and the store in which all that is
 * done is saved at once.
 *
 * Loading never touches the file; saving replaces it whole. `modified` is a comparison of history
 * states, so undoing back to the saved music clears it. If project_keep was called, opening a file
 * again brings its history back, and edits that were not saved. The store is locked when the piece
 * is opened, and written with the first edit: a file that is only viewed gets no store. UI thread
 * only; what blocks for the disk says so. */
#ifndef APP_PROJECT_H
#define APP_PROJECT_H

#include "app/document/store_session.h"
#include "app/document/writer.h"
#include "midi/edit/edit.h"
#include "midi/score/score.h"
#include "midi/smf/smf.h"

enum recovery_kind {
    RECOVERY_NONE,    /* there is no store, or no edits are in it */
    RECOVERY_BACK,    /* the history is back, with edits that were not saved */
    RECOVERY_TAKEN,   /* another program has the store open */
    RECOVERY_OTHER,   /* the store is of other music than the file has now */
    RECOVERY_UNREAD,  /* memory or the disk failed; the store stays as it is */
    RECOVERY_FOREIGN, /* the store's file is not ours and stays as it is */
    RECOVERY_DAMAGED, /* the store is damaged, or of a later version */
    RECOVERY_FULL,    /* the history was too large and saved, so it starts again */
};

enum {
    /* A history is too large that has more bytes than this, and this many times the music's. */
    RECOVERY_FULL_BYTES = 16 << 20,
    RECOVERY_FULL_TIMES = 4,
};

/* What an earlier run left in the store of the music that is opened. */
struct recovery {
    enum recovery_kind kind;
    char why[STORE_WHY_BYTES]; /* UNREAD, FOREIGN, DAMAGED: a phrase */
    bool has_music;            /* DAMAGED: some of the music can be read */
    size_t n_unsaved; /* BACK: changes between the saved state and the present one */
    /* OTHER, DAMAGED: the new name of the old store; "": it has none, since all in it was saved. */
    char aside[STORE_NAME_BYTES];
    struct kept_session *session; /* owned; NULL: there was none */
    struct store *store; /* the store the piece will have; NULL: none, or it is open */
};

/* How the document is saved as it is edited, and its MIDI file watched. */
struct autosave {
    struct writer *writer; /* NULL: nothing is saved */
    int no_store; /* an errno: why there is no store; EWOULDBLOCK: another program has the
                   * piece; 0: there is one */
    bool holds;   /* see autosave_hold */
    bool has_said_saving; /* the store knows of a save that goes on or failed */
    bool has_begun;       /* the store has the base */
    bool has_file;        /* the base is a file's */
    uint8_t *base;        /* the music at the first state of the history; owned */
    size_t n_base;
    struct kept_save saved;  /* the last save that succeeded, if is_done */
    struct kept_save saving; /* the last that began, if has_said_saving */
    struct file_seen seen;   /* the MIDI file as it was read or written */
    uint64_t n_moves;        /* how often all was written again into an empty store */
};

struct project {
    struct score *score; /* never NULL after init */
    struct history *history;
    char *path; /* NULL until it has a file */
    uint64_t saved_state;
    uint64_t version;         /* counts edits, undos and redos */
    struct smf_report report; /* of the last load */
    struct autosave autosave;
    struct recovery found; /* what the last load found in the store */
};

/* An empty score with one piano track. */
enum midi_status project_init(struct project *p);
void project_fini(struct project *p);
/* Begins to save edits; call directly after init. wake_fd (-1: none) is written to when other
 * threads have news. false: out of memory. */
bool project_keep(struct project *p, int wake_fd);

/* Opens the music in `from` as if it came from `path`. On failure the project stays, but
 * after MIDI_NO_FILE with ENOENT it is a new score that will be saved there, as in other editors. A
 * store that was renamed aside gives its last music, which has no file. Blocks. */
enum midi_status project_open(struct project *p, const char *from, const char *path);
/* Opens music without a file, which an earlier run did not save. false: there is none. Blocks. */
bool project_open_unnamed(struct project *p);
/* Saves the piece as that file (NULL: its own), of which it is then. The caller checks
 * project_file_news first. Blocks. */
enum midi_status project_save(struct project *p, const char *path);
/* Returns whether another program has changed the file since it was read. Blocks. */
enum file_news project_file_news(struct project *p);
bool project_modified(const struct project *p);
const char *project_base_name(const struct project *p); /* NULL: no file */
/* Returns whether the present state would come back if the program were killed now. */
bool project_is_kept(const struct project *p);
/* Blocks until that is decided, but at most for a few seconds; after a failure writes
 * elsewhere if possible. */
void project_settle(struct project *p);
/* Returns whether all edits are written, or cannot be. If not, the wake pipe tells when to
 * ask again. */
bool project_keeps_up(const struct project *p);

/* Takes the change. */
enum midi_status project_do(struct project *p, struct change *c);
/* Goes so many changes forward along the newest branch or, if `by` is negative, back, or as many as
 * there are. Returns how many. *label: that of the last change; may be NULL. */
int project_step(struct project *p, int by, const char **label);
/* Goes to any state of the history. */
enum midi_status project_go(struct project *p, uint64_t state);

/* Returns why edits are not written down, as errno; 0: they are. EWOULDBLOCK: another program has
 * the piece. ESTALE: another program has deleted the store, or cut it short. */
int autosave_error(const struct project *p);
/* Writes everything again after such an error, beside the piece or else in the state
 * folder. The caller writes the session again. Blocks. false: that failed too, or there is nothing to
 * repair. */
bool autosave_mend(struct project *p);
/* Returns whether another program has the piece, so that it is not saved over. */
static inline bool autosave_is_taken(const struct project *p)
{
    return p->autosave.no_store == EWOULDBLOCK;
}
/* Returns whether another program had the piece and has left it. Blocks. */
bool autosave_is_left(const struct project *p);
/* Writes what was done here into a new store beside the piece that another program has left. An older
 * store is renamed aside. The caller writes the session. Blocks. false: another program has taken the
 * piece since. */
bool autosave_take_over(struct project *p);
/* Returns whether the store of a piece with a file is in the state folder. */
bool autosave_is_elsewhere(const struct project *p);
/* Returns whether another program has the piece of that file open. Blocks. */
bool autosave_is_open_elsewhere(const struct project *p, const char *midi_path);
/* Says whether the session of music without a file must come back; then a store is begun and stays.
 * Never blocks. */
void autosave_hold(struct project *p, bool holds);
/* Writes the session (NULL: none) as it is, as it was saved (then nothing else remains), the
 * part that is left out, or a running recording (NULL: it has ended). Takes it, malloc'd.
 * Never blocks. */
void autosave_put_session(struct project *p, struct kept_session *b, enum kept_as as);

/* For project.c: brings back what is in the store of the path of p, and takes the store. p has its path,
 * the music as it was read, and that music as the base; p->found says what came of it. s: the store, if
 * it is open already, which is taken; else NULL. Blocks. */
void recovery_look(struct project *p, struct store *s);
/* Brings back the newest music of the state folder that never had a file. false: there is none. Blocks. */
bool recovery_look_unnamed(struct project *p);
/* Frees all that a project owns but its writer, and zeroes it. */
void project_drop(struct project *p);

#endif
