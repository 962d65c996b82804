/* The motif: the selected phrase returns in the next request. `gm` in SELECT steps through the
 * kinds of return; `:motif` names one. */
#include "app/editor/takes/machine.h"
#include "app/generation/steer.h"
#include "app/base/values.h"

/* How the phrase returns, in the middle of a sentence; and what the next `gm` does. */
static const char *const RETURNS[] = {"", "exactly", "transposed", "varied"};
static const char *const THEN[] = {"", "transposed", "varied", "not at all"};

/* Sets *m to the selected phrase. false: nothing is selected that could return, and the user
 * was told. */
static bool find_phrase(struct session *s, struct continuation_motif *m)
{
    struct box b = s->selection.box;
    uint64_t tracks = s->selection.box_tracks;
    if (!s->selection.has_box)
        tracks = hole_selected_span(s, &b);
    if (!tracks) {
        session_say(s, "select the phrase first: v, or V for bars");
        return false;
    }
    *m = (struct continuation_motif){.from_tick = b.from,
                                     .to_tick = b.to,
                                     .pitch_lo = (uint8_t)b.pitch_lo,
                                     .pitch_hi = (uint8_t)b.pitch_hi,
                                     .tracks = tracks};
    return true;
}

static void say_motif(struct session *s, const struct continuation_motif *m)
{
    char span[64];
    if (m->kind)
        session_say(s, "%s return %s in what C or c writes next; gm again: %s",
                    span_name(session_timeline(s), m->from_tick, m->to_tick, span),
                    RETURNS[m->kind], THEN[m->kind]);
    else
        session_say(s, "no motif for C and c");
}

void act_motif(struct session *s)
{
    struct continuation_motif m, *next = s->parts.motif;
    if (!find_phrase(s, &m))
        return;
    bool goes_on = next->kind && m.from_tick == next->from_tick &&
                   m.to_tick == next->to_tick && m.pitch_lo == next->pitch_lo &&
                   m.pitch_hi == next->pitch_hi && m.tracks == next->tracks;
    m.kind = goes_on ? (next->kind + 1) % N_MOTIF_KINDS : MOTIF_EXACT;
    *next = m;
    say_motif(s, next);
}

void act_motif_line(struct session *s, const char *word)
{
    struct continuation_motif m = {0}, *next = s->parts.motif;
    int kind = MOTIF_EXACT;
    if (*word && !value_word(word, MOTIF_KINDS, &kind)) {
        session_error(s, "motif: use exact, transposed, varied or off");
        return;
    }
    if (kind != MOTIF_NONE && !find_phrase(s, &m))
        return;
    m.kind = (enum motif_kind)kind;
    *next = m;
    say_motif(s, next);
}

/* A hole at the place of the phrase gets it varied: an exact return would be the phrase itself. */
struct continuation_motif machine_take_motif(struct session *s, const struct box *hole)
{
    struct continuation_motif m = *s->parts.motif;
    const bool is_itself = hole && hole->from == m.from_tick && hole->to == m.to_tick;
    if (m.kind == MOTIF_EXACT && is_itself)
        m.kind = MOTIF_VARIED;
    s->parts.motif->kind = MOTIF_NONE;
    return m;
}

static void forget(struct session *s)
{
    s->parts.motif->kind = MOTIF_NONE;
}

/* The phrase is forgotten when it has moved. */
static void follow_edit(struct session *s)
{
    if (s->seen.time_moved || s->seen.tracks_moved)
        forget(s);
}

const struct editor_part MOTIF_PART = {PART_STATE(motif), .reset = forget,
                                       .edited = follow_edit};
