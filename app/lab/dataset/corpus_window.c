/* Drawing windows of tokens from the pieces. A training window is a random run of bars,
 * transposed and made louder or softer, under its style or under none, plain or with a
 * hole; rows are filled with one window after another. Every choice comes from a generator
 * seeded by (seed, step, row), so nothing needs to be saved. */
#include "app/lab/dataset/corpus_row.h"

#include "app/base/draw.h"

enum {
    LOWEST = 21, /* the piano's keys: transposing stays on them */
    HIGHEST = 108,
    MAX_LOUDER = 4,
    MAX_WINDOWS = 4096, /* in one row: more would be a bug */
    HOLE_SEED = 1,      /* of the holes that are measured */
};

/* Anything in [low, high], or 0 when that leaves no room for 0. */
static int sample_shift(struct rng *r, int low, int high)
{
    return low <= high && low <= 0 && high >= 0 ? low + draw_below(r, high - low + 1)
                                                : 0;
}

/* Shifts that keep every note of the piece in range, so none collide. */
static void sample_shifts(struct corpus_view *w, struct rng *r)
{
    const struct piece *p = &w->from->piece;
    int low = 127, high = 0, soft = TOKEN_VELOCITIES, loud = 0;
    for (size_t i = 0; i < p->n_notes; i++) {
        if (!piece_is_hit(p, &p->notes[i])) {
            low = at_most(low, p->notes[i].pitch);
            high = at_least(high, p->notes[i].pitch);
        }
        soft = at_most(soft, p->notes[i].velocity);
        loud = at_least(loud, p->notes[i].velocity);
    }
    w->transpose =
        sample_shift(r, at_least(-5, LOWEST - low), at_most(6, HIGHEST - high));
    w->louder = sample_shift(r, at_least(-MAX_LOUDER, -soft),
                             at_most(MAX_LOUDER, TOKEN_VELOCITIES - 1 - loud));
}

static bool sample_share(struct rng *r, double share)
{
    return share > 0 && (double)rng_uniform(r) < share;
}

/* Shares of windows: with some of the tracks only, each of which stays with this chance; and
 * with notes that end early, as in files that sequencers export (a model that never saw such
 * lengths lost 0.35 to 0.58 nats a note on them). */
static const double FEWER = 0.25, STAYS = 0.6, GATED = 1.0 / 3;
enum { SHORTEST_GATE = 70, LONGEST_GATE = 97 }; /* hundredths */

/* One at least; 0: all. */
static uint64_t sample_tracks_kept(const struct piece *p, struct rng *r)
{
    const uint64_t used = piece_tracks(p);
    uint64_t keep = 0;
    if (!sample_share(r, FEWER) || !(used & (used - 1)))
        return 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (used >> t & 1 && sample_share(r, STAYS))
            keep |= UINT64_C(1) << t;
    while (!keep)
        keep = used & UINT64_C(1) << draw_below(r, TOKEN_MAX_TRACKS);
    return keep;
}

/* Of rows that are not of the mixture's lengths: those of the longest. */
static const double *cumulative_for(const struct corpus *c, int length)
{
    for (int k = 0; k < c->n_lengths; k++)
        if (c->lengths[k].tokens == length)
            return c->lengths[k].cumulative;
    return c->lengths[0].cumulative;
}

enum midi_status corpus_sample(const struct corpus *c, uint64_t seed, uint64_t step,
                               int index, const struct corpus_sequence *to)
{
    struct rng r = draw_rng(seed, step, index);
    const double *cumulative = cumulative_for(c, to->length);
    const int n_pieces = c->n_pieces[CORPUS_TRAIN];
    const struct corpus_piece *pieces = c->pieces[CORPUS_TRAIN];
    struct corpus_row row;
    if (c->is_grid)
        return grid_window_sample(
            c, &pieces[draw_weighted(&r, cumulative, n_pieces)].grid, &r, to);
    enum midi_status st = corpus_row_init(&row, to->length);
    for (int windows = 0; !st && row.n < row.capacity && windows < MAX_WINDOWS;
         windows++) {
        struct corpus_view w = {.from =
                                    &pieces[draw_weighted(&r, cumulative, n_pieces)]};
        if (draw_below(&r, 4))
            w.first_bar = draw_below(&r, w.from->piece.n_bars);
        w.style = draw_below(&r, 5) ? w.from->piece.style : STYLE_ANY;
        sample_shifts(&w, &r);
        w.has_hole = sample_share(&r, c->shares.holes);
        w.has_chords = sample_share(&r, c->shares.chords);
        w.keep = sample_tracks_kept(&w.from->piece, &r);
        if (sample_share(&r, GATED))
            w.gate = SHORTEST_GATE + draw_below(&r, LONGEST_GATE - SHORTEST_GATE + 1);
        st = corpus_row_add(&row, &w, &r);
    }
    if (!st)
        corpus_row_split(&row, to);
    corpus_row_fini(&row);
    return st;
}

int corpus_group_in_turn(const struct corpus *c, enum corpus_split split, int index,
                         int *n)
{
    *n = 0;
    for (int i = 0; i < c->n_groups; i++)
        *n += c->groups[i].n_pieces[split] > 0;
    for (int i = 0, turn = *n ? index % *n : 0; i < c->n_groups; i++)
        if (c->groups[i].n_pieces[split] > 0 && turn-- == 0)
            return i;
    return -1;
}

const struct corpus_piece *corpus_nth_piece(const struct corpus *c,
                                            enum corpus_split split, int group, int k)
{
    for (int i = 0; i < c->n_pieces[split]; i++)
        if (c->pieces[split][i].group == group && k-- == 0)
            return &c->pieces[split][i];
    return NULL;
}

/* Groups in turn; within one, pieces evenly; every other window begins its
 * piece, the others begin in the middle. */
bool corpus_fixed_view(const struct corpus *c, enum corpus_split split, int index,
                       int count, struct corpus_view *w)
{
    int n_groups;
    const int group = corpus_group_in_turn(c, split, index, &n_groups);
    if (group < 0)
        return false;
    int turn = index / n_groups, turns = (count + n_groups - 1) / n_groups;
    int k = (int)((int64_t)turn * c->groups[group].n_pieces[split] / turns);
    const struct corpus_piece *p = corpus_nth_piece(c, split, group, k);
    *w = (struct corpus_view){
        .from = p,
        .first_bar = turn % 2 ? p->piece.n_bars / 2 : 0,
        .style = p->piece.style,
    };
    return true;
}

int corpus_n_windows(const struct corpus *c, enum corpus_split split, int wanted,
                     int length)
{
    struct grid_window unused;
    if (c->is_grid)
        return grid_window_find(c, split, length, -1, &unused);
    return c->n_pieces[split] ? wanted : 0;
}

enum midi_status corpus_window(const struct corpus *c, enum corpus_split split,
                               enum corpus_window_kind kind, int index, int count,
                               const struct corpus_sequence *to)
{
    struct rng r = draw_rng(HOLE_SEED, (uint64_t)index, 0);
    struct corpus_view w;
    struct corpus_row row;
    if (c->is_grid)
        return grid_window_fill(c, split, index, to);
    enum midi_status st = corpus_row_init(&row, to->length);
    if (!st && !corpus_fixed_view(c, split, index, count, &w))
        st = MIDI_EMPTY;
    const bool has_hole = kind == CORPUS_HOLE || kind == CORPUS_MISSING;
    if (!st && kind == CORPUS_HOLE) {
        st = corpus_row_add_hole(&row, &w, &r);
    } else if (!st && kind == CORPUS_MISSING) {
        int n_groups;
        corpus_group_in_turn(c, split, index, &n_groups);
        st = corpus_row_add_missing(&row, &w, index / n_groups);
    } else if (!st) {
        w.has_chords = kind == CORPUS_CHORDS;
        st = corpus_row_add_plain(&row, &w, w.has_chords);
    }
    if (has_hole && (st == MIDI_EMPTY || st == MIDI_TOO_LONG))
        st = MIDI_OK; /* all padding */
    if (!st)
        corpus_row_split(&row, to);
    for (int i = 0; has_hole && !st && i < to->length; i++) {
        if (to->tokens[i] == TOKEN_FILL)
            break;
        to->targets[i] = -1; /* only the hole's own notes, and its end, are measured */
    }
    corpus_row_fini(&row);
    return st;
}
