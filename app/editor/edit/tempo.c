/* Tempo, meter, key and markers at the cursor, typed at a prompt or after `:`. A tempo
 * begins at the cursor. A meter begins with the cursor's bar, so that no bar is cut by
 * mistake (the list of changes moves it anywhere). */
#include "midi/base/array.h"
#include "app/editor/session/edit.h"
#include "app/base/values.h"
#include "tui/base/names.h"

#include <stdio.h>
#include <string.h>

enum { LEAST_BPM = 4, MOST_BPM = 1000 };

/* The word is "96", from the cursor on, or "96-120", over the selected time. */
void act_tempo_word(struct session *s, const char *word)
{
    char first[VALUE_BYTES], place[PLACE_BYTES], end[PLACE_BYTES];
    const char *last;
    const struct timeline *t = session_timeline(s);
    double bpm, bpm_to;
    int64_t from = s->view.cursor.tick, to;
    if (s->project.score->division >> 15) { /* ticks are parts of a second */
        session_say(s, "this file counts seconds (SMPTE): it has no tempo");
        return;
    }
    if (!value_split(word, "-", first, &last) ||
        !value_real(first, LEAST_BPM, MOST_BPM, &bpm) ||
        (last && !value_real(last, LEAST_BPM, MOST_BPM, &bpm_to))) {
        session_error(s, "tempo: use quarter notes per minute, %d to %d, or 96-120",
                      LEAST_BPM, MOST_BPM);
        return;
    }
    if (last && !session_marked_time(s, &from, &to)) {
        session_error(s, "a ramp of tempos needs a selection or a loop");
        return;
    }
    place_name(t, from, place);
    struct change *c = last ? edit_begin("tempo %g to %g, from %s to %s", bpm, bpm_to,
                                         place, place_name(t, to, end))
                            : edit_begin("tempo %g from %s", bpm, place);
    if (last)
        change_ramp_tempo(c, s->project.score, from, to, bpm, bpm_to);
    else
        change_set_tempo(c, s->project.score, from, bpm);
    edit_do_aloud(s, c);
}

/* If the next meter does not begin on a bar line of this one, the user is told. */
void act_meter_word(struct session *s, const char *word)
{
    char place[PLACE_BYTES];
    int numerator, denominator;
    if (!value_meter(word, &numerator, &denominator)) {
        session_error(s, "meter: use beats and a note value, as in 3/4 or 6/8");
        return;
    }
    const int64_t tick = session_bar_at(s, s->view.cursor.tick).start;
    struct change *c = edit_begin("meter %d/%d from %s", numerator, denominator,
                                  place_name(session_timeline(s), tick, place));
    change_set_meter(c, s->project.score, tick, numerator, denominator);
    if (!edit_do_aloud(s, c))
        return;
    const struct timeline *t = session_timeline(s);
    const size_t next = ARRAY_FIRST_AT(t->meters, t->n_meters, tick + 1);
    if (next == t->n_meters)
        return;
    const struct bar bar = timeline_bar_at(t, t->meters[next].tick - 1);
    if (bar.length < timeline_bar_ticks(t, bar.start))
        session_say_more(s, "; the meter of bar %lld cuts bar %lld short",
                         (long long)bar.index + 2, (long long)bar.index + 1);
}

/* Removes the events of these kinds in [from, to). false: there were none, and the user was
 * told. */
static bool remove_kinds(struct session *s, unsigned kinds, int64_t from, int64_t to,
                         const char *label, const char *nothing)
{
    struct timeline_events all;
    struct change *c = change_create(label);
    enum midi_status st = timeline_events_collect(&all, s->project.score, kinds);
    for (size_t i = st ? 0 : ARRAY_FIRST_AT(all.list, all.n, from);
         !st && i < all.n && all.list[i].tick < to; i++)
        change_remove_timeline_event(c, s->project.score, &all.list[i]);
    timeline_events_fini(&all);
    change_fail(c, st);
    return edit_do_some(s, c, nothing);
}

/* As a meter, a key begins with the cursor's bar. Without a word, removes it. */
void act_key_word(struct session *s, const char *word)
{
    char place[PLACE_BYTES];
    struct scale scale;
    struct bar bar = session_bar_at(s, s->view.cursor.tick);
    if (!*word) {
        remove_kinds(s, TIMELINE_BIT(TIMELINE_KEY), bar.start, bar.start + bar.length,
                     "remove a key signature", "no key signature begins in this bar");
        return;
    }
    if (!scale_parse(word, &scale) || scale.kind > SCALE_MELODIC_MINOR) {
        session_error(s, "key: use a major or minor key, as in Bb minor or F#");
        return;
    }
    int sharps = scale_sharps(&scale);
    bool minor = scale.kind != SCALE_MAJOR;
    struct change *c = edit_begin("%s from %s", key_signature_name(sharps, minor),
                                  place_name(session_timeline(s), bar.start, place));
    change_set_key(c, s->project.score, bar.start, sharps, minor);
    edit_do_aloud(s, c);
}

void act_tempo_line(struct session *s, const char *line)
{
    unsigned kinds = TIMELINE_BIT(TIMELINE_TEMPO) | TIMELINE_BIT(TIMELINE_METER);
    int64_t tick = s->view.cursor.tick;
    if (*line)
        (strchr(line, '/') ? act_meter_word : act_tempo_word)(s, line);
    else if (remove_kinds(s, kinds, tick, grid_next(s, tick), "remove a tempo or meter",
                          "no tempo or meter begins here"))
        session_say(s, "tempo %.4g here, as before",
                    timeline_bpm(session_timeline(s), tick));
}

const char *tempo_prompt(struct session *s, char *buf, size_t n)
{
    struct bar bar = session_bar_at(s, s->view.cursor.tick);
    snprintf(buf, n, "tempo or meter here (♩=%.4g, %d/%d): ",
             timeline_bpm(session_timeline(s), s->view.cursor.tick), bar.numerator,
             bar.denominator);
    return buf;
}

/* Finds the last marker that begins under the cursor. false: there is none. */
static bool marker_here(const struct session *s, struct timeline_event *out)
{
    const struct timeline_events *all = session_signs(s);
    bool found = false;
    int64_t end = grid_next(s, s->view.cursor.tick);
    for (size_t i = ARRAY_FIRST_AT(all->list, all->n, s->view.cursor.tick);
         i < all->n && all->list[i].tick < end; i++)
        if (all->list[i].kind == TIMELINE_MARKER) {
            *out = all->list[i];
            found = true;
        }
    return found;
}

const char *marker_text_here(struct session *s, char *buf, size_t n)
{
    struct timeline_event g;
    buf[0] = '\0';
    return marker_here(s, &g) ? timeline_event_copy_text(s->project.score, &g, buf, n)
                              : buf;
}

void edit_set_text(struct session *s, enum timeline_kind kind, int64_t tick,
                   const char *text)
{
    char place[PLACE_BYTES];
    struct change *c =
        edit_begin("%s%s at %s", *text ? "" : "remove the ", sign_kind_name(kind),
                   place_name(session_timeline(s), tick, place));
    change_set_text(c, s->project.score, kind, tick, text);
    edit_do_aloud(s, c);
}

/* A text that was not edited stays as the file has it. */
void act_marker_line(struct session *s, const char *text)
{
    struct timeline_event g;
    char before[sizeof s->view.prompt.text];
    bool is_there = marker_here(s, &g);
    if (!strcmp(text, marker_text_here(s, before, sizeof before))) {
        if (!is_there)
            session_say(s, "no marker: it needs a text");
        return;
    }
    edit_set_text(s, TIMELINE_MARKER, is_there ? g.tick : s->view.cursor.tick, text);
}

void act_marker_step(struct session *s, const struct command *c)
{
    char text[96];
    const struct timeline_events *all = session_signs(s);
    const bool forwards = c->by > 0;
    bool has_any = false;
    int n = 0;
    for (size_t i = 0; i < all->n; i++)
        has_any |= all->list[i].kind == TIMELINE_MARKER;
    for (; n < command_times(c); n++) {
        const int64_t tick = s->view.cursor.tick;
        size_t i = ARRAY_FIRST_AT(all->list, all->n, tick + forwards) - !forwards;
        while (i < all->n && all->list[i].kind != TIMELINE_MARKER)
            i = forwards ? i + 1 : i - 1;
        if (i >= all->n)
            break;
        s->view.cursor.tick = all->list[i].tick;
        session_say(s, "%s",
                    timeline_event_copy_text(s->project.score, &all->list[i], text,
                                             sizeof text));
    }
    if (!has_any)
        session_say(s, "no markers yet: m sets one");
    else if (!n)
        session_say(s, forwards ? "no marker after the cursor"
                                : "no marker before the cursor");
    session_show_cursor(s);
}
