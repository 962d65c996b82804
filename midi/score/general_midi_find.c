/* How well a few letters fit a name: the worse, the larger the number. See
 * general_midi.h. */
#include "midi/score/general_midi.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    NO_FIT = 10000,
    FIT_WORD = 0,
    FIT_WORDS = 100,
    FIT_INSIDE = 1000,
    FIT_ORDER = 2000
};

static int lower(char c)
{
    return tolower((unsigned char)c);
}

static size_t same_letters(const char *a, const char *b, size_t most)
{
    size_t n = 0;
    while (n < most && b[n] && lower(a[n]) == lower(b[n]))
        n++;
    return n;
}

static bool begins_word(const char *name, size_t at)
{
    return isalnum((unsigned char)name[at]) &&
           (at == 0 || !isalnum((unsigned char)name[at - 1]));
}

/* How many letters of words are passed over when the letters are split among words of
 * the name from `at` on, as few as may be; NO_FIT. Names are short. */
static int split_among_words(const char *letters, size_t n, const char *name, size_t at)
{
    int best = NO_FIT, passed = 0;
    if (n == 0)
        return 0;
    for (; name[at]; at++) {
        if (!begins_word(name, at))
            continue;
        for (size_t k = same_letters(letters, name + at, n); k > 0; k--) {
            int rest = split_among_words(letters + k, n - k, name, at + k);
            best = rest + passed < best ? rest + passed : best;
        }
        passed++;
    }
    return best;
}

static int stands_in(const char *letters, size_t n, const char *name)
{
    for (size_t at = 0; name[at]; at++)
        if (same_letters(letters, name + at, n) == n)
            return FIT_INSIDE + (int)at;
    return NO_FIT;
}

static int comes_in_order(const char *letters, size_t n, const char *name)
{
    size_t done = 0, at = 0;
    for (; name[at] && done < n; at++)
        done += lower(letters[done]) == lower(name[at]);
    return done == n ? FIT_ORDER + (int)at : NO_FIT;
}

/* However they fit, they come in order, which is soon seen. */
static int fit_one(const char *letters, size_t n, const char *name)
{
    int in_order = comes_in_order(letters, n, name);
    if (in_order >= NO_FIT)
        return NO_FIT;
    for (size_t at = 0; name[at]; at++)
        if (begins_word(name, at) && same_letters(letters, name + at, n) == n)
            return FIT_WORD + (at > 0) +
                   2 * !!isalnum((unsigned char)name[at + n]); /* a whole word */
    int fit = split_among_words(letters, n, name, 0);
    if (fit < NO_FIT)
        return FIT_WORDS + fit;
    fit = stands_in(letters, n, name);
    return fit < NO_FIT ? fit : in_order;
}

/* The sum over words; NO_FIT when one does not fit at all. */
static int fit_all(const char *words, const char *name)
{
    enum { LONGEST = 32 };
    int sum = 0;
    while (*(words += strspn(words, " "))) {
        size_t n = strcspn(words, " ");
        int fit = n > LONGEST ? NO_FIT : fit_one(words, n, name);
        if (fit >= NO_FIT)
            return NO_FIT;
        sum += fit;
        words += n;
    }
    return sum < NO_FIT ? sum : NO_FIT - 1;
}

struct fit {
    int fit;
    uint8_t program;
};

static int compare_fits(const void *a, const void *b)
{
    const struct fit *x = a, *y = b;
    return x->fit != y->fit ? (x->fit > y->fit) - (x->fit < y->fit)
                            : (x->program > y->program) - (x->program < y->program);
}

static bool numbered(const char *words, int program)
{
    char *end;
    long n = strtol(words, &end, 10);
    return end != words && !end[strspn(end, " ")] && n == program + 1;
}

size_t gm_find(const char *words, bool is_drums, uint8_t *found, size_t most)
{
    struct fit fits[GM_PROGRAMS];
    size_t n = 0, n_found = 0;
    for (int i = 0; i < GM_PROGRAMS; i++) {
        const char *name = is_drums ? gm_kit_name(i) : gm_program_name(i);
        int fit = !*name ? NO_FIT : numbered(words, i) ? -1 : fit_all(words, name);
        if (fit < NO_FIT)
            fits[n++] = (struct fit){fit, (uint8_t)i};
    }
    qsort(fits, n, sizeof *fits, compare_fits);
    for (; n_found < n && n_found < most; n_found++)
        found[n_found] = fits[n_found].program;
    return n_found;
}
