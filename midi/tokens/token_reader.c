/* See token_reader.h. The parser walks; what it reports is kept. */
#include "midi/tokens/token_reader.h"

#include "midi/tokens/token_writer.h"

#include <stdlib.h>
#include <string.h>

enum midi_status token_reader_init(struct piece *p, size_t n)
{
    piece_init(p, STYLE_ANY);
    if (n > TOKEN_WRITER_MOST)
        return MIDI_TOO_LONG;
    /* Every hit takes one token, every chord two: POS and CHORD, and every meter: BAR and
     * DEN, or POS and BAR. */
    p->notes = calloc(n + 1, sizeof *p->notes);
    p->chords = calloc(n / 2 + 1, sizeof *p->chords);
    p->meters = calloc(n / 2 + 1, sizeof *p->meters);
    return p->notes && p->chords && p->meters ? MIDI_OK : MIDI_NO_MEMORY;
}

/* A bar cut short begins the same meter anew, unless DEN then says another. */
static void keep_meter(struct piece *p, const struct parser *at)
{
    if (p->n_meters == 0 || p->meters[p->n_meters - 1].step != at->bar_start)
        p->n_meters++;
    p->meters[p->n_meters - 1] = (struct grid_meter){
        .step = at->bar_start,
        .numerator = (int16_t)at->numerator,
        .denominator = (int16_t)at->denominator,
    };
}

/* BASS says the rest of the chord that CHORD began. */
static void keep_chord(struct piece *p, const struct parser *at)
{
    if (at->state != AFTER_BASS)
        p->n_chords++;
    p->chords[p->n_chords - 1] = at->chord;
}

static void keep(struct piece *p, struct piece *inside, const struct parser *at)
{
    struct piece *to = at->is_filling ? inside : p;
    if (at->event == PARSER_NOTE)
        to->notes[to->n_notes++] = at->note;
    else if (at->event == PARSER_METER || (at->event == PARSER_BAR && at->is_cut))
        keep_meter(p, at);
    else if (at->event == PARSER_CHORD)
        keep_chord(p, at);
}

enum midi_status token_reader_read(struct parser *at, struct piece *p,
                                   struct piece *inside, const int32_t *ids, size_t n)
{
    parser_init(at);
    for (size_t i = 0; i < n; i++) {
        if (!parser_feed(at, ids[i]) || (at->is_filling && !inside))
            return MIDI_BAD_TOKEN;
        keep(p, inside, at);
    }
    p->style = at->style;
    p->n_bars = at->n_bars;
    memcpy(p->families, at->families, sizeof p->families);
    bool is_whole =
        parser_is_between(at) ||
        (at->state & (AFTER_STYLE | AFTER_FAMILY | AFTER_EOS | AFTER_FILL_END));
    return is_whole ? MIDI_OK : MIDI_BAD_TOKEN;
}
