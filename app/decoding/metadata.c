/* models/FORMAT.md explains the fields. */
#include "app/decoding/metadata.h"

#include "app/base/json_fields.h"
#include "app/base/paths.h"
#include "app/base/say.h"
#include "midi/tokens/token_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct token_kind GRID_KINDS[] = {
    {"PAD", GRID_PAD, 0, 1},   {"BOS", GRID_BOS, 0, 1},   {"INSIDE", GRID_INSIDE, 0, 1},
    {"REST", GRID_REST, 0, 1}, {"HOLD", GRID_HOLD, 0, 1}, {"PITCH", GRID_PITCH, 0, 1},
    {NULL, GRID_COUNT, 0, 1},
};

static void add_kinds(cJSON *j, const struct token_kind *k)
{
    cJSON *list = cJSON_AddArrayToObject(j, "kinds");
    for (; k->name; k++)
        json_add(json_item(list), "name %s first %d count %d value %d each %d", k->name,
                 k->first, k[1].first - k->first, k->value, k->each);
}

static cJSON *describe_tokenizer(const char *name, int version, int vocab)
{
    return json_add(cJSON_CreateObject(),
                    "name %s version %d vocab %d steps_per_quarter %d", name, version,
                    vocab, STEPS_PER_QUARTER);
}

static cJSON *describe_score_tokens(void)
{
    cJSON *j = describe_tokenizer("score", 2, TOKEN_COUNT);
    add_kinds(j, TOKEN_KINDS);
    cJSON *styles = cJSON_AddArrayToObject(j, "styles");
    for (int s = 0; s < STYLE_COUNT; s++)
        json_append_text(styles, style_name((enum style)s));
    return j;
}

static void add_voices(cJSON *j, const char *name, struct grid_form form)
{
    cJSON_AddItemToObject(
        j, name, cJSON_CreateStringArray(grid_voice_names + form.first, form.n));
}

static cJSON *describe_grid_tokens(const struct grid_lesson *lesson)
{
    cJSON *j = describe_tokenizer("grid", 1, GRID_COUNT);
    cJSON_AddNumberToObject(j, "steps_per_cell", GRID_STEP);
    add_voices(j, "voices", lesson->told);
    if (lesson->heard.n)
        add_voices(j, "heard", lesson->heard);
    cJSON_AddBoolToObject(j, "hold", lesson->told.hold);
    add_kinds(j, GRID_KINDS);
    return j;
}

char *tokenizer_json(const struct grid_lesson *lesson)
{
    cJSON *j = lesson ? describe_grid_tokens(lesson) : describe_score_tokens();
    char *text = cJSON_PrintUnformatted(j);
    cJSON_Delete(j);
    return text;
}

static int find_voice(const cJSON *name)
{
    for (int v = 0; cJSON_IsString(name) && v < GRID_VOICES; v++)
        if (!strcmp(name->valuestring, grid_voice_names[v]))
            return v;
    return -1;
}

/* Neighbours, from high to low. */
static bool read_voices(const cJSON *list, struct grid_form *form)
{
    form->n = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    form->first = find_voice(cJSON_GetArrayItem(list, 0));
    if (form->n < 1 || form->n > GRID_VOICES || form->first < 0)
        return false;
    for (int i = 1; i < form->n; i++)
        if (find_voice(cJSON_GetArrayItem(list, i)) != form->first + i)
            return false;
    return true;
}

/* Whether the description of the tokens equals our own, as do the styles that both know;
 * takes `own`. */
static bool says_the_same(const cJSON *said, cJSON *own)
{
    static const char *const WHAT[] = {
        "name", "version", "vocab", "steps_per_quarter", "steps_per_cell", "kinds"};
    bool same = said && own;
    for (size_t i = 0; same && i < sizeof WHAT / sizeof *WHAT; i++) {
        const cJSON *a = json_get(said, WHAT[i]), *b = json_get(own, WHAT[i]);
        same = (!a && !b) || cJSON_Compare(a, b, true);
    }
    const cJSON *a = json_get(said, "styles"), *b = json_get(own, "styles");
    for (int i = 0; i < cJSON_GetArraySize(a) && i < cJSON_GetArraySize(b); i++)
        same = same &&
               cJSON_Compare(cJSON_GetArrayItem(a, i), cJSON_GetArrayItem(b, i), true);
    cJSON_Delete(own);
    return same;
}

bool metadata_fits_score(const struct model *m)
{
    const int vocab = m->config.vocab;
    const char *text = model_metadata(m, "tokenizer");
    if (!text || !tokens_fit(vocab))
        return tokens_fit(vocab);
    cJSON *said = cJSON_Parse(text);
    bool fits = says_the_same(said, describe_score_tokens());
    cJSON_Delete(said);
    return fits;
}

bool metadata_grid_lesson(const struct model *m, struct grid_lesson *lesson)
{
    const char *text = model_metadata(m, "tokenizer");
    cJSON *j = text ? cJSON_Parse(text) : NULL;
    const cJSON *heard = json_get(j, "heard");
    const bool hold = cJSON_IsTrue(json_get(j, "hold")),
               has_encoder = m->config.n_encoder_layers > 0;
    *lesson = (struct grid_lesson){.told.hold = hold, .heard.hold = hold};
    bool ok = m->config.vocab == GRID_COUNT && json_is_text(j, "name", "grid") &&
              read_voices(json_get(j, "voices"), &lesson->told) &&
              (has_encoder ? read_voices(heard, &lesson->heard) : !heard) &&
              says_the_same(j, describe_grid_tokens(lesson));
    cJSON_Delete(j);
    return ok;
}

/* -- opening -- */

static void start_state(void *state)
{
    token_state_start(state);
}

static int next_state(void *state, int32_t token, uint16_t *rows)
{
    return token_state_next(state, token, rows);
}

const struct model_state_kind *model_file_score_state(void)
{
    static const struct model_state_kind kind = {
        .size = sizeof(struct token_state),
        .n_rows = TOKEN_STATE_ROWS,
        .start = start_state,
        .next = next_state,
    };
    return &kind;
}

enum model_status model_file_open(struct model **out, const char *path, char *detail,
                                  size_t n_detail)
{
    enum model_status st = model_open(out, path, detail, n_detail);
    if (!st && metadata_fits_score(*out))
        (*out)->state_kind = model_file_score_state();
    return st;
}

/* -- for the verbs -- */

int verb_model_open(struct model **out, const char *wanted, char *path, size_t n_path)
{
    char detail[96] = "";
    *out = NULL;
    if (!paths_model(path, n_path, wanted))
        return wanted ? say_error(wanted, "the name is too long")
                      : say_error("no model was found", "name one by --model FILE");
    errno = 0;
    enum model_status st = model_file_open(out, path, detail, sizeof detail);
    return st ? say_model_error(path, st, detail) : 0;
}
