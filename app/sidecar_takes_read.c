/* Takes from JSON; see sidecar_takes.h. Whatever is wrong is told by its name. */
#include "app/sidecar_takes_fields.h"
#include "app/say.h"
#include "midi/note.h"

#include <limits.h>
#include <stdlib.h>

/* Room for what the array has. NULL: no memory, or no array. One that is missing is
 * empty. */
static void *make_room(const cJSON *array, size_t size, size_t *n)
{
    const cJSON *item;
    *n = 0;
    if (array && !cJSON_IsArray(array))
        return NULL;
    cJSON_ArrayForEach(item, array)++ *n;
    void *room = calloc(*n + 1, size);
    *n = room ? *n : 0;
    return room;
}

static const cJSON *member(const cJSON *from, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(from, name);
}

/* -- rows -- */

/* The first of a row's numbers; those after it are its `next`, NULL past the last. */
static const cJSON *first_of(const cJSON *row)
{
    return cJSON_IsArray(row) ? row->child : NULL;
}

static const cJSON *after(const cJSON *item)
{
    return item ? item->next : NULL;
}

static bool read_track(const cJSON *row, struct kept_track *t)
{
    const cJSON *at = first_of(row);
    return json_is_whole(at, 0, INT_MAX, &t->chunk) &&
           json_is_whole(after(at), 0, 15, &t->channel);
}

static bool read_tracks(struct sidecar_takes *t, const cJSON *array)
{
    t->tracks = make_room(array, sizeof *t->tracks, &t->n_tracks);
    struct kept_track *at = t->tracks;
    for (const cJSON *row = at ? first_of(array) : NULL; row; row = row->next, at++)
        if (!read_track(row, at))
            return false;
    return t->tracks != NULL;
}

/* track, start, length, pitch. *row goes on to what comes after them. */
static bool read_place(const cJSON **row, size_t n_tracks, struct kept_place *p)
{
    const cJSON *track = first_of(*row), *start = after(track), *length = after(start),
                *pitch = after(length);
    *row = after(pitch);
    return json_is_whole(track, 0, (int)n_tracks - 1, &p->track) &&
           json_is_tick(start, 0, TICK_MAX, &p->start) &&
           json_is_tick(length, 0, TICK_MAX, &p->length) &&
           json_is_whole(pitch, 0, 127, &p->pitch);
}

/* n_ghosts 0: of notes that are none. */
static bool read_places(struct kept_place **list, size_t *n, const cJSON *array,
                        size_t n_tracks, size_t n_ghosts)
{
    *list = make_room(array, sizeof **list, n);
    struct kept_place *p = *list;
    for (const cJSON *row = p ? first_of(array) : NULL; row; row = row->next, p++) {
        const cJSON *rest = row;
        if (!read_place(&rest, n_tracks, p) ||
            (n_ghosts && !json_is_whole(rest, 1, (int)n_ghosts, &p->ghost)))
            return false;
    }
    return *list != NULL;
}

static bool read_ghost(struct ghost *g, const cJSON *row, uint64_t number,
                       size_t n_tracks)
{
    struct kept_place p;
    const cJSON *velocity = row;
    int v;
    if (!read_place(&velocity, n_tracks, &p) || !json_is_whole(velocity, 1, 127, &v))
        return false;
    const cJSON *probability = after(velocity), *kept = after(probability);
    if (!cJSON_IsNumber(probability) || !(probability->valuedouble >= -1) ||
        !(probability->valuedouble <= 1) || !cJSON_IsBool(kept))
        return false;
    g->track = p.track;
    g->probability = (float)probability->valuedouble;
    g->is_kept = cJSON_IsTrue(kept);
    g->note = (struct note){.id = number,
                            .start = p.start,
                            .length = p.length,
                            .pitch = (uint8_t)p.pitch,
                            .velocity = (uint8_t)v,
                            .off_velocity = 64,
                            .on_order = ORDER_LAST,
                            .off_order = ORDER_FIRST};
    return p.length > 0 && note_is_valid(&g->note);
}

static bool read_ghosts(struct sidecar_takes *t, const cJSON *array)
{
    t->ghosts = make_room(array, sizeof *t->ghosts, &t->n_ghosts);
    const cJSON *row = t->ghosts ? first_of(array) : NULL;
    for (uint64_t number = 1; row; row = row->next, number++)
        if (!read_ghost(&t->ghosts[number - 1], row, number, t->n_tracks))
            return false;
    return t->ghosts != NULL;
}

/* -- takes -- */

/* Those of one take, each once. */
static bool read_own_ghosts(struct proposal *p, const cJSON *array,
                            const struct sidecar_takes *t)
{
    bool *has = calloc(t->n_ghosts + 1, sizeof *has);
    p->ghosts = make_room(array, sizeof *p->ghosts, &p->cap_ghosts);
    bool ok = has && p->ghosts;
    for (const cJSON *at = first_of(array); ok && at; at = at->next) {
        int number = 0;
        ok = json_is_whole(at, 1, (int)t->n_ghosts, &number) && !has[number];
        has[number] = true;
        if (ok)
            p->ghosts[p->n_ghosts++] = t->ghosts[number - 1];
    }
    free(has);
    return ok;
}

/* A lone capital as far as Z. 0: it is none. */
static char letter_of(const cJSON *item)
{
    const char *text = cJSON_IsString(item) ? item->valuestring : "";
    return *text >= 'A' && *text < 'A' + PROPOSALS_MAX && !text[1] ? *text : 0;
}

/* Without what a terminal would act on. */
static bool read_model(struct proposal *p, const cJSON *item)
{
    if (cJSON_IsString(item))
        say_copy(p->model_name, sizeof p->model_name, item->valuestring);
    return !item || cJSON_IsString(item);
}

static const char *read_settings(struct continuation_options *o, const cJSON *from)
{
    *o = CONTINUATION_DEFAULT;
    if (from && !cJSON_IsObject(from))
        return "settings";
    const char *wrong = json_fields_read(o, &TAKES_SETTINGS, from);
    if (!wrong && o->hole.pitch_lo > o->hole.pitch_hi)
        wrong = "lowest";
    if (!wrong && o->hole.to_tick > 0 && o->hole.from_tick >= o->hole.to_tick)
        wrong = "from";
    return wrong;
}

/* `before` is the letter of the take before it. */
static const char *read_take(struct proposal *p, const cJSON *from, char before,
                             const struct sidecar_takes *t)
{
    p->letter = letter_of(member(from, "letter"));
    p->slot = -1;
    const char *wrong = p->letter <= before ? "letter" : NULL;
    if (!wrong)
        wrong = json_fields_read(p, &TAKES_ONE, from);
    if (!wrong && p->stats.from_tick > p->stats.to_tick)
        wrong = "from";
    if (!wrong && !read_model(p, member(from, "model")))
        wrong = "model";
    if (!wrong)
        wrong = read_settings(&p->options, member(from, "settings"));
    if (!wrong)
        wrong = takes_choices_read(p, from);
    if (!wrong && !read_own_ghosts(p, member(from, "ghosts"), t))
        wrong = "ghosts";
    return wrong;
}

/* A take that cannot be read is among them, so that it is freed. */
static const char *read_list(struct sidecar_takes *t, const cJSON *array)
{
    struct proposals *p = &t->takes;
    const char *wrong = cJSON_IsArray(array) ? NULL : "takes";
    char before = 0;
    for (const cJSON *at = first_of(array); !wrong && at; at = at->next) {
        if (p->n == PROPOSALS_MAX)
            return "takes";
        wrong = read_take(&p->list[p->n++], at, before, t);
        before = p->list[p->n - 1].letter;
    }
    if (!wrong && before - 'A' >= p->n_letters)
        wrong = "letters";
    return wrong;
}

static const char *read_shown(struct proposals *p, const cJSON *item)
{
    p->shown = proposals_find(p, letter_of(item));
    bool is_original = !item || (cJSON_IsString(item) && !*item->valuestring);
    return p->shown >= 0 || is_original ? NULL : "shown";
}

/* -- all -- */

static const char *read_rows(struct sidecar_takes *t, const cJSON *from)
{
    if (!read_tracks(t, member(from, "tracks")))
        return "tracks";
    if (!read_ghosts(t, member(from, "ghosts")))
        return "ghosts";
    if (!read_places(&t->replaced, &t->n_replaced, member(from, "replaced"),
                     t->n_tracks, 0))
        return "replaced";
    if (!read_places(&t->standing, &t->n_standing, member(from, "standing"),
                     t->n_tracks, t->n_ghosts))
        return "standing";
    return NULL;
}

const char *sidecar_takes_read(struct sidecar_takes *t, const cJSON *from)
{
    t->ticks_per_quarter = t->asked.bars = t->takes.n_letters = 1;
    t->time_put_in = TAKES_UNTOLD;
    const char *wrong = json_fields_read(t, &TAKES_ALL, from);
    if (!wrong && t->hole_from > t->hole_to)
        wrong = "from";
    if (!wrong)
        wrong = read_settings(&t->asked.options, member(from, "settings"));
    if (!wrong)
        wrong = read_rows(t, from);
    if (!wrong)
        wrong = read_list(t, member(from, "takes"));
    if (!wrong)
        wrong = read_shown(&t->takes, member(from, "shown"));
    if (!wrong && !takes_playing_read(&t->playing, member(from, "played"), t->n_tracks))
        wrong = "played";
    return wrong;
}
