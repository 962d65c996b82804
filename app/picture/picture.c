/* The picture is laid out once in pixels, from which the rest follows: x from
 * ticks, y from pitches. */
#include "app/picture/picture.h"

#include "app/picture/canvas.h"
#include "midi/base/larger.h"
#include "tui/base/names.h"

#include <stdio.h>

enum {
    MARGIN = 16,
    KEYS = 56,  /* width of the names at the left */
    RULER = 34, /* height of the bar numbers on top */
    ROW = 12,   /* height of a semitone */
    BAR = 96,   /* width of a bar of the first meter */
    MAX_BARS = 64,
    MIN_ROWS = 24,
    TEXT = 2, /* scale of the figures */
};

static const struct colour PAPER = {250, 249, 245}, INK = {52, 50, 46},
                           QUIET = {138, 133, 124}, LINE = {205, 200, 190},
                           FAINT = {231, 227, 218}, BLACK_KEY = {242, 240, 233},
                           GENERATED = {255, 238, 204}, ACCENT = {213, 94, 0};

/* Okabe and Ito's set, without its black and its yellow, which paper swallows. */
static const struct colour TRACKS[] = {
    {0, 114, 178},  {0, 158, 115}, {204, 121, 167},
    {86, 180, 233}, {213, 94, 0},  {230, 159, 0},
};
enum { N_COLOURS = sizeof TRACKS / sizeof TRACKS[0] };

struct picture {
    const struct score *score;
    struct canvas canvas;
    int64_t from, to, generated_from; /* ticks */
    int64_t first_bar, n_bars;
    int low, high; /* pitches, inclusive */
    int width;     /* of the roll itself */
};

static int x_of(const struct picture *p, int64_t tick)
{
    double share = (double)(tick - p->from) / (double)(p->to - p->from);
    return MARGIN + KEYS + (int)(share * p->width + 0.5);
}

static int y_of(const struct picture *p, int pitch)
{
    return MARGIN + RULER + (p->high - pitch) * ROW;
}

static int roll_height(const struct picture *p)
{
    return (p->high - p->low + 1) * ROW;
}

static void choose_bars(struct picture *p)
{
    const struct timeline *t = &p->score->timeline;
    int64_t end = score_end_tick(p->score);
    int64_t last = timeline_bar_at(t, end > 0 ? end - 1 : 0).index;
    p->first_bar = larger(0, last + 1 - MAX_BARS);
    p->n_bars = last + 1 - p->first_bar;
    p->from = timeline_bar(t, p->first_bar).start;
    struct bar bar = timeline_bar(t, last);
    p->to = bar.start + larger(1, bar.length);
}

static bool is_seen(const struct picture *p, const struct note *n)
{
    return n->start < p->to && n->start + n->length > p->from;
}

/* The pitches that sound, with some air, and not fewer than two octaves. */
static void choose_pitches(struct picture *p)
{
    int low = 127, high = 0;
    for (size_t t = 0; t < p->score->n_tracks; t++)
        for (size_t i = 0; i < p->score->tracks[t].n_notes; i++) {
            const struct note *n = &p->score->tracks[t].notes[i];
            if (!is_seen(p, n))
                continue;
            low = n->pitch < low ? n->pitch : low;
            high = n->pitch > high ? n->pitch : high;
        }
    if (low > high)
        low = high = 60;
    int air = high - low + 1 < MIN_ROWS - 4 ? (MIN_ROWS - (high - low + 1)) / 2 : 2;
    p->low = low > air ? low - air : 0;
    p->high = high + air < 127 ? high + air : 127;
}

static void draw_rows(struct picture *p)
{
    int left = MARGIN + KEYS;
    for (int pitch = p->low; pitch <= p->high; pitch++)
        if (pitch_is_black(pitch))
            canvas_fill(&p->canvas, (struct rect){left, y_of(p, pitch), p->width, ROW},
                        BLACK_KEY, 1);
    int64_t from = larger(p->generated_from, p->from);
    if (from < p->to) {
        struct rect ground = {x_of(p, from), y_of(p, p->high),
                              x_of(p, p->to) - x_of(p, from), roll_height(p)};
        canvas_fill(&p->canvas, ground, GENERATED, 0.55);
    }
    for (int pitch = p->low; pitch <= p->high; pitch++)
        if (pitch % 12 == 0)
            canvas_fill(&p->canvas,
                        (struct rect){left, y_of(p, pitch) + ROW - 1, p->width, 1},
                        LINE, 1);
}

static void draw_pitch_names(struct picture *p)
{
    for (int pitch = p->low; pitch <= p->high; pitch++) {
        char name[16];
        bool is_c = pitch % 12 == 0;
        if (!is_c && pitch % 12 != 7)
            continue; /* C and G are enough to read the rest by */
        snprintf(name, sizeof name, "%c%d", is_c ? 'C' : 'G', pitch / 12 - 1);
        int x = MARGIN + KEYS - 8 - canvas_text_width(name, TEXT);
        canvas_text(&p->canvas, x, y_of(p, pitch) + (ROW - GLYPH_HEIGHT * TEXT) / 2,
                    TEXT, is_c ? INK : QUIET, name);
    }
}

/* Every bar is numbered, or every fourth where they are many. */
static void draw_bars(struct picture *p)
{
    int64_t every = p->n_bars > 32 ? 4 : 1;
    const int top = y_of(p, p->high);
    for (int64_t i = p->first_bar; i < p->first_bar + p->n_bars; i++) {
        struct bar bar = timeline_bar(&p->score->timeline, i);
        int64_t beat = timeline_beat_ticks(&p->score->timeline, bar.start);
        char number[24];
        struct rect r = {x_of(p, bar.start), top - 6, 1, roll_height(p) + 6};
        for (int64_t at = beat; at < bar.length; at += beat) {
            struct rect line = {x_of(p, bar.start + at), top, 1, roll_height(p)};
            canvas_fill(&p->canvas, line, FAINT, 1);
        }
        canvas_fill(&p->canvas, r, LINE, 1);
        snprintf(number, sizeof number, "%lld", (long long)i + 1);
        if (i % every == 0)
            canvas_text(&p->canvas, r.x + 5, MARGIN + 8, TEXT,
                        bar.start >= p->generated_from ? ACCENT : INK, number);
    }
}

/* Louder notes are stronger; generated ones are hatched, with a whole edge. */
static void draw_note(struct picture *p, const struct note *n, struct colour colour)
{
    int x = x_of(p, larger(n->start, p->from)), right = x_of(p, n->start + n->length);
    struct rect r = {x, y_of(p, n->pitch) + 1, right - x > 3 ? right - x - 1 : 2,
                     ROW - 2};
    double strength = 0.45 + 0.55 * n->velocity / 127.0;
    canvas_fill(&p->canvas, r, PAPER, 1);
    if (n->start < p->generated_from) {
        canvas_fill(&p->canvas, r, colour, strength);
        return;
    }
    canvas_fill(&p->canvas, r, colour, 0.4 * strength);
    canvas_hatch(&p->canvas, r, colour, 5);
    canvas_frame(&p->canvas, r, colour);
}

static void draw_notes(struct picture *p)
{
    for (size_t t = 0; t < p->score->n_tracks; t++)
        for (size_t i = 0; i < p->score->tracks[t].n_notes; i++)
            if (is_seen(p, &p->score->tracks[t].notes[i]))
                draw_note(p, &p->score->tracks[t].notes[i], TRACKS[t % N_COLOURS]);
}

static void draw_edge(struct picture *p)
{
    if (p->generated_from > p->from && p->generated_from < p->to)
        canvas_fill(&p->canvas,
                    (struct rect){x_of(p, p->generated_from) - 1, MARGIN, 2,
                                  RULER + roll_height(p)},
                    ACCENT, 1);
}

enum midi_status picture_save(const struct score *s, int64_t generated_from,
                              const char *path)
{
    struct picture p = {.score = s, .generated_from = generated_from};
    choose_bars(&p);
    choose_pitches(&p);
    p.width = (int)larger(4, p.n_bars) * BAR;
    if (!canvas_init(&p.canvas, p.width + KEYS + 2 * MARGIN,
                     roll_height(&p) + RULER + 2 * MARGIN, PAPER))
        return MIDI_NO_MEMORY;
    draw_rows(&p);
    draw_pitch_names(&p);
    draw_bars(&p);
    draw_notes(&p);
    draw_edge(&p);
    bool ok = canvas_save(&p.canvas, path);
    canvas_fini(&p.canvas);
    return ok ? MIDI_OK : MIDI_CANNOT_WRITE;
}
