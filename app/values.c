/* Values as people write them. See values.h. */
#include "app/values.h"

#include "app/continuation.h"
#include "app/metadata.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool value_real(const char *text, double low, double high, double *x)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end || errno || !(value >= low && value <= high))
        return false;
    *x = value;
    return true;
}

bool value_count(const char *text, int low, int high, int *n)
{
    double x;
    if (!value_real(text, low, high, &x) || x != (double)(int)x)
        return false;
    *n = (int)x;
    return true;
}

bool value_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno)
        return false;
    *seed = value;
    return true;
}

bool value_style(const char *text, int *style)
{
    if (!strcmp(text, "guess")) {
        *style = CONTINUATION_STYLE_GUESS;
        return true;
    }
    for (int s = 0; s < STYLE_COUNT; s++)
        if (!strcmp(text, style_name((enum style)s))) {
            *style = s;
            return true;
        }
    return false;
}

bool value_split(const char *text, enum corpus_split *split)
{
    static const char *const NAMES[CORPUS_SPLITS] = {"train", "valid", "test"};
    for (int i = 0; i < CORPUS_SPLITS; i++)
        if (!strcmp(text, NAMES[i])) {
            *split = (enum corpus_split)i;
            return true;
        }
    return false;
}
