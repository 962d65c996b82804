/* A groove as it is typed and kept: a few words, see groove.h. */
#include "app/document/groove.h"

#include <stdio.h>
#include <string.h>

/* A word's place in the line; moves *text past it. Its length, 0 at the end. */
static size_t next_word(const char **text, const char **word)
{
    *word = *text + strspn(*text, " \t");
    size_t n = strcspn(*word, " \t");
    *text = *word + n;
    return n;
}

static bool is_word(const char *word, size_t n, const char *wanted)
{
    size_t n_wanted = strlen(wanted);
    bool is_plural = n == n_wanted + 1 && word[n - 1] == 's';
    return (n == n_wanted || is_plural) && memcmp(word, wanted, n_wanted) == 0;
}

/* "80%" or "80" */
static bool percent(const char *word, size_t n, int low, int high, int *out)
{
    int value = 0;
    if (n > 1 && word[n - 1] == '%')
        n--;
    if (n < 1 || n > 3)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (word[i] < '0' || word[i] > '9')
            return false;
        value = 10 * value + (word[i] - '0');
    }
    if (value < low || value > high)
        return false;
    *out = value;
    return true;
}

/* The number that a word announced. */
static bool next_percent(const char **text, int low, int high, int *out)
{
    const char *word;
    size_t n = next_word(text, &word);
    return percent(word, n, low, high, out);
}

static bool read_word(struct groove *g, const char *word, size_t n, const char **rest,
                      bool *said_which)
{
    if (is_word(word, n, "swing"))
        return next_percent(rest, 50, 75, &g->swing);
    if (is_word(word, n, "within"))
        return next_percent(rest, 0, 100, &g->within);
    if (is_word(word, n, "straight")) {
        g->swing = 50;
        return true;
    }
    bool start = is_word(word, n, "start"), end = is_word(word, n, "end");
    if (!start && !end && !is_word(word, n, "length"))
        return percent(word, n, 0, 100, &g->strength);
    if (!*said_which) {
        g->starts = false;
        g->ends = GROOVE_ENDS_FOLLOW;
    }
    *said_which = true;
    if (start)
        g->starts = true;
    else
        g->ends = end ? GROOVE_ENDS_LINES : GROOVE_ENDS_LENGTHS;
    return true;
}

bool groove_parse(const char *text, struct groove *g)
{
    struct groove read = *g;
    bool said_which = false;
    const char *word;
    for (size_t n; (n = next_word(&text, &word)) > 0;)
        if (!read_word(&read, word, n, &text, &said_which))
            return false;
    *g = read;
    return true;
}

const char *groove_format(const struct groove *g, char buf[GROOVE_TEXT])
{
    static const char *const ENDS[] = {"", " end", " length"};
    char swing[16] = "", within[16] = "";
    if (g->swing != 50)
        snprintf(swing, sizeof swing, " swing %d", g->swing);
    if (g->within)
        snprintf(within, sizeof within, " within %d%%", g->within);
    snprintf(buf, GROOVE_TEXT, "%d%%%s%s%s%s", g->strength, g->starts ? " start" : "",
             ENDS[g->ends], swing, within);
    return buf;
}
