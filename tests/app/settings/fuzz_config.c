/* Whatever bytes are read as the configuration: every setting has a value that could be
 * typed, no key has two meanings, complaints are told in the order of their lines; and
 * what `continuo config` prints of it is read without a complaint, to the same effect. */
#include "app/settings/config.h"
#include "tests/fuzz_replay.h"

#include <string.h>

enum {
    MOST_BYTES = 2048,
    FIRST_KEYS = 1024,
#ifdef FUZZ_REPLAY
    PRINT_EVERY = 1,
#else
    PRINT_EVERY = 1024, /* since printing takes as long as hundreds of readings */
#endif
};

/* A setting that is not named is what it was. */
static void check_settings(const struct config *c, const uint8_t *bytes, size_t n)
{
    char text[SETTING_BYTES], again[SETTING_BYTES];
    for (int i = 0; settings_field(i); i++) {
        const char *name = settings_field(i)->name;
        if (!memmem(bytes, n, name, strlen(name)))
            continue;
        struct settings s = c->settings;
        settings_get(i, &s, text);
        require(!*text || settings_set(i, &s, text));
        require(!strcmp(settings_get(i, &s, again), text));
    }
}

static bool is_clash(const struct binding *a, const struct binding *b)
{
    bool is_begun = a->keys[0] == b->keys[0] &&
                    (a->keys[1] == b->keys[1] || !a->keys[1] || !b->keys[1]);
    return is_begun && (a->modes & b->modes);
}

/* Only rows whose first keys fall together can clash: they are linked, each to the one
 * before, by place + 1. */
static void check_keys(const struct binding *rows)
{
    enum { MOST_ROWS = 1 << 14 };
    static uint16_t before[MOST_ROWS + 1];
    uint16_t last[FIRST_KEYS] = {0};
    for (size_t i = 0; rows[i].id; i++) {
        require(i < MOST_ROWS);
        uint16_t *of_key = &last[rows[i].keys[0] % FIRST_KEYS];
        for (size_t k = *of_key; k; k = before[k])
            require(!is_clash(&rows[k - 1], &rows[i]));
        before[i + 1] = *of_key;
        *of_key = (uint16_t)(i + 1);
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

/* Which are printed: by what they say, so that one that failed fails again. */
static bool is_printed(const uint8_t *bytes, size_t n)
{
    unsigned sum = (unsigned)n;
    for (size_t i = 0; i < n; i++)
        sum = 31 * sum + bytes[i];
    return (sum ^ sum >> 16) % PRINT_EVERY == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct config c;
    if (n_bytes > MOST_BYTES)
        return 0;
    config_init(&c);
    config_read_bytes(&c, "x.conf", (const char *)bytes, n_bytes);
    check_settings(&c, bytes, n_bytes);
    if (c.keymap)
        check_keys(c.keymap);
    check_complaints(&c);
    if (is_printed(bytes, n_bytes))
        check_written(&c);
    config_fini(&c);
    return 0;
}
