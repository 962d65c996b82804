/* The open document: a score, its history, and the file it came from.
 *
 * Loading never touches the file; saving replaces it whole. `modified` is a
 * comparison of history states, so undoing back to the saved music clears it. What is
 * done is kept (app/document/autosave.h), if project_keep was called: then opening a file
 * again brings its history back, and edits that were not saved. UI thread only. */
#ifndef APP_PROJECT_H
#define APP_PROJECT_H

#include "app/document/autosave.h"
#include "midi/edit/edit.h"
#include "midi/score/score.h"
#include "midi/smf/smf.h"

struct project {
    struct score *score; /* never NULL after init */
    struct history *history;
    char *path; /* NULL until it has a file */
    uint64_t saved_state;
    uint64_t version;         /* counts edits, undos and redos */
    struct smf_report report; /* of the last load */
    struct autosave autosave;
    /* The store's content at the last load: its figures, and the session, which the project
     * owns. */
    struct recovery found;
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

#endif
