/* The limits of each track of a hole: its instrument's range, or of a band, and of what is missing,
 * the register that it accompanies in; and one voice if it has been a line, or is a bass's. See
 * context.h. */
#include "app/decoding/context.h"

#include "app/base/draw.h"
#include "app/biases/rules.h"

#include "midi/score/general_midi.h"

enum { LEAST_LINE = 4 }; /* notes; fewer are not yet a line */

static const struct role {
    int low, high;  /* pitches; 0: any */
    double density; /* notes in a quarter; 0: any */
    double length;  /* of a note, steps; 0: any */
    int voices;     /* 0: any */
} ROLES[] = {
    [BAND_TUNE] = {55, 84, 1.3, 0, 1},  [BAND_SOLO] = {45, 84, 2, 0, 0},
    [BAND_BASS] = {28, 52, 0.7, 24, 1}, [BAND_CHORDS] = {48, 76, 2, 36, 3},
    [BAND_LINE] = {48, 79, 0.7, 0, 1},  [BAND_DRUMS] = {0},
    [BAND_FIGURE] = {0, 0, 2, 0, 2},
};

static void ask_voices(enum band_role role, struct fill_request *r)
{
    if (r->polyphony == FILL_ANY && ROLES[role].voices)
        r->polyphony = ROLES[role].voices - 1;
}

void band_role_ask(enum band_role role, struct fill_request *r)
{
    const struct role *is = &ROLES[role];
    if (r->density == FILL_ANY && is->density > 0)
        r->density = fill_density_level(is->density);
    if (r->length == FILL_ANY && is->length > 0)
        r->length = fill_length_level(is->length);
    ask_voices(role, r);
}

/* Adds the notes that will be rewritten, which come in any order. */
static void add_replaced(struct track_facts *had, const struct continuation_options *o,
                         int track)
{
    for (size_t i = 0; i < o->n_replaced; i++) {
        const struct note *n = &o->replaced[i].note;
        if (o->replaced[i].track != track)
            continue;
        had->low = at_most(had->low, n->pitch);
        had->high = at_least(had->high, n->pitch);
        had->n++;
        for (size_t k = 0; k < i && had->is_line; k++) {
            const struct note *other = &o->replaced[k].note;
            had->is_line = o->replaced[k].track != track ||
                           n->start >= other->start + other->length ||
                           other->start >= n->start + n->length;
        }
    }
}

static int program_of(const struct score *s, int track)
{
    bool is_there = track >= 0 && (size_t)track < s->n_tracks;
    return is_there ? track_meant_program(&s->tracks[track]) : 0;
}

/* Tracks without notes that will be lines: of instruments that are, no keyboards or guitars, or several
 * voices of a tune. */
static uint64_t find_new_lines(const struct context *c)
{
    uint64_t lines = c->is_hole && !c->is_band
                         ? voice_leading_missing(&c->music, c->request.tracks)
                         : 0;
    const bool are_several = lines & (lines - 1);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (!are_several && c->music.families[t] < FAMILY_BASSES)
            lines &= ~(UINT64_C(1) << t);
    return lines;
}

/* Returns the track's role in a band, by its program; BAND_NONE: it is not written on. */
static enum band_role role_of(const struct context *c, const struct score *s, int t)
{
    static const struct {
        uint8_t last; /* program */
        uint8_t role;
    } BY_PROGRAM[] = {
        {31, BAND_CHORDS}, /* keyboards and guitars */
        {39, BAND_BASS},    {42, BAND_LINE},   {43, BAND_BASS}, /* contrabass */
        {55, BAND_CHORDS},                     /* harp, strings and choirs */
        {57, BAND_LINE},    {58, BAND_BASS},   /* tuba */
        {60, BAND_LINE},    {63, BAND_CHORDS}, /* brass sections */
        {87, BAND_LINE},                       /* reeds, pipes, leads */
        {127, BAND_CHORDS},
    };
    const int program = program_of(s, c->track_map[t]) & 127;
    int i = 0;
    while (BY_PROGRAM[i].last < program)
        i++;
    return !c->hole.tracks[t]                ? BAND_NONE
           : piece_drums(&c->music) >> t & 1 ? BAND_DRUMS
                                             : (enum band_role)BY_PROGRAM[i].role;
}

bool context_forms_band(const struct context *c, const struct score *s)
{
    int n_rhythm = 0, n_others = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const enum band_role role = role_of(c, s, t);
        const bool is_rhythm = role == BAND_DRUMS || role == BAND_BASS;
        n_rhythm += is_rhythm;
        n_others += role != BAND_NONE && !is_rhythm;
    }
    return n_rhythm && n_others;
}

/* Whether another track lies as low as a bass, on the mean. */
static bool has_bass(const struct context *c, const struct track_facts *tracks, int t)
{
    enum { LOW = 52 };
    bool has = false;
    for (int u = 0; u < TOKEN_MAX_TRACKS; u++)
        has = has || (u != t && tracks[u].n && track_mean(&tracks[u]) < LOW &&
                      c->music.families[u] != FAMILY_DRUMS);
    return has;
}

/* Returns the role of a track without notes among the others: a bass, or the one keyboard or guitar,
 * which plays chords, or without a bass a figure. Without a role the bass climbs to the tune, and the
 * keyboard is one voice more, which follows the tune or the bass: an organ between a choir and a line
 * of basses did so in six bars of eight. */
static enum band_role role_of_missing(const struct context *c, const struct score *s,
                                      const struct track_facts *tracks, int t)
{
    const enum band_role role = role_of(c, s, t);
    const int family = c->music.families[t];
    const bool is_one = __builtin_popcountll(c->request.tracks) == 1,
               is_alone = is_one && !has_bass(c, tracks, t);
    return role == BAND_BASS ? BAND_BASS
           : is_alone && (family == FAMILY_PIANOS || family == FAMILY_GUITARS)
               ? BAND_FIGURE
           : is_one && (family == FAMILY_PIANOS || family == FAMILY_ORGANS)
               ? BAND_CHORDS
               : BAND_NONE;
}

void context_limit(struct context *c, const struct score *s,
                   const struct continuation_options *o)
{
    struct hole *hole = &c->hole;
    hole->drums = piece_drums(&c->music);
    hole_free_tracks(hole);
    const uint64_t new_lines = find_new_lines(c);
    const bool is_answer = o->end_tick > 0, /* which may begin over what sounds */
        wants_more = is_answer || o->hole.polyphony > 0 || o->max_polyphony > 1;
    struct track_facts tracks[TOKEN_MAX_TRACKS];
    analyse_tracks(tracks, &c->music, 0, c->music.n_notes);
    /* Each track of a band has its role. In an empty score the first track that plays one line, or else
     * the first that plays chords, has the tune; in one voice, if others play chords. */
    int tune = -1, n_others = 0;
    for (int t = 0; c->is_band && t < TOKEN_MAX_TRACKS; t++) {
        c->roles[t] = role_of(c, s, t);
        if (c->roles[t] != BAND_LINE && c->roles[t] != BAND_CHORDS)
            continue;
        n_others++;
        if (tune < 0 || c->roles[t] > c->roles[tune])
            tune = t;
    }
    if (tune >= 0 && !c->music.n_notes)
        c->roles[tune] = n_others > 1 ? BAND_TUNE : BAND_SOLO;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const int track = c->track_map[t];
        struct track_facts had = tracks[t];
        if (hole->drums >> t & 1 && o->hole.to_tick) { /* these keys alone */
            hole->low[t] = hole->pitch_lo;
            hole->high[t] = hole->pitch_hi;
        }
        if (!hole->tracks[t] || (hole->drums >> t & 1))
            continue;
        add_replaced(&had, o, track);
        if (c->is_hole && !c->is_band && !had.n)
            c->roles[t] = role_of_missing(c, s, tracks, t);
        if (c->roles[t] == BAND_CHORDS && !c->is_band)
            ask_voices(BAND_CHORDS, &c->request);
        if (c->roles[t] == BAND_FIGURE)
            band_role_ask(BAND_FIGURE, &c->request);
        /* The instrument's range, and what it has played; the request overrides both. */
        int low = 0, high = N_PITCHES - 1;
        gm_program_range(program_of(s, track), &low, &high);
        low = at_most(had.low, low);
        high = at_least(had.high, high);
        if (low <= hole->pitch_hi && high >= hole->pitch_lo) {
            hole->low[t] = (uint8_t)low;
            hole->high[t] = (uint8_t)high;
        }
        /* A role accompanies in its register, but a keyboard without a bass has the bass, too. */
        const struct role *own = &ROLES[c->roles[t]];
        const bool has_bass_too =
            c->roles[t] == BAND_CHORDS && !c->is_band && !has_bass(c, tracks, t);
        if (own->high && !has_bass_too && own->low <= hole->high[t] &&
            own->high >= hole->low[t]) {
            hole->low[t] = (uint8_t)at_least(own->low, hole->low[t]);
            hole->high[t] = (uint8_t)at_most(own->high, hole->high[t]);
        }
        const bool is_line = (had.is_line && had.n >= LEAST_LINE) ||
                             (new_lines >> t & 1 && !had.n),
                   has_one = own->voices == 1 && !o->max_polyphony;
        hole->max_polyphony[t] =
            (is_line && !wants_more) || has_one ? 1 : o->max_polyphony;
    }
}
