/* See sidecar.h. Reading and writing the file as a whole is in sidecar_file.c. */
#include "app/sidecar.h"

#include "app/sidecar_file.h"
#include "app/steer_json.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void sidecar_init(struct sidecar *s)
{
    *s = (struct sidecar){.steering = STEERING_DEFAULT,
                          .groove = GROOVE_DEFAULT,
                          .humanise = HUMANISE_DEFAULT};
}

void sidecar_fini(struct sidecar *s)
{
    sidecar_takes_fini(&s->takes);
    sidecar_tracks_fini(&s->tracks);
    taps_fini(&s->taps);
}

/* -- the section of steering: each row that is not as learnt, by its name -- */

/* The row's value, as it would be typed. false: no text and no number. */
static bool text_of(const cJSON *item, char buf[STEER_TEXT_BYTES])
{
    if (cJSON_IsNumber(item))
        return snprintf(buf, STEER_TEXT_BYTES, "%.9g", item->valuedouble) > 0;
    if (!cJSON_IsString(item) || strlen(item->valuestring) >= STEER_TEXT_BYTES)
        return false;
    strcpy(buf, item->valuestring); /* fits, seen above */
    return true;
}

static bool read_steering(struct sidecar *s, const cJSON *from,
                          char why[SIDECAR_WHY_BYTES])
{
    for (int i = 0; i < steer_n_rows(); i++) {
        const struct steer_row *r = steer_row(i);
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(from, steer_name(r));
        char text[STEER_TEXT_BYTES], wants[STEER_WANTS_BYTES];
        if (!item || (text_of(item, text) && steer_set(r, &s->steering, text)))
            continue;
        snprintf(why, SIDECAR_WHY_BYTES, "%s wants %s", steer_name(r),
                 steer_wants(r, wants));
        return false;
    }
    return true;
}

static bool write_steering(cJSON *to, const struct sidecar *s)
{
    return steer_json_add(to, &s->steering, false);
}

/* -- the section of the loop -- */

static bool read_loop(struct sidecar *s, const cJSON *from, char why[SIDECAR_WHY_BYTES])
{
    bool ok = sidecar_loop_read(&s->loop, from);
    if (!ok)
        snprintf(why, SIDECAR_WHY_BYTES, "its loop is no span of time");
    return ok;
}

static bool write_loop(cJSON *to, const struct sidecar *s)
{
    return sidecar_loop_write(to, &s->loop);
}

/* -- the section of takes -- */

static bool read_takes(struct sidecar *s, const cJSON *from,
                       char why[SIDECAR_WHY_BYTES])
{
    const char *wrong = sidecar_takes_read(&s->takes, from);
    if (wrong)
        snprintf(why, SIDECAR_WHY_BYTES, "of its takes, %s cannot be right", wrong);
    return !wrong;
}

static bool write_takes(cJSON *to, const struct sidecar *s)
{
    return sidecar_takes_write(to, &s->takes);
}

/* -- the section of the roll -- */

static bool read_roll(struct sidecar *s, const cJSON *from, char why[SIDECAR_WHY_BYTES])
{
    const char *wrong = sidecar_roll_read(&s->roll, from);
    if (wrong)
        snprintf(why, SIDECAR_WHY_BYTES, "of its roll, %s cannot be right", wrong);
    return !wrong;
}

static bool write_roll(cJSON *to, const struct sidecar *s)
{
    return sidecar_roll_write(to, &s->roll);
}

/* -- the section of how notes are quantised and humanised -- */

static bool read_groove(struct sidecar *s, const cJSON *from,
                        char why[SIDECAR_WHY_BYTES])
{
    const char *wrong = sidecar_groove_read(&s->groove, &s->humanise, from);
    if (wrong)
        snprintf(why, SIDECAR_WHY_BYTES, "%s cannot be right", wrong);
    return !wrong;
}

static bool write_groove(cJSON *to, const struct sidecar *s)
{
    return sidecar_groove_write(to, &s->groove, &s->humanise);
}

/* -- the section of tracks -- */

static bool read_tracks(struct sidecar *s, const cJSON *from,
                        char why[SIDECAR_WHY_BYTES])
{
    const char *wrong = sidecar_tracks_read(&s->tracks, from);
    if (wrong)
        snprintf(why, SIDECAR_WHY_BYTES, "of its tracks, %s cannot be right", wrong);
    return !wrong;
}

static bool write_tracks(cJSON *to, const struct sidecar *s)
{
    return sidecar_tracks_write(to, &s->tracks);
}

/* -- the section of bar lines that were tapped -- */

static bool read_taps(struct sidecar *s, const cJSON *from, char why[SIDECAR_WHY_BYTES])
{
    const char *wrong = sidecar_taps_read(&s->taps, from);
    if (wrong)
        snprintf(why, SIDECAR_WHY_BYTES, "of its taps, %s cannot be right", wrong);
    return !wrong;
}

static bool write_taps(cJSON *to, const struct sidecar *s)
{
    return sidecar_taps_write(to, &s->taps);
}

/* -- all sections -- */

/* Each is an object. What is read goes into a sidecar that is thrown away on failure;
 * nothing written means that there is nothing to keep. */
static const struct section {
    const char *name;
    bool (*read)(struct sidecar *s, const cJSON *from, char why[SIDECAR_WHY_BYTES]);
    bool (*write)(cJSON *to, const struct sidecar *s); /* false: out of memory */
} SECTIONS[] = {
    {"steering", read_steering, write_steering},
    {"loop", read_loop, write_loop},
    {"takes", read_takes, write_takes},
    {"roll", read_roll, write_roll},
    {"groove", read_groove, write_groove},
    {"tracks", read_tracks, write_tracks},
    {"taps", read_taps, write_taps},
};
enum { N_SECTIONS = sizeof SECTIONS / sizeof SECTIONS[0] };

static bool read_version(const cJSON *root, char why[SIDECAR_WHY_BYTES])
{
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(root, "continuo");
    if (cJSON_IsNumber(version) && version->valuedouble == SIDECAR_VERSION)
        return true;
    bool newer = cJSON_IsNumber(version) && version->valuedouble > SIDECAR_VERSION;
    snprintf(why, SIDECAR_WHY_BYTES, "%s",
             newer ? "a newer continuo wrote it" : "it is not one of continuo's");
    return false;
}

static bool read_sections(struct sidecar *s, const cJSON *root,
                          char why[SIDECAR_WHY_BYTES])
{
    for (int i = 0; i < N_SECTIONS; i++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, SECTIONS[i].name);
        if (item && !cJSON_IsObject(item)) {
            snprintf(why, SIDECAR_WHY_BYTES, "its %s is no object", SECTIONS[i].name);
            return false;
        }
        if (item && !SECTIONS[i].read(s, item, why))
            return false;
    }
    return true;
}

static enum sidecar_status parse(struct sidecar *s, const struct sidecar_bytes *b,
                                 char why[SIDECAR_WHY_BYTES])
{
    struct sidecar read;
    sidecar_init(&read);
    /* With the zero that ends it; cJSON bounds the depth. */
    cJSON *root = cJSON_ParseWithLengthOpts(b->text, b->n + 1, NULL, true);
    bool ok = root && read_version(root, why) && read_sections(&read, root, why);
    if (!root)
        snprintf(why, SIDECAR_WHY_BYTES, "it is no whole JSON");
    cJSON_Delete(root);
    if (ok)
        *s = read; /* and what it owns */
    else
        sidecar_fini(&read);
    return ok ? SIDECAR_OK : SIDECAR_FAILED;
}

static enum sidecar_status load(struct sidecar *s, const char *path,
                                char why[SIDECAR_WHY_BYTES])
{
    struct sidecar_bytes b;
    enum sidecar_status st = sidecar_file_read(&b, path, why);
    if (!st)
        st = parse(s, &b, why);
    sidecar_bytes_free(&b);
    return st;
}

static enum sidecar_status out_of_memory(char why[SIDECAR_WHY_BYTES])
{
    snprintf(why, SIDECAR_WHY_BYTES, "out of memory");
    return SIDECAR_FAILED;
}

enum sidecar_status sidecar_load(struct sidecar *s, const char *midi_path,
                                 char why[SIDECAR_WHY_BYTES])
{
    sidecar_init(s);
    char *path = sidecar_file_path(midi_path);
    enum sidecar_status st = path ? load(s, path, why) : out_of_memory(why);
    free(path);
    return st;
}

/* The root; *is_empty: there is nothing to keep. NULL: out of memory. */
static cJSON *root_of(const struct sidecar *s, bool *is_empty)
{
    cJSON *root = cJSON_CreateObject();
    bool ok = root && cJSON_AddNumberToObject(root, "continuo", SIDECAR_VERSION);
    *is_empty = true;
    for (int i = 0; ok && i < N_SECTIONS; i++) {
        cJSON *section = cJSON_AddObjectToObject(root, SECTIONS[i].name);
        ok = section && SECTIONS[i].write(section, s);
        if (ok && section->child)
            *is_empty = false;
        else if (ok)
            cJSON_DeleteItemFromObjectCaseSensitive(root, SECTIONS[i].name);
    }
    if (ok)
        return root;
    cJSON_Delete(root);
    return NULL;
}

/* malloc'd; NULL: out of memory. */
static char *text_of_all(const struct sidecar *s, bool *is_empty)
{
    cJSON *root = root_of(s, is_empty);
    char *text = root ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}

char *sidecar_text(const struct sidecar *s)
{
    bool is_empty;
    return text_of_all(s, &is_empty);
}

/* What is there already is looked at, since it may have come since it was opened. */
static enum sidecar_status save(const char *path, const char *text, bool is_empty,
                                char why[SIDECAR_WHY_BYTES])
{
    struct sidecar there;
    sidecar_init(&there);
    enum sidecar_status st = load(&there, path, why);
    sidecar_fini(&there);
    if (st == SIDECAR_NONE && is_empty)
        return SIDECAR_NONE;
    if (st == SIDECAR_FAILED)
        st = sidecar_file_put_aside(path, why);
    return st == SIDECAR_FAILED ? st : sidecar_file_write(path, text, why);
}

/* Without the takes, which make it too large. */
static enum sidecar_status save_rest(const struct sidecar *s, const char *path,
                                     char why[SIDECAR_WHY_BYTES])
{
    bool is_empty = false;
    struct sidecar rest = *s;
    rest.takes = (struct sidecar_takes){0};
    char *text = text_of_all(&rest, &is_empty);
    enum sidecar_status st =
        text ? save(path, text, is_empty, why) : out_of_memory(why);
    free(text);
    if (st != SIDECAR_FAILED)
        snprintf(why, SIDECAR_WHY_BYTES, "the takes that wait are too large for it");
    return SIDECAR_FAILED;
}

static enum sidecar_status save_all(const struct sidecar *s, const char *path,
                                    char why[SIDECAR_WHY_BYTES])
{
    bool is_empty = false;
    char *text = text_of_all(s, &is_empty);
    if (!text)
        return out_of_memory(why);
    bool is_large = s->takes.takes.n && strlen(text) >= SIDECAR_MAX_BYTES;
    enum sidecar_status st =
        is_large ? save_rest(s, path, why) : save(path, text, is_empty, why);
    free(text);
    return st;
}

enum sidecar_status sidecar_save(const struct sidecar *s, const char *midi_path,
                                 char why[SIDECAR_WHY_BYTES])
{
    char *path = sidecar_file_path(midi_path);
    enum sidecar_status st = path ? save_all(s, path, why) : out_of_memory(why);
    free(path);
    return st;
}

enum sidecar_status sidecar_put_aside(const char *midi_path,
                                      char why[SIDECAR_WHY_BYTES])
{
    char *path = sidecar_file_path(midi_path);
    enum sidecar_status st = !path                ? out_of_memory(why)
                             : access(path, F_OK) ? SIDECAR_NONE
                                                  : sidecar_file_put_aside(path, why);
    free(path);
    return st;
}
