/* How many notes sound along the piece, as the map shows it: as it would be with the take
 * that is shown. Internal to tui/. */
#ifndef TUI_MAP_DENSITY_H
#define TUI_MAP_DENSITY_H

#include "tui/paint/paint.h"

struct map_density {
    int n[SURVEY_BINS];
    int most; /* in any */
};

void map_density_count(struct map_density *d, const struct paint *p);
/* The most in [first, last) or in `first`. */
int map_density_most(const struct map_density *d, int first, int last);

#endif
