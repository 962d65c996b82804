/* See rules_aim.h. */
#include "app/decoding/rules_aim.h"

/* Weight of the control bias for each unit of guidance above 1, which is as learnt. A band's controls
 * are not the user's. */
#define BIAS_PER_GUIDANCE 0.9f
#define BIAS_OF_BAND      0.6f

/* The weight of a close for which nobody asked, but the given phrases. */
#define CLOSES_AS_GIVEN   0.9f

/* How strictly chords bind, of 1: people keep to those that are written in 0.84 of a bass's time
 * and 0.90 of a piano's; at 1 it is .99 and .96, at 0 .70 and .74. */
#define WRITTEN           0.5f
#define GUESSED           0.5f

/* What is requested may be unlike the piece, whose habits then count for less. */
static void let_differ(struct rules *r, const struct fill_request *q)
{
    if (q->density != FILL_ANY || q->polyphony != FILL_ANY || q->length != FILL_ANY ||
        q->height != FILL_ANY) {
        r->due = (struct due_bias){0};
        drift_bias_let_differ(&r->drift, q->height != FILL_ANY);
    }
}

/* What binds: the chords that are written there, or those of the plan, which an answer keeps to
 * itself. */
static void find_chords(struct rules *r, const struct context *c,
                        const struct track_facts *tracks, const struct rules_aim *a)
{
    static const float WEIGHTS[] = {[CHORDS_WRITTEN] = WRITTEN,
                                    [CHORDS_OTHERS] = GUESSED,
                                    [CHORDS_TUNE] = GUESSED,
                                    [CHORDS_FORM] = WRITTEN,
                                    [CHORDS_MODEL] = GUESSED};
    const struct piece *p = &c->music;
    const bool is_own = a->harmony->n > 0,
               goes_on = piece_note_at(p, a->to) < p->n_notes,
               is_written = p->n_chords && (r->is_band || goes_on ||
                                            p->chords[p->n_chords - 1].step >= a->from);
    /* The bass plays the lowest of the pitched tracks that play or will: a bass, or else that of the lowest
     * mean pitch, or middle of its range; of equals the last. */
    double least = INFINITY;
    int lowest = -1;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const bool is_missing = r->missing >> t & 1;
        const double mean = p->families[t] == FAMILY_BASSES ? 0
                            : tracks[t].n                   ? track_mean(&tracks[t])
                            : is_missing ? (c->hole.low[t] + c->hole.high[t]) / 2.0
                                         : INFINITY;
        if ((!tracks[t].n && !is_missing) || p->families[t] == FAMILY_DRUMS ||
            mean > least)
            continue;
        least = mean;
        lowest = t;
    }
    r->source = a->harmony->source;
    r->rate = a->harmony->rate;
    r->chords = (struct chord_bias){.chords = is_own ? a->harmony->chords : p->chords,
                                    .n = is_own ? a->harmony->n : p->n_chords,
                                    .bass = r->is_band ? -1 : lowest,
                                    .has_tensions = chord_plan_has_sevenths(a->style),
                                    .weight = r->is_band  ? 1
                                              : r->source ? WEIGHTS[r->source]
                                              : is_own || is_written ? WRITTEN
                                                                     : 0};
    for (int i = 0; r->is_band && i < TOKEN_MAX_TRACKS; i++)
        if (r->tracks >> i & 1 && c->roles[i] == BAND_BASS)
            r->chords.bass = i;
}

/* A take whose phrases end with a chord of all tracks closes with its last one, asked or not. */
static struct cadence find_cadence(const struct rules *r, const struct context *c,
                                   int64_t from, int64_t to)
{
    const struct piece *p = &c->music;
    const int64_t bar = piece_bar_start(p, piece_bar_at(p, to - 1));
    struct fill_request q = c->request;
    float weight = r->controls.weight;
    struct breath_bias given = {0};
    if (!rules_leave_out(r, "breath"))
        given = breath_bias_of(p, c->hole.from);
    const bool rests = breath_bias_is_chord(&given, p, bar);
    if (rests && !q.close && !c->is_hole) {
        q.close = true;
        q.tracks = given.plays; /* a continuation has named none */
        weight = CLOSES_AS_GIVEN;
    }
    struct cadence close = cadence_for(p, &c->signature, &q, from, to, weight);
    close.is_band |= rests; /* on the bar line, since nothing begins later */
    return close;
}

/* Where these rules hold, others do not: those that are left out are no gates for them. */
static void leave_gates(struct rules *r)
{
    if (rules_leave_out(r, "walk"))
        r->walks = false;
    if (rules_leave_out(r, "cadence"))
        r->cadence = (struct cadence){0};
    if (rules_leave_out(r, "parallel"))
        r->parallel = (struct parallel_bias){0};
    if (rules_leave_out(r, "form") || rules_leave_out(r, "parallel"))
        r->form = (struct form){0};
}

/* A tune that closes its section alone goes on with a new one; other tunes may begin like given bars,
 * if these do not go round themselves, and one that begins a score may repeat a bar of its own. */
static void find_copies(struct rules *r, const struct context *c)
{
    const struct piece *p = &c->music;
    struct drift_bias *d = &r->drift;
    const uint64_t tracks = piece_tracks(p);
    const bool is_alone = tracks && !(tracks & (tracks - 1)),
               goes_on = !r->missing && piece_note_at(p, c->hole.to) == p->n_notes;
    const int64_t first = piece_bar_at(p, c->hole.from), bar = bar_length(p, first),
                  n_bars = piece_bar_at(p, c->hole.to - 1) + 1 - first;
    const int line = r->begins  ? r->track
                     : is_alone ? __builtin_ctzll(tracks)
                                : r->tune;
    const bool is_new =
        is_alone && n_bars <= SECTION_BARS && !form_is_open(p, c->hole.from);
    if (line < 0 || (r->begins ? !band_role_is_first(r->role) : !goes_on))
        return;
    d->fresh = UINT64_C(1) << line;
    d->copied_to = r->begins ? INT64_MAX : r->from;
    d->may_copy = r->begins ? bar : is_new ? 0 : PHRASE_BARS / 2 * bar;
    if (!r->begins && !is_new && form_repeats(p, d->fresh, c->hole.from))
        d->fresh = 0;
}

void rules_aim(struct rules *r, const struct context *c, const struct rules_aim *a)
{
    const struct piece *p = &c->music;
    enum { BARS_AFTER = 8 };
    /* The music that is read: for a hole what lies around it, in all tracks, for a continuation what
     * lies before. */
    const int64_t from = a->from, after = piece_bar_at(p, a->to - 1) + 1 + BARS_AFTER,
                  end = c->is_hole ? piece_bar_start(p, after) : from;
    struct track_facts tracks[TOKEN_MAX_TRACKS];
    analyse_tracks(tracks, p, 0, p->n_notes);
    r->is_band = c->is_band;
    r->from = from;
    r->begin = c->hole.from;
    r->track = a->track;
    r->role = c->roles[a->track];
    r->tracks = c->request.tracks;
    r->missing = c->is_hole ? r->tracks & ~piece_tracks(p) : 0;
    r->controls = control_bias_for(&c->request, from,
                                   fmaxf(a->guidance - 1.0f, 0.0f) *
                                       (r->is_band ? BIAS_OF_BAND : BIAS_PER_GUIDANCE));
    r->breath = (struct breath_bias){0};
    if (!c->is_hole && !rules_leave_out(r, "breath"))
        r->breath = breath_bias_of(p, from);
    r->cadence = find_cadence(r, c, from, a->to);
    r->key_bias = key_bias_of(
        p, c->signature.scale || p->n_notes ? c->signature.scale : KEY_OF_C, from);
    find_chords(r, c, tracks, a);
    r->begins = r->is_band && r->source == CHORDS_WRITTEN; /* of nothing */
    if (r->begins && band_role_is_first(r->role) && !rules_leave_out(r, "breath"))
        r->breath = breath_bias_of_nothing(p, c->hole.from, r->track);
    if (r->is_band)
        r->parallel = (struct parallel_bias){0};
    r->tune = passing_tones_tune(p, tracks, r->chords.bass);
    const uint64_t bass = r->chords.bass < 0 ? 0 : UINT64_C(1) << r->chords.bass;
    r->highest = r->tune >= 0 ? r->tune
                              : find_outer_track(tracks, ~piece_drums(p) & ~bass, true);
    r->grid = 0;
    for (int k = 0; k < STEPS_PER_QUARTER; k++) {
        bool begins =
            k % (STEPS_PER_QUARTER / 4) == 0 || k % (STEPS_PER_QUARTER / 3) == 0;
        for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
            begins = begins || tracks[t].at[k];
        r->grid |= (uint32_t)begins << k;
    }
    r->has_figure = false;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        r->has_figure |= r->missing >> t & 1 && c->roles[t] == BAND_FIGURE;
    r->walks = walk_bias_is_due(p, tracks, a->style);
    r->walks_on = r->walks && !r->is_band && r->chords.bass >= 0 &&
                  !(r->missing >> r->chords.bass & 1) &&
                  walk_bias_goes_on(&tracks[r->chords.bass], from);
    r->groove = groove_of_new(tracks, ~hole_tracks(&c->hole), a->style);
    r->activity = activity_bias_of(p, from);
    drift_bias_init(&r->drift, p, from);
    find_copies(r, c);
    r->voice_leading = voice_leading_of(p, end, r->missing, &c->hole);
    r->clash = clash_bias_of(p, end);
    /* Other chords than those that are planned to close say what comes before. */
    if (r->chords.n && r->source != CHORDS_FORM && r->source != CHORDS_MODEL)
        r->cadence.before = r->cadence.from;
    r->due = (struct due_bias){0};
    r->turn = (struct turn_bias){0};
    if (!r->is_band) { /* which has a groove of its own */
        if (!rules_leave_out(r, "turn"))
            r->turn = turn_bias_of(p, from);
        due_bias_init(&r->due, p, from, c->hole.tracks,
                      piece_drums(p) || r->source == CHORDS_FORM);
    }
    if (c->is_hole && !r->is_band)
        let_differ(r, &c->request);
    leave_gates(r);
}

void rules_aim_again(struct rules *r, const struct context *c, int64_t from)
{
    const struct piece *p = &c->music;
    const int64_t bar = piece_bar_start(p, piece_bar_at(p, from));
    if (r->is_band || !r->missing || r->missing != c->request.tracks ||
        bar <= c->hole.from)
        return;
    due_bias_init(&r->due, p, bar, c->hole.tracks,
                  piece_drums(p) || r->source == CHORDS_FORM);
    let_differ(r, &c->request);
}

void rules_choose_form(struct rules *r, const struct context *c, uint64_t seed,
                       const struct continuation_options *o, bool may_form)
{
    const struct hole *h = &c->hole;
    const bool is_gap = o->hole.to_tick > 0;
    struct continuation_options other = *o;
    other.hole.close &= is_gap;
    r->parallel = (struct parallel_bias){0};
    /* A passage returns in a gap, and in a piece that has left its first key, for every other take, by its
     * seed, so that some are free. In many bars that should close all but the last return to the opening.
     * None returns if the user asked for something else: by a request, or by replacing notes. */
    const bool is_free = !c->is_band && !o->n_replaced && o->motif.kind == MOTIF_NONE &&
                         !continuation_has_controls(&other);
    if (is_free && is_gap && seed % 2)
        r->parallel = parallel_bias_of(&c->music, h->from, h->to, c->request.tracks);
    if (is_free && !is_gap && o->hole.close)
        r->parallel = parallel_bias_of_return(&c->music, h->from, h->to);
    if (!is_gap && r->parallel.to)
        r->parallel.to = piece_bar_start(&c->music, piece_bar_at(&c->music, h->to - 1));
    rules_check_parallel(r, &c->music);
    r->form = (struct form){0};
    /* Of takes of one section half are answers, and all that close. */
    struct rng rng = draw_rng(seed, c->music.n_notes, 0);
    const bool may = !r->chords.has_tensions;
    if (may && !may_form && r->begins)
        r->form = form_of_nothing(&c->music, c->hole.from, c->hole.to);
    else if (may && may_form && o->bars > SECTION_BARS)
        r->form =
            form_of(&c->music, r->from, c->hole.to, r->tune, r->chords.bass, &rng);
    else if (may && may_form && o->bars == SECTION_BARS && (seed % 2 || o->hole.close))
        r->form = form_of_answer(&c->music, r->from);
    leave_gates(r);
}
