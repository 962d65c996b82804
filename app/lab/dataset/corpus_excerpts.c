/* A file of excerpts is text, an excerpt a line, deflated (gzip):
 *
 *   name of the corpus, tab, 1 if the music continues after its last bar, else 0, tab, tokens with
 *   spaces between
 *
 * Nothing in it is trusted: tokens are read by the decoder of midi/tokens/tokens.h. */
#include "app/lab/dataset/corpus_build.h"
#include "app/lab/dataset/corpus_row.h"

#include "app/base/paths.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum {
    MOST_LINES = 1 << 15,      /* of a file that is read, */
    MOST_LINE_BYTES = 1 << 18, /* each */
    ONE_IN = 8,                /* held out */
};

/* -- writing -- */

static enum midi_status add_excerpt(gzFile to, const struct corpus *c,
                                    const struct corpus_view *w, int length)
{
    struct piece part = {0};
    struct tokens t = {0};
    bool to_end;
    enum midi_status st = corpus_view_cut(&part, w, length, &to_end);
    if (!st)
        st = tokens_encode(&t, &part, to_end);
    if (!st && part.n_notes && 5 * t.n < MOST_LINE_BYTES / 2) {
        char name[sizeof c->groups->name];
        memcpy(name, c->groups[w->from->group].name, sizeof name);
        for (char *at = name; *at; at++)
            *at = *at == '\t' || *at == '\n' ? ' ' : *at;
        bool ok = gzprintf(to, "%s\t%d\t", name, !to_end) > 0;
        for (size_t i = 0; ok && i < t.n; i++)
            ok = gzprintf(to, "%s%d", i ? " " : "", (int)t.id[i]) > 0;
        st = ok && gzputc(to, '\n') == '\n' ? MIDI_OK : MIDI_CANNOT_WRITE;
    }
    piece_fini(&part);
    tokens_fini(&t);
    return st;
}

enum midi_status corpus_excerpts_write(const struct corpus *c, enum corpus_split split,
                                       int count, int length, FILE *to)
{
    const int fd = dup(fileno(to));
    gzFile f = fd < 0 ? NULL : gzdopen(fd, "wb9");
    enum midi_status st = f ? MIDI_OK : MIDI_NO_MEMORY;
    if (!f && fd >= 0)
        close(fd);
    for (int i = 0; !st && i < count; i++) {
        struct corpus_view w;
        st = corpus_fixed_view(c, split, i, count, &w) ? add_excerpt(f, c, &w, length)
                                                       : MIDI_EMPTY;
    }
    if (f && gzclose(f) != Z_OK && !st)
        st = MIDI_CANNOT_WRITE;
    return st;
}

/* -- reading -- */

/* The tokens of a line's end, with a space or the tab before each. */
static enum midi_status read_piece(struct piece *p, const char *at)
{
    int32_t *ids = malloc((strlen(at) + 1) * sizeof *ids);
    size_t n = 0;
    while (ids && (*at == ' ' || *at == '\t')) {
        char *end;
        const long x = strtol(at + 1, &end, 10);
        if (end == at + 1 || x < 0 || x >= TOKEN_COUNT)
            break;
        ids[n++] = (int32_t)x;
        at = end;
    }
    enum midi_status st = !ids                   ? MIDI_NO_MEMORY
                          : *at == '\n' && n > 0 ? tokens_decode(p, ids, n)
                                                 : MIDI_BAD_TOKEN;
    free(ids);
    return st;
}

static enum midi_status read_excerpt(struct corpus *c, char *line)
{
    struct corpus_piece p = {0};
    char *tab = strchr(line, '\t');
    if (!tab || tab == line || tab - line >= (int)sizeof c->groups->name ||
        (tab[1] != '0' && tab[1] != '1') || tab[2] != '\t')
        return MIDI_BAD_TOKEN;
    *tab = '\0';
    p.goes_on = tab[1] == '1';
    enum midi_status st = read_piece(&p.piece, tab + 2);
    if (st)
        return st;
    p.group = corpus_find_group(c, line);
    if (p.group < 0) {
        piece_fini(&p.piece);
        return MIDI_NO_MEMORY;
    }
    const struct corpus_group *g = &c->groups[p.group];
    int k = g->n_pieces[CORPUS_TRAIN] + g->n_pieces[CORPUS_VALID];
    return corpus_add(c, &p, k % ONE_IN == ONE_IN - 1 ? CORPUS_VALID : CORPUS_TRAIN);
}

/* A regular file; NULL: errno says why not. */
static gzFile open_file(const char *path)
{
    FILE *f = regular_file_open(path);
    const int fd = f ? dup(fileno(f)) : -1;
    gzFile z = fd < 0 ? NULL : gzdopen(fd, "rb");
    if (f)
        fclose(f);
    if (!z && fd >= 0)
        close(fd);
    return z;
}

enum midi_status corpus_excerpts_open(struct corpus **out, const char *path)
{
    struct corpus *c = corpus_create();
    char *line = malloc(MOST_LINE_BYTES);
    gzFile f = c && line ? open_file(path) : NULL;
    enum midi_status st = !c || !line ? MIDI_NO_MEMORY : f ? MIDI_OK : MIDI_NO_FILE;
    for (int i = 0; !st && gzgets(f, line, MOST_LINE_BYTES); i++)
        st = i < MOST_LINES ? read_excerpt(c, line) : MIDI_TOO_LONG;
    if (f && gzclose(f) != Z_OK && !st) /* cut short, or another check sum */
        st = MIDI_BAD_TOKEN;
    free(line);
    return corpus_finish(c, st, out);
}
