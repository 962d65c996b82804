#include "midi/score/band.h"

#include "midi/score/general_midi.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The longer names come first, so that "kit" does not match the end of "drum kit". */
static const char *const DRUMS[] = {"drum kit", "drum set",   "drums",
                                    "drum",     "percussion", "kit"};
enum { N_DRUMS = sizeof DRUMS / sizeof DRUMS[0] };

/* Returns the length of the text before a word for drums at the end of `name`, or -1 if
 * it does not end in one. */
static int before_drums(const char *name)
{
    const size_t n = strlen(name);
    for (size_t i = 0; i < N_DRUMS; i++) {
        const size_t of = strlen(DRUMS[i]);
        const bool ends = n >= of && !strcasecmp(name + n - of, DRUMS[i]) &&
                          (n == of || name[n - of - 1] == ' ');
        if (ends)
            return (int)(n - of);
    }
    return -1;
}

/* Reads "drums" or "jazz drums". "Steel drums", for example, are no kit: no kit is
 * named "steel". */
static bool read_kit(struct band_part *p, const char *name)
{
    char kit[BAND_WORDS];
    const int before = before_drums(name);
    if (before <= 0)
        return before == 0;
    snprintf(kit, sizeof kit, "%.*s", before, name);
    return gm_find(kit, true, &p->program, 1);
}

/* Copies the next name, without the spaces around it. *rest moves past it, and is NULL
 * at the end. */
static void cut_name(const char **rest, char name[BAND_WORDS])
{
    const char *from = *rest + strspn(*rest, " ");
    const char *comma = strchr(from, ','), *and = strcasestr(from, " and ");
    const bool ends_in_and = and&&(!comma || and < comma);
    const char *end = ends_in_and ? and : comma ? comma : from + strlen(from);
    *rest = ends_in_and ? and+strlen(" and ") : comma ? comma + 1 : NULL;
    while (end > from && end[-1] == ' ')
        end--;
    snprintf(name, BAND_WORDS, "%.*s", (int)(end - from), from);
}

bool band_read(struct band *out, const char *words, char wrong[BAND_WORDS])
{
    *out = (struct band){0};
    *wrong = '\0';
    while (words && out->n < BAND_MOST) {
        char name[BAND_WORDS];
        struct band_part *p = &out->parts[out->n++];
        cut_name(&words, name);
        p->is_drums = read_kit(p, name);
        if (!p->is_drums && !(*name && gm_find(name, false, &p->program, 1))) {
            memcpy(wrong, name, BAND_WORDS);
            return false;
        }
    }
    return !words;
}

bool band_part_named(struct band_part *p, const char *name)
{
    *p = (struct band_part){0};
    p->is_drums = read_kit(p, name);
    return p->is_drums || gm_named(name, &p->program);
}

const char *band_part_name(const struct band_part *p)
{
    return p->is_drums ? "Drums" : gm_program_name(p->program);
}
