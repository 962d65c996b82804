/* Whatever bytes are read as the configuration: every setting has a value that could be
 * typed, no key has two meanings, complaints are told in the order of their lines; and
 * what `continuo config` prints of it is read without a complaint, to the same effect. */
#include "app/config.h"
#include "app/config_write.h"
#include "tests/fuzz_replay.h"

#include <stdio.h>
#include <string.h>

enum {
    PRINT_EVERY = 8
}; /* since printing all keys takes as long as a hundred readings */

static void check_settings(const struct config *c)
{
    char text[SETTING_BYTES], again[SETTING_BYTES];
    for (int i = 0; i < settings_n(); i++) {
        struct settings s = c->settings;
        settings_get(i, &s, text);
        require(!*text || settings_set(i, &s, text));
        require(!strcmp(settings_get(i, &s, again), text));
    }
}

static void check_keys(const struct keymap *m)
{
    size_t n;
    const struct binding *rows = keymap_rows(m, &n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            const uint32_t *a = rows[i].keys, *b = rows[k].keys;
            bool is_begun = a[0] == b[0] && (a[1] == b[1] || !a[1] || !b[1]);
            require(!is_begun || !(rows[i].modes & rows[k].modes));
        }
}

static void check_complaints(const struct config *c)
{
    char buf[400];
    int n = c->n_errors < CONFIG_MAX_ERRORS ? c->n_errors : CONFIG_MAX_ERRORS;
    require((c->n_errors > 0) == (*config_complaint(c, buf, sizeof buf) != '\0'));
    for (int i = 0; i < n; i++) {
        require(memchr(c->errors[i].text, 0, sizeof c->errors[i].text));
        require(*c->errors[i].text && c->errors[i].line >= 0);
        require(!i || c->errors[i - 1].line <= c->errors[i].line);
    }
}

static char *written(const struct config *c, size_t *n)
{
    char *text;
    FILE *to = open_memstream(&text, n);
    require(to != NULL);
    config_write(to, c);
    require(!fclose(to));
    return text;
}

static void check_written(const struct config *c)
{
    struct config again;
    size_t n, n_twice;
    char *text = written(c, &n), *twice;
    config_init(&again);
    config_read_bytes(&again, "x.conf", text, n);
    require(!again.n_errors);
    twice = written(&again, &n_twice);
    require(n == n_twice && !memcmp(text, twice, n));
    config_fini(&again);
    free(text);
    free(twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct config c;
    config_init(&c);
    config_read_bytes(&c, "x.conf", (const char *)bytes, n_bytes);
    check_settings(&c);
    if (c.keymap)
        check_keys(c.keymap);
    check_complaints(&c);
    if (n_bytes % PRINT_EVERY == 0)
        check_written(&c);
    config_fini(&c);
    return 0;
}
