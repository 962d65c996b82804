/* Whatever text a model carries of its tokens and of where it comes from: the voices read
 * of it are voices there are, and what is printed of it, in lines or as JSON, is text that
 * a terminal only shows. */
#include "app/cli/verbs.h"
#include "app/decoding/metadata.h"
#include "app/base/json_fields.h"
#include "tests/tui/shown.h"

enum { MOST_BYTES = 4096, MOST_FILE = 1 << 17 };

/* -- a model that has it -- */

static void add_tensors(cJSON *header, const struct model_config *c, size_t *n_bytes)
{
    struct model_tensor *list;
    size_t n_floats, n = model_tensors(c, NULL, &list, &n_floats);
    require(n > 0);
    for (size_t i = 0; i < n; i++) {
        cJSON *t = cJSON_AddObjectToObject(header, list[i].name);
        cJSON *shape = cJSON_AddArrayToObject(t, "shape");
        cJSON *place = cJSON_AddArrayToObject(t, "data_offsets");
        size_t size = sizeof(float);
        for (int d = 0; d < list[i].n_dims; d++) {
            cJSON_AddItemToArray(shape, cJSON_CreateNumber((double)list[i].shape[d]));
            size *= (size_t)list[i].shape[d];
        }
        cJSON_AddStringToObject(t, "dtype", "F32");
        cJSON_AddItemToArray(place, cJSON_CreateNumber((double)*n_bytes));
        cJSON_AddItemToArray(place, cJSON_CreateNumber((double)(*n_bytes += size)));
    }
    free(list);
}

/* The container: the header's length, the header, and weights that are all 0. */
static struct model *make_model(bool has_encoder, const char *key, const char *text)
{
    static uint8_t file[MOST_FILE];
    struct model_config c = {.vocab = GRID_COUNT,
                             .context = 4,
                             .d_model = 4,
                             .n_heads = 1,
                             .n_layers = 1,
                             .n_encoder_layers = has_encoder,
                             .d_ff = 4,
                             .position = POSITION_LEARNED,
                             .tied = true};
    cJSON *header = cJSON_CreateObject();
    cJSON *metadata = cJSON_AddObjectToObject(header, "__metadata__");
    char *config = model_config_json(&c);
    size_t n_bytes = 0;
    require(config && cJSON_AddStringToObject(metadata, "config", config) &&
            cJSON_AddStringToObject(metadata, key, text));
    add_tensors(header, &c, &n_bytes);
    char *json = cJSON_PrintUnformatted(header);
    uint64_t n = strlen(json);
    require(8 + n + n_bytes <= sizeof file);
    memcpy(file, &n, 8);
    memcpy(file + 8, json, n);
    memset(file + 8 + n, 0, n_bytes);
    struct model *m;
    if (model_parse(&m, file, 8 + n + n_bytes, NULL, 0))
        m = NULL; /* the text was no UTF-8, or had a NUL */
    cJSON_Delete(header);
    cJSON_free(json);
    free(config);
    return m;
}

/* -- what must hold -- */

static void check_form(const struct grid_form *f)
{
    require(f->n >= 1 && f->first >= 0 && f->n <= GRID_VOICES - f->first);
}

static void check_lesson(const struct model *m, bool has_encoder)
{
    struct grid_lesson lesson;
    if (!metadata_grid_lesson(m, &lesson))
        return;
    check_form(&lesson.told);
    require((lesson.heard.n > 0) == has_encoder);
    if (has_encoder)
        check_form(&lesson.heard);
}

static bool is_as_taken(const char *at, size_t n, uint32_t code)
{
    char again[4];
    return text_encode(code, again) == n && !memcmp(again, at, n);
}

/* But for the layout of JSON. */
static void check_shown_as_it_is(const char *text)
{
    const char *at = text, *before = at;
    for (uint32_t code; (code = text_next(&at)) != 0; before = at)
        require(*before == '\n' || *before == '\t' ||
                is_as_taken(before, (size_t)(at - before), code));
}

/* The same as JSON, but for bytes that are no UTF-8. */
static void check_json(const struct model *m)
{
    char *text;
    size_t n;
    FILE *to = open_memstream(&text, &n);
    cJSON *j = describe_model(m, "a\033[31m\302\233model");
    require(to && j && say_json(to, j) && !fclose(to));
    check_shown_as_it_is(text);
    cJSON *again = cJSON_Parse(text);
    require(again != NULL);
    cJSON_Delete(again);
    cJSON_Delete(j);
    free(text);
}

static void check_lines(const struct model *m)
{
    char buf[1024];
    check_shown_as_it_is(describe_provenance(m, buf, sizeof buf));
    require(strlen(buf) < sizeof buf && !strchr(buf, '\n'));
}

/* The first byte: which text it is, and of what model. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    if (!n_bytes || n_bytes > MOST_BYTES)
        return 0;
    bool has_encoder = bytes[0] & 1;
    char *text = strndup((const char *)bytes + 1, n_bytes - 1);
    require(text != NULL);
    struct model *m =
        make_model(has_encoder, bytes[0] & 2 ? "tokenizer" : "provenance", text);
    if (m) {
        check_lesson(m, has_encoder);
        check_lines(m);
        check_json(m);
    }
    model_close(m);
    free(text);
    return 0;
}
