/* Matches words to the names of instruments. A match is a number; a larger number is a
 * worse match. */
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

/* Splits the letters among words of the name, from position `at` on. Returns the
 * smallest number of words that are passed over, or NO_FIT. Names are short, so
 * recursion is cheap. */
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

/* Whatever the kind of match, the letters come in order in the name; this is quick to
 * check first. */
static int fit_one(const char *letters, size_t n, const char *name)
{
    size_t done = 0, last = 0;
    for (; name[last] && done < n; last++)
        done += lower(letters[done]) == lower(name[last]);
    if (done < n)
        return NO_FIT;
    for (size_t at = 0; name[at]; at++)
        if (begins_word(name, at) && same_letters(letters, name + at, n) == n)
            return FIT_WORD + (at > 0) +
                   2 * !!isalnum((unsigned char)name[at + n]); /* whole word */
    int fit = split_among_words(letters, n, name, 0);
    if (fit < NO_FIT)
        return FIT_WORDS + fit;
    for (size_t at = 0; name[at]; at++)
        if (same_letters(letters, name + at, n) == n)
            return FIT_INSIDE + (int)at;
    return FIT_ORDER + (int)last;
}

/* Returns the sum over all words, or NO_FIT if one word does not match. If there are
 * several words, each word of the name adds one, so that of two names with all words
 * the shorter wins. */
static int fit_all(const char *words, const char *name)
{
    enum { LONGEST = 32 };
    int sum = 0, n_words = 0;
    for (; *(words += strspn(words, " ")); n_words++) {
        size_t n = strcspn(words, " ");
        int fit = n > LONGEST ? NO_FIT : fit_one(words, n, name);
        if (fit >= NO_FIT)
            return NO_FIT;
        sum += fit;
        words += n;
    }
    for (size_t at = 0; n_words > 1 && name[at]; at++)
        sum += begins_word(name, at) && isalpha((unsigned char)name[at]);
    return sum < NO_FIT ? sum : NO_FIT - 1;
}

/* -- what people call instruments -- */

/* Pairs of a common name and the General MIDI name. */
static const char *const SYNONYMS[] = {
    "e-piano",     "electric piano",
    "rhodes",      "electric piano",
    "wurlitzer",   "electric piano",
    "keys",        "piano",
    "keyboard",    "piano",
    "e-guitar",    "electric guitar",
    "distorted",   "distortion",
    "e-bass",      "electric bass",
    "upright",     "acoustic",
    "double",      "contrabass",
    "hammond",     "drawbar organ",
    "pipe",        "church",
    "saxophone",   "sax",
    "vibes",       "vibraphone",
    "cor",         "horn",
    "cembalo",     "harpsichord",
    "strings",     "string ensemble",
    "voices",      "choir",
    "vocals",      "voice oohs",
    "singer",      "voice oohs",
    "steelpan",    "steel drums",
    "anglais",     "english horn",
    "fingered",    "finger",
    "picked",      "pick",
    "slapped",     "slap",
    "brass",       "brass section",
    "voice",       "voice oohs",
    "violoncello", "cello",
    "clavinet",    "clavi",
    "bagpipes",    "bag pipe",
    "bagpipe",     "bag pipe",
    "mandolin",    "steel guitar",
};
enum { N_SYNONYMS = sizeof SYNONYMS / sizeof SYNONYMS[0] };

/* Returns the other name of a word, or NULL. */
static const char *synonym(const char *word, size_t n)
{
    for (size_t i = 0; i < N_SYNONYMS; i += 2)
        if (strlen(SYNONYMS[i]) == n && same_letters(word, SYNONYMS[i], n) == n)
            return SYNONYMS[i + 1];
    return NULL;
}

/* Writes the words to `to`, with synonyms instead of common names, and without hyphens
 * in the other words. Returns false if nothing differs or `to` is too small. */
static bool translate(const char *words, char *to, size_t size)
{
    size_t used = 0;
    bool differs = false;
    while (*(words += strspn(words, " "))) {
        size_t n = strcspn(words, " ");
        const char *other = synonym(words, n);
        if (used + (other ? strlen(other) : n) + 2 > size)
            return false;
        differs |= other || memchr(words, '-', n);
        for (size_t i = 0; other ? other[i] : i < n; i++)
            if (other || words[i] != '-')
                to[used++] = other ? other[i] : words[i];
        to[used++] = ' ';
        words += n;
    }
    to[used] = '\0';
    return differs;
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

size_t gm_find(const char *words, bool is_drums, uint8_t *found, size_t most)
{
    enum { KNOWN = 10 }; /* a synonym is better than a match of a few letters */
    struct fit fits[GM_PROGRAMS];
    char meant[128];
    const bool has_meant = translate(words, meant, sizeof meant);
    char *end;
    const long number = strtol(words, &end, 10); /* counted from 1 */
    const bool is_number = end != words && !end[strspn(end, " ")];
    size_t n = 0, n_found = 0;
    for (int i = 0; i < GM_PROGRAMS; i++) {
        const char *name = is_drums ? gm_kit_name(i) : gm_program_name(i);
        int fit = !*name                         ? NO_FIT
                  : is_number && number == i + 1 ? -1
                                                 : fit_all(words, name);
        int other = *name && has_meant ? fit_all(meant, name) : NO_FIT;
        if (other < NO_FIT && other - KNOWN < fit)
            fit = other - KNOWN;
        if (fit < NO_FIT)
            fits[n++] = (struct fit){fit, (uint8_t)i};
    }
    qsort(fits, n, sizeof *fits, compare_fits);
    for (; n_found < n && n_found < most; n_found++)
        found[n_found] = fits[n_found].program;
    return n_found;
}

/* -- names of tracks -- */

/* Copies the words of a name in small letters. Leaves out signs, and numbers as in
 * "Violin 2", "2nd Violin" and "Violin II". */
static void copy_words(const char *name, char *to, size_t size)
{
    size_t used = 0;
    for (size_t at = 0; name[at];) {
        size_t n = 0, n_digits = 0, n_roman = 0;
        for (; name[at + n] == '-' || isalnum((unsigned char)name[at + n]); n++) {
            n_digits += isdigit((unsigned char)name[at + n]) != 0;
            n_roman += name[at + n] == 'I' || name[at + n] == 'V';
        }
        const bool is_word = n > 0 && !n_digits && n_roman < n;
        for (size_t i = 0; is_word && i < n && used + 2 < size; i++)
            to[used++] = (char)lower(name[at + i]);
        if (is_word)
            to[used++] = ' ';
        at += n + (n == 0);
    }
    to[used] = '\0';
    char *guitar = strstr(to, "bass guitar ");
    if (guitar == to) /* "bass guitar" alone is an electric bass */
        memcpy(to, "e-bass     ", strlen("bass guitar"));
    else if (guitar) /* elsewhere "guitar" is dropped, as in "fretless bass guitar" */
        memset(guitar + strlen("bass"), ' ', strlen(" guitar"));
}

/* Whether one of the words is the instrument's noun: the last word of its name before a
 * number or a bracket. For "Slap Bass 1" that is "bass", not "slap". */
static bool has_noun(const char *words, const char *name)
{
    const size_t all = strcspn(name, "(0123456789");
    size_t end = all, from;
    while (end > 0 && !isalpha((unsigned char)name[end - 1]))
        end--;
    for (from = end; from > 0 && isalpha((unsigned char)name[from - 1]);)
        from--;
    for (const char *w = words; *(w += strspn(w, " ")); w += strcspn(w, " "))
        if (end > from && strcspn(w, " ") == end - from &&
            same_letters(w, name + from, end - from) == end - from)
            return true;
    return false;
}

/* Whether every word begins a word of the name. */
static bool has_words(const char *words, const char *name)
{
    for (const char *w = words; *(w += strspn(w, " ")); w += strcspn(w, " ")) {
        const size_t n = strcspn(w, " ");
        size_t at = 0;
        while (name[at] &&
               !(begins_word(name, at) && same_letters(w, name + at, n) == n))
            at++;
        if (!name[at])
            return false;
    }
    return true;
}

static bool is_named_so(const char *words, uint8_t *program)
{
    enum { LEAD = 80, LEADS = 8 }; /* programs 80 to 87: "lead" is a role, too */
    char meant[128];
    uint8_t found[GM_PROGRAMS];
    const size_t n = *words ? gm_find(words, false, found, GM_PROGRAMS) : 0;
    translate(words, meant, sizeof meant);
    for (size_t i = 0; i < n; i++) {
        const char *name = gm_program_name(found[i]);
        const bool is_it = (has_noun(words, name) && has_words(words, name)) ||
                           (has_noun(meant, name) && has_words(meant, name));
        *program = found[i];
        if (is_it && (found[i] < LEAD || found[i] >= LEAD + LEADS))
            return true;
    }
    return false;
}

bool gm_named(const char *name, uint8_t *program)
{
    char words[64];
    copy_words(name, words, sizeof words);
    if (is_named_so(words, program))
        return true;
    /* "Bass DI", "Lead guitar": try the last words, and then fewer */
    for (size_t end = strlen(words); end > 0;) {
        words[--end] = '\0'; /* the space at the end */
        while (end > 0 && words[end - 1] != ' ')
            end--;
        if (is_named_so(words + end, program))
            return true;
    }
    return false;
}
