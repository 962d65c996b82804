/* Whatever hole is requested in whatever music, and however tokens are chosen among
 * the allowed ones: there always is one; it ends within hole_max_tokens; it decodes;
 * its notes lie in the hole, clear of all around it, and leave the rest alone. For a
 * request that is filled, and a sequence that goes on. */
#include "midi/tokens/grammar.h"
#include "tests/fuzz_replay.h"
#include "tests/midi/hole_oracle.h"

#include <string.h>

enum {
    MOST_BYTES = 768, /* 40 notes take 240, a token two */
    MOST_NOTES = 40,
    MOST_IDS = 1 << 16,
};

static int take_below(struct source *s, int n)
{
    return take(s) % n;
}

/* -- the music, and what is asked -- */

/* One byte after another, in the same order with every compiler. */
static int take_wide(struct source *s)
{
    int high = take(s);
    return high << 8 | take(s);
}

static void take_note(struct source *s, struct piece *p, int32_t end)
{
    struct grid_note *n = &p->notes[p->n_notes++];
    int step = take(s) << 2;
    n->step = (step | take_below(s, 4)) % end;
    n->length = 1 + take(s);
    n->track = (uint8_t)take_below(s, 4);
    n->pitch = (uint8_t)(take(s) & 127);
    n->velocity = (uint8_t)take_below(s, TOKEN_VELOCITIES);
}

/* All tracks are declared, so that any can be requested; every fourth is drums, or
 * as a byte says. */
static void take_families(struct source *s, struct piece *p)
{
    const int drums = take_below(s, 5);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        p->families[t] = (uint8_t)(t % 4 == drums ? FAMILY_DRUMS : t % 16);
    for (size_t i = 0; i < p->n_notes; i++)
        if (piece_is_hit(p, &p->notes[i]))
            p->notes[i].pitch = (uint8_t)(HIT_FIRST + p->notes[i].pitch % HIT_COUNT);
}

/* Up to eight bars, in a meter that may change once. */
static struct piece take_piece(struct source *s)
{
    struct piece p;
    require(!piece_alloc(&p, (enum style)take_below(s, STYLE_COUNT), MOST_NOTES, 0, 2));
    p.n_meters = 1;
    p.n_bars = 1 + take_below(s, 8);
    p.meters[0].numerator = (int16_t)(1 + take_below(s, 9));
    p.meters[0].denominator = (int16_t)(1 << take_below(s, 5));
    if (take_below(s, 2)) {
        p.meters[1] = p.meters[0];
        p.meters[1].step = (int32_t)piece_bar_start(&p, take_below(s, 4));
        p.meters[1].numerator = (int16_t)(1 + take_below(s, 9));
        p.n_meters =
            p.meters[1].step > 0 && p.meters[1].numerator != p.meters[0].numerator ? 2
                                                                                   : 1;
    }
    p.n_bars =
        p.n_meters == 2 ? (int32_t)piece_bar_at(&p, p.meters[1].step) + 1 : p.n_bars;
    for (int n = take_below(s, MOST_NOTES + 1); n > 0; n--)
        take_note(s, &p, (int32_t)piece_bar_start(&p, p.n_bars));
    take_families(s, &p);
    piece_sort(&p);
    return p;
}

static int take_level(struct source *s, int n)
{
    return take_below(s, n + 1) - 1;
}

/* A bar or two long, so that taking every note does not take minutes. */
static struct fill_request take_request(struct source *s)
{
    struct fill_request q = {.from = take(s) << 2};
    q.pitch_lo = (uint8_t)(take(s) & 127);
    q.tracks = (uint64_t)(1 + take_below(s, 15));
    q.tracks <<= take_below(s, 60);
    q.density = take_level(s, FILL_DENSITIES);
    q.polyphony = take_level(s, FILL_POLYPHONIES);
    q.length = take_level(s, FILL_LENGTHS);
    q.height = take_level(s, FILL_REGISTERS);
    q.to = q.from + 1 + take(s);
    q.pitch_hi = (uint8_t)(q.pitch_lo + take_below(s, 128 - q.pitch_lo));
    return q;
}

/* Further limits of the hole. */
static void take_limits(struct source *s, struct hole *h)
{
    h->scale = (uint16_t)take_wide(s);
    const int voices = take_below(s, 4), low = take(s) & 63,
              high = 127 - (take(s) & 63);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        h->max_polyphony[t] = (voices + t) % 4;
        h->low[t] = (uint8_t)(t % 3 ? low : 0);
        h->high[t] = (uint8_t)(t % 5 ? high : 127);
    }
    h->min_notes = take_below(s, 12);
    if (take_below(s, 4) == 0) {
        h->from += take(s) - 128;
        h->to += take(s) - 128;
        h->pitch_hi = (uint8_t)take(s);
    }
}

/* -- choosing -- */

struct walk {
    struct grammar *g;
    int32_t ids[MOST_IDS];
    size_t n;
};

static void feed(struct walk *w, int32_t id)
{
    require(w->n < MOST_IDS && grammar_feed(w->g, id) == MIDI_OK);
    w->ids[w->n++] = id;
}

static void feed_all(struct walk *w, const struct tokens *t)
{
    for (size_t i = 0; i < t->n; i++)
        feed(w, t->id[i]);
}

/* Each is 0 or 1, and n are 1. */
static void check_mask(const uint8_t *allowed, int n)
{
    int n_ones = 0;
    bool is_mask = true;
    for (int i = 0; i < TOKEN_COUNT; i++) {
        n_ones += allowed[i];
        is_mask &= allowed[i] <= 1;
    }
    require(n > 0 && n == n_ones && is_mask);
}

/* When no bytes are left, takes the first way out: FILL_END is the last of all
 * tokens, BAR the first of those possible here. */
static int32_t choose(struct source *s, const uint8_t *allowed, int n, bool ends_last)
{
    if (s->at == s->end)
        return nth_allowed(allowed, ends_last ? n - 1 : 0);
    return nth_allowed(allowed, take_wide(s) % n);
}

static void sample(struct walk *w, struct source *s, const struct hole *h,
                   bool ends_last)
{
    uint8_t allowed[TOKEN_COUNT];
    size_t n_before = w->n;
    int64_t most = hole_max_tokens(h);
    while (!grammar_done(w->g)) {
        int n = grammar_allow(w->g, allowed);
        check_mask(allowed, n);
        require(allowed[TOKEN_PAD] ||
                grammar_feed(w->g, TOKEN_COUNT + TOKEN_PAD) == MIDI_BAD_TOKEN);
        require((int64_t)(w->n - n_before) < most);
        feed(w, choose(s, allowed, n, ends_last));
    }
    require(grammar_allow(w->g, allowed) == 0);
}

/* -- a request, filled -- */

static void check_filled(const struct walk *w, const struct asked *a)
{
    auto_fill back;
    require(w->ids[w->n - 1] == TOKEN_FILL_END && !fill_decode(&back, w->ids, w->n));
    require(pieces_equal(&back.around, &a->fill.around));
    require(requests_equal(&back.request, &a->fill.request));
    require(all_fit(a, &back.inside));
}

static void fill(struct walk *w, struct source *s, const struct piece *p)
{
    struct tokens t;
    struct asked a = {0};
    struct fill_request q = take_request(s);
    require(!fill_split(&a.fill, p, &q, NULL));
    a.fill.inside.n_notes = 0;
    a.hole = hole_from_request(&q);
    a.hole.drums = piece_drums(p);
    take_limits(s, &a.hole);
    grammar_start(w->g, &a.hole);
    if (!fill_encode(&t, &a.fill, false)) {
        feed_all(w, &t);
        sample(w, s, &a.hole, true);
        check_filled(w, &a);
        tokens_fini(&t);
    }
    fill_fini(&a.fill);
}

/* -- a sequence that goes on -- */

static void check_went_on(const struct walk *w, const struct hole *h, size_t n_context)
{
    auto_piece p;
    require(!tokens_decode(&p, w->ids, w->n));
    for (size_t i = n_context; i < p.n_notes; i++) {
        const struct grid_note *n = &p.notes[i];
        require(n->step >= h->from && n->step + n->length <= h->to);
        require(h->tracks[n->track] && is_pitch_of(h, &p, n));
        require(!overlaps_any(p.notes, i, n));
    }
    require(grammar_bar_start(w->g) >= h->to);
}

static void go_on(struct walk *w, struct source *s, const struct piece *p)
{
    auto_tokens t;
    struct fill_request q = take_request(s);
    struct hole h = hole_from_request(&q);
    h.drums = piece_drums(p);
    take_limits(s, &h);
    require(!tokens_encode(&t, p, false));
    grammar_start(w->g, &h);
    feed_all(w, &t);
    sample(w, s, &h, false);
    check_went_on(w, &h, p->n_notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    static struct walk w;
    if (n_bytes > MOST_BYTES)
        return 0;
    struct source s = {bytes, bytes + n_bytes};
    w.g = w.g ? w.g : grammar_create();
    w.n = 0;
    require(w.g != NULL);
    bool is_request = take_below(&s, 2) == 0;
    auto_piece p = take_piece(&s);
    if (is_request)
        fill(&w, &s, &p);
    else
        go_on(&w, &s, &p);
    return 0;
}
