#include "midi/sound/metronome.h"

#include "midi/base/larger.h"

enum {
    NOTE_ON_DRUMS = 0x99,
    HIGH_WOOD_BLOCK = 76,
    LOW_WOOD_BLOCK = 77,
    MAX_COUNTED_BARS = 16,
};

static enum click_strength strength_of(int beat, int numerator, int denominator)
{
    bool is_compound = denominator >= 8 && numerator > 3 && numerator % 3 == 0;
    if (beat == 0)
        return CLICK_BAR;
    return is_compound && beat % 3 ? CLICK_INSIDE : CLICK_BEAT;
}

struct click click_at(const struct timeline *t, int64_t tick)
{
    struct bar bar = timeline_bar_at(t, tick);
    int64_t missing, beat = timeline_beat_ticks(t, tick);
    const struct meter m = timeline_meter(t, tick, &missing);
    int64_t n = tick > bar.start ? (tick - bar.start + beat - 1) / beat : 0;
    if (n * beat >= bar.length) /* a cut bar has fewer beats */
        return (struct click){bar.start + bar.length, CLICK_BAR};
    return (struct click){
        bar.start + n * beat,
        strength_of((int)(n + missing / beat), m.numerator, m.denominator)};
}

struct message click_message(enum click_strength strength, int volume)
{
    static const uint8_t velocities[] = {
        [CLICK_BAR] = 120, [CLICK_BEAT] = 92, [CLICK_INSIDE] = 56};
    int velocity = velocities[strength] * volume / CLICK_VOLUME_MOST;
    return (struct message){.status = NOTE_ON_DRUMS,
                            .data1 = strength == CLICK_BAR ? HIGH_WOOD_BLOCK
                                                           : LOW_WOOD_BLOCK,
                            .data2 = (uint8_t)(velocity > 1 ? velocity : 1)};
}

void count_in_init(struct count_in *c, const struct timeline *t, int64_t from_tick,
                   int n_bars)
{
    int64_t missing;
    const struct meter m = timeline_meter(t, from_tick, &missing);
    const int64_t beat = larger(1, 4 * (int64_t)t->ticks_per_quarter / m.denominator),
                  into = from_tick - timeline_bar_at(t, from_tick).start + missing;
    double tick_ms = 60e3 / timeline_bpm(t, from_tick) / t->ticks_per_quarter;
    int64_t n = n_bars < 0 ? 0 : n_bars > MAX_COUNTED_BARS ? MAX_COUNTED_BARS : n_bars;
    /* The first click is so many ticks after the start of the count-in; then there is
     * one each beat. */
    int64_t first = (beat - into % beat) % beat;
    int64_t length = n * m.bar_ticks;
    *c = (struct count_in){
        .length_ms = (double)length * tick_ms,
        .first_ms = (double)first * tick_ms,
        .beat_ms = (double)beat * tick_ms,
        .n = length > first ? (int)((length - first + beat - 1) / beat) : 0,
        .phase = (int)((into + first) / beat % m.numerator),
        .numerator = m.numerator,
        .denominator = m.denominator,
    };
}

static double ms_of(const struct count_in *c, int i)
{
    return c->start_ms + c->first_ms + i * c->beat_ms;
}

bool count_in_next(struct count_in *c, double until_ms, double *ms,
                   enum click_strength *strength)
{
    if (c->next >= c->n || ms_of(c, c->next) >= until_ms)
        return false;
    *ms = ms_of(c, c->next);
    *strength =
        strength_of((c->phase + c->next) % c->numerator, c->numerator, c->denominator);
    c->next++;
    return true;
}

void count_in_take_back(struct count_in *c, double from_ms)
{
    while (c->next > 0 && ms_of(c, c->next - 1) >= from_ms)
        c->next--;
}
