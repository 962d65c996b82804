/* Whatever a keyboard sends, at any moments: all that it holds can be ended, each
 * thing once; a recording of it, in any mode and beside any music, is one change
 * that leaves a valid score, and undo restores it. */
#include "midi/transport/held_keys.h"
#include "midi/score/notes.h"
#include "midi/record/record.h"
#include "midi/smf/smf.h"
#include "tests/fuzz_replay.h"
#include "tests/midi/auto.h"

#include <string.h>

enum { MOST_BYTES = 1024, N_TRACKS = 2, MOST_HELD = 16 * (128 + 6 + 2) };

/* A step of up to a whole piece. */
static int64_t take_ticks(struct source *s)
{
    int byte = take(s);
    return byte < 224 ? byte : INT64_C(1) << (byte - 224);
}

/* -- the music that is there -- */

static struct score *take_score(struct source *s)
{
    struct score *score = score_create(96);
    require(score != NULL);
    for (int t = 0; t < N_TRACKS; t++)
        require(score_add_track(score, "", (uint8_t)t, 0) == t);
    for (int n = take(s) % 12; n > 0; n--) {
        struct note note = {.velocity = 64};
        note.start = take_ticks(s);
        note.length = take(s);
        note.pitch = (uint8_t)(take(s) & 127);
        require(score_add_note(score, n % N_TRACKS, note) != 0);
    }
    return score;
}

static uint8_t *bytes_of(const struct score *s, size_t *n)
{
    uint8_t *bytes;
    require(!smf_write(s, &bytes, n));
    return bytes;
}

/* -- what is played -- */

struct played {
    struct recording recording;
    struct held_keys held;
    struct live_event now;
};

/* Four bytes: how much later, and the message; a long step is the loop's end. */
static void take_event(struct source *s, struct played *p)
{
    int64_t step = take_ticks(s);
    if (step > 1 << 20 && p->recording.loop_to > p->recording.loop_from) {
        p->now.pass++;
        p->now.tick = (double)p->recording.loop_from;
    } else {
        p->now.tick += (double)step;
    }
    uint8_t message[3];
    for (int i = 0; i < 3; i++)
        message[i] = (uint8_t)take(s);
    message[0] |= 128;
    p->now.has_tick = step != 1;
    p->now.status = message[0];
    p->now.data1 = message[1] & 127; /* as midi/transport/live.c passes it on */
    p->now.data2 = message[2] & 127;
    held_keys_follow(&p->held, message);
    recording_feed(&p->recording, &p->now, message[0] % N_TRACKS, message[0] & 15);
}

static void check_held(struct held_keys *h)
{
    uint8_t message[3];
    int n = 0;
    for (; held_keys_end(h, message); n++) {
        require(n < MOST_HELD && message[0] >= 0x80 && message[0] < 0xf0);
        require(message[1] < 128 && message[2] < 128);
    }
    require(!held_keys_end(h, message));
}

static void take_recording(struct source *s, struct played *p)
{
    int64_t from = take_ticks(s), loop_from = take_ticks(s);
    *p = (struct played){0};
    recording_begin(&p->recording, from, take(s));
    recording_set_loop(&p->recording, loop_from, loop_from + take_ticks(s));
    p->now.tick = (double)(from - take(s));
    while (s->at < s->end)
        take_event(s, p);
    recording_end(&p->recording, (int64_t)p->now.tick, p->now.pass);
    check_held(&p->held);
}

/* -- what becomes of it -- */

static void check_track(const struct track *t)
{
    for (size_t i = 0; i < t->n_notes; i++)
        require(note_is_valid(&t->notes[i]) &&
                (!i || note_compare(&t->notes[i - 1], &t->notes[i]) < 0));
}

static void check_pass(struct score *score, struct history *h,
                       const struct recording *r, unsigned pass,
                       const struct record_span *span)
{
    struct change *c = record_change(score, r, pass, span, "record");
    require(c && !history_do(h, score, c));
    for (int t = 0; t < N_TRACKS; t++)
        check_track(&score->tracks[t]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct source s = {bytes, bytes + n_bytes};
    struct played p;
    if (n_bytes > MOST_BYTES)
        return 0;
    struct record_span span = {.mode = (enum record_mode)(take(&s) % 4),
                               .tracks = (uint64_t)take(&s) % (1 << N_TRACKS)};
    span.from = take_ticks(&s);
    span.to = span.from + take_ticks(&s);
    auto_score *score = take_score(&s);
    auto_history *h = history_create();
    size_t n, n_again;
    uint8_t *before = bytes_of(score, &n), *again;
    require(h != NULL);
    take_recording(&s, &p);
    for (unsigned pass = 0; pass <= p.now.pass; pass++)
        check_pass(score, h, &p.recording, pass, &span);
    require(!history_go(h, score, 0));
    again = bytes_of(score, &n_again);
    require(n_again == n && !memcmp(before, again, n));
    free(before);
    free(again);
    recording_fini(&p.recording);
    return 0;
}
