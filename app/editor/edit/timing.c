/* Quantises and humanises notes, and restores their played times. Each starts from the played
 * times, so quantising twice is the same as once. */
#include "app/editor/edit/reshape.h"
#include "app/base/values.h"
#include "midi/score/notes.h"
#include "midi/base/hash.h"
#include "tui/base/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last random times of `~`. */
struct humanised {
    uint64_t state; /* of the history after `~`; 0: none */
    uint64_t notes; /* hash of the ids of the notes */
};

static bool has_targets(const struct session *s)
{
    return s->selection.n || session_note_under_cursor(s);
}

static int by_place(const void *a, const void *b)
{
    const struct note *x = *(const struct note *const *)a,
                      *y = *(const struct note *const *)b;
    if (x->pitch != y->pitch)
        return x->pitch - y->pitch;
    return (x->start > y->start) - (x->start < y->start);
}

/* Notes of one pitch that now begin together become one, with the louder velocity and the later
 * end of both. Notes that were together before stay. */
static void quantise(struct session *s, const struct groove *g)
{
    char text[GROOVE_TEXT], name[PITCH_NAME_BYTES];
    struct reshape r;
    const struct score *score = s->project.score;
    struct groove_grid grid = {&score->timeline,
                               grid_step_lattice(&s->grid, score->ticks_per_quarter)};
    if (s->grid.is_free) {
        session_say(s, "the grid is off; g0 restores it");
        return;
    }
    if (!reshape_begin(&r, s))
        return;
    for (size_t i = 0; i < r.n; i++)
        groove_quantise(g, &grid, &r.after[i]);
    struct note **list = calloc(r.n + 1, sizeof(struct note *));
    struct note first_merged = {0};
    size_t n_merged = 0;
    for (size_t at = 0, run; list && at < r.n; at += run) {
        run = reshape_run(&r, at);
        for (size_t i = 0; i < run; i++)
            list[i] = &r.after[at + i];
        qsort(list, run, sizeof(struct note *), by_place);
        struct note *into = list[0];
        for (size_t i = 1; i < run; i++) {
            const struct note *was = &r.before[into - r.after].note,
                              *next = &r.before[list[i] - r.after].note;
            if (list[i]->pitch != into->pitch || list[i]->start != into->start ||
                was->start == next->start) {
                into = list[i];
                continue;
            }
            first_merged = n_merged++ ? first_merged : *into;
            const int64_t end = note_end(list[i]);
            into->velocity =
                list[i]->velocity > into->velocity ? list[i]->velocity : into->velocity;
            if (end > note_end(into))
                into->length = end - into->start;
            list[i]->pitch = PITCH_GONE;
            list[i]->length = 0;
        }
    }
    free(list);
    if (!list) {
        reshape_forget(&r);
        session_no_memory(s);
    } else if (reshape_do(&r, OVERLAP_TRUNCATE, "quantise", ": %s",
                          groove_format(g, text)) &&
               n_merged) {
        session_say_more(
            s, "; %zu fell on another and became one with it (%s in bar %lld)",
            n_merged, pitch_name_octave(first_merged.pitch, SPELL_SHARPS, name),
            (long long)session_bar_at(s, first_merged.start).index + 1);
    }
}

/* The count is a percentage of the way: 80= quantises by 80 percent. */
void act_quantise(struct session *s, const struct command *c)
{
    struct groove g = s->groove;
    if (c->count > 0)
        g.strength = c->count > 100 ? 100 : c->count;
    quantise(s, &g);
}

void act_quantise_line(struct session *s, const char *words)
{
    char text[GROOVE_TEXT];
    if (!groove_parse(words, &s->groove))
        session_error(s, "quantise: use words like 80%% start end length swing 56 "
                         "within 30%%; swing is 50 to 75");
    else if (has_targets(s))
        quantise(s, &s->groove);
    else
        session_say(s, "= quantises: %s", groove_format(&s->groove, text));
}

void act_swing_line(struct session *s, const char *word)
{
    int swing;
    if (!value_count(word, 50, 75, &swing)) {
        session_error(
            s, "swing: use a percentage from 50 (straight) to 75; 66 is triplets");
        return;
    }
    s->groove.swing = swing;
    act_quantise_line(s, "");
}

void act_restore_played(struct session *s)
{
    struct reshape r;
    if (!reshape_begin(&r, s))
        return;
    for (size_t i = 0; i < r.n; i++)
        played_restore(&r.after[i]);
    reshape_do(&r, OVERLAP_TRUNCATE, "restore the timing of", " as played");
}

/* Done again to the same notes without another edit, replaces the last random times, which stay
 * in the history on a branch. */
static void humanise(struct session *s, int times)
{
    struct reshape r;
    struct humanised *last = s->parts.humanised;
    struct humanise h = s->humanise;
    h.ms = fmin(h.ms * times, HUMANISE_MOST_MS);
    h.velocity = h.velocity * times > 127 ? 127 : h.velocity * times;
    if (!reshape_begin(&r, s))
        return;
    uint64_t notes = HASH_START;
    for (size_t i = 0; i < r.n; i++)
        notes = hash_bytes(notes, &r.before[i].note.id, sizeof r.before[i].note.id);
    if (last->state && last->state == history_state(s->project.history) &&
        last->notes == notes) {
        reshape_forget(&r);
        project_step(&s->project, -1, NULL);
        session_revalidate(s);
        if (!reshape_begin(&r, s))
            return;
    }
    const struct score *score = s->project.score;
    for (size_t at = 0, run; at < r.n; at += run) {
        run = reshape_run(&r, at);
        humanise_notes(&h, &score->timeline, &score->tracks[r.before[at].track],
                       r.after + at, run, 2 * at);
    }
    s->humanise.seed++;
    if (!reshape_do(&r, OVERLAP_TRUNCATE, "humanise", ": %g ms, velocity %d, seed %llu",
                    h.ms, h.velocity, (unsigned long long)h.seed))
        return;
    *last = (struct humanised){history_state(s->project.history), notes};
    session_say_more(s, "; ~ humanises anew");
}

void act_humanise(struct session *s, const struct command *c)
{
    humanise(s, c->count > 100 ? 100 : command_times(c));
}

/* The words are "10ms", "8" of velocity, and "seed 7". */
void act_humanise_line(struct session *s, const char *words)
{
    char line[128], *rest = NULL;
    struct humanise h = s->humanise;
    bool ok = (size_t)snprintf(line, sizeof line, "%s", words) < sizeof line;
    for (char *word = strtok_r(line, " ", &rest); ok && word;
         word = strtok_r(NULL, " ", &rest)) {
        char *unit = strstr(word, "ms");
        if (!strcmp(word, "seed")) {
            word = strtok_r(NULL, " ", &rest);
            ok = word && value_seed(word, &h.seed);
        } else if (!unit || unit[2]) {
            ok = value_count(word, 0, 127, &h.velocity);
        } else {
            *unit = '\0';
            ok = value_real(word, 0, HUMANISE_MOST_MS, &h.ms);
        }
    }
    if (!ok) {
        session_error(s, "humanise: use time, velocity and seed, as in 10ms 8 seed 7");
        return;
    }
    s->humanise = h;
    if (has_targets(s))
        humanise(s, 1);
    else
        session_say(s, "~ humanises: %g ms, velocity %d", h.ms, h.velocity);
}

const char *quantise_prompt_text(struct session *s, char *buf, size_t n)
{
    char how[GROOVE_TEXT];
    snprintf(buf, n, "%s", groove_format(&s->groove, how));
    return buf;
}

void act_quantise_prompt(struct session *s, const char *line)
{
    char whole[sizeof s->view.prompt.text + 16];
    snprintf(whole, sizeof whole, "quantise %s", line);
    act_command_line(s, whole);
}

const struct editor_part TIMING_PART = {
    PART_STATE(humanised),
    .is_of_piece = true,
};
