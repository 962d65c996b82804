/* Requests to fill a hole: what they contain, and both as tokens. */
#include "midi/tokens/fill.h"

#include "midi/tokens/token_codec.h"

#include <math.h>
#include <string.h>

bool fill_request_valid(const struct fill_request *r)
{
    return r->from >= 0 && r->from < r->to && r->to <= FILL_MAX_STEP &&
           r->pitch_lo <= r->pitch_hi && r->pitch_hi < 128 && r->tracks &&
           r->density >= FILL_ANY && r->density < FILL_DENSITIES &&
           r->polyphony >= FILL_ANY && r->polyphony < FILL_POLYPHONIES &&
           r->length >= FILL_ANY && r->length < FILL_LENGTHS && r->height >= FILL_ANY &&
           r->height < FILL_REGISTERS;
}

bool fill_contains(const struct fill_request *r,
                   const uint8_t families[TOKEN_MAX_TRACKS], const struct grid_note *n)
{
    bool has_pitch = n->pitch >= r->pitch_lo && n->pitch <= r->pitch_hi;
    return n->step >= r->from && n->step < r->to && n->length <= r->to - n->step &&
           (has_pitch || families[n->track] == FAMILY_DRUMS) &&
           (r->tracks >> n->track & 1);
}

static int level(double x, int count)
{
    double nearest = floor(x + 0.5);
    return nearest <= 0 ? 0 : nearest >= count - 1 ? count - 1 : (int)nearest;
}

int fill_density_level(double notes)
{
    return level(2 * log2(notes) + 6, FILL_DENSITIES);
}

int fill_length_level(double steps)
{
    return level(2 * log2(steps / 3), FILL_LENGTHS);
}

int fill_height_level(double pitch)
{
    return level((pitch - 24) / 6, FILL_REGISTERS);
}

static int32_t duration_token(double steps)
{
    return TOKEN_DUR + level(steps - 1, TOKEN_RADIX);
}

int32_t fill_token_like(int32_t token)
{
    switch (token_kind(token)) {
    case TOKEN_DENSITY: /* these invert the level functions above */
        return duration_token(STEPS_PER_QUARTER *
                              exp2((6 - (token - TOKEN_DENSITY)) / 2.0));
    case TOKEN_LENGTH:
        return duration_token(3 * exp2((token - TOKEN_LENGTH) / 2.0));
    case TOKEN_REGISTER:
        return TOKEN_PITCH + 24 + 6 * (token - TOKEN_REGISTER);
    case TOKEN_POLYPHONY:
        return TOKEN_NUM + (token - TOKEN_POLYPHONY);
    default:
        return -1;
    }
}

static bool has_pitch(const uint8_t *families, const struct grid_note *n)
{
    return families[n->track] != FAMILY_DRUMS;
}

/* Returns how many notes sound at an onset, as a mean over onsets. */
static double mean_sounding(const uint8_t *families, const struct grid_note *notes,
                            size_t n)
{
    double sum = 0, onsets = 0;
    int32_t last = -1;
    for (size_t i = 0; i < n; i++) {
        const int32_t step = notes[i].step;
        if (step == last || !has_pitch(families, &notes[i]))
            continue;
        for (size_t k = 0; k < n && notes[k].step <= step; k++)
            sum += has_pitch(families, &notes[k]) &&
                   notes[k].step + notes[k].length > step;
        onsets++;
        last = step;
    }
    return sum / onsets;
}

void fill_measure(struct fill_request *r, const uint8_t families[TOKEN_MAX_TRACKS],
                  const struct grid_note *notes, size_t n)
{
    double span = (double)(r->to - r->from) * __builtin_popcountll(r->tracks);
    double pitch = 0, log_length = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        if (!has_pitch(families, &notes[i]))
            continue;
        pitch += notes[i].pitch;
        log_length += log2((double)notes[i].length);
        count++;
    }
    r->density = n ? fill_density_level((double)n / (span / STEPS_PER_QUARTER)) : 0;
    r->polyphony = r->length = r->height = FILL_ANY;
    if (count > 0) {
        r->polyphony = level(mean_sounding(families, notes, n) - 1, FILL_POLYPHONIES);
        r->length = fill_length_level(exp2(log_length / count));
        r->height = fill_height_level(pitch / count);
    }
}

void fill_fini(struct fill *f)
{
    piece_fini(&f->around);
    piece_fini(&f->inside);
}

/* Copies bars, meters and declared tracks. */
static void copy_bars(struct piece *to, const struct piece *from)
{
    to->style = from->style;
    memcpy(to->families, from->families, sizeof to->families);
    to->n_bars = from->n_bars;
    to->resumes = from->resumes;
    for (; to->n_meters < from->n_meters; to->n_meters++)
        to->meters[to->n_meters] = from->meters[to->n_meters];
}

enum midi_status fill_split(struct fill *f, const struct piece *p,
                            const struct fill_request *request, const bool *keep)
{
    *f = (struct fill){.request = *request};
    if (piece_alloc(&f->around, p->style, p->n_notes, p->n_chords, p->n_meters) ||
        piece_alloc(&f->inside, p->style, p->n_notes, p->n_chords, p->n_meters)) {
        fill_fini(f);
        return MIDI_NO_MEMORY;
    }
    copy_bars(&f->around, p);
    copy_bars(&f->inside, p);
    for (; f->around.n_chords < p->n_chords; f->around.n_chords++)
        f->around.chords[f->around.n_chords] = p->chords[f->around.n_chords];
    for (size_t i = 0; i < p->n_notes; i++) {
        bool stays =
            !fill_contains(request, p->families, &p->notes[i]) || (keep && keep[i]);
        struct piece *to = stays ? &f->around : &f->inside;
        to->notes[to->n_notes++] = p->notes[i];
    }
    return MIDI_OK;
}

void fill_take_chords(struct fill *f)
{
    struct piece *a = &f->around, *b = &f->inside;
    size_t kept = 0;
    for (size_t i = 0; i < a->n_chords; i++) {
        const struct grid_chord c = a->chords[i];
        if (c.step >= f->request.from && c.step < f->request.to)
            b->chords[b->n_chords++] = c;
        else if (!kept || !grid_chord_equal(&a->chords[kept - 1], &c))
            a->chords[kept++] = c;
    }
    a->n_chords = kept;
}

static void put_control(struct token_writer *w, enum token kind, int value)
{
    if (value != FILL_ANY)
        token_writer_put(w, (int32_t)kind + value, -1);
}

static void put_request(struct token_writer *w, const struct fill_request *r)
{
    token_writer_put(w, TOKEN_FILL, -1);
    token_writer_position(w, r->from, -1);
    token_writer_position(w, r->to, -1);
    token_writer_put(w, TOKEN_PITCH + r->pitch_lo, -1);
    token_writer_put(w, TOKEN_PITCH + r->pitch_hi, -1);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (r->tracks >> t & 1)
            token_writer_put(w, TOKEN_TRACK + t, -1);
    put_control(w, TOKEN_DENSITY, r->density);
    put_control(w, TOKEN_POLYPHONY, r->polyphony);
    put_control(w, TOKEN_LENGTH, r->length);
    put_control(w, TOKEN_REGISTER, r->height);
    if (r->close)
        token_writer_put(w, TOKEN_CLOSE, -1);
}

static void put_inside(const struct token_writer *w, const struct fill *f)
{
    const struct piece *around = &f->around;
    struct token_writer in = {.piece = &f->inside,
                              .out = w->out,
                              .mark = 2,
                              .first = (int32_t)around->n_notes};
    token_writer_forget(&in);
    for (int64_t bar = piece_bar_at(around, f->request.from);; bar++) {
        token_writer_notes(&in, (int32_t)piece_bar_start(around, bar),
                           piece_bar_start(around, bar + 1));
        if (in.note == f->inside.n_notes && in.chord == f->inside.n_chords)
            break;
        token_writer_put(&in, TOKEN_BAR, -1);
    }
    token_writer_put(&in, TOKEN_FILL_END, -1);
}

static enum midi_status check(const struct fill *f)
{
    enum midi_status st = piece_check(&f->around);
    if (!st && (!fill_request_valid(&f->request) ||
                f->request.tracks & ~piece_declared(&f->around)))
        st = MIDI_BAD_TOKEN;
    for (size_t i = 0; !st && i < f->inside.n_notes; i++) {
        const struct grid_note *n = &f->inside.notes[i];
        if (!piece_note_valid(&f->around, n) ||
            !fill_contains(&f->request, f->around.families, n) ||
            (i && !piece_notes_ascend(&f->around, &n[-1], n)))
            st = MIDI_BAD_TOKEN;
    }
    const bool chords_fit =
        piece_chords_canonical(&f->inside, f->request.from, f->request.to);
    if (!st && (!chords_fit || f->around.n_bars < 1))
        st = MIDI_BAD_TOKEN;
    return !st && f->around.n_bars > BAR_TABLE_SIZE ? MIDI_TOO_LONG : st;
}

enum midi_status fill_encode(struct tokens *t, const struct fill *f, bool with_inside)
{
    *t = (struct tokens){0};
    enum midi_status st = check(f);
    /* And marks and their positions, FILL and a full request, and BAR up to `to`. */
    size_t most = token_writer_most(&f->around) + token_writer_most(&f->inside) + 6 +
                  13 + TOKEN_MAX_TRACKS + (size_t)f->request.to;
    if (!st)
        st = token_writer_alloc(t, most);
    if (st)
        return st;
    struct token_writer w = token_writer_begin(t, &f->around);
    w.mark = 0;
    w.marks[0] = f->request.from;
    w.marks[1] = f->request.to;
    token_writer_bars(&w);
    put_request(&w, &f->request);
    if (with_inside)
        put_inside(&w, f);
    return MIDI_OK;
}

enum midi_status fill_decode(struct fill *f, const int32_t *ids, size_t n)
{
    struct parser at = {0};
    *f = (struct fill){0};
    enum midi_status st = token_reader_init(&f->around, n);
    if (!st)
        st = token_reader_init(&f->inside, n);
    if (!st)
        st = token_reader_read(&at, &f->around, &f->inside, ids, n);
    if (!st && at.state != AFTER_FILL_END)
        st = MIDI_BAD_TOKEN;
    f->request = at.request;
    if (st)
        fill_fini(f);
    else
        copy_bars(&f->inside, &f->around);
    return st;
}
