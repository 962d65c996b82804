/* continuo critic: what the critic says of takes from anywhere. */
#include "app/lab/verbs/lab_verbs.h"

#include "app/base/json_fields.h"
#include "app/base/say.h"
#include "app/base/values.h"
#include "app/critic/critic.h"
#include "midi/base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is asked, in bars of the piece; a take may have other ticks a quarter. */
struct asked {
    const struct score *piece;
    int64_t from_bar, to_bar;
    struct continuation_options o; /* its tracks are of the piece */
    bool is_hole;
};

struct judged {
    const char *file;
    bool is_read;     /* others come last, without a score */
    struct take take; /* its new notes, its verdict and its rank */
    double features[N_FEATURES];
};

static int read_place(const char *name, const char *text, int64_t *bar)
{
    double beat = 1;
    if (text && value_place(text, bar, &beat) && beat == 1) {
        (*bar)--;
        return 0;
    }
    return say_wrong(name, "must be a bar: 5");
}

/* A continuation begins in the bar after the last one in which a note begins. */
static int64_t bar_after(const struct score *s)
{
    int64_t last = -1;
    for (size_t t = 0; t < s->n_tracks; t++)
        if (s->tracks[t].n_notes) {
            const int64_t start = s->tracks[t].notes[s->tracks[t].n_notes - 1].start;
            last = start > last ? start : last;
        }
    return last < 0 ? 0 : timeline_bar_at(&s->timeline, last).index + 1;
}

static int read_asked(struct asked *a, const struct options *o, const struct score *s)
{
    *a = (struct asked){.piece = s, .o = o->continuation, .is_hole = o->from || o->to};
    if (o->tracks && !value_tracks(o->tracks, &a->o.tracks))
        return say_wrong("--tracks",
                         "must be numbers from 1, separated by commas: 1,3");
    if (!a->is_hole) {
        a->from_bar = bar_after(s);
        a->to_bar = a->from_bar + a->o.bars;
        return 0;
    }
    int status = read_place("--from", o->from, &a->from_bar);
    if (!status)
        status = read_place("--to", o->to, &a->to_bar);
    return status || a->to_bar > a->from_bar
               ? status
               : say_wrong("--to", "must be after --from");
}

/* The take's track that is track `t` of the piece: of the same name, or channel, or place. */
static int find_track(const struct score *take, const struct score *piece, int t)
{
    const struct track *wanted = &piece->tracks[t];
    if ((size_t)t < take->n_tracks && !strcmp(take->tracks[t].name, wanted->name) &&
        take->tracks[t].channel == wanted->channel)
        return t;
    for (size_t i = 0; *wanted->name && i < take->n_tracks; i++)
        if (!strcmp(take->tracks[i].name, wanted->name))
            return (int)i;
    for (size_t i = 0; i < take->n_tracks; i++)
        if (take->tracks[i].channel == wanted->channel)
            return (int)i;
    return t;
}

static uint64_t map_tracks(const struct asked *a, const struct score *take)
{
    uint64_t tracks = 0;
    for (int t = 0; t < 64 && (size_t)t < a->piece->n_tracks; t++)
        if (a->o.tracks >> t & 1)
            tracks |= UINT64_C(1) << (find_track(take, a->piece, t) & 63);
    return tracks;
}

/* Moves the new notes out of the score into the take. false: out of memory. */
static bool take_out_new(struct take *take, struct score *s,
                         const struct continuation_options *o)
{
    const struct continuation_stats *span = &take->stats;
    const bool is_hole = o->hole.to_tick > 0;
    bool ok = true;
    for (int t = 0; ok && t < 64 && (size_t)t < s->n_tracks; t++) {
        const size_t before = take->n_notes;
        for (size_t i = 0; ok && i < s->tracks[t].n_notes; i++) {
            const struct note *x = &s->tracks[t].notes[i];
            const struct continued_note n = {
                .track = t, .note = *x, .is_hit = track_is_drums(&s->tracks[t])};
            if (x->start >= span->from_tick && (!is_hole || x->start < span->to_tick) &&
                (!o->tracks || o->tracks >> t & 1))
                ok = array_add(&take->notes, &take->n_notes, &take->cap_notes, &n,
                               sizeof n);
        }
        for (size_t i = before; ok && i < take->n_notes; i++)
            ok = score_remove_note(s, t, take->notes[i].note.id);
    }
    return ok;
}

static int judge_take(struct judged *j, const struct asked *a, const struct critic *c)
{
    struct score *s = say_load(j->file, NULL);
    j->is_read = s != NULL;
    if (!s)
        return 0;
    struct continuation_stats *span = &j->take.stats;
    struct continuation_options o = a->o;
    struct scene scene;
    span->from_tick = timeline_bar(&s->timeline, a->from_bar).start;
    span->to_tick = timeline_bar(&s->timeline, a->to_bar).start;
    o.hole.to_tick = a->is_hole ? span->to_tick : 0;
    o.tracks = map_tracks(a, s);
    bool ok = take_out_new(&j->take, s, &o);
    if (ok && j->take.n_notes && !scene_init(&scene, s, &o, &j->take)) {
        features_measure(&scene, j->features);
        scene_fini(&scene);
    }
    ok = ok && critic_judge(c, s, &o, &j->take);
    score_destroy(s);
    return ok ? 0 : say_midi_error(j->file, MIDI_NO_MEMORY);
}

static bool is_better(const struct judged *a, const struct judged *b)
{
    const struct critic_verdict *one = &a->take.stats.verdict,
                                *other = &b->take.stats.verdict;
    if (a->is_read != b->is_read)
        return a->is_read;
    if (one->is_judged != other->is_judged)
        return one->is_judged;
    return one->merit > other->merit;
}

static void rank_takes(struct judged *takes, int n)
{
    for (int i = 0; i < n; i++) {
        takes[i].take.rank = 1;
        for (int k = 0; k < n; k++)
            takes[i].take.rank += is_better(&takes[k], &takes[i]) ||
                                  (k < i && !is_better(&takes[i], &takes[k]));
    }
}

static void report_takes(const struct judged *takes, int n, bool json)
{
    cJSON *j = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(j, "takes");
    char words[160];
    cJSON *about = cJSON_AddArrayToObject(j, "features");
    for (int i = 0; i < N_FEATURES; i++)
        json_add(json_item(about), "name %s is_merit %hhd", FEATURES[i].name,
                 FEATURES[i].is_merit);
    for (int i = 0; i < n; i++) {
        const struct judged *t = &takes[i];
        const struct critic_verdict *v = &t->take.stats.verdict;
        if (!json && !t->is_read) /* which standard error says */
            continue;
        if (!json) {
            say_safe(stdout, t->file);
            printf(": rank %d, score %.2f", t->take.rank, (double)v->merit);
            critic_say(v, words, sizeof words);
            printf("%s%s\n", *words ? "; " : "", words);
            continue;
        }
        cJSON *one = json_add(json_item(list), "file %s score %.4f rank %d", t->file,
                              t->is_read ? (double)v->merit : NAN, t->take.rank);
        cJSON *reasons = cJSON_AddArrayToObject(one, "reasons");
        for (int k = 0; k < CRITIC_WORDS && critic_word(v->words[k]); k++)
            json_append_text(reasons, critic_word(v->words[k]));
        cJSON *features = cJSON_AddObjectToObject(one, "features");
        for (int k = 0; t->is_read && k < N_FEATURES; k++)
            json_add(features, "%s %.4f", FEATURES[k].name, t->features[k]);
    }
    if (json)
        say_json(stdout, j);
    cJSON_Delete(j);
}

static int judge_takes(const struct options *o, const struct asked *a, char **files,
                       int n)
{
    struct critic c;
    struct judged *takes = calloc((size_t)n, sizeof *takes);
    int status = 0;
    if (!takes)
        return say_midi_error(o->file, MIDI_NO_MEMORY);
    if (!critic_find(&c))
        status = say_error("models/critic.json", "cannot be read");
    for (int i = 0; !status && i < n; i++) {
        takes[i].file = files[i];
        status = judge_take(&takes[i], a, &c);
    }
    if (!status) {
        rank_takes(takes, n);
        report_takes(takes, n, o->json);
    }
    for (int i = 0; i < n; i++) {
        status = status || !takes[i].is_read;
        take_fini(&takes[i].take);
    }
    free(takes);
    return status;
}

static int cmd_critic(struct options *o)
{
    struct asked asked;
    if (strcmp(o->file, "rank") != 0)
        return say_wrong(o->file,
                         "is not what a critic does: rank IN.mid TAKE.mid ...");
    struct score *piece = say_load(o->arguments[1], NULL);
    if (!piece)
        return 1;
    int status = read_asked(&asked, o, piece);
    if (!status)
        status = judge_takes(o, &asked, o->arguments + 2, o->n_arguments - 2);
    score_destroy(piece);
    return status;
}

const struct verb VERB_CRITIC = {
    .name = "critic",
    .summary = "rank takes from anywhere",
    .run = cmd_critic,
    .arguments = "rank IN.mid TAKE.mid ... [options]",
    .about =
        "Ranks takes of the same request as the program ranks its own. Each TAKE.mid\n"
        "is IN.mid with new notes: after its last bar, or with --from and --to in\n"
        "these bars of --tracks. Prints the score, the rank and the reasons of each\n"
        "take; --json adds the features that the score is made of. Scores compare\n"
        "takes of one request, not of several. A take that cannot be read comes last,\n"
        "without a score.",
    .n_files = 3,
    .n_more = 4096,
    .bars = 8,
    .takes = OPTION_BARS | OPTION_PLACE | OPTION_JSON,
};
