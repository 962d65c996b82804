/* The rule of clashes: see rules.h. */
#include "app/biases/rules.h"

/* At most MOST_NOTES of the piece's last notes are read; fewer than LEAST_NOTES say nothing. Longer
 * notes than LONGEST steps are not found. */
enum { MOST_NOTES = 512, LEAST_NOTES = 16, LONGEST = 16 * STEPS_PER_QUARTER };

/* Nats of a clash where the piece has none, and the share of clashes from which they cost nothing. */
#define MOST    3.0f
#define NO_RULE 0.1f

/* Returns the pitch classes that sound at a step (bit 0 is C), of the first n notes. */
static uint16_t find_sounding(const struct piece *p, size_t n, int64_t step)
{
    const uint64_t pitched = ~piece_drums(p);
    const struct grid_note *note = NULL;
    uint16_t classes = 0;
    while ((note = next_note(p, note, pitched, step - LONGEST, step + 1)) &&
           note < p->notes + n)
        classes |= (uint16_t)((note->step + note->length > step) << note->pitch % 12);
    return classes;
}

static bool is_clash(uint16_t classes, int pitch)
{
    return classes >> (pitch + 1) % 12 & 1 || classes >> (pitch + 11) % 12 & 1;
}

float clash_bias_of(const struct piece *p, int64_t end)
{
    const size_t n_before = piece_note_at(p, end);
    int n = 0, n_clashes = 0;
    for (size_t i = n_before > MOST_NOTES ? n_before - MOST_NOTES : 0; i < n_before;
         i++)
        if (!piece_is_hit(p, &p->notes[i])) {
            n++;
            n_clashes +=
                is_clash(find_sounding(p, i, p->notes[i].step), p->notes[i].pitch);
        }
    return n < LEAST_NOTES
               ? 0
               : fminf(MOST * ((float)n_clashes / (float)n / NO_RULE - 1), 0);
}

void clash_bias_apply(struct rules *r, const struct place *at)
{
    const uint16_t classes = find_sounding(at->p, at->p->n_notes, at->step);
    for (int pitch = 0; r->clash < 0 && pitch < N_PITCHES; pitch++)
        if (is_clash(classes, pitch))
            bias_pitch(at, r->clash, pitch);
}
