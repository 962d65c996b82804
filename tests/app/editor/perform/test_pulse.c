/* What the stress test makes of the clicks it hears: each that is off is found, and where
 * playing was begun again one interval of any length is not. */
#include "tests/check.h"
#include "tests/app/pulse.h"

#include <string.h>

enum { CLICKS = 40 };

static struct heard {
    struct pulse pulse;
    double s[CLICKS];
    int n;
} h;

/* A click each half second, from 0.2 s on. */
FIXTURE(begin)
{
    memset(&h, 0, sizeof h);
    h.pulse.period_s = 0.5;
    h.pulse.late_s = 0.005;
    h.pulse.slack_s = 0.25;
    h.pulse.begun_ms[h.pulse.n_begun++] = 1000;
    h.s[h.n++] = 0.2;
    return 0;
}

static void click(int n)
{
    for (; n > 0; n--, h.n++)
        h.s[h.n] = h.s[h.n - 1] + 0.5;
}

/* Playing is begun again so long after the last click, and heard late_s after that. */
static void begin_again(double after_s, double late_s)
{
    double at = h.s[h.n - 1] + after_s;
    h.pulse.begun_ms[h.pulse.n_begun++] = 1000 + 1e3 * (at - h.s[0]);
    h.s[h.n++] = at + late_s;
}

static int n_off(void)
{
    return pulse_check(&h.pulse, h.s, h.n).n_off;
}

TEST_IN(what_is_begun_again_is_not_off, begin, NULL)
{
    static const double AFTER[] = {0.1, 0.2, 0.35, 0.499, 0.5, 0.501, 0.7};
    for (size_t i = 0; i < sizeof AFTER / sizeof *AFTER; i++) {
        click(3);
        begin_again(AFTER[i], 0.002);
    }
    assert_int_equal(n_off(), 0);
    assert_true(pulse_check(&h.pulse, h.s, h.n).begins_ms < 2.1);
}

/* Begun so soon after a click that its own is not told from that one. */
TEST_IN(a_click_that_is_not_heard_is_not_missed, begin, NULL)
{
    click(3);
    h.pulse.begun_ms[h.pulse.n_begun++] = 1000 + 1e3 * (h.s[3] + 0.05 - h.s[0]);
    h.s[h.n++] = h.s[3] + 0.55;
    click(3);
    begin_again(0.3, 0);
    click(3);
    assert_int_equal(n_off(), 0);
}

TEST_IN(a_late_click_is_found, begin, NULL)
{
    click(3);
    begin_again(0.3, 0);
    click(12);
    h.s[10] += 0.006;
    struct pulse_report r = pulse_check(&h.pulse, h.s, h.n);
    assert_int_equal(r.n_off, 2); /* before it and after */
    assert_int_equal(r.n_stalled, 0);
    assert_true(fabs(r.worst_ms - 6) < 0.01);
}

TEST_IN(a_missing_click_is_found, begin, NULL)
{
    click(12);
    memmove(&h.s[6], &h.s[7], (size_t)(h.n - 7) * sizeof *h.s);
    h.n--;
    assert_int_equal(n_off(), 1);
}

/* Playing that is begun once is no reason for two. */
TEST_IN(one_beginning_is_one_excuse, begin, NULL)
{
    click(3);
    begin_again(0.3, 0);
    h.s[h.n] = h.s[h.n - 1] + 0.45;
    h.n++;
    assert_int_equal(n_off(), 1);
}

/* Only a standstill that is longer than the click is late, and was there then. */
TEST_IN(a_standstill_is_told_apart, begin, NULL)
{
    click(12);
    h.s[10] += 0.03;
    double at_ms = 1000 + 1e3 * (h.s[10] - h.s[0]);
    h.pulse.stalls.list[0].at_ms = at_ms - 100;
    h.pulse.stalls.list[0].ms = 20;
    h.pulse.stalls.list[1].at_ms = at_ms - 3000;
    h.pulse.stalls.list[1].ms = 90;
    atomic_store(&h.pulse.stalls.n, 2);
    assert_int_equal(pulse_check(&h.pulse, h.s, h.n).n_stalled, 0);
    h.pulse.stalls.list[0].ms = 90;
    assert_int_equal(pulse_check(&h.pulse, h.s, h.n).n_stalled, 2);
}
