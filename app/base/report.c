#include "app/base/report.h"

#include "app/base/json_fields.h"
#include "app/base/say.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PART_BYTES = 64, TEXT_BYTES = 4096 };

/* One field of a layout: "tracks.0.name:-12s|none". */
struct slot {
    char path[PART_BYTES], format[PART_BYTES], otherwise[PART_BYTES];
};

static const cJSON *find(const cJSON *from, char *path)
{
    char *rest = NULL;
    for (char *name = strtok_r(path, ".", &rest); name && from;
         name = strtok_r(NULL, ".", &rest))
        from = isdigit((unsigned char)*name)
                   ? cJSON_GetArrayItem(from, (int)strtol(name, NULL, 10))
                   : json_get(from, name);
    return from;
}

static void print_number(const char *format, double x)
{
    char whole[PART_BYTES + 8];
    const size_t n = strlen(format) - 1;
    if (!isfinite(x)) {
        printf("%*s", (int)strtol(format + 1, NULL, 10), "-");
        return;
    }
    snprintf(whole, sizeof whole, "%.*s.0f", (int)n, format);
    printf(format[n] == 'd' ? whole : format, x);
}

static void print_slot(const cJSON *from, struct slot *slot)
{
    const cJSON *item = find(from, slot->path);
    const double x = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    const char *text = cJSON_GetStringValue(item);
    char safe[TEXT_BYTES];
    switch (slot->format[strlen(slot->format) - 1]) {
    case 's':
        text = text && *text ? text : slot->otherwise;
        printf(slot->format, say_copy(safe, sizeof safe, text));
        break;
    case 'p':
        fputs(x == 1 ? "" : "s", stdout);
        break;
    case 'n':
        printf("%d", cJSON_GetArraySize(item));
        break;
    default:
        print_number(slot->format, x);
    }
}

/* Returns what follows the slot. */
static const char *read_slot(struct slot *slot, const char *at)
{
    const int n = (int)strcspn(at, "}"), n_path = (int)strcspn(at, ":"),
              n_field = (int)strcspn(at, "|}");
    snprintf(slot->path, sizeof slot->path, "%.*s", n_path, at);
    snprintf(slot->format, sizeof slot->format, "%%%.*s", n_field - n_path - 1,
             at + n_path + 1);
    snprintf(slot->otherwise, sizeof slot->otherwise, "%.*s",
             n > n_field ? n - n_field - 1 : 0, at + n_field + 1);
    return at + n + 1;
}

void report_print(const cJSON *from, const char *layout)
{
    struct slot slot;
    for (const char *at = layout; *at;) {
        const int n = (int)strcspn(at, "{");
        printf("%.*s", n, at);
        at += n;
        if (*at) {
            at = read_slot(&slot, at + 1);
            print_slot(from, &slot);
        }
    }
}

void report_print_each(const cJSON *list, const char *layout)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        report_print(item, layout);
    }
}
