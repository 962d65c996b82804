/* A generator that the test writes for, in the place of app/generation/generator.c: what it was
 * asked, and what it says. Include it once, after cmocka. */
#ifndef TESTS_APP_FAKE_GENERATOR_H
#define TESTS_APP_FAKE_GENERATOR_H

#include "app/generation/generator.h"

enum { FAKE_NOTES = 64 };

struct generator {
    int unused;
};

static struct generator the_generator;
static struct {
    struct score *heard, *read; /* the newest of each; owned */
    struct continuation_options wanted;
    int n_started, n_read, n_cancelled;
    struct continued_note notes[FAKE_NOTES];
    size_t n_notes;
    struct generator_progress progress;
} fake;

static inline void fake_forget(void)
{
    score_destroy(fake.heard);
    score_destroy(fake.read);
    memset(&fake, 0, sizeof fake);
}

/* It has written that note, and is about to write what begins with it. */
static inline void fake_write(int64_t start, int64_t length, int pitch)
{
    fake.notes[fake.n_notes++] = (struct continued_note){
        .note = {.start = start,
                 .length = length,
                 .pitch = (uint8_t)pitch,
                 .velocity = 80,
                 .on_order = ORDER_LAST,
                 .off_order = ORDER_FIRST},
        .n_tokens = 2,
        .log_prob = -1,
    };
    fake.progress.takes[0].at_tick = start;
}

static inline void fake_end(void)
{
    fake.progress.running = false;
    fake.progress.takes[0].is_done = true;
}

struct generator *generator_create(const char *model_path,
                                   struct model_precision precision, int n_threads,
                                   int wake_fd)
{
    fake.progress.loaded = true;
    return &the_generator;
}

void generator_destroy(struct generator *g)
{
}

uint64_t generator_ask(struct generator *g, struct score *snapshot,
                       const struct continuation_options *wanted, bool only_reads)
{
    if (only_reads) {
        score_destroy(fake.read);
        fake.read = snapshot;
        fake.n_read++;
        return 0;
    }
    score_destroy(fake.heard);
    fake.heard = snapshot;
    fake.wanted = *wanted;
    fake.n_notes = 0;
    memset(fake.progress.takes, 0, sizeof fake.progress.takes);
    fake.progress.running = true;
    fake.progress.n_takes = 1;
    fake.progress.takes[0].at_tick = wanted->begin_tick;
    fake.n_started++;
    return ++fake.progress.request;
}

void generator_cancel(struct generator *g)
{
    fake.n_cancelled++;
    fake.n_notes = 0;
    fake.progress.running = false;
}

size_t generator_take(struct generator *g, struct continued_note *notes, size_t max)
{
    size_t n = fake.n_notes < max ? fake.n_notes : max;
    memcpy(notes, fake.notes, n * sizeof *notes);
    memmove(fake.notes, fake.notes + n, (fake.n_notes - n) * sizeof *notes);
    fake.n_notes -= n;
    return n;
}

bool generator_take_tokens(struct generator *g, int take, int32_t **tokens, size_t *n)
{
    return true;
}

/* It draws no more than it is asked to show. */
struct take *generator_take_choice(struct generator *g, int *n)
{
    *n = 0;
    return NULL;
}

bool generator_use(struct generator *g, const char *model_path)
{
    return false;
}

/* It has no model that could be looked into. */
const struct model *generator_model(struct generator *g)
{
    return NULL;
}

void generator_progress(struct generator *g, struct generator_progress *out)
{
    *out = fake.progress;
}

#endif
