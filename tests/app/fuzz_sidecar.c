/* Whatever bytes lie beside a piece: they are refused with a plain phrase and nothing of
 * them is taken, or what they say is written and read again as the same. */
#include "app/sidecar.h"
#include "tests/memory_file.h"

enum { MOST_BYTES = 1 << 16 };

static enum sidecar_status load(struct sidecar *s, const void *bytes, size_t n,
                                char why[SIDECAR_WHY_BYTES])
{
    char piece[128];
    const char *path = memory_file_with("x.mid.continuo", bytes, n);
    snprintf(piece, sizeof piece, "%.*s", (int)(strlen(path) - strlen(".continuo")),
             path);
    return sidecar_load(s, piece, why);
}

static char *text_of(const struct sidecar *s)
{
    char *text = sidecar_text(s);
    require(text != NULL);
    return text;
}

static char *text_of_none(void)
{
    struct sidecar none;
    sidecar_init(&none);
    char *text = text_of(&none);
    sidecar_fini(&none);
    return text;
}

static void check_nothing(const struct sidecar *s)
{
    static char *wanted;
    wanted = wanted ? wanted : text_of_none();
    char *text = text_of(s);
    require(!strcmp(text, wanted));
    free(text);
}

static void check_written(const struct sidecar *s)
{
    struct sidecar again;
    char why[SIDECAR_WHY_BYTES] = "", *text = text_of(s), *twice;
    require(load(&again, text, strlen(text), why) == SIDECAR_OK);
    twice = text_of(&again);
    require(!strcmp(text, twice));
    free(text);
    free(twice);
    sidecar_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct sidecar s;
    char why[SIDECAR_WHY_BYTES] = "";
    if (n_bytes > MOST_BYTES)
        return 0;
    if (load(&s, bytes, n_bytes, why)) {
        require(*why && is_plain_line(why));
        check_nothing(&s);
    } else {
        check_written(&s);
    }
    sidecar_fini(&s);
    return 0;
}
