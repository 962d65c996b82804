/* One edit of all targets: reshape_begin, changes of after[], reshape_do. It is one step of undo,
 * which its verb and the number of targets name: "quantise 12 notes". UI thread only. */
#ifndef APP_RESHAPE_H
#define APP_RESHAPE_H

#include "app/editor/session/edit.h"

struct reshape {
    struct session *session;
    struct target *before; /* [n], as edit_targets gives them */
    struct note *after;    /* [n], the caller changes them between begin and do */
    size_t n;
    struct change *added; /* the caller may add notes */
    size_t n_hits;        /* targets of drums that reshape_begin_pitches left out */
    /* The caller may set it: a cursor that the only note no longer reaches goes to the note's
     * end, else to its start. */
    bool keeps_to_end;
};

/* false: there are no targets, and the user was told; there is nothing to free. */
bool reshape_begin(struct reshape *r, struct session *s);
/* The same for a change of pitches, which would make other sounds of drums: leaves the notes
 * of drum tracks out, unless there are no others. */
bool reshape_begin_pitches(struct reshape *r, struct session *s);
/* Whether all targets are drums. */
bool reshape_is_drums(const struct reshape *r);
/* Does the edit (edit_replace), and frees. Its label is the verb, the number of targets and
 * `more`, which is formatted. Tells the user the label unless `more` is NULL, and how many
 * notes OVERLAP_TRUNCATE shortened (OVERLAP_SKIP needs `more` NULL). false: it was
 * refused or changes nothing, and the user was told. */
bool reshape_do(struct reshape *r, enum overlap_rule rule, const char *verb,
                const char *more, ...) __attribute__((format(printf, 4, 5)));
/* Frees, instead of reshape_do. */
void reshape_forget(struct reshape *r);
/* Frees and tells the user "cannot VERB any further". Returns false. */
bool reshape_give_up(struct reshape *r, const char *verb);

/* Returns the number of targets from i on that are on the track of i. */
size_t reshape_run(const struct reshape *r, size_t i);

#endif
