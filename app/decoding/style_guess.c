#include "app/decoding/style_guess.h"

#include "app/decoding/learnt_styles.h"

/* The styles that the declared tracks can play. */
static uint64_t fitting_styles(const struct piece *p)
{
    int n_tracks = 0;
    uint64_t families = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (p->families[t] != FAMILY_NONE) {
            families |= UINT64_C(1) << p->families[t];
            n_tracks++;
        }
    return styles_for_players(n_tracks, families);
}

enum style style_likeliest(const double x[N_STYLE_FEATURES], const struct piece *p,
                           uint64_t styles)
{
    enum style likeliest = STYLE_ANY;
    double most = 0;
    styles &= p->n_notes ? fitting_styles(p) : 0;
    for (int s = STYLE_ANY + 1; s < STYLE_COUNT; s++) {
        double sum = STYLE_WEIGHTS[N_STYLE_FEATURES][s - 1];
        for (int f = 0; f < N_STYLE_FEATURES; f++)
            sum += STYLE_WEIGHTS[f][s - 1] * x[f];
        if (styles >> s & 1 && (likeliest == STYLE_ANY || sum > most)) {
            most = sum;
            likeliest = (enum style)s;
        }
    }
    return likeliest;
}

enum midi_status style_guess(enum style *out, const struct piece *p, uint64_t styles)
{
    double x[N_STYLE_FEATURES];
    enum midi_status st = style_features(x, p);
    *out = st ? STYLE_ANY : style_likeliest(x, p, styles);
    return st;
}
