/* What the stress test makes of the clicks it hears: each that is off is found, and where
 * playing was begun again one interval of any length is not. */
#include "tests/check.h"
#include "tests/app/pulse.h"

enum { CLICKS = 40 };

static struct pulse pulse;
static double s[CLICKS];
static int n;

/* Of a click each half second, from 0.2 s on: "3c" are three clicks more, "0.3b" is playing that
 * is begun again so long after the last, and heard 2 ms after that, "0.45x" a click without such
 * a reason; "0.05m" is begun so soon after a click that its own is not told from that one; click
 * "10>6" is 6 ms late, "6-" is not there; "100w90" the machine stood still for 90 ms, 100 ms
 * before click 10. */
static struct pulse_report heard(const char *text)
{
    pulse = (struct pulse){.period_s = 0.5,
                           .late_s = 0.005,
                           .slack_s = 0.25,
                           .begun_ms = {1000},
                           .n_begun = 1};
    s[0] = 0.2;
    n = 1;
    for (char *at = (char *)(uintptr_t)text; *at;) {
        const double x = strtod(at, &at), last = s[n - 1];
        const char what = *at++;
        if (what == 'b' || what == 'm')
            pulse.begun_ms[pulse.n_begun++] = 1000 + 1e3 * (last + x - s[0]);
        for (int k = 0; what == 'c' && k < x; k++, n++)
            s[n] = s[n - 1] + 0.5;
        if (what == 'b' || what == 'x')
            s[n++] = last + x + (what == 'b') * 0.002;
        if (what == 'm')
            s[n++] = last + x + 0.5;
        if (what == '>')
            s[(int)x] += strtod(at, &at) / 1e3;
        if (what == '-')
            memmove(&s[(int)x], &s[(int)x + 1], (size_t)(--n - (int)x) * sizeof *s);
        if (what == 'w') {
            pulse.stalls.list[0].at_ms = 1000 + 1e3 * (s[10] - s[0]) - x;
            pulse.stalls.list[0].ms = strtod(at, &at);
            atomic_store(&pulse.stalls.n, 1);
        }
    }
    return pulse_check(&pulse, s, n);
}

TEST(clicks_that_are_off_are_found)
{
    static const struct {
        const char *heard;
        int n_off, n_stalled;
    } CASES[] = {
        {"3c 0.1b 3c 0.2b 3c 0.35b 3c 0.499b 3c 0.5b 3c 0.501b 3c 0.7b", 0, 0},
        {"3c 0.05m 3c 0.3b 3c", 0, 0},
        {"3c 0.3b 12c 10>6", 2, 0}, /* before it and after */
        {"12c 6-", 1, 0},
        {"3c 0.3b 0.45x", 1, 0}, /* one beginning is one excuse */
        /* Only a standstill that is longer than the click is late, and was there then. */
        {"12c 10>30 100w20", 2, 0},
        {"12c 10>30 3000w90", 2, 0},
        {"12c 10>30 100w90", 2, 2},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct pulse_report r = heard(CASES[i].heard);
        if (r.n_off != CASES[i].n_off || r.n_stalled != CASES[i].n_stalled)
            fail_msg("%s: %d off, %d with the machine", CASES[i].heard, r.n_off,
                     r.n_stalled);
        assert_true(r.begins_ms < 2.1);
    }
    assert_true(fabs(heard("12c 10>6").worst_ms - 6) < 0.01);
}
