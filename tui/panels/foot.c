/* The two lines at the bottom. The status line shows the state. The hints line shows keys,
 * from the table of bindings; it also holds the line being typed, and the rest of a message
 * too long for the status line. */
#include "midi/score/general_midi.h"
#include "tui/paint/inspect_paint.h"
#include "tui/keys/keymap.h"
#include "tui/base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "composing bar 5 of 8  ▮▮▮▯▯  62%  10.2 bars/s, 2.55 a take  3 s left  Ctrl-C stops"; of
 * takes that are not shown, "drawing take 9 of 16". The speed is of all takes, and of one. */
static void paint_progress(const struct paint *p, int room)
{
    static const char STOPS[] = "  Ctrl-C stops";
    char text[96];
    const struct machine_view *m = &p->v->machine;
    const double share = m->share > 0 ? fmin(m->share, 1) : 0;
    const double all = MAX(m->n_draws, m->n_at_work);
    const int n_bars = MAX(m->n_bars, 1),
              at = 1 + (int)(share * n_bars * all / (m->n_at_work ? m->n_at_work : 1));
    int row = p->l.status.row, used = 1;
    if (m->n_draws > m->n_at_work && m->n_drawn >= m->n_at_work)
        snprintf(text, sizeof text, "drawing take %d of %d  ",
                 MIN(m->n_drawn + 1, m->n_draws), m->n_draws);
    else
        snprintf(text, sizeof text, "composing bar %d of %d  ", MIN(at, n_bars),
                 n_bars);
    used += paint_text(p, used, row, room - used, text, p->t->accent, ATTR_BOLD);
    const int length = room - used <= 30 ? 0 : room > 90 ? 16 : 8;
    for (int i = 0; i < length; i++, used++) {
        bool is_full = i < (int)(share * length + 0.5);
        paint_put(p, used, row, is_full ? 0x25AE : 0x25AF,
                  is_full ? p->t->accent : p->t->faint, 0);
    }
    int n = snprintf(text, sizeof text, "  %d%%", (int)(100 * share));
    if (m->bars_per_second > 0)
        n += snprintf(text + n, sizeof text - (size_t)n, "  %.3g bars/s",
                      m->bars_per_second);
    if (m->bars_per_second > 0 && m->n_at_work > 1)
        n += snprintf(text + n, sizeof text - (size_t)n, ", %.2g a take",
                      m->bars_per_second / m->n_at_work);
    if (m->seconds_left >= 0 && m->seconds_left < 1e5)
        snprintf(text + n, sizeof text - (size_t)n, "  %.0f s left",
                 m->seconds_left + 0.5);
    used += paint_text(p, used, row, room - used, text, p->t->quiet, 0);
    if (room - used >= text_columns(STOPS))
        paint_text(p, used, row, room - used, STOPS, p->t->quiet, 0);
}

/* Describes the pitch and the note at the cursor, and what is selected. */
static void describe_cursor(const struct paint *p, char *text, size_t size)
{
    char name[PITCH_NAME_BYTES], more[64] = "";
    const char *grid = p->v->grid.name;
    int n_takes = p->v->mode == MODE_NORMAL ? p->v->takes.n : 0;
    const struct note *n = paint_note_at_cursor(p);
    /* "D4"; on the drums' channel "D2 Acoustic Snare". */
    const struct track *t = paint_track(p);
    int pitch = p->v->cursor.pitch;
    pitch_name_octave(pitch, p->sharps, name);
    size_t used = strlen(name);
    if (t && track_is_drums(t) && *gm_drum_name(pitch))
        snprintf(name + used, PITCH_NAME_BYTES - used, " %s", gm_drum_name(pitch));
    /* "   12 notes of 2 tracks selected", and what a command would do to them. */
    const struct selection_view *of = &p->v->selection;
    const bool has_label = *of->change_label; /* which names the tracks */
    if (of->n && of->n_tracks > 1 && !has_label)
        snprintf(more, sizeof more, "   %zu note%s of %d tracks selected", of->n,
                 of->n == 1 ? "" : "s", of->n_tracks);
    else if (of->n)
        snprintf(more, sizeof more, "   %zu note%s selected", of->n,
                 of->n == 1 ? "" : "s");
    else if (has_label && !p->v->takes.n)
        snprintf(more, sizeof more, "   nothing selected");
    else if (!has_label && n_takes)
        snprintf(more, sizeof more, "   %d take%s: T", n_takes,
                 n_takes == 1 ? " waits" : "s wait");
    if (has_label)
        snprintf(text, size, "%s%s   %s", name, more, of->change_label);
    else if (n && p->v->kit.is_shown)
        snprintf(text, size, "%s  velocity %d   grid %s%s", name, n->velocity, grid,
                 more);
    else if (n)
        snprintf(text, size, "%s  velocity %d  length %.3g beat%s   grid %s%s", name,
                 n->velocity, (double)n->length / p->v->score->ticks_per_quarter,
                 n->length == p->v->score->ticks_per_quarter ? "" : "s", grid, more);
    else
        snprintf(text, size, "%s   grid %s%s", name, grid, more);
}

/* The label of the shown take, or a description of its ghost under the cursor. NULL: no
 * take. */
static const char *describe_take(const struct paint *p, char *buf, size_t n)
{
    char name[PITCH_NAME_BYTES], sure[24] = "";
    const struct view *v = p->v;
    const struct ghost *g = NULL;
    for (size_t i = 0; !g && i < v->ghosts.n; i++) {
        const struct note *at = &v->ghosts.notes[i].note;
        if (at->pitch == v->cursor.pitch &&
            at->start < v->cursor.tick + v->grid.ticks &&
            at->length > v->cursor.tick - at->start)
            g = &v->ghosts.notes[i];
    }
    if (!g || v->takes.shown < 0 || v->takes.shown >= v->takes.n)
        return *v->takes.label ? v->takes.label : NULL;
    pitch_name_octave(g->note.pitch, p->sharps, name);
    if (g->probability >= 0)
        snprintf(sure, sizeof sure, "  %.0f%% sure", 100 * (double)g->probability);
    snprintf(buf, n, "take %d%s  %s  velocity %d  length %.3g%s  %s",
             v->takes.rows[v->takes.shown].number,
             ghost_is_of_motif(g, &v->ghosts) ? ", the motif" : "", name,
             g->note.velocity, (double)g->note.length / v->score->ticks_per_quarter,
             sure, g->is_kept ? "kept: k undoes this" : "k keeps it");
    return buf;
}

/* Writes the clock, the metronome, silence and the model at the right end. Leaves the
 * model out if text of `wanted` columns needs its place. Returns the left edge. */
static int paint_model(const struct paint *p, int wanted)
{
    char text[192], count[32] = "";
    const struct view *v = p->v;
    const char *model = *v->machine.model_name ? v->machine.model_name : "no model";
    const char *clock = v->transport.clock, *gap = *clock ? "   " : "";
    const char *silent = v->transport.has_sound ? "" : "no sound   ";
    if (v->keys.count > 0)
        snprintf(count, sizeof count, "%d   ", v->keys.count);
    const char *click = v->transport.clicks ? "click   " : "";
    const char *suffix = strstr(model, ".safetensors");
    int length = suffix && suffix - model < 60 ? (int)(suffix - model) : 60;
    snprintf(text, sizeof text, "%s%s%s%s%s%s", count, v->work, clock, gap, click,
             silent);
    const size_t others = strlen(text);
    snprintf(text + others, sizeof text - others, "%.*s ", length, model);
    if (wanted > p->l.columns - text_columns(text) ||
        (*clock && text_columns(text) > p->l.columns / 2))
        text[others] = '\0';
    int columns = text_columns(text), left = p->l.columns - columns;
    if (left < p->l.columns / 2)
        return p->l.columns;
    paint_text(p, left, p->l.status.row, columns, text, p->t->quiet, 0);
    return left;
}

enum {
    NO_SOUND = 14, /* columns for "no sound" and gaps */
    GAP = 3,
    LEAST_ROOM = 12,
};

/* The part of the message that does not fit into the status line, after a space if it has
 * one; "": none. */
static const char *rest_of_message(const struct paint *p)
{
    const struct view *v = p->v;
    const char *text = v->message.text, *rest = NULL;
    if (!v->message.is_error && v->machine.is_generating)
        return "";
    for (int used = 0; *text;) {
        const char *here = text;
        uint32_t code = text_next(&text);
        used += text_width(code);
        if (used > p->l.columns - 2)
            return rest ? rest : here;
        if (code == ' ')
            rest = text;
    }
    return text;
}

void paint_status(const struct paint *p)
{
    char about[INSPECT_LINE_BYTES];
    const struct view *v = p->v;
    const struct region *r = &p->l.status;
    cells_fill(p->c, *r, ' ', p->t->text, p->t->bar);
    const char *words = *v->message.text ? v->message.text : NULL;
    if (!words && v->mode == MODE_TAKES)
        words = describe_take(p, about, sizeof about);
    if (!words && v->mode == MODE_LANE)
        words = v->lane.label;
    if (!words && v->mode == MODE_INSPECT && v->inspect)
        words = inspect_summary(p, about, sizeof about);
    if (!words && *v->record.label)
        words = v->record.label;
    /* A long sentence gets the whole line. */
    bool long_words = words && text_columns(words) > r->columns / 2;
    bool crowded = long_words || (v->machine.is_generating && r->columns < 100);
    bool is_idle = !words && !v->machine.is_generating;
    int room = crowded ? r->columns : is_idle ? 0 : paint_model(p, 0) - 1;
    if (words && (v->message.is_error || !v->machine.is_generating)) {
        char first[512];
        const char *rest = words == v->message.text ? rest_of_message(p) : "";
        bool is_red =
            v->message.is_error || (v->record.is_on && words == v->record.label);
        snprintf(first, sizeof first, "%.*s", (int)(strlen(words) - strlen(rest)),
                 words);
        paint_text(p, 1, r->row, room - 1, first, is_red ? p->t->error : p->t->text,
                   v->message.is_error ? ATTR_BOLD : 0);
    } else if (v->machine.is_generating) {
        paint_progress(p, room);
    } else {
        /* The cursor, since there is nothing more important. What a command would do
         * comes before the model's name. */
        char text[192];
        describe_cursor(p, text, sizeof text);
        int columns = text_columns(text);
        bool is_whole = *v->selection.change_label && columns + NO_SOUND > r->columns;
        int end = is_whole ? r->columns : paint_model(p, 1 + columns + 3) - 1;
        int used = paint_text(p, 1, r->row, end - 1, text, p->t->quiet, 0);
        /* The settings of the machine, if they fit. */
        const int column = 1 + used + GAP;
        const char *summary = v->steer.summary;
        if (*summary && end - column >= LEAST_ROOM)
            paint_text(p, column, r->row, end - column, summary, p->t->accent, 0);
    }
}

static int paint_hint(const struct paint *p, int column, const char *keys,
                      const char *hint)
{
    int row = p->l.hints.row, room = p->l.columns - column;
    int used = paint_text(p, column, row, room, keys, p->t->accent, ATTR_BOLD);
    used += 1 + paint_text(p, column + used + 1, row, room - used - 1, hint,
                           p->t->quiet, 0);
    return used + 2;
}

void paint_input(const struct paint *p, int column, int row, int columns)
{
    enum { LINE_BYTES = 1024 };
    char before[LINE_BYTES];
    const char *text = p->v->prompt.text, *start = before;
    size_t n = strlen(text), after = p->v->prompt.after;
    after = after < n ? after : n;
    snprintf(before, sizeof before, "%.*s", (int)(n - after), text);
    while (text_columns(start) >= columns && *start)
        text_next(&start); /* so that the cursor stays in view */
    int used = paint_text(p, column, row, columns, start, p->t->text, 0);
    paint_text(p, column + used, row, columns - used, text + n - after, p->t->text, 0);
    p->c->cursor_column = column + used;
    p->c->cursor_row = row;
}

void paint_hints(const struct paint *p)
{
    const char *rest = rest_of_message(p);
    const int row = p->l.hints.row, columns = p->l.columns;
    cells_fill(p->c, p->l.hints, ' ', p->t->text, p->t->panel);
    if (p->v->mode == MODE_PROMPT) {
        const char *prompt = *p->v->prompt.label ? p->v->prompt.label : ":";
        int used = paint_text(p, 0, row, columns / 2, prompt, p->t->accent, ATTR_BOLD);
        paint_input(p, used, row, columns - used);
    } else if (*rest)
        paint_text(p, 1, row, columns - 2, rest,
                   p->v->message.is_error ? p->t->error : p->t->text,
                   p->v->message.is_error ? ATTR_BOLD : 0);
    else {
        /* "? help" stays at the end, however many hints there are. */
        char keys[64];
        const int help = text_columns("? help") + 1;
        bool has_help = p->v->mode != MODE_HELP && p->v->mode != MODE_PALETTE;
        int column = 1, end = p->l.columns - (has_help ? help : 0);
        for (const struct binding *b = keymap_rows(p->v->keys.map); b->id; b++) {
            /* Whether the row has a hint in this mode, and something to act on. The hint goes
             * over to the next key of a command whose first key is taken away. */
            const struct binding *of = b->hint ? b : binding_about(b, IN(p->v->mode));
            if (!of || !of->hint || !(of->hint_modes & b->modes & IN(p->v->mode)) ||
                (b->id == CMD_STOP && !p->v->machine.is_generating) ||
                (b->id == CMD_ACCEPT_PART && !p->v->takes.n) ||
                (b->id == CMD_CHANGE_SELECTION && p->v->takes.n))
                continue;
            binding_keys_range(b, keys);
            if (column + text_columns(keys) + 1 + text_columns(of->hint) >= end)
                break;
            column += paint_hint(p, column, keys, of->hint);
        }
        if (has_help)
            paint_hint(p, column < end ? column : end, "?", "help");
    }
}
