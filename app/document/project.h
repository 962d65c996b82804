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
    RECOVERY_NONE,    /* no store, or no edits in it */
    RECOVERY_BACK,    /* the history is back, and edits that were not saved */
    RECOVERY_TAKEN,   /* another program has it open */
    RECOVERY_OTHER,   /* it is of other music than is in the file now */
    RECOVERY_UNREAD,  /* for want of memory, or the disk's fault: it stays as it is */
    RECOVERY_FOREIGN, /* the file of that name is not ours: it stays unchanged */
    RECOVERY_DAMAGED, /* or of a later version of this program */
    RECOVERY_FULL,    /* it is too large, and all of it is saved: start again */
};

enum {
    RECOVERY_FULL_BYTES = 16 << 20, /* and more than this many times the music: */
    RECOVERY_FULL_TIMES = 4,
};

/* What an earlier run left in the store of the music that is opened. */
struct recovery {
    enum recovery_kind kind;
    char why[STORE_WHY_BYTES]; /* of UNREAD, FOREIGN, DAMAGED: a phrase */
    bool has_music;            /* of DAMAGED: some of it can be read */
    size_t n_unsaved; /* of BACK: changes between the saved state and the present one */
    /* Of OTHER, DAMAGED: the name it is kept under; "": not kept, since all in it was
     * saved. */
    char aside[256];
    struct kept_session *session; /* NULL: there was none */
    struct store
        *store; /* where the piece will be kept; NULL once it is open, or: nowhere */
};

/* How the document is saved as it is edited, and its MIDI file watched. */
struct autosave {
    struct writer *writer; /* NULL: nothing is saved */
    int no_store; /* errno: why there is none; EWOULDBLOCK: another program has the piece,
                   * which is not saved over; 0: there is one */
    bool holds;   /* see autosave_hold */
    bool has_said_saving; /* the store knows of the save that is going on */
    bool has_begun;       /* the store has its base: */
    bool has_file;        /* which began as a file, */
    uint8_t *base;        /* and is this */
    size_t n_base;
    bool has_saved; /* lately, as `saved` */
    struct kept_save saved;
    struct file_seen seen; /* the MIDI file as it was read or written */
    uint64_t n_moves;      /* times that all was written again, into an empty store */
};

struct project {
    struct score *score; /* never NULL after init */
    struct history *history;
    char *path; /* NULL until it has a file */
    uint64_t saved_state;
    uint64_t version;         /* counts edits, undos and redos */
    struct smf_report report; /* of the last load */
    struct autosave autosave;
    struct recovery found; /* at the last load; the session is the project's */
};

/* An empty score with one piano track. */
enum midi_status project_init(struct project *p);
void project_fini(struct project *p);
/* Edits are saved from now on. Call directly after init. wake_fd: written to when other
 * threads have news; -1: none. false: out of memory. */
bool project_keep(struct project *p, int wake_fd);

/* The music in `from`, as if it came from `path`. On failure the project is as it was, but
 * for MIDI_NO_FILE with ENOENT: then it is a new score that will be saved there, as editors
 * do. A store that was renamed aside gives its last music, which has no file. */
enum midi_status project_open(struct project *p, const char *from, const char *path);
/* Music without a file, from a run that ended before saving it. false: there is none. */
bool project_open_unnamed(struct project *p);
/* path NULL: its own file. The caller checks project_file_news first. */
enum midi_status project_save(struct project *p, const char *path);
/* Whether another program has changed the file since it was read. Blocks. */
enum file_news project_file_news(struct project *p);
bool project_modified(const struct project *p);
const char *project_base_name(const struct project *p); /* NULL: no file */
/* Whether a killed program would restore the present state. */
bool project_is_kept(const struct project *p);
/* Blocks until that is decided, but at most for a few seconds; after a failure writes
 * elsewhere if possible. */
void project_settle(struct project *p);
/* Whether all edits are written, or never can be. If not, the wake pipe tells when to ask
 * again. */
bool project_keeps_up(const struct project *p);

/* Takes the change. */
enum midi_status project_do(struct project *p, struct change *c);
/* Several changes back, or forward along the newest branch, or as many as there are: how
 * many it were. *label is the last one's; may be NULL. */
int project_back(struct project *p, int times, const char **label);
int project_forward(struct project *p, int times, const char **label);
/* To any state of the history. */
enum midi_status project_go(struct project *p, uint64_t state);

/* Why edits are not written down, as errno; 0: they are. EWOULDBLOCK: another program has
 * the piece. ESTALE: another program has deleted the store, or cut it short. */
int autosave_error(const struct project *p);
/* After such an error: writes everything again, beside the piece or else in the state
 * folder. The caller writes the session again. Blocks for the disk. false: that failed too,
 * or there is nothing to repair. */
bool autosave_mend(struct project *p);
/* Whether another program has the piece; and has left it now, which blocks. Then autosave_take_over makes
 * it ours and writes what was done here beside it; an older store is renamed aside. The caller
 * writes the session. false: another has taken it since. */
static inline bool autosave_is_taken(const struct project *p)
{
    return p->autosave.no_store == EWOULDBLOCK;
}
bool autosave_is_left(const struct project *p);
bool autosave_take_over(struct project *p);
bool autosave_is_elsewhere(const struct project *p); /* in the state folder */
/* Whether another program has the piece of that file open. Blocks. */
bool autosave_is_open_elsewhere(const struct project *p, const char *midi_path);
/* holds: the session of unsaved music must come back, so its store is started and kept.
 * Never blocks. */
void autosave_hold(struct project *p, bool holds);
/* Writes the session (NULL: none) as it is, as it was saved (then nothing else remains), the
 * part that is left out, or a running recording (NULL: it has ended). Takes it, malloc'd.
 * Never blocks. */
void autosave_put_session(struct project *p, struct kept_session *b, enum kept_as as);

/* For project.c. p is to be opened: it has its path, its music as it was read, and that music as the
 * base. Brings back what is in the store of that path, and takes the store: p->found says what came
 * of it. s: that store, which is taken, where it is open already; else NULL. Blocks. */
void recovery_look(struct project *p, struct store *s);
/* The newest music of the state folder that never had a file. false: there is none. Blocks. */
bool recovery_look_unnamed(struct project *p);
/* Frees all that a project has but its writer; zeroes it. */
void project_drop(struct project *p);

#endif
