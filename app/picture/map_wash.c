/* A piano roll whose notes are tinted by their weight: the chosen note is white, the
 * strongest five are numbered on the roll, and a strip below has the mass of each
 * sixteenth. */
#include "app/picture/map_paint.h"

#include "midi/base/larger.h"
#include "tui/base/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    KEYS = 40,
    RULER = 22,
    ROW = 12, /* height of a semitone */
    BAR = 110,
    LEAST_BARS = 4,
    MOST_WIDTH = 4000,
    AIR = 2,
    STRIP = 48,
    RANKED = 5,
    NOT_READ = -1,
};

static const struct colour BLACK_KEY = {24, 24, 29}, BEAT = {34, 34, 40},
                           QUIET_NOTE = {52, 52, 60}, CHOSEN = {255, 255, 255};

struct layout {
    struct canvas canvas;
    const struct wash_picture *picture;
    struct heat heat;
    struct rect field;
    int low, high; /* pitches */
};

static int x_of(const struct layout *l, int64_t tick)
{
    const struct wash_picture *p = l->picture;
    int64_t at = larger(p->from, smaller(tick, p->to));
    double share = (double)(at - p->from) / (double)(p->to - p->from);
    return l->field.x + (int)(share * l->field.w + 0.5);
}

static int y_of(const struct layout *l, int pitch)
{
    return l->field.y + (l->high - pitch) * ROW;
}

static bool is_shown(const struct wash_picture *p, const struct wash_note *n)
{
    return n->start < p->to && n->start + n->length > p->from;
}

static void choose_pitches(struct layout *l)
{
    l->low = 127;
    l->high = 0;
    for (int i = 0; i < l->picture->n_notes; i++) {
        const struct wash_note *n = &l->picture->notes[i];
        if (!is_shown(l->picture, n))
            continue;
        l->low = n->pitch < l->low ? n->pitch : l->low;
        l->high = n->pitch > l->high ? n->pitch : l->high;
    }
    if (l->low > l->high)
        l->low = l->high = 60;
    l->low = l->low > AIR ? l->low - AIR : 0;
    l->high = l->high + AIR < 127 ? l->high + AIR : 127;
}

static bool lay_out(struct layout *l)
{
    const struct wash_picture *p = l->picture;
    int64_t bars = timeline_bar_at(p->timeline, p->to - 1).index -
                   timeline_bar_at(p->timeline, p->from).index + 1;
    choose_pitches(l);
    l->field = (struct rect){MAP_MARGIN + KEYS,
                             MAP_MARGIN + map_heading_height(p->about) + RULER,
                             (int)smaller(larger(bars, LEAST_BARS) * BAR, MOST_WIDTH),
                             (l->high - l->low + 1) * ROW};
    int64_t width = larger(map_heading_width(p->title, p->about) + 2 * MAP_MARGIN,
                           l->field.x + l->field.w + MAP_MARGIN + MAP_LEGEND);
    return canvas_init(&l->canvas, (int)width,
                       l->field.y + l->field.h + STRIP + 3 * MAP_MARGIN, MAP_GROUND);
}

static void draw_rows(struct layout *l)
{
    char name[16];
    for (int pitch = l->low; pitch <= l->high; pitch++) {
        struct rect row = {l->field.x, y_of(l, pitch), l->field.w, ROW};
        if (pitch_is_black(pitch))
            canvas_fill(&l->canvas, row, BLACK_KEY, 1);
        if (pitch % 12 != 0 && pitch % 12 != 7)
            continue;
        snprintf(name, sizeof name, "%c%d", pitch % 12 ? 'G' : 'C', pitch / 12 - 1);
        canvas_text(&l->canvas, MAP_MARGIN, row.y - 1, MAP_TITLE, MAP_QUIET, name);
    }
}

static void draw_line(struct layout *l, int64_t tick, struct colour colour)
{
    struct rect r = {x_of(l, tick), l->field.y, 1, l->field.h + STRIP};
    canvas_fill(&l->canvas, r, colour, 1);
}

static void draw_bars(struct layout *l)
{
    const struct timeline *t = l->picture->timeline;
    struct bar bar = timeline_bar_at(t, l->picture->from);
    for (; bar.start < l->picture->to && bar.length > 0;
         bar = timeline_bar(t, bar.index + 1)) {
        int64_t beat = timeline_beat_ticks(t, bar.start);
        char number[24];
        for (int64_t at = beat; beat > 0 && at < bar.length; at += beat)
            draw_line(l, bar.start + at, BEAT);
        draw_line(l, bar.start, MAP_FAINT);
        snprintf(number, sizeof number, "%lld", (long long)bar.index + 1);
        canvas_text(&l->canvas, x_of(l, bar.start) + 4, l->field.y - RULER + 4,
                    MAP_TITLE, MAP_INK, number);
    }
}

static struct rect note_rect(const struct layout *l, const struct wash_note *n)
{
    int x = x_of(l, n->start), right = x_of(l, n->start + n->length);
    return (struct rect){x, y_of(l, n->pitch) + 1, right - x > 3 ? right - x - 1 : 2,
                         ROW - 2};
}

/* Those that were read come last, over their selves of the score. Notes without a weight,
 * such as later notes, have no colour of the scale. */
static void draw_notes(struct layout *l)
{
    for (int i = 0; i < l->picture->n_notes; i++) {
        const struct wash_note *n = &l->picture->notes[i];
        struct colour colour = QUIET_NOTE;
        if (n->is_chosen)
            colour = CHOSEN;
        else if (n->is_read && n->weight > 0)
            colour = heat_colour(heat_share(&l->heat, (double)n->weight));
        if (is_shown(l->picture, n))
            canvas_fill(&l->canvas, note_rect(l, n), colour, 1);
    }
}

/* The index of the strongest that follows the last one; NOT_READ: there is none. */
static int next_strongest(const struct wash_picture *p, int last)
{
    int best = NOT_READ;
    for (int i = 0; i < p->n_notes; i++) {
        const struct wash_note *n = &p->notes[i];
        bool counts = n->is_read && !n->is_chosen && n->weight > 0;
        /* weaker than the last, or, of equal ones, after it */
        bool follows = last < 0 || n->weight < p->notes[last].weight ||
                       (i > last && n->weight == p->notes[last].weight);
        if (counts && follows && (best < 0 || n->weight > p->notes[best].weight))
            best = i;
    }
    return best;
}

static void draw_ranks(struct layout *l)
{
    const struct wash_picture *p = l->picture;
    int last = NOT_READ;
    for (int rank = 1; rank <= RANKED; rank++) {
        last = next_strongest(p, last);
        if (last < 0)
            return;
        struct rect r = note_rect(l, &p->notes[last]);
        double share = heat_share(&l->heat, (double)p->notes[last].weight);
        char text[12];
        snprintf(text, sizeof text, "%d", rank);
        canvas_text(&l->canvas, r.x + 2, r.y + 2, MAP_FIGURES,
                    share > 0.5 ? MAP_GROUND : CHOSEN, text);
    }
}

/* Mass by where notes begin, in columns of a sixteenth, as part of the largest. */
static void draw_strip(struct layout *l)
{
    const struct wash_picture *p = l->picture;
    const int64_t width = larger(1, p->timeline->ticks_per_quarter / 4);
    const size_t n = (size_t)((p->to - p->from) / width) + 1;
    double *mass = calloc(n, sizeof *mass), most = 0;
    for (int i = 0; mass && i < p->n_notes; i++) {
        const struct wash_note *note = &p->notes[i];
        if (!note->is_read || note->start < p->from || note->start >= p->to)
            continue;
        size_t at = (size_t)((note->start - p->from) / width);
        mass[at] += (double)note->weight;
        most = fmax(most, mass[at]);
    }
    const int bottom = l->field.y + l->field.h + 8 + STRIP;
    for (size_t i = 0; mass && most > 0 && i < n; i++) {
        int x = x_of(l, p->from + (int64_t)i * width);
        int right = x_of(l, p->from + (int64_t)(i + 1) * width);
        int height = (int)(mass[i] / most * (STRIP - 8) + 0.5);
        struct rect r = {x, bottom - height, right - x > 1 ? right - x - 1 : 1, height};
        canvas_fill(&l->canvas, r, heat_colour(mass[i] / most), 1);
    }
    free(mass);
}

/* The colours show the weights of notes that were read and not chosen. */
static bool take_weights(struct layout *l)
{
    const struct wash_picture *p = l->picture;
    float *weights = calloc((size_t)p->n_notes + 1, sizeof *weights);
    size_t n = 0;
    for (int i = 0; weights && i < p->n_notes; i++)
        if (p->notes[i].is_read && !p->notes[i].is_chosen)
            weights[n++] = p->notes[i].weight;
    bool ok = weights && heat_init(&l->heat, p->shade, weights, n, true);
    free(weights);
    return ok;
}

enum midi_status wash_picture_save(const struct wash_picture *p, const char *path)
{
    struct layout l = {.picture = p};
    if (!take_weights(&l) || !lay_out(&l)) {
        heat_fini(&l.heat);
        return MIDI_NO_MEMORY;
    }
    map_heading(&l.canvas, p->title, p->about);
    draw_rows(&l);
    draw_bars(&l);
    draw_notes(&l);
    draw_ranks(&l);
    draw_strip(&l);
    map_legend(&l.canvas, l.field.x + l.field.w + MAP_MARGIN, l.field.y,
               (int)larger(l.field.h / 2, 50), &l.heat, "weight");
    return map_finish(&l.canvas, &l.heat, path);
}
