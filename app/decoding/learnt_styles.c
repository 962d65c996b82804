#include "app/decoding/learnt_styles.h"

#include "app/decoding/continuation.h"
#include "app/base/paths.h"

#include "midi/tokens/tokens.h"
#include "model/weights/safetensors.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#define ALL             ((UINT64_C(1) << STYLE_COUNT) - 1)

#define FAMILY(program) (UINT64_C(1) << (program) / 8)
#define PIANOS          FAMILY(0)
#define ORGANS          FAMILY(16)
#define STRINGS         FAMILY(40)
#define ENSEMBLES       FAMILY(48)
#define WINDS           (FAMILY(56) | FAMILY(64) | FAMILY(72))
#define CLASSICAL       (PIANOS | ORGANS | STRINGS | ENSEMBLES | WINDS)
#define DRUMS           (UINT64_C(1) << FAMILY_DRUMS)
#define ALL_FAMILIES    ((UINT64_C(1) << FAMILY_COUNT) - 1)
#define PITCHED         (ALL_FAMILIES & ~DRUMS)

/* The styles: their names, and the tracks that they are written for: the number, with all families in
 * `of` and some in `with`. */
static const struct {
    const char *name;
    int least, most;
    uint64_t of, with;
} STYLES[STYLE_COUNT] = {
    [STYLE_ANY] = {"any", 0, TOKEN_MAX_TRACKS, ALL_FAMILIES, ALL_FAMILIES},
    [STYLE_CHORALE] = {"chorale", 4, 5, PITCHED & ~STRINGS, PITCHED},
    [STYLE_PIANO] = {"piano", 1, 4, PIANOS | FAMILY(8) | ORGANS, PITCHED},
    [STYLE_SONG] = {"song", 3, 6, PITCHED, PIANOS},
    [STYLE_QUARTET] = {"quartet", 3, 5, STRINGS | ENSEMBLES | PIANOS, PITCHED},
    [STYLE_FOLK] = {"folk", 1, 1, PITCHED, PITCHED},
    [STYLE_HYMN] = {"hymn", 3, 5, PIANOS | ORGANS | ENSEMBLES, PITCHED},
    [STYLE_LEADSHEET] = {"leadsheet", 2, 3, PITCHED, PITCHED},
    [STYLE_ENSEMBLE] = {"ensemble", 2, TOKEN_MAX_TRACKS, CLASSICAL,
                        CLASSICAL & ~PIANOS & ~STRINGS},
    [STYLE_ORCHESTRA] = {"orchestra", 5, TOKEN_MAX_TRACKS, PITCHED, PITCHED},
    [STYLE_BAND] = {"band", 2, TOKEN_MAX_TRACKS, ALL_FAMILIES, DRUMS},
    [STYLE_DRUMS] = {"drums", 1, TOKEN_MAX_TRACKS, DRUMS, DRUMS},
    [STYLE_POP] = {"pop", 2, TOKEN_MAX_TRACKS, ALL_FAMILIES, ALL_FAMILIES & ~STRINGS},
    [STYLE_JAZZ] = {"jazz", 2, TOKEN_MAX_TRACKS, ALL_FAMILIES, ALL_FAMILIES & ~STRINGS},
    [STYLE_BLUES] = {"blues", 2, TOKEN_MAX_TRACKS, ALL_FAMILIES,
                     ALL_FAMILIES & ~STRINGS},
    [STYLE_LATIN] = {"latin", 2, TOKEN_MAX_TRACKS, ALL_FAMILIES,
                     ALL_FAMILIES & ~STRINGS},
};

const char *style_name(enum style s)
{
    return STYLES[s].name;
}

static uint64_t bit(int style)
{
    return UINT64_C(1) << style;
}

/* provenance: JSON, not trusted; NULL: none. */
static uint64_t styles_in(const char *provenance)
{
    cJSON *j = provenance ? cJSON_Parse(provenance) : NULL;
    const cJSON *corpus = NULL;
    uint64_t styles = 0;
    cJSON_ArrayForEach(corpus, cJSON_GetObjectItemCaseSensitive(j, "corpora"))
    {
        const char *name =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(corpus, "style"));
        for (int s = 0; name && s < STYLE_COUNT; s++)
            styles |= strcmp(name, style_name((enum style)s)) ? 0 : bit(s);
    }
    cJSON_Delete(j);
    return styles & ~bit(STYLE_ANY) ? styles | bit(STYLE_ANY) : ALL;
}

uint64_t learnt_styles(const struct model *m)
{
    return styles_in(model_metadata(m, "provenance"));
}

uint64_t learnt_styles_of_file(const char *wanted_model)
{
    char path[4096];
    struct safetensors *f = NULL;
    if (!paths_model(path, sizeof path, wanted_model) ||
        safetensors_open(&f, path, NULL, 0, NULL, 0))
        return ALL;
    uint64_t styles = styles_in(safetensors_metadata(f, "provenance"));
    safetensors_close(f);
    return styles;
}

uint64_t styles_for_players(int n_tracks, uint64_t families)
{
    uint64_t styles = bit(STYLE_ANY);
    for (int s = 0; s < STYLE_COUNT; s++)
        if (n_tracks >= STYLES[s].least && n_tracks <= STYLES[s].most &&
            !(families & ~STYLES[s].of) && families & STYLES[s].with)
            styles |= bit(s);
    return styles;
}

enum style learnt_style_for(uint64_t styles, const struct score *s)
{
    enum { QUARTET = 5 }; /* with one to spare */
    uint64_t families = 0;
    for (size_t t = 0; t < s->n_tracks; t++)
        families |= UINT64_C(1) << piece_family(&s->tracks[t]);
    enum style style = families == DRUMS                               ? STYLE_DRUMS
                       : families & DRUMS                              ? STYLE_BAND
                       : !(families & ~PIANOS)                         ? STYLE_PIANO
                       : families == STRINGS && s->n_tracks <= QUARTET ? STYLE_QUARTET
                       : families == STRINGS                           ? STYLE_ORCHESTRA
                                                                       : STYLE_ANY;
    return learnt_has(styles, (int)style) ? style : STYLE_ANY;
}

bool learnt_has(uint64_t styles, int style)
{
    if (style == CONTINUATION_STYLE_GUESS || !styles)
        return true;
    return style >= 0 && style < STYLE_COUNT && (styles & bit(style));
}

const char *learnt_list(uint64_t styles, char buf[LEARNT_LIST_BYTES])
{
    int used = snprintf(buf, LEARNT_LIST_BYTES, "one of guess");
    for (int s = 0; s < STYLE_COUNT && used < LEARNT_LIST_BYTES; s++)
        if (learnt_has(styles, s))
            used += snprintf(buf + used, (size_t)(LEARNT_LIST_BYTES - used), ", %s",
                             style_name((enum style)s));
    return buf;
}
