#include "app/ways.h"

#include "app/input.h"
#include "app/palette.h"

void ways_init(struct ways *w)
{
    *w = (struct ways){0};
    settings_init(&w->settings);
}

void ways_fini(struct ways *w)
{
    keymap_destroy(w->keymap);
    palette_destroy(w->palette);
    input_forget(&w->history);
}
