/* The open document: a score, its history, and the file it came from.
 *
 * Loading never touches the file; saving replaces it whole. `modified` is a
 * comparison of history states, so undoing back to the saved music clears it.
 * UI thread only. */
#ifndef APP_PROJECT_H
#define APP_PROJECT_H

#include "midi/edit.h"
#include "midi/score.h"
#include "midi/smf.h"

struct project {
    struct score *score; /* never NULL after init */
    struct history *history;
    char *path; /* NULL until it has a file */
    uint64_t saved_state;
    uint64_t version;         /* counts what was done, undone and redone */
    struct smf_report report; /* of the last load */
};

/* An empty score with one piano track. */
enum midi_status project_init(struct project *p);
void project_fini(struct project *p);

/* On failure the project is as it was, but for MIDI_NO_FILE with ENOENT: then it
 * is a new score that will be saved there, as editors do. */
enum midi_status project_open(struct project *p, const char *path);
/* The music in `from`, as if it had come from `path`. */
enum midi_status project_open_copy(struct project *p, const char *from,
                                   const char *path);
/* path NULL: where it came from. */
enum midi_status project_save(struct project *p, const char *path);
/* Writes the music beside its file as NAME.rescued.mid (or into $HOME when it has
 * none; numbered when that is taken) and fills `where`. For a program that is being ended from outside. */
enum midi_status project_rescue(const struct project *p, char *where, size_t n_where);

bool project_modified(const struct project *p);
const char *project_base_name(const struct project *p); /* NULL: no file */

/* Takes the change. */
enum midi_status project_do(struct project *p, struct change *c);
bool project_undo(struct project *p, const char **label);
bool project_redo(struct project *p, const char **label);

#endif
