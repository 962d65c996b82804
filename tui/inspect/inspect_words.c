/* How the inspector calls notes, heads, and the whole of what it found. */
#include "tui/paint/inspect_paint.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "3.2", and between the beats "3.2+". */
static void name_place(const struct score *s, int64_t tick, char *buf, size_t n)
{
    const struct timeline *t = &s->timeline;
    tick = tick < 0 ? 0 : tick;
    struct bar bar = timeline_bar_at(t, tick);
    int64_t beat = timeline_beat_ticks(t, tick), into = tick - bar.start;
    beat = beat > 0 ? beat : 1;
    snprintf(buf, n, "%" PRId64 ".%" PRId64 "%s", bar.index + 1, into / beat + 1,
             into % beat ? "+" : "");
}

const char *inspect_note_name(const struct paint *p, const struct inspect_note *note,
                              char *buf, size_t n)
{
    enum { MOST_NAME = 16 };
    char pitch[PITCH_NAME_BYTES], place[48], number[16];
    const struct score *s = p->v->score;
    const char *track = note->track >= 0 && (size_t)note->track < s->n_tracks
                            ? s->tracks[note->track].name
                            : "";
    snprintf(number, sizeof number, "%d", note->track + 1);
    pitch_name_octave(note->note.pitch, p->sharps, pitch);
    name_place(s, note->note.start, place, sizeof place);
    snprintf(buf, n, "%s %.*s %s", pitch, MOST_NAME, *track ? track : number, place);
    return buf;
}

static const char *one_of(int i, const char *what, char *buf, size_t n)
{
    snprintf(buf, n, "%s %d", what, i + 1);
    return buf;
}

/* "layer 3  head 5", "layer 3  mean of 8 heads", "the strongest of 32 heads". */
const char *inspect_head_title(const struct inspect_view *v, char *buf, size_t n)
{
    char layer[24], head[24];
    const char *how = v->is_strongest ? "the strongest" : "mean";
    if (v->layer >= 0 && v->head >= 0)
        snprintf(buf, n, "%s  %s", one_of(v->layer, "layer", layer, sizeof layer),
                 one_of(v->head, "head", head, sizeof head));
    else if (v->layer >= 0)
        snprintf(buf, n, "%s  %s of %d heads",
                 one_of(v->layer, "layer", layer, sizeof layer), how, v->n_heads);
    else
        snprintf(buf, n, "%s of all %d heads", how, v->n_layers * v->n_heads);
    return buf;
}

const char *inspect_effect_words(const struct inspect_effect *e, char *buf, size_t n)
{
    if (e->is_known)
        snprintf(buf, n, "without %.40s: p %.3f → %.3f", e->of, (double)e->with,
                 (double)e->without);
    else
        snprintf(buf, n, "without %.40s: ...", e->of);
    return buf;
}

/* Where something is left out, and no figures are shown, that is what one looks for. */
static const char *summarise_effect(const struct inspect_view *v, const char *chosen,
                                    char *buf, size_t n)
{
    char effect[INSPECT_LINE_BYTES];
    snprintf(buf, n, "%s  %s", chosen,
             inspect_effect_words(&v->effects[0], effect, sizeof effect));
    return buf;
}

const char *inspect_summary(const struct paint *p, char *buf, size_t n)
{
    const struct inspect_view *v = p->v->inspect;
    char title[64], from[INSPECT_LINE_BYTES], to[INSPECT_LINE_BYTES], nats[32] = "";
    inspect_head_title(v, title, sizeof title);
    if (v->busy || v->chosen < 0 || v->chosen >= (int)v->n_notes) {
        snprintf(buf, n, "%s", v->busy ? v->busy : "no note here to ask about");
        return buf;
    }
    inspect_note_name(p, &v->notes[v->chosen], from, sizeof from);
    if (v->n_effects && inspect_places_for(&p->l, v).panel.rows <= 0)
        return summarise_effect(v, from, buf, n);
    if (v->surprise >= 0)
        snprintf(nats, sizeof nats, "  %.2f nat", (double)v->surprise);
    if (v->pair < 0 || v->pair >= (int)v->n_notes || !v->has_pair)
        snprintf(buf, n, "%s: %s%s", title, from, nats);
    else
        snprintf(buf, n, "%s: %s %s %s  %.3f%s", title, from,
                 v->is_looked_at ? "→" : "←",
                 inspect_note_name(p, &v->notes[v->pair], to, sizeof to),
                 (double)v->weight, nats);
    return buf;
}
