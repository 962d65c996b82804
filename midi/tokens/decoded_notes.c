/* While time rises, a question looks only at what sounds; otherwise at all notes. */
#include "midi/tokens/token_state.h"

void decoded_notes_start(struct decoded_notes *t)
{
    t->n = t->now = t->latest = 0;
    t->is_rising = true;
    t->sounding[0] = t->sounding[1] = 0;
    for (int i = 0; i < TOKEN_MAX_TRACKS; i++)
        t->last[i] = 0;
    t->track = -1;
}

static int64_t first_kept(const struct decoded_notes *t)
{
    return t->n > DECODED_NOTES_MOST ? t->n - DECODED_NOTES_MOST : 0;
}

static bool all_have_begun(const struct decoded_notes *t)
{
    return t->is_rising && t->now >= t->latest;
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

static void drop_ended(struct decoded_notes *t)
{
    for (int half = 0; half < 2; half++)
        for (uint64_t left = t->sounding[half]; left; left &= left - 1)
            if (t->ends[64 * half + __builtin_ctzll(left)] <= t->now)
                t->sounding[half] &= ~(left & -left);
}

void decoded_notes_move(struct decoded_notes *t, int32_t now)
{
    bool rises = now >= t->now && t->now >= t->latest;
    if (now == t->now)
        return;
    t->now = now;
    t->track = -1;
    if (rises)
        drop_ended(t);
    else
        listen_again(t);
}

/* The note that gave a pitch its end may be forgotten. */
static bool sounds_by(const struct decoded_notes *t, const struct decoded_note *n)
{
    return n->key < DECODED_HIT && (t->sounding[n->key / 64] >> n->key % 64 & 1) &&
           t->ends[n->key] == n->end;
}

void decoded_notes_add(struct decoded_notes *t, const struct decoded_note *note)
{
    struct decoded_note *slot = &t->notes[t->n % DECODED_NOTES_MOST];
    bool forgets = t->n >= DECODED_NOTES_MOST && sounds_by(t, slot);
    *slot = *note;
    t->n++;
    t->is_rising = t->is_rising && note->step >= t->latest;
    if (note->step > t->latest)
        t->latest = note->step;
    t->last[note->track] = t->n;
    t->track = -1;
    if (forgets)
        listen_again(t);
    else
        let_sound(t, note);
}

/* Returns 1 + the number of the track's last note, as in `last`. */
static int64_t look_for_last(const struct decoded_notes *t, int track)
{
    int64_t found = 0;
    int32_t at = INT32_MIN;
    for (int64_t i = first_kept(t); i < t->n; i++) {
        const struct decoded_note *n = &t->notes[i % DECODED_NOTES_MOST];
        if (n->track == track && n->step <= t->now && n->step >= at) {
            at = n->step;
            found = i + 1;
        }
    }
    return found;
}

const struct decoded_note *decoded_notes_last(struct decoded_notes *t, int track)
{
    if (track != t->track)
        t->here = all_have_begun(t) ? t->last[track] : look_for_last(t, track);
    t->track = track;
    return t->here > first_kept(t) ? &t->notes[(t->here - 1) % DECODED_NOTES_MOST]
                                   : NULL;
}
