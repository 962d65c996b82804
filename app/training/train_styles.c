/* Music without a style is learnt under the style that the model guesses for it: when it
 * continues such music, it will guess the same. */
#include "app/training/train_music.h"

#include "app/decoding/style_guess.h"

enum { FIRST_BARS = 16 };

static enum model_status guess(struct style_guess *g, struct piece *p)
{
    struct piece beginning = {0};
    struct tokens t = {0};
    enum model_status st = MODEL_OK;
    bool has_begun = !piece_window(&beginning, p, 0, FIRST_BARS);
    beginning.n_chords = 0;
    if (has_begun && !tokens_encode(&t, &beginning, false)) {
        if (t.n > style_guess_max_tokens(g))
            t.n = style_guess_max_tokens(g);
        st = style_guess_run(g, &t, &p->style);
    }
    tokens_fini(&t);
    piece_fini(&beginning);
    return st;
}

enum model_status train_music_guess_styles(struct train_music *m,
                                           const struct model *from, struct pool *pool)
{
    struct style_guess *g = NULL;
    enum model_status st = style_guess_create(&g, from, pool);
    for (int split = 0; split < CORPUS_SPLITS; split++)
        for (int i = 0; !st && i < m->folder->n_pieces[split]; i++)
            if (m->folder->pieces[split][i].piece.style == STYLE_ANY)
                st = guess(g, &m->folder->pieces[split][i].piece);
    style_guess_destroy(g);
    return st;
}
