/* `:lay`: fits the tempo map to freely played music, so that its tapped bars
 * become bar lines and it sounds as before (midi/edit/tempo_fit.h). It is one
 * change.
 *
 * It moves the tracks that R records onto, from where free playing began. Music
 * of other tracks in that time, and tempos after the last tap, would lose their
 * places in the bars. So it refuses if there are any, unless `all` takes them
 * along.
 *
 * `gL` is for music that was played without a click elsewhere: it guesses the
 * bar lines from all tracks, unless some are marked, and lays everything on
 * them, as one change. */
#include "app/base/values.h"
#include "app/editor/perform/recorder.h"
#include "app/editor/session/edit.h"
#include "midi/edit/apply.h"
#include "midi/edit/tempo_fit.h"
#include "midi/score/beat_guess.h"
#include "midi/score/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fit_line {
    int numerator, denominator; /* 0: as in the piece */
    int from_bar;               /* from 1; 0: where free playing began */
    bool are_beats, all, none, guess;
};

static bool take_word(struct fit_line *l, const char *word, char **rest)
{
    const struct {
        const char *name;
        bool *is_said;
    } WORDS[] = {{"beats", &l->are_beats},
                 {"all", &l->all},
                 {"none", &l->none},
                 {"guess", &l->guess}};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (!strcmp(word, WORDS[i].name))
            return *WORDS[i].is_said = true;
    if (strcmp(word, "from") != 0)
        return value_meter(word, &l->numerator, &l->denominator);
    word = strtok_r(NULL, " ", rest);
    if (word && !strcmp(word, "bar"))
        word = strtok_r(NULL, " ", rest);
    return word && value_count(word, 1, 1 << 20, &l->from_bar);
}

/* Returns whether something forbids it; then tells the user what. */
static bool is_in_the_way(struct session *s, const struct fit_line *l, int64_t from)
{
    const struct score *score = s->project.score;
    int64_t last = 0;
    for (size_t i = 0; i < score->taps.n; i++)
        if (score->taps.list[i].kind == TAP_BAR)
            last = score->taps.list[i].tick;
    /* The first tick after the last tap where tempo or meter change; -1: there is none. */
    const struct timeline *t = &score->timeline;
    int64_t at = -1;
    for (size_t i = t->n_meters; i > 0 && t->meters[i - 1].tick > last; i--)
        at = t->meters[i - 1].tick;
    for (size_t i = t->n_tempos; i > 0 && t->tempos[i - 1].tick > last; i--)
        if (at < 0 || t->tempos[i - 1].tick < at)
            at = t->tempos[i - 1].tick;
    int targets[16], track = -1;
    char place[PLACE_BYTES];
    recorder_targets(s, targets);
    for (int k = (int)score->n_tracks - 1; k >= 0; k--) {
        bool moves = false;
        for (int channel = 0; channel < 16; channel++)
            moves |= targets[channel] == k;
        for (size_t i = 0; !moves && i < score->tracks[k].n_notes; i++)
            if (score->tracks[k].notes[i].start + score->tracks[k].notes[i].length >
                from)
                track = k;
    }
    if (s->has_take)
        session_error(s, "takes wait: accept or reject them first");
    else if (!l->all && track >= 0)
        session_error(s,
                      "track %d has notes there, which would leave their bars: :lay "
                      "all moves them too",
                      track + 1);
    else if (!l->all && at >= 0)
        session_error(s, "this would remove the tempo or meter at %s: :lay all does it",
                      place_name(&score->timeline, at, place));
    else
        return false;
    return true;
}

static struct tempo_fit_request request_of(const struct session *s,
                                           const struct fit_line *l)
{
    const struct score *score = s->project.score;
    /* Free playing began at the last begin before the first tap. */
    int64_t first = INT64_MAX, from = 0;
    for (size_t i = 0; i < score->taps.n && score->taps.list[i].tick <= first; i++)
        if (score->taps.list[i].kind == TAP_BEGIN)
            from = score->taps.list[i].tick;
        else if (first == INT64_MAX)
            first = score->taps.list[i].tick;
    if (l->from_bar)
        from = timeline_bar(&score->timeline, l->from_bar - 1).start;
    struct bar bar = timeline_bar_at(&score->timeline, from);
    return (struct tempo_fit_request){
        .from = from,
        .numerator = l->numerator ? l->numerator : bar.numerator,
        .denominator = l->numerator ? l->denominator : bar.denominator,
        .are_beats = l->are_beats,
    };
}

/* Returns the tick of a moment in the present tempo map. */
static int64_t tick_at(const struct session *s, double seconds)
{
    return llround(timeline_tick(session_timeline(s), seconds));
}

/* Lays the music on its marked bar lines, as one change. `marks`, which it takes, or NULL, is
 * the change that marks them: it becomes part of this one. */
static void lay_on_lines(struct session *s, const struct tempo_fit_request *w,
                         struct change *marks)
{
    struct tempo_fit_report report = {0};
    struct score *marked = marks ? score_clone(s->project.score) : NULL;
    struct change *c = change_create("lay on the grid"), *fit = change_create("");
    if (marks) {
        change_add_all(c, marks);
        change_fail(c, marked ? change_apply(marks, marked, true) : MIDI_NO_MEMORY);
    }
    if (!change_status(c)) {
        const struct score *score = marks ? marked : s->project.score;
        change_fail(c, change_fit_tempo(fit, score, w, &report));
        if (fit)
            change_add_all(c, fit);
    }
    score_destroy(marked);
    change_destroy(marks);
    change_destroy(fit);
    const enum midi_status st = change_status(c);
    const struct timeline *t = session_timeline(s);
    char place[PLACE_BYTES];
    if (st) {
        change_destroy(c);
        if (!report.error)
            session_error(s, "not possible: it %s", midi_strerror(st));
        else if (report.error == TEMPO_FIT_SMPTE_TIME)
            session_error(s, "this file counts frames, not beats: it has no tempo");
        else if (report.error == TEMPO_FIT_NEEDS_TAPS)
            session_error(s, "mark at least two bar lines by |");
        else if (report.error == TEMPO_FIT_NO_TEMPO)
            session_error(s,
                          "the bar marked at %s is too long or short for a tempo: mark "
                          "more lines",
                          place_name(t, report.tapped_tick, place));
        else if (report.error == TEMPO_FIT_TOO_CLOSE)
            session_error(s,
                          "these bars would be too slow: notes of one pitch would fall "
                          "together at %s",
                          place_name(t, report.close_tick, place));
        else
            session_error(s, "the music would be too long for a file");
        return;
    }
    /* Everything else that refers to ticks moves with the music. */
    double cursor = timeline_seconds(t, (double)s->view.cursor.tick);
    double from = timeline_seconds(t, (double)s->loop.from);
    double to = timeline_seconds(t, (double)s->loop.to);
    bool has_loop = session_has_loop(s), loop_on = s->loop.on;
    player_stop(s->player);
    if (!edit_do(s, c))
        return;
    s->view.cursor.tick = grid_floor(s, tick_at(s, cursor));
    if (has_loop) {
        session_set_loop(s, tick_at(s, from), tick_at(s, to));
        s->loop.on = loop_on;
        session_send_loop(s);
    }
    session_show_cursor(s);
    session_say(s, "%zu bar%s of %d/%d fitted, %.4g to %.4g per minute; u undoes this",
                report.n_bars, plural(report.n_bars), w->numerator, w->denominator,
                report.slowest, report.fastest);
}

/* Returns a change that marks the bar lines which these tracks suggest, and sets *n to their
 * number. NULL: the user was told why there is none. */
static struct change *guess_marks(struct session *s, const struct tempo_fit_request *w,
                                  uint64_t tracks, size_t *n)
{
    const struct score *score = s->project.score;
    const struct beat_guess request = {w->from, tracks, tempo_fit_beats_in_bar(w)};
    int64_t *ticks = NULL;
    enum midi_status st = beat_guess_bars(score, &request, &ticks, n);
    struct change *c = st ? NULL : change_create("guess bar lines");
    /* The new lines replace those that are marked from there on. */
    const struct taps *t = &score->taps;
    for (size_t i = taps_first_at(t, w->from); i < t->n; i++)
        if (t->list[i].kind == TAP_BAR)
            change_tap(c, t->list[i], false);
    for (size_t i = 0; !st && i < *n && i < TAPS_MOST / 2; i++)
        change_tap(c, (struct tap){ticks[i], TAP_BAR}, true);
    free(ticks);
    if (st == MIDI_EMPTY)
        session_error(s, "too few notes to guess the bars");
    else if (st == MIDI_TOO_LONG)
        session_error(s, "too long to guess: more than half an hour");
    else if (!c)
        session_no_memory(s);
    return c;
}

void act_lay(struct session *s)
{
    const struct fit_line l = {.all = true};
    const struct tempo_fit_request w = request_of(s, &l);
    const struct taps *taps = &s->project.score->taps;
    struct change *marks = NULL;
    size_t n, n_marks = 0;
    for (size_t i = taps_first_at(taps, w.from); i < taps->n; i++)
        n_marks += taps->list[i].kind == TAP_BAR;
    if (recorder_is_on(s))
        session_error(s, "stop recording first: R");
    else if (n_marks < 2 && !score_is_off_grid(s->project.score))
        session_say(s,
                    "the notes lie on the grid; :lay guess and :lay would move them");
    else if (!is_in_the_way(s, &l, w.from) &&
             (n_marks >= 2 || (marks = guess_marks(s, &w, UINT64_MAX, &n))))
        lay_on_lines(s, &w, marks);
}

void act_fit_line(struct session *s, const char *line)
{
    struct fit_line l = {0};
    char words[sizeof s->view.prompt.text], *rest;
    bool ok = (size_t)snprintf(words, sizeof words, "%s", line) < sizeof words;
    for (char *w = strtok_r(words, " ", &rest); ok && w; w = strtok_r(NULL, " ", &rest))
        ok = take_word(&l, w, &rest);
    const struct tempo_fit_request w = request_of(s, &l);
    const struct taps *t = &s->project.score->taps;
    int targets[16];
    size_t n = 0;
    if (!ok)
        session_error(s, "lay: use a meter, beats, from bar 9, all, guess or none");
    else if (recorder_is_on(s))
        session_error(s, "stop recording first: R");
    else if (l.none) {
        struct change *c = change_create("unmark all bar lines");
        for (size_t i = 0; i < t->n; i++)
            if (t->list[i].kind == TAP_BAR && ++n)
                change_tap(c, t->list[i], false);
        if (edit_do_some(s, c, "no bar lines are marked"))
            session_say(s, "%zu bar lines unmarked; u undoes this", n);
    } else if (l.guess) {
        struct change *c = guess_marks(s, &w, recorder_targets(s, targets), &n);
        if (c && edit_do(s, c))
            session_say(s, "%zu bar lines guessed: | corrects them, then :lay %d/%d", n,
                        w.numerator, w.denominator);
    } else if (!is_in_the_way(s, &l, w.from))
        lay_on_lines(s, &w, NULL);
}
