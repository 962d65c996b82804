/* Music in one line, as a score that the caller frees:
 *
 *   auto_score *s = score_of("480 3/4 90bpm | bass #32: C2q r D2:100 | ch9: (36q [38 42]e@100)*8");
 *
 * Ticks a quarter; meters (4/4 if there is none) and tempos, "2/4=1440" from a tick on. After
 * each "|" a track: its name, "#" its program (0), "ch" its channel (its index), ":" its notes.
 * A note is a pitch (Eb4, F#-1, 60), several in brackets, or r for a rest; then its length and
 * "@" its velocity, or those of the note before (a quarter, 80). A length is one of w h q e s
 * (whole note to sixteenth; "q." is longer by half), or ":" and a time. Times are sums of such
 * units and of ticks: "960", "2w3q10". "=" goes to a time; "*3" and "( ... )*3" play thrice.
 *
 * score_put adds such notes to a track of a score, from tick 0 on. Both take printf's formats,
 * and fail the test with the place of a mistake. */
#ifndef TESTS_MIDI_SCORE_OF_H
#define TESTS_MIDI_SCORE_OF_H

#include "midi/edit/apply.h"
#include "midi/score/chunk.h"
#include "tests/check.h"
#include "tests/midi/auto.h"

#include <ctype.h>

static inline struct note music_note(int64_t start, int64_t length, int pitch,
                                     int velocity)
{
    return (struct note){.start = start,
                         .length = length,
                         .pitch = (uint8_t)pitch,
                         .velocity = (uint8_t)velocity,
                         .off_velocity = 64,
                         .on_order = ORDER_LAST,
                         .off_order = ORDER_FIRST};
}

struct music_line {
    const char *text, *at; /* all of it, and what comes next */
    struct score *score;
    int track, velocity;
    int64_t tick, length;
};

/* A line that cannot be read ends the test. */
static inline void music_require(const struct music_line *m, bool is_right,
                                 const char *wanted)
{
    if (!is_right)
        fail_msg("music \"%s\", at \"%s\": there should be %s", m->text, m->at, wanted);
}

static inline bool music_skip(struct music_line *m, const char *word)
{
    const bool is_there = !strncmp(m->at, word, strlen(word));
    m->at += is_there ? strlen(word) : 0;
    return is_there;
}

static inline void music_space(struct music_line *m)
{
    m->at += strspn(m->at, " \n");
}

static inline int64_t music_number(struct music_line *m)
{
    char *end = NULL;
    const int64_t n = strtoll(m->at, &end, 10);
    music_require(m, end != m->at, "a number");
    m->at = end;
    return n;
}

/* One of w h q e s, and perhaps a dot. 0: there is none. */
static inline int64_t music_unit(struct music_line *m)
{
    static const char UNITS[] = "whqes";
    const char *unit = *m->at ? strchr(UNITS, *m->at) : NULL;
    if (!unit)
        return 0;
    m->at++;
    const int64_t ticks = 4 * m->score->ticks_per_quarter >> (unit - UNITS);
    return music_skip(m, ".") ? ticks + ticks / 2 : ticks;
}

static inline int64_t music_time(struct music_line *m)
{
    int64_t sum = 0;
    do {
        const int64_t n = music_number(m), unit = music_unit(m);
        sum += unit ? n * unit : n;
    } while (isdigit((unsigned char)*m->at));
    return sum;
}

static inline uint8_t music_pitch(struct music_line *m)
{
    static const char LETTERS[] = "C D EF G A B";
    const char *letter = *m->at && *m->at != ' ' ? strchr(LETTERS, *m->at) : NULL;
    int64_t pitch = 0;
    if (letter) {
        m->at++;
        pitch = letter - LETTERS;
        for (; *m->at == '#' || *m->at == 'b'; m->at++)
            pitch += *m->at == '#' ? 1 : -1;
        if (!music_skip(m, "-1")) {
            music_require(m, isdigit((unsigned char)*m->at), "an octave");
            pitch += 12 * (1 + *m->at++ - '0');
        }
    } else {
        pitch = music_number(m);
    }
    music_require(m, pitch >= 0 && pitch < 128, "a pitch before this");
    return (uint8_t)pitch;
}

/* A note, a chord or a rest. */
static inline void music_sound(struct music_line *m)
{
    uint8_t pitches[16];
    size_t n = 0;
    if (music_skip(m, "[")) {
        for (; !music_skip(m, "]"); music_space(m)) {
            music_require(m, n < sizeof pitches, "fewer notes in a chord");
            pitches[n++] = music_pitch(m);
        }
    } else if (!music_skip(m, "r")) {
        pitches[n++] = music_pitch(m);
    }
    const int64_t unit = music_unit(m);
    if (unit || music_skip(m, ":"))
        m->length = unit ? unit : music_time(m);
    if (music_skip(m, "@"))
        m->velocity = (int)music_number(m);
    for (size_t i = 0; i < n; i++) {
        const struct note one = music_note(m->tick, m->length, pitches[i], m->velocity);
        music_require(m, score_add_note(m->score, m->track, one) != 0,
                      "a note that a score can hold before this");
    }
    m->tick += m->length;
}

static inline void music_notes(struct music_line *m);

/* Once, then again from its beginning as often as what follows it says. */
static inline void music_item(struct music_line *m)
{
    const char *begin = m->at;
    int64_t times = 1;
    for (int64_t i = 0; i < times; i++) {
        m->at = begin;
        if (music_skip(m, "(")) {
            music_notes(m);
            music_require(m, music_skip(m, ")"), "a )");
        } else {
            music_sound(m);
        }
        if (music_skip(m, "*"))
            times = music_number(m);
    }
}

/* To the end of a track, of a group or of the line. */
static inline void music_notes(struct music_line *m)
{
    for (music_space(m); *m->at && !strchr("|)", *m->at); music_space(m)) {
        if (music_skip(m, "="))
            m->tick = music_time(m);
        else
            music_item(m);
        music_require(m, !*m->at || strchr(" \n|)", *m->at), "a space");
    }
}

/* A meter or a tempo. */
static inline void music_timing(struct music_line *m)
{
    auto_change *c = change_create("timing");
    const int64_t n = music_number(m);
    const bool is_tempo = music_skip(m, "bpm");
    music_require(m, is_tempo || music_skip(m, "/"), "bpm or /");
    const int64_t denominator = is_tempo ? 0 : music_number(m);
    const int64_t tick = music_skip(m, "=") ? music_time(m) : 0;
    assert_ok(is_tempo ? change_set_tempo(c, m->score, tick, (double)n)
                       : change_set_meter(c, m->score, tick, (int)n, (int)denominator));
    assert_ok(change_apply(c, m->score, true));
}

/* To the colon: a name of several words, a program, a channel. */
static inline void music_head(struct music_line *m)
{
    char name[64] = "";
    int64_t channel = (int64_t)m->score->n_tracks, program = 0;
    for (music_space(m); !music_skip(m, ":"); music_space(m)) {
        music_require(m, *m->at && *m->at != '|', "a :");
        const bool is_channel =
            m->at[0] == 'c' && m->at[1] == 'h' && isdigit((unsigned char)m->at[2]);
        const size_t n = strcspn(m->at, " :");
        if (is_channel) {
            m->at += 2;
            channel = music_number(m);
        } else if (music_skip(m, "#")) {
            program = music_number(m);
        } else {
            music_require(m, strlen(name) + n + 2 < sizeof name, "a shorter name");
            sprintf(name + strlen(name), "%s%.*s", *name ? " " : "", (int)n, m->at);
            m->at += n;
        }
    }
    m->track = score_add_track(m->score, name, (uint8_t)channel, (uint8_t)program);
    assert_true(m->track >= 0);
}

static inline struct music_line music_line(struct score *s, const char *text)
{
    return (struct music_line){.text = text,
                               .at = text,
                               .score = s,
                               .velocity = 80,
                               .length = s ? s->ticks_per_quarter : 0};
}

__attribute__((format(printf, 3, 4))) static inline void
score_put(struct score *s, int track, const char *format, ...)
{
    auto_free char *text = NULL;
    va_list list;
    va_start(list, format);
    assert_true(vasprintf(&text, format, list) >= 0);
    va_end(list);
    struct music_line m = music_line(s, text);
    m.track = track;
    music_notes(&m);
    music_require(&m, !*m.at, "nothing");
}

__attribute__((format(printf, 1, 2))) static inline struct score *
score_of(const char *format, ...)
{
    auto_free char *text = NULL;
    va_list list;
    va_start(list, format);
    assert_true(vasprintf(&text, format, list) >= 0);
    va_end(list);
    struct music_line m = music_line(NULL, text);
    struct score *s = score_create((int)music_number(&m));
    assert_non_null(s);
    m.score = s;
    for (music_space(&m); *m.at && *m.at != '|'; music_space(&m))
        music_timing(&m);
    while (music_skip(&m, "|")) {
        music_head(&m);
        m.tick = 0;
        m.length = s->ticks_per_quarter;
        m.velocity = 80;
        music_notes(&m);
    }
    music_require(&m, !*m.at, "nothing");
    return s;
}

/* A text, or another meta event, in its first chunk. */
static inline void score_put_meta(struct score *s, int64_t tick, uint8_t type,
                                  const void *text, size_t n)
{
    uint8_t bytes[300];
    struct event e = {.tick = tick, .order = ORDER_LAST, .data = bytes};
    e.n_data = (uint32_t)event_meta_write(bytes, type, text, n);
    assert_ok(chunk_insert_event(&s->chunks[0], &e));
}

#endif
