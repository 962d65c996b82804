/* Finding and loading the pieces. Folders are walked in the order of their
 * names, so that everything drawn later is the same on every machine. */
#include "app/lab/dataset/corpus_build.h"

#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/base/values.h"
#include "midi/base/array.h"
#include "midi/base/clock.h"
#include "midi/tokens/chord_guess.h"
#include "midi/smf/smf.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { MAX_DEPTH = 12, MAX_PATH = 4096, MAX_GROUPS = CORPUS_MOST_GROUPS };

const char *const corpus_split_names[CORPUS_SPLITS] = {"train", "valid", "test"};

/* The style of a corpus by words in its name; the first match counts. */
static const struct {
    const char *part;
    enum style style;
} styles[] = {
    {"arranged-pop", STYLE_POP},
    {"arranged-jazz", STYLE_JAZZ},
    {"arranged-blues", STYLE_BLUES},
    {"arranged-latin", STYLE_LATIN},
    {"arranged-rock", STYLE_BAND},
    {"arranged-folk", STYLE_FOLK},
    {"arranged-film", STYLE_ORCHESTRA},
    {"simutrans", STYLE_BAND},
    {"crystal-picnic", STYLE_BAND},
    {"easyrpg", STYLE_BAND},
    {"stuffomatic", STYLE_BAND},
    {"lmms", STYLE_BAND},
    {"blasphemer", STYLE_BAND},
    {"season-songs", STYLE_LEADSHEET},
    {"mutopia-rest", STYLE_ANY},
    {"chorale", STYLE_CHORALE},
    {"quartet", STYLE_QUARTET},
    {"lieder", STYLE_SONG},
    {"song", STYLE_SONG},
    {"ceol-rince", STYLE_FOLK},
    {"oldtime", STYLE_FOLK},
    {"folk", STYLE_FOLK},
    {"hymn", STYLE_HYMN},
    {"leadsheet", STYLE_LEADSHEET},
    {"ensemble", STYLE_ENSEMBLE},
    {"orchestra", STYLE_ORCHESTRA},
    {"freedoom", STYLE_BAND},
    {"drums", STYLE_DRUMS},
    {"polish-scores", STYLE_PIANO},
    {"piano", STYLE_PIANO},
    {"keyboard", STYLE_PIANO},
    {"sonata", STYLE_PIANO},
    {"chopin", STYLE_PIANO},
    {"mutopia-more", STYLE_ANY},
    {"mutopia", STYLE_PIANO},
    {"asap", STYLE_PIANO},
    {"mozart", STYLE_PIANO},
    {"haydn", STYLE_PIANO},
    {"scarlatti", STYLE_PIANO},
    {"joplin", STYLE_PIANO},
};

static enum style style_of(const char *name)
{
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
        if (strcasestr(name, styles[i].part))
            return styles[i].style;
    return STYLE_ANY;
}

/* The walk's state: the corpus being built, and the present folder. */
struct walk {
    struct corpus *c;
    const char *names; /* wanted groups, or NULL */
    double until;
    int group;       /* of the folder being read, -1: none yet */
    int split;       /* likewise */
    bool has_splits; /* some folder was called train, valid or test */
};

int corpus_find_group(struct corpus *c, const char *name)
{
    for (int i = 0; i < c->n_groups; i++)
        if (!strncmp(c->groups[i].name, name, sizeof c->groups[i].name - 1))
            return i;
    if (c->n_groups == MAX_GROUPS)
        return -1;
    struct corpus_group *more =
        realloc(c->groups, ((size_t)c->n_groups + 1) * sizeof *more);
    if (!more)
        return -1;
    c->groups = more;
    more += c->n_groups;
    *more = (struct corpus_group){.style = style_of(name)};
    snprintf(more->name, sizeof more->name, "%s", name);
    return c->n_groups++;
}

bool corpus_split_parse(const char *text, enum corpus_split *split)
{
    for (int i = 0; i < CORPUS_SPLITS; i++)
        if (!strcmp(text, corpus_split_names[i])) {
            *split = (enum corpus_split)i;
            return true;
        }
    return false;
}

/* FNV-1a of the path below the corpus: a file stays in its split when the
 * folder moves. */
static int hashed_split(const char *name)
{
    uint32_t h = 2166136261u;
    for (; *name; name++)
        h = (h ^ (uint8_t)*name) * 16777619u;
    return (h ^ (h >> 15)) % 10 == 0 ? CORPUS_VALID : CORPUS_TRAIN;
}

static void count_bigrams(struct corpus *c, const struct tokens *t)
{
    for (size_t i = 1; i < t->n; i++)
        c->bigrams[(size_t)t->id[i - 1] * TOKEN_COUNT + (size_t)t->id[i]]++;
}

/* Fills in a piece's chords and the other facts besides its notes. */
static enum midi_status measure(struct corpus *c, struct corpus_piece *p, int split)
{
    struct tokens t = {0};
    if (!p->piece.n_notes)
        return MIDI_EMPTY;
    p->bars = calloc((size_t)p->piece.n_bars + 1, sizeof *p->bars);
    if (!p->bars)
        return MIDI_NO_MEMORY;
    piece_bar_starts(&p->piece, p->bars);
    p->piece.n_chords = 0; /* of a piece that these are bars of */
    enum midi_status st = tokens_encode(&t, &p->piece, true);
    if (st)
        return st;
    p->n_tokens = (int64_t)t.n;
    if (split == CORPUS_TRAIN)
        count_bigrams(c, &t);
    tokens_fini(&t);
    return chord_guess(&p->piece);
}

void corpus_piece_fini(struct corpus_piece *p)
{
    piece_fini(&p->piece);
    grid_fini(&p->grid);
    free(p->bars);
}

static void count_piece(struct corpus *c, const struct corpus_piece *p, int split)
{
    struct corpus_group *g = &c->groups[p->group];
    g->n_pieces[split]++;
    g->n_tokens[split] += p->n_tokens;
    g->n_notes[split] += c->is_grid ? p->n_tokens : (int64_t)p->piece.n_notes;
}

enum midi_status corpus_add(struct corpus *c, struct corpus_piece *p,
                            enum corpus_split split)
{
    size_t n = (size_t)c->n_pieces[split];
    enum midi_status st = c->is_grid ? MIDI_OK : measure(c, p, (int)split);
    if (!st && !array_add(&c->pieces[split], &n, &c->capacity[split], p, sizeof *p))
        st = MIDI_NO_MEMORY;
    if (st) {
        corpus_piece_fini(p);
        return st;
    }
    c->n_pieces[split]++;
    count_piece(c, p, (int)split);
    return MIDI_OK;
}

enum midi_status corpus_recount(struct corpus *c)
{
    enum midi_status st = MIDI_OK;
    for (int i = 0; i < c->n_groups; i++) {
        struct corpus_group *g = &c->groups[i];
        memset(g->n_pieces, 0, sizeof g->n_pieces);
        memset(g->n_tokens, 0, sizeof g->n_tokens);
        memset(g->n_notes, 0, sizeof g->n_notes);
    }
    memset(c->bigrams, 0, sizeof *c->bigrams * TOKEN_COUNT * TOKEN_COUNT);
    for (int split = 0; split < CORPUS_SPLITS; split++)
        for (int i = 0; i < c->n_pieces[split]; i++)
            count_piece(c, &c->pieces[split][i], split);
    for (int i = 0; !st && i < c->n_pieces[CORPUS_TRAIN]; i++) {
        struct tokens t = {0};
        struct piece plain = c->pieces[CORPUS_TRAIN][i].piece;
        plain.n_chords = 0; /* as they were counted at first */
        st = tokens_encode(&t, &plain, true);
        count_bigrams(c, &t);
        tokens_fini(&t);
    }
    return st;
}

static enum midi_status take_file(struct walk *w, const char *path, const char *name)
{
    const int split = w->split >= 0 ? w->split : hashed_split(name);
    struct corpus_piece p = {.group = w->group};
    struct score *score = NULL;
    enum midi_status st = smf_load(&score, path, NULL);
    if (!st)
        st = piece_from_score(&p.piece, score, w->c->groups[w->group].style, NULL, 0);
    score_destroy(score);
    if (!st)
        st = corpus_add(w->c, &p, (enum corpus_split)split);
    say_progress("files read:", ++w->c->n_files, 0);
    w->c->is_cut = clock_now_seconds() > w->until;
    if (!st || st == MIDI_NO_MEMORY)
        return st;
    if (!w->c->n_skipped++)
        snprintf(w->c->skipped, sizeof w->c->skipped, "%s", path);
    return MIDI_OK;
}

bool corpus_is_midi(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (!strcasecmp(dot, ".mid") || !strcasecmp(dot, ".midi"));
}

static enum midi_status walk_folder(struct walk *w, const char *path, int depth);

/* A folder named train, valid or test sets the split of what is below it; the
 * first other folder under DIR is the corpus. */
static enum midi_status enter_folder(struct walk *w, const char *path, const char *name,
                                     int depth)
{
    struct walk below = *w;
    enum corpus_split split;

    if (corpus_split_parse(name, &split)) {
        below.split = (int)split;
        below.has_splits = true;
    } else if (depth == 0) {
        if (!value_is_named(w->names, name))
            return MIDI_OK;
        below.group = corpus_find_group(w->c, name);
        if (below.group < 0)
            return MIDI_NO_MEMORY;
    }
    enum midi_status st = walk_folder(&below, path, depth + 1);
    below.group = w->group;
    below.split = w->split;
    *w = below;
    return st;
}

static enum midi_status visit(struct walk *w, const char *folder, const char *name,
                              int depth)
{
    char path[MAX_PATH];
    struct stat s;
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);

    if (n < 0 || n >= MAX_PATH || lstat(path, &s))
        return MIDI_OK;
    if (S_ISDIR(s.st_mode))
        return enter_folder(w, path, name, depth);
    if (!S_ISREG(s.st_mode) || !corpus_is_midi(name))
        return MIDI_OK;
    if (w->group < 0 && w->names)
        return MIDI_OK; /* a loose file, and only some corpora are wanted */
    return take_file(w, path, name);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static enum midi_status walk_folder(struct walk *w, const char *path, int depth)
{
    struct dirent **entries = NULL;
    enum midi_status st = MIDI_OK;
    if (depth > MAX_DEPTH)
        return MIDI_OK;
    int n = scandir(path, &entries, is_shown, alphasort);
    if (n < 0)
        return depth ? MIDI_OK : MIDI_NO_FILE;
    for (int i = 0; i < n; i++) {
        if (!st && !w->c->is_cut)
            st = visit(w, path, entries[i]->d_name, depth);
        free(entries[i]);
    }
    free(entries);
    return st;
}

enum midi_status corpus_finish(struct corpus *c, enum midi_status st,
                               struct corpus **out)
{
    if (!st && !c->n_pieces[CORPUS_TRAIN])
        st = MIDI_EMPTY;
    if (!st)
        st = corpus_mix(c, &(struct corpus_mixture){.power = 0.5});
    if (st)
        corpus_close(c);
    else
        *out = c;
    return st;
}

/* A file is a corpus of one piece. Loose files, and a folder that holds only train, valid and
 * test, form one corpus named after the folder. */
static enum midi_status walk_all(struct walk *w, const char *dir)
{
    char name[64];
    size_t end = strlen(dir);
    while (end > 1 && dir[end - 1] == '/')
        end--;
    const char *base = dir + end;
    while (base > dir && base[-1] != '/')
        base--;
    snprintf(name, sizeof name, "%.*s", (int)(dir + end - base), base);
    if (!w->names || value_is_named(w->names, name)) {
        w->group = corpus_find_group(w->c, name);
        if (w->group < 0)
            return MIDI_NO_MEMORY;
    }
    struct stat s;
    if (w->group >= 0 && !stat(dir, &s) && S_ISREG(s.st_mode))
        return take_file(w, dir, name);
    return walk_folder(w, dir, 0);
}

struct corpus *corpus_create(void)
{
    struct corpus *c = calloc(1, sizeof *c);
    if (c)
        c->bigrams = calloc((size_t)TOKEN_COUNT * TOKEN_COUNT, sizeof *c->bigrams);
    if (c && c->bigrams)
        return c;
    free(c);
    return NULL;
}

enum midi_status corpus_open(struct corpus **out, const char *dir, const char *names,
                             double until)
{
    struct corpus *c = corpus_create();
    if (!c)
        return MIDI_NO_MEMORY;
    struct walk w = {.c = c, .names = names, .until = until, .group = -1, .split = -1};
    enum midi_status st = walk_all(&w, dir);
    say_progress("", 1, 1);
    if (!st && !w.has_splits)
        st = corpus_hold_back(c);
    return corpus_finish(c, st, out);
}

void corpus_close(struct corpus *c)
{
    if (!c)
        return;
    for (int split = 0; split < CORPUS_SPLITS; split++) {
        for (int i = 0; i < c->n_pieces[split]; i++)
            corpus_piece_fini(&c->pieces[split][i]);
        free(c->pieces[split]);
    }
    free(c->groups);
    for (int i = 0; i < c->n_lengths; i++)
        free(c->lengths[i].cumulative);
    free(c->bigrams);
    free(c);
}
