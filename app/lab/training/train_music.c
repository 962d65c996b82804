#include "app/lab/training/train_music.h"

#include "app/base/paths.h"
#include "app/decoding/metadata.h"
#include "app/decoding/styles.h"
#include "app/base/say.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Names are of folders and files, which may be called anything. */
static void report_corpus(const struct corpus *c, struct train_report *report)
{
    char safe[sizeof c->skipped];
    for (int i = 0; report && i < c->n_groups; i++) {
        const struct corpus_group *g = &c->groups[i];
        if (g->n_pieces[CORPUS_TRAIN] + g->n_pieces[CORPUS_VALID])
            train_report_line(
                report, "%s: %s, %d + %d pieces, %" PRId64 " + %" PRId64 " tokens",
                say_copy(safe, sizeof safe, g->name),
                c->is_grid ? "four voices" : style_name(g->style),
                g->n_pieces[CORPUS_TRAIN], g->n_pieces[CORPUS_VALID],
                g->n_tokens[CORPUS_TRAIN], g->n_tokens[CORPUS_VALID]);
    }
    if (report && c->n_skipped)
        train_report_line(report, "%d files could not be used; the first is %s",
                          c->n_skipped, say_copy(safe, sizeof safe, c->skipped));
}

static int open_folder(struct train_music *m, const char *data, const char *corpora,
                       double until, struct train_report *report)
{
    errno = 0;
    enum midi_status st = corpus_open(&m->corpus, data, corpora, until);
    if (st == MIDI_EMPTY)
        return say_error(data, "holds no MIDI files to train on");
    if (st)
        return say_midi_error(data, st);
    report_corpus(m->corpus, report);
    if (m->corpus->is_cut)
        train_report_line(report, "read %d files: more would take too much of the time",
                          m->corpus->n_files);
    return 0;
}

static int open_grid(struct train_music *m, const char *data, const char *corpora,
                     struct train_report *report)
{
    char fault[128];
    if (corpora)
        return say_error(data, "is one corpus; --corpora chooses from several folders");
    if (!corpus_open_grid(&m->corpus, data, fault, sizeof fault))
        return say_error(data, fault);
    report_corpus(m->corpus, report);
    return 0;
}

bool train_music_is_grid(const char *data)
{
    struct stat s;
    return stat(data, &s) == 0 && !S_ISDIR(s.st_mode) && !corpus_is_midi(data);
}

int train_music_open(struct train_music *m, const char *data, const char *corpora,
                     double until, struct train_report *report)
{
    *m = (struct train_music){0};
    return train_music_is_grid(data) ? open_grid(m, data, corpora, report)
                                     : open_folder(m, data, corpora, until, report);
}

int train_music_rehearse(struct train_music *m, const char *file, double share,
                         struct train_report *report)
{
    char path[4096];
    if (share <= 0)
        return 0;
    if (m->corpus->is_grid)
        return say_error("--rehearse", "is only for a folder of music");
    if (!file && !paths_find(path, sizeof path, PATHS_REHEARSAL))
        return say_error(PATHS_REHEARSAL, "was not found");
    errno = 0;
    enum midi_status st = corpus_excerpts_open(&m->rehearsal, file ? file : path);
    if (st)
        return say_midi_error(file ? file : path, st);
    m->rehearse = share;
    report_corpus(m->rehearsal, report);
    return 0;
}

/* -- music without a style is learnt under the style that is guessed for it: when it
 * is continued, the guess will be the same -- */

enum midi_status train_music_guess_styles(struct train_music *m,
                                          const struct model *from)
{
    const uint64_t styles = learnt_styles(from);
    enum midi_status st = MIDI_OK;
    for (int split = 0; split < CORPUS_SPLITS; split++)
        for (int i = 0; !st && i < m->corpus->n_pieces[split]; i++) {
            struct piece *p = &m->corpus->pieces[split][i].piece;
            if (p->style == STYLE_ANY)
                st = style_guess(&p->style, p, styles);
        }
    return st;
}

int train_music_mix(struct train_music *m, struct corpus_mixture mixture,
                    const char *parts)
{
    if (m->corpus->is_grid)
        return parts ? say_error("--mixture", "is only for a folder of music") : 0;
    const int line = parts ? mixture_read_parts(&mixture, parts) : 0;
    if (line < 0)
        return say_error(parts, strerror(errno));
    if (line > 0) {
        char what[128];
        snprintf(
            what, sizeof what,
            "line %d must be a share and names of corpora; all shares together are at "
            "most 1",
            line);
        return say_error(parts, what);
    }
    enum midi_status st = corpus_mix(m->corpus, &mixture);
    return st ? say_midi_error("training", st) : 0;
}

void train_music_close(struct train_music *m)
{
    corpus_close(m->rehearsal);
    corpus_close(m->corpus);
    *m = (struct train_music){0};
}

char *train_music_tokenizer(const struct train_music *m)
{
    return tokenizer_json(m->corpus->is_grid ? &m->corpus->lesson : NULL);
}

struct train_batch train_batch_from(const struct corpus_batch *b, int first)
{
    const struct corpus_sequence s = corpus_batch_at(b, first);
    return (struct train_batch){s.tokens, s.targets, s.times, s.sources,
                                s.source_times};
}

enum midi_status train_music_sample(const struct train_music *m, uint64_t seed,
                                    uint64_t step, struct corpus_batch *to)
{
    const int length = corpus_row_length(m->corpus, seed, step);
    enum midi_status st = MIDI_OK;
    if (length) {
        to->n = to->n * to->length / length;
        to->length = length;
    }
    const int n_old = (int)lround(m->rehearse * to->n);
    for (int i = 0; !st && i < to->n; i++) {
        const struct corpus_sequence s = corpus_batch_at(to, i);
        st = corpus_sample(i < n_old ? m->rehearsal : m->corpus, seed, step, i, &s);
    }
    return st;
}
