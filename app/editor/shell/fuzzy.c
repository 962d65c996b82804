#include "app/editor/shell/fuzzy.h"

#include <string.h>

#define WORST     (-1e9)
#define GAP_OUTER (-0.005) /* before the first letter and after the last, each byte */
#define GAP_INNER (-0.01)
#define IN_A_ROW  1.0
#define AT_WORD   0.8

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Returns the score of a letter at this position by itself. */
static double bonus_at(const char *text, int i)
{
    const char c = i ? lower(text[i - 1]) : ' ';
    bool is_in_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80);
    return is_in_word ? 0 : AT_WORD;
}

/* Scores of the first i letters of the word in the first j bytes of the text: here, if letter i
 * is at byte j; best, wherever it is. */
struct table {
    double here[FUZZY_MAX_WORD][FUZZY_MAX_TEXT];
    double best[FUZZY_MAX_WORD][FUZZY_MAX_TEXT];
};

static double score_here(const struct table *t, const char *text, int i, int j)
{
    if (i == 0)
        return j * GAP_OUTER + bonus_at(text, j);
    if (j == 0)
        return WORST;
    double after_gap = t->best[i - 1][j - 1] + bonus_at(text, j);
    double in_a_row = t->here[i - 1][j - 1] + IN_A_ROW;
    return after_gap > in_a_row ? after_gap : in_a_row;
}

/* Finds the bytes of the best match, from the last letter back. */
static uint64_t marks_of(const struct table *t, int n_word, int n_text)
{
    uint64_t marks = 0;
    bool is_in_a_row = false; /* the next letter was scored as adjacent */
    for (int i = n_word - 1, j = n_text - 1; i >= 0; i--, j--) {
        while (j > 0 && !(is_in_a_row && t->here[i][j] > WORST / 2) &&
               t->here[i][j] < t->best[i][j])
            j--;
        if (j < 0)
            break;
        marks |= j < 64 ? UINT64_C(1) << j : 0;
        is_in_a_row =
            i > 0 && j > 0 && t->here[i][j] == t->here[i - 1][j - 1] + IN_A_ROW;
    }
    return marks;
}

static bool match_word(const char *word, int n_word, const char *text, double *score,
                       uint64_t *marks)
{
    struct table t;
    int n_text = (int)strnlen(text, FUZZY_MAX_TEXT), n_found = 0;
    n_word = n_word < FUZZY_MAX_WORD ? n_word : FUZZY_MAX_WORD;
    for (int j = 0; j < n_text && n_found < n_word; j++)
        n_found += lower(word[n_found]) == lower(text[j]);
    if (n_word < 1 || n_found < n_word)
        return false;
    for (int i = 0; i < n_word; i++) {
        double gap = i == n_word - 1 ? GAP_OUTER : GAP_INNER, best = WORST;
        for (int j = 0; j < n_text; j++) {
            bool is_it = lower(word[i]) == lower(text[j]);
            t.here[i][j] = is_it ? score_here(&t, text, i, j) : WORST;
            best = best + gap > t.here[i][j] ? best + gap : t.here[i][j];
            t.best[i][j] = best;
        }
    }
    *score += t.best[n_word - 1][n_text - 1];
    *marks |= marks_of(&t, n_word, n_text);
    return true;
}

bool fuzzy_match(const char *typed, const char *text, double *score, uint64_t *marks)
{
    *score = 0;
    *marks = 0;
    while (*(typed += strspn(typed, " "))) {
        int n = (int)strcspn(typed, " ");
        if (!match_word(typed, n, text, score, marks))
            return false;
        typed += n;
    }
    return true;
}
