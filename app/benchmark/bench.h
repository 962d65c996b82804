/* The parts of continuo bench. Each measures with the pools and the budget of a struct bench,
 * and prints a table or adds the same figures to one JSON object. It returns the exit
 * status, after saying what went wrong. Main thread, one part at a time. */
#ifndef APP_BENCH_H
#define APP_BENCH_H

#include "app/base/turns.h"
#include "midi/score/score.h"
#include "model/base/pool.h"
#include "tui/cells/theme.h"

/* Delays: a user feels the worst ones, not the median. */

struct delays {
    double *seconds; /* owned; zero-initialise */
    size_t n, cap;
    bool incomplete; /* memory ran out */
};

void delays_add(struct delays *d, double seconds);
void delays_fini(struct delays *d);

/* Milliseconds; all 0 without delays. */
struct delay_figures {
    double median, percentile_99, worst;
    size_t n;
};

/* Sorts the delays. */
struct delay_figures delays_figures(struct delays *d);

/* A thread that is scheduled as the player's is and wakes every 5 ms, about as often as an
 * audio callback. */
struct metronome;

struct metronome *metronome_start(void); /* NULL: no memory or threads */
/* Joins it and stores in `late`, which is empty, how late it woke each time. NULL is fine. */
void metronome_stop(struct metronome *m, struct delays *late);

struct cJSON;

struct bench {
    struct pool *pool, *alone; /* the requested number of threads, and one */
    struct turn_budget budget; /* seconds and rounds for one figure */
    struct cJSON *json;        /* object that the figures are added to; NULL: print */
    const char *model;         /* as --model has it, NULL for the bundled one */
    const char *only;          /* the requested shape: "S"; NULL: the usual ones */
    bool large;                /* the usual ones and L */
    size_t n_notes;            /* of the vast piece, for tests; 0: as many as usual */
    size_t most_memory;        /* bytes that reading is measured over, at most */
    const struct model_config *shape; /* in place of S, M and L, for tests; or NULL */
};

int bench_machine(const struct bench *b);   /* arithmetic, memory, pool, sgemm */
int bench_start(const struct bench *b);     /* from nothing to the first token */
int bench_decode(const struct bench *b);    /* a token at a time, one take to eight */
int bench_prefill(const struct bench *b);   /* reading the context */
int bench_train(const struct bench *b);     /* a step of 8 x 512 tokens */
int bench_tokenizer(const struct bench *b); /* score to tokens and back */

int bench_frames(const struct bench *b); /* the workstation; only run when named */
int bench_bytes(const struct bench *b);  /* how many a frame sends */
int bench_vast(const struct bench *b);   /* the same with 100,000 notes and more */

int bench_attention(const struct bench *b); /* the cost of showing attention */

/* These two print their own list instead of adding to the JSON object. */
int bench_relative(const struct bench *b); /* both published forms, memory and time */
int bench_takes(const struct bench *b);    /* several takes compared with one */

/* The music of `continuo bench vast`: as dense and as various as a long film score. */

enum { VAST_TRACKS = 8 };

/* A score of eight tracks in 4/4. The first track, which is edited, has half of the notes,
 * and one note of it lasts from the beginning to the end. The same number gives the same
 * music. The caller owns it; NULL: out of memory. */
struct score *vast_music(size_t n_notes);

/* How many bytes a frame sends to the terminal, which matters on a slow line: the difference
 * between the frames before and after a small event. Main thread. */

enum bytes_event {
    BYTES_WHOLE, /* the first frame, or Ctrl-L */
    BYTES_RIGHT, /* the cursor */
    BYTES_UP,
    BYTES_COLUMN, /* the view scrolls by one */
    BYTES_ROW,
    BYTES_PLAYHEAD, /* it moves by a column */
    BYTES_GHOST,    /* one more arrives */
    BYTES_IDLE,     /* a frame with nothing new */
    BYTES_EVENTS,
};

struct bytes {
    int columns, rows;
    enum depth depth;
    size_t n[BYTES_EVENTS];
};

/* Measures frames of `score` on a screen of *b's size and depth. false: out of memory. */
bool bytes_measure(struct bytes *b, const struct score *score);

#endif
