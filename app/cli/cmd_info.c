/* continuo info: the content of a MIDI file, a model or a store. */
#include "app/cli/verbs.h"

#include "app/decoding/model_file.h"
#include "app/document/store.h"
#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/base/json_fields.h"
#include "app/base/report.h"

#include <errno.h>
#include <string.h>

/* By its first bytes: a model begins with the length of its header and "{". */
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

static void print_some(const cJSON *j, const char *name, const char *title,
                       const char *each)
{
    enum { MOST = 12 };
    const cJSON *list = json_get(j, name);
    const int n = cJSON_GetArraySize(list);
    if (n)
        report_print(j, title);
    for (int i = 0; i < n && i < MOST; i++)
        report_print(cJSON_GetArrayItem(list, i), each);
    if (n)
        puts(n > MOST ? " ..." : "");
}

static void print_score(const cJSON *j)
{
    report_print(j, "{file:s}: MIDI format {format:d}, {notes:d} notes on {tracks:n} "
                    "tracks, {bars:d} bars, {seconds:.1f} s\n"
                    "  {meters.0.meter:s} at {tempos.0.bpm:.4g} quarters per minute, "
                    "{ticks_per_quarter:d} ticks per quarter");
    if (cJSON_GetArraySize(json_get(j, "tempos")) > 1 ||
        cJSON_GetArraySize(json_get(j, "meters")) > 1)
        report_print(j, "; {tempos:n} tempos, {meters:n} meters");
    putchar('\n');
    print_some(j, "keys", "  keys:", " {key:s} from bar {bar:d}");
    print_some(j, "chords", "  {chords:n} chords:", " {symbol:s}");
    report_print_each(json_get(j, "tracks"),
                      "  track {track:d}: {name:s|(no name)}, channel {where:s}, "
                      "program {program:d} ({instrument:s}), {notes:d} notes\n");
}

static int info_score(const struct options *o)
{
    struct score *s = NULL;
    struct smf_report report = {0};
    errno = 0;
    enum midi_status st = smf_load(&s, o->file, &report);
    if (st)
        return say_midi_error(o->file, st);
    int status = 0;
    if (o->json) {
        status = !say_json_once(stdout, describe_score(s, o->file, &report));
    } else {
        cJSON *j = describe_score(s, o->file, &report);
        print_score(j);
        cJSON_Delete(j);
        say_warnings(o->file, &report);
    }
    score_destroy(s);
    return status;
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
