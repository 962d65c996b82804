/* Sets tempo and meter, typed at the prompt of `t` or after `:`. A tempo begins at the cursor.
 * A meter begins with the cursor's bar, so that no bar is cut by mistake (the list of changes
 * moves it anywhere). */
#include "app/editor/edit/tempo.h"
#include "app/editor/session/edit.h"
#include "app/base/values.h"
#include "midi/edit/timeline_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_BPM = 4, MOST_BPM = 1000 };

/* -- a ramp: "96-120" -- */

/* The selection's time, else the loop's. */
static bool ramp_span(const struct session *s, int64_t *from, int64_t *to)
{
    bool selects = s->mode == MODE_SELECT && s->selection.has_box;
    *from = selects ? s->selection.box.from : s->loop.from;
    *to = selects ? s->selection.box.to : s->loop.to;
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
                    place_name(session_timeline(s), from, first),
                    place_name(session_timeline(s), to, last));
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
    int64_t tick = s->cursor.tick;
    struct change *c = change_create("tempo");
    if (edit_do(s, c,
                c ? change_set_tempo(c, s->project.score, tick, bpm) : MIDI_NO_MEMORY))
        session_say(s, "tempo %g from %s", bpm,
                    place_name(session_timeline(s), tick, place));
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
    int64_t tick = session_bar_at(s, s->cursor.tick).start;
    struct change *c = change_create("meter");
    if (edit_do(s, c,
                c ? change_set_meter(c, s->project.score, tick, (int)num, (int)den)
                  : MIDI_NO_MEMORY))
        session_say(s, "meter %ld/%ld from %s", num, den,
                    place_name(session_timeline(s), tick, place));
}

/* -- nothing: what begins under the cursor goes -- */

static bool is_here(const struct session *s, const struct timeline_event *g)
{
    return g->tick >= s->cursor.tick && g->tick < grid_next(s, s->cursor.tick);
}

static void remove_here(struct session *s)
{
    struct timeline_events all;
    size_t n = 0;
    struct change *c = change_create("remove a tempo or meter");
    enum midi_status st = timeline_events_collect(&all, s->project.score,
                                                  TIMELINE_BIT(TIMELINE_TEMPO) |
                                                      TIMELINE_BIT(TIMELINE_METER));
    for (size_t i = 0; c && !st && i < all.n; i++) {
        if (!is_here(s, &all.list[i]))
            continue;
        st = change_remove_timeline_event(c, s->project.score, &all.list[i]);
        n++;
    }
    timeline_events_fini(&all);
    if (!n && !st) {
        change_destroy(c);
        session_say(s, "no tempo or meter begins here");
    } else if (edit_do(s, c, st)) {
        session_say(s, "tempo %.4g here, as before",
                    timeline_bpm(session_timeline(s), s->cursor.tick));
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
    struct bar bar = session_bar_at(s, s->cursor.tick);
    snprintf(buf, n, "tempo or meter here (♩=%.4g, %d/%d): ",
             timeline_bpm(session_timeline(s), s->cursor.tick), bar.numerator,
             bar.denominator);
    return buf;
}

const struct editor_part TEMPO_PART = {
    ON_LINES({"tempo", .run = act_tempo_word}, {"meter", .run = act_meter_word}),
    ON_PROMPTS({PROMPT_TEMPO, CMD_TEMPO, NULL, tempo_prompt, NULL, act_tempo_line}),
};
