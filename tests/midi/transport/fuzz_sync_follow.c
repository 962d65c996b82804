/* Whatever clock another instrument sends, however unevenly: position and speed are
 * valid numbers, and the position stands while the clock is stopped. */
#include "midi/transport/sync_follow.h"
#include "tests/fuzz_replay.h"

#include <math.h>

enum { MOST_BYTES = 4096, LEAST_BPM = 9, MOST_BPM = 1000, LAST_PLACE = 6 * 16383 };

static void check(const struct sync_follow *f, double ms, int n_clocks)
{
    double bpm = sync_follow_bpm(f);
    require(bpm == 0 || (bpm > LEAST_BPM && bpm < MOST_BPM));
    require(f->n >= 0 && f->n <= n_clocks && isfinite(f->ms) && isfinite(f->error_ms));
    require(isfinite(f->position) && f->position >= 0);
    require(f->position <= LAST_PLACE + 13.0 * n_clocks);
    require(!f->n || isfinite(sync_follow_position(f, ms)));
    require(!sync_follow_is_alive(f, ms) || f->n > 0);
}

/* Only a clock or a song position moves it. */
static void check_event(const struct sync_follow *before, const struct sync_follow *f,
                        uint8_t status, enum sync_event e)
{
    require(e != SYNC_STARTED || (status == 0xf8 && before->is_begun && f->is_running));
    require(e != SYNC_STOPPED || (status == 0xfc && !f->is_running));
    require(e != SYNC_MOVED || (status == 0xf2 && !f->is_running));
    if (status == 0xf8 && !before->is_running)
        require(f->position == before->position);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    static const uint8_t KINDS[] = {0xf8, 0xf8, 0xf8, 0xf8, 0xfa, 0xfb, 0xfc, 0xf2};
    struct sync_follow f = {0};
    int n_clocks = 0;
    double ms = 1e6;
    if (n_bytes > MOST_BYTES)
        return 0;
    for (size_t i = 0; i + 2 <= n_bytes; i += 2) {
        struct sync_follow before = f;
        struct sync_message m = {.status = KINDS[bytes[i] % 8],
                                 .data1 = bytes[i] >> 1,
                                 .data2 = bytes[i + 1]};
        if (bytes[i] >= 0xf0)
            m.status = bytes[i];
        int gap = bytes[i + 1]; /* from none to half an hour; mostly like a clock's */
        ms = m.ms = ms + (gap < 200 ? gap / 4.0 : ldexp(1, (gap - 200) % 22));
        n_clocks += m.status == 0xf8;
        enum sync_event e = sync_follow_feed(&f, &m, 60e3 / 24 / 120);
        check_event(&before, &f, m.status, e);
        check(&f, ms, n_clocks);
    }
    return 0;
}
