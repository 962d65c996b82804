/* What a token changes, then what applies after it. See token_state.h. */
#include "midi/tokens/token_state.h"

enum {
    PLACES = 191,
    BARS = 31,
    EIGHTH = STEPS_PER_QUARTER / 2,
    LENGTHS = 96,
    QUARTERS = 16,
    NO_CHORD = 12 * CHORD_QUALITIES,
    NO_BASS = 12,
};

void token_state_start(struct token_state *s)
{
    clock_init(&s->clock);
    told_notes_start(&s->notes);
    s->track = s->pitch = -1;
    s->hole_end = -1;
    s->n_chords = 0;
    s->chords_rise = true;
    for (int i = 0; i < TOKEN_MAX_TRACKS; i++) {
        s->families[i] = FAMILY_COUNT;
        s->velocities[i] = TOKEN_VELOCITIES;
    }
}

static bool is_asking(const struct clock *c)
{
    return c->stage != CLOCK_IN_BARS && c->stage != CLOCK_IN_HOLE;
}

/* The hole's velocities are said anew. */
static void follow_hole(struct token_state *s, enum clock_stage before)
{
    const struct clock *c = &s->clock;
    if (c->stage == CLOCK_ASKED)
        s->hole_end = c->at;
    if (before == CLOCK_IN_BARS && c->stage == CLOCK_ASKS_FROM)
        for (int i = 0; i < TOKEN_MAX_TRACKS; i++)
            s->velocities[i] = TOKEN_VELOCITIES;
}

static int velocity(struct token_state *s)
{
    if (s->track < 0)
        return TOKEN_VELOCITIES;
    if (s->velocities[s->track] < TOKEN_VELOCITIES)
        return s->velocities[s->track];
    const struct told_note *last = told_notes_last(&s->notes, s->track);
    return last ? last->velocity : TOKEN_VELOCITIES;
}

static void add_note(struct token_state *s, int key, int32_t length)
{
    int32_t now = s->notes.now;
    if (s->track < 0)
        return;
    const struct told_note note = {
        .step = now,
        .end = length < INT32_MAX - now ? now + length : INT32_MAX,
        .track = (uint8_t)s->track,
        .key = (uint8_t)key,
        .velocity = (uint8_t)velocity(s),
    };
    told_notes_add(&s->notes, &note);
}

static void finish_note(struct token_state *s, int value)
{
    if (s->pitch >= 0)
        add_note(s, s->pitch, s->length + value + 1);
}

static void say_longer(struct token_state *s, int value)
{
    int32_t more = TOKEN_RADIX * (value + 1);
    if (s->length < TOKEN_MAX_STEPS)
        s->length += more;
}

static struct state_chord *last_chord(struct token_state *s)
{
    return &s->chords[(s->n_chords - 1) % TOKEN_STATE_CHORDS];
}

static void add_chord(struct token_state *s, int symbol)
{
    int32_t now = s->notes.now;
    s->chords_rise = s->chords_rise && (!s->n_chords || last_chord(s)->step <= now);
    s->chords[s->n_chords++ % TOKEN_STATE_CHORDS] = (struct state_chord){
        .step = now,
        .symbol = (uint8_t)symbol,
        .bass = (uint8_t)(symbol == NO_CHORD ? NO_BASS : symbol / CHORD_QUALITIES),
    };
}

static void say_bass(struct token_state *s, int value)
{
    if (s->n_chords)
        last_chord(s)->bass = (uint8_t)value;
}

static void change(struct token_state *s, enum token kind, int value)
{
    if (kind == TOKEN_TRACK)
        s->track = value;
    else if (kind == TOKEN_FAMILY && s->track >= 0)
        s->families[s->track] = (uint8_t)value;
    else if (kind == TOKEN_VEL && s->track >= 0)
        s->velocities[s->track] = (uint8_t)value;
    else if (kind == TOKEN_DUR)
        finish_note(s, value);
    else if (kind == TOKEN_DURX)
        say_longer(s, value);
    else if (kind == TOKEN_HIT)
        add_note(s, TOLD_HIT + value, HIT_STEPS);
    else if (kind == TOKEN_CHORD)
        add_chord(s, value);
    else if (kind == TOKEN_BASS)
        say_bass(s, value);
}

/* A note is its PITCH, DURX and DUR without anything between. */
static void speak_pitch(struct token_state *s, enum token kind, int value)
{
    if (kind != TOKEN_DURX)
        s->pitch = kind == TOKEN_PITCH ? value : -1;
    if (kind == TOKEN_PITCH)
        s->length = 0;
}

/* Rows as they are found. */
struct rows {
    uint16_t *at;
    int n;
};

/* value < 0: not known, which is the row after the `count` others. */
static void put(struct rows *r, int feature, int64_t value, int count)
{
    int64_t row = value < 0 ? count : value >= count ? count - 1 : value;
    r->at[r->n++] = (uint16_t)(feature + row);
}

/* In a hole the bars are known; else the meter says it. 0: not known. */
static int32_t bar_length(const struct clock *c)
{
    const struct bar_table *t = &c->bars;
    if (c->stage == CLOCK_IN_HOLE && bar_table_is_whole(t) && c->index < t->n)
        return bar_table_start(t, c->index + 1) - bar_table_start(t, c->index);
    return t->length;
}

static void put_place(struct rows *r, const struct clock *c)
{
    bool is_known = c->bars.n > 0 && !is_asking(c);
    int32_t length = is_known ? bar_length(c) : 0;
    put(r, STATE_PLACE, is_known ? c->at - c->bar : -1, PLACES + 1);
    put(r, STATE_BAR, length > 0 ? (length + EIGHTH / 2) / EIGHTH : -1, BARS + 1);
}

static void put_track(struct rows *r, struct token_state *s)
{
    bool is_known = s->track >= 0;
    const struct told_note *n = is_known ? told_notes_last(&s->notes, s->track) : NULL;
    int family = is_known ? s->families[s->track] : FAMILY_COUNT;
    put(r, STATE_TRACK, s->track, TOKEN_MAX_TRACKS);
    put(r, STATE_FAMILY, family < FAMILY_COUNT ? family : -1, FAMILY_COUNT);
    int level = velocity(s);
    put(r, STATE_VELOCITY, level < TOKEN_VELOCITIES ? level : -1, TOKEN_VELOCITIES);
    put(r, STATE_KEY, n ? n->key : -1, 128 + HIT_COUNT);
    put(r, STATE_LENGTH, n ? (int64_t)n->end - n->step - 1 : -1, LENGTHS + 1);
}

/* The one that begins last, now or before; of several, the one said last. */
static const struct state_chord *chord_in_force(struct token_state *s)
{
    const struct state_chord *found = NULL;
    int64_t n = s->n_chords < TOKEN_STATE_CHORDS ? s->n_chords : TOKEN_STATE_CHORDS;
    if (n && s->chords_rise && last_chord(s)->step <= s->notes.now)
        return last_chord(s);
    for (int64_t i = s->n_chords - n; i < s->n_chords; i++) {
        const struct state_chord *c = &s->chords[i % TOKEN_STATE_CHORDS];
        if (c->step <= s->notes.now && (!found || c->step >= found->step))
            found = c;
    }
    return found;
}

static void put_chord(struct rows *r, struct token_state *s)
{
    const struct state_chord *c = chord_in_force(s);
    put(r, STATE_CHORD, c ? c->symbol : -1, NO_CHORD + 1);
    put(r, STATE_BASS, c && c->bass < NO_BASS ? c->bass : -1, NO_BASS);
}

static void put_hole(struct rows *r, const struct token_state *s)
{
    int64_t left = s->hole_end - s->clock.at;
    bool is_in = s->clock.stage == CLOCK_IN_HOLE;
    put(r, STATE_LEFT,
        !is_in     ? -1
        : left < 0 ? 0
                   : left / STEPS_PER_QUARTER,
        QUARTERS + 1);
}

static void put_sounding(struct rows *r, const struct told_notes *t)
{
    for (int half = 0; half < 2; half++)
        for (uint64_t left = t->sounding[half]; left && r->n < TOKEN_STATE_MOST;
             left &= left - 1)
            put(r, STATE_SOUNDING, 64 * half + __builtin_ctzll(left), 128);
}

int token_state_next(struct token_state *s, int32_t token,
                     uint16_t rows[TOKEN_STATE_MOST])
{
    struct rows r = {.at = rows};
    enum token kind = token_kind(token);
    enum clock_stage before = s->clock.stage;
    if (kind == TOKEN_BOS)
        token_state_start(s);
    told_notes_move(&s->notes, clock_next(&s->clock, token));
    follow_hole(s, before);
    change(s, kind, token - (int32_t)kind);
    speak_pitch(s, kind, token - (int32_t)kind);
    put_place(&r, &s->clock);
    put_track(&r, s);
    put_chord(&r, s);
    put_hole(&r, s);
    put_sounding(&r, &s->notes);
    return r.n;
}
