/* What a piece says along its time: read from any chunk, put, moved and removed, and
 * each of that undone byte for byte. */
#include "midi/score/chunk.h"
#include "midi/edit/signs.h"
#include "midi/smf/smf.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUARTER = 480, BAR = 4 * QUARTER };

static void add_event(struct score *s, int chunk, int64_t tick, uint32_t order,
                      const void *data, size_t n)
{
    uint8_t bytes[64];
    memcpy(bytes, data, n);
    struct event e = {
        .tick = tick, .order = order, .n_data = (uint32_t)n, .data = bytes};
    assert_int_equal(chunk_insert_event(&s->chunks[chunk], &e), MIDI_OK);
}

/* Two chunks with signs, as a file would number their events. */
static struct score *make_score(void)
{
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "t", 0, 0), 0);
    struct note n = {.length = BAR, .pitch = 60, .velocity = 90};
    assert_true(score_add_note(s, 0, n) != 0);
    s->chunks[0].n_events = 0; /* what a new score begins with */
    add_event(s, 0, 0, 1, "\xFF\x58\x04\x03\x02\x18\x08", 7); /* 3/4 */
    add_event(s, 0, 0, 2, "\xFF\x51\x03\x09\x27\xC0", 6);     /* 100 */
    add_event(s, 0, BAR, 3, "\xFF\x06\x05Verse", 8);
    add_event(s, 1, BAR, 4, "\xFF\x06\x02\x1B[", 5);  /* begins a control sequence */
    add_event(s, 1, 0, 5, "\xFF\x59\x02\xFD\x01", 5); /* C minor */
    add_event(s, 1, 700, 6, "\xFF\x05\x02la", 5);
    add_event(s, 1, 800, 7, "\xFF\x07\x00", 3);
    add_event(s, 1, 900, 8, "\xFF\x51\x03\x00\x00\x00", 6); /* no tempo */
    add_event(s, 1, 900, 9, "\xFF\x58\x01\x03", 4);         /* cut short */
    add_event(s, 1, 900, 10, "\xFF\x59\x02\x55\x00", 5);    /* no key */
    assert_int_equal(score_update_timeline(s), MIDI_OK);
    return s;
}

static const char *told(const struct score *s)
{
    static char text[65536];
    struct signs g;
    size_t n = 0;
    char words[200];
    assert_int_equal(signs_collect(&g, s, ~0u), MIDI_OK);
    text[0] = '\0';
    for (size_t i = 0; i < g.n && n < sizeof text - 400; i++) {
        const struct sign *x = &g.list[i];
        if (x->kind == SIGN_METER)
            snprintf(words, sizeof words, "%d/%d", x->numerator, x->denominator);
        else if (x->kind == SIGN_TEMPO)
            snprintf(words, sizeof words, "=%.4g", x->bpm);
        else if (x->kind == SIGN_KEY)
            snprintf(words, sizeof words, "%d%s", x->sharps, x->minor ? "m" : "");
        else
            sign_copy(s, x, words, sizeof words);
        n += (size_t)snprintf(text + n, sizeof text - n, "%lld:%s ", (long long)x->tick,
                              words);
    }
    signs_fini(&g);
    return text;
}

static void all_kinds_are_read(void **state)
{
    (void)state;
    struct score *s = make_score();
    assert_string_equal(told(s),
                        "0:3/4 0:=100 0:-3m 700:la 800: 1920:Verse 1920:\x1B[ ");
    struct signs g;
    assert_int_equal(signs_collect(&g, s, SIGN(SIGN_MARKER) | SIGN(SIGN_LYRIC)),
                     MIDI_OK);
    assert_int_equal(g.n, 3);
    assert_int_equal(signs_first_at(&g, 701), 1);
    assert_int_equal(signs_first_at(&g, BAR), 1);
    assert_int_equal(signs_first_at(&g, BAR + 1), 3);
    char two[3];
    assert_string_equal(sign_copy(s, &g.list[1], two, sizeof two), "Ve");
    signs_fini(&g);
    score_destroy(s);
}

struct bytes {
    uint8_t *at;
    size_t n;
};

static struct bytes bytes_of(const struct score *s)
{
    struct bytes b = {0};
    assert_int_equal(smf_write(s, &b.at, &b.n), MIDI_OK);
    return b;
}

static void assert_same(const struct score *s, const struct bytes *b)
{
    struct bytes now = bytes_of(s);
    assert_int_equal(now.n, b->n);
    assert_memory_equal(now.at, b->at, b->n);
    free(now.at);
}

static void do_marker(struct history *h, struct score *s, int64_t tick,
                      const char *text)
{
    struct change *c = change_create("marker");
    assert_non_null(c);
    assert_int_equal(change_set_text(c, s, SIGN_MARKER, tick, text), MIDI_OK);
    assert_int_equal(history_do(h, s, c), MIDI_OK);
}

static void markers_are_put_changed_and_removed(void **state)
{
    (void)state;
    struct score *s = make_score();
    struct history *h = history_create();
    struct bytes before = bytes_of(s);
    do_marker(h, s, 0, "Intro");
    do_marker(h, s, BAR, "Refrain"); /* the last one there counts */
    assert_string_equal(
        told(s), "0:3/4 0:=100 0:-3m 0:Intro 700:la 800: 1920:Verse 1920:Refrain ");
    do_marker(h, s, BAR, "");
    do_marker(h, s, 0, "");
    assert_string_equal(told(s), "0:3/4 0:=100 0:-3m 700:la 800: ");
    while (history_undo(h, s, NULL))
        continue;
    assert_same(s, &before);
    free(before.at);
    history_destroy(h);
    score_destroy(s);
}

/* Escapes, zero bytes, broken UTF-8, and more than there is room for. */
static void hostile_texts(void **state)
{
    (void)state;
    struct score *s = make_score();
    struct signs g;
    static const char zeros[3000];
    uint8_t data[3006];
    char text[64], *large = malloc(5001);
    assert_non_null(large);
    add_event(s, 0, 5, 1, "\xFF\x06\x04\x00\xC3\xFFz", 7);
    add_event(s, 0, 6, 2,
              "\xFF\x06\x7F"
              "abc",
              6); /* longer than it is */
    size_t n = event_meta_write(data, META_MARKER, zeros, 3000);
    struct event e = {.tick = 7, .n_data = (uint32_t)n, .data = data};
    assert_int_equal(chunk_insert_event(&s->chunks[0], &e), MIDI_OK);
    assert_int_equal(signs_collect(&g, s, SIGN(SIGN_MARKER)), MIDI_OK);
    assert_int_equal(g.n, 4);
    assert_string_equal(sign_copy(s, &g.list[0], text, sizeof text), "");
    sign_text(s, &g.list[0], &n);
    assert_int_equal(n, 4);
    sign_copy(s, &g.list[1], text, sizeof text);
    assert_true(strlen(text) < sizeof text);
    signs_fini(&g);
    memset(large, 'x', 5000);
    large[5000] = '\0';
    struct change *c = change_create("marker");
    assert_int_equal(change_set_text(c, s, SIGN_MARKER, 0, large), MIDI_BAD_EDIT);
    assert_int_equal(change_set_text(c, s, SIGN_MARKER, -1, "x"), MIDI_BAD_EDIT);
    assert_int_equal(change_n_edits(c), 0);
    change_destroy(c);
    free(large);
    score_destroy(s);
}

/* A step at each beat of 3/4, the meter's; what stands at the end stays. */
static void ramps(void **state)
{
    (void)state;
    struct score *s = make_score();
    struct history *h = history_create();
    struct bytes before = bytes_of(s);
    struct change *c = change_create("ritardando");
    assert_int_equal(change_ramp_tempo(c, s, QUARTER, 4 * QUARTER, 90, 60), MIDI_OK);
    assert_int_equal(history_do(h, s, c), MIDI_OK);
    assert_string_equal(told(s), "0:3/4 0:=100 0:-3m 480:=90 700:la 800: 960:=80 "
                                 "1440:=70 1920:=60 1920:Verse 1920:\x1B[ ");
    c = change_create("accelerando");
    assert_int_equal(change_ramp_tempo(c, s, 0, 4 * QUARTER, 100, 120), MIDI_OK);
    assert_int_equal(history_do(h, s, c), MIDI_OK);
    assert_string_equal(told(s), "0:3/4 0:=100 0:-3m 480:=105 700:la 800: 960:=110 "
                                 "1440:=115 1920:=60 1920:Verse 1920:\x1B[ ");
    assert_true(fabs(timeline_bpm(&s->timeline, 1000) - 110) < 0.001);
    while (history_undo(h, s, NULL))
        continue;
    assert_same(s, &before);
    c = change_create("none");
    assert_int_equal(change_ramp_tempo(c, s, 5, 5, 90, 60), MIDI_BAD_EDIT);
    assert_int_equal(change_ramp_tempo(c, s, 0, 5, 90, NAN), MIDI_BAD_EDIT);
    assert_int_equal(change_ramp_tempo(c, s, 0, INT64_MAX / 16, 90, 60), MIDI_BAD_EDIT);
    change_destroy(c);
    free(before.at);
    history_destroy(h);
    score_destroy(s);
}

static uint32_t noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static struct sign any_sign(const struct score *s, uint32_t *seed)
{
    struct signs g;
    assert_int_equal(signs_collect(&g, s, ~0u), MIDI_OK);
    struct sign one = {.chunk = -1};
    if (g.n)
        one = g.list[noise(seed) % g.n];
    signs_fini(&g);
    return one;
}

/* One of everything there is; MIDI_OK with no edits is fine. */
static enum midi_status any_edit(struct change *c, const struct score *s,
                                 uint32_t *seed)
{
    int64_t tick = noise(seed) % 6 * 240;
    struct sign g = any_sign(s, seed);
    switch (noise(seed) % 6) {
    case 0:
        return change_set_text(c, s, SIGN_MARKER, tick, noise(seed) % 3 ? "A" : "");
    case 1:
        return change_set_tempo(c, s, tick, 30 + noise(seed) % 200);
    case 2:
        return change_set_meter(c, s, tick, 1 + (int)(noise(seed) % 9), 8);
    case 3:
        return change_ramp_tempo(c, s, tick, tick + 1000, 90, 50 + noise(seed) % 90);
    case 4:
        return g.chunk < 0 ? MIDI_OK : change_remove_sign(c, s, &g);
    default:
        return g.chunk < 0 || g.tick == tick ? MIDI_OK
                                             : change_move_sign(c, s, &g, tick);
    }
}

/* Many signs on few ticks, in every order: undoing goes the same way back. */
static void anything_is_undone_byte_for_byte(void **state)
{
    (void)state;
    uint32_t seed = 11;
    struct bytes on_the_way[60];
    struct score *s = make_score();
    struct history *h = history_create();
    for (int i = 0; i < 60; i++) {
        struct change *c = change_create("any");
        on_the_way[i] = bytes_of(s);
        assert_int_equal(any_edit(c, s, &seed), MIDI_OK);
        assert_int_equal(history_do(h, s, c), MIDI_OK);
    }
    struct bytes after = bytes_of(s);
    for (int i = 60; i-- > 0;) {
        assert_true(history_undo(h, s, NULL));
        assert_same(s, &on_the_way[i]);
        free(on_the_way[i].at);
    }
    while (history_redo(h, s, NULL))
        continue;
    assert_same(s, &after);
    free(after.at);
    history_destroy(h);
    score_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_are_read),
        cmocka_unit_test(markers_are_put_changed_and_removed),
        cmocka_unit_test(hostile_texts),
        cmocka_unit_test(ramps),
        cmocka_unit_test(anything_is_undone_byte_for_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
