/* See sign_words.h. */
#include "tui/roll/sign_words.h"

#include "tui/base/names.h"

#include <stdio.h>

const char *sign_words(const struct score *s, const struct sign *g,
                       char buf[SIGN_WORDS_BYTES])
{
    switch (g->kind) {
    case SIGN_METER:
        snprintf(buf, SIGN_WORDS_BYTES, "%d/%d", g->numerator, g->denominator);
        break;
    case SIGN_TEMPO:
        snprintf(buf, SIGN_WORDS_BYTES, "♩=%.4g", g->bpm);
        break;
    case SIGN_KEY:
        snprintf(buf, SIGN_WORDS_BYTES, "%s", key_signature_name(g->sharps, g->minor));
        break;
    default:
        sign_copy(s, g, buf, SIGN_WORDS_BYTES);
    }
    return buf;
}

const char *sign_kind_name(enum sign_kind kind)
{
    static const char *const NAMES[SIGN_KINDS] = {"meter",  "tempo", "key",
                                                  "marker", "cue",   "lyric"};
    return NAMES[kind];
}
