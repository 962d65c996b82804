#include "midi/tokens/hole.h"

#include "midi/base/larger.h"

void hole_free_tracks(struct hole *h)
{
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        h->low[t] = 0;
        h->high[t] = N_PITCHES - 1;
        h->max_polyphony[t] = 0;
    }
}

struct hole hole_from_request(const struct fill_request *r)
{
    struct hole h = {
        .from = r->from, .to = r->to, .pitch_lo = r->pitch_lo, .pitch_hi = r->pitch_hi};
    hole_free_tracks(&h);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        h.tracks[t] = r->tracks >> t & 1;
    return h;
}

struct hole hole_intersect(const struct hole *a, const struct hole *b)
{
    struct hole h = *a;
    h.from = larger(a->from, b->from);
    h.to = smaller(a->to, b->to);
    h.pitch_lo = b->pitch_lo > h.pitch_lo ? b->pitch_lo : h.pitch_lo;
    h.pitch_hi = b->pitch_hi < h.pitch_hi ? b->pitch_hi : h.pitch_hi;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        h.tracks[t] = h.tracks[t] && b->tracks[t];
        h.low[t] = b->low[t] > h.low[t] ? b->low[t] : h.low[t];
        h.high[t] = b->high[t] < h.high[t] ? b->high[t] : h.high[t];
    }
    return h;
}

bool hole_takes_pitch(const struct hole *h, int track, int pitch)
{
    if (pitch < h->low[track] || pitch > h->high[track])
        return false;
    if (h->drums >> track & 1)
        return is_hit_key(pitch);
    return pitch >= h->pitch_lo && pitch <= h->pitch_hi &&
           (h->scale == 0 || (h->scale >> pitch % 12 & 1));
}

struct hole hole_clip(const struct hole *h)
{
    struct hole clipped = *h;
    clipped.from = larger(0, smaller(h->from, TOKEN_MAX_STEPS));
    clipped.to = larger(0, smaller(h->to, TOKEN_MAX_STEPS));
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        int low = 0, high = N_PITCHES - 1;
        while (low < N_PITCHES && !hole_takes_pitch(h, t, low))
            low++;
        while (high >= 0 && !hole_takes_pitch(h, t, high))
            high--;
        clipped.low[t] = (uint8_t)(low <= high ? low : 1);
        clipped.high[t] = (uint8_t)(low <= high ? high : 0);
    }
    return clipped;
}
