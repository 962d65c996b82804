/* Tempo and meter, typed: at the prompt of `t` and after `:`. A tempo begins at the
 * cursor; a meter at the line of the cursor's bar, so that none is cut by mistake (the
 * list of changes moves them anywhere). */
#include "app/editor/edit/tempo.h"
#include "app/editor/session/edit.h"
#include "app/base/place.h"
#include "app/base/values.h"
#include "midi/edit/signs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_BPM = 4, MOST_BPM = 1000 };

static const struct timeline *timeline(const struct session *s)
{
    return &s->project.score->timeline;
}

/* -- a ramp: "96-120" -- */

/* The selection's time, else the loop's. */
static bool ramp_span(const struct session *s, int64_t *from, int64_t *to)
{
    bool selects = s->mode == MODE_SELECT && s->has_box;
    *from = selects ? s->box.from : s->loop.from;
    *to = selects ? s->box.to : s->loop.to;
    return *to > *from;
}

static bool read_ramp(const char *word, double *from, double *to)
{
    char first[32];
    size_t n = strcspn(word, "-");
    if (!n || n >= sizeof first || !word[n])
        return false;
    snprintf(first, sizeof first, "%.*s", (int)n, word);
    return value_real(first, LEAST_BPM, MOST_BPM, from) &&
           value_real(word + n + 1, LEAST_BPM, MOST_BPM, to);
}

static void ramp(struct session *s, double bpm_from, double bpm_to)
{
    int64_t from, to;
    char first[PLACE_BYTES], last[PLACE_BYTES];
    if (!ramp_span(s, &from, &to)) {
        session_error(s, "a ramp of tempos wants a selection or a loop to go over");
        return;
    }
    struct change *c = change_create(bpm_to < bpm_from ? "ritardando" : "accelerando");
    if (edit_do(s, c,
                c ? change_ramp_tempo(c, s->project.score, from, to, bpm_from, bpm_to)
                  : MIDI_NO_MEMORY))
        session_say(s, "tempo %g to %g, from %s to %s", bpm_from, bpm_to,
                    place_name(timeline(s), from, first),
                    place_name(timeline(s), to, last));
}

/* -- one value -- */

/* In files whose ticks are parts of a second, tempos change nothing. */
static bool counts_seconds(struct session *s)
{
    bool is_so = s->project.score->division >> 15;
    if (is_so)
        session_say(s, "this file counts seconds (SMPTE): it has no tempo to set");
    return is_so;
}

void act_tempo_word(struct session *s, const char *word)
{
    double bpm, bpm_to;
    char place[PLACE_BYTES];
    if (counts_seconds(s))
        return;
    if (read_ramp(word, &bpm, &bpm_to)) {
        ramp(s, bpm, bpm_to);
        return;
    }
    if (!value_real(word, LEAST_BPM, MOST_BPM, &bpm)) {
        session_error(s, "tempo wants quarter notes a minute, %d to %d, or 96-120",
                      LEAST_BPM, MOST_BPM);
        return;
    }
    int64_t tick = s->cursor_tick;
    struct change *c = change_create("tempo");
    if (edit_do(s, c,
                c ? change_set_tempo(c, s->project.score, tick, bpm) : MIDI_NO_MEMORY))
        session_say(s, "tempo %g from %s", bpm, place_name(timeline(s), tick, place));
}

void act_meter_word(struct session *s, const char *word)
{
    char *end, place[PLACE_BYTES];
    long num = strtol(word, &end, 10), den = 0;
    if (*end == '/')
        den = strtol(end + 1, &end, 10);
    if (*end || num < 1 || num > 64 || den < 1 || den > 128 || (den & (den - 1))) {
        session_error(s, "meter wants beats and a note value, as in 3/4 or 6/8");
        return;
    }
    int64_t tick = timeline_bar_at(timeline(s), s->cursor_tick).start;
    struct change *c = change_create("meter");
    if (edit_do(s, c,
                c ? change_set_meter(c, s->project.score, tick, (int)num, (int)den)
                  : MIDI_NO_MEMORY))
        session_say(s, "meter %ld/%ld from %s", num, den,
                    place_name(timeline(s), tick, place));
}

/* -- nothing: what begins under the cursor goes -- */

static bool is_here(const struct session *s, const struct sign *g)
{
    return g->tick >= s->cursor_tick && g->tick < grid_next(s, s->cursor_tick);
}

static void remove_here(struct session *s)
{
    struct signs all;
    size_t n = 0;
    struct change *c = change_create("remove a tempo or meter");
    enum midi_status st =
        signs_collect(&all, s->project.score, SIGN(SIGN_TEMPO) | SIGN(SIGN_METER));
    for (size_t i = 0; c && !st && i < all.n; i++) {
        if (!is_here(s, &all.list[i]))
            continue;
        st = change_remove_sign(c, s->project.score, &all.list[i]);
        n++;
    }
    signs_fini(&all);
    if (!n && !st) {
        change_destroy(c);
        session_say(s, "no tempo or meter begins here");
    } else if (edit_do(s, c, st)) {
        session_say(s, "tempo %.4g here, as before",
                    timeline_bpm(timeline(s), s->cursor_tick));
    }
}

static void act_tempo_line(struct session *s, const char *line)
{
    if (!*line)
        remove_here(s);
    else if (strchr(line, '/'))
        act_meter_word(s, line);
    else
        act_tempo_word(s, line);
}

static const char *tempo_prompt(struct session *s, char *buf, size_t n)
{
    struct bar bar = timeline_bar_at(timeline(s), s->cursor_tick);
    snprintf(buf, n, "tempo or meter here (♩=%.4g, %d/%d): ",
             timeline_bpm(timeline(s), s->cursor_tick), bar.numerator, bar.denominator);
    return buf;
}

static const struct prompt_row PROMPTS[] = {
    {PROMPT_TEMPO, CMD_TEMPO, NULL, tempo_prompt, NULL, act_tempo_line},
    {0},
};

static const struct act_line_row LINES[] = {
    {"tempo", act_tempo_word},
    {"meter", act_meter_word},
    {0},
};

const struct editor_part TEMPO_PART = {.lines = LINES, .prompts = PROMPTS};
