/* How surprising the notes of a score are to a model, also by bar and track. The score is read
 * once, in as many windows as needed; each note counts in the window that has most music
 * before it. Figures are nats, summed over a note's tokens. One thread. */
#ifndef APP_SCORE_REPORT_H
#define APP_SCORE_REPORT_H

#include "app/inspection/attention_work.h"

enum { SCORE_MOST_ALTERNATIVES = 16 };

struct scored_note {
    struct inspected_note note;
    struct note_name name;
    int n_alternatives; /* of its pitch, the likeliest first */
    struct inspected_alternative alternatives[SCORE_MOST_ALTERNATIVES + 1];
};

struct score_sum {
    double nats;
    int n_notes;
};

struct score_report {
    struct scored_note *notes; /* in the order they are read in */
    size_t n_notes, cap;
    struct score_sum *bars;   /* [n_bars] */
    struct score_sum *tracks; /* [n_tracks of the score] */
    int n_bars;
    struct score_sum all;
    double pitch_nats; /* of the pitches alone */
    int *worst;        /* [n_bars] bars by mean nats a note, the highest first */
};

/* w is open. Returns 0, or the exit status after saying why. Call score_report_fini in every
 * case. */
int score_report_make(struct score_report *r, struct attention_work *w,
                      int n_alternatives);
void score_report_fini(struct score_report *r);

void score_report_print(const struct score_report *r, const struct attention_work *w);
/* false: no memory. */
bool score_report_print_json(const struct score_report *r,
                             const struct attention_work *w);

#endif
