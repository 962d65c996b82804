/* See sidecar_groove.h. */
#include "app/sidecar_groove.h"

#include <math.h>
#include <string.h>

/* true, and nothing read, where it is not said. */
static bool read_number(const cJSON *from, const char *name, double most, double *out)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(from, name);
    if (!item)
        return true;
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= most))
        return false;
    *out = item->valuedouble;
    return true;
}

static bool read_quantise(const cJSON *from, struct groove *g)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(from, "quantise");
    return !item || (cJSON_IsString(item) && groove_parse(item->valuestring, g));
}

const char *sidecar_groove_read(struct groove *g, struct humanise *h, const cJSON *from)
{
    struct groove groove = *g;
    double ms = h->ms, velocity = h->velocity;
    if (!read_quantise(from, &groove))
        return "how it quantises";
    if (!read_number(from, "ms", HUMANISE_MOST_MS, &ms) ||
        !read_number(from, "velocity", 127, &velocity))
        return "how it humanises";
    *g = groove;
    h->ms = ms;
    h->velocity = (int)lround(velocity);
    return NULL;
}

bool sidecar_groove_write(cJSON *to, const struct groove *g, const struct humanise *h)
{
    char text[GROOVE_TEXT], usual[GROOVE_TEXT];
    groove_format(g, text);
    groove_format(&GROOVE_DEFAULT, usual);
    return (!strcmp(text, usual) || cJSON_AddStringToObject(to, "quantise", text)) &&
           (h->ms == HUMANISE_DEFAULT.ms || cJSON_AddNumberToObject(to, "ms", h->ms)) &&
           (h->velocity == HUMANISE_DEFAULT.velocity ||
            cJSON_AddNumberToObject(to, "velocity", h->velocity));
}
