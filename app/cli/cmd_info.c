/* continuo info: the content of a MIDI file, a model or a store. */
#include "app/cli/verbs.h"

#include "app/decoding/metadata.h"
#include "app/document/store.h"
#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/base/json_fields.h"

#include <errno.h>
#include <string.h>

/* Tells the kind of a file by its first bytes: a model begins with the length of its header and "{". */
static enum { MUSIC, MODEL, STORE } look_at(const char *path)
{
    unsigned char first[16] = {0};
    FILE *f = regular_file_open(path);
    size_t n = f ? fread(first, 1, sizeof first, f) : 0;
    if (f)
        fclose(f);
    if (n == sizeof first && !memcmp(first, "SQLite format 3", sizeof first))
        return STORE;
    return n >= 9 && memcmp(first, "MThd", 4) != 0 && memcmp(first, "RIFF", 4) != 0 &&
                   first[8] == '{'
               ? MODEL
               : MUSIC;
}

static int info_store(const struct options *o)
{
    char why[200];
    cJSON *j = describe_store(o->file, why, sizeof why);
    if (!j)
        return say_error(o->file, why);
    if (o->json)
        return !say_json_once(stdout, j);
    describe_store_print(j);
    cJSON_Delete(j);
    return 0;
}

static int info_model(const struct options *o)
{
    struct model *m;
    char path[4096], buf[1024];
    int status = verb_model_open(&m, o->file, path, sizeof path);
    if (status)
        return status;
    if (o->json) {
        status = !say_json_once(stdout, describe_model(m, o->file));
    } else {
        say_safe(stdout, o->file);
        printf(": a model of %s\n", describe_model_size(m, buf, sizeof buf));
        if (*describe_provenance(m, buf, sizeof buf))
            printf("  from %s\n", buf);
        printf("  hash %016llx\n", (unsigned long long)model_hash(m));
    }
    model_close(m);
    return status;
}

enum { MOST = 12 }; /* keys or chords that are listed */

static void print_score(const cJSON *j)
{
    const cJSON *keys = json_get(j, "keys"), *chords = json_get(j, "chords"),
                *tempos = json_get(j, "tempos"), *meters = json_get(j, "meters"),
                *tracks = json_get(j, "tracks"), *item;
    const int n_tempos = cJSON_GetArraySize(tempos),
              n_meters = cJSON_GetArraySize(meters);
    int n;
    printf("%s: MIDI format %.0f, %.0f notes on %d tracks, %.0f bars, %.1f s\n",
           json_text(j, "file"), json_number(j, "format"), json_number(j, "notes"),
           cJSON_GetArraySize(tracks), json_number(j, "bars"),
           json_number(j, "seconds"));
    printf("  %s at %.4g quarters per minute, %.0f ticks per quarter",
           json_text(cJSON_GetArrayItem(meters, 0), "meter"),
           json_number(cJSON_GetArrayItem(tempos, 0), "bpm"),
           json_number(j, "ticks_per_quarter"));
    if (n_tempos > 1 || n_meters > 1)
        printf("; %d tempos, %d meters", n_tempos, n_meters);
    putchar('\n');
    if ((n = cJSON_GetArraySize(keys)))
        printf("  keys:");
    for (int i = 0; i < n && i < MOST; i++) {
        item = cJSON_GetArrayItem(keys, i);
        printf(" %s from bar %.0f", json_text(item, "key"), json_number(item, "bar"));
    }
    if (n)
        puts(n > MOST ? " ..." : "");
    if ((n = cJSON_GetArraySize(chords)))
        printf("  %d chords:", n);
    for (int i = 0; i < n && i < MOST; i++)
        printf(" %s", json_text(cJSON_GetArrayItem(chords, i), "symbol"));
    if (n)
        puts(n > MOST ? " ..." : "");
    if ((item = json_get(j, "style")))
        printf("  style, as it is guessed: %s\n", json_text(item, "guess"));
    cJSON_ArrayForEach(item, tracks)
    {
        const char *name = json_text(item, "name");
        printf("  track %.0f: %s, channel %s, program %.0f (%s), %.0f notes\n",
               json_number(item, "track"), name && *name ? name : "(no name)",
               json_text(item, "where"), json_number(item, "program"),
               json_text(item, "instrument"), json_number(item, "notes"));
    }
}

static int info_score(const struct options *o)
{
    struct score *s = NULL;
    struct smf_report report = {0};
    errno = 0;
    enum midi_status st = smf_load(&s, o->file, &report);
    if (st)
        return say_midi_error(o->file, st);
    cJSON *j = describe_score(s, o->file, &report);
    score_destroy(s);
    if (o->json)
        return !say_json_once(stdout, j);
    print_score(j);
    cJSON_Delete(j);
    say_warnings(o->file, &report);
    return 0;
}

static int cmd_info(struct options *o)
{
    switch (look_at(o->file)) {
    case MODEL:
        return info_model(o);
    case STORE:
        return info_store(o);
    default:
        return info_score(o);
    }
}

const struct verb VERB_INFO = {
    .name = "info",
    .summary = "show what is in a MIDI file, a model or a store",
    .run = cmd_info,
    .arguments = "FILE [--json]",
    .about = "Shows what is in a MIDI file, a model or a piece's store\n"
             "(FILE.mid.continuo), with every warning from reading it.",
    .n_files = 1,
    .takes = OPTION_JSON,
};
