/* Facts and words of scripts about the events of a score. Include it after tests/check.h.
 *
 * Facts: "signs 0:4/4 0:=120 2b:Verse" are all tempos, meters, keys and texts; likewise "chords",
 * "lyrics" and "keys"; "n_chords"; "held64 480" is the value of a controller that holds there on
 * the first track. "controls1 64:0=127 64:480=0" are all controllers of a track (the first).
 * "‹set1 64 0 127 64 480 0›" sets them: number, tick and value; 200 is the bend.
 * "‹sing 0 480›" puts a syllable at each tick. */
#ifndef TESTS_APP_EVENTS_H
#define TESTS_APP_EVENTS_H

#include "app/editor/session/edit.h"
#include "midi/edit/held.h"
#include "midi/edit/lyrics.h"
#include "midi/score/chunk.h"
#include "tests/app/script.h"
#include "tui/base/names.h"

static inline void say_sign(const struct score *s, const struct timeline_event *g,
                            char *to, size_t room)
{
    if (g->kind == TIMELINE_METER)
        snprintf(to, room, "%d/%d", g->numerator, g->denominator);
    else if (g->kind == TIMELINE_TEMPO)
        snprintf(to, room, "=%.4g", g->bpm);
    else if (g->kind == TIMELINE_KEY)
        snprintf(to, room, "%s", key_signature_name(g->sharps, g->minor));
    else
        timeline_event_copy_text(s, g, to, room);
}

/* "tick:what ..." of the kinds; how many there are in *n, unless it is NULL. */
static inline const char *signs_of(const struct score *s, unsigned kinds, size_t *n)
{
    static char text[2048];
    char one[64];
    struct timeline_events all;
    size_t used = 0;
    assert_ok(timeline_events_collect(&all, s, kinds));
    text[0] = '\0';
    for (size_t i = 0; i < all.n; i++) {
        say_sign(s, &all.list[i], one, sizeof one);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld:%s",
                                 i ? " " : "", (long long)all.list[i].tick, one);
    }
    if (n)
        *n = all.n;
    timeline_events_fini(&all);
    return text;
}

static inline size_t count_signs(const struct score *s, unsigned kinds)
{
    size_t n;
    signs_of(s, kinds, &n);
    return n;
}

TEXT_FACT(signs, signs_of(s->project.score, ~0u, NULL))
TEXT_FACT(chords, signs_of(s->project.score, TIMELINE_BIT(TIMELINE_CHORD), NULL))
TEXT_FACT(lyrics, signs_of(s->project.score, TIMELINE_BIT(TIMELINE_LYRIC), NULL))
NUMBER_FACT(n_chords, count_signs(s->project.score, TIMELINE_BIT(TIMELINE_CHORD)))

static inline struct control control_numbered(int number)
{
    return number == 200 ? (struct control){CONTROL_BEND, 0}
                         : (struct control){CONTROL_CHANGE, (uint8_t)number};
}

static inline int value_at(const struct score *s, int number, int64_t tick)
{
    return held_value(s, score_channel(s, 0), control_numbered(number), tick);
}

WORD(set)
{
    int number, at, to, n;
    for (; sscanf(arguments, "%d %d %d%n", &number, &at, &to, &n) == 3;
         arguments += n) {
        const struct control_point p = {at, to};
        struct change *c = change_create("set");
        assert_ok(change_control(c, s->project.score, on < 0 ? 0 : on,
                                 control_numbered(number), at, at + 1, &p, 1));
        assert_true(edit_do(s, c));
    }
}

/* "number:tick=value ..." */
static inline const char *controls_of(const struct session *s, int of)
{
    static char text[512];
    const struct chunk *c = &s->project.score->chunks[track(s, of)->chunk];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < c->n_events; i++)
        if (c->events[i].n_data == 3 && c->events[i].data[0] >> 4 == 0xB)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%s%d:%lld=%d",
                                 used ? " " : "", c->events[i].data[1],
                                 (long long)c->events[i].tick, c->events[i].data[2]);
    return text;
}

TEXT_FACT(controls, controls_of(s, of < 0 ? 0 : of))

WORD(sing)
{
    int at, n;
    for (; sscanf(arguments, "%d%n", &at, &n) == 1; arguments += n) {
        uint8_t data[16];
        struct lyrics l;
        assert_true(lyrics_init(&l, s->project.score));
        const size_t length = event_meta_write(data, META_LYRIC, "l\xE1", 2);
        struct change *c = change_create("sing");
        assert_ok(change_add_lyric(c, &l, 0, at, data, length));
        lyrics_fini(&l);
        assert_true(edit_do(s, c));
    }
}

#endif
