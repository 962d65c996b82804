/* First what a token changes, then which rows apply after it. While time rises, a
 * question about notes looks only at what sounds; after it went back, at all notes. */
#include "midi/tokens/token_state.h"

#include "midi/base/larger.h"

#include <string.h>

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
    token_time_init(&s->clock);
    s->notes.n = s->notes.now = s->notes.latest = 0;
    s->notes.is_rising = true;
    s->notes.sounding[0] = s->notes.sounding[1] = 0;
    s->track = s->pitch = -1;
    s->hole_end = -1;
    s->n_chords = 0;
    s->chords_rise = true;
    memset(s->notes.last, 0, sizeof s->notes.last);
    memset(s->families, FAMILY_COUNT, sizeof s->families);
    memset(s->velocities, TOKEN_VELOCITIES, sizeof s->velocities);
}

static int64_t first_kept(const struct decoded_notes *t)
{
    return t->n > DECODED_NOTES_MOST ? t->n - DECODED_NOTES_MOST : 0;
}

static void let_sound(struct decoded_notes *t, const struct decoded_note *n)
{
    if (n->key >= DECODED_HIT || n->step > t->now || n->end <= t->now)
        return;
    uint64_t *half = &t->sounding[n->key / 64], bit = UINT64_C(1) << n->key % 64;
    if (!(*half & bit) || t->ends[n->key] < n->end)
        t->ends[n->key] = n->end;
    *half |= bit;
}

static void listen_again(struct decoded_notes *t)
{
    int n = (int)(t->n - first_kept(t));
    t->sounding[0] = t->sounding[1] = 0;
    for (int i = 0; i < n; i++)
        let_sound(t, &t->notes[i]);
}

/* Moves the present moment to this step. */
static void move_to(struct decoded_notes *t, int32_t now)
{
    bool rises = now >= t->now && t->now >= t->latest;
    if (now == t->now)
        return;
    t->now = now;
    if (!rises)
        listen_again(t);
    for (int half = 0; half < 2; half++)
        for (uint64_t left = t->sounding[half]; left; left &= left - 1)
            if (t->ends[64 * half + __builtin_ctzll(left)] <= now)
                t->sounding[half] &= ~(left & -left);
}

/* Adds a note that begins now. */
static void remember_note(struct decoded_notes *t, const struct decoded_note *note)
{
    struct decoded_note *slot = &t->notes[t->n % DECODED_NOTES_MOST];
    /* The note that this one replaces may have given its pitch the end. */
    bool forgets = t->n >= DECODED_NOTES_MOST && slot->key < DECODED_HIT &&
                   (t->sounding[slot->key / 64] >> slot->key % 64 & 1) &&
                   t->ends[slot->key] == slot->end;
    *slot = *note;
    t->n++;
    t->is_rising = t->is_rising && note->step >= t->latest;
    if (note->step > t->latest)
        t->latest = note->step;
    t->last[note->track] = t->n;
    if (forgets)
        listen_again(t);
    else
        let_sound(t, note);
}

/* Returns the track's note that begins last, now or before; of several, the one that
 * came last. Valid until the next note is added. NULL: none. */
static const struct decoded_note *last_note(const struct decoded_notes *t, int track)
{
    const struct decoded_note *found = NULL;
    if (t->is_rising && t->now >= t->latest) /* all have begun */
        return t->last[track] > first_kept(t)
                   ? &t->notes[(t->last[track] - 1) % DECODED_NOTES_MOST]
                   : NULL;
    for (int64_t i = first_kept(t); i < t->n; i++) {
        const struct decoded_note *n = &t->notes[i % DECODED_NOTES_MOST];
        if (n->track == track && n->step <= t->now &&
            (!found || n->step >= found->step))
            found = n;
    }
    return found;
}

static int velocity(const struct token_state *s)
{
    if (s->track < 0)
        return TOKEN_VELOCITIES;
    if (s->velocities[s->track] < TOKEN_VELOCITIES)
        return s->velocities[s->track];
    const struct decoded_note *last = last_note(&s->notes, s->track);
    return last ? last->velocity : TOKEN_VELOCITIES;
}

static void add_note(struct token_state *s, int key, int32_t length)
{
    int32_t now = s->notes.now;
    if (s->track < 0)
        return;
    const struct decoded_note note = {
        .step = now,
        .end = length < INT32_MAX - now ? now + length : INT32_MAX,
        .track = (uint8_t)s->track,
        .key = (uint8_t)key,
        .velocity = (uint8_t)velocity(s),
    };
    remember_note(&s->notes, &note);
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

static void change(struct token_state *s, enum token kind, int value)
{
    if (kind == TOKEN_TRACK)
        s->track = value;
    else if (kind == TOKEN_FAMILY && s->track >= 0)
        s->families[s->track] = (uint8_t)value;
    else if (kind == TOKEN_VEL && s->track >= 0)
        s->velocities[s->track] = (uint8_t)value;
    else if (kind == TOKEN_DUR && s->pitch >= 0)
        add_note(s, s->pitch, s->length + value + 1);
    else if (kind == TOKEN_DURX && s->length < TOKEN_MAX_STEPS)
        s->length += TOKEN_RADIX * (value + 1);
    else if (kind == TOKEN_HIT)
        add_note(s, DECODED_HIT + value, HIT_STEPS);
    else if (kind == TOKEN_CHORD)
        add_chord(s, value);
    else if (kind == TOKEN_BASS && s->n_chords)
        last_chord(s)->bass = (uint8_t)value;
    /* A note is PITCH, DURX and DUR with nothing between. */
    if (kind != TOKEN_DURX)
        s->pitch = kind == TOKEN_PITCH ? value : -1;
    if (kind == TOKEN_PITCH)
        s->length = 0;
}

/* The rows as they are found. */
struct rows {
    uint16_t *at;
    int n;
};

/* Adds the row of a value. A negative value is unknown, which is the row after the
 * `count` others. */
static void put(struct rows *r, int feature, int64_t value, int count)
{
    int64_t row = value < 0 ? count : value >= count ? count - 1 : value;
    r->at[r->n++] = (uint16_t)(feature + row);
}

/* Returns the length of the bar: in a hole that of the known bar, elsewhere that of the
 * meter. 0: unknown. */
static int32_t bar_length(const struct token_time *c)
{
    const struct bar_table *t = &c->bars;
    if (c->stage == TIME_IN_HOLE && bar_table_is_whole(t) && c->index < t->n)
        return bar_table_start(t, c->index + 1) - bar_table_start(t, c->index);
    return t->length;
}

/* Returns the chord that begins last, now or before; of several, the one that was read
 * last. */
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

int token_state_next(struct token_state *s, int32_t token,
                     uint16_t rows[TOKEN_STATE_MOST])
{
    struct rows r = {.at = rows};
    const struct token_time *c = &s->clock;
    enum token kind = token_kind(token);
    enum token_time_stage before = c->stage;
    if (kind == TOKEN_BOS)
        token_state_start(s);
    move_to(&s->notes, token_time_next(&s->clock, token));
    if (c->stage == TIME_ASKED)
        s->hole_end = c->at;
    /* In a hole velocities are unknown again. */
    if (before == TIME_IN_BARS && c->stage == TIME_ASKS_FROM)
        memset(s->velocities, TOKEN_VELOCITIES, sizeof s->velocities);
    change(s, kind, token - (int32_t)kind);

    const bool has_bar =
        c->bars.n > 0 && (c->stage == TIME_IN_BARS || c->stage == TIME_IN_HOLE);
    const int32_t length = has_bar ? bar_length(c) : 0;
    put(&r, STATE_PLACE, has_bar ? c->at - c->bar : -1, PLACES + 1);
    put(&r, STATE_BAR, length > 0 ? (length + EIGHTH / 2) / EIGHTH : -1, BARS + 1);

    const bool has_track = s->track >= 0;
    const struct decoded_note *n = has_track ? last_note(&s->notes, s->track) : NULL;
    const int family = has_track ? s->families[s->track] : FAMILY_COUNT;
    const int level = velocity(s);
    put(&r, STATE_TRACK, s->track, TOKEN_MAX_TRACKS);
    put(&r, STATE_FAMILY, family < FAMILY_COUNT ? family : -1, FAMILY_COUNT);
    put(&r, STATE_VELOCITY, level < TOKEN_VELOCITIES ? level : -1, TOKEN_VELOCITIES);
    put(&r, STATE_KEY, n ? n->key : -1, 128 + HIT_COUNT);
    put(&r, STATE_LENGTH, n ? (int64_t)n->end - n->step - 1 : -1, LENGTHS + 1);

    const struct state_chord *chord = chord_in_force(s);
    put(&r, STATE_CHORD, chord ? chord->symbol : -1, NO_CHORD + 1);
    put(&r, STATE_BASS, chord && chord->bass < NO_BASS ? chord->bass : -1, NO_BASS);
    const int64_t left = larger(0, s->hole_end - c->at) / STEPS_PER_QUARTER;
    put(&r, STATE_LEFT, c->stage == TIME_IN_HOLE ? left : -1, QUARTERS + 1);
    for (int half = 0; half < 2; half++)
        for (uint64_t bits = s->notes.sounding[half]; bits && r.n < TOKEN_STATE_MOST;
             bits &= bits - 1)
            put(&r, STATE_SOUNDING, 64 * half + __builtin_ctzll(bits), 128);
    return r.n;
}
