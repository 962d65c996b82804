/* The rule of the key: see rules.h. */
#include "app/biases/rules.h"

enum { LEAST_NOTES = 24 };

/* A pitch class below the share OUTSIDE of the notes is outside. It costs COST nats if the piece has no
 * outside notes, and nothing from the share CHROMATIC of outside notes on. */
#define OUTSIDE   0.015f
#define COST      1.0f
#define SIGNATURE 3.5f /* the cost of a class outside it if there are no notes */
/* Few notes are held to their signature, at COST, if this share of them fits it. A piano under a tune
 * of 16 notes in E major had D natural: .83 of it were in the scale, and .92 with the signature. */
#define FITS      0.85f
#define CHROMATIC 0.04f
/* Steps of the take with the whole cost, and steps in which it then vanishes: a long piece
 * modulates. */
#define WHOLE     (32.0f * STEPS_PER_QUARTER)
#define FADES     (32.0f * STEPS_PER_QUARTER)

struct key_bias key_bias_of(const struct piece *p, uint16_t key, int64_t from)
{
    int n = 0, n_outside = 0, n_fit = 0, of_class[12] = {0};
    struct key_bias k = {.from = from};
    for (size_t i = 0; i < p->n_notes; i++)
        if (!piece_is_hit(p, &p->notes[i])) {
            of_class[p->notes[i].pitch % 12]++;
            n++;
        }
    const float few = OUTSIDE * (float)n, most = CHROMATIC * (float)n;
    for (int c = 0; c < 12; c++) {
        n_outside += (float)of_class[c] < few ? of_class[c] : 0;
        n_fit += key >> c & 1 ? of_class[c] : 0;
    }
    /* A piece with few notes, or none, is held to the signature. */
    const bool has_few = n < LEAST_NOTES, fits = key && (float)n_fit >= FITS * (float)n;
    for (int c = 0; c < 12; c++) {
        if (has_few && fits && !(key >> c & 1) && !of_class[c])
            k.cost[c] = n ? COST : SIGNATURE;
        else if (!has_few && (float)n_outside < most && (float)of_class[c] < few)
            k.cost[c] = COST * (1 - (float)n_outside / most);
    }
    return k;
}

void key_bias_apply(struct rules *r, const struct place *at)
{
    const struct key_bias *k = &r->key_bias;
    const float gone = fmaxf((float)(at->step - k->from) - WHOLE, 0) / FADES,
                weight = 1 - fminf(gone, 1);
    for (int pitch = 0; pitch < N_PITCHES; pitch++)
        bias_pitch(at, -weight * k->cost[pitch % 12], pitch);
}
