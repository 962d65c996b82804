/* continuo info: what a MIDI file, a model or a store holds. */
#include "app/cli/verbs.h"

#include "app/document/store.h"
#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/base/json_fields.h"
#include "midi/edit/timeline_events.h"
#include "midi/score/chord.h"

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
    struct model *m = NULL;
    char detail[96] = "", buf[1024];
    errno = 0;
    enum model_status st = model_open(&m, o->file, detail, sizeof detail);
    if (st)
        return say_model_error(o->file, st, detail);
    int status = 0;
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

static void print_track(size_t i, const struct track *t)
{
    printf("  track %zu: ", i + 1);
    say_safe(stdout, *t->name ? t->name : "(no name)");
    printf(", channel %d, program %d, %zu notes\n", t->channel + 1, t->program + 1,
           t->n_notes);
}

/* The first of them. */
static void print_chords(const struct score *s)
{
    enum { MOST = 12 };
    struct timeline_events all;
    char symbol[CHORD_TEXT];
    if (timeline_events_collect(&all, s, TIMELINE_BIT(TIMELINE_CHORD)) || !all.n)
        return;
    printf("  %zu chords:", all.n);
    for (size_t i = 0; i < all.n && i < MOST; i++)
        printf(" %s", timeline_event_copy_text(s, &all.list[i], symbol, sizeof symbol));
    puts(all.n > MOST ? " ..." : "");
    timeline_events_fini(&all);
}

static void print_score(const struct score *s, const char *path)
{
    const struct timeline *t = &s->timeline;
    int64_t end = score_end_tick(s);
    struct bar last = timeline_bar_at(t, end > 0 ? end - 1 : 0);
    say_safe(stdout, path);
    printf(": MIDI format %d, %zu notes on %zu tracks, %lld bars, %.1f s\n", s->format,
           score_n_notes(s), s->n_tracks, (long long)last.index + 1,
           timeline_seconds(t, (double)end));
    printf("  %d/%d at %.4g quarters a minute, %d ticks a quarter",
           t->meters[0].numerator, t->meters[0].denominator, timeline_bpm(t, 0),
           s->ticks_per_quarter);
    if (t->n_tempos > 1 || t->n_meters > 1)
        printf("; %zu tempos, %zu meters", t->n_tempos, t->n_meters);
    putchar('\n');
    print_chords(s);
    for (size_t i = 0; i < s->n_tracks; i++)
        print_track(i, &s->tracks[i]);
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
        print_score(s, o->file);
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
    .summary = "show what a MIDI file or a model holds",
    .run = cmd_info,
    .arguments = "FILE [--json]",
    .about = "Shows what a MIDI file, a model or a piece's store (FILE.mid.continuo)\n"
             "holds, with every warning from reading it.",
    .n_files = 1,
    .takes = OPTION_JSON,
};
